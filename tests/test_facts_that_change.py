"""What the table told is another from now on: `distance(unit, target) becomes 0"`."""

from fractions import Fraction

import pytest
from small_games import told
from test_engines_kit import case_of, law_of_odds, rules_of
from worked import agreed

from interpreter.engines.trace_events import walk
from interpreter.workbench.histories import resolve

GAME = """
game: Lines
Things:
  dice high: d6 at or over
  kind side:
  kind unit of side:
    pins: number
  kind figure, many to a unit:
  table views: clear, dim, dark
  fact distance of unit (other unit): inches
  fact depth of unit (other unit): inches first 1"
  fact sight of unit (other unit): yes or no
  fact view of unit: one of views
  fact seen of figure: yes or no first no
  fact risk of unit (far number): number 0 to 6
  value near of unit (other unit):
    basic: 0
    close: 1 if distance(unit, other) <= 6"
  roll nerve of unit: needs 4
Charging:
  to charge (unit) at (target unit):
    brave: unit passes nerve
    home, if brave: distance(unit, target) becomes 0"
    short, otherwise: distance(unit, target) becomes distance(unit, target) - 2"
    close: near(unit, target)
  to wait (unit): nothing
"""
TWO = "unit A: 2 figures\nunit B: 2 figures\nunit C: 2 figures\n"
FACTS = 'facts:\n  - distance(A, B) is 20"\n  - distance(A, C) is 9"\n'
HALF = Fraction(1, 2)


def with_steps(*lines: str) -> str:
    return f"{GAME}  to do-it (unit) with (target unit):\n" + "".join(f"    {line}\n" for line in lines)


def test_a_distance_is_another_one_both_ways_and_to_nobody_else(tmp_path):
    laws = {
        "A.distance(B)": {0: HALF, 18: HALF},
        "B.distance(A)": {0: HALF, 18: HALF},
        "A.distance(C)": 9,
        "close": {1: HALF, 0: HALF},
        "A.near(B)": {1: HALF, 0: HALF},
    }
    agreed(tmp_path, GAME, f"{TWO}{FACTS}do: A charges at B\n", laws)


def test_it_stays_so_for_whatever_comes_later(tmp_path):
    do = "do:\n  x: A charges at B\n  y: B charges at A\n  z: A charges at C\n"
    laws = {
        "A.distance(B)": {0: Fraction(1, 2), 16: Fraction(1, 4), -2: Fraction(1, 4)},
        "C.distance(A)": {0: HALF, 7: HALF},
    }
    agreed(tmp_path, GAME, f"{TWO}{FACTS}{do}", laws)


def test_what_differs_by_the_way_is_the_same_both_ways_once_it_is_set(tmp_path):
    facts = 'facts:\n  - distance(A, B) is 20"\n  - distance(B, A) is 5"\n'
    game = with_steps('a: distance(target, unit) becomes 3"')
    agreed(tmp_path, game, f"{TWO}{facts}do: A does-it with B\n", {"A.distance(B)": 3, "B.distance(A)": 3})


def test_what_has_a_first_is_not_turned_round(tmp_path):
    game = with_steps('a: depth(unit, target) becomes 3"')
    agreed(tmp_path, game, f"{TWO}do: A does-it with B\n", {"A.depth(B)": 3, "B.depth(A)": 1})


def test_nobody_need_state_what_is_set_before_it_is_asked(tmp_path):
    game = with_steps('a: distance(unit, target) becomes 3"', "b: distance(unit, target)")
    agreed(tmp_path, game, f"{TWO}do: A does-it with B\n", {"b": 3})


def test_facts_of_every_type(tmp_path):
    game = with_steps(
        "a: sight(unit, target) becomes true",
        "b: view(unit) becomes dark",
        "c: risk(unit, 2) becomes 9",  # no more than 6
        "d: risk(unit, 3) becomes risk(unit, 2) - 1",
        "seen: 1 if sight(unit, target) else 0",
    )
    facts = "facts:\n  - not sight(A, B)\n  - view(A) is clear\n  - view(B) is dim\n"
    laws = {"seen": 1, "A.view is dark": True, "B.view is dim": True, "A.risk(2)": 6, "A.risk(3)": 5}
    agreed(tmp_path, game, f"{TWO}{facts}do: A does-it with B\n", laws)


