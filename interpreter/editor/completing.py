"""The completions at a place: keywords that the grammar accepts there, and names that fit.

Takes the analysis of a file, its current text, and an offset. Gives `Offer`s, the likeliest first. Only fitting names
are offered: after a dot the members of that type, after `is` the rows of that table. Knows nothing of any editor.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator

from interpreter.disk import yaml_files
from interpreter.language.lr_parser import END
from interpreter.language.parse import following
from interpreter.places import LANGUAGE, shipped
from interpreter.rulebook.book import verb_forms
from interpreter.rulebook.construct import item_type
from interpreter.rulebook.definitions import SHOWING
from interpreter.rulebook.scope import Cards, find_attribute, left_with
from interpreter.rulebook.symbols import NEEDED, Column, Kind, Table
from interpreter.source import Source
from interpreter.source.values import Struct
from interpreter.vocabulary.types import ANY, NUMBER, Type
from interpreter.workbench.rule_sets import RuleSet

from .analysis import Analysis
from .carets import Caret, caret
from .meanings import Meaning
from .occurrences import Index

_PATH = re.compile(r"(?:[A-Za-z][\w-]*(?:\([^()]*\))?\.)*[A-Za-z][\w-]*(?:\([^()]*\))?$")
_NAMES = {"NAME", "THING"}
_TITLE = {  # previous word → sorts of names that may follow in a title
    "of": ("kind", "table"), "to": ("kind", "table", "value", "roll", "procedure"), "as": ("roll",), "on": ("dice",),
    "remove": ("kind", "table", "value", "roll", "procedure", "rule", "mark", "fact"),
    "after": ("procedure", "mark", "moment"), "before": ("procedure", "moment"), "with": ("kind",),
    "a": ("kind", "moment"), "an": ("kind", "moment"),
}  # fmt: skip


class Offer(Struct):
    """`what` is `keyword`, `file`, or the sort of a name."""

    label: str
    what: str
    detail: str = ""


def offers(analysis: Analysis, source: Source, offset: int) -> list[Offer]:
    """The completions at an offset of a text; `analysis` may be of an older text."""
    here = caret(source, offset)
    if here is None:
        return []
    if here.start == "head":
        return list(_files(source))
    if analysis.rules is None or analysis.index is None:
        return []
    found: dict[str, Offer] = {}
    for offer in _Offering(analysis.rules, analysis.index, here).all():
        found.setdefault(offer.label, offer)
    return list(found.values())


def unfinished(analysis: Analysis, source: Source, offset: int) -> bool:
    """Whether the sentence before an offset is incomplete."""
    here = caret(source, offset)
    if here is None or not here.before.strip() or analysis.rules is None or analysis.index is None:
        return False
    start = _Offering(analysis.rules, analysis.index, here).start
    if start in ("", "head"):
        return False
    expected, _ = following(here.before, start, LANGUAGE)
    return bool(expected) and END not in expected


def _files(source: Source) -> Iterator[Offer]:
    folder, own = os.path.split(source.name)
    yield from (Offer(name, "file", "beside this file") for name in yaml_files(folder) if f"{name}.yaml" != own)
    yield from (Offer(name, "file", "comes with Umpire") for name in shipped())


class _Offering:
    def __init__(self, rules: RuleSet, index: Index, here: Caret) -> None:
        self.book, self.checker, self.index, self.here = rules.book, rules.checker, index, here
        self.cards = Cards(rules.book)
        self.title = next((a for a in reversed(here.above) if len(a.split(" ")) > 1 and a != here.above[0]), "")
        self.block = self._about()

    def _about(self) -> str:
        """The name of the definition that contains the place."""
        words = re.split(r"[ .(]", self.title.removeprefix("add to "))
        return words[0] if self.title.startswith("add to ") else (words[1] if len(words) > 1 else "")

    @property
    def start(self) -> str:
        if self.here.start != "add":
            return self.here.start
        meant = self.index.meanings.at(self.block)
        whats = {"kind": "attribute", "table": "row", "value": "adjust", "roll": "adjust", "limit": "adjust"}
        return whats.get(meant[0].what, "line") if meant else "line"

    def all(self) -> Iterator[Offer]:
        start, before = self.start, self.here.before
        if not start:
            yield from self._addresses()
            return
        expected, words = following(before, start, LANGUAGE)
        if before.endswith("."):
            expected, _ = following(f"{before}x", start, LANGUAGE)
            if expected:
                yield from self._members(before[:-1])
            return
        if expected & _NAMES:
            yield from self._names(start, before)
        yield from (Offer(word, "keyword") for word in words)

    # ---- names
    def _names(self, start: str, before: str) -> Iterator[Offer]:
        last = before.split()[-1] if before.split() else ""
        if self.here.above[-1:] == ("change",) and (cell := self._changed_cell()) is not None:
            yield from self._rows(cell.type)
        elif start == "title":
            yield from self._meant(x for x in self._all(*_TITLE.get(last, ())) if last in _TITLE)
        elif start == "attribute":
            yield from self._meant(self._all("kind" if last in ("a", "an") else "table"))
        elif start == "row":
            yield from self._cells(before)
        elif start == "thing":
            yield from self._traits()
        elif start in ("line_key", "options", "convention"):
            return
        elif (compared := re.search(r"(\S+) is (?:not )?$", before)) is not None:
            yield from self._rows(self._type(compared[1]))
            yield from self._marks(self._type(compared[1]))
        elif (gainer := re.search(r"(\S+) (?:gains?|loses?)(?: all| \d+)? $", before)) is not None:
            yield from self._marks(self._type(gainer[1]))
        elif (doer := re.fullmatch(r"(\S+) ", before)) is not None and start == "line":
            yield from self._verbs(self._type(doer[1]))
        elif start == "throws":
            yield from self._meant(self._all("line"))
        else:
            yield from self._general()

    def _general(self) -> Iterator[Offer]:
        """The names for a sentence here: names of this definition, members of its subject, other definitions."""
        if self.title.split(" ")[0] in SHOWING or not self.title:
            yield from self._things()
        for name, type_ in self.index.types.get(self.block, {}).items():
            yield Offer(name, "name", type_.words())
        for name, meaning in self.index.locals.get(self.block, {}).items():
            yield Offer(name, meaning.what)
        subject = self._subject()
        if subject is not None:
            yield Offer(subject.name, "name", f"the {subject.name} that this is about")
            yield from self._on(self._own(subject))
        yield from self._meant(
            x for x in self.index.meanings.every() if x.what == "line" and x.path.startswith(f"{self.block}.")
        )
        yield from self._meant(
            x
            for x in self._all("value", "ruling", "table", "kind", "fact")
            if getattr(x.symbol, "subject", None) is None
        )

    def _things(self) -> Iterator[Offer]:
        for block, names in self.index.locals.items():
            if ":" in block:
                yield from (Offer(name, "thing", x.symbol.name) for name, x in names.items() if x.what == "thing")

    def _members(self, path: str) -> Iterator[Offer]:
        found = _PATH.search(path)
        type_ = self._type(found.group()) if found is not None else ANY
        yield from self._on(item_type(type_) if type_.many else type_)

    def _on(self, type_: Type) -> Iterator[Offer]:
        for name in sorted(self.cards.names(type_)):
            yield Offer(name, "member", self._member(type_, name).words())

    def _rows(self, type_: Type) -> Iterator[Offer]:
        if isinstance(type_.of, Table):
            yield from (Offer(name, "row", f"a row of {type_.of.name}") for name in type_.of.rows)

    def _marks(self, type_: Type) -> Iterator[Offer]:
        if isinstance(type_.of, Kind):
            for kind in type_.of.sorts():
                for a in kind.all_attributes():
                    if a.is_mark or a.type.name in ("number", "inches"):
                        yield Offer(a.name, "mark" if a.is_mark else "attribute", a.type.words())

    def _verbs(self, type_: Type) -> Iterator[Offer]:
        for procedure in self.book.procedures.values():
            subject = procedure.subject
            if procedure.table is None and subject is not None and isinstance(type_.of, Kind):
                if type_.of.is_a(subject) or subject.is_a(type_.of):
                    params = " ".join(f"{p.word or ''} {p.name}".strip() for p in procedure.params[1:])
                    yield Offer(verb_forms(procedure.name)[1], "procedure", params)

    def _traits(self) -> Iterator[Offer]:
        kind = self.book.kinds.get((self.here.key or "").split(" ")[0])
        for sort in (kind, *(kind.bags if kind is not None else ())):
            for a in sort.all_attributes() if sort is not None else ():
                if a.type.name == "row" and isinstance(a.type.of, Table):
                    yield from (Offer(name, "row", f"{a.name}: a row of {a.type.of.name}") for name in a.type.of.rows)
                yield Offer(a.name, "mark" if a.is_mark else "attribute", a.type.words())

    def _cells(self, before: str) -> Iterator[Offer]:
        table = self.book.tables.get(self.block)
        if table is None:
            return
        *_, cell = before.split(",")
        if (named := table.columns.get(cell.strip())) is not None:  # `mood …`: a cell by its column's name
            yield from self._rows(named.type)
            return
        added = re.search(r"\((.*)\)", self.title) if self.title.startswith("add to ") else None
        names = [each.split(" ")[0] for each in added[1].split(", ")] if added is not None else list(table.columns)
        columns = [table.columns[name] for name in names if name in table.columns]
        place = before.count(",")
        if place < len(columns):
            yield from self._rows(columns[place].type)
        if place >= len(columns) - 1 or columns[place].type.name not in ("row", "rows"):
            yield from (Offer(name, "column", f"a mark of {table.name}") for name in table.marks)
        if place > 0 and added is None:
            yield from (Offer(column.name, "column", column.type.words()) for column in columns[place:])

    def _changed_cell(self) -> Column | None:
        """The column of the cell that a line of `change:` sets, such as `arms.light.mood`."""
        names = (self.here.key or "").split(".")
        table = self.book.tables.get(names[0])
        return table.columns.get(names[2]) if table is not None and len(names) == 3 else None

    def _addresses(self) -> Iterator[Offer]:
        """The addresses that a line of `change:` can have, such as `weapons.rifle.shots`."""
        if not self.here.above or self.here.above[-1] != "change" or self.here.key is not None:
            return
        path = self.here.before.rstrip(".")
        if not path:
            yield from self._meant(self._all("table", "value", "roll", "procedure", "kind"))
            return
        table = self.book.tables.get(path.split(".")[0])
        if table is not None and path.count(".") == 1:
            yield from (Offer(name, "column", f"a column of {table.name}") for name in table.columns)
        for meaning in self.index.meanings.every():
            if meaning.what in ("row", "line") and meaning.path.rpartition(".")[0] == path:
                yield Offer(meaning.name, meaning.what, f"a {meaning.what} of {path}")

    def _all(self, *whats: str) -> list[Meaning]:
        return [x for x in self.index.meanings.every() if x.what in whats]

    def _meant(self, found: Iterable[Meaning]) -> Iterator[Offer]:
        yield from (Offer(x.name, x.what) for x in found)

    # ---- types
    def _subject(self) -> Kind | None:
        for symbols in (self.book.procedures, self.book.values, self.book.rolls, self.book.limits):
            if (symbol := symbols.get(self.block)) is not None:
                return symbol.subject
        return None

    def _own(self, kind: Kind) -> Type:
        return Type("figure" if kind.counted else "thing", kind)

    def _type(self, path: str) -> Type:
        """The type of a path, as far as it is known without checking the sentence."""
        words = re.sub(r"\([^()]*\)", "", path).split(".")
        type_ = self._first(words[0])
        for word in words[1:]:
            type_ = self._member(item_type(type_) if type_.many else type_, word)
        return type_

    def _first(self, word: str) -> Type:
        known = self.index.types.get(self.block, {}).get(word)
        if known is not None:
            return known
        if (kind := self.book.kinds.get(word)) is not None:
            return self._own(kind)
        things = (names[word] for names in self.index.locals.values() if word in names)
        if (thing := next(things, None)) is not None and isinstance(thing.symbol, Kind):
            return self._own(thing.symbol)
        subject = self._subject()
        found = self._member(self._own(subject), word) if subject is not None else ANY
        if found is ANY and (kind := self.book.plurals.get(word)) is not None:
            return Type("figures" if kind.counted else "things", kind)
        if found is ANY and word in self.book.values:
            return self.checker.pure(self.book.values[word]).type
        return found

    def _member(self, type_: Type, name: str) -> Type:
        if isinstance(type_.of, Table) and type_.name == "row":
            column = type_.of.columns.get(name) or type_.of.marks.get(name)
            return column.type if column is not None else ANY
        if type_.name == "roll" and name == NEEDED:
            return NUMBER
        if not isinstance(type_.of, Kind):
            return ANY
        attribute = find_attribute(type_.of, name)
        if attribute is not None:
            return attribute.type
        if name in self.book.values:
            return self.checker.pure(self.book.values[name]).type
        if name in self.book.facts:
            return self.book.facts[name].type
        if name in self.book.rolls:
            return Type("roll", self.book.rolls[name])
        if (plural := self.book.plurals.get(name)) is not None:
            return Type("figures" if plural.counted else "things", plural)
        gone = [bag for holder in type_.of.lineage() for bag in holder.bags if name in left_with(bag)]
        return Type("figures", gone[0]) if gone else ANY
