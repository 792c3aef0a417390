"""Places of a text as editors count them, and as we do; and places of a text in the one it became.

Enters: offsets in code points. Leaves: (line, character) from 0, the characters in units of the encoding that was
agreed on. Knows nothing of any protocol.
"""

from __future__ import annotations

from interpreter.source import Source

Place = tuple[int, int]


def units(text: str, encoding: str) -> int:
    """How long a text is in an encoding: `utf-8`, `utf-16` or `utf-32`."""
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
    """The inverse; a place that is not there is the nearest that is."""
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
    """Where the places of an old text are in a new one: what stands before or behind all that was edited is kept."""

    def __init__(self, old: str, new: str) -> None:
        shorter = min(len(old), len(new))
        self.head = _alike(old, new, shorter)
        self.tail = _alike(old[::-1], new[::-1], shorter - self.head)
        self.old, self.new = len(old), len(new)

    def there(self, offset: int) -> int | None:
        """The new place of an old one; None within what was edited."""
        if offset <= self.head:
            return offset
        return offset + self.new - self.old if offset >= self.old - self.tail else None

    def back(self, offset: int) -> int:
        """The old place of a new one; within what was edited, its beginning."""
        if offset <= self.head:
            return offset
        return offset + self.old - self.new if offset >= self.new - self.tail else self.head


def _alike(one: str, two: str, most: int) -> int:
    """How many characters two texts begin with alike."""
    low, high = 0, most
    while low < high:
        middle = (low + high + 1) // 2
        if one[:middle] == two[:middle]:
            low = middle
        else:
            high = middle - 1
    return low
