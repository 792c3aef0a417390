"""A law about figures that are only counted, and small games for it.

Figures that nothing tells apart are counted together. Where each has a number of its own that no rule reads, all are
unlike, and what becomes of each is followed by itself. Both must come to the same, wherever `check` does not say that
it is not sure (P033, P034). Takes a number; gives a game of lots, dice, marks, loops, calls, branches and blocks of
`together` over three or four figures; the same one for the same number.
"""

from __future__ import annotations

from random import Random
from typing import Any

from interpreter.lint.alike import check_alike
from interpreter.source import Problems

from .answers import Answers, case_of, opened, said_of, weigh
from .game import Game, NotApplicable
from .law import OWN, Law
from .trying import Trial, apply

HEAD = """\
game: Toy
Club:
  dice flat: d6 at or over
  kind side:
  kind unit of side:
  kind figure, many to a unit:
    serial: number
  mark gone of figure: out of play
  mark struck, keen of figure:
  mark picked of figure: until after work
  roll luck of figure on flat: needs 4+
"""
MARKS = ("struck", "struck", "keen", "gone", "picked")
BRIEF = "  mark brief of figure: until after show\n"  # ends in the midst of things
ASKS = (
    "0 + (A.figures where struck)",
    "0 + (A.figures where keen)",
    "0 + (A.figures where struck and keen)",
    "0 + A.figures",
)
OTHERS = "0 + (B.figures where struck)"


class _Writer:
    """Lines of procedures, drawn one by one. `wide`: with marks that end in the midst of things, figures that come back
    into play, and figures that calls hand back.
    """

    def __init__(self, dice: Random, wide: bool = False) -> None:
        self.dice, self.wide = dice, wide
        self.marks = (*MARKS, "brief", "brief") if wide else MARKS
        self.shown: list[str] = []  # the names of figures in what is called
        self.many = 0
        self.picks = dice.random() < 0.15
        self.others: list[str] = []  # the figures of another unit

    def name(self, stem: str = "n") -> str:
        self.many += 1
        return f"{stem}{chr(96 + self.many // 26 + 1)}{chr(97 + self.many % 26)}"

    def source(self, names: list[str]) -> str:
        """Some figures: of the unit, or of a name."""
        dice = self.dice
        of = dice.choice(["figures", *self.others, *names, *names[-2:]])
        brief = [" where brief", " where not brief", " where gone"] if self.wide else []
        ends = ["", "", "", " where struck", " where not struck", " where not keen", " where picked", *brief]
        end = dice.choice(ends)
        if len(names) > 1 and dice.random() < 0.15:
            one, other = dice.sample(names, 2)
            return f"{one} {dice.choice('+-')} {other}"
        if names and dice.random() < 0.15:
            return f"{dice.choice(['figures', *self.others])} - {dice.choice(names)}"
        return of + end

    def find(self, names: list[str]) -> str:
        items = self.source(names)
        many = self.dice.choice([1, 1, 2])
        way = self.dice.choice(["lot", "lot", "lot", "dice", "dice", "same"])
        if way == "lot" and self.picks and self.dice.random() < 0.5:
            return f"owner picks {many} from {items}"
        bracketed = f"({items})" if " " in items else items
        if way == "lot":
            return f"{many} of {bracketed} at random"
        return f"{bracketed} passing luck" if way == "dice" else items

    def effect(self, names: list[str]) -> str:
        who = self.dice.choice([*names, *names[-2:]]) if names and self.dice.random() < 0.9 else "figures"
        if self.dice.random() < 0.12:
            who = f"({self.source(names)})"
        if self.others and self.dice.random() < 0.12:
            return f"{who}.unit becomes other"
        verb = "lose" if self.dice.random() < (0.3 if self.wide else 0.12) else "gain"
        return f"{who} {verb} {self.dice.choice(self.marks)}"

    def lines(self, names: list[str], room: int, at: str, deep: int = 0, calls: bool = True) -> list[str]:
        """So many lines; names that they give are added to `names`."""
        rows: list[str] = []
        for _ in range(room):
            way = self.dice.choices(
                ["find", "effect", "loop", "each", "together", "branch", "call"],
                [5, 6, 1, 1, 1, 1, 1.5 if calls else 0],
            )[0]
            inner = at + "  "
            if deep >= 2 and way not in ("find", "effect"):
                way = "effect"
            if way == "find":
                name = self.name()
                rows.append(f"{at}{name}: {self.find(names)}")
                names.append(name)
            elif way == "effect":
                rows.append(f"{at}{self.name('e')}: {self.effect(names)}")
            elif way == "loop":
                rows.append(f"{at}{self.name('l')}, repeat 2 times:")
                rows += self.lines([*names], 2, inner, deep + 1, calls)
            elif way == "each":
                man = self.name("m")
                rows.append(f"{at}{self.name('l')}, for each {man} in {self.source(names)}:")
                rows += self.lines([*names, man], 2, inner, deep + 1, calls)
            elif way == "together":
                rows.append(f"{at}{self.name('t')}, together:")
                rows += self.lines([*names], 2, inner, deep + 1, calls)
            elif way == "branch":
                coin, name = self.name("c"), self.name()
                rows.append(f"{at}{coin}: d2")
                rows += [f"{at}{self.name('b')}, if {coin} = 1:", f"{inner}{name}: {self.find(names)}"]
                rows += [f"{at}{self.name('b')}, otherwise:", f"{inner}{name}: {self.find(names)}"]
                names.append(name)
            else:
                call = self.name("k")
                rows.append(f"{at}{call}: unit shows {self.dice.choice(['figures', *names])}")
                names += [f"{call}.{name}" for name in self.shown]
        return rows


