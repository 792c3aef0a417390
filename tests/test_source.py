"""Texts, places, problems and their words."""

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interpreter.source import (
    CATALOGUE,
    Fix,
    Label,
    Problem,
    Problems,
    Source,
    Span,
    nearest,
    render,
    to_json,
)
from interpreter.source.catalogue import FAMILIES, family
from interpreter.source.nearest import distance
from interpreter.source.rendering import excerpt

LETTERS = st.text("ab1 \t\r\n\u2028\x85é😀", max_size=30)


def span(text: str, start: int, end: int, name: str = "t.yaml") -> Span:
    return Span(Source(name, text), start, end)


# Places.


@pytest.mark.parametrize(
    ("text", "offset", "place"),
    [
        ("", 0, (1, 1)),
        ("ab", 2, (1, 3)),
        ("a\nb", 1, (1, 2)),
        ("a\nb", 2, (2, 1)),
        ("a\r\nb", 3, (2, 1)),
        ("a\rb", 2, (2, 1)),
        ("a\n", 2, (2, 1)),
        ("😀é\n😀x", 4, (2, 2)),
        ("a\u2028b\x85c", 4, (1, 5)),  # editors end no line at either
        ("ab", 99, (1, 3)),
    ],
)
def test_places(text: str, offset: int, place: tuple[int, int]) -> None:
    assert Source("t", text).place(offset) == place


@given(LETTERS)
def test_a_place_leads_back_to_its_offset(text: str) -> None:
    source = Source("t", text)
    lines = re.split(r"\r\n|\r|\n", text)
    assert source.lines == len(lines)
    for offset in range(len(text) + 1):
        line, column = source.place(offset)
        assert source.line(line) == lines[line - 1]
        if column <= len(lines[line - 1]) + 1:  # not between \r and \n
            assert source.offset(line, column) == offset


def test_lines_past_either_end_are_empty() -> None:
    assert [Source("t", "a\nb").line(n) for n in (0, 1, 2, 3)] == ["", "a", "b", ""]


def test_spans_join_compare_and_hash() -> None:
    source = Source("t", "one two three")
    one, three = Span(source, 0, 3), Span(source, 8, 13)
    assert one.to(three).text == three.to(one).text == "one two three"
    assert one < three < Span(Source("u", ""), 0, 0)
    assert {one, Span(Source("t", "one two three"), 0, 3)} == {one}
    assert (three.place, three.end_place) == ((1, 9), (1, 14))
    with pytest.raises(ValueError, match="cannot be joined"):
        one.to(Span(Source("u", "one"), 0, 3))


# Problems and their catalogue.


def test_problems_are_kept_once_and_sorted() -> None:
    source, problems = Source("t", "abc"), Problems()
    for _ in range(2):
        problems.add("Y014", Span(source, 1, 2), number="U+00A0")
        problems.add("Y010", Span(source, 1, 2))
        problems.add("Y010", Span(source, 0, 1))
    problems.add("Y050", None, file="gone.yaml")
    assert [problem.code for problem in problems] == ["Y050", "Y010", "Y010", "Y014"]
    assert len(problems) == 4
    assert problems.has_errors
    others = Problems()
    others.extend(problems)
    others.extend(problems)
    assert others.sorted() == problems.sorted()


def test_warnings_are_no_errors() -> None:
    problems = Problems()
    problems.add("Y014", None, number="U+00A0")
    assert not problems.has_errors


def test_an_unknown_code_or_a_missing_fact_is_our_mistake() -> None:
    with pytest.raises(KeyError):
        Problems().add("Y999", None)
    with pytest.raises(KeyError):
        Problems().add("Y014", None)


def test_each_code_stands_in_one_family_and_is_explained() -> None:
    assert len(set(CATALOGUE)) == len(CATALOGUE)
    for letter in FAMILIES:
        for code, entry in family(letter).items():
            assert re.fullmatch(rf"{letter}[0-9]{{3}}", code)
            assert entry.meaning, code
            assert bool(entry.bad) == bool(entry.good), code


# Near words.


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("neding", ["needing"]),
        ("lgm", ["lmg"]),
        ("lmgs", ["lmg"]),
        ("xyz", []),
        ("rfile", ["rifle"]),
        ("r" * 100, []),
    ],
)
def test_nearest(word: str, expected: list[str]) -> None:
    assert nearest(word, ["needing", "lmg", "rifle", "sniper-rifle"]) == expected


def test_nearest_is_best_first_then_alphabetical() -> None:
    assert nearest("walk", ["walls", "walc", "wall", "talk"]) == ["talk", "walc", "wall"]
    assert nearest("walk", ["walls", "walc"], limit=1) == ["walc"]


