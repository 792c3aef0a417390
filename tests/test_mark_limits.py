"""`up to N per unit` is kept: whoever gives the mark, as many as still fit gain it, and no more."""

from fractions import Fraction

import pytest
from test_engines_kit import Mistaken, case_of, law_of_odds, law_of_play, rules_of
from worked import agreed

from interpreter.engines.trace_events import walk
from interpreter.workbench import bands
from interpreter.workbench.histories import resolve

HEAD = """
game: toy
Things:
  dice high: d6 at or over
  kind side:
  kind unit of side:
    pins: number
    mood: one of moods first two
  kind figure, many to a unit:
    arm: one of arms or none
    hurt: number
  table arms: bow, gun
  table moods (room): none-at-all, two, four
  mark lost of figure: out of play
  mark down of figure: {limit}
Doing:
"""
TABLE = "  table moods (room):\n    none-at-all: none\n    two: 2\n    four: 4\n"
HEAD = HEAD.replace("  table moods (room): none-at-all, two, four\n", TABLE)
DOWN = "max(A.figures where down, 0)"


def rules(body, limit="up to unit.mood.room per unit"):
    return rules_of(HEAD.format(limit=limit) + body)


def law(body, situation, *asked, limit="up to unit.mood.room per unit"):
    """The joint law by odds; a play under every script of dice, traced and not, has the same."""
    asks = ", ".join(f"'{a}'" for a in asked)
    case = case_of(rules(body, limit), f"{situation}\nask: [{asks}]\n")
    found = law_of_odds(case)
    for traced in (False, True):
        played, lost, _ = law_of_play(case, traced=traced)
        assert not lost
        assert played == found
    return found


