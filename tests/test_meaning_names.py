"""Another name for a line is worth what the line is worth, and takes nothing from it."""

from fractions import Fraction

import pytest
import reference
from test_engines_kit import Mistaken, rules_of
from worked import agreed, worked

import interpreter
from interpreter.workbench.answers import NOT_RUN

THIRD, SIXTH = Fraction(1, 3), Fraction(1, 6)

THINGS = """
game: Names
Things:
  dice high: d6 at or over
  kind side:
  kind unit of side:
    bonus: number
    armour: number
    pins: number
  kind figure, many to a unit:
    hurts: number
  mark tired of figure:
  roll aim of unit: needs 3
"""

# a question, another name for its answer, what is done with it afterwards, and the law of that
ASKED = [
    ("face: d6", "natural: face", "total: face + 1", dict.fromkeys(range(2, 8), SIXTH)),
    ("hits: 1 passing unit.aim", "telling: hits", "total: hits + 1", {1: THIRD, 2: 2 * THIRD}),
    ("hits: 1 passing unit.aim", "telling: hits if armour < 3 else 0", "total: hits + 1", {1: THIRD, 2: 2 * THIRD}),
    ("go: owner wishes usually yes", "same: go", "total: 3 if go else 0", 3),
    ("go: owner wishes usually yes", "run, if go: unit gains 1 pin", "total: 10 if go else 20", 10),
    ("go: owner wishes usually no", "run, if go: unit gains 1 pin", "total: 10 if go else 20", 20),
    ("lot: owner picks 2 from figures", "sub: lot", "total: lot + 1", 3),
    ("lot: owner picks 2 from figures", "sub: lot where hurts = 0", "total: lot + 1", 3),
]


@pytest.mark.parametrize(("question", "name", "later", "law"), ASKED)
def test_another_name_for_an_answer_takes_nothing_from_it(question, name, later, law):
    text = f"{THINGS}  to act (unit):\n    {question}\n    {name}\n    {later}\n"
    asks = {"total": law}
    if question[:2] != "go":
        first, second = (line.partition(":")[0] for line in (question, name))
        asks[f"{first} = {second}"] = True
    worked(text, "unit A: 4 figures, armour 1\ndo: A acts\n", asks)


def test_what_an_answer_does_is_done_where_it_has_another_name():
    text = (
        f"{THINGS}  to act (unit):\n    hits: 2 passing unit.aim\n    telling: hits\n    hurt: unit gains hits pins\n"
    )
    law = {0: Fraction(1, 9), 1: Fraction(4, 9), 2: Fraction(4, 9)}
    worked(text, "unit A:\ndo: A acts\n", {"A.pins": law, "telling": law})


def test_a_condition_that_is_an_answer_leaves_it_for_the_lines_that_follow():
    text = f"""{THINGS}  to react (unit):
    go: owner wishes usually yes
    run, if go: unit gains 1 pin
    stay, otherwise: nothing
    late, if not go: unit gains 100 pins
"""
    worked(text, "unit A:\ndo: A reacts\n", {"A.pins": 1, "go": True})


TWICE = {
    "another branch": "low, if d = 1:\n      v: 1\n    mid, otherwise:\n      v: 2\n    more-of, if d = 6:\n      v: 7",
    "a block in a branch": "low, if d = 1:\n      v: 1\n      w, if d < 3:\n        v: 5\n    mid, otherwise:\n      v: 2",
    "a branch in a branch": "low, if d = 1:\n      v: 1\n    mid, otherwise, if d = 2:\n      v: 2\n    high, otherwise:\n"
    "      sub, if d = 6:\n        v: 7",
    "a case in a case": "c, by d:\n      1:\n        v: 1\n      2:\n        v: 2\n      3-5: nothing\n      6:\n        sub, if pins = 0:\n          v: 7",
}


@pytest.mark.parametrize("lines", TWICE.values(), ids=TWICE)
@pytest.mark.parametrize("deep", [False, True])
def test_what_branches_share_beside_another_line_of_that_name_could_mean_two_things(lines, deep):
    body = f"    d: d6\n    {lines}\n    got: v + 0\n"
    if deep:
        body = "    outer, if pins = 0:\n" + "".join(f"  {line}\n" for line in body.splitlines())
    with pytest.raises(Mistaken) as told:
        rules_of(f"{THINGS}  to act (unit):\n{body}")
    assert [code for code, _ in told.value.args[0]] == ["N002"]


