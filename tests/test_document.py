"""YAML to located tree: every finding at its character; text stays text; and files."""

import os
from collections.abc import Iterable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interpreter.document.file_io import decode, read_file
from interpreter.document.nodes import Scalar, same
from interpreter.document.reader import LARGEST
from interpreter.document.shape import check_shape
from interpreter.document.syntax import Complaint, report_syntax
from interpreter.source import CATALOGUE, Fix, Problem, Problems, Source, Span, render
from tests.located import found, tree

# Every code once, at its exact characters: « and » stand round them and are taken out.

MARKED = [
    ("Y001", "a: 1\n«a»: 2\n"),
    ("Y001", "a: {b: 1, «'b'»: 2}\n"),
    ("Y002", "a: «*x»\n"),
    ("Y003", "a: «&x» y\n"),
    ("Y003", "a: «&x»\n  b: 1\n"),
    ("Y004", "a: «!pinned»\n"),
    ("Y004", "a: «!»\n"),
    ("Y004", "a: «!»!\n"),
    ("Y005", "a:\n  «<<»: b\n"),
    ("Y006", "a: 1\n«---»\nb: 2\n"),
    ("Y006", "a: 1\n...\n«b»: 2\n"),
    ("Y007", "«%YAML 1.2»\n---\na: 1\n"),
    ("Y007", "# head\n«%anything»\n---\na: 1\n"),
    ("Y008", "a:\n  «?» b\n  : c\n"),
    ("Y008", "«[»a, b]: c\n"),
    ("Y008", "a: {«?» b : c}\n"),
    ("Y033", "a: [b, «f(c, d) is 3», e]\n"),
    ("Y033", "a: [«f(c, g(d, e))»]\n"),
    ("Y009", "a:\n  «:» b\n"),
    ("Y009", "a: {«:» b}\n"),
    ("Y009", "«''»: b\n"),
    ("Y010", "a:\n«\t»b: 1\n"),
    ("Y010", "a: b«\t»c\n"),
    ("Y010", "a:«\t»b\n"),
    ("Y010", "a:\n  b: 1\n«\t»c: 2\n"),  # the tab is reported, and not that c fits nowhere
    ("Y011", "a: 6«”»\n"),
    ("Y011", "a: '6«″»'\n"),
    ("Y012", "a: b «“»c\n"),
    ("Y013", "a: 4«–»6\n"),
    ("Y013", "a: roll «−»1\n"),
    ("Y013", "go«‑»to: 1\n"),
    ("Y014", "a: b«\u00a0»c\n"),
    ("Y014", "a:\n«\u00a0\u00a0»b: 1\n"),
    ("Y015", "a: b«\u200b\u200b»c\n"),
    ("Y015", "a: 1  # b«\u202e»c\n"),
    ("Y016", "a: b«\u2028»c\n"),
    ("Y016", "a: b«\u0085»c\n"),
    ("Y017", "a: b«\u0007»c\n"),
    ("Y018", "a: Weapon «#2»\n"),
    ("Y020", "a: hit«:» 4+\n"),
    ("Y020", 'a: 6"«:» note\n'),
    ("Y020", 'a: "x"«:» y\n'),
    ("Y021", "a: 1\n  «b»: 2\n"),
    ("Y022", "a«:»1\nb: 2\n"),
    ("Y023", 'a: "6" «move»  # x\n'),
    ("Y023", "a: 'it'«s'»\n"),
    ("Y023", "a: [1, 2] «x»\n"),
    ("Y023", '"a" «b: 1»\n'),
    ("Y024", "a:\n    b: 1\n  «c»: 2\n"),
    ("Y024", "  a: 1\n«b»: 2\n"),
    ("Y025", "a:\n  - b\n  «c»: 1\n"),
    ("Y025", "a:\n  c: 1\n  «-» b\n"),
    ("Y026", "a: «>» 6\n"),
    ("Y026", "a: «>=» 4\n"),
    ("Y026", "a: [«>» 4]\n"),
    ("Y027", "a: «%» 5\n"),
    ("Y027", "a: «@»b\n"),
    ("Y027", "a: «`»b`\n"),
    ("Y027", "a: «-» b\n"),
    ("Y027", "a: «?» b\n"),
    ("Y027", "a: «&» y\n"),
    ("Y027", "a: «*» y\n"),
    ("Y027", "a: «,» y\n"),
    ("Y027", "a: «]»\n"),
    ("Y028", "a: «'»b\nc: 1\n"),
    ("Y028", 'a: «"»b\nc: 1\n'),
    ("Y029", "a: «[»1, 2\n"),
    ("Y029", "a: «[»\n"),
    ("Y029", "a: [1 2\nb«:» 3]\n"),
    ("Y030", 'a: "x«\\q»"\n'),
    ("Y030", 'a: "x«\\u»00zz"\n'),
    ("Y031", "a: 1\n«b c»  # x\nd: 2\n"),
    ("Y031", "«b c»\nd: 2\n"),
    ("Y032", "a: «| x»\n"),
    ("Y032", "a: «|0»\n  x\n"),
    ("Y032", "a: «|#x»\n  x\n"),
    ("Y040", "«»# nothing\n"),
    ("Y040", "«»\n...\n# nothing\n"),
    ("Y041", "«-» a\n"),
    ("Y041", "«a» b\n"),
    ("S001", "game: T\n«clause»: T\n"),
    ("S001", "game: T\n«kind unit»:\n  a: b\n"),
    ("S002", "«clauses»: T\n"),
    ("S003", "game:\n  «a»: b\n"),
    ("S003", "game: T\nchange: «x»\n"),
    ("S003", "game: T\n«change»:\n"),
    ("S003", "game: T\nF:\n  example a:\n    dice:\n      c:\n        «d»: e\n"),
    ("S004", "game: T\nabout: «[1, 56]»\n"),
    ("S004", "game: T\nF:\n  to x:\n    - y\n".replace("- y", "«-» y")),
    ("S005", "game: T\nFiring: «two dice»\n"),
    ("S005", "game: T\n«Firing»:\n"),
    ("S006", "game: T\nF:\n  «tabel» weapons: a\n"),
    ("S006", "game: T\nF:\n  «Kind» unit: a\n"),
    ("S006", "game: T\nF:\n  «kind»: a\n"),
    ("S007", "game: T\n«over»:\n"),
    ("S008", "game: T\nF:\n  example a:\n    «fact»: x\n"),
]


