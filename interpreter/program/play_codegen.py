"""Code generation for plays: a procedure becomes one Python function that asks its questions of a player `P`.

Takes the trees of procedures, and which of their lines are read. In a traced program the function also appends records
`(steps, values…)` to the list `N`, one per branch-free stretch; the steps describe the values (`trace_notes.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from interpreter.rulebook.symbols import Procedure

from .code import Code, Do, If, Item, Site, Until, While, inside
from .constant_rolls import Folding, others
from .liveness import unset_slots
from .printer import INDENT, Printer
from .statements import Act, Set, Told
from .terms import (
    NO_MEMBERS,
    NONE,
    ONE,
    Const,
    Local,
    Slot,
    Term,
    Tuple,
    mapped,
    operands,
    slot,
)
from .trace_notes import ASKED, CALLED, CLEAR, KNOWN, LEFT, NOTE, SKIP

if TYPE_CHECKING:
    from .interfaces import Compiled

Step = tuple[Any, ...]
A_STEP = 100  # expression nodes that count as one step of the limit

REASONS = ("change", "value", "cell", "roll")
WORDLESS = (None, "record", "any", "block")


def played(program: Compiled, procedure: Procedure, wants: frozenset[str] | None = None) -> Callable[..., Any]:
    """A procedure as a function of the state, a player, and its arguments, which returns the wanted lines, or all."""
    if program.histories is None:
        program.histories = PlayFunctions(program)
    made: PlayFunctions = program.histories
    return made.function(procedure, wants)


class PlayFunctions:
    """The functions of one program, each compiled on first use."""

    def __init__(self, program: Compiled) -> None:
        self.program = program
        self.folding = Folding(program)
        self._names: dict[tuple[Procedure, frozenset[str] | None], str] = {}
        self._made: dict[tuple[Procedure, frozenset[str] | None], Callable[..., Any]] = {}

    def function(self, procedure: Procedure, wants: frozenset[str] | None) -> Callable[..., Any]:
        """Return the function of the state, a player and arguments, which returns the lines in `wants` (None: all), in
        order.

        Functions that it calls are compiled on their first call.
        """
        made = self._made.get((procedure, wants))
        if made is None:
            name = self.called(procedure, wants)
            self.program.note_run(procedure)
            history = PlayWriter(self, procedure, wants)
            self.program.run(history.source(), history.printer.asked.values())
            made = self._made[procedure, wants] = self.program.space[name]
        return made

    def called(self, procedure: Procedure, wants: frozenset[str] | None) -> str:
        """Return the name of a function; until it is compiled, the name is bound to a stub that compiles it."""
        key = (procedure, wants)
        if key not in self._names:
            name = self._names[key] = self.program.emitter.fresh("play")
            self.program.space[name] = lambda *args: self.function(procedure, wants)(*args)
        return self._names[key]


class PlayWriter:
    """Writes one procedure."""

    def __init__(self, made: PlayFunctions, procedure: Procedure, wants: frozenset[str] | None) -> None:
        self.made, self.procedure, self.wants = made, procedure, wants
        program = made.program
        self.code: Code = program.code(procedure)
        self.traced = program.emitter.traced
        self.printer = Printer(engine="P")
        self.show = self.printer.text
        self.out: list[str] = []
        people = zip(self.code.params, procedure.params, strict=True)
        self.who = "".join([f", l{s}" for s, p in people if p.type.name == "thing"])
        self.falls = False
        self.results = [
            s if s >= 0 and (wants is None or address in wants) else -1 for address, s in self.code.lines.items()
        ]
        self.unset = unset_slots(self.code)
        self.idle = self._idle()
        # In a traced program: the record being collected, and whether it ends with reasons of a later result.
        self.steps: list[Step] = []
        self.values: list[Term] = []
        self.pending = False
        self.literal: dict[int, Const] = {}  # slots with a known constant value
        self._temps = 0

    def source(self) -> str:
        code = self.code
        lines = [site.line for site in code.sites[:1]]
        self._spend(1, self.constant(lines[0] if lines else None, "line"))
        given = "".join(f", l{p}" for p in code.params)
        name = self.made.called(self.procedure, self.wants)
        for number in sorted(self.unset):
            self.put(1, f"l{number} = {self.show(code.first[number])}")
        self.items(code.items, 1)
        self.flush(1)
        found = "".join(f"l{s}, " if s >= 0 else "None, " for s in self.results)
        self.put(1, f"return ({found})")
        head = [f"def {name}(S, P{given}):", *(["    fall, throwers = P.fall, P.throwers"] if self.falls else [])]
        return "\n".join(head + self.out)

    def _spend(self, depth: int, line: str) -> None:
        """Write the step count of a call or round; expensive procedures count as several."""
        self.put(depth, f"P.left -= {1 + self.code.weight // A_STEP}", f"if P.left < 0: P.late({line})")

    def put(self, depth: int, *lines: str) -> None:
        self.out += [INDENT * depth + line for line in lines]

    def temp(self) -> Local:
        self._temps += 1
        return Local(f"q{self._temps}")

    def constant(self, value: Any, stem: str) -> str:
        return self.show(self.made.program.emitter.constant(value, stem))

    # ---- statements that can be omitted
    def _idle(self) -> set[int]:
        """The ids of statements that only set unread slots. One that may ask for a fact is kept, so that a missing fact
        is reported.
        """
        items = list(inside(self.code.items))
        idle: set[int] = set()
        while True:
            read = {s for s in self.results if s >= 0}
            for item in items:
                match item:
                    case Do():
                        if id(item) not in idle and not self._is_unshown(item):
                            read |= item.uses.slots - {item.sets}
                    case Site():
                        read |= item.reads.slots
                    case If() | While() | Until():
                        read |= item.test.uses.slots
            more = {
                id(i) for i in items if isinstance(i, Do) and i.sets >= 0 and i.sets not in read and self._is_pure(i)
            }
            if more <= idle:
                return idle
            idle |= more

    def _is_pure(self, item: Do) -> bool:
        if item.needed or item.writes:
            return False
        return not any(term.speaks for term in operands(item.act))

    def _is_unshown(self, item: Do) -> bool:
        """Whether a trace never shows the note of a statement."""
        if not isinstance(item.act, Told):
            return False
        note = self.made.program.notes[_noted(item.act)]
        return note.kind == "line" and ((note.type.name if note.type else None) in WORDLESS or "?" in note.line.address)

    # ---- statements
    def items(self, items: Sequence[Item], depth: int) -> None:
        noted: Do | None = None
        for item, then in zip(items, [*items[1:], None], strict=False):
            match item:
                case Do():
                    noted = item if isinstance(then, If) and self._decides(item, then) else None
                    if noted is None:
                        self._do(item, depth)
                case Site():
                    self._site(item, depth)
                case If():
                    self._if(item, noted, depth)
                    noted = None
                case While():
                    self.flush(depth)
                    self.put(depth, f"while {self._text_after_notes(item.test, depth)}:")
                    self._round(item, depth + 1)
                case Until():
                    self.flush(depth)
                    self.put(depth, "while True:")
                    self._round(item, depth + 1)
                    self.put(depth + 1, f"if {self._text_after_notes(item.test, depth + 1)}: break")

    def _round(self, loop: While | Until, depth: int) -> None:
        line = self.constant(loop.line, "line")
        self._spend(depth, line)
        self.pending, self.literal = True, {}
        if isinstance(loop, While):
            self.items(loop.first, depth)
        self.items(loop.body, depth)
        self.items(loop.last, depth)
        self.flush(depth)
        self.pending, self.literal = True, {}

    def _if(self, item: If, noted: Do | None, depth: int) -> None:
        test = self._text_after_notes(item.test, depth)
        kept, literal = (self.steps, self.values, self.pending), self.literal
        sides = []
        for inner, outcome in ((item.then, True), (item.other, False)):
            with self._collecting() as out:
                self.steps, self.values, self.pending = list(kept[0]), list(kept[1]), kept[2]
                self.literal = dict(literal)
                if noted is not None and outcome:
                    self.clear()
                elif noted is not None:
                    assert isinstance(noted.act, Told)
                    self.note(KNOWN, ((_noted(noted.act), False),))
                    self.pending = False
                self.items(inner, depth + 1)
                self.flush(depth + 1)
            sides.append((out, self.pending))
        self.steps, self.values, self.literal = [], [], {}
        (then, first), (other, second) = sides
        self.pending = first or second
        if then:
            self.put(depth, f"if {test}:")
            self.out += then
            if other:
                self.put(depth, "else:")
                self.out += other
        elif other:
            self.put(depth, f"if not ({test}):")
            self.out += other
        elif item.test.speaks:
            self.put(depth, test)

    @contextmanager
    def _collecting(self) -> Any:
        """Collect the written lines in a list of their own."""
        kept, self.out = self.out, []
        yield self.out
        self.out = kept

    def _do(self, item: Do, depth: int) -> None:
        if id(item) in self.idle:
            return
        act = item.act
        if not isinstance(act, Told):
            self._write_act(act, depth)
            return
        if self._is_unshown(item):
            self.clear()
            return
        number = _noted(act)
        note = self.made.program.notes[number]
        if note.kind == "new":
            self.put(depth, f"P.named({number}, {self.printer.listed(act.values)})")
        given = [self.literal.get(v.number, v) if isinstance(v, Slot) else v for v in act.values]
        if all(isinstance(v, Const) for v in given):
            self.note(KNOWN, ((number, *(v.value for v in given if isinstance(v, Const))),))
            self.pending = note.kind in REASONS
        elif all(map(_is_bare, given)):
            self.note(NOTE, number, len(given), *given)
        else:
            name = self.temp()
            self.put(depth, f"{self.show(name)} = {self._text_after_notes(Tuple(act.values), depth)}")
            self.note(NOTE, number, 0, name)

    def _write_act(self, act: Act, depth: int) -> None:
        """Write a statement other than a note."""
        act = mapped(act, lambda term: self._after_notes(term, depth))
        self._before_assignment(act.sets, depth)
        self.put(depth, *self.printer.act(act))
        if isinstance(act, Set) and isinstance(act.value, Const):
            self.literal[act.sets] = act.value

    def _decides(self, item: Do, then: If) -> bool:
        """Whether a statement notes a condition that the next item tests, and needs a note only if the test fails,
        because the condition has no operands and no dice.
        """
        if not isinstance(item.act, Told):
            return False
        note = self.made.program.notes[_noted(item.act)]
        if note.kind != "if" or note.parts or any(on_dice for _, on_dice, _ in note.about):
            return False
        return item.act.values == (then.test,)

    # ---- recording
    def note(self, kind: int, about: Any, *values: Any) -> None:
        """Append a step to the record; the first of a note's `values` is their number, 0 for a single value that
        contains all.
        """
        if kind == NOTE:
            self.steps.append((NOTE, about, values[0]))
            values = values[1:]
            self.pending = self.made.program.notes[about].kind in REASONS
        else:
            self.steps.append((kind, about))
            self.pending = kind == KNOWN
        self.values += values

    def clear(self) -> None:
        """Discard collected reasons that led to no result."""
        if self.traced and self.pending:
            self.steps.append((CLEAR,))
            self.pending = False

    def flush(self, depth: int) -> None:
        if not self.steps:
            return
        steps = self.constant(tuple(self.steps), "steps")
        if self.values:
            self.put(depth, f"N.append(({steps}, {self.printer.listed(self.values)}))")
        else:
            self.put(depth, f"N.append({self.constant((tuple(self.steps),), 'record')})")
        self.steps, self.values = [], []

    def _after_notes(self, term: Term, depth: int) -> Term:
        """Return the term, about to be evaluated; notes that it makes must follow those collected so far."""
        if self.traced and term.speaks:
            self.flush(depth)
            self.pending = True
        return term

    def _text_after_notes(self, term: Term, depth: int) -> str:
        return self.show(self._after_notes(term, depth))

    def _before_assignment(self, slot: int, depth: int) -> None:
        """Write the record before a slot that it reads changes."""
        self.literal.pop(slot, None)
        if any(slot in v.uses.slots for v in self.values):
            self.flush(depth)

    def _named_value(self, term: Term, depth: int) -> Term:
        """A name or constant for a value that is read twice."""
        term = self._after_notes(term, depth)
        if _is_bare(term):
            return term
        name = self.temp()
        self.put(depth, f"{self.show(name)} = {self.show(term)}")
        return name

    # ---- questions
    def _site(self, site: Site, depth: int) -> None:
        self.clear()
        if site.kind == "call":
            self._call(site, depth)
            return
        self._before_assignment(site.dest, depth)
        match site.kind:
            case "throw" if len(site.asks) == 2:
                self._throw(site, depth)
            case "throw" | "lots":
                asks = [self._named_value(a, depth) if self.traced else a for a in site.asks]
                name, more = "throw_but", ""
                if site.kind == "lots":
                    name, more = "lots", f", {site.note[0] == 'figures'}, {site.note[1]}"
                asked = f"P.{name}({self._line(site)}, {self._throwing()}, {self.printer.listed(asks)}{more})"
                self._write_answer(site, asked, Tuple((asks[0], asks[1])), depth)
            case "tally":
                self._tally(site, depth)
            case "sort":
                groups = self._text_after_notes(site.asks[0], depth)
                asked = f"P.sort({self._line(site)}, {self._throwing()}, {groups}, {site.passing})"
                self._write_answer(site, asked, NONE, depth)
            case _:
                question = site.question
                if self.traced:
                    question = self._named_value(question, depth)
                about = self.constant(site, "site")
                self.put(depth, f"l{site.dest} = P.decide({about}, {self.show(question)}, S)")
                if self.traced:
                    self.note(ASKED, site, question, slot(site.dest), NO_MEMBERS)

    def _line(self, site: Site) -> str:
        """The source of the address of a line that throws."""
        return self.constant(site.line.address, "address")

    def _throwing(self) -> str:
        """The source of a tuple with the things that throw."""
        return f"({self.who[2:]},)" if self.who else "()"

    def _write_answer(self, site: Site, asked: str, question: Term, depth: int) -> None:
        """Write a question to the player, which returns the answer and the dice."""
        if self.traced:
            faces = self.temp()
            self.put(depth, f"l{site.dest}, {self.show(faces)} = {asked}")
            self.note(ASKED, site, question, slot(site.dest), faces)
        else:
            self.put(depth, f"l{site.dest} = {asked}[0]")

    def _fall(self, site: Site, n: Term, sides: str) -> str:
        self.falls = True
        return f"fall(throwers[{self._line(site)}, {sides}{self.who}], {self.show(n)})"

    def _throw(self, site: Site, depth: int) -> None:
        n = self._named_value(site.asks[0], depth)
        sides = self._named_value(site.asks[1], depth)
        fall = self._fall(site, n, self.show(sides)) + ("" if _is_positive(n) else f" if {self.show(n)} > 0 else b''")
        if self.traced:
            faces = self.temp()
            self.put(depth, f"{self.show(faces)} = {fall}")
            fall = self.show(faces)
        self.put(depth, f"l{site.dest} = tuple({fall if n == ONE else f'sorted({fall})'})")
        if self.traced:
            self.note(ASKED, site, Tuple((n, sides)), slot(site.dest), faces)

    def _tally(self, site: Site, depth: int) -> None:
        n = self._named_value(site.asks[0], depth)
        known = self.made.folding.constant_answer(site.asks[1])
        some = [] if _is_positive(n) else [f"{self.show(n)} > 0"]
        none = "0"  # the result without any die; a count of failures may replace it below
        if known is not None and _is_one_die(known[0]):
            (sides, mask, *_), noted = known
            misses = self.constant(others(sides, mask, site.passing), "others")
            if noted:
                self.note(KNOWN, noted)
        else:
            short = self.made.folding.shortened(site.asks[1], site.passing) if known is None else None
            if short is None:
                roll = self._text_after_notes(site.asks[1], depth)
                asked = f"P.tally({self._line(site)}, {self._throwing()}, {self.show(n)}, {roll}, {site.passing})"
                self._write_answer(site, asked, n, depth)
                return
            misses = self.show(self._named_value(short, depth))
            convention = self.made.program.checker.pure(site.note.roll).convention
            assert convention is not None
            sides = convention.sides
            some.append(f"{misses} is not None")
            none = "0" if site.passing else f"max(0, {self.show(n)})"
        fall = self._fall(site, n, str(sides))
        if not self.traced:
            many = f" if {' and '.join(some)} else {none}" if some else ""
            self.put(depth, f"l{site.dest} = len({fall}.translate(None, {misses})){many}")
            return
        faces = self.temp()
        fell = self.show(faces)
        self.put(depth, f"{fell} = {fall}" + (f" if {' and '.join(some)} else b''" if some else ""))
        many = "" if known is not None else f" if {fell} else {none}"
        self.put(depth, f"l{site.dest} = len({fell}.translate(None, {misses})){many}")
        self.note(ASKED, site, n, slot(site.dest), faces)

    def _call(self, site: Site, depth: int) -> None:
        """Write a call; it does nothing if one of its things or figures is absent."""
        assert site.callee is not None
        args = [self._named_value(a, depth) if self.traced or i in site.unsure else a for i, a in enumerate(site.asks)]
        arguments = self.printer.texts(args)
        program = self.made.program
        name = self.made.called(site.callee, program.wanted(site.callee))
        given = "".join(f", {a}" for a in arguments)
        if site.snapshot >= 0:
            call = f"P.call({name}, {self.constant(site.line, 'line')}, S, l{site.snapshot}{given})"
        else:
            call = f"{name}(S, P{given})"
        dest = f"l{site.dest}"
        known = " and ".join(f"{arguments[i]} is not None and {arguments[i]} != -1" for i in site.unsure)
        if not self.traced:
            self.put(depth, f"{dest} = {call}" + (f" if {known} else None" if known else ""))
            return
        if not known:
            self.note(CALLED, (site, len(args)), *args)
            self.flush(depth)
            self.put(depth, f"{dest} = {call}")
            self.note(LEFT, None)
            return
        kept = list(self.steps), list(self.values)
        self.put(depth, f"if {known}:")
        self.note(CALLED, (site, len(args)), *args)
        self.flush(depth + 1)
        self.put(depth + 1, f"{dest} = {call}")
        self.note(LEFT, None)
        self.flush(depth + 1)
        self.put(depth, "else:")
        self.steps, self.values = kept
        self.note(SKIP, site)
        self.flush(depth + 1)
        self.put(depth + 1, f"{dest} = None")


def _noted(act: Told) -> int:
    """The number of the note that a statement appends."""
    assert isinstance(act.about, Const)
    number: int = act.about.value
    return number


def _is_bare(term: Term) -> bool:
    """Whether a term is a name or constant, which can be read twice at no cost."""
    return isinstance(term, Slot | Local | Const)


def _is_positive(n: Term) -> bool:
    """Whether a number is certainly positive."""
    return isinstance(n, Const) and type(n.value) is int and n.value > 0


def _is_one_die(roll: Any) -> bool:
    """Whether a roll throws one die, once."""
    _, _, dice, _, again, thrown = roll
    return bool(dice == 1 and not again and thrown)
