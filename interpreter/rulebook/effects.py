"""Checks statements with an effect: gains, loses, becomes, leaves, moves, calls, and creating things.

Input: syntax of statements. Output: typed effect steps.
"""

from __future__ import annotations

import re

from interpreter.document.nodes import Scalar
from interpreter.language import nodes as n
from interpreter.source import Fix
from interpreter.vocabulary.types import ANY, INCHES, NUMBER, TRUTH, Type

from . import typed as t
from .book import plural
from .construct import NUMERIC, item_type, negate, op
from .expressions import Expressions
from .frame import Frame, Steps
from .mark_limits import limit_of
from .marks_between import change, lose_all, new_bearers, report_missing_other
from .scope import Scope, find_attribute
from .symbols import Attribute, Kind, LineInfo, Table
from .weaving import Weaving


class Effects:
    """Checks the statements with an effect in one procedure; a wrong one is reported and gives no steps."""

    def __init__(self, frame: Frame, expressions: Expressions, weaving: Weaving) -> None:
        self.frame, self.expressions, self.env = frame, expressions, expressions.env
        self.problems, self.expect, self.definitions = self.env.problems, expressions.expect, expressions.definitions
        self.weaving = weaving

    def change(self, node: n.Change, at: Scalar, info: LineInfo, scope: Scope) -> Steps:
        subject = self.expect.expr(node.subject, at, scope)
        if subject.type.name == "any":
            return []
        if subject.type.name not in ("thing", "figure", "things", "figures"):
            text = at.text[node.subject.start : node.subject.end]
            hint = _row_sum_hint(node, at, text, subject.type)
            if isinstance(subject, t.FactOf):
                hint = f"what the table told becomes another: `{text} becomes …`"
            self.expect.wrong(subject, at, node.subject, "something that can have a mark", hint)
            return []
        kind: Kind = subject.type.of
        if node.what is None:
            return self.mark(node, subject, kind, at, info, scope)
        verb = re.compile(r" *(\w+)").match(at.text, node.subject.end)
        text = verb[1] if verb is not None else "gains"
        attribute = self.number_on_card(kind, node.what, at, self._row_set_hint(node, kind, at), text)
        if attribute is None:
            return []
        if node.amount is None:
            return self._lose_all(subject, attribute, info)
        amount = self.expect.number(node.amount, at, scope)
        return [t.AddAttr(subject, attribute, amount, 1 if node.gains else -1, line=info)]

    def _lose_all(self, subject: t.Expr, attribute: Attribute, info: LineInfo) -> Steps:
        """Steps that set a number to 0; None stays None."""
        nothing = t.Lit(0, type=attribute.type)
        if not attribute.optional:
            return [t.SetAttr(subject, attribute, nothing, line=info)]

        def counted(one: t.Expr) -> t.Expr:
            return negate(op("absent", (t.Attr(one, attribute, type=attribute.type),), TRUTH), True)

        if not subject.type.many:
            return [t.If(counted(subject), (t.SetAttr(subject, attribute, nothing, line=info),), (), line=info)]
        each = t.Variable("it", item_type(subject.type))
        those = t.Filter(subject, each, counted(t.Var(each, type=each.type)), type=subject.type)
        return [t.SetAttr(those, attribute, nothing, line=info)]

    def _row_set_hint(self, node: n.Change, kind: Kind, at: Scalar) -> str | None:
        """A hint for `unit gains gash` if the unit has a set of rows that includes `gash`."""
        row = at.text[node.amount.start : node.amount.end] if node.amount is not None else ""
        sets = [a for s in kind.sorts() for a in s.all_attributes() if a.type.name == "rows" and row in a.type.of.rows]
        named = [a for a in sets if node.what is None or node.what.text == a.name]
        subject = at.text[node.subject.start : node.subject.end]
        return _row_sum_hint(node, at, f"{subject}.{named[0].name}", named[0].type) if named else None

    def number_on_card(
        self, kind: Kind, what: n.Name, at: Scalar, hint: str | None = None, verb: str = "gains"
    ) -> Attribute | None:
        """The number attribute of this name or its plural; None after reporting that there is none, with `hint`."""
        name = what.text
        attribute = find_attribute(kind, name) or find_attribute(kind, plural(name))
        if attribute is None and plural(name) in self.problems.lost:
            return None
        if attribute is None or attribute.type.name not in ("number", "inches"):
            known = [a.name for s in kind.sorts() for a in s.all_attributes() if a.type.name == "number"]
            mark = attribute is not None and attribute.type == TRUTH
            instead = f"`{name}` is a mark, and is not counted: `{verb} {name}`" if mark else hint
            self.expressions.unknown.tell(name, at, what, f"number on the card of a {kind.name}", known, instead)
            return None
        return attribute

    def mark(self, node: n.Change, subject: t.Expr, kind: Kind, at: Scalar, info: LineInfo, scope: Scope) -> Steps:
        assert node.amount is not None
        if isinstance(node.amount, n.Related | n.Banded):
            return self.mark_with(node, node.amount, subject, kind, at, info, scope)
        part = node.amount.parts[0] if isinstance(node.amount, n.Path) and len(node.amount.parts) == 1 else None
        if part is not None and part.args:
            words = f"`{part.name}` takes nothing in brackets; a clause is written `[14]`"
            self.problems.add(
                "T007", at.at(part.start, part.end), name=part.name, wanted="nothing", found="something", hint=words
            )
            return []
        attribute = find_attribute(kind, part.name) if part is not None else None
        if attribute is None and part is not None and (chosen := self._mark_cell(node, at, scope)) is not None:
            return self.mark_of_row(chosen, subject, kind, node.gains, info)
        if attribute is None and isinstance(node.amount, n.Path) and len(node.amount.parts) > 1:
            chosen = self._mark_cell(node, at, scope)
            if chosen is not None:
                return self.mark_of_row(chosen, subject, kind, node.gains, info)
        if attribute is not None and attribute.between and part is not None:
            return self.mark_between(node, part, subject, attribute, at, info, scope)
        if attribute is None or attribute.type != TRUTH:
            known = [a.name for s in kind.sorts() for a in s.all_attributes() if a.type == TRUTH]
            if part is None:
                numbers = [a.name for s in kind.sorts() for a in s.all_attributes() if a.type.name == "number"]
                example = f", as in `{kind.name} gains 1 {numbers[0]}`" if numbers else ""
                self.problems.add(
                    "T008",
                    at.at(node.amount.start, node.amount.end),
                    kind=kind.name,
                    hint=f"say what{example}",
                )
            else:
                verb = "gains" if node.gains else "loses"
                advice = f"`{part.name}` is a number: say how many, `{verb} 1 {part.name}`"
                counted = attribute is not None and attribute.type.name in ("number", "inches")
                hint = advice if counted else self._row_set_hint(node, kind, at)
                self.expressions.unknown.tell(part.name, at, part, f"mark of a {kind.name}", known, hint)
            return []
        return self.set_mark(subject, attribute, node.gains, info, scope)

    def mark_between(
        self, node: n.Change, part: n.Part, subject: t.Expr, mark: Attribute, at: Scalar, info: LineInfo, scope: Scope
    ) -> Steps:
        """`unit loses locked`: lose it with all others. Gaining it without another thing is reported."""
        if node.gains:
            subject_said = at.text[node.subject.start : node.subject.end]
            report_missing_other(self.problems, mark, at, part, f"{subject_said} gains {mark.name} {mark.word} …")
            return []
        evaluated, one = self._evaluated_once(subject, mark.name, info)
        return [*evaluated, *lose_all(one, mark, info)]

    def mark_with(
        self,
        node: n.Change,
        relation: n.Related | n.Banded,
        subject: t.Expr,
        kind: Kind,
        at: Scalar,
        info: LineInfo,
        scope: Scope,
    ) -> Steps:
        """`unit gains locked with target`."""
        conditions = self.expressions.conditions
        one = t.Var(t.Variable("it", Type("thing", kind)), type=Type("thing", kind))
        mark = conditions.between(relation, one)
        if mark is None:
            self._no_mark_with(relation, kind, at, scope)
            return []
        whom = conditions.other_thing(relation, mark, at, scope)
        if whom is None:
            return []
        evaluated, gainers = self._evaluated_once(subject, mark.name, info)
        with_whom, other = self._evaluated_once(whom, f"{mark.name} {mark.word}", info)
        done = change(gainers, mark, other, node.gains, info)
        hooks = self.env.moments.of_mark(mark) if node.gains else []
        if not hooks:
            return [*evaluated, *with_whom, *done]
        beginning = new_bearers(gainers, mark, other)
        kept = t.Variable(f"?new-{mark.name}", beginning.type)
        steps: Steps = [*evaluated, *with_whom, t.Assign(kept, beginning, line=info), *done]
        for hook in hooks:
            hook.used = True
            who = t.Var(kept, type=kept.type, where=subject.where)
            steps += self.weaving.after_mark(hook, who, info, scope)
        return steps

    def _no_mark_with(self, relation: n.Related | n.Banded, kind: Kind, at: Scalar, scope: Scope) -> None:
        """Report that a kind has no such mark between two, unless the expression itself is wrong."""
        name = relation.mark if isinstance(relation, n.Related) else relation.cell
        part = name.parts[-1] if isinstance(name, n.Path) else None
        if part is None or self.expect.expr(relation, at, scope).type != TRUTH:
            return
        known = [a.name for s in kind.sorts() for a in s.all_attributes() if a.type == TRUTH or a.between]
        self.expressions.unknown.tell(part.name, at, part, f"mark of a {kind.name}", known)

    def _evaluated_once(self, e: t.Expr, name: str, info: LineInfo) -> tuple[Steps, t.Expr]:
        """Steps that evaluate `e` into a variable before the effect, which may change its value; and the variable."""
        if isinstance(e, t.Var):
            return [], e
        kept = t.Variable(f"?{name}", e.type)
        return [t.Assign(kept, e, line=info)], t.Var(kept, type=e.type, where=e.where)

    def _mark_cell(self, node: n.Change, at: Scalar, scope: Scope) -> t.Expr | None:
        """`unit gains action.gains`: the expression for a mark named by a table cell; None if it is not one."""
        if not isinstance(node.amount, n.Path):
            return None
        if len(node.amount.parts) == 1 and not any(
            self.expressions.unknown.cards.has(card, node.amount.parts[0].name) for card, _ in scope.cards()
        ):
            if scope.name(node.amount.parts[0].name) is None:
                return None
        e = self.expect.expr(node.amount, at, scope)
        return e if e.type.name in ("row", "any") else None

    def mark_of_row(self, chosen: t.Expr, subject: t.Expr, kind: Kind, gains: bool, info: LineInfo) -> Steps:
        steps: Steps = []
        if chosen.type.name == "any":
            return steps
        table: Table = chosen.type.of
        for name, row in table.rows.items():
            attribute = find_attribute(kind, name)
            if attribute is not None and attribute.type == TRUTH:
                is_it = op("same", (chosen, t.Lit(row.index, type=chosen.type)), TRUTH)
                then = self.set_mark(subject, attribute, gains, info, self.frame.scope)
                steps.append(t.If(is_it, tuple(then), (), line=info))
        return steps

    def set_mark(self, subject: t.Expr, attribute: Attribute, gains: bool, info: LineInfo, scope: Scope) -> Steps:
        hooks = self.env.moments.of_mark(attribute) if gains else []
        steps: Steps = []
        fitting = self._within_limit(subject, attribute) if gains else subject
        if fitting is not subject or ((hooks or attribute.fresh is not None) and not isinstance(subject, t.Var)):
            # Evaluate the subject once, before the effect, which may change the value of the expression.
            kept = t.Variable(f"?{attribute.name}", subject.type)
            steps.append(t.Assign(kept, fitting, line=info))
            subject = t.Var(kept, type=subject.type, where=subject.where)
        if hooks:
            gained = self._without_mark(subject, attribute)
            kept = t.Variable(f"?new-{attribute.name}", gained.type)
            steps.append(t.Assign(kept, gained, line=info))
        for mark in (attribute, attribute.fresh) if attribute.fresh is not None else (attribute,):
            steps.append(t.SetAttr(subject, mark, _truth(gains), line=info))
        for hook in hooks:
            hook.used = True
            steps += self.weaving.after_mark(hook, t.Var(kept, type=kept.type, where=subject.where), info, scope)
        return steps

    def _without_mark(self, subject: t.Expr, mark: Attribute) -> t.Expr:
        """The members of `subject` without the mark."""
        if subject.type.name in ("thing", "figure"):
            subject = op("only", (subject,), Type(subject.type.name + "s", subject.type.of))
        one = t.Variable("it", item_type(subject.type))
        has_it = t.Attr(t.Var(one, type=one.type), mark, type=TRUTH)
        return t.Filter(subject, one, op("not", (has_it,), TRUTH), type=subject.type)

    def _within_limit(self, subject: t.Expr, mark: Attribute) -> t.Expr:
        """The subject, restricted to the figures that may still gain a limited mark."""
        limit = mark.ending.limit if mark.ending is not None else None
        holder = mark.kind.held_in()
        if limit is None or holder is None or subject.type.name not in ("figure", "figures"):
            return subject
        made = limit_of(self.expressions, mark, limit, holder)
        if made is None:
            return subject
        return t.Fitting(subject, mark, made[1], made[0], type=subject.type, where=subject.where)

    def becomes(self, node: n.Becomes, at: Scalar, info: LineInfo, scope: Scope) -> Steps:
        target = self.expect.expr(node.subject, at, scope)
        if target.type.name == "any":
            self._value(node.value, at, scope, None)
            return []
        value = self._value(node.value, at, scope, target.type)
        if isinstance(target, t.Attr):
            value = self.expect.fitting(value, target.type, at, node.value)
            return self._set(target.of, target.attribute, value, info)
        if isinstance(target, t.Each) and isinstance(target.value, t.Attr):
            value = self.expect.fitting(value, target.value.type, at, node.value)
            return self._set(target.items, target.value.attribute, value, info)
        if isinstance(target, t.FactOf):
            return self._set_fact(target, target.args[0], value, node, at, info)
        if isinstance(target, t.Each) and isinstance(target.value, t.FactOf):
            return self._set_fact(target.value, target.items, value, node, at, info)
        if isinstance(target, t.Holder):
            value = self.expect.fitting(value, target.type, at, node.value)
            return [t.Rehome(target.of, value, line=info)]
        if isinstance(target, t.Each) and isinstance(target.value, t.Holder):
            value = self.expect.fitting(value, target.value.type, at, node.value)
            return [t.Rehome(target.items, value, line=info)]
        if isinstance(target, t.Var):
            value = self.expect.fitting(value, target.type, at, node.value)
            return [t.Assign(target.variable, value, line=info)]
        self.problems.add("P011", at.at(node.subject.start, node.subject.end), label="this is worked out, not kept")
        return []

    def _set_fact(
        self, target: t.FactOf, of: t.Expr, value: t.Expr, node: n.Becomes, at: Scalar, info: LineInfo
    ) -> Steps:
        """`distance(unit, target) becomes 0"`: the step that sets a fact, which replaces its stated value from then on.
        """
        counted = next((k for a in target.args if isinstance(k := a.type.of, Kind) and k.counted), None)
        if counted is not None:  # equal figures are only counted, so facts are stated of their holder
            hint = f"keep it on their card: `add to {counted.name}:`, and `{target.fact.name}-now: …` below it"
            label = f"it is told of a {counted.name}, and these are counted"
            self.problems.add("P011", at.at(node.subject.start, node.subject.end), label=label, hint=hint)
            return []
        value = self.expect.fitting(value, target.type, at, node.value)
        target.fact.changes = True
        return [t.SetFact(of, target.fact, target.args[1:], value, line=info)]

    def _set(self, of: t.Expr, attribute: Attribute, value: t.Expr, info: LineInfo) -> Steps:
        """Steps that set an attribute; a limited mark is gained only within the limit."""
        plain: Steps = [t.SetAttr(of, attribute, value, line=info)]
        fitting = self._within_limit(of, attribute)
        if fitting is of:
            return plain
        kept = t.Variable(f"?{attribute.name}", of.type)
        gainers = t.Var(kept, type=of.type, where=of.where)
        gained: Steps = [t.Assign(kept, fitting, line=info), t.SetAttr(gainers, attribute, _truth(True), line=info)]
        return [t.If(value, tuple(gained), (t.SetAttr(of, attribute, _truth(False), line=info),), line=info)]

    def _value(self, node: n.Node, at: Scalar, scope: Scope, want: Type | None) -> t.Expr:
        if isinstance(node, n.Pick):
            return self.expressions.questions.pick(node, at, scope)
        if isinstance(node, n.PickNumber):
            return self.expressions.questions.pick_number(node, at, scope)
        return self.expect.expr(node, at, scope, want)

    def moves(self, node: n.Moves, at: Scalar, info: LineInfo, scope: Scope) -> tuple[Steps, t.Expr | None]:
        subject = self.expect.expr(node.subject, at, scope)
        amount: t.Expr | None = None
        if node.amount is not None:
            amount = self.expect.number(node.amount, at, scope, INCHES)
            dice = any(isinstance(x, t.Throw) for x in _walk(amount))
            if amount.type == NUMBER and not dice and not (isinstance(amount, t.Lit) and amount.value == 0):
                if not isinstance(node.amount, n.Path):
                    fix = None
                    if isinstance(node.amount, n.Number):
                        span = at.at(node.amount.start, node.amount.end)
                        fix = Fix(span, f'{span.text}"', False, f'write `{span.text}"`')
                    self.expect.wrong(amount, at, node.amount, "a distance in inches", 'inches are written `6"`', fix)
        goal = self.expect.expr(node.way.goal, at, scope) if node.way and node.way.goal else None
        what = ("moves up to" if node.up_to else "moves") + (f" {node.way.kind}" if node.way else "")
        if amount is not None and amount.type.name in NUMERIC and not _surely_positive(amount):
            amount = op("max", (amount, t.Lit(0, type=amount.type)), amount.type)  # a distance is not negative
        variable = t.Variable(info.address, INCHES)
        shown = t.Var(variable, type=INCHES) if amount is not None else None
        how_far: Steps = [t.Assign(variable, amount, line=info)] if amount is not None else []
        first: Steps = []
        far = amount  # a move of 0" does not trigger hooks
        if shown is not None and amount is not None and not _surely_positive(amount) and _has_site(amount):
            first, how_far, far = how_far, [], shown  # throw before the hooks, because the dice decide whether it moves
        before = self._move_hooks("before", subject, far, info, scope)
        after = self._move_hooks(
            "after", subject, shown if amount is not None and not _surely_positive(amount) else None, info, scope
        )
        if isinstance(amount, t.Lit) and not amount.value:
            before = after = []
        return [*first, *before, *how_far, t.Tell(what, subject, shown, goal, line=info), *after], shown

    def _move_hooks(self, when: str, subject: t.Expr, far: t.Expr | None, info: LineInfo, scope: Scope) -> Steps:
        """The steps of hooks before or after a move, guarded by a distance above zero."""
        steps: Steps = []
        if subject.type.name == "thing":
            for hook in self.env.moments.at("move", when):
                steps += self.weaving.end_mark(hook, subject, subject.type.of, info, scope)
        if not steps or far is None or _surely_positive(far):
            return steps
        some = op("more", (far, t.Lit(0, type=far.type)), TRUTH)
        return [t.If(some, tuple(steps), (), line=info)]

    def made(self, node: n.Made, at: Scalar, info: LineInfo, scope: Scope) -> tuple[Steps, t.Expr | None]:
        kind = self.expressions.conditions.is_a_kind(node.kind, at)
        if kind is None:
            return [], t.Lit(-1, type=ANY)
        if kind.counted:
            self.problems.add(
                "T019",
                at.at(node.kind.start, node.kind.end),
                kind=kind.name,
                label="these are counted",
                hint="who may come later is there from the beginning, out of play",
            )
            return [], t.Lit(-1, type=ANY)
        given: list[tuple[Attribute, t.Expr]] = []
        for g in node.given:
            attribute = kind.find(g.name)
            if attribute is None:
                name = n.Name(g.start, g.start + len(g.name), g.name)
                self.expressions.unknown.tell(
                    g.name, at, name, f"attribute of a {kind.name}", [a.name for a in kind.all_attributes()]
                )
                continue
            if attribute.between:
                place = n.Name(g.start, g.value.end, g.name)
                report_missing_other(
                    self.problems, attribute, at, place, f"… gains {attribute.name} {attribute.word} …"
                )
                continue
            value = self.expect.fitting(
                self.expect.expr(g.value, at, scope, attribute.type), attribute.type, at, g.value
            )
            given.append((attribute, value))
        source = self.expect.expr(node.source, at, scope) if node.source is not None else None
        if source is not None and node.source is not None and source.type.name not in ("thing", "any"):
            self.expect.wrong(source, at, node.source, "one thing")
            source = None
        variable = t.Variable(info.address, Type("thing", kind))
        return [t.New(variable, kind, tuple(given), source, line=info)], t.Var(variable, type=variable.type)


