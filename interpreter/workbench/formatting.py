"""`umpire fmt`: paths in; the text that each file should have out, and what in it could not be read.

Enters: paths of files and folders, or a text. Leaves: `Form`s; nothing is written before `write_form` is asked to. A
folder gives the rule files, situations and files of examples below it, and nothing else that is YAML.
"""

from __future__ import annotations

from interpreter.document.file_io import decode, read_file, write_file
from interpreter.layout import laid_out
from interpreter.places import LANGUAGE
from interpreter.source import Problems, Source
from interpreter.source.values import Struct


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
