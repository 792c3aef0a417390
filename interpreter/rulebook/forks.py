"""Checks lines that branch: `by` with cases, `picks one` with options, and outcome tables with barred rows.

Enters: keys with their cases. Leaves: nested conditional steps.
"""

from __future__ import annotations

from collections.abc import Callable

from interpreter.document.nodes import Entry, Mapping, Scalar
from interpreter.language import nodes as n
from interpreter.vocabulary.types import ANY, NONE, NUMBER, TRUTH, Type

from . import typed as t
from .branches import share
from .cases import Cases, case_label
from .construct import op
from .definitions import cited
from .expected_types import sums
from .expressions import Expressions
from .frame import Action, Clauses, Frame, Steps, declare_unread
from .scope import Scope
from .symbols import LineInfo, RowDef, Table, Where
from .weaving import Weaving

Sentence = Callable[[Scalar, str, LineInfo, Scope, t.Variable | None], tuple[Steps, t.Variable | None]]


class Forks:
    """`clauses`, `sentence` and `action` check the body of a case."""

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
        value = self.expect.expr(clause.value, entry.key, scope, NUMBER if sums(clause.value) else None)
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
        for wish in clause.usually:
            word = wish.parts[0].name if isinstance(wish, n.Path) else ""
            if word in table.rows:
                wished = t.Lit(table.rows[word].index, type=type_)
                order.append(op("same", (t.Var(it, type=type_), wished), TRUTH))
            else:
                said = word or entry.key.text[wish.start : wish.end]
                self.expressions.unknown.tell(said, entry.key, n.Name(wish.start, wish.end, said), "option", table.rows)
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
        """The steps of an outcome table: the first row from the face downwards that is not barred."""
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
        for entry, ids in self.frame.definition.entries:
            key = self.env.sentences.read(entry.key, "case_key", n.CaseKey)
            if key is None:
                cases.mark_incomplete()
                continue
            self.env.note(entry.key, key.cites, ids)
            label = key.name.text if key.name else case_label(key)
            labels.append(label)
            info = self.frame.info(label, Where(entry.key, key.start, key.end), cited(key.cites, ids))
            here = cases.condition(key, entry.key, t.Var(face, type=NUMBER))
            reached = op("or", (t.Var(passed, type=TRUTH), here), TRUTH)
            lit = t.Lit(table.rows[label].index if label in table.rows else -1, type=row.type)
            conditions: list[t.Expr] = []
            if self.frame.symbol.barred is not None:
                inner = Scope(self.frame.scope, {"row": lit}, pure=True)
                conditions.append(self.expect.truth(self.frame.symbol.barred, key_scalar, inner))
            clauses = list(key.clauses)
            if clauses and isinstance(clauses[0], n.If):
                conditions.append(self.expect.truth(clauses.pop(0).condition, entry.key, self.frame.scope))  # type: ignore[union-attr]
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
