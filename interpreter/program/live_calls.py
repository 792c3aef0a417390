"""Liveness of procedures that call each other: the least solution, also where they call themselves.

Takes the analysis of one procedure for one question (`Question`). What a call needs is what its own analysis says; in
a circle of calls that is first assumed to be nothing, and the circle is analysed again until no assumption grows. So a
recursive call needs what decides something that is read, and not all that the circle may look at.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

from interpreter.rulebook.symbols import Procedure

from .liveness import Live
from .terms import NOTHING, Uses

Question = tuple[
    Procedure, frozenset[str], frozenset[Any], bool
]  # with lines wanted, cells handed back, if it is closed

DEEPEST = 10_000  # calls in Python, one in the other, of one analysis


class LiveCalls:
    """Solves one circle after the other, innermost first (as Tarjan finds components), and keeps what is solved."""

    def __init__(self, analyse: Callable[[Question], Live]) -> None:
        self._analyse = analyse
        self._known: dict[Question, Live] = {}
        self._assumed: dict[Question, Uses] = {}
        self._clear()

    def _clear(self) -> None:
        self._depth: dict[Question, int] = {}  # of what is being analysed, outermost first
        self._open: dict[Question, tuple[Live, int]] = {}  # analysed as assumed so far, and how far out that leans
        self._leaned: set[Question] = set()
        self._lowest = 0
        self._grew = False

    def of(self, question: Question) -> Live:
        """The liveness, from outside of any analysis."""
        if question not in self._known:
            limit = sys.getrecursionlimit()
            sys.setrecursionlimit(max(limit, DEEPEST))  # a dozen calls for each procedure that calls another
            try:
                self._solve(question)
            except BaseException:
                self._clear()
                raise
            finally:
                sys.setrecursionlimit(limit)
        return self._known[question]

    def needed(self, question: Question) -> Uses:
        """What a call needs, as far as is known; within an analysis."""
        if question in self._known:
            return self._known[question].entry
        if not self._depth:
            return self.of(question).entry
        if question in self._depth:
            self._lowest = min(self._lowest, self._depth[question])
            self._leaned.add(question)
            return self._assumed.get(question, NOTHING)
        if question in self._open:
            live, low = self._open[question]
            self._lowest = min(self._lowest, low)
            return live.entry
        return self._solve(question).entry

    def _solve(self, question: Question) -> Live:
        depth = self._depth[question] = len(self._depth)
        outside, grew = self._lowest, self._grew
        while True:
            before = len(self._open)
            self._lowest, self._grew = depth, False
            live = self._analyse(question)
            assumed = self._assumed.get(question, NOTHING)
            if question in self._leaned and live.entry | assumed != assumed:
                self._assumed[question] = live.entry | assumed
                self._grew = True
            inner = list(self._open)[before:]
            if self._lowest < depth:  # part of a circle that began further out
                self._open[question] = live, self._lowest
                break
            if not self._grew:
                self._known |= {question: live, **{each: self._open.pop(each)[0] for each in inner}}
                break
            for each in inner:
                del self._open[each]
        del self._depth[question]
        self._lowest, self._grew = min(outside, self._lowest), self._grew or grew
        return live
