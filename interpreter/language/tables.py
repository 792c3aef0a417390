"""The parser's tables: built from the grammar once a machine, then read back from the user's own cache.

Enters: the grammar's path. Leaves: a Lark parser. The cache is named by the grammar's text and the versions of Lark and Python; without a
writable cache, or with a broken one, the tables are built anew. Knows nothing of sentences.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

import lark

STARTS = (
    "title", "attribute", "row", "words", "ending", "convention", "options", "line_key", "case_key", "line",
    "adjust", "thing", "stated", "throws", "odds_of",
)  # fmt: skip


def parser(grammar: Path) -> lark.Lark:
    text = grammar.read_text(encoding="utf-8")
    kept = _cache(text)
    if kept is not None and kept.is_file():
        with suppress(Exception):  # whatever a damaged cache raises, the grammar is at hand
            with kept.open("rb") as file:
                return lark.Lark.load(file)
    built = lark.Lark(
        text, parser="lalr", lexer="basic", start=list(STARTS), propagate_positions=True, maybe_placeholders=True
    )
    if kept is not None:
        _keep(built, kept)
    return built


def _keep(built: lark.Lark, path: Path) -> None:
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        scratch = path.with_suffix(f".{os.getpid()}")
        with scratch.open("wb") as file:
            built.save(file)
        scratch.replace(path)


def _cache(text: str) -> Path | None:
    home = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    if not os.path.isabs(home):
        return None
    key = sha256(f"{text}|{lark.__version__}|{sys.version}|{STARTS}".encode()).hexdigest()[:24]
    return Path(home) / "umpire" / f"grammar-{key}.lark"
