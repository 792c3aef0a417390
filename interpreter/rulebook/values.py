"""Checks values and rolls: their lines become typed changes. They contain no dice and no choices.

Input: a declared value or roll. Output: its `Pure`: parameters, a type, and changes in order.
"""

from __future__ import annotations

from collections.abc import Sequence

from interpreter.document.nodes import Mapping, Scalar
from interpreter.language import nodes as n
from interpreter.source import Fix, Label, Problems, Span
from interpreter.source.values import replace
from interpreter.vocabulary.types import ANY, INCHES, NONE, NUMBER, TARGET, TRUTH, Type

from . import typed as t
from .construct import NUMERIC, absent, coerced, zero
from .definitions import Definition, cited
from .expected_types import single_item_hint
from .expressions import Expressions
from .scope import Scope
from .symbols import Convention, Holding, Kind, Limit, LineInfo, Needed, PureDef, Roll, Where


class Values:
    """Checks one value, roll, limit or mark condition."""

    def __init__(self, expressions: Expressions) -> None:
        self.env, self.expressions = expressions.env, expressions
        self.book, self.sentences, self.problems = self.env.book, self.env.sentences, self.env.problems
        self.definitions, self.expect = expressions.definitions, expressions.expect

    def check(self, symbol: PureDef) -> t.Pure:
        """Return the checked definition."""
        if isinstance(symbol, Needed):
            return _needed(self.definitions.pure(symbol.roll))
        scope, params = self._signature(symbol)
        if isinstance(symbol, Roll):
            return self._roll(symbol, scope, params)
        if isinstance(symbol, Limit):
            return self._limit(symbol, scope, params)
        if isinstance(symbol, Holding):
            return self._holding(symbol, scope, params)
        return self._value(symbol, scope, params)

    def _signature(self, symbol: PureDef) -> tuple[Scope, tuple[t.Variable, ...]]:
        params: list[t.Variable] = []
        names: dict[str, t.Expr] = {}
        card: t.Expr | None = None
        if symbol.subject is not None:
            kind = symbol.subject
            subject = t.Variable(kind.name, Type("figure" if kind.counted else "thing", kind))
            params.append(subject)
            card = names[kind.name] = t.Var(subject, type=subject.type)
        for p in symbol.params:
            variable = t.Variable(p.name, p.type)
            params.append(variable)
            names[p.name] = t.Var(variable, type=p.type)
        return Scope(None, names, card=card, card_name=symbol.subject.name if symbol.subject else ""), tuple(params)

    def _adjusts(self, symbol: PureDef) -> tuple[list[tuple[LineInfo, n.Adjust, Scalar]], bool]:
        """The lines that could be parsed, and whether there are others."""
        definition = self.book.pages.owners[symbol]
        found: list[tuple[LineInfo, n.Adjust, Scalar]] = []
        seen: dict[str, Where] = {}
        broken = False
        if definition.text is not None:
            node = self.sentences.read(definition.text, "adjust", n.Adjust)
            broken = node is None
            if node is not None:
                self.env.note(definition.text, node.cites, definition.prefix)
                where = Where(definition.text, node.start, node.end)
                info = self.definitions.line_info(symbol.name, where, cited(node.cites, definition.prefix))
                found.append((info, node, definition.text))
        for entry, prefix in definition.entries:
            key = self.sentences.read(entry.key, "line_key", n.LineKey)
            if not isinstance(entry.value, Scalar):
                broken = True
                if isinstance(entry.value, Mapping) and entry.value.entries:
                    first = entry.value.entries[0].key.span
                    self.problems.add("P002", first, label="one line of text is wanted here")
                continue
            node = self.sentences.read(entry.value, "adjust", n.Adjust) if key else None
            if key is None or node is None:
                broken = True
                continue
            if key.clauses:
                clause = key.clauses[0]
                self.problems.add(
                    "P007",
                    entry.key.at(clause.start, clause.end),
                    hint="put the condition behind the change: `+1 if …`",
                )
            where = Where(entry.key, key.name.start, key.name.end)
            if key.name.text in seen:
                others = [Label(seen[key.name.text].span, "declared here")]
                self.problems.add("N003", where.span, name=key.name.text, label="said again here", others=others)
            seen[key.name.text] = where
            cites = cited(node.cites, prefix) + cited(key.cites, prefix)
            self.env.note(entry.value, node.cites, prefix)
            self.env.note(entry.key, key.cites, prefix)
            info = self.definitions.line_info(
                f"{symbol.name}.{key.name.text}", Where(entry.value, node.start, node.end), cites
            )
            found.append((info, node, entry.value))
        if not found and not broken and not (isinstance(symbol, Roll) and definition.title.base):
            self.problems.add("P001", symbol.where.span, name=symbol.name, label="it has no lines")
        return found, broken

    # ---- values
    def _holding(self, symbol: Holding, scope: Scope, params: tuple[t.Variable, ...]) -> t.Pure:
        """The condition of a mark, which is written in the mark's line."""
        node, at = symbol.condition, symbol.scalar
        info = self.definitions.line_info(symbol.name, Where(at, node.start, node.end), symbol.cites)
        condition = self.expect.truth(node, at, scope)
        return t.Pure(params, TRUTH, (t.Change(info, "value", "set", condition, 1, None, None),))

    def _limit(self, symbol: Limit, scope: Scope, params: tuple[t.Variable, ...]) -> t.Pure:
        """The conditions of a limit; a line with `if` applies only if that holds."""
        changes: list[t.Change] = []
        for info, node, at in self._adjusts(symbol)[0]:
            value = node.value
            if node.what != "set" or node.touch is not None or not isinstance(value, n.Node):
                hint = "its lines say what must hold: `(figures where leader) <= 1`, `any figures if C`"
                self.problems.add("M003", at.at(node.start, node.end), what="limit", hint=hint)
                continue
            condition = self.expect.truth(node.condition, at, scope) if node.condition else None
            changes.append(t.Change(info, "value", "must", self.expect.truth(value, at, scope), 1, None, condition))
        return t.Pure(params, TRUTH, tuple(changes))

    def _value(self, symbol: PureDef, scope: Scope, params: tuple[t.Variable, ...]) -> t.Pure:
        changes: list[t.Change] = []
        type_: Type = NONE
        lines, broken = self._adjusts(symbol)
        for info, node, at in lines:
            if node.touch is not None:
                span = at.at(node.start, node.start + len(node.touch))
                place, without = at.at(node.start, node.end), at.text[node.start : node.end].partition(" ")[2]
                fix = Fix(place, without, False, f"write `{without}`")
                hint = f"a value is changed without it: `{without}`"
                self.problems.add("M002", span, word=node.touch, name=symbol.name, hint=hint, fix=fix)
                broken = True
                continue
            if node.what in ("best", "worst", "passes", "fails", "again"):
                hint = "it belongs to a roll, which throws a die; a value is worked out"
                self.problems.add("M003", at.at(node.start, node.end), what="value", hint=hint)
                continue
            condition = self.expect.truth(node.condition, at, scope) if node.condition else None
            per = self.expect.number(node.per, at, scope) if node.per else None
            amount, sign = self._amount(node, at, scope, type_)
            if node.what != "set" and amount is not None:
                self._same_unit(amount, per, type_, at, node)
            if node.what == "set":
                value = t.Lit(0, type=ANY) if amount is None else amount
                type_ = value.type if type_ == NONE else self._set_type(value, type_, at, node)
            elif type_ == NONE and broken:
                type_ = ANY
            elif type_ == NONE:
                end = node.start + len(at.text[node.start : node.end].split(" [")[0])
                self.problems.add(
                    "M004",
                    at.at(node.start, end),
                    name=symbol.name,
                    hint="the first line is the base, a number or a row by itself",
                )
                type_ = ANY
            changes.append(t.Change(info, "value", node.what, amount, sign, per, condition))
        if not self._one_base(changes, type_, scope):
            return t.Pure(params, ANY, tuple(changes))
        if type_.many and any(c.what != "set" and c.amount for c in changes):
            type_ = NUMBER  # an adjusted or bounded collection is counted
        if broken and type_ == NONE:
            type_ = ANY
        fixed = tuple(self._filled(c, type_) for c in changes)
        bases = [c.amount for c in fixed if c.what == "set" and c.amount is not None]
        none = type_.name in NUMERIC and any(map(self.expressions.conditions.may_be_none, bases))
        return t.Pure(params, type_, fixed, may_be_none=none)

    def _one_base(self, changes: list[t.Change], type_: Type, scope: Scope) -> bool:
        """Report a bound that is a row on a base that is a collection; return whether the types agree."""
        rows = [c.amount.type for c in changes if c.what in ("least", "most") and c.amount is not None]
        row = next((r for r in rows if r.name == "row"), None)
        base = changes[0].amount if changes and changes[0].what == "set" else None
        if row is not None and type_.many and base is not None and base.where is not None:
            hint = self.expressions.conditions.one_row_hint(base, scope) or single_item_hint(base, row)
            span = base.where.span
            label = f"this is {base.type.words()}"
            self.problems.add("T001", span, found=base.type.words(), wanted=row.words(), label=label, hint=hint)
            return False
        return True

    def _same_unit(self, amount: t.Expr, per: t.Expr | None, type_: Type, at: Scalar, node: n.Adjust) -> None:
        """Report a change in other units than the base; a number may multiply either."""
        made = INCHES if INCHES in (amount.type, per.type if per is not None else None) else amount.type
        pair = {type_.name, made.name}
        if pair != {"inches", "number"} or (zero(amount) and made == NUMBER) or isinstance(node.value, n.Keyword):
            return
        if node.what == "times" and made == NUMBER:
            return
        place = node.value if isinstance(node.value, n.Node) else node
        fix = None
        plain = node.value.amount if isinstance(node.value, n.Signed) else node.value
        if type_ == INCHES and per is None and isinstance(plain, n.Number):
            fix = Fix(at.at(plain.start, plain.end), f'{plain.value}"', False, f'write `{plain.value}"`')
        self.problems.add(
            "T002",
            at.at(place.start, place.end),
            left=type_.words(),
            right=made.words(),
            label=f"{type_.words()} changed by {made.words()}",
            hint='inches are written `6"`',
            fix=fix,
        )

    def _filled(self, c: t.Change, type_: Type) -> t.Change:
        if c.amount is not None and (c.what == "set" or c.amount.type.many):
            return t.Change(c.line, c.touch, c.what, coerced(c.amount, type_), c.sign, c.per, c.condition)
        return c

    def _set_type(self, value: t.Expr, type_: Type, at: Scalar, node: n.Adjust) -> Type:
        if type_.name == "any":
            return type_
        stand_in = t.Lit(absent(type_), type=type_)
        return self.expect.unify(stand_in, value, at, node)

    def _amount(self, node: n.Adjust, at: Scalar, scope: Scope, type_: Type) -> tuple[t.Expr | None, int]:
        if isinstance(node.value, n.Signed):
            return self.expect.number(node.value.amount, at, scope), node.value.sign
        if node.value is None:
            return None, 1
        want = type_ if type_ != NONE else None
        e = self.expect.no_roll(self.expect.expr(node.value, at, scope, want), at, node.value)
        if e.type.name == "number" and type_.name == "row":
            self.expect.wrong(e, at, node.value, type_.words())
        elif node.what != "set" and type_.many and not e.type.many and e.type.name not in ("number", "row"):
            hint = "the collection that this changes is counted, so say a number"
            self.expect.wrong(e, at, node.value, NUMBER.words(), hint)
        return e, 1

    # ---- rolls
    def _roll(
        self, symbol: Roll, scope: Scope, params: tuple[t.Variable, ...], args: tuple[t.Expr, ...] | None = None
    ) -> t.Pure:
        """The checked roll. `args` are the expressions for its parameters if another roll inherits its lines."""
        definition = self.book.pages.owners[symbol]
        convention = self._convention(symbol)
        changes: list[t.Change] = []
        if definition.title.base is not None and (base := self._base(symbol)) is not None:
            self.definitions.pure(base)
            changes += self._inherited_changes(base, symbol, args or tuple([t.Var(v, type=v.type) for v in params]))
        taken = len(changes)
        lines, broken = self._adjusts(symbol)
        for info, node, at in lines:
            condition = self.expect.truth(node.condition, at, scope) if node.condition else None
            per = self.expect.number(node.per, at, scope) if node.per else None
            if node.what in ("passes", "fails", "again"):
                changes.append(t.Change(info, "roll", node.what, None, 1, per, condition))
                continue
            if node.what in ("least", "most", "times"):
                hint = "lines of a roll are `needs …`, `roll +1`, `best of 2`, `passes if …`, `again if …`"
                self.problems.add("M003", at.at(node.start, node.end), what="roll", hint=hint)
                continue
            if node.what in ("best", "worst"):
                amount: t.Expr | None = (
                    self.expect.number(node.value, at, scope) if isinstance(node.value, n.Node) else None
                )
                changes.append(t.Change(info, "roll", node.what, amount, 1, per, condition))
                continue
            amount, sign = self._amount(node, at, scope, TARGET)
            touch = node.touch
            if amount is not None and INCHES in (amount.type, per.type if per is not None else None):
                place = node.value if isinstance(node.value, n.Node) else node
                span = at.at(place.start, place.end)
                plain = span.text.rstrip('"')
                fix = Fix(span, plain, False, f"write `{plain}`") if plain.lstrip("+-").isdigit() else None
                label = "a die has faces, no inches"
                self.problems.add("T002", span, left="a die", right=INCHES.words(), label=label, fix=fix)
                continue
            if touch is None:
                if node.what == "add":
                    self._report_bare(node, at, convention)
                    continue
                touch = "needs"
            if touch == "roll" and node.what == "set":
                self.problems.add("M005", at.at(node.start, node.end), hint="say `roll +1` or `needs 4+`")
                continue
            if amount is not None and node.what == "set":
                self._check_target(amount, at, node, convention)
                amount = self.expect.as_number(amount, at, node)
            changes.append(t.Change(info, touch, node.what, amount, sign, per, condition))
        taken_over = definition.title.base is not None  # a missing base line was reported for the base roll
        if not broken and not taken_over and not any(c.touch == "needs" and c.what == "set" for c in changes):
            self.problems.add(
                "M006",
                symbol.where.span,
                name=symbol.name,
                label="what number does it need?",
                hint="the first line says it: `needs: training.activation`",
            )
        return t.Pure(params, TARGET, _replaced(changes[:taken], changes[taken:]), convention)

    def _report_bare(self, node: n.Adjust, at: Scalar, convention: Convention | None) -> None:
        span = at.at(node.start, node.start)
        text = at.text[node.start : node.end].split(" ")[0]

        def said(touch: str) -> str:
            """What the change applies to, and whether it helps: `the die: helps`."""
            what = "the die" if touch == "roll" else "the number"
            if convention is None or text[:1] not in "+-" or not text[1:].rstrip('"').isdigit():
                return what
            good = ((text[0] == "+") == convention.over) == (touch == "roll")
            return f"{what}: {'helps' if good else 'hinders'}"

        self.problems.add(
            "D001",
            at.at(node.start, node.start + len(text)),
            change=text,
            label="of the die, or of the number needed?",
            hint=f"say `roll {text}` ({said('roll')}) or `needs {text}` ({said('needs')})",
            fix=Fix(span, "roll ", False, f"roll {text}"),
        )

    def _check_target(self, amount: t.Expr, at: Scalar, node: n.Adjust, convention: Convention | None) -> None:
        """Report a target that is `4+` in a roll that needs a low face, or that no face can reach."""
        if convention is None:
            return
        value = node.value
        if amount.type == TARGET and not convention.over and isinstance(value, n.Node):
            span = at.at(value.start, value.end)
            hint = f"write `{span.text.rstrip('+')}`, or roll on dice that want high"
            self.problems.add("D007", span, die=f"d{convention.sides}", label="`+` means this or more", hint=hint)
        if isinstance(amount, t.Cell):
            for row in amount.table.rows.values():
                needed, place = row.cells.get(amount.column.name), row.cell_places.get(amount.column.name)
                if isinstance(needed, int) and needed > convention.sides and place is not None:
                    others = [Label(at.at(value.start, value.end), "it is needed here")] if value is not None else []
                    self.problems.add(
                        "D009",
                        place.span,
                        needed=place.text,
                        die=f"d{convention.sides}",
                        name=amount.column.name,
                        others=others if at.span.source is not place.span.source else [],
                    )
        known = isinstance(amount, t.Lit) and amount.type != ANY and isinstance(amount.value, int)
        if known and isinstance(amount, t.Lit) and isinstance(value, n.Node):
            sides, needed = convention.sides, amount.value
            if not 1 <= needed <= sides:
                total = f"{sides} + {needed - sides}" if needed > sides else f"1 - {1 - needed}"
                hint = f"if other lines bring it within the faces, it is meant so: write it as a sum, `{total}`"
                self.problems.add("D008", at.at(value.start, value.end), needed=needed, die=f"d{sides}", hint=hint)

    def _convention(self, symbol: Roll) -> Convention | None:
        definition = self.book.pages.owners[symbol]
        on = definition.title.on
        if on is not None:
            found = self.book.conventions.get(on.text)
            if found is None:
                self.expressions.unknown.tell(on.text, definition.key, on, "dice convention", self.book.conventions)
            symbol.convention = found
            if found is not None and definition.title.base is not None:
                self._same_dice(symbol, found, definition.key.at(on.start, on.end))
        elif definition.title.base is not None and (base := self._base(symbol, quiet=True)) is not None:
            symbol.convention = self._convention(base)
        else:
            symbol.convention = self.expressions.questions.default_convention()
            if symbol.convention is None:
                self.problems.add(
                    "D005",
                    symbol.where.span,
                    label="no dice are declared",
                    hint="say how dice are read: `dice high: d6 at or over`",
                )
        return symbol.convention

    def _same_dice(self, symbol: Roll, mine: Convention, place: Span) -> None:
        """Report a roll that inherits lines from one with another die, because their numbers are for that die."""
        base = self._base(symbol, quiet=True)
        theirs = self._convention(base) if base is not None else None
        if base is None or theirs is None or (theirs.sides, theirs.over) == (mine.sides, mine.over):
            return
        others = [Label(base.where.span, f"its lines are for {_describe(theirs)}")]
        self.problems.add("D010", place, name=base.name, label=f"this reads {_describe(mine)}", others=others)

    def _base(self, symbol: Roll, quiet: bool = False) -> Roll | None:
        definition = self.book.pages.owners[symbol]
        name = definition.title.base
        if name is None:
            return None
        base = self.book.rolls.get(name.text)
        if base is None and not quiet:
            self.expressions.unknown.tell(name.text, definition.key, name, "roll", self.book.rolls)
        circle = self._cycle(symbol) if base is not None else []
        if not circle:
            return base
        if not quiet and symbol.name == circle[-1] == min(circle, key=list(self.book.rolls).index):  # to report it once
            label, hint = "it is to be as itself", f"each of these is as the next: {' → '.join(circle)}"
            self.problems.add("M001", symbol.where.span, name=symbol.name, label=label, hint=hint)
        return None

    def _cycle(self, symbol: Roll) -> list[str]:
        """The names of the rolls on a cycle of inheritance that `symbol` leads to; empty if there is none."""
        names, at = [symbol.name], symbol
        while (base := self.book.pages.owners[at].title.base) is not None and base.text in self.book.rolls:
            names.append(base.text)
            if base.text in names[:-1]:
                return names
            at = self.book.rolls[base.text]
        return []

    def _report_parameters(self, base: Roll, of: Definition, name: n.Name) -> None:
        """Report a roll whose parameters do not begin with those of the roll that it inherits from."""
        theirs = self.book.pages.owners[base]
        theirs_text = theirs.key.text[theirs.title.params[0].start : theirs.title.params[-1].end]
        hint, fix = f"let its brackets begin with what that one is told: `({theirs_text})`", None
        if not of.title.params and of.title.of is not None:
            end = of.title.of.end
            whole = f"{of.key.text[:end]} ({theirs_text}){of.key.text[end:]}"
            fix = Fix(of.key.at(end, end), f" ({theirs_text})", False, f"write `{whole}`")
        label = f"it is told `{theirs_text}`"
        self.problems.add("M007", of.key.at(name.start, name.end), name=base.name, label=label, hint=hint, fix=fix)

    def _inherited_changes(self, base: Roll, symbol: Roll, args: tuple[t.Expr, ...]) -> list[t.Change]:
        """The changes of an inherited roll, checked again with this roll's parameters."""
        definition = self.book.pages.owners[symbol]
        name, through, theirs = definition.title.base, definition.title.through, base.subject
        if not args or theirs is None:  # its subject is unknown, which was reported
            return []
        subject = args[0]
        if through is not None:
            part = n.Part(through.start, through.end, through.text, None)
            subject = self.expressions.members.member(subject, part, definition.key, Scope())
        same = subject.type.name in ("thing", "figure") and subject.type.of.is_a(theirs)
        if same and name is not None and not _has_same_parameters(base, args[1:]):
            self._report_parameters(base, definition, name)
            return []
        if not same:
            if name is not None and subject.type != ANY:
                owner = subject.type.of.root.owner if through is None and isinstance(subject.type.of, Kind) else None
                hint = (
                    f"say whose it is: `as {owner.name}.{name.text}`" if owner is not None and theirs is owner else None
                )
                span = definition.key.at(name.start, name.end)
                self.problems.add("M007", span, name=base.name, label="it is about something else", hint=hint)
            return []
        given = (subject, *args[1:])[: len(base.params) + 1]
        checked = self.definitions.pure(base)
        if checked.type == ANY:  # a cycle through this roll's number, which was reported
            return []
        names = dict(zip([v.name for v in checked.params], given, strict=True))
        scope = Scope(None, names, card=subject, card_name=theirs.name)
        copy = Roll(base.name, base.where, base.subject, base.params, base.body, base.scalar)
        self.book.pages.owners[copy] = self.book.pages.owners[base]
        quiet = Values(self.expressions.telling(Problems()))
        changes = list(quiet._roll(copy, scope, (), given).changes)
        del self.book.pages.owners[copy]
        return changes


