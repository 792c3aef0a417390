"""Laws without an oracle hold (`tests/metamorphic`): some dozens here, 20,000 in `make thorough`."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from metamorphic.answers import answers, told
from metamorphic.game import Game, blocks, tree, written
from metamorphic.law import LAWS, Law
from metamorphic.shrinking import report, shrunk
from metamorphic.sources import pages, toys
from metamorphic.trying import apply, trials

GAMES = range(1, 9)  # the ones before and after are as large as all of these
PARTS = 2

COIN = """\
game: Coin
Things:
  dice high: d6 at or over
  kind unit:
    pins: number 0 to 6
  kind purse:
    coins: number
Doing:
  to toss (unit):
    face: d6
    idle: d6
    high: face >= 5
    pinned, if high: unit gains 1 pin
    other, otherwise: nothing
  value luck of unit:
    base: 1
    pins: +1 if pins > 2
"""
TOSS = Game((("coin", COIN),), "unit A: pins 1\ndo: A tosses\n", ("face", "A.pins"))


@pytest.mark.parametrize("part", range(PARTS))
def test_laws_hold(part: int) -> None:
    found = [trial for number in GAMES[part::PARTS] for trial in trials(number)]
    broken = [report(trial) for trial in found if trial.outcome == "failed"]
    assert not broken, broken[0]
    tried = Counter(trial.outcome for trial in found)
    assert tried["applied"] >= len(found) / 2, tried


def test_every_law_has_something_to_work_on() -> None:
    """On a game that comes along, each law is applied; none is refused everywhere."""
    games = [
        game.asking(("A.pins", "A.figures")) for game in [*toys()[:2], *pages()[:30]] if "unit A" in game.situation
    ]
    idle = set()
    for law in LAWS.values():
        outcomes = Counter[str]()
        for number, game in enumerate(games * 3):
            outcomes[apply(law, game, Random(f"{law.name} {number}")).outcome] += 1
            if outcomes["applied"]:
                break
        assert not outcomes["failed"], law.name
        if not outcomes["applied"]:
            idle.add(law.name)
    assert idle <= {"reading-that-is-the-first"}, idle


def test_answers_are_laws_in_words() -> None:
    found = answers(TOSS)
    assert told(found) == ["1: 1/6, 2: 1/6, 3: 1/6, 4: 1/6, 5: 1/6, 6: 1/6", "1: 2/3, 2: 1/3"]
    assert found.each == answers(TOSS, alone=True).each == answers(TOSS, cut=False).each
    assert found.joint is not None and len(found.joint) == 6


def test_trees_and_texts_are_one() -> None:
    assert tree(written(tree(COIN))) == tree(COIN)
    (block,) = blocks(tree(COIN))
    assert block.path == ("toss",) and next(iter(block.lines)) == "face"


def wrong(game: Game, dice: Random) -> Game:
    """What a law must not do."""
    made = game.tree()
    for block in blocks(made):
        block.put([(key, "unit gains 2 pins" if "gains 1 pin" in text else text) for key, text in block.items()])
    return game.with_tree(made)


def test_a_broken_promise_is_found_and_made_small(monkeypatch: pytest.MonkeyPatch) -> None:
    law = Law("wrong", "two is one", change=wrong)
    monkeypatch.setitem(LAWS, "wrong", law)
    trial = apply(law, TOSS, Random(1))
    assert trial.outcome == "failed" and "1: 2/3, 3: 1/3" in trial.told
    small = shrunk(trial)
    assert small.outcome == "failed" and small.game is not None
    made = tree(small.game.files[0][1])
    assert "idle" not in made["Doing"]["to toss (unit)"] and "value luck of unit" not in made["Doing"]
    assert small.game.asks == ("A.pins",)
    said = report(small)
    assert "law: wrong" in said and "gains 2 pins" in said and "# ask: A.pins" in said


def test_a_game_in_which_nothing_can_be_changed_is_no_failure() -> None:
    bare = Game((("coin", COIN.replace("    pins: +1 if pins > 2\n", "")),), TOSS.situation, TOSS.asks)
    assert apply(LAWS["the-other-branch"], bare, Random(1)).outcome == "not applicable"
