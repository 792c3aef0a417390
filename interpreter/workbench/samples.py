"""Selects examples that show a rule set well: short ones, with odds, that use its largest tables.

Takes a checked rule set. Gives `Sample`s, the best first: the lines of an example as written, without its expectations,
and one question about odds. Knows no word of a game.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator
from textwrap import dedent

from interpreter.document.nodes import Mapping, Scalar
from interpreter.rulebook.situation import texts
from interpreter.source import Problems, Span
from interpreter.source.values import Struct, replace

from .examples import Example, examples_of
from .rule_sets import RuleSet
from .rules import open_rules

_LEFT_OUT = frozenset({"odds", "given", "then", "dice", "trace", "ask", "rulings"})
_LONG = 8  # most lines of an example that is quick to read


class Sample(Struct):
    """`ask`: its question, such as `that hits >= 1`; `words`: all words of its text; `met`: the definitions that its
    play runs.
    """

    example: Example
    lines: tuple[str, ...]
    ask: str
    words: tuple[str, ...]
    met: frozenset[str] = frozenset()

    def simplest(self) -> Iterator[Sample]:
        """Its two forms: first with the mean of the compared number, which has a shorter fraction; then unchanged."""
        counted = re.fullmatch(r"that ([\w.-]+) (>=|<=|>|<|=) \d+", self.ask)
        if counted:
            yield replace(self, ask=f"mean {counted[1]}")
        yield self


def samples_of(rules: RuleSet) -> list[Sample]:
    """The samples of a rule set; if it has none, those of the rule sets below it in the stack."""
    found = _own(rules, rules)
    below = [s for s in rules.sheets[:-1] if s.name != rules.sheets[-1].name]
    for sheet in reversed(below if not found else ()):
        if sheet.laid:
            continue
        base = open_rules(sheet.root.span.source.name, Problems())
        found = _own(base, rules) if base is not None else []
        if found:
            break
    return found


def names_of(rules: RuleSet) -> set[str]:
    """The names of all definitions, examples included."""
    return rules.book.names() | {name for d in rules.book.pages.definitions for name in d.names}


def free(name: str, taken: Container[str]) -> str:
    """The name, with a number appended if it is taken."""
    found, count = name, 2
    while found in taken:
        found, count = f"{name}-{count}", count + 1
    return found


def _own(rules: RuleSet, asked: RuleSet) -> list[Sample]:
    found = [s for e in examples_of(rules, Problems()) if (s := _sample(e)) is not None]
    sizes = {word: max(len(t.rows) for t in tables) for word, tables in asked.book.words.items() if tables}
    return sorted(found, key=lambda s: (-max((sizes.get(w, 0) for w in s.words), default=0), len(s.lines)))


def _sample(example: Example) -> Sample | None:
    body = example.body
    keys = {e.key.text for e in body}
    if not isinstance(body.get("do"), Scalar) or "odds" not in keys or keys & {"error", "force", "rulings", "breaks"}:
        return None
    asked = (re.fullmatch(r"\d+/\d+ ((?:that|mean) .+)", s.text) for s in texts(body.get("odds")))
    ask = next((found[1] for found in asked if found), "")
    lines = body_lines(body)
    if not ask or lines is None or len(lines) > _LONG or ": " in ask or " #" in ask:
        return None
    words = tuple(re.findall(r"[a-z][\w-]*", "\n".join(lines)))
    return Sample(example, lines, ask, words)


def body_lines(body: Mapping) -> tuple[str, ...] | None:
    """The lines of a situation as in its file; None if entries share a line."""
    source = body.span.source
    rows = [e.key.span.place[0] for e in body]
    if len(set(rows)) < len(rows) or not rows:
        return None
    last = Span(source, body.span.end, body.span.end).place[0]
    while last > rows[-1] and not source.line(last - 1).strip():
        last -= 1
    ends = [*rows[1:], max(last, rows[-1] + 1)]
    found = [
        source.line(row)
        for entry, start, end in zip(body, rows, ends, strict=True)
        if entry.key.text not in _LEFT_OUT
        for row in range(start, end)
        if source.line(row).strip() and not source.line(row).lstrip().startswith("#")
    ]
    return tuple(dedent("\n".join(found)).split("\n"))
