"""Family A: comments that allow a finding, with a reason.

The entries of the codes `A001` and on. This module does not know how a problem is found or shown.
"""

from __future__ import annotations

from interpreter.source.catalogue import Entry

_HEAD = "game: Toy\nFiring:\n  dice high: d6 at or over\n  kind unit:\n    skill: number first 4\n"
# Written so that a column finds its fault; the page of that code says what it is.
_UNUSED = "    # umpire: allow P015 because the page says it so\n"

ENTRIES: dict[str, Entry] = {
    "A001": Entry(
        "warning",
        "nothing here needs this: no {wanted} is found",
        "A comment `# umpire: allow CODE because …` stands for a finding that somebody looked at and wants to "
        "keep. What it allowed is gone, so the comment can go too; left standing, it would hide the next one. "
        "The comment counts for its own line, or, alone on a line, for the entry below it with all that "
        "belongs to it (its reason may go on in comments below), or everywhere after `allow CODE in this file`; "
        "`allow CODE (words of the message)` counts only "
        "for what says these words. An entry of `tests/NAME.slips.yaml` counts for the slips that it names.",
        _HEAD + _UNUSED + '    reach: inches first 6"\n',
        _HEAD + '    reach: inches first 6"\n',
    ),
    "A002": Entry(
        "warning",
        "I cannot read this comment to Umpire",
        "A comment that begins with `umpire:` is for me. It names one code or several, and gives a reason, so "
        "that the next reader knows why: `# umpire: allow P015 because the page says it so`.",
        _HEAD + '    # umpire: ignore P015\n    reach: inches first 6"\n',
        _HEAD + '    # the reach is measured from the muzzle\n    reach: inches first 6"\n',
    ),
    "A003": Entry(
        "warning",
        "there is no finding called {wanted}",
        "What can be allowed is a code of the catalogue, such as a message shows it: a letter and three digits. "
        "`umpire explain` lists them all.",
        _HEAD + '    # umpire: allow P915 because the page says it so\n    reach: inches first 6"\n',
        _HEAD + '    # the page says it so\n    reach: inches first 6"\n',
    ),
    "A005": Entry(
        "warning",
        "this and what comes after it is not read",
        "A file may hold {most} comments to me, or reasons why a slip may stay: more than anybody can keep in mind. "
        "`# umpire: allow CODE in this file because …` stands for all of one sort.",
    ),
    "A006": Entry(
        "warning",
        "I cannot read this: which slips may stay, and why",
        "A file `tests/NAME.slips.yaml` holds the slips that no example can notice, since the rules of NAME are as "
        "good with them. Below `slips:` stands the address of a line, the slips in the words of "
        "`umpire test --mutate`, and the reason: `shoot.men.hits: (7 in place of 6) because no die shows 7`.",
    ),
    "A007": Entry(
        "warning",
        "there is no slip {wanted}",
        "A file `tests/NAME.slips.yaml` says which slips in the rules of NAME may stay. This one cannot be made: the "
        "line is called otherwise today, or says something else. Look at the line again, and say what can slip there, "
        "or take the entry away.",
    ),
    "A004": Entry(
        "warning",
        "{wanted} is an error, and cannot be allowed",
        "A warning says that something looks odd, and you may know better. An error says that I cannot carry "
        "the rule out: no comment helps me there. Mend what is at fault, or take it out.",
        _HEAD + '    # umpire: allow L001 because it will be written later\n    reach: inches first 6"\n',
        _HEAD + '    # it will be written later\n    reach: inches first 6"\n',
    ),
}
