"""The grammar: no conflicts, its words are no names, its functions read as told, its cached tables are the same."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import lark
import pytest

from interpreter.language import Refusal, lark_tables, parse, parse_tables, table_files
from interpreter.language import nodes as n
from interpreter.language.corrections import find_correction, keywords
from interpreter.language.lr_parser import LRParser
from interpreter.language.parse import OF_LINES, words_called
from interpreter.language.tree_builder import TreeBuilder
from interpreter.places import LANGUAGE
from interpreter.vocabulary.operations import FUNCTIONS, sentence

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
    assert conflicts(Path(LANGUAGE).read_text(encoding="utf-8"), list(parse_tables.STARTS), caplog) == []


def test_conflicts_would_be_seen(caplog: pytest.LogCaptureFixture) -> None:
    assert conflicts('e: e "-" e | "a"\n%ignore " "', ["e"], caplog)
    with pytest.raises(lark.exceptions.GrammarError, match="Reduce/Reduce"):
        conflicts('e: x | y\nx: "a"\ny: "a"', ["e"], caplog)


# ---- words
WORDS = [w for w in keywords(LANGUAGE) if " " not in w]


@pytest.mark.parametrize("word", WORDS)
def test_a_word_of_the_grammar_is_no_name(word: str) -> None:
    assert isinstance(parse(f"value {word} of unit", "title", LANGUAGE), Refusal)
    assert isinstance(parse(word, "line_key", LANGUAGE), Refusal) is (word not in OF_LINES)
    assert isinstance(parse(word, "row_key", LANGUAGE), Refusal)
    assert isinstance(parse(f"table levels ({word}, nerve)", "title", LANGUAGE), Refusal)


@pytest.mark.parametrize("word", sorted(OF_LINES))
def test_some_words_of_the_grammar_name_a_line_and_are_read_back(word: str) -> None:
    key = parse(f"{word}, if fresh", "line_key", LANGUAGE)
    assert isinstance(key, n.LineKey)
    assert key.name.text == word
    address = parse(f"shoot.{word}", "line", LANGUAGE)
    assert isinstance(address, n.Line)
    assert [part.name for part in address.action.parts] == ["shoot", word]
    for text, start in (
        (f"{word} + 1 if {word} > 2 else {word}", "line"),
        (f"unit gains {word} pins", "line"),
        (f"unit.mood is {word} and {word} is unit", "line"),
        (f"needs +{word}", "adjust"),
        (f"1/2 that {word} >= 1", "odds_of"),
        (f"{word} 3 4", "throws"),
    ):
        node = parse(text, start, LANGUAGE)
        assert not isinstance(node, Refusal), text
        alone = parse(text, start, LANGUAGE, frozenset())
        assert isinstance(alone, Refusal), "no line is called so"
        assert (alone.found, alone.start) == (word, re.search(rf"\b{word}\b", text).start())  # type: ignore[union-attr]
        assert parse(text, start, LANGUAGE, frozenset([word])) == node
    title = parse(f"add to shoot.{word} after {word}", "title", LANGUAGE)
    assert isinstance(title, n.Title)
    assert (title.name.text, title.anchor and title.anchor.text) == (f"shoot.{word}", word)


@pytest.mark.parametrize("word", sorted(OF_LINES))
def test_a_word_that_names_a_line_in_no_file_is_not_offered(word: str) -> None:
    """Neither among what could stand at a place, nor as a mend."""
    for text, start in (("unit gains", "line"), ("hits, if", "line_key"), ("needs", "adjust"), ("", "line_key")):
        why = parse(text, start, LANGUAGE, frozenset())
        assert isinstance(why, Refusal)
        assert word not in why.words
        change = find_correction(text, start, why, LANGUAGE)
        assert change is None or change.instead != word


@pytest.mark.parametrize(
    ("text", "start"),
    [
        ("owner picks {up} to 3", "line"),
        ("{again} if fresh else 2", "line"),
        ("{fails} if fresh else 2", "line"),
        ("hits = 2 or {more}", "line"),
        ("unit looks {through}", "line"),
    ],
)
def test_where_the_phrase_is_meant_the_name_stands_in_brackets(text: str, start: str) -> None:
    word = re.search(r"\{(\w+)\}", text)
    assert word
    assert isinstance(parse(text.replace(word[0], f"({word[1]})"), start, LANGUAGE), n.Line)
    meant = parse(text.replace(word[0], word[1]), start, LANGUAGE)
    assert isinstance(meant, Refusal)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("    one: d6\n", {"one"}),
        ("    many, for each enemy in foes:\n      a [41]: d6\n", {"many", "a"}),
        ("    5 or more again, if lit: d6\n    1-4 one: d6\n", {"again", "one"}),
        ("do: {one: A acts, 'up': B acts}\n", {"one", "up"}),
        ("    hits, for each enemy in foes: one\n    rest: again if hits\n", set()),
        ("    more-or-less: d6\n", set()),
    ],
)
def test_the_words_by_which_lines_are_called_are_found_in_a_text(text: str, found: set[str]) -> None:
    assert words_called([text]) == found


@pytest.mark.parametrize("word", WORDS)
def test_a_name_may_hold_a_word_of_the_grammar(word: str) -> None:
    for name in (f"{word}-aid", f"dead-{word}", f"x{word}", f"{word}xyz"):
        for text, start in ((f"value {name} of unit", "title"), (name, "line_key")):
            node = parse(text, start, LANGUAGE)
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


@pytest.mark.parametrize("name", list(FUNCTIONS))
def test_a_function_begins_its_doc_with_a_call_that_reads(name: str) -> None:
    doc = sentence(name)
    calls = list(_calls(name, doc))
    assert calls, doc
    assert doc.startswith(f"{calls[0]}: ")
    for call in calls:
        # `min(a, b)` speaks of any two things; `a` itself is a word of the grammar.
        node = parse(call.replace("(a, b)", "(x, y)"), "line", LANGUAGE)
        assert isinstance(node, n.Line), f"{call}: {node}"
        assert isinstance(node.action, n.Path)
        (part,) = node.action.parts
        assert part.name == name
        assert part.args


# ---- the tables built with the package
@pytest.fixture(scope="module")
def fresh() -> list[Any]:
    """What the sentences are by tables that were made just now."""
    return _nodes(lark_tables.make_tables(Path(LANGUAGE).read_text(encoding="utf-8")))


def _nodes(found: parse_tables.Tables) -> list[Any]:
    by = LRParser(found, TreeBuilder())
    nodes = [by.read(text, start) for start, text in SENTENCES]
    assert all(isinstance(node, n.Node) for node in nodes)
    return nodes


def test_built_tables_give_the_same_nodes(tmp_path: Path, fresh: list[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table_files, "BUILT", str(tmp_path / "tables.pickle"))
    assert _nodes(table_files.load_tables(LANGUAGE)) == fresh, "there are none: they are made now"
    (tmp_path / "tables.pickle").write_bytes(table_files.format_tables(LANGUAGE))
    monkeypatch.setattr(lark_tables, "lark_parser", None)  # read, not made again
    assert _nodes(table_files.load_tables(LANGUAGE)) == fresh


def test_those_of_this_installation_are_of_this_grammar(fresh: list[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lark_tables, "lark_parser", None)
    assert _nodes(table_files.load_tables(LANGUAGE)) == fresh


def test_another_grammar_has_its_own_tables(tmp_path: Path) -> None:
    other = tmp_path / "other.lark"
    text = Path(LANGUAGE).read_text(encoding="utf-8")
    other.write_text(text.replace('"mark" NAME', '"token" NAME'), encoding="utf-8")
    assert "TOKEN" in table_files.load_tables(str(other)).spelt
    assert "TOKEN" not in table_files.load_tables(LANGUAGE).spelt


@pytest.mark.parametrize("damage", ["empty", "short", "noise", "end", "other"])
def test_damaged_tables_are_made_anew(
    damage: str, tmp_path: Path, fresh: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    sound = table_files.format_tables(LANGUAGE)
    contents = {
        "empty": b"",
        "short": sound[: len(sound) // 2],
        "noise": b"no tables at all\n" * 50,
        "end": sound[:-1],
        "other": sound.replace(b"NAME", b"NEMA"),
    }
    (tmp_path / "tables.pickle").write_bytes(contents[damage])
    monkeypatch.setattr(table_files, "BUILT", str(tmp_path / "tables.pickle"))
    assert _nodes(table_files.load_tables(LANGUAGE)) == fresh


@pytest.mark.parametrize(
    ("text", "count", "traits"),
    [
        ("4", 4, []),
        ("4 with rifle", 4, ["rifle"]),
        ("12, raw and no pack, rifle", 12, ["raw", "pack", "rifle"]),
        ("4 with weapon rifle and raw", 4, ["weapon", "raw"]),
    ],
)
def test_counted_things_are_a_number_and_what_each_has(text: str, count: int, traits: list[str]) -> None:
    read = parse(text, "counted", LANGUAGE)
    assert isinstance(read, n.Counted)
    assert (read.count.value, [trait.name.text for trait in read.traits]) == (count, traits)


@pytest.mark.parametrize("text", ["4 rifle", "4 with", "4 against rifle", "4 with rifle and"])
def test_counted_things_without_what_belongs_between_are_refused(text: str) -> None:
    assert isinstance(parse(text, "counted", LANGUAGE), Refusal)
