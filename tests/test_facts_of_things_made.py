"""What the table says of things that are made on the way: by the line that makes them, or of what they came out of."""

from pathlib import Path

import pytest
from small_games import hold, told

from interpreter.source import Problems, render
from interpreter.workbench.examples import examples_of
from interpreter.workbench.rules import open_rules
from interpreter.workbench.running import run

GAME = """\
game: Things that are made
Things:
  dice high: d6 at or over
  table grounds: flat, steep
  kind side:
  kind unit of side:
    pins: number
  kind figure, many to a unit:
  fact gap of unit (other unit): inches
  fact hides of unit (other unit): yes or no
  fact seen of unit (other unit): yes or no first yes
  fact stands of unit: one of grounds
  fact height of unit: number 2 to 9
  value foes of unit: units where it.side is not unit.side
  to burst (unit):
    crew: new unit (side side, from unit)
    crew-gap, for each foe in crew.foes: crew.gap(foe)
    theirs, for each foe in crew.foes: foe.gap(crew)
    seen-by: foes where it.seen(crew)
    where-now: crew.stands
    home: 0
    rest, if pins > 5: crew leaves-again
  to leave-again (unit):
    second: new unit (side side, from unit)
    far, for each foe in second.foes: second.gap(foe)
  to send (unit):
    scout: new unit (side side)
    far: scout.gap(unit)
    high: scout.height
    ground: scout.stands
    hidden: 1 if scout.hides(unit) else 0
  to send-many (unit):
    out, for each man in figures:
      scout: new unit (side side)
      far: scout.gap(unit)
  rule mourning for each unit after leave-again:
    ghost: new unit (side unit.side)
    far: ghost.gap(unit)
"""


def test_it_is_as_what_it_came_out_of_unless_it_is_said_of_itself(tmp_path: Path) -> None:
    hold(
        tmp_path,
        GAME
        + """\
  example both-ways-and-of-itself:
    unit A: 1 figures
    unit B: 1 figures
    facts:
      - gap(B, A) is 7"
      - not seen(B, A)
      - stands(A) is steep
    do: A bursts
    then: [crew-gap = 7", theirs = 7", seen-by = 0, where-now is steep]
    odds: [1/1 that crew-gap = 7", 1/1 that theirs = 7", 0/1 that any seen-by, 1/1 that where-now is steep]
  example rather-of-itself:
    unit A: 1 figures
    unit B: 1 figures
    facts:
      - gap(A, B) is 7"
      - gap(burst.crew, B) is 5"
      - stands(A) is steep
      - stands(burst.crew) is flat
    do: A bursts
    then: [crew-gap = 5", theirs = 5", seen-by = 1, where-now is flat]
    odds: [1/1 that crew-gap = 5", 1/1 that seen-by = 1, 1/1 that where-now is flat]
  example also-of-what-came-out-of-that:
    unit A: pins 6
    unit B: 1 figures
    facts:
      - gap(A, B) is 7"
      - stands(A) is flat
      - gap(mourning.ghost, A) is 1"
      - gap(mourning.ghost, B) is 2"
      - gap(mourning.ghost, burst.crew) is 3"
      - gap(mourning.ghost, leave-again.second) is 4"
    do: A bursts
    then: [leave-again.far = 7"]
""".replace("A: pins 6", "A: 1 figures, pins 6"),
    )


def test_it_is_said_by_the_line_that_makes_it_of_all_that_this_makes(tmp_path: Path) -> None:
    hold(
        tmp_path,
        GAME
        + """\
  example of-one:
    unit A: 1 figures
    facts:
      - gap(send.scout, A) is 3"
      - height(send.scout) is 4
      - stands(send.scout) is steep
      - hides(send.scout, A)
    do: A sends
    then: [far = 3", high = 4, hidden = 1]
    odds: [3/1 mean far / 1", 4/1 mean high, 1/1 that hidden = 1]
  example of-each:
    unit A: 3 figures
    facts: gap(send-many.scout, A) is 3"
    do: A sends-many
    then: out.far = 9"
    odds: 9/1 mean out.far / 1"
""",
    )


@pytest.mark.parametrize(
    ("said", "word"),
    [
        ('gap(send.scuot, A) is 3"', "send"),
        ('gap(burst.crew, A) is 3"', "burst"),  # nobody bursts here
        ('gap(Q, A) is 3"', "Q"),
        ('gap(scout, A) is 3"', "scout"),
    ],
)
def test_what_is_not_there_is_told_at_the_word(said: str, word: str, tmp_path: Path) -> None:
    example = (
        f'  example one-slip:\n    unit A: 1 figures\n    facts:\n      - {said}\n    do: A sends\n    then: far = 1"\n'
    )
    found = told(tmp_path, GAME + example)
    assert ("N001", word) in found


def test_what_it_begins_with_is_said_by_the_rules_alone(tmp_path: Path) -> None:
    example = '  example pinned:\n    unit A: 1 figures\n    facts: send.scout.pins is 3\n    do: A sends\n    then: far = 1"\n'
    assert ("F016", "send.scout.pins is 3") in told(tmp_path, GAME + example)


def test_each_hint_mends_the_file_when_it_is_obeyed(tmp_path: Path) -> None:
    """Until nothing is missing: each refusal stands where the rules ask, and says what to write."""
    facts: list[str] = []
    asked = []
    for _ in range(9):
        said = "".join(f"      - {fact}\n" for fact in facts)
        text = "  example unsaid:\n    unit A: 1 figures\n" + ("    facts:\n" + said if said else "")
        (tmp_path / "game.yaml").write_text(f"{GAME}{text}    do: A sends\n    then: hidden = 0\n", encoding="utf-8")
        problems = Problems()
        rules = open_rules(str(tmp_path / "game.yaml"), problems)
        assert rules is not None, render(problems)
        found = [*run(rules, examples_of(rules, problems)[0]).problems]
        if not found:
            break
        assert [p.code for p in found] == ["F004"]
        assert found[0].span is not None and found[0].hint is not None
        asked.append(found[0].span.text)
        facts.append(found[0].hint.split("`")[3])
    assert asked == ["gap(unit)", "height", "stands"]
    assert facts[-1] == "stands(send.scout) is flat"
