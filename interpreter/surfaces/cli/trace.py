"""A trace of events → what a person at the table wants to read, as an indented tree with places at the right.

Enters: the events of one history. Leaves: rows of text. Alike throws of one line are told together, what
changed nothing is left out, and what did not apply stands after a minus. Knows nothing of how things come
to happen.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from .terminal import nearby, paint, width

if TYPE_CHECKING:
    from interpreter.engines.trace import Event

Sentence = Callable[[str, list[str]], str]
_ROLL_WORDS = ("needs", "roll", "best", "worst", "passes", "fails", "again")
_NOTHING = ("nobody", "none", "no dice", "")


@dataclass(eq=False, slots=True)
class Row:
    """One row; `detail` rows are shown only when more is asked for."""

    said: str
    event: Event | None = None
    kind: str = "plain"
    detail: bool = False
    rows: list[Row] = field(default_factory=list)


class Teller:
    """Tells one history. `sentence` says a call in the words of the rules; `marks` are all that a thing
    bore at the start.
    """

    def __init__(self, sentence: Sentence, marks: str) -> None:
        self.sentence = sentence
        self.known = set(re.findall(r"[a-z][a-z0-9-]*", marks))

    # ---- siblings
    def rows(self, events: list[Event]) -> list[Row]:
        found: list[Row] = []
        told = {e.line for e in events if e.kind == "tell"}
        events = [e for e in events if e.kind != "line" or e.line not in told or _heads_loop(e)]
        i = 0
        while i < len(events):
            if _heads_loop(events[i]):
                end = _loop_end(events, i)
                found += self.loop(events[i:end])
                i = end
                continue
            follower = events[i + 1] if i + 1 < len(events) else None
            rows = self.row(events[i], follower)
            if follower is not None and _is_its_value(events[i], follower):
                self.sum_up(rows[-1], events[i], follower)
                i += 1
            found += rows
            i += 1
        return found

    def loop(self, events: list[Event]) -> list[Row]:
        """Rounds of a loop; rounds that differ in their dice only are told as one."""
        rounds: list[tuple[Event, list[Event]]] = []
        for event in events:
            if _heads_loop(event) and event.line == events[0].line:
                rounds.append((event, []))
            elif rounds:
                rounds[-1][1].append(event)
        groups: list[list[tuple[Event, list[Event]]]] = []
        for each in rounds:
            if groups and _alike(groups[-1][0], each):
                groups[-1].append(each)
            else:
                groups.append([each])
        found = []
        for group in groups:
            head, body = group[0]
            rows = self.rows(body if len(group) == 1 else _merged([b for _, b in group]))
            name, _, value = head.text.partition(" = ")
            times = f"{len(group)} \u00d7 " if len(group) > 1 else ""
            empty = not any(not r.detail for r in rows)
            found.append(Row(f"{name}: {times}{value}", head, "head", empty, rows))
        return found

    # ---- one event
    def row(self, event: Event, follower: Event | None) -> list[Row]:
        match event.kind:
            case "call":
                said = event.text
                if "arguments" in event.data:
                    said = self.sentence(event.data["procedure"], event.data["arguments"])
                rows = self.rows(event.children)
                return [Row(said, event, "call", "asked of nobody" in event.text, rows)]
            case "throw":
                return [self.throw(event)]
            case "choice":
                return [self.choice(event, follower)]
            case "effect":
                return self.effect(event)
            case "skip":
                return [Row(event.text, event, "off", True, reasons(event.children))]
            case "tell":
                return [Row(event.text, event, "tell")]
        return [self.line(event)]

    def throw(self, event: Event) -> Row:
        data = event.data
        name = _own_name(event)
        dice = " ".join(str(f) for f in data["dice"]) or "no dice"
        if "roll" not in data:
            return Row(f"{name}: {dice}  (d{data['sides']})", event, "throw", not data["dice"])
        rest = event.text.rpartition(" → ")[2]
        if not data.get("needs"):
            thrown_by = bool(data.get("failed")) or bool(data.get("passed")) or "fail: " in rest
            return Row(
                f"{name}: no {data['roll']} to throw → {rest}",
                event,
                "throw",
                not thrown_by,
                reasons(event.children),
            )
        needs = f"needs {data['needs']}"
        change = data.get("change") or 0
        plus = f", {change:+d} on the die" if change else ""
        again = "".join(f"  again: {' '.join(str(f) for f in faces)}" for faces in data.get("again", ()))
        thrown = data["dice"][: len(data["dice"]) - sum(len(f) for f in data.get("again", ()))]
        dice = " ".join(str(f) for f in thrown) or "no dice"
        said = f"{name}: {data['roll']} on d{data['sides']}, {needs}{plus}: {dice}{again} → {rest}"
        return Row(said, event, "throw", not data["dice"], reasons(event.children, str(data.get("needs") or "")))

    def sum_up(self, row: Row, event: Event, value: Event) -> None:
        """A line that is more than the dice in it says so: `blow: 4  (d6) → 6`, with what was added."""
        dice = event.data.get("dice", [])
        told = value.text.partition(" = ")[2]
        if (
            event.kind == "throw"
            and "roll" not in event.data
            and told not in (" ".join(map(str, sorted(dice))), str(sum(dice)))
        ):
            row.said += f" → {told}"
            row.rows += reasons(value.children)

    def choice(self, event: Event, follower: Event | None) -> Row:
        chosen = event.data.get("chosen")
        if isinstance(chosen, bool):
            chosen = "yes" if chosen else "no"
        said = f"{_own_name(event)}: {event.data.get('who', 'somebody')} chooses {chosen}"
        return Row(said, event, "choice", str(chosen) in _NOTHING)

    def effect(self, event: Event) -> list[Row]:
        """A mark that nobody bore cannot be lost: such effects change nothing."""
        what, value = event.data.get("what"), event.data.get("value")
        if value is False and what not in self.known:
            return []
        if value is True and isinstance(what, str):
            self.known.add(what)
        who = str(event.data.get("who", ""))
        said = event.text
        if (value is True and f", {what})" in who) or f"({what})" in who:
            said = re.sub(rf", {re.escape(str(what))}\)|\({re.escape(str(what))}\) ?", _close, said, count=1)
        return [Row(said, event, "effect")]

    def line(self, event: Event) -> Row:
        value = event.text.partition(" = ")[2]
        needs = event.data.get("needs")
        rows = reasons(event.children, str(needs or ""))
        if needs:
            change = event.data.get("change") or 0
            plus = f", {change:+d} on the die" if change else ""
            value = f"{event.data['roll']} on d{event.data['sides']}, needs {needs}{plus} → {value}"
        tested = any(r.event is not None and _is_roll_line(r.event) for r in rows)
        for r in rows:
            r.detail = r.detail or not tested
        return Row(f"{_own_name(event)}: {value}", event, "line", value in _NOTHING, rows)


def _close(match: re.Match[str]) -> str:
    return ")" if match[0].startswith(",") else ""


# ---- what belongs together
def _own_name(event: Event) -> str:
    return event.line.rpartition(".")[2] or event.line


def _heads_loop(event: Event) -> bool:
    """`shooter = …` at the line `volleys`: a round begins. A line of its own says its own name."""
    name = event.text.partition(" = ")[0]
    return event.kind == "line" and " = " in event.text and not f".{event.line}".endswith(f".{name}")


def _loop_end(events: list[Event], start: int) -> int:
    address = events[start].line
    end = start + 1
    for j in range(start + 1, len(events)):
        line = events[j].line
        if line.startswith(address + ".") or (line == address and (_heads_loop(events[j]) or events[j].kind != "line")):
            end = j + 1
    return end


def _is_its_value(event: Event, follower: Event) -> bool:
    """A throw or a choice and then the line that it is the value of."""
    return (
        event.kind in ("throw", "choice")
        and follower.kind == "line"
        and follower.line == event.line
        and not _heads_loop(follower)
    )


_Round = tuple[Any, list[Any]]


def _alike(one: _Round, two: _Round) -> bool:
    if one[0].text != two[0].text or len(one[1]) != len(two[1]):
        return False
    return all(_shape(a) == _shape(b) for a, b in zip(one[1], two[1], strict=True))


def _shape(event: Event) -> tuple[Any, ...]:
    """All but the dice and what they came to."""
    children = tuple(_shape(c) for c in event.children)
    if event.kind == "throw":
        data = event.data
        return (
            "throw",
            event.line,
            data.get("roll"),
            data.get("needs"),
            data.get("change"),
            data["sides"],
            children,
        )
    if event.kind == "line" and isinstance(event.data.get("value"), int | list) and not _is_truth(event):
        return "line", event.line, children
    return event.kind, event.line, event.text, children


def _is_truth(event: Event) -> bool:
    return isinstance(event.data.get("value"), bool)


def _merged(bodies: list[list[Event]]) -> list[Event]:
    """One body for many rounds: dice in a row, numbers added up."""
    return [_sum([body[i] for body in bodies]) for i in range(len(bodies[0]))]


def _sum(events: list[Event]) -> Event:
    from dataclasses import replace

    first = events[0]
    data = dict(first.data)
    if first.kind == "throw":
        data["dice"] = [f for e in events for f in e.data["dice"]]
        data["again"] = [f for e in events for f in e.data.get("again", ())]
        for key in ("passed", "failed"):
            if isinstance(data.get(key), int):
                data[key] = sum(e.data[key] for e in events)
                count = sum(len(e.data["dice"]) - sum(len(a) for a in e.data.get("again", ())) for e in events)
                text = f"{first.text.rpartition(' → ')[0]} → {data[key]} of {count} {key.removesuffix('ed')}"
                return replace(first, data=data, text=text)
        return replace(first, data=data)
    value = data.get("value")
    if first.kind == "line" and not _is_truth(first) and isinstance(value, int):
        total = sum(e.data["value"] for e in events)
        return replace(first, data={"value": total}, text=f"{first.text.partition(' = ')[0]} = {total}")
    if first.kind == "line" and isinstance(value, list):
        faces = [f for e in events for f in e.data["value"]]
        shown = " ".join(str(f) for f in faces)
        return replace(first, data={"value": faces}, text=f"{first.text.partition(' = ')[0]} = {shown}")
    return first


# ---- why
def reasons(events: list[Event], needs: str = "") -> list[Row]:
    """What something was worked out from. Events come in the order of working out; each stands under what
    used it.
    """
    pending: list[Row] = []
    number: Any = None
    change: Any = 0
    for event in events:
        if event.kind == "modifier":
            uses = _taken(pending, lambda r: r.kind in ("value", "look-up"))
            row = Row(_modifier(event), event, "on" if event.data.get("applied") else "off", False, uses)
            now = event.data.get("now")
            if _is_roll_line(event) and event.data.get("applied"):
                dice = str(event.data.get("text")).startswith("roll")
                if now == (change if dice else number):
                    row.kind = "off"
                elif dice:
                    row.said += f" → {now:+d} on the die" if isinstance(now, int) else ""
                    change = now
                elif isinstance(now, int):
                    row.said += "" if row.said.endswith(f" {now}") else f" → {now}{_suffix(needs)}"
                    number = now
            pending.append(row)
        elif event.kind == "line":
            mine = _taken(pending, lambda r, e=event: _part_of(r, e))  # type: ignore[misc]
            pending.append(Row(event.text, event, "value", False, mine))
        else:
            pending.append(Row(event.text, event, "look-up"))
    for row in pending:
        row.detail = not (row.event is not None and _is_roll_line(row.event))
    return pending


def _suffix(needs: str) -> str:
    return "+" if needs.endswith("+") else " or less" if needs.endswith("less") else ""


def _modifier(event: Event) -> str:
    said = str(event.data.get("text", event.text)).partition(" [")[0]
    name = _own_name(event)
    return said if name == said else f"{name}: {said}"


def _is_roll_line(event: Event) -> bool:
    return event.kind == "modifier" and str(event.data.get("text", "")).split(" ")[0] in _ROLL_WORDS


def _part_of(row: Row, value: Event) -> bool:
    line = row.event.line if row.event is not None else ""
    return (
        row.event is not None
        and row.event.kind == "modifier"
        and (line == value.line or line.startswith(value.line + "."))
    )


def _taken(pending: list[Row], fits: Callable[[Row], bool]) -> list[Row]:
    """The rows at the end that fit, taken away."""
    start = len(pending)
    while start > 0 and fits(pending[start - 1]):
        start -= 1
    found = pending[start:]
    del pending[start:]
    return found


# ---- showing
def shown(rows: list[Row], verbose: bool, depth: int = 0) -> list[str]:
    lines: list[str] = []
    for row in rows:
        if row.detail and not verbose:
            continue
        inner = [] if not verbose and row.kind in ("on", "off") else row.rows
        said = row.said
        if not verbose and row.kind == "on":
            used = [r.said for r in row.rows if _is_used(r, row.said)]
            lines.append(_placed("  " * depth, said, row, f"   ({'; '.join(used)})" if used else ""))
        else:
            lines.append(_placed("  " * depth, said, row))
        lines += shown(inner, verbose, depth + 1)
    return lines


def _is_used(row: Row, said: str) -> bool:
    """A value or look-up that the line speaks of."""
    name = row.said.partition(" is ")[0].rpartition(".")[2]
    return row.kind in ("value", "look-up") and re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", said) is not None


_COLOURS = {
    "call": "bold",
    "throw": "cool",
    "effect": "warm",
    "tell": "warm",
    "choice": "good",
    "off": "dim",
    "head": "bold",
}
_SIGNS = {"off": "- ", "on": "+ ", "value": "= ", "look-up": "= "}


def _placed(indent: str, said: str, row: Row, aside: str = "") -> str:
    """The text, and at the right its place and its clauses; what there is no room for is left out from the
    least wanted on.
    """
    said = f"{indent}{_SIGNS.get(row.kind, '')}{said}"
    file, clauses = _place(row.event)
    full = f"{file} {' '.join(clauses[:3])}{' +' if len(clauses) > 3 else ''}".rstrip()
    few = f"{file} {clauses[0]}{' +' if len(clauses) > 1 else ''}" if clauses else full
    room = width() - 2
    tries = ((said + aside, full), (said + aside, few), (said, full), (said, few), (said, file))
    text, place = next(((t, p) for t, p in tries if len(t) + len(p) <= room), (said, file))
    colour = _COLOURS.get(row.kind)
    painted = paint(text, colour) if colour else text
    return painted + " " * max(2, room + 2 - len(text) - len(place)) + paint(place, "dim") if place else painted


def _place(event: Event | None) -> tuple[str, tuple[str, ...]]:
    if event is None or not event.file or event.file == "do":
        return "", ()
    name = nearby(event.file).replace("\\", "/").rpartition("/")[2]
    return f"{name}:{event.row}", event.clauses
