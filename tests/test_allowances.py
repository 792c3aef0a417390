"""`# umpire: allow CODE because …`: what it hides, how far it reaches, and what is said when nothing needs it."""

from __future__ import annotations

import pytest

from interpreter.document.reader import read
from interpreter.source import Allowance, Problems, Source, Span
from interpreter.workbench.files import check_file

HEAD = """\
game: Toy
Firing:
  dice high: d6 at or over
  kind unit:
    skill: number first 4
    hits: number first 0
"""
# `hits = 0` compares; the check of comparisons finds it (P015, a warning).
FAULTS = """\
  to rest (unit):
    calm: unit.hits = 0
    slow: unit.hits = 1
  to wait (unit):
    late: unit.hits = 2
"""


def codes(tmp_path, text):
    path = tmp_path / "toy.yaml"
    path.write_text(text, encoding="utf-8")
    problems = Problems()
    check_file(str(path), problems)
    return [(p.code, p.span.place[0]) for p in problems], [(p.code, a.reason) for p, a in problems.allowed]


def with_comment(comment, before):
    """The faults with a comment on a line of its own before a line that starts so."""
    lines = (HEAD + FAULTS).splitlines(keepends=True)
    at = next(i for i, line in enumerate(lines) if line.strip().startswith(before))
    return "".join([*lines[:at], comment + "\n", *lines[at:]])


def test_without_a_comment_all_is_said(tmp_path):
    assert codes(tmp_path, HEAD + FAULTS) == ([("P015", 8), ("P015", 9), ("P015", 11)], [])


def test_at_the_end_of_a_line_it_counts_for_that_line(tmp_path):
    text = (HEAD + FAULTS).replace("= 0\n", "= 0  # umpire: allow P015 because a test says so\n")
    assert codes(tmp_path, text) == ([("P015", 9), ("P015", 11)], [("P015", "a test says so")])


def test_above_a_line_it_counts_for_that_line(tmp_path):
    text = with_comment("    # umpire: allow P015 because of the page", "slow")
    assert codes(tmp_path, text) == (
        [("P015", 8), ("P015", 12)],
        [("P015", "of the page")],
    )


def test_a_reason_may_go_on_in_the_lines_below(tmp_path):
    comment = "  # umpire: allow P015 because a test\n  #   says so,\n  # and again"
    assert codes(tmp_path, with_comment(comment, "to rest"))[1] == [("P015", "a test says so, and again")] * 2
    two = f"{comment}\n  # umpire: allow P016 because it is another"
    assert codes(tmp_path, with_comment(two, "to rest"))[1] == [("P015", "a test says so, and again")] * 2


def test_what_stands_below_a_line_with_a_reason_is_no_part_of_it(tmp_path):
    text = (HEAD + FAULTS).replace(
        "= 0\n", "= 0  # umpire: allow P015 because a test says so\n    # slow is not calm\n"
    )
    assert codes(tmp_path, text)[1] == [("P015", "a test says so")]


def test_above_a_procedure_it_counts_for_all_its_lines(tmp_path):
    text = with_comment("  # umpire: allow P015 because of the page", "to rest")
    assert codes(tmp_path, text) == ([("P015", 12)], [("P015", "of the page")] * 2)


def test_words_say_which_of_them(tmp_path):
    """Words of the message, or of the place that it shows; marks and spaces do not count."""
    for words in ("unit.hits = 1", "`unit.hits`  = 1", "hits = 7; unit.hits = 1"):
        text = with_comment(f"  # umpire: allow P015 ({words}) because of the page", "to rest")
        left = [("P015", 9), ("P015", 12)] if ";" not in words else [("A001", 7), ("P015", 9), ("P015", 12)]
        assert codes(tmp_path, text) == (left, [("P015", "of the page")])


def test_half_a_word_is_none(tmp_path):
    text = with_comment("  # umpire: allow P015 (it.hits = 1) because of the page", "to rest")
    assert codes(tmp_path, text)[0] == [("A001", 7), ("P015", 9), ("P015", 10), ("P015", 12)]


def test_words_may_stand_between_brackets():
    span = Span(Source("x.yaml", "a: min(b, c - 1) + d"), 0, 20)
    one = Allowance("P015", "of the page", span, (span,), "c - 1")
    said = {
        text: one.holds_for("P015", span, text) for text in ("min(c - 1)", "b, c - 1", "(c - 1)", "c - 12", "a.c - 1")
    }
    assert said == {"min(c - 1)": True, "b, c - 1": True, "(c - 1)": True, "c - 12": False, "a.c - 1": False}


def test_words_count_in_the_whole_file_too(tmp_path):
    text = HEAD + FAULTS + "# umpire: allow P015 (this line compares) in this file because of the page\n"
    assert codes(tmp_path, text) == ([], [("P015", "of the page")] * 3)


def test_in_this_file_it_counts_everywhere(tmp_path):
    text = HEAD + FAULTS + "# umpire: allow P015 in this file because of the page\n"
    assert codes(tmp_path, text) == ([], [("P015", "of the page")] * 3)


def test_other_comments_may_stand_between(tmp_path):
    text = with_comment("    # umpire: allow P015 because of the page\n    # and a remark\n", "slow")
    assert codes(tmp_path, text)[0] == [("P015", 8), ("P015", 14)]


def test_what_nothing_needs_is_told_at_its_code(tmp_path):
    text = with_comment("  # umpire: allow P015 because of the page", "kind unit")
    assert ("A001", 4) in codes(tmp_path, text)[0]


def test_what_is_unused_is_not_told_while_there_are_errors(tmp_path):
    text = with_comment("  # umpire: allow P015 because of the page", "kind unit").replace("number first 4", "nmber")
    found = [code for code, _ in codes(tmp_path, text)[0]]
    assert found
    assert "A001" not in found


def test_the_words_in_a_text_are_no_comment(tmp_path):
    source = Source("x.yaml", "game: Toy\nnote: 'a # umpire: nonsense'\nmore: |\n  x\n  # umpire: nonsense\n")
    problems = Problems()
    read(source, problems)
    assert len(problems) == 0


def test_a_comment_without_a_reason(tmp_path):
    (problem,) = told("# umpire: allow P015")
    assert problem.code == "A002"
    assert "say why" in problem.hint


@pytest.mark.parametrize("words", ["()", "( )", "(a", "a)", "(a) b"])
def test_words_that_are_not_between_parentheses(words):
    (problem,) = told(f"# umpire: allow P015 {words} because (of) the page")
    assert problem.code in ("A002", "A003")


def test_a_long_comment_is_read_at_once():
    """A pattern for the whole of it would try each gap with each other, and never end."""
    gaps = " " * 200_000
    for comment in (
        f"allow{gaps}",
        f"allow P015{gaps}",
        f"allow P015 ({gaps}because",
        "allow P015 " + "in this " * 50_000,
    ):
        (problem,) = told(f"# umpire: {comment}.")
        assert problem.code == "A002"


def test_a_code_with_a_slip(tmp_path):
    (problem,) = told("# umpire: allow P051 because of the page")
    assert (problem.code, problem.span.text) == ("A003", "P051")


def test_an_error_stays(tmp_path):
    (problem,) = told("# umpire: allow N001 because it will be written")
    assert (problem.code, problem.span.text) == ("A004", "N001")


def told(comment):
    problems = Problems()
    read(Source("x.yaml", f"game: Toy\n{comment}\nmore: x\n"), problems)
    return list(problems)
