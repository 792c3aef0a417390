"""`umpire muster`: checks a side's list against its rules.

Takes the file of a force. Prints the roster, each limit kept or broken; gives an exit code.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from interpreter.source import Problems
from interpreter.surfaces.as_json import Json, fields, place
from interpreter.surfaces.as_json import problems as told
from interpreter.workbench.files import open_force
from interpreter.workbench.limits import Verdict
from interpreter.workbench.roster import Listed, Muster, Shown
from interpreter.workbench.roster import muster as mustered

from .commands import argument, command
from .ends import CLEAN, FINDINGS
from .options import format_options
from .terminal import answer, nearby, needed, paint, rendered


@command(apart=[("--json", "--format")])
@argument("force")
@format_options("text", "json")
def muster(force: str, form: str, as_json: bool) -> int:
    """The roster of a side's list, with what its rules say of each, and every limit kept or broken.

    \b
    umpire muster ours.yaml

    FORCE is a file with `force:` and `rules:`, and the side's units written as in a situation. The limits are the
    rule set's own; those that both players have agreed to break stand under `breaks:`.
    """
    as_json = as_json or form == "json"
    problems = Problems()
    case = needed(open_force(force, problems), problems, as_json)
    found = needed(mustered(case), case.problems, as_json)
    answer(found, as_json, _plain, _lines)
    return CLEAN if found.kept else FINDINGS


# ---- plain data
def _plain(found: Muster) -> Json:
    return {
        "force": found.force,
        "rules": found.rules.name,
        "kept": found.kept,
        "things": [_listed(thing) for thing in found.things],
        "limits": [
            {
                **fields(v, "name", "clauses", "text", "asked", "kept"),
                "agreed": v.limit.name in found.agreed,
                "breaches": [{**fields(b, "who", "found"), **place(b.where)} for b in v.breaches],
            }
            for v in found.limits
        ],
        "then": [{"text": ask.text, "held": held} for ask, held in found.then],
        **told(found.problems),
    }


def _listed(thing: Listed) -> Json:
    return {
        **fields(thing, "name", "kind", "owner", "traits"),
        "values": _shown(thing.values),
        "rows": [
            {**fields(r, "kind", "count", "traits"), "values": _shown(r.values), **place(r.where)} for r in thing.rows
        ],
        **place(thing.where),
    }


def _shown(values: Iterable[Shown]) -> Json:
    return {v.name: fields(v, "each", "all") for v in values}


# ---- text
def _lines(found: Muster) -> Iterator[str]:
    lines: list[tuple[bool, str, str]] = [(True, found.force, paint(found.rules.title, "dim"))]
    for thing in found.things:
        values = _values(thing.values)
        if thing.name == found.force and not thing.traits:  # it has no line of its own in the file
            lines[0] = (True, found.force, f"{values}  {lines[0][2]}".lstrip())
            continue
        lines.append((True, _said(f"{thing.kind} {thing.name}", thing.traits), values))
        lines += [(False, _said(f"  {r.said}", r.traits), _values(r.values, r.count)) for r in thing.rows]
    wide = max(len(text) for _, text, _ in lines)
    for index, (head, text, values) in enumerate(lines):
        if head and index:
            yield ""
        said = f"{text:<{wide}}" if values else text
        yield f"{paint(said, 'bold') if head else said}  {values}".rstrip()
    yield from _limits(found)
    for ask, held in found.then:
        yield f"{paint('holds', 'good') if held else paint('fails', 'poor')}   {ask.text}"
    if len(found.problems):
        yield ""
        yield rendered(found.problems).rstrip()


def _said(name: str, traits: tuple[str, ...]) -> str:
    return f"{name}: {', '.join(traits)}" if traits else name


def _values(values: tuple[Shown, ...], count: int = 1) -> str:
    """The values as text: `price 7 each, 28`."""
    each = ((f"{v.name} {v.each}", f" each, {v.all}" if count > 1 and v.all != v.each else "") for v in values)
    return "; ".join(head + tail for head, tail in each)


def _limits(found: Muster) -> Iterator[str]:
    if not found.limits:
        return
    yield ""
    wide = max(len(v.name) for v in found.limits)
    for verdict in found.limits:
        state, kind = _state(found, verdict)
        clauses = paint("  " + " ".join(verdict.clauses), "dim") if verdict.clauses else ""
        yield f"{paint(f'{state:<6}', kind)}  {verdict.name:<{wide}}{clauses}".rstrip()
        for breach in verdict.breaches if state == "agreed" else ():  # others are reported below as problems
            row, column = breach.where.place
            at = paint(f"{nearby(breach.where.source.name)}:{row}:{column}", "dim")
            yield f"        {breach.who}: {breach.found}  {at}"


def _state(found: Muster, verdict: Verdict) -> tuple[str, str]:
    if verdict.kept:
        return "kept", "good"
    return ("agreed", "warm") if verdict.limit.name in found.agreed else ("broken", "poor")
