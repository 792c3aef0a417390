"""Family Y: how a file is written down: YAML, its characters, its size, the file itself.

The entries of the codes `Y001` and on. This module does not know how a problem is found or shown.
"""

from __future__ import annotations

from interpreter.source.catalogue import Entry, Severity


def _rule(line: str) -> str:
    """A small rule file around one line."""
    kinds = "  kind unit:\n    skill: number\n  mark tired of unit:\n"
    return f"game: Toy\nFiring:\n{kinds}  to fire (unit):\n    cost: 1\n    {line}\n"


_FACTS = """\
game: Toy
Firing:
  kind unit:
    skill: number
  fact gap of unit (other unit): inches
  example near:
    unit A: skill 1
    unit B: skill 1
    then: gap(A, B) = 3"
"""


def _line(message: str, meaning: str, bad: str, good: str, severity: Severity = "error", hint: str = "") -> Entry:
    return Entry(severity, message, meaning, _rule(bad), _rule(good), hint=hint)


ENTRIES: dict[str, Entry] = {
    # What YAML has and a rule file does without.
    "Y001": _line(
        'the name "{key}" is used twice',
        "Two entries side by side have the same name. Plain YAML would quietly keep the last one, and "
        "half of your rule would be gone, so I keep the first and ask you to rename or remove one.",
        "hits: 1\n    hits: 2",
        "hits: 1\n    saves: 2",
        hint="give one of the two another name, or take it away",
    ),
    "Y002": _line(
        "a text cannot begin with `*`: YAML takes `{seen}` for a copy of something",
        "In YAML a `*` at the start means: repeat what was marked with `&` elsewhere. Rule files have no "
        "such copies, because a reader at the table could not follow them. Write the text out, or put "
        "it in single quotes.",
        "hits: *skill",
        "hits: skill",
        hint="write the text out, or put it in single quotes",
    ),
    "Y003": _line(
        "a text cannot begin with `&`: YAML takes `{seen}` for a mark, not for text",
        "In YAML an `&` at the start marks a place to be copied later. Rule files have no such marks. "
        "Write `and` instead, or put the text in single quotes.",
        "hits: &x skill",
        "hits: skill",
        hint="write `and`, or put the text in single quotes",
    ),
    "Y004": _line(
        "a text cannot begin with `!`: YAML takes `{seen}` for a type",
        "In YAML a `!` at the start names a type for a program. Rules have no such types: write `not` "
        "where you mean not, or put the text in single quotes.",
        "ready: !tired",
        "ready: not tired",
        hint="write `not`, or put the text in single quotes",
    ),
    "Y005": _line(
        "`<<` copies nothing here",
        "Some YAML files use `<<` to merge one block into another. In a rule file everything stands where "
        "it is used; a supplement says `over:` and `add to` instead.",
        "<<: hits",
        "hits: 1",
        hint="write the lines out here; a supplement says `over:` and `add to`",
    ),
    "Y006": Entry(
        "error",
        "a second document begins here, and a file holds one",
        "A line of `---` ends one YAML document and starts another. I read one rule set a file: remove "
        "the line, or move what follows into a file of its own.",
        "game: Toy\n---\ngame: Other\n",
        "---\ngame: Toy\n",
        hint="take the line away, or move what follows it into a file of its own",
    ),
    "Y007": Entry(
        "error",
        "a line cannot begin with `%`",
        "A `%` in the first column is an order to the YAML program. Rule files need none: remove the line.",
        "%YAML 1.2\n---\ngame: Toy\n",
        "---\ngame: Toy\n",
        hint="take the line away",
    ),
    "Y008": _line(
        "a name must be a plain text, with its colon on the same line",
        "YAML allows a list, a block or a `?` in front of a colon. A rule's name is one short text: write "
        "the name, a colon, a space, and what happens.",
        "[a, b]: 2",
        "both: 2",
        hint="write a name, a colon, a space, and what happens",
    ),
    "Y009": _line(
        "a name is missing before this colon",
        "Everything in a rule file has a name, so that a message, a trace or a house rule can speak of "
        "it. Write a name in front of the colon.",
        ": 4",
        "hits: 4",
        hint="write a name in front of the colon",
    ),
    # Characters.
    "Y010": _line(
        "a tab; use spaces",
        "A tab is as wide as each editor likes, and nesting is counted in columns. Use two spaces for "
        "each step; most editors can be told to type them for the Tab key.",
        "hits:\t1",
        "hits: 1",
    ),
    "Y011": _line(
        '`{seen}` is not the inch sign: write `"`',
        "Office programs replace the straight quote with a curled one or a prime. They look alike, but "
        'only `"` behind a number means inches.',
        "moved: unit moves 6\u201d straight ahead",
        'moved: unit moves 6" straight ahead',
    ),
    "Y012": _line(
        "`{seen}` is a curled quote; write a straight one",
        "A curled quote is an ordinary letter to a program, so it does not hold a text together. Turn off "
        "smart quotes in your editor, or paste as plain text.",
        "ask: umpire 'will they give up\u201d?'",
        "ask: umpire 'will they give up?'",
        "warning",
    ),
    "Y013": _line(
        "`{seen}` is a long dash; write `-`",
        "Between numbers, in front of a number and inside a name I read only the short `-` that is on "
        "the keyboard. I read this one as if it were, so that the rest of the line is still checked.",
        "cold: 4 \u2013 1",
        "cold: 4 - 1",
    ),
    "Y014": _line(
        "a space that is not a space ({number})",
        "Web pages and office programs hold words together with special spaces. They look like a space "
        "and are another letter. I read it as a space, but other programs will not.",
        "hits:\u00a01 + skill",
        "hits: 1 + skill",
        "warning",
    ),
    "Y015": _line(
        "a character that cannot be seen ({number})",
        "Something invisible came along, most often by copying from a web page. It makes two names that "
        "look the same different, or shows a line in another order than it is read. I leave it out.",
        "hits: 1\u200b + skill",
        "hits: 1 + skill",
        "warning",
    ),
    "Y016": _line(
        "a line end that your editor may not show ({number})",
        "To some programs a new line begins here and to others it does not, so two readers would see two "
        "different rules. Write a space or a real line end.",
        "hits: 1\u2028+ skill",
        "hits: 1 + skill",
    ),
    "Y017": _line(
        "a control character that no text may hold ({number})",
        "This is an order to a machine, not a letter; it usually comes from a broken copy. Delete it.",
        "hits: 1\u0008 + skill",
        "hits: 1 + skill",
    ),
    "Y018": _line(
        "everything behind ` #` is a remark: only `{seen}` is read",
        "A space and a `#` begin a remark that I do not read. If that is what you want, put two spaces in "
        "front of it, so that everybody sees it; if the `#` belongs to the text, put the text in "
        "single quotes.",
        "gun: skill #2",
        "gun: skill  # of the second one",
        "warning",
    ),
    # Where the YAML itself goes wrong.
    "Y020": _line(
        "a colon and a space start a new entry: quote the text",
        "A name, a colon and a space make an entry, and an entry's text cannot hold another one on its "
        "line. Put the text in quotes, or give the second entry a line of its own.",
        "note: umpire 'look: who is left'",
        "note: 'umpire ''look: who is left'''",
    ),
    "Y021": _line(
        '"{key}" stands further right than the line above, which has its text already',
        "An entry either has a text on its own line, or lines of its own below it, further right. Move "
        "this line to the left, or move the text above into a line of its own.",
        "hits: 1\n      saves: 2",
        "hits: 1\n    saves: 2",
        hint="move it to the left, below the name of the line above; or write that line's text on a line of its own",
    ),
    "Y022": _line(
        "a space is missing behind this colon",
        "A name, a colon and a space make an entry. Without the space the colon is a letter of the text.",
        "hits:1\n    saves: 2",
        "hits: 1\n    saves: 2",
    ),
    "Y023": _line(
        "text after a closing `{after}`",
        "A text that begins with a quote or a bracket ends with it, and nothing may follow on that line. "
        "When the quote or bracket is part of the text, put single quotes round the whole text.",
        'moved: "6" forward',
        'moved: unit moves 6" straight ahead',
    ),
    "Y024": Entry(
        "error",
        "this line is indented like none of the lines above",
        "Lines that belong together start in the same column. This one starts between two steps, so I "
        "cannot tell what it belongs to. Move it under the first letter of its neighbours.",
        "game: Toy\nFiring:\n    kind unit:\n  mark hit of unit:\n",
        "game: Toy\nFiring:\n  kind unit:\n  mark hit of unit:\n",
    ),
    "Y025": _line(
        "lines with `- ` and lines with names are mixed here",
        "A block is either a list, with `- ` in front of every line, or entries with names. Give every line a name.",
        "hits: \n      saves: 2\n      - 3",
        "hits: \n      saves: 2\n      rest: 3",
        hint="give every line a name",
    ),
    "Y026": _line(
        "start with the thing compared: `range >= 4`",
        "YAML takes a `>` at the start of a text for the sign of a folded text. Say what is compared, and "
        "the sign comes in the middle, where it is at home.",
        "far: > 6",
        "far: skill > 6",
        hint="write what is compared in front of the sign",
    ),
    "Y027": _line(
        "a text cannot begin with `{sign}`",
        "YAML keeps this sign for itself at the start of a text. Use a word, or put the text in single quotes.",
        "share: % 5",
        "share: skill * 5 / 100",
        hint="use a word, or put the text in single quotes",
    ),
    "Y028": _line(
        "the text that this {sign} opens is never closed",
        "A text that begins with a quote goes on, line after line, to the next quote of that kind. Add "
        "it where the text ends.",
        "hits: 'skill",
        "hits: 'skill'",
        hint="write the same quote at the end of the text",
    ),
    "Y029": _line(
        "the `{sign}` needs a comma or its closing bracket",
        "Inside brackets entries stand with commas between them, and the bracket must be closed. A text "
        "that only begins with a bracket stands in single quotes.",
        "hits: [1, 2",
        "hits: 1 + 2",
        hint="write the comma or the closing bracket; a text that begins with a bracket stands in single quotes",
    ),
    "Y030": _line(
        "`{seen}` means nothing between double quotes",
        "Between double quotes a backslash gives the next letter a special meaning, and there is none "
        "for this one. Write the text in single quotes, or the backslash twice.",
        'hits: "skill\\q"',
        "hits: 'skill'",
    ),
    "Y031": _line(
        "this line has no colon",
        "A line is a name, a colon, a space and what happens. Give the line a name; if it continues the "
        "line above, move it further right than that line's name.",
        "hits: 1\n    then skill",
        "hits: 1\n    next: skill",
    ),
    "Y032": _line(
        "behind `{sign}` the text starts on the next line",
        "A `|` or `>` at the start says that the text stands in the lines below, further right. If the "
        "sign belongs to the text, put the text in single quotes.",
        "story: | umpire 'go on'",
        "story: |\n      umpire 'go on'",
        hint="begin the text on the next line, further right; or put all of it in single quotes",
    ),
    "Y033": Entry(
        "error",
        "a list in square brackets is split at every comma, also at the one in `{text}`",
        "YAML knows nothing of the round brackets inside a text. Put that text in single quotes, or give each text of "
        "the list a line of its own behind `- `.",
        _FACTS + '    facts: [gap(A, B) is 3"]\n',
        _FACTS + "    facts: ['gap(A, B) is 3\"']\n",
    ),
    "Y039": Entry(
        "error",
        "I cannot read on here ({complaint})",
        "This breaks a rule of YAML that I have no better words for. It often helps to put the text in "
        "single quotes, and to look one line up.",
        hint="look one line up, and put the text in single quotes",
    ),
    # Whole files.
    "Y040": Entry(
        "error",
        "there is nothing in this file",
        "A rule file begins with `game:` and the name of the game. This one is empty, or holds only remarks.",
        "# to be written\n",
        "game: Toy\n",
        hint="write `game:` and the name of the game",
    ),
    "Y041": Entry(
        "error",
        "a rule file starts with a name and a colon, such as `game: Toy`",
        "At the left edge of the file stand `game:` and the headings of your rules, each with a colon. "
        "This file is one long text or a list.",
        "- game\n",
        "game: Toy\n",
        hint="begin with `game:` and the name of the game",
    ),
    "Y042": Entry(
        "error",
        "more than {most} blocks inside each other",
        "Nobody could follow a rule nested as deep as this. Give the inner part a name of its own and call it.",
        hint="give the inner part a name of its own, and call it",
    ),
    "Y043": Entry(
        "error",
        "more than {most} texts and blocks in one file",
        "The file is larger than any rule book. Split it, or look for a program that wrote it by mistake.",
        hint="split the file",
    ),
    "Y044": Entry(
        "error",
        "the file is larger than {most}",
        "No rule book is that long. This is probably not the file you meant.",
        hint="name another file, or split this one",
    ),
    "Y050": Entry(
        "error",
        "there is no file `{file}`",
        "I looked for it from the folder in which you started me. Check the spelling and the folder.",
        hint="look at its spelling, and at the folder that you are in",
    ),
    "Y051": Entry(
        "error",
        "`{file}` is {what}, not a file",
        "I read one file at a time. Name a file inside it.",
        hint="name a file in it",
    ),
    "Y052": Entry(
        "error",
        "`{file}` cannot be opened: {reason}",
        "The file is there, but the system does not let me read it. Its properties say who may: "
        "give yourself leave to read it.",
        hint="give yourself leave to read it",
    ),
    "Y053": Entry(
        "error",
        "`{file}` is not UTF-8 text: byte {byte} (line {line}, column {column}) fits no letter",
        "UTF-8 is the usual way to keep letters in a file. This file was written in an older way, or is not text at "
        "all. Open it in your editor and save it anew: behind `Save as` stands a choice of the encoding, and UTF-8 is "
        "the one to take.",
    ),
    "Y054": Entry(
        "error",
        "`{file}` is not a text file: byte {byte} is zero",
        "Such a byte is found in files for programs, never in text. This is a picture, a document of an office "
        "program or the like: export it as plain text first.",
        hint="export it as plain text first",
    ),
    "Y055": Entry(
        "error",
        "`{file}` cannot be written: {reason}",
        "I change a file only whole, and nothing of it was changed. Look at the permissions of the file and of its "
        "folder.",
        hint="give yourself leave to write the file and its folder",
    ),
    "Y056": Entry(
        "error",
        "`{file}` has changed since I read it",
        "Another program has written the file meanwhile, or it is gone. I left it as it is; run me again.",
        hint="run the command again",
    ),
    "Y057": Entry(
        "error",
        "there is a file `{file}` already",
        "I never write a new file over one that is there. Choose another name, or move that file away.",
        hint="choose another name, or move that file away",
    ),
}
