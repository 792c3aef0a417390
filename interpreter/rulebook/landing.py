"""One name, all its places: the lines of a rule that may set in at several places of one procedure.

Enters: the lines of one weaving. Leaves: steps that join them to what the rule's lines came to at its other places, as
rounds of a loop are joined. Each line's name (`snap.shot`) is all of its runs; the run at one place has a name of its
own, which begins with that place (`after-out.snap.shot`). Knows nothing of moments.
"""

from __future__ import annotations

from . import typed as t
from .frame import Steps
from .scope import Lines
from .symbols import LineInfo


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
