"""The dependencies of lines of the rules, direct or through calls, by name, so that they apply to other rule sets too.

Takes typed lines and gives a `Read`. Knows nothing of its use.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import Any

from interpreter.rulebook import typed as t
from interpreter.rulebook.symbols import Procedure, PureDef, Symbol, Table
from interpreter.source.values import Struct
from interpreter.vocabulary.types import INCHES, TARGET

from .rule_differences import own_parts
from .rule_sets import RuleSet


class Read(Struct):
    """`attributes` as (kind, name) and `facts` by name are read; `everybody` are kinds that are read as a whole,
    `sorts` kinds that are tested for; `numbers`, `inches` and `rows` (table, row) are compared with; `written` are
    attributes and facts that are set. `parts` is the size in nodes.
    """

    attributes: frozenset[tuple[str, str]]
    facts: frozenset[str]
    everybody: frozenset[str]
    sorts: frozenset[str]
    numbers: frozenset[int]
    inches: frozenset[Fraction]
    rows: frozenset[tuple[str, str]]
    written: frozenset[tuple[str, str]]
    parts: int

    def joined(self, other: Read) -> Read:
        return Read(
            self.attributes | other.attributes,
            self.facts | other.facts,
            self.everybody | other.everybody,
            self.sorts | other.sorts,
            self.numbers | other.numbers,
            self.inches | other.inches,
            self.rows | other.rows,
            self.written | other.written,
            self.parts + other.parts,
        )


_NONE: frozenset[Any] = frozenset()
NOTHING = Read(_NONE, _NONE, _NONE, _NONE, _NONE, _NONE, _NONE, _NONE, 0)


def read_by(rules: RuleSet, lines: Iterable[t.Step | t.Change], *, calls: bool) -> Read:
    """The dependencies of some lines; with `calls`, also of the procedures that they call."""
    return _read(_parts(rules, [x for line in lines for x in _of_line(line)], calls))


def read_in(rules: RuleSet, procedure: Procedure, *, calls: bool = True) -> Read:
    """The dependencies of a procedure; with `calls`, also of the procedures that it calls."""
    return _read(_parts(rules, [rules.checker.procedure(procedure).steps], calls))


def _of_line(line: t.Step | t.Change) -> Iterator[object]:
    if isinstance(line, t.Change):
        yield from (line.amount, line.per, line.condition)
    else:
        yield from own_parts(line)


def _parts(rules: RuleSet, trees: list[object], calls: bool) -> list[Any]:
    left, seen, found = list(trees), set[Symbol](), []
    while left:
        for part in t.parts((left.pop(),)):
            found.append(part)
            symbol = _called(part, calls)
            if symbol is not None and symbol not in seen:
                seen.add(symbol)
                if isinstance(symbol, Procedure):
                    left.append(rules.checker.procedure(symbol).steps)
                elif isinstance(symbol, PureDef):
                    left += [x for change in rules.checker.pure(symbol).changes for x in _of_line(change)]
    return found


def _called(part: Any, calls: bool) -> Symbol | None:
    match part:
        case t.CallValue(value=symbol) | t.RollOf(roll=symbol):
            return symbol
        case t.Call(procedure=symbol) if calls:
            return symbol
    return None


def _read(parts: list[Any]) -> Read:
    attributes, written = set[tuple[str, str]](), set[tuple[str, str]]()
    facts, everybody, sorts = set[str](), set[str](), set[str]()
    numbers, inches, rows = set[int](), set[Fraction](), set[tuple[str, str]]()
    for part in parts:
        match part:
            case t.Attr(attribute=attribute):
                attributes.add((attribute.kind.name, attribute.name))
            case t.SetAttr(attribute=attribute) | t.AddAttr(attribute=attribute):
                written.add((attribute.kind.name, attribute.name))
            case t.SetFact(fact=fact):
                written.add((fact.kind.name, fact.name))
            case t.FactOf(fact=fact):
                facts.add(fact.name)
            case t.All(kind=kind):
                everybody.add(kind.name)
            case t.IsKind(kind=kind):
                sorts.add(kind.name)
            case t.Bag(kind=kind):
                sorts.add(kind.name)
            case t.BandAt(table=table, column=column):
                inches |= {Fraction(end) for row in table.rows.values() for end in row.reaches.get(column.name, ())}
            case t.Lit(type=type_, value=value):
                if type_.name == "row" and isinstance(type_.of, Table) and isinstance(value, int):
                    rows.add((type_.of.name, type_.of.row_at(value)))
                elif type_ == INCHES and isinstance(value, int | Fraction):
                    inches.add(Fraction(value))
                elif type_.name in ("number", TARGET.name) and isinstance(value, int):
                    numbers.add(value)
    return Read(
        frozenset(attributes), frozenset(facts), frozenset(everybody), frozenset(sorts), frozenset(numbers),
        frozenset(inches), frozenset(rows), frozenset(written), len(parts),
    )  # fmt: skip
