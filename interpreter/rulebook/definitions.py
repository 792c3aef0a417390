"""Rule files → one list of definitions, each with its title read: inheritance and additions applied.

Enters: the located trees of a file and of those it extends, eldest first. Leaves: `Definition`s in the order of the
page, with what extending files added, and without what they removed. Knows nothing of what a definition means.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path

from interpreter.document import Entry, Mapping, Scalar, Sequence
from interpreter.document.shape import RULE_FILE, schema, title_words
from interpreter.language import nodes as n
from interpreter.source import Fix, Label, Problems, nearest
from interpreter.source.nearest import distance

from .sentences import Sentences


@dataclass(eq=False, slots=True)
class Definition:
    """`body` may be any node; `entries` are the lines of the body and of every addition, in order."""

    title: n.Title
    key: Scalar
    body: Mapping | Scalar
    heading: str
    game: str
    prefix: str = ""
    added: list[Definition] = field(default_factory=list)
    changed: dict[str, Scalar] = field(default_factory=dict)  # a line's name (or "") -> its new text
    cells: dict[tuple[str, str], tuple[Scalar, Scalar | None]] = field(
        default_factory=dict
    )  # (row, column) -> new, was

    @property
    def entries(self) -> list[tuple[Entry, str]]:
        own = [(self._as_changed(e), self.prefix) for e in self.body] if isinstance(self.body, Mapping) else []
        return own + [(self._as_changed(e), p) for a in self.added for e, p in a.entries]

    def _as_changed(self, entry: Entry) -> Entry:
        new = self.changed.get(line_name(entry.key.text))
        return Entry(entry.key, new) if new is not None else entry

    @property
    def text(self) -> Scalar | None:
        body = self.changed.get("", self.body)
        return body if isinstance(body, Scalar) and body.text else None


@dataclass(eq=False, slots=True)
class Header:
    game: str
    prefix: str
    table_talk: tuple[str, ...]
    extends: str | None


def header(root: Mapping) -> Header:
    def text(key: str) -> str:
        node = root.get(key)
        return node.text.strip() if isinstance(node, Scalar) else ""

    prefix = text("clauses")
    node = root.get("table talk")
    said = (
        [i.text for i in node if isinstance(i, Scalar)] if isinstance(node, Sequence) else text("table talk").split(",")
    )
    talk = tuple(full_id(c.strip(), prefix) for c in said if c.strip())
    return Header(text("game"), prefix, talk, text("extends") or None)


def full_id(cite: str, prefix: str) -> str:
    """`41` → `MOD-041`; an id that is whole already stays."""
    return f"{prefix}-{int(cite):03}" if cite.isdigit() and prefix else cite


def cited(cites: n.Cites, prefix: str) -> tuple[str, ...]:
    """Clause ids of a footnote; a range `9..12` stands for each of its clauses."""
    found: list[str] = []
    for cite in cites:
        first, dots, last = cite.text.partition("..")
        if dots and first.isdigit() and last.isdigit() and int(last) - int(first) < 100:
            found += [full_id(str(i), prefix) for i in range(int(first), int(last) + 1)]
        else:
            found.append(full_id(cite.text, prefix))
    return tuple(found)


def gather(roots: list[Mapping], grammar: Path, problems: Problems) -> list[Definition]:
    """All definitions of a chain of files (eldest first), additions and removals carried out."""
    sentences = Sentences(grammar, problems)
    found: list[Definition] = []
    by_name: dict[str, Definition] = {}
    for root in roots:
        head = header(root)
        for section in root:
            if section.key.text in _HEAD:
                continue
            if not isinstance(section.value, Mapping):
                lose(problems, section)
                continue
            for entry in section.value:
                title = None
                if entry.key.text.split(" ")[0] in _FIRST_WORDS:  # what is none was reported with the shape
                    title = sentences.read(entry.key, "title", n.Title)
                if title is None or not isinstance(entry.value, Mapping | Scalar):
                    lose(problems, entry)
                    continue
                made = Definition(title, entry.key, entry.value, section.key.text, head.game, head.prefix)
                _place(made, found, by_name, problems)
    for root in roots:
        _changes(root, by_name, problems)
    return found


_HEAD = frozenset(schema(RULE_FILE)["properties"])
_FIRST_WORDS = frozenset(word.split(" ")[0] for word in title_words())


def lose(problems: Problems, entry: Entry) -> None:
    """Everything that an unread definition may have declared: that it is missing is told once, at its title."""
    texts = [entry.key.text.split("[")[0]]
    if isinstance(entry.value, Mapping):
        texts += [e.key.text.split(",")[0].split("[")[0] for e in entry.value]
    elif isinstance(entry.value, Sequence):
        texts += [item.text for item in entry.value if isinstance(item, Scalar)]
    else:
        texts.append(entry.value.text.split("[")[0])
    for text in texts:
        words = re.findall(r"[\w-]+", text)
        joined = ("-".join(pair) for pair in itertools.pairwise(words))
        problems.lost |= {*words, *(word.lower() for word in words), *joined}


def line_name(key: str) -> str:
    """The name a line's key begins with: `1-2 stunned, if C [88]` → `stunned`, `hits, otherwise` → `hits`."""
    return key.split("[")[0].split(",")[0].strip().split(" ")[-1]


