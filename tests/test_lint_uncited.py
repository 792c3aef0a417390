"""What cites no clause, where nearly everything else does: one that was forgotten, and no other."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.source import Problems
from interpreter.workbench.rules import open_rules

HEAD = """\
game: Toy
{prefix}
Rolls:
  dice high: d6 at or over
  kind unit:
    pins: number
"""
CITED = [f"roll aim-{i} of unit [{i}]: needs 4+" for i in range(1, 5)]


def remarked(lines: list[str], folder: Path, prefix: str = "clauses: TOY") -> list[str]:
    path = folder / "toy.yaml"
    path.write_text(HEAD.format(prefix=prefix) + "".join(f"  {line}\n" for line in lines), encoding="utf-8")
    problems = Problems()
    open_rules(str(path), problems)
    assert {p.code for p in problems} <= {"R004"}
    return [p.span.text for p in problems if p.span is not None]


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("roll odd of unit: needs 5+", "odd"),
        ("ruling odd: 1, or 2\n  value told of unit: odd", "odd"),
        ("limit odd of unit: pins < 3", "odd"),
        ("table odd (save):\n    light: 5+\n    heavy: 4+", "odd"),
        ("to odd-job (unit): unit gains 1 pin", "odd-job"),
    ],
)
def test_the_one_that_was_forgotten(line: str, name: str, tmp_path: Path) -> None:
    assert remarked([*CITED, line], tmp_path) == [name]


@pytest.mark.parametrize(
    "line",
    [
        "to odd-job (unit):\n    gone: unit gains 1 pin [9]",  # a line of it does
        "to odd-job (unit): unit gains 1 pin [9]",
        "to odd-job (unit) [9]: unit helps\n  to help (unit): unit gains 1 pin",  # called by what cites
        "value odd of unit: pins + 1",
        "mark odd of unit:",
        "fact odd of unit: yes or no",
        "table words: odd, even",
    ],
)
def test_what_serves_others_need_not(line: str, tmp_path: Path) -> None:
    assert remarked([*CITED, line], tmp_path) == []


def test_who_does_not_cite_is_not_told(tmp_path: Path) -> None:
    bare = ["roll one-way of unit: needs 4+", "roll other-way of unit: needs 4+"]
    assert remarked([*CITED, *bare], tmp_path) == []
    assert remarked([*CITED, bare[0]], tmp_path, "about: a toy") == []
