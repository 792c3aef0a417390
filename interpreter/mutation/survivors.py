"""Surviving mutants → problems, each at its place, with a hint which example could detect it.

Enters: mutants with their verdicts. Leaves: `Problems`, one a survivor. Knows nothing of how the verdicts were reached.
"""

from __future__ import annotations

from collections.abc import Iterable

from interpreter.source import Problems

from .mutants import Mutant
from .trial import SURVIVED, Verdict

CODE = "X010"


def told(found: Iterable[tuple[Mutant, Verdict]], opened: Problems | None = None) -> Problems:
    """A problem for each survivor that is not allowed; `opened` heard what is, when the files were read."""
    problems = Problems()
    if opened is not None:
        problems.allow_as(opened)
    for mutant, verdict in found:
        if verdict.what == SURVIVED:
            problems.add(CODE, mutant.span, change=change(mutant), label=label(mutant), hint=_hint(verdict))
    return problems


def label(mutant: Mutant) -> str:
    """The line with the slip in it; nothing where it is left out."""
    return f"then: {mutant.then}" if mutant.then else ""


def change(mutant: Mutant) -> str:
    """`>=` in place of `>`, in words."""
    if mutant.instead is None:
        return f"`{mutant.address}` left out"
    said = mutant.now[mutant.start : mutant.end].strip()
    instead = mutant.instead.strip()
    if not instead:
        return f"`{said.lstrip(', ')}` left out"
    return f"`{instead}` in place of `{said}`"


def _hint(verdict: Verdict) -> str:
    if verdict.left:
        return f"of {_many(verdict.asked + verdict.left)} that could notice it {verdict.asked} were asked"
    if not verdict.asked:
        return "no example runs this line: write one that does"
    if not verdict.ran:
        return f"no example's play runs this line; {_many(verdict.asked)} could"
    if verdict.shows is not None:
        return f"{verdict.shows.example} would, if it expected {verdict.shows.words}"
    first = ", ".join(verdict.ran[:3]) + (f" and {len(verdict.ran) - 3} more" if len(verdict.ran) > 3 else "")
    return f"run by {first}: write one in which it matters"


def _many(n: int) -> str:
    return f"{n} example{'' if n == 1 else 's'}"
