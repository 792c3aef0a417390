"""An LALR parser that runs on the grammar's tables: it tokenizes, then builds nodes bottom-up.

Takes a text and a start symbol; returns the result of the builder, or `NoParse` if a token does not fit. It accepts the
same texts as Lark's parser (tests/test_reader.py compares them), without intermediate trees and without importing Lark.
It does not know what the words mean.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Any

from interpreter.source.values import Struct

from .parse_tables import UNKNOWN, Rule, Tables, parse_rule

END = "$END"
_NOTHING = "$NOTHING"  # a token that is never accepted
# The grammar's rules for a keyword that is the name of a line: alone, and where only names are allowed.
BARE, KEYED = ("bare", "bare_through"), ("keyed",)
_MOST_KEPT = 10_000  # sequences of token types; the shipped rules have 1,500


class Token(str):
    """A token: its text, its terminal and its offsets."""

    __slots__ = ("end_pos", "start_pos", "type")
    type: str
    start_pos: int
    end_pos: int


class Meta:
    """The offsets of a node."""

    __slots__ = ("end_pos", "start_pos")

    def __init__(self, start: int, end: int) -> None:
        self.start_pos, self.end_pos = start, end


class NoParse(Struct):
    """A syntax error: the first token that does not fit; None if the character at `at` begins no token. `states` is the
    stack of the parser, `last` its final state, `named` whether the word before may name a line; see
    `LRParser.expected`.
    """

    at: int
    token: Token | None
    states: tuple[int, ...] = ()
    last: int = 0
    named: bool = True


class _Recipe(Struct, eq=False):
    """How to build the tree of every sentence with the same sequence of token types.

    Slot 0 is None, then come the tokens, then the result of each step. A step has its build function, the slots of its
    children, and its first and last token. `taken` are the tokens that some step uses, `root` is the slot of the tree,
    `bare` are the slots of keywords that name lines.
    """

    taken: list[int]
    steps: list[tuple[Any, list[int], int, int]]
    root: int
    bare: tuple[int, ...]


class LRParser:
    """A parser for the grammar of `tables`; `builder` has a method (meta, children) for each rule."""

    def __init__(self, tables: Tables, builder: Any) -> None:
        self.tables = tables
        self._find = re.compile(tables.pattern, re.DOTALL).finditer
        self._rows = _Rows(tables)
        self._rules = _Rules(tables)
        self._builder = builder
        self._ignored = frozenset(tables.ignored)
        self._recipes: dict[tuple[str, ...], _Recipe] = {}

    def read(self, text: str, start: str, called: Collection[str] | None = None) -> Any:
        """Return the tree of `text`, or NoParse. Raises KeyError for an unknown start symbol.

        The steps that build a tree depend only on the types of its tokens, and rule files have few different sequences
        of types, so the steps are memoized for each sequence.
        """
        kinds, words = self._tokens(text, start)
        form = tuple(kinds)
        recipe = self._recipes.get(form)
        if recipe is None or (called is not None and any(words[slot][0] not in called for slot in recipe.bare)):
            kinds.append(END)
            words.append(("", len(text), len(text)))
            new = self._run_tables(kinds, words, called)
            if isinstance(new, NoParse):
                return new
            if len(self._recipes) >= _MOST_KEPT:
                self._recipes.clear()
            self._recipes[form] = recipe = new
        values: list[Any] = [None] * len(form)
        for slot in recipe.taken:
            values[slot] = _token(kinds[slot], *words[slot])
        meta = Meta(0, 0)
        for build, slots, first, last in recipe.steps:
            meta.start_pos, meta.end_pos = words[first][1], words[last][2]
            values.append(build(meta, [values[slot] for slot in slots]))
        return values[recipe.root]

    def following(self, text: str, start: str) -> frozenset[str]:
        """Return the terminals that may follow a text that is the beginning of a sentence; empty if it is not one."""
        kinds, words = self._tokens(text, start)
        kinds.append(_NOTHING)
        words.append(("", len(text), len(text)))
        stop = self._run_tables(kinds, words, None)
        complete = isinstance(stop, NoParse) and stop.token is not None and stop.token.type == _NOTHING
        return self.expected(stop, names=False) if isinstance(stop, NoParse) and complete else frozenset()

    def _tokens(self, text: str, start: str) -> tuple[list[str], list[tuple[str, int, int]]]:
        """The types and the words of the tokens of a text, with the start symbol in front."""
        kinds = [start]
        words = [("", 0, 0)]
        texts, alone, ignored = self.tables.words, self.tables.alone, self._ignored
        end = 0
        for found in self._find(text):
            kind: str = found.lastgroup  # type: ignore[assignment]
            at = found.start()
            if kind in ignored or at < end:
                continue
            end = found.end(kind)
            word = text[at:end]
            if kind in texts:
                kind = texts[kind].get(word, kind)
                for phrase in alone.get(word, ()):
                    if text.startswith(phrase, at) and not _continues_word(text[at + len(phrase) :][:1]):
                        kind, word, end = alone[word][phrase], phrase, at + len(phrase)
                        break
            kinds.append(kind)
            words.append((word, at, end))
        return kinds, words

    def _run_tables(
        self, kinds: list[str], words: list[tuple[str, int, int]], called: Collection[str] | None
    ) -> _Recipe | NoParse:
        """Run the LR automaton on tokens of these types, the start symbol first; return the steps that it takes."""
        state, goal = self.tables.starts[kinds[0]]
        rows, rules = self._rows, self._rules
        end = len(kinds) - 1
        states = [state]
        values: list[Any] = []  # the slot of each symbol, or a list of slots that is spliced into its parent
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
                        return NoParse(at, None)
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
                if passes:  # a chain such as sum, product, factor, name
                    states[-1] = rows[states[-2]][rule.symbol]
                    if kind == END and states[-1] == goal:
                        return _recipe(steps, values[-1], end, bare)
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
                    return _recipe(steps, slot, end, bare)
        raise AssertionError("a text ends with its end")

    @staticmethod
    def _stop(
        kinds: list[str], words: list[tuple[str, int, int]], at: int, states: list[int], goal: int, named: bool = True
    ) -> NoParse:
        return NoParse(words[at][1], _token(kinds[at], *words[at]), tuple(states), goal, named)

    def expected(self, stop: NoParse, *, names: bool = True) -> frozenset[str]:
        """Return the terminals that would fit at a failure; without `names`, not those that would only name a line."""
        row = self._rows[stop.states[-1]] if stop.states else ()
        return frozenset(kind for kind in row if kind.isupper() and self._accepts(kind, stop, names))

    def _accepts(self, kind: str, stop: NoParse, names: bool) -> bool:
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
        """Whether a word that leads to a state can only be the name of a line."""
        return all(
            action < 0 and self._rules[-1 - action][0].symbol in symbols for action in self._rows[state].values()
        )


class _Rows(dict[int, dict[str, int]]):
    """The rows of the LR table by state, parsed on first use."""

    def __init__(self, tables: Tables) -> None:
        self._lines = tables.rows.split("\n")

    def __missing__(self, state: int) -> dict[str, int]:
        words = self._lines[state].split()
        row = self[state] = dict(zip(words[::2], map(int, words[1::2]), strict=True))
        return row


class _Rules(dict[int, tuple[Rule, bool]]):
    """The rules by number, parsed on first use, each with whether it returns its only child unchanged."""

    def __init__(self, tables: Tables) -> None:
        self._lines = tables.rules.split("\n")

    def __missing__(self, number: int) -> tuple[Rule, bool]:
        rule = parse_rule(self._lines[number])
        passes = rule.alone and rule.size == 1 and not rule.after and rule.takes == ((0, False, 0),)
        found = self[number] = rule, passes
        return found


def _continues_word(following: str) -> bool:
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


def _recipe(steps: list[tuple[Any, list[int], int, int]], root: int, end: int, bare: list[int]) -> _Recipe:
    used = {slot for _, slots, _, _ in steps for slot in slots} | {root}
    return _Recipe([slot for slot in used if 0 < slot < end], steps, root, tuple(bare))


def _token(kind: str, text: str, at: int, end: int) -> Token:
    token = Token(text)
    token.type, token.start_pos, token.end_pos = kind, at, end
    return token
