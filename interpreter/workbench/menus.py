"""Situations to choose from, and the parts of one that menus can change: units, equipment, distances, states.

Takes a checked rule set, and the text of a situation. Gives `Question`s, each with the lines of its situation, and the
`Slot`s of a text: which part of it can be replaced by which words of the rules. All options are taken from the book.
Knows no word of a game, nor how menus are shown.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from interpreter.document.alternatives import BRACKETS, spread
from interpreter.document.nodes import Mapping, Node, Scalar
from interpreter.document.nodes import Sequence as Items
from interpreter.rulebook.definitions import SHOWING
from interpreter.rulebook.situation import texts
from interpreter.rulebook.symbols import Kind
from interpreter.rulebook.table_rows import questions_in
from interpreter.source import Problems
from interpreter.source.values import Struct, replace

from .default_questions import EXPECTATIONS
from .examples import Example, examples_inside
from .file_kinds import action_line, description_lines
from .rule_sets import RuleSet
from .samples import body_lines
from .texts import scalar, with_entries
from .trees import read_text
from .typical import Point, points_of, typical_of

_EXPECTED = re.compile(r"\d+(?:/\d+)? (?:mean|that) (.+)")
_WORD = r"[a-z][a-z0-9-]*"
_PART = re.compile(rf'{BRACKETS}|(?<![\w.-])\d+(?:\.\d+)?"?(?![\w.])|(?<![\w.-]){_WORD}(?![\w-])')
_BEFORE = re.compile(rf"({_WORD})\s*(?:\([^()]*\))?\s+(?:is\s+)?$")
_AFTER = re.compile(rf'"?\s+({_WORD})')
_NO_MENU = (
    "rules",
    "do",
    "ask",
    "odds",
    "given",
    "then",
    "dice",
    "trace",
    "error",
    "about",
    "cites",
    "choose",
    "rulings",
)


class Question(Struct):
    """A situation to ask about: `sort` is `own` (an example of the file) or `typical`; `text` are its lines, with its
    questions under `ask:`.
    """

    name: str
    sort: str
    says: str
    text: str


class Slot(Struct):
    """A part of a situation's text that a menu changes: `value` from `start` to `end`, replaceable by one of `options`;
    without options, by any number or `2 to 10`. `adds`: nothing is there yet, and `, OPTION` is inserted.
    """

    who: str
    label: str
    start: int
    end: int
    value: str
    options: tuple[str, ...] = ()
    adds: bool = False

    def put(self, text: str, value: str) -> str:
        """The situation's text with another value in the slot."""
        if self.adds:
            return f"{text[: self.end]}, {value}{text[self.end :]}" if value else text
        spread_out = bool(re.search(r"\bto\b|,", value)) and not value.startswith("<")
        return text[: self.start] + (f"<{value}>" if spread_out else value) + text[self.end :]


# ---- questions
def questions_of(rules: RuleSet, path: str) -> list[Question]:
    """The examples of the file at `path`, then all typical situations."""
    own = [e for e in examples_inside(rules) if e.key.span.source.name == path and "force" not in _keys(e.body)]
    typical = typical_of(rules, Problems())
    return [*_told(own, "own"), *_told(typical, "typical")]


def questions_inside(root: Mapping) -> list[Question]:
    """The questions of the file of a situation, or of a file of examples."""
    named = [(e.key.text.split(" "), e) for e in root]
    inside = [
        Example(words[1], e.value, (), e.key)
        for words, e in named
        if words[0] in SHOWING and len(words) > 1 and isinstance(e.value, Mapping)
    ]
    whole = [Example("this situation", root, (), root.entries[0].key)] if root.get("do") is not None else []
    return list(_told([*whole, *(e for e in inside if "force" not in _keys(e.body))], "own"))


def _keys(body: Mapping) -> set[str]:
    return {entry.key.text for entry in body}


def _told(examples: list[Example], sort: str) -> Iterator[Question]:
    for example in examples:
        lines = body_lines(example.body)
        if lines is None:
            continue
        lines = tuple(line for line in lines if not line.startswith("rules:"))
        asked = [s.text for s in texts(example.body.get("ask"))]
        if not asked:
            asked = [found[1] for s in texts(example.body.get("odds")) if (found := _EXPECTED.fullmatch(s.text))]
            asked += [s.text for s in questions_in(example.body.get("odds"))]
        says = "; ".join([*description_lines(example.body), action_line(example.body)])
        yield Question(example.name, sort, says, situation_text(lines, asked))


def situation_text(lines: Iterable[str], asks: Iterable[str]) -> str:
    """The text of a situation with its questions."""
    asked = dict.fromkeys(asks)
    return "\n".join([*lines, *(["ask:", *(f"  - {_plain(text)}" for text in asked)] if asked else [])]) + "\n"


