"""Mistakes that generated rules once found in the engines, each in its smallest form."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_engines_kit import Refused, agree, case_of, law_of_odds, law_of_play, refusal, rules_of

from interpreter.engines.markov import absorbed
from interpreter.program.changes import changed
from interpreter.program.landing import landed
from interpreter.program.runtime import bag, level
from interpreter.workbench.histories import resolve

HEAD = """
game: toy
Things:
  dice high: d6 at or over
  kind side:
  kind unit of side:
    pins: number 0 to 9
    heat: number
    mood: one of moods first calm
  kind figure, many to a unit:
    wounds: number 0 to 2
  mark down of figure:
  table moods (brave):
    calm: none
    wild: 3
Doing:
"""
THINGS = "unit A: pins 1, 2 figures\nunit B: pins 2, 1 figures\n"


def asked(body, *asks, more=""):
    rules = rules_of(HEAD + body)
    case = case_of(rules, f"{THINGS}do: A acts with B\nask: [{', '.join(asks)}]\n{more}")
    agree(case)
    return law_of_odds(case)


def test_a_call_without_lines_in_a_loop():
    body = """
  to poke (unit): unit gains 1 heat
  to act (unit) with (other unit):
    pokes, for each foe in units: foe pokes
"""
    assert asked(body, "A.heat", "B.heat") == {(1, 1): 1}


@pytest.mark.parametrize(
    "line",
    [
        "unit.side picks up to mood.brave from units usually most",
        "unit.side picks 0 to mood.brave usually most",
        "unit.side picks 0 to 2 usually mood.brave",
    ],
)
def test_an_empty_cell_picks_nothing(line):
    assert asked(f"  to act (unit) with (other unit):\n    chosen: {line}\n", "chosen") == {(0,): 1}


def test_an_empty_cell_kept_under_a_name_is_neither_more_nor_less():
    body = """
  to act (unit) with (other unit):
    bold: mood.brave
    low: bold < 3
    high: bold >= 3
    rolls, repeat bold times: d6
    kept: unit.heat becomes bold
    pinned: unit.pins becomes bold
"""
    assert asked(body, "low", "high", "rolls", "A.heat", "A.pins") == {(False, False, 0, 0, 0): 1}


HITS = """
  to hit (unit) at (other unit): other gains unit.pins + 1 pins
  to act (unit) with (other unit):
    made: new unit (side unit.side, pins 1)
    both, together:
      hit-by: unit hits at made
      hit-too: other hits at made
    hurt: made.pins
"""


def test_what_was_made_before_a_together_takes_every_blow():
    assert asked(HITS, "hurt", "A.pins") == {(1 + 2 + 3, 1): 1}


def test_everything_made_or_gone_in_a_together_counts():
    body = """
  to spawn (unit):
    made: new unit (side unit.side, pins 1)
  to go-away (unit): unit leaves play
  to act (unit) with (other unit):
    both, together:
      made: unit spawns
      made-too: other spawns
    there: units
    off, together:
      gone: unit goes-away
      gone-too: other goes-away
"""
    assert asked(body, "there", "units") == {(4, 2): 1}


def test_a_choice_of_the_situation_sees_the_state_as_it_is():
    body = """
  to act (unit) with (other unit):
    warm: unit gains d2 heat
    who: unit.side picks 1 from units usually it.pins > 0
    hurt: who gains 1 pins
