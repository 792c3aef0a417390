"""Finds a question whose answer distinguishes a mutant from the rules: a line of an example whose mean differs.

Takes the rules, the mutated rules, and an example. Gives the question with both means, or None. Knows nothing of how
mutants are made.
"""

from __future__ import annotations

from collections.abc import Iterator

from interpreter.document.nodes import Scalar
from interpreter.rulebook import typed as t
from interpreter.source import Problems, Source, Span
from interpreter.source.digits import fraction
from interpreter.source.values import Struct
from interpreter.workbench.bands import Bounds, answer_situation, format_bounds
from interpreter.workbench.cases import prepare
from interpreter.workbench.examples import Example
from interpreter.workbench.rule_sets import RuleSet

COUNTED = ("number", "truth", "figures", "things", "inches")
MOST = 6  # most lines asked


class Shown(Struct):
    """A question that detects a mutant: in `example`, the mean of `ask` with the rules (`now`) and with the mutant
    (`then`), each as a least and a greatest value if choices are open.
    """

    example: str
    ask: str
    now: Bounds
    then: Bounds

    @property
    def words(self) -> str:
        now, then = (format_bounds(each, fraction) for each in (self.now, self.then))
        return f"`{now} mean {self.ask}` ({then} with the slip)"


def shown(rules: RuleSet, slipped: RuleSet, example: Example, definition: str) -> Shown | None:
    """The first line of an example whose mean differs between the rules and the mutated rules; None if none does."""
    asks = list(_lines(rules, example, definition))
    before, after = _means(rules, example, asks), _means(slipped, example, asks)
    for ask in asks:
        if ask in before and ask in after and before[ask] != after[ask]:
            return Shown(example.name, ask, before[ask], after[ask])
    return None


def _lines(rules: RuleSet, example: Example, definition: str) -> Iterator[str]:
    """The countable lines of the procedures that an example calls, those of the definition first; at most `MOST`."""
    case = prepare(rules, example.body, Problems())
    if case is None:
        return
    checker = rules.checker
    steps = checker.procedure(case.situation.procedure).steps
    called = [p.procedure for p in t.parts(steps) if isinstance(p, t.Call)]
    called.sort(key=lambda p: p.name != definition)
    lines = [(a, v) for p in called for a, v in checker.procedure(p).lines.items() if "?" not in a]
    found = [address for address, line in lines if line.type.name in COUNTED]
    yield from list(dict.fromkeys(found))[:MOST]


def _means(rules: RuleSet, example: Example, asks: list[str]) -> dict[str, Bounds]:
    """The means of the lines; empty if they cannot be computed."""
    texts = [Scalar(ask, Span(Source("a question", ask), 0, len(ask))) for ask in asks]
    answer = answer_situation(rules, example.body, Problems(), [("mean", text) for text in texts], limit=20_000)
    if answer is None:
        return {}
    found = {}
    for i, ask in enumerate(answer.asks):
        if ask.kind == "mean" and ask.expected is None and (bounds := answer.bounds(i)) is not None:
            found[ask.text] = bounds
    return found