@pytest.mark.parametrize("fast", [True, False], ids=["C", "pure"])
@pytest.mark.parametrize(("code", "marked"), MARKED)
def test_each_finding_at_its_characters(code: str, marked: str, fast: bool) -> None:
    start = marked.index("«")
    end = marked.index("»") - 1
    check = check_shape if code[0] == "S" else None
    _, problems = found(marked.replace("«", "").replace("»", ""), check, fast=fast)
    places = [(problem.code, problem.span.start, problem.span.end) for problem in problems if problem.span]
    assert places == [(code, start, end)], render(problems)


LATER = {"S009", "S010", "S012"}  # other rooms find these, of what the texts mean: test_catalogue draws them


def test_every_code_that_a_text_can_draw_is_drawn() -> None:
    drawn = {code for code, _ in MARKED} | LATER
    drawn |= {"Y039", "Y042", "Y043", "Y044", "Y050", "Y051", "Y052", "Y053", "Y054", "Y055", "Y056", "Y057"}
    assert drawn == {code for code in CATALOGUE if code[0] in "YS"}


PAGES = [(code, entry) for code, entry in CATALOGUE.items() if code[0] in "YS" and code not in LATER and entry.bad]


@pytest.mark.parametrize("code", [code for code, _ in PAGES])
def test_the_catalogue_examples(code: str) -> None:
    entry = CATALOGUE[code]
    assert {problem.code for problem in found(entry.bad, check_shape)[1]} == {code}
    assert not len(found(entry.good, check_shape)[1])


def test_a_complaint_that_has_no_words_of_its_own() -> None:
    source, problems = Source("t.yaml", "a: b\n"), Problems()
    report_syntax(source, Complaint("found something new", "while reading", 3, 0), problems)
    assert [problem.message for problem in problems] == ["I cannot read on here (found something new)"]
    assert [problem.span for problem in problems] == [Span(source, 3, 4)]


def safe_fixes(text: str) -> list[Fix]:
    return [problem.fix for problem in found(text, check_shape)[1] if problem.fix and problem.fix.safe]


@pytest.mark.parametrize("code", [code for code, entry in PAGES if safe_fixes(entry.bad)])
def test_a_safe_fix_fixes(code: str) -> None:
    text = CATALOGUE[code].bad
    assert not len(found(apply(text, safe_fixes(text)), check_shape)[1])


def apply(text: str, fixes: Iterable[Fix | None]) -> str:
    for fix in sorted(filter(None, fixes), key=lambda fix: fix.span, reverse=True):
        text = text[: fix.span.start] + fix.replacement + text[fix.span.end :]
    return text


@pytest.mark.parametrize(
    ("text", "fixed"),
    [
        ("a:\n\tb: 6”\n\tc: 4–6\n", 'a:\n  b: 6"\n  c: 4-6\n'),
        ('a: "6”"\n', 'a: "6\\""\n'),
        ("a: “b c”\n", 'a: "b c"\n'),
        ("a:\u00a0b\u200b\n", "a: b\n"),
    ],
)
def test_characters_are_read_as_they_are_fixed(text: str, fixed: str) -> None:
    root, problems = found(text)
    assert root is not None
    assert same(root, tree(fixed))
    assert apply(text, [problem.fix for problem in problems]) == fixed


