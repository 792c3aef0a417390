"""The blanks inside a sentence.

Enters: a text.  Leaves: the same letters with one blank round signs and between words, none inside brackets; or the
text as it was, where the grammar would not read both alike.  Must not know where the text stands.
"""

from __future__ import annotations

import re

from interpreter.language.equivalence import are_equivalent, parse_all

_QUOTED = re.compile(r"('[^']*')")
# Each is tried by itself: where one of them would change what is said, the others may still be right.
_RULES: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern), instead)
    for pattern, instead in (
        (r" {2,}", " "),
        (r" *, *(?=\S)", ", "),
        (r"\( +", "("),
        (r" +\)", ")"),
        (r" *(>=|<=|(?<![<>])=|>(?!=)|<(?!=)) *", r" \1 "),
        (r" *\* *", " * "),
        (r"(?<=[a-z)]) */ *| */ *(?=[a-z(])", " / "),
        (r"(?<=[a-z)]) *([+-]) (?=\S)", r" \1 "),
        (r"(?<=[^ ])(\[[A-Z0-9][^\]]*\])$", r" \1"),
    )
)


def spaced(text: str, grammar: str) -> str | None:
    """`text` with its blanks in order; None where they are not, and no reading of the grammar tells what it says."""
    found, before = text, None
    while found != before:
        before = found
        for pattern, instead in _RULES:
            tried = _outside_quotes(found, pattern, instead)
            if tried != found and are_equivalent(found, tried, grammar):
                found = tried
            elif tried != found and not parse_all(found, grammar):
                return None
    return found


def _outside_quotes(text: str, pattern: re.Pattern[str], instead: str) -> str:
    """With the pattern replaced wherever it is not part of words that the umpire is to say."""
    parts = _QUOTED.split(text)
    return "".join(p if i % 2 else pattern.sub(instead, p) for i, p in enumerate(parts)).strip()
