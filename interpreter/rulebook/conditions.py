"""Checks conditions: comparisons, `is`, membership, quantifiers, and `where` filters.

Input: syntax. Output: typed expressions, or a problem with the correct form. Knows nothing of arithmetic.
"""

from __future__ import annotations

from interpreter.document.nodes import Scalar
from interpreter.language import nodes as n
from interpreter.source import Fix, Problems
from interpreter.vocabulary.operations import COMPARISONS
from interpreter.vocabulary.types import ANY, DICE, FACES, INCHES, NONE, NUMBER, TARGET, TRUTH, Type

from . import typed as t
from .construct import NUMERIC, item_type, negate, op, zero
from .environment import Environment
from .expected_types import ExpectedTypes, sums
from .marks_between import check_preposition, with_any
from .members import Members
from .scope import Scope, find_attribute, fits
from .symbols import Attribute, Kind, Table


class Conditions:
    """Checks conditions. Each node has a method, which takes its text and scope and returns a typed expression; after a
    mistake, it reports it and returns one of type `any`.
    """

    def __init__(self, env: Environment, expect: ExpectedTypes, members: Members) -> None:
        self.book, self.problems = env.book, env.problems
        self.expect, self.members = expect, members
        self.definitions, self.unknown = members.definitions, members.unknown

    def is_a_kind(self, name: n.Name, at: Scalar) -> Kind | None:
        """Return the kind of this name; None after reporting an unknown one."""
        kind = self.book.kinds.get(name.text)
        if kind is None:
            self.unknown.tell(name.text, at, name, "kind", self.book.kinds)
        return kind

    def compare(self, node: n.Compare, at: Scalar, scope: Scope) -> t.Expr:
        # Sums of collections are compared as numbers: `hits - foe.figures > 1`.
        left = self.expect.expr(node.left, at, scope, NUMBER if sums(node.left) else None)
        word = node.right.parts[0] if isinstance(node.right, n.Path) and len(node.right.parts) == 1 else None
        if node.op == "=" and word is not None and word.args is None and self._flag(left, word, at) is not None:
            sign = at.text.index("=", node.left.end)
            advice = f"`=` compares numbers; what something is, `is` asks: `… is {word.name}`"
            fix = Fix(at.at(sign, sign + 1), "is", False, f"write `is {word.name}`")
            self.problems.add(
                "T001", at.at(word.start, word.end), found="a mark", wanted="a number", hint=advice, fix=fix
            )
            return t.Lit(False, type=ANY)
        right = self.expect.expr(node.right, at, scope, NUMBER if sums(node.right) else left.type)
        if left.type.name == "any" or right.type.name == "any":
            return t.Lit(False, type=ANY)
        if left.type.name == "row" or right.type.name == "row":
            if left.type != right.type:
                row = left if left.type.name == "row" else right
                hint = f"rows of {row.type.of.name}: " + ", ".join(list(row.type.of.rows)[:6]) if row.type.of else None
                wrong, place = (right, node.right) if row is left else (left, node.left)
                self.expect.wrong(wrong, at, place, row.type.words(), hint)
                return t.Lit(False, type=ANY)
        elif left.type.name in ("thing", "figure") and zero(right):
            meant = ("any " if node.op == ">" else "no ") + at.text[node.left.start : node.left.end]
            fix = Fix(at.at(node.start, node.end), meant, False, f"write `{meant}`")
            self.expect.wrong(left, at, node.left, "a number", f"whether there is one asks `{meant}`", fix)
            return t.Lit(False, type=ANY)
        else:
            left, right = self.expect.as_number(left, at, node.left), self.expect.as_number(right, at, node.right)
            names = {left.type.name, right.type.name}
            if names == {"inches", "number"} and not (zero(left) or zero(right)):
                wrong_units(self.problems, node, at, left.type, right.type)
                return t.Lit(False, type=ANY)
            if self.expect.report_mixed_dice(node, at, left, right):
                return t.Lit(False, type=ANY)
        return op(COMPARISONS[node.op], (left, right), TRUTH)

    def same(self, node: n.Same, at: Scalar, scope: Scope) -> t.Expr:
        left = self.expect.expr(node.left, at, scope)
        if left.type.name == "any":
            return t.Lit(False, type=ANY)
        word = node.right.parts[0] if isinstance(node.right, n.Path) and len(node.right.parts) == 1 else None
        if word is not None and word.args is None:
            flag = self._flag(left, word, at)
            if flag is not None:
                return negate(flag, node.negated)
        operand = node.right
        if isinstance(operand, n.Related | n.Banded) and (mark := self.between(operand, left)) is not None:
            return negate(self.related(operand, mark, self.members.with_whom(left, mark), at, scope), node.negated)
        if isinstance(left, t.TableRows) and (one := self.one_row_hint(left, scope)) is not None:
            self.expect.wrong(left, at, node.left, "one row", one)
            return t.Lit(False, type=ANY)
        right = self.expect.expr(node.right, at, scope, left.type)
        if right.type.name == "any":
            return t.Lit(False, type=ANY)
        if right.type == NONE or left.type == NONE or isinstance(node.right, n.Absent):
            e = right if left.type == NONE else left
            if e.type.name in ("row", "thing", "figure", "number", "inches", "target", "dicecell", "bands", "none"):
                return negate(op("absent", (e,), TRUTH), node.negated)
        if {left.type.name, right.type.name} <= {"figure", "figures"}:
            return self._report_indistinct(node, at, "is")
        if self._of_dice(node, at, left, right):
            return t.Lit(False, type=ANY)
        if left.type.name != right.type.name or (left.type.of is not right.type.of and not self._related(left, right)):
            pair = {left.type.name, right.type.name}
            if not pair <= set(NUMERIC):
                rows = left.type.of.rows if left.type.name == "row" and isinstance(left.type.of, Table) else {}
                hint = f"rows of {left.type.of.name}: " + ", ".join(list(rows)[:6]) if rows else None
                if left.type.name == "rows" and right.type == item_type(left.type):
                    one, many = at.text[node.right.start : node.right.end], at.text[node.left.start : node.left.end]
                    hint = f"whether it is one of them: `{'not ' if node.negated else ''}{one} in {many}`"
                self.expect.wrong(right, at, node.right, left.type.words(), hint or self.one_row_hint(left, scope))
                return t.Lit(False, type=ANY)
        return negate(op("same", (left, right), TRUTH), node.negated)

    def _of_dice(self, node: n.Same, at: Scalar, left: t.Expr, right: t.Expr) -> bool:
        """Report `is` between dice, which asks for neither their faces nor their number; return whether it was
        reported.
        """
        names = {left.type.name, right.type.name}
        if names.isdisjoint(("dice", "faces")) or not names <= {"dice", "faces", *NUMERIC}:
            return False
        if self.expect.report_mixed_dice(node, at, left, right):
            return True
        one, two = at.text[node.left.start : node.left.end], at.text[node.right.start : node.right.end]
        compared = f"{'not ' if node.negated else ''}{one} = {two}"
        hint = f"what dice show and how many there are is compared: `{compared}`"
        fix = Fix(at.at(node.start, node.end), compared, False, f"write `{compared}`")
        dice, where = (left, node.left) if left.type in (DICE, FACES) else (right, node.right)
        self.expect.wrong(dice, at, where, "one thing or one row", hint, fix)
        return True

    def between(self, node: n.Related | n.Banded, of: t.Expr) -> Attribute | None:
        """Return the mark between two things that is tested: `A is locked with B`; None if it is something else."""
        name = node.mark if isinstance(node, n.Related) else node.cell
        if not isinstance(name, n.Path) or len(name.parts) != 1 or of.type.name != "thing":
            return None
        mark = find_attribute(of.type.of, name.parts[0].name)
        return mark if mark is not None and mark.between else None

    def related(self, node: n.Related | n.Banded, mark: Attribute, found: t.Expr, at: Scalar, scope: Scope) -> t.Expr:
        """Return the test `locked with target`: whether the other thing is in `found`."""
        whom = self.other_thing(node, mark, at, scope)
        return with_any(found, whom) if whom is not None else t.Lit(False, type=ANY)

    def other_thing(self, node: n.Related | n.Banded, mark: Attribute, at: Scalar, scope: Scope) -> t.Expr | None:
        """Return the other thing or things of a mark between two; None after reporting a mistake."""
        other = node.other if isinstance(node, n.Related) else node.at
        whom = self.expect.expr(other, at, scope)
        if whom.type.name == "any" or not check_preposition(self.problems, mark, at, node):
            return None
        a, b = whom.type.of, mark.type.of
        if whom.type.name in ("thing", "things") and isinstance(a, Kind) and (a.is_a(b) or b.is_a(a)):
            return whom
        self.expect.wrong(whom, at, other, mark.type.words().replace("several", "one or several"))
        return None

    def one_row_hint(self, rows: t.Expr, scope: Scope) -> str | None:
        """A hint if a whole table is named but a single row was probably meant, and a name for a row is in scope."""
        if not isinstance(rows, t.TableRows):
            return None
        row = Type("row", rows.table)
        candidates = [name for name in scope.known() if (e := scope.name(name)) is not None and e.type == row]
        for card, _ in scope.cards():
            if isinstance(card.type.of, Kind):
                candidates += [a.name for a in card.type.of.all_attributes() if a.type == row]
        return f"`{rows.table.name}` is the whole table; one row of it is `{candidates[0]}`" if candidates else None

    def _related(self, left: t.Expr, right: t.Expr) -> bool:
        a, b = left.type.of, right.type.of
        return isinstance(a, Kind) and isinstance(b, Kind) and (a.is_a(b) or b.is_a(a))

    def _is_flag(self, left: t.Expr, node: n.Node, at: Scalar) -> bool:
        """Whether the node is one word that names a mark or boolean of `left`."""
        one = isinstance(node, n.Path) and len(node.parts) == 1 and node.parts[0].args is None
        return one and self._flag(left, node.parts[0], at) is not None  # type: ignore[attr-defined]

    def _flag(self, left: t.Expr, word: n.Part, at: Scalar) -> t.Expr | None:
        """The test of a mark or boolean of `left` (`weapon is small`, `unit is guarding`); None if the word is not one.
        """
        if left.type.name == "row":
            table: Table = left.type.of
            if word.name in table.rows:
                return op("same", (left, t.Lit(table.rows[word.name].index, type=left.type)), TRUTH)
            if word.name in table.marks:
                return t.Cell(left, table, table.marks[word.name], type=TRUTH)
            if word.name in table.columns and table.columns[word.name].type == TRUTH:
                return t.Cell(left, table, table.columns[word.name], type=TRUTH)
        if left.type.name in ("thing", "figure"):
            attribute = find_attribute(left.type.of, word.name)
            if attribute is not None and attribute.type == TRUTH:
                return t.Attr(left, attribute, type=TRUTH)
            if attribute is not None and attribute.between:
                return op("any-of", (self.members.with_whom(left, attribute),), TRUTH)
            value = self.book.values.get(word.name)
            if value is not None and value.subject is not None and fits(left.type.of, value.subject):
                made = self.members.call_value(left, value, (), at, word)
                if made.type == TRUTH:
                    return made
        return None

    def isa(self, node: n.IsA, at: Scalar, scope: Scope) -> t.Expr:
        left = self.expect.expr(node.left, at, scope)
        kind = self.is_a_kind(node.kind, at)
        if kind is None or left.type.name == "any":
            return t.Lit(False, type=ANY)
        if left.type.name not in ("thing", "figure"):
            self.expect.wrong(left, at, node.left, "one thing")
            return t.Lit(False, type=ANY)
        return negate(t.IsKind(left, kind, type=TRUTH), node.negated)

    def member_of(self, node: n.Member, at: Scalar, scope: Scope) -> t.Expr:
        right = self.expect.expr(node.right, at, scope)
        item = item_type(right.type) if right.type.many else None
        left = self.expect.expr(node.left, at, scope, item)
        if "any" in (left.type.name, right.type.name):
            return t.Lit(False, type=ANY)
        if item is None:
            self.expect.wrong(right, at, node.right, "several things")
            return t.Lit(False, type=ANY)
        if common(left.type, item) is None:
            self.expect.wrong(left, at, node.left, item.words())
            return t.Lit(False, type=ANY)
        if item.name == "figure":
            return self._report_indistinct(node, at, "in")
        return negate(op("in", (left, right), TRUTH), node.negated)

    def _report_indistinct(self, node: n.Same | n.Member, at: Scalar, word: str, items: n.Expr | None = None) -> t.Expr:
        """Report a test for the identity of figures: equal figures are only counted and cannot be distinguished."""
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

    def quantified(self, node: n.Quantified, at: Scalar, scope: Scope) -> t.Expr:
        e = self.expect.expr(node.items, at, scope)
        if e.type.name == "any":
            return t.Lit(False, type=ANY)
        if (one := self.one_row_hint(e, scope)) is not None:  # the test would always be true, because a table has rows
            self.expect.wrong(e, at, node.items, "one row", one)
            return t.Lit(False, type=ANY)
        if isinstance(e, t.Lit) and e.type.name == "row":
            text = at.text[node.items.start : node.items.end]
            self.expect.wrong(
                e, at, node.items, "several things", f"it is always there: say what is to be it, `… is {text}`"
            )
            return t.Lit(False, type=ANY)
        if e.type.many:
            made = op("any-of", (e,), TRUTH)
        elif e.type.name in ("row", "thing", "figure", "dicecell", "bands", "none") or self.may_be_none(e):
            made = op("not", (op("absent", (e,), TRUTH),), TRUTH)
        else:
            text = at.text[node.items.start : node.items.end]
            if e.type.name in NUMERIC:
                more = '> 0"' if e.type == INCHES else "> 0"
                asked = f"`{text} is not none`" if node.some else f"`{text} is none`"
                compared = f"`{text} {more}`" if node.some else f"`{text} = 0`"
                span, instead = at.at(node.start, node.end), compared.strip("`")
                fix = Fix(span, instead, False, f"write {compared}")
                self.expect.wrong(
                    e, at, node.items, "several things", f"say {compared}, or {asked} where it may be empty", fix
                )
                return t.Lit(False, type=ANY)
            self.expect.wrong(e, at, node.items, "several things")
            return t.Lit(False, type=ANY)
        return negate(made, not node.some)

    def may_be_none(self, e: t.Expr) -> bool:
        """Return whether a number may be missing, such as a table cell or an optional attribute."""
        match e:
            case t.Lit():
                return e.value is None
            case t.Cell():
                return e.type.name in NUMERIC
            case t.Attr():
                return e.attribute.optional
            case t.FactOf():
                return e.fact.optional
            case t.IfElse():
                return self.may_be_none(e.value) or self.may_be_none(e.other)
            case t.CallValue():
                return e.type == TARGET or self.definitions.pure(e.value).may_be_none
        return False

    def every(self, node: n.Every, at: Scalar, scope: Scope) -> t.Expr:
        """Return the test whether there are items and the condition holds for each; false for an empty collection."""
        items = self.expect.collection(node.items, at, scope)
        if items.type.name == "any":
            return t.Lit(False, type=ANY)
        variable = t.Variable("it", item_type(items.type))
        card = t.Var(variable, type=variable.type)
        inner = Scope(scope, {"it": card}, card=card, card_name="it", pure=True)
        condition = self.expect.truth(node.condition, at, inner)
        return op("every", (t.Filter(items, variable, condition, type=items.type),), TRUTH)

    def where(self, node: n.Where, at: Scalar, scope: Scope) -> t.Expr:
        items = self.expect.collection(node.items, at, scope)
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
        if (thrown := _final_throw(node.condition)) is not None:
            self._report_throw_in_filter(node, thrown, at)
            return t.Lit((), type=ANY)
        asked = node.condition
        if isinstance(asked, n.Same | n.Member) and variable.type.name == "figure" and _is_name(asked.left, name):
            if not self._is_flag(card, asked.right, at) and self.expect.expr(
                asked.right, at, inner, variable.type
            ).type.name in ("figure", "figures"):
                return self._report_indistinct(asked, at, "is" if isinstance(asked, n.Same) else "in", node.items)
        condition = self.expect.truth(asked, at, inner)
        return t.Filter(items, variable, condition, type=of)

    def _report_throw_in_filter(self, node: n.Where, thrown: n.Counting, at: Scalar) -> None:
        """Report `figures where C passing R`: the filter must be in parentheses before the throw."""
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
        """The value that `least` or `most` compares: a row or a number."""
        value = self.expect.expr(node.value, at, scope, NUMBER if sums(node.value) else None)
        return value if value.type.name in ("row", "any") else self.expect.as_number(value, at, node.value)

    def extreme(self, node: n.Extreme, at: Scalar, scope: Scope) -> t.Expr:
        """Report `least` or `most` outside a `where`, where there is nothing to compare with."""
        word = "most" if node.most else "least"
        text = at.text[node.value.start : node.value.end]
        before = at.text[: node.start]
        if before.rfind("usually") > before.rfind("where"):  # a preference is evaluated for each thing by itself
            inch = '"' if self.expect.expr(node.value, at, scope).type.name == "inches" else ""
            first, second = (2, 1) if node.most else (1, 2)
            hint = (
                f"`usually` asks each by itself: look for them before it, `from (… where {text} is {word})`; or say "
                f"what is wished first, then what is next, as `{text} = {first}{inch}, {text} = {second}{inch}`"
            )
        else:
            hint = f"say `(things where …) where {text} is {word}`"
        self.problems.add("P017", at.at(node.start, node.end), word=word, hint=hint)
        return t.Lit(False, type=ANY)


