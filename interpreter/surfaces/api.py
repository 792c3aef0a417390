"""Umpire for Python programs: `import interpreter`.

A *situation* is the path of a file, a text of YAML (it has a line break), or plain data: `{"rules":
"modern", "do": "A shoots at B", …}`. What cannot be answered raises `Trouble`, which holds the same
problems that the command line shows. Values in answers are encoded as the engines keep them;
`answer.words.plain(value, answer.asks[i].type)` says them in the game's own words.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

from interpreter.mutation import checked_slips
from interpreter.places import is_slips_file
from interpreter.source import Problem, Problems, render
from interpreter.workbench.answers import Answer
from interpreter.workbench.answers import odds as exact_odds
from interpreter.workbench.bands import Band
from interpreter.workbench.bands import band as odds_band
from interpreter.workbench.cases import Case, prepare
from interpreter.workbench.files import check_file, open_force, open_situation, test_file
from interpreter.workbench.grids import Grid
from interpreter.workbench.grids import grid as odds_grid
from interpreter.workbench.histories import Outcome
from interpreter.workbench.histories import resolve as played
from interpreter.workbench.muster import Muster
from interpreter.workbench.muster import muster as mustered
from interpreter.workbench.plays import Plays
from interpreter.workbench.plays import sample as sampled
from interpreter.workbench.questions import EXPECTATIONS, conditional
from interpreter.workbench.rule_sets import RuleSet
from interpreter.workbench.rules import open_rules as open_rule_set
from interpreter.workbench.running import Result
from interpreter.workbench.texts import asked, with_entries

Text = str | os.PathLike[str]
Situation = Text | dict[str, Any]


class Trouble(Exception):
    """`problems` says what is wrong and where; the text of this is what `umpire check` would print."""

    def __init__(self, problems: Problems) -> None:
        self.problems: tuple[Problem, ...] = problems.sorted()
        super().__init__("\n" + render(self.problems).rstrip())


def open_rules(name: Text) -> RuleSet:
    """A rule set that comes along (`"modern"`) or the path of a file, read and checked. Raises Trouble on
    any error in it.
    """
    problems = Problems()
    rules = open_rule_set(os.fspath(name), problems)
    if rules is None or problems.has_errors:
        raise Trouble(problems)
    return rules


def check(path: Text) -> tuple[Problem, ...]:
    """The problems of a rule file, a situation or a file of examples, in the order of reading; () when
    clean. Raises nothing.
    """
    if is_slips_file(os.fspath(path)):
        return checked_slips(os.fspath(path)).problems
    problems = Problems()
    check_file(os.fspath(path), problems)
    return problems.sorted()


def resolve(
    situation: Situation,
    *,
    seed: int | str | None = None,
    dice: Sequence[int] | None = None,
    ask: Sequence[str] = (),
) -> Outcome:
    """One history: `events` (what happened, as a tree), `values` by question, `then`, `after` (things as
    they became).

    Dice: the faces given, in the order thrown; else from the seed; else those in the situation; else from
    the seed 1. Raises Trouble where the situation lacks something, where a choice is open, or where dice
    run out.
    """
    case = _case(situation, ask)
    outcome = played(case, seed=seed, dice=list(dice) if dice is not None else None)
    if outcome is None:
        raise Trouble(case.problems)
    return outcome


def odds(situation: Situation, *, ask: Sequence[str] = (), given: str | None = None, worlds: int = 200_000) -> Answer:
    """Exact odds of each question: of `ask`, else of the situation's own. `answer.of(i)` is {value:
    Fraction}, summing to 1.

    `given` keeps only the histories in which it holds. Raises Trouble where nothing is asked, where `given`
    never holds, past `worlds`, or where a choice is open: `band` answers that.
    """
    case = _case(situation, ask, given, asking=True)
    answer = exact_odds(case, limit=worlds)
    if answer is None:
        raise Trouble(case.problems)
    if given is None:
        return answer
    kept = conditional(answer, len(answer.asks) - 1)
    if kept is None:
        raise _never(given)
    return kept[0]


def muster(force: Situation) -> Muster:
    """A side's list against its rules: `things` with what the rules say of each, `limits` with their breaches, `kept`.

    Broken limits raise nothing. Raises Trouble where the list itself cannot be read.
    """
    problems = Problems()
    case = open_force(force, problems)
    if case is None or problems.has_errors:
        raise Trouble(problems)
    found = mustered(case)
    if found is None:
        raise Trouble(case.problems)
    return found


def band(situation: Situation, *, ask: Sequence[str] = (), given: str | None = None, worlds: int = 200_000) -> Band:
    """As `odds`, over all ways to decide what is open: `answer.mean(i)`, `answer.chance(i)` and each of
    `answer.of(i)` are (least, greatest), as Fractions; `answer.open` are the lines that are open, and who chooses.
    """
    case = _case(situation, ask, given, asking=True)
    answer = odds_band(case, limit=worlds)
    if answer is None:
        raise Trouble(case.problems)
    if given is None:
        return answer
    kept = answer.where(len(answer.asks) - 1)
    if kept is None:
        raise _never(given)
    return kept[0]


def grid(situation: Situation, *, ask: Sequence[str] = (), given: str | None = None, worlds: int = 200_000) -> Grid:
    """As `odds` and `band`, for a situation with alternatives such as `<1 to 6>`: `axes` are what they are called and
    their values, and each of `points` has its `labels` and its `answer`. That is None where `given` never holds there,
    and where it cannot be asked: then `refused` says why. Raises Trouble where none of them can be.
    """
    rules, root, asks, problems = _asked(situation, ask, given)
    found = odds_grid(rules, root, problems, asks, limit=worlds)
    if found is None:
        raise Trouble(problems)
    if not any(point.answer is None or point.answer.asks for point in found.points):
        problems.add("F016", root.span, wanted="a question: `ask`")
        raise Trouble(problems)
    return found


def sample(
    situation: Situation,
    *,
    ask: Sequence[str] = (),
    given: str | None = None,
    plays: int = 10_000,
    seed: int | str = 1,
) -> Plays:
    """An estimate from many plays, for what `odds` gives up: `chance(i)`, `mean(i)` and each of `of(i)` have a least
    and a greatest, with the true number between them in 95 of 100 such samples. The same seed gives the same plays.
    """
    case = _case(situation, ask, given, asking=True)
    found = sampled(case, plays, seed)
    if found is not None:
        return found
    raise Trouble(case.problems) if case.problems.has_errors else _never(given or "")


def _never(given: str) -> Trouble:
    problems = Problems()
    problems.add("F016", None, wanted=f"a condition that can hold; `{given}` never does")
    return Trouble(problems)


def test(name: Text) -> list[Result]:
    """Every example of a rule set, or of a file of examples, run in both engines: `result.passed`,
    `result.problems`.
    """
    problems = Problems()
    found = test_file(os.fspath(name), problems)
    if found is None or problems.has_errors:
        raise Trouble(problems)
    return found[1]


def _case(situation: Situation, ask: Sequence[str], given: str | None = None, asking: bool = False) -> Case:
    rules, root, asks, problems = _asked(situation, ask, given)
    case = prepare(rules, root, problems, asks)
    if case is None or problems.has_errors:
        raise Trouble(problems)
    if asking and len(case.asks) == (given is not None):
        problems.add("F016", case.where, wanted="a question: `ask`")
        raise Trouble(problems)
    return case


def _asked(
    situation: Situation, ask: Sequence[str], given: str | None
) -> tuple[RuleSet, Any, list[tuple[str, Any]], Problems]:

    problems = Problems()
    opened = open_situation(situation, problems)
    if opened is None or problems.has_errors:
        raise Trouble(problems)
    rules, root = opened
    if ask or given:  # its own expectations are other questions than those asked here; its dice stay
        root = with_entries(root, (), [k for k in EXPECTATIONS if k != "dice"])
    return (
        rules,
        root,
        [*asked("show", "ask", list(ask)), *(asked("given", "given", [given]) if given else [])],
        problems,
    )
