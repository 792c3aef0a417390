"""YAML to located tree: every finding at its character, every character at its place."""

import json
import os
import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import jsonschema
import pytest
import yaml
from hypothesis import example, given
from hypothesis import strategies as st

from interpreter.document import (
    Mapping,
    Node,
    Scalar,
    Sequence,
    check_shape,
    check_situation_shape,
    read,
    read_file,
    same,
    schema,
)
from interpreter.document.compose import DEPTH, NODES
from interpreter.document.files import decode
from interpreter.document.offsets import pieces
from interpreter.document.reader import LARGEST
from interpreter.document.shape import RULE_FILE, SITUATION, title_words
from interpreter.document.syntax import Complaint, report_syntax
from interpreter.source import CATALOGUE, Fix, Problem, Problems, Source, Span, render, to_json

Check = Callable[[Mapping, Problems], None]


def found(text: str, check: Check | None = None, *, fast: bool = True) -> tuple[Mapping | None, Problems]:
    problems = Problems()
    root = read(Source("t.yaml", text), problems, fast=fast)
    if root is not None and check is not None:
        check(root, problems)
    return root, problems


def tree(text: str) -> Mapping:
    root, problems = found(text)
    assert root is not None, render(problems)
    assert not len(problems), render(problems)
    return root


def value(text: str) -> Scalar:
    """The value of the one entry of a text."""
    node = tree(text).entries[0].value
    assert isinstance(node, Scalar)
    return node


def scalars(node: Node) -> Iterator[Scalar]:
    if isinstance(node, Scalar):
        yield node
    elif isinstance(node, Sequence):
        for item in node:
            yield from scalars(item)
    else:
        for entry in node:
            yield entry.key
            yield from scalars(entry.value)


def located(node: Node | None) -> object:
    """A tree as plain data with all its places."""
    if node is None:
        return None
    place = (node.span.start, node.span.end)
    if isinstance(node, Scalar):
        return (node.text, node.style, place)
    if isinstance(node, Sequence):
        return (place, [located(item) for item in node])
    return (place, [(located(entry.key), located(entry.value)) for entry in node])


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


LATER = {"S009", "S010", "S011", "S012"}  # other rooms find these, of what the texts mean: test_catalogue draws them


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


# Offsets.


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


# Shape.


def test_the_schemas_are_schemas() -> None:
    for name in (RULE_FILE, SITUATION):
        jsonschema.Draft202012Validator.check_schema(schema(name))
        assert not re.search(r'"(anyOf|oneOf)"', json.dumps(schema(name)))
    described = [*schema(RULE_FILE)["properties"].values()]
    described += schema(RULE_FILE)["$defs"]["section"]["patternProperties"].values()
    described += schema(SITUATION)["$defs"]["situation"]["properties"].values()
    assert all(each["description"] for each in described)


def test_all_kinds_of_definition_stand_under_a_heading() -> None:
    bodies = [": text", ":", ":\n    a: b\n    c:\n      d: e"]
    for number, body in enumerate(bodies):
        section = "".join(f"  {word} x{number}{body}\n" for word in title_words() if word not in ("example", "typical"))
        assert not len(found(f"game: T\nÉlan & co:\n{section}", check_shape)[1])
    assert title_words()[:3] == ("kind", "table", "value")
    assert "add to" in title_words()


def test_a_whole_head() -> None:
    text = (
        "game: T\nclauses: T\nschema: 1\nversion: 1.2.0\nextends: x@1\nover: y\ntable talk: 1, 56\n"
        "about: z\nchange:\n  weapons.lmg.shots: 4, was 3\n"
    )
    assert not len(found(text, check_shape)[1])


SITUATION_TEXT = """\
rules: modern, morale
unit a: 6 figures, weapon rifle
vehicle t-34:
  armour: heavy
facts:
  - distance(a, b) is 20"
  - b sees a
do: shoot(a, b)
dice: {hits: 6 1 5, saves: 2}
then: hits = 2
odds: 1/6 that hits >= 1
"""


def test_a_situation() -> None:
    assert not len(found(SITUATION_TEXT, check_situation_shape)[1])
    inside = "".join(f"    {line}\n" for line in SITUATION_TEXT.splitlines())
    assert not len(found(f"game: T\nFiring:\n  example e:\n{inside}", check_shape)[1])
    wrong = "Unit b: y\nfact: z\nfacts:\n  a:\n    b: c\n"
    got = [(problem.code, problem.hint) for problem in found(wrong, check_situation_shape)[1]]
    hint = 'it is written `facts: distance(A, B) is 20"`'
    assert got == [("S008", None), ("S008", "did you mean `facts`?"), ("S003", hint)]


def test_every_shape_error_in_one_pass() -> None:
    text = "clause: T\nFiring:\n  Table weapons: a\n  foo: b\n  to x:\n    a: [1]\nmelee: x\nMove: y\n"
    _, problems = found(text, check_shape)
    assert [(p.code, p.span and p.span.place, p.hint) for p in problems] == [
        ("S001", (1, 1), "did you mean `clauses`?"),
        ("S002", (1, 1), "begin the file with `game: NAME`"),
        ("S006", (3, 3), "did you mean `table`?"),
        ("S006", (4, 3), hint_of_words()),
        ("S004", (6, 8), None),
        ("S001", (7, 1), None),
        ("S005", (8, 7), None),
    ]


def hint_of_words() -> str:
    *most, last = (f"`{word}`" for word in title_words())
    return f"it can be {', '.join(most)} or {last}"


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
