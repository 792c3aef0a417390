"""Rules that set in before, after or instead of something, and the ends of marks."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from interpreter.language import nodes as n

from .book import Mark, Rule
from .layers import Entry
from .lines import Procedures
from .scopes import Block, Scope
from .things import BLANK, Thing

TABLE = ("turn", "battle")


def named(scope: Scope) -> dict[str, Any]:
    """All variables of a scope and of those around it."""
    names: dict[str, Any] = {}
    for s in scope.chain():
        names = {**s.vars, **names}
    return names


class Moments(Procedures):
    def moment(self, when: str, place: list[str], scope: Scope, mover: Any = None) -> None:
        """What ends and what sets in at this place; `mover` is who moves, where the place is a move."""
        self.ends(when, place, scope, mover)
        self.sets_in(when, place, scope, mover)

    def ends(self, when: str, place: list[str], scope: Scope, mover: Any = None) -> None:
        """The marks that end at this place."""
        if place[0] not in self.book.heads:
            return
        names, actor = named(scope), mover if mover is not None else self.acting(scope)
        for mark in self.book.marks.values():
            for m in mark.ending.moments if mark.ending else ():
                if m.after_next and when == "before" and at(m, "after", place):
                    for bearer in self.bearers(mark, m, place, names, actor):
                        self.world.do(lambda b=bearer, mark=mark: b.fresh.discard(mark.name))
                if at(m, when, place):
                    for bearer in self.bearers(mark, m, place, names, actor):
                        self.end(mark, m, bearer)

    def sets_in(self, when: str, place: list[str], scope: Scope, mover: Any = None) -> None:
        """The rules that set in at this place, after marks have ended there."""
        if place[0] not in self.book.heads:
            return
        names, actor = named(scope), mover if mover is not None else self.acting(scope)
        for rule in self.book.rules:
            for m in rule.moments:
                mine = len(m.path.parts) == 1 or self.book.layers.hears(rule.definition.file, self.giver)
                if at(m, when, place) and mine:
                    line = place[-1] if mover is None else (self.address or [""])[-1]
                    self.set_in(rule, m, scope, names, actor, f"{when}-{line}")

    @contextmanager
    def lasting(self, name: str, subject: Any) -> Iterator[None]:
        """While a procedure is done that is a moment of the rule file; within one that goes on already, a part of it."""
        is_one = self.book.lasting[name]
        begun = [m for m in is_one if m in self.book.heads and (is_one[m] or m not in self.going)]
        for m in reversed(begun):
            self.declared("before", m, subject)
            self.going.append(m)
        yield
        for m in begun:
            self.going.remove(m)
            self.declared("after", m, subject)

    def declared(self, when: str, name: str, subject: Any) -> None:
        """What ends and what sets in where such a moment begins or is over."""
        of = self.book.of("moment")[name].title.of
        told: dict[str, Any] = {}
        if of is not None:
            if isinstance(subject, Thing) and self.book.counted(subject.sort) and not self.book.counted(of.text):
                subject = subject.card.get(self.book.owner_kind(subject.sort) or "")
            is_one = isinstance(subject, Thing) and self.book.is_a(subject.sort, of.text)
            told = {"actor": subject if is_one else BLANK}
        for mark in self.book.marks.values():
            for m in mark.ending.moments if mark.ending else ():
                bearers = self.everybody(mark) if len(m.path.parts) == 1 and m.path.parts[0].name == name else []
                for bearer in bearers:
                    if m.after_next and when == "before":
                        self.world.do(lambda b=bearer, mark=mark: b.fresh.discard(mark.name))
                    if m.when == when:
                        self.end(mark, m, bearer)
        for rule in self.book.rules:
            for m in rule.moments:
                if not at(m, when, [name]):
                    continue
                for thing in [None] if rule.each is None else self.world.all(rule.each):
                    names = told if thing is None else {**told, rule.each: thing}
                    if thing is None or self.book.is_a(thing.sort, rule.each):
                        self.run_rule(rule, Scope(None, names, thing))

    def everybody(self, mark: Mark) -> list[Thing]:
        """All in play who may bear a mark."""
        if mark.of not in self.book.kinds:
            return []
        things = [t for t in self.world.things if self.book.base(t.sort) == self.book.base(mark.of)]
        return [t for t in things if self.world.in_play(t)]

    def acting(self, scope: Scope) -> Any:
        """The subject of what happens: who acts in the procedure in hand."""
        cards = [s.card for s in scope.chain() if s.card is not None]
        return cards[-1] if cards else None

    # ---- marks
    def bearers(self, mark: Mark, m: n.Moment, place: list[str], names: dict[str, Any], actor: Any) -> list[Thing]:
        if mark.of not in self.book.kinds:
            return []
        if place[0] in TABLE:
            return self.everybody(mark)
        thing = names.get(m.role.text) if m.role is not None else actor
        return self.of_kind(thing, mark.of)

    def of_kind(self, thing: Any, kind: str) -> list[Thing]:
        """The thing if it is of the kind, or all counted things of that kind that it holds."""
        if not isinstance(thing, Thing):
            return []
        if self.book.base(thing.sort) == self.book.base(kind):
            return [thing]
        holder = self.book.owner_kind(kind)
        if not self.book.counted(kind) or holder is None:
            return []
        return [t for t in self.world.things if t.card.get(holder) is thing and self.book.is_a(t.sort, kind)]

    def end(self, mark: Mark, m: n.Moment, bearer: Thing) -> None:
        borne = mark.name in bearer.marks if mark.other is None else bool(bearer.links.get(mark.name))
        if not borne or (m.after_next and mark.name in bearer.fresh):
            return
        assert mark.ending is not None
        if mark.ending.condition is not None:
            kind, asked = mark.of, bearer
            if self.book.counted(mark.of):  # which are many alike: what they belong to is asked
                kind = self.book.owner_kind(mark.of) or kind
                asked = bearer.card[kind]
            if not self.truth(mark.ending.condition, Scope(None, {kind: asked}, asked)):
                return
        for whom in bearer.links.get(mark.name, []):
            self.world.do(lambda w=whom: self.world.link(mark, bearer, w, False))
        self.world.do(lambda: bearer.marks.discard(mark.name))

    # ---- rules
    def set_in(self, rule: Rule, m: n.Moment, scope: Scope, names: dict[str, Any], actor: Any, place: str) -> None:
        told = {"actor": actor}
        before = len(self.rule_runs.get(rule.name, []))
        self.set_in_for(rule, m, scope, names, told)
        runs = self.rule_runs.get(rule.name, [])[before:]
        self.rule_runs.setdefault(f"{place}.{rule.name}", []).extend(runs)

    def set_in_for(self, rule: Rule, m: n.Moment, scope: Scope, names: dict[str, Any], told: dict[str, Any]) -> None:
        if rule.each is None:
            card = names.get(m.role.text) if m.role is not None else None
            self.run_rule(rule, Scope(scope, told, card))
            return
        if m.role is not None:
            each = self.of_kind(names.get(m.role.text), rule.each)
        else:
            each = self.world.all(rule.each)
        for thing in each:
            if self.book.is_a(thing.sort, rule.each):
                self.run_rule(rule, Scope(scope, {**told, rule.each: thing}, thing))

    def run_rule(self, rule: Rule, scope: Scope) -> bool:
        file = rule.definition.file
        outside, self.asker = self.asker, file
        holds = rule.condition is None or self.truth(rule.condition, scope)
        self.asker = outside
        if not holds:
            return False
        body = rule.definition.body
        block = Block(
            body if isinstance(body, list) else [Entry("", "", body, file=file, keyed=file, said=file)], call=True
        )
        self.rule_runs.setdefault(rule.name, []).append(block)
        self.address.append(rule.name)
        self.run_lines(block, scope, [rule.name])
        self.address.pop()
        if block.entries and not block.entries[0].name:
            block.value = block.results.get(id(block.entries[0]), block.value)
        return True

    def instead(self, name: str, scope: Scope) -> bool:
        """Whether a rule was carried out in the place of a procedure."""
        for rule in self.book.rules:
            for m in rule.moments:
                if not at(m, "instead of", [name]):
                    continue
                subject = scope.subject()
                if rule.each is None:
                    if self.run_rule(rule, Scope(scope, {"actor": subject})):
                        return True
                    continue
                played = self.of_kind(scope.vars.get(m.role.text), rule.each) if m.role is not None else None
                done = False
                for thing in self.world.all(rule.each) if played is None else played:
                    names = {"actor": subject, rule.each: thing}
                    done = self.run_rule(rule, Scope(scope, names, thing)) or done
                if done:
                    return True
        return False

    def gained(self, name: str, things: list[Thing]) -> None:
        """Rules `after MARK`, for each thing that has gained it."""
        for rule in self.book.rules:
            for m in rule.moments:
                if m.when != "after" or [p.name for p in m.path.parts] != [name] or name in self.book.procedures:
                    continue
                for thing in things:
                    if rule.each is not None and self.book.is_a(thing.sort, rule.each):
                        self.run_rule(rule, Scope(None, {rule.each: thing}, thing))


def at(m: n.Moment, when: str, place: list[str]) -> bool:
    """Whether a moment is this place: a procedure, one of its lines, a move, a turn."""
    path = [p.name for p in m.path.parts]
    if m.when != when or path[0] != place[0] or (len(path) > 1) != (len(place) > 1):
        return False
    return place == path
