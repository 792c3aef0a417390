"""One history: a procedure as one plain Python function, its questions asked of a player object `P`.

Enters: the trees of procedures, and which of their lines anybody reads. Leaves: Python functions of our own making. A
traced program also records: it appends `(steps, values…)` to the list `N`, where the steps say what the values are, one
entry for as much of a procedure as has no branch in it. Knows nothing of where dice come from.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from contextlib import contextmanager
from typing import Any

from interpreter.rulebook.symbols import Procedure

from .code import Code, Do, If, Item, Site, Until, While, inside
from .fixed import SPEAKS, Fixed, others
from .live import unset
from .program import Program
from .record import ASKED, CALLED, CLEAR, KNOWN, LEFT, NOTE, SKIP
from .throwers import Throwers

Step = tuple[Any, ...]
A_STEP = 100  # parts of sentences that are worked out in one step

BARE = re.compile(r"[lq]\d+|-?\d+|None|True|False|\(\)")
SLOT = re.compile(r"\bl(\d+)\b")
NAMED = re.compile(r"[lq]\d")
NUMBER = re.compile(r"(?:min|max|len|met|sum|half|size)\(|\(len\(|-?\d+$")
EQUAL = re.compile(r"\(\((l\d+) >= (\d+)\) and \(\1 <= \2\)\)")
PART = re.compile(r"\bof\((l\d+), (\d+), (-?\d+|None|False|\(\))\)")
NOBODY = ("figure", "figures", "things", "rows", "dice", "faces", "record")  # what has no name among dice
REASONS = ("change", "value", "cell", "roll")
LITERAL = {"None": None, "True": True, "False": False, "()": (), "-1": -1, **{str(i): i for i in range(100)}}
WORDLESS = (None, "record", "any", "block")


class Histories:
    """The functions of one program, each written when it is first asked for."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.fixed = Fixed(program.emitter)
        self._names: dict[tuple[Procedure, frozenset[str] | None], str] = {}
        self._made: dict[tuple[Procedure, frozenset[str] | None], Callable[..., Any]] = {}

    def function(self, procedure: Procedure, wants: frozenset[str] | None) -> Callable[..., Any]:
        """A function of the state, a player and arguments; the lines that are wanted (or all), in their order. What it
        calls is written when it is first called.
        """
        made = self._made.get((procedure, wants))
        if made is None:
            name = self.called(procedure, wants)
            self.program.comes(procedure)
            self.program.run(History(self, procedure, wants).source())
            made = self._made[procedure, wants] = self.program.space[name]
        return made

    def called(self, procedure: Procedure, wants: frozenset[str] | None) -> str:
        """The name of a function, which stands for itself until it is called."""
        key = (procedure, wants)
        if key not in self._names:
            name = self._names[key] = self.program.emitter.fresh("play")
            self.program.space[name] = lambda *args: self.function(procedure, wants)(*args)
        return self._names[key]


