"""Every sentence of a `together` block reads the state as it was at its start, also by a name for figures."""

from fractions import Fraction
from textwrap import indent

import pytest
from reference import odds
from small_games import hold, told
from test_engines_kit import case_of, rules_of
from worked import agreed, worked

from interpreter.source.values import replace
from interpreter.workbench.bands import answer_case

THINGS = """
game: Together
Things:
  dice high: d6 at or over
  kind side:
  kind unit of side:
  kind figure, many to a unit:
    arm: one of arms or none
    wounds: number 0 to 9
  table arms: bow, gun
  mark down of figure:
  to shake (unit):
    who: figures where arm is bow
    hurt: who gain down
    seen: who where it is down
"""

BLOCKS = {
    "a name given in the block": (
        """
    blows, together:
      hurt: figures where arm is bow
      felled: hurt gain down
      found: hurt where it is down
      beside, if any (hurt where down): hurt gain 1 wound
    later: hurt where it is down""",
        {"found": 0, "later": 2, "sum(A.figures.wounds)": 0},
    ),
    "a name given before it": (
        """
    hurt: figures where arm is gun
    blows, together:
      scratched: hurt gain 2 wounds
      found: sum(hurt.wounds)
    later: sum(hurt.wounds)""",
        {"found": 0, "later": 2},
    ),
    "a line of a call before it": (
        """
    shock: unit shakes
    blows, together:
      scratched: shock.who gain 2 wounds
      found: shock.who where wounds > 0
      downed: shock.who where down
    later: shock.who where wounds > 0""",
        {"found": 0, "downed": 2, "later": 2, "shock.seen": 2},
    ),
    "the item of a loop": (
        """
    each-one, for each man in figures, together:
      felled: man gains down
      beside, if man is down: man gains 3 wounds
      found: true if man is down else false""",
        {"found": False, "A.figures where down": 3, "sum(A.figures.wounds)": 0},
    ),
    "a name on two branches": (
        """
    blows, together:
      yes-branch, if any (figures where arm is bow):
        hurt: figures where arm is bow
      no-branch, otherwise:
        hurt: figures where arm is gun
      felled: hurt gain down
      found: hurt where down
    later: hurt where down""",
        {"found": 0, "later": 2},
    ),
    "what a loop in it puts together": (
        """
    blows, together:
      rounds, for each kind-of in arms:
        hurt: figures where arm is kind-of
        felled: hurt gain down
        found: hurt where down
      all-found: rounds.hurt where down
    later: rounds.hurt where down""",
        {"found": 0, "all-found": 0, "later": 3},
    ),
    "a deal, which goes round several times": (
        """
    blows, together:
      hurt: figures where arm is bow
      shared: unit.owner deals 5 wounds evenly to hurt usually it is down
      found: sum(hurt.wounds)
    later: sum(hurt.wounds)
    sorest: hurt where wounds = 3""",
        {"found": 0, "later": 5, "sorest": 1},
    ),
    "one effect after the other": (
        """
    hurt: figures where arm is bow
    blows, together:
      felled: hurt gain down
      scratched: hurt gain 1 wound
      found: sum(hurt.wounds)
    later: hurt where down and wounds = 1""",
        {"found": 0, "later": 2},
    ),
}


@pytest.mark.parametrize("what", BLOCKS)
def test_a_name_for_figures_is_read_as_they_were_when_the_block_began(what, tmp_path):
    body, asks = BLOCKS[what]
    situation = "unit A:\n  figures: [2 with arm bow, 1 with arm gun]\ndo: A acts\n"
    agreed(tmp_path, f"{THINGS}  to act (unit):{body}\n", situation, asks)


HANDED_BACK = [
    ("found: shock.who where it is down", ["shock.who"]),
    ("found: 1 if any (shock.who where down) else 0", ["shock.who"]),
    ("left: figures - shock.who", ["shock.who"]),
    ("further: unit mauls (shock.who)", ["shock.who"]),
    ("same: shock.who\n      found: same where down", ["same"]),
    ("each-one, for each man in shock.who, if man is down: 1", ["man"]),
    ("found: shock.who where arm is bow", []),
    ("found: shock.who", []),
    ("scratched: shock.who gain 1 wound", []),
    ("found: 1 if any shock.who else 0", []),
]


