"""Family P: procedures and their lines.

The entries of the codes `P001` and on. This module does not know how a problem is found or shown.
"""

from __future__ import annotations

from interpreter.source.catalogue import Entry, page
from interpreter.source.values import replace


def _rest(*lines: str) -> str:
    """A procedure of some lines."""
    return "to rest (unit):\n" + "".join(f"  {line}\n" for line in lines)


_OUTCOMES = """\
table fates of unit (face) by face:
  1-3 bad: unit gains tired
  4-6 good: nothing
"""

_TWO_SHOTS = """\
mark hurt of trooper:
mark seen of trooper: until after fire
to fire (unit):
  first-one: 1 of troopers at random
{}  second-one: 1 of troopers at random
  down: (first-one + second-one) gain hurt
"""

_SHAKEN = """\
mark hurt of trooper:
to shake (unit):
  who: 1 of troopers at random
  down: who gains hurt
to fire (unit):
"""

_SHOWN = "example one-rests:\n  unit A: skill 4, tired\n  do: A rests\n  then: A is not tired\n"

ENTRIES: dict[str, Entry] = {
    **page(
        "P001",
        "`{name}` says nothing",
        "Here is a title, and nothing below it. Write what happens or what it is worth, or remove the title.",
        "to rest (unit):",
        _rest("calm: unit loses tired"),
        hint="write its lines below, further right, or take the title away",
    ),
    **page(
        "P002",
        "this should be one line of text",
        "Lines inside lines stand in procedures only, where things happen one after the other. In a table, "
        "a value or a card every name has one text on its own line.",
        "value zeal of unit:\n  base:\n    first: skill",
        "value zeal of unit:\n  base: skill",
        hint="write one text behind the name, on its line",
    ),
    **page(
        "P003",
        "nobody can be asked here",
        "A value and a condition are worked out from what is known, as often as anybody asks. Let "
        "somebody choose in a line of a procedure, and say that line's name afterwards.",
        "value bold of unit: unit wishes",
        _rest("bold: unit wishes usually yes"),
        hint="ask in a line of a procedure, and name that line here",
    ),
    **page(
        "P005",
        "a new thing is made in a line of its own",
        "A thing that comes into play needs a name, so that later lines can speak of it. Give it a line "
        "of its own, and use that line's name.",
        _rest("calm: (new unit (skill 3)).skill"),
        _rest("crew: new unit (skill 3)", "calm: crew.skill"),
        hint="make it in a line of its own, and name that line here",
    ),
    **page(
        "P006",
        "`{name}` happens, it is not worked out",
        "An outcome table changes things when it is asked, so it is used in a line of a procedure: `fate: "
        "unit.fates(d6)`. A value or a condition only looks at what is known.",
        _OUTCOMES + "value fate of unit: unit.fates(3)",
        _OUTCOMES + _rest("face: d6", "fate: unit.fates(face)"),
        hint="run it in a line of a procedure, and name that line here",
    ),
    **page(
        "P007",
        "a condition of a value's line stands behind its change",
        "In a procedure a condition stands in front of the colon. In a value or a roll it stands behind "
        "the change that it governs: `-1 if tired`.",
        "value zeal of unit:\n  base: skill\n  tired, if tired: -1",
        "value zeal of unit:\n  base: skill\n  tired: -1 if tired",
    ),
    **page(
        "P008",
        "`otherwise` has no `if` before it",
        "`otherwise` runs when the line right above it did not. So that line needs a condition, and "
        "nothing may stand between the two.",
        _rest("calm: unit loses tired", "down, otherwise: unit gains tired"),
        _rest("calm, if tired: unit loses tired", "down, otherwise: unit gains tired"),
    ),
    **page(
        "P009",
        "this cannot govern a line here",
        "What governs a line is read from left to right. `otherwise` comes first, because it looks at the line above.",
        _rest("calm, if tired: unit loses tired", "down, for each other in units, otherwise: other gains tired"),
        _rest("calm, if tired: unit loses tired", "down, otherwise, for each other in units: other gains tired"),
        hint="move it in front of what it follows here, or write the inner part as a line of its own below",
    ),
    **page(
        "P010",
        "this line does nothing",
        "The line has a name and a colon, and then it stops. Write what happens behind the colon or in "
        "lines below it; if nothing does, say `nothing`.",
        _rest("calm:"),
        _rest("calm: nothing"),
    ),
    **page(
        "P011",
        "this cannot be set",
        "Only what is kept can become something else: what stands on a card, a fact, or a line. A value is worked "
        "out anew each time somebody asks, so there is nothing to set.",
        "value zeal of unit: skill + 1\n" + _rest("calm: unit.zeal becomes 5"),
        "value zeal of unit: skill + 1\n" + _rest("calm: unit.skill becomes 5"),
        hint="set what it is worked out from",
    ),
    **page(
        "P012",
        "`picks one` needs options",
        "The options stand below, further right, one a line: a name, a colon, and what happens when it is "
        "picked. To pick things, write `picks 1 from …` behind the colon.",
        _rest("plan, unit picks one: unit loses tired"),
        _rest("plan, unit picks one usually sleep:", "  sleep: unit loses tired", "  watch: nothing"),
        hint="write the options on lines below, further right, such as `stay: nothing`",
    ),
    **page(
        "P013",
        "the rule `{name}` sets itself off",
        "This rule runs when a mark is gained, and its own lines give that mark again, so it would never "
        "come to an end. Give another mark, or do it in the procedure itself.",
        _rest("work: unit gains tired") + "rule spread for each unit after tired: unit gains tired",
        _rest("work: unit gains tired") + "mark slow of unit:\nrule spread for each unit after tired: unit gains slow",
        hint="give another mark, or do it in the procedure itself",
    ),
    **page(
        "P014",
        "nothing can happen during something else yet",
        "A rule runs before or after a procedure, one of its lines or a move, or in its place. To stop "
        "something half way, split the procedure and let the rule stand between the parts.",
        _rest("calm: unit loses tired") + "rule alarm during rest: unit gains tired",
        _rest("calm: unit loses tired") + "rule alarm after rest: unit gains tired",
        hint="write `before`, `after` or `instead of`",
    ),
    **page(
        "P015",
        "this line compares, and nothing asks for the answer",
        "`=` asks whether two things are equal; it never makes them so. If something should become "
        "another, say `becomes`; if the answer is wanted, a later line must say this line's name.",
        _rest("calm: unit.skill = 4"),
        _rest("calm: unit.skill becomes 4"),
    ),
    **page(
        "P016",
        "`{name}` is put together from every round of this loop",
        "What stands behind `until` sees the rounds so far together: numbers added up, yes if it was yes in any "
        "round. Things that were named and dice that were thrown only become more from round to round, so a "
        "question about those of one round is asked in the round itself, in a line of its own.",
        _rest("work, repeat until dozing = 1:", "  dozing: units where it.tired", "  yawn: unit gains tired"),
        _rest(
            "work, repeat until done:",
            "  dozing: units where it.tired",
            "  done: dozing = 1",
            "  yawn: unit gains tired",
        ),
    ),
    **page(
        "P017",
        "`is {word}` picks some out of several",
        "What is least or most is found by comparing all things of a collection, so it is the whole condition behind "
        "a `where`. Other conditions choose among them before, in brackets, or after. "
        "A `usually` looks at one thing at a time: there say which numbers are wished first, "
        "`usually hurt = 2, hurt = 1`.",
        "value calm-ones of unit: units where not it.tired and it.skill is most",
        "value calm-ones of unit: (units where not it.tired) where it.skill is most",
    ),
    **page(
        "P018",
        "this can never be so",
        "Whatever the cards and the dice say, this part of the condition fails: it says the opposite of what stands "
        "beside it or governs the line, or asks for a number that cannot be reached. What it governs never happens.",
        _rest("calm, if tired and not tired: unit loses tired"),
        _rest("calm, if tired and skill > 2: unit loses tired"),
    ),
    **page(
        "P019",
        "this is always so",
        "Whatever the cards and the dice say, this condition holds, so it decides nothing. Leave it out, or look for a "
        "slip: a comparison the wrong way round, or `or` where `and` was meant.",
        _rest("calm, if tired or not tired: unit loses tired"),
        _rest("calm, if tired: unit loses tired"),
    ),
    **page(
        "P020",
        "nothing reckons with `{name}`",
        "This line works something out, and no line below it asks what it was, nor does an example of "
        "this file. Often a step was added and the step behind it still says the old name. What is meant for the "
        "players stands last in its block.",
        _rest("lucky: skill + 1", "calm, if skill > 3: unit loses tired") + _SHOWN,
        _rest("lucky: skill + 1", "calm, if lucky > 3: unit loses tired") + _SHOWN,
    ),
    **page(
        "P031",
        "`{name}` never sets in: `{moment}` never comes for it",
        "A rule or the end of a mark waits for a moment that cannot come: a mark that is to be gained `before` "
        "something, the part of somebody in what has no parts, somebody who is never the one that does it. Figures are "
        "counted, so a rule does not go through them: a line of it does.",
        _rest("calm: unit loses tired") + "rule alarm before tired: unit gains tired",
        _rest("calm: unit loses tired") + "rule alarm after rest: unit gains tired",
    ),
    **page(
        "P032",
        "`{name}` waits for `{moment}`, and that never comes",
        "A mark ends, or a rule sets in, at a moment that nothing in the game brings about: no line says that the turn "
        "ends, or nobody calls a procedure that says only `nothing`, and no example does it. So the mark stays for "
        "ever, and the rule never acts. Call it where it happens, or show in an example how it is done.",
        "mark weary of unit: until after dusk\nto dusk (unit): nothing\n" + _rest("calm: unit loses tired"),
        "mark weary of unit: until after dusk\nto dusk (unit): nothing\n" + _rest("calm: unit dusks"),
    ),
    **page(
        "P033",
        "of alike figures as few are taken to be the same as must be, and here that decides a number",
        "Alike figures are only counted: nobody knows which of five riflemen was hit. Two names that dice, lots or "
        "somebody found each for itself are taken to share as few figures as they must, and a loop takes those that a "
        "round changes to have had their turn. Real dice share more. Mark the figures of the first name before the "
        "second is found, with one that nobody can have had before, as it ends with the procedure or puts out of play: "
        "a mark is carried by the figure, and tells it apart from the others.",
        _TWO_SHOTS.format(""),
        _TWO_SHOTS.format("  noted: first-one gains seen\n"),
    ),
    **page(
        "P034",
        "`{said}` is asked what the call may have changed (`{changed}`), in the block of that call",
        "Every sentence of a `together` block reads the state as it was at the start. The figures that a call of the "
        "block hands back are as that call has left them, so what it changed of them cannot be asked there, nor can "
        "they be taken out of others or handed on. How many they are can be said, and effects on them are done. Ask "
        "the rest in a line behind the block.",
        _SHAKEN + "  blows, together:\n    shock: unit shakes\n    felled: shock.who where hurt\n",
        _SHAKEN + "  blows, together:\n    shock: unit shakes\n  felled: shock.who where hurt\n",
    ),
    **page(
        "P035",
        "`{said}` is the same for all of them",
        "`where` looks at each of several things, and here it asks nothing of the one that it looks at, so it takes "
        "all of them or none. Most often a name of the title stands where that of each was meant: in a procedure of a "
        "unit, `unit` is that unit, and the unit of each figure is `it.unit`.",
        "to call (unit) at (target unit):\n  weary: target.troopers where unit.tired\n"
        "  calm, if any weary: unit loses tired",
        "to call (unit) at (target unit):\n  weary: target.troopers where it.unit.tired\n"
        "  calm, if any weary: unit loses tired",
    ),
    **page(
        "P021",
        "nothing happens in `{name}`",
        "The procedure has lines, and each of them says `nothing`; no rule and no mark waits for it either. Write what "
        "happens, or remove it.",
        _rest("calm: nothing"),
        _rest("calm: unit loses tired"),
        hint="write what happens, or take it away",
    ),
}

# Suspicious, not wrong.
ENTRIES["P015"] = replace(ENTRIES["P015"], severity="warning")
for _code in ("P018", "P019", "P020", "P021", "P032", "P033", "P035"):
    ENTRIES[_code] = replace(ENTRIES[_code], severity="warning")
