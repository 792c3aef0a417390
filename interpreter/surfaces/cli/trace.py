"""A trace of events → what a person at the table wants to read, as an indented tree with places at the right.

Enters: the events of one history. Leaves: rows of text. Alike rounds of a loop are told together, what
changed nothing is left out, and what did not apply stands after a minus. Knows nothing of how things come
to happen.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any

from interpreter.source.values import field, record, replace

from .terminal import nearby, paint, width

if TYPE_CHECKING:
    from interpreter.engines.events import Event

Sentence = Callable[[str, Sequence[str]], str]
_ROLL_WORDS = ("needs", "roll", "best", "worst", "passes", "fails", "again")
_NOTHING = ("nobody", "none", "no dice", "0", "False", '0"', "", "[]")


@record()
class Row:
    """One row; `detail` rows are shown only when more is asked for."""

    said: str
    event: Event | None = None
    kind: str = "plain"
    detail: bool = False
    rows: list[Row] = field(default_factory=list)


class Teller:
    """Tells one history. `sentence` says a call in the words of the rules. With `verbose`, rounds that differ only in
    what is of no interest are kept apart.
    """

    def __init__(self, sentence: Sentence, verbose: bool = False) -> None:
        self.sentence = sentence
        self.verbose = verbose
        self.explained: set[tuple[str, ...]] = set()

    # ---- siblings
    def rows(self, events: list[Event]) -> list[Row]:
        found: list[Row] = []
        told = {e.line for e in events if e.kind == "tell"}
        events = [e for e in events if e.kind != "line" or e.line not in told]
        i = 0
        while i < len(events):
            event = events[i]
            if event.kind in ("each", "round"):
                end = _loop_end(events, i)
                found += self.loop(events[i:end])
                i = end
                continue
            after = events[i + 1] if i + 1 < len(events) else None
            rows = self.row(event)
            if event.kind == "throw" and after is not None and _led_by(event, after):
                rows = self.row(after)  # an outcome table, with the die that led to it
                rows[0].said = f"{event.text} → {_outcome(after)}"
                i += 1
            found += rows
            i += 1
        return found

    def loop(self, events: list[Event]) -> list[Row]:
        """Rounds of a loop; rounds that differ in their dice only are told as one."""
        rounds: list[tuple[Event, list[Event]]] = []
        for event in events:
            if event.kind == events[0].kind and event.line == events[0].line:
                rounds.append((event, []))
            elif rounds:
                rounds[-1][1].append(event)
        if not self.verbose and len(rounds) > 1:
            rounds = [(head, _telling(body)) for head, body in rounds]
        groups: list[list[tuple[Event, list[Event]]]] = []
        for each in rounds:
            if groups and _alike(groups[-1][0], each):
                groups[-1].append(each)
            else:
                groups.append([each])
        found: list[Row] = []
        told = 0
        for group in groups:
            head, body = group[0]
            many = len(group)
            rows = self.rows(body if many == 1 else self.merged([b for _, b in group], head.data))
            empty = all(r.detail for r in rows)
            first, told = told + 1, told + many
            if head.kind == "each":
                said = f"{head.data['each']}: {many} × {head.data['who']}, each" if many > 1 else head.text
            elif len(rounds) == 1:
                found += rows
                continue
            elif many == len(rounds):
                said = f"{head.text}: {many} times"
            else:
                said = f"{head.text}: round {first}" if many == 1 else f"{head.text}: rounds {first} to {told}"
            found.append(Row(said, head, "head", empty, rows))
        return found

    # ---- rounds told as one
    def merged(self, bodies: list[list[Event]], head: dict[str, Any]) -> list[Event]:
        """One body for many rounds: dice in a row, what comes of them added up."""
        who = tuple([head[k] for k in ("each", "who") if head.get(k)])
        return [self.one(list(alike), who) for alike in zip(*bodies, strict=True)]

    def one(self, events: list[Event], who: tuple[str, ...]) -> Event:
        from interpreter.engines import telling

        first = events[0]
        children = [self.one(list(alike), who) for alike in zip(*[e.children for e in events], strict=True)]
        data, text = dict(first.data), first.text
        if "arguments" in data and "row" not in data:
            columns = list(zip(*[e.data["said"] for e in events], strict=True))
            said = [", ".join(c) if len(set(c)) > 1 else "each" if c[0] in who else c[0] for c in columns]
            rule = f"{first.line}: " if text.startswith(f"{first.line}: ") else ""
            text = rule + self.sentence(data["procedure"], said)
        elif "dice" in data:
            data |= _together([e.data for e in events])
            text = telling.throw(first.name, data)
        elif first.kind == "line" and isinstance(data.get("value"), list):
            data["value"] = [f for e in events for f in e.data["value"]]
            text = f"{first.name}: {' '.join(map(str, data['value'])) or 'no dice'}"
            data["judged"] = all(e.data.get("judged") for e in events)
        elif first.kind == "line" and _is_number(data.get("value")):
            data["echo"] = any(e.data.get("echo") for e in events)
            data["echo"] = data["echo"] and all(e.data.get("echo") or not e.data["value"] for e in events)
            values = [e.data["value"] for e in events]
            data["value"] = sum(values)
            same = len(set(values)) == 1
            if not same or any(e.data.get("parts") != data.get("parts") for e in events):
                data.pop("parts", None)
            text = f"{first.name}: {values[0]} each" if same else f"{first.name}: {data['value']} in all"
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

    # ---- one event
    def row(self, event: Event) -> list[Row]:
        match event.kind:
            case "call":
                rows = self.rows(event.children)
                empty = all(r.detail for r in rows)
                if not empty:
                    _results(rows)
                return [Row(event.text, event, "call", empty and "row" not in event.data, rows)]
            case "throw" | "line":
                return [self.value(event)]
            case "choice":
                return [Row(event.text, event, "choice", str(event.data.get("chosen")) in _NOTHING)]
            case "effect":
                return [Row(event.text, event, "effect", not event.data.get("changed", True))]
            case "skip":
                return [Row(event.text, event, "off", not event.data.get("on-dice"), reasons(event.children))]
            case "barred":
                return [Row(event.text, event, "off")]
        return [Row(event.text, event, "tell")]

    def value(self, event: Event) -> Row:
        """A line and what came of it: nothing, and no die thrown, is of little interest."""
        data = event.data
        needs = str(data.get("needs") or "")
        rows = reasons(event.children, needs)
        if "roll" in data:
            some = bool(data["count"])
        elif event.kind == "throw":
            some = bool(data["dice"])
        else:
            some = _is_telling(event)
            for row in rows:
                row.detail = row.detail or row.kind != "left-out"
        row = Row(event.text, event, event.kind, not some, rows)
        if some and needs and any(not r.detail for r in rows):
            self.once(row, needs)
        return row

    def once(self, row: Row, needs: str) -> None:
        """What a roll needs is explained when it is first thrown, and again when anything in it is different."""
        key = (row.event.line if row.event else "", *_texts(row.rows))
        if key in self.explained:
            row.said = row.said.replace(f"needs {needs}", f"needs {needs} as above", 1)
            for r in row.rows:
                r.detail = True
        self.explained.add(key)


def _texts(rows: list[Row]) -> list[str]:
    return [text for r in rows for text in (r.kind + r.said, *_texts(r.rows))]


def _results(rows: list[Row]) -> None:
    """A line that other rules read is what came of a call, be it nothing: told where there is more to tell, and no
    roll has told it.
    """
    events = [row.event for row in rows if row.event is not None]
    if any("roll" in e.data and e.data["count"] for e in events):
        return
    for row in rows:
        data = row.event.data if row.event is not None else {}
        if data.get("read") and not isinstance(data.get("value"), list) and not data.get("echo"):
            row.detail = False
        elif row.kind == "head" and not row.detail:
            _results(row.rows)


def _is_telling(event: Event) -> bool:
    """A line that says more than nothing, and more than what was said before."""
    data = event.data
    if "roll" in data:
        return bool(data["count"])
    if data.get("judged") or (data.get("echo") and not event.clauses):
        return False
    return str(data.get("value")) not in _NOTHING or bool(data.get("on-dice"))


def _telling(events: list[Event]) -> list[Event]:
    """Without what is of no interest: calls in which nothing happened, choices of nothing. A throw of no dice stays,
    beside those of other rounds.
    """
    left = [event for event in events if event.kind == "throw" or not _is_idle(event)]
    return [replace(e, children=_telling(e.children)) if e.kind == "call" else e for e in left]


def _is_idle(event: Event) -> bool:
    data = event.data
    match event.kind:
        case "call":
            return "row" not in data and all(_is_idle(e) for e in event.children)
        case "throw":
            return not (data["count"] if "roll" in data else data["dice"])
        case "choice":
            return str(data.get("chosen")) in _NOTHING
        case "effect":
            return not data.get("changed", True)
        case "skip":
            return not data.get("on-dice")
    if event.kind != "line" or _is_number(data.get("value")) or isinstance(data.get("value"), list) or data.get("read"):
        return False
    return not _is_telling(event)


# ---- what belongs together
def _loop_end(events: list[Event], start: int) -> int:
    head = events[start]
    end = start + 1
    for j in range(start + 1, len(events)):
        line = events[j].line
        if line == head.line or line.startswith(head.line + "."):
            end = j + 1
    return end


def _led_by(event: Event, after: Event) -> bool:
    """A die and the outcome table that it is looked up in."""
    if after.kind != "call" or "row" not in after.data or "roll" in event.data:
        return False
    faces = event.data["dice"]
    return str(after.data.get("face")) in (str(sum(faces)), str(event.data.get("value")))


def _outcome(event: Event) -> str:
    return event.text


_Round = tuple[Any, list[Any]]


def _alike(one: _Round, two: _Round) -> bool:
    if one[0].text != two[0].text or len(one[1]) != len(two[1]):
        return False
    return all(_shape(a) == _shape(b) for a, b in zip(one[1], two[1], strict=True))


def _shape(event: Event) -> tuple[Any, ...]:
    """All but the dice and what they came to."""
    children = tuple([_shape(c) for c in event.children])
    data = event.data
    if "dice" in data and "row" not in data and "drawn" not in data and event.kind in ("throw", "line"):
        told = tuple([str(data.get(k)) for k in ("roll", "needs", "change", "sides", "verdict", "outcome")])
        return event.kind, event.line, told, children
    if event.kind == "line" and (_is_number(data.get("value")) or isinstance(data.get("value"), list)):
        return "line", event.line, children
    if event.kind == "call" and "row" not in data:
        said = tuple([a for a in data.get("said", ()) if not a.isdigit()])
        return "call", event.line, said, children
    if event.kind in ("skip", "barred"):
        return event.kind, event.line, data.get("because"), children
    if event.kind == "line" and isinstance(data.get("value"), bool):
        return "line", event.line, data["value"], children
    return event.kind, event.line, event.text, children


def _is_number(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _together(told: list[dict[str, Any]]) -> dict[str, Any]:
    """Throws of one line as one: dice in a row, those that passed added up."""
    found: dict[str, Any] = {"dice": [f for data in told for f in data["dice"]]}
    again = [faces for data in told for faces in data.get("again", ())]
    if again:
        found["dice"] = [f for data in told for f in _first(data)] + [f for faces in again for f in faces]
        found["again"] = again
    for key in ("passed", "failed", "count", "asked"):
        if key in told[0]:
            found[key] = sum(data[key] for data in told)
    if _is_number(told[0].get("value")):
        found["value"] = sum(data["value"] for data in told)
    return found


def _first(data: dict[str, Any]) -> list[int]:
    """The dice of a throw without those thrown once more."""
    return list(data["dice"][: len(data["dice"]) - sum(len(f) for f in data.get("again", ()))])


# ---- why
def reasons(events: list[Event], needs: str = "") -> list[Row]:
    """What something was worked out from. Events come in the order of working out; each stands under what
    used it.
    """
    pending: list[Row] = []
    number: Any = None
    change: Any = 0
    seen: set[str] = set()
    for event in events:
        if event.kind == "modifier":
            if _is_roll_line(event) and event.line in seen:  # of another figure
                number, change, seen = None, 0, set()
            seen.add(event.line)
            uses = _taken(pending, lambda r: r.kind in ("value", "look-up"))
            row = Row(_modifier(event), event, "on" if event.data.get("applied") else "off", False, uses)
            now = event.data.get("now")
            if _is_roll_line(event) and event.data.get("applied"):
                dice = str(event.data.get("text")).startswith("roll")
                if now == (change if dice else number):
                    row.kind = "on" if now is None and not dice else "off"
                    row.said += " → none" if row.kind == "on" else ""
                elif dice:
                    row.said += f" → {now:+d} on the die" if isinstance(now, int) else ""
                    change = now
                elif isinstance(now, int):
                    shown = f"{now}{_suffix(needs)}"
                    bare = row.said.endswith((f" {now}", f" {shown}"))
                    row.said += "" if bare else f" → {shown}"
                    row.detail = bare and len(events) == 1 and not event.clauses
                    number = now
            pending.append(row)
        elif event.kind == "line":
            mine = _taken(pending, lambda r, e=event: _part_of(r, e))  # type: ignore[misc]
            _led_to(mine)
            pending.append(Row(event.text, event, "value", False, mine))
        elif event.kind == "left-out":
            pending.append(Row(event.text, event, "left-out"))
        else:
            pending.append(Row(event.text, event, "look-up"))
    for row in pending:
        row.detail = row.detail or (not (row.event is not None and _is_roll_line(row.event)) and not _decisive(row))
    return _once(_left_out(pending))


def _once(rows: list[Row]) -> list[Row]:
    """The same said of several figures is said once."""
    found = {(row.kind, row.said) if row.event and _is_roll_line(row.event) else (id(row),): row for row in rows[::-1]}
    return list(found.values())[::-1]


def _led_to(rows: list[Row]) -> None:
    """The lines of a value say what it was after them; one that left it as it was counts as not applied."""
    before: Any = None
    for row in rows:
        now = row.event.data.get("said") if row.event is not None else None
        if row.kind != "on" or now is None:
            continue
        if now == before:
            row.kind = "off"
        elif not row.said.endswith(f" {now}"):
            row.said += f" → {now}"
        before = now


def _decisive(row: Row) -> bool:
    """Somebody left out by a line of a value: a condition that stands in the line itself needs no explanation."""
    return row.kind == "left-out" and row.event is not None and row.event.data["line"] is not None


def _left_out(rows: list[Row]) -> list[Row]:
    """Those left out for the same reason are told together."""
    found: list[Row] = []
    for _, same in groupby(rows, key=_reason):
        row, *others = same
        if others and row.event is not None:
            who = [r.event.data["who"] for r in (row, *others) if r.event is not None]
            row.said = row.said.replace(who[0], ", ".join(who), 1)
        found.append(row)
    return found


def _reason(row: Row) -> tuple[Any, ...]:
    if row.event is None or row.event.kind != "left-out":
        return (id(row),)
    return row.event.data["because"], row.event.data["line"]


def _suffix(needs: str) -> str:
    return "+" if needs.endswith("+") else " or less" if needs.endswith("less") else ""


def _modifier(event: Event) -> str:
    said = str(event.data.get("text", event.text)).partition(" [")[0]
    return said if event.name == said else f"{event.name}: {said}"


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
def shown(rows: list[Row], verbose: bool, depth: int = 0, within: bool = False) -> list[str]:
    lines: list[str] = []
    for row in rows:
        if row.detail and not verbose:
            continue
        inner = row.rows if verbose or row.kind not in ("on", "off") else [] if within else _worth_telling(row)
        said = row.said
        aside = ""
        if not verbose and row.kind == "on" and not inner:
            used = _asides(row)
            aside = f"   ({'; '.join(used)})" if used else ""
        lines += _placed("  " * depth, said, row, aside)
        if not verbose:
            inner = _fewer(inner)
        lines += shown(inner, verbose, depth + 1, row.kind == "on")
    return lines


def _fewer(rows: list[Row]) -> list[Row]:
    """Of many lines that did not apply, the names in one row."""
    off = [r for r in rows if r.kind == "off" and not r.detail and r.event is not None and r.event.kind == "modifier"]
    if len(off) < 3:
        return rows
    names = ", ".join(r.event.name for r in off if r.event is not None)
    return [*(r for r in rows if r not in off), Row(f"not applied: {names}", None, "off")]


def _worth_telling(row: Row) -> list[Row]:
    """The lines of a value that a roll needs, where it has several: why the number is what it is."""
    if row.kind != "on":
        return []
    found = []
    for value in row.rows:
        if value.kind == "value" and _is_used(value, row.said) and len(value.rows) > 1:
            for line in value.rows:
                line.detail = False
                found.append(line)
    return found


def _asides(row: Row) -> list[str]:
    """What the values and look-ups of a line were, where that says more; not of many that each have their own."""
    used = dict.fromkeys(r.said for r in row.rows if _is_used(r, row.said))
    end = row.said.rpartition(" → ")[2]
    own: dict[str, list[str]] = {}
    for said in used:
        name, _, value = said.partition(" is ")
        if value not in ("yes", "no", end) or (value == end and "." in name):
            own.setdefault(name, []).append(said)
    return list({name.rpartition(".")[2]: said[0] for name, said in own.items() if len(said) == 1}.values())


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
    "left-out": "dim",
    "head": "bold",
}
_SIGNS = {"off": "- ", "left-out": "- ", "on": "+ ", "value": "= ", "look-up": "= "}


def _placed(indent: str, said: str, row: Row, aside: str = "") -> list[str]:
    """The text, and at the right its place and its clauses; what there is no room for stands in a row of its own."""
    said = f"{indent}{_SIGNS.get(row.kind, '')}{said}"
    place = _place(row.event)
    room = width() - 2
    text = said + aside if len(said + aside) + len(place) <= room else said
    colour = _COLOURS.get(row.kind)
    painted = paint(text, colour) if colour else text
    if not place:
        return [painted]
    if len(text) + len(place) <= room:
        return [painted + " " * (room + 2 - len(text) - len(place)) + paint(place, "dim")]
    return [painted, paint(place.rjust(room + 2), "dim")]


def _place(event: Event | None) -> str:
    if event is None or not event.file or event.file == "do":
        return ""
    name = nearby(event.file).replace("\\", "/").rpartition("/")[2]
    return f"{name}:{event.row} {' '.join(event.clauses)}".rstrip()
