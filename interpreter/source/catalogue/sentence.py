"""Family L: one line that cannot be read as a sentence.

The entries of the codes `L001` and on. This module does not know how a problem is found or shown.
"""

from __future__ import annotations

from interpreter.source.catalogue import Entry, page

_LONG = " + ".join(["skill"] * 60)
_DEEP = "(" * 30 + "skill" + ")" * 30

ENTRIES: dict[str, Entry] = {
    **page(
        "L001",
        "this {what} cannot be read at `{found}`",
        "I understood the sentence up to this word, and then it went on in a way that I do not know. "
        "Where one small change would make it readable I offer that change; otherwise look at how such a "
        "line is written. Rules use few fixed words: `if`, `for each`, `needs`, `gains` and some more.",
        """
        roll shooting of unit:
          basic: needs skill
          tired: rol -1 if tired
        """,
        """
        roll shooting of unit:
          basic: needs skill
          tired: roll -1 if tired
        """,
        hint="correct the word there, or take it away",
    ),
    **page(
        "L002",
        "this {what} has a character that means nothing here: `{found}`",
        "Sentences are made of words in small letters, numbers, inches, dice, brackets and a few signs. "
        "This character is none of them, so it can only have slipped in. Leave it out, or say in words "
        "what it stands for.",
        "value half-strength of unit: troopers < 3 §",
        "value half-strength of unit: troopers < 3",
        hint="take it away",
    ),
    **page(
        "L003",
        "this {what} is too long",
        "A sentence has at most 400 characters, because nobody at the table could follow a longer one. "
        "Give parts of it names in lines of their own, and say the names here.",
        f"value strength of unit: {_LONG}",
        "value strength of unit: skill * 60",
        hint="give a part of it a name in a line of its own, and say the name here",
    ),
    **page(
        "L004",
        "this {what} has too many brackets inside each other",
        "More than two dozen brackets inside each other are nobody's rule. Give the inner part a name in "
        "a line of its own, and say the name here.",
        f"value strength of unit: {_DEEP}",
        "value strength of unit: (skill)",
        hint="give the inner part a name in a line of its own, and say the name here",
    ),
    **page(
        "L005",
        "this {what} stops too early",
        "The line is fine as far as it goes, but something must still follow: a closing bracket, the "
        "other side of a comparison, or what is chosen from. Write it at the place of the mark.",
        "value broken of unit: troopers < (skill / 2",
        "value broken of unit: troopers < (skill / 2)",
    ),
}
