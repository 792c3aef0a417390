"""Interval analysis: the least and the greatest value of any number in the rules.

Takes the checker of a checked book without errors; `Ranges.interval_of` gives the interval of an expression over all
rows of its tables, all faces of its dice and all situations. A side without a bound is infinite, and callers then
report nothing. Intervals are never too narrow, except that dependent numbers are treated as independent.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from math import inf
from typing import Any

from interpreter.rulebook import typed as t
from interpreter.rulebook.procedures import Checker
from interpreter.rulebook.symbols import Holding, Needed, Procedure, Ruling, Value
from interpreter.source.values import Struct
from interpreter.vocabulary.intervals import COUNT, UNBOUNDED, ZERO, Interval, add, multiply, negate, product
from interpreter.vocabulary.operations import OPERATIONS

_MOST_ALIASES = 20  # length of a chain of variables that is followed; a longer one is a cycle
Bindings = dict[t.Variable, Interval]


class Line(Struct):
    """A line of a procedure that sets a variable; `always`: it runs in every run of the procedure."""

    value: t.Expr | None  # None: the total of `source` over the rounds of a loop
    source: t.Variable | None
    always: bool
    rounds: Interval = COUNT


def _rounds_of(loop: t.Step) -> Interval:
    """How many rounds a loop has. Any number for one without a limit: its end is judged by `loop_termination.py`, which
    says more of it.
    """
    match loop:
        case t.Repeat(times=t.Lit(value=int() as times)):
            return Interval(max(0, times), max(0, times))
        case t.RepeatUntil(limit=t.Lit(value=int() as most)):
            return Interval(min(1, max(0, most)), max(0, most))
    return COUNT


class Ranges:
    """The intervals of all variables and values of a book, computed on demand.

    `played`: parameters take only the arguments of calls in the rules, and a variable is read only after its line ran;
    with `unrun`, also before, when it is 0. Otherwise parameters are unbounded, as a question may pass anything.
    """

    def __init__(self, checker: Checker, played: bool = False, unrun: bool = False) -> None:
        self.checker = checker
        self.played = played
        self.unrun = unrun or not played
        self.lines: dict[t.Variable, list[Line]] = {}
        self._variables: dict[t.Variable, Interval] = {}
        self._values: dict[Value | Holding | Needed, Interval] = {}
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

    def _gather(self, steps: Iterable[t.Step], always: bool, rounds: Interval = COUNT, begins: bool = False) -> None:
        """Collect the lines of some steps, which are those of a loop with so many rounds. What a line of a loop is
        outside of it is its total, so that within the loop only its own condition leaves it out; `begins`: the loop is
        always reached.
        """
        for step in steps:
            match step:
                case t.Assign(variable=variable, value=value):
                    self.lines.setdefault(variable, []).append(Line(value, None, always))
                case t.Accumulate(total=total, value=value):
                    times = rounds if step.begun else COUNT
                    self.lines.setdefault(total, []).append(Line(None, value, begins and times.low > 0, times))
                case t.If(then=then, other=other):
                    self._gather(then, False, rounds)
                    self._gather(other, False, rounds)
                case t.Together(body=body):
                    self._gather(body, always, rounds, begins)
                case t.ForEach(body=body) | t.Repeat(body=body) | t.RepeatUntil(body=body):
                    self._gather(body, True, _rounds_of(step), always)

    # ---- names
    def variable(self, variable: t.Variable, known: Bindings) -> Interval:
        """The interval of a variable: that in `known`, else the hull of all lines that set it."""
        if variable in known:
            return known[variable]
        if variable in self._variables:
            return self._variables[variable]
        lines = self.lines.get(variable)
        if not lines or variable in self._working:
            return UNBOUNDED
        self._working.add(variable)
        found = self._line(lines[0])
        for line in lines[1:]:
            found |= self._line(line)
        self._working.discard(variable)
        if self.unrun and not all(line.always for line in lines):
            found |= ZERO  # the value of a line that did not run
        self._variables[variable] = found
        return found

    def _line(self, line: Line) -> Interval:
        if line.value is not None:
            return self.interval_of(line.value)
        assert line.source is not None
        once = self.variable(line.source, {})
        if not all(each.always for each in self.lines.get(line.source, ())):
            once |= ZERO  # in a round that leaves it out
        return multiply(once, line.rounds)

    # ---- expressions
    def interval_of(self, e: t.Expr, known: Bindings | None = None) -> Interval:
        """The interval of all values other than none; `known` gives the intervals of some variables."""
        known = known or {}
        match e:
            case t.Lit(value=bool()) | t.Lit(value=None):
                return UNBOUNDED
            case t.Lit(value=int() | Fraction() as value):
                return Interval(value, value)  # type: ignore[arg-type]
            case t.Var(variable=variable):
                return self.variable(variable, known)
            case t.Attr(attribute=attribute):
                return self._attribute(e, attribute)
            case t.Cell():
                return self._cells(e, known)
            case t.BandAt(table=table, column=column):
                held = [row.cells.get(column.name) for row in table.rows.values()]
                return _interval_of_cells(held) | ZERO  # 0 beyond the farthest distance
            case t.CallValue(value=value, args=args):
                return self._value(
                    value, [self.interval_of(a, known) if a.type.name == "number" else UNBOUNDED for a in args]
                )
            case t.RulingOf(ruling=ruling):
                return _interval_of_cells([ruling])
            case t.Field(procedure=procedure, address=address):
                line = self.checker.procedure(procedure).lines.get(address)
                found = self.variable(line, {}) if line is not None else UNBOUNDED
                return found | ZERO if self.unrun else found
            case t.IfElse(value=t.Lit(value=None), other=given) | t.IfElse(value=given, other=t.Lit(value=None)):
                return self.interval_of(given, known)
            case t.IfElse(value=value, other=other):
                return self.interval_of(value, known) | self.interval_of(other, known)
            case t.Throw() | t.Tally():
                return self._dice(e, known)
            case t.Choose(items=None, low=low, high=high):
                return Interval(self.interval_of(low, known).low, self.interval_of(high, known).high)
            case t.Op():
                return self._op(e, known)
        return UNBOUNDED

    def _op(self, e: t.Op, known: Bindings) -> Interval:
        args, row = e.args, OPERATIONS[e.name]
        if row.range is not None:
            return row.range(*[self.summand(a, known) if row.numbers else self.interval_of(a, known) for a in args])
        if row.range_of_dice is not None:
            return self._dice_statistic(row.range_of_dice, args[0], known)
        match e.name:
            case "count":
                return Interval(0, self._size(args[0], known))
            case "row-up" | "row-down":
                (low, high), by = self.interval_of(args[0], known), self.summand(args[1], known)
                shifted = add(Interval(low, high), by if e.name == "row-up" else negate(by))
                top = len(args[0].type.of.rows) - 1
                return Interval(max(0, min(shifted.low, top)), min(top, max(shifted.high, 0)))
            case "dice-count" | "dice-sides" | "dice-plus":
                place = ("dice-count", "dice-sides", "dice-plus").index(e.name)
                if isinstance(args[0], t.Cell):
                    held = [row.cells.get(args[0].column.name) for row in args[0].table.rows.values()]
                    return _interval_of_cells([c[place] for c in held if isinstance(c, tuple)])
        return UNBOUNDED

    def summand(self, e: t.Expr, known: Bindings | None = None) -> Interval:
        """The interval of an expression as an operand of a sum, where none counts as 0."""
        found = self.interval_of(e, known)
        return found | ZERO if self.may_be_none(e) else found

    def may_be_none(self, e: t.Expr) -> bool:
        """Whether an expression can be none."""
        match e:
            case t.Cell(table=table, column=column, row=row):
                sure = isinstance(row, t.Lit)
                return not sure or any(r.cells.get(column.name) is None for r in table.rows.values())
            case t.CallValue(value=value):
                changes = self.checker.pure(value).changes
                return not _has_base(changes) or any(
                    c.what == "set" and c.amount and self.may_be_none(c.amount) for c in changes
                )
            case t.IfElse(value=value, other=other):
                return self.may_be_none(value) or self.may_be_none(other)
            case t.Lit(value=value):
                return value is None
            case t.Attr(attribute=attribute):
                return attribute.optional
            case t.Op() | t.Throw() | t.Tally() | t.BandAt() | t.RulingOf():
                return e.type.name == "row"
            case t.Var(variable=variable):
                lines = self.lines.get(variable, [])
                return not lines or any(line.value is not None and self.may_be_none(line.value) for line in lines)
        return True

    def _attribute(self, e: t.Expr, attribute: Any) -> Interval:
        if e.type.name == "row":
            return Interval(-1 if attribute.optional else 0, len(e.type.of.rows) - 1)
        if e.type.name not in ("number", "inches"):
            return UNBOUNDED
        low, high = attribute.low, attribute.high
        return Interval(-inf if low is None else low, inf if high is None else high)

    def _cells(self, e: t.Cell, known: Bindings) -> Interval:
        if e.type.name == "row":
            return Interval(-1, len(e.type.of.rows) - 1)
        low, high = self.interval_of(e.row, known) if e.row.type.name == "row" else UNBOUNDED
        rows = [r for r in e.table.rows.values() if low <= r.index <= high]
        return _interval_of_cells([r.cells.get(e.column.name) for r in rows])

    def _value(self, value: Value | Holding | Needed, args: list[Interval]) -> Interval:
        if value in self._values and not args:
            return self._values[value]
        pure = self.checker.pure(value)
        known = dict(zip(pure.params, [UNBOUNDED] * (len(pure.params) - len(args)) + args, strict=False))
        found = [ZERO, *self.intervals_after_changes(pure, known)][-1]
        if not args:
            self._values[value] = found
        return found

    def intervals_after_changes(self, pure: t.Pure, known: Bindings) -> Iterator[Interval]:
        """The interval of a value of the rules after each of its lines."""
        here = Interval(-1, -1) if pure.type.name == "row" else ZERO
        begun = False
        top = len(pure.type.of.rows) - 1 if pure.type.name == "row" else inf
        for change in pure.changes:
            after = self._changed(change, here, known)
            if pure.type.name == "row" and change.what == "add":
                after = Interval(max(0, min(after.low, top)), max(0, min(after.high, top)))
            optional = change.condition is not None and (begun or change.what != "set" or not _has_base(pure.changes))
            here = here | after if optional else after
            begun = begun or change.what == "set"
            yield here

    def _changed(self, change: t.Change, here: Interval, known: Bindings) -> Interval:
        if change.amount is None:
            return UNBOUNDED
        if change.what == "set":
            return self.interval_of(change.amount, known)
        if change.what == "add":
            return add(here, self.delta(change, known))
        by = self.summand(change.amount, known)
        if change.what == "least":
            return Interval(max(here.low, by.low), max(here.high, by.high))
        if change.what == "most":
            return Interval(min(here.low, by.low), min(here.high, by.high))
        return multiply(here, by) if change.what == "times" else UNBOUNDED

    def delta(self, change: t.Change, known: Bindings | None = None) -> Interval:
        """The interval of what a line with `+` or `-` adds when it applies."""
        assert change.amount is not None
        by = self.summand(change.amount, known)
        if change.per is not None:
            by = multiply(by, self.summand(change.per, known))
        return by if change.sign > 0 else negate(by)

    # ---- dice
    def resolve_dice(self, e: t.Expr) -> t.Throw | None:
        """The throw whose faces an expression reads; None if it is not a single one."""
        while True:
            e = self.resolve(e)
            if not (isinstance(e, t.Op) and e.name in ("faces", "sum-faces")):
                return e if isinstance(e, t.Throw) else None
            e = e.args[0]

    def resolve(self, e: t.Expr) -> t.Expr:
        """The value of a variable that is set once; any other expression unchanged."""
        for _ in range(_MOST_ALIASES):
            lines = self.lines.get(e.variable, []) if isinstance(e, t.Var) else []
            if len(lines) != 1 or lines[0].value is None:
                break
            e = lines[0].value
        return e

    def _dice(self, e: t.Throw | t.Tally, known: Bindings) -> Interval:
        count = self.summand(e.count, known)
        many = Interval(max(count.low, 0), max(count.high, 0))
        if isinstance(e, t.Tally):
            return Interval(0, many.high)
        faces = self.faces_of(e, known)
        return Interval(product(many.low, faces.low), product(many.high, faces.high))

    def faces_of(self, throw: t.Throw, known: Bindings) -> Interval:
        """The faces that one die of a throw can show."""
        high = throw.sides if isinstance(throw.sides, int) else self.summand(throw.sides, known).high
        barred = throw.barred.value if isinstance(throw.barred, t.Lit) else None
        return Interval(2 if barred == 1 else 1, high - 1 if barred == high else high)

    def _dice_statistic(
        self, statistic: Callable[[Interval, Interval], Interval], dice: t.Expr, known: Bindings
    ) -> Interval:
        throw = self.resolve_dice(dice)
        if throw is None:
            return COUNT
        return statistic(self.summand(throw.count, known), self.faces_of(throw, known))

    def _size(self, items: t.Expr, known: Bindings) -> float:
        match items:
            case t.Filter(items=inner):
                return self._size(inner, known)
            case t.Choose(high=high):
                return max(0, self.interval_of(high, known).high)
            case t.Op(name="join", args=(left, right)):
                return self._size(left, known) + self._size(right, known)
            case t.Op(name="only"):
                return 1
            case t.TableRows(table=table):
                return len(table.rows)
        throw = self.resolve_dice(items) if items.type.name in ("faces", "dice") else None
        return max(0, self.summand(throw.count, known).high) if throw is not None else inf

    # ---- inputs
    def collect_inputs(self, e: t.Expr, found: set[object]) -> bool:
        """Add all inputs (variables, attributes, calls) of an expression to `found`; False if one occurs twice.

        Then the interval may be too wide, because the occurrences are not independent.
        """
        once = True
        left: list[t.Expr] = [e]
        while left:
            for part in t.parts(left.pop()):
                leaf = _input(part)
                if leaf is None:
                    continue
                if leaf in found:
                    once = False
                    continue
                found.add(leaf)
                if isinstance(leaf, t.Variable):
                    left += [line.value for line in self.lines.get(leaf, []) if line.value is not None]
        return once


def ranges_of(checker: Checker, played: bool = False) -> Ranges:
    """The cached ranges of a checker's rule set."""
    key = Ranges, played
    if key not in checker.noted:
        checker.noted[key] = Ranges(checker, played)
    made: Ranges = checker.noted[key]
    return made


# Types whose attributes are inputs, but which are no inputs themselves.
_HOLDERS = ("thing", "things", "figure", "figures", "record")


def _input(part: object) -> object:
    match part:
        case t.Var(variable=variable) if variable.type.name not in _HOLDERS:
            return variable
        case t.Attr(attribute=attribute):
            return attribute
        case t.Field(procedure=procedure, address=address):
            return procedure, address
        case t.CallValue(value=value, args=args):
            return (value, *[a.variable if isinstance(a, t.Var) else None for a in args])
    return None


def _has_base(changes: tuple[t.Change, ...]) -> bool:
    return any(c.what == "set" and c.condition is None for c in changes)


def _interval_of_cells(cells: Iterable[Any]) -> Interval:
    """The hull of the numbers in some cells, including all parts of banded cells and all options of rulings."""
    found: list[float] = []
    for cell in cells:
        held = cell.options if isinstance(cell, Ruling) else cell if isinstance(cell, tuple) else (cell,)
        found += [
            float(c) if c != int(c) else int(c)
            for c in held
            if isinstance(c, int | Fraction) and not isinstance(c, bool)
        ]
    return Interval(min(found), max(found)) if found else UNBOUNDED
