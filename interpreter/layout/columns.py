"""Alignment in columns: of the values of rows and of lines of values and rolls, and of comments.

Takes a page that is indented and tidy otherwise. Gives edits of the blanks after colons (`alignment_edits`) and before
comments (`comment_edits`). Knows nothing of the content of rows.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Literal

from interpreter.document.nodes import Entry, Mapping, Scalar
from interpreter.layout.page import Line, Page, is_block
from interpreter.layout.text_edits import Edit

Way = Literal["always", "as it is", "never"]

_WIDEST = 24  # a name this much longer than the shortest is not aligned
_ALWAYS = re.compile(r"(?:value|roll|limit) |table (?!.* by )")
_AS_IT_IS = re.compile(r"add to |table ")
_GAP = re.compile(r":[ \t]+\Z")


def alignment_edits(page: Page) -> Iterator[Edit]:
    """The edits that put the values of a block in one column, or one blank after each colon: by the title of the
    definition always, never, or as most of its lines have it.
    """
    for entry in page.root:
        heading = entry.value if entry.key.text[:1].isupper() else None
        if isinstance(heading, Mapping) and is_block(heading):
            yield from _block(page, heading, "never")
            for definition in heading:
                yield from _blocks(page, definition.value, _way(definition.key.text))
        else:
            yield from _blocks(page, entry.value, "never")
    yield from _block(page, page.root, "never")


def _way(title: str) -> Way:
    return "always" if _ALWAYS.match(title) else "as it is" if _AS_IT_IS.match(title) else "never"


def _blocks(page: Page, node: object, way: Way) -> Iterator[Edit]:
    todo = [node]
    while todo:
        here = todo.pop()
        if isinstance(here, Mapping) and is_block(here):
            yield from _block(page, here, way)
            todo += [entry.value for entry in here]
        elif not isinstance(here, Scalar | Mapping):
            todo += list(here)  # type: ignore[call-overload]


def _block(page: Page, node: Mapping, way: Way) -> Iterator[Edit]:
    """Align the values of one-line entries, or leave one blank after each colon."""
    rows = [entry for entry in node if _GAP.match(page.text, entry.key.span.end, entry.value.span.start)]
    widths = [entry.key.span.end - entry.key.span.start for entry in rows]
    in_column = [entry for entry in rows if _on_one_line(page, entry)]
    if way == "as it is":
        gaps = [entry.value.span.start - entry.key.span.end - 1 for entry in in_column]
        columns = {page.column(entry.value.span.start) for entry in in_column}
        wide = sum(gap > 1 for gap in gaps)
        way = "always" if wide and (len(columns) == 1 or 2 * wide >= len(gaps)) else "never"
    reach = min(widths, default=0) + _WIDEST
    widest = max((width for width in widths if width <= reach), default=0)
    for entry, width in zip(rows, widths, strict=True):
        column = way == "always" and width <= reach and entry in in_column
        blanks = widest - width + 1 if column else 1
        start, end = entry.key.span.end + 1, entry.value.span.start
        if page.text[start:end] != " " * blanks:
            yield Edit(start, end, " " * blanks)


def _on_one_line(page: Page, entry: Entry) -> bool:
    span = entry.value.span
    return page.number(span.start) == page.number(max(span.start, span.end - 1)) == page.number(entry.key.span.start)


def comment_edits(page: Page, columns: Sequence[int]) -> Iterator[Edit]:
    """The edits that leave at least two blanks before each comment. If most comments of a file share a column, all move
    there that fit.

    `columns` are the original columns of the comments, in order.
    """
    lines = [line for line in page.lines if line.remark < line.stop]
    ours = [(line, column) for line, column in zip(lines, columns, strict=True) if line.said > line.start]
    common = _common([(column, line.said - line.start + 2) for line, column in ours])
    for number, (line, column) in enumerate(ours):
        least = line.said - line.start + 2
        if common is None:
            to = max(least, column)
        elif least <= common:
            to = common
        else:  # too long for it: two blanks, unless neighbouring long lines share a column
            beside = [ours[n] for n in (number - 1, number + 1) if 0 <= n < len(ours)]
            company = any(c == column and _reach(x) > common and _next(page, x, line) for x, c in beside)
            to = column if company and column >= least else least
        blanks = line.start + to - line.said
        if page.text[line.said : line.remark] != " " * blanks:
            yield Edit(line.said, line.remark, " " * blanks)


def _reach(line: Line) -> int:
    return line.said - line.start + 2


def _next(page: Page, one: Line, two: Line) -> bool:
    return abs(page.number(one.start) - page.number(two.start)) == 1


def _common(remarks: list[tuple[int, int]]) -> int | None:
    """The column that more than half of the comments share, counting those that fit; given (column, least)."""
    counted = Counter(column for column, least in remarks if least <= column)
    if not counted:
        return None
    column, count = counted.most_common(1)[0]
    return column if 2 * count > len(remarks) and count > 1 else None
