"""One application of a law, by its number.

Enters: a number. Leaves: a `Trial`: what law was applied to what, and how it went. `applied`: answers are as promised;
`not applicable`: nothing to change there; `refused`: what was changed cannot be checked or answered, though the first
could; `failed`: the promise is broken.
"""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from random import Random

from . import files, lines, questions, sentences, situations
from .answers import Answers, Mistaken, TooLarge, Unanswered, answers, told
from .game import Game, NotApplicable, swapped
from .law import LAWS, Changed, Law
from .sources import a_game

LOADED = (files, lines, questions, sentences, situations)
GAMES = 8  # laws tried on one game
KNOWN = frozenset(["E001", "E010"])


@dataclass(frozen=True)
class Trial:
    law: str
    outcome: str
    game: Game | None = None
    changed: Game | None = None
    told: str = ""


def apply(law: Law, game: Game, dice: Random) -> Trial:
    """One law on one game."""
    try:
        if law.look is not None:
            why = law.look(game, dice)
            return Trial(law.name, "failed" if why else "applied", game, None, why or "")
        assert law.change is not None
        made = law.change(game, dice)
    except NotApplicable:
        return Trial(law.name, "not applicable")
    except TooLarge:
        return Trial(law.name, "too large")
    except (Mistaken, Unanswered) as why:
        return Trial(law.name, "refused", game, None, str(why))
    changed = made if isinstance(made, Changed) else Changed(made)
    if changed.game == game:
        return Trial(law.name, "not applicable")
    alone = dice.random() < 0.5
    try:
        first = answers(game, alone=alone)
        second = answers(changed.game, alone=alone)
    except TooLarge:
        return Trial(law.name, "too large")
    except (Mistaken, Unanswered) as why:
        return Trial(law.name, "refused", game, changed.game, f"{type(why).__name__}: {why}")
    if _renamed(first, changed.renamed) == second:
        return Trial(law.name, "applied", game, changed.game)
    rows = [
        f"{ask}\n    {one}\n{other_ask}\n    {other}"
        for ask, one, other_ask, other in zip(game.asks, told(first), changed.game.asks, told(second), strict=True)
    ]
    return Trial(
        law.name, "failed", game, changed.game, "\n".join([f"asked {'alone' if alone else 'together'}", *rows])
    )


def _renamed(found: Answers, names: tuple[tuple[str, str], ...]) -> Answers:
    """The answers in the words of the changed game."""
    if not names:
        return found

    def word(text: str) -> str:
        for i, (old, _) in enumerate(names):
            text = swapped(text, old, f"\x00{i}\x00")
        for i, (_, new) in enumerate(names):
            text = text.replace(f"\x00{i}\x00", new)
        return text

    def row(texts: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(", ".join(sorted(word(t).split(", "))) if " × " not in t else word(t) for t in texts)

    joint = None if found.joint is None else tuple(sorted((row(v), p) for v, p in found.joint))
    each = tuple(tuple(sorted(((row((v,))[0], p) for v, p in one), key=lambda x: x[0])) for one in found.each)
    return Answers(joint, each)


def game_of(number: int, shipped: bool = True) -> Game | None:
    """The game of a number; None where no question of it can be answered."""
    with contextlib.suppress(NotApplicable):
        return a_game(Random(f"game {number}"), shipped)
    return None


def laws_of(number: int) -> list[Law]:
    """Which laws are tried on the game of a number."""
    return Random(f"laws {number}").sample(sorted(LAWS.values(), key=lambda law: law.name), GAMES)


def trials(number: int, shipped: bool = True) -> list[Trial]:
    """Some laws on the game of a number."""
    game = game_of(number, shipped)
    if game is None:
        return []
    return [apply(law, game, Random(f"{law.name} {number}")) for law in laws_of(number)]
