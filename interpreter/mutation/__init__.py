"""Mutation testing of rule files: changes one token or entry at a time and reruns the examples, to find mutants
that no example detects.
"""

from .allowed_mutants import allow_listed, checked_slips, slips_file
from .campaigns import Campaign, campaign, hosts_of, mutants_of, sheet_of, survivor_problems
from .mutant_selection import Narrowing
from .mutants import Mutant
from .trial import Verdict

__all__ = [
    "Campaign",
    "Mutant",
    "Narrowing",
    "Verdict",
    "allow_listed",
    "campaign",
    "checked_slips",
    "hosts_of",
    "mutants_of",
    "sheet_of",
    "slips_file",
    "survivor_problems",
]  # fmt: skip
