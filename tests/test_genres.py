"""Genres that are no rule sets of ours (`examples/dry-creek`): a page, and what a hobbyist made of it in YAML alone."""

import re
from functools import cache
from pathlib import Path

import pytest

from interpreter.source import Problems
from interpreter.workbench.examples import Example, examples_of
from interpreter.workbench.rule_sets import RuleSet
from interpreter.workbench.rules import open_rules
from interpreter.workbench.running import run

PLACE = Path(__file__).parent.parent / "examples" / "dry-creek"
FILES = ("dust-up", "dusk")


@cache
def opened(name: str) -> tuple[RuleSet, list[Example]]:
    problems = Problems()
    rules = open_rules(PLACE / f"{name}.yaml", problems)
    assert rules is not None
    examples = list(examples_of(rules, problems))
    assert not len(problems), [p.message for p in problems]
    return rules, examples


@pytest.mark.parametrize("name", FILES)
def test_its_examples_hold_in_both_engines(name: str) -> None:
    rules, examples = opened(name)
    assert [e.name for e in examples if not run(rules, e).passed] == []


def test_every_clause_of_the_page_is_shown() -> None:
    page = {int(number) for number in re.findall(r"^(\d+)\. ", (PLACE / "dust-up.txt").read_text("utf-8"), re.M)}
    files = "".join((PLACE / f"{name}.yaml").read_text("utf-8") for name in FILES)
    cited = re.findall(r"^ +example [a-z-]+ \[([0-9, ]+)\]:", files, re.M)
    assert page == set(range(1, 13))
    assert {int(number) for cites in cited for number in cites.split(",")} == page
