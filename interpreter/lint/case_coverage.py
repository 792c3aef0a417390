"""Checks that cases and outcome tables cover exactly the numbers they are used with; also checks cells of tables:
columns by distance, and cells that were probably forgotten.

Takes the checker of a checked book without errors; adds findings for gaps at either end, for missing limits, for cases
that no number reaches, and at cells and rows. The numbers are traced back to the dice through lines, sums and calls;
where that is not possible, or where a condition has already filtered the faces, nothing is reported.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import inf

from interpreter.rulebook import typed as t
from interpreter.rulebook.cases import Cases, Stretch
from interpreter.rulebook.procedures import Checker
from interpreter.rulebook.symbols import Procedure, Where
from interpreter.source import Label, Problems, nearest, suggest
from interpreter.source.values import Record, field
from interpreter.vocabulary.intervals import UNBOUNDED, Interval
from interpreter.vocabulary.operations import OPERATIONS

from .ranges import Ranges, ranges_of


class Demand(Record):
    """The numbers that the cases of one place are used with, over all expressions that select among them."""

    cases: Cases
    interval: Interval | None = None
    plain: bool = True  # each number is the face of a single die
    unlimited: Where | None = None  # the first operand that has no upper limit
    read: list[t.Expr] = field(default_factory=list)

    def add(self, e: t.Expr, exact: bool, ranges: Ranges) -> None:
        """Add the numbers of one expression; any number where its interval is not `exact`."""
        self.read.append(e)
        interval = ranges.interval_of(e) if exact else UNBOUNDED
        self.interval = interval if self.interval is None else self.interval | interval
        self.plain = self.plain and _is_single_face(e, ranges, set())
        self.unlimited = self.unlimited or (_unlimited_operand(e, ranges) if exact else None)


class _CallSites(Record):
    """The calls of each procedure, and the lines that select among cases, each with the conditions around it."""

    checker: Checker
    forks: list[tuple[t.Assign, tuple[t.Expr, ...]]] = field(default_factory=list)
    calls: dict[Procedure, list[tuple[t.Call, tuple[t.Expr, ...]]]] = field(default_factory=dict)
    governed: dict[t.Variable, tuple[t.Expr, ...]] = field(default_factory=dict)  # the conditions of a line's runs

    def walk(self, steps: tuple[t.Step, ...], under: tuple[t.Expr, ...]) -> None:
        for step in steps:
            if isinstance(step, t.Assign) and under:
                self.governed[step.variable] = self.governed.get(step.variable, ()) + under
            if isinstance(step, t.Assign) and step.variable in self.checker.definitions.found.forks:
                self.forks.append((step, under))
            for name in t.children(type(step)):
                held = getattr(step, name)
                if isinstance(held, tuple) and held and isinstance(held[0], t.Step):
                    self.walk(held, (*under, step.condition) if isinstance(step, t.If) else under)
                elif isinstance(held, t.Expr):
                    self._calls(held, under)

    def _calls(self, e: t.Expr, under: tuple[t.Expr, ...]) -> None:
        for part in t.parts(e):
            if isinstance(part, t.Call):
                self.calls.setdefault(part.procedure, []).append((part, under))


def check_case_coverage(checker: Checker, problems: Problems) -> None:
    """Report numbers without a case, cases without a number (K003, K010), and sums that can exceed all cases (K011)."""
    if not checker.definitions.found.forks:
        return
    ranges = ranges_of(checker, played=True)
    sites = _CallSites(checker)
    params: dict[t.Variable, tuple[Procedure, int]] = {}
    for procedure in checker.book.procedures.values():
        checked = checker.procedure(procedure)
        sites.walk(checked.steps, ())
        params |= {param: (procedure, i) for i, param in enumerate(checked.params)}
    for step, above in sites.forks:
        demand = Demand(checker.definitions.found.forks[step.variable])
        for e, conditions in _origins(step.value, above, params, sites, ranges):
            exact = _is_unconditional(e, conditions, params, sites, ranges)
            demand.add(e, exact, ranges)
        if demand.interval is not None:
            _compare(demand, checker, problems)


def _is_unconditional(
    e: t.Expr,
    conditions: tuple[t.Expr, ...],
    params: dict[t.Variable, tuple[Procedure, int]],
    sites: _CallSites,
    ranges: Ranges,
) -> bool:
    """Whether every number of the interval of `e` can occur: no condition on the way depends on its inputs."""
    if ranges.interval_of(e) == UNBOUNDED and _unlimited_operand(e, ranges) is None:
        return False
    made_of: set[object] = set()
    if not ranges.collect_inputs(e, made_of):
        return False
    for procedure, _ in [params[leaf] for leaf in made_of if leaf in params]:
        conditions += tuple([c for _, under in sites.calls.get(procedure, []) for c in under])
    for leaf in made_of:
        if isinstance(leaf, t.Variable):
            conditions += sites.governed.get(leaf, ())
    chosen: set[object] = set()
    for condition in dict.fromkeys(conditions):
        ranges.collect_inputs(condition, chosen)
    return made_of.isdisjoint(chosen)


def _origins(
    e: t.Expr,
    under: tuple[t.Expr, ...],
    params: dict[t.Variable, tuple[Procedure, int]],
    sites: _CallSites,
    ranges: Ranges,
) -> Iterator[tuple[t.Expr, tuple[t.Expr, ...]]]:
    """The expressions that select among the cases, with their conditions: for a parameter, the arguments of all
    calls.
    """
    if not (isinstance(e, t.Var) and e.variable in params):
        yield e, under
        return
    procedure, place = params[e.variable]
    for call, conditions in sites.calls.get(procedure, []):
        if place < len(call.args):
            yield call.args[place], (*under, *conditions)


def _compare(demand: Demand, checker: Checker, problems: Problems) -> None:
    cases = demand.cases
    assert demand.interval is not None
    if not cases.stretches or cases.place is None:
        return
    low, high = demand.interval
    first, last = min(s.low for s in cases.stretches), max(s.high for s in cases.stretches)
    gaps = [(low, min(first - 1, high)), (max(last + 1, low), high)]
    missing = [_stretch(int(a), int(b)) for a, b in gaps if -inf < a <= b < inf]
    if missing:
        hint = f"it is asked with {int(low)} to {int(high)}" if demand.interval.known else None
        cases.report_missing(", ".join(missing), hint)
    elif demand.unlimited is not None and last < inf and cases.sides is None:
        where = demand.unlimited
        others = [] if where.span == cases.place else [Label(where.span, "nothing limits this")]
        hint = f"say `{int(last)} or more`, or keep what is asked for within it: `min({int(last)}, …)`"
        problems.add("K011", cases.place, name=where.text, last=int(last), others=others, hint=hint)
    for interval in _unreached(demand, checker):
        above, below = high < interval.high < inf, -inf < interval.low < low
        if demand.plain and cases.sides is None and (above or below) and low == 1:
            face = int(interval.high if above else interval.low)
            problems.add("K003", interval.place, face=face, die=f"d{int(high)}", label="no die shows this")
        elif not demand.plain and (interval.low > high or interval.high < low):
            hint = f"it is asked with {int(low)} to {int(high)}" if demand.interval.known else None
            problems.add("K010", interval.place, label="nothing that is asked for is in here", hint=hint)


def _stretch(low: int, high: int) -> str:
    if low == high:
        return str(low)
    return f"{low} to {high}" if low < 0 else f"{low}-{high}"


def _unreached(demand: Demand, checker: Checker) -> Iterator[Stretch]:
    """The cases that no number reaches, not even the 0 of a line that did not run, and to which no row passes on."""
    low, high = demand.interval or UNBOUNDED
    beyond = [s for s in demand.cases.stretches if s.low > high or s.high < low or (demand.plain and s.low < low)]
    beyond += [s for s in demand.cases.stretches if s not in beyond and demand.plain and high < s.high < inf]
    if not beyond:
        return
    ranges = Ranges(checker, played=True, unrun=True)
    for e in demand.read:
        found = ranges.interval_of(e)
        beyond = [s for s in beyond if not found.low <= s.low <= s.high <= found.high]
    partly = [s for s in beyond if s.low <= high and s.high >= low]
    yield from (s for s in beyond if s in partly or s not in demand.cases.passed_to)


def _unlimited_operand(e: t.Expr, ranges: Ranges) -> Where | None:
    """The operand that lets a sum grow without limit: an attribute without bounds, or a count; None where none does."""
    e = ranges.resolve(e)
    match e:
        case t.Attr(attribute=attribute) if e.type.name == "number" and attribute.high is None:
            return e.where
        case t.Op(name="count", args=(t.Bag() | t.All() | t.Filter(items=t.Bag() | t.All()),)):
            return e.where
        case t.Op(name=name, args=args) if (row := OPERATIONS[name]).sums:
            rising = (_unlimited_operand(a, ranges) for i, a in enumerate(args) if row.way(i) > 0)
            return next((where for where in rising if where is not None), None)
    return None


def _is_single_face(e: t.Expr, ranges: Ranges, seen: set[t.Variable]) -> bool:
    """Whether an expression is the face of one die, as thrown or picked from several."""
    match e:
        case t.Throw(count=t.Lit(value=1), barred=None):
            return True
        case t.Op(name=name, args=(t.Throw(),)) if OPERATIONS[name].one_face:
            return True
        case t.Op(name=name, args=(inner,)) if name == "sum-faces" or OPERATIONS[name].one_face:
            return _is_single_face(inner, ranges, seen)
        case t.Var(variable=variable) if variable not in seen:
            seen.add(variable)
            lines = ranges.lines.get(variable, [])
            return bool(lines) and all(x.value is not None and _is_single_face(x.value, ranges, seen) for x in lines)
    return False


FEW = 3  # tables with at most this many rows are too small to infer a pattern


def check_distance_columns(checker: Checker, problems: Problems) -> None:
    """Report distances that do not ascend (K007), banded cells with another number of parts than their distances
    (K008), and a column banded by a column that does not exist (N005).
    """
    for table in checker.book.tables.values():
        for column in table.columns.values():
            if column.by is None or column.by not in table.columns:
                if column.by is not None:
                    place = column.where.scalar.at(column.where.end - len(column.by), column.where.end)
                    meant = suggest(
                        place, nearest(column.by, table.columns)[:1], "its columns are " + ", ".join(table.columns)
                    )
                    problems.add("N005", place, name=column.by, table=table.name, **meant)
                continue
            for row in table.rows.values():
                near = row.reaches.get(column.by, row.cells.get(column.by))
                held = row.cells.get(column.name)
                where = row.cell_places.get(column.by)
                if where is None:
                    continue
                if isinstance(near, tuple) and list(near) != sorted(set(near)):
                    problems.add("K007", where.span, label="the distances must grow")
                bands = len(near) if isinstance(near, tuple) else 1
                counts = len(held) if isinstance(held, tuple) else 1
                if bands != counts and held is not None:
                    hint = '`12"/24", 2/1` is 2 up to 12 inches and 1 up to 24'
                    problems.add(
                        "K008",
                        row.cell_places[column.name].span,
                        near=_count(bands, "distance"),
                        far=_count(counts, "number"),
                        hint=hint,
                    )


def _count(count: int, word: str) -> str:
    return f"{count} {word}" + ("" if count == 1 else "s")


def check_missing_cells(checker: Checker, problems: Problems) -> None:
    """Report rows that end before columns which all other rows of their table fill (K012).

    A cell that is empty on purpose is written: `-` or `none`. Columns that another file adds to an existing table may
    leave rows out.
    """
    for table in checker.book.tables.values():
        owner = checker.book.pages.owners.get(table)
        brought = {p.name.text for _, made in owner.columns for p in made.title.params} if owner is not None else set()
        columns = [name for name in table.columns if name not in brought]
        for row in table.rows.values() if len(table.rows) > FEW else ():
            said = [name for name in columns if name in row.cell_places]
            left = columns[len(said) :]
            others = [r for r in table.rows.values() if r is not row]
            named = any(row.cell_places[name].text.startswith(f"{name} ") for name in said)
            if not said or not left or named or said != columns[: len(said)]:
                continue  # a row with named cells skips others on purpose
            if all(name in r.cell_places for r in others for name in left):
                names = " and ".join(f"`{name}`" for name in left)
                hint = f"where it has none, say so: `{', '.join('-' for _ in left)}` behind the others"
                problems.add("K012", row.where.span, row=row.name, columns=names, table=table.name, hint=hint)
