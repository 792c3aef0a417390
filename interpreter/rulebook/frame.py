"""The procedure whose lines are being checked, and the lines of rules that are woven into it.

`Frame` holds the procedure, its scope and the rules being woven in; it gives the info of each line. `landed` and
`joined` give steps that join the lines of a rule over all its places in a procedure, as rounds of a loop are joined:
`snap.shot` is all of its runs; the run at one place has a name that begins with the place (`after-out.snap.shot`).
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
Clauses = Callable[[list[n.Clause], Entry, str, str, LineInfo, Scope], Steps]  # what governs a line, and the line
Action = Callable[[n.Node, Scalar, LineInfo, Scope], tuple[Steps, t.Expr | None]]  # one sentence, and what it is worth


class Frame:
    def __init__(
        self, definitions: CheckedDefinitions, symbol: Procedure, scope: Scope, definition: Definition
    ) -> None:
        self.definitions = definitions
        self.symbol = symbol
        self.scope = scope
        self.definition = definition
        self.weaving: list[RuleDef] = []  # rules whose lines are being woven in, outermost first
        self.set_in: dict[RuleDef, t.Variable] = {}  # of rules instead of something: whether they set in for anybody
        self.place = ""  # with what the addresses of lines begin that are woven in here

    def info(self, address: str, where: Where, cites: tuple[str, ...]) -> LineInfo:
        """What stands in a program of one line; without an address, of the procedure."""
        whole = f"{self.symbol.name}.{self.place}{address}" if address else self.symbol.name
        return self.definitions.line_info(whole, where, cites)

    def own_address(self, info: LineInfo) -> str:
        """An address without the procedure, and without the place where a rule is woven in."""
        return info.address.removeprefix(f"{self.symbol.name}.{self.place}")


def unread_line(address: str, scope: Scope) -> Steps:
    """A line that says nothing, or that cannot be read, still has its name, so that one mistake is told once."""
    if scope.lines is not None:
        scope.lines.add(address, t.Variable(address, ANY))
    return []


def landed(woven: Lines, lines: Lines, place: str, steps: Steps, info: LineInfo) -> Steps:
    """Steps that a rule brought to a place, and what keeps their lines for those who ask: under their own names in
    `lines`, or joined with those of other places where `place` says which this is.
    """
    fresh = (*woven.by_address.values(), *woven.runs.values(), *woven.done.values())
    after: Steps = []
    for address, variable in woven.by_address.items():
        if not place:
            lines.bring(address, variable)
            continue
        after += joined(lines, address, variable, info)
        run = f"{place}.{address}"
        if run in lines.runs:  # cases of one line: it has one place
            after += _one_more(lines.runs[run], variable, info)
        else:
            lines.run(run, variable)
    for run, variable in woven.runs.items():
        lines.run(run, variable)
    lines.shared.update(woven.shared)
    for address, giver in woven.givers.items():
        lines.givers.update({address: giver, f"{place}.{address}": giver} if place else {address: giver})
    for address, variable in woven.done.items():
        if place:
            total = lines.does(f"{place}.{address}")
            after += [*_one_more(total, variable, info), *_one_more(lines.does(address), variable, info)]
            lines.brought.add(f"{place}.{address}")
        else:
            lines.done[address] = variable
        lines.brought.add(address)
    lines.did(*woven.deeds, *(f"{place}.{deed}" for deed in woven.deeds if place))
    return [t.Reset(fresh, line=info), *steps, *after]


def joined(lines: Lines, address: str, variable: t.Variable, info: LineInfo) -> Steps:
    """One more run of a line that has several."""
    total = lines.by_address.get(address) if address in lines.joined else None
    if total is None:
        total = t.Variable(variable.name, variable.type)
        lines.bring(address, total)
        lines.joined.add(address)
    return _one_more(total, variable, info)


def _one_more(total: t.Variable, variable: t.Variable, info: LineInfo) -> Steps:
    if variable.type.name == "any":
        return []
    return [t.Accumulate(total, variable, rounds=False, line=info)]
