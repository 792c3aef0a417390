"""Files laid over each other: definitions with their lines, added to, removed and changed.

Everything is done on texts, before anything has a meaning.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from interpreter.language import nodes as n

from .trees import Lines, Wrong, can_read, fits, parse, tree

HEAD = {
    "game",
    "clauses",
    "schema",
    "version",
    "extends",
    "over",
    "not over",
    "table talk",
    "roster",
    "change",
    "about",
    "rules",
}


@dataclass(eq=False)
class Entry:
    """A line, a row, an attribute or a case: its key as written, what it is called, and what stands behind it.

    `above` is the name of the line written before it in the file that says it: to that an `otherwise` belongs.
    """

    key: str
    name: str
    body: str | list[Entry]
    above: str | None = None
    parts: list[tuple[list[n.Parameter], str]] = field(default_factory=list)  # of a row: columns, and their cells
    cells: dict[str, str] = field(default_factory=dict)  # of a row: cells set anew
    file: str = ""  # which calls it so: of what takes the place of other lines, the undermost
    keyed: str = ""  # which says its key
    said: str = ""  # which says what stands behind the key
    of_none: Any = None  # of a line that came to none: what such rounds add up to

    @property
    def lines(self) -> list[Entry]:
        return self.body if isinstance(self.body, list) else []


@dataclass(eq=False)
class Definition:
    what: str
    name: str
    title: n.Title
    body: str | list[Entry]
    columns: list[n.Parameter] = field(default_factory=list)
    file: str = ""


def called(key: str) -> str:
    """What a line, a row or a case is called, by its key."""
    if can_read(key, "line_key"):
        return parse(key, "line_key").name.text
    if can_read(key, "case_key"):
        node = parse(key, "case_key")
        if node.name is not None:
            return node.name.text
        return node.cases[0].word or re.split(r"[,\[]", key)[0].strip()
    return key.split("[")[0].strip()


def entries(body: Lines) -> list[Entry]:
    found: list[Entry] = []
    for key, value in body:
        inner = entries(value) if isinstance(value, Lines) else "" if value is None else value
        found.append(Entry(key, called(key), inner, found[-1].name if found else None))
    return found


def mark(lines: list[Entry], file: str, *, said: bool = True) -> None:
    """Whose lines these are that were nobody's yet."""
    for entry in lines:
        entry.file = entry.file or file
        if said:
            entry.keyed = entry.keyed or file
            entry.said = entry.said or file
        mark(entry.lines, file, said=said)


def _body(value) -> str | list[Entry]:
    return entries(value) if isinstance(value, Lines) else value or ""


def _unwas(text: str) -> str:
    """The new text of a change, without what it says of the old one and of other supplements."""
    text = re.sub(r", over [a-z0-9+ -]+$", "", text)
    return text.rsplit(", was ", 1)[0] if ", was " in text else text


