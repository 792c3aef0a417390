"""`umpire fmt`: the formatted text of files, and what in them could not be parsed.

Enters: paths of files and folders, or a text. Leaves: `Form`s; nothing is written before `write_form` is called. A
folder gives the rule files, situations and files of examples below it, and no other YAML.
"""

from __future__ import annotations

from itertools import zip_longest

from interpreter.document.file_io import decode, read_file, write_file
from interpreter.layout import laid_out
from interpreter.places import LANGUAGE
from interpreter.source import Problems, Source
from interpreter.source.values import Struct


class Form(Struct):
    """The text of a file `before` and `after` formatting; they are equal if it is well-formed, or could not be
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
        """The first line that is laid out otherwise."""
        lines = zip_longest(self.before.splitlines(), self.after.splitlines())
        return next((row for row, (was, now) in enumerate(lines, 1) if was != now), 1)


def form_file(path: str, problems: Problems) -> Form | None:
    """The form of a file; None if it cannot be read."""
    source = read_file(path, problems)
    return _form(source, problems) if source is not None else None


def form_text(name: str, content: bytes, problems: Problems) -> Form | None:
    """The form of a text that is not in a file."""
    source = decode(name, content, problems)
    return _form(source, problems) if source is not None else None


def _form(source: Source, problems: Problems) -> Form:
    laid = laid_out(source, LANGUAGE)
    problems.extend(laid.left)
    return Form(source.name, source.text, laid.text)


def write_form(form: Form, problems: Problems) -> bool:
    """Write the laid-out text in place of the file; False with a problem, also where the file has changed since."""
    return write_file(form.path, form.after, problems, was=form.before)
