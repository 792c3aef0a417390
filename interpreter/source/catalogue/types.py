"""Family T: values of the wrong type or unit.

The entries of the codes `T001` and on. This module does not know how a problem is found or shown.
"""

from __future__ import annotations

from interpreter.source.catalogue import Entry, page, toy

_GUNS = """
        table guns (range, shots):
          rifle: 24", 1
"""

_CRUSHED = """
roll luck of unit: needs skill
to crush (unit) at (foe unit):
  lucky: foe.troopers passing {}
  calm, if lucky > 0: foe loses tired
"""

ENTRIES: dict[str, Entry] = {
    **page(
        "T001",
        "this should be {wanted}, not {found}",
        "The sentence can be read, but what stands at the mark is of another sort than its place asks "
        "for. A number, a distance, a yes or no, a row of a table, one thing and several things are "
        "never taken for each other.",
        "value ready of unit: skill > 3 and troopers",
        "value ready of unit: skill > 3 and any troopers",
        hint="put {wanted} here",
    ),
    **page(
        "T002",
        "{left} and {right} do not go together",
        'Distances are in inches, and are added to and compared with inches only: `6"`, never `6`. So a '
        "number that was meant as something else cannot slip into a measurement.",
        "value close of unit: reach < 6",
        'value close of unit: reach < 6"',
    ),
    **page(
        "T003",
        "`{name}` cannot be asked of {found}",
        "There is such a function, but it is not for this. The hint says what it takes: some count dice, "
        "some compare numbers, some choose among rows of a table.",
        "value strength of unit: highest(skill)",
        "value strength of unit: max(skill, 3)",
    ),
    **page(
        "T004",
        "the column `{column}` holds {usual}, here it has {found}",
        "All cells of a column are of one sort: distances with the inch sign, numbers to beat with their "
        "plus, plain numbers, dice, or words. Where the printed page has nothing, write `none`; a number in a column "
        "that is thrown is written as dice: `3d6` throws three, `0d6+3` is 3 without a die.",
        """
        table guns (range, shots):
          rifle: 24", 1
          pistol: 8, 1
        """,
        """
        table guns (range, shots):
          rifle: 24", 1
          pistol: 8", 1
        """,
        hint="write {usual} here, as the column holds, or change the column's other cells",
    ),
    **page(
        "T005",
        "this row of {table} has more cells than its {columns}",
        "Cells stand in the order of the columns in the title, and marks stand behind them. Add a column "
        "to the title, or write what is seldom filled with the column's name: `jam 2`.",
        _GUNS + '          pistol: 8", 1, 2\n',
        _GUNS + '          pistol: 8", 1\n',
        hint="take the cell away, or name one more column in the title of {table}",
    ),
    **page(
        "T006",
        "`at` asks a near-and-far column what it holds at a distance",
        'Only a column declared as `shots by range`, with cells such as `12"/24", 2/1`, changes with the '
        "distance. Declare it so, or leave `at` and the distance out.",
        """
        table guns (range, shots):
          rifle: 24", 1
        value fire of unit (gun guns, other unit): gun.shots at distance(unit, other)
        """,
        """
        table guns (range, shots by range):
          rifle: 24", 1
        value fire of unit (gun guns, other unit): gun.shots at distance(unit, other)
        """,
    ),
    **page(
        "T007",
        "`{name}` was given the wrong things in brackets: {found}",
        "The title of a value, a roll, a fact or a table says in brackets what it must be told. Give it "
        "just that, in the same order; a plain name takes no brackets at all.",
        """
        value gap of unit (other unit): distance(unit, other)
        value far of unit (other unit): gap > 6"
        """,
        """
        value gap of unit (other unit): distance(unit, other)
        value far of unit (other unit): gap(other) > 6"
        """,
    ),
    **page(
        "T008",
        "a {kind} gains a mark, or a number of something",
        "`gains` puts a mark on somebody (`unit gains tired`) or adds to a number on a card (`unit gains "
        "1 skill`). Here the number is there, but not what is counted.",
        """
        to rest (unit):
          calm: unit gains 1
        """,
        """
        to rest (unit):
          calm: unit gains 1 skill
        """,
    ),
    **page(
        "T009",
        "`{verb}` is not told what it needs",
        "The title of a procedure says what it works on: first the one who does it, then the others, in "
        "order or behind a word such as `at`. Say all of them, and no more.",
        """
        to shoot (unit) at (other unit):
          hit: d6
        to act (unit):
          volley: unit shoots
        """,
        """
        to shoot (unit) at (other unit):
          hit: d6
        to act (unit), (foe unit):
          volley: unit shoots at foe
        """,
    ),
    **page(
        "T010",
        "a {kind} is counted, and cannot record {type}",
        "Figures that are alike are counted, not listed, so that large units cost nothing. What tells "
        "them apart may be rows of tables, numbers and marks; distances and sets of things belong to the unit.",
        """
        kind gun, many to a unit:
          far: inches
        """,
        """
        kind gun, many to a unit:
          calibre: number
        """,
        hint="let what they belong to keep it",
    ),
    **page(
        "T011",
        "no single {kind} can be named",
        "A counted thing has no name of its own: there are so many of them, and some have marks. Give the "
        "one you mean a mark, and ask `any (troopers where …)`.",
        """
        kind squad:
          chief: a trooper
        """,
        """
        kind squad:
          chief: a unit or none
        """,
        hint="give the one that is meant a mark, and ask `any (… where …)` for it",
    ),
    **page(
        "T012",
        "{what} must be a whole number, and this may be a fraction",
        "Dice, figures, rounds and what is written on cards are counted, and nobody throws half a die. A "
        "division may leave a fraction, so say how it is rounded: `half(n)` is half of a number, rounded "
        "up, and `whole(…)` rounds down.",
        """
        to flee (unit):
          gone: unit gains skill / 2 skill
        """,
        """
        to flee (unit):
          gone: unit gains half(skill) skill
        """,
    ),
    **page(
        "T013",
        "how many have `{mark}` is not counted per {per}",
        "`up to 2 per unit` limits a mark of counted things, and is asked of each thing that holds them. Say the kind "
        "that does; a mark of anything else takes no limit.",
        "mark winded of trooper: up to 2 per trooper",
        "mark winded of trooper: up to 2 per unit",
    ),
    **page(
        "T014",
        "{left} and {right} have nothing in common",
        "`+` puts two collections together, `-` takes one out of the other: units and units, troopers and troopers. "
        "Of unlike things nobody is in both. A sum in which a number stands counts each for itself.",
        "value gap of unit: units - troopers",
        "value gap of unit: 0 + units - troopers",
    ),
    **page(
        "T015",
        "`{what}` holds a number for each distance, and here a single one is wanted",
        'Of a cell such as `2/1` beside `12"/24"` only the distance says which number is meant: ask it `at` one. The '
        "distance itself, read so, is how far it reaches.",
        """
        table guns (range, shots by range):
          rifle: 12"/24", 2/1
        value fire of unit (gun guns): gun.shots
        """,
        """
        table guns (range, shots by range):
          rifle: 12"/24", 2/1
        value fire of unit (gun guns, other unit): gun.shots at distance(unit, other)
        """,
    ),
    **page(
        "T016",
        "counted things that are alike cannot be told apart by `{word}`",
        "Alike figures are one row with a number, and none of them is another one than the next. Who is left when one "
        "is taken out of them is said with `-`; whoever shall be known again is given a mark.",
        """
        to hide (unit):
          chief: first(troopers)
          others: troopers where it is not chief
        """,
        """
        to hide (unit):
          chief: first(troopers)
          others: troopers - chief
        """,
    ),
    **page(
        "T017",
        "this cannot be said of the mark `{mark}`",
        "A mark between two, `mark locked of unit with unit`, is borne with somebody. `both ways`, for two of one "
        "kind, and `while C`, which must be so of each of them, are said of such a mark alone. It ends when a line "
        "says so, `until before …` or `until after …`; it is not out of play, and has no limit.",
        "mark locked of unit: both ways",
        "mark locked of unit with unit: both ways",
    ),
    **page(
        "T018",
        "`{mark}` is not said so of two",
        "A mark between two is gained with somebody, and asked with the preposition that its title has: `unit gains "
        "locked with target`, `unit is locked with target`. Asked alone, `unit is locked`, it is whether there is "
        "anybody; lost alone, `unit loses locked`, it is lost with everybody.",
        """
        mark locked of unit with unit: both ways
        to meet (unit) with (other unit):
          grip: unit gains locked
        """,
        """
        mark locked of unit with unit: both ways
        to meet (unit) with (other unit):
          grip: unit gains locked with other
        """,
    ),
    **page(
        "T019",
        "a line makes no {kind}",
        "A line makes whole things, `new unit (side side)`; what is counted only belongs to one. Those who may come "
        "later are there from the beginning, out of play, and are back in play when they lose the mark that says so.",
        """
        to raise (unit):
          man: new trooper (skill 2)
        """,
        """
        mark resting of trooper: out of play
        to raise (unit):
          man: first(unit.restings) loses resting
        """,
    ),
    **page(
        "T020",
        "`{name}` cannot be said to be `both ways`",
        "`both ways` is said of a fact that the table tells of two things of one kind, and of nothing besides: what is "
        "stated of A and B then holds of B and A, unless that is stated too. What belongs to one thing, or is told of "
        "a number or a row as well, has no other way round.",
        "fact smoke of unit (far inches): yes or no first no, both ways",
        "fact smoke of unit (other unit): yes or no first no, both ways",
    ),
    "T021": Entry(
        "warning",
        "these throw by `{name}` of `{mine}`, whose figures they are not",
        "Whose roll it is decides what the dice need. Without an owner in front I take that of the open card, and here "
        "the figures belong to somebody else, whose own roll may need another number. Write the owner in front of it.",
        toy(_CRUSHED.format("luck")),
        toy(_CRUSHED.format("foe.luck")),
    ),
}
