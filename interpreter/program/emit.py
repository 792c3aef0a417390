"""Typed expressions → Python text.

Enters: typed expressions and where their variables live. Leaves: Python source of our own making (never the
user's text), and what it reads. Reading is noted as it is written, so that footprints are exact. A traced
program also notes every line of a value or roll, applied or not.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from interpreter.rulebook import typed as t
from interpreter.rulebook.construct import absent
from interpreter.rulebook.procedures import ProcedureChecker
from interpreter.rulebook.symbols import Attribute, Kind, Procedure, PureDef, Table, Value
from interpreter.vocabulary.types import Type

from .layout import IN_PLAY, ORIGIN, Layout
from .names import Names
from .notes import Note, Part
from .operations import PAIRS, operation
from .parts import conjuncts
from .pure import PureFunction, body_of, line_of
from .reads import Reads, free_variables
from .runtime import MOST_WEIGHT, Refused
from .seen import Seen

MANY = 4  # members that something is taken to have whose sentence is asked of each


class _How(dict[type[t.Expr], str]):
    """What writes an expression, by its class."""

    def __missing__(self, of: type[t.Expr]) -> str:
        self[of] = found = "_" + of.__name__.lower()
        return found


_HOW = _How()


class Emitter:
    """Writes expressions; value and roll functions are written once, when first asked for."""

    def __init__(self, layout: Layout, checker: ProcedureChecker, traced: bool) -> None:
        self.layout = layout
        self.checker = checker
        self.traced = traced
        self.source: list[str] = []
        self.compiled = 0  # how much of it was
        self.constants: dict[str, Any] = {}
        self.notes: list[Note] = []
        self.functions: dict[int, PureFunction] = {}
        self.tables: dict[tuple[int, str, bool], str] = {}
        self.made: dict[tuple[str, str], str] = {}
        self.record_sums: dict[Procedure, str] = {}
        self.slots: dict[t.Variable, str] = {}
        self.solid: set[t.Variable] = set()  # numbers of the procedure in hand that are never an empty cell
        self.sure: set[t.Variable] = set()  # variables of the procedure in hand that are never nobody
        self.state = "S"
        self.reads = Reads()
        self.own: dict[t.Variable, int] = {}  # slots of the procedure in hand
        self.allot: Callable[[t.Variable], int] = lambda v: -1  # gives a procedure's variable its slot
        self.names = Names(checker, ())  # of figures, of the procedure in hand
        self.mark = ""  # keeps the names of two writers apart
        self.seen: Seen | None = None  # who wants to know at which rows of tables somebody looks
        self.asking: Any = None  # of a traced program: the line whose filters tell whom they left out
        self.weight = 0  # how many parts of sentences were written, each as often as one question may ask for it
        self._fresh = 0

    def begin(self, allot: Callable[[t.Variable], int]) -> None:
        """A procedure begins: its variables have slots of their own."""
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

    def constant(self, value: Any, stem: str = "k") -> str:
        name = self.fresh(stem)
        self.constants[name] = value
        return name

    def always(self, make: Callable[..., Any], *given: Any) -> str:
        """What is made of the same each time: made once."""
        key = make.__name__, repr(given)
        if key not in self.made:
            self.made[key] = self.constant(make(*given), make.__name__)
        return self.made[key]

    # ---- expressions
    def expr(self, e: t.Expr) -> str:
        self.weight += 1
        text: str = getattr(self, _HOW[type(e)])(e)
        return text

    def each(self, before: int) -> None:
        """What was written since then is asked of each of some."""
        self.weight += (self.weight - before) * (MANY - 1)

    def _lit(self, e: t.Lit) -> str:
        if isinstance(e.value, bool | int) or e.value is None or e.value == ():
            return repr(e.value)
        return self.constant(e.value)

    def _var(self, e: t.Var) -> str:
        if e.variable not in self.slots:
            self.allot(e.variable)
        if e.variable in self.own:
            self.reads.slots.add(self.own[e.variable])
        return self.slots[e.variable]

    def _attr(self, e: t.Attr) -> str:
        base = self.expr(e.of)
        if e.attribute.kind.root.counted:
            return (
                f"{base}[{e.attribute.place}]" if self.is_sure(e.of) else self._guarded(base, e.attribute.place, e.type)
            )
        self.reads.cells.add(self.layout.key(e.attribute))
        if self.is_sure(e.of):
            return f"{self.state}[{base}+{e.attribute.place}]"
        return f"at({self.state}, {base}, {e.attribute.place}, {self.nothing(e.type)})"

    def nothing(self, type_: Type) -> str:
        return self.expr(t.Lit(absent(type_), type=type_))

    def _guarded(self, base: str, place: int, type_: Type) -> str:
        return f"of({base}, {place}, {self.nothing(type_)})"

    def is_sure(self, e: t.Expr) -> bool:
        """Whether this is certainly somebody: parameters and loop items (a call on nobody does nothing), and
        relations that must be stated."""
        if isinstance(e, t.Var):
            return e.variable not in self.own or e.variable in self.sure
        if isinstance(e, t.Holder):
            return self.is_sure(e.of)
        return isinstance(e, t.Attr) and not e.attribute.optional and self.is_sure(e.of)

    def _holder(self, e: t.Holder) -> str:
        base = self.expr(e.of)
        return f"{base}[0]" if self.is_sure(e.of) else f"of({base}, 0, -1)"

    def _cell(self, e: t.Cell) -> str:
        return self._looked_up(e.table, e.column.name, self.expr(e.row))

    def _looked_up(self, table: Table, column: str, row: str) -> str:
        """A cell; a traced program notes which row was looked at."""
        cells = self.column(table, column)
        if not self.traced:
            return f"{cells}[{row}]"
        return f"looked({self._cell_note(table, column)}, {cells}, {row})"

    def _cell_note(self, table: Table, column: str) -> int:
        line = self.checker.line_info(f"{table.name}.{column}", table.where, table.cites)
        return self.note("cell", line, None, (table, column))

    def column(self, table: Table, name: str, ends: bool = False) -> str:
        """A tuple by row, with one more for no row at all (-1 finds it); `ends`: of a near-and-far distance both."""
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

    def _bandat(self, e: t.BandAt) -> str:
        near = self.column(e.table, e.column.by or "", ends=True)
        many = self.column(e.table, e.column.name)
        if self.traced:
            note = self._cell_note(e.table, e.column.name)
            return f"looked_at({note}, {near}, {many}, {self.expr(e.row)}, {self.expr(e.at)})"
        return f"band_at({near}, {many}, {self.expr(e.row)}, {self.expr(e.at)})"

    def _callvalue(self, e: t.CallValue) -> str:
        return self._called(e.value, e.args, self.nothing(e.type))

    def _rollof(self, e: t.RollOf) -> str:
        return self._called(e.roll, e.args, "NO_ROLL")

    def _called(self, symbol: PureDef, args: tuple[t.Expr, ...], nothing: str) -> str:
        """A call; asked of nobody, it is worth nothing."""
        pure = self.pure_function(symbol)
        unsure = [i for i, a in enumerate(args) if a.type.name in ("thing", "figure") and not self.is_sure(a)]
        if unsure:
            names = [self.fresh("x") for _ in args]
            called = pure.called(self.state, names)
            given = ", ".join(self.expr(a) for a in args)
            return f"asked(lambda {', '.join(names)}: {called}, ({given},), {tuple(unsure)}, {nothing})"
        return pure.called(self.state, [self.expr(a) if used else "" for a, used in zip(args, pure.used, strict=True)])

    def _factof(self, e: t.FactOf) -> str:
        args = [self.expr(a) for a in e.args]
        default = "None"
        made = self.checker.defaults.get(e.fact)
        if made is not None:
            default = self._default_function(made)
        for a in e.args:  # of what was made on the way, where
            if a.type.name in ("thing", "figure"):
                holder = a.type.of.held_in() or a.type.of
                self.reads.cells.add((holder.root.number, ORIGIN))
        asked = self.constant(e.where, "asked")
        text = f"fact({e.fact.name!r}, ({', '.join(args)},), {self.state}, {default}, {asked})"
        if not self.traced:
            return text
        line = self.checker.line_info(e.fact.name, e.fact.where, e.fact.cites)
        return f"heard({self.note('fact', line, e.type, e.fact)}, {text})"

    def _default_function(self, made: t.Expr) -> str:
        """A function of the state and of the thing that the fact is about."""
        name = self.fresh("default")
        for variable in free_variables(made):
            self.slots[variable] = "x"
        self.source.append(f"def {name}(S, x):\n    return {self.expr(made)}")
        return name

    def _rulingof(self, e: t.RulingOf) -> str:
        return self.constant(e.ruling.chosen) if isinstance(e.ruling.chosen, Fraction) else repr(e.ruling.chosen)

    def _all(self, e: t.All) -> str:
        self.reads.cells.add(IN_PLAY)
        self.reads.cells.add((e.kind.root.number, 0))
        numbers = "{" + ", ".join(str(k.number) for k in e.kind.sorts()) + "}"
        thing = self.fresh("u")
        where = f"{self.state}[{thing}] in {numbers}"
        if e.owner is not None and e.kind.owner is not None:
            relation = e.kind.find(e.kind.owner.name)
            assert relation is not None
            self.reads.cells.add(self.layout.key(relation))
            where += f" and {self.state}[{thing}+{relation.place}] == {self.expr(e.owner)}"
        for mark in _out_of_play(e.kind):
            self.reads.cells.add(self.layout.key(mark))
            where += f" and not {self.state}[{thing}+{mark.place}]"
        return f"tuple([{thing} for {thing} in {self.state}[0] if {where}])"

    def _bag(self, e: t.Bag) -> str:
        key = self.layout.gone_key(e.kind) if e.gone else self.layout.bag_key(e.kind)
        self.reads.cells.add(key)
        base = self.expr(e.of)
        whole = f"{self.state}[{base}+{key[1]}]" if self.is_sure(e.of) else f"at({self.state}, {base}, {key[1]}, ())"
        if e.kind.base is None:
            return whole
        numbers = "{" + ", ".join(str(k.number) for k in e.kind.sorts()) + "}"
        return f"tuple([p for p in {whole} if p[0][1] in {numbers}])"

    def _tablerows(self, e: t.TableRows) -> str:
        return self.constant(tuple(range(len(e.table.rows))))

    def _filter(self, e: t.Filter) -> str:
        name = self.fresh("i")
        self.slots[e.variable] = name
        items, before = self.expr(e.items), self.weight
        one = f"({name}, {self.fresh('n')})" if e.type.name in PAIRS else name
        condition = self._condition(e, f"({one},)")
        self.each(before)
        return f"tuple([{one} for {one.strip('()')} in {items} if {condition}])"

    def _condition(self, e: t.Filter, one: str) -> str:
        """Whether one member is let through; of a line that is told, noted with how far it came."""
        line, self.asking = self.asking, None
        parts = conjuncts(e.condition)
        if line is None:
            return self.expr(e.condition)
        told = tuple([Part(p.where.text if p.where is not None else "", p.type) for p in parts])
        text = str(len(parts))
        for i, part in reversed(list(enumerate(parts))):
            text = f"({text} if {self.expr(part)} else {i})"
        self.asking = line
        return f"asked_of({self.note('where', line, e.items.type, parts=told)}, {one}, {text}, {len(parts)})"

    def _extreme(self, e: t.Extreme) -> str:
        name = self.fresh("i")
        self.slots[e.variable] = name
        items, before = self.expr(e.items), self.weight
        value = self.expr(e.value)
        self.each(before)
        nothing = -1 if e.value.type.name == "row" else None
        if e.type.name in PAIRS:
            n = self.fresh("n")
            return f"extremes([(({name}, {n}), {value}) for {name}, {n} in {items}], {e.most}, {nothing})"
        return f"extremes([({name}, {value}) for {name} in {items}], {e.most}, {nothing})"

    def _fitting(self, e: t.Fitting) -> str:
        """Who still fits is counted as things are now, also among what happens together: so a limit binds there too."""
        held, gone = self.layout.bag_key(e.mark.kind), self.layout.gone_key(e.mark.kind)
        self.reads.cells |= {held, gone}
        name = self.slots[e.variable] = self.fresh("u")
        items, before = self.expr(e.items), self.weight
        most = self.number(e.most)
        self.each(before)
        one = e.type.name == "figure"
        whole = f"only_figure({items})" if one else items
        text = f"fitting(S, {whole}, {e.mark.place}, {held[1]}, {gone[1]}, lambda {name}: {most})"
        return f"first_figure({text})" if one else text

    def _each(self, e: t.Each) -> str:
        name = self.fresh("i")
        self.slots[e.variable] = name
        items, before = self.expr(e.items), self.weight
        value = self.expr(e.value)
        self.each(before)
        if e.items.type.name == "list" and e.type.name != "list":  # each of them once, however many lead there
            items = f"sorted({{x for x, _ in {items}}})"
        if e.type.name == "figures":
            return f"bag([p for {name} in {items} for p in {value}])"
        if e.type.name == "things":
            return f"tuple([p for {name} in {items} for p in {value}])"
        if e.items.type.name in PAIRS:
            n = self.fresh("n")
            return f"[({value}, {n}) for {name}, {n} in {items}]"
        return f"[({value}, 1) for {name} in {items}]"

    def _op(self, e: t.Op) -> str:
        return operation(self, e)

    def _ifelse(self, e: t.IfElse) -> str:
        return f"({self.expr(e.value)} if {self.expr(e.condition)} else {self.expr(e.other)})"

    def _iskind(self, e: t.IsKind) -> str:
        numbers = "{" + ", ".join(str(k.number) for k in e.kind.sorts()) + "}"
        base = self.expr(e.of)
        if e.of.type.name == "figure":
            return f"({base}[1] in {numbers})" if self.is_sure(e.of) else f"(of({base}, 1, -1) in {numbers})"
        self.reads.cells.add((e.kind.root.number, 0))
        if self.is_sure(e.of):
            return f"({self.state}[{base}] in {numbers})"
        return f"(at({self.state}, {base}, 0, -1) in {numbers})"

    def _field(self, e: t.Field) -> str:
        checked = self.checker.procedure(e.procedure)
        place = list(checked.lines).index(e.address)
        return f"of({self.expr(e.record)}, {place}, {self.nothing(e.type)})"

    def number(self, e: t.Expr) -> str:
        """A number for sums: an empty cell adds nothing."""
        text = self.expr(e)
        return f"({text} or 0)" if self.may_lack(e) else text

    def may_lack(self, e: t.Expr) -> bool:
        if isinstance(e, t.Cell):
            return e.type.name in ("number", "inches", "target", "none", "any")
        if isinstance(e, t.CallValue | t.FactOf | t.Var | t.Field | t.IfElse):
            sure = isinstance(e, t.Var) and (e.variable.name == "by" or e.variable in self.solid)
            return e.type.name in ("number", "inches", "target", "none") and not sure
        if isinstance(e, t.Lit):
            return e.value is None
        return isinstance(e, t.Attr) and e.attribute.optional

    def pure_function(self, symbol: PureDef) -> PureFunction:
        """A value or a roll as a function of what it uses: of the state, of its parameters."""
        if id(symbol) not in self.functions:
            name = self.fresh("value" if isinstance(symbol, Value) else "roll")
            mine = Reads()
            outer, state, self.reads, self.state = self.reads, self.state, mine, "S"
            asking, self.asking = self.asking, None
            weight, self.weight = self.weight, 0
            known, self.names = self.names, Names(self.checker, ())
            pure = self.checker.pure(symbol)
            names = []
            for variable in pure.params:
                names.append(self.fresh("p"))
                self.slots[variable] = names[-1]
            body = body_of(self, symbol, pure)
            said = set(re.findall(r"\w+", "\n".join(body)))
            if self.weight > MOST_WEIGHT:
                raise Refused("E008", line_of(self, pure, symbol), step=symbol.name, most=f"{MOST_WEIGHT:,}")
            made = PureFunction(name, mine, "S" in said, tuple(x in said for x in names), self.weight)
            self.weight, self.names = weight, known
            self.functions[id(symbol)] = made
            self.source.append(f"def {made.called('S', names)}:\n" + "\n".join(body))
            self.reads, self.state, self.asking = outer, state, asking
        made = self.functions[id(symbol)]
        self.reads.add(made.reads)
        self.weight += made.weight
        return made


def _out_of_play(kind: Kind) -> list[Attribute]:
    """The marks with which a whole thing is in no list."""
    sorts = [*kind.lineage(), *[sort for sort in kind.sorts() if sort is not kind]]
    return [a for sort in sorts for a in sort.attributes.values() if a.out_of_play]
