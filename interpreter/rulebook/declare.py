"""Declares symbols from definitions, before any body is checked.

Input: definitions with parsed titles. Output: a `Book` of symbols whose bodies are still text. It does not know
expressions: bodies are checked later, on demand.
"""

from __future__ import annotations

import re

from interpreter.document.nodes import Scalar
from interpreter.language import nodes as n
from interpreter.source import Fix, Label
from interpreter.source.values import replace
from interpreter.vocabulary.types import INCHES, NUMBER, TRUTH, Type

from .book import SAID_BY_THE_GRAMMAR, Book, plural, verb_forms
from .construct import absent
from .declarations import Declarations, where_of
from .definitions import Definition, cited, note_lost_names, unknown
from .marks_between import between_two
from .moments import TABLE_MOMENTS
from .sentences import Sentences
from .situation import Override
from .symbols import (
    Attribute,
    Column,
    Convention,
    Fact,
    Hook,
    Kind,
    Limit,
    MomentDef,
    NamedPolicy,
    Param,
    Procedure,
    Roll,
    RowDef,
    RuleDef,
    Ruling,
    Table,
    Value,
    Where,
)
from .table_definitions import TableReader, cell_value

_BARE_NAMES = ("kind", "table", "outcomes", "value", "roll", "fact", "mark", "ruling")


