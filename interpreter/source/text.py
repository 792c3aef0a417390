"""A text and the positions in it.

`Source` is a named text, `Span` a range of one source. All stages keep offsets (code points from the start of the text)
and convert them to lines and columns only for output. This module does not know YAML or games.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import cached_property

from interpreter.source.values import Struct, reduce_by_fields

# The line ends that editors know.  `str.splitlines` and PyYAML's `mark.line` also break
# at U+2028, U+0085 and the like, which would put every later message one line too low.
_BREAK = r"\r\n|\r|\n"


class Source(Struct, slots=False):
    """The text of a file: `name` as the user gave it, `text` with its original line ends."""

    name: str
    text: str

    def __repr__(self) -> str:
        return f"Source({self.name!r}, {len(self.text)} characters)"

    def __lt__(self, other: Source) -> bool:
        return (self.name, self.text) < (other.name, other.text)

    @cached_property
    def _starts(self) -> tuple[int, ...]:
        return (0, *(found.end() for found in re.finditer(_BREAK, self.text)))

    @property
    def lines(self) -> int:
        """The number of lines as in an editor: a text that ends with a line break has an empty last line."""
        return len(self._starts)

    def place(self, offset: int) -> tuple[int, int]:
        """Return line and column of an offset, both from 1, in code points. The offset is clamped to the text."""
        offset = min(max(offset, 0), len(self.text))
        line = bisect_right(self._starts, offset)
        return line, offset - self._starts[line - 1] + 1

    def line(self, number: int) -> str:
        """Return the text of line `number` (from 1) without its line break; empty if there is no such line."""
        if not 1 <= number <= self.lines:
            return ""
        end = self._starts[number] if number < self.lines else len(self.text)
        return self.text[self._starts[number - 1] : end].rstrip("\r\n")

    def offset(self, line: int, column: int) -> int:
        """Return the offset of a line and column, the inverse of `place`; both are clamped."""
        line = min(max(line, 1), self.lines)
        return self._starts[line - 1] + min(max(column - 1, 0), len(self.line(line)))


class Span(Struct):
    """The characters of a source from `start` up to, but not including, `end`."""

    source: Source
    start: int
    end: int

    __reduce__ = reduce_by_fields

    def __lt__(self, other: Span) -> bool:
        return (self.source, self.start, self.end) < (other.source, other.start, other.end)

    @property
    def text(self) -> str:
        return self.source.text[self.start : self.end]

    @property
    def place(self) -> tuple[int, int]:
        return self.source.place(self.start)

    @property
    def end_place(self) -> tuple[int, int]:
        return self.source.place(self.end)

    def to(self, other: Span) -> Span:
        """Return the shortest span that contains both. Raises ValueError if they lie in different sources."""
        if self.source != other.source:
            raise ValueError(f"spans of {self.source.name} and {other.source.name} cannot be joined")
        return Span(self.source, min(self.start, other.start), max(self.end, other.end))
