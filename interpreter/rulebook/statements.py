"""Checks the lines of a procedure: one dispatch on the statement, one on the clauses before it.

Input: the entries of a body. Output: typed steps; the value of a sentence goes to the variable of its line. It does not
know how dice are thrown.
"""

from __future__ import annotations

from collections.abc import Sequence

from interpreter.document.nodes import Entry, Mapping, Scalar
from interpreter.language import nodes as n
from interpreter.rulebook import typed as t
from interpreter.source import Label, Span
from interpreter.source.values import Struct
from interpreter.vocabulary.types import ANY, NONE, TRUTH, Type

from .calls import Calls, table_span
from .construct import absent, coerced, item_type, op
from .dealing import Dealing
from .definitions import Definition, cited, line_name
from .effects import Effects
from .expressions import Expressions
from .forks import Forks, share
from .frame import Frame, Steps, declare_unread
from .run_conditions import BLOCK
from .scope import Lines, Scope
from .sheets import History, Place, place_of
from .symbols import Kind, LineInfo, Procedure, Where
from .weaving import Loops, Weaving, endless_totals

Read = tuple[Entry, str, n.LineKey]


class Owner(Struct):
    """The line that an `otherwise` belongs to.

    `index` is its position in the block, None if it is not there; `places` are the candidate lines; `removed` is the
    place where a patch removed it.
    """

    index: int | None
    places: tuple[Place, ...]
    removed: Span | None = None


def otherwise_owners(read: Sequence[Read], entries: Sequence[tuple[Entry, str]], history: History) -> dict[int, Owner]:
    """Return the owner of each `otherwise`, by its index in `read`.

    That is the line written before it in its own file, or, if the file has none, the line that now precedes it.
    `entries` are all lines of the block, including those that could not be parsed.
    """
    at = {place_of(entry): index for index, (entry, _, _) in enumerate(read)}
    found: dict[int, Owner] = {}
    for index, (entry, _, key) in enumerate(read):
        if not key.clauses or not isinstance(key.clauses[0], n.Otherwise):
            continue
        written = history.otherwise.get(place_of(entry))
        if written is None:
            before = [place_of(e) for e, _ in entries]
            now = before[: before.index(place_of(entry))][-1:]
        else:
            now = [*history.now(written)]
        governed = [at[place] for place in now if place in at and _governed(read[at[place]][2])]
        found[index] = Owner(governed[-1] if governed else None, tuple(now), history.gone.get(written or ("", 0)))
    return found


def _governed(key: n.LineKey) -> bool:
    """Whether a line has a condition, so that an `otherwise` may follow it."""
    return bool(key.clauses) and isinstance(key.clauses[0], n.If | n.Otherwise)


