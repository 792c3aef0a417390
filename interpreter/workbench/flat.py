"""Flattens a stack of files into one equivalent file, with the origin of every line as a comment.

Takes a checked rule set. Gives the text of a rule file without a base, which loads to an equal model. Comments of the
originals are kept. Knows the forms of YAML and titles, not what definitions mean.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path

from interpreter.document.nodes import Entry, Node, Scalar, Sequence
from interpreter.language import nodes as n
from interpreter.lint.unreachable_moments import can_happen
from interpreter.rulebook.definitions import Definition, cited, line_name
from interpreter.rulebook.statements import otherwise_owners
from interpreter.rulebook.symbols import RowDef, Ruling, Table
from interpreter.source import Problems, Source, Span

from .examples import Example, examples_inside, examples_of, files_beside, from_file, words_of
from .rule_sets import RuleSet

_WIDTH = 58  # column where a comment begins, if there is room


def flat(rules: RuleSet) -> str:
    """The whole rule set as one file."""
    return "\n".join(_Writer(rules).page()) + "\n"


class _Writer:
    def __init__(self, rules: RuleSet) -> None:
        self.rules = rules
        self.sheets = {s.root.span.source: s for s in rules.sheets}
        bases = [s for s in rules.sheets if not s.laid]
        self.prefix = bases[-1].head.prefix
        self.headings: dict[str, Source] = {}  # heading → the file of its definitions
        self._put: list[tuple[str, str, list[tuple[Entry, str]]]] = []  # lines to insert: block, line after them, lines

    def page(self) -> Iterator[str]:
        for sheet in self.rules.sheets:
            yield from _head_remark(sheet.root.span.source)
        names = ", ".join(s.name for s in self.rules.sheets)
        yield f"game: {yaml_text(self.rules.title)}"
        if self.prefix:
            yield f"clauses: {self.prefix}"
        talk = [clause for s in self.rules.sheets for clause in s.head.table_talk]
        if talk:
            yield f"table talk: [{', '.join(dict.fromkeys(talk))}]"
        if self.rules.book.roster:
            yield f"roster: [{', '.join(value.name for value in self.rules.book.roster)}]"
        yield f"about: {yaml_text(f'made by `umpire flat` of {names}')}"
        heading = ""
        for d in self.rules.book.pages.definitions:
            if d.title.what == "example" and d not in self.rules.book.pages.examples:
                continue
            here = self._heading(d, heading)
            if here != heading:
                heading = here
                yield ""
                yield f"{yaml_text(heading)}:"
            yield from self._definition(d)
        yield from self._shown_elsewhere()

    def _shown_elsewhere(self) -> Iterator[str]:
        """The shortest examples from other files that reach moments of hooks which nothing else on the page reaches."""
        inside = words_of(e.body.span.text for e in examples_inside(self.rules))
        below = [from_file(path, self.rules, Problems()) for s in self.rules.sheets[:-1] for path in files_beside(s)]
        beside = sorted(examples_of(self.rules, Problems()), key=lambda e: len(e.body.span.text))
        beside += sorted(chain(*below), key=lambda e: len(e.body.span.text))
        found: list[Example] = []
        for hook in self.rules.book.hooks:
            if not can_happen(self.rules.checker, hook, inside):
                for example in beside:
                    words = words_of([example.body.span.text])
                    if can_happen(self.rules.checker, hook, words):
                        found.append(example)
                        inside |= words
                        break
        if found:
            yield ""
            yield f"{yaml_text(self._unused('Examples'))}:"
        for example in found:
            yield self._line("  ", example.key.text, None, example.key, None, None, named=True)
            for entry in example.body:
                yield from self._entry(entry.key, entry.value, "", "    ", example.key.span.source)

    def _heading(self, d: Definition, last: str) -> str:
        """The heading of a definition. A heading that recurs gets the name of its file, as YAML keys must be unique."""
        name = f"{d.heading}, {self.sheets[d.key.span.source].name}"
        if last in (d.heading, name) and self.headings.get(last) is d.key.span.source:
            return last
        found = self._unused(d.heading if d.heading not in self.headings else name)
        self.headings[found] = d.key.span.source
        return found

    def _unused(self, name: str) -> str:
        """A heading that is not on the page yet."""
        found, count = name, 2
        while found in self.headings:
            found, count = f"{name}, {count}", count + 1
        return found

    # ---- definitions
    def _definition(self, d: Definition) -> Iterator[str]:
        key = self._title(d)
        said = d.text
        yield from self._above(d.key, "  ")
        if said is not None:
            yield self._line("  ", key, self._expanded(said.text, d.prefix), d.key, said, d.key.span.source, named=True)
            if d.entries:  # a definition of one text with added lines: YAML can have only one of them
                yield f"  add to {d.title.name.text}:"
                for entry, prefix in d.entries:
                    yield from self._entry(entry.key, entry.value, prefix, "    ", d.key.span.source)
            return
        yield self._line("  ", key, None, d.key, None, None, named=True)
        table = self.rules.book.tables.get(d.title.name.text) if d.title.what == "table" else None
        if table is not None and (d.cells or any(a.title.params for a in d.added)):
            yield from self._rows(d, table)
            return
        path = d.title.name.text
        for entry, prefix in self._own(d.entries, path):
            yield from self._entry(entry.key, entry.value, prefix, "    ", d.key.span.source, path)
        while self._put:
            inside, anchor, entries = self._put.pop()
            yield f"  add to {inside} before {anchor}:"
            for entry, prefix in entries:
                yield from self._entry(entry.key, entry.value, prefix, "    ", d.key.span.source)

    def _own(self, entries: Iterable[tuple[Entry, str]], path: str) -> list[tuple[Entry, str]]:
        """The lines of a block without those inserted between an `otherwise` and its owner.

        These are inserted again after the definition, as an `otherwise` belongs to the line before it in the file.
        """
        entries = [*entries]
        if not any("otherwise" in entry.key.text for entry, _ in entries):
            return entries
        keys = [self.rules.checker.sentences.read(entry.key, "line_key", n.LineKey) for entry, _ in entries]
        read = [(entry, ids, key) for (entry, ids), key in zip(entries, keys, strict=True) if key is not None]
        kept: list[tuple[Entry, str]] = []
        belongs = otherwise_owners(read, entries, self.rules.book.history)
        for index, (entry, ids, _) in enumerate(read):
            owner = belongs.get(index)
            if owner is not None and owner.index is not None:
                at = next((i for i, (e, _) in enumerate(kept) if e is read[owner.index][0]), len(kept) - 1)
                if kept[at + 1 :]:
                    self._put.append((path, line_name(entry.key.text), kept[at + 1 :]))
                    del kept[at + 1 :]
            kept.append((entry, ids))
        return kept

    def _title(self, d: Definition) -> str:
        """The title with the remaining names, and with added columns."""
        said = self.rules.checker.sentences.read(d.key, "title", n.Title) or d.title
        text = d.key.text
        edits: list[tuple[int, int, str]] = []
        if len(said.names) != len(d.title.names):
            names = ", ".join(x.text for x in d.title.names)
            edits.append((said.names[0].start, said.names[-1].end, names))
        more = [a.key.text[p.start : p.end] for a in d.added for p in a.title.params]
        if more and said.params:
            end = said.params[-1].end
            edits.append((end, end, ", " + ", ".join(more)))
        elif more:
            edits.append((said.name.end, said.name.end, f" ({', '.join(more)})"))
        for start, end, new in sorted(edits, reverse=True):
            text = text[:start] + new + text[end:]
        text = self._expanded(text, d.prefix)
        if not any(a.title.cites for a in d.added):
            return text
        return f"{text.partition('[')[0].rstrip()} [{', '.join(d.cites)}]"

    def _rows(self, d: Definition, table: Table) -> Iterator[str]:
        """The rows with all their cells in place, including those set elsewhere."""
        firsts = {line_name(e.key.text): (e, prefix) for e, prefix in reversed(d.entries)}
        for row in table.rows.values():
            entry, _ = firsts[row.name]
            cells = row_text(table, row)
            cites = f" [{', '.join(row.cites)}]" if row.cites else ""
            value = entry.value if isinstance(entry.value, Scalar) else None
            remarks = [_of_line(p.key.span) for p in d.cells if p.path[1] == row.name]
            yield self._line("    ", row.name, cells + cites, entry.key, value, d.key.span.source, remarks=remarks)

    def _entry(self, key: Scalar, value: Node, prefix: str, indent: str, home: Source, path: str = "") -> Iterator[str]:
        yield from self._above(key, indent)
        said = self._expanded(key.text, prefix)
        if isinstance(value, Scalar):
            text = self._expanded(value.text, prefix) if value.text else None
            yield self._line(indent, said, text, key, value, home)
        elif isinstance(value, Sequence):
            yield self._line(indent, said, None, key, None, home)
            for item in value:
                if isinstance(item, Scalar):
                    yield f"{indent}  - {yaml_text(item.text)}"
        else:
            yield self._line(indent, said, None, key, None, home)
            inside = f"{path}.{line_name(key.text)}"
            for entry, ids in self._own([(e, prefix) for e in value], inside):
                yield from self._entry(entry.key, entry.value, ids, indent + "  ", home, inside)

    def _expanded(self, text: str, prefix: str) -> str:
        """The text with clause ids expanded if their prefix is not that of the head."""
        if not prefix or prefix == self.prefix:
            return text

        def ids(found: re.Match[str]) -> str:
            names = tuple(n.Name(0, 0, c.strip()) for c in found.group(1).split(","))
            return f"[{', '.join(cited(names, prefix))}]"

        return re.sub(r"\[([A-Z0-9][A-Z0-9., -]*)\]", ids, text)

    # ---- lines and remarks
    def _line(
        self,
        indent: str,
        key: str,
        text: str | None,
        at: Scalar,
        value: Scalar | None,
        home: Source | None,
        named: bool = False,
        remarks: Iterable[str] = (),
    ) -> str:
        """One line of the page. Notes its origin if that is not `home`, the file of the lines around it; for a title
        always.
        """
        line = f"{indent}{yaml_text(key)}:" + (f" {yaml_text(text)}" if text is not None else "")
        last = value if value is not None and value.text else at
        remarks = [*([remark] if (remark := remark_of(last.span)) else []), *remarks]
        if named or last.span.source is not home:
            remarks.append(_place(last.span))
        return f"{line:<{_WIDTH}}  # {', '.join(remarks)}" if remarks else line

    def _above(self, key: Scalar, indent: str) -> Iterator[str]:
        """The comment lines directly above a key."""
        source, row = key.span.source, key.span.place[0]
        if key.span.place[1] != len(source.line(row)) - len(source.line(row).lstrip()) + 1:
            return  # inside brackets, on a line with others
        found: list[str] = []
        while row > 1 and source.line(row - 1).lstrip().startswith("#"):
            row -= 1
            found.append(indent + source.line(row).strip())
        yield from reversed(found)


def _head_remark(source: Source) -> Iterator[str]:
    """The comments at the head of a file, below its name."""
    said: list[str] = []
    for row in range(1, len(source.text.splitlines()) + 1):
        line = source.line(row).strip()
        if line and not line.startswith("#"):
            break
        said.append(line)
    while said and not said[-1]:
        said.pop()
    if said:
        yield f"# {Path(source.name).name}:"
        yield from said
        yield ""


def row_text(table: Table, row: RowDef) -> str:
    """All cells of a row in column order, followed by its marks and by named cells."""
    plain: list[str] = []
    named: list[str] = []
    for column in table.columns:
        place = row.cell_places.get(column)
        words = place.text.removeprefix(f"{column} ") if place is not None else "none"
        if isinstance(row.cells.get(column), Ruling):
            named.append(f"{column} {words}")
            words = "none"
        plain.append(words)
    while plain and plain[-1] == "none":
        plain.pop()
    marks = " ".join(m for m in table.marks if row.cells.get(m))
    return ", ".join([*plain, *([marks] if marks else []), *named]) or ("none" if table.columns else "")


def _place(span: Span) -> str:
    return f"{Path(span.source.name).name}:{span.place[0]}"


def _of_line(span: Span) -> str:
    """The comment of a whole line, and its place."""
    _, sign, remark = span.source.line(span.place[0]).partition(" #")
    return f"{remark.strip()} ({_place(span)})" if sign else _place(span)


def remark_of(span: Span) -> str:
    """The comment after a text, on the same line."""
    source = span.source
    row, column = source.place(span.end)
    found = re.match(r"['\"]?\s*:?\s+#\s?(.*)", source.line(row)[column - 1 :])
    return found.group(1).strip() if found else ""


_PLAIN = re.compile(r"[^\s\-?:,\[\]{}#&*!|>'\"%@`]|[-+](?=[\w(])", re.ASCII)


def yaml_text(text: str) -> str:
    """A text as YAML: plain if nothing in it is special to YAML, else quoted."""
    plain = _PLAIN.match(text) or (text[:1] and ord(text[0]) > 127)
    if plain and ": " not in text and " #" not in text and text.strip() == text and not text.endswith(":"):
        return text
    return "'" + text.replace("'", "''") + "'"
