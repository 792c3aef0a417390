"""A small game and a house rule on it, for editors: the folder `club` in which the tests of the language server write."""

BASE = """\
game: Base
Conventions:
  dice plain: d6 at or over
  kind side:
  kind unit of side:
    strength: number first 4
    armour: one of armours first light
Armour:
  table armours (save):
    light: 5
    heavy: 3
Firing:
  mark pinned of unit: until before shoot
  roll shooting of unit:
    basic: needs 4
    pinned: roll -1 if unit is pinned
  roll save of unit: needs unit.armour.save
  to shoot (unit) at (target unit):
    hits: unit.strength passing unit.shooting
    dead: hits failing target.save
    fall: target loses dead strength
    stop, if dead > 0: target gains pinned
"""
HOUSE = """\
game: House
extends: base
change:
  armours.heavy.save: 2, was 3
House rules:
  add to shooting:
    close: roll +1 if unit.armour is light
  example four-at-four:
    unit A: strength 4
    unit B: strength 4, armour heavy
    do: A shoots at B
    odds: 8/3 mean hits
"""
