"""Syntax of an expression → typed expression: every name a symbol, every unit kept apart.

Enters: a node, the scalar it was read from, a scope. Leaves: a typed expression; what is wrong becomes problems and a
typed hole (`ANY`), so that one mistake is told once. Knows nothing of steps or of dice being thrown.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from interpreter.document import Scalar
from interpreter.language import nodes as n
from interpreter.source import Fix, Problems
from interpreter.vocabulary.builtins import BUILTINS
from interpreter.vocabulary.types import ANY, DICE, INCHES, NONE, NUMBER, TARGET, TRUTH, Type

from . import typed as t
from .declare import Book, whole
from .definitions import unknown
from .scope import Scope
from .symbols import Attribute, Convention, Kind, Procedure, Roll, Table, Where

_NUMERIC = ("number", "inches", "target")
_DICE = (2, 3, 4, 6, 8, 10, 12, 20, 30, 100)


class Expressions:
    """Checks expressions of one book. `procedure_lines` lets a record's fields be known (checked on demand)."""

    def __init__(self, book: Book, problems: Problems) -> None:
        self.book = book
        self.problems = problems

    # ---- entry points
    def expr(self, node: n.Node, at: Scalar, scope: Scope, want: Type | None = None) -> t.Expr:
        method = getattr(self, "_" + type(node).__name__.lower(), None)
        if method is None:
            raise TypeError(f"no check for {type(node).__name__}")
        result: t.Expr = method(node, at, scope, want)
        return replace(result, where=result.where or Where(at, node.start, node.end))

    def truth(self, node: n.Node, at: Scalar, scope: Scope) -> t.Expr:
        e = self.expr(node, at, scope, TRUTH)
        if e.type in (TRUTH, ANY):
            return e
        hint = None
        said = at.text[node.start : node.end]
        if e.type.many or e.type.name in ("row", "thing", "figure"):
            hint = f"say `any {said}` or `no {said}`"
        elif e.type.name in _NUMERIC:
            hint = f"compare it with something, such as `{said} > 0`"
        elif isinstance(e, t.RollOf):
            hint = "a roll is made by somebody: `… passes " + said + "`"
        self.wrong(e, at, node, "yes or no", hint)
        return hole(e)

    def number(self, node: n.Node, at: Scalar, scope: Scope, want: Type = NUMBER) -> t.Expr:
        """A number; a collection is counted, dice are added up."""
        return self.as_number(self.expr(node, at, scope, want), at, node)

    def as_number(self, e: t.Expr, at: Scalar, node: n.Node, *, words: str = "a number") -> t.Expr:
        if e.type.name in _NUMERIC or e.type is ANY or e.type.name == "any":
            return e
        if e.type.name in ("things", "figures", "rows"):
            return _op("count", (e,), NUMBER, e.where)
        if e.type == DICE:
            return _op("sum-faces", (e,), NUMBER, e.where)
        if e.type == NONE:
            return e
        self.wrong(e, at, node, words)
        return hole(e)

    def collection(self, node: n.Node, at: Scalar, scope: Scope) -> t.Expr:
        e = self.expr(node, at, scope)
        if e.type.many or e.type.name == "any":
            return e
        if e.type.name in ("thing", "figure"):
            return _op("only", (e,), Type("things" if e.type.name == "thing" else "figures", e.type.of), e.where)
        self.wrong(e, at, node, "several things")
        return t.Lit((), type=Type("any"))

    def wrong(self, e: t.Expr, at: Scalar, node: n.Node, wanted: str, hint: str | None = None) -> None:
        if e.type.name == "any":
            return
        span = at.at(node.start, node.end)
        self.problems.add("T001", span, found=e.type.words(), wanted=wanted, label=f"this is {e.type.words()}", hint=hint)

    # ---- literals
    def _number(self, node: n.Number, at: Scalar, scope: Scope, want: Type | None) -> t.Expr:
        return t.Lit(node.value, type=NUMBER)

    def _inches(self, node: n.Inches, at: Scalar, scope: Scope, want: Type | None) -> t.Expr:
        return t.Lit(whole(node.value), type=INCHES)

    def _target(self, node: n.Target, at: Scalar, scope: Scope, want: Type | None) -> t.Expr:
        return t.Lit(node.value, type=TARGET)

    def _truth(self, node: n.Truth, at: Scalar, scope: Scope, want: Type | None) -> t.Expr:
        return t.Lit(node.value, type=TRUTH)

    def _absent(self, node: n.Absent, at: Scalar, scope: Scope, want: Type | None) -> t.Expr:
        if want is not None and want.name in ("row", "thing", "figure"):
            return t.Lit(absent(want), type=want)
        return t.Lit(None, type=NONE)

    def _group(self, node: n.Group, at: Scalar, scope: Scope, want: Type | None) -> t.Expr:
        inner = self.expr(node.inner, at, scope, want if not node.parts else None)
        return self._follow(inner, node.parts, at, scope)

    # ---- dice: refused here, allowed by the steps' checker
    def _dice(self, node: n.Dice, at: Scalar, scope: Scope, want: Type | None) -> t.Expr:
        if scope_is_pure(scope):
            return self._no_dice(node, at)
        self.die(node.sides, at, node)
        return t.Throw(t.Lit(node.count, type=NUMBER), node.sides, type=DICE)

    def die(self, sides: int, at: Scalar, node: n.Node) -> None:
        if sides not in _DICE:
            near = " or ".join(f"`d{s}`" for s in sorted(sorted(_DICE, key=lambda s: abs(s - sides))[:2]))
            self.problems.add("D004", at.at(node.start, node.end), die=f"d{sides}", hint=f"did you mean {near}?")

    def _pool(self, node: n.Pool, at: Scalar, scope: Scope, want: Type | None) -> t.Expr:
        if scope_is_pure(scope):
            return self._no_dice(node, at)
        held = self.expr(node.count, at, scope)
        if held.type.name == "dicecell":
            return _thrown(held)
        convention = self.ordinary()
        if convention is None:
            self.problems.add("D005", at.at(node.start, node.end), label="which die?")
            return t.Lit((), type=ANY)
        return t.Throw(self.as_number(held, at, node.count), convention.sides, type=DICE)

    def ordinary(self) -> Convention | None:
        return next(iter(self.book.conventions.values()), None)

    def _no_dice(self, node: n.Node, at: Scalar) -> t.Expr:
        self.problems.add("D006", at.at(node.start, node.end), label="a die would be thrown here",
                          hint="throw it in a line of a procedure and use the line's name here")  # fmt: skip
        return t.Lit(0, type=ANY)

    def _counting(self, node: n.Counting, at: Scalar, scope: Scope, want: Type | None) -> t.Expr:
        if scope_is_pure(scope):
            return self._no_dice(node, at)
        if node.how in ("meeting", "missing"):
            dice = self.expr(node.left, at, scope)
            roll = self.roll(node.right, at, scope)
            if dice.type != DICE:
                self.wrong(dice, at, node.left, "dice already thrown", "a line such as `faces: 3 dice` throws them")
            if roll is None:
                return t.Lit(0, type=ANY)
            self._fitting(dice, roll, at, node)
            return _op("meeting" if node.how == "meeting" else "missing", (dice, roll), NUMBER)
        left = self.expr(node.left, at, scope)
        passing = node.how == "passing"
        if left.type.name in ("figures", "figure"):
            items = left if left.type.name == "figures" else _op("only", (left,), Type("figures", left.type.of))
            variable = t.Variable("it", Type("figure", left.type.of))
            inner = Scope(scope, {"it": t.Var(variable, type=variable.type)}, card=t.Var(variable, type=variable.type),
                          card_name="it")  # fmt: skip
            roll = self.roll(node.right, at, inner)
            if roll is None:
                return t.Lit((), type=ANY)
            return t.Sort(items, variable, roll, passing, type=items.type)
        count = self.as_number(left, at, node.left, words="how many dice")
        roll = self.roll(node.right, at, scope)
        if roll is None:
            return t.Lit(0, type=ANY)
        return t.Tally(count, roll, passing, type=NUMBER)

    def _fitting(self, dice: t.Expr, roll: t.RollOf, at: Scalar, node: n.Counting) -> None:
        """Faces of one die read with the convention of another."""
        sides = dice.sides if isinstance(dice, t.Throw) and isinstance(dice.sides, int) else None
        convention = self.convention_of(roll.roll)
        if sides and convention and sides != convention.sides:
            self.problems.add(
                "D002", at.at(node.right.start, node.right.end), die=f"d{convention.sides}", other=f"d{sides}",
            )  # fmt: skip

    def convention_of(self, roll: Roll) -> Convention | None:
        seen: Roll | None = roll
        while seen is not None:
            if seen.convention is not None:
                return seen.convention
            seen = seen.inherits
        return self.ordinary()

    def roll(self, node: n.Node, at: Scalar, scope: Scope) -> t.RollOf | None:
        e = self.expr(node, at, scope, Type("roll"))
        if isinstance(e, t.RollOf):
            return e
        if e.type.name != "any":
            span = at.at(node.start, node.end)
            self.problems.add("T001", span, found=e.type.words(), wanted="a roll",
                              label=f"this is {e.type.words()}", hint=self._rolls_hint())  # fmt: skip
        return None

    def _rolls_hint(self) -> str:
        return "rolls of this game: " + ", ".join(sorted(self.book.rolls)[:8])

    def _tests(self, node: n.Tests, at: Scalar, scope: Scope, want: Type | None) -> t.Expr:
        if scope_is_pure(scope):
            return self._no_dice(node, at)
        subject = self.expr(node.subject, at, scope)
        if not isinstance(node.roll, n.Path):
            self.wrong(subject, at, node.roll, "a roll")
            return t.Lit(False, type=ANY)
        if subject.type.name == "any":
            return t.Lit(False, type=ANY)
        roll = self.member(subject, node.roll.parts[0], at, scope)
        roll = self._follow(roll, node.roll.parts[1:], at, scope)
        if not isinstance(roll, t.RollOf):
            self.wrong(roll, at, node.roll, "a roll", self._rolls_hint())
            return t.Lit(False, type=ANY)
        one = t.Lit(1, type=NUMBER)
        tally = t.Tally(one, roll, node.passes, type=NUMBER)
        return _op("some", (tally,), TRUTH)

    def _wishes(self, node: n.Wishes, at: Scalar, scope: Scope, want: Type | None) -> t.Expr:
        if scope_is_pure(scope):
            self.problems.add("P003", at.at(node.start, node.end), label="somebody would have to choose here")
            return t.Lit(False, type=ANY)
        who = self.chooser(node.who, at, scope)
        policy: t.Expr | None = None
        for wish in node.usually:
            if isinstance(wish, n.Keyword):
                policy = t.Lit(wish.word == "yes", type=TRUTH)
            else:
                policy = self.truth(wish, at, Scope(scope, pure=True))
        return t.Wish(who, policy, type=TRUTH)

    def chooser(self, node: n.Path, at: Scalar, scope: Scope) -> t.Expr:
        who = self.expr(node, at, scope)
        if who.type.name not in ("thing", "any"):
            self.wrong(who, at, node, "somebody who can choose")
        return who

    def pick(self, node: n.Pick, at: Scalar, scope: Scope) -> t.Expr:
        who = self.chooser(node.who, at, scope)
        items = self.collection(node.source, at, scope)
        high = self.number(node.count, at, scope)
        low = t.Lit(0, type=NUMBER) if node.up_to else high
        one = isinstance(node.count, n.Number) and node.count.value == 1
        item = _item_type(items.type)
        variable = t.Variable("it", item)
        most: bool | None = None
        amount: t.Expr | None = None
        order: list[t.Expr] = []
        card = t.Var(variable, type=item)
        inner = Scope(scope, {"it": card}, card=card, card_name="it", pure=True)
        for wish in node.usually:
            if isinstance(wish, n.Keyword):
                if wish.word in ("most", "fewest"):
                    most = wish.word == "most"
                else:
                    self.problems.add("P004", at.at(wish.start, wish.end), word=wish.word)
            elif isinstance(wish, n.Number) or (isinstance(wish, n.Path) and self._is_number(wish, at, scope)):
                amount = self.number(wish, at, scope)
            else:
                order.append(self._preference(wish, card, at, inner))
        result = item if one and not node.up_to else (item if one else items.type)
        return t.Choose(who, low, high, items, variable, most, amount, tuple(order), one, type=result)

    def _is_number(self, node: n.Path, at: Scalar, scope: Scope) -> bool:
        found = scope.name(node.parts[0].name) if len(node.parts) == 1 else None
        return found is not None and found.type == NUMBER

    def _preference(self, wish: n.Expr, card: t.Expr, at: Scalar, scope: Scope) -> t.Expr:
        """A condition on an item; a row of the items' table by itself is `it is ROW`."""
        if isinstance(wish, n.Path) and len(wish.parts) == 1 and card.type.name == "row":
            table: Table = card.type.of
            if wish.parts[0].name in table.rows:
                row = t.Lit(table.rows[wish.parts[0].name].index, type=card.type)
                return _op("same", (card, row), TRUTH, Where(at, wish.start, wish.end))
        return self.truth(wish, at, scope)

    def pick_number(self, node: n.PickNumber, at: Scalar, scope: Scope) -> t.Expr:
        who = self.chooser(node.who, at, scope)
        low, high = self.number(node.low, at, scope), self.number(node.high, at, scope)
        most: bool | None = None
        amount: t.Expr | None = None
        for wish in node.usually:
            if isinstance(wish, n.Keyword):
                most = wish.word == "most"
            else:
                amount = self.number(wish, at, scope)
        return t.Choose(who, low, high, None, t.Variable("it", NUMBER), most, amount, (), True, type=NUMBER)

    # ---- arithmetic
    def _calc(self, node: n.Calc, at: Scalar, scope: Scope, want: Type | None) -> t.Expr:
        left = self.expr(node.left, at, scope, want)
        right = self.expr(node.right, at, scope, want)
        if "any" in (left.type.name, right.type.name):
            return t.Lit(0, type=ANY)
        if left.type.name == "row" and node.op in "+-" and right.type == NUMBER:
            return _op("row-up" if node.op == "+" else "row-down", (left, right), left.type)
        if left.type.many and node.op in "+-" and not (left.type.name == "list"):
            other = right
            if right.type.name in ("thing", "figure", "row"):
                other = _op("only", (right,), Type(right.type.name + "s", right.type.of), right.where)
            if other.type.name == left.type.name and node.op in "+-" and want is not NUMBER:
                return _op("join" if node.op == "+" else "without", (left, other), left.type)
        left = self.as_number(left, at, node.left)
        right = self.as_number(right, at, node.right)
        a, b = left.type, right.type
        if "any" in (a.name, b.name):
            return t.Lit(0, type=ANY)
        name = {"+": "add", "-": "subtract", "*": "times", "/": "divide"}[node.op]
        if node.op in "+-":
            if {a.name, b.name} == {"inches", "number"} and not (_zero(left) or _zero(right)):
                self._units(node, at, a, b)
                return t.Lit(0, type=ANY)
            type_ = INCHES if "inches" in (a.name, b.name) else TARGET if "target" in (a.name, b.name) else NUMBER
        else:
            if a == INCHES and b == INCHES and node.op == "/":
                type_ = NUMBER
            elif a == INCHES and b == INCHES:
                self._units(node, at, a, b)
                return t.Lit(0, type=ANY)
            else:
                type_ = INCHES if "inches" in (a.name, b.name) else NUMBER
        return _op(name, (left, right), type_)

    def _units(self, node: n.Calc | n.Compare, at: Scalar, a: Type, b: Type) -> None:
        right = node.right
        fix = None
        for plain, other in ((right, a), (node.left, b)):
            if isinstance(plain, n.Number) and other == INCHES:
                span = at.at(plain.start, plain.end)
                fix = Fix(span, f'{plain.value}"', False, f'write `{plain.value}"`')
        self.problems.add(
            "T002", at.at(node.start, node.end), left=a.words(), right=b.words(),
            label=f"{a.words()} {node.op} {b.words()}", hint='inches are written `6"`', fix=fix,
        )  # fmt: skip

    def _compare(self, node: n.Compare, at: Scalar, scope: Scope, want: Type | None) -> t.Expr:
        # Differences of collections are counted here: `hits - foe.figures > 1`.
        left = self.expr(node.left, at, scope, NUMBER if isinstance(node.left, n.Calc) else None)
        right = self.expr(node.right, at, scope, NUMBER if isinstance(node.right, n.Calc) else left.type)
        if left.type.name == "any" or right.type.name == "any":
            return t.Lit(False, type=ANY)
        if left.type.name == "row" or right.type.name == "row":
            if left.type != right.type:
                row = left if left.type.name == "row" else right
                hint = f"rows of {row.type.of.name}: " + ", ".join(list(row.type.of.rows)[:6]) if row.type.of else None
                wrong, place = (right, node.right) if row is left else (left, node.left)
                self.wrong(wrong, at, place, row.type.words(), hint)
                return t.Lit(False, type=ANY)
        else:
            left, right = self.as_number(left, at, node.left), self.as_number(right, at, node.right)
            names = {left.type.name, right.type.name}
            if names == {"inches", "number"} and not (_zero(left) or _zero(right)):
                self._units(node, at, left.type, right.type)
                return t.Lit(False, type=ANY)
        return _op(_COMPARE[node.op], (left, right), TRUTH)

    def _same(self, node: n.Same, at: Scalar, scope: Scope, want: Type | None) -> t.Expr:
        left = self.expr(node.left, at, scope)
        if left.type.name == "any":
            return t.Lit(False, type=ANY)
        word = node.right.parts[0] if isinstance(node.right, n.Path) and len(node.right.parts) == 1 else None
        if word is not None and word.args is None:
            flag = self._flag(left, word, at)
            if flag is not None:
                return _negate(flag, node.negated)
        right = self.expr(node.right, at, scope, left.type)
        if right.type.name == "any":
            return t.Lit(False, type=ANY)
        if right.type == NONE or left.type == NONE:
            e = right if left.type == NONE else left
            if e.type.name in ("row", "thing", "figure", "number", "inches", "target", "none"):
                return _negate(_op("absent", (e,), TRUTH), node.negated)
        if left.type.name != right.type.name or (left.type.of is not right.type.of and not self._related(left, right)):
            pair = {left.type.name, right.type.name}
            if not pair <= set(_NUMERIC):
                self.wrong(right, at, node.right, left.type.words())
                return t.Lit(False, type=ANY)
        return _negate(_op("same", (left, right), TRUTH), node.negated)

    def _related(self, left: t.Expr, right: t.Expr) -> bool:
        a, b = left.type.of, right.type.of
        return isinstance(a, Kind) and isinstance(b, Kind) and (a.is_a(b) or b.is_a(a))

    def _flag(self, left: t.Expr, word: n.Part, at: Scalar) -> t.Expr | None:
        """`weapon is small`, `unit is guarding`: a mark or a yes-or-no of what stands left."""
        if left.type.name == "row":
            table: Table = left.type.of
            if word.name in table.rows:
                return _op("same", (left, t.Lit(table.rows[word.name].index, type=left.type)), TRUTH)
            if word.name in table.marks:
                return t.Cell(left, table, table.marks[word.name], type=TRUTH)
            if word.name in table.columns and table.columns[word.name].type == TRUTH:
                return t.Cell(left, table, table.columns[word.name], type=TRUTH)
        if left.type.name in ("thing", "figure"):
            attribute = self._any_attribute(left.type.of, word.name)
            if attribute is not None and attribute.type == TRUTH:
                return t.Attr(left, attribute, type=TRUTH)
            value = self.book.values.get(word.name)
            if value is not None and value.subject is not None and self._fits(left.type.of, value.subject):
                made = self._call_value(left, value, (), at, word)
                if made.type == TRUTH:
                    return made
        return None

    def _is_a_kind(self, name: n.Name, at: Scalar) -> Kind | None:
        kind = self.book.kinds.get(name.text)
        if kind is None:
            self._unknown(name.text, at, name, "kind", self.book.kinds)
        return kind

    def _isa(self, node: n.IsA, at: Scalar, scope: Scope, want: Type | None) -> t.Expr:
        left = self.expr(node.left, at, scope)
        kind = self._is_a_kind(node.kind, at)
        if kind is None or left.type.name == "any":
            return t.Lit(False, type=ANY)
        if left.type.name not in ("thing", "figure"):
            self.wrong(left, at, node.left, "one thing")
            return t.Lit(False, type=ANY)
        return _negate(t.IsKind(left, kind, type=TRUTH), node.negated)

    def _member(self, node: n.Member, at: Scalar, scope: Scope, want: Type | None) -> t.Expr:
        right = self.expr(node.right, at, scope)
        item = _item_type(right.type) if right.type.many else None
        left = self.expr(node.left, at, scope, item)
        if "any" in (left.type.name, right.type.name):
            return t.Lit(False, type=ANY)
        if item is None:
            self.wrong(right, at, node.right, "several things")
            return t.Lit(False, type=ANY)
        if left.type.name != item.name:
            self.wrong(left, at, node.left, item.words())
            return t.Lit(False, type=ANY)
        return _negate(_op("in-figures" if item.name == "figure" else "in", (left, right), TRUTH), node.negated)

    def _quantified(self, node: n.Quantified, at: Scalar, scope: Scope, want: Type | None) -> t.Expr:
        e = self.expr(node.items, at, scope)
        if e.type.name == "any":
            return t.Lit(False, type=ANY)
        if e.type.many:
            made = _op("any-of", (e,), TRUTH)
        elif e.type.name in ("row", "thing", "figure", "none"):
            made = _op("not", (_op("absent", (e,), TRUTH),), TRUTH)
        elif e.type.name in ("number", "inches", "target"):
            made = _op("some-number", (e,), TRUTH)
        else:
            self.wrong(e, at, node.items, "several things")
            return t.Lit(False, type=ANY)
        return _negate(made, not node.some)

    def _not(self, node: n.Not, at: Scalar, scope: Scope, want: Type | None) -> t.Expr:
        return _op("not", (self.truth(node.inner, at, scope),), TRUTH)

    def _and(self, node: n.And, at: Scalar, scope: Scope, want: Type | None) -> t.Expr:
        return _op("and", (self.truth(node.left, at, scope), self.truth(node.right, at, scope)), TRUTH)

    def _or(self, node: n.Or, at: Scalar, scope: Scope, want: Type | None) -> t.Expr:
        return _op("or", (self.truth(node.left, at, scope), self.truth(node.right, at, scope)), TRUTH)

    def _either(self, node: n.Either, at: Scalar, scope: Scope, want: Type | None) -> t.Expr:
        condition = self.truth(node.condition, at, scope)
        value = self.expr(node.value, at, scope, want)
        other = self.expr(node.other, at, scope, value.type)
        type_ = self.unify(value, other, at, node.other)
        return t.IfElse(condition, _fill(value, type_), _fill(other, type_), type=type_)

    def unify(self, one: t.Expr, two: t.Expr, at: Scalar, node: n.Node) -> Type:
        a, b = one.type, two.type
        if a.name == "any" or b == NONE:
            return a if a.name != "any" else b
        if b.name == "any" or a == NONE:
            return b
        if a == b:
            return a
        if a.name == b.name and isinstance(a.of, Kind) and isinstance(b.of, Kind):
            common = next((k for k in a.of.lineage() if b.of.is_a(k)), None)
            if common is not None:
                return Type(a.name, common)
        if {a.name, b.name} <= {"number", "figures", "things", "dice", "target"}:
            return NUMBER
        self.wrong(two, at, node, a.words())
        return ANY

    # ---- collections
    def _where(self, node: n.Where, at: Scalar, scope: Scope, want: Type | None) -> t.Expr:
        items = self.collection(node.items, at, scope)
        if items.type.name == "any":
            return items
        name = node.alias.text if node.alias else "it"
        variable = t.Variable(name, _item_type(items.type))
        card = t.Var(variable, type=variable.type)
        inner = Scope(scope, {name: card}, card=card, card_name=name, pure=True)
        if node.alias is not None and scope.name(name) is not None:
            self.problems.add("N004", at.at(node.alias.start, node.alias.end), name=name)
        condition = self.truth(node.condition, at, inner)
        return t.Filter(items, variable, condition, type=items.type)

    def _banded(self, node: n.Banded, at: Scalar, scope: Scope, want: Type | None) -> t.Expr:
        cell = self.expr(node.cell, at, scope)
        where = self.expr(node.at, at, scope)
        if "any" in (cell.type.name, where.type.name):
            return t.Lit(0, type=ANY)
        if not isinstance(cell, t.Cell) or cell.column.by is None:
            self.problems.add("T006", at.at(node.cell.start, node.cell.end), hint="only a column written `X by Y` is near and far")
            return t.Lit(0, type=ANY)
        if where.type != INCHES:
            self.wrong(where, at, node.at, "a distance in inches")
        return t.BandAt(cell.row, cell.table, cell.column, where, type=NUMBER)

    def _made(self, node: n.Made, at: Scalar, scope: Scope, want: Type | None) -> t.Expr:
        self.problems.add("P005", at.at(node.start, node.end), label="a thing is made in a line of its own")
        return t.Lit(-1, type=ANY)

    # ---- names
    def _path(self, node: n.Path, at: Scalar, scope: Scope, want: Type | None) -> t.Expr:
        line = self._line(node, at, scope)
        if line is None and scope.record is not None and scope.name(node.parts[0].name) is None:
            line = self._line_of_record(scope.record, node, at, scope)
        if line is not None:
            return line
        first = self._first(node.parts[0], at, scope, want, alone=len(node.parts) == 1)
        return self._follow(first, node.parts[1:], at, scope)

    def _line_of_record(self, record: t.Expr, node: n.Path, at: Scalar, scope: Scope) -> t.Expr | None:
        if node.parts[0].args is not None or not self.lines_of(record.type.of).find(node.parts[0].name):
            names = ".".join(p.name for p in node.parts[:2])
            if not self.lines_of(record.type.of).find(names):
                return None
        return self._follow(record, node.parts, at, scope)

    def _line(self, node: n.Path, at: Scalar, scope: Scope) -> t.Expr | None:
        """A line said earlier: the longest address that fits, then members of its value."""
        names = []
        for part in node.parts:
            if part.args is not None:
                break
            names.append(part.name)
        if not names:
            return None
        if scope.name(names[0]) is not None:
            return None
        for lines in scope.all_lines():
            for size in range(len(names), 0, -1):
                found = lines.find(".".join(names[:size]))
                if len(found) > 1:
                    part = node.parts[size - 1]
                    places = " or ".join(f"`{f}`" for f in found)
                    self.problems.add("N002", at.at(part.start, part.end), name=names[0], hint=f"say {places}")
                    return t.Lit(0, type=ANY)
                if found:
                    variable = lines.by_address[found[0]]
                    if variable.type.name == "block":
                        continue
                    self._clash(node.parts[0], at, scope, size)
                    return self._follow(t.Var(variable, type=variable.type), node.parts[size:], at, scope)
            inside = [a for a in lines.by_address if a.startswith(names[0] + ".")]
            if inside and not any(self._on_card(card, names[0]) for card, _ in scope.cards()):
                last = node.parts[1] if len(names) > 1 else node.parts[0]
                known = [a.removeprefix(names[0] + ".") for a in inside] if len(names) > 1 else []
                what = f"line of {names[0]}" if len(names) > 1 else "single line"
                self._unknown(last.name, at, last, what, known, "say which of its lines: " + ", ".join(inside[:4]))
                return t.Lit(0, type=ANY)
        return None

    def _clash(self, part: n.Part, at: Scalar, scope: Scope, size: int) -> None:
        """A line named like something on an open card is an error: neither may win silently."""
        if size > 1:
            return
        for card, name in scope.cards():
            if self._on_card(card, part.name):
                said = f"`{name}.{part.name}`" if name else ""
                self.problems.add("N002", at.at(part.start, part.end), name=part.name,
                                  hint=f"the line or {said}? give the line another name")  # fmt: skip
                return

    def _first(self, part: n.Part, at: Scalar, scope: Scope, want: Type | None, alone: bool) -> t.Expr:
        name = part.name
        if part.args is None:
            found = scope.name(name)
            if found is not None:
                return found
        if want is not None and want.name == "row" and part.args is None and isinstance(want.of, Table):
            if name in want.of.rows and alone:
                return t.Lit(want.of.rows[name].index, type=want)
        cards = [(c, said) for c, said in scope.cards() if self._on_card(c, name)]
        if part.args is not None:
            made = self._applied(part, at, scope, cards)
            if made is not None:
                return made
        if len(cards) > 1:
            return self._two_cards(part, at, cards)
        if cards:
            return self.member(cards[0][0], part, at, scope)
        if part.args is None:
            made = self._global(name, want)
            if made is not None:
                return made
        if part.args is None:
            self._unknown(name, at, part, "thing here", self._sayable(scope))
        else:
            book = self.book
            tables = [p.name for p in book.procedures.values() if p.table]
            known = [*book.values, *book.facts, *book.rolls, *tables, *BUILTINS]
            self._unknown(name, at, part, "value, roll, fact or function", known)
            for arg in part.args:
                self.expr(arg, at, scope)
        return t.Lit(0, type=ANY)

    def _global(self, name: str, want: Type | None) -> t.Expr | None:
        book = self.book
        if name in book.rulings:
            return t.RulingOf(book.rulings[name], type=book.rulings[name].type)
        if name in book.plurals:
            kind = book.plurals[name]
            if not kind.counted:
                return t.All(kind, None, type=Type("things", kind))
            return None
        if name in book.tables:
            return t.TableRows(book.tables[name], type=Type("rows", book.tables[name]))
        if name in book.values and book.values[name].subject is None:
            return self._call_value(None, book.values[name], (), None, None)
        tables = book.words.get(name, [])
        if len(tables) == 1:
            return t.Lit(tables[0].rows[name].index, type=Type("row", tables[0]))
        return None

    def _two_cards(self, part: n.Part, at: Scalar, cards: list[tuple[t.Expr, str]]) -> t.Expr:
        options = " or ".join(f"`{said}.{part.name}`" for _, said in cards)
        self.problems.add("N002", at.at(part.start, part.end), name=part.name, hint=f"say {options}")
        return t.Lit(0, type=ANY)

    def _applied(self, part: n.Part, at: Scalar, scope: Scope, cards: list[tuple[t.Expr, str]]) -> t.Expr | None:
        """`name(args)`: a builtin; or a value, fact, roll or table of its first argument, or of the open card."""
        args = part.args or ()
        name = part.name
        if name in BUILTINS:
            return self._builtin(part, at, scope)
        if (wanted := self._arity(name)) is not None and len(args) == wanted + 1:
            subject = self.expr(args[0], at, scope)
            if subject.type.name == "any":
                return t.Lit(0, type=ANY)
            return self.member(subject, n.Part(part.start, part.end, name, args[1:] or None), at, scope)
        if len(cards) > 1:
            return self._two_cards(part, at, cards)
        return self.member(cards[0][0], part, at, scope) if cards else None

    def _arity(self, name: str) -> int | None:
        """How many things a value, fact, roll or outcome table asks for besides its subject."""
        book = self.book
        symbol = book.facts.get(name) or book.values.get(name) or book.rolls.get(name)
        if symbol is not None:
            return len(symbol.params)
        procedure = book.procedures.get(name)
        return len(procedure.params) - 1 if procedure is not None and procedure.table else None

    def _builtin(self, part: n.Part, at: Scalar, scope: Scope) -> t.Expr:
        builtin = BUILTINS[part.name]
        counted = NUMBER if builtin.numbers else None
        args = [self.expr(a, at, scope, counted if isinstance(a, n.Calc) else None) for a in part.args or ()]
        if any(a.type.name == "any" for a in args):
            return t.Lit(0, type=ANY)
        nodes_ = part.args or ()
        if builtin.numbers and not (len(args) == 1 and args[0].type.name in ("rows", "list")):
            if all(a.type.name == "row" for a in args) and part.name in ("min", "max"):
                return _op(f"{part.name}-row", tuple(args), args[0].type)
            args = [self.as_number(a, at, x) for a, x in zip(args, nodes_, strict=True)]
            kinds = {a.type.name for a in args if not _zero(a)}
            if {"inches", "number"} <= kinds:
                self.problems.add("T002", at.at(part.start, part.end), left="inches", right="a number", hint='inches are written `6"`')
                return t.Lit(0, type=ANY)
        made = builtin.check(tuple(a.type for a in args))
        if made is None:
            got = ", ".join(a.type.words() for a in args)
            self.problems.add("T003", at.at(part.start, part.end), name=part.name, found=got, hint=builtin.doc)
            return t.Lit(0, type=ANY)
        name, type_ = made
        return _op(name, tuple(args), type_)

    def _follow(self, base: t.Expr, parts: Iterable[n.Part], at: Scalar, scope: Scope) -> t.Expr:
        parts = list(parts)
        while parts:
            if base.type.name == "any":
                return base
            if base.type.name == "record":
                made, used = self._field(base, parts, at)
                base, parts = made, parts[used:]
                continue
            base = self.member(base, parts.pop(0), at, scope)
        return base

    def _field(self, base: t.Expr, parts: list[n.Part], at: Scalar) -> tuple[t.Expr, int]:
        procedure: Procedure = base.type.of
        lines = self.lines_of(procedure)
        names = [p.name for p in parts]
        for size in range(len(names), 0, -1):
            found = lines.find(".".join(names[:size]))
            if len(found) > 1:
                places = " or ".join(f"`{f}`" for f in found)
                self.problems.add("N002", at.at(parts[0].start, parts[size - 1].end), name=names[0], hint=f"say {places}")
                return t.Lit(0, type=ANY), len(parts)
            if found and lines.by_address[found[0]].type.name != "block":
                variable = lines.by_address[found[0]]
                return t.Field(base, procedure, found[0], type=variable.type), size
        self._unknown(names[0], at, parts[0], f"line of {procedure.name}", lines.names())
        return t.Lit(0, type=ANY), len(parts)

    def lines_of(self, procedure: Procedure) -> Any:
        raise NotImplementedError

    def _on_card(self, card: t.Expr, name: str) -> bool:
        return name in self._card_names(card.type)

    def _card_names(self, type_: Type) -> set[str]:
        if type_.name in ("thing", "figure"):
            kind: Kind = type_.of
            names = {a.name for a in kind.all_attributes()}
            names |= {a.name for s in kind.sorts() for a in s.attributes.values()}
            names |= {b.plural for k in kind.lineage() for bag in k.bags for b in bag.sorts()}
            names |= {b.plural for s in kind.sorts() for bag in s.bags for b in bag.sorts()}
            names |= {k.plural for k in self.book.kinds.values() if not k.counted and k.owner and kind.is_a(k.owner)}
            names |= {v.name for v in self.book.values.values() if v.subject and self._fits(kind, v.subject)}
            names |= {r.name for r in self.book.rolls.values() if r.subject and self._fits(kind, r.subject)}
            names |= {f.name for f in self.book.facts.values() if self._fits(kind, f.kind)}
            names |= {p.name for p in self.book.procedures.values() if p.table and p.subject and self._fits(kind, p.subject)}
            if kind.owner is not None:
                names |= {"owner"} if not kind.counted else {kind.owner.name, "owner"}
            return names
        if type_.name == "row":
            return {*type_.of.columns, *type_.of.marks}
        return set()

    def _fits(self, kind: Kind, wanted: Kind) -> bool:
        """A card may be asked what its kind, a base of it, or a special sort of it can answer."""
        return kind.is_a(wanted) or wanted.is_a(kind)

    def _any_attribute(self, kind: Kind, name: str) -> Attribute | None:
        found = kind.find(name)
        if found is None:
            found = next((s.attributes[name] for s in kind.sorts() if name in s.attributes), None)
        return found

    def member(self, base: t.Expr, part: n.Part, at: Scalar, scope: Scope) -> t.Expr:
        if base.type.name == "any":
            return base
        made: t.Expr | None = None
        if base.type.name in ("thing", "figure"):
            made = self._of_thing(base, part, at, scope)
        elif base.type.name == "row":
            table: Table = base.type.of
            column = table.columns.get(part.name) or table.marks.get(part.name)
            if column is not None:
                made = t.Cell(base, table, column, type=column.type)
        elif base.type.many:
            made = self._of_many(base, part, at, scope)
        elif base.type.name == "record":
            return self._field(base, [part], at)[0]
        if made is None:
            known = self._card_names(_item_type(base.type) if base.type.many else base.type)
            self._unknown(part.name, at, part, f"part of {base.type.words()}", known)
            return t.Lit(0, type=ANY)
        return replace(made, where=Where(at, part.start, part.end))

    def _of_thing(self, base: t.Expr, part: n.Part, at: Scalar, scope: Scope) -> t.Expr | None:
        kind: Kind = base.type.of
        name = part.name
        if part.args is None:
            attribute = self._any_attribute(kind, name)
            if attribute is not None:
                return t.Attr(base, attribute, type=attribute.type)
            if kind.counted and kind.root.owner is not None and name == kind.root.owner.name:
                return t.Holder(base, type=Type("thing", kind.root.owner))
            for holder in [*kind.lineage(), *kind.sorts()]:
                for bag in holder.bags:
                    for sort in bag.sorts():
                        if sort.plural == name:
                            return t.Bag(base, sort, type=Type("figures", sort))
            children = self.book.plurals.get(name)
            if children is not None and not children.counted and children.owner and kind.is_a(children.owner):
                return t.All(children, base, type=Type("things", children))
            if name == "owner":
                return self._owner(base)
        value = self.book.values.get(name)
        if value is not None and value.subject is not None and self._fits(kind, value.subject):
            return self._call_value(base, value, part.args or (), at, part, scope)
        fact = self.book.facts.get(name)
        if fact is not None and self._fits(kind, fact.kind):
            args = self._arguments(fact.params, part, at, scope)
            return t.FactOf(fact, (base, *args), type=fact.type)
        roll = self.book.rolls.get(name)
        if roll is not None and roll.subject is not None and self._fits(kind, roll.subject):
            args = self._arguments(roll.params, part, at, scope)
            return t.RollOf(roll, (base, *args), type=Type("roll", roll))
        procedure = self.book.procedures.get(name)
        if procedure is not None and procedure.table and procedure.subject and self._fits(kind, procedure.subject):
            if scope_is_pure(scope):
                self.problems.add("P006", at.at(part.start, part.end), name=name)
                return t.Lit(0, type=ANY)
            args = self._arguments(procedure.params[1:], part, at, scope)
            return t.Call(procedure, (base, *args), type=Type("row", procedure.table))
        return None

    def _owner(self, base: t.Expr) -> t.Expr | None:
        """Up the chain of belonging to the top: a figure's unit's side."""
        e = base
        while isinstance(e.type.of, Kind):
            kind: Kind = e.type.of
            if kind.counted and kind.root.owner is not None:
                e = t.Holder(e, type=Type("thing", kind.root.owner))
            elif kind.owner is not None and (relation := kind.find(kind.owner.name)) is not None:
                e = t.Attr(e, relation, type=relation.type)
            else:
                break
        return e if e is not base else None

    def _of_many(self, base: t.Expr, part: n.Part, at: Scalar, scope: Scope) -> t.Expr | None:
        item = _item_type(base.type)
        variable = t.Variable("it", item)
        one = t.Var(variable, type=item)
        if item.name == "row":
            inner: t.Expr | None = self.member(one, part, at, scope)
        else:
            inner = self._of_thing(one, part, at, scope)
        if inner is None:
            return None
        if inner.type.name in ("things", "figures"):
            return t.Each(base, variable, inner, type=inner.type)
        return t.Each(base, variable, inner, type=Type("list", inner.type))

    def _call_value(
        self, subject: t.Expr | None, value: Any, args: tuple[n.Expr, ...], at: Scalar | None, part: n.Part | None,
        scope: Scope | None = None,
    ) -> t.Expr:  # fmt: skip
        checked = self.value_of(value)
        given: tuple[t.Expr, ...] = ()
        if at is not None and part is not None and (value.params or args):
            given = self._arguments(value.params, part, at, scope or Scope())
        full = (*((subject,) if subject is not None else ()), *given)
        return t.CallValue(value, full, type=checked)

    def value_of(self, value: Any) -> Type:
        raise NotImplementedError

    def _arguments(self, params: tuple[Any, ...], part: n.Part, at: Scalar, scope: Scope) -> tuple[t.Expr, ...]:
        given = part.args or ()
        if len(given) != len(params):
            wanted = ", ".join(p.name for p in params) or "nothing"
            found = ", ".join(at.text[g.start : g.end] for g in given) or "nothing"
            hint = f"say `{part.name}({wanted})`" if params else f"say `{part.name}`"
            self.problems.add("T007", at.at(part.start, part.end), name=part.name, wanted=wanted, found=found, hint=hint)
            return tuple(t.Lit(0, type=ANY) for _ in params)
        return tuple(self.argument(p.type, g, at, scope) for p, g in zip(params, given, strict=True))

    def argument(self, wanted: Type, node: n.Node, at: Scalar, scope: Scope) -> t.Expr:
        e = self.expr(node, at, scope, wanted)
        if wanted.name == "number":
            return self.as_number(e, at, node)
        if wanted.name == "figures" and e.type.name == "figure":
            return _op("only", (e,), Type("figures", e.type.of), e.where)
        return self.fitting(e, wanted, at, node)

    def fitting(self, e: t.Expr, wanted: Type, at: Scalar, node: n.Node) -> t.Expr:
        """`e` as `wanted`, or a problem."""
        got = e.type
        if "any" in (got.name, wanted.name) or got == wanted:
            return e
        if got == NONE:
            return t.Lit(absent(wanted), type=wanted)
        if got.name == wanted.name and isinstance(got.of, Kind) and isinstance(wanted.of, Kind):
            if got.of.is_a(wanted.of) or wanted.of.is_a(got.of):
                return e
        elif wanted.name in ("number", "target") and got.name in ("number", "target"):
            return e
        elif (wanted == NUMBER and (got.many or got == DICE)) or (wanted == INCHES and (_zero(e) or got == DICE)):
            return self.as_number(e, at, node)
        self.wrong(e, at, node, wanted.words())
        return t.Lit(0, type=ANY)

    # ---- unknown names
    def _sayable(self, scope: Scope) -> list[str]:
        words = [*scope.known(), *BUILTINS, *self.book.plurals, *self.book.tables, *self.book.rulings]
        words += [w for card, _ in scope.cards() for w in self._card_names(card.type)]
        words += [w for w in self.book.words if w]
        return words

    def _unknown(
        self, word: str, at: Scalar, node: n.Node, what: str, known: Iterable[str], elsewhere: str | None = None
    ) -> None:
        known = list(known)
        name = n.Name(node.start, node.start + len(word), word)
        unknown(self.problems, at, name, what, known, elsewhere or self._elsewhere(word, known))

    def _elsewhere(self, word: str, known: Iterable[str]) -> str | None:
        """Where a word does mean something, when it means nothing here."""
        book = self.book
        if word[:1].isupper() and word.lower() in (*book.kinds, *book.plurals, *book.values, *known):
            return f"names in rules are lower case: `{word.lower()}`"
        if re.fullmatch(r"[0-9]*D[0-9]+", word):
            return f"dice are written with a small letter: `{word.lower()}`"
        left, dash, right = word.partition("-")
        if dash and left in known and (right in known or right.isdigit()):
            return f"a minus has a space on both sides: `{left} - {right}`"
        marked = [x.name for x in book.tables.values() if word in x.marks]
        if marked:
            return f"`{word}` is a mark of {' and of '.join(marked)}: ask a row of it `… is {word}`"
        tables = book.words.get(word)
        if tables:
            return f"`{word}` is a row of {' and of '.join(x.name for x in tables)}"
        columns = [x.name for x in book.tables.values() if word in x.columns]
        if columns:
            return f"`{word}` is a column of {' and of '.join(columns)}: ask a row of it `….{word}`"
        shelves: list[tuple[str, Any]] = [
            ("a value", book.values), ("a roll", book.rolls), ("a procedure", book.procedures),
            ("a kind", book.kinds), ("a fact", book.facts),
        ]  # fmt: skip
        for what, shelf in shelves:
            if word in shelf:
                subject = getattr(shelf[word], "subject", None) or getattr(shelf[word], "kind", None)
                of = f" of {_a(subject.name)}: say whose" if subject else ", and cannot stand here"
                return f"`{word}` is {what}{of}"
        holders = [kind.name for kind in book.kinds.values() if word in kind.attributes]
        if holders:
            mark = book.kinds[holders[0]].attributes[word].is_mark
            return f"`{word}` is {'a mark' if mark else 'on the card'} of {_a(holders[0])}: say whose"
        return None


