"""What waits for a moment that nothing in the game brings about is told at the moment; what may come is not."""

from pathlib import Path

import pytest

from interpreter.source import Problems
from interpreter.workbench.rules import open_rules

HEAD = """\
game: Toy
{head}
Things:
  kind side:
  kind unit of side:
    pins: number
  kind figure, many to a unit:
  mark lit of unit:
  to light (unit): unit gains lit
  to hit (unit): unit gains 1 pins
"""
SHOWN = "  example shown:\n    unit A:\n    do:{do}\n    then: A.pins = 1\n"
NOTHING_DONE = SHOWN.format(do=" A hits")


def waiting(folder: Path, *lines: str, head: str = "", whole: str = "", name: str = "toy") -> list[tuple[str, str]]:
    path = folder / f"{name}.yaml"
    path.write_text(whole or HEAD.format(head=head) + "".join(f"  {line}\n" for line in lines), encoding="utf-8")
    problems = Problems()
    open_rules(str(path), problems)
    assert not problems.has_errors, [p.message for p in problems]
    return [(p.span.text, p.hint or "") for p in problems if p.code == "P032" and p.span is not None]


WAITS = {
    "a mark": "mark dazed of unit: until {}",
    "a mark of figures": "mark dazed of figure: until {}",
    "a rule": "rule odd for each unit {}: unit gains 1 pins",
    "a mark that ends on one condition": "mark dazed of unit: until {} if pins = 0",
}


@pytest.mark.parametrize("what", WAITS)
@pytest.mark.parametrize(
    ("moment", "said"),
    [
        ("after turn", "turn ends"),
        ("before turn", "turn begins"),
        ("after battle", "battle ends"),
        ("before battle", "battle begins"),
    ],
)
def test_a_moment_of_the_table_that_nobody_says(tmp_path: Path, what: str, moment: str, said: str) -> None:
    line = WAITS[what].format(moment)
    word, other = said.split()[0], {"ends": "begins", "begins": "ends"}[said.split()[1]]
    assert [w for w, _ in waiting(tmp_path, line)] == [word]
    assert [w for w, hint in waiting(tmp_path, line, f"to close (unit): {word} {other}") if said in hint] == [word]
    assert waiting(tmp_path, line, f"to close (unit): {said}") == []
    assert waiting(tmp_path, line, f"to close (unit):\n    all-over: {said}") == []
    assert waiting(tmp_path, line, f"rule closing after hit: {said}") == []
    assert (
        waiting(tmp_path, line + "\n" + SHOWN.format(do=f"\n      one-hit: A hits\n      over: {said}").rstrip()) == []
    )


@pytest.mark.parametrize("moment", ["after turn, after dusk", "after dusk, after turn"])
def test_one_moment_that_comes_is_enough(tmp_path: Path, moment: str) -> None:
    lines = (f"mark dazed of unit: until {moment}", "to dusk (unit): nothing")
    assert len(waiting(tmp_path, *lines)) == 2
    assert waiting(tmp_path, *lines, "to end (unit): unit dusks") == []
    assert waiting(tmp_path, *lines, "to end (unit): turn ends") == []


def test_after_the_next_turn_minds_where_a_turn_begins(tmp_path: Path) -> None:
    line = "mark dazed of unit: until after next turn"
    assert len(waiting(tmp_path, line)) == 1
    found = waiting(tmp_path, line, "to end (unit): turn ends")
    assert [word for word, hint in found if "turn begins" in hint] == ["turn"]
    assert waiting(tmp_path, line, "to end (unit): turn ends", "to start (unit): turn begins") == []


@pytest.mark.parametrize("what", WAITS)
@pytest.mark.parametrize("moment", ["after dusk", "before dusk", "after next dusk"])
def test_a_procedure_that_nobody_does(tmp_path: Path, what: str, moment: str) -> None:
    if what == "a rule" and "next" in moment:
        moment = "after dusk"
    line, empty, full = WAITS[what].format(moment), "to dusk (unit): nothing", "to dusk (unit): unit loses 1 pins"
    assert [word for word, _ in waiting(tmp_path, line, empty)] == ["dusk"]
    assert [word for word, _ in waiting(tmp_path, line, empty + "\n" + NOTHING_DONE.rstrip())] == ["dusk"]
    assert waiting(tmp_path, line, full) == []  # a way in: the players know when it is done
    assert waiting(tmp_path, line, full + "\n" + NOTHING_DONE.rstrip()) == []
    for dusk in (empty, full):
        assert waiting(tmp_path, line, dusk, "to end (unit): unit dusks") == []
        assert waiting(tmp_path, line, dusk, "rule ending after hit: unit dusks") == []
        done = SHOWN.format(do="\n      one-hit: A hits\n      over: A dusks").rstrip()
        assert waiting(tmp_path, line, dusk + "\n" + done) == []


def test_marks_that_last_and_moves_and_gained_marks_wait_for_nothing(tmp_path: Path) -> None:
    lines = (
        "mark dazed of unit:",
        "mark moved of unit: until after move",
        "mark dead of unit: out of play",
        "rule glow for each unit after lit: unit gains 1 pins",
        'to go (unit): unit moves 6"',
    )
    assert waiting(tmp_path, *lines) == []


@pytest.mark.parametrize("moment", ["before move", "after move"])
@pytest.mark.parametrize("waits", ["mark dazed of unit: until {}", "rule odd for each unit {}: unit gains 1 pins"])
def test_a_move_that_nobody_makes(tmp_path: Path, waits: str, moment: str) -> None:
    found = waiting(tmp_path, waits.format(moment))
    assert found == [("move", "nothing moves: say `unit moves …` in the line where it happens, or in an example")]
    assert waiting(tmp_path, waits.format(moment), 'to go (unit): unit moves 6"') == []


def test_examples_in_files_beside_it_and_of_files_below_count(tmp_path: Path) -> None:
    mark, dusk = "mark dazed of unit: until after dusk", "to dusk (unit): nothing"
    (tmp_path / "tests").mkdir()
    assert len(waiting(tmp_path, mark, dusk)) == 1
    text = "rules: toy\nexample beside:\n  unit A:\n  do: A dusks\n  then: A.pins = 0\n"
    (tmp_path / "tests" / "toy.yaml").write_text(text, encoding="utf-8")
    assert waiting(tmp_path, mark, dusk) == []
    above = "game: Above\nextends: toy\nMore:\n  mark stunned of unit: until after dusk\n  mark odd of unit: until after turn\n"
    assert [word for word, _ in waiting(tmp_path, whole=above, name="above")] == ["turn"]


def test_only_the_topmost_file_is_judged(tmp_path: Path) -> None:
    assert len(waiting(tmp_path, "mark dazed of unit: until after turn")) == 1
    above = "game: Above\nextends: toy\nMore:\n  mark stunned of unit:\n"
    assert waiting(tmp_path, whole=above, name="above") == []


def test_it_may_be_allowed(tmp_path: Path) -> None:
    line = "mark dazed of unit: until after turn  # umpire: allow P032 because the players say when"
    assert waiting(tmp_path, line) == []
