"""Reads and writes the files of a user.

`read_file` takes a path and returns a `Source`, decoded strictly as UTF-8, or adds a problem; `write_file` replaces a
file atomically or adds a problem. Neither raises; only `put_file` does. This module does not know what a file is for.
"""

from __future__ import annotations

import errno
import os
import stat
from contextlib import suppress

from interpreter import disk
from interpreter.source import Problems, Source, Span, nearest

LARGEST = 4 * 1024 * 1024  # bytes of a file

_OTHER_ENCODINGS = {b"\xff\xfe": "UTF-16", b"\xfe\xff": "UTF-16"}


def read_file(path: str | os.PathLike[str], problems: Problems) -> Source | None:
    """Return the file at `path` as a source of that name; None, with a problem added, if it cannot be read."""
    name = os.fspath(path)
    if (text := disk.overlaid(name)) is not None:
        return Source(name, text)
    try:
        kind = disk.kind(name)
        if kind in ("folder", "other"):  # which might be a pipe that never ends
            problems.add("Y051", None, file=name, what="a folder" if kind == "folder" else "a device")
            return None
        content = disk.content(name, LARGEST + 1)
    except (FileNotFoundError, NotADirectoryError):
        problems.add("Y050", None, hint=_suggest_files(name), file=name)
        return None
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        problems.add("Y052", None, file=name, reason=reason.lower())
        return None
    return decode(name, content, problems)


def decode(name: str, content: bytes, problems: Problems) -> Source | None:
    """Decode the bytes of a file; return None, with a problem added, if there are too many or they are not UTF-8."""
    if len(content) > LARGEST:
        problems.add("Y044", Span(Source(name, ""), 0, 0), most=f"{LARGEST // 1024 // 1024} MiB")
        return None
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError as error:
        other = _OTHER_ENCODINGS.get(content[:2])
        hint = f"it looks like {other}: " if other else ""
        # The text before the invalid byte gives the line and column that an editor shows.
        readable = Source(name, content[: error.start].decode("utf-8", "replace"))
        end = len(readable.text)
        line, column = readable.place(end)
        problems.add(
            "Y053",
            Span(readable, end, end),
            hint=hint + "save it with the encoding UTF-8",
            file=name,
            byte=error.start,
            line=line,
            column=column,
        )
        return None
    if "\0" in text:
        at = text.index("\0")
        problems.add("Y054", Span(Source(name, text), at, at + 1), file=name, byte=content.index(b"\0"))
        return None
    return Source(name, text)


def _suggest_files(name: str) -> str | None:
    """Return a hint with similar names of files in the same folder; None if there are none."""
    folder, own = os.path.split(name)
    close = nearest(own, disk.names(folder or "."))
    return f"did you mean {' or '.join(os.path.join(folder, found) for found in close)}?" if close else None


# ---- writing
def write_file(path: str | os.PathLike[str], text: str, problems: Problems, *, was: str | None = None) -> bool:
    """Replace the file at `path` by `text` in UTF-8, without changing line ends or a byte order mark.

    `was` is the text that was read from there: a file that has changed since is left alone (`Y056`), and so is one that
    is not writable (`Y055`). Without `was` the file must be new (`Y057`). Name and permissions of the file are kept,
    also behind a link. Return True if the file was written.
    """
    name = os.fspath(path)
    try:
        target = os.path.realpath(name)
        mode = _mode_of(target, was)
        if was is None and os.path.lexists(name):
            problems.add("Y057", None, file=name)
            return False
        if was is not None and _content(target) != was.encode("utf-8"):
            problems.add("Y056", None, file=name)
            return False
        _replace(target, text.encode("utf-8"), mode, new=was is None)
    except FileExistsError:  # it was created in between
        problems.add("Y057", None, file=name)
        return False
    except FileNotFoundError:
        if was is None:
            problems.add("Y055", None, file=name, reason="there is no such folder")
        else:
            problems.add("Y056", None, file=name)
        return False
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        problems.add("Y055", None, file=name, reason=reason.lower())
        return False
    return True


def put_file(path: str | os.PathLike[str], text: str | bytes) -> None:
    """Write a text, in UTF-8, or bytes to a file atomically, replacing an existing one.

    Anything but a regular file (a pipe, a device) is written to directly. Raises OSError if it cannot be written.
    """
    target = os.path.realpath(path)
    content = text.encode("utf-8") if isinstance(text, str) else text
    try:
        like = os.stat(target)
    except FileNotFoundError:
        like = None
    if like is not None and not stat.S_ISREG(like.st_mode):
        with open(target, "wb") as file:
            file.write(content)
        return
    if like is not None and not os.access(target, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), os.fspath(path))
    _replace(target, content, like, new=False)


def _content(target: str) -> bytes:
    with open(target, "rb") as file:
        return file.read()


def _mode_of(target: str, was: str | None) -> os.stat_result | None:
    """Return owner and permissions of the file to replace; None for a new file. Raises OSError if it is read-only.

    In a writable folder even a read-only file could be replaced; its permissions are respected.
    """
    if was is None:
        return None
    found = os.stat(target)
    if not stat.S_ISREG(found.st_mode):
        raise OSError(None, "it is not an ordinary file")
    if not found.st_mode & 0o222 or not os.access(target, os.W_OK):
        raise OSError(None, "it may only be read")
    return found


def _replace(target: str, content: bytes, like: os.stat_result | None, *, new: bool) -> None:
    """Write a temporary file beside the target, then replace the target atomically."""
    import tempfile  # imported here, because most commands only read

    folder, name = os.path.split(target)
    handle, beside = tempfile.mkstemp(dir=folder, prefix=f".{name}.", suffix=".umpire")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        if like is not None:
            with suppress(OSError, AttributeError):  # only root may set an owner, and not on every system
                os.chown(beside, like.st_uid, like.st_gid)
            os.chmod(beside, stat.S_IMODE(like.st_mode))
        else:
            os.chmod(beside, 0o666 & ~_umask())
        if new:
            os.link(beside, target)  # unlike `os.replace`, fails if the file exists
        else:
            os.replace(beside, target)
            return
    except BaseException:
        _remove(beside)
        raise
    _remove(beside)


def _remove(path: str) -> None:
    with suppress(OSError):
        os.unlink(path)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
