"""Checked files as JUnit XML, which every CI service can show: a suite a file, a case a problem.

Enters: what was checked, and which problems fail. Leaves: XML that keeps the schema of Jenkins' xunit plugin. What
does not fail is a case that passed, with the problem as its output. Knows nothing of rules.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape, quoteattr

from interpreter.source import Problem, render
from interpreter.source.excerpt import visible

from .as_path import as_path

if TYPE_CHECKING:
    from interpreter.workbench.files import Checked


def junit(checked: Iterable[Checked], fails: Callable[[Problem], bool]) -> str:
    """One document. A problem without a place is an `error` (nothing could be checked), another a `failure`."""
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', '<testsuites name="umpire check">']
    for each in checked:
        lines += _suite(each, fails)
    return "\n".join([*lines, "</testsuites>"])


def _suite(checked: Checked, fails: Callable[[Problem], bool]) -> list[str]:
    counts = {"failures": 0, "errors": 0}
    cases: list[str] = []
    for problem in checked.problems:
        kind = ("errors" if problem.span is None else "failures") if fails(problem) else None
        if kind is not None:
            counts[kind] += 1
        cases += _case(checked.name, problem, kind)
    if not cases:
        cases = [f"  <testcase{_attributes(classname=checked.name, name=checked.what, time='0')}/>"]
    total = max(len(checked.problems), 1)
    head = _attributes(name=checked.name, tests=total, failures=counts["failures"], errors=counts["errors"], skipped=0)
    return [f" <testsuite{head}>", *cases, " </testsuite>"]


def _case(name: str, problem: Problem, kind: str | None) -> list[str]:
    span = problem.span
    file = as_path(span.source.name) if span is not None else name
    place = f"{file}:{span.place[0]}:{span.place[1]}: " if span is not None else ""
    head = _attributes(classname=file, name=f"{place}{problem.code} {problem.message}", time="0")
    told = "\n".join(visible(line) for line in render([problem], counted=False).rstrip().split("\n"))
    if kind is None:
        inner = f"<system-out>{escape(told)}</system-out>"
    else:
        tag = "error" if kind == "errors" else "failure"
        inner = f"<{tag}{_attributes(type=problem.code, message=problem.message)}>{escape(told)}</{tag}>"
    return [f"  <testcase{head}>", f"   {inner}", "  </testcase>"]


def _attributes(**values: object) -> str:
    """Attributes with what XML cannot hold (controls, lone surrogates) shown by its number."""
    return "".join(f" {key}={quoteattr(visible(str(value)))}" for key, value in values.items())
