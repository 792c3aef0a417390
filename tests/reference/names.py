"""Names: what a path of names means where it stands."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any

from interpreter.language import nodes as n

from . import Unsupported
from .book import Mark
from .chance import fits
from .layers import Definition
from .scopes import MISSING, Runs, Scope, descend, search, settled, structural
from .sorts import Sorts
from .things import BLANK, NOT_RUN, Band, Inches, Linked, Many, Row, Shots, Thing, Word, empty
from .trees import Wrong, parse

FUNCTIONS = {"min", "max", "first", "lowest", "highest", "alike", "most-common", "sum", "half", "whole", "ran"}


class RollOf:
    """A roll of a thing, with what it was told; `thing` is None where each that throws is asked for itself."""

    def __init__(self, definition: Definition, thing: Thing | None, told: list[Any]) -> None:
        self.definition, self.thing, self.told = definition, thing, told


class At:
    """A place where a rule may set in, in an address: `after-out` of `after-out.snap.shot`."""

    def __init__(self, place: str) -> None:
        self.place = place


class From:
    """A file, in the address of a line that others call alike: `from-garden` of `from-garden.lucky`."""

    def __init__(self, name: str) -> None:
        self.name = name

    def gives(self, file: str) -> bool:
        return self.name == "from-" + re.sub(r"[^a-z0-9]+", "-", file)


class Names(Sorts):
    def path(self, path: n.Path, scope: Scope) -> Any:
        """What a path comes to; a line may still be a block, a loop or a record."""
        first, *rest = path.parts
        value = self.first_part(first, scope, [part.name for part in rest])
        for part in rest:
            value = self.part_of(value, part, scope)
        return value

    def first_part(self, part: n.Part, scope: Scope, more: Sequence[str] = ()) -> Any:
        name = part.name
        if part.args is None:
            found = self.local(name, scope)
            if found is not MISSING:
                return found
        elif name in FUNCTIONS:
            return self.function(name, part.args, scope)
        for s in scope.chain():
            if s.card is not None:
                found = self.on_card(s.card, part, scope)
                if found is not MISSING:
                    return found
        free = self.book.of("value").get(name)
        if free is not None and free.title.of is None:
            return self.worked_out(free, None, self.told(free.title.params, part.args or (), scope))
        if part.args is not None:
            return self.of_first(part, scope)
        if more and (found := self.local(name, scope, whole=True)) is not MISSING:
            return found
        return self.everywhere(name, more)

    def local(self, name: str, scope: Scope, whole: bool = False) -> Any:
        """What is called so around a sentence; `whole`: by an address, which also means lines of other files."""
        if name.startswith("from-"):
            return From(name)
        for s in scope.chain():
            if name in s.vars:
                return s.vars[name]
            if s.block is not None:
                found = search(s.block, name, self.asking, **({} if whole else self.heard()))
                if found is not MISSING:
                    return found
        return MISSING

    def heard(self) -> dict[str, Any]:
        """Whether a file's lines may be named by the one that speaks, and whether they are its own."""
        owns = self.asker.__eq__ if self.asker else None
        return {"hears": partial(self.book.layers.hears, self.asker), "owns": owns}

    def of_first(self, part: n.Part, scope: Scope) -> Any:
        """`distance(unit, target)`: the first of those in brackets is the subject."""
        assert part.args is not None
        subject = self.value(part.args[0], scope)
        if subject is None or empty(subject):
            return subject if subject is NOT_RUN and self.asking else self.of_nobody(part.name)
        if not isinstance(subject, Thing):
            raise Wrong(f"{part.name} of {subject}")
        found = self.on_card(subject, n.Part(0, 0, part.name, part.args[1:] or None), scope)
        if found is MISSING:
            raise Wrong(f"nothing is called {part.name}")
        return found

    def everywhere(self, name: str, more: Sequence[str]) -> Any:
        if name in self.things_named:
            return self.things_named[name]
        if name in self.readings:
            return self.readings[name]
        if name in self.book.plurals:
            return Many(self.world.all(self.book.plurals[name]))
        if name in self.book.rows and name in self.book.of("table"):
            return Many(list(self.book.rows[name].values()))
        cell = more and any(more[0] in row.cells for row in self.book.words.get(name, ()))
        done = {*self.book.of("rule"), *self.book.procedures, *self.book.of("outcomes")}
        if self.asking and more and not cell and name in done:
            runs = self.rule_runs.get(name) or self.procedure_runs.get(name)
            return self.all_runs(runs) if runs else NOT_RUN
        if self.asking and more and name.startswith(("before-", "after-")) and name not in self.book.words:
            return At(name)
        return self.book.word(name)

    def all_runs(self, runs: list[Any]) -> Any:
        """What the situation does is one run, and its lines are these; others are put together as rounds are."""
        done = self.root.results.values()
        return runs[0] if len(runs) == 1 and any(x is runs[0] for x in done) else Runs([], runs)

    # ---- cards
    def on_card(self, thing: Any, part: n.Part, scope: Scope) -> Any:
        """What stands on a card under this name, or is worked out of it; MISSING if there is nothing such."""
        if isinstance(thing, Row) and part.args is None and part.name in thing.cells:
            return self.cell_of(thing, part.name)
        if not isinstance(thing, Thing):
            return MISSING
        name, book = part.name, self.book
        if part.args is None:
            if name in ("owner",):
                return self.world.owner(thing)
            if name == book.owner_kind(thing.sort) or book.attribute(thing.sort, name) is not None:
                return self.world.get(thing, name)
            if name in book.plurals and book.owner_kind(book.plurals[name]) is not None:
                if book.base(book.owner_kind(book.plurals[name]) or "") == book.base(thing.sort):
                    return Many(self.world.held(thing, book.plurals[name]))
            if name in book.out_marks:
                mark = book.out_marks[name]
                if book.owner_kind(mark.of) and book.base(book.owner_kind(mark.of) or "") == book.base(thing.sort):
                    return Many(self.world.held(thing, mark.of, mark.name))
            if (mark := book.mark_of(thing.sort, name)) is not None:
                return self.has_mark(thing, name) if mark.other is None else self.linked(thing, mark)
        for what in ("value", "fact", "outcomes", "roll"):
            definition = book.on_card(what, thing.sort, name)
            if definition is None or len(part.args or ()) != len(definition.title.params):
                continue
            if what == "outcomes":
                continue
            told = self.told(definition.title.params, part.args or (), scope)
            if what == "value":
                return self.worked_out(definition, thing if definition.title.of else None, told)
            if what == "fact":
                return self.fact(definition, thing, told)
            return RollOf(definition, thing, told)
        definition = book.on_card("outcomes", thing.sort, name)
        if definition is not None and part.args is not None:
            return self.outcome(definition, thing, self.told(definition.title.params, part.args, scope), scope)
        return MISSING

    def linked(self, thing: Thing, mark: Mark) -> Linked:
        """Those with whom a thing bears a mark between two."""
        if not self.may_link(thing, mark):
            return Linked([])
        whom = thing.links.get(mark.name, [])
        return Linked([t for t in self.world.all(mark.other or "") if t in whom and self.may_link(t, mark)])

    def may_link(self, thing: Thing, mark: Mark, *, made: bool = False) -> bool:
        """It is in play, and what the mark says of both is so of it; `made`: or made by what is done together here."""
        holding = mark.ending.holding if mark.ending is not None else None
        if not self.world.in_play(thing) and not (made and thing.coming and self.world.landing is not None):
            return False
        if holding is None or self.book.base(thing.sort) != self.book.base(mark.of):
            return True
        return self.truth(holding, Scope(None, {mark.of: thing}, thing))

    def has_mark(self, thing: Thing, name: str) -> bool:
        if name in self.book.marks and self.book.marks[name].other is not None:
            return bool(self.linked(thing, self.book.marks[name]).items)
        if name not in self.book.marks and name.startswith("fresh-"):
            return name.removeprefix("fresh-") in thing.fresh
        return name in thing.marks

    def told(self, params: tuple[n.Parameter, ...], args: tuple[Any, ...], scope: Scope) -> list[Any]:
        return [self.told_one(p, a, scope) for p, a in zip(params, args, strict=True)]

    def told_one(self, param: n.Parameter, arg: Any, scope: Scope) -> Any:
        """What is handed on, as what it is to be: a number, a row, a collection, a thing."""
        kind = param.kind.text if param.kind else param.name.text
        if kind in self.book.kinds or kind in self.book.plurals:
            return self.value(arg, scope)
        if kind in self.book.rows:
            value = self.value(arg, scope)
            if isinstance(value, Word):
                return self.book.rows[kind][value.name]
            return value
        return self.number(arg, scope)

    # ---- facts
    def fact(self, definition: Definition, thing: Thing, told: list[Any]) -> Any:
        attribute = parse(str(definition.body), "attribute")
        found = self.world.become.get((definition.name, thing, *map(fact_key, told)), MISSING)
        found = self.stated(definition.name, (thing, *told)) if found is MISSING else found
        if self.both_ways(definition, told):
            found = self.stated(definition.name, (told[0], thing)) if found is MISSING else found
        if found is not MISSING:
            return found
        if thing.source is not None:
            return self.fact(definition, thing.source, told)
        for i, one in enumerate(told):
            if isinstance(one, Thing) and one.source is not None:
                return self.fact(definition, thing, [*told[:i], one.source, *told[i + 1 :]])
        if attribute.first is None:
            raise Unsupported(f"{definition.name} of {thing} is not stated")
        value = self.value(attribute.first, Scope(None, {}, thing))
        return self.world.fitted(thing, attribute, value)

    def both_ways(self, definition: Definition, told: list[Any]) -> bool:
        attribute = parse(str(definition.body), "attribute")
        said = attribute.both_ways is not None or (attribute.what == "inches" and attribute.first is None)
        return said and len(told) == 1 and isinstance(told[0], Thing)

    def stated(self, name: str, args: tuple[Any, ...]) -> Any:
        """What the situation says of these; MISSING if nothing."""
        if (name, tuple(map(fact_key, args))) in self.facts:
            return self.facts[name, tuple(map(fact_key, args))]
        return next((v for what, wanted, v in self.facts_of_lines if what == name and meant(wanted, args)), MISSING)

    # ---- parts
    def part_of(self, value: Any, part: n.Part, scope: Scope) -> Any:
        if isinstance(value, From):
            blocks = [s.block for s in scope.chain() if s.block is not None]
            found = [x for b in blocks if (x := search(b, part.name, self.asking, value.gives)) is not MISSING]
            return found[0] if found else NOT_RUN
        if isinstance(value, At):
            runs = self.rule_runs.get(f"{value.place}.{part.name}")
            return Runs([], runs) if runs else NOT_RUN
        if structural(value):
            if part.args is None:
                for heard in (self.heard(), {}):  # what its file may name, else by the address any line
                    found = descend(value, part.name, None, self.asking, **heard)
                    if found is not MISSING:
                        return found
            value = settled(value)
        if value is None or empty(value):
            line = value is NOT_RUN and (self.asking or not self.stands_on_cards(part.name))
            return value if line else self.of_nobody(part.name)
        if isinstance(value, Thing):
            found = self.on_card(value, part, scope)
            if found is MISSING:
                raise Wrong(f"{value} has no {part.name}")
            return found
        if isinstance(value, RollOf) and part.name == "needed":
            return self.number_needed(value)
        if isinstance(value, Word):
            value = next((r for r in value.rows if part.name in r.cells), value.rows[0])
        if isinstance(value, Row):
            return self.cell_of(value, part.name)
        if isinstance(value, Many):
            return self.of_each(value, part, scope)
        raise Wrong(f"{value!r} has no {part.name}")

    def stands_on_cards(self, name: str) -> bool:
        """Whether it may be asked of a thing or of a row, so that it need not be a line of what was not run."""
        columns = (row.cells for rows in self.book.rows.values() for row in rows.values())
        return any(self.book.attribute(k, name) for k in self.book.kinds) or any(name in cells for cells in columns)

    def of_nobody(self, name: str) -> Any:
        """What is asked of nobody: 0 or no; a row, a cell and what may be none are none."""
        if (value := self.book.of("value").get(name)) is not None:
            return None if self.has_none_for_a_base(value) else BLANK
        if name in self.book.of("fact"):
            return BLANK
        nothing = {"number": 0, "inches": Inches(Fraction(0)), "yes or no": False}
        known = [a for kind in self.book.kinds if (a := self.book.attribute(kind, name)) is not None]
        return next((nothing.get(a.what) for a in known if not a.optional), None)

    def cell_of(self, row: Row, name: str) -> Any:
        if name in row.cells:
            title = next(c for c in self.book.of("table")[row.table].columns if c.name.text == name)
            if title.by is not None and row.cells[name] is not None:
                return Shots(row.cells[name], row.cells[title.by.text])
            value = row.cells[name]
            if isinstance(value, Band):
                far = max(value.values)
                return Inches(far) if value.inches else far
            return value
        if name in self.book.marks and self.book.marks[name].of == row.table:
            return name in row.marks
        raise Wrong(f"rows of {row.table} have no {name}")

    def of_each(self, many: Many, part: n.Part, scope: Scope) -> Many:
        items: list[Any] = []
        nones = many.nones
        for item in many.items:
            value = self.part_of(item, part, scope)
            if isinstance(value, Many):
                items += [x for x in value.items if not isinstance(x, Thing) or not any(x is y for y in items)]
                nones += value.nones
            elif value is None or empty(value):
                nones += 1
            else:
                items.append(value)
        return Many(items, nones)

    def shots_at(self, cell: Any, at: Any) -> Any:
        """`weapon.shots at D`: of near and far, what counts at this distance; beyond them, and of nobody, 0."""
        if not isinstance(cell, Shots) or cell.cell is None or cell.ranges is None:
            return 0
        if not isinstance(at, Inches):
            return None
        ranges = cell.ranges.values if isinstance(cell.ranges, Band) else (cell.ranges.value,)
        values: tuple[Any, ...] = cell.cell.values if isinstance(cell.cell, Band) else (cell.cell,) * len(ranges)
        for far, value in zip(ranges, values, strict=False):
            if at.value <= far:
                return int(value) if isinstance(value, Fraction) and value.denominator == 1 else value
        return 0


@dataclass(frozen=True)
class OfLine:
    """What a line makes, in a fact: stated before it is there."""

    parts: tuple[str, ...]


def meant(wanted: tuple[Any, ...], found: tuple[Any, ...]) -> bool:
    """Whether a fact that was stated of what lines make is of these."""
    return len(wanted) == len(found) and all(
        (isinstance(f, Thing) and bool(f.made_at) and fits(f.made_at, w.parts))
        if isinstance(w, OfLine)
        else w == fact_key(f)
        for w, f in zip(wanted, found, strict=True)
    )


def fact_key(value: Any) -> Any:
    if isinstance(value, Word):
        return value.name
    if isinstance(value, Row):
        return value.name
    return value
