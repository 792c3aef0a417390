"""A first register of clauses, generated from the citations of a rule file: ids, headings, kinds, and the lines.

Takes a rule set and gives the text of the register of its topmost file. The text of each clause is the first line that
cites it, for the author to reword. A number that nothing cites gets the status `not yet`.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_right

from interpreter.document.nodes import Mapping

from .rule_sets import RuleSet

_KINDS = {
    "roll": "check",
    "table": "table",
    "value": "modifier",
    "mark": "state",
    "fact": "state",
    "kind": "state",
    "rule": "trigger",
    "ruling": "judgement",
}
_CITES = re.compile(r"\s*\[[A-Z0-9][^]]*\]")
_HEAD = """\
# Clause register of {name}: what the printed page says, one line a clause. Say it in words of your own.
# status: told (the table says it, as it says a distance), talk (nothing to work out), not yet; or it is carried out
set: {name}
prefix: {prefix}
clauses:
"""


def first_register(rules: RuleSet) -> tuple[str, int]:
    """The text of the register and its number of clauses; 0 if the file cites nothing with its own prefix."""
    sheet = rules.sheets[-1]
    prefix, source = sheet.head.prefix, sheet.root.span.source
    headings = [(entry.key.span.place[0], entry.key.text, entry.value) for entry in sheet.root]
    rows = [row for row, _, _ in headings]
    known: dict[int, tuple[str, str, str]] = {}
    for clause, where in rules.book.pages.cites:
        number = _number(clause, prefix)
        if number is None or where.span.source.name != source.name:
            continue
        row = where.span.place[0]
        _, heading, body = headings[bisect_right(rows, row) - 1]
        says = source.text.splitlines()[row - 1].split(" #")[0].strip()
        if number not in known:
            known[number] = heading, _kind(body, row), _CITES.sub("", says).strip().removesuffix(":")
    talk = {number for clause in sheet.head.table_talk if (number := _number(clause, prefix)) is not None}
    numbers = range(1, max({*known, *talk}) + 1) if known or talk else range(0)
    lines: dict[str, list[str]] = {}
    heading = next(iter(known.values()))[0] if known else "Rules"
    for number in numbers:
        status = "" if number in known else "status: talk, " if number in talk else "status: not yet, "
        heading, kind, says = known.get(number, (heading, "judgement" if number in talk else "procedure", ""))
        told = f"{{kind: {kind}, {status}says: {json.dumps(says, ensure_ascii=False)}}}"
        lines.setdefault(heading, []).append(f"    {prefix}-{number:03}: {told}\n")
    text = "".join(f"  {json.dumps(name)}:\n{''.join(below)}" for name, below in lines.items())
    return _HEAD.format(name=sheet.name, prefix=prefix) + text, len(numbers)


def _number(clause: str, prefix: str) -> int | None:
    found = re.fullmatch(rf"{re.escape(prefix)}-(\d+)", clause)
    return int(found[1]) if found is not None and prefix else None


def _kind(body: object, row: int) -> str:
    """The kind of clause, from the last definition that begins at or above the row."""
    word = ""
    for entry in body if isinstance(body, Mapping) else ():
        if entry.key.span.place[0] <= row:
            word = entry.key.text.removeprefix("add to ").split(" ")[0]
    return _KINDS.get(word, "procedure")
