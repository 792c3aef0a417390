"""Checks that every cited clause is in a register.

Input: citations with their places, and the ids of the registers. Output: problems. Knows nothing of the texts of
clauses.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence

from interpreter.document.nodes import Scalar
from interpreter.document.nodes import Sequence as Listed
from interpreter.source import Problems, suggest

from .definitions import full_id
from .sheets import Sheet
from .symbols import Where

Cite = tuple[str, Where]
_WORD = r"[^,\s\[\]]+"


def check_cites(cites: Iterable[Cite], known: Collection[str], game: str, problems: Problems) -> None:
    """Report each cited clause whose prefix has a register without it; of a range, only the first one."""
    prefixes = {_prefix(c) for c in known}
    reported: set[tuple[int, int, int]] = set()
    for cite, where in cites:
        place = id(where.scalar), where.start, where.end
        if cite in known or _prefix(cite) not in prefixes or place in reported:
            continue
        reported.add(place)
        close = [] if ".." in where.text else problems.nearest(cite, known, where.span)[:1]
        if where.text.isdigit():  # as written, without the prefix of the head
            close = [clause.split("-")[-1].lstrip("0") for clause in close]
        hint = f"the register of {game} has no such clause"
        if ".." in where.text:
            hint = f"the last clause there is `{max(c for c in known if _prefix(c) == _prefix(cite))}`"
        problems.add("R001", where.span, clause=cite, **suggest(where.span, close, hint))


def table_talk(sheets: Sequence[Sheet]) -> Iterator[Cite]:
    """Yield the clauses that the heads of the sheets list as table talk, which needs no rule."""
    for sheet in sheets:
        node = sheet.root.get("table talk")
        for scalar in node if isinstance(node, Listed) else (node,):
            if isinstance(scalar, Scalar):
                yield from footnotes(scalar, scalar.text, 0, sheet.head.prefix)


def footnotes(scalar: Scalar, text: str, start: int, prefix: str) -> Iterator[Cite]:
    """Yield the clauses cited in `text`, which begins at offset `start` of the scalar."""
    for found in re.finditer(_WORD, text):
        where = Where(scalar, start + found.start(), start + found.end())
        first, dots, last = found[0].partition("..")
        span = range(int(first), int(last) + 1) if dots and first.isdecimal() and last.isdecimal() else ()
        for one in [str(i) for i in span] or [found[0]]:
            yield full_id(one, prefix), where


def _prefix(clause: str) -> str:
    return clause.split("-")[0]
