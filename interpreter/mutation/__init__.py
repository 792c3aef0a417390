"""Slips in a rule file that no example notices: what is there, changed by one step, and every example asked again."""

from .allowed_mutants import checked_slips, keep, slips_file
from .campaigns import Campaign, campaign, mutants_of, ready, sheet_of, told
from .mutant_selection import Narrowing
from .mutants import Mutant
from .trial import Verdict

__all__ = [
    "Campaign", "Mutant", "Narrowing", "Verdict", "campaign", "checked_slips", "keep", "mutants_of", "ready",
    "sheet_of", "slips_file", "told",
]  # fmt: skip
