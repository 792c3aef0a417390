"""Where it decides a number that alike figures are only counted.

Two names for alike figures that have nothing to do with each other are taken to have as few in common as must be.
That is not what dice or lots give: it is told where both are put together, taken from each other, or where one is
changed and the other is asked afterwards; and in a loop over figures whose rounds change others of them. Enters: a
checked book without errors. Leaves: findings at the line. Figures that were marked before the next are found are told
apart by the mark. What a call hands back, and figures that a procedure is told, are taken to be nobody else.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from interpreter.rulebook import typed as t
from interpreter.rulebook.procedures import ProcedureChecker
from interpreter.rulebook.symbols import Attribute, LineInfo, Procedure
from interpreter.source import Label, Problems
from interpreter.source.values import Record, Struct, field

from .knowing import Keys

Base = tuple[Any, int]  # a kind, and whose figures they are


class _Draw(Struct, eq=False):
    """Figures that dice, lots or somebody found; `known`, those found before with which it is exact what it shares."""

    line: LineInfo
    bases: frozenset[Base]
    known: frozenset[Any] = frozenset()
    inside: frozenset[Any] = frozenset()  # the loops in which it is found


_Token = _Draw | t.Variable  # figures that were found, or that have a name


class _Group(Struct, eq=False):
    """The figures of an expression: those found (`draws`) that say who they are, those that they are all of (`within`),
    none of (`apart`), and that are all among them (`holds`).
    """

    bases: frozenset[Base] = frozenset()
    draws: frozenset[_Draw] = frozenset()
    within: frozenset[_Token] = frozenset()
    apart: frozenset[_Token] = frozenset()
    holds: frozenset[_Token] = frozenset()

    def strange_to(self, other: _Group) -> bool:
        """Whether nobody knows how many are in both."""
        if self.within & other.apart or other.within & self.apart:
            return False
        return any(
            a is not b and a not in b.known and b not in a.known and a.bases & b.bases
            for a in self.draws
            for b in other.draws
        )


NOBODY = _Group()


class _Change(Struct, eq=False):
    """An effect on figures: by a line of the page, or in what it calls."""

    group: _Group
    attribute: Attribute | None  # None: they go over to another unit
    line: LineInfo
    at: int
    step: t.Step


class _Loop(Record):
    step: t.ForEach | t.Repeat | t.RepeatUntil
    began: int
    bases: frozenset[Any]  # what differs from round to round
    together: bool
    man: _Draw | None = None
    group: _Group = NOBODY
    changes: list[_Change] = field(default_factory=list)


def check_alike(checker: ProcedureChecker, problems: Problems) -> None:
    far = _Far(checker)
    for procedure in checker.book.procedures.values():
        checked = checker.procedure(procedure)
        if any(v.type.name in ("figure", "figures") for v in _given(checked)):
            _Page(procedure.name, checked, far, problems).go()


def _given(checked: t.Checked) -> list[t.Variable]:
    return [step.variable for step in (*checked.inside[t.Assign], *checked.inside[t.ForEach])]


class _Far:
    """What calls, values and rolls look at and change."""

    def __init__(self, checker: ProcedureChecker) -> None:
        self.checker = checker
        self._reads: dict[Any, frozenset[Attribute]] = {}
        self._changes: dict[Procedure, list[tuple[t.Expr, Attribute | None, bool]]] = {}

    def reads(self, e: Any) -> frozenset[Attribute]:
        """The attributes that are asked in something, through all that it calls."""
        found: set[Attribute] = set()
        left: list[Any] = [e]
        seen: set[Any] = set()
        while left:
            for part in t.parts(left.pop()):
                match part:
                    case t.Attr(attribute=attribute):
                        found.add(attribute)
                    case t.CallValue(value=asked) | t.RollOf(roll=asked) if asked not in seen:
                        seen.add(asked)
                        changes = self.checker.pure(asked).changes
                        left += [tuple(e for e in (c.amount, c.per, c.condition) if e is not None) for c in changes]
                    case t.Call(procedure=called) if called not in seen:
                        seen.add(called)
                        left.append(self.checker.procedure(called).steps)
        return frozenset(found)

    def changes(self, procedure: Procedure) -> list[tuple[t.Expr, Attribute | None, bool]]:
        """Whose figures a call changes, as its parameters say it: those of a thing, or those that it is told; and
        whether they were found by dice, lots or somebody.
        """
        if procedure in self._changes:
            return self._changes[procedure]
        found = self._changes[procedure] = []
        checked = self.checker.procedure(procedure)
        lines = {step.variable: step.value for step in checked.inside[t.Assign]}
        for part in t.parts(checked.steps):
            match part:
                case t.SetAttr(of=of, attribute=attribute) | t.AddAttr(of=of, attribute=attribute):
                    self._traced(of, attribute, False, lines, checked.params, found)
                case t.Rehome(figures=of):
                    self._traced(of, None, False, lines, checked.params, found)
                case t.Call(procedure=callee, args=args) if callee is not procedure:
                    told = dict(zip(self.checker.procedure(callee).params, args, strict=True))
                    for e, what, drawn in list(self.changes(callee)):
                        self._traced(_told(e, told), what, drawn, lines, checked.params, found)
        return found

    def _traced(
        self,
        e: t.Expr | None,
        attribute: Attribute | None,
        drawn: bool,
        lines: dict[t.Variable, t.Expr],
        params: Sequence[t.Variable],
        found: list[tuple[t.Expr, Attribute | None, bool]],
    ) -> None:
        """Follow a name back to what it was found in."""
        seen: set[t.Variable] = set()
        while e is not None:
            match e:
                case t.Var(variable=variable) if variable in params:
                    if variable.type.name in ("figure", "figures"):
                        found.append((e, attribute, drawn))
                    return
                case t.Var(variable=variable) if variable not in seen:
                    seen.add(variable)
                    e = lines.get(variable)
                case t.Bag(of=t.Var(variable=variable)) if variable in params:
                    found.append((e, attribute, drawn))
                    return
                case t.Lots(items=inner) | t.Choose(items=inner) | t.Sort(figures=inner):
                    e, drawn = inner, True
                case t.Filter(items=inner) | t.Extreme(items=inner) | t.Fitting(items=inner):
                    e = inner
                case t.Op(name="without" | "only" | "first-of-figures" as name, args=(inner, *_)):
                    e, drawn = inner, drawn or name == "without"
                case _:
                    return


def _told(e: t.Expr, told: dict[t.Variable, t.Expr]) -> t.Expr | None:
    """What a callee says of its parameters, as the caller says it."""
    match e:
        case t.Var(variable=variable):
            return told[variable]
        case t.Bag(of=t.Var(variable=variable)):
            return t.Bag(told[variable], e.kind, e.gone, type=e.type)
    return None


class _Page:
    """One procedure, line by line."""

    def __init__(self, name: str, checked: t.Checked, far: _Far, problems: Problems) -> None:
        self.name = name
        self.checked = checked
        self.far = far
        self.problems = problems
        self.keys = Keys()
        self.named: dict[t.Variable, _Group] = {}
        self.marked: frozenset[_Token] = frozenset()
        self.loops: list[_Loop] = []
        self.at = 0
        self.together = False
        self.changes: list[tuple[_Change, dict[t.Variable, _Group], int]] = []
        self.uses: dict[t.Variable, list[tuple[int, t.Step]]] = {}
        self.told: set[frozenset[_Draw]] = set()

    def go(self) -> None:
        self.walk(self.checked.steps)
        for change, named, began in self.changes:
            self._asked_afterwards(change, named, began)

    # ---- who they are
    def of(self, e: t.Expr, line: LineInfo) -> _Group:
        match e:
            case t.Var(variable=variable):
                return self.named.get(variable, NOBODY)
            case t.Bag(of=of, kind=kind):
                return _Group(frozenset(((kind.root, self.keys.of(of)),)))
            case t.Filter(items=inner) | t.Extreme(items=inner) | t.Fitting(items=inner):
                group = self.of(inner, line)
                return _Group(group.bases, group.draws, group.within, group.apart)
            case t.Lots(items=inner) | t.Sort(figures=inner):
                return self.found(inner, line)
            case t.Choose(items=inner) if inner is not None:
                return self.found(inner, line)
            case t.Op(name="only", args=(inner,)):
                return self.of(inner, line)
            case t.Op(name="first-of-figures", args=(inner, *_)):
                return self.found(inner, line)
            case t.Op(name="without", args=(inner, less)):
                one, two = self.of(inner, line), self.of(less, line)
                return _Group(one.bases, one.draws | two.draws, one.within, one.apart | two.holds)
            case t.Op(name="join", args=(left, right)):
                one, two = self.of(left, line), self.of(right, line)
                both = one.bases | two.bases, one.draws | two.draws, one.within & two.within, one.apart & two.apart
                return _Group(*both, one.holds | two.holds)
            case t.IfElse(value=left, other=right):
                one, two = self.of(left, line), self.of(right, line)
                both = one.bases | two.bases, one.draws | two.draws, one.within & two.within, one.apart & two.apart
                return _Group(*both, one.holds & two.holds)
        return NOBODY

    def found(self, items: t.Expr, line: LineInfo) -> _Group:
        """Some of these, nobody knows which of those alike."""
        group = self.of(items, line)
        known = group.draws | self.marked
        for draw in group.draws:
            known |= draw.known
        inside = frozenset(loop.step for loop in self.loops)
        draw = _Draw(line, group.bases, known, inside)
        mine = frozenset((draw,))
        return _Group(group.bases, mine, group.within | mine, group.apart, mine)

    def _given(self, variable: t.Variable, value: t.Expr, line: LineInfo) -> _Group:
        """A name has figures. What a deal puts aside (`lucky?`) it hands out once."""
        if variable.name.endswith("?") and isinstance(value, t.Choose | t.Lots) and value.items is not None:
            value = value.items
        group = self.of(value, line)
        mine = frozenset((variable,))
        return _Group(group.bases, group.draws, group.within | mine, group.apart, group.holds | mine)

    # ---- line by line
    def walk(self, steps: Iterable[t.Step]) -> None:
        for step in steps:
            self.at += 1
            self._look(step)
            match step:
                case t.Assign(variable=variable, value=value) if variable.type.name in ("figure", "figures"):
                    self.named[variable] = self._given(variable, value, step.line)
                case t.If():
                    before, marked = dict(self.named), self.marked
                    self.walk(step.then)
                    then, self.named = self.named, before
                    after, self.marked = self.marked, marked
                    self.walk(step.other)
                    self.named = then | self.named
                    self.marked &= after
                case t.ForEach() | t.Repeat() | t.RepeatUntil():
                    self._loop(step)
                case t.Together():
                    outer, self.together = self.together, True
                    self.walk(step.body)
                    self.together = outer
                case t.SetAttr(of=of, attribute=attribute) | t.AddAttr(of=of, attribute=attribute):
                    self._changed(of, attribute, step)
                case t.Rehome(figures=of):
                    self._changed(of, None, step)
                case t.Accumulate(total=total, value=value) if value in self.named:
                    self.named[total] = self.named[value]
            self._called(step)

    def _own(self, step: t.Step) -> list[Any]:
        """The expressions of a step, without the steps inside."""
        held = [getattr(step, name) for name in t.holding(type(step))]
        return [h for h in held if not (type(h) is tuple and h and isinstance(h[0], t.Step))]

    def _look(self, step: t.Step) -> None:
        """What a line puts together or takes away; which names it asks."""
        for part in t.parts(tuple(self._own(step))):
            match part:
                case t.Var(variable=variable) if variable.type.name in ("figure", "figures"):
                    self.uses.setdefault(variable, []).append((self.at, step))
                case t.Op(name="join" | "without", args=(left, right)) if part.type.name == "figures":
                    self._two(self.of(left, step.line), self.of(right, step.line), step.line)

    def _called(self, step: t.Step) -> None:
        for part in t.parts(tuple(self._own(step))):
            if isinstance(part, t.Call):
                told = dict(zip(self.far.checker.procedure(part.procedure).params, part.args, strict=True))
                for e, attribute, drawn in self.far.changes(part.procedure):
                    whose = _told(e, told)
                    if whose is None:
                        continue
                    group = self.found(whose, step.line) if drawn else self.of(whose, step.line)
                    self._note(_Change(group, attribute, step.line, self.at, step))

    def _changed(self, of: t.Expr, attribute: Attribute | None, step: t.Step) -> None:
        if of.type.name not in ("figure", "figures"):
            return
        group = self.of(of, step.line)
        self._note(_Change(group, attribute, step.line, self.at, step))
        if not self.together:
            self.marked |= group.holds

    def _note(self, change: _Change) -> None:
        if not change.group.draws:
            return  # all that are alike, or none of them
        began = self.loops[0].began if self.loops else self.at
        self.changes.append((change, dict(self.named), began))
        for loop in self.loops:
            loop.changes.append(change)

    # ---- loops
    def _loop(self, step: t.ForEach | t.Repeat | t.RepeatUntil) -> None:
        parts = t.parts(step.body)
        fresh: set[Any] = {p.variable for p in parts if isinstance(p, t.Assign | t.ForEach | t.New)}
        loop = _Loop(step, self.at, frozenset(fresh), self.together)
        marked = self.marked
        self.loops.append(loop)
        if isinstance(step, t.ForEach):
            loop.bases |= {step.variable}
            if step.variable.type.name == "figure":
                loop.group = self.of(step.items, step.line)
                self.named[step.variable] = self.found(step.items, step.line)
                (loop.man,) = self.named[step.variable].draws
        self.walk(step.body)
        self.loops.pop()
        for change in loop.changes:
            if loop.together:
                self._at_once(change, loop)
            elif self._turns_to_come(change, loop):
                break
        self.marked = marked & self.marked

    def _at_once(self, change: _Change, loop: _Loop) -> None:
        """What happens together is one: those that two rounds find are taken to be others."""
        found = change.group.draws & change.group.within
        if any(loop.step in draw.inside and self._same_in_each_round(draw, loop) for draw in found):
            label = "the next round may find the same figures"
            hint = "without `together` each round sees whom the rounds before it changed"
            self._tell(change.line, label, hint, change.group.draws)

    def _same_in_each_round(self, draw: _Draw, loop: _Loop) -> bool:
        """Whether each round finds them in the same figures."""
        keys = self.keys
        fresh = {(kind, keys.of(t.Var(v, type=v.type))) for v in loop.bases for kind, _ in draw.bases}
        return bool(draw.bases) and draw is not loop.man and not draw.bases & fresh and loop.man not in draw.known

    def _turns_to_come(self, change: _Change, loop: _Loop) -> bool:
        """A round may change those whose turn comes later: whether that is told."""
        step, man, group = loop.step, loop.man, change.group
        if man is None or not isinstance(step, t.ForEach) or man in group.within:
            return False
        if not group.bases & loop.group.bases or group.within & loop.group.apart or loop.group.within & group.apart:
            return False
        if not self._of_his_turn(change, loop, step):
            return False
        items = step.items.where.text if step.items.where is not None else "figures"
        rest = f"{f'({items})' if ' ' in items else items} where not done"
        name = step.variable.name.rsplit(".", 1)[-1]
        loop_name = step.line.address.rsplit(".", 1)[-1]
        hint = (
            f"give figures a mark, `mark done of figure: until after {self.name}`, and let lots say whose turn it is: "
            f"`{loop_name}, repeat until no ({rest}):`, "
            f"in it `{name}: 1 of ({rest}) at random`, and then `turn: {name} gains done`"
        )
        others = (Label(step.line.where.span, f"`{name}` goes through them here"),)
        self._tell(change.line, "they may be some whose turn is still to come", hint, group.draws | {man}, others)
        return True

    def _of_his_turn(self, change: _Change, loop: _Loop, step: t.ForEach) -> bool:
        """Whether it matters in his turn if he is one of those that were changed."""
        man, body = step.variable, t.parts(step.body)

        def his(e: Any) -> bool:
            return any(isinstance(p, t.Var) and p.variable is man for p in t.parts(e))

        for part in body:
            match part:
                case t.Attr(of=of, attribute=attribute) if his(of) and attribute is change.attribute:
                    return True
                case t.CallValue(args=of) | t.RollOf(args=of) | t.Call(args=of) if his(of):
                    if change.attribute in self.far.reads(part):
                        return True
                case t.Filter(items=of) | t.Extreme(items=of) | t.Each(items=of) if his(of):
                    if change.attribute in self.far.reads(part):
                        return True
        if self._had_turns(change, loop, step):
            return False
        for part in body:
            match part:
                case t.Op(name="join" | "without" | "in-figures" | "same") if his(part.args):
                    return True
                case t.SetAttr(of=of) | t.AddAttr(of=of) | t.Rehome(figures=of) if his(of):
                    return True
                case t.Call() if his(part.args):
                    if any(
                        isinstance(e, t.Var) and his(_told(e, self._args(part)))
                        for e, _, _ in self.far.changes(part.procedure)
                    ):
                        return True
        return False

    def _args(self, call: t.Call) -> dict[t.Variable, t.Expr]:
        return dict(zip(self.far.checker.procedure(call.procedure).params, call.args, strict=True))

    def _had_turns(self, change: _Change, loop: _Loop, step: t.ForEach) -> bool:
        """Whether those that had their turn are marked before a round changes others."""
        if not loop.group.draws <= self.marked:
            return False
        others = {c.attribute for c in loop.changes if loop.man not in c.group.within}
        for line in step.body:
            if line is change.step:
                return False
            match line:
                case t.SetAttr(of=t.Var(variable=variable), attribute=mark, value=t.Lit(value=True)):
                    if variable is step.variable and mark not in others and not self._lost(mark, step):
                        return True
        return False

    def _lost(self, mark: Attribute, step: t.ForEach) -> bool:
        return any(
            isinstance(p, t.SetAttr) and p.attribute is mark and not (isinstance(p.value, t.Lit) and p.value.value)
            for p in t.parts(step.body)
        )

    # ---- two names
    def _two(self, one: _Group, two: _Group, line: LineInfo) -> None:
        if one.strange_to(two):
            self._tell_pair(one, two, line)

    def _asked_afterwards(self, change: _Change, named: dict[t.Variable, _Group], began: int) -> None:
        """One of two names was changed; whether the other is asked after that."""
        for variable, group in named.items():
            if not group.strange_to(change.group):
                continue
            uses = [s for at, s in self.uses.get(variable, ()) if at > change.at]
            if any(self._minds(s, variable, change) for s in uses):
                self._tell_pair(group, change.group, change.line)

    def _minds(self, step: t.Step, variable: t.Variable, change: _Change) -> bool:
        """Whether a line would say something else if the name were changed."""

        def his(e: Any) -> bool:
            return any(isinstance(p, t.Var) and p.variable is variable for p in t.parts(e))

        for part in t.parts(tuple(self._own(step))):
            match part:
                case t.Attr(of=of, attribute=attribute) if his(of) and attribute is change.attribute:
                    return True
                case t.Filter() | t.Extreme() | t.Each() | t.Sort() | t.CallValue() | t.Call() | t.RollOf():
                    if his(part) and change.attribute in self.far.reads(part):
                        return True
        match step:
            case t.SetAttr(of=of) | t.AddAttr(of=of) | t.Rehome(figures=of):
                return his(of)
        return False

    # ---- what is told
    def _tell_pair(self, one: _Group, two: _Group, line: LineInfo) -> None:
        pairs = [
            (a, b)
            for a in one.draws
            for b in two.draws
            if a is not b and a not in b.known and b not in a.known and a.bases & b.bases
        ]
        first, second = min(pairs, key=lambda p: (p[0].line.where.span.start, p[1].line.where.span.start))
        if second.line.where.span.start < first.line.where.span.start:
            first, second = second, first
        name, other = (d.line.address.rsplit(".", 1)[-1] for d in (first, second))
        hint = (
            f"give figures a mark, `mark picked of figure: until after {self.name}`, let `{name}` gain it in a line "
            f"between `{name}` and `{other}`, and say `figures where picked` for `{name}` here"
        )
        label = f"figures of `{other}` may be among those of `{name}`"
        others = [Label(d.line.where.span, f"found for itself: `{n}`") for d, n in ((first, name), (second, other))]
        self._tell(line, label, hint, frozenset((first, second)), [o for o in others if o.span != line.where.span])

    def _tell(
        self, line: LineInfo, label: str, hint: str, draws: frozenset[_Draw], others: Iterable[Label] = ()
    ) -> None:
        if draws not in self.told:
            self.told.add(draws)
            self.problems.add("P033", line.where.span, label=label, hint=hint, others=others)
