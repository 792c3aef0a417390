"""A mark between two, `mark locked of unit with unit`: who bears it with whom, whatever happens to a third."""

import random
from fractions import Fraction
from itertools import combinations, permutations

import pytest
from test_engines_kit import Mistaken, case_of, law_of_odds, law_of_play, rules_of

from interpreter.engines.trace_events import walk
from interpreter.workbench.histories import resolve
from tests.reference.questions import failures
from tests.reference.situations import cases

HEAD = """
game: toy
Things:
  dice high: d6 at or over
  kind side:
  kind unit of side:
    pins: number
  kind tank, a unit:
  kind figure, many to a unit:
    hurt: number
  mark casualty of figure: out of play
  mark lost of unit: out of play
Fighting:
  mark locked of unit with unit: both ways, while any figures
  mark aiming of unit at unit: until after fire
  mark chasing of unit against tank: until before rest, after turn if pins > 0
  to grapple (unit) with (foe unit): unit gains locked with foe
  to retreat (unit): unit loses locked
  to part (unit) with (foe unit): unit loses locked with foe
  to aim (unit) at (foe unit): unit gains aiming at foe
  to fire (unit) at (foe unit): foe.figures gain casualty
  to heal (unit): unit.casualties lose casualty
  to vanish (unit): unit gains lost
  to return (unit): unit loses lost
  to go (unit): unit leaves play
  to rest (unit): nothing
  to chase (unit) against (tank tank): unit gains chasing against tank
"""
THREE = "unit A: 2 figures\nunit B: 2 figures\nunit C: 2 figures\nunit D: 2 figures\n"


def law(situation, *asked, body=""):
    """The joint law by odds; a play under every script of dice, traced and not, has the same."""
    asks = "".join(f"\n  - {a}" for a in asked)
    case = case_of(rules_of(HEAD + body), f"{situation}\nask:{asks}\n")
    found = law_of_odds(case)
    for traced in (False, True):
        played, lost, _ = law_of_play(case, traced=traced)
        assert not lost
        assert played == found
    return found


def sure(situation, *asked, body=""):
    """What is surely answered."""
    ((answers, chance),) = law(situation, *asked, body=body).items()
    assert chance == 1
    return list(answers)


def done(*lines):
    return THREE + "do:\n" + "".join(f"  l{i}: {line}\n" for i, line in enumerate(lines))


PAIRS = [f"{a} is locked with {b}" for a, b in permutations("ABC", 2)]


def test_one_of_three_leaves_and_the_other_two_fight_on():
    happens = done("A grapples with C", "B grapples with C", "A retreats")
    asked = sure(happens, "A is locked", "B is locked", "C is locked", *PAIRS)
    assert asked == [False, True, True, False, False, False, True, False, True]


def test_whose_foe_is_shot_away_is_free():
    asked = sure(
        done("A grapples with C", "B grapples with C", "D fires at C"), *PAIRS, "A is locked", "(units where locked)"
    )
    assert asked == [False] * 7 + [0]


def test_of_two_foes_one_is_shot_away():
    asked = sure(
        done("A grapples with B", "A grapples with C", "D fires at C"),
        "(A.locked)",
        "A is locked with B",
        "A is locked with C",
    )
    assert asked == [1, True, False]


def test_of_two_foes_one_is_left():
    asked = sure(done("A grapples with B", "A grapples with C", "A parts with B"), *PAIRS)
    assert asked == [False, True, False, False, True, False]


@pytest.mark.parametrize("away", ["C vanishes", "C goes", "D fires at C"])
def test_who_is_out_of_play_has_it_with_nobody(away):
    asked = sure(
        done("A grapples with C", away), "A is locked", "A is not locked with C", "C is not locked", "(A.locked)"
    )
    assert asked == [False, True, True, 0]


@pytest.mark.parametrize(("away", "back"), [("C vanishes", "C returns"), ("D fires at C", "C heals")])
def test_who_comes_back_has_what_it_did_not_lose(away, back):
    assert sure(done("A grapples with C", away, back), "A is locked with C") == [True]
    assert sure(done("A grapples with C", away, "A retreats", back), "A is locked with C", "C is locked") == [
        False,
        False,
    ]


def test_nobody_has_it_with_himself():
    assert sure(done("A grapples with A"), "A is locked", "(units where locked)") == [False, 0]


def test_one_way_is_one_way_and_ends_for_who_acts():
    asked = ("A is aiming at B", "B is aiming at A", "B is aiming", "C is aiming at B")
    assert sure(done("A aims at B", "C aims at B"), *asked) == [True, False, False, True]
    assert sure(done("A aims at B", "C aims at B", "A fires at D"), *asked) == [False, False, False, True]


def test_with_one_of_a_special_sort():
    tank = "tank T: 2 figures\nunit A: 2 figures, pins <pins>, chasing against T\nunit B: 2 figures\n"
    asked = ("A is chasing", "A is chasing against T", "A is chasing against B", "(A.chasing)")
    assert sure(tank.replace("<pins>", "0") + "do: B rests", *asked) == [True, True, False, 1]
    assert sure(tank.replace("<pins>", "1") + "do: A rests", *asked) == [False, False, False, 0]
    ends = "  to end (unit):\n    last: turn ends\n"
    assert sure(tank.replace("<pins>", "1") + "do: B ends", *asked, body=ends) == [False, False, False, 0]
    assert sure(tank.replace("<pins>", "0") + "do: B ends", *asked, body=ends) == [True, True, False, 1]


