"""What may be asked of a case, and what becomes of the answer under a condition.

Enters: a case. Leaves: texts of questions, cases that ask them, answers where a condition holds.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from interpreter.document import Mapping
from interpreter.program.words import Words
from interpreter.source import Problems
from interpreter.vocabulary.types import Type

from .answers import Answer
from .cases import Case, prepare
from .ready import made_ready
from .texts import Asks, asked, with_entries

EXPECTATIONS = ("then", "odds", "trace", "error", "dice", "ask")
_COUNTED = ("number", "truth", "figures", "row", "target", "inches")


def worth_asking(case: Case) -> list[str]:
    """Lines of what was done that can be counted, the nearest first: the procedure's own, then those of its
    calls.
    """
    lines = case.rules.checker.procedure(case.situation.procedure).lines
    records = [v for v in lines.values() if v.type.name == "record"]
    found: list[str] = []
    queue: list[tuple[str, Type, int]] = []
    for address, variable in lines.items():
        if variable.type.name == "record":
            queue.append(("" if len(records) == 1 else f"{address}.", variable.type, 0))
        elif variable.type.name in _COUNTED and not address.startswith("ask "):
            found.append(address)
    while queue:
        prefix, type_, depth = queue.pop(0)
        for address, variable in case.rules.checker.procedure(type_.of).lines.items():
            if "?" in address or " " in address:
                continue
            if variable.type.name == "record" and depth < 3:
                queue.append((f"{prefix}{address}.", variable.type, depth + 1))
            elif variable.type.name in _COUNTED:
                found.append(prefix + address)
    for thing in case.situation.things:
        if thing.name[:1].isupper():
            found += [f"{thing.name}.{held.plural}" for k in thing.kind.lineage() for held in k.bags]
    return list(dict.fromkeys(found))


def asking_all(case: Case, root: Mapping, texts: list[str], given: Asks) -> Case | None:
    """The case that asks all of the questions; None where that cannot be."""
    quiet = Problems()
    bare = with_entries(root, (), EXPECTATIONS)
    made = prepare(case.rules, bare, quiet, [*asked("show", "question", texts), *given])
    return None if quiet.has_errors else made


def conditional(answer: Answer, index: int) -> tuple[Answer, Fraction] | None:
    """The answer where question `index` holds, and how likely that is; None where it never holds."""
    kept = [(v[:index] + v[index + 1 :], w) for v, w in answer.joint if v[index]]
    total = sum(w for _, w in kept)
    if not total:
        return None
    asks = answer.asks[:index] + answer.asks[index + 1 :]
    merged: dict[tuple[Any, ...], int] = {}
    for values, amount in kept:
        merged[values] = merged.get(values, 0) + amount
    return Answer(asks, total, list(merged.items()), answer.words, answer.worlds), Fraction(total, answer.total)


def before(case: Case) -> dict[str, dict[str, str]]:
    """What every thing is as the situation begins, in the words of `Outcome.after`."""
    from .histories import after

    made = made_ready(case, False)
    return after(case, made, Words(case.rules.book, made.start.names)) if made is not None else {}
