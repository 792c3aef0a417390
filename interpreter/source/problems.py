"""Problems in a text, as values, and the comments that allow some of them.

Takes a code of the catalogue, a position and the facts that the message needs. Collects `Problem`s, removes duplicates
and sorts them; those that an `Allowance` of the file covers are kept apart. A stage neither prints nor raises for a
user's mistake: it adds a problem here and continues. This module does not know YAML or games, how an allowance is
parsed, or how a problem is shown.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from interpreter.source.catalogue import CATALOGUE, Severity
from interpreter.source.nearest import nearest
from interpreter.source.text import Span
from interpreter.source.values import Struct, replace

PIECE = r"[^\s;](?:[^;]*[^\s;])?"  # a regular expression: the words of one finding in a list of them


class Allowance(Struct):
    """Allows findings of one `code` within any of `scopes`. `place` is the span of the allowance itself. With `only`,
    it covers just the findings that contain these words, in their message or label or in the text they point at.
    """

    code: str
    reason: str
    place: Span
    scopes: tuple[Span, ...]
    only: str = ""

    def concerns(self, code: str, span: Span | None) -> bool:
        """Return whether a finding of this code and place is in scope, regardless of `only`."""
        if code != self.code or span is None:
            return False
        return any(s.start <= span.start < s.end and span.source == s.source for s in self.scopes)

    def holds_for(self, code: str, span: Span | None, *texts: str) -> bool:
        if not self.concerns(code, span):
            return False
        words = re.escape(plain(self.only))
        return not words or any(re.search(rf"(?<![^\s(\[]){words}(?![^\s,.;:)\]])", plain(text)) for text in texts)

    @property
    def words(self) -> str:
        return f"{self.code} ({self.only})" if self.only else self.code


def plain(text: str) -> str:
    """Normalize a text for comparison: without backticks, and with single spaces."""
    return " ".join(text.replace("`", "").split())


# An alias, a tag or a type of YAML stands where a text is expected.
_LOSSES = {"Y002", "Y003", "Y004", "Y005", "Y008", "Y009", "Y033"}

_RANK: dict[Severity, int] = {"error": 0, "warning": 1, "style": 2}

# The most problems shown of one severity in one file; more are not read, and computing hints for them takes too long.
MOST = 100
_WORDS: dict[Severity, tuple[str, str]] = {
    "error": ("error", "errors"),
    "warning": ("warning", "warnings"),
    "style": ("remark on style", "remarks on style"),
}

if TYPE_CHECKING:
    from typing import TypedDict

    class Offer(TypedDict):
        """The arguments of `Problems.add` that suggest a word."""

        hint: str | None
        fix: Fix | None


class Label(Struct):
    """A second place that is related to a problem, with a description of the relation."""

    span: Span
    text: str


class Fix(Struct):
    """Replace the text of `span` by `replacement`; `safe` if that cannot change a meaning."""

    span: Span
    replacement: str
    safe: bool
    text: str


def suggest(span: Span, close: Sequence[str], otherwise: str | None = None) -> Offer:
    """Return the hint that suggests the words `close` in place of `span`, with the first of them as a fix; without any,
    the hint `otherwise`. The fix is never safe: only the author knows which name is right, or whether one is missing.
    """
    if not close:
        return {"hint": otherwise, "fix": None}
    fix = Fix(span, close[0], False, f"write `{close[0]}`")
    return {"hint": "did you mean " + " or ".join(f"`{word}`" for word in close) + "?", "fix": fix}


_AGAIN = "and here"
_LONG = 400  # the longest text, in characters, that is searched for names


class Problem(Struct):
    """One finding. `span` is None if there is no text to point at (a file that does not exist).

    `more` is the number of unreported findings that this problem summarizes; 0 for an ordinary problem.
    """

    code: str
    severity: Severity
    message: str
    span: Span | None
    label: str = ""
    others: tuple[Label, ...] = ()
    hint: str | None = None
    fix: Fix | None = None
    more: int = 0

    @property
    def _scope(self) -> _Scope:
        return (self.span.source.name if self.span else "", self.severity)


_Scope = tuple[str, Severity]  # the unit to which the limit `MOST` applies: a file and a severity
_Key = tuple[str, Span | None, str]


class Problems:
    """Collects the problems of one or many stages, without duplicates.

    At most `MOST` problems of each severity are reported for a file; the rest are counted (`E011`). A collection that
    will be merged into the collection `beside` starts with the counts of that one.

    `lost` are names whose declaration could not be parsed; problems about them are suppressed. `removed` maps names
    that a supplement removed, and `changed` names of lines that it changed, to the place of the change. It is attached
    to errors that mention the name. Allowed findings are kept apart (`allowed`), in whatever order they arrive.
    """

    def __init__(self, beside: Problems | None = None) -> None:
        self._found: dict[_Key, Problem] = {}
        self._reported: Counter[_Scope] = Counter(beside._reported if beside is not None else ())
        self._unreported: dict[_Scope, dict[tuple[str, Span | None], None]] = {}
        self._more: dict[_Scope, Problem] = {}  # summaries taken over from other collections
        self._about: dict[tuple[str, str], _Key] = {}
        self.lost: set[str] = set()
        self.removed: dict[str, Label] = {}
        self.changed: dict[str, Label] = {}
        self._damaged: set[tuple[str, int]] = set()
        self._allowances: dict[Allowance, None] = {}

    def allow(self, allowance: Allowance) -> None:
        self._allowances[allowance] = None

    def allow_as(self, other: Problems) -> None:
        """Take over the allowances of another collection."""
        self._allowances.update(other._allowances)

    @property
    def allowances(self) -> tuple[Allowance, ...]:
        return tuple(self._allowances)

    @property
    def only_allows(self) -> bool:
        """Whether the collection is empty except for allowances."""
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
        """Add the problem `code`; `facts` fill the blanks of its message and its usual hint in the catalogue.

        `about` is the name at fault: repeated problems about it are merged into one, at the first place.
        Raises KeyError for an unknown code or a blank without a fact.
        """
        entry = CATALOGUE[code]
        message = entry.message.format(**facts)
        labels = tuple(others) or self._causes(entry.severity, span)
        if hint is None and fix is None and entry.hint:
            hint = entry.hint.format(**facts)
        problem = Problem(code, entry.severity, message, span, label, labels, hint, fix)
        if about in self.lost or self._is_consequence(code, span):
            return
        if about and span is not None:
            if (known := self._about.get((code, about))) is not None and known not in self._found:
                return  # the problem is over the limit and was counted before
            problem = self._gathered(problem, (code, about))
        self._put(problem)

    def _put(self, problem: Problem) -> None:
        key, scope = _key(problem), problem._scope
        if key in self._found:
            return
        if problem.more:
            known = self._more.get(scope)
            self._more[scope] = max(known, problem, key=lambda p: p.more) if known is not None else problem
        elif self._allowance(problem) is not None:
            self._found[key] = problem
        elif self._reported[scope] < MOST:
            self._reported[scope] += 1
            self._found[key] = problem
        else:
            self._unreported.setdefault(scope, {})[problem.code, problem.span] = None

    def full(self, span: Span) -> bool:
        """Return whether an error at `span` would only be counted, so that no hint is needed."""
        return self._reported[span.source.name, "error"] >= MOST

    def nearest(self, word: str, candidates: Iterable[str], span: Span) -> list[str]:
        """Return suggestions for a misspelt word; none if the problem would only be counted."""
        return [] if self.full(span) else nearest(word, candidates)

    def _causes(self, severity: Severity, span: Span | None) -> tuple[Label, ...]:
        """Labels for changes in other files that affect a name in the text of an error."""
        if span is None or severity != "error" or not (self.removed or self.changed) or self.full(span):
            return ()
        for word in dict.fromkeys(re.findall(r"[\w-]+", span.text[:_LONG])):
            for cause in (self.removed.get(word), self.changed.get(word)):
                if cause is not None and cause.span.source is not span.source:
                    return (cause,)
        return ()

    def _is_consequence(self, code: str, span: Span | None) -> bool:
        """Whether YAML already lost a part of this line, so that further problems there are meaningless."""
        if span is None:
            return False
        line = (span.source.name, span.place[0])
        if code in _LOSSES:
            self._damaged.add(line)
            return False
        return bool(self._damaged) and not code.startswith("Y") and line in self._damaged

    def _gathered(self, problem: Problem, about: tuple[str, str]) -> Problem:
        """Merge with earlier problems about the same name: at the earliest place, with up to two more as labels."""
        earlier = self._found.pop(self._about.get(about, ("", None, "")), None)
        if earlier is not None:
            self._reported[earlier._scope] -= 1
        if earlier is not None and earlier.span is not None and problem.span is not None:
            first = min(earlier, problem, key=_order)
            again = {x.span for x in (*earlier.others, *problem.others)} | {earlier.span, problem.span}
            causes = {x.span: x for x in (*earlier.others, *problem.others) if x.text != _AGAIN}
            rest = (s for s in again if s != first.span and s not in causes)
            spans = sorted(rest, key=lambda s: (s.source.name, s.start))
            problem = replace(first, others=(*causes.values(), *(Label(s, _AGAIN) for s in spans[:2])))
        self._about[about] = _key(problem)
        return problem

    def extend(self, others: Iterable[Problem]) -> None:
        """Add problems; from another collection, also its allowances and its unreported problems."""
        if isinstance(others, Problems):
            self._allowances.update(others._allowances)
            for scope, unreported in others._unreported.items():
                self._unreported.setdefault(scope, {}).update(unreported)
            others = [*others._found.values(), *others._more.values()]
        for problem in others:
            self._put(problem)

    def _allowance(self, problem: Problem) -> Allowance | None:
        if problem.severity == "error":
            return None
        return next((a for a in self._allowances if a.holds_for(*_searched(problem))), None)

    @property
    def allowed(self) -> tuple[tuple[Problem, Allowance], ...]:
        """The allowed findings in reading order, each with its allowance."""
        found = sorted(self._found.values(), key=_order) if self._allowances else ()
        return tuple((p, a) for p in found if (a := self._allowance(p)) is not None)

    def report_unused(self, name: str, by: str = "check") -> None:
        """Add a problem for each allowance of the file `name` that no finding needs. Call it after all checks of the
        command `by`. Does nothing if there are errors, because they prevent some checks.
        """
        if self.has_errors:
            return
        left = list(self._open())
        for allowance in self._allowances:
            here = allowance.place.source.name == name and CATALOGUE[allowance.code].by == by
            if not here or any(allowance.holds_for(*_searched(p)) for p in self._found.values()):
                continue
            others = [p for p in left if allowance.concerns(p.code, p.span)]
            hint = f"what is found is: {min(others, key=_order).message}" if others else "take this away"
            if allowance.only and not others:
                hint = "take these words away, and the reason where no others are left"
            self.add("A001", allowance.place, wanted=allowance.words, hint=hint)

    def sorted(self) -> tuple[Problem, ...]:
        """Return the problems by file, place, severity and code; those without a place first, summaries last."""
        return tuple(sorted(self._open(), key=_order))

    def _open(self) -> Iterable[Problem]:
        found = self._found.values()
        reported = [p for p in found if self._allowance(p) is None] if self._allowances else found
        return [*reported, *self._summaries()] if self._unreported or self._more else reported

    def _summaries(self) -> Iterator[Problem]:
        """Yield one summary problem for each file and severity over the limit, at the first unreported problem."""
        known = {(problem.code, problem.span) for problem in self._found.values()}
        for scope in dict.fromkeys((*self._unreported, *self._more)):
            _, severity = scope
            named = [Problem(at[0], severity, "", at[1]) for at in self._unreported.get(scope, ()) if at not in known]
            left = [problem for problem in named if self._allowance(problem) is None]
            left += [self._more[scope]] if scope in self._more else []
            if left:
                more = sum(problem.more or 1 for problem in left)
                message = CATALOGUE["E011"].message.format(more=f"{more} more {_WORDS[severity][more != 1]}")
                hint = "mend some of the others, and check again"
                yield Problem("E011", severity, message, min(left, key=_order).span, hint=hint, more=more)

    @property
    def has_errors(self) -> bool:
        if any(severity == "error" for _, severity in (*self._unreported, *self._more)):
            return True
        return any(problem.severity == "error" for problem in self._found.values())

    def __len__(self) -> int:
        return len(list(self._open()))

    def __iter__(self) -> Iterator[Problem]:
        return iter(self.sorted())

    def __repr__(self) -> str:
        return f"Problems({', '.join(problem.code for problem in self)})"


def _searched(problem: Problem) -> tuple[str, Span | None, str, str, str]:
    """The arguments of `Allowance.holds_for` for a problem."""
    shown = problem.span.text if problem.span is not None else ""
    return problem.code, problem.span, problem.message, problem.label, shown


def _key(problem: Problem) -> _Key:
    return problem.code, problem.span, problem.message


def _order(problem: Problem) -> tuple[str, bool, int, int, str, str]:
    name, offset = (problem.span.source.name, problem.span.start) if problem.span else ("", -1)
    return name, problem.more > 0, offset, _RANK[problem.severity], problem.code, problem.message


def count(problems: Iterable[Problem]) -> str:
    """Return `2 errors, 1 warning`: the number of problems by severity, unreported ones included; or `no problems`."""
    found: Counter[Severity] = Counter()
    for problem in problems:
        found[problem.severity] += problem.more or 1
    parts = [
        f"{found[severity]} {words[found[severity] != 1]}" for severity, words in _WORDS.items() if found[severity]
    ]
    return ", ".join(parts) or "no problems"
