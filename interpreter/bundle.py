"""Umpire's own modules, as Python compiled them, in one file: an answer needs more than a hundred of them, and to find,
open and read so many takes Python longer than to run them. (PyInstaller's archive does the same.)

Enters: nothing. Leaves: after `begin`, imports that come from the bundle where it holds them. It lies with Python's own
compiled files, in place of that of bundled.py, and goes by their rules: written where Python writes those, with the
rights of the source, read as long as no file of Umpire has changed (`kept.code`). What it lacks, Python imports as
ever, and the bundle holds it the next time. Knows no module.

A file holds which Umpire it is of, the length of its table, the table (by name: the module's file, its compiled file,
whether it is a package, where its code lies), the codes.
"""

from __future__ import annotations

import atexit
import marshal
import os
import sys

from . import disk, kept

TYPE_CHECKING = False
if TYPE_CHECKING:
    from importlib.machinery import ModuleSpec, SourceFileLoader

    from interpreter.hints import Any

    Told = tuple[str, str, bool, int, int]
else:  # as this module was imported by them: to import `importlib` takes as long as to read all that it holds
    ModuleSpec, SourceFileLoader = type(__spec__), type(__loader__)

_OURS = __name__.partition(".")[0]
_HEAD = 60  # letters: 40 of which Umpire it is, the others of a number
_DAMAGED = (EOFError, ValueError, TypeError, AttributeError, IndexError, OverflowError, MemoryError)
_begun: list[_Bundle] = []


class _Bundle:
    """Finds modules; stands before all other finders."""

    def __init__(self, of: str, file: int = -1) -> None:
        self.of, self.file, self.begin = of, file, 0
        self.table: dict[str, Told] = {}
        head = os.pread(file, _HEAD, 0).decode("ascii") if file >= 0 else ""
        if head.startswith(of):
            size = int(head[len(of) :])
            table = marshal.loads(os.pread(file, size, _HEAD))
            if os.fstat(file).st_size == _HEAD + size + sum(told[4] for told in table.values()):
                self.table, self.begin = table, _HEAD + size

    def code(self, at: int, size: int) -> bytes:
        """One at a time: memory that nothing lay in yet costs more than to ask the disk for each."""
        return os.pread(self.file, size, self.begin + at)

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        told = self.table.get(name)
        if told is None:
            return None
        file, compiled, package, _, _ = told
        spec = _Spec(name, _Loader(name, file, self), origin=file)
        spec.has_location, spec.cached = True, compiled
        spec.parent = name if package else name.rpartition(".")[0]
        if package:
            spec.submodule_search_locations = [os.path.dirname(file)]
        return spec

    def lacking(self) -> list[str]:
        """What was imported and does not lie here."""
        return [n for n in list(sys.modules) if f"{n}.".startswith(f"{_OURS}.") and n not in self.table]

    def with_more(self, names: list[str]) -> bytes:
        """The bytes of one that holds these modules too."""
        codes = {name: self.code(*told[3:]) for name, told in self.table.items()}
        files = {name: told[:3] for name, told in self.table.items()}
        for name in names:
            spec = sys.modules[name].__spec__
            if spec is not None and isinstance(spec.loader, SourceFileLoader) and spec.origin and spec.cached:
                files[name] = spec.origin, spec.cached, spec.submodule_search_locations is not None
                codes[name] = marshal.dumps(spec.loader.get_code(name))
        at = 0
        table: dict[str, Told] = {}
        for name, code in codes.items():
            table[name] = (*files[name], at, len(code))
            at += len(code)
        said = marshal.dumps(table)
        head = self.of + str(len(said)).rjust(_HEAD - len(self.of))
        return b"".join([head.encode("ascii"), said, *codes.values()])


class _Spec(ModuleSpec):
    """Its parent is told, for every relative import asks for it."""

    parent = ""


class _Loader(SourceFileLoader):
    """As Python's own, but for where the code comes from."""

    def __init__(self, name: str, path: str, bundle: _Bundle) -> None:
        super().__init__(name, path)
        self._bundle = bundle

    def get_code(self, fullname: str) -> Any:
        told = self._bundle.table.get(fullname)
        if told is not None:
            try:
                return marshal.loads(self._bundle.code(*told[3:]))
            except _DAMAGED:
                del self._bundle.table[fullname]  # so it is written anew
        return super().get_code(fullname)


def begin() -> None:
    """Import from the bundle from here on; where a file cannot be read in several places at once, as ever."""
    path = _path()
    if path is None or _begun or not hasattr(os, "pread"):
        return
    of = _of(kept.code_now())
    try:
        bundle = _Bundle(of, disk.open_kept(path, (disk.me(), os.stat(__file__).st_uid)))
    except (OSError, *_DAMAGED):  # there is none yet, or it was damaged
        bundle = _Bundle(of)
    _begun.append(bundle)
    sys.meta_path.insert(0, bundle)
    atexit.register(_end)


def _end() -> None:
    """Write what it lacked, where Python writes such files, if all is as it was when this process began."""
    path, bundle = _path(), _begun[0]
    missing = bundle.lacking()
    if path is None or not missing or sys.dont_write_bytecode or _of(kept.code()) != bundle.of:
        return
    own = f"{path}.{os.getpid()}"
    try:
        whole = bundle.with_more(missing)
        rights = (os.stat(__file__).st_mode | 0o200) & 0o666
        disk.write_kept(path, own, whole, rights)
    except (OSError, ImportError, SyntaxError, KeyboardInterrupt):  # a folder of somebody else, a file that was changed
        return


def _of(code: str) -> str:
    """Which Umpire, and as seen from where: the same files may be reached by several paths, and modules tell theirs."""
    return disk.digest(f"{code}\n{__file__}".encode("utf-8", "surrogateescape"))


def _path() -> str | None:
    compiled: str | None = globals().get("__cached__")
    if compiled is None or compiled == __file__:  # it is kept nowhere, or there is no source that it is of
        return None
    folder, name = os.path.split(compiled)
    return os.path.join(folder, "bundled" + name.removeprefix("bundle"))
