"""Lowering of typed steps to the tree of a procedure (`Code`).

What a round of a loop does after its last question (its sums, its counter) is kept out of the round, so that a round
depends only on what it reads and can be memoized.
"""

from __future__ import annotations

from interpreter.rulebook import typed as t
from interpreter.rulebook.construct import absent
from interpreter.rulebook.symbols import LineInfo, Procedure
from interpreter.vocabulary.operations import OPERATIONS
from interpreter.vocabulary.types import NUMBER, TRUTH, Type

from . import adding
from .code import Code, Do, Item, Site, Until, View, While, inside, reads_of
from .effect_lowering import Effects
from .expression_lowering import Emitter
from .hoist import Hoisting
from .operation_lowering import nothing_in, united_lines
from .origins import kinds_made_alike, with_origins, without_origins
from .statements import Keep, Set, SetCell
from .terms import NONE, NOTHING, ONE, ZERO, And, Behind, Member, Or, Term, call, infix
from .trace_notes import conjuncts, looks_at_dice, of_faces, operands, shows_faces

_COUNTED = ("number", "inches", "truth")


class Lowering:
    """Lowers one procedure: `builder` lowers expressions and builds the tree, `effects` lowers steps that change
    things.
    """

    def __init__(self, emitter: Emitter, procedure: Procedure) -> None:
        self.emitter = emitter
        self.builder = Hoisting(emitter, procedure)
        self.effects = Effects(self.builder)
        self.thrown: set[t.Variable] = set()  # in a traced program: lines whose value shows dice

    def code(self) -> Code:
        params = []
        for variable in self.builder.checked.params:
            params.append(self.builder.slot(variable))
            self.emitter.sure.add(variable)
        for variable in self.builder.checked.lines.values():
            if variable.type.name != "block":
                self.builder.slot(variable)
        self.steps(self.builder.checked.steps)
        lines = {a: self.emitter.own.get(v, -1) for a, v in self.builder.checked.lines.items()}
        builder = self.builder
        made = (builder.procedure, tuple(params), builder.first, lines, builder.items, builder.sites)
        return Code(*made, weight=self.builder.weight, checked=self.builder.checked)

    def steps(self, steps: tuple[t.Step, ...]) -> None:
        for step in steps:
            self._step(step)

    def _step(self, step: t.Step) -> None:
        match step:
            case t.Assign():
                self._assign(step)
            case t.Accumulate():
                self._accumulate(step)
            case t.Reset():
                self._reset(step)
            case t.If():
                self._if(step)
            case t.Case():
                self._case(step)
            case t.ForEach():
                self._for_each(step)
            case t.Repeat():
                self._repeat(step)
            case t.RepeatUntil():
                self._repeat_until(step)
            case t.Together():
                self._together(step)
            case t.SetAttr():
                self.effects.step_setattr(step)
            case t.SetFact():
                self.effects.step_setfact(step)
            case t.AddAttr():
                self.effects.step_addattr(step)
            case t.Rehome():
                self.effects.step_rehome(step)
            case t.Leave():
                self.effects.step_leave(step)
            case t.SetOngoing():
                place = self.emitter.layout.ongoing_key(step.moment)
                value = self.builder.term(self.builder.hoist(step.value, step.line))
                self.builder.do(SetCell(None, place[1], value, writes=frozenset((place,))))
            case t.New():
                self.effects.step_new(step)
            case t.Tell():
                self.effects.step_tell(step)
            case t.Done():
                pass  # the flag for whether it ran, if needed, is a step of its own
            case _:
                raise TypeError(type(step).__name__)

    def _assign(self, step: t.Assign) -> None:
        asked = len(self.builder.sites)
        value = self.builder.hoist(step.value, step.line)
        if self.emitter.traced and shows_faces(step.value, self.thrown):
            self.thrown.add(step.variable)
        if self.emitter.traced and step.variable.name.endswith("?"):  # a flag that `otherwise` lines test
            value = self._note_condition(value, step.value, step.line)
        if isinstance(value, t.Filter) and step.variable in self.builder.looks:
            self.builder.look(value, step.line, self.builder.looks[step.variable])
        site = self._own_question(value, asked)
        if site is not None:
            site.dest = self.builder.slot(step.variable)
        else:
            made = self.noting_term(value, step.line)
            if step.variable.type.name == "list" and step.variable.type.of is not None:  # not the portions of a deal
                made = call("listed", made)
            self.builder.let(step.variable, made, view=self._view(value))
        self.builder.named(step.variable, step.value)
        if isinstance(value, t.Fitting) and self.emitter.traced:
            values = [self.builder.term(value.items), self.builder.name(step.variable)]
            self.builder.note("fits", step.line, step.variable.type, value.mark, values)
        if "?" not in step.variable.name:
            parts = operands(value) if self.emitter.traced and step.variable.type.name in _COUNTED else []
            name = self.builder.name(step.variable)
            way = _dice_derivation(step.value) or ("dice" if parts and self._on_dice(value) else "")
            self.builder.note("line", step.line, step.variable.type, step.variable, [name], way, parts)

    def _own_question(self, value: t.Expr, before: int) -> Site | None:
        """The question that makes up a whole line, so that it can set the line's slot directly; else None.

        A question of another line keeps its own variable, even if this line only copies it.
        """
        last = self.builder.items[-1] if self.builder.items else None
        if isinstance(last, Site) and last.index >= before and isinstance(value, t.Var):
            return last if last.dest == self.emitter.own.get(value.variable) else None
        return None

    def noting_term(self, e: t.Expr, line: LineInfo) -> Term:
        """Return the result of `term`; in a traced program, filters note each member."""
        self.emitter.asking = line if self.emitter.traced else None
        found = self.builder.term(e)
        self.emitter.asking = None
        return found

    def _view(self, value: t.Expr) -> View | None:
        """The view of a line that only counts dice already thrown, by a roll; else None."""
        match value:
            case t.Op(name="meeting" | "missing", args=(t.Var(variable=dice), t.RollOf() as roll)):
                slot = self.emitter.own.get(dice)
                return None if slot is None else View(slot, self.builder.term(roll), value.name == "meeting")
        return None

    def _accumulate(self, step: t.Accumulate) -> None:
        total, value = step.total, step.value
        if total.type.name == "block":
            return
        if value in self.thrown:
            self.thrown.add(total)
        if total.type.name == "figures":
            both = (t.Var(total, type=total.type), t.Var(value, type=value.type))
            self.builder.let(total, self.builder.now(t.Op("join", both, type=total.type)))
            self.builder.summed(total, value)
            return
        held = (self.builder.slot(value), total) if total.type.name == "record" else None
        added = self._sum_term(total.type, self.builder.name(total), self.builder.name(value))
        if held is not None:
            lines = added
            added = self.builder.with_state(lambda: united_lines(self.emitter, total, value, lines))
        adds = self.builder.slot(value) if step.rounds and total.type.name in ("number", "inches") else -1
        self.builder.let(total, added, adds=adds, total=held)
        if step.rounds:
            self.builder.summed(total, value)
        else:
            self.builder.joined(step)

    def _sum_term(self, type_: Type, a: Term, b: Term) -> Term:
        """The sum of a total and one more round."""
        if type_.name != "record":
            return adding.added(type_, a, b)
        known = self.emitter.record_sums
        if type_.of not in known:
            known[type_.of] = self.emitter.constant(adding.RecordSum(self.emitter.checker, type_.of), "sum")
        return call(known[type_.of].name, a, b)

    def _reset(self, step: t.Reset) -> None:
        for variable in (*step.variables, *(self.builder.looks[v] for v in step.variables if v in self.builder.looks)):
            if variable.type.name != "block":
                self.builder.let(variable, self.builder.term(t.Lit(absent(variable.type), type=variable.type)))
                self.builder.clear_name(variable)

    def _if(self, step: t.If) -> None:
        condition = self.builder.hoist(step.condition, step.line)
        if self.emitter.traced:
            condition = self._note_condition(condition, step.condition, step.line)
        self.builder.branch(condition, lambda: self._inside(step.then), lambda: self._inside(step.other))

    def _inside(self, steps: tuple[t.Step, ...]) -> None:
        with self.builder.names.nested():
            self.steps(steps)

    def _note_condition(self, condition: t.Expr, written: t.Expr, line: LineInfo) -> t.Expr:
        """In a traced program, the condition with each conjunct in a variable, and a note that tells which one failed.

        Parts without source text are not noted.
        """
        parts, page = conjuncts(condition), conjuncts(written)
        if len(page) != len(parts) or any(p.where is None for p in page):
            parts, page = [condition], [written]  # hoisting has changed the conjuncts
        texts = [p.where.text if p.where is not None else "" for p in page]
        if not any(texts):
            return condition
        kept: list[Term] = []
        for part in parts:
            holds = self.builder.term(part)
            variable = self.builder.temp("if?", TRUTH)
            self.builder.let(variable, And((kept[-1], holds)) if kept else holds)
            kept.append(self.builder.name(variable))
        spoken = [operands(self.builder.plain.get(p.variable, p) if isinstance(p, t.Var) else p) for p in parts]
        about = tuple(zip(texts, map(self._on_dice, page), map(len, spoken), strict=True))
        self.builder.note(
            "if", line, TRUTH, about, [kept[-1], *kept[:-1]], "", [part for its in spoken for part in its]
        )
        return t.Var(variable, type=TRUTH)

    def _on_dice(self, e: t.Expr) -> bool:
        return looks_at_dice(e, self.emitter.checker.procedure, self.thrown)

    def _case(self, step: t.Case) -> None:
        self.builder.note("case", step.line, None, step, [NONE])

    def _for_each(self, step: t.ForEach) -> None:
        items = self.builder.hoist(step.items, step.line)
        rest = self.builder.temp("rest", items.type)
        every = self.noting_term(items, step.line)
        if items.type.name == "list":
            every = call("one_by_one", every, nothing_in(items.type.of))
        self.builder.let(rest, every)
        self.builder.slot(step.variable)
        self.emitter.sure.add(step.variable)
        left = self.builder.name(rest)
        loop = While(step.line, left)
        with self.builder.into(loop.first):
            if items.type.name == "figures":
                loop.rest, loop.each = self.builder.slot(rest), self.builder.slot(step.variable)
                self.builder.let(step.variable, Member(Member(left, ZERO), ZERO))
                self.builder.let(rest, call("without_one", left))
            else:
                self.builder.let(step.variable, Member(left, ZERO))
                self.builder.let(rest, Behind(left))
            if "?" not in step.variable.name:
                self.builder.note(
                    "each", step.line, step.variable.type, step.variable, [self.builder.name(step.variable)]
                )
            self.builder.named(step.variable, step.items)
        if items.type.name == "figures":
            self.builder.track_remaining(rest, step)
        self.builder.totals(step)
        with self.builder.into(loop.body):
            self._inside(step.body)
        _split_round_end(loop)
        self.builder.items.append(loop)

    def _repeat(self, step: t.Repeat) -> None:
        left = self.builder.temp("left", NUMBER)
        self.builder.let(left, self.builder.count(self.builder.hoist(step.times, step.line)))
        name = self.builder.name(left)
        loop = While(step.line, infix(name, ">", ZERO), rest=self.builder.slot(left))
        with self.builder.into(loop.first):
            self.builder.let(left, infix(name, "-", ONE))
            self.builder.note("round", step.line, None, step, [NONE])
        self.builder.totals(step)
        with self.builder.into(loop.body):
            self._inside(step.body)
        _split_round_end(loop)
        self.builder.items.append(loop)

    def _repeat_until(self, step: t.RepeatUntil) -> None:
        left: t.Variable | None = None
        if step.limit is not None:
            left = self.builder.temp("left", NUMBER)
            self.builder.let(left, self.builder.count(self.builder.hoist(step.limit, step.line)))
        body: list[Item] = []
        self.builder.totals(step)
        with self.builder.into(body):
            self.builder.note("round", step.line, None, step, [NONE])
            self._inside(step.body)
            test = self.builder.term(self.builder.hoist(step.condition, step.line))
        if left is not None:
            test = Or((test, infix(self.builder.name(left), "<=", ZERO)))
        loop = Until(step.line, left is None, test, body)
        _split_round_end(loop)
        if left is not None:
            with self.builder.into(loop.last):
                self.builder.let(left, infix(self.builder.name(left), "-", ONE))
        if left is None or (isinstance(step.limit, t.Lit) and (step.limit.value or 0) > 0):
            self.builder.items.append(loop)
            return
        some = t.Op("more", (t.Var(left, type=NUMBER), t.Lit(0, type=NUMBER)), type=TRUTH)
        self.builder.branch(some, lambda: self.builder.items.append(loop), lambda: None)  # a limit of 0: no round

    def _together(self, step: t.Together) -> None:
        if self.builder.snapshot >= 0:
            self.steps(step.body)
            return
        kept = self.builder.slot(self.builder.temp("as it was", Type("any")))
        alike = kinds_made_alike(self.emitter.checker, step)
        self.builder.change_everywhere(alike, with_origins(alike))
        self.builder.do(Keep(kept))
        self.builder.snapshot = kept
        self.builder.begin_together()
        self.steps(step.body)
        self.builder.snapshot = -1
        self.builder.do(Set(kept, NONE))
        self.builder.change_everywhere(alike, without_origins(alike))


