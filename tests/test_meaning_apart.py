"""What a `together` sees, what a call of nobody comes to, and collections of unlike things: as the manual says, everywhere."""

import json

import pytest
from test_engines_kit import Mistaken, rules_of
from typed import CliRunner
from worked import agreed

from interpreter.surfaces.cli.group import main
from interpreter.workbench.answers import NOT_RUN

THINGS = """game: Apart
Things:
  kind side:
  kind unit of side:
    pins: number 0 to 9
    heat: number 0 to 9
  kind tank, a unit:
    keen: number
  kind figure, many to a unit:
    arm: one of arms or none
  kind gun, a figure:
  mark sad of unit:
  table arms: bow, rifle
  table moods: calm, wild
"""

TOGETHER = """  rule weep for each unit after sad: unit gains (unit.pins) heat
  table harm of unit (face) by face:
    1 hard:
      inner: unit gains 1 pin
      felt: unit gains (unit.pins) heat
    2 or more easy: nothing
  to tire (unit):
    step: unit gains 1 pin
    now: unit.pins
  to act (unit) with (target unit):
"""

# lines of `act`, from 1 pin; what is asked of them
SEEN = [
    ("l, together:\n      g: unit gains 1 pin\n      n: unit.pins", {"n": 1, "A.pins": 2}),
    ("l, together:\n      deep:\n        g: unit gains 1 pin\n        n: unit.pins", {"n": 1, "A.pins": 2}),
    ("l, for each u in units, together:\n      g: u gains 1 pin\n      n: u.pins", {"l.n": 2, "A.pins": 2, "B.pins": 2}),
    ("l, repeat 2 times, together:\n      g: unit gains 1 pin\n      n: unit.pins", {"l.n": 2, "A.pins": 3}),
    ("l, together:\n      g: unit gains 1 pin\n      m, together:\n        h: unit gains 1 pin\n      n: unit.pins", {"n": 1, "A.pins": 3}),
    ("l, together:\n      g: unit tires\n      n: unit.pins", {"g.now": 2, "n": 1, "A.pins": 2}),
    ("l, together:\n      g: unit tires\n      h: unit tires", {"g.now": 2, "h.now": 2, "A.pins": 3}),
    ("l, together:\n      g: unit.harm(1)\n      n: unit.pins", {"n": 1, "A.heat": 2, "A.pins": 2}),
    ("l, together:\n      g: unit gains 1 pin\n      h: unit gains sad", {"A.heat": 1, "A.pins": 2}),
    ("l, for each f in (unit.figures where arm is bow), together:\n      g: unit gains 1 pin\n      n: unit.pins", {"l.n": 2, "A.pins": 3}),
]  # fmt: skip


@pytest.mark.parametrize(("lines", "asks"), SEEN)
def test_together_sees_the_state_as_it_was(lines, asks, tmp_path):
    rules = f"{THINGS}{TOGETHER}    {lines}\n"
    situation = "unit A:\n  is: pins 1\n  figures: [2 with arm bow]\nunit B: pins 1\ndo: A acts with B\n"
    agreed(tmp_path, rules, situation, asks)


def test_a_call_of_nobody_runs_none_of_the_lines(tmp_path):
    rules = (
        f"{THINGS}  to tend (unit):\n    n: 3\n    worse: unit gains 1 pin\n"
        "  to act (unit) with (target unit):\n    them: units where it.pins > 2\n    chosen: first(them)\n"
        "    e: chosen tends\n    loop, for each x in them: x tends\n    sum-e: e.n + 1\n    did: ran(e.n)\n"
    )
    asks = {"e.n": NOT_RUN, "ran(e)": True, "ran(e.n)": False, "sum-e": 1, "did": False, "loop.n": 0, "ran(loop)": True}
    agreed(tmp_path, rules, "unit A:\nunit B:\ndo: A acts with B\n", asks)


