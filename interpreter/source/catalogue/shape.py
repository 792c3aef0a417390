"""Family S: the shape of a file: header, headings, titles, lines.

The entries of the codes `S001` and on. This module does not know how a problem is found or shown.
"""

from __future__ import annotations

from interpreter.source.catalogue import Entry


def _example(facts: str) -> str:
    head = "game: Toy\nFiring:\n  kind unit:\n  fact gap of unit: inches\n  example volley:\n    unit A:\n"
    return head + f'    {facts}: gap(A) is 3"\n    then: gap(A) > 2"\n'


ENTRIES: dict[str, Entry] = {
    "S001": Entry(
        "error",
        "a file's head has no `{key}`",
        "At the left edge of a rule file stand a few known names in small letters (`game`, `clauses`, "
        "`extends`, `about` and so on), and the headings of your rules, which begin with a capital letter. "
        "This name is neither.",
        "game: Toy\nclause: TOY\n",
        "game: Toy\nclauses: TOY\n",
    ),
    "S002": Entry(
        "error",
        "the file does not say its `{missing}`",
        "Every rule file says at its head which game it is, so that players, messages and supplements "
        "can call it by its name. Write it first.",
        "clauses: TOY\n",
        "game: Toy\nclauses: TOY\n",
    ),
    "S003": Entry(
        "error",
        "{what} takes {wanted}, and here is {found}",
        "Some names take a text on their own line, some take lines of their own below them, and some "
        "either. The other kind stands here.",
        "game:\n  name: Toy\n",
        "game: Toy\n",
        hint="write {wanted} instead",
    ),
    "S004": Entry(
        "error",
        "{what} takes no list",
        "Lists, with `- ` in front of their lines or in square brackets, stand only in examples and "
        "`table talk`. "
        "Elsewhere give each line a name, or write the things with commas between them. A text that "
        "begins with a square bracket stands in single quotes, or YAML makes a list of it.",
        "game: Toy\nFiring:\n  table arcs: [front, rear]\n",
        "game: Toy\nFiring:\n  table arcs: front, rear\n",
    ),
    "S005": Entry(
        "error",
        "the heading `{heading}` needs definitions below it",
        "A name with a capital letter at the left edge is a heading of the printed page. Definitions "
        "stand below it, two spaces further right; a heading has no text of its own.",
        "game: Toy\nFiring: two dice each\n",
        "game: Toy\nFiring:\n  dice high: d6 at or over\n",
        hint="write a definition on the line below, two spaces further right; or make this a remark, with `#` in front",
    ),
    "S006": Entry(
        "error",
        "no definition begins with `{first}`",
        "A definition's first word says what it is: a kind of thing, a table, a value, a roll, a mark, a "
        "fact, dice, a procedure (`to`), a rule, a ruling, an example, or `add to` and `remove` in a "
        "supplement. A name follows it.",
        "game: Toy\nFiring:\n  tabel weapons: rifle, pistol\n",
        "game: Toy\nFiring:\n  table weapons: rifle, pistol\n",
    ),
    "S007": Entry(
        "error",
        "nothing stands behind `{key}:`",
        "A name at the head of the file takes a text on its line. Write it, or remove the name.",
        "game: Toy\nabout:\n",
        "game: Toy\nabout: a game for tests\n",
        hint="write a text behind it, or take the line away",
    ),
    "S008": Entry(
        "error",
        "an example or situation has no `{key}`",
        "An example names things by kind and name (`unit A: ...`), and says what is done and what comes "
        "of it under a few known names such as `facts`, `do`, `dice`, `then` and `odds`. This is none of them.",
        _example("fact"),
        _example("facts"),
    ),
    "S009": Entry(
        "error",
        "the version of the rule language is a whole number from 1",
        "It says which words a file may use, so that an Umpire of another year knows how to read it. Today's version "
        "is 1, and a file that says nothing is of version 1. The version of your own rules is `version:`.",
        "game: Toy\nschema: 1.2\n",
        "game: Toy\nschema: 1\n",
        hint="write `schema: 1`, or take the line away",
    ),
    "S010": Entry(
        "error",
        "this file is of version {said} of the rule language, and here is an Umpire that knows up to {current}",
        "A newer Umpire has written it, or somebody for one. What is new in it I would read wrongly or not at all, so "
        "I do not try. Bring Umpire up to date; or, if the file uses nothing new, say an older version at its head.",
        "game: Toy\nschema: 1000\n",
        "game: Toy\nschema: 1\n",
    ),
    "S012": Entry(
        "error",
        "a supplement extends nothing",
        "A file with `over:` at its head is laid over the rule sets that it names there, and brings no others with it. "
        "So `extends:` would never be read. Leave it out; or leave `over:` out, if your file is to be a rule set of "
        "its own that begins with everything the other one says.",
        "# house.yaml\ngame: House\nover: modern\nextends: modern\n# toy.yaml\nrules: house\n",
        "# house.yaml\ngame: House\nover: modern\n# toy.yaml\nrules: house\n",
    ),
}
