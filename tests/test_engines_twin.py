"""Every example that can be exhausted: play under every script of dice, weighted, is exactly odds.

Each example is asked for all that its things record at the end, besides what it asks itself: joint laws.
One with too many scripts is cut down to two figures of a sort, then to one; what is still too large, or never
ends, is followed for some scripts, and no outcome may have less odds than the mass that was followed. How
many of each there are is part of the test.
"""

import os
from collections import Counter

import pytest
from test_engines_kit import TooMany, law_of_odds, law_of_play

from interpreter.document import Scalar
from interpreter.program.state import Unstated
from interpreter.source import Problems, Source, Span
from interpreter.workbench.cases import prepare
from interpreter.workbench.examples import examples_of
from interpreter.workbench.rules import open_rules
from interpreter.workbench.sorts import said

BUDGET = 300
DEEP = 12
WHOLE = {  # the share of a set's examples that are surely followed to their end, with all their figures
    "modern": 0.4,
    "vbcw": 0.2,
    "vsf": 0.3,
    "imperial": 0.3,
    "modern + morale": 0.5,
    "vsf + morale": 0.5,
    "imperial + morale": 0.5,
}


def opened(name):
    problems = Problems()
    rules = open_rules(name, problems)
    assert rules is not None
    assert not problems.has_errors
    return rules, examples_of(rules, problems)


def asked(text):
    source = Source("asked", text)
    return "show", Scalar(text, Span(source, 0, len(text)))


def end_state(case):
    """Questions for all that can be asked of the things of a case."""
    found = []
    for thing in case.situation.things:
        if " " in thing.name:
            continue
        for attribute in thing.kind.all_attributes():
            if attribute.type.name in ("number", "truth", "row", "rows", "inches"):
                found.append(f"{thing.name}.{attribute.name}")
        for holder in thing.kind.lineage():
            for bag in holder.bags:
                found.append(f"{thing.name}.{bag.plural}")
                for mark in bag.all_attributes():
                    if mark.type.name == "truth" and not mark.out_of_play:
                        found.append(f"{thing.name}.{bag.plural} where it.{mark.name}")
    return [asked(f) for f in found]


def small(case, most):
    """The same case with no more than so many figures of a sort."""
    for group in groups(case):
        group.count = min(group.count, most)
    return case


def groups(case):
    return [group for thing in case.situation.things for group in thing.groups]


def twin(rules, example):
    """How an example was tried: `whole`, `small`, `followed`, or `refused` when neither engine answers it."""
    for most in (400, 2, 1):
        problems = Problems()
        case = prepare(rules, example.body, problems)
        if case is None:
            return "refused"
        case = prepare(rules, example.body, problems, end_state(case))
        assert case is not None, (example.name, [p.code for p in problems])
        if most < 400 and all(group.count <= most for group in groups(case)):
            continue  # as large as it was
        small(case, most)
        try:
            played, lost, _ = law_of_play(case, BUDGET, DEEP)
        except (TooMany, Unstated, AssertionError):
            continue
        if lost:
            continue
        assert law_of_odds(case, limit=50_000) == played, example.name
        return "whole" if most == 400 else "small"
    return followed(rules, example)


def followed(rules, example):
    """Too large, or endless: no outcome has less odds than the mass of some scripts that lead to it."""
    case = small(prepare(rules, example.body, Problems()), 2)
    try:
        played, lost, _ = law_of_play(case, 30, DEEP, partly=True)
    except (Unstated, AssertionError):
        return "refused"
    assert lost > 0
    try:
        law = law_of_odds(case)
    except AssertionError:
        assert [p.code for p in case.problems] == ["F004"], example.name  # a fact that only some histories ask for
        return "refused"
    assert all(law[outcome] >= mass for outcome, mass in played.items()), example.name
    return "followed"


SLICES = 4  # a set's examples are tried in so many tests, which may run beside each other
EVERY = 1 if os.environ.get("UMPIRE_THOROUGH") else 4


def chosen(examples):
    """The first example of each procedure, and every so many of the others; `make thorough` takes all."""
    firsts = {said(e.body).split(" ")[0]: e for e in reversed(examples)}.values()
    others = [e for e in examples if e not in firsts]
    return [*reversed(firsts), *others[::EVERY]]


@pytest.mark.parametrize("part", range(SLICES))
@pytest.mark.parametrize("name", WHOLE)
def test_every_script(name, part):
    rules, examples = opened(name)
    mine = chosen(examples)[part::SLICES]
    tried = Counter(twin(rules, e) for e in mine)
    assert sum(tried.values()) == len(mine)
    assert tried["whole"] >= WHOLE[name] * len(mine), tried
    assert tried["refused"] <= max(2, len(mine) // 4), tried
