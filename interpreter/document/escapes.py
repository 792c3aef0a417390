"""What an escape in a text in double quotes may not make: `"\\e"` is no better than the character itself.

Enters: the value of such a text, and where it stands.  Leaves: the value without them, and a problem for each, at the
escape.  Knows no game.
"""

from __future__ import annotations

import re

from interpreter.document.characters import DROPPED, ESCAPED
from interpreter.document.offsets import Piece, pieces
from interpreter.source import Fix, Problems, Span


def report_escapes(value: str, span: Span, problems: Problems) -> str:
    """The value, with a space for each of them."""
    raw = span.text
    odd = {found.start() for found in re.finditer(ESCAPED, value) if found[0] not in raw}
    if not odd:
        return value
    table = pieces(span, "double", value)
    for at in sorted(odd):
        piece = table[at] if len(table) == len(value) else Piece(value[at], span.start, span.end)
        code = "Y015" if re.match(DROPPED, value[at]) else "Y017"
        where = Span(span.source, piece.start, piece.stop)
        problems.add(code, where, fix=Fix(where, "", False, "take it out"), number=f"U+{ord(value[at]):04X}")
    return "".join(" " if at in odd else c for at, c in enumerate(value))
