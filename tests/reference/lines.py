"""Procedures, line by line: what governs a line, loops, cases, options, calls."""

from __future__ import annotations

from contextlib import AbstractContextManager
from fractions import Fraction
from typing import Any

from interpreter.language import nodes as n

from . import TooLarge, Unsupported
from .choices import Choices
from .layers import Definition, Entry
from .scopes import Block, Loop, Scope, Taken, otherwise, settled
from .things import BLANK, NOT_RUN, Many, MarkName, Option, Row, Thing, Word, empty
from .trees import Wrong, parse

ROUNDS = 40  # of a loop without a limit: who still goes on then may never end
STEPS = 20_000


class Procedures(Choices):
    # ---- lines
    def run_lines(self, block: Block, scope: Scope, place: list[str]) -> None:
        """Carry out the lines of a block, one after the other; `place` is its address within its procedure."""
        inner = Scope(scope, block=block)
        for i, entry in enumerate(block.entries):
            block.at = i
            self.run_line(entry, block, inner, place)
        block.at = None

    def run_line(self, entry: Entry, block: Block, scope: Scope, place: list[str]) -> None:
        self.steps += 1
        if self.steps > STEPS:
            raise TooLarge(f"a history of more than {STEPS} lines")
        here = [*place, entry.name] if entry.name else place
        if entry.name:
            self.giver = entry.file
            self.moment("before", here, scope)
        clauses = parse(entry.key, "line_key").clauses if entry.key else ()
        self.address.append(entry.name) if entry.name else None
        outside, self.asker = self.asker, entry.keyed
        result = self.governed(entry, clauses, block, scope, here)
        self.asker = outside
        self.address.pop() if entry.name else None
        if result is not NOT_RUN:
            block.results[id(entry)] = result
            self.note(settled(result))
        if result is None:
            entry.of_none = self.worth_of_none(self.said_by(entry), scope)
        if entry.name:
            block.at = (block.at or 0) + 1
            self.giver = entry.file
            self.moment("after", here, scope)
            block.at -= 1

    def note(self, value: Any) -> None:
        if isinstance(value, Many) and value.items and isinstance(value.items[0], Thing):
            self.name_sets.append({id(x) for x in value.items})

    def governed(self, entry: Entry, clauses: Any, block: Block, scope: Scope, place: list[str]) -> Any:
        if not clauses:
            return self.body(entry, scope, place)
        if any(isinstance(c, n.Together) for c in clauses):
            clauses = tuple(c for c in clauses if not isinstance(c, n.Together))
            with self.world.together():
                return self.governed(entry, clauses, block, scope, place)
        clause, rest = clauses[0], clauses[1:]
        if isinstance(clause, n.If):
            return self.governed(entry, rest, block, scope, place) if self.truth(clause.condition, scope) else NOT_RUN
        if isinstance(clause, n.Otherwise):
            return NOT_RUN if self.ran_above(entry, block) else self.governed(entry, rest, block, scope, place)
        if isinstance(clause, n.By):
            block.reached.add(id(entry))
            return self.cases(entry, clause, block, scope, place)
        if isinstance(clause, n.PicksOne):
            return self.options(entry, clause, block, scope, place)
        return self.loop(entry, clause, rest, block, scope, place)

    def ran_above(self, entry: Entry, block: Block) -> bool:
        """Whether the line before it in its own file was run, or one that this line in turn is otherwise to."""
        above = [e for e in block.entries if e.name == entry.above and e is not entry]
        return any(
            id(e) in block.results or id(e) in block.reached or (otherwise(e) and self.ran_above(e, block))
            for e in above
        )

    def body(self, entry: Entry, scope: Scope, place: list[str]) -> Any:
        if isinstance(entry.body, list):
            block = Block(entry.body)
            self.run_lines(block, scope, place)
            return block
        if not entry.body:
            return BLANK
        outside, self.asker = self.asker, entry.said
        result = self.act(parse(entry.body, "line").action, scope)
        self.asker = outside
        return result

    def act(self, action: Any, scope: Scope) -> Any:
        if isinstance(action, n.Does):
            return self.does(action, scope)
        if isinstance(action, n.Path):
            found = self.path(action, scope)
            return BLANK if found is NOT_RUN else found
        effect = getattr(self, "e_" + type(action).__name__.lower(), None)
        if effect is not None:
            return effect(action, scope)
        value = self.value(action, scope)
        return BLANK if value is NOT_RUN else value

    # ---- loops
    def lines_called_by(self, entry: Entry) -> list[Entry]:
        """The lines of the procedure that a line calls; none where it says something else."""
        action = parse(entry.body, "line").action if isinstance(entry.body, str) and entry.body else None
        name = self.book.verbs.get(action.verb.text) if isinstance(action, n.Does) else None
        body = self.book.procedures[name].body if name is not None else ""
        return body if isinstance(body, list) else []

    def loop(self, entry: Entry, clause: Any, rest: Any, block: Block, scope: Scope, place: list[str]) -> Any:
        made = Loop(entry.lines or self.lines_called_by(entry))

        def once(names: dict[str, Any]) -> None:
            result = self.governed(entry, rest, block, Scope(scope, names), place)
            if result is not NOT_RUN:
                made.rounds.append(result)

        if isinstance(clause, n.ForEach):
            items = self.things(self.value(clause.items, scope))
            if items and all(isinstance(x, Row) for x in items):
                items.sort(key=lambda row: row.place)
            shares: list[dict[str, Any]] = [{} for _ in items]
            if rest and isinstance(rest[0], n.DealsOut):
                shares = self.dealt_out(rest[0], items, scope)
                rest = rest[1:]
            for item, share in zip(items, shares, strict=True):
                once({clause.name.text: item, **share})
        elif isinstance(clause, n.RepeatTimes):
            for _ in range(self.whole(self.number(clause.times, scope))):
                once({})
        else:
            assert isinstance(clause, n.RepeatUntil)
            most = ROUNDS if clause.limit is None else self.whole(self.number(clause.limit, scope))
            so_far = Scope(scope, block=Block([entry], results={id(entry): made}))
            for number in range(most + 1):
                if number == most:
                    if clause.limit is None:
                        raise Unsupported(f"repeat until without a limit, after {ROUNDS} rounds: {'.'.join(place)}")
                    break
                once({})
                if self.truth(clause.condition, so_far):
                    break
        if made.rounds and all(x is None for x in made.rounds):
            made.of_none = self.worth_of_none(self.said_by(entry), scope)
        return made

    # ---- cases and options
    def cases(self, entry: Entry, clause: n.By, block: Block, scope: Scope, place: list[str]) -> Any:
        keys = [parse(e.key, "case_key") for e in entry.lines]
        worded = any(case.word for key in keys for case in key.cases)
        value = self.value(clause.value, scope) if worded else self.number(clause.value, scope)
        made = Block(entry.lines)
        for key, case in zip(keys, entry.lines, strict=True):
            if any(case_holds(c, value) for c in key.cases):
                self.branch_of(made, case, key.clauses, scope, place)
                break
        else:
            uncovered(value)
        return made if made.results else NOT_RUN  # none of them was run

    def branch_of(self, made: Block, entry: Entry, clauses: Any, scope: Scope, place: list[str]) -> None:
        self.address.append(entry.name)
        made.at = made.entries.index(entry)
        result = self.governed(entry, clauses, made, Scope(scope, block=Block([])), [*place, entry.name])
        made.at = None
        self.address.pop()
        if result is not NOT_RUN:
            made.results[id(entry)] = result
            made.value = settled(result)

    def options(self, entry: Entry, clause: n.PicksOne, block: Block, scope: Scope, place: list[str]) -> Any:
        able = []
        for option in entry.lines:
            key = parse(option.key, "line_key")
            ifs = [c for c in key.clauses if isinstance(c, n.If)]
            if all(self.truth(c.condition, scope) for c in ifs):
                able.append((option, tuple(c for c in key.clauses if not isinstance(c, n.If))))
        made = Block(entry.lines)
        if not able:
            return made
        _, prefer, said = self.wished(clause.who, clause.usually, scope)
        names = [w.parts[0].name for w in prefer if isinstance(w, n.Path)]
        which = next((i for name in names for i, (o, _) in enumerate(able) if o.name == name), None)
        if which is None:
            which = 0 if said else self.chance.choice(len(able), self.address)
        self.branch_of(made, *able[which], scope, place)
        made.value = Option(able[which][0].name)
        return made

    def outcome(self, definition: Definition, thing: Any, told: Any, scope: Any) -> Any:
        """An outcome table: the row of the face is carried out; a row that is barred passes to the next."""
        inner = self.scope_of(definition, thing, told)
        value = self.number(definition.title.by, inner)
        reached = False
        assert isinstance(definition.body, list)
        for entry in definition.body:
            key = parse(entry.key, "case_key")
            reached = reached or any(case_holds(c, value) for c in key.cases)
            if not reached:
                continue
            row = self.book.rows[definition.name][entry.name]
            open_row = Scope(inner, {"row": row})
            ifs = [c for c in key.clauses if isinstance(c, n.If)]
            bars = [definition.title.condition] if definition.title.condition is not None else []
            if not all(self.truth(c, open_row) for c in [*bars, *(c.condition for c in ifs)]):
                continue
            block = Block(list(definition.body), call=True)
            self.procedure_runs.setdefault(definition.name, []).append(block)
            self.begun.append(len(self.address))
            self.address += [definition.name, entry.name]
            more = tuple(c for c in key.clauses if not isinstance(c, n.If))
            with self.world.calling(), self.lasting(definition.name, thing):
                result = self.governed(entry, more, block, inner, [definition.name, entry.name])
            del self.address[self.begun.pop() :]
            block.results[id(entry)] = result
            return Taken(row, block)
        if not reached:
            uncovered(value)
        return Taken(None, Block([], call=True))

    # ---- calls
    def does(self, node: n.Does, scope: Scope) -> Any:
        verb = node.verb.text
        if isinstance(node.subject, n.Path) and node.subject.parts[0].name in ("turn", "battle"):
            if verb in ("begins", "ends") and verb not in self.book.verbs:
                when = "before" if verb == "begins" else "after"
                self.moment(when, [node.subject.parts[0].name], scope)
                return BLANK
        if verb not in self.book.verbs:
            raise Wrong(f"no procedure is called {verb}")
        name = self.book.verbs[verb]
        definition = self.book.procedures[name]
        subjects = self.things(self.value(node.subject, scope))
        if not subjects:  # the line is run, and none of the procedure's
            return Block(definition.body if isinstance(definition.body, list) else [], call=True)
        told = self.arguments(definition.title, node, scope)
        runs = [self.call(name, subject, told, scope) for subject in subjects]
        return runs[0] if len(runs) == 1 else Loop([], runs)

    def arguments(self, title: n.Title, node: n.Does, scope: Scope) -> dict[str, Any]:
        plain = [p for p in title.params[1:] if p.word is None]
        told = {p.name.text: self.told_one(p, a, scope) for p, a in zip(plain, node.args, strict=True)}
        for prep in node.prepositional:
            param = next((p for p in title.params if p.word == prep.word and p.name.text not in told), None)
            if param is None:
                raise Wrong(f"nothing is told {prep.word!r} to {title.name.text}")
            told[param.name.text] = self.told_one(param, prep.value, scope)
        return told

    def call(self, name: str, subject: Any, told: dict[str, Any], scope: Scope) -> Block:
        definition = self.book.procedures[name]
        own = definition.title.params[0].name.text
        lines = definition.body if isinstance(definition.body, list) else [Entry("", "", definition.body)]
        block = Block(lines, call=True)
        inner = Scope(None, {own: subject, **told}, subject)
        self.begun.append(len(self.address))
        self.address.append(name)
        self.procedure_runs.setdefault(name, []).append(block)
        with self.world.calling():
            self.moment("before", [name], inner)
            with self.lasting(name, subject):
                if not self.instead(name, inner):  # what is done in its place: around it all is as if it was done
                    self.run_lines(block, inner, [name])
                    if lines and not lines[0].name:
                        block.value = settled(block.results.get(id(lines[0]), BLANK))
                self.ends("after", [name], Scope(inner, block=block))  # before what answers a moment that it is
            self.sets_in("after", [name], Scope(inner, block=block))
        del self.address[self.begun.pop() :]
        return block

    # ---- given elsewhere
    def ends(self, when: str, place: list[str], scope: Scope, mover: Any = None) -> None:
        raise NotImplementedError

    def sets_in(self, when: str, place: list[str], scope: Scope, mover: Any = None) -> None:
        raise NotImplementedError

    def moment(self, when: str, place: list[str], scope: Scope, mover: Any = None) -> None:
        raise NotImplementedError

    def lasting(self, name: str, subject: Any) -> AbstractContextManager[None]:
        raise NotImplementedError

    def instead(self, name: str, scope: Scope) -> bool:
        raise NotImplementedError

    def dealt_out(self, clause: n.DealsOut, items: list[Any], scope: Scope) -> list[dict[str, Any]]:
        raise NotImplementedError


def uncovered(value: Any) -> None:
    """Give up on a number that no case has: the rule has no answer then."""
    if isinstance(value, int | Fraction):
        raise Unsupported(f"no case for {value}")


def case_holds(case: n.Case, value: Any) -> bool:
    if case.word is not None:
        if value is None or empty(value):
            return case.word == "none"
        return isinstance(value, Row | Word | MarkName) and value.name == case.word
    if value is None or empty(value):
        value = 0
    return (case.low is None or value >= case.low) and (case.high is None or value <= case.high)
