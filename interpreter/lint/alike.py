"""Checks where the overlap of two groups of alike figures decides a number, although alike figures are only counted.

Takes a checked book without errors; adds findings (P033) at the line. This is an alias analysis: two selections of
alike figures that are unrelated are evaluated with the smallest possible overlap, which is not the distribution that
dice or lots give. So a finding is reported where two such groups are joined or subtracted; where one is changed and the
other is read afterwards; and where a round of a loop over figures changes figures of later rounds.

A mark that figures gain before the next selection distinguishes them as long as it lasts. Figures that a condition
selects are determined until an attribute that the condition reads changes. A call is analysed inline, with the caller's
groups as its arguments, if it may make argument figures like others, or if the caller reads figures of its record.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from itertools import chain, count
from typing import Any, TypeVar

from interpreter.rulebook import typed as t
from interpreter.rulebook.book import plural
from interpreter.rulebook.procedures import Checker
from interpreter.rulebook.symbols import Attribute, Kind, LineInfo, Procedure
from interpreter.source import Label, Problems

from .alike_changes import (
    Change,
    Finding,
    Loop,
    become_alike,
    changed_as_they_were,
    changed_before_their_turn,
    changed_by_name_and_in_rounds,
    found_at_once,
    same_in_each_round,
)
from .call_effects import CallEffects, substitute_arguments
from .implication import ExpressionKeys
from .name_uses import NameUses, figures_read_from_calls, is_figures
from .overlap import NOBODY, Distinction, Draw, Group, HolderKey, Knowledge, Name, Property, Token, name_of

Marked = dict[Token, frozenset[Distinction]]  # figures distinguished from all others, and by what
T = TypeVar("T")
Having = dict[Token, frozenset[Attribute]]  # marks that all figures of a token have
_NONE: frozenset[Distinction] = frozenset()


def check_alike(checker: Checker, problems: Problems) -> None:
    """Report findings in all procedures of a book (P033)."""
    effects, reporter = CallEffects(checker), _Reporter(problems)
    for procedure in checker.book.procedures.values():
        checked = checker.procedure(procedure)
        if checked.names_figures:
            _Analysis((procedure.name,), checked, effects, reporter).run()


def check_alike_asked(checker: Checker, situation: Procedure, problems: Problems) -> None:
    """Report the same findings for the procedure of a situation: only overlaps that its own questions decide. Those of
    the rules are reported by `check_alike`.
    """
    checked = checker.procedure(situation)
    if checked.names_figures:
        reporter = _Reporter(problems)
        _Analysis((situation.name,), checked, CallEffects(checker), reporter).run(asked_only=True)


def _given(checked: t.Checked) -> list[t.Variable]:
    return [step.variable for step in (*checked.inside[t.Assign], *checked.inside[t.ForEach])]


class _Analysis:
    """The analysis of one procedure, line by line. `calls`: the names of the procedures through which it is called, and
    its own name last.
    """

    def __init__(
        self,
        calls: tuple[str, ...],
        checked: t.Checked,
        effects: CallEffects,
        reporter: _Reporter,
        caller: _Analysis | None = None,
    ) -> None:
        self.calls = calls
        self.checked = checked
        self.effects = effects
        self.name_uses = NameUses(effects)
        self.reporter = reporter
        self.keys: ExpressionKeys = caller.keys if caller is not None else ExpressionKeys()
        self.named: dict[Name, Group] = {}
        self.asked = figures_read_from_calls(checked)
        self.moving: frozenset[Kind] = caller.moving if caller is not None else effects.moving(checked)
        self.marked: Marked = caller.marked if caller is not None else {}
        self.having: Having = caller.having if caller is not None else {}
        self.together: int = caller.together if caller is not None else 0  # the number of the enclosing block; 0: none
        self.outside = caller.inside() if caller is not None else frozenset()  # the loops around the call
        self.caller = caller
        self.step: t.Step | None = None  # the current step
        self.analyses: list[_Analysis] = [] if caller is None else caller.analyses
        self.analyses.append(self)
        self.loops: list[Loop] = []
        self.pairs: list[tuple[list[tuple[Draw, Draw]], LineInfo]] = []
        self.at = 0
        # Each change, with the pairs of unknown overlap by name.
        self.changes: list[tuple[Change, dict[Name, list[tuple[Draw, Draw]]]]] = []
        # Of each effect: its position, the attribute that it changes, those that it reads.
        self.effects_at: list[tuple[int, Attribute | None, frozenset[Attribute | None]]] = []
        self.uses: dict[Name, list[tuple[int, t.Step]]] = {}
        # Of each loop: its first and last position, the variables that each round assigns.
        self.rounds: list[tuple[int, int, frozenset[Any]]] = []
        self.uncertain_totals: dict[Name, Draw] = {}  # totals that may contain a figure twice, with its selection
        self.returned: dict[Name, tuple[_Analysis, Name, int]] = {}  # returned figures: caller, name there, position

    def run(self, *, asked_only: bool = False) -> None:
        """Analyse the procedure, then report. Findings of loops come first, as their hint also corrects pairs of names
        within a round. `asked_only`: report only what this procedure itself joins, or reads of figures that calls
        return.
        """
        self.reporter.quiet = asked_only
        self.walk(self.checked.steps)
        self.reporter.quiet = False
        for analysis in self.analyses:
            for unknown_overlaps, line in analysis.pairs if analysis is self or not asked_only else ():
                analysis._report_overlap(unknown_overlaps, line)
            for change, unknown in analysis.changes:
                analysis._check_later_uses(change, unknown, self if asked_only else None)
            for name, draw in analysis.uncertain_totals.items() if analysis is self or not asked_only else ():
                analysis._report_total(name, draw)

    def inside(self) -> frozenset[t.Step]:
        """The loops that enclose the current line."""
        return self.outside | {loop.step for loop in self.loops}

    def knowledge(self) -> Knowledge:
        return Knowledge(self.marked, self.reporter.changed)

    # ---- groups of expressions
    def group_of(self, e: t.Expr, line: LineInfo) -> Group:
        match e:
            case t.Var() | t.Field():
                return self.named.get(name_of(e) or (), NOBODY)
            case t.Bag(of=of, kind=kind, gone=gone):
                out = () if gone else (a for by in self.having.values() for a in by if a.out_of_play)
                group = Group(
                    frozenset(((kind.root, self._holder_key(of, kind.root)),)), apart=self._having_one_of(out)
                )
                return self._selected(group, frozenset(), line, frozenset((kind.root,)))
            case t.Filter(items=inner) | t.Extreme(items=inner):
                return self._filtered(self._source_group(inner, line), e, line)
            case t.Lots(items=inner) | t.Sort(figures=inner) | t.Fitting(items=inner):
                return self.select(inner, line)
            case t.Choose(items=inner) if inner is not None:
                return self.select(inner, line)
            case t.Op(name="only", args=(inner,)):
                return self.group_of(inner, line)
            case t.Op(name="first-of-figures", args=(inner, *_)):
                return self.select(inner, line)
            case t.Op(name="without", args=(inner, less)):
                return self._source_group(inner, line).without(self.group_of(less, line))
            case t.Op(name="join", args=(left, right)):
                one, two = self.group_of(left, line), self.group_of(right, line)
                return one.either(two, one.holds | two.holds)
            case t.IfElse(value=left, other=right):
                one, two = self.group_of(left, line), self.group_of(right, line)
                return one.either(two, one.holds & two.holds)
        return NOBODY

    def _holder_key(self, of: t.Expr, kind: Kind) -> HolderKey | None:
        """The holder of the figures of a kind, as a key: the thing that a variable holds (different variables count as
        different things), or the common holder of a named group. None if unknown. The holder of figures that may move
        is known only within a `together` block, which reads a snapshot.
        """
        moving = kind in self.moving
        match of:
            case t.Var() if self.together or not moving:
                return self.keys.key_of(of), self.together if moving else 0
            case t.Holder(of=figures) if not moving and (name := name_of(figures)) in self.named:
                whose = {whose for _, whose in self.named[name].bases}
                return whose.pop() if len(whose) == 1 else None
        return None

    def select(self, items: t.Expr, line: LineInfo) -> Group:
        """An unspecified subset of `items`: dice, lots or a choice select it among alike figures."""
        group = self.group_of(items, line)
        return self._selected(group.subset(), group.draws & (group.within | group.apart), line)

    def _source_group(self, e: t.Expr, line: LineInfo) -> Group:
        """The group that a selection takes figures from. In an unnamed union it is not tracked which operand a figure
        comes from; unless all its selections are determined, the union is a selection of its own.
        """
        group, now = self.group_of(e, line), self.knowledge()
        if isinstance(e, t.Op) and e.name == "join" and not all(map(now.is_determined, group.draws)):
            return self._selected(group.subset(), group.draws & (group.within | group.apart), line)
        return group

    def _filtered(self, group: Group, condition: t.Expr, line: LineInfo) -> Group:
        """The figures of a group that meet a condition: determined until something that the condition reads changes."""
        reads = frozenset(a for a in self.effects.reads(condition) if a is None or a.kind.root.counted)
        apart = self._having_one_of(_excluded_marks(condition.condition) if isinstance(condition, t.Filter) else ())
        group = Group(group.bases, group.draws, group.within, group.apart | apart, unsure=group.unsure)
        return self._selected(group.subset(), group.draws & (group.within | group.apart), line, reads)

    def _having_one_of(self, marks: Iterable[Attribute]) -> frozenset[Token]:
        """The tokens whose figures all have one of these marks now, so that they are disjoint from figures without the
        marks.
        """
        marks = frozenset(marks)
        return frozenset(token for token, by in self.having.items() if by & marks)

    def _selected(
        self, group: Group, sure: frozenset[Draw], line: LineInfo, reads: frozenset[Property] | None = None
    ) -> Group:
        """The group with a selection of its own. `sure`: the earlier selections of which it is a subset, or from which
        it is disjoint. `reads`: what its condition reads; None if dice, lots or a choice select.
        """
        known = frozenset[Any](sure | group.apart).union(*[draw.known for draw in sure & group.within])
        told = frozenset((token, distinction) for token, by in self.marked.items() for distinction in by)
        draw = Draw(line, next(self.reporter.order), group.bases, self.calls, known, self.inside(), told, reads)
        mine = frozenset((draw,))
        if reads is None:
            return Group(group.bases, mine, group.within | mine, group.apart, mine)
        return Group(group.bases, group.draws | mine, group.within | mine, group.apart, mine, group.unsure)

    def _merged(self, one: Group, other: Group, line: LineInfo) -> Group:
        """The group of a name that both branches assign. Of its sources only what holds on both branches is kept."""
        bases, draws = one.bases | other.bases, one.draws | other.draws
        within, apart, holds = one.within & other.within, one.apart & other.apart, one.holds & other.holds
        if not draws:
            return Group(bases, draws, within, apart, holds)
        now = self.knowledge()
        known = frozenset(
            token
            for token in within | apart
            if all(token in draw.known or (isinstance(token, Draw) and now.is_determined(token)) for draw in draws)
        )
        told = frozenset[tuple[Token, Distinction]].intersection(*[draw.told for draw in draws])
        draw = frozenset((Draw(line, next(self.reporter.order), bases, self.calls, known, self.inside(), told),))
        return Group(bases, draw, within | draw, apart, holds | draw)

    def _given(self, variable: t.Variable, value: t.Expr, line: LineInfo) -> Group:
        """The group of a name that is assigned `value`. A deal hands out all items of its internal variable (`lucky?`),
        so that is the whole collection.
        """
        if variable.name.endswith("?") and isinstance(value, t.Choose | t.Lots) and value.items is not None:
            value = value.items
        return self.group_of(value, line).with_name((self, variable))

    # ---- line by line
    def walk(self, steps: Iterable[t.Step]) -> None:
        for step in steps:
            self.at, self.step = self.at + 1, step
            self._note_uses(step)
            match step:
                case t.Assign(variable=variable, value=value) if variable.type.name in t.FIGURES:
                    self.named[variable,] = self._given(variable, value, step.line)
                case t.If():
                    before, marked, having = dict(self.named), self.marked, self.having
                    self.walk(step.then)
                    then, self.named = self.named, before
                    after, self.marked = self.marked, marked
                    after_having, self.having = self.having, having
                    self.walk(step.other)
                    both = {name for name in then if name in self.named and then[name] is not self.named[name]}
                    either = {name: self._merged(then[name], self.named[name], step.line) for name in both}
                    self.named = then | self.named | either
                    self.marked = _intersection(self.marked, after)
                    self.having = _intersection(self.having, after_having)
                case t.ForEach() | t.Repeat() | t.RepeatUntil():
                    self._loop(step)
                case t.Together():
                    outer, self.together = self.together, self.together or next(self.reporter.order)
                    self.walk(step.body)
                    self.together = outer
                    if not outer:
                        changes = [change for change, _ in self.changes]
                        self._report(become_alike(step, changes))
                        self._report(changed_by_name_and_in_rounds(step, changes, self))
                        self._report(changed_as_they_were(step, changes))
                case t.SetAttr(of=of, attribute=attribute) | t.AddAttr(of=of, attribute=attribute):
                    self._check_change(of, attribute, step)
                case t.Rehome(figures=of):
                    self._check_change(of, None, step)
                case t.Accumulate():
                    self._note_total(step)
            self._check_calls(step)

    def _own_parts(self, step: t.Step) -> list[Any]:
        """The parts of a step's expressions, without nested steps: a step is analysed again with each call of it."""
        if (found := self.reporter.parts.get(step)) is None:
            held = [getattr(step, name) for name in t.holding(type(step))]
            own = tuple(h for h in held if not (type(h) is tuple and h and isinstance(h[0], t.Step)))
            found = self.reporter.parts[step] = t.parts(own)
        return found

    def _note_uses(self, step: t.Step) -> None:
        """Record the pairs that a line joins or subtracts, and the names that it reads."""
        for part in self._own_parts(step):
            match part:
                case t.Var() | t.Field() if part.type.name in t.FIGURES and (name := name_of(part)):
                    self.uses.setdefault(name, []).append((self.at, step))
                case t.Op(name="join" | "without", args=(left, right)) if part.type.name == "figures":
                    one, two = self.group_of(left, step.line), self.group_of(right, step.line)
                    self.pairs.append((one.unknown_overlaps(two, self.knowledge()), step.line))

    def _note_total(self, step: t.Accumulate) -> None:
        """Record a total over the rounds of a loop, or over the runs of a rule. If each round selects anew, it is
        unknown which figures several rounds selected.
        """
        for name in [name for name in self.named if name[0] is step.value]:
            group, total = self.named[name], (step.total, *name[1:])
            before = self.named.get(total, NOBODY)
            if step.rounds and self.loops:
                loop = self.loops[-1]
                anew = {d for d in group.draws if d.reads is None or d.reads & loop.writes}
                again = {d for d in anew if d not in self.marked and same_in_each_round(d, loop, self.keys)}
            else:
                again = {draw for pair in before.unknown_overlaps(group, self.knowledge()) for draw in pair}
            if again:
                self.uncertain_totals[total] = min(again, key=lambda draw: draw.order)
            self.named[total] = group if step.rounds or before is NOBODY else before.either(group, before.holds)

    # ---- calls
    def _check_calls(self, step: t.Step) -> None:
        for call in self._own_parts(step):
            if not isinstance(call, t.Call):
                continue
            name = step.variable if isinstance(step, t.Assign) and step.value is call else call.kept
            asked = {path[1:] for path in self.asked if path[0] is name}
            args = [self.group_of(e, step.line) if e.type.name in t.FIGURES else NOBODY for e in call.args]
            given, writes = self.name_uses.args(call), self.effects.writes(call)
            reads = self.effects.reads(call)
            self.effects_at += [(self.at, a, reads) for a in writes if not isinstance(a, Kind)]
            after = self.knowledge().later(writes, next(self.reporter.order))
            unseen = any(not after.is_determined(draw) for group in args for draw in group.draws)
            if (asked or unseen) and call.procedure.name not in self.calls:
                self._inline(call, name, asked, args, step)
                continue
            for e, attribute, drawn in self.effects.changes(call.procedure):
                whose = substitute_arguments(e, given)
                if whose is not None:
                    group = self.select(whose, step.line) if drawn else self.group_of(whose, step.line)
                    own = {e.type.of.root} if attribute is None or attribute.out_of_play else set()
                    self._note_change(group, attribute, step, writes - {attribute} - own)
            self._note_attributes(writes)
            self.marked = _without(self.marked, writes)
            self._note_lost_marks(self.effects.takes(call))

    def _inline(self, call: t.Call, name: t.Variable | None, asked: set[Any], told: list[Group], step: t.Step) -> None:
        """Analyse a call inline; take over the state after it, and the groups of the fields of its record that are
        read.
        """
        checked = self.effects.checker.procedure(call.procedure)
        analysis = _Analysis((*self.calls, call.procedure.name), checked, self.effects, self.reporter, self)
        analysis.asked |= {(checked.lines[address], *rest) for address, *rest in asked}
        for variable in _given(checked):
            self.keys.forget(variable)
        for variable, e, group in zip(checked.params, call.args, told, strict=True):
            self.keys.define(variable, e)
            analysis.named[variable,] = group.with_name((analysis, variable))
        analysis.walk(checked.steps)
        self.marked, self.having, self.step = analysis.marked, analysis.having, step
        for address, *rest in asked:
            group = analysis.named.get((checked.lines[address], *rest), NOBODY)
            if name is not None:
                mine = (name, address, *rest)
                if (again := analysis.uncertain_totals.get((checked.lines[address], *rest))) is not None:
                    self.uncertain_totals[mine] = again
                self.named[mine] = group.with_name((self, *mine))
                analysis.returned[(checked.lines[address], *rest)] = self, mine, self.at

    def _check_change(self, of: t.Expr, attribute: Attribute | None, step: t.Step) -> None:
        if of.type.name not in t.FIGURES:
            return
        group = self.group_of(of, step.line)
        found = [token.reads for token in group.draws | group.within if isinstance(token, Draw) and token.reads]
        marks = {a for reads in found for a in reads if not isinstance(a, Kind)}
        self.effects_at.append((self.at, attribute, self.effects.reads(of) | marks))
        self._note_change(group, attribute, step)
        self._note_attributes(self.effects.writes(step))
        taken = isinstance(step, t.SetAttr) and isinstance(step.value, t.Lit) and not step.value.value
        if taken:  # a lost mark distinguishes nothing
            self.marked = _without(self.marked, {attribute})
            self._note_lost_marks((attribute,))
        else:
            self._note_distinguished(group, attribute)

    def _note_distinguished(self, group: Group, attribute: Attribute | None) -> None:
        """Update which figures are distinguished after a change of `attribute` of a group.

        Figures that gain a mark are distinguished by it if no other figure can have had it before: it puts figures out
        of play, or ends with a procedure of the current call chain. Figures outside the group that were distinguished
        by the same attribute are no longer, as these may now equal them. A number, a row or a new holder distinguishes
        nothing, nor does any change within its own `together` block.
        """
        rest = _without({token: by for token, by in self.marked.items() if token not in group.within}, {attribute})
        kept = {token: by for token, by in self.marked.items() if token in group.within}
        tells = attribute is not None and attribute.is_mark and self._is_new(attribute) and not self.together
        since = frozenset(((attribute, next(self.reporter.order)),))
        mine = {token: self.marked.get(token, _NONE) for token in group.holds} if tells else {}
        mine = {token: by if any(a is attribute for a, _ in by) else by | since for token, by in mine.items()}
        self.marked = rest | kept | mine
        if attribute is not None and attribute.is_mark and not self.together:
            gained = frozenset((attribute,))
            self.having = self.having | {token: self.having.get(token, gained) | gained for token in group.holds}

    def _note_lost_marks(self, marks: Iterable[Attribute | None]) -> None:
        taken = set(marks)
        self.having = {token: by - taken for token, by in self.having.items() if by - taken}

    def _is_new(self, mark: Attribute) -> bool:
        """Whether no figure in play can have had a mark when the procedure began: it puts figures out of play, or ends
        after a procedure of the call chain.
        """
        ends, names = mark.ending.moments if mark.ending is not None else (), [[name] for name in self.calls]
        return mark.out_of_play or any(end.when == "after" and end.path.plain_names[-1:] in names for end in ends)

    def _note_attributes(self, attributes: Iterable[Property]) -> None:
        self.reporter.changed |= dict.fromkeys(attributes, next(self.reporter.order))

    def _note_change(
        self, group: Group, attribute: Attribute | None, step: t.Step, before: Iterable[Property] = ()
    ) -> None:
        """Record a change of figures, here and in all callers. `before`: attributes that may have changed before it.
        Nothing is recorded if all selections of the group are determined: then the change applies to all alike figures
        or none.
        """
        now = self.knowledge().later(before, next(self.reporter.order))
        found = frozenset(draw for draw in group.draws if not now.is_determined(draw))
        line, analysis, at = step.line, self, step
        while found:  # empty: all alike figures change, or none
            change = Change(group, found, attribute, line, analysis.at, at)
            unknown = {name: held.unknown_overlaps(group, now) for name, held in analysis.named.items()}
            analysis.changes.append((change, {name: pairs for name, pairs in unknown.items() if pairs}))
            for loop in analysis.loops:
                loop.changes.append(change)
            if analysis.caller is None:
                return
            analysis = analysis.caller
            assert analysis.step is not None
            at = analysis.step

    # ---- loops
    def _loop(self, step: t.ForEach | t.Repeat | t.RepeatUntil) -> None:
        parts = t.parts(step.body)
        fresh: set[Any] = {p.variable for p in parts if isinstance(p, t.Assign | t.ForEach | t.New)}
        loop = Loop(step, frozenset(fresh), bool(self.together), self.effects.writes(step.body))
        begins = self.at
        marked = self.marked
        # Earlier rounds may have made others like the figures that were marked before the loop.
        having = self.having
        self.marked = _without(marked, loop.writes)
        self._note_lost_marks(self.effects.takes(step.body))
        self._note_attributes(loop.writes)
        self.loops.append(loop)
        if isinstance(step, t.ForEach):
            loop.bases |= {step.variable}
            if step.variable.type.name == "figure":
                loop.group = self.group_of(step.items, step.line)
                marks = [a for token in loop.group.within for a, _ in marked.get(token, ()) if a is not None]
                loop.out = any(mark.out_of_play for mark in marks)
                self.named[step.variable,] = self.select(step.items, step.line)
                (loop.current,) = self.named[step.variable,].draws
        self.walk(step.body)
        self.loops.pop()
        if isinstance(step, t.RepeatUntil):  # the condition is evaluated after each round
            self.at += 1
            self._note_uses(step)
        kept = {p.kept for p in parts if isinstance(p, t.Call)}
        self.rounds.append((begins, self.at, loop.bases | kept))
        for change in loop.changes:
            if loop.together:
                self._report(found_at_once(change, loop, self.keys))
            elif found := changed_before_their_turn(
                change, loop, self.calls[-1], self._free_mark("done"), self.marked, self.name_uses
            ):
                self._report(found)
                break
        self.marked = _intersection(marked, self.marked)
        self.having = _intersection(having, self.having)

    # ---- later uses
    def _check_later_uses(
        self, change: Change, unknown: dict[Name, list[tuple[Draw, Draw]]], by: _Analysis | None
    ) -> None:
        """Report each name that is unrelated to changed figures and is read, changed or combined later. `by`: only uses
        in this procedure count.
        """
        for name, unknown_overlaps in unknown.items():
            if any(
                any(self.name_uses.reads(part, called, a) for a in affected)
                or self.name_uses.changes(part, called)
                or self.name_uses.combines(part, called)  # the overlap decides how many
                for analysis, called, step in self._later_uses(name, change.at)
                if by is None or analysis is by
                for affected in (self._affected_attributes(change, analysis),)
                for part in (step, *self._own_parts(step))
            ):
                self._report_overlap(unknown_overlaps, change.line)

    def _affected_attributes(self, change: Change, analysis: _Analysis) -> set[Attribute | None]:
        """The attributes in which changed figures may differ afterwards from unchanged ones: the changed attribute,
        those of later effects that depend on it, and all that later effects change if the figures left play.
        """
        affected = {change.attribute}
        left = change.attribute is not None and change.attribute.out_of_play
        since = self._earliest_repeat(change.at)
        later = [effect for effect in self.effects_at if effect[0] >= since]
        later += analysis.effects_at if analysis is not self else []
        for _, attribute, reads in later:
            if left or affected & reads:
                affected.add(attribute)
        return affected

    def _earliest_repeat(self, at: int, name: Name | None = None) -> int:
        """The earliest position after which a line may run later than `at`: in a loop, that is the start of the loop,
        as the next round follows. Loops that assign `name` anew in each round do not count.
        """
        rounds = (begins for begins, ends, anew in self.rounds if begins < at <= ends and (name or [0])[0] not in anew)
        return min(rounds, default=at)

    def _later_uses(self, name: Name, at: int) -> Iterator[tuple[_Analysis, Name, t.Step]]:
        """The later uses of a name, here and in the callers that receive its figures: the analysis, the name there, and
        the step.
        """
        since = self._earliest_repeat(at, name)
        for when, step in self.uses.get(name, ()):
            if when > since:
                yield self, name, step
                if isinstance(step, t.Assign | t.ForEach) and is_figures(step.variable) and step.variable != name[0]:
                    yield from self._later_uses((step.variable,), when)
        if name in self.returned:
            caller, called, when = self.returned[name]
            yield from caller._later_uses(called, when)

    # ---- findings
    def _report(self, found: Finding | None) -> None:
        if found is not None:
            self._add_finding(found.line, found.label, found.hint, found.draws, found.others)

    def _report_overlap(self, unknown_overlaps: list[tuple[Draw, Draw]], line: LineInfo) -> None:
        if not unknown_overlaps:
            return
        first, second = min(unknown_overlaps, key=lambda pair: [draw.order for draw in pair])
        name, other = (d.line.address.rsplit(".", 1)[-1] for d in (first, second))
        scope = [a for a, b in zip(first.calls, second.calls, strict=False) if a == b][-1]
        if first is second:
            between, label = f"a line after `{name}`", f"it is not kept which of `{name}` these are"
        elif name == other:
            between, label = f"a line after `{name}`", f"some may have been found as `{name}` more than once"
        else:
            between = f"a line between `{name}` and `{other}`"
            label = f"figures of `{other}` may be among those of `{name}`"
        here = f"for `{name}` here" if first.calls == self.calls and name != other else "for those of them here"
        kind, mark = _kind_of(first), self._free_mark("picked")
        hint = (
            f"give figures a mark, `mark {mark} of {kind}: until after {scope}`, let `{name}` gain it in {between}, "
            f"and say `{plural(kind)} where {mark}` {here}"
        )
        finds = {first.line.where.span: name, second.line.where.span: other}
        others = [Label(span, f"found for itself: `{n}`") for span, n in finds.items()]
        self._add_finding(
            line, label, hint, frozenset((first, second)), [o for o in others if o.span != line.where.span]
        )

    def _report_total(self, name: Name, draw: Draw) -> None:
        """Report a total that is read although it is unknown which figures several rounds selected."""
        for _, step in self.uses.get(name, ())[:1]:
            found = draw.line.address.rsplit(".", 1)[-1]
            label = f"some may have been found as `{found}` more than once"
            kind, mark = _kind_of(draw), self._free_mark("picked")
            hint = (
                f"give figures a mark, `mark {mark} of {kind}: until after {draw.calls[-1]}`, let `{found}` gain it in "
                f"the line after `{found}`, and say `{plural(kind)} where {mark}` for all of them here"
            )
            self._add_finding(
                step.line, label, hint, frozenset((draw,)), [Label(draw.line.where.span, "found here, anew")]
            )

    def _free_mark(self, name: str) -> str:
        """The name for a mark that a hint proposes, with a number behind it if the rules or a line here use it."""
        taken = self.effects.checker.book.names() | {v.name.rsplit(".", 1)[-1] for v in _given(self.checked)}
        numbered = (f"{name}-{number}" for number in count(2))
        return next(each for each in chain([name], numbered) if each not in taken)

    def _add_finding(
        self, line: LineInfo, label: str, hint: str, draws: frozenset[Draw], others: Iterable[Label] = ()
    ) -> None:
        self.reporter.tell(line, label, hint, frozenset(draw.line for draw in draws), others)


