"""What a sentence is worth: a value, a number, yes or no."""

from __future__ import annotations

import operator
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from interpreter.language import nodes as n
from interpreter.source.values import is_value, parts

from . import Unsupported
from .names import Names
from .scopes import MISSING, Scope, settled
from .state import NotRun
from .things import (
    NOT_RUN,
    DiceCell,
    Faces,
    Inches,
    Linked,
    Many,
    MarkName,
    Option,
    Row,
    Shots,
    Thing,
    Word,
    empty,
    holds,
    minus,
    plus,
    row_beside,
    same,
)
from .trees import Wrong

_COMPARE = {"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge, "=": operator.eq}


def tidy(number: Any) -> Any:
    if isinstance(number, Fraction) and number.denominator == 1:
        return int(number)
    return number


_ASKS = (n.Dice, n.Pool, n.Counting, n.Lots, n.Made, n.Wishes, n.Tests, n.Pick, n.PickNumber)


def throws(node: Any) -> bool:
    """Whether it is dice, or a sum in which dice stand."""
    while isinstance(node, n.Group) and not node.parts:
        node = node.inner
    if isinstance(node, n.Calc):
        return throws(node.left) or throws(node.right)
    return isinstance(node, n.Dice | n.Pool | n.Barred)


def inside(node: Any) -> Iterator[Any]:
    """A sentence, and all that it is made of."""
    yield node
    for part in node if isinstance(node, tuple) else parts(node) if is_value(node) else ():
        yield from inside(part)


class Expressions(Names):
    # ---- values
    def value(self, node: Any, scope: Scope) -> Any:
        """What a sentence comes to, as a plain value."""
        found = settled(getattr(self, "v_" + type(node).__name__.lower())(node, scope))
        if found is NOT_RUN and self.asking:
            raise NotRun
        return found

    def v_number(self, node: n.Number, scope: Scope) -> Any:
        return node.value

    v_target = v_number

    def v_inches(self, node: n.Inches, scope: Scope) -> Any:
        return Inches(Fraction(node.value))

    def v_truth(self, node: n.Truth, scope: Scope) -> Any:
        return node.value

    def v_absent(self, node: n.Absent, scope: Scope) -> Any:
        return None

    def v_path(self, node: n.Path, scope: Scope) -> Any:
        return self.path(node, scope)

    def v_group(self, node: n.Group, scope: Scope) -> Any:
        value = self.value(node.inner, scope)
        for part in node.parts:
            value = self.part_of(value, part, scope)
        return value

    def v_dice(self, node: n.Dice, scope: Scope) -> Any:
        return self.throw(node.count, node.sides, inches=node.inches)

    def v_pool(self, node: n.Pool, scope: Scope) -> Any:
        count = self.value(node.count, scope)
        if isinstance(count, Shots):
            count = count.cell
        if isinstance(count, DiceCell):
            return self.throw(count.count, count.sides, plus=count.plus)
        sides = next(iter(self.book.dice.values())).die.sides
        return self.throw(self.whole(self.as_number(count)), sides)

    def v_barred(self, node: n.Barred, scope: Scope) -> Any:
        barred = self.number(node.face, scope)
        if not isinstance(node.dice, n.Dice):
            raise Wrong("only dice may be `except` a face")
        return self.throw(node.dice.count, node.dice.sides, barred=(barred,), inches=node.dice.inches)

    def v_related(self, node: n.Related, scope: Scope) -> bool:
        """`locked with target`: among those with whom the mark is borne, is any of these."""
        found = self.value(node.mark, scope)
        if not isinstance(found, Linked):
            raise Wrong("that is no mark between two")
        return any(holds(found.items, x) for x in self.things(self.value(node.other, scope)))

    def v_banded(self, node: n.Banded, scope: Scope) -> Any:
        if isinstance(self.value(node.cell, scope), Linked):
            return self.v_related(n.Related(node.start, node.end, node.cell, "at", node.at), scope)
        return self.shots_at(self.value(node.cell, scope), self.number(node.at, scope))

    def v_lots(self, node: n.Lots, scope: Scope) -> Any:
        items = self.things(self.value(node.items, scope))
        count = self.whole(self.number(node.count, scope))
        drawn = self.by_lot(count, items)
        if isinstance(node.count, n.Number) and node.count.value == 1:
            return drawn[0] if drawn else None
        return Many(drawn)

    def v_made(self, node: n.Made, scope: Scope) -> Any:
        return self.new(node, scope)

    def v_either(self, node: n.Either, scope: Scope) -> Any:
        taken, other = node.value, node.other
        if not self.truth(node.condition, scope):
            taken, other = other, taken
        if self.is_number(other, scope) or (throws(other) and not throws(taken)):
            return self.number(taken, scope)  # beside a number or a throw each collection is counted
        return self.value(taken, scope)

    def is_number(self, node: Any, scope: Scope) -> bool:
        """Whether a sentence comes to a number; what throws, asks or calls is not tried, and is taken to be none."""
        if any(
            isinstance(x, _ASKS) or (isinstance(x, n.Part) and x.name in self.book.of("outcomes")) for x in inside(node)
        ):
            return False
        try:
            value = self.value(node, scope)
        except NotRun:
            return False
        return isinstance(value, int | Fraction | Inches) and not isinstance(value, bool)

    def v_where(self, node: n.Where, scope: Scope) -> Any:
        source = self.value(node.items, scope)
        if isinstance(source, Faces):
            if isinstance(node.condition, n.Extreme):
                return source.part(self.extreme(source.faces, node, scope))
            return source.part(
                [f for f in source.faces if self.truth(node.condition, self.of_item(f, scope, node.alias))]
            )
        items = self.things(source)
        if isinstance(node.condition, n.Extreme):
            return Many(self.extreme(items, node, scope))
        return Many([x for x in items if self.truth(node.condition, self.of_item(x, scope, node.alias))])

    def of_item(self, item: Any, scope: Scope, alias: n.Name | None = None) -> Scope:
        return Scope(scope, {alias.text if alias else "it": item}, item if isinstance(item, Thing | Row) else None)

    def extreme(self, items: list[Any], node: n.Where, scope: Scope) -> list[Any]:
        assert isinstance(node.condition, n.Extreme)
        worth = [self.number(node.condition.value, self.of_item(x, scope, node.alias)) for x in items]
        known = [w for w in worth if w is not None]
        if not known:
            return []
        best = self.least_or_most("max" if node.condition.most else "min", known)
        return [x for x, w in zip(items, worth, strict=True) if w == best]

    # ---- sums
    def v_calc(self, node: n.Calc, scope: Scope) -> Any:
        if node.op in "*/":
            return self.times(node.op, self.number(node.left, scope), self.number(node.right, scope))
        terms = [(sign, self.value(term, scope)) for sign, term in self.terms(node)]
        dice = [v for _, v in terms if isinstance(v, Faces)]
        known = [v.throws for v in dice if v.throws]
        if any(v.thrown for v in dice) and not frozenset[Any].intersection(*known):  # beside what another throw shows
            return self.added([(sign, self.as_number(v)) for sign, v in terms])
        if any(_part_of_dice(v) for _, v in terms) and all(isinstance(v, Faces) for _, v in terms):
            return self.put_together(terms)
        counted = [v for _, v in terms if isinstance(v, Many | Thing | Row | Word) or _part_of_dice(v)]
        alike = len({_part_of_dice(v) for v in counted}) == 1  # unlike collections have nothing in common
        if alike and all(isinstance(v, Many | Thing | Row | Word) or _part_of_dice(v) or _none(v) for _, v in terms):
            if any(_none(v) for _, v in terms):
                raise Unsupported("none beside a collection: it may be a number that is none, or nobody")
            return self.joined(node, iter([v for _, v in terms]))
        if any(isinstance(v, Row) for _, v in terms):
            raise Unsupported("a row further on in its table, said in a sentence")
        return self.added([(sign, self.as_number(v)) for sign, v in terms])

    def joined(self, node: Any, values: Iterator[Any]) -> Any:
        """Collections put together and taken out as the brackets say; `values` are the terms' own, in their order."""
        if isinstance(node, n.Group) and not node.parts and isinstance(node.inner, n.Calc) and node.inner.op in "+-":
            return self.joined(node.inner, values)
        if isinstance(node, n.Calc) and node.op in "+-":
            sides = [
                (1, self.joined(node.left, values)),
                (1 if node.op == "+" else -1, self.joined(node.right, values)),
            ]
            return self.put_together([(sign, v) for sign, v in sides if not _none(v)])
        return next(values)

    def terms(self, node: Any, sign: int = 1) -> list[tuple[int, Any]]:
        """A sum taken apart, through its brackets."""
        if isinstance(node, n.Group) and not node.parts and isinstance(node.inner, n.Calc) and node.inner.op in "+-":
            return self.terms(node.inner, sign)
        if isinstance(node, n.Calc) and node.op in "+-":
            return self.terms(node.left, sign) + self.terms(node.right, sign if node.op == "+" else -sign)
        return [(sign, node)]

    def put_together(self, terms: list[tuple[int, Any]]) -> Any:
        result = self.in_one(terms)
        if isinstance(result, Many) and all(isinstance(x, Thing) for x in result.items):
            return Many(
                sorted(result.items, key=self.world.order)
            )  # as they are stated, however they were put together
        return result

    def in_one(self, terms: list[tuple[int, Any]]) -> Any:
        faces = any(isinstance(v, Faces) for _, v in terms)
        result: Any = None
        for sign, v in terms:
            if not isinstance(v, Faces):
                v = Many(self.things(v)) if not faces else Faces([], thrown=False)
            elif result is None:
                v = v.part(v.faces)
            if result is None:
                result = v if sign > 0 else type(v)([])
            else:
                if isinstance(result, Many):
                    v = Many([row_beside(x, result) for x in v.items])
                result = plus(result, v) if sign > 0 else minus(result, v)
        return result

    def added(self, terms: list[tuple[int, Any]]) -> Any:
        """A sum of numbers or of inches; nothing adds nothing."""
        known = [(sign, v) for sign, v in terms if v is not None and not empty(v)]
        if not known:
            return 0
        if any(isinstance(v, Inches) for _, v in known):
            return Inches(sum((sign * (v.value if isinstance(v, Inches) else v) for sign, v in known), Fraction(0)))
        return tidy(sum(sign * v for sign, v in known))

    def times(self, op: str, one: Any, two: Any) -> Any:
        a = one.value if isinstance(one, Inches) else 0 if _none(one) else one
        b = two.value if isinstance(two, Inches) else 0 if _none(two) else two
        if op == "*":
            value = Fraction(a) * b
            inches = isinstance(one, Inches) or isinstance(two, Inches)
        else:
            value = Fraction(a) / b if b else Fraction(0)
            inches = isinstance(one, Inches) and not isinstance(two, Inches)
        return Inches(value) if inches else tidy(value)

    # ---- numbers
    def number(self, node: Any, scope: Scope) -> Any:
        """A sentence where a number is wanted: each collection in it is counted for itself."""
        if isinstance(node, n.Group) and not node.parts:
            return self.number(node.inner, scope)
        if isinstance(node, n.Calc) and node.op in "+-":
            return self.added([(sign, self.number(term, scope)) for sign, term in self.terms(node)])
        if isinstance(node, n.Either):
            return self.number(node.value if self.truth(node.condition, scope) else node.other, scope)
        return self.as_number(self.value(node, scope))

    def as_number(self, value: Any) -> Any:
        value = settled(value)
        if value is NOT_RUN and self.asking:
            raise NotRun
        if empty(value):
            return 0
        if isinstance(value, bool):
            return int(value)
        if isinstance(value, Faces):
            if not value.thrown:
                return len(value.faces)
            shown = sum(value.faces) + value.plus
            return Inches(Fraction(shown)) if value.inches else shown
        if isinstance(value, Many):
            return len(value.items)
        if isinstance(value, Thing):
            return 1
        if isinstance(value, Shots):
            raise Wrong("shots by a range, without a distance")
        return value

    def whole(self, number: Any) -> int:
        if number is None or empty(number):
            return 0
        if isinstance(number, Fraction) and number.denominator != 1:
            raise Wrong(f"{number} where a whole number is needed")
        return max(0, int(number))

    # ---- collections
    def things(self, value: Any) -> list[Any]:
        """What is in it, one by one."""
        value = settled(value)
        if value is NOT_RUN and self.asking:
            raise NotRun
        if value is None or empty(value):
            return []
        if isinstance(value, Many):
            return list(value.items)
        if isinstance(value, Faces):
            return list(value.faces)
        return [value]

    # ---- yes or no
    def truth(self, node: Any, scope: Scope) -> bool:
        if isinstance(node, n.Or):
            return self.truth(node.left, scope) or self.truth(node.right, scope)
        if isinstance(node, n.And):
            return self.truth(node.left, scope) and self.truth(node.right, scope)
        if isinstance(node, n.Not):
            return not self.truth(node.inner, scope)
        if isinstance(node, n.Group) and not node.parts:
            return self.truth(node.inner, scope)
        try:
            value = self.value(node, scope)
        except NotRun:
            return False
        if value is None or empty(value):
            return False
        if isinstance(value, MarkName):
            subject = scope.subject()
            return isinstance(subject, Row) and value.name in subject.marks
        if isinstance(value, bool):
            return value
        if isinstance(value, Linked):
            return bool(value.items)
        raise Wrong(f"{value!r} where yes or no is wanted")

    def v_or(self, node: Any, scope: Scope) -> bool:
        return self.truth(node, scope)

    v_and = v_not = v_or

    def v_compare(self, node: n.Compare, scope: Scope) -> bool:
        left, right = self.side_of(node.left, scope), self.side_of(node.right, scope)
        if isinstance(left, Row | Word | MarkName) or isinstance(right, Row | Word | MarkName):
            left, right = row_beside(left, right), row_beside(right, left)
            if not isinstance(left, Row) or not isinstance(right, Row):
                return False
            return bool(_COMPARE[node.op](left.place, right.place))
        if isinstance(left, bool) or isinstance(right, bool):
            return bool(_COMPARE[node.op](bool(left), bool(right)))
        left, right = self.as_number(left), self.as_number(right)
        if left is None or right is None:
            return False
        if isinstance(left, Inches) != isinstance(right, Inches):
            left, right = (x if isinstance(x, Inches) else Inches(Fraction(x)) for x in (left, right))
        return bool(_COMPARE[node.op](left, right))

    def side_of(self, node: Any, scope: Scope) -> Any:
        """One side of a comparison: rows and yes or no as they are, the rest as a number."""
        inner = node.inner if isinstance(node, n.Group) and not node.parts else node
        if isinstance(inner, n.Calc) and inner.op in "+-":
            return self.number(inner, scope)
        return self.value(node, scope)

    def v_same(self, node: n.Same, scope: Scope) -> bool:
        left = self.value(node.left, scope)
        return self.is_so(left, node.right, scope) != node.negated

    def is_so(self, left: Any, node: Any, scope: Scope) -> bool:
        """`left is RIGHT`: the row, the thing, or the mark of this name."""
        if isinstance(node, n.Related | n.Banded) and isinstance(left, Thing):
            name, other = (node.mark, node.other) if isinstance(node, n.Related) else (node.cell, node.at)
            if isinstance(name, n.Path) and (mark := self.book.mark_of(left.sort, name.parts[0].name)) is not None:
                whom = self.things(self.value(other, scope))
                return any(holds(self.linked(left, mark).items, x) for x in whom)
        word = node.parts[0].name if isinstance(node, n.Path) and len(node.parts) == 1 else None
        if word is not None and node.parts[0].args is None:
            if isinstance(left, Option | MarkName):
                return left.name == word
            if isinstance(left, Row) and word in self.book.rows.get(left.table, {}):
                return left.name == word
            if isinstance(left, Row) and word in self.book.marks and self.book.marks[word].of == left.table:
                return word in left.marks
            if isinstance(left, Thing) and self.book.mark_of(left.sort, word):
                return self.has_mark(left, word)
            if isinstance(left, Thing) and self.local(word, scope) is MISSING:
                said = self.on_card(left, node.parts[0], scope)
                if isinstance(said, bool):
                    return said
            if (left is None or empty(left)) and (word in self.book.marks or word in self.book.words):
                if self.local(word, scope) is MISSING:
                    return False
        try:
            right = self.value(node, scope)
        except Wrong:
            if word is not None and (left is None or empty(left)):  # an option of a choice that was not run
                return False
            raise
        if isinstance(left, Faces) and not isinstance(node, n.Absent):
            raise Wrong("dice are compared, and not asked what they are")
        if isinstance(right, MarkName):
            if isinstance(left, Many) and len(left.items) == 1:
                left = left.items[0]
            return isinstance(left, Thing | Row) and right.name in left.marks
        if (left is None or empty(left)) and (right is None or empty(right)):
            return isinstance(node, n.Absent)
        if isinstance(node, n.Absent) and isinstance(left, Many | Faces):
            return not self.things(left)
        if isinstance(left, Many) and not isinstance(right, Many):
            return len(left.items) == 1 and same(left.items[0], right)
        if isinstance(left, Many) and isinstance(right, Many):
            return len(left.items) == len(right.items) and all(holds(right.items, x) for x in left.items)
        return same(left, right)

    def v_isa(self, node: n.IsA, scope: Scope) -> bool:
        thing = self.value(node.left, scope)
        if isinstance(thing, Many) and len(thing.items) == 1:
            thing = thing.items[0]
        return (isinstance(thing, Thing) and self.book.is_a(thing.sort, node.kind.text)) != node.negated

    def v_member(self, node: n.Member, scope: Scope) -> bool:
        right = self.value(node.right, scope)
        left = self.value(node.left, scope)
        items = right.faces if isinstance(right, Faces) else self.things(right)
        if isinstance(left, MarkName):
            return any(isinstance(x, MarkName) and x == left for x in items) != node.negated
        return holds(items, left) != node.negated

    def v_quantified(self, node: n.Quantified, scope: Scope) -> bool:
        value = self.value(node.items, scope)
        if isinstance(value, Many | Faces):
            stands = bool(self.things(value))
        elif isinstance(value, bool):
            stands = value
        else:
            stands = value is not None and not empty(value)
        return stands == node.some

    def v_every(self, node: Any, scope: Scope) -> bool:
        items = self.things(self.value(node.items, scope))
        return bool(items) and all(self.fits(node.condition, x, scope) for x in items)

    def fits(self, condition: Any, item: Any, scope: Scope) -> bool:
        """Whether an item is as a condition says, which may be a word for it: a mark, a row."""
        inner = self.of_item(item, scope)
        if isinstance(condition, n.Path) and isinstance(item, Row | Word):
            return self.is_so(item, condition, inner)
        if isinstance(condition, n.Path) and isinstance(item, Thing):
            said = self.value(condition, inner)
            if isinstance(said, Thing):
                return said is item
        return self.truth(condition, inner)

    # ---- given elsewhere
    def function(self, name: str, args: Any, scope: Scope) -> Any:
        raise NotImplementedError

    def throw(self, count: int, sides: int, plus: int = 0, barred: tuple[int, ...] = (), inches: bool = False) -> Faces:
        raise NotImplementedError

    def by_lot(self, count: int, items: list[Any]) -> list[Any]:
        raise NotImplementedError

    def new(self, node: n.Made, scope: Scope) -> Any:
        raise NotImplementedError


def _none(value: Any) -> bool:
    return value is None or empty(value)


def _part_of_dice(value: Any) -> bool:
    return isinstance(value, Faces) and not value.thrown
