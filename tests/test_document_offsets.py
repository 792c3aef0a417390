"""Every character of a text of YAML at its place, by both parsers, whatever the text is."""

import json
import re

import pytest
import yaml
from hypothesis import example, given
from hypothesis import strategies as st

from interpreter.document.compose import DEPTH, NODES
from interpreter.document.nodes import Scalar, pieces
from interpreter.document.reader import LARGEST
from interpreter.document.shape import check_shape, check_situation_shape
from interpreter.source import Span, render, to_json
from tests.located import found, located, scalars, value


def assert_offsets(text: str, *, fast: bool = True) -> int:
    """Each character of each scalar was read from where its piece says; how many scalars there were."""
    root, problems = found(text, fast=fast)
    assert root is not None, render(problems)
    count = 0
    for scalar in scalars(root):
        count += 1
        table = pieces(scalar.span, scalar.style, scalar.text)
        assert "".join(piece.text for piece in table) == scalar.text, (text, scalar)
        last = scalar.span.start
        for number, piece in enumerate(table):
            assert last <= piece.start < piece.stop <= scalar.span.end, (text, scalar)
            last = piece.stop
            written = text[piece.start : piece.stop]
            assert reads_as(written, piece.text, scalar.style), (text, scalar, number)
            assert scalar.at(number, number + 1) == Span(scalar.span.source, piece.start, piece.stop)
    return count


def reads_as(written: str, character: str, style: str) -> bool:
    if written == character:
        return True
    if character in " \n":
        return not written.strip(" \t\r\n") or (style == "double" and written[0] == "\\")
    if style == "single":
        return character == "'" and written == "''"
    return style == "double" and yaml.safe_load(f'"{written}"') == character


TEXTS = st.text(
    st.sampled_from("ab :#'\"\\\n-|>[]{}?!&*%@`,0é😀")
    | st.characters(blacklist_categories=("Cs", "Cc", "Cf", "Zs", "Zl", "Zp")),
    max_size=40,
)


@given(
    st.lists(TEXTS, min_size=1, max_size=4),
    st.sampled_from([None, "'", '"', "|", ">"]),
    st.integers(10, 60),
    st.booleans(),
    st.sampled_from(["\n", "\r\n", "\r"]),
)
@example(["\n"], "|", 10, False, "\n")  # a block of an empty line, which says by a digit how far it is indented
def test_offsets_of_dumped_text(
    values: list[str], style: str | None, width: int, unicode: bool, line_break: str
) -> None:
    data = {f"k{number}": {"v": [text]} for number, text in enumerate(values)}
    text = yaml.dump(
        data, default_style=style, width=width, allow_unicode=unicode, line_break=line_break
    )  # fmt: skip
    text = re.sub("[\x85\u2028\u2029\ufeff]", "x", text)
    root, _ = found(text)
    if root is None:
        return  # PyYAML itself cannot read some of what it dumps, a key of one quote for instance
    _, problems = found(text)
    if any(problem.code in ("Y004", "Y011", "Y012", "Y013", "Y015") for problem in problems):
        return
    assert assert_offsets(text) >= len(values)


LINES = st.lists(
    st.sampled_from(["a", "b c", " d", "  e", "", "", " ", "   ", "f  g ", "# h", "i: j", "\\u0066", "x\\"]),
    max_size=7,
)


@given(
    st.sampled_from(["|", ">"]),
    st.sampled_from(["", "+", "-", "1", "2", "2-", "+1", "4"]),
    st.sampled_from(["", "  # a remark", " "]),
    LINES,
    st.sampled_from(["\n", "\r\n", "\r"]),
    st.sampled_from(["", "z: 1", "# end", "  "]),
    st.booleans(),
)
def test_offsets_of_blocks(
    sign: str, header: str, remark: str, lines: list[str], line_break: str, tail: str, bom: bool
) -> None:
    body = [f"k:\n  v: {sign}{header}{remark}".replace("\n", line_break), *(f"    {x}" for x in lines)]
    for text in (line_break.join([*body, tail]), line_break.join(body)):
        text = "\ufeff" * bom + text
        if found(text)[0] is not None:
            assert_offsets(text)
            assert_offsets(text, fast=False)


@given(st.sampled_from(["", "'", '"']), LINES, st.sampled_from(["\n", "\r\n", "\r"]))
def test_offsets_of_lines_that_fold(quote: str, lines: list[str], line_break: str) -> None:
    text = f"k: {quote}" + f"{line_break}  ".join(["x", *lines, "y"]) + f"{quote}{line_break}z: 1"
    if found(text)[0] is not None:
        assert_offsets(text)


