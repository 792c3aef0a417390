"""Grids: each point is the situation written out, whatever has alternatives; chances are reached where they say."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_alternatives import tree

from interpreter.program import Program
from interpreter.source import Problems, render
from interpreter.workbench.answers import Answer
from interpreter.workbench.arguments import compose
from interpreter.workbench.bands import Band, answer_case
from interpreter.workbench.cases import prepare
from interpreter.workbench.grids import Grid, answer_alternatives, find_reach
from interpreter.workbench.rule_sets import RuleSet
from interpreter.workbench.rules import open_rules
from interpreter.workbench.texts import asked

SHOT = """\
rules: modern
unit A: {training}, {shooters} figures, weapon {weapon}
unit B: green, 8 figures
facts: distance(A, B) is {distance}"
do:
  volleys, repeat {times} times:
    volley: A shoots at B
choose:
  suffer.split.down: {down}
"""
SAID = {"training": "seasoned", "shooters": "2", "weapon": "rifle", "distance": "12", "times": "1", "down": "most"}
ASKS = ["B.figures", "B.figures < 7", "any (B.figures where suppressed)"]


@pytest.fixture(scope="module")
def rules() -> RuleSet:
    return opened()


@cache
def opened() -> RuleSet:
    found = open_rules("modern", Problems())
    assert found is not None
    return found


def worked(rules: RuleSet, text: str, asks: list[str], given: str | None = None) -> Grid:
    problems = Problems()
    wanted = asked("show", "--ask", asks) + (asked("given", "--given", [given]) if given else [])
    found = answer_alternatives(rules, tree(text), problems, wanted)
    assert found is not None, render(problems)
    return found


def alone(rules: RuleSet, text: str, asks: list[str]) -> Answer | Band:
    problems = Problems()
    case = prepare(rules, tree(text), problems, asked("show", "--ask", asks))
    answer = answer_case(case) if case is not None else None
    assert answer is not None, render(problems)
    return answer


VALUES = {
    "training": ["green", "seasoned", "veteran"],
    "shooters": ["1", "2", "3"],
    "weapon": ["rifle", "hmg"],
    "distance": ["6", "12", "40"],
    "times": ["1", "2"],
    "down": ["most", "fewest", "any"],
}


@settings(max_examples=8, deadline=None)
@given(st.lists(st.sampled_from(sorted(VALUES)), min_size=1, max_size=2, unique=True), st.booleans())
def test_a_point_is_the_situation_written_out(keys: list[str], backwards: bool) -> None:
    rules = opened()
    values = {key: VALUES[key][:: -1 if backwards else 1] for key in keys}
    found = worked(rules, SHOT.format(**SAID | {k: f"<{', '.join(v)}>" for k, v in values.items()}), ASKS[:2])
    order = [key for key in SAID if key in keys]  # the order of the page
    for point, labels in zip(found.points, product(*(values[key] for key in order)), strict=True):
        assert tuple(label.rstrip('"') for label in point.labels) == labels
        answer = alone(rules, SHOT.format(**SAID | dict(zip(order, labels, strict=True))), ASKS[:2])
        assert type(point.answer) is type(answer)
        assert point.answer is not None
        assert [point.answer.of(i) for i in range(2)] == [answer.of(i) for i in range(2)]


def test_what_was_made_for_one_point_does_not_leak_into_the_next(rules: RuleSet) -> None:
    """There and back again: the same value gives the same answer, wherever it stands in the list."""
    text = SHOT.format(**SAID | {"shooters": "<3, 1, 3>", "distance": "<6, 40, 6>"})
    found = worked(rules, text, ASKS[:2])
    for first, again in (((0, 0), (2, 2)), ((0, 0), (0, 2)), ((1, 1), (1, 1)), ((0, 1), (2, 1))):
        one, two = found.at(*first).answer, found.at(*again).answer
        assert one is not None and two is not None
        assert one.of(0) == two.of(0)
    one, two = found.at(0, 0).answer, found.at(1, 0).answer
    assert one is not None and two is not None
    assert one.of(0) != two.of(0)


def test_a_condition_is_held_at_each_point(rules: RuleSet) -> None:
    text = SHOT.format(**SAID | {"shooters": "<1, 2>", "distance": "<12, 90>"}).replace(
        "volleys, repeat 1 times:\n    volley", "volley"
    )
    found = worked(rules, text, ["harm.dead > 0"], "hits > 0")
    near, far = found.at(1, 0), found.at(1, 1)
    assert near.answer is not None
    assert near.likely[0] == near.likely[1] == Fraction(5, 9)
    whole = alone(rules, text.replace("<1, 2>", "2").replace("<12, 90>", "12"), ["hits > 0 and harm.dead > 0"])
    assert isinstance(whole, Answer)
    assert near.worth(0) == (whole.chance(0) / Fraction(5, 9),) * 2
    assert far.answer is None and far.likely == (0, 0) and far.worth(0) is None


def test_where_a_chance_is_reached(rules: RuleSet) -> None:
    text = SHOT.format(**SAID | {"shooters": "<1 to 8>", "distance": "<6, 90>"})
    found = worked(rules, text, ["B.figures < 8"])
    chances = [found.at(i, 0).worth(0) for i in range(8)]
    for least, _ in [c for c in chances if c is not None]:
        near, far = find_reach(found, 0, least)
        assert near.surely is not None and near.perhaps is near.surely
        worth = near.surely.worth(0)
        assert worth is not None and worth[0] >= least
        assert all(c is not None and c[0] < least for c in chances[: near.surely.place[0]])
        assert far.surely is None or least == 0
    assert find_reach(found, 0, Fraction(1))[0].surely is None


def test_a_chance_is_reached_exactly_or_not(rules: RuleSet) -> None:
    """A part in a million more is not reached any more."""
    text = SHOT.format(**SAID | {"shooters": "<1 to 3>"})
    found = worked(rules, text, ["B.figures < 8"])
    last = found.at(2).worth(0)
    assert last is not None
    (just,), (more,) = find_reach(found, 0, last[0]), find_reach(found, 0, last[0] + Fraction(1, 10**9))
    assert just.surely is found.at(2)
    assert more.surely is None


def test_of_bands_it_is_said_what_is_sure_and_what_may_be(rules: RuleSet) -> None:
    text = SHOT.format(**SAID | {"shooters": "<1 to 6>", "down": "any"})
    found = worked(rules, text, ["B.figures < 7"])
    assert isinstance(found.at(0).answer, Band)
    worth = found.at(2).worth(0)
    assert worth is not None and worth[0] < worth[1]
    (reach,) = find_reach(found, 0, worth[1])
    assert reach.perhaps is found.at(2)
    assert reach.surely is None or reach.surely.place[0] > 2


def test_what_takes_too_long_says_at_which_point(rules: RuleSet) -> None:
    problems = Problems()
    root = tree(SHOT.format(**SAID | {"shooters": "<1, 6>", "times": "2"}))
    found = answer_alternatives(rules, root, problems, asked("show", "--ask", ["B.figures"]), limit=40)
    assert found is not None and not len(problems)
    assert [point.answer is None for point in found.points] == [False, True]
    assert [point.worth(0) is None for point in found.points] == [False, True]
    assert [p.code for p in found.refused] == ["E001"]
    assert "with A figures 6" in render(found.refused)


def test_where_no_point_can_be_asked_there_is_no_grid(rules: RuleSet) -> None:
    problems = Problems()
    root = tree(SHOT.format(**SAID | {"shooters": "<5, 6>", "times": "2"}))
    assert answer_alternatives(rules, root, problems, asked("show", "--ask", ["B.figures"]), limit=40) is None
    assert [p.code for p in problems] == ["E001", "E001"]
    assert "with A figures 5" in render(problems) and "with A figures 6" in render(problems)


def test_what_is_done_is_made_once_for_all_points(rules: RuleSet, monkeypatch: pytest.MonkeyPatch) -> None:
    """Twelve points are written as Python hardly more often than one."""
    written: list[str] = []
    run = Program.run
    monkeypatch.setattr(
        Program, "run", lambda self, source, asked: (written.append(source), run(self, source, asked))[1]
    )
    counts = []
    for shooters in ("<1>", "<1 to 12>"):
        written.clear()
        worked(rules, SHOT.format(**SAID | {"shooters": shooters.replace("<1>", "1")}), ASKS[:1])
        counts.append(len(written))
    one, twelve = counts
    assert 0 < one <= twelve <= one + 6


@pytest.mark.parametrize(
    ("brackets", "words"),
    [
        (("<2, 4>", "<smg, rifle>"), ("fire", "A: <2, 4> figures, <smg, rifle>", "B: 5 figures", "distance 5")),
        (("<n = 3, 5>",), ("fire", "A: 3 figures, rifle", "B: <n = 3, 5> figures", "distance <n>")),
    ],
)
def test_short_arguments_of_other_rules(brackets: tuple[str, ...], words: tuple[str, ...]) -> None:
    rules = open_rules("vbcw", Problems())
    assert rules is not None
    problems = Problems()
    root = compose(rules, words[0], words[1:], problems)
    assert root is not None, render(problems)
    found = answer_alternatives(rules, root, problems, asked("show", "--ask", ["hits"]))
    assert found is not None, render(problems)
    for point in found.points:
        plain = list(words)
        for said, label in zip(brackets, point.labels, strict=True):
            plain = [w.replace(said, label).replace("<n>", label) for w in plain]
        made = compose(rules, plain[0], plain[1:], problems)
        assert made is not None, render(problems)
        case = prepare(rules, made, problems, asked("show", "--ask", ["hits"]))
        answer = answer_case(case) if case is not None else None
        assert answer is not None and point.answer is not None, render(problems)
        assert point.answer.of(0) == answer.of(0)
