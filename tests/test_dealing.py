"""Dealing out evenly: the sentence and the clause against a deal by hand, and a melee against every throw of its dice."""

from collections import Counter
from fractions import Fraction
from itertools import product

import pytest
from test_engines_kit import Mistaken, agree, case_of, codes, law_of_odds, rules_of

from interpreter.engines.trace_events import walk
from interpreter.workbench.answers import odds
from interpreter.workbench.histories import resolve

HEAD = """
game: toy
Things:
  dice high: d6 at or over
  kind side:
  kind unit of side:
    dents: number
  kind figure, many to a unit:
    hits: number
    scars: number
    faced: number
  mark leader, strong of figure:
Doing:
"""


def asked(body, things, *asks, more=""):
    case = case_of(rules_of(HEAD + body), f"{things}\n{more}\nask: [{', '.join(asks)}]\n")
    agree(case)
    return law_of_odds(case)


def by_hand(held, amount, measure=lambda hits, scars: hits):
    """One at a time to whoever has least; of those level, the first in the list."""
    held = [list(man) for man in held]
    for _ in range(amount if held else 0):
        min(held, key=lambda man: measure(*man))[0] += 1
    return Counter(hits for hits, _ in held)


MEN = [(0, 2), (0, 2), (0, 0), (0, 0), (3, 0)]
UNIT = "unit A:\n  figures: [2 with scars 2 and leader, 2, 1 with hits 3]"
HOLDING = [f"A.figures where hits = {n}" for n in range(8)]


@pytest.mark.parametrize("amount", range(13))
@pytest.mark.parametrize(
    ("by", "measure"),
    [("", lambda hits, scars: hits), (" by hits + scars", lambda hits, scars: hits + scars), (" by 1", lambda h, s: 1)],
)
def test_a_number_is_dealt_to_who_has_least(amount, by, measure):
    if by == " by 1":  # what is dealt does not change who has least: everybody has, and round it goes
        full, odd = divmod(amount, 5)
        men = [(hits + full + (i < odd), 0) for i, (hits, _) in enumerate(MEN)]
        wanted = Counter(hits for hits, _ in men)
    else:
        wanted = by_hand(MEN, amount, measure)
    body = f"  to share-out (unit), (n number):\n    deal: owner deals n hits evenly{by} to figures usually leader, hits = 0\n"
    law = asked(body, UNIT, *HOLDING, more=f"do: A shares-out {amount}")
    assert law == {tuple(wanted[n] for n in range(8)): 1}


def test_things_are_dealt_to_as_figures_are():
    body = "  to share-out (side), (n number):\n    deal: side deals n dents evenly to units usually dents > 0\n"
    things = "side Red: 0 bonus\nunit A: dents 1, side Red\nunit B: side Red\nunit C: dents 4, side Red"
    things = things.replace("side Red: 0 bonus\n", "side Red:\n")
    law = asked(body, things, "A.dents", "B.dents", "C.dents", more="do: Red shares-out 4")
    assert law == {(3, 2, 4): 1}


def test_dealt_to_nobody():
    body = "  to share-out (unit):\n    deal: owner deals 3 hits evenly to figures where leader\n"
    assert asked(body, "unit A: 2 figures", "sum(A.figures.hits)", more="do: A shares-out") == {(0,): 1}


def test_who_they_are_is_settled_before():
    body = "  to share-out (unit):\n    deal: owner deals 5 hits evenly to figures where hits = 0\n"
    assert asked(body, "unit A: 3 figures", *HOLDING[:4], more="do: A shares-out") == {(0, 1, 2, 0): 1}


def test_the_names_of_figures_see_what_they_were_dealt():
    body = """
  to share-out (unit):
    some: figures where not leader
    deal: owner deals 3 hits evenly to some
    hit: some where hits > 0
"""
    law = asked(body, "unit A:\n  figures: [2, 2 with leader]", "sum(some.hits)", "hit", more="do: A shares-out")
    assert law == {(3, 2): 1}


CLASH = """
  to clash (unit) with (crowd unit):
    bouts, for each man in figures, crowd.owner deals rivals evenly usually leader from crowd.figures usually strong:
      count: man gains rivals faced
      duels, for each rival in rivals:
        hit: d2
        won, if hit = 2: rival gains 1 hit
"""


