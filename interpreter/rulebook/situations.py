"""A situation or example: what is there, what is stated, what is done, what is expected.

Enters: the mapping of a situation and the checker of its rules. Leaves: a `Situation`: things with their values, facts, and one
procedure of its own that does what `do` says and then works out every question asked, so that both engines answer them. Knows
nothing of how a state is kept.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from interpreter.document import Mapping, Node, Scalar, Sequence
from interpreter.language import nodes as n
from interpreter.source import Span, nearest
from interpreter.vocabulary.types import NUMBER, TRUTH, Type

from . import typed as t
from .definitions import Definition
from .expressions import absent
from .procedures import ProcedureChecker, _Work
from .scope import Lines, Scope
from .symbols import Attribute, Fact, Kind, LineInfo, Param, Procedure, RowDef, Where

KEYWORDS = (
    "rules", "do", "facts", "choose", "rulings", "dice", "then", "odds", "trace", "error", "about", "cites", "ask",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Shadow:
    """A text read in place of a scalar's, letter for letter as long: places stay right."""

    text: str
    scalar: Scalar

    def at(self, start: int, end: int) -> Span:
        return self.scalar.at(start, end)

    @property
    def span(self) -> Span:
        return self.scalar.span


@dataclass(eq=False, slots=True)
class Group:
    kind: Kind
    count: int
    values: dict[Attribute, Any]
    where: Where


@dataclass(eq=False, slots=True)
class Thing:
    """A thing of the situation. Values are encoded; a value that names another thing is its name."""

    name: str
    kind: Kind
    where: Where
    values: dict[Attribute, Any] = field(default_factory=dict)
    groups: list[Group] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class FactGiven:
    """A fact of some things (by name), or an attribute of one."""

    symbol: Fact | Attribute
    things: tuple[str, ...]
    value: Any


@dataclass(eq=False, slots=True)
class Ask:
    """kind: `then` (must hold), `chance`, `mean`, or `show`. `address` is the line that works it out."""

    kind: str
    text: str
    where: Where
    address: str
    type: Type
    expected: Fraction | None = None
    given: bool = False


@dataclass(eq=False, slots=True)
class Override:
    """`choose:` for a line: how a choice is made here."""

    address: str
    wishes: tuple[n.Preference, ...]
    scalar: Scalar
    used: bool = False


@dataclass(eq=False, slots=True)
class Situation:
    things: list[Thing]
    facts: list[FactGiven]
    procedure: Procedure
    asks: list[Ask]
    choose: list[Override]
    rulings: dict[str, Any]
    dice_by_line: dict[str, list[int]]
    dice: list[int]
    has_dice: bool
    trace: list[tuple[str, Where]]
    error: tuple[str, Where] | None