def _needed(roll: t.Pure) -> t.Pure:
    """The number that a roll needs, as a value: its `needs` lines, with the modifiers of the die subtracted. It is none
    if no die is thrown.

    The modifiers of the die come last, because a later `needs E if C` replaces the number but not the modifiers.
    """
    if roll.type == ANY:
        return t.Pure(roll.params, ANY, ())
    needs = [c for c in roll.changes if c.touch == "needs"]
    while needs and needs[0].what != "set":
        needs.pop(0)  # without a base there is nothing to adjust
    if needs and needs[0].condition is not None and needs[0].amount is not None:
        first, type_ = needs[0], needs[0].amount.type
        otherwise = t.IfElse(needs[0].condition, needs[0].amount, t.Lit(None, type=type_), type=type_)
        needs[0] = replace(first, amount=otherwise, condition=None)
    die = [replace(c, sign=-c.sign) for c in roll.changes if c.touch == "roll" and c.what == "add"]
    changes = tuple([replace(c, touch="value") for c in (*needs, *die)])
    return t.Pure(roll.params, NUMBER, changes, may_be_none=True)


def _has_same_parameters(base: Roll, args: Sequence[t.Expr]) -> bool:
    """Whether the arguments begin with the parameters of the base roll, by type."""
    return len(base.params) <= len(args) and all(
        map(_fits, [each.type for each in args], [p.type for p in base.params])
    )


def _fits(mine: Type, theirs: Type) -> bool:
    same = mine.of is theirs.of or (isinstance(mine.of, Kind) and mine.of.is_a(theirs.of))
    return mine == ANY or (mine.name == theirs.name and same)


def _replaced(inherited: list[t.Change], own: list[t.Change]) -> tuple[t.Change, ...]:
    """The inherited changes, with those of the same name replaced by the roll's own; new ones are appended."""
    names = {_own_name(c): c for c in own}
    known = {_own_name(c) for c in inherited}
    return (*[names.get(_own_name(c), c) for c in inherited], *[c for c in own if _own_name(c) not in known])


def _own_name(change: t.Change) -> str:
    return change.line.address.rsplit(".", 1)[-1]


def _describe(convention: Convention) -> str:
    return f"a d{convention.sides} at or {'over' if convention.over else 'under'}"
