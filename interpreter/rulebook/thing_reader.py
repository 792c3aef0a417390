"""Parses descriptions of things: their number, attributes and marks.

Input: the mapping of a situation. Output: things with attribute values, and marks between two of them. A word is looked
up in the attributes of the thing itself before those of what it holds. It does not know what is done with the things.
"""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Any

from interpreter.document.nodes import Mapping, Node, Scalar, Sequence
from interpreter.language import nodes as n
from interpreter.source import Fix, Label, Problems, Span, nearest, suggest
from interpreter.vocabulary.types import NUMBER, TRUTH

from .book import kind_of_irregular_plural
from .construct import unstated_value
from .marks_between import report_missing_other
from .procedures import Checker
from .scope import find_attribute
from .situation import Group, Thing, texts
from .symbols import Attribute, Kind, Where


def state_between(
    mark: Attribute,
    trait: n.Trait,
    at: Scalar,
    one: Thing | None,
    names: dict[str, Thing],
    problems: Problems,
) -> None:
    """Add the other thing to the mark of `one`, and vice versa for a mark that is both ways; report mistakes."""
    span = at.at(trait.start, trait.end)
    other = trait.value.names[0].text if isinstance(trait.value, n.Words) else ""
    if one is None or not mark.between:
        label, hint = "this is no mark between two", f"say `{mark.name}`"
        problems.add("T018", span, mark=mark.name, label=label, hint=hint)
    elif trait.word != mark.word:
        label, hint = f"it is {mark.word} somebody", f"say `{mark.name} {mark.word} {other}`"
        problems.add("T018", span, mark=mark.name, label=label, hint=hint)
    elif other == one.name:
        problems.add("T018", span, mark=mark.name, label="nobody has it with itself", hint="name another one")
    elif other not in names or not names[other].kind.is_a(mark.type.of):
        close = problems.nearest(other, [x.name for x in names.values() if x.kind.is_a(mark.type.of)], span)
        problems.add("F014", span, name=other, kind=mark.type.of.name, **suggest(span, close[:1]))
    else:
        _put(one, mark, other)
        if mark.both_ways:
            _put(names[other], mark, one.name)


def _put(thing: Thing, mark: Attribute, other: str) -> None:
    thing.values[mark] = tuple(sorted({*thing.values.get(mark, ()), other}))


KEYWORDS = (
    "rules",
    "force",
    "breaks",
    "do",
    "facts",
    "choose",
    "rulings",
    "dice",
    "then",
    "odds",
    "given",
    "trace",
    "error",
    "about",
    "cites",
    "ask",
)


_SOME = r"(?<![a-z0-9-])([0-9]+) +([a-z][a-z0-9-]*)(?= *(?:,|$))"
_NUMBERS = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]


