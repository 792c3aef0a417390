"""Points-to analysis: the things that a term may speak of, in one situation in which nothing is created.

Takes terms, and what the slots and local names in them may hold; returns a `Points`. It is an upper bound: a thing in a
value comes from an operand, or from a cell that is read. A collection counts as all things in it, a figure as its
holder. Where cells that nothing changes decide a test, only the members that pass it are followed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import reduce
from typing import Any, TypeVar

from interpreter.source.values import Struct, replace

from .layout import IN_PLAY, CellKey, Layout
from .statements import Give, Let, Line, When, terms_of
from .terms import (
    And,
    Apply,
    Behind,
    Bound,
    Call,
    Cell,
    Cells,
    Const,
    Function,
    Gather,
    IfElse,
    Infix,
    Itself,
    Lambda,
    Local,
    Member,
    Minus,
    Not,
    Or,
    Slot,
    State,
    Term,
    mapped,
    operands,
)

T = TypeVar("T", bound=Term)
ABSENT = -1
UNKNOWN = object()
# What a value is: a thing or nobody, several of them, the names lent to a call, or anything else.
THING, THINGS, LOAN, LENT, OTHER = "thing", "things", "loan", "lent", "other"
_MEMBERS: dict[str | None, str] = {THINGS: THING, LOAN: LENT}  # what a member is
_PLAIN = ("number", "inches", "truth", "target", "row", "rows")  # types of attributes without things
_TESTS: dict[str, Callable[[Any, Any], bool]] = {
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    "is": lambda a, b: a is b,
    "is not": lambda a, b: a is not b,
    "in": lambda a, b: a in b,
    "not in": lambda a, b: a not in b,
    "<": lambda a, b: a < b,
    ">": lambda a, b: a > b,
    "<=": lambda a, b: a <= b,
    ">=": lambda a, b: a >= b,
}


class Points(Struct):
    """The things in a value, by their offsets (`ABSENT` is nobody), and what it is; None before it is known."""

    things: frozenset[int] = frozenset()
    what: str | None = None

    def __or__(self, other: Points) -> Points:
        if other in (self, NOWHERE):
            return self
        if self == NOWHERE:
            return other
        return Points(self.things | other.things, self.what if self.what == other.what else OTHER)

    @property
    def only(self) -> Any:
        """The thing that the value is, if that is certain; UNKNOWN for nobody, who is encoded in two ways."""
        sure = self.what == THING and len(self.things) == 1 and ABSENT not in self.things
        return next(iter(self.things)) if sure else UNKNOWN


NOWHERE = Points()
NUMBERS = Points(frozenset(), OTHER)
NOBODY = Points(frozenset((ABSENT,)), THING)
Where = Mapping[int | str, Points]  # what slots, by number, and local names hold


def joined(several: Iterable[Points]) -> Points:
    return reduce(Points.__or__, several, NOWHERE)


class PointsTo:
    """The analysis. `changing` are the cells that may change; `handed_over`: figures may get another holder."""

    def __init__(
        self, layout: Layout, keys: Sequence[CellKey], state: Sequence[Any], changing: Cells, handed_over: bool
    ) -> None:
        self.layout, self.state, self.changing = layout, state, changing
        self.handed_over = handed_over
        self.root = {i: key[0] for i, key in enumerate(keys) if key[0] >= 0 and key[1] == 0}
        self._sizes = {kind.number: size for kind, size in layout.sizes.items()}
        self.everything = Points(frozenset((*self.root, ABSENT)), OTHER)
        counted = [a for a in layout.attributes.values() if a.kind.root.counted]
        pointing = [a for a in counted if a.type.name not in _PLAIN and a.place in layout.told[a.kind.root]]
        self._pointing = {layout.place(a) for a in pointing}  # the places of figures that hold things
        self._functions: dict[tuple[Any, ...], tuple[Points, Cells]] = {}

    # ---- cells
    def key(self, base: int, place: int) -> CellKey | None:
        """The cell of a thing as a cell of the state itself; None if nothing changes it."""
        changes = base in self.root and (self.root[base], place) in self.changing
        return (-1, base + place) if changes else None

    def cells(self, things: Iterable[int], reads: Iterable[CellKey]) -> Cells:
        """The cells among `reads` that may change, of these things; those of the state itself stay."""
        found = []
        for kind, place in reads:
            if kind < 0:
                found.append((kind, place))
            else:
                found += [(-1, t + place) for t in things if self.root.get(t) == kind and self.key(t, place)]
        return frozenset(found)

    def _held(self, base: int, place: int) -> Points:
        """What a cell of a thing may hold."""
        key = (self.root[base], place)
        if key in self.layout.other_bag:
            return Points(frozenset((base,)), OTHER)
        attribute = self.layout.attributes.get(key)
        if place == 0 or (attribute is not None and attribute.type.name in _PLAIN):
            return NUMBERS
        if attribute is None or attribute.type.name not in (THING, THINGS):
            return self.everything
        what = attribute.type.name
        if key in self.changing:
            return Points(self.everything.things, what)
        value = self.state[base + place]
        return Points(frozenset(value if what == THINGS else (value,)), what)

    def _read(self, bases: Points, place: int) -> Points:
        return joined([self._held(t, place) for t in self._with_place(bases, place)])

    def _with_place(self, bases: Points, place: int) -> list[int]:
        """Those of some things that have this cell at all."""
        return [t for t in bases.things if t in self.root and place < self._sizes[self.root[t]]]

    # ---- what a term may speak of
    def of(self, term: Term, where: Where) -> Points:
        match term:
            case Slot(number=name) | Local(name=name):
                return where.get(name, self.everything)
            case Const(value=-1 | None):
                return NOBODY
            case Const(value=()):
                return Points(frozenset(), THINGS)
            case Const() | Bound() | State() | Not() | Minus() | Infix() | Itself() | Lambda():
                return NUMBERS
            case Cell(base=None):
                what = THINGS if term.place == IN_PLAY[1] else OTHER
                return Points(self.everything.things - {ABSENT}, what)
            case Cell(base=Term() as base):
                return self._read(self.of(base, where), term.place)
            case Call(name="at", args=(_, base, Const(value=place), nothing)):
                return self._read(self.of(base, where), place) | self.of(nothing, where)
            case Call(name="fact"):
                return self.everything
            case Call(name="asked", args=(Lambda(names=names, body=body), given, _, nothing)):
                return self.of(body, {**where, **self._given(names, given, where)}) | self.of(nothing, where)
            case Call(name="of", args=(_, Const(value=place), _)) if place in self._pointing:
                return self.everything
            case Call(args=args):
                about, inside = self._called(args, where)
                values = [self.of(arg.body, inside) for arg in args if isinstance(arg, Lambda)]
                return joined([about, *values, NOBODY, NUMBERS])
            case Apply(function=function, args=args):
                return self.function(function, [self.of(arg, where) for arg in args])[0]
            case Gather():
                inside = self.within(term, where)
                value = self.of(term.value, inside)
                return Points(value.things, THINGS if value.what == THING and term.kind == "tuple" else OTHER)
            case Member(of=of, at=at):
                found = self.of(of, where)
                if found.what == OTHER and isinstance(at, Const) and at.value in self._pointing:
                    return self.everything
                return Points(found.things, _MEMBERS.get(found.what, OTHER))
            case Behind(of=of):
                return self.of(of, where)
            case IfElse(test=test):
                holds = self.told(test, where)
                if holds is not UNKNOWN:
                    return self.of(term.value if holds else term.other, where)
                return self.of(term.value, where) | self.of(term.other, where)
            case Or() | And():
                return joined([self.of(part, where) for part in operands(term)])
        return joined([*[self.of(part, where) for part in operands(term)], NUMBERS])

    def _given(self, names: Sequence[str], given: Term, where: Where) -> dict[int | str, Points]:
        return {name: self.of(one, where) for name, one in zip(names, operands(given), strict=True)}

    def _called(self, args: Sequence[Term], where: Where) -> tuple[Points, Where]:
        """What the arguments of a function of the runtime hold, and the names of functions among them. It knows no
        other things.
        """
        about = joined([self.of(arg, where) for arg in args if not isinstance(arg, Lambda)])
        names = [name for arg in args if isinstance(arg, Lambda) for name in arg.names]
        return about, {**where, **dict.fromkeys(names, about | NUMBERS)} if names else where

    def within(self, term: Gather, where: Where) -> Where:
        """What the names of a comprehension hold where its value is computed."""
        inside = self.of_members(term, where)
        if term.test is not None:
            first = inside[term.names[0]]
            passing = [t for t in first.things if self._may_pass(term, t, first.what, inside)]
            kept = Points(frozenset(passing), first.what)
            inside = {**inside, **dict.fromkeys(term.names, kept)}
        if term.inner is not None:
            inside = {**inside, term.one: self.of(term.inner, inside)}
        return inside

    def of_members(self, term: Gather, where: Where) -> Where:
        """What the names of a comprehension hold before its test."""
        items = self.of(term.items, where)
        member = Points(items.things, THING if items.what == THINGS and len(term.names) == 1 else OTHER)
        return {**where, **dict.fromkeys(term.names, member)}

    def _may_pass(self, term: Gather, thing: int, what: str | None, inside: Where) -> bool:
        assert term.test is not None
        one = Points(frozenset((thing,)), what)
        found = self.told(term.test, {**inside, **dict.fromkeys(term.names, one)})
        return found is UNKNOWN or bool(found)

    # ---- the value of a test
    def told(self, term: Term, where: Where) -> Any:
        """The value of a term that cells which nothing changes decide, else UNKNOWN."""
        match term:
            case Const(value=value) | Bound(value=value):
                return value
            case Slot() | Local():
                return self.of(term, where).only
            case Cell(base=Term() as base, place=place) | Call(name="at", args=(_, base, Const(value=place), _)):
                return self._steady(self.of(base, where), place)
            case Not(of=of):
                value = self.told(of, where)
                return UNKNOWN if value is UNKNOWN else not value
            case And(parts=parts) | Or(parts=parts):
                return self._decided(parts, isinstance(term, Or), where)
            case IfElse():
                test = self.told(term.test, where)
                return UNKNOWN if test is UNKNOWN else self.told(term.value if test else term.other, where)
            case Infix(operators=operators, parts=parts) if all(each in _TESTS for each in operators):
                return self._compared(operators, parts, where)
            case Apply(function=Function(body=(Give(value=value),)) as function, args=args):
                return self.told(value, dict(zip(_taken(function), [self.of(arg, where) for arg in args], strict=True)))
        return UNKNOWN

    def _decided(self, parts: Sequence[Term], decisive: bool, where: Where) -> Any:
        values = [self.told(part, where) for part in parts]
        for value in values:
            if value is UNKNOWN:
                return UNKNOWN if not any(v is not UNKNOWN and bool(v) is decisive for v in values) else decisive
            if bool(value) is decisive:
                return value
        return values[-1]

    def _compared(self, operators: Sequence[str], parts: Sequence[Term], where: Where) -> Any:
        values = [self.told(part, where) for part in parts]
        if operators[0] in ("in", "not in") and values[0] is not UNKNOWN and values[1] is UNKNOWN:
            some = self.of(parts[1], where)
            return operators[0] == "not in" if some.what == THINGS and values[0] not in some.things else UNKNOWN
        if any(value is UNKNOWN for value in values):
            return UNKNOWN
        return all(_TESTS[o](a, b) for o, a, b in zip(operators, values, values[1:], strict=False))

    def _steady(self, bases: Points, place: int) -> Any:
        """The value of a cell that nothing changes, equal for all these things."""
        things = self._with_place(bases, place)
        if not things or ABSENT in bases.things or any(self.key(t, place) is not None for t in things):
            return UNKNOWN
        values = [self.state[t + place] for t in things]
        return values[0] if all(type(v) is type(values[0]) and v == values[0] for v in values) else UNKNOWN

    # ---- values and rolls
    def function(self, function: Function, args: Sequence[Points]) -> tuple[Points, Cells]:
        """What a value or roll may give for these arguments, and the cells that it reads."""
        key = (function.name, *args)
        if key not in self._functions:
            where: dict[int | str, Points] = dict(zip(_taken(function), args, strict=True))
            self._functions[key] = self._body(function.body, where)
        return self._functions[key]

    def _body(self, body: Sequence[Line], where: dict[int | str, Points]) -> tuple[Points, Cells]:
        gives, reads = NOWHERE, frozenset[CellKey]()
        for line in body:
            match line:
                case When():
                    holds = self.told(line.test, where)
                    reads |= self.placed(line.test, where).uses.cells
                    for lines, way in ((line.then, True), (line.other, False)):
                        if holds is UNKNOWN or bool(holds) is way:
                            given, read = self._body(lines, where)
                            gives, reads = gives | given, reads | read
                    continue
                case Let():
                    where[line.name] = where.get(line.name, NOWHERE) | self.of(line.value, where)
                case Give():
                    gives |= self.of(line.value, where)
            for term in terms_of((line,)):
                reads |= self.placed(term, where).uses.cells
        return gives if gives != NOWHERE else NUMBERS, reads

    # ---- the cells that a term reads
    def placed(self, term: Term, where: Where) -> Term:
        """The term with the cells that it reads as cells of single things."""
        match term:
            case Gather():
                return self._gathered(term, where)
            case Call(name="asked", args=(Lambda(names=names) as body, given, unsure, nothing)):
                inside = {**where, **self._given(names, given, where)}
                called = self.placed(body, inside), self.placed(given, where), unsure, nothing
                return Call(term.name, called, term.reads)
            case Call(args=args):
                about, within = self._called(args, where)
                return self._reading(term, within, self.cells(about.things, term.reads) if term.reads else term.reads)
            case Cell(base=Term() as base):
                return self._reading(term, where, self.cells(self.of(base, where).things, term.reads))
            case Cell():
                return self._reading(term, where, self.cells((), term.reads))
            case Apply(function=function, args=args):
                return self._reading(term, where, self.function(function, [self.of(arg, where) for arg in args])[1])
            case Itself(function=function):
                return self._reading(term, where, self.cells(self.root, function.reads))
            case Lambda(names=names):
                everything: Where = dict.fromkeys(names, self.everything)
                return self._mapped(term, {**everything, **where})
        return self._mapped(term, where)

    def _mapped(self, term: T, where: Where) -> T:
        return mapped(term, lambda part: self.placed(part, where))

    def _reading(self, term: Cell | Call | Apply | Itself, where: Where, reads: Cells) -> Term:
        made = self._mapped(term, where)
        return made if made.reads == reads else replace(made, reads=reads)

    def _gathered(self, term: Gather, where: Where) -> Term:
        before, inside = self.of_members(term, where), self.within(term, where)
        test = None if term.test is None else self.placed(term.test, before)
        inner = None if term.inner is None else self.placed(term.inner, inside)
        value, items = self.placed(term.value, inside), self.placed(term.items, where)
        return Gather(term.kind, value, term.names, items, test, term.one, inner)


def _taken(function: Function) -> list[str]:
    """The parameters that a function takes."""
    return [name for name, used in zip(function.params, function.used, strict=True) if used]