class Statements:
    """Checks the lines of one procedure; its parts share the frame."""

    def __init__(self, expressions: Expressions, symbol: Procedure, scope: Scope, definition: Definition) -> None:
        frame = Frame(expressions.definitions, symbol, scope, definition)
        self.frame, self.expressions, self.env = frame, expressions, expressions.env
        self.problems, self.expect, self.definitions = self.env.problems, expressions.expect, expressions.definitions
        self.loops = Loops(frame)
        self.calls = Calls(expressions)
        self.weaving = Weaving(frame, expressions, self.loops, self.sentence, self.block)
        self.effects = Effects(frame, expressions, self.weaving)
        self.dealing = Dealing(frame, expressions, self.effects)
        self.forks = Forks(frame, expressions, self.weaving, self.clauses, self.sentence, self.action)

    def action(self, node: n.Node, at: Scalar, info: LineInfo, scope: Scope) -> tuple[Steps, t.Expr | None]:
        """Return the steps of a sentence, and its value; None if it has none."""
        match node:
            case n.Pick():
                return [], self.expressions.questions.pick(node, at, scope)
            case n.PickNumber():
                return [], self.expressions.questions.pick_number(node, at, scope)
            case n.Change():
                return self.effects.change(node, at, info, scope), None
            case n.Deals():
                return self.dealing.deals(node, at, info, scope), None
            case n.Becomes():
                return self.effects.becomes(node, at, info, scope), None
            case n.Leaves():
                thing = self.expect.expr(node.subject, at, scope)
                if thing.type.name not in ("thing", "any"):
                    text = at.text[node.subject.start : node.subject.end]
                    self.expect.wrong(thing, at, node.subject, "one thing", _leaving_hint(thing.type, text))
                    return [], None
                return [t.Leave(thing, line=info)], None
            case n.Moves():
                return self.effects.moves(node, at, info, scope)
            case n.Does():
                if span := table_span(node, scope):
                    return self.weaving.moment(span, node.verb.text, info, scope), None
                return [], self.calls.check(node, at, scope)
            case n.Umpire():
                return [t.Tell(node.question, None, None, None, line=info)], None
            case n.Nothing():
                return [], None
            case n.Made():
                return self.effects.made(node, at, info, scope)
        return [], self.expect.no_roll(self.expect.expr(node, at, scope), at, node)

    def sentence(
        self, text: Scalar, address: str, info: LineInfo, scope: Scope, shared: t.Variable | None = None
    ) -> tuple[Steps, t.Variable | None]:
        """Return the steps of one sentence, with its value assigned to the variable of its address, or to `shared`."""
        node = self.env.sentences.read(text, "line", n.Line)
        if node is None:
            if scope.lines is not None and shared is None:
                scope.lines.add(address, t.Variable(address, ANY))
            return [], None
        steps, value = self.action(node.action, text, info, scope)
        if value is None:
            if scope.lines is None:
                return steps, None
            if shared is None:
                scope.lines.add_deeds(address)
            return [t.Done(scope.lines.deed_variable(address), line=info), *steps], None
        variable = shared if shared is not None else t.Variable(address, value.type)
        self.env.dice.keep(variable, value)
        if shared is not None:
            if shared.type == NONE:
                shared.type = value.type
            elif shared.type != value.type:
                stand_in = t.Lit(absent(shared.type), type=shared.type)
                shared.type = self.expect.unify(stand_in, value, text, node.action)
            value = coerced(value, shared.type)
        elif scope.lines is not None:
            scope.lines.add(address, variable)
        return [*steps, t.Assign(variable, value, line=info)], variable

    def clauses(
        self, clauses: list[n.Clause], entry: Entry, ids: str, address: str, info: LineInfo, scope: Scope
    ) -> Steps:
        """Return the steps of a line under its clauses, the outermost first."""
        if not clauses:
            return self.body(entry, ids, address, info, scope)
        clause, rest = clauses[0], clauses[1:]
        at = entry.key
        match clause:
            case n.If():
                condition = self.expect.truth(clause.condition, at, scope)
                return [t.If(condition, tuple(self.clauses(rest, entry, ids, address, info, scope)), (), line=info)]
            case n.ForEach():
                return self.for_each(clause, rest, entry, ids, address, info, scope)
            case n.RepeatTimes():
                times = self.expect.number(clause.times, at, scope)
                return self.loops.loop(
                    scope,
                    {},
                    info,
                    lambda s: self.clauses(rest, entry, ids, address, info, s),
                    lambda body: t.Repeat(times, body, line=info),
                )
            case n.RepeatUntil():
                return self.until(clause, rest, entry, ids, address, info, scope)
            case n.By():
                return self.forks.by(clause, entry, ids, address, info, scope)
            case n.PicksOne():
                return self.forks.picks_one(clause, entry, ids, address, info, scope)
            case _:
                hint = "it deals to those of a loop, behind `for each …`" if isinstance(clause, n.DealsOut) else None
                self.problems.add("P009", at.at(clause.start, clause.end), hint=hint)
                return []

    def for_each(
        self,
        clause: n.ForEach,
        rest: list[n.Clause],
        entry: Entry,
        ids: str,
        address: str,
        info: LineInfo,
        scope: Scope,
    ) -> Steps:
        """Return the steps of a loop over a collection, preceded by those that deal out portions."""
        at = entry.key
        items = self.expect.collection(clause.items, at, scope)
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
            items, portion, before, each = self.dealing.deal_out(deal, items, variable, address, at, info, scope)
            names[deal.name.text] = t.Var(portion, type=portion.type)
        loop = self.loops.loop(
            scope,
            names,
            info,
            lambda s: [*each, *self.clauses(rest, entry, ids, address, info, s)],
            lambda body: t.ForEach(variable, items, body, line=info),
        )
        return [*before, *loop]

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
        """Return the steps of a `repeat until`; its condition reads the totals including the current round."""
        limit = self.expect.number(clause.limit, entry.key, scope) if clause.limit is not None else None
        made: list[t.Expr] = []
        before = {*scope.lines.all().values()} if scope.lines is not None else set()

        def build(body: tuple[t.Step, ...]) -> t.Step:
            made.append(self.expect.truth(clause.condition, entry.key, scope))
            totals = {*scope.lines.all().values()} - before if scope.lines is not None else set()
            endless_totals(made[0], totals, True, self.problems)
            return t.RepeatUntil(limit, made[0], body, line=info)

        return self.loops.loop(scope, {}, info, lambda s: self.clauses(rest, entry, ids, address, info, s), build)

    def body(self, entry: Entry, ids: str, address: str, info: LineInfo, scope: Scope) -> Steps:
        if isinstance(entry.value, Mapping):
            entries = [(e, ids) for e in entry.value]
            block = t.Variable(address, BLOCK)
            if scope.lines is not None:
                scope.lines.add(address, block)
            if not entries:
                self.problems.add("P001", entry.key.span, name=address, label="it has no lines")
            return [t.Done(block, line=info), *self.block(entries, scope, address + ".")]
        if not isinstance(entry.value, Scalar):  # a list was already reported by the shape check
            return declare_unread(address, scope)
        if not entry.value.text:
            self.problems.add(
                "P010", entry.key.span, label="what happens here?", hint="`nothing` says that nothing does"
            )
            return declare_unread(address, scope)
        return self.sentence(entry.value, address, info, scope)[0]

    def procedure_steps(self) -> Steps:
        own = self.frame.info("", self.frame.symbol.where, self.frame.symbol.cites)
        if self.frame.scope.lines is not None and self.frame.symbol.table is None:
            entries = self.frame.definition.entries
            self.frame.scope.lines.named.update(line_name(entry.key.text) for entry, _ in entries)
        before = self.weaving.hook_steps("before", "", self.frame.scope, own)
        instead = self.env.moments.at(self.frame.symbol.name, "instead of")
        if self.frame.symbol.table is not None:
            body = self.forks.outcomes()
        elif self.frame.definition.text is not None:
            body = self.sentence(
                self.frame.definition.text, self.frame.symbol.name, self._with_cites(own), self.frame.scope
            )[0]
        else:
            body = self.block(self.frame.definition.entries, self.frame.scope, "")
            if not self.frame.definition.entries:
                self.problems.add(
                    "P001", self.frame.symbol.where.span, name=self.frame.symbol.name, label="it has no lines"
                )
        for hook in reversed(instead):
            body = self.weaving.replace_body(hook, body, own)
        ends, after = self.weaving.ends_and_rules("after", "", self.frame.scope, own)
        body = self.weaving.lasting([*body, *ends], own)  # what held of this alone must not hold of an answer to it
        steps = [*before, *body, *after]
        self._report_rule_clash()
        return steps

    def _report_rule_clash(self) -> None:
        """Report a rule whose lines would get the addresses of lines of this procedure."""
        lines = self.frame.scope.lines or Lines()
        for address, line in lines.seen.items():
            rule = self.env.book.rules.get(address.partition(".")[0])
            if rule is not None and address in lines.brought:
                others = [Label(line.span, f"the line of {self.frame.symbol.name}")]
                hint = f"both are `{self.frame.symbol.name}.{address}`: give the rule or the line another name"
                self.problems.add("N003", rule.where.span, name=rule.name, hint=hint, others=others)

    def _with_cites(self, own: LineInfo) -> LineInfo:
        """The line info, with the clauses cited at the end of a one-line body."""
        text, ids = self.frame.definition.text, self.frame.definition.prefix
        node = self.env.sentences.read(text, "line", n.Line) if text is not None else None
        if text is None or node is None or not node.cites:
            return own
        self.env.note(text, node.cites, ids)
        return self.frame.info("", own.where, own.cites + cited(node.cites, ids))

    def block(self, entries: list[tuple[Entry, str]], scope: Scope, prefix: str) -> Steps:
        lines = scope.lines or Lines()
        outside, lines.here = lines.here, prefix
        steps = self._block(entries, scope, prefix)
        lines.here = outside
        return steps

    def _block(self, entries: list[tuple[Entry, str]], scope: Scope, prefix: str) -> Steps:
        steps: Steps = []
        read: list[tuple[Entry, str, n.LineKey]] = []
        holes: set[Place] = set()  # lines whose key could not be parsed
        for entry, ids in entries:
            key = self.env.sentences.read(entry.key, "line_key", n.LineKey)
            if key is not None:
                read.append((entry, ids, key))
            else:
                holes.add(place_of(entry))
                self._declare_unparsed(entry, scope, prefix)
        if scope.lines is not None:
            scope.lines.named.update([key.name.text for _, _, key in read])
        belongs = otherwise_owners(read, entries, self.env.book.history)
        ran: dict[int, t.Variable | None] = {}
        branches: dict[int, list[str]] = {}
        begun: dict[int, int] = {}
        for index, (entry, ids, key) in enumerate(read):
            owner = belongs.get(index)
            before = ran.get(owner.index) if owner is not None and owner.index is not None else None
            if owner is not None and before is None and not holes & {*owner.places}:
                self._report_otherwise(entry, key, owner)
            chained = any(other.index == index for other in belongs.values())
            above = owner.index if owner is not None and owner.index is not None else index
            branches[index] = [*branches.get(above, ()), self.address(prefix, key.name.text, entry)]
            begun[index] = begun.get(above, len(steps))
            made, ran[index] = self.line(entry, ids, key, scope, prefix, before, chained)
            steps += made
            if len(branches[index]) > 1 and not chained and scope.lines is not None:
                since = begun[index]
                steps[since:] = share(self.env, scope.lines, prefix, branches[index], steps[since:])
        return steps

    def _report_otherwise(self, entry: Entry, key: n.LineKey, owner: Owner) -> None:
        """Report an `otherwise` whose line has no condition, or was removed."""
        clause, gone = key.clauses[0], owner.removed
        here = entry.key.at(clause.start, clause.end)
        if gone is None:
            hint = "the line before it needs an `if` right behind its name: that of a loop is asked in each round"
            self.problems.add("P008", here, label="otherwise than what?", hint=hint)
            return
        others = [Label(here, "this is done where that line is not")]
        hint = f"remove `{key.name.text}` as well, or say it anew under `change:`"
        self.problems.add("P008", gone, label="an `otherwise` belongs to this line", hint=hint, others=others)

    def _declare_unparsed(self, entry: Entry, scope: Scope, prefix: str) -> None:
        """Declare a line whose key could not be parsed, so that its uses are not reported too."""
        word = entry.key.text.split(",")[0].split(" ")[0]
        if word and scope.lines is not None:
            scope.lines.add(prefix + word, t.Variable(word, ANY))

    def _path(self, address: str) -> str:
        """The path with which a file would patch the line."""
        return address if self.frame.weaving else f"{self.frame.symbol.name}.{address}"

    def address(self, prefix: str, name: str, entry: Entry) -> str:
        """Return the address of a line in a block; it includes the file if several files use the name."""
        file = self.env.book.history.apart.get(self._path(prefix + name), {}).get(entry.key.span.source)
        return f"{prefix}{name}" if file is None else f"{prefix}{file}.{name}"

    def line(
        self, entry: Entry, ids: str, key: n.LineKey, scope: Scope, prefix: str, ran: t.Variable | None, chained: bool
    ) -> tuple[Steps, t.Variable | None]:
        address = self.address(prefix, key.name.text, entry)
        cites = cited(key.cites, ids)
        self.env.note(entry.key, key.cites, ids)
        where = Where(entry.key, key.name.start, key.name.end)
        if isinstance(entry.value, Scalar):
            text = Where(entry.value, 0, len(entry.value.text))
            found = self.env.sentences.read(entry.value, "line", n.Line) if entry.value.text else None
            cites += cited(found.cites, ids) if found else ()
            if found:
                self.env.note(entry.value, found.cites, ids)
            where = text if entry.value.text else where
        info = self.frame.info(address, where, cites)
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
            outer.append(self.expect.truth(clause.condition, entry.key, scope))
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
        before = self.weaving.hook_steps("before", address, scope, info)
        return [*before, *steps, *self.weaving.hook_steps("after", address, scope, info)], after

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
            giver = self.env.book.history.giver(self._path(address), entry)
            scope.lines.givers.setdefault(address, frozenset({giver}))


def _leaving_hint(type_: Type, text: str) -> str | None:
    """A hint on how several things, or figures, leave play; None for other types."""
    if type_.name == "things":
        return f"each by itself: `every-one, for each goner in {text}:`, and below it `out: goner leaves play`"
    if type_.name not in ("figure", "figures"):
        return None
    sort: Kind = type_.of
    gains = "gains" if type_.name == "figure" else "gain"
    mark = next((a.name for a in sort.all_attributes() if a.out_of_play), None)
    sentence = f"`{text} {gains} {mark or 'gone'}`"
    return f"a mark takes them out of play, {sentence}" + (
        "" if mark else f", with `mark gone of {sort.name}: out of play`"
    )
