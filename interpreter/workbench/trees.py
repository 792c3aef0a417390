"""Reads the trees of files. The YAML reader is imported lazily: a rule set from the cache does not need it.

Takes a path, or a name and a text. Gives the tree, or None with problems. Knows nothing of rules.
"""

from __future__ import annotations

import os

from interpreter.document.nodes import Mapping
from interpreter.source import Problems, Source

_clean: dict[Source, tuple[Mapping, Problems]] = {}  # a cache: files are read several times, for different ends


def read_tree(path: str | os.PathLike[str], problems: Problems) -> Mapping | None:
    """The tree of a file. A text without mistakes is parsed once and cached."""
    from interpreter.document.file_io import read_file

    source = read_file(path, problems)
    if source is None:
        return None
    if source not in _clean:
        own = Problems()
        new = _read(source, own)
        if new is None or not own.only_allows:
            return _read(source, problems)
        while len(_clean) >= 32:
            del _clean[next(iter(_clean))]
        _clean[source] = new, own
    root, own = _clean[source]
    problems.allow_as(own)
    return root


def read_text(name: str, text: str, problems: Problems) -> Mapping | None:
    """The tree of a text; `name` replaces the file name in problems."""
    return _read(Source(name, text), problems)


def _read(source: Source, problems: Problems) -> Mapping | None:
    from interpreter.document.reader import read

    return read(source, problems)
