"""Things that a mark put out of play: named by the mark's plural, changed where they lie, and brought back."""

from fractions import Fraction

import pytest
from test_engines_kit import Mistaken, case_of, law_of_odds, law_of_play, rules_of
from worked import agreed

RULES = """
game: toy
Things:
  dice high: d6 at or over, always 6, never 1
  kind side:
  kind box of side:
    start: number first pebbles
    gone: number first losses
  kind pebble, many to a box:
    heat: number
  mark lost of pebble: out of play
  mark loss of pebble: out of play
  mark hot of pebble:
Doing:
  value known of box: losses where hot
  to drop (box):
    n: d6
    out: owner picks min(pebbles, n - 4) from pebbles
    fall: out gain loss
  to search (box):
    who: owner picks up to 2 from owner.boxes.losses where not hot usually most
    turns, for each man in who:
      die: d6
      back, if die > 4: man loses loss
      warm, otherwise: man gains hot
  to warm (box):
    warmer: losses gain 1 heat
    back: (losses where heat > 1) lose loss
"""


@pytest.fixture(scope="module")
def rules():
    return rules_of(RULES)


def law(rules, text):
    """The law by odds, after play under every script of dice was found to have the same."""
    case = case_of(rules, text)
    played, lost, _ = law_of_play(case, 5000, 12)
    assert not lost
    found = law_of_odds(case)
    assert found == played
    return found


def test_those_that_left_are_changed_where_they_lie_and_return(rules):
    found = law(
        rules,
        "box B: {pebbles: [3, 2 with loss, 1 with lost]}\ndo: B searches\n"
        "ask: ['max(B.pebbles, 0)', 'max(B.losses, 0)', 'max(B.known, 0)', 'max(B.losts, 0)']\n",
    )
    assert found == {
        (3, 2, 2, 1): Fraction(4, 9),
        (4, 1, 1, 1): Fraction(4, 9),
        (5, 0, 0, 1): Fraction(1, 9),
    }


def test_out_and_back_in_one_history(rules):
    found = law(
        rules,
        "box B: {pebbles: 3}\ndo:\n  fall: B drops\n  found: B searches\nask: ['max(B.pebbles, 0)', 'max(B.losses, 0)']\n",
    )
    assert sum(found.values()) == 1
    assert all(pebbles + losses == 3 for pebbles, losses in found)
    assert found[3, 0] == Fraction(4, 6) + Fraction(1, 6) * Fraction(1, 3) + Fraction(1, 6) * Fraction(1, 9)


def test_numbers_of_those_out_of_play(rules):
    found = law(
        rules,
        "box B: {pebbles: [3, 2 with loss and heat 1, 1 with loss]}\ndo: B warms\nask: ['max(B.pebbles, 0)', 'max(B.losses, 0)']\n",
    )
    assert found == {(5, 1): 1}


def test_a_first_value_may_count_them(rules):
    assert law(
        rules, "box B: {pebbles: [3, 2 with loss]}\ndo: B drops\nask: ['max(B.start, 0)', 'max(B.gone, 0)']\n"
    ) == {(3, 2): 1}


def test_a_slip_in_the_name_is_told():
    with pytest.raises(Mistaken) as mistake:
        rules_of(RULES.replace("owner.boxes.losses", "owner.boxes.lossed"))
    assert mistake.value.args[0][0][0] == "N001"


DOWN = """
game: toy
Things:
  dice high: d6 at or over
  kind side:
  kind unit of side:
  kind figure, many to a unit:
  mark down of figure: out of play
Doing:
  value loss of unit: downs
  roll heart of unit on high:
    basic: needs 3+
    more: {line}
  to test (unit):
    die: d6
    hurt, if die >= 4: figures gain down
    ok: unit passes heart
    lost: loss
"""


@pytest.mark.parametrize("line", ["roll -1 per downs", "roll -1 if any downs", "roll -loss", "needs +1 per downs"])
def test_what_a_roll_or_a_value_counts_of_those_that_left_is_kept(line, tmp_path):
    """Asked alone, too: half of all times the one man is down, and then his unit needs one more."""
    situation = "unit A: 1 figure\ndo: A tests\n"
    laws = {"ok": {True: Fraction(7, 12), False: Fraction(5, 12)}, "lost": {0: Fraction(1, 2), 1: Fraction(1, 2)}}
    agreed(tmp_path, DOWN.format(line=line), situation, laws)
