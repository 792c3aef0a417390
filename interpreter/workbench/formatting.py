"""`umpire fmt`: paths in; the text that each file should have out, and what in it could not be read.

Enters: paths of files and folders, or a text. Leaves: `Form`s; nothing is written before `write_form` is asked to. A
folder gives the rule files, situations and files of examples below it, and nothing else that is YAML.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from interpreter.document.file_io import decode, read_file, write_file
from interpreter.document.nodes import Mapping
from interpreter.document.reader import read
from interpreter.layout import laid_out
from interpreter.places import LANGUAGE
from interpreter.source import Problems, Source
from interpreter.source.values import Struct

# One of these stands at the left edge of every file that is ours.
_OURS = ("game", "rules", "force", "do", "clauses", "slips")


class Form(Struct):
    """A file that says `before` and should say `after`; they are equal where all is well, or nothing could be read."""

    path: str
    before: str
    after: str

    @property
    def changed(self) -> bool:
        return self.before != self.after


def form_file(path: str, problems: Problems) -> Form | None:
    """How a file should look. None where there is no text at all."""
    source = read_file(path, problems)
    return _form(source, problems) if source is not None else None


def form_text(name: str, content: bytes, problems: Problems) -> Form | None:
    """How a text that stands in no file should look."""
    source = decode(name, content, problems)
    return _form(source, problems) if source is not None else None


def _form(source: Source, problems: Problems) -> Form:
    laid = laid_out(source, LANGUAGE)
    problems.extend(laid.left)
    return Form(source.name, source.text, laid.text)


def write_form(form: Form, problems: Problems) -> bool:
    return write_file(form.path, form.after, problems, was=form.before)


def files_below(paths: Iterable[str]) -> Iterator[str]:
    """The paths of files as they are; for a folder, the files of rules and games in and below it, by name."""
    for path in paths:
        if not os.path.isdir(path):
            yield path
            continue
        for folder, below, names in os.walk(path):
            below[:] = sorted(name for name in below if not name.startswith("."))
            for name in sorted(names):
                file = Path(folder, name)
                if file.suffix in (".yaml", ".yml") and not name.startswith(".") and _is_ours(file):
                    yield os.fspath(file)


def _is_ours(path: Path) -> bool:
    source = read_file(path, Problems())
    if source is None or not any(f"{key}:" in source.text for key in _OURS):
        return False
    root = read(source, Problems())
    # A file that YAML cannot read is told of, if it looks like one of ours.
    if not isinstance(root, Mapping):
        return any(source.text.startswith(f"{key}:") or f"\n{key}:" in source.text for key in _OURS[:2])
    return any(root.get(key) is not None for key in _OURS)
