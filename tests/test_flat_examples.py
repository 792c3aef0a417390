"""`umpire flat` takes along what shows that what marks and rules wait for comes about: its page is as clean as the stack."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.source import Problems
from interpreter.workbench.flat import flat
from interpreter.workbench.rules import open_rules
from interpreter.workbench.running import run_all
from tests import shipped
from tests.sampled import sampled

SETS = ["modern", "vsf", "imperial", "vbcw", "modern + morale", "vsf + morale"]


@pytest.mark.parametrize("name", sampled(SETS, 3))
def test_a_page_made_of_a_stack_is_clean_and_its_examples_pass(tmp_path: Path, name: str) -> None:
    problems = Problems()
    path = tmp_path / "whole.yaml"
    path.write_text(flat(shipped.opened(name)), "utf-8")
    assert open_rules(str(path), problems) is not None
    run_all(str(path), problems)
    assert [(p.code, p.message) for p in problems] == []


TOY = """\
game: Toy
Club:
  kind unit:
  kind figure, many to a unit:
  mark tired of unit: until after turn
  to rest (unit): unit gains tired
"""


@pytest.mark.parametrize(
    ("beside", "codes"),
    [
        ("  do:\n    dusk: turn ends\n  then: A is not tried\n", []),
        ("  do: A rests\n  then: A is tired  # as the turn goes, and so it ends\n", ["P032"]),
    ],
)
def test_a_turn_ends_where_an_example_says_so(tmp_path: Path, beside: str, codes: list[str]) -> None:
    """Its two words, anywhere in a file of examples, are not enough."""
    (tmp_path / "tests").mkdir()
    (tmp_path / "toy.yaml").write_text(TOY, "utf-8")
    text = f"rules: toy\nexample one:\n  unit A: 1 figures\n{beside}"
    (tmp_path / "tests" / "toy.yaml").write_text(text.replace("tried", "tired"), "utf-8")
    problems = Problems()
    open_rules(str(tmp_path / "toy.yaml"), problems)
    assert [p.code for p in problems] == codes
