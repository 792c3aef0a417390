"""Terms in fewer words: what is certain is worked out once.

Enters: terms; values and rolls, as functions of terms. Leaves: terms that come to the same. Of values and rolls that
depend on nothing, what they answer and note; for a roll of one die thrown once, a function that answers only with the
faces that do not count. Each pass states its law. Knows nothing of rules.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from interpreter.vocabulary.operations import EVALUATED

from . import runtime
from .record import NOTE
from .statements import Give, Judge, Let, Line, Told, When, terms_of
from .terms import (
    FALSE,
    NONE,
    ONE,
    TRUE,
    And,
    Apply,
    Call,
    Const,
    Function,
    IfElse,
    Infix,
    Itself,
    Leaf,
    Local,
    Member,
    Or,
    Slot,
    Term,
    Tuple,
    infix,
    is_none,
    mapped,
    parts,
)

if TYPE_CHECKING:
    from .program import Program

SIMPLE: dict[str, Term] = {"dice": ONE, "best": TRUE, "verdict": NONE, "again": FALSE}  # one die, thrown once
NUMBERS = ("len", "met", "size")  # functions that always give a number, beside those of operations
Answer = tuple[Any, tuple[tuple[Any, ...], ...]]


class Others(dict[tuple[Any, Any], bytes | None]):
    """The faces that do not count, by what is needed and what is added to the die."""

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
    """The faces that do not count among those that pass, or that fail."""
    return bytes([f for f in range(1, sides + 1) if (mask >> f & 1) != passing])


def plainer(full: Collection[int]) -> Callable[[Term], Term]:
    """What says a term in fewer words. Law: under every state, and whatever the slots hold (those that are `full` a
    number), it comes to what it came to before, and notes the same.
    """

    def made(term: Term) -> Term:
        if isinstance(term, Leaf):
            return term
        term = mapped(term, made)
        match term:
            case Or(parts=(Slot(number=number) as value, Const(value=0))) if number in full:
                return value
            case And(parts=(Const(value=True), *more)):
                return And(tuple(more)) if len(more) > 1 else more[0]
            case And(parts=(Infix(operators=(">=",), parts=one), Infix(operators=("<=",), parts=other))):
                if one == other and isinstance(one[0], Slot) and isinstance(one[1], Const):
                    return infix(one[0], "==", one[1])
            case Call(name="of", args=(Slot() as record, place, Const() as nothing)):
                return IfElse(is_none(record), nothing, Member(record, place))
        return term

    return made


def surely_number(term: Term | None) -> bool:
    """Whether it comes to a number, under every state and whatever the slots hold."""
    match term:
        case Const(value=value):
            return type(value) is int
        case Call(name=name):
            return name in NUMBERS or (name in EVALUATED and not EVALUATED[name].may_be_none)
        case Infix(parts=(Call(name="len"), *_)):
            return True
    return False


def _is_pure(function: str) -> bool:
    return function == "succeeding" or function in EVALUATED


class Folding:
    """What calls of values and rolls come to that depend on nothing.

    Law of `put`: under every state a term comes to what it came to before; it is for untraced programs, for what is put
    in place of a call notes nothing. Law of `short`: None where no die of the roll is thrown, else the faces that its
    mask has not (or has, `passing` being false).
    """

    def __init__(self, program: Program) -> None:
        self.program, self.emitter = program, program.emitter
        self._known: dict[Function, Answer | None] = {}
        self._terms: dict[Function, Term] = {}
        self._short: dict[tuple[Function, bool], Function | None] = {}

    def of(self, term: Term) -> Answer | None:
        """What a call answers and notes, when nothing that it is handed matters."""
        if not isinstance(term, Apply) or term.args or term.state is not None:
            return None
        function = term.function
        if function not in self._known:
            self._known[function] = self._worked_out(function)
        return self._known[function]

    def put(self, term: Term) -> Term:
        """A term with the answers in place of such calls; only where nothing is noted."""
        if not term.speaks:
            return term
        term = mapped(term, self.put)
        answer = self.of(term)
        if answer is None:
            return term
        assert isinstance(term, Apply)
        if term.function not in self._terms:
            plain = answer[0] is None or isinstance(answer[0], bool | int)
            self._terms[term.function] = Const(answer[0]) if plain else self.emitter.constant(answer[0], "fixed")
        return self._terms[term.function]

    def short(self, term: Term, passing: bool) -> Term | None:
        """The same call of a function that answers with the faces that do not count, None where no die is thrown."""
        if not isinstance(term, Apply):
            return None
        key = (term.function, passing)
        if key not in self._short:
            self._short[key] = self._shorter(*key)
        made = self._short[key]
        return None if made is None else Apply(made, term.state, term.args)

    def _shorter(self, function: Function, passing: bool) -> Function | None:
        *body, judge = function.body
        if not isinstance(judge, Judge):
            return None
        if not self.emitter.traced:
            body = put_in(body, self.put)
        for name, value in SIMPLE.items():
            if [line.value for line in lets(body) if line.name == name] != [value]:
                return None
        body = [line for line in body if not (isinstance(line, Let) and line.name in SIMPLE)]
        if self.emitter.traced:
            body = self._noted(body)
        others = Others(judge.sides, judge.over, judge.always, judge.never, passing)
        found = Member(self.emitter.constant(others, "others"), Tuple((judge.need, judge.change)))
        made = (*body, Give(found))
        short = self.emitter.fresh("short")
        return Function(short, function.params, made, function.reads, function.of_state, function.used, function.weight)

    def _noted(self, body: Sequence[Line]) -> list[Line]:
        """All that a roll notes in one record, where nothing in it branches or speaks for itself."""
        body = put_in(body, plainly)
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
                if isinstance(value, Local) and any(later.name == value.name for later in lets(body[i:])):
                    kept = Local(f"q{len(values) + k}")
                    made.append(Let(kept.name, value))
                    given[k] = kept
            assert isinstance(line.about, Const)
            steps.append((NOTE, line.about.value, len(given)))
            values += given
        return [*made, Told(self.emitter.constant(tuple(steps), "steps"), tuple(values))]

    def _worked_out(self, function: Function) -> Answer | None:
        """Its answer, unless it asks what another state or other rules may answer otherwise, or is refused."""
        body = function.body if self.emitter.traced else tuple(put_in(function.body, self.put))
        for term in terms_of(body):
            for part in parts(term):
                if isinstance(part, Apply | Itself) or (isinstance(part, Call) and not _is_pure(part.name)):
                    return None
        made = Function(self.emitter.fresh("always"), (), body, function.reads, False, ())
        told = self.program.space["N"]
        before = len(told)
        try:
            answer = self.program.compiled(made)()
        except runtime.Refused:  # whoever comes to it is refused, and nobody else
            return None
        noted = tuple(told[before:])
        del told[before:]
        return answer, noted


def plainly(term: Term) -> Term:
    """A note of a roll of one die, thrown once."""
    return SIMPLE.get(term.name, term) if isinstance(term, Local) else mapped(term, plainly)


def put_in(body: Sequence[Line], how: Callable[[Term], Term]) -> list[Line]:
    """Statements with other terms in them."""
    made: list[Line] = []
    for line in body:
        if isinstance(line, When):
            made.append(When(how(line.test), tuple(put_in(line.then, how)), tuple(put_in(line.other, how))))
        else:
            made.append(mapped(line, how))
    return made


def lets(body: Sequence[Line]) -> list[Let]:
    """The names that statements set, however deep."""
    found: list[Let] = []
    for line in body:
        if isinstance(line, Let):
            found.append(line)
        elif isinstance(line, When):
            found += [*lets(line.then), *lets(line.other)]
    return found
