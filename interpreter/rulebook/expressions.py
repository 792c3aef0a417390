"""Syntax of an expression → typed expression: every name a symbol, every unit kept apart.

Enters: a node, the scalar it was read from, a scope. Leaves: a typed expression; what is wrong becomes problems and a
typed hole (`ANY`), so that one mistake is told once. Knows nothing of steps or of dice being thrown.
"""

from __future__ import annotations

from interpreter.document.nodes import Scalar
from interpreter.language import nodes as n
from interpreter.source import Fix
from interpreter.vocabulary.types import ANY, DICE, FACES, INCHES, NONE, NUMBER, TARGET, TRUTH, Type

from . import typed as t
from .checking import sums
from .construct import COMPARE, NUMERIC, absent, fill, item_type, negate, op, zero
from .scope import Scope
from .shelves import whole
from .sites import Sites
from .symbols import Kind, Table, Where
from .taking import dice_of

_CHECKS: dict[type[n.Node], str] = {}  # the name of the method for each sort of expression


class Expressions(Sites):
    """The check of every expression of one book."""

    # ---- entry points
    def expr(self, node: n.Node, at: Scalar, scope: Scope, want: Type | None = None) -> t.Expr:
        sort = type(node)
        method = getattr(self, _CHECKS.get(sort) or _CHECKS.setdefault(sort, "_" + sort.__name__.lower()), None)
        if method is None:
            raise TypeError(f"no check for {sort.__name__}")
        result: t.Expr = method(node, at, scope, want)
        return result if result.where is not None else t.placed(result, Where(at, node.start, node.end))

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

    # ---- arithmetic
    def _calc(self, node: n.Calc, at: Scalar, scope: Scope, want: Type | None) -> t.Expr:
        left, right = self._both(node.left, node.right, at, scope, NUMBER if node.op in "*/" else want)
        if "any" in (left.type.name, right.type.name):
            return t.Lit(0, type=ANY)
        if want is not NUMBER and node.op in "+-":
            left, right = self._of_one_throw(left, right)
        if left.type.name == "row" and node.op in "+-" and right.type == NUMBER:
            return op("row-up" if node.op == "+" else "row-down", (left, right), left.type)
        put = left
        if left.type.name in ("thing", "figure") and right.type.name.rstrip("s") == left.type.name and node.op == "+":
            put = op("only", (left,), Type(left.type.name + "s", left.type.of), left.where)
        if put.type.many and node.op in "+-" and want is not NUMBER:
            other = right
            if right.type.name in ("thing", "figure", "row"):
                other = op("only", (right,), Type(right.type.name + "s", right.type.of), right.where)
            if _unlike(put.type, other.type):
                return self._refuse_unlike(node, at, left, right, f"0 + {at.text[node.start : node.end]}")
            if put.type.name != "list" and (common := _common(put.type, other.type)) is not None:
                return op("join", (put, other), common) if node.op == "+" else op("without", (put, other), put.type)
        left = self.as_number(left, at, node.left)
        right = self.as_number(right, at, node.right)
        a, b = left.type, right.type
        if "any" in (a.name, b.name):
            return t.Lit(0, type=ANY)
        name = {"+": "add", "-": "subtract", "*": "times", "/": "divide"}[node.op]
        if node.op in "+-":
            if self.shown_beside_counted(node, at, left, right):
                return t.Lit(0, type=ANY)
            if {a.name, b.name} == {"inches", "number"} and not (zero(left) or zero(right)):
                self._units(node, at, a, b)
                return t.Lit(0, type=ANY)
            type_ = INCHES if "inches" in (a.name, b.name) else NUMBER
            if a == TARGET or (b == TARGET and node.op == "+"):  # `7 - 4+` is how far it is from 7
                type_ = NUMBER if b == TARGET and node.op == "-" else TARGET
        else:
            if a == INCHES and b == INCHES and node.op == "/":
                type_ = NUMBER
            elif a == INCHES and b == INCHES:
                self._units(node, at, a, b)
                return t.Lit(0, type=ANY)
            else:
                type_ = INCHES if "inches" in (a.name, b.name) else NUMBER
        return op(name, (left, right), type_)

    def _both(self, one: n.Node, two: n.Node, at: Scalar, scope: Scope, want: Type | None) -> tuple[t.Expr, t.Expr]:
        """Two parts of which neither says what the other is. In a sum of collections beside a number, each is counted
        for itself.
        """
        if sums(one):
            right = self.expr(two, at, scope, want)
            return self.expr(one, at, scope, NUMBER if right.type.name in NUMERIC else want), right
        left = self.expr(one, at, scope, want)
        counted = sums(two) and left.type.name in NUMERIC
        return left, self.expr(two, at, scope, NUMBER if counted else want)

    def _refuse_unlike(self, node: n.Node, at: Scalar, one: t.Expr, two: t.Expr, counted: str) -> t.Expr:
        a, b = one.type.words(), two.type.words()
        several = one.type.many and two.type.many
        hint = f"if it is how many that counts, say `{counted}`" if several else None
        self.problems.add("T014", at.at(node.start, node.end), left=a, right=b, label=f"{a}, and {b}", hint=hint)
        return t.Lit(0, type=ANY)

    def _of_one_throw(self, one: t.Expr, two: t.Expr) -> tuple[t.Expr, t.Expr]:
        """Dice beside some that were taken from them: a collection of faces, as those are."""
        if {one.type, two.type} != {DICE, FACES} or (dice := dice_of(one, self.taken)) is None:
            return one, two
        if dice is not dice_of(two, self.taken):
            return one, two
        made = [op("faces", (e,), FACES, e.where) if e.type == DICE else e for e in (one, two)]
        return made[0], made[1]

    def _units(self, node: n.Calc | n.Compare, at: Scalar, a: Type, b: Type) -> None:
        right = node.right
        fix = None
        for plain, other in ((right, a), (node.left, b)):
            if isinstance(plain, n.Number) and other == INCHES:
                span = at.at(plain.start, plain.end)
                fix = Fix(span, f'{plain.value}"', False, f'write `{plain.value}"`')
        self.problems.add(
            "T002",
            at.at(node.start, node.end),
            left=a.words(),
            right=b.words(),
            label=f"{a.words()} {node.op} {b.words()}",
            hint='inches are written `6"`',
            fix=fix,
        )

    def _compare(self, node: n.Compare, at: Scalar, scope: Scope, want: Type | None) -> t.Expr:
        # Differences of collections are counted here: `hits - foe.figures > 1`.
        left = self.expr(node.left, at, scope, NUMBER if sums(node.left) else None)
        word = node.right.parts[0] if isinstance(node.right, n.Path) and len(node.right.parts) == 1 else None
        if node.op == "=" and word is not None and word.args is None and self._flag(left, word, at) is not None:
            sign = at.text.index("=", node.left.end)
            said = f"`=` compares numbers; what something is, `is` asks: `… is {word.name}`"
            fix = Fix(at.at(sign, sign + 1), "is", False, f"write `is {word.name}`")
            self.problems.add(
                "T001", at.at(word.start, word.end), found="a mark", wanted="a number", hint=said, fix=fix
            )
            return t.Lit(False, type=ANY)
        right = self.expr(node.right, at, scope, NUMBER if sums(node.right) else left.type)
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
            if names == {"inches", "number"} and not (zero(left) or zero(right)):
                self._units(node, at, left.type, right.type)
                return t.Lit(False, type=ANY)
            if self.shown_beside_counted(node, at, left, right):
                return t.Lit(False, type=ANY)
        return op(COMPARE[node.op], (left, right), TRUTH)

    def _same(self, node: n.Same, at: Scalar, scope: Scope, want: Type | None) -> t.Expr:
        left = self.expr(node.left, at, scope)
        if left.type.name == "any":
            return t.Lit(False, type=ANY)
        word = node.right.parts[0] if isinstance(node.right, n.Path) and len(node.right.parts) == 1 else None
        if word is not None and word.args is None:
            flag = self._flag(left, word, at)
            if flag is not None:
                return negate(flag, node.negated)
        if isinstance(left, t.TableRows) and (one := self._one_of(left, scope)) is not None:
            self.wrong(left, at, node.left, "one row", one)
            return t.Lit(False, type=ANY)
        right = self.expr(node.right, at, scope, left.type)
        if right.type.name == "any":
            return t.Lit(False, type=ANY)
        if right.type == NONE or left.type == NONE or isinstance(node.right, n.Absent):
            e = right if left.type == NONE else left
            if e.type.name in ("row", "thing", "figure", "number", "inches", "target", "none"):
                return negate(op("absent", (e,), TRUTH), node.negated)
        if {left.type.name, right.type.name} <= {"figure", "figures"}:
            return self._told_apart(node, at, "is")
        if left.type.name != right.type.name or (left.type.of is not right.type.of and not self._related(left, right)):
            pair = {left.type.name, right.type.name}
            if not pair <= set(NUMERIC):
                rows = left.type.of.rows if left.type.name == "row" and isinstance(left.type.of, Table) else {}
                hint = f"rows of {left.type.of.name}: " + ", ".join(list(rows)[:6]) if rows else None
                self.wrong(right, at, node.right, left.type.words(), hint or self._one_of(left, scope))
                return t.Lit(False, type=ANY)
        return negate(op("same", (left, right), TRUTH), node.negated)

    def _one_of(self, rows: t.Expr, scope: Scope) -> str | None:
        """Where a whole table is named, and one row of it is meant that can be said here."""
        if not isinstance(rows, t.TableRows):
            return None
        row = Type("row", rows.table)
        said = [name for name in scope.known() if (e := scope.name(name)) is not None and e.type == row]
        for card, _ in scope.cards():
            if isinstance(card.type.of, Kind):
                said += [a.name for a in card.type.of.all_attributes() if a.type == row]
        return f"`{rows.table.name}` is the whole table; one row of it is `{said[0]}`" if said else None

    def _related(self, left: t.Expr, right: t.Expr) -> bool:
        a, b = left.type.of, right.type.of
        return isinstance(a, Kind) and isinstance(b, Kind) and (a.is_a(b) or b.is_a(a))

    def _is_flag(self, left: t.Expr, node: n.Node, at: Scalar) -> bool:
        """Whether it is one word, for a mark or a yes-or-no of what stands left."""
        one = isinstance(node, n.Path) and len(node.parts) == 1 and node.parts[0].args is None
        return one and self._flag(left, node.parts[0], at) is not None  # type: ignore[attr-defined]

    def _flag(self, left: t.Expr, word: n.Part, at: Scalar) -> t.Expr | None:
        """`weapon is small`, `unit is guarding`: a mark or a yes-or-no of what stands left."""
        if left.type.name == "row":
            table: Table = left.type.of
            if word.name in table.rows:
                return op("same", (left, t.Lit(table.rows[word.name].index, type=left.type)), TRUTH)
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
        return negate(t.IsKind(left, kind, type=TRUTH), node.negated)

    def _member(self, node: n.Member, at: Scalar, scope: Scope, want: Type | None) -> t.Expr:
        right = self.expr(node.right, at, scope)
        item = item_type(right.type) if right.type.many else None
        left = self.expr(node.left, at, scope, item)
        if "any" in (left.type.name, right.type.name):
            return t.Lit(False, type=ANY)
        if item is None:
            self.wrong(right, at, node.right, "several things")
            return t.Lit(False, type=ANY)
        if _common(left.type, item) is None:
            self.wrong(left, at, node.left, item.words())
            return t.Lit(False, type=ANY)
        if item.name == "figure":
            return self._told_apart(node, at, "in")
        return negate(op("in", (left, right), TRUTH), node.negated)

    def _told_apart(self, node: n.Same | n.Member, at: Scalar, word: str, items: n.Expr | None = None) -> t.Expr:
        """Counted things that are alike are one row with a number: which of them is meant cannot be asked."""
        right, span = at.text[node.right.start : node.right.end], at.at(node.start, node.end)
        hint, fix = "give those you mean a mark, and ask for that", None
        if node.negated and items is not None:
            of = at.text[items.start : items.end]
            instead = f"{of if isinstance(items, n.Path | n.Group) else f'({of})'} - {right}"
            hint, span = f"say `{instead}`", at.at(items.start, node.end)
            fix = Fix(span, instead, False, f"write `{instead}`")
        elif node.negated:
            hint = f"leave them out where the others are named, `… - {right}`, or {hint}"
        elif items is not None:
            hint = f"say `{right}` by itself, or {hint}"
        self.problems.add("T016", span, word=word, hint=hint, fix=fix)
        return t.Lit(False, type=ANY)

    def _quantified(self, node: n.Quantified, at: Scalar, scope: Scope, want: Type | None) -> t.Expr:
        e = self.expr(node.items, at, scope)
        if e.type.name == "any":
            return t.Lit(False, type=ANY)
        if (one := self._one_of(e, scope)) is not None:  # a table always has rows
            self.wrong(e, at, node.items, "one row", one)
            return t.Lit(False, type=ANY)
        if isinstance(e, t.Lit) and e.type.name == "row":
            said = at.text[node.items.start : node.items.end]
            self.wrong(e, at, node.items, "several things", f"it is always there: say what is to be it, `… is {said}`")
            return t.Lit(False, type=ANY)
        if e.type.many:
            made = op("any-of", (e,), TRUTH)
        elif e.type.name in ("row", "thing", "figure", "none") or self.may_be_none(e):
            made = op("not", (op("absent", (e,), TRUTH),), TRUTH)
        else:
            said = at.text[node.items.start : node.items.end]
            if e.type.name in NUMERIC:
                more = '> 0"' if e.type == INCHES else "> 0"
                asked = f"`{said} is not none`" if node.some else f"`{said} is none`"
                compared = f"`{said} {more}`" if node.some else f"`{said} = 0`"
                self.wrong(e, at, node.items, "several things", f"say {compared}, or {asked} where it may be empty")
                return t.Lit(False, type=ANY)
            self.wrong(e, at, node.items, "several things")
            return t.Lit(False, type=ANY)
        return negate(made, not node.some)

    def may_be_none(self, e: t.Expr) -> bool:
        """Whether a number is one of a table, where a cell may be empty, and not one that was counted."""
        match e:
            case t.Cell():
                return e.type.name in NUMERIC
            case t.Attr():
                return e.attribute.optional
            case t.IfElse():
                return self.may_be_none(e.value) or self.may_be_none(e.other)
            case t.CallValue():
                return e.type == TARGET or any(self.may_be_none(x) for x in self.bases_of(e.value))
        return False

    def _not(self, node: n.Not, at: Scalar, scope: Scope, want: Type | None) -> t.Expr:
        return op("not", (self.truth(node.inner, at, scope),), TRUTH)

    def _and(self, node: n.And, at: Scalar, scope: Scope, want: Type | None) -> t.Expr:
        return op("and", (self.truth(node.left, at, scope), self.truth(node.right, at, scope, node)), TRUTH)

    def _or(self, node: n.Or, at: Scalar, scope: Scope, want: Type | None) -> t.Expr:
        return op("or", (self.truth(node.left, at, scope), self.truth(node.right, at, scope, node)), TRUTH)

    def _either(self, node: n.Either, at: Scalar, scope: Scope, want: Type | None) -> t.Expr:
        condition = self.truth(node.condition, at, scope)
        counted = sums(node.value) and self.expr(node.other, at, scope, want).type.name in NUMERIC
        value = self.expr(node.value, at, scope, NUMBER if counted else want)
        counted = sums(node.other) and value.type.name in NUMERIC
        other = self.expr(node.other, at, scope, NUMBER if counted else value.type)
        if want is not NUMBER and _unlike(value.type, other.type):
            one, condition_said, two = [at.text[x.start : x.end] for x in (node.value, node.condition, node.other)]
            return self._refuse_unlike(node, at, value, other, f"0 + {one} if {condition_said} else 0 + {two}")
        type_ = self.unify(value, other, at, node.other)
        value, other = fill(value, type_), fill(other, type_)
        if self.shown_beside_counted(node, at, value, other):
            return t.Lit(0, type=ANY)
        return t.IfElse(condition, value, other, type=type_)

    # ---- collections
    def _every(self, node: n.Every, at: Scalar, scope: Scope, want: Type | None) -> t.Expr:
        """There is somebody, and it is so of each: of nobody nothing is true."""
        items = self.collection(node.items, at, scope)
        if items.type.name == "any":
            return t.Lit(False, type=ANY)
        variable = t.Variable("it", item_type(items.type))
        card = t.Var(variable, type=variable.type)
        inner = Scope(scope, {"it": card}, card=card, card_name="it", pure=True)
        condition = self.truth(node.condition, at, inner)
        return op("every", (t.Filter(items, variable, condition, type=items.type),), TRUTH)

    def _where(self, node: n.Where, at: Scalar, scope: Scope, want: Type | None) -> t.Expr:
        items = self.collection(node.items, at, scope)
        if items.type.name == "any":
            return items
        of = items.type
        if isinstance(items, t.Op) and items.name == "faces":
            items = items.args[0]
        name = node.alias.text if node.alias else "it"
        variable = t.Variable(name, item_type(of))
        card = t.Var(variable, type=variable.type)
        inner = Scope(scope, {name: card}, card=card, card_name=name, pure=True)
        if node.alias is not None and scope.name(name) is not None:
            self.problems.add("N004", at.at(node.alias.start, node.alias.end), name=name)
        if isinstance(node.condition, n.Extreme):
            value = self._compared(node.condition, at, inner)
            return t.Extreme(items, variable, value, node.condition.most, type=of if value.type != ANY else ANY)
        if (thrown := _last(node.condition)) is not None:
            self._throw_of_all(node, thrown, at)
            return t.Lit((), type=ANY)
        asked = node.condition
        if isinstance(asked, n.Same | n.Member) and variable.type.name == "figure" and _only(asked.left, name):
            if not self._is_flag(card, asked.right, at) and self.expr(
                asked.right, at, inner, variable.type
            ).type.name in ("figure", "figures"):
                return self._told_apart(asked, at, "is" if isinstance(asked, n.Same) else "in", node.items)
        condition = self.truth(asked, at, inner)
        return t.Filter(items, variable, condition, type=of)

    def _throw_of_all(self, node: n.Where, thrown: n.Counting, at: Scalar) -> None:
        """`figures where C passing R`: those who are C throw, so they stand in brackets."""
        chosen = at.text[node.start : thrown.left.end]
        instead = f"({chosen}){at.text[thrown.left.end : thrown.end]}"
        self.problems.add(
            "D006",
            at.at(node.start, thrown.end),
            label=f"`{thrown.how}` would be thrown to find out who is meant",
            hint=f"if they are found first, and then throw, put them in brackets: `({chosen}) {thrown.how} …`",
            fix=Fix(at.at(node.start, thrown.end), instead, False, f"write `{instead}`"),
        )

    def _compared(self, node: n.Extreme, at: Scalar, scope: Scope) -> t.Expr:
        """What is least or most: a row, or a number."""
        value = self.expr(node.value, at, scope, NUMBER if sums(node.value) else None)
        return value if value.type.name in ("row", "any") else self.as_number(value, at, node.value)

    def _extreme(self, node: n.Extreme, at: Scalar, scope: Scope, want: Type | None) -> t.Expr:
        """Anywhere else there is nothing to compare with."""
        word = "most" if node.most else "least"
        said = at.text[node.value.start : node.value.end]
        hint = f"say `(things where …) where {said} is {word}`"
        self.problems.add("P017", at.at(node.start, node.end), word=word, hint=hint)
        return t.Lit(False, type=ANY)

    def _banded(self, node: n.Banded, at: Scalar, scope: Scope, want: Type | None) -> t.Expr:
        cell = self.expr(node.cell, at, scope)
        where = self.expr(node.at, at, scope)
        if "any" in (cell.type.name, where.type.name):
            return t.Lit(0, type=ANY)
        if not isinstance(cell, t.Cell) or cell.column.by is None:
            self.problems.add(
                "T006", at.at(node.cell.start, node.cell.end), hint="only a column written `X by Y` is near and far"
            )
            return t.Lit(0, type=ANY)
        if where.type != INCHES:
            self.wrong(where, at, node.at, "a distance in inches")
        return t.BandAt(cell.row, cell.table, cell.column, where, type=NUMBER)

    def _made(self, node: n.Made, at: Scalar, scope: Scope, want: Type | None) -> t.Expr:
        self.problems.add("P005", at.at(node.start, node.end), label="a thing is made in a line of its own")
        return t.Lit(-1, type=ANY)


def _common(a: Type, b: Type) -> Type | None:
    """What members of two sorts have in common; None where nothing can be both."""
    if a == b:
        return a
    if a.name != b.name or not isinstance(a.of, Kind) or not isinstance(b.of, Kind):
        return None
    kind = next((k for k in a.of.lineage() if b.of.is_a(k)), None)
    return Type(a.name, kind) if kind is not None else None


def _unlike(a: Type, b: Type) -> bool:
    return a.many and b.many and "list" not in (a.name, b.name) and _common(a, b) is None


def _only(node: n.Node, name: str) -> bool:
    """Whether it is this name alone."""
    return isinstance(node, n.Path) and len(node.parts) == 1 and node.parts[0].name == name


def _last(node: n.Node) -> n.Counting | None:
    """The throw that a condition ends with, if it does: `able and armed passing shooting`."""
    while isinstance(node, n.And | n.Or | n.Not):
        node = node.inner if isinstance(node, n.Not) else node.right
    return node if isinstance(node, n.Counting) else None
