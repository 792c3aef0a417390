"""Checks for declarations that nothing reads: values, rolls, rulings, tables, columns, marks, attributes, facts.

Takes the checker of a checked book without errors, the file to check, and the words of its examples; adds findings at
the declaration. Only the topmost file is checked, as the files below serve others too, and only if it has examples, as
otherwise it is unknown what players ask. Of a file that builds on no other, and may itself be built upon, only the
rulings are checked. A procedure is an entry point, so it is never unused.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from interpreter.rulebook import typed as t
from interpreter.rulebook.moments import TABLE_MOMENTS
from interpreter.rulebook.procedures import Checker
from interpreter.rulebook.symbols import Attribute, Needed, Ruling, Symbol, Table
from interpreter.source import Problems, Source
from interpreter.vocabulary.types import Type

Words = Callable[[], set[str]]  # of examples; computed only when something was found

# For each class of nodes, the fields that hold a symbol that it reads.
_READ: dict[type[t.Expr], tuple[str, ...]] = {
    t.Attr: ("attribute",),
    t.Cell: ("column", "table"),
    t.BandAt: ("column", "table"),
    t.CallValue: ("value",),
    t.FactOf: ("fact",),
    t.RulingOf: ("ruling",),
    t.RollOf: ("roll",),
    t.TableRows: ("table",),
}


def check_unused_declarations(checker: Checker, problems: Problems, top: Source, shown: Words) -> None:
    """Report declarations of the file `top` that neither the rules nor its examples use (N016, R002)."""
    book = checker.book
    if len(book.header.over) > 1:
        return  # written for several games: another one may use it
    uses = _Uses(checker)
    found = (
        _unused_symbols(checker, uses) if book.header.over or book.header.extends else _unused_rulings(checker, uses)
    )
    unused = [(s, *facts) for s, *facts in found if s.where.scalar.span.source is top]
    words = shown() if unused else set()
    for symbol, code, what, hint in unused if words else ():
        if symbol.name not in words:
            problems.add(code, symbol.where.span, name=symbol.name, what=what, hint=hint)


class _Uses:
    """Every symbol that an expression reads, sets or names."""

    def __init__(self, checker: Checker) -> None:
        self.read: set[Any] = set()
        self.set: set[Attribute] = set()
        self.named: set[tuple[Table, Any]] = set()  # rows named in a line
        self.open: set[Table] = set()  # tables of which an expression may yield any row
        book = checker.book
        pures = [checker.pure(x) for x in book.pure_definitions()]
        said = [(c.amount, c.per, c.condition) for pure in pures for c in pure.changes]
        inside = t.by_class(
            (*said, *checker.defaults.values(), *[tuple(steps) for steps in checker.definitions.found.woven.values()])
        )
        for procedure in book.procedures.values():
            for sort, parts in checker.procedure(procedure).inside.items():
                inside[sort] += parts
        self._note(inside)
        self.read.update(book.roster)
        self.read.update(
            book.rolls.get(base.text) for roll in book.rolls.values() if (base := book.pages.owners[roll].title.base)
        )
        for kind in book.kinds.values():
            for attribute in kind.attributes.values():
                self._note_type(attribute.type)
        for params in (x.params for shelf in (book.facts, book.procedures) for x in shelf.values()):
            for param in params:
                self._note_type(param.type)
        for fact in book.facts.values():
            self._note_type(fact.type)
        for table in book.tables.values():
            for column in table.columns.values():
                self._note_type(column.type)
            for row in table.rows.values():
                self.read.update(v for v in row.cells.values() if isinstance(v, Ruling))
        self.words = {hook.moment.path.parts[0].name for hook in book.hooks} | set(self._unwoven(checker))

    def _unwoven(self, checker: Checker) -> Iterator[str]:
        """The words of rules and marks attached to a moment of the table, such as the end of a turn, which are
        woven in nowhere.
        """
        for hook in checker.book.hooks:
            if hook.moment.path.parts[0].name in TABLE_MOMENTS:
                texts = [hook.scalar.text]
                if hook.rule is not None:
                    own = checker.book.pages.owners[hook.rule]
                    texts += [text for entry, _ in own.entries for text in texts_of(entry)]
                for text in texts:
                    yield from re.findall(r"[\w-]+", text)

    def _note(self, inside: dict[type[Any], list[Any]]) -> None:
        for sort, parts in inside.items():
            if sort in (t.SetAttr, t.AddAttr):
                self.set.update([part.attribute for part in parts])
            elif sort is t.New:
                self.set.update([attribute for part in parts for attribute, _ in part.given])
            elif sort is t.CallValue:  # the number that a roll needs counts as a use of the roll
                self.read.update([part.value.roll for part in parts if isinstance(part.value, Needed)])
            elif sort is t.Call:
                self.read.update([part.procedure.table for part in parts])
            for name in _READ.get(sort, ()):
                self.read.update([getattr(part, name) for part in parts])
            if issubclass(sort, t.Expr):
                tables = [of for part in parts if isinstance(of := part.type.of, Table)]
                self.read.update(tables)
                if sort is not t.Lit:
                    self.open.update(tables)
            if sort is t.Lit:
                self.named.update([(part.type.of, part.value) for part in parts if part.type.name == "row"])

    def _note_type(self, type_: Type) -> None:
        if isinstance(type_.of, Table):
            self.read.add(type_.of)
            self.open.add(type_.of)


def _unused_symbols(checker: Checker, uses: _Uses) -> Iterator[tuple[Any, ...]]:
    book = checker.book
    yield from _unread(
        uses, book.values.values(), "N016", "value", "say it in a line, or show in an example what it is"
    )
    yield from _unread(uses, book.rolls.values(), "N016", "roll", "a line throws it: `… passes {name}`")
    yield from _unused_rulings(checker, uses)
    for table in book.tables.values():
        if table not in uses.read:
            if table.name not in book.procedures:
                yield (
                    table,
                    "N016",
                    "table",
                    "something must have one of its rows: an attribute, a fact, what a line is told",
                )
            continue
        if table not in uses.open and table.columns:
            for row in table.rows.values():
                if (table, row.index) not in uses.named:
                    yield row, "N016", "row", f"a line names it, or something may be `one of {table.name}`"
        by = {c.by for c in table.columns.values()}
        columns = [c for c in table.columns.values() if c.name not in by] if by <= {None, *table.columns} else []
        yield from _unread(uses, columns, "N016", "column", "a line reads it as `….{name}`")
        yield from _unread(uses, table.marks.values(), "N016", "mark", "a line asks for it: `… is {name}`")
    yield from _unread(uses, book.facts.values(), "N016", "fact", "a line asks for it by its name")
    for kind in book.kinds.values():
        second = {a.fresh for a in kind.attributes.values()}  # generated marks
        for attribute in kind.attributes.values():
            if attribute not in second:
                yield from _unused_attribute(uses, attribute)


def _unused_rulings(checker: Checker, uses: _Uses) -> Iterator[tuple[Any, ...]]:
    rulings = checker.book.rulings.values()
    yield from _unread(uses, rulings, "R002", "ruling", "say its name where the two readings differ")


def _unread(
    uses: _Uses, symbols: Iterable[Symbol], code: str, what: str, hint: str
) -> Iterator[tuple[Symbol, str, str, str]]:
    for symbol in symbols:
        if symbol not in uses.read and symbol.name not in uses.words:
            yield symbol, code, what, hint.format(name=symbol.name)


def _unused_attribute(uses: _Uses, attribute: Attribute) -> Iterator[tuple[Symbol, str, str, str]]:
    """The attribute, if no line reads it. A mark that has hooks, or that puts things out of play, counts as used."""
    if attribute in uses.read or attribute.out_of_play or attribute.name in uses.words:
        return
    fresh = attribute.fresh
    if fresh is not None and fresh in uses.read:
        return
    mark = attribute.is_mark
    hint = f"a line asks for it: `if {attribute.name}`" if mark else f"a line reads it as `….{attribute.name}`"
    yield attribute, "N016", "mark" if mark else "attribute", hint


def texts_of(entry: Any) -> Iterator[str]:
    """Every text of an entry, at any depth."""
    left = [entry.key, entry.value]
    while left:
        here = left.pop()
        if hasattr(here, "text"):
            yield here.text
        else:
            left += [x for each in here for x in ((each.key, each.value) if hasattr(each, "key") else (each,))]