@pytest.mark.parametrize(
    "text",
    [
        "game: Martin’s “Very British” War, 1937–39\n",
        "a: 1  # 6” – “x”\u00a0y\n",
        "a: 1\t\n\t\n# b\tc\nd: 2\t# e\n",
        "\ufeffa: 1\r\nb:\r\n  c: 2\r\n",
        "---\na: 1\n...\n",
        "a: 1  # two spaces\n",
        "a: b#2\n",
        "who: owner’s unit\n",
        "a: می\u200cخواهم\n",
    ],
)
def test_nobodys_mistake(text: str) -> None:
    tree(text)


def test_a_text_in_curled_quotes_is_quoted_by_the_fix() -> None:
    text = "a: “hit: it’s 4+”\n"
    _, problems = found(text)
    assert [problem.code for problem in problems] == ["Y012", "Y020"]
    assert apply(text, [problem.fix for problem in problems if problem.fix]) == "a: 'hit: it’s 4+'\n"


def test_many_findings_in_one_pass() -> None:
    _, problems = found("a: 6”\n\tb: *c\nd: 1 #2\nd: &x 3\ne: f: g\nh: 4–6\n")
    assert [problem.code for problem in problems] == ["Y011", "Y010"]
    _, problems = found("a: 6”\nb: *c\nd: 1 #2\nd: &x 3\ne: 4–6\n")
    assert [problem.code for problem in problems] == ["Y011", "Y002", "Y018", "Y001", "Y003", "Y013"]


# Text stays text.


def test_yaml_types_nothing() -> None:
    text = "on: no\n1:30: 1:30\n010: 0x1F\n+1: 2024-01-02\n~: null\n1-2: 6\na:\nb: ''\nc: {}\nd: []\n"
    root = tree(text)
    got = [(entry.key.text, entry.value.text) for entry in root if isinstance(entry.value, Scalar)]
    assert got == [
        ("on", "no"), ("1:30", "1:30"), ("010", "0x1F"), ("+1", "2024-01-02"),
        ("~", "null"), ("1-2", "6"), ("a", ""), ("b", ""),
    ]  # fmt: skip
    assert root.get("c") is not None
    assert root.get("z") is None


def test_same_looks_at_words_only() -> None:
    one = tree("a: {b: [c, d]}\n")
    assert same(one, tree("'a':\n  b:\n    - c  # x\n    - \"d\"\n"))
    for other in ("a: {b: [c]}\n", "a: {b: [c, e]}\n", "a: {x: [c, d]}\n", "a: b\n", "a: {b: c}\n"):
        assert not same(one, tree(other))


def test_collections_end_where_their_last_text_ends() -> None:
    root = tree("a:\n  b: 1  # x\n\n# y\nc: {d: 2}  # z\n")
    assert [node.span.text for _, node in ((e.key, e.value) for e in root)] == ["b: 1", "{d: 2}"]
    assert root.span.text.endswith("{d: 2}")


# Files.


def file_problem(path: Path) -> Problem:
    problems = Problems()
    assert read_file(path, problems) is None
    (problem,) = problems
    return problem


def test_a_file(tmp_path: Path) -> None:
    path = tmp_path / "toy.yaml"
    path.write_bytes("\ufeffgame: Tö\r\n".encode())
    problems = Problems()
    source = read_file(path, problems)
    assert source == Source(str(path), "\ufeffgame: Tö\r\n")
    assert not len(problems)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "modern.yaml").write_text("game: T\n")
    missing = file_problem(tmp_path / "modren.yaml")
    assert (missing.code, missing.hint) == ("Y050", f"did you mean {tmp_path / 'modern.yaml'}?")
    assert file_problem(tmp_path / "gone" / "modern.yaml").code == "Y050"
    assert file_problem(tmp_path / "modern.yaml" / "x").code == "Y050"
    assert file_problem(tmp_path).code == "Y051"
    assert file_problem(Path(os.devnull)).code == "Y051"
    assert file_problem(Path("a\0b")).code == "Y052"
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    assert file_problem(tmp_path / "loop").code == "Y052"
    (tmp_path / "big").write_bytes(b"x" * (LARGEST + 1))
    assert file_problem(tmp_path / "big").code == "Y044"


@pytest.mark.parametrize(
    ("content", "code", "part"),
    [
        (b"game: T\nabout: \xe9t\xe9\n", "Y053", "byte 15 (line 2, column 8)"),
        ("game: T\n".encode("utf-16"), "Y053", "byte 0 (line 1, column 1)"),
        (b"game\0", "Y054", "byte 4"),
    ],
)
def test_bytes_that_are_no_text(content: bytes, code: str, part: str) -> None:
    problems = Problems()
    assert decode("t.yaml", content, problems) is None
    (problem,) = problems
    assert problem.code == code
    assert part in problem.message


@given(st.binary(max_size=40))
def test_any_bytes(content: bytes) -> None:
    problems = Problems()
    assert (decode("t.yaml", content, problems) is None) == problems.has_errors
