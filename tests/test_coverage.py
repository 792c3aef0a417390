"""`umpire coverage`: an example counts for a clause only where it fails without a line that cites it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typed import CliRunner

from interpreter import places
from interpreter.mutation.clause_witnesses import confirmed
from interpreter.source import Problems
from interpreter.surfaces.cli.group import main
from interpreter.workbench import clause_coverage as covering
from interpreter.workbench import running
from interpreter.workbench.examples import examples_of
from interpreter.workbench.rule_sets import RuleSet, registers
from interpreter.workbench.rules import open_rules
from interpreter.workbench.running import run
from interpreter.workbench.shown_clauses import COMPANY, Evidence, in_company, recorded, text_of
from interpreter.workbench.stacks import stacks_of
from tests import shipped
from tests.sampled import THOROUGH

RULES = """\
game: House
clauses: HOU
table talk: [8]
Firing:
  dice high: d6 at or over
  kind unit:
    pins: number
  kind figure, many to a unit:
  mark odd of figure:
  mark tired, far, loud of unit:
  roll aim of unit:
    basic: needs 4 [1]
    tired: roll -1 if tired [2]
    far: roll -2 if far [3]
  value room of unit: 2 [4, 5]
  to shoot (unit):
    shot: unit.figures passing aim
    noise, if loud: unit gains 1 pins [6]
    fuss: unit.room
"""
REGISTER = """\
clauses:
  Firing:
    HOU-001: {kind: check, says: a four hits}
    HOU-002: {kind: modifier, says: the tired hit less}
    HOU-003: {kind: modifier, says: far away nobody hits much}
    HOU-004: {kind: state, says: there is room for two}
    HOU-005: {kind: state, says: and for no more}
    HOU-006: {kind: trigger, says: noise pins}
  Else:
    HOU-007: {kind: sight, status: told, says: who sees whom}
    HOU-008: {kind: judgement, says: be nice}
    HOU-009: {kind: state, status: not yet, says: there is a moon}
"""
EXAMPLES = """\
rules: house
example two-of-four:
  unit A: 4 figures
  do: A shoots
  odds: 2 mean shot
example the-tired-in-company:
  unit A: 4 figures, tired
  unit B: 4 figures
  unit C: 4 figures
  do: A shoots
  odds: 4/3 mean shot
example room [4]:
  unit A: 4 figures
  do: A shoots
  then: fuss = 2
example runs-all-lines-and-asks-for-nothing-of-them [3, 6]:
  unit A: 4 figures, tired, far, loud
  do: A shoots
  odds: 1/1 that fuss = 2
"""


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A small set with a register, in a home of its own, and a cache of its own; the folder of its examples."""
    home = tmp_path / "home"
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(places, "HOME", str(home))
    monkeypatch.setattr(places, "SHIPPED", str(home / "rules"))
    monkeypatch.chdir(tmp_path)
    (home / "rules" / "clauses").mkdir(parents=True)
    (home / "rules" / "clauses" / "house.yaml").write_text(REGISTER, "utf-8")
    (tmp_path / "house.yaml").write_text(RULES, "utf-8")
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "house.yaml").write_text(EXAMPLES, "utf-8")
    return tmp_path / "tests"


def said(*words: str, code: int = 0) -> str:
    done = CliRunner().invoke(main, list(words))
    assert done.exit_code == code, done.output
    return done.output


def covered() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(said("coverage", "house.yaml", "--json"))
    return found


def statuses() -> dict[str, str]:
    return {c["id"]: c["status"] for c in covered()["clauses"]}


def opened(name: str) -> RuleSet:
    problems = Problems()
    rules = open_rules(name, problems)
    assert rules is not None and not problems.has_errors
    return rules


def test_without_a_record_nothing_is_shown(house: Path) -> None:
    found = covered()
    assert found["counts"] == dict(zip(covering.STATUSES, (0, 6, 1, 1, 1), strict=True))
    assert found["headings"][1]["counts"] == dict(zip(covering.STATUSES, (0, 0, 1, 1, 1), strict=True))
    assert not any(c["examples"] for c in found["clauses"])


def test_an_example_counts_only_where_it_fails_without_the_line(house: Path) -> None:
    """The last example of the file runs every line, cites two of the clauses, and depends on the last line only."""
    said("coverage", "house.yaml", "--refresh")
    shown = {c["id"]: [(e["example"], e["where"]) for e in c["shown_by"]] for c in covered()["clauses"]}
    assert shown["HOU-002"] == [("the-tired-in-company", COMPANY)]
    assert shown["HOU-003"] == shown["HOU-006"] == []
    assert "runs-all-lines-and-asks-for-nothing-of-them" not in str(shown)
    assert statuses()["HOU-002"] == "shown in company" and statuses()["HOU-003"] == "carried out"


def test_of_a_line_that_cites_several_an_example_says_which_it_shows(house: Path) -> None:
    said("coverage", "house.yaml", "--refresh")
    shown = {c["id"]: [e["example"] for e in c["shown_by"]] for c in covered()["clauses"]}
    assert shown["HOU-004"] == ["room"] and shown["HOU-005"] == []


def test_what_is_done_by_a_line_that_can_be_left_out_is_shown_by_no_slip_in_it(house: Path) -> None:
    """Whoever is not far away would notice that everybody is, and does not show what becomes of the far."""
    said("coverage", "house.yaml", "--refresh")
    assert "HOU-003" not in (house / "house.shown").read_text("utf-8")


