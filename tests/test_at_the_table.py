"""What is typed at the table: mixed units as arguments, and dice that people throw, each throw asked for once."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest
from typed import CliRunner, Result

from interpreter.source import Problems
from interpreter.source.values import replace
from interpreter.surfaces.cli.group import main
from interpreter.workbench.arguments import compose
from interpreter.workbench.asked_dice import AskedDice, Throw
from interpreter.workbench.bands import answer_case
from interpreter.workbench.cases import Case, prepare
from interpreter.workbench.histories import resolve
from interpreter.workbench.rules import open_rules
from interpreter.workbench.texts import asked

FOE = "B: 8 figures, green, spotted, light"
FAR = "distance 20"
MIXED = "A: seasoned, 2 with weapon rifle, 1 with weapon lmg"

GAME = """game: Blows
extends: tabletop

Dice:
  dice high: d6 at or over

Blows:
  add to unit:
    hurt: number
  roll steady of unit: needs 4+
  to try-on (unit):
    blow: 1 passing steady
    again, if blow > 0: d6
    kept, repeat until hurt > 0:
      last: d6
      sore, if last > 3: unit gains 1 hurt
"""


def umpire(*words: str, typed: str = "") -> Result:
    return CliRunner().invoke(main, list(words), input=typed)


def case(name: str, procedure: str, *arguments: str, ask: str = "hits") -> Case:
    problems = Problems()
    rules = open_rules(name, problems)
    assert rules is not None
    root = compose(rules, procedure, arguments, problems)
    found = root and prepare(rules, root, problems, asked("show", "--ask", [ask]))
    assert found is not None, [p.message for p in problems]
    return found


# ---- mixed units
def mean(*arguments: str) -> Fraction:
    answer = answer_case(case("modern", "shoot", *arguments))
    assert answer is not None
    return sum((Fraction(value) * chance for value, chance in answer.of(0).items()), Fraction(0))


def test_a_mixed_unit_is_typed_as_it_is_said() -> None:
    assert mean(MIXED, FOE, FAR) == Fraction(5, 3)  # two shots and three, 5+
    assert mean("A: seasoned, 2 figures with weapon rifle, 1 figure with weapon lmg", FOE, FAR) == Fraction(5, 3)
    assert mean("A: 3 with weapon lmg, seasoned, aiming", FOE, FAR) == Fraction(9, 2)
    as_in_a_file = "A: seasoned, figures: [2 with weapon rifle, 1 with weapon lmg]"
    assert (
        mean(as_in_a_file, FOE, FAR)
        == mean("A: figures [2 with rifle, 1 with lmg], seasoned", FOE, FAR)
        == Fraction(5, 3)
    )


@pytest.mark.parametrize(
    ("said", "wrong"), [("A: seasoned, 2 with wepon rifle", "wepon"), ("A: sesoned, 2 with weapon rifle", "sesoned")]
)
def test_a_slip_in_a_mixed_unit_is_told_at_its_place(said: str, wrong: str) -> None:
    told = umpire("odds", "modern", "shoot", said, FOE, FAR)
    assert told.exit_code == 2 or told.exit_code == 1
    assert f"argument 1:1:{said.index(wrong) + 1} | {said}" in told.output


# ---- dice
def thrown(found: Case, *faces: list[int]) -> tuple[list[Throw], AskedDice]:
    """The throws that are asked for, while these faces are given."""
    left, seen = list(faces), []

    def ask(throw: Throw) -> list[int]:
        seen.append(throw)
        return left.pop(0)

    dice = AskedDice(found, ask, None)
    assert resolve(found, script=dice) is not None, [p.message for p in found.problems]
    assert not left
    return seen, dice


def test_a_volley_is_one_throw_whoever_of_the_unit_fires() -> None:
    seen, dice = thrown(case("modern", "shoot", MIXED, FOE, FAR), [5, 5, 1, 2, 3], [1, 6])
    assert [replace(throw, why=()) for throw in seen] == [
        Throw("A shoots at B", "shoot.volleys.hits", 5, 6, "5+", ("basic",)),
        Throw("A shoots at B", "shoot.men.unsaved", 2, 6, "6+"),
    ]
    assert dice.unused == []


def test_who_needs_another_number_throws_apart(tmp_path: Path) -> None:
    odd = "A: seasoned, 2 with weapon rifle, 1 with weapon rpg"
    seen, _ = thrown(case("modern", "shoot", odd, "B: 8 figures, green, terrain soft, spotted", FAR), [1, 1], [1, 1, 1])
    assert [(t.count, t.needs) for t in seen] == [(2, "6+"), (3, "5+")]  # heavy weapons take soft cover away


def test_the_faces_that_were_typed_are_the_ones_that_count() -> None:
    found = case("modern", "shoot", MIXED, FOE, FAR)
    outcome = resolve(found, script=AskedDice(found, lambda t: [5, 1, 6, 1, 1][: t.count], None))
    assert outcome is not None
    assert outcome.values["hits"] == 2


def game(tmp_path: Path) -> str:
    (tmp_path / "blows.yaml").write_text(GAME, encoding="utf-8")
    return str(tmp_path / "blows.yaml")


def test_no_die_is_asked_for_that_may_not_be_needed(tmp_path: Path) -> None:
    seen, _ = thrown(case(game(tmp_path), "try-on", "A: 1 figures", ask="A.hurt"), [1], [2], [3], [4])
    assert [(t.line, t.count) for t in seen] == [("try-on.blow", 1), *[("try-on.kept.last", 1)] * 3]


def test_a_loop_that_the_lowest_face_never_ends_can_be_looked_into(tmp_path: Path) -> None:
    seen, _ = thrown(case(game(tmp_path), "try-on", "A: 1 figures", ask="A.hurt"), [6], [2], [6])
    assert [t.line for t in seen] == ["try-on.blow", "try-on.again", "try-on.kept.last"]


def test_the_prompt_says_who_throws_what_is_needed_and_why() -> None:
    done = umpire(
        "resolve", "modern", "shoot", f"{MIXED}, aiming", FOE, FAR, "--ask-dice",
        typed="5 5\n1 1 1 1 1 1\n7 1 1 1 1\nx\n15611\n1 1\n",
    )  # fmt: skip
    assert done.exit_code == 0, done.output
    said = done.stderr
    assert said.count("A shoots at B: hits, 5d6, 5+ (basic, aimed +1) > ") == 5
    for amiss in ("3 of 5 faces missing", "1 too many for 5d6", "7 is no face of a d6", "5 faces from 1 to 6, please"):
        assert amiss in said


def test_why_tells_what_counts_and_what_does_not_and_help_what_can_be_typed() -> None:
    done = umpire("resolve", "modern", "shoot", MIXED, FOE, FAR, "--ask-dice", typed="why\nhelp\n15611\n1 1\n")
    assert done.exit_code == 0, done.output
    said = done.stderr
    assert said.count("A shoots at B: hits, 5d6, 5+ (basic) > ") == 3
    assert "  basic: needs unit.training.expertise\n" in said
    assert "  aimed not applied: roll +1 if unit is aiming\n" in said
    assert "  6 1 5 or 615: the faces of your dice, 5 here\n" in said


def test_roll_throws_here() -> None:
    done = umpire("resolve", "modern", "shoot", MIXED, FOE, FAR, "--ask-dice", typed="roll\nroll\nroll\n")
    assert done.exit_code == 0, done.output


def test_a_folder_that_a_rule_set_hides_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "modern").mkdir()
    monkeypatch.chdir(tmp_path)
    done = umpire("check", "modern")
    assert done.exit_code == 0
    assert "modern is the rule set; the folder of that name is modern/" in done.stderr
    assert "the folder" not in umpire("check", "vbcw").stderr
