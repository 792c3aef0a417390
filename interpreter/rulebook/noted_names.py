"""What a check reads and what the names in it turn out to mean, noted for those who ask: editors.

Enters: sentences as they are read, parts of paths as they are resolved. Leaves: `Noted`, while somebody listens
(`with noting()`); nothing is kept otherwise. Knows nothing of what is done with it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from interpreter.document.nodes import Scalar
from interpreter.language import nodes as n
from interpreter.source.values import Record, field

from . import typed as t


class Noted(Record):
    """`sentences` in the order of reading, each with the start symbol that it is read by, and None for a node where it
    cannot be read; `meanings` of parts of paths, some more than once: a rule is woven in at several places.
    """

    sentences: list[tuple[Scalar, str, n.Node | None]] = field(default_factory=list)
    meanings: list[tuple[Scalar, n.Part, t.Expr]] = field(default_factory=list)


_listening: Noted | None = None


@contextmanager
def noting() -> Iterator[Noted]:
    """Within the context, whatever a check reads is noted; one listener at a time."""
    global _listening
    before, _listening = _listening, Noted()
    try:
        yield _listening
    finally:
        _listening = before


def sentence(scalar: Scalar, start: str, node: n.Node | None) -> None:
    if _listening is not None:
        _listening.sentences.append((scalar, start, node))


def meaning(at: Scalar, part: n.Part, found: t.Expr) -> t.Expr:
    """Notes what a part of a path means, and gives that back."""
    if _listening is not None and found.type.name != "any":
        _listening.meanings.append((at, part, found))
    return found
