"""Amounts are whole, and what is said of a choice is done: limits of marks, `choose:`, a mean below nothing."""

import pytest
from reference import odds
from test_engines_kit import Mistaken, rules_of
from typed import CliRunner
from worked import agreed

from interpreter.source import Problems
from interpreter.surfaces.cli.group import main
from interpreter.workbench.bands import answer_case
from interpreter.workbench.cases import prepare
from interpreter.workbench.files import open_situation

RULES = """game: Amounts
Things:
  kind side:
  kind unit of side:
    pins: number 0 to 9
  kind figure, many to a unit:
    hurts: number
  mark hot of figure:
  mark tired of figure: up to {most} per unit
  to act (unit) with (target unit):
    low-high: unit.owner picks up to half(target.figures) from unit.figures
    just: unit.owner picks half(unit.figures) from unit.figures
    winded: unit.figures gain tired
    below: unit.pins - 2
"""
SITUATION = "unit A: 5 figures\nunit B: 3 figures\ndo: A acts with B\n"


@pytest.mark.parametrize("most", ["figures / 2", "(figures + pins) / 2"])
@pytest.mark.parametrize("gained", [True, False])
def test_a_limit_is_a_whole_number_also_of_a_mark_that_nobody_gains(most, gained):
    text = RULES if gained else RULES.replace("    winded: unit.figures gain tired\n", "")
    with pytest.raises(Mistaken) as told:
        rules_of(text.format(most=most))
    assert told.value.args[0] == [("T012", most)]


def test_a_limit_is_asked_of_each_holder(tmp_path):
    agreed(
        tmp_path,
        RULES.format(most="half(figures)"),
        f"{SITUATION}choose: {{low-high: 1}}\n",
        {"A.figures where tired": 3},
    )


@pytest.mark.parametrize(("said", "picked"), [("1", 1), ("2", 2), ("5", 2), ("most", 2), ("fewest", 0)])
def test_a_number_is_as_near_as_is_allowed(said, picked, tmp_path):
    rules = RULES.format(most="2")
    agreed(tmp_path, rules, f"{SITUATION}choose: {{low-high: {said}}}\n", {"low-high": picked, "just": 3})


@pytest.mark.parametrize("said", ["1", "most", "fewest"])
def test_how_many_is_not_chosen_where_the_rules_say_it(said, tmp_path):
    (tmp_path / "game.yaml").write_text(RULES.format(most="2"))
    scene = tmp_path / "scene.yaml"
    scene.write_text(f"rules: game\n{SITUATION}choose: {{just: {said}}}\nask: [just]\n")
    done = CliRunner().invoke(main, ["odds", str(scene)])
    assert done.exit_code == 1
    assert f"F010: `{said}` is not allowed here" in done.output


@pytest.mark.parametrize(("mean", "code"), [("-2", 0), ("-4/2", 0), ("-3", 1), ("2", 1)])
def test_a_mean_may_be_below_nothing(mean, code, tmp_path):
    example = "  example low:\n    unit A: 5 figures\n    unit B: 3 figures\n    do: A acts with B\n"
    odds = f"    choose: {{low-high: 1}}\n    odds: {mean} mean below\n"
    (tmp_path / "amounts.yaml").write_text(RULES.format(most="2") + example + odds)
    assert CliRunner().invoke(main, ["test", str(tmp_path / "amounts.yaml")]).exit_code == code


LESS = """game: Less than nothing
Things:
  kind unit:
    pace: number or none first none
    out: inches first 5"
  mark fresh of unit: until after move
  to go (unit):
    here: unit gains fresh
    short: unit moves up to (2" - unit.out)
    far: short + 4"
    one: unit loses all pace
  to halt (unit):
    every: units lose all pace
"""


def test_nobody_moves_less_than_nothing_and_none_stays_none_when_all_of_it_is_lost(tmp_path):
    asks = {"short": 0, "far": 4, "A.pace is none": True, "B.pace": 3, "A is fresh": True}
    agreed(tmp_path, LESS, "unit A:\nunit B: pace 3\ndo: A goes\n", asks)
    agreed(tmp_path, LESS, "unit A:\nunit B: pace 3\ndo: A halts\n", {"A.pace is none": True, "B.pace": 0})


FIRST = """game: Who goes first
Things:
  kind side:
  kind unit of side:
  kind figure, many to a unit:
  mark ace of figure:
  to pay (unit):
    gone: owner picks up to 2 from figures usually ace
    plain: gone where not ace
  to spend (unit):
    gone: owner picks up to 2 from figures usually most, ace
    plain: gone where not ace
"""


@pytest.mark.parametrize(
    ("do", "most", "plain"),
    [
        ("A pays", 2, 1),  # none, the ace, or the ace and another one
        ("A spends\nchoose: {spend.gone: any}", 2, 2),
        ("A pays\nchoose: {pay.gone: not ace}", 2, 2),  # none, one of the others, or two of them
    ],
)
def test_who_goes_first_is_kept_where_it_is_open_how_many_go(tmp_path, do, most, plain):
    (tmp_path / "first.yaml").write_text(FIRST)
    situation = tmp_path / "situation.yaml"
    situation.write_text(f"rules: first\nunit A: {{figures: [1 with ace, 4]}}\ndo: {do}\nask: [gone, plain]\n")
    case = prepare(*open_situation(situation, Problems()), Problems())
    band = answer_case(case)
    assert [band.mean(0), band.mean(1)] == [(0, most), (0, plain)]
    assert [a.band for a in odds(situation, ["gone", "plain"])] == [(0, most), (0, plain)]
