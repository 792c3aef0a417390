"""Parses one sentence, and finds keywords that are used as names of lines.

Takes a text and the start symbol for its position in the file; returns a syntax tree, or a `Refusal` with offsets into
the text. The grammar is `grammar/rules.lark`, LALR without conflicts. This module does not know YAML or games.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

from interpreter.language import nodes
from interpreter.source.values import Struct

from .lr_parser import END, LRParser, NoParse
from .parse_tables import STARTS as STARTS
from .table_files import load_tables
from .tree_builder import TreeBuilder

OF_LINES = frozenset(
    ("a", "after", "again", "an", "each", "fails", "less", "many", "more", "one", "passes", "through", "up")
)
# At the beginning of a key, or behind its cases: `one:`, `{up: …}`, `5 or more again, if C:`.
_KEY = r"(?:^|[{,?]|^ *- |[0-9] |or more |or less )[ \"']*([a-z]+)[\"']?(?=\s*[:,\[])"


def words_called(texts: Iterable[str]) -> frozenset[str]:
    """Return the keywords that name a line in one of the texts."""
    return OF_LINES & {word for text in texts for word in re.findall(_KEY, text, re.MULTILINE)}


LONGEST = 400
LONGEST_OF = {"odds_of": 400_000}  # exact chances of large throws have thousands of digits
DEEPEST = 24

# Descriptions of terminals in the author's words.
MEANINGS = {
    "NAME": "a name",
    "THING": "a thing of the situation such as `A`",
    "INT": "a number",
    "SIGNED": "a change such as `+1`",
    "TARGET": "a number to beat such as `4+`",
    "DIST": 'a distance such as `6"`',
    "DICE": "dice such as `d6`",
    "LPAR": "`(`",
    "RPAR": "`)`",
    "COMMA": "a comma",
    "CITE": "a clause such as `[12]`",
    "$END": "the end",
    "CMP": "a comparison such as `>=`",
    "ADD": "`+` or `-` between spaces",
    "MUL": "`*` or `/`",
    "BAND": 'near and far such as `12"/24"`',
    "FACES": "faces such as `1-2`",
    "CASE": "a case such as `5` or `1-4`",
    "DASH": "`-`",
    "FRACTION": "a fraction such as `5/36`",
    "STRING": "a text in single quotes",
    "SIGN": "`+` or `-`",
    "DOT": "`.`",
}

_VALUE = {"NAME", "INT", "DICE"}
_VALUES = {
    *_VALUE,
    "THING",
    "TARGET",
    "DIST",
    "LPAR",
    "BOOL",
    "NEW",
    "NONE",
    "ANY",
    "ALL",
    "DICE_DIST",
    "NO",
    "NOT",
    "MOST",
    "FEWEST",
    "YES",
}
_GOES_ON = {"ADD", "MUL"}
_GOING_ON = {*_GOES_ON, "CMP", "COUNTING", "__ANON_0", "AT", "IN", "IS", "TESTS", "WISHES", "NOT", "AS", "WHERE", "DOT"}


class Refusal(Struct):
    """Why a text is not a sentence: `found` at start..end where one of `wanted` (kinds) or `words` (keywords) is
    expected.

    `kind` is `word`, `character`, `long` or `deep`.
    """

    kind: str
    start: int
    end: int
    found: str
    wanted: tuple[str, ...]
    words: tuple[str, ...]


@cache
def parser_for(grammar: str) -> LRParser:
    """Return the parser of a grammar file, memoized."""
    return LRParser(load_tables(grammar), TreeBuilder())


_memo: dict[tuple[str, str, frozenset[str] | None], Any] = {}
_MOST_KEPT = 50_000  # sentences: the shipped rules have 8,000
_recorded: dict[tuple[str, str], nodes.Node] | None = None


def parse(text: str, start: str, grammar: str, called: frozenset[str] | None = None) -> nodes.Node | Refusal:
    """Return the node of `text` parsed as `start` (one of STARTS), or a Refusal. Memoized, since rule files repeat
    sentences.

    `called` are the keywords that may be names of lines (`words_called`); None: all may.
    """
    asked = (text, start, called)
    found = _memo.get(asked)
    if found is None:
        if len(_memo) >= _MOST_KEPT:
            _memo.clear()
        found = _memo[asked] = _parse(text, start, grammar, called)
    if _recorded is not None and not isinstance(found, Refusal):
        _recorded[text, start] = found
    return found


def following(text: str, start: str, grammar: str) -> tuple[frozenset[str], tuple[str, ...]]:
    """Return what may follow the beginning of a sentence: terminals (such as `NAME`), and keywords."""
    parser = parser_for(grammar)
    if len(text) > LONGEST or _too_deep(text) is not None:
        return frozenset(), ()
    expected = parser.following(text, start)
    words = _wanted(parser.tables.spelt, {kind for kind in expected if kind not in MEANINGS})[1]
    return expected, tuple(dict.fromkeys(words))


@contextmanager
def noting_sentences() -> Iterator[dict[tuple[str, str], nodes.Node]]:
    """Within the context, record the sentences that are parsed, by text and start symbol."""
    global _recorded
    before = _recorded
    here: dict[tuple[str, str], nodes.Node] = {}
    _recorded = here
    try:
        yield here
    finally:
        _recorded = before
        if before is not None:
            before.update(here)


def _parse(text: str, start: str, grammar: str, called: frozenset[str] | None) -> nodes.Node | Refusal:
    if len(text) > LONGEST_OF.get(start, LONGEST):
        return Refusal("long", 0, len(text), "", (), ())
    if (deep := _too_deep(text)) is not None:
        return Refusal("deep", deep, deep + 1, "(", (), ())
    parser = parser_for(grammar)
    node = parser.read(text, start, called)
    if isinstance(node, nodes.Node):
        return node
    if isinstance(node, NoParse):
        if node.token is None:
            return Refusal("character", node.at, node.at + 1, text[node.at], (), ())
        found = "" if node.token.type == END else str(node.token)
        return Refusal(
            "word",
            node.at,
            node.token.end_pos,
            found,
            *_wanted(parser.tables.spelt, set(parser.expected(node, names=False))),
        )
    raise TypeError(f"grammar rule {start} built {node!r}")


def _wanted(spelt: dict[str, tuple[bool, str]], expected: set[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return what is expected: descriptions first, then keywords. All that begins a value is described as one."""
    meanings, words = [], []
    if expected >= _VALUE:
        meanings.append("a name, a number or dice")
        expected = expected - _VALUES
    elif expected >= _GOES_ON:
        meanings.append("a comparison or a calculation")
        expected = expected - _GOING_ON
    for name in sorted(expected, key=lambda n: (n == "$END", n)):
        if name in MEANINGS:
            meanings.append(MEANINGS[name])
        elif name in spelt:
            plain, spelling = spelt[name]
            words += [spelling] if plain else _alternatives(spelling)
    return tuple(meanings), tuple(words)


def _alternatives(pattern: str) -> list[str]:
    """`(passes|fails)(?![\\w-])` → passes, fails; `gains?(…)` → gains, gain; only plain words."""
    head = re.sub(r"^\^|^\(\?<=[^)]*\)", "", pattern).split("(?!")[0].split("(?=")[0].strip("()").replace(" +", " ")
    words = [form for w in head.split("|") for form in (w.replace("?", ""), re.sub(r".\?", "", w))]
    return [w for w in dict.fromkeys(words) if w.replace(" ", "").isalpha()]


def _too_deep(text: str) -> int | None:
    """Return the offset of the first parenthesis that is nested too deep; None if there is none."""
    if text.count("(") <= DEEPEST:
        return None
    level = 0
    for at, c in enumerate(text):
        if c == "(":
            level += 1
            if level > DEEPEST:
                return at
        elif c == ")":
            level -= 1
    return None