class _Reporter:
    """Reports each pair of lines once, although a line may be analysed for several callers; and numbers the events of
    the analysis.
    """

    def __init__(self, problems: Problems) -> None:
        self.problems = problems
        self.lines: set[frozenset[LineInfo]] = set()
        self.order = count(1)
        self.changed: dict[Property, int] = {}  # number of the last change of each
        self.quiet = False
        self.parts: dict[t.Step, list[Any]] = {}  # of the expressions of each step

    def tell(self, line: LineInfo, label: str, hint: str, found: frozenset[LineInfo], others: Iterable[Label]) -> None:
        if found not in self.lines and not self.quiet:
            self.lines.add(found)
            self.problems.add("P033", line.where.span, label=label, hint=hint, others=others)


def _kind_of(draw: Draw) -> str:
    """The name of the selected figures in the rule file."""
    names = sorted(kind.name for kind, _ in draw.bases if isinstance(kind, Kind))
    return names[0] if names else "figure"


def _excluded_marks(condition: t.Expr) -> Iterator[Attribute]:
    """The marks that a condition excludes: every figure that meets it lacks them."""
    match condition:
        case t.Op(name="and", args=args):
            for part in args:
                yield from _excluded_marks(part)
        case t.Op(name="not", args=(t.Attr(of=t.Var(), attribute=mark),)) if mark.is_mark:
            yield mark


def _intersection(one: dict[Token, frozenset[T]], other: dict[Token, frozenset[T]]) -> dict[Token, frozenset[T]]:
    return {token: by & other[token] for token, by in one.items() if token in other and by & other[token]}


def _without(marked: Marked, attributes: Collection[Property]) -> Marked:
    """`marked` without the distinctions by these attributes."""
    left = {token: frozenset(pair for pair in by if pair[0] not in attributes) for token, by in marked.items()}
    return {token: by for token, by in left.items() if by}
