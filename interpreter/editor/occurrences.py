"""Finds the occurrences of all names of a rule set, each with its meaning.

Takes the records of a check, and the meanings of its rules. Gives `Occurrence`s by file, in text order; an ambiguous
one has all its meanings. Knows nothing of their use by an editor.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator

from interpreter.document.nodes import Entry, Mapping, Scalar
from interpreter.language import nodes as n
from interpreter.rulebook import typed as t
from interpreter.rulebook.definitions import SHOWING, full_id
from interpreter.rulebook.layers import entries_below
from interpreter.rulebook.marks_between import is_others, mark_of
from interpreter.rulebook.sentences import Noted
from interpreter.rulebook.symbols import Table
from interpreter.source import Span
from interpreter.source.values import Record, Struct, field, names
from interpreter.vocabulary.types import Type
from interpreter.workbench.rule_sets import RuleSet

from .meanings import Meaning, Meanings


class Occurrence(Struct, eq=False):
    """A name at a place. `sure`: the check itself resolved it, or it has a single meaning."""

    span: Span
    meanings: tuple[Meaning, ...]
    declares: bool = False
    sure: bool = True
    type: Type | None = None


class Index(Record):
    """`of` are the occurrences by file name, in order; `types` the types of local names, by definition; `locals` the
    declarations of local names, by definition.
    """

    meanings: Meanings = field(default_factory=Meanings)
    of: dict[str, list[Occurrence]] = field(default_factory=dict)
    types: dict[str, dict[str, Type]] = field(default_factory=dict)
    locals: dict[str, dict[str, Meaning]] = field(default_factory=dict)

    def at(self, file: str, offset: int) -> Occurrence | None:
        """The name at an offset, or ending there."""
        here = self.of.get(file, [])
        place = bisect_right(here, offset, key=lambda x: x.span.start) - 1
        found = here[place] if place >= 0 else None
        return found if found is not None and found.span.start <= offset <= found.span.end else None

    def all_of(self, key: tuple[str, str]) -> Iterator[Occurrence]:
        for here in self.of.values():
            yield from (x for x in here if any(y.key == key for y in x.meanings))


class _Block(Struct, eq=False):
    """A definition in a file, or a line of its `change:`: its range, and the definitions `named`."""

    start: int
    end: int
    named: tuple[str, ...]


def index_of(rules: RuleSet, noted: Noted, meanings: Meanings, others: Iterable[Mapping] = ()) -> Index:
    """The index of a rule set; `others` are trees of situations for it."""
    return _Indexing(rules, noted, meanings).index(others)


class _Indexing:
    def __init__(self, rules: RuleSet, noted: Noted, meanings: Meanings) -> None:
        self.rules, self.meanings = rules, meanings
        self.sentences = {
            (s.span.source.name, s.span.start, s.text): (s, node) for s, _, node in noted.sentences if node is not None
        }
        self.resolved: dict[tuple[str, int], t.Expr] = {}
        for at, part, found in noted.meanings:
            self.resolved.setdefault(_place(at, part.start), found)
        self.found: dict[tuple[str, int], Occurrence] = {}
        self.blocks: dict[str, list[_Block]] = {}
        self.locals: dict[str, dict[str, Meaning]] = {}
        self.types: dict[str, dict[str, Type]] = {}

    def index(self, others: Iterable[Mapping]) -> Index:
        titles = {scalar.span: node for scalar, node in self.sentences.values() if isinstance(node, n.Title)}
        for sheet in self.rules.sheets:
            here = self.blocks.setdefault(sheet.root.span.source.name, [])
            for _, entry, changes in entries_below(sheet.root):
                here.append(_block(entry, changes, titles.get(entry.key.span)))
                if changes:
                    self._address(entry.key, 0, entry.key.text.split(" ")[0])
        for root in others:
            self._situation(root, root.span, "situation")
        for definition in (*self.rules.book.pages.examples, *self.rules.book.pages.typical):
            if isinstance(definition.body, Mapping):
                self._situation(definition.body, definition.body.span, definition.key.text)
        for blocks in self.blocks.values():
            blocks.sort(key=lambda block: block.start)
        for scalar, node in self.sentences.values():
            self._declare_locals(scalar, node)
        for scalar, node in self.sentences.values():
            self._walk(scalar, node, "", "")
        made: dict[str, list[Occurrence]] = {}
        for (file, _), occurrence in sorted(self.found.items(), key=lambda item: item[0]):
            made.setdefault(file, []).append(occurrence)
        return Index(self.meanings, made, self.types, self.locals)

    # ---- parts of a file other than sentences
    def _situation(self, root: Mapping, span: Span, name: str) -> None:
        """Index a situation. Its things are local names: `unit A` declares `A`."""
        block = f"{span.source.name}:{span.start}"
        self.blocks.setdefault(span.source.name, []).append(_Block(span.start, span.end, (block,)))
        for entry in root:
            words = entry.key.text.split(" ")
            if words[0] in SHOWING and isinstance(entry.value, Mapping):
                self._situation(entry.value, entry.value.span, entry.key.text)
            elif len(words) == 2 and words[0] in self.rules.book.kinds and words[1][:1].isupper():
                self._add(entry.key, 0, words[0], self.meanings.at(words[0], "kind"))
                start = len(words[0]) + 1
                where = entry.key.at(start, start + len(words[1]))
                thing = Meaning("thing", f"{block}.{words[1]}", words[1], where, self.rules.book.kinds[words[0]])
                self.locals.setdefault(block, {})[words[1]] = thing
                self._add(entry.key, start, words[1], [thing], declares=True)

    def _address(self, at: Scalar, start: int, text: str, declares: bool = False) -> None:
        """Index an address such as `shoot.men.unsaved`: each word names a part of the one before."""
        path = ""
        for word in re.finditer(r"[^.]+", text):
            above, path = path, f"{path}.{word.group()}" if path else word.group()
            found = self.meanings.at(path) or self.meanings.at(f"{above.split('.')[0]}({word.group()})")
            self._add(at, start + word.start(), word.group(), _globals(found) if not above else found, declares)

    # ---- the names of sentences
    def _declare_locals(self, scalar: Scalar, node: n.Node) -> None:
        for name, owner, said in _names(node):
            local = (owner, said) in _DECLARING
            if not local or (owner == "Parameter" and name.text in self.rules.book.kinds):
                continue
            where = scalar.at(name.start, name.end)
            for block in self._named(where):
                self.locals.setdefault(block, {}).setdefault(
                    name.text, Meaning("name", f"{block}#{name.text}", name.text, where)
                )

    def _walk(self, scalar: Scalar, node: n.Node, owner: str, said: str) -> None:
        match node:
            case n.Path():
                self._path(scalar, node, owner)
                return
            case n.Name():
                self._name(scalar, node, owner, said)
                return
            case n.Words() if self._cell(scalar, node):
                return
            case n.AttributeType() if node.of is not None and isinstance(node.first, n.Path):
                self._walk(scalar, node.of, "AttributeType", "of")
                word = node.first.parts[0]
                self._add(scalar, word.start, word.name, self.meanings.at(f"{node.of.text}.{word.name}"))
                return
            case n.Given():
                self._add(scalar, node.start, node.name, self.meanings.called(node.name, *_CARD))
            case n.Group():
                for part in node.parts:
                    self._part(scalar, part, first=False, owner=owner)
            case n.Case() if node.word is not None:
                at = scalar.at(node.start, node.end)
                own = self.meanings.by_place.get((at.source.name, at.start))
                self._add(
                    scalar,
                    node.start,
                    node.word,
                    [own] if own else self.meanings.called(node.word, "row"),
                    own is not None,
                )
        for field_, child in _children(node):
            self._walk(scalar, child, type(node).__name__, field_)

    def _path(self, scalar: Scalar, path: n.Path, owner: str) -> None:
        if owner == "Moment":
            text = scalar.text[path.start : path.end]
            self._address(scalar, path.start, text)
            return
        for place, part in enumerate(path.parts):
            self._part(scalar, part, first=place == 0, owner=owner)

    def _part(self, scalar: Scalar, part: n.Part, *, first: bool, owner: str) -> None:
        for arg in part.args or ():
            self._walk(scalar, arg, "Part", "args")
        meant = self.resolved.get(_place(scalar, part.start))
        found = self._meant(meant, scalar, part) if meant is not None else []
        if first and isinstance(meant, t.Var):
            for block in self._named(scalar.at(part.start, part.start)):
                self.types.setdefault(block, {})[part.name] = meant.type
        sure = bool(found)
        if not found:
            found = self._guess(scalar, part, first, owner)
        self._add(scalar, part.start, part.name, found, sure=sure, type_=meant.type if meant is not None else None)

    def _cell(self, scalar: Scalar, cell: n.Words) -> bool:
        """Index words in a table row: marks of that table, or rows of its columns' tables. Return whether it is one."""
        named = self._named(scalar.at(cell.start, cell.start))
        table = next((self.rules.book.tables[name] for name in named if name in self.rules.book.tables), None)
        if table is None:
            return False
        inside = {column.type.of.name for column in table.columns.values() if isinstance(column.type.of, Table)}
        for word in cell.names:
            mark = self.meanings.at(f"{table.name}({word.text})")
            rows = [x for x in self.meanings.called(word.text, "row") if x.path.split(".")[0] in inside]
            self._add(scalar, word.start, word.text, mark or rows or self.meanings.called(word.text, "row", "mark"))
        return True

    def _guess(self, scalar: Scalar, part: n.Part, first: bool, owner: str) -> list[Meaning]:
        where = scalar.at(part.start, part.start)
        if owner == "Change" and (marks := self.meanings.called(part.name, *_CARD)):
            return marks
        if first:
            for block in self._named(where):
                if (local := self.locals.get(block, {}).get(part.name)) is not None:
                    return [local]
            lines = [x for x in self.meanings.called(part.name, "line") if x.path.split(".")[0] in self._named(where)]
            if lines:
                return lines
        if owner == "Throw":
            return self.meanings.called(part.name, "line")
        found = self.meanings.called(part.name)
        return [x for x in found if x.what != "line"] if first else found

    def _meant(self, e: t.Expr, scalar: Scalar, part: n.Part) -> list[Meaning]:
        match e:
            case t.Attr():
                found = self.meanings.of(e.attribute)
                return found or self.meanings.called(part.name, "kind")
            case t.Cell() | t.BandAt():
                return self.meanings.of(e.column)
            case t.CallValue():
                return self.meanings.of(e.value)
            case t.FactOf():
                return self.meanings.of(e.fact)
            case t.RulingOf():
                return self.meanings.of(e.ruling)
            case t.RollOf():
                return self.meanings.of(e.roll)
            case t.Call():
                return self.meanings.of(e.procedure)
            case t.TableRows():
                return self.meanings.of(e.table)
            case t.All() | t.Bag():
                return self.meanings.of(e.kind)
            case t.Field():
                return self._lines(e.procedure.name, e.address)
            case t.Var():
                return self._variable(part.name, scalar.at(part.start, part.start))
            case t.Lit() if isinstance(e.type.of, Table) and part.name in e.type.of.rows:
                return self.meanings.of(e.type.of.rows[part.name])
            case t.Filter() if is_others(e):
                return self.meanings.of(mark_of(e))
            case t.Filter():
                return self._meant(e.condition, scalar, part)
            case t.Each():
                return self._meant(e.value, scalar, part)
            case _:
                return []

    def _variable(self, name: str, where: Span) -> list[Meaning]:
        """The meaning of a local name: an earlier line, a parameter, an item of a loop, a thing."""
        blocks = self._named(where)
        for block in blocks:
            if (local := self.locals.get(block, {}).get(name)) is not None:
                return [local]
        kinds = self.meanings.called(name, "kind")
        return kinds or [line for block in blocks for line in self._lines(block, name)]

    def _lines(self, procedure: str, address: str) -> list[Meaning]:
        exact = self.meanings.at(f"{procedure}.{address}", "line", "row")
        tail = f".{address}"
        inside = [x for x in self.meanings.called(address.split(".")[-1], "line") if x.path.startswith(procedure + ".")]
        return exact or [x for x in inside if x.path.endswith(tail)] or inside

    def _name(self, scalar: Scalar, name: n.Name, owner: str, said: str) -> None:
        where = scalar.at(name.start, name.end)
        own = self.meanings.by_place.get((where.source.name, where.start))
        if said == "cites":
            self._cite(scalar, name)
        elif owner == "Title" and said == "names" and "." in name.text:
            self._address(scalar, name.start, name.text)
        elif own is not None and own.name == name.text:
            self._add(scalar, name.start, name.text, [own], declares=True)
        elif (owner, said) in _DECLARING:
            local = [self.locals[b][name.text] for b in self._named(where) if name.text in self.locals.get(b, {})]
            self._add(scalar, name.start, name.text, local[:1] or self.meanings.called(name.text, "kind"), bool(local))
        elif owner == "Title" and said == "anchor":
            self._add(scalar, name.start, name.text, [x for b in self._named(where) for x in self._lines(b, name.text)])
        else:
            self._add(scalar, name.start, name.text, self.meanings.called(name.text, *_ROLES.get((owner, said), ())))

    def _cite(self, scalar: Scalar, name: n.Name) -> None:
        source = scalar.span.source
        sheet = next((s for s in self.rules.sheets if s.root.span.source is source), self.rules.sheets[-1])
        whole = full_id(name.text.split("..")[0], sheet.head.prefix)
        self._add(scalar, name.start, name.text, [Meaning("clause", whole, whole, None)])

    # ---- storing
    def _named(self, where: Span) -> tuple[str, ...]:
        """The definitions that the block at a place is about."""
        here = self.blocks.get(where.source.name, [])
        last = bisect_right(here, where.start, key=lambda block: block.start) - 1
        return next((b.named for b in reversed(here[: last + 1]) if b.start <= where.start <= b.end), ())

    def _add(
        self,
        scalar: Scalar,
        start: int,
        text: str,
        found: list[Meaning],
        declares: bool = False,
        sure: bool = False,
        type_: Type | None = None,
    ) -> None:
        if not found:
            return
        span = scalar.at(start, start + len(text))
        key = (span.source.name, span.start)
        if key not in self.found or (sure and not self.found[key].sure):
            self.found[key] = Occurrence(span, tuple(found), declares, sure or declares or len(found) == 1, type_)


