"""Tables that lead to tables and loops without end: solved exactly, or refused by name."""

from fractions import Fraction as F
from pathlib import Path

import pytest
from test_engines_kit import agree, bounded, case_of, law_of_odds, refusal, rules_of

from interpreter.workbench.histories import resolve

RULES = rules_of((Path(__file__).parent / "data" / "chains.yaml").read_text(encoding="utf-8"))


def case(do, *asks, things="machine M:\nmachine N:\n"):
    return case_of(RULES, f"{things}do: {do}\nask: [{', '.join(asks)}]\n")


def law(do, *asks, **more):
    return law_of_odds(case(do, *asks, **more))


def test_three_tables_with_all_their_loops():
    rows = law("M breaks", "M.last-row")
    assert [rows[(r,)] for r in range(1, 6)] == [F(1, 34)] * 5
    assert [rows[(r,)] for r in range(12, 16)] == [F(3, 17)] * 4
    assert [rows[(r,)] for r in range(22, 27)] == [F(1, 34)] * 5
    assert sum(rows.values()) == 1


def test_the_first_row_can_be_read_while_the_chain_goes_on():
    joint = law("M falls-apart", "row is far", "M.last-row")
    assert sum(w for (far, _), w in joint.items() if far) == F(1, 6)
    assert sum(w for (_, row), w in joint.items() if row == 12) == F(3, 17)
    assert joint[True, 12] == F(1, 6) * F(1, 6) * F(3, 17)  # Ruin 1 sent it back
    assert {row for far, row in joint if far} == {r for _, r in joint}


def test_what_was_done_before_a_chain_stays_done():
    joint = law("M falls-apart", "M.faults", "M.last-row")
    assert sum(w for (faults, _), w in joint.items() if faults) == F(1, 6)


@pytest.mark.parametrize(
    ("do", "asks", "longest"),
    [
        ("M breaks", ["M.last-row"], 6),
        ("M falls-apart", ["row is far", "M.faults", "M.last-row"], 6),
        ("M duels with N", ["M is jammed", "N is jammed"], 6),
        ("M competes with N", ["throws.won", "throws.lost"], 6),
        ("M fumbles", ["M.faults", "M is jammed"], 4),
        ("M smashes", ["M.faults", "M is ruined", "M.first-row"], 6),
    ],
)
def test_every_script_followed_stays_within_the_odds(do, asks, longest):
    lost = [bounded(case(do, *asks), n) for n in (longest - 2, longest)]
    assert 0 < lost[1] < lost[0]
    assert lost[1] < F(1, 5)


def test_a_table_that_leads_back_to_itself_is_over_once():
    """What comes behind the moment that it began is no hindrance: inside, it begins none."""
    rows = law("M smashes", "M.faults", "M is ruined", "M.first-row")
    assert rows[1, True, 0] == F(12, 17)
    assert [rows[1, False, r] for r in range(1, 6)] == [F(1, 17)] * 5
    assert sum(rows.values()) == 1


def test_duels_without_end():
    assert law("M competes with N", "throws.won") == {(1,): F(1, 2), (0,): F(1, 2)}
    ahead = law("M competes with N", "throws.won", things="machine M: faults 1\nmachine N:\n")
    assert ahead == {(1,): F(21, 31), (0,): F(10, 31)}
    fair = {(True, False): F(1, 2), (False, True): F(1, 2)}
    assert law("M duels with N", "M is jammed", "N is jammed") == fair


def test_a_table_rolled_twice_with_its_own_row_thrown_again():
    once = {(1, False): F(4, 5), (0, True): F(1, 5)}
    lesser = {}
    for (f1, j1), p in once.items():
        for (f2, j2), q in once.items():
            key = (f1 + f2, j1 or j2)
            lesser[key] = lesser.get(key, 0) + p * q
    expected = {k: F(1, 6) * w for k, w in lesser.items()}
    expected[1, False] = expected.get((1, False), 0) + F(4, 6)
    expected[0, True] = expected.get((0, True), 0) + F(1, 6)
    assert law("M fumbles", "M.faults", "M is jammed") == expected


@pytest.mark.parametrize(
    ("do", "code", "step"),
    [("M hangs", "E002", "hang.throws"), ("M circles", "E002", ""), ("M branches", "E003", "branch")],
)
def test_what_never_ends_or_is_no_chain_is_refused(do, code, step):
    made = case(do, "M.faults")
    assert refusal(made) == [code]
    told = next(iter(made.problems))
    assert step in told.message
    assert told.span is not None