@pytest.mark.parametrize(("line", "words"), HANDED_BACK)
def test_what_a_call_of_the_block_may_have_changed_is_asked_behind_the_block(line, words, tmp_path):
    more = "  to maul (unit), (men figures):\n    hurt: men gain 1 wound\n"
    body = f"    blows, together:\n      shock: unit shakes\n      {line}\n"
    assert told(tmp_path, f"{THINGS}{more}  to act (unit):\n{body}") == [("P034", word) for word in words]


def test_figures_that_a_call_of_the_block_hands_back_are_counted_and_changed(tmp_path):
    body = """
    blows, together:
      shock: unit shakes
      found: shock.who where arm is bow
      hurt: shock.who gain 2 wounds
      seen: shock.seen
    later: shock.who where down and wounds = 2
    left: figures - shock.who"""
    asks = {"found": 2, "seen": 2, "later": 2, "left": 1, "sum(A.figures.wounds)": 4}
    situation = "unit A:\n  figures: [2 with arm bow, 1 with arm gun]\ndo: A acts\n"
    agreed(tmp_path, f"{THINGS}  to act (unit):{body}\n", situation, asks)


SET = """
game: Set together
Things:
  dice high: d6 at or over
  kind side:
  kind unit of side:
    pace: number
    depth: inches first 1"
    pins: number
  to hurry (unit), (how number):
    paced: unit.pace becomes how
    sunk: unit.depth becomes how * 1"
    pinned: unit gains how pins
  to race (unit):
    both, together:
      one-of: unit hurries 7
      other-of: unit hurries 5
"""


@pytest.mark.parametrize("pace", [0, 3, 5, 7])
def test_of_two_calls_that_set_a_number_the_last_decides(tmp_path, pace):
    laws = {"A.pace": 5, "A.depth": 5, "A.pins": 12}
    agreed(tmp_path, SET, f'unit A: pace {pace}, depth {pace + 1}"\ndo: A races\n', laws)


MOURNED = """
game: Mourned
Men:
  dice high: d6 at or over
  kind unit:
    pins: number
    tears: number
  mark shaken of unit:
  rule wobble for each unit after shaken: unit gains 1 pin
  rule weep for each unit after shaken if any (units where it is shaken): unit gains 1 tear
  to scare (unit):
    frights, together:
      ours: unit gains shaken
      theirs: unit gains shaken
  to frighten (unit):
    once: unit gains shaken
    again: unit gains shaken
"""


def test_a_rule_after_a_mark_sets_in_for_each_line_of_a_block_that_gives_it(tmp_path):
    agreed(tmp_path, MOURNED, "unit A:\ndo: A scares\n", {"A.pins": 2, "A.tears": 0})
    agreed(tmp_path, MOURNED, "unit A:\ndo: A frightens\n", {"A.pins": 1, "A.tears": 1})


ROUNDS = """
game: Rounds
Packs:
  dice high: d6 at or over
  kind pack:
    teeth: number
    fur: number
  to brawl (pack) with (foe pack):
    sharper: foe gains 2 teeth
    rounds, HEAD:
      snap: d3
      bites, together:
        LINES
      enough: snap = 3
"""
BITES = ("ours: foe loses snap teeth", "theirs: pack loses foe.teeth fur")


@pytest.mark.parametrize("order", [BITES, BITES[::-1]])
@pytest.mark.parametrize("head", ["repeat 1 times", "repeat 2 times", "repeat up to 2 times until enough"])
def test_a_block_in_a_loop_reads_what_was_before_it_in_that_round(tmp_path, head, order):
    """Also what the loop or a line before it has changed, where a die of the round changes it in the block."""
    law: dict[int, Fraction] = {}
    for first in (1, 2, 3):
        once = head == "repeat 1 times" or (first == 3 and "until" in head)
        left = 20 - 8 - (0 if once else 8 - first)
        law[left] = law.get(left, 0) + Fraction(1, 3)
    game = ROUNDS.replace("HEAD", head).replace("LINES", "\n        ".join(order))
    agreed(tmp_path, game, "pack A: teeth 1, fur 20\npack B: teeth 6\ndo: A brawls with B\n", {"A.fur": law})


