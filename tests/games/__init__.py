"""Games made up at random, to hold engines and readers against each other.

`game(seed)` is a whole game of texts: rule files, perhaps laid over each other, and a situation with questions.
"""

from .constructs import PAIRS, pair
from .make import game
from .model import Game, Situation

__all__ = ["PAIRS", "Game", "Situation", "game", "pair"]