def common(a: Type, b: Type) -> Type | None:
    """Return the type of members that two item types share; None if nothing can be both."""
    if a == b:
        return a
    if a.name != b.name or not isinstance(a.of, Kind) or not isinstance(b.of, Kind):
        return None
    kind = next((k for k in a.of.lineage() if b.of.is_a(k)), None)
    return Type(a.name, kind) if kind is not None else None


def wrong_units(problems: Problems, node: n.Calc | n.Compare, at: Scalar, a: Type, b: Type) -> None:
    """Report that a calculation or comparison mixes inches with another type (T002). If one operand is a literal, the
    fix is that literal in the unit of the other.
    """
    hint, fix = 'inches are written `6"`', None
    for plain, other in ((node.right, a), (node.left, b)):
        if isinstance(plain, n.Number) and other == INCHES:
            instead = f'{plain.value}"'
        elif isinstance(plain, n.Inches) and other != INCHES:
            instead, hint = str(plain.value), "a number is written without the sign of inches"
        else:
            continue
        fix = Fix(at.at(plain.start, plain.end), instead, False, f"write `{instead}`")
    problems.add(
        "T002",
        at.at(node.start, node.end),
        left=a.words(),
        right=b.words(),
        label=f"{a.words()} {node.op} {b.words()}",
        hint=hint,
        fix=fix,
    )


def _is_name(node: n.Node, name: str) -> bool:
    """Whether the node is exactly this name."""
    return isinstance(node, n.Path) and len(node.parts) == 1 and node.parts[0].name == name


def _final_throw(node: n.Node) -> n.Counting | None:
    """The throw at the end of a condition, if there is one: `able and armed passing shooting`."""
    while isinstance(node, n.And | n.Or | n.Not):
        node = node.inner if isinstance(node, n.Not) else node.right
    return node if isinstance(node, n.Counting) else None