def test_a_block_in_a_loop_without_a_limit_reads_what_was_before_it_in_that_round(tmp_path):
    game = ROUNDS.replace("HEAD", "repeat until pack.fur < 13").replace("LINES", "\n        ".join(BITES))
    law = {12: Fraction(1)}  # 8 teeth at first: at once
    agreed(tmp_path, game, "pack A: teeth 1, fur 20\npack B: teeth 6\ndo: A brawls with B\n", {"A.fur": law})
    law = {20 - 7 - 5: Fraction(1, 3), 20 - 7 - 6: Fraction(1, 3), 20 - 7 - 4: Fraction(1, 3)}
    agreed(tmp_path, game, "pack A: teeth 1, fur 20\npack B: teeth 5\ndo: A brawls with B\n", {"A.fur": law})


def test_a_situation_that_adds_to_a_number_changes_no_other(tmp_path):
    own = """
  example of-its-own:
    unit A: pace 3
    do:
      grown: A gains 2 pace
    then: A.pace = 5
  example raced:
    unit A: pace 3
    do: A races
    then: A.pace = 5
"""
    hold(tmp_path, SET + own.lstrip("\n"))


LANDS = """
game: What lands
Things:
  dice high: d6 at or over
  kind side:
  kind unit of side:
    pins: number 0 to 3
    heat: number
    look: one of grounds first open
  kind figure, many to a unit:
    arm: one of arms or none
    wounds: number 0 to 9
    hurts: number
  table arms: bow, gun
  table grounds: open, mud, wall
  mark far of unit:
  mark down of figure:
  mark dead of figure: out of play
  mark locked of unit with unit: both ways
  fact gap of unit (other unit): inches first 9"
  to push (unit) at (other unit):
    ONE
  to pull (unit) at (other unit):
    TWO
  to mix (unit) at (other unit):
    both, together:
      i: unit pushes at other
      j: unit pulls at other
  to stir (unit) at (other unit):
    both, together:
      i: unit pushes at other
      j: unit mixes at other
  to act (unit) with (other unit):
    both, together:
      a: unit pushes at other
      b: unit pulls at other
"""
TWO_UNITS = "unit A: 2 figures\nunit B:\n  is: pins 1\n  figures: [2 with arm bow, 1 with arm gun and wounds 1]\n"
LANDED = {
    "a mark is given and taken": ("x: other gains far", "x: other loses far", "B is far", False),
    "a mark is taken and given": ("x: other loses far", "x: other gains far", "B is far", True),
    "a row is set back": ("x: other.look becomes mud", "x: other.look becomes open", "B.look is open", True),
    "a fact is set back": ('x: gap(other, unit) becomes 5"', 'x: gap(other, unit) becomes 9"', "gap(B, A)", 9),
    "a bounded number is set back, then added to": (
        "x: other.pins becomes 3",
        "x: other.pins becomes 0\n    y: other gains 1 pin",
        "B.pins",
        1,
    ),
    "a number that others add to is set back": (
        "x: other gains 2 heat",
        "x: other gains 3 heat\n    y: other.heat becomes 0",
        "B.heat",
        0,
    ),
    "what a bound cuts off is still added": ("x: other gains 1 pin", "x: other loses 3 pins", "B.pins", 0),
    "each addition is kept within its bounds": (
        "x: other gains 2 pins",
        "x: other loses 3 pins\n    y: other gains 1 pin",
        "B.pins",
        1,
    ),
    "wounds of two add up": (
        "x: other.figures gain 2 wounds",
        "x: other.figures gain 3 wounds",
        "sum(B.figures.wounds)",
        16,
    ),
    "what two take off figures adds up": (
        "x: other.figures lose 2 hurts",
        "x: (other.figures where arm is bow) lose 1 hurt",
        "sum(B.figures.hurts)",
        -8,
    ),
    "of two rows of figures the last decides": (
        "x: other.figures.arm becomes gun",
        "x: (other.figures where arm is gun).arm becomes none",
        "B.figures where arm is gun",
        2,
    ),
}


LANDED |= {
    "a bond is tied and parted": (
        "x: other gains locked with unit",
        "x: other loses locked with unit",
        "B is locked with A",
        False,
    ),
    "a bond is parted and tied": (
        "x: other loses locked with unit",
        "x: other gains locked with unit",
        "A is locked with B",
        True,
    ),
    "who falls twice has fallen once": (
        "x: other.figures gain dead",
        "x: other.figures gain dead",
        "B.deads",
        3,
    ),
    "those who fall are others first": (
        "x: (other.figures where arm is gun) gain dead",
        "x: other.side picks 2 from other.figures usually it is down\n    y: x gain dead",
        "B.deads",
        3,
    ),
    "the dead who change hands stay dead": (
        "x: other.figures gain dead",
        "x: other.figures.unit becomes unit",
        "A.figures",
        2,
    ),
    "and are the dead of the other unit": (
        "x: other.figures gain dead",
        "x: other.figures.unit becomes unit",
        "A.deads",
        3,
    ),
}


