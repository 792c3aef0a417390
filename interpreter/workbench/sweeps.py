"""A sweep: questions asked of several rule sets, in several situations, over ranges of values.

Takes the tree of a file that begins with `sweep:`. Gives a `Sweep`, with all its points in order; or None, with all
problems of the file. Knows nothing of how a point is answered, nor of where its answer is saved.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from itertools import product
from math import prod

from interpreter.document.alternatives import Given, Place, Spread, spread, values_in
from interpreter.document.nodes import Entry, Mapping, Scalar
from interpreter.document.shape import check_sweep_shape
from interpreter.rulebook.situation import texts
from interpreter.source import Problems, Span
from interpreter.source.nearest import did_you_mean
from interpreter.source.values import Struct, replace

from .cases import Case, prepare, report_unstated
from .choice_policies import policies
from .grids import with_point_label
from .rule_sets import RuleSet
from .rules import rules_named
from .texts import with_entries, with_settings
from .typical import typical_of

MOST = 1_000_000  # most points of a sweep
NUMBERS = ("number", "inches", "target")
_NOT_HERE = ("rules", "then", "dice", "odds", "trace", "error", "force", "breaks")


class Effort(Struct):
    """The effort for an answer: exact with up to so many `worlds`; else estimated by at most so many `plays` (0: not at
    all), or as many as are needed for an `error`; `seed` as for `sample`.
    """

    worlds: int = 200_000
    plays: int = 10_000
    error: float | None = None
    seed: str = "1"


class Moment(Struct, eq=False):
    """A situation of a sweep with its values and questions."""

    name: str
    several: Spread

    @property
    def sizes(self) -> list[int]:
        """The number of values on each of its axes."""
        return [len(axis.values) for axis in self.several.axes]

    @property
    def asks(self) -> list[str]:
        return [text.text for text in texts(self.several.root.get("ask"))]


class At(Struct):
    """A point: the indices of the rule set, of the options of the rulings, of the situation, and of its values."""

    rules: int
    readings: Place
    moment: int
    place: Place


class Sweep(Struct, eq=False, slots=False):
    """`sets` are pairs of the name in the file and the rule set; `readings` are rulings with the options to try."""

    title: str
    path: str
    sets: tuple[tuple[str, RuleSet], ...]
    readings: tuple[tuple[Scalar, tuple[Scalar, ...]], ...]
    moments: tuple[Moment, ...]
    effort: Effort
    varied: tuple[str, ...]  # the names under `vary:`, in the order of the file

    @property
    def points(self) -> list[At]:
        """All points in their order: the last axis varies fastest."""
        readings = list(product(*(range(len(options)) for _, options in self.readings)))
        return [
            At(rules, reading, moment, place)
            for rules in range(len(self.sets))
            for reading in readings
            for moment, each in enumerate(self.moments)
            for place in each.several.places
        ]

    @property
    def varying(self) -> tuple[str, ...]:
        """The names of all axes of all situations; those under `vary:` first."""
        own = (axis.name for moment in self.moments for axis in moment.several.axes)
        return tuple(dict.fromkeys((*self.varied, *own)))

    def body(self, at: At) -> Mapping:
        """The expanded situation of a point, with its readings."""
        body = self.moments[at.moment].several.at(at.place)
        said = [Entry(name, options[i]) for (name, options), i in zip(self.readings, at.readings, strict=True)]
        if not said:
            return body
        return with_entries(body, [("rulings", with_settings(body.get("rulings"), Mapping(tuple(said), body.span)))])

    def values(self, at: At) -> dict[str, str]:
        """The value on each axis of a point, by name."""
        several = self.moments[at.moment].several
        return {axis.name: axis.values[i] for axis, i in zip(several.axes, at.place, strict=True)}

    def options(self, at: At) -> dict[str, str]:
        """The chosen option of each ruling at a point."""
        return {name.text: said[i].text for (name, said), i in zip(self.readings, at.readings, strict=True)}

    def said(self, at: At) -> str:
        """A point in words: `volley: rifles 3, range 6, modern`."""
        told = [f"{name} {value}" for name, value in (self.values(at) | self.options(at)).items()]
        return f"{self.moments[at.moment].name}: {', '.join([*told, self.sets[at.rules][0]])}"


def read_sweep(path: str, root: Mapping, problems: Problems) -> Sweep | None:
    """The sweep of a file; None with all its problems."""
    check_sweep_shape(root, problems)
    if problems.has_errors:
        return None
    found = _Reader(path, root, problems).sweep()
    return None if problems.has_errors else found


class _Reader:
    def __init__(self, path: str, root: Mapping, problems: Problems) -> None:
        self.path, self.root, self.problems = path, root, problems
        self.folder = os.path.dirname(path)

    def sweep(self) -> Sweep | None:
        sets = self._sets()
        effort = self._effort()
        if not sets:
            return None
        first = sets[0][1]
        given = self._values("vary", first)
        moments = [*self._moments(first, given), *self._typical(first)]
        for name, (where, _) in given.items():
            if not any(name == axis.name for moment in moments for axis in moment.several.axes):
                hint = f"say where it stands in a situation: `<{name}>`"
                self.problems.add("B001", where.span, name=name, hint=hint)
        if not moments and not self.problems.has_errors:
            hint = "such as `situation volley:`, and below it who is there and what is done; or `typical: all`"
            self.problems.add("F016", self._head(), wanted="a situation in which it is asked", hint=hint)
        readings = tuple(self._values("readings", first).values())
        title = self.root.get("sweep")
        assert isinstance(title, Scalar)
        made = Sweep(title.text, self.path, tuple(sets), readings, tuple(moments), effort, tuple(given))
        if self.problems.has_errors:
            return made
        many = len(sets) * prod(len(options) for _, options in readings)
        many *= sum(prod(moment.sizes) for moment in moments)
        if many > MOST:
            hint = "take wider steps, such as `6 to 36 by 6`, or fewer values"
            self.problems.add("G005", self._head(), count=f"{many:,}", most=f"{MOST:,}", hint=hint)
            return None
        self._try_out(made)
        return made

    def _head(self) -> Span:
        return self.root.entries[0].key.span

    # ---- the parts of the file
    def _sets(self) -> list[tuple[str, RuleSet]]:
        found: list[tuple[str, RuleSet]] = []
        said = texts(self.root.get("rules"))
        if not said:
            hint = "say it below the title: `rules: modern`, or a list of several"
            self.problems.add("F016", self._head(), wanted="`rules:` and the name of a rule set", hint=hint)
        for each in said:
            rules = rules_named(each, self.folder, self.problems, to_run=True)
            if any(each.text == name for name, _ in found):
                self.problems.add("N003", each.span, name=each.text)
            elif rules is not None:
                found.append((each.text, rules))
        return found if len(found) == len(said) else []

    def _values(self, key: str, rules: RuleSet) -> Given:
        """The names below a key, each with all its values."""
        found: Given = {}
        node = self.root.get(key)
        for entry in node if isinstance(node, Mapping) else ():
            values = [v for text in texts(entry.value) for v in values_in(text, self.problems, rules.rows)]
            if not texts(entry.value):
                self.problems.add("G003", entry.key.span, why="there are none", hint=f"`{entry.key.text}: 1 to 6`")
            if key == "vary" and not re.fullmatch(r"[a-z][a-z0-9-]*", entry.key.text):
                hint = "a word in small letters, such as `rifles`: it stands between `<` and `>` in the situations"
                self.problems.add("B002", entry.key.span, what=entry.key.text, wanted="no name of values", hint=hint)
            found[entry.key.text] = entry.key, tuple(values)
        return found

    def _moments(self, rules: RuleSet, given: Given) -> Iterator[Moment]:
        for entry in self.root:
            what, _, name = entry.key.text.partition(" ")
            if what != "situation":
                continue
            if not isinstance(entry.value, Mapping):
                self.problems.add("X004", entry.key.span)
                continue
            for key in (e.key for e in entry.value if e.key.text in _NOT_HERE):
                self.problems.add("B005", key.span, key=key.text, hint="leave this line out")
            several = spread(self._asking(entry.key, entry.value), self.problems, rules.rows, given, MOST)
            if several is not None:
                yield Moment(name.strip(), several)

    def _asking(self, key: Scalar, body: Mapping) -> Mapping:
        """The situation with the questions of the sweep, if it has none."""
        if texts(body.get("ask")):
            return body
        asked = self.root.get("ask")
        if not texts(asked):
            hint = "say `ask:` once for all situations, above them, or in each of them"
            self.problems.add("F016", key.span, wanted="`ask:` and what is to be found out", hint=hint)
        return with_entries(body, [("ask", asked)] if asked is not None else [])

    def _typical(self, rules: RuleSet) -> Iterator[Moment]:
        said = texts(self.root.get("typical"))
        known = {each.name: each for each in typical_of(rules, Problems())} if said else {}
        every = any(text.text == "all" for text in said)
        for text in said:
            if text.text not in known and text.text != "all":
                hint = did_you_mean(text.text, known, "typical here: " + ", ".join([*list(known)[:6], "…"]))
                self.problems.add("N001", text.span, what="typical situation", name=text.text, hint=hint)
        for name in known if every else [text.text for text in said if text.text in known]:
            several = spread(known[name].body, self.problems, rules.rows)
            if several is not None:
                yield Moment(name, several)

    # ---- numbers
    def _effort(self) -> Effort:
        found = Effort()
        plays = self._said("plays")
        if plays is not None and plays.text in ("none", "0"):
            found = replace(found, plays=0)
        else:
            found = replace(found, plays=self._whole(plays, "the most plays of one estimate", 2, found.plays))
        worlds = self._whole(self._said("worlds"), "how much an exact answer may take", 1, found.worlds)
        seed, error = self._said("seed"), self._said("error")
        found = replace(found, worlds=worlds, seed=seed.text.strip() if seed is not None else found.seed)
        if error is None:
            return found
        number = re.fullmatch(r"(\d+(?:\.\d+)?)\s*(%?)", error.text.strip())
        if number is None or not float(number[1]):
            hint = "such as `1%` of a chance, or `0.05` of a mean"
            self.problems.add("B002", error.span, what=error.text, wanted="no error of an estimate", hint=hint)
            return found
        return replace(found, error=float(number[1]) / (100 if number[2] else 1))

    def _said(self, key: str) -> Scalar | None:
        node = self.root.get(key)
        return node if isinstance(node, Scalar) and node.text else None

    def _whole(self, said: Scalar | None, what: str, least: int, usual: int) -> int:
        if said is None:
            return usual
        digits = said.text.strip().replace(",", "").replace("_", "")
        if not re.fullmatch(r"\d{1,12}", digits) or int(digits) < least:
            hint = f"a whole number, such as `{usual}`"
            self.problems.add("B002", said.span, what=said.text, wanted=f"no number for {what}", hint=hint)
            return usual
        return int(digits)

    # ---- checks
    def _try_out(self, made: Sweep) -> None:
        """Check the situations of each rule set with every value, but not with all combinations of values."""
        for rules in range(len(made.sets)):
            for moment, each in enumerate(made.moments):
                first = (0,) * len(made.readings)
                for place in around((0,) * len(each.sizes), each.sizes):
                    self._try(made, At(rules, first, moment, place))
                for reading in around(first, [len(options) for _, options in made.readings]):
                    self._try(made, At(rules, reading, moment, (0,) * len(each.sizes)))

    def _try(self, made: Sweep, at: At) -> None:
        problems = Problems()
        case_at(made, at, problems)
        self.problems.extend(with_point_label(problem, made.said(at)) for problem in problems)


def case_at(sweep: Sweep, at: At, problems: Problems, like: Case | None = None) -> Case | None:
    """The case of a point; None with problems. `like`: as for `prepare`."""
    rules = sweep.sets[at.rules][1]
    case = prepare(rules, sweep.body(at), problems, None, like)
    if case is None:
        return None
    if report_unstated(case):
        return None
    policies(rules.choices, case.situation, problems)
    for ask in case.asks:
        if ask.kind not in ("known", "given") and ask.type.name not in ("truth", *NUMBERS):
            hint = f"ask whether it is one of them, as `{ask.text} is …`, or `{ask.text} = …`"
            problems.add("B003", ask.where.span, ask=ask.text, hint=hint)
    return None if problems.has_errors else case


def around(first: Place, sizes: Sequence[int]) -> Iterator[Place]:
    """A point, and all points that differ from it in one coordinate."""
    yield first
    for axis, size in enumerate(sizes):
        yield from ((*first[:axis], i, *first[axis + 1 :]) for i in range(size) if i != first[axis])
