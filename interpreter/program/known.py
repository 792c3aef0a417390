"""What is known of yes-or-no slots on one path through a procedure: tests that are settled need not be written.

Enters: statements and tests, as text of our own making. Leaves: True, False or None for a test. Knows nothing of rules.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from functools import lru_cache

from .code import Do, Item, Site, inside

Known = dict[int, bool]


def settled(test: str, known: Known) -> bool | None:
    """Whether a test is already decided."""
    if test in _SAID:
        return _SAID[test]
    if test.isidentifier():
        return _slot(test, known)
    return _value(_parsed(test), known) if known else None


_SAID = {"True": True, "False": False}


def _slot(name: str, known: Known) -> bool | None:
    return known.get(int(name[1:])) if name[0] == "l" and name[1:].isdigit() else None


@lru_cache(4096)
def _parsed(test: str) -> ast.expr:
    return ast.parse(test, mode="eval").body


def _value(e: ast.expr, known: Known) -> bool | None:
    match e:
        case ast.Constant(value=bool() as told):
            return told
        case ast.Name(id=name):
            return _slot(name, known)
        case ast.UnaryOp(op=ast.Not(), operand=inner):
            value = _value(inner, known)
            return None if value is None else not value
        case ast.BoolOp(op=op, values=parts):
            decisive = isinstance(op, ast.Or)
            found = [_value(part, known) for part in parts]
            if decisive in found:
                return decisive
            return None if None in found else not decisive
    return None


def done(item: Do, known: Known) -> None:
    """A statement on the path: what it sets is known when it is set to yes or no, or from what is known."""
    if item.sets < 0:
        return
    name, _, value = item.text.partition(" = ")
    known.pop(item.sets, None)
    if name == f"l{item.sets}" and len(value) < 40:
        found = settled(value, known) if value.isidentifier() else None
        if found is not None:
            known[item.sets] = found


def supposing(test: str, outcome: bool, known: Known) -> Known:
    """What is known in one branch of a test."""
    made = dict(known)
    bare = test.strip("()").removeprefix("not ")
    if bare[:1] == "l" and bare[1:].isdigit():
        made[int(bare[1:])] = outcome != test.strip("()").startswith("not ")
    return made


def forget(items: Sequence[Item], known: Known) -> None:
    """What these statements may set is no longer known."""
    for item in inside(list(items)):
        if isinstance(item, Do):
            known.pop(item.sets, None)
        elif isinstance(item, Site):
            for slot in (item.dest, *item.lands):
                known.pop(slot, None)
