"""Disk access for all code that a check runs, with every access recorded.

Functions take paths and return the kind of entry (a file, a folder, other, nothing), the bytes of a file, or the names
in a folder. Each access and its result are recorded in every active `InputTracker`; `is_unchanged` tells later whether
the result is still the same, including "nothing is there". This module does not know rules.

No other module of the rooms that a check uses may access the disk (tests/test_cache.py inspects their code), so that no
access goes unrecorded.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from importlib.util import source_hash

_trackers: list[InputTracker] = []
_homes: tuple[str, ...] | None = None  # the only folders that are visible; None: all are
_overlay: ContextVar[Mapping[str, str] | None] = ContextVar("texts that are not in their files yet", default=None)


@contextmanager
def overlay_texts(texts: Mapping[str, str]) -> Iterator[None]:
    """Within the context, the texts of `texts` (by path) replace the contents of files, existing or not."""
    token = _overlay.set({os.path.realpath(path): text for path, text in texts.items()})
    try:
        yield
    finally:
        _overlay.reset(token)


def overlaid(path: str) -> str | None:
    """Return the text that replaces the file at `path`, if any. Such a text makes the active trackers unusable."""
    texts = _overlay.get()
    try:
        found = texts.get(os.path.realpath(path)) if texts else None
    except (OSError, ValueError):  # not a valid path
        return None
    if found is not None:
        mark_unusable()  # results now depend on a text that is not on the disk
    return found


class InputTracker:
    """Records disk accesses: `accesses` maps (kind, path) to the result; it is None if nothing may be cached."""

    def __init__(self) -> None:
        self.accesses: dict[tuple[str, str], str] | None = {}

    def note(self, how: str, path: str, answer: str) -> None:
        if self.accesses is not None and self.accesses.setdefault((how, path), answer) != answer:
            self.accesses = None  # the file changed between two accesses


@contextmanager
def tracking() -> Iterator[InputTracker]:
    """Record every disk access within `with tracking() as tracker:`."""
    tracker = InputTracker()
    _trackers.append(tracker)
    try:
        yield tracker
    finally:
        _trackers.remove(tracker)


def mark_unusable() -> None:
    """Mark all active trackers as unusable: what is read does not come from the disk."""
    for tracker in _trackers:
        tracker.accesses = None


def restrict_to(folders: Iterable[str]) -> None:
    """Restrict this process to these folders from now on: anything elsewhere, also behind a link, counts as missing."""
    global _homes
    _homes = tuple(os.path.join(os.path.realpath(folder), "") for folder in folders)


def _may_see(name: str) -> bool:
    if _homes is None:
        return True
    try:
        end = os.path.join(os.path.realpath(name), "")
    except (OSError, ValueError):
        return False
    return end.startswith(_homes)


# Do not follow links, and do not block on a pipe that has no writer.
_PLAINLY = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
_ANEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)


def open_cache_file(path: str, owners: tuple[int, ...]) -> int:
    """Open a file of Umpire's cache for reading and return its descriptor. Raises OSError if it is a link, not a
    regular file, or not owned by one of `owners` (user ids).
    """
    handle = os.open(path, _PLAINLY)
    about = os.fstat(handle)
    if stat.S_ISREG(about.st_mode) and (os.name == "nt" or about.st_uid in owners):
        return handle
    os.close(handle)
    raise PermissionError


def write_cache_file(path: str, beside: str, whole: bytes, rights: int = 0o600) -> None:
    """Replace such a file atomically, by way of the temporary file `beside`, which must not exist. Raises OSError, and
    then removes the temporary file.
    """
    handle = os.open(beside, _ANEW, rights)
    try:
        with open(handle, "wb") as file:
            file.write(whole)
        os.replace(beside, path)  # a concurrent reader sees either the old file or the new one, complete
    except BaseException:
        os.unlink(beside)
        raise


def user_id() -> int:
    """The user id of this process; -1 on systems where files have no owner id."""
    return os.getuid() if os.name != "nt" else -1


def checksum(content: bytes | memoryview) -> str:
    """Return Python's own hash of source code, as 16 hexadecimal digits; another version of Python may give another."""
    return source_hash(content).hex()


def kind(path: str | os.PathLike[str]) -> str:
    """Return `file`, `folder`, `other` (a pipe, a device) or `nothing`. Never raises, also for an invalid path."""
    name = os.fspath(path)
    if overlaid(name) is not None:
        return "file"
    return _noted("kind", name, _kind(name))


def is_file(path: str | os.PathLike[str]) -> bool:
    """Return whether a path leads to a file or to an overlaid text. Never raises."""
    return kind(path) == "file"


def content(path: str | os.PathLike[str], most: int) -> bytes:
    """Return the first `most` bytes of a file. Raises OSError, and ValueError for an invalid path."""
    name = os.fspath(path)
    try:
        found = _content(name, most)
    except (OSError, ValueError) as error:
        _noted(f"read {most}", name, type(error).__name__)
        raise
    _noted(f"read {most}", name, checksum(found))
    return found


def names(path: str | os.PathLike[str]) -> list[str]:
    """Return the sorted names of the entries of a folder; empty if it cannot be read."""
    name = os.fspath(path)
    found = _names(name)
    _noted("names", name, checksum("\0".join(found).encode("utf-8", "surrogateescape")))
    return found


def yaml_files(path: str | os.PathLike[str], start: str = "") -> list[str]:
    """Return the names, without `.yaml`, of the rule files in a folder whose names begin with `start`."""
    return [n.removesuffix(".yaml") for n in names(path) if n.startswith(start) and n.endswith(".yaml")]


def stamp(path: str | os.PathLike[str]) -> str:
    """Return the time of change and the size of a file, as a text: for files of code."""
    name = os.fspath(path)
    return _noted("stamp", name, _stamp(name))


def is_unchanged(how: str, path: str, answer: str) -> bool:
    """Return whether an access would have the same result now; if so, record it in the active trackers."""
    if not _as_before(how, path, answer):
        return False
    _noted(how, path, answer)
    return True


def _as_before(how: str, path: str, answer: str) -> bool:
    try:
        if how == "kind":
            return _kind(path) == answer
        if how == "names":
            return checksum("\0".join(_names(path)).encode("utf-8", "surrogateescape")) == answer
        if how == "stamp":
            return _stamp(path) == answer
        most = how.removeprefix("read ")
        return most.isdigit() and checksum(_content(path, int(most))) == answer
    except (OSError, ValueError) as error:
        return type(error).__name__ == answer


def _noted(how: str, path: str, answer: str) -> str:
    for tracker in _trackers:
        tracker.note(how, path, answer)
    return answer


def _kind(name: str) -> str:
    if not _may_see(name):
        return "nothing"
    try:
        mode = os.stat(name).st_mode
    except (OSError, ValueError):
        return "nothing"
    return "file" if stat.S_ISREG(mode) else "folder" if stat.S_ISDIR(mode) else "other"


def _content(name: str, most: int) -> bytes:
    if not _may_see(name):
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), name)
    with open(name, "rb") as file:
        return file.read(most)


def _names(name: str) -> list[str]:
    if not _may_see(name):
        return []
    try:
        return sorted(os.listdir(name))
    except (OSError, ValueError):
        return []


def _stamp(name: str) -> str:
    if not _may_see(name):
        return "nothing"
    try:
        found = os.stat(name)
    except OSError:
        return "nothing"
    return f"{found.st_mtime_ns} {found.st_size}"
