"""Small situations generated from the rules: one thing does something, and the attributes and facts are varied.

Takes a rule set, and one of its procedures or a sentence. Gives a `Stage`: the things that may exist, and each
statement about them as a `Dial` with its possible texts. With its dials set, it is a situation as an author would write
it. Knows nothing of the use of the situations.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import permutations

from interpreter.rulebook.book import verb_forms
from interpreter.rulebook.symbols import Attribute, Fact, Kind, Param, Procedure, Table
from interpreter.source.digits import format_exact
from interpreter.source.values import Struct
from interpreter.vocabulary.types import Type

from .interest import Read
from .rule_sets import RuleSet

FORCE = "Ours"
EACH = "each"  # the line in which every figure of several does something for itself
_NAMES = "ABCDEFGHIJ"
_COUNTS = (1, 2, 3, 6, 10)  # of alike figures
_NUMBERS = (1, 2, 3)  # values of counted attributes, besides those compared with in the rules
_DISTANCES = 10  # most distances to try
_FACTS = 6  # most combinations of things per fact

Settings = tuple[int, ...]  # by dial, the index of its text; -1 omits it


class Dial(Struct, eq=False):
    """A variable statement. `place`: on the `card` of `who`; on a `group` that `who` holds (`sort`; the dial with an
    empty name is the count); a `fact`; in the sentence `done`; or `there`, whether the thing exists. `texts` are its
    settings, the plainest first; an empty one omits it. `near`: an altered line reads it; `likely`: settings that an
    altered line compares with.
    """

    who: str
    place: str
    name: str
    texts: tuple[str, ...]
    near: bool = False
    likely: tuple[int, ...] = ()
    sort: str = ""
    group: int = 0
    needs: tuple[str, ...] = ()  # things that it mentions


class Actor(Struct, eq=False):
    """A thing by its name; an `optional` one may be left out."""

    name: str
    kind: Kind
    optional: bool = False


class Stage(Struct, eq=False):
    """`deed` is the sentence that is done, with the name of a variable dial in braces. If `force`, the things form a
    force and nothing is done.
    """

    deed: str
    actors: tuple[Actor, ...]
    dials: tuple[Dial, ...]
    procedure: Procedure | None = None
    force: bool = False

    @property
    def plainest(self) -> Settings:
        return (0,) * len(self.dials)

    def there(self, settings: Settings) -> frozenset[str]:
        """The names of the things that exist with these settings."""
        come = {d.who for d, text in self._said(settings) if d.place == "there" and text}
        return frozenset(x.name for x in self.actors if not x.optional or x.name in come)

    def lines(self, settings: Settings, deed: str | None = None) -> list[str]:
        """The lines of the situation; `deed` replaces the sentence of the stage."""
        there = self.there(settings)
        said = [(d, text) for d, text in self._said(settings) if text and there.issuperset(d.needs)]
        lines = [line for x in self.actors if x.name in there for line in _described(x, said)]
        facts = [text for d, text in said if d.place == "fact"]
        lines += [f"facts: {', '.join(facts)}"] if facts else []
        if self.force:
            return [f"force: {FORCE}", *lines]
        done = self.deed.format_map({d.name: text for d, text in said if d.place == "done"}) if deed is None else deed
        head, colon, rest = done.partition(": ")
        return [*lines, *(["do:", f"  {head}: {rest}"] if colon else [f"do: {done}"])]

    def _said(self, settings: Settings) -> Iterator[tuple[Dial, str]]:
        for dial, setting in zip(self.dials, settings, strict=True):
            yield dial, dial.texts[setting] if setting >= 0 else ""


def _described(actor: Actor, said: Sequence[tuple[Dial, str]]) -> list[str]:
    mine = [(d, text) for d, text in said if d.who == actor.name]
    card = [text for d, text in mine if d.place == "card"]
    groups = {(d.sort, d.group): [text] for d, text in mine if d.place == "group" and not d.name}
    for d, text in mine:
        if d.place == "group" and d.name and (d.sort, d.group) in groups:
            groups[d.sort, d.group].append(text)
    title = f"{actor.kind.name} {actor.name}:"
    if len(groups) <= 1:
        of = [
            f"{many} {sort}, {', '.join(traits)}" if traits else f"{many} {sort}"
            for (sort, _), (many, *traits) in groups.items()
        ]
        return [f"{title} {', '.join([*card, *of])}".rstrip()]
    lines = [title, *([f"  is: {', '.join(card)}"] if card else [])]
    for sort in dict.fromkeys(sort for sort, _ in groups):
        lines.append(f"  {sort}:")
        for (of_, _), (many, *traits) in groups.items():
            if of_ == sort:
                lines.append(f"    - {many}" + (f" with {' and '.join(traits)}" if traits else ""))
    return lines


class Director:
    """Creates the stages of one rule set; `near` is the `Read` of the altered lines."""

    def __init__(self, rules: RuleSet, near: Read) -> None:
        self.rules, self.book, self.near = rules, rules.book, near

    def for_procedure(self, procedure: Procedure, read: Read, kinds: Sequence[Kind]) -> Stage | None:
        """The stage of a procedure, with one thing of each of these kinds for its parameters that are things. None if
        no sentence can call it.
        """
        actors: list[Actor] = []
        words: list[str] = []
        dials: list[Dial] = []
        left = list(kinds)
        for index, param in enumerate(procedure.params):
            said = self._argument(param, index, actors, left, dials, read)
            if said is None:
                return None
            words.append(said)
        if not actors:
            return None
        deed = _sentence(procedure, words)
        return self._stage(deed, actors, dials, read, procedure)

    def for_sentence(self, deed: str, kinds: Sequence[Kind], read: Read) -> Stage:
        """The stage of a sentence that names no thing, or the first as `A`, with things of these kinds."""
        return self._stage(deed, [Actor(_NAMES[i], kind) for i, kind in enumerate(kinds)], [], read, None)

    def for_force(self, kinds: Sequence[Kind], read: Read) -> Stage:
        stage = self.for_sentence("", kinds, read)
        return Stage("", stage.actors, stage.dials, None, force=True)

    # ---- things
    def _argument(
        self, param: Param, index: int, actors: list[Actor], kinds: list[Kind], dials: list[Dial], read: Read
    ) -> str | None:
        """The argument for a parameter; may add a thing or a dial. None if there is none."""
        match param.type:
            case Type(name="thing", of=Kind()):
                actors.append(Actor(_NAMES[len(actors)], kinds.pop(0)))
                return actors[-1].name
            case Type(name="figure" | "figures", of=Kind() as kind):
                holder = kind.held_in()
                assert holder is not None
                one = next((x for x in actors if x.kind.is_a(holder)), None)
                if one is None or param.type.name == "figure":
                    one = Actor(_NAMES[len(actors)], holder)
                    actors.append(one)
                several = f"{one.name}.{kind.plural}"
                return several if param.type.name == "figures" or index == 0 else f"first({several})"
            case Type(name="number" | "inches" | "row"):
                texts, likely = self._values(param.type, None, None, read)
                dials.append(Dial("", "done", f"told{index}", tuple(texts), bool(likely), likely))
                return f"{{told{index}}}"
        return None

    def _stage(
        self, deed: str, actors: list[Actor], dials: list[Dial], read: Read, procedure: Procedure | None
    ) -> Stage:
        here = [x.kind for x in actors]
        roots = {kind.root for kind in here} | {kind.root.owner for kind in here}
        for kind in self.book.kinds.values():
            wanted = kind.name in read.everybody or kind.name in self.near.everybody
            alone = kind not in roots or sum(x.kind.root is kind for x in actors) == 1
            if kind.base is None and not kind.counted and alone and wanted and len(actors) < len(_NAMES):
                actors.append(Actor(_NAMES[len(actors)], kind, optional=True))
        for actor in actors:
            if actor.optional:
                near = actor.kind.name in self.near.everybody
                dials.append(Dial(actor.name, "there", "", ("", actor.name), near, needs=(actor.name,)))
            dials += self._card(actor, actors, read)
        for name, fact in self.book.facts.items():
            if name in read.facts or name in self.near.facts:
                dials += self._stated(fact, actors, read)
        return Stage(deed, tuple(actors), tuple(dials), procedure)

    # ---- statements about them
    def _card(self, actor: Actor, actors: Sequence[Actor], read: Read) -> Iterator[Dial]:
        for attribute in actor.kind.all_attributes():
            yield from self._dial(actor, attribute, actors, read, "card", "", 0)
        for held in dict.fromkeys(bag for kind in actor.kind.lineage() for bag in kind.bags):
            for sort in held.sorts():
                asked = sort is held or sort.name in read.sorts or sort.name in self.near.sorts
                for group in range(2 if sort is held else 1) if asked else ():
                    yield from self._group(actor, sort, group, actors, read, certain=sort is held and not group)

    def _group(
        self, actor: Actor, sort: Kind, group: int, actors: Sequence[Actor], read: Read, *, certain: bool
    ) -> Iterator[Dial]:
        counts = tuple(map(str, _COUNTS))
        texts = counts if certain else ("", *counts[:3])
        of, needs = sort.plural, (actor.name,)
        yield Dial(actor.name, "group", "", texts, sort=of, group=group, needs=needs)
        for attribute in sort.all_attributes():
            yield from self._dial(actor, attribute, actors, read, "group", of, group)

    def _dial(
        self, actor: Actor, attribute: Attribute, actors: Sequence[Actor], read: Read, place: str, sort: str, group: int
    ) -> Iterator[Dial]:
        key = attribute.kind.name, attribute.name
        near = key in self.near.attributes
        owner = actor.kind.root.owner
        if place == "card" and owner is not None and attribute.type == Type("thing", owner):
            return
        row = attribute.type.name == "row"
        must = row and attribute.first is None and not attribute.optional
        if attribute.out_of_play or not (near or must or key in read.attributes):
            return
        others = [x for x in actors if x is not actor]
        needs: tuple[str, ...] = (actor.name,)
        if attribute.type.name in ("thing", "things"):
            for other in others:
                if isinstance(attribute.type.of, Kind) and other.kind.is_a(attribute.type.of):
                    word = f" {attribute.word}" if attribute.word else ""
                    texts: tuple[str, ...] = ("", f"{attribute.name}{word} {other.name}")
                    yield Dial(
                        actor.name,
                        place,
                        f"{attribute.name} {other.name}",
                        texts,
                        near,
                        (),
                        sort,
                        group,
                        (*needs, other.name),
                    )
            return
        said, likely = self._values(attribute.type, attribute.low, attribute.high, read, near=near)
        if attribute.type.name == "truth":
            texts, likely = ("", attribute.name), (1,) if near else ()
        else:
            texts = tuple(f"{attribute.name} {each}" for each in said)
            if not must:
                texts, likely = ("", *texts), tuple(i + 1 for i in likely)
        yield Dial(actor.name, place, attribute.name, texts, near, likely, sort, group, needs)

    def _stated(self, fact: Fact, actors: Sequence[Actor], read: Read) -> Iterator[Dial]:
        near = fact.name in self.near.facts
        others = [param.type.of for param in fact.params if param.type.name == "thing"]
        if len(others) < len(fact.params):
            return
        kinds = [fact.kind, *others]
        made = 0
        for those in permutations(actors, len(kinds)):
            fits = all(isinstance(k, Kind) and x.kind.is_a(k) for k, x in zip(kinds, those, strict=True))
            if not fits or made >= _FACTS or (fact.both_ways and actors.index(those[0]) > actors.index(those[1])):
                continue
            made += 1
            asked = f"{fact.name}({', '.join(x.name for x in those)})" if those else fact.name
            said, likely = self._values(fact.type, fact.low, fact.high, read, near=near)
            if fact.type.name == "truth":
                texts: tuple[str, ...] = (f"not {asked}", asked)
                likely = (1,) if near else ()
            else:
                texts = tuple(f"{asked} is {each}" for each in said)
            if fact.first is not None or fact.optional:
                texts, likely = ("", *texts), tuple(i + 1 for i in likely)
            yield Dial("", "fact", asked, texts, near, likely, needs=tuple(x.name for x in those))

    def _values(
        self, type_: Type, low: int | None, high: int | None, read: Read, *, near: bool = True
    ) -> tuple[list[str], tuple[int, ...]]:
        """The texts for a number, a distance or a row, the plainest first; and the indices of the likely ones."""
        match type_.name:
            case "row" | "rows":
                table = type_.of
                assert isinstance(table, Table)
                rows = list(table.rows)
                return rows, tuple(i for i, row in enumerate(rows) if near and (table.name, row) in self.near.rows)
            case "inches":
                near_by = sorted({x for at in self.near.inches for x in (at, at + 1) if at >= 0}) if near else []
                all_ = dict.fromkeys([Fraction(1), *near_by, *_spread(read.inches)])
                texts = [f'{format_exact(x)}"' for x in list(all_)[:_DISTANCES]]
                return texts, tuple(range(1, min(len(near_by) + 1, len(texts)))) if near_by else ()
            case "number" | "target":
                wanted = [x for at in sorted(self.near.numbers) for x in (at - 1, at, at + 1)] if near else []
                bounds = low if low is not None else 0, high if high is not None else 400
                numbers = list(dict.fromkeys(x for x in (*_NUMBERS, *wanted) if bounds[0] <= x <= bounds[1]))
                likely = tuple(i for i, x in enumerate(numbers) if x in wanted)
                return list(map(str, numbers)), likely
        return [], ()


def _spread(inches: Iterable[Fraction]) -> list[Fraction]:
    """A few of the distances, evenly spread from the least to the greatest."""
    every = sorted(x for x in inches if x > 1)
    step = max(1, len(every) // 4)
    return [x for at in every[::step] for x in (at, at + 1)]


def _sentence(procedure: Procedure, words: Sequence[str]) -> str:
    """The sentence that calls a procedure, such as `A shoots at B`; for a figure, a loop over all figures."""
    first, params = procedure.params[0], procedure.params[1:]
    plain = [word for param, word in zip(params, words[1:], strict=True) if param.word is None]
    with_word = [
        f"{param.word} {word}" for param, word in zip(params, words[1:], strict=True) if param.word is not None
    ]
    several = first.type.name == "figure"
    who = first.type.of.name if several else words[0]
    if procedure.table is not None:
        said = f"{who}.{procedure.name}({', '.join(words[1:])})"
    else:
        said = " ".join([who, verb_forms(procedure.name)[-1], *([", ".join(plain)] if plain else []), *with_word])
    return f"{EACH}, for each {who} in {words[0]}: {said}" if several else said