def test_of_several_at_once(tmp_path):
    game = with_steps(
        'a: ((units where it is not target) as each-one where each-one.pins = 0).distance(target) becomes 2"'
    )
    laws = {"A.distance(B)": 2, "B.distance(C)": 2, "A.distance(C)": 9}
    agreed(tmp_path, game, f"{TWO}{FACTS}do: A does-it with B\n", laws)


def test_together_each_reads_what_the_table_told_before(tmp_path):
    game = with_steps(
        "both, together:",
        "  a: unit charges at target",
        "  b: distance(unit, target) becomes distance(unit, target) / 2",
        "  c: distance(unit, target)",
        "after: distance(unit, target)",
    )
    laws = {"c": 20, "after": 10, "a.close": {1: HALF, 0: HALF}}
    agreed(tmp_path, game, f"{TWO}{FACTS}do: A does-it with B\n", laws)


def test_together_two_calls_change_two_distances(tmp_path):
    game = with_steps(
        "both, together:",
        "  a: unit charges at target",
        "  b: unit charges at first(units where it is not unit and it is not target)",
    )
    laws = {"A.distance(B)": {0: HALF, 18: HALF}, "A.distance(C)": {0: HALF, 7: HALF}}
    agreed(tmp_path, game, f"{TWO}{FACTS}do: A does-it with B\n", laws)


def test_until_they_meet(tmp_path):
    game = with_steps(
        'rounds, repeat until distance(unit, target) <= 0":',
        "  step: d6",
        '  step-up: distance(unit, target) becomes 0" if step >= 5 else distance(unit, target)',
        "last: distance(unit, target)",
    )
    agreed_odds = law_of_odds(case_of(rules_of(game), f"{TWO}{FACTS}do: A does-it with B\nask: [last]\n"))
    assert agreed_odds == {(0,): 1}


def test_what_is_made_from_another_has_what_that_has_become(tmp_path):
    game = with_steps(
        'a: distance(unit, target) becomes 4"',
        "crew: new unit (side unit.side, from unit)",
        "b: distance(crew, target)",
        'c: distance(crew, target) becomes 1"',
        "d: distance(unit, target)",
        "e: distance(target, crew)",
    )
    agreed(tmp_path, game, f"{TWO}{FACTS}do: A does-it with B\n", {"b": 4, "d": 4, "e": 1})


def test_a_situation_may_set_it_too_and_the_next_one_knows_nothing_of_it(tmp_path):
    rules = rules_of(
        GAME.replace('    home, if brave: distance(unit, target) becomes 0"\n', "").replace(
            '    short, otherwise: distance(unit, target) becomes distance(unit, target) - 2"\n', ""
        )
    )
    one = f'{TWO}{FACTS}do:\n  y: A charges at B\n  x: A.distance(B) becomes 1"\n  z: A charges at B\nask: [z.close, y.close]\n'
    other = f"{TWO}{FACTS}do: A charges at B\nask: [close]\n"
    before = case_of(rules, other)
    assert law_of_odds(before) == {(0,): 1}
    assert law_of_odds(case_of(rules, one)) == {(1, 0): 1}
    assert law_of_odds(before) == {(0,): 1} == law_of_odds(case_of(rules, other))


def test_the_trace_says_what_it_becomes():
    case = case_of(rules_of(GAME), f"{TWO}{FACTS}do: A charges at B\ndice: 6\n")
    said = [event.text for event in walk(resolve(case).events)]
    assert 'distance(A, B) becomes 0"' in said


@pytest.mark.parametrize(
    ("line", "code", "word"),
    [
        ("distance(unit, target) becomes 3", "T001", "3"),
        ("distance(unit, target) becomes clear", "T001", "clear"),
        ("near(unit, target) becomes 1", "P011", "near(unit, target)"),
        ("figures.seen becomes true", "P011", "figures.seen"),
        ("risk(unit, 2) becomes pins / 2", "T012", "pins / 2"),
    ],
)
def test_what_cannot_be_set(tmp_path, line, code, word):
    assert (code, word) in told(tmp_path, with_steps(f"a: {line}"))
