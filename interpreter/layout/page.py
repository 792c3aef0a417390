"""A file by lines: which of them are text and stay as they are, where their remarks begin.

Enters: a source and its tree.  Leaves: `Page`, which answers for a line or an offset.  Must not know what is to change.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple

from interpreter.document.nodes import Mapping, Node, Scalar, Sequence
from interpreter.source import Source
from interpreter.source.values import Struct

_LINE = re.compile(r"[^\r\n]*(\r\n|\r|\n|\Z)")
_REMARK = re.compile(r"(?:(?<=[ \t])|^)#", re.MULTILINE)


class Line(NamedTuple):
    """A line from its first character to its last, without its end; `said` is what stands before its remark.

    `remark` is where that begins, `stop` where there is none. A line that is `held` begins inside a text, and at the
    end of one that is `open` a text goes on.
    """

    start: int
    said: int
    remark: int
    stop: int
    held: bool
    open: bool


class Page(Struct, slots=False):
    """A file by lines: `root` is the tree of `source`."""

    source: Source
    root: Mapping

    @property
    def text(self) -> str:
        return self.source.text

    @cached_property
    def scalars(self) -> tuple[Scalar, ...]:
        """Every text that is not empty, keys too, in the order of the file."""
        return tuple(sorted(_scalars(self.root), key=lambda each: each.span.start))

    @cached_property
    def lines(self) -> tuple[Line, ...]:
        return tuple(self._lines())

    def _lines(self) -> Iterator[Line]:
        starts = [each.span.start for each in self.scalars]
        at = 1 if self.text.startswith("\ufeff") else 0
        while at < len(self.text):
            found = _LINE.match(self.text, at)
            assert found is not None
            stop, after = found.start(1), found.end()
            last = bisect_right(starts, stop) - 1
            text = self.scalars[last].span if last >= 0 else None
            block = last >= 0 and self.scalars[last].style in ("literal", "folded")
            read = max(at, min(text.end, stop)) if text is not None else at
            held = any(s.span.start < at < s.span.end for s in self._around(starts, at))
            beyond = text is not None and (text.end > stop or (block and text.start < at <= stop <= text.end))
            within = beyond and text is not None and "\n" in text.text.replace("\r", "\n")
            remark = None if within else _REMARK.search(self.text, read, stop)
            cut = remark.start() if remark else stop
            said = at + len(self.text[at:cut].rstrip(" \t")) if not within else stop
            yield Line(at, max(said, read) if text is not None and read > at else said, cut, stop, held, within)
            at = after
        if not self.text or self.text[-1] in "\r\n":
            yield Line(len(self.text), len(self.text), len(self.text), len(self.text), False, False)

    def _around(self, starts: list[int], at: int) -> tuple[Scalar, ...]:
        before = bisect_right(starts, at) - 1
        return self.scalars[max(before, 0) : before + 1]

    def number(self, offset: int) -> int:
        """Which line an offset stands in, from 0."""
        return self.source.place(offset)[0] - 1

    def first(self, offset: int) -> bool:
        """Whether nothing but blanks stands before it on its line."""
        return not self.text[self.lines[self.number(offset)].start : offset].strip(" \t")

    def column(self, offset: int) -> int:
        return offset - self.lines[self.number(offset)].start

    def remarks(self) -> list[str]:
        """All of them, from their sign to the end of the line, less the blanks that nobody sees there."""
        return [self.text[line.remark : line.stop].rstrip() for line in self.lines if line.remark < line.stop]


def _scalars(root: Node) -> Iterator[Scalar]:
    left = [root]
    while left:
        here = left.pop()
        if isinstance(here, Scalar):
            if here.span.start < here.span.end:
                yield here
        elif isinstance(here, Sequence):
            left += here.items
        else:
            left += [part for entry in here for part in (entry.key, entry.value)]


def is_block(node: Node) -> bool:
    """Whether a mapping or a list is written by lines, not in brackets."""
    return isinstance(node, Mapping | Sequence) and node.span.text[:1] not in ("{", "[")
