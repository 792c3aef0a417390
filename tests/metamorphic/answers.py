"""What the questions of a game come to, in the game's own words.

Enters: a game. Leaves: `Answers`, equal where two games answer alike; or `Mistaken` where the files have errors, and
`Unanswered` where the engines refuse. Rule sets are kept for as long as the same texts come again.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

from interpreter.document.alternatives import first_alternatives
from interpreter.document.nodes import Mapping
from interpreter.document.reader import read
from interpreter.document.shape import check_shape, check_situation_shape
from interpreter.places import LANGUAGE
from interpreter.rulebook.check import check_book
from interpreter.rulebook.sheets import Sheet
from interpreter.source import Problems, Source
from interpreter.source.values import replace
from interpreter.workbench.answers import Answer
from interpreter.workbench.bands import answer_case
from interpreter.workbench.cases import Case, prepare
from interpreter.workbench.rule_sets import RuleSet
from interpreter.workbench.texts import asked

from .game import Game

WORLDS = 3000  # of odds: what needs more is not tried
TOLD = ("truth", "number", "inches", "row", "rows", "thing", "things", "target", "figures", "figure")


class Mistaken(Exception):
    """Files or questions have errors: their codes, with the words they point at."""


class Unanswered(Exception):
    """The engines refuse: the codes."""


class TooLarge(Exception):
    """More worlds than are followed."""


@dataclass(frozen=True)
class Answers:
    """`joint`: the law of all questions together, where no choice is open; `each`: of every question its law, as values
    with a chance, or with the least and the greatest.
    """

    joint: tuple[tuple[tuple[str, ...], Fraction], ...] | None
    each: tuple[tuple[tuple[str, Any], ...], ...]


def errors(problems: Problems) -> list[tuple[str, str]]:
    return [(p.code, p.span.source.text[p.span.start : p.span.end] if p.span else "") for p in problems.sorted()]


def sound(problems: Problems) -> None:
    if problems.has_errors:
        raise Mistaken(errors(problems))


@lru_cache(maxsize=400)
def _sheet(name: str, text: str) -> Sheet:
    problems = Problems()
    root = read(Source(f"{name}.yaml", text), problems)
    sound(problems)
    assert isinstance(root, Mapping)
    check_shape(root, problems)
    sound(problems)
    return Sheet.of(name, root, laid=root.get("over") is not None)


@lru_cache(maxsize=16)
def opened(files: tuple[tuple[str, str], ...]) -> RuleSet:
    """The checked rules of some files, undermost first."""
    sheets = [_sheet(*file) for file in files]
    problems = Problems()
    book, checker = check_book(sheets, LANGUAGE, problems, None)
    sound(problems)
    return RuleSet(tuple(sheets), book, checker)


def case_of(game: Game, asks: tuple[str, ...] | None = None, *, given: tuple[str, ...] = (), cut: bool = True) -> Case:
    """The situation with these questions, else with those of the game; behind them conditions."""
    problems = Problems()
    root = read(Source("situation.yaml", game.situation), problems)
    sound(problems)
    assert isinstance(root, Mapping)
    check_situation_shape(root, problems)
    sound(problems)
    if first_alternatives(root) is not None:
        raise Mistaken([("G007", "")])
    questions = asked("show", "ask", game.asks if asks is None else asks) + asked("given", "given", given)
    case = prepare(opened(game.files), root, problems, questions)
    if case is None:
        raise Mistaken(errors(problems))
    sound(problems)
    return replace(case, cut=cut)


def weigh(case: Case) -> Any:
    """The `Answer` or the `Band` of a case."""
    answer = answer_case(case, limit=WORLDS)
    if answer is None:
        codes = sorted(p.code for p in case.problems if p.code[0] not in "RW")
        if "E001" in codes:
            raise TooLarge
        raise Unanswered(codes)
    return answer


@lru_cache(maxsize=8)
def answers(game: Game, *, alone: bool = False, cut: bool = True) -> Answers:
    """All questions together, or one after the other; `cut`: with rules cut down to the situation, as `umpire odds`
    does it, or whole, as examples are tried. One game is asked the same by several laws, one after the other.
    """
    if not alone:
        return said_of(weigh(case_of(game, cut=cut)))
    found = [said_of(weigh(case_of(game, (ask,), cut=cut))) for ask in game.asks]
    return Answers(None, tuple(one.each[0] for one in found))


def said_of(answer: Any) -> Answers:
    """An answer without anything that hangs on where things lie."""
    asks = range(len(answer.asks))
    each = tuple(_sorted((word(answer, i, v), _bounds(p)) for v, p in answer.of(i).items()) for i in asks)
    if not isinstance(answer, Answer):
        return Answers(None, each)
    told = [
        (tuple(word(answer, i, v) for i, v in enumerate(values)), Fraction(weight, answer.total))
        for values, weight in answer.joint
    ]
    return Answers(_sorted(told), each)


def _bounds(chance: Any) -> Any:
    """What no choice changes is one chance, also where another question is for somebody to decide."""
    return chance[0] if isinstance(chance, tuple) and chance[0] == chance[1] else chance


def _sorted(told: Any) -> Any:
    """Values that are called alike are one: two things made by a procedure."""
    found: dict[Any, Any] = {}
    for value, chance in told:
        found[value] = found[value] + chance if value in found and isinstance(chance, Fraction) else chance
    return tuple(sorted(((v, p) for v, p in found.items() if p), key=lambda pair: pair[0]))


def word(answer: Any, index: int, value: Any) -> str:
    type_ = answer.asks[index].type
    if value is None:
        return "nothing at all" if type_.name == "truth" else answer.words.say(value, type_)
    if type_.name == "figures":
        return ", ".join(sorted(f"{n} × {answer.words.figure(f)}" for f, n in value)) or "nobody"
    if type_.name in ("things", "rows"):
        return ", ".join(sorted(answer.words.say(value, type_).split(", ")))
    return re.sub(r"new thing \d+", "new thing", answer.words.say(value, type_))


def tellable(case: Case) -> list[bool]:
    """Which of its questions have answers that can be told apart by what is said of them."""
    return [ask.type.name in TOLD for ask in case.asks]


def told(found: Answers) -> list[str]:
    """For a report."""
    rows = []
    for one in found.each:
        rows.append(
            ", ".join(f"{v}: {p if isinstance(p, Fraction) else f'{p[0]} to {p[1]}'}" for v, p in one)  # bounds
        )
    return rows


__all__ = [
    "Answers", "Mistaken", "TooLarge", "Unanswered", "answers", "case_of", "opened", "said_of", "tellable", "told",
    "weigh",
]  # fmt: skip
