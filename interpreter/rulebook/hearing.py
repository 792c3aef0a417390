"""Who hears a line by its name: a name belongs to the file that gives it, and to the files that lie over that one.

Enters: the files of a stack, who asks, and who gives each line. Leaves: the lines that are meant. Knows nothing of
blocks, nor of what a line is worth.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from interpreter.source import Source, Span
from interpreter.source.values import Struct

from .sheets import History, as_name

Givers = Mapping[str, Source]  # of each address the file that says its name


def ear_of(history: History, span: Span | None) -> Ear | None:
    """What a sentence there hears of lines by their names; None where there is one file, which hears all of its own,
    and of what no file says.
    """
    return Ear(history, span.source, span) if span is not None and len(history.files) > 1 else None


class Ear(Struct, eq=False):
    """What a sentence of one file hears; a situation, which is none of the stack's files, hears all."""

    history: History
    asker: Source
    place: Span

    def note(self, name: str, heard: Sequence[str], of_all: Sequence[str]) -> None:
        """That it matters to a file of the stack who says a name: in one file it would mean another line."""
        if heard != of_all and self.asker in self.history.files:
            self.history.private.setdefault(name, self.place)

    @property
    def file(self) -> str:
        """What the asking file is called in addresses."""
        sheet = self.history.files.get(self.asker)
        return as_name(sheet.name) if sheet is not None else ""

    def hears(self, giver: Source | None) -> bool:
        return giver is None or self.history.lies_over(self.asker, giver)

    def heard(self, addresses: Sequence[str], givers: Givers, *, whole: bool) -> list[str]:
        """Those that are heard. By more than the name alone (`whole`) others are, where none else is meant."""
        return [a for a in addresses if self.hears(givers.get(a))] or (list(addresses) if whole else [])

    def sure(self, addresses: Iterable[str], givers: Givers) -> bool:
        """Whether a line that is said in full is meant among others of its name. A situation may have been written
        for fewer files, and have meant another.
        """
        return self.asker in self.history.files or len({givers.get(a) for a in addresses}) == 1

    def nearest(self, addresses: Sequence[str], givers: Givers) -> list[str]:
        """Those of the asking file itself, else all."""
        return [a for a in addresses if givers.get(a) == self.asker] or list(addresses)

    def owns_one(self, addresses: Iterable[str], givers: Givers) -> bool:
        return any(givers.get(a) == self.asker for a in addresses)
