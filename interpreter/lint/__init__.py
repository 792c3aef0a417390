"""What is suspicious in a rule set that is right in every word.

Enters: a checked book without errors and its checker. Leaves: findings, each with its place. One file for each
subject; every check is a function of the checker that adds to the problems, and none knows of another. Knows nothing
of dice being thrown.
"""

from __future__ import annotations

from interpreter.rulebook.procedures import ProcedureChecker
from interpreter.source import Problems

from .chains import check_chains
from .columns import check_columns
from .comparisons import check_comparisons
from .decided import check_decided
from .faces import check_faces
from .idle import check_idle
from .needed import check_needed

__all__ = ["lint"]

CHECKS = (
    check_columns,
    check_comparisons,
    check_faces,
    check_needed,
    check_idle,
    check_decided,
    check_chains,
)


def lint(checker: ProcedureChecker, problems: Problems) -> None:
    """Run every check on a rule set that has no errors."""
    for check in CHECKS:
        check(checker, problems)
