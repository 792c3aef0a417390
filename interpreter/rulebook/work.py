"""The check of one procedure, its ground: what it is about, and what it may ask of the whole book.

Enters: a declared procedure. Leaves: line infos. Knows nothing of particular lines.
"""

from __future__ import annotations

from collections.abc import Callable

from interpreter.document.nodes import Entry
from interpreter.language import nodes as n
from interpreter.vocabulary.types import ANY, Type

from . import typed as t
from .book import Book
from .cases import Cases
from .definitions import Definition
from .moments import Moments
from .pure import PureChecker
from .scope import Lines, Scope
from .sentences import Sentences
from .symbols import Attribute, Kind, LineInfo, Procedure, PureDef, RuleDef, Where
from .verbs import verb_forms

Steps = list[t.Step]
AllChecked = tuple[dict[Procedure, t.Checked], dict[Procedure, Lines], dict[PureDef, t.Pure]]


class CallChecker(PureChecker):
    """What every check of lines asks of the whole book: verbs, moments, and the lines of other procedures."""

    def __init__(self, book: Book, sentences: Sentences) -> None:
        super().__init__(book, sentences, sentences.problems)
        self.moments = Moments(book)
        self.lines: dict[Procedure, Lines] = {}
        self._checked: dict[Procedure, t.Checked] = {}
        self._asked_of: dict[Procedure, dict[str, None]] = {}  # of procedures in hand: lines, whether they were run
        self.told = 0  # how often a procedure was checked, and then asked for more
        self.wanted: dict[Procedure, set[str]] | None = None  # `wanted_lines`, once somebody has looked for them
        self.forks: dict[t.Variable, Cases] = {}  # what is asked for in a table or behind `by`, and its cases

    def all_checked(self) -> AllChecked:
        """What was found out of each definition that was checked: steps and lines of procedures, values."""
        return self._checked, self.lines, self._pures

    def recall(self, found: AllChecked) -> None:
        """Take over what `all_checked` gave in an earlier run."""
        self._checked, self.lines, self._pures = found

    def lines_of(self, procedure: Procedure) -> Lines:
        self.procedure(procedure)
        return self.lines.get(procedure) or Lines()

    def procedure(self, symbol: Procedure) -> t.Checked:
        raise NotImplementedError

    def limit_of(self, mark: Attribute, limit: n.Limit, kind: Kind) -> tuple[t.Expr, t.Variable] | None:
        """How many may have a mark: an expression, and the variable that stands for whose they are."""
        hook = self.book.owners[mark].text
        if hook is None:
            return None
        subject = t.Variable(limit.per.text, Type("thing", kind))
        card = t.Var(subject, type=subject.type)
        scope = Scope(None, {limit.per.text: card}, card=card, card_name=limit.per.text)
        return self.number(limit.count, hook, scope), subject

    def keep(self, symbol: Procedure, checked: t.Checked) -> t.Checked:
        self._checked[symbol] = checked
        return checked

    def verb(self, word: str) -> Procedure | None:
        for procedure in self.book.procedures.values():
            if procedure.table is None and word in verb_forms(procedure.name):
                return procedure
        return None


class Work:
    """The check of one procedure. What is not given here is given by the parts built on it."""

    def __init__(self, checker: CallChecker, symbol: Procedure, scope: Scope, definition: Definition) -> None:
        self.c = checker
        self.symbol = symbol
        self.scope = scope
        self.problems = checker.problems
        self.definition = definition
        self.weaving: list[RuleDef] = []  # rules whose lines are being woven in, outermost first
        self.set_in: dict[RuleDef, t.Variable] = {}  # of rules instead of something: whether they set in for anybody
        self.place = ""  # with what the addresses of lines begin that are woven in here

    def info(self, address: str, where: Where, cites: tuple[str, ...]) -> LineInfo:
        return self.c.line_info(
            f"{self.symbol.name}.{self.place}{address}" if address else self.symbol.name, where, cites
        )

    def _unsaid(self, address: str, scope: Scope) -> Steps:
        """A line that says nothing still has its name."""
        if scope.lines is not None:
            scope.lines.add(address, t.Variable(address, ANY))
        return []

    def clauses(
        self, clauses: list[n.Clause], entry: Entry, ids: str, address: str, info: LineInfo, scope: Scope
    ) -> Steps:
        raise NotImplementedError

    def loop(
        self,
        scope: Scope,
        names: dict[str, t.Expr],
        info: LineInfo,
        inside: Callable[[Scope], Steps],
        build: Callable[[tuple[t.Step, ...]], t.Step],
        by_rule: bool = False,
    ) -> Steps:
        raise NotImplementedError

    def body(self, entry: Entry, ids: str, address: str, info: LineInfo, scope: Scope) -> Steps:
        raise NotImplementedError


def names_in(scope: Scope) -> dict[str, t.Expr]:
    found: dict[str, t.Expr] = {}
    level: Scope | None = scope
    while level is not None:
        for name, e in level.names.items():
            found.setdefault(name, e)
        level = level.parent
    return found
