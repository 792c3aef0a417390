"""Small games about alike figures, made up at random, and the same games with figures that a number tells apart.

Enters: a seed. Leaves: a game with alike figures, and one in which each has a serial number that no rule reads, so that
nothing about them has to be guessed. Where `check` says nothing of alike figures, both must answer the same: a law
without an oracle, which finds what `P033` misses. Picks are left out: somebody who may pick from alike figures picks
whomever he likes, and those with a number stand in an order.
"""

from __future__ import annotations

from dataclasses import replace
from random import Random

from metamorphic.answers import Answers, answers, case_of, opened
from metamorphic.game import Game

from interpreter.lint.alike import check_alike
from interpreter.source import Problems

TOLD = {"P033", "P034"}
HEAD = """\
game: Alike
Things:
  dice coin: d2 at or over
  kind side:
  kind unit of side:
    pins: number
  kind figure, many to a unit:
    hurts: number
    hit: yes or no
    down: yes or no
    seen: yes or no
  mark gone of figure: out of play
  mark picked of figure: until after act
  roll luck of figure: needs 2
  roll nerve of figure:
    basic: needs 2
    hurt: needs 1 if hurts > 0
"""
NUMBERED = """\
game: Numbered
extends: game
Numbers:
  add to figure:
    serial: number
"""
MARKS = ("hit", "down", "seen", "picked")


class Author:
    """Writes the lines of one procedure: `names` are those of figures that stand above, `lines` what is written."""

    def __init__(self, dice: Random, names: list[str], prefix: str, depth: int = 0) -> None:
        self.dice, self.names, self.prefix, self.depth = dice, names, prefix, depth
        self.single: set[str] = set()
        self.lines: list[str] = []
        self.asked: list[str] = []
        self.made = 0

    def name(self) -> str:
        self.made += 1
        return f"{self.prefix}{self.made}"

    def some(self, several: bool = True) -> str:
        """Figures: a name that was given, those of the unit, or a part of either."""
        source = self.dice.choice([*self.names, "unit.figures", "unit.figures"])
        if source in self.single:
            source = "unit.figures" if several else source
        elif self.dice.random() < 0.3:
            source = f"({source} where {self.dice.choice(['', 'not '])}{self.dice.choice([*MARKS, 'hurts > 0'])})"
            source = source.replace("not hurts > 0", "hurts = 0")
        return source

    def given(self) -> str:
        """A sentence that gives figures a name."""
        dice = self.dice
        kind = dice.choice(["lots", "lots", "lots", "test", "test", "some", "less", "both", "first"])
        if kind == "lots":
            return f"{dice.choice([1, 1, 2])} of {self.some()} at random"
        if kind == "test":
            return f"{self.some()} {dice.choice(['passing', 'failing'])} {dice.choice(['luck', 'nerve'])}"
        if kind == "first":
            return f"{self.some()} where hurts is least"
        if kind == "some" or len(self.names) < 2:
            return self.some()
        one, two = dice.sample(self.names, 2)
        return f"{one} {'-' if kind == 'less' else '+'} {two}"

    def effect(self, whom: str) -> str:
        deed = self.dice.choice(["gain", "gain", "gain", "hurt", "hurt", "lose", "gone"])
        mark = self.dice.choice(MARKS)
        return {
            "gain": f"{whom} gain {mark}",
            "lose": f"{whom} lose {mark}",
            "hurt": f"{whom} gain 1 hurts",
            "gone": f"{whom} gain gone",
        }[deed]

    def put(self, text: str) -> None:
        self.lines.append("  " * self.depth + text)

    def line(self, left: int) -> None:
        dice = self.dice
        kind = dice.choice(
            ["given"] * 5 + ["effect"] * 5 + ["asked"] * 2 + ["loop", "repeat", "if", "together", "call"]
        )
        if kind in ("loop", "repeat", "if", "together") and left < 2:
            kind = "effect"
        name = self.name()
        if kind == "given":
            said = self.given()
            self.put(f"{name}: {said}")
            self.names.append(name)
            if said.startswith("1 of") or said in self.single:
                self.single.add(name)
                self.asked += [f"{name} is {dice.choice(MARKS)}", f"{name}.hurts"]
            else:
                self.asked += [name, f"{name} where {dice.choice(MARKS)}", f"sum({name}.hurts)"]
        elif kind == "effect":
            self.put(f"{name}: {self.effect(self.some(several=False))}")
        elif kind == "asked":
            whom = self.some()
            self.put(f"{name}, if ({whom} where {dice.choice(MARKS)}) = {dice.choice([1, 2])}: unit gains 1 pin")
        elif kind == "call":
            self.put(f"{name}: unit harms {self.some()}")
            self.asked += [f"{name}.h1", f"{name}.h1 where {dice.choice(MARKS)}"]
        else:
            said = {
                "loop": f"for each m{name} in {self.some()}",
                "repeat": "repeat 2 times",
                "if": f"if ({self.some()} where {dice.choice(MARKS)}) >= 1",
                "together": "together",
            }[kind]
            self.put(f"{name}, {said}:")
            inner = Author(
                dice, [*self.names, *([f"m{name}"] * 2 if kind == "loop" else [])], name + "x", self.depth + 1
            )
            inner.single = {*self.single, f"m{name}"}
            for _ in range(min(left, dice.choice([1, 2, 2, 3]))):
                inner.line(left - 1 if self.depth < 1 else 0)
            self.lines += inner.lines


def games(seed: int) -> tuple[Game, Game]:
    """The game of a seed with alike figures, and with figures that are told apart."""
    dice = Random(f"alike {seed}")
    harm = Author(dice, ["gang"], "h", 2)
    harm.put("h1: " + dice.choice(["gang", "2 of gang at random", "gang where hit", "gang passing luck"]))
    harm.made, harm.names = 1, ["gang", "h1"]
    harm.put("h2: " + harm.effect(dice.choice(["h1", "gang"])))
    author = Author(dice, [], "n", 2)
    for _ in range(dice.randint(3, 7)):
        author.line(3)
    text = HEAD + "  to harm (unit), (gang figures):\n" + "\n".join(harm.lines) + "\n"
    text += "  to act (unit):\n" + "\n".join(author.lines) + "\n"
    many, hit = dice.choice([2, 3, 3]), dice.random() < 0.3
    alike = f"[1 with hit, {many}]" if hit else f"[{many}]"
    numbers = range(many + hit)
    apart = ", ".join(f"1 with serial {i + 1}{' and hit' if hit and not i else ''}" for i in numbers)
    asks = ["A.pins", *(f"A.figures where {m}" for m in MARKS), "A.figures", "sum(A.figures.hurts)"]
    asks += dice.sample(author.asked, min(2, len(author.asked)))
    situation = "rules: numbered\nunit A:\n  figures: {}\ndo: A acts\n"
    one = Game((("game", text), ("numbered", NUMBERED)), situation.format(alike), tuple(asks))
    return one, replace(one, situation=situation.format(f"[{apart}]"))


def is_told(game: Game) -> bool:
    """Whether `check` says of its rules, or of what is asked of them, that alike figures decide a number."""
    problems = Problems()
    check_alike(opened(game.files).checker, problems)
    return bool(TOLD & {p.code for p in (*problems, *case_of(game).problems)})


def both(one: Game, other: Game) -> tuple[Answers, Answers]:
    return answers(one), answers(other)
