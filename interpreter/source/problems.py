"""What is wrong with a text, as values; and what of it a file allows.

Enters: a code of the catalogue, a place and the facts that the code's sentence needs.  Leaves:
`Problem`s, collected, each once, and sorted; those that an `Allowance` of the file holds for are kept
apart.  No stage prints or raises for a user's mistake: it adds a problem here and goes on.  Knows nothing
of YAML, of games, of how an allowance is read, or of how a problem is shown.
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

PIECE = r"[^\s;](?:[^;]*[^\s;])?"  # one finding of several, in words of its message


class Allowance(Struct):
    """Findings of one `code` are allowed within any of `scopes`; `place` is where it is said. With `only`, those that
    say these words, in what they say or at the place they show.
    """

    code: str
    reason: str
    place: Span
    scopes: tuple[Span, ...]
    only: str = ""

    def concerns(self, code: str, span: Span | None) -> bool:
        """Whether it is said of such a finding there, whatever its words."""
        if code != self.code or span is None:
            return False
        return any(s.start <= span.start < s.end and span.source == s.source for s in self.scopes)

    def holds_for(self, code: str, span: Span | None, *said: str) -> bool:
        if not self.concerns(code, span):
            return False
        words = re.escape(plain(self.only))
        return not words or any(re.search(rf"(?<![^\s(\[]){words}(?![^\s,.;:)\]])", plain(text)) for text in said)

    @property
    def words(self) -> str:
        return f"{self.code} ({self.only})" if self.only else self.code


def plain(text: str) -> str:
    """How a comment may say it: with or without marks around what is quoted, and however it is spaced."""
    return " ".join(text.replace("`", "").split())


# Where a copy, a mark or a type of YAML's stood in the place of a text.
_LOSSES = {"Y002", "Y003", "Y004", "Y005", "Y008", "Y009", "Y033"}

_RANK: dict[Severity, int] = {"error": 0, "warning": 1, "style": 2}

# Of one severity, of one file. Nobody reads more; and a file that is all mistakes must not cost an hour of advice.
MOST = 100
_WORDS: dict[Severity, tuple[str, str]] = {
    "error": ("error", "errors"),
    "warning": ("warning", "warnings"),
    "style": ("remark on style", "remarks on style"),
}

if TYPE_CHECKING:
    from typing import TypedDict

    class Offer(TypedDict):
        """What `Problems.add` is told of a word that was probably meant."""

        hint: str | None
        fix: Fix | None


class Label(Struct):
    """A second place that has to do with a problem, and what it has to do with it."""

    span: Span
    text: str


class Fix(Struct):
    """Put `replacement` in the place of `span`; `safe` when no meaning can be lost by it."""

    span: Span
    replacement: str
    safe: bool
    text: str


def offer(span: Span, close: Sequence[str], otherwise: str | None = None) -> Offer:
    """The nearest words in the place of what `span` shows, the first of them as a fix; where none is near, `otherwise`.

    Never safe: which of the names an author meant, or whether a new one is missing, only the author knows.
    """
    if not close:
        return {"hint": otherwise, "fix": None}
    fix = Fix(span, close[0], False, f"write `{close[0]}`")
    return {"hint": "did you mean " + " or ".join(f"`{word}`" for word in close) + "?", "fix": fix}


_AGAIN = "and here"
_LONG = 400  # characters: what a sentence may have


class Problem(Struct):
    """One finding.  `span` is None where there is no text to point at (a file that is not there).

    `more` is how many findings it stands for, that are not told; 0 where it is one itself.
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
    def _room(self) -> _Room:
        return (self.span.source.name if self.span else "", self.severity)


_Room = tuple[str, Severity]  # where there is room for `MOST` problems: a file, a severity
_Key = tuple[str, Span | None, str]