@pytest.mark.parametrize(
    ("text", "word", "place"),
    [
        ("a: one neding\n", "neding", (1, 8)),
        ("a: one\n   neding two\n", "neding", (2, 4)),
        ("a: 'it''s neding'\n", "neding", (1, 11)),
        ('a: "\\u0066\\\n   oo neding"\n', "neding", (2, 7)),
        ("a: |\n  one\n  two neding\n", "neding", (3, 7)),
        ("\ufeffa: >-\r\n  one\r\n  neding\r\n", "neding", (3, 3)),
        ("a: 6” neding\n", "neding", (1, 7)),
        ("a: b\u200bc neding\n", "neding", (1, 8)),
        ("a: 'b “c” neding'\n", "neding", (1, 11)),
    ],
)
def test_a_word_in_a_text(text: str, word: str, place: tuple[int, int]) -> None:
    root, _ = found(text)
    assert root is not None
    scalar = root.entries[0].value
    assert isinstance(scalar, Scalar)
    start = scalar.text.index(word)
    assert scalar.at(start, start + len(word)).place == place
    assert scalar.at(start, start + len(word)).text == word


@pytest.mark.parametrize(
    ("text", "column"), [("a: one", 7), ("a: 'one'", 8), ("a: ", 3), ("a: ''", 5), ("a: |\n  one\n", 6)]
)
def test_the_end_of_a_text_is_a_place(text: str, column: int) -> None:
    scalar = value(text)
    end = scalar.at(99, 99)
    assert (end.text, end.place[1]) == ("", column)


# Both parsers, and any text.

TOKENS = st.lists(
    st.sampled_from(
        ["a", "word", "6", '"', "'", ": ", ":", "- ", "\n", "\n  ", "\n    ", " ", "  ", " #", "#", "[", "]",
         "{", "}", ", ", "|", ">", "|-", ">+", "|2", "%", "@", "`", "\t", "\r\n", "\r", "\\", "\\u0066",
         "\\\n", "”", "“", "–", "\xa0", "\u200b", "\u2028", "\x85", "\ufeff", "\x07", "\ud800", "😀", "<<",
         "---", "\n---\n", "\n...\n", ">= 4", "b: ", "\nc: ", "\n  d: ", "\n  - ", "*x"]
    ),
    max_size=20,
).map("".join)  # fmt: skip
ODD = st.lists(st.sampled_from(["&x ", "!t ", "!", "? ", "&", "\n%YAML 1.2\n", "?"]), max_size=3)


@given(TOKENS, st.booleans())
def test_both_parsers_read_the_same(text: str, entry: bool) -> None:
    text = "a: " * entry + text
    (one, first), (two, second) = found(text), found(text, fast=False)
    assert located(one) == located(two)
    if one is not None:
        assert first.sorted() == second.sorted()


@given(st.lists(TOKENS, max_size=3), ODD, st.booleans())
def test_any_text_gives_a_tree_or_errors(parts: list[str], odd: list[str], fast: bool) -> None:
    text = "".join(part for pair in zip(parts, [*odd, "", "", ""], strict=False) for part in pair)
    assert_survives(text, fast)


@given(st.text(), st.booleans())
def test_really_any_text(text: str, fast: bool) -> None:
    assert_survives(text, fast)


def assert_survives(text: str, fast: bool) -> None:
    root, problems = found(text, fast=fast)
    assert root is not None or problems.has_errors
    if root is not None:
        check_shape(root, problems)
        check_situation_shape(root, problems)
        for scalar in scalars(root):
            scalar.at(0, len(scalar.text))
            scalar.at(1, 1)
    for problem in problems:
        assert problem.span is not None
        assert 0 <= problem.span.start <= problem.span.end <= len(text)
        json.dumps(to_json(problem))
    render(problems)


@pytest.mark.parametrize("fast", [True, False])
@pytest.mark.parametrize("text", ["[" * 5000, "a: " + "[" * 5000, "{a: " * 5000, "- " * 5000, "? " * 5000])
def test_deep_nesting_is_refused(text: str, fast: bool) -> None:
    root, problems = found(text, fast=fast)
    assert root is None
    assert [problem.code for problem in problems] == ["Y042"]


def test_the_limits() -> None:
    nested = "".join("  " * level + "a:\n" for level in range(DEPTH))
    assert found(nested)[0] is not None
    _, problems = found(nested + "  " * DEPTH + "a: 1\n")
    assert [(problem.code, problem.span and problem.span.place[0]) for problem in problems] == [("Y042", 21)]
    assert found("a: [" + "x," * (NODES - 3) + "]")[0] is not None
    assert codes("a: [" + "x," * (NODES - 2) + "]") == ["Y043"]
    assert found("a: " + "x" * (LARGEST - 3))[0] is not None
    assert codes("a: " + "x" * (LARGEST - 2)) == ["Y044"]
    assert codes("é" * (LARGEST // 2 + 1)) == ["Y044"]


def codes(text: str) -> list[str]:
    return [problem.code for problem in found(text)[1]]
