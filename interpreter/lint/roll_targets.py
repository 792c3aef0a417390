"""Checks of the targets of rolls: impossible, certain, unaffected by a line, or meant for other dice.

Takes the checker of a checked book without errors; adds findings. A target is enumerated over the rows of its table,
and modifiers over the cells they read. Lines with `per` are ignored where a number exceeds the faces, as they can grow
without limit. Where a convention names faces that always or never succeed, nothing is impossible or certain, and
nothing is reported.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import combinations
from math import inf

from interpreter.rulebook import typed as t
from interpreter.rulebook.procedures import Checker
from interpreter.rulebook.symbols import Column, Convention, Roll
from interpreter.source import Label, Problems
from interpreter.source.values import Struct
from interpreter.vocabulary.intervals import ZERO, Interval

from .implication import mutually_exclusive, required_row
from .ranges import Ranges, ranges_of

_MOST_COMBINED = 10  # at most this many lines are tried in all combinations


class _Base(Struct):
    """The target before modifiers: a cell of one row of a table, or the interval of an expression."""

    change: t.Change
    row: str
    index: int | None
    stretch: Interval


class _Shift(Struct):
    """How much a line changes the target when it applies; a bonus to the roll counts as a lower target."""

    change: t.Change
    by: Interval

    @property
    def name(self) -> str:
        return _line_name(self.change)


def check_roll_targets(checker: Checker, problems: Problems) -> None:
    """Report impossible and certain rolls (I001, I002), lines without effect (I003), columns used with two dice
    (D011).
    """
    ranges = ranges_of(checker)
    met: dict[Column, list[tuple[Roll, t.Change]]] = {}
    for roll in checker.book.rolls.values():
        pure = checker.pure(roll)
        if roll.convention is None:
            continue
        bases = list(_bases(pure, ranges))
        shifts = [_Shift(c, _shift(c, ranges)) for c in pure.changes if c.what == "add" and c.amount is not None]
        _report_impossible_or_certain(roll, roll.convention, bases, shifts, problems)
        _report_ineffective(roll, roll.convention, bases, shifts, ranges, problems)
        for change in pure.changes:
            if change.what == "set" and isinstance(change.amount, t.Cell) and _is_own_line(roll, change):
                met.setdefault(change.amount.column, []).append((roll, change))
    _report_mixed_dice(met, problems)


def _bases(pure: t.Pure, ranges: Ranges) -> Iterator[_Base]:
    for change in pure.changes:
        amount = change.amount
        if change.touch != "needs" or change.what != "set" or amount is None:
            continue
        if isinstance(amount, t.Cell):
            for row in amount.table.rows.values():
                held = row.cells.get(amount.column.name)
                if isinstance(held, int):
                    yield _Base(change, row.name, row.index, Interval(held, held))
        else:
            yield _Base(change, "", None, ranges.interval_of(amount))


def _shift(change: t.Change, ranges: Ranges) -> Interval:
    low, high = ranges.delta(change)
    return Interval(low, high) if change.touch == "needs" else Interval(-high, -low)


# ---- impossible and certain
def _report_impossible_or_certain(
    roll: Roll, c: Convention, bases: list[_Base], shifts: list[_Shift], problems: Problems
) -> None:
    """Report a target that no face meets, or that every face meets, if no face always or never succeeds."""
    ends = [(c.always, True, "I001", "always"), (c.never, False, "I002", "never")]
    for face, unmet, code, word in ends:
        up = unmet == c.over
        last = (c.sides if unmet else 1) if c.over else (1 if unmet else c.sides)
        if face is not None or any(x.change.what in ("passes", "fails") for x in shifts):
            continue
        found = [(b, *_extreme_target(b, shifts, up)) for b in bases]
        found = [f for f in found if _is_out_of_reach(c, unmet, f[1], last)]
        if not found:
            continue
        base, needed, lines = max(found, key=lambda f: (-len(f[2]), f[1] if up else -f[1]))
        if not lines and _was_reported_before(base, c, unmet):
            continue
        if not any(_is_own_line(roll, change) for change in (base.change, *[x.change for x in lines])):
            continue
        said = f"{int(needed)}+" if c.over else f"{int(needed)}"
        label = (f"{base.row} needs {said}" if base.row else f"it needs {said}") + _describe_lines(lines)
        deciding = c.sides if unmet == c.over else 1
        verb = "succeeds" if unmet else "fails"
        hint = f"if it is meant so, say why: `# umpire: allow {code} because …`"
        place = base.change.line.where if _is_own_line(roll, base.change) else roll.where
        counting = [x.change.line.where for x in lines]
        later = next((at for at in counting if at.span.source is not c.where.span.source), None)
        if later is not None:  # the dice are another file's, and these numbers came out only with this line
            place = later
        else:
            hint += f"; if on your page the {deciding} always {verb}, the dice say so: "
            hint += f"`{_describe_dice(c)}, {word} {deciding}`"
        others = [Label(at.span, "this counts in") for at in counting if at is not place][:2]
        problems.add(code, place.span, needed=said, die=f"d{c.sides}", label=label, others=others, hint=hint)


def _was_reported_before(base: _Base, c: Convention, unmet: bool) -> bool:
    """Whether the target is a literal in a cell or line, and was reported when that was checked; `1+` was not."""
    plain = isinstance(base.change.amount, t.Lit)
    return (plain or base.index is not None) and (unmet or (plain and not 1 <= base.stretch.low <= c.sides))


def _is_out_of_reach(c: Convention, unmet: bool, needed: float, last: int) -> bool:
    if unmet:
        return last < needed < inf if c.over else -inf < needed < last
    return -inf < needed <= last if c.over else last <= needed < inf


def _extreme_target(base: _Base, shifts: list[_Shift], up: bool) -> tuple[float, list[_Shift]]:
    """The highest (`up`) or lowest target that compatible lines give, and these lines."""
    start = base.stretch.high if up else base.stretch.low
    if start in (inf, -inf):
        return (-inf if up else inf), []
    if not shifts:
        return start, []
    always = [s for s in shifts if s.change.per is None and s.change.condition is None]
    start += sum(s.by.high if up else s.by.low for s in always if (s.by.high < 0 if up else s.by.low > 0))
    pushing = [s for s in shifts if s.change.per is None and 0 < (s.by.high if up else -s.by.low) < inf]
    pushing = [s for s in pushing if s.change.condition is None or base.index in (None, _required_index(s, base))]
    tried: list[list[_Shift]] = [pushing] if _are_compatible(pushing) else []
    if not tried and len(pushing) <= _MOST_COMBINED:
        tried = [list(some) for n in range(len(pushing)) for some in combinations(pushing, n) if _are_compatible(some)]
    best = max(tried, key=lambda some: sum(s.by.high if up else -s.by.low for s in some), default=[])
    return start + sum(s.by.high if up else s.by.low for s in best), best


def _required_index(shift: _Shift, base: _Base) -> int | None:
    """The row that a line's condition requires, if it is about the same row expression; else that of the base."""
    named = required_row(shift.change.condition, base.change.amount)
    return base.index if named is None else named


