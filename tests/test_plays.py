"""Estimates: the same for the same seed, with the true number between their ends as often as they say."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

import pytest

from interpreter.source import Problems, render
from interpreter.workbench.answers import odds
from interpreter.workbench.cases import Case, prepare
from interpreter.workbench.plays import Plays, is_number, sample, wilson
from interpreter.workbench.rule_sets import RuleSet
from interpreter.workbench.rules import open_rules
from interpreter.workbench.texts import asked
from interpreter.workbench.trees import read_text

SHOT = """\
rules: modern
unit A: seasoned, 6 figures, weapon rifle
unit B: green, 8 figures
facts: distance(A, B) is 12"
do: A shoots at B
"""


@cache
def rules() -> RuleSet:
    found = open_rules("modern", Problems())
    assert found is not None
    return found


def case(text: str = SHOT, asks: tuple[str, ...] = ("harm.dead", "hits > 2"), given: str | None = None) -> Case:
    problems = Problems()
    root = read_text("shot.yaml", text, problems)
    assert root is not None
    wanted = asked("show", "--ask", list(asks)) + (asked("given", "--given", [given]) if given else [])
    found = prepare(rules(), root, problems, wanted)
    assert found is not None, render(problems)
    return found


def many(plays: int, seed: int | str, **extra: str) -> Plays:
    found = sample(case(**extra), plays, seed)  # type: ignore[arg-type]
    assert found is not None
    return found


def test_the_same_seed_gives_the_same_plays() -> None:
    one, two, other = many(300, 5), many(300, 5), many(300, 6)
    assert one.counts == two.counts
    assert one.counts != other.counts
    assert sum(one.counts[0].values()) == 300


def test_more_plays_of_a_seed_begin_with_the_same() -> None:
    """A play's dice depend on its number alone."""
    few, more = many(100, 1), many(200, 1)
    assert all(more.counts[0].get(v, 0) >= n for v, n in few.counts[0].items())


def test_the_true_number_lies_within() -> None:
    """Fixed seeds, so this holds or fails for ever: 40 samples, of which about 38 should hold the truth."""
    truth = odds(case())
    assert truth is not None
    chances, means, each = 0, 0, 0
    for seed in range(40):
        found = many(250, f"seed {seed}")
        chance, mean = found.chance(1), found.mean(0)
        chances += chance.least <= truth.chance(1) <= chance.greatest
        means += mean.least <= truth.mean(0) <= mean.greatest
        none = found.of(0).get(0)
        each += none is not None and none.least <= truth.of(0)[0] <= none.greatest
    assert chances >= 35 and means >= 35 and each >= 35
    assert chances + means + each < 120  # an interval that always holds it is too wide


def test_under_a_condition_only_such_plays_count() -> None:
    found = many(400, 1, given="hits > 2")
    assert found.held < found.plays == 400
    assert sum(found.counts[0].values()) == found.held
    assert found.chance(1).found == 1


def test_a_condition_that_never_held_gives_no_estimate() -> None:
    assert sample(case(given="hits > 6"), 50) is None


@pytest.mark.parametrize(("many_", "n"), [(0, 10), (10, 10), (3, 10), (500, 1000), (1, 1)])
def test_wilson(many_: int, n: int) -> None:
    """Its ends are the chances from which what was found is 1.96 deviations away."""
    found = wilson(many_, n)
    share = many_ / n
    assert 0 <= found.least <= share <= found.greatest <= 1
    for end in (found.least, found.greatest):
        if 0 < end < 1:
            assert abs(share - end) == pytest.approx(1.959963984540054 * (end * (1 - end) / n) ** 0.5)
    if many_ == 0:
        assert found.least == 0 < found.greatest


def test_a_mean_has_its_standard_error() -> None:
    found = many(50, 3)
    values = [v for v, n in found.counts[0].items() for _ in range(n)]
    mean = Fraction(sum(values), 50)
    error = 1.959963984540054 * float(sum((v - mean) ** 2 for v in values) / 49 / 50) ** 0.5
    assert is_number(found, 0) and not is_number(found, 1)
    assert (found.mean(0).found, found.mean(0).greatest) == pytest.approx((float(mean), float(mean) + error))


def test_a_choice_that_nobody_decides_is_refused() -> None:
    text = SHOT + "choose: {suffer.split.down: any}\n"
    made = case(text)
    assert sample(made, 20) is None
    assert [p.code for p in made.problems] == ["F008"]
