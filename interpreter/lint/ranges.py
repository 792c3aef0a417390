"""From where to where a number can go: the one analysis behind every finding about dice, targets and tables.

Enters: a checked book without errors and its checker. Leaves: for any expression the least and the most that it can
be, over all rows of its tables, all faces of its dice and everything that a situation could say. Where that cannot
be told, the range is endless on that side: whoever asks then has nothing to say. It never says too little, except
where a number has nothing to do with another for it and in truth they go together.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from math import inf, isinf
from typing import Any

from interpreter.rulebook import typed as t
from interpreter.rulebook.procedures import ProcedureChecker
from interpreter.rulebook.symbols import Procedure, Ruling, Value
from interpreter.source.values import Struct


class Stretch(tuple[float, float]):
    """All numbers from the lowest to the highest."""

    __slots__ = ()

    def __new__(cls, low: float, high: float) -> Stretch:
        return super().__new__(cls, (low, high))

    @property
    def low(self) -> float:
        return self[0]

    @property
    def high(self) -> float:
        return self[1]

    def __or__(self, other: Any) -> Stretch:
        return Stretch(min(self.low, other.low), max(self.high, other.high))

    @property
    def known(self) -> bool:
        return not isinf(self.low) and not isinf(self.high)


ENDLESS = Stretch(-inf, inf)
COUNT = Stretch(0, inf)
NOTHING = Stretch(0, 0)
_NAMES = 20  # for each other: more are a circle of calls
Known = dict[t.Variable, Stretch]


class Line(Struct):
    """A line of a procedure that gives a name its worth: is it always run?"""

    value: t.Expr | None  # None: the total of a loop, of what `source` is in its rounds
    source: t.Variable | None
    always: bool


class Ranges:
    """`played`: procedures are told only what the rules tell them, and a name is asked only where its line was run.

    Without it nothing is taken for granted: what somebody may ask at the table belongs to it as well.
    """

    def __init__(self, checker: ProcedureChecker, played: bool = False) -> None:
        self.checker = checker
        self.played = played
        self.lines: dict[t.Variable, list[Line]] = {}
        self._told: dict[t.Variable, Stretch] = {}
        self._values: dict[Value, Stretch] = {}
        self._working: set[t.Variable] = set()
        calls: dict[Procedure, list[t.Call]] = {}
        for procedure in checker.book.procedures.values():
            checked = checker.procedure(procedure)
            self._gather(checked.steps, True)
            for part in checked.inside[t.Call]:
                calls.setdefault(part.procedure, []).append(part)
        for procedure, found in calls.items() if played else ():
            for i, param in enumerate(checker.procedure(procedure).params):
                self.lines[param] = [Line(call.args[i], None, True) for call in found if i < len(call.args)]

    def _gather(self, steps: Iterable[t.Step], always: bool) -> None:
        for step in steps:
            match step:
                case t.Assign(variable=variable, value=value):
                    self.lines.setdefault(variable, []).append(Line(value, None, always))
                case t.Accumulate(total=total, value=value):
                    self.lines.setdefault(total, []).append(Line(None, value, False))
                case t.If(then=then, other=other):
                    self._gather(then, False)
                    self._gather(other, False)
                case t.Together(body=body):
                    self._gather(body, always)
                case t.ForEach(body=body) | t.Repeat(body=body) | t.RepeatUntil(body=body):
                    self._gather(body, False)

    # ---- names
    def variable(self, variable: t.Variable, known: Known) -> Stretch:
        if variable in known:
            return known[variable]
        if variable in self._told:
            return self._told[variable]
        lines = self.lines.get(variable)
        if not lines or variable in self._working:
            return ENDLESS
        self._working.add(variable)
        found = self._line(lines[0])
        for line in lines[1:]:
            found |= self._line(line)
        self._working.discard(variable)
        if not self.played and not all(line.always for line in lines):
            found |= NOTHING  # a line that was not run
        self._told[variable] = found
        return found

    def _line(self, line: Line) -> Stretch:
        if line.value is not None:
            return self.of(line.value)
        assert line.source is not None
        once = self.variable(line.source, {})
        return Stretch(-inf if once.low < 0 else 0, 0 if once.high <= 0 else inf)  # of any number of rounds

    # ---- expressions
    def of(self, e: t.Expr, known: Known | None = None) -> Stretch:
        """What it can be, apart from none."""
        known = known or {}
        match e:
            case t.Lit(value=bool()) | t.Lit(value=None):
                return ENDLESS
            case t.Lit(value=int() | Fraction() as value):
                return Stretch(value, value)  # type: ignore[arg-type]
            case t.Var(variable=variable):
                return self.variable(variable, known)
            case t.Attr(attribute=attribute):
                return self._attribute(e, attribute)
            case t.Cell():
                return self._cells(e, known)
            case t.BandAt(table=table, column=column):
                held = [row.cells.get(column.name) for row in table.rows.values()]
                return _over(held) | NOTHING  # beyond the furthest it is nothing
            case t.CallValue(value=value, args=args):
                return self._value(value, [self.of(a, known) if a.type.name == "number" else ENDLESS for a in args])
            case t.RulingOf(ruling=ruling):
                return _over([ruling])
            case t.Field(procedure=procedure, address=address):
                line = self.checker.procedure(procedure).lines.get(address)
                found = self.variable(line, {}) if line is not None else ENDLESS
                return found if self.played else found | NOTHING
            case t.IfElse(value=t.Lit(value=None), other=given) | t.IfElse(value=given, other=t.Lit(value=None)):
                return self.of(given, known)
            case t.IfElse(value=value, other=other):
                return self.of(value, known) | self.of(other, known)
            case t.Throw() | t.Tally():
                return self._dice(e, known)
            case t.Choose(items=None, low=low, high=high):
                return Stretch(self.of(low, known).low, self.of(high, known).high)
            case t.Op():
                return self._op(e, known)
        return ENDLESS

    def _op(self, e: t.Op, known: Known) -> Stretch:
        args = e.args
        match e.name:
            case "add":
                return _add(self.number(args[0], known), self.number(args[1], known))
            case "subtract":
                return _add(self.number(args[0], known), _minus(self.number(args[1], known)))
            case "times":
                return _times(self.number(args[0], known), self.number(args[1], known))
            case "min" | "max":
                every = [self.number(a, known) for a in args]
                best = min if e.name == "min" else max
                return Stretch(best(s.low for s in every), best(s.high for s in every))
            case "half" | "whole" if e.type.name == "number":
                low, high = self.number(args[0], known)
                return (
                    Stretch(_halved(low), _halved(high)) if e.name == "half" else Stretch(_rounded(low), _rounded(high))
                )
            case "sum-faces":
                return self.of(args[0], known)
            case "lowest" | "highest" | "alike":
                return self._read(e.name, args[0], known)
            case "count":
                return Stretch(0, self._size(args[0], known))
            case "row-up" | "row-down":
                (low, high), by = self.of(args[0], known), self.number(args[1], known)
                shifted = _add(Stretch(low, high), by if e.name == "row-up" else _minus(by))
                top = len(args[0].type.of.rows) - 1
                return Stretch(max(0, min(shifted.low, top)), min(top, max(shifted.high, 0)))
            case "dice-count" | "dice-sides" | "dice-plus":
                place = ("dice-count", "dice-sides", "dice-plus").index(e.name)
                if isinstance(args[0], t.Cell):
                    held = [row.cells.get(args[0].column.name) for row in args[0].table.rows.values()]
                    return _over([c[place] for c in held if isinstance(c, tuple)])
        return ENDLESS

    def number(self, e: t.Expr, known: Known | None = None) -> Stretch:
        """The same in a sum, where none adds nothing."""
        found = self.of(e, known)
        return found | NOTHING if self.lacks(e) else found

    def lacks(self, e: t.Expr) -> bool:
        """Whether there may be none of it."""
        match e:
            case t.Cell(table=table, column=column, row=row):
                sure = isinstance(row, t.Lit)
                return not sure or any(r.cells.get(column.name) is None for r in table.rows.values())
            case t.CallValue(value=value):
                changes = self.checker.pure(value).changes
                return not _based(changes) or any(
                    c.what == "set" and c.amount and self.lacks(c.amount) for c in changes
                )
            case t.IfElse(value=value, other=other):
                return self.lacks(value) or self.lacks(other)
            case t.Lit(value=value):
                return value is None
            case t.Attr(attribute=attribute):
                return attribute.optional
            case t.Op() | t.Throw() | t.Tally() | t.BandAt() | t.RulingOf():
                return e.type.name == "row"
            case t.Var(variable=variable):
                lines = self.lines.get(variable, [])
                return not lines or any(line.value is not None and self.lacks(line.value) for line in lines)
        return True

    def _attribute(self, e: t.Expr, attribute: Any) -> Stretch:
        if e.type.name == "row":
            return Stretch(-1 if attribute.optional else 0, len(e.type.of.rows) - 1)
        if e.type.name not in ("number", "inches"):
            return ENDLESS
        low, high = attribute.low, attribute.high
        return Stretch(-inf if low is None else low, inf if high is None else high)

    def _cells(self, e: t.Cell, known: Known) -> Stretch:
        if e.type.name == "row":
            return Stretch(-1, len(e.type.of.rows) - 1)
        low, high = self.of(e.row, known) if e.row.type.name == "row" else ENDLESS
        rows = [r for r in e.table.rows.values() if low <= r.index <= high]
        return _over([r.cells.get(e.column.name) for r in rows])

    def _value(self, value: Value, args: list[Stretch]) -> Stretch:
        if value in self._values and not args:
            return self._values[value]
        pure = self.checker.pure(value)
        known = dict(zip(pure.params, [ENDLESS] * (len(pure.params) - len(args)) + args, strict=False))
        found = [NOTHING, *self.steps_of(pure, known)][-1]
        if not args:
            self._values[value] = found
        return found

    def steps_of(self, pure: t.Pure, known: Known) -> Iterator[Stretch]:
        """What a value can be after each of its lines."""
        here = Stretch(-1, -1) if pure.type.name == "row" else NOTHING
        begun = False
        top = len(pure.type.of.rows) - 1 if pure.type.name == "row" else inf
        for change in pure.changes:
            after = self._changed(change, here, known)
            if pure.type.name == "row" and change.what == "add":
                after = Stretch(max(0, min(after.low, top)), max(0, min(after.high, top)))
            optional = change.condition is not None and (begun or change.what != "set" or not _based(pure.changes))
            here = here | after if optional else after
            begun = begun or change.what == "set"
            yield here

    def _changed(self, change: t.Change, here: Stretch, known: Known) -> Stretch:
        if change.amount is None:
            return ENDLESS
        if change.what == "set":
            return self.of(change.amount, known)
        if change.what == "add":
            return _add(here, self.delta(change, known))
        by = self.number(change.amount, known)
        if change.what == "least":
            return Stretch(max(here.low, by.low), max(here.high, by.high))
        if change.what == "most":
            return Stretch(min(here.low, by.low), min(here.high, by.high))
        return _times(here, by) if change.what == "times" else ENDLESS

    def delta(self, change: t.Change, known: Known | None = None) -> Stretch:
        """What a line that adds or takes away can add, when it applies."""
        assert change.amount is not None
        by = self.number(change.amount, known)
        if change.per is not None:
            by = _times(by, self.number(change.per, known))
        return by if change.sign > 0 else _minus(by)

    # ---- dice
    def thrown(self, e: t.Expr) -> t.Throw | None:
        """The dice that a name stands for."""
        while True:
            e = self.meant(e)
            if not (isinstance(e, t.Op) and e.name in ("faces", "sum-faces")):
                return e if isinstance(e, t.Throw) else None
            e = e.args[0]

    def meant(self, e: t.Expr) -> t.Expr:
        """What a name that is given once stands for; a name that stands for itself is left as it is."""
        for _ in range(_NAMES):
            lines = self.lines.get(e.variable, []) if isinstance(e, t.Var) else []
            if len(lines) != 1 or lines[0].value is None:
                break
            e = lines[0].value
        return e

    def _dice(self, e: t.Throw | t.Tally, known: Known) -> Stretch:
        count = self.number(e.count, known)
        many = Stretch(max(count.low, 0), max(count.high, 0))
        if isinstance(e, t.Tally):
            return Stretch(0, many.high)
        faces = self.faces_of(e, known)
        return Stretch(_product(many.low, faces.low), _product(many.high, faces.high))

    def faces_of(self, throw: t.Throw, known: Known) -> Stretch:
        """What one die can show."""
        high = throw.sides if isinstance(throw.sides, int) else self.number(throw.sides, known).high
        barred = throw.barred.value if isinstance(throw.barred, t.Lit) else None
        return Stretch(2 if barred == 1 else 1, high - 1 if barred == high else high)

    def _read(self, name: str, dice: t.Expr, known: Known) -> Stretch:
        throw = self.thrown(dice)
        if throw is None:
            return COUNT
        count = self.number(throw.count, known)
        if name == "alike":
            return Stretch(1 if count.low >= 1 else 0, count.high)
        faces = self.faces_of(throw, known)
        return Stretch(faces.low if count.low >= 1 else 0, faces.high)

    def _size(self, items: t.Expr, known: Known) -> float:
        match items:
            case t.Filter(items=inner):
                return self._size(inner, known)
            case t.Choose(high=high):
                return max(0, self.of(high, known).high)
            case t.Op(name="join", args=(left, right)):
                return self._size(left, known) + self._size(right, known)
            case t.Op(name="only"):
                return 1
            case t.TableRows(table=table):
                return len(table.rows)
        throw = self.thrown(items) if items.type.name in ("faces", "dice") else None
        return max(0, self.number(throw.count, known).high) if throw is not None else inf

    # ---- what a number hangs on
    def made_of(self, e: t.Expr, found: set[object]) -> bool:
        """Adds all that it is made of; no, where something comes twice: then a range is only a guess."""
        once = True
        left: list[t.Expr] = [e]
        while left:
            for part in t.parts(left.pop()):
                leaf = _leaf(part)
                if leaf is None:
                    continue
                if leaf in found:
                    once = False
                    continue
                found.add(leaf)
                if isinstance(leaf, t.Variable):
                    left += [line.value for line in self.lines.get(leaf, []) if line.value is not None]
        return once


def ranges_of(checker: ProcedureChecker, played: bool = False) -> Ranges:
    """The ranges of a rule set, put together once."""
    key = Ranges, played
    if key not in checker.noted:
        checker.noted[key] = Ranges(checker, played)
    made: Ranges = checker.noted[key]
    return made


_SOMEBODY = ("thing", "things", "figure", "figures", "record")  # whose numbers are asked, and no number


def _leaf(part: object) -> object:
    match part:
        case t.Var(variable=variable) if variable.type.name not in _SOMEBODY:
            return variable
        case t.Attr(attribute=attribute):
            return attribute
        case t.Field(procedure=procedure, address=address):
            return procedure, address
        case t.CallValue(value=value, args=args):
            return (value, *[a.variable if isinstance(a, t.Var) else None for a in args])
    return None


def _based(changes: tuple[t.Change, ...]) -> bool:
    return any(c.what == "set" and c.condition is None for c in changes)


def _over(cells: Iterable[Any]) -> Stretch:
    """The least and the most of some cells, near and far ones too; what a ruling may say belongs to it."""
    found: list[float] = []
    for cell in cells:
        held = cell.options if isinstance(cell, Ruling) else cell if isinstance(cell, tuple) else (cell,)
        found += [
            float(c) if c != int(c) else int(c)
            for c in held
            if isinstance(c, int | Fraction) and not isinstance(c, bool)
        ]
    return Stretch(min(found), max(found)) if found else ENDLESS


def _add(a: Stretch, b: Stretch) -> Stretch:
    return Stretch(a.low + b.low, a.high + b.high)


def _minus(a: Stretch) -> Stretch:
    return Stretch(-a.high, -a.low)


def _product(a: float, b: float) -> float:
    return 0 if a == 0 or b == 0 else a * b


def _times(a: Stretch, b: Stretch) -> Stretch:
    ends = [_product(x, y) for x in a for y in b]
    return Stretch(min(ends), max(ends))


def _rounded(x: float) -> float:
    return x if isinf(x) else x // 1


def _halved(x: float) -> float:
    return x if isinf(x) else -(-x // 2)