class History:
    """Writes one procedure."""

    def __init__(self, made: Histories, procedure: Procedure, wants: frozenset[str] | None) -> None:
        self.made, self.procedure, self.wants = made, procedure, wants
        program = made.program
        self.code: Code = program.code(procedure)
        self.traced, self.constant = program.emitter.traced, program.emitter.constant
        self.out: list[str] = []
        people = zip(self.code.params, procedure.params, strict=True)
        self.who = "".join(
            f", l{s} - 1" if p.type.name == "thing" else f", l{s}" for s, p in people if p.type.name not in NOBODY
        )
        self.falls = False
        self.results = [
            s if s >= 0 and (wants is None or address in wants) else -1 for address, s in self.code.lines.items()
        ]
        self.unset = unset(self.code)
        self.full = self._full()
        self.idle = self._idle()
        # of a traced program: what is recorded next, and whether reasons may wait for what they are reasons of
        self.steps: list[Step] = []
        self.values: list[str] = []
        self.pending = False
        self.literal: dict[int, str] = {}  # what slots are known to hold
        self._temps = 0

    def source(self) -> str:
        code = self.code
        lines = [site.line for site in code.sites[:1]]
        self._spend(1, self.constant(lines[0] if lines else None, "line"))
        given = "".join(f", l{p}" for p in code.params)
        name = self.made.called(self.procedure, self.wants)
        for slot in sorted(self.unset):
            self.put(1, f"l{slot} = {code.first[slot]}")
        self.items(code.items, 1)
        self.flush(1)
        found = "".join(f"l{s}, " if s >= 0 else "None, " for s in self.results)
        self.put(1, f"return ({found})")
        head = [f"def {name}(S, P{given}):", *(["    fall = P.fall"] if self.falls else [])]
        return "\n".join(head + self.out)

    def _spend(self, depth: int, line: str) -> None:
        """A call or a round is a step; sentences that ask much are more."""
        self.put(depth, f"P.left -= {1 + self.code.weight // A_STEP}\nif P.left < 0: P.late({line})")

    def put(self, depth: int, text: str) -> None:
        self.out += ["    " * depth + line for line in text.split("\n")]

    def temp(self) -> str:
        self._temps += 1
        return f"q{self._temps}"

    # ---- what need not be done, what need not be asked
    def _idle(self) -> set[int]:
        """Statements, by identity, that only set what nobody reads. One that may ask for a fact is kept: without it
        the fact would not be missed.
        """
        items = list(inside(self.code.items))
        idle: set[int] = set()
        while True:
            read = {s for s in self.results if s >= 0}
            for item in items:
                match item:
                    case Do():
                        if id(item) not in idle and not self._wordless(item):
                            read |= item.uses.slots - {item.sets}
                    case Site():
                        read |= item.reads.slots
                    case If() | While() | Until():
                        read |= item.test.uses.slots
            more = {id(i) for i in items if isinstance(i, Do) and i.sets >= 0 and i.sets not in read and self._quiet(i)}
            if more <= idle:
                return idle
            idle |= more

    def _quiet(self, item: Do) -> bool:
        return not (item.needed or item.writes or SPEAKS.search(self._text(item.text)))

    def _wordless(self, item: Do) -> bool:
        """Whether it notes what no trace ever shows."""
        number = _noted(item)
        if number is None:
            return False
        note = self.made.program.notes[number]
        return note.kind == "line" and ((note.type.name if note.type else None) in WORDLESS or "?" in note.line.address)

    def _full(self) -> set[int]:
        """Slots that always hold a number."""
        sure = {i.dest for i in self.code.sites if i.kind == "tally"}
        sets: dict[int, list[str]] = {}
        for item in inside(self.code.items):
            if isinstance(item, Do) and item.sets >= 0:
                sets.setdefault(item.sets, []).append(item.text.partition(" = ")[2])
        numbers = {s for s, texts in sets.items() if all(NUMBER.match(text) for text in texts)}
        others = {i.dest for i in self.code.sites if i.kind != "tally"} | set(self.code.params)
        others |= {s for s in self.unset if not NUMBER.match(self.code.first[s])}
        return (sure - set(sets) | numbers) - others

    def _text(self, text: str) -> str:
        for slot in SLOT.findall(text) if " or 0)" in text else ():
            if int(slot) in self.full:
                text = text.replace(f"(l{slot} or 0)", f"l{slot}")
        text = EQUAL.sub(r"(\1 == \2)", text).replace("(True and ", "(")
        text = PART.sub(r"(\3 if \1 is None else \1[\2])", text)
        return text if self.traced else self.made.fixed.put(text)

    # ---- statements
    def items(self, items: Sequence[Item], depth: int) -> None:
        said: Do | None = None
        for item, then in zip(items, [*items[1:], None], strict=False):
            match item:
                case Do():
                    said = item if isinstance(then, If) and self._decides(item, then) else None
                    if said is None:
                        self._do(item, depth)
                case Site():
                    self._site(item, depth)
                case If():
                    self._if(item, said, depth)
                    said = None
                case While():
                    self.flush(depth)
                    self.put(depth, f"while {self._heard(item.test.text, depth)}:")
                    self._round(item, depth + 1)
                case Until():
                    self.flush(depth)
                    self.put(depth, "while True:")
                    self._round(item, depth + 1)
                    self.put(depth + 1, f"if {self._heard(item.test.text, depth + 1)}: break")

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

    def _if(self, item: If, said: Do | None, depth: int) -> None:
        test = self._heard(item.test.text, depth)
        kept, literal = (self.steps, self.values, self.pending), self.literal
        sides = []
        for inner, outcome in ((item.then, True), (item.other, False)):
            with self._aside() as out:
                self.steps, self.values, self.pending = list(kept[0]), list(kept[1]), kept[2]
                self.literal = dict(literal)
                if said is not None and outcome:
                    self.clear()
                elif said is not None:
                    self.note(KNOWN, ((_noted(said), False),))
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
        elif SPEAKS.search(test):
            self.put(depth, test)

    @contextmanager
    def _aside(self) -> Any:
        """What is written goes into a list of its own."""
        kept, self.out = self.out, []
        yield self.out
        self.out = kept

    def _do(self, item: Do, depth: int) -> None:
        if id(item) in self.idle:
            return
        number = _noted(item)
        if number is None:
            text = self._heard(item.text, depth)
            self._before(item.sets, depth)
            self.put(depth, text)
            value = text.removeprefix(f"l{item.sets} = ")
            if BARE.fullmatch(value) and not NAMED.match(value):
                self.literal[item.sets] = value
            return
        if self._wordless(item):
            self.clear()
            return
        values = item.text.partition(", ")[2][:-2]
        note = self.made.program.notes[number]
        if note.kind == "new":
            self.put(depth, f"P.named({number}, {values})")
        given = [self.literal.get(int(v[1:]), v) if SLOT.fullmatch(v) else v for v in values.split(", ")]
        if all(v in LITERAL for v in given):
            self.note(KNOWN, ((number, *(LITERAL[v] for v in given)),))
            self.pending = note.kind in REASONS
        elif all(BARE.fullmatch(v) for v in given):
            self.note(NOTE, number, len(given), *given)
        else:
            name = self.temp()
            self.put(depth, f"{name} = {self._heard(f'({values},)', depth)}")
            self.note(NOTE, number, 0, name)

    def _decides(self, item: Do, then: If) -> bool:
        """A condition that is noted and tested: where it speaks of nothing, and of no dice, there is something to tell
        only where it fails.
        """
        number = _noted(item)
        if number is None:
            return False
        note = self.made.program.notes[number]
        if note.kind != "if" or note.parts or any(on_dice for _, on_dice, _ in note.about):
            return False
        return item.text == f"N.append(({number}, {then.test.text}))"

    # ---- recording
    def note(self, kind: int, about: Any, *values: Any) -> None:
        """One step more; `values` of a note begin with their number, 0 for all of them in one."""
        if kind == NOTE:
            self.steps.append((NOTE, about, values[0]))
            values = values[1:]
            self.pending = self.made.program.notes[about].kind in REASONS
        else:
            self.steps.append((kind, about))
            self.pending = kind == KNOWN
        self.values += values

    def clear(self) -> None:
        """Reasons that nothing came of are forgotten."""
        if self.traced and self.pending:
            self.steps.append((CLEAR,))
            self.pending = False

    def flush(self, depth: int) -> None:
        if not self.steps:
            return
        steps = self.constant(tuple(self.steps), "steps")
        if self.values:
            self.put(depth, f"N.append(({steps}, {', '.join(self.values)}))")
        else:
            self.put(depth, f"N.append({self.constant((tuple(self.steps),), 'record')})")
        self.steps, self.values = [], []

    def _heard(self, text: str, depth: int) -> str:
        """A text to be worked out now; what it notes itself comes after what was noted before."""
        text = self._text(text)
        if self.traced and SPEAKS.search(text):
            self.flush(depth)
            self.pending = True
        return text

    def _before(self, slot: int, depth: int) -> None:
        """A slot is about to change: first what was noted of it as it is."""
        self.literal.pop(slot, None)
        if any(str(slot) in SLOT.findall(v) for v in self.values):
            self.flush(depth)

    def _kept(self, text: str, depth: int) -> str:
        """A name for a value that is read twice."""
        text = self._heard(text, depth)
        if BARE.fullmatch(text):
            return text
        name = self.temp()
        self.put(depth, f"{name} = {text}")
        return name

    # ---- questions
    def _site(self, site: Site, depth: int) -> None:
        self.clear()
        if site.kind == "call":
            self._call(site, depth)
            return
        self._before(site.dest, depth)
        match site.kind:
            case "throw" if len(site.asks) == 2:
                self._throw(site, depth)
            case "throw" | "lots":
                asks = [self._kept(a, depth) if self.traced else self._text(a) for a in site.asks]
                name, more = "throw_but", ""
                if site.kind == "lots":
                    name, more = "lots", f", {site.note[0] == 'figures'}, {site.note[1]}"
                who = f"({self.who[2:]},)" if self.who else "()"
                asked = f"P.{name}({self._throwers(site)}, {who}, {', '.join(asks)}{more})"
                self._answered(site, asked, f"({asks[0]}, {asks[1]})", depth)
            case "tally":
                self._tally(site, depth)
            case "sort":
                groups = self._heard(site.asks[0], depth)
                who = f"({self.who[2:]},)" if self.who else "()"
                asked = f"P.sort({self._throwers(site)}, {who}, {groups}, {site.passing})"
                self._answered(site, asked, "None", depth)
            case _:
                question = site.asks[0] if site.kind == "choose" else f"({site.asks[0]}, {site.asks[1]})"
                about = self.constant(site, "site")
                if self.traced:
                    question = self._kept(question, depth)
                self.put(depth, f"l{site.dest} = P.decide({about}, {self._text(question)}, S)")
                if self.traced:
                    self.note(ASKED, site, question, f"l{site.dest}", "()")

    def _throwers(self, site: Site) -> str:
        return self.constant(Throwers(site.line.address), "throwers")

    def _answered(self, site: Site, asked: str, question: str, depth: int) -> None:
        """A question that the player answers, with the dice that fell."""
        if self.traced:
            faces = self.temp()
            self.put(depth, f"l{site.dest}, {faces} = {asked}")
            self.note(ASKED, site, question, f"l{site.dest}", faces)
        else:
            self.put(depth, f"l{site.dest} = {asked}[0]")

    def _fall(self, site: Site, n: str, sides: str) -> str:
        self.falls = True
        return f"fall({self._throwers(site)}[({sides}{self.who or ','})], {n})"

    def _throw(self, site: Site, depth: int) -> None:
        n = self._kept(site.asks[0], depth)
        sides = self._kept(site.asks[1], depth)
        many = not n.isdigit() or n == "0"
        fall = self._fall(site, n, sides) + (f" if {n} > 0 else b''" if many else "")
        order = "tuple({})" if n == "1" else "tuple(sorted({}))"
        if not self.traced:
            self.put(depth, f"l{site.dest} = {order.format(fall)}")
            return
        faces = self.temp()
        self.put(depth, f"{faces} = {fall}\nl{site.dest} = {order.format(faces)}")
        self.note(ASKED, site, f"({n}, {sides})", f"l{site.dest}", faces)

    def _tally(self, site: Site, depth: int) -> None:
        n = self._kept(site.asks[0], depth)
        known = self.made.fixed.of(site.asks[1])
        some = [] if n.isdigit() and n != "0" else [f"{n} > 0"]
        none = "0"  # where no die is thrown, none passes and all fail
        if known is not None and _plain(known[0]):
            (sides, mask, *_), noted = known
            misses = self.constant(others(sides, mask, site.passing), "others")
            if noted:
                self.note(KNOWN, noted)
        else:
            short = self.made.fixed.short(site.asks[1], site.passing) if known is None else None
            if short is None:
                roll = self._heard(site.asks[1], depth)
                who = f"({self.who[2:]},)" if self.who else "()"
                self._answered(site, f"P.tally({self._throwers(site)}, {who}, {n}, {roll}, {site.passing})", n, depth)
                return
            misses = self._kept(short, depth)
            convention = self.made.program.checker.pure(site.note.roll).convention
            assert convention is not None
            sides = convention.sides
            some.append(f"{misses} is not None")
            none = "0" if site.passing else f"max(0, {n})"
        fall = self._fall(site, n, str(sides))
        if not self.traced:
            many = f" if {' and '.join(some)} else {none}" if some else ""
            self.put(depth, f"l{site.dest} = len({fall}.translate(None, {misses})){many}")
            return
        faces = self.temp()
        self.put(depth, f"{faces} = {fall}" + (f" if {' and '.join(some)} else b''" if some else ""))
        many = "" if known is not None else f" if {faces} else {none}"
        self.put(depth, f"l{site.dest} = len({faces}.translate(None, {misses})){many}")
        self.note(ASKED, site, n, f"l{site.dest}", faces)

    def _call(self, site: Site, depth: int) -> None:
        """A call; asked of nobody, nothing happens."""
        assert site.callee is not None
        args = [
            self._kept(a, depth) if self.traced or i in site.unsure else self._text(a) for i, a in enumerate(site.asks)
        ]
        program = self.made.program
        name = self.made.called(site.callee, program.wanted(site.callee))
        given = "".join(f", {a}" for a in args)
        if site.snapshot >= 0:
            call = f"P.call({name}, S, l{site.snapshot}{given})"
        else:
            call = f"{name}(S, P{given})"
        dest = f"l{site.dest}"
        known = " and ".join(f"{args[i]} is not None and {args[i]} != -1" for i in site.unsure)
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


def _noted(item: Do) -> int | None:
    """The number of the note that a statement appends."""
    if not item.text.startswith("N.append(("):
        return None
    return int(item.text[10:].partition(",")[0])


def _plain(roll: Any) -> bool:
    """Whether a roll is one die for each, thrown once."""
    _, _, dice, _, again, thrown = roll
    return bool(dice == 1 and not again and thrown)
