"""Reads a text by the grammar's tables: words, then nodes, bottom-up.

Enters: a text, a start symbol. Leaves: what the builder made of it, or `Stop`: where nothing fits.
It does what Lark's LALR parser does (tests/test_reader.py compares them), without trees in between and without Lark.
Knows nothing of what the words mean.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Any

from interpreter.source.values import Struct

from .tables import UNKNOWN, Rule, Tables, read_rule

END = "$END"
# The grammar's rules for a word of the language that is meant as the name of a line: alone, and where only names stand.
BARE, KEYED = ("bare", "bare_through"), ("keyed",)
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
    """`token` where nothing fits (None: the character at `at` begins no word); what would, `Reader.wanted` knows.
    `named`: whether the word before it may be the name of a line, where it could be one."""

    at: int
    token: Token | None
    states: tuple[int, ...] = ()
    last: int = 0
    named: bool = True


class _Way(Struct, eq=False):
    """How a sentence is built of its words. Slot 0 is nothing, the words follow, then the value of each step: what
    builds it, of which slots, and from which word to which. `taken` are the words that something is built of, `root`
    is the slot of the whole. `bare` are the words of the language that are meant as names of lines."""

    taken: list[int]
    steps: list[tuple[Any, list[int], int, int]]
    root: int
    bare: tuple[int, ...]


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

    def read(self, text: str, start: str, called: Collection[str] | None = None) -> Any:
        """The node of `text`, or Stop. How it is built depends on the kinds of its words alone, and rules repeat few
        forms with other names: what was followed through the tables once is known.

        A word of the language said alone is the name of a line where one of `called` (None: any) is that word.
        """
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
        if way is None or (called is not None and any(words[slot][0] not in called for slot in way.bare)):
            kinds.append(END)
            words.append(("", len(text), len(text)))
            new = self._followed(kinds, words, called)
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

    def _followed(
        self, kinds: list[str], words: list[tuple[str, int, int]], called: Collection[str] | None
    ) -> _Way | Stop:
        """The way through the tables for words of these kinds, the first of which says what they are read as."""
        state, goal = self.tables.starts[kinds[0]]
        rows, rules = self._rows, self._rules
        end = len(kinds) - 1
        states = [state]
        values: list[Any] = []  # the slot of each; of what is put into its parent one by one, several
        spans: list[tuple[int, int]] = []
        steps: list[tuple[Any, list[int], int, int]] = []
        bare: list[int] = []
        for number, kind in enumerate(kinds[1:], 1):
            while True:
                action = rows[states[-1]].get(kind)
                if action is None:
                    at = words[number][1]
                    named = called is None or words[number - 1][0] in called
                    if not named and self._only_names(states[-1], BARE):
                        return self._stop(kinds, words, number - 1, states[:-1], goal)
                    if kind == UNKNOWN:
                        return Stop(at, None)
                    return self._stop(kinds, words, number, states, goal, named)
                if action >= 0:
                    states.append(action)
                    values.append(number)
                    spans.append((number, number))
                    break
                rule, passes = rules[-1 - action]
                if rule.symbol in BARE:
                    if called is not None and words[values[-1]][0] not in called:
                        return self._stop(kinds, words, values[-1], states[:-1], goal)
                    bare.append(values[-1])
                if passes:  # a name is a product of one factor, which is a sum of one product, and so on
                    states[-1] = rows[states[-2]][rule.symbol]
                    if kind == END and states[-1] == goal:
                        return _way(steps, values[-1], end, bare)
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
                    return _way(steps, slot, end, bare)
        raise AssertionError("a text ends with its end")

    @staticmethod
    def _stop(
        kinds: list[str], words: list[tuple[str, int, int]], at: int, states: list[int], goal: int, named: bool = True
    ) -> Stop:
        return Stop(words[at][1], _token(kinds[at], *words[at]), tuple(states), goal, named)

    def wanted(self, stop: Stop, *, names: bool = True) -> frozenset[str]:
        """Which terminals would be taken there; without `names`, but for words that would only name a line."""
        row = self._rows[stop.states[-1]] if stop.states else ()
        return frozenset(kind for kind in row if kind.isupper() and self._takes(kind, stop, names))

    def _takes(self, kind: str, stop: Stop, names: bool) -> bool:
        states = list(stop.states)
        while (action := self._rows[states[-1]].get(kind)) is not None:
            if action >= 0:
                return names or not self._only_names(action, BARE + KEYED)
            rule = self._rules[-1 - action][0]
            if rule.symbol in BARE and not stop.named:
                return False
            del states[-rule.size :]
            states.append(self._rows[states[-1]][rule.symbol])
            if kind == END and states[-1] == stop.last:
                return True
        return False

    def _only_names(self, state: int, symbols: tuple[str, ...]) -> bool:
        """Whether a word that leads to a state is the name of a line there and can be nothing else."""
        return all(
            action < 0 and self._rules[-1 - action][0].symbol in symbols for action in self._rows[state].values()
        )


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


def _way(steps: list[tuple[Any, list[int], int, int]], root: int, end: int, bare: list[int]) -> _Way:
    used = {slot for _, slots, _, _ in steps for slot in slots} | {root}
    return _Way([slot for slot in used if 0 < slot < end], steps, root, tuple(bare))


def _token(kind: str, said: str, at: int, end: int) -> Token:
    token = Token(said)
    token.type, token.start_pos, token.end_pos = kind, at, end
    return token
