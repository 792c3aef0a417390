"""The cache: results in the user's cache folder, each stored with the disk accesses that it depends on.

A cache entry is found by a question (a tuple of strings). It is valid while every recorded disk access gives the same
result and neither Umpire's code nor the Python version has changed; otherwise `load` returns None. Results are plain
values and value objects of this package. A damaged entry, or one of another owner, counts as missing, and disk errors
are ignored. The cache never lies inside a repository. This module does not know what the results mean.

The format of a file: a checksum of what follows, the question, the disk accesses (kind, path, result), an empty line,
the pickled result. A part of it may be pickled by itself (`apart`), and is unpickled when it is needed. The unpickler
only creates our own value classes (`_Reader`), so that a forged file cannot run code.
"""

from __future__ import annotations

import io
import os
import pickle
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from importlib import import_module
from typing import Any, TypeVar

from . import __version__, disk, places

T = TypeVar("T")

FORM = "umpire-cache-1"
MOST = 512  # entries
LARGEST = 16 * 1024 * 1024  # bytes of one entry
ALL = 4 * LARGEST  # bytes of all entries
SELDOM = 16  # one in so many writes evicts old entries: scanning the folder takes longer than writing one
DEEPEST = 20_000  # the recursion limit while pickling: a book is a deep tree
_END = ".cache"
_OURS = __name__.partition(".")[0]
_DAMAGED = (
    *(OSError, ValueError, pickle.UnpicklingError, EOFError, AttributeError, ImportError, IndexError),
    *(KeyError, TypeError, MemoryError, RecursionError),
)
# If their files change, they may parse a text differently.
_LIBRARIES = ("yaml", "jsonschema")
_anew: list[bool] = []


def without_cache(do: Callable[[], T]) -> T:
    """Call `do` with `load` disabled and return its result."""
    _anew.append(True)
    try:
        return do()
    finally:
        _anew.pop()


def stamp_libraries() -> None:
    """Record the libraries that were imported, so that an upgrade invalidates the entry."""
    for library in _LIBRARIES:
        if file := getattr(sys.modules.get(library), "__file__", None):
            disk.stamp(file)


def load(question: tuple[str, ...], by: str | None = None) -> Any:
    """Return the cached result, or None. `by` identifies the code that computed it, by default all of Umpire's code."""
    path = _path(question, by) if by is not None or not _anew else None
    if path is None:
        return None
    try:
        with open(disk.open_cache_file(path, (disk.user_id(),)), "rb") as file:
            data = file.read(2 * LARGEST)
        own, end = data.index(b"\n"), data.index(b"\n\n")
        if data[:own] != disk.checksum(memoryview(data)[own + 1 :]).encode():
            return None
        asked, *accesses = data[own + 1 : end].decode().split("\n")
        if asked != _key(question, by) or not all(_holds(access) for access in accesses):
            return None
        reader = _Reader(memoryview(data)[end + 2 :])
        answer, reader.common = reader.load()
        return answer
    except _DAMAGED:
        return None


def store(question: tuple[str, ...], tracker: disk.InputTracker, answer: Any, by: str | None = None) -> None:
    """Store a result, unless one of the recorded disk accesses cannot be written down."""
    path = _path(question, by)
    if path is None or tracker.accesses is None:
        return
    accesses = [(how, name, seen) for (how, name), seen in tracker.accesses.items()]
    if any(c in part for access in accesses for part in access for c in "\t\n"):
        return
    head = "\n".join([_key(question, by), *("\t".join(access) for access in accesses)])
    try:
        entry = b"%s\n\n%s" % (head.encode(), _pickled_in_parts(answer))
        if len(entry) > LARGEST:
            return
        checksum = disk.checksum(entry)
        folder = os.path.dirname(path)
        os.makedirs(folder, mode=0o700, exist_ok=True)
        if os.name != "nt" and os.stat(folder).st_uid != disk.user_id():
            return  # the owner of the folder could replace any file in it
        beside = f"{path}.{os.getpid()}.{time.monotonic_ns()}.new"
        disk.write_cache_file(path, beside, b"%s\n%s" % (checksum.encode(), entry))
        if int(checksum, 16) % SELDOM == 0:
            _make_room(folder)
    except (OSError, ValueError):  # disk full, folder not writable; a question that cannot be encoded
        return


def can_store(tracker: disk.InputTracker) -> bool:
    """Return whether a result that depends on these disk accesses can be stored."""
    return tracker.accesses is not None and places.cache_folder() is not None


class Apart:
    """A part of a result that is pickled by itself, and unpickled only when it is asked for (`get`)."""

    __slots__ = ("get",)

    def __init__(self, get: Callable[[], Any]) -> None:
        self.get = get


def apart(value: Any) -> Apart:
    """Return a value as a part by itself."""
    return Apart(lambda: value)


