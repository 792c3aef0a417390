"""What an escape in a text in double quotes may not make: `"\\e"` is no better than the character itself.

Enters: the value of such a text, and where it stands.  Leaves: the value without them, and a problem, at the
escape.  Knows no game.
"""

from __future__ import annotations

import re

from interpreter.document.characters import DROPPED, ESCAPED
from interpreter.document.nodes import Piece
from interpreter.document.offsets import pieces
from interpreter.source import Fix, Problems, Span


def report_escapes(value: str, span: Span, problems: Problems) -> str:
    """The value, with a space for each of them; the first is told."""
    raw = set(re.findall(ESCAPED, span.text))  # these are told where the file's characters are
    odd = {found.start() for found in re.finditer(ESCAPED, value) if found[0] not in raw}
    if not odd:
        return value
    at = min(odd)
    table = pieces(span, "double", value)
    piece = table[at] if len(table) == len(value) else Piece(value[at], span.start, span.end)
    where = Span(span.source, piece.start, piece.stop)
    code = "Y015" if re.match(DROPPED, value[at]) else "Y017"
    problems.add(code, where, fix=Fix(where, "", False, "take it out"), number=f"U+{ord(value[at]):04X}")
    return "".join(" " if at in odd else c for at, c in enumerate(value))
