"""Checks expressions against an expected type: boolean, number, collection, or a type to convert to.

Input: syntax or typed expressions, and the expected type. Output: expressions of that type, or a typed hole (`ANY`) and
one problem. It does not know how each kind of expression is checked.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from interpreter.document.nodes import Scalar
from interpreter.language import nodes as n
from interpreter.source import Fix, Problems
from interpreter.vocabulary.types import ANY, DICE, FACES, INCHES, NONE, NUMBER, TRUTH, Type

from . import typed as t
from .construct import NUMERIC, absent, coerced, op, untyped, zero
from .dice_names import DiceNames
from .marks_between import is_others
from .scope import Scope
from .symbols import Kind, Table

Check = Callable[[n.Node, Scalar, Scope, Type | None], t.Expr]


class ExpectedTypes:
    """`check` checks any expression; it takes the expected type only as a hint."""

    def __init__(self, problems: Problems, dice: DiceNames, check: Check) -> None:
        self.problems, self.dice = problems, dice
        self._check = check

    def expr(self, node: n.Node, at: Scalar, scope: Scope, want: Type | None = None) -> t.Expr:
        """Check an expression of any type."""
        return self._check(node, at, scope, want)

    def truth(self, node: n.Node, at: Scalar, scope: Scope, behind: n.And | n.Or | None = None) -> t.Expr:
        """Check a boolean expression; `behind` is the `and` or `or` whose right operand it is."""
        e = self.expr(node, at, scope, TRUTH)
        if e.type in (TRUTH, ANY):
            return e
        if is_others(e):
            return op("any-of", (e,), TRUTH, e.where)
        hint = None
        text = at.text[node.start : node.end]
        if behind is not None and (again := repeated_comparison(behind, e, at)) is not None:
            hint = f"say it whole: `{again}`"
        elif isinstance(e, t.Lit) and e.type.name == "row":
            hint = f"say what is to be it: `… is {text}`"
        elif (counted := counted_where_hint(node, at)) is not None:
            hint = counted
        elif e.type.many or e.type.name in ("row", "thing", "figure"):
            hint = f"say `any {text}` or `no {text}`"
        elif e.type.name in NUMERIC:
            hint = f"compare it with something, such as `{text} > 0`"
        elif isinstance(e, t.RollOf):
            hint = thrown_hint(text)
        self.wrong(e, at, node, "yes or no", hint)
        return untyped(e)

    def number(self, node: n.Node, at: Scalar, scope: Scope, want: Type = NUMBER) -> t.Expr:
        """Check a number; a collection is counted, dice are summed."""
        return self.as_number(self.expr(node, at, scope, want), at, node)

    def as_number(self, e: t.Expr, at: Scalar, node: n.Node, *, words: str = "a number") -> t.Expr:
        if e.type.name in NUMERIC or e.type is ANY or e.type.name == "any":
            return e
        if e.type.name in ("things", "figures", "rows", "faces"):
            return op("count", (e,), NUMBER, e.where)
        if e.type == DICE:
            return op("sum-faces", (e,), NUMBER, e.where)
        if e.type == NONE:
            return e
        hint = None
        if e.type.name == "row" and isinstance(e.type.of, Table):
            numbers = [c for c, column in e.type.of.columns.items() if column.type.name in NUMERIC]
            hint = "say which column: " + " or ".join(f"`….{c}`" for c in numbers) if numbers else None
        elif e.type.name == "list":
            asks = "say `max(…)`, `min(…)`, `sum(…)` or `most-common(…)` of it, or count some with `… where …`"
            hint = f"it has one for each: {asks}"
        elif isinstance(e, t.RollOf):
            hint = thrown_hint(at.text[node.start : node.end])
        elif e.type.name == "thing" and isinstance(e.type.of, Kind):
            text = at.text[node.start : node.end]
            asked = [f"`{text}.{a.name}`" for a in e.type.of.all_attributes() if a.type.name in NUMERIC]
            hint = "ask a number of it, such as " + " or ".join(asked[:3]) if asked else None
        self.wrong(e, at, node, words, hint)
        return untyped(e)

    def no_roll(self, e: t.Expr, at: Scalar, node: n.Node) -> t.Expr:
        """Return `e`; if it is a roll without a throw, report it and return a hole."""
        if not isinstance(e, t.RollOf):
            return e
        self.wrong(e, at, node, "something that a line can be worth", thrown_hint(at.text[node.start : node.end]))
        return untyped(e)

    def report_mixed_dice(self, node: n.Node, at: Scalar, *parts: t.Expr) -> bool:
        """Report an expression that mixes the values of dice with the number of dice; return whether it does."""
        if (dice := self.dice.added_to_a_count(parts)) is None:
            return False
        text = dice.where.text if dice.where is not None else "dice"
        some = isinstance(dice, t.Var)
        left = f"; those left of a throw are `{text} where not …`" if some and isinstance(node, n.Calc) else ""
        many = f"; how many they are is `{text} where it > 0`" if some and not left else ""
        hint = f"if it is what they show that counts, say `sum({text})`{left}{many}"
        self.problems.add("D012", at.at(node.start, node.end), hint=hint)
        return True

    def collection(self, node: n.Node, at: Scalar, scope: Scope) -> t.Expr:
        """Check a collection; one thing or figure becomes a collection of one, dice their faces."""
        e = self.expr(node, at, scope)
        if e.type.many or e.type.name == "any":
            return e
        if e.type == DICE:
            return op("faces", (e,), FACES, e.where)
        if e.type.name in ("thing", "figure"):
            return op("only", (e,), Type("things" if e.type.name == "thing" else "figures", e.type.of), e.where)
        hint = None
        if isinstance(node, n.Quantified):
            word = "any" if node.some else "no"
            hint = f"put what `{word}` speaks of in brackets: `{word} (… where …)`"
        elif e.type == NUMBER and isinstance(e, t.Var):
            hint = "a number has no parts: a throw has faces where its line says how many dice, as `3 dice`"
        elif e.type == NUMBER:
            hint = "a number has nobody in it: name those that it counts, such as `figures`"
        elif e.type.name == "row":
            hint = f"there is one of it: ask `{at.text[node.start : node.end]} is …`"
        self.wrong(e, at, node, "several things", hint)
        return t.Lit((), type=Type("any"))

    def wrong(
        self, e: t.Expr, at: Scalar, node: n.Node, wanted: str, hint: str | None = None, fix: Fix | None = None
    ) -> None:
        """Report a type mismatch, unless the type is `any`."""
        if e.type.name == "any":
            return
        span = at.at(node.start, node.end)
        self.problems.add(
            "T001", span, found=e.type.words(), wanted=wanted, label=f"this is {e.type.words()}", hint=hint, fix=fix
        )

    def unify(self, one: t.Expr, two: t.Expr, at: Scalar, node: n.Node) -> Type:
        """Return the common type of two branches; `any` after reporting that there is none."""
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
        if {a.name, b.name} <= {"number", "figures", "things", "dice", "faces", "target"}:
            return NUMBER
        self.wrong(two, at, node, a.words(), single_item_hint(two, a))
        return ANY

    def arguments(self, params: tuple[Any, ...], part: n.Part, at: Scalar, scope: Scope) -> tuple[t.Expr, ...]:
        given = part.args or ()
        if len(given) != len(params):
            wanted = ", ".join(p.name for p in params) or "nothing"
            found = ", ".join(at.text[g.start : g.end] for g in given) or "nothing"
            hint = f"say `{part.name}({wanted})`" if params else f"say `{part.name}`"
            self.problems.add(
                "T007", at.at(part.start, part.end), name=part.name, wanted=wanted, found=found, hint=hint
            )
            return tuple(t.Lit(0, type=ANY) for _ in params)
        return tuple(self.argument(p.type, g, at, scope) for p, g in zip(params, given, strict=True))

    def argument(self, wanted: Type, node: n.Node, at: Scalar, scope: Scope) -> t.Expr:
        e = self.expr(node, at, scope, wanted)
        if wanted.name == "number":
            return self.as_number(e, at, node)
        if wanted.name == "figures" and e.type.name == "figure":
            return op("only", (e,), Type("figures", e.type.of), e.where)
        if e.type == NONE:  # a parameter is never absent: it gets the null value of its type
            return t.Lit(absent(wanted), type=wanted)
        return self.fitting(e, wanted, at, node)

    def fitting(self, e: t.Expr, wanted: Type, at: Scalar, node: n.Node) -> t.Expr:
        """Return `e` converted to the type `wanted`; a hole after reporting that it cannot be."""
        got = e.type
        if "any" in (got.name, wanted.name) or got == wanted:
            return e
        if got == NONE:
            return coerced(e, wanted)
        if got.name == wanted.name and isinstance(got.of, Kind) and isinstance(wanted.of, Kind):
            if got.of.is_a(wanted.of) or wanted.of.is_a(got.of):
                return e
        elif wanted.name in ("number", "target") and got.name in ("number", "target"):
            return e
        elif (wanted == NUMBER and (got.many or got == DICE)) or (wanted == INCHES and (zero(e) or got == DICE)):
            return self.as_number(e, at, node)
        if wanted == INCHES and isinstance(node, n.Number):
            span = at.at(node.start, node.end)
            fix = Fix(span, f'{node.value}"', False, f'write `{node.value}"`')
            self.wrong(e, at, node, wanted.words(), f'inches are written `{node.value}"`', fix)
        else:
            self.wrong(e, at, node, wanted.words(), single_item_hint(e, wanted))
        return t.Lit(0, type=ANY)


def thrown_hint(text: str) -> str:
    """Return the hint for a roll where the result of a throw is needed."""
    lines = f"`made: … passes {text}` or `many: 3 passing {text}`"
    throws = f"a line of a procedure throws it, {lines}, and others speak of that line"
    return f"{throws}; the number that it needs is `{text}.needed`"


def single_item_hint(e: t.Expr, wanted: Type) -> str | None:
    """Return a hint on how to get the single wanted item from an expression that has several, or that contains it."""
    one = wanted.name in ("row", "thing", "figure")
    if wanted.name == e.type.name == "record":
        return "two procedures, two things that come of them: each call is a line of its own, below its case"
    if one and e.type.name == "list" and e.type.of == wanted:
        often = " or `most-common(…)`" if wanted.name == "row" else ""
        ask = "`max(…)`, `min(…)`" + often if wanted.name == "row" else "`first(…)`"
        return f"there is one for each of them: say which, as with {ask}"
    if one and e.type.name == wanted.name + "s":
        return "say which of them: `first(…)`, or let somebody pick 1 from them in a line of its own"
    if wanted.name == "row" and e.type.name in ("thing", "figure") and isinstance(e.type.of, Kind):
        found = [a.name for a in e.type.of.all_attributes() if a.type == wanted]
        return f"say which of its words: `….{found[0]}`" if found else None
    return None


def repeated_comparison(node: n.And | n.Or, e: t.Expr, at: Scalar) -> str | None:
    """Return `arm is gun or bow` rewritten with the comparison repeated for the second operand; None if it does not
    apply.
    """
    first = node.left
    while isinstance(first, n.And | n.Or):
        first = first.right
    if isinstance(first, n.Same) and e.type.name in ("row", "thing", "figure"):
        asked = "is not" if first.negated else "is"
    elif isinstance(first, n.Compare) and e.type.name in NUMERIC:
        asked = first.op
    else:
        return None
    word = "or" if isinstance(node, n.Or) and asked != "is not" else "and"
    one, two = at.text[first.start : first.end], at.text[node.right.start : node.right.end]
    return f"{one} {word} {at.text[first.left.start : first.left.end]} {asked} {two}"


def counted_where_hint(node: n.Node, at: Scalar) -> str | None:
    """Return a hint for `figures where slow = 2` as a condition: parentheses make it compare the count."""
    if not isinstance(node, n.Where) or not isinstance(node.condition, n.Compare):
        return None
    end = node.condition.left.end
    return f"what is counted stands in brackets: `({at.text[node.start : end]}){at.text[end : node.end]}`"


def sums(node: n.Node) -> bool:
    """Return whether a node is a sum or difference, so that it counts collections where a number is expected."""
    while isinstance(node, n.Group) and not node.parts:
        node = node.inner
    return isinstance(node, n.Calc) or (isinstance(node, n.Either) and (sums(node.value) or sums(node.other)))
