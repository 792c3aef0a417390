"""Writes one game: sentences from templates, lines in blocks, names that are known where they may be said.

Taken: a source of chance. Given: trees of lines, the names in scope, and what each line uses of the language. Knows
nothing of which constructs there are.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from random import Random
from typing import TypeVar

from .model import Line
from .words import LINES, WORDS, Sentence, Template

T = TypeVar("T")
SAID = ("result", "unit", "number", "truth", "faces", "figures", "figure", "thing", "row", "inches", "line")
ALIASES = True  # whether a line may only name the answer of another
HOLES = re.compile(r"\{(@?)(\w+)\}")


@dataclass
class Procedure:
    """One that can be called: how (`{unit} pokes at {unit}`), and which of its lines can be read of the record."""

    name: str
    call: str
    exported: dict[str, list[str]] = field(default_factory=dict)
    lines: list[Line] = field(default_factory=list)
    params: tuple[str, ...] = ("unit",)


Builder = Callable[["Writer"], None]


class Writer:
    def __init__(self, rng: Random) -> None:
        self.rng = rng
        self.count = 0
        self.scope: dict[str, list[str]] = {s: [] for s in SAID} | {
            "roll": [],
            "tick": ["tired"],
            "ftick": ["down"],
            "bare": [""],
        }
        self.dice = 0
        self.block: list[Line] = []
        self.todo: list[tuple[str, Builder]] = []
        self.late: list[tuple[str, Builder]] = []
        self.uses: dict[str, set[str]] = defaultdict(set)
        self.told: set[str] = set()  # constructs said since the last line was added
        self.building: list[str] = []
        self.definitions: list[Line] = []
        self.procedures: dict[str, Procedure] = {}
        self.picks: list[tuple[str, str]] = []
        self.depth = 2
        self.open = False
        self.high = 3
        self.making = 0  # definitions whose lines are being written
        self.wanted: set[str] = set()  # constructs that the game is made for, where a definition may have them or not
        self.own: set[str] = set()
        self.made: list[str] = []  # lines that make things of which the table says something
        self.named: set[str] = set()  # lines called by words of the grammar
        self.attributes: set[str] = set()
        self.counted: set[str] = set()

    # ---- chance
    def one(self, options: Sequence[T]) -> T:
        return self.rng.choice(options)

    def chance(self, one_in: int) -> bool:
        return self.rng.randrange(one_in) == 0

    def name(self, stem: str) -> str:
        self.count += 1
        return f"{stem}{self.count}"

    # ---- sentences
    def ready(self, template: Template | Sentence) -> bool:
        return all(self.scope.get(sort) for at, sort in HOLES.findall(template.text) if at)

    def say(self, template: str, deep: int = 1) -> str:
        return HOLES.sub(lambda m: self._word(m[1], m[2], deep), template)

    def _word(self, known: str, word: str, deep: int) -> str:
        if known:
            return self.one(self.scope[word])
        flat, deeper = WORDS[word]
        if deeper and deep and self.chance(3):
            template = self.one(deeper)
            deep -= 1
        else:
            template = self.one([t for t in flat if self.ready(t)])
        if template.tag:
            self.told.add(template.tag)
        return self.say(template.text, deep)

    def condition(self) -> str:
        """One that may throw a die."""
        if self.dice and self.scope["roll"] and self.chance(5):
            self.dice -= 1
            self.told.add("die in a condition")
            return self.say("{unit} {does} {@roll} " + self.one(["and", "or"]) + " {truth}")
        return self.say("{truth}")

    # ---- lines
    def add(self, key: str, body: str | list[Line], sort: str = "", *, bound: str | None = None) -> Line:
        """A line at the end of the block in hand; its name is known from here on as a `sort`."""
        line = Line(key, body)
        self.block.append(line)
        name = line.name if bound is None else bound
        if sort:
            self.scope[sort].append(name)
        self.scope["line"].append(name)
        for tag in self.told:
            self.uses[tag].add(name)
        self.told.clear()
        if self.building:
            self.uses[self.building[-1]].add(name)
        return line

    def shows(self, name: str) -> None:
        """That a play has passed `name` shows the construct in hand."""
        if self.building:
            self.uses[self.building[-1]].add(name)

    @contextmanager
    def inside(self, times: int = 1, **more: str) -> Iterator[list[Line]]:
        """A block of lines: names given in it are gone when it ends. `times`: how often it may run; `more`: names."""
        outer, block, told, before = self.scope, self.block, self.told, self.dice
        self.scope = {sort: list(names) for sort, names in outer.items()}
        for sort, name in more.items():
            self.scope[sort].append(name)
        self.block, self.told, self.dice = [], set(), before // times
        self.depth -= 1
        given = self.dice
        try:
            yield self.block
        finally:
            self.depth += 1
            self.found = self.scope
            self.told, self.block, self.scope = told, block, outer
            self.dice = before - (given - self.dice) * times

    def totals(self, loop: str, lines: list[Line]) -> None:
        """Numbers and truths of a block are said from outside by its name."""
        own = {line.name for line in lines}
        for sort in ("number", "truth"):
            names = [n for n in self.found[sort] if n in own][:2]
            self.scope[sort] += [f"{loop}.{n}" for n in names]

    def build(self, tag: str, builder: Builder) -> None:
        self.building.append(tag)
        try:
            builder(self)
        finally:
            self.building.pop()

    def fill(self, most: int = 2) -> None:
        """Lines of the block in hand: constructs that are still to come, or plain sentences."""
        for _ in range(self.rng.randint(1, most)):
            at = next(
                (i for i, (_, b) in enumerate(self.todo) if not self.making or b.__module__.endswith(".lines")), None
            )
            if at is not None and self.depth > 0 and not self.chance(3):
                self.build(*self.todo.pop(at))
            else:
                self.sentence()
        if not self.block:
            self.sentence()

    def sentence(self) -> str:
        """A line of one sentence; its name."""
        self.building.append("")
        try:
            thrown = [x for x in LINES if x.dice <= self.dice and x.dice and self.ready(x)]
            options = thrown if thrown and not self.chance(3) else [x for x in LINES if not x.dice and self.ready(x)]
            line = self.one(options)
            return self.say_line(line)
        finally:
            self.building.pop()

    def say_line(self, line: Sentence, key: str = "{}") -> str:
        self.dice -= line.dice
        name = self.name(line.sort[:1] or "e")
        if line.tag:
            self.told.add(line.tag)
        text = self.say(line.text)
        while not ALIASES and any(text.strip("()") in names for names in self.scope.values()):
            text = self.say(line.text)
        self.add(key.format(name), text, line.sort)
        if " picks " in text or " wishes" in text:
            self.picks.append((name, line.sort))
        return name
