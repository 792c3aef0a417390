"""The Program: every procedure of a checked book, lowered and compiled on first use.

Provides the tree of a procedure, its footprint, its liveness for a question, and its compiled functions for plays, odds
and advice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from types import CodeType, FunctionType
from typing import TYPE_CHECKING, Any

from interpreter.rulebook import typed as t
from interpreter.rulebook.book import Book
from interpreter.rulebook.reached import look, wanted_lines
from interpreter.rulebook.symbols import Procedure, PureDef
from interpreter.source.values import Struct
from interpreter.vocabulary import functions
from interpreter.vocabulary.operations import EVALUATED

from . import adding, changes, landing, origins, runtime
from .code import DICE, Code, Do, Site, Until, inside, reads_of
from .expression_lowering import Emitter
from .figure_names import Aliases
from .layout import SET_AGAIN, CellKey, Layout, lay_out
from .live_calls import LiveCalls, Question
from .liveness import Called, Follow, Live, live_procedure
from .odds_codegen import OddsWriter
from .odds_types import CLOSED, Shape, Variant, shape_of
from .printer import source_of
from .rules import RecordFields, SimultaneousCalls
from .runtime import Refused
from .statements import Give
from .step_lowering import Lowering
from .terms import STATE, Cells, Function, Local, Uses
from .trace_notes import Note, Seen
from .value_procedures import ClosedEmitter, ClosedLowering, Footprints

if TYPE_CHECKING:
    from .rules import Rules

Wants = frozenset[str]

COMPILED_KEPT = 1_000  # texts, of some thousand characters


@lru_cache(COMPILED_KEPT)
def _functions(source: str) -> tuple[CodeType, ...]:
    """The code of the functions that a source text defines. Memoized, because for another question, or after the rules
    are read again, most procedures have the same source. `compile` would first make the hundred classes of `ast`.
    """
    made: dict[str, Any] = {}
    exec(source, made)
    return tuple([function.__code__ for function in made.values() if isinstance(function, FunctionType)])


class Footprint(Struct):
    """What a procedure may do, including its calls.

    The cells that it reads and writes; whether it throws dice or may not terminate (`chancy`); whether it may call
    itself (`circular`); whether it may not terminate (`lasting`).
    """

    reads: Cells
    writes: Cells
    chancy: bool
    circular: bool
    lasting: bool


class Program:
    """The procedures of a book, compiled on first use. `checker` has their checked steps. If `traced`, compiled code
    appends its notes to the list `N` of `space`, the namespace in which it runs.
    """

    def __init__(self, book: Book, checker: Rules, *, traced: bool = False) -> None:
        self.book = book
        self.checker = checker
        self.layout: Layout = lay_out(book, checker.alike)
        self._wanted: dict[Procedure, set[str]] | None = None
        self.aliases = Aliases(checker, self.wanted)
        self.emitter = Emitter(self.layout, self.aliases, traced)
        self.simultaneous = SimultaneousCalls(checker)
        self.emitter.simultaneous = self.simultaneous.procedures
        self.space: dict[str, Any] = {name: row.evaluate for name, row in EVALUATED.items()}
        for room in (functions, runtime, changes, origins, landing):
            self.space.update({k: v for k, v in vars(room).items() if not k.startswith("_")})
        self.space.update(changes.remembered())
        self.space.update(adding.NAMES)
        records: list[Any] = []
        self.space["N"] = records
        self._compiled: set[str] = set()  # names of the values and rolls compiled into `space`

        def looked(note: int, cells: tuple[Any, ...], row: int) -> Any:
            records.append((note, row, cells[row]))
            return cells[row]

        def looked_at(note: int, near: tuple[Any, ...], many: tuple[Any, ...], row: int, at: Any) -> int:
            found = runtime.band_at(near, many, row, at)
            records.append((note, row, found))
            return found

        def asked_of(note: int, one: tuple[Any, ...], came: int, all_: int) -> bool:
            records.append((note, one, came))
            return came == all_

        def heard(note: int, value: Any) -> Any:
            records.append((note, value))
            return value

        self.space["heard"] = heard
        self.space["looked"], self.space["looked_at"], self.space["asked_of"] = looked, looked_at, asked_of
        self._codes: dict[tuple[Procedure, bool], Code] = {}
        self._revision = checker.whole.revision
        self.closing = ClosedEmitter(self.layout, self.aliases, Footprints(checker, self.simultaneous.procedures))
        self._footprints: dict[Procedure, Footprint] = {}
        self._parts: dict[Procedure, tuple[int, ...]] = {}
        self.firsts: dict[Any, Callable[..., Any]] = {}  # (attribute, kind) → function of its default
        self.histories: Any = None  # the `PlayFunctions` of `play_codegen`, once created
        self._seen: Seen | None = None
        self.follow = Follow.ENDS
        self._live: dict[Follow, LiveCalls] = {}
        self._fronts: dict[Any, Variant] = {}
        self._shapes: dict[Any, Shape] = {}
        self.holding = RecordFields(checker)

    @property
    def notes(self) -> list[Note]:
        return self.emitter.notes

    def facts_by(self, answer: Callable[..., Any]) -> None:
        """Set the function that answers questions of fact: `answer(name, args, state, default, place)`."""
        self.space["fact"] = answer

    def record_coverage(self, seen: Seen) -> None:
        """Record coverage from now on."""
        self._seen = self.emitter.seen = self.closing.seen = seen

    @property
    def watched(self) -> bool:
        """Whether coverage is recorded, so that nothing compiled before is reused."""
        return self._seen is not None

    def note_run(self, procedure: Procedure) -> None:
        """Record that a procedure runs, at the first call of its function."""
        if self._seen is not None:
            self._seen.procedures.add(procedure)

    # ---- compiling
    def code(self, procedure: Procedure, closed: bool = False) -> Code:
        """Return the tree of a procedure; `closed`, as a function of values alone."""
        key = (procedure, closed)
        if key not in self._codes:
            if closed:
                self._codes[key] = ClosedLowering(self.closing, procedure).code()
            else:
                self._codes[key] = Lowering(self.emitter, procedure).code()
        return self._codes[key]

    def parts(self, procedure: Procedure) -> tuple[int, ...]:
        """Return the indices of parameters that hold a thing."""
        if procedure not in self._parts:
            self._parts[procedure] = tuple([i for i, p in enumerate(procedure.params) if p.type.name == "thing"])
        return self._parts[procedure]

    def closed(self, procedure: Procedure) -> bool:
        """Return whether a procedure reads and writes only cells of its parameters."""
        return self.closing.footprints.of(procedure) is not None

    def function(
        self, expr: t.Expr, variables: tuple[t.Variable, ...], reader: Site | None = None
    ) -> Callable[..., Any]:
        """Return a pure expression as a function of the state and some variables; its cells are added to those that
        `reader` reads.
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
        """Return the compiled value, roll or other function of terms."""
        self.run("", [function])
        return self.space[function.name]  # type: ignore[no-any-return]

    def names_read_by(self, symbol: PureDef) -> set[str]:
        """Return the names of values, facts and table columns that a value reads, directly or indirectly."""
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
        """Compile generated Python, preceded by the values and rolls that it calls."""
        for emitter in (self.emitter, self.closing):
            self.space.update(emitter.constants)
            emitter.constants.clear()
        known = set(self._compiled)
        self.load("\n".join([*source_of(asked, known), source]))
        self._compiled = known

    def load(self, source: str) -> None:
        """Compile source that a printer has written. Raises `Refused` (E010) if it is nested too deep for Python."""
        try:
            codes = _functions(source)
        except (SyntaxError, RecursionError, MemoryError) as why:  # Python limits the depth of parentheses
            raise Refused("E010", None) from why
        for code in codes:
            self.space[code.co_name] = FunctionType(code, self.space)

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
        """Return the variant of a procedure for one question; its function is compiled on first use."""
        key = (procedure, wants, handed, heard, shape, asked, self.follow)
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
            made.drops = asked and any(live.dropped for live in self._lives.within((procedure, wants, handed, closed)))
            self._fronts[key] = made
        return self._fronts[key]

    def made(self, variant: Variant, shape: Shape) -> Callable[..., Any]:
        """Return the factory of a variant's function, which takes the values to bind."""
        if variant.make is None:
            self.note_run(variant.code.procedure)
            writer = OddsWriter(self, shape, variant)
            self.run(writer.source(), writer.printer.asked.values())
            variant.make = self.space["make"]
        return variant.make

    def shape(self, procedure: Procedure, keys: Sequence[CellKey]) -> Shape:
        """Return the part of the state that a procedure may change."""
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
        """Return whether it throws dice, or may not terminate."""
        return self.footprint(procedure).chancy

    def circular(self, procedure: Procedure) -> bool:
        """Return whether it may call itself."""
        return self.footprint(procedure).circular

    def reachable(self, procedure: Procedure) -> list[Procedure]:
        return list(self.reached(procedure))

    def reached(self, procedure: Procedure) -> Iterator[Procedure]:
        """Yield the procedures called, breadth first; lazily, so that a caller that stops early compiles no more."""
        found = [procedure]
        for p in found:
            yield p
            for site in self.code(p).sites:
                if site.callee is not None and site.callee not in found:
                    found.append(site.callee)

    def footprint(self, root: Procedure) -> Footprint:
        """Return the footprint of a procedure: a fixed point over the call graph."""
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

    # ---- lines that are read
    def wanted(self, procedure: Procedure) -> Wants:
        """Return the lines of a procedure that some rule reads (including the row of an outcome table)."""
        if self._wanted is None:
            self._wanted = wanted_lines(self.book, self.checker.whole)
        return frozenset(self._wanted.get(procedure, ()))

    def ask(self, procedure: Procedure) -> None:
        """Add the lines that a question's procedure reads, and discard results that this invalidates."""
        anew = self._discard_stale()
        if self.simultaneous.ask(procedure):
            anew = True
            self.closing.footprints.clear()
            for known in (self._codes, self._footprints, self._shapes):
                known.clear()
        self.wanted(procedure)
        assert self._wanted is not None
        read: dict[Procedure, set[str]] = {}
        look(self.checker.procedure(procedure).steps, read)
        added = [(p, line) for p, lines in read.items() for line in lines - self._wanted.get(p, set())]
        for p, line in added:
            self._wanted.setdefault(p, set()).add(line)
        more = self.holding.ask(procedure)
        if not self.watched and not more and not anew and not added:
            return  # earlier results remain valid
        if any(self._may_name_figures(p, line) for p, line in added):
            self.aliases.clear()
            for known in (self._codes, self._footprints, self._shapes):
                known.clear()
        self._live.clear()
        self._fronts.clear()
        self.histories = None

    def _may_name_figures(self, procedure: Procedure, line: str) -> bool:
        """Whether a line holds figures, itself or in the record that it holds."""
        variable = self.checker.procedure(procedure).lines.get(line)
        return variable is not None and variable.type.name in ("figure", "figures", "record")

    def _discard_stale(self) -> bool:
        """Discard the trees of procedures that have been extended since, and return whether there may be any."""
        whole = self.checker.whole
        if whole.revision == self._revision:
            return False
        self._revision = whole.revision
        for key, code in list(self._codes.items()):
            if code.checked is not self.checker.procedure(key[0]):
                del self._codes[key]
        return True

    # ---- liveness
    def live(self, procedure: Procedure, wants: Wants, handed: frozenset[Any], closed: bool) -> Live:
        """Return the liveness of a procedure, for wanted lines and returned cells that are read afterwards."""
        return self._lives.of((procedure, wants, handed, closed))

    @property
    def _lives(self) -> LiveCalls:
        if self.follow not in self._live:
            self._live[self.follow] = LiveCalls(self._analysed)
        return self._live[self.follow]

    def _analysed(self, question: Question) -> Live:
        procedure, wants, handed, closed = question
        code = self.code(procedure, closed)
        results = tuple([slot if address in wants else -1 for address, slot in code.lines.items()])
        return live_procedure(code, results, handed, self.needs(closed), self.follow)

    def needs(self, closed: bool) -> Callable[[Site, bool, Uses], Called]:
        """Return a function that tells what a call requires, by its site, whether its record is read, and what is live
        after it.
        """

        def asked(site: Site, heard: bool, after: Uses) -> Called:
            callee = site.callee
            assert callee is not None
            wants, handed = self.variant(site, heard, after)
            lasting = self.footprint(callee).lasting
            kept = self.follow is Follow.ALL or (lasting and self.follow is Follow.ENDS)
            if not heard and not handed and not kept:
                return Called(frozenset(), frozenset(), handed, lasting)
            entry = self._lives.needed((callee, wants, handed, closed))
            params = frozenset(i for i, slot in enumerate(self.code(callee, closed).params) if slot in entry.slots)
            return Called(params, entry.cells, handed, lasting)

        return asked

    def variant(self, site: Site, heard: bool, after: Uses) -> tuple[Wants, frozenset[Any]]:
        """Return the lines of a call that are read, and the live part of what it returns."""
        assert site.callee is not None
        wants = self.wanted(site.callee) if heard else frozenset()
        if site.lands:
            return wants, frozenset(i for i, slot in enumerate(site.lands) if slot in after.slots)
        writes = self.writes(site.callee)
        if site.snapshot < 0:
            return wants, writes & after.cells
        # In a `together` block all bags of a kind are merged at once: a figure that leaves one is in another.
        handed = self.layout.with_other_bags(writes & self.layout.with_other_bags(after.cells))
        return wants, handed | (writes & {SET_AGAIN}) if handed else handed
