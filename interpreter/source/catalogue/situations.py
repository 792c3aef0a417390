"""Family F: situations: units, facts, dice that are stated.

The entries of the codes `F001` and on. This module does not know how a problem is found or shown.
"""

from __future__ import annotations

from interpreter.source.catalogue import Entry, page

_RULES = """\
table ranks: raw, tried
table moods: glum, old
table guns (shots):
  rifle: 1
  old: 2
kind squad:
  rank: one of ranks
  mood: one of moods or none
  temper: one of moods or none
  hurt: number 0 to 6
  chief: a squad or none
kind figure, many to a squad:
  gun: one of guns or none
mark down of figure: up to 2 per squad
limit old-guns of squad: (figures where gun is old) <= 3
fact gap of squad (other squad): inches
ruling luck: 2, or 3
to rally (squad):
  calm: squad picks up to 1 from figures usually most
  rest: squad picks up to 1 from (figures - calm)
  faces: 2 dice
to near (squad) with (other squad):
  near: gap(squad, other)
  chance: luck
"""


def _case(code: str, message: str, meaning: str, bad: str, good: str, hint: str = "") -> dict[str, Entry]:
    """A page whose examples are situations of one small game."""

    def whole(lines: str) -> str:
        return _RULES + "example volley:\n" + "".join(f"  {line}\n" for line in lines.strip().splitlines())

    return page(code, message, meaning, whole(bad), whole(good), hint)


_OF_SIDES = """\
game: Toy of sides
Things:
  kind side:
  kind unit of side:
  limit at-most-four of side: units <= 4
  example ours:
    force: Ours
    unit A: side Red
    unit B: side WHOSE
"""

