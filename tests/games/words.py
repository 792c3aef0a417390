"""What stands for `{word}` in a sentence: templates, one a line, and the construct that each of them is (`tag ~`).

`{@number}` is a name that a line gave, `{number}` any expression. What stands behind `deep` is taken seldom, for it
holds more of its own sort.
"""

from __future__ import annotations

from typing import NamedTuple


class Template(NamedTuple):
    tag: str
    text: str


class Sentence(NamedTuple):
    """A line of one sentence: the construct that it is, what it is worth, how many dice it throws."""

    tag: str
    text: str
    sort: str = ""
    dice: int = 0


TEXT = """
number
  0
  1
  2
  {unit}.pins
  {unit}.heat
  {unit}.figures
  counted where ~ ({unit}.figures where {which})
  number needed ~ {unit}.{@roll}.needed
  count of units ~ units
  count of units ~ {unit}.foes
  sorts of figures ~ {unit}.guns
  value ~ {unit}.grit
  value ~ {unit}.grit
  value with arguments ~ {unit}.worth({unit})
  value with arguments ~ {unit}.worth({unit})
  value of nothing ~ tide
  value of nothing ~ swell({few})
  column ~ {unit}.mood.brave
  bounds ~ {unit}.luckiness
  fact ~ slope({unit})
  ruling ~ fog
  sum() ~ sum({unit}.figures.wounds)
  max() of list ~ max({unit}.figures.wounds)
  min() of list ~ min({unit}.figures.wounds)
  sum() ~ sum(units.heat)
  max() of list ~ max(units.pins)
  value ~ sum(units.grit)
  {@number}
  {@number}
  {@number}
  {@number}
  highest() ~ highest({@faces})
  lowest() ~ lowest({@faces})
  alike() ~ alike({@faces})
  faces where ~ ({@faces} where {whichface})
  sum() of faces ~ sum({@faces} where {whichface})
  sum() of faces ~ sum({@faces})
  {@figure}.wounds
  column ~ {@figure}.arm.shots
  banded cell ~ {@figure}.arm.rate at {inches}
  column ~ sum({unit}.figures.arm.shots)
  one thing ~ {unit}.friend.pins
  {@thing}.heat
  owner ~ {unit}.side.purse
  whole() ~ whole({unit}.stride / 1")
  first() ~ first({things}).pins
  one of a kind ~ sum(evenings.gloom)
  number or none ~ {unit}.spite
  first worked out ~ {unit}.muster
  value in rows ~ {unit}.bearing.brave
  ruling of rows ~ custom.brave
  list of rows ~ max(({unit}.figures.arm where big).shots)
  faces left ~ highest({@faces} where {whichface})
  most faces ~ ({@faces} where it is most)
  ran() ~ (1 if ran({@line}) else 0)
  value of figures ~ {unit}.crew
  value told a row ~ {unit}.cheer({mood})
  sides ~ sum(sides.purse)
  value of a side ~ {unit}.side.might
  value of a side ~ sum(sides.might)
deep
  + ~ ({number} + {number})
  - ~ ({number} - {number})
  * ~ {few} * {number}
  min() ~ min({number}, {number})
  max() ~ max({number}, {number})
  half() ~ half({number})
  whole() ~ whole({number} / 2)
  if else ~ ({number} if {truth} else {number})
few
  1
  2
  min() ~ min(2, {number})
inches
  4"
  {unit}.stride
  value in inches ~ {unit}.pace
  fact ~ gap({unit}, {unit})
  {@inches}
  min() of inches ~ min(units.stride)
  max() of inches ~ max(units.pace)
  sum() of inches ~ sum(units.stride)
  fact both ways ~ span({unit}, {unit})
deep
  if else of inches ~ ({inches} if {truth} else {inches})
  + ~ ({inches} + 2")
  half() ~ half({inches})
  whole() ~ whole({inches} / 2)
  max() ~ max({inches}, {inches})
truth
  compare ~ {number} {than} {number}
  compare ~ {number} {than} {number}
  {unit} {is} {tick}
  {unit} {is} {tick}
  several marks ~ {unit} is weary
  target cell ~ {unit}.mood.skill < 4+
  any ~ any {figures}
  no ~ no {figures}
  row ~ {unit}.mood {is} {mood}
  rows compared ~ {unit}.mood {beyond} {mood}
  fact ~ windy({unit}, {unit})
  fact both ways ~ misty({unit}, {unit})
  fact with a number ~ caught({unit}, {unit}, {few})
  words ~ {unit}.way is {way}
  any ~ any {unit}.way
  one thing ~ any {unit}.friend
  one thing ~ {unit}.friend is {unit}
  is a ~ {unit} is a tank
  is a ~ {unit} is not a tank
  in ~ {unit} in {unit}.foes
  not in ~ {unit} not in {things}
  many rows ~ graze in {unit}.blows
  many things ~ {unit} in {unit}.pals
  yes or no ~ {unit}.keen
  {@truth}
  {@truth}
  {@truth}
  {@figure} {is} {ftick}
  row mark ~ {@figure}.arm is big
  row ~ {@figure}.arm is rifle
  any cell ~ any {unit}.mood.brave
  all are ~ all {figures} are ({which})
  all are ~ all units are (it.heat = 0)
  inches ~ {inches} {than} {inches}
  any ~ any ({things})
  {@thing} is {unit}
  one of a kind ~ any (evenings where gloom >= 1)
  any faces ~ any ({@faces} where {whichface})
  number or none ~ {unit}.spite {is} none
  number or none ~ any {unit}.spite
  number needed ~ {unit}.{@roll}.needed {than} {number}
  number needed ~ any {unit}.{@roll}.needed
  fact of rows ~ outlook({unit}) is {way}
  fact with a row ~ suits({unit}, {mood})
  value in rows ~ {unit}.bearing {is} {mood}
  value in rows ~ {unit}.bearing {beyond} {mood}
  ruling of words ~ omen is fair
  ruling of rows ~ {unit}.mood is custom
  first yes ~ {unit}.hale
  list of rows ~ any {unit}.figures.arm
  list of rows ~ rifle in {unit}.figures.arm
  list of rows ~ all {unit}.figures.arm are big
  list of rows ~ calm not in units.mood
  most-common() ~ most-common({unit}.figures.arm) is bow
  rows on figures ~ graze in {@figure}.scars
  yes or no on figures ~ {@figure}.bold
  thing on figures ~ {@figure}.prey is {unit}
  thing on figures ~ any {@figure}.prey
  mark in a cell ~ {unit}.cup.does is tired
  row taken ~ {@result} is graze
  row taken ~ any {@result}
  ran() ~ ran({@line})
  ran() ~ not ran({@line})
  value of a condition ~ {unit}.calm-enough
deep
  and ~ ({truth} and {truth})
  or ~ ({truth} or {truth})
  not ~ not ({truth})
figures
  {unit}.figures
  where ~ ({unit}.figures where {which})
  where ~ ({unit}.figures where {which})
  {@figures}
  {@figures}
  difference ~ ({unit}.figures - {@figures})
  most ~ ({unit}.figures where {@bare}wounds is most)
  least ~ ({unit}.figures where {@bare}wounds is least)
  most ~ (({unit}.figures where {which}) where {@bare}wounds is most)
  as where ~ ({unit}.figures as man where man.wounds = 0)
  sorts of figures ~ {unit}.guns
  value of figures ~ {unit}.crew
deep
  if else of figures ~ ({figures} if {truth} else {figures})
  union ~ ({figures} + {figures})
  difference ~ ({figures} - {figures})
  where ~ ({figures} where {which})
which
  it {is} {ftick}
  it {is} {ftick}
  it.arm is rifle
  {@bare}arm is bow
  it.wounds > 0
  {@bare}wounds = 0
  any cell ~ any it.arm
  row mark ~ {@bare}arm is big
  {@bare}wounds < {unit}.pins
  and ~ it.wounds > 0 and it is not {ftick}
  rows on figures ~ graze in it.scars
  yes or no on figures ~ {@bare}bold
  yes or no on figures ~ not it.bold
  thing on figures ~ it.prey is {unit}
whichface
  it >= 2
  it = 1
  it < {number}
  it > 1
things
  units
  {unit}.foes
  where ~ (units where {whichunit})
  where ~ (units where {whichunit})
  difference ~ (units - {unit})
  union ~ ({unit} + {unit})
  least ~ (units where it.heat is least)
  many things ~ {unit}.pals
  owner ~ {unit}.side.units
  sides ~ sides.units
  least of a fact ~ (units where gap({unit}, it) is least)
  most of a value ~ (units where it.grit is most)
  as where of things ~ (units as one-more where one-more.pins >= {unit}.pins)
whichunit
  it.pins > 0
  it {is} {tick}
  it is not {unit}
  it.mood is {mood}
  it.side is {unit}.side
  value ~ it.grit > 1
  number or none ~ it.spite > 0
  value in rows ~ it.bearing > {mood}
rows
  moods
  where ~ (moods where it.brave >= 2)
  many rows ~ {unit}.blows
  list of rows ~ units.mood
  list of rows ~ (units.mood where brave > 0)
  most of rows ~ (moods where brave is most)
  as where of rows ~ (moods as level where level.brave < 3)
effect
  {unit} gains {number} pins
  {unit} loses 1 pin
  loses all ~ {unit} loses all pins
  {unit} gains {number} heat
  {unit} gains {tick}
  {unit} gains {tick}
  {unit} loses {tick}
  becomes ~ {unit}.mood becomes {mood}
  rows up ~ {unit}.mood becomes {unit}.mood + 1
  becomes ~ {unit}.way becomes {way}
  becomes ~ {unit}.way becomes none
  becomes a choice ~ {unit}.mood becomes {unit}.side picks 1 from moods usually {mood}
  bounds ~ {unit} gains {number} luckiness
  bounds ~ {unit} loses {few} luckiness
  becomes ~ {unit}.keen becomes false
  becomes ~ {unit}.pins becomes {number}
  becomes ~ {unit}.heat becomes {number}
  becomes ~ {unit}.stride becomes {inches}
  fact that changes ~ gap({unit}, {unit}) becomes {inches}
  fact that changes ~ span({unit}, {unit}) becomes {inches}
  fact that changes ~ {unit}.gap({unit}) becomes {inches}
  fact that changes ~ slope({unit}) becomes {number}
  fact that changes ~ windy({unit}, {unit}) becomes {truth}
  fact that changes ~ misty({unit}, {unit}) becomes {truth}
  fact of rows that changes ~ outlook({unit}) becomes {way}
  fact with a number that changes ~ caught({unit}, {unit}, {few}) becomes true
  fact of several that changes ~ {unit}.foes.gap({unit}) becomes {inches}
  out of play ~ {figures} gain casualty
  {men} gain {ftick}
  {men} gain {ftick}
  {men} lose {ftick}
  {men} gain 1 wound
  {men} gain 1 wound
  {men} lose 1 wound
  many rows ~ {unit}.blows becomes {unit}.blows + graze
  many rows ~ {unit}.blows becomes none
  one thing ~ {unit}.friend becomes {unit}
  one thing ~ {unit}.friend becomes none
  many things ~ {unit}.pals becomes {unit}.pals + {unit}
  many things ~ {unit}.pals becomes {unit}.pals - {unit}
  leaves play ~ {unit} leaves play
  change hands ~ {figures}.unit becomes {unit}
  sorts of figures ~ {unit}.guns gain 1 load
  becomes of figures ~ {figures}.arm becomes bow
  many gain ~ {unit}.foes gain {tick}
  many gain ~ units gain 1 heat
  many gain ~ ({unit} + {unit}) gain {tick}
  {@figure} gains casualty
  {@figure} gains {ftick}
  {@figure} gains 1 wound
  {@thing} gains {number} pins
  {unit}.mood becomes {@row}
  owner ~ {unit}.side gains 1 purse
  deals ~ {unit}.side deals {number} wounds evenly to {unit}.figures usually {order}
  moves ~ {unit} moves up to {inches}
  moves ~ {unit} moves up to {inches} towards {unit}
  moves ~ {unit} moves 4"
  deals by ~ {unit}.side deals {few} wounds evenly by wounds + load to {unit}.guns usually it is down
  deals ~ {unit}.side deals {few} pins evenly to {things} usually it is tired
  several marks ~ {unit} gains weary
  several marks ~ {unit} loses slow
  moves ~ {unit} moves 3" away from {unit}
  moves ~ {unit} moves straight ahead
  moves ~ {unit} moves {inches} towards {unit}
  umpire ~ umpire 'what now'
  nothing ~ nothing
  one of a kind ~ evenings gain 1 gloom
  number or none ~ {unit} gains {few} spite
  number or none ~ {unit} loses {number} spite
  number or none ~ {unit}.spite becomes none
  number or none ~ {unit}.spite becomes {number}
  rows on figures ~ {figures}.scars becomes none
  rows on figures ~ {@figure}.scars becomes {@figure}.scars + bruise
  yes or no on figures ~ {figures}.bold becomes true
  yes or no on figures ~ {@figure}.bold becomes {truth}
  thing on figures ~ {figures}.prey becomes {unit}
  thing on figures ~ {figures}.prey becomes none
  mark in a cell ~ {unit} gains {unit}.cup.does
  mark in a cell ~ {unit} loses {unit}.cup.does
  row taken ~ {unit}.blows becomes {unit}.blows + {@result}
  moves ~ {unit} moves up to {inches} into contact with {unit}
  sides ~ sides gain 1 purse
  sides ~ {unit}.side loses all purse
  owner of figures ~ {@figure}.owner gains 1 purse
  loses all of figures ~ {figures} lose all wounds
  many things ~ {unit}.pals gain {tick}
  many things ~ {unit}.pals becomes {things}
men
  {figures}
  {figures}
  {@figures}
unit
  {@unit}
than
  >
  <
  >=
  <=
  =
beyond
  >
  <
  >=
  <=
is
  is
  is not
way
  left
  right
mood
  calm
  wary
  wild
tick
  {@tick}
ftick
  {@ftick}
order
  it is down, it.wounds > 0, it.arm is bow, it.arm is rifle
most
  most
  fewest
die
  d2
  d3
hit
  passing
  failing ~ failing
does
  passes
  fails ~ fails
roll
  {@roll}
change
  needs change ~ needs +1 if {truth}
  needs change ~ needs -1 per {unit}.pins
  needs change ~ needs +{unit}.mood.brave
  needs anew ~ needs {number} if {truth}
  roll change ~ roll +1
  needs change ~ needs -1 per {unit}.pins if {truth}
  needs a cell ~ needs {unit}.mood.skill if {truth}
  roll change ~ roll -1 if {truth}
  roll change ~ roll +1 per {unit}.pins
  again ~ again if {truth}
  best ~ best of 2
  worst ~ worst of 2 if {truth}
  passes if ~ passes if {truth}
  fails if ~ fails if {truth}
"""

