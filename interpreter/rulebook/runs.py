"""Resolves lines of the rules by full address: all runs of a line, and the things that a line creates (`bail.party`).

Input: the steps of a situation, and a path. `Runs` returns an expression, and the steps that total several runs; it
reports a problem if they cannot all be enumerated. `KeptCalls` rewrites steps so that calls without a line of their own
(the row of a table, a call within a sentence) store their record in a variable. `Makers` returns placeholders for
created things, so that a situation can state facts of them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any

from interpreter.document.nodes import Scalar
from interpreter.language import nodes as n
from interpreter.source.values import replace
from interpreter.vocabulary.addresses import addressed, is_place
from interpreter.vocabulary.types import ANY, Type

from . import typed as t
from .addressing import Addressing, whole_address
from .frame import Steps
from .procedures import Checker
from .reached import reached_in
from .run_conditions import BLOCK, RunConditions, source_of
from .run_flags import RAN
from .scope import Scope, ambiguity_hint
from .sheets import visibility_at
from .symbols import Kind, LineInfo, Procedure, Where

KEPT = "?kept"  # suffix of a variable for a call's record; no file can define such an address


class KeptCalls:
    """Rewrites steps. `asked` selects the calls to store; `rules` are the names of rules, whose lines run only where
    the rule applies.
    """

    def __init__(self, asked: Callable[[t.Call], bool], rules: Collection[str]) -> None:
        self._asked, self._rules = asked, rules
        self.here: dict[t.Variable, bool] = {}  # new variable → whether a line of a rule makes the call
        self.totals: set[t.Variable] = set()  # new totals of loops in procedures, not in rules

    def steps(self, steps: tuple[t.Step, ...]) -> tuple[t.Step, ...]:
        made: list[t.Step] = []
        for step in steps:
            if isinstance(step, t.ForEach | t.Repeat | t.RepeatUntil):
                self._loop(step, made)
            else:
                made.append(self._step(step))
        return tuple(made)

    def _loop(self, step: t.ForEach | t.Repeat | t.RepeatUntil, made: list[t.Step]) -> None:
        """Append a loop whose rounds add their records to totals; records in its condition are added in the next round.
        """
        outer, self.here = self.here, {}
        body = self.steps(step.body)
        rounds, self.here = self.here, {}
        changed: dict[str, t.Expr] = {}
        if isinstance(step, t.RepeatUntil):
            changed["condition"] = self._within(step.condition, step)
        ends, self.here = self.here, outer
        if isinstance(step, t.ForEach):
            changed["items"] = self._within(step.items, step)
        elif isinstance(step, t.Repeat):
            changed["times"] = self._within(step.times, step)
        step = replace(step, **changed)
        totals = {one: self._total(one, by_rule) for one, by_rule in {**rounds, **ends}.items()}
        if not totals:
            made.append(replace(step, body=body))
            return
        added = {v: t.Accumulate(all_, v, by_rule=self.here[all_], line=step.line) for v, all_ in totals.items()}
        late = [added[one] for one in ends]
        _begin(made, (*totals.values(), *ends), step)
        inside = list(body[:1])
        _begin(inside, tuple(rounds), step)
        inside += body[1:]
        made += [replace(step, body=(*late, *inside, *[added[one] for one in rounds])), *late]

    def _total(self, one: t.Variable, by_rule: bool) -> t.Variable:
        total = t.Variable(one.name, one.type)
        self.here[total] = by_rule
        if not by_rule:
            self.totals.add(total)
        return total

    def _step(self, step: t.Step) -> t.Step:
        def made(value: Any) -> Any:
            if isinstance(value, tuple) and isinstance(value[0], t.Step):
                return self.steps(value)
            return self._within(value, step)

        kept: t.Step = t.rebuilt(step, made)
        return kept

    def _within(self, value: Any, step: t.Step) -> Any:
        """Rewrite an expression of a step, or a tuple of them."""
        if isinstance(value, tuple):
            return tuple([self._within(each, step) for each in value])
        if not isinstance(value, t.Expr):
            return value
        changed = {name: self._within(getattr(value, name), step) for name in t.holding(type(value))}
        if isinstance(value, t.Call) and value.kept is None and self._asked(value):
            kept = t.Variable(f"{value.procedure.name}{KEPT}", Type("record", value.procedure))
            self.here[kept] = any(part in self._rules for part in step.line.address.split("."))
            changed["kept"] = kept
        return replace(value, **changed) if changed else value


def _begin(made: list[t.Step], afresh: tuple[t.Variable, ...], step: t.Step) -> None:
    """Append a `Reset` of variables, merged into a preceding one."""
    if made and isinstance(made[-1], t.Reset):
        made[-1] = replace(made[-1], variables=(*made[-1].variables, *afresh))
    else:
        made.append(t.Reset(afresh, line=step.line))


Place = tuple[t.Expr | None, Procedure]  # the record of a procedure's call; None for the situation's own lines


def _is_the_row(procedure: Procedure, address: str) -> bool:
    """Whether the line is the row of an outcome table, which is the value of the call, not a line."""
    return procedure.table is not None and address == "row"


class Runs:
    """Resolves the full addresses that a situation asks for. The argument `steps` are those of the situation, kept as
    `situation_steps`; the attribute `steps` are those that total several runs, to be appended.
    """

    def __init__(self, checker: Checker, lines: Addressing, steps: tuple[t.Step, ...], scope: Scope) -> None:
        self.c, self.lines, self.situation_steps, self._scope = checker, lines, steps, scope
        self.steps: Steps = []
        self._totals: dict[str, t.Variable] = {}
        self.several: dict[t.Variable, list[t.Expr]] = {}  # total → the runs that it sums

    def line(self, node: n.Path, at: Scalar) -> tuple[t.Expr, int] | None:
        """Return the line that a path begins with, and how many parts name it; None if it is not an address."""
        names = node.plain_names
        book = self.c.book
        first = names[0] if names else ""
        if first not in (*book.procedures, *book.rules, self.lines.root.name) and not is_place(first):
            return None
        for size in range(len(names), 0, -1):
            key = ".".join(names[:size])
            found = self._named(key)
            if len(found) > 1:
                found = {
                    line: found[line]
                    for line in self.lines.disambiguate(key, found, visibility_at(self.c.book.history, at.span))
                }
            if len(found) > 1:
                hint = ambiguity_hint(list(found), self.lines.shared_names())
                return self._report_ambiguous(node, size, at, hint), len(node.parts)
            for line, several in found.items():
                return self._all(line, several, node, size, at)
        return None

    def whole(self, procedures: list[str], name: str) -> list[str]:
        """Return the full addresses of the lines called `name` in those of the procedures that are run here."""
        run = [p for p in self.lines.reached.procedures(self.lines.root) if p.name in procedures]
        return [f"{p.name}.{address}" for p in run for address in self.c.lines_of(p).find(name)]

    def report_missing_line(self, node: n.Path, at: Scalar) -> t.Expr | None:
        """Report a path that begins with a procedure but names no line of it; None if it begins otherwise."""
        head = node.plain_names[0] if node.plain_names else ""
        if len(node.parts) < 2 or node.plain_names[1:2] != [node.parts[1].name]:
            return None
        if any(head in table.rows for table in self.c.book.tables.values()):
            return None  # a cell of the row of that name
        if (known := self.lines_below(head)) is None:
            return None
        address = ".".join(node.plain_names)
        deed = next((a for a in self.all_deeds() if addressed(address, a, last=True)), None)
        lines = f"the lines of it: {', '.join(f'`{a}`' for a in known[:4])}" if known else None
        lines = f"it does something and is worth nothing: ask `ran({address})`, or what it changed" if deed else lines
        what = f"line {'with a value ' if deed else ''}of {head}"
        self.c.expressions.unknown.tell(address, at, node, what, [] if deed else known, lines)
        return t.Lit(0, type=ANY)

    def lines_below(self, name: str) -> list[str] | None:
        """Return the full addresses of the lines with a value of a procedure or rule that is run, the shortest first;
        None if the name is neither.
        """
        if name not in self.c.book.procedures and name not in self.c.book.rules:
            return None
        found: dict[str, None] = {}
        for procedure in self.lines.reached.procedures(self.lines.root):
            for address, variable in self.c.lines_of(procedure).all().items():
                head, part, rest = f"{procedure.name}.{address}".partition(f"{name}.")
                here = bool(part) and (head == "" if name in self.c.book.procedures else head.endswith("."))
                if here and variable.type.name not in ("block", "record") and not _is_the_row(procedure, address):
                    found.setdefault(f"{name}.{rest}")
        return sorted(found, key=lambda line: line.count("."))

    def all_deeds(self) -> list[str]:
        """Return the full addresses of all lines without a value in what is run."""
        run = self.lines.reached.procedures(self.lines.root)
        return [f"{p.name}.{address}" for p in run for address in self.c.lines_of(p).all_deeds()]

    def deeds(self, node: n.Path, at: Scalar) -> dict[str, t.Expr]:
        """The lines without a value, and blocks, that a full address names: a total over their runs, by address."""
        names = node.plain_names
        key, found = ".".join(names), dict[str, t.Expr]()
        if names[0] not in (*self.c.book.procedures, *self.c.book.rules) and not is_place(names[0]):
            return found
        lines: dict[str, set[tuple[Procedure, str]]] = {}
        for procedure in self.lines.reached.procedures(self.lines.root):
            for address in self.c.lines_of(procedure).all_deeds():
                if addressed(key, f"{procedure.name}.{address}", last=True):
                    lines.setdefault(self.lines.line(f"{procedure.name}.{address}"), set()).add((procedure, address))
        if key in lines:
            lines = {key: lines[key]}
        for line, several in lines.items():
            places, complete = self._places({procedure for procedure, _ in several})
            if not complete:
                return {line: self._report_recursion(node, len(node.parts), at, places, several)}
            every = [self._run(record, owner, a) for record, p in places for owner, a in several if owner is p]
            total = self._totals.setdefault(f"{line}{RAN}", t.Variable(line, BLOCK))
            self.several[total] = every
            found[line] = t.Var(total, type=BLOCK)
        return found

    def _run(self, record: t.Expr | None, owner: Procedure, address: str) -> t.Expr:
        """The expression for a line of one call."""
        lines = self.c.lines_of(owner)
        variable = lines.all().get(address) or lines.done[address]
        if record is None:
            return t.Var(variable, type=variable.type)
        return t.Field(record, owner, address, type=variable.type)

    def _named(self, key: str) -> dict[str, set[tuple[Procedure, str]]]:
        """The lines that an address names: canonical name → their procedures and addresses."""
        found: dict[str, set[tuple[Procedure, str]]] = {}
        for procedure in self.lines.reached.procedures(self.lines.root):
            lines = self.c.lines_of(procedure)
            mine = [a for a in lines.by_address if addressed(key, f"{procedure.name}.{a}", last=True)]
            mine = mine or [a for a in lines.runs if addressed(key, f"{procedure.name}.{a}", last=True)]
            for address in lines.without_branches(mine):
                nothing = lines[address].type.name == "block" or _is_the_row(procedure, address)
                if not nothing and not address.startswith("ask "):
                    canonical = self.lines.line(f"{procedure.name}.{address}")
                    found.setdefault(canonical, set()).add((procedure, address))
        return found

    def _all(
        self, line: str, several: set[tuple[Procedure, str]], node: n.Path, size: int, at: Scalar
    ) -> tuple[t.Expr, int]:
        owners = {procedure for procedure, _ in several}
        places, complete = self._places(owners)
        if not complete:
            return self._report_recursion(node, size, at, places, several), len(node.parts)
        every: list[t.Expr] = []
        for record, procedure in places:
            for owner, address in sorted(several, key=lambda one: one[1]):
                if owner is procedure:
                    every.append(self._run(record, owner, address))
        if len(every) == 1 and not RunConditions(self.c.definitions, lambda _: None).in_rounds(every[0]):
            return every[0], size
        if line not in self._totals:
            self._totals[line] = self._summed(line, every, Where(at, node.start, node.end))
        return t.Var(self._totals[line], type=self._totals[line].type), size

    def _summed(self, line: str, every: list[t.Expr], where: Where) -> t.Variable:
        info = LineInfo(f"ask {line}", where, ())
        total = t.Variable(f"{line}?", every[0].type)
        self.several[total] = every
        self.steps.append(t.Reset((total,), line=info))
        for e in every:
            one = t.Variable(f"{line}?", e.type)
            self.steps += [t.Assign(one, e, line=info), t.Accumulate(total, one, rounds=False, line=info)]
        return total

    def _report_ambiguous(self, node: n.Path, size: int, at: Scalar, hint: str) -> t.Expr:
        named = ".".join(part.name for part in node.parts[:size])
        self.c.problems.add("N002", at.at(node.start, node.parts[size - 1].end), name=named, hint=hint)
        return t.Lit(0, type=ANY)

    def _report_recursion(
        self, node: n.Path, size: int, at: Scalar, places: list[Place], several: set[tuple[Procedure, str]]
    ) -> t.Expr:
        """Report a line of a recursive procedure, which has unboundedly many runs; the hint names a single one."""
        owner, address = min(several, key=lambda one: one[1])
        record = next((record for record, procedure in places if procedure is owner and record is not None), None)
        rest = "".join(f".{part.name}" for part in node.parts[size:])
        run = "" if record is None else f"{source_of(record)}.{address}{rest}".removeprefix("do.")
        refused = not run or KEPT in run or run.split(".")[0] in self.c.book.rules  # its name means all runs
        hint = "let the rules keep count of it on a card" if refused else f"one run of it is `{run}`"
        named = ".".join(part.name for part in node.parts[:size])
        self.c.problems.add("N020", at.at(node.start, node.parts[size - 1].end), name=named, hint=hint)
        return t.Lit(0, type=ANY)

    # ---- call paths to a procedure
    def _places(self, owners: set[Procedure]) -> tuple[list[Place], bool]:
        """All calls of these procedures, and whether they are complete: not if a procedure is recursive."""
        found: list[Place] = []
        complete = True
        todo: list[tuple[Place, tuple[Procedure, ...]]] = [((None, self.lines.root), ())]
        for (record, procedure), above in todo:
            if procedure in above:
                complete = False
                continue
            if procedure in owners:
                found.append((record, procedure))
            for address, (variable, callee) in self._calls(procedure, owners).items():
                inner: t.Expr = t.Var(variable, type=variable.type)
                if record is not None:
                    inner = t.Field(record, procedure, address, type=variable.type)
                todo.append(((inner, callee), (*above, procedure)))
        return found, complete

    def _leads_to(self, procedure: Procedure, owners: set[Procedure]) -> bool:
        return not owners.isdisjoint(self.lines.reached.procedures(procedure))

    def _calls(self, procedure: Procedure, owners: set[Procedure]) -> dict[str, tuple[t.Variable, Procedure]]:
        """The calls in a procedure that lead to `owners`: address → variable of the record, and callee."""
        held, left = self._held(procedure)
        if any(self._leads_to(call.procedure, owners) for call in left):
            self._keep(procedure, owners, left)
            held, _ = self._held(procedure)
        return {address: one for address, one in held.items() if self._leads_to(one[1], owners)}

    def _held(self, procedure: Procedure) -> tuple[dict[str, tuple[t.Variable, Procedure]], list[t.Call]]:
        """The calls of a procedure whose record is stored in a line, by address, and the calls without such a line."""
        checked = self.c.procedure(procedure)
        inside = t.by_class(self.situation_steps) if procedure is self.lines.root else checked.inside
        addresses = {variable: address for address, variable in checked.lines.items() if KEPT in address}
        addresses.update({v: address for address, v in self.c.lines_of(procedure).by_address.items()})
        onward = [(step.value, step.total) for step in inside[t.Accumulate]]
        direct = {id(step.value): step.variable for step in inside[t.Assign]}
        held: dict[str, tuple[t.Variable, Procedure]] = {}
        unheld: list[t.Call] = []
        for call in inside[t.Call]:
            into = call.kept or (direct.get(id(call)) if call.procedure.table is None else None)
            left = [into] if into is not None else []
            for variable in left:
                left += [total for value, total in onward if value is variable and total not in left]
            mine = {addresses[variable]: (variable, call.procedure) for variable in left if variable in addresses}
            held.update(mine)
            if not mine:
                unheld.append(call)
        return held, unheld

    def _keep(self, procedure: Procedure, owners: set[Procedure], calls: list[t.Call]) -> None:
        """Rewrite the procedure so that it stores the records of these calls."""
        kept = KeptCalls(
            lambda call: any(call is one for one in calls) and self._leads_to(call.procedure, owners),
            self.c.book.rules,
        )
        if procedure is self.lines.root:
            self.situation_steps = kept.steps(self.situation_steps)
            steps = self.situation_steps
        else:
            steps = kept.steps(self.c.procedure(procedure).steps)
        self.c.definitions.found.totals |= kept.totals
        self.c.definitions.keep_calls(procedure, steps, list(kept.here))


class Makers:
    """Placeholders for things that lines create anywhere in the run of `root`: `bail.party`."""

    def __init__(self, checker: Checker, root: Procedure) -> None:
        self.c, self.root = checker, root
        self._lines: dict[str, Kind] | None = None

    @property
    def lines(self) -> dict[str, Kind]:
        """Return the full addresses of lines that create a thing, with its kind."""
        if self._lines is None:
            rules = self.c.book.rules
            every = reached_in(self.c).procedures(self.root)
            made = [step for procedure in every for step in self.c.procedure(procedure).inside[t.New]]
            self._lines = {whole_address(step.line.address, rules): step.kind for step in made}
        return self._lines

    def deeds(self, node: n.Path, at: Scalar) -> dict[str, t.Expr]:
        """Return nothing: no line has run before the situation begins."""
        return {}

    def lines_below(self, name: str) -> list[str] | None:
        return None

    def all_deeds(self) -> list[str]:
        return []

    def whole(self, procedures: list[str], name: str) -> list[str]:
        return []

    def report_missing_line(self, node: n.Path, at: Scalar) -> t.Expr | None:
        return None

    def line(self, node: n.Path, at: Scalar) -> tuple[t.Expr, int] | None:
        """Return a placeholder for the thing that a line creates, and how many parts of the path name the line; None if
        there is no such line.
        """
        names = node.plain_names
        for size in range(len(names), 1, -1):
            key = ".".join(names[:size])
            found = [line for line in self.lines if line == key]
            found = found or [line for line in self.lines if addressed(key, line, last=True)]
            if len(found) > 1:
                hint = "say " + " or ".join(f"`{line}`" for line in found)
                place = at.at(node.parts[0].start, node.parts[size - 1].end)
                self.c.problems.add("N002", place, name=key, hint=hint)
                return t.Lit(0, type=ANY), size
            if found:
                type_ = Type("thing", self.lines[found[0]])
                return t.Var(t.Variable(found[0], type_), type=type_), size
        return None
