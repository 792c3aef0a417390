"""The Program: every procedure of a checked book, compiled on first use, with its footprint.

Enters: a checked book. Leaves: `Code` per procedure (Python functions for silent blocks, questions for
sites), what it reads and writes, and what must be kept at each site for a given question. The one meaning
that both engines run.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any
from weakref import WeakKeyDictionary

from interpreter.rulebook import typed as t
from interpreter.rulebook.book import Book
from interpreter.rulebook.procedures import ProcedureChecker
from interpreter.rulebook.symbols import Procedure
from interpreter.rulebook.verbs import returned

from . import meeting, runtime
from .code import DICE, Code, Do, If, Site, Until, While, inside
from .emit import Emitter, Reads
from .fronts import Shape, Variant, Writer
from .history import Histories
from .layout import CellKey, Layout, lay_out
from .live import Cells, Live, whole
from .lower import Lowering
from .notes import Note

Wants = frozenset[str]
_WANTED: WeakKeyDictionary[ProcedureChecker, dict[Procedure, set[str]]] = WeakKeyDictionary()  # of a whole book


class Program:
    def __init__(self, book: Book, checker: ProcedureChecker, *, traced: bool = False) -> None:
        self.book = book
        self.checker = checker
        self.layout: Layout = lay_out(book)
        self.emitter = Emitter(self.layout, checker, traced)
        self.space: dict[str, Any] = {k: v for k, v in vars(runtime).items() if not k.startswith("__")}
        self.space.update({k: v for k, v in vars(meeting).items() if not k.startswith("__")})
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
        self._chancy: set[Procedure] = set()
        self._circular: set[Procedure] = set()
        self._lasting: set[Procedure] = set()
        self._histories = Histories(self)
        self._live: dict[tuple[Procedure, Wants, Cells], Live] = {}
        self._fronts: dict[Any, Variant] = {}
        self._shapes: dict[Any, Shape] = {}
        self._living: set[tuple[Procedure, Wants, Cells]] = set()
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
        """A procedure's tree."""
        if procedure not in self._codes:
            self._codes[procedure] = Lowering(self.emitter, procedure).code()
        return self._codes[procedure]

    def played(self, procedure: Procedure, wants: Wants | None = None) -> Callable[..., Any]:
        """A procedure as a plain function of the state, a player, and its arguments; the lines that are wanted, or
        all.
        """
        return self._histories.function(procedure, wants)

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
            reader.more |= mine.cells
        name = self.emitter.fresh("pure")
        self.run(f"def {name}(S{''.join(', ' + n for n in names)}):\n    return {body}")
        return self.space[name]  # type: ignore[no-any-return]

    def run(self, source: str) -> None:
        emitter = self.emitter
        self.space.update(emitter.constants)
        pending = emitter.source[self._done :]
        self._done = len(emitter.source)
        # Only text of our own making: the checker's typed tree is what is written out.
        exec(compile("\n".join([*pending, source]), "<rules>", "exec"), self.space)

    def front(self, procedure: Procedure, wants: Wants, handed: Cells, heard: bool, shape: Shape) -> Variant:
        """A procedure for one question; written as a function when it is first run."""
        key = (procedure, wants, handed, heard, shape)
        if key not in self._fronts:
            live = self.live(procedure, wants, handed)
            code = self.code(procedure)
            params = tuple([i for i, slot in enumerate(code.params) if slot in live.entry.slots])
            cells, exits = shape.places(live.entry.cells), shape.places(handed)
            self._fronts[key] = Variant(code, live, params, cells, exits, heard, handed)
        return self._fronts[key]

    def made(self, variant: Variant, shape: Shape) -> Callable[..., Any]:
        """What makes a variant's function, once the names that it uses are bound."""
        if variant.make is None:
            self.run(Writer(self, shape, variant).source())
            variant.make = self.space["make"]
        return variant.make

    def shape(self, procedure: Procedure, keys: Sequence[CellKey]) -> Shape:
        """The part of the state that a procedure may change."""
        known = (procedure, tuple(keys))
        if known not in self._shapes:
            makes = any(
                isinstance(i, Do) and i.needed for p in self.reachable(procedure) for i in inside(self.code(p).items)
            )
            self._shapes[known] = Shape(known[1], self.writes(procedure), makes)
        return self._shapes[known]

    # ---- footprints
    def reads(self, procedure: Procedure) -> Cells:
        self._footprints(procedure)
        return self._reads[procedure]

    def writes(self, procedure: Procedure) -> Cells:
        self._footprints(procedure)
        return self._writes[procedure]

    def chancy(self, procedure: Procedure) -> bool:
        """Whether it throws dice, or comes back to itself."""
        self._footprints(procedure)
        return procedure in self._chancy

    def circular(self, procedure: Procedure) -> bool:
        """Whether it may come back to itself."""
        self._footprints(procedure)
        return procedure in self._circular

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
        calls = {p: {s.callee for s in self.code(p).sites if s.callee is not None} for p in todo}
        for p in todo:
            for item in inside(self.code(p).items):
                match item:
                    case Do():
                        reads[p] |= item.uses.cells
                        writes[p] |= item.writes
                    case Site():
                        reads[p] |= item.reads.cells
                    case If() | While() | Until():
                        reads[p] |= item.test.uses.cells
        changed = True
        while changed:
            changed = False
            for p in todo:
                before = len(reads[p]) + len(writes[p]) + len(calls[p])
                for callee in list(calls[p]):
                    reads[p] |= reads[callee]
                    writes[p] |= writes[callee]
                    calls[p] |= calls[callee]
                changed |= len(reads[p]) + len(writes[p]) + len(calls[p]) != before
        circular = {p for p in todo if p in calls[p]}
        endless = {p for p in todo for i in inside(self.code(p).items) if isinstance(i, Until) and i.endless}
        chancy = {p for p in todo if any(s.kind in DICE for s in self.code(p).sites)}
        for p in todo:
            self._reads[p], self._writes[p] = frozenset(reads[p]), frozenset(writes[p])
            all_ = calls[p] | {p}
            self._circular |= circular & {p}
            if all_ & (circular | endless):
                self._lasting.add(p)
            if all_ & (chancy | circular):
                self._chancy.add(p)

    # ---- what anybody asks of a procedure's lines
    def wanted(self, procedure: Procedure) -> Wants:
        """Lines of a procedure that any rule reads (and the row, of an outcome table)."""
        if self._wanted is None:
            if self.checker not in _WANTED:
                _WANTED[self.checker] = wanted_lines(self.book, self.checker)
            self._wanted = {p: set(lines) for p, lines in _WANTED[self.checker].items()}
        found = set(self._wanted.get(procedure, ()))
        return frozenset(found)

    def ask(self, procedure: Procedure) -> None:
        """A question from outside reads lines too: those of this procedure's own calls."""
        self.wanted(procedure)
        assert self._wanted is not None
        for step in self.checker.procedure(procedure).steps:
            _look(step, self._wanted)
        self._live.clear()
        self._fronts.clear()
        self._histories = Histories(self)

    # ---- liveness
    def live(self, procedure: Procedure, wants: Wants, after: Cells) -> Live:
        """What matters where, when these lines are asked for and these cells are read afterwards."""
        key = (procedure, wants, after)
        if key not in self._live:
            code = self.code(procedure)
            results = tuple([slot if address in wants else -1 for address, slot in code.lines.items()])
            self._living.add(key)
            self._live[key] = whole(code, results, after, self.asked)
            self._living.discard(key)
        return self._live[key]

    def asked(self, site: Site, heard: bool, after: Cells) -> tuple[Cells, Cells, bool]:
        """The cells that a call reads, those it hands back that matter, and whether it may never end."""
        assert site.callee is not None
        wants, handed = self.variant(site, heard, after)
        lasting = site.callee in self._lasting
        if not heard and not handed and not lasting:
            return frozenset(), handed, lasting
        if (site.callee, wants, handed) in self._living:  # a call in a circle
            return self.reads(site.callee) | handed, handed, lasting
        return self.live(site.callee, wants, handed).entry.cells, handed, lasting

    def variant(self, site: Site, heard: bool, after: Cells) -> tuple[Wants, Cells]:
        """Which lines of a call anybody reads, and which cells it hands back."""
        assert site.callee is not None
        return (self.wanted(site.callee) if heard else frozenset()), self.writes(site.callee) & after


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
