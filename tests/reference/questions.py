"""Questions: what is asked of a history, what must hold of it, and the laws over all histories."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from interpreter.language import nodes as n

from . import Answer, Unsupported, Value
from .chance import Chance, explore
from .expressions import tidy
from .situations import Case, Run, texts
from .state import NotRun
from .tables import Table, tables_in
from .things import DiceCell, Faces, Inches, Many, MarkName, Option, Row, Thing, Word, empty
from .trees import Lines, parse

_TESTS = (n.Or, n.And, n.Not, n.Compare, n.Same, n.IsA, n.Member, n.Tests, n.Quantified, n.Every)


def question(text: str) -> Any:
    return parse(f"0 that {text}", "odds_of").value


def answer(run: Run, node: Any) -> Value:
    """What a question comes to after a history; None where a line that it speaks of was not run."""
    run.asking = True
    scope = run.asked()
    try:
        inner = node
        while isinstance(inner, n.Group) and not inner.parts:
            inner = inner.inner
        if isinstance(inner, _TESTS):
            return run.truth(inner, scope)
        return shown(run.value(inner, scope))
    except NotRun:
        return None
    finally:
        run.asking = False


def shown(value: Any) -> Value:
    if empty(value):
        return 0
    if value is None:
        return "none"
    if isinstance(value, Many):
        return len(value.items)
    if isinstance(value, Faces):
        return sum(value.faces) + value.plus if value.thrown else len(value.faces)
    if isinstance(value, Inches):
        return tidy(value.value)
    if isinstance(value, Row | Word | MarkName | Option):
        return value.name
    if isinstance(value, Thing):
        return value.name or 1
    if isinstance(value, DiceCell):
        return f"{value.count}d{value.sides}"
    return tidy(value)


def worth(value: Any) -> Fraction:
    return Fraction(value) if isinstance(value, int | Fraction) else Fraction(0)


@dataclass
class Laws:
    """The laws of some questions of one situation."""

    case: Case
    leaves: list[tuple[list[Value], Fraction]]
    bands: list[tuple[Fraction, Fraction]]
    chosen: bool

    def law(self, place: int) -> dict[Value, Fraction]:
        found: dict[Value, Fraction] = {}
        for values, weight in self.leaves:
            found[values[place]] = found.get(values[place], Fraction(0)) + weight
        return found

    def where(self, first: int) -> Laws:
        """Of those histories alone in which the questions from this one on are so. Bands of these are not worked out."""
        if not self.leaves or len(self.leaves[0][0]) == first:
            return self
        if self.chosen:
            raise Unsupported("what is known, where somebody may choose")
        kept = [(values[:first], weight) for values, weight in self.leaves if all(v is True for v in values[first:])]
        whole = sum((weight for _, weight in kept), Fraction(0))
        leaves = [(values, weight / whole) for values, weight in kept]
        means = [sum((worth(values[i]) * weight for values, weight in leaves), Fraction(0)) for i in range(first)]
        return Laws(self.case, leaves, [(mean, mean) for mean in means], False)


def laws(case: Case, nodes: list[Any], limit: int, slow: bool = False) -> Laws:
    def history(chance: Chance) -> list[Value]:
        run = case.history(chance)
        return [answer(run, node) for node in nodes]

    leaves, bands, chosen = explore(history, worth, limit, slow)
    return Laws(case, leaves, bands, chosen)


def answers(case: Case, asked: list[str], limit: int, slow: bool = False) -> list[Answer]:
    found = laws(case, [question(text) for text in asked], limit, slow)
    made = []
    for i, text in enumerate(asked):
        law = found.law(i)
        low, high = found.bands[i]
        open_band = found.chosen and low != high
        made.append(Answer(text, law, (low, high) if open_band else None))
    return made


def asked_of(case: Case) -> list[str]:
    """What a situation asks: its `ask:`, else what its `odds:` and `then:` speak of."""
    said = texts(case.root.get("ask"))
    if said:
        return said
    for text in sentences(case):
        node = parse(text, "odds_of")
        said.append(text[node.value.start : node.value.end])
    said += [text for table in tables_in(case.root.get("odds")) for text in table.questions]
    return said or texts(case.root.get("then"))


def sentences(case: Case) -> list[str]:
    """What stands under `odds:` that is no table."""
    said = case.root.get("odds")
    return [] if isinstance(said, Lines) else texts(said)


# ---- what an example says
def failures(case: Case, limit: int) -> list[str]:
    """What an example says that does not come out so."""
    if case.root.get("error") is not None:
        raise Unsupported("an example of a mistake")
    found: list[str] = []
    script = case.script()
    then = texts(case.root.get("then"))
    if script is not None:
        run = case.history(script)
        for text in then:
            if answer(run, question(text)) is not True:
                found.append(f"{text} does not hold")
        found += [f"more dice than are thrown at {line}" for line in script.left()]
    known = [question(text) for text in texts(case.root.get("given"))]
    if script is not None:
        found += [f"{node} is taken as known, and is not so" for node in known if answer(run, node) is not True]
    odds = [(text, parse(text, "odds_of")) for text in sentences(case)]
    tables = tables_in(case.root.get("odds"))
    if odds:
        got = laws(case, [*(node.value for _, node in odds), *known], limit).where(len(odds))
        for i, (text, node) in enumerate(odds):
            if node.mean and None in got.law(i):
                found.append(f"{text}: it may be not run")
            if got.bands[i] != (node.least, node.greatest):
                found.append(f"{text}: it is {got.bands[i][0]} to {got.bands[i][1]}")
    for table in tables:
        found += unlike(case, table, known, limit)
    if not odds and not tables and script is None and then:
        got = laws(case, [*(question(text) for text in then), *known], limit).where(len(then))
        for i, text in enumerate(then):
            if got.bands[i] != (1, 1):
                found.append(f"{text}: in {got.bands[i][0]} to {got.bands[i][1]} only")
    return found


def unlike(case: Case, table: Table, known: list[Any], limit: int) -> list[str]:
    """Rows of a joint table that do not come out so."""
    many = len(table.questions)
    got = laws(case, [*(question(text) for text in table.questions), *known], limit).where(many)
    if got.chosen:
        return [f"{table.questions}: somebody chooses"]
    sums = [] if table.sum == 1 else [f"{table.questions}: its rows sum to {table.sum}"]
    return sums + [f"{row}: it is {chance}" for row, chance in table.others(got.leaves).items()]
