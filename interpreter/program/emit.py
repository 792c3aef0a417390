"""Typed expressions → Python text. The only place that knows how an operation is computed.

Enters: typed expressions and where their variables live. Leaves: Python source of our own making (never the
user's text), and what it reads. Reading is noted as it is written, so that footprints are exact. A traced
program also notes every line of a value or roll, applied or not.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from interpreter.rulebook import typed as t
from interpreter.rulebook.construct import absent
from interpreter.rulebook.symbols import PureDef, Roll, Table, Value
from interpreter.source.values import field, record, value
from interpreter.vocabulary.types import Type

from .layout import IN_PLAY, CellKey, Layout
from .notes import Note, Part
from .parts import conjuncts
from .runtime import MOST_WEIGHT, Refused, succeeding
from .seen import Seen

if TYPE_CHECKING:
    from interpreter.rulebook.procedures import ProcedureChecker

MANY = 4  # members that something is taken to have whose sentence is asked of each
# What a roll is before its lines, in the order in which they are told.
_ROLL = {"need": "None", "change": "0", "dice": "1", "best": "True", "verdict": "None", "again": "False"}
_INFIX = {
    "add": "+",
    "subtract": "-",
    "times": "*",
    "at-least": ">=",
    "at-most": "<=",
    "more": ">",
    "less": "<",
    "equal": "==",
    "same": "==",
    "and": "and",
    "or": "or",
}
_CALLS = {
    "min": "min",
    "max": "max",
    "min-row": "min",
    "max-row": "max",
    "lowest": "lowest",
    "highest": "highest",
    "alike": "alike",
    "half": "half",
    "whole": "whole",
    "divide": "divide",
    "sum-faces": "sum",
    "in-figures": "within",
    "first-of-figures": "first_figure",
    "most-common": "most_common",
}


@record()
class Reads:
    cells: set[CellKey] = field(default_factory=set)
    slots: set[int] = field(default_factory=set)

    def add(self, other: Reads) -> None:
        self.cells |= other.cells


@value()
class PureFunction:
    """A value or a roll, written once: what it reads, whether of the state, and which of its parameters it uses."""

    name: str
    reads: Reads
    of_state: bool
    used: tuple[bool, ...]
    weight: int = 0

    def called(self, state: str, args: Sequence[str]) -> str:
        given = [state] if self.of_state else []
        return f"{self.name}({', '.join(given + [a for a, used in zip(args, self.used, strict=True) if used])})"


def free_variables(e: Any) -> list[t.Variable]:
    """The variables that an expression reads and does not bind itself."""
    found: list[t.Variable] = []
    bound: list[t.Variable] = []

    def look(node: Any) -> None:
        if isinstance(node, t.Var) and node.variable not in found:
            found.append(node.variable)
        elif isinstance(node, tuple):
            for child in node:
                look(child)
        elif isinstance(node, t.Expr):
            if isinstance(node, t.Filter | t.Extreme | t.Each):
                bound.append(node.variable)
            for cls in type(node).__mro__:
                for name in getattr(cls, "__slots__", ()):
                    look(getattr(node, name, None))

    look(e)
    return [v for v in found if v not in bound]


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
        self.tables: dict[tuple[int, str], str] = {}
        self.slots: dict[t.Variable, str] = {}
        self.solid: set[t.Variable] = set()  # numbers of the procedure in hand that are never an empty cell
        self.sure: set[t.Variable] = set()  # variables of the procedure in hand that are never nobody
        self.state = "S"
        self.reads = Reads()
        self.own: dict[t.Variable, int] = {}  # slots of the procedure in hand
        self.allot: Callable[[t.Variable], int] = lambda v: -1  # gives a procedure's variable its slot
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

    # ---- expressions
    def expr(self, e: t.Expr) -> str:
        self.weight += 1
        return str(getattr(self, "_" + type(e).__name__.lower())(e))

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
                f"{base}[{e.attribute.place}]" if self._sure(e.of) else self._guarded(base, e.attribute.place, e.type)
            )
        self.reads.cells.add(self.layout.key(e.attribute))
        if self._sure(e.of):
            return f"{self.state}[{base}+{e.attribute.place}]"
        return f"at({self.state}, {base}, {e.attribute.place}, {self._nothing(e.type)})"

    def _nothing(self, type_: Type) -> str:
        return self.expr(t.Lit(absent(type_), type=type_))

    def _guarded(self, base: str, place: int, type_: Type) -> str:
        return f"of({base}, {place}, {self._nothing(type_)})"

    def _sure(self, e: t.Expr) -> bool:
        """Whether this is certainly somebody: parameters and loop items (a call on nobody does nothing), and
        relations that must be stated."""
        if isinstance(e, t.Var):
            return e.variable not in self.own or e.variable in self.sure
        if isinstance(e, t.Holder):
            return self._sure(e.of)
        return isinstance(e, t.Attr) and not e.attribute.optional and self._sure(e.of)

    def _holder(self, e: t.Holder) -> str:
        base = self.expr(e.of)
        return f"{base}[0]" if self._sure(e.of) else f"of({base}, 0, -1)"

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

    def column(self, table: Table, name: str) -> str:
        """A tuple by row, with one more for no row at all (-1 finds it)."""
        key = (id(table), name)
        if key not in self.tables:
            column = table.columns.get(name) or table.marks[name]
            nothing: Any = False if column.type.name == "truth" else (-1 if column.type.name == "row" else None)
            values = []
            for row in table.rows.values():
                value = row.cells.get(name, nothing)
                value = value.chosen if hasattr(value, "chosen") else value
                values.append(nothing if value is None else value)
            cells = (*values, nothing)
            self.tables[key] = self.constant(cells if self.seen is None else self.seen.column(table, cells), "t")
        return self.tables[key]

    def _bandat(self, e: t.BandAt) -> str:
        near = self.column(e.table, e.column.by or "")
        many = self.column(e.table, e.column.name)
        if self.traced:
            note = self._cell_note(e.table, e.column.name)
            return f"looked_at({note}, {near}, {many}, {self.expr(e.row)}, {self.expr(e.at)})"
        return f"band_at({near}, {many}, {self.expr(e.row)}, {self.expr(e.at)})"

    def _callvalue(self, e: t.CallValue) -> str:
        return self._called(e.value, e.args, self._nothing(e.type))

    def _rollof(self, e: t.RollOf) -> str:
        return self._called(e.roll, e.args, "NO_ROLL")

    def _called(self, symbol: PureDef, args: tuple[t.Expr, ...], nothing: str) -> str:
        """A call; asked of nobody, it is worth nothing."""
        pure = self.pure_function(symbol)
        unsure = [i for i, a in enumerate(args) if a.type.name in ("thing", "figure") and not self._sure(a)]
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
        text = f"fact({e.fact.name!r}, ({', '.join(args)},), {self.state}, {default})"
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
        return f"tuple([{thing} for {thing} in {self.state}[0] if {where}])"

    def _bag(self, e: t.Bag) -> str:
        key = self.layout.gone_key(e.kind) if e.gone else self.layout.bag_key(e.kind)
        self.reads.cells.add(key)
        base = self.expr(e.of)
        whole = f"{self.state}[{base}+{key[1]}]" if self._sure(e.of) else f"at({self.state}, {base}, {key[1]}, ())"
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
        one = f"({name}, {self.fresh('n')})" if e.type.name == "figures" else name
        condition = self._condition(e, f"({one},)")
        self.each(before)
        return f"tuple([{one} for {one.strip('()')} in {items} if {condition}])"

    def _condition(self, e: t.Filter, one: str) -> str:
        """Whether one member is let through; of a line that is told, noted with how far it came."""
        line, self.asking = self.asking, None
        parts = conjuncts(e.condition)
        told = tuple([Part(p.where.text if p.where is not None else "", p.type) for p in parts])
        if line is None:
            return self.expr(e.condition)
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
        if e.type.name == "figures":
            n = self.fresh("n")
            return f"extremes([(({name}, {n}), {value}) for {name}, {n} in {items}], {e.most}, {nothing})"
        return f"extremes([({name}, {value}) for {name} in {items}], {e.most}, {nothing})"

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
        if e.items.type.name in ("figures", "list"):
            n = self.fresh("n")
            return f"[({value}, {n}) for {name}, {n} in {items}]"
        return f"[({value}, 1) for {name} in {items}]"

    def _ifelse(self, e: t.IfElse) -> str:
        return f"({self.expr(e.value)} if {self.expr(e.condition)} else {self.expr(e.other)})"

    def _iskind(self, e: t.IsKind) -> str:
        numbers = "{" + ", ".join(str(k.number) for k in e.kind.sorts()) + "}"
        base = self.expr(e.of)
        if e.of.type.name == "figure":
            return f"({base}[1] in {numbers})" if self._sure(e.of) else f"(of({base}, 1, -1) in {numbers})"
        self.reads.cells.add((e.kind.root.number, 0))
        if self._sure(e.of):
            return f"({self.state}[{base}] in {numbers})"
        return f"(at({self.state}, {base}, 0, -1) in {numbers})"

    def _field(self, e: t.Field) -> str:
        checked = self.checker.procedure(e.procedure)
        place = list(checked.lines).index(e.address)
        return f"of({self.expr(e.record)}, {place}, {self._nothing(e.type)})"

    def _op(self, e: t.Op) -> str:
        name, args = e.name, e.args
        if name in ("add", "subtract", "times", "divide", "min", "max", "half", "whole"):
            parts = [self._number(a) for a in args]
            if name == "times" and not any(isinstance(a, t.Lit) for a in args):
                return f"times({parts[0]}, {parts[1]})"
            if name in _INFIX:
                return f"({parts[0]} {_INFIX[name]} {parts[1]})"
            if name == "half" and e.type.name == "inches":  # a tape measure knows halves
                return f"divide({parts[0]}, 2)"
            return f"{_CALLS[name]}({', '.join(parts)})"
        if name in ("at-least", "at-most", "more", "less", "equal"):
            return self._comparison(_INFIX[name], args)
        if name == "and" and any(isinstance(a, t.Lit) and a.value is True for a in args):
            return self.expr(args[1] if isinstance(args[0], t.Lit) and args[0].value is True else args[0])
        if name in _INFIX:
            return f"({self.expr(args[0])} {_INFIX[name]} {self.expr(args[1])})"
        if name == "every" and isinstance(args[0], t.Filter):
            face = self.slots[args[0].variable] = self.fresh("i")
            each = f"{face}, {self.fresh('n')}" if args[0].type.name == "figures" else face
            before = self.weight
            condition = self.expr(args[0].condition)
            self.each(before)
            return f"every([{condition} for {each} in {self.expr(args[0].items)}])"
        if name == "count" and args[0].type.name == "figures" and isinstance(args[0], t.Filter):
            return self._counted(args[0])
        parts = [self.expr(a) for a in args]
        match name:
            case "holders":
                return f"holders({parts[0]})" if args[0].type.name == "figures" else f"holders(only_figure({parts[0]}))"
            case "portion" | "other-portions":
                return f"{name.replace('-', '_')}({parts[0]}, {parts[1]})"
            case "and-portion":
                return f"(*{parts[0]}, ({parts[1]}, {parts[2]}))"
            case "whole-part":
                return f"({parts[0]} // {parts[1]} if {parts[1]} else 0)"
            case "remainder":
                return f"({parts[0]} % {parts[1]} if {parts[1]} else 0)"
            case "not":
                return f"(not {parts[0]})"
            case "count":
                return self._count(args[0], parts[0])
            case "faces":
                return parts[0]
            case "any-of" | "some":
                return f"bool({parts[0]})"
            case "absent":
                if args[0].type.name in ("number", "inches", "target"):
                    return f"({parts[0]} is None)"
                return f"({parts[0]} in (None, -1))" if args[0].type.name != "truth" else f"(not {parts[0]})"
            case "in":
                return f"({parts[0]} in {parts[1]})"
            case "dice-count" | "dice-sides" | "dice-plus":
                return f"dice_part({parts[0]}, {('dice-count', 'dice-sides', 'dice-plus').index(name)})"
            case "row-up":
                top = len(args[0].type.of.rows) - 1
                return f"min({top}, {parts[0]} + {parts[1]})"
            case "row-down":
                return f"max(0, {parts[0]} - {parts[1]})"
            case "only":
                return f"only_figure({parts[0]})" if args[0].type.name == "figure" else f"only_one({parts[0]})"
            case "join":
                if e.type.name == "figures":
                    return f"join({parts[0]}, {parts[1]})"
                if e.type.name == "faces":
                    return f"tuple(sorted({parts[0]} + {parts[1]}))"
                if isinstance(args[1], t.Op) and args[1].name == "only":
                    return f"with_one({parts[0]}, {self.expr(args[1].args[0])})"
                return f"tuple(sorted({{*{parts[0]}, *{parts[1]}}}))"
            case "without":
                if e.type.name == "figures":
                    return f"without({parts[0]}, {parts[1]})"
                if e.type.name == "faces":
                    return f"without_faces({parts[0]}, {parts[1]})"
                return f"tuple([x for x in {parts[0]} if x not in {parts[1]}])"
            case "meeting":
                return f"met({parts[0]}, {parts[1]})"
            case "missing":
                return f"(len({parts[0]}) - met({parts[0]}, {parts[1]}))"
            case "min-of-rows" | "max-of-rows":
                return f"{name[:3]}({parts[0]}, default=-1)"
            case "min-of-list" | "max-of-list":
                nothing = -1 if e.type.name == "row" else 0
                return f"{name[:3]}([x for x, n in {parts[0]} if x not in (None, {nothing}) and n], default={nothing})"
            case "sum-of-list":
                return f"sum([(x or 0) * n for x, n in {parts[0]}])"
            case "first-of-things" | "first-of-rows":
                return f"next(iter({parts[0]}), -1)"
            case "options":
                return "tuple([i for i, ok in enumerate((" + ", ".join(parts) + ",)) if ok])"
        return f"{_CALLS[name]}({', '.join(parts)})"

    def _count(self, items: t.Expr, text: str) -> str:
        if items.type.name != "figures":
            return f"len({text})"
        return f"size({text})"

    def _counted(self, items: t.Filter) -> str:
        """How many are let through, without making a bag of them."""
        name, n = self.fresh("i"), self.fresh("n")
        self.slots[items.variable] = name
        among, before = self.expr(items.items), self.weight
        condition = self.expr(items.condition)
        self.each(before)
        return f"sum([{n} for {name}, {n} in {among} if {condition}])"

    def _number(self, e: t.Expr) -> str:
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

    def _comparison(self, op: str, args: tuple[t.Expr, ...]) -> str:
        """Nothing (an empty cell, or what was worked out from one) is neither more nor less than anything."""
        left, right = (self.expr(a) for a in args)
        lacking = [(e, x) for e, x in zip(args, (left, right), strict=True) if self.may_lack(e)]
        if all(isinstance(e, t.Var) for e, _ in lacking):  # a name costs nothing to say twice
            return "(" + "".join(f"{x} is not None and " for _, x in lacking) + f"{left} {op} {right})"
        return f"known({left}, {op!r}, {right})"

    # ---- values and rolls as functions
    def pure_function(self, symbol: PureDef) -> PureFunction:
        """A value or a roll as a function of what it uses: of the state, of its parameters."""
        if id(symbol) not in self.functions:
            name = self.fresh("value" if isinstance(symbol, Value) else "roll")
            mine = Reads()
            outer, state, self.reads, self.state = self.reads, self.state, mine, "S"
            asking, self.asking = self.asking, None
            weight, self.weight = self.weight, 0
            pure = self.checker.pure(symbol)
            names = []
            for variable in pure.params:
                names.append(self.fresh("p"))
                self.slots[variable] = names[-1]
            body = self._roll_body(symbol, pure) if isinstance(symbol, Roll) else self._value_body(symbol, pure)
            said = set(re.findall(r"\w+", "\n".join(body)))
            if self.weight > MOST_WEIGHT:
                raise Refused("E008", self._line(pure, symbol), step=symbol.name, most=f"{MOST_WEIGHT:,}")
            made = PureFunction(name, mine, "S" in said, tuple(x in said for x in names), self.weight)
            self.weight = weight
            self.functions[id(symbol)] = made
            self.source.append(f"def {made.called('S', names)}:\n" + "\n".join(body))
            self.reads, self.state, self.asking = outer, state, asking
        made = self.functions[id(symbol)]
        self.reads.add(made.reads)
        self.weight += made.weight
        return made

    def _applied(
        self, change: t.Change, body: list[str], act: list[str], result: str, type_: Type | None = None
    ) -> None:
        """A line of a value or roll: its condition, its act, and in a traced program what came of it."""
        number = self.note("change", change.line, type_, about=change) if self.traced else -1
        indent = "    "
        if change.condition is not None:
            body.append(f"    if {self.expr(change.condition)}:")
            indent = "        "
        body += [indent + a for a in act]
        if self.traced:
            body.append(f"{indent}N.append(({number}, True, {result}))")
            if change.condition is not None:
                body.append("    else:")
                body.append(f"        N.append(({number}, False, {result}))")

    def _delta(self, change: t.Change) -> str:
        assert change.amount is not None
        amount = self._number(change.amount)
        if change.per is not None:
            many = self._number(change.per)
            amount = f"{amount} * {many}" if isinstance(change.amount, t.Lit) else f"times({amount}, {many})"
        return f"{'+' if change.sign > 0 else '-'} {amount}"

    def _value_body(self, symbol: PureDef, pure: t.Pure) -> list[str]:
        only = pure.changes[0] if len(pure.changes) == 1 and not self.traced else None
        if only is not None and only.what == "set" and only.condition is None and only.amount is not None:
            return [f"    return {self.expr(only.amount)}"]
        body = [f"    r = {self._nothing(pure.type)}"]
        row = pure.type.name == "row"
        # An empty cell stays empty, whatever would be added to it.
        lacks = not row and any(
            c.what == "set" and c.amount is not None and self.may_lack(c.amount) for c in pure.changes
        )
        kept = " if r is not None else None" if lacks else ""
        for change in pure.changes:
            amount = change.amount
            if change.what == "set" and amount is not None:
                self._applied(change, body, [f"r = {self.expr(amount)}"], "r", pure.type)
            elif change.what == "add":
                act = [f"r = r {self._delta(change)}{kept}"]
                if row:
                    act = [f"r = min({len(pure.type.of.rows) - 1}, max(0, r {self._delta(change)})) if r >= 0 else r"]
                self._applied(change, body, act, "r", pure.type)
            elif amount is not None:
                text = self.expr(amount) if row else self._number(amount)
                bound = {
                    "least": f"r = max(r, {text})",
                    "most": f"r = min(r, {text})",
                    "times": f"r = times(r, {text})",
                }[change.what]
                self._applied(change, body, [bound + kept], "r", pure.type)
        if self.traced:
            body.append(f"    N.append(({self.note('value', self._line(pure, symbol), pure.type, symbol)}, r))")
        body.append("    return r")
        return body

    def _line(self, pure: t.Pure, symbol: PureDef) -> Any:
        return pure.changes[0].line if pure.changes else self.checker.line_info(symbol.name, symbol.where, symbol.cites)

    def _roll_body(self, symbol: Roll, pure: t.Pure) -> list[str]:
        c = pure.convention
        assert c is not None
        only = pure.changes[0] if len(pure.changes) == 1 and not self.traced else None
        if only is not None and only.touch == "needs" and only.what == "set" and only.condition is None:
            need = only.amount
            if isinstance(need, t.Lit) and type(need.value) is int:
                mask = succeeding(c.sides, c.over, c.always, c.never, need.value, 0)
                return [f"    return ({c.sides}, {mask}, 1, True, False, True)"]
        lines: list[str] = []
        changed = set(_ROLL if self.traced else ())
        for change in pure.changes:
            amount = change.amount
            if change.touch == "needs" and change.what == "set" and amount is not None:
                name, act = "need", [f"need = {self.expr(amount)}"]
            elif change.touch == "needs" and change.what == "add":
                name, act = "need", [f"need = need {self._delta(change)} if need is not None else None"]
            elif change.what == "add":
                name, act = "change", [f"change = change {self._delta(change)}"]
            elif change.what in ("best", "worst") and amount is not None:
                name, act = "dice", [f"dice = {self._number(amount)}", f"best = {change.what == 'best'}"]
                changed.add("best")
            elif change.what == "again":
                name, act = "again", ["again = True"]
            else:
                name, act = "verdict", [f"verdict = {change.what == 'passes'}"]
            changed.add(name)
            self._applied(change, lines, act, name if name != "again" else "True")
        body = [f"    {name} = {first}" for name, first in _ROLL.items() if name in changed] + lines
        said = {name: name if name in changed else first for name, first in _ROLL.items()}
        if self.traced:
            number = self.note("roll", self._line(pure, symbol), pure.type, symbol)
            body.append(f"    N.append(({number}, need, change, dice, best, again, verdict))")
        body.append(
            f"    mask = succeeding({c.sides}, {c.over}, {c.always}, {c.never}, {said['need']}, {said['change']})"
        )
        if "verdict" in changed:
            body.append(f"    if verdict is not None: mask = {(1 << (c.sides + 1)) - 2} if verdict else 0")
        thrown = f"{said['need']} is not None"
        body.append(f"    return ({c.sides}, mask, {said['dice']}, {said['best']}, {said['again']}, {thrown})")
        return body
