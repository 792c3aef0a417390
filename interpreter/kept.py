"""What was found out about files, kept in the user's cache folder together with what it was found out from.

Enters: a question (words), the looks at the disk that its answer rests on (`disk.Watch`), the answer. Leaves: the
answer, as long as every look would see the same, by the same code of Umpire and the same Python; else None. Never
inside anybody's repository. Plain data, nothing that could be run; whatever is damaged is as if it were not there, and
no mistake on the disk is ever more than that. Knows nothing of what the answers mean.

A file holds its own digest, the question, the looks (how, path, what was seen), an empty line, the answer.
"""

from __future__ import annotations

import os
import sys
import time

from . import __version__, disk, places
from .disk import noting as noting

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from interpreter.hints import TypeVar

    T = TypeVar("T")

FORM = f"umpire-kept-2-{sys.byteorder}"
MOST = 512  # answers
LARGEST = 4 * 1024 * 1024  # bytes of one
ALL = 16 * LARGEST
SELDOM = 16  # answers, of which one makes room: to look at all of them takes longer than to keep one
_END = ".kept"
# Where their files were written anew, they may read a text in another way.
_LIBRARIES = ("yaml", "jsonschema")
_anew: list[bool] = []


def anew(do: Callable[[], T]) -> T:
    """Do it with nothing recalled that was found out by all of Umpire."""
    _anew.append(True)
    try:
        return do()
    finally:
        _anew.pop()


def stamp_libraries() -> None:
    """Look at those that had a part in this."""
    for library in _LIBRARIES:
        if file := getattr(sys.modules.get(library), "__file__", None):
            disk.stamp(file)


def recall(question: tuple[str, ...], by: str | None = None) -> str | None:
    """The answer, if nothing that it rests on has changed since it was kept; `by` what, where not by all of Umpire."""
    found = recalled(question, by)
    return str(found, "utf-8") if found is not None else None


def recalled(question: tuple[str, ...], by: str | None = None) -> memoryview | None:
    """The same as the bytes that it was kept in."""
    path = _path(question, by) if by is not None or not _anew else None
    if path is None:
        return None
    try:
        with open(disk.open_kept(path, (disk.me(),)), "rb") as file:  # not what was put there by somebody else
            whole = file.read(4 * LARGEST)
        # of something that is longer than all else that is read no copy is made in vain
        own, end = whole.index(b"\n"), whole.index(b"\n\n")
        if whole[:own] != disk.digest(memoryview(whole)[own + 1 :]).encode():
            return None
        lines = whole[own + 1 : end].decode().split("\n")
    except (OSError, ValueError):
        return None
    if lines[0] != _key(question, by):
        return None
    for line in lines[1:]:
        look = line.split("\t")
        if len(look) != 3 or not disk.as_before(*look):
            return None
    return memoryview(whole)[end + 2 :]


def keep(question: tuple[str, ...], watch: disk.Watch, answer: str | bytes, by: str | None = None) -> None:
    """Keep an answer, if everything that was looked at can be written down."""
    path = _path(question, by)
    if path is None or watch.looks is None:
        return
    looks = [(how, name, seen) for (how, name), seen in watch.looks.items()]
    if any(c in part for look in looks for part in look for c in "\t\n"):
        return
    head = "\n".join([_key(question, by), *("\t".join(look) for look in looks)])
    try:
        said = b"%s\n\n%s" % (head.encode(), answer if isinstance(answer, bytes) else answer.encode())
        if len(said) > LARGEST:
            return
        which = disk.digest(said)
        whole = b"%s\n%s" % (which.encode(), said)
        folder = os.path.dirname(path)
        os.makedirs(folder, mode=0o700, exist_ok=True)
        if os.name != "nt" and os.stat(folder).st_uid != disk.me():
            return  # its owner can put in the place of anything there what he likes
        disk.write_kept(path, f"{path}.{os.getpid()}.{time.monotonic_ns()}.new", whole)
        if int(which, 16) % SELDOM == 0:
            _make_room(folder)
    except (OSError, ValueError):  # a full disk, a folder that may not be written; a name that is no text
        return


def would_keep(watch: disk.Watch) -> bool:
    """Whether an answer that rests on it can be kept at all: else nobody need put it into words."""
    return watch.looks is not None and places.cache_folder() is not None


def _make_room(folder: str) -> None:
    """Drop the oldest until few enough are left."""
    found = []
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.name.endswith((_END, ".new")):
                about = entry.stat()
                found.append((about.st_mtime_ns, about.st_size, entry.path))
    found.sort(reverse=True)
    size = 0
    for i, (_, bytes_, path) in enumerate(found):
        size += bytes_
        if i >= MOST or size > ALL:
            _drop(path)


def _drop(path: str) -> None:
    try:
        os.unlink(path)
    except OSError:
        return  # somebody else was faster


def _path(question: tuple[str, ...], by: str | None) -> str | None:
    folder = places.cache_folder()
    try:
        return os.path.join(folder, disk.digest(_key(question, by).encode()) + _END) if folder else None
    except ValueError:  # words that are no text
        return None


_codes: list[str] = []


def _key(question: tuple[str, ...], by: str | None) -> str:
    """The question, and who asks."""
    return repr((FORM, by if by is not None else code_now(), *question))


def code_now() -> str:
    """`code` as this process began."""
    if not _codes:
        _codes.append(code())
    return _codes[0]


def here() -> str:
    """The folder one stands in and those of `UMPIRE_PATH`, for questions about names as seen from there."""
    try:
        folder = os.getcwd()
    except OSError:
        folder = ""
    return f"{folder}\n{os.environ.get('UMPIRE_PATH', '')}"


def code() -> str:
    """Which Umpire and which Python: a change of one character of either's files is another."""
    said = [__version__, sys.version, *places.CODE]
    left = list(places.CODE)
    while left:
        try:
            with os.scandir(left.pop()) as entries:
                for entry in sorted(entries, key=lambda e: e.name):
                    if entry.name.endswith((".py", ".lark", ".json")):
                        about = entry.stat()
                        said.append(f"{entry.path} {about.st_mtime_ns} {about.st_size}")
                    elif entry.is_dir() and not entry.name.startswith(("__", ".")) and entry.name not in _DATA:
                        left.append(entry.path)
        except OSError:
            said.append("unreadable")
    return disk.digest("\n".join(said).encode("utf-8", "surrogateescape"))


_DATA = ("rules", "examples")  # what a check reads of them is among its looks
