"""The history of a rule: every file that set, added, changed or removed it, and the hooks that apply to it.

Takes a checked rule set and a path (`weapons.lmg.shots`, `shoot.men.unsaved`, `shooting`). Gives `Origin`s in
chronological order. Knows nothing of how they are shown.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from interpreter.document.nodes import Entry, Mapping, Scalar
from interpreter.language import nodes as n
from interpreter.rulebook.definitions import Definition, cited, line_at, line_name, lines_at
from interpreter.rulebook.sheets import Step
from interpreter.rulebook.symbols import Where
from interpreter.source import Problems, Span, nearest
from interpreter.source.values import Struct, replace

from .rule_sets import RuleSet, register


class Origin(Struct):
    """`what` is says, added, changed, removed, or a moment (`after`, `instead of`). `text` is the whole line of the
    file, with its comment; `clauses` are those it cites.
    """

    what: str
    file: str
    row: int
    text: str
    clauses: tuple[str, ...] = ()


class Why(Struct):
    """`now` is the current text; None if it has several lines, or was removed."""

    path: str
    now: str | None
    origins: tuple[Origin, ...]
    clauses: dict[str, str]


def why(rules: RuleSet, path: str, problems: Problems) -> Why | None:
    """The history of a path; None with a problem that suggests the nearest path."""
    parts = path.split(".")
    steps = [s for address, done in rules.book.history.steps.items() if address == path for s in done]
    definition = rules.defining(parts[0])
    place = place_of(rules, definition, parts) if definition is not None else None
    if place is None and not steps:
        _nothing(rules, definition, parts, problems)
        return None
    base = _first(rules, path, place)
    inside = [_patched(s) for address, done in rules.book.history.steps.items() for s in done if _within(path, address)]
    origins = [*([base] if base is not None else []), *map(_patched, steps)]
    if definition is not None and isinstance(place, Scalar):
        origins += _lines_of(rules, definition, parts, _by_line(inside))
    found = _by_line([*origins, *inside, *_hooks(rules, parts)]).values()
    ids = dict.fromkeys(c for o in found for c in o.clauses)
    known = {c.id: c.says for sheet in rules.sheets for c in register(sheet).values()}
    now = place.text.split(" [")[0].strip() if isinstance(place, Where) else None
    return Why(path, now, tuple(found), {c: known[c] for c in ids if c in known})


def place_of(rules: RuleSet, definition: Definition, parts: list[str]) -> Where | Scalar | None:
    """The current place of a path: a text, or the key of a block."""
    if len(parts) == 1:
        return _whole(definition.text) if definition.text is not None else definition.key
    table = rules.book.tables.get(parts[0])
    if table is not None and len(parts) == 3 and parts[1] in table.rows and parts[2] in table.columns:
        return table.rows[parts[1]].cell_places.get(parts[2])
    entry = line_at((e for e, _ in definition.entries), parts[1:])
    if entry is None:
        return None
    return _whole(entry.value) if isinstance(entry.value, Scalar) and entry.value.text else entry.key


def _whole(text: Scalar) -> Where:
    return Where(text, 0, len(text.text))


def _first(rules: RuleSet, path: str, place: Where | Scalar | None) -> Origin | None:
    """The first origin: the text that a change or removal replaced, or the current one."""
    for step in rules.book.history.steps.get(path, ()):
        was = rules.book.history.cells.get(step.key) or step.was
        if was is not None:
            span = was.span if isinstance(was, Where) else _start(was.span)
            return _origin("says", span, _cites_at(rules, span))
        if step.what == "added":
            return None
    if place is None:
        return None
    return _origin("says", place.span, _cites_at(rules, place.span))


def _start(span: Span) -> Span:
    return Span(span.source, span.start, span.start)


def _cites_at(rules: RuleSet, span: Span) -> tuple[str, ...]:
    """The clauses cited on the line of a place."""
    row = span.place[0]
    same = (c for c, w in rules.book.pages.cites if w.scalar.span.source is span.source and w.span.place[0] == row)
    return tuple(dict.fromkeys(same))


def _cites(key: Scalar, prefix: str) -> tuple[str, ...]:
    """The clause ids in brackets on the line of a key."""
    source = key.span.source
    inside = source.line(key.span.place[0]).split(" #")[0].partition("[")[2].partition("]")[0]
    names = tuple(n.Name(0, 0, c.strip()) for c in inside.split(",") if c.strip())
    return cited(names, prefix) if all(c.text[:1].isalnum() for c in names) and names else ()


def _origin(what: str, span: Span, clauses: tuple[str, ...]) -> Origin:
    row = span.place[0]
    return Origin(what, span.source.name, row, span.source.line(row).strip(), clauses)


def _lines_of(
    rules: RuleSet, definition: Definition, parts: list[str], patched: dict[tuple[str, int], Origin]
) -> Iterator[Origin]:
    """Every current line below a path, with its place, indented by its depth."""

    def walk(entries: list[Entry], deep: int) -> Iterator[Origin]:
        for entry in entries:
            text = isinstance(entry.value, Scalar) and entry.value.text
            span = _start(entry.value.span) if text else entry.key.span
            made = _origin("says", span, _cites_at(rules, span))
            said = patched.get((made.file, made.row), made)
            yield replace(said, text="  " * deep + said.text)
            if isinstance(entry.value, Mapping):
                yield from walk(list(entry.value), deep + 1)

    yield from walk(lines_at((e for e, _ in definition.entries), parts[1:]), 1)


def _within(path: str, address: str) -> bool:
    """Whether an address is below a path."""
    return address.startswith(path + ".")


def _patched(step: Step) -> Origin:
    """The origin of a step of the history."""
    return _origin(step.what, step.key.span, _cites(step.key, step.sheet.head.prefix))


def _by_line(origins: Iterable[Origin]) -> dict[tuple[str, int], Origin]:
    """The first origin of each line, by file and row."""
    found: dict[tuple[str, int], Origin] = {}
    for origin in origins:
        found.setdefault((origin.file, origin.row), origin)
    return found


def _hooks(rules: RuleSet, parts: list[str]) -> Iterator[Origin]:
    """Rules that apply before, after or instead of a definition, or of one of its lines."""
    for hook in rules.book.hooks:
        address = [part.name for part in hook.moment.path.parts]
        if hook.rule is not None and address[: len(parts)] == parts:
            yield _origin(f"acts {hook.when}", hook.scalar.span, hook.rule.cites)


def _nothing(rules: RuleSet, definition: Definition | None, parts: list[str], problems: Problems) -> None:
    if definition is None:
        known = sorted({name for d in rules.definitions for name in d.names})
        name, what = parts[0], "definition"
    else:
        at = next(i for i in range(2, len(parts) + 1) if place_of(rules, definition, parts[:i]) is None)
        name, what = parts[at - 1], f"line of {'.'.join(parts[: at - 1])}"
        table = rules.book.tables.get(parts[0])
        if table is not None and at == 3:
            known, what = list(table.columns), f"column of {parts[0]}"
        else:
            known = [line_name(e.key.text) for e in lines_at((e for e, _ in definition.entries), parts[1 : at - 1])]
    close = nearest(name, known)
    hint = f"did you mean `{'.'.join([*parts[: parts.index(name)], close[0]])}`?" if close else None
    problems.add("N001", None, what=what, name=name, hint=hint)
