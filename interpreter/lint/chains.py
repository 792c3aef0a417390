"""Tables and procedures that lead back to themselves.

Enters: a checked book without errors and its checker. Leaves: chains that do not die out, with the way round.

A chain is a branching process: from each throw follow so many new ones, on average (`counting.py`). As long as that is
less than one it dies out. Procedures that lead to each other are one chain: with M the mean numbers of calls from each
to each, it dies out exactly where elimination of I - M has positive pivots alone.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from itertools import pairwise

from interpreter.rulebook import typed as t
from interpreter.rulebook.procedures import ProcedureChecker
from interpreter.rulebook.symbols import Procedure, Where
from interpreter.source import Label, Problems

from .counting import Counts, Following, least, mean
from .ranges import Ranges, ranges_of


def check_chains(checker: ProcedureChecker, problems: Problems) -> None:
    calls = {p: list(_calls(checker.procedure(p))) for p in checker.book.procedures.values()}
    graph = {p: [called for called, _ in found] for p, found in calls.items()}
    circles = [c for c in _circles(graph) if len(c) > 1 or c[0] in graph[c[0]]]
    if circles:
        ranges = ranges_of(checker, played=True)
        for circle in circles:
            _check(circle, calls, checker, ranges, problems)


def _check(
    circle: list[Procedure],
    calls: dict[Procedure, list[tuple[Procedure, Where]]],
    checker: ProcedureChecker,
    ranges: Ranges,
    problems: Problems,
) -> None:

    within = set(circle)
    for code, several in (("C002", least), ("C001", mean)):
        following = {p: Following(p, within, checker, ranges, several).counts() for p in circle}
        if _returns(circle, following) is not None:
            continue
        way = _way_round(circle, following)
        places = [min([w for called, w in calls[p] if called is q], key=_reading) for p, q in pairwise(way)]
        others = [Label(place.span, "and from here") for place in places[1:3]]
        loop = " → ".join(f"`{p.name}`" for p in way)
        once = following[circle[0]].get(circle[0], Fraction(0)) if len(circle) == 1 else None
        said = f"{once} on average" if once is not None else "one or more on average"
        hint = f"{said} for each time round" if code == "C001" else None
        problems.add(
            code, places[0].span, loop=loop, mean=said, label="it leads back from here", others=others, hint=hint
        )
        return


def _returns(circle: list[Procedure], following: dict[Procedure, Counts]) -> Fraction | None:
    """How many times a chain comes back to its first table on average; None where it does not die out."""
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


def _way_round(circle: list[Procedure], following: dict[Procedure, Counts]) -> list[Procedure]:
    """The shortest way from a procedure back to it, along calls that must follow."""
    for start in circle:
        ways = [[start]]
        seen: set[Procedure] = set()
        while ways:
            way = ways.pop(0)
            for following_on, count in following[way[-1]].items():
                if count and following_on is start:
                    return [*way, start]
                if count and following_on not in seen:
                    seen.add(following_on)
                    ways.append([*way, following_on])
    raise AssertionError("a chain without a way round")


# ---- the graph
def _reading(where: Where) -> tuple[str, int]:
    """In the order of the page."""
    return where.span.source.name, where.span.start


def _calls(checked: t.Checked) -> Iterable[tuple[Procedure, Where]]:
    """Every procedure that is called, with the line where it is."""
    for step in t.parts(checked.steps) if checked.inside[t.Call] else ():
        if isinstance(step, t.Step):
            for name in t.children(type(step)):
                held = getattr(step, name)
                if isinstance(held, t.Expr):
                    for part in t.parts(held):
                        if isinstance(part, t.Call):
                            yield part.procedure, part.where or step.line.where


def _circles(graph: dict[Procedure, list[Procedure]]) -> list[list[Procedure]]:
    """Procedures that lead to each other, those of one circle together (Tarjan, without recursion)."""
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
