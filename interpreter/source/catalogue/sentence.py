"""Family L: one line that cannot be read as a sentence.

Leaves: the entries of the codes `L001` and on.  Must not know how a problem is found or shown.
"""

from __future__ import annotations

from interpreter.source.catalogue.entry import Entry

ENTRIES: dict[str, Entry] = {
    "L001": Entry(
        "error",
        'this {what} cannot be read at `{found}`',
        'The sentence was understood up to this word; here something else was expected.',
    ),
    "L002": Entry(
        "error",
        'this {what} has a character that means nothing here: `{found}`',
        'Sentences are made of lower-case words, numbers, inches, dice and a few signs.',
    ),
    "L003": Entry(
        "error",
        'this {what} is too long',
        'A sentence has at most 400 characters. Give its parts names in lines of their own.',
    ),
    "L004": Entry(
        "error",
        'this {what} has too many brackets inside each other',
        'Give the inner parts names in lines of their own.',
    ),
    "L005": Entry(
        "error",
        'this {what} stops too early',
        'Something is missing at the end of the sentence.',
    ),
}