def _are_compatible(shifts: Sequence[_Shift]) -> bool:
    return not any(mutually_exclusive(a.change.condition, b.change.condition) for a, b in combinations(shifts, 2))


# ---- lines that change nothing
def _report_ineffective(
    roll: Roll, c: Convention, bases: list[_Base], shifts: list[_Shift], ranges: Ranges, problems: Problems
) -> None:
    for shift in shifts:
        if not _is_own_line(roll, shift.change) or (shift.by == ZERO and not _is_literal(shift.change)):
            continue
        others = [s for s in shifts if s is not shift]
        least, most = sum(min(0, s.by.low) for s in others), sum(max(0, s.by.high) for s in others)
        met = [b for b in bases if b.index in (None, _required_index(shift, b))]
        if met and all(
            _passes_same_faces(c, Interval(b.stretch.low + least, b.stretch.high + most), shift.by) for b in met
        ):
            label = "as it is, with it or without it"
            hint = None
            if shift.by == ZERO:
                hint = "say by how much"
            elif all(b.stretch.low == b.stretch.high for b in met):
                needs = ", ".join(f"{b.row or 'it'} needs {_describe_target(c, b.stretch.low)}" for b in met[:3])
                hint = f"{needs}, and {_describe_limit(c, shift.by.high > 0)}"
            problems.add("I003", shift.change.line.where.span, name=shift.name, label=label, hint=hint)


