"""`umpire flat`: a stack of files as one.

Enters: a rule set, by name, path or stack. Leaves: the text of one rule file that says the same.
"""

from __future__ import annotations

import click

from interpreter.source import Problems
from interpreter.workbench.flat import flat as written
from interpreter.workbench.rules import open_rules

from .examples import Command
from .terminal import refuse, say


@click.command(cls=Command)
@click.argument("rules")
def flat(rules: str) -> None:
    """One rule file that says what a whole stack says, each line with its origin as a remark."""
    problems = Problems()
    opened = open_rules(rules, problems)
    if opened is None or problems.has_errors:
        refuse(problems, False)
    say(written(opened).rstrip("\n"))
