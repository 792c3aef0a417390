"""Checks expressions that dice or a player decide: throws, tests, lots, wishes and picks.

They are rejected in pure scopes. Input: syntax of throws and choices. Output: typed expressions.
"""

from __future__ import annotations

from interpreter.document.nodes import Scalar
from interpreter.language import nodes as n
from interpreter.source import Fix, suggest
from interpreter.vocabulary.types import ANY, DICE, FACES, INCHES, NUMBER, TRUTH, Type

from . import typed as t
from .construct import item_type, op, throw_cell
from .environment import Environment
from .expected_types import ExpectedTypes, sums
from .members import Members
from .scope import Scope
from .symbols import Convention, Roll, Table, Where

_SIDES = (2, 3, 4, 6, 8, 10, 12, 20, 30, 100)


class Questions:
    """Checks what dice or players decide. In a pure scope such an expression is reported, and has the type `any`."""

    def __init__(self, env: Environment, expect: ExpectedTypes, members: Members) -> None:
        self.book, self.problems, self.dice_names = env.book, env.problems, env.dice
        self.expect, self.members, self.definitions = expect, members, members.definitions

    def dice(self, node: n.Dice, at: Scalar, scope: Scope) -> t.Expr:
        if scope.pure:
            return self._refuse_dice(node, at)
        self.die(node.sides, at, node)
        made = t.Throw(t.Lit(node.count, type=NUMBER), node.sides, type=DICE)
        return op("sum-faces", (made,), INCHES) if node.inches else made

    def die(self, sides: int, at: Scalar, node: n.Dice) -> None:
        if sides not in _SIDES:
            before, inches = at.text[node.start : node.end].split("d")[0], '"' if node.inches else ""
            near = sorted(sorted(_SIDES, key=lambda s: abs(s - sides))[:2])
            die, span = f"d{sides}", at.at(node.start, node.end)
            meant = suggest(span, [f"{before}d{s}{inches}" for s in near])
            self.problems.add("D004", span, about=die, die=die, **meant)

    def pool(self, node: n.Pool, at: Scalar, scope: Scope) -> t.Expr:
        if scope.pure:
            return self._refuse_dice(node, at)
        held = self.expect.expr(node.count, at, scope, NUMBER if sums(node.count) else None)
        if held.type.name == "dicecell":
            return throw_cell(held)
        convention = self.default_convention()
        if convention is None:
            self.problems.add("D005", at.at(node.start, node.end), label="which die?")
            return t.Lit((), type=ANY)
        return t.Throw(self.expect.as_number(held, at, node.count), convention.sides, type=DICE)

    def barred(self, node: n.Barred, at: Scalar, scope: Scope) -> t.Expr:
        dice = self.expect.expr(node.dice, at, scope)
        face = self.expect.number(node.face, at, scope)
        if not isinstance(dice, t.Throw):
            self.expect.wrong(dice, at, node.dice, "dice that are thrown here", "such as `d6 except 5`")
            return t.Lit((), type=ANY)
        known = isinstance(face, t.Lit) and isinstance(dice.sides, int) and face.type != ANY
        if known and isinstance(face, t.Lit) and not 1 <= face.value <= int(str(dice.sides)):
            hint = "it never shows that: which face is thrown again?"
            self.problems.add(
                "D003", at.at(node.face.start, node.face.end), face=face.value, die=f"d{dice.sides}", hint=hint
            )
        return t.Throw(dice.count, dice.sides, face, type=DICE)

    def lots(self, node: n.Lots, at: Scalar, scope: Scope) -> t.Expr:
        if scope.pure:
            return self._refuse_dice(node, at)
        items = self.expect.collection(node.items, at, scope)
        count = self.expect.number(node.count, at, scope)
        if "any" in (items.type.name, count.type.name):
            return t.Lit(0, type=ANY)
        if items.type.name not in ("things", "figures", "rows"):
            self.expect.wrong(items, at, node.items, "several things, figures or rows")
            return t.Lit(0, type=ANY)
        one = isinstance(node.count, n.Number) and node.count.value == 1
        return t.Lots(count, items, one, type=item_type(items.type) if one else items.type)

    def default_convention(self) -> Convention | None:
        return next(iter(self.book.conventions.values()), None)

    def _refuse_dice(self, node: n.Node, at: Scalar) -> t.Expr:
        self.problems.add(
            "D006",
            at.at(node.start, node.end),
            label="a die would be thrown here",
            hint="throw it in a line of a procedure and use the line's name here",
        )
        return t.Lit(0, type=ANY)

    def counting(self, node: n.Counting, at: Scalar, scope: Scope) -> t.Expr:
        if scope.pure:
            return self._refuse_dice(node, at)
        if node.how in ("meeting", "missing"):
            dice = self.expect.expr(node.left, at, scope)
            roll = self.roll(node.right, at, scope)
            if dice.type not in (DICE, FACES):
                self.expect.wrong(
                    dice, at, node.left, "dice already thrown", "a line such as `faces: 3 dice` throws them"
                )
            if roll is None:
                return t.Lit(0, type=ANY)
            self._check_dice(dice, roll, at, node)
            return op("meeting" if node.how == "meeting" else "missing", (dice, roll), NUMBER)
        left = self.expect.expr(node.left, at, scope)
        passing = node.how == "passing"
        if left.type == ANY:  # reported already; and whose roll it is depends on it
            return t.Lit(0, type=ANY)
        if left.type.name in ("figures", "figure"):
            items = left if left.type.name == "figures" else op("only", (left,), Type("figures", left.type.of))
            variable = t.Variable("it", Type("figure", left.type.of))
            inner = Scope(
                scope,
                {"it": t.Var(variable, type=variable.type)},
                card=t.Var(variable, type=variable.type),
                card_name="it",
            )
            roll = self.roll(node.right, at, inner)
            if roll is None:
                return t.Lit((), type=ANY)
            self._check_whose_roll(items, roll, node, at)
            return t.Sort(items, variable, roll, passing, type=items.type)
        if isinstance(node.left, n.Pool) and isinstance(left, t.Throw) and isinstance(left.sides, int):
            self._refuse_pool(left, node.left, at, node)
            return t.Lit(0, type=ANY)
        count = self.expect.as_number(left, at, node.left, words="how many dice")
        roll = self.roll(node.right, at, scope)
        if roll is None:
            return t.Lit(0, type=ANY)
        return t.Tally(count, roll, passing, type=NUMBER)

    def _check_whose_roll(self, items: t.Expr, roll: t.RollOf, node: n.Counting, at: Scalar) -> None:
        """Warn of figures of one thing that throw by a roll of another one, if it is not written whose roll it is."""
        while isinstance(items, t.Filter):
            items = items.items
        thrower = roll.args[0] if roll.roll.subject is not None else None
        written = not isinstance(node.right, n.Path) or len(node.right.parts) > 1
        if written or not isinstance(items, t.Bag) or not isinstance(thrower, t.Var) or thrower.type.name != "thing":
            return
        holder = items.of.variable if isinstance(items.of, t.Var) else None
        if holder is thrower.variable:
            return
        name, mine = roll.roll.name, thrower.variable.name
        whose = f"`{holder.name}.{name}`" if holder is not None else f"`….{name}`, with theirs in front,"
        hint = f"say whose it is: {whose} or `{mine}.{name}`"
        self.problems.add("T021", at.at(node.right.start, node.right.end), name=name, mine=mine, hint=hint)

    def _refuse_pool(self, left: t.Expr, pool: n.Pool, at: Scalar, node: n.Counting) -> None:
        """Report `2 dice passing ROLL`, which would throw again as many dice as the sum of the two."""
        count, roll = (at.text[x.start : x.end] for x in (pool.count, node.right))
        participle = "meeting" if node.how == "passing" else "missing"
        hint = (
            f"`{count} {node.how} {roll}` throws so many dice; dice that lie on the table are looked at by "
            f"`faces {participle} {roll}`; as many as they show are thrown by the name of a line, "
            f"`shown: {at.text[pool.start : pool.end]}`"
        )
        fix = Fix(at.at(pool.start, pool.end), count, False, f"write `{count} {node.how} {roll}`")
        self.expect.wrong(left, at, pool, "how many dice", hint, fix)

    def _check_dice(self, dice: t.Expr, roll: t.RollOf, at: Scalar, node: n.Counting) -> None:
        """Report dice that are read with the convention of another die."""
        sides = dice.sides if isinstance(dice, t.Throw) and isinstance(dice.sides, int) else None
        if (named := self.dice_names.dice_of(dice)) is not None:
            sides = self.dice_names.sides.get(named)
        convention = self.convention_of(roll.roll)
        if sides and convention and sides != convention.sides:
            self.problems.add(
                "D002",
                at.at(node.right.start, node.right.end),
                die=f"d{convention.sides}",
                other=f"d{sides}",
                hint=f"throw `d{convention.sides}` for it, or read them with a roll made on a d{sides}",
            )

    def convention_of(self, roll: Roll) -> Convention | None:
        self.definitions.type_of(roll)  # checking the roll sets its convention
        return roll.convention or self.default_convention()

    def roll(self, node: n.Node, at: Scalar, scope: Scope) -> t.RollOf | None:
        e = self.expect.expr(node, at, scope, Type("roll"))
        if isinstance(e, t.RollOf):
            return e
        if e.type.name != "any":
            span = at.at(node.start, node.end)
            self.problems.add(
                "T001",
                span,
                found=e.type.words(),
                wanted="a roll",
                label=f"this is {e.type.words()}",
                hint=self._rolls_hint(),
            )
        return None

    def _rolls_hint(self) -> str:
        return "rolls of this game: " + ", ".join(sorted(self.book.rolls)[:8])

    def tests(self, node: n.Tests, at: Scalar, scope: Scope) -> t.Expr:
        if scope.pure:
            return self._refuse_dice(node, at)
        subject = self.expect.expr(node.subject, at, scope)
        if not isinstance(node.roll, n.Path):
            self.expect.wrong(subject, at, node.roll, "a roll")
            return t.Lit(False, type=ANY)
        if subject.type.name == "any":
            return t.Lit(False, type=ANY)
        if subject.type.name not in ("thing", "figure"):
            self._report_several_tests(subject, node, at)
            return t.Lit(False, type=ANY)
        roll = self.members.member(subject, node.roll.parts[0], at, scope)
        roll = self.members.follow(roll, node.roll.parts[1:], at, scope)
        if not isinstance(roll, t.RollOf):
            self.expect.wrong(roll, at, node.roll, "a roll", self._rolls_hint())
            return t.Lit(False, type=ANY)
        one = t.Lit(1, type=NUMBER)
        tally = t.Tally(one, roll, node.passes, type=NUMBER)
        return op("some", (tally,), TRUTH)

    def _report_several_tests(self, subject: t.Expr, node: n.Tests, at: Scalar) -> None:
        """Report `hits passes save` for a collection, where those that pass must be counted."""
        word, instead = ("passes", "passing") if node.passes else ("fails", "failing")
        text = at.text[node.subject.start : node.subject.end]
        start = at.text.index(word, node.subject.end)
        fix = Fix(at.at(start, start + len(word)), instead, False, f"write `{instead}`")
        hint = f"one thing {word} a roll; a die for each is thrown by `{text} {instead} …`"
        self.expect.wrong(subject, at, node.subject, "one thing or figure", hint, fix)

    def wishes(self, node: n.Wishes, at: Scalar, scope: Scope) -> t.Expr:
        if scope.pure:
            self.problems.add("P003", at.at(node.start, node.end), label="somebody would have to choose here")
            return t.Lit(False, type=ANY)
        who = self.chooser(node.who, at, scope)
        policy: t.Expr | None = None
        for item in node.usually:
            if isinstance(item, n.Keyword):
                policy = t.Lit(item.word == "yes", type=TRUTH)
            else:
                policy = self.expect.truth(item, at, Scope(scope, pure=True))
        return t.Wish(who, policy, type=TRUTH)

    def chooser(self, node: n.Path, at: Scalar, scope: Scope) -> t.Expr:
        who = self.expect.expr(node, at, scope)
        if who.type.name not in ("thing", "any"):
            self.expect.wrong(who, at, node, "somebody who can choose")
        return who

    def pick(self, node: n.Pick, at: Scalar, scope: Scope) -> t.Expr:
        who = self.chooser(node.who, at, scope)
        items = self.expect.collection(node.source, at, scope)
        high = self.expect.number(node.count, at, scope)
        low = t.Lit(0, type=NUMBER) if node.up_to else high
        one = isinstance(node.count, n.Number) and node.count.value == 1
        item = item_type(items.type)
        variable = t.Variable("it", item)
        most: bool | None = None
        amount: t.Expr | None = None
        order: list[t.Expr] = []
        card = t.Var(variable, type=item)
        inner = Scope(scope, {"it": card}, card=card, card_name="it", pure=True)
        for wish in node.usually:
            if isinstance(wish, n.Keyword):
                most = wish.word == "most"
            elif isinstance(wish, n.Number) or (isinstance(wish, n.Path) and self._is_number(wish, at, scope)):
                amount = self.expect.number(wish, at, scope)
            else:
                order.append(self.preference(wish, card, at, inner))
        dice = isinstance(items, t.Op) and items.name == "faces"  # a pick from dice gives dice
        result = item if one else DICE if dice else items.type
        return t.Choose(who, low, high, items, variable, most, amount, tuple(order), one, type=result)

    def _is_number(self, node: n.Path, at: Scalar, scope: Scope) -> bool:
        found = scope.name(node.parts[0].name) if len(node.parts) == 1 else None
        return found is not None and found.type == NUMBER

    def preference(self, node: n.Expr, card: t.Expr, at: Scalar, scope: Scope) -> t.Expr:
        """Return a condition on an item; the name of a row of the items' table stands for `it is ROW`."""
        if isinstance(node, n.Path) and len(node.parts) == 1 and card.type.name == "row":
            table: Table = card.type.of
            if node.parts[0].name in table.rows:
                row = t.Lit(table.rows[node.parts[0].name].index, type=card.type)
                return op("same", (card, row), TRUTH, Where(at, node.start, node.end))
        return self.expect.truth(node, at, scope)

    def pick_number(self, node: n.PickNumber, at: Scalar, scope: Scope) -> t.Expr:
        who = self.chooser(node.who, at, scope)
        low, high = self.expect.number(node.low, at, scope), self.expect.number(node.high, at, scope)
        most: bool | None = None
        amount: t.Expr | None = None
        for item in node.usually:
            if isinstance(item, n.Keyword):
                most = item.word == "most"
            else:
                amount = self.expect.number(item, at, scope)
        return t.Choose(who, low, high, None, t.Variable("it", NUMBER), most, amount, (), True, type=NUMBER)