WAYS = {
    "by what they hold": "to act (unit), (n number):\n    e1: unit.figures gain down",
    "by a name": "to act (unit), (n number):\n    men: figures\n    e1: men gain down",
    "by a condition": "to act (unit), (n number):\n    e1: (figures where hurt = 0) gain down",
    "one by one": "to act (unit), (n number):\n    e1, for each man in figures: man gains down",
    "together": "to act (unit), (n number):\n    e1, for each man in figures, together: man gains down",
    "in two halves": """to act (unit), (n number):
    e1, together:
      guns: (figures where arm is gun) gain down
      bows: (figures where arm is not gun) gain down""",
    "by a call": "to act (unit), (n number):\n    e1: unit fells figures\n  to fell (unit), (men figures): men gain down",
    "picked": "to act (unit), (n number):\n    men: owner picks n from figures usually arm is gun\n    e1: men gain down",
    "becomes": "to act (unit), (n number):\n    e1: unit.figures.down becomes true",
    "twice": "to act (unit), (n number):\n    e1: figures gain down\n    e2: figures gain down",
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(("mood", "most"), [("none-at-all", 0), ("two", 2), ("four", 4)])
def test_no_more_gain_a_mark_than_may_have_it(way, mood, most):
    known = " and down" if most else ""
    situation = f"unit A:\n  is: {mood}\n  figures: [2 with arm gun, 1 with arm gun{known}, 2]\ndo: A acts 5"
    assert law(f"  {WAYS[way]}\n", situation, DOWN) == {(most,): 1}


def test_each_unit_has_its_own_limit():
    body = """
  to act (unit) with (other unit):
    both: unit.figures + other.figures
    e1: both gain down
"""
    situation = "unit A: two, 5 figures\nunit B: four, 5 figures\ndo: A acts with B"
    assert law(body, situation, DOWN, DOWN.replace("A.", "B.")) == {(2, 4): 1}


def test_a_limit_without_a_cell():
    assert law(
        "  to act (unit): unit.figures gain down\n", "unit A: 5 figures\ndo: A acts", DOWN, limit="up to 3 per unit"
    ) == {(3,): 1}


def test_names_follow_those_that_gained_it_and_no_others():
    body = """
  to act (unit):
    men: figures where arm is gun
    two: owner picks 2 from men
    e1: men gain down
    marked: men where down
    still: men where not down
    e2: marked gain 1 hurt
    e3: unit.figures lose down
    e4: still gain lost
"""
    asked = ("max(marked, 0)", "max(still, 0)", "max(A.figures where hurt = 1, 0)", "max(A.figures, 0)")
    situation = "unit A:\n  is: two\n  figures: [5 with arm gun, 1]\ndo: A acts"
    assert law(body, situation, *asked) == {(2, 3, 2, 3): 1}


def test_a_caller_s_names_follow_too():
    body = """
  to act (unit):
    men: figures where arm is gun
    e1: unit fells men
    e2: (men where down) gain 1 hurt
  to fell (unit), (them figures): them gain down
"""
    situation = "unit A:\n  is: two\n  figures: [5 with arm gun, 1]\ndo: A acts"
    assert law(body, situation, DOWN, "sum(A.figures.hurt)") == {(2, 2): 1}


@pytest.mark.parametrize(
    ("gives", "pins"), [("unit.figures gain down", 2), ("(figures where arm is gun) gain down", 1)]
)
def test_a_rule_asks_only_those_that_gained_it(gives, pins):
    body = f"""
  rule fright for each figure after down: figure.unit gains 1 pins
  rule shock for each unit after down: unit gains 10 pins
  to act (unit):
    e1: {gives}
"""
    situation = "unit A:\n  is: two\n  figures: [1 with arm gun, 4]\ndo: A acts"
    assert law(body, situation, "A.pins") == {(10 + pins,): 1}


def test_a_rule_asks_nobody_where_nobody_fits():
    body = """
  rule fright for each figure after down: figure.unit gains 1 pins
  rule shock for each unit after down: unit gains 10 pins
  to act (unit): unit.figures gain down
"""
    assert law(body, "unit A: none-at-all, 4 figures\ndo: A acts", "A.pins", DOWN) == {(0, 0): 1}


def test_who_left_play_takes_no_place_and_who_rises_makes_one():
    body = """
  to act (unit):
    men: figures where down
    e1: men gain lost
    e2: figures gain down
    first-two: figures where down
    e3: (first-two where arm is gun) lose down
    e4: figures where arm is not gun
    e5: e4 gain down
"""
    situation = "unit A:\n  is: two\n  figures: [2 with down, 1 with arm gun, 3]\ndo: A acts"
    assert law(body, situation, DOWN, "max(A.figures, 0)") == {(2, 4): 1}


def test_who_left_play_may_gain_it_beside_the_others():
    body = """
  to act (unit):
    men: owner picks 2 from figures
    e1: men gain lost
    all-of-them: men + figures
    e2: all-of-them gain down
"""
    assert law(body, "unit A: two, 5 figures\ndo: A acts", DOWN, "max(A.losts where down, 0)") == {(2, 2): 1}


def test_a_mark_that_ends_after_the_next_is_fresh_on_those_that_gained_it():
    body = """
  to work (unit):
    known: figures where down
    e1: figures gain down
"""
    situation = "unit A: two, 5 figures\ndo:\n  first-time: A works\n  second: A works\n  third: A works"
    limit = "until after next work up to 2 per unit"
    assert (
        law(body, situation, "max(A.figures where fresh-down, 0)", DOWN, "max(second.known, 0)", limit=limit)[2, 2, 2]
        == 1
    )


WINDED = """
game: toy
Things:
  kind side:
  kind unit of side:
  kind figure, many to a unit:
  mark winded of unit: until after next rally
  mark tired of figure: until after next rally
  to rally (unit):
    out: winded
    men: figures where tired
  to look (unit):
    just: fresh-winded
    just-men: figures where fresh-tired
"""
TWICE = "do:\n  seen: A looks\n  one: A rallies\n  two: A rallies\n"


BORNE = {"one.out": True, "two.out": False, "max(one.men, 0)": 2, "max(two.men, 0)": 0, "A.winded": False}


@pytest.mark.parametrize(
    "situation",
    [
        "unit A:\n  is: fresh-winded\n  figures: [2 with fresh-tired, 1]\n",
        "unit A:\n  is: winded, fresh-winded\n  figures: [2 with tired and fresh-tired, 1]\n",
        "unit A:\n  figures: [2 with fresh-tired, 1]\nfacts: A is fresh-winded\n",
    ],
)
def test_a_mark_stated_as_fresh_is_borne(situation, tmp_path):
    """It alone says both; on a card and as a fact, of things and of figures. The next rally is the first."""
    situation = situation.replace("A is fresh-winded", "A.fresh-winded")
    agreed(tmp_path, WINDED, situation + TWICE, {"seen.just": True, "max(seen.just-men, 0)": 2} | BORNE)


def test_a_mark_stated_as_borne_was_gained_before(tmp_path):
    situation = "unit A:\n  is: winded\n  figures: [2 with tired, 1]\n"
    agreed(tmp_path, WINDED, situation + TWICE, {"seen.just": False, "max(seen.just-men, 0)": 0} | BORNE)


def test_who_is_said_to_bear_it_freshly_is_not_said_not_to_bear_it():
    with pytest.raises(Mistaken) as said:
        case_of(rules_of(WINDED), f"unit A: fresh-winded\nfacts: not A.winded\n{TWICE}ask: [one.out]\n")
    assert "N003" in str(said.value)


def test_dice_and_choices_go_through_the_limit():
    body = """
  roll hit of figure: needs 4
  to act (unit):
    who: figures failing hit
    e1: who gain down
"""
    found = law(body, "unit A: two, 4 figures\ndo: A acts", DOWN)
    assert found == {(0,): Fraction(1, 16), (1,): Fraction(4, 16), (2,): Fraction(11, 16)}


def test_bands_keep_the_limit():
    body = """
  to act (unit):
    who: owner picks up to 5 from figures
    e1: who gain down
"""
    text = f"unit A:\n  is: two\n  figures: [3 with arm gun, 3]\ndo: A acts\nask: '{DOWN}'\n"
    assert bands.find_bounds(case_of(rules(body), text)).mean(0) == (0, 2)


def test_a_trace_tells_who_does_not_gain_it():
    body = """
  to act (unit):
    e1: (figures where arm is gun) gain down
    e2, for each man in figures: man gains down
"""
    outcome = resolve(case_of(rules(body), "unit A:\n  is: two\n  figures: [1 with arm gun, 2]\ndo: A acts\n"))
    said = [e.text for e in walk(outcome.events) if "gain" in e.text]
    assert said == [
        "1 × figure (gun) gains down",
        "man gains down",
        "1 × figure does not gain down: up to unit.mood.room per unit",
        "man gains down (nothing changes)",
    ]


@pytest.mark.parametrize(
    ("limit", "mistake"),
    [
        ("up to 2 per banana", ("N001", "banana")),
        ("up to nonsense per unit", ("N001", "nonsense")),
        ("up to d6 per unit", ("D006", "d6")),
        ("up to figures / 2 per unit", ("T012", "figures / 2")),
        ("up to 2 per side", ("T013", "side")),
        ("up to 2 per figure", ("T013", "figure")),
    ],
)
def test_a_limit_that_says_nothing_is_refused_where_it_stands(limit, mistake):
    with pytest.raises(Mistaken) as told:
        rules("  to act (unit): unit.figures gain down\n", limit)
    assert told.value.args[0] == [mistake]


def test_a_mark_of_what_is_not_counted_has_no_limit():
    with pytest.raises(Mistaken) as told:
        rules("  mark spent of unit: up to 2 per side\n  to act (unit): unit gains spent\n")
    assert told.value.args[0] == [("T013", "side")]
