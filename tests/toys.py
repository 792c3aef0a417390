"""A game of two throws, small enough to be worked out by hand, and the files that a test lays over it."""

from functools import partial
from pathlib import Path

import pytest

from interpreter.workbench.witness import find_witness

GAME = """\
game: Toy
Firing:
  dice high: d6 at or over, always 6, never 1
  kind unit:
    skill: number first 4
    toughness: number first 4
  mark hidden of unit:
  roll hitting of unit (target unit):
    basic:  needs skill
    hidden: needs +1 if target.hidden
  roll wounding of unit: needs toughness
  ruling unseen-shots: 1, or 2
  to shoot (unit) at (target unit):
    hit: unit passes hitting(target)
    wound, if hit: target passes wounding
  to volley (unit) at (target unit):
    shots: unseen-shots if target.hidden else 3
    hits: shots passing unit.hitting(target)
  typical a-shot:
    unit A: skill <4, 5>
    unit B: toughness 4
    do: A shoots at B
    ask: wound
  typical a-volley:
    unit A: skill 4
    unit B: toughness 4
    do: A volleys at B
    ask: [hits, hits >= 1]
  example unseen:
    unit A: skill 3
    unit B: hidden
    do: A volleys at B
    odds: 1/2 mean hits
"""


def toy(folder: Path, **files: str) -> Path:
    """The game as `toy.yaml`, and house rules beside it; `{over}` begins one."""
    (folder / "toy.yaml").write_text(GAME, encoding="utf-8")
    for name, text in files.items():
        (folder / f"{name}.yaml").write_text(f"game: {name}\nover: toy\n{text}", encoding="utf-8")
    return folder


def look_less_far(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of so small a game a tenth of the situations that `diff` tries for a witness is enough."""
    monkeypatch.setattr("interpreter.workbench.difference.find_witness", partial(find_witness, budget=200))
