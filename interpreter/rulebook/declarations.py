"""What all declarations share: lookup of kinds and tables, parameters, citations, storing a symbol.

Input: titles. Output: parameters and stored symbols. It does not know the bodies of definitions.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from interpreter.document.nodes import Mapping, Scalar
from interpreter.language import nodes as n
from interpreter.source import Fix
from interpreter.vocabulary.types import INCHES, NUMBER, Type

from .book import Book, plural
from .definitions import Definition, cited, unknown
from .sentences import Sentences
from .symbols import Kind, Param, Symbol, Table, Where

_PLAIN = ("number", "inches")  # types of parameters that files need not declare


class Declarations:
    """Looks up kinds and tables for declarations, reads their parameters, and stores symbols in `book`."""

    def __init__(self, book: Book, sentences: Sentences) -> None:
        self.book = book
        self.problems = sentences.problems
        self.sentences = sentences

    def params(self, d: Definition) -> tuple[Param, ...]:
        return tuple(self.param(d, p) for p in d.title.params)

    def param(self, d: Definition, p: n.Parameter) -> Param:
        where = Where(d.key, p.start, p.end)
        kind_name, called = p.kind or p.name, p.name.text
        if p.kind is not None and not self._is_type(p.kind.text) and self._is_type(called):
            instead = f"{p.kind.text} {called}"  # `unit target`, for `target unit`
            fix = Fix(where.span, instead, False, f"write `{instead}`")
            hint = f"what it is stands last: `{instead}`"
            self.problems.add("N001", where.span, name=p.kind.text, what="kind or table", hint=hint, fix=fix)
            kind_name, called = p.name, p.kind.text
        word = kind_name.text
        type_: Type
        if word == "number":
            type_ = NUMBER
        elif word == "inches":
            type_ = INCHES
        elif word in self.book.kinds:
            kind = self.book.kinds[word]
            type_ = Type("figure" if kind.counted else "thing", kind)
        elif word in self.book.plurals:
            kind = self.book.plurals[word]
            type_ = Type("figures" if kind.counted else "things", kind)
        elif word in self.book.tables:
            type_ = Type("row", self.book.tables[word])
        elif p.kind is None and (named := [t for t in self.book.tables if t in (word, plural(word))]):
            type_ = Type("row", self.book.tables[named[0]])
        else:
            known = [*self.book.kinds, *self.book.plurals, *self.book.tables, *_PLAIN]
            if p.kind is None:
                type_ = Type("any") if word in self.problems.lost else NUMBER
            else:
                unknown(self.problems, d.key, kind_name, "kind or table", known)
                type_ = Type("any")
        return Param(called, type_, p.word, where)

    def _is_type(self, word: str) -> bool:
        return any(word in known for known in (self.book.kinds, self.book.plurals, self.book.tables, _PLAIN))

    def kind_named(self, scalar: Scalar, name: n.Name | None) -> Kind | None:
        if name is None:
            return None
        kind = self.book.kinds.get(name.text)
        if kind is None:
            unknown(self.problems, scalar, name, "kind", self.book.kinds)
        return kind

    def table_named(self, scalar: Scalar, name: n.Name) -> Table | None:
        table = self.book.tables.get(name.text)
        if table is None:
            unknown(self.problems, scalar, name, "table", self.book.tables)
        return table

    def text(self, node: Any) -> Scalar | None:
        if isinstance(node, Scalar):
            return node
        if isinstance(node, Mapping):  # a list was already reported by the shape check
            first = node.entries[0].key.span if node.entries else node.span
            self.problems.add("P002", first, label="one line of text is wanted here")
        return None

    def note_cites(self, scalar: Scalar, cites: n.Cites, prefix: str) -> None:
        for cite in cites:
            for whole_id in cited((cite,), prefix):
                self.book.pages.cites.append((whole_id, Where(scalar, cite.start, cite.end)))

    def keep(self, symbols: dict[str, Any], made: Symbol, d: Definition) -> None:
        made.cites = d.cites
        symbols[made.name] = made
        self.book.pages.owners[made] = d


def where_of(scalar: Scalar, name: n.Name) -> Where:
    """Return the place of a name in the text that it was parsed from."""
    return Where(scalar, name.start, name.end)


def int_if_whole(value: Fraction) -> int | Fraction:
    """Return the same number as an int if it is whole, else unchanged."""
    return int(value) if value.denominator == 1 else value
