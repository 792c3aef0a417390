"""`umpire fmt`: the formatted text of files, and the problems of texts that could not be parsed.

Takes paths of files and folders, or a text. Gives a `Formatting` for each; only `write_formatted` writes. A folder
stands for the rule files, situations and files of examples below it, and no other YAML.
"""

from __future__ import annotations

from itertools import zip_longest

from interpreter.document.file_io import decode, read_file, write_file
from interpreter.layout import format_source
from interpreter.places import LANGUAGE
from interpreter.source import Problems, Source
from interpreter.source.values import Struct


class Formatting(Struct):
    """The text of a file `before` and `after` formatting. They are equal if it is formatted already or cannot be
    parsed.
    """

    path: str
    before: str
    after: str

    @property
    def changed(self) -> bool:
        return self.before != self.after

    @property
    def row(self) -> int:
        """The first line that formatting changes."""
        lines = zip_longest(self.before.splitlines(), self.after.splitlines())
        return next((row for row, (was, now) in enumerate(lines, 1) if was != now), 1)


def format_file(path: str, problems: Problems) -> Formatting | None:
    """The form of a file; None if it cannot be read."""
    source = read_file(path, problems)
    return _form(source, problems) if source is not None else None


def format_text(name: str, content: bytes, problems: Problems) -> Formatting | None:
    """The form of a text that is not in a file."""
    source = decode(name, content, problems)
    return _form(source, problems) if source is not None else None


def _form(source: Source, problems: Problems) -> Formatting:
    laid = format_source(source, LANGUAGE)
    problems.extend(laid.left)
    return Formatting(source.name, source.text, laid.text)


def write_formatted(form: Formatting, problems: Problems) -> bool:
    """Write the formatted text to the file. False with a problem, also if the file has changed since it was read."""
    return write_file(form.path, form.after, problems, was=form.before)
