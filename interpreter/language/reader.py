"""Reads a text by the grammar's tables: words, then nodes, bottom-up.

Enters: a text, a start symbol. Leaves: what the builder made of it, or `Stop`: where nothing fits.
It does what Lark's LALR parser does (tests/test_reader.py compares them), without trees in between and without Lark.
Knows nothing of what the words mean.
"""

from __future__ import annotations

import re
from typing import Any

from interpreter.source.values import Struct

from .tables import UNKNOWN, Rule, Tables, read_rule

END = "$END"
_MANY = 10_000  # forms of sentences: the rules that come along have 1,500


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


class Stop(Struct):
    """`token` where nothing fits (None: the character at `at` begins no word); what would, `Reader.wanted` knows."""

    at: int
    token: Token | None
    states: tuple[int, ...] = ()
    last: int = 0


class _Way(Struct, eq=False):
    """How a sentence is built of its words. Slot 0 is nothing, the words follow, then the value of each step: what
    builds it, of which slots, and from which word to which. `taken` are the words that something is built of, `root`
    is the slot of the whole."""

    taken: list[int]
    steps: list[tuple[Any, list[int], int, int]]
    root: int


class Reader:
    """Keeps a grammar's tables ready. `builder` has a method (meta, children) a rule."""

    def __init__(self, tables: Tables, builder: Any) -> None:
        self.tables = tables
        self._find = re.compile(tables.pattern, re.DOTALL).finditer
        self._rows = _Rows(tables)
        self._rules = _Rules(tables)
        self._builder = builder
        self._ignored = frozenset(tables.ignored)
        self._ways: dict[tuple[str, ...], _Way] = {}

    def read(self, text: str, start: str) -> Any:
        """The node of `text`, or Stop. How it is built depends on the kinds of its words alone, and rules repeat few
        forms with other names: what was followed through the tables once is known."""
        kinds = [start]
        words = [("", 0, 0)]
        texts, alone, ignored = self.tables.words, self.tables.alone, self._ignored
        for found in self._find(text):
            kind: str = found.lastgroup  # type: ignore[assignment]
            if kind in ignored:
                continue
            at, end = found.start(), found.end(kind)
            said = text[at:end]
            if kind in texts:
                kind = texts[kind].get(said, kind)
                if said in alone and not _goes_on(text[end : end + 1]):
                    kind = alone[said]
            kinds.append(kind)
            words.append((said, at, end))
        form = tuple(kinds)
        way = self._ways.get(form)
        if way is None:
            kinds.append(END)
            words.append(("", len(text), len(text)))
            new = self._followed(kinds, words)
            if isinstance(new, Stop):
                return new
            if len(self._ways) >= _MANY:
                self._ways.clear()
            self._ways[form] = way = new
        values: list[Any] = [None] * len(form)
        for slot in way.taken:
            values[slot] = _token(kinds[slot], *words[slot])
        meta = Meta(0, 0)
        for build, slots, first, last in way.steps:
            meta.start_pos, meta.end_pos = words[first][1], words[last][2]
            values.append(build(meta, [values[slot] for slot in slots]))
        return values[way.root]

    def _followed(self, kinds: list[str], words: list[tuple[str, int, int]]) -> _Way | Stop:
        """The way through the tables for words of these kinds, the first of which says what they are read as."""
        state, goal = self.tables.starts[kinds[0]]
        rows, rules = self._rows, self._rules
        end = len(kinds) - 1
        states = [state]
        values: list[Any] = []  # the slot of each; of what is put into its parent one by one, several
        spans: list[tuple[int, int]] = []
        steps: list[tuple[Any, list[int], int, int]] = []
        for number, kind in enumerate(kinds[1:], 1):
            while True:
                action = rows[states[-1]].get(kind)
                if action is None:
                    at = words[number][1]
                    if kind == UNKNOWN:
                        return Stop(at, None)
                    return Stop(at, _token(kind, *words[number]), tuple(states), goal)
                if action >= 0:
                    states.append(action)
                    values.append(number)
                    spans.append((number, number))
                    break
                rule, passes = rules[-1 - action]
                if passes:  # a name is a product of one factor, which is a sum of one product, and so on
                    states[-1] = rows[states[-2]][rule.symbol]
                    if kind == END and states[-1] == goal:
                        return _way(steps, values[-1], end)
                    continue
                size = rule.size
                span = spans[-size][0], spans[-1][1]
                slots = _slots(rule, values[-size:])
                slot: Any = slots
                if rule.alone and len(slots) == 1:
                    slot = slots[0]
                    if 0 < slot < end:  # a word
                        span = slot, slot
                elif rule.name:
                    slot = end + len(steps)
                    build = getattr(self._builder, rule.name, None)
                    if build is None:
                        raise TypeError(f"nothing builds the rule {rule.name}")
                    steps.append((build, slots, *span))
                del states[-size:], values[-size:], spans[-size:]
                states.append(rows[states[-1]][rule.symbol])
                values.append(slot)
                spans.append(span)
                if kind == END and states[-1] == goal:
                    return _way(steps, slot, end)
        raise AssertionError("a text ends with its end")

    def wanted(self, stop: Stop) -> frozenset[str]:
        """Which terminals would be taken there."""
        row = self._rows[stop.states[-1]] if stop.states else ()
        return frozenset(kind for kind in row if kind.isupper() and self._takes(kind, list(stop.states), stop.last))

    def _takes(self, kind: str, states: list[int], last: int) -> bool:
        while (action := self._rows[states[-1]].get(kind)) is not None:
            if action >= 0:
                return True
            rule = self._rules[-1 - action][0]
            del states[-rule.size :]
            states.append(self._rows[states[-1]][rule.symbol])
            if kind == END and states[-1] == last:
                return True
        return False


class _Rows(dict[int, dict[str, int]]):
    """The row of each state, once it is looked into."""

    def __init__(self, tables: Tables) -> None:
        self._lines = tables.rows.split("\n")

    def __missing__(self, state: int) -> dict[str, int]:
        words = self._lines[state].split()
        row = self[state] = dict(zip(words[::2], map(int, words[1::2]), strict=True))
        return row


class _Rules(dict[int, tuple[Rule, bool]]):
    """Each rule, once it is needed, and whether it hands on the one that it is made of as it is."""

    def __init__(self, tables: Tables) -> None:
        self._lines = tables.rules.split("\n")

    def __missing__(self, number: int) -> tuple[Rule, bool]:
        rule = read_rule(self._lines[number])
        passes = rule.alone and rule.size == 1 and not rule.after and rule.takes == ((0, False, 0),)
        found = self[number] = rule, passes
        return found


def _goes_on(following: str) -> bool:
    return following.isalnum() or following in ("-", "_")


def _slots(rule: Rule, values: list[Any]) -> list[int]:
    slots: list[int] = []
    for i, parts, absent in rule.takes:
        slots += [0] * absent
        if parts:
            slots += values[i]
        else:
            slots.append(values[i])
    return slots + [0] * rule.after


def _way(steps: list[tuple[Any, list[int], int, int]], root: int, end: int) -> _Way:
    used = {slot for _, slots, _, _ in steps for slot in slots} | {root}
    return _Way([slot for slot in used if 0 < slot < end], steps, root)


def _token(kind: str, said: str, at: int, end: int) -> Token:
    token = Token(said)
    token.type, token.start_pos, token.end_pos = kind, at, end
    return token
