"""Whole exchanges: fights of several turns, to the finish or up to so many, with the shipped rules.

The numbers come from elsewhere: a duel of the modern rules is worked out once more here, by hand, from the printed
page, and so is one of a set of three lines; small ones are played under every script of dice. What was settled before
odds were asked (the sorts that are there, what nobody changes) must never show.
"""

from fractions import Fraction
from functools import cache
from math import comb
from pathlib import Path

import pytest
from test_engines_kit import case_of, codes, law_of_odds, rules_of

from interpreter.engines.odds import Odds
from interpreter.program.runtime import Refused
from interpreter.source import Problems
from interpreter.workbench.answers import odds
from interpreter.workbench.cases import prepare
from interpreter.workbench.files import read_tree
from interpreter.workbench.files import rules_of as rules_named
from interpreter.workbench.run_setup import set_up
from tests import shipped
from tests.sampled import THOROUGH, sampled

EXAMPLES = Path(__file__).parent.parent / "examples"


# ---- a duel of the modern rules, once more
LIMIT = {"green": 1, "seasoned": 2}
PASS = {"green": 5, "seasoned": 4}
HIT = {"green": 6, "seasoned": 5}


def passing(need, change=0):
    """Faces of a die that pass: a natural 6 always does and a natural 1 never."""
    return sum(1 for face in range(1, 7) if face == 6 or (face != 1 and face + change >= need))


def volley(n, faces):
    return {k: Fraction(comb(n, k) * faces**k * (6 - faces) ** (n - k), 6**n) for k in range(n + 1)}


class Duel:
    """Worlds are (living, lying down, on guard) of either side; the first acts, then the second."""

    def __init__(self, first, second):
        self.levels, self.starts = (first[0], second[0]), (first[1], second[1])

    def hit(self, side, unit, unsaved):
        alive, down, guard = unit
        if unsaved > alive:
            return 0, 0, guard
        laid = min(max(0, LIMIT[self.levels[side]] - down), unsaved, alive - down)
        dead = unsaved - laid
        return alive - dead, down - min(down, dead) + laid, guard

    def acts(self, side, world):
        """What may come of one side's try."""
        mine, theirs = world[side], world[1 - side]
        level, enemy = self.levels[side], self.levels[1 - side]
        found = {}

        def end(mine, theirs, share):
            world = (mine, theirs) if side == 0 else (theirs, mine)
            found[world] = found.get(world, 0) + share

        nobody = 1 if theirs[0] == 0 else 0  # no enemy in sight makes it easier
        good = Fraction(passing(PASS[level], nobody - mine[1]), 6)
        up = (mine[0], 0, False)
        broken = mine[0] * 2 < self.starts[side]
        if broken and theirs[0] and theirs[2]:  # it falls back, and whoever is on guard fires at it
            for j, v in volley(theirs[0] - theirs[1], passing(HIT[enemy])).items():
                end(self.hit(side, up, j), (*theirs[:2], False), (1 - good) * v)
        else:
            end((mine[0], 0, not broken), theirs, 1 - good)
        if not theirs[0] or not mine[0]:
            end(up, theirs, good)
            return found
        for k, w in volley(mine[0], passing(HIT[level], 1)).items():
            after = self.hit(1 - side, theirs, k)
            if not after[2] or not after[0]:
                end(up, after, good * w)
                continue
            standing = after[0] - after[1]
            for j, v in volley(standing, passing(HIT[enemy])).items():
                end(self.hit(side, up, j), (*after[:2], False), good * w * v)
        return found

    def turn(self, world):
        found = {}
        for middle, w in self.acts(0, world).items():
            for after, v in self.acts(1, middle).items():
                found[after] = found.get(after, 0) + w * v
        return found

    @cache  # noqa: B019
    def likely(self, world):
        over = not world[0][0] or not world[1][0]
        return [(world, 1.0)] if over else [(after, float(w)) for after, w in self.turn(world).items()]

    @property
    def start(self):
        return tuple((n, 0, False) for n in self.starts)

    def after(self, turns):
        worlds = {self.start: Fraction(1)}
        for _ in range(turns):
            then = {}
            for world, w in worlds.items():
                over = not world[0][0] or not world[1][0]
                for after, v in {world: 1}.items() if over else self.turn(world).items():
                    then[after] = then.get(after, 0) + w * v
            worlds = then
        return worlds


def left(worlds):
    found = {}
    for (mine, theirs), w in worlds.items():
        found[mine[0], theirs[0]] = found.get((mine[0], theirs[0]), 0) + w
    return {k: v for k, v in found.items() if v}


def duel(loop, first, second, apart=20):
    return case_of(
        shipped.opened("modern"),
        f"""
unit A: {first[0]}, {first[1]} figures, weapon rifle
unit B: {second[0]}, {second[1]} figures, weapon rifle
facts: distance(A, B) is {apart}"
do:
  fight, {loop}:
    ours: A activates
    theirs: B activates
    dusk: turn ends
ask: [A.figures, B.figures]
""",
    )


@pytest.mark.parametrize(("first", "second"), [(("seasoned", 3), ("green", 3)), (("green", 4), ("seasoned", 2))])
def test_a_duel_of_some_turns_is_what_the_page_says(first, second):
    for turns in (1, 2, 3):
        found = law_of_odds(duel(f"repeat up to {turns} times until no A.figures or no B.figures", first, second))
        assert found == left(Duel(first, second).after(turns))


