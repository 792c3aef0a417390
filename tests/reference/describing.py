"""What a situation says is there: things with their traits, facts, and how somebody chooses."""

from __future__ import annotations

import re
from typing import Any

from interpreter.language import nodes as n

from .book import Book
from .chance import Chance
from .effects import Effects
from .names import OfLine, fact_key
from .scopes import Scope
from .things import Many, MarkName, Thing
from .trees import Lines, Wrong, parse


class Describing(Effects):
    force: Thing | None = None

    def __init__(self, book: Book, chance: Chance) -> None:
        super().__init__(book, chance)
        self.world.first = self.begins
        self.world.bound = lambda thing, node: self.number(  # type: ignore[method-assign]
            node, Scope(None, {self.book.base(thing.sort): thing}, thing)
        )

    def begins(self, thing: Thing, attribute: n.AttributeType) -> Any:
        scope = Scope(None, {self.book.base(thing.sort): thing}, thing)
        return (self.number if attribute.what == "number" else self.value)(attribute.first, scope)

    def set_up(self, root: Lines) -> None:
        described: list[tuple[Thing, Any]] = []
        for key, value in root:
            kind, _, name = key.partition(" ")
            if kind in self.book.kinds and name[:1].isupper():
                thing = self.world.make(kind, name)
                self.things_named[name] = thing
                described.append((thing, value))
        for thing, value in described:
            self.describe(thing, value)
        self.owners_of_all(described, root)
        self.choices(root.get("choose"))
        for thing in list(self.world.things):  # what is worked out, such as the strength at the start
            for name in self.book.attributes(thing.sort):
                self.world.get(thing, name)
        self.world_facts(root)
        self.world.changed()

    # ---- things
    def describe(self, thing: Thing, value: Any) -> None:
        body: list[tuple[str, Any]] = list(value) if isinstance(value, Lines) else [("is", value or "")]
        groups: list[tuple[str, int, list[n.Trait]]] = []
        shared: list[n.Trait] = []
        for key, said in body:
            if key == "is":
                for trait in self.traits(said):
                    if trait.what == "count":
                        groups.append((self.counted_kind(trait.name.text), trait.value.value, []))
                    elif not self.own_trait(thing, trait):
                        shared.append(trait)
                continue
            kind = self.counted_kind(key)
            for text in said if isinstance(said, list) else [said]:
                many, traits = self.group(str(text))
                groups.append((kind, many, traits))
        for kind, many, traits in groups:
            for _ in range(many):
                figure = self.world.make(kind)
                figure.card[self.book.owner_kind(kind) or ""] = thing
                for trait in [*shared, *traits]:
                    if not self.own_trait(figure, trait) and trait in traits:
                        raise Wrong(f"{kind} has no {trait.name.text}")

    def traits(self, text: str) -> tuple[n.Trait, ...]:
        return parse(text, "thing").traits if text else ()

    def counted_kind(self, name: str) -> str:
        kind = self.book.plurals.get(name) or (name if name in self.book.kinds else None)
        if kind is None:
            raise Wrong(f"no kind is called {name}")
        return kind

    def group(self, text: str) -> tuple[int, list[n.Trait]]:
        """`3 with weapon rifle and leader`."""
        found = re.fullmatch(r"(\d+)(?: +with +(.*))?", text.strip())
        if found is None:
            raise Wrong(f"no group: {text}")
        more = (found[2] or "").replace(" and ", ", ")
        return int(found[1]), list(self.traits(more))

    def own_trait(self, thing: Thing, trait: n.Trait) -> bool:
        """Put a trait on this very card; False if it has no place there."""
        name = trait.name.text
        attribute = self.book.attribute(thing.sort, name)
        if trait.word is not None:
            mark = self.book.marks[name]
            assert isinstance(trait.value, n.Words)
            self.world.link(mark, thing, self.named(trait.value.names[0].text, mark.other or ""), True)
            return True
        if trait.what == "not":
            if self.book.mark_of(thing.sort, name):
                thing.marks.discard(name)
            elif attribute is not None:
                thing.card[name] = self.world.fitted(thing, attribute, None)
            else:
                return False
            return True
        if trait.what == "word":
            return self.word_trait(thing, name)
        if name == self.book.owner_kind(thing.sort):
            assert isinstance(trait.value, n.Words)
            thing.card[name] = self.named(trait.value.names[0].text, name)
            return True
        if attribute is None:
            if isinstance(trait.value, n.Words):
                turned = n.Trait(0, 0, "is", trait.value.names[0], n.Words(0, 0, (trait.name,)))
                if self.book.attribute(thing.sort, turned.name.text):
                    return self.own_trait(thing, turned)
            return False
        value = self.trait_value(trait.value, attribute)
        if attribute.what == "many":
            value = Many([*self.many_of(thing, name), value])
        thing.card[name] = self.world.fitted(thing, attribute, value)
        return True

    def many_of(self, thing: Thing, name: str) -> list[Any]:
        known = thing.card.get(name)
        return list(known.items) if isinstance(known, Many) else []

    def trait_value(self, cell: Any, attribute: n.AttributeType) -> Any:
        if isinstance(cell, n.Words):
            word = cell.names[0].text
            if word[:1].isupper():
                return self.named(word, attribute.of.text if attribute.of else "side")
            if word in self.readings:
                return self.readings[word]
            return MarkName(word)
        return self.book.cell(cell)

    def word_trait(self, thing: Thing, word: str) -> bool:
        if self.book.mark_of(thing.sort, word):
            thing.marks.add(word)
            mark = self.book.marks[word.removeprefix("fresh-")]
            if word not in self.book.marks:
                thing.marks.discard(word)
                thing.marks.add(mark.name)
                thing.fresh.add(mark.name)
            return True
        for name, attribute in self.book.attributes(thing.sort).items():
            if name == word and attribute.what == "yes or no":
                thing.card[name] = True
                return True
            if attribute.of is not None and word in self.book.rows.get(attribute.of.text, {}):
                row: Any = self.book.rows[attribute.of.text][word]
                if attribute.what == "many":
                    row = Many([*self.many_of(thing, name), row])
                thing.card[name] = row
                return True
        return False

    def named(self, name: str, kind: str) -> Thing:
        """A thing by its name; a side that is only named is made."""
        if name not in self.things_named:
            self.things_named[name] = self.world.make(kind, name)
        return self.things_named[name]

    def owners_of_all(self, described: list[tuple[Thing, Any]], root: Lines) -> None:
        force = root.get("force")
        if force is not None:
            sides = [t for t in self.world.things if self.book.base(t.sort) == "side"]
            self.force = sides[0] if sides else self.named(str(force), "side")
        for thing, _ in described:
            kind = self.book.owner_kind(thing.sort)
            if kind is None or self.book.counted(thing.sort) or isinstance(thing.card.get(kind), Thing):
                continue
            if self.force is not None and kind == "side":
                thing.card[kind] = self.force
            else:
                thing.card[kind] = self.world.make(kind, f"side of {thing.name}")

    # ---- facts
    def world_facts(self, root: Lines) -> None:
        said = root.get("facts")
        for text in said if isinstance(said, list) else [said] if said else []:
            for fact in parse(str(text), "stated").facts:
                self.state_fact(fact)

    def state_fact(self, fact: n.StatedFact) -> None:
        *holders, last = fact.path.parts
        args: list[Any] = list(last.args or ())
        scope = Scope()
        if holders:
            subject = self.path(n.Path(0, 0, tuple(holders)), scope)
        elif args:
            first = args.pop(0)
            subject = self.made_by(first) or self.value(first, scope)
        else:
            subject = None
            if self.force is not None:
                subject = self.force
        definition = self.book.of("fact").get(last.name)
        if definition is None:
            self.state_card(subject, last.name, fact)
            return
        told: list[Any] = []
        for param, arg in zip(definition.title.params, args, strict=True):
            told.append(self.made_by(arg) or fact_key(self.told_one(param, arg, scope)))
        attribute = parse(str(definition.body), "attribute")
        value: Any = not fact.negated
        if fact.value is not None:
            value = self.world.fitted(subject, attribute, self.value(fact.value, scope))
        if any(isinstance(x, OfLine) for x in (subject, *told)):
            self.facts_of_lines.append((definition.name, (subject, *told), value))
        else:
            self.facts[definition.name, (subject, *told)] = value

    def made_by(self, node: Any) -> OfLine | None:
        """The line that makes the thing which a fact is of, where it is such a line."""
        if not isinstance(node, n.Path) or node.parts[0].name in {*self.things_named, *self.book.words, *self.readings}:
            return None
        return OfLine(tuple(p.name for p in node.parts))

    def state_card(self, subject: Any, name: str, fact: n.StatedFact) -> None:
        for thing in self.things(subject):
            if self.book.mark_of(thing.sort, name) and not fact.negated:
                self.word_trait(thing, name)
            elif self.book.mark_of(thing.sort, name):
                thing.marks.discard(name)
                thing.fresh.discard(name.removeprefix("fresh-") if name not in self.book.marks else "")
            else:
                value: Any = not fact.negated if fact.value is None else self.value(fact.value, Scope(None, {}, thing))
                self.world.put(thing, name, value)

    # ---- how is chosen
    def choices(self, said: Any) -> None:
        """A line goes before a policy, that of a side before that of everybody; `A.LINE`, that of a unit, before all."""
        units: list[tuple[Thing | None, tuple[str, ...], str]] = []
        owners: list[tuple[Thing | None, tuple[str, ...], str]] = []
        lines: list[tuple[Thing | None, tuple[str, ...], str]] = []
        sides: list[tuple[Thing | None, str]] = []
        everybody: list[tuple[Thing | None, str]] = []
        pairs = said if isinstance(said, Lines) else [str(x).split(" ", 1) for x in _listed(said)]
        everybody += [(None, pair[0]) for pair in pairs if len(pair) == 1]
        for key, value in (pair for pair in pairs if len(pair) == 2):
            if key == "everybody":
                everybody.append((None, value))
            elif key[:1].isupper() and "." in key:
                name, _, line = key.partition(".")
                thing = self.named(name, "unit")
                above = thing is not self.world.owner(thing)
                (units if above else owners).append((thing, tuple(line.split(".")), str(value)))
            elif key[:1].isupper():
                sides.append((self.world.owner(self.named(key, "side")), value))
            else:
                lines.append((None, tuple(key.split(".")), str(value)))
        for whose, policy in [*sides, *everybody]:
            body = self.book.of("policy")[policy].body
            assert isinstance(body, list)
            lines += [(whose, tuple(e.name.split(".")), str(e.body)) for e in body]
        self.wishes = [*units, *owners, *lines]


def _listed(said: Any) -> list[Any]:
    return said if isinstance(said, list) else [said] if said else []
