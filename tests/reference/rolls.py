"""Values, rolls and dice: what is worked out line by line, and what is thrown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement
from math import comb, factorial
from typing import Any

from interpreter.language import nodes as n

from .book import adjusts
from .chance import Script
from .functions import Functions
from .layers import Definition
from .names import RollOf
from .scopes import Scope
from .things import BLANK, Faces, Many, Row, Thing, Word, empty, row_beside
from .trees import Wrong


@dataclass
class Spec:
    """One die against a number, all modifiers worked out."""

    sides: int
    over: bool
    always: int | None
    never: int | None
    needed: Any = None
    mod: Any = 0
    best: int = 1
    worst: int = 1
    verdict: bool | None = None
    again: bool = False

    @property
    def thrown(self) -> bool:
        """Where no number is needed nobody throws, and nothing passes, whatever a verdict says."""
        return self.needed is not None

    def good(self, face: int) -> bool:
        """Whether this face passes; some faces decide by themselves."""
        if self.needed is None:
            return False
        if self.verdict is not None:
            return self.verdict
        if face in (self.always, self.never):
            return face == self.always
        return face + self.mod >= self.needed if self.over else face + self.mod <= self.needed

    @property
    def chance(self) -> Fraction:
        p = Fraction(sum(self.good(face) for face in range(1, self.sides + 1)), self.sides)
        p = 1 - (1 - p) ** self.best
        p = p**self.worst
        return p + (1 - p) * p if self.again else p


class Rolls(Functions):
    # ---- values
    def scope_of(self, definition: Definition, thing: Thing | None, told: list[Any]) -> Scope:
        names = [p.name.text for p in definition.title.params]
        own = {definition.title.of.text: thing} if definition.title.of else {}
        return Scope(None, {**own, **dict(zip(names, told, strict=False))}, thing)

    def worked_out(self, definition: Definition, thing: Thing | None, told: list[Any]) -> Any:
        key = (definition.name, id(thing), *(id(x) if isinstance(x, Thing | Row) else x for x in told))
        plain = not any(isinstance(x, Many | Faces) for x in told)
        if plain and key in self.world.worked:
            return self.world.worked[key]
        scope = self.scope_of(definition, thing, told)
        before, self.asking = self.asking, False
        try:
            body = definition.body
            texts = [body] if isinstance(body, str) else [str(entry.body) for entry in body]
            result: Any = BLANK
            lines = [adjusts(text) for text in texts]
            for line in lines:
                result = self.changed(result, line, scope)
                if isinstance(result, Many) and line.what == "set" and self.of_numbers(lines, scope):
                    result = self.number(line.value, scope)
            if plain:
                self.world.worked[key] = result
            return result
        finally:
            self.asking = before

    def of_numbers(self, lines: list[n.Adjust], scope: Scope) -> bool:
        """Whether a value is a number: then a collection that is a base of it is counted."""
        return any(line.what != "set" or self.is_number(line.value, scope) for line in lines)

    def changed(self, value: Any, line: n.Adjust, scope: Scope) -> Any:
        """A value after one more line."""
        if line.condition is not None and not self.truth(line.condition, scope):
            return value
        if line.what == "set":
            return self.value(line.value, scope)
        if line.what == "add":
            amount = self.amount(line, scope)
            if value is None or amount is None:
                return value
            if isinstance(value, Row | Word):
                return self.shifted(value, amount)
            return self.added([(1, self.as_number(value)), (1, amount)])
        if value is None:
            return None
        if line.what == "times":
            return self.times("*", self.as_number(value), self.number(line.value, scope))
        bound = self.value(line.value, scope)
        if isinstance(value, Row | Word) or isinstance(bound, Row | Word):
            value, bound = row_beside(value, bound), row_beside(bound, value)
            if isinstance(value, Word) or empty(value):
                return bound if line.what == "least" else value
            return (max if line.what == "least" else min)(value, bound, key=lambda row: row.place)
        value, bound = self.as_number(value), self.as_number(bound)
        if bound is None:
            return value
        if type(value) is not type(bound):  # one of them is a distance: so is the other
            value, bound = (
                self.added([(1, a), (1, self.times("*", b, 0))]) for a, b in ((value, bound), (bound, value))
            )
        return max(value, bound) if line.what == "least" else min(value, bound)

    def shifted(self, row: Any, amount: int) -> Row:
        if isinstance(row, Word):
            row = row.rows[0]
        rows = list(self.book.rows[row.table].values())
        return rows[max(0, min(len(rows) - 1, row.place + amount))]

    def amount(self, line: n.Adjust, scope: Scope) -> Any:
        """What a line adds: so much, times what stands behind `per`."""
        assert isinstance(line.value, n.Signed)
        amount = self.number(line.value.amount, scope)
        if line.per is not None:
            amount = self.times("*", amount, self.number(line.per, scope))
        return self.added([(line.value.sign, amount)]) if amount is not None else None

    # ---- rolls
    def lines_of(self, d: Definition) -> list[tuple[str, str, Definition, tuple[str, ...]]]:
        """(name, text, who says it, seen through what) of all lines, with those that are taken over."""
        body = [("", d.body)] if isinstance(d.body, str) else [(e.name, str(e.body)) for e in d.body]
        lines: list[tuple[str, str, Definition, tuple[str, ...]]] = []
        if d.title.base is not None:
            through = (d.title.through.text,) if d.title.through else ()
            base = self.book.of("roll")[d.title.base.text]
            lines = [(name, text, who, through + via) for name, text, who, via in self.lines_of(base)]
        for name, text in body:
            if not text:
                continue
            mine = (name, text, d, ())
            places = [i for i, line in enumerate(lines) if line[0] == name]
            if places and name:
                lines[places[0]] = mine
            else:
                lines.append(mine)
        return lines

    def convention(self, d: Definition) -> n.Convention:
        if d.title.on is not None:
            return self.book.dice[d.title.on.text]
        if d.title.base is not None:
            return self.convention(self.book.of("roll")[d.title.base.text])
        return next(iter(self.book.dice.values()))

    def spec(self, roll: RollOf, thing: Thing) -> Spec:
        c = self.convention(roll.definition)
        spec = Spec(c.die.sides, c.over, c.always, c.never)
        before, self.asking = self.asking, False
        try:
            for _, text, who, via in self.lines_of(roll.definition):
                holder = thing
                for name in via:
                    holder = self.world.get(holder, name)
                self.adjust(spec, adjusts(text), self.scope_of(who, holder, roll.told))
        finally:
            self.asking = before
        return spec

    def number_needed(self, roll: RollOf) -> Any:
        """What the die must show, as all lines have it: none where no die is thrown."""
        spec = self.spec(roll, roll.thing)
        return None if spec.needed is None else spec.needed - spec.mod

    def adjust(self, spec: Spec, line: n.Adjust, scope: Scope) -> None:
        if line.condition is not None and not self.truth(line.condition, scope):
            return
        if line.what == "set":
            spec.needed = self.number(line.value, scope)
        elif line.what == "add":
            amount = self.amount(line, scope)
            if amount is None:
                return
            if line.touch == "roll":
                spec.mod += amount
            elif spec.needed is not None:
                spec.needed += amount
        elif line.what in ("best", "worst"):
            many = self.whole(self.number(line.value, scope))
            spec.best, spec.worst = (many, 1) if line.what == "best" else (1, many)
        elif line.what in ("least", "most"):
            bound = self.number(line.value, scope)
            if spec.needed is not None and bound is not None:
                spec.needed = (max if line.what == "least" else min)(spec.needed, bound)
        elif line.what == "again":
            spec.again = True
        else:
            spec.verdict = line.what == "passes"

    def roll_of(self, node: Any, items: list[Any] | None, scope: Scope) -> RollOf | None:
        """The roll that a sentence names: of each that throws if it is theirs, else of whom it is said or who acts."""
        if isinstance(node, n.Path) and len(node.parts) == 1:
            part = node.parts[0]
            d = self.book.of("roll").get(part.name)
            if d is None:
                raise Wrong(f"no roll is called {part.name}")
            if items and isinstance(items[0], Thing) and self.book.on_card("roll", items[0].sort, part.name):
                return RollOf(d, None, self.told(d.title.params, part.args or (), scope))
        found = self.path(node, scope) if isinstance(node, n.Path) else self.value(node, scope)
        if found is None or empty(found):
            return None
        if not isinstance(found, RollOf):
            raise Wrong(f"{found!r} is no roll")
        return found

    def test(self, spec: Spec) -> bool:
        """One die thrown against its number."""
        if not spec.thrown:
            return False
        if not self.chance.by_face:
            return self.chance.branch([spec.chance, 1 - spec.chance], self.address) == 0
        return self.tried(spec) or (spec.again and self.tried(spec))

    def tried(self, spec: Spec) -> bool:
        faces = [self.chance.die(spec.sides, self.address) for _ in range(max(spec.best, spec.worst))]
        good = [spec.good(face) for face in faces]
        return all(good) if spec.worst > 1 else any(good)

    def tally(self, count: int, spec: Spec) -> int:
        """How many of so many dice pass."""
        if not spec.thrown or count <= 0:
            return 0
        if self.chance.by_face:
            return sum([self.test(spec) for _ in range(count)])
        p = spec.chance
        weights = [comb(count, k) * p**k * (1 - p) ** (count - k) for k in range(count + 1)]
        return self.chance.branch(weights, self.address)

    def v_tests(self, node: n.Tests, scope: Scope) -> bool:
        subject = self.value(node.subject, scope)
        if isinstance(subject, Many) and len(subject.items) == 1:
            subject = subject.items[0]
        if subject is None or empty(subject):
            return False
        roll = self.roll_of(node.roll, [subject], scope)
        if roll is None:
            return not node.passes
        thing = roll.thing if roll.thing is not None else subject
        return self.test(self.spec(roll, thing)) == node.passes

    def v_counting(self, node: n.Counting, scope: Scope) -> Any:
        left = self.value(node.left, scope)
        good = node.how in ("passing", "meeting")
        if node.how in ("meeting", "missing"):
            return self.looked_at(left, self.roll_of(node.right, None, scope), good)
        if isinstance(left, Thing) or (isinstance(left, Many) and all(isinstance(x, Thing) for x in left.items)):
            items = self.things(left)
            return Many(self.sorted_out(items, self.roll_of(node.right, items, scope), good)) if items else Many([])
        count = self.whole(self.as_number(left))
        roll = self.roll_of(node.right, None, scope) if count else None
        if roll is None or roll.thing is None:
            return 0 if good else count
        passed = self.tally(count, self.spec(roll, roll.thing))
        return passed if good else count - passed

    def looked_at(self, faces: Any, roll: RollOf | None, good: bool) -> Faces:
        """Dice that lie already; whoever may throw again, or take the better of two, throws further ones."""
        faces = faces if isinstance(faces, Faces) else Faces(self.things(faces))
        if roll is None or roll.thing is None:
            return faces.part([] if good else faces.faces)
        spec = self.spec(roll, roll.thing)
        kept = []
        for face in faces.faces:
            passed = self.beside(spec, spec.good(face))
            if not passed and spec.again and spec.thrown and spec.verdict is None:
                passed = self.beside(spec, spec.good(self.one_die(spec.sides)))
            if passed == good:
                kept.append(face)
        return faces.part(kept)

    def beside(self, spec: Spec, passed: bool) -> bool:
        """A die that lies there with those that `best of` and `worst of` throw beside it, where they can matter."""
        if spec.thrown and spec.verdict is None:
            for _ in range(max(spec.best, spec.worst) - 1):
                if passed == (spec.worst > 1):
                    passed = spec.good(self.one_die(spec.sides))
        return passed

    def one_die(self, sides: int) -> int:
        return self.chance.die(sides, self.address)

    def sorted_out(self, items: list[Thing], roll: RollOf | None, good: bool) -> list[Thing]:
        """Those of some figures that pass, or fail: a die for each. Of alike ones so many, not these or those."""
        groups: dict[Any, list[Thing]] = {}
        for item in items:
            groups.setdefault(self.world.alike(item), []).append(item)
        found: list[Thing] = []
        for group in groups.values():
            spec = self.spec(roll, roll.thing if roll.thing is not None else group[0]) if roll else None
            passed = self.tally(len(group), spec) if spec else 0
            found += self.take(group, passed if good else len(group) - passed)
        return found

    def take(self, group: list[Any], count: int) -> list[Any]:
        """So many of alike things: rather those that no other name speaks of, so that names share as few as they must."""
        if count >= len(group):
            return list(group)
        known = [sum(id(x) in many for many in self.name_sets) for x in group]
        order = sorted(range(len(group)), key=lambda i: (known[i], i))
        return [group[i] for i in sorted(order[:count])]

    # ---- dice
    def throw(self, count: int, sides: int, plus: int = 0, barred: Sequence[int] = (), inches: bool = False) -> Faces:
        if isinstance(self.chance, Script):
            faces = []
            while len(faces) < count:
                face = self.chance.die(sides, self.address)
                if face not in barred:
                    faces.append(face)
        elif self.chance.by_face or count == 1 or barred:
            weights = [int(face not in barred) for face in range(1, sides + 1)]
            faces = [self.chance.branch(weights, self.address) + 1 for _ in range(count)]
        else:
            throws, weights = _throws(count, sides)
            faces = list(throws[self.chance.branch(weights, self.address)]) if count else []
        return Faces(faces, plus, True, inches)

    def by_lot(self, count: int, items: list[Any]) -> list[Any]:
        left, drawn = list(items), []
        while left and len(drawn) < count:
            groups: dict[Any, list[Any]] = {}
            for x in left:
                groups.setdefault(self.world.alike(x) if isinstance(x, Thing) else id(x), []).append(x)
            which = list(groups.values())
            one = self.take(which[self.chance.lot([len(g) for g in which], self.address)], 1)[0]
            drawn.append(one)
            left = [x for x in left if x is not one]
        return drawn


@cache
def _throws(count: int, sides: int) -> tuple[list[tuple[int, ...]], list[int]]:
    """All throws of some dice without their order, and how many ways each can fall."""
    throws = list(combinations_with_replacement(range(1, sides + 1), count))
    weights = []
    for throw in throws:
        ways = factorial(count)
        for times in Counter(throw).values():
            ways //= factorial(times)
        weights.append(ways)
    return throws, weights
