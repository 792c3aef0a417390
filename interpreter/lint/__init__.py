"""What is suspicious in a rule set that is right in every word.

Enters: a checked book without errors and its checker. Leaves: findings, each with its place. One file for each
subject; every check is a function of the checker that adds to the problems, and none knows of another. Knows nothing
of dice being thrown.
"""

from __future__ import annotations

from interpreter.rulebook.procedures import ProcedureChecker
from interpreter.source import Problems, Source

from .alike import check_alike
from .chains import check_chains
from .changes import check_changes
from .columns import check_columns
from .comparisons import check_comparisons
from .conditions import check_conditions
from .decided import check_decided
from .faces import check_faces
from .firsts import check_firsts
from .idle import check_idle
from .left_out import check_left_out
from .modifiers import check_modifiers
from .needed import check_needed
from .rounds import check_rounds
from .uncited import check_uncited
from .unused import Words, check_unused
from .waiting import check_waiting

__all__ = ["lint"]

CHECKS = (
    check_columns,
    check_left_out,
    check_comparisons,
    check_faces,
    check_needed,
    check_changes,
    check_conditions,
    check_decided,
    check_chains,
    check_rounds,
    check_modifiers,
    check_firsts,
    check_alike,
)
OF_A_FILE = (check_unused, check_idle, check_uncited)  # these judge the topmost file, by what its examples show


def lint(checker: ProcedureChecker, problems: Problems, top: Source, shown: Words, anywhere: Words) -> None:
    """Run every check on a rule set that has no errors; `shown` gives the words of the examples of its file `top`, and
    `anywhere` those of all its files.
    """
    for check in CHECKS:
        check(checker, problems)
    for check_file in OF_A_FILE:
        check_file(checker, problems, top, shown)
    check_waiting(checker, problems, top, anywhere)
