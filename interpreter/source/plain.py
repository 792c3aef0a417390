"""Problems → plain data and back, each as it was: to be kept in a file and shown later, in any form.

Enters: problems, or data that `to_plain` made. Leaves: the other of the two. Data of any other shape is refused with
a ValueError; nothing in it is ever run. Knows nothing of where it is kept.
"""

from __future__ import annotations

import json
from collections.abc import Iterable

from interpreter.hints import Any
from interpreter.source.catalogue import CATALOGUE
from interpreter.source.problems import Fix, Label, Problem
from interpreter.source.text import Source, Span


def to_plain(problems: Iterable[Problem]) -> str:
    """The text of a JSON value: the sources that are pointed at, each once, and the problems."""
    sources: dict[Source, int] = {}

    def span(at: Span | None) -> list[int] | None:
        return None if at is None else [sources.setdefault(at.source, len(sources)), at.start, at.end]

    told = [
        [
            p.code,
            p.severity,
            p.message,
            span(p.span),
            p.label,
            [[span(o.span), o.text] for o in p.others],
            p.hint,
            p.fix and [span(p.fix.span), p.fix.replacement, p.fix.safe, p.fix.text],
            p.more,
        ]
        for p in problems
    ]
    return json.dumps({"sources": [[s.name, s.text] for s in sources], "problems": told})


def from_plain(text: str) -> tuple[Problem, ...]:
    """The problems. Raises ValueError for anything that `to_plain` would not have written."""
    try:
        data = json.loads(text)
        sources = [Source(_text(name), _text(all_of_it)) for name, all_of_it in data["sources"]]
        return tuple(_problem(sources, *one) for one in data["problems"])
    except (TypeError, KeyError, IndexError, AttributeError, RecursionError) as error:
        raise ValueError("no problems as they are written") from error


def _problem(
    sources: list[Source],
    code: Any,
    severity: Any,
    message: Any,
    at: Any,
    label: Any,
    others: Any,
    hint: Any,
    fix: Any,
    more: Any,
) -> Problem:
    if _text(code) not in CATALOGUE or severity not in ("error", "warning", "style"):
        raise ValueError(f"no code: {code}")
    if type(more) is not int or more < 0:
        raise ValueError(f"no number: {more!r}")
    return Problem(
        code,
        severity,
        _text(message),
        _span(sources, at) if at is not None else None,
        _text(label),
        tuple(Label(_span(sources, where), _text(said)) for where, said in others),
        _text(hint) if hint is not None else None,
        _fix(sources, *fix) if fix is not None else None,
        more,
    )


def _fix(sources: list[Source], at: Any, replacement: Any, safe: Any, text: Any) -> Fix:
    return Fix(_span(sources, at), _text(replacement), safe is True, _text(text))


def _span(sources: list[Source], at: Any) -> Span:
    source, start, end = at
    if not all(isinstance(n, int) for n in at) or not 0 <= start <= end <= len(sources[source].text):
        raise ValueError(f"no place: {at}")
    return Span(sources[source], start, end)


def _text(said: Any) -> str:
    if not isinstance(said, str):
        raise ValueError(f"no text: {said!r}")
    return said
