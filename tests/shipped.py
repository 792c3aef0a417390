"""The rule sets that come along, each opened once for all tests that only ask it."""

from functools import cache

from interpreter.source import Problems, render
from interpreter.workbench.examples import Example, examples_of
from interpreter.workbench.rule_sets import RuleSet
from interpreter.workbench.rules import open_rules


@cache
def opened(name: str) -> RuleSet:
    problems = Problems()
    rules = open_rules(name, problems)
    assert rules is not None and not problems.has_errors, render(problems)
    return rules


@cache
def examples(name: str) -> tuple[Example, ...]:
    problems = Problems()
    found = examples_of(opened(name), problems)
    assert not problems.has_errors, render(problems)
    return tuple(found)
