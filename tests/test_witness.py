"""A witness: a small situation in which a house rule matters, found from the rules alone, for real wishes of players."""

import json
import re
from fractions import Fraction as F
from pathlib import Path
from textwrap import dedent

import pytest
from typed import CliRunner

from interpreter.source import Problems
from interpreter.surfaces.cli.group import main
from interpreter.workbench.examples import from_file
from interpreter.workbench.patches import Patches
from interpreter.workbench.rule_differences import rule_differences
from interpreter.workbench.rule_sets import RuleSet
from interpreter.workbench.rules import open_rules
from interpreter.workbench.running import run, run_all
from interpreter.workbench.witness import WitnessSearch, find_witness
from tests import shipped
from tests.sampled import sampled
from tests.toys import look_less_far, toy

WISHES = sorted((Path(__file__).parent.parent / "examples/wishes").glob("*.yaml"))
# What these change, the rules without them cannot even ask: another name for a distance, the price of something new.
WITHOUT = {"upgrades"}


def opened(name: str) -> RuleSet:
    problems = Problems()
    rules = open_rules(name, problems)
    assert rules is not None and not problems.has_errors, list(problems)
    return rules


def looked_for(base: str, ours: str) -> WitnessSearch:
    patches = Patches(opened(base), opened(ours))
    return find_witness(patches.none(), patches.ours, "it-matters")


def test_there_are_the_first_wishes_of_players() -> None:
    assert len(WISHES) >= 30
    assert {path.stem for path in WISHES} >= WITHOUT


def base_of(path: Path) -> str:
    return path.read_text("utf-8").split("\nover: ")[1].split("\n")[0]


def holds_without(base: str, examples: str, folder: Path) -> bool:
    """Whether examples hold, or can be said at all, in the rules as they are printed."""
    (folder / "plain.yaml").write_text(f"rules: {base}\n{examples}", encoding="utf-8")
    rules, problems = shipped.opened(base), Problems()
    found = from_file(folder / "plain.yaml", rules, problems)
    assert found and not len(problems)
    return all(run(rules, example).passed for example in found)


@pytest.mark.parametrize("path", WISHES, ids=lambda path: path.stem)
def test_the_example_of_a_wish_holds_with_it_and_not_without_it(path: Path, tmp_path: Path) -> None:
    base, text = base_of(path), path.read_text("utf-8")
    problems = Problems()
    rules, results = run_all(f"{base} + {path}", problems)
    assert rules is not None and not len(problems), list(problems)
    assert results and all(result.passed for result in results)
    kept = "".join(re.findall(r"^  example .*:\n(?:    .*\n)+", text, re.MULTILINE))
    assert not holds_without(base, dedent(kept), tmp_path)


@pytest.mark.parametrize(
    "path", sampled([path for path in WISHES if path.stem not in WITHOUT], 6), ids=lambda path: path.stem
)
def test_every_wish_has_a_witness_that_can_be_kept(path: Path, tmp_path: Path) -> None:
    """Its example holds with the house rule, in both engines; kept in a file without the rule it fails, or cannot even
    be said.
    """
    base = base_of(path)
    found = looked_for(base.replace(" ", ""), f"{base} + {path}")
    assert found.witness is not None, f"none in {found.tried} situations of {found.deeds}"
    kept = "".join(f"  {line}\n" for line in found.example)
    (tmp_path / "kept.yaml").write_text(f"{path.read_text('utf-8')}Kept:\n{kept}", encoding="utf-8")
    problems = Problems()
    rules, results = run_all(f"{base} + {tmp_path / 'kept.yaml'}", problems)
    assert rules is not None and not problems.has_errors, list(problems)
    assert [list(result.problems) for result in results if not result.passed] == []
    assert not holds_without(base, dedent(kept), tmp_path)


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    look_less_far(monkeypatch)
    return tmp_path


def test_by_hand(here: Path) -> None:
    """Hidden targets are hit on 1 more by the toy, and here on 2 more: a skill of 4 needs 5, and now 6. One shot at one
    that is hidden is the ordinary reading.
    """
    toy(here, house="change:\n  hitting.hidden: needs +2 if target.hidden\n")
    found = looked_for("toy", "toy + house").witness
    assert found is not None
    assert found.lines == ("unit A:", "unit B: hidden", "do: A volleys at B")
    hits = next(told for told in found.told if told.ask == "hits")
    assert hits.before is not None
    assert (hits.before.mean, hits.after.mean) == ((F(1, 3), F(1, 3)), (F(1, 6), F(1, 6)))


def test_figures_of_the_ordinary_kind_show_it_where_they_can(here: Path) -> None:
    """Whatever the search came upon: `winded` needs no gun, and no loader of one."""
    (here / "ours.yaml").write_text(
        "game: Ours\nextends: modern\nHouse rules:\n  mark winded of unit: until before try\n"
        "  add to shooting:\n    winded: roll -1 if unit is winded\n",
        encoding="utf-8",
    )
    found = looked_for("modern", "ours").witness
    assert found is not None
    assert not any("gun" in line for line in found.lines), found.lines


def test_the_same_rules_give_the_same_witness(here: Path) -> None:
    toy(here, house="change:\n  hitting.hidden: needs +2 if target.hidden\n")
    assert looked_for("toy", "toy + house") == looked_for("toy", "toy + house")


def test_rules_that_mean_the_same_have_none(here: Path) -> None:
    toy(here, house="change:\n  hitting.hidden: needs +1 if target.hidden\n")
    found = looked_for("toy", "toy + house")
    assert (found.witness, found.tried, found.deeds) == (None, 0, ())
    assert rule_differences(opened("toy"), opened("toy + house")).nothing


def test_how_far_it_looked_is_told(here: Path) -> None:
    """Nobody can be so skilled: the line never sets in."""
    toy(here, house="Ours:\n  add to hitting:\n    dream: roll +1 if skill > 9 and skill < 9\n")
    said = CliRunner().invoke(main, ["diff", "toy", "house", "--odds"])
    assert said.exit_code == 0
    assert "no situation was found in which it matters, among " in said.output
    assert "`A shoots at B`" in " ".join(said.output.split())


def test_the_page_offers_to_keep_it(here: Path) -> None:
    toy(here, house="change:\n  hitting.hidden: needs +2 if target.hidden\n")
    said = CliRunner().invoke(main, ["diff", "toy", "house", "--odds", "--json"])
    witness = json.loads(said.output)["odds"]["patches"][0]["witness"]
    text = (here / "house.yaml").read_text("utf-8")
    (here / "house.yaml").write_text(
        f"{text}Kept:\n" + "".join(f"  {line}\n" for line in witness["example"].splitlines()), encoding="utf-8"
    )
    assert CliRunner().invoke(main, ["test", "house"]).exit_code == 0
    again = CliRunner().invoke(main, ["diff", "toy", "house", "--odds"])
    assert "3 typical situations and 1 example" in again.output
    assert "1 changed, 3 unchanged" in again.output


def test_what_only_the_house_rule_can_say_is_no_failure(here: Path) -> None:
    """An example of what the base does not have is told beside the table, and the command ends well."""
    text = "Ours:\n  roll luck of unit: needs 4\n  to gamble (unit):\n    won: unit passes luck\n"
    text += "  example a-gamble:\n    unit A:\n    do: A gambles\n    odds: 1/2 that won\n"
    toy(here, house=text)
    said = CliRunner().invoke(main, ["diff", "toy", "house", "--odds"])
    assert said.exit_code == 0, said.output