class Layers:
    """The definitions of a stack of files, in order, and the head and the situations of the topmost."""

    def __init__(self, stack: list[tuple[str, Path]]) -> None:
        self.defs: dict[tuple[str, str], Definition] = {}
        self.examples: Lines = Lines()
        self.head: Lines = Lines()
        self.order: list[str] = []
        self.over: dict[str, set[str]] = {}  # of each supplement the files it was made with in mind
        self.removed: set[str] = set()
        names: list[str] = self.order
        for name, path in stack:
            root = tree(path)
            if root.get("over") is not None:
                self.over[name] = set(re.split(r"[\s,+]+", root.get("over"))) - {"or"}
            self._lay(root, names)
            names.append(name)
            for definition in self.defs.values():
                if isinstance(definition.body, list):
                    mark(definition.body, name)
                definition.file = definition.file or name

    def _lay(self, root: Lines, below: list[str]) -> None:
        self.head = Lines((key, value) for key, value in root if key in HEAD)
        self.examples = Lines()
        titled: list[tuple[n.Title, object]] = []
        changes: list[tuple[str, object]] = list(root.get("change") or [])
        for heading, section in root:
            if heading.startswith("example "):
                self.examples.append((heading, section))
            if heading in HEAD or not isinstance(section, Lines) or not heading[:1].isupper():
                continue
            if not fits(heading, below):
                continue
            for key, value in section:
                if key == "change":
                    changes += list(value)
                elif key.startswith("example "):
                    self.examples.append((key, value))
                elif not key.startswith("typical "):
                    titled.append((parse(key, "title"), value))
        for title, _ in titled:
            if title.what == "remove":
                for name in title.names:
                    self._remove(name.text)
        for title, value in titled:
            if title.what not in ("remove", "add to"):
                self._define(title, value)
        for title, value in titled:
            if title.what == "add to":
                self._add(title, value)
        for path, value in changes:
            self._change(path, value)

    def hears(self, asker: str, giver: str) -> bool:
        """Whether a file means by a bare name a line of another: its own, or one that it was written over."""
        if asker == giver or asker not in self.order or giver not in self.order:
            return True
        strange = asker in self.over and giver in self.over
        strange = strange and giver not in self.over[asker] and asker not in self.over[giver]
        return self.order.index(asker) > self.order.index(giver) and not strange

    # ---- one by one
    def named(self, name: str) -> Definition:
        for (_, own), definition in self.defs.items():
            if own == name:
                return definition
        raise Wrong(f"nothing is called {name}")

    def _define(self, title: n.Title, value) -> None:
        for name in title.names:
            made = Definition(title.what, name.text, title, _body(value), list(title.params))
            if title.what == "table":
                self._tabled(made)
            self.defs[title.what, name.text] = made

    def _tabled(self, table: Definition) -> None:
        if isinstance(table.body, str):
            words = parse(table.body, "words").names if table.body else ()
            table.body = [Entry(w.text, w.text, "") for w in words]
        for row in table.body:
            self._row(row, table.columns)

    def _row(self, row: Entry, columns: list[n.Parameter]) -> None:
        if isinstance(row.body, str) and row.body:
            row.parts.append((list(columns), row.body))

    def _at(self, path: str) -> tuple[Definition, list[Entry], Entry]:
        """The definition, the lines and the line of an address."""
        first, *rest = path.split(".")
        definition = self.named(first)
        lines, found = definition.body, None
        for name in rest:
            if isinstance(lines, str):
                raise Wrong(f"{path}: there are no lines")
            within = _inside(lines, name)
            if within is None:
                raise Wrong(f"nothing is called {path}")
            where, found = within
            last, lines = where, found.body
        if found is None:
            raise Wrong(f"{path} is no line")
        return definition, last, found

    def _remove(self, path: str) -> None:
        if "." in path:
            _, lines, found = self._at(path)
            lines.remove(found)
            self.removed.add(path)
            return
        for key in [key for key in self.defs if key[1] == path]:
            del self.defs[key]

    def _add(self, title: n.Title, value) -> None:
        path = title.name.text
        if "." in path:
            _, _, entry = self._at(path)
            if isinstance(entry.body, str):
                entry.body = [Entry("", "", entry.body)] if entry.body and entry.body != "nothing" else []
            target, definition = entry.body, None
        else:
            definition = self.named(path)
            if isinstance(definition.body, str):
                definition.body = [Entry("basic", "basic", definition.body)] if definition.body else []
            target = definition.body
        added = _body(value)
        if isinstance(added, str):
            added = [Entry(w, w, "") for w in (x.strip() for x in added.split(","))]
        if definition is not None and definition.what == "table":
            added = self._rows(definition, list(title.params), added)
        if title.anchor is None:
            place = len(target)
        else:
            place = next(i for i, e in enumerate(target) if e.name == title.anchor.text)
            place += title.when == "after"
        for one in added:
            if f"{path}.{one.name}" in self.removed:
                one.file = self.order[0]
        if added and added[0].above is None and place:
            added[0].above = target[place - 1].name
        target[place:place] = added

    def _rows(self, table: Definition, columns: list[n.Parameter], added: list[Entry]) -> list[Entry]:
        """Rows that are new; those that are there take their cells of the new columns."""
        table.columns += [c for c in columns if c.name.text not in [x.name.text for x in table.columns]]
        fresh = []
        for row in added:
            known = next((r for r in table.body if r.name == row.name), None)
            if known is None:
                self._row(row, table.columns)
                fresh.append(row)
            else:
                known.parts.append((columns, row.body))
        return fresh

    def _change(self, path: str, value) -> None:
        parts = path.split(".")
        if len(parts) == 1:
            definition = self.named(path)
            definition.body = _unwas(value) if isinstance(value, str) else _body(value)
            if definition.what == "table":
                self._tabled(definition)
            return
        owner = self.named(parts[0])
        if owner.what == "table" and len(parts) == 3:
            row = next(r for r in owner.body if r.name == parts[1])
            row.cells[parts[2]] = _unwas(value)
            return
        definition, lines, entry = self._at(path)
        if isinstance(value, str):
            entry.body, entry.said = _unwas(value), ""
            if definition.what == "table":
                entry.parts, entry.cells = [(list(definition.columns), entry.body)], {}
            return
        fresh = entries(value)
        mark(fresh, self.order[0], said=False)
        place = lines.index(entry)
        if fresh:
            fresh[0].above = entry.above
            if entry.name not in [e.name for e in fresh]:
                for other in lines:
                    if other.above == entry.name:
                        other.above = fresh[-1].name
        lines[place : place + 1] = fresh


def _inside(lines: list[Entry], name: str) -> tuple[list[Entry], Entry] | None:
    """A line of this name and the lines among which it stands: here, else deeper."""
    for entry in lines:
        if entry.name == name:
            return lines, entry
    for entry in lines:
        found = _inside(entry.lines, name)
        if found is not None:
            return found
    return None
