"""Indentation of lines, and superfluous blanks.

Takes a page. Gives edits of the blanks before lines (`indentation_edits`); of those around colons and commas, at the
ends of lines, and of empty lines (`blank_edits`). A text of several lines moves as a whole. Knows nothing of the
meaning of lines.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from interpreter.document.nodes import Mapping, Node, Scalar, Sequence
from interpreter.layout.page import Line, Page, is_block
from interpreter.layout.text_edits import Edit

STEP = 2  # blanks

_GAP = re.compile(r"[ \t]*:[ \t]*\Z")
_DASH = re.compile(r"-(?=\s|\Z)")
_BETWEEN = re.compile(r"[\[\]{},: \t]*\Z")


def indentation_edits(page: Page) -> Iterator[Edit]:
    """The edits of indentation: each level is indented by `STEP` blanks. The continuation lines of a text, and
    comments, move with the line they belong to.
    """
    wanted, shifted = _wanted(page)
    for number, line in enumerate(page.lines):
        here = _margin(page, line)
        if number in wanted:
            new = wanted[number]
        elif number in shifted and line.start + here < line.stop:
            owner = shifted[number]
            new = max(here + wanted.get(owner, _margin(page, page.lines[owner])) - _margin(page, page.lines[owner]), 1)
            new = min(new, here) if new < here else new
        elif line.remark == line.start + here < line.stop:
            new = _of_remark(page, number, here, wanted)
        else:
            continue
        if page.text[line.start : line.start + here] != " " * new:
            yield Edit(line.start, line.start + here, " " * new)


def _wanted(page: Page) -> tuple[dict[int, int], dict[int, int]]:
    """The indentation of lines where a node begins; and for each continuation line, the first line of its text."""
    wanted: dict[int, int] = {}
    shifted: dict[int, int] = {}
    todo: list[tuple[Node, int]] = [(page.root, 0)]
    while todo:
        node, indent = todo.pop()
        if isinstance(node, Mapping) and is_block(node):
            for entry in node:
                _begin(page, entry.key.span.start, indent, wanted)
                todo.append((entry.value, indent + STEP))
        elif isinstance(node, Sequence) and is_block(node):
            before = node.span.start
            for item in node:
                dash = _dash(page, before, item.span.start)
                if dash is not None:
                    _begin(page, dash, indent, wanted)
                todo.append((item, indent + STEP))
                before = item.span.end
        else:
            first, last = page.number(node.span.start), page.number(max(node.span.start, node.span.end - 1))
            _begin(page, node.span.start, indent, wanted)
            shifted |= dict.fromkeys(range(first + 1, last + 1), first)
    return {n: w for n, w in wanted.items() if n not in shifted}, shifted


def _begin(page: Page, at: int, indent: int, wanted: dict[int, int]) -> None:
    number = page.number(at)
    if page.first(at) and at < page.lines[number].stop and not page.lines[number].held:
        wanted.setdefault(number, indent)


def _dash(page: Page, start: int, end: int) -> int | None:
    """The position of the dash of a list item, between the previous item and itself, outside comments."""
    found = None
    for sign in _DASH.finditer(page.text, start, end):
        line = page.lines[page.number(sign.start())]
        if sign.start() < line.remark:
            found = sign.start()
    return found


def _margin(page: Page, line: Line) -> int:
    text = page.text[line.start : line.stop]
    return len(text) - len(text.lstrip(" \t"))


def _of_remark(page: Page, number: int, here: int, wanted: dict[int, int]) -> int:
    """The indentation of a comment: that of the line below, or of an open line above, in the same column."""
    below = next((n for n in range(number + 1, len(page.lines)) if n in wanted), None)
    if below is not None and _margin(page, page.lines[below]) == here:
        return wanted[below]
    least = None
    for n in range(number - 1, -1, -1):
        if n in wanted:
            margin = _margin(page, page.lines[n])
            if margin == here and (least is None or margin < least):
                return wanted[n]
            least = margin if least is None else min(least, margin)
    if below is None:
        return here
    return max(0, here + wanted[below] - _margin(page, page.lines[below]))


def blank_edits(page: Page) -> Iterator[Edit]:
    """The edits of superfluous blanks: around colons, after dashes, in brackets of one line, at ends of lines. Several
    empty lines become one, those at the beginning none; the last line gets one line end.
    """
    yield from _gaps(page)
    yield from _ends(page)


def _gaps(page: Page) -> Iterator[Edit]:
    """Remove blanks before colons; leave one after a dash; in brackets only one after commas and colons."""
    todo: list[Node] = [page.root]
    while todo:
        node = todo.pop()
        if isinstance(node, Scalar):
            continue
        if not is_block(node):
            yield from _in_brackets(page, node)
        elif isinstance(node, Mapping):
            for entry in node:
                gap = page.text[entry.key.span.end : entry.value.span.start]
                colon = entry.key.span.end + len(gap) - len(gap.lstrip(" \t"))
                if _GAP.match(gap) or page.text[colon : colon + 1] == ":":
                    if colon > entry.key.span.end:
                        yield Edit(entry.key.span.end, colon, "")
                todo.append(entry.value)
        else:
            before = node.span.start
            for item in node:
                dash = _dash(page, before, item.span.start)
                if dash is not None and not page.text[dash + 1 : item.span.start].strip(" \t"):
                    if item.span.start < item.span.end and page.text[dash + 1 : item.span.start] != " ":
                        yield from _after_dash(page, dash + 1, item)
                before = item.span.end
                todo.append(item)


def _after_dash(page: Page, start: int, item: Node) -> Iterator[Edit]:
    """Leave one blank after a dash. Only a one-line item may move, as further lines are aligned with its beginning."""
    if page.number(item.span.start) == page.number(max(item.span.start, item.span.end - 1)):
        yield Edit(start, item.span.start, " ")


def _in_brackets(page: Page, node: Node) -> Iterator[Edit]:
    """Format `{a: 1, b: 2}` and `[a, b]` on one line; brackets over several lines are left unchanged."""
    if "\n" in node.span.text or "\r" in node.span.text:
        return
    inside = sorted((s.span.start, s.span.end) for s in page.scalars if node.span.start <= s.span.start < node.span.end)
    at = node.span.start
    for start, end in [*inside, (node.span.end, node.span.end)]:
        gap = page.text[at:start]
        if _BETWEEN.match(gap):
            signs = "".join({",": ", ", ":": ": "}.get(sign, sign) for sign in gap if sign not in " \t")
            signs = re.sub(r" (?=[\]},])", "", signs)
            if signs != gap:
                yield Edit(at, start, signs)
        at = end


def _ends(page: Page) -> Iterator[Edit]:
    """Remove blanks at line ends, repeated and leading empty lines; leave one line end at the end."""
    lines = page.lines
    filled = [n for n, line in enumerate(lines) if line.held or page.text[line.start : line.stop].strip(" \t")]
    if not filled:
        return
    for number, line in enumerate(lines):
        said = page.text[line.start : line.stop].rstrip(" \t")
        if line.start + len(said) < line.stop and not line.open and number <= filled[-1] and said:
            yield Edit(line.start + len(said), line.stop, "")
    if filled[0] > 0:
        yield Edit(lines[0].start, lines[filled[0]].start, "")
    for one, two in pairwise(filled):
        if two - one > 1:
            kept = _line_end(page, lines[one].stop)
            if page.text[lines[one + 1].start : lines[two].start] != kept:
                yield Edit(lines[one + 1].start, lines[two].start, kept)
    last = lines[filled[-1]].stop
    end = _line_end(page, last) or _line_end(page, lines[0].stop) or "\n"
    if page.text[last:] != end and not lines[filled[-1]].held:
        yield Edit(last, len(page.text), end)


def _line_end(page: Page, at: int) -> str:
    found = re.compile(r"\r\n|\r|\n").match(page.text, at)
    return found[0] if found else ""
