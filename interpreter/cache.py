"""The one cache: answers in the user's own folder, each with the looks at the disk that it rests on.

Enters: a question (words), the looks of a `disk.Watch`, the answer: plain values and objects of this package. Leaves:
the answer, as long as every look would see the same, found out by the same code of Umpire under the same Python; else
None. Never inside anybody's repository. Whatever is damaged, or belongs to somebody else, is as if it were not there,
and no error of the disk is ever more than that. Knows nothing of what the answers mean.

A file holds its own digest, the question, the looks (how, path, what was seen), an empty line, the pickled answer. What
reads the pickle makes objects of our own value classes only (`_Reader`), so a file that was tampered with runs nothing.
"""

from __future__ import annotations

import io
import os
import pickle
import sys
import time
from collections.abc import Callable, Iterator
from functools import cache
from importlib import import_module
from typing import Any, TypeVar

from . import __version__, disk, places

T = TypeVar("T")

FORM = "umpire-cache-1"
MOST = 512  # answers
LARGEST = 16 * 1024 * 1024  # bytes of one
ALL = 4 * LARGEST
SELDOM = 16  # answers, of which one makes room: to look at all of them takes longer than to keep one
DEEPEST = 20_000  # calls: a book is a deep tree, and `pickle` goes down it by calls
_END = ".cache"
_OURS = __name__.partition(".")[0]
_DAMAGED = (
    *(OSError, ValueError, pickle.UnpicklingError, EOFError, AttributeError, ImportError, IndexError),
    *(KeyError, TypeError, MemoryError, RecursionError),
)
# Where their files were written anew, they may read a text in another way.
_LIBRARIES = ("yaml", "jsonschema")
_anew: list[bool] = []


def anew(do: Callable[[], T]) -> T:
    """Do it without recalling anything."""
    _anew.append(True)
    try:
        return do()
    finally:
        _anew.pop()


def stamp_libraries() -> None:
    """Look at the libraries that had a part in this."""
    for library in _LIBRARIES:
        if file := getattr(sys.modules.get(library), "__file__", None):
            disk.stamp(file)


def recall(question: tuple[str, ...], by: str | None = None) -> Any:
    """The answer, or None; `by` names what found it out, where that is not all of Umpire's code."""
    path = _path(question, by) if by is not None or not _anew else None
    if path is None:
        return None
    try:
        with open(disk.open_kept(path, (disk.me(),)), "rb") as file:
            whole = file.read(2 * LARGEST)
        own, end = whole.index(b"\n"), whole.index(b"\n\n")
        if whole[:own] != disk.digest(memoryview(whole)[own + 1 :]).encode():
            return None
        asked, *looks = whole[own + 1 : end].decode().split("\n")
        if asked != _key(question, by) or not all(_holds(look) for look in looks):
            return None
        return _Reader(io.BytesIO(memoryview(whole)[end + 2 :])).load()
    except _DAMAGED:
        return None


def keep(question: tuple[str, ...], watch: disk.Watch, answer: Any, by: str | None = None) -> None:
    """Keep an answer, if everything that was looked at can be written down."""
    path = _path(question, by)
    if path is None or watch.looks is None:
        return
    looks = [(how, name, seen) for (how, name), seen in watch.looks.items()]
    if any(c in part for look in looks for part in look for c in "\t\n"):
        return
    head = "\n".join([_key(question, by), *("\t".join(look) for look in looks)])
    try:
        said = b"%s\n\n%s" % (head.encode(), pickled(answer))
        if len(said) > LARGEST:
            return
        which = disk.digest(said)
        folder = os.path.dirname(path)
        os.makedirs(folder, mode=0o700, exist_ok=True)
        if os.name != "nt" and os.stat(folder).st_uid != disk.me():
            return  # its owner can put in the place of anything there what he likes
        beside = f"{path}.{os.getpid()}.{time.monotonic_ns()}.new"
        disk.write_kept(path, beside, b"%s\n%s" % (which.encode(), said))
        if int(which, 16) % SELDOM == 0:
            _make_room(folder)
    except (OSError, ValueError):  # a full disk, a folder that may not be written; a name that is no text
        return


def can_keep(watch: disk.Watch) -> bool:
    """Whether an answer that rests on these looks can be kept at all."""
    return watch.looks is not None and places.cache_folder() is not None


class _Reader(pickle.Unpickler):
    """Makes objects of the value classes of this package, and fractions; of nothing else."""

    def find_class(self, module: str, name: str) -> Any:
        exact = (module, name) == ("fractions", "Fraction")
        if exact or (module.partition(".")[0] == _OURS and "." not in name):
            found = getattr(import_module(module), name)
            if exact or (isinstance(found, type) and "__names__" in vars(found)):
                return found
        raise pickle.UnpicklingError(f"{module}.{name} is no value")


def pickled(answer: Any) -> bytes:
    """A value as bytes of pickle, protocol 5. Until it is done, Python's limit of recursion is at least `DEEPEST`.
    Raises what `pickle.dumps` raises, RecursionError among it.
    """
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(limit, DEEPEST))
    try:
        return pickle.dumps(answer, protocol=5)
    finally:
        sys.setrecursionlimit(limit)


def _holds(look: str) -> bool:
    how, path, seen = look.split("\t")
    return disk.as_before(how, path, seen)


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
    """The current folder and those of `UMPIRE_PATH`, for questions about names as seen from there."""
    try:
        folder = os.getcwd()
    except OSError:
        folder = ""
    return f"{folder}\n{os.environ.get('UMPIRE_PATH', '')}"


def code() -> str:
    """Which Umpire and which Python: a change of one character of either's files is another."""
    said = []
    for _, file in _files_of_code():
        try:
            about = file.stat()
        except OSError:  # gone since its folder was read
            continue
        said.append(f"{file.path} {about.st_mtime_ns} {about.st_size}")
    whole = [__version__, sys.version, *places.CODE, *sorted(said)]
    return disk.digest("\n".join(whole).encode("utf-8", "surrogateescape"))


@cache
def code_by_content() -> str:
    """The same by what the files hold, wherever they lie and whenever they were written: equal on two machines that
    give the same answers.
    """
    said = []
    for folder, file in _files_of_code():
        within = os.path.relpath(file.path, folder)
        if within.split(os.sep)[0] != "data" and not within.endswith(".pickle"):
            with open(file.path, "rb") as text:
                said.append(f"{within} {disk.digest(text.read())}")
    whole = [__version__, str(tuple(sys.version_info)), *sorted(said)]
    return disk.digest("\n".join(whole).encode("utf-8", "surrogateescape"))


def _files_of_code() -> Iterator[tuple[str, os.DirEntry[str]]]:
    """Every file that has a part in what Umpire answers, with the folder of `places.CODE` that it lies below; none of a
    folder that cannot be read.
    """
    for folder in places.CODE:
        left = [folder]
        while left:
            try:
                entries = list(os.scandir(left.pop()))
            except OSError:
                continue
            for entry in entries:
                if entry.name.endswith((".py", ".lark", ".json", ".pickle")):
                    yield folder, entry
                elif entry.is_dir() and not entry.name.startswith(("__", ".")) and entry.name not in _DATA:
                    left.append(entry.path)


_DATA = ("rules", "examples")  # what a check reads of them is among its looks
