"""Checks a situation or example: its things, facts, actions and expectations.

Input: the mapping of a situation, and the checker of its rules. Output: a `Situation` with a procedure of its own,
which performs `do` and then evaluates every question, so that both engines answer them. It does not know how a state is
represented.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from interpreter.document.nodes import Mapping, Node, Scalar
from interpreter.language import nodes as n
from interpreter.source import suggest
from interpreter.vocabulary.operations import OPERATIONS
from interpreter.vocabulary.types import NUMBER, TRUTH, Type

from . import typed as t
from .addressing import Addressing
from .amounts import Amounts
from .construct import NUMERIC, unstated_value
from .definitions import Definition, unknown
from .expected_types import counted_where_hint
from .joint_tables import JointTable
from .marks_between import is_others, mark_of
from .procedures import Checker
from .reached import Reached, reached_in
from .run_conditions import RunConditions, surely_calls
from .run_flags import always_run, flag_of, with_flags
from .runs import Makers, Runs
from .scope import Lines, Scope
from .scripts import ChoiceReader, ScriptReader
from .situation import Ask, FactGiven, Situation, Thing, listed, report_unstated, texts
from .statements import Statements
from .symbols import Attribute, LineInfo, Param, Procedure, Where, within
from .table_rows import TableRows
from .thing_reader import ThingReader

_HELD = ("then", "chance", "known", "given")  # boolean questions


class SituationChecker:
    """Checks situations by the rules of a checker: `check` returns each with a procedure of its own, or None after
    reporting mistakes.
    """

    def __init__(self, checker: Checker) -> None:
        self.c = checker
        self.book = checker.book
        self.expect = checker.expressions.expect
        self.problems = checker.sentences.problems
        self.sentences = checker.sentences

    def check(
        self,
        root: Mapping,
        extra_asks: list[tuple[str, Scalar]] | None = None,
        like: Situation | None = None,
        same: Situation | None = None,
    ) -> Situation | None:
        """Return the checked situation; None after reporting mistakes.

        `like` is a situation with the same `do` and questions: with the same things, its procedure is reused. `same` is
        one with the same things and facts, which are reused.
        """
        known = self.problems.lost.copy()
        try:
            return self._checked(root, extra_asks or [], like, same)
        finally:  # names lost here must not affect other situations
            self.problems.lost.intersection_update(known)

    def _checked(
        self, root: Mapping, extra_asks: list[tuple[str, Scalar]], like: Situation | None, same: Situation | None
    ) -> Situation | None:
        before = len(self.problems)
        force = root.get("force")
        self._force = Where(force, 0, len(force.text)) if isinstance(force, Scalar) else None
        things = ThingReader(self.c).things(root) if same is None else same.things
        names = {x.name: x for x in things}
        self._tables: list[JointTable] = []
        if like is not None and _signature(like.things) == _signature(things):
            procedure, asks, one, self._tables = like.procedure, like.asks, like.one, like.tables
        else:
            procedure, asks, one = self._check_do(root, things, extra_asks)
        facts = self._facts(root.get("facts"), names, procedure) if same is None else same.facts
        trace = [(s.text, Where(s, 0, len(s.text))) for s in texts(root.get("trace"))]
        error_node = root.get("error")
        error = (
            (error_node.text, Where(error_node, 0, len(error_node.text))) if isinstance(error_node, Scalar) else None
        )
        lines = Addressing(reached_in(self.c), procedure, one)
        script = ScriptReader(self.sentences).read(root.get("dice"), lines)
        breaks = self._breaks(root.get("breaks"))
        if breaks and self._force is None:
            hint = "only a list with `force:` is held against the limits"
            self.problems.add("F016", breaks[0][1].span, wanted="`force:` and a name", hint=hint)
        choose, followed = ChoiceReader(self.book, self.sentences, names).read(root.get("choose"))
        rulings = self._rulings(root.get("rulings"))
        if len(self.problems) > before and self.problems.has_errors and error is None:
            report_unstated(root, things, facts, self.c.defaults, self.problems)
            return None
        return Situation(
            *(things, facts, procedure, asks, choose, rulings, script, root.get("dice") is not None, trace, error),
            one=one,
            followed=followed,
            force=self._force,
            breaks=breaks,
            tables=self._tables,
        )

    # ---- facts
    def _facts(self, node: Node | None, names: dict[str, Thing], done: Procedure) -> list[FactGiven]:
        found: list[FactGiven] = []
        scope = self._scope(list(names.values()))[1] if node is not None else Scope()
        scope.runs = Makers(self.c, done)
        for scalar in texts(node):
            read = self.sentences.read(scalar, "stated", n.Stated)
            for stated in read.facts if read else ():
                many = len(found)
                self._fact(stated, scalar, scope, found)
                if any(_contradicts(one, found[:many], names) for one in found[many:]):
                    span = scalar.at(stated.start, stated.end)
                    what = scalar.text[stated.path.start : stated.path.end]
                    self.problems.add("N003", span, name=what, label="it was said to be something else")
        return found

    def _fact(self, stated: n.StatedFact, at: Scalar, scope: Scope, found: list[FactGiven]) -> None:
        fact = self.expect.expr(stated.path, at, scope)
        if fact.type.name == "any":
            return
        if isinstance(fact, t.Filter) and is_others(fact):
            mark = mark_of(fact)
            hint = f"say it of a thing where it is described: `{mark.name} {mark.word} …`"
            span = at.at(stated.start, stated.end)
            self.problems.add("T018", span, mark=mark.name, label="this is on a card", hint=hint)
            return
        value: Any = not stated.negated
        if stated.value is not None:
            e = self.expect.fitting(self.expect.expr(stated.value, at, scope, fact.type), fact.type, at, stated.value)
            if e.type.name == "any":
                return
            if not isinstance(e, t.Lit):
                if isinstance(e, t.Var) and e.variable in self._variables:
                    value = e.variable.name
                else:
                    self.expect.wrong(e, at, stated.value, "a plain value")
                    return
            else:
                value = e.value
        elif fact.type != TRUTH:
            self.expect.wrong(fact, at, stated.path, "yes or no", "say `… is …`")
            return
        symbol = fact.fact if isinstance(fact, t.FactOf) else fact.attribute if isinstance(fact, t.Attr) else None
        value = unstated_value(symbol) if value is None and symbol is not None else value
        if symbol is not None and stated.value is not None and within(symbol, value) != value:
            span = at.at(stated.value.start, stated.value.end)
            self.problems.add("F010", span, found=span.text, wanted=f"{symbol.low} to {symbol.high}")
            return
        if isinstance(fact, t.FactOf):
            things: list[Any] = []
            for a in fact.args:
                if not isinstance(a, t.Var | t.Lit):
                    self.expect.wrong(a, at, stated.path, "a thing of the situation, or a plain value")
                    return
                things.append(a.variable.name if isinstance(a, t.Var) else a.value)
            found.append(FactGiven(fact.fact, tuple(things), value))
        elif isinstance(fact, t.Attr) and isinstance(fact.of, t.Var) and fact.of.variable in self._variables:
            attributes = fact.attribute.stated() if value is True else [fact.attribute]
            found += [FactGiven(attribute, (fact.of.variable.name,), value) for attribute in attributes]
        else:
            self.problems.add(
                "F016",
                at.at(stated.start, stated.end),
                wanted="a fact or an attribute of a thing",
                hint="what is made begins as the line says that makes it, `new … (…)`"
                if isinstance(fact, t.Attr)
                else "what is worked out cannot be stated",
            )

    # ---- `do` and questions
    def _check_do(
        self, root: Mapping, things: list[Thing], extra_asks: list[tuple[str, Scalar]]
    ) -> tuple[Procedure, list[Ask], Procedure | None]:
        params, scope = self._scope(things)
        procedure, work = self._procedure(root, params, scope)
        outer, self.c.definitions.found.flags = self.c.definitions.found.flags, {}
        before = len(self.problems)
        steps = tuple(self._do(root.get("do"), work, scope))
        if len(self.problems) > before and self.problems.has_errors:
            self._lose_lines()
        one = scope.record.type.of if scope.record is not None else None
        params_ = tuple(self._variables)
        self.c.definitions.keep(procedure, t.Checked(params_, steps, scope.lines.all() if scope.lines else {}))
        runs = scope.runs = Runs(self.c, Addressing(Reached(self.c), procedure, one), steps, scope)
        asks, more = self._asks(root, scope, extra_asks, self._run_conditions(runs))
        steps, kept = runs.situation_steps, self.c.procedure(procedure).lines
        flags, self.c.definitions.found.flags = self.c.definitions.found.flags, outer
        steps = with_flags(steps, flags) if flags else steps
        if any(map(_may_divide, t.parts((*steps, *more)))):
            Amounts(self.c).check_steps((*steps, *more))
        lines = scope.lines.all() if scope.lines else {}
        self.c.definitions.keep(procedure, t.Checked(params_, (*steps, *runs.steps, *more), {**lines, **kept}))
        return procedure, asks, one

    def _scope(self, things: list[Thing]) -> tuple[tuple[Param, ...], Scope]:
        names: dict[str, t.Expr] = {}
        params = []
        self._variables: list[t.Variable] = []
        for thing in things:
            type_ = Type("thing", thing.kind)
            variable = t.Variable(thing.name, type_)
            self._variables.append(variable)
            names[thing.name] = t.Var(variable, type=type_)
            params.append(Param(thing.name, type_, None, thing.where))
        card = self._sole_owner(things)
        return tuple(params), Scope(
            None,
            names,
            Lines(),
            pure=False,
            card=names[card.name] if card else None,
            card_name=card.name if card else "",
        )

    def _sole_owner(self, things: list[Thing]) -> Thing | None:
        """In a force: the one owner of everything, whose attributes need no subject; None if there are several."""
        owners = [x for x in things if any(y.kind.owner is x.kind for y in things)] if self._force is not None else []
        return owners[0] if len(owners) == 1 else None

    def _procedure(self, root: Mapping, params: tuple[Param, ...], scope: Scope) -> tuple[Procedure, Statements]:
        place = Scalar("", root.span)
        where = Where(place, 0, 0)
        procedure = Procedure("situation", where, params, place, place)
        title = n.Title(0, 0, "procedure", (n.Name(0, 0, "situation"),))
        assert scope.lines is not None
        self.c.definitions.found.lines[procedure] = scope.lines
        self._keep = procedure
        return procedure, Statements(self.c.expressions, procedure, scope, Definition(title, place, place, "", ""))

    def _do(self, node: Node | None, work: Statements, scope: Scope) -> list[t.Step]:
        if isinstance(node, Scalar) and node.text:
            info = LineInfo("do", Where(node, 0, len(node.text)), ())
            steps, variable = work.sentence(node, "do", info, scope)
            if variable is not None and variable.type.name == "record":
                scope.record = t.Var(variable, type=variable.type)
            return steps
        if isinstance(node, Mapping):
            steps = work.block([(e, "") for e in node], scope, "")
            records = [v for v in (scope.lines.by_address.values() if scope.lines else ()) if v.type.name == "record"]
            if len(records) == 1:
                scope.record = t.Var(records[0], type=records[0].type)
            return steps
        return []

    def _lose_lines(self) -> None:
        """Record all names of lines as lost: if the action is unknown, a question about any line of it is not a
        mistake.
        """
        for procedure in self.book.procedures.values():
            lines = self.c.lines_of(procedure)
            for address in (*lines.all(), *lines.all_deeds()):
                self.problems.lost |= {address, f"{procedure.name}.{address}", *address.split(".")}

    def _run_conditions(self, runs: Runs) -> RunConditions:
        """The guard for questions, with flags for lines of `do` that may not run."""
        flags = self.c.definitions.found.flags

        def flag(line: t.Variable) -> t.Variable | None:
            if line in always_run(runs.situation_steps) or line not in _assigned(runs.situation_steps):
                return flags.get(line)
            return flags.setdefault(line, flag_of(line))

        def surely(line: t.Variable) -> bool:
            return surely_calls(t.by_class(runs.situation_steps), line)

        return RunConditions(self.c.definitions, flag, surely, runs.several)

    def _asks(
        self, root: Mapping, scope: Scope, extra: list[tuple[str, Scalar]], conditions: RunConditions
    ) -> tuple[list[Ask], list[t.Step]]:
        asks: list[Ask] = []
        steps: list[t.Step] = []

        def ask(
            kind: str, scalar: Scalar, node: n.Node, expected: tuple[Fraction, Fraction] | None, text: str
        ) -> Ask | None:
            if not isinstance(node, n.Expr):
                wanted = "yes or no" if kind in _HELD else "something that can be counted"
                span = scalar.at(node.start, node.end)
                hint = "what happens is said under `do:`; here stands what comes of it, such as `hits = 2`"
                self.c.problems.add("T001", span, found="something that is done", wanted=wanted, hint=hint)
                return None
            e = self.expect.expr(node, scalar, scope)
            if e.type.name == "any":
                return None
            if isinstance(e, t.Lit) and e.type.name == "row" and kind in ("show", "table"):
                row = scalar.text[node.start : node.end]
                self.expect.wrong(e, scalar, node, "something that may come out", self._row_hint(row, e.type, scope))
                return None
            if kind in _HELD:
                if e.type != TRUTH:
                    part_text = scalar.text[node.start : node.end]
                    meant = counted_where_hint(node, scalar) or self._item_hint(part_text, e.type, True)
                    self.expect.wrong(e, scalar, node, "yes or no", meant)
                    return None
            elif e.type.name in ("figures", "things", "dice", "faces", "rows"):
                e = self.expect.as_number(e, scalar, node)
            elif e.type.name not in ("number", "inches", "truth", "row", "target"):
                of_one = self._item_hint(scalar.text[node.start : node.end], e.type)
                names = [name for name, v in scope.names.items() if v.type == e.type and name[:1].isupper()]
                if names:
                    who = f"ask who it is, `{scalar.text[node.start : node.end]} is {names[0]}`"
                    of_one = f"{who}, or {of_one.removeprefix('ask ')}" if of_one else who
                self.expect.wrong(e, scalar, node, "something that can be counted", of_one)
                return None
            address = f"ask {len(asks)}?"
            conditions.unsure.clear()
            e = conditions.test(e) if kind in _HELD else conditions.answer(e)
            alone = f"{scope.record.variable.name}." if isinstance(scope.record, t.Var) else "."
            unsure = tuple([line.removeprefix(alone) for line in conditions.unsure])
            variable = t.Variable(address, e.type)
            assert scope.lines is not None
            scope.lines.add(address, variable)
            where = Where(scalar, node.start, node.end)
            steps.append(t.Assign(variable, e, line=LineInfo(address, where, ())))
            asks.append(Ask(kind, text, where, address, e.type, expected, unsure=unsure))
            return asks[-1]

        def ask_line(kind: str, scalar: Scalar) -> Ask | None:
            node = self.sentences.read(scalar, "line", n.Line)
            return ask(kind, scalar, node.action, None, scalar.text) if node is not None else None

        for scalar in texts(root.get("then")):
            node = self.sentences.read(scalar, "line", n.Line)
            if node is not None:
                for part in _conjuncts(node.action):
                    ask("then", scalar, part, None, scalar.text[part.start : part.end])
        for scalar in texts(root.get("given")):
            ask_line("known", scalar)
        for scalar in texts(root.get("odds")):
            odds = self.sentences.read(scalar, "odds_of", n.OddsOf)
            if odds is not None:
                text = scalar.text[odds.value.start : odds.value.end]
                ask("mean" if odds.mean else "chance", scalar, odds.value, (odds.least, odds.greatest), text)
        self._tables = TableRows(self.sentences, lambda question: ask_line("table", question)).read(root.get("odds"))
        for kind, scalar in [*(("show", s) for s in texts(root.get("ask"))), *extra]:
            ask_line(kind, scalar)
        return asks, steps

    def _item_hint(self, text: str, type_: Type, test: bool = False) -> str | None:
        """A hint on how to ask about a thing, a figure or a list; None for other types."""
        if type_.name == "list" and not test:
            of = type_.of.name if isinstance(type_.of, Type) else ""
            counted = "count those that have it where they stand, as `figures where …`"
            return f"ask `sum({text})` or `max({text})` of it" if of in NUMERIC else f"ask `any {text}`, or {counted}"
        if type_.name == "record":
            lines = [
                a for a, v in self.c.lines_of(type_.of).by_address.items() if v.type.name not in ("block", "record")
            ]
            lines.sort(key=lambda line: line.count("."))
            return "name one of its lines: " + ", ".join(f"`{text}.{a}`" for a in lines[:4]) if lines else None
        if type_.name == "roll":
            return "it is thrown by a line of what is done: ask that line"
        if type_.name not in ("thing", "figure"):
            return None
        every = list(type_.of.all_attributes())
        marks = [f"{text} is {a.name}" for a in every if a.is_mark]
        numbers = [f"{text}.{a.name}" for a in every if a.type.name in ("number", "inches")]
        asked = [*[f"{x} > 0" for x in numbers], *marks] if test else [*numbers, *marks]
        return f"ask something of it, such as `{asked[0]}`" if asked else None

    def _row_hint(self, row: str, type_: Type, scope: Scope) -> str | None:
        """A hint for a bare row as a question: a comparison such as `fate is halted`."""
        lines = scope.lines.by_address if scope.lines else {}
        inner = self.c.lines_of(scope.record.type.of).by_address if scope.record is not None else {}
        candidates = [a for a, line in (*lines.items(), *inner.items()) if line.type == type_]
        for name, variable in scope.names.items():
            if variable.type.name == "thing":
                kind = variable.type.of
                candidates += [f"{name}.{a.name}" for a in kind.all_attributes() if a.type == type_]
                sorts = [s for k in kind.lineage() for b in k.bags for s in b.sorts()]
                candidates += [
                    f"{name}.{s.plural} where {a.name}" for s in sorts for a in s.all_attributes() if a.type == type_
                ]
        return f"ask whose it is, or where it comes up: `{candidates[0]} is {row}`" if candidates else None

    # ---- limits, rulings
    def _breaks(self, node: Node | None) -> list[tuple[str, Where]]:
        """The limits that a force may break; `none` for no limit."""
        found = []
        for name, where in listed(node):
            if name in self.book.limits:
                found.append((name, where))
            elif name != "none":
                unknown(self.problems, where.scalar, n.Name(where.start, where.end, name), "limit", self.book.limits)
        return found

    def _rulings(self, node: Node | None) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for entry in node if isinstance(node, Mapping) else ():
            ruling = self.book.rulings.get(entry.key.text)
            if ruling is None:
                close = self.problems.nearest(entry.key.text, self.book.rulings, entry.key.span)
                self.problems.add("F013", entry.key.span, name=entry.key.text, **suggest(entry.key.span, close[:1]))
                continue
            text = entry.value.text.strip() if isinstance(entry.value, Scalar) else ""
            plain = text.strip('+"')
            words = [w.strip('+"') for w in ruling.words]
            if plain not in words:
                hint = "yes is written 1, and no 0" if text in ("yes", "no") and {*words} == {"0", "1"} else None
                self.problems.add("F010", entry.value.span, found=text, wanted=" or ".join(ruling.words), hint=hint)
                continue
            found[ruling.name] = ruling.options[words.index(plain)]
        return found


def _contradicts(given: FactGiven, before: list[FactGiven], names: dict[str, Thing]) -> bool:
    """Whether a fact contradicts an earlier one, or the description of the thing."""
    if any(x.symbol is given.symbol and x.things == given.things and x.value != given.value for x in before):
        return True
    if not isinstance(given.symbol, Attribute) or given.things[0] not in names:
        return False
    return bool(names[given.things[0]].values.get(given.symbol, given.value) != given.value)


def _signature(things: list[Thing]) -> list[tuple[str, int]]:
    """The names and kinds of the things; equal for situations that can share a procedure."""
    return [(x.name, id(x.kind)) for x in things]


def _may_divide(part: object) -> bool:
    """Whether a step or expression divides, or passes a number that may be a fraction."""
    if isinstance(part, t.Call):
        return any(a.type == NUMBER and not isinstance(a, t.Lit) for a in part.args)
    return isinstance(part, t.Op) and OPERATIONS[part.name].fractions == "makes"


def _conjuncts(node: Any) -> list[Any]:
    if isinstance(node, n.And):
        return [*_conjuncts(node.left), *_conjuncts(node.right)]
    return [node]


def _assigned(steps: tuple[t.Step, ...]) -> set[t.Variable]:
    """The variables that some steps assign."""
    inside = t.by_class(steps)
    variables = {step.variable for step in (*inside[t.Assign], *inside[t.New], *inside[t.Done])}
    return variables | {step.total for step in inside[t.Accumulate]}
