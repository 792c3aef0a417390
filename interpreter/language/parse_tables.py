"""The parse tables of the grammar: how a text falls into tokens, and which token may follow which.

Takes the path of the grammar; gives `Tables`. Lark makes them (lark_tables.py) when the package is built
(hatch_build.py in the root of the project), and they lie beside this file as JSON. Where they are missing, or the
grammar has changed since, Lark makes them again. Knows nothing of sentences.
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
    """Everything that the parser needs.

    A row of the LR table holds symbols, and behind each the next state, or -1 - the number of the rule that is reduced.
    Rows and rules are texts, a line each: few of them are ever read.
    """

    pattern: str  # of any token; the name of its last group is its terminal
    words: dict[str, dict[str, str]]  # for a terminal: the texts that are terminals of their own
    alone: dict[str, str]  # the same for keywords that no letter, digit or dash follows
    ignored: list[str]
    rows: str  # of each state
    starts: dict[str, tuple[int, int]]  # the first and the last state of each start symbol
    rules: str  # a line each, made by `format_rule`
    spelt: dict[str, tuple[bool, str]]  # of each terminal: whether it is a plain word; the word or the pattern


def load_tables(grammar: str) -> Tables:
    """The tables of the grammar file, as built with the package or made now. Raises OSError where it cannot be read."""
    content = disk.content(grammar, LARGEST)
    built = _read_built()
    if built is not None and built["of"] == digest(content):
        return Tables(*built["tables"])
    from . import lark_tables  # Lark, which most runs need not import

    return lark_tables.make_tables(content.decode("utf-8"))


def format_tables(grammar: str) -> str:
    """The tables of the grammar file as JSON, in the form that `load_tables` reads."""
    from . import lark_tables

    content = disk.content(grammar, LARGEST)
    made = lark_tables.make_tables(content.decode("utf-8"))
    return json.dumps({"of": digest(content), "tables": parts(made)})


def digest(grammar: bytes) -> str:
    """A digest of the grammar and of the code that makes its tables."""
    with open(os.path.join(os.path.dirname(__file__), "lark_tables.py"), "rb") as code:
        return disk.digest(b"%s\0%s\0%s" % (grammar, code.read(), " ".join(names(Tables)).encode()))


def _read_built() -> dict[str, Any] | None:
    try:
        with open(BUILT, encoding="utf-8") as file:
            found = json.load(file)
    except (OSError, ValueError):
        return None
    return found if isinstance(found, dict) and len(found.get("tables", ())) == len(names(Tables)) else None


def format_rule(rule: Rule) -> str:
    """A rule as one line of text."""
    takes = [number for i, parts, absent in rule.takes for number in (i, int(parts), absent)]
    return " ".join(map(str, (rule.symbol, rule.name or "-", int(rule.alone), rule.size, rule.after, *takes)))


def parse_rule(line: str) -> Rule:
    """The inverse of `format_rule`."""
    symbol, name, *others = line.split()
    alone, size, after, *takes = map(int, others)
    taken = zip(takes[::3], map(bool, takes[1::3]), takes[2::3], strict=True)
    return Rule(symbol, size, name.strip("-"), alone == 1, tuple(taken), after)
