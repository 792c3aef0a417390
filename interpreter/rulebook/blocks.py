"""Blocks of lines: keys and what governs them, loops with their totals, chains of `otherwise`.

Enters: the entries of a body. Leaves: typed steps. A line inside a loop has a total outside it.
"""

from __future__ import annotations

from collections.abc import Callable

from interpreter.document.nodes import Entry, Mapping, Scalar
from interpreter.language import nodes as n
from interpreter.source import Label
from interpreter.vocabulary.types import ANY, TRUTH, Type

from . import typed as t
from .branches import share
from .calling import of_the_table
from .chaining import Owner, otherwise_than
from .construct import item_type, op
from .deciding import Deciding
from .deeds import BLOCK
from .definitions import cited
from .landing import joined
from .scope import Lines, Scope
from .sheets import Place, place_of
from .symbols import LineInfo, Where
from .work import Steps


class Blocks(Deciding):
    def whole(self) -> Steps:
        own = self.info("", self.symbol.where, self.symbol.cites)
        before = self.hooked("before", "", self.scope, own)
        instead = self.c.env.moments.at(self.symbol.name, "instead of")
        if self.symbol.table is not None:
            body = self.outcomes()
        elif self.definition.text is not None:
            body = self.line_body(self.definition.text, self.symbol.name, self._cited(own), self.scope)[0]
        else:
            body = self.block(self.definition.entries, self.scope, "")
            if not self.definition.entries:
                self.problems.add("P001", self.symbol.where.span, name=self.symbol.name, label="it has no lines")
        for hook in reversed(instead):
            body = self.instead(hook, body, own)
        steps = [*before, *body, *self.hooked("after", "", self.scope, own)]
        self._taken()
        return steps

    def _taken(self) -> None:
        """A rule is called like a line here, so that a line of the rule and one of the page have one address."""
        lines = self.scope.lines or Lines()
        for address, line in lines.seen.items():
            rule = self.c.env.book.rules.get(address.partition(".")[0])
            if rule is not None and address in lines.brought:
                others = [Label(line.span, f"the line of {self.symbol.name}")]
                hint = f"both are `{self.symbol.name}.{address}`: give the rule or the line another name"
                self.problems.add("N003", rule.where.span, name=rule.name, hint=hint, others=others)

    def _cited(self, own: LineInfo) -> LineInfo:
        """With the clauses that stand at the end of a body of one text."""
        text, ids = self.definition.text, self.definition.prefix
        node = self.c.env.sentences.read(text, "line", n.Line) if text is not None else None
        if text is None or node is None or not node.cites:
            return own
        self.c.env.note(text, node.cites, ids)
        return self.info("", own.where, own.cites + cited(node.cites, ids))

    def block(self, entries: list[tuple[Entry, str]], scope: Scope, prefix: str) -> Steps:
        lines = scope.lines or Lines()
        outside, lines.here = lines.here, prefix
        steps = self._block(entries, scope, prefix)
        lines.here = outside
        return steps

    def _block(self, entries: list[tuple[Entry, str]], scope: Scope, prefix: str) -> Steps:
        steps: Steps = []
        read: list[tuple[Entry, str, n.LineKey]] = []
        holes: set[Place] = set()  # the lines that could not be read
        for entry, ids in entries:
            key = self.c.env.sentences.read(entry.key, "line_key", n.LineKey)
            if key is not None:
                read.append((entry, ids, key))
            else:
                holes.add(place_of(entry))
                self._hole(entry, scope, prefix)
        if scope.lines is not None:
            scope.lines.named.update([key.name.text for _, _, key in read])
        belongs = otherwise_than(read, entries, self.c.env.book.history)
        ran: dict[int, t.Variable | None] = {}
        branches: dict[int, list[str]] = {}
        begun: dict[int, int] = {}
        for index, (entry, ids, key) in enumerate(read):
            owner = belongs.get(index)
            before = ran.get(owner.index) if owner is not None and owner.index is not None else None
            if owner is not None and before is None and not holes & {*owner.places}:
                self._than_what(entry, key, owner)
            chained = any(other.index == index for other in belongs.values())
            above = owner.index if owner is not None and owner.index is not None else index
            branches[index] = [*branches.get(above, ()), prefix + key.name.text]
            begun[index] = begun.get(above, len(steps))
            made, ran[index] = self.line(entry, ids, key, scope, prefix, before, chained)
            steps += made
            if len(branches[index]) > 1 and not chained and scope.lines is not None:
                since = begun[index]
                steps[since:] = share(self.c.dice, scope.lines, prefix, branches[index], steps[since:])
        return steps

    def _than_what(self, entry: Entry, key: n.LineKey, owner: Owner) -> None:
        """Nothing governs the line that an `otherwise` belongs to, or it is no more."""
        clause, gone = key.clauses[0], owner.removed
        here = entry.key.at(clause.start, clause.end)
        if gone is None:
            hint = "the line before it needs an `if`"
            self.problems.add("P008", here, label="otherwise than what?", hint=hint)
            return
        others = [Label(here, "this is done where that line is not")]
        hint = f"remove `{key.name.text}` as well, or say it anew under `change:`"
        self.problems.add("P008", gone, label="an `otherwise` belongs to this line", hint=hint, others=others)

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
        self.c.env.note(entry.key, key.cites, ids)
        where = Where(entry.key, key.name.start, key.name.end)
        if isinstance(entry.value, Scalar):
            text = Where(entry.value, 0, len(entry.value.text))
            found = self.c.env.sentences.read(entry.value, "line", n.Line) if entry.value.text else None
            cites += cited(found.cites, ids) if found else ()
            if found:
                self.c.env.note(entry.value, found.cites, ids)
            where = text if entry.value.text else where
        info = self.info(address, where, cites)
        self._shadowing(key, entry, scope, address)
        clauses: list[n.Clause] = [c for c in key.clauses if not isinstance(c, n.Together)]
        together = len(clauses) < len(key.clauses)
        flag: t.Variable | None = None
        outer: list[t.Expr] = []
        if clauses and isinstance(clauses[0], n.Otherwise):
            clauses.pop(0)
            if ran is not None:
                outer.append(op("not", (t.Var(ran, type=TRUTH),), TRUTH))
        if clauses and isinstance(clauses[0], n.If) and (chained or outer):
            clause = clauses.pop(0)
            assert isinstance(clause, n.If)
            outer.append(self.c.expect.truth(clause.condition, entry.key, scope))
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
        if scope.name(name) is not None:
            span = entry.key.at(key.name.start, key.name.end)
            self.problems.add("N004", span, name=name, label="this name is taken by a parameter or a loop")
        elif scope.lines is not None and address in scope.lines.seen:
            span = entry.key.at(key.name.start, key.name.end)
            self.problems.add("N003", span, name=name, label="said again here")
        if scope.lines is not None:
            scope.lines.seen.setdefault(address, Where(entry.key, key.name.start, key.name.end))

    def clauses(
        self, clauses: list[n.Clause], entry: Entry, ids: str, address: str, info: LineInfo, scope: Scope
    ) -> Steps:
        if not clauses:
            return self.body(entry, ids, address, info, scope)
        clause, rest = clauses[0], clauses[1:]
        at = entry.key
        match clause:
            case n.If():
                condition = self.c.expect.truth(clause.condition, at, scope)
                return [t.If(condition, tuple(self.clauses(rest, entry, ids, address, info, scope)), (), line=info)]
            case n.ForEach():
                items = self.c.expect.collection(clause.items, at, scope)
                item = item_type(items.type) if items.type.many else ANY
                variable = t.Variable(clause.name.text, item)
                if scope.name(clause.name.text) is not None:
                    span = at.at(clause.name.start, clause.name.end)
                    self.problems.add("N004", span, name=clause.name.text, label="this name is taken")
                names: dict[str, t.Expr] = {clause.name.text: t.Var(variable, type=item)}
                before: Steps = []
                each: Steps = []
                if rest and isinstance(rest[0], n.DealsOut):
                    deal, *rest = rest
                    assert isinstance(deal, n.DealsOut)
                    items, portion, before, each = self.deal_out(deal, items, variable, address, at, info, scope)
                    names[deal.name.text] = t.Var(portion, type=portion.type)
                loop = self.loop(
                    scope,
                    names,
                    info,
                    lambda s: [*each, *self.clauses(rest, entry, ids, address, info, s)],
                    lambda body: t.ForEach(variable, items, body, line=info),
                )
                return [*before, *loop]
            case n.RepeatTimes():
                times = self.c.expect.number(clause.times, at, scope)
                return self.loop(
                    scope,
                    {},
                    info,
                    lambda s: self.clauses(rest, entry, ids, address, info, s),
                    lambda body: t.Repeat(times, body, line=info),
                )
            case n.RepeatUntil():
                return self.until(clause, rest, entry, ids, address, info, scope)
            case n.By():
                return self.by(clause, entry, ids, address, info, scope)
            case n.PicksOne():
                return self.picks_one(clause, entry, ids, address, info, scope)
            case _:
                hint = "it deals to those of a loop, behind `for each …`" if isinstance(clause, n.DealsOut) else None
                self.problems.add("P009", at.at(clause.start, clause.end), hint=hint)
                return []

    def until(
        self,
        clause: n.RepeatUntil,
        rest: list[n.Clause],
        entry: Entry,
        ids: str,
        address: str,
        info: LineInfo,
        scope: Scope,
    ) -> Steps:
        """The condition sees the totals so far: lines are added up before it is asked."""
        limit = self.c.expect.number(clause.limit, entry.key, scope) if clause.limit is not None else None
        made: list[t.Expr] = []
        before = {*scope.lines.all().values()} if scope.lines is not None else set()

        def build(body: tuple[t.Step, ...]) -> t.Step:
            made.append(self.c.expect.truth(clause.condition, entry.key, scope))
            totals = {*scope.lines.all().values()} - before if scope.lines is not None else set()
            self._endless_totals(made[0], totals, True)
            return t.RepeatUntil(limit, made[0], body, line=info)

        return self.loop(scope, {}, info, lambda s: self.clauses(rest, entry, ids, address, info, s), build)

    def _endless_totals(self, e: t.Expr, totals: set[t.Variable], some: bool) -> None:
        """A collection of a loop's rounds only grows: it may be asked whether there is any, and nothing else."""
        if isinstance(e, t.Op) and e.name in ("and", "or", "not"):
            for part in e.args:
                self._endless_totals(part, totals, some is not (e.name == "not"))
            return
        if some and isinstance(e, t.Op) and e.name == "any-of" and isinstance(e.args[0], t.Var):
            return
        for part in t.parts(e):
            if isinstance(part, t.Var) and part.variable in totals and part.where is not None:
                if part.type.many or part.type.name == "dice":
                    name = part.where.text
                    hint = f"give the round a line `settled: …` that speaks of `{name}`, and say `until settled`"
                    self.problems.add("P016", part.where.span, name=name, label="of every round so far", hint=hint)

    def loop(
        self,
        scope: Scope,
        names: dict[str, t.Expr],
        info: LineInfo,
        inside: Callable[[Scope], Steps],
        build: Callable[[tuple[t.Step, ...]], t.Step],
        by_rule: bool = False,
    ) -> Steps:
        """`by_rule`: no line of the page, but a rule that is gone through for each thing."""
        inner = Scope(scope, names, Lines(), pure=False)
        body = inside(inner)
        lines = inner.lines
        assert lines is not None
        totals: list[tuple[t.Variable, t.Variable]] = []
        theirs: set[t.Variable] = set()  # the lines of rules: these run only where a rule sets in
        after: Steps = []
        for address, variable in lines.all().items():
            total = t.Variable(variable.name, variable.type)
            if variable.type.name == "dice":
                total.type = Type("dice")
            totals.append((total, variable))
            if by_rule or address in lines.brought or address in lines.runs:
                theirs.add(total)
            else:
                self.c.definitions.found.totals.add(total)
            if scope.lines is None:
                continue
            if address in lines.joined:
                after += joined(scope.lines, address, total, info)
            elif address in lines.runs:
                scope.lines.run(address, total)
            elif address in lines.brought:
                scope.lines.bring(address, total)
            else:
                scope.lines.add(address, total)
        if scope.lines is not None:
            scope.lines.did(*lines.deeds)
            scope.lines.shared.update(lines.shared)
            scope.lines.seen.update(lines.seen)
            scope.lines.brought.update(lines.brought.intersection(lines.done))
            totals += [(scope.lines.does(address), done) for address, done in lines.done.items()]
        fresh = tuple(v for _, v in totals)
        own = info.address.removeprefix(f"{self.symbol.name}.{self.place}")  # the loop is run, also over no rounds
        theirs |= {total for total, v in totals if v.type == BLOCK and v.name != own}
        counted = [
            t.Accumulate(total, v, by_rule=total in theirs, line=info) for total, v in totals if v.type.name != "any"
        ]
        step = build((t.Reset(fresh, line=info), *body, *counted))
        return [t.Reset(tuple(total for total, _ in totals), line=info), step, *after]

    def body(self, entry: Entry, ids: str, address: str, info: LineInfo, scope: Scope) -> Steps:
        if isinstance(entry.value, Mapping):
            entries = [(e, ids) for e in entry.value]
            block = t.Variable(address, BLOCK)
            if scope.lines is not None:
                scope.lines.add(address, block)
            if not entries:
                self.problems.add("P001", entry.key.span, name=address, label="it has no lines")
            return [t.Done(block, line=info), *self.block(entries, scope, address + ".")]
        if not isinstance(entry.value, Scalar):  # a list was reported with the shape of the file
            return self._unsaid(address, scope)
        if not entry.value.text:
            self.problems.add(
                "P010", entry.key.span, label="what happens here?", hint="`nothing` says that nothing does"
            )
            return self._unsaid(address, scope)
        return self.line_body(entry.value, address, info, scope)[0]

    def action(self, node: n.Node, at: Scalar, info: LineInfo, scope: Scope) -> tuple[Steps, t.Expr | None]:
        match node:
            case n.Pick():
                return [], self.c.questions.pick(node, at, scope)
            case n.PickNumber():
                return [], self.c.questions.pick_number(node, at, scope)
            case n.Change():
                return self.change(node, at, info, scope), None
            case n.Deals():
                return self.deals(node, at, info, scope), None
            case n.Becomes():
                return self.becomes(node, at, info, scope), None
            case n.Leaves():
                thing = self.c.expr(node.subject, at, scope)
                if thing.type.name not in ("thing", "any"):
                    self.c.expect.wrong(thing, at, node.subject, "one thing")
                    return [], None
                return [t.Leave(thing, line=info)], None
            case n.Moves():
                return self.moves(node, at, info, scope)
            case n.Does():
                if span := of_the_table(node, scope):
                    return self.moment(span, node.verb.text, info, scope), None
                return [], self.does(node, at, scope)
            case n.Umpire():
                return [t.Tell(node.question, None, None, None, line=info)], None
            case n.Nothing():
                return [], None
            case n.Made():
                return self.made(node, at, info, scope)
        return [], self.c.expr(node, at, scope)
