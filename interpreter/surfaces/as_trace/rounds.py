"""Shortens a trace: rounds of a loop that differ only in their dice are merged into one, with dice concatenated and
results summed; lines without a result and calls without an effect are dropped.

Takes events. Gives fewer events. Knows nothing of rows.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

from interpreter.engines import telling
from interpreter.engines.trace_events import Event
from interpreter.source.values import replace

Sentence = Callable[[str, Sequence[str]], str]
Round = tuple[Any, list[Any]]

NOTHING = ("nobody", "none", "no dice", "0", "False", '0"', "", "[]")


def loop_end(events: list[Event], start: int) -> int:
    """The index after the last event of the loop that begins at `start`: the last whose line is that of the loop or
    nested in it, whatever events are between.
    """
    head = events[start]
    end = start + 1
    for j in range(start + 1, len(events)):
        line = events[j].line
        if line == head.line or line.startswith(head.line + "."):
            end = j + 1
    return end


def differ_in_dice_only(one: Round, two: Round) -> bool:
    """Whether two rounds, each with the events of its body, may be shown as one: they differ at most in dice and
    results.
    """
    if one[0].text != two[0].text or len(one[1]) != len(two[1]):
        return False
    return all(_shape(a) == _shape(b) for a, b in zip(one[1], two[1], strict=True))


def _shape(event: Event) -> tuple[Any, ...]:
    """The event without its dice and their results, as a key for comparison."""
    children = tuple([_shape(c) for c in event.children])
    data = event.data
    if "dice" in data and "row" not in data and "drawn" not in data and event.kind in ("throw", "line"):
        told = tuple([str(data.get(k)) for k in ("roll", "needs", "change", "sides", "verdict", "outcome")])
        return event.kind, event.line, told, children
    if event.kind == "line" and (is_number(data.get("value")) or isinstance(data.get("value"), list)):
        return "line", event.line, children
    if event.kind == "call" and "row" not in data:
        said = tuple([a for a in data.get("said", ()) if not a.isdigit()])
        return "call", event.line, said, children
    if event.kind in ("skip", "barred"):
        return event.kind, event.line, data.get("because"), children
    if event.kind == "line" and isinstance(data.get("value"), bool):
        return "line", event.line, data["value"], children
    return event.kind, event.line, event.text, children


def merged(bodies: list[list[Event]], head: dict[str, Any], sentence: Sentence) -> list[Event]:
    """The body of several alike rounds as one: dice concatenated, results summed."""
    who = tuple([head[k] for k in ("each", "who") if head.get(k)])
    return [_one(list(same), who, sentence) for same in zip(*bodies, strict=True)]


def _one(events: list[Event], who: tuple[str, ...], sentence: Sentence) -> Event:
    first = events[0]
    children = [_one(list(same), who, sentence) for same in zip(*[e.children for e in events], strict=True)]
    data, text = dict(first.data), first.text
    if "arguments" in data and "row" not in data:
        columns = list(zip(*[e.data["said"] for e in events], strict=True))
        said = [", ".join(c) if len(set(c)) > 1 else "each" if c[0] in who else c[0] for c in columns]
        rule = f"{first.line}: " if text.startswith(f"{first.line}: ") else ""
        text = rule + sentence(data["procedure"], said)
    elif "dice" in data:
        data |= _together([e.data for e in events])
        text = telling.throw(first.name, data)
    elif first.kind == "line" and isinstance(data.get("value"), list):
        data["value"] = [f for e in events for f in e.data["value"]]
        text = f"{first.name}: {' '.join(map(str, data['value'])) or 'no dice'}"
        data["judged"] = all(e.data.get("judged") for e in events)
    elif first.kind == "line" and is_number(data.get("value")):
        data["echo"] = any(e.data.get("echo") for e in events)
        data["echo"] = data["echo"] and all(e.data.get("echo") or not e.data["value"] for e in events)
        values = [e.data["value"] for e in events]
        data["value"] = sum(values)
        same = len(set(values)) == 1
        if not same or any(e.data.get("parts") != data.get("parts") for e in events):
            data.pop("parts", None)
        text = (
            f"{first.name}: {telling.text_of(values[0])} each"
            if same
            else f"{first.name}: {telling.text_of(data['value'])} in all"
        )
        text += telling.worked_out(data) if same else ""
    elif first.kind in ("skip", "line", "barred") and "parts" in data:
        data["parts"] = {
            part: " ".join(dict.fromkeys(said)) if len(set(said)) == 1 else " ".join(said)
            for part in data["parts"]
            for said in [[e.data["parts"].get(part, "?") for e in events]]
        }
        text = text.partition(" (")[0] + telling.worked_out(data)
    elif first.kind == "effect" and len({e.text for e in events}) == 1:
        for one in who:
            text = re.sub(rf"^(.*?: |\S+ of )?{re.escape(one)}(?=[ :])", r"\1each", text)
    return replace(first, data=data, text=text, children=children)


def _together(told: list[dict[str, Any]]) -> dict[str, Any]:
    """The data of several throws of one line as one throw: dice concatenated, successes summed."""
    found: dict[str, Any] = {"dice": [f for data in told for f in data["dice"]]}
    again = [faces for data in told for faces in data.get("again", ())]
    if again:
        found["dice"] = [f for data in told for f in _first(data)] + [f for faces in again for f in faces]
        found["again"] = again
    for key in ("passed", "failed", "count", "asked"):
        if key in told[0]:
            found[key] = sum(data[key] for data in told)
    if is_number(told[0].get("value")):
        found["value"] = sum(data["value"] for data in told)
    return found


def _first(data: dict[str, Any]) -> list[int]:
    """The dice of a throw without rerolled ones."""
    return list(data["dice"][: len(data["dice"]) - sum(len(f) for f in data.get("again", ()))])


# ---- events that are not shown
def is_telling(event: Event) -> bool:
    """Whether a line is worth showing: its value is not empty and not a repetition."""
    data = event.data
    if "roll" in data:
        return bool(data["count"])
    if data.get("judged") or (data.get("echo") and not event.clauses):
        return False
    return str(data.get("value")) not in NOTHING or bool(data.get("on-dice"))


def of_interest(events: list[Event]) -> list[Event]:
    """Remove calls without effects and empty choices. An empty throw stays at the top level, next to those of other
    rounds.
    """
    left = [event for event in events if event.kind == "throw" or not _is_idle(event)]
    return [replace(e, children=of_interest(e.children)) if e.kind == "call" else e for e in left]


def _is_idle(event: Event) -> bool:
    data = event.data
    match event.kind:
        case "call":
            return "row" not in data and all(_is_idle(e) for e in event.children)
        case "throw":
            return not (data["count"] if "roll" in data else data["dice"])
        case "choice":
            return str(data.get("chosen")) in NOTHING
        case "effect":
            return not data.get("changed", True)
        case "skip":
            return not data.get("on-dice")
    if event.kind != "line" or is_number(data.get("value")) or isinstance(data.get("value"), list) or data.get("read"):
        return False
    return not is_telling(event)


def is_number(value: Any) -> bool:
    """Whether a value is a number; True and False are not."""
    return isinstance(value, int | Fraction) and not isinstance(value, bool)