WORDS: dict[str, tuple[list[Template], list[Template]]] = {}


def _read() -> None:
    word, deep = "", 0
    for line in TEXT.strip().splitlines():
        if not line.startswith(" "):
            if line == "deep":
                deep = 1
            else:
                word, deep = line, 0
                WORDS[word] = ([], [])
            continue
        tag, tilde, text = line.strip().partition(" ~ ")
        WORDS[word][deep].append(Template(tag, text) if tilde else Template("", tag))


_read()


LINES = [
    Sentence("", "{number}", "number"),
    Sentence("", "{number}", "number"),
    Sentence("", "{truth}", "truth"),
    Sentence("", "{truth}", "truth"),
    Sentence("", "{inches}", "inches"),
    Sentence("if else", "{number} if {truth} else {number}", "number"),
    Sentence("where", "{figures} where {which}", "figures"),
    Sentence("named figures", "{figures}", "figures"),
    Sentence("first()", "first({figures})", "figure"),
    Sentence("first()", "first({things})", "thing"),
    Sentence("max() of rows", "max({rows})", "row"),
    Sentence("min() of rows", "min({rows})", "row"),
    Sentence("most-common()", "most-common(units.mood)", "row"),
    Sentence("meeting", "{@faces} meeting {unit}.nerve", "number"),
    Sentence("missing", "{@faces} missing {unit}.nerve", "number"),
    Sentence("meeting some", "({@faces} where {whichface}) meeting {unit}.nerve", "number"),
    Sentence("faces where", "({@faces} where {whichface}) * {number}", "number"),
    Sentence("faces named", "{@faces} where {whichface}", "faces"),
    Sentence("wishes", "{unit}.side wishes usually yes", "truth"),
    Sentence("wishes", "{unit}.side wishes usually no", "truth"),
    Sentence("picks number", "{unit}.side picks 0 to {number} usually {most}", "number"),
    Sentence(
        "picks up to", "{unit}.side picks up to min(3, {number}) from {figures} usually {most}, {order}", "figures"
    ),
    Sentence("picks", "{unit}.side picks 2 from {figures} usually {order}", "figures"),
    Sentence("picks 1", "{unit}.side picks 1 from {figures} usually most, {order}", "figure"),
    Sentence(
        "picks a thing", "{unit}.side picks 1 from {things} usually most, it.pins > 1, it.mood is {mood}", "thing"
    ),
    Sentence("picks a row", "{unit}.side picks 1 from moods usually {mood}", "row"),
    Sentence("picks from dice", "{unit}.side picks 1 from {@faces} usually it = 2, it = 1", "number"),
    Sentence("new", "new unit (side {unit}.side, heat {number}, pins 1)", "thing"),
    Sentence("true false", "true if {truth} else {truth}", "truth"),
    Sentence("group", "{@faces} + {@faces}", "faces"),
    Sentence("new of a kind", "new evening (gloom {few})", ""),
    Sentence("die", "{die}", "number", 1),
    Sentence("dice of a cell", "{unit}.mood.kick dice", "", 1),
    Sentence("roll with arguments", "{unit} {does} aim({unit})", "truth", 1),
    Sentence("roll with arguments", "{few} {hit} {unit}.aim({unit})", "number", 2),
    Sentence("die", "{die} + {number}", "number", 1),
    Sentence("passes", "{unit} {does} {@roll}", "truth", 1),
    Sentence("passing", "{few} {hit} {unit}.{@roll}", "number", 2),
    Sentence("passing figures", "({unit}.figures) {hit} hardy", "figures", 2),
    Sentence("failing figures", "{figures} failing hardy", "figures", 2),
    Sentence("pool", "2 dice", "faces", 2),
    Sentence("pool", "{few} dice", "faces", 2),
    Sentence("except", "d3 except 2", "number", 1),
    Sentence("lots of figures", "1 of {figures} at random", "figure", 1),
    Sentence("lots of figures", "2 of {figures} at random", "figures", 2),
    Sentence("lots of things", "1 of {things} at random", "thing", 1),
    Sentence("lots of rows", "1 of moods at random", "row", 1),
    Sentence("dice inches", '1d2"', "inches", 1),
    Sentence("outcome table", "{unit}.harm(d3)", "result", 2),
    Sentence("picks from a throw", "{unit}.side picks 1 from 2d3 usually it = 2, it = 1", "number", 2),
    Sentence("picks dice", "{unit}.side picks 2 from 3 dice usually it = 2, it = 1", "faces", 3),
    Sentence("picks from some faces", "{unit}.side picks 2 from ({@faces} where {whichface}) usually it = 2", "faces"),
    Sentence(
        "picks up to 1 face", "{unit}.side picks up to 1 from ({@faces} where {whichface}) usually {most}", "number"
    ),
    Sentence("most faces", "{@faces} where it is least", "faces"),
    Sentence("owner chooses", "{unit}.owner picks 1 from {figures} usually {order}", "figure"),
    Sentence("owner chooses", "{unit}.owner wishes usually yes", "truth"),
    Sentence("if else of rows", "max(units.mood) if {truth} else min(moods)", "row"),
    Sentence("if else of things", "first({things}) if {truth} else {unit}", "thing"),
    Sentence("gains dice", "{unit} gains {die} pins", "", 1),
    Sentence("moves dice", '{unit} moves 1d2" away from {unit}', "", 1),
    Sentence("becomes dice", "{unit}.heat becomes {die} + {few}", "", 1),
    Sentence("deals dice", "{unit}.side deals {die} wounds evenly to {unit}.figures usually {order}", "", 1),
    Sentence("if else of dice", "{die} if {truth} else {number}", "number", 1),
    Sentence("best of some dice", "max({die}, {few})", "number", 1),
    Sentence("new from", "new unit (side {unit}.side, pins 1, from {unit})", "thing"),
    *[Sentence("", "{effect}")] * 12,
]
