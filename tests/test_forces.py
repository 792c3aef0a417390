"""Forces: the lists that come along and those of the printed games, what was agreed on, what cannot be read."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from textwrap import dedent

import pytest

import interpreter
from interpreter.source import Problems, render
from interpreter.workbench.clause_coverage import CARRIED_OUT, SHOWN, clause_coverage
from interpreter.workbench.examples import from_file
from interpreter.workbench.rule_sets import RuleSet
from interpreter.workbench.running import Result as Found
from interpreter.workbench.running import run
from interpreter.workbench.shown_clauses import recorded
from tests import shipped
from tests.forces import places, toy, umpire

ROOT = Path(__file__).parent.parent
FORCES = sorted((ROOT / "examples").glob("force-*.yaml"))


# ---- the lists that come along
@pytest.mark.parametrize("path", FORCES, ids=lambda p: p.stem)
def test_a_shipped_force_keeps_its_limits(path: Path) -> None:
    assert interpreter.check(path) == ()
    found = interpreter.muster(path)
    assert found.kept
    assert all(v.kept for v in found.limits)
    assert len(found.limits) >= 2
    done = umpire("muster", str(path))
    assert done.exit_code == 0
    assert found.force in done.output
    for listed in found.things:
        assert listed.name in done.output


def test_there_is_a_force_for_every_set_with_limits() -> None:
    assert {p.stem for p in FORCES} == {"force-vsf", "force-imperial", "force-modern", "force-vbcw"}


def test_the_roster_of_a_column_by_hand() -> None:
    """(7 - activation) + (7 - expertise) x dice + (7 - expertise) + (7 - save) + extras, page by page."""
    found = interpreter.muster(ROOT / "examples" / "force-vsf.yaml")
    costs = {x.name: {v.name: v.all for v in x.values} for x in found.things}
    assert costs == {
        "Colonel": {"cost": "14"},  # veteran 4 + 3 + 3, two Hero Points, brave and motivator
        "Old-Guard": {"cost": "104"},  # 8 x (4 + 3 + 3 + save 1 + bayonet 2)
        "Recruits": {"cost": "41"},  # 10 x (2 + 1 + 1), and a medic's 1
        "Gun": {"cost": "25"},  # 3 + 2 x 4 + 2; 3 + 2; 3 + 2 + 2
        "Behemoth": {"cost": "70"},  # (3 + 2 x 4 + 3) x 5
        "Stokers": {"cost": "18"},  # 3 x (3 + 2 + 1)
        "The 3rd Foot": {"worth": "272"},
    }
    guards = next(x for x in found.things if x.name == "Old-Guard")
    assert [(r.said, r.values[0].each, r.values[0].all) for r in guards.rows] == [
        ("7 figures", "13", "91"),
        ("1 figure", "13", "13"),
    ]


# ---- what was agreed on
def test_limits_that_both_players_break(tmp_path: Path) -> None:
    force = "force: Ours\nrules: toy\nunit A: raw, 3 mans, boss\nbreaks: {}"
    limits = "limit bosses of unit: (mans where boss) <= 1\nlimit crowd of unit: mans <= 9"
    path = toy(tmp_path, limits, force.format("bosses"))
    assert interpreter.check(path) == ()
    done = umpire("muster", path)
    assert done.exit_code == 0
    assert "agreed  bosses\n        A: 3 of at most 1" in done.output
    assert places(toy(tmp_path, limits, force.format("[bosses, crowd]"))) == [("F018", 4, 18)]
    path = toy(tmp_path, limits, force.format("boses"))
    (slip,) = interpreter.check(path)
    assert (slip.code, slip.hint) == ("N001", "did you mean `bosses`?")
    assert places(toy(tmp_path, limits, force.format("none"))) == [("F017", 3, 14)]


def test_only_a_force_is_held_against_limits(tmp_path: Path) -> None:
    path = toy(tmp_path, "limit crowd of unit: mans <= 2", "rules: toy\nunit A: raw, 3 mans\nthen: A.cost = 6")
    assert interpreter.check(path) == ()
    path = toy(
        tmp_path, "limit crowd of unit: mans <= 2", "rules: toy\nunit A: raw, 3 mans\nbreaks: crowd\nthen: A.cost = 6"
    )
    assert places(path) == [("F016", 3, 9)]


# ---- the lists of the printed games
@cache
def forces_of(name: str) -> tuple[RuleSet, list[Found]]:
    """A set, and the examples of its forces carried out."""
    problems = Problems()
    rules = shipped.opened(name)
    examples = from_file(ROOT / "rules" / "tests" / f"{name}-forces.yaml", rules, problems)
    assert not len(problems), render(problems)
    return rules, [run(rules, e) for e in examples]


def test_clauses_of_forces_are_shown() -> None:
    wanted = {
        "vsf": ("VSF-015", "VSF-106", "VSF-165", "VSF-166", "VSF-176", "VSF-210", "VSF-211", "VSF-213"),
        "imperial": tuple(f"IMP-{n}" for n in (144, 145, 147, 150, 151, 160, 165, 169, 172)),
        "modern": ("MOD-016", "MOD-051"),
        "vbcw": ("VBCW-164", "VBCW-166", "VBCW-175"),
    }
    for name, clauses in wanted.items():
        problems = Problems()
        rules, examples = shipped.opened(name), shipped.examples(name)
        evidence = [each for each in recorded(rules, examples, problems).evidence if each.clause in clauses]
        assert not len(problems), render(problems)
        showing = {each.example for each in evidence}
        assert all(
            run(rules, example, shown=False, alone=False).passed for example in examples if example.name in showing
        )
        found = clause_coverage(rules, evidence)
        shown = {c.clause.id for c in found.clauses if c.evidence and c.status in (SHOWN, CARRIED_OUT)}
        assert shown >= set(clauses), name


@pytest.mark.parametrize("name", ["vsf", "imperial", "modern", "vbcw"])
def test_every_limit_is_broken_by_some_example(name: str) -> None:
    rules, results = forces_of(name)
    said = " ".join(str(r.example.body.get("breaks") and r.example.body.get("breaks").text) for r in results)  # type: ignore[union-attr]
    assert set(rules.book.limits) <= set(said.split())


def test_a_broken_list_of_a_printed_game(tmp_path: Path) -> None:
    file = tmp_path / "fourth.yaml"
    file.write_text(
        dedent("""\
        force: Fourth Company
        rules: imperial
        unit First:
          is: regular
          figures:
            - 2 with weapon bolter and skills sniper
            - 1 with weapon sniper-laser
            - 1 with skills medic and skills scout
        unit Second: veteran, 3 figures, skills sniper
        """),
        "utf-8",
    )
    done = umpire("muster", str(file), "--format", "json")
    assert done.exit_code == 1
    told = json.loads(done.output)
    assert told["kept"] is False
    broken = {x["name"]: [(b["who"], b["found"], b["row"], b["column"]) for b in x["breaches"]] for x in told["limits"]}
    assert {name: found for name, found in broken.items() if found} == {
        "skill-count": [("1 figure of First", "2 of at most 1", 8, 7)],
        "commanders": [("Fourth Company", "0 of at least 1", 1, 8)],
        "snipers": [("Fourth Company", "5 of at most 3", 9, 23)],
        "sniper-lasers": [("1 figure of First", "`sniper in skills` is not so", 7, 7)],
    }
    assert [p["code"] for p in told["problems"]] == ["F017"] * 4
    assert told["errors"] == 4
    squad = next(x for x in told["things"] if x["name"] == "Second")
    assert squad["values"] == {"skill-points": {"each": "9", "all": "9"}}
    assert squad["rows"][0] | {"file": ""} == {
        "kind": "figure", "count": 3, "traits": ["skills sniper"], "values": {"points": {"each": "3", "all": "9"}},
        "file": "", "row": 9, "column": 23,
    }  # fmt: skip


# ---- what cannot be read
@pytest.mark.parametrize(
    ("force", "code", "place"),
    [
        ("force: Ours\nrules: vfs\nunit A: green", "F015", (2, 8)),
        ("force: Ours\nunit A: green", "F016", (1, 1)),
        ("rules: modern\nunit A: green, 3 figures", "F016", (1, 1)),
        ("force: Ours\nrules: modern\nunit A: gren, 3 figures", "F002", (3, 9)),
        ("force: Ours\nrules: modern\nunit A: 3 figures", "F001", (3, 6)),
        ("force: Ours\nrules: modern\nunti A: green, 3 figures", "N001", (3, 1)),
        ("force: Ours\nrules: modern\nunit A: green, 3 figures, weapon rilfe", "F010", (3, 27)),
        ("force:\nrules: modern\nunit A: green", "S007", (1, 1)),
        ("force: Ours\nrules: modern\nunit A: green\nbraeks: crews", "S008", (4, 1)),
    ],
)
def test_a_list_with_a_mistake(force: str, code: str, place: tuple[int, int] | None, tmp_path: Path) -> None:
    file = tmp_path / "ours.yaml"
    file.write_text(force + "\n", "utf-8")
    done = umpire("muster", str(file), "--json")
    assert done.exit_code == 1
    found = json.loads(done.output)["problems"]
    assert [p["code"] for p in found] == [code]
    with pytest.raises(interpreter.Trouble) as trouble:
        interpreter.muster(file)
    span = trouble.value.problems[0].span
    assert (span.place if span is not None else None) == place


def test_there_must_be_a_file() -> None:
    assert umpire("muster", "nowhere.yaml").exit_code == 2
    assert umpire("muster", str(ROOT)).exit_code == 2


def test_a_force_is_a_test_as_well(tmp_path: Path) -> None:
    path = toy(tmp_path, "limit crowd of unit: mans <= 2", "force: Ours\nrules: toy\nunit A: raw, 3 mans")
    assert umpire("test", path).exit_code == 1
    assert umpire("test", str(FORCES[0])).exit_code == 0


def test_a_supplement_changes_what_a_force_may_have(tmp_path: Path) -> None:
    """A sheet laid over a set drops one limit and tightens another; its roster goes before the set's."""
    (tmp_path / "club.yaml").write_text(
        "game: Our club\nover: imperial\nroster: [all-skills]\nOurs:\n  remove commanders:\n"
        "  limit medics-a-unit of unit: (figures where medic in skills) <= 1\n",
        "utf-8",
    )
    file = tmp_path / "ours.yaml"
    file.write_text("force: Ours\nrules: imperial + club.yaml\nunit A: regular, 2 figures, skills medic\n", "utf-8")
    found = interpreter.muster(file)
    assert [v.name for v in found.limits if not v.kept] == ["medics-a-unit"]
    assert "commanders" not in {v.name for v in found.limits}
    assert {v.name for x in found.things for v in x.values} == {"all-skills"}