class _Reader(pickle.Unpickler):
    """Unpickles value classes of this package and `Fraction`, and rejects everything else. `common` are the objects
    that the parts of a result refer to by number.
    """

    def __init__(self, data: bytes | memoryview, common: list[Any] | None = None) -> None:
        super().__init__(io.BytesIO(data))
        self.common = common or []

    def persistent_load(self, known: Any) -> Any:
        if isinstance(known, int):
            return self.common[known]
        return Apart(lambda: _Reader(known, self.common).load())

    def find_class(self, module: str, name: str) -> Any:
        return _value_class(module, name)


@cache
def _value_class(module: str, name: str) -> Any:
    exact = (module, name) == ("fractions", "Fraction")
    if exact or (module.partition(".")[0] == _OURS and "." not in name):
        found = getattr(import_module(module), name)
        if exact or (isinstance(found, type) and "__names__" in vars(found)):
            return found
    raise pickle.UnpicklingError(f"{module}.{name} is no value")


class _Writer(pickle.Pickler):
    """Pickles an object; `persistent_id` gives what is written in place of one inside it, or None."""

    def __init__(self, file: io.BytesIO, persistent_id: Callable[[Any], Any]) -> None:
        self.persistent_id = persistent_id  # type: ignore[method-assign]
        super().__init__(file, protocol=5)


def _pickled_in_parts(answer: Any) -> bytes:
    """Return a result pickled, and with it a list of the objects that occur in several parts, or outside them."""
    common = _objects(answer, {})
    parts = [one for one in common.values() if isinstance(one, Apart)]
    met: dict[int, Any] = {}
    for part in parts:
        own = _objects(part.get(), common)
        common |= {key: own[key] for key in own.keys() & met.keys()}
        met |= own
    numbers: dict[int, int] = {}

    def number(one: Any) -> int | None:
        return numbers.setdefault(id(one), len(numbers)) if id(one) in common else None

    written = {id(part): pickled(part.get(), number) for part in parts}
    return pickled((answer, [common[key] for key in numbers]), lambda one: written.get(id(one)))


def _objects(value: Any, without: Mapping[int, Any]) -> dict[int, Any]:
    """Return the collections, value objects and parts in a value, by identity; not those of `without`."""
    found: dict[int, Any] = {}
    left = [value]
    while left:
        one = left.pop()
        kind, key = type(one), id(one)
        if kind is str or kind is int or one is None or key in found or key in without:
            continue
        if (kind is tuple and one) or kind is list or kind is set or kind is frozenset:
            left += one
        elif kind is dict:
            left += one
            left += one.values()
        elif hasattr(kind, "__names__"):
            left += [getattr(one, name) for name in kind.__names__]
        elif kind is not Apart:
            continue
        found[key] = one
    return found


def pickled(answer: Any, known: Callable[[Any], Any] = lambda _: None) -> bytes:
    """Return a value pickled with protocol 5. The recursion limit is raised to `DEEPEST` meanwhile.

    Raises what `pickle.dumps` raises, including RecursionError.
    """
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(limit, DEEPEST))
    try:
        file = io.BytesIO()
        _Writer(file, known).dump(answer)
        return file.getvalue()
    finally:
        sys.setrecursionlimit(limit)


def _holds(access: str) -> bool:
    how, path, seen = access.split("\t")
    return disk.is_unchanged(how, path, seen)


def _make_room(folder: str) -> None:
    """Delete the oldest entries until number and total size are within the limits."""
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
        return  # another process was faster


def _path(question: tuple[str, ...], by: str | None) -> str | None:
    folder = places.cache_folder()
    try:
        return os.path.join(folder, disk.checksum(_key(question, by).encode()) + _END) if folder else None
    except ValueError:  # a surrogate in the question
        return None


_codes: list[str] = []


def _key(question: tuple[str, ...], by: str | None) -> str:
    """The cache key: the question together with a fingerprint of the code that computes the result."""
    return repr((FORM, by if by is not None else fingerprint_at_start(), *question))


def fingerprint_at_start() -> str:
    """The fingerprint `code_fingerprint()` as of the start of this process."""
    if not _codes:
        _codes.append(code_fingerprint())
    return _codes[0]


def search_context() -> str:
    """The current folder and `UMPIRE_PATH`: the part of a question on which the meaning of a relative name depends."""
    try:
        folder = os.getcwd()
    except OSError:
        folder = ""
    return f"{folder}\n{os.environ.get('UMPIRE_PATH', '')}"


def code_fingerprint() -> str:
    """A fingerprint of Umpire's files (path, time of change, size) and of the Python version."""
    stamps = []
    for _, file in files_of_code():
        try:
            about = file.stat()
        except OSError:  # deleted since the folder was read
            continue
        stamps.append(f"{file.path} {about.st_mtime_ns} {about.st_size}")
    parts = [__version__, sys.version, *places.CODE, *sorted(stamps)]
    return disk.checksum("\n".join(parts).encode("utf-8", "surrogateescape"))


def files_of_code() -> Iterator[tuple[str, os.DirEntry[str]]]:
    """Every file that affects Umpire's results, with the folder of `places.CODE` that contains it. Folders that cannot
    be read are skipped.
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


_DATA = ("rules", "examples")  # a check records which of these it reads
