"""What tests of the engines share: rules and situations from texts, and play under every script of dice."""

from collections import Counter
from fractions import Fraction
from random import Random

from every_script import EveryScript

from interpreter.document.reader import read
from interpreter.document.shape import check_shape, check_situation_shape
from interpreter.engines.odds import Refused
from interpreter.engines.play import Play
from interpreter.places import LANGUAGE
from interpreter.program.words import Words
from interpreter.rulebook.check import check_book
from interpreter.rulebook.sheets import Sheet
from interpreter.source import Problems, Source
from interpreter.workbench.answers import odds
from interpreter.workbench.cases import prepare
from interpreter.workbench.histories import decider
from interpreter.workbench.rule_sets import RuleSet
from interpreter.workbench.run_setup import set_up


class TooMany(Exception):
    """More scripts of dice than the budget allows."""


class TooLong(Exception):
    """One script asked for more dice than are followed."""


class NotAnswered(Exception):
    """An engine refuses a case: `codes` says why."""

    def __init__(self, case):
        super().__init__(codes(case))
        self.codes = codes(case)


class Mistaken(Exception):
    """The text of a test has a problem: its codes, with the words they point at."""


def _sound(problems):
    told = [(p.code, p.span.source.text[p.span.start : p.span.end] if p.span else "") for p in problems]
    if problems.has_errors:
        raise Mistaken(told)


def rules_of(text):
    problems = Problems()
    root = read(Source("toy.yaml", text), problems)
    _sound(problems)
    check_shape(root, problems)
    book, checker = check_book([Sheet.of("toy", root)], LANGUAGE, problems, None)
    _sound(problems)
    return RuleSet((Sheet.of("toy", root),), book, checker)


def case_of(rules, text):
    problems = Problems()
    root = read(Source("situation.yaml", text), problems)
    _sound(problems)
    check_situation_shape(root, problems)
    case = prepare(rules, root, problems)
    _sound(problems)
    return case


def codes(case):
    return [p.code for p in case.problems]


def law_of_odds(case, **more):
    """The joint law of all questions of a case, as fractions."""
    answer = odds(case, **more)
    if answer is None:
        raise NotAnswered(case)
    assert sum(w for _, w in answer.joint) == answer.total, "weights sum to the denominator"
    assert all(w > 0 for _, w in answer.joint)
    return {values: Fraction(w, answer.total) for values, w in answer.joint}


class Cut(EveryScript):
    """Every script of at most so many dice."""

    def __init__(self, longest):
        super().__init__()
        self.longest = longest

    def throw(self, line, n, sides, *who):
        if self._at + n > self.longest:
            raise TooLong
        return super().throw(line, n, sides, *who)


class Thrown:
    """Dice at random, that know how many scripts are as long as theirs."""

    def __init__(self, seed):
        self.random = Random(seed)
        self.alike = 1

    def throw(self, line, n, sides, *who):
        self.alike *= sides**n
        return [self.random.randint(1, sides) for _ in range(n)]


def law_of_play(case, budget=40_000, longest=10_000, traced=False, partly=False):
    """The joint law by playing every script, the mass not followed, and how many scripts there were."""
    ready = set_up(case, traced)
    if ready is None:
        raise NotAnswered(case)
    words = Words(case.rules.book, ready.start.names)
    decide = decider(ready, words, None)
    places = [ready.places[a.address] for a in case.asks]
    dice = Cut(longest)

    def played(dice):
        play = Play(ready.program, ready.start.keys, ready.start.names, list(ready.start.state), dice, decide)
        results = play.run(case.situation.procedure, ready.args)
        return tuple(results[p] for p in places)

    if not partly and _many(played, budget):
        raise TooMany
    law, lost, count = Counter(), Fraction(0), 0
    for _ in dice.scripts():
        count += 1
        if count > budget:
            if not partly:
                raise TooMany
            lost = 1 - sum(law.values())
            break
        try:
            law[played(dice)] += dice.weight
        except TooLong:
            lost += dice.weight
    assert sum(law.values()) + lost == 1
    return dict(law), lost, count


def _many(played, budget):
    """Whether there are surely more scripts than the budget, so that none need be counted.

    A history at random that took throws with `alike` results counts for so many scripts: their mean is, on average,
    how many there are. It is taken with a margin.
    """
    few = 5
    alike = 0
    for seed in range(few):
        dice = Thrown(seed)
        played(dice)
        alike += dice.alike
    return alike > 2 * few * budget


def agree(case, budget=40_000):
    """Play under every script is exactly odds; how many scripts that took."""
    played, lost, count = law_of_play(case, budget)
    assert lost == 0
    assert law_of_odds(case) == played
    return count


def bounded(case, longest, budget=40_000):
    """Of an endless matter: each outcome has at least the mass followed, and the rest is what was not."""
    played, lost, _ = law_of_play(case, budget, longest)
    law = law_of_odds(case)
    for outcome, mass in played.items():
        assert law[outcome] >= mass
    assert sum(law[o] - played.get(o, 0) for o in law) == lost
    return lost


def refusal(case, **more):
    """The code with which odds are refused."""
    assert odds(case, **more) is None
    return codes(case)


__all__ = [
    "Cut", "Mistaken", "NotAnswered", "Refused", "TooLong", "TooMany", "agree", "bounded", "case_of", "codes", "law_of_odds",
    "law_of_play", "refusal", "rules_of",
]  # fmt: skip
