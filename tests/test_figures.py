"""What else is said of a distribution, held against lists of outcomes that are counted one by one."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from interpreter.source import Problems, render
from interpreter.workbench.answers import Answer
from interpreter.workbench.bands import Band, answer_case
from interpreter.workbench.cases import prepare
from interpreter.workbench.rule_sets import RuleSet
from interpreter.workbench.rules import open_rules
from interpreter.workbench.summary_statistics import at_least, at_most, is_number, quantile, table, variance
from interpreter.workbench.texts import asked
from interpreter.workbench.trees import read_text

TWO = "rules: modern\nunit A: green, 2 figures\ndo:\n  red: d6\n  blue: d4\n"


@cache
def rules() -> RuleSet:
    found = open_rules("modern", Problems())
    assert found is not None
    return found


def answer(text: str, *asks: str) -> Answer | Band:
    problems = Problems()
    root = read_text("dice.yaml", text, problems)
    assert root is not None, render(problems)
    case = prepare(rules(), root, problems, asked("show", "--ask", list(asks)))
    found = answer_case(case) if case is not None else None
    assert found is not None, render(problems)
    return found


def exact(text: str, *asks: str) -> Answer:
    found = answer(text, *asks)
    assert isinstance(found, Answer)
    return found


def counted(text: str) -> list[int]:
    """Every way that the two dice can fall, one by one."""
    return sorted(eval(text, {"red": a, "blue": b, "max": max}) for a, b in product(range(1, 7), range(1, 5)))


TEXTS = ["red + blue", "red - blue", "red * blue", "max(red, blue)", "red"]


@settings(max_examples=25, deadline=None)
@given(st.sampled_from(TEXTS), st.fractions(min_value=Fraction(1, 100), max_value=1))
def test_a_quantile_is_the_least_number_that_so_many_do_not_exceed(text: str, share: Fraction) -> None:
    ways = counted(text)
    wanted = min(v for v in ways if Fraction(sum(w <= v for w in ways), len(ways)) >= share)
    assert quantile(exact(TWO, text), 0, share) == (wanted, wanted)


@pytest.mark.parametrize("text", TEXTS)
def test_spread_and_tails(text: str) -> None:
    ways = counted(text)
    found = exact(TWO, text)
    mean = Fraction(sum(ways), len(ways))
    assert found.mean(0) == mean
    assert variance(found, 0) == sum((w - mean) ** 2 for w in ways) / len(ways)
    for v in set(ways):
        more, less = Fraction(sum(w >= v for w in ways), 24), Fraction(sum(w <= v for w in ways), 24)
        assert at_least(found, 0)[v] == (more, more)
        assert at_most(found, 0)[v] == (less, less)


def test_two_questions_at_once() -> None:
    found = table(exact(TWO, "red > blue", "red + blue"), 0, 1)
    ways = list(product(range(1, 7), range(1, 5)))
    assert found.rows == (False, True)
    assert found.columns == tuple(range(2, 11))
    for row, column in product(found.rows, found.columns):
        many = sum((a > b) == row and a + b == column for a, b in ways)
        assert found.cells.get((row, column), Fraction(0)) == Fraction(many, 24)
    assert sum(found.cells.values()) == 1


BAND = """\
rules: modern
unit A: seasoned, 4 figures, weapon rifle
unit B: green, 8 figures
facts: distance(A, B) is 12"
do: A shoots at B
choose: {suffer.split.down: any}
"""


def test_of_a_band_each_end_is_reached_by_a_policy() -> None:
    found = answer(BAND, "B.figures")
    assert isinstance(found, Band)
    assert variance(found, 0) is None
    least, most = (exact(BAND.replace("any", policy), "B.figures") for policy in ("most", "fewest"))
    for share in (Fraction(1, 10), Fraction(1, 2), Fraction(4, 5)):
        ends = [quantile(each, 0, share)[0] for each in (least, most)]
        assert quantile(found, 0, share) == (min(ends), max(ends))
    for v, (low, high) in at_most(found, 0).items():
        each = [at_most(e, 0).get(v) for e in (least, most)]
        assert all(e is None or low <= e[0] <= high for e in each)
    assert list(at_most(found, 0).values())[-1] == (1, 1)
    assert next(iter(at_least(found, 0).values())) == (1, 1)


def test_yes_or_no_is_no_number() -> None:
    found = exact(TWO, "red > blue", "red")
    assert not is_number(found, 0) and is_number(found, 1)
    assert variance(found, 0) is None