def test_too_many_worlds_name_the_step():
    made = case("M counts-up", "M.first-row")
    assert refusal(made, limit=500) == ["E001"]
    assert "count-up.throws" in next(iter(made.problems)).message


def test_a_play_that_does_not_stop_is_stopped():
    made = case("M hangs", "M.faults")
    assert resolve(made, seed=1) is None
    assert [p.code for p in made.problems] == ["E004"]


def test_an_evening_of_a_few_hundred_thousand_steps_is_played_to_its_end():
    rules = rules_of("game: Drill\nDrill:\n  kind unit:\n    n: number\n  to drill (unit):\n    steps, repeat 250000 times: unit gains 1 n\n")
    made = case_of(rules, "unit A:\ndo: A drills\n")
    assert resolve(made, seed=1) is not None, made.problems


def test_a_bounded_loop_is_exhausted():
    text = (Path(__file__).parent / "data" / "chains.yaml").read_text(encoding="utf-8")
    rules = rules_of(text.replace("repeat until won + lost > 0", "repeat up to 2 times until won + lost > 0"))
    asked = "do: M competes with N\nask: [throws.won, throws.lost]\n"
    made = case_of(rules, f"machine M:\nmachine N: faults 2\n{asked}")
    assert agree(made) == 32 + 4 * 36


@pytest.mark.parametrize(("faults", "rounds"), [(0, 0), (1, 0), (2, 1), (3, 2)])
def test_up_to_no_times_is_never(faults, rounds):
    text = (Path(__file__).parent / "data" / "chains.yaml").read_text(encoding="utf-8")
    rules = rules_of(
        text.replace("repeat until won + lost > 0", "repeat up to faults - 1 times until won + lost > 5").replace(
            "mine: d6 + faults", "mine: 2\n      turn: 1"
        )
    )
    asked = "do: M competes with N\nask: [throws.turn, throws.mine]\n"
    made = case_of(rules, f"machine M: faults {faults}\nmachine N: faults 0\n{asked}")
    agree(made)
    assert law_of_odds(made)
    assert {values[0] for values in law_of_odds(made)} == {rounds}


INSIDE = """\
game: A loop without a limit inside another
Things:
  dice high: d2 at or over
  kind unit:
    pins: number 0 to 3
  mark hot of unit:
  to warm-up (unit):
    face: d2
    sign, if face = 1: unit gains hot
    cools, otherwise: unit loses hot
  to act (unit):
    rounds, {outer}:
      waits, repeat until settled:
        settled: {over}
      warms: unit warms-up
      warm: unit is hot
    last: unit is hot
"""


@pytest.mark.parametrize(
    "outer", ["repeat up to 2 times until warm", "repeat 2 times", "repeat up to 3 times until pins > 0"]
)
@pytest.mark.parametrize("over", ["true", "unit.pins >= 0", "not (unit.pins > 0)"])
@pytest.mark.parametrize("asked", ["rounds.warm", "last", "unit is hot"])
def test_a_loop_without_a_limit_inside_another(outer, over, asked):
    """It is left in each round of the one around it, and nothing of it stays behind."""
    rules = rules_of(INSIDE.format(outer=outer, over=over))
    agree(case_of(rules, f"unit A:\ndo: A acts\nask: {asked.replace('unit', 'A')}\n"))


def test_a_loop_of_dice_without_a_limit_inside_another():
    rules = rules_of(INSIDE.format(outer="repeat up to 2 times until warm", over="d2 = 1"))
    made = case_of(rules, "unit A:\ndo: A acts\nask: [rounds.warm, last]\n")
    assert law_of_odds(made) == {(True, True): F(3, 4), (False, False): F(1, 4)}
    assert bounded(case_of(rules, "unit A:\ndo: A acts\nask: rounds.warm\n"), 8) < F(1, 8)


def test_a_loop_whose_rounds_all_stay_apart_is_refused_before_its_chances_fill_the_memory():
    """Each chance is a product of all rounds before it, and there are as many ends as rounds."""
    rules = rules_of(
        """game: Exploding
Things:
  kind unit:
  to explode (unit):
    burst, repeat until cold:
      face: d6
      cold: face < 6
"""
    )
    assert refusal(case_of(rules, "unit A:\ndo: A explodes\nask: [burst.face > 6]\n")) == ["E001"]