def test_a_card_says_with_whom_and_one_card_is_enough():
    said = "unit A: 2 figures, locked with B, locked with C\nunit B: 2 figures\nunit C: 2 figures\ndo: B rests"
    assert sure(said, *PAIRS) == [True, True, True, False, True, False]


def test_it_is_a_collection_and_a_condition():
    asked = (
        "(A.locked where pins > 0)",
        "sum(A.locked.pins)",
        "C in A.locked",
        "any (units where locked with (B + C))",
        "all A.locked are locked with A",
        "(units.figures where unit.locked) = 6",
        "A is locked with D",
        "first(A.locked) is B",
    )
    said = "unit A: 2 figures, locked with B, locked with C\nunit B: 2 figures\nunit C: 2 figures, pins 3\nunit D: 1 figures\n"
    assert sure(said + "do: B rests", *asked) == [1, 3, True, True, True, True, False, True]


BOTH = """
  to scuffle (unit) with (foe unit) at (third unit):
    both, together:
      one: unit gains locked with foe
      two: unit gains locked with third
      off: foe loses locked
  to swap (unit) with (foe unit) at (third unit):
    both, together:
      away: unit loses locked
      anew: unit gains locked with third
  to free (unit): (units where it.locked) lose locked
  to crowd (unit): units gain locked with (units where it.pins > 0)
"""


def test_what_is_done_together_is_all_done():
    assert sure(done("A scuffles with B at C"), *PAIRS, body=BOTH) == [True, True, True, False, True, False]
    # B lost it with those whom it had it with when the block began: nobody
    swapped = sure(done("A grapples with B", "A swaps with B at C"), *PAIRS, body=BOTH)
    assert swapped == [False, True, False, False, True, False]


def test_of_several_at_once():
    assert sure(done("A grapples with B", "C grapples with D", "A frees"), "(units where locked)", body=BOTH) == [0]
    crowd = "unit A: 2 figures\nunit B: 2 figures, pins 1\nunit C: 2 figures, pins 1\nunit D: 2 figures\ndo: A crowds"
    assert sure(crowd, *PAIRS, "A is locked with D", "D is locked with B", body=BOTH) == [True] * 6 + [False, True]


AFTER = "  rule reel for each unit after locked: unit gains 1 pin\n"


def test_a_rule_sets_in_for_those_who_had_it_with_nobody():
    pins = ("A.pins", "B.pins", "C.pins")
    twice = done("A grapples with B", "A grapples with B")
    assert sure(twice, *pins, body=AFTER) == [1, 1, 0]
    assert sure(done("A grapples with B", "C grapples with B"), *pins, body=AFTER) == [1, 1, 1]
    assert sure(done("A grapples with B", "D fires at B", "C grapples with A"), *pins, body=AFTER) == [2, 1, 1]
    assert sure(done("D fires at B", "A grapples with B"), *pins, body=AFTER) == [0, 0, 0]
    assert sure(done("A grapples with A"), *pins, body=AFTER) == [0, 0, 0]
    assert sure(done("A scuffles with B at C"), *pins, body=BOTH + AFTER) == [2, 1, 1]  # both lines see nobody locked


def test_chances():
    body = """
  roll nerve of unit: needs 5+
  to shrink (unit):
    runs: unit passes nerve
    away, if runs: unit loses locked
"""
    found = law(
        done("A grapples with C", "B grapples with C", "A shrinks", "B shrinks"), "C is locked", "(C.locked)", body=body
    )
    assert found == {(False, 0): Fraction(1, 9), (True, 1): Fraction(4, 9), (True, 2): Fraction(4, 9)}


def test_what_the_trace_tells():
    case = case_of(rules_of(HEAD), done("A grapples with B", "A grapples with B", "B retreats", "B retreats"))
    told = [event.text for event in walk(resolve(case).events) if event.kind == "effect"]
    assert told == [
        "A gains locked with B",
        "B gains locked with A",
        "A gains locked with B (nothing changes)",
        "B gains locked with A (nothing changes)",
        "B loses locked with A",
        "A loses locked with B",
    ]


