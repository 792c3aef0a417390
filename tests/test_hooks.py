"""Rules and ends of marks: each sets in when its moment comes, or is told at the word that keeps it from that."""

from pathlib import Path

import pytest
from small_games import hold, told

GAME = """\
game: Hooks
Things:
  dice high: d6 at or over
  kind side:
    bells: number
  kind unit of side:
    gold: number
  kind figure, many to a unit:
    weapon: one of weapons or none
  kind gunner, a figure:
    skill: number
  table weapons: rifle
  mark tired of unit:
  mark hurt of figure:
  mark casualty of figure: out of play
  moment feat of unit: tired
  to drill (unit) at (foe unit), (times-over number):
    work:
      done: unit gains 1 gold
    gone: 1 of foe.figures at random
    hit: gone gain hurt
    slow: unit gains tired
    fate: unit.damage(3)
    back: unit moves up to 6"
    late: turn ends
  to pray (side): side gains 1 bells
  table damage of unit (face) by face:
    1-3 stunned: unit gains 1 gold
    4-6 nothing-much: nothing
"""
NEVER = {
    "rule x for each «figure» before drill: unit gains 10 gold": "rule x before drill:",
    "rule x for each «figure» after drill as foe: unit gains 10 gold": "in foe.figures",
    "rule x for each «figure» after move: figure gains hurt": "rule x for each unit after move:",
    "rule x for each «figure» after turn: figure gains hurt": "rule x for each unit after turn:",
    "rule x for each «figure» after drill.work: unit gains 1 gold": "rule x after drill.work:",
    "rule x for each «figure» after tired: figure gains hurt": "for each unit",
    "rule x for each «side» after tired: side gains 1 bells": "for each unit",
    "rule x for each side «before tired»: side gains 1 bells": "after tired",
    "rule x «instead of tired»: actor gains 1 gold": "after tired",
    "rule x for each unit «instead of move»: unit gains 1 gold": "after move",
    "rule x for each unit «instead of turn»: unit gains 1 gold": "after turn",
    "rule x «instead of drill.work»: actor gains 1 gold": "change",
    "rule x for each unit after move.«far»: unit gains 1 gold": "has no lines",
    "rule x for each unit after turn.«far»: unit gains 1 gold": "has no lines",
    "rule x for each unit after turn as «foe»: unit gains 1 gold": "leave `as foe` out",
    "rule x for each unit after move as «foe»: unit gains 1 gold": "leave `as foe` out",
    "rule x for each unit after tired as «foe»: unit gains 1 gold": "leave `as foe` out",
    "rule x for each «figure» after feat: figure gains hurt": "for each figure",
    "rule x for each unit «instead of feat»: unit gains 1 gold": "after feat",
    "rule x for each unit after feat.«far»: unit gains 1 gold": "has no lines",
    "rule x for each unit after feat as «foe»: unit gains 1 gold": "leave `as foe` out",
    "rule x after drill as «foe»: actor gains 1 gold": "for each unit",
    "rule x «before damage.stunned»: actor gains 1 gold": "before damage",
    "mark x of unit: until «after tired»": "rule NAME for each unit after tired",
    "mark x of unit: until «after pray»": "has no x",
    "mark x of side: until «after drill»": "has no x",
    "mark x of gunner: until «after pray»": "has no x",
    "mark x of unit: until «after drill as times-over»": "as foe",
}


@pytest.mark.parametrize("line", NEVER)
def test_what_can_never_set_in_is_told_at_its_word(line: str, tmp_path: Path) -> None:
    word = line.split("«")[1].split("»")[0]
    bare = line.replace("«", "").replace("»", "")
    assert told(tmp_path, f"{GAME}  {bare}\n") == [("P031", word)]


SETS_IN = [
    "rule x before drill: actor gains 10 gold",
    "rule x for each unit after drill as foe: actor gains 10 gold",
    "rule x for each unit after drill.work if unit is actor: unit gains 10 gold",
    "rule x before drill.work.done: actor gains 10 gold",
    "rule x for each unit after tired: unit gains 10 gold",
    "rule x for each unit before move: unit gains 5 gold",
    "rule x for each unit after move if unit is actor: unit gains 10 gold",
    "rule x for each unit after turn: unit gains 5 gold",
    "rule x for each figure after hurt: figure.unit.foe gains 10 gold",
    "rule x for each gunner after hurt: gunner.unit.foe gains 10 gold",
    "rule x for each unit after hurt: unit.foe gains 10 gold",
    "rule x after damage.stunned: actor gains 10 gold",
    "rule x before damage: actor gains 10 gold",
    "rule x after feat: actor gains 10 gold",
    "rule x for each unit before feat: unit gains 5 gold",
]


@pytest.mark.parametrize("rule", SETS_IN)
def test_every_other_hook_sets_in(rule: str, tmp_path: Path) -> None:
    hold(
        tmp_path,
        f"""{GAME}  {rule}
  value foe of unit: first(units where it is not unit)
  example it-did:
    unit A: gold 0
    unit B:
      is: gold 0
      gunners: 1
    do: A drills 2 at B
    then: A.gold + B.gold = 12
""",
    )


def test_a_rule_for_a_special_sort_is_asked_of_these_alone(tmp_path: Path) -> None:
    hold(
        tmp_path,
        f"""{GAME}  rule x for each gunner after hurt: gunner.unit gains 10 gold
  to burn (unit): figures gain hurt
  example two-gunners-of-five:
    unit A:
      is: gold 0
      figures: 3
      gunners: 2
    do: A burns
    then: A.gold = 20
""",
    )
