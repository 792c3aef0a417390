"""The recipes of the manual: each file of `examples/wishes` stands on one page, whole, and is found from the first page.

The studio offers them: by a player's words, and put into a file that is there.

That the files hold what their examples say is the business of test_witness.py; that links lead somewhere, of test_docs.py.
"""

import re
from pathlib import Path

import pytest
from test_docs import PAGE_BLOCKS, ROOT, excerpt

from interpreter.source import Problems
from interpreter.workbench.recipes import Recipe, insert_recipe, recipes, search
from interpreter.workbench.running import run_all
from tests.sampled import sampled

WISHES = sorted((ROOT / "examples" / "wishes").glob("*.yaml"))
PAGES = [page for page in PAGE_BLOCKS if page.parent == ROOT / "docs" / "recipes"]
SHOWN = [block for page in PAGES for block in PAGE_BLOCKS[page] if block.head.startswith("examples/wishes/")]


@pytest.mark.parametrize("path", WISHES, ids=lambda path: path.stem)
def test_a_recipe_is_shown_once_and_whole(path: Path) -> None:
    (block,) = [block for block in SHOWN if block.head == f"examples/wishes/{path.name}"]
    assert excerpt(block.text) == excerpt(path.read_text("utf-8"))
    assert re.search(r"^  example ", block.text, re.MULTILINE)


def test_there_is_nothing_else() -> None:
    assert len(SHOWN) == len(WISHES) == 30


def test_every_recipe_is_named_on_the_first_page() -> None:
    first = (ROOT / "docs" / "recipes" / "index.md").read_text("utf-8")
    named = re.findall(r"\[([^]]+)\]\([\w-]+\.md#", first.split("\n## ")[0])
    pages = (page for page in PAGES if page.name != "index.md")
    headings = [head for page in pages for head in re.findall(r"^## (.*)$", page.read_text("utf-8"), re.MULTILINE)]
    assert sorted(named) == sorted(headings)
    assert len(headings) == len(WISHES)


# ---- as the studio offers them
def recipe(name: str) -> Recipe:
    return next(each for each in recipes() if each.name == name)


def test_all_come_along_with_their_story_and_the_lines_that_are_run() -> None:
    assert sorted(each.name for each in recipes()) == [path.stem for path in WISHES]
    for each in recipes():
        assert each.story and each.about and each.over, each.name
        assert "](" not in each.story and "```" not in each.story
        assert each.text == (ROOT / "examples" / "wishes" / f"{each.name}.yaml").read_text("utf-8")


@pytest.mark.parametrize(
    ("words", "name"),
    [
        ("exploding sixes", "sixes-explode"),
        ("reroll ones", "reroll-ones"),
        ("night fighting", "night"),
        ("multiple wounds", "ogres"),
        ("Smoke grenades!", "smoke"),
        ("minefields", "hidden-mines"),
        ("the leader dies", "rout-without-a-leader"),
        ("ammunition", "out-of-ammunition"),
        ("rain halves the range", "heavy-rain"),
        ("a medic", "medic"),
        ("experienced", "experience"),
        ("overwatch at half effect", "half-in-reaction"),
        ("upgrade costs", "upgrades"),
        ("two-handed", "two-handed"),
    ],
)
def test_a_recipe_is_found_by_a_players_words(words: str, name: str) -> None:
    assert search(words, recipes())[0].name == name


def test_without_words_all_are_found_and_by_strange_ones_none() -> None:
    assert search(" the ", recipes()) == list(recipes())
    assert search("zeppelin", recipes()) == []


HOUSE = """## What we play.
game: Ours
over: {over}

Another thing:
  mark tiredly of unit:

## 2. Switched off:
#Firing:
#  change:
#    weapons.rifle.shots: 2
"""


@pytest.mark.parametrize("each", sampled(recipes(), 8), ids=lambda each: each.name)
def test_a_recipe_put_into_a_house_rule_does_what_it_does_alone(each: Recipe, tmp_path: Path) -> None:
    made = tmp_path / "ours.yaml"
    made.write_text(insert_recipe(HOUSE.format(over=" + ".join(each.over)), each), "utf-8")
    problems = Problems()
    _, results = run_all(made, problems)
    assert not problems.has_errors, [str(p) for p in problems]
    assert results and all(result.passed for result in results)


def test_lines_are_put_below_their_heading_and_into_their_block() -> None:
    text = """game: Ours
over: modern

Firing:
    change:    # ours
        weapons.pistol.shots: 2

    add to shooting:
        far: roll -1 if unit.distance(target) > 30"
    example at-thirteen-inches-in-the-dark:
        do: A tries

## Switched off.
#Other:

Tail:
  mark tiredly of unit:
"""
    night = insert_recipe(text, recipe("night"))
    assert (
        """
        far: roll -1 if unit.distance(target) > 30"
        night: roll -1 if night(unit) and unit.distance(target) > 12"
    example at-thirteen-inches-in-the-dark:
        do: A tries
    fact night of unit: yes or no first no        # said of those who fire
    example at-thirteen-inches-in-the-dark-2:
      unit A:
        is: training seasoned
"""
        in night
    )
    assert night.endswith(text[text.index("\n## Switched off.") :])
    assert insert_recipe(text, recipe("sixes-explode")).index("weapons.pistol") < insert_recipe(
        text, recipe("sixes-explode")
    ).index("        shoot.volleys.hits:\n          faces: shooter.shots(target) dice")


def test_a_heading_of_its_own_comes_last() -> None:
    assert insert_recipe(
        "game: Ours\nover: modern\nFiring:\n  mark a of unit:", recipe("initiative-by-cards")
    ).startswith("game: Ours\nover: modern\nFiring:\n  mark a of unit:\n\nInitiative:\n  change:\n")


def test_a_line_of_a_stranger_is_read_in_one_go() -> None:
    """One that goes back at each blank would take hours."""
    text = f"game: Ours\nover: modern\nFiring:\n  change:\n    a{' ' * 200_000}b\n"
    assert insert_recipe(text, recipe("sixes-explode")).startswith(text + "    shoot.volleys.hits:\n")
