"""The promise of conflicts: two supplements that lie on each other without one say the same whichever of them lies above.

Small supplements of every kind of patch are made up over a toy set, and laid over it in both orders.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from interpreter.source import Problems
from interpreter.workbench.answers import odds
from interpreter.workbench.cases import prepare
from interpreter.workbench.rules import open_rules
from interpreter.workbench.trees import read_text

TOY = """\
game: Toy
Things:
  dice high: d6 at or over
  kind side:
  kind unit of side:
    skill: one of levels
    pins: number 0 to 6
    nerve: number 0 to 9
    look: one of levels or none
  kind figure, many to a unit:
    arm: one of levels
  mark casualty of figure: out of play
  mark steady of unit: until after act
  table levels (hit):
    raw:  5+
    good: 4+
    top:  3+
Play:
  value promoted of unit:
    own: skill
    lift: +1 if pins > 1
  value strength of unit:
    basic: 4
    pins:  -1 per pins
    floor: at least 1
  roll shooting of unit:
    basic:  needs promoted.hit
    pins:   roll -1 if pins > 0
    steady: roll +1 if steady
  to act (unit):
    ready: unit rises
    volley, if strength > 1:
      shots: strength
      hits: shots passing shooting
      fear: unit gains 1 pin
    worth: min(hits, 2)
    picked: owner picks up to 1 from figures usually most
    seen: max(picked.arm)
    noted: unit.look becomes seen
    face: d3
    effect: unit.fate(face)
  to rise (unit):
    calm: unit loses 1 pin
    stand: unit gains steady
  table fate of unit (face) by face:
    1 shame: unit gains 1 pin
    2 pride: unit gains 1 nerve
    3 calm: nothing
