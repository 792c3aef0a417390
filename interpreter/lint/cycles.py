"""Checks of cycles: procedures and tables that lead back to themselves, and initial values that depend on themselves.

Takes the checker of a checked book without errors; adds findings with the path of the cycle.

A cycle of calls is a multitype branching process: each call makes a number of new ones, on average
(`expected_calls.py`). With M the mean numbers of calls from each procedure to each, it dies out exactly if Gaussian
elimination of I - M has only positive pivots.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from itertools import pairwise
from typing import TypeVar

from interpreter.rulebook import typed as t
from interpreter.rulebook.procedures import Checker
from interpreter.rulebook.symbols import Holding, Needed, Procedure, Symbol, Value, Where
from interpreter.source import Label, Problems

from .expected_calls import CallCounter, Counts, least, mean
from .ranges import Ranges, ranges_of

T = TypeVar("T")


def check_call_cycles(checker: Checker, problems: Problems) -> None:
    """Report cycles of calls that never end (C002), or need not end because one call makes one or more (C001)."""
    calls = {p: list(_calls(checker.procedure(p))) for p in checker.book.procedures.values()}
    graph = {p: [called for called, _ in found] for p, found in calls.items()}
    circles = [c for c in _components(graph) if len(c) > 1 or c[0] in graph[c[0]]]
    if circles:
        ranges = ranges_of(checker, played=True)
        for circle in circles:
            _check_component(circle, calls, checker, ranges, problems)


def _check_component(
    circle: list[Procedure],
    calls: dict[Procedure, list[tuple[Procedure, Where]]],
    checker: Checker,
    ranges: Ranges,
    problems: Problems,
) -> None:
    within = set(circle)
    for code, combine in (("C002", least), ("C001", mean)):
        following = {p: CallCounter(p, within, checker, ranges, combine).counts() for p in circle}
        if _mean_returns(circle, following) is not None:
            continue
        way = _find_loop(circle, following)
        places = [min([w for called, w in calls[p] if called is q], key=_page_order) for p, q in pairwise(way)]
        others = [Label(place.span, "and from here") for place in places[1:3]]
        loop = " → ".join(f"`{p.name}`" for p in way)
        once = following[circle[0]].get(circle[0], Fraction(0)) if len(circle) == 1 else None
        said = f"{once} on average" if once is not None else "one or more on average"
        hint = f"{said} for each time round" if code == "C001" else None
        problems.add(
            code, places[0].span, loop=loop, mean=said, label="it leads back from here", others=others, hint=hint
        )
        return


def _mean_returns(circle: list[Procedure], following: dict[Procedure, Counts]) -> Fraction | None:
    """The mean number of returns to the first procedure of a cycle; None if the process does not die out."""
    order = circle[::-1]  # the first one is eliminated last
    left = [[Fraction(int(p is q)) - following[p].get(q, Fraction(0)) for q in order] for p in order]
    for i, row in enumerate(left):
        if row[i] <= 0:
            return None
        for other in left[i + 1 :]:
            share = other[i] / row[i]
            for j in range(i, len(order)):
                other[j] -= share * row[j]
    return 1 - left[-1][-1]


def _find_loop(circle: list[Procedure], following: dict[Procedure, Counts]) -> list[Procedure]:
    """The shortest path from a procedure of a cycle back to it, along calls that must follow."""
    for start in circle:
        path = _shortest_cycle(start, lambda p: (q for q, count in following[p].items() if count))
        if path:
            return [*path, start]
    raise AssertionError("a cycle of calls has a path round")


def _shortest_cycle(start: T, successors: Callable[[T], Iterable[T]]) -> list[T]:
    """The nodes of the shortest path from `start` back to it, beginning with it; empty if there is none."""
    seen: set[T] = set()
    paths = [[start]]
    while paths:
        path = paths.pop(0)
        for node in successors(path[-1]):
            if node is start:
                return path
            if node not in seen:
                seen.add(node)
                paths.append([*path, node])
    return []


# ---- the graph
def _page_order(where: Where) -> tuple[str, int]:
    return where.span.source.name, where.span.start


def _calls(checked: t.Checked) -> Iterable[tuple[Procedure, Where]]:
    """Every procedure that is called, with the place of the call."""
    for step in t.parts(checked.steps) if checked.inside[t.Call] else ():
        if isinstance(step, t.Step):
            for name in t.children(type(step)):
                held = getattr(step, name)
                if isinstance(held, t.Expr):
                    for part in t.parts(held):
                        if isinstance(part, t.Call):
                            yield part.procedure, part.where or step.line.where


def _components(graph: dict[Procedure, list[Procedure]]) -> list[list[Procedure]]:
    """The strongly connected components of a graph (Tarjan's algorithm, without recursion)."""
    number: dict[Procedure, int] = {}
    low: dict[Procedure, int] = {}
    waiting: list[Procedure] = []
    held: set[Procedure] = set()
    found: list[list[Procedure]] = []
    for root in graph:
        work = [(root, iter(graph[root]))] if root not in number else []
        while work:
            here, onward = work[-1]
            if here not in number:
                number[here] = low[here] = len(number)
                waiting.append(here)
                held.add(here)
            for other in onward:
                if other not in number:
                    work.append((other, iter(graph.get(other, []))))
                    break
                if other in held:
                    low[here] = min(low[here], number[other])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[here])
                if low[here] == number[here]:
                    cut = waiting.index(here)
                    found.append(waiting[cut:])
                    held.difference_update(waiting[cut:])
                    del waiting[cut:]
    return found


# ---- initial values
def check_default_cycles(checker: Checker, problems: Problems) -> None:
    """Report attributes and facts whose initial values depend on each other in a cycle (M013)."""
    firsts: dict[Symbol, t.Expr] = {
        s: e for s, e in checker.defaults.items() if e is not None and not isinstance(e, t.Lit)
    }
    reported: set[Symbol] = set()
    for symbol in firsts:
        way = _shortest_cycle(symbol, lambda s: _needed_symbols(s, firsts, checker)) if symbol not in reported else []
        reported.update(way)
        if way:
            loop = " → ".join(f"`{s.name}`" for s in (*way, symbol))
            others = [Label(s.where.span, "by way of this") for s in way[1:3]]
            hint = f"each asks for the next: {loop}; let one of them begin with a plain value"
            problems.add(
                "M013", symbol.where.span, name=symbol.name, label="this hangs on itself", others=others, hint=hint
            )


def _needed_symbols(symbol: Symbol, firsts: dict[Symbol, t.Expr], checker: Checker) -> Iterable[Symbol]:
    """The symbols that an initial value, or a value of the rules, is computed from."""
    said: tuple[object, ...] = (firsts.get(symbol),)
    if isinstance(symbol, Value | Holding | Needed):
        said = tuple([(c.amount, c.per, c.condition) for c in checker.pure(symbol).changes])
    inside = t.by_class(said)
    yield from [part.value for part in inside[t.CallValue]]
    yield from [part.attribute for part in inside[t.Attr] if part.attribute in firsts]
    yield from [part.fact for part in inside[t.FactOf] if part.fact in firsts]
