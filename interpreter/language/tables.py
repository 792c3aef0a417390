"""The grammar's tables: how a text falls into words, and what may follow what. Kept as plain data in the user's cache
folder.

Enters: the grammar's path. Leaves: `Tables`; Lark works out (by_lark.py) what is not kept. Knows nothing of
sentences.
"""

from __future__ import annotations

import os

from interpreter import disk, kept
from interpreter.source import from_data
from interpreter.source.values import Struct, field

from .parse import STARTS

LARGEST = 1024 * 1024
FORM = "tables by Lark, 3"  # not by all of Umpire, which changes more often than its grammar
UNKNOWN = "__UNKNOWN"  # what begins no word


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
    spelt: dict[str, tuple[bool, str]] = field(later=True)  # of each terminal: is it a word; word or pattern


def tables(grammar: str) -> Tables:
    """Those of a grammar, kept or made."""
    question = ("tables", *STARTS, grammar)
    answer = kept.recalled(question, by=FORM)
    if answer is not None:
        known: Tables = from_data.read(answer, _CLASSES)[0]
        return known
    with disk.noting() as watch:
        text = disk.content(grammar, LARGEST).decode("utf-8")
        for code in (__file__, os.path.join(os.path.dirname(__file__), "by_lark.py")):
            disk.stamp(code)
    from interpreter.source import as_data

    from . import by_lark

    made = by_lark.tables(text)
    kept.keep(question, watch, as_data.written(made, _CLASSES), by=FORM)
    return made


_CLASSES = (Tables,)


def written(rule: Rule) -> str:
    """A rule in a line."""
    takes = [number for i, parts, absent in rule.takes for number in (i, int(parts), absent)]
    return " ".join(map(str, (rule.symbol, rule.name or "-", int(rule.alone), rule.size, rule.after, *takes)))


def read_rule(line: str) -> Rule:
    symbol, name, *others = line.split()
    alone, size, after, *takes = map(int, others)
    taken = zip(takes[::3], map(bool, takes[1::3]), takes[2::3], strict=True)
    return Rule(symbol, size, name.strip("-"), alone == 1, tuple(taken), after)
