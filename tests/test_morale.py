"""The morale supplement: what it refuses, what it takes out of each base, and what it leaves as it was."""

from fractions import Fraction
from functools import cache

import pytest

import interpreter
from interpreter.source import Problems
from interpreter.workbench.rules import open_rules

BASES = ("modern", "vsf", "imperial")

VOLLEYS = {
    "modern": ("hits", "seasoned, 6 figures, weapon rifle", "green, spotted, 8 figures, terrain soft, armour light"),
    "vsf": ("volley.hits", "seasoned, 6 figures, weapon rifle", "green, 8 figures, terrain soft, armour light"),
    "imperial": ("volleys.hits", "regular, 4 figures, weapon laser-rifle", "veteran, 8 figures, armour fa"),
}

# What stands in a base and must be gone under the supplement: definitions, and lines of others.
SWITCHED_OFF = {
    "modern": (),
    "vsf": ("casualty-shakes", "all-down", "steady", "withdraw", "morale", "unit.shaken"),
    "imperial": (
        *("waver", "flee", "resolve", "thinned", "luck", "healing", "leave-behind", "annihilated", "care"),
        *("unit.broken", "unit.killed", "unit.losses", "figure.patient", "figure.busy", "unit.ward"),
    ),
}


@cache
def opened(name):
    problems = Problems()
    rules = open_rules(name, problems)
    return rules, list(problems)


def says(book, name):
    """Whether a rule set has a definition, or a kind an attribute, of this name."""
    kind, _, attribute = name.rpartition(".")
    if kind:
        return attribute in book.kinds[kind].attributes
    shelves = (book.values, book.rolls, book.procedures, book.rules)
    return any(name in shelf for shelf in shelves)


def volley(rules, more=None):
    asked, firers, target = VOLLEYS[rules.split(" ")[0]]
    sides = {"side Red": "pool 9", "side Blue": "pool 9"} if "+" in rules else {"side Red": "bonus 0", "side Blue": ""}
    data = {
        "rules": rules,
        **sides,
        "unit A": f"{firers}, side Red",
        "unit B": f"{target}, side Blue",
        "facts": 'distance(A, B) is 20"',
        "do": "A shoots at B",
        **(more or {}),
    }
    return data, asked


def law(data, *asked):
    answer = interpreter.odds(data, ask=list(asked))
    return {values: Fraction(weight, answer.total) for values, weight in answer.joint}


def test_vbcw_is_refused_with_the_reason_and_the_place():
    _, problems = opened("vbcw + morale")
    assert [p.code for p in problems] == ["N012"]
    with pytest.raises(interpreter.Trouble) as trouble:
        interpreter.open_rules("vbcw + morale")
    assert "morale cannot be laid over vbcw" in str(trouble.value)
    assert "ten-sided dice" in str(trouble.value)
    assert "leadership and morale tests of its own" in str(trouble.value)
    span = problems[0].others[0].span  # the stack was typed; this is the line that it does not fit
    assert span.source.name.endswith("morale.yaml")
    assert span.source.text.splitlines()[span.place[0] - 1].strip().startswith("vbcw:")


def test_alone_it_asks_for_a_base():
    _, problems = opened("morale")
    assert [p.code for p in problems] == ["N015"]
    assert all(f"{base} + morale" in problems[0].hint for base in BASES)


@pytest.mark.parametrize("base", BASES)
def test_it_lies_cleanly_on_every_base(base):
    rules, problems = opened(f"{base} + morale")
    assert rules is not None
    assert problems == []


@pytest.mark.parametrize("base", BASES)
def test_what_it_replaces_is_there_without_it_and_gone_with_it(base):
    plain, _ = opened(base)
    laid, _ = opened(f"{base} + morale")
    assert [name for name in SWITCHED_OFF[base] if not says(plain.book, name)] == []
    assert [name for name in SWITCHED_OFF[base] if says(laid.book, name)] == []
    assert not says(plain.book, "test-morale")
    assert says(laid.book, "test-morale")


@pytest.mark.parametrize("base", BASES)
def test_dice_of_a_volley_are_untouched(base):
    for_base, asked = volley(base)
    for_stack, _ = volley(f"{base} + morale")
    plain, laid = (interpreter.odds(d, ask=[asked]).of(0) for d in (for_base, for_stack))
    assert plain == laid
    assert len(plain) > 3


@pytest.mark.parametrize("base", ["modern", "vsf"])
def test_who_is_suppressed_is_untouched(base):
    """Nobody tests for suppressions, so the joint law of what becomes of the target is that of the base."""
    asked = ("max(B.figures, 0)", "max(B.figures where suppressed, 0)")
    plain, laid = (law(volley(name)[0], *asked) for name in (base, f"{base} + morale"))
    assert plain == laid


def test_a_marker_without_it_and_a_test_with_it():
    shot = {"do": "A shoots at B", "choose": {"suffer.split.down": "fewest"}}
    plain = law(volley("vsf", shot)[0], "B is shaken", "any B.figures")
    laid = law(volley("vsf + morale", shot)[0], "B is fallen-back", "B.untested = 0")
    shaken = sum(p for k, p in plain.items() if k[0])
    fallen = sum(p for k, p in laid.items() if k[0])
    assert fallen == shaken * Fraction(2, 3)  # green: two in three fail
    assert all(k[1] for k in laid)


def test_a_percentage_without_it_and_every_casualty_with_it():
    shot = {"unit B": "veteran, 8 figures, side Blue"}
    plain = law(volley("imperial", shot)[0], "B is broken")
    laid = law(volley("imperial + morale", shot)[0], "B is fallen-back", "any B.casualties")
    struck = sum(p for k, p in laid.items() if k[1])
    fallen = sum(p for k, p in laid.items() if k[0])
    assert plain.get((True,), 0) < fallen < struck
    assert all(k[1] for k in laid if k[0])


def test_a_unit_that_fell_back_does_not_activate_as_the_base_says():
    situation = {
        "unit A": "seasoned, 3 figures, start 8, fallen-back, side Red",
        "unit B": "green, 4 figures, side Blue",
        "side Red": "pool 5",
        "side Blue": "",
        "facts": 'distance(A, B) is 10"',
        "do": "A activates",
        "choose": {"act.action": "run"},
    }
    laid = {"rules": "modern + morale", **situation}
    found = law(laid, "A is routed", "A is guarding")
    assert found == {(True, False): Fraction(1, 2), (False, False): Fraction(1, 2)}
