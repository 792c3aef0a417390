"""The lines of a file: which are inside texts, and where their comments begin.

Takes a source and its tree. Gives a `Page`, which answers queries about lines and offsets. Knows nothing of the changes
to make.
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
    """A line without its line end. `said` is the end of its content before the comment.

    `remark` is the start of the comment, equal to `stop` without one. A line is `held` if it begins inside a text, and
    `open` if a text continues after it.
    """

    start: int
    said: int
    remark: int
    stop: int
    held: bool
    open: bool


class Page(Struct, slots=False):
    """A file as lines: `root` is the tree of `source`."""

    source: Source
    root: Mapping

    @property
    def text(self) -> str:
        return self.source.text

    @cached_property
    def scalars(self) -> tuple[Scalar, ...]:
        """All texts that are not empty, keys included, in the order of the file."""
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
        """The index of the line of an offset, from 0."""
        return self.source.place(offset)[0] - 1

    def first(self, offset: int) -> bool:
        """Whether only blanks precede an offset on its line."""
        return not self.text[self.lines[self.number(offset)].start : offset].strip(" \t")

    def column(self, offset: int) -> int:
        return offset - self.lines[self.number(offset)].start

    def remarks(self) -> list[str]:
        """All comments, from `#` to the end of the line, without trailing blanks."""
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
    """Whether a mapping or a list is in block style, not in brackets."""
    return isinstance(node, Mapping | Sequence) and node.span.text[:1] not in ("{", "[")