def alike_game(number: int, wide: bool = False) -> Game:
    """The game of a number, not yet checked."""
    dice = Random(f"alike {number}")
    writer = _Writer(dice, wide)
    of_call = ["men"]
    shown = writer.lines(of_call, dice.choice([2, 3, 4] if wide else [1, 2]), "    ", 1, calls=False)
    writer.shown = of_call[1:] if wide else []
    writer.others = ["other.figures"] if dice.random() < 0.3 else []
    work = writer.lines([], dice.choice([3, 4, 5, 6, 7]), "    ")
    doing = ["  to work (unit) with (other unit):", *work]
    if any(" shows " in row for row in work):
        doing = ["  to show (unit), (men figures):", *shown, *doing]
    units = f"unit A:\n  figures: [{_stated(dice)}]\nunit B:\n  figures: [{_stated(dice) if writer.others else 1}]\n"
    head = HEAD + BRIEF if "  to show (unit), (men figures):" in doing else HEAD
    text = head + "\n".join(doing) + "\n"
    return Game(
        (("toy", text if head != HEAD else text.replace("brief", "keen")),),
        units + "do: A works with B\n",
        (*ASKS, OTHERS),
    )


def _stated(dice: Random) -> str:
    """How many figures there are; sometimes all of them, or one more, have a mark from the start."""
    men, mark = dice.choice([2, 3, 3, 4]), dice.choice(MARKS[:3])
    return dice.choice([f"{men}"] * 4 + [f"{men} with {mark}", f"{max(men - 1, 2)}, 1 with {mark}"])


def _numbered(game: Game) -> Game:
    """Every figure with a number of its own."""
    made = game.stated()
    for place, unit in enumerate(unit for unit in made if unit.startswith("unit ")):
        groups = [str(group).partition(" with ") for group in made[unit]["figures"]]
        marks = [f" and {mark}" if mark else "" for many, _, mark in groups for _ in range(int(many))]
        made[unit]["figures"] = [f"1 with serial {100 * place + n + 1}{mark}" for n, mark in enumerate(marks)]
    return game.with_situation(made)


def _warned(game: Game) -> bool:
    problems = Problems()
    check_alike(opened(game.files).checker, problems)
    return any(p.code in ("P033", "P034") for p in (*problems, *case_of(game).problems))


def _within(one: Answers, other: Answers) -> bool:
    """Whether answers are equal; where somebody may choose, whether they lie in the bounds of the other's."""
    if one.joint is not None and other.joint is not None:
        return one == other

    def bounds(chance: Any) -> Any:
        return chance if isinstance(chance, tuple) else (chance, chance)

    for mine, theirs in zip(one.each, other.each, strict=True):
        wide = {value: bounds(chance) for value, chance in theirs}
        for value, chance in mine:
            low, high = wide.get(value, (0, 0))
            if not low <= bounds(chance)[0] <= bounds(chance)[1] <= high:
                return False
    return True


def _look(game: Game, dice: Random) -> str | None:
    if _warned(game):
        raise NotApplicable
    counted, followed = (said_of(weigh(case_of(g))) for g in (game, _numbered(game)))
    if _within(counted, followed):
        return None
    rows = zip(game.asks, counted.each, followed.each, strict=True)
    return "\n".join(f"{ask}\n    counted {_told(a)}\n    followed {_told(b)}" for ask, a, b in rows if a != b)


def _told(law: Any) -> str:
    return ", ".join(f"{v}: {p if not isinstance(p, tuple) else f'{p[0]} to {p[1]}'}" for v, p in law)


TOLD_APART = Law("figures-told-apart", "Numbers on figures that no rule reads change no answer.", look=_look)
OWN[TOLD_APART.name] = TOLD_APART


def trial(number: int, wide: bool = False) -> Trial:
    """The law on the game of a number."""
    return apply(TOLD_APART, alike_game(number, wide), Random(number))