ENTRIES: dict[str, Entry] = {
    **_case(
        "F001",
        "the rules do not say how {name} starts",
        "The rules need to know this, and have no first value for it. Say it in the situation: the word "
        "itself where only one thing can be meant, or the name and the word, such as `rank raw`.",
        "squad A: 4 figures\nthen: A.rank is raw",
        "squad A: 4 figures, rank raw\nthen: A.rank is raw",
    ),
    **_case(
        "F002",
        "`{word}` does not describe a {kind}",
        "A thing is described by rows of its tables, by its marks, and by names with a value: `raw, 4 "
        "figures, hurt 2`. This word is none of them; most often it is misspelt.",
        "squad A: rwa, 4 figures\nthen: A.rank is raw",
        "squad A: raw, 4 figures\nthen: A.rank is raw",
        hint="correct the word; what describes a {kind} stands on its card in the rules",
    ),
    **_case(
        "F003",
        "`{word}` could be the {options}",
        "Two of the thing's columns know this word, and I do not guess. Say which you mean, with the name in front.",
        "squad A: raw, 2 figures\nsquad B: raw, old, 2 figures\nthen: A.rank is raw",
        "squad A: raw, 2 figures\nsquad B: raw, gun old, 2 figures\nthen: A.rank is raw",
    ),
    **_case(
        "F004",
        "{name} is not stated",
        "The rules ask the table for this, and here is no table to measure on. Add it to `facts:`; where "
        "most games have the same answer, the rule file can give it a `first`. What a line makes is named by "
        "that line, as `bail.crew`; made `from` something, it has the facts of that.",
        'squad A: raw, 1 figures\nsquad B: raw, 1 figures\ndo: A nears with B\nthen: near > 2"',
        'squad A: raw, 1 figures\nsquad B: raw, 1 figures\nfacts: gap(A, B) is 3"\ndo: A nears with B\nthen: near > 2"',
    ),
    **_case(
        "F005",
        "too few dice for `{line}`: {wanted} are thrown",
        "The list of faces has run out before the rules had thrown all their dice. Add the missing "
        "faces, or give them to their lines by name: `faces 3 5`.",
        "squad A: raw\ndo: A rallies\ndice: 3\nthen: faces = 8",
        "squad A: raw\ndo: A rallies\ndice: 3 5\nthen: faces = 8",
        hint="write the missing faces at the end, or give them to their lines by name, such as `faces 3 5`",
    ),
    **_case(
        "F006",
        "a {die} never shows {face}",
        "The faces given must be faces of the dice that the rules throw. Perhaps the order is another "
        "one: give the faces to their lines by name, such as `faces 3 5`.",
        "squad A: raw\ndo: A rallies\ndice: 3 7\nthen: faces = 10",
        "squad A: raw\ndo: A rallies\ndice: 3 6\nthen: faces = 9",
    ),
    **_case(
        "F007",
        "{left} left over",
        "More faces were given than the rules have thrown. Either a line did not run that you expected to "
        "run, or there is a face too many.",
        "squad A: raw\ndo: A rallies\ndice: 3 5 1\nthen: faces = 8",
        "squad A: raw\ndo: A rallies\ndice: 3 5\nthen: faces = 8",
        hint="take it away, or look why the line that should throw it does not run",
    ),
    **_case(
        "F008",
        "{who} must choose {what}",
        "The rules leave this open and say nothing of what is usual, so I cannot go on by myself. Choose "
        "it under `choose:`, or add `usually …` to the rule.",
        "squad A: raw, 4 figures\ndo: A rallies\ndice: 3 5\nthen: any rest",
        "squad A: raw, 4 figures\ndo: A rallies\ndice: 3 5\nchoose: {rest: most}\nthen: any rest",
    ),
    **_case(
        "F009",
        "`{name}` decides nothing here",
        "`choose:` names a line of a procedure where somebody picks or wishes, and says how, or a policy "
        "with such lines. No such line is reached from what is done here.",
        "squad A: raw, 4 figures\ndo: A rallies\ndice: 3 5\nchoose: {rets: most}\nthen: any rest",
        "squad A: raw, 4 figures\ndo: A rallies\ndice: 3 5\nchoose: {rest: most}\nthen: any rest",
    ),
    **_case(
        "F010",
        "`{found}` is not allowed here, only {wanted}",
        "The rules say what can stand here, and this is not it. Look at the card in the rules: it gives "
        "the table, or the lowest and the highest number.",
        "squad A: raw, hurt 9\nthen: A.hurt >= 0",
        "squad A: raw, hurt 6\nthen: A.hurt >= 0",
        hint="correct it here, or what the card in the rules allows",
    ),
    **_case(
        "F011",
        "a thing called `{name}` is described twice",
        "Every thing of a situation has a name of its own, whatever its kind. Give the second one another "
        "letter, or put both descriptions together.",
        "squad A: raw\nunit A: skill 3\nthen: A.hurt >= 0",
        "squad A: raw\nunit B: skill 3\nthen: A.hurt >= 0",
        hint="give one of the two another name, or put both descriptions into one",
    ),
    **_case(
        "F012",
        "more of `{limit}` than allowed: {stated} of at most {most}",
        "The rules limit how many may have this mark, and the situation begins with more of them than "
        "that. Such a position cannot come up in a game.",
        "squad A:\n  is: raw\n  figures: [3 with down]\nthen: A.hurt >= 0",
        "squad A:\n  is: raw\n  figures: [2 with down]\nthen: A.hurt >= 0",
        hint="state {most} at most, or correct the limit in the rules",
    ),
    **_case(
        "F013",
        "no ruling `{name}`",
        "Where the printed rules can be read in two ways, the rule file declares a `ruling`, and a "
        "situation may choose the other reading. There is none of this name.",
        "squad A: raw\nrulings: {lukc: 3}\nthen: luck >= 2",
        "squad A: raw\nrulings: {luck: 3}\nthen: luck >= 2",
    ),
    **_case(
        "F014",
        "no thing is called `{name}`",
        "A thing that another one speaks of must be there too, and be of the right kind. Describe it with "
        "a line of its own, or correct its name.",
        "squad A: raw, chief C\nthen: A.hurt >= 0",
        "squad A: raw, chief C\nsquad C: raw\nthen: A.hurt >= 0",
        hint="describe it in a line of its own, `{kind} {name}:`, or correct the name",
    ),
    "F015": Entry(
        "error",
        "there is no rule set `{name}`",
        "I know the rule sets that come with Umpire by name, and any file by its path. A rule set that "
        "builds on another finds it beside itself, or among those that come with Umpire.",
        "game: House\nextends: modren\n",
        "game: House\nextends: modern\n",
    ),
    **_case(
        "F016",
        "this needs {wanted}",
        "A situation says who is there, what is done, and what you want to know. Something in it is "
        "missing or is written in another way than I can read.",
        "squad a: raw\nthen: 1 = 1",
        "squad A: raw\nthen: A.hurt >= 0",
    ),
    **_case(
        "F017",
        "the limit {limit} is not kept by {who}: {found}",
        "The rules limit what a force may have, and this one has more, or less. Change the list; or, where "
        "both players have agreed to it, name the limit under `breaks:`.",
        "force: Ours\nsquad A: raw, 4 figures, gun old\nsquad B: raw, 2 figures",
        "force: Ours\nsquad A: raw, 4 figures, gun old\nsquad B: raw, 2 figures\nbreaks: old-guns",
    ),
    **_case(
        "F019",
        "no dice are thrown by `{name}`",
        "`dice:` gives faces to lines that throw, by their names. No such line is reached from what is done here: "
        "it is misspelt, or another line throws, such as the one that this line counts.",
        "squad A: raw\ndo: A rallies\ndice: fcaes 3 5\nthen: faces = 8",
        "squad A: raw\ndo: A rallies\ndice: faces 3 5\nthen: faces = 8",
    ),
    **_case(
        "F018",
        "nothing breaks the limit `{name}`",
        "`breaks:` names the limits that a force does not keep, and no others. This one is kept: take its name away.",
        "force: Ours\nsquad A: raw, 3 figures, gun old\nbreaks: old-guns",
        "force: Ours\nsquad A: raw, 3 figures, gun old",
        hint="take the name away: this limit is kept",
    ),
    "F020": Entry(
        "error",
        "{force} is {first}'s, and this is {second}'s",
        "A force is what one side brings to the table. Write the list of the other in a file of its own.",
        _OF_SIDES.replace("WHOSE", "Blue"),
        _OF_SIDES.replace("WHOSE", "Red"),
        hint="write the list of the other side in a file of its own",
    ),
}
