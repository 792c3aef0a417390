"""Lowering of typed expressions to terms, and of values and rolls to functions of terms.

A term knows which slots and cells it reads. In a traced program, functions also note each of their lines, whether or
not its condition holds.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from fractions import Fraction
from typing import Any

from interpreter.rulebook import typed as t
from interpreter.rulebook.construct import absent, value_of_absent
from interpreter.rulebook.marks_between import is_others
from interpreter.rulebook.symbols import Attribute, Kind, Procedure, PureDef, Roll, Table
from interpreter.vocabulary.types import Type

from .figure_names import Aliases, Name, Names
from .layout import IN_PLAY, ORIGIN, CellKey, Layout
from .operation_lowering import PAIRS, operation
from .runtime import MOST_WEIGHT, NO_ROLL, Refused, whole_numbers
from .statements import Give, Line, terms_of
from .terms import (
    NOBODY,
    NONE,
    ONE,
    STATE,
    ZERO,
    And,
    Apply,
    Bound,
    Call,
    Cell,
    Const,
    Function,
    Gather,
    IfElse,
    Itself,
    Lambda,
    Local,
    Member,
    Not,
    Or,
    Term,
    Tuple,
    all_uses,
    call,
    const,
    infix,
    or_zero,
    parts,
)
from .trace_notes import Note, Part, Seen, conjuncts
from .value_lowering import body_of, line_of

MANY = 4  # assumed size of a collection, to estimate the cost of an expression per member


class Emitter:
    """Lowers expressions to terms; each value or roll is lowered once, on first use."""

    def __init__(self, layout: Layout, aliases: Aliases, traced: bool) -> None:
        self.layout = layout
        self.aliases = aliases
        self.checker = aliases.checker
        self.traced = traced
        self.constants: dict[str, Any] = {}  # constants that the program has not taken over yet
        self.notes: list[Note] = []
        self.functions: dict[int, Function] = {}
        self.tables: dict[tuple[int, str, bool], Term] = {}
        self.made: dict[tuple[str, str], Term] = {}
        self.record_sums: dict[Procedure, Bound] = {}
        self.slots: dict[t.Variable, Term] = {}
        # State of the current procedure:
        self.solid: set[t.Variable] = set()  # numbers that are never missing
        self.sure: set[t.Variable] = set()  # variables that are never absent
        self.state: Term = STATE
        self.own: dict[t.Variable, int] = {}  # the slots of its variables
        self.allot: Callable[[t.Variable], int] = lambda v: -1  # allots a slot to a variable
        self.names = Names(aliases, ())  # alias analysis of its figure variables
        self.unsure: set[t.Variable] = set()  # members of a collection that may be absent
        self.simultaneous: Container[Procedure] = ()  # procedures that a `together` block may call
        self.found: Mapping[Name, t.Variable] = {}  # in a `together` block: figure variables as at its beginning
        self.mark = ""  # part of every fresh name, so that two emitters never create the same one
        self.seen: Seen | None = None  # records the table rows that are read, if set
        self.asking: Any = None  # in a traced program: the line whose filters note each member
        self.weight = 0  # number of expression nodes lowered, each as often as it may be evaluated
        self._fresh = 0

    def begin(self, allot: Callable[[t.Variable], int]) -> None:
        """Begin a procedure, with slots of its own."""
        self.own, self.allot = {}, allot

    def fresh(self, stem: str = "v") -> str:
        self._fresh += 1
        return f"{stem}{self.mark}{self._fresh}"

    def note(
        self,
        kind: str,
        line: Any,
        type_: Type | None = None,
        about: Any = None,
        text: str = "",
        parts: tuple[Part, ...] = (),
    ) -> int:
        self.notes.append(Note(kind, line, type_, about, text, parts))
        return len(self.notes) - 1

    def constant(self, value: Any, stem: str = "k") -> Bound:
        name = self.fresh(stem)
        self.constants[name] = value
        return Bound(name, value)

    def always(self, make: Callable[..., Any], *given: Any) -> Term:
        """Return the constant `make(*given)`, created once."""
        key = make.__name__, repr(given)
        if key not in self.made:
            self.made[key] = self.constant(make(*given), make.__name__)
        return self.made[key]

    # ---- expressions
    def expr(self, e: t.Expr) -> Term:
        """Return the term of an expression. Raises TypeError for a site, which `hoist.py` must have hoisted."""
        self.weight += 1
        match e:
            case t.Lit():
                return self.literal(e.value)
            case t.Var():
                return self._var(e)
            case t.Op():
                return operation(self, e)
            case t.Attr():
                return self._attr(e)
            case t.Cell():
                return self._cell(e)
            case t.CallValue():
                none = self.checker.pure(e.value).may_be_none
                return self._called(e.value, e.args, self.literal(value_of_absent(e.type, none)))
            case t.RollOf():
                return self._called(e.roll, e.args, Bound("NO_ROLL", NO_ROLL))
            case t.Field():
                return self._field(e)
            case t.IfElse():
                value, test = self.expr(e.value), self.expr(e.condition)
                return IfElse(test, value, self.expr(e.other))
            case t.Filter():
                return self._filter(e)
            case t.IsKind():
                return self._is_kind(e)
            case t.Covered():
                number, usual = self.expr(e.of), self.constant(whole_numbers(e.ranges))
                refusing = call("covered", number, self.constant(e.ranges), self.constant(e.line))
                return Or((infix(number, "in", usual), refusing))
            case t.Holder():
                base = self.expr(e.of)
                return Member(base, ZERO) if self.is_sure(e.of) else call("of", base, ZERO, NOBODY)
            case t.FactOf():
                return self._fact(e)
            case t.All():
                return self._all(e)
            case t.Ongoing():
                place = self.layout.ongoing_key(e.moment)
                return Cell(STATE, None, place[1], frozenset((place,)))
            case t.Bag():
                return self._bag(e)
            case t.Each():
                return self._each(e)
            case t.Extreme():
                return self._extreme(e)
            case t.Fitting():
                return self._fitting(e)
            case t.BandAt():
                return self._band_at(e)
            case t.TableRows():
                return self.constant(tuple(range(len(e.table.rows))))
            case t.RulingOf():
                chosen = e.ruling.chosen
                return self.constant(chosen) if isinstance(chosen, Fraction) else Const(chosen)
        raise TypeError(type(e).__name__)

    def each(self, before: int) -> None:
        """Count the weight added since `before` as evaluated for each member of a collection."""
        self.weight += (self.weight - before) * (MANY - 1)

    def literal(self, value: Any) -> Term:
        return Const(value) if isinstance(value, bool | int) or value is None or value == () else self.constant(value)

    def _var(self, e: t.Var) -> Term:
        if self.found and (found := self._at_block_start(e)) is not None:
            return found
        if e.variable not in self.slots:
            self.allot(e.variable)
        return self.slots[e.variable]

    def _attr(self, e: t.Attr) -> Term:
        base, sure = self.expr(e.of), self.is_sure(e.of)
        nothing = value_of_absent(e.type, e.attribute.optional)
        if e.attribute.kind.root.counted:
            place = const(self.layout.place(e.attribute))
            return Member(base, place) if sure else call("of", base, place, self.literal(nothing))
        return self.cell(base, self.layout.key(e.attribute), sure, nothing)

    def cell(self, base: Term, key: CellKey, sure: bool, nothing: Any) -> Term:
        """Return a cell of a thing, or `nothing` if the thing is absent."""
        if sure:
            return Cell(self.state, base, key[1], frozenset((key,)))
        return Call("at", (self.state, base, const(key[1]), self.literal(nothing)), frozenset((key,)))

    def nothing(self, type_: Type) -> Term:
        return self.expr(t.Lit(absent(type_), type=type_))

    def makes(self, procedure: Procedure) -> bool:
        """Return whether a procedure may create things, itself or through calls."""
        left, seen = [procedure], {procedure}
        for one in left:
            inside = self.checker.procedure(one).inside
            if inside[t.New]:
                return True
            more = {call.procedure for call in inside[t.Call]} - seen
            seen |= more
            left += more
        return False

    def is_sure(self, e: t.Expr) -> bool:
        """Return whether an expression is never absent: a parameter or loop variable (a call without its subject does
        nothing), its holder, or a required attribute.
        """
        if isinstance(e, t.Var):
            return e.variable not in self.unsure and (e.variable not in self.own or e.variable in self.sure)
        if isinstance(e, t.Holder):
            return self.is_sure(e.of)
        return isinstance(e, t.Attr) and not e.attribute.optional and self.is_sure(e.of)

    def _cell(self, e: t.Cell) -> Term:
        """A table cell; a traced program notes the row."""
        row = self.expr(e.row)
        cells = self.column(e.table, e.column.name)
        return (
            call("looked", self._cell_note(e.table, e.column.name), cells, row) if self.traced else Member(cells, row)
        )

    def _cell_note(self, table: Table, column: str) -> Term:
        line = self.checker.whole.line_info(f"{table.name}.{column}", table.where, table.cites)
        return Const(self.note("cell", line, None, (table, column)))

    def column(self, table: Table, name: str, ends: bool = False) -> Term:
        """Return a column as a tuple by row, with one more cell at the end for an absent row (-1).

        With `ends`, cells with distance bands hold all ends instead of the farthest one.
        """
        key = (id(table), name, ends)
        if key not in self.tables:
            column = table.columns.get(name) or table.marks[name]
            nothing: Any = False if column.type.name == "truth" else (-1 if column.type.name == "row" else None)
            values = []
            for row in table.rows.values():
                value = row.reaches[name] if ends and name in row.reaches else row.cells.get(name, nothing)
                value = value.chosen if hasattr(value, "chosen") else value
                values.append(nothing if value is None else value)
            cells = (*values, nothing)
            self.tables[key] = self.constant(cells if self.seen is None else self.seen.column(table, cells), "t")
        return self.tables[key]

    def _band_at(self, e: t.BandAt) -> Term:
        near = self.column(e.table, e.column.by or "", ends=True)
        many = self.column(e.table, e.column.name)
        if self.traced:
            note = self._cell_note(e.table, e.column.name)
            return call("looked_at", note, near, many, self.expr(e.row), self.expr(e.at))
        return call("band_at", near, many, self.expr(e.row), self.expr(e.at))

    def _called(self, symbol: PureDef, args: tuple[t.Expr, ...], nothing: Term) -> Term:
        """A call of a value or roll; `nothing` if a thing or figure among its arguments is absent."""
        pure = self.pure_function(symbol)
        unsure = [i for i, a in enumerate(args) if a.type.name in ("thing", "figure") and not self.is_sure(a)]
        if unsure:
            names = tuple([self.fresh("x") for _ in args])
            called = self._applied(pure, [Local(name) for name in names])
            given = tuple([self.expr(a) for a in args])
            return call("asked", Lambda(names, called), Tuple(given), Const(tuple(unsure)), nothing)
        return self._applied(pure, [self.expr(a) if used else NONE for a, used in zip(args, pure.used, strict=True)])

    def _applied(self, pure: Function, args: Sequence[Term]) -> Term:
        given = tuple([a for a, used in zip(args, pure.used, strict=True) if used])
        return Apply(pure, self.state if pure.of_state else None, given)

    def _fact(self, e: t.FactOf) -> Term:
        args = tuple([self.expr(a) for a in e.args])
        default: Term = NONE
        made = self.checker.defaults.get(e.fact)
        if made is not None:
            default = self._default_function(made)
        asked = self.constant(e.where, "asked")
        reads = set[CellKey]()
        for a in e.args:  # facts of created things depend on where these were created
            if a.type.name in ("thing", "figure"):
                holder = a.type.of.held_in() or a.type.of
                reads.add((holder.root.number, ORIGIN))
        about: tuple[Term, ...] = (Const(e.fact.name), Tuple(args), self.state, default, asked)
        key = self.layout.fact_key(e.fact)
        if key is not None:
            about = (*about, Cell(self.state, None, key[1], frozenset((key,))))
        value = Call("fact", about, frozenset(reads))
        if not self.traced:
            return value
        line = self.checker.whole.line_info(e.fact.name, e.fact.where, e.fact.cites)
        return call("heard", Const(self.note("fact", line, e.type, e.fact)), value)

    def _default_function(self, made: t.Expr) -> Term:
        """The default of a fact, as a function of the state and of the fact's first thing."""
        name = self.fresh("default")
        for variable in free_variables(made):
            self.slots[variable] = Local("x")
        state, self.state = self.state, STATE
        value = self.expr(made)
        self.state = state
        return Itself(Function(name, ("x",), (Give(value),), value.uses.cells, True, (True,)))

    def _all(self, e: t.All) -> Term:
        reads = {IN_PLAY, (e.kind.root.number, 0)}
        name = self.fresh("u")
        thing = Local(name)
        tests: list[Term] = [infix(Cell(self.state, thing, 0), "in", sorts(e.kind))]
        if e.owner is not None and e.kind.owner is not None:
            relation = e.kind.find(e.kind.owner.name)
            assert relation is not None
            key = self.layout.key(relation)
            tests.append(infix(Cell(self.state, thing, key[1], frozenset((key,))), "==", self.expr(e.owner)))
        for mark in _out_of_play(e.kind):
            key = self.layout.key(mark)
            tests.append(Not(Cell(self.state, thing, key[1], frozenset((key,)))))
        there: Term = Cell(self.state, None, 0, frozenset(reads))
        if e.made and self.state != STATE:
            there = call("sum_members", there, Cell(STATE, None, 0, frozenset(reads)))
        return Gather("tuple", thing, (name,), there, And(tuple(tests)))

    def _bag(self, e: t.Bag) -> Term:
        key = self.layout.gone_key(e.kind) if e.gone else self.layout.bag_key(e.kind)
        whole = self.cell(self.expr(e.of), key, self.is_sure(e.of), ())
        if e.kind.base is None:
            return whole
        one = Local("p")
        return Gather("tuple", one, ("p",), whole, infix(Member(Member(one, ZERO), ONE), "in", sorts(e.kind)))

    def member(self, variable: t.Variable) -> str:
        """Return a fresh local name for the member that a collection term iterates over."""
        name = self.fresh("i")
        self.slots[variable] = Local(name)
        return name

    def _filter(self, e: t.Filter) -> Term:
        name = self._member(e)
        items, before = self.expr(e.items), self.weight
        names = (name, self.fresh("n")) if e.type.name in PAIRS else (name,)
        one = pair(names)
        condition = self._condition(e, Tuple((one,)))
        self.each(before)
        return Gather("tuple", one, names, items, condition)

    def _condition(self, e: t.Filter, one: Term) -> Term:
        """The condition of a filter for one member; in a traced line, noted with the first part that failed."""
        line, self.asking = self.asking, None
        parts = conjuncts(e.condition)
        if line is None or is_others(e):
            made = self.expr(e.condition)
            self.asking = line
            return made
        noted = tuple([Part(p.where.text if p.where is not None else "", p.type) for p in parts])
        failed: Term = Const(len(parts))
        for i, part in reversed(list(enumerate(parts))):
            failed = IfElse(self.expr(part), failed, const(i))
        self.asking = line
        note = self.note("where", line, e.items.type, parts=noted)
        return call("asked_of", Const(note), one, failed, Const(len(parts)))

    def _extreme(self, e: t.Extreme) -> Term:
        name = self._member(e)
        items, before = self.expr(e.items), self.weight
        value = self.expr(e.value)
        self.each(before)
        nothing = NOBODY if e.value.type.name == "row" else NONE
        names = (name, self.fresh("n")) if e.type.name in PAIRS else (name,)
        ranked = Gather("list", Tuple((pair(names), value)), names, items)
        return call("extremes", ranked, Const(e.most), nothing)

    def _fitting(self, e: t.Fitting) -> Term:
        """The figures within a mark's limit. They are counted in the current state even in a `together` block, so that
        the limit holds there.
        """
        held, gone = self.layout.bag_key(e.mark.kind), self.layout.gone_key(e.mark.kind)
        name = self.fresh("u")
        self.slots[e.variable] = Local(name)
        items, before = self.expr(e.items), self.weight
        most = self.number(e.most)
        self.each(before)
        one = e.type.name == "figure"
        whole = call("only_figure", items) if one else items
        places = map(Const, (self.layout.place(e.mark), held[1], gone[1]))
        fits = Call("fitting", (STATE, whole, *places, Lambda((name,), most)), frozenset((held, gone)))
        return call("first_figure", fits) if one else fits

    def _member(self, e: t.Filter | t.Extreme | t.Each) -> str:
        """The name of the current member; in a list (such as `units.pal`) it may be absent."""
        if e.items.type.name == "list":
            self.unsure.add(e.variable)
        return self.member(e.variable)

    def _each(self, e: t.Each) -> Term:
        name = self._member(e)
        items, before = self.expr(e.items), self.weight
        value = self.expr(e.value)
        self.each(before)
        if e.items.type.name == "list" and e.type.name != "list":  # without duplicates
            items = call("sorted", Gather("set", Local("x"), ("x", "_"), items))
        if e.type.name == "figures":
            return call("bag", Gather("list", Local("p"), (name,), items, one="p", inner=value))
        if e.type.name == "things":
            return Gather("tuple", Local("p"), (name,), items, one="p", inner=value)
        if e.items.type.name in PAIRS:
            n = self.fresh("n")
            return Gather("list", Tuple((value, Local(n))), (name, n), items)
        return Gather("list", Tuple((value, ONE)), (name,), items)

    def _is_kind(self, e: t.IsKind) -> Term:
        base = self.expr(e.of)
        if e.of.type.name == "figure":
            sort: Term = Member(base, ONE) if self.is_sure(e.of) else call("of", base, ONE, NOBODY)
        else:
            sort = self.cell(base, (e.kind.root.number, 0), self.is_sure(e.of), -1)
        return infix(sort, "in", sorts(e.kind))

    def _at_block_start(self, e: t.Expr) -> Term | None:
        """In a `together` block, a figure variable as it was at its beginning; None for other expressions.

        Internal variables, whose names end in `?`, are read as they are now.
        """
        name = self.names.name(e)
        if name is None or name not in self.found or name.variable.name[-1:] == "?":
            return None
        made = self._var(t.Var(self.found[name], type=e.type))
        return call("first_figure", made) if e.type.name == "figure" else made

    def _field(self, e: t.Field) -> Term:
        if self.found and (found := self._at_block_start(e)) is not None:
            return found
        checked = self.checker.procedure(e.procedure)
        place = list(checked.lines).index(e.address)
        return call("of", self.expr(e.record), const(place), self.nothing(e.type))

    def number(self, e: t.Expr) -> Term:
        """Return a number as an operand: a missing one counts as 0."""
        made = self.expr(e)
        return or_zero(made) if self.may_be_missing(e) else made

    def may_be_missing(self, e: t.Expr) -> bool:
        if isinstance(e, t.Cell):
            return e.type.name in ("number", "inches", "target", "none", "any")
        if isinstance(e, t.CallValue | t.FactOf | t.Var | t.Field | t.IfElse):
            sure = isinstance(e, t.Var) and (e.variable.name == "by" or e.variable in self.solid)
            return e.type.name in ("number", "inches", "target", "none") and not sure
        if isinstance(e, t.Lit):
            return e.value is None
        return isinstance(e, t.Attr) and e.attribute.optional

    def pure_function(self, symbol: PureDef) -> Function:
        """Return a value or roll as a function of the state, if it reads any, and of the parameters that it uses."""
        if id(symbol) not in self.functions:
            name = self.fresh("roll" if isinstance(symbol, Roll) else "value")
            state, self.state = self.state, STATE
            asking, self.asking = self.asking, None
            weight, self.weight = self.weight, 0
            known, self.names = self.names, Names(self.aliases, ())
            pure = self.checker.pure(symbol)
            names = tuple([self.fresh("p") for _ in pure.params])
            self.slots.update(zip(pure.params, map(Local, names), strict=True))
            body = body_of(self, symbol, pure)
            if self.weight > MOST_WEIGHT:
                raise Refused("E008", line_of(self, pure, symbol), step=symbol.name, most=f"{MOST_WEIGHT:,}")
            self.functions[id(symbol)] = function(name, names, body, self.weight)
            self.weight, self.names = weight, known
            self.state, self.asking = state, asking
        made = self.functions[id(symbol)]
        self.weight += made.weight
        return made


