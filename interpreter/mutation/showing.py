"""What an example would show of a slip, if it were asked: a line whose mean is not the same.

Enters: rules, the rules with a slip in them, an example. Leaves: what to ask, with both answers; or nothing. Knows
nothing of how slips are made.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from interpreter.document import Scalar
from interpreter.rulebook import typed as t
from interpreter.source import Problems, Source, Span
from interpreter.workbench.bands import weighed
from interpreter.workbench.cases import Case, prepare
from interpreter.workbench.examples import Example
from interpreter.workbench.rules import RuleSet

COUNTED = ("number", "truth", "figures", "things", "inches")
MOST = 12  # lines that are asked for


@dataclass(frozen=True, slots=True)
class Shown:
    """In `example` the mean of `ask` is `now`, and with the slip `then`: the least and the greatest, where somebody
    chooses.
    """

    example: str
    ask: str
    now: tuple[Fraction, Fraction]
    then: tuple[Fraction, Fraction]

    @property
    def words(self) -> str:
        return f"`{_said(self.now)} mean {self.ask}` ({_said(self.then)} with the slip)"


def shown(rules: RuleSet, slipped: RuleSet, example: Example, definition: str) -> Shown | None:
    for ask in _lines(rules, example, definition):
        now = _mean(rules, example, ask)
        then = _mean(slipped, example, ask) if now is not None else None
        if now is not None and then is not None and now != then:
            return Shown(example.name, ask, now, then)
    return None


def _lines(rules: RuleSet, example: Example, definition: str) -> Iterator[str]:
    """What can be asked of what is done in an example: lines of the definition first, then of what is called."""
    case = prepare(rules, example.body, Problems())
    if case is None:
        return
    checker = rules.checker
    steps = checker.procedure(case.situation.procedure).steps
    called = [p.procedure for p in t.parts(steps) if isinstance(p, t.Call)]
    called.sort(key=lambda p: p.name != definition)
    found = [a for p in called for a, v in checker.procedure(p).lines.items() if v.type.name in COUNTED]
    yield from list(dict.fromkeys(found))[:MOST]


def _mean(rules: RuleSet, example: Example, ask: str) -> tuple[Fraction, Fraction] | None:
    case = _asked(rules, example, ask)
    answer = weighed(case) if case is not None else None
    return answer.bounds(len(answer.asks) - 1) if answer is not None else None


def _asked(rules: RuleSet, example: Example, ask: str) -> Case | None:
    text = Scalar(ask, Span(Source("a question", ask), 0, len(ask)))
    return prepare(rules, example.body, Problems(), [("mean", text)])


def _said(bounds: tuple[Fraction, Fraction]) -> str:
    def one(f: Fraction) -> str:
        return f"{f.numerator}/{f.denominator}"

    return one(bounds[0]) if bounds[0] == bounds[1] else f"{one(bounds[0])} to {one(bounds[1])}"
