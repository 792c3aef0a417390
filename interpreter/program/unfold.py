"""A procedure with every call that holds an open choice written in its place: one tree, from the first step to the last.

Enters: the trees of procedures, and which questions are left to somebody. Leaves: `Code`, where whoever chooses can look
ahead to the end of everything, and what no longer matters is forgotten across calls too. Calls without an open choice
stay calls. Knows nothing of who chooses, or what for.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from interpreter.rulebook.symbols import LineInfo, Procedure

from .code import NOTHING, Code, Do, If, Item, Site, Test, Until, Uses, While
from .live import Cells

if TYPE_CHECKING:
    from .program import Program

# A slot in a text of our own making; what stands in quotes is a name of the rules.
_SLOT = re.compile(r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|\bl(\d+)\b""")


class Circle(Exception):
    """A procedure that holds an open choice leads back to itself."""

    def __init__(self, line: LineInfo, procedure: Procedure) -> None:
        super().__init__(procedure.name)
        self.line, self.procedure = line, procedure


def unfolded(program: Program, procedure: Procedure, is_open: Callable[[Site], bool]) -> tuple[Code, set[int]]:
    """The tree, and its open sites by identity."""
    return _Unfolding(program, procedure, is_open).code()


class _Unfolding:
    def __init__(self, program: Program, procedure: Procedure, is_open: Callable[[Site], bool]) -> None:
        self.program, self.procedure, self.is_open = program, procedure, is_open
        self.everything: Cells = program.writes(procedure)
        self.first: list[str] = []
        self.sites: list[Site] = []
        self.open: set[int] = set()
        self._holds: dict[Procedure, bool] = {}
        self._around: list[Procedure] = []  # what is being written in its place

    def code(self) -> tuple[Code, set[int]]:
        code = self.program.code(self.procedure)
        self.first = list(code.first)
        self._around.append(self.procedure)
        items = self.items(code.items, 0)
        return Code(self.procedure, code.params, self.first, code.lines, items, self.sites), self.open

    def holds(self, procedure: Procedure) -> bool:
        """Whether anything is chosen in it, or in what it calls."""
        if procedure not in self._holds:
            reached = self.program.reachable(procedure)
            self._holds[procedure] = any(self.is_open(site) for p in reached for site in self.program.code(p).sites)
        return self._holds[procedure]

    # ---- copies, with their slots moved up to where they are free
    def items(self, items: Iterable[Item], up: int) -> list[Item]:
        found: list[Item] = []
        for item in items:
            match item:
                case Do():
                    found.append(self._do(item, up))
                case If():
                    then, other = self.items(item.then, up), self.items(item.other, up)
                    found.append(If(self._test(item.test, up), then, other))
                case While():
                    first, last = [self._do(i, up) for i in item.first], [self._do(i, up) for i in item.last]
                    found.append(While(item.line, self._test(item.test, up), first, self.items(item.body, up), last))
                case Until():
                    last = [self._do(i, up) for i in item.last]
                    test = self._test(item.test, up)
                    found.append(Until(item.line, item.endless, test, self.items(item.body, up), last))
                case Site():
                    found += self._site(item, up)
        return found

    def _do(self, item: Do, up: int) -> Do:
        view = item.view
        if view is not None:
            view = replace(view, dice=view.dice + up, roll=_moved(view.roll, up), uses=_uses(view.uses, up))
        return replace(
            item, text=_moved(item.text, up), uses=_uses(item.uses, up), sets=_slot(item.sets, up), view=view
        )

    def _test(self, test: Test, up: int) -> Test:
        return Test(_moved(test.text, up), _uses(test.uses, up))

    def _site(self, site: Site, up: int) -> list[Item]:
        made = replace(
            site,
            asks=tuple([_moved(text, up) for text in site.asks]),
            uses=tuple([_uses(uses, up) for uses in site.uses]),
            dest=_slot(site.dest, up),
            snapshot=_slot(site.snapshot, up),
        )
        if site.callee is not None and self.holds(site.callee):
            return self._in_place(made, site.callee)
        if self.is_open(site):
            self.open.add(id(made))
        self.sites.append(made)
        return [made]

    # ---- a call
    def _in_place(self, site: Site, callee: Procedure) -> list[Item]:
        """What a call does, where it stands; asked of nobody, it does nothing."""
        if callee in self._around:
            raise Circle(site.line, callee)
        self._around.append(callee)
        code, up = self.program.code(callee), len(self.first)
        self.first += [_moved(text, up) for text in code.first]
        given = {slot + up for slot in code.params}
        told: list[Item] = [
            _let(slot + up, text, uses) for slot, text, uses in zip(code.params, site.asks, site.uses, strict=True)
        ]
        body: list[Item] = [_let(slot, self.first[slot]) for slot in range(up, len(self.first)) if slot not in given]
        body += self.items(code.items, up)
        wants = self.program.wanted(callee)
        lines = [slot + up if address in wants else -1 for address, slot in code.lines.items()]
        record = "".join(f"l{slot}, " if slot >= up else "None, " for slot in lines)
        back = _let(site.dest, f"({record})", Uses(frozenset(slot for slot in lines if slot >= up)))
        if site.snapshot >= 0:
            body = self._apart(site, callee, body)
        body.append(back)
        self._around.pop()
        if not site.unsure:
            return told + body
        slots = [code.params[i] + up for i in site.unsure]
        sure = Test(" and ".join(f"l{s} is not None and l{s} != -1" for s in slots), Uses(frozenset(slots)))
        return [*told, If(sure, body, [_let(site.dest, "None")])]

    def _apart(self, site: Site, callee: Procedure, body: list[Item]) -> list[Item]:
        """What happens together sees the state as it was; what it changed is laid on what has changed already."""
        pending, writes = len(self.first), self.program.writes(callee)
        self.first.append("None")
        before = f"l{site.snapshot}"
        kept = Uses(frozenset((site.snapshot,)))
        return [
            Do(f"l{pending} = tuple(S)", NOTHING, sets=pending, keeps=True),
            Do(f"S[:] = (*{before}, *S[len({before}):])", kept, writes=self.everything),
            *body,
            Do(
                f"E.land(S, l{pending}, {before})",
                kept | Uses(frozenset((pending,)), writes),
                writes=self.everything,
            ),
            _let(pending, "None"),
        ]


def _let(slot: int, text: str, uses: Uses = NOTHING) -> Do:
    return Do(f"l{slot} = {text}", uses, sets=slot)


def _slot(slot: int, up: int) -> int:
    return slot + up if slot >= 0 else slot


def _uses(uses: Uses, up: int) -> Uses:
    return Uses(frozenset([slot + up for slot in uses.slots]), uses.cells) if up and uses.slots else uses


def _moved(text: str, up: int) -> str:
    if not up:
        return text
    return _SLOT.sub(lambda m: f"l{int(m[1]) + up}" if m[1] else m[0], text)