"""
SITUATIONS = (
    "unit A: skill raw, pins 2, 1 figures, arm raw\n",
    "unit A: skill good, steady, pins 1, nerve 3, 2 figures, arm top\n",
    "unit A:\n  is: skill raw, pins 3\n  figures: [1 with arm good, 1 with arm raw, 1 with arm top]\n",
)
ASKED = (
    "do: A acts\n"
    "odds: [1/1 mean worth, 1/1 mean A.pins, 1/1 mean A.nerve, 1/1 that A is steady, 1/1 that A.look is good,"
    " 1/1 that A.look is top]\n"
)

EFFECTS = (
    "unit gains 1 pin",
    "unit.pins becomes 0",
    "unit loses steady",
    "unit gains 2 nerve",
    "unit.nerve becomes pins",
    "unit rises",
    "nothing",
)
ON_VALUE = ("+1", "times 2", "at least 3", "at most 2", "-1 per pins", "5 if steady", "+1 if pins > 1")
ON_ROLL = (
    "roll +1",
    "roll -1 if pins > 1",
    "needs +1",
    "needs 3+ if steady",
    "needs 6+ if pins > 0",
    "passes if pins = 0",
    "fails if nerve = 0",
    "best of 2",
    "worst of 2",
    "again if steady",
)
CHANGES = (
    "levels.raw.hit: 6+",
    "levels.raw.hit: 2+",
    "levels.good: 6+",
    "strength.basic: 3",
    "strength.basic: 5",
    "strength.pins: -2 per pins",
    "strength: {x{me}: 6}",
    "shooting.pins: roll -2 if pins > 0",
    "shooting.steady: needs -1 if steady",
    "act.volley.shots: strength + 1",
    "act.volley.shots: {x{me}: strength, shots: strength}",
    "act.volley.fear: unit gains 2 pins",
    "act.worth: max(hits, 1)",
    "act.ready: {ready: unit rises, y{me}: unit gains 1 pin}",
    "rise.calm: unit loses 2 pins",
    "rise: {calm: unit loses 3 pins}",
    "fate.pride: unit gains 2 nerve",
    "fate.pride: {2 pride: nothing}",
)
REMOVED = (
    "shooting.pins",
    "shooting.steady",
    "strength.floor",
    "act.volley.fear",
    "act.ready",
    "rise.stand",
    "rise.calm",
    "levels.top",
)
MOMENTS = (
    "act",
    "rise",
    "act.volley",
    "act.volley.fear",
    "act.ready",
    "rise.calm",
    "rise.stand",
    "steady",
)


def adding(to: str, places: tuple[str, ...], lines: tuple[str, ...]) -> list[str]:
    """Each of some lines at each of some places."""
    wheres = ("", *(f" {when} {place}" for place in places for when in ("after", "before")))
    conditions = ("", ", if steady", ", if pins > 1") if lines is EFFECTS else ("",)
    return [f"  add to {to}{at}:\n    n{{me}}{c}: {x}\n" for at in wheres for c in conditions for x in lines]


KINDS_OF_PATCH: tuple[list[str], ...] = (
    [f"  change:\n    {x}\n" for x in CHANGES],
    [f"  remove {x}:\n" for x in REMOVED],
    adding("strength", ("pins", "floor"), ON_VALUE),
    adding("shooting", ("pins", "steady"), ON_ROLL),
    adding("act", ("ready", "volley"), EFFECTS),
    adding("act.volley", ("shots", "fear"), EFFECTS),
    adding("rise", ("calm", "stand"), EFFECTS),
    adding("levels", ("raw", "top"), ("2+", "6+")),
    [
        f"  rule r{{me}} {when} {moment}{c}: {x}\n"
        for when in ("after", "before")
        for moment in MOMENTS
        for c in ("", " if steady", " if pins > 1")
        for x in EFFECTS
    ],
)
PATCHES = st.sampled_from(KINDS_OF_PATCH).flatmap(st.sampled_from)


def sheet(name: str, patches: list[str]) -> str:
    """A supplement of some patches, each under a heading of its own, its names its own too."""
    parts = [f"Part {i}:\n" + p.replace("{me}", f"{name}{i}") for i, p in enumerate(patches)]
    return f"game: {name}\nover: toy\n" + "".join(parts)


def said(stack: str, folder: Path) -> object:
    """What a stack answers to the questions; the codes of its problems, when it has any."""
    problems = Problems()
    rules = open_rules(stack, problems, folder)
    if problems.has_errors or rules is None:
        return sorted(p.code for p in problems)
    answers: list[object] = []
    for situation in SITUATIONS:
        tree = read_text("situation", situation + ASKED, problems)
        assert tree is not None
        case = prepare(rules, tree, problems)
        if case is None or problems.has_errors:
            return sorted(p.code for p in problems)
        answer = odds(case)
        if answer is None:
            answers.append("refused")
            continue
        joint: dict[object, object] = {}
        for values, weight in answer.joint:
            joint[values] = joint.get(values, 0) + weight  # type: ignore[operator]
        answers.append((answer.total, sorted(joint.items(), key=repr)))
    return tuple(answers)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("order")
    (made / "toy.yaml").write_text(TOY, encoding="utf-8")
    assert not isinstance(said("toy", made), list), "the toy itself must be sound"
    return made


ONE_OR_TWO = st.lists(PATCHES, min_size=1, max_size=2)


@settings(max_examples=40, deadline=None)
@given(ONE_OR_TWO, ONE_OR_TWO)
@example(["  remove act.ready:\n"], ["  add to act after ready:\n    n{me}: unit gains 1 pin\n"])
@example(
    ["  change:\n    act.ready: {ready: unit rises, y{me}: unit gains 1 pin}\n"],
    ["  add to act after ready:\n    n{me}: unit loses steady\n"],
)
@example(["  add to strength:\n    n{me}: +1\n"], ["  add to strength:\n    n{me}: times 2\n"])
@example(
    ["  add to shooting:\n    n{me}: passes if pins = 0\n"], ["  add to shooting:\n    n{me}: fails if pins = 0\n"]
)
@example(["  add to levels:\n    n{me}: 2+\n"], ["  add to levels:\n    n{me}: 6+\n"])
@example(["  add to levels after raw:\n    n{me}: 2+\n"], ["  add to levels after raw:\n    n{me}: 6+\n"])
@example(["  add to rise:\n    n{me}: unit.pins becomes 0\n"], ["  add to rise:\n    n{me}: unit gains 1 pin\n"])
@example(["  rule r{me} after steady: unit gains 1 pin\n"], ["  rule r{me} after steady: unit.nerve becomes pins\n"])
@example(
    ["  add to rise after calm:\n    n{me}: unit gains steady\n", "  rule r{me} after steady: unit.pins becomes 0\n"],
    ["  add to rise after calm:\n    n{me}: unit gains 1 pin\n"],
)
def test_which_lies_above_never_matters_or_is_told(folder: Path, one: list[str], two: list[str]) -> None:
    (folder / "one.yaml").write_text(sheet("one", one), encoding="utf-8")
    (folder / "two.yaml").write_text(sheet("two", two), encoding="utf-8")
    this, that = said("toy + one + two", folder), said("toy + two + one", folder)
    assert isinstance(this, list) == isinstance(that, list), "found at fault in one order only"
    if not isinstance(this, list):
        assert this == that, "both are accepted, and the order decides"


@pytest.mark.parametrize(
    ("one", "two"),
    [
        (["  add to shooting:\n    n{me}: roll +1 if steady\n"], ["  add to shooting:\n    n{me}: roll -1\n"]),
        (["  add to shooting:\n    n{me}: needs +1\n"], ["  add to shooting:\n    n{me}: roll +1\n"]),
        (["  add to strength:\n    n{me}: +1\n"], ["  add to strength:\n    n{me}: -1 per pins\n"]),
        (["  add to levels:\n    n{me}: 2+\n"], ["  add to levels:\n    n{me}: 6+\n"]),
        (["  add to act after ready:\n    n{me}: unit gains 1 pin\n"], ["  add to act:\n    n{me}: unit rises\n"]),
        (["  add to rise:\n    n{me}: unit gains 1 pin\n"], ["  add to rise:\n    n{me}: unit gains 1 nerve\n"]),
        (["  rule r{me} after act: unit gains 1 pin\n"], ["  rule r{me} after act: unit gains 1 nerve\n"]),
        (["  change:\n    act.ready: nothing\n"], ["  add to act after ready:\n    n{me}: unit rises\n"]),
        (["  change:\n    levels.raw.hit: 6+\n"], ["  change:\n    levels.good.hit: 6+\n"]),
    ],
)
def test_what_cannot_matter_is_no_conflict(folder: Path, one: list[str], two: list[str]) -> None:
    (folder / "one.yaml").write_text(sheet("one", one), encoding="utf-8")
    (folder / "two.yaml").write_text(sheet("two", two), encoding="utf-8")
    this, that = said("toy + one + two", folder), said("toy + two + one", folder)
    assert not isinstance(this, list) and this == that
