"""Changes of alike figures in `together` and in loops, of which nobody can tell which figures another line or another
round changes.

Takes the changes of a procedure, in a block or in a loop; gives a `Finding` at the line of one of them, or None. Knows
nothing of how figures are found, nor of how a finding is told.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from interpreter.rulebook import typed as t
from interpreter.rulebook.symbols import Attribute, LineInfo
from interpreter.source import Label
from interpreter.source.values import Record, Struct, field

from .implication import ExpressionKeys
from .name_uses import NameUses, asks, effect_of, is_figures
from .overlap import NOBODY, Draw, Group, Seen, Token, may_share


class Change(Struct, eq=False):
    """An effect on figures: by a line of the page, or in what it calls."""

    group: Group
    found: frozenset[Draw]  # those of its finds of which nobody sees who they are
    attribute: Attribute | None  # None: they go over to another unit
    line: LineInfo
    at: int
    step: t.Step


class Loop(Record):
    step: t.ForEach | t.Repeat | t.RepeatUntil
    bases: frozenset[Any]  # what differs from round to round
    together: bool
    writes: frozenset[Seen]  # what its rounds may change
    man: Draw | None = None
    group: Group = NOBODY
    out: bool = False  # those who have their turns are out of play
    changes: list[Change] = field(default_factory=list)


class Finding(Struct):
    """What is said of a line: `draws` are the finds that it speaks of, `others` the places beside it."""

    line: LineInfo
    label: str
    hint: str
    draws: frozenset[Draw]
    others: tuple[Label, ...] = ()


def found_at_once(change: Change, loop: Loop, keys: ExpressionKeys) -> Finding | None:
    """What happens together is one: those that two rounds find are taken to be others."""
    found = change.found & change.group.within
    if any(loop.step in draw.inside and same_in_each_round(draw, loop, keys) for draw in found):
        label = "the next round may find the same figures"
        hint = "without `together` each round sees whom the rounds before it changed"
        return Finding(change.line, label, hint, change.found)
    return None


def same_in_each_round(draw: Draw, loop: Loop, keys: ExpressionKeys) -> bool:
    """Whether each round finds them in the same figures."""
    fresh = {keys.key_of(t.Var(v, type=v.type)) for v in loop.bases}
    anew = any(whose is not None and whose[0] in fresh for _, whose in draw.bases)
    return bool(draw.bases) and draw is not loop.man and not anew and loop.man not in draw.known


def become_alike(block: t.Together, changes: Sequence[Change]) -> Finding | None:
    """In what happens together one sentence speaks of figures with a mark, another gives others the mark, and a
    third changes some that were found: nobody knows by then whom the first meant.
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
    """In what happens together some are changed by their name, and one after the other in a loop: whoever has his
    turn there is known as he was, so others that look like him may be changed in his place. `page`: whose names.
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
    """In what happens together a call, and a sentence that is no name, find figures as they were: whether another
    line changes them, too.
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
    change: Change, loop: Loop, scope: str, marked: Collection[Token], uses: NameUses
) -> Finding | None:
    """A round may change those whose turn comes later, and it matters in their turn. `scope`: the procedure; `marked`:
    those who are told apart from all others.
    """
    step, man, group = loop.step, loop.man, change.group
    if man is None or not isinstance(step, t.ForEach) or man in group.within:
        return None
    if not may_share(group.bases, loop.group.bases) or disjoint(group, loop.group):
        return None
    in_play = loop.out and all(loop.step in d.inside for d in change.found) and not group.within & loop.group.within
    if in_play or not _of_his_turn(change, loop, step, marked, uses):
        return None
    items = step.items.where.text if step.items.where is not None else "figures"
    rest = f"{f'({items})' if ' ' in items else items} where not done"
    name = step.variable.name.rsplit(".", 1)[-1]
    loop_name = step.line.address.rsplit(".", 1)[-1]
    hint = (
        f"give figures a mark, `mark done of figure: until after {scope}`, and let lots say whose turn "
        f"it is: `{loop_name}, repeat until no ({rest}):`, in it `{name}: 1 of ({rest}) at random`, and then "
        f"`turn: {name} gains done`"
    )
    others = (Label(step.line.where.span, f"`{name}` goes through them here"),)
    label = "they may be some whose turn is still to come"
    return Finding(change.line, label, hint, change.found | {man}, others)


def _of_his_turn(change: Change, loop: Loop, step: t.ForEach, marked: Collection[Token], uses: NameUses) -> bool:
    """Whether it matters in his turn if he is one of those that were changed."""
    body = t.parts(step.body)
    given = [part for part in body if isinstance(part, t.Assign) and is_figures(part.variable)]
    items, more = {step.variable}, True
    while more:  # and those who are given from him
        found = {part.variable for part in given if any(asks(part.value, (m,)) for m in items)}
        more = not found <= items
        items |= found
    if any(uses.reads(part, (m,), change.attribute) for part in body for m in items):
        return True
    if _had_turns(change, loop, step, marked):
        return False
    return any(uses.changes(part, (m,)) or uses.combines(part, (m,)) for part in body for m in items)


def _had_turns(change: Change, loop: Loop, step: t.ForEach, marked: Collection[Token]) -> bool:
    """Whether those that had their turn are marked before a round changes others."""
    if not {draw for draw in loop.group.draws if draw.reads is None} <= set(marked):
        return False
    others = {c.attribute for c in loop.changes if loop.man not in c.group.within}
    for line in step.body:
        if any(part is change.step for part in t.parts(line)):
            return False
        match line:
            case t.SetAttr(of=t.Var(variable=variable), attribute=mark, value=t.Lit(value=True)):
                if variable is step.variable and mark not in others and not _lost(mark, step):
                    return True
    return False


def _lost(mark: Attribute, step: t.ForEach) -> bool:
    return any(
        isinstance(p, t.SetAttr) and p.attribute is mark and not (isinstance(p.value, t.Lit) and p.value.value)
        for p in t.parts(step.body)
    )


def disjoint(one: Group, other: Group) -> bool:
    """Whether surely nobody is in both."""
    return bool(one.within & other.apart or other.within & one.apart)
