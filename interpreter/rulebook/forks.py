"""Checks lines that branch: `by` with cases, `picks one` with options, and outcome tables with barred rows; and merges
a name that several branches define into one name outside them.

Input: keys with their cases. Output: nested conditional steps; one variable for each name that at least two branches
define, which the steps of each branch set. A full name still refers to one branch: `wiped-out.dead` is the value in
that branch alone. If a file of the stack can see only some of these lines, those are merged for that file, as they were
before another file added its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from collections.abc import Mapping as Known

from interpreter.document.nodes import Entry, Mapping, Scalar
from interpreter.language import nodes as n
from interpreter.source import Source
from interpreter.source.values import replace
from interpreter.vocabulary.types import ANY, NONE, NUMBER, TRUTH, Type

from . import typed as t
from .cases import Cases, case_label
from .construct import coerced, op
from .definitions import cited
from .dice_names import DiceNames
from .environment import Environment
from .expected_types import sums
from .expressions import Expressions
from .frame import Action, Clauses, Frame, Steps, declare_unread
from .scope import Lines, Scope
from .sheets import History, address_part
from .symbols import Kind, LineInfo, RowDef, Table, Where
from .weaving import Weaving

_COUNTED = ("number", "figures", "things", "dice", "faces")

Given = dict[str, dict[str, t.Variable]]  # name → address in each branch → its variable


def share(
    env: Environment, lines: Lines, parent: str, branches: Sequence[str], steps: Iterable[t.Step]
) -> list[t.Step]:
    """Return the steps of the branches below `parent`, extended to set the names that they share; add these names to
    `lines`.
    """
    copies: dict[t.Variable, list[t.Variable]] = {}

    def join(address: str, given: Known[str, t.Variable]) -> bool:
        type_ = _common_type(env.dice, list(given.values()))
        if type_ is None:
            return False
        one = t.Variable(f"{address.removeprefix(parent)}?one", type_)
        if type_.name == "dice":
            env.dice.copy(one, next(iter(given.values())))
        for line in given.values():
            copies.setdefault(line, []).append(one)
        lines.add(address, one)
        lines.shared[address] = tuple(given)
        if givers := frozenset[Source]().union(*(lines.givers.get(a, ()) for a in given)):
            lines.givers[address] = givers
        return True

    for name, given in _names_in_branches(lines, parent, branches).items():
        address = parent + name
        if len(given) < 2 or (address in lines.by_address and address not in {*given, *lines.shared}):
            continue
        if address in lines.shared:  # an earlier set of branches already shares the name, so it would be ambiguous
            for each in (address, *lines.narrower.pop(address, ())):
                del lines.shared[each], lines.by_address[each]
            continue
        narrower = []
        for file, some in _visible_subsets(env.book.history, lines, given).items():
            part = f"{parent}{address_part(file)}.{name}"
            if part not in lines.by_address and join(part, some):
                narrower.append(part)
        if join(address, given):
            lines.narrower[address] = tuple(narrower)
            lines.shared[address] += tuple(narrower)
    return list(_with_copies(tuple(steps), copies)) if copies else list(steps)


def _visible_subsets(history: History, lines: Lines, given: Known[str, t.Variable]) -> Given:
    """For each file in which several but not all of these lines are visible, by its name: the visible lines. Of files
    that see the same lines, only the lowest is listed.
    """
    found: Given = {}
    for source, sheet in history.files.items():
        some: dict[str, t.Variable] = {}
        for address in given:
            for each in (address, *lines.narrower.get(address, ())):
                if history.sees(source, lines.givers.get(each, ())):
                    some[each] = lines.by_address[each]
                    break
        if len(some) > 1 and some.keys() != given.keys() and some not in found.values():
            found[sheet.name] = some
    return found


def _names_in_branches(lines: Lines, parent: str, branches: Sequence[str]) -> Given:
    """For each name inside the branches, the address and variable of each branch that defines it."""
    found: Given = {}
    narrower = {a for several in lines.narrower.values() for a in several}
    for branch in branches:
        mine: dict[str, str] = {}
        for address, variable in lines.by_address.items():
            if variable.type.name in ("block", "any") or address in lines.brought or address in narrower:
                continue
            if address == branch:
                mine[address.removeprefix(parent)] = address
            elif address.startswith(branch + "."):
                mine.setdefault(address.removeprefix(branch + "."), address)
        for name, address in mine.items():
            found.setdefault(name, {})[address] = lines.by_address[address]
    return found


def _common_type(dice: DiceNames, several: list[t.Variable]) -> Type | None:
    """The type that all the variables can be converted to, or None."""
    types = [v.type for v in several]
    first = types[0]
    if all(type_ == first for type_ in types):
        return NUMBER if first.name == "dice" and dice.differ(several) else first
    if {type_.name for type_ in types} <= {*_COUNTED}:
        return NUMBER
    sorts = {type_.name for type_ in types}
    if all(isinstance(type_.of, Kind) for type_ in types) and (
        len(sorts) == 1 or sorts in ({"figure", "figures"}, {"thing", "things"})
    ):
        kinds = [k for k in first.of.lineage() if all(type_.of.is_a(k) for type_ in types)]
        return Type(max(sorts), kinds[0]) if kinds else None  # the plural type sorts last and includes both
    return None


def _converted(e: t.Expr, type_: Type) -> t.Expr:
    """Convert an expression to the common type of the branches."""
    if type_.many and e.type.name in ("figure", "thing"):
        return t.Op("only", (e,), type=type_)
    return coerced(e, type_)


def _with_copies(steps: tuple[t.Step, ...], copies: Known[t.Variable, Sequence[t.Variable]]) -> tuple[t.Step, ...]:
    """The steps, with a copy after each assignment to a key of `copies`; the total of a loop is copied after the loop.
    """
    made: list[t.Step] = []
    for step in steps:
        done: list[t.Variable] = []
        match step:
            case t.Assign(variable=variable) | t.New(variable=variable):
                done = [variable]
                made.append(step)
            case t.If(then=then, other=other):
                made.append(replace(step, then=_with_copies(then, copies), other=_with_copies(other, copies)))
            case t.ForEach(body=body) | t.Repeat(body=body) | t.RepeatUntil(body=body):
                done = [each.total for each in body if isinstance(each, t.Accumulate)]
                made.append(replace(step, body=_with_copies(body, copies)))
            case t.Together(body=body):
                made.append(replace(step, body=_with_copies(body, copies)))
            case _:
                made.append(step)
        for line in done:
            for one in copies.get(line, ()):
                value = _converted(t.Var(line, type=line.type), one.type)
                made.append(t.Assign(one, value, line=step.line))
    return tuple(made)


Sentence = Callable[[Scalar, str, LineInfo, Scope, t.Variable | None], tuple[Steps, t.Variable | None]]


class Forks:
    """Checks lines that branch. `clauses`, `sentence` and `action` check the body of a case."""

    def __init__(
        self,
        frame: Frame,
        expressions: Expressions,
        weaving: Weaving,
        clauses: Clauses,
        sentence: Sentence,
        action: Action,
    ) -> None:
        self.frame, self.expressions, self.env = frame, expressions, expressions.env
        self.problems, self.expect, self.definitions = self.env.problems, expressions.expect, expressions.definitions
        self.weaving, self._clauses, self._sentence, self._action = weaving, clauses, sentence, action

    def by(self, clause: n.By, entry: Entry, ids: str, address: str, info: LineInfo, scope: Scope) -> Steps:
        line = value = self.expect.expr(clause.value, entry.key, scope, NUMBER if sums(clause.value) else None)
        if value.type.name == "rows":
            self.expect.wrong(
                value, entry.key, clause.value, f"one row of {value.type.of.name}", "name what holds the row"
            )
            value = t.Lit(0, type=ANY)
        elif value.type.many or value.type.name == "dice":
            value = self.expect.as_number(value, entry.key, clause.value)
        if not isinstance(entry.value, Mapping):
            self.problems.add("K005", entry.value.span, label="cases are wanted here, one a line")
            return declare_unread(address, scope)
        asked = t.Variable(f"{address} by", value.type)
        shared = t.Variable(address, NONE)
        var = t.Var(asked, type=value.type)
        chain: list[tuple[t.Expr, Steps, LineInfo]] = []
        cases = Cases(value, self.problems, self.env.dice, self.expressions.unknown)
        labels: list[str] = []
        for case_entry in entry.value:
            key = self.env.sentences.read(case_entry.key, "case_key", n.CaseKey)
            if key is None:
                cases.mark_incomplete()
                continue
            self.env.note(case_entry.key, key.cites, ids)
            condition = cases.condition(key, case_entry.key, var)
            label = key.name.text if key.name else case_label(key)
            labels.append(label)
            inner = self.frame.info(
                f"{address}.{label}", Where(case_entry.key, key.start, key.end), cited(key.cites, ids)
            )
            steps = self.case_body(key, case_entry, ids, f"{address}.{label}", inner, scope, shared)
            chain.append((condition, [t.Case(key.name.text if key.name else "", line=inner), *steps], inner))
        cases.check(entry.key, clause, entry.value)
        if chain:
            condition, body, inner = chain[0]
            covered = cases.covered(var, info, lambda: self.expressions.names.ran(line, scope))
            if not isinstance(covered, t.Lit):
                chain[0] = op("and", (covered, condition), TRUTH), body, inner
        self.definitions.found.forks[asked] = cases
        steps = [t.Assign(asked, value, line=info), *_choose_first(chain)]
        if scope.lines is None:
            return steps
        if shared.type != NONE:
            scope.lines.add(address, shared)
        else:
            steps = [t.Done(scope.lines.deed_variable(address), line=info), *steps]
        return share(self.env, scope.lines, f"{address}.", [f"{address}.{name}" for name in labels], steps)

    def case_body(
        self, key: n.CaseKey, entry: Entry, ids: str, address: str, info: LineInfo, scope: Scope, shared: t.Variable
    ) -> Steps:
        def inside(s: Scope) -> Steps:
            if isinstance(entry.value, Scalar) and entry.value.text:
                node = self.env.sentences.read(entry.value, "line", n.Line)
                if node is not None:
                    self.env.note(entry.value, node.cites, ids)
                    more = cited(node.cites, ids)
                    where = Where(entry.value, 0, len(entry.value.text))
                    return self._sentence(
                        entry.value, address, self.frame.info(address, where, info.cites + more), s, shared
                    )[0]
                return []
            return self._clauses([], entry, ids, address, info, s)

        clauses = list(key.clauses)
        if not clauses:
            return inside(scope)
        first = clauses[0]
        if len(clauses) == 1 and isinstance(first, n.If):
            condition = self.expect.truth(first.condition, entry.key, scope)
            return [t.If(condition, tuple(inside(scope)), (), line=info)]
        return self._clauses(clauses, entry, ids, address, info, scope)

    def picks_one(
        self, clause: n.PicksOne, entry: Entry, ids: str, address: str, info: LineInfo, scope: Scope
    ) -> Steps:
        who = self.expressions.questions.chooser(clause.who, entry.key, scope)
        if not isinstance(entry.value, Mapping):
            self.problems.add("P012", entry.value.span, label="options are wanted here, one a line")
            return declare_unread(address, scope)
        table = Table(address, info.where)
        options: list[tuple[Entry, n.LineKey, LineInfo]] = []
        open_if: list[t.Expr] = []
        for option in entry.value:
            key = self.env.sentences.read(option.key, "line_key", n.LineKey)
            if key is None:
                continue
            name = key.name.text
            self.env.note(option.key, key.cites, ids)
            where = Where(option.key, key.name.start, key.name.end)
            cites = cited(key.cites, ids)
            if isinstance(option.value, Scalar) and option.value.text:
                read = self.env.sentences.read(option.value, "line", n.Line)
                if read is not None:
                    self.env.note(option.value, read.cites, ids)
                    cites += cited(read.cites, ids)
                where = Where(option.value, 0, len(option.value.text))
            table.rows[name] = RowDef(name, where, len(table.rows))
            options.append((option, key, self.frame.info(f"{address}.{name}", where, cites)))
            first = key.clauses[0] if key.clauses else None
            open_if.append(
                self.expect.truth(first.condition, option.key, Scope(scope, pure=True))
                if isinstance(first, n.If)
                else t.Lit(True, type=TRUTH)
            )
        type_ = Type("row", table)
        items = op("options", tuple(open_if), Type("rows", table))
        it = t.Variable("it", type_)
        order = []
        for pref in clause.usually:
            word = pref.parts[0].name if isinstance(pref, n.Path) else ""
            if word in table.rows:
                wished = t.Lit(table.rows[word].index, type=type_)
                order.append(op("same", (t.Var(it, type=type_), wished), TRUTH))
            else:
                said = word or entry.key.text[pref.start : pref.end]
                self.expressions.unknown.tell(said, entry.key, n.Name(pref.start, pref.end, said), "option", table.rows)
        one = t.Lit(1, type=NUMBER)
        choose = t.Choose(who, one, one, items, it, None, None, tuple(order), True, type=type_)
        picked = t.Variable(address, type_)
        if scope.lines is not None:
            scope.lines.add(address, picked)
        steps: Steps = [t.Assign(picked, choose, line=info)]
        for (option, key, inner), row in zip(options, table.rows.values(), strict=True):
            clauses = [c for i, c in enumerate(key.clauses) if not (i == 0 and isinstance(c, n.If))]
            body = self._clauses(clauses, option, ids, f"{address}.{key.name.text}", inner, scope)
            is_it = op("same", (t.Var(picked, type=type_), t.Lit(row.index, type=type_)), TRUTH)
            steps.append(t.If(is_it, tuple(body), (), line=inner))
        if scope.lines is None:
            return steps
        return share(self.env, scope.lines, f"{address}.", [f"{address}.{name}" for name in table.rows], steps)

    def outcomes(self) -> Steps:
        """Return the steps of an outcome table: the first row from the face downwards that is not barred."""
        table = self.frame.symbol.table
        assert table is not None and self.frame.symbol.by is not None
        own = self.frame.info("", self.frame.symbol.where, self.frame.symbol.cites)
        key_scalar = self.frame.symbol.scalar
        value = self.expect.number(self.frame.symbol.by, key_scalar, self.frame.scope)
        face, row = t.Variable("by", NUMBER), t.Variable("row", Type("row", table))
        done, passed = t.Variable("done", TRUTH), t.Variable("passed on", TRUTH)
        assert self.frame.scope.lines is not None
        self.frame.scope.lines.add("row", row)
        self.frame.scope.lines.rows.update(table.rows)
        steps: Steps = [t.Assign(face, value, line=own), t.Assign(row, t.Lit(-1, type=row.type), line=own)]
        cases = Cases(value, self.problems, self.env.dice, self.expressions.unknown)
        labels: list[str] = []
        can_pass = False
        for entry, ids in self.frame.definition.entries:
            key = self.env.sentences.read(entry.key, "case_key", n.CaseKey)
            if key is None:
                cases.mark_incomplete()
                continue
            self.env.note(entry.key, key.cites, ids)
            label = key.name.text if key.name else case_label(key)
            labels.append(label)
            info = self.frame.info(label, Where(entry.key, key.start, key.end), cited(key.cites, ids))
            known = len(cases.stretches)
            here = cases.condition(key, entry.key, t.Var(face, type=NUMBER))
            if can_pass:
                cases.pass_on_to(known)
            reached = op("or", (t.Var(passed, type=TRUTH), here), TRUTH)
            lit = t.Lit(table.rows[label].index if label in table.rows else -1, type=row.type)
            conditions: list[t.Expr] = []
            if self.frame.symbol.barred is not None:
                inner = Scope(self.frame.scope, {"row": lit}, pure=True)
                conditions.append(self.expect.truth(self.frame.symbol.barred, key_scalar, inner))
            clauses = list(key.clauses)
            if clauses and isinstance(clauses[0], n.If):
                conditions.append(self.expect.truth(clauses.pop(0).condition, entry.key, self.frame.scope))  # type: ignore[union-attr]
            can_pass = can_pass or bool(conditions)
            allowed: t.Expr = t.Lit(True, type=TRUTH)
            for condition in conditions:
                allowed = op("and", (allowed, condition), TRUTH, condition.where)
            body: Steps = [
                t.Assign(done, t.Lit(True, type=TRUTH), line=info),
                t.Assign(row, lit, line=info),
                *(
                    self._clauses(clauses, entry, ids, label, info, self.frame.scope)
                    if clauses
                    else self.outcome_body(entry, ids, label, info)
                ),
                *self.weaving.hook_steps("after", label, self.frame.scope, info),
            ]
            on = [t.Assign(passed, t.Lit(True, type=TRUTH), line=info)]
            turn = t.If(allowed, tuple(body), tuple(on), line=info)
            open_ = op("and", (op("not", (t.Var(done, type=TRUTH),), TRUTH), reached), TRUTH)
            steps.append(t.If(open_, (turn,), (), line=info))
        self.definitions.found.forks[face] = cases
        covered = cases.covered(t.Var(face, type=NUMBER), own)
        if not isinstance(covered, t.Lit):
            steps.insert(1, t.Assign(passed, op("not", (covered,), TRUTH), line=own))
        die = self.frame.definition.title.by
        cases.check(key_scalar, die, self.frame.definition.body)
        return share(self.env, self.frame.scope.lines, "", labels, steps)

    def outcome_body(self, entry: Entry, ids: str, label: str, info: LineInfo) -> Steps:
        if isinstance(entry.value, Scalar) and entry.value.text:
            node = self.env.sentences.read(entry.value, "line", n.Line)
            if node is not None:
                self.env.note(entry.value, node.cites, ids)
                where = Where(entry.value, 0, len(entry.value.text))
                more = self.frame.info(label, where, info.cites + cited(node.cites, ids))
                steps, value = self._action(node.action, entry.value, more, self.frame.scope)
                if value is not None:
                    variable = t.Variable(label, value.type)
                    assert self.frame.scope.lines is not None
                    self.frame.scope.lines.add(label, variable)
                    return [*steps, t.Assign(variable, value, line=more)]
                assert self.frame.scope.lines is not None
                return [t.Done(self.frame.scope.lines.deed_variable(label), line=more), *steps]
            return []
        return self._clauses([], entry, ids, label, info, self.frame.scope)


def _choose_first(chain: list[tuple[t.Expr, Steps, LineInfo]]) -> Steps:
    rest: Steps = []
    for condition, steps, info in reversed(chain):
        rest = [t.If(condition, tuple(steps), tuple(rest), line=info)]
    return rest
