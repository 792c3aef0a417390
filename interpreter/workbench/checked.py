"""`check` by names: what each stack behind them is, and what was found.

Enters: names as they were given. Leaves: `Checked`s, one a stack. Knows nothing of how they are told.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from interpreter.source import Problem, Problems

from .files import check_file, shipped
from .stacks import stacks_of


@dataclass(frozen=True, slots=True)
class Checked:
    """One stack: its name, what it is in words, its problems in the order of reading, and those that a file allows,
    with the reason.
    """

    name: str
    what: str
    problems: tuple[Problem, ...]
    allowed: tuple[tuple[Problem, str], ...] = ()


def check_all(names: Sequence[str]) -> list[Checked]:
    """Each of the names, or else each set that comes along; a supplement over each stack it is made for."""
    checked = []
    for name in [stack for each in names or shipped() for stack in stacks_of(each)]:
        problems = Problems()
        what = check_file(name, problems)
        allowed = tuple((problem, by.reason) for problem, by in problems.allowed)
        checked.append(Checked(name, what, problems.sorted(), allowed))
    return checked
