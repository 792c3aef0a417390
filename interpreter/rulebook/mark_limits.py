"""What is said of how many may have a mark: `up to 2 per unit`.

Enters: a mark with its limit. Leaves: a problem where nobody is counted per such a thing, or where the number cannot be
worked out. Knows nothing of who gains the mark.
"""

from __future__ import annotations

from interpreter.language import nodes as n

from . import typed as t
from .construct import with_article
from .definitions import unknown
from .procedures import ProcedureChecker
from .symbols import Attribute


def check_limit(mark: Attribute, limit: n.Limit, checker: ProcedureChecker) -> t.Expr | None:
    """Those who bear a limited mark are counted, and the limit holds for each thing that holds such: so many."""
    text, kinds, holder = checker.book.owners[mark].text, checker.book.kinds, mark.kind.held_in()
    if text is None:
        return None
    if limit.per.text not in kinds:
        unknown(checker.problems, text, limit.per, "kind", kinds)
    elif holder is None:
        given = f"`…, if no ({mark.kind.plural} where {mark.name}):`"
        hint = f"leave `up to …` out, and say at the line that gives the mark when it is gained: {given}"
        _refused(mark, limit, checker, f"{with_article(mark.kind.name)} is not counted", hint)
    elif not holder.is_a(kinds[limit.per.text]):
        hint = f"say `per {holder.name}`"
        _refused(mark, limit, checker, f"{mark.kind.plural} are held by {with_article(holder.name)}", hint)
    else:
        made = checker.limit_of(mark, limit, holder)
        return made[0] if made is not None else None
    return None


def _refused(mark: Attribute, limit: n.Limit, checker: ProcedureChecker, label: str, hint: str) -> None:
    text = checker.book.owners[mark].text
    assert text is not None
    span = text.at(limit.per.start, limit.per.end)
    checker.problems.add("T013", span, mark=mark.name, per=limit.per.text, label=label, hint=hint)