def function(name: str, params: tuple[str, ...], body: tuple[Line, ...], weight: int = 0) -> Function:
    """Return a function with these statements, which takes only the parameters that they use."""
    inside = terms_of(body)
    local_names = {part.name for term in inside for part in parts(term) if isinstance(part, Local)}
    of_state = any(term.of_state for term in inside)
    used = tuple([param in local_names for param in params])
    return Function(name, params, body, all_uses(inside).cells, of_state, used, weight)


def sorts(kind: Kind) -> Term:
    """Return the numbers of a kind and of all kinds derived from it."""
    return Const(frozenset([k.number for k in kind.sorts()]))


def pair(names: tuple[str, ...]) -> Term:
    """Return a member; with two names, the pair of it and its count."""
    return Tuple(tuple(map(Local, names))) if len(names) > 1 else Local(names[0])


def _out_of_play(kind: Kind) -> list[Attribute]:
    """The marks that put a whole thing of the kind out of play."""
    sorts = [*kind.lineage(), *[sort for sort in kind.sorts() if sort is not kind]]
    return [a for sort in sorts for a in sort.attributes.values() if a.out_of_play]


def free_variables(e: Any) -> list[t.Variable]:
    """Return the free variables of an expression."""
    found: list[t.Variable] = []
    bound: list[t.Variable] = []

    def look(node: Any) -> None:
        if isinstance(node, t.Var) and node.variable not in found:
            found.append(node.variable)
        elif isinstance(node, tuple):
            for child in node:
                look(child)
        elif isinstance(node, t.Expr):
            if isinstance(node, t.Filter | t.Extreme | t.Each | t.Fitting):
                bound.append(node.variable)
            for name in t.children(type(node)):
                look(getattr(node, name))

    look(e)
    return [v for v in found if v not in bound]