def test_a_fight_to_the_finish_is_where_the_turns_lead():
    found = law_of_odds(duel("repeat until no A.figures or no B.figures", ("seasoned", 4), ("green", 4)))
    duellists = Duel(("seasoned", 4), ("green", 4))
    worlds = {duellists.start: 1.0}
    for _ in range(400):
        then = {}
        for world, w in worlds.items():
            for after, v in duellists.likely(world):
                then[after] = then.get(after, 0) + w * v
        worlds = then
    assert left(worlds).keys() >= found.keys()
    assert {end: left(worlds)[end] for end in found} == pytest.approx({e: float(w) for e, w in found.items()}, abs=1e-9)
    assert sum(found.values()) == 1


def test_a_fight_in_which_nobody_can_hit_is_refused():
    case = duel("repeat until no A.figures or no B.figures", ("seasoned", 2), ("seasoned", 2), apart=40)
    assert odds(case) is None
    assert codes(case) == ["E002"]


# ---- three lines of rules, by hand
THREE = """
game: Three lines
Lines:
  dice high: d6 at or over, always 6, never 1
  kind side:
  kind unit of side:
    nerve: number
  mark shaken of unit: until after turn
  roll blow of unit:
    basic: needs 5+
    weak: roll -1 if shaken
  to swing (unit) at (foe unit):
    home: unit passes blow
    hurt, if home: foe loses 1 nerve
    fear, if home: foe gains shaken
"""


def test_a_turn_that_ends_ends_what_lasts_a_turn():
    rules = rules_of(THREE)
    text = """
unit A: nerve 1
unit B: nerve 2
do:
  fight, repeat until A.nerve < 1 or B.nerve < 1:
    ours: A swings at B
    theirs, if B.nerve > 0: B swings at A
    {last}
ask: B.nerve < 1
"""
    # By hand. A hits on 5+, one in three. B, if it was hit before in the same turn, on a natural 6 alone, one in six.
    third, sixth = Fraction(1, 3), Fraction(1, 6)
    # one: A's chance when B has one nerve left; two: when it has two
    one = third / (1 - (1 - third) * (1 - third))
    two = third * (1 - sixth) * one / (1 - (1 - third) * (1 - third))
    assert law_of_odds(case_of(rules, text.format(last="dusk: turn ends")))[(True,)] == two
    shaken = third / (1 - (1 - third) * (1 - sixth))  # without an end, B stays shaken
    two = third * (1 - sixth) * shaken / (1 - (1 - third) * (1 - third))
    assert law_of_odds(case_of(rules, text.format(last="dusk: nothing")))[(True,)] == two


def test_turns_are_counted_where_they_have_a_last_one():
    text = """
unit A: nerve 1
unit B: nerve 1
do:
  fight, repeat up to 3 times until B.nerve < 1:
    turn: 1
    ours: A swings at B
ask: fight.turn
"""
    assert law_of_odds(case_of(rules_of(THREE), text)) == {
        (1,): Fraction(1, 3),
        (2,): Fraction(2, 9),
        (3,): Fraction(4, 9),
    }


# ---- what was settled before must not show
def whole(case):
    """The odds with the rules as they stand, nothing of them settled."""
    ready = set_up(case)
    assert ready is not None
    engine = Odds(ready.program, ready.start.keys, 200_000 if THOROUGH else 1_000)
    engine.overrides = {a: change for a, (_, change) in ready.overrides.items()}
    wants = frozenset(a.address for a in case.situation.asks)
    total, law = engine.of(case.situation.procedure, wants, ready.args, ready.start.state)
    order = sorted(wants, key=ready.places.__getitem__)
    places = [order.index(a.address) for a in case.situation.asks]
    found = {}
    for results, weight in law:
        key = tuple(results[p] for p in places)
        found[key] = found.get(key, 0) + Fraction(weight, total)
    return found


@pytest.mark.parametrize("name", ["modern", "vbcw", "vsf", "imperial", "modern + morale"])
def test_what_is_settled_changes_no_odds(name):
    compared = 0
    for example in sampled([e for e in shipped.examples(name) if e.body.get("odds") is not None], 8):
        case = prepare(shipped.opened(name), example.body, Problems())
        if case is None or case.situation.error or not any(a.kind in ("chance", "mean") for a in case.asks):
            continue
        try:
            expected = whole(case)
        except Refused:
            continue
        assert law_of_odds(case) == expected, example.name
        compared += 1
    assert compared > 3


@pytest.mark.parametrize("name", ["modern", "vsf", "vbcw", "imperial"])
def test_the_duels_on_the_page_are_answered(name):
    problems = Problems()
    root = read_tree(EXAMPLES / f"duel-{name}.yaml", problems)
    rules = rules_named(root, EXAMPLES, problems)
    case = prepare(rules, root, problems)
    assert law_of_odds(case), codes(case)


ENDLESS = """\
game: Made up
All:
  dice plain: d6 at or over
  kind side:
  kind unit of side:
  mark tired of unit:
  to act (unit):
    rounds, repeat until tired:
      luck: d6
      rest: unit loses tired
"""


@pytest.mark.parametrize("asked", ["A is tired", "1 > 0"])
def test_what_never_ends_is_refused_whoever_reads_it(asked):
    """That nobody is ever tired is certain, so nothing of the loop is left but that it has no end."""
    case = case_of(rules_of(ENDLESS), f"rules: toy\nunit A:\ndo: A acts\nodds: 1/2 that {asked}\n")
    assert odds(case) is None
    assert codes(case) == ["E002"]
