"""A folder of rule files that somebody works in with a program that stays open: which files there are, read and saved.

Enters: a folder, names of files below it, texts. Leaves: texts, or problems. Nothing outside the folder is read or
written, whatever links lie in it; a file is saved whole or not at all, and never over what somebody else wrote
meanwhile. Must not know what a file says, nor how it is shown.
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

_MOST = 500  # files that are listed
_DEEP = 4  # folders below the folder
_NAME = re.compile(r"[\w+ -][\w.+ -]*")  # of a file or folder; none begins with a dot
_ORDER_MARK = "\ufeff"


class Text(Struct):
    """A file as it is on the disk (`whole`), and as an editor shows it: without a mark of order, and with one sign for
    each line end; `ends` is what stands in the file for it.
    """

    name: str
    whole: str
    shown: str
    ends: str = "\n"

    def written(self, shown: str) -> str:
        """What the file holds when an editor shows this."""
        if shown == self.shown:
            return self.whole
        mark = _ORDER_MARK if self.whole.startswith(_ORDER_MARK) else ""
        return mark + (shown if self.ends == "\n" else shown.replace("\n", self.ends))


def _as_shown(name: str, whole: str) -> Text:
    text = whole.removeprefix(_ORDER_MARK)
    ends = set(re.findall(r"\r\n|\r|\n", text))
    return Text(name, whole, re.sub(r"\r\n|\r", "\n", text), ends.pop() if len(ends) == 1 else "\n")


class WorkFolder:
    """`root` is the folder, without links on the way."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.root = os.path.realpath(path)

    def files(self) -> list[str]:
        """The YAML files in the folder and below, as `rules/ours.yaml`; links and hidden files are none of them."""
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
        """Where a file of that name lies or may come to lie; None for a name that leads out of the folder."""
        parts = name.split("/")
        if not all(_NAME.fullmatch(part) for part in parts) or not name.endswith((".yaml", ".yml")):
            return None
        path = os.path.join(self.root, *parts)
        return path if os.path.realpath(path) == path else None

    def read(self, name: str, problems: Problems) -> Text | None:
        """A file; None with a problem."""
        path = self.path(name)
        if path is None:
            problems.add("Y050", None, file=name)
            return None
        source = read_file(path, problems)
        return _as_shown(name, source.text) if source is not None else None

    def write(self, was: Text, shown: str, problems: Problems) -> Text | None:
        """The file with another text. Where it is not any more as it `was`, it stays as it is (`Y056`)."""
        path = self.path(was.name)
        if path is None:
            problems.add("Y050", None, file=was.name)
            return None
        whole = was.written(shown)
        return _as_shown(was.name, whole) if write_file(path, whole, problems, was=was.whole) else None

    def create(self, name: str, text: str, problems: Problems) -> Text | None:
        """A new file; one that is there stays as it is (`Y057`)."""
        path = self.path(name)
        if path is None:
            problems.add("Y055", None, file=name, reason="it is no name of a file in this folder")
            return None
        return _as_shown(name, text) if write_file(path, text, problems) else None

    def changed_outside(self, was: Text) -> bool:
        """Whether the file is not as it was when it was read or saved here."""
        found = self.read(was.name, Problems())
        return found is None or found.whole != was.whole

    def state(self) -> tuple[tuple[str, str], ...]:
        """Every file and when it was written: equal while nothing has changed."""
        return tuple((name, disk.stamp(os.path.join(self.root, name))) for name in self.files())


def stay_within(folder: str) -> None:
    """From now on this process sees that folder and what comes along with Umpire, and stands in the folder."""
    os.chdir(folder)
    disk.keep_within((folder, HOME))
