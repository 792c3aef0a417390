"""The interface of the rules that a program is made from (the whole book, or one specialized to a situation), and which
lines of records they read: worlds that differ only in other lines merge.

`RecordFields` takes procedures, beginning with entry points; for a variable that holds a record it returns a mask of
its lines.
"""

from __future__ import annotations

from collections import Counter
from typing import Any, Protocol

from interpreter.rulebook import typed as t
from interpreter.rulebook.book import Book
from interpreter.rulebook.procedures import Checker
from interpreter.rulebook.symbols import Attribute, Procedure, PureDef, Symbol


class Rules(Protocol):
    """Implemented by `Checker` and `Specializer`."""

    @property
    def book(self) -> Book: ...
    @property
    def whole(self) -> Checker: ...
    @property
    def recalls(self) -> bool: ...
    @property
    def alike(self) -> frozenset[Attribute]: ...
    @property
    def defaults(self) -> dict[Symbol, t.Expr | None]: ...
    @property
    def noted(self) -> dict[Any, Any]: ...

    def procedure(self, symbol: Procedure) -> t.Checked: ...
    def pure(self, symbol: PureDef) -> t.Pure: ...


class SimultaneousCalls:
    """The procedures that a `together` block may call, itself or through calls, found from the entry points."""

    def __init__(self, checker: Rules) -> None:
        self._checker = checker
        self._scanned: set[Procedure] = set()
        self.procedures: set[Procedure] = set()

    def ask(self, root: Procedure) -> bool:
        """Add an entry point; return whether this added procedures."""
        before = len(self.procedures)
        for procedure in self._reached([root], self._scanned):
            for block in self._checker.procedure(procedure).inside[t.Together]:
                calls = t.by_class(block.body)[t.Call]
                self._reached([call.procedure for call in calls], self.procedures)
        return len(self.procedures) != before

    def _reached(self, roots: list[Procedure], known: set[Procedure]) -> list[Procedure]:
        """The procedures that can be reached and are not in `known`, to which they are added."""
        found = []
        for procedure in roots:
            if procedure not in known:
                known.add(procedure)
                found.append(procedure)
                roots += [call.procedure for call in self._checker.procedure(procedure).inside[t.Call]]
        return found


ALL = "*"
Mask = tuple[bool, ...] | None  # which lines of a record are read; None: all


class RecordFields:
    """The lines read, by the variable that holds their record; `ALL` if the whole record is used."""

    def __init__(self, checker: Rules) -> None:
        self._checker = checker
        self._inside: dict[t.Variable, set[str]] = {}  # lines read in its own procedure
        self._outside: dict[t.Variable, set[str]] = {}  # lines read by callers of its procedure
        self._onward: dict[t.Variable, list[t.Variable]] = {}  # variable → totals that it is added to
        self._scanned: set[Procedure] = set()
        self._roots: list[Procedure] = []  # entry points not scanned yet
        self._given: dict[tuple[t.Variable, bool], Mask] = {}

    def ask(self, root: Procedure) -> bool:
        """Add an entry point; return whether a mask that was returned earlier has changed."""
        self._roots.append(root)
        if not self._given:
            return False
        self._scan()
        before, self._given = self._given, {one: self._mask(*one) for one in self._given}
        return self._given != before

    def _scan(self) -> None:
        """Scan new entry points."""
        todo, self._roots = self._roots, []
        for procedure in todo:
            if procedure in self._scanned:
                continue
            self._scanned.add(procedure)
            inside = self._checker.procedure(procedure).inside
            self._note(inside)
            todo += [call.procedure for call in inside[t.Call]]

    def kept(self, variable: t.Variable, *, outside: bool = False) -> Mask:
        """The mask of lines that are read once the record is complete, or only by callers (`outside`); None for all."""
        self._scan()
        mask = self._given[variable, outside] = self._mask(variable, outside)
        return mask

    def _mask(self, variable: t.Variable, outside: bool) -> Mask:
        read = set(self._outside.get(variable, ()))
        if not outside:
            left = [variable]
            for total in left:
                read |= self._inside.get(total, set()) | self._outside.get(total, set())
                left += [other for other in self._onward.get(total, ()) if other not in left]
        lines = self._checker.procedure(variable.type.of).lines
        return None if ALL in read else tuple([address in read for address in lines])

    def _note(self, inside: dict[type[Any], list[Any]]) -> None:
        fields: list[t.Field] = inside[t.Field]
        read = Counter([id(field.record) for field in fields])  # an expression may occur twice in the steps
        for field in fields:
            self._reads(field.record, field.address)
        for some in (*fields, *inside[t.Var]):
            if some.type.name == "record":
                read[id(some)] -= 1
                if read[id(some)] < 0:
                    self._reads(some, ALL)
        for step in inside[t.Accumulate]:
            if step.total.type.name == "record":
                self._onward.setdefault(step.value, []).append(step.total)

    def _reads(self, record: t.Expr, address: str) -> None:
        match record:
            case t.Var(variable=variable):
                self._inside.setdefault(variable, set()).add(address)
            case t.Field(procedure=procedure, address=line):
                holder = self._checker.procedure(procedure).lines.get(line)
                if holder is not None:
                    self._outside.setdefault(holder, set()).add(address)
