"""Implication and exclusion between conditions.

Takes typed conditions. `ConditionEvaluator.evaluate` gives True, False, or None where it cannot be decided, and
`ConditionEvaluator.assume` what else is known once a condition holds or fails; `mutually_exclusive` compares two
conditions syntactically. Two expressions count as equal if they have the same structure over the same symbols, in one
state of the game. A number that a table may leave empty is neither more nor less than another, so nothing follows from
a failed comparison of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import inf
from typing import Any

from interpreter.rulebook import typed as t
from interpreter.source.values import Struct, field
from interpreter.vocabulary.operations import OPERATIONS, Bounds

UNBOUNDED: Bounds = ((-inf, 0), (inf, 0))


class ExpressionKeys:
    """Numbers expressions so that two of equal structure have the same key (hash consing)."""

    def __init__(self) -> None:
        self._known: dict[Any, int] = {}
        self._depth = 0
        self._bound: dict[t.Variable, int] = {}
        self._defined: dict[t.Variable, int] = {}
        self.variables: set[t.Variable] = set()  # free variables of all expressions seen

    def key_of(self, e: Any) -> int:
        """The key of an expression; a variable that was defined has the key of its definition."""
        if isinstance(e, t.Var) and e.variable in self._defined:
            return self._defined[e.variable]
        return self.number(self._structure(e))

    def define(self, variable: t.Variable, e: t.Expr) -> None:
        """From here on a variable has the key of `e`."""
        self._defined[variable] = self.key_of(e)

    def forget(self, variable: t.Variable) -> None:
        """From here on a variable has a key of its own, unlike any before."""
        self._defined[variable] = self.number(object())

    def number(self, built: Any) -> int:
        """The key of a structure, made when it is first seen."""
        return self._known.setdefault(built, len(self._known))

    def _structure(self, e: Any) -> Any:
        match e:
            case t.Var(variable=variable):
                self.variables.add(variable)
                return ("it", self._bound[variable]) if variable in self._bound else variable
            case t.Lit(value=value, type=type_):
                return ("lit", type_, value if value.__hash__ is not None else id(e))
            case _ if isinstance(e, t.SITES):
                return e  # dice and questions: each has its own outcome
            case t.Filter(variable=one) | t.Each(variable=one) | t.Extreme(variable=one):
                items = self.key_of(e.items)
                self._bound[one] = self._depth
                self._depth += 1
                inner = self.key_of(e.condition if isinstance(e, t.Filter) else e.value)
                self._depth -= 1
                return (type(e), items, inner, getattr(e, "most", None))
            case t.Expr():
                return (type(e), *[self._part_structure(getattr(e, name)) for name in t.children(type(e))])
        return e

    def _part_structure(self, value: Any) -> Any:
        if isinstance(value, tuple):
            return tuple([self._part_structure(v) for v in value])
        return self.key_of(value) if isinstance(value, t.Expr) else value


class Assumptions(Struct):
    """Assumptions by expression key: truth values, bounds of numbers, and possible rows."""

    truths: dict[int, bool] = field(default_factory=dict)
    bounds: dict[int, Bounds] = field(default_factory=dict)
    rows: dict[int, frozenset[Any]] = field(default_factory=dict)


NO_ASSUMPTIONS = Assumptions()


class ConditionEvaluator:
    """Evaluates conditions under assumptions; `flags` are variables that hold the result of a condition."""

    def __init__(self) -> None:
        self.keys = ExpressionKeys()
        self.flags: dict[t.Variable, t.Expr] = {}

    def evaluate(self, e: t.Expr, known: Assumptions = NO_ASSUMPTIONS) -> bool | None:
        """Whether a condition holds in every situation that meets the assumptions, or in none; else None."""
        if known.rows and (found := self._evaluate_row(e, known)) is not None:
            return found
        match e:
            case t.Lit(value=bool() as value):
                return value
            case t.Covered():
                return True
            case t.Var(variable=variable) if variable in self.flags:
                return self.evaluate(self.flags[variable], known)
            case t.Op(name="not", args=(inner,)):
                found = self.evaluate(inner, known)
                return None if found is None else not found
            case t.Op(name="and" | "or" as name, args=(left, right)):
                settles = name == "or"
                first = self.evaluate(left, known)
                if first is settles:
                    return settles
                second = self.evaluate(right, self.assume(left, not settles, known))
                return second if second is settles or first is not None else None
            case t.Op(name=name, args=(left, right)) if OPERATIONS[name].bounds is not None:
                return self._evaluate_comparison(name, left, right, known)
            case t.Op(name="same", args=(left, right)):
                return self._evaluate_same(e, left, right, known)
            case t.Op(name="any-of", args=(items,)):
                low, high = self._bounds_of(self._key_of_collection(items), known, ((0, 0), (inf, 0)))
                return True if low > (0, 0) else False if high < (1, 0) else None
            case t.IsKind(of=of, kind=kind) if of.type.name in ("thing", "figure"):
                if not (of.type.of.is_a(kind) or kind.is_a(of.type.of)):
                    return False
        return known.truths.get(self.keys.key_of(e))

    def _evaluate_comparison(self, name: str, left: t.Expr, right: t.Expr, known: Assumptions) -> bool | None:
        term, name, against, sure = self._comparison_term(name, left, right)
        if term is None:
            return None
        low, high = self._bounds_of(term, known, self._declared_bounds(left, right))
        starts, ends = _bounds(name, against)
        if high < starts or low > ends:
            return False
        return True if sure and starts <= low and high <= ends else None

    def _comparison_term(
        self, name: str, left: t.Expr, right: t.Expr
    ) -> tuple[int | None, str, float | Fraction, bool]:
        """A comparison as `term OPERATOR number`: the key of the term (None for two numbers), the operator, the number,
        and whether the term is never empty. Of two terms the difference is compared with 0.
        """
        if _is_number(right):
            if _is_number(left):
                return None, name, 0, False
            return self._key_of_collection(left), name, right.value, _never_empty(left)  # type: ignore[attr-defined]
        if _is_number(left):
            return self._key_of_collection(right), OPERATIONS[name].turned, left.value, _never_empty(right)  # type: ignore[attr-defined]
        one, two = self.keys.key_of(left), self.keys.key_of(right)
        sure = _never_empty(left) and _never_empty(right)
        if one > two:
            one, two, name = two, one, OPERATIONS[name].turned
        return self.keys.number(("between", one, two)), name, 0, sure

    def _key_of_collection(self, e: t.Expr) -> int:
        """The key of a collection, also for its count: a condition on one is a condition on the other."""
        items = e.args[0] if isinstance(e, t.Op) and e.name == "count" else e
        return self.keys.key_of(items)

    def _declared_bounds(self, left: t.Expr, right: t.Expr) -> Bounds:
        e = right if _is_number(left) else left
        if not (_is_number(left) or _is_number(right)):
            return UNBOUNDED
        match e:
            case t.Attr(attribute=attribute) if not attribute.optional and e.type.name == "number":
                low, high = attribute.low, attribute.high
                return ((-inf if low is None else low, 0), (inf if high is None else high, 0))
            case t.Op(name="count"):
                return (0, 0), (inf, 0)
        return UNBOUNDED

    def _bounds_of(self, term: int, known: Assumptions, base: Bounds) -> Bounds:
        low, high = known.bounds.get(term, UNBOUNDED)
        return max(low, base[0]), min(high, base[1])

    def _evaluate_same(self, e: t.Expr, left: t.Expr, right: t.Expr, known: Assumptions) -> bool | None:
        if isinstance(left, t.Lit):
            left, right = right, left
        if isinstance(left, t.Lit) or not isinstance(right, t.Lit):
            return known.truths.get(self.keys.key_of(e))
        held = known.rows.get(self.keys.key_of(left))
        if held is not None and (right.value not in held or len(held) == 1):
            return right.value in held
        return known.truths.get(self.keys.key_of(e))

    def _evaluate_row(self, e: t.Expr, known: Assumptions) -> bool | None:
        """False if none of the rows that an expression can still have satisfies the condition, else None.

        That all of them satisfy it is not reported, as another row in the table would change that.
        """
        bare = e.args[0] if isinstance(e, t.Op) and e.name == "not" else e
        by_row = rows_satisfying(bare)
        held = known.rows.get(self.keys.key_of(by_row[0])) if by_row is not None else None
        if by_row is None or held is None:
            return None
        return False if (held.isdisjoint(by_row[1]) if bare is e else held <= by_row[1]) else None

    # ---- consequences
    def assume(self, e: t.Expr, value: bool, known: Assumptions = NO_ASSUMPTIONS) -> Assumptions:
        """The assumptions extended by the fact that `e` has this truth value."""
        by_row = rows_satisfying(e)
        if by_row is not None:
            key = self.keys.key_of(by_row[0])
            held = known.rows.get(key, by_row[2])
            rows = {**known.rows, key: held & by_row[1] if value else held - by_row[1]}
            known = Assumptions(known.truths, known.bounds, rows)
        match e:
            case t.Var(variable=variable) if variable in self.flags:
                return self.assume(self.flags[variable], value, known)
            case t.Op(name="not", args=(inner,)):
                return self.assume(inner, not value, known)
            case t.Op(name="and" | "or" as name, args=(left, right)):
                if (name == "and") is value:
                    return self.assume(right, value, self.assume(left, value, known))
                return Assumptions({**known.truths, self.keys.key_of(e): value}, known.bounds, known.rows)
            case t.Op(name=name, args=(left, right)) if OPERATIONS[name].bounds is not None:
                return self._assume_comparison(name, left, right, value, known)
            case t.Op(name="any-of", args=(items,)):
                wanted: Bounds = ((1, 0), (inf, 0)) if value else ((-inf, 0), (0, 0))
                return self._with_bounds(self._key_of_collection(items), wanted, known)
            case t.Op(name="same", args=(left, right)):
                truths = {**known.truths, self.keys.key_of(e): value}
                if isinstance(left, t.Lit):
                    left, right = right, left
                if value and by_row is None and isinstance(right, t.Lit) and not isinstance(left, t.Lit):
                    rows = {**known.rows, self.keys.key_of(left): frozenset((right.value,))}
                    return Assumptions(truths, known.bounds, rows)
                return Assumptions(truths, known.bounds, known.rows)
        return Assumptions({**known.truths, self.keys.key_of(e): value}, known.bounds, known.rows)

    def _assume_comparison(
        self, name: str, left: t.Expr, right: t.Expr, value: bool, known: Assumptions
    ) -> Assumptions:
        term, name, against, sure = self._comparison_term(name, left, right)
        holds = name if value else OPERATIONS[name].opposite
        if term is None or not holds or not (value or sure):
            return known
        return self._with_bounds(term, _bounds(holds, against), known)

    def _with_bounds(self, term: int, wanted: Bounds, known: Assumptions) -> Assumptions:
        low, high = known.bounds.get(term, UNBOUNDED)
        narrow = max(low, wanted[0]), min(high, wanted[1])
        return Assumptions(known.truths, {**known.bounds, term: narrow}, known.rows)


def rows_satisfying(e: t.Expr) -> tuple[t.Expr, frozenset[int], frozenset[int]] | None:
    """For a condition on one row expression: that expression, the indices of the rows that satisfy the condition, and
    all indices it can have (-1 is no row and satisfies only `absent`). None for any other condition.
    """
    match e:
        case t.Cell(row=term, table=table, column=column) if e.type.name == "truth":
            meeting = [r.index for r in table.rows.values() if r.cells.get(column.name)]
        case t.Op(name="same", args=(term, t.Lit(value=int() as index))) if term.type.name == "row":
            table, meeting = term.type.of, [index]
        case t.Op(name="absent", args=(term,)) if term.type.name == "row":
            table, meeting = term.type.of, [-1]
        case t.Op(name=name, args=(t.Cell(row=term, table=table, column=column) as cell, right)) if (
            OPERATIONS[name].bounds is not None and cell.type.name in ("number", "inches") and _is_number(right)
        ):
            cells = [(r.index, r.cells.get(column.name)) for r in table.rows.values()]
            if not all(c is None or isinstance(c, int | Fraction) for _, c in cells):
                return None  # cells with rulings, dice or distance bands
            compare = OPERATIONS[name].evaluate
            meeting = [i for i, c in cells if c is not None and compare(c, right.value)]  # type: ignore
        case _:
            return None
    if isinstance(term, t.Lit) or not hasattr(table, "rows"):
        return None
    return term, frozenset(meeting), frozenset((-1, *(r.index for r in table.rows.values())))


def _is_number(e: t.Expr) -> bool:
    return isinstance(e, t.Lit) and isinstance(e.value, int | Fraction) and not isinstance(e.value, bool)


def _never_empty(e: t.Expr) -> bool:
    if isinstance(e, t.Attr):
        return not e.attribute.optional
    return isinstance(e, t.Op) and not OPERATIONS[e.name].may_be_none


def _bounds(name: str, against: float | Fraction) -> Bounds:
    """The interval of the numbers for which a comparison holds."""
    bounds = OPERATIONS[name].bounds
    assert bounds is not None
    return bounds(against)


# ---- mutually exclusive conditions
def mutually_exclusive(one: t.Expr | None, two: t.Expr | None) -> bool:
    """Whether two conditions visibly exclude each other: `tired` and `not tired`, `gun is heavy` and `gun is
    light`, `far > 6"` and `far <= 6"`. If the expressions do not show it, they are taken to be compatible.
    """
    if one is None or two is None:
        return False
    return any(_contradict(a, b) for a in conjuncts(one) for b in conjuncts(two))


def required_row(condition: t.Expr | None, needed: t.Expr | None) -> int | None:
    """The index of the row that a condition requires, where `needed` is a cell of that row; else None."""
    if condition is None or not isinstance(needed, t.Cell):
        return None
    for part in conjuncts(condition):
        if isinstance(part, t.Op) and part.name == "same" and isinstance(part.args[1], t.Lit):
            if same_expression(part.args[0], needed.row):
                return int(part.args[1].value)
    return None


def same_expression(one: Any, two: Any) -> bool:
    """Whether two expressions have the same structure and the same leaves."""
    if isinstance(one, t.Expr) and type(one) is type(two):
        return all(same_expression(getattr(one, name), getattr(two, name)) for name in t.children(type(one)))
    if isinstance(one, tuple) and isinstance(two, tuple):
        return len(one) == len(two) and all(map(same_expression, one, two))
    return bool(one == two)


def conjuncts(e: t.Expr) -> Iterator[t.Expr]:
    """The parts of a condition that are joined by `and`."""
    left = [e]
    while left:
        here = left.pop()
        if isinstance(here, t.Op) and here.name == "and":
            left += here.args
        else:
            yield here


def _contradict(a: t.Expr, b: t.Expr) -> bool:
    if _negates(a, b) or _negates(b, a):
        return True
    if not (isinstance(a, t.Op) and isinstance(b, t.Op)) or len(a.args) != 2 or len(b.args) != 2:
        return False
    if not (same_expression(a.args[0], b.args[0]) and isinstance(a.args[1], t.Lit) and isinstance(b.args[1], t.Lit)):
        return False
    x, y = a.args[1].value, b.args[1].value
    if a.name == b.name == "same":
        return bool(x != y)
    one, two = OPERATIONS[a.name].bounds, OPERATIONS[b.name].bounds
    if one is None or two is None or x is None or y is None:
        return False
    (low, high), (start, end) = one(x), two(y)
    return bool(high < start or end < low)


def _negates(a: t.Expr, b: t.Expr) -> bool:
    return isinstance(a, t.Op) and a.name == "not" and same_expression(a.args[0], b)
