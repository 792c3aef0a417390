"""A rule instead of a procedure takes its place only where it sets in: for nobody, all is done as ever."""

from __future__ import annotations

from pathlib import Path

import pytest

import interpreter

GAME = """\
game: Instead of, for each
Things:
  kind side:
  kind unit of side:
    pins: number 0 to 9
    plate: yes or no
  dice high: d6 at or over
  to smite (unit) at (foe unit):
    hurt: foe gains 1 pin
  {rule}:
    bounce: actor gains 2 pins
"""


@pytest.mark.parametrize(
    ("rule", "plated", "pins"),
    [
        ("rule plating instead of smite if foe.plate", "B", (2, 0)),
        ("rule plating instead of smite if foe.plate", "", (0, 1)),
        ("rule plating for each unit instead of smite as foe if plate", "B", (2, 0)),
        ("rule plating for each unit instead of smite as foe if plate", "", (0, 1)),
        ("rule plating for each unit instead of smite if plate", "B", (2, 0)),
        ("rule plating for each unit instead of smite if plate", "C", (2, 0)),
        ("rule plating for each unit instead of smite if plate", "BC", (4, 0)),
        ("rule plating for each unit instead of smite if plate", "", (0, 1)),
        ("rule plating for each unit instead of smite as foe", "", (2, 0)),
    ],
)
def test_what_is_done_instead(rule: str, plated: str, pins: tuple[int, int], tmp_path: Path) -> None:
    units = "".join(f"unit {name}:{' plate' if name in plated else ''}\n" for name in "ABC")
    (tmp_path / "rules.yaml").write_text(GAME.replace("{rule}", rule), "utf-8")
    (tmp_path / "s.yaml").write_text(f"rules: rules\n{units}do: A smites at B\n", "utf-8")
    for ask, wanted in (("A.pins", pins[0]), ("B.pins", pins[1])):
        assert interpreter.odds(str(tmp_path / "s.yaml"), ask=[ask]).of(0) == {wanted: 1}
        assert interpreter.resolve(str(tmp_path / "s.yaml"), ask=[ask]).values[ask] == wanted
