"""Formats a file: indents, blanks, columns; words and comments stay the same.

Takes a source, and the path of the grammar. Gives the formatted text, and the problems of texts left unchanged since
they cannot be parsed. Every change is an edit of blanks; the result is parsed again and compared with the original.
Knows nothing of the meaning of names, nor of any game.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from interpreter.document.nodes import Mapping, Node, Scalar, Sequence
from interpreter.document.reader import read
from interpreter.language.equivalence import are_equivalent
from interpreter.layout.columns import alignment_edits, comment_edits
from interpreter.layout.lines import blank_edits, indentation_edits
from interpreter.layout.page import Page
from interpreter.layout.sentences import sentence_edits
from interpreter.layout.text_edits import Edit, apply_edits
from interpreter.source import Problem, Problems, Source
from interpreter.source.values import Struct


class FormattedFile(Struct):
    """`text` is the formatted file; `left` are the problems of texts that were left unchanged."""

    text: str
    left: tuple[Problem, ...] = ()


def format_source(source: Source, grammar: str) -> FormattedFile:
    """The formatted text of a file. A file that is not valid YAML is left unchanged."""
    problems = Problems()
    root = read(source, problems)
    # One blank before a comment (Y018) is a matter of layout. With any other problem of characters, the parsed text
    # differs from the source, so that the positions of edits would be uncertain.
    if root is None or any(p.code != "Y018" or p.fix is None or not p.fix.safe for p in problems):
        return FormattedFile(source.text, tuple(problems))
    start = Page(source, root)
    left = Problems()
    page = _step(start, sentence_edits(start, grammar, left))
    page = _step(page, indentation_edits(page))
    columns = [page.column(line.remark) for line in page.lines if line.remark < line.stop]
    page = _step(page, blank_edits(page))
    page = _step(page, alignment_edits(page))
    for _ in range(3):  # moving some comments may create a shared column
        page = _step(page, comment_edits(page, columns))
        columns = [page.column(line.remark) for line in page.lines if line.remark < line.stop]
    _same(start, page, grammar)
    return FormattedFile(page.text, tuple(left))


def _step(page: Page, edits: Iterable[Edit]) -> Page:
    text = apply_edits(page.text, edits)
    if text == page.text:
        return page
    source = Source(page.source.name, text)
    root = read(source, Problems())
    if root is None:
        raise RuntimeError(f"laying out {source.name} broke it")
    return Page(source, root)


def _same(before: Page, after: Page, grammar: str) -> None:
    """Verify that no content was lost. Raises RuntimeError, as a loss is a bug in Umpire."""
    if before.remarks() != after.remarks():
        raise RuntimeError(f"laying out {before.source.name} changed a remark")
    if not same_content(before.root, after.root, lambda a, b: are_equivalent(a, b, grammar)):
        raise RuntimeError(f"laying out {before.source.name} changed what it says")


def same_content(one: Node, two: Node, sentences: Callable[[str, str], bool]) -> bool:
    """Whether two trees have the same texts; `sentences` tells whether two texts differ only in blanks."""
    left = [(one, two)]
    while left:
        a, b = left.pop()
        if isinstance(a, Scalar) and isinstance(b, Scalar):
            if a.text != b.text and not sentences(a.text, b.text):
                return False
        elif isinstance(a, Sequence) and isinstance(b, Sequence) and len(a.items) == len(b.items):
            left += zip(a.items, b.items, strict=True)
        elif isinstance(a, Mapping) and isinstance(b, Mapping) and len(a.entries) == len(b.entries):
            left += [(x.key, y.key) for x, y in zip(a, b, strict=True)]
            left += [(x.value, y.value) for x, y in zip(a, b, strict=True)]
        else:
            return False
    return True
