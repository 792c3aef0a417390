"""Reads a text by the grammar's tables: words, then nodes, bottom-up.

Enters: a text, a start symbol. Leaves: what the builder made of it, or `Stop`: where nothing fits.
It does what Lark's LALR parser does (tests/test_reader.py compares them), without trees in between and without Lark.
Knows nothing of what the words mean.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from interpreter.source.values import value

from .tables import Rule, Tables

END = "$END"


class Token(str):
    """A word of the text: which terminal it is, and where it stands."""

    __slots__ = ("end_pos", "start_pos", "type")
    type: str
    start_pos: int
    end_pos: int


class Meta:
    """Where a node stands."""

    __slots__ = ("end_pos", "start_pos")

    def __init__(self, start: int, end: int) -> None:
        self.start_pos, self.end_pos = start, end


class _Parts(list[Any]):
    """Children that are put into the parent one by one."""


@value()
class Stop:
    """`token` where nothing fits (None: the character at `at` begins no word); what would, `Reader.wanted` knows."""

    at: int
    token: Token | None
    states: tuple[int, ...] = ()
    last: int = 0


def _children(rule: Rule, values: list[Any]) -> list[Any]:
    children: list[Any] = []
    for i, parts, absent in rule.takes:
        if absent:
            children += [None] * absent
        if parts:
            children += values[i]
        else:
            children.append(values[i])
    return children + [None] * rule.after


class Reader:
    """Keeps a grammar's tables ready. `builder` has a method (meta, children) a rule."""

    def __init__(self, tables: Tables, builder: Any) -> None:
        self.tables = tables
        self._match = re.compile("|".join(f"(?P<{name}>{pattern})" for name, pattern in tables.patterns)).match
        self._rows = [tables.rows[row] for row in tables.states]
        self._ignored = frozenset(tables.ignored)
        self._builds = [getattr(builder, rule.name, None) if rule.name else None for rule in tables.rules]
        one = [(0, False, 0)]
        self._passes = [r.alone and r.size == 1 and not r.after and [*map(tuple, r.takes)] == one for r in tables.rules]
        self._passed: dict[tuple[int, int, str], int] = {}
        # Of most rules each child is one value; which, or None where it is not so simple.
        self._plain = [
            None
            if rule.after or any(parts or absent for _, parts, absent in rule.takes)
            else [i for i, _, _ in rule.takes]
            for rule in tables.rules
        ]

    def read(self, text: str, start: str) -> Any:
        """The node of `text`, or Stop."""
        first, last = self.tables.starts[start]
        rows, rules, passes, passed = self._rows, self.tables.rules, self._passes, self._passed
        states: list[int] = [first]
        values: list[Any] = []
        spans: list[tuple[int, int]] = []
        for token in self._tokens(text):
            if isinstance(token, int):
                return Stop(token, None)
            kind = token.type
            while True:
                action = rows[states[-1]].get(kind)
                if action is None:
                    return Stop(token.start_pos, token, tuple(states), last)
                if action >= 0:
                    states.append(action)
                    values.append(token)
                    spans.append((token.start_pos, token.end_pos))
                    break
                if passes[-1 - action]:
                    way = (states[-2], states[-1], kind)
                    if way not in passed:
                        passed[way] = self._through(*way, last)
                    states[-1] = passed[way]
                    if kind == END and states[-1] == last:
                        return values[-1]
                    continue
                rule = rules[-1 - action]
                size = rule.size
                span = (spans[-size][0], spans[-1][1])
                value = self._built(-1 - action, rule, values[-size:], span)
                if type(value) is Token:
                    span = (value.start_pos, value.end_pos)
                del states[-size:], values[-size:], spans[-size:]
                states.append(rows[states[-1]][rule.symbol])
                values.append(value)
                spans.append(span)
                if kind == END and states[-1] == last:
                    return value
        raise AssertionError("a text ends with its end")

    def _through(self, below: int, state: int, kind: str, last: int) -> int:
        """The state in which one value arrives that stands alone for one rule after the other: a name is a product of
        one factor, which is a sum of one product, and so on."""
        row = self._rows[below]
        while (action := self._rows[state].get(kind)) is not None and action < 0 and self._passes[-1 - action]:
            state = row[self.tables.rules[-1 - action].symbol]
            if kind == END and state == last:
                break
        return state

    def _built(self, number: int, rule: Rule, values: list[Any], span: tuple[int, int]) -> Any:
        plain = self._plain[number]
        children = [values[i] for i in plain] if plain is not None else _children(rule, values)
        if rule.alone and len(children) == 1:
            return children[0]
        if not rule.name:
            return _Parts(children)
        build = self._builds[number]
        if build is None:
            raise TypeError(f"nothing builds the rule {rule.name}")
        return build(Meta(*span), children)

    def _tokens(self, text: str) -> Iterator[Token | int]:
        """The words and the end; or, in the end, the place where no word begins."""
        match, words, ignored = self._match, self.tables.words, self._ignored
        at, end = 0, len(text)
        while at < end:
            found = match(text, at)
            if found is None:
                yield at
                return
            kind = found.lastgroup or ""
            if kind not in ignored:
                token = Token(found.group())
                if kind in words:
                    kind = words[kind].get(token, kind)
                token.type, token.start_pos, token.end_pos = kind, at, found.end()
                yield token
            at = found.end()
        token = Token("")
        token.type, token.start_pos, token.end_pos = END, end, end
        yield token

    def wanted(self, stop: Stop) -> frozenset[str]:
        """Which terminals would be taken there."""
        row = self._rows[stop.states[-1]] if stop.states else ()
        return frozenset(kind for kind in row if kind.isupper() and self._takes(kind, list(stop.states), stop.last))

    def _takes(self, kind: str, states: list[int], last: int) -> bool:
        while (action := self._rows[states[-1]].get(kind)) is not None:
            if action >= 0:
                return True
            rule = self.tables.rules[-1 - action]
            del states[-rule.size :]
            states.append(self._rows[states[-1]][rule.symbol])
            if kind == END and states[-1] == last:
                return True
        return False