COUNTED = [
    ("figures - units + 1", 2), ("1 + figures - units", 2), ("half(figures - units)", 1),
    ("(figures - units) if unit.pins = 0 else 7", 1), ("7 if unit.pins > 0 else (figures - units)", 1),
    ("min(figures, units)", 2), ("0 + figures - units", 1), ("figures - guns", 2), ("figures + guns", 3),
    ("units - tanks", 2), ("tanks + units", 2), ("0 + figures if unit.pins = 0 else 0 + units", 3),
]  # fmt: skip
UNLIKE = [
    "figures - units", "units + sides", "moods - arms", "unit + unit.side", "figures + unit", "(figures - units) + guns",
    "figures if unit.pins = 0 else units", "first((figures - units))", "any (figures - units)",
]  # fmt: skip
STRANGERS = ["unit.side in units", "unit in sides", "calm in arms", "first(arms) in moods"]


@pytest.mark.parametrize(("said", "comes"), COUNTED)
def test_of_unlike_things_each_is_counted_beside_a_number(said, comes, tmp_path):
    rules = f"{THINGS}  to act (unit) with (target unit):\n    n: {said}\n"
    situation = "unit A:\n  figures: [2 with arm bow]\n  is: 1 guns\nunit B:\ndo: A acts with B\n"
    agreed(tmp_path, rules, situation, {"n": comes})


@pytest.mark.parametrize("said", UNLIKE)
def test_unlike_things_are_never_put_together(said):
    rules = f"{THINGS}  to act (unit) with (target unit):\n    n: {said}\n"
    assert _code(rules) == "T014"


@pytest.mark.parametrize("said", STRANGERS)
def test_nothing_is_looked_for_among_what_it_cannot_be(said):
    rules = f"{THINGS}  to act (unit) with (target unit):\n    n: {said}\n"
    assert _code(rules) == "T001"


def _code(rules):
    with pytest.raises(Mistaken) as told:
        rules_of(rules)
    (code, _), *more = told.value.args[0]
    assert not more
    return code


def test_a_rule_instead_asks_all_units(tmp_path):
    rules = (
        f"{THINGS}  rule calm-down for each unit instead of act if sad: unit gains 1 heat\n"
        "  to act (unit) with (target unit):\n    n: unit.pins\n"
    )
    asks = {"A.heat": 0, "B.heat": 1, "C.heat": 1, "ran(n)": False}
    agreed(tmp_path, rules, "unit A:\nunit B: sad\nunit C: sad\ndo: A acts with B\n", asks)


DICE = """    f: 2d6
    g: 2d6
    hi: f where it >= 5
    gi: g where it >= 5
    both: hi + gi
"""


@pytest.mark.parametrize("said", ["hi - gi", "both - (2d6 where it = 6)", "(f where it = 6) - both"])
def test_dice_are_taken_out_of_those_of_their_own_throw_only(said):
    assert _code(f"{THINGS}  to act (unit):\n{DICE}    n: {said}\n") == "T014"


@pytest.mark.parametrize(
    ("said", "same"),
    [
        ("both - hi", "gi"),
        ("f - hi", "(f where it < 5)"),
        ("(hi + gi) - gi", "hi"),
        ("hi - (f where it = 6)", "(f where it = 5)"),
    ],
)
def test_dice_of_one_throw_are_taken_out_of_each_other(said, same, tmp_path):
    rules = f"{THINGS}  to act (unit):\n{DICE}    n: {said}\n    m: {same}\n"
    agreed(tmp_path, rules, "unit A:\ndo: A acts\n", {"n + 0 = m + 0": True})


@pytest.mark.parametrize(("said", "codes"), [("hi - gi", ["T014"]), ("both - hi", []), ("0 + hi - gi", [])])
def test_a_question_takes_dice_out_of_those_of_their_own_throw_only(said, codes, tmp_path):
    (tmp_path / "shake.yaml").write_text(f"{THINGS}  to act (unit):\n{DICE}".lstrip(), "utf-8")
    (tmp_path / "s.yaml").write_text("rules: shake\nunit A:\ndo: A acts\n", "utf-8")
    for _ in range(2):  # the second time from the cache
        done = CliRunner().invoke(main, ["odds", str(tmp_path / "s.yaml"), "--ask", said, "--json"])
        assert [p["code"] for p in json.loads(done.output).get("problems", [])] == codes, done.output
