"""A text to a file of the user: whole or not at all.

Enters: a path, the text that is to stand there, and the text that was read from it.  Leaves: True and the new file, or
False, a problem that says why, and the file as it was.  Never half a file; an exception from `put_file` alone.  Must
not know what the text says or why it changed.
"""

from __future__ import annotations

import errno
import os
import stat
from contextlib import suppress
from pathlib import Path

from interpreter.source import Problems


def write_file(path: str | os.PathLike[str], text: str, problems: Problems, *, was: str | None = None) -> bool:
    """Put `text`, as UTF-8 with its own line ends and mark of order, in the place of the file at `path`.

    `was` is the text that was read from there: a file that holds anything else by now stays as it is (`Y056`), and
    so does one that is not writable (`Y055`). Without `was` the file must be new (`Y057`). The name and the rights of
    the file stay, also behind a link. True when the file is there.
    """
    name = os.fspath(path)
    try:
        target = Path(os.path.realpath(name))
        mode = _mode_of(target, was)
        if was is None and os.path.lexists(name):
            problems.add("Y057", None, file=name)
            return False
        if was is not None and target.read_bytes() != was.encode("utf-8"):
            problems.add("Y056", None, file=name)
            return False
        _replace(target, text.encode("utf-8"), mode, new=was is None)
    except FileExistsError:  # it came to be in between
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


def put_file(path: str | os.PathLike[str], text: str) -> None:
    """Put `text` into a file that somebody named to be written, over one that is there: whole, or all stays as it was.

    Into what is no ordinary file (a pipe, a device) it is written as it comes. Raises OSError where it cannot be.
    """
    target = Path(os.path.realpath(path))
    try:
        like = os.stat(target)
    except FileNotFoundError:
        like = None
    if like is not None and not stat.S_ISREG(like.st_mode):
        with open(target, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
        return
    if like is not None and not os.access(target, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), os.fspath(path))
    _replace(target, text.encode("utf-8"), like, new=False)


def _mode_of(target: Path, was: str | None) -> os.stat_result | None:
    """Who may do what with the file that is there; an error where nobody may write it.

    A folder that may be written would let us replace a file that may not: its owner said no, and is heard.
    """
    if was is None:
        return None
    found = os.stat(target)
    if not stat.S_ISREG(found.st_mode):
        raise OSError(None, "it is not an ordinary file")
    if not found.st_mode & 0o222 or not os.access(target, os.W_OK):
        raise OSError(None, "it may only be read")
    return found


def _replace(target: Path, content: bytes, like: os.stat_result | None, *, new: bool) -> None:
    """Write beside the target, then take its place in one step."""
    import tempfile  # here, because who only reads needs none

    handle, beside = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.", suffix=".umpire")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        if like is not None:
            with suppress(OSError, AttributeError):  # an owner can be kept by root only, and not everywhere
                os.chown(beside, like.st_uid, like.st_gid)
            os.chmod(beside, stat.S_IMODE(like.st_mode))
        else:
            os.chmod(beside, 0o666 & ~_umask())
        if new:
            os.link(beside, target)  # unlike a replacement, never over a file that is there
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
