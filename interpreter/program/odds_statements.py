"""Writes the deterministic part of generated functions of odds: statements, branches, loops, calls without dice.

Takes items of a procedure's tree; returns lines of Python.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from .code import Do, If, Item, Site, Until, While
from .layout import SET_AGAIN
from .liveness import Live
from .odds_types import Held, Variant, assigned, given, held_cell, held_change, held_new, held_slot, packed
from .path_conditions import Known, done, forget, known_value, supposing
from .printer import INDENT, Printer
from .terms import Term, free_locals, is_work

if TYPE_CHECKING:
    from .interfaces import Functions


class StatementWriter:
    """Writes the deterministic part of one function."""

    def __init__(self, writer: Functions, live: Live, items: Sequence[Item]) -> None:
        self.w, self.live, self.items = writer, live, items
        self.out: list[str] = []
        self.ever = self.sets(items)  # variables that may be set at all
        self.assigned: set[Held] = set()  # variables set since the current node began
        self.known: Known = {}
        self.repeats = False  # whether the code being written runs for several worlds
        self.steady: dict[Term, str] = {}  # loop-invariant terms → the variable of the value
        self._changing = assigned(items, writer.program.writes)
        self.printer = Printer(writer.printer.asked, None if writer.program.emitter.traced else self._place_of, "E")

    def _place_of(self, term: Term, inside: bool) -> str | None:
        """The name of the variable for a term's value, if the term would be evaluated several times in one run but
        reads nothing that changes in it (no slot or cell that the function sets, no member of an enclosing
        comprehension); else None.
        """
        if not (self.repeats or inside) or not is_work(term):
            return None
        slots, cells = self._changing
        if term.uses.slots & slots or term.uses.cells & cells or free_locals(term):
            return None
        return self.steady.setdefault(term, f"h{len(self.steady)}")

    def sets(self, items: Sequence[Item]) -> set[Held]:
        sets, writes = assigned(items, self.w.program.writes)
        found = set(map(held_slot, sets))
        return found | set(self.w.state(self.w.shape.places(writes))) if self.w.shape.keys else found

    def put(self, depth: int, *lines: str) -> None:
        self.out += [INDENT * depth + line for line in lines]

    def show(self, term: Term) -> str:
        return self.printer.text(term)

    def dead(self, item: Item) -> bool:
        return self.live.dead.get(id(item), False)

    def write(self, item: Item, depth: int) -> None:
        match item:
            case Do():
                self.do(item, depth)
            case If():
                outcome = known_value(item.test, self.known)
                if outcome is not None:
                    self.block(item.then if outcome else item.other, depth)
                    return
                kept = [i for i in item.then if not self.dead(i)]
                other = [i for i in item.other if not self.dead(i)]
                before = self.known
                if kept:
                    self.put(depth, f"if {self.show(item.test)}:")
                    self.known = supposing(item.test, True, before)
                    self.block(kept, depth + 1)
                if other:
                    self.put(depth, "else:" if kept else f"if not ({self.show(item.test)}):")
                    self.known = supposing(item.test, False, before)
                    self.block(other, depth + 1)
                self.known = before
                forget([item], self.known)
            case While():
                forget([item], self.known)
                self.put(depth, f"while {self.show(item.test)}:")
                self._round(item, depth + 1)
                forget([item], self.known)
            case Until():
                forget([item], self.known)
                self.put(depth, "while True:")
                self._round(item, depth + 1)
                self.put(depth + 1, f"if {self.show(item.test)}: break")
                forget([item], self.known)
            case Site():
                self.write_answer(item, depth)

    def block(self, items: Sequence[Item], depth: int) -> None:
        written = len(self.out)
        for item in items:
            if not self.dead(item):
                self.write(item, depth)
        if len(self.out) == written:
            self.put(depth, "pass")

    def _round(self, loop: While | Until, depth: int) -> None:
        self.put(depth, f"E.passed({self.w.bind('K', ('constant', loop.line))}, {self.w.code.weight})")
        self.block([*(loop.first if isinstance(loop, While) else ()), *loop.body, *loop.last], depth)

    def do(self, item: Do, depth: int) -> None:
        done(item, self.known)
        if item.sets >= 0:
            self.assigned.add(held_slot(item.sets))
        if item.writes:
            self.assigned |= set(self.w.state(self.w.shape.places(item.writes)))
        if item.keeps:
            name, live = f"l{item.sets}", self.live.after[id(item)]
            self.put(depth, f"{name} = S0[:]")
            for place in self.w.shape.places(live.cells):
                self.put(depth, f"{name}[{place}] = S[{place}]")
            self.put(depth, f"{name} = (*{name}, *S[{len(self.w.shape.keys)}:])")
        else:
            self.put(depth, *self.printer.act(self.live.act(item)))

    def write_answer(self, site: Site, depth: int) -> None:
        """Write a question with a single answer: a choice by its policy, or a call without dice."""
        dest = held_slot(site.dest)
        forget([site], self.known)
        self.assigned.add(dest)
        if site.callee is None:
            decide = self.w.bind("D", ("decide", site))
            self.put(depth, f"{dest.target} = {decide}({self.show(site.question)}, S)")
            return
        law, outcome = self.call(site, depth)
        self.put(depth, f"{given(outcome) if outcome else '_'} = {law}")
        self.assigned |= set(outcome)
        self.merge_changes(site, depth)

    def call(self, site: Site, depth: int) -> tuple[str, list[Held]]:
        """Return the source of a call's distribution, and the variables that each outcome sets."""
        callee = self.callee(site)
        name = self.w.bind("C", ("call", callee))
        key, outcome, known, nothing = self.call_parts(site, callee, depth)
        law = f"{name}[{key}]"
        if known:
            nobody = f"(1, (({nothing}, 1),))" if callee.chancy else nothing
            law = f"({law} if {known} else {nobody})"
        return law, outcome

    def call_parts(self, site: Site, callee: Variant, depth: int) -> tuple[str, list[Held], str, str]:
        """Return the key of a call, the variables that its outcome sets, the test that its arguments exist, and the
        outcome otherwise.
        """
        heard, handed = callee.heard, callee.handed
        args, known = self.arguments(site, depth)
        key = [args[i] for i in callee.params]
        if site.snapshot >= 0:
            key += [self._seen(site, callee, i) for i in callee.cells] + self._created_things(site)
        else:
            key += [held.read for held in self.w.state(callee.cells)]
        outcome = [held_slot(site.dest)] if heard else []
        outcome += [held_slot(slot) for i, slot in enumerate(site.lands) if i in handed]
        if site.snapshot >= 0:
            outcome += [held_change(i) for i in range(len(self.w.state(callee.exits)))]
        else:
            outcome += self.w.state(callee.exits)
        seen = f"l{site.snapshot}" if site.snapshot >= 0 else "S"
        nothing = ["None"] if heard else []
        nothing += ["None" if site.snapshot >= 0 and i == SET_AGAIN[1] else f"{seen}[{i}]" for i in callee.exits]
        nothing += self._created_things(site)
        return packed(key), outcome, known, packed(nothing)

    def callee(self, site: Site) -> Variant:
        """Return the variant that is called, given what is read of it later."""
        assert site.callee is not None
        after = self.live.after[id(site)]
        heard = site.dest in after.slots
        wants, handed = self.w.program.variant(site, heard, after)
        return self.w.program.front(site.callee, wants, handed, heard, self.w.shape)

    def arguments(self, site: Site, depth: int) -> tuple[list[str], str]:
        """Return the arguments of a call, and the test that none of them is absent (empty if none can be)."""
        args = self.printer.texts(site.asks)
        for i in site.unsure:
            self.put(depth, f"a{i} = {args[i]}")
            args[i] = f"a{i}"
        return args, " and ".join(f"a{i} is not None and a{i} != -1" for i in site.unsure)

    def _created_things(self, site: Site) -> list[str]:
        """The cells of created things, as a call sees them."""
        size = len(self.w.shape.keys)
        if site.snapshot >= 0 and self.w.shape.makes:
            return [f"(*l{site.snapshot}[{size}:], *S[len(l{site.snapshot}):])"]
        return [held.read for held in self.w.state(())]

    def _seen(self, site: Site, callee: Variant, cell: int) -> str:
        """The source of a cell as a call in a `together` block sees it."""
        before = f"l{site.snapshot}"
        return f"E.watched(S, {before}, {callee.exits})" if cell == SET_AGAIN[1] else f"{before}[{cell}]"

    def merge_changes(self, site: Site, depth: int) -> None:
        """Merge the changes of a call that saw a snapshot into the current state."""
        callee, shape = self.callee(site), self.w.shape
        if site.snapshot < 0 or not (callee.exits or shape.makes):
            return
        before, size = f"l{site.snapshot}", len(shape.keys)
        line = self.w.bind("K", ("constant", site.line))
        cells = ", ".join(f"c{n}" for n in range(len(callee.exits) + shape.makes))
        self.put(depth, f"E.land(S, {before}, {callee.exits}, ({cells},), {line})")
        self.assigned |= {held_cell(i) for i in callee.exits}
        if shape.makes:
            self.assigned.add(held_new(size))
