"""The one way to the disk for whatever a check depends on: every look at it is noted for those who watch.

Enters: paths. Leaves: what is there (a file, a folder, something else, nothing), the bytes of a file, the names in a
folder. A look and its answer, kept by `Watch`, say later whether everything is as it was (`as_before`), also where
the answer was "nothing is there". Knows nothing of rules.

Nobody else in the rooms of a check may ask the disk (tests/test_cache.py reads their code): no look can be forgotten.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from hashlib import blake2b

_watches: list[Watch] = []
_homes: tuple[str, ...] | None = None  # the folders outside which nothing is there; None: everywhere
_overlay: ContextVar[Mapping[str, str] | None] = ContextVar("texts that are not in their files yet", default=None)


@contextmanager
def overlay_texts(texts: Mapping[str, str]) -> Iterator[None]:
    """Within the context, the texts of `texts` (by path) stand in place of what the files hold, or are not there to
    hold.
    """
    token = _overlay.set({os.path.realpath(path): text for path, text in texts.items()})
    try:
        yield
    finally:
        _overlay.reset(token)


def overlaid(path: str) -> str | None:
    """The text that stands in place of a file."""
    texts = _overlay.get()
    try:
        found = texts.get(os.path.realpath(path)) if texts else None
    except (OSError, ValueError):  # what can be no path
        return None
    if found is not None:
        unsure()  # what is found out now is not about the file
    return found


class Watch:
    """Notes every look within `with noting()`: `looks` by what was asked, None after two answers that differ."""

    def __init__(self) -> None:
        self.looks: dict[tuple[str, str], str] | None = {}

    def note(self, how: str, path: str, answer: str) -> None:
        if self.looks is not None and self.looks.setdefault((how, path), answer) != answer:
            self.looks = None  # somebody wrote to it meanwhile


@contextmanager
def noting() -> Iterator[Watch]:
    """`with noting() as watch:` notes every look within."""
    watch = Watch()
    _watches.append(watch)
    try:
        yield watch
    finally:
        _watches.remove(watch)


def unsure() -> None:
    """What is looked at is not on the disk: nothing that rests on it is to be kept."""
    for watch in _watches:
        watch.looks = None


def keep_within(folders: Iterable[str]) -> None:
    """From now on this process looks into these folders only: whatever lies elsewhere, also behind a link, is as if it
    were not there.
    """
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


# As the system lets a file be opened: none that is a link, and no pipe that nobody writes to holds whoever reads it up.
_PLAINLY = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
_ANEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)


def open_kept(path: str, owners: tuple[int, ...]) -> int:
    """A file of what Umpire keeps for itself, opened to be read. Raises OSError where it is a link, no ordinary file
    (a pipe, a device), or belongs to nobody of `owners`.
    """
    handle = os.open(path, _PLAINLY)
    about = os.fstat(handle)
    if stat.S_ISREG(about.st_mode) and (os.name == "nt" or about.st_uid in owners):
        return handle
    os.close(handle)
    raise PermissionError


def write_kept(path: str, beside: str, whole: bytes, rights: int = 0o600) -> None:
    """Puts bytes in the place of such a file, all at once: by way of `beside`, which must not be there. Raises OSError,
    and leaves nothing beside it.
    """
    handle = os.open(beside, _ANEW, rights)
    try:
        with open(handle, "wb") as file:
            file.write(whole)
        os.replace(beside, path)  # whoever reads meanwhile reads the old one or the new one, whole
    except BaseException:
        os.unlink(beside)
        raise


def me() -> int:
    """Whose files are ours; where nobody owns files, a number for nobody."""
    return os.getuid() if os.name != "nt" else -1


def digest(content: bytes | memoryview) -> str:
    """Which content it is: 40 letters."""
    return blake2b(content, digest_size=20).hexdigest()


def kind(path: str | os.PathLike[str]) -> str:
    """`file`, `folder`, `other` (a pipe, a device) or `nothing`; never raises, whatever the text."""
    name = os.fspath(path)
    if overlaid(name) is not None:
        return "file"
    return _noted("kind", name, _kind(name))


def is_file(path: str | os.PathLike[str]) -> bool:
    """Whether a path leads to a file, or to a text that is laid over it; never raises."""
    return kind(path) == "file"


def content(path: str | os.PathLike[str], most: int) -> bytes:
    """The first `most` bytes of a file. Raises OSError, and ValueError for what can be no path."""
    name = os.fspath(path)
    try:
        found = _content(name, most)
    except (OSError, ValueError) as error:
        _noted(f"read {most}", name, type(error).__name__)
        raise
    _noted(f"read {most}", name, digest(found))
    return found


def names(path: str | os.PathLike[str]) -> list[str]:
    """What lies in a folder, sorted; nothing where it cannot be read."""
    name = os.fspath(path)
    found = _names(name)
    _noted("names", name, digest("\0".join(found).encode("utf-8", "surrogateescape")))
    return found


def yaml_files(path: str | os.PathLike[str], start: str = "") -> list[str]:
    """The names, without their ending, of the rule files in a folder."""
    return [n.removesuffix(".yaml") for n in names(path) if n.startswith(start) and n.endswith(".yaml")]


def stamp(path: str | os.PathLike[str]) -> str:
    """When a file was written and how long it is: for files that are code."""
    name = os.fspath(path)
    return _noted("stamp", name, _stamp(name))


def as_before(how: str, path: str, answer: str) -> bool:
    """Whether a look would have the same answer now; if so, whoever watches has seen it."""
    if not _as_before(how, path, answer):
        return False
    _noted(how, path, answer)
    return True


def _as_before(how: str, path: str, answer: str) -> bool:
    try:
        if how == "kind":
            return _kind(path) == answer
        if how == "names":
            return digest("\0".join(_names(path)).encode("utf-8", "surrogateescape")) == answer
        if how == "stamp":
            return _stamp(path) == answer
        most = how.removeprefix("read ")
        return most.isdigit() and digest(_content(path, int(most))) == answer
    except (OSError, ValueError) as error:
        return type(error).__name__ == answer


def _noted(how: str, path: str, answer: str) -> str:
    for watch in _watches:
        watch.note(how, path, answer)
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
