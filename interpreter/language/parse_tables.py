"""The parse tables of the grammar: how a text falls into tokens, and which token may follow which.

Leaves: the types of the tables, and a rule as a line of text. Knows nothing of how they are made (lark_tables.py) or
kept (table_files.py).
"""

from __future__ import annotations

from interpreter.source.values import Struct

UNKNOWN = "__UNKNOWN"  # what begins no word
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
    "counted",
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
