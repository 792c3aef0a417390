"""Constant folding for plays: calls of values and rolls without dependencies, and rolls of one die.

Takes functions of terms. Returns the constant result of a call and its notes; for a roll of one die thrown once, a
shorter function that returns the faces that do not count.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from interpreter.vocabulary.operations import EVALUATED

from . import runtime
from .statements import Give, Judge, Let, Line, Told, When, terms_of
from .terms import (
    FALSE,
    NONE,
    ONE,
    TRUE,
    Apply,
    Call,
    Const,
    Function,
    Itself,
    Local,
    Member,
    Term,
    Tuple,
    mapped,
    parts,
)
from .trace_notes import NOTE

if TYPE_CHECKING:
    from .interfaces import Compiled

SIMPLE: dict[str, Term] = {"dice": ONE, "best": TRUE, "verdict": NONE, "again": FALSE}  # one die, thrown once
Answer = tuple[Any, tuple[tuple[Any, ...], ...]]


class Others(dict[tuple[Any, Any], bytes | None]):
    """A table from (target, die modifier) to the faces that do not count."""

    def __init__(self, sides: int, over: bool, always: int | None, never: int | None, passing: bool) -> None:
        super().__init__()
        self.die = sides, over, always, never
        self.passing = passing

    def __missing__(self, given: tuple[Any, Any]) -> bytes | None:
        need, change = given
        made = None if need is None else others(self.die[0], runtime.succeeding(*self.die, need, change), self.passing)
        self[given] = made
        return made


@lru_cache(None)
def others(sides: int, mask: int, passing: bool) -> bytes:
    """Return the faces that do not count, given the mask of those that pass."""
    return bytes([f for f in range(1, sides + 1) if (mask >> f & 1) != passing])


def _is_pure(function: str) -> bool:
    return function == "succeeding" or function in EVALUATED


class Folding:
    """The constant results of calls of values and rolls.

    `shortened` returns None if the roll throws no die, else the faces that are not in its mask (or, with `passing`
    false, those that are).
    """

    def __init__(self, program: Compiled) -> None:
        self.program, self.emitter = program, program.emitter
        self._known: dict[Function, Answer | None] = {}
        self._short: dict[tuple[Function, bool], Function | None] = {}

    def constant_answer(self, term: Term) -> Answer | None:
        """Return the constant result and notes of a call; None if it depends on anything."""
        if not isinstance(term, Apply) or term.args or term.state is not None:
            return None
        function = term.function
        if function not in self._known:
            self._known[function] = self._evaluate(function)
        return self._known[function]

    def shortened(self, term: Term, passing: bool) -> Term | None:
        """Return the call of a shorter function, which returns the faces that do not count; None if the roll throws
        several dice.
        """
        if not isinstance(term, Apply):
            return None
        key = (term.function, passing)
        if key not in self._short:
            self._short[key] = self._shorten(*key)
        made = self._short[key]
        return None if made is None else Apply(made, term.state, term.args)

    def _shorten(self, function: Function, passing: bool) -> Function | None:
        *body, judge = function.body
        if not isinstance(judge, Judge):
            return None
        for name, value in SIMPLE.items():
            if [line.value for line in assignments(body) if line.name == name] != [value]:
                return None
        body = [line for line in body if not (isinstance(line, Let) and line.name in SIMPLE)]
        if self.emitter.traced:
            body = self._merge_notes(body)
        others = Others(judge.sides, judge.over, judge.always, judge.never, passing)
        found = Member(self.emitter.constant(others, "others"), Tuple((judge.need, judge.change)))
        made = (*body, Give(found))
        short = self.emitter.fresh("short")
        return Function(short, function.params, made, function.reads, function.of_state, function.used, function.weight)

    def _merge_notes(self, body: Sequence[Line]) -> list[Line]:
        """The lines of a roll with all notes merged into one, if it has no branches and no nested notes."""
        body = map_terms(body, for_one_die)
        if any(isinstance(line, When) for line in body) or any(term.speaks for term in terms_of(tuple(body))):
            return body
        steps: list[tuple[Any, ...]] = []
        values: list[Term] = []
        made: list[Line] = []
        for i, line in enumerate(body):
            if not isinstance(line, Told):
                made.append(line)
                continue
            given = list(line.values)
            for k, value in enumerate(given):
                if isinstance(value, Local) and any(later.name == value.name for later in assignments(body[i:])):
                    kept = Local(f"q{len(values) + k}")
                    made.append(Let(kept.name, value))
                    given[k] = kept
            assert isinstance(line.about, Const)
            steps.append((NOTE, line.about.value, len(given)))
            values += given
        return [*made, Told(self.emitter.constant(tuple(steps), "steps"), tuple(values))]

    def _evaluate(self, function: Function) -> Answer | None:
        """The result of the function if it has no dependencies and raises nothing; else None."""
        for term in terms_of(function.body):
            for part in parts(term):
                if isinstance(part, Apply | Itself) or (isinstance(part, Call) and not _is_pure(part.name)):
                    return None
        made = Function(self.emitter.fresh("always"), (), function.body, function.reads, False, ())
        records = self.program.space["N"]
        before = len(records)
        try:
            answer = self.program.compiled(made)()
        except runtime.Refused:  # an error only if the call is reached
            return None
        noted = tuple(records[before:])
        del records[before:]
        return answer, noted


def for_one_die(term: Term) -> Term:
    """Return the term, with the variables of a roll replaced by their values for one die thrown once."""
    return SIMPLE.get(term.name, term) if isinstance(term, Local) else mapped(term, for_one_die)


def map_terms(body: Sequence[Line], how: Callable[[Term], Term]) -> list[Line]:
    """Return the statements with `how` applied to their terms."""
    made: list[Line] = []
    for line in body:
        if isinstance(line, When):
            made.append(When(how(line.test), tuple(map_terms(line.then, how)), tuple(map_terms(line.other, how))))
        else:
            made.append(mapped(line, how))
    return made


def assignments(body: Sequence[Line]) -> list[Let]:
    """Return all assignments in the statements, including nested ones."""
    found: list[Let] = []
    for line in body:
        if isinstance(line, Let):
            found.append(line)
        elif isinstance(line, When):
            found += [*assignments(line.then), *assignments(line.other)]
    return found
