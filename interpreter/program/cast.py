"""The rules for one situation: what is certain in it is settled, and what cannot come up is left out.

Enters: the checker of a book, the sorts that are there, what every thing of a kind begins with. Leaves: a checker of
the same book whose procedures, values and rolls are shorter and mean the same from that state on. What is left out need
not be read, kept apart or written. At first everything is taken to stay as it is; what a step that is left changes is
not certain, and then it is begun anew. Knows nothing of how a state is kept, and of who is asked what.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable
from fractions import Fraction

from interpreter.hints import Any
from interpreter.rulebook import typed as t
from interpreter.rulebook.construct import absent
from interpreter.rulebook.procedures import ProcedureChecker
from interpreter.rulebook.symbols import Attribute, Kind, Procedure, PureDef
from interpreter.source.values import replace
from interpreter.vocabulary.types import Type

from .certain import COMPARED, PLAIN, SOMEBODY, always, asks, cell, never, nobody, nothing, settled

FEW = 4  # different things that an attribute may be, for what hangs on it to be worked out beforehand
MANY = 16  # combinations of what an expression's parts can be worth
_KEPT = ("number", "inches", "target", "truth", "row")  # of a line that is certain, and something
Stays = dict[Attribute, frozenset[Any]]  # what it is, of everybody
Parts = dict[type[Any], list[Any]]
Made = dict[Any, tuple[Any, frozenset[Attribute]]]  # of procedures and values, and what it takes to stay as it is


def few(attribute: Attribute, values: frozenset[Any]) -> bool:
    """Whether so much may be known of an attribute: that it is one thing, or one of few that are looked up or compared;
    of who is whose, that it is nobody.
    """
    if attribute.type.name in ("thing", "things"):
        return values == {absent(attribute.type)}
    return len(values) == 1 or (1 < len(values) <= FEW and attribute.type.name in PLAIN)


def kept(known: Stays, stays: Stays) -> Stays:
    """What is known and holds here too."""
    return {x: values for x, values in known.items() if x in stays and stays[x] <= values}


def cast_of(
    checker: ProcedureChecker,
    root: Procedure,
    there: Iterable[Kind],
    stays: Stays,
    *,
    open_: Callable[[str], bool],
    recalls: bool,
) -> Cast:
    """The rules from a procedure on, for these sorts and those made on the way. `stays`: what everybody has that has
    it, as long as nobody changes it. `open_`: whether the choice of a line is somebody else's; `recalls`: somebody else
    may ask for those that have left play.
    """
    sorts, stays = set(there), dict(stays)
    mine = Cast(checker, frozenset(sorts), stays, open_)
    while True:
        done = mine.reached(root)
        made = {step.kind for step in _all(done, t.New)} - sorts
        changed = {a for step in _all(done, t.SetAttr, t.AddAttr, t.New) for a in _changed(step, stays, checker)}
        if not made and not changed:
            mine.recalled = recalls or any(map(_recalls, _all(done, t.Bag, t.SetAttr)))
            return mine
        sorts |= made
        for attribute in changed:
            del stays[attribute]
        known = {} if made else mine.not_resting_on(changed)
        mine = Cast(checker, frozenset(sorts), stays, open_, known)


def _all(done: list[Parts], *of: type[Any]) -> list[Any]:
    return [part for inside in done for one in of for part in inside[one]]


def _changed(step: Any, stays: Stays, checker: ProcedureChecker) -> list[Attribute]:
    """What does not stay as it is."""
    match step:
        case t.SetAttr(attribute=attribute) | t.AddAttr(attribute=attribute):
            return [attribute] if attribute in stays else []
        case t.New(kind=kind, given=given):
            told = {a for a, _ in given}
            every = [a for sort in kind.root.sorts() for a in sort.attributes.values()]
            return [a for a in every if a in stays and (a in told or _begun(a, kind, checker) not in stays[a])]
    return []


def _begun(attribute: Attribute, kind: Kind, checker: ProcedureChecker) -> Any:
    """What something made on the way begins with, where it is not told."""
    first = checker.defaults.get(attribute) if kind.is_a(attribute.kind) else None
    return first.value if isinstance(first, t.Lit) and first.value is not None else absent(attribute.type)


def _recalls(part: Any) -> bool:
    match part:
        case t.Bag(gone=gone):
            return bool(gone)
        case t.SetAttr(attribute=attribute, value=value):
            return attribute.out_of_play and not always(value)
    return False


class Cast(ProcedureChecker):
    """A checker as it was, but for what it says of procedures, values and rolls."""

    def __init__(
        self,
        checker: ProcedureChecker,
        sorts: frozenset[Kind],
        stays: Stays,
        open_: Callable[[str], bool],
        known: Made | None = None,
    ) -> None:
        self.__dict__.update(checker.__dict__)
        self._whole = checker
        self.recalled = True
        self._open = open_
        self._stays = stays
        self._some: frozenset[Kind] = frozenset(k for sort in sorts for k in sort.lineage())
        self._cast: Made = dict(known or {})
        self._rests: set[Attribute] = set()  # of what is in hand
        self._lines: frozenset[t.Variable] = frozenset()  # of the procedure in hand: what its lines name
        self._known: dict[t.Variable, t.Expr] = {}  # and which of them are certain

    @property
    def whole(self) -> ProcedureChecker:
        return self._whole

    @property
    def recalls(self) -> bool:
        return self.recalled

    def procedure(self, symbol: Procedure) -> t.Checked:
        found: t.Checked = self._once(symbol, lambda: self._of(self._whole.procedure(symbol)))
        return found

    def pure(self, symbol: PureDef) -> t.Pure:
        found: t.Pure = self._once(symbol, lambda: self._pure(self._whole.pure(symbol)))
        return found

    def _of(self, was: t.Checked) -> t.Checked:
        return t.Checked(was.params, self._whole_of(was), was.lines)

    def _pure(self, was: t.Pure) -> t.Pure:
        outer, self._lines, self._known = (self._lines, self._known), frozenset(), {}
        changes = [self._change(c) for c in was.changes]
        self._lines, self._known = outer
        return replace(was, changes=tuple([c for c in changes if not never(c.condition)]))

    def _once(self, symbol: Any, make: Callable[[], Any]) -> Any:
        """What is made once; who asks for it rests on what it rests on."""
        if symbol not in self._cast:
            outer, self._rests = self._rests, set()
            self._cast[symbol] = make(), frozenset(self._rests)
            self._rests = outer
        made, rests = self._cast[symbol]
        self._rests |= rests
        return made

    def holds_for(self, stays: Stays) -> bool:
        """Whether what was made means the same from another state on too. If so, what is made later will as well."""
        holds = kept(self._stays, stays)
        if not self._rests <= holds.keys():
            return False
        self._stays = holds
        return True

    def not_resting_on(self, changed: set[Attribute]) -> Made:
        """What holds as well where these attributes change."""
        return {symbol: done for symbol, done in self._cast.items() if not done[1] & changed}

    def reached(self, root: Procedure) -> list[Parts]:
        """What a procedure and those that it calls do and say, by class."""
        todo = [root]
        for procedure in todo:
            inside = self.procedure(procedure).inside
            todo += [p for p in dict.fromkeys([call.procedure for call in inside[t.Call]]) if p not in todo]
        return [self.procedure(procedure).inside for procedure in todo]

    def _change(self, c: t.Change) -> t.Change:
        amount, per, condition = [self.settled(e) if e is not None else None for e in (c.amount, c.per, c.condition)]
        return replace(c, amount=amount, per=per, condition=None if always(condition) else condition)

    # ---- steps
    def _whole_of(self, was: t.Checked) -> tuple[t.Step, ...]:
        """The steps of a procedure, until no more of its lines turn out to be certain."""
        outer = self._lines, self._known
        said = [s.variable for s in (*was.inside[t.Assign], *was.inside[t.New])]
        self._lines = frozenset((*said, *[s.total for s in was.inside[t.Accumulate]]))
        self._known = {}
        made = was.steps
        while True:
            made = self._steps(made)
            known = _certain(made, self._lines)
            if known.keys() == self._known.keys():
                break
            self._known = known
        self._lines, self._known = outer
        return made

    def _steps(self, steps: tuple[t.Step, ...]) -> tuple[t.Step, ...]:
        return tuple([kept for step in steps for kept in self._step(step)])

    def _step(self, step: t.Step) -> tuple[t.Step, ...]:
        if isinstance(step, t.If):
            condition = self.settled(step.condition)
            if isinstance(condition, t.Lit):
                return self._steps(step.then if condition.value else step.other)
            return (replace(step, condition=condition, then=self._steps(step.then), other=self._steps(step.other)),)
        if isinstance(step, t.Assign) and isinstance(step.value, t.Choose):
            return (replace(step, value=self._choice(self._parts(step.value), step.line.address)),)
        made = self._parts(step)
        match made:
            case t.ForEach(items=t.Lit(value=())) | t.Repeat(times=t.Lit(value=0 | None)):
                return ()
            case t.RepeatUntil(limit=t.Lit(value=0)):
                return ()
            case t.SetAttr(of=of, attribute=attribute, value=value):
                if nobody(of) or attribute.kind not in self._some:
                    return ()
                if isinstance(value, t.Lit) and self._stays.get(attribute) == frozenset((value.value,)):
                    self._rests.add(attribute)
                    return ()
            case t.AddAttr(of=of, attribute=attribute, amount=amount):
                if nobody(of) or attribute.kind not in self._some:
                    return ()
                if never(amount) and of.type.name == "thing" and attribute.low is None and not asks(of):
                    return ()
            case t.Rehome(figures=of) | t.Leave(thing=of):
                if nobody(of):
                    return ()
        return (made,)

    def _choice(self, e: t.Choose, address: str) -> t.Expr:
        """Who must take one row of a table takes what is usual, if that is one of them whatever happened."""
        if self._open(address) or not (e.one and always(e.low) and always(e.high) and e.order):
            return e
        usual = e.order[0]
        match usual:
            case t.Op(name="same", args=(t.Var(variable=variable), t.Lit() as row)) if variable is e.variable:
                items: t.Expr | None = e.items
                if isinstance(items, t.Filter):
                    if not always(self._with(items.condition, items.variable, row)):
                        return e
                    items = items.items
                return replace(row, type=e.type) if isinstance(items, t.TableRows) else e
        return e

    def _with(self, e: t.Expr, variable: t.Variable, value: t.Expr) -> t.Expr:
        outer, self._known = self._known, {**self._known, variable: value}
        made = self.settled(e)
        self._known = outer
        return made

    def _parts(self, node: Any) -> Any:
        """A node with its parts settled."""
        changed = {}
        for name in t.holding(type(node)):
            was = getattr(node, name)
            now = self._part(was)
            if now is not was:
                changed[name] = now
        return replace(node, **changed) if changed else node

    def _part(self, part: Any) -> Any:
        if isinstance(part, t.Expr):
            return self.settled(part)
        if isinstance(part, tuple) and part:
            if isinstance(part[0], t.Step):
                return self._steps(part)
            now = tuple([self._part(p) for p in part])
            return now if any(a is not b for a, b in zip(now, part, strict=True)) else part
        return part

    # ---- expressions
    def settled(self, e: t.Expr) -> t.Expr:
        """An expression with what is certain in it worked out."""
        if isinstance(e, t.Lit):
            return e
        if isinstance(e, t.Var):
            return self._known.get(e.variable, e)
        made = self._parts(e)
        match made:
            case t.Op():
                made = settled(made)
                return self._alike(made) if isinstance(made, t.Op) else made
            case t.IsKind(kind=kind) if kind not in self._some:
                return t.Lit(False, type=e.type)
            case t.All(kind=kind) | t.Bag(kind=kind) if kind not in self._some:
                return nothing(e.type)
            case t.Attr():
                return self._attribute(made)
            case t.Holder(of=of) if nobody(of):
                return nothing(e.type)
            case t.Field(record=t.Lit(value=None)):
                return nothing(e.type)
            case t.Cell(row=t.Lit(value=row)):
                return cell(made, row)
            case t.Cell():
                return self._alike(made)
            case t.IfElse(condition=t.Lit(value=holds), value=value, other=other):
                return value if holds else other
            case t.Filter(items=t.Lit(value=())) | t.Extreme(items=t.Lit(value=())) | t.Each(items=t.Lit(value=())):
                return nothing(e.type)
            case t.Filter(items=items, condition=t.Lit(value=holds)) if not asks(items) and items.type == e.type:
                return items if holds else nothing(e.type)
            case t.Choose(items=t.Lit(value=())) | t.Sort(figures=t.Lit(value=())) | t.Tally(count=t.Lit(value=0)):
                return nothing(e.type)
            case t.Choose(items=t.Expr(), low=low, high=high) if never(low) and never(high):
                return nothing(e.type)
            case t.CallValue():
                return self._value_of(made)
            case t.Call(procedure=procedure, args=args) if self._misses(procedure.params, args):
                return nothing(e.type)
        return made  # type: ignore[no-any-return]

    def _attribute(self, e: t.Attr) -> t.Expr:
        kind = e.attribute.kind
        if nobody(e.of) or kind not in self._some or self._of_no_sort(e.type):
            return nothing(e.type)
        return self._alike(e)

    def _alike(self, e: t.Expr) -> t.Expr:
        """What is worth the same for everybody, though not everybody is alike."""
        outer, self._rests = self._rests, set()
        values = self._among(e)
        if values is not None and len(values) == 1:
            e = t.Lit(next(iter(values)), type=e.type, where=e.where)
            outer |= self._rests
        self._rests = outer
        return e

    def _among(self, e: t.Expr) -> frozenset[Any] | None:
        """All that an expression can be worth, if that is little."""
        match e:
            case t.Lit(value=value):
                return frozenset((value,)) if e.type.name in (*PLAIN, "rows") else None
            case t.Attr(attribute=attribute, of=of):
                values = self._stays.get(attribute)
                if values is None or asks(of):
                    return None
                self._rests.add(attribute)
                sure = isinstance(of, t.Var) and of.variable not in self._lines
                return values if sure else values | {absent(e.type)}
            case t.Cell(row=row):
                rows = self._among(row)
                return None if rows is None else _worth([cell(e, one) for one in rows])
            case t.Op(args=args) if e.name in COMPARED:
                plain = list[list[t.Expr]]()
                for a in args:
                    if (values := self._among(a)) is None:
                        return None
                    plain.append([t.Lit(value, type=a.type) for value in values])
                if math.prod([len(each) for each in plain]) > MANY:
                    return None
                return _worth([settled(replace(e, args=given)) for given in itertools.product(*plain)])
        return None

    def _of_no_sort(self, type_: Type) -> bool:
        """Whether it could only be somebody of a sort that nobody is of."""
        return type_.name in ("thing", "things") and isinstance(type_.of, Kind) and type_.of not in self._some

    def _misses(self, params: Any, args: tuple[t.Expr, ...]) -> bool:
        """Whether something is asked of nobody: then it is not done, and worth nothing."""
        return any(
            a.type.name in SOMEBODY and (nobody(a) or (isinstance(p.type.of, Kind) and p.type.of not in self._some))
            for a, p in zip(args, params, strict=True)
        )

    def _value_of(self, e: t.CallValue) -> t.Expr:
        """A value whose lines that may count all say one thing."""
        if any(asks(a) for a in e.args):
            return e
        pure = self.pure(e.value)
        if self._misses(pure.params, e.args):
            return nothing(e.type)
        if pure.type != e.type:
            return e
        found = absent(pure.type)
        for change in pure.changes:
            known, after = _after(found, change)
            if pure.type.name == "row" and change.what != "set":
                return e
            if not known or (change.condition is not None and after != found):
                return e
            found = after
        sure = all(
            a.type.name not in SOMEBODY or (isinstance(a, t.Var) and a.variable not in self._lines) for a in e.args
        )
        return t.Lit(found, type=e.type) if sure or found == absent(e.type) else e


def _after(value: Any, change: t.Change) -> tuple[bool, Any]:
    """What a line of a value makes of it where it counts, if that is certain."""
    amount, per = change.amount, change.per
    if not isinstance(amount, t.Lit) or not (per is None or isinstance(per, t.Lit)):
        return False, None
    if change.what == "set":
        return True, amount.value
    many = amount.value if per is None else per.value and amount.value and amount.value * per.value
    if not all(type(x) in (int, Fraction) for x in (value, many)) or amount.type.name not in (
        "number",
        "inches",
        "target",
    ):
        return False, None
    match change.what:
        case "add":
            return True, value + change.sign * many
        case "least":
            return per is None, max(value, many)
        case "most":
            return per is None, min(value, many)
    return False, None


def _worth(found: list[t.Expr]) -> frozenset[Any] | None:
    values = [e.value for e in found if isinstance(e, t.Lit)]
    return frozenset(values) if len(values) == len(found) else None


def _certain(steps: tuple[t.Step, ...], lines: frozenset[t.Variable]) -> dict[t.Variable, t.Expr]:
    """The lines that are worth one thing whatever happens: nothing, as if they were never run; or what a line says that
    is always run.
    """
    given: dict[t.Variable, list[t.Expr | t.Variable | None]] = {line: [] for line in lines}
    for step in t.parts(steps):
        match step:
            case t.Assign(variable=variable, value=value):
                given.setdefault(variable, []).append(value)
            case t.Accumulate(total=variable, value=value):
                given.setdefault(variable, []).append(value)
            case t.ForEach(variable=variable) | t.New(variable=variable):
                given.setdefault(variable, []).append(None)
    found: dict[t.Variable, t.Expr] = {}
    for step in steps:
        if isinstance(step, t.Assign) and isinstance(step.value, t.Lit) and len(given[step.variable]) == 1:
            if step.variable.type == step.value.type and step.value.type.name in _KEPT:
                found[step.variable] = step.value
    empty = {
        v
        for v, values in given.items()
        if v not in found and v.type.name not in ("any", "block") and None not in values
    }
    while False in (kept := {v: all(_empty(x, v, empty, found) for x in given[v]) for v in empty}).values():
        empty = {v for v in empty if kept[v]}
    return found | {v: nothing(v.type) for v in empty}


def _empty(
    value: t.Expr | t.Variable | None, of: t.Variable, empty: set[t.Variable], found: dict[t.Variable, t.Expr]
) -> bool:
    if isinstance(value, t.Variable):
        return value in empty
    return isinstance(value, t.Lit) and type(value.value) is type(absent(of.type)) and value.value == absent(of.type)
