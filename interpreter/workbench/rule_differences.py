"""The definitions and lines in which two checked rule sets differ.

Takes two rule sets and gives `RuleDifferences`. Two lines are the same if they do the same; their names, positions and
cited clauses do not matter. Knows nothing of files, nor of the edits that caused a difference.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterator
from typing import Any

from interpreter.rulebook import typed as t
from interpreter.rulebook.moments import TABLE_MOMENTS
from interpreter.rulebook.symbols import (
    Attribute,
    Convention,
    Fact,
    Limit,
    Procedure,
    PureDef,
    Roll,
    RowDef,
    Symbol,
    Table,
    Value,
)
from interpreter.source.values import Struct
from interpreter.vocabulary.types import Type

from .rule_sets import RuleSet

Line = t.Step | t.Change


class RuleDifferences(Struct):
    """The differences of two rule sets. `symbols` are the names of the procedures, values, rolls and limits that
    differ; `tables`, `facts` and `attributes` (by kind and name) those of declarations. `was` are lines of the first
    set only, `now` lines of the second only; `rows` are rows of tables as (table, row). `moments` are the moments of
    the table with different hooks.
    """

    symbols: frozenset[str]
    limits: tuple[str, ...]
    tables: frozenset[str]
    facts: frozenset[str]
    attributes: frozenset[tuple[str, str]]
    was: tuple[Line, ...]
    now: tuple[Line, ...]
    rows: frozenset[tuple[str, str]]
    moments: tuple[str, ...]

    @property
    def nothing(self) -> bool:
        return not (self.symbols or self.limits or self.tables or self.facts or self.attributes or self.moments)


def rule_differences(below: RuleSet, above: RuleSet) -> RuleDifferences:
    """The differences of two rule sets; the second is built on the first."""
    one, two = _symbols(below), _symbols(above)
    forms = [{name: _form(rules, symbol) for name, symbol in of.items()} for rules, of in ((below, one), (above, two))]
    names = [name for name in dict.fromkeys((*one, *two)) if forms[0].get(name) != forms[1].get(name)]
    names = [name for name in names if name[0] != "table" or list(_rows(one.get(name), two.get(name)))]
    was: list[Line] = []
    now: list[Line] = []
    rows: set[tuple[str, str]] = set()
    for name in names:
        mine, yours = _lines(below, one.get(name)), _lines(above, two.get(name))
        was += _without(mine, yours)
        now += _without(yours, mine)
        rows.update(_rows(one.get(name), two.get(name)))
    ends = [_moments(rules) for rules in (below, above)]
    return RuleDifferences(
        frozenset(name for what, name in names if what in ("", "limit")),
        tuple(name for what, name in names if what == "limit"),
        frozenset(name for what, name in names if what == "table"),
        frozenset(name for what, name in names if what == "fact"),
        frozenset((what, name) for what, name in names if what not in ("", "limit", "table", "fact")),
        tuple(was),
        tuple(now),
        frozenset(rows),
        tuple(moment for moment in TABLE_MOMENTS if ends[0].get(moment) != ends[1].get(moment)),
    )


def _symbols(rules: RuleSet) -> dict[tuple[str, str], Symbol]:
    book = rules.book
    found: dict[tuple[str, str], Symbol] = {}
    for what, each in (
        ("limit", book.limits),
        ("", book.values),
        ("", book.rolls),
        ("", book.procedures),
        ("table", book.tables),
        ("fact", book.facts),
    ):
        found |= {(what, name): symbol for name, symbol in each.items()}
    for kind in book.kinds.values():
        found |= {(kind.name, name): attribute for name, attribute in kind.attributes.items()}
    return found


def _form(rules: RuleSet, symbol: Symbol) -> object:
    """The meaning of a definition, comparable with that of a definition of another rule set."""
    match symbol:
        case Procedure():
            checked = rules.checker.procedure(symbol)
            return tuple(shape(v.type) for v in checked.params), shape(checked.steps)
        case Value() | Roll() | Limit():
            pure = rules.checker.pure(symbol)
            dice = pure.convention
            said = (dice.sides, dice.over, dice.always, dice.never) if dice is not None else None
            return tuple(shape(v.type) for v in pure.params), tuple(map(shape, pure.changes)), said
        case Table():
            return tuple((name, _row(row)) for name, row in symbol.rows.items())
        case Attribute() | Fact():
            first = rules.checker.defaults.get(symbol)
            return shape(symbol.type), symbol.low, symbol.high, symbol.optional, shape(first)
    return symbol.name


def _row(row: RowDef, columns: Container[str] | None = None) -> object:
    cells = ((name, row.reaches.get(name), cell) for name, cell in row.cells.items())
    return {
        name: (reach, cell.name if isinstance(cell, Symbol) else cell)
        for name, reach, cell in cells
        if columns is None or name in columns
    }


def shape(node: Any) -> object:
    """A syntax tree without positions and addresses. Trees with the same meaning are equal, also across rule sets."""
    match node:
        case tuple():
            return tuple(map(shape, node))
        case Convention():
            return node.sides, node.over, node.always, node.never
        case Symbol():
            return type(node).__name__, node.name
        case t.Variable():
            return node.name
        case Type():
            return node.name, shape(node.of)
        case t.Lit(type=Type(name="row", of=Table() as table), value=int() as index):
            return "row", table.name, table.row_at(index)
        case t.Change():
            return node.touch, node.what, node.sign, *map(shape, (node.amount, node.per, node.condition))
        case t.Expr() | t.Step():
            return type(node).__name__, *(shape(getattr(node, name)) for name in t.children(type(node)))
    return node


def _lines(rules: RuleSet, symbol: Symbol | None) -> list[tuple[object, Line]]:
    """The lines of a definition, each with its own form: without the lines nested in it."""
    if isinstance(symbol, Procedure):
        steps = [each for each in t.parts(rules.checker.procedure(symbol).steps) if isinstance(each, t.Step)]
        return [(_alone(step), step) for step in steps]
    if isinstance(symbol, PureDef):
        return [(shape(change), change) for change in rules.checker.pure(symbol).changes]
    return []


def _alone(step: t.Step) -> object:
    return type(step).__name__, *(shape(each) for each in own_parts(step))


def own_parts(step: t.Step) -> Iterator[object]:
    """The parts of a step without the steps nested in it."""
    for name in t.children(type(step)):
        each = getattr(step, name)
        if not (isinstance(each, tuple) and any(isinstance(inner, t.Step) for inner in each)):
            yield each


def _without(these: list[tuple[object, Line]], those: list[tuple[object, Line]]) -> Iterator[Line]:
    left = Counter(form for form, _ in those)
    for form, line in these:
        if left[form]:
            left[form] -= 1
        else:
            yield line


def _rows(one: Symbol | None, two: Symbol | None) -> Iterator[tuple[str, str]]:
    """The rows that only one table has, or that differ in a column of both. A new column alone is no difference."""
    tables = [table for table in (one, two) if isinstance(table, Table)]
    if len(tables) < 2:
        return
    columns = tables[0].columns.keys() & tables[1].columns.keys() | tables[0].marks.keys() & tables[1].marks.keys()
    for name in dict.fromkeys((*tables[0].rows, *tables[1].rows)):
        was, now = (table.rows.get(name) for table in tables)
        if was is None or now is None or _row(was, columns) != _row(now, columns):
            yield tables[0].name, name


def _moments(rules: RuleSet) -> dict[str, list[object]]:
    """The hooks at each moment of the table, such as the beginning of a turn, by name of the moment."""
    found: dict[str, list[object]] = {}
    for hook in rules.book.hooks:
        owner = hook.rule or hook.mark
        if owner is not None:
            text = rules.book.pages.owners[hook.rule].body.span.text if hook.rule is not None else ""
            found.setdefault(hook.moment.path.parts[0].name, []).append((hook.when, owner.name, text))
    return found
