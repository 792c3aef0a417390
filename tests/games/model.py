"""A generated game: files of rules and situations as texts, and what of the language each line of them uses.

Taken: definitions as trees of lines. Given: `Game`, which can be written to a folder. Knows nothing of how a game is
made up, nor of how it is judged.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

QUOTED = ("-", "?", ">", "|", "*", "&", "!", "%", "@", "`", "[", "{", '"', "'", "#")


@dataclass
class Line:
    """A key with one text, with lines of its own, or with nothing."""

    key: str
    body: str | list[Line] = ""

    def written(self, indent: int) -> list[str]:
        sp = " " * indent
        if isinstance(self.body, str):
            return [f"{sp}{self.key}: {plain(self.body)}".rstrip()]
        return [f"{sp}{self.key}:", *(text for line in self.body for text in line.written(indent + 2))]

    @property
    def lines(self) -> list[Line]:
        return [] if isinstance(self.body, str) else self.body

    def walk(self) -> list[Line]:
        return [self, *(x for line in self.lines for x in line.walk())]

    @property
    def name(self) -> str:
        return self.key.split(" [")[0].split(",")[0].split(" ")[-1]

    @property
    def texts(self) -> list[str]:
        return [self.key, self.body] if isinstance(self.body, str) else [self.key]


def plain(text: str) -> str:
    """A text as YAML has it: quoted where it would begin something else."""
    if text.startswith("-") and not text.startswith("- "):
        return text
    if text.startswith(QUOTED) or ": " in text:
        return "'" + text.replace("'", "''") + "'"
    return text


@dataclass
class Page:
    """One rule file: its head, and definitions below one heading."""

    name: str
    head: list[str]
    definitions: list[Line] = field(default_factory=list)

    def written(self) -> str:
        lines = [*self.head]
        if self.definitions:
            lines += ["Things:", *(text for one in self.definitions for text in one.written(2))]
        return "\n".join(lines) + "\n"


@dataclass(frozen=True)
class Situation:
    """A file of a situation: what is asked of it stands in it, and again here. `open`: some choice is left open."""

    file: str
    asks: tuple[str, ...]
    open: bool


@dataclass(frozen=True)
class Game:
    """`files` by their names; `rules` names the set (a stack, where a supplement is laid over it). `uses` holds for
    each construct the names of the lines that show that a play has passed through it.
    """

    seed: int
    rules: str
    files: dict[str, str]
    situations: tuple[Situation, ...]
    uses: dict[str, frozenset[str]]

    def write(self, folder: Path) -> list[Path]:
        """Writes all files; gives the paths of the situations."""
        for name, text in self.files.items():
            (folder / name).write_text(text, encoding="utf-8")
        return [folder / s.file for s in self.situations]
