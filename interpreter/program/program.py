"""The Program: every procedure of a checked book, lowered and compiled when it is first used.

Gives the tree of a procedure, its footprint, its liveness for a question, and its compiled functions for plays, odds
and advice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from interpreter.rulebook import typed as t
from interpreter.rulebook.book import Book
from interpreter.rulebook.symbols import Procedure, PureDef
from interpreter.rulebook.wanted import look, wanted_lines
from interpreter.source.values import Struct, replace
from interpreter.vocabulary import functions
from interpreter.vocabulary.operations import EVALUATED

from . import adding, changes, runtime
from .choice_codegen import MoveWriter
from .code import DICE, Code, Do, Site, Until, inside, reads_of
from .coverage import Seen
from .expression_lowering import Emitter
from .layout import CellKey, Layout, lay_out
from .liveness import Called, Live, whole
from .odds_codegen import OddsWriter
from .odds_types import CLOSED, Shape, Variant, shape_of
from .printer import source_of
from .record_fields import RecordFields
from .rules import Rules
from .runtime import Refused
from .statements import Give
from .step_lowering import Lowering
from .terms import STATE, Cells, Function, Local, Uses
from .trace_notes import Note
from .value_procedures import ClosedEmitter, ClosedLowering, Footprints

Wants = frozenset[str]


class Footprint(Struct):
    """What a procedure and all that it calls may do: the cells that are read and written; whether dice are thrown or
    it may never end (`chancy`), whether it may call itself (`circular`), whether it may never end (`lasting`).
    """

    reads: Cells
    writes: Cells
    chancy: bool
    circular: bool
    lasting: bool


class Program:
    def __init__(self, book: Book, checker: Rules, *, traced: bool = False) -> None:
        self.book = book
        self.checker = checker
        self.layout: Layout = lay_out(book)
        self.emitter = Emitter(self.layout, checker, traced)
        self.space: dict[str, Any] = {name: row.evaluate for name, row in EVALUATED.items()}
        for room in (functions, runtime, changes):
            self.space.update({k: v for k, v in vars(room).items() if not k.startswith("_")})
        self.space.update(adding.NAMES)
        told: list[Any] = []
        self.space["N"] = told
        self._compiled: set[str] = set()  # values and rolls that are in the space, by name

        def looked(note: int, cells: tuple[Any, ...], row: int) -> Any:
            told.append((note, row, cells[row]))
            return cells[row]

        def looked_at(note: int, near: tuple[Any, ...], many: tuple[Any, ...], row: int, at: Any) -> int:
            found = runtime.band_at(near, many, row, at)
            told.append((note, row, found))
            return found

        def asked_of(note: int, one: tuple[Any, ...], came: int, all_: int) -> bool:
            told.append((note, one, came))
            return came == all_

        def heard(note: int, value: Any) -> Any:
            told.append((note, value))
            return value

        self.space["heard"] = heard
        self.space["looked"], self.space["looked_at"], self.space["asked_of"] = looked, looked_at, asked_of
        self._codes: dict[tuple[Procedure, bool], Code] = {}
        self._told = checker.whole.told
        self.closing = ClosedEmitter(self.layout, checker, Footprints(checker))
        self._footprints: dict[Procedure, Footprint] = {}
        self._parts: dict[Procedure, tuple[int, ...]] = {}
        self.firsts: dict[Any, Callable[..., Any]] = {}  # by attribute and kind: what it is at first
        self.histories: Any = None  # what `play_codegen` made of it, for those who play
        self._seen: Seen | None = None
        self._live: dict[Any, Live] = {}
        self._fronts: dict[Any, Variant] = {}
        self._shapes: dict[Any, Shape] = {}
        self._living: set[Any] = set()
        self._wanted: dict[Procedure, set[str]] | None = None
        self.holding = RecordFields(checker)

    @property
    def notes(self) -> list[Note]:
        return self.emitter.notes

    def facts_by(self, answer: Callable[..., Any]) -> None:
        """Who answers questions of fact: `answer(name, args, state, default)`."""
        self.space["fact"] = answer

    def tell(self, seen: Seen) -> None:
        """Note from now on what comes into play."""
        self._seen = self.emitter.seen = self.closing.seen = seen

    @property
    def watched(self) -> bool:
        """Whether somebody notes what comes into play: then nothing that was made before is used again."""
        return self._seen is not None

    def comes(self, procedure: Procedure) -> None:
        """A function of it is made, which is done when it is first run."""
        if self._seen is not None:
            self._seen.procedures.add(procedure)

    # ---- compiling
    def code(self, procedure: Procedure, closed: bool = False) -> Code:
        """A procedure's tree; `closed`, as a function of values alone."""
        key = (procedure, closed)
        if key not in self._codes:
            if closed:
                self._codes[key] = ClosedLowering(self.closing, procedure).code()
            else:
                self._codes[key] = Lowering(self.emitter, procedure).code()
        return self._codes[key]

    def parts(self, procedure: Procedure) -> tuple[int, ...]:
        """In which of its parameters a thing stands, by number."""
        if procedure not in self._parts:
            self._parts[procedure] = tuple([i for i, p in enumerate(procedure.params) if p.type.name == "thing"])
        return self._parts[procedure]

    def closed(self, procedure: Procedure) -> bool:
        """Whether a procedure depends on nothing but its parameters' own cells."""
        return self.closing.footprints.of(procedure) is not None

    def function(
        self, expr: t.Expr, variables: tuple[t.Variable, ...], reader: Site | None = None
    ) -> Callable[..., Any]:
        """A pure expression as a function of the state and some variables; a site that will ask it reads what it
        reads.
        """
        names = []
        for variable in variables:
            names.append(self.emitter.fresh("p"))
            self.emitter.slots[variable] = Local(names[-1])
        self.emitter.state = STATE
        body = self.emitter.expr(expr)
        if reader is not None:
            reader.more |= body.uses.cells
        made = Function(
            self.emitter.fresh("pure"), tuple(names), (Give(body),), body.uses.cells, True, (True,) * len(names)
        )
        return self.compiled(made)

    def compiled(self, function: Function) -> Callable[..., Any]:
        """A value, a roll or another function of terms, in the space."""
        self.run("", [function])
        return self.space[function.name]  # type: ignore[no-any-return]

    def asked_by(self, symbol: PureDef) -> set[str]:
        """The values, and the columns of tables, that a value asks, directly or through others."""
        found: set[str] = set()
        left: list[PureDef] = [symbol]
        for one in left:
            for change in self.checker.pure(one).changes:
                for part in t.parts((change.amount, change.per, change.condition)):
                    if isinstance(part, t.CallValue) and part.value.name not in found:
                        found.add(part.value.name)
                        left.append(part.value)
                    elif isinstance(part, t.Cell):
                        found.add(f"{part.table.name}.{part.column.name}")
                    elif isinstance(part, t.FactOf):
                        found.add(part.fact.name)
        return found

    def run(self, source: str, asked: Iterable[Function]) -> None:
        """Compiles Python of our own making, and before it the values and rolls that it asks."""
        for emitter in (self.emitter, self.closing):
            self.space.update(emitter.constants)
        known = set(self._compiled)
        self.load("\n".join([*source_of(asked, known), source]))
        self._compiled = known

    def load(self, source: str) -> None:
        """Compiles a text that a printer has written."""
        try:
            made = compile(source, "<rules>", "exec")
        except (SyntaxError, RecursionError, MemoryError) as why:  # Python reads brackets so deep and no deeper
            raise Refused("E010", None) from why
        exec(made, self.space)

    def front(
        self,
        procedure: Procedure,
        wants: Wants,
        handed: frozenset[Any],
        heard: bool,
        shape: Shape,
        *,
        asked: bool = False,
    ) -> Variant:
        """A procedure for one question; written as a function when it is first run."""
        key = (procedure, wants, handed, heard, shape, asked)
        if key not in self._fronts:
            closed = shape is CLOSED
            chancy = self.chancy(procedure)
            live = self.live(procedure, wants, handed, closed)
            code = self.code(procedure, closed)
            params = tuple([i for i, slot in enumerate(code.params) if slot in live.entry.slots])
            if closed:
                gives = tuple([slot for i, slot in enumerate(code.gives) if i in handed])
                made = Variant(code, live, params, (), (), heard, handed, chancy, asked, gives)
            else:
                cells, exits = shape.places(live.entry.cells), shape.places(handed)
                made = Variant(code, live, params, cells, exits, heard, handed, chancy, asked)
            made.circular = self.circular(procedure)
            self._fronts[key] = made
        return self._fronts[key]

    def made(self, variant: Variant, shape: Shape) -> Callable[..., Any]:
        """What makes a variant's function, once the names that it uses are bound."""
        if variant.make is None:
            self.comes(variant.code.procedure)
            writer = OddsWriter(self, shape, variant)
            self.run(writer.source(), writer.printer.asked.values())
            variant.make = self.space["make"]
        return variant.make

    def moves(
        self, variant: Variant, shape: Shape, is_open: Callable[[Site], bool]
    ) -> tuple[Callable[..., Any], list[tuple[str, Any]]]:
        """What makes a variant's functions, one for each question, once these names are bound."""
        mine = replace(variant, chancy=True)
        self.comes(variant.code.procedure)
        writer = MoveWriter(self, shape, mine, is_open)
        self.run(writer.source(), writer.printer.asked.values())
        return self.space["make"], mine.bindings

    def shape(self, procedure: Procedure, keys: Sequence[CellKey]) -> Shape:
        """The part of the state that a procedure may change."""
        known = (procedure, tuple(keys))
        if known not in self._shapes:
            makes = any(
                isinstance(i, Do) and i.needed for p in self.reachable(procedure) for i in inside(self.code(p).items)
            )
            self._shapes[known] = shape_of(known[1], self.writes(procedure), makes)
        return self._shapes[known]

    # ---- footprints
    def reads(self, procedure: Procedure) -> Cells:
        return self.footprint(procedure).reads

    def writes(self, procedure: Procedure) -> Cells:
        return self.footprint(procedure).writes

    def chancy(self, procedure: Procedure) -> bool:
        """Whether it throws dice, or may never end."""
        return self.footprint(procedure).chancy

    def circular(self, procedure: Procedure) -> bool:
        """Whether it may come back to itself."""
        return self.footprint(procedure).circular

    def reachable(self, procedure: Procedure) -> list[Procedure]:
        return list(self.reached(procedure))

    def reached(self, procedure: Procedure) -> Iterator[Procedure]:
        """What is called, the nearest first: whoever has seen enough need not have the rest compiled."""
        found = [procedure]
        for p in found:
            yield p
            for site in self.code(p).sites:
                if site.callee is not None and site.callee not in found:
                    found.append(site.callee)

    def footprint(self, root: Procedure) -> Footprint:
        """What a procedure and all that it calls may read, write and throw: a fixed point over the graph of calls."""
        if root in self._footprints:
            return self._footprints[root]
        todo = self.reachable(root)
        reads = {p: set[CellKey]() for p in todo}
        writes = {p: set[CellKey]() for p in todo}
        calls = {p: {s.callee for s in self.code(p).sites if s.callee is not None} for p in todo}
        for p in todo:
            for item in inside(self.code(p).items):
                reads[p] |= reads_of(item).cells
                if isinstance(item, Do):
                    writes[p] |= item.writes
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
            reached = calls[p] | {p}
            lasting = bool(reached & (circular | endless))
            throws = lasting or bool(reached & chancy)
            self._footprints[p] = Footprint(frozenset(reads[p]), frozenset(writes[p]), throws, p in circular, lasting)
        return self._footprints[root]

    # ---- what anybody asks of a procedure's lines
    def wanted(self, procedure: Procedure) -> Wants:
        """Lines of a procedure that any rule reads (and the row, of an outcome table)."""
        if self._wanted is None:
            self._wanted = wanted_lines(self.book, self.checker.whole)
        return frozenset(self._wanted.get(procedure, ()))

    def ask(self, procedure: Procedure) -> None:
        """A question from outside reads lines too: those of this procedure's own calls."""
        anew = self._anew()
        self.wanted(procedure)
        assert self._wanted is not None
        before = sum(map(len, self._wanted.values()))
        look(self.checker.procedure(procedure).steps, self._wanted)
        more = self.holding.ask(procedure)
        if not self.watched and not more and not anew and sum(map(len, self._wanted.values())) == before:
            return  # what was made before answers this too
        self._live.clear()
        self._fronts.clear()
        self.histories = None

    def _anew(self) -> bool:
        """Whether procedures note more than when they were compiled: these are compiled anew."""
        whole = self.checker.whole
        if whole.told == self._told:
            return False
        self._told = whole.told
        for key, code in list(self._codes.items()):
            if code.checked is not self.checker.procedure(key[0]):
                del self._codes[key]
        return True

    # ---- liveness
    def live(self, procedure: Procedure, wants: Wants, handed: frozenset[Any], closed: bool) -> Live:
        """What matters where, when these lines are asked for and these things handed back are read afterwards."""
        key = (procedure, wants, handed, closed)
        if key not in self._live:
            code = self.code(procedure, closed)
            results = tuple([slot if address in wants else -1 for address, slot in code.lines.items()])
            self._living.add(key)
            self._live[key] = whole(code, results, handed, self.needs(closed))
            self._living.discard(key)
        return self._live[key]

    def needs(self, closed: bool) -> Callable[[Site, bool, Uses], Called]:
        """What a call needs, by its site, whether it is heard, and what matters after it."""

        def asked(site: Site, heard: bool, after: Uses) -> Called:
            callee = site.callee
            assert callee is not None
            wants, handed = self.variant(site, heard, after)
            lasting = self.footprint(callee).lasting
            if not heard and not handed and not lasting:
                return Called(frozenset(), frozenset(), handed, lasting)
            code = self.code(callee, closed)
            if (callee, wants, handed, closed) in self._living:  # a call in a circle
                return Called(frozenset(range(len(code.params))), self.reads(callee) | handed, handed, lasting)
            live = self.live(callee, wants, handed, closed)
            params = frozenset(i for i, slot in enumerate(code.params) if slot in live.entry.slots)
            return Called(params, live.entry.cells, handed, lasting)

        return asked

    def variant(self, site: Site, heard: bool, after: Uses) -> tuple[Wants, frozenset[Any]]:
        """Which lines of a call anybody reads, and what it hands back that matters."""
        assert site.callee is not None
        wants = self.wanted(site.callee) if heard else frozenset()
        if site.lands:
            return wants, frozenset(i for i, slot in enumerate(site.lands) if slot in after.slots)
        return wants, self.writes(site.callee) & after.cells
