"""The effect of a patch on one line: insert beside or inside it, set its text, replace it, delete it.

Input: an entry of a definition, and the patch. Output: the entries that replace it. It does not know where the line is,
nor what it means.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Protocol

from interpreter.document.nodes import Entry, Mapping, Scalar
from interpreter.language import nodes as n
from interpreter.source import Fix, Label, Problems, Span
from interpreter.source.values import Record

from .definitions import SHOWING, Patch, line_name
from .sheets import Sheet


def redeclared_hint(title: n.Title, name: str) -> str | None:
    """Return the hint for a definition or line that another file declares again; None for examples."""
    if title.what in SHOWING:
        return None
    return f"to have it otherwise, say it under `change:`, or `remove {name}:` first"


_SAID = re.compile(r"(?P<new>.*?)(?:, was (?P<was>.*?))?(?:, over (?P<over>[a-z][\w-]*))?", re.DOTALL)
_TURNED = re.compile(r"(?P<new>.*?), over (?P<over>[a-z][\w-]*), was (?P<was>.*)", re.DOTALL)


def read_patch(key: Scalar, value: Scalar | Mapping, sheet: Sheet) -> Patch:
    """Return the patch that an entry of `change:` states. Its key is the address of a line; its value is the new lines,
    or `NEW, was OLD, over NAME`, where `was` and `over` are optional.
    """
    path = tuple(key.text.split("."))
    if isinstance(value, Mapping):
        return Patch(path, key, value, None, sheet.name)
    new = piece(value, "new")
    assert new is not None
    return Patch(path, key, new, piece(value, "was"), sheet.name)


def over(value: Scalar | Mapping) -> Scalar | None:
    """Return the name behind `over` in a patch; None if it has none, or consists of lines."""
    return piece(value, "over") if isinstance(value, Scalar) else None


def piece(value: Scalar, part: str) -> Scalar | None:
    """Return one of the three parts of `4, was 3, over garden`, in either order; None if it is missing."""
    found = _TURNED.fullmatch(value.text) or _SAID.fullmatch(value.text)
    if found is None or found.group(part) is None:
        return None
    start, end = found.span(part)
    return value if (start, end) == (0, len(value.text)) else value.part(start, end)


def check_was(old: Scalar | None, was: Scalar | None, problems: Problems, earlier: Iterable[str] = ()) -> None:
    """Report a patch whose `was TEXT` differs from the patched text. `earlier` are texts before changes by files that
    the patch's file names; they are accepted too, so that the patch is valid with and without these files.
    """
    if was is None or old is None:
        return
    now = old.text.split(" [")[0].strip()
    if was.text.strip() not in (now, *(text.split(" [")[0].strip() for text in earlier)):
        report_changed(was, now, old.span, problems)


def report_changed(was: Scalar, now: str, place: Span, problems: Problems) -> None:
    """Report a wrong `was`, with the current text as a fix."""
    fix = Fix(was.span, now, False, f"write `was {now}`")
    label, others = "it says something else now", [Label(place, "here")]
    problems.add("N011", was.span, was=was.text, now=now, label=label, others=others, fix=fix)


def addresses(entries: Iterable[Entry]) -> Iterator[str]:
    """Yield the addresses of all lines, depth first."""
    for entry in entries:
        name = line_name(entry.key.text)
        yield name
        if isinstance(entry.value, Mapping):
            yield from (f"{name}.{rest}" for rest in addresses(entry.value))


_CITES = re.compile(r"\[([A-Z0-9][^\]]*)\]")


def with_full_ids(scalar: Scalar, prefix: str, among: str) -> Scalar:
    """Expand short clause ids when a text moves among lines with another prefix: `[9]` → `[MOR-009]`."""
    if prefix == among or not prefix:
        return scalar
    for found in reversed(list(_CITES.finditer(scalar.text))):
        whole = re.sub(r"(?<![\w-])[0-9]+(?![\w-])", lambda m: f"{prefix}-{int(m.group()):03}", found.group(1))
        scalar = scalar.with_text(found.start(1), found.end(1), whole)
    return scalar


def entry_with_full_ids(entry: Entry, prefix: str, among: str) -> Entry:
    """Return an entry with `with_full_ids` applied to its key and its text, or to all lines below it."""
    value = entry.value
    if isinstance(value, Scalar):
        value = with_full_ids(value, prefix, among)
    elif isinstance(value, Mapping):
        value = Mapping(tuple(entry_with_full_ids(e, prefix, among) for e in value), value.span)
    return Entry(with_full_ids(entry.key, prefix, among), value)


def cites_in(node: Entry | Scalar | Mapping) -> list[str]:
    """Return the clauses that a line and the lines below it cite, as written."""
    if isinstance(node, Scalar):
        return [part.strip() for found in _CITES.finditer(node.text) for part in found[1].split(",")]
    parts = [node.key, node.value] if isinstance(node, Entry) else [*node]
    return list(
        dict.fromkeys(c for part in parts if isinstance(part, Entry | Scalar | Mapping) for c in cites_in(part))
    )


def citing(scalar: Scalar, cites: list[str]) -> Scalar:
    """Return the text with citations appended, located at its last character."""
    end = len(scalar.text)
    return scalar.with_text(end - 1, end, f"{scalar.text[-1]} [{', '.join(cites)}]") if cites and end else scalar


def still_citing(old: Entry, fresh: list[Entry]) -> list[Entry]:
    """Return the lines that replace `old`, with its citations added if they have none of their own."""
    cites = cites_in(old)
    if not fresh or not cites or any(cites_in(entry) for entry in fresh):
        return fresh
    same = next((e for e in fresh if line_name(e.key.text) == line_name(old.key.text)), fresh[-1])
    return [Entry(citing(e.key, cites), e.value) if e is same else e for e in fresh]


# ---- edits of a line
class Edit(Protocol):
    """The effect of a patch on a line."""

    def at(self, entry: Entry, prefix: str) -> list[tuple[Entry, str]] | None:
        """The entries that replace this one, each with its clause prefix; None if the edit does not apply to it."""


class Insert(Record):
    """Inserts lines before or after a line, or (`inside`) at the end of the lines below it."""

    fresh: list[Entry]
    before: bool
    inside: bool  # at the end of the lines below it, rather than beside it
    prefix: str

    def at(self, entry: Entry, prefix: str) -> list[tuple[Entry, str]] | None:
        if self.inside:
            if not isinstance(entry.value, Mapping):
                return None
            entries = [*entry.value, *(entry_with_full_ids(e, self.prefix, prefix) for e in self.fresh)]
            return [(Entry(entry.key, Mapping(tuple(entries), entry.value.span)), prefix)]
        mine = [(entry_with_full_ids(e, self.prefix, prefix), prefix) for e in self.fresh]
        return [*mine, (entry, prefix)] if self.before else [(entry, prefix), *mine]


class Drop(Record):
    """Deletes a line and the lines below it."""

    def at(self, entry: Entry, prefix: str) -> list[tuple[Entry, str]] | None:
        return []


class Set(Record):
    """Sets the text of a line, or replaces it by the lines of the patch. They inherit its citations if they have none.
    """

    patch: Patch
    prefix: str
    problems: Problems
    earlier: tuple[str, ...] = ()  # the texts before changes by supplements that the file names

    def at(self, entry: Entry, prefix: str) -> list[tuple[Entry, str]] | None:
        if isinstance(self.patch.new, Mapping):  # one or several lines replace the line
            fresh = [entry_with_full_ids(e, self.prefix, prefix) for e in self.patch.new]
            return [(e, prefix) for e in still_citing(entry, fresh)]
        if not isinstance(entry.value, Scalar):
            return None
        check_was(entry.value, self.patch.was, self.problems, self.earlier)
        new = with_full_ids(self.patch.new, self.prefix, prefix)
        return [(Entry(entry.key, citing(new, cites_in(entry.value) if not cites_in(new) else [])), prefix)]
