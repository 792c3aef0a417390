"""The initial state of a situation.

Takes things with encoded values, and a Program; returns a `Start`: the state as a list, the key of each cell, the place
of each thing, and the stated facts.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any

from interpreter.rulebook import typed as t
from interpreter.rulebook.book import Book
from interpreter.rulebook.construct import value_of_absent
from interpreter.rulebook.situation import Group, Situation, Thing
from interpreter.rulebook.symbols import Attribute, Fact, Kind, Param, Where, within
from interpreter.source.values import Record, field, replace
from interpreter.vocabulary.types import Type

from .constant_expressions import Stays, few
from .expression_lowering import free_variables
from .layout import IN_PLAY, LENT, ORIGIN, SET_AGAIN, CellKey, Layout
from .program import Program
from .runtime import Figure, bag, size
from .words import Words


class NotEnough(Exception):
    """Raised if a script of dice has too few faces for a line."""

    def __init__(self, line: str, wanted: int, sides: int) -> None:
        super().__init__(line)
        self.line, self.wanted, self.sides = line, wanted, sides


class BadFace(Exception):
    """Raised if a script of dice has a face that the die does not have."""

    def __init__(self, line: str, face: int, sides: int) -> None:
        super().__init__(line)
        self.line, self.face, self.sides = line, face, sides


class TwoLines(Exception):
    """Raised if a script of dice gives faces to a name that matches two lines, both of which throw."""

    def __init__(self, key: str, lines: tuple[str, str]) -> None:
        super().__init__(key)
        self.key, self.lines = key, lines


class Unstated(Exception):
    """Raised if the rules ask for a fact that is not stated; `asked` is the place in the rules."""

    def __init__(self, fact: Fact, things: tuple[str, ...], asked: Where | None) -> None:
        super().__init__(fact.name)
        self.fact, self.things, self.asked = fact, things, asked

    @property
    def name(self) -> str:
        return f"{self.fact.name}({', '.join(self.things)})"


class Start(Record):
    """The initial state. `keys` describes each cell; `places` has the offset of each thing by name, and `names` the
    reverse; `facts` has the stated facts.
    """

    state: list[Any]
    keys: list[CellKey]
    places: dict[str, int]
    names: dict[int, str]
    facts: dict[tuple[str, tuple[Any, ...]], Any]  # created things are identified by the address of their line
    groups: dict[Figure, list[Group]] = field(default_factory=dict)  # figure → the descriptions that it comes from
    over: list[tuple[str, Any, int, int]] = field(default_factory=list)  # marks over a limit: what, where, count, limit


def begin(program: Program, situation: Situation) -> Start:
    """Return the initial state of a situation, with its defaults evaluated."""
    layout = program.layout
    moments = program.checker.book.moments.values()
    cells = [(), (), None, *[False for _ in moments], *[() for _ in layout.changing]]
    facts = [(-1, place) for place in layout.changing.values()]
    keys = [IN_PLAY, LENT, SET_AGAIN, *map(layout.ongoing_key, moments), *facts]
    start = Start(cells, keys, {}, {}, {})
    state = start.state
    for thing in situation.things:
        base = len(state)
        start.places[thing.name] = base
        start.names[base] = thing.name
        state += layout.thing(thing.kind)
        root = thing.kind.root
        start.keys += [(root.number, i) for i in range(layout.sizes[root])]
    state[0] = tuple(start.places[x.name] for x in situation.things)
    later: list[tuple[Thing, Attribute]] = []
    for thing in situation.things:
        base = start.places[thing.name]
        for attribute, value in thing.values.items():
            state[base + attribute.place] = _placed(attribute, value, start)
        _bags(program, start, thing, base)
        for attribute in thing.kind.all_attributes():
            if attribute not in thing.values:
                later.append((thing, attribute))
    _facts(situation, start)
    stated = {(f.symbol, f.things[0]) for f in situation.facts if isinstance(f.symbol, Attribute)}
    for thing, attribute in later:
        if (attribute, thing.name) in stated:
            continue
        default = program.checker.defaults.get(attribute)
        if default is not None and not isinstance(default, t.Lit):
            base = start.places[thing.name]
            state[base + attribute.place] = within(attribute, _default(program, attribute, thing.kind)(state, base))
        elif default is not None and default.value is not None:
            state[start.places[thing.name] + attribute.place] = default.value
    _limits(program, situation, start)
    return start


def _placed(attribute: Attribute, value: Any, start: Start) -> Any:
    if attribute.type.name == "things":
        return tuple(sorted(start.places[v] for v in value))
    return start.places[value] if attribute.type.name == "thing" and isinstance(value, str) else value


def _default(program: Program, attribute: Attribute, kind: Kind) -> Callable[..., Any]:
    """The default of an attribute, as a function of the state and the thing. It reads no variable but its subject."""
    known = program.firsts.get((attribute, kind)) if not program.watched else None
    if known is None:
        expr = program.checker.defaults[attribute]
        assert expr is not None
        subject = free_variables(expr)[:1] or [t.Variable("nobody", Type("thing", kind))]
        known = program.firsts[attribute, kind] = program.function(expr, tuple(subject))
    return known


def _bags(program: Program, start: Start, thing: Thing, base: int) -> None:
    layout = program.layout
    cells: dict[int, list[tuple[tuple[Any, ...], int]]] = {}
    for group in thing.groups:
        places = layout.figure(group.kind, base)
        for attribute in group.kind.all_attributes():
            if attribute in group.values:
                places[attribute.place] = _placed(attribute, group.values[attribute], start)
                continue
            default = program.checker.defaults.get(attribute)
            if isinstance(default, t.Lit) and default.value is not None:
                places[attribute.place] = default.value
        start.groups.setdefault(tuple(places), []).append(group)
        out = any(a.out_of_play and group.values.get(a) for a in group.values)
        key = layout.gone_key(group.kind) if out else layout.bag_key(group.kind)
        cells.setdefault(key[1], []).append((tuple(places), group.count))
    for offset, groups in cells.items():
        start.state[base + offset] = bag(groups)


def _facts(situation: Situation, start: Start) -> None:
    for given in situation.facts:
        value = start.places[given.value] if isinstance(given.value, str) else given.value
        if isinstance(given.symbol, Attribute):
            start.state[start.places[given.things[0]] + given.symbol.place] = value
            continue
        places = tuple([start.places.get(x, x) if isinstance(x, str) else x for x in given.things])
        start.facts[given.symbol.name, places] = value


def uniform(layout: Layout, start: Start) -> Stays:
    """The attributes whose initial values over all things are few enough for constant folding, with these values."""
    values: dict[CellKey, set[Any]] = {}
    for key, value in zip(start.keys, start.state, strict=True):
        values.setdefault(key, set()).add(value)
    for holder, counted in layout.bags:
        root = counted.number
        for key in ((holder.number, shelf[holder, counted]) for shelf in (layout.bags, layout.gone)):
            for held in values.get(key, ()):
                for figure, _ in held:
                    for place, value in enumerate(figure):
                        values.setdefault((root, place), set()).add(value)
    found = {}
    for key, attribute in layout.attributes.items():
        several = frozenset(values.get(key, ()))
        if few(attribute, several):
            found[attribute] = several
    return found


def narrowed(start: Start, layout: Layout) -> Start:
    """Return the initial state with figures as this layout has them."""
    state, kinds = list(start.state), list(layout.book.kinds.values())
    for i, key in enumerate(start.keys):
        if key in layout.other_bag:
            state[i] = bag([(layout.narrowed(figure, kinds[figure[1]].root), n) for figure, n in state[i]])
    return replace(start, state=state)


Become = dict[tuple[Any, ...], Any]  # facts set by lines: arguments → value

NOBODY = (-1, None)  # for a thing, and for a figure
NOT_STATED = object()


def _lookup_type(param: Param) -> Type:
    """The type by which a fact is looked up: a fact of a figure is stated of the thing that holds it."""
    return Type("thing") if param.type.name == "figure" else param.type


def answerer(start: Start, book: Book) -> Callable[..., Any]:
    """Return the function that answers questions of fact: `answer(name, args, state, default, place, become)`, where
    `become` has the facts that lines have set. It raises `Unstated` for a fact without a value.

    A distance between two things holds both ways, unless each is stated, or the fact has a default.
    """
    facts = book.facts
    back = {(name, things[::-1]): value for (name, things), value in start.facts.items() if facts[name].both_ways}
    stated = {**back, **start.facts}
    types = {name: [Type("thing"), *map(_lookup_type, fact.params)] for name, fact in facts.items()}
    things_of = {name: [type_.name == "thing" for type_ in every] for name, every in types.items()}
    here = len(start.state)

    def as_words(fact: Fact, asked: tuple[Any, ...], state: list[Any]) -> tuple[str, ...]:
        made = {x: _creating_line(x, state) for x, thing in zip(asked, things_of[fact.name], strict=True) if thing}
        words = Words(book, {**start.names, **{x: line for x, line in made.items() if line}})
        return tuple([words.say(x, type_) for x, type_ in zip(asked, types[fact.name], strict=True)])

    def of_made(name: str, things: tuple[Any, ...], state: list[Any], become: Become) -> Any:
        """The fact for arguments with created things: the value that was set or stated for a thing itself or its
        creating line, else for the thing that it was created from, the nearest origin first.
        """
        ways: list[tuple[tuple[int, Any, Any], ...]] = []
        for x, thing in zip(things, things_of[name], strict=True):
            way: list[Any] = [(x, x)]
            while thing and x >= 0 and x not in start.names and state[x + ORIGIN] is not None:
                line, source = state[x + ORIGIN]
                way[-1:] = [(x, line), (source, source)]
                x = source
            ways.append(tuple([(far, *step) for far, step in enumerate(way)]))
        for one in sorted(product(*ways), key=lambda one: sum(far for far, _, _ in one)):
            found = become.get(tuple([x for _, x, _ in one]), NOT_STATED)
            if found is NOT_STATED:
                found = stated.get((name, tuple([said for _, _, said in one])), NOT_STATED)
            if found is not NOT_STATED:
                return found
        return NOT_STATED

    def answer(
        name: str,
        args: tuple[Any, ...],
        state: list[Any],
        default: Callable[..., Any] | None,
        asked: Where | None,
        become: tuple[tuple[tuple[Any, ...], Any], ...] = (),
    ) -> Any:
        things = tuple([a[0] if isinstance(a, tuple) else a for a in args])
        if things[0] in NOBODY:
            return value_of_absent(facts[name].type, facts[name].optional)
        now = dict(become) if become else {}
        found = now[things] if things in now else stated.get((name, things), NOT_STATED)
        if found is NOT_STATED and len(state) > here:
            found = of_made(name, things, state, now)
        if found is not NOT_STATED:
            return found
        if default is not None:
            return default(state, args[0])
        raise Unstated(facts[name], as_words(facts[name], things, state), asked)

    return answer


def _creating_line(place: int, state: list[Any]) -> str | None:
    """The address of the line that created a thing; None if it is a thing of the situation."""
    origin = state[place + ORIGIN] if place >= 0 else None
    return origin[0] if origin is not None else None


def _limits(program: Program, situation: Situation, start: Start) -> None:
    """Record things that begin with more of a mark than its limit allows: `up to N per unit`."""
    checker = program.checker
    for thing in situation.things:
        for kind in [s for k in thing.kind.lineage() for b in k.bags for s in b.sorts()]:
            for mark in kind.attributes.values():
                limit = mark.ending.limit if mark.ending is not None else None
                if limit is None:
                    continue
                base = start.places[thing.name]
                key = program.layout.bag_key(kind)
                marked = size(tuple(p for p in start.state[base + key[1]] if p[0][mark.place]))
                if marked == 0:
                    continue
                allowed = checker.whole.limit_of(mark, limit, thing.kind)
                if allowed is None:
                    continue
                most = program.function(allowed[0], (allowed[1],))(start.state, base) or 0  # None for `-` in a table
                if marked > most:
                    start.over.append((f"{mark.name} of {thing.name}", thing.where, marked, most))
