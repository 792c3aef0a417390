"""The check of one book: what each of its values, rolls and procedures is, found out when somebody first asks.

Enters: a book in which everything has its name. Leaves: typed values, steps and lines. Knows nothing of dice being
thrown.
"""

from __future__ import annotations

from typing import Any

from interpreter.language import nodes as n
from interpreter.source import Problems
from interpreter.vocabulary.types import ANY

from . import typed as t
from .book import Book
from .checked_definitions import CheckedDefinitions, Found
from .dice_names import DiceNames
from .environment import Environment
from .expressions import Expressions
from .mark_limits import limit_of
from .moments import Moments
from .scope import Lines, Scope
from .sentences import Sentences
from .statements import Statements
from .symbols import Attribute, Kind, LineInfo, Procedure, PureDef, RuleDef, Symbol, Where
from .values import Values


class Checker:
    """`like`: a checker of the same book, of which all that was found out is known here too."""

    def __init__(self, book: Book, sentences: Sentences, like: Checker | None = None) -> None:
        self.book, self.sentences, self.problems = book, sentences, sentences.problems
        moments = like.env.moments if like is not None else Moments(book)
        dice = like.env.dice if like is not None else DiceNames()
        found = like.definitions.found if like is not None else Found()
        self.env: Environment = Environment(book, sentences, self.problems, moments, dice)
        self.definitions: CheckedDefinitions = CheckedDefinitions(
            self.problems, found, self._check_pure, self._check_procedure
        )
        self.expressions = Expressions(self.env, self.definitions)
        # What an attribute or fact is when nothing is said.
        self.defaults: dict[Symbol, t.Expr | None] = like.defaults if like is not None else {}
        # What those who look at these rules found out, each under a key of its own.
        self.noted: dict[Any, Any] = like.noted if like is not None else {}

    def telling(self, problems: Problems) -> Checker:
        """A checker that knows what this one knows, and finds out for it, but tells its problems to others."""
        if problems is self.problems:
            return self
        return Checker(self.book, self.sentences.telling(problems), self)

    @property
    def whole(self) -> Checker:
        """What says all that the book does: a checker for some sorts of things alone says less."""
        return self

    @property
    def recalls(self) -> bool:
        """Whether counted things that have left play may still be asked for, or come back."""
        return True

    @property
    def told(self) -> int:
        """How often a procedure was checked, and then asked for more."""
        return self.definitions.found.told

    @property
    def sides(self) -> dict[t.Variable, int]:
        """The faces of dice kept under a name."""
        return self.env.dice.sides

    # ---- what a definition is
    def procedure(self, symbol: Procedure) -> t.Checked:
        return self.definitions.procedure(symbol)

    def pure(self, symbol: PureDef) -> t.Pure:
        return self.definitions.pure(symbol)

    def lines_of(self, procedure: Procedure) -> Lines:
        return self.definitions.lines_of(procedure)

    def line_info(self, address: str, where: Where, cites: tuple[str, ...]) -> LineInfo:
        return self.definitions.line_info(address, where, cites)

    def limit_of(self, mark: Attribute, limit: n.Limit, kind: Kind) -> tuple[t.Expr, t.Variable] | None:
        return limit_of(self.expressions, mark, limit, kind)

    # ---- the check of one
    def _check_pure(self, symbol: PureDef) -> t.Pure:
        return Values(self.expressions).made(symbol)

    def _check_procedure(self, symbol: Procedure, lines: Lines) -> tuple[tuple[t.Variable, ...], tuple[t.Step, ...]]:
        params = tuple([t.Variable(p.name, p.type) for p in symbol.params])
        names: dict[str, t.Expr] = {v.name: t.Var(v, type=v.type) for v in params}
        card = names[symbol.params[0].name] if symbol.params and symbol.subject else None
        scope = Scope(None, names, lines, card, symbol.params[0].name if symbol.params else "", pure=False)
        return params, tuple(Statements(self.expressions, symbol, scope, self.book.owners[symbol]).whole())

    def alone(self, rule: RuleDef) -> None:
        """The lines of a rule for each thing, at a moment that no line of the page brings, such as the end of a turn:
        whoever acts there is not known.
        """
        symbol = Procedure(rule.name, rule.where, (), rule.body, rule.scalar, cites=rule.cites)
        actor = t.Var(t.Variable("actor", ANY), type=ANY)
        scope = Scope(None, {"actor": actor}, Lines(), None, "", pure=False)
        work = Statements(self.expressions, symbol, scope, self.book.owners[rule])
        work.weaving.rule(rule, scope, self.line_info(rule.name, rule.where, rule.cites))
