"""`umpire resolve`: its options. What they ask for is done in `playing`.

Enters: words. Leaves: what they ask for.
"""

from __future__ import annotations

from typing import Any

import click

from . import playing
from .examples import Command
from .options import situation_options


@click.command(cls=Command)
@situation_options
@click.option("--seed", metavar="N|TEXT", help="Dice from a seed: the same seed, the same dice.")
@click.option("--dice", metavar="FACES", help="Dice in the order thrown, 6,2,5/1,5; or by line, 'hits 6 2, unsaved 1'.")
@click.option("--ask-dice", is_flag=True, help="Ask for the faces of each throw: your own dice.")
@click.option("--ask-choices", is_flag=True, help="Ask at each choice; else the rules' `usually` decides.")
@click.option("-v", "--verbose", is_flag=True, help="Also what was not run, and all that went into each number.")
def resolve(**said: Any) -> None:
    """Carry a situation out once and show every die, every modifier, every effect, each with its line and
    clause.

    Dice come from --dice, --seed or --ask-dice, else from the situation, else from a seed of the moment, which
    is told.
    """
    playing.resolve(**said)
