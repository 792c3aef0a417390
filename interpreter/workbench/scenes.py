"""Small situations made from the rules alone: somebody does one thing, and what is said of those who are there.

Enters: a rule set, and a procedure of it or a sentence. Leaves: a `Stage`: who could be there, and all that could be
said of them, each as a `Dial` with the texts that it can be set to. With its dials set it is a situation as an author
would write it. Knows nothing of what the situations are wanted for.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import permutations

from interpreter.rulebook.book import verb_forms
from interpreter.rulebook.symbols import Attribute, Fact, Kind, Param, Procedure, Table
from interpreter.source.digits import exactly
from interpreter.source.values import Struct
from interpreter.vocabulary.types import Type

from .interest import Read
from .rule_sets import RuleSet

FORCE = "Ours"
EACH = "each"  # the line in which every figure of several does something for itself
_NAMES = "ABCDEFGHIJ"
_COUNTS = (1, 2, 3, 6, 10)  # of alike figures
_NUMBERS = (1, 2, 3)  # of whatever is counted, beside what the rules compare with
_DISTANCES = 10  # that are tried, at most
_FACTS = 6  # ways to ask one fact of those who are there, at most

Settings = tuple[int, ...]  # by dial, which of its texts; -1 leaves it unsaid


class Dial(Struct, eq=False):
    """Something that can be said of `who`: on the `card`, of a group of what he holds (`sort`, with how many there are
    under the name ``), as a `fact`, in the sentence that is `done`, or that he is `there` at all. `texts` are its
    settings, the plainest first; an empty one leaves it unsaid. `near`: an altered line reads it; `likely`: settings
    that an altered line compares with.
    """

    who: str
    place: str
    name: str
    texts: tuple[str, ...]
    near: bool = False
    likely: tuple[int, ...] = ()
    sort: str = ""
    group: int = 0
    needs: tuple[str, ...] = ()  # things without which it is not said


class Actor(Struct, eq=False):
    """A thing that could be there, by its name; an `optional` one may be left out."""

    name: str
    kind: Kind
    optional: bool = False


class Stage(Struct, eq=False):
    """`deed` is the sentence that is done, with the name of a dial in braces where it can be set; or all who are there
    are a `force`, of which nothing is done.
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
        """The names of those who are there."""
        come = {d.who for d, text in self._said(settings) if d.place == "there" and text}
        return frozenset(x.name for x in self.actors if not x.optional or x.name in come)

    def lines(self, settings: Settings, deed: str | None = None) -> list[str]:
        """The situation, line by line; `deed` is done in place of the stage's own."""
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
    """Sets up the stages of one rule set; `near` is what the altered lines read."""

    def __init__(self, rules: RuleSet, near: Read) -> None:
        self.rules, self.book, self.near = rules, rules.book, near

    def for_procedure(self, procedure: Procedure, read: Read, kinds: Sequence[Kind]) -> Stage | None:
        """Somebody does it: one thing of each of these kinds for its parameters that are things. None where nobody
        could say it.
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
        """Things of these kinds are there, and a sentence is done that names none of them, or the first as `A`."""
        return self._stage(deed, [Actor(_NAMES[i], kind) for i, kind in enumerate(kinds)], [], read, None)

    def for_force(self, kinds: Sequence[Kind], read: Read) -> Stage:
        stage = self.for_sentence("", kinds, read)
        return Stage("", stage.actors, stage.dials, None, force=True)

    # ---- who is there
    def _argument(
        self, param: Param, index: int, actors: list[Actor], kinds: list[Kind], dials: list[Dial], read: Read
    ) -> str | None:
        """What is said for a parameter; it may bring somebody, or a dial."""
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

    # ---- what is said of them
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
        """What a number, a distance or a row can be said to be, the plainest first; and which of these are likely."""
        match type_.name:
            case "row" | "rows":
                table = type_.of
                assert isinstance(table, Table)
                rows = list(table.rows)
                return rows, tuple(i for i, row in enumerate(rows) if near and (table.name, row) in self.near.rows)
            case "inches":
                near_by = sorted({x for at in self.near.inches for x in (at, at + 1) if at >= 0}) if near else []
                all_ = dict.fromkeys([Fraction(1), *near_by, *_spread(read.inches)])
                texts = [f'{exactly(x)}"' for x in list(all_)[:_DISTANCES]]
                return texts, tuple(range(1, min(len(near_by) + 1, len(texts)))) if near_by else ()
            case "number" | "target":
                wanted = [x for at in sorted(self.near.numbers) for x in (at - 1, at, at + 1)] if near else []
                bounds = low if low is not None else 0, high if high is not None else 400
                numbers = list(dict.fromkeys(x for x in (*_NUMBERS, *wanted) if bounds[0] <= x <= bounds[1]))
                likely = tuple(i for i, x in enumerate(numbers) if x in wanted)
                return list(map(str, numbers)), likely
        return [], ()


def _spread(inches: Iterable[Fraction]) -> list[Fraction]:
    """Some distances of many, from the least to the greatest."""
    every = sorted(x for x in inches if x > 1)
    step = max(1, len(every) // 4)
    return [x for at in every[::step] for x in (at, at + 1)]


def _sentence(procedure: Procedure, words: Sequence[str]) -> str:
    """How somebody does it: `A shoots at B`; every figure of several for itself."""
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
