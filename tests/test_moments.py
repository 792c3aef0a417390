"""Moments that a file declares: what is one, when it begins and is over, who acts in it, and what waits for it."""

from pathlib import Path

import pytest
from small_games import hold, told

from tests.reference.questions import failures
from tests.reference.situations import cases

GAME = """\
game: Moments
Things:
  dice high: d6 at or over
  kind side:
    wins: number
  kind unit of side:
    seen: number
    ends: number
    begun: number
    led: number
  kind cart, a unit:
  kind figure, many to a unit:
  mark casualty of figure: out of play
  mark dazed of unit: until after attack
  mark wary of unit: until before attack
  moment brawl of unit:
  moment attack of unit: casualty, brawl
  rule counted for each unit after attack:
    end: unit gains 1 ends
    mine, if actor is unit: unit gains 1 led
    those: unit.seen becomes unit.casualties
  rule opened for each unit before attack: unit gains 1 begun
  to shed (unit), (count number):
    dead: unit.owner picks min(count, figures) from figures
    fall: dead gain casualty
  to volley (unit) at (foe unit), an attack:
    one: foe sheds 1
    two: foe sheds 1
  to answer (unit) at (foe unit):
    twice: unit volleys at foe
    more: unit sheds 1
  to charge (unit) at (foe unit), a brawl:
    reply: foe volleys at unit
    ours: foe sheds 1
  to stray (unit):
    gone: unit sheds 1
    again-one: unit sheds 1
  to drop (figure):
    fall: figure gains casualty
  to fine (side):
    lost, for each troop in units: troop sheds 1
  mark glad of unit:
  to look (unit): unit gains glad
  table fate of unit (face) by face:
    1-3 bad: unit.figures gain casualty
    4-6 good: nothing
"""

HOLDS = {
    "what-a-title-says-is-one": "do: A volleys at B\nthen: [B.ends = 1, B.begun = 1, A.led = 1, B.led = 0, B.seen = 2]",
    "what-is-none-is-no-moment": "do: A looks\nthen: [A.ends = 0, A.begun = 0]",
    "what-is-one-by-a-mark": "do: A sheds 2\nthen: [A.ends = 1, A.led = 1, A.seen = 2]",
    "who-only-calls-such-is-none": "do: A strays\nthen: [A.ends = 2, A.begun = 2]",
    "one-in-a-line-of-what-is-none": "do: A answers at B\nthen: [A.ends = 2, A.led = 2, A.seen = 1, B.seen = 2]",
    "one-by-title-within-another-is-over-by-itself": "do: A charges at B\nthen: [A.ends = 2, A.begun = 2, A.led = 1, B.led = 1]",
    "of-a-figure-acts-what-it-belongs-to": "do: first(A.figures) drops\nthen: [A.led = 1, B.led = 0, A.ends = 1]",
    "a-row-of-outcomes-is-one": "do: A.fate(2)\nthen: [A.ends = 1, A.seen = 4, A.led = 1]",
    "so-is-its-table-where-nothing-falls": "do: A.fate(5)\nthen: [A.ends = 1, A.seen = 0]",
    "of-each-unit-of-a-side": "do: A.side fines\nthen: [A.ends = 1, A.led = 1]",
    "marks-end-with-it-for-everybody": "do: A sheds 1\nthen: [C is not dazed, C is not wary]",
    "and-not-without-it": "do: A looks\nthen: [C is dazed, C is wary]",
}


@pytest.mark.parametrize("name", HOLDS)
def test_when_it_is_over(name: str, tmp_path: Path) -> None:
    things = "unit A: side Red, 4 figures\nunit B: side Blue, 4 figures\nunit C: side Green, dazed, wary, 4 figures\n"
    lines = [f"    {line}\n" for line in (things + HOLDS[name]).splitlines()]
    hold(tmp_path, f"{GAME}  example {name}:\n{''.join(lines)}")


def test_odds_follow_it_as_plays_do(tmp_path: Path) -> None:
    hold(
        tmp_path,
        f"""{GAME}  roll nerve of unit: needs 4+
  mark running of unit:
  rule nerves for each unit after attack if casualties > 0 and not running:
    lost: unit fails nerve
    runs, if lost: unit gains running
  example two-attacks-are-two-tests:
    unit A: 4 figures
    unit B: 4 figures
    do: A charges at B
    odds: [3/4 that A is running, 1/2 that B is running]
""",
    )


