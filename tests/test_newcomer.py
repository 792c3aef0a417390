"""Slips of somebody who wrote a first rule set by the manual alone, and whether the answer was enough to mend them."""

import pytest
from test_engines_kit import rules_of

from interpreter.document.reader import read
from interpreter.document.shape import check_shape
from interpreter.places import LANGUAGE
from interpreter.rulebook.check import check_book
from interpreter.rulebook.sheets import Sheet
from interpreter.source import Problems, Source
from interpreter.workbench.arguments import compose

HEAD = """
game: toy
Things:
  dice high: d6 at or over
  kind side:
  kind guest of side:
    seat: one of seats
    cheer: number
  table seats: stool, bench
  mark merry of guest:
Doing:
  to load (guest), (n number): guest gains n cheer
  to dine (guest):
"""


def problem_of(line):
    problems = Problems()
    root = read(Source("toy.yaml", f"{HEAD}    {line}\n"), problems)
    if not problems.has_errors:
        check_shape(root, problems)
        check_book([Sheet.of("toy", root)], LANGUAGE, problems, None)
    (problem,) = [p for p in problems if p.severity == "error"]
    return problem


@pytest.mark.parametrize(
    ("line", "code", "hint"),
    [
        ("cold: 3 if merry else -2", "L001", "`0 - 2`"),
        ("warm: true if merry else no", "L005", "`true`"),
        ("deed: guest loads cheer + 1", "L001", "`(cheer + 1)`"),
        ("hot, if 2 dice where it = 1 >= 2: guest gains merry", "L001", "`(faces where it = 1) >= 2`"),
    ],
)
def test_the_hint_says_what_to_write(line, code, hint):
    problem = problem_of(line)
    assert problem.code == code
    assert hint in problem.hint


def test_a_verb_of_the_rules_is_no_slip_of_the_language():
    fix = problem_of("deed: guest loads cheer cheer").fix
    assert fix is None or "loses" not in fix.text


def test_what_governs_a_line_stands_behind_a_comma():
    problem = problem_of("whim: side picks one:\n      bench: nothing")
    assert problem.code == "Y020"
    assert problem.fix.replacement == ","
    assert "`whim, side picks one:`" in problem.fix.text


def test_where_a_thing_of_another_kind_is_wanted_the_hint_names_the_kind():
    rules = rules_of(HEAD.replace("  to dine (guest):\n", "  to open (side): side.guests gain 1 cheer\n"))
    problems = Problems()
    compose(rules, "open", ("guest A: bench",), problems)
    assert [(p.code, p.hint) for p in problems] == [("F016", "describe it: `side B: …`")]
