"""Checks of `where` and of `with the most`: what they ask has to depend on the item that is judged.

Takes the checker of a checked book without errors; adds findings at the condition. What does not depend on the item
selects all items or none, most often because a name of the title was read where that of the item was meant.
"""

from __future__ import annotations

from interpreter.rulebook import typed as t
from interpreter.rulebook.procedures import Checker
from interpreter.rulebook.symbols import Kind, Where
from interpreter.source import Problems, Span

from .sentences import sentences


def check_item_conditions(checker: Checker, problems: Problems) -> None:
    """Report conditions that are the same for each item they judge (P035)."""
    for inside in sentences(checker, checker.book.pure_definitions()):
        for part in (*inside[t.Filter], *inside[t.Extreme]):
            asked = part.condition if isinstance(part, t.Filter) else part.value
            read = {each.variable for each in t.parts(asked) if isinstance(each, t.Var)}
            if asked.where is not None and part.variable not in read:
                place = _place(asked, asked.where)
                problems.add("P035", place, said=place.text, label="of which?", hint=_hint(part, read))


def _place(asked: t.Expr, last: Where) -> Span:
    """The place of a condition with the names before its dots; `last` is the place of its last part."""
    text = last.scalar
    places = [e.where for e in t.parts(asked) if isinstance(e, t.Expr)]
    own = [place for place in places if place is not None and place.scalar is text]
    start, end = min(place.start for place in own), max(place.end for place in own)
    while start and (text.text[start - 1].isalnum() or text.text[start - 1] in ".-"):
        start -= 1
    return text.at(start, end)


def _hint(part: t.Filter | t.Extreme, read: set[t.Variable]) -> str:
    kind = part.items.type.of
    owner = kind.owner.name if isinstance(kind, Kind) and kind.owner is not None else ""
    if owner and any(variable.name == owner for variable in read):
        return f"`{owner}` is the one that was named before; the {owner} of each is `it.{owner}`"
    return "`it` is each of them: `it.…`; where all or none are meant, say it with `if`"
