"""Formats the sentences of a file: one blank around operators and between words, none inside brackets.

Takes a page. Gives edits of its texts, and a problem for each text that looks uneven but is not a sentence. Prose and
texts of several lines are left unchanged. Knows nothing of the meaning of sentences.
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
# Each is tried separately: if one would change the meaning, the others may still apply.
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


def format_blanks(text: str, grammar: str) -> str | None:
    """The text with its blanks formatted; None if a change is needed but the text does not parse."""
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
    """The text with the pattern replaced outside quoted messages."""
    parts = _QUOTED.split(text)
    return "".join(p if i % 2 else pattern.sub(instead, p) for i, p in enumerate(parts)).strip()


# The values of these are names, numbers or prose: not sentences, or not a single one.
_OTHERS = frozenset((
    "trace", "game", "about", "clauses", "not over", "over", "extends", "rules", "force", "set", "prefix", "change",
    "slips",
))  # fmt: skip
_WORDS = frozenset(("trace",))  # compared literally
_UNEVEN = re.compile(r" {2,}| ,|[^ ][<>=*/,]|[<>=*/,][^ ]|[a-z)] ?[+-] |\( | \)|[^ ]\[")
_BLANKS = re.compile(r"\s*")


def sentence_edits(page: Page, grammar: str, left: Problems) -> Iterator[Edit]:
    """The edits that format the blanks in the sentences of a page. `grammar` is the path of the grammar. A text that
    looks uneven but is not a sentence stays unchanged, and is reported in `left`.
    """
    for scalar in _sentences(page.root):
        if "\n" in scalar.span.text or "\r" in scalar.span.text or not _UNEVEN.search(scalar.text):
            continue
        text = format_blanks(scalar.text, grammar)
        if text is None and not re.search(
            BRACKETS, scalar.text
        ):  # each alternative is a sentence of its own: unchanged
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
            # Keys that differ only in blanks must stay different.
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
    """The edits from one text to another that differ in blanks only. Raises RuntimeError if more differs."""
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
    """Report why a text cannot be parsed, by the start symbol with the longest valid prefix."""
    whys = [why for start in STARTS if isinstance(why := parse(scalar.text, start, grammar), Refusal)]
    why = max(whys, key=lambda each: each.start)
    span, hint = scalar.at(why.start, why.end), "it is left as it stands; `umpire check` tells more"
    if why.found:
        left.add("L001", span, what="text", found=why.found, hint=hint)
    else:
        left.add("L005", span, what="text", hint=hint)