def _truth(value: bool) -> t.Lit:
    return t.Lit(value, type=TRUTH)


def _walk(e: t.Expr) -> list[t.Expr]:
    found = [e]
    if isinstance(e, t.Op):
        for a in e.args:
            found += _walk(a)
    return found


def _has_site(amount: t.Expr) -> bool:
    """Whether the amount depends on dice or a choice."""
    return any(isinstance(part, t.SITES) for part in t.parts(amount))


def _surely_positive(amount: t.Expr) -> bool:
    """Whether the amount is always positive: a literal distance, or a sum of dice."""
    if isinstance(amount, t.Op) and amount.name == "sum-faces":
        amount = amount.args[0]
    if isinstance(amount, t.Throw):
        return isinstance(amount.count, t.Lit) and amount.count.value > 0
    return isinstance(amount, t.Lit) and amount.value is not None and amount.value > 0


def _row_sum_hint(node: n.Change, at: Scalar, text: str, type_: Type) -> str | None:
    """A hint on how to change a set of rows: `unit.wounds becomes unit.wounds + gash`."""
    if type_.name != "rows" or node.amount is None:
        return None
    row = at.text[node.amount.start : node.amount.end]
    return f"a set of rows becomes another one: `{text} becomes {text} {'+' if node.gains else '-'} {row}`"
