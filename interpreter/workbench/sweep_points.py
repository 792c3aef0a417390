"""Answers the points of a sweep: exactly if possible, by an estimate if the exact computation is given up.

Takes a sweep, and earlier results. Gives a `PointResult` for each point, in the order of the points, independent of the
workers and of the division of work. Each has a name: a digest of everything that its answer depends on. Knows nothing
of files.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial
from time import monotonic
from typing import Any

from interpreter.digests import digest
from interpreter.program import Program
from interpreter.program.constant_expressions import Stays
from interpreter.rulebook.definitions import SHOWING, Definition
from interpreter.source import Problem, Problems
from interpreter.source.values import Record, Struct, field, replace
from interpreter.vocabulary.types import NOT_RUN

from .answers import Answer, report_no_mean
from .bands import Band, Bounds, answer_case
from .cases import Case
from .dependencies import Reach
from .parallel import Workers, spread_over
from .passed_examples import content_of, content_of_rules
from .plays import Plays, is_number, sample
from .progress import Progress
from .rule_sets import RuleSet
from .run_setup import constants_of
from .summary_statistics import worth
from .sweeps import At, Sweep, around, case_at
from .texts import with_entries

SHARE = 0.5  # target duration of one piece of work, in seconds
TRIED = 8  # points answered first, to measure their duration
LONG = 24  # hexadecimal digits of a name
MOST_AT_ONCE = 50  # most points per piece of work
CUTS = 40  # most specialized Programs to keep per situation
FEW = 1_000  # limit of worlds with a shared Program; beyond, one for the point pays off
_PLAIN = ("roll", "value", "limit", "table", "procedure", "outcomes")  # only affect definitions that refer to them


class PointAnswer(Struct):
    """The answer to one question. `how` is `exact`; `between`, with an open choice; `estimate`; or `not asked`, with
    the reason `why`. `value` is a chance or a mean; `least` and `greatest` are exact bounds, or the confidence interval
    of an estimate from `plays`.
    """

    ask: str
    how: str
    exact: Bounds | None = None
    value: float | None = None
    least: float | None = None
    greatest: float | None = None
    plays: int | None = None
    why: str = ""
    chance: bool = False


class PointResult(Struct):
    """The result at a point: an answer to each question; or none, if results with this name are already known."""

    name: str
    told: tuple[PointAnswer, ...]


def states_of(sweep: Sweep, code: str) -> list[str]:
    """For each point a digest of its whole input: the rule set, the expanded situation, and the code of Umpire."""
    sets = [digest(f"{code}\n{content_of_rules(rules)}".encode()) for _, rules in sweep.sets]
    return [_digest(sets[at.rules], _said(sweep, at)) for at in sweep.points]


def _digest(*said: str) -> str:
    return digest("\n".join(said).encode())[:LONG]


def _said(sweep: Sweep, at: At) -> str:
    return content_of(with_entries(sweep.body(at), (), ("about",)))


# ---- all points
def found_in(
    sweep: Sweep,
    code: str,
    known: Mapping[int, PointResult],
    names: frozenset[str],
    workers: Workers,
    progress: Progress,
) -> Iterator[tuple[int, PointResult]]:
    """Yield the index and the result of each point that is not `known`, as soon as it is available. A result with one
    of the known `names` comes without answers.
    """
    points = sweep.points
    left = [i for i in range(len(points)) if i not in known]
    progress.part, progress.of, progress.done = "points", len(points), len(known)
    answer = partial(answered, sweep, code, names, Desks())
    start = monotonic()
    few = left[:: max(1, len(left) // TRIED)]  # a sample, whose duration determines the size of a share
    tried: set[int] = set()
    for i in few:
        if monotonic() - start < SHARE:
            yield i, answer((points[i],))[0]
            tried.add(i)
            progress.done += 1
    rest = [i for i in left if i not in tried]
    many = max(1, min(MOST_AT_ONCE, int(SHARE * len(tried) / (monotonic() - start))))
    shares = [rest[i : i + many] for i in range(0, len(rest), many)]
    work = [tuple([points[i] for i in share]) for share in shares]
    for share, results in zip(shares, spread_over(answer, work, workers), strict=True):
        progress.done += len(share)
        yield from zip(share, results, strict=True)


def answered(sweep: Sweep, code: str, names: frozenset[str], desks: Desks, points: Sequence[At]) -> list[PointResult]:
    """The results at some points. `desks` is the cache of this process, by rule set."""
    for at in points:
        if at.rules not in desks:
            desks[at.rules] = _Desk(sweep, code, names, _Texts(sweep.sets[at.rules][1]))
    return [desks[at.rules].found(at) for at in points]


class Desks(dict[int, "_Desk"]):
    """A cache of one process, by rule set; pickled empty."""

    def __reduce__(self) -> tuple[type[Desks], tuple[()]]:
        return Desks, ()


class _Desk(Record):
    """The cache of one process for one rule set of a sweep."""

    sweep: Sweep
    code: str
    names: frozenset[str]
    texts: _Texts
    programs: dict[Any, Program] = field(default_factory=dict)
    likes: dict[At, Case] = field(default_factory=dict)  # by group
    common: dict[At, Stays] = field(default_factory=dict)

    def found(self, at: At) -> PointResult:
        problems = Problems()
        case = self._case(at, problems)
        name = _digest(self.code, self.texts.met_by(case), _said(self.sweep, at))
        if name in self.names:
            return PointResult(name, ())
        return PointResult(name, self._told(at, case) if case is not None else self._refused(at, problems))

    def _case(self, at: At, problems: Problems) -> Case | None:
        group = self._group(at)
        case = case_at(self.sweep, at, problems, self.likes.get(group))
        if case is not None:
            self.likes.setdefault(group, case)
            case.programs = self.programs
            if len(case.cuts) > CUTS:
                case.cuts.clear()
        return case

    def _group(self, at: At) -> At:
        """The first of the points that do the same with other values; these share a Program."""
        several = self.sweep.moments[at.moment].several
        return replace(at, place=tuple(i if axis in several.doing else 0 for axis, i in enumerate(at.place)))

    def _common(self, at: At) -> Stays:
        """The constants that all points of a group share, tested one value at a time."""
        group = self._group(at)
        if group not in self.common:
            found: Stays | None = None
            for place in around(group.place, self.sweep.moments[at.moment].sizes):
                one = replace(group, place=place)
                case = self._case(one, Problems()) if self._group(one) == group else None
                stays = constants_of(case) if case is not None else None
                if stays is not None:
                    found = stays if found is None else {x: v for x, v in found.items() if stays.get(x) == v}
            self.common[group] = found or {}
        return self.common[group]

    def _answer(self, at: At, case: Case) -> Answer | Band | None:
        """The exact answer of a point; None with problems of its case. The compiled Program does not depend on earlier
        points of this process: first one for the whole group with few worlds, then one for exactly these constants.
        """
        common, limit = self._common(at), self.sweep.effort.worlds
        quick = self._case(at, Problems())
        assert quick is not None, "the case of this point was prepared before"
        quick.constants = lambda stays: {x: v for x, v in common.items() if stays.get(x) == v}
        case.constants = lambda stays: stays
        answer = answer_case(quick, limit=min(FEW, limit))
        return answer if answer is not None else answer_case(case, limit=limit)

    def _told(self, at: At, case: Case) -> tuple[PointAnswer, ...]:
        effort = self.sweep.effort
        answer = self._answer(at, case)
        if answer is not None:
            return tuple(_exactly(answer, i) for i in range(len(answer.asks)))
        if effort.plays and _given_up(case):
            problems = Problems()
            again = self._case(at, problems)
            assert again is not None, "the case of this point was prepared before"
            plays = sample(again, effort.plays, effort.seed, effort.error)
            if plays is not None:
                return tuple(_estimated(plays, i) for i in range(len(plays.asks)))
            if not again.problems.has_errors:
                return self._unasked(at, f"what is given never came to be so in {effort.plays:,} plays")
            return self._refused(at, again.problems)
        return self._refused(at, case.problems)

    def _refused(self, at: At, problems: Problems) -> tuple[PointAnswer, ...]:
        why = next(problem for problem in problems if problem.severity == "error")
        return self._unasked(at, _told_why(why))

    def _unasked(self, at: At, why: str) -> tuple[PointAnswer, ...]:
        return tuple(PointAnswer(ask, "not asked", why=why) for ask in self.sweep.moments[at.moment].asks)


def _given_up(case: Case) -> bool:
    return any(problem.code == "E001" for problem in case.problems)


def _told_why(why: Problem) -> str:
    return f"{why.code}: {why.message}"


def _exactly(answer: Answer | Band, index: int) -> PointAnswer:
    ask = answer.asks[index]
    found = worth(answer, index)
    if found is None:
        return PointAnswer(ask.text, "not asked", why=_told_why(_no_mean(answer, index)))
    least, most = found
    how = "exact" if least == most else "between"
    value = float(least) if least == most else None
    return PointAnswer(ask.text, how, found, value, float(least), float(most), chance=ask.type.name == "truth")


def _no_mean(answer: Answer | Band, index: int) -> Problem:
    problems = Problems()
    report_no_mean(answer.asks[index], problems, answer.runs(index))
    return next(iter(problems))


def _estimated(found: Plays, index: int) -> PointAnswer:
    ask, counts = found.asks[index], found.counts[index]
    truth = ask.type.name == "truth"
    if not truth and (NOT_RUN in counts or not is_number(found, index)):
        problems = Problems()
        report_no_mean(ask, problems, Fraction(found.held - counts.get(NOT_RUN, 0), found.held))
        return PointAnswer(ask.text, "not asked", why=_told_why(next(iter(problems))))
    est = found.estimate(index)
    return PointAnswer(ask.text, "estimate", None, est.found, est.least, est.greatest, found.plays, chance=truth)


# ---- dependencies
class _Texts:
    """The texts of a rule set, by definition; `rest` are those that may affect any situation."""

    def __init__(self, rules: RuleSet) -> None:
        self.reach = Reach(rules)
        self.plain: list[tuple[frozenset[str], str]] = []
        rest = []
        for each in rules.book.pages.definitions:
            if each.title.what in _PLAIN:
                self.plain.append((frozenset(each.names), written(each)))
            elif each.title.what not in SHOWING:
                rest.append(written(each))
        self.rest = "\n".join(rest)
        self._known: dict[frozenset[str] | None, str] = {}

    def met_by(self, case: Case | None) -> str:
        """A digest of the texts of all definitions that a case may meet; of all texts if that is unknown."""
        names = self.reach.of(case) if case is not None else None
        if names not in self._known:
            met = (text for of, text in self.plain if names is None or of & names)
            self._known[names] = digest("\n".join([self.rest, *met]).encode())
        return self._known[names]


def written(each: Definition) -> str:
    """The whole text of a definition with its changes by later files, without comments."""
    lines = [each.key.text, content_of(each.body), *(f"{e.key.text}: {content_of(e.value)}" for e, _ in each.entries)]
    lines += [f"{entry.key.text}: {written(by)}" for entry, by in each.columns]
    lines += [f"{patch.path}: {content_of(patch.new)}" for patch in each.cells]
    return "\n".join([*lines, *map(written, each.added)])
