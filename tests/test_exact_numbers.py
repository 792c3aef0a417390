"""A number that is told is the number: whole, a decimal only where that is all of it, else a fraction."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from typed import CliRunner

import interpreter
from interpreter.source.digits import format_exact
from interpreter.surfaces.cli.group import main

GAME = """\
game: Parts
Play:
  kind unit:
    size: number first 4
    reach: inches first 1"
  kind man, many to a unit:
  fact wind of unit: inches
  value share of unit: size / 64
  to act (unit):
    die: d6
    half:   size / 2
    third:  size / 3 + die
    small:  unit.share + 1 / 1000000
    large:  size * 1234567 / 8
    whole:  size / 2 + size / 2
    gap:    reach * size / 3
    blown:  wind(unit) / 7
    spent, for each man in unit.mans:
      part: size / 3 + 1 / 7
"""
SITUATION = """\
rules: parts
unit A: {size} size, 3 mans
facts: wind(A) is {wind}"
do: A acts
"""
ASKS = ["half", "third", "small", "large", "whole", "gap", "blown", "spent.part"]
DISTANCES = ("gap", "blown")  # which are told in words


def expected(size: int, wind: str, die: int) -> dict[str, Fraction]:
    """By hand, from the page of the game."""
    s = Fraction(size)
    return {
        "half": s / 2,
        "third": s / 3 + die,
        "small": s / 64 + Fraction(1, 1000000),
        "large": s * 1234567 / 8,
        "whole": s,
        "gap": s / 3,
        "blown": Fraction(wind) / 7,
        "spent.part": 3 * (s / 3 + Fraction(1, 7)),
    }


@pytest.fixture
def situation(tmp_path: Path) -> Path:
    (tmp_path / "parts.yaml").write_text(GAME, "utf-8")
    return tmp_path / "situation.yaml"


def written(situation: Path, size: int, wind: str) -> str:
    situation.write_text(SITUATION.format(size=size, wind=wind), "utf-8")
    return str(situation)


def umpire(*words: str) -> str:
    done = CliRunner().invoke(main, [*words, *(w for ask in ASKS for w in ("--ask", ask))])
    assert done.exit_code == 0, done.output
    return done.output


@given(st.fractions())
@example(Fraction(1234567, 2))
@example(Fraction(-7, 2))
@example(Fraction(-1, 64))
@example(Fraction(1, 10**6))
@example(Fraction(1, 10**7))
@example(Fraction(10**40 + 1, 10))
def test_the_text_of_a_number_is_that_number(value: Fraction) -> None:
    text = format_exact(value)
    assert Fraction(text) == value
    assert "e" not in text


def test_a_short_decimal_is_one_and_a_long_one_is_a_fraction() -> None:
    values = [Fraction(7, 2), Fraction(1, 64), Fraction(1, 3), Fraction(1, 10**7), Fraction(6, 2), Fraction(-1, 8)]
    assert [format_exact(v) for v in values] == ["3.5", "0.015625", "1/3", "1/10000000", "3", "-0.125"]


@pytest.mark.parametrize(("size", "wind"), [(7, "3"), (6, "2.5"), (1234567, "0.1"), (1, "1234567.5")])
def test_programs_get_numbers_and_json_fractions(situation: Path, size: int, wind: str) -> None:
    path = written(situation, size, wind)
    values = expected(size, wind, 5)
    played = interpreter.resolve(path, dice=[5], ask=ASKS).values
    for ask, value in values.items():
        if ask in DISTANCES:
            assert Fraction(played[ask].removesuffix('"')) == value
        else:
            assert (played[ask], type(played[ask])) == (value, int if value.denominator == 1 else Fraction)
    told = json.loads(umpire("resolve", path, "--dice", "5", "--json"))["values"]
    for ask, value in values.items():
        if ask not in DISTANCES:
            assert told[ask] == (int(value) if value.denominator == 1 else f"{value.numerator}/{value.denominator}")
    answer = interpreter.odds(path, ask=ASKS)
    for index, ask in enumerate(ASKS):
        assert values[ask] in answer.of(index)
        plain = [answer.words.plain(v, answer.asks[index].type) for v in answer.of(index)]
        assert ask in DISTANCES or values[ask] in plain
    questions = {q["ask"]: q for q in json.loads(umpire("odds", path, "--json"))["questions"]}
    for ask, question in questions.items():
        for outcome in question["outcomes"]:
            said = outcome["value"]
            assert isinstance(said, int) or ask in DISTANCES or re.fullmatch(r"-?\d+/\d+", said)
        assert values[ask] in [Fraction(str(o["value"]).rstrip('"')) for o in question["outcomes"]]


@pytest.mark.parametrize(("size", "wind"), [(7, "3"), (6, "2.5"), (1234567, "0.1"), (1, "1234567.5")])
@pytest.mark.parametrize("more", [(), ("--verbose",)])
def test_every_number_of_a_history_is_exact(situation: Path, size: int, wind: str, more: tuple[str, ...]) -> None:
    """Whatever a history tells, also in its trace, is a number of the situation, of the page, or worked out of them."""
    out = umpire("resolve", written(situation, size, wind), "--dice", "5", *more)
    values = expected(size, wind, 5)
    for ask in ASKS:
        (text,) = re.findall(rf"^{re.escape(ask)}: (.*)$", out, re.MULTILINE)
        assert Fraction(text.rstrip('"')) == values[ask], ask
    round_ = Fraction(size, 3) + Fraction(1, 7)
    known = {*values.values(), Fraction(size), Fraction(size, 64), Fraction(wind), round_, Fraction(5), Fraction(3)}
    known |= {Fraction(1), Fraction(64)}  # the reach, and what the page says
    lines = [re.sub(r"\S+\.yaml:[\d:]+|\(d6\)", "", line) for line in out.splitlines()]
    told = [found for line in lines for found in re.findall(r"(?<![\w.-])-?\d[\d./e+-]*", line)]
    assert len(told) > len(ASKS)
    assert [t for t in told if Fraction(t) not in known] == []


def test_what_it_expects_is_told_as_it_is(situation: Path) -> None:
    """What stood on the sides of an expectation that did not hold."""
    path = Path(written(situation, 7, "3"))
    path.write_text(path.read_text("utf-8") + "dice: 6\nthen: [large > 1080247, third > 8]\n", "utf-8")
    done = CliRunner().invoke(main, ["resolve", str(path)])
    assert done.exit_code == 1
    assert "fails  large > 1080247" in done.output and "holds  third > 8" in done.output
    (result,) = interpreter.test(path)
    (problem,) = result.problems
    assert problem.label == "large is 1080246.125"


def test_steps_of_an_alternative_are_written_out(situation: Path) -> None:
    path = written(situation, 7, "<0.00001 to 0.00003 by 0.00001>")
    found = interpreter.grid(path, ask=["blown"])
    assert found.axes[0].values == ('0.00001"', '0.00002"', '0.00003"')
    means = [point.worth(0) for point in found.points]
    assert means == [(Fraction(n, 700000), Fraction(n, 700000)) for n in (1, 2, 3)]
