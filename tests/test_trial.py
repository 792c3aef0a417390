"""What a first-time author got wrong in a trial, in house rules of his own: the place is his file, and the hint works."""

from __future__ import annotations

from pathlib import Path

import pytest
from typed import CliRunner

import interpreter
from interpreter.source import Problem, Problems
from interpreter.surfaces.cli.group import main
from interpreter.workbench.answers import odds
from interpreter.workbench.cases import prepare
from interpreter.workbench.histories import resolve
from interpreter.workbench.rules import open_rules
from interpreter.workbench.trees import read_text

CASES = {
    "a whole table changed where one row was meant": (
        "  change:\n    damage:\n      «1 scratch»: nothing\n      2 stunned: vehicle gains stunned",
        "K001",
        "to change one row, name it",
    ),
    "lines for a mark": (
        "  add to «firing»:\n    far: roll -1 if unit is aiming",
        "N001",
        "`firing` is a mark, and has no lines of its own",
    ),
    "a mark of nobody": (
        "  mark medic of figure:\n  add to shoot.men after unsaved:\n    healed, if any «medic»: 1",
        "N001",
        "say whose, as `….medic` or `… where medic`",
    ),
    "a rule of no unit": (
        "  mark weary of unit:\n  rule tiring after move: «unit» gains weary\n"
        "  add to shooting:\n    weary: roll -1 if unit is weary",
        "N001",
        "say `actor`",
    ),
    "readings of yes and no": ("  ruling prone-fire: «no», or yes", "L001", "for yes or no write `0, or 1`"),
    "a fact of two": (
        '  add to shooting:\n    far: roll -1 if «distance» > 18"',
        "N001",
        "as `distance(unit, target)`",
    ),
    "a colon forgotten": (
        "  «add to training»\n    conscript: 6+, 6+, 1",
        "Y031",
        "it ends in a colon: `add to training:`",
    ),
    "a name of three words": (
        "  example they «cannot» hit:\n    unit A: green, 6 figures\n    then: A.figures = 6",
        "L001",
        "`they-cannot-hit`",
    ),
    "six rifles": (
        "  example six:\n    unit A: green, 6 «rifles»\n    then: A.figures = 6",
        "F002",
        "`6 figures, rifle`",
    ),
    "some of them": (
        "  example some:\n    unit A: green, 7 figures, «1 blind»\n    then: A.figures = 7",
        "F010",
        "`figures: [6, 1 with blind]`",
    ),
    "several sorts in one text": (
        "  example sorts:\n    unit A:\n      is: green\n      figures: 7, 1 «with» blind\n    then: A.figures = 8",
        "L001",
        "in square brackets: `[6, 1 with …]`",
    ),
}


def checked(text: str, tmp_path: Path) -> tuple[Problem, ...]:
    file = tmp_path / "ours.yaml"
    file.write_text(f"game: Ours\nover: modern\n\nOur rules:\n{text}\n", encoding="utf-8")
    return tuple(interpreter.check(str(file)))


@pytest.mark.parametrize("name", CASES)
def test_a_slip_of_the_trial(name: str, tmp_path: Path) -> None:
    text, code, hint = CASES[name]
    before, marked, after = text.replace("»", "«").split("«")
    (problem,) = checked(before + marked + after, tmp_path)
    assert problem.code == code
    assert hint in (problem.hint or "")
    assert problem.span.text == marked


def test_nobody_is_told_of_a_mark_that_he_did_not_write(tmp_path: Path) -> None:
    """`until after next P` makes a second mark; only the first must be read."""
    text = "  mark weary of unit: until after next try\n  add to shooting:\n    weary: roll -1 if unit is weary"
    assert checked(text, tmp_path) == ()


SHOT = 'unit A: {a}\nunit B: green, 8 figures\nfacts: distance(A, B) is 20"\ndo: A shoots at B\n'