class Problems:
    """Collects the problems of one or many stages; the same problem twice is kept once.

    Those of a file come to be told until there are `MOST` of a severity; the rest are counted (`E011`). A collection
    that is to be laid `beside` another has only the room that is left there.

    `lost` are names whose declaration could not be read: that nothing answers to them is no news. `removed` are
    names that a file took away, with the place where it did: said wherever they are missed. `changed` are names of
    lines that a file set anew: said where another file has trouble with them. What a file allows, with a reason, is
    kept apart (`allowed`), whenever it was said.
    """

    def __init__(self, beside: Problems | None = None) -> None:
        self._found: dict[_Key, Problem] = {}
        self._told: Counter[_Room] = Counter(beside._told if beside is not None else ())
        self._untold: dict[_Room, dict[tuple[str, Span | None], None]] = {}
        self._more: dict[_Room, Problem] = {}  # what other collections did not tell
        self._about: dict[tuple[str, str], _Key] = {}
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
    def allowances(self) -> tuple[Allowance, ...]:
        return tuple(self._allowances)

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
            if (known := self._about.get((code, about))) is not None and known not in self._found:
                return  # counted before
            problem = self._gathered(problem, (code, about))
        self._put(problem)

    def _put(self, problem: Problem) -> None:
        key, room = _key(problem), problem._room
        if key in self._found:
            return
        if problem.more:
            known = self._more.get(room)
            self._more[room] = max(known, problem, key=lambda p: p.more) if known is not None else problem
        elif self._allowance(problem) is not None:
            self._found[key] = problem
        elif self._told[room] < MOST:
            self._told[room] += 1
            self._found[key] = problem
        else:
            self._untold.setdefault(room, {})[problem.code, problem.span] = None

    def full(self, span: Span) -> bool:
        """Whether an error there would only be counted: advice on it is work for nobody."""
        return self._told[span.source.name, "error"] >= MOST

    def nearest(self, word: str, candidates: Iterable[str], span: Span) -> list[str]:
        """What a misspelt word may have meant; nothing where that will not be told."""
        return [] if self.full(span) else nearest(word, candidates)

    def _causes(self, severity: Severity, span: Span | None) -> tuple[Label, ...]:
        """What another file did to something that a wrong text speaks of."""
        if span is None or severity != "error" or not (self.removed or self.changed) or self.full(span):
            return ()
        for word in dict.fromkeys(re.findall(r"[\w-]+", span.text[:_LONG])):
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
        if earlier is not None:
            self._told[earlier._room] -= 1
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
        """Take over problems; from another collection also what was allowed, and by what."""
        if isinstance(others, Problems):
            self._allowances.update(others._allowances)
            for room, untold in others._untold.items():
                self._untold.setdefault(room, {}).update(untold)
            others = [*others._found.values(), *others._more.values()]
        for problem in others:
            self._put(problem)

    def _allowance(self, problem: Problem) -> Allowance | None:
        if problem.severity == "error":
            return None
        return next((a for a in self._allowances if a.holds_for(*_saying(problem))), None)

    @property
    def allowed(self) -> tuple[tuple[Problem, Allowance], ...]:
        """What was found and is allowed, in the order of reading, each with what allows it."""
        found = sorted(self._found.values(), key=_order) if self._allowances else ()
        return tuple((p, a) for p in found if (a := self._allowance(p)) is not None)

    def report_unused(self, name: str, by: str = "check") -> None:
        """Add what the file `name` allows and nothing needs; to be asked when all has been looked at that the command
        `by` looks at.
        """
        if self.has_errors:
            return  # which keep some checks from being made
        left = list(self._open())
        for allowance in self._allowances:
            here = allowance.place.source.name == name and CATALOGUE[allowance.code].by == by
            if not here or any(allowance.holds_for(*_saying(p)) for p in self._found.values()):
                continue
            others = [p for p in left if allowance.concerns(p.code, p.span)]
            hint = f"what is found is: {min(others, key=_order).message}" if others else "take this away"
            if allowance.only and not others:
                hint = "take these words away, and the reason where no others are left"
            self.add("A001", allowance.place, wanted=allowance.words, hint=hint)

    def sorted(self) -> tuple[Problem, ...]:
        """In the order of reading: by file, place, severity and code; placeless ones first, what is not told last."""
        return tuple(sorted(self._open(), key=_order))

    def _open(self) -> Iterable[Problem]:
        found = self._found.values()
        told = [p for p in found if self._allowance(p) is None] if self._allowances else found
        return [*told, *self._uncounted()] if self._untold or self._more else told

    def _uncounted(self) -> Iterator[Problem]:
        """One problem for all of a file and a severity that are not told, at the first of them."""
        told = {(problem.code, problem.span) for problem in self._found.values()}
        for room in dict.fromkeys((*self._untold, *self._more)):
            _, severity = room
            named = [Problem(at[0], severity, "", at[1]) for at in self._untold.get(room, ()) if at not in told]
            left = [problem for problem in named if self._allowance(problem) is None]
            left += [self._more[room]] if room in self._more else []
            if left:
                more = sum(problem.more or 1 for problem in left)
                message = CATALOGUE["E011"].message.format(more=f"{more} more {_WORDS[severity][more != 1]}")
                hint = "mend some of the others, and check again"
                yield Problem("E011", severity, message, min(left, key=_order).span, hint=hint, more=more)

    @property
    def has_errors(self) -> bool:
        if any(severity == "error" for _, severity in (*self._untold, *self._more)):
            return True
        return any(problem.severity == "error" for problem in self._found.values())

    def __len__(self) -> int:
        return len(list(self._open()))

    def __iter__(self) -> Iterator[Problem]:
        return iter(self.sorted())

    def __repr__(self) -> str:
        return f"Problems({', '.join(problem.code for problem in self)})"


def _saying(problem: Problem) -> tuple[str, Span | None, str, str, str]:
    """What an allowance asks of it."""
    shown = problem.span.text if problem.span is not None else ""
    return problem.code, problem.span, problem.message, problem.label, shown


def _key(problem: Problem) -> _Key:
    return problem.code, problem.span, problem.message


def _order(problem: Problem) -> tuple[str, bool, int, int, str, str]:
    name, offset = (problem.span.source.name, problem.span.start) if problem.span else ("", -1)
    return name, problem.more > 0, offset, _RANK[problem.severity], problem.code, problem.message


def count(problems: Iterable[Problem]) -> str:
    """`2 errors, 1 warning`: what there is of each severity, told or not, or `no problems`."""
    found: Counter[Severity] = Counter()
    for problem in problems:
        found[problem.severity] += problem.more or 1
    parts = [
        f"{found[severity]} {words[found[severity] != 1]}" for severity, words in _WORDS.items() if found[severity]
    ]
    return ", ".join(parts) or "no problems"
