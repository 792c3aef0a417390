"""The grammar: no conflicts, its words are no names, its functions read as told, its cached tables are the same."""

from __future__ import annotations

import logging
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import lark
import pytest

from interpreter.language import Refusal, keywords, parse, tables
from interpreter.language import nodes as n
from interpreter.vocabulary.builtins import BUILTINS
from interpreter.workbench.rules import GRAMMAR

SENTENCES = [
    ("line", "owner picks min(hits, figures) from figures usually terrain is open, weapon is rifle [41, 42]"),
    ("line", "shooter.weapon.shots at distance(unit, target)"),
    ("line", "wood if (figures where terrain >= wood) >= half(figures) else open"),
    ("title", "rule snap-shot for each unit after shoot if guarding and actor in foes"),
    ("title", "to shoot (unit) at (target unit)"),
    ("adjust", "roll -1 if unit.pins > 0"),
    ("row", '9"/18", 2/1, d6+1, -, small'),
    ("line_key", "rounds, repeat up to 20 times until won or lost"),
    ("case_key", "-2 or less, broken, if running"),
    ("odds_of", "665/729 that hits >= 1"),
]


def conflicts(grammar: str, start: list[str], caplog: pytest.LogCaptureFixture) -> list[str]:
    """What Lark says of conflicts while it builds: it settles them quietly otherwise."""
    lark.logger.addHandler(caplog.handler)
    before = lark.logger.level
    try:
        with caplog.at_level(logging.DEBUG, logger=lark.logger.name):
            caplog.clear()
            lark.Lark(grammar, parser="lalr", lexer="basic", start=start, maybe_placeholders=True, debug=True)
            return [r.getMessage() for r in caplog.records if "conflict" in r.getMessage().lower()]
    finally:
        lark.logger.removeHandler(caplog.handler)
        lark.logger.setLevel(before)


def test_the_grammar_has_no_conflicts(caplog: pytest.LogCaptureFixture) -> None:
    assert conflicts(GRAMMAR.read_text(encoding="utf-8"), list(tables.STARTS), caplog) == []


def test_conflicts_would_be_seen(caplog: pytest.LogCaptureFixture) -> None:
    assert conflicts('e: e "-" e | "a"\n%ignore " "', ["e"], caplog)
    with pytest.raises(lark.exceptions.GrammarError, match="Reduce/Reduce"):
        conflicts('e: x | y\nx: "a"\ny: "a"', ["e"], caplog)


# ---- words
WORDS = [w for w in keywords(GRAMMAR) if " " not in w]


@pytest.mark.parametrize("word", WORDS)
def test_a_word_of_the_grammar_is_no_name(word: str) -> None:
    assert isinstance(parse(f"value {word} of unit", "title", GRAMMAR), Refusal)
    assert isinstance(parse(word, "line_key", GRAMMAR), Refusal)
    assert isinstance(parse(f"table levels ({word}, nerve)", "title", GRAMMAR), Refusal)


@pytest.mark.parametrize("word", WORDS)
def test_a_name_may_hold_a_word_of_the_grammar(word: str) -> None:
    for name in (f"{word}-aid", f"dead-{word}", f"x{word}", f"{word}xyz"):
        for text, start in ((f"value {name} of unit", "title"), (name, "line_key")):
            node = parse(text, start, GRAMMAR)
            assert isinstance(node, n.Title | n.LineKey), f"{text}: {node}"
            assert node.name.text == name


def test_there_are_as_many_words_as_the_page_says() -> None:
    assert {"if", "where", "passes", "gains", "usually", "towards", "true"} <= set(WORDS)
    assert len(WORDS) > 70


# ---- functions
def _calls(name: str, doc: str) -> Iterator[str]:
    for part in doc.split("; "):
        found = re.match(rf"{re.escape(name)}\([^()]*\)(?=:)", part)
        if found:
            yield found.group()


