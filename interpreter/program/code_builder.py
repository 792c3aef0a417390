"""Builds the tree of one procedure: allots slots to variables, and appends statements and questions.

Takes typed expressions without questions in them, which `expression_lowering.py` lowers to terms.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import contextmanager
from typing import Any

from interpreter.rulebook import typed as t
from interpreter.rulebook.symbols import LineInfo, Procedure
from interpreter.vocabulary.types import Type

from .code import Do, If, Item, Site
from .expression_lowering import Emitter
from .statements import Act, Set
from .terms import STATE, Slot, Term, or_zero, slot


class CodeBuilder:
    """The slots, statements and questions of one procedure, as they are appended."""

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
        """The term of a pure expression."""
        return self.with_state(lambda: self.emitter.expr(e))

    def with_state(self, make: Callable[[], Term]) -> Term:
        """The result of `make`, run with the current state and weight."""
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

    def site(self, kind: str, line: LineInfo, dest: t.Variable, asks: Sequence[Term], **more: Any) -> Site:
        site = Site(len(self.sites), kind, line, tuple(asks), **more)
        site.dest, site.type = self.slot(dest), dest.type
        self.sites.append(site)
        self.items.append(site)
        return site