def _passes_same_faces(c: Convention, needed: Interval, by: Interval) -> bool:
    """Whether the same faces pass with and without a change `by`, for every target in `needed`."""
    low, high = (int(max(-2, min(c.sides + 3, x))) for x in needed)
    ends = [int(max(-2 * c.sides, min(2 * c.sides, x))) for x in by]
    return all(
        _passing_faces(c.sides, c.over, c.always, c.never, x)
        == _passing_faces(c.sides, c.over, c.always, c.never, x + d)
        for x in range(low, high + 1)
        for d in ends
    )


@lru_cache(1024)
def _passing_faces(sides: int, over: bool, always: int | None, never: int | None, needed: int) -> frozenset[int]:
    faces = {f for f in range(1, sides + 1) if (f >= needed if over else f <= needed)}
    return frozenset((faces | ({always} - {None})) - ({never} - {None}))  # type: ignore[arg-type]


def chance_of(roll: Roll, checker: Checker, ranges: Ranges) -> tuple[Fraction, Fraction]:
    """The least and the greatest chance that one throw of a roll passes, over all situations."""
    c, changes = roll.convention, checker.pure(roll).changes
    plain = all((x.touch, x.what) in (("needs", "set"), ("needs", "add"), ("roll", "add")) for x in changes)
    bases = list(_bases(checker.pure(roll), ranges))
    if c is None or not plain or not bases or any(x.amount is None for x in changes):
        return Fraction(0), Fraction(1)
    shifts = [_shift(x, ranges) for x in changes if x.what == "add"]
    ends = [
        min(b.stretch.low for b in bases) + sum(min(0, by.low) for by in shifts),
        max(b.stretch.high for b in bases) + sum(max(0, by.high) for by in shifts),
    ]
    needed = [int(max(-2, min(c.sides + 3, end))) for end in ends]
    met = sorted(len(_passing_faces(c.sides, c.over, c.always, c.never, n)) for n in needed)
    none = any(x.what == "set" and x.amount is not None and ranges.may_be_none(x.amount) for x in changes)
    return Fraction(0 if none else met[0], c.sides), Fraction(met[1], c.sides)


# ---- two dice
def _report_mixed_dice(met: dict[Column, list[tuple[Roll, t.Change]]], problems: Problems) -> None:
    """Report rolls that use a column of targets with other dice than most of its rolls."""
    for column, rolls in met.items():
        sorts = Counter(_describe_dice(roll.convention) for roll, _ in rolls if roll.convention)
        usual = sorts.most_common(1)[0][0]
        first = next(roll for roll, _ in rolls if roll.convention and _describe_dice(roll.convention) == usual)
        for roll, change in rolls:
            if roll.convention is None or first.convention is None or _describe_dice(roll.convention) == usual:
                continue
            problems.add(
                "D011",
                change.line.where.span,
                column=column.name,
                label=f"this roll reads {_describe_dice(roll.convention)}",
                others=[Label(first.where.span, f"here they are for {usual}")],
                hint=f"make the roll `on {first.convention.name}`, or give it a column of its own",
            )


# ---- words
def _describe_dice(c: Convention) -> str:
    return f"d{c.sides} at or {'over' if c.over else 'under'}"


def _describe_target(c: Convention, needed: float) -> str:
    return f"{int(needed)}+" if c.over else str(int(needed))


def _describe_limit(c: Convention, more: bool) -> str:
    if more == c.over:
        return f"a {c.always} always succeeds" if c.always is not None else "no face is left"
    return f"a {c.never} never does" if c.never is not None else "every face passes"


def _describe_lines(lines: Sequence[_Shift]) -> str:
    names = [f"`{s.name}`" for s in lines]
    return "" if not names else " with " + (", ".join(names[:-1]) + " and " if names[1:] else "") + names[-1]


def _line_name(change: t.Change) -> str:
    return change.line.address.rsplit(".", 1)[-1]


def _is_own_line(roll: Roll, change: t.Change) -> bool:
    return change.line.address.split(".")[0] == roll.name


def _is_literal(change: t.Change) -> bool:
    """Whether the amount of a line is a literal, not read from a table."""
    return isinstance(change.amount, t.Lit)
