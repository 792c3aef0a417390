"""Selects the questions of a case if none are given.

Takes a case. Gives texts of questions, and the case that asks them.
"""

from __future__ import annotations

from interpreter.document.nodes import Mapping
from interpreter.rulebook import typed as t
from interpreter.rulebook.symbols import Procedure
from interpreter.source import Problems
from interpreter.vocabulary.types import Type

from .cases import Case, prepare
from .texts import Asks, asked, with_entries

EXPECTATIONS = ("then", "odds", "trace", "error", "dice", "ask")
_COUNTED = ("number", "truth", "figures", "row", "target", "inches")
_ADDED = ("number", "figures", "inches")


def worth_asking(case: Case) -> list[str]:
    """The addresses of lines that can be counted, those of the procedure first, then those of its calls, at most three
    calls deep. Leaves out numbers accumulated in a loop without a last round, which may have infinitely many values.
    """
    procedure = case.situation.procedure
    lines = case.rules.checker.procedure(procedure).lines
    records = [v for v in lines.values() if v.type.name == "record"]
    endless = _endless(case, procedure)
    found: list[str] = []
    queue: list[tuple[str, Type, int, bool]] = []
    for address, variable in lines.items():
        adds_up = address.startswith(endless)
        if variable.type.name == "record":
            queue.append(("" if len(records) == 1 else f"{address}.", variable.type, 0, adds_up))
        elif _counts(variable.type, adds_up) and not address.startswith("ask "):
            found.append(address)
    while queue:
        prefix, type_, depth, adding = queue.pop(0)
        endless = _endless(case, type_.of)
        shared = case.rules.checker.lines_of(type_.of).shared  # lines of branches, asked by their common name
        alone = {one for address, each in shared.items() for one in each if one != address}
        for address, variable in case.rules.checker.procedure(type_.of).lines.items():
            if "?" in address or " " in address or address in alone:
                continue
            adds_up = adding or address.startswith(endless)
            if variable.type.name == "record" and depth < 3:
                queue.append((f"{prefix}{address}.", variable.type, depth + 1, adds_up))
            elif _counts(variable.type, adds_up):
                found.append(prefix + address)
    for thing in case.situation.things:
        if thing.name[:1].isupper():
            found += [f"{thing.name}.{held.plural}" for k in thing.kind.lineage() for held in k.bags]
    return list(dict.fromkeys(found))


def _counts(type_: Type, adds_up: bool) -> bool:
    return type_.name in _COUNTED and not (adds_up and type_.name in _ADDED)


def _endless(case: Case, procedure: Procedure) -> tuple[str, ...]:
    """The prefixes of the addresses of lines inside loops without a last round."""
    loops = case.rules.checker.procedure(procedure).inside[t.RepeatUntil]
    loops = [step.line.address for step in loops if step.limit is None]
    return tuple(address.partition(".")[2] + "." for address in loops)


def asking_all(case: Case, root: Mapping, texts: list[str], given: Asks) -> Case | None:
    """The case that asks all of the questions `texts` and `given`; None if one of them cannot be asked."""
    quiet = Problems()
    bare = with_entries(root, (), EXPECTATIONS)
    made = prepare(case.rules, bare, quiet, [*asked("show", "question", texts), *given], same=case)
    return None if quiet.has_errors else made