def _dice_derivation(e: t.Expr) -> str:
    """How a line's value derives from dice, for the trace.

    `sum` if something is added to them, else which of them are counted; `judged` if it counts passes as part of a
    larger expression.
    """
    if not isinstance(e, t.Op):
        return ""
    row = OPERATIONS[e.name]
    if row.in_trace and (not row.sums or any(of_faces(a) for a in e.args)):
        return row.in_trace
    parts = list(t.parts(e))
    met = [p.args[0] for p in parts if isinstance(p, t.Op) and p.name == "meeting"]
    judged = [p for m in met for p in t.parts(m)]
    thrown = [p for p in parts if isinstance(p, t.Var | t.Field) and p.type.name in ("dice", "faces")]
    return "judged" if met and all(any(p is j for j in judged) for p in thrown) else ""


def _split_round_end(loop: While | Until) -> None:
    """Move statements at the end of a round out of it (`last`), because totals grow with every round and the round must
    not read them.

    Statements that read only what the round reads anyway stay inside, where they are memoized with it.
    """
    while loop.body and isinstance(last := loop.body[-1], Do) and not last.stays:
        loop.last.insert(0, last)
        loop.body.pop()
    reads, made = NOTHING, set[int]()
    for item in inside(loop.body):
        reads |= reads_of(item)
        if isinstance(item, Do):
            made.add(item.sets)
        elif isinstance(item, Site):
            made |= {item.dest, *item.lands}
    while loop.last and loop.body:
        uses = loop.last[0].uses
        if uses.slots - made - reads.slots or uses.cells - reads.cells:
            return
        made.add(loop.last[0].sets)
        loop.body.append(loop.last.pop(0))
