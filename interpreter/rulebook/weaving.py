"""Weaves rules and mark endings into a procedure, a line, a move or a gained mark; and builds loops for them.

Takes hooks, and the function that checks the lines inside a loop; returns their steps, at the moment that they name.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from interpreter.document.nodes import Entry, Scalar
from interpreter.language import nodes as n
from interpreter.rulebook import typed as t
from interpreter.source import Problems
from interpreter.vocabulary.addresses import place_of
from interpreter.vocabulary.types import TRUTH, Type

from .construct import item_type, op
from .definitions import cited
from .expressions import Expressions
from .frame import Frame, Steps, join_run, publish_rule
from .marks_between import lose_all, stored_others
from .run_conditions import BLOCK
from .scope import Lines, Scope
from .symbols import Attribute, Hook, Kind, LineInfo, MomentDef, RuleDef, Where


class Loops:
    """Builds loop steps, with a total outside the loop for each line inside it."""

    def __init__(self, frame: Frame) -> None:
        self.frame, self.definitions = frame, frame.definitions

    def loop(
        self,
        scope: Scope,
        names: dict[str, t.Expr],
        info: LineInfo,
        inside: Callable[[Scope], Steps],
        build: Callable[[tuple[t.Step, ...]], t.Step],
        by_rule: bool = False,
    ) -> Steps:
        """The steps of a loop. `by_rule`: the loop applies a rule for each thing, and is not a line of a procedure."""
        inner = Scope(scope, names, Lines(), pure=False)
        body = inside(inner)
        lines = inner.lines
        assert lines is not None
        totals: list[tuple[t.Variable, t.Variable]] = []
        theirs: set[t.Variable] = set()  # totals of rules' lines, which run only where a rule applies
        after: Steps = []
        for address, variable in lines.all().items():
            total = t.Variable(variable.name, variable.type)
            if variable.type.name == "dice":
                total.type = Type("dice")
            totals.append((total, variable))
            if by_rule or address in lines.brought or address in lines.runs:
                theirs.add(total)
            else:
                self.definitions.found.totals.add(total)
            if scope.lines is None:
                continue
            if address in lines.joined:
                after += join_run(scope.lines, address, total, info)
            elif address in lines.runs:
                scope.lines.run(address, total)
            elif address in lines.brought:
                scope.lines.add_rule_line(address, total)
            else:
                scope.lines.add(address, total)
        if scope.lines is not None:
            scope.lines.add_deeds(*lines.deeds)
            scope.lines.shared.update(lines.shared)
            scope.lines.seen.update(lines.seen)
            scope.lines.givers.update(lines.givers)
            scope.lines.brought.update(lines.brought.intersection(lines.done))
            totals += [(scope.lines.deed_variable(address), done) for address, done in lines.done.items()]
        fresh = tuple(v for _, v in totals)
        own = self.frame.own_address(info)  # the loop itself counts as run, even with no rounds
        theirs |= {total for total, v in totals if v.type == BLOCK and v.name != own}
        counted = [
            t.Accumulate(total, v, by_rule=total in theirs, line=info) for total, v in totals if v.type.name != "any"
        ]
        step = build((t.Reset(fresh, line=info), *body, *counted))
        return [t.Reset(tuple(total for total, _ in totals), line=info), step, *after]


def endless_totals(e: t.Expr, totals: set[t.Variable], some: bool, problems: Problems) -> None:
    """Report an `until` condition that reads a collection of all rounds other than to ask whether it has members.

    Such a collection only grows, so the state would never repeat.
    """
    if isinstance(e, t.Op) and e.name in ("and", "or", "not"):
        for part in e.args:
            endless_totals(part, totals, some is not (e.name == "not"), problems)
        return
    if some and isinstance(e, t.Op) and e.name == "any-of" and isinstance(e.args[0], t.Var):
        return
    for part in t.parts(e):
        if isinstance(part, t.Var) and part.variable in totals and part.where is not None:
            if part.type.many or part.type.name == "dice":
                name = part.where.text
                hint = f"give the round a line `settled: …` that speaks of `{name}`, and say `until settled`"
                problems.add("P016", part.where.span, name=name, label="of every round so far", hint=hint)


Sentence = Callable[[Scalar, str, LineInfo, Scope], tuple[Steps, t.Variable | None]]
Block = Callable[[list[tuple[Entry, str]], Scope, str], Steps]


class Weaving:
    """Builds the steps of hooks: rules, and ends of marks. `sentence` and `block` check the lines of a rule."""

    def __init__(self, frame: Frame, expressions: Expressions, loops: Loops, sentence: Sentence, block: Block) -> None:
        self.frame, self.expressions, self.env = frame, expressions, expressions.env
        self.problems, self.expect, self.definitions = self.env.problems, expressions.expect, expressions.definitions
        self.loops, self._sentence, self._block = loops, sentence, block

    def hook_steps(self, when: str, address: str, scope: Scope, info: LineInfo) -> Steps:
        """Return the steps of all hooks with `when` at an address of the current procedure."""
        ends, rules = self.ends_and_rules(when, address, scope, info)
        return [*ends, *rules]

    def ends_and_rules(self, when: str, address: str, scope: Scope, info: LineInfo) -> tuple[Steps, Steps]:
        """Return the steps of the same hooks, apart: marks end before rules apply."""
        ends: Steps = []
        rules: Steps = []
        for hook in self.env.moments.at(self.frame.symbol.name, when, address):
            made: Steps = []
            if hook.mark is not None:
                ends += (made := self.end_here(hook, scope, info))
            elif hook.rule is not None:
                rules += (made := self.rule(hook.rule, scope, info, hook=hook))
            hook.used = hook.used or bool(made)
        return ends, rules

    def end_here(self, hook: Hook, scope: Scope, info: LineInfo) -> Steps:
        """Return the steps that end a mark of the hook's role, or of the procedure's subject."""
        if hook.moment.role is not None:
            subject = self._role_subject(hook, scope)
        else:
            subject = scope.name(self.frame.symbol.params[0].name) if self.frame.symbol.params else None
        if subject is None:
            return []
        return self.end_mark(hook, subject, subject.type.of, info, scope)

    def moment(self, span: str, verb: str, info: LineInfo, scope: Scope) -> Steps:
        """Return the steps of the hooks at the beginning or end of a turn or battle."""
        steps: Steps = []
        for hook in self.env.moments.at(span, "before" if verb == "begins" else "after"):
            if hook.mark is not None:
                steps += self._end_for_all(hook, info, scope)
            elif hook.rule is not None:
                steps += self.rule(hook.rule, scope, info, hook=hook)
        return steps

    def lasting(self, body: Steps, info: LineInfo) -> Steps:
        """Return the body of a procedure with the hooks of its moments before and after it. If the procedure belongs to
        a moment only through a mark, the hooks run only if that moment is not going on already.
        """
        for moment, always in self.env.moments.declared(self.frame.symbol, body).items():
            outer = t.Variable(f"{moment.name} goes on?", TRUTH)
            goes_on = t.Var(outer, type=TRUTH)
            kept = t.Assign(outer, t.Ongoing(moment, type=TRUTH), line=info)
            begun = t.SetOngoing(moment, t.Lit(True, type=TRUTH), line=info)
            first: Steps = [*self._at_moment(moment, "before", info), begun]
            last: Steps = [t.SetOngoing(moment, goes_on, line=info), *self._at_moment(moment, "after", info)]
            if not always:
                first = [t.If(goes_on, (), tuple(first), line=info)]
                last = [t.If(goes_on, (), tuple(last), line=info)]
            body = [kept, *first, *body, *last]
        return body

    def _at_moment(self, moment: MomentDef, when: str, info: LineInfo) -> Steps:
        """The steps of the hooks before or after a declared moment; a rule sees its actor, but no line of the
        procedure.
        """
        hooks = [hook for hook in self.env.moments.at(moment.name, when) if hook.moment.role is None]
        alone, actor = Scope(None, {}, None, None, "", pure=False), self._actor(moment)
        steps: Steps = []
        if actor is not None and not isinstance(actor, t.Var) and any(hook.rule is not None for hook in hooks):
            kept = t.Variable("?actor", actor.type)
            steps.append(t.Assign(kept, actor, line=info))
            actor = t.Var(kept, type=kept.type)
        for hook in hooks:
            hook.used = True
            if hook.mark is not None:
                steps += self._end_for_all(hook, info, alone)
            elif hook.rule is not None:
                steps += self.rule(hook.rule, alone, info, actor, hook, self.frame.scope.lines)
        return steps

    def _actor(self, moment: MomentDef) -> t.Expr | None:
        """The actor of a declared moment: the subject of the procedure if it is of the moment's kind, or its holder."""
        of = moment.kind
        if of is None:
            return None
        nobody = t.Lit(-1, type=Type("thing", of))
        subject = self.frame.scope.name(self.frame.symbol.params[0].name) if self.frame.symbol.params else None
        if subject is None or subject.type.name not in ("thing", "figure"):
            return nobody
        kind: Kind = subject.type.of
        if kind.counted and not of.counted and (held := kind.held_in()) is not None:
            subject, kind = t.Holder(subject, type=Type("thing", held)), held
        if kind.is_a(of) or not of.is_a(kind):
            return subject if kind.is_a(of) else nobody
        return t.IfElse(t.IsKind(subject, of, type=TRUTH), subject, nobody, type=nobody.type)

    def _end_for_all(self, hook: Hook, info: LineInfo, scope: Scope) -> Steps:
        """The steps that end a mark on everything that has it."""
        assert hook.mark is not None
        kind = hook.mark.kind
        holder = kind.held_in() if kind.counted else kind
        if holder is None:
            return []
        one = t.Variable(holder.name, Type("thing", holder))
        every = t.All(holder, None, type=Type("things", holder))
        ends = self.end_mark(hook, t.Var(one, type=one.type), holder, info, scope)
        if len(ends) == 1 and isinstance(ends[0], t.SetAttr) and not kind.counted:  # one step instead of a loop
            return [t.SetAttr(every, hook.mark, ends[0].value, line=ends[0].line)]
        return [t.ForEach(one, every, tuple(ends), line=info)]

    def _role_subject(self, hook: Hook, scope: Scope) -> t.Expr | None:
        """The parameter that a hook's role names; None after reporting that there is none."""
        role = hook.moment.role
        assert role is not None
        subject = scope.name(role.text)
        if subject is None:
            known = [p.name for p in self.frame.symbol.params]
            hook.used = True  # the mistake is reported here, not as an idle hook
            self.expressions.unknown.tell(role.text, hook.scalar, role, f"part in {self.frame.symbol.name}", known)
        return subject

    def end_mark(self, hook: Hook, subject: t.Expr, kind: Any, info: LineInfo, scope: Scope) -> Steps:
        """Return the steps that end the hook's mark on `subject`, or that apply its rule."""
        mark = hook.mark
        if mark is None:
            return self.rule(hook.rule, scope, info, subject, hook) if hook.rule is not None else []
        if not isinstance(kind, Kind):
            return []
        holder = mark.kind
        where = Where(hook.scalar, hook.moment.start, hook.moment.end)
        line = self.definitions.line_info(f"{mark.name} ends", where, mark.cites)
        of: t.Expr
        if subject.type.name == "thing" and not holder.counted and (kind.is_a(holder) or holder.is_a(kind)):
            of = subject
        elif subject.type.name == "thing" and holder.counted and holder.held_in() is not None:
            held = holder.held_in()
            if held is None or not (kind.is_a(held) or held.is_a(kind)):
                return []
            of = t.Bag(subject, holder, type=Type("figures", holder))
        elif subject.type.name in ("figure", "figures") and holder.counted:
            of = subject
        else:
            return []
        stale: t.Expr | None = None  # whether the mark was gained before the moment began
        if hook.moment.after_next and mark.fresh is not None:
            if of.type.name == "figures":
                one = t.Variable("it", Type("figure", of.type.of))
                old = op("not", (t.Attr(t.Var(one, type=one.type), mark.fresh, type=TRUTH),), TRUTH)
                of = t.Filter(of, one, old, type=of.type)
            else:
                stale = op("not", (t.Attr(of, mark.fresh, type=TRUTH),), TRUTH)
        steps: Steps = [t.SetAttr(of, mark, t.Lit(False, type=TRUTH), line=line)]
        if mark.between:
            steps = lose_all(of, mark, line)
        if stale is not None:
            steps = [t.If(stale, tuple(steps), (), line=line)]
        if subject.type.name == "thing" and not kind.is_a(holder) and not holder.counted:
            steps = [t.If(t.IsKind(subject, holder, type=TRUTH), tuple(steps), (), line=line)]
        ending = mark.ending
        if ending is not None and ending.condition is not None:
            inner = Scope(None, {**scope.every_name(), kind.name: subject}, card=subject, card_name=kind.name)
            steps = [t.If(self.expect.truth(ending.condition, hook.scalar, inner), tuple(steps), (), line=line)]
            steps = [t.If(_has(of, mark), tuple(steps), (), line=line)]  # only if it has the mark
        return steps

    def after_mark(self, hook: Hook, subject: t.Expr, info: LineInfo, scope: Scope) -> Steps:
        """Return the steps of a rule for each thing that gained a mark, or whose figures did."""
        rule = hook.rule
        assert rule is not None
        of = subject.type.of
        each = self.env.book.kinds.get(rule.each.text) if rule.each else None
        if subject.type.name in ("thing", "figure"):
            things = op("only", (subject,), Type(subject.type.name + "s", of))
        else:
            things = subject
        if things.type.name == "figures" and not (each is not None and each.counted):
            things = op("holders", (things,), Type("things", of.held_in()))
        kind: Kind = things.type.of
        if each is not None and not each.is_a(kind) and not kind.is_a(each):
            return []  # reported by `Moments.check`
        if each is not None and each is not kind and each.is_a(kind):  # only things of the derived kind
            one = t.Variable("it", item_type(things.type))
            is_it = t.IsKind(t.Var(one, type=one.type), each, type=TRUTH)
            things = t.Filter(things, one, is_it, type=Type(things.type.name, each))
            kind = each
        name = rule.each.text if rule.each else kind.name
        variable = t.Variable(name, item_type(things.type))
        card = t.Var(variable, type=variable.type)
        names = {k: v for k, v in scope.every_name().items() if k != "it"}
        lines = Lines()
        place = self._place(rule, hook.when, info)
        steps = self.loops.loop(
            Scope(None, {}, lines),
            {},
            info,
            lambda s: self.rule_body(rule, Scope(None, {**names, name: card}, s.lines, card, name, pure=False), place),
            lambda body: t.ForEach(variable, things, body, line=info),
            by_rule=True,
        )
        return publish_rule(lines, scope.lines or Lines(), place, steps, info)

    def rule(
        self,
        rule: RuleDef,
        scope: Scope,
        info: LineInfo,
        actor: t.Expr | None = None,
        hook: Hook | None = None,
        publish: Lines | None = None,
    ) -> Steps:
        """Return the steps of a rule in the scope of the moment; `actor` is the thing that acts there.

        They are run for each thing, or with `as target` for the one in that role. The lines of the rule are added to
        `publish`, else to those of the scope.
        """
        subject = actor
        if subject is None and publish is None and self.frame.symbol.params:
            subject = scope.name(self.frame.symbol.params[0].name)
        names = scope.every_name()
        if subject is not None:
            names["actor"] = subject
        outside = publish or scope.lines or Lines()
        lines = Lines()
        place = self._place(rule, hook.when, info) if hook is not None else ""
        if rule.each is None:
            card = subject
            name = self.frame.symbol.params[0].name if self.frame.symbol.params and publish is None else ""
            inner = Scope(scope, {"actor": subject} if subject else {}, lines, None, name, pure=False)
            return publish_rule(lines, outside, place, self.rule_body(rule, inner, place), info)
        kind = self.env.book.kinds.get(rule.each.text)
        if kind is None:
            self.expressions.unknown.tell(rule.each.text, rule.scalar, rule.each, "kind", self.env.book.kinds)
            if hook is not None:
                hook.used = True
            return []
        if kind.counted:
            return []  # reported by `Moments.check`
        variable = t.Variable(rule.each.text, Type("thing", kind))
        card = t.Var(variable, type=variable.type)
        items: t.Expr = t.All(kind, None, type=Type("things", kind))
        if hook is not None and hook.moment.role is not None:
            part = self._role_subject(hook, scope)
            if part is None:
                return []
            of = part.type.of
            if part.type.name != "thing" or not (of.is_a(kind) or kind.is_a(of)):
                hook.used = True
                self.expect.wrong(
                    part, hook.scalar, hook.moment.role, items.type.words().replace("several", "one of the")
                )
                return []
            items = op("only", (part,), Type("things", of))
            if not of.is_a(kind):
                one = t.Variable("it", part.type)
                is_it = t.IsKind(t.Var(one, type=one.type), kind, type=TRUTH)
                items = t.Filter(items, one, is_it, type=items.type)
        names[rule.each.text] = card
        there = Scope(None, names, scope.lines, card, rule.each.text, pure=False)
        steps = self.loops.loop(
            Scope(there, {}, lines, pure=False),
            {},
            info,
            lambda s: self.rule_body(rule, s, place),
            lambda body: t.ForEach(variable, items, body, line=info),
            by_rule=True,
        )
        return publish_rule(lines, outside, place, steps, info)

    def _place(self, rule: RuleDef, when: str, info: LineInfo) -> str:
        """The name of this place for a rule that may apply at several places of the procedure; otherwise empty."""
        if not any(self.env.moments.several(each) for each in (rule, *self.frame.weaving)):
            return ""
        return place_of(when, info.address.removeprefix(f"{self.frame.symbol.name}."))

    def rule_body(self, rule: RuleDef, scope: Scope, place: str) -> Steps:
        """Return the steps of a rule woven in at a place, or none after reporting that the rule triggers itself."""
        if rule in self.frame.weaving:
            self.problems.add("P013", rule.where.span, name=rule.name, label="what it does sets it off again")
            return []
        outside, self.frame.place = self.frame.place, f"{place}." if place else self.frame.place
        self.frame.weaving.append(rule)
        steps = self._rule_lines(rule, scope)
        self.definitions.found.woven[rule] = steps
        self.frame.weaving.pop()
        self.frame.place = outside
        return steps

    def _rule_lines(self, rule: RuleDef, scope: Scope) -> Steps:
        definition = self.env.book.pages.owners[rule]
        info = self.definitions.line_info(rule.name, rule.where, rule.cites)
        saved, self.frame.definition = self.frame.definition, definition
        if definition.text is not None:
            node = self.env.sentences.read(definition.text, "line", n.Line)
            where = Where(definition.text, 0, len(definition.text.text))
            cites = rule.cites + (cited(node.cites, definition.prefix) if node else ())
            if node:
                self.env.note(definition.text, node.cites, definition.prefix)
            line = (
                self.frame.info(rule.name, where, cites)
                if self.frame.place
                else self.definitions.line_info(rule.name, where, cites)
            )
            steps = self._sentence(definition.text, rule.name, line, scope)[0]
        else:
            steps = self._block(definition.entries, scope, f"{rule.name}.")
        self.frame.definition = saved
        if rule in self.frame.set_in:
            steps = [*steps, t.Assign(self.frame.set_in[rule], t.Lit(True, type=TRUTH), line=info)]
        if rule.condition is not None:
            condition = self.expect.truth(rule.condition, rule.scalar, scope)
            return [t.If(condition, tuple(steps), (), line=info)]
        return steps

    def replace_body(self, hook: Hook, body: Steps, info: LineInfo) -> Steps:
        """Return the body of a procedure replaced by a rule, except where the rule does not apply."""
        rule = hook.rule
        if rule is None:
            return body
        set_in = t.Variable(f"{rule.name} sets in?", TRUTH)
        conditional = rule.each is not None or (rule.condition is not None and bool(self._place(rule, hook.when, info)))
        if conditional:
            self.frame.set_in[rule] = set_in
        made = self.rule(rule, self.frame.scope, info, hook=hook)
        self.frame.set_in.pop(rule, None)
        hook.used = bool(made) or hook.used
        if conditional and made:  # the rule may apply to nothing; then the body runs as usual
            missed = op("not", (t.Var(set_in, type=TRUTH),), TRUTH)
            none_yet = t.Assign(set_in, t.Lit(False, type=TRUTH), line=info)
            return [none_yet, *made, t.If(missed, tuple(body), (), line=info)]
        last = made[-1] if made else None
        if isinstance(last, t.If) and rule.condition is not None:
            return [*made[:-1], t.If(last.condition, last.then, tuple(body), line=info)]
        return made


def _has(of: t.Expr, mark: Attribute) -> t.Expr:
    """Whether a thing has a mark, or whether any of several has it."""
    if mark.between:
        return op("any-of", (stored_others(of, mark),), TRUTH)
    if of.type.name == "figures":
        one = t.Variable("it", item_type(of.type))
        marked = t.Attr(t.Var(one, type=one.type), mark, type=TRUTH)
        return op("any-of", (t.Filter(of, one, marked, type=of.type),), TRUTH)
    return t.Attr(of, mark, type=TRUTH)
