"""Definitions → symbols: what exists, before anything is said about how it behaves.

Enters: definitions with their titles read. Leaves: a `Book` of symbols whose bodies are still text.
Knows nothing of expressions' meaning: bodies are checked later, on demand.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any

from interpreter.document import Mapping, Scalar
from interpreter.language import nodes as n
from interpreter.source import Fix, Label, Problems
from interpreter.vocabulary.types import INCHES, NUMBER, TARGET, TRUTH, Type

from .definitions import Definition, Header, cited, lose, unknown
from .sentences import Sentences
from .symbols import (
    Attribute,
    Column,
    Convention,
    Fact,
    Hook,
    Kind,
    Param,
    Procedure,
    Roll,
    RowDef,
    RuleDef,
    Ruling,
    Symbol,
    Table,
    Value,
    Where,
)


@dataclass(eq=False, slots=True)
class Book:
    """Every symbol of a rule set by name, in the order of the page."""

    header: Header
    kinds: dict[str, Kind] = field(default_factory=dict)
    plurals: dict[str, Kind] = field(default_factory=dict)
    tables: dict[str, Table] = field(default_factory=dict)
    values: dict[str, Value] = field(default_factory=dict)
    rolls: dict[str, Roll] = field(default_factory=dict)
    facts: dict[str, Fact] = field(default_factory=dict)
    procedures: dict[str, Procedure] = field(default_factory=dict)
    conventions: dict[str, Convention] = field(default_factory=dict)
    rulings: dict[str, Ruling] = field(default_factory=dict)
    rules: dict[str, RuleDef] = field(default_factory=dict)
    hooks: list[Hook] = field(default_factory=list)
    examples: list[Definition] = field(default_factory=list)
    definitions: list[Definition] = field(default_factory=list)
    words: dict[str, list[Table]] = field(default_factory=dict)
    cites: list[tuple[str, Where]] = field(default_factory=list)
    owners: dict[int, Definition] = field(default_factory=dict)  # id(symbol) -> its definition


def plural(name: str) -> str:
    """unit → units, box → boxes, party → parties."""
    if name.endswith(("s", "x", "ch", "sh", "z")):
        return name + "es"
    if name.endswith("y") and name[-2:-1] not in "aeiou":
        return name[:-1] + "ies"
    return name + "s"


class Declarer:
    def __init__(self, book: Book, grammar: Path, problems: Problems) -> None:
        self.book = book
        self.problems = problems
        self.sentences = Sentences(grammar, problems)

    def declare(self, definitions: list[Definition]) -> None:
        book = self.book
        book.definitions = definitions
        for d in definitions:
            if d.title.what == "kind":
                self._kind(d)
            elif d.title.what in ("table", "outcomes"):
                book.tables[d.title.name.text] = Table(d.title.name.text, _where(d.key, d.title.name))
        for d in definitions:
            if d.title.what == "kind":
                self._relations(d)
        for d in definitions:
            self._note_cites(d.key, d.title.cites, d.prefix)
            step = getattr(self, "_" + d.title.what.replace(" ", "_"), None)
            if d.title.what == "kind":
                self._attributes(d)
            elif step is not None:
                step(d)
        for d in definitions:
            if d.title.what == "table":
                self._rows(d)
        for table in book.tables.values():
            for word in table.rows:
                book.words.setdefault(word, []).append(table)

    # ---- kinds
    def _kind(self, d: Definition) -> None:
        name = d.title.name.text
        kind = Kind(name, _where(d.key, d.title.name), plural(name), len(self.book.kinds), counted=bool(d.title.group))
        kind.cites = cited(d.title.cites, d.prefix)
        self.book.kinds[name] = kind
        self.book.plurals[kind.plural] = kind
        self.book.owners[id(kind)] = d

    def _relations(self, d: Definition) -> None:
        kind = self.book.kinds[d.title.name.text]
        owner = self.kind_named(d.key, d.title.of or d.title.group)
        base = self.kind_named(d.key, d.title.base)
        if base is not None:
            if kind in base.lineage():
                name = d.title.base or d.title.name
                self.problems.add("N010", d.key.at(name.start, name.end), name=name.text, label="a circle of kinds")
                return
            kind.base = base
            kind.counted = base.counted
            kind.owner = base.owner
            base.subs.append(kind)
        if owner is not None:
            kind.owner = owner
            where = _where(d.key, d.title.of or d.title.group or d.title.name)
            if kind.counted:
                owner.bags.append(kind)
            else:
                kind.attributes[owner.name] = Attribute(owner.name, where, kind, Type("thing", owner), optional=False)

    def _attributes(self, d: Definition) -> None:
        kind = self.book.kinds[d.title.name.text]
        for entry, prefix in d.entries:
            key = self.sentences.read(entry.key, "line_key", n.LineKey)
            text = self._text(entry.value)
            node = self.sentences.read(text, "attribute", n.AttributeType) if text is not None else None
            if key is None or text is None or node is None:
                lose(self.problems, entry)
                continue
            type_ = self.attribute_type(text, node)
            where = _where(entry.key, key.name)
            made = Attribute(key.name.text, where, kind, type_, optional=node.optional, first=node.first)
            made.cites = cited(node.cites, prefix)
            made.low, made.high = _bound(node.low), _bound(node.high)
            self._note_cites(text, node.cites, prefix)
            self._attach(kind, made)
            if kind.counted and type_.name in ("inches", "rows", "things", "figures"):
                span = text.at(node.start, node.end)
                self.problems.add("T010", span, kind=kind.name, type=type_.words(), label="figures are counted by it")
            self.book.owners[id(made)] = Definition(d.title, text, text, d.heading, d.game, prefix)

    def _attach(self, kind: Kind, made: Attribute) -> None:
        earlier = kind.find(made.name)
        if earlier is not None:
            self.problems.add(
                "N003", made.where.span, name=made.name, label="said again here",
                others=[Label(earlier.where.span, "declared here")],
            )  # fmt: skip
            return
        kind.attributes[made.name] = made

    def attribute_type(self, scalar: Scalar, node: n.AttributeType) -> Type:
        if node.what == "one of" and node.of:
            table = self.table_named(scalar, node.of)
            return Type("row", table) if table else Type("any")
        if node.what == "a" and node.of:
            kind = self.kind_named(scalar, node.of)
            if kind is not None and kind.counted:
                span = scalar.at(node.of.start, node.of.end)
                self.problems.add("T011", span, kind=kind.name, label="alike ones are counted, none has a name")
                return Type("any")
            return Type("thing", kind) if kind else Type("any")
        if node.what == "many" and node.of:
            if node.of.text in self.book.tables:
                return Type("rows", self.book.tables[node.of.text])
            kind = self.book.plurals.get(node.of.text)
            if kind is None:
                known = [*self.book.plurals, *self.book.tables]
                unknown(self.problems, scalar, node.of, "kind or table", known)
                return Type("any")
            return Type("figures" if kind.counted else "things", kind)
        return {"number": NUMBER, "inches": INCHES, "yes or no": TRUTH}[node.what]

    def _lose(self, d: Definition) -> None:
        """What could not be declared, for a reason that was told, is not missed elsewhere."""
        self.problems.lost.update(name.text for name in d.title.names)

    # ---- the other first words
    def _mark(self, d: Definition) -> None:
        text = d.text
        node = self.sentences.read(text, "ending", n.Ending) if text else None
        of = d.title.of
        table = self.book.tables.get(of.text) if of else None
        kind = self.book.kinds.get(of.text) if of else None
        if of and kind is None and table is None:
            unknown(self.problems, d.key, of, "kind or table", [*self.book.kinds, *self.book.tables])
            self._lose(d)
            return
        for name in d.title.names:
            where = _where(d.key, name)
            if table is not None:
                table.marks[name.text] = Column(name.text, where, TRUTH)
                continue
            if kind is None:
                continue
            mark = Attribute(name.text, where, kind, TRUTH, optional=True, is_mark=True, ending=node)
            mark.cites = cited(d.title.cites, d.prefix) + (cited(node.cites, d.prefix) if node else ())
            mark.out_of_play = bool(node and node.out_of_play)
            self._attach(kind, mark)
            self.book.owners[id(mark)] = d
            if node and text:
                self._note_cites(text, node.cites, d.prefix)
                self.book.hooks += [Hook(m.when, m, text, mark=mark) for m in node.moments]

    def _fact(self, d: Definition) -> None:
        kind = self.kind_named(d.key, d.title.of)
        text = d.text
        node = self.sentences.read(text, "attribute", n.AttributeType) if text else None
        if text is None:
            self.problems.add("P001", d.key.span, name=d.title.name.text, label="what can it be?")
        if kind is None or node is None or text is None:
            self._lose(d)
            return
        params = self._params(d)
        made = Fact(d.title.name.text, _where(d.key, d.title.name), kind, params, self.attribute_type(text, node))
        made.optional, made.first = node.optional, node.first
        self._keep(self.book.facts, made, d)
        made.cites += cited(node.cites, d.prefix)
        self._note_cites(text, node.cites, d.prefix)

    def _value(self, d: Definition) -> None:
        kind = self.kind_named(d.key, d.title.of)
        if d.title.of and kind is None:
            self._lose(d)
            return
        made = Value(d.title.name.text, _where(d.key, d.title.name), kind, self._params(d), d.body, d.key)
        self._keep(self.book.values, made, d)

    def _roll(self, d: Definition) -> None:
        kind = self.kind_named(d.key, d.title.of)
        if kind is None:
            self._lose(d)
            return
        made = Roll(d.title.name.text, _where(d.key, d.title.name), kind, self._params(d), d.body, d.key)
        self._keep(self.book.rolls, made, d)

    def _procedure(self, d: Definition) -> None:
        made = Procedure(d.title.name.text, _where(d.key, d.title.name), self._params(d), d.body, d.key)
        self._keep(self.book.procedures, made, d)

    def _outcomes(self, d: Definition) -> None:
        kind = self.kind_named(d.key, d.title.of)
        if kind is None or d.title.of is None:
            self._lose(d)
            return
        where = _where(d.key, d.title.of)
        params = (Param(kind.name, Type("thing", kind), None, where), *self._params(d))
        made = Procedure(d.title.name.text, _where(d.key, d.title.name), params, d.body, d.key)
        made.table = self.book.tables[made.name]
        made.by, made.barred = d.title.by, d.title.condition
        for entry, _ in d.entries:
            key = self.sentences.read(entry.key, "case_key", n.CaseKey)
            if key is not None:
                name = key.name.text if key.name else entry.key.text.split(",")[0].split("[")[0].strip()
                at = Where(entry.key, key.start, key.end)
                if name in made.table.rows:
                    span = _where(entry.key, key.name).span if key.name else at.span
                    others = [Label(made.table.rows[name].where.span, "declared here")]
                    self.problems.add("N003", span, name=name, label="said again here", others=others)
                made.table.rows[name] = RowDef(name, at, len(made.table.rows))
        self._keep(self.book.procedures, made, d)

    def _rule(self, d: Definition) -> None:
        title = d.title
        made = RuleDef(title.name.text, _where(d.key, title.name), title.each, title.condition, d.body, d.key)
        made.hooks = tuple(Hook(m.when, m, d.key, rule=made) for m in title.moments)
        self.book.hooks += made.hooks
        self._keep(self.book.rules, made, d)

    def _dice(self, d: Definition) -> None:
        text = d.text
        node = self.sentences.read(text, "convention", n.Convention) if text else None
        if node is None:
            return
        made = Convention(
            d.title.name.text, _where(d.key, d.title.name), node.die.sides, node.over, node.always, node.never
        )
        for face in (node.always, node.never):
            if face is not None and not 1 <= face <= node.die.sides and text is not None:
                found = re.search(rf"(?:always|never) +{face}\b", text.text)
                span = text.at(*found.span()) if found else text.at(node.start, node.end)
                hint = f"the faces of a d{node.die.sides} are 1 to {node.die.sides}"
                self.problems.add("D003", span, die=f"d{node.die.sides}", face=face, hint=hint)
        self._keep(self.book.conventions, made, d)
        if text is not None:
            self._note_cites(text, node.cites, d.prefix)

    def _ruling(self, d: Definition) -> None:
        text = d.text
        node = self.sentences.read(text, "options", n.Options) if text else None
        if node is None:
            return
        words = [o.names[0].text if isinstance(o, n.Words) else "" for o in node.options]
        if all(words):
            table = Table(d.title.name.text, _where(d.key, d.title.name))
            for index, word in enumerate(words):
                table.rows[word] = RowDef(word, table.where, index)
            self.book.words.setdefault("", []).append(table)
            for word in words:
                self.book.words.setdefault(word, []).append(table)
            type_, options = Type("row", table), tuple(range(len(words)))
        else:
            values = [self.cell_value(o) for o in node.options]
            type_ = values[0][0]
            options = tuple(v for _, v in values)
            words = [str(v) for v in options]
        made = Ruling(d.title.name.text, _where(d.key, d.title.name), options, type_, options[0], tuple(words))
        self._keep(self.book.rulings, made, d)
        if text is not None:
            self._note_cites(text, node.cites, d.prefix)

    def _example(self, d: Definition) -> None:
        if d.game == self.book.header.game:  # examples show the file they stand in, not those that extend it
            self.book.examples.append(d)

    def _keep(self, shelf: dict[str, Any], made: Symbol, d: Definition) -> None:
        made.cites = cited(d.title.cites, d.prefix)
        shelf[made.name] = made
        self.book.owners[id(made)] = d

    # ---- tables
    def _rows(self, d: Definition) -> None:
        table = self.book.tables[d.title.name.text]
        table.cites = cited(d.title.cites, d.prefix)
        self.book.owners[id(table)] = d
        params = [*d.title.params, *(p for a in d.added for p in a.title.params)]
        names = [p.name.text for p in params]
        if d.text is not None:
            words = self.sentences.read(d.text, "words", n.WordList)
            if words is None:
                self.problems.lost.update(re.findall(r"[\w-]+", d.text.text))
            for index, name in enumerate(words.names if words else ()):
                table.rows[name.text] = RowDef(name.text, _where(d.text, name), index)
        cells: dict[str, dict[str, tuple[Type, Any, Where]]] = {}
        for entry, prefix in d.entries:
            key = self.sentences.read(entry.key, "line_key", n.LineKey)
            text = self._text(entry.value)
            if key is None or text is None:
                lose(self.problems, entry)
                continue
            row = RowDef(key.name.text, _where(entry.key, key.name), len(table.rows))
            if row.name in table.rows:
                old = table.rows[row.name].where.span
                self.problems.add("N003", row.where.span, name=row.name, others=[Label(old, "declared here")])
                continue
            table.rows[row.name] = row
            self._note_cites(entry.key, key.cites, prefix)
            node = self.sentences.read(text, "row", n.Row) if text.text else None
            if not text.text and names:
                self.problems.add("K009", row.where.span, row=row.name, table=table.name, label="it has no cells",
                                  hint="write the cells behind the colon, `-` where there is nothing")  # fmt: skip
            if node is not None:
                self._note_cites(text, node.cites, prefix)
                row.cites = cited(node.cites, prefix) + cited(key.cites, prefix)
                self._cells(table, row, names, text, node, cells)
        for (row_name, column), (new, was) in d.cells.items():
            self._changed_cell(row_name, column, new, was, names, cells)
        for param in params:
            self._column(table, param, d, cells)

    def _cells(
        self, table: Table, row: RowDef, names: list[str], text: Scalar, node: n.Row,
        cells: dict[str, dict[str, tuple[Type, Any, Where]]],
    ) -> None:  # fmt: skip
        position, closed = 0, False
        for cell in node.cells:
            where = Where(text, cell.start, cell.end)
            if isinstance(cell, n.Words) and len(cell.names) == 2 and cell.names[0].text in names:
                column, word = cell.names
                ruling = self.book.rulings.get(word.text)
                if ruling is None:
                    unknown(self.problems, text, word, "ruling", self.book.rulings)
                else:
                    cells.setdefault(column.text, {})[row.name] = (ruling.type, ruling, where)
                closed = True
            elif isinstance(cell, n.Named) and cell.name.text in names:
                type_, value = self.cell_value(cell.value)
                cells.setdefault(cell.name.text, {})[row.name] = (type_, value, where)
                closed = True
            elif isinstance(cell, n.Words) and all(w.text in table.marks for w in cell.names):
                row.cells.update({w.text: True for w in cell.names})
                closed = True
            elif isinstance(cell, n.Named):
                unknown(self.problems, text, cell.name, f"column of {table.name}", names)
            elif closed or position >= len(names):
                if isinstance(cell, n.Words):
                    bad = next(w for w in cell.names if w.text not in table.marks)
                    unknown(self.problems, text, bad, f"mark of {table.name}", [*table.marks, *names])
                else:
                    late = names[position] if position < len(names) else None
                    hint = f"`{late}` stands before the marks and the cells with a name" if late else None
                    columns = f"{len(names)} column" + ("" if len(names) == 1 else "s")
                    self.problems.add(
                        "T005", where.span, table=table.name, columns=columns, label="no column is left for this", hint=hint
                    )
            else:
                type_, value = self.cell_value(cell)
                cells.setdefault(names[position], {})[row.name] = (type_, (cell, value), where)
                position += 1

    def _changed_cell(
        self, row: str, column: str, new: Scalar, was: Scalar | None, names: list[str],
        cells: dict[str, dict[str, tuple[Type, Any, Where]]],
    ) -> None:  # fmt: skip
        """`weapons.lmg.shots: 4, was 3` of an extending file."""
        if column not in names:
            unknown(self.problems, new, n.Name(0, len(new.text), column), "column", names)
            return
        read = self.sentences.read(new, "row", n.Row)
        if read is None or len(read.cells) != 1:
            return
        old = cells.get(column, {}).get(row)
        if was is not None and old is not None and old[2].text != was.text.strip():
            self.problems.add(
                "N011", was.span, was=was.text, now=old[2].text, label="it says something else now",
                others=[Label(old[2].span, "here")],
            )  # fmt: skip
        cell = read.cells[0]
        type_, value = self.cell_value(cell)
        cells.setdefault(column, {})[row] = (type_, (cell, value), Where(new, cell.start, cell.end))

    def _column(self, table: Table, param: n.Parameter, d: Definition, cells: dict[str, Any]) -> None:
        name = param.name.text
        filled: dict[str, tuple[Type, Any, Where]] = cells.get(name, {})
        types = {t for t, _, _ in filled.values() if t.name != "none"}
        type_ = next(iter(types)) if types else Type("none")
        if any(t.name == "words" for t in types):
            type_ = self._word_column(table, name, filled)
        elif types == {Type("bands"), NUMBER}:
            type_ = NUMBER
        elif types == {Type("bands"), INCHES}:
            type_ = INCHES
        elif types == {Type("dicecell"), NUMBER} or types == {Type("dicecell")}:
            type_ = Type("dicecell")
            filled = {row: (t, _plain_dice(value), where) for row, (t, value, where) in filled.items()}
        elif len(types) > 1:
            self._odd_cell(name, filled)
            type_ = Type("any")
        column = Column(name, Where(d.key, param.start, param.end), type_, param.by.text if param.by else None)
        table.columns[name] = column
        for row_name, (cell_type, raw, where) in filled.items():
            value = raw[1] if isinstance(raw, tuple) and len(raw) == 2 and isinstance(raw[0], n.Node) else raw
            if cell_type.name == "words" and type_.name == "row":
                value = type_.of.rows[value[0].text].index if value[0].text in type_.of.rows else -1
            table.rows[row_name].cells[name] = value
            table.rows[row_name].cell_places[name] = where

    def _odd_cell(self, column: str, filled: dict[str, tuple[Type, Any, Where]]) -> None:
        """The cells of one column differ in sort: point at the first of the rarer sort."""
        by_type: dict[str, list[tuple[Type, Any, Where]]] = {}
        for cell in filled.values():
            if cell[0].name != "none":
                kind = "number" if cell[0].name in ("bands", "dicecell") else cell[0].name
                by_type.setdefault(kind, []).append(cell)
        common = max(by_type.values(), key=len)
        rare = min(by_type.values(), key=len)
        if rare is common:
            rare = list(by_type.values())[-1]
        text, sort = rare[0][2].text, common[0][0].name
        number = text.lstrip("+")
        hint = fix = None
        if number.isdigit() and sort in ("inches", "target"):
            instead = number + ('"' if sort == "inches" else "+")
            hint, fix = f"did you mean `{instead}`?", Fix(rare[0][2].span, instead, False, f"write `{instead}`")
        self.problems.add(
            "T004", rare[0][2].span, column=column, found=rare[0][0].words(), usual=common[0][0].words(), hint=hint,
            label=f"this is {rare[0][0].words()}", others=[Label(common[0][2].span, f"here it is {common[0][0].words()}")],
            fix=fix,
        )  # fmt: skip

    def _word_column(self, table: Table, name: str, filled: dict[str, tuple[Type, Any, Where]]) -> Type:
        """A column of words: all must be rows of one table; the first whose rows hold them all."""
        used = [(value[1] if isinstance(value, tuple) and value and isinstance(value[0], n.Words) else value)
                for t, value, _ in filled.values() if t.name == "words"]  # fmt: skip
        wanted = {w[0].text for w in used}
        fits = [t for t in self.book.tables.values() if wanted <= set(t.rows) or wanted <= self._row_names(t)]
        if fits:
            best = fits[0]
            return Type("row", best)
        marks = [k for k in self.book.kinds.values() if all(k.find(w) for w in wanted)]
        if marks:
            words = Table(name, table.where)
            for word in sorted(wanted):
                words.rows[word] = RowDef(word, table.where, len(words.rows))
            return Type("row", words)
        for t, value, where in filled.values():
            if t.name == "words":
                words_node = value[1] if isinstance(value[0], n.Words) else value
                word = words_node[0]
                known = [r for t2 in self.book.tables.values() for r in self._row_names(t2)]
                unknown(self.problems, where.scalar, word, "row of a table, or mark,", [*known, *table.marks])
                break
        return Type("any")

    def _row_names(self, table: Table) -> set[str]:
        if table.rows:
            return set(table.rows)
        d = next((x for x in self.book.definitions if x.title.what == "table" and x.title.name.text == table.name), None)
        return {e.key.text.split(" ")[0].rstrip(",") for e, _ in d.entries} if d else set()

    def cell_value(self, cell: n.Cell) -> tuple[Type, Any]:
        """Type and encoded value of a cell; inches that are whole are ints, like any number."""
        match cell:
            case n.Absent():
                return Type("none"), None
            case n.Number():
                return NUMBER, cell.value
            case n.Target():
                return TARGET, cell.value
            case n.Inches():
                return INCHES, whole(cell.value)
            case n.Dice():
                return Type("dicecell"), (cell.count, cell.sides, cell.plus)
            case n.Band():
                return (INCHES if cell.inches else Type("bands")), tuple(whole(v) for v in cell.values)
            case n.Named():
                return self.cell_value(cell.value)
        return Type("words"), cell.names

    # ---- shared
    def _params(self, d: Definition) -> tuple[Param, ...]:
        return tuple(self._param(d, p) for p in d.title.params)

    def _param(self, d: Definition, p: n.Parameter) -> Param:
        where = Where(d.key, p.start, p.end)
        kind_name = p.kind or p.name
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
            known = [*self.book.kinds, *self.book.plurals, *self.book.tables, "number", "inches"]
            if p.kind is None:
                type_ = Type("any") if word in self.problems.lost else NUMBER
            else:
                unknown(self.problems, d.key, kind_name, "kind or table", known)
                type_ = Type("any")
        return Param(p.name.text, type_, p.word, where)

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

    def _text(self, node: Any) -> Scalar | None:
        if isinstance(node, Scalar):
            return node
        if isinstance(node, Mapping):  # a list was reported with the shape of the file
            first = node.entries[0].key.span if node.entries else node.span
            self.problems.add("P002", first, label="one line of text is wanted here")
        return None

    def _note_cites(self, scalar: Scalar, cites: n.Cites, prefix: str) -> None:
        for cite in cites:
            for whole_id in cited((cite,), prefix):
                self.book.cites.append((whole_id, Where(scalar, cite.start, cite.end)))


def _plain_dice(raw: Any) -> Any:
    """A plain number among dice: no die, and that much."""
    cell, value = raw if isinstance(raw, tuple) and len(raw) == 2 else (None, raw)
    value = (0, 1, value) if isinstance(value, int) else value
    return (cell, value) if cell is not None else value


def whole(value: Fraction) -> int | Fraction:
    return int(value) if value.denominator == 1 else value


def _bound(node: n.Expr | None) -> int | None:
    return node.value if isinstance(node, n.Number) else None


def _where(scalar: Scalar, name: n.Name) -> Where:
    return Where(scalar, name.start, name.end)


def body_of(node: Any) -> Mapping | Scalar:
    """A definition's body as a mapping of lines, or its one text."""
    return node  # type: ignore[no-any-return]
