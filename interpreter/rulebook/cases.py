"""Checks the cases of a `by`, or the rows of an outcome table: each face must be covered exactly once.

Input: the selected value and the keys of its cases. Output: a condition for each case; gaps and overlaps become
problems. If a case is itself wrong, gaps are not reported, as that case may be what fills them.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable
from math import inf

from interpreter.document.nodes import Mapping, Node, Scalar
from interpreter.language import nodes as n
from interpreter.source import Fix, Label, Problems, Span
from interpreter.source.values import Struct
from interpreter.vocabulary.types import NUMBER, TRUTH, Type

from . import typed as t
from .construct import op
from .dice_names import DiceNames
from .symbols import LineInfo, Table
from .unknown_names import UnknownNames


class Stretch(Struct):
    """The closed interval of numbers from `low` to `high` that one case covers."""

    low: float
    high: float
    place: Span


class Cases:
    """The cases of one selected `value`: `condition` adds one case and reports overlaps; `check` then reports the
    values that no case covers.
    """

    def __init__(self, value: t.Expr, problems: Problems, dice: DiceNames, unknown: UnknownNames) -> None:
        self.value, self.problems, self.unknown = value, problems, unknown
        self.sides = dice.sides_of(value)
        self.barred = dice.barred_of(value)
        self.words: dict[str, Span] = {}
        self.stretches: list[Stretch] = []
        self.passed_to: list[Stretch] = []  # behind a row that can be barred, and then reached whatever is asked
        self.complete = True  # False once a case itself is wrong
        self.place: Span | None = None  # the clause that selects between the cases
        self.anew: Span | None = None  # the place of the first case, if another file replaced the cases

    def condition(self, key: n.CaseKey, at: Scalar, asked: t.Expr) -> t.Expr:
        """The condition under which `asked` falls in this case; a key may list several cases."""
        made = [self._case_condition(case, at, asked) for case in key.cases]
        result = made[0]
        for more in made[1:]:
            result = op("or", (result, more), TRUTH)
        return result

    def pass_on_to(self, first: int) -> None:
        """Note that a barred row passes to the stretches from number `first` on."""
        self.passed_to += self.stretches[first:]

    def mark_incomplete(self) -> None:
        """Record that the key of a case could not be parsed, so that gaps are not reported."""
        self.complete = False

    def _case_condition(self, case: n.Case, at: Scalar, asked: t.Expr) -> t.Expr:
        type_, place = self.value.type, at.at(case.start, case.end)
        wrong: t.Expr = t.Lit(False, type=TRUTH)
        if case.word is not None:
            if type_.name != "row":
                return self._report_misfit(place, type_, "a number or faces are wanted", "such as `1-2` or `3 or more`")
            table: Table = type_.of
            if case.word not in table.rows:
                name = n.Name(case.start, case.end, case.word)
                self.unknown.tell(case.word, at, name, f"row of {table.name}", table.rows)
                self.complete = False
                return wrong
            if case.word in self.words:
                self._report_duplicate(case.word, place, self.words[case.word])
            self.words.setdefault(case.word, place)
            row = t.Lit(table.rows[case.word].index, type=type_)
            return op("same", (asked, row), TRUTH)
        if type_.name not in ("number", "inches", "target", "any"):
            hint = f"rows of {type_.of.name}: {', '.join(type_.of.rows)}" if type_.name == "row" else None
            return self._report_misfit(place, type_, "a word is wanted here", hint)
        low = -inf if case.low is None else case.low
        high = inf if case.high is None else case.high
        if low > high:
            instead = f"{case.high}-{case.low}"
            fix = Fix(place, instead, False, f"write `{instead}`")
            self.problems.add("K004", place, label="counts down", fix=fix)
            self.complete = False
            return wrong
        self._add_stretch(Stretch(low, high, place))
        if case.low == case.high:
            return op("equal", (asked, t.Lit(case.low, type=NUMBER)), TRUTH)
        parts: list[t.Expr] = []
        if case.low is not None:
            parts.append(op("at-least", (asked, t.Lit(case.low, type=NUMBER)), TRUTH))
        if case.high is not None:
            parts.append(op("at-most", (asked, t.Lit(case.high, type=NUMBER)), TRUTH))
        return parts[0] if len(parts) == 1 else op("and", (parts[0], parts[1]), TRUTH)

    def _report_misfit(self, place: Span, type_: Type, label: str, hint: str | None) -> t.Expr:
        if type_.name != "any":
            self.problems.add("K006", place, found=type_.words(), label=label, hint=hint)
        self.complete = False
        return t.Lit(False, type=TRUTH)

    def _report_duplicate(self, face: object, place: Span, earlier: Span) -> None:
        self.problems.add(
            "K002", place, face=face, label=f"{face} stands in two cases", others=[Label(earlier, "the other")]
        )

    def _add_stretch(self, new: Stretch) -> None:
        shared = next((s for s in self.stretches if max(s.low, new.low) <= min(s.high, new.high)), None)
        if shared is not None:
            self._report_duplicate(max(shared.low, new.low), new.place, shared.place)
        if self.sides is not None:
            low = 1 if new.low == -inf else new.low
            high = self.sides if new.high == inf else new.high
            if low < 1 or high > self.sides:
                face = low if low < 1 else high
                self.problems.add("K003", new.place, face=face, die=f"d{self.sides}", label="no die shows this")
                self.complete = self.complete and low <= self.sides and high >= 1
        self.stretches.append(new)

    def covered(self, asked: t.Expr, line: LineInfo, ran: Callable[[], t.Expr | None] = lambda: None) -> t.Expr:
        """A test that is true, and refuses a number without a case; a literal where no such number can be asked for,
        as all rows of a table and all faces of a die have a case.

        `ran` gives the condition that the line asked for ran, or None for always: a line that was not run counts as 0,
        and then no case need be run.
        """
        if not self.complete or not self.stretches or self.sides is not None:
            return t.Lit(True, type=TRUTH)
        ranges = tuple([tuple([int(x) if abs(x) < inf else None for x in (s.low, s.high)]) for s in self.stretches])
        test = t.Covered(asked, ranges, line, type=TRUTH)
        has_ran = ran() if not any(s.low <= 0 <= s.high for s in self.stretches) else None
        return test if has_ran is None else op("or", (op("not", (has_ran,), TRUTH), test), TRUTH)

    def check(self, at: Scalar, clause: n.Node | None, body: Node) -> None:
        """Report outcomes that no case covers. `clause` selects between the cases, `body` holds them."""
        if not self.complete or clause is None or self._has_duplicate_key(body.span):
            return
        self.place = at.at(clause.start, clause.end)
        if isinstance(body, Mapping) and body.span.source is not at.span.source:
            self.anew = next((e.key.span for e in body), None)
        if self.value.type.name == "row":
            missing: Iterable[str] = (
                [] if self.stretches else [r for r in self.value.type.of.rows if r not in self.words]
            )
        else:
            missing = self._gaps()
        if text := ", ".join(missing):
            self.report_missing(text, self._digits_hint())

    def report_missing(self, missing: str, hint: str | None = None) -> None:
        """Report missing outcomes, at the selecting clause, or at the first case if another file replaced them."""
        assert self.place is not None
        others: list[Label] = []
        span = self.place
        if self.anew is not None:
            others = [Label(self.place, "they are asked for here")]
            span = self.anew
            hint = "these take the place of all rows; to change one row, name it: `change:` and below it `TABLE.ROW:`"
        hint = hint or f"add what is missing, such as `{missing.split(', ')[0]}: nothing`"
        self.problems.add("K001", span, missing=missing, label="every outcome needs a case", hint=hint, others=others)

    def _gaps(self) -> Iterable[str]:
        ends = [x for s in self.stretches for x in (s.low, s.high) if abs(x) < inf]
        if not ends:
            return
        at = float(1 if self.sides else min(ends))
        top = self.sides or max(ends)
        covered = [(s.low, s.high) for s in self.stretches]
        if self.barred is not None:
            covered.append((self.barred, self.barred))  # it is thrown again, so it needs no case
        for low, high in sorted(covered):
            if low > at:
                yield _faces(at, min(low - 1, top))
            at = max(at, high + 1)
        if at <= top:
            yield _faces(at, top)

    def _digits_hint(self) -> str | None:
        """A hint for two dice read as digits, where numbers such as 17 never occur."""
        stretches = sorted((s.low, s.high) for s in self.stretches)
        if self.sides is not None or not stretches or stretches[0][0] < 10 or stretches[-1][1] == inf:
            return None
        for (low, high), (after, _) in itertools.pairwise(stretches):
            gap = range(int(high) + 1, int(after))
            if gap and all(number % 10 in (7, 8, 9, 0) for number in gap):
                reach = _faces(low, gap[-1])
                return f"no d6 shows 7, 8, 9 or 0: of two read as digits (d66) the case before may say `{reach}`"
        return None

    def _has_duplicate_key(self, body: Span) -> bool:
        """Whether a key is repeated below `body`: its entry was dropped by the reader and may be the missing case."""
        return any(
            p.code == "Y001"
            and p.span is not None
            and p.span.source == body.source
            and body.start <= p.span.start <= body.end
            for p in self.problems
        )


def _faces(low: float, high: float) -> str:
    return str(int(low)) if low == high else f"{int(low)}-{int(high)}"


def case_label(key: n.CaseKey) -> str:
    """Return the name of an unnamed case, from the first of its values: `1-2`, `6 or more`, a word."""
    case = key.cases[0]
    if case.word is not None:
        return case.word
    if case.low is None:
        return f"{case.high} or less"
    if case.high is None:
        return f"{case.low} or more"
    return str(case.low) if case.low == case.high else f"{case.low}-{case.high}"
