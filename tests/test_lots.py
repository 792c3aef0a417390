"""Things at random, dice thrown again, dice in inches, all of some: both engines against a count by hand."""

from collections import Counter
from fractions import Fraction
from itertools import combinations, product

import pytest
from test_engines_kit import Mistaken, agree, bounded, case_of, law_of_odds, rules_of

from interpreter.engines.dice import ScriptedDice
from interpreter.workbench.histories import resolve

RULES = """
game: Lots
Bones:
  dice high: d6 at or over
  kind side:
  kind unit of side:
    hurt: number
    reach: inches first 0"
  kind scout, many to a unit:
    rank: number 0 to 9
  mark tall, struck of scout:
  mark drawn of unit:
  table colours (worth):
    red: 1
    blue: 2
    green: 3
  value others of unit: units where it is not unit
  {lines}
"""


def rules_with(*lines):
    return rules_of(RULES.format(lines="\n  ".join(lines)))


MEN = """
unit A:
  is: side Red
  scouts: [2 with rank 1, 1 with rank 2 and tall, 3 with rank 3]
"""


@pytest.mark.parametrize("n", [1, 2, 4, 6, 9])
def test_so_many_figures_at_random(n):
    rules = rules_with("to draw (unit):", f"  some: {n} of scouts at random", "  gone: some gain struck")
    case = case_of(
        rules, MEN + "do: A draws\nask: [A.scouts where struck and rank = 1, A.scouts where struck and rank = 3]"
    )
    agree(case)
    ranks = [1, 1, 2, 3, 3, 3]
    taken = [(c.count(1), c.count(3)) for c in combinations(ranks, min(n, 6))]
    assert law_of_odds(case) == {k: Fraction(v, len(taken)) for k, v in Counter(taken).items()}


def test_rows_and_things_at_random():
    rules = rules_with(
        "to draw (unit), (low number):",
        "  row: 1 of colours at random",
        "  two-rows: 2 of (colours where worth > low) at random",
        "  foe: 1 of others at random",
        "  told: foe gains drawn",
    )
    things = "unit A: side Red\nunit B: side Red\nunit C: side Red\nunit D: side Red\n"
    case = case_of(rules, things + "do: A draws 0\nask: [row, two-rows, sum(two-rows.worth), C is drawn, A is drawn]")
    agree(case)
    law = law_of_odds(case)
    assert sum(w for k, w in law.items() if k[2] == 4 and k[3]) == Fraction(1, 9)
    assert not any(k[4] for k in law)
    nobody = case_of(rules, "unit A: side Red\ndo: A draws 2\nask: [row, two-rows, A is drawn]")
    agree(nobody)
    assert law_of_odds(nobody) == {(k, 1, False): Fraction(1, 3) for k in range(3)}


def test_what_is_drawn_is_followed_by_its_name():
    rules = rules_with(
        "to draw (unit):",
        "  three: 3 of scouts at random",
        "  alone: 1 of three at random",
        "  gone: alone gains struck",
        "  rest: (three where not struck) gain tall",
    )
    case = case_of(rules, MEN + "do: A draws\nask: [A.scouts where struck, A.scouts where tall and not struck]")
    agree(case)
    assert {k[0] for k in law_of_odds(case)} == {1}


def test_a_draw_is_a_keyed_die_and_stands_in_the_trace():
    rules = rules_with("to draw (unit):", "  some: 1 of scouts at random", "  gone: some gains struck")
    case = case_of(rules, MEN + "do: A draws\nask: some.rank")
    seen = Counter(resolve(case, seed=seed, traced=False).values["some.rank"] for seed in range(300))
    assert seen.keys() == {1, 2, 3}
    assert 60 < seen[1] < 140
    told = flat(resolve(case, script=ScriptedDice(all=[3])).events)
    assert "some: 1 of 6 at random: 3 \u2192 scout (rank 2, tall)" in told, told


def flat(events):
    return [text for e in events for text in (e.text, *flat(e.children))]


def test_many_more_than_a_die_has_faces():
    rules = rules_with("to draw (unit):", "  some: 2 of scouts at random", "  gone: some gain struck")
    scouts = "unit A:\n  is: side Red\n  scouts: [300 with rank 1, 200 with rank 2]\n"
    case = case_of(rules, scouts + "do: A draws\nask: [A.scouts where struck and rank = 1]")
    assert law_of_odds(case) == {
        (2,): Fraction(300 * 299, 500 * 499), (1,): Fraction(2 * 300 * 200, 500 * 499), (0,): Fraction(200 * 199, 500 * 499)
    }  # fmt: skip


@pytest.mark.parametrize("face", [1, 5, 6])
def test_a_barred_face_is_thrown_again(face):
    rules = rules_with(
        "to draw (unit), (n number):", "  single: d6 except n", "  two: 2d6 except n", "  sum-of: single + two"
    )
    case = case_of(rules, f"unit A: side Red\ndo: A draws {face}\nask: [single, two]")
    left = [f for f in range(1, 7) if f != face]
    by_hand = Counter((x, y + z) for x, y, z in product(left, repeat=3))
    assert law_of_odds(case) == {k: Fraction(v, 125) for k, v in by_hand.items()}
    assert bounded(case, 6) < Fraction(1, 5)


