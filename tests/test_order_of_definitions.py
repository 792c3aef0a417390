"""Where a definition stands in its file decides nothing: the same book and the same answers come of any order.

What order does mean, the manual says: the first `dice` is the ordinary convention, rules at one moment set in as they
stand, and so do rows and lines.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from model import model
from shuffled import shuffled
from test_docs import GUIDE, YAML, lay_out

from interpreter.source import Problems, render
from interpreter.workbench.examples import examples_inside
from interpreter.workbench.reading import checked
from interpreter.workbench.rule_sets import RuleSet
from interpreter.workbench.rules import open_rules
from interpreter.workbench.running import run
from interpreter.workbench.stacks import open_sheets

SETS = ["fubar", "modern", "imperial", "vbcw", "vsf", "vsf + morale"]
PAGES = [b for b in YAML if b.page in GUIDE and "game:" in b.text and ", wrong" not in b.text]

# Everything that names something else, before it.
BACKWARDS = """\
game: Backwards
Things:
  example all-of-it:
    unit A: spear, 3 figures, weapon bow
    unit B: spear, 2 figures, weapon bow, tired
    do: A shoots at B
    dice: 4 1 6
    then: [A.cost = 5, A.trade is troops, hits = 2, B.pins = 2, B is not tired, B.figures = 1, A is first-rank, A.profile.steady = 3]
  value cost of unit: trade.base
  value trade of unit: profile.trade
  rule fear for each unit after shoot as foe: unit gains 2 pins
  rule pride for each unit after shoot if actor is unit: unit gains first-rank
  to shoot (unit) at (foe unit):
    hits: figures passing aim
    gone: 1 of foe.figures at random
    out: gone gain casualty
  roll aim of figure: needs weapon.hit
  mark casualty of figure: out of play
  mark tired of unit: until after shoot as foe
  mark first-rank of unit:
  table profiles (size, trade, steady):
    spear: 10, trade troops, steady few
    guns: 10, none, steady 3
    others: trade usual
  ruling few: 3, or 4
  ruling usual: breakers, or troops
  table trades (base):
    troops: 5
    breakers: 12
  kind figure, many to a unit:
    weapon: one of weapons
  table weapons (hit):
    bow: 4+
  kind unit of side:
    pins: number
    profile: one of profiles
  kind side:
  dice high: d6 at or over
"""


def opened(name: str) -> RuleSet:
    problems = Problems()
    rules = open_rules(name, problems)
    assert rules is not None
    assert not problems.has_errors, render(problems)
    return rules


def in_another_order(rules: RuleSet, seed: int) -> RuleSet:
    problems = Problems()
    made = checked([shuffled(sheet, seed) for sheet in rules.sheets], problems, odd=False)
    assert made is not None
    assert not problems.has_errors, render(problems)
    return made


def said(rules: RuleSet) -> dict[str, object]:
    """What a book says; its marks of rows and the moments of its rules by themselves, not as they stand."""
    found = model(rules)
    for name, parts in found.items():
        if name.startswith("table "):
            found[name] = [parts[0], sorted(parts[1]), *parts[2:]]
    return found


@pytest.mark.parametrize("name", SETS)
def test_a_set_says_the_same_in_any_order(name: str) -> None:
    sheets = open_sheets(name, Problems())
    assert sheets is not None
    rules = checked(sheets, Problems(), odd=False)
    assert rules is not None
    assert said(in_another_order(rules, len(name))) == said(rules)


@pytest.mark.parametrize("block", PAGES, ids=lambda b: b.text.split("\n")[0])
def test_the_files_of_the_manual_hold_in_any_order(block: object, tmp_path: Path) -> None:
    lay_out(block, tmp_path)  # type: ignore[arg-type]
    name = block.text.split("\n")[0].strip("# ").split(",")[0]  # type: ignore[attr-defined]
    rules = opened(str(tmp_path / name))
    for seed in range(3):
        made = in_another_order(rules, seed)
        assert said(made) == said(rules)
        assert all(run(made, example).passed for example in examples_inside(made))


@pytest.mark.parametrize("seed", range(12))
def test_what_names_something_may_stand_before_it(seed: int, tmp_path: Path) -> None:
    (tmp_path / "backwards.yaml").write_text(BACKWARDS, encoding="utf-8")
    rules = opened(str(tmp_path / "backwards.yaml"))
    made = in_another_order(rules, seed) if seed else rules
    assert said(made) == said(rules)
    for example in examples_inside(made):
        result = run(made, example)
        assert result.passed, render(result.problems)