@pytest.mark.parametrize(("men", "crowd"), [(1, 1), (2, 3), (3, 4), (3, 6), (3, 8), (4, 3), (3, 0), (5, 2)])
def test_everybody_is_faced_once(men, crowd):
    things = f"unit A:\n  figures: [1 with leader, {men - 1}]\n".replace(", 0]", "]")
    things += f"unit B: {crowd} figures"
    asks = [f"A.figures where faced = {n}" for n in range(9)] + ["(A.figures where leader).faced"][:0]
    law = asked(
        CLASH, things, *asks, "sum((A.figures where leader).faced)", "sum(B.figures.hits)", more="do: A clashes with B"
    )
    full, odd = divmod(crowd, men)
    faced = Counter({full: men - odd, full + 1: odd})
    head = (*(faced[n] for n in range(9)), full + (odd > 0))
    binomial = Counter(sum(coins) for coins in product((0, 1), repeat=crowd))
    assert law == {(*head, hits): Fraction(n, 2**crowd) for hits, n in binomial.items()}


def test_the_strong_go_to_the_first():
    body = CLASH.replace("won, if hit = 2: rival gains 1 hit", "met, if man is leader: rival gains 1 hit")
    things = "unit A:\n  figures: [1 with leader, 2]\nunit B:\n  figures: [3, 1 with strong]"
    law = asked(
        body, things, "sum(B.figures.hits)", "any (B.figures where strong and hits > 0)", more="do: A clashes with B"
    )
    assert law == {(2, False): 1}  # those who come first in the list of figures are dealt to first


def test_a_number_is_shared():
    body = """
  to share-out (unit), (n number):
    shares, for each man in figures, owner deals share evenly usually leader from n:
      got: man gains share hits
"""
    law = asked(
        body,
        "unit A:\n  figures: [1 with leader, 3]",
        *HOLDING[:4],
        "sum((A.figures where leader).hits)",
        more="do: A shares-out 6",
    )
    assert law == {(0, 2, 2, 0, 2): 1}


def test_things_are_dealt_to_things():
    body = """
  to share-out (side) with (other side):
    shares, for each mine in units, side deals targets evenly usually dents > 0 from other.units usually dents = 0:
      got: mine gains targets dents
"""
    things = "unit A: side Red\nunit B: side Red, dents 1\nunit C: side Blue\nunit D: side Blue\nunit E: side Blue"
    assert asked(body, things, "A.dents", "B.dents", more="do: Red shares-out with Blue") == {(1, 3): 1}


def test_where_nothing_is_said_and_they_are_unlike_odds_refuse():
    body = "  to share-out (unit):\n    deal: owner deals 1 hit evenly to figures\n"
    case = case_of(
        rules_of(HEAD + body), "unit A:\n  figures: [1 with leader, 3]\ndo: A shares-out\nask: sum(A.figures.hits)\n"
    )
    assert odds(case) is None
    assert codes(case) == ["F008"]


@pytest.mark.parametrize(
    ("line", "code", "word"),
    [
        ("deal: owner deals 1 hat evenly to figures", "N001", "hat"),
        ("deal: owner deals 1 leader evenly to figures", "N001", "leader"),
        ("deal: owner deals 1 hits evenly to 3", "T001", "3"),
        ("deal: owner deals 1 hits evenly by leader to figures", "T001", "leader"),
        ("deal, owner deals hurt evenly from 3: nothing", "P009", "owner deals hurt evenly from 3"),
        ("deal, for each man in figures, owner deals man evenly from 3: nothing", "N004", "man"),
        ("deal, for each man in figures, 3 deals share evenly from 3: nothing", "L001", "3"),
    ],
)
def test_mistakes(line, code, word):
    with pytest.raises(Mistaken) as found:
        rules_of(HEAD + f"  to share-out (unit):\n    {line}\n")
    assert found.value.args[0] == [(code, word)]


def test_two_deals_one_after_the_other_are_told_each_for_itself(tmp_path):
    """Of things of another sort, too: a trace says what each line dealt out."""
    body = """\
  to share-out (unit):
    one: owner deals 1 hits evenly to figures
    two: owner deals 1 dents evenly to unit
"""
    case = case_of(rules_of(HEAD + body), "unit A: 2 figures\ndo: A shares-out\n")
    outcome = resolve(case, seed=1)
    assert outcome is not None
    lines = [event.text for event in walk(outcome.events) if event.kind == "effect"]
    assert lines == ["one: 1 × figure gains 1 hit → 1", "two: A gains 1 dent → 1"]
