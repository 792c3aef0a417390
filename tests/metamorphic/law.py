"""What a law is: a name, and how a game is changed or looked at by it.

Enters: a game and a generator of random numbers. Leaves: the changed game, whose questions are those of the first in
their order; or of a law that looks at one game only, what contradicts it. `LAWS` are all that were declared,
`OWN` those besides that make their games themselves.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from .game import Game


@dataclass(frozen=True)
class Changed:
    """`renamed`: words of the first game's answers, and what they are called now."""

    game: Game
    renamed: tuple[tuple[str, str], ...] = ()


Change = Callable[[Game, Random], Game | Changed]
Look = Callable[[Game, Random], str | None]


@dataclass(frozen=True)
class Law:
    """`change` gives a game that answers alike; or `look` gives None, or two answers that cannot both be right. What
    has nothing to work on raises `NotApplicable`.
    """

    name: str
    promise: str
    change: Change | None = None
    look: Look | None = None


LAWS: dict[str, Law] = {}
OWN: dict[str, Law] = {}  # those with games of their own, tried on no others


def changing(law: Change) -> Change:
    """A law by its function: the name of it, and the promise in its first line."""
    name = law.__name__.replace("_", "-")
    LAWS[name] = Law(name, (law.__doc__ or "").strip().splitlines()[0], change=law)
    return law


def looking(law: Look) -> Look:
    name = law.__name__.replace("_", "-")
    LAWS[name] = Law(name, (law.__doc__ or "").strip().splitlines()[0], look=law)
    return law
