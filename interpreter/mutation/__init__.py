"""Slips in a rule file that no example notices: what is there, changed by one step, and every example asked again."""

from .campaigns import Campaign, campaign, ready, sheet_of
from .mutants import Mutant
from .telling import change, told
from .trial import Verdict

__all__ = ["Campaign", "Mutant", "Verdict", "campaign", "change", "ready", "sheet_of", "told"]