class Declarer:
    """Declares definitions in `book`; `declare` is called once, with all of them."""

    def __init__(self, book: Book, sentences: Sentences) -> None:
        self.book, self.sentences, self.problems = book, sentences, sentences.problems
        self.declarations = Declarations(book, sentences)
        self.tables = TableReader(self.declarations)

    def declare(self, definitions: list[Definition]) -> None:
        book = self.book
        book.pages.definitions = definitions
        for d in definitions:
            if d.title.what == "kind":
                self._kind(d)
            elif d.title.what in ("table", "outcomes"):
                book.tables[d.title.name.text] = Table(d.title.name.text, where_of(d.key, d.title.name))
        for d in definitions:
            if d.title.what == "kind":
                self._relations(d)
            if d.title.what in _BARE_NAMES:
                self._check_plural_clash(d)
        for d in definitions:
            self.declarations.note_cites(d.key, d.title.cites, d.prefix)
            for added in d.added:
                self.declarations.note_cites(added.key, added.title.cites, added.prefix)
            self._declare(d)
        # Each pass may refer to the results of the previous ones, whatever the order in the file.
        for what, step in (("table", self.tables.named_rows), ("ruling", self._ruling), ("table", self.tables.rows)):
            for d in definitions:
                if d.title.what == what:
                    step(d)
        for d in definitions:
            if d.title.what == "moment":
                self._read_moment(d)
            elif d.title.part_of is not None:
                self._add_to_moment(d, d.title.part_of)
        for table in book.tables.values():
            for word in table.rows:
                book.words.setdefault(word, []).append(table)
        # At one moment, marks end before rules apply.
        book.hooks.sort(key=lambda hook: (hook.mark is None, hook.mark.name if hook.mark is not None else ""))
        # Kinds are sorted by depth of inheritance, then by name.
        kinds = sorted(book.kinds.values(), key=lambda kind: (len([*kind.lineage()]), kind.name))
        book.kinds = {kind.name: kind for kind in kinds}
        for kind in kinds:
            _sort_attributes(kind)

    def _declare(self, d: Definition) -> None:
        match d.title.what:
            case "kind":
                self._attributes(d)
            case "mark":
                self._mark(d)
            case "fact":
                self._fact(d)
            case "value":
                self._value(d)
            case "limit":
                self._limit(d)
            case "roll":
                self._roll(d)
            case "procedure":
                self._procedure(d)
            case "outcomes":
                self._outcomes(d)
            case "rule":
                self._rule(d)
            case "moment":
                self._moment(d)
            case "dice":
                self._dice(d)
            case "example":
                self._example(d)
            case "policy":
                self._policy(d)
            case "typical":
                self._typical(d)

    def _kind(self, d: Definition) -> None:
        name = d.title.name.text
        kind = Kind(
            name, where_of(d.key, d.title.name), plural(name), len(self.book.kinds), counted=bool(d.title.group)
        )
        kind.cites = d.cites
        self.book.kinds[name] = kind
        self.book.plurals[kind.plural] = kind
        self.book.pages.owners[kind] = d

    def _check_plural_clash(self, d: Definition) -> None:
        """Report a symbol with the name of a kind's plural, because sentences with that name would be ambiguous."""
        for name in d.title.names:
            kind = self.book.plurals.get(name.text)
            if kind is not None:
                others = [Label(kind.where.span, f"all of these are its {kind.plural}")]
                span = d.key.at(name.start, name.end)
                self.problems.add("N003", span, name=name.text, label="said again here", others=others)

    def _relations(self, d: Definition) -> None:
        kind = self.book.kinds[d.title.name.text]
        owner = self.declarations.kind_named(d.key, d.title.of or d.title.group)
        base = self.declarations.kind_named(d.key, d.title.base)
        if base is not None:
            if kind in base.lineage():
                name = d.title.base or d.title.name
                self.problems.add("N010", d.key.at(name.start, name.end), name=name.text, label="a circle of kinds")
                return
            kind.base = base
            kind.counted = base.counted
            kind.owner = base.owner
            base.subs.append(kind)
        if owner is not None:
            kind.owner = owner
            where = where_of(d.key, d.title.of or d.title.group or d.title.name)
            if kind.counted:
                owner.bags.append(kind)
            else:
                kind.attributes[owner.name] = Attribute(owner.name, where, kind, Type("thing", owner), optional=False)

    def _attributes(self, d: Definition) -> None:
        kind = self.book.kinds[d.title.name.text]
        for entry, prefix in d.entries:
            key = self.sentences.read(entry.key, "row_key", n.LineKey)
            text = self.declarations.text(entry.value)
            node = self.sentences.read(text, "attribute", n.AttributeType) if text is not None else None
            if key is None or text is None or node is None:
                note_lost_names(self.problems, entry)
                continue
            type_ = self.attribute_type(text, node)
            where = where_of(entry.key, key.name)
            made = Attribute(key.name.text, where, kind, type_, optional=node.optional, first=node.first)
            made.cites = cited(node.cites, prefix)
            made.low, made.high = self._bounds(text, node)
            self.declarations.note_cites(text, node.cites, prefix)
            if node.both_ways is not None:
                self._refuse_both_ways(made.name, text, node.both_ways, "it belongs to one thing")
            self._attach(kind, made)
            if kind.counted and type_.name in ("inches", "things", "figures"):
                span = text.at(node.start, node.end)
                self.problems.add("T010", span, kind=kind.name, type=type_.words(), label="figures are counted by it")
            self.book.pages.owners[made] = Definition(d.title, text, text, d.heading, d.game, prefix)

    def _attach(self, kind: Kind, made: Attribute) -> None:
        earlier = kind.find(made.name)
        if earlier is not None:
            self.problems.add(
                "N003",
                made.where.span,
                name=made.name,
                label="said again here",
                others=[Label(earlier.where.span, "declared here")],
            )
            return
        kind.attributes[made.name] = made

    def _bounds(self, text: Scalar, node: n.AttributeType) -> tuple[int | None, int | None]:
        """The bounds of a number, which must be literals."""
        low, high = _bound(node.low), _bound(node.high)
        for bound, value in ((node.low, low), (node.high, high)):
            if bound is not None and value is None:
                span = text.at(bound.start, bound.end)
                hint = f"keep it within in the line that changes it, as with `min(…, {span.text})`"
                self.problems.add("T001", span, found="worked out", wanted="a plain number", hint=hint)
        if low is None or high is None or node.low is None or node.high is None:
            return None, None
        if low > high:
            span = text.at(node.low.start, node.high.end)
            fix = Fix(span, f"{high} to {low}", False, f"write `{high} to {low}`")
            self.problems.add("K004", span, label="counts down", fix=fix)
            return None, None
        if isinstance(node.first, n.Number) and not low <= node.first.value <= high:
            span = text.at(node.first.start, node.first.end)
            self.problems.add("F010", span, found=span.text, wanted=f"{low} to {high}")
        return low, high

    def attribute_type(self, scalar: Scalar, node: n.AttributeType) -> Type:
        if node.what == "one of" and node.of:
            word, kinds = node.of.text, [k for k in self.book.kinds if node.of.text in (k, plural(k))]
            if kinds and word not in self.book.tables:
                hint = f"of things one is said `a {kinds[0]} or none`, and several `many {plural(kinds[0])}`"
                unknown(self.problems, scalar, node.of, "table", [], hint)
                return Type("any")
            table = self.declarations.table_named(scalar, node.of)
            return Type("row", table) if table else Type("any")
        if node.what == "a" and node.of:
            word = node.of.text
            if word not in self.book.kinds and (fits := {word, plural(word)} & {*self.book.tables}):
                hint = f"a row of a table is said `one of {fits.pop()}`"
                unknown(self.problems, scalar, node.of, "kind", [], hint)
                return Type("any")
            kind = self.declarations.kind_named(scalar, node.of)
            if kind is not None and kind.counted:
                span = scalar.at(node.of.start, node.of.end)
                self.problems.add("T011", span, kind=kind.name, label="alike ones are counted, none has a name")
                return Type("any")
            return Type("thing", kind) if kind else Type("any")
        if node.what == "many" and node.of:
            if node.of.text in self.book.tables:
                return Type("rows", self.book.tables[node.of.text])
            kind = self.book.plurals.get(node.of.text)
            if kind is None:
                known = [*self.book.plurals, *self.book.tables]
                unknown(self.problems, scalar, node.of, "kind or table", known)
                return Type("any")
            return Type("figures" if kind.counted else "things", kind)
        return {"number": NUMBER, "inches": INCHES, "yes or no": TRUTH}[node.what]

    def _note_lost(self, d: Definition) -> None:
        """Note names that could not be declared, for a reported reason, so that their uses are not reported too."""
        self.problems.lost.update(name.text for name in d.title.names)

    def _mark(self, d: Definition) -> None:
        text = d.text
        node = self.sentences.read(text, "ending", n.Ending) if text else None
        of = d.title.of
        table = self.book.tables.get(of.text) if of else None
        kind = self.book.kinds.get(of.text) if of else None
        if of and kind is None and (table is None or d.title.other is not None):
            unknown(self.problems, d.key, of, "kind or table", [*self.book.kinds, *self.book.tables])
            self._note_lost(d)
            return
        for name in d.title.names:
            where = where_of(d.key, name)
            if table is not None:
                table.marks[name.text] = Column(name.text, where, TRUTH)
                continue
            if kind is None:
                continue
            mark = Attribute(name.text, where, kind, TRUTH, optional=True, is_mark=True, ending=node)
            if not between_two(mark, d, self.declarations):
                self._note_lost(d)
                continue
            mark.cites = cited(d.title.cites, d.prefix) + (cited(node.cites, d.prefix) if node else ())
            mark.out_of_play = bool(node and node.out_of_play)
            self._attach(kind, mark)
            self.book.pages.owners[mark] = d
            if node and text:
                self.declarations.note_cites(text, node.cites, d.prefix)
                self.book.hooks += [Hook(m.when, m, text, mark=mark) for m in node.moments]
                self._declare_fresh(mark, text, [m for m in node.moments if m.after_next])

    def _declare_fresh(self, mark: Attribute, text: Scalar, moments: list[n.Moment]) -> None:
        """For `until after next P`, declare a second mark: set while P has not begun since the first mark was gained.
        """
        if not moments:
            return
        mark.fresh = Attribute(f"fresh-{mark.name}", mark.where, mark.kind, TRUTH, optional=True, is_mark=True)
        self._attach(mark.kind, mark.fresh)
        self.book.pages.owners[mark.fresh] = self.book.pages.owners[mark]
        begins = [replace(m, when="before", after_next=False) for m in moments]
        self.book.hooks += [Hook("before", m, text, mark=mark.fresh) for m in begins]

    def _fact(self, d: Definition) -> None:
        kind = self.declarations.kind_named(d.key, d.title.of)
        text = d.text
        node = self.sentences.read(text, "attribute", n.AttributeType) if text else None
        if text is None:
            self.problems.add("P001", d.key.span, name=d.title.name.text, label="what can it be?")
        if kind is None or node is None or text is None:
            self._note_lost(d)
            return
        params = self.declarations.params(d)
        made = Fact(d.title.name.text, where_of(d.key, d.title.name), kind, params, self.attribute_type(text, node))
        made.optional, made.first = node.optional, node.first
        made.low, made.high = self._bounds(text, node)
        made.both_ways = self._is_symmetric(made, text, node)
        self.declarations.keep(self.book.facts, made, d)
        made.cites += cited(node.cites, d.prefix)
        self.declarations.note_cites(text, node.cites, d.prefix)

    def _is_symmetric(self, fact: Fact, text: Scalar, node: n.AttributeType) -> bool:
        """Whether a fact says `both ways`, or is a distance without a default."""
        if node.both_ways is None:
            return fact.of_two and fact.type == INCHES and fact.first is None
        other = fact.params[0].type.of if fact.of_two else None
        if other is fact.kind:
            return True
        if not fact.of_two:
            label = "it is not told of two things alone"
        else:
            label = f"one is a {fact.kind.name}, the other a {other.name if isinstance(other, Kind) else other}"
        self._refuse_both_ways(fact.name, text, node.both_ways, label)
        return False

    def _refuse_both_ways(self, name: str, text: Scalar, words: n.Name, label: str) -> None:
        whole = text.at(text.text.rindex(",", 0, words.start), words.end)
        fix = Fix(whole, "", False, "leave `both ways` out")
        self.problems.add("T020", text.at(words.start, words.end), name=name, label=label, fix=fix)

    def _value(self, d: Definition) -> None:
        kind = self.declarations.kind_named(d.key, d.title.of)
        if d.title.of and kind is None:
            self._note_lost(d)
            return
        made = Value(d.title.name.text, where_of(d.key, d.title.name), kind, self.declarations.params(d), d.body, d.key)
        self.declarations.keep(self.book.values, made, d)

    def _limit(self, d: Definition) -> None:
        kind = self.declarations.kind_named(d.key, d.title.of)
        if kind is None:
            self._note_lost(d)
            return
        made = Limit(d.title.name.text, where_of(d.key, d.title.name), kind, (), d.body, d.key)
        self.declarations.keep(self.book.limits, made, d)

    def _roll(self, d: Definition) -> None:
        kind = self.declarations.kind_named(d.key, d.title.of)
        if kind is None:
            self._note_lost(d)
            return
        made = Roll(d.title.name.text, where_of(d.key, d.title.name), kind, self.declarations.params(d), d.body, d.key)
        self.declarations.keep(self.book.rolls, made, d)

    def _procedure(self, d: Definition) -> None:
        name = d.title.name
        if (verb := verb_forms(name.text)[1]) in SAID_BY_THE_GRAMMAR:
            hint = f"call it something of its own, such as `to {name.text}-on`"
            self.problems.add("N019", where_of(d.key, name).span, name=name.text, said=verb, hint=hint)
            self._note_lost(d)
            return
        made = Procedure(d.title.name.text, where_of(d.key, d.title.name), self.declarations.params(d), d.body, d.key)
        self.declarations.keep(self.book.procedures, made, d)

    def _outcomes(self, d: Definition) -> None:
        kind = self.declarations.kind_named(d.key, d.title.of)
        if kind is None or d.title.of is None:
            self._note_lost(d)
            return
        where = where_of(d.key, d.title.of)
        params = (
            Param(kind.name, Type("figure" if kind.counted else "thing", kind), None, where),
            *self.declarations.params(d),
        )
        made = Procedure(d.title.name.text, where_of(d.key, d.title.name), params, d.body, d.key)
        made.table = self.book.tables[made.name]
        made.by, made.barred = d.title.by, d.title.condition
        for entry, _ in d.entries:
            key = self.sentences.read(entry.key, "case_key", n.CaseKey)
            if key is not None:
                name = key.name.text if key.name else entry.key.text.split(",")[0].split("[")[0].strip()
                at = Where(entry.key, key.start, key.end)
                if name in made.table.rows:
                    span = where_of(entry.key, key.name).span if key.name else at.span
                    others = [Label(made.table.rows[name].where.span, "declared here")]
                    self.problems.add("N003", span, name=name, label="said again here", others=others)
                made.table.rows[name] = RowDef(name, at, len(made.table.rows))
        self.declarations.keep(self.book.procedures, made, d)

    def _rule(self, d: Definition) -> None:
        title = d.title
        made = RuleDef(title.name.text, where_of(d.key, title.name), title.each, title.condition, d.body, d.key)
        made.hooks = tuple(Hook(m.when, m, d.key, rule=made) for m in title.moments)
        self.book.hooks += made.hooks
        self.declarations.keep(self.book.rules, made, d)

    def _moment(self, d: Definition) -> None:
        name = d.title.name
        if name.text in TABLE_MOMENTS:
            self.problems.add(
                "N003", d.key.at(name.start, name.end), name=name.text, label="it comes without a definition"
            )
        kind = self.declarations.kind_named(d.key, d.title.of)
        made = MomentDef(d.title.name.text, where_of(d.key, d.title.name), kind, place=len(self.book.moments))
        self.declarations.keep(self.book.moments, made, d)

    def _read_moment(self, d: Definition) -> None:
        """Parse the body of a moment: the marks whose gain begins it, and the procedures and moments that belong to it.
        """
        made, text = self.book.moments[d.title.name.text], d.text
        node = self.sentences.read(text, "words", n.WordList) if text is not None else None
        if text is None or node is None:
            return
        made.cites += cited(node.cites, d.prefix)
        self.declarations.note_cites(text, node.cites, d.prefix)
        marks = {a.name: a for k in self.book.kinds.values() for a in k.attributes.values() if a.is_mark}
        for name in node.names:
            if name.text in marks:
                made.marks += (marks[name.text],)
            elif name.text in self.book.procedures:
                made.procedures += (self.book.procedures[name.text],)
            elif name.text in self.book.moments:
                made.inner += (self.book.moments[name.text],)
            elif name.text not in self.problems.lost:
                known = [*marks, *self.book.procedures, *self.book.moments]
                unknown(self.problems, text, name, "mark, procedure or moment", known)

    def _add_to_moment(self, d: Definition, name: n.Name) -> None:
        """Add a procedure to the moment that its title names: `to shoot (unit), an attack`."""
        made, procedure = self.book.moments.get(name.text), self.book.procedures.get(d.title.name.text)
        if made is None:
            hint = None if self.book.moments else f"a line `moment {name.text}:` says that there is such a moment"
            unknown(self.problems, d.key, name, "moment", self.book.moments, hint)
        elif procedure is not None:
            made.procedures += (procedure,)

    def _dice(self, d: Definition) -> None:
        text = d.text
        node = self.sentences.read(text, "convention", n.Convention) if text else None
        if node is None:
            self._note_lost(d)
            sides = re.search(r"\bd([0-9]+)", text.text) if text is not None else None
            made = Convention(
                d.title.name.text, where_of(d.key, d.title.name), int(sides[1]) if sides else 6, True, None, None
            )
            self.declarations.keep(self.book.conventions, made, d)  # so that rolls are not reported as lacking dice
            return
        made = Convention(
            d.title.name.text, where_of(d.key, d.title.name), node.die.sides, node.over, node.always, node.never
        )
        if text is not None and node.die.count != 1:
            span = text.at(node.die.start, node.die.end)
            hint = f"write `d{node.die.sides}`; a sum of dice is thrown in a line and compared there"
            self.problems.add("D014", span, said=f"`{span.text}`", hint=hint)
        for face in (node.always, node.never):
            if face is not None and not 1 <= face <= node.die.sides and text is not None:
                found = re.search(rf"(?:always|never) +{face}\b", text.text)
                span = text.at(*found.span()) if found else text.at(node.start, node.end)
                hint = f"the faces of a d{node.die.sides} are 1 to {node.die.sides}"
                self.problems.add("D003", span, die=f"d{node.die.sides}", face=face, hint=hint)
        self.declarations.keep(self.book.conventions, made, d)
        if text is not None:
            self.declarations.note_cites(text, node.cites, d.prefix)

    def _ruling(self, d: Definition) -> None:
        text = d.text
        node = self.sentences.read(text, "options", n.Options) if text else None
        if node is None:
            self._note_lost(d)
            return
        words = [o.names[0].text if isinstance(o, n.Words) else "none" for o in node.options]
        cells = [word for word in words if word != "none"]
        if text is not None and cells and all(isinstance(o, n.Words | n.Absent) for o in node.options):
            table = self._ruling_table(d, cells, Where(text, node.start, node.end))
            type_ = Type("row", table)
            options = tuple([table.rows[word].index if word in table.rows else absent(type_) for word in words])
        else:
            values = [cell_value(o) for o in node.options]
            type_ = next((found for found, _ in values if found.name != "none"), values[0][0])
            options = tuple(v for _, v in values)
            texts = [text.text[option.start : option.end] if text is not None else "" for option in node.options]
            words = [cells if v is not None else "none" for cells, v in zip(texts, options, strict=True)]
            for option, (found, _) in zip(node.options, values, strict=True):
                if found not in (type_, Type("none")) and text is not None:
                    at, label = text.at(option.start, option.end), f"this is {found.words()}"
                    self.problems.add("T001", at, found=found.words(), wanted=type_.words(), label=label)
        for index, option in enumerate(node.options):
            if options[index] in options[:index] or words[index] in words[:index]:
                span = text.at(option.start, option.end) if text is not None else None
                self.problems.add("R003", span, reading=words[index], name=d.title.name.text)
        made = Ruling(d.title.name.text, where_of(d.key, d.title.name), options, type_, options[0], tuple(words))
        self.declarations.keep(self.book.rulings, made, d)
        if text is not None:
            self.declarations.note_cites(text, node.cites, d.prefix)

    def _ruling_table(self, d: Definition, words: list[str], where: Where) -> Table:
        """The table whose rows are the options of a ruling; a new table if no table has them all."""
        name = d.title.name.text
        fits = self.tables.columns.holding(name, words)
        if len(fits) > 1:
            self.tables.columns.two_tables(name, where, fits)
        if fits:
            return fits[0]
        table = Table(name, where_of(d.key, d.title.name))
        for index, word in enumerate(dict.fromkeys(words)):
            table.rows[word] = RowDef(word, table.where, index)
            self.book.words.setdefault(word, []).append(table)
        return table

    def _example(self, d: Definition) -> None:
        if d.game == self.book.header.game:  # examples belong to the file they are in, not to those that extend it
            self.book.pages.examples.append(d)

    def _policy(self, d: Definition) -> None:
        made = NamedPolicy(d.title.name.text, where_of(d.key, d.title.name))
        if d.text is not None or not d.entries:
            self.problems.add("P001", d.key.span, name=made.name, label="it has no lines")
        for entry, _ in d.entries:
            text = self.declarations.text(entry.value)
            read = self.sentences.read(text, "policy", n.Policy) if text is not None else None
            if text is not None and read is not None:
                made.lines.append(Override(entry.key.text.strip(), read.wishes, text, entry.key.span))
        self.declarations.keep(self.book.policies, made, d)

    def _typical(self, d: Definition) -> None:  # unlike examples, these hold with every supplement
        self.book.pages.typical.append(d)


def _sort_attributes(kind: Kind) -> None:
    """Sort a kind's attributes: lines in page order, then marks by name.

    Figures are ordered by their attributes, so the place where a file declares a mark must not affect it.
    """
    marks = sorted([a for a in kind.attributes.values() if a.is_mark], key=lambda a: a.name)
    lines = [a for a in kind.attributes.values() if not a.is_mark]
    kind.attributes = {a.name: a for a in (*lines, *marks)}
    kind.subs.sort(key=lambda sub: sub.name)
    kind.bags.sort(key=lambda held: held.name)


def _bound(node: n.Expr | None) -> int | None:
    return node.value if isinstance(node, n.Number) else None
