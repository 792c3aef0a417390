"""Small games of which it is known by hand which slips their examples let pass."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from interpreter.mutation import Campaign, Mutant, campaign, hosts_of, sheet_of
from interpreter.source import Problems

TOY = """\
game: Toy
Firing:
  dice high: d6 at or over
  kind unit:
    pins: number
  mark tired of unit:
  table arms (shots):
    bow: 2
    gun: 3
  roll aim of unit:
    basic: needs 4
    tired: roll -1 if tired
  value steady of unit: pins < 2
  to shoot (unit) with (arm arms):
    shot, if steady: arm.shots passing aim
  example a-bow:
    unit A: pins 0
    do: A shoots with bow
    odds: 1/1 mean shot
  example a-gun:
    unit A: pins 0
    do: A shoots with gun
    odds: 7/8 that shot >= 1
  example a-tired-archer:
    unit A: pins 0, tired
    do: A shoots with bow
    odds: 2/3 mean shot
  example pinned:
    unit A: pins 2
    do: A shoots with bow
    then: not ran(shot)
"""
# Nobody shoots with one pin, so whether it is fewer than two or fewer than one is all the same to them.
ONE_PIN = """\
  example one-pin:
    unit A: pins 1
    do: A shoots with bow
    odds: 1/1 mean shot
"""
LOOP = """\
game: Loop
Counting:
  kind unit:
    done: number
  to work (unit):
    rounds, repeat until unit.done >= 3:
      step: unit gains 1 done
  example to-the-end:
    unit A: done 0
    do: A works
    then: A.done = 3
"""
KINDS = """\
game: Kinds
Firing:
  kind unit:
    shots: number
  kind wagon, a unit:
  rule answer for each unit after shoot if actor is not unit and shots = 0: unit replies
  to shoot (unit):
    fire: unit gains 1 shots
  to reply (unit):
    fire: unit gains 2 shots
  example shot-back-at:
    unit A: shots 0
    unit B: shots 0
    do: A shoots
    then: A.shots = 1 and B.shots = 2
"""
CIRCLE = """\
game: Circle
extends: tabletop
Firing:
  fact windy of unit: yes or no first no
  mark dusty of figure:
  to shoot (unit) at (target unit):
    seen: target.figures where dusty
    back, if any seen: target runs-from unit
  to run-from (unit), (enemy unit):
    left: figures where dusty
    fire, if windy and any left: enemy shoots at unit
  to retreat (unit) with (enemy unit):
    back: unit runs-from enemy
    dust: back.fire.seen gain dusty
  example running:
    unit A: 1 figures
    unit B: 1 figures
    do: A runs-from B
    then: A.figures = 1
"""
BELOW = """\
game: Below
Firing:
  dice high: d6 at or over
  kind unit:
    skill: number
  to shoot (unit):
    hits: 3
"""
ABOVE = """\
game: Above
extends: below
More:
  example three:
    unit A: skill 1
    do: A shoots
    then: hits >= 3
"""
OVER = """\
game: Over
over: below
More:
  value twice of unit: skill * 2
"""
OVER_TESTS = """\
rules: below + over
example two-and-two:
  unit A: skill 2
  then: A.twice = 4
"""


@pytest.fixture
def toy(tmp_path: Path) -> Callable[..., str]:
    def write(text: str, name: str = "toy.yaml") -> str:
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return str(path)

    return write


def tried(name: str, only: Callable[[Mutant], bool] | None = None, **how: int) -> Campaign:
    problems = Problems()
    sets = hosts_of(name, problems)
    assert not problems.has_errors, list(problems)
    return campaign(sets, sheet_of(name), only=only, **how)  # type: ignore[arg-type]


def survivors(found: Campaign) -> list[str]:
    return [f"{m.address}: {m.change}" for m, _ in found.survivors]
