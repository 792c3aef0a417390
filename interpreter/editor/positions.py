"""Converts positions between editors and Umpire, and between an old and a new text.

Takes offsets in code points. Gives (line, character) from 0, with characters in units of the negotiated encoding. Knows
nothing of any protocol.
"""

from __future__ import annotations

from interpreter.source import Source

Place = tuple[int, int]


def units(text: str, encoding: str) -> int:
    """The length of a text in units of an encoding: `utf-8`, `utf-16` or `utf-32`."""
    if text.isascii() or encoding == "utf-32":
        return len(text)
    return (
        len(text.encode("utf-8", "surrogatepass")) if encoding == "utf-8" else sum(1 + (ord(c) > 0xFFFF) for c in text)
    )


def place(source: Source, offset: int, encoding: str) -> Place:
    """An offset as line and character, both from 0, the character in units of the encoding."""
    line, column = source.place(offset)
    return line - 1, units(source.line(line)[: column - 1], encoding)


def offset(source: Source, where: Place, encoding: str) -> int:
    """The inverse of `place`; a position outside the text is clamped."""
    line, character = where
    text = source.line(line + 1)
    if text.isascii() or encoding == "utf-32":
        return source.offset(line + 1, character + 1)
    column, seen = 0, 0
    while column < len(text) and seen < character:
        seen += units(text[column], encoding)
        column += 1
    return source.offset(line + 1, column + 1)


class Shift:
    """Maps offsets of an old text to a new one. The common prefix and suffix count as unchanged."""

    def __init__(self, old: str, new: str) -> None:
        shorter = min(len(old), len(new))
        self.head = _alike(old, new, shorter)
        self.tail = _alike(old[::-1], new[::-1], shorter - self.head)
        self.old, self.new = len(old), len(new)

    def there(self, offset: int) -> int | None:
        """The new offset of an old one; None within the edited range."""
        if offset <= self.head:
            return offset
        return offset + self.new - self.old if offset >= self.old - self.tail else None

    def back(self, offset: int) -> int:
        """The old offset of a new one; within the edited range, its beginning."""
        if offset <= self.head:
            return offset
        return offset + self.old - self.new if offset >= self.new - self.tail else self.head


def _alike(one: str, two: str, most: int) -> int:
    """The length of the common prefix of two texts."""
    low, high = 0, most
    while low < high:
        middle = (low + high + 1) // 2
        if one[:middle] == two[:middle]:
            low = middle
        else:
            high = middle - 1
    return low