@pytest.mark.parametrize(
    ("file", "was", "now"),
    [
        ("tests/house.yaml", "  unit B: 4 figures\n", "  unit B: 3 figures\n"),
        ("house.yaml", "basic: needs 4", "basic: needs 4 + 0"),
        ("tests/house.shown", "the-tired-in-company", "two-of-four"),
    ],
)
def test_what_has_changed_since_shows_nothing(house: Path, file: str, was: str, now: str) -> None:
    said("coverage", "house.yaml", "--refresh")
    assert statuses()["HOU-002"] == "shown in company"
    path = house.parent / file
    text = path.read_text("utf-8")
    assert was in text
    path.write_text(text.replace(was, now), "utf-8")
    found = covered()
    assert "HOU-002" in found["outdated"] and statuses()["HOU-002"] == "carried out"
    assert "umpire coverage house --refresh" in said("coverage", "house.yaml")
    said("coverage", "house.yaml", "--refresh")
    assert covered()["outdated"] == []


def test_an_example_that_fails_shows_nothing(house: Path) -> None:
    """The definition that cites the clause is as it was, and another has changed."""
    said("coverage", "house.yaml", "--refresh")
    path = house.parent / "house.yaml"
    path.write_text(path.read_text("utf-8").replace("high: d6", "high: d8"), "utf-8")
    found = covered()
    assert "the-tired-in-company" in found["failed"] and statuses()["HOU-002"] == "carried out"
    assert "the-tired-in-company" in said("coverage", "house.yaml").splitlines()[-1]


def test_a_second_call_asks_nobody(house: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    said("coverage", "house.yaml", "--refresh")
    first, names = covered(), []

    def heard(rules: Any, example: Any, **how: Any) -> Any:
        names.append(example.name)
        return run(rules, example, **how)

    monkeypatch.setattr(running, "run", heard)
    assert covered() == first and names == []
    (house / "house.yaml").write_text(EXAMPLES + "# another\n", "utf-8")
    assert covered() == first and names == []
    monkeypatch.setenv("XDG_CACHE_HOME", str(house / "another"))
    assert covered() == first and "the-tired-in-company" in names
    names.clear()
    said("test", "house.yaml")
    assert "the-tired-in-company" in names  # `test` runs what it is asked for, whatever is known


def test_a_line_that_no_record_has_is_told_at_its_place(house: Path) -> None:
    (house / "house.shown").write_text("# what it is\nHOU-002 the-tired-in-company\n", "utf-8")
    out = said("coverage", "house.yaml", code=1)
    assert "X029" in out and "house.shown:2:1" in out and "--refresh" in out


def test_a_line_of_several_words_is_read_as_it_is_written(house: Path) -> None:
    """The name of a case is part of an address: `fate.2 or more`."""
    said_ = Evidence("HOU-002", COMPANY, "two-of-four", "fate.2 or more", "4 in place of 5: six", "0123456789")
    rules = opened("house.yaml")
    (house / "house.shown").write_text(text_of(rules, [said_]), "utf-8")
    problems = Problems()
    assert recorded(rules, [], problems).stale == (said_,) and not len(problems)


def test_a_clause_that_nothing_becomes_of_is_a_finding(house: Path) -> None:
    register = house.parent / "home" / "rules" / "clauses" / "house.yaml"
    register.write_text(REGISTER.replace(", status: not yet", ""), "utf-8")
    out = said("coverage", "house.yaml", code=1)
    assert "HOU-009" in out.splitlines()[-1]


def test_columns_by_heading_and_in_all(house: Path) -> None:
    lines = said("coverage", "house.yaml").splitlines()
    top = next(i for i, line in enumerate(lines) if line.split() == " ".join(covering.STATUSES).split())
    assert lines[top + 1].split() == ["Firing", "6"]
    assert lines[top + 2].split() == ["Else", "1", "1", "1"]
    assert lines[top + 3].split() == ["in", "all", "0", "6", "1", "1", "1"]


@pytest.mark.parametrize(
    ("things", "held"),
    [
        ("unit A: 4 figures\n", False),
        ("unit A: 4 figures\n  unit B: 4 figures\n", False),
        ("unit A: 4 figures\n  unit B: 4 figures\n  unit C: 1 figures\n", True),
        ("unit A:\n    figures: [3, 1 with odd]\n", True),
    ],
)
def test_what_is_in_company(house: Path, things: str, held: bool) -> None:
    (house / "house.yaml").write_text(
        f"rules: house\nexample one:\n  {things}  do: A shoots\n  then: fuss = 2\n", "utf-8"
    )
    rules = opened("house.yaml")
    (example,) = examples_of(rules, Problems())
    assert run(rules, example).passed and in_company(rules, example) is held
    (house / "house.yaml").rename(house / "house-company.yaml")
    (example,) = examples_of(rules, Problems())
    assert in_company(rules, example)


STACKS = [stack for name in registers() for stack in stacks_of(name)]


@pytest.mark.parametrize("stack", STACKS)
def test_the_record_of_a_set_is_that_of_its_rules_and_examples(stack: str) -> None:
    """Cheaply, by digests; where this fails: `umpire coverage NAME --refresh`."""
    problems = Problems()
    found = recorded(shipped.opened(stack), shipped.examples(stack), problems)
    assert not len(problems) and found.evidence and found.stale == ()


@pytest.mark.parametrize("stack", STACKS)
def test_what_a_record_says_is_so(stack: str) -> None:
    """Of one clause of each set, or three, drawn by their digests: these examples do fail without the line."""
    rules = shipped.opened(stack)
    held = recorded(rules, shipped.examples(stack), Problems()).evidence
    drawn = sorted(held, key=lambda each: each.digest)[: 3 if THOROUGH else 1]
    assert confirmed(rules, drawn) == drawn
