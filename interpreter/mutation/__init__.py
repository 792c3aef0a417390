"""Slips in a rule file that no example notices: what is there, changed by one step, and every example asked again."""

from .campaign import Campaign, campaign, ready, sheet_of
from .mutants import Mutant
from .trial import Verdict

__all__ = ["Campaign", "Mutant", "Verdict", "campaign", "ready", "sheet_of"]
