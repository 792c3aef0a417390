"""Parses the sentences of a file: scalar and start symbol in, syntax node out, or a problem at the exact character.

Input: scalars of a tree. Output: syntax nodes; sentence_errors.py reports syntax errors. Within `noting()`, which
editors use, the parsed sentences and the resolved names are recorded. It does not know names or types.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TypeVar

from interpreter.document.nodes import Scalar
from interpreter.language import Refusal, parse
from interpreter.language import nodes as n
from interpreter.source import Problems
from interpreter.source.values import Record, field

from . import typed as t
from .definitions import one_line


class Noted(Record):
    """What a check has parsed, for editors.

    `sentences`: in the order of parsing, each with its start symbol and its node (None if it does not parse);
    `meanings`: what parts of paths resolve to, with duplicates, because a rule is woven in at several places.
    """

    sentences: list[tuple[Scalar, str, n.Node | None]] = field(default_factory=list)
    meanings: list[tuple[Scalar, n.Part, t.Expr]] = field(default_factory=list)


_recording: Noted | None = None


@contextmanager
def noting() -> Iterator[Noted]:
    """Record a check within the context. Contexts may be nested, and only the innermost records."""
    global _recording
    before, _recording = _recording, Noted()
    try:
        yield _recording
    finally:
        _recording = before


def sentence(scalar: Scalar, start: str, node: n.Node | None) -> None:
    """Record a sentence and its node (None if it does not parse), if a check is being recorded."""
    if _recording is not None:
        _recording.sentences.append((scalar, start, node))


def meaning(at: Scalar, part: n.Part, found: t.Expr) -> t.Expr:
    """Record what a part of a path resolves to, and return that."""
    if _recording is not None and found.type.name != "any":
        _recording.meanings.append((at, part, found))
    return found


T = TypeVar("T", bound=n.Node)
_ODD = r"[^A-Za-z0-9. -]"  # not allowed in the name of a clause


class Sentences:
    """Parses with one grammar, and reports to one collection of problems."""

    def __init__(self, grammar: str, problems: Problems, called: frozenset[str] = frozenset()) -> None:
        self.grammar = grammar
        self.problems = problems
        self.names: Mapping[str, tuple[str, ...]] = {}  # names of the rules, once known; for a verb, its prepositions
        self.called = called  # keywords that lines use as names
        self.untaken: set[str] = set()  # keywords that a line tried to use as its name, reported at the line

    def telling(self, problems: Problems) -> Sentences:
        """Return the same parser, reporting to `problems`."""
        made = Sentences(self.grammar, problems, self.called)
        made.names, made.untaken = self.names, self.untaken
        return made

    def read(self, scalar: Scalar, start: str, want: type[T]) -> T | None:
        text = scalar.text
        node = parse(one_line(scalar) if "\n" in text else text, start, self.grammar, self.called)
        if isinstance(node, Refusal):
            from .sentence_errors import SentenceErrors  # imported here, because most runs parse every sentence

            sentence(scalar, start, None)
            refusing = SentenceErrors(self.grammar, self.problems, self.names, self.called, self.untaken)
            refusing.refuse(scalar, start, node)
            return None
        if not isinstance(node, want):
            raise TypeError(f"{start} gave {type(node).__name__}")
        sentence(scalar, start, node)
        for cite in getattr(node, "cites", ()):
            if (odd := re.search(_ODD, cite.text)) is not None:
                span = scalar.at(cite.start + odd.start(), cite.start + odd.end())
                hint = "a clause is a number or an id: `[41]`, `[7..9]`, `[MOD-041]`"
                self.problems.add("L002", span, what="clause", found=odd.group(), hint=hint)
        return node
