"""The grammar's tables: how a text falls into words, and what may follow what.

Enters: the grammar's path. Leaves: `Tables`. Lark works them out (by_lark.py) when the package is built (hatch_build.py
in the project's root), and they lie beside this file as JSON; where they are not there, or the grammar has changed
since, Lark works them out again. Knows nothing of sentences.
"""

from __future__ import annotations

import json
import os
from typing import Any

from interpreter import disk
from interpreter.source.values import Struct, names, parts

LARGEST = 1024 * 1024
UNKNOWN = "__UNKNOWN"  # what begins no word
BUILT = os.path.join(os.path.dirname(__file__), "tables.json")
# What each sentence is read as: the grammar's start symbols.
STARTS = (
    "title",
    "attribute",
    "row",
    "words",
    "ending",
    "convention",
    "options",
    "line_key",
    "row_key",
    "case_key",
    "line",
    "adjust",
    "thing",
    "stated",
    "throws",
    "odds_of",
    "policy",
)


class Rule(Struct):
    """`size` symbols become one `symbol`; `name` builds its node of the children in `takes` (which, whether they are
    put in one by one, how many absent ones stand before), with so many absent ones after. `name` "": the children are
    put into the parent. `alone`: an only child stands for the whole.
    """

    symbol: str
    size: int
    name: str
    alone: bool
    takes: tuple[tuple[int, bool, int], ...]
    after: int


class Tables(Struct, eq=False):
    """All that reading needs. In a row stand symbols, and behind each the next state, or -1 - the number of the rule
    that ends here. Rows and rules are texts, a line each, for few of them are ever looked into.
    """

    pattern: str  # of one word, of whichever terminal: `Reader` says what its groups are
    words: dict[str, dict[str, str]]  # of a terminal's texts those that are terminals themselves
    alone: dict[str, str]  # and those that are where no letter, digit or dash follows
    ignored: list[str]
    rows: str  # of each state
    starts: dict[str, tuple[int, int]]  # the first and the last state of each start symbol
    rules: str  # as `written`
    spelt: dict[str, tuple[bool, str]]  # of each terminal: is it a word; word or pattern


def tables(grammar: str) -> Tables:
    """Those of a grammar, built with the package or made now."""
    content = disk.content(grammar, LARGEST)
    built = _built()
    if built is not None and built["of"] == digest(content):
        return Tables(*built["tables"])
    from . import by_lark  # Lark, which most runs need not import

    return by_lark.tables(content.decode("utf-8"))


def as_built(grammar: str) -> str:
    """The tables of a grammar as the text of the file where `tables` looks for them."""
    from . import by_lark

    content = disk.content(grammar, LARGEST)
    made = by_lark.tables(content.decode("utf-8"))
    return json.dumps({"of": digest(content), "tables": parts(made)})


def digest(grammar: bytes) -> str:
    """Which grammar it is, and which code makes tables of it."""
    with open(os.path.join(os.path.dirname(__file__), "by_lark.py"), "rb") as code:
        return disk.digest(b"%s\0%s\0%s" % (grammar, code.read(), " ".join(names(Tables)).encode()))


def _built() -> dict[str, Any] | None:
    try:
        with open(BUILT, encoding="utf-8") as file:
            found = json.load(file)
    except (OSError, ValueError):
        return None
    return found if isinstance(found, dict) and len(found.get("tables", ())) == len(names(Tables)) else None


def written(rule: Rule) -> str:
    """A rule in a line."""
    takes = [number for i, parts, absent in rule.takes for number in (i, int(parts), absent)]
    return " ".join(map(str, (rule.symbol, rule.name or "-", int(rule.alone), rule.size, rule.after, *takes)))


def read_rule(line: str) -> Rule:
    symbol, name, *others = line.split()
    alone, size, after, *takes = map(int, others)
    taken = zip(takes[::3], map(bool, takes[1::3]), takes[2::3], strict=True)
    return Rule(symbol, size, name.strip("-"), alone == 1, tuple(taken), after)
