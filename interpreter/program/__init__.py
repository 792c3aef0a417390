"""A checked book → a Program that plays and has odds: one meaning for both engines."""

from .program import Program

__all__ = ["Program"]
