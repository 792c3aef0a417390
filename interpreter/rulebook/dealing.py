"""Lowers deals, which distribute evenly: counters to things, or a portion of a number or of things to each.

Both become ordinary steps: those with least come first, and a choice decides who gets more if not all can. Input:
syntax of `deals`. Output: typed steps. It does not know who decides, nor about chance.
"""

from __future__ import annotations

from interpreter.document.nodes import Scalar
from interpreter.language import nodes as n
from interpreter.vocabulary.types import ANY, NUMBER, TRUTH, Type

from . import typed as t
from .construct import item_type, op
from .effects import Effects
from .expressions import Expressions
from .frame import Frame, Steps
from .scope import Scope
from .symbols import LineInfo


class Dealing:
    """Lowers the deals of one procedure to loops and choices: `deals` a statement, `deal_out` the clause of a `for
    each`.
    """

    def __init__(self, frame: Frame, expressions: Expressions, effects: Effects) -> None:
        self.frame, self.expressions, self.expect = frame, expressions, expressions.expect
        self.problems, self.effects = expressions.problems, effects

    def deals(self, node: n.Deals, at: Scalar, info: LineInfo, scope: Scope) -> Steps:
        """Return steps that give one at a time to those with least; a choice breaks ties."""
        who = self.expressions.questions.chooser(node.who, at, scope)
        items = self._several(node.items, at, scope)
        amount = self.expect.number(node.amount, at, scope)
        if items is None:
            return []
        attribute = self.effects.number_on_card(items.type.of, node.what, at)
        if attribute is None:
            return []
        it, inner = self._item(items, scope)
        held: t.Expr = t.Attr(t.Var(it, type=it.type), attribute, type=attribute.type)
        if node.measure is not None:
            held = self.expect.number(node.measure, at, inner)
        stock = t.Variable("those?", items.type)
        left = t.Variable("left?", NUMBER)
        low = t.Variable("least?", items.type)
        lucky = t.Variable("these?", items.type)
        one = t.Lit(1, type=NUMBER)
        some = (
            t.Assign(lucky, self._choice_of(who, _var(left), low, node.usually, at, scope), line=info),
            t.AddAttr(_var(lucky), attribute, one, 1, True, line=info),
            t.Assign(left, t.Lit(0, type=NUMBER), line=info),
        )
        everybody = (
            t.AddAttr(_var(low), attribute, one, 1, True, line=info),
            t.Assign(left, op("subtract", (_var(left), _count(low)), NUMBER), line=info),
        )
        body = (
            t.Assign(low, t.Extreme(_var(stock), it, held, False, type=items.type), line=info),
            t.If(op("less", (_var(left), _count(low)), TRUTH), some, everybody, line=info),
        )
        none_left = op("at-most", (_var(left), t.Lit(0, type=NUMBER)), TRUTH)
        loop = t.RepeatUntil(_var(left), none_left, body, line=info)
        any_ = op("and", (op("not", (none_left,), TRUTH), op("any-of", (_var(stock),), TRUTH)), TRUTH)
        start: Steps = [t.Assign(stock, items, line=info), t.Assign(left, amount, line=info)]
        return [*start, t.If(any_, (loop,), (), line=info)]

    def deal_out(
        self, clause: n.DealsOut, items: t.Expr, one: t.Variable, address: str, at: Scalar, info: LineInfo, scope: Scope
    ) -> tuple[t.Expr, t.Variable, Steps, Steps]:
        """Lower a loop that deals. Return its items, the variable of a portion, the steps before the loop, and the
        steps at the start of each round.

        Who gets the remainder is chosen at the address of the loop; which items each gets, at the address of the
        portion.
        """
        own_info = self.frame.info(f"{address}.{clause.name.text}", info.where, info.cites)
        if scope.name(clause.name.text) is not None or clause.name.text == one.name:
            span = at.at(clause.name.start, clause.name.end)
            self.problems.add("N004", span, name=clause.name.text, label="this name is taken")
        who = self.expressions.questions.chooser(clause.who, at, scope)
        pool = self.expect.expr(clause.pool, at, scope)
        if pool.type.name not in ("things", "figures", "rows"):
            pool = self.expect.number(clause.pool, at, scope)
        portion = t.Variable(clause.name.text, pool.type)
        if "any" in (items.type.name, pool.type.name):
            portion.type = ANY
            return items, portion, [], []
        those = t.Variable("those?", items.type)
        left = t.Variable("pool?", pool.type)
        each = t.Variable("each?", NUMBER)
        lucky = t.Variable("lucky?", items.type)
        portions = t.Variable("portions?", Type("list"))
        turn = t.Variable(f"{one.name}?", one.type)
        part = t.Variable("part?", pool.type)
        many = _var(left) if pool.type == NUMBER else _count(left)
        odd = op("remainder", (many, _count(those)), NUMBER)
        single = op("only", (_var(turn),), items.type)
        is_in = op("in-figures" if one.type.name == "figure" else "in", (_var(turn), _var(lucky)), TRUTH)
        more = t.IfElse(is_in, t.Lit(1, type=NUMBER), t.Lit(0, type=NUMBER), type=NUMBER)
        size = op("add", (_var(each), more), NUMBER)
        dealt: Steps = [t.Assign(part, size, line=info)]
        if pool.type != NUMBER:
            taken = op("without", (_var(left), _var(part)), pool.type)
            dealt = [
                t.Assign(part, self._choice_of(who, size, left, clause.usually, at, scope), line=own_info),
                t.Assign(left, taken, line=info),
            ]
        dealing = (
            *dealt,
            t.Assign(lucky, op("without", (_var(lucky), single), items.type), line=info),
            t.Assign(portions, op("and-portion", (_var(portions), _var(turn), _var(part)), portions.type), line=info),
        )
        before: Steps = [
            t.Assign(those, items, line=info),
            t.Assign(left, pool, line=info),
            t.Assign(each, op("whole-part", (many, _count(those)), NUMBER), line=info),
            t.Assign(lucky, self._choice_of(who, odd, those, clause.favoured, at, scope), line=info),
            t.Assign(portions, t.Lit((), type=portions.type), line=info),
            t.ForEach(turn, _var(those), dealing, line=info),
        ]
        own = (_var(portions), t.Var(one, type=one.type))
        first: Steps = [
            t.Assign(portion, op("portion", own, pool.type), line=own_info),
            t.Assign(portions, op("other-portions", own, portions.type), line=info),
        ]
        return _var(those), portion, before, first

    def _several(self, node: n.Expr, at: Scalar, scope: Scope) -> t.Expr | None:
        items = self.expect.collection(node, at, scope)
        if items.type.name in ("things", "figures"):
            return items
        if items.type.name != "any":
            self.expect.wrong(items, at, node, "several things")
        return None

    def _item(self, items: t.Expr, scope: Scope) -> tuple[t.Variable, Scope]:
        it = t.Variable("it", item_type(items.type))
        card = t.Var(it, type=it.type)
        return it, Scope(scope, {"it": card}, card=card, card_name="it", pure=True)

    def _choice_of(
        self,
        who: t.Expr,
        count: t.Expr,
        items: t.Variable,
        usually: tuple[n.Preference, ...],
        at: Scalar,
        scope: Scope,
    ) -> t.Expr:
        """A choice of exactly `count` of `items`; the preferences after `usually` order them."""
        it, inner = self._item(_var(items), scope)
        card = t.Var(it, type=it.type)
        order = [
            self.expressions.questions.preference(w, card, at, inner) for w in usually if not isinstance(w, n.Keyword)
        ]
        return t.Choose(who, count, count, _var(items), it, None, None, tuple(order), False, type=items.type)


def _var(variable: t.Variable) -> t.Expr:
    return t.Var(variable, type=variable.type)


def _count(variable: t.Variable) -> t.Expr:
    return op("count", (_var(variable),), NUMBER)
