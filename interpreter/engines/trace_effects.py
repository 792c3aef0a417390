"""Events of effects: the things changed, old and new values, and where a bound limited a number.

Input: the notes of effects. Output: `Event`s; a `deals` line gives one. It does not know what caused an effect.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from interpreter.program.runtime import only_figure, size, without
from interpreter.program.trace_notes import Note
from interpreter.program.words import number, singular
from interpreter.source.values import Struct, replace
from interpreter.vocabulary.types import Type

from . import telling
from .trace_events import Event, Log, Loops, Told
from .trace_reasons import Reasons

Member = tuple[Any, int, Any]


class _Share(Struct):
    """The part of equal receivers in a deal: `first` is their state when it began, `one` their state now."""

    first: Any
    one: Any
    many: int
    got: int
    was: Any
    now: Any


class Effects:
    """Converts notes of effects to events."""

    def __init__(self, log: Log, loops: Loops, reasons: Reasons) -> None:
        self.log = log
        self.loops = loops
        self.reasons = reasons
        self.words = log.words
        self._dealt: tuple[Event | None, list[_Share]] = None, []  # the current deal

    def of(self, note: Note, values: Any, reasons: list[Told]) -> Event | None:
        attribute, type_ = note.about[0], note.about[1]
        target, was, value = values
        if target in ((), None, -1):
            return None
        sign = note.about[2] if note.kind == "add" else 0
        members = _members(target, was, attribute, type_)
        if sign and not value:
            return None
        ends = [_ended(old, value, sign, attribute) for _, _, old in members]
        shifted = [(m, end) for m, end in zip(members, ends, strict=True) if m[2] != end]
        shown = [m for m, _ in shifted] or members
        many = type_.many and (len(shown) > 1 or any(n > 1 for _, n, _ in shown))
        full = self.words.say(_value_of(shown, type_), type_)
        who = self.loops.short(_value_of(shown, type_), type_, note.line)
        self.loops.changed([(one, end) for (one, _, _), end in zip(members, ends, strict=True)], attribute)
        say = self.words.say
        before = [say(old, attribute.type) for _, _, old in shown]
        now = [say(end, attribute.type) for _, end in shifted] or before
        if sign:
            verb = "gain" if sign > 0 else "lose"
            count = number(value)
            name = singular(attribute.name) if value == 1 else attribute.name
            text = f"{who} {verb}{'' if many else 's'} {count} {name}"
            text += telling.after(before, now, _limit(attribute, shown, value, sign))
        elif attribute.type.name == "truth":
            text = f"{who} {'gain' if value else 'lose'}{'' if many else 's'} {attribute.name}"
        else:
            start = before[0] if len(set(before)) == 1 else "…"
            text = f"{attribute.name} of {who}: {start} → {now[0]}"
        event = self.log.event("effect", note.line, text)
        event.data = {
            "what": attribute.name,
            "value": self.words.plain(value, attribute.type),
            "who": full,
            "was": before,
            "now": now,
            "changed": bool(shifted),
        }
        event.children = self.reasons.of(reasons)
        if not shifted and not sign:
            event.text += " (nothing changes)"
        event.text = self.log.by_rule(event) + event.text
        return event

    def restated(self, note: Note, values: Any, reasons: list[Told]) -> Event | None:
        """Return the event of a fact that is set."""
        fact, of, args = note.about.fact, note.about.of, note.about.args
        target, others, value = values
        if target in ((), None, -1):
            return None
        say = self.words.say
        who = [say(target, of.type), *[say(x, a.type) for x, a in zip(others, args, strict=True)]]
        now = say(value, fact.type)
        event = self.log.event("effect", note.line, f"{fact.name}({', '.join(who)}) becomes {now}")
        event.data = {"what": fact.name, "value": self.words.plain(value, fact.type), "who": who[0], "now": [now]}
        event.children = self.reasons.of(reasons)
        event.text = self.log.by_rule(event) + event.text
        return event

    def link(self, note: Note, values: Any, reasons: list[Told]) -> Event | None:
        """Return the event of a mark between two that is gained or lost; None if nothing is lost."""
        attribute, type_, sign = note.about
        target, was, others = values
        members = [m for m in _members(target, was, attribute, type_) if m[0] >= 0]
        if not members or not others:
            return None
        ends = [_linked(one, old, others, sign) for one, _, old in members]
        shifted = [(m, end) for m, end in zip(members, ends, strict=True) if set(m[2]) != set(end)]
        if not shifted and sign < 0:
            return None
        shown = [m for m, _ in shifted] or members
        say = self.words.say
        who, whom = say(_value_of(shown, type_), type_), say(others, attribute.type)
        self.loops.changed([(one, end) for (one, _, _), end in zip(members, ends, strict=True)], attribute)
        verb = "gain" if sign > 0 else "lose"
        text = f"{who} {verb}{'' if len(shown) > 1 else 's'} {attribute.name} {attribute.word} {whom}"
        event = self.log.event("effect", note.line, text)
        event.data = {
            "what": attribute.name,
            "value": self.words.plain(others, attribute.type),
            "who": who,
            "was": [say(old, attribute.type) for _, _, old in shown],
            "now": [say(end, attribute.type) for _, end in shifted],
            "changed": bool(shifted),
        }
        event.children = self.reasons.of(reasons)
        if not shifted:
            event.text += " (nothing changes)"
        event.text = self.log.by_rule(event) + event.text
        return event

    def unfit(self, note: Note, values: Any) -> Event | None:
        """Return the event of figures that do not gain a mark because of its limit; None if all gain it."""
        asked, fits = (only_figure(v) if note.type is not None and note.type.name == "figure" else v for v in values)
        left = without(asked, fits)
        if not left:
            return None
        mark = note.about
        text, limit = self.log.program.book.pages.owners[mark].text, mark.ending.limit
        who = self.words.say(left, Type("figures", mark.kind))
        limit_text = text.text[limit.start : limit.end] if text is not None else ""
        verb = "does" if size(left) == 1 else "do"
        event = self.log.event("effect", note.line, f"{who} {verb} not gain {mark.name}: {limit_text}")
        event.data = {"what": mark.name, "value": False, "who": who, "was": ["no"], "now": ["no"], "changed": False}
        return event

    def deal(self, note: Note, values: Any) -> None:
        """Add a step of a deal to the event of its line, with the chooser if there was an open choice."""
        target, was, value = values
        attribute, type_, sign = note.about
        events, line = self.log.here.children, note.line.address
        who = ""
        while events and events[-1].line == line and events[-1].kind in ("round", "choice"):
            gone = events.pop()
            who = gone.data["who"] if gone.data.get("open") else who
        event, dealt = self._dealt
        if event is None or not events or events[-1] is not event or event.line != line:
            event, dealt = self.log.event("effect", note.line, ""), []
            event.data = {"what": attribute.name, "by": ""}
            events.append(event)
        members = _members(target, was, attribute, type_)
        ends = [_ended(old, value, sign, attribute) for _, _, old in members]
        dealt = _dealt(dealt, members, ends, value, attribute if "figure" in type_.name else None)
        self.loops.changed([(one, end) for (one, _, _), end in zip(members, ends, strict=True)], attribute)
        self._dealt = event, dealt
        event.data["by"] = who or event.data["by"]
        event.data["changed"] = any(s.now != s.was for s in dealt)
        event.data |= {"was": [number(s.was) for s in dealt], "now": [number(s.now) for s in dealt]}
        event.data["who"], parts = "", []
        for many in sorted({s.got for s in dealt}, reverse=True):
            mine = [s for s in dealt if s.got == many]
            whom = self.words.say(_value_of([(s.first, s.many, s.was) for s in mine], type_), type_)
            several = type_.many and (len(mine) > 1 or mine[0].many > 1)
            text = f"{whom} gain{'' if several else 's'} {number(many)} "
            text += singular(attribute.name) if many == 1 else attribute.name
            parts.append(text + telling.after([number(s.was) for s in mine], [number(s.now) for s in mine], ""))
            event.data["who"] += f"{', ' if event.data['who'] else ''}{whom}"
        event.text = f"{event.name}: {'; '.join(parts)}"
        if event.data["by"]:
            event.text += f" ({event.data['by']} chooses who)"


def _dealt(
    dealt: list[_Share], members: Iterable[tuple[Any, int, Any]], ends: Iterable[Any], value: int, counted: Any
) -> list[_Share]:
    """The shares after some members have received `value` more."""
    found = []
    for (one, many, old), end in zip(members, ends, strict=True):
        now = (*one[: counted.place], end, *one[counted.place + 1 :]) if counted is not None else one
        for share in [s for s in dealt if s.one == one]:
            taken = min(many, share.many)
            if taken:
                dealt = [s for s in dealt if s is not share]
                dealt += [replace(share, many=share.many - taken)] if share.many > taken else []
                found.append(replace(share, one=now, many=taken, got=share.got + value, now=end))
            many -= taken
        if many:
            found.append(_Share(one, now, many, value, old, end))
    return dealt + found


def _members(target: Any, was: Any, attribute: Any, type_: Any) -> list[Member]:
    """The things or figures that an effect changes, as (thing or figure, count, old value)."""
    match type_.name:
        case "figures":
            return [(f, n, f[attribute.place]) for f, n in target]
        case "figure":
            return [(target, 1, target[attribute.place])]
        case "things":
            return [(u, 1, old) for u, old in zip(target, was, strict=True) if u >= 0]
    return [(target, 1, was[0])]


def _value_of(members: Sequence[Member], type_: Any) -> Any:
    match type_.name:
        case "figures":
            return tuple((f, n) for f, n, _ in members)
        case "things":
            return tuple(u for u, _, _ in members)
    return members[0][0]


def _ended(old: Any, value: Any, sign: int, attribute: Any) -> Any:
    if not sign:
        return value
    end = (old or 0) + sign * value
    if attribute.low is None or attribute.high is None:
        return end
    return min(attribute.high, max(attribute.low, end))


def _linked(one: int, old: Any, others: Any, sign: int) -> tuple[int, ...]:
    """The members of the set of a thing after `others` are added or removed."""
    if sign < 0:
        return tuple(x for x in old if x not in others)
    return tuple(sorted({*old, *others} - {one}))


def _limit(attribute: Any, members: Sequence[Member], value: Any, sign: int) -> str:
    """The text for a number that a bound limited: ` (6 is the most)`; else empty."""
    if attribute.low is None or attribute.high is None:
        return ""
    ends = [(old or 0) + sign * value for _, _, old in members]
    if sign > 0 and any(end > attribute.high for end in ends):
        return f" ({number(attribute.high)} is the most)"
    return f" ({number(attribute.low)} is the least)" if sign < 0 and any(end < attribute.low for end in ends) else ""
