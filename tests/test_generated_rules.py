"""Rule files nobody wrote: templates put together at random, where play under every script of dice is exactly odds.

Each file is one procedure `act`, what it calls, an outcome table, rolls and rules, over two or three small units; it
must check clean. Its situation asks for the lines of `act` and for the things at the end, all in one joint law. At the
end stands a whole game that is no wargame, `data/toy`.
"""

from collections import Counter
from fractions import Fraction as F
from functools import partial
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, given, note, settings
from hypothesis import strategies as st
from test_engines_kit import Refused, TooMany, agree, bounded, case_of, law_of_odds, law_of_play, refusal, rules_of

from interpreter.engines.dice import ScriptedDice
from interpreter.source import Problems
from interpreter.workbench import cases
from interpreter.workbench.rules import open_rules

HEAD = """game: toy
Things:
  dice high: d3 at or over, always 3, never 1
  dice low: d2 at or under
  kind side:
  kind unit of side:
    pins: number 0 to 3
    heat: number
    mood: one of moods first calm
    friend: a unit or none
    blows: many harm
  kind tank, a unit:
    fuel: number first 1
  kind figure, many to a unit:
    arm: one of arms or none
    wounds: number 0 to 2
  kind gun, a figure:
    load: number 0 to 2
  fact windy of unit (other unit): yes or no first no
  fact slope of unit: number first 1
  ruling fog: 1, or 2
  mark casualty of figure: out of play
  mark down of figure:
  mark tired of unit: until after poke
  mark shaken of unit: until before poke, after strike as other
  table moods (brave):
    calm: 2
    wary: 3
    wild: none
  table arms (shots, rate by reach):
    bow: 1, 1
    rifle: 2, 2/1, big
  mark big of arms:
  value foes of unit: units where it.side is not unit.side
  value grit of unit:
    base: 2
    hot: +1 if heat > 1
    pins: -1 per pins
    low: at least 1
""".replace("(shots, rate by reach)", "(shots, reach, rate by reach)").replace("1, 1\n", '1, 6", 1\n').replace(
    "2, 2/1", '2, 6"/12", 2/1'
)
