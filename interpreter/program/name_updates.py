"""Builds the tree of one procedure, and keeps its figure variables up to date: statements that change a variable's bag
when an effect changes its figures.

`CodeBuilder` allots slots to variables, and appends statements and questions; it takes typed expressions without
questions, which `expression_lowering.py` lowers to terms. When an effect changes figures through one variable, another
variable is updated if it is derived from it (`who` picked from `men`), or if too few equal figures are left for it to
contain others. Variables that are read after a call that may change their figures are lent to it in a cell of the
state, and effects inside the call update them there. Takes effects and calls in order; appends statements to the tree.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from contextlib import contextmanager
from typing import Any

from interpreter.rulebook import typed as t
from interpreter.rulebook.symbols import Kind, LineInfo, Procedure
from interpreter.source.values import Record, Struct
from interpreter.vocabulary.types import FACES, NUMBER, Type

from .changes import Change
from .code import Do, If, Item, Site
from .expression_lowering import Emitter
from .figure_names import OTHERS, Name, Names
from .operation_lowering import figures_in
from .statements import NAMES_LENT, Act, ChangeBags, Follow, Lend, Set, TakeBack
from .terms import NO_CELLS, ONE, STATE, ZERO, Const, IfElse, Member, Slot, Term, Tuple, call, const, or_zero, slot


class CodeBuilder:
    """The slots, statements and questions of one procedure, built incrementally."""

    def __init__(self, emitter: Emitter, procedure: Procedure) -> None:
        self.emitter = emitter
        self.procedure = procedure
        self.checked = emitter.checker.procedure(procedure)
        self.items: list[Item] = []
        self.sites: list[Site] = []
        self.first: list[Term] = []
        self.snapshot = -1
        self.weight = 0  # number of expression nodes evaluated in one pass, as a measure of cost
        emitter.begin(self.slot)
        self._find_never_missing()

    def _find_never_missing(self) -> None:
        """Find the number variables that are never assigned a value that may be missing."""
        values: dict[t.Variable, list[t.Expr]] = {}
        for step in self.checked.inside[t.Assign]:
            if step.variable.type.name in ("number", "inches"):
                values.setdefault(step.variable, []).append(step.value)
        solid = self.emitter.solid = set(values) - set(self.checked.params)
        while lacking := {v for v in solid if any(self.emitter.may_be_missing(e) for e in values[v])}:
            solid -= lacking

    # ---- slots and terms
    def slot(self, variable: t.Variable) -> int:
        known = self.emitter.own.get(variable)
        if known is None:
            known = self.emitter.own[variable] = len(self.first)
            self.first.append(self.emitter.nothing(variable.type))
            self.emitter.slots[variable] = slot(known)
        return known

    def temp(self, name: str, type_: Type) -> t.Variable:
        variable = t.Variable(name, type_)
        self.slot(variable)
        return variable

    def term(self, e: t.Expr) -> Term:
        """Return the term of a pure expression."""
        return self.with_state(lambda: self.emitter.expr(e))

    def with_state(self, make: Callable[[], Term]) -> Term:
        """Return the result of `make`, run with the current state and weight."""
        self.emitter.state = slot(self.snapshot) if self.snapshot >= 0 else STATE
        weight, self.emitter.weight = self.emitter.weight, 0
        made = make()
        self.weight += self.emitter.weight
        self.emitter.weight = weight
        return made

    def count(self, e: t.Expr) -> Term:
        """Like `term`, for a number: a missing one counts as 0."""
        made = self.term(e)
        return or_zero(made) if self.emitter.may_be_missing(e) else made

    def name(self, variable: t.Variable) -> Slot:
        return slot(self.slot(variable))

    # ---- statements
    def do(self, act: Act, **more: Any) -> None:
        self.items.append(Do(act, **more))

    def let(self, variable: t.Variable, value: Term, **more: Any) -> None:
        self.items.append(Do(Set(self.slot(variable), value), **more))

    @contextmanager
    def into(self, items: list[Any]) -> Any:
        """Append to another list within the context."""
        kept, self.items = self.items, items
        yield
        self.items = kept

    def branch(self, condition: t.Expr, yes: Callable[[], None], no: Callable[[], None]) -> None:
        made = If(self.term(condition))
        with self.into(made.then):
            yes()
        with self.into(made.other):
            no()
        self.items.append(made)

    def see_made(self) -> None:
        """In a `together` block, let later statements see the things created so far, as they were created."""
        if self.snapshot >= 0:
            self.do(Set(self.snapshot, call("with_made", slot(self.snapshot), STATE)))

    def site(self, kind: str, line: LineInfo, dest: t.Variable, asks: Sequence[Term], **more: Any) -> Site:
        site = Site(len(self.sites), kind, line, tuple(asks), **more)
        site.dest, site.type = self.slot(dest), dest.type
        self.sites.append(site)
        self.items.append(site)
        return site


class Kin(Struct, eq=False):
    """How the names lent to a call, and the caller's parameters, relate to the arguments of the call.

    By parameter of the callee: `over` are the lent names of which the argument is a subset; `under` those that are
    subsets of it; `ups` and `downs` likewise for the parameters of the caller.
    """

    over: tuple[frozenset[int], ...]
    under: tuple[frozenset[int], ...]
    ups: tuple[frozenset[int], ...]
    downs: tuple[frozenset[int], ...]


class Loan(Record):
    """The statements before a call that lend names to it, and those after it that take them back."""

    before: list[Do]
    after: list[Do]


class NameUpdates(CodeBuilder):
    """Builds the tree of one procedure, and appends to each effect and call the updates of the figure variables that it
    may change. In a `together` block it also keeps each variable as it was at the beginning.
    """

    def __init__(self, emitter: Emitter, procedure: Procedure) -> None:
        super().__init__(emitter, procedure)
        self.names = emitter.names = Names(emitter.aliases, self.checked.params)
        self._ends = emitter.aliases.stocks(procedure)
        self._seen: dict[Name, t.Variable] = {}  # copies of names at the beginning of a `together` block
        self.plain: dict[t.Variable, t.Expr] = {}  # in a traced program: conjuncts without questions
        lines = self.checked.inside[t.Assign]
        given = Counter([step.variable for step in (*lines, *self.checked.inside[t.ForEach])])
        # variable of selected faces → variable of their count
        self.looks = {
            s.variable: t.Variable("seen", NUMBER)
            for s in lines
            if isinstance(s.value, t.Filter) and s.value.type == FACES and given[s.variable] == 1
        }

    # ---- assignments
    def named(self, variable: t.Variable, value: t.Expr) -> None:
        """Record a name that a statement has just set."""
        self._copy_names(self.names.assign(variable, value))

    def clear_name(self, variable: t.Variable) -> None:
        """Begin a round: a name from the last round is empty again."""
        if variable.type.name in ("figure", "figures"):
            self._copy_names([Name(variable, type=variable.type)])

    def totals(self, step: t.ForEach | t.Repeat | t.RepeatUntil) -> None:
        """Record the totals of a loop, which exist from its first round on."""
        self._copy_names(self.names.totals(step.body, self._ends))

    def joined(self, step: t.Accumulate) -> None:
        """Record a run added to the total over runs of a rule."""
        made = self.names.joined(step)
        self.summed(step.total, step.value)
        self._copy_names([name for name in made if name not in self._seen])

    def summed(self, total: t.Variable, value: t.Variable) -> None:
        """Add a round to the copies of a total."""
        for name, kept in list(self._seen.items()):
            if name.variable is total and (more := self._seen.get(Name(value, name.path, type=name.type))):
                a, b = self.name(kept), self.name(more)
                self.let(kept, IfElse(b, b, a) if name.type.name == "figure" else call("join", a, b))

    def track_remaining(self, rest: t.Variable, step: t.ForEach) -> None:
        """Record the remaining items of a loop as a name, if a round may change figures other than its own."""
        kind: Kind = rest.type.of.root

        def mine(e: t.Expr) -> bool:
            return isinstance(e, t.Var) and e.variable is step.variable

        for part in t.parts(step.body):
            match part:
                case t.SetAttr(of=of) | t.AddAttr(of=of) | t.Rehome(figures=of):
                    others = of.type.name in ("figure", "figures") and of.type.of.root is kind and not mine(of)
                case t.Call(procedure=callee, args=args):
                    whose = self.emitter.aliases.touched(callee).get(kind, set())
                    others = any(i == OTHERS or not mine(args[i]) for i in whose)
                case _:
                    continue
            if others and self.snapshot < 0:
                name = Name(rest, type=rest.type)
                self.names.stocks[name] = self.names.supersets(step.items) & set(self.names.stocks)
                self._copy_names([name])
                return

    # ---- a name as a bag
    def _held(self, name: Name) -> Term:
        return figures_in(self.name(name.variable), name)

    def _become(self, name: Name, figures: Term, *, stays: bool = False) -> Do:
        """The statement that sets the figures of a name."""
        held, one = self.name(name.variable), name.type.name == "figure"
        if name.path:
            figures = call("with_part", held, const(name.path), figures, const(one))
        elif one:
            figures = call("first_figure", figures)
        return Do(Set(held.number, figures), stays=stays)

    # ---- effects
    def update_names(self, raw: t.Expr, of: t.Expr, part: Term, change: Term) -> None:
        """Append updates of all names, and of lent ones, for an effect on `part` (a bag).

        `raw` is the source expression, `change` maps one figure to its new value. A name that is certainly disjoint
        from the changed figures is not updated, so that equal figures need not be counted for it.
        """
        mine = self.names.name(of)
        whole, parts = self.names.supersets(raw), self.names.subsets(of)
        held, gone, cells = self.emitter.layout.counting(of.type.of, self.emitter.checker.recalls)
        places = const(held), const(gone)
        others = [
            name
            for name in self.names.stocks
            if name.type.of.root is of.type.of.root
            and not (name == mine and not name.path)
            and not self.names.apart(whole, self.names.with_stocks(name))
        ]
        related = [name for name in others if name in whole or name in parts]
        for name in others:
            if name not in related:  # evaluated before the common stocks change
                both = sorted(whole & self.names.stocks[name], key=lambda n: (n.variable.name, n.path))
                stocks = Tuple(tuple([self._held(stock) for stock in both if stock in self.names.stocks]))
                become = call("surely_changed", self._held(name), part, change, STATE, *places, stocks, reads=cells)
                self.items.append(self._become(name, become))
        for name in related:
            self.items.append(self._become(name, call("changed", self._held(name), part, change)))
        ups, downs = Const(self._params(whole)), Const(self._params(parts))
        self.do(Follow(call("lent", NAMES_LENT, part, change, ups, downs, STATE, *places, reads=cells)))

    def _params(self, names: set[Name]) -> tuple[int, ...]:
        return tuple([i for i, v in enumerate(self.checked.params) if Name(v, type=v.type) in names])

    # ---- calls
    def loan(self, e: t.Call) -> Loan | None:
        """Return the statements that lend a call every name of figures that it may change; None if there are none."""
        kinds = self.emitter.aliases.touched(e.procedure)
        if not kinds:
            return None
        lent = [name for name in self.names.stocks if self._may_change(name, e, kinds.get(name.type.of.root, ()))]
        through = all(i == OTHERS or self._parameter_index(e.args[i]) == i for whose in kinds.values() for i in whose)
        if through and not lent:
            return None
        kin = self.emitter.constant(self._kin(e, lent), "kin")
        took = self.temp("lent", Type("any"))
        held = self.name(took)
        back = Do(TakeBack(held.number, through), stays=True)
        after: list[Do] = [back]
        names = []
        for i, name in enumerate(lent):
            taken = self._become(name, Member(Member(held, const(2)), const(i)), stays=True)
            after.append(taken)
            names.append((self._held(name), taken))
        before = [Do(Lend(kin, tuple(names)), stays=True, tied=back)]
        if self.snapshot >= 0:
            kept = slot(self.snapshot)
            seen = tuple([(self.name(self._seen[name]), taken) for name, (_, taken) in zip(lent, names, strict=True)])
            before.append(Do(Lend(kin, seen, sets=kept.number, writes=NO_CELLS), stays=True, tied=back))
            undone = call("put", kept, ONE, Member(Member(kept, ONE), ZERO))
            after.insert(0, Do(Set(kept.number, undone), stays=True, tied=back))
        return Loan(before, after)

    def _may_change(self, name: Name, e: t.Call, whose: Collection[int]) -> bool:
        """Whether a call that changes figures of these parameters (or `OTHERS`) may change some figures of a name."""
        mine = self.names.with_stocks(name)
        return any(i == OTHERS or not self.names.apart(self.names.supersets(e.args[i]), mine) for i in whose)

    def _parameter_index(self, e: t.Expr) -> int:
        """The index of the parameter that an argument is; `OTHERS` if it is not a parameter."""
        if isinstance(e, t.Var) and e.variable in self.checked.params:
            return list(self.checked.params).index(e.variable)
        return OTHERS

    def _kin(self, e: t.Call, lent: Sequence[Name]) -> Kin:
        over, under, ups, downs = [], [], [], []
        for arg in e.args:
            whole, parts = (
                (self.names.supersets(arg), self.names.subsets(arg))
                if arg.type.name in ("figure", "figures")
                else ((), ())
            )
            over.append(frozenset(i for i, name in enumerate(lent) if name in whole))
            under.append(frozenset(i for i, name in enumerate(lent) if name in parts))
            ups.append(frozenset(self._params(set(whole))))
            downs.append(frozenset(self._params(set(parts))))
        return Kin(tuple(over), tuple(under), tuple(ups), tuple(downs))

    # ---- together
    def begin_together(self) -> None:
        """Begin a `together` block: calls in it see the state, and names, as they are now."""
        self._seen = {}
        self._copy_names(list(self.names.stocks))

    def change_everywhere(self, kinds: Sequence[Kind], change: Change) -> None:
        """Append statements that change all figures of some kinds: in the state, in each name, and in those lent."""
        done = self.emitter.constant(change, "change")
        for kind in kinds:
            for key in (self.emitter.layout.bag_key(kind), self.emitter.layout.gone_key(kind)):
                self.do(ChangeBags(key, done, writes=frozenset((key,))))
            for name in self.names.stocks:
                if name.type.of.root is kind:
                    self.items.append(self._become(name, call("all_changed", self._held(name), done)))
        if kinds:
            self.do(Follow(call("change_lent", NAMES_LENT, done)))

    def _copy_names(self, names: Sequence[Name]) -> None:
        for name in names if self.snapshot >= 0 else ():
            if name not in self._seen:
                self._seen[name] = self.temp("as it was", Type("figures", name.type.of))
            self.let(self._seen[name], self._held(name))

    def term(self, e: t.Expr) -> Term:
        """Return the term of a pure expression; in a `together` block, with figure names as at its beginning."""
        self.emitter.found = self._seen if self.snapshot >= 0 else {}
        made = super().term(e)
        self.emitter.found = {}
        return made

    def now(self, e: t.Expr) -> Term:
        """Like `term`, with names as they are now even in a `together` block."""
        return super().term(e)

    def effect_target(self, of: t.Expr) -> Term:
        """Return the target of an effect: a name as it is now; another expression as evaluated by `term`."""
        return self.now(of) if isinstance(of, t.Var | t.Field) else self.term(of)