def slow_distance(one: str, two: str) -> int:
    """The same by trying every way: an edit, or a swap of neighbours with edits between them."""
    if not one or not two:
        return len(one) + len(two)
    best = min(
        slow_distance(one[:-1], two) + 1,
        slow_distance(one, two[:-1]) + 1,
        slow_distance(one[:-1], two[:-1]) + (one[-1] != two[-1]),
    )
    for i in range(len(one) - 1):
        for j in range(len(two) - 1):
            if one[i] == two[-1] and one[-1] == two[j]:
                between = len(one) - i - 2 + len(two) - j - 2
                best = min(best, slow_distance(one[:i], two[:j]) + between + 1)
    return best


@given(st.text("abc", max_size=4), st.text("abc", max_size=4))
def test_distance_equals_its_slow_twin(one: str, two: str) -> None:
    assert distance(one, two) == min(slow_distance(one, two), 3) == distance(two, one)
    assert distance(one, two, 30) == min(slow_distance(one, two), 31)


# Rendering.


def test_a_problem_in_full() -> None:
    text = "change:\n  weapons.lgm.shots: 4, was 3\n"
    base = span('  lmg: 36", 3, small\n', 2, 5, "modern.yaml")
    problem = Problem(
        "Y001",
        "error",
        "this house rule changes a weapon that does not exist",
        span(text, 18, 21, "garden.yaml"),
        'no weapon is called "lgm"',
        (Label(base, "did you mean this one?"),),
        "weapons are rows of `table weapons`",
        Fix(span(text, 18, 21), "lmg", True, "weapons.lmg.shots"),
    )
    assert render([problem]) == (
        "error Y001: this house rule changes a weapon that does not exist\n"
        "  garden.yaml:2:11 | weapons.lgm.shots: 4, was 3\n"
        '                   |         ^^^ no weapon is called "lgm"\n'
        '  modern.yaml:1:3  | lmg: 36", 3, small  <- did you mean this one?\n'
        "  hint: weapons are rows of `table weapons`\n"
        "  fix (safe): weapons.lmg.shots\n"
        "  more: umpire explain Y001\n"
        "\n"
        "1 error\n"
    )
    assert "\x1b[1;31m" in render([problem], colour=True)
    assert re.sub(r"\x1b\[[0-9;]*m", "", render([problem], colour=True)) == render([problem])


def test_a_count_of_each_severity() -> None:
    problems = [Problem("Y001", severity, "m", None) for severity in ("error", "style", "error", "warning")]
    assert render(problems).splitlines()[-1] == "2 errors, 1 warning, 1 remark on style"
    assert render([]) == ""


@pytest.mark.parametrize(
    ("line", "start", "end", "shown", "carets"),
    [
        ("a bad c", 2, 5, "a bad c", "  ^^^"),
        ("  \tx: bad", 6, 9, "x: bad", "   ^^^"),
        ("a\tbad", 2, 5, "a    bad", "     ^^^"),
        ("日本 bad", 3, 6, "日本 bad", "     ^^^"),
        ("日本 bad", 0, 1, "日本 bad", "^^"),
        ("e\u0301 bad", 3, 6, "e\u0301 bad", "  ^^^"),
        ("ab", 2, 2, "ab", "  ^"),
        ("ab   ", 4, 4, "ab  ", "    ^"),
        ("", 0, 0, "", "^"),
        ("a\x1b[31mb", 1, 2, "a<U+001B>[31mb", " ^^^^^^^^"),
        ("a\u200bb", 1, 2, "a<U+200B>b", " ^^^^^^^^"),
        ("a" * 50 + "bad" + "c" * 50, 50, 53, "…" + "a" * 7 + "bad" + "c" * 8 + "…", "        ^^^"),
        ("bad" + "c" * 50, 0, 3, "bad" + "c" * 15 + "…", "^^^"),
    ],
)
def test_carets_stand_under_the_characters(line: str, start: int, end: int, shown: str, carets: str) -> None:
    found = excerpt(line, start, end, 20)
    assert (found.line, found.carets) == (shown, carets)


@given(st.text(max_size=80), st.integers(0, 90), st.integers(0, 90), st.integers(0, 60))
def test_any_place_can_be_shown(text: str, start: int, end: int, width: int) -> None:
    source = Source(text, text)
    problem = Problem("Y001", "error", text, Span(source, start, start + end), text, hint=text)
    shown = render([problem], width=width)
    assert not set(shown) & set("\x1b\r\t\u2028")
    assert json.loads(json.dumps(to_json(problem)))["code"] == "Y001"


def test_a_problem_as_data() -> None:
    where = span("a\nbad", 2, 5)
    problem = Problem("Y001", "error", "m", where, "l", (Label(where, "o"),), "h", Fix(where, "r", True, "f"))
    place = {"file": "t.yaml", "line": 2, "column": 1, "end_line": 2, "end_column": 4}
    assert to_json(problem) == {
        "code": "Y001",
        "severity": "error",
        "message": "m",
        **place,
        "label": "l",
        "others": [{**place, "text": "o"}],
        "hint": "h",
        "fix": {**place, "replacement": "r", "safe": True, "text": "f"},
    }
    assert to_json(Problem("Y050", "error", "m", None))["line"] is None
