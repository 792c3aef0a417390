"""Lowers a checked book to a Program, which both engines run: play and odds."""

from .program import Program

__all__ = ["Program"]
