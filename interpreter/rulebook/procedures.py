"""Lines of procedures → typed steps, with the rules and ends of marks that take hold of them woven in.

Enters: a declared procedure or outcome table. Leaves: its `Checked` steps, kept on the symbol. Loops keep a total of
each of their lines. Knows nothing of dice being thrown.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from interpreter.document import Entry, Mapping, Scalar
from interpreter.language import nodes as n
from interpreter.vocabulary.types import ANY, INCHES, NONE, NUMBER, TRUTH, Type

from . import typed as t
from .cases import Cases, case_label
from .construct import absent, fill, item_type, op
from .declare import Book, plural
from .definitions import cited
from .moments import Moments
from .pure import PureChecker
from .scope import Lines, Scope
from .sentences import Sentences
from .symbols import Attribute, Hook, Kind, LineInfo, Procedure, RowDef, RuleDef, Table, Where

Steps = list[t.Step]


class ProcedureChecker(PureChecker):
    def __init__(self, book: Book, sentences: Sentences) -> None:
        super().__init__(book, sentences, sentences.problems)
        self.moments = Moments(book)
        self.lines: dict[int, Lines] = {}
        self._checked: dict[Procedure, t.Checked] = {}

    # ---- a whole procedure
    def lines_of(self, procedure: Procedure) -> Lines:
        self.procedure(procedure)
        return self.lines.get(id(procedure)) or Lines()

    def procedure(self, symbol: Procedure) -> t.Checked:
        if symbol in self._checked:
            return self._checked[symbol]
        if symbol in self._working:  # a call in a circle: its lines so far are known
            return t.Checked((), (), {})
        self._working.add(symbol)
        names: dict[str, t.Expr] = {}
        params = []
        for p in symbol.params:
            variable = t.Variable(p.name, p.type)
            params.append(variable)
            names[p.name] = t.Var(variable, type=p.type)
        lines = self.lines[id(symbol)] = Lines()
        card = names[symbol.params[0].name] if symbol.params and symbol.subject else None
        scope = Scope(None, names, lines, card, symbol.params[0].name if symbol.params else "", pure=False)
        work = _Work(self, symbol, scope)
        steps = work.whole()
        made = dict(lines.by_address)
        # A counted thing that was handed over comes back as it became: the caller's name for it follows.
        made.update({returned(v.name): v for v in params if v.type.name == "figure"})
        self._working.discard(symbol)
        return self.keep(symbol, t.Checked(tuple(params), tuple(steps), made))

    def keep(self, symbol: Procedure, checked: t.Checked) -> t.Checked:
        self._checked[symbol] = checked
        return checked

    def limit_of(self, mark: Attribute, limit: n.Limit, kind: Kind) -> tuple[t.Expr, t.Variable] | None:
        """How many may have a mark: an expression, and the variable that stands for whose they are."""
        hook = self.book.owners[id(mark)].text
        if hook is None:
            return None
        subject = t.Variable(limit.per.text, Type("thing", kind))
        card = t.Var(subject, type=subject.type)
        scope = Scope(None, {limit.per.text: card}, card=card, card_name=limit.per.text)
        return self.number(limit.count, hook, scope), subject

    def verb(self, word: str) -> Procedure | None:
        for procedure in self.book.procedures.values():
            if procedure.table is None and word in verb_forms(procedure.name):
                return procedure
        return None


def returned(name: str) -> str:
    """The hidden line in which a counted thing comes back to the caller."""
    return f"{name}?"


def verb_forms(name: str) -> tuple[str, ...]:
    """`fire` → fire, fires; `try` → tries; `go-home` → goes-home."""
    head, dash, rest = name.partition("-")
    return name, third_person(head) + dash + rest


def third_person(verb: str) -> str:
    if verb.endswith(("s", "x", "z", "ch", "sh", "o")):
        return verb + "es"
    return plural(verb)


class _Work:
    """The check of one procedure."""

    def __init__(self, checker: ProcedureChecker, symbol: Procedure, scope: Scope) -> None:
        self.c = checker
        self.symbol = symbol
        self.scope = scope
        self.problems = checker.problems
        self.definition = checker.book.owners[id(symbol)]
        self.weaving: list[RuleDef] = []  # rules whose lines are being woven in, outermost first

    def info(self, address: str, where: Where, cites: tuple[str, ...]) -> LineInfo:
        return self.c.line_info(f"{self.symbol.name}.{address}" if address else self.symbol.name, where, cites)

    def whole(self) -> Steps:
        own = self.info("", self.symbol.where, self.symbol.cites)
        before = self.hooked("before", "", self.scope, own)
        instead = self.c.moments.at(self.symbol.name, "instead of")
        if self.symbol.table is not None:
            body = self.outcomes()
        elif self.definition.text is not None:
            body = self.line_body(self.definition.text, self.symbol.name, own, self.scope)[0]
        else:
            body = self.block(self.definition.entries, self.scope, "")
            if not self.definition.entries:
                self.problems.add("P001", self.symbol.where.span, name=self.symbol.name, label="it has no lines")
        for hook in reversed(instead):
            body = self.instead(hook, body, own)
        return [*before, *body, *self.hooked("after", "", self.scope, own)]

    # ---- blocks and lines
    def block(self, entries: list[tuple[Entry, str]], scope: Scope, prefix: str) -> Steps:
        steps: Steps = []
        read: list[tuple[Entry, str, n.LineKey]] = []
        for entry, ids in entries:
            key = self.c.sentences.read(entry.key, "line_key", n.LineKey)
            if key is not None:
                read.append((entry, ids, key))
            else:
                self._hole(entry, scope, prefix)
        ran: t.Variable | None = None
        for index, (entry, ids, key) in enumerate(read):
            follower = read[index + 1][2] if index + 1 < len(read) else None
            chained = follower is not None and bool(follower.clauses) and isinstance(follower.clauses[0], n.Otherwise)
            above = read[index - 1][2].clauses if index else ()
            governed = bool(above) and isinstance(above[0], n.If | n.Otherwise | n.ForEach)
            if key.clauses and isinstance(key.clauses[0], n.Otherwise) and (ran is None or not governed):
                clause = key.clauses[0]
                self.problems.add("P008", entry.key.at(clause.start, clause.end), label="otherwise than what?",
                                  hint="the line before it needs an `if`")  # fmt: skip
            made, ran = self.line(entry, ids, key, scope, prefix, ran, chained)
            steps += made
        return steps

    def _hole(self, entry: Entry, scope: Scope, prefix: str) -> None:
        """A line whose key cannot be read still has a name, so that one mistake is told once."""
        word = entry.key.text.split(",")[0].split(" ")[0]
        if word and scope.lines is not None:
            scope.lines.add(prefix + word, t.Variable(word, ANY))

    def line(
        self, entry: Entry, ids: str, key: n.LineKey, scope: Scope, prefix: str, ran: t.Variable | None, chained: bool
    ) -> tuple[Steps, t.Variable | None]:
        address = prefix + key.name.text
        cites = cited(key.cites, ids)
        self.c.note(entry.key, key.cites, ids)
        where = Where(entry.key, key.name.start, key.name.end)
        if isinstance(entry.value, Scalar):
            text = Where(entry.value, 0, len(entry.value.text))
            found = self.c.sentences.read(entry.value, "line", n.Line) if entry.value.text else None
            cites += cited(found.cites, ids) if found else ()
            if found:
                self.c.note(entry.value, found.cites, ids)
            where = text if entry.value.text else where
        info = self.info(address, where, cites)
        self._shadowing(key, entry, scope, address)
        clauses = list(key.clauses)
        together = any(isinstance(c, n.Together) for c in clauses)
        clauses = [c for c in clauses if not isinstance(c, n.Together)]
        flag: t.Variable | None = None
        outer: list[t.Expr] = []
        if clauses and isinstance(clauses[0], n.Otherwise):
            clauses.pop(0)
            if ran is not None:
                outer.append(op("not", (t.Var(ran, type=TRUTH),), TRUTH))
        if clauses and isinstance(clauses[0], n.If) and (chained or outer):
            clause = clauses.pop(0)
            assert isinstance(clause, n.If)
            outer.append(self.c.truth(clause.condition, entry.key, scope))
        steps: Steps = []
        if chained or len(outer) > 0:
            flag = t.Variable(f"{address}?", TRUTH)
            condition = outer[0] if outer else t.Lit(True, type=TRUTH)
            for more in outer[1:]:
                condition = op("and", (condition, more), TRUTH)
            steps.append(t.Assign(flag, condition, line=info))
        body = self.clauses(clauses, entry, ids, address, info, scope)
        if together:
            body = [t.Together(tuple(body), line=info)]
        if flag is not None:
            body = [t.If(t.Var(flag, type=TRUTH), tuple(body), (), line=info)]
        steps += body
        after: t.Variable | None = None
        if chained and flag is not None:
            after = flag
            if ran is not None and len(outer) > 0 and isinstance(key.clauses[0], n.Otherwise):
                after = t.Variable(f"{address}??", TRUTH)
                either = op("or", (t.Var(ran, type=TRUTH), t.Var(flag, type=TRUTH)), TRUTH)
                steps.append(t.Assign(after, either, line=info))
        before = self.hooked("before", address, scope, info)
        return [*before, *steps, *self.hooked("after", address, scope, info)], after

    def _shadowing(self, key: n.LineKey, entry: Entry, scope: Scope, address: str) -> None:
        name = key.name.text
        span = entry.key.at(key.name.start, key.name.end)
        if scope.name(name) is not None:
            self.problems.add("N004", span, name=name, label="this name is taken by a parameter or a loop")
        elif scope.lines is not None and address in scope.lines.seen:
            self.problems.add("N003", span, name=name, label="said again here")
        if scope.lines is not None:
            scope.lines.seen.add(address)

    def clauses(
        self, clauses: list[n.Clause], entry: Entry, ids: str, address: str, info: LineInfo, scope: Scope
    ) -> Steps:
        if not clauses:
            return self.body(entry, ids, address, info, scope)
        clause, rest = clauses[0], clauses[1:]
        at = entry.key
        match clause:
            case n.If():
                condition = self.c.truth(clause.condition, at, scope)
                return [t.If(condition, tuple(self.clauses(rest, entry, ids, address, info, scope)), (), line=info)]
            case n.ForEach():
                items = self.c.collection(clause.items, at, scope)
                item = item_type(items.type) if items.type.many else ANY
                variable = t.Variable(clause.name.text, item)
                if scope.name(clause.name.text) is not None:
                    span = at.at(clause.name.start, clause.name.end)
                    self.problems.add("N004", span, name=clause.name.text, label="this name is taken")
                names: dict[str, t.Expr] = {clause.name.text: t.Var(variable, type=item)}
                return self.loop(
                    scope, names, info,
                    lambda s: self.clauses(rest, entry, ids, address, info, s),
                    lambda body: t.ForEach(variable, items, body, line=info),
                )  # fmt: skip
            case n.RepeatTimes():
                times = self.c.number(clause.times, at, scope)
                return self.loop(
                    scope, {}, info, lambda s: self.clauses(rest, entry, ids, address, info, s),
                    lambda body: t.Repeat(times, body, line=info),
                )  # fmt: skip
            case n.RepeatUntil():
                return self.until(clause, rest, entry, ids, address, info, scope)
            case n.By():
                return self.by(clause, entry, ids, address, info, scope)
            case n.PicksOne():
                return self.picks_one(clause, entry, ids, address, info, scope)
            case _:
                self.problems.add("P009", at.at(clause.start, clause.end))
                return []

    def until(
        self, clause: n.RepeatUntil, rest: list[n.Clause], entry: Entry, ids: str, address: str, info: LineInfo,
        scope: Scope,
    ) -> Steps:  # fmt: skip
        """The condition sees the totals so far: lines are added up before it is asked."""
        limit = self.c.number(clause.limit, entry.key, scope) if clause.limit is not None else None
        made: list[t.Expr] = []

        def build(body: tuple[t.Step, ...]) -> t.Step:
            made.append(self.c.truth(clause.condition, entry.key, scope))
            return t.RepeatUntil(limit, made[0], body, line=info)

        return self.loop(scope, {}, info, lambda s: self.clauses(rest, entry, ids, address, info, s), build)

    def loop(
        self, scope: Scope, names: dict[str, t.Expr], info: LineInfo, inside: Callable[[Scope], Steps],
        build: Callable[[tuple[t.Step, ...]], t.Step],
    ) -> Steps:  # fmt: skip
        inner = Scope(scope, names, Lines(), pure=False)
        body = inside(inner)
        assert inner.lines is not None
        totals: list[tuple[t.Variable, t.Variable]] = []
        for address, variable in inner.lines.by_address.items():
            total = t.Variable(variable.name, variable.type)
            if variable.type.name == "dice":
                total.type = Type("dice")
            totals.append((total, variable))
            if scope.lines is not None:
                scope.lines.add(address, total)
        fresh = tuple(v for _, v in totals)
        counted = [t.Accumulate(total, v, line=info) for total, v in totals if v.type.name not in ("any", "block")]
        step = build((t.Reset(fresh, line=info), *body, *counted))
        return [t.Reset(tuple(total for total, _ in totals), line=info), step]

    # ---- what stands right of the colon
    def body(self, entry: Entry, ids: str, address: str, info: LineInfo, scope: Scope) -> Steps:
        if isinstance(entry.value, Mapping):
            entries = [(e, ids) for e in entry.value]
            if scope.lines is not None:
                scope.lines.add(address, t.Variable(address, Type("block")))
            if not entries:
                self.problems.add("P001", entry.key.span, name=address, label="it has no lines")
            return self.block(entries, scope, address + ".")
        if not isinstance(entry.value, Scalar) or not entry.value.text:
            self.problems.add("P010", entry.key.span, label="what happens here?", hint="`nothing` says that nothing does")
            return self._unsaid(address, scope)
        return self.line_body(entry.value, address, info, scope)[0]

    def _unsaid(self, address: str, scope: Scope) -> Steps:
        """A line that says nothing still has its name."""
        if scope.lines is not None:
            scope.lines.add(address, t.Variable(address, ANY))
        return []

    def line_body(
        self, text: Scalar, address: str, info: LineInfo, scope: Scope, shared: t.Variable | None = None
    ) -> tuple[Steps, t.Variable | None]:
        """Steps of one sentence; its value goes to the variable of its address (or to `shared`)."""
        node = self.c.sentences.read(text, "line", n.Line)
        if node is None:
            if scope.lines is not None and shared is None:
                scope.lines.add(address, t.Variable(address, ANY))
            return [], None
        steps, value = self.action(node.action, text, info, scope)
        if value is None:
            return steps, None
        variable = shared if shared is not None else t.Variable(address, value.type)
        if isinstance(value, t.Throw) and isinstance(value.sides, int):
            self.c.sides[variable] = value.sides
        if shared is not None:
            if shared.type == NONE:
                shared.type = value.type
            elif shared.type != value.type:
                stand_in = t.Lit(absent(shared.type), type=shared.type)
                shared.type = self.c.unify(stand_in, value, text, node.action)
            value = fill(value, shared.type)
        elif scope.lines is not None:
            scope.lines.add(address, variable)
        return [*steps, t.Assign(variable, value, line=info)], variable

    def action(self, node: n.Node, at: Scalar, info: LineInfo, scope: Scope) -> tuple[Steps, t.Expr | None]:
        match node:
            case n.Pick():
                return [], self.c.pick(node, at, scope)
            case n.PickNumber():
                return [], self.c.pick_number(node, at, scope)
            case n.Change():
                return self.change(node, at, info, scope), None
            case n.Becomes():
                return self.becomes(node, at, info, scope), None
            case n.Leaves():
                thing = self.c.expr(node.subject, at, scope)
                if thing.type.name not in ("thing", "any"):
                    self.c.wrong(thing, at, node.subject, "one thing")
                    return [], None
                return [t.Leave(thing, line=info)], None
            case n.Moves():
                return self.moves(node, at, info, scope)
            case n.Does():
                return [], self.does(node, at, scope)
            case n.Umpire():
                return [t.Tell(node.question, None, None, None, line=info)], None
            case n.Nothing():
                return [], None
            case n.Made():
                return self.made(node, at, info, scope)
        return [], self.c.expr(node, at, scope)

    # ---- effects
    def change(self, node: n.Change, at: Scalar, info: LineInfo, scope: Scope) -> Steps:
        subject = self.c.expr(node.subject, at, scope)
        if subject.type.name == "any":
            return []
        if subject.type.name not in ("thing", "figure", "things", "figures"):
            self.c.wrong(subject, at, node.subject, "something that can have a mark")
            return []
        kind: Kind = subject.type.of
        if node.what is None:
            return self.mark(node, subject, kind, at, info, scope)
        name = node.what.text
        attribute = self.c._any_attribute(kind, name) or self.c._any_attribute(kind, plural(name))
        if attribute is None or attribute.type.name not in ("number", "inches"):
            known = [a.name for s in kind.sorts() for a in s.all_attributes() if a.type.name == "number"]
            mark = attribute is not None and attribute.type == TRUTH
            instead = f"`{name}` is a mark, which is gained once: `gains {name}`" if mark else None
            self.c._unknown(name, at, node.what, f"number on the card of a {kind.name}", known, instead)
            return []
        amount = self.c.number(node.amount, at, scope)
        return [t.AddAttr(subject, attribute, amount, 1 if node.gains else -1, line=info)]

    def mark(self, node: n.Change, subject: t.Expr, kind: Kind, at: Scalar, info: LineInfo, scope: Scope) -> Steps:
        part = node.amount.parts[0] if isinstance(node.amount, n.Path) and len(node.amount.parts) == 1 else None
        if part is not None and part.args:
            words = f"`{part.name}` takes nothing in brackets; a clause is written `[14]`"
            self.problems.add("T007", at.at(part.start, part.end), name=part.name, wanted="nothing", found="something", hint=words)
            return []
        attribute = self.c._any_attribute(kind, part.name) if part is not None else None
        if attribute is None and part is not None and (chosen := self._mark_cell(node, at, scope)) is not None:
            return self.mark_of_row(chosen, subject, kind, node.gains, info)
        if attribute is None and isinstance(node.amount, n.Path) and len(node.amount.parts) > 1:
            chosen = self._mark_cell(node, at, scope)
            if chosen is not None:
                return self.mark_of_row(chosen, subject, kind, node.gains, info)
        if attribute is None or attribute.type != TRUTH:
            known = [a.name for s in kind.sorts() for a in s.all_attributes() if a.type == TRUTH]
            if part is None:
                self.problems.add("T008", at.at(node.amount.start, node.amount.end), kind=kind.name,
                                  hint="say what: `unit gains 1 pin`")  # fmt: skip
            else:
                self.c._unknown(part.name, at, part, f"mark of a {kind.name}", known)
            return []
        return self.set_mark(subject, attribute, node.gains, info, scope)

    def _mark_cell(self, node: n.Change, at: Scalar, scope: Scope) -> t.Expr | None:
        """`unit gains action.gains`: the mark that a table's cell names."""
        if not isinstance(node.amount, n.Path):
            return None
        if len(node.amount.parts) == 1 and not any(
            self.c._on_card(card, node.amount.parts[0].name) for card, _ in scope.cards()
        ):
            if scope.name(node.amount.parts[0].name) is None:
                return None
        e = self.c.expr(node.amount, at, scope)
        return e if e.type.name in ("row", "any") else None

    def mark_of_row(self, chosen: t.Expr, subject: t.Expr, kind: Kind, gains: bool, info: LineInfo) -> Steps:
        steps: Steps = []
        if chosen.type.name == "any":
            return steps
        table: Table = chosen.type.of
        for name, row in table.rows.items():
            attribute = self.c._any_attribute(kind, name)
            if attribute is not None and attribute.type == TRUTH:
                is_it = op("same", (chosen, t.Lit(row.index, type=chosen.type)), TRUTH)
                then = self.set_mark(subject, attribute, gains, info, self.scope)
                steps.append(t.If(is_it, tuple(then), (), line=info))
        return steps

    def set_mark(self, subject: t.Expr, attribute: Attribute, gains: bool, info: LineInfo, scope: Scope) -> Steps:
        hooks = self.c.moments.of_mark(attribute) if gains else []
        steps: Steps = []
        if hooks and not isinstance(subject, t.Var):
            # Who gained it is settled first: afterwards the same words may find nobody, or others.
            kept = t.Variable(f"{attribute.name}?", subject.type)
            steps.append(t.Assign(kept, subject, line=info))
            subject = t.Var(kept, type=subject.type, where=subject.where)
        steps.append(t.SetAttr(subject, attribute, t.Lit(gains, type=TRUTH), line=info))
        if hooks:
            for hook in hooks:
                hook.used = True
                steps += self.after_mark(hook, subject, info, scope)
        return steps

    def after_mark(self, hook: Hook, subject: t.Expr, info: LineInfo, scope: Scope) -> Steps:
        """A rule for each thing that gained a mark, or whose figures did."""
        rule = hook.rule
        assert rule is not None
        of = subject.type.of
        each = self.c.book.kinds.get(rule.each.text) if rule.each else None
        if subject.type.name in ("thing", "figure"):
            things = op("only", (subject,), Type(subject.type.name + "s", of))
        else:
            things = subject
        if things.type.name == "figures" and not (each is not None and each.counted):
            things = op("holders", (things,), Type("things", of.held_in()))
        kind: Kind = things.type.of
        name = rule.each.text if rule.each else kind.name
        variable = t.Variable(name, item_type(things.type))
        card = t.Var(variable, type=variable.type)
        names = {k: v for k, v in _names(scope).items() if k != "it"}
        inner = Scope(None, {**names, name: card}, Lines(), card, name, pure=False)
        body = self.rule_body(rule, inner)
        return [t.ForEach(variable, things, tuple(body), line=info)]

    def becomes(self, node: n.Becomes, at: Scalar, info: LineInfo, scope: Scope) -> Steps:
        target = self.c.expr(node.subject, at, scope)
        if target.type.name == "any":
            self._value(node.value, at, scope, None)
            return []
        value = self._value(node.value, at, scope, target.type)
        if isinstance(target, t.Attr):
            value = self.c.fitting(value, target.type, at, node.value)
            return [t.SetAttr(target.of, target.attribute, value, line=info)]
        if isinstance(target, t.Each) and isinstance(target.value, t.Attr):
            value = self.c.fitting(value, target.value.type, at, node.value)
            return [t.SetAttr(target.items, target.value.attribute, value, line=info)]
        if isinstance(target, t.Holder):
            value = self.c.fitting(value, target.type, at, node.value)
            return [t.Rehome(target.of, value, line=info)]
        if isinstance(target, t.Each) and isinstance(target.value, t.Holder):
            value = self.c.fitting(value, target.value.type, at, node.value)
            return [t.Rehome(target.items, value, line=info)]
        if isinstance(target, t.Var):
            value = self.c.fitting(value, target.type, at, node.value)
            return [t.Assign(target.variable, value, line=info)]
        self.problems.add("P011", at.at(node.subject.start, node.subject.end), label="this is worked out, not kept")
        return []

    def _value(self, node: n.Node, at: Scalar, scope: Scope, want: Type | None) -> t.Expr:
        if isinstance(node, n.Pick):
            return self.c.pick(node, at, scope)
        if isinstance(node, n.PickNumber):
            return self.c.pick_number(node, at, scope)
        return self.c.expr(node, at, scope, want)

    def moves(self, node: n.Moves, at: Scalar, info: LineInfo, scope: Scope) -> tuple[Steps, t.Expr | None]:
        subject = self.c.expr(node.subject, at, scope)
        amount: t.Expr | None = None
        if node.amount is not None:
            amount = self.c.number(node.amount, at, scope, INCHES)
            dice = any(isinstance(x, t.Throw) for x in _walk(amount))
            if amount.type == NUMBER and not dice and not (isinstance(amount, t.Lit) and amount.value == 0):
                if not isinstance(node.amount, n.Path):
                    self.c.wrong(amount, at, node.amount, "a distance in inches", 'inches are written `6"`')
        goal = self.c.expr(node.way.goal, at, scope) if node.way and node.way.goal else None
        what = ("moves up to" if node.up_to else "moves") + (f" {node.way.kind}" if node.way else "")
        steps: Steps = []
        moving = subject.type.of if subject.type.name in ("thing", "figure", "figures") else None
        if subject.type.name == "thing":
            for hook in self.c.moments.at("move", "before"):
                steps += self.end_mark(hook, subject, moving, info, scope)
        variable = t.Variable(info.address, INCHES)
        if amount is not None:
            steps.append(t.Assign(variable, amount, line=info))
        shown = t.Var(variable, type=INCHES) if amount is not None else None
        steps.append(t.Tell(what, subject, shown, goal, line=info))
        if subject.type.name == "thing":
            for hook in self.c.moments.at("move", "after"):
                steps += self.end_mark(hook, subject, moving, info, scope)
        return steps, shown

    def does(self, node: n.Does, at: Scalar, scope: Scope) -> t.Expr | None:
        subject = self.c.expr(node.subject, at, scope)
        procedure = self.c.verb(node.verb.text)
        if procedure is None:
            known = [f for p in self.c.book.procedures.values() if p.table is None for f in verb_forms(p.name)]
            known += ["gains", "loses", "becomes", "leaves", "moves", "picks", "passes", "fails", "wishes"]
            verbs = [verb_forms(p.name)[1] for p in self.c.book.procedures.values() if p.table is None]
            said = "the procedures of this game: " + ", ".join(verbs[:12]) + (", …" if len(verbs) > 12 else "")
            self.c._unknown(node.verb.text, at, node.verb, "procedure", known, said if verbs else None)
            return t.Lit(None, type=ANY)
        given = {p.word: p.value for p in node.prepositional}
        plain = list(node.args)
        args: list[t.Expr] = []
        for index, param in enumerate(procedure.params):
            if index == 0:
                args.append(self.c.fitting(subject, param.type, at, node.subject))
            elif param.word is not None and param.word in given:
                args.append(self.c.argument(param.type, given.pop(param.word), at, scope))
            elif param.word is None and plain:
                args.append(self.c.argument(param.type, plain.pop(0), at, scope))
            else:
                self._usage(procedure, node, at)
                return t.Lit(None, type=ANY)
        if plain or given:
            self._usage(procedure, node, at)
        return t.Call(procedure, tuple(args), type=Type("record", procedure))

    def _usage(self, procedure: Procedure, node: n.Does, at: Scalar) -> None:
        words = [procedure.params[0].name, verb_forms(procedure.name)[1]]
        plain = [p.name for p in procedure.params[1:] if p.word is None]
        words += [", ".join(plain)] if plain else []
        words += [f"{p.word} {p.name}" for p in procedure.params[1:] if p.word]
        self.problems.add("T009", at.at(node.start, node.end), verb=node.verb.text, hint=f"say `{' '.join(words)}`")

    def made(self, node: n.Made, at: Scalar, info: LineInfo, scope: Scope) -> tuple[Steps, t.Expr | None]:
        kind = self.c._is_a_kind(node.kind, at)
        if kind is None:
            return [], t.Lit(-1, type=ANY)
        given: list[tuple[Attribute, t.Expr]] = []
        for g in node.given:
            attribute = kind.find(g.name)
            if attribute is None:
                name = n.Name(g.start, g.start + len(g.name), g.name)
                self.c._unknown(g.name, at, name, f"attribute of a {kind.name}", [a.name for a in kind.all_attributes()])
                continue
            value = self.c.fitting(self.c.expr(g.value, at, scope, attribute.type), attribute.type, at, g.value)
            given.append((attribute, value))
        variable = t.Variable(info.address, Type("thing", kind))
        return [t.New(variable, kind, tuple(given), line=info)], t.Var(variable, type=variable.type)

    # ---- cases and options
    def by(self, clause: n.By, entry: Entry, ids: str, address: str, info: LineInfo, scope: Scope) -> Steps:
        value = self.c.expr(clause.value, entry.key, scope)
        if value.type.name == "rows":
            self.c.wrong(value, entry.key, clause.value, f"one row of {value.type.of.name}", "name what holds the row")
            value = t.Lit(0, type=ANY)
        elif value.type.many or value.type.name == "dice":
            value = self.c.as_number(value, entry.key, clause.value)
        if not isinstance(entry.value, Mapping):
            self.problems.add("K005", entry.value.span, label="cases are wanted here, one a line")
            return self._unsaid(address, scope)
        asked = t.Variable(f"{address} by", value.type)
        shared = t.Variable(address, NONE)
        var = t.Var(asked, type=value.type)
        chain: list[tuple[t.Expr, Steps, LineInfo]] = []
        cases = Cases(self.c, value)
        for case_entry in entry.value:
            key = self.c.sentences.read(case_entry.key, "case_key", n.CaseKey)
            if key is None:
                cases.lost()
                continue
            self.c.note(case_entry.key, key.cites, ids)
            condition = cases.condition(key, case_entry.key, var)
            label = key.name.text if key.name else case_label(key)
            inner = self.info(f"{address}.{label}", Where(case_entry.key, key.start, key.end), cited(key.cites, ids))
            steps = self.case_body(key, case_entry, ids, f"{address}.{label}", inner, scope, shared)
            chain.append((condition, steps, inner))
        cases.check(entry.key, clause, entry.value)
        if shared.type != NONE and scope.lines is not None:
            scope.lines.add(address, shared)
        steps = [t.Assign(asked, value, line=info)]
        return [*steps, *_choose_first(chain)]

    def case_body(
        self, key: n.CaseKey, entry: Entry, ids: str, address: str, info: LineInfo, scope: Scope, shared: t.Variable
    ) -> Steps:
        def inside(s: Scope) -> Steps:
            if isinstance(entry.value, Scalar) and entry.value.text:
                own = None if key.name and shared.type == NONE else shared
                del own
                node = self.c.sentences.read(entry.value, "line", n.Line)
                if node is not None:
                    self.c.note(entry.value, node.cites, ids)
                    more = cited(node.cites, ids)
                    where = Where(entry.value, 0, len(entry.value.text))
                    return self.line_body(entry.value, address, self.info(address, where, info.cites + more), s, shared)[0]
                return []
            return self.body(entry, ids, address, info, s)

        clauses = list(key.clauses)
        if not clauses:
            return inside(scope)
        first = clauses[0]
        if len(clauses) == 1 and isinstance(first, n.If):
            condition = self.c.truth(first.condition, entry.key, scope)
            return [t.If(condition, tuple(inside(scope)), (), line=info)]
        return self.clauses(clauses, entry, ids, address, info, scope)

    def picks_one(
        self, clause: n.PicksOne, entry: Entry, ids: str, address: str, info: LineInfo, scope: Scope
    ) -> Steps:
        who = self.c.chooser(clause.who, entry.key, scope)
        if not isinstance(entry.value, Mapping):
            self.problems.add("P012", entry.value.span, label="options are wanted here, one a line")
            return self._unsaid(address, scope)
        table = Table(address, info.where)
        options: list[tuple[Entry, n.LineKey, LineInfo]] = []
        open_if: list[t.Expr] = []
        for option in entry.value:
            key = self.c.sentences.read(option.key, "line_key", n.LineKey)
            if key is None:
                continue
            name = key.name.text
            self.c.note(option.key, key.cites, ids)
            where = Where(option.key, key.name.start, key.name.end)
            cites = cited(key.cites, ids)
            if isinstance(option.value, Scalar) and option.value.text:
                read = self.c.sentences.read(option.value, "line", n.Line)
                if read is not None:
                    self.c.note(option.value, read.cites, ids)
                    cites += cited(read.cites, ids)
                where = Where(option.value, 0, len(option.value.text))
            table.rows[name] = RowDef(name, where, len(table.rows))
            options.append((option, key, self.info(f"{address}.{name}", where, cites)))
            first = key.clauses[0] if key.clauses else None
            open_if.append(
                self.c.truth(first.condition, option.key, Scope(scope, pure=True))
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
                self.c._unknown(said, entry.key, n.Name(wish.start, wish.end, said), "option", table.rows)
        one = t.Lit(1, type=NUMBER)
        choose = t.Choose(who, one, one, items, it, None, None, tuple(order), True, type=type_)
        picked = t.Variable(address, type_)
        if scope.lines is not None:
            scope.lines.add(address, picked)
        steps: Steps = [t.Assign(picked, choose, line=info)]
        for (option, key, inner), row in zip(options, table.rows.values(), strict=True):
            clauses = [c for i, c in enumerate(key.clauses) if not (i == 0 and isinstance(c, n.If))]
            body = self.clauses(clauses, option, ids, f"{address}.{key.name.text}", inner, scope)
            is_it = op("same", (t.Var(picked, type=type_), t.Lit(row.index, type=type_)), TRUTH)
            steps.append(t.If(is_it, tuple(body), (), line=inner))
        return steps

    def outcomes(self) -> Steps:
        """An outcome table: from the row of the face downwards, the first that is not barred."""
        table = self.symbol.table
        assert table is not None and self.symbol.by is not None
        own = self.info("", self.symbol.where, self.symbol.cites)
        key_scalar = self.symbol.scalar
        value = self.c.number(self.symbol.by, key_scalar, self.scope)
        face, row = t.Variable("by", NUMBER), t.Variable("row", Type("row", table))
        done, passed = t.Variable("done", TRUTH), t.Variable("passed on", TRUTH)
        assert self.scope.lines is not None
        self.scope.lines.add("row", row)
        steps: Steps = [t.Assign(face, value, line=own), t.Assign(row, t.Lit(-1, type=row.type), line=own)]
        cases = Cases(self.c, value)
        for entry, ids in self.definition.entries:
            key = self.c.sentences.read(entry.key, "case_key", n.CaseKey)
            if key is None:
                cases.lost()
                continue
            self.c.note(entry.key, key.cites, ids)
            label = key.name.text if key.name else case_label(key)
            info = self.info(label, Where(entry.key, key.start, key.end), cited(key.cites, ids))
            here = cases.condition(key, entry.key, t.Var(face, type=NUMBER))
            reached = op("or", (t.Var(passed, type=TRUTH), here), TRUTH)
            lit = t.Lit(table.rows[label].index if label in table.rows else -1, type=row.type)
            conditions: list[t.Expr] = []
            if self.symbol.barred is not None:
                inner = Scope(self.scope, {"row": lit}, pure=True)
                conditions.append(self.c.truth(self.symbol.barred, key_scalar, inner))
            clauses = list(key.clauses)
            if clauses and isinstance(clauses[0], n.If):
                conditions.append(self.c.truth(clauses.pop(0).condition, entry.key, self.scope))  # type: ignore[union-attr]
            allowed: t.Expr = t.Lit(True, type=TRUTH)
            for condition in conditions:
                allowed = op("and", (allowed, condition), TRUTH)
            body: Steps = [
                t.Assign(done, t.Lit(True, type=TRUTH), line=info),
                t.Assign(row, lit, line=info),
                *(self.clauses(clauses, entry, ids, label, info, self.scope) if clauses else self.outcome_body(entry, ids, label, info)),
                *self.hooked("after", label, self.scope, info),
            ]  # fmt: skip
            on = [t.Assign(passed, t.Lit(True, type=TRUTH), line=info)]
            turn = t.If(allowed, tuple(body), tuple(on), line=info)
            open_ = op("and", (op("not", (t.Var(done, type=TRUTH),), TRUTH), reached), TRUTH)
            steps.append(t.If(open_, (turn,), (), line=info))
        die = self.definition.title.by
        cases.check(key_scalar, die, self.definition.body)
        return steps

    def outcome_body(self, entry: Entry, ids: str, label: str, info: LineInfo) -> Steps:
        if isinstance(entry.value, Scalar) and entry.value.text:
            node = self.c.sentences.read(entry.value, "line", n.Line)
            if node is not None:
                self.c.note(entry.value, node.cites, ids)
                where = Where(entry.value, 0, len(entry.value.text))
                more = self.info(label, where, info.cites + cited(node.cites, ids))
                steps, value = self.action(node.action, entry.value, more, self.scope)
                if value is not None:
                    variable = t.Variable(label, value.type)
                    assert self.scope.lines is not None
                    self.scope.lines.add(label, variable)
                    steps = [*steps, t.Assign(variable, value, line=more)]
                return steps
            return []
        return self.body(entry, ids, label, info, self.scope)

    # ---- rules and ends of marks
    def hooked(self, when: str, address: str, scope: Scope, info: LineInfo) -> Steps:
        steps: Steps = []
        for hook in self.c.moments.at(self.symbol.name, when, address):
            if hook.mark is not None:
                steps += self.end_here(hook, scope, info)
            elif hook.rule is not None:
                steps += self.rule(hook.rule, scope, info)
        return steps

    def end_here(self, hook: Hook, scope: Scope, info: LineInfo) -> Steps:
        role = hook.moment.role
        if role is not None:
            subject = scope.name(role.text)
            if subject is None:
                known = [p.name for p in self.symbol.params]
                self.c._unknown(role.text, hook.scalar, role, f"part in {self.symbol.name}", known)
                return []
        else:
            subject = scope.name(self.symbol.params[0].name) if self.symbol.params else None
        if subject is None:
            return []
        return self.end_mark(hook, subject, subject.type.of, info, scope)

    def end_mark(self, hook: Hook, subject: t.Expr, kind: Any, info: LineInfo, scope: Scope) -> Steps:
        mark = hook.mark
        if mark is None:
            return self.rule(hook.rule, scope, info, subject) if hook.rule is not None else []
        if not isinstance(kind, Kind):
            return []
        holder = mark.kind
        where = Where(hook.scalar, hook.moment.start, hook.moment.end)
        line = self.c.line_info(f"{mark.name} ends", where, mark.cites)
        of: t.Expr
        if subject.type.name == "thing" and not holder.counted and (kind.is_a(holder) or holder.is_a(kind)):
            of = subject
        elif subject.type.name == "thing" and holder.counted and holder.held_in() is not None:
            held = holder.held_in()
            if held is None or not (kind.is_a(held) or held.is_a(kind)):
                return []
            of = t.Bag(subject, holder, type=Type("figures", holder))
        elif subject.type.name in ("figure", "figures") and holder.counted:
            of = subject
        else:
            return []
        step: t.Step = t.SetAttr(of, mark, t.Lit(False, type=TRUTH), line=line)
        if subject.type.name == "thing" and not kind.is_a(holder) and not holder.counted:
            step = t.If(t.IsKind(subject, holder, type=TRUTH), (step,), (), line=line)
        ending = mark.ending
        if ending is not None and ending.condition is not None:
            inner = Scope(None, {**_names(scope), kind.name: subject}, card=subject, card_name=kind.name)
            step = t.If(self.c.truth(ending.condition, hook.scalar, inner), (step,), (), line=line)
        return [step]

    def rule(self, rule: RuleDef, scope: Scope, info: LineInfo, actor: t.Expr | None = None) -> Steps:
        """A rule's lines, in the names of what it takes hold of; `actor` is who acts there."""
        subject = actor
        if subject is None and self.symbol.params:
            subject = scope.name(self.symbol.params[0].name)
        names = _names(scope)
        if subject is not None:
            names["actor"] = subject
        lines = scope.lines
        if rule.each is None:
            card = subject
            name = self.symbol.params[0].name if self.symbol.params else ""
            return self.rule_body(rule, Scope(scope, {"actor": subject} if subject else {}, None, None, name, pure=False))
        kind = self.c.book.kinds.get(rule.each.text)
        if kind is None:
            self.c._unknown(rule.each.text, rule.scalar, rule.each, "kind", self.c.book.kinds)
            return []
        variable = t.Variable(rule.each.text, Type("thing", kind))
        card = t.Var(variable, type=variable.type)
        items = t.All(kind, None, type=Type("things", kind))
        names[rule.each.text] = card
        outer = Scope(None, names, lines, card, rule.each.text, pure=False)
        return self.loop(
            outer, {}, info, lambda s: self.rule_body(rule, s),
            lambda body: t.ForEach(variable, items, body, line=info),
        )  # fmt: skip

    def rule_body(self, rule: RuleDef, scope: Scope) -> Steps:
        """A rule's lines, woven in here: each time they begin as if nothing had been worked out yet."""
        if rule in self.weaving:
            self.problems.add("P013", rule.where.span, name=rule.name, label="what it does sets it off again")
            return []
        self.weaving.append(rule)
        lines = scope.lines = scope.lines or Lines()
        before = set(lines.by_address)
        steps = self._rule_lines(rule, scope)
        self.weaving.pop()
        info = self.c.line_info(rule.name, rule.where, rule.cites)
        fresh = tuple(v for a, v in lines.by_address.items() if a not in before)
        return [t.Reset(fresh, line=info), *steps]

    def _rule_lines(self, rule: RuleDef, scope: Scope) -> Steps:
        definition = self.c.book.owners[id(rule)]
        info = self.c.line_info(rule.name, rule.where, rule.cites)
        saved, self.definition = self.definition, definition
        if definition.text is not None:
            node = self.c.sentences.read(definition.text, "line", n.Line)
            where = Where(definition.text, 0, len(definition.text.text))
            cites = rule.cites + (cited(node.cites, definition.prefix) if node else ())
            if node:
                self.c.note(definition.text, node.cites, definition.prefix)
            line = self.c.line_info(rule.name, where, cites)
            steps = self.line_body(definition.text, rule.name, line, scope)[0]
        else:
            steps = self.block(definition.entries, scope, f"{rule.name}.")
        self.definition = saved
        if rule.condition is not None:
            condition = self.c.truth(rule.condition, rule.scalar, scope)
            return [t.If(condition, tuple(steps), (), line=info)]
        return steps

    def instead(self, hook: Hook, body: Steps, info: LineInfo) -> Steps:
        rule = hook.rule
        if rule is None:
            return body
        made = self.rule(rule, self.scope, info)
        last = made[-1] if made else None
        if isinstance(last, t.If) and rule.condition is not None:
            return [*made[:-1], t.If(last.condition, last.then, tuple(body), line=info)]
        return made


def _names(scope: Scope) -> dict[str, t.Expr]:
    found: dict[str, t.Expr] = {}
    level: Scope | None = scope
    while level is not None:
        for name, e in level.names.items():
            found.setdefault(name, e)
        level = level.parent
    return found


def _choose_first(chain: list[tuple[t.Expr, Steps, LineInfo]]) -> Steps:
    rest: Steps = []
    for condition, steps, info in reversed(chain):
        rest = [t.If(condition, tuple(steps), tuple(rest), line=info)]
    return rest


def _walk(e: t.Expr) -> list[t.Expr]:
    found = [e]
    if isinstance(e, t.Op):
        for a in e.args:
            found += _walk(a)
    return found
