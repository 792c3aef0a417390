"""What a condition is surely worth, given what is known where it stands.

Enters: typed conditions. Leaves: yes, no, or None where it cannot be told; and what is known once one of them is so.
Two expressions are the same when they are built alike of the same symbols, in one state of the game. A number that a
table may leave empty is neither more nor less than another, so nothing follows from a comparison of it that fails.
"""

from __future__ import annotations

import operator
from fractions import Fraction
from math import inf
from typing import Any

from interpreter.rulebook import typed as t
from interpreter.source.values import Struct, field

# A bound and how it is meant: (3, 1) begins above 3, (3, 0) at 3, and (3, -1) ends below 3.
Bound = tuple[float | Fraction, int]
Stretch = tuple[Bound, Bound]
EVERYTHING: Stretch = ((-inf, 0), (inf, 0))

_TURNED = {"at-least": "at-most", "at-most": "at-least", "more": "less", "less": "more", "equal": "equal"}
_MEETS = {
    "at-least": operator.ge,
    "at-most": operator.le,
    "more": operator.gt,
    "less": operator.lt,
    "equal": operator.eq,
}
_NEVER_EMPTY = {"count", "sum-faces", "lowest", "highest", "alike"}


class Keys:
    """A small number for each way that an expression is built; two that are built alike have the same."""

    def __init__(self) -> None:
        self._known: dict[Any, int] = {}
        self._depth = 0
        self._bound: dict[t.Variable, int] = {}
        self._standing: dict[t.Variable, int] = {}
        self.variables: set[t.Variable] = set()  # that were met

    def of(self, e: Any) -> int:
        if isinstance(e, t.Var) and e.variable in self._standing:
            return self._standing[e.variable]
        return self.number(self._built(e))

    def same(self, variable: t.Variable, e: t.Expr) -> None:
        """From here on a variable is what `e` is."""
        self._standing[variable] = self.of(e)

    def new(self, variable: t.Variable) -> None:
        """From here on a variable is like nothing before."""
        self._standing[variable] = self.number(object())

    def number(self, built: Any) -> int:
        return self._known.setdefault(built, len(self._known))

    def _built(self, e: Any) -> Any:
        match e:
            case t.Var(variable=variable):
                self.variables.add(variable)
                return ("it", self._bound[variable]) if variable in self._bound else variable
            case t.Lit(value=value, type=type_):
                return ("lit", type_, value if value.__hash__ is not None else id(e))
            case _ if isinstance(e, t.SITES):
                return e  # asked anew each time: like nothing else
            case t.Filter(variable=one) | t.Each(variable=one) | t.Extreme(variable=one):
                items = self.of(e.items)
                self._bound[one] = self._depth
                self._depth += 1
                inner = self.of(e.condition if isinstance(e, t.Filter) else e.value)
                self._depth -= 1
                return (type(e), items, inner, getattr(e, "most", None))
            case t.Expr():
                return (type(e), *[self._built_part(getattr(e, name)) for name in t.children(type(e))])
        return e

    def _built_part(self, value: Any) -> Any:
        if isinstance(value, tuple):
            return tuple([self._built_part(v) for v in value])
        return self.of(value) if isinstance(value, t.Expr) else value


class Known(Struct):
    """What is so: yes-or-no by key, from where to where numbers go, and which rows something can be."""

    truths: dict[int, bool] = field(default_factory=dict)
    stretches: dict[int, Stretch] = field(default_factory=dict)
    rows: dict[int, frozenset[Any]] = field(default_factory=dict)


NOTHING = Known()


