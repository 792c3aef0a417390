"""Games made up at random, to hold engines and readers against each other.

`game(seed)` is a whole game of texts: rule files, perhaps laid over each other, and a situation with questions.
"""

from .make import ALL, game, pair
from .model import Game, Situation

__all__ = ["ALL", "Game", "Situation", "game", "pair"]