@pytest.mark.parametrize("name", list(BUILTINS))
def test_a_function_begins_its_doc_with_a_call_that_reads(name: str) -> None:
    builtin = BUILTINS[name]
    assert builtin.name == name
    calls = list(_calls(name, builtin.doc))
    assert calls, builtin.doc
    assert builtin.doc.startswith(f"{calls[0]}: ")
    for call in calls:
        # `min(a, b)` speaks of any two things; `a` itself is a word of the grammar.
        node = parse(call.replace("(a, b)", "(x, y)"), "line", GRAMMAR)
        assert isinstance(node, n.Line), f"{call}: {node}"
        assert isinstance(node.action, n.Path)
        (part,) = node.action.parts
        assert part.name == name
        assert part.args


# ---- the tables kept from one run to the next
@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return tmp_path / "umpire"


@pytest.fixture(scope="module")
def fresh() -> list[lark.Tree[lark.Token]]:
    text = GRAMMAR.read_text(encoding="utf-8")
    built = lark.Lark(
        text, parser="lalr", lexer="basic", start=list(tables.STARTS), propagate_positions=True, maybe_placeholders=True
    )
    return _trees(built)


def _trees(parser: lark.Lark) -> list[lark.Tree[lark.Token]]:
    return [parser.parse(text, start=start) for start, text in SENTENCES]


def _places(trees: list[lark.Tree[lark.Token]]) -> list[tuple[str, int, int]]:
    tokens = [t for tree in trees for t in tree.scan_values(lambda x: isinstance(x, lark.Token))]
    return [(t.type, t.start_pos, t.end_pos) for t in tokens]


def test_cached_tables_give_the_same_trees(cache: Path, fresh: list[lark.Tree[lark.Token]]) -> None:
    first = _trees(tables.parser(GRAMMAR))
    (kept,) = cache.iterdir()
    before = kept.stat().st_mtime_ns
    second = _trees(tables.parser(GRAMMAR))
    assert list(cache.iterdir()) == [kept]
    assert kept.stat().st_mtime_ns == before, "read, not built again"
    assert first == second == fresh
    assert _places(first) == _places(second) == _places(fresh)


def test_another_grammar_has_its_own_tables(cache: Path, tmp_path: Path) -> None:
    tables.parser(GRAMMAR)
    other = tmp_path / "other.lark"
    other.write_text(GRAMMAR.read_text(encoding="utf-8") + "\n// changed\n", encoding="utf-8")
    tables.parser(other)
    assert len(list(cache.iterdir())) == 2


@pytest.mark.parametrize("damage", ["empty", "short", "noise", "end"])
def test_damaged_tables_are_built_anew(damage: str, cache: Path, fresh: list[lark.Tree[lark.Token]]) -> None:
    tables.parser(GRAMMAR)
    (kept,) = cache.iterdir()
    sound = kept.read_bytes()
    kept.write_bytes(
        {
            "empty": b"",
            "short": sound[: len(sound) // 2],
            "noise": b"\x80\x04no tables at all\n" * 50,
            "end": sound[:-1],
        }[damage]
    )
    assert _trees(tables.parser(GRAMMAR)) == fresh


@pytest.mark.parametrize("home", ["not/absolute", "blocked"])
def test_without_a_place_for_the_cache(
    home: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fresh: list[lark.Tree[lark.Token]]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "blocked").write_text("a file, where a folder should be", encoding="utf-8")
    monkeypatch.setenv("XDG_CACHE_HOME", home if home == "not/absolute" else str(tmp_path / home))
    assert _trees(tables.parser(GRAMMAR)) == fresh
    assert not (tmp_path / "not").exists()


def test_a_folder_in_the_place_of_the_tables(cache: Path, fresh: list[lark.Tree[lark.Token]]) -> None:
    tables.parser(GRAMMAR)
    (kept,) = cache.iterdir()
    kept.unlink()
    kept.mkdir()
    try:
        assert _trees(tables.parser(GRAMMAR)) == fresh
    finally:
        shutil.rmtree(cache)
