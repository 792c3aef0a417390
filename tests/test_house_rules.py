"""Sheets of a dozen lines that a hobbyist lays over a shipped set (`examples/house-rules`): what they change counts, all
else is as printed, and they lie on each other. What misses is in `test_house_rules_missing.py`.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from pathlib import Path

import pytest

from interpreter.folders import RULES
from interpreter.source import Problems, render
from interpreter.workbench.answers import Answer, odds
from interpreter.workbench.cases import prepare
from interpreter.workbench.examples import examples_of
from interpreter.workbench.rule_sets import RuleSet
from interpreter.workbench.rules import open_rules
from interpreter.workbench.running import run
from interpreter.workbench.trees import read_text
from tests.sampled import sampled

SHEETS = Path(__file__).parent.parent / "examples" / "house-rules"
BASES = ("modern", "vbcw", "vsf", "imperial")
MORALE = RULES / "morale.yaml"


def sheets(base: str) -> list[Path]:
    return sorted(SHEETS.glob(f"{base}-*.yaml"))


@cache
def opened(*names: str) -> RuleSet:
    problems = Problems()
    rules = open_rules(" + ".join(names), problems)
    assert not len(problems), render(problems)
    assert rules is not None
    return rules


def answered(rules: RuleSet, text: str) -> Answer:
    problems = Problems()
    tree = read_text("situation", text, problems)
    assert tree is not None
    case = prepare(rules, tree, problems)
    assert not problems.has_errors, render(problems)
    assert case is not None
    answer = odds(case)
    assert answer is not None, render(problems)
    return answer


@pytest.mark.parametrize("path", [p for base in BASES for p in sheets(base)], ids=lambda p: p.stem)
def test_a_sheet_is_short_and_holds_what_its_examples_say(path: Path) -> None:
    lines = [x for x in path.read_text(encoding="utf-8").splitlines() if x.strip()]
    said = lines[: next((i for i, x in enumerate(lines) if x.startswith("  example ")), len(lines))]
    assert len(said) <= 20, "longer than somebody types before an evening"
    problems = Problems()
    rules = opened(path.stem.split("-")[0], str(path))
    examples = examples_of(rules, problems)
    assert examples, "nothing shows what it does"
    for example in examples:
        result = run(rules, example)
        assert result.passed, render(result.problems)


@pytest.mark.parametrize("base", BASES)
def test_there_is_a_sheet_for_every_kind_of_change(base: str) -> None:
    said = {path: path.read_text(encoding="utf-8") for path in sheets(base)}
    for wanted in (" after ", "change:", "  mark ", "  remove ", "  ruling ", "  roll "):
        assert any(wanted in text for text in said.values()), wanted


@pytest.mark.parametrize("base", BASES)
def test_sheets_lie_on_each_other_in_any_order(base: str) -> None:
    paths = [str(p) for p in sheets(base)]
    if MORALE.is_file() and base != "vbcw":  # it says itself why it is not for that one
        paths.append("morale")
    for stack in (paths, paths[::-1]):  # all at once: what two of them did to each other would be told
        opened(base, *stack)
    pairs = list(zip(paths, paths[1:] + paths[:1], strict=True))
    pairs += [("morale", path) for path in paths[1:-1] if "morale" in paths]
    for lower, upper in sampled(pairs, 2):  # the examples of the upper one, with the lower one in force
        rules = opened(base, lower, upper)
        for example in sampled(examples_of(rules, Problems()), 12):
            result = run(rules, example)
            assert result.passed, render(result.problems)


# ---- what a sheet changes, beside the same question of the printed rules
def shot(weapon: str, distance: int, ours: str = "seasoned, 1 figures", theirs: str = "green, 9 figures") -> str:
    return (
        f'unit A: {ours}, weapon {weapon}\nunit B: {theirs}\nfacts: distance(A, B) is {distance}"\ndo: A shoots at B\n'
    )


def fired(weapon: str, distance: int, theirs: str = "9 figures") -> str:
    return (
        f"unit A: 1 figures, weapon {weapon}\nunit B: {theirs}\n"
        f'facts: distance(A, B) is {distance}"\ndo: A fires at B\n'
    )


TEN = 'unit A: {a}\nunit B: 10 figures\nfacts: distance(A, B) is 12"\n'
HITS = "1/1 mean hits"
VOLLEY = "1/1 mean volley.hits"
BOTH = "1/1 mean volleys.hits"

# sheet, situation, question, the printed odds (none: it cannot be asked there), the odds with the sheet
CHANGED = [
    ("modern-armoury", shot("lmg", 20), HITS, "1", "4/3"),
    ("modern-armoury", shot("lmg", 20, "elite, 1 figures"), HITS, "3/2", "2"),
    ("modern-armoury", shot("shotgun", 6), HITS, "1", "1"),
    ("modern-armoury", shot("shotgun", 12), HITS, "0", "1/3"),
    ("modern-armoury", shot("ak47", 12), HITS, "2/3", "2/3"),
    ("modern-militia", shot("rifle", 20, "green, 6 figures"), HITS, "1", "1"),
    ("modern-militia", shot("rifle", 20, "militia, 6 figures"), HITS, None, "2"),
    ("modern-militia", "unit A: green\nunit B: green\ndo: A tries\n", "1/1 that passed", "1/2", "1/2"),
    ("modern-shields", shot("rifle", 20, "elite, 4 figures"), "1/1 mean unsaved", "2", "2"),
    (
        "modern-shields",
        shot("rifle", 20, "elite, 4 figures", "green, 9 figures, shield"),
        "1/1 mean unsaved",
        None,
        "1",
    ),
    ("modern-flinch", shot("lmg", 20), "1/1 that B is grounded", "0", "0"),
    ("modern-flinch", shot("lmg", 20, "seasoned, 2 figures"), "1/1 that B is grounded", "0", "73/729"),
    ("modern-flinch", shot("lmg", 20, "seasoned, 2 figures"), "1/1 mean unsaved", "2", "2"),
    ("modern-marksmen", shot("rifle", 20), HITS, "1/3", "1/3"),
    ("modern-marksmen", shot("rifle", 6), HITS, "1/3", "1/2"),
    ("modern-marksmen", shot("rifle", 20, "seasoned, aiming, 1 figures"), HITS, "1/2", "1/2"),
    ("modern-marksmen", shot("rifle", 20, "seasoned, aiming, 1 figures, marksman"), HITS, None, "2/3"),
    ("modern-plain-guard", shot("rifle", 6), HITS, "1/3", "1/3"),
    ("modern-readings", shot("rifle", 6), HITS, "1/3", "1/3"),
    (
        "modern-tank-damage",
        "vehicle B: green, hull heavy\ndo: B endures 1, side\n",
        "1/1 that B is stunned",
        "1/9",
        "1/18",
    ),
    (
        "modern-tank-damage",
        "vehicle B: green, hull heavy\ndo: B endures 1, side\n",
        "1/1 that B is destroyed",
        "1/18",
        "1/18",
    ),
    ("vbcw-armoury", fired("rifle", 8), HITS, "2/5", "2/5"),
    ("vbcw-armoury", fired("lmg", 8), HITS, "108/125", "504/625"),
    ("vbcw-armoury", fired("shotgun", 5), HITS, "4/5", "3/5"),
    ("vbcw-armoury", fired("shotgun", 10), HITS, "3/5", "0"),
    ("vbcw-levy", TEN.format(a="commander raw, 10 figures") + "do: A activates\n", "1/1 that ready", "3/5", "3/5"),
    ("vbcw-levy", TEN.format(a="commander levy, 10 figures") + "do: A activates\n", "1/1 that ready", None, "1/2"),
    ("vbcw-levy", TEN.format(a="commander guards, 10 figures") + "do: A activates\n", "1/1 that ready", None, "9/10"),
    ("vbcw-armoury", fired("lewis-gun", 12), HITS, None, "963/625"),
    ("vbcw-fog", fired("rifle", 8), HITS, "2/5", "2/5"),
    ("vbcw-fog", fired("rifle", 8).replace('8"', '8", foggy(A)'), HITS, None, "1/5"),
    ("vbcw-readings", fired("rifle", 8), "1/1 mean B.pins", "2/5", "4/25"),
    ("vbcw-sandbags", fired("rifle", 8), "1/1 mean unsaved", "6/25", "6/25"),
    ("vbcw-chaplain", TEN.format(a="10 figures") + "do: A activates\n", "1/1 that ready", "7/10", "7/10"),
    (
        "vbcw-chaplain",
        TEN.format(a="commander raw, 1 figures, chaplain") + "do: A activates\n",
        "1/1 that ready",
        None,
        "7/10",
    ),
    ("vbcw-readings", fired("smg", 5), "1/1 that any (A.figures where jammed)", "7/25", "1/100"),
    ("vbcw-readings", fired("rifle", 5), HITS, "2/5", "2/5"),
    ("vbcw-wrecks", "unit A: type tank, 4 figures\ndo: A.disablement(4)\n", "1/1 mean A.figures", "8/5", "4"),
    ("vbcw-wrecks", "unit A: type tank, 4 figures\ndo: A.disablement(5)\n", "1/1 mean A.figures", "8/5", "8/5"),
    ("vbcw-wrecks", "unit A: type tank, 4 figures\ndo: A.disablement(3)\n", "1/1 that A is routing", "0", "3/10"),
    ("vsf-armoury", shot("bow", 12), VOLLEY, "0", "1/3"),
    ("vsf-armoury", shot("rifle", 12), VOLLEY, "1/3", "1/3"),
    ("vsf-conscripts", shot("rifle", 12, "green, 6 figures"), VOLLEY, "1", "1"),
    ("vsf-conscripts", shot("rifle", 12, "conscript, 6 figures"), VOLLEY, None, "2"),
    ("vsf-aether", "unit A: green, 9 figures\ndo: A comes-under 3\n", "1/1 mean saving.unsaved", "3", "3"),
    ("vsf-dead-eyes", shot("rifle", 12), VOLLEY, "1/3", "1/3"),
    ("vsf-dead-eyes", shot("rifle", 12, "seasoned, 1 figures, dead-eye"), VOLLEY, None, "1/2"),
    ("vsf-dead-eyes", shot("rifle", 13, "seasoned, 1 figures, dead-eye"), VOLLEY, None, "1/3"),
    (
        "vsf-short-evening",
        "vehicle A: seasoned, hull brass, crew-hits 2\nunit B: green, 6 figures\ndo: A tests\n",
        "1/1 that passed",
        "1/6",
        "1/2",
    ),
    ("vsf-breakdowns", "vehicle A: green, hull brass\ndo: A.breakdown(2)\n", "1/1 that A is stalled", "1", "0"),
    (
        "vsf-readings",
        "unit A:\n  characters: [1 with points 1 and level green]\n  is: green\ndo: A wards 1\nchoose: {plot: most}\n",
        "1/1 that unsaved = 1",
        "1/2",
        "2/3",
    ),
    ("imperial-armoury", shot("autocannon", 20, "regular, 1 figures"), BOTH, "10/3", "25/6"),
    ("imperial-armoury", shot("bolter", 20, "regular, 1 figures"), BOTH, "5/3", "5/3"),
    ("imperial-armoury", shot("flamer", 10, "regular, 1 figures"), BOTH, "0", "5/3"),
    ("imperial-conscripts", "unit A: conscript, 10 figures, losses 3\n", "1/1 that A is thinned", None, "0"),
    ("imperial-conscripts", "unit A: green, 10 figures, losses 3\n", "1/1 that A is thinned", "1", "1"),
    ("imperial-psi", "unit A: regular, 1 figures\ndo: A weathers 0, 0, 1\n", "1/1 that toll.fallen = 1", "1", "1"),
    (
        "imperial-psi",
        "unit A: regular, 1 figures, psi-ward\ndo: A weathers 0, 0, 1\n",
        "1/1 that toll.fallen = 1",
        None,
        "1/2",
    ),
    ("imperial-duellists", "unit A: regular, 1 figures, skills swordsman\n", "1/1 mean sum(A.figures.might)", "1", "1"),
    ("imperial-plain-volley", shot("bolter", 20, "regular, 1 figures"), BOTH, "5/3", "5/3"),
    ("imperial-plain-volley", "unit A: regular, 2 figures, astray\ndo: A tries\n", "1/1 that passed", "1/2", "2/3"),
    (
        "imperial-readings",
        "vehicle A: green, hull light, wear 5\ndo: A.damage(4)\n",
        "1/1 that A is wrecked",
        "1",
        "0",
    ),
]


@pytest.mark.parametrize(("sheet", "situation", "question", "before", "after"), CHANGED)
def test_odds_change_where_a_sheet_says_so_and_nowhere_else(
    sheet: str, situation: str, question: str, before: str | None, after: str
) -> None:
    base = sheet.split("-")[0]
    text = situation + f"odds: {question}\n"
    if before is not None:
        assert answered(opened(base), text).mean(0) == Fraction(before)
    assert answered(opened(base, str(SHEETS / f"{sheet}.yaml")), text).mean(0) == Fraction(after)
