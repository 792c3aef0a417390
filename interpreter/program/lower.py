"""Typed steps → the graph of a procedure: blocks, sites, loops, snapshots.

Enters: a checked procedure. Leaves: `Code`. Worlds of one round of a loop meet at a join before the next
round begins. Knows nothing of how questions are answered.
"""

from __future__ import annotations

from collections.abc import Callable

from interpreter.rulebook import typed as t
from interpreter.rulebook.construct import absent
from interpreter.rulebook.symbols import LineInfo
from interpreter.vocabulary.types import NUMBER, TRUTH, Type

from .code import RETURN, Code, Site
from .effects import Effects


class Lowering(Effects):
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
            self.procedure,
            len(self.first),
            tuple(params),
            self.first,
            lines,
            self.blocks,
            self.sites,
            self.source(),
            line_types=types,
        )

    def steps(self, steps: tuple[t.Step, ...]) -> None:
        for step in steps:
            getattr(self, "_step_" + type(step).__name__.lower())(step)

    def _step_assign(self, step: t.Assign) -> None:
        value = self.hoist(step.value, step.line)
        source = value.record if isinstance(value, t.Field) else value
        if isinstance(source, t.Var):
            self.copy(step.variable, self.emitter.expr(value), self.slot(source.variable))
        else:
            self.assign(step.variable, self.text(value))
        if "?" not in step.variable.name:
            self.note("line", step.line, step.variable.type, step.variable, f"L[{step.variable.slot}]")

    def _step_accumulate(self, step: t.Accumulate) -> None:
        total, value = step.total, step.value
        if total.type.name == "block":
            return
        a, b = self.slot(total), self.slot(value)
        self.copy(total, self._summed(total.type, f"L[{a}]", f"L[{b}]"), a, b)

    def _summed(self, type_: Type, a: str, b: str) -> str:
        """A total and one more round of it. What nobody reads may be None: it is added up all the same."""
        match type_.name:
            case "number" | "inches" | "target":
                return f"({a} or 0) + ({b} or 0)"
            case "truth":
                return f"{a} or {b}"
            case "figures":
                return f"join({a}, {b})"
            case "things" | "rows":
                return f"tuple(sorted({{*({a} or ()), *({b} or ())}}))"
            case "dice":
                return f"tuple(sorted(({a} or ()) + ({b} or ())))"
            case "row" | "thing":
                return f"{a} if {b} in (None, -1) else {b}"
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
                both = self._summed(v.type, f"a[{i}]", f"b[{i}]")
                parts.append(f"b[{i}] if a[{i}] is None else a[{i}] if b[{i}] is None else {both}")
        body = "".join(f"{part}, " for part in parts)
        self.emitter.source.append(
            f"def {name}(a, b):\n    if a is None: return b\n    if b is None: return a\n    return ({body})"
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

        def body() -> None:
            self.use(rest)
            self.assign(step.variable, take[0])
            self.assign(rest, take[1])
            self.note("line", step.line, step.variable.type, step.variable, f"L[{step.variable.slot}]")
            self.steps(step.body)

        self._loop(step.line, lambda: self.use(rest), body)

    def _step_repeat(self, step: t.Repeat) -> None:
        times = self.hoist(step.times, step.line)
        left = self.temp("left", NUMBER)
        self.assign(left, self.count(times))

        def body() -> None:
            self.assign(left, f"{self.use(left)} - 1")
            self.steps(step.body)

        self._loop(step.line, lambda: f"{self.use(left)} > 0", body)

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
            self.assign(left, self.count(limit))
        head = self.block()
        self.go(self.here, head)
        self.here = head
        inside = len(self.sites)
        if left is not None:
            self.assign(left, f"{self.use(left)} - 1")
        self.steps(step.body)
        self._next_block()
        done = self.text(self.hoist(step.condition, step.line))
        if left is not None:
            done = f"({done}) or {self.use(left)} <= 0"
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
