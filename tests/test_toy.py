"""A whole game that is no wargame (`data/toy`): its examples hold, and play under every script of dice is exactly odds."""

from fractions import Fraction as F
from pathlib import Path

import pytest
from test_engines_kit import agree, bounded, case_of, law_of_odds, rules_of

from interpreter.source import Problems
from interpreter.workbench.examples import examples_of
from interpreter.workbench.rules import open_rules
from interpreter.workbench.running import run

TOY = Path(__file__).parent / "data" / "toy" / "toy.yaml"
TABLE = "pot Chest: gold 2\nplayer Ann: {ann}\nplayer Bob: purse 2, {bob}\n"


def toy(do, *asks, ann="plain", bob="plain", more=""):
    text = f"{TABLE.format(ann=ann, bob=bob)}do: {do}\nask: [{', '.join(asks)}]\n{more}"
    return case_of(rules_of(TOY.read_text(encoding="utf-8")), text)


def test_the_toy_checks_and_its_examples_hold():
    problems = Problems()
    rules = open_rules(TOY, problems)
    assert rules is not None
    examples = examples_of(rules, problems)
    assert len(examples) == 3
    for example in examples:
        problems.extend(run(rules, example).problems)
    assert not list(problems)


@pytest.mark.parametrize("ann", ["plain", "jinxed", "blessed", "tipsy", "blessed, tipsy, stake 4"])
@pytest.mark.parametrize("bob", ["plain", "tipsy"])
def test_a_round_of_the_toy_is_exact(ann, bob):
    case = toy("Chest opens-up", "left", "Ann.purse", "Bob.purse", "Chest.gold", ann=ann, bob=bob)
    assert agree(case) > 3
    law = law_of_odds(case)
    assert {sum(values[1:]) for values in law} == {2 + 5 + 2}, "no coin is lost"


def test_the_law_of_a_round_of_the_toy():
    # Ann bids 3 and sees 4 on the d8 pass; Bob bids his 2, and 4 pass as well
    law = law_of_odds(toy("Chest opens-up", "Ann.purse", "Bob.purse", "left"))
    assert law == {(9, 0, 0): F(1, 2), (2, 7, 0): F(1, 4), (2, 0, 7): F(1, 4)}


def test_a_bid_as_the_situation_says():
    law = law_of_odds(toy("Chest opens-up", "Ann.purse", "Bob.purse", more="choose: {bid.offer: fewest}\n"))
    assert law == {(7, 2): F(3, 8), (5, 4): F(5, 8) * F(3, 8), (5, 2): F(5, 8) * F(5, 8)}


def test_a_race_without_end():
    case = toy("Ann races against Bob", "first-in")
    assert law_of_odds(case) == {(True,): F(8, 13), (False,): F(5, 13)}
    assert bounded(case, 5) == F(5, 8) ** 5
