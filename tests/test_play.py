"""One history: traced or not it falls alike; what is told on demand; one player for many histories."""

import pytest
from test_engines_kit import case_of, rules_of

from interpreter.engines.dice import ScriptedDice, SeededDice
from interpreter.engines.play import Play
from interpreter.engines.trace import Tracer
from interpreter.engines.trace_events import walk
from interpreter.program.words import Words
from interpreter.workbench.run_setup import set_up

RULES = """
game: toy
Things:
  dice high: d6 at or over, always 6, never 1
  kind side:
  kind unit of side:
    pins: number 0 to 9
    heat: number
Doing:
  value warmth of unit:
    basic: 1
    hot: +2 if unit.heat > 3
  roll plain of unit: needs 4
  roll bent of unit:
    basic: needs 4
    pinned: roll -1 if unit.pins > 1
  roll lucky of unit:
    basic: needs 5
    twice: again if unit.pins > 0
  to poke (unit), (hits number):
    much: hits + unit.warmth
    warm: unit gains much heat
  to act (unit) with (other unit):
    steady: 5 passing unit.plain
    shaken: steady failing other.bent
    lucky: steady passing unit.lucky
    rounds, repeat shaken times:
      face: d6
      poked, if face > 3: other pokes face
    total: other.heat
"""
SITUATION = "unit A: pins 1, heat 2\nunit B: pins 2\ndo: A acts with B\nask: [total, lucky]\n"


@pytest.fixture(scope="module")
def case():
    return case_of(rules_of(RULES), SITUATION)


def ready_of(case, traced):
    ready = set_up(case, traced)
    return ready, tuple(ready.places[a.address] for a in case.asks)


def played(case, traced, dice, wants=None):
    ready, places = ready_of(case, traced)
    tracer = Tracer(ready.program, Words(case.rules.book, ready.start.names)) if traced else None
    play = Play(ready.program, ready.start.keys, ready.start.names, ready.start.state, dice, observer=tracer)
    found = play.run(case.situation.procedure, ready.args, wants)
    return tuple(found[p] for p in places), ready.start.state, tracer


@pytest.mark.parametrize("seed", range(25))
def test_a_history_falls_alike_traced_or_not(case, seed):
    plain, traced = played(case, False, SeededDice(seed)), played(case, True, SeededDice(seed))
    assert plain[:2] == traced[:2]


def test_a_seed_and_a_script_of_its_faces_are_one_history(case):
    for seed in range(25):
        seeded = played(case, True, SeededDice(seed))
        faces = [f for e in walk(seeded[2].root.children) if e.kind == "throw" for f in e.data["dice"]]
        script = ScriptedDice(all=list(faces))
        scripted = played(case, True, script)
        assert scripted[:2] == seeded[:2]
        assert script.left == 0
        assert [e.text for e in walk(scripted[2].root.children)] == [e.text for e in walk(seeded[2].root.children)]


def test_what_happened_is_told_once(case):
    *_, tracer = played(case, True, SeededDice(3))
    first = [e.text for e in walk(tracer.root.children)]
    assert first
    assert [e.text for e in walk(tracer.root.children)] == first


def test_lines_that_nobody_wants_are_left_out(case):
    asked = frozenset(a.address for a in case.asks[:1])
    for seed in range(10):
        some, every = played(case, False, SeededDice(seed), asked), played(case, False, SeededDice(seed))
        assert some[0][0] == every[0][0]
        assert some[1] == every[1]


def test_one_player_for_many_histories(case):
    ready, places = ready_of(case, False)
    first = list(ready.start.state)
    player = Play(ready.program, ready.start.keys, ready.start.names, [], SeededDice(0))
    for seed in range(10):
        state = list(first)
        player.again(state, SeededDice(seed))
        found = player.run(case.situation.procedure, ready.args)
        assert (tuple(found[p] for p in places), state) == played(case, False, SeededDice(seed))[:2]


ELSEWHERE = {
    "a mark of the kind that throws": ("Doing:\n", "  mark wet of unit:\nDoing:\n"),
    "a number of the side": ("  kind side:\n", "  kind side:\n    purse: number\n"),
    "another kind": ("  kind side:\n", "  kind hut:\n    floors: number\n  kind side:\n"),
    "a moment": ("Doing:\n", "Doing:\n  moment dawn of unit:\n"),
    "a fact that a line sets": (
        "Doing:\n",
        "Doing:\n  fact depth of unit: number first 0\n  to dig (unit):\n    dug: depth(unit) becomes 2\n",
    ),
    "another procedure": ("Doing:\n", "Doing:\n  to rest (unit):\n    calm: unit loses all pins\n"),
    "a line that throws nothing": ("    total: other.heat\n", "    more: other.heat + 1\n    total: other.heat\n"),
}


@pytest.mark.parametrize("edit", ELSEWHERE, ids=str)
def test_a_seed_survives_edits_elsewhere(case, edit):
    before, after = ELSEWHERE[edit]
    assert before in RULES
    edited = case_of(rules_of(RULES.replace(before, after)), SITUATION)
    for seed in range(40):
        assert played(edited, False, SeededDice(seed))[0] == played(case, False, SeededDice(seed))[0]


def test_a_seed_survives_another_unit_at_the_table(case):
    crowded = case_of(rules_of(RULES), "unit C: pins 7\n" + SITUATION.replace("unit B", "unit D: heat 1\nunit B"))
    for seed in range(40):
        assert played(crowded, False, SeededDice(seed))[0] == played(case, False, SeededDice(seed))[0]


CREATED = """
game: toy
Things:
  dice high: d6 at or over, always 6, never 1
  kind side:
  kind unit of side:
    pins: number
Doing:
  to look (unit):
    seen: d6
  to part (unit):
    lead: new unit (side unit.side)
    tail: new unit (side unit.side)
    sight: lead looks
    sights: tail looks
    one: sight.seen
    two: sights.seen
"""


def test_created_things_throw_dice_of_their_own():
    situation = "side Red:\nunit A: side Red\ndo: A parts\nask: [one, two]\n"
    made = case_of(rules_of(CREATED), situation)
    marked = case_of(rules_of(CREATED.replace("    pins: number\n", "    pins: number\n    heat: number\n")), situation)
    thrown = [played(made, False, SeededDice(seed))[0] for seed in range(60)]
    assert len(set(thrown)) > 20  # of 36: the two throws are not one
    first = [played(marked, False, SeededDice(seed))[0][0] for seed in range(60)]
    assert first == [one for one, _ in thrown]
