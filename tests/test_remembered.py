"""Trees and sentences that are kept as data are those that reading the files again would give."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interpreter import kept, places
from interpreter.document import Mapping, Node, Scalar, keep_tree, read, recall_tree
from interpreter.language import keep_sentences, nodes, noting_sentences, parse, recall_sentences, remembered
from interpreter.places import LANGUAGE
from interpreter.rulebook.sheets import Sheet
from interpreter.source import Problems, Source
from interpreter.workbench import rules, stacks

ROOT = Path(__file__).parent.parent
FILES = sorted(p for folder in ("rules", "examples") for p in (ROOT / folder).rglob("*.yaml"))


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(places, "cache_folder", lambda: str(tmp_path / "cache"))


def _all(node: Node) -> Iterator[tuple[object, ...]]:
    """Everything that a tree says, and where each of its characters stands."""
    if isinstance(node, Scalar):
        ends = [node.at(i, i + 1) for i in (0, len(node.text) // 2, len(node.text))]
        yield node.text, node.span, node.style, ends
        return
    yield type(node), node.span
    for part in node:
        if isinstance(node, Mapping):
            yield from _all(part.key)
            yield from _all(part.value)
        else:
            yield from _all(part)


@pytest.mark.parametrize("path", FILES, ids=lambda p: p.name)
def test_a_kept_tree_is_the_tree(path: Path) -> None:
    source = Source(str(path), path.read_text("utf-8"))
    first = Problems()
    root = read(source, first)
    assert root is not None
    assert recall_tree(source, Problems()) is None
    keep_tree(root, first.allowances)
    again = Problems()
    other = recall_tree(source, again)
    assert other is not None
    assert list(_all(other)) == list(_all(root))
    assert again.allowances == first.allowances


@given(st.lists(st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs", "Zl", "Zp"])), min_size=1))
def test_a_text_of_any_characters(texts: list[str]) -> None:
    lines = [f'"{i}": {json.dumps(text)}' for i, text in enumerate(texts)]
    lines += [f"'{i}':\n  - '" + text.replace("'", "''") + "'" for i, text in enumerate(texts, len(texts))]
    source = Source("any.yaml", "\n".join(lines))
    problems = Problems()
    root = read(source, problems)
    if root is None or not problems.only_allows:
        return
    keep_tree(root, ())
    other = recall_tree(source, Problems())
    assert other is not None
    assert list(_all(other)) == list(_all(root))


def test_only_a_text_that_is_right_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "twice.yaml"
    path.write_text("game: A\ngame: B\n", "utf-8")
    for _ in range(2):
        problems = Problems()
        stacks.read_tree(path, problems)
        assert [p.code for p in problems] != []
    path.write_text("game: A\n", "utf-8")
    root = stacks.read_tree(path, Problems())
    assert root is not None
    assert recall_tree(root.span.source, Problems()) is None
    stacks.keep_trees([Sheet.of("twice", root)])
    assert recall_tree(root.span.source, Problems()) is not None


@pytest.mark.parametrize("name", ["modern", "imperial", "vsf", "vbcw"])
def test_every_sentence_is_the_same_as_data(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    parsing = sys.modules[parse.__module__]
    with noting_sentences() as read_:
        assert rules.open_rules(name, Problems()) is not None
    sentences = dict(read_)
    assert len(sentences) > 200
    keep_sentences((name,), LANGUAGE, sentences)
    monkeypatch.setattr(parsing, "_memo", {})
    monkeypatch.setattr(parsing, "_told", {})
    monkeypatch.setattr(parsing, "_parse", None)  # nothing is read
    recall_sentences((name,), LANGUAGE)
    for (text, start), node in sentences.items():
        again = parse(text, start, LANGUAGE)
        assert again == node
        assert _types(again) == _types(node)


def _types(value: object) -> object:
    """A tuple of a list, a fraction of a whole number: what compares as equal and is not the same."""
    if isinstance(value, nodes.Node):
        return type(value), *(_types(getattr(value, name)) for name in type(value).__match_args__)
    return (type(value), *map(_types, value)) if isinstance(value, tuple | list) else type(value)


def test_a_refused_sentence_is_read_again_and_refused() -> None:
    with noting_sentences() as read_:
        parse(") of (", "line", LANGUAGE)
    assert (") of (", "line") not in read_


def test_what_cannot_be_read_is_as_if_it_were_not_there(tmp_path: Path) -> None:
    source = Source("a.yaml", "game: A\n")
    root = read(source, Problems())
    assert root is not None
    keep_tree(root, ())
    for file in (tmp_path / "cache").iterdir():
        file.write_text(file.read_text("utf-8").replace('"m"', '"x"'), "utf-8")
    assert recall_tree(source, Problems()) is None


def test_of_too_many_sentences_none_is_kept() -> None:
    node = parse("needs 5", "adjust", LANGUAGE)
    assert isinstance(node, nodes.Node)
    keep_sentences(("a.yaml",), LANGUAGE, {(f"needs {'5' * 300_000}{i}", "adjust"): node for i in range(2)})
    assert remembered.recall(("a.yaml",), LANGUAGE) == {}
    assert recall_sentences(("a.yaml",), LANGUAGE)
    assert not recall_sentences(("b.yaml",), LANGUAGE)


def test_what_was_run_is_run_again_without_reading_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first run checks all; another process (which remembers nothing) reads neither YAML nor sentences."""
    parsing = sys.modules[parse.__module__]
    for name in ("modern", "modern + morale"):
        assert rules.open_rules(name, Problems(), to_run=True) is not None
        monkeypatch.setattr(parsing, "_memo", {})
        monkeypatch.setattr(stacks, "_clean", {})
        with monkeypatch.context() as nothing_is_read:
            nothing_is_read.setattr(parsing, "_parse", None)
            nothing_is_read.setattr(stacks, "read", None)
            opened = rules.open_rules(name, Problems(), to_run=True)
            assert opened is not None
            for procedure in opened.book.procedures.values():
                opened.checker.procedure(procedure)


def test_the_names_of_files_are_the_question() -> None:
    with noting_sentences() as read_:
        parse("needs 5", "adjust", LANGUAGE)
    keep_sentences(("a.yaml", "b.yaml"), LANGUAGE, read_)
    assert remembered.recall(("a.yaml", "b.yaml"), LANGUAGE)
    assert not remembered.recall(("a.yaml",), LANGUAGE)
    assert kept.recall(("sentences", LANGUAGE, "a.yaml", "b.yaml")) is not None
