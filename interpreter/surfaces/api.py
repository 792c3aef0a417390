"""Umpire for Python programs: `import interpreter`.

A *situation* is the path of a file, a text of YAML (it has a line break), or plain data: `{"rules":
"modern", "do": "A shoots at B", …}`. What cannot be answered raises `Trouble`, which holds the same
problems that the command line shows. Values in answers are encoded as the engines keep them;
`answer.words.plain(value, answer.asks[i].type)` says them in the game's own words.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any, TypeVar

from interpreter.mutation import checked_slips
from interpreter.places import is_slips_file
from interpreter.source import Problem, Problems, Span, render
from interpreter.workbench.answers import Answer
from interpreter.workbench.answers import odds as exact_odds
from interpreter.workbench.bands import MOST_WORLDS, Band
from interpreter.workbench.bands import find_bounds as odds_band
from interpreter.workbench.cases import Case, prepare
from interpreter.workbench.default_questions import EXPECTATIONS
from interpreter.workbench.files import check_file, open_force, open_situation, test_file
from interpreter.workbench.grids import Grid, apply_condition
from interpreter.workbench.grids import answer_alternatives as odds_grid
from interpreter.workbench.histories import Outcome
from interpreter.workbench.histories import resolve as played
from interpreter.workbench.parallel import HERE
from interpreter.workbench.plays import Plays
from interpreter.workbench.plays import sample as sampled
from interpreter.workbench.roster import Muster
from interpreter.workbench.roster import muster as mustered
from interpreter.workbench.rule_sets import RuleSet
from interpreter.workbench.rules import open_rules as open_rule_set
from interpreter.workbench.running import Result
from interpreter.workbench.stacks import stacks_of
from interpreter.workbench.texts import asked, with_entries

T = TypeVar("T")
A = TypeVar("A", Answer, Band)
Text = str | os.PathLike[str]
Situation = Text | dict[str, Any]


class Trouble(Exception):
    """Raised if a question cannot be answered. `problems` are the reasons with their places; the message is the output
    of `umpire check`.
    """

    def __init__(self, problems: Problems) -> None:
        self.problems: tuple[Problem, ...] = problems.sorted()
        super().__init__("\n" + render(self.problems).rstrip())


def open_rules(name: Text) -> RuleSet:
    """Read and check a rule set: a shipped one by name (`"modern"`), or the path of a file. Raises Trouble if it has
    errors.
    """
    problems = Problems()
    return _needed(open_rule_set(os.fspath(name), problems), problems)


def check(path: Text) -> tuple[Problem, ...]:
    """The problems of a rule file, a situation or a file of examples, in the order of the file; () if there are none. A
    supplement is checked over each stack that it is made for. Raises nothing.
    """
    if is_slips_file(os.fspath(path)):
        return checked_slips(os.fspath(path)).problems
    problems = Problems()
    for stack in stacks_of(os.fspath(path)):
        check_file(stack, problems)
    return problems.sorted()


def resolve(
    situation: Situation,
    *,
    seed: int | str | None = None,
    dice: Sequence[int] | None = None,
    ask: Sequence[str] = (),
) -> Outcome:
    """Run one history. The result has `events` (the trace, a tree), `values` (by the text of each question), `then` (by
    expectation, whether it holds) and `after` (the things at the end).

    Dice: the faces in `dice`, in the order thrown; else from `seed`; else those of the situation; else from the seed 1.
    Raises Trouble if the situation is incomplete, a choice is open, or there are too few dice.
    """
    case = _case(situation, ask)
    return _needed(played(case, seed=seed, dice=list(dice) if dice is not None else None), case.problems)


def odds(situation: Situation, *, ask: Sequence[str] = (), given: str | None = None, worlds: int = 200_000) -> Answer:
    """Compute exact odds of the questions `ask`, or else of the situation's own. `answer.of(i)` is {value: Fraction};
    the chances add up to 1.

    `given`: a condition; only histories in which it holds count. Raises Trouble if there is no question, if `given`
    never holds, past `worlds` worlds, or if a choice is open: use `band` then.
    """
    case = _case(situation, ask, given, asking=True)
    return _kept(_needed(exact_odds(case, limit=worlds), case.problems), given)


def muster(force: Situation) -> Muster:
    """Check a side's list against its rules. The result has `things` with the values of each, `limits` with their
    breaches, and `kept`. Broken limits raise nothing; raises Trouble if the list cannot be read.
    """
    problems = Problems()
    case = _needed(open_force(force, problems), problems)
    return _needed(mustered(case), case.problems)


def band(situation: Situation, *, ask: Sequence[str] = (), given: str | None = None, worlds: int = 200_000) -> Band:
    """As `odds`, over all ways to make open choices: `answer.mean(i)`, `answer.chance(i)` and each value of
    `answer.of(i)` are (minimum, maximum) as Fractions; `answer.open` maps the line of each open choice to who chooses.
    """
    case = _case(situation, ask, given, asking=True)
    return _kept(_needed(odds_band(case, limit=worlds), case.problems), given)


def grid(situation: Situation, *, ask: Sequence[str] = (), given: str | None = None, worlds: int = 200_000) -> Grid:
    """As `odds` and `band`, for a situation with alternatives such as `<1 to 6>`. The result has `axes` (name and
    values) and `points`, each with its `labels` and `answer`. The answer is None if `given` never holds, or the point
    was refused for the reason in `refused`. Raises Trouble if all points are refused.
    """
    rules, root, asks, problems = _asked(situation, ask, given)
    found = _needed(odds_grid(rules, root, problems, asks, limit=worlds), problems)
    if not any(point.answer is None or point.answer.asks for point in found.points):
        raise _lacking("a question: `ask`", root.span)
    return found


def sample(
    situation: Situation,
    *,
    ask: Sequence[str] = (),
    given: str | None = None,
    plays: int = 10_000,
    seed: int | str = 1,
) -> Plays:
    """Estimate odds from many plays, where `odds` gives up. `chance(i)`, `mean(i)` and each value of `of(i)` have a
    lower and an upper bound, a 95 % confidence interval. The same seed gives the same plays. Raises Trouble as `odds`
    does.
    """
    case = _case(situation, ask, given, asking=True)
    found = sampled(case, plays, seed)
    if found is None and not case.problems.has_errors:
        raise _never(given or "")
    return _needed(found, case.problems)


def test(name: Text) -> list[Result]:
    """Run every example of a rule set, or of a file of examples, in both engines. Each result has `passed` and
    `problems`.
    """
    problems = Problems()
    return _needed(test_file(os.fspath(name), problems, HERE, None, MOST_WORLDS), problems)[1]


def _needed(found: T | None, problems: Problems) -> T:
    if found is None or problems.has_errors:
        raise Trouble(problems)
    return found


def _kept(answer: A, given: str | None) -> A:
    """The answer where the condition holds. Raises Trouble if it never does."""
    found = apply_condition(answer)
    if found is None:
        raise _never(given or "")
    return found[0]  # type: ignore[return-value]


def _never(given: str) -> Trouble:
    return _lacking(f"a condition that can hold; `{given}` never does")


def _lacking(wanted: str, where: Span | None = None) -> Trouble:
    problems = Problems()
    problems.add("F016", where, wanted=wanted)
    return Trouble(problems)


def _case(situation: Situation, ask: Sequence[str], given: str | None = None, asking: bool = False) -> Case:
    rules, root, asks, problems = _asked(situation, ask, given)
    case = _needed(prepare(rules, root, problems, asks), problems)
    if asking and len(case.asks) == (given is not None):
        raise _lacking("a question: `ask`", case.where)
    return case


def _asked(
    situation: Situation, ask: Sequence[str], given: str | None
) -> tuple[RuleSet, Any, list[tuple[str, Any]], Problems]:

    problems = Problems()
    rules, root = _needed(open_situation(situation, problems), problems)
    if ask or given:  # drop the situation's own questions and expectations, but keep its dice
        root = with_entries(root, (), [k for k in EXPECTATIONS if k != "dice"])
    asks = [*asked("show", "ask", list(ask)), *(asked("given", "given", [given]) if given else [])]
    return rules, root, asks, problems
