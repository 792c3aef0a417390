"""The parse tables of the grammar: the pattern of the lexer and the LR table.

Defines the types of the tables and the text form of a rule. lark_tables.py creates the tables, table_files.py stores
them.
"""

from __future__ import annotations

from interpreter.source.values import Struct

UNKNOWN = "__UNKNOWN"  # the terminal of a character that begins no token
# The grammar's start symbols.
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
    """`size` symbols are reduced to one `symbol`; `name` is the builder's method. Each of `takes` is a child: its
    index, whether its own children are spliced in, and how many absent children come before it; `after`: at the end.
    With an empty `name` the children are spliced into the parent. `alone`: an only child replaces the node.
    """

    symbol: str
    size: int
    name: str
    alone: bool
    takes: tuple[tuple[int, bool, int], ...]
    after: int


class Tables(Struct, eq=False):
    """Everything that the parser needs.

    A row of the LR table lists symbols, each followed by the next state, or by -1 - the number of the rule to reduce.
    Rows and rules are stored as text, one a line, because few of them are ever needed.
    """

    pattern: str  # matches any token; the name of the last group is its terminal
    words: dict[str, dict[str, str]]  # for a terminal: the texts that have a terminal of their own
    # By first word, keywords of one or several words that are not followed by a letter, digit or dash.
    alone: dict[str, dict[str, str]]
    ignored: list[str]
    rows: str  # one line for each state
    starts: dict[str, tuple[int, int]]  # the first and the last state of each start symbol
    rules: str  # one line each, by `format_rule`
    spelt: dict[str, tuple[bool, str]]  # for each terminal: whether it is a plain word, and the word or the pattern


def format_rule(rule: Rule) -> str:
    """Return a rule as one line of text."""
    takes = [number for i, parts, absent in rule.takes for number in (i, int(parts), absent)]
    return " ".join(map(str, (rule.symbol, rule.name or "-", int(rule.alone), rule.size, rule.after, *takes)))


def parse_rule(line: str) -> Rule:
    """The inverse of `format_rule`."""
    symbol, name, *others = line.split()
    alone, size, after, *takes = map(int, others)
    taken = zip(takes[::3], map(bool, takes[1::3]), takes[2::3], strict=True)
    return Rule(symbol, size, name.strip("-"), alone == 1, tuple(taken), after)
