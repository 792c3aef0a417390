"""Where the stages are chained: names of files in; checked rule sets, outcomes, odds and problems out."""

from .bands import Band, band, weighed
from .cases import Answer, Case, Outcome, odds, prepare, resolve
from .examples import Example, Result, examples_of, run, run_all, walk
from .rules import Clause, RuleSet, open_rules, register
from .stacks import read_text, read_tree, stacks_of

__all__ = [
    "Answer",
    "Band",
    "Case",
    "Clause",
    "Example",
    "Outcome",
    "Result",
    "RuleSet",
    "band",
    "examples_of",
    "odds",
    "open_rules",
    "prepare",
    "read_text",
    "read_tree",
    "register",
    "resolve",
    "run",
    "run_all",
    "stacks_of",
    "walk",
    "weighed",
]
