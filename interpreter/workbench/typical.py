"""The typical situations of a game, in which odds are compared, and their questions.

Takes a checked rule set. Gives every `typical NAME:` of its files, and of the files of examples beside them, as
`Point`s: situations without alternatives. Typical situations of a base apply to everything built on it. Knows nothing
of the use of the odds.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from interpreter.document.alternatives import spread
from interpreter.document.file_io import read_file
from interpreter.document.nodes import Mapping, Scalar
from interpreter.document.nodes import Sequence as Items
from interpreter.document.shape import check_situation_shape
from interpreter.rulebook.sheets import Sheet
from interpreter.rulebook.situation import texts
from interpreter.rulebook.table_rows import questions_in
from interpreter.source import Problems, Span
from interpreter.source.values import Struct

from .cases import Case, prepare, report_unstated
from .choice_policies import policies
from .examples import Example, examples_inside, files_beside, from_file
from .rule_sets import RuleSet
from .stacks import parts_of
from .texts import with_entries
from .trees import read_tree

_LEFT_TO_EXAMPLES = ("dice", "then", "given", "odds", "trace", "error", "force", "breaks")
_NEVER_ASKED = {"error", "force", "breaks"}
_EXPECTS = re.compile(r"[\d/ .]+?(?: to [\d/ .]+?)? (?:that|mean) ")  # `1/3 that`, `1/4 to 3/4 mean`


class Point(Struct, eq=False):
    """One situation to ask: `at` names its alternative of a typical situation. Points with equal `does` do and ask
    the same.
    """

    typical: Example
    at: str
    body: Mapping
    does: tuple[object, ...]

    @property
    def name(self) -> str:
        return f"{self.typical.name}: {self.at}" if self.at else self.typical.name

    @property
    def where(self) -> Span:
        return self.typical.key.span


def typical_of(rules: RuleSet, problems: Problems) -> list[Example]:
    """The typical situations of a rule set: those in its files, undermost first, then those in files beside them."""
    found = {e.name: e for e in examples_inside(rules, "typical")}
    for sheet in rules.sheets:
        for example in _beside(sheet, rules, problems):
            if example.name in found:
                problems.add("N003", example.key.span, name=example.name)
            found.setdefault(example.name, example)
    return list(found.values())


def _beside(sheet: Sheet, rules: RuleSet, problems: Problems) -> Iterable[Example]:
    """The typical situations in files of examples for this rule set, or for one that it is built on."""
    names = {s.name for s in rules.sheets}
    for path in files_beside(sheet):
        source = read_file(path, Problems())
        if source is None or "\ntypical " not in source.text:  # a quick test, as most files have none
            continue
        root = read_tree(path, Problems())
        said = root.get("rules") if root is not None else None
        if isinstance(said, Scalar) and set(parts_of(said.text.strip())) <= names:
            yield from from_file(path, rules, problems, "typical")


def points_of(rules: RuleSet, typical: Iterable[Example], problems: Problems) -> list[Point]:
    """All alternatives of some typical situations, as points. Reports mistakes."""
    found: list[Point] = []
    for each in typical:
        own = Problems()
        check_situation_shape(each.body, own)
        several = spread(each.body, own, rules.rows) if not own.has_errors else None
        problems.extend(own)
        for at in several.places if several is not None else ():
            assert several is not None
            found.append(Point(each, several.said(at), several.at(at), (each.name, several.done(at))))
    return found


def own_points(rules: RuleSet) -> list[Point]:
    """The examples in the rule file itself, each as a situation that asks for its expectations."""
    found: list[Point] = []
    for example in examples_inside(rules):
        keys = {entry.key.text for entry in example.body}
        asks = tuple(_asked(example.body))
        several = spread(example.body, Problems(), rules.rows) if asks and not keys & _NEVER_ASKED else None
        for at in several.places if several is not None else ():
            assert several is not None
            body = with_entries(several.at(at), [("ask", Items(asks, example.body.span))], _LEFT_TO_EXAMPLES)
            found.append(Point(example, several.said(at), body, (example.name, several.done(at))))
    return found


def _asked(body: Mapping) -> Iterator[Scalar]:
    """The questions whose odds an example expects; without any, the conditions that it states to hold."""
    odds = [(scalar, _EXPECTS.match(scalar.text)) for scalar in texts(body.get("odds"))]
    tables = list(questions_in(body.get("odds")))
    yield from (scalar.part(said.end(), len(scalar.text)) for scalar, said in odds if said is not None)
    yield from tables
    if not odds and not tables:
        yield from texts(body.get("then"))


def check_typical(rules: RuleSet, typical: Iterable[Example], problems: Problems) -> None:
    """Check that typical situations can be asked, without computing odds."""
    for point in points_of(rules, typical, problems):
        ready(rules, point, problems)


def ready(rules: RuleSet, point: Point, problems: Problems, like: Case | None = None) -> Case | None:
    """The case of a typical situation; None with problems. `like` is a case that does and asks the same."""
    own = Problems()
    for entry in point.body:
        if entry.key.text in _LEFT_TO_EXAMPLES:
            own.add("X021", entry.key.span, what=entry.key.text)
    if not own.has_errors and not texts(point.body.get("ask")):
        own.add("X020", point.where)
    case = prepare(rules, point.body, own, None, like) if not own.has_errors else None
    if case is not None:
        report_unstated(case)
        policies(rules.choices, case.situation, own)
    problems.extend(own)
    return None if own.has_errors else case
