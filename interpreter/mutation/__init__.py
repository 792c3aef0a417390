"""Mutation testing of rule files: changes one token or entry at a time and reruns the examples, to find mutants
that no example detects.
"""

from .allowed_mutants import checked_slips, keep, slips_file
from .campaigns import Campaign, campaign, mutants_of, ready, sheet_of, told
from .mutant_selection import Narrowing
from .mutants import Mutant
from .trial import Verdict

__all__ = [
    "Campaign", "Mutant", "Narrowing", "Verdict", "campaign", "checked_slips", "keep", "mutants_of", "ready",
    "sheet_of", "slips_file", "told",
]  # fmt: skip
