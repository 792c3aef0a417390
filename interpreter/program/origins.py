"""Tells figures apart during a `together` block that makes some of them alike: each bears its `Origin`, the figure that
it was when the block began.

Equal figures are one entry of a bag, with a number. Where one line hurts a man and another takes away one who was hurt
before, the bags do not show what became of whom; with the origin as a last, additional attribute of each figure they
do. It is given to all figures of a kind at the beginning of the block, in the state and in each name, and taken at its
end. A block in a procedure that a block calls adds another one behind it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from interpreter.rulebook import typed as t
from interpreter.rulebook.symbols import Kind, Procedure
from interpreter.vocabulary.functions import Figure

from .changes import Change, all_changed
from .rules import Rules
from .runtime import figure_order


class Origin(tuple[Any, ...]):
    """A figure as it was when the block began; they have an order although their attributes may be None."""

    __slots__ = ()

    def __lt__(self, other: tuple[Any, ...]) -> bool:
        return figure_order(self) < figure_order(other)


def origin(figure: Figure) -> Origin | None:
    """Return the origin that a figure bears, that of the innermost block."""
    last = figure[-1]
    return last if type(last) is Origin else None


def without_origin(figure: Figure) -> Figure:
    """Return the figure without its origin; one that left play for good bears none."""
    return figure if origin(figure) is None else figure[:-1]


def with_origins(kinds: Sequence[Kind]) -> Change:
    """Return the change that gives figures of some kinds their origin."""
    numbers = _numbers(kinds)
    return lambda figure: (*figure, Origin(figure)) if figure[1] in numbers else figure


def without_origins(kinds: Sequence[Kind]) -> Change:
    """Return the change that takes their origin from figures of some kinds."""
    numbers = _numbers(kinds)
    return lambda figure: without_origin(figure) if figure[1] in numbers else figure


def _numbers(kinds: Sequence[Kind]) -> frozenset[int]:
    return frozenset([sort.number for kind in kinds for sort in kind.sorts()])


def change_bags(state: list[Any], places: Sequence[int], change: Change) -> None:
    """Change all figures in some bags of the state."""
    for i in places:
        state[i] = all_changed(state[i], change)


def change_lent(loan: Any, change: Change) -> Any:
    """Return the bags that the callers have lent to the current call, with all figures changed."""
    if not loan:
        return loan
    before, kin, names = loan
    return change_lent(before, change), kin, tuple([bag and all_changed(bag, change) for bag in names])


# ---- which blocks need it
Way = tuple[Kind, Any]  # a kind, and how a step changes its figures: the attribute and the value it sets, else None


def kinds_made_alike(checker: Rules, block: t.Together) -> list[Kind]:
    """Return the kinds whose figures several lines or rounds of a block change, not all in the same way. One way can be
    seen from the bags: a figure has a value or not.
    """
    lines = [_ways(checker, step) for step in _lines(block.body)]
    times = Counter([kind for ways in lines for kind in {kind for kind, _ in ways}])
    every = {way for ways in lines for way in ways}
    several = Counter([kind for kind, way in every for _ in range(1 if way else 2)])
    return [kind for kind, n in times.items() if n > 1 and several[kind] > 1]


def _lines(steps: Sequence[t.Step]) -> Iterator[t.Step]:
    """The steps of a block without its branches and loops; what is in a loop twice."""
    for step in steps:
        match step:
            case t.If():
                yield from _lines((*step.then, *step.other))
            case t.ForEach() | t.Repeat() | t.RepeatUntil():
                yield from _lines((*step.body, *step.body))
            case t.Together():
                yield from _lines(step.body)
            case _:
                yield step


def _ways(checker: Rules, step: t.Step) -> set[Way]:
    """The ways in which a step changes figures, itself or through calls."""
    found: set[Way] = set()
    inside = [t.by_class(step)]
    called: list[Procedure] = []
    for parts in inside:
        for each in (*parts[t.SetAttr], *parts[t.AddAttr]):
            if each.attribute.kind.root.counted:
                sets = isinstance(each, t.SetAttr) and isinstance(each.value, t.Lit)
                found.add((each.attribute.kind.root, (each.attribute, each.value.value) if sets else None))
        found |= {(each.figures.type.of.root, None) for each in parts[t.Rehome]}
        more = {call.procedure: None for call in parts[t.Call] if call.procedure not in called}
        called += more
        inside += [checker.procedure(procedure).inside for procedure in more]
    return found
