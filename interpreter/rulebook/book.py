"""The symbol table of a rule set: every symbol by name, in page order; and the English forms of a name.

Output: the type `Book`, plurals of kinds, verb forms of procedures. Knows nothing of how symbols are declared.
"""

from __future__ import annotations

from collections.abc import Mapping

from interpreter.cache import Apart
from interpreter.source.values import Record, field

from .definitions import Definition, Header
from .sheets import History
from .symbols import (
    Convention,
    Fact,
    Hook,
    Kind,
    Limit,
    MomentDef,
    NamedPolicy,
    Procedure,
    PureDef,
    Roll,
    RuleDef,
    Ruling,
    Symbol,
    Table,
    Value,
    Where,
)


class Pages(Record):
    """What stands in the files, in their order. Questions about a situation need none of it."""

    definitions: list[Definition] = field(default_factory=list)
    examples: list[Definition] = field(default_factory=list)
    typical: list[Definition] = field(default_factory=list)
    cites: list[tuple[str, Where]] = field(default_factory=list)
    owners: dict[Symbol, Definition] = field(default_factory=dict)  # the definition of each


class Book(Record):
    """Every symbol of a rule set by name, in page order."""

    header: Header
    kinds: dict[str, Kind] = field(default_factory=dict)
    plurals: dict[str, Kind] = field(default_factory=dict)
    tables: dict[str, Table] = field(default_factory=dict)
    values: dict[str, Value] = field(default_factory=dict)
    rolls: dict[str, Roll] = field(default_factory=dict)
    facts: dict[str, Fact] = field(default_factory=dict)
    procedures: dict[str, Procedure] = field(default_factory=dict)
    conventions: dict[str, Convention] = field(default_factory=dict)
    rulings: dict[str, Ruling] = field(default_factory=dict)
    rules: dict[str, RuleDef] = field(default_factory=dict)
    moments: dict[str, MomentDef] = field(default_factory=dict)
    limits: dict[str, Limit] = field(default_factory=dict)  # limits on forces; sentences cannot refer to them
    roster: list[Value] = field(default_factory=list)  # the values that a roster shows for each thing
    hooks: list[Hook] = field(default_factory=list)
    policies: dict[str, NamedPolicy] = field(default_factory=dict)
    words: dict[str, list[Table]] = field(default_factory=dict)
    history: History = field(default_factory=History)
    reads_gone: bool = False  # some expression reads things out of play, so these may be changed, and return
    kept: Pages | Apart = field(default_factory=Pages)  # apart: not yet read from the cache

    @property
    def pages(self) -> Pages:
        pages: Pages = self.kept.get() if isinstance(self.kept, Apart) else self.kept
        self.kept = pages
        return pages

    def names(self) -> set[str]:
        """Every name that a sentence may use; spelling suggestions are drawn from these."""
        tables = (self.kinds, self.plurals, self.tables, self.values, self.rolls, self.facts, self.procedures)
        found = {name for symbols in (*tables, self.rulings, self.words) for name in symbols}
        found |= {name for kind in self.kinds.values() for name in kind.attributes}
        return found | {name for table in self.tables.values() for name in (*table.columns, *table.marks)}

    def pure_definitions(self) -> list[PureDef]:
        """Values, rolls and limits, each in page order."""
        return [*self.values.values(), *self.rolls.values(), *self.limits.values()]


# Irregular plurals: their ending, and that of the singular.
_IRREGULAR_PLURALS = (
    *(("en", "an"), ("people", "person"), ("children", "child"), ("feet", "foot"), ("mice", "mouse")),
    *(("geese", "goose"), ("oxen", "ox"), ("ves", "f"), ("ves", "fe")),
)


def kind_of_irregular_plural(word: str, kinds: Mapping[str, Kind]) -> Kind | None:
    """The kind whose irregular English plural a word is, as rule files form plurals regularly: `feet` for `foot`."""
    singulars = (word.removesuffix(many) + one for many, one in _IRREGULAR_PLURALS if word.endswith(many))
    return next((kinds[name] for name in singulars if name in kinds), None)


def plural(name: str) -> str:
    """The plural of a name: unit → units, box → boxes, party → parties."""
    if name.endswith(("s", "x", "ch", "sh", "z")):
        return name + "es"
    if name.endswith("y") and name[-2:-1] not in "aeiou":
        return name[:-1] + "ies"
    return name + "s"


# Verbs of the grammar itself: `unit moves 6"` moves a unit, even if a procedure is called `move`.
SAID_BY_THE_GRAMMAR = (
    "becomes",
    "deals",
    "fails",
    "gains",
    "leaves",
    "loses",
    "moves",
    "needs",
    "passes",
    "picks",
    "wishes",
)


def verb_forms(name: str) -> tuple[str, ...]:
    """The name and its third person: `fire` → fire, fires; `try` → try, tries; `go-home` → go-home, goes-home."""
    head, dash, rest = name.partition("-")
    return name, third_person(head) + dash + rest


def gerunds(name: str) -> tuple[str, ...]:
    """The possible gerunds of a verb: `move` → moving, `run` → runing, running; `go-home` → going-home, …"""
    head, dash, rest = name.partition("-")
    stems = dict.fromkeys((head, head.removesuffix("e"), head + head[-1:]))
    return tuple(f"{stem}ing{dash}{rest}" for stem in stems)


def third_person(verb: str) -> str:
    """The third person of a verb by the regular endings: `try` → tries, `go` → goes."""
    if verb.endswith(("s", "x", "z", "ch", "sh", "o")):
        return verb + "es"
    return plural(verb)