class ThingReader:
    """Parses the things that situations describe, by the kinds of a checked book: `things` returns them with their
    attributes, marks and owners, after reporting mistakes.
    """

    def __init__(self, checker: Checker) -> None:
        self.c = checker
        self.book = checker.book
        self.problems = checker.sentences.problems
        self.sentences = checker.sentences
        self._uncounted = False  # whether the current text states a number in words

    def things(self, root: Mapping) -> list[Thing]:
        """The things that a situation describes, with the owners that it implies."""
        found: list[Thing] = []
        seen: dict[str, Where] = {}
        for entry in root:
            words = entry.key.text.split(" ")
            if entry.key.text in KEYWORDS or len(words) != 2:
                continue
            kind = self.book.kinds.get(words[0])
            where = Where(entry.key, len(words[0]) + 1, len(entry.key.text))
            if kind is None or kind.counted:
                known = [k.name for k in self.book.kinds.values() if not k.counted]
                close = self.problems.nearest(words[0], known, entry.key.span)
                span = entry.key.at(0, len(words[0]))
                meant = suggest(span, close[:1], "kinds of things: " + ", ".join(known))
                self.problems.add("N001", span, name=words[0], what="kind of thing", **meant)
                self.problems.lost.add(words[1])
                continue
            if words[1] in seen:
                self.problems.add("F011", where.span, name=words[1])
                continue
            if not words[1][:1].isupper():
                self.problems.add(
                    "F016",
                    where.span,
                    wanted="a name that begins with a capital",
                    hint=f"`{words[0]} {words[1].capitalize()}`",
                )
                self.problems.lost |= {words[1], words[1].capitalize()}
                continue
            seen[words[1]] = where
            thing = Thing(words[1], kind, where)
            found.append(thing)
        by_name = {x.name: x for x in found}
        for entry in root:
            words = entry.key.text.split(" ")
            declared = by_name.get(words[-1]) if len(words) == 2 else None
            if declared is not None and declared.where.scalar is entry.key:
                self._describe(by_name[words[1]], entry.value, by_name)
        found += [x for x in by_name.values() if x not in found]
        force = root.get("force")
        self._owners(found, force if isinstance(force, Scalar) else None)
        return found

    def _owners(self, found: list[Thing], force: Scalar | None) -> None:
        """Give each thing without a stated owner an owner of its own, so that they are enemies; in a force all share
        one.
        """
        for thing in found:
            kind = thing.kind
            root = next((k for k in kind.lineage() if k.owner is not None and k.owner.name in k.attributes), None)
            if root is None or root.owner is None:
                continue
            relation = root.attributes[root.owner.name]
            if relation not in thing.values and force is not None:
                thing.values[relation] = self._owner_in(force, root.owner, found, thing)
            elif relation not in thing.values:
                owner = Thing(f"{root.owner.name} of {thing.name}", root.owner, thing.where)
                found.append(owner)
                thing.values[relation] = owner.name
        if force is not None:
            self._one_owner(found, force)

    def _one_owner(self, found: list[Thing], force: Scalar) -> None:
        """Report a second owner in a force."""
        owning = {x.kind.root.owner for x in found if x.kind.root.owner is not None}
        for kind in [k for k in self.book.kinds.values() if k in owning]:
            owners = [x for x in found if x.kind.is_a(kind)]
            for other in owners[1:]:
                label = [Label(owners[0].where.span, f"it is {owners[0].name}'s")]
                first, second = owners[0].name, other.name
                self.problems.add("F020", other.where.span, others=label, force=force.text, first=first, second=second)

    def _owner_in(self, force: Scalar, kind: Kind, found: list[Thing], thing: Thing) -> str:
        owners = [x for x in found if x.kind.is_a(kind)]
        if len(owners) > 1:
            hint = " or ".join(f"`{kind.name} {x.name}`" for x in owners)
            self.problems.add("F016", thing.where.span, wanted=f"its {kind.name}", hint=f"say {hint}")
        if not owners:
            taken = force.text in {x.name for x in found}
            name = f"{kind.name} {force.text}" if taken else force.text
            owners.append(Thing(name, kind, Where(force, 0, len(force.text)), described=False))
            found.append(owners[0])
        return owners[0].name

    def _describe(self, thing: Thing, node: Node, names: dict[str, Thing]) -> None:
        if isinstance(node, Scalar):
            if node.text:
                self._traits(thing, node, node.text, names)
            return
        if isinstance(node, Sequence):
            for item in node:
                self._describe(thing, item, names)
            return
        for entry in node:
            if entry.key.text == "is":
                for scalar in texts(entry.value):
                    self._traits(thing, scalar, scalar.text, names)
                continue
            counted = self._counted(thing.kind, entry.key.text)
            if counted is None:
                known = ["is", *(b.plural for b in self._held(thing.kind))]
                self._unknown(entry.key, n.Name(0, len(entry.key.text), entry.key.text), thing.kind, known)
                continue
            for scalar in texts(entry.value):
                self._group(thing, counted, scalar, names)

    def _held(self, kind: Kind) -> list[Kind]:
        return [s for k in kind.lineage() for bag in k.bags for s in bag.sorts()]

    def _counted(self, kind: Kind, word: str) -> Kind | None:
        return next((b for b in self._held(kind) if word in (b.plural, b.name)), None)

    def _group(self, thing: Thing, counted: Kind, scalar: Scalar, names: dict[str, Thing]) -> None:
        if not scalar.text[:1].isdigit():
            self.problems.add("F016", scalar.span, wanted="how many they are", hint="begin with a number, such as `4`")
            return
        node = self.sentences.read(scalar, "counted", n.Counted)
        if node is None:
            return
        group = Group(counted, self._how_many(node.count, scalar), {}, Where(scalar, 0, len(scalar.text)))
        thing.groups.append(group)
        for trait in node.traits:
            before = {**group.values}
            self._trait(counted, group.values, trait, scalar, names)
            self._not_otherwise(before, group.values, scalar.at(trait.start, trait.end))

    def _not_otherwise(self, before: dict[Attribute, Any], after: dict[Attribute, Any], span: Span) -> None:
        """Report a trait that contradicts an earlier one; a set may be extended."""
        for attribute, value in before.items():
            if after.get(attribute) != value and not attribute.type.many:
                self.problems.add("N003", span, name=attribute.name, label="it was said to be something else")

    def _how_many(self, count: n.Number, scalar: Scalar) -> int:
        if count.value > 400:
            span = scalar.at(count.start, count.end)
            self.problems.add("F010", span, found=count.value, wanted="up to 400 of one sort")
            return 1
        return count.value

    def _traits(self, thing: Thing, scalar: Scalar, text: str, names: dict[str, Thing]) -> None:
        node = self.sentences.read(scalar, "thing", n.Thing)
        if node is None:
            return
        shared: dict[Attribute, Any] = {}
        mine: list[Group] = []
        self._uncounted = False
        for trait in node.traits:
            counted = self._counted(thing.kind, trait.name.text) if trait.what == "count" else None
            if counted is not None and isinstance(trait.value, n.Number):
                count = self._how_many(trait.value, scalar)
                group = Group(counted, count, {}, Where(scalar, trait.start, trait.end))
                thing.groups.append(group)
                mine.append(group)
                continue
            before = {**thing.values, **shared}
            self._trait(thing.kind, thing.values, trait, scalar, names, shared)
            self._not_otherwise(before, {**thing.values, **shared}, scalar.at(trait.start, trait.end))
        if shared and len(mine) > 1:
            span = mine[1].where.span
            hint = f"list them: `{mine[1].kind.plural}: [4 with …, 2 with …]`"
            self.problems.add("F016", span, wanted="one sort in one text", hint=hint)
        for group in mine:
            group.values.update(shared)
        if shared and not mine and not self._uncounted:
            trait = node.traits[0]
            many = next(iter(shared)).kind.plural
            wanted, hint = f"the number of {many}", f"`6 {many}`"
            self.problems.add("F016", scalar.at(trait.start, trait.end), wanted=wanted, hint=hint)

    def _trait(
        self,
        kind: Kind,
        values: dict[Attribute, Any],
        trait: n.Trait,
        scalar: Scalar,
        names: dict[str, Thing],
        shared: dict[Attribute, Any] | None = None,
    ) -> None:
        """Apply one trait to `values`; attributes of figures that the thing holds go to `shared`."""
        held = self._held(kind) if shared is not None else []
        name = trait.name.text

        def owners(word: str) -> list[tuple[Attribute, dict[Attribute, Any]]]:
            found = []
            attribute = find_attribute(kind, word) if kind.counted else kind.find(word)
            if attribute is not None:
                found.append((attribute, values))
            for h in held:
                a = h.find(word)
                if a is not None and shared is not None and (a, shared) not in found:
                    found.append((a, shared))
            return found

        if trait.what in ("is", "count"):
            places = owners(name) or (owners(name + "s") if trait.what == "count" else [])
            value: Any = trait.value
            if not places and isinstance(value, n.Words) and owners(value.names[0].text):
                places, value = owners(value.names[0].text), n.Words(trait.name.start, trait.name.end, (trait.name,))
            if not places:
                if isinstance(value, n.Words) and self._counted(kind, value.names[0].text) is not None:
                    self._in_words(scalar, trait, value.names[0].text, shared)
                    return
                self._unknown(scalar, trait.name, kind, self._words(kind, held), trait)
                return
            attribute, where = places[0]
            if attribute.between or trait.word is not None:
                one = next((x for x in names.values() if x.values is values), None)
                state_between(attribute, trait, scalar, one, names, self.problems)
                return
            if trait.what == "count" and attribute.type == TRUTH and where is shared and places[0][0].name == name:
                many = attribute.kind.plural
                hint = f"some of them: `{many}: [6, {scalar.text[trait.start : trait.name.start].strip()} with {name}]`"
                found = scalar.text[trait.start : trait.end]
                self.problems.add("F010", scalar.at(trait.start, trait.end), found=found, wanted="yes or no", hint=hint)
                return
            self._set(attribute, where, value, trait, scalar, names)
            return
        if trait.what == "not":
            places = [p for p in owners(name) if p[0].type == TRUTH or p[0].optional]
            if not places:
                self._unknown(scalar, trait.name, kind, self._words(kind, held), trait)
                return
            places[0][1][places[0][0]] = unstated_value(places[0][0])
            return
        flags = [p for p in owners(name) if p[0].type == TRUTH]
        between = [a for a, _ in owners(name) if a.between]
        if between:
            report_missing_other(self.problems, between[0], scalar, trait.name, f"{name} {between[0].word} …")
            return
        rows = self._row_attributes(kind, values, held, shared, name)
        if flags:  # a mark takes precedence over a set of rows, whose rows can be given with the set's name
            rows = [r for r in rows if r[0].type.name == "row"]
        if len(flags) + len(rows) > 1 and len({id(a) for a, _, _ in rows} | {id(a) for a, _ in flags}) > 1:
            options = " or ".join(f"{a.name} {name}" for a, _, _ in rows) or name
            choices = " or ".join(f"`{a.name} {name}`" for a, _, _ in rows)
            asked = f"say {choices}" if rows else None
            self.problems.add("F003", scalar.at(trait.start, trait.end), word=name, options=options, hint=asked)
        elif flags:
            attribute, where = flags[0]
            where |= dict.fromkeys(attribute.stated(), True)
        elif rows:
            attribute, where, index = rows[0]
            _put_row(attribute, where, index)
        else:
            self._unknown(scalar, trait.name, kind, self._words(kind, held), trait)

    def _row_attributes(
        self, kind: Kind, values: dict[Attribute, Any], held: list[Kind], shared: dict[Attribute, Any] | None, word: str
    ) -> list[tuple[Attribute, dict[Attribute, Any], int]]:
        """The attributes that a bare word may set: those of the thing itself, else those of what it holds.

        If several of one kind fit, the only one without a default is meant.
        """
        cards = [[(a, values) for a in kind.all_attributes()]]
        if shared is not None:
            cards.append([(a, shared) for h in held for a in h.all_attributes()])
        for card in cards:
            found: list[tuple[Attribute, dict[Attribute, Any], int]] = []
            for attribute, where in card:
                rows = attribute.type.of.rows if attribute.type.name in ("row", "rows") else {}
                if word in rows and all(attribute is not a for a, _, _ in found):
                    found.append((attribute, where, rows[word].index))
            needed = [f for f in found if self.c.defaults.get(f[0]) is None]
            if found:
                return needed if len(needed) == 1 else found
        return []

    def _words(self, kind: Kind, held: list[Kind]) -> list[str]:
        words: list[str] = []
        for k in [*kind.sorts(), *held]:
            for a in k.all_attributes():
                words.append(a.name)
                if a.type.name in ("row", "rows"):
                    words += a.type.of.rows
            words.append(k.plural)
        return words

    def _in_words(self, scalar: Scalar, trait: n.Trait, things: str, shared: dict[Attribute, Any] | None) -> None:
        """Report a count in words: `six figures`."""
        name = trait.name
        number = _NUMBERS.index(name.text) + 1 if name.text in _NUMBERS else None
        span = scalar.at(name.start, name.end)
        fix = Fix(span, str(number), False, f"write `{number} {things}`") if number is not None else None
        self.problems.add("F016", span, wanted=f"the number of {things}", hint=f"`{number or 6} {things}`", fix=fix)
        self._uncounted = True

    def _unknown(
        self, scalar: Scalar, word: n.Name, kind: Kind, known: list[str], trait: n.Trait | None = None
    ) -> None:
        if trait is not None and (turned := self._corrected_trait(word.text, kind, trait)) is not None:
            span = scalar.at(trait.start, trait.end)
            hint, fix = f"its name stands first: `{turned}`", Fix(span, turned, False, f"write `{turned}`")
            self.problems.add("F002", span, word=span.text, kind=kind.name, hint=hint, fix=fix)
            return
        span = scalar.at(word.start, word.end)
        sort = next((s for s in kind.sorts() if s is not kind and word.text in s.attributes), None)
        if sort is not None and not kind.counted:
            hint = f"`{word.text}` describes a {sort.name}: let the line begin with `{sort.name}`, if it is one"
            self.problems.add("F002", span, word=word.text, kind=kind.name, hint=hint)
            return
        counted = kind_of_irregular_plural(word.text, self.book.kinds)
        close = [counted.plural] if counted is not None else self.problems.nearest(word.text, known, span)
        meant = suggest(span, close)
        row = word.text if word.text in known else close[0] if close else None
        if trait is not None and trait.what == "count" and row is not None and self.book.words.get(row):
            many = next((h.plural for h in self._held(kind)), None)
            number = scalar.text[trait.start : word.start].strip()
            some = [each for each in re.findall(_SOME, scalar.text) if self.book.words.get(each[1])]
            if many and len(some) > 1:
                if some[0] != (number, word.text):
                    return  # reported at the first of them
                groups = ", ".join(f"{count} with {each}" for count, each in some)
                meant = {"hint": f"several sorts stand below what it is, as a list: `{many}: [{groups}]`", "fix": None}
            elif many:
                meant = {"hint": f"`{number} {many}, {row}`: the number is that of the {many}", "fix": None}
        self.problems.add("F002", span, word=word.text, kind=kind.name, **meant)

    def _corrected_trait(self, row: str, kind: Kind, trait: n.Trait) -> str | None:
        """The correct form of a trait such as `light armor`: the attribute, as declared, and then its row; None if no
        attribute has that row.
        """
        row_word = trait.value.names[0].text if isinstance(trait.value, n.Words) else ""
        every = [a for k in [*kind.sorts(), *self._held(kind)] for a in k.all_attributes()]
        fits = [a.name for a in every if a.type.name in ("row", "rows") and row in a.type.of.rows]
        name = row_word if row_word in fits else next(iter(nearest(row_word, fits)), None) if row_word else None
        return f"{name} {row}" if name is not None else None

    def _set(
        self,
        attribute: Attribute,
        where: dict[Attribute, Any],
        value: Any,
        trait: n.Trait,
        scalar: Scalar,
        names: dict[str, Thing],
    ) -> None:
        type_ = attribute.type
        span = scalar.at(trait.start, trait.end)
        word = value.names[0].text if isinstance(value, n.Words) else None
        if isinstance(value, n.Absent) or word == "none":
            where[attribute] = unstated_value(attribute)
        elif type_.name == "row" and word is not None:
            if word not in type_.of.rows:
                close = self.problems.nearest(word, type_.of.rows, span)
                at = scalar.at(value.start, value.end)
                meant = suggest(at, close[:1], f"rows of {type_.of.name}: " + ", ".join(type_.of.rows))
                self.problems.add("F010", span, found=word, wanted=f"a row of {type_.of.name}", **meant)
            else:
                where[attribute] = type_.of.rows[word].index
        elif type_.name == "thing" and word is not None:
            if word not in names and self._is_implied_owner(attribute, word, names):
                names[word] = Thing(word, type_.of, Where(scalar, trait.start, trait.end), described=False)
            if word not in names or not names[word].kind.is_a(type_.of):
                things = (x.name for x in names.values() if x.kind.is_a(type_.of))
                close = self.problems.nearest(word, things, span)
                meant = suggest(scalar.at(value.start, value.end), close[:1])
                self.problems.add("F014", span, name=word, kind=type_.of.name, **meant)
            else:
                where[attribute] = word
        elif type_.name in ("number", "inches") and isinstance(value, n.Number | n.Inches):
            number = value.value if isinstance(value, n.Number) else _whole(value.value)
            if (type_ == NUMBER and isinstance(value, n.Inches)) or (
                type_.name == "inches" and isinstance(value, n.Number)
            ):
                self.problems.add("T001", span, found="a number", wanted=type_.words(), hint='inches are written `6"`')
            low, high = attribute.low, attribute.high
            if low is not None and high is not None and not low <= number <= high:
                at = scalar.at(value.start, value.end)
                self.problems.add("F010", at, found=f"{attribute.name} {number}", wanted=f"{low} to {high}")
            where[attribute] = number
        elif type_.name == "things" and word is not None:
            if word not in names or not names[word].kind.is_a(type_.of):
                self.problems.add("F014", span, name=word, kind=type_.of.name)
            else:
                where[attribute] = tuple(sorted({*where.get(attribute, ()), word}))
        elif type_.name == "rows" and word is not None and word in type_.of.rows:
            _put_row(attribute, where, type_.of.rows[word].index)
        else:
            meant = suggest(span, [])
            if type_.name in ("row", "rows"):
                words = self.problems.nearest(word, type_.of.rows, span) if word is not None else []
                shown = ", ".join(list(type_.of.rows)[:8]) + (", …" if len(type_.of.rows) > 8 else "")
                meant = suggest(scalar.at(value.start, value.end), words[:1], f"rows of {type_.of.name}: {shown}")
            self.problems.add("F010", span, found=scalar.text[trait.start : trait.end], wanted=type_.words(), **meant)

    @staticmethod
    def _is_implied_owner(attribute: Attribute, word: str, names: dict[str, Thing]) -> bool:
        """Whether `side Red` implicitly creates the side. If sides are described, it does not: a new name is then a
        typo.
        """
        owner = attribute.kind.owner
        if owner is None or attribute.name != owner.name or not word[:1].isupper():
            return False
        return not any(x.kind is owner and x.described for x in names.values())


def _put_row(attribute: Attribute, where: dict[Attribute, Any], row: int) -> None:
    """Set an attribute to a row, or add the row to a set."""
    where[attribute] = row if attribute.type.name == "row" else tuple(sorted({*where.get(attribute, ()), row}))


def _whole(value: Fraction) -> Any:
    return int(value) if value.denominator == 1 else value
