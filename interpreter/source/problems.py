"""What is wrong with a text, as values.

Enters: a code of the catalogue, a place and the facts that the code's sentence needs.  Leaves:
`Problem`s, collected, each once, and sorted.  No stage prints or raises for a user's mistake: it adds
a problem here and goes on.  Knows nothing of YAML, of games, or of how a problem is shown.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from interpreter.source.allowances import Allowance
from interpreter.source.catalogue import CATALOGUE, Severity
from interpreter.source.text import Span
from interpreter.source.values import replace, value

# Where a copy, a mark or a type of YAML's stood in the place of a text.
_LOSSES = {"Y002", "Y003", "Y004", "Y005", "Y008", "Y009", "Y033"}

_RANK: dict[Severity, int] = {"error": 0, "warning": 1, "style": 2}


@value()
class Label:
    """A second place that has to do with a problem, and what it has to do with it."""

    span: Span
    text: str


@value()
class Fix:
    """Put `replacement` in the place of `span`; `safe` when no meaning can be lost by it."""

    span: Span
    replacement: str
    safe: bool
    text: str


_AGAIN = "and here"


@value()
class Problem:
    """One finding.  `span` is None where there is no text to point at (a file that is not there)."""

    code: str
    severity: Severity
    message: str
    span: Span | None
    label: str = ""
    others: tuple[Label, ...] = ()
    hint: str | None = None
    fix: Fix | None = None


class Problems:
    """Collects the problems of one or many stages; the same problem twice is kept once.

    `lost` are names whose declaration could not be read: that nothing answers to them is no news. `removed` are
    names that a file took away, with the place where it did: said wherever they are missed. `changed` are names of
    lines that a file set anew: said where another file has trouble with them. What a file allows, with a reason, is
    kept apart (`allowed`), whenever it was said.
    """

    def __init__(self) -> None:
        self._found: dict[tuple[str, Span | None, str], Problem] = {}
        self._about: dict[tuple[str, str], tuple[str, Span | None, str]] = {}
        self.lost: set[str] = set()
        self.removed: dict[str, Label] = {}
        self.changed: dict[str, Label] = {}
        self._damaged: set[tuple[str, int]] = set()
        self._allowances: dict[Allowance, None] = {}

    def allow(self, allowance: Allowance) -> None:
        self._allowances[allowance] = None

    def allow_as(self, other: Problems) -> None:
        """Allow what another collection allows."""
        self._allowances.update(other._allowances)

    @property
    def only_allows(self) -> bool:
        """Whether nothing has come here but what a file allows."""
        return not any(came for name, came in vars(self).items() if name != "_allowances")

    def add(
        self,
        code: str,
        span: Span | None,
        *,
        label: str = "",
        others: Iterable[Label] = (),
        hint: str | None = None,
        fix: Fix | None = None,
        about: str = "",
        **facts: object,
    ) -> None:
        """Add the problem `code`; `facts` fill the blanks of its sentence in the catalogue.

        `about` is a name that is at fault: said in many places it is one problem, at the first of them.
        A code that the catalogue lacks, or a blank without a fact, is our mistake: KeyError.
        """
        entry = CATALOGUE[code]
        message = entry.message.format(**facts)
        labels = tuple(others) or self._causes(entry.severity, span)
        problem = Problem(code, entry.severity, message, span, label, labels, hint, fix)
        if about in self.lost or self._is_consequence(code, span):
            return
        if about and span is not None:
            problem = self._gathered(problem, (code, about))
        self._found.setdefault((code, problem.span, problem.message), problem)

    def _causes(self, severity: Severity, span: Span | None) -> tuple[Label, ...]:
        """What another file did to something that a wrong text speaks of."""
        if span is None or severity != "error":
            return ()
        for word in dict.fromkeys(re.findall(r"[\w-]+", span.text)):
            for cause in (self.removed.get(word), self.changed.get(word)):
                if cause is not None and cause.span.source is not span.source:
                    return (cause,)
        return ()

    def _is_consequence(self, code: str, span: Span | None) -> bool:
        """A line of which YAML itself has lost a part: what is left of it says nothing."""
        if span is None:
            return False
        line = (span.source.name, span.place[0])
        if code in _LOSSES:
            self._damaged.add(line)
            return False
        return bool(self._damaged) and not code.startswith("Y") and line in self._damaged

    def _gathered(self, problem: Problem, about: tuple[str, str]) -> Problem:
        """The earliest place speaks; up to two more are shown beside it."""
        earlier = self._found.pop(self._about.get(about, ("", None, "")), None)
        if earlier is not None and earlier.span is not None and problem.span is not None:
            first = min(earlier, problem, key=_order)
            again = {x.span for x in (*earlier.others, *problem.others)} | {earlier.span, problem.span}
            causes = {x.span: x for x in (*earlier.others, *problem.others) if x.text != _AGAIN}
            rest = (s for s in again if s != first.span and s not in causes)
            spans = sorted(rest, key=lambda s: (s.source.name, s.start))
            problem = replace(first, others=(*causes.values(), *(Label(s, _AGAIN) for s in spans[:2])))
        self._about[about] = (problem.code, problem.span, problem.message)
        return problem

    def extend(self, others: Iterable[Problem]) -> None:
        """Take over problems; from another collection also what was allowed, and by what."""
        if isinstance(others, Problems):
            self._allowances.update(others._allowances)
            others = others._found.values()
        for problem in others:
            self._found.setdefault((problem.code, problem.span, problem.message), problem)

    def _allowance(self, problem: Problem) -> Allowance | None:
        return next((a for a in self._allowances if a.holds_for(problem.code, problem.span)), None)

    @property
    def allowed(self) -> tuple[tuple[Problem, Allowance], ...]:
        """What was found and is allowed, in the order of reading, each with what allows it."""
        found = sorted(self._found.values(), key=_order) if self._allowances else ()
        return tuple((p, a) for p in found if (a := self._allowance(p)) is not None)

    def report_unused(self, name: str) -> None:
        """Add what the file `name` allows and nothing needs; to be asked when all has been looked at."""
        if self.has_errors:
            return  # which keep some checks from being made
        for allowance in self._allowances:
            here = allowance.place.source.name == name and CATALOGUE[allowance.code].by == "check"
            if here and not any(allowance.holds_for(p.code, p.span) for p in self._found.values()):
                self.add("A001", allowance.place, wanted=allowance.code, hint="take the comment away")

    def sorted(self) -> tuple[Problem, ...]:
        """In the order of reading: by file, place, severity and code; placeless ones first."""
        return tuple(sorted(self._open(), key=_order))

    def _open(self) -> Iterable[Problem]:
        if not self._allowances:
            return self._found.values()
        return [p for p in self._found.values() if self._allowance(p) is None]

    @property
    def has_errors(self) -> bool:
        return any(problem.severity == "error" for problem in self._found.values())

    def __len__(self) -> int:
        return len(list(self._open()))

    def __iter__(self) -> Iterator[Problem]:
        return iter(self.sorted())

    def __repr__(self) -> str:
        return f"Problems({', '.join(problem.code for problem in self)})"


def _order(problem: Problem) -> tuple[str, int, int, str, str]:
    name, offset = (problem.span.source.name, problem.span.start) if problem.span else ("", -1)
    return name, offset, _RANK[problem.severity], problem.code, problem.message
