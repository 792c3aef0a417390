"""Typical situations: where they stand, what is wrong with one, who has them."""

from pathlib import Path

import pytest
from typed import CliRunner

from interpreter.source import Problems
from interpreter.surfaces.cli.group import main
from interpreter.workbench.patches import Patches
from interpreter.workbench.pricing import prices
from interpreter.workbench.rules import open_rules
from interpreter.workbench.typical import points_of, typical_of
from tests import shipped
from tests.sampled import sampled
from tests.toys import toy


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def names(rules: str) -> list[str]:
    problems = Problems()
    opened = open_rules(rules, problems)
    assert opened is not None and not problems.has_errors
    points = points_of(opened, typical_of(opened, problems), problems)
    assert not problems.has_errors
    return [point.name for point in points]


def test_inside_beside_and_of_the_base(tmp_path: Path) -> None:
    toy(
        tmp_path, house="Ours:\n  typical ours:\n    unit A:\n    unit B: hidden\n    do: A shoots at B\n    ask: hit\n"
    )
    (tmp_path / "tests").mkdir()
    text = "rules: toy\ntypical beside:\n  unit A:\n  unit B:\n  do: A shoots at B\n  ask: hit\n"
    (tmp_path / "tests" / "toy-typical.yaml").write_text(text, encoding="utf-8")
    own = ["a-shot: A skill 4", "a-shot: A skill 5", "a-volley"]
    assert names("toy") == [*own, "beside"]
    assert names("house") == [*own, "ours", "beside"]


def test_what_is_typical_of_another_stack_is_not_of_this_one(tmp_path: Path) -> None:
    toy(tmp_path, house="")
    (tmp_path / "tests").mkdir()
    text = "rules: toy + house\ntypical both:\n  unit A:\n  unit B:\n  do: A shoots at B\n  ask: hit\n"
    (tmp_path / "tests" / "toy-house.yaml").write_text(text, encoding="utf-8")
    assert "both" not in names("toy") and "both" in names("house")


@pytest.mark.parametrize(
    ("lines", "code"),
    [
        ("about: nothing", "X020"),
        ("ask: hit\n    dice: 3", "X021"),
        ("ask: hit\n    then: hit", "X021"),
        ("ask: hits", "N001"),
        ("ask: hit\n    weather: rain", "S008"),
    ],
)
def test_what_is_wrong_with_one(tmp_path: Path, lines: str, code: str) -> None:
    toy(tmp_path, house=f"Ours:\n  typical ours:\n    unit A:\n    unit B:\n    do: A shoots at B\n    {lines}\n")
    said = CliRunner().invoke(main, ["check", "house", "--no-cache"])
    assert said.exit_code == 1 and code in said.output, said.output


def test_one_can_be_asked_by_its_name(tmp_path: Path) -> None:
    text = "rules: toy\ntypical beside:\n  unit A:\n  unit B:\n  do: A shoots at B\n  ask: wound\n"
    toy(tmp_path)
    (tmp_path / "some.yaml").write_text(text, encoding="utf-8")
    assert CliRunner().invoke(main, ["check", "some.yaml"]).exit_code == 0
    said = CliRunner().invoke(main, ["odds", "some.yaml", "beside", "--fraction"])
    assert said.exit_code == 0 and "1/4" in said.output


def test_what_is_not_reached_need_not_be_asked_again(tmp_path: Path) -> None:
    """A change of `wounding` cannot touch a volley; what is asked again agrees with what is not."""
    toy(tmp_path, house="change:\n  wounding: needs toughness - 1\n")
    base, house = (open_rules(name, Problems()) for name in ("toy", "house"))
    assert base is not None and house is not None
    patches = Patches(base, house)
    points = points_of(house, typical_of(house, Problems()), Problems())
    before = prices(patches.none(), points)
    same = [p.name for p in points if before.same(p, patches.patches[0].touches)]
    assert same == ["a-volley"]
    after = prices(house, points)
    assert all(after.laws[key] == law for key, law in before.laws.items() if key[0] in same)
    assert prices(house, points, before, patches.patches[0].touches).laws == after.laws


@pytest.mark.parametrize("name", ["modern-shields", "imperial-plain-volley"])
def test_what_a_shipped_house_rule_cannot_reach_is_as_before(name: str) -> None:
    """The shortcut against the long way, on patches of real rules."""
    from interpreter.folders import EXAMPLES

    base = shipped.opened(name.split("-")[0])
    house = open_rules(str(EXAMPLES / "house-rules" / f"{name}.yaml"), Problems())
    assert house is not None
    patches = Patches(base, house)
    points = points_of(house, typical_of(house, Problems()), Problems())
    points = sampled([p for p in points if p.typical.name != "charge"], 12)
    before, after = prices(patches.none(), points), prices(house, points)
    for i, patch in enumerate(patches.patches):
        if len(patches.patches) == 1:
            assert prices(house, points, before, patch.touches).laws == after.laws
            continue
        only = patches.only({i})
        assert only is not None
        assert prices(only, points, before, patch.touches).laws == prices(only, points).laws
