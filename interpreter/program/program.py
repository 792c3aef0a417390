"""The Program: every procedure of a checked book, compiled on first use, with its footprint.

Enters: a checked book. Leaves: `Code` per procedure (Python functions for silent blocks, questions for
sites), what it reads and writes, and what must be kept at each site for a given question. The one meaning
that both engines run.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from interpreter.rulebook import typed as t
from interpreter.rulebook.book import Book
from interpreter.rulebook.procedures import ProcedureChecker
from interpreter.rulebook.symbols import Procedure
from interpreter.rulebook.verbs import returned

from . import runtime
from .code import Code, Site
from .emit import Emitter, Reads
from .layout import CellKey, Layout, lay_out
from .lower import Lowering
from .notes import Note

Wants = frozenset[str]
Cells = frozenset[CellKey]


@dataclass(frozen=True, slots=True)
class Live:
    """For one procedure and one question: the slots and cells that later steps read, per site, and the lines wanted."""

    slots: tuple[tuple[int, ...], ...]
    cells: tuple[Cells, ...]
    results: tuple[int, ...]  # slot of each line in order, -1 where nobody asks
    after: tuple[Cells, ...]  # live after the call at a site
    heard: tuple[bool, ...]  # whether what a site answers is read by anybody


class Program:
    def __init__(self, book: Book, checker: ProcedureChecker, *, traced: bool = False) -> None:
        self.book = book
        self.checker = checker
        self.layout: Layout = lay_out(book)
        self.emitter = Emitter(self.layout, checker, traced)
        self.space: dict[str, Any] = {k: v for k, v in vars(runtime).items() if not k.startswith("__")}
        told: list[Any] = []
        self.space["N"] = told

        def looked(note: int, cells: tuple[Any, ...], row: int) -> Any:
            told.append((note, row, cells[row]))
            return cells[row]

        def looked_at(note: int, near: tuple[Any, ...], many: tuple[Any, ...], row: int, at: Any) -> int:
            found = runtime.band_at(near, many, row, at)
            told.append((note, row, found))
            return found

        self.space["looked"], self.space["looked_at"] = looked, looked_at
        self._codes: dict[Procedure, Code] = {}
        self._reads: dict[Procedure, Cells] = {}
        self._writes: dict[Procedure, Cells] = {}
        self._live: dict[tuple[Procedure, Wants, Cells], Live] = {}
        self._done = 0
        self._wanted: dict[Procedure, set[str]] | None = None

    @property
    def notes(self) -> list[Note]:
        return self.emitter.notes

    def facts_by(self, answer: Callable[..., Any]) -> None:
        """Who answers questions of fact: `answer(name, args, state, default)`."""
        self.space["fact"] = answer

    # ---- compiling
    def code(self, procedure: Procedure) -> Code:
        if procedure not in self._codes:
            code = Lowering(self.emitter, procedure).code()
            self._codes[procedure] = code
            self._run(code.source)
            code.functions = [self.space[f"b{b.index}"] for b in code.blocks]
            code.asks = {s.index: self.space[s.ask] for s in code.sites if s.ask}
        return self._codes[procedure]

    def function(
        self, expr: t.Expr, variables: tuple[t.Variable, ...], reader: Site | None = None
    ) -> Callable[..., Any]:
        """A pure expression as a function of the state and some variables; a site that will ask it reads what it
        reads.
        """
        names = []
        for variable in variables:
            names.append(self.emitter.fresh("p"))
            self.emitter.slots[variable] = names[-1]
        self.emitter.state = "S"
        reads, self.emitter.reads = self.emitter.reads, Reads()
        body = self.emitter.expr(expr)
        mine, self.emitter.reads = self.emitter.reads, reads
        if reader is not None:
            reader.cells |= mine.cells
        name = self.emitter.fresh("pure")
        self._run(f"def {name}(S{''.join(', ' + n for n in names)}):\n    return {body}")
        return self.space[name]  # type: ignore[no-any-return]

    def _run(self, source: str) -> None:
        emitter = self.emitter
        self.space.update(emitter.constants)
        pending = emitter.source[self._done :]
        self._done = len(emitter.source)
        # Only text of our own making: the checker's typed tree is what is written out.
        exec(compile("\n".join([*pending, source]), "<rules>", "exec"), self.space)

    # ---- footprints
    def reads(self, procedure: Procedure) -> Cells:
        self._footprints(procedure)
        return self._reads[procedure]

    def writes(self, procedure: Procedure) -> Cells:
        self._footprints(procedure)
        return self._writes[procedure]

    def reachable(self, procedure: Procedure) -> list[Procedure]:
        found = [procedure]
        for p in found:
            for site in self.code(p).sites:
                if site.callee is not None and site.callee not in found:
                    found.append(site.callee)
        return found

    def _footprints(self, root: Procedure) -> None:
        if root in self._reads:
            return
        todo = self.reachable(root)
        reads = {p: set[CellKey]() for p in todo}
        writes = {p: set[CellKey]() for p in todo}
        for p in todo:
            code = self.code(p)
            for block in code.blocks:
                reads[p] |= block.cells
                writes[p] |= block.writes
            for site in code.sites:
                reads[p] |= site.cells
        changed = True
        while changed:
            changed = False
            for p in todo:
                for site in self.code(p).sites:
                    if site.callee is None:
                        continue
                    for mine, theirs in ((reads, reads), (writes, writes)):
                        if not theirs[site.callee] <= mine[p]:
                            mine[p] |= theirs[site.callee]
                            changed = True
        for p in todo:
            self._reads[p], self._writes[p] = frozenset(reads[p]), frozenset(writes[p])

    # ---- what anybody asks of a procedure's lines
    def wanted(self, procedure: Procedure) -> Wants:
        """Lines of a procedure that any rule reads (and the row, of an outcome table)."""
        if self._wanted is None:
            self._wanted = wanted_lines(self.book, self.checker)
        found = set(self._wanted.get(procedure, ()))
        return frozenset(found)

    def ask(self, procedure: Procedure) -> None:
        """A question from outside reads lines too: those of this procedure's own calls."""
        self.wanted(procedure)
        assert self._wanted is not None
        for step in self.checker.procedure(procedure).steps:
            _look(step, self._wanted)
        self._live.clear()

    # ---- liveness
    def live(self, procedure: Procedure, wants: Wants, after: Cells) -> Live:
        key = (procedure, wants, after)
        if key not in self._live:
            self._live[key] = self._liveness(procedure, wants, after)
        return self._live[key]

    def _liveness(self, procedure: Procedure, wants: Wants, after: Cells) -> Live:
        code = self.code(procedure)
        results = tuple(slot if address in wants else -1 for address, slot in code.lines.items())
        returned = {slot for slot in results if slot >= 0}
        slots_in: list[set[int]] = [set() for _ in code.blocks]
        cells_in: list[set[CellKey]] = [set() for _ in code.blocks]
        site_slots: list[set[int]] = [set() for _ in code.sites]
        site_cells: list[set[CellKey]] = [set() for _ in code.sites]
        site_after: list[set[CellKey]] = [set() for _ in code.sites]

        def target(go: int) -> tuple[set[int], set[CellKey]]:
            if go == -1:
                return returned, set(after)
            if go < -1:
                return site_slots[-2 - go], site_cells[-2 - go]
            return slots_in[go], cells_in[go]

        changed = True
        while changed:
            changed = False
            for site in reversed(code.sites):
                slots, cells = target(site.next)
                out = set(cells)
                live_slots, live_cells = slots - {site.dest}, out
                if site.dest in slots or site.kind not in (
                    "throw",
                    "tally",
                    "sort",
                ):  # dice that nobody reads stay in the box
                    live_slots = live_slots | site.uses | ({site.snapshot} if site.snapshot >= 0 else set())
                    live_cells = out | site.cells
                if site.callee is not None:
                    live_cells |= self.reads(site.callee)
                if live_slots != site_slots[site.index] or live_cells != site_cells[site.index]:
                    site_slots[site.index], site_cells[site.index] = live_slots, live_cells
                    changed = True
                site_after[site.index] = out
            for block in reversed(code.blocks):
                out_slots: set[int] = set()
                out_cells: set[CellKey] = set()
                for go in block.goes or (-1,):
                    slots, cells = target(go)
                    out_slots |= slots
                    out_cells |= cells
                slots_new = block.live(out_slots)
                cells_new = block.cells | out_cells
                if slots_new != slots_in[block.index] or cells_new != cells_in[block.index]:
                    slots_in[block.index], cells_in[block.index] = slots_new, cells_new
                    changed = True
        heard = tuple(site.dest in target(site.next)[0] for site in code.sites)
        return Live(
            tuple(tuple(sorted(s)) for s in site_slots),
            tuple(frozenset(c) for c in site_cells),
            results,
            tuple(frozenset(c) for c in site_after),
            heard,
        )


def wanted_lines(book: Book, checker: ProcedureChecker) -> dict[Procedure, set[str]]:
    """Every line of a record that some rule reads."""
    found: dict[Procedure, set[str]] = {}
    for procedure in book.procedures.values():
        for step in checker.procedure(procedure).steps:
            _look(step, found)
    return found


def _look(node: Any, found: dict[Procedure, set[str]]) -> None:
    if isinstance(node, t.Field):
        found.setdefault(node.procedure, set()).add(node.address)
    if isinstance(node, t.Call) and node.procedure.table is not None:
        found.setdefault(node.procedure, set()).add("row")
    if isinstance(node, t.Call):
        back = {returned(p.name) for p in node.procedure.params if p.type.name == "figure"}
        found.setdefault(node.procedure, set()).update(back)
    if isinstance(node, tuple):
        for child in node:
            _look(child, found)
    elif isinstance(node, t.Expr | t.Step):
        for cls in type(node).__mro__:
            for name in getattr(cls, "__slots__", ()):
                child = getattr(node, name, None)
                if isinstance(child, t.Expr | t.Step | tuple):
                    _look(child, found)