@pytest.mark.parametrize(
    ("line", "mistake"),
    [
        ("mark held of unit: both ways", ("T017", "both ways")),
        ("mark held of unit: while any figures", ("T017", "while any figures")),
        ("mark held of unit with tank: both ways", ("T017", "both ways")),
        ("mark held of unit with unit: out of play", ("T017", "out of play")),
        ("mark held of unit with unit: up to 2 per side", ("T017", "up to 2 per side")),
        ("mark held of unit with unit: until after next rest", ("T017", "until after next rest")),
        ("mark held of unit through unit:", ("T017", "unit")),
        ("mark held of figure with unit:", ("T011", "figure")),
        ("mark held of unit with figure:", ("T011", "figure")),
        ("mark held of unit with dog:", ("N001", "dog")),
        ("mark held of unit with unit: both ways, while held", ("M001", "held")),
        ("to act (unit) at (foe unit): unit gains locked", ("T018", "locked")),
        ("to act (unit) at (foe unit): unit gains locked at foe", ("T018", "at")),
        ("to act (unit) at (foe unit): unit gains aiming with foe", ("T018", "with")),
        ("to act (unit) at (foe unit): unit gains lost with foe", ("T018", "lost with foe")),
        ("to act (unit) at (foe unit): figures gain locked with foe", ("N001", "locked")),
        ("to act (unit) at (foe unit): unit gains locked with 3", ("T001", "3")),
        ("to act (unit) at (foe unit): unit.locked becomes none", ("P011", "unit.locked")),
        ("to act (unit): new unit (side side, locked units)", ("T018", "locked units")),
        ("value odd of unit: +1 if pins with unit", ("T018", "pins with unit")),
        ("value odd of unit: +1 if unit is locked against unit", ("T018", "against")),
    ],
)
def test_what_cannot_be_said(line, mistake):
    with pytest.raises(Mistaken) as told:
        rules_of(f"{HEAD}  {line}\n")
    assert mistake in told.value.args[0]


@pytest.mark.parametrize(
    ("said", "mistake"),
    [
        ("locked", ("T018", "locked")),
        ("locked B", ("T018", "locked B")),
        ("locked at B", ("T018", "locked at B")),
        ("lost with B", ("T018", "lost with B")),
        ("locked with A", ("T018", "locked with A")),
        ("locked with Z", ("F014", "locked with Z")),
        ("chasing against B", ("F014", "chasing against B")),
    ],
)
def test_what_a_card_cannot_say(said, mistake):
    with pytest.raises(Mistaken) as told:
        case_of(rules_of(HEAD), f"unit A: 2 figures, {said}\nunit B: 2 figures\ndo: A rests\n")
    assert told.value.args[0] == [mistake]


@pytest.mark.parametrize("fact", ["A.locked", "not A.locked", "A.locked is B"])
def test_it_is_no_fact(fact):
    with pytest.raises(Mistaken) as told:
        case_of(rules_of(HEAD), f"unit A: 2 figures\nunit B: 2 figures\nfacts: {fact}\ndo: A rests\n")
    assert told.value.args[0] == [("T018", fact)]


class Table:
    """Who is locked and who aims, kept by hand."""

    def __init__(self):
        self.locked, self.aims, self.men, self.gone, self.lost = set(), set(), dict.fromkeys("ABCDE", 2), set(), set()

    def there(self, x):
        return x not in self.gone | self.lost

    def do(self, random):
        a, b = random.sample("ABCDE", 2)
        match random.choice(
            ["grapple", "grapple", "grapple", "retreat", "part", "aim", "fire", "vanish", "return", "heal"]
        ):
            case "grapple":
                self.locked.add(frozenset(a + b))
                return f"{a} grapples with {b}"
            case "retreat":
                self.locked = {pair for pair in self.locked if a not in pair}
                return f"{a} retreats"
            case "part":
                self.locked.discard(frozenset(a + b))
                return f"{a} parts with {b}"
            case "aim":
                self.aims.add((a, b))
                return f"{a} aims at {b}"
            case "fire":
                self.men[b] = 0
                self.aims = {pair for pair in self.aims if pair[0] != a}
                return f"{a} fires at {b}"
            case "vanish":
                self.lost.add(a)
                return f"{a} vanishes"
            case "return":
                self.lost.discard(a)
                return f"{a} returns"
        self.men[a] = 2
        return f"{a} heals"

    def says(self):
        fights = {x for x in "ABCDE" if self.there(x) and self.men[x]}
        for a, b in combinations("ABCDE", 2):
            word = "is locked with" if {a, b} <= fights and frozenset(a + b) in self.locked else "is not locked with"
            yield from (f"{a} {word} {b}", f"{b} {word} {a}")
        for a, b in permutations("ABCDE", 2):
            yield f"{a} is {'' if (a, b) in self.aims and self.there(a) and self.there(b) else 'not '}aiming at {b}"


@pytest.mark.parametrize("seed", range(12))
def test_whatever_is_done_it_is_as_kept_by_hand(seed, tmp_path):
    """Both engines, and the meaning that was written from the manual alone."""
    choice, table = random.Random(seed), Table()
    lines = [table.do(choice) for _ in range(12)]
    units = "".join(f"unit {x}: 2 figures\n" for x in "ABCDE")
    said = units + "do:\n" + "".join(f"  l{i}: {line}\n" for i, line in enumerate(lines))
    assert all(sure(said, *table.says())), lines
    (tmp_path / "toy.yaml").write_text(HEAD.lstrip("\n"))
    then = "then:\n" + "".join(f"  - {line}\n" for line in table.says())
    (tmp_path / "case.yaml").write_text("rules: toy\n" + said + then)
    (case,) = cases(tmp_path / "case.yaml")
    assert failures(case, 100) == []
