"""A second meaning of the language, written from the manual alone (tests/reference), says the same: as the manual's
examples, as those of the shipped sets, and as the odds.

With UMPIRE_THOROUGH=1 every example of the shipped sets is asked, with many more histories each.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import interpreter
from interpreter.vocabulary.types import NOT_RUN
from tests.reference import TooLarge, Unsupported, odds, play
from tests.reference.questions import asked_of, failures, laws, question, sentences
from tests.reference.situations import Case, cases, texts
from tests.reference.tables import tables_in
from tests.reference.trees import Lines, parse, tree
from tests.sampled import THOROUGH, sampled
from tests.test_docs import GUIDE, NAMED, YAML, Block, lay_out

ROOT = Path(__file__).parent.parent
SETS = sorted(p for p in (ROOT / "rules" / "tests").glob("*.yaml") if not p.name.endswith(".slips.yaml"))
MANUAL = [  # of a sweep, each question is asked as `umpire odds` would
    b for b in YAML if (named := NAMED.fullmatch(b.head)) and not named["code"] and "\nsweep:" not in b.text
]
PARTS = 8 if THOROUGH else 2
FEW = 1_500 if THOROUGH else 100  # histories of one example


def reason(case: Case, limit: int) -> list[str]:
    """What does not come out as an example says; nothing where its histories are too many to follow."""
    try:
        return failures(case, limit)
    except (TooLarge, Unsupported):
        return []


@pytest.mark.parametrize("block", MANUAL, ids=str)
def test_the_examples_of_the_manual_hold(block: Block, tmp_path: Path) -> None:
    lay_out(block, tmp_path)
    named = NAMED.fullmatch(block.head)
    assert named is not None
    for case in cases(tmp_path / named["name"]):
        assert not reason(case, 50_000 if THOROUGH else 100), case.name


def test_most_of_the_manual_is_followed(tmp_path: Path) -> None:
    """What cannot be followed is little: a loop without a limit, a sum of too many histories."""
    left, whole = [], 0
    for block in MANUAL:
        if block.page not in GUIDE:
            continue
        lay_out(block, tmp_path)
        named = NAMED.fullmatch(block.head)
        assert named is not None
        for case in cases(tmp_path / named["name"]):
            whole += 1
            try:
                failures(case, 600)
            except (TooLarge, Unsupported):
                left.append(case.name)
    assert whole > 25
    assert set(left) <= {"who-begins-wins-more-often", "one-of-two-faces-two"}


@cache
def shipped() -> list[Case]:
    return sampled((case for path in SETS for case in cases(path) if case.root.get("error") is None), 36)


@pytest.mark.parametrize("part", range(PARTS))
def test_the_examples_of_the_shipped_sets_hold(part: int) -> None:
    failed = {}
    for case in shipped()[part::PARTS]:
        if found := reason(case, FEW):
            failed[case.said, case.name] = found
    assert not failed


def as_data(said: Any) -> Any:
    if isinstance(said, Lines):
        return {key: as_data(value) for key, value in said}
    return [as_data(x) for x in said] if isinstance(said, list) else said


def situation(case: Case) -> dict[str, Any]:
    """The situation of an example, as the interpreter takes data."""
    left_out = ("dice", "then", "odds", "trace", "ask", "about", "breaks")
    data = {key: as_data(value) for key, value in case.root if key not in left_out}
    return {**data, "rules": case.said}


def questions_of(case: Case) -> list[str]:
    asked = list(texts(case.root.get("ask")))
    for text in sentences(case):
        value = parse(text, "odds_of").value
        asked.append(text[value.start : value.end])
    asked += [text for table in tables_in(case.root.get("odds")) for text in table.questions]
    return list(dict.fromkeys([*asked, *texts(case.root.get("then"))]))


def numbers(law: dict[Any, Fraction]) -> dict[Any, Fraction]:
    return {None if k in (None, NOT_RUN) else Fraction(k): v for k, v in law.items() if v}


def differences(case: Case, limit: int) -> list[str]:
    """Questions of an example to which the odds give another answer."""
    asked = questions_of(case)
    try:
        mine = laws(case, [question(text) for text in asked], limit)
    except (TooLarge, Unsupported):
        return []
    found = []
    for i, text in enumerate(asked):
        law = mine.law(i)
        if any(isinstance(v, str) for v in law):
            continue
        data = situation(case)
        if mine.chosen:
            if None in law:
                continue  # a mean over what may be not run is refused
            low, high = interpreter.band(data, ask=[text]).mean(0)
            if (low, high) != mine.bands[i]:
                found.append(f"{text}: {mine.bands[i]}, and the band is {low, high}")
        elif (theirs := numbers(interpreter.odds(data, ask=[text]).of(0))) != numbers(law):
            found.append(f"{text}: {law}, and the odds are {theirs}")
    return found


@pytest.mark.parametrize("part", range(PARTS))
def test_the_odds_of_the_shipped_sets_are_the_same(part: int) -> None:
    able = [case for case in shipped() if case.root.get("do") and not case.root.get("force")]
    failed = {(case.said, case.name): found for case in sampled(able, 6)[part::PARTS] if (found := differences(case, FEW))}
    assert not failed


# ---- of itself
TOY = """\
game: Toy
Things:
  dice high: d3 at or over, always 3, never 1
  kind side:
  kind unit of side:
    skill: number first 2
    gold: number
  kind figure, many to a unit:
    weapon: one of weapons or none
  table weapons: rifle, gun
  mark casualty of figure: out of play
  mark lucky of unit:
  roll shot of unit:
    basic: needs skill
    lucky: again if lucky
    best:  best of 2 if gold > 2
  roll save of figure:
    basic: needs 3
    gun:   needs 2 if weapon is gun
  to shoot (unit):
    hits: unit.figures passing unit.shot
    spoils: unit.owner picks 0 to hits
    pay: unit gains spoils gold
    more-luck, if unit passes shot: unit gains 1 gold
  to suffer (unit):
    faces: 2 dice
    double, if alike(faces) = 2: 1
    lost: figures failing save
    fall: lost gain casualty
    rest: figures