class Knowing:
    """Truth of conditions; `flags` are lines that keep whether a condition was so."""

    def __init__(self) -> None:
        self.keys = Keys()
        self.flags: dict[t.Variable, t.Expr] = {}

    def truth(self, e: t.Expr, known: Known = NOTHING) -> bool | None:
        if known.rows and (found := self._of_row(e, known)) is not None:
            return found
        match e:
            case t.Lit(value=bool() as value):
                return value
            case t.Var(variable=variable) if variable in self.flags:
                return self.truth(self.flags[variable], known)
            case t.Op(name="not", args=(inner,)):
                found = self.truth(inner, known)
                return None if found is None else not found
            case t.Op(name="and" | "or" as name, args=(left, right)):
                settles = name == "or"
                first = self.truth(left, known)
                if first is settles:
                    return settles
                second = self.truth(right, self.given(left, not settles, known))
                return second if second is settles or first is not None else None
            case t.Op(name="at-least" | "at-most" | "more" | "less" | "equal" as name, args=(left, right)):
                return self._compared(name, left, right, known)
            case t.Op(name="same", args=(left, right)):
                return self._same(e, left, right, known)
            case t.Op(name="any-of", args=(items,)):
                low, high = self._stretch(self._counted(items), known, ((0, 0), (inf, 0)))
                return True if low > (0, 0) else False if high < (1, 0) else None
            case t.IsKind(of=of, kind=kind) if of.type.name in ("thing", "figure"):
                if not (of.type.of.is_a(kind) or kind.is_a(of.type.of)):
                    return False
        return known.truths.get(self.keys.of(e))

    def _compared(self, name: str, left: t.Expr, right: t.Expr, known: Known) -> bool | None:
        term, name, against, sure = self._term(name, left, right)
        if term is None:
            return None
        low, high = self._stretch(term, known, self._base(left, right))
        bound = (against, 0)
        if name in ("more", "at-least"):
            starts = (against, 1) if name == "more" else bound
            return False if high < starts else True if sure and low >= starts else None
        if name in ("less", "at-most"):
            ends = (against, -1) if name == "less" else bound
            return False if low > ends else True if sure and high <= ends else None
        if bound < low or bound > high:
            return False
        return True if sure and low == high == bound else None

    def _term(self, name: str, left: t.Expr, right: t.Expr) -> tuple[int | None, str, float | Fraction, bool]:
        """What is compared with a plain number, the comparison seen from there, and whether it is never empty."""
        if _plain(right):
            if _plain(left):
                return None, name, 0, False
            return self._counted(left), name, right.value, _never_empty(left)  # type: ignore[attr-defined]
        if _plain(left):
            return self._counted(right), _TURNED[name], left.value, _never_empty(right)  # type: ignore[attr-defined]
        one, two = self.keys.of(left), self.keys.of(right)
        sure = _never_empty(left) and _never_empty(right)
        if one > two:
            one, two, name = two, one, _TURNED[name]
        return self.keys.number(("between", one, two)), name, 0, sure

    def _counted(self, e: t.Expr) -> int:
        """A collection and its count are one term."""
        items = e.args[0] if isinstance(e, t.Op) and e.name == "count" else e
        return self.keys.of(items)

    def _base(self, left: t.Expr, right: t.Expr) -> Stretch:
        e = right if _plain(left) else left
        if not (_plain(left) or _plain(right)):
            return EVERYTHING
        match e:
            case t.Attr(attribute=attribute) if not attribute.optional and e.type.name == "number":
                low, high = attribute.low, attribute.high
                return ((-inf if low is None else low, 0), (inf if high is None else high, 0))
            case t.Op(name="count"):
                return (0, 0), (inf, 0)
        return EVERYTHING

    def _stretch(self, term: int, known: Known, base: Stretch) -> Stretch:
        low, high = known.stretches.get(term, EVERYTHING)
        return max(low, base[0]), min(high, base[1])

    def _same(self, e: t.Expr, left: t.Expr, right: t.Expr, known: Known) -> bool | None:
        if isinstance(left, t.Lit):
            left, right = right, left
        if isinstance(left, t.Lit) or not isinstance(right, t.Lit):
            return known.truths.get(self.keys.of(e))
        held = known.rows.get(self.keys.of(left))
        if held is not None and (right.value not in held or len(held) == 1):
            return right.value in held
        return known.truths.get(self.keys.of(e))

    def _of_row(self, e: t.Expr, known: Known) -> bool | None:
        """No, where none of the rows that something can still be meets a condition. That all of them do, a row more may
        change: nothing is said of it.
        """
        bare = e.args[0] if isinstance(e, t.Op) and e.name == "not" else e
        told = rows_meeting(bare)
        held = known.rows.get(self.keys.of(told[0])) if told is not None else None
        if told is None or held is None:
            return None
        return False if (held.isdisjoint(told[1]) if bare is e else held <= told[1]) else None

    # ---- what follows
    def given(self, e: t.Expr, so: bool, known: Known = NOTHING) -> Known:
        """What is known besides when `e` is so, or is not."""
        told = rows_meeting(e)
        if told is not None:
            key = self.keys.of(told[0])
            held = known.rows.get(key, told[2])
            rows = {**known.rows, key: held & told[1] if so else held - told[1]}
            known = Known(known.truths, known.stretches, rows)
        match e:
            case t.Var(variable=variable) if variable in self.flags:
                return self.given(self.flags[variable], so, known)
            case t.Op(name="not", args=(inner,)):
                return self.given(inner, not so, known)
            case t.Op(name="and" | "or" as name, args=(left, right)):
                if (name == "and") is so:
                    return self.given(right, so, self.given(left, so, known))
                return Known({**known.truths, self.keys.of(e): so}, known.stretches, known.rows)
            case t.Op(name="at-least" | "at-most" | "more" | "less" | "equal" as name, args=(left, right)):
                return self._bounded(name, left, right, so, known)
            case t.Op(name="any-of", args=(items,)):
                stretch: Stretch = ((1, 0), (inf, 0)) if so else ((-inf, 0), (0, 0))
                return self._narrowed(self._counted(items), stretch, known)
            case t.Op(name="same", args=(left, right)):
                truths = {**known.truths, self.keys.of(e): so}
                if isinstance(left, t.Lit):
                    left, right = right, left
                if so and told is None and isinstance(right, t.Lit) and not isinstance(left, t.Lit):
                    rows = {**known.rows, self.keys.of(left): frozenset((right.value,))}
                    return Known(truths, known.stretches, rows)
                return Known(truths, known.stretches, known.rows)
        return Known({**known.truths, self.keys.of(e): so}, known.stretches, known.rows)

    def _bounded(self, name: str, left: t.Expr, right: t.Expr, so: bool, known: Known) -> Known:
        term, name, against, sure = self._term(name, left, right)
        if term is None or (not so and (not sure or name == "equal")):
            return known
        if not so:
            name = {"more": "at-most", "less": "at-least", "at-least": "less", "at-most": "more"}[name]
        stretch: Stretch = {
            "more": ((against, 1), (inf, 0)),
            "at-least": ((against, 0), (inf, 0)),
            "less": ((-inf, 0), (against, -1)),
            "at-most": ((-inf, 0), (against, 0)),
            "equal": ((against, 0), (against, 0)),
        }[name]
        return self._narrowed(term, stretch, known)

    def _narrowed(self, term: int, stretch: Stretch, known: Known) -> Known:
        low, high = known.stretches.get(term, EVERYTHING)
        narrow = max(low, stretch[0]), min(high, stretch[1])
        return Known(known.truths, {**known.stretches, term: narrow}, known.rows)