def landing(one: str, two: str) -> str:
    return LANDS.replace("ONE", one).replace("TWO", two)


@pytest.mark.parametrize("what", LANDED)
def test_what_two_calls_do_lands_one_after_the_other(what, tmp_path):
    one, two, ask, value = LANDED[what]
    agreed(tmp_path, landing(one, two), f"{TWO_UNITS}do: A acts with B\n", {ask: value})


@pytest.mark.parametrize("first", ["pushes", "pulls"])
def test_a_block_within_a_block_lands_in_order_too(first, tmp_path):
    game = landing("x: other.look becomes mud", "x: other.look becomes open")
    if first == "pulls":  # then nothing has changed in the inner block, when it is taken back
        game = game.replace(
            "i: unit pushes at other\n      j: unit pulls", "i: unit pulls at other\n      j: unit waits"
        )
        game += "  to wait (unit) at (other unit): other gains 1 heat\n"
    agreed(tmp_path, game, f"{TWO_UNITS}do: A stirs at B\n", {"B.look is open": True})


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("x: other.figures gain down", "x: other.figures lose down"),
        ("x: other.figures gain 2 wounds", "x: other.figures lose 1 wound"),
        ("x: other.figures gain 2 wounds", "x: other.figures gain 1 wound\n    y: other.figures.wounds becomes 0"),
    ],
)
def test_where_it_cannot_be_told_which_figures_were_meant_it_is_refused(one, two, tmp_path):
    lines = f"{TWO_UNITS}do: A acts with B\nthen: (B.figures where down) > 5\n"
    example = f"  example acted:\n{indent(lines, '    ')}"
    assert told(tmp_path, landing(one, two) + example) == [("E015", "unit pulls at other")]


# ---- what a block makes
MADE = """
game: What is made
Things:
  dice high: d6 at or over
  kind side:
  kind newt of side:
    n: number
    seen: number
    kin: many newts
  mark wet of newt:
  mark pal of newt with newt: both ways
  rule splash for each newt after wet: newt gains 1 seen
  rule birth for each newt after pal: newt gains 1 seen
  to double (newt): newt gains newt.n n
  to bud (newt):
    bud: new newt (side side, n 3)
    shy: bud gains wet
    paired: bud gains pal with newt
  to wave (newt) at (other newt):
    greets: newt gains pal with other
  to act (newt):
LINES
"""
MAKES = {
    "it is read as it was made": (["b: it gains 1 n", "c: it gains it.n n"], {"it.n": 5}),
    "a call sees it as it was made": (["b: it gains 1 n", "c: it doubles"], {"it.n": 5}),
    "a set of its own grows": (["b: it.kin becomes it.kin + newt"], {"any it.kin": True}),
    "a rule sets in for its mark": (["b: it gains wet"], {"it.seen": 1}),
    "and for a mark between it and another": (["b: newt gains pal with it"], {"it.seen": 1, "A.seen": 1}),
    "whoever gains it": (["b: it gains pal with newt"], {"it.seen": 1, "A.seen": 1}),
    "it is in no list as yet": (["b: newts gain 1 n"], {"it.n": 2, "A.n": 1}),
    "a procedure that is called takes it for out of play": (["b: newt waves at it"], {"it.seen": 0, "A.seen": 0}),
    "what a call makes is as the call left it": (
        ["b: newt buds", "c: newt gains b.bud.n n", "d: b.bud gains 1 n"],
        {"A.n": 3, "A.seen": 1, "sum(newts.n)": 9, "sum(newts.seen)": 3},
    ),
}


@pytest.mark.parametrize("what", MAKES)
def test_what_a_block_makes_is_seen_as_it_was_made(what, tmp_path):
    lines, asked = MAKES[what]
    lines = [
        "fresh: new newt (side side, n 2)",
        *[line.replace("it.", "fresh.").replace(" it", " fresh") for line in lines],
    ]
    lines = [line.replace(": it ", ": fresh ") for line in lines]
    body = "\n".join(["    all-at-once, together:", *[f"      {line}" for line in lines]])
    asked = {text.replace("it.", "act.fresh."): value for text, value in asked.items()}
    agreed(tmp_path, MADE.replace("LINES", body), "newt A:\ndo: A acts\n", asked)


