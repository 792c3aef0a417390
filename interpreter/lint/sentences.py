"""Every sentence of a rule set, for checks that look at one part at a time.

Takes the checker of a checked book; gives the typed nodes of each sentence by class. Knows nothing of what is checked.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from interpreter.rulebook import typed as t
from interpreter.rulebook.procedures import Checker
from interpreter.rulebook.symbols import PureDef


def sentences(checker: Checker, definitions: Iterable[PureDef]) -> Iterator[dict[type[Any], list[Any]]]:
    """The typed nodes by class: of each procedure, then of each own line of these values, rolls and limits."""
    for procedure in checker.book.procedures.values():
        yield checker.procedure(procedure).inside
    for symbol in definitions:
        for change in checker.pure(symbol).changes:
            if change.line.address.split(".")[0] == symbol.name:
                yield t.by_class((change.amount, change.per, change.condition))
