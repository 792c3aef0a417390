"""A path to a source.

Enters: a path.  Leaves: the text of the file, decoded strictly as UTF-8, or a problem that says why
there is none.  Never an exception.  Must not know what a file is for.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar

from interpreter import disk
from interpreter.source import Problems, Source, Span, nearest

LARGEST = 4 * 1024 * 1024  # bytes of a file

_INSTEAD: ContextVar[Mapping[str, str] | None] = ContextVar("texts that are not in their files yet", default=None)

_OTHER_ENCODINGS = {b"\xff\xfe": "UTF-16", b"\xfe\xff": "UTF-16"}


@contextmanager
def as_if(texts: Mapping[str, str]) -> Iterator[None]:
    """Inside, a file that `texts` (by its path) has something for is read as if that were written in it."""
    token = _INSTEAD.set({os.path.realpath(path): text for path, text in texts.items()})
    try:
        yield
    finally:
        _INSTEAD.reset(token)


def read_file(path: str | os.PathLike[str], problems: Problems) -> Source | None:
    """The source named by `path` as it was given."""
    name = os.fspath(path)
    instead = _INSTEAD.get()
    if instead and (text := instead.get(os.path.realpath(name))) is not None:
        disk.unsure()  # what is found out now is not about the file
        return Source(name, text)
    try:
        kind = disk.kind(name)
        if kind in ("folder", "other"):  # which might be a pipe that never ends
            problems.add("Y051", None, file=name, what="a folder" if kind == "folder" else "a device")
            return None
        content = disk.content(name, LARGEST + 1)
    except (FileNotFoundError, NotADirectoryError):
        problems.add("Y050", None, hint=_neighbours(name), file=name)
        return None
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        problems.add("Y052", None, file=name, reason=reason.lower())
        return None
    return decode(name, content, problems)


def decode(name: str, content: bytes, problems: Problems) -> Source | None:
    """The bytes of a file as a source."""
    if len(content) > LARGEST:
        problems.add("Y044", Span(Source(name, ""), 0, 0), most=f"{LARGEST // 1024 // 1024} MiB")
        return None
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError as error:
        other = _OTHER_ENCODINGS.get(content[:2])
        hint = f"it looks like {other}: " if other else ""
        # What could be read up to there still gives the place that an editor shows.
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


def _neighbours(name: str) -> str | None:
    """Files beside a missing one with nearly its name."""
    folder, own = os.path.split(name)
    close = nearest(own, disk.names(folder or "."))
    return f"did you mean {' or '.join(os.path.join(folder, found) for found in close)}?" if close else None