def told(rules: str, situation: str) -> list[tuple[str, str]]:
    """The codes and hints of what is said of a situation, carried out with all its odds."""
    problems = Problems()
    opened, root = open_rules(rules, problems), read_text("situation", situation, problems)
    assert opened is not None and root is not None
    case = prepare(opened, root, problems)
    if case is not None:
        odds(case)
    return [(p.code, p.hint or "") for p in problems]


def test_a_word_that_is_no_row_does_not_hide_what_is_not_said() -> None:
    found = told("modern", SHOT.format(a="6 figures, weapon rifl"))
    assert found == [
        ("F001", "say one of `green`, `seasoned`, `veteran`, `elite`"),
        ("F010", "did you mean `rifle`?"),
    ]


def test_a_word_that_may_have_said_it_is_told_alone() -> None:
    assert [code for code, _ in told("modern", SHOT.format(a="6 figures, greem, weapon rifle"))] == ["F002"]


def test_yes_for_a_ruling_of_numbers(tmp_path: Path) -> None:
    file = tmp_path / "ours.yaml"
    file.write_text("game: Ours\nover: modern\nOurs:\n  ruling bold: 0, or 1\n", encoding="utf-8")
    assert told(str(file), SHOT.format(a="green, 6 figures") + "rulings: {bold: yes}\n") == [
        ("F010", "yes is written 1, and no 0")
    ]


def test_a_whole_number_is_a_share() -> None:
    text = SHOT.format(a="green, 6 figures") + "odds: [0 mean hits, 1 that hits = 0, 0 to 1 mean hits]\n"
    assert told("modern", text) == []


def test_a_total_of_a_loop_that_has_no_last_round(tmp_path: Path) -> None:
    file = tmp_path / "ours.yaml"
    file.write_text(
        "game: Ours\nover: modern\nOurs:\n  roll grit of unit: needs 4+\n  to dare (unit):\n"
        "    rounds, repeat until won:\n      won: unit passes grit\n      tries: 1\n",
        encoding="utf-8",
    )
    opened, problems = open_rules(str(file), Problems()), Problems()
    root = read_text("situation", "unit A: green, 6 figures\ndo: A dares\nask: tries\n", problems)
    assert opened is not None and root is not None
    case = prepare(opened, root, problems)
    assert case is not None and odds(case, limit=2_000) is None
    ((code, hint),) = [(p.code, p.hint or "") for p in problems]
    assert code == "E001" and "such a loop has no last round" in hint


def test_a_set_without_a_register_is_told_what_one_is() -> None:
    galleys = str(Path(__file__).parent.parent / "examples" / "new-genre" / "galleys.yaml")
    said = " ".join(CliRunner().invoke(main, ["coverage", galleys]).output.split())
    assert "a register lists every clause of a printed page" in said
    assert "umpire test --mutate" in said


GROWING = """\
game: Growing
Things:
  kind side:
  kind unit of side:
    heat: number
  to grow (unit):
    rounds, repeat 60 times:
      step: unit gains (heat + 1) heat
  to breed (unit):
    rounds, repeat 1200 times:
      step: new unit (side side)
  to hurl (unit):
    few: 2d6
    faces: 3000d6
"""


@pytest.mark.parametrize(
    ("deed", "code", "line"),
    [
        ("grows", "E007", "unit gains (heat + 1) heat"),
        ("breeds", "E009", "new unit (side side)"),
        ("hurls", "E006", "3000d6"),
    ],
)
def test_what_grows_past_all_use_is_told_at_its_line(deed: str, code: str, line: str, tmp_path: Path) -> None:
    file, problems = tmp_path / "growing.yaml", Problems()
    file.write_text(GROWING, encoding="utf-8")
    rules, root = open_rules(str(file), problems), read_text("situation", f"unit A:\ndo: A {deed}\n", problems)
    assert rules is not None and root is not None
    case = prepare(rules, root, problems)
    assert case is not None and resolve(case) is None
    (problem,) = problems
    assert problem.span is not None
    assert (problem.code, problem.span.text) == (code, line)