def _a(word: str) -> str:
    return f"an {word}" if word[:1] in "aeio" else f"a {word}"


def _thrown(cell: t.Expr) -> t.Expr:
    """The dice that a table's cell names (`d6+1`), thrown and added up."""
    count, sides = _op("dice-count", (cell,), NUMBER), _op("dice-sides", (cell,), NUMBER)
    faces = t.Throw(count, sides, type=DICE)
    return _op("add", (_op("sum-faces", (faces,), NUMBER), _op("dice-plus", (cell,), NUMBER)), NUMBER)


def hole(e: t.Expr) -> t.Expr:
    return t.Lit(0, type=ANY, where=e.where)


def absent(type_: Type) -> Any:
    """What stands for nobody or nothing of a type; also the value of a line that was not run."""
    return {
        "number": 0, "inches": 0, "target": None, "truth": False, "dice": (), "row": -1, "rows": (), "thing": -1,
        "things": (), "figure": None, "figures": (), "record": None, "list": (), "none": None,
    }.get(type_.name, 0)  # fmt: skip


def scope_is_pure(scope: Scope) -> bool:
    return scope.pure


def _op(name: str, args: tuple[t.Expr, ...], type_: Type, where: Where | None = None) -> t.Expr:
    return t.Op(name, args, type=type_, where=where)


def _negate(e: t.Expr, negated: bool) -> t.Expr:
    return _op("not", (e,), TRUTH) if negated else e


def _zero(e: t.Expr) -> bool:
    return isinstance(e, t.Lit) and e.value == 0


def _fill(e: t.Expr, type_: Type) -> t.Expr:
    if e.type == NONE:
        return t.Lit(absent(type_), type=type_, where=e.where)
    if type_ == NUMBER and e.type.name in ("things", "figures"):
        return _op("count", (e,), NUMBER, e.where)
    if type_ == NUMBER and e.type == DICE:
        return _op("sum-faces", (e,), NUMBER, e.where)
    return e


def _item_type(type_: Type) -> Type:
    if type_.name == "list":
        return type_.of if isinstance(type_.of, Type) else ANY
    return Type(type_.name[:-1], type_.of) if type_.many else type_


_COMPARE = {">=": "at-least", "<=": "at-most", ">": "more", "<": "less", "=": "equal"}
