"""What is left of a game that breaks a law, when everything is taken away without which it still breaks it.

Enters: a trial that failed. Leaves: one that fails in the same way, on a smaller game. Must not know why.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import replace
from difflib import unified_diff
from random import Random
from typing import Any

from interpreter.workbench.flat import flat

from .answers import opened
from .game import Game, Plain, tree, written
from .law import LAWS, OWN
from .trying import Trial, apply

TRIES = 12  # where a law is applied hangs on chance: so often is it tried on a smaller game


def shrunk(trial: Trial, seconds: float = 60) -> Trial:
    """The trial on as small a game as was found in the time given."""
    law, best, until = (LAWS | OWN)[trial.law], trial, time.monotonic() + seconds

    def failing(game: Game) -> Trial | None:
        for number in range(TRIES):
            if time.monotonic() > until:
                return None
            try:
                found = apply(law, game, Random(f"shrink {number}"))
            except Exception as why:  # a crash on the way is another finding
                found = Trial(trial.law, "crashed", game, None, repr(why))
            if found.outcome == trial.outcome and _alike(found.told, trial.told):
                return found
            if found.outcome in ("not applicable", "too large") and number > 3:
                return None
        return None

    assert trial.game is not None
    if len(trial.game.files) > 1:
        try:
            one = replace(trial.game, files=(("flat", flat(opened(trial.game.files))),))
        except Exception:
            one = None
        best = (one and failing(one)) or best
    going = True
    while going and time.monotonic() < until:
        going = False
        assert best.game is not None
        for smaller in _smaller(best.game):
            if (found := failing(smaller)) is not None:
                best, going = found, True
                break
    return best


def _alike(one: str, two: str) -> bool:
    """Whether two refusals are for the same code; two wrong answers are alike."""
    codes = [text.split("(", 1)[1][:7] if text.startswith(("Mistaken", "Unanswered")) else "" for text in (one, two)]
    return codes[0] == codes[1]


def _smaller(game: Game) -> Iterator[Game]:
    for ask in game.asks:
        if len(game.asks) > 1:
            yield replace(game, asks=tuple(a for a in game.asks if a != ask))
    if len(game.files) > 1:
        yield replace(game, files=game.files[:-1])
    for index, (name, text) in enumerate(game.files):
        for made in _less(tree(text), lambda path: len(path) > 0 and path[0][:1].isupper()):
            files = list(game.files)
            files[index] = (name, written(made))
            yield replace(game, files=tuple(files))
    for made in _less(tree(game.situation), lambda path: path[0] != "do"):
        yield replace(game, situation=written(made))


def _less(made: Plain, able: Callable[[tuple[str, ...]], bool]) -> Iterator[Plain]:
    """The tree with something left out: large parts first, and halves before single ones."""
    places = sorted(_places(made, ()), key=lambda path: (len(path), path))
    for path in places:
        if able(path):
            yield _without(made, path)


def _places(data: Any, path: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    if isinstance(data, dict):
        for key, value in data.items():
            yield (*path, key)
            yield from _places(value, (*path, key))


def _without(made: Plain, path: tuple[str, ...]) -> Plain:
    made = deepcopy(made)
    here = made
    for key in path[:-1]:
        here = here[key]
    del here[path[-1]]
    return made


def report(trial: Trial) -> str:
    """A finding as a text: the game as YAML, then as remarks what was changed, and what both came to."""
    assert trial.game is not None
    lines = [f"# law: {trial.law} ({(LAWS | OWN)[trial.law].promise})", f"# {trial.outcome}, from {trial.game.about}"]
    for name, text in trial.game.files:
        lines += [f"# ---- {name}.yaml", text.rstrip()]
    lines += ["# ---- situation", *("# " + row for row in trial.game.situation.splitlines())]
    lines += [f"# ask: {ask}" for ask in trial.game.asks]
    if trial.changed is not None:
        lines += ["# ---- changed:", *("# " + row for row in _difference(trial.game, trial.changed))]
    lines += ["# ---- told", *("# " + row for row in trial.told.splitlines())]
    return "\n".join(lines) + "\n"


def _difference(one: Game, two: Game) -> Iterator[str]:
    before, after = (
        "\n".join([*(f"{n}:\n{written(tree(t))}" for n, t in g.files), g.situation, *g.asks]).splitlines()
        for g in (replace(one, situation=written(one.stated())), replace(two, situation=written(two.stated())))
    )
    yield from (row for row in unified_diff(before, after, n=1, lineterm="") if not row.startswith(("---", "+++")))
