"""A folder of rule files that a long-running program works in: lists, reads and saves its files.

Takes a folder, names of files below it, and texts. Gives texts, or problems. Nothing outside the folder is read or
written, also through links. A file is saved atomically, and never over a concurrent change. Knows nothing of the
content of files, nor of how it is shown.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable

from interpreter import disk
from interpreter.disk import overlay_texts as overlay_texts
from interpreter.document.file_io import read_file, write_file
from interpreter.places import HOME
from interpreter.source import Problems
from interpreter.source.values import Struct

_MOST = 500  # most files to list
_DEEP = 4  # most levels of subfolders
_NAME = re.compile(r"[\w+ -][\w.+ -]*")  # of a file or folder; none begins with a dot
_ORDER_MARK = "\ufeff"


class Text(Struct):
    """A file as it is on disk (`whole`), and as an editor shows it: without a byte order mark, and with `\\n` as line
    end; `ends` is the line end in the file.
    """

    name: str
    whole: str
    shown: str
    ends: str = "\n"

    def written(self, shown: str) -> str:
        """The content of the file for a text of the editor."""
        if shown == self.shown:
            return self.whole
        mark = _ORDER_MARK if self.whole.startswith(_ORDER_MARK) else ""
        return mark + (shown if self.ends == "\n" else shown.replace("\n", self.ends))


def _as_shown(name: str, whole: str) -> Text:
    text = whole.removeprefix(_ORDER_MARK)
    ends = set(re.findall(r"\r\n|\r|\n", text))
    return Text(name, whole, re.sub(r"\r\n|\r", "\n", text), ends.pop() if len(ends) == 1 else "\n")


class WorkFolder:
    """A folder; `root` is its path with links resolved."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.root = os.path.realpath(path)

    def files(self) -> list[str]:
        """The YAML files in the folder and below, such as `rules/ours.yaml`, without links and hidden files."""
        return sorted(self._below("", _DEEP))[:_MOST]

    def _below(self, inside: str, deep: int) -> Iterable[str]:
        for name in disk.names(os.path.join(self.root, inside)):
            path = os.path.join(self.root, inside, name)
            if not _NAME.fullmatch(name) or os.path.islink(path):
                continue
            kind, said = disk.kind(path), f"{inside}/{name}" if inside else name
            if kind == "folder" and deep:
                yield from self._below(said, deep - 1)
            elif kind == "file" and name.endswith((".yaml", ".yml")):
                yield said

    def path(self, name: str) -> str | None:
        """The path of an existing or new file of that name; None for a name that leads out of the folder."""
        parts = name.split("/")
        if not all(_NAME.fullmatch(part) for part in parts) or not name.endswith((".yaml", ".yml")):
            return None
        path = os.path.join(self.root, *parts)
        return path if os.path.realpath(path) == path else None

    def read(self, name: str, problems: Problems) -> Text | None:
        """The text of a file; None with a problem."""
        path = self.path(name)
        if path is None:
            problems.add("Y050", None, file=name)
            return None
        source = read_file(path, problems)
        return _as_shown(name, source.text) if source is not None else None

    def write(self, was: Text, shown: str, problems: Problems) -> Text | None:
        """Replace the text of a file. None with a problem (`Y056`) if it has changed since `was`."""
        path = self.path(was.name)
        if path is None:
            problems.add("Y050", None, file=was.name)
            return None
        whole = was.written(shown)
        return _as_shown(was.name, whole) if write_file(path, whole, problems, was=was.whole) else None

    def create(self, name: str, text: str, problems: Problems) -> Text | None:
        """Create a file. None with a problem (`Y057`) if it exists."""
        path = self.path(name)
        if path is None:
            problems.add("Y055", None, file=name, reason="it is no name of a file in this folder")
            return None
        return _as_shown(name, text) if write_file(path, text, problems) else None

    def changed_outside(self, was: Text) -> bool:
        """Whether the file has changed since it was read or saved here."""
        found = self.read(was.name, Problems())
        return found is None or found.whole != was.whole

    def state(self) -> tuple[tuple[str, str], ...]:
        """Every file with its modification stamp; equal while nothing has changed."""
        return tuple((name, disk.stamp(os.path.join(self.root, name))) for name in self.files())


def stay_within(folder: str) -> None:
    """Restrict this process to that folder and the files of Umpire, and make it the working directory."""
    os.chdir(folder)
    disk.restrict_to((folder, HOME))
