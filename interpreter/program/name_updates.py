"""Keeps names of figures up to date: statements that change a name's bag when an effect changes its figures.

Where an effect changes figures by one name, another name follows if one was made from the other (`who` picked from
`men`), or if too few alike figures are left for it to hold others. Names that are read after a call which may change
their figures are lent to it in a cell of the state, and effects inside the call follow there too. Takes effects and
calls in order; appends statements to the tree.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from interpreter.rulebook import typed as t
from interpreter.rulebook.symbols import Kind, Procedure
from interpreter.source.values import Record, Struct
from interpreter.vocabulary.types import FACES, NUMBER, Type

from .code import Do
from .code_builder import CodeBuilder
from .expression_lowering import Emitter
from .figure_names import OTHERS, Name, Names, stocks_of, touched
from .figure_unions import figures_in
from .layout import CellKey
from .statements import NAMES_LENT, Follow, Lend, Set, TakeBack
from .terms import NO_CELLS, ONE, STATE, ZERO, Const, IfElse, Member, Term, Tuple, call, const, slot


class Kin(Struct, eq=False):
    """How the names lent to a call, and the caller's own parameters, are related to what the call is told.

    By parameter of the callee: `over`, the names lent that all of the parameter's figures are from; `under`, those
    whose figures are all the parameter's; `ups` and `downs` likewise, for parameters of the caller.
    """

    over: tuple[frozenset[int], ...]
    under: tuple[frozenset[int], ...]
    ups: tuple[frozenset[int], ...]
    downs: tuple[frozenset[int], ...]


class Loan(Record):
    """What is lent to one call, and the statements that take it back."""

    before: list[Do]
    after: list[Do]


class NameUpdates(CodeBuilder):
    def __init__(self, emitter: Emitter, procedure: Procedure) -> None:
        super().__init__(emitter, procedure)
        self.names = emitter.names = Names(emitter.checker, self.checked.params)
        self._ends = stocks_of(emitter.checker, procedure)
        self._seen: dict[Name, t.Variable] = {}  # names as they were when what happens together began
        self.plain: dict[t.Variable, t.Expr] = {}  # of a traced program: parts of a condition that asked nothing
        lines = self.checked.inside[t.Assign]
        given = Counter([step.variable for step in (*lines, *self.checked.inside[t.ForEach])])
        # of faces that have a name: how many they are
        self.looks = {
            s.variable: t.Variable("seen", NUMBER)
            for s in lines
            if isinstance(s.value, t.Filter) and s.value.type == FACES and given[s.variable] == 1
        }

    # ---- names are given
    def named(self, variable: t.Variable, value: t.Expr) -> None:
        """Registers a name that a statement has just set."""
        self._see(self.names.given(variable, value))

    def forgotten(self, variable: t.Variable) -> None:
        """A round begins: a name that the last one gave has nobody yet."""
        if variable.type.name in ("figure", "figures"):
            self._see([Name(variable, type=variable.type)])

    def totals(self, step: t.ForEach | t.Repeat | t.RepeatUntil) -> None:
        """What a loop puts together is known from its first round on."""
        self._see(self.names.totals(step.body, self._ends))

    def joined(self, step: t.Accumulate) -> None:
        """One more run of a rule was put to what all of them come to."""
        made = self.names.joined(step)
        self.summed(step.total, step.value)
        self._see([name for name in made if name not in self._seen])

    def summed(self, total: t.Variable, value: t.Variable) -> None:
        """One more round was put to what its loop puts together."""
        for name, kept in list(self._seen.items()):
            if name.variable is total and (more := self._seen.get(Name(value, name.path, type=name.type))):
                a, b = self.name(kept), self.name(more)
                self.let(kept, IfElse(b, b, a) if name.type.name == "figure" else call("join", a, b))

    def still_to_come(self, rest: t.Variable, step: t.ForEach) -> None:
        """Those whose turn in a loop has not come, where a round may change others than the one whose turn it is."""
        kind: Kind = rest.type.of.root

        def mine(e: t.Expr) -> bool:
            return isinstance(e, t.Var) and e.variable is step.variable

        for part in t.parts(step.body):
            match part:
                case t.SetAttr(of=of) | t.AddAttr(of=of) | t.Rehome(figures=of):
                    others = of.type.name in ("figure", "figures") and of.type.of.root is kind and not mine(of)
                case t.Call(procedure=callee, args=args):
                    whose = touched(self.emitter.checker, callee).get(kind, set())
                    others = any(i == OTHERS or not mine(args[i]) for i in whose)
                case _:
                    continue
            if others and self.snapshot < 0:
                name = Name(rest, type=rest.type)
                self.names.stocks[name] = self.names.whole(step.items) & set(self.names.stocks)
                self._see([name])
                return

    # ---- a name as a bag
    def _held(self, name: Name) -> Term:
        return figures_in(self.name(name.variable), name)

    def _become(self, name: Name, figures: Term, *, stays: bool = False) -> Do:
        """The statement with which a name has other figures."""
        held, one = self.name(name.variable), name.type.name == "figure"
        if name.path:
            figures = call("with_part", held, const(name.path), figures, const(one))
        elif one:
            figures = call("first_figure", figures)
        return Do(Set(held.number, figures), stays=stays)

    # ---- effects
    def followed(self, raw: t.Expr, of: t.Expr, part: Term, change: Term, held: CellKey) -> None:
        """An effect changes `part` (a bag): so it does in every name of such figures, here and where one was lent to
        us. `raw` is how the page says it, `change` what becomes of one, `held` where such figures lie.
        """
        mine = self.names.name(of)
        whole, parts = self.names.whole(raw), self.names.parts(of)
        place, cells = const(held[1]), frozenset((held,))
        others = [
            name
            for name in self.names.stocks
            if name.type.of.root is of.type.of.root and not (name == mine and not name.path)
        ]
        related = [name for name in others if name in whole or name in parts]
        for name in others:
            if name not in related:  # before those that both are from change
                both = sorted(whole & self.names.stocks[name], key=lambda n: (n.variable.name, n.path))
                stocks = Tuple(tuple([self._held(stock) for stock in both if stock in self.names.stocks]))
                become = call("surely_changed", self._held(name), part, change, STATE, place, stocks, reads=cells)
                self.items.append(self._become(name, become))
        for name in related:
            self.items.append(self._become(name, call("changed", self._held(name), part, change)))
        ups, downs = Const(self._params(whole)), Const(self._params(parts))
        self.do(Follow(call("lent", NAMES_LENT, part, change, ups, downs, STATE, place, reads=cells)))

    def _params(self, names: set[Name]) -> tuple[int, ...]:
        return tuple([i for i, v in enumerate(self.checked.params) if Name(v, type=v.type) in names])

    # ---- calls
    def loan(self, e: t.Call) -> Loan | None:
        """What a call is lent: every name of figures that it may change."""
        kinds = touched(self.emitter.checker, e.procedure)
        if not kinds:
            return None
        lent = [name for name in self.names.stocks if name.type.of.root in kinds]
        through = all(i == OTHERS or self._passed(e.args[i]) == i for whose in kinds.values() for i in whose)
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

    def _passed(self, e: t.Expr) -> int:
        """The parameter of ours that an argument is."""
        if isinstance(e, t.Var) and e.variable in self.checked.params:
            return list(self.checked.params).index(e.variable)
        return OTHERS

    def _kin(self, e: t.Call, lent: Sequence[Name]) -> Kin:
        over, under, ups, downs = [], [], [], []
        for arg in e.args:
            whole, parts = (
                (self.names.whole(arg), self.names.parts(arg)) if arg.type.name in ("figure", "figures") else ((), ())
            )
            over.append(frozenset(i for i, name in enumerate(lent) if name in whole))
            under.append(frozenset(i for i, name in enumerate(lent) if name in parts))
            ups.append(frozenset(self._params(set(whole))))
            downs.append(frozenset(self._params(set(parts))))
        return Kin(tuple(over), tuple(under), tuple(ups), tuple(downs))

    # ---- together
    def begins(self) -> None:
        """What happens together begins: calls will see the state as it is now, and names as they are now."""
        self._seen = {}
        self._see(list(self.names.stocks))

    def _see(self, names: Sequence[Name]) -> None:
        for name in names if self.snapshot >= 0 else ():
            if name not in self._seen:
                self._seen[name] = self.temp("as it was", Type("figures", name.type.of))
            self.let(self._seen[name], self._held(name))

    def term(self, e: t.Expr) -> Term:
        """A pure expression as a term: among what happens together, its names of figures are as they were."""
        self.emitter.found = self._seen if self.snapshot >= 0 else {}
        made = super().term(e)
        self.emitter.found = {}
        return made

    def now(self, e: t.Expr) -> Term:
        """Like `term`, of names as they are by now, also among what happens together."""
        return super().term(e)

    def whom(self, of: t.Expr) -> Term:
        """Whom an effect changes: by a name, as they are by now; by a sentence, those whom it finds."""
        return self.now(of) if isinstance(of, t.Var | t.Field) else self.term(of)