def rows_meeting(e: t.Expr) -> tuple[t.Expr, frozenset[int], frozenset[int]] | None:
    """Of a condition that goes by the row that something is: of what, the rows that meet it, and all that it can be.
    That it is no row at all, -1, meets nothing.
    """
    match e:
        case t.Cell(row=term, table=table, column=column) if e.type.name == "truth":
            meeting = [r.index for r in table.rows.values() if r.cells.get(column.name)]
        case t.Op(name="same", args=(term, t.Lit(value=int() as index))) if term.type.name == "row":
            table, meeting = term.type.of, [index]
        case t.Op(name="absent", args=(term,)) if term.type.name == "row":
            table, meeting = term.type.of, [-1]
        case t.Op(name=name, args=(t.Cell(row=term, table=table, column=column) as cell, right)) if (
            name in _MEETS and cell.type.name in ("number", "inches") and _plain(right)
        ):
            cells = [(r.index, r.cells.get(column.name)) for r in table.rows.values()]
            if not all(c is None or isinstance(c, int | Fraction) for _, c in cells):
                return None  # what a ruling decides, dice, near and far
            meeting = [i for i, c in cells if c is not None and _MEETS[name](c, right.value)]  # type: ignore[attr-defined]
        case _:
            return None
    if isinstance(term, t.Lit) or not hasattr(table, "rows"):
        return None
    return term, frozenset(meeting), frozenset((-1, *(r.index for r in table.rows.values())))


def _plain(e: t.Expr) -> bool:
    return isinstance(e, t.Lit) and isinstance(e.value, int | Fraction) and not isinstance(e.value, bool)


def _never_empty(e: t.Expr) -> bool:
    if isinstance(e, t.Attr):
        return not e.attribute.optional
    return isinstance(e, t.Op) and e.name in _NEVER_EMPTY
