"""Lines and blocks without a value, of which one can only ask whether they ran.

Enters: the words of `ran(…)`. Leaves: a variable of type `block`, or a field of a call's record, which holds nothing;
`ran.py` adds the flag for its line. Knows nothing of how the flag is set.
"""

from __future__ import annotations

from interpreter.vocabulary.types import Type

from . import typed as t
from .checked_definitions import CheckedDefinitions
from .scope import Lines, Scope
from .sheets import Ear

BLOCK = Type("block")


def named_deeds(definitions: CheckedDefinitions, names: list[str], scope: Scope, ear: Ear | None) -> dict[str, t.Expr]:
    """The lines without a value that the words may name, by full address; empty where they name a line with a value."""
    for lines in scope.all_lines():
        if found := _in_lines(definitions, lines, None, names, ear):
            return found
    if scope.record is not None:
        return _in_record(definitions, scope.record, names, ear)
    return {}


def _in_lines(
    definitions: CheckedDefinitions, lines: Lines, record: t.Expr | None, names: list[str], ear: Ear | None
) -> dict[str, t.Expr]:
    said = ".".join(names)
    found = lines.find_deeds(said, ear)
    named = [a for a in lines.nearest(said, ear) if lines[a].type.name != "block"]
    if named and (ear is None or not ear.owns_one(found, lines.givers) or ear.owns_one(named, lines.givers)):
        return {}
    if found:
        return {a: _line(record, a, v) for a, v in found.items()}
    for size in range(len(names) - 1, 0, -1):
        for address in lines.nearest(".".join(names[:size]), ear):
            if lines[address].type.name == "record":
                inner = _in_record(definitions, _line(record, address, lines[address]), names[size:], ear)
                return {f"{address}.{a}": e for a, e in inner.items()}
    return {}


def _in_record(definitions: CheckedDefinitions, record: t.Expr, names: list[str], ear: Ear | None) -> dict[str, t.Expr]:
    return _in_lines(definitions, definitions.lines_of(record.type.of), record, names, ear)


def _line(record: t.Expr | None, address: str, variable: t.Variable) -> t.Expr:
    if record is None:
        return t.Var(variable, type=variable.type)
    return t.Field(record, record.type.of, address, type=variable.type)
