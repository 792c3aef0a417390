"""Closed procedures: those that read and write nothing but the cells of their own parameters.

`Footprints` returns the cells by parameter, or None if a procedure reads more (all units, facts, figures, relations). A
closed procedure is lowered a second time as a function of values, with each cell a slot, so that equal situations of
different things are computed once.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from typing import TYPE_CHECKING, Any

from interpreter.rulebook import typed as t
from interpreter.rulebook.symbols import Attribute, LineInfo, Procedure, PureDef
from interpreter.source.values import Struct
from interpreter.vocabulary.types import Type

from .code import Code, Item
from .expression_lowering import Emitter, sorts
from .figure_names import Aliases
from .layout import Layout
from .statements import Set
from .step_lowering import Lowering
from .terms import NO_CELLS, NONE, Apply, Function, Local, Term, infix
from .value_lowering import body_of

if TYPE_CHECKING:
    from .rules import Rules

Place = tuple[int, int]  # parameter, place of the attribute

_SOMEBODY = ("thing", "things", "figure", "figures")


class Footprint(Struct):
    """The cells that a closed procedure reads and writes, by parameter."""

    reads: frozenset[Place]
    writes: frozenset[Place]

    @property
    def cells(self) -> list[Place]:
        return sorted(self.reads | self.writes)


class ReadsBeyond(Exception):
    """Raised if a procedure reads more than its parameters."""


class Footprints:
    """The footprints of procedures, values and rolls, computed on demand; None if one reads or writes more than its
    parameters' cells.
    """

    def __init__(self, checker: Rules, simultaneous: Container[Procedure]) -> None:
        self.checker, self.simultaneous = checker, simultaneous
        self._known: dict[Procedure | PureDef, Footprint | None] = {}
        self._working: set[Procedure] = set()

    def clear(self) -> None:
        self._known.clear()

    def of(self, procedure: Procedure) -> Footprint | None:
        if procedure not in self._known:
            if procedure in self._working:  # recursion
                return None
            self._working.add(procedure)
            checked = self.checker.procedure(procedure)
            sets = checked.inside[t.SetAttr] or any(
                a.attribute.low is not None or a.attribute.type.many for a in checked.inside[t.AddAttr]
            )
            notes = sets and procedure in self.simultaneous  # it also records what it sets, in a cell of the state
            self._known[procedure] = None if notes else self._walked(checked.params, checked.steps)
            self._working.discard(procedure)
        return self._known[procedure]

    def pure(self, symbol: PureDef) -> Footprint | None:
        if symbol not in self._known:
            pure = self.checker.pure(symbol)
            inside = tuple(e for c in pure.changes for e in (c.amount, c.per, c.condition) if e is not None)
            self._known[symbol] = self._walked(pure.params, inside)
        return self._known[symbol]

    def _walked(self, params: Sequence[t.Variable], parts: Sequence[t.Expr | t.Step]) -> Footprint | None:
        walk = _Walk(self, {v: i for i, v in enumerate(params)})
        try:
            if any(v.type.name in ("things", "figure", "figures") for v in params):
                raise ReadsBeyond
            for part in parts:
                walk.look(part)
        except ReadsBeyond:
            return None
        return Footprint(frozenset(walk.reads), frozenset(walk.writes))


class _Walk:
    def __init__(self, all_: Footprints, params: dict[t.Variable, int]) -> None:
        self.all, self.params = all_, params
        self.reads: set[Place] = set()
        self.writes: set[Place] = set()

    def part(self, e: t.Expr) -> int:
        """Return the index of the parameter that an expression is. Raises `ReadsBeyond` for any other expression."""
        if isinstance(e, t.Var) and e.variable in self.params and e.type.name == "thing":
            return self.params[e.variable]
        raise ReadsBeyond

    def look(self, node: Any) -> None:
        match node:
            case None | t.Tell() | t.Case() | t.Done():
                return
            case t.Attr(of=of, attribute=attribute):
                if attribute.type.name in _SOMEBODY:
                    raise ReadsBeyond
                self.reads.add((self.part(of), attribute.place))
            case t.IsKind(of=of):
                self.reads.add((self.part(of), 0))
            case t.CallValue(value=symbol, args=args) | t.RollOf(roll=symbol, args=args):
                self._called(self.all.pure(symbol), args)
            case t.Call(procedure=procedure, args=args):
                self._called(self.all.of(procedure), args)
            case t.SetAttr(of=of, attribute=attribute, value=value):
                if attribute.kind.root.counted or attribute.type.name in _SOMEBODY:
                    raise ReadsBeyond
                self.writes.add((self.part(of), attribute.place))
                self.look(value)
            case t.AddAttr(of=of, attribute=attribute, amount=value):
                if attribute.kind.root.counted or attribute.type.many:
                    raise ReadsBeyond
                self.reads.add((self.part(of), attribute.place))
                self.writes.add((self.part(of), attribute.place))
                self.look(value)
            case t.FactOf() | t.SetFact() | t.All() | t.Bag() | t.Holder() | t.Sort() | t.Choose() | t.Wish():
                raise ReadsBeyond
            case t.Together() | t.Rehome() | t.Leave() | t.New() | t.Ongoing() | t.SetOngoing():
                raise ReadsBeyond
            case t.Expr(type=type_) if type_.name in _SOMEBODY:
                raise ReadsBeyond
            case t.Expr() | t.Step():
                self._children(node)

    def _children(self, node: t.Expr | t.Step) -> None:
        for name in t.children(type(node)):
            child = getattr(node, name)
            for part in child if isinstance(child, tuple) else (child,):
                if isinstance(part, t.Variable) and part.type.name in _SOMEBODY:
                    raise ReadsBeyond
                if isinstance(part, t.Expr | t.Step):
                    self.look(part)

    def _called(self, theirs: Footprint | None, args: Sequence[t.Expr]) -> None:
        if theirs is None:
            raise ReadsBeyond
        things = [(i, self.part(a)) for i, a in enumerate(args) if a.type.name in _SOMEBODY]
        if len({part for _, part in things}) < len(things):  # two arguments alias one thing
            raise ReadsBeyond
        mine = dict(things)
        for i, a in enumerate(args):
            if i not in mine:
                self.look(a)
        self.reads |= {(mine[i], place) for i, place in theirs.reads}
        self.writes |= {(mine[i], place) for i, place in theirs.writes}


class ClosedEmitter(Emitter):
    """Lowers expressions in which every cell of a parameter is a variable of its own."""

    def __init__(self, layout: Layout, aliases: Aliases, footprints: Footprints) -> None:
        super().__init__(layout, aliases, False)
        self.footprints = footprints
        self.mark = "c"
        self.written: dict[PureDef, tuple[Function, tuple[int | Place, ...]]] = {}
        self.parts: dict[t.Variable, int] = {}  # the current parameters that are things, with their index
        self.variable: Callable[[Place], Term] = lambda place: NONE  # the variable of one of their cells

    def _var(self, e: t.Var) -> Term:
        return NONE if e.variable in self.parts else super()._var(e)

    def _attr(self, e: t.Attr) -> Term:
        assert isinstance(e.of, t.Var)
        return self.variable((self.parts[e.of.variable], e.attribute.place))

    def _is_kind(self, e: t.IsKind) -> Term:
        assert isinstance(e.of, t.Var)
        return infix(self.variable((self.parts[e.of.variable], 0)), "in", sorts(e.kind))

    def _called(self, symbol: PureDef, args: tuple[t.Expr, ...], nothing: Term) -> Term:
        made, given = self._pure(symbol)
        return Apply(made, None, tuple(self.given(given, args)))

    def given(self, places: Sequence[int | Place], args: Sequence[t.Expr]) -> list[Term]:
        """The arguments of a function of values and cells: arguments by index, cells of the things among them."""
        found = []
        for place in places:
            if isinstance(place, int):
                found.append(self.expr(args[place]))
            else:
                thing = args[place[0]]
                assert isinstance(thing, t.Var)
                found.append(self.variable((self.parts[thing.variable], place[1])))
        return found

    def _pure(self, symbol: PureDef) -> tuple[Function, tuple[int | Place, ...]]:
        """A value or roll as a function, and its parameters as argument indices or cells."""
        if symbol in self.written:
            return self.written[symbol]
        pure, name = self.checker.pure(symbol), self.fresh("value")
        names: dict[int | Place, str] = {}

        def variable(place: Place) -> Term:
            return Local(names.setdefault(place, f"p{place[0]}_{place[1]}"))

        outer = self.parts, self.variable
        self.parts = {v: i for i, v in enumerate(pure.params) if v.type.name == "thing"}
        self.variable = variable
        for i, param in enumerate(pure.params):
            if param not in self.parts:
                names[i] = self.fresh("p")
                self.slots[param] = Local(names[i])
        body = body_of(self, symbol, pure)
        self.parts, self.variable = outer
        every = tuple(names.values())
        made = Function(name, every, body, NO_CELLS, False, (True,) * len(every))
        self.written[symbol] = made, tuple(names)
        return self.written[symbol]


class ClosedLowering(Lowering):
    """Lowers a closed procedure: its cells are slots, passed in and returned."""

    emitter: ClosedEmitter

    def __init__(self, emitter: ClosedEmitter, procedure: Procedure) -> None:
        super().__init__(emitter, procedure)
        self.cells: dict[Place, t.Variable] = {}
        self.begun: dict[Procedure, list[int]] = {}
        self.builder.call = self._call
        self.effects.set_cells = self._set_cells

    def code(self) -> Code:
        emitter, mine = self.emitter, self.emitter.footprints.of(self.builder.procedure)
        assert mine is not None
        params = self.builder.checked.params
        emitter.parts = {v: i for i, v in enumerate(params) if v.type.name == "thing"}
        for place in mine.cells:
            self.cells[place] = self.builder.temp(f"cell {place}", Type("any"))
        emitter.variable = self._cell
        taken: list[int | Place] = [i for i, v in enumerate(params) if v not in emitter.parts]
        slots = [self.builder.slot(params[i]) for i in taken if isinstance(i, int)]
        for variable in self.builder.checked.lines.values():
            if variable.type.name != "block":
                self.builder.slot(variable)
        self.steps(self.builder.checked.steps)
        lines = {a: emitter.own.get(v, -1) for a, v in self.builder.checked.lines.items()}
        slots += [self.builder.slot(v) for v in self.cells.values()]
        gives = tuple(self.builder.slot(self.cells[place]) for place in sorted(mine.writes))
        made = (self.builder.procedure, tuple(slots), self.builder.first, lines, self.builder.items, self.builder.sites)
        return Code(*made, gives, (*taken, *self.cells), self.builder.weight, self.builder.checked)

    def _cell(self, place: Place) -> Term:
        return self.builder.name(self.cells[place])

    def _set_cells(self, of: t.Expr, target: Term, attribute: Attribute, becomes: Callable[[Term], Term]) -> None:
        assert isinstance(of, t.Var)
        variable = self.cells[self.emitter.parts[of.variable], attribute.place]
        self.builder.let(variable, becomes(self.builder.name(variable)))

    def _call(self, e: t.Call, line: LineInfo) -> t.Expr:
        args = [a if a.type.name == "thing" else self.builder.hoist(a, line) for a in e.args]
        theirs = self.emitter.footprints.of(e.procedure)
        assert theirs is not None
        if e.procedure.table is not None and e.kept is None and self._is_cheap(e.procedure):
            return self._inline(e, args, line)
        made = e.kept or self.builder.temp("record", Type("record", e.procedure))
        asks = [self.builder.term(a) for a in args if a.type.name != "thing"]
        things = {
            i: self.emitter.parts[a.variable]
            for i, a in enumerate(args)
            if isinstance(a, t.Var) and a.type.name == "thing"
        }
        asks += [self.builder.name(self.cells[things[i], place]) for i, place in theirs.cells]
        site = self.builder.site("call", line, made, asks, callee=e.procedure)
        site.lands = tuple(self.builder.slot(self.cells[things[i], place]) for i, place in sorted(theirs.writes))
        var = t.Var(made, type=made.type)
        return var if e.procedure.table is None else t.Field(var, e.procedure, "row", type=e.type)

    def _is_cheap(self, procedure: Procedure) -> bool:
        """Whether a procedure is an outcome table with at most one die, which costs less to run than to memoize."""
        dice = 0
        for node in t.parts(self.emitter.checker.procedure(procedure).steps):
            match node:
                case t.ForEach() | t.Repeat() | t.RepeatUntil() | t.Tally():
                    return False
                case t.Throw(count=t.Lit(value=1)):
                    dice += 1
                case t.Throw():
                    return False
                case t.Call(procedure=other) if other.table is None or not self._is_cheap(other):
                    return False
        return dice <= 1

    def _inline(self, e: t.Call, args: Sequence[t.Expr], line: LineInfo) -> t.Expr:
        """Inline the steps of a call, with its slots reset."""
        checked = self.emitter.checker.procedure(e.procedure)
        for variable, arg in zip(checked.params, args, strict=True):
            if isinstance(arg, t.Var) and arg.variable in self.emitter.parts:
                self.emitter.parts[variable] = self.emitter.parts[arg.variable]
            else:
                self.builder.let(variable, self.builder.term(arg))
        fresh = len(self.builder.first)
        begun = self.begun.setdefault(e.procedure, [])  # slots of earlier copies, to be reset as well
        written: list[Item] = []
        with self.builder.into(written):
            self.steps(checked.steps)
        begun += range(fresh, len(self.builder.first))
        for slot in begun:
            self.builder.do(Set(slot, self.builder.first[slot]))
        self.builder.items += written
        made = self.builder.temp("row", e.type)
        self.builder.let(made, self.builder.name(checked.lines["row"]))
        return t.Var(made, type=e.type)
