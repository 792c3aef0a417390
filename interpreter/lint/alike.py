"""Where it decides a number that alike figures are only counted.

Two names for alike figures that have nothing to do with each other are taken to have as few in common as must be.
That is not what dice or lots give: it is told where both are put together, taken from each other, or where one is
changed and the other is asked afterwards; and in a loop over figures whose rounds change others of them. Enters: a
checked book without errors. Leaves: findings at the line. Figures that were marked before the next are found are told
apart by the mark as long as it lasts, and those that a condition finds until what it reads is changed. A call that is
told figures that its lines may make like others, or of whose figures one is asked, is gone through line by line, as if
its lines stood at the caller.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from itertools import count
from typing import Any, TypeVar

from interpreter.rulebook import typed as t
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
from .call_effects import CallEffects, arguments_said
from .implication import ExpressionKeys
from .name_uses import NameUses, asked, is_figures
from .overlap import NOBODY, Draw, Group, Name, Now, Seen, Telling, Token, Whose, name_of

Marked = dict[Token, frozenset[Telling]]  # those told apart from all others, and by what
Told = TypeVar("Told")
Having = dict[Token, frozenset[Attribute]]  # those who all have some marks
_NONE: frozenset[Telling] = frozenset()


def check_alike(checker: Checker, problems: Problems) -> None:
    effects, told = CallEffects(checker), _Told(problems)
    for procedure in checker.book.procedures.values():
        checked = checker.procedure(procedure)
        if checked.names_figures:
            _Page((procedure.name,), checked, effects, told).go()


def check_alike_asked(checker: Checker, situation: Procedure, problems: Problems) -> None:
    """The same of a situation: where it decides what is asked there that alike figures are only counted. What the rules
    come to by themselves is told of them, and not again.
    """
    checked = checker.procedure(situation)
    if checked.names_figures:
        told = _Told(problems)
        _Page((situation.name,), checked, CallEffects(checker), told).go(asked_only=True)


def _given(checked: t.Checked) -> list[t.Variable]:
    return [step.variable for step in (*checked.inside[t.Assign], *checked.inside[t.ForEach])]


class _Page:
    """One procedure, line by line; `calls`, the procedures through which it is called, and its own name."""

    def __init__(
        self, calls: tuple[str, ...], checked: t.Checked, effects: CallEffects, told: _Told, caller: _Page | None = None
    ) -> None:
        self.calls = calls
        self.checked = checked
        self.effects = effects
        self.name_uses = NameUses(effects)
        self.told = told
        self.keys: ExpressionKeys = caller.keys if caller is not None else ExpressionKeys()
        self.named: dict[Name, Group] = {}
        self.asked = asked(checked)
        self.moving: frozenset[Kind] = caller.moving if caller is not None else effects.moving(checked)
        self.marked: Marked = caller.marked if caller is not None else {}
        self.having: Having = caller.having if caller is not None else {}
        self.together: int = caller.together if caller is not None else 0  # which block; 0: none
        self.outside = caller.inside() if caller is not None else frozenset()  # the loops around the call
        self.caller = caller
        self.step: t.Step | None = None  # the one in hand
        self.pages: list[_Page] = [] if caller is None else caller.pages
        self.pages.append(self)
        self.loops: list[Loop] = []
        self.pairs: list[tuple[list[tuple[Draw, Draw]], LineInfo]] = []
        self.at = 0
        self.changes: list[tuple[Change, dict[Name, list[tuple[Draw, Draw]]]]] = []  # and whom of a name it may be
        self.effects_at: list[tuple[int, Attribute | None, frozenset[Attribute | None]]] = []  # and what whom it asks
        self.uses: dict[Name, list[tuple[int, t.Step]]] = {}
        self.rounds: list[tuple[int, int, frozenset[Any]]] = []  # where loops begin and end, and what they give anew
        self.put_together: dict[Name, Draw] = {}  # totals of which nobody knows who was found twice
        self.handed: dict[Name, tuple[_Page, Name, int]] = {}  # to whom figures are handed back, as what, and when

    def go(self, *, asked_only: bool = False) -> None:
        """Loops come first: what their finding says mends two names of a round, too. `asked_only`: nothing but what
        this page itself puts together, or asks of figures that calls hand back.
        """
        self.told.quiet = asked_only
        self.walk(self.checked.steps)
        self.told.quiet = False
        for page in self.pages:
            for strangers, line in page.pairs if page is self or not asked_only else ():
                page._tell_pair(strangers, line)
            for change, unknown in page.changes:
                page._asked_afterwards(change, unknown, self if asked_only else None)
            for name, draw in page.put_together.items() if page is self or not asked_only else ():
                page._tell_together(name, draw)

    def inside(self) -> frozenset[t.Step]:
        """The loops around the line in hand."""
        return self.outside | {loop.step for loop in self.loops}

    def now(self) -> Now:
        return Now(self.marked, self.told.changed)

    # ---- who they are
    def of(self, e: t.Expr, line: LineInfo) -> Group:
        match e:
            case t.Var() | t.Field():
                return self.named.get(name_of(e) or (), NOBODY)
            case t.Bag(of=of, kind=kind, gone=gone):
                out = () if gone else (a for by in self.having.values() for a in by if a.out_of_play)
                group = Group(frozenset(((kind.root, self._whose(of, kind.root)),)), apart=self._having_one_of(out))
                return self._found(group, frozenset(), line, frozenset((kind.root,)))
            case t.Filter(items=inner) | t.Extreme(items=inner):
                return self._seen(self._narrowed(inner, line), e, line)
            case t.Lots(items=inner) | t.Sort(figures=inner) | t.Fitting(items=inner):
                return self.found(inner, line)
            case t.Choose(items=inner) if inner is not None:
                return self.found(inner, line)
            case t.Op(name="only", args=(inner,)):
                return self.of(inner, line)
            case t.Op(name="first-of-figures", args=(inner, *_)):
                return self.found(inner, line)
            case t.Op(name="without", args=(inner, less)):
                return self._narrowed(inner, line).without(self.of(less, line))
            case t.Op(name="join", args=(left, right)):
                one, two = self.of(left, line), self.of(right, line)
                return one.either(two, one.holds | two.holds)
            case t.IfElse(value=left, other=right):
                one, two = self.of(left, line), self.of(right, line)
                return one.either(two, one.holds & two.holds)
        return NOBODY

    def _whose(self, of: t.Expr, kind: Kind) -> Whose | None:
        """Whose figures they are: a variable stands for one thing, and two of them for two; or whoever has those of a
        name. Of those that may move it is known of what happens together, for that sees them where they were.
        """
        moving = kind in self.moving
        match of:
            case t.Var() if self.together or not moving:
                return self.keys.key_of(of), self.together if moving else 0
            case t.Holder(of=figures) if not moving and (name := name_of(figures)) in self.named:
                whose = {whose for _, whose in self.named[name].bases}
                return whose.pop() if len(whose) == 1 else None
        return None

    def found(self, items: t.Expr, line: LineInfo) -> Group:
        """Some of these, nobody knows which of those alike."""
        group = self.of(items, line)
        return self._found(group.part(), group.draws & (group.within | group.apart), line)

    def _narrowed(self, e: t.Expr, line: LineInfo) -> Group:
        """Those of whom only some are meant: where they were put together without a name, nobody follows of whom these
        some are.
        """
        group, now = self.of(e, line), self.now()
        if isinstance(e, t.Op) and e.name == "join" and not all(map(now.is_seen, group.draws)):
            return self._found(group.part(), group.draws & (group.within | group.apart), line)
        return group

    def _seen(self, group: Group, condition: t.Expr, line: LineInfo) -> Group:
        """Those of whom a condition is so: as long as they look as they do, everybody knows who they are."""
        reads = frozenset(a for a in self.effects.reads(condition) if a is None or a.kind.root.counted)
        apart = self._having_one_of(_without_marks(condition.condition) if isinstance(condition, t.Filter) else ())
        group = Group(group.bases, group.draws, group.within, group.apart | apart, unsure=group.unsure)
        return self._found(group.part(), group.draws & (group.within | group.apart), line, reads)

    def _having_one_of(self, marks: Iterable[Attribute]) -> frozenset[Token]:
        """Those who all have one of these marks now: nobody without it is among them."""
        marks = frozenset(marks)
        return frozenset(token for token, by in self.having.items() if by & marks)

    def _found(
        self, group: Group, sure: frozenset[Draw], line: LineInfo, reads: frozenset[Seen] | None = None
    ) -> Group:
        """These, with a find of their own; `sure`: the finds of which they are part, or of which none is in them."""
        known = frozenset[Any](sure | group.apart).union(*[draw.known for draw in sure & group.within])
        told = frozenset((token, telling) for token, by in self.marked.items() for telling in by)
        draw = Draw(line, next(self.told.order), group.bases, self.calls, known, self.inside(), told, reads)
        mine = frozenset((draw,))
        if reads is None:
            return Group(group.bases, mine, group.within | mine, group.apart, mine)
        return Group(group.bases, group.draws | mine, group.within | mine, group.apart, mine, group.unsure)

    def _either(self, one: Group, other: Group, line: LineInfo) -> Group:
        """What one name has that was given on two branches: nobody follows who of those it was given from are in it,
        except where both branches say it.
        """
        bases, draws = one.bases | other.bases, one.draws | other.draws
        within, apart, holds = one.within & other.within, one.apart & other.apart, one.holds & other.holds
        if not draws:
            return Group(bases, draws, within, apart, holds)
        now = self.now()
        known = frozenset(
            token
            for token in within | apart
            if all(token in draw.known or (isinstance(token, Draw) and now.is_seen(token)) for draw in draws)
        )
        told = frozenset[tuple[Token, Telling]].intersection(*[draw.told for draw in draws])
        draw = frozenset((Draw(line, next(self.told.order), bases, self.calls, known, self.inside(), told),))
        return Group(bases, draw, within | draw, apart, holds | draw)

    def _given(self, variable: t.Variable, value: t.Expr, line: LineInfo) -> Group:
        """A name has figures. What a deal puts aside (`lucky?`) it hands out once."""
        if variable.name.endswith("?") and isinstance(value, t.Choose | t.Lots) and value.items is not None:
            value = value.items
        return self.of(value, line).called((self, variable))

    # ---- line by line
    def walk(self, steps: Iterable[t.Step]) -> None:
        for step in steps:
            self.at, self.step = self.at + 1, step
            self._look(step)
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
                    either = {name: self._either(then[name], self.named[name], step.line) for name in both}
                    self.named = then | self.named | either
                    self.marked = _in_both(self.marked, after)
                    self.having = _in_both(self.having, after_having)
                case t.ForEach() | t.Repeat() | t.RepeatUntil():
                    self._loop(step)
                case t.Together():
                    outer, self.together = self.together, self.together or next(self.told.order)
                    self.walk(step.body)
                    self.together = outer
                    if not outer:
                        changes = [change for change, _ in self.changes]
                        self._report(become_alike(step, changes))
                        self._report(changed_by_name_and_in_rounds(step, changes, self))
                        self._report(changed_as_they_were(step, changes))
                case t.SetAttr(of=of, attribute=attribute) | t.AddAttr(of=of, attribute=attribute):
                    self._changed(of, attribute, step)
                case t.Rehome(figures=of):
                    self._changed(of, None, step)
                case t.Accumulate():
                    self._put_together(step)
            self._called(step)

    def _own(self, step: t.Step) -> list[Any]:
        """The expressions of a step, without the steps inside."""
        held = [getattr(step, name) for name in t.holding(type(step))]
        return [h for h in held if not (type(h) is tuple and h and isinstance(h[0], t.Step))]

    def _look(self, step: t.Step) -> None:
        """What a line puts together or takes away; which names it asks."""
        for part in t.parts(tuple(self._own(step))):
            match part:
                case t.Var() | t.Field() if part.type.name in t.FIGURES and (name := name_of(part)):
                    self.uses.setdefault(name, []).append((self.at, step))
                case t.Op(name="join" | "without", args=(left, right)) if part.type.name == "figures":
                    one, two = self.of(left, step.line), self.of(right, step.line)
                    self.pairs.append((one.strangers(two, self.now()), step.line))

    def _put_together(self, step: t.Accumulate) -> None:
        """Rounds of a loop, or runs of a rule, become one: of those found anew each time nobody knows who is in two."""
        for name in [name for name in self.named if name[0] is step.value]:
            group, total = self.named[name], (step.total, *name[1:])
            before = self.named.get(total, NOBODY)
            if step.rounds and self.loops:
                loop = self.loops[-1]
                anew = {d for d in group.draws if d.reads is None or d.reads & loop.writes}
                again = {d for d in anew if d not in self.marked and same_in_each_round(d, loop, self.keys)}
            else:
                again = {draw for pair in before.strangers(group, self.now()) for draw in pair}
            if again:
                self.put_together[total] = min(again, key=lambda draw: draw.order)
            self.named[total] = group if step.rounds or before is NOBODY else before.either(group, before.holds)

    # ---- calls
    def _called(self, step: t.Step) -> None:
        for call in t.parts(tuple(self._own(step))):
            if not isinstance(call, t.Call):
                continue
            name = step.variable if isinstance(step, t.Assign) and step.value is call else call.kept
            asked = {path[1:] for path in self.asked if path[0] is name}
            told = [self.of(e, step.line) if e.type.name in t.FIGURES else NOBODY for e in call.args]
            said, writes = self.name_uses.args(call), self.effects.writes(call)
            reads = self.effects.reads(call)
            self.effects_at += [(self.at, a, reads) for a in writes if not isinstance(a, Kind)]
            after = self.now().later(writes, next(self.told.order))
            unseen = any(not after.is_seen(draw) for group in told for draw in group.draws)
            if (asked or unseen) and call.procedure.name not in self.calls:
                self._gone_through(call, name, asked, told, step)
                continue
            for e, attribute, drawn in self.effects.changes(call.procedure):
                whose = arguments_said(e, said)
                if whose is not None:
                    group = self.found(whose, step.line) if drawn else self.of(whose, step.line)
                    own = {e.type.of.root} if attribute is None or attribute.out_of_play else set()
                    self._note(group, attribute, step, writes - {attribute} - own)
            self._is_changed(writes)
            self.marked = _less(self.marked, writes)
            self._is_taken(self.effects.takes(call))

    def _gone_through(
        self, call: t.Call, name: t.Variable | None, asked: set[Any], told: list[Group], step: t.Step
    ) -> None:
        """Look at the lines of a call; take over what they change, and the figures that are asked of it."""
        checked = self.effects.checker.procedure(call.procedure)
        page = _Page((*self.calls, call.procedure.name), checked, self.effects, self.told, self)
        page.asked |= {(checked.lines[address], *rest) for address, *rest in asked}
        for variable in _given(checked):
            self.keys.forget(variable)
        for variable, e, group in zip(checked.params, call.args, told, strict=True):
            self.keys.define(variable, e)
            page.named[variable,] = group.called((page, variable))
        page.walk(checked.steps)
        self.marked, self.having, self.step = page.marked, page.having, step
        for address, *rest in asked:
            group = page.named.get((checked.lines[address], *rest), NOBODY)
            if name is not None:
                mine = (name, address, *rest)
                if (again := page.put_together.get((checked.lines[address], *rest))) is not None:
                    self.put_together[mine] = again
                self.named[mine] = group.called((self, *mine))
                page.handed[(checked.lines[address], *rest)] = self, mine, self.at

    def _changed(self, of: t.Expr, attribute: Attribute | None, step: t.Step) -> None:
        if of.type.name not in t.FIGURES:
            return
        group = self.of(of, step.line)
        found = [token.reads for token in group.draws | group.within if isinstance(token, Draw) and token.reads]
        marks = {a for reads in found for a in reads if not isinstance(a, Kind)}
        self.effects_at.append((self.at, attribute, self.effects.reads(of) | marks))
        self._note(group, attribute, step)
        self._is_changed(self.effects.writes(step))
        taken = isinstance(step, t.SetAttr) and isinstance(step.value, t.Lit) and not step.value.value
        if taken:  # nobody is told apart by what he has no longer, or never had
            self.marked = _less(self.marked, {attribute})
            self._is_taken((attribute,))
        else:
            self._tell_apart(group, attribute)

    def _tell_apart(self, group: Group, attribute: Attribute | None) -> None:
        """Figures that gained a mark differ by it from the others, if none of those can have had it before: it keeps
        them out of play, or it ends. Others that were changed in the same may now be like these. A number or a row
        tells nobody apart, for others may have had it, and nor does another unit. What happens together tells nobody
        apart in its block.
        """
        rest = _less({token: by for token, by in self.marked.items() if token not in group.within}, {attribute})
        kept = {token: by for token, by in self.marked.items() if token in group.within}
        tells = attribute is not None and attribute.is_mark and self._nobody_had(attribute) and not self.together
        since = frozenset(((attribute, next(self.told.order)),))
        mine = {token: self.marked.get(token, _NONE) for token in group.holds} if tells else {}
        mine = {token: by if any(a is attribute for a, _ in by) else by | since for token, by in mine.items()}
        self.marked = rest | kept | mine
        if attribute is not None and attribute.is_mark and not self.together:
            gained = frozenset((attribute,))
            self.having = self.having | {token: self.having.get(token, gained) | gained for token in group.holds}

    def _is_taken(self, marks: Iterable[Attribute | None]) -> None:
        taken = set(marks)
        self.having = {token: by - taken for token, by in self.having.items() if by - taken}

    def _nobody_had(self, mark: Attribute) -> bool:
        """Whether nobody in play had a mark when the procedure began: it is out of play, or the mark ends after it."""
        ends, names = mark.ending.moments if mark.ending is not None else (), [[name] for name in self.calls]
        return mark.out_of_play or any(end.when == "after" and end.path.plain_names[-1:] in names for end in ends)

    def _is_changed(self, attributes: Iterable[Seen]) -> None:
        self.told.changed |= dict.fromkeys(attributes, next(self.told.order))

    def _note(self, group: Group, attribute: Attribute | None, step: t.Step, before: Iterable[Seen] = ()) -> None:
        """A change of some figures, here and for those who call; `before`: what may have been changed before it."""
        now = self.now().later(before, next(self.told.order))
        found = frozenset(draw for draw in group.draws if not now.is_seen(draw))
        line, page, at = step.line, self, step
        while found:  # else all that are alike, or none of them
            change = Change(group, found, attribute, line, page.at, at)
            unknown = {name: held.strangers(group, now) for name, held in page.named.items()}
            page.changes.append((change, {name: pairs for name, pairs in unknown.items() if pairs}))
            for loop in page.loops:
                loop.changes.append(change)
            if page.caller is None:
                return
            page = page.caller
            assert page.step is not None
            at = page.step

    # ---- loops
    def _loop(self, step: t.ForEach | t.Repeat | t.RepeatUntil) -> None:
        parts = t.parts(step.body)
        fresh: set[Any] = {p.variable for p in parts if isinstance(p, t.Assign | t.ForEach | t.New)}
        loop = Loop(step, frozenset(fresh), bool(self.together), self.effects.writes(step.body))
        begins = self.at
        marked = self.marked
        # Whom a later round finds, the rounds before it may have made like those that were marked before the loop.
        having = self.having
        self.marked = _less(marked, loop.writes)
        self._is_taken(self.effects.takes(step.body))
        self._is_changed(loop.writes)
        self.loops.append(loop)
        if isinstance(step, t.ForEach):
            loop.bases |= {step.variable}
            if step.variable.type.name == "figure":
                loop.group = self.of(step.items, step.line)
                marks = [a for token in loop.group.within for a, _ in marked.get(token, ()) if a is not None]
                loop.out = any(mark.out_of_play for mark in marks)
                self.named[step.variable,] = self.found(step.items, step.line)
                (loop.man,) = self.named[step.variable,].draws
        self.walk(step.body)
        self.loops.pop()
        if isinstance(step, t.RepeatUntil):  # it asks again when a round is over
            self.at += 1
            self._look(step)
        kept = {p.kept for p in parts if isinstance(p, t.Call)}
        self.rounds.append((begins, self.at, loop.bases | kept))
        for change in loop.changes:
            if loop.together:
                self._report(found_at_once(change, loop, self.keys))
            elif found := changed_before_their_turn(change, loop, self.calls[-1], self.marked, self.name_uses):
                self._report(found)
                break
        self.marked = _in_both(marked, self.marked)
        self.having = _in_both(having, self.having)

    # ---- two names
    def _asked_afterwards(self, change: Change, unknown: dict[Name, list[tuple[Draw, Draw]]], by: _Page | None) -> None:
        """One of two names was changed; whether the other is asked, or changed too, after that. `by`: on this page."""
        for name, strangers in unknown.items():
            if any(
                any(self.name_uses.reads(part, called, a) for a in self._told_by(change, page))
                or self.name_uses.changes(part, called)
                or self.name_uses.combines(part, called)  # who is in both is seen by how they look
                for page, called, step in self._later(name, change.at)
                if by is None or page is by
                for part in (step, *t.parts(tuple(self._own(step))))
            ):
                self._tell_pair(strangers, change.line)

    def _told_by(self, change: Change, page: _Page) -> set[Attribute | None]:
        """What figures that were changed differ in, afterwards, from those that were not: also in what happens to those
        of whom the change is asked, and where they left play, in whatever happens to the others.
        """
        told = {change.attribute}
        left = change.attribute is not None and change.attribute.out_of_play
        since = self._comes_again(change.at)
        later = [effect for effect in self.effects_at if effect[0] >= since]
        later += page.effects_at if page is not self else []
        for _, attribute, reads in later:
            if left or told & reads:
                told.add(attribute)
        return told

    def _comes_again(self, at: int, name: Name | None = None) -> int:
        """After which line all may come after this one: in a loop, also what is before it, in the next round; not the
        figures of a name that each round gives anew.
        """
        rounds = (begins for begins, ends, anew in self.rounds if begins < at <= ends and (name or [0])[0] not in anew)
        return min(rounds, default=at)

    def _later(self, name: Name, at: int) -> Iterator[tuple[_Page, Name, t.Step]]:
        """Where a name is said after a line, here and by those to whom its figures are handed back: and how."""
        since = self._comes_again(at, name)
        for when, step in self.uses.get(name, ()):
            if when > since:
                yield self, name, step
                if isinstance(step, t.Assign | t.ForEach) and is_figures(step.variable) and step.variable != name[0]:
                    yield from self._later((step.variable,), when)
        if name in self.handed:
            caller, called, when = self.handed[name]
            yield from caller._later(called, when)

    # ---- what is told
    def _report(self, found: Finding | None) -> None:
        if found is not None:
            self._tell(found.line, found.label, found.hint, found.draws, found.others)

    def _tell_pair(self, strangers: list[tuple[Draw, Draw]], line: LineInfo) -> None:
        if not strangers:
            return
        first, second = min(strangers, key=lambda pair: [draw.order for draw in pair])
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
        hint = (
            f"give figures a mark, `mark picked of figure: until after {scope}`, let `{name}` gain it in {between}, "
            f"and say `figures where picked` {here}"
        )
        finds = {first.line.where.span: name, second.line.where.span: other}
        others = [Label(span, f"found for itself: `{n}`") for span, n in finds.items()]
        self._tell(line, label, hint, frozenset((first, second)), [o for o in others if o.span != line.where.span])

    def _tell_together(self, name: Name, draw: Draw) -> None:
        """A total was asked of which nobody knows who was found twice."""
        for _, step in self.uses.get(name, ())[:1]:
            found = draw.line.address.rsplit(".", 1)[-1]
            label = f"some may have been found as `{found}` more than once"
            hint = (
                f"give figures a mark, `mark picked of figure: until after {draw.calls[-1]}`, let `{found}` gain it in "
                f"the line after `{found}`, and say `figures where picked` for all of them here"
            )
            self._tell(step.line, label, hint, frozenset((draw,)), [Label(draw.line.where.span, "found here, anew")])

    def _tell(
        self, line: LineInfo, label: str, hint: str, draws: frozenset[Draw], others: Iterable[Label] = ()
    ) -> None:
        self.told.tell(line, label, hint, frozenset(draw.line for draw in draws), others)


class _Told:
    """What was told already, of lines that may be gone through for several callers."""

    def __init__(self, problems: Problems) -> None:
        self.problems = problems
        self.lines: set[frozenset[LineInfo]] = set()
        self.order = count(1)
        self.changed: dict[Seen, int] = {}  # when each attribute was changed last
        self.quiet = False

    def tell(self, line: LineInfo, label: str, hint: str, found: frozenset[LineInfo], others: Iterable[Label]) -> None:
        if found not in self.lines and not self.quiet:
            self.lines.add(found)
            self.problems.add("P033", line.where.span, label=label, hint=hint, others=others)


def _without_marks(condition: t.Expr) -> Iterator[Attribute]:
    """The marks that nobody has of whom a condition is so."""
    match condition:
        case t.Op(name="and", args=args):
            for part in args:
                yield from _without_marks(part)
        case t.Op(name="not", args=(t.Attr(of=t.Var(), attribute=mark),)) if mark.is_mark:
            yield mark


def _in_both(one: dict[Token, frozenset[Told]], other: dict[Token, frozenset[Told]]) -> dict[Token, frozenset[Told]]:
    return {token: by & other[token] for token, by in one.items() if token in other and by & other[token]}


def _less(marked: Marked, attributes: Collection[Seen]) -> Marked:
    """Without what these attributes tell."""
    left = {token: frozenset(told for told in by if told[0] not in attributes) for token, by in marked.items()}
    return {token: by for token, by in left.items() if by}
