"""A house rule that somebody at the studio has written."""

OURS = """game: Ours
over: modern
House rules:
  change:
    weapons.rifle.shots: 2, was 1
  add to shooting:
    winded: roll -1 if unit is winded
  mark winded of unit: until before try
  example with-our-rules:
    unit A: seasoned, 6 figures, weapon rifle
    unit B: green, spotted, 8 figures, terrain soft
    facts: distance(A, B) is 20"
    do: A shoots at B
    odds: 2/1 mean hits
"""