def test_what_held_of_it_alone_is_over_when_it_is_answered(tmp_path: Path) -> None:
    hold(
        tmp_path,
        f"""{GAME}  mark cornered of unit: until after volley as foe
  rule retort for each unit after attack if casualties > 0 and not cornered: unit gains 1 begun
  example no-longer-cornered:
    unit A: 4 figures
    unit B: 4 figures, cornered
    do: A volleys at B
    then: [B.begun = 2, A.begun = 1]
""",
    )
    [game] = tmp_path.glob("*.yaml")
    assert [failures(case, 1_000) for case in cases(game)] == [[]]  # as the reference has it


def test_calls_that_happen_together_are_each_their_own(tmp_path: Path) -> None:
    hold(
        tmp_path,
        f"""{GAME}  to clash (unit) with (foe unit):
    both, together:
      ours: foe sheds 1
      theirs: unit sheds 1
  example both:
    unit A: 4 figures
    unit B: 4 figures
    do: A clashes with B
    then: [A.ends = 2, B.ends = 2, A.led = 1, B.led = 1]
""",
    )


def test_a_supplement_says_what_else_is_one(tmp_path: Path) -> None:
    hold(
        tmp_path,
        """game: More moments
extends: base
change:
  attack: casualty, brawl, look, tired
Things:
  mark tired of unit:
  to rest (unit): unit gains tired
  example by-name:
    unit A: 4 figures
    do: A looks
    then: A.ends = 1
  example by-another-mark:
    unit A: 4 figures
    do: A rests
    then: A.ends = 1
""",
        base=GAME,
    )


WRONG = {
    "  to creep (unit), an atack: nothing\n": [("N001", "atack")],
    "  moment turn:\n": [("N003", "turn")],
    "  moment feast of unit: casualti\n": [("N001", "casualti")],
    "  moment feast of troop: casualty\n": [("N001", "troop")],
    "  moment feast:\n  rule x for each unit after feast: unit gains 1 seen\n": [("P032", "feast")],
    "  moment feast: look\n  rule x after feast: actor gains 1 seen\n": [("N001", "actor")],
    "  rule x after attack: foe gains 1 seen\n": [("N001", "foe")],
    "  add to attack: casualty\n": [("N001", "attack")],
}


@pytest.mark.parametrize("line", WRONG)
def test_a_mistake_is_told_at_its_word(line: str, tmp_path: Path) -> None:
    assert [*dict.fromkeys(told(tmp_path, GAME + line))] == WRONG[line]


ENDINGS = """\
game: Endings
Things:
  dice high: d6 at or over
  kind unit:
  kind guy, many to a unit:
  fact puddle of unit: inches                             # nobody has said how far it is
  mark wet of unit: until after trek if puddle(unit) > 3"
  mark damp of guy: until after trek if puddle(unit) > 3"
  mark tied of unit with unit: both ways, until after trek if puddle(unit) > 3"
  to soak (unit) with (other unit), (whole number):
    one, if whole = 1: unit gains wet
    some, if whole = 2: first(unit.guys) gains damp
    both, if whole = 3: unit gains tied with other
  to trek (unit):
    rest: d6
  example nobody-has-it:
    unit A: 2 guys
    unit B: 2 guys
    do:
      soaked: A soaks 0 with B
      trek: A treks
    dice: {rest: 1}
    then: [A is not wet, no (A.guys where damp), no A.tied]
"""


@pytest.mark.parametrize("whole", [1, 2, 3])
def test_the_condition_of_an_end_is_asked_of_those_who_have_the_mark(whole: int, tmp_path: Path) -> None:
    hold(tmp_path, ENDINGS)
    worn = ENDINGS.replace("soaks 0 with B", f"soaks {whole} with B")
    assert told(tmp_path, worn) == [("F004", "puddle(unit)")]
    dried = worn.replace("    do:\n", '    facts: puddle(A) is 4", puddle(B) is 4"\n    do:\n')
    hold(tmp_path, dried)
    wet = dried.replace('4"', '3"').replace("no (A.guys", "any (A.guys").replace("no A.tied", "any A.tied")
    ends = {1: "A is wet", 2: "any (A.guys where damp)", 3: "A is tied with B"}
    hold(tmp_path, wet[: wet.index("    then:")] + f"    then: [{ends[whole]}]\n")
