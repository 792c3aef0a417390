"""The sentences of a file, their blanks in order: one round signs and between words, none inside brackets.

Enters: a page.  Leaves: edits inside its texts, and a problem for each that is no sentence though it looks uneven.
Texts for people are left alone, and so is a text of many lines.  Must not know what a sentence means.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from interpreter.document.alternatives import BRACKETS
from interpreter.document.nodes import Mapping, Node, Scalar, Sequence
from interpreter.language import STARTS, Refusal, parse
from interpreter.language.equivalence import are_equivalent, parse_all
from interpreter.source import Problems

from .page import Page
from .text_edits import Edit

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


# Under these stand names, numbers and words for people: no sentences, or not one alone.
_OTHERS = frozenset((
    "trace", "game", "about", "clauses", "not over", "over", "extends", "rules", "force", "set", "prefix", "change",
    "slips",
))  # fmt: skip
_WORDS = frozenset(("trace",))  # as they are shown, letter for letter
_UNEVEN = re.compile(r" {2,}| ,|[^ ][<>=*/,]|[<>=*/,][^ ]|[a-z)] ?[+-] |\( | \)|[^ ]\[")
_BLANKS = re.compile(r"\s*")


def spaced_out(page: Page, grammar: str, left: Problems) -> Iterator[Edit]:
    """The edits that put the blanks in sentences of a page in order. `grammar` is the path of the grammar. A text that
    looks uneven but is no sentence stays as it is, and is reported in `left`.
    """
    for scalar in _sentences(page.root):
        if "\n" in scalar.span.text or "\r" in scalar.span.text or not _UNEVEN.search(scalar.text):
            continue
        text = spaced(scalar.text, grammar)
        if text is None and not re.search(
            BRACKETS, scalar.text
        ):  # one sentence for each of its alternatives: as it stands
            _report(scalar, grammar, left)
        elif text is not None and text != scalar.text:
            yield from _edits(scalar, text)


def _sentences(root: Mapping) -> Iterator[Scalar]:
    todo: list[Node] = [root]
    while todo:
        here = todo.pop()
        if isinstance(here, Scalar):
            yield here
        elif isinstance(here, Sequence):
            todo += here.items
        else:
            # Keys that only blanks tell apart must stay apart.
            letters = Counter(_BLANKS.sub("", entry.key.text) for entry in here)
            for entry in here:
                heading = here is root and entry.key.text[:1].isupper()
                if entry.key.text == "odds" and isinstance(entry.value, Mapping):
                    todo += (table.key for table in entry.value)  # the rows of a table are outcomes
                elif heading or letters[_BLANKS.sub("", entry.key.text)] > 1:
                    todo.append(entry.value)
                elif entry.key.text not in (_OTHERS if here is root else _WORDS):
                    todo += (entry.key, entry.value)


def _edits(scalar: Scalar, text: str) -> Iterator[Edit]:
    """From one text to another of the same letters: what changes are the blanks between them."""
    at = to = 0
    while at < len(scalar.text):
        was, now = _blank(scalar.text, at), _blank(text, to)
        if was != now:
            span = scalar.at(at, at + len(was))
            yield Edit(span.start, span.end, now)
        at, to = at + len(was) + 1, to + len(now) + 1
        if scalar.text[at - 1 : at] != text[to - 1 : to]:
            raise RuntimeError(f"more than blanks would change in {scalar.text!r}")


def _blank(text: str, at: int) -> str:
    found = _BLANKS.match(text, at)
    return found[0] if found else ""


def _report(scalar: Scalar, grammar: str, left: Problems) -> None:
    """Why it cannot be read: of all the ways to read it, the one that comes furthest speaks."""
    whys = [why for start in STARTS if isinstance(why := parse(scalar.text, start, grammar), Refusal)]
    why = max(whys, key=lambda each: each.start)
    span, hint = scalar.at(why.start, why.end), "it is left as it stands; `umpire check` tells more"
    if why.found:
        left.add("L001", span, what="text", found=why.found, hint=hint)
    else:
        left.add("L005", span, what="text", hint=hint)
