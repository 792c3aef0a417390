"""Limits and points: what a rule set allows a side, what it costs by the set's own formula, and where a list goes too far."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from textwrap import dedent

import pytest

import interpreter
from interpreter.source import Problems, render
from interpreter.workbench.examples import examples_of
from interpreter.workbench.rules import open_rules
from interpreter.workbench.running import run
from tests.forces import GAME, places, toy, umpire

# ---- limits
KINDS = """
limit bosses of side [1]: (units.mans where boss) <= 2
limit one-boss of unit [2]: (mans where boss) <= 1
limit tanks of side [3]:
  few:  (units where it is a tank) <= 1
  foot: any (units where it is not a tank) if any (units where it is a tank)
limit armed of man [4]: any gun
limit shells of tank [5]: shell > 0 and shell < 6
"""


def test_limits_of_every_kind_with_numbers_and_places(tmp_path: Path) -> None:
    path = toy(
        tmp_path,
        KINDS,
        """
        force: Ours
        rules: toy
        unit A:
          is: steady
          mans: [3 with gun rifle, 2 with gun rifle and boss]
        unit B: raw, 2 mans, gun maxim, boss
        unit C: raw, 4 mans
        tank T: raw, shell 7
        tank U: raw
        """,
    )
    found = interpreter.muster(path)
    assert not found.kept
    told = {(v.name, b.who): (b.found, *b.where.place) for v in found.limits for b in v.breaches}
    assert told == {
        ("bosses", "Ours"): ("4 of at most 2", 6, 14),  # the first that is too many: B's two after A's two
        ("one-boss", "A"): ("2 of at most 1", 5, 28),
        ("one-boss", "B"): ("2 of at most 1", 6, 14),
        ("tanks.few", "Ours"): ("2 of at most 1", 9, 6),
        ("armed", "4 mans of C"): ("`any gun` is not so", 7, 14),
        ("shells", "T"): ("7, and it must be less than 6", 8, 6),
        ("shells", "U"): ("0, and it must be more than 0", 9, 6),
    }
    kept = {v.name: v.asked for v in found.limits if v.kept}
    assert kept == {"tanks.foot": 1}
    first = next(p for p in found.problems if "bosses" in p.message)
    assert first.message == "the limit `bosses` (TOY-001) is not kept by Ours: 4 of at most 2"
    assert first.label == "2 here"
    assert [(o.span.place, o.text) for o in first.others] == [((5, 28), "2 here")]
    assert sorted(places(path)) == sorted((p.code, *p.span.place) for p in found.problems if p.span)
    done = umpire("muster", path)
    assert done.exit_code == 1
    assert "broken  bosses      TOY-001" in done.output
    assert "kept    tanks.foot  TOY-003" in done.output
    assert "ours.yaml:6:14" in done.output


@pytest.mark.parametrize(
    ("limit", "found"),
    [
        ("(mans where boss) >= 1", "0 of at least 1"),
        ("any (mans where boss)", "0 of at least 1"),
        ("no (mans where gun is rifle)", "3 of none"),
        ("mans = 4", "3, and it must be 4"),
        ("mans < 3", "3, and it must be less than 3"),
        ("2 >= mans", "3 of at most 2"),
        ("4 <= mans", "3 of at least 4"),
        ('reach <= 4"', '6" of at most 4"'),
        ("skill >= steady", "raw of at least steady"),
        ("sum(mans.price) <= 8", "9 of at most 8"),
        ("any mans and mans <= 2 and boss-men", "3 of at most 2"),
        ("not boss-men or skill is steady", "`not boss-men or skill is steady` is not so"),
    ],
)
def test_how_a_breach_is_told(limit: str, found: str, tmp_path: Path) -> None:
    extra = f"value boss-men of unit: mans > 2\nlimit it-is of unit: {limit}"
    path = toy(tmp_path, extra, "force: Ours\nrules: toy\nunit A: raw, 3 mans, gun rifle")
    verdicts = interpreter.muster(path).limits
    assert [b.found for v in verdicts for b in v.breaches] == [found]


def test_a_force_is_of_one_side(tmp_path: Path) -> None:
    """Two armies are two lists."""
    force = (
        "force: Both\nrules: toy\nside Red:\nside Blue:\nunit A: raw, side Red, 2 mans\nunit B: raw, side Blue, 3 mans"
    )
    assert places(toy(tmp_path, "limit some-of of side: any units", force)) == [("F020", 4, 6)]


def test_a_side_that_is_described_owns_the_force(tmp_path: Path) -> None:
    force = (
        "force: Ours\nrules: toy\nside Red:\nunit A: raw, 2 mans\nfacts: licence(Red)\nthen: [Red.worth = 4, worth = 4]"
    )
    found = interpreter.muster(toy(tmp_path, "limit free of side: licence", force))
    assert found.kept
    assert {x.name: x.owner for x in found.things} == {"Red": None, "A": "Red"}


def test_the_card_of_the_side_is_open_to_facts(tmp_path: Path) -> None:
    limit = "limit free of side: licence if any (units.mans where gun is maxim)"
    force = "force: Ours\nrules: toy\nunit A: raw, 2 mans, gun maxim\nfacts: {}licence"
    assert interpreter.muster(toy(tmp_path, limit, force.format(""))).kept
    assert not interpreter.muster(toy(tmp_path, limit, force.format("not "))).kept


def test_what_the_table_tells_must_be_stated(tmp_path: Path) -> None:
    path = toy(tmp_path, "limit paid of side: funds >= worth", "force: Ours\nrules: toy\nunit A: raw, 2 mans")
    assert [p.code for p in interpreter.check(path)] == ["F004"]
    with pytest.raises(interpreter.Trouble, match="funds"):
        interpreter.muster(path)
    assert umpire("muster", path).exit_code == 1


def test_an_agreed_size(tmp_path: Path) -> None:
    force = "force: Ours\nrules: toy\nunit A: raw, 3 mans, gun rifle\nthen: worth <= {}"
    limit = "limit bosses of side: no (units.mans where boss)"
    assert interpreter.muster(toy(tmp_path, limit, force.format(9))).kept
    path = toy(tmp_path, limit, force.format(8))
    assert places(path) == [("X001", 4, 7)]
    done = umpire("muster", path)
    assert done.exit_code == 1
    assert "fails   worth <= 8" in done.output


# ---- points
def test_a_sum_takes_values_in_values_rolls_limits_and_lines(tmp_path: Path) -> None:
    (tmp_path / "sums.yaml").write_text(
        GAME.replace("Limits:", "Sums:")
        + dedent("""\
          value hands of unit: sum(mans.gun.shots) + sum(mans.unit.skill.hit)
          value odd of unit: sum((mans where boss).price) / 2
          roll test of unit: needs 2+ + sum(mans.price) / 30
          to reckon (unit):
            total: sum(mans.price)
            sides: sum(units.cost)
            tries: 6 passing unit.test
          limit rich of unit: sum(mans.price) <= 30
          example counted:
            unit A:
              is: steady
              mans: [4 with gun rifle, 1 with gun maxim and boss]
            unit B: raw, 3 mans
            do: A reckons
            dice: tries 2 3 4 5 6 1
            then: [total = 22, sides = 28, A.hands = 27, A.odd = 3, B.odd = 0, tries = 4]
          example half-a-point:
            unit A: steady, 1 mans, boss, gun rifle
            then: A.odd = 2
          """).replace("\n", "\n  ").join(["  ", ""]).rstrip()
        + "\n",
        "utf-8",
    )  # fmt: skip
    problems = Problems()
    rules = open_rules(tmp_path / "sums.yaml", problems)
    assert rules is not None
    assert not len(problems), render(problems)
    for example in examples_of(rules, problems):
        result = run(rules, example)
        assert result.passed, render(result.problems)


def test_points_that_are_no_whole_number() -> None:
    psyker = "1 with level veteran and points 1 and weapon psychic-blast"
    found = interpreter.muster({"force": "Ours", "rules": "vsf", "unit H": {"is": "veteran", "characters": [psyker]}})
    hero = next(x for x in found.things if x.name == "H")
    assert hero.values[0].all == "18.5"  # 4 + 3 x 3.5 + 3 + 1
    assert Fraction(hero.values[0].all) == 4 + Fraction(21, 2) + 3 + 1


# ---- the rule file
@pytest.mark.parametrize(
    ("limits", "code", "column"),
    [
        ("limit crowd of unit: mans", "T001", 24),
        ("limit crowd of unit: +1", "M003", 24),
        ("limit crowd of unit: best of 2", "M003", 24),
        ("limit crowd of squad: any mans", "N001", 18),
        ("limit crowd: any units", "L005", 14),
        ("limit crowd of unit: any menn", "N001", 28),
        ("limit crowd of unit:", "P001", 9),
        ("limit cost of unit: mans <= 2", "N003", 9),
    ],
)
def test_mistakes_in_limits(limits: str, code: str, column: int, tmp_path: Path) -> None:
    path = toy(tmp_path, limits, "force: Ours\nrules: toy")
    found = [(p.code, p.span.place[1]) for p in interpreter.check(tmp_path / "toy.yaml") if p.span]
    assert found == [(code, column)]
    assert umpire("muster", path).exit_code == 1


def test_a_limit_may_be_called_like_a_line(tmp_path: Path) -> None:
    limits = "limit crew of unit: mans <= 2\nto go (unit):\n  crew: mans\n  and-one: crew + 1"
    assert interpreter.muster(toy(tmp_path, limits, "force: Ours\nrules: toy\nunit A: raw, 1 mans")).kept


def test_no_sentence_speaks_of_a_limit(tmp_path: Path) -> None:
    toy(tmp_path, "limit crew of unit: mans <= 2\nvalue full of unit: not crew", "force: Ours\nrules: toy")
    assert [p.code for p in interpreter.check(tmp_path / "toy.yaml")] == ["N001"]


@pytest.mark.parametrize(("said", "known"), [("[price, cots]", "cost"), ("[price, hit]", ""), ("[mans]", "")])
def test_a_roster_names_values_of_things(said: str, known: str, tmp_path: Path) -> None:
    toy(tmp_path, "limit manned of unit: any mans", "force: Ours\nrules: toy")
    file = tmp_path / "toy.yaml"
    file.write_text(file.read_text("utf-8").replace("[price, cost, worth]", said), "utf-8")
    (slip,) = interpreter.check(file)
    assert slip.code == "N001"
    assert slip.span is not None
    assert slip.span.text == said.strip("[]").split(", ")[-1]
    assert known in (slip.hint or "")


def test_an_extending_file_changes_limits_and_the_roster(tmp_path: Path) -> None:
    path = toy(
        tmp_path, "limit crowd of unit:\n  most-men: mans <= 2\nlimit lone of unit: mans > 1\nlimit odd of man: boss",
        "force: Ours\nrules: house\nunit A: raw, 3 mans, gun rifle",
    )  # fmt: skip
    (tmp_path / "house.yaml").write_text(
        "game: House\nextends: toy\nroster: cost\nchange:\n  crowd.most-men: mans <= 3, was mans <= 2\n"
        "Ours:\n  remove odd:\n  add to crowd:\n    guns: (mans where gun is rifle) <= 2\n",
        "utf-8",
    )
    found = interpreter.muster(path)
    assert {v.name: v.kept for v in found.limits} == {"crowd.most-men": True, "crowd.guns": False, "lone": True}
    assert {v.name for x in found.things for v in (*x.values, *(w for r in x.rows for w in r.values))} == {"cost"}


def test_show_prints_limits() -> None:
    assert "limits: " in umpire("show", "imperial").output
    assert "limit snipers of side [150]" in umpire("show", "imperial", "snipers").output


@pytest.mark.parametrize(
    ("paces", "limit", "found"),
    [
        ((0, 3), "min(units.pace) >= 1", "0 of at least 1"),
        ((0, 3), "min(units.pace) > 0", "0, and it must be more than 0"),
        ((0, 3), "0 < min(units.pace)", "0, and it must be more than 0"),
        ((0, 0), "max(units.pace) >= 1", "0 of at least 1"),
        ((0, 0), "sum(units.pace) >= 1", "0 of at least 1"),
        ((0, 3), "any (units where pace > 3)", "0 of at least 1"),
        ((1, 3), "min(units.pace) >= 1", None),
        ((0, 3), "max(units.pace) >= 1", None),
    ],
)
def test_a_limit_is_broken_by_nought_too(paces: tuple[int, ...], limit: str, found: str | None, tmp_path: Path) -> None:
    """What is 0 is a number that is too small, not one that nobody asked: told, and the command ends with 1."""
    (tmp_path / "toy.yaml").write_text(
        f"game: Toy\nSoldiers:\n  kind side:\n  kind unit of side:\n    pace: number 0 to 9\n  limit swift of side: {limit}\n",
        "utf-8",
    )
    path = tmp_path / "ours.yaml"
    units = "".join(f"unit {name}: pace {pace}\n" for name, pace in zip("AB", paces, strict=True))
    path.write_text(f"force: Ours\nrules: toy\n{units}", "utf-8")
    (verdict,) = interpreter.muster(path).limits
    assert [b.found for b in verdict.breaches] == ([found] if found else [])
    text, as_json = umpire("muster", str(path)), umpire("muster", str(path), "--json")
    assert text.exit_code == as_json.exit_code == (1 if found else 0)
    assert ("broken  swift" in text.output, "F017" in text.output) == (bool(found), bool(found))
    told = json.loads(as_json.output)
    assert (told["kept"], told["limits"][0]["kept"], told["errors"]) == (not found, not found, 1 if found else 0)
    assert [b["found"] for b in told["limits"][0]["breaches"]] == ([found] if found else [])