"""
    law = asked(body, "A.pins", "B.pins", more="choose: {who: it.heat > 1 or it.pins > 1 and it.heat = 1}\n")
    assert sum(law.values()) == 1
    chosen = asked(body, "A.pins", "B.pins", more="choose: {who: it.heat > 1}\n")
    assert chosen == {(2, 2): 1}  # A is first, hot or not
    cold = asked(body, "A.pins", "B.pins", more="choose: {who: it.heat < 2}\n")
    assert {k: float(v) for k, v in cold.items()} == {(2, 2): 0.5, (1, 3): 0.5}


def test_numbers_of_counted_things_stay_within_their_range():
    body = "  to act (unit) with (other unit):\n    set: figures.wounds becomes 5\n"
    assert asked(body, "sum(A.figures.wounds)") == {(4,): 1}


def test_a_change_touches_nobody_twice():
    held, part = bag([((0,), 1)]), bag([((0,), 1), ((1,), 1)])  # whoever was (1,) is not there any more
    assert changed(held, part, lambda f: (f[0] + 1,)) == (((1,), 1),)


def test_sets_land_together():
    assert landed("set", (1, 2, 5), (1, 2, 3), (2, 3, 4)) == (2, 4, 5)


def test_a_chain_may_be_left_through_a_state_first_met_late():
    rows = {"a": ({"b": 1, "x": 1}, 2), "b": ({"a": 2, "y": 1}, 3)}
    law, total = absorbed({"a": 1}, 1, rows, AssertionError)
    assert {k: w / total for k, w in law.items()} == {"x": 0.75, "y": 0.25}


OUTCOMES = """
  mark stuck of figure:
  mark shaken of figure:
  to jump (figure): figure gains shaken
  table faults of figure (face) by face:
    1-2 spring: figure gains stuck
    3-4 jolt: figure jumps
    5-6 pop: figure.faults(face - 4)
  to act (unit) with (other unit):
    falls, for each man in figures:
      fault: man.faults(d6)
      then-on: man gains 1 wounds
"""


def test_an_outcome_table_of_a_counted_kind_calls_with_its_own_subject():
    law = asked(OUTCOMES, "A.figures where stuck", "A.figures where shaken", "sum(A.figures.wounds)")
    assert law == {(2, 0, 2): Fraction(4, 9), (1, 1, 2): Fraction(4, 9), (0, 2, 2): Fraction(1, 9)}


def test_a_cell_of_nothing_at_all_is_still_a_cell():
    body = """
  table guns (range, kick):
    bow: 0", 0
    gun: 6"
  value slowest of unit:
    quick: bow.kick
    slow: gun.kick if pins > 1
  to act (unit) with (other unit):
    of-range: 1 if any bow.range and any gun.range else 0
    of-kick: 1 if any bow.kick and no gun.kick else 0
    of-value: 1 if any unit.slowest and no other.slowest else 0
    kick: bow.kick
    of-line: 1 if kick is not none else 0
    minus: 2 - 3
    of-less: 1 if minus is not none else 0
"""
    law = asked(body, "of-range", "of-kick", "of-value", "of-line", "of-less")
    assert law == {(1, 1, 1, 1, 1): 1}


def test_each_row_of_an_outcome_table_reads_its_own_lines():
    body = """
  table faults of unit (face) by face:
    1-3 spring:
      few: 2
      inner:
        few: 3
        there: unit gains few heat
      gone: unit gains few pins
    4-6 pop:
      few: 1
      gone, if few > 0: unit gains few pins
  to act (unit) with (other unit):
    fault: unit.faults(d6)
