"""The checker of one book: checks each value, roll and procedure on first use.

Input: a book with all symbols declared. Output: typed values, steps and lines. It does not know how dice are thrown.
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
    """Checks the definitions of a book. `like` is a checker of the same book whose results are shared."""

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
        # The default of an attribute or fact; None if it must be stated.
        self.defaults: dict[Symbol, t.Expr | None] = like.defaults if like is not None else {}
        # Results that other modules memoize per book, each under a key of its own.
        self.noted: dict[Any, Any] = like.noted if like is not None else {}

    def telling(self, problems: Problems) -> Checker:
        """Return a checker that shares all results with this one, and reports to `problems`."""
        if problems is self.problems:
            return self
        return Checker(self.book, self.sentences.telling(problems), self)

    @property
    def whole(self) -> Checker:
        """The checker of the whole book; a checker narrowed to some kinds of things overrides it."""
        return self

    @property
    def alike(self) -> frozenset[Attribute]:
        """The attributes that figures need not have: see `Specializer`."""
        return frozenset()

    @property
    def recalls(self) -> bool:
        """Whether figures out of play may still be read, or return."""
        return True

    @property
    def revision(self) -> int:
        """How often a checked procedure was extended."""
        return self.definitions.found.revision

    @property
    def sides(self) -> dict[t.Variable, int]:
        """The number of faces of the dice in each variable."""
        return self.env.dice.sides

# ---- access to checked definitions
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

# ---- checking a definition
    def _check_pure(self, symbol: PureDef) -> t.Pure:
        return Values(self.expressions).check(symbol)

    def _check_procedure(self, symbol: Procedure, lines: Lines) -> tuple[tuple[t.Variable, ...], tuple[t.Step, ...]]:
        params = tuple([t.Variable(p.name, p.type) for p in symbol.params])
        names: dict[str, t.Expr] = {v.name: t.Var(v, type=v.type) for v in params}
        card = names[symbol.params[0].name] if symbol.params and symbol.subject else None
        scope = Scope(None, names, lines, card, symbol.params[0].name if symbol.params else "", pure=False)
        work = Statements(self.expressions, symbol, scope, self.book.pages.owners[symbol])
        return params, tuple(work.procedure_steps())

    def check_rule_alone(self, rule: RuleDef) -> None:
        """Check a rule for each thing at a moment outside any procedure, such as the end of a turn; its actor is
        unknown.
        """
        symbol = Procedure(rule.name, rule.where, (), rule.body, rule.scalar, cites=rule.cites)
        actor = t.Var(t.Variable("actor", ANY), type=ANY)
        scope = Scope(None, {"actor": actor}, Lines(), None, "", pure=False)
        work = Statements(self.expressions, symbol, scope, self.book.pages.owners[rule])
        work.weaving.rule(rule, scope, self.line_info(rule.name, rule.where, rule.cites))
