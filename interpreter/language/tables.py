"""The parser's tables: built from the grammar once a machine, then read back from the user's own cache.

Enters: the grammar's path. Leaves: a Lark parser. The cache is named by the grammar's text and the versions
of Lark and Python; without a writable cache, or with a broken one, the tables are built anew. Knows nothing
of sentences.
"""

from __future__ import annotations

import os
import sys
from hashlib import sha256
from pathlib import Path

import lark

from .parse import STARTS


def parser(grammar: Path) -> lark.Lark:
    text = grammar.read_text(encoding="utf-8")
    return lark.Lark(
        text,
        parser="lalr",
        lexer="basic",
        start=list(STARTS),
        propagate_positions=True,
        maybe_placeholders=True,
        cache=_cache(text),
    )


def _cache(text: str) -> str | bool:
    """Where the tables are kept; False where they cannot be. Lark itself sees to a damaged or unwritable file."""
    home = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    folder = Path(home) / "umpire"
    if not os.path.isabs(home):
        return False
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError:
        return False
    key = sha256(f"{text}|{lark.__version__}|{sys.version}|{STARTS}".encode()).hexdigest()[:24]
    return str(folder / f"grammar-{key}.lark") if os.access(folder, os.W_OK) else False
