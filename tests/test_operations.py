"""The table of operations: one row and one function add an operation, and everybody who speaks of operations knows it.

`second-highest(dice)` is added here. It is worked out by hand: of two dice it is the lower, of three the one in the
middle, and of fewer than two there is none.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable
from fractions import Fraction
from math import inf
from pathlib import Path

import pytest
from small_games import hold, told
from test_manual import loaded
from typed import CliRunner
from worked import worked

from interpreter.lint.implication import ConditionEvaluator, mutually_exclusive
from interpreter.mutation.mutation_operators import slips
from interpreter.rulebook import typed as t
from interpreter.source import Problems
from interpreter.surfaces.cli.group import main
from interpreter.vocabulary.intervals import ZERO, Interval
from interpreter.vocabulary.operations import EVALUATED, FUNCTIONS, OPERATIONS, Operation, of_dice, register, sentence
from interpreter.vocabulary.types import NUMBER, TRUTH
from interpreter.workbench.rules import open_rules
from tests.mutated import survivors, tried
from tests.mutated import toy as toy

ROOT = Path(__file__).parent.parent
ROOM = ROOT / "interpreter"


def second_highest(faces: tuple[int, ...]) -> int:
    return sorted(faces)[-2] if len(faces) > 1 else 0


ROW = Operation(
    "second-highest",
    word="second-highest",
    sentence="second-highest(3d6): the second highest face; of fewer than two dice it is 0",
    signature=of_dice,
    evaluate=second_highest,
    range_of_dice=lambda count, face: Interval(face.low if count.low > 1 else 0, face.high if count.high > 1 else 0),
    faces=True,
    slip="highest",
)


@pytest.fixture
def added(monkeypatch: pytest.MonkeyPatch) -> None:
    """The language with one more operation, for one test."""
    monkeypatch.setitem(OPERATIONS, ROW.name, ROW)
    monkeypatch.setitem(FUNCTIONS, ROW.word, ())
    monkeypatch.setitem(EVALUATED, ROW.function, ROW)
    register(ROW)


def game(*lines: str) -> str:
    return "\n".join(("game: Second", "Shots:", "  kind unit:", "    luck: number first 2", *lines)) + "\n"


SHOOT = (
    "  to shoot (unit):",
    "    thrown: 3d6",
    "    score: second-highest(thrown)",
    "    down, if score >= 5: unit loses 1 luck",
)
EXAMPLE = (
    "  example a-shot:",
    "    unit A: luck 2",
    "    do: A shoots",
    "    odds: 7/27 that score >= 5",
)


# ---- one row more
def test_without_its_row_nobody_knows_it(tmp_path: Path) -> None:
    assert told(tmp_path, game(*SHOOT)) == [("N001", "second-highest")]


def problems_of(folder: Path, text: str) -> Problems:
    (folder / "game.yaml").write_text(text, encoding="utf-8")
    problems = Problems()
    open_rules(str(folder / "game.yaml"), problems)
    return problems


@pytest.mark.usefixtures("added")
def test_check_takes_it(tmp_path: Path) -> None:
    hold(tmp_path, game(*SHOOT, *EXAMPLE))


@pytest.mark.usefixtures("added")
def test_a_wrong_argument_is_told_with_its_sentence(tmp_path: Path) -> None:
    (problem,) = problems_of(tmp_path, game("  to shoot (unit):", "    score: second-highest(unit)"))
    assert problem.code == "T003"
    assert problem.hint == ROW.sentence


@pytest.mark.usefixtures("added")
@pytest.mark.parametrize("name", ["highest", "second-highest"])
def test_a_comparison_that_cannot_hold_is_found(name: str, tmp_path: Path) -> None:
    body = ("  to shoot (unit):", f"    down, if {name}(3d6) > 6: unit loses 1 luck")
    (problem,) = problems_of(tmp_path, game(*body))
    assert problem.code == "I004"
    assert "never" in problem.message
    assert problem.hint == f"`{name}(3d6)` goes from 1 to 6"


@pytest.mark.usefixtures("added")
def test_of_one_die_it_is_nothing(tmp_path: Path) -> None:
    body = ("  to shoot (unit):", "    down, if second-highest(1d6) >= 1: unit loses 1 luck")
    (problem,) = problems_of(tmp_path, game(*body))
    assert (problem.code, problem.hint) == ("I004", "`second-highest(1d6)` is 0")


@pytest.mark.usefixtures("added")
def test_odds_are_play_under_every_script() -> None:
    """At least `n` shows where at least two of three dice do: 3 p² (1 - p) + p³, of a chance p that one does."""

    def at_least(n: int) -> Fraction:
        p = Fraction(7 - n, 6)
        return 3 * p**2 * (1 - p) + p**3

    law = {face: at_least(face) - at_least(face + 1) for face in range(1, 7)}
    assert law[3] == Fraction(52, 216)
    asked = {"score": law, "score >= 5": {True: Fraction(7, 27), False: Fraction(20, 27)}}
    worked(
        game(*SHOOT), "unit A: luck 2\ndo: A shoots\n", {**asked, "A.luck": {1: Fraction(7, 27), 2: Fraction(20, 27)}}
    )


@pytest.mark.usefixtures("added")
@pytest.mark.parametrize(
    ("dice", "line"),
    [
        ("6 5 1", "A loses 1 luck → 1"),
        ("6 4 1", "- no down: second-highest(thrown) >= 5 is not so (second-highest(thrown) is 4)"),
    ],
)
def test_a_trace_gives_the_reason(dice: str, line: str, tmp_path: Path) -> None:
    rules = game("  to shoot (unit):", "    thrown: 3d6", "    down, if second-highest(thrown) >= 5: unit loses 1 luck")
    (tmp_path / "second.yaml").write_text(rules, encoding="utf-8")
    (tmp_path / "shot.yaml").write_text("rules: second\nunit A: luck 2\ndo: A shoots\n", encoding="utf-8")
    words = ["resolve", str(tmp_path / "shot.yaml"), "--dice", dice.replace(" ", ","), "-v"]
    done = CliRunner().invoke(main, words, env={"COLUMNS": "140", "NO_COLOR": "1"})
    assert done.exit_code == 0, done.output
    assert line in [re.sub(r" {2,}\S+\.yaml:\d+$", "", said).strip() for said in done.output.splitlines()]


@pytest.mark.usefixtures("added")
def test_a_slip_makes_another_of_it(toy) -> None:  # type: ignore[no-untyped-def]
    text = "second-highest(thrown)"
    (slip,) = [s for s in slips(text, lambda _: []) if s.start == 0]
    assert text[: slip.start] + slip.instead + text[slip.end :] == "highest(thrown)"
    found = tried(toy(game(*SHOOT, *EXAMPLE)), lambda m: m.address == "shoot.score" and m.then == "highest(thrown)")
    assert found.counts()["noticed"] == 1
    assert survivors(found) == []


@pytest.mark.usefixtures("added")
def test_the_manual_lists_it() -> None:
    page = loaded("reference").page()
    assert (
        "| `second-highest` | `second-highest(3d6)`: the second highest face; of fewer than two dice it is 0 |" in page
    )
    assert "second-highest" not in (ROOT / "docs" / "reference.md").read_text("utf-8")


# ---- the rows that are there
@pytest.mark.parametrize("row", OPERATIONS.values(), ids=OPERATIONS)
def test_a_row_has_all_facts(row: Operation) -> None:
    if row.word:
        assert row.signature is not None
        assert sentence(row.word).startswith(f"{row.word}(")
    if row.numbers or row.faces:
        assert not row.may_be_none
    if row.numbers:
        assert row.evaluate is not None
    if row.compares and row.numbers:
        assert row.bounds is not None
        assert row.breach
        assert OPERATIONS[row.turned].turned == row.name
    if row.opposite:
        assert OPERATIONS[row.opposite].opposite == row.name
    if row.slip:
        assert row.written
        assert OPERATIONS[row.slip].written not in ("", row.written)
    if row.one_face:
        assert row.faces
        assert row.range_of_dice is not None
    assert set(row.rises) <= {1, -1}
    assert row.fractions in ("", "operands", "members", "makes")


VALUES = (-3, -1, 0, 1, 2, 5)


@pytest.mark.parametrize("row", [r for r in OPERATIONS.values() if r.numbers], ids=lambda r: r.name)
def test_the_facts_of_a_row_are_so(row: Operation) -> None:
    """Its range, its bounds, the ways it goes, its opposite and its turned form are those of its function."""
    assert row.evaluate is not None
    one = row.signature is not None and row.word in ("half", "whole")
    every = [(a,) for a in VALUES] if one else [(a, b) for a in VALUES for b in VALUES]
    for args in every:
        came = row.evaluate(*args)
        if row.range is not None:
            assert row.range(*[Interval(a, a) for a in args]) == (came, came)
            low, high = row.range(*[Interval(a - 1, a + 2) for a in args])
            near = [row.evaluate(*[a + d for a in args]) for d in (-1, 0, 1, 2)]
            assert low <= min(near)
            assert max(near) <= high
        for i in range(len(args) if row.rises else 0):
            more = row.evaluate(*[a + (i == k) for k, a in enumerate(args)])
            assert (more >= came) if row.way(i) > 0 else (more <= came)
        if row.opposite:
            assert OPERATIONS[row.opposite].evaluate(*args) is not came  # type: ignore[misc]
        if row.turned:
            assert OPERATIONS[row.turned].evaluate(*args[::-1]) is came  # type: ignore[misc]
        if row.bounds is not None:
            low_bound, high_bound = row.bounds(args[1])
            assert (low_bound <= (args[0], 0) <= high_bound) is came


@pytest.mark.parametrize("name", [r.name for r in OPERATIONS.values() if r.range_of_dice is not None])
def test_the_range_of_what_is_read_from_dice(name: str) -> None:
    row = OPERATIONS[name]
    assert row.evaluate is not None
    assert row.range_of_dice is not None
    for faces in ((1,), (3, 5), (2, 2, 6)):
        low, high = row.range_of_dice(Interval(len(faces), len(faces)), Interval(1, 6))
        assert low <= row.evaluate(faces) <= high
    assert row.evaluate(()) == row.range_of_dice(ZERO, Interval(1, 6)).low == 0
    assert row.range_of_dice(Interval(0, inf), Interval(1, 6)).low == 0


@pytest.mark.parametrize("word", FUNCTIONS)
def test_the_guide_speaks_of_every_function(word: str) -> None:
    assert f"`{word}(" in (ROOT / "docs" / "steps.md").read_text("utf-8")


def test_what_the_checker_makes_is_in_the_table() -> None:
    made = {
        name
        for path in ROOM.rglob("*.py")
        for name in re.findall(r"\bop\(\s*\"([a-z-]+)\"|\bt\.Op\(\s*(?:name=)?\"([a-z-]+)\"", path.read_text("utf-8"))
        for name in name
        if name
    }
    assert len(made) > 30
    assert made <= set(OPERATIONS)


# ---- what follows from facts
def _asked(name: str, left: t.Expr, right: int) -> t.Expr:
    return t.Op(name, (left, t.Lit(right, type=NUMBER)), type=TRUTH)


def test_what_is_equal_to_two_numbers_cannot_be_in_either_order() -> None:
    luck = t.Var(t.Variable("luck", NUMBER), type=NUMBER)
    one, two = _asked("equal", luck, 1), _asked("equal", luck, 2)
    assert mutually_exclusive(one, two)
    assert mutually_exclusive(two, one)
    assert not mutually_exclusive(one, _asked("equal", luck, 1))
    assert not mutually_exclusive(_asked("at-least", luck, 2), _asked("at-most", luck, 2))
    assert mutually_exclusive(_asked("more", luck, 2), _asked("at-most", luck, 2))


def test_a_sum_is_never_none_so_what_it_is_not_tells_what_it_is() -> None:
    luck = t.Var(t.Variable("luck", NUMBER), type=NUMBER)
    knowing, total = ConditionEvaluator(), t.Op("add", (luck, luck), type=NUMBER)
    not_more = knowing.assume(_asked("more", total, 3), False)
    assert knowing.evaluate(_asked("at-most", total, 3), not_more) is True
    not_more = knowing.assume(_asked("more", luck, 3), False)
    assert knowing.evaluate(_asked("at-most", luck, 3), not_more) is None  # it may be none


# ---- nobody else has a list of them
ROOMS = ("rulebook", "lint", "program", "engines", "workbench", "mutation", "surfaces")
WATCHED = {r.name for r in OPERATIONS.values() if r.numbers or r.compares or r.faces or r.added_unsaid or r.word}
SPECIAL = {  # what is looked at for what it is and not for a fact: the one it is lowered, found or told by itself
    "rulebook/amounts.py": "divide",  # how a half is said
    "rulebook/calls.py": "meeting missing",  # the verbs of a sentence
    "rulebook/commuting.py": "add times",  # no operations: what a line of a value does
    "rulebook/dice_names.py": "count sum-faces meeting missing",
    "rulebook/effects.py": "sum-faces",
    "rulebook/handed_back.py": "first-of-figures",
    "rulebook/names.py": "max min ran",
    "rulebook/questions.py": "meeting missing",
    "rulebook/reached.py": "meeting missing",
    "lint/alike.py": "first-of-figures",
    "lint/call_effects.py": "first-of-figures",
    "lint/comparisons.py": "equal",  # `=` that was meant to set something
    "lint/expected_calls.py": "sum-faces",
    "lint/case_coverage.py": "count sum-faces",
    "lint/unused_lines.py": "sum-faces",
    "lint/implication.py": "count same",
    "lint/ranges.py": "count sum-faces",
    "program/specializer.py": "same",
    "program/constant_expressions.py": "count sum-of-list",
    "program/hoist.py": "count meeting missing",
    "program/step_lowering.py": "meeting missing",
    "program/figure_names.py": "first-of-figures",
    "program/operation_lowering.py": "count first-of-rows first-of-things max-of-list max-of-rows meeting min-of-list min-of-rows "
    "missing sum-of-list times",
    "workbench/limits.py": "count",
}


def _texts(nodes: Iterable[ast.AST | None]) -> set[str]:
    parts = (part for node in nodes if node is not None for part in ast.walk(node))
    return {part.value for part in parts if isinstance(part, ast.Constant) and isinstance(part.value, str)}


def matched(tree: ast.AST) -> set[str]:
    """The operations that a module asks for by name: `t.Op(name="add")`, `e.name == "add"`, or a list of several."""
    found: set[str] = set()
    for node in ast.walk(tree):
        match node:
            case ast.MatchClass(cls=ast.Attribute(attr="Op")):
                named = zip(node.kwd_attrs, node.kwd_patterns, strict=True)
                found |= _texts(pattern for key, pattern in named if key == "name")
            case ast.Compare(left=ast.Attribute(attr="name") | ast.Name(id="name")):
                found |= _texts(node.comparators)
            case ast.Match(subject=ast.Attribute(attr="name") | ast.Name(id="name")):
                found |= _texts(case.pattern for case in node.cases)
            case ast.Tuple() | ast.Set() | ast.List() | ast.Dict():
                parts = node.keys if isinstance(node, ast.Dict) else node.elts
                listed = _texts(part for part in parts if isinstance(part, ast.Constant)) & WATCHED
                found |= listed if len(listed) > 1 else set()
    return found & WATCHED


@pytest.mark.parametrize("room", ROOMS)
def test_no_other_file_has_facts_by_name(room: str) -> None:
    for path in sorted((ROOM / room).rglob("*.py")):
        found = matched(ast.parse(path.read_text("utf-8")))
        assert found == set(SPECIAL.get(str(path.relative_to(ROOM)), "").split()), path


def test_a_list_of_names_would_be_found() -> None:
    for said in (
        'X = ("add", "times")',
        'X = {"min": 1, "max": 2}',
        'x = e.name == "half"',
        'x = e.name in ("more", "y")',
    ):
        assert matched(ast.parse(said)), said
    assert matched(ast.parse('match e:\n    case t.Op(name="lowest" | "highest"):\n        pass')) == {
        "lowest",
        "highest",
    }
    assert not matched(ast.parse('x = {"more": 1, "note": 2}'))
