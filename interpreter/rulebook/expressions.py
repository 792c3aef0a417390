"""Type-checks expressions: syntax in, typed expressions out, with names resolved and units checked.

Input: a node, the scalar that it was parsed from, a scope. Output: a typed expression; mistakes become problems and a
typed hole (`ANY`), so that each is reported once. It does not know steps or how dice are thrown.
"""

from __future__ import annotations

from interpreter.document.nodes import Scalar
from interpreter.language import nodes as n
from interpreter.source import Fix, Problems
from interpreter.source.values import replace
from interpreter.vocabulary.operations import ARITHMETIC
from interpreter.vocabulary.types import ANY, DICE, FACES, INCHES, NONE, NUMBER, TARGET, TRUTH, Type

from . import typed as t
from .checked_definitions import CheckedDefinitions
from .conditions import Conditions, common, wrong_units
from .construct import NUMERIC, absent, coerced, op, zero
from .declarations import int_if_whole
from .environment import Environment
from .expected_types import ExpectedTypes, sums
from .marks_between import is_others, mark_of
from .members import Members
from .names import Names
from .questions import Questions
from .scope import Cards, Scope
from .symbols import Where
from .unknown_names import UnknownNames


class Expressions:
    """The check of every expression of one book; its parts share one environment."""

    def __init__(self, env: Environment, definitions: CheckedDefinitions) -> None:
        self.env, self.definitions = env, definitions
        self.problems, self.dice = env.problems, env.dice
        self.expect = ExpectedTypes(env.problems, env.dice, self.expr)
        self.unknown = UnknownNames(env.book, env.problems, Cards(env.book))
        self.members = Members(env, definitions, self.expect, self.unknown)
        self.names = Names(env, self.expect, self.members)
        self.questions = Questions(env, self.expect, self.members)
        self.conditions = Conditions(env, self.expect, self.members)

    def telling(self, problems: Problems) -> Expressions:
        """Return the same checker, reporting to `problems`."""
        return Expressions(replace(self.env, problems=problems), self.definitions)

    def expr(self, node: n.Node, at: Scalar, scope: Scope, want: Type | None = None) -> t.Expr:
        """Return the typed expression; `want` is the expected type, which resolves words with several meanings."""
        result = self._check_node(node, at, scope, want)
        return result if result.where is not None else t.placed(result, Where(at, node.start, node.end))

    def _check_node(self, node: n.Node, at: Scalar, scope: Scope, want: Type | None) -> t.Expr:
        match node:
            case n.Path():
                return self.names.path(node, at, scope, want)
            case n.Number():
                return t.Lit(node.value, type=NUMBER)
            case n.Compare():
                return self.conditions.compare(node, at, scope)
            case n.And() | n.Or():
                left = self.expect.truth(node.left, at, scope)
                right = self.expect.truth(node.right, at, scope, node)
                return op("and" if isinstance(node, n.And) else "or", (left, right), TRUTH)
            case n.Calc():
                return self._calc(node, at, scope, want)
            case n.Same():
                return self.conditions.same(node, at, scope)
            case n.Not():
                return op("not", (self.expect.truth(node.inner, at, scope),), TRUTH)
            case n.Where():
                return self.conditions.where(node, at, scope)
            case n.Quantified():
                return self.conditions.quantified(node, at, scope)
            case n.Group():
                inner = self.expr(node.inner, at, scope, want if not node.parts else None)
                return self.members.follow(inner, node.parts, at, scope)
            case n.Either():
                return self._either(node, at, scope, want)
            case n.Inches():
                return t.Lit(int_if_whole(node.value), type=INCHES)
            case n.Target():
                return t.Lit(node.value, type=TARGET)
            case n.Truth():
                return t.Lit(node.value, type=TRUTH)
            case n.Absent():
                someone = want is not None and want.name in ("row", "thing", "figure")
                return t.Lit(absent(want), type=want) if want is not None and someone else t.Lit(None, type=NONE)
            case n.Dice():
                return self.questions.dice(node, at, scope)
            case n.Pool():
                return self.questions.pool(node, at, scope)
            case n.Barred():
                return self.questions.barred(node, at, scope)
            case n.Counting():
                return self.questions.counting(node, at, scope)
            case n.Tests():
                return self.questions.tests(node, at, scope)
            case n.Lots():
                return self.questions.lots(node, at, scope)
            case n.Wishes():
                return self.questions.wishes(node, at, scope)
            case n.Member():
                return self.conditions.member_of(node, at, scope)
            case n.IsA():
                return self.conditions.isa(node, at, scope)
            case n.Every():
                return self.conditions.every(node, at, scope)
            case n.Extreme():
                return self.conditions.extreme(node, at, scope)
            case n.Banded():
                return self._banded(node, at, scope)
            case n.Related():
                return self._related(node, at, scope)
            case n.Made():
                self.problems.add("P005", at.at(node.start, node.end), label="a thing is made in a line of its own")
                return t.Lit(-1, type=ANY)
            case _:
                raise TypeError(f"no check for {type(node).__name__}")

    def _calc(self, node: n.Calc, at: Scalar, scope: Scope, want: Type | None) -> t.Expr:
        pool = node.right.dice if isinstance(node.right, n.Barred) else node.right
        if isinstance(pool, n.Pool) and not _throws(node.left):
            return self._refuse_dice_of_a_sum(node, pool, at)
        left, right = self._check_operands(node.left, node.right, at, scope, NUMBER if node.op in "*/" else want)
        if "any" in (left.type.name, right.type.name):
            return t.Lit(0, type=ANY)
        if want is not NUMBER and node.op in "+-":
            left, right = self._as_faces(left, right)
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
            if node.op == "-" and other.type == FACES and self._differ_in_throw(put, other):
                return self._refuse_two_throws(node, at)
            if put.type.name != "list" and (both := common(put.type, other.type)) is not None:
                return op("join", (put, other), both) if node.op == "+" else op("without", (put, other), put.type)
        left = self.expect.as_number(left, at, node.left)
        right = self.expect.as_number(right, at, node.right)
        a, b = left.type, right.type
        if "any" in (a.name, b.name):
            return t.Lit(0, type=ANY)
        name = ARITHMETIC[node.op]
        if node.op in "+-":
            if self.expect.report_mixed_dice(node, at, left, right):
                return t.Lit(0, type=ANY)
            if {a.name, b.name} == {"inches", "number"} and not (zero(left) or zero(right)):
                wrong_units(self.problems, node, at, a, b)
                return t.Lit(0, type=ANY)
            type_ = INCHES if "inches" in (a.name, b.name) else NUMBER
            if a == TARGET or (b == TARGET and node.op == "+"):  # `7 - 4+` is a difference, a number
                type_ = NUMBER if b == TARGET and node.op == "-" else TARGET
        else:
            if a == INCHES and b == INCHES and node.op == "/":
                type_ = NUMBER
            elif a == INCHES and b == INCHES:
                wrong_units(self.problems, node, at, a, b)
                return t.Lit(0, type=ANY)
            else:
                type_ = INCHES if "inches" in (a.name, b.name) else NUMBER
        return op(name, (left, right), type_)

    def _check_operands(
        self, one: n.Node, two: n.Node, at: Scalar, scope: Scope, want: Type | None
    ) -> tuple[t.Expr, t.Expr]:
        """Check two operands, each with the other as its context."""
        if sums(one):
            right = self.expr(two, at, scope, want)
            return self._check_operand(right, one, at, scope, want), right
        left = self.expr(one, at, scope, want)
        return left, self._check_operand(left, two, at, scope, want)

    def _check_operand(self, other: t.Expr, node: n.Node, at: Scalar, scope: Scope, want: Type | None) -> t.Expr:
        """Check an operand next to `other`: a sum of collections is counted beside a number or a throw of dice."""
        counted = sums(node) and other.type.name in NUMERIC
        found = self.expr(node, at, scope, NUMBER if counted else want)
        if sums(node) and other.type == DICE and found.type.name in ("things", "figures", "rows"):
            return self.expr(node, at, scope, NUMBER)
        return found

    def _refuse_unlike(self, node: n.Node, at: Scalar, one: t.Expr, two: t.Expr, counted: str) -> t.Expr:
        a, b = one.type.words(), two.type.words()
        several = one.type.many and two.type.many
        hint = f"if it is how many that counts, say `{counted}`" if several else None
        self.problems.add("T014", at.at(node.start, node.end), left=a, right=b, label=f"{a}, and {b}", hint=hint)
        return t.Lit(0, type=ANY)

    def _refuse_two_throws(self, node: n.Calc, at: Scalar) -> t.Expr:
        operands = [f"`{at.text[part.start : part.end]}`" for part in (node.left, node.right)]
        counted = f"0 + {at.text[node.start : node.end]}"
        hint = f"none of these dice are among those; if it is how many that counts, say `{counted}`"
        place = at.at(node.start, node.end)
        self.problems.add("T014", place, left=operands[0], right=operands[1], label="dice of two throws", hint=hint)
        return t.Lit(0, type=ANY)

    def _refuse_dice_of_a_sum(self, node: n.Calc, pool: n.Pool, at: Scalar) -> t.Expr:
        """Report `n + 1 dice`, which could mean (n + 1) dice, or n + (1 dice)."""
        left, number = at.text[node.left.start : pool.start], at.text[pool.count.start : pool.count.end]
        thrown, beside = f"({left}{number}) dice", f"{left}({at.text[pool.start : pool.end]})"
        hint = f"say `{thrown}` to throw so many, or `{beside}` to throw `{number}` and reckon with what they show"
        self.problems.add("D013", at.at(node.start, pool.end), said=at.text[node.start : pool.end], hint=hint)
        return t.Lit(0, type=ANY)

    def _as_faces(self, one: t.Expr, two: t.Expr) -> tuple[t.Expr, t.Expr]:
        """Convert dice to faces if the other operand was selected from them."""
        if {one.type, two.type} != {DICE, FACES} or (dice := self.dice.dice_of(one)) is None:
            return one, two
        if dice is not self.dice.dice_of(two):
            return one, two
        made = [op("faces", (e,), FACES, e.where) if e.type == DICE else e for e in (one, two)]
        return made[0], made[1]

    def _differ_in_throw(self, these: t.Expr, those: t.Expr) -> bool:
        """Whether some of `those` dice come from a throw that `these` do not."""
        one, two = (e.args[0] if isinstance(e, t.Op) and e.name == "faces" else e for e in (these, those))
        if isinstance(one, t.Field) and isinstance(two, t.Field) and one.record == two.record:
            lines = self.definitions.lines_of(one.procedure)
            known = [self.dice.throws.get(lines[field.address], set()) for field in (one, two)]
            return not known[1] <= known[0]
        return not self.dice.throws_of(two) <= self.dice.throws_of(one)

    def _either(self, node: n.Either, at: Scalar, scope: Scope, want: Type | None) -> t.Expr:
        condition = self.expect.truth(node.condition, at, scope)
        if sums(node.value):
            value = self._check_operand(self.expr(node.other, at, scope, want), node.value, at, scope, want)
        else:
            value = self.expr(node.value, at, scope, want)
        other = self._check_operand(value, node.other, at, scope, value.type)
        if want is not NUMBER and _unlike(value.type, other.type):
            one, condition_said, two = [at.text[x.start : x.end] for x in (node.value, node.condition, node.other)]
            return self._refuse_unlike(node, at, value, other, f"0 + {one} if {condition_said} else 0 + {two}")
        type_ = self.expect.unify(value, other, at, node.other)
        value, other = coerced(value, type_), coerced(other, type_)
        if self.expect.report_mixed_dice(node, at, value, other):
            return t.Lit(0, type=ANY)
        return t.IfElse(condition, value, other, type=type_)

    def _banded(self, node: n.Banded, at: Scalar, scope: Scope) -> t.Expr:
        name = node.cell.parts[0] if isinstance(node.cell, n.Path) and len(node.cell.parts) == 1 else None
        roll = self.unknown.book.rolls.get(name.name) if name is not None and name.args is None else None
        if roll is not None and roll.params:
            instead = f"{at.text[node.cell.start : node.cell.end]}({at.text[node.at.start : node.at.end]})"
            fix = Fix(at.at(node.start, node.end), instead, False, f"write `{instead}`")
            self.problems.add("T006", at.at(node.cell.start, node.cell.end), hint="brackets hold what it asks", fix=fix)
            return t.Lit(0, type=ANY)
        cell = self.expr(node.cell, at, scope)
        if isinstance(cell, t.Filter) and is_others(cell):
            return self.conditions.related(node, mark_of(cell), cell, at, scope)
        where = self.expr(node.at, at, scope)
        if "any" in (cell.type.name, where.type.name):
            return t.Lit(0, type=ANY)
        if not isinstance(cell, t.Cell) or cell.column.by is None:
            self.problems.add(
                "T006", at.at(node.cell.start, node.cell.end), hint="only a column written `X by Y` is near and far"
            )
            return t.Lit(0, type=ANY)
        if where.type != INCHES:
            self.expect.wrong(where, at, node.at, "a distance in inches")
        return t.BandAt(cell.row, cell.table, cell.column, where, type=NUMBER)

    def _related(self, node: n.Related, at: Scalar, scope: Scope) -> t.Expr:
        """`locked with target`: a mark between two things, of the current card or of a subject before a dot."""
        found = self.expr(node.mark, at, scope)
        if isinstance(found, t.Filter) and is_others(found):
            return self.conditions.related(node, mark_of(found), found, at, scope)
        if found.type.name != "any":
            text = at.text[node.mark.start : node.mark.end]
            span = at.at(node.start, node.end)
            hint = f"only a mark between two is said so: `mark {text} of … {node.word} …`"
            self.problems.add("T018", span, mark=text, word=node.word, label="no mark between two", hint=hint)
        return t.Lit(False, type=ANY)


def _unlike(a: Type, b: Type) -> bool:
    return a.many and b.many and "list" not in (a.name, b.name) and common(a, b) is None


def _throws(node: n.Node) -> bool:
    """Whether a sum ends in dice, so that a number before `dice` counts only the next throw."""
    return isinstance(node, n.Pool | n.Barred) or (isinstance(node, n.Calc) and _throws(node.right))
