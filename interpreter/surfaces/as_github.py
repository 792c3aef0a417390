"""Problems as GitHub Actions reads them from a log: `::error file=ours.yaml,line=3,col=5::…`, a line a problem.

Enters: problems, and how many files were checked. Leaves: lines, the gravest first, for GitHub shows ten of a kind
and drops the rest; then a count, which is never dropped from the log. Knows nothing of rules.
"""

from __future__ import annotations

from collections.abc import Iterable

from interpreter.source import Problem, Span
from interpreter.source.excerpt import visible

from .as_path import as_path

_COMMANDS = {"error": "error", "warning": "warning", "style": "notice"}
SHOWN = 10  # annotations of one kind that GitHub shows of a step


def github(problems: Iterable[Problem], count: str) -> str:
    """`count` is the last line, such as `3 checked: 1 error`."""
    kinds = list(_COMMANDS)
    found = sorted(problems, key=lambda p: kinds.index(p.severity))
    lines = [_line(p) for p in found if p.severity != "style"]
    if len(found) > SHOWN:
        lines.append(_command("notice", {"title": "umpire"}, f"{count}; the log of this step has them all"))
    return "\n".join([*lines, *(_line(p) for p in found if p.severity == "style"), count])


def _line(problem: Problem) -> str:
    said = [problem.message + (f" ({problem.label})" if problem.label else "")]
    said += [f"{_place(other.span)}: {other.text}" for other in problem.others]
    if problem.hint:
        said.append(f"hint: {problem.hint}")
    if problem.fix:
        said.append(f"fix{' (safe)' if problem.fix.safe else ''}: {problem.fix.text or problem.fix.replacement}")
    said.append(f"more: umpire explain {problem.code}")
    where = _region(problem.span) if problem.span is not None else {}
    message = "\n".join(visible(line) for line in said)
    return _command(_COMMANDS[problem.severity], where | {"title": f"umpire {problem.code}"}, message)


def _region(span: Span) -> dict[str, object]:
    """Columns only within one line: GitHub takes no others."""
    (row, column), (last, end) = span.place, span.end_place
    where: dict[str, object] = {"file": as_path(span.source.name), "line": row, "endLine": last}
    return where | ({"col": column, "endColumn": max(end, column)} if last == row else {})


def _place(span: Span) -> str:
    return f"{as_path(span.source.name)}:{span.place[0]}:{span.place[1]}"


def _command(name: str, properties: dict[str, object], message: str) -> str:
    listed = ",".join(f"{key}={_property(str(value))}" for key, value in properties.items())
    return f"::{name} {listed}::{_data(message)}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