def test_somebody_picks_from_dice():
    rules = rules_with(
        "to draw (unit):",
        "  face: unit.owner picks 1 from 2d6 usually it = 6, it = 2",
        "  two: unit.owner picks 2 from 3 dice usually it > 4",
    )
    case = case_of(rules, "unit A: side Red\ndo: A draws\nask: [face, sum(two)]")
    agree(case)

    def order(f):
        return sorted(f, key=lambda x: (x != 6, x != 2))[0]

    by_hand = Counter(
        (order(sorted(f[:2])), sum(sorted(sorted(f[2:]), key=lambda x: x <= 4)[:2]))
        for f in product(range(1, 7), repeat=5)
    )
    assert law_of_odds(case) == {k: Fraction(v, 6**5) for k, v in by_hand.items()}


def test_dice_in_inches():
    rules = rules_with(
        "to draw (unit):",
        '  far: 2d6"',
        '  further: far + d6" + 1.5"',
        "  out: unit moves up to further",
        '  whole-of-it: whole(further / 4")',
        "  cut: whole(further)",
    )
    case = case_of(rules, "unit A: side Red\ndo: A draws\nask: [further, whole-of-it, cut]")
    agree(case)
    law = law_of_odds(case)
    by_hand = Counter(sum(f) for f in product(range(1, 7), repeat=3))
    assert law == {(s + Fraction(3, 2), (2 * s + 3) // 8, s + 1): Fraction(v, 216) for s, v in by_hand.items()}


@pytest.mark.parametrize(
    ("value", "worth"),
    [
        ("whole(hurt / 2)", 3),
        ("whole(0 - hurt / 2)", -4),
        ("half(hurt)", 4),
        ('whole(reach / 4")', 2),
    ],
)
def test_whole_rounds_down(value, worth):
    rules = rules_with(f"value found of unit: {value}")
    case = case_of(rules, 'unit A: side Red, hurt 7, reach 11.5"\nask: A.found')
    assert law_of_odds(case) == {(worth,): 1}


def test_inches_in_the_lines_of_a_value():
    rules = rules_with(
        "value span of unit:",
        "  arm: reach",
        '  lame: -2.5" if hurt > 3',
        '  long: +1" per hurt',
        "  legs: -1 per whole(reach)",
    )
    case = case_of(rules, 'unit A: side Red, hurt 7, reach 4"\nask: A.span')
    assert law_of_odds(case)
    with pytest.raises(Mistaken, match="T002"):
        rules_with("value span of unit:", "  arm: reach", "  lame: -2 if hurt > 3")


@pytest.mark.parametrize(
    ("scouts", "answers"),
    [
        ("", (False, False, True)),
        ("  scouts: [2 with tall and rank 1]\n", (True, False, True)),
        ("  scouts: [2 with tall and rank 1, 1 with tall and rank 2]\n", (True, False, True)),
        ("  scouts: [2 with tall and rank 2, 1 with rank 3]\n", (False, True, True)),
    ],
)
def test_all_of_some_and_nobody(scouts, answers):
    rules = rules_with(
        "value big of unit: all scouts are tall",
        "value grand of unit: all scouts are (tall and rank > 1 or rank = 3)",
        "value paired of unit: no (units where not (all units are (it is it)))",
    )
    case = case_of(rules, "unit A:\n  is: side Red\n" + scouts + "ask: [A.big, A.grand, A.paired]")
    assert set(law_of_odds(case)) == {answers}


def test_all_dice_of_a_throw():
    rules = rules_with("to draw (unit):", "  faces: 3 dice", "  high: all faces are it >= 5")
    case = case_of(rules, "unit A: side Red\ndo: A draws\nask: high")
    agree(case)
    assert law_of_odds(case)[True,] == Fraction(1, 27)


def test_a_mark_lasts_until_after_the_next():
    """Gained while it works, gained before it works; of things and of figures."""
    lines = [
        "mark dull of unit: until after next work",
        "mark sore of scout: until after next work",
        "to hurt (unit):",
        "  gone: unit gains dull",
        "  too: (scouts where rank > 1) gain sore",
        "to work (unit):",
        "  free: not dull",
        "  sore-ones: scouts where sore",
        "  blow, if free: unit hurts",
    ]
    asked = "ask: [first-time.free, second-time.free, third-time.free, A is dull, A.scouts where sore]"
    works = "  first-time: A works\n  second-time: A works\n  third-time: A works\n"
    own = case_of(rules_with(*lines), MEN + "do:\n" + works + asked)
    agree(own)
    assert set(law_of_odds(own)) == {(True, False, True, True, 4)}
    told = case_of(rules_with(*lines), MEN + "do:\n  blow: A hurts\n" + works + asked)
    agree(told)
    assert set(law_of_odds(told)) == {(False, True, False, False, 0)}
