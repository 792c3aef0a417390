"""Checked files as JUnit XML, which every CI service can show: a suite a file, a case a problem.

Enters: what was checked, and which problems fail. Leaves: XML that keeps the schema of Jenkins' xunit plugin. What
does not fail is a case that passed, with the problem as its output. Knows nothing of rules.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from xml.sax.saxutils import escape, quoteattr

from interpreter.source import Problem, render
from interpreter.source.excerpt import visible
from interpreter.workbench.checked import Checked

from .as_path import as_path


def junit(checked: Iterable[Checked], fails: Callable[[Problem], bool]) -> str:
    """One document. A problem without a place is an `error` (nothing could be checked), another a `failure`."""
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
    told = "\n".join(visible(line) for line in render([problem], counted=False).rstrip().split("\n"))
    if kind is None:
        inner = f"<system-out>{escape(told)}</system-out>"
    else:
        inner = f"<{kind}{_attributes(type=problem.code, message=problem.message)}>{escape(told)}</{kind}>"
    return [f"  <testcase{head}>", f"   {inner}", "  </testcase>"]


def _attributes(**values: object) -> str:
    """Attributes with what XML cannot hold (controls, lone surrogates) shown by its number."""
    return "".join(f" {key}={quoteattr(visible(str(value)))}" for key, value in values.items())
