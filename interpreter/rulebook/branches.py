"""Merges names that several branches define, of which one runs, into one name outside the branches.

Enters: the lines of a block, and the addresses of its branches (`if` and `otherwise`, cases, options). Leaves: one
variable for each name that at least two branches define, and the branches' steps extended to set it. A full name stays
the branch's own: `wiped-out.dead` is the value in that branch alone. Where a file of the stack may not name all of
these lines, those that it may name are one for it, as they were before another file added its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from interpreter.source import Source
from interpreter.source.values import replace
from interpreter.vocabulary.types import NUMBER, Type

from . import typed as t
from .construct import fill
from .dice_names import DiceNames
from .environment import Environment
from .scope import Lines
from .sheets import History, address_part
from .symbols import Kind

_COUNTED = ("number", "figures", "things", "dice", "faces")

Given = dict[str, dict[str, t.Variable]]  # name → address in each branch → its variable


def share(
    env: Environment, lines: Lines, parent: str, branches: Sequence[str], steps: Iterable[t.Step]
) -> list[t.Step]:
    """The steps of the branches below `parent`, extended to set the names they share; adds these names to `lines`."""
    copies: dict[t.Variable, list[t.Variable]] = {}

    def join(address: str, given: Mapping[str, t.Variable]) -> bool:
        type_ = _common_type(env.dice, list(given.values()))
        if type_ is None:
            return False
        one = t.Variable(f"{address.removeprefix(parent)}?one", type_)
        if type_.name == "dice":
            env.dice.copy(one, next(iter(given.values())))
        for line in given.values():
            copies.setdefault(line, []).append(one)
        lines.add(address, one)
        lines.shared[address] = tuple(given)
        if givers := frozenset[Source]().union(*(lines.givers.get(a, ()) for a in given)):
            lines.givers[address] = givers
        return True

    for name, given in _names_in_branches(lines, parent, branches).items():
        address = parent + name
        if len(given) < 2 or (address in lines.by_address and address not in {*given, *lines.shared}):
            continue
        if address in lines.shared:  # an earlier set of branches shares it already: the name would be ambiguous
            for each in (address, *lines.narrower.pop(address, ())):
                del lines.shared[each], lines.by_address[each]
            continue
        narrower = []
        for file, some in _heard_by_some(env.book.history, lines, given).items():
            part = f"{parent}{address_part(file)}.{name}"
            if part not in lines.by_address and join(part, some):
                narrower.append(part)
        if join(address, given):
            lines.narrower[address] = tuple(narrower)
            lines.shared[address] += tuple(narrower)
    return list(_with_copies(tuple(steps), copies)) if copies else list(steps)


def _heard_by_some(history: History, lines: Lines, given: Mapping[str, t.Variable]) -> Given:
    """By the name of a file that may name several of these lines but not all: those that it may name. Of files that may
    name the same lines, only the undermost.
    """
    found: Given = {}
    for source, sheet in history.files.items():
        some: dict[str, t.Variable] = {}
        for address in given:
            for each in (address, *lines.narrower.get(address, ())):
                if history.sees(source, lines.givers.get(each, ())):
                    some[each] = lines.by_address[each]
                    break
        if len(some) > 1 and some.keys() != given.keys() and some not in found.values():
            found[sheet.name] = some
    return found


def _names_in_branches(lines: Lines, parent: str, branches: Sequence[str]) -> Given:
    """For each name inside the branches, the address and variable of each branch that defines it."""
    found: Given = {}
    narrower = {a for several in lines.narrower.values() for a in several}
    for branch in branches:
        mine: dict[str, str] = {}
        for address, variable in lines.by_address.items():
            if variable.type.name in ("block", "any") or address in lines.brought or address in narrower:
                continue
            if address == branch:
                mine[address.removeprefix(parent)] = address
            elif address.startswith(branch + "."):
                mine.setdefault(address.removeprefix(branch + "."), address)
        for name, address in mine.items():
            found.setdefault(name, {})[address] = lines.by_address[address]
    return found


def _common_type(dice: DiceNames, several: list[t.Variable]) -> Type | None:
    """The type that all the variables can be converted to, or None."""
    types = [v.type for v in several]
    first = types[0]
    if all(type_ == first for type_ in types):
        return NUMBER if first.name == "dice" and dice.differ(several) else first
    if {type_.name for type_ in types} <= {*_COUNTED}:
        return NUMBER
    sorts = {type_.name for type_ in types}
    if all(isinstance(type_.of, Kind) for type_ in types) and (
        len(sorts) == 1 or sorts in ({"figure", "figures"}, {"thing", "things"})
    ):
        kinds = [k for k in first.of.lineage() if all(type_.of.is_a(k) for type_ in types)]
        return Type(max(sorts), kinds[0]) if kinds else None  # one and several are several
    return None


def _converted(e: t.Expr, type_: Type) -> t.Expr:
    """Convert an expression to the common type of the branches."""
    if type_.many and e.type.name in ("figure", "thing"):
        return t.Op("only", (e,), type=type_)
    return fill(e, type_)


def _with_copies(steps: tuple[t.Step, ...], copies: Mapping[t.Variable, Sequence[t.Variable]]) -> tuple[t.Step, ...]:
    """The steps, with a copy after each assignment to a key of `copies`; a loop's total is copied after the loop."""
    made: list[t.Step] = []
    for step in steps:
        done: list[t.Variable] = []
        match step:
            case t.Assign(variable=variable) | t.New(variable=variable):
                done = [variable]
                made.append(step)
            case t.If(then=then, other=other):
                made.append(replace(step, then=_with_copies(then, copies), other=_with_copies(other, copies)))
            case t.ForEach(body=body) | t.Repeat(body=body) | t.RepeatUntil(body=body):
                done = [each.total for each in body if isinstance(each, t.Accumulate)]
                made.append(replace(step, body=_with_copies(body, copies)))
            case t.Together(body=body):
                made.append(replace(step, body=_with_copies(body, copies)))
            case _:
                made.append(step)
        for line in done:
            for one in copies.get(line, ()):
                value = _converted(t.Var(line, type=line.type), one.type)
                made.append(t.Assign(one, value, line=step.line))
    return tuple(made)
