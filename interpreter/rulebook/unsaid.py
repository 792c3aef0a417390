"""What a situation leaves unsaid of its things although the rules have no first value for it.

Enters: the things of a situation that has other mistakes, too. Leaves: problems, so that all is told in one go; one
without mistakes is asked again, with its figures, when its first state is made. Knows nothing of states.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from interpreter.document.nodes import Entry
from interpreter.document.nodes import Mapping as Lines
from interpreter.source import Problem, Problems

from . import typed as t
from .situation import FactGiven, Thing
from .symbols import Attribute


def tell_unsaid(
    root: Lines,
    things: Iterable[Thing],
    facts: Iterable[FactGiven],
    defaults: Mapping[Any, t.Expr | None],
    problems: Problems,
) -> None:
    """A thing of which a word could not be read is left out: that word may have said it."""
    stated = {(f.symbol, f.things[0]) for f in facts}
    described = {thing.name: thing for thing in things if thing.described}
    for entry in root:
        thing = described.get(entry.key.text.split(" ")[-1])
        told = [p for p in problems if _within(p, entry)]
        if thing is None or thing.where.scalar is not entry.key or any(p.code != "F010" for p in told):
            continue
        for attribute in thing.kind.all_attributes():
            said = attribute in thing.values or (attribute, thing.name) in stated
            tried = any(p.span is not None and attribute.name in p.span.text for p in told)
            if not said and not tried and defaults.get(attribute) is None:
                what = f"{attribute.name} of {thing.name}"
                problems.add("F001", thing.where.span, name=what, hint=to_say(attribute))


def _within(problem: Problem, entry: Entry) -> bool:
    span = problem.span
    if span is None:
        return False
    return any(span.source is x.source and x.start <= span.start <= x.end for x in (entry.key.span, entry.value.span))


def to_say(attribute: Attribute) -> str:
    """How a situation says what it must."""
    type_ = attribute.type
    if type_.name in ("row", "rows"):
        words = list(type_.of.rows)
        return "say one of " + ", ".join(f"`{w}`" for w in words[:7]) + (", …" if len(words) > 7 else "")
    if type_.name in ("number", "inches"):
        low = attribute.low if isinstance(attribute.low, int) and attribute.low > 1 else 6
        return f"say `{attribute.name} {low}" + ('"`' if type_.name == "inches" else "`")
    return f"say `{attribute.name} …`"
