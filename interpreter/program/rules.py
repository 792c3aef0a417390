"""The protocol of the rules that a program is made from: the whole book, or one specialized to a situation."""

from __future__ import annotations

from typing import Any, Protocol

from interpreter.rulebook import typed as t
from interpreter.rulebook.book import Book
from interpreter.rulebook.procedures import Checker
from interpreter.rulebook.symbols import Procedure, PureDef, Symbol


class Rules(Protocol):
    """Implemented by `Checker` and `Specializer`."""

    @property
    def book(self) -> Book: ...
    @property
    def whole(self) -> Checker: ...
    @property
    def recalls(self) -> bool: ...
    @property
    def defaults(self) -> dict[Symbol, t.Expr | None]: ...
    @property
    def noted(self) -> dict[Any, Any]: ...

    def procedure(self, symbol: Procedure) -> t.Checked: ...
    def pure(self, symbol: PureDef) -> t.Pure: ...
