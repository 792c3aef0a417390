"""What an editor offers inside a row of a table: the words of the cell in hand, marks, and columns by their names."""

from pathlib import Path

import pytest

from interpreter.editor.analysis import analyse
from interpreter.editor.completing import offers
from interpreter.source import Source

BASE = """\
game: Base
Armour:
  kind unit:
    arm: one of arms
  table moods: calm, wild
  table arms (save, mood, power):
    light: 5+, calm, 2, small
    heavy: 3+, {heavy}
  mark small, big of arms:
"""
HOUSE = """\
game: House
over: base
Armour:
  add to arms:
    thick: 2+, {thick}
  add to arms (cost):
    light: {light}
  change:
    arms.light.mood: {mood}
"""
MOODS, MARKS = {"calm", "wild"}, {"small", "big"}


def offered(folder: Path, name: str, **typed: str) -> set[str]:
    """What is offered at the `|`; the file as it was has been checked before somebody typed there."""
    for each, text, said in (
        ("base", BASE, {"heavy": "wild, 3, big"}),
        ("house", HOUSE, {"thick": "calm, 1", "light": "3", "mood": "wild"}),
    ):
        (folder / f"{each}.yaml").write_text(text.format(**said), encoding="utf-8")
        if each == name:
            now = text.format(**said | typed)
    path = str(folder / f"{name}.yaml")
    analysis = analyse(path, {})
    assert analysis is not None
    found = offers(analysis, Source(path, now.replace("|", "")), now.index("|"))
    return {offer.label for offer in found}


@pytest.mark.parametrize(
    ("name", "typed", "wanted", "unwanted"),
    [
        ("base", {"heavy": "|"}, MOODS, MARKS),
        ("base", {"heavy": "w|"}, MOODS, MARKS),
        ("base", {"heavy": "wild, |"}, MARKS | {"power"}, MOODS | {"save", "mood"}),
        ("base", {"heavy": "wild, 3, b|"}, MARKS, MOODS),
        ("base", {"heavy": "mood |"}, MOODS, MARKS),  # a cell by the name of its column
        ("house", {"thick": "|"}, MOODS, MARKS),
        ("house", {"light": "3, |"}, MARKS, {"mood", "power"}),  # nothing but what it adds
        ("house", {"mood": "|"}, MOODS, MARKS),
    ],
)
def test_what_the_cell_may_hold_is_offered(
    tmp_path: Path, name: str, typed: dict[str, str], wanted: set[str], unwanted: set[str]
) -> None:
    found = offered(tmp_path, name, **typed)
    assert wanted <= found
    assert not unwanted & found