"""
    assert asked(body, "A.heat", "A.pins") == {(3, 3): Fraction(1, 2), (0, 2): Fraction(1, 2)}


def test_half_a_distance_is_no_whole_number_of_inches():
    body = """
  value far of unit: half(9")
  to act (unit) with (other unit):
    reach: half(9")
    told: 1 if reach = 4.5" and unit.far = reach else 0
    men: half(9)
"""
    assert asked(body, "told", "men") == {(1, 5): 1}


def test_a_trace_tells_what_became_not_what_would_become_again():
    rules = rules_of(
        "game: x\nThings:\n  kind side:\n  kind unit of side:\n    alive: number\n"
        "Doing:\n  dice high: d6 at or over\n  to hurt (unit):\n    fall: alive becomes alive - 1\n"
    )
    outcome = resolve(case_of(rules, "unit A: alive 10\ndo: A hurts\nask: A.alive\n"), seed=1)
    told = [e.text for e in outcome.events[0].children if e.kind == "effect"]
    assert told == ["alive of A: 10 → 9"]
    assert outcome.values == {"A.alive": 9}


@pytest.mark.parametrize(
    ("lines", "ask", "worth"),
    [
        (
            """
    men: figures
    deal, repeat 2 times:
      who: unit.side picks 1 from men where wounds = 0 usually wounds = 0
      hit: who gains 1 wounds
    struck: men where wounds > 0
    told: sum(men.wounds)""",
            ["told", "struck"],
            (2, 2),
        ),
        (
            """
    looks, for each man in figures:
      all-of-them: figures gain 1 wounds
      mine: man gains down""",
            ["sum(A.figures.wounds)", "A.figures where down"],
            (4, 2),
        ),
        (
            """
    one-man: unit.side picks 1 from figures usually wounds = 0
    two-men: figures
    hit: two-men gain 1 wounds
    off: one-man gains down
    gone: two-men where down""",
            ["sum(A.figures.wounds)", "A.figures where down", "gone"],
            (2, 1, 1),
        ),
        (
            """
    men: figures
    jumps, for each man in men: man stumbles
    fallen: men where down""",
            ["fallen", "men where wounds = 1"],
            (2, 2),
        ),
        (
            """
    mine: figures
    theirs: other.figures
    both-of-them: mine + theirs
    off: both-of-them gain down
    hit: mine gain 1 wounds
    seen: both-of-them where wounds = 1
    home: theirs.unit becomes unit
    hit-too: both-of-them gain 1 wounds""",
            ["seen", "A.figures where down and wounds > 0", "B.figures"],
            (2, 3, 0),
        ),
    ],
)
def test_names_follow_their_figures(lines, ask, worth):
    body = "  to stumble (figure):\n    hit: figure gains 1 wounds\n    off: figure gains down\n"
    assert asked(f"{body}  to act (unit) with (other unit):{lines}\n", *ask) == {worth: 1}


LOST = """
  to shake (unit): figures gain 1 wounds
  to act (unit) with (other unit):
    looks, for each man in figures:
      all-of-them: unit shakes
      mine: man gains down
"""


def test_an_effect_on_figures_that_another_procedure_changed_finds_them():
    assert asked(LOST, "A.figures where down", "sum(A.figures.wounds)") == {(2, 4): 1}


def test_a_second_change_of_figures_as_they_stood_is_refused():
    body = """
  to act (unit) with (other unit):
    both, together:
      hit: unit.figures gain 1 wounds
      off: unit.figures gain down
"""
    case = case_of(rules_of(HEAD + body), f"{THINGS}do: A acts with B\nask: A.figures where down\n")
    with pytest.raises(Refused, match="E005"):
        law_of_play(case)
    assert refusal(case) == ["E005"]


def test_those_who_left_play_are_not_missed():
    body = """
  mark fallen of figure: out of play
  to fell (unit): figures gain fallen
  to act (unit) with (other unit):
    men: figures
    all-of-them: unit fells
    off: men gain down
"""
    assert asked(body, "A.figures", "men") == {(0, 2): 1}


def test_those_who_left_play_go_with_their_unit():
    body = """
  mark fallen of figure: out of play
  to act (unit) with (other unit):
    off: unit.side picks 1 from figures usually wounds = 0
    gone: off gains fallen
    theirs: unit.fallens.unit becomes other
    scar: other.fallens gain 1 wounds
    all-of-them: unit.figures.unit becomes other
    back, if d2 = 1: other.fallens lose fallen
"""
    asks = ("A.figures", "A.fallens", "B.figures", "B.fallens", "sum(B.figures.wounds)")
    assert asked(body, *asks) == {(0, 0, 3 - n, n, 1 - n): Fraction(1, 2) for n in (0, 1)}


def test_a_rule_as_a_part_is_for_who_plays_it():
    body = """
  kind truck, a unit:
  to hit (unit) at (target unit): nothing
  rule back for each unit after hit as target if heat = 0: unit gains 1 pins
  rule back-too for each truck after hit as target: truck gains 5 pins
  to act (unit) with (other unit): unit hits at other
"""
    assert asked(body, "A.pins", "B.pins") == {(1, 3): 1}


def test_a_thing_that_the_rules_make_begins_with_what_they_say():
    """What is worked out from a card is nothing yet: whoever belongs to the new unit is not there."""
    body = """
  to act (unit) with (other unit):
    made: new unit (side unit.side)
    wild: new unit (side unit.side, mood wild)
    calm, if made.mood is calm: 1
    said, if wild.mood is wild: 1
"""
    assert asked(body, "calm", "said") == {(1, 1): 1}


def test_of_what_a_table_gives_no_number_nobody_may_begin_with_any():
    body = (
        HEAD.replace("  mark down of figure:", "  mark down of figure: up to unit.mood.brave per unit")
        + "  to act (unit): unit\n"
    )
    text = "unit A: pins 1, 2 figures, down, mood {}\ndo: A acts\nask: A.pins\n"
    assert refusal(case_of(rules_of(body), text.format("calm"))) == ["F012"]
    assert law_of_odds(case_of(rules_of(body), text.format("wild"))) == {(1,): 1}


def test_ways_with_other_dice_that_meet_at_one_place():
    body = """
  roll lucky of unit: needs 4
  to act (unit) with (other unit):
    red: d6
    blue: d6
    low: red = 1
    further, if blue < 3:
      saved, if low: max(0, red - blue) passing lucky
      spent, if not low: d4
    green, if low: d6
    white: d6
"""
    law = asked(body, "further.spent", "green", "low")
    assert sum(law.values()) == 1
    assert sum(chance for (_, _, low), chance in law.items() if low) == Fraction(1, 6)


@given(
    st.integers(1, 60),
    st.lists(st.tuples(st.dictionaries(st.integers(0, 3), st.integers(1, 9)), st.integers(1, 60)), max_size=4),
)
def test_fronts_that_meet_keep_their_chances(den, fronts):
    before = [{world: Fraction(w, other) for world, w in front.items()} for front, other in fronts]
    both = level(den, *(part for front in fronts for part in front))
    assert both % den == 0
    assert [{world: Fraction(w, both) for world, w in front.items()} for front, _ in fronts] == before


KEPT = """\
game: What a card keeps
Things:
  dice high: d2 at or over
  kind side:
  kind unit of side:
    pins: number 0 to 3
    heat: number
    stride: inches
    mood: one of moods first calm
  table moods (brave, step):
    calm: 5, 4"
    wild: none
  to act (unit):
    e1: {effect}
    smallest: min(2, {who}.heat)
    none-of-it: {who}.heat < 1
    far: {who}.stride > 1"
    capped: {who}.pins
"""


@pytest.mark.parametrize(
    ("mood", "law"), [("calm", (2, False, True, 3)), ("wild", (0, True, False, 0))]
)  # fmt: skip
@pytest.mark.parametrize("how", ["made", "becomes"])
def test_a_number_is_kept_alike_whether_a_thing_is_made_with_it_or_becomes_it(how, mood, law):
    """None of it is 0, and its limits hold, on a new card as on an old one."""
    said = {
        "made": ("new unit (side unit.side, heat unit.mood.brave, pins unit.mood.brave, stride unit.mood.step)", "e1"),
        "becomes": ("\n      x: unit.heat becomes unit.mood.brave\n      y: unit.pins becomes unit.mood.brave\n"
                    "      z: unit.stride becomes unit.mood.step", "unit"),
    }  # fmt: skip
    rules = rules_of(KEPT.format(effect=said[how][0], who=said[how][1]))
    case = case_of(rules, f'unit A: {mood}, stride 1"\ndo: A acts\nask: [smallest, none-of-it, far, capped]\n')
    assert agree(case) == 1
    assert law_of_odds(case) == {law: 1}
