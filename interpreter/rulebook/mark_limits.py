"""Checks limits on how many may have a mark: `up to 2 per unit`.

Input: a mark with its limit. Output: the limit as an expression, or a problem if figures of its kind are not held by
such a thing, or the number is invalid. It does not know which figures gain the mark.
"""

from __future__ import annotations

from interpreter.language import nodes as n
from interpreter.vocabulary.types import Type

from . import typed as t
from .construct import with_article
from .definitions import unknown
from .expressions import Expressions
from .scope import Scope
from .symbols import Attribute, Kind


def check_limit(mark: Attribute, limit: n.Limit, expressions: Expressions) -> t.Expr | None:
    """Return the checked number in a mark's limit; None after reporting that the limit is invalid."""
    text, kinds, holder = expressions.env.book.pages.owners[mark].text, expressions.env.book.kinds, mark.kind.held_in()
    if text is None:
        return None
    if limit.per.text not in kinds:
        unknown(expressions.problems, text, limit.per, "kind", kinds)
    elif holder is None:
        given = f"`…, if no ({mark.kind.plural} where {mark.name}):`"
        hint = f"leave `up to …` out, and say at the line that gives the mark when it is gained: {given}"
        _refused(mark, limit, expressions, f"{with_article(mark.kind.name)} is not counted", hint)
    elif not holder.is_a(kinds[limit.per.text]):
        hint = f"say `per {holder.name}`"
        _refused(mark, limit, expressions, f"{mark.kind.plural} are held by {with_article(holder.name)}", hint)
    else:
        made = limit_of(expressions, mark, limit, holder)
        return made[0] if made is not None else None
    return None


def _refused(mark: Attribute, limit: n.Limit, expressions: Expressions, label: str, hint: str) -> None:
    text = expressions.env.book.pages.owners[mark].text
    assert text is not None
    span = text.at(limit.per.start, limit.per.end)
    expressions.problems.add("T013", span, mark=mark.name, per=limit.per.text, label=label, hint=hint)


def limit_of(expressions: Expressions, mark: Attribute, limit: n.Limit, kind: Kind) -> tuple[t.Expr, t.Variable] | None:
    """The number in a mark's limit, and the variable for the holder that it may refer to; None if it is invalid."""
    hook = expressions.env.book.pages.owners[mark].text
    if hook is None:
        return None
    subject = t.Variable(limit.per.text, Type("thing", kind))
    card = t.Var(subject, type=subject.type)
    scope = Scope(None, {limit.per.text: card}, card=card, card_name=limit.per.text)
    return expressions.expect.number(limit.count, hook, scope), subject