class SituationChecker:
    def __init__(self, checker: ProcedureChecker) -> None:
        self.c = checker
        self.book = checker.book
        self.problems = checker.sentences.problems
        self.sentences = checker.sentences

    def check(self, root: Mapping, extra_asks: list[tuple[str, Scalar]] | None = None) -> Situation | None:
        before = len(self.problems)
        things = self._things(root)
        names = {x.name: x for x in things}
        facts = self._facts(root.get("facts"), names)
        params, scope = self._scope(things)
        procedure, work = self._procedure(root, params, scope)
        steps = self._do(root.get("do"), work, scope)
        asks, more = self._asks(root, scope, extra_asks or [])
        checked = t.Checked(
            tuple(p for p in self._variables), (*steps, *more), dict(scope.lines.by_address if scope.lines else {})
        )
        self.c.keep(procedure, checked)
        trace = [(s.text, Where(s, 0, len(s.text))) for s in _texts(root.get("trace"))]
        error_node = root.get("error")
        error = (error_node.text, Where(error_node, 0, len(error_node.text))) if isinstance(error_node, Scalar) else None
        by_line, faces, has = self._dice(root.get("dice"))
        choose = self._choose(root.get("choose"))
        rulings = self._rulings(root.get("rulings"))
        if len(self.problems) > before and self.problems.has_errors and error is None:
            return None
        return Situation(things, facts, procedure, asks, choose, rulings, by_line, faces, has, trace, error)

    # ---- things
    def _things(self, root: Mapping) -> list[Thing]:
        found: list[Thing] = []
        seen: dict[str, Where] = {}
        for entry in root:
            words = entry.key.text.split(" ")
            if entry.key.text in KEYWORDS or len(words) != 2:
                continue
            kind = self.book.kinds.get(words[0])
            where = Where(entry.key, len(words[0]) + 1, len(entry.key.text))
            if kind is None or kind.counted:
                close = nearest(words[0], [k.name for k in self.book.kinds.values() if not k.counted])
                hint = f"did you mean `{close[0]}`?" if close else None
                self.problems.add(
                    "N001", entry.key.at(0, len(words[0])), name=words[0], what="kind", hint=hint,
                    label=f"no kind of thing is called `{words[0]}`",
                )  # fmt: skip
                continue
            if words[1] in seen:
                self.problems.add("F011", where.span, name=words[1])
                continue
            if not words[1][:1].isupper():
                self.problems.add("F016", where.span, wanted="a name that begins with a capital", hint=words[1].capitalize())
                continue
            seen[words[1]] = where
            thing = Thing(words[1], kind, where)
            found.append(thing)
        by_name = {x.name: x for x in found}
        for entry in root:
            words = entry.key.text.split(" ")
            if len(words) == 2 and words[1] in by_name and entry.key.text not in KEYWORDS:
                self._describe(by_name[words[1]], entry.value, by_name)
        found += [x for x in by_name.values() if x not in found]
        self._owners(found)
        return found

    def _owners(self, found: list[Thing]) -> None:
        """A thing whose owner is not said has one of its own: strangers are enemies."""
        for thing in found:
            kind = thing.kind
            root = next((k for k in kind.lineage() if k.owner is not None and k.owner.name in k.attributes), None)
            if root is None or root.owner is None:
                continue
            relation = root.attributes[root.owner.name]
            if relation not in thing.values:
                owner = Thing(f"{root.owner.name} of {thing.name}", root.owner, thing.where)
                found.append(owner)
                thing.values[relation] = owner.name

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
                for scalar in _texts(entry.value):
                    self._traits(thing, scalar, scalar.text, names)
                continue
            counted = self._counted(thing.kind, entry.key.text)
            if counted is None:
                known = ["is", *(b.plural for b in self._held(thing.kind))]
                self._unknown(entry.key, 0, entry.key.text, thing.kind, known)
                continue
            for scalar in _texts(entry.value):
                self._group(thing, counted, scalar, names)

    def _held(self, kind: Kind) -> list[Kind]:
        return [s for k in kind.lineage() for bag in k.bags for s in bag.sorts()]

    def _counted(self, kind: Kind, word: str) -> Kind | None:
        return next((b for b in self._held(kind) if word in (b.plural, b.name)), None)

    def _group(self, thing: Thing, counted: Kind, scalar: Scalar, names: dict[str, Thing]) -> None:
        match = re.match(r"(\d+)(\s+with\s+|\s*,\s*|\s*$)", scalar.text)
        if match is None:
            self.problems.add("F016", scalar.span, wanted="how many they are", hint="`4 with weapon rifle`")
            return
        count = self._how_many(int(match.group(1)), scalar, match.start(1), match.end(1))
        group = Group(counted, count, {}, Where(scalar, 0, len(scalar.text)))
        thing.groups.append(group)
        rest = " " * match.end() + scalar.text[match.end() :].replace(" and ", ",    ")
        if rest.strip():
            node = self.sentences.read(Shadow(rest, scalar), "thing", n.Thing)  # type: ignore[arg-type]
            for trait in node.traits if node else ():
                self._trait(counted, group.values, trait, Shadow(rest, scalar), names)

    def _how_many(self, count: int, scalar: Any, start: int, end: int) -> int:
        if count > 400:
            self.problems.add("F010", scalar.at(start, end), found=count, wanted="at most 400 of one sort")
            return 1
        return count

    def _traits(self, thing: Thing, scalar: Scalar, text: str, names: dict[str, Thing]) -> None:
        node = self.sentences.read(scalar, "thing", n.Thing)
        if node is None:
            return
        shared: dict[Attribute, Any] = {}
        mine: list[Group] = []
        for trait in node.traits:
            counted = self._counted(thing.kind, trait.name.text) if trait.what == "count" else None
            if counted is not None and isinstance(trait.value, n.Number):
                count = self._how_many(trait.value.value, scalar, trait.value.start, trait.value.end)
                group = Group(counted, count, {}, Where(scalar, trait.start, trait.end))
                thing.groups.append(group)
                mine.append(group)
                continue
            self._trait(thing.kind, thing.values, trait, scalar, names, shared)
        for group in mine:
            group.values.update(shared)
        if shared and not mine:
            trait = node.traits[0]
            self.problems.add("F001", scalar.at(trait.start, trait.end), name="how many there are", hint="`6 figures`")

    def _trait(
        self, kind: Kind, values: dict[Attribute, Any], trait: n.Trait, scalar: Any, names: dict[str, Thing],
        shared: dict[Attribute, Any] | None = None,
    ) -> None:  # fmt: skip
        """One trait; what belongs to the counted things that a thing holds goes to `shared`."""
        held = self._held(kind) if shared is not None else []
        name = trait.name.text

        def owners(word: str) -> list[tuple[Attribute, dict[Attribute, Any]]]:
            found = []
            attribute = self.c._any_attribute(kind, word)
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
                self._unknown(scalar, trait.name.start, name, kind, self._words(kind, held))
                return
            attribute, where = places[0]
            self._set(attribute, where, value, trait, scalar, names)
            return
        if trait.what == "not":
            places = [p for p in owners(name) if p[0].type == TRUTH or p[0].optional]
            if not places:
                self._unknown(scalar, trait.name.start, name, kind, self._words(kind, held))
                return
            places[0][1][places[0][0]] = absent(places[0][0].type)
            return
        flags = [p for p in owners(name) if p[0].type == TRUTH]
        rows = self._row_attributes(kind, values, held, shared, name)
        if len(flags) + len(rows) > 1 and len({id(a) for a, _, _ in rows} | {id(a) for a, _ in flags}) > 1:
            options = " or ".join(f"{a.name} {name}" for a, _, _ in rows) or name
            self.problems.add("F003", scalar.at(trait.start, trait.end), word=name, options=options)
        elif flags:
            flags[0][1][flags[0][0]] = True
        elif rows:
            attribute, where, index = rows[0]
            where[attribute] = index
        else:
            self._unknown(scalar, trait.name.start, name, kind, self._words(kind, held))

    def _row_attributes(
        self, kind: Kind, values: dict[Attribute, Any], held: list[Kind], shared: dict[Attribute, Any] | None, word: str
    ) -> list[tuple[Attribute, dict[Attribute, Any], int]]:
        found = []
        seen: set[int] = set()
        # A thing's own card answers before the cards of what it holds: `seasoned` is said of the unit.
        pools = [[(a, values) for s in kind.sorts() for a in s.all_attributes()]]
        if shared is not None:
            pools.append([(a, shared) for h in held for a in h.all_attributes()])
        for pool in pools:
            for attribute, where in pool:
                if attribute.type.name == "row" and word in attribute.type.of.rows and id(attribute) not in seen:
                    seen.add(id(attribute))
                    found.append((attribute, where, attribute.type.of.rows[word].index))
            if found:
                break
        return found

    def _words(self, kind: Kind, held: list[Kind]) -> list[str]:
        words: list[str] = []
        for k in [*kind.sorts(), *held]:
            for a in k.all_attributes():
                words.append(a.name)
                if a.type.name == "row":
                    words += a.type.of.rows
            words.append(k.plural)
        return words

    def _unknown(self, scalar: Any, start: int, word: str, kind: Kind, known: list[str]) -> None:
        close = nearest(word, set(known))
        hint = "did you mean " + " or ".join(f"`{c}`" for c in close) + "?" if close else None
        self.problems.add("F002", scalar.at(start, start + len(word)), word=word, kind=kind.name, hint=hint)

    def _set(
        self, attribute: Attribute, where: dict[Attribute, Any], value: Any, trait: n.Trait, scalar: Any,
        names: dict[str, Thing],
    ) -> None:  # fmt: skip
        type_ = attribute.type
        span = scalar.at(trait.start, trait.end)
        word = value.names[0].text if isinstance(value, n.Words) else None
        if isinstance(value, n.Absent) or word == "none":
            where[attribute] = absent(type_)
        elif type_.name == "row" and word is not None:
            if word not in type_.of.rows:
                close = nearest(word, type_.of.rows)
                hint = f"did you mean `{close[0]}`?" if close else f"rows of {type_.of.name}: " + ", ".join(type_.of.rows)
                self.problems.add("F010", span, found=word, wanted=f"a row of {type_.of.name}", hint=hint)
            else:
                where[attribute] = type_.of.rows[word].index
        elif type_.name == "thing" and word is not None:
            if word not in names and self._unsaid_owner(attribute, word, names):
                names[word] = Thing(word, type_.of, Where(scalar, trait.start, trait.end))
            if word not in names or not names[word].kind.is_a(type_.of):
                close = nearest(word, [x.name for x in names.values() if x.kind.is_a(type_.of)])
                self.problems.add("F014", span, name=word, hint=f"did you mean `{close[0]}`?" if close else None)
            else:
                where[attribute] = word
        elif type_.name in ("number", "inches") and isinstance(value, n.Number | n.Inches):
            number = value.value if isinstance(value, n.Number) else _whole(value.value)
            if type_ == NUMBER and isinstance(value, n.Inches) or type_.name == "inches" and isinstance(value, n.Number):
                self.problems.add("T001", span, found="a number", wanted=type_.words(), hint='inches are written `6"`')
            low, high = attribute.low, attribute.high
            if low is not None and high is not None and not low <= number <= high:
                self.problems.add("F010", span, found=f"{attribute.name} {number}", wanted=f"{low} to {high}")
            where[attribute] = number
        elif type_.name == "rows" and word is not None and word in type_.of.rows:
            where[attribute] = tuple(sorted({*where.get(attribute, ()), type_.of.rows[word].index}))
        else:
            self.problems.add("F010", span, found=scalar.text[trait.start : trait.end], wanted=type_.words())

    @staticmethod
    def _unsaid_owner(attribute: Attribute, word: str, names: dict[str, Thing]) -> bool:
        """`side Red` is enough to have a side Red, unless sides are described: then a new name is a slip."""
        owner = attribute.kind.owner
        if owner is None or attribute.name != owner.name or not word[:1].isupper():
            return False
        return not any(x.kind is owner and x.where.scalar.text.startswith(f"{owner.name} ") for x in names.values())

    # ---- facts
    def _facts(self, node: Node | None, names: dict[str, Thing]) -> list[FactGiven]:
        found: list[FactGiven] = []
        scope = self._scope(list(names.values()))[1]
        for scalar in _texts(node):
            read = self.sentences.read(scalar, "stated", n.Stated)
            for stated in read.facts if read else ():
                self._fact(stated, scalar, scope, found)
        return found

    def _fact(self, stated: n.StatedFact, at: Scalar, scope: Scope, found: list[FactGiven]) -> None:
        told = self.c.expr(stated.path, at, scope)
        if told.type.name == "any":
            return
        value: Any = not stated.negated
        if stated.value is not None:
            e = self.c.fitting(self.c.expr(stated.value, at, scope, told.type), told.type, at, stated.value)
            if e.type.name == "any":
                return
            if not isinstance(e, t.Lit):
                if isinstance(e, t.Var) and e.type.name == "thing":
                    value = e.variable.name
                else:
                    self.c.wrong(e, at, stated.value, "a plain value")
                    return
            else:
                value = e.value
        elif told.type != TRUTH:
            self.c.wrong(told, at, stated.path, "yes or no", "say `… is …`")
            return
        if isinstance(told, t.FactOf):
            things = tuple(a.variable.name if isinstance(a, t.Var) else "" for a in told.args)
            found.append(FactGiven(told.fact, things, value))
        elif isinstance(told, t.Attr) and isinstance(told.of, t.Var):
            found.append(FactGiven(told.attribute, (told.of.variable.name,), value))
        else:
            self.problems.add("F016", at.at(stated.start, stated.end), wanted="a fact or an attribute of a thing",
                              hint="what is worked out cannot be stated")  # fmt: skip

    # ---- what is done and asked
    def _scope(self, things: list[Thing]) -> tuple[tuple[Param, ...], Scope]:
        names: dict[str, t.Expr] = {}
        params = []
        self._variables: list[t.Variable] = []
        for thing in things:
            type_ = Type("thing", thing.kind)
            variable = t.Variable(thing.name, type_)
            self._variables.append(variable)
            names[thing.name] = t.Var(variable, type=type_)
            params.append(Param(thing.name, type_, None, thing.where))
        return tuple(params), Scope(None, names, Lines(), pure=False)

    def _procedure(self, root: Mapping, params: tuple[Param, ...], scope: Scope) -> tuple[Procedure, _Work]:
        place = Scalar("", root.span)
        where = Where(place, 0, 0)
        procedure = Procedure("situation", where, params, place, place)
        title = n.Title(0, 0, "procedure", (n.Name(0, 0, "situation"),))
        self.book.owners[id(procedure)] = Definition(title, place, place, "", "")
        assert scope.lines is not None
        self.c.lines[id(procedure)] = scope.lines
        self._keep = procedure
        return procedure, _Work(self.c, procedure, scope)

    def _do(self, node: Node | None, work: _Work, scope: Scope) -> list[t.Step]:
        if isinstance(node, Scalar) and node.text:
            info = LineInfo("do", Where(node, 0, len(node.text)), ())
            steps, variable = work.line_body(node, "do", info, scope)
            if variable is not None and variable.type.name == "record":
                scope.record = t.Var(variable, type=variable.type)
            return steps
        if isinstance(node, Mapping):
            steps = work.block([(e, "") for e in node], scope, "")
            records = [v for v in (scope.lines.by_address.values() if scope.lines else ()) if v.type.name == "record"]
            if len(records) == 1:
                scope.record = t.Var(records[0], type=records[0].type)
            return steps
        return []

    def _asks(
        self, root: Mapping, scope: Scope, extra: list[tuple[str, Scalar]]
    ) -> tuple[list[Ask], list[t.Step]]:
        asks: list[Ask] = []
        steps: list[t.Step] = []

        def ask(kind: str, scalar: Scalar, node: n.Node, expected: Fraction | None, text: str) -> None:
            e = self.c.expr(node, scalar, scope)
            if e.type.name == "any":
                return
            if kind in ("then", "chance", "given"):
                if e.type != TRUTH:
                    self.c.wrong(e, scalar, node, "yes or no")
                    return
            elif e.type.name in ("figures", "things", "dice", "rows"):
                e = self.c.as_number(e, scalar, node)
            elif e.type.name not in ("number", "inches", "truth", "row", "target"):
                self.c.wrong(e, scalar, node, "something that can be counted", "name one of its lines: `harm.dead`")
                return
            address = f"ask {len(asks)}?"
            variable = t.Variable(address, e.type)
            assert scope.lines is not None
            scope.lines.add(address, variable)
            where = Where(scalar, node.start, node.end)
            steps.append(t.Assign(variable, e, line=LineInfo(address, where, ())))
            asks.append(Ask(kind, text, where, address, e.type, expected))

        for scalar in _texts(root.get("then")):
            node = self.sentences.read(scalar, "line", n.Line)
            if node is not None:
                for part in _conjuncts(node.action):
                    ask("then", scalar, part, None, scalar.text[part.start : part.end])
        for scalar in _texts(root.get("odds")):
            odds = self.sentences.read(scalar, "odds_of", n.OddsOf)
            if odds is not None:
                text = scalar.text[odds.value.start : odds.value.end]
                ask("mean" if odds.mean else "chance", scalar, odds.value, odds.fraction, text)
        for kind, scalar in [*(("show", s) for s in _texts(root.get("ask"))), *extra]:
            node = self.sentences.read(scalar, "line", n.Line)
            if node is not None:
                ask(kind, scalar, node.action, None, scalar.text)
        return asks, steps

    # ---- dice, choices, rulings
    def _dice(self, node: Node | None) -> tuple[dict[str, list[int]], list[int], bool]:
        by_line: dict[str, list[int]] = {}
        faces: list[int] = []
        if isinstance(node, Mapping):
            for entry in node:
                for scalar in _texts(entry.value):
                    by_line.setdefault(entry.key.text, []).extend(self._faces(scalar))
            return by_line, faces, True
        for scalar in _texts(node):
            if re.fullmatch(r"[\d\s,/]*", scalar.text):
                faces += self._faces(scalar)
                continue
            read = self.sentences.read(scalar, "throws", n.Throws)
            for throw in read.throws if read else ():
                address = ".".join(p.name for p in throw.path.parts)
                by_line.setdefault(address, []).extend(throw.faces)
        return by_line, faces, node is not None

    def _faces(self, scalar: Scalar) -> list[int]:
        found = []
        for match in re.finditer(r"[^\s,/]+", scalar.text):
            if match.group().isdigit() and len(match.group()) <= 3:
                found.append(int(match.group()))
            else:
                self.problems.add("F010", scalar.at(match.start(), match.end()), found=match.group(), wanted="the face of a die")
        return found

    def _choose(self, node: Node | None) -> list[Override]:
        found: list[Override] = []
        entries: list[tuple[str, Scalar, int]] = []
        if isinstance(node, Mapping):
            for entry in node:
                for scalar in _texts(entry.value):
                    entries.append((entry.key.text, scalar, 0))
        else:
            for scalar in _texts(node):
                name, _, _ = scalar.text.partition(" ")
                entries.append((name.rstrip(":="), scalar, len(name) + 1))
        for address, scalar, skip in entries:
            text = "owner wishes usually " + scalar.text[skip:]
            shift = len("owner wishes usually ") - skip
            read = self.sentences.read(_Shifted(text, scalar, shift), "line", n.Line)  # type: ignore[arg-type]
            if read is not None and isinstance(read.action, n.Wishes):
                found.append(Override(address, read.action.usually, _Shifted(text, scalar, shift)))  # type: ignore[arg-type]
            elif read is not None:
                self.problems.add("F016", scalar.span, wanted="yes, no, most, fewest, or what is taken first")
        return found

    def _rulings(self, node: Node | None) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for entry in node if isinstance(node, Mapping) else ():
            ruling = self.book.rulings.get(entry.key.text)
            if ruling is None:
                close = nearest(entry.key.text, self.book.rulings)
                self.problems.add("F013", entry.key.span, name=entry.key.text,
                                  hint=f"did you mean `{close[0]}`?" if close else None)  # fmt: skip
                continue
            text = entry.value.text.strip() if isinstance(entry.value, Scalar) else ""
            plain = text.rstrip('"')
            words = [w.rstrip('"') for w in ruling.words]
            if plain not in words:
                self.problems.add("F010", entry.value.span, found=text, wanted=" or ".join(ruling.words))
                continue
            found[ruling.name] = ruling.options[words.index(plain)]
        return found


@dataclass(frozen=True, slots=True)
class _Shifted:
    """A scalar's text behind words that are not in the file."""

    text: str
    scalar: Scalar
    shift: int

    def at(self, start: int, end: int) -> Span:
        return self.scalar.at(max(0, start - self.shift), max(0, end - self.shift))

    @property
    def span(self) -> Span:
        return self.scalar.span


def _texts(node: Node | None) -> list[Scalar]:
    if isinstance(node, Scalar):
        return [node] if node.text else []
    if isinstance(node, Sequence):
        return [s for item in node for s in _texts(item)]
    return []


def _conjuncts(node: Any) -> list[Any]:
    if isinstance(node, n.And):
        return [*_conjuncts(node.left), *_conjuncts(node.right)]
    return [node]


def _whole(value: Fraction) -> Any:
    return int(value) if value.denominator == 1 else value


__all__ = ["Ask", "FactGiven", "Group", "Override", "RowDef", "Situation", "SituationChecker", "Thing"]
