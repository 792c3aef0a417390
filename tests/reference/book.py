"""What the layers say, sorted: kinds and their cards, tables with their rows, values, rolls, marks, procedures, rules."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

from interpreter.language import nodes as n

from .layers import Definition, Layers
from .things import Band, DiceCell, Inches, MarkName, Row, Word
from .trees import Wrong, can_read, parse


def plural(name: str) -> str:
    if name.endswith("y") and name[-2:-1] not in "aeiou":
        return name[:-1] + "ies"
    return name + ("es" if name.endswith(("s", "x", "z", "ch", "sh")) else "s")


def says(verb: str) -> str:
    """`take-water` as it is said of one: `takes-water`."""
    first, dash, rest = verb.partition("-")
    if first.endswith("y") and first[-2:-1] not in "aeiou":
        first = first[:-1] + "ies"
    else:
        first += "es" if first.endswith(("s", "x", "z", "ch", "sh", "o")) else "s"
    return first + dash + rest


@dataclass
class Kind:
    name: str
    base: str | None = None  # of a special sort
    owner: str | None = None
    group: str | None = None  # what counted things belong to
    attributes: dict[str, n.AttributeType] = field(default_factory=dict)


@dataclass
class Mark:
    name: str
    of: str
    ending: n.Ending | None
    other: str | None = None  # between two: the other's kind


@dataclass
class Rule:
    name: str
    each: str | None
    moments: tuple[n.Moment, ...]
    condition: Any
    definition: Definition


class Book:
    def __init__(self, files: list[tuple[str, Path]]) -> None:
        for name in ("base", "is_a", "sorts", "counted", "owner_kind", "attribute", "attributes", "on_card", "mark_of"):
            setattr(self, name, cache(getattr(self, name)))  # asked again and again, and the book never changes
        self.marks_of = cache(lambda sort: [name for name in self.marks if self.mark_of(sort, name)])
        self.layers = Layers(files)
        self.head, self.examples = self.layers.head, self.layers.examples
        self.defs: dict[str, dict[str, Definition]] = {}
        for (what, name), definition in self.layers.defs.items():
            self.defs.setdefault(what, {})[name] = definition
        self.kinds = {name: self._kind(d) for name, d in self.of("kind").items()}
        self.plurals = {plural(name): name for name in self.kinds}
        self.marks = {name: self._mark(d) for name, d in self.of("mark").items()}
        self.out_marks = {plural(m.name): m for m in self.marks.values() if m.ending and m.ending.out_of_play}
        self.dice = {name: parse(str(d.body), "convention") for name, d in self.of("dice").items()}
        self.procedures = self.of("procedure")
        self.verbs = {form: name for name in self.procedures for form in (name, says(name))}
        self.rules = [
            Rule(d.name, d.title.each and d.title.each.text, d.title.moments, d.title.condition, d)
            for d in self.of("rule").values()
        ]
        moments = [m for r in self.rules for m in r.moments]
        moments += [m for k in self.marks.values() if k.ending for m in k.ending.moments]
        self.heads = {m.path.parts[0].name for m in moments}
        self.lasting = {name: self._lasting(d) for name, d in {**self.procedures, **self.of("outcomes")}.items()}
        self.rows: dict[str, dict[str, Row]] = {}
        for name, d in self.of("table").items():
            self.rows[name] = {e.name: Row(name, e.name, i) for i, e in enumerate(d.body)}
        for name, d in self.of("outcomes").items():
            self.rows[name] = {e.name: Row(name, e.name, i) for i, e in enumerate(d.body)}
        self.words: dict[str, list[Row]] = {}
        for rows in self.rows.values():
            for row in rows.values():
                self.words.setdefault(row.name, []).append(row)
        self.rulings: dict[str, Any] = {
            name: self.reading(parse(str(d.body), "options").options[0]) for name, d in self.of("ruling").items()
        }
        self._filled_with: dict[str, Any] | None = None
        self.fill({})

    def of(self, what: str) -> dict[str, Definition]:
        return self.defs.get(what, {})

    # ---- moments of the file
    def _lasting(self, d: Definition) -> dict[str, bool]:
        """The moments that a procedure is, the innermost first: its title says so, or it is named in one, or somebody
        gains a mark there, or it is one that is named in another. With each, whether it is one wherever it is done.
        """
        words = {
            name: {w.text for w in parse(m.body, "words").names} if isinstance(m.body, str) and m.body else set()
            for name, m in self.of("moment").items()
        }
        said = {d.name, *([d.title.part_of.text] if d.title.part_of else [])}
        own = {*said, *(self._gained(d) if words else ())}
        within: dict[str, set[str]] = {}
        for name in words:
            found = {name}
            while (more := found | {w for n in found for w in words[n] if w in words}) != found:
                found = more
            within[name] = found
        is_one = [n for n in words if any(i in own or own & words[i] for i in within[n])]
        is_one.sort(key=lambda n: len(within[n]))
        return {n: any(i in said or said & words[i] for i in within[n]) for n in is_one}

    def _gained(self, d: Definition) -> set[str]:
        """The marks that lines of a procedure give, and those of rules that set in at one of them."""
        gained: set[str] = set()
        moments = set()
        left, done = [d], set()
        while left:
            here = left.pop()
            done.add(here.name)
            for action in said_by(here.body):
                if isinstance(action, n.Moves):
                    moments.add("move")
                if isinstance(action, n.Does) and action.verb.text in ("begins", "ends"):
                    moments.add(action.subject.parts[0].name)
                if isinstance(action, n.Change) and action.gains and action.what is None:
                    said = action.amount.mark if isinstance(action.amount, n.Related) else action.amount
                    if isinstance(said, n.Path):
                        gained.add(said.parts[-1].name)
            for rule in self.rules:
                heads = {m.path.parts[0].name for m in rule.moments if len(m.path.parts) == 1} - set(self.procedures)
                at_line = any(m.path.parts[0].name == d.name and len(m.path.parts) > 1 for m in rule.moments)
                if rule.name not in done and (at_line or heads & (gained | moments)):
                    left.append(rule.definition)
        return gained

    # ---- kinds
    def _kind(self, d: Definition) -> Kind:
        t = d.title
        made = Kind(d.name, t.base and t.base.text, t.of and t.of.text, t.group and t.group.text)
        for entry in d.body if isinstance(d.body, list) else []:
            made.attributes[entry.name] = parse(str(entry.body), "attribute")
        return made

    def base(self, sort: str) -> str:
        """The base kind of a sort."""
        kind = self.kinds.get(sort)
        return sort if kind is None or kind.base is None else self.base(kind.base)

    def is_a(self, sort: str, kind: str) -> bool:
        known = self.kinds.get(sort)
        return sort == kind or (known is not None and known.base is not None and self.is_a(known.base, kind))

    def sorts(self, kind: str) -> list[str]:
        """All sorts that share a card with this one."""
        return [name for name in self.kinds if self.base(name) == self.base(kind)]

    def counted(self, sort: str) -> bool:
        return self.kinds[self.base(sort)].group is not None

    def owner_kind(self, sort: str) -> str | None:
        kind = self.kinds[self.base(sort)]
        return kind.group or kind.owner

    def attribute(self, sort: str, name: str) -> n.AttributeType | None:
        for own in self.sorts(sort):
            if name in self.kinds[own].attributes:
                return self.kinds[own].attributes[name]
        return None

    def attributes(self, sort: str) -> dict[str, n.AttributeType]:
        """Of a card, in the order of the rules: the base kind's, then those of its sorts."""
        base = self.base(sort)
        found = dict(self.kinds[base].attributes)
        for own in self.sorts(sort):
            found.update(self.kinds[own].attributes)
        return found

    def on_card(self, what: str, sort: str, name: str) -> Definition | None:
        """A value, roll, fact or outcome table of this name that may be asked of such a thing."""
        d = self.of(what).get(name)
        if d is None or (d.title.of is not None and self.base(d.title.of.text) != self.base(sort)):
            return None
        return d

    def mark_of(self, sort: str, name: str) -> Mark | None:
        fresh = name.removeprefix("fresh-")
        mark = self.marks.get(name) or self.marks.get(fresh)
        if mark is None or mark.of not in self.kinds or self.base(mark.of) != self.base(sort):
            return None
        return mark

    def _mark(self, d: Definition) -> Mark:
        text = d.body if isinstance(d.body, str) else ""
        other = d.title.other.text if d.title.other else None
        return Mark(d.name, d.title.of.text, parse(text, "ending") if text else None, other)

    # ---- tables
    def cell(self, cell: Any) -> Any:
        if isinstance(cell, n.Number | n.Target):
            return cell.value
        if isinstance(cell, n.Inches):
            return Inches(Fraction(cell.value))
        if isinstance(cell, n.Dice):
            return DiceCell(cell.count, cell.sides, cell.plus)
        if isinstance(cell, n.Band):
            return Band(cell.values, cell.inches)
        if isinstance(cell, n.Words):
            return self.word(cell.names[0].text)
        return None

    def word(self, name: str) -> Any:
        rows = self.words.get(name, [])
        if len(rows) == 1:
            return rows[0]
        if rows:
            return Word(name, tuple(rows))
        if name in self.marks:
            return MarkName(name)
        raise Wrong(f"nothing is called {name}")

    def reading(self, option: Any) -> Any:
        """What a reading says: a number, a row, or a word of its own."""
        if isinstance(option, n.Words) and option.names[0].text not in self.words:
            return MarkName(option.names[0].text)
        return self.cell(option)

    def fill(self, rulings: dict[str, Any]) -> None:
        """The cells of all rows, under these readings."""
        if self._filled_with == rulings:
            return
        self._filled_with = dict(rulings)
        readings = {**self.rulings, **rulings}
        for name, d in self.of("table").items():
            for entry in d.body:
                row = self.rows[name][entry.name]
                row.cells = {c.name.text: None for c in d.columns}
                row.marks = set()
                for columns, text in entry.parts:
                    self._cells(row, [c.name.text for c in columns], text, readings)
                for column, text in entry.cells.items():
                    self._cells(row, [column], text, readings)

    def _cells(self, row: Row, columns: list[str], text: str, readings: dict[str, Any]) -> None:
        at = 0
        for cell in parse(text, "row").cells:
            if isinstance(cell, n.Named):
                row.cells[cell.name.text] = self._value(cell.value, readings)
            elif isinstance(cell, n.Words) and self._named_cell(row, cell):
                row.cells[cell.names[0].text] = self._value(n.Words(0, 0, cell.names[1:]), readings)
            elif isinstance(cell, n.Words) and all(self._is_mark(row.table, w.text) for w in cell.names):
                row.marks |= {w.text for w in cell.names}
            else:
                if at >= len(columns):
                    raise Wrong(f"{row.table}.{row.name}: a cell too many")
                value = self._value(cell, readings)
                row.cells[columns[at]] = self._in_column(row.table, columns[at], value)
                at += 1

    def _named_cell(self, row: Row, cell: n.Words) -> bool:
        return len(cell.names) == 2 and cell.names[0].text in row.cells

    def _is_mark(self, table: str, name: str) -> bool:
        mark = self.marks.get(name)
        return mark is not None and mark.of == table

    def _value(self, cell: Any, readings: dict[str, Any]) -> Any:
        if isinstance(cell, n.Words) and cell.names[0].text in readings:
            return readings[cell.names[0].text]
        return self.cell(cell)

    def _in_column(self, table: str, column: str, value: Any) -> Any:
        """A word that several tables know is a row of the table that the other words of its column are of."""
        if not isinstance(value, Word):
            return value
        own = {table for table in (column, plural(column)) if table in {row.table for row in value.rows}}
        if own:
            return next(row for row in value.rows if row.table in own)
        others = {row.table for row in value.rows}
        for entry in self.of("table")[table].body:
            for columns, text in entry.parts:
                names = [c.name.text for c in columns]
                cells = parse(text, "row").cells
                if column in names and names.index(column) < len(cells):
                    cell = cells[names.index(column)]
                    if isinstance(cell, n.Words):
                        others &= {row.table for row in self.words.get(cell.names[0].text, [])} or others
        return next((row for row in value.rows if row.table in others), value)


def said_by(body: Any) -> Iterator[Any]:
    """What the lines of a body do, at any depth."""
    if isinstance(body, list):
        for entry in body:
            yield from said_by(entry.body)
    elif body and can_read(body, "line"):
        yield parse(body, "line").action


def body_text(d: Definition) -> str | None:
    return d.body if isinstance(d.body, str) else None


def adjusts(text: str) -> Any:
    """A line of a value or a roll."""
    if can_read(text, "adjust"):
        return parse(text, "adjust")
    action = parse(text, "line").action
    return n.Adjust(action.start, action.end, None, "set", action, None, None, ())
