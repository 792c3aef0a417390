"""The procedure being checked, and the rules woven into it.

`Frame` holds the procedure, its scope and the rules being woven in, and numbers its lines. `publish_rule` and
`join_run` return steps that combine the lines of a rule over all its places in a procedure, as loops combine rounds:
`snap.shot` is the total over all places; the value at one place has an address that begins with the place
(`after-out.snap.shot`).
"""

from __future__ import annotations

from collections.abc import Callable

from interpreter.document.nodes import Entry, Scalar
from interpreter.language import nodes as n
from interpreter.vocabulary.types import ANY

from . import typed as t
from .checked_definitions import CheckedDefinitions
from .definitions import Definition
from .scope import Lines, Scope
from .symbols import LineInfo, Procedure, RuleDef, Where

Steps = list[t.Step]
Clauses = Callable[[list[n.Clause], Entry, str, str, LineInfo, Scope], Steps]  # checks the clauses of a line
Action = Callable[[n.Node, Scalar, LineInfo, Scope], tuple[Steps, t.Expr | None]]  # checks a sentence; with its value


class Frame:
    """The procedure being checked: its symbol, scope and definition, and the rules that are being woven in."""

    def __init__(
        self, definitions: CheckedDefinitions, symbol: Procedure, scope: Scope, definition: Definition
    ) -> None:
        self.definitions = definitions
        self.symbol = symbol
        self.scope = scope
        self.definition = definition
        self.weaving: list[RuleDef] = []  # rules whose lines are being woven in, outermost first
        self.set_in: dict[RuleDef, t.Variable] = {}  # `instead of` rule → flag: whether it applied to any thing
        self.place = ""  # the address prefix of lines woven in at the current place

    def info(self, address: str, where: Where, cites: tuple[str, ...]) -> LineInfo:
        """Return the `LineInfo` of a line; with an empty address, of the procedure."""
        full = f"{self.symbol.name}.{self.place}{address}" if address else self.symbol.name
        return self.definitions.line_info(full, where, cites)

    def own_address(self, info: LineInfo) -> str:
        """Return the address of a line without the procedure and without the place of a woven rule."""
        return info.address.removeprefix(f"{self.symbol.name}.{self.place}")


def declare_unread(address: str, scope: Scope) -> Steps:
    """Declare an unparsed line with the type `any`, so that its uses are not reported too."""
    if scope.lines is not None:
        scope.lines.add(address, t.Variable(address, ANY))
    return []


def publish_rule(woven: Lines, lines: Lines, place: str, steps: Steps, info: LineInfo) -> Steps:
    """Return the steps of a rule woven in at a place, extended to publish its lines in `lines`.

    The lines keep their own names; with a `place`, they are also combined with those of other places.
    """
    fresh = (*woven.by_address.values(), *woven.runs.values(), *woven.done.values())
    after: Steps = []
    for address, variable in woven.by_address.items():
        if not place:
            lines.add_rule_line(address, variable)
            continue
        after += join_run(lines, address, variable, info)
        run = f"{place}.{address}"
        if run in lines.runs:  # several cases of one line share a place
            after += _accumulate_run(lines.runs[run], variable, info)
        else:
            lines.run(run, variable)
    for run, variable in woven.runs.items():
        lines.run(run, variable)
    lines.shared.update(woven.shared)
    lines.narrower.update(woven.narrower)
    for address, giver in woven.givers.items():
        lines.givers.update({address: giver, f"{place}.{address}": giver} if place else {address: giver})
    for address, variable in woven.done.items():
        if place:
            total = lines.deed_variable(f"{place}.{address}")
            after += [
                *_accumulate_run(total, variable, info),
                *_accumulate_run(lines.deed_variable(address), variable, info),
            ]
            lines.brought.add(f"{place}.{address}")
        else:
            lines.done[address] = variable
        lines.brought.add(address)
    lines.add_deeds(*woven.deeds, *(f"{place}.{deed}" for deed in woven.deeds if place))
    return [t.Reset(fresh, line=info), *steps, *after]


def join_run(lines: Lines, address: str, variable: t.Variable, info: LineInfo) -> Steps:
    """Return steps that add one run of a line to its total over all runs."""
    total = lines.by_address.get(address) if address in lines.joined else None
    if total is None:
        total = t.Variable(variable.name, variable.type)
        lines.add_rule_line(address, total)
        lines.joined.add(address)
    return _accumulate_run(total, variable, info)


def _accumulate_run(total: t.Variable, variable: t.Variable, info: LineInfo) -> Steps:
    if variable.type.name == "any":
        return []
    return [t.Accumulate(total, variable, rounds=False, line=info)]