def _changes(root: Mapping, by_name: dict[str, Definition], problems: Problems) -> None:
    """`change:` sets a line or a cell anew: `weapons.lmg.shots: 4, was 3`. What it hits must be there."""
    node = root.get("change")
    for entry in node if isinstance(node, Mapping) else ():
        if not isinstance(entry.value, Scalar):
            continue
        parts = entry.key.text.split(".")
        target = by_name.get(parts[0])
        name = n.Name(0, len(parts[0]), parts[0])
        if target is None:
            unknown(problems, entry.key, name, "definition", by_name)
            continue
        new, was = _new_and_was(entry.value)
        if len(parts) == 1 and isinstance(target.body, Scalar):
            _expect(target.text, was, problems)
            target.changed[""] = new
            continue
        lines = {line_name(e.key.text): e for e, _ in target.entries}
        start = len(parts[0]) + 1
        if len(parts) == 1 or parts[1] not in lines:
            word = parts[1] if len(parts) > 1 else parts[0]
            at = n.Name(start if len(parts) > 1 else 0, (start if len(parts) > 1 else 0) + len(word), word)
            unknown(problems, entry.key, at, f"line of {parts[0]}", lines)
        elif len(parts) == 3 and target.title.what == "table":
            target.cells[parts[1], parts[2]] = (Scalar(new.text, entry.value.span), was)
        elif len(parts) == 2 and isinstance(lines[parts[1]].value, Scalar):
            old = lines[parts[1]].value
            _expect(old if isinstance(old, Scalar) else None, was, problems)
            target.changed[parts[1]] = new
        else:
            rest = entry.key.text[start:]
            unknown(problems, entry.key, n.Name(start, start + len(rest), rest), f"line of {parts[0]}", lines)


def _new_and_was(value: Scalar) -> tuple[Scalar, Scalar | None]:
    head, found, tail = value.text.rpartition(", was ")
    if not found:
        return value, None
    start = len(head) + len(found)
    return Scalar(head, value.at(0, len(head))), Scalar(tail, value.at(start, start + len(tail)))


def _expect(old: Scalar | None, was: Scalar | None, problems: Problems) -> None:
    """The base still says what the change believes it says."""
    if was is not None and old is not None and old.text.split(" [")[0].strip() != was.text.strip():
        problems.add(
            "N011",
            was.span,
            was=was.text,
            now=old.text.split(" [")[0],
            label="it says something else now",
            others=[Label(old.span, "here")],
        )


def _place(made: Definition, found: list[Definition], by_name: dict[str, Definition], problems: Problems) -> None:
    title = made.title
    if title.what == "add to":
        target = by_name.get(title.name.text)
        if target is None:
            unknown(problems, made.key, title.name, "definition", by_name)
        else:
            target.added.append(made)
            if isinstance(made.body, Scalar) and made.body.text:
                label = "what is added needs a name and a colon: `close: roll +1`"
                problems.add("P001", made.body.span, name=title.name.text, label=label)
        return
    if title.what == "remove":
        for name in title.names:
            target = by_name.pop(name.text, None)
            if target is None:
                unknown(problems, made.key, name, "definition", by_name)
            else:
                left = tuple(x for x in target.title.names if x.text != name.text)
                target.title = replace(target.title, names=left)  # marks may share one title
                if not left:
                    found.remove(target)
        return
    for name in title.names:
        space = f"example {name.text}" if title.what == "example" else name.text
        if space in by_name:
            earlier = by_name[space]
            first = next(x for x in earlier.title.names if x.text == name.text)
            problems.add(
                "N003",
                made.key.at(name.start, name.end),
                name=name.text,
                label="said again here",
                others=[Label(earlier.key.at(first.start, first.end), "declared here")],
            )
            if len(title.names) == 1:
                return
        else:
            by_name[space] = made
    found.append(made)


def unknown(
    problems: Problems, scalar: Scalar, name: n.Name, what: str, known: Iterable[str], elsewhere: str | None = None
) -> None:
    """The message for a name that nothing answers to, with the nearest that something does.

    `elsewhere` is said when nothing is near: where the name does mean something.
    """
    words = sorted({str(k) for k in known} - {name.text})
    close = closest(name.text, words)
    span = scalar.at(name.start, name.end)
    hint = "did you mean " + " or ".join(f"`{c}`" for c in close) + "?" if close else elsewhere
    if hint is None and 0 < len(words) <= 8 and " " not in "".join(words):
        hint = "there " + ("are " if len(words) > 1 else "is ") + ", ".join(f"`{w}`" for w in words)
    fix = Fix(span, close[0], len(close) == 1, f"write `{close[0]}`") if close else None
    problems.add("N001", span, about=name.text, name=name.text, what=what, hint=hint, fix=fix)


def closest(word: str, words: Iterable[str]) -> list[str]:
    """The nearest words; when one is a single slip away, none that is two."""
    close = nearest(word, words)
    found = [c for c in close if distance(word, c) == 1] or close
    found = [c for c in found if c[:1] == word[:1]] or found
    return [c for c in found if c[-1:] == word[-1:]] or found
