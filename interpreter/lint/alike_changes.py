"""Checks changes of alike figures in `together` blocks and in loops, where it is unknown which figures another line or
round changes.

Takes the changes of a procedure in a block or loop; gives a `Finding` at the line of one of them, or None. Knows
nothing of how figures are selected, nor of how a finding is reported.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from interpreter.rulebook import typed as t
from interpreter.rulebook.symbols import Attribute, LineInfo
from interpreter.source import Label
from interpreter.source.values import Record, Struct, field

from .implication import ExpressionKeys
from .name_uses import NameUses, effect_of, is_figures, mentions
from .overlap import NOBODY, Draw, Group, Property, Token, may_share


class Change(Struct, eq=False):
    """A change of figures, by a line of the procedure or in a call."""

    group: Group
    found: frozenset[Draw]  # its selections that are not determined
    attribute: Attribute | None  # None: the holder changes
    line: LineInfo
    at: int
    step: t.Step


class Loop(Record):
    """A loop that is being analysed."""

    step: t.ForEach | t.Repeat | t.RepeatUntil
    bases: frozenset[Any]  # variables that each round assigns anew
    together: bool
    writes: frozenset[Property]  # what its rounds may change
    current: Draw | None = None  # the figure of the current round
    group: Group = NOBODY
    out: bool = False  # the figures that it runs over are out of play
    changes: list[Change] = field(default_factory=list)


class Finding(Struct):
    """A finding at `line`: `draws` are the selections that it is about, `others` related places."""

    line: LineInfo
    label: str
    hint: str
    draws: frozenset[Draw]
    others: tuple[Label, ...] = ()


def found_at_once(change: Change, loop: Loop, keys: ExpressionKeys) -> Finding | None:
    """The finding for a change in a loop of a `together` block whose rounds may select the same figures: the engines
    take the selections of two rounds to be distinct.
    """
    found = change.found & change.group.within
    if any(loop.step in draw.inside and same_in_each_round(draw, loop, keys) for draw in found):
        label = "the next round may find the same figures"
        hint = "without `together` each round sees whom the rounds before it changed"
        return Finding(change.line, label, hint, change.found)
    return None


def same_in_each_round(draw: Draw, loop: Loop, keys: ExpressionKeys) -> bool:
    """Whether each round selects from the same figures."""
    fresh = {keys.key_of(t.Var(v, type=v.type)) for v in loop.bases}
    anew = any(whose is not None and whose[0] in fresh for _, whose in draw.bases)
    return bool(draw.bases) and draw is not loop.current and not anew and loop.current not in draw.known


def become_alike(block: t.Together, changes: Sequence[Change]) -> Finding | None:
    """The finding for a `together` block in which one line filters by a mark, another gives that mark, and a third
    changes selected figures: after that it is unknown which figures the filter selected.
    """
    effects = [p for p in t.parts(block.body) if effect_of(p) is not None]
    givers = {e.attribute: e for e in effects if isinstance(e, t.SetAttr)}
    for effect in effects:
        filters = [f.condition for f in t.parts(effect_of(effect)) if isinstance(f, t.Filter)]
        read = {p.attribute for p in t.parts(tuple(filters)) if isinstance(p, t.Attr)}
        giver = next((givers[a] for a in read if a in givers and givers[a] is not effect), None)
        others = {id(e) for e in effects if e is not effect and e is not giver}
        found = next((change for change in changes if id(change.step) in others), None)
        if giver is not None and found is not None:
            label = "another line of `together` makes figures look like these"
            hint = "take `together` out: then each line sees what those before it have done"
            return Finding(effect.line, label, hint, found.found)
    return None


def changed_by_name_and_in_rounds(block: t.Together, changes: Sequence[Change], page: Any) -> Finding | None:
    """The finding for a `together` block that changes figures both by a name and one by one in a loop: the current
    figure of the loop is identified by its attributes in the snapshot, so an alike figure may be changed instead.
    `page`: the analysis whose names count.
    """
    looped = {p.variable for p in t.parts(block.body) if isinstance(p, t.ForEach) and is_figures(p.variable)}
    inside = {id(p) for p in t.parts(block.body)}
    changes = [change for change in changes if id(change.step) in inside]
    for change in changes:
        of = effect_of(change.step)
        if not isinstance(of, t.Var) or of.variable not in looped:
            continue
        for other in changes:
            named = effect_of(other.step)
            by_turn = isinstance(named, t.Var) and named.variable in looped
            if not by_turn and other.group.holds & change.group.within - {(page, of.variable)}:
                label = "another line of `together` changes the same figures by their name"
                hint = "take `together` out: then each line sees what those before it have done"
                return Finding(change.line, label, hint, other.found)
    return None


def changed_as_they_were(block: t.Together, changes: Sequence[Change]) -> Finding | None:
    """The finding for a `together` block in which a call or an unnamed expression selects figures in the snapshot, and
    another line may change the same figures.
    """
    inside = {id(p) for p in t.parts(block.body)}
    changes = [change for change in changes if id(change.step) in inside]
    for change in changes:
        if isinstance(effect_of(change.step), t.Var | t.Field):
            continue
        for other in changes:
            shared = may_share(change.group.bases, other.group.bases)
            if other.step is not change.step and shared and not disjoint(change.group, other.group):
                label = "another line of `together` changes figures that this one finds as they were"
                hint = "take `together` out: then each line sees what those before it have done"
                return Finding(change.line, label, hint, change.found | other.found)
    return None


def changed_before_their_turn(
    change: Change, loop: Loop, scope: str, done: str, marked: Collection[Token], uses: NameUses
) -> Finding | None:
    """The finding for a round that may change figures of later rounds, where that makes a difference. `scope`: the name
    of the procedure; `done`: a free name for a mark; `marked`: the tokens that are distinguished from all others.
    """
    step, current, group = loop.step, loop.current, change.group
    if current is None or not isinstance(step, t.ForEach) or current in group.within:
        return None
    if not may_share(group.bases, loop.group.bases) or disjoint(group, loop.group):
        return None
    in_play = loop.out and all(loop.step in d.inside for d in change.found) and not group.within & loop.group.within
    if in_play or not _matters_in_turn(change, loop, step, marked, uses):
        return None
    items = step.items.where.text if step.items.where is not None else "figures"
    rest = f"{f'({items})' if ' ' in items else items} where not {done}"
    name = step.variable.name.rsplit(".", 1)[-1]
    kind = step.variable.type.of.name
    loop_name = step.line.address.rsplit(".", 1)[-1]
    hint = (
        f"give figures a mark, `mark {done} of {kind}: until after {scope}`, and let lots say whose turn "
        f"it is: `{loop_name}, repeat until no ({rest}):`, in it `{name}: 1 of ({rest}) at random`, and then "
        f"`turn: {name} gains {done}`"
    )
    others = (Label(step.line.where.span, f"`{name}` goes through them here"),)
    label = "they may be some whose turn is still to come"
    return Finding(change.line, label, hint, change.found | {current}, others)


def _matters_in_turn(change: Change, loop: Loop, step: t.ForEach, marked: Collection[Token], uses: NameUses) -> bool:
    """Whether a round's result depends on whether an earlier round changed its figure."""
    body = t.parts(step.body)
    given = [part for part in body if isinstance(part, t.Assign) and is_figures(part.variable)]
    items, more = {step.variable}, True
    while more:  # and variables computed from it, to a fixed point
        found = {part.variable for part in given if any(mentions(part.value, (m,)) for m in items)}
        more = not found <= items
        items |= found
    if any(uses.reads(part, (m,), change.attribute) for part in body for m in items):
        return True
    if _marks_past_rounds(change, loop, step, marked):
        return False
    return any(uses.changes(part, (m,)) or uses.combines(part, (m,)) for part in body for m in items)


def _marks_past_rounds(change: Change, loop: Loop, step: t.ForEach, marked: Collection[Token]) -> bool:
    """Whether each round marks its figure before it changes others, which distinguishes figures of past rounds."""
    if not {draw for draw in loop.group.draws if draw.reads is None} <= set(marked):
        return False
    others = {c.attribute for c in loop.changes if loop.current not in c.group.within}
    for line in step.body:
        if any(part is change.step for part in t.parts(line)):
            return False
        match line:
            case t.SetAttr(of=t.Var(variable=variable), attribute=mark, value=t.Lit(value=True)):
                if variable is step.variable and mark not in others and not _is_lost(mark, step):
                    return True
    return False


def _is_lost(mark: Attribute, step: t.ForEach) -> bool:
    return any(
        isinstance(p, t.SetAttr) and p.attribute is mark and not (isinstance(p.value, t.Lit) and p.value.value)
        for p in t.parts(step.body)
    )


def disjoint(one: Group, other: Group) -> bool:
    """Whether two groups are certainly disjoint."""
    return bool(one.within & other.apart or other.within & one.apart)
