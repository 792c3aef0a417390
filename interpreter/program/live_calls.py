"""Interprocedural liveness: the least fixed point over the call graph, also for recursive procedures.

Takes the analysis of one procedure for one question (`Question`). What a call needs is the entry set of its callee's
analysis; within a strongly connected component of the call graph it starts empty, and the component is analysed again
until no set grows. So a recursive call needs only what affects something that is read.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from typing import Any

from interpreter.rulebook.symbols import Procedure

from .liveness import Live
from .terms import NOTHING, Uses

Question = tuple[
    Procedure, frozenset[str], frozenset[Any], bool
]  # a procedure, the lines wanted of it, the cells returned, whether it is closed

DEEPEST = 10_000  # recursion limit of an analysis


class LiveCalls:
    """Solves the strongly connected components of the call graph innermost first (Tarjan's algorithm) and keeps the
    results. Within a component, only questions whose callees turned out to need more are analysed again.
    """

    def __init__(self, analyse: Callable[[Question], Live]) -> None:
        self._analyse = analyse
        self._known: dict[Question, Live] = {}
        self._calls: dict[Question, dict[Question, None]] = {}  # the questions that the analysis of each one looked up
        self._clear()

    def _clear(self) -> None:
        self._index: dict[Question, int] = {}  # in order of discovery
        self._open: dict[Question, Live] = {}  # provisional results of unsolved components
        self._entry: dict[Question, Uses] = {}  # their provisional entry sets
        self._readers: dict[Question, dict[Question, None]] = {}  # the questions whose analyses have read these sets
        self._stale: dict[Question, None] = {}  # the questions whose analyses have read an outdated set
        self._reader: Question | None = None  # the question being analysed
        self._lowest = 0  # the lowest index that the current question depends on

    def of(self, question: Question) -> Live:
        """Return the liveness for a question. Must not be called within an analysis."""
        if question not in self._known:
            limit = sys.getrecursionlimit()
            sys.setrecursionlimit(max(limit, DEEPEST))  # a dozen Python frames per nested procedure
            try:
                self._solve(question)
            finally:
                sys.setrecursionlimit(limit)
                self._clear()
        return self._known[question]

    def within(self, question: Question) -> Iterator[Live]:
        """Yield the liveness of a question and of all that it calls."""
        found = {question: None}
        left = [question]
        for each in left:
            yield self.of(each)
            left += [other for other in self._calls.get(each, ()) if other not in found]
            found |= self._calls.get(each, {})

    def needed(self, question: Question) -> Uses:
        """Return what a call needs: the entry set of its callee, a lower approximation within a component. Must be
        called within an analysis.
        """
        if self._reader is None:
            return self.of(question).entry
        self._calls.setdefault(self._reader, {})[question] = None
        if question not in self._known and question not in self._index:
            self._solve(question)
        if question in self._known:
            return self._known[question].entry
        self._lowest = min(self._lowest, self._index[question])
        self._readers.setdefault(question, {})[self._reader] = None
        return self._entry.get(question, NOTHING)

    def _solve(self, question: Question) -> None:
        index = self._index[question] = len(self._index)
        outside, self._lowest = self._lowest, index
        self._analyse_once(question)
        while self._lowest == index and (again := self._stale_since(index)) is not None:
            self._analyse_once(again)
        if self._lowest == index:  # it is the root of a component
            for each in [q for q in self._open if self._index[q] >= index]:
                self._known[each] = self._open.pop(each)
        self._lowest = min(outside, self._lowest)

    def _analyse_once(self, question: Question) -> None:
        reader, self._reader = self._reader, question
        self._stale.pop(question, None)
        live = self._open[question] = self._analyse(question)
        self._reader = reader
        before = self._entry.get(question, NOTHING)
        if live.entry | before != before:
            self._entry[question] = live.entry | before
            self._stale |= self._readers.get(question, {})

    def _stale_since(self, index: int) -> Question | None:
        return next((q for q in reversed(self._stale) if self._index[q] >= index and q in self._open), None)
