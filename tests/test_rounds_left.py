"""Loops whose number of rounds is thrown for: histories with equally many rounds left are followed together."""

from fractions import Fraction as F
from math import comb

import pytest
from test_engines_kit import case_of, law_of_odds, law_of_play, rules_of

from interpreter.workbench.answers import odds

RULES = rules_of("""\
game: Hits
Things:
  dice high: d6 at or over
  table states: fresh, scratched, dented, holed, wrecked
  kind unit:
    state: one of states first fresh
    pins: number
  kind man, many to a unit:
    grit: number
  roll luck of unit: needs 4
  roll doubt of man: needs 4
  to suffer (unit), (blows-at-it number):
    hits: blows-at-it passing luck
    blows, repeat hits times, if unit.state is not wrecked: unit breaks
  to break (unit):
    die: d6
    worse, if die > 4: unit.state becomes unit.state + 1
    shaken, if die = 1: unit gains 1 pin
  to waver (unit):
    afraid: mans passing doubt
    runs, for each man in afraid:
      die: d6
      worse, if die > 4: unit.state becomes unit.state + 1
      shaken, if die = 1: unit gains 1 pin
""")
QUESTION = "ask: [A.state, A.pins]\n"


def by_hand(dice: int) -> dict[tuple[int, int], F]:
    """State and pins after so many dice that hit on 4+: each hit worsens the state on 5+, and pins on a 1; the last
    state is not hit again.
    """
    found: dict[tuple[int, int], F] = {}
    for hits in range(dice + 1):
        now = {(0, 0): F(comb(dice, hits), 2**dice)}
        for _ in range(hits):
            after: dict[tuple[int, int], F] = {}
            for (state, pins), chance in now.items():
                ways = {(state, pins): F(1, 2), (state + 1, pins): F(1, 3), (state, pins + 1): F(1, 6)}
                for to, share in (ways if state < 4 else {(state, pins): F(1)}).items():
                    after[to] = after.get(to, F(0)) + chance * share
            now = after
        for key, chance in now.items():
            found[key] = found.get(key, F(0)) + chance
    return found


def test_rounds_by_a_throw_are_as_by_hand():
    case = case_of(RULES, "unit A:\ndo: A suffers 9\n" + QUESTION)
    assert law_of_odds(case) == by_hand(9)


def test_rounds_by_a_throw_are_as_in_play():
    case = case_of(RULES, "unit A:\ndo: A suffers 3\n" + QUESTION)
    assert law_of_odds(case) == law_of_play(case)[0] == by_hand(3)


def test_figures_left_of_a_throw_are_as_in_play():
    scene = "unit A:\n  mans: [2 with grit 1, 1 with grit 2]\ndo: A wavers\n"
    case = case_of(RULES, scene + QUESTION)
    assert law_of_odds(case) == law_of_play(case)[0]
    assert law_of_odds(case) == by_hand(3)


@pytest.mark.parametrize("scene", ["unit A:\ndo: A suffers {}\n", "unit A:\n  mans: [{} with grit 1]\ndo: A wavers\n"])
def test_worlds_grow_as_rounds_times_states(scene: str):
    """Twice as many dice are twice as many rounds of twice as many states; eight times as many worlds if rounds that
    began at different numbers were followed one by one.
    """
    few, many = (odds(case_of(RULES, scene.format(dice) + QUESTION)) for dice in (15, 30))
    assert few is not None and many is not None
    assert many.worlds < 5 * few.worlds
