"""The grammar's tables are read as Lark reads them: the same nodes at the same places, the same refusals."""

from __future__ import annotations

import random
import re
from functools import cache
from pathlib import Path
from typing import Any

import lark
import pytest
from hypothesis import given
from hypothesis import strategies as st

from interpreter.folders import RULES
from interpreter.language import STARTS, nodes, parse
from interpreter.language.lark_tables import lark_parser
from interpreter.language.lr_parser import END, Meta, NoParse, Token
from interpreter.language.parse import parser_for
from interpreter.language.parse_tables import parse_rule
from interpreter.language.tree_builder import TreeBuilder
from interpreter.places import LANGUAGE
from interpreter.source import Problems
from interpreter.workbench.rules import open_rules
from tests.sampled import sampled

FILE = LANGUAGE


@cache
def theirs() -> lark.Lark:
    return lark_parser(Path(FILE).read_text("utf-8"))


def _built(tree: Any) -> Any:
    """What the builder makes of Lark's own tree."""
    if isinstance(tree, lark.Token):
        token = Token(str(tree))
        token.type, token.start_pos, token.end_pos = tree.type, tree.start_pos or 0, tree.end_pos or 0
        return token
    if not isinstance(tree, lark.Tree):
        return tree
    meta = Meta(tree.meta.start_pos, tree.meta.end_pos)
    return getattr(TreeBuilder(), tree.data)(meta, [_built(c) for c in tree.children])


def by_lark(text: str, start: str) -> Any:
    """A node; or where it is stuck, on which terminal, and which it would take."""
    try:
        return _built(theirs().parse(text, start=start))
    except lark.exceptions.UnexpectedCharacters as error:
        return error.pos_in_stream, None, set()
    except lark.exceptions.UnexpectedToken as error:
        at = len(text) if error.token.type == END else error.token.start_pos
        return at, (error.token.type, str(error.token)), set(error.accepts)


def by_us(text: str, start: str) -> Any:
    found = parser_for(FILE).read(text, start)
    if isinstance(found, NoParse):
        token = (found.token.type, str(found.token)) if found.token is not None else None
        return found.at, token, set(parser_for(FILE).expected(found))
    return found


@cache
def sentences() -> list[tuple[str, str]]:
    """Every sentence of the rules that come along, with its start symbol."""
    import sys

    from interpreter.language import parse as module  # noqa: F401

    for name in ("imperial", "modern + morale", "vbcw", "vsf"):
        open_rules(name, Problems())
    memo: dict[tuple[str, str, Any], Any] = sys.modules["interpreter.language.parse"]._memo  # type: ignore[attr-defined]
    return sorted({(text, start) for text, start, _ in memo})


def test_every_sentence_of_the_rules_is_read_alike() -> None:
    seen = sentences()
    assert len(seen) > 2000
    for text, start in sampled(seen, 800):
        found = by_us(text, start)
        assert isinstance(found, nodes.Node | tuple)
        assert found == by_lark(text, start), (start, text)


@given(st.randoms(use_true_random=False))
def test_what_is_no_sentence_is_refused_alike(dice: random.Random) -> None:
    """Words are left out, doubled, changed for words of other sentences; read as anything."""
    text, start = dice.choice(sentences())
    words = re.findall(r"[\w-]+|\S|\s", text)
    for _ in range(dice.randint(1, 3)):
        at = dice.randrange(len(words) + 1)
        other = dice.choice(re.findall(r"[\w-]+|\S", dice.choice(sentences())[0]) + ["§", "é", "[", "'"])
        words[at : at + dice.randint(0, 2)] = dice.choice(([], [other], [" ", other, " "]))
    changed = "".join(words)
    for begin in {start, dice.choice(STARTS)}:
        assert by_us(changed, begin) == by_lark(changed, begin), (begin, changed)


@pytest.mark.parametrize("start", STARTS)
def test_nothing_is_refused_alike(start: str) -> None:
    assert by_us("", start) == by_lark("", start)


def test_every_rule_of_the_grammar_has_its_builder() -> None:
    rules = [parse_rule(line) for line in parser_for(FILE).tables.rules.split("\n")]
    left = [r.name for r in rules if r.name and not r.alone and not hasattr(TreeBuilder(), r.name)]
    assert left == []
    assert RULES.is_dir()
    assert Path(FILE).is_file()
    assert parse("hits: 1", "words", FILE)
