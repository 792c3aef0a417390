"""Typed steps → blocks of Python and numbered sites: a procedure as a small graph.

Enters: a checked procedure. Leaves: `Code`: silent blocks (state in, next block out) and *sites* (a question: throw, tally,
sort, wish, choose, call, or a join where loops meet again). Every die is hoisted into a site; a die under `and`, `or` or `if`
becomes a guarded site. Knows nothing of how questions are answered.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from interpreter.rulebook import typed as t
from interpreter.rulebook.expressions import absent
from interpreter.rulebook.procedures import returned
from interpreter.rulebook.symbols import LineInfo, Procedure
from interpreter.vocabulary.types import NUMBER, TRUTH, Type

from .emit import Emitter, Reads
from .layout import IN_PLAY, CellKey

RETURN = -1


@dataclass(eq=False, slots=True)
class Site:
    """A question. kind: throw, tally, sort, wish, choose, call, join. `ask` names a function (L, S) -> question."""

    index: int
    kind: str
    line: LineInfo
    dest: int = -1
    next: int = RETURN
    ask: str = ""
    uses: set[int] = field(default_factory=set)
    cells: set[CellKey] = field(default_factory=set)
    callee: Procedure | None = None
    snapshot: int = -1
    note: Any = None
    endless: int = -1  # for a join that ends an endless loop: the first site inside it
    passing: bool = True
    type: Type | None = None


@dataclass(eq=False, slots=True)
class Block:
    index: int
    body: list[str] = field(default_factory=list)
    uses: set[int] = field(default_factory=set)
    defs: set[int] = field(default_factory=set)
    cells: set[CellKey] = field(default_factory=set)
    writes: set[CellKey] = field(default_factory=set)
    goes: tuple[int, ...] = ()  # blocks, or -2 - site, or RETURN
    test: str = ""
    snapshot: int = -1  # the slot of the state as a `together` found it
    faint: list[tuple[int, set[int]]] = field(default_factory=list)  # totals at its end: read only if somebody reads them


@dataclass(eq=False, slots=True)
class Code:
    """One procedure, lowered. Blocks and `ask` functions are emitted as Python; slots are the L of a world."""

    procedure: Procedure
    slots: int
    params: tuple[int, ...]
    first: list[Any]
    lines: dict[str, int]
    blocks: list[Block]
    sites: list[Site]
    source: str = ""
    functions: list[Callable[..., Any]] = field(default_factory=list)
    asks: dict[int, Callable[..., Any]] = field(default_factory=dict)
    line_types: dict[str, Type] = field(default_factory=dict)


class Lowering:
    def __init__(self, emitter: Emitter, procedure: Procedure) -> None:
        self.emitter = emitter
        self.procedure = procedure
        self.checked = emitter.checker.procedure(procedure)
        self.blocks: list[Block] = []
        self.sites: list[Site] = []
        self.first: list[Any] = []
        self.snapshot = -1
        self.here = self.block()
        self.asks: list[str] = []
        emitter.allot = self.slot

    def code(self) -> Code:
        params = []
        for variable in self.checked.params:
            params.append(self.slot(variable))
            self.emitter.sure.add(variable)
        for variable in self.checked.lines.values():
            if variable.type.name != "block":
                self.slot(variable)
        self.steps(self.checked.steps)
        self.here.goes = (RETURN,)
        lines = {a: v.slot for a, v in self.checked.lines.items()}
        types = {a: v.type for a, v in self.checked.lines.items()}
        return Code(
            self.procedure, len(self.first), tuple(params), self.first, lines, self.blocks, self.sites,
            self.source(), line_types=types,
        )  # fmt: skip

    # ---- slots, blocks, sites
    def slot(self, variable: t.Variable) -> int:
        if variable.slot < 0 or variable not in self.emitter.slots:
            variable.slot = len(self.first)
            self.first.append(absent(variable.type))
            self.emitter.slots[variable] = f"L[{variable.slot}]"
        return variable.slot

    def temp(self, name: str, type_: Type) -> t.Variable:
        variable = t.Variable(name, type_)
        self.slot(variable)
        return variable

    def block(self) -> Block:
        made = Block(len(self.blocks), snapshot=self.snapshot)
        if self.snapshot >= 0:
            made.uses.add(self.snapshot)
        self.blocks.append(made)
        return made

    def text(self, e: t.Expr) -> str:
        """Python for a pure expression, its reads noted on the block in hand."""
        reads, self.emitter.reads = self.emitter.reads, Reads()
        self.emitter.state = "Z" if self.snapshot >= 0 else "S"
        text = self.emitter.expr(e)
        mine, self.emitter.reads = self.emitter.reads, reads
        if self.snapshot >= 0 and "Z" in text:
            mine.slots.add(self.snapshot)
        self.here.uses |= mine.slots - self.here.defs
        self.here.cells |= mine.cells
        return text

    def put(self, code: str) -> None:
        self.here.body.append(code)

    def assign(self, variable: t.Variable, text: str) -> None:
        self.put(f"L[{self.slot(variable)}] = {text}")
        self.here.defs.add(variable.slot)

    def branch(self, test: str) -> tuple[Block, Block]:
        before, yes, no = self.here, self.block(), self.block()
        before.test, before.goes = test, (yes.index, no.index)
        return yes, no

    def go(self, block: Block, to: Block) -> None:
        block.goes = (to.index,)

    def site(self, kind: str, line: LineInfo, dest: t.Variable | None, question: Callable[[], str], **more: Any) -> Site:
        """Ends the block in hand with a question; goes on in a new block."""
        site = Site(len(self.sites), kind, line, **more)
        self.sites.append(site)
        before = self.here
        self.here = asker = Block(-1)
        text = question()
        site.uses, site.cells = asker.uses, asker.cells
        site.ask = self.emitter.fresh("ask")
        snapshot = f"    Z = L[{self.snapshot}]\n" if self.snapshot >= 0 else ""
        self.asks.append(f"def {site.ask}(L, S):\n{snapshot}    return {text}")
        before.goes = (-2 - site.index,)
        if dest is not None:
            site.dest = self.slot(dest)
            site.type = dest.type
        self.here = self.block()
        site.next = self.here.index
        return site

    # ---- expressions with sites: hoisted left to right
    def hoist(self, e: t.Expr, line: LineInfo) -> t.Expr:
        if not _has_site(e):
            return e
        match e:
            case t.Throw():
                count = self.hoist(e.count, line)
                made = self.temp("dice", e.type)
                self.site("throw", line, made, lambda: f"({self.text(count)}, {e.sides})")
                return t.Var(made, type=e.type)
            case t.Tally():
                count = self.hoist(e.count, line)
                made = self.temp("tally", NUMBER)
                self.site("tally", line, made, lambda: f"({self.text(count)}, {self.text(e.roll)})", passing=e.passing,
                          note=e.roll)  # fmt: skip
                return t.Var(made, type=NUMBER)
            case t.Sort():
                return self._sort(e, line)
            case t.Wish():
                made = self.temp("wish", TRUTH)
                policy = e.policy
                self.site("wish", line, made,
                          lambda: f"({self.text(e.who)}, {self.text(policy) if policy is not None else None})", note=e)  # fmt: skip
                return t.Var(made, type=TRUTH)
            case t.Choose():
                return self._choose(e, line)
            case t.Call():
                return self._call(e, line)
            case t.Op(name="and" | "or"):
                return self._guarded(e, line)
            case t.IfElse():
                condition = self.hoist(e.condition, line)
                made = self.temp("either", e.type)
                self._split(condition, lambda: self._keep(made, e.value, line), lambda: self._keep(made, e.other, line))
                return t.Var(made, type=e.type)
            case t.Op():
                return replace(e, args=tuple(self.hoist(a, line) for a in e.args))
            case t.Attr() | t.Holder() | t.IsKind():
                return replace(e, of=self.hoist(e.of, line))
            case t.Field():
                return replace(e, record=self.hoist(e.record, line))
            case t.Cell():
                return replace(e, row=self.hoist(e.row, line))
            case t.BandAt():
                return replace(e, row=self.hoist(e.row, line), at=self.hoist(e.at, line))
            case t.CallValue() | t.FactOf() | t.RollOf():
                return replace(e, args=tuple(self.hoist(a, line) for a in e.args))
            case t.Filter() | t.Each():
                return replace(e, items=self.hoist(e.items, line))
        raise TypeError(f"a site inside {type(e).__name__}")

    def _keep(self, variable: t.Variable, e: t.Expr, line: LineInfo) -> None:
        self.assign(variable, self.text(self.hoist(e, line)))

    def _guarded(self, e: t.Op, line: LineInfo) -> t.Expr:
        made = self.temp(e.name, TRUTH)
        self._keep(made, e.args[0], line)
        var = t.Var(made, type=TRUTH)
        if e.name == "and":
            self._split(var, lambda: self._keep(made, e.args[1], line), lambda: None)
        else:
            self._split(var, lambda: None, lambda: self._keep(made, e.args[1], line))
        return var

    def _split(self, condition: t.Expr, yes: Callable[[], None], no: Callable[[], None]) -> None:
        a, b = self.branch(self.text(condition))
        self.here = a
        yes()
        end_a = self.here
        self.here = b
        no()
        end_b = self.here
        self.here = self.block()
        self.go(end_a, self.here)
        self.go(end_b, self.here)

    def _sort(self, e: t.Sort, line: LineInfo) -> t.Expr:
        figures = self.hoist(e.figures, line)
        made = self.temp("sorted", e.type)

        def question() -> str:
            name, count = self.emitter.fresh("i"), self.emitter.fresh("n")
            items = self.text(figures)
            self.emitter.slots[e.variable] = name
            return f"[({name}, {count}, {self.text(e.roll)}) for {name}, {count} in {items}]"

        self.site("sort", line, made, question, passing=e.passing, note=e.roll)
        return t.Var(made, type=e.type)

    def _choose(self, e: t.Choose, line: LineInfo) -> t.Expr:
        low, high = self.hoist(e.low, line), self.hoist(e.high, line)
        items = self.hoist(e.items, line) if e.items is not None else None
        made = self.temp("choice", e.type)
        kind = e.items.type.name if e.items is not None else "number"

        def question() -> str:
            text = self.text(items) if items is not None else "None"
            rank = "None"
            if e.order:
                name = self.emitter.fresh("i")
                self.emitter.slots[e.variable] = name
                wishes = ", ".join(f"not ({self.text(w)})" for w in e.order)
                rank = f"lambda {name}: ({wishes},)"
            amount = self.text(e.amount) if e.amount is not None else "None"
            return (
                f"({kind!r}, {e.one}, {self.text(e.who)}, {self.text(low)}, {self.text(high)}, {text}, {rank}, "
                f"{e.most}, {amount})"
            )

        self.site("choose", line, made, question, note=e)
        return t.Var(made, type=e.type)

    def _call(self, e: t.Call, line: LineInfo) -> t.Expr:
        args = [self.hoist(a, line) for a in e.args]
        record = Type("record", e.procedure)
        made = self.temp("record", record)

        def question() -> str:
            texts = [self.text(a) for a in args]
            unsure = [i for i, a in enumerate(args) if a.type.name in ("thing", "figure") and not self.emitter._sure(a)]
            given = "(" + "".join(x + ", " for x in texts) + ")"
            return f"given({given}, {tuple(unsure)})" if unsure else given

        self.site("call", line, made, question, callee=e.procedure, snapshot=self.snapshot)
        var = t.Var(made, type=record)
        for arg, param in zip(args, e.procedure.params, strict=True):
            if arg.type.name == "figure" and isinstance(arg, t.Var):
                back = t.Field(var, e.procedure, returned(param.name), type=arg.type)
                kept = self.text(t.Var(arg.variable, type=arg.type))
                text = self.text(back)
                self.assign(arg.variable, f"{kept} if L[{made.slot}] is None else {text}")
        if e.procedure.table is None:
            return var
        return t.Field(var, e.procedure, "row", type=e.type)

    # ---- steps
    def steps(self, steps: tuple[t.Step, ...]) -> None:
        for step in steps:
            getattr(self, "_step_" + type(step).__name__.lower())(step)

    def note(self, kind: str, line: LineInfo, type_: Type | None, about: Any, values: str, text: str = "") -> None:
        if self.emitter.traced:
            self.put(f"N.append(({self.emitter.note(kind, line, type_, about, text)}, {values}))")

    def _step_assign(self, step: t.Assign) -> None:
        value = self.hoist(step.value, step.line)
        self.assign(step.variable, self.text(value))
        if "?" not in step.variable.name:
            self.note("line", step.line, step.variable.type, step.variable, f"L[{step.variable.slot}]")

    def _step_accumulate(self, step: t.Accumulate) -> None:
        total, value = step.total, step.value
        if total.type.name == "block":
            return
        # A total that nobody reads must not keep alive what it is made of: it is noted apart from the block's own reads.
        before_uses, before_defs = set(self.here.uses), set(self.here.defs)
        a = self.text(t.Var(total, type=total.type))
        b = self.text(t.Var(value, type=value.type))
        self.assign(total, self._summed(total.type, a, b))
        self.here.uses, self.here.defs = before_uses, before_defs
        self.here.faint.append((total.slot, {total.slot, value.slot}))

    def _summed(self, type_: Type, a: str, b: str) -> str:
        """A total and one more round of it."""
        match type_.name:
            case "number" | "inches" | "target":
                return f"({a} or 0) + ({b} or 0)"
            case "truth":
                return f"{a} or {b}"
            case "figures":
                return f"join({a}, {b})"
            case "things" | "rows":
                return f"tuple(sorted({{*{a}, *{b}}}))"
            case "dice":
                return f"tuple(sorted({a} + {b}))"
            case "row" | "thing":
                return f"{b} if {b} >= 0 else {a}"
            case "record":
                return f"{self._record_sum(type_)}({a}, {b})"
        return f"{a} if {b} is None else {b}"

    def _record_sum(self, type_: Type) -> str:
        """A function that adds two records line by line (lines nobody reads are None in both)."""
        key = ("sum", id(type_.of))
        known = self.emitter.constants.get("__sums__", {})
        if key in known:
            return str(known[key])
        name = self.emitter.fresh("sum")
        self.emitter.constants.setdefault("__sums__", {})[key] = name
        checked = self.emitter.checker.procedure(type_.of)
        parts = []
        for i, v in enumerate(checked.lines.values()):
            if v.type.name == "block":
                parts.append("None")
            else:
                parts.append(f"b[{i}] if a[{i}] is None else a[{i}] if b[{i}] is None else {self._summed(v.type, f'a[{i}]', f'b[{i}]')}")
        body = ", ".join(parts)
        self.emitter.source.append(
            f"def {name}(a, b):\n    if a is None: return b\n    if b is None: return a\n    return ({body},)"
        )
        return name

    def _step_reset(self, step: t.Reset) -> None:
        for variable in step.variables:
            if variable.type.name != "block":
                nothing = t.Lit(absent(variable.type), type=variable.type)
                self.assign(variable, self.text(nothing))

    def _step_if(self, step: t.If) -> None:
        condition = self.hoist(step.condition, step.line)
        if self.emitter.traced and condition.where is not None:
            kept = self.temp("if?", TRUTH)
            self.assign(kept, self.text(condition))
            self.note("if", step.line, TRUTH, step, f"L[{kept.slot}]", condition.where.text)
            condition = t.Var(kept, type=TRUTH)
        self._split(condition, lambda: self.steps(step.then), lambda: self.steps(step.other))

    def _step_foreach(self, step: t.ForEach) -> None:
        items = self.hoist(step.items, step.line)
        rest = self.temp("rest", items.type)
        self.assign(rest, self.text(items))
        self.slot(step.variable)
        self.emitter.sure.add(step.variable)
        var = f"L[{rest.slot}]"
        if items.type.name == "figures":
            take = (f"{var}[0][0]", f"without_one({var})")
        else:
            take = (f"{var}[0]", f"{var}[1:]")

        def test() -> str:
            self.here.uses |= {rest.slot} - self.here.defs
            return f"{var}"

        def body() -> None:
            self.here.uses |= {rest.slot} - self.here.defs
            self.assign(step.variable, take[0])
            self.put(f"{var} = {take[1]}")
            self.here.defs.add(rest.slot)
            self.note("line", step.line, step.variable.type, step.variable, f"L[{step.variable.slot}]")
            self.steps(step.body)

        self._loop(step.line, test, body)

    def _step_repeat(self, step: t.Repeat) -> None:
        times = self.hoist(step.times, step.line)
        left = self.temp("left", NUMBER)
        self.assign(left, self.text(times))

        def test() -> str:
            self.here.uses |= {left.slot} - self.here.defs
            return f"L[{left.slot}] > 0"

        def body() -> None:
            self.here.uses |= {left.slot} - self.here.defs
            self.put(f"L[{left.slot}] -= 1")
            self.here.defs.add(left.slot)
            self.steps(step.body)

        self._loop(step.line, test, body)

    def _loop(self, line: LineInfo, test: Callable[[], str], body: Callable[[], None]) -> None:
        """head → body → join → head; worlds of one round meet at the join before the next begins."""
        head = self.block()
        self.go(self.here, head)
        self.here = head
        yes, no = self.branch(test())
        self.here = yes
        body()
        join = Site(len(self.sites), "join", line, next=head.index)
        self.sites.append(join)
        self.here.goes = (-2 - join.index,)
        self.here = no

    def _step_repeatuntil(self, step: t.RepeatUntil) -> None:
        left: t.Variable | None = None
        if step.limit is not None:
            limit = self.hoist(step.limit, step.line)
            left = self.temp("left", NUMBER)
            self.assign(left, self.text(limit))
        head = self.block()
        self.go(self.here, head)
        self.here = head
        inside = len(self.sites)
        if left is not None:
            self.here.uses.add(left.slot)
            self.put(f"L[{left.slot}] -= 1")
            self.here.defs.add(left.slot)
        self.steps(step.body)
        self._next_block()
        done = self.text(self.hoist(step.condition, step.line))
        if left is not None:
            self.here.uses |= {left.slot} - self.here.defs
            done = f"({done}) or L[{left.slot}] <= 0"
        out, again = self.branch(done)
        join = Site(len(self.sites), "join", step.line, next=head.index)
        join.endless = inside if left is None else -1
        self.sites.append(join)
        again.goes = (-2 - join.index,)
        self.here = out

    def _step_together(self, step: t.Together) -> None:
        if self.snapshot >= 0:
            self.steps(step.body)
            return
        kept = self.temp("as it was", Type("any"))
        self.assign(kept, "tuple(S)")
        self.snapshot = kept.slot
        self._next_block()
        self.steps(step.body)
        self.snapshot = -1
        self._next_block()
        self.assign(kept, "None")

    def _next_block(self) -> None:
        made = self.block()
        self.go(self.here, made)
        self.here = made

    # ---- effects
    def _step_setattr(self, step: t.SetAttr) -> None:
        value = self.hoist(step.value, step.line)
        of = self.hoist(step.of, step.line)
        attribute = step.attribute
        text = self.text(value)
        target = self.text(of)
        if attribute.kind.root.counted:
            self._figures(step, of, target, f"put(f, {attribute.place}, {text})")
        else:
            if attribute.type.name in ("number", "inches"):
                text = _clamped(attribute, text)
            self._things(of, target, attribute, text)
        self.note("set", step.line, attribute.type, (attribute, step.of.type), f"{target}, {text}")

    def _step_addattr(self, step: t.AddAttr) -> None:
        amount = self.hoist(step.amount, step.line)
        of = self.hoist(step.of, step.line)
        attribute = step.attribute
        sign = "+" if step.sign > 0 else "-"
        given = self.temp("amount", NUMBER)
        self.assign(given, f"({self.text(amount)} or 0)")
        target = self.text(of)
        if attribute.kind.root.counted:
            text = _clamped(attribute, f"f[{attribute.place}] {sign} L[{given.slot}]")
            self._figures(step, of, target, f"put(f, {attribute.place}, {text})")
        else:
            self._things(of, target, attribute, None, f"{sign} L[{given.slot}]")
        self.note("add", step.line, attribute.type, (attribute, step.of.type, step.sign), f"{target}, L[{given.slot}]")

    def _things(self, of: t.Expr, target: str, attribute: Any, text: str | None, change: str = "") -> None:
        key = self.emitter.layout.key(attribute)
        self.here.writes.add(key)
        if change:
            self.here.cells.add(key)
        many = of.type.name == "things"
        self.put(f"for u in {target if many else f'({target},)'}:")
        value = text if text is not None else _clamped(attribute, f"S[u+{attribute.place}] {change}")
        self.put(f"    if u >= 0: S[u+{attribute.place}] = {value}")

    def _figures(self, step: Any, of: t.Expr, target: str, change: str) -> None:
        """A change of counted things, where they are held; the name that held them sees it too."""
        attribute = step.attribute
        counted = attribute.kind
        layout = self.emitter.layout
        key, gone = layout.bag_key(counted), layout.gone_key(counted)
        self.here.writes.add(key)
        self.here.cells.add(key)
        one = of.type.name == "figure"
        part = f"only_figure({target})" if one else target
        leaving = attribute.out_of_play and isinstance(step, t.SetAttr)
        self.put(f"part = {part}")
        self.put("for u, p in parts_by_holder(part):")
        if leaving:
            self.here.writes.add(gone)
            self.here.cells.add(gone)
            self.put(f"    went = common(S[u+{key[1]}], p)")
            self.put(f"    S[u+{key[1]}] = without(S[u+{key[1]}], went)")
            self.put(f"    S[u+{gone[1]}] = join(S[u+{gone[1]}], bag([({change}, n) for f, n in went]))")
        else:
            self.put(f"    S[u+{key[1]}] = changed(S[u+{key[1]}], p, lambda f: {change})")
        if isinstance(of, t.Var):
            renamed = f"(lambda f: {change})({target})" if one else f"bag([({change}, n) for f, n in part])"
            renamed = f"{renamed} if {target} is not None else None" if one else renamed
            self.assign(of.variable, renamed)

    def _step_rehome(self, step: t.Rehome) -> None:
        of, to = self.hoist(step.figures, step.line), self.hoist(step.to, step.line)
        target, goal = self.text(of), self.text(to)
        key = self.emitter.layout.bag_key(of.type.of)
        self.here.writes.add(key)
        self.here.cells.add(key)
        part = f"only_figure({target})" if of.type.name == "figure" else target
        self.put(f"part = {part}")
        self.put("for u, p in parts_by_holder(part):")
        self.put(f"    went = common(S[u+{key[1]}], p)")
        self.put(f"    S[u+{key[1]}] = without(S[u+{key[1]}], went)")
        self.put(f"    S[{goal}+{key[1]}] = join(S[{goal}+{key[1]}], bag([(put(f, 0, {goal}), n) for f, n in went]))")
        self.note("rehome", step.line, of.type, step, f"{target}, {goal}")

    def _step_leave(self, step: t.Leave) -> None:
        thing = self.text(self.hoist(step.thing, step.line))
        self.here.writes.add(IN_PLAY)
        self.here.cells.add(IN_PLAY)
        self.put(f"S[0] = tuple([u for u in S[0] if u != {thing}])")
        self.note("leave", step.line, step.thing.type, step, thing)

    def _step_new(self, step: t.New) -> None:
        layout = self.emitter.layout
        cells = self.emitter.constant(layout.thing(step.kind), "cells")
        given = [(a, self.text(self.hoist(v, step.line))) for a, v in step.given]
        self.here.writes.add(IN_PLAY)
        self.here.cells.add(IN_PLAY)
        self.put("made = len(S)")
        self.put(f"S.extend({cells})")
        for attribute, text in given:
            self.here.writes.add(layout.key(attribute))
            self.put(f"S[made+{attribute.place}] = {text}")
        self.put("S[0] = (*S[0], made)")
        self.assign(step.variable, "made")
        self.note("new", step.line, step.variable.type, step, "made")

    def _step_tell(self, step: t.Tell) -> None:
        if not self.emitter.traced:
            return
        parts = [self.text(self.hoist(e, step.line)) if e is not None else "None" for e in (step.subject, step.amount, step.goal)]
        self.note("tell", step.line, None, step, ", ".join(parts), step.what)

    # ---- Python
    def source(self) -> str:
        parts = list(self.asks)
        for block in self.blocks:
            body = [f"    Z = L[{block.snapshot}]"] if block.snapshot >= 0 else []
            body += [f"    {line}" for line in block.body]
            if len(block.goes) == 2:
                body.append(f"    return {block.goes[0]} if {block.test} else {block.goes[1]}")
            else:
                body.append(f"    return {block.goes[0] if block.goes else RETURN}")
            parts.append(f"def b{block.index}(L, S):\n" + "\n".join(body))
        return "\n".join(parts)


def _clamped(attribute: Any, text: str) -> str:
    """A number stays within what its attribute declares."""
    if attribute.low is None or attribute.high is None:
        return text
    return f"min({attribute.high}, max({attribute.low}, {text}))"


def _has_site(e: Any) -> bool:
    if isinstance(e, t.SITES):
        return True
    match e:
        case t.Op() | t.CallValue() | t.FactOf() | t.RollOf():
            return any(_has_site(a) for a in e.args)
        case t.Attr() | t.Holder() | t.IsKind():
            return _has_site(e.of)
        case t.IfElse():
            return _has_site(e.condition) or _has_site(e.value) or _has_site(e.other)
        case t.Field():
            return _has_site(e.record)
        case t.Cell():
            return _has_site(e.row)
        case t.BandAt():
            return _has_site(e.row) or _has_site(e.at)
        case t.Filter() | t.Each():
            return _has_site(e.items)
    return False
