"""Whatever is written: any text is read to a value or to problems that point into it, and sentences know their
places.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from interpreter.document.shape import check_situation_shape
from interpreter.folders import RULES
from interpreter.language import STARTS, Refusal, parse
from interpreter.language import nodes as n
from interpreter.language.corrections import apply_correction, find_correction
from interpreter.places import LANGUAGE
from interpreter.rulebook import sentences
from interpreter.source import Problems, Source, render
from interpreter.source.values import names
from interpreter.workbench.answers import odds
from interpreter.workbench.cases import prepare
from interpreter.workbench.histories import resolve
from interpreter.workbench.rule_sets import RuleSet
from interpreter.workbench.rules import open_rules
from interpreter.workbench.stacks import stacks_of
from interpreter.workbench.trees import read_text
from tests.sampled import THOROUGH

SETS = sorted(RULES.glob("*.yaml"))
BOOKS = [path.read_text(encoding="utf-8") for path in SETS]
EXAMPLES = [*sorted((RULES / "tests").glob("*.yaml")), *sorted((RULES.parent / "examples").glob("*.yaml"))]
EXAMPLES = [path for path in EXAMPLES if not path.name.endswith(".slips.yaml")]
TOKENS = sorted({w for text in BOOKS for w in re.findall(r"[\w-]+|[^\w\s]", text)})
ODD = ["\t", "\r\n", "\u2028", "\u00a0", "“", "”", "\u2013", "\u0000", "\ufeff", "🎲", "é", *"|>'\"", "&a", "*a", "<<"]
BLANKS = [" ", "  ", "\n", "\n  ", "\n    ", ": ", ":\n  ", "- ", ", "]
WORDS = [
    "kind",
    "table",
    "value",
    "roll",
    "mark",
    "fact",
    "limit",
    "to",
    "rule",
    "add to",
    "example",
    "dice",
    "ruling",
    "remove",
]

ANY = st.text(st.characters(exclude_categories=["Cs"]), max_size=200)
WORDY = st.lists(st.sampled_from([*TOKENS, *ODD, *BLANKS]), max_size=40)
TEXTS = ANY | WORDY.map("".join) | WORDY.map(" ".join)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("properties")


@cache
def known(name: str) -> RuleSet:
    problems = Problems()
    rules = open_rules(stacks_of(name)[0], problems)  # a supplement with the first of what it is for
    assert rules is not None
    assert not problems.has_errors, render(problems)
    return rules


def told(problems: Problems, texts: dict[str, str]) -> None:
    """Every place of every problem lies in the text that it names, and all of it can be shown."""
    for problem in problems:
        places = [problem.span, *(other.span for other in problem.others), problem.fix and problem.fix.span]
        for span in places:
            if span is not None:
                assert span.source.text == texts.get(span.source.name, span.source.text), problem
                assert 0 <= span.start <= span.end <= len(span.source.text), problem
        assert problem.message
    assert len(render(problems)) >= len(problems)


def check_rules(path: Path, content: str | bytes) -> Problems:
    data = content if isinstance(content, bytes) else content.encode("utf-8")
    path.write_bytes(data)
    problems = Problems()
    rules = open_rules(path, problems)
    assert rules is not None or problems.has_errors
    text = data.decode("utf-8", errors="replace")
    told(problems, {} if isinstance(content, bytes) else {str(path): text})
    return problems


def ask(rules: RuleSet, name: str, text: str) -> Problems:
    """A situation, or every example of a text, as far as it goes: read, played once and worked out within a
    small budget.
    """
    problems = Problems()
    root = read_text(name, text, problems)
    bodies = [] if root is None else [e.value for e in root if e.key.text.startswith("example ")] or [root]
    for body in bodies:
        found = Problems()
        if hasattr(body, "entries"):
            check_situation_shape(body, found)
            case = prepare(rules, body, found) if not found.has_errors else None
            if case is not None:
                resolve(case, seed=1)
                odds(case, limit=300)
        problems.extend(found)
    told(problems, {name: text})
    return problems


# ---- any text at all
@settings(max_examples=150)
@given(text=TEXTS | st.binary(max_size=80))
def test_any_text_is_a_rule_file_or_has_problems(text: str | bytes, folder: Path) -> None:
    check_rules(folder / "any.yaml", text)


@settings(max_examples=100)
@given(body=WORDY.map(" ".join), key=st.sampled_from(TOKENS), word=st.sampled_from(WORDS), elder=st.booleans())
def test_any_text_under_a_heading(body: str, key: str, word: str, elder: bool, folder: Path) -> None:
    head = "extends: fubar\n" if elder else ""
    check_rules(folder / "under.yaml", f"game: X\n{head}Heading:\n  {word} {key} {body}:\n    {key}: {body}\n")


SITUATION = "unit A: {0}\nunit B: 3 figures\nfacts: {0}\ndo: {0}\nask: {0}\ndice: {0}\n"


@settings(max_examples=100)
@given(text=TEXTS, name=st.sampled_from([path.stem for path in SETS]))
def test_any_text_is_a_situation_or_has_problems(text: str, name: str) -> None:
    ask(known(name), "any", text)
    ask(known(name), "any", SITUATION.format(text))


@settings(max_examples=200)
@given(text=st.text(max_size=60) | WORDY.map("".join) | WORDY.map(" ".join), start=st.sampled_from(STARTS))
def test_any_text_is_a_sentence_or_is_refused(text: str, start: str) -> None:
    node = parse(text, start, LANGUAGE)
    assert 0 <= node.start <= node.end <= len(text)
    if isinstance(node, Refusal):
        change = find_correction(text, start, node, LANGUAGE)
        if change is not None:
            assert not isinstance(parse(apply_correction(text, change), start, LANGUAGE), Refusal)


@pytest.mark.parametrize("start", STARTS)
@pytest.mark.parametrize("text", ["", " ", "(" * 300, "not " * 99, "1 + " * 99, "a" * 5000, "9" * 399, '9"', *ODD])
def test_edges_of_sentences(text: str, start: str) -> None:
    assert isinstance(parse(text, start, LANGUAGE), Refusal | n.Node)


# ---- slips of the pen
def slip(text: str, dice: random.Random) -> str:
    """One to three small changes: characters, words and lines that go, come, or change places."""
    for _ in range(dice.choice((1, 1, 2, 3))):
        kind = dice.choice(("character", "word", "line"))
        parts = list(text) if kind == "character" else re.split(r"(\n)" if kind == "line" else r"([\w-]+)", text)
        if not parts:
            return text
        at, other = dice.randrange(len(parts)), dice.randrange(len(parts))
        match dice.choice(("delete", "insert", "swap", "again")):
            case "delete":
                del parts[at]
            case "insert" if kind == "character":
                parts.insert(at, dice.choice([*ODD, *" :,()[]{}#+-@%?\n"]))
            case "insert":
                parts.insert(at, dice.choice(TOKENS) + " ")
            case "swap":
                near = min(at + 2, len(parts) - 1) if dice.random() < 0.5 else other
                parts[at], parts[near] = parts[near], parts[at]
            case _:
                parts.insert(at, parts[other])
        text = "".join(parts)
    return text


@pytest.mark.parametrize("path", SETS, ids=lambda path: path.stem)
def test_slips_in_rule_files(path: Path, folder: Path) -> None:
    count = 60 if THOROUGH else 10
    text, wrong = path.read_text(encoding="utf-8"), 0
    for seed in range(count):
        changed = slip(text, random.Random(f"{path.stem} {seed}"))
        try:
            wrong += bool(len(check_rules(folder / f"slip-{path.name}", changed)))
        except Exception as error:
            error.add_note(f"slip {path.stem} {seed}")
            raise
    assert wrong > count / 3


def blocks(path: Path) -> tuple[str, list[str]]:
    """The name of the rules, and the text of each example with its lines (or the one situation)."""
    text = path.read_text(encoding="utf-8")
    name = re.search(r"^rules: (\S+)$", text, re.M)
    examples = re.split(r"(?m)^(?=example )", text)[1:]
    return name[1] if name else "", examples or [text]


def test_slips_in_examples() -> None:
    dice, wrong, count = random.Random("examples"), 0, 380 if THOROUGH else 100
    names = {path.name for path in SETS}
    pool = [(name, block) for name, found in map(blocks, EXAMPLES) for block in found if f"{name}.yaml" in names]
    for number in range(count):
        name, block = dice.choice(pool)
        changed = slip(block, dice)
        try:
            wrong += bool(len(ask(known(name), f"slip {number}", changed)))
        except Exception as error:
            error.add_note(f"{name}:\n{changed!r}")
            raise
    assert wrong > count / 3


# ---- the places of sentences
EXPRESSIONS = get_args(n.Expr)
CELLS = (n.Row, n.Options, n.Trait)  # what stands in a cell is read by other rules


def within(node: Any) -> Iterator[n.Node]:
    """The nodes just below a node."""
    for name in names(type(node)):
        value = getattr(node, name)
        for item in value if isinstance(value, tuple) else (value,):
            if isinstance(item, n.Node):
                yield item


def alike(one: Any, two: Any) -> bool:
    """Whether two trees are equal, wherever they stand."""
    if isinstance(one, tuple) and isinstance(two, tuple):
        return len(one) == len(two) and all(map(alike, one, two))
    if isinstance(one, n.Node):
        parts = [f for f in names(type(one)) if f not in ("start", "end")]
        return type(one) is type(two) and all(alike(getattr(one, f), getattr(two, f)) for f in parts)
    return bool(one == two)


def inspect(node: n.Node, text: str, cell: bool = False) -> int:
    assert 0 <= node.start <= node.end <= len(text)
    said = text[node.start : node.end]
    if isinstance(node, n.Name):
        assert said == node.text
    count = 0
    if isinstance(node, EXPRESSIONS) and not cell and said not in ("yes", "no"):
        again = parse(said, "line", LANGUAGE)
        assert isinstance(again, n.Line), f"{said!r} of {text!r}: {again}"
        assert alike(node, again.action), f"{said!r} of {text!r}: {again.action}"
        count = 1
    for inner in within(node):
        assert node.start <= inner.start <= inner.end <= node.end, f"{inner} outside of {said!r}"
        count += inspect(inner, text, cell or isinstance(node, CELLS))
    return count


@pytest.mark.parametrize("path", SETS, ids=lambda path: path.stem)
def test_every_node_knows_its_place(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read: dict[tuple[str, str], n.Node | Refusal] = {}

    def listening(text: str, start: str, grammar: str, called: frozenset[str] | None = None) -> n.Node | Refusal:
        read[text, start] = parse(text, start, grammar, called)
        return read[text, start]

    monkeypatch.setattr(sentences, "parse", listening)
    problems = Problems()
    open_rules(stacks_of(path.stem)[0], problems)
    assert not problems.has_errors, render(problems)
    counts = [inspect(node, text) for (text, _), node in read.items() if isinstance(node, n.Node)]
    assert len(counts) == len(read) > 20
    assert sum(counts) > len(counts) / 2


def test_alike_sees_what_differs() -> None:
    trees = [parse(text, "line", LANGUAGE) for text in ("x + y", "(x + y)", "x - y", "x + z", "x + y.z", "  x  + y")]
    assert [alike(trees[0], tree) for tree in trees] == [True, False, False, False, False, True]
    assert Source("x", "y") == Source("x", "y")