def test_the_fuller_name_beside_one_that_branches_share():
    """And the shared one, where the other line has another name: as the hint of N002 says."""
    text = f"{THINGS}  to act (unit):\n    d: d6\n    {TWICE['another branch']}\n    got: more-of.v + 0\n"
    worked(text, "unit A:\ndo: A acts\n", {"got": {0: 5 * SIXTH, 7: SIXTH}, "low.v": {NOT_RUN: 5 * SIXTH, 1: SIXTH}})
    text = text.replace("v: 7", "w: 7").replace("more-of.v", "v")
    worked(text, "unit A:\ndo: A acts\n", {"got": {1: SIXTH, 2: 5 * SIXTH}})


ROWS = f"""{THINGS}  table woe of unit (face) by face:
    1 slip:
      v: 1
    2 slap:
      v: 2
    3-5: nothing
    6 fall:
      sub, if pins = 0:
        v: 7
  to act (unit):
    w: unit.woe(d6)
"""


def test_what_rows_share_beside_another_line_of_that_name_could_mean_two_things(tmp_path):
    (tmp_path / "rows.yaml").write_text(ROWS, "utf-8")
    (tmp_path / "s.yaml").write_text("rules: rows\nunit A:\ndo: A acts\n", "utf-8")
    with pytest.raises(interpreter.Trouble) as told:
        interpreter.odds(str(tmp_path / "s.yaml"), ask=["woe.v"])
    assert [p.code for p in told.value.problems] == ["N002"]
    answer = interpreter.odds(str(tmp_path / "s.yaml"), ask=["woe.fall.sub.v"])
    assert answer.of(0)[7] == SIXTH


def test_a_rule_sets_in_at_one_branch_of_several_that_share_a_name():
    text = f"{THINGS}  to act (unit):\n    d: d6\n    low, if d = 1:\n      v: 1\n    mid, otherwise:\n      v: 2\n"
    rule = "  rule late for each unit after act.{} if actor is unit: unit gains 1 pin\n"
    with pytest.raises(Mistaken) as told:
        rules_of(text + rule.format("v"))
    assert [code for code, _ in told.value.args[0]] == ["N001"]
    worked(text + rule.format("low.v"), "unit A:\ndo: A acts\n", {"A.pins": {0: 5 * SIXTH, 1: SIXTH}})


@pytest.mark.parametrize("order", ["a first", "b first"])
def test_a_choice_goes_to_the_line_of_the_procedure_that_is_said(order, tmp_path):
    """Whoever calls that procedure: `go.blood` is not the line `blood` of what `go` calls, in whatever order they stand."""
    said = ["go.blood: no", "try.blood: yes"]
    said = said if order == "a first" else said[::-1]
    text = """
game: Calls
Things:
  kind side:
  kind unit of side:
    spite: number or none
  to go (unit):
    blood: owner wishes
    next: unit tries
  to try (unit):
    blood: owner wishes
"""
    situation = f"unit A:\ndo: A goes\nchoose: {{{', '.join(said)}}}\n"
    agreed(tmp_path, text, situation, {"go.blood": False, "try.blood": True, "next.blood": True})


def test_the_lines_of_what_a_situation_does_are_one_run(tmp_path):
    """By the name of its procedure and without it: none stays none, which in a total would be 0."""
    text = """
game: One run
Things:
  kind side:
  kind unit of side:
    spite: number or none
  to go (unit):
    mood: spite
"""
    agreed(tmp_path, text, "unit A:\ndo: A goes\n", {"mood is none": True, "go.mood is none": True})


def test_an_address_means_the_line_of_another_file_too(tmp_path):
    """Its bare name is not heard there."""
    base = "game: Base\nThings:\n  kind side:\n  kind unit of side:\n  to go (unit):\n    one: 1\n    later: block.lucky + 1\n"
    over = "game: Over\nextends: base\nThings:\n  add to go after one:\n    block, if one = 1:\n      lucky: 4\n"
    (tmp_path / "base.yaml").write_text(base)
    (tmp_path / "over.yaml").write_text(over)
    file = tmp_path / "situation.yaml"
    file.write_text("rules: over\nunit A:\ndo: A goes\n")
    assert [answer.law for answer in reference.odds(file, ["later"])] == [{5: 1}]
    assert interpreter.odds(file, ask=["later"]).of(0) == {5: 1}


def test_of_dice_that_were_not_thrown_the_face_is_nought(tmp_path):
    """`picks up to 1` of dice is a face, and 0 where none is picked, as where the line that throws was not run."""
    text = """
game: Faces
Things:
  dice high: d6 at or over
  kind side:
  kind unit of side:
    pins: number
  to go (unit):
    thrown, if pins > 0: 2 dice
    face: unit.owner picks up to 1 from thrown usually most
    more: face + 1
"""
    agreed(tmp_path, text, "unit A:\ndo: A goes\n", {"face": 0, "more": 1})
