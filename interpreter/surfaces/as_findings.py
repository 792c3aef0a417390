"""Formats problems for other programs: GitHub Actions annotations, JUnit XML, SARIF 2.1.0.

Takes problems, and the checked files. Gives text, or plain data. Files are named by their path relative to the
working directory, so that GitHub and editors can map them to the repository. Knows nothing of game rules.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from urllib.parse import quote
from xml.sax.saxutils import escape, quoteattr

from interpreter import __version__
from interpreter.source import CATALOGUE, Fix, Problem, Problems, Span, render
from interpreter.source.rendering import visible
from interpreter.workbench.checked import Checked

from .as_json import Json


def as_path(name: str) -> str:
    """The path relative to the working directory: `rules/ours.yaml`, for `./rules/ours.yaml` and
    `/home/me/repository/rules/ours.yaml` alike; other paths stay absolute.
    """
    try:
        whole = Path(os.path.abspath(name))
    except (OSError, ValueError):
        return name
    here = Path.cwd()
    return (whole.relative_to(here) if whole.is_relative_to(here) else whole).as_posix()


def _labelled(problem: Problem) -> str:
    return problem.message + (f" ({problem.label})" if problem.label else "")


# ---- GitHub Actions
_ANNOTATIONS = {"error": "error", "warning": "warning", "style": "notice"}
SHOWN = 10  # GitHub shows at most so many annotations of one kind per step


def github(problems: Iterable[Problem], count: str) -> str:
    """One annotation per line, such as `::error file=ours.yaml,line=3,col=5::…`, sorted by severity because GitHub
    shows only the first ten of a kind. `count`, the last line, is plain text (`3 checked: 1 error`) and always
    shown.
    """
    kinds = list(_ANNOTATIONS)
    found = sorted(problems, key=lambda p: kinds.index(p.severity))
    lines = [_annotation(p) for p in found if p.severity != "style"]
    if len(found) > SHOWN:
        lines.append(_command("notice", {"title": "umpire"}, f"{count}; the log of this step has them all"))
    return "\n".join([*lines, *(_annotation(p) for p in found if p.severity == "style"), count])


def _annotation(problem: Problem) -> str:
    said = [_labelled(problem)]
    said += [f"{_short_place(other.span)}: {other.text}" for other in problem.others]
    if problem.hint:
        said.append(f"hint: {problem.hint}")
    if problem.fix:
        said.append(f"fix{' (safe)' if problem.fix.safe else ''}: {problem.fix.text or problem.fix.replacement}")
    said.append(f"more: umpire explain {problem.code}")
    where = _lines(problem.span) if problem.span is not None else {}
    message = "\n".join(visible(line) for line in said)
    return _command(_ANNOTATIONS[problem.severity], where | {"title": f"umpire {problem.code}"}, message)


def _lines(span: Span) -> dict[str, object]:
    """The location as annotation properties; columns only for a span within one line, as GitHub requires."""
    (row, column), (last, end) = span.place, span.end_place
    where: dict[str, object] = {"file": as_path(span.source.name), "line": row, "endLine": last}
    return where | ({"col": column, "endColumn": max(end, column)} if last == row else {})


def _short_place(span: Span) -> str:
    return f"{as_path(span.source.name)}:{span.place[0]}:{span.place[1]}"


def _command(name: str, properties: dict[str, object], message: str) -> str:
    listed = ",".join(f"{key}={_property(str(value))}" for key, value in properties.items())
    return f"::{name} {listed}::{_data(message)}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


# ---- JUnit XML, which every CI service can show
def junit(checked: Iterable[Checked], fails: Callable[[Problem], bool]) -> str:
    """A test suite per file, a test case per problem, as Jenkins' xunit plugin expects them. A problem without a
    span is an `error` (nothing could be checked), any other a `failure`. A problem for which `fails` is false is a
    passed case with the problem as its output.
    """
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', '<testsuites name="umpire check">']
    for each in checked:
        lines += _suite(each, fails)
    return "\n".join([*lines, "</testsuites>"])


def _suite(checked: Checked, fails: Callable[[Problem], bool]) -> list[str]:
    kinds = [_kind(problem) if fails(problem) else None for problem in checked.problems]
    cases = [line for pair in zip(checked.problems, kinds, strict=True) for line in _case(checked.name, *pair)]
    if not cases:
        cases = [f"  <testcase{_attributes(classname=checked.name, name=checked.what, time='0')}/>"]
    counts = {f"{kind}s": kinds.count(kind) for kind in ("failure", "error")}
    head = _attributes(name=checked.name, tests=max(len(kinds), 1), **counts, skipped=0)
    return [f" <testsuite{head}>", *cases, " </testsuite>"]


def _kind(problem: Problem) -> str:
    return "failure" if problem.span is not None else "error"


def _case(name: str, problem: Problem, kind: str | None) -> list[str]:
    span = problem.span
    file = as_path(span.source.name) if span is not None else name
    place = f"{file}:{span.place[0]}:{span.place[1]}: " if span is not None else ""
    head = _attributes(classname=file, name=f"{place}{problem.code} {problem.message}", time="0")
    output = "\n".join(visible(line) for line in render([problem], counted=False).rstrip().split("\n"))
    if kind is None:
        inner = f"<system-out>{escape(output)}</system-out>"
    else:
        inner = f"<{kind}{_attributes(type=problem.code, message=problem.message)}>{escape(output)}</{kind}>"
    return [f"  <testcase{head}>", f"   {inner}", "  </testcase>"]


def examples(suites: Iterable[tuple[str, Sequence[tuple[str, Problems]]]]) -> str:
    """A test suite per rule set or file, a test case per example; the failure of an example lists all its problems."""
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', '<testsuites name="umpire test">']
    for name, cases in suites:
        failed = sum(problems.has_errors for _, problems in cases)
        counts = {f"{kind}s": many for kind, many in (("failure", failed), ("error", 0))}
        lines.append(f" <testsuite{_attributes(name=name, tests=len(cases), **counts, skipped=0)}>")
        for case, problems in cases:
            first = next((p for p in problems if p.severity == "error"), None)
            head = _attributes(classname=as_path(name), name=case, time="0")
            if first is None:
                lines.append(f"  <testcase{head}/>")
                continue
            output = "\n".join(visible(line) for line in render(problems, counted=False).rstrip().split("\n"))
            failure = f"<failure{_attributes(type=first.code, message=first.message)}>{escape(output)}</failure>"
            lines += [f"  <testcase{head}>", f"   {failure}", "  </testcase>"]
        lines.append(" </testsuite>")
    return "\n".join([*lines, "</testsuites>"])


def _attributes(**values: object) -> str:
    """XML attributes; characters that XML cannot represent (controls, lone surrogates) are shown as code points."""
    return "".join(f" {key}={quoteattr(visible(str(value)))}" for key, value in values.items())


# ---- SARIF, for code scanning services
SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_ROOT = "SRCROOT"
_LEVELS = {"error": "error", "warning": "warning", "style": "note"}


def sarif(problems: Iterable[Problem], allowed: Iterable[tuple[Problem, str]] = ()) -> Json:
    """One run: the catalogue entries as rules, a result per problem, safe fixes as edits. `allowed` are pairs of a
    problem and the reason why it is allowed, which becomes a suppression of the result. A problem without a span, which
    prevented reading a file, is a notification of the run. Columns are in UTF-16 code units.
    """
    found, kept = list(problems), list(allowed)
    rules = list(dict.fromkeys(p.code for p in [*found, *(p for p, _ in kept)]))
    placed = [(p, p.span) for p in found if p.span is not None]
    driver = {"name": "Umpire", "version": __version__, "semanticVersion": __version__, "rules": [*map(_rule, rules)]}
    run = {
        "tool": {"driver": driver},
        "columnKind": "utf16CodeUnits",
        "originalUriBaseIds": {_ROOT: {"description": _text("The folder in which Umpire was started.")}},
        "invocations": [
            {
                "executionSuccessful": len(placed) == len(found),
                "toolExecutionNotifications": [_notification(p) for p in found if p.span is None],
            }
        ],
        "results": [
            *(_result(p, span, rules.index(p.code)) for p, span in placed),
            *(
                _result(p, p.span, rules.index(p.code)) | {"suppressions": [{"kind": "inSource", "justification": why}]}
                for p, why in kept
                if p.span is not None
            ),
        ],
    }
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}


def _rule(code: str) -> Json:
    """The description of a code; `…` replaces the placeholders of its message."""
    entry = CATALOGUE[code]
    examples = [(title, text) for title, text in (("Wrong", entry.bad), ("Right", entry.good)) if text]
    shown = "".join(f"\n\n{title}:\n\n```yaml\n{text.rstrip()}\n```" for title, text in examples)
    return {
        "id": code,
        "shortDescription": _text(_sentence(re.sub(r"\{\w*\}", "…", entry.message))),
        "fullDescription": _text(entry.meaning),
        "help": {"text": f"{entry.meaning}\n\numpire explain {code}", "markdown": entry.meaning + shown},
        "defaultConfiguration": {"level": _LEVELS[entry.severity]},
    }


def _result(problem: Problem, span: Span, index: int) -> Json:
    made: Json = {
        "ruleId": problem.code,
        "ruleIndex": index,
        "level": _LEVELS[problem.severity],
        "message": _text(_message(problem)),
        "locations": [{"physicalLocation": _place(span)}],
    }
    if problem.others:
        made["relatedLocations"] = [
            {"id": i, "physicalLocation": _place(other.span), "message": _text(other.text or "here")}
            for i, other in enumerate(problem.others, 1)
        ]
    if problem.fix is not None and problem.fix.safe:
        made["fixes"] = [_fix(problem.fix)]
    return made


def _message(problem: Problem) -> str:
    parts = [_labelled(problem)]
    parts += [f"Hint: {problem.hint}"] if problem.hint else []
    return " ".join(map(_sentence, parts)).replace("{", "{{").replace("}", "}}")  # SARIF's escape for braces


def _fix(fix: Fix) -> Json:
    edit = {"deletedRegion": _region(fix.span), "insertedContent": _text(fix.replacement)}
    change = {"artifactLocation": _file(fix.span), "replacements": [edit]}
    return {"description": _text(fix.text or f"write `{fix.replacement}`"), "artifactChanges": [change]}


def _notification(problem: Problem) -> Json:
    return {"descriptor": {"id": problem.code}, "level": "error", "message": _text(_message(problem))}


def _place(span: Span) -> Json:
    region = _region(span)
    if span.start < span.end:
        region["snippet"] = _text(span.text)
    return {"artifactLocation": _file(span), "region": region}


def _file(span: Span) -> Json:
    path = as_path(span.source.name)
    if path.startswith("/") or path[1:3] == ":/":
        return {"uri": "file:///" + quote(path.lstrip("/"), safe="/:")}
    return {"uri": quote(path), "uriBaseId": _ROOT}


def _region(span: Span) -> Json:
    (row, column), (last, end) = (_utf16(span, place) for place in (span.place, span.end_place))
    return {"startLine": row, "startColumn": column, "endLine": last, "endColumn": end}


def _utf16(span: Span, place: tuple[int, int]) -> tuple[int, int]:
    row, column = place
    before = span.source.line(row)[: column - 1]
    return row, column + sum(ord(c) > 0xFFFF for c in before)


def _sentence(text: str) -> str:
    return text if text.endswith((".", "?", "!", "…")) else f"{text}."


def _text(text: str) -> Json:
    return {"text": text}