"""
ASKED = {
    "shoots": ["hits", "A.gold", "hits = 2 and A.gold < 2"],
    "suffers": ["double", "lost", "any (A.figures where weapon is gun)", "sum(faces) > 4"],
}


@pytest.mark.parametrize("verb", ASKED)
@pytest.mark.parametrize("more", ["gold 0", "lucky", "gold 3", "skill 4", "skill 1"])
def test_counting_what_passes_is_as_throwing_each_die(verb: str, more: str, tmp_path: Path) -> None:
    """Tallies are followed by their count, throws without their order: die by die it comes to the same."""
    (tmp_path / "toy.yaml").write_text(TOY, "utf-8")
    file = tmp_path / "one.yaml"
    file.write_text(f"rules: toy\nunit A:\n  is: {more}\n  figures: [1 with weapon gun, 1]\ndo: A {verb}\n", "utf-8")
    (case,) = cases(file)
    asked = [question(q) for q in ASKED[verb]]
    quick, slow = laws(case, asked, 1_000), laws(case, asked, 5_000, slow=True)
    assert quick.bands == slow.bands
    assert quick.chosen or [quick.law(i) for i in range(len(asked))] == [slow.law(i) for i in range(len(asked))]


def test_what_is_asked_and_played(tmp_path: Path) -> None:
    (tmp_path / "toy.yaml").write_text(TOY, "utf-8")
    file = tmp_path / "one.yaml"
    file.write_text("rules: toy\nunit A: 2 figures\ndo: A shoots\nask: hits\n", "utf-8")
    (answer,) = odds(file)
    assert answer.law == {0: Fraction(1, 9), 1: Fraction(4, 9), 2: Fraction(4, 9)}
    assert answer.band is None
    (gold,) = odds(file, ["A.gold >= 1"])
    assert gold.band == (Fraction(2, 3), 1 - Fraction(1, 3) ** 3)
    with pytest.raises(TooLarge):
        odds(file, limit=3)
    with pytest.raises(Unsupported, match="choice"):
        play(file, [3, 2, 1])
    other = tmp_path / "other.yaml"
    other.write_text("rules: toy\nunit A: 2 figures\ndo: A suffers\nask: [double, lost]\n", "utf-8")
    assert odds(other)[0].law == {None: Fraction(2, 3), 1: Fraction(1, 3)}
    assert play(other, [2, 2, 3, 1]) == {"double": 1, "lost": 1}


def test_every_example_is_found() -> None:
    for path in SETS:
        names = [key for key, _ in tree(path) if key.startswith("example ")]
        assert len({case.name for case in cases(path)}) == len(names), path
    assert all(asked_of(case) for case in cases(ROOT / "examples" / "modern-volley.yaml"))
