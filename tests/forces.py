"""A small game with points and limits, and forces of it."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

from typed import CliRunner, Result

import interpreter
from interpreter.surfaces.cli.group import main

GAME = """\
game: Toy
clauses: TOY
roster: [price, cost, worth]
Soldiers:
  dice high: d6 at or over, always 6, never 1
  kind side:
  kind unit of side:
    skill: one of levels
    reach: inches first 6"
    chief: a unit or none
  kind tank, a unit:
    shell: number 0 to 9
  kind man, many to a unit:
    gun: one of guns or none
    grade: one of levels or none
  mark boss of man:
  table levels (hit):
    raw:    5+
    steady: 4+
  table guns (shots):
    rifle: 1
    maxim: 3
  fact licence of side: yes or no
  fact funds of side: number
  value price of man:
    skill: 7 - unit.skill.hit
    gun:   +gun.shots
  value cost of unit:
    men:  sum(mans.price)
    tank: 10 * shell if unit is a tank
  value worth of side: sum(units.cost)
Limits:
"""


def toy(folder: Path, limits: str, force: str) -> str:
    """The path of a force for the toy game with these limits."""
    (folder / "toy.yaml").write_text(GAME + dedent(limits).replace("\n", "\n  ").strip().join(["  ", "\n"]), "utf-8")
    path = folder / "ours.yaml"
    path.write_text(dedent(force).strip() + "\n", "utf-8")
    return str(path)


def umpire(*words: str) -> Result:
    done = CliRunner().invoke(main, list(words))
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    assert "mistake in Umpire" not in done.output
    return done


def places(path: str) -> list[tuple[str, int, int]]:
    return [(p.code, *p.span.place) for p in interpreter.check(path) if p.span is not None]
