"""Odds with open choices: the minimum and the maximum of each question over all policies.

Takes a case and gives a `Band`. Each choice is made with full knowledge of the history so far, to minimize or maximize
the answer to one question. Knows nothing of how worlds are explored.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from interpreter.document.nodes import Mapping
from interpreter.engines.odds import Refused
from interpreter.program.words import Words
from interpreter.rulebook.situation import Ask
from interpreter.source import Problems
from interpreter.source.values import Record, field, replace
from interpreter.vocabulary.types import NOT_RUN

from .answers import Answer, Known, as_known, explain_no_mean, odds, sort_key
from .cases import Case, prepare
from .rule_sets import RuleSet
from .run_setup import asking, run_guarded, set_up
from .texts import Asks

if TYPE_CHECKING:
    from interpreter.engines.best import Best, Worth

MOST_WORLDS = 200_000  # default limit for one situation

Bounds = tuple[Fraction, Fraction]
NEVER: Bounds = Fraction(0), Fraction(0)


def as_bounds(found: Fraction | Bounds) -> Bounds:
    """The number as (minimum, maximum); bounds are returned unchanged."""
    return found if isinstance(found, tuple) else (found, found)


def format_bounds(bounds: Bounds, form: Callable[[Fraction], str] = str) -> str:
    """The bounds as text: `1/2`, or `1/3 to 1/2` where the two differ as text."""
    return " to ".join(dict.fromkeys(map(form, bounds)))


class Band(Record):
    """Bounds of each question, as (minimum, maximum) of exact fractions. Different questions may reach their bounds by
    different choices. `open` gives the address of each line with an open choice → who chooses.
    """

    asks: list[Ask]
    words: Words
    worlds: int
    open: dict[str, str]
    engine: Best
    places: list[int]
    known: tuple[Known, ...] = ()
    given: tuple[int, ...] = ()  # places of conditions: only histories in which all hold count
    _known: dict[Any, Bounds] = field(default_factory=dict)

    @property
    def advice(self) -> str:
        """How to state policies for the open choices, as text; "" if there are none."""
        if not self.open:
            return ""
        policies = ", ".join(f"{address}: …" for address in self.open)
        return f"open here: {self.by}; to name a policy, `choose: {{{policies}}}`, or `usually …` in the rules"

    @property
    def by(self) -> str:
        return ", ".join(f"{address} ({who})" for address, who in self.open.items())

    def of(self, index: int) -> dict[Any, Bounds]:
        """The bounds of the chance of each value."""
        return {value: self._chance("==", index, value) for value in self.values(index)}

    def at_least(self, index: int) -> dict[Any, Bounds]:
        """The bounds of the chance of each value or a greater one. Omits the least value, whose chance is 1."""
        return {value: self._chance(">=", index, value) for value in self.values(index)[1:]}

    def values(self, index: int) -> list[Any]:
        ends = self.engine.ends()
        ends = {end for end in ends if self._counts(end)}
        found = {end[self.places[index]] for end in ends}
        return sorted(found, key=sort_key)

    def mean(self, index: int) -> Bounds:
        """The mean of a numeric question. Raises ValueError if the line may not run: see `mean_where_run`."""
        if NOT_RUN in self.values(index):
            raise ValueError(explain_no_mean(self.asks[index]))
        return self._bounds(("mean", index), index, lambda found: Fraction(found or 0))

    def runs(self, index: int) -> Bounds:
        """The chance that the line of the question runs."""
        return self._bounds(("runs", index), index, lambda found: found is not NOT_RUN)

    def mean_where_run(self, index: int) -> Bounds | None:
        """The mean over the histories in which the line runs; None if it never does."""
        place = self.places[index]
        key = "mean where run", index

        def runs(end: Any) -> bool:
            return end[place] is not NOT_RUN and self._counts(end)

        if key not in self._known and self.runs(index)[1]:
            found = [
                self.engine.best_share(lambda end: Fraction(end[place] or 0) if runs(end) else 0, runs, most)
                for most in (False, True)
            ]
            self._known[key] = found[0] or Fraction(0), found[1] or Fraction(0)
        return self._known.get(key)

    def chance(self, index: int) -> Bounds:
        return self._chance("==", index, True)

    def bounds(self, index: int) -> Bounds | None:
        """The value to compare an expectation with: a mean or a chance. None for the mean of a line that may not
        run.
        """
        if self.asks[index].kind == "mean" and NOT_RUN in self.values(index):
            return None
        return self.mean(index) if self.asks[index].kind == "mean" else self.chance(index)

    def _chance(self, how: str, index: int, value: Any) -> Bounds:
        if how == "==":
            return self._bounds((how, index, value), index, lambda found: found == value)
        return self._bounds((how, index, value), index, lambda found: sort_key(found) >= sort_key(value))

    def _bounds(self, key: Any, index: int, worth: Worth) -> Bounds:
        if key not in self._known:
            place = self.places[index]
            least, greatest = [self._best(lambda end: worth(end[place]), most) for most in (False, True)]
            self._known[key] = least, greatest
        return self._known[key]

    def _best(self, worth: Worth, most: bool) -> Fraction:
        if not self.given:
            return self.engine.best(worth, most)[0]
        found = self.engine.best_share(worth, lambda end: int(self._counts(end)), most)
        assert found is not None
        return found

    def where(self, index: int) -> tuple[Band, Bounds] | None:
        """The band of the other questions given that question `index` holds, and the chance of that. None if it is
        0.
        """
        likely = self.chance(index)
        kept = [i for i in range(len(self.asks)) if i != index]
        if not likely[1]:
            return None
        asks, places = [self.asks[i] for i in kept], [self.places[i] for i in kept]
        conditions = (*self.given, self.places[index])
        return replace(self, asks=asks, places=places, given=conditions, _known={}), likely

    def _counts(self, end: Any) -> bool:
        return all(bool(end[place]) for place in self.given)


def find_bounds(case: Case, *, limit: int = 200_000) -> Band | None:
    """Bounds for every question of the case. None with problems, also if there are more than `limit` worlds."""
    made = set_up(case, certain=True)
    if made is None:
        return None
    from interpreter.engines.best import Best  # imported late: most situations have no open choice

    situation = case.situation
    engine = Best(made.program, made.start.keys, limit)
    wants, places = asking(case, made, engine)

    def explore() -> bool:
        engine.explore(situation.procedure, wants, made.args, made.start.state)
        return True

    if not run_guarded(case, explore):
        return None
    words = Words(case.rules.book, made.start.names)
    named = {address: words.thing(who) for address, who in sorted(engine.met.items())}
    return as_known(Band(situation.asks, words, engine.worlds, named, engine, places), case.problems)


def answer_situation(
    rules: RuleSet, root: Mapping, problems: Problems, asks: Asks | None = None, *, limit: int = 200_000
) -> Answer | Band | None:
    """Check a situation and answer its questions and the extra questions `asks`; None with problems."""
    case = prepare(rules, root, problems, asks)
    return answer_case(case, limit=limit) if case is not None else None


def answer_case(case: Case, *, limit: int = 200_000) -> Answer | Band | None:
    """Exact odds of every question, or bounds if a choice is open; None with problems."""
    try:
        return odds(case, limit=limit, but="F008")
    except Refused:
        return find_bounds(case, limit=limit)