def _plain(text: str) -> str:
    """A text as an item of a YAML list, quoted if necessary."""
    if text[:1].isalnum() and not re.search(r": | #|:$", text):
        return text
    return "'" + text.replace("'", "''") + "'"


# ---- slots
def slots_of(rules: RuleSet, situation: str) -> list[Slot]:
    """The menus of a situation's text; an empty list if it cannot be read."""
    root = read_text("the situation", situation, Problems())
    if root is None:
        return []
    axes = _axes(rules, root)
    found: list[Slot] = []
    for entry in root:
        key, _, name = entry.key.text.partition(" ")
        if key in _NO_MENU or key in SHOWING:
            continue
        scalars = list(_scalars(entry.value))
        for part in scalars:
            found += _parts(rules, name, part, axes)
        kind = rules.book.kinds.get(key)
        if kind is not None and scalars:
            found += _more(kind, name, scalars)
    return found


def _scalars(node: Node) -> Iterator[Scalar]:
    if isinstance(node, Scalar):
        yield node
    else:
        for item in node.items if isinstance(node, Items) else [e.value for e in node]:
            yield from _scalars(item)


def _axes(rules: RuleSet, root: Mapping) -> dict[tuple[int, int], tuple[str, tuple[str, ...]]]:
    """The name and the values of the alternatives at each (start, end) of the text."""
    several = spread(root, Problems(), rules.rows)
    if several is None:
        return {}
    return {
        (b.scalar.at(b.start, b.end).start, b.scalar.at(b.start, b.end).end): (
            several.axes[b.axis].name,
            several.axes[b.axis].values,
        )
        for b in several.brackets
    }


def _parts(
    rules: RuleSet, who: str, scalar: Scalar, axes: dict[tuple[int, int], tuple[str, tuple[str, ...]]]
) -> Iterator[Slot]:
    for match in _PART.finditer(scalar.text):
        part, span = match[0], scalar.at(*match.span())
        before = _BEFORE.search(scalar.text[: match.start()])
        after = _AFTER.match(scalar.text, match.end())
        near = after[1] if after is not None else before[1] if before is not None else ""
        if part.startswith("<"):
            name, values = axes.get((span.start, span.end), (near, ()))
            tables = [t for v in values for t in rules.book.words.get(v, [])]
            rows = [row for table in tables[:1] for row in table.rows]
            label = tables[0].name if tables else name.removeprefix(f"{who} ")
            yield Slot(who, label, span.start, span.end, part, tuple(dict.fromkeys((part, *values, *rows))))
        elif part[0].isdigit():
            yield Slot(who, near or "number", span.start, span.end, part)
        elif len(tables := rules.book.words.get(part, [])) >= 1:
            table = next((t for t in tables if before is not None and t.name.startswith(before[1])), tables[0])
            label = before[1] if before is not None and not _is_row(rules, before[1]) else table.name
            yield Slot(who, label, span.start, span.end, part, tuple(table.rows))


def _is_row(rules: RuleSet, word: str) -> bool:
    return word in rules.book.words


def _more(kind: Kind, who: str, scalars: list[Scalar]) -> Iterator[Slot]:
    """The additions to a thing: marks, and rows of tables, that it does not have."""
    said_of = " ".join(scalar.text for scalar in scalars)
    card = scalars[0]
    end = card.at(0, len(card.text)).end
    options: list[str] = []
    for held in (kind, *kind.bags):
        for attribute in held.all_attributes():
            if re.search(rf"(?<![\w-]){re.escape(attribute.name)}(?![\w-])", said_of):
                continue
            if attribute.type.name == "truth":
                options += [attribute.name] if held is kind else []
            elif attribute.type.name == "row" and attribute.type.of is not None:
                options += [f"{attribute.name} {row}" for row in attribute.type.of.rows if row not in said_of]
    if options:
        yield Slot(who, "also", end, end, "", tuple(dict.fromkeys(options)), adds=True)


# ---- asking a situation
def points_in(rules: RuleSet, text: str, problems: Problems) -> tuple[Mapping, list[Point]] | None:
    """The tree of a situation's text, and each of its alternatives as a point; None with problems."""
    root = read_text("the situation", text, problems)
    if root is None or not root.entries or problems.has_errors:
        return None
    return root, points_of(rules, [Example("", root, (), root.entries[0].key)], problems)


def asking(point: Point, asks: Iterable[str]) -> Point:
    """The same situation with these questions, and without its expectations."""
    texts_ = tuple(scalar("ask", text) for text in asks)
    whole = with_entries(point.body, [("ask", Items(texts_, texts_[0].span))], EXPECTATIONS)
    return replace(point, body=whole)
