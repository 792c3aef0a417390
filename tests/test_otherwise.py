"""`otherwise` belongs to the line written before it in the file that says it, whatever others put between them."""

from pathlib import Path

import pytest
from model import model
from small_games import hold, told

from interpreter.source import Problems, render
from interpreter.workbench.flat import flat
from interpreter.workbench.rules import open_rules

BASE = """\
game: Base
Things:
  dice high: d6 at or over
  kind side:
  kind unit of side:
    gold: number
    tired: number
    songs: number
  to act (unit):
    ready: 1
    rest, if tired > 1: nothing
    doze, otherwise, if tired > 0: unit gains 100 gold
    work, otherwise: unit gains 1 gold
    inside:
      calm, if tired > 0: nothing
      wild, otherwise: unit gains 5 gold
"""
EXAMPLES = """\
  example tired-out:
    unit A: tired 2
    do: A acts
    then: [A.gold = {two}, A.songs = {songs}]
  example tired-a-little:
    unit A: tired 1
    do: A acts
    then: [A.gold = {one}, A.songs = {songs}]
  example rested:
    unit A: tired 0
    do: A acts
    then: [A.gold = {none}, A.songs = {songs}]
"""


def ruled(patch: str, two: int = 0, one: int = 100, none: int = 6, songs: int = 0) -> str:
    examples = EXAMPLES.format(two=two, one=one, none=none, songs=songs)
    return f"game: House\nextends: base\nHouse rules:\n{patch}{examples}"


SONG = "    sing, if gold >= 0: unit gains 1 songs\n"
BETWEEN = [
    "  add to act before doze:\n" + SONG,
    "  add to act before work:\n" + SONG,
    "  add to act after rest:\n" + SONG,
    "  add to act after doze:\n" + SONG,
    "  add to act.inside before wild:\n" + SONG,
    "  add to act.inside after calm:\n" + SONG,
    "  add to act before doze:\n    sing: unit gains 1 songs\n",
]


@pytest.mark.parametrize("patch", BETWEEN)
def test_a_line_between_leaves_it_where_it_belongs(patch: str, tmp_path: Path) -> None:
    hold(tmp_path, ruled(patch, songs=1), base=BASE)


def test_lines_of_two_files_between(tmp_path: Path) -> None:
    lower = f"game: Lower\nextends: base\nLower:\n{BETWEEN[1]}".replace("sing,", "hum,")
    hold(tmp_path, ruled(BETWEEN[2], songs=2).replace("base", "lower"), base=BASE, lower=lower)


def test_one_that_a_patch_begins_with_belongs_to_the_line_it_is_put_behind(tmp_path: Path) -> None:
    patch = "  add to act after rest:\n    sing, otherwise: unit gains 1 songs\n"
    text = ruled(patch).replace("A.songs = 0", "A.songs = 1").replace("A.songs = 1", "A.songs = 0", 1)
    hold(tmp_path, text, base=BASE)


def test_chains_of_a_patch_are_its_own(tmp_path: Path) -> None:
    lines = "    sing, if tired = 9: nothing\n    hum, otherwise: unit gains 1 songs\n"
    hold(tmp_path, ruled("  add to act before work:\n" + lines, songs=1), base=BASE)


CHANGED = {
    "  change:\n    act.rest: unit gains 10 gold\n": (10, 100, 6),
    "  change:\n    act.rest: {rest, if tired > 0: unit gains 10 gold}\n": (10, 10, 6),
    "  change:\n    act.rest:\n      before-it: nothing\n      sleep, if tired > 0: unit gains 10 gold\n"
    "      behind-it: nothing\n": (10, 10, 6),
    "  change:\n    act.doze: {doze, otherwise, if tired < 9: unit gains 10 gold}\n": (0, 10, 15),
    "  remove act.work:\n": (0, 100, 5),
    "  remove act.doze, act.work:\n": (0, 0, 5),
    "  remove act.rest, act.doze, act.work:\n": (0, 0, 5),
}


@pytest.mark.parametrize("patch", CHANGED)
def test_a_change_of_its_line_is_followed(patch: str, tmp_path: Path) -> None:
    two, one, none = CHANGED[patch]
    hold(tmp_path, ruled(_in_lines(patch), two, one, none), base=BASE)


def _in_lines(patch: str) -> str:
    """Keys with commas in them are no keys of a list in brackets."""
    head, bracket, line = patch.partition("{")
    if not bracket:
        return patch
    return f"{head.rstrip()}\n      {line.replace('}', '')}"


@pytest.mark.parametrize("patch", ["remove act.«rest»", "remove act.«doze»", "remove act.inside.«calm»"])
def test_its_line_is_not_taken_away_alone(patch: str, tmp_path: Path) -> None:
    word = patch.removeprefix("remove ").replace("«", "").replace("»", "")
    text = f"game: House\nextends: base\nHouse rules:\n  remove {word}:\n"
    assert told(tmp_path, text, base=BASE) == [("P008", word)]


def test_its_line_is_not_changed_into_one_that_is_always_done(tmp_path: Path) -> None:
    text = "game: House\nextends: base\nHouse rules:\n  change:\n    act.rest:\n      rest: unit gains 10 gold\n"
    assert told(tmp_path, text, base=BASE) == [("P008", "otherwise")]


@pytest.mark.parametrize("patch", [*BETWEEN, BETWEEN[0] + BETWEEN[1].replace("sing,", "hum,")])
def test_one_file_that_says_the_same_keeps_it(patch: str, tmp_path: Path) -> None:
    (tmp_path / "base.yaml").write_text(BASE, encoding="utf-8")
    (tmp_path / "house.yaml").write_text(f"game: House\nextends: base\nHouse rules:\n{patch}", encoding="utf-8")
    problems = Problems()
    stacked = open_rules(str(tmp_path / "house.yaml"), problems)
    assert stacked is not None
    (tmp_path / "one.yaml").write_text(flat(stacked), encoding="utf-8")
    alone = open_rules(str(tmp_path / "one.yaml"), problems)
    assert alone is not None
    assert not problems.has_errors, render(problems)
    assert model(alone)["to act"] == model(stacked)["to act"]


@pytest.mark.parametrize("loop", ["for each w in pots", "for each w in pots, if w.size > 1", "repeat 2 times"])
def test_a_loop_is_run_over_nobody_too(loop: str, tmp_path: Path) -> None:
    """So nothing is done otherwise; an `if` behind the name of its line is asked once, and governs the loop."""
    text = "game: Loops\nThings:\n  kind unit:\n    gold: number\n    pots: many units\n    size: number\n"
    body = f"Doing:\n  to act (unit):\n    look, {loop}: unit gains 1 gold\n    rest, otherwise: unit gains 10 gold\n"
    assert told(tmp_path, text + body) == [("P008", "otherwise")]
    governed = body.replace(f"look, {loop.partition(', if')[0]}", f"look, if gold > 5, {loop.partition(', if')[0]}")
    assert told(tmp_path, text + governed) == []
