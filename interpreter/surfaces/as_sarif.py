"""Problems as SARIF 2.1.0, the format in which code scanning services take findings.

Enters: problems, and those that a file allows, with the reason. Leaves: plain data of one run: the pages of the
catalogue as rules, a result a problem, safe fixes as edits; what is allowed is a result that is suppressed. What keeps
a file from being read has no place, and is told as a notification of the run. Columns are counted in UTF-16 units,
which is what every reader of SARIF takes them for. Knows nothing of rules of games.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any
from urllib.parse import quote

from interpreter import __version__
from interpreter.source import CATALOGUE, Fix, Problem, Span

from .as_path import as_path

Json = dict[str, Any]
SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_ROOT = "SRCROOT"
_LEVELS = {"error": "error", "warning": "warning", "style": "note"}


def sarif(problems: Iterable[Problem], allowed: Iterable[tuple[Problem, str]] = ()) -> Json:
    """`allowed` are pairs of a problem and why it may stay."""
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
    """The page of a code; `…` stands where a message names something."""
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
    parts = [problem.message + (f" ({problem.label})" if problem.label else "")]
    parts += [f"Hint: {problem.hint}"] if problem.hint else []
    return " ".join(map(_sentence, parts)).replace("{", "{{").replace("}", "}}")  # as SARIF wants braces in messages


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
