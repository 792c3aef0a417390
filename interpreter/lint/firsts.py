"""What something is first, where that leads back to itself.

Enters: a checked book without errors. Leaves: findings at the attribute or the fact, with the way round. Where a
situation says nothing of any of them there is nothing to begin with. Knows nothing of situations.
"""

from __future__ import annotations

from collections.abc import Iterable

from interpreter.rulebook import typed as t
from interpreter.rulebook.procedures import ProcedureChecker
from interpreter.rulebook.symbols import Symbol, Value
from interpreter.source import Label, Problems


def check_firsts(checker: ProcedureChecker, problems: Problems) -> None:
    firsts: dict[Symbol, t.Expr] = {
        s: e for s, e in checker.defaults.items() if e is not None and not isinstance(e, t.Lit)
    }
    told: set[Symbol] = set()
    for symbol in firsts:
        way = _way_back(symbol, firsts, checker) if symbol not in told else []
        told.update(way)
        if way:
            loop = " → ".join(f"`{s.name}`" for s in (*way, symbol))
            others = [Label(s.where.span, "by way of this") for s in way[1:3]]
            hint = f"each asks for the next: {loop}; let one of them begin with a plain value"
            problems.add(
                "M013", symbol.where.span, name=symbol.name, label="this hangs on itself", others=others, hint=hint
            )


def _way_back(start: Symbol, firsts: dict[Symbol, t.Expr], checker: ProcedureChecker) -> list[Symbol]:
    """The shortest way from what something is first to itself; nothing where there is none."""
    seen: set[Symbol] = set()
    ways: list[list[Symbol]] = [[start]]
    while ways:
        way = ways.pop(0)
        for symbol in _asked(way[-1], firsts, checker):
            if symbol is start:
                return way
            if symbol not in seen:
                seen.add(symbol)
                ways.append([*way, symbol])
    return []


def _asked(symbol: Symbol, firsts: dict[Symbol, t.Expr], checker: ProcedureChecker) -> Iterable[Symbol]:
    said: tuple[object, ...] = (firsts.get(symbol),)
    if isinstance(symbol, Value):
        said = tuple([(c.amount, c.per, c.condition) for c in checker.pure(symbol).changes])
    inside = t.by_class(said)
    yield from [part.value for part in inside[t.CallValue]]
    yield from [part.attribute for part in inside[t.Attr] if part.attribute in firsts]
    yield from [part.fact for part in inside[t.FactOf] if part.fact in firsts]
