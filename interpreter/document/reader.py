"""Parses the YAML text of a source into a tree with source positions.

Takes a source; returns its root mapping, or None after a mistake that ends parsing, and adds as many problems as one
pass can find. It never raises. It does not know keys or games.
"""

from __future__ import annotations

import re
from typing import Any

import yaml

from interpreter.document.allowance_comments import report_allowances
from interpreter.document.characters import BOM, readable, report_characters
from interpreter.document.compose import Composer, ReadingStopped
from interpreter.document.file_io import LARGEST
from interpreter.document.nodes import Mapping
from interpreter.document.syntax import Complaint, report_syntax
from interpreter.source import Problems, Source, Span

_DIRECTIVES = r"(?:[ ]*(?:#[^\r\n]*)?(?:\r\n|[\r\n])|%[^\r\n]*(?:\r\n|[\r\n]|\Z))*"
_DIRECTIVE = r"^%[^\r\n]*"


def read(source: Source, problems: Problems, *, fast: bool = True) -> Mapping | None:
    """Return the root mapping, or None; `fast=False` uses the parser written in Python, with the same result."""
    if too_large(source.text):
        problems.add("Y044", Span(source, 0, 0), most=f"{LARGEST // 1024 // 1024} MiB")
        return None
    shift = 1 if source.text.startswith(BOM) else 0
    text = _without_directives(source, readable(source.text), shift, problems)
    composer = Composer(source, shift, problems)
    complete = _compose(composer, text[shift:], fast)
    if complete is None:
        composer = Composer(source, shift, problems)
        complete = _compose(composer, text[shift:], fast=False)
    report_characters(source, composer.scalars, problems)
    if not complete:
        return None
    if composer.root is None:
        problems.add("Y040", Span(source, 0, 0))
        return None
    if not isinstance(composer.root, Mapping):
        start = composer.root.span.start
        problems.add("Y041", Span(source, start, min(start + 1, len(source.text))))
        return None
    report_allowances(source, composer.root, composer.scalars, problems)
    return composer.root


def too_large(text: str) -> bool:
    """Return whether a text is over the limit; a code point has at most four bytes, so most texts need no encoding."""
    return len(text) * 4 > LARGEST and len(text.encode("utf-8", "surrogatepass")) > LARGEST


def _compose(composer: Composer, text: str, fast: bool) -> bool | None:
    """Return whether the text was parsed to its end; None if libyaml failed on nesting before the limit was checked."""
    loader: Any = yaml.SafeLoader
    if fast:
        loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        composer.process(yaml.parse(text, Loader=loader))
    except ReadingStopped:
        return False
    except yaml.MarkedYAMLError as error:
        if fast and error.problem == "exceeded maximum nesting depth":
            return None
        at = _index(error.problem_mark) or _index(error.context_mark) or 0
        opened = _index(error.context_mark)
        complaint = Complaint(
            error.problem or "",
            error.context or "",
            at + composer.shift,
            (at if opened is None else opened) + composer.shift,
        )
        report_syntax(composer.source, complaint, composer.problems)
        return False
    except yaml.YAMLError as error:
        place = Span(composer.source, 0, 0)
        composer.problems.add("Y039", place, complaint=str(error).splitlines()[0])
        return False
    return True


def _index(mark: Any) -> int | None:
    return None if mark is None else int(mark.index)


def _without_directives(source: Source, text: str, shift: int, problems: Problems) -> str:
    """Report lines such as `%YAML 1.2` at the start, and blank them so that parsing continues."""
    if "%" not in text:
        return text
    head = re.compile(_DIRECTIVES).match(text, shift)
    end = head.end() if head else shift
    for found in re.compile(_DIRECTIVE, re.MULTILINE).finditer(text, shift, end):
        problems.add("Y007", Span(source, *found.span()))
    return re.sub(_DIRECTIVE, lambda found: " " * len(found[0]), text[:end], flags=re.MULTILINE) + text[end:]
