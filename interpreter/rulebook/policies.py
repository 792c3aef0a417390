"""Policies: how a choice is made, said line by line, by name in a rule file or under `choose:` of a situation.

Enters: a checked book, and lines such as `suffer.dead: weapon is rifle`. Leaves: a `Policy` for each choice that a line
names, its conditions typed; or a problem at the word that names no choice, or says nothing of it. Knows nothing of how
a choice is put to somebody.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from interpreter.language import nodes as n
from interpreter.source import Problems
from interpreter.source.values import Record, Struct, field
from interpreter.vocabulary.addresses import addressed
from interpreter.vocabulary.types import TRUTH, Type

from . import typed as t
from .construct import op
from .procedures import ProcedureChecker
from .scope import Scope
from .situation import Override, Thing
from .symbols import Procedure

Choice = t.Wish | t.Choose


class Policy(Struct):
    """What an entry says: left open, the answer to a wish, or how many and what is taken first.

    `order` are conditions on `variable`, which may speak of the situation's `things`, each a variable of its name.
    """

    override: Override
    whose: str | None = None  # the thing for whose side alone it is
    left_open: bool = False
    answer: bool | None = None
    most: bool | None = None
    amount: int | None = None
    variable: t.Variable | None = None
    things: tuple[t.Variable, ...] = ()
    order: tuple[t.Expr, ...] = ()


class Choices(Record):
    """Where somebody picks or wishes, by the address of the line; each procedure is looked through once."""

    checker: ProcedureChecker
    _own: dict[Procedure, tuple[dict[str, Choice], list[Procedure]]] = field(default_factory=dict)

    def reached(self, procedure: Procedure) -> dict[str, Choice]:
        """All choices of a procedure and of those that it calls, however far down."""
        todo, found = [procedure], dict[str, Choice]()
        for each in todo:
            own, calls = self._looked_through(each)
            found.update(own)
            todo += [callee for callee in calls if callee not in todo]
        return found

    def all(self) -> dict[str, Choice]:
        """All choices of the book."""
        found = dict[str, Choice]()
        for procedure in self.checker.book.procedures.values():
            found.update(self._looked_through(procedure)[0])
        return found

    def _looked_through(self, procedure: Procedure) -> tuple[dict[str, Choice], list[Procedure]]:
        kept = self._own.get(procedure)
        if kept is None:
            own, calls = dict[str, Choice](), list[Procedure]()
            for step in t.parts(self.checker.procedure(procedure).steps):
                if not isinstance(step, t.Step):
                    continue
                for part in _said_by(step):
                    if isinstance(part, t.Wish | t.Choose):
                        own[step.line.address] = part
                    elif isinstance(part, t.Call):
                        calls.append(part.procedure)
            kept = self._own[procedure] = own, calls
        return kept


def _said_by(step: t.Step) -> Iterator[t.Expr]:
    """The expressions of a step, without those of the steps inside it."""
    left = [getattr(step, name) for name in t.children(type(step))]
    while left:
        here = left.pop()
        if isinstance(here, tuple):
            left += here
        elif isinstance(here, t.Expr):
            yield here
            left += [getattr(here, name) for name in t.children(type(here))]


def fitting(override: Override, known: Collection[str], nobody: str, problems: Problems) -> list[str]:
    """The choices, by their whole addresses, that a line names; a problem where there is none."""
    fits = [a for a in known if addressed(override.address, a, last=True)]
    if not fits:
        parts = {a.split(".", n_)[-1] for a in known for n_ in range(a.count(".") + 1)}
        close = problems.nearest(override.address, parts, override.where)
        hint = f"did you mean `{close[0]}`?" if close else "choices here: " + ", ".join(sorted(known)[:8])
        problems.add("F009", override.where, name=override.address, hint=hint if known else nobody)
    return fits


def check_policies(checker: ProcedureChecker, problems: Problems) -> None:
    """Whether every line of every named policy speaks of a choice of the book."""
    policies = checker.book.policies.values()
    known = Choices(checker).all() if policies else {}
    for policy in policies:
        for line in policy.lines:
            for address in fitting(line, known, "nobody chooses anything in these rules", problems):
                policy_of(checker, known[address], line, (), problems)


def policy_of(
    checker: ProcedureChecker, choice: Choice, override: Override, things: Collection[Thing], problems: Problems
) -> Policy:
    """What a line says of a choice. Its conditions may speak of these things by name."""
    wishes = override.wishes
    first = wishes[0].word if wishes and isinstance(wishes[0], n.Keyword) else None
    if first == "any":
        return Policy(override, left_open=True)
    if isinstance(choice, t.Wish):
        if first not in ("yes", "no"):
            said = override.scalar.text.strip()
            problems.add("F010", override.scalar.span, found=said, wanted="yes, no or any")
        return Policy(override, answer=first == "yes")
    most: bool | None = None
    amount: int | None = None
    order: list[t.Expr] = []
    item = t.Variable("it", choice.variable.type)
    card = t.Var(item, type=item.type)
    known = tuple([t.Variable(x.name, Type("thing", x.kind)) for x in things])
    for wish in wishes:
        if isinstance(wish, n.Keyword):
            most = wish.word in ("most", "yes")
        elif isinstance(wish, n.Number):
            amount = wish.value
        elif isinstance(wish, n.Absent):
            amount = 0
        else:
            names: dict[str, t.Expr] = {"it": card, **{x.name: t.Var(x, type=x.type) for x in known}}
            order.append(
                _condition(checker, wish, card, override, Scope(None, names, card=card, card_name="it"), problems)
            )
    return Policy(override, most=most, amount=amount, variable=item, things=known, order=tuple(order))


def _condition(
    checker: ProcedureChecker, wish: n.Node, card: t.Expr, override: Override, scope: Scope, problems: Problems
) -> t.Expr:
    word = wish.parts[0].name if isinstance(wish, n.Path) and len(wish.parts) == 1 else None
    if word is not None and card.type.name == "row" and word in card.type.of.rows:
        row = t.Lit(card.type.of.rows[word].index, type=card.type)
        return op("same", (card, row), TRUTH)
    if word is not None and card.type.name == "thing" and word in scope.names:
        return op("same", (card, scope.names[word]), TRUTH)
    kept, checker.problems = checker.problems, problems
    try:
        return checker.truth(wish, override.scalar, scope)
    finally:
        checker.problems = kept
