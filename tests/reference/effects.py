"""What changes the table: marks and numbers gained and lost, moves, things made and shared out."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from interpreter.language import nodes as n

from . import Unsupported
from .book import Mark, plural
from .moments import Moments
from .names import fact_key
from .scopes import MISSING, Scope
from .things import BLANK, Inches, Many, MarkName, Row, Thing, Word, empty
from .trees import Wrong, parse


class Effects(Moments):
    # ---- gains and loses
    def e_change(self, node: n.Change, scope: Scope) -> Any:
        subjects = [x for x in self.things(self.value(node.subject, scope)) if isinstance(x, Thing)]
        if node.what is not None:
            self.numbered(subjects, node, scope)
            return BLANK
        if isinstance(node.amount, n.Related | n.Banded):
            self.linked_with(subjects, node.amount, node.gains, scope)
            return BLANK
        if (truth := self.truth_meant(node.amount, subjects, scope)) is not None:
            for thing in subjects:
                self.world.do(lambda t=thing: self.world.put(t, truth, node.gains))
            return BLANK
        for name in self.marks_meant(node.amount, scope):
            if self.book.marks[name].other is not None:
                self.unlinked(subjects, self.book.marks[name])
            else:
                self.marked(subjects, name, node.gains)
        return BLANK

    def linked_with(self, subjects: list[Thing], said: n.Related | n.Banded, gains: bool, scope: Scope) -> None:
        """A mark between two is gained or lost with others."""
        name, other = (said.mark, said.other) if isinstance(said, n.Related) else (said.cell, said.at)
        assert isinstance(name, n.Path)
        mark = self.book.marks[name.parts[-1].name]
        others = [t for t in self.things(self.value(other, scope)) if isinstance(t, Thing)]
        both = gains and mark.ending is not None and mark.ending.both_ways
        new = [t for t in self.world.things if self.newly(t, mark, subjects, others)] if gains else []
        new += [t for t in self.world.things if t not in new and self.newly(t, mark, others, subjects)] if both else []
        for thing in subjects:
            for whom in others:
                self.world.do(lambda t=thing, w=whom: self.world.link(mark, t, w, gains))
        self.gained(mark.name, sorted(new, key=self.world.order))

    def newly(self, thing: Thing, mark: Mark, gainers: list[Thing], others: list[Thing]) -> bool:
        """Who bore it with nobody, and gains it with somebody with whom it counts."""
        if thing not in gainers or not self.may_link(thing, mark, made=True) or self.linked(thing, mark).items:
            return False
        return any(t is not thing and self.may_link(t, mark, made=True) for t in others)

    def unlinked(self, subjects: list[Thing], mark: Mark) -> None:
        """A mark between two is lost with everybody."""
        for thing in subjects:
            for whom in thing.links.get(mark.name, []):
                self.world.do(lambda t=thing, w=whom: self.world.link(mark, t, w, False))

    def truth_meant(self, node: Any, subjects: list[Thing], scope: Scope) -> str | None:
        """What is yes or no on the cards of the subjects, if that is what a sentence speaks of."""
        if not isinstance(node, n.Path) or len(node.parts) != 1 or self.local(node.parts[0].name, scope) is not MISSING:
            return None
        name = node.parts[0].name
        attribute = next((a for s in subjects if (a := self.book.attribute(s.sort, name)) is not None), None)
        return name if attribute is not None and attribute.what == "yes or no" else None

    def marks_meant(self, node: Any, scope: Scope) -> list[str]:
        """The marks that a sentence speaks of: by name, or in a cell of a table."""
        if isinstance(node, n.Path) and len(node.parts) == 1 and node.parts[0].name in self.book.marks:
            if self.local(node.parts[0].name, scope) is MISSING:
                return [node.parts[0].name]
        found = []
        for value in self.things(self.value(node, scope)):
            if isinstance(value, MarkName | Row | Word) and value.name in self.book.marks:
                found.append(value.name)
            else:
                raise Wrong(f"{value!r} is no mark")
        return found

    def marked(self, subjects: list[Thing], name: str, gains: bool) -> None:
        mark = self.book.marks[name]
        subjects = [s for s in subjects if self.book.mark_of(s.sort, name)]
        if not gains:
            for thing in subjects:
                self.world.do(lambda t=thing: (t.marks.discard(name), t.fresh.discard(name)))
            return
        fresh = [s for s in subjects if name not in s.marks]
        if mark.ending is not None and mark.ending.limit is not None:
            fresh = self.within(mark, mark.ending.limit, fresh)
        for thing in subjects:
            if any(thing is x for x in fresh) or name in thing.marks:
                self.world.do(lambda t=thing: self.mark(t, mark))
        self.gained(name, fresh)

    def mark(self, thing: Thing, mark: Mark) -> None:
        thing.marks.add(mark.name)
        if mark.ending is not None and any(m.after_next for m in mark.ending.moments):
            thing.fresh.add(mark.name)

    def within(self, mark: Mark, limit: n.Limit, fresh: list[Thing]) -> list[Thing]:
        """As many as still fit: at most so many of one unit bear the mark."""
        room: dict[int, int] = {}
        found = []
        for thing in fresh:
            holder = thing.card.get(limit.per.text)
            if id(holder) not in room:
                most = self.number(limit.count, Scope(None, {limit.per.text: holder}, holder))
                bear = [t for t in self.world.held(holder, mark.of) if mark.name in t.marks] if holder else []
                room[id(holder)] = self.whole(most) - len(bear)
            if room[id(holder)] > 0:
                room[id(holder)] -= 1
                found.append(thing)
        return found

    def numbered(self, subjects: list[Thing], node: n.Change, scope: Scope) -> None:
        assert node.what is not None
        what = node.what.text
        if node.amount is None and what in self.book.marks:
            self.marked(subjects, what, False)
            return
        amount = None if node.amount is None else self.number(node.amount, scope)
        for thing in subjects:
            name = what if self.book.attribute(thing.sort, what) else plural(what)
            if self.book.attribute(thing.sort, name) is None:
                raise Wrong(f"{thing} has no {what}")
            if node.amount is None:
                if self.world.get(thing, name) is not None:  # who has none loses nothing
                    self.world.do(lambda t=thing, a=name: self.world.put(t, a, 0))
            elif amount is not None and not empty(amount):
                sign = 1 if node.gains else -1
                self.world.do(lambda t=thing, a=name, s=sign: self.more(t, a, s, amount))

    def more(self, thing: Thing, name: str, sign: int, amount: Any) -> None:
        if amount:  # a number that is none grows as 0 does, and by nothing stays none
            self.world.put(thing, name, self.added([(1, self.world.get(thing, name)), (sign, amount)]))

    # ---- becomes, leaves, makes
    def e_becomes(self, node: n.Becomes, scope: Scope) -> Any:
        last = node.subject.parts[-1] if node.subject.parts else None
        if last is not None and last.name in self.book.of("fact"):
            return self.fact_becomes(node, last, scope)
        owners, name = self.owners(node.subject, scope)
        attribute = self.book.attribute(owners[0].sort, name) if owners else None
        numeric = attribute is not None and attribute.what == "number"
        value = (self.number if numeric else self.value)(node.value, scope)
        for thing in owners:
            self.world.do(lambda t=thing: self.world.put(t, name, value))
        return BLANK

    def fact_becomes(self, node: n.Becomes, last: n.Part, scope: Scope) -> Any:
        """What the table told is another from now on; what is the same both ways is so both ways."""
        definition, args = self.book.of("fact")[last.name], list(last.args or ())
        subject: Any
        if len(args) > len(definition.title.params):
            subject = self.value(args.pop(0), scope)
        else:
            subject = (
                self.owners(node.subject, scope)[0]
                if len(node.subject.parts) > 1 or isinstance(node.subject, n.Group)
                else None
            )
            cards = [s.card for s in scope.chain() if isinstance(s.card, Thing)]
            subject = subject or next(c for c in cards if self.book.is_a(c.sort, definition.title.of.text))
        attribute = parse(str(definition.body), "attribute")
        value = (self.number if attribute.what == "number" else self.value)(node.value, scope)
        told = self.told(definition.title.params, tuple(args), scope)
        for thing in self.things(subject) if not isinstance(subject, list) else subject:
            if not isinstance(thing, Thing) or any(x is None or empty(x) for x in told):
                continue
            ways = [(thing, *told), (told[0], thing)] if self.both_ways(definition, told) else [(thing, *told)]
            for asked in ways:
                key = (definition.name, *map(fact_key, asked))
                worth = self.world.fitted(thing, attribute, value)
                self.world.do(lambda k=key, v=worth: self.world.become.update({k: v}))
        return BLANK

    def owners(self, node: Any, scope: Scope) -> tuple[list[Thing], str]:
        """Whose card is meant, and which attribute of it."""
        if isinstance(node, n.Group):
            inner: Any = n.Group(node.start, node.end, node.inner, node.parts[:-1])
            return self.things(self.value(inner, scope)), node.parts[-1].name
        name = node.parts[-1].name
        if len(node.parts) > 1:
            inner = n.Path(node.start, node.end, node.parts[:-1])
            return self.things(self.value(inner, scope)), name
        for s in scope.chain():
            if isinstance(s.card, Thing):
                if self.book.attribute(s.card.sort, name) or self.book.owner_kind(s.card.sort) == name:
                    return [s.card], name
        raise Wrong(f"nobody has {name}")

    def e_leaves(self, node: n.Leaves, scope: Scope) -> Any:
        for thing in self.things(self.value(node.subject, scope)):
            self.world.do(lambda t=thing: setattr(t, "gone", True))
        return BLANK

    def new(self, node: n.Made, scope: Scope) -> Any:
        given = {g.name: self.value(g.value, scope) for g in node.given}
        kind = node.kind.text
        numbers = {
            g.name: self.number(g.value, scope)
            for g in node.given
            if (a := self.book.attribute(kind, g.name)) is not None and a.what == "number"
        }
        thing = self.world.make(kind)
        thing.gone = thing.coming = True
        thing.made_at = tuple(self.address)
        source = None if node.source is None else self.value(node.source, scope)
        thing.source = source if isinstance(source, Thing) else None
        for name, attribute in self.book.attributes(kind).items():
            first = attribute.first
            plain = isinstance(first, n.Number | n.Inches | n.Truth | n.Target) or (
                isinstance(first, n.Path)
                and attribute.of is not None
                and first.parts[0].name in self.book.rows.get(attribute.of.text, {})
            )
            start = self.world.first(thing, attribute) if plain else None
            thing.card[name] = self.world.fitted(thing, attribute, start)
        for name, value in {**given, **numbers}.items():
            self.world.put(thing, name, value)
        thing.begun = dict(thing.card)
        self.world.do(lambda: self.world.comes(thing))
        return thing

    # ---- moves
    def e_moves(self, node: n.Moves, scope: Scope) -> Any:
        movers = [x for x in self.things(self.value(node.subject, scope)) if isinstance(x, Thing)]
        if not movers:
            return BLANK
        far = Inches(Fraction(0))
        if node.amount is not None:
            amount = self.number(node.amount, scope)
            if amount is None:
                return far
            far = amount if isinstance(amount, Inches) else Inches(Fraction(amount))
            if far.value <= 0:
                return Inches(Fraction(0))
        for mover in movers:
            self.moment("before", ["move"], scope, mover)
        for mover in movers:
            self.moment("after", ["move"], scope, mover)
        return far

    def e_umpire(self, node: n.Umpire, scope: Scope) -> Any:
        return BLANK

    e_nothing = e_umpire

    # ---- deals
    def e_deals(self, node: n.Deals, scope: Scope) -> Any:
        """One at a time to whoever has least; who of those that are level gets the odd ones is chosen."""
        items = [x for x in self.things(self.value(node.items, scope)) if isinstance(x, Thing)]
        amount = self.whole(self.number(node.amount, scope))
        if not items:
            return BLANK
        name = node.what.text
        if self.book.attribute(items[0].sort, name) is None:
            name = plural(name)
        _, prefer, said = self.wished(node.who, node.usually, scope)
        have = {}
        for x in items:
            measure = self.world.get(x, name)
            if node.measure is not None:
                measure = self.number(node.measure, self.of_item(x, scope))
            have[id(x)] = measure
        got = {id(x): 0 for x in items}
        held = {id(x): self.as_number(self.world.get(x, name)) or 0 for x in items}
        while amount > 0:
            least = min(have.values())
            level = [x for x in items if have[id(x)] == least]
            if amount < len(level):
                if self.world.landing is not None and self.world.dealt & {id(x) for x in items}:
                    raise Unsupported("what is dealt to some of those alike while another deal lands with it")
                with self.world.supposed(items, name, {x: have_of + got[x] for x, have_of in held.items()}):
                    level = self.picked(level, amount, prefer, said, scope)
            for x in level:
                have[id(x)] += 1
                got[id(x)] += 1
            amount -= len(level)
        self.world.dealt |= {id(x) for x in items}
        for x in items:
            many = got[id(x)]
            if many:
                self.world.do(lambda t=x, more=many: self.more(t, name, 1, more))
        return BLANK

    def dealt_out(self, clause: n.DealsOut, items: list[Any], scope: Scope) -> list[dict[str, Any]]:
        """What each one's share is, before the first round."""
        name = clause.name.text
        pool = self.value(clause.pool, scope)
        shared = self.things(pool) if isinstance(pool, Many) else None
        count = len(shared) if shared is not None else self.whole(self.as_number(pool))
        if not items:
            return []
        each, odd = divmod(count, len(items))
        _, prefer, said = self.wished(clause.who, clause.favoured, scope)
        if odd:
            lucky = self.picked(items, odd, prefer, said, scope)
        else:
            lucky = []
        shares = [each + any(x is y for y in lucky) for x in items]
        if shared is None:
            return [{name: share} for share in shares]
        _, prefer, said = self.wished(clause.who, clause.usually, scope)
        order = [x for group in self.preferred(shared, prefer, scope) for x in group]
        dealt: list[list[Any]] = [[] for _ in items]
        while order:
            for i, mine in enumerate(dealt):
                if order and len(mine) < shares[i]:
                    mine.append(order.pop(0))
        return [{name: Many(mine)} for mine in dealt]
