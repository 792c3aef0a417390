"""The list of static checks, and the function that runs them.

Takes a checked book without errors and its checker; adds findings, each with its place. Each module has one subject. A
check is a function of the checker that adds to the problems; checks depend on each other only through the problems that
earlier ones added. Knows nothing of throwing dice.
"""

from __future__ import annotations

from interpreter.rulebook.procedures import Checker
from interpreter.source import Problems, Source

from .alike import check_alike
from .case_coverage import check_case_coverage, check_distance_columns, check_missing_cells
from .comparisons import check_constant_comparisons, check_unread_comparisons
from .constant_conditions import check_constant_conditions
from .cycles import check_call_cycles, check_default_cycles
from .item_conditions import check_item_conditions
from .loop_termination import check_loop_termination
from .missing_citations import check_missing_citations
from .modifier_conflicts import check_ineffective_changes, check_modifier_conflicts
from .roll_targets import check_roll_targets
from .unreachable_moments import check_unreachable_moments
from .unused_declarations import Words, check_unused_declarations
from .unused_lines import check_unused_lines

CHECKS = (
    check_distance_columns,
    check_missing_cells,
    check_unread_comparisons,
    check_case_coverage,
    check_roll_targets,
    check_ineffective_changes,
    check_constant_conditions,
    check_constant_comparisons,
    check_item_conditions,
    check_call_cycles,
    check_loop_termination,
    check_modifier_conflicts,
    check_default_cycles,
    check_alike,
)
# These check the topmost file only, and take the words of its examples into account.
FILE_CHECKS = (check_unused_declarations, check_unused_lines, check_missing_citations)


def lint(checker: Checker, problems: Problems, top: Source, shown: Words, anywhere: Words) -> None:
    """Run every check on a rule set that has no errors.

    `top` is the file to judge where that matters; `shown` gives the words of its examples, `anywhere` those of the
    examples of all files.
    """
    for check in CHECKS:
        check(checker, problems)
    for check_file in FILE_CHECKS:
        check_file(checker, problems, top, shown)
    check_unreachable_moments(checker, problems, top, anywhere)