_CARD = ("attribute", "mark")
_ROLES: dict[tuple[str, str], tuple[str, ...]] = {
    ("Title", "names"): (
        "kind",
        "table",
        "value",
        "roll",
        "fact",
        "procedure",
        "rule",
        "mark",
        "limit",
        "policy",
        "moment",
    ),
    ("Title", "of"): ("kind", "table"),
    ("Title", "part_of"): ("moment",),
    ("Title", "group"): ("kind",),
    ("Title", "base"): ("kind", "roll"),
    ("Title", "other"): ("kind",),
    ("Title", "on"): ("dice",),
    ("Title", "through"): ("kind", *_CARD),
    ("Parameter", "kind"): ("kind", "table"),
    ("Parameter", "by"): ("column",),
    ("AttributeType", "of"): ("kind", "table"),
    ("IsA", "kind"): ("kind",),
    ("Made", "kind"): ("kind",),
    ("Change", "what"): _CARD,
    ("Deals", "what"): _CARD,
    ("Limit", "per"): ("kind", *_CARD),
    ("Does", "verb"): ("procedure",),
    ("Words", "names"): ("row", "column", "mark"),
    ("Named", "name"): ("column",),
    ("Trait", "name"): ("row", "attribute", "mark", "kind"),
}
_DECLARING = {
    ("Parameter", "name"),
    ("ForEach", "name"),
    ("DealsOut", "name"),
    ("Where", "alias"),
    ("Title", "each"),
    ("Moment", "role"),
}


def _globals(found: list[Meaning]) -> list[Meaning]:
    return [x for x in found if x.what != "clause"]


def _place(scalar: Scalar, start: int) -> tuple[str, int]:
    span = scalar.at(start, start + 1)
    return span.source.name, span.start


def _block(entry: Entry, changes: bool, title: n.Title | None) -> _Block:
    end = max(entry.key.span.end, entry.value.span.end)
    if changes:
        return _Block(entry.key.span.start, end, (entry.key.text.split(".")[0],))
    if title is None:
        return _Block(entry.key.span.start, end, ())
    said = [name.text.split(".")[0] for name in title.names]
    said += [moment.path.parts[0].name for moment in title.moments]
    return _Block(entry.key.span.start, end, tuple(dict.fromkeys(said)))


def _children(node: n.Node) -> Iterator[tuple[str, n.Node]]:
    for name in names(type(node)):
        value = getattr(node, name)
        for each in value if isinstance(value, tuple) else (value,):
            if isinstance(each, n.Node):
                yield name, each


def _names(node: n.Node) -> Iterator[tuple[n.Name, str, str]]:
    for said, child in _children(node):
        if isinstance(child, n.Name):
            yield child, type(node).__name__, said
        else:
            yield from _names(child)