ROUND = {
    "made in some rounds": (
        """
    all-at-once, for each k in newts, together:
        coin: d2
        a, if coin = 1: new newt (side side, n 5)
        b, if coin = 1: a gains k.n n
        c, if coin = 1: k gains pal with a""",
        {
            "sum(newts.n)": {value: Fraction(1, 4) for value in (3, 9, 10, 16)},
            "sum(newts.seen)": {0: Fraction(1, 4), 2: Fraction(1, 2), 4: Fraction(1, 4)},
        },
    ),
    "made by a call, and by the block": (
        """
    all-at-once, together:
        x: newt buds
        a: new newt (side side, n 7)
        b: a gains x.bud.n n
        c: x.bud gains a.n n""",
        {"sum(newts.n)": 1 + 2 + (3 + 7) + (7 + 3)},
    ),
    "made in one case or the other": (
        """
    all-at-once, together:
        coin: d2
        way, by coin:
          1:
            a: new newt (side side, n 5)
            b: a doubles
          2:
            c: new newt (side side, n 2)
            d: c gains pal with newt""",
        {
            "sum(newts.n)": {13: Fraction(1, 2), 5: Fraction(1, 2)},
            "A.seen": {0: Fraction(1, 2), 1: Fraction(1, 2)},
        },
    ),
    "not made at all": (
        """
    all-at-once, together:
        a, if newt.n > 8: new newt (side side, n 5)
        b: a gains wet
        c: newt gains (a.n + 1) n""",
        {"A.n": 2, "sum(newts.seen)": 0},
    ),
}


@pytest.mark.parametrize("what", ROUND)
def test_what_is_made_by_chance_or_not_at_all(what, tmp_path):
    lines, asked = ROUND[what]
    agreed(tmp_path, MADE.replace("LINES", lines.lstrip("\n")), "newt A: n 1\nnewt B: n 2\ndo: A acts\n", asked)


LIKE_ANOTHER = """
game: Alike for a moment
Things:
  kind side:
  kind unit of side:
  kind figure, many to a unit:
    arm: one of arms or none
    wounds: number 0 to 9
  table arms: bow, gun
  mark casualty of figure: out of play
  mark down of figure:
  to hurt (unit): (figures where wounds is least) gain 1 wound
  to drag (unit): (figures where wounds is most) gain casualty
  to fell (unit): (figures where wounds is least) gain down
  to act (unit):
    blows, together:
LINES
"""

WHO_IS_WHO = {
    "hurt twice, while who was hurt before is dragged off": (
        ["a: unit hurts", "b: unit drags", "c: unit hurts"],
        {"sum(A.figures.wounds)": 4, "A.figures": 2},
    ),
    "dragged off, and another hurt twice": (
        ["b: unit drags", "a: unit hurts", "c: unit hurts"],
        {"sum(A.figures.wounds)": 4, "A.figures": 2},
    ),
    "by chance": (
        ["coin: d2", "a: unit hurts", "b, if coin = 1: unit drags", "c: unit hurts", "d: unit fells"],
        {
            "sum(A.figures.wounds)": {4: Fraction(1, 2), 5: Fraction(1, 2)},
            "(A.figures where down and wounds = 2)": 2,
        },
    ),
    "after a line of the block itself": (
        ["e: (figures where arm is gun) gain 1 wound", "a: unit hurts", "b: unit drags", "c: unit hurts"],
        {"sum(A.figures.wounds)": 5, "A.figures": 2},
    ),
    "in a loop": (
        ["a: unit hurts", "b: unit drags", "c, repeat 3 times: unit hurts"],
        {"sum(A.figures.wounds)": 8, "A.figures": 2},
    ),
}


@pytest.mark.parametrize("what", WHO_IS_WHO)
def test_who_has_become_like_another_is_not_taken_for_him(what, tmp_path):
    lines, asked = WHO_IS_WHO[what]
    game = LIKE_ANOTHER.replace("LINES", indent("\n".join(lines), " " * 6))
    situation = "unit A:\n  figures: [1 with arm bow, 1 with arm gun, 1 with arm bow and wounds 1]\ndo: A acts\n"
    agreed(tmp_path, game, situation, asked)


