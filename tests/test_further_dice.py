"""Dice already thrown, looked at through a roll: whatever it says of more dice is done, as when the roll itself throws."""

from pathlib import Path

import pytest
from small_games import hold
from test_engines_kit import case_of, law_of_odds, law_of_play, rules_of

GAME = """\
game: Looked at
Firing:
  dice high: d6 at or over, always 6, never 1
  kind side:
  kind unit of side:
    skill: number first 4
  mark lucky, keen, poor of unit:
  roll aim of unit:
    basic: needs skill
    {line}
  to throw-them (unit), (shots number):
    hits: shots passing aim
    lost: shots - hits
  to look-at-them (unit), (shots number):
    faces: shots dice
    hits: faces meeting aim
    lost: shots - hits
  to look-at-them-in-parts (unit), (shots number):
    faces: shots dice
    low: faces where it = 2
    some: (faces - low) meeting aim
    rest: low meeting aim
    hits: some + rest
    lost: shots - hits
  to look-for-the-others (unit), (shots number):
    faces: shots dice
    lost: faces missing aim
    hits: shots - lost
"""
LINES = [
    "extra: again if lucky",
    "extra: best of 2 if lucky",
    "extra: best of 3",
    "extra: worst of 2 if lucky",
    "extra: worst of 3",
    "{extra: best of 2, twice: again if lucky}",
    "{extra: worst of 2, twice: again if lucky}",
    "{extra: fails if lucky, twice: again if lucky}",
    "{extra: again if lucky, nobody: needs none if lucky}",
]


def game(line: str) -> str:
    more = line.strip("{}").split(", ")
    return GAME.replace("{line}", "\n    ".join(more))


@pytest.mark.parametrize("many", [0, 1, 2])
@pytest.mark.parametrize("lucky", ["", ", lucky"])
@pytest.mark.parametrize("line", LINES)
def test_a_look_is_a_throw(line: str, lucky: str, many: int) -> None:
    rules = rules_of(
        game(line).replace("d6 at or over, always 6", "d3 at or over, always 3").replace("first 4", "first 2")
    )
    laws = []
    for does in ("throws-them", "looks-at-them", "looks-at-them-in-parts", "looks-for-the-others"):
        text = f"unit A: skill 2{lucky}\ndo: A {does} {many}\nask: [hits, lost]\n"
        law = law_of_odds(case_of(rules, text))
        assert law == law_of_play(case_of(rules, text))[0]
        assert law_of_play(case_of(rules, text), traced=True)[0] == law
        laws.append(law)
    assert laws[0] == laws[1] == laws[2] == laws[3]


def test_further_dice_stand_behind_their_line_in_a_script(tmp_path: Path) -> None:
    text = game("{keen: best of 2 if keen, poor: worst of 3 if poor, lucky: again if lucky}")
    hold(
        tmp_path,
        text
        + """\
  example thrown-once-more:
    unit A: lucky
    do: A looks-at-them 3
    dice: faces 1 5 2, hits 4 3
    then: [hits = 2, lost = 1]
    trace: ["needs 4+: 1 5 2 → 1 of 3 pass", "4 3 → 1 of 2 pass"]
  example the-better-of-two-for-those-who-failed:
    unit A: keen
    do: A looks-at-them 3
    dice: faces 1 5 2, hits 6 6
    then: [hits = 3]
  example the-worst-of-three-for-those-who-passed:
    unit A: poor
    do: A looks-at-them 3
    dice: faces 1 5 6, hits 6 6 4 3
    then: [hits = 1]
  example the-better-and-then-once-more:
    unit A: keen, lucky
    do: A looks-for-the-others 3
    dice: faces 1 5 2, lost 6 2 1 4
    then: [hits = 3, lost = 0]
""",
    )