def test_a_line_of_the_block_itself_is_refused_though_somebody_else_has_left(tmp_path):
    """The man with the gun has been hurt since the block began; that one of the others is gone excuses nobody."""
    lines = ["a: unit hurts", "b: unit drags", "e: (figures where arm is gun) gain 1 wound"]
    game = LIKE_ANOTHER.replace("LINES", indent("\n".join(lines), " " * 6))
    case = case_of(
        rules_of(game),
        "unit A:\n  figures: [1 with arm bow and wounds 1, 1 with arm gun]\ndo: A acts\nask: [A.figures]\n",
    )
    assert answer_case(case) is None
    assert [p.code for p in case.problems] == ["E005"]


BY_THEMSELVES = """
game: Alike by one call
Things:
  kind side:
  kind unit of side:
  kind figure, many to a unit:
    arm: one of arms or none
    wounds: number
  table arms: bow, gun
  mark casualty of figure: out of play
  mark down of figure:
  to hurt (unit): (figures where wounds is least) gain 1 wound
  to drag (unit): (figures where wounds is most) gain casualty
  to fell (unit): (figures where wounds is least) gain down
  to maim (unit): figures gain 1 wound
  to arm (unit): (figures where wounds is most).arm becomes gun
  to switch (unit):
    ones: figures where wounds is least
    others: figures where wounds is most
    raised: ones gain 1 wound
    gone: others gain casualty
  to swap (unit):
    ones: figures where wounds is least
    others: figures where wounds is most
    raised: ones gain 1 wound
    lowered: others lose 1 wound
  to nest (unit):
    inner, together:
      x: unit swaps
      y: unit maims
  to act (unit):
    blows, together:
LINES
"""
CALLS = ("hurts", "drags", "fells", "maims", "arms", "switches", "swaps", "nests")
ASKED_OF_ALL = [f"A.figures where {what}" for what in (*(f"wounds = {n}" for n in range(5)), "down", "arm is gun")]


def by_themselves(lines, number=1):
    situation = f"unit A:\n  figures: [{number} with arm bow, 1 with arm bow and wounds 1]\ndo: A acts\n"
    return BY_THEMSELVES.replace("LINES", indent("\n".join(lines), " " * 6)), situation


@pytest.mark.parametrize("lines", [["a: unit switches", "b: unit hurts"], ["a: unit hurts", "b: unit switches"]])
def test_who_is_made_like_another_who_leaves_is_not_taken_for_him(lines, tmp_path):
    agreed(tmp_path, *by_themselves(lines), {"sum(A.figures.wounds)": 2, "A.figures": 1})


@pytest.mark.parametrize("one", CALLS)
@pytest.mark.parametrize("two", CALLS)
def test_two_calls_that_make_figures_alike(one, two, tmp_path):
    """The reference, in which everybody is somebody, tells what is due."""
    game, situation = by_themselves([f"a: unit {one}", f"b: unit {two}", "c: unit hurts"], number=2)
    (tmp_path / "game.yaml").write_text(game)
    (tmp_path / "situation.yaml").write_text(f"rules: game\n{situation}")
    due = {answer.question: answer.law for answer in odds(tmp_path / "situation.yaml", ASKED_OF_ALL)}
    worked(game, situation, due)


def test_a_line_that_means_who_was_hurt_before_does_not_take_who_is_hurt_by_another(tmp_path):
    lines = [
        "a: (figures where wounds = 0) gain 1 wound",
        "b: (figures where wounds = 1) gain casualty",
        "c: unit hurts",
    ]
    agreed(tmp_path, *by_themselves(lines), {"sum(A.figures.wounds)": 2, "A.figures": 1})
    game, situation = by_themselves(["a: figures gain 1 wound", "b: (figures where wounds = 1) gain down"])
    case = case_of(rules_of(game), f"{situation}ask: [A.figures]\n")
    assert answer_case(replace(case, cut=False)) is None
    assert [p.code for p in case.problems] == ["E005"]


def test_a_bound_may_cut_off_what_a_call_lowers_and_raises(tmp_path):
    game, situation = by_themselves(["a: unit swaps", "b: unit nests"])
    example = f"  example acted:\n{indent(situation, '    ')}    then: A.figures = 2\n"
    assert told(tmp_path, game.replace("wounds: number", "wounds: number 0 to 9") + example) == [("E015", "unit nests")]
    hold(tmp_path, game + example)
