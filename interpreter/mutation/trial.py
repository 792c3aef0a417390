"""Tries one mutant: it does not compile, is equivalent, is detected by an example, or survives.

Takes hosts (rule sets with their examples) and a mutant. Gives a `Verdict`. Knows nothing of how mutants are made.
"""

from __future__ import annotations

import re
import signal
import sys
import threading
import time
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any

from interpreter.language import Refusal, parse
from interpreter.places import LANGUAGE
from interpreter.program.program import Program
from interpreter.rulebook.book import Book
from interpreter.rulebook.check import check_book, declare_book
from interpreter.rulebook.reached import preset_wanted_lines
from interpreter.rulebook.sheets import Sheet
from interpreter.source import Problems
from interpreter.source.values import Struct
from interpreter.workbench.rule_sets import RuleSet
from interpreter.workbench.running import run

from .equivalent_mutants import code_texts, is_idle
from .example_coverage import Host, Record, words_of
from .mutants import Mutant
from .witnesses import Shown, shown

NOTICED, ENDLESS, SURVIVED, SAME, UNREAD = "noticed", "endless", "survived", "same", "unread"
_KEYS = ("title", "line_key", "row_key", "case_key")
DOUBTFUL = 12  # examples that pass before the mutant is checked for equivalence
PATIENCE = 1.5  # seconds of processor time for one mutant in the quick rounds
_BODIES = ("line", "adjust", "row", "attribute", "ending", "words", "convention", "options")


class Verdict(Struct):
    """`by`: the example that detected it; `mark`: the mark of that example. For a survivor, `ran`: the examples whose
    plays ran its line; `vain`: the marks of all that were run; `left`: how many were not run; `shows`: a question that
    would detect it.
    """

    mutant: int
    what: str
    by: str = ""
    ran: tuple[str, ...] = ()
    vain: tuple[str, ...] = ()
    shows: Shown | None = None
    mark: str = ""
    left: int = 0

    @property
    def asked(self) -> int:
        return len(self.vain)

    @property
    def hint(self) -> str:
        """For a survivor, which example could detect it."""
        if self.left:
            return f"of {_many(self.asked + self.left)} that could notice it {self.asked} were asked"
        if not self.asked:
            return "no example runs this line: write one that does"
        if not self.ran:
            return f"no example's play runs this line; {_many(self.asked)} could"
        if self.shows is not None:
            return f"{self.shows.example} would, if it expected {self.shows.words}"
        first = ", ".join(self.ran[:3]) + (f" and {len(self.ran) - 3} more" if len(self.ran) > 3 else "")
        return f"run by {first}: write one in which it matters"


def _many(n: int) -> str:
    return f"{n} example{'' if n == 1 else 's'}"


class _Late(BaseException):
    """Raised when an example takes too long."""


class Trial:
    """Tries mutants of one sheet in turn; the examples that detected the last mutants of a definition run first."""

    def __init__(self, hosts: list[Host], sheet: str, known: Collection[str] = ()) -> None:
        """`known`: the marks of examples that existed in the last campaign; new ones run first."""
        self.hosts, self.sheet, self.known = hosts, sheet, known
        self._starts: dict[tuple[str, bool], list[str]] = {}
        self._detectors: dict[str, list[tuple[int, int]]] = {}  # recent (host, example), by definition and address
        self._rarity = [host.rarity() for host in hosts]
        self._texts: dict[tuple[int, str | None], tuple[str, ...]] = {}

    def of(
        self,
        mutant: Mutant,
        first: str = "",
        before: Verdict | None = None,
        last: bool = True,
        patience: float | None = None,
    ) -> Verdict:
        """The verdict on a mutant. The example with the mark `first` runs first; those in `before`, which it survived,
        do not run again. `last`: search for a question that would detect a survivor. `patience`: seconds after which no
        further example is started.
        """
        began = time.process_time()
        if not self._parses(mutant):
            return Verdict(mutant.number, UNREAD)
        changed: dict[int, RuleSet | None] = {}
        programs: dict[int, dict[Any, Program]] = {}
        order = self._order(mutant, first)
        vain = before.vain if before is not None else ()
        left = [found for found in order if found[2].mark not in vain]
        asked: list[str] = []
        doubted = before is not None
        for at, place, record, _ in left:
            if patience is not None and record.mark != first:
                if time.process_time() - began > patience:
                    break
                if record.noted.seconds > patience:
                    continue
            if at not in changed:
                changed[at] = mutated(self.hosts[at].rules, self.sheet, mutant, whole=False)
            rules = changed[at]
            if rules is None:
                return Verdict(mutant.number, UNREAD)
            if not doubted and (mutant.plain or len(asked) >= DOUBTFUL):
                paused = time.process_time()
                doubted, known = True, self._verdict_without_examples(mutant, changed)
                if known is not None:
                    return known
                began += time.process_time() - paused
            try:
                noticed = self._notices(mutant, at, record, changed, programs)
            except Exception:  # rules checked only in part may fail; rules that check as a whole must not
                if mutated(self.hosts[at].rules, self.sheet, mutant) is not None:
                    raise
                return Verdict(mutant.number, UNREAD)
            if noticed and not self._is_sound(mutant, at):
                return Verdict(mutant.number, UNREAD)
            if noticed:
                for name in (mutant.address, mutant.definition):
                    awake = self._detectors.setdefault(name, [])
                    if (at, place) in awake:
                        awake.remove((at, place))
                    awake.insert(0, (at, place))
                return Verdict(mutant.number, noticed, record.name, mark=record.mark)
            asked.append(record.mark)
        ran = tuple(record.name for _, _, record, ran_it in order if ran_it)
        if not doubted and (known := self._verdict_without_examples(mutant, changed)) is not None:
            return known
        if before is None and any(mutated(host.rules, self.sheet, mutant) is None for host in self.hosts):
            return Verdict(mutant.number, UNREAD)
        shows = before.shows if before is not None else None
        unasked = len(left) - len(asked)
        if last and shows is None and not unasked and (before is None or left):
            shows = self._find_question(mutant, ran)
        known_to = {record.mark for _, _, record, _ in order}
        in_vain = (*(mark for mark in vain if mark in known_to), *asked)
        return Verdict(mutant.number, SURVIVED, ran=ran, vain=in_vain, shows=shows, left=unasked)

    def _is_sound(self, mutant: Mutant, at: int) -> bool:
        """Whether an example that fails has detected the mutant, and not an error in the mutated rules: these check as
        a whole. If no type can have changed, checking the definition was enough.
        """
        return mutant.plain or mutated(self.hosts[at].rules, self.sheet, mutant) is not None

    def _verdict_without_examples(self, mutant: Mutant, changed: dict[int, RuleSet | None]) -> Verdict | None:
        """The verdict without running examples, if there is one: the mutant compiles in none of the rule sets, or is
        equivalent in all. If no type can have changed, only the definition is compared.
        """
        differs = False
        only = mutant.definition if mutant.plain else None
        for at, host in enumerate(self.hosts):
            rules = changed.get(at) if mutant.plain else None
            rules = rules or mutated(host.rules, self.sheet, mutant)
            if rules is None:
                return Verdict(mutant.number, UNREAD)
            if not differs:
                if (at, only) not in self._texts:
                    self._texts[at, only] = code_texts(_unchanged(host.rules, mutant, whole=not mutant.plain), only)
                differs = code_texts(rules, only) != self._texts[at, only]
        return None if differs and not self._moves_unobserved_end(mutant) else Verdict(mutant.number, SAME)

    def _moves_unobserved_end(self, mutant: Mutant) -> bool:
        """Whether the mutant only changes whether a mark ends before or after a procedure that does not use the
        mark.
        """
        without = mutant.without_moment()
        moment = re.match(r" ([\w-]+)(?![\w.-])(?! as target)", mutant.now[mutant.end :])
        if without is None or moment is None:
            return False
        for host in self.hosts:
            rules = mutated(host.rules, self.sheet, without)
            if rules is None or moment[1] not in rules.book.procedures:
                return False
            if not is_idle(rules, mutant.definition, moment[1]):
                return False
        return True

    def _find_question(self, mutant: Mutant, ran: Sequence[str]) -> Shown | None:
        """The first question, of a few examples that ran the line, whose answer differs."""
        for host in self.hosts:
            places = {r.name: r.place for r in host.records}
            for name in ran[:2]:
                if name not in places:
                    continue
                now = _unchanged(host.rules, mutant, whole=True)  # not shared: an interruption leaves it incomplete
                then = mutated(host.rules, self.sheet, mutant)
                if then is None:
                    break
                with suppress(_Late), _no_longer_than(5):
                    found = shown(now, then, host.examples[places[name]], mutant.definition)
                    if found is not None:
                        return found
        return None

    def _parses(self, mutant: Mutant) -> bool:
        """Whether its text still parses: the cheapest check, done first."""
        if mutant.instead is None:
            return True
        text = mutant.now
        made = text[: mutant.start] + mutant.instead + text[mutant.end :]
        if made == text:
            return False
        for keys in (_KEYS, _BODIES):
            if (text, keys is _KEYS) not in self._starts:
                self._starts[text, keys is _KEYS] = [s for s in keys if _readable(text, s)]
        starts = self._starts[text, True] + self._starts[text, False]
        return not starts or any(_readable(made, s) for s in starts)

    def _order(self, mutant: Mutant, first: str) -> list[tuple[int, int, Record, bool]]:
        """The order of examples: the one known to detect it; new ones; those that ran the line, alternating between
        those in which its condition held and failed, recent detectors first; then the rest.
        """
        found = []
        here, near = self._detectors.get(mutant.address, []), self._detectors.get(mutant.definition, [])
        line = words_of(f"{mutant.definition} {mutant.address.split('.')[-1]} {mutant.line} {mutant.instead or ''}")
        for at, host in enumerate(self.hosts):
            rarity = self._rarity[at]
            for rank, record in enumerate(host.records):
                if not concerns(record, mutant, host.rules.book):
                    continue
                ran_it = ran_line(record, mutant)
                who = (at, record.place)
                late = [awake.index(who) if who in awake else len(awake) for awake in (here, near)]
                alike = sum(rarity[word] for word in sorted(line & record.own))
                sort = (record.mark != first, record.mark in self.known, not ran_it)
                found.append((sort, (*late, record.slow, -alike, rank, at), record, ran_it))
        found.sort(key=lambda x: x[:2])
        turns: Counter[Any] = Counter()
        order = []
        for place, (sort, behind, record, ran_it) in enumerate(found):
            passed = mutant.address not in record.noted.done
            order.append(((sort, turns[sort, passed], passed, place), (int(behind[-1]), record.place, record, ran_it)))
            turns[sort, passed] += 1
        return [who for _, who in sorted(order, key=lambda x: x[0])]

    def _notices(
        self,
        mutant: Mutant,
        at: int,
        record: Record,
        changed: dict[int, RuleSet | None],
        programs: dict[int, dict[Any, Program]],
    ) -> str:
        host = self.hosts[at]
        for longer in (1, 4):  # a retry: garbage collection may have caused the delay
            rules = changed[at]
            assert rules is not None, "an unreadable mutant is not run"
            try:
                with _no_longer_than(longer * (5 * record.noted.seconds + 0.5)):
                    known = programs.setdefault(at, {})
                    result = run(rules, host.examples[record.place], shown=False, alone=False, programs=known)
                    return "" if result.passed else NOTICED
            except _Late:  # rules are checked on demand, so an interruption leaves them incomplete
                programs.pop(at, None)
                changed[at] = mutated(host.rules, self.sheet, mutant, whole=False)
        return ENDLESS


def concerns(record: Record, mutant: Mutant, book: Book) -> bool:
    """Whether an example can detect a change at this place: of a row, if it was looked up; of a value or procedure, if
    it was computed or run; of a declaration, if something names it.
    """
    name, path = mutant.definition, mutant.address.split(".")
    if name in book.procedures or name in book.values or name in book.rolls or name in book.limits:
        return name in record.noted.touches
    if name in book.tables:
        return (name, path[1]) in record.noted.rows if len(path) > 1 else name in record.noted.touches
    if name in book.kinds and len(path) > 1:
        return path[1] in record.words
    if name in book.rules or name in book.conventions or name in book.kinds or name in book.rulings:
        return True
    return name in record.words


def ran_line(record: Record, mutant: Mutant) -> bool:
    """Whether a play of the example ran this line; for lines that plays do not record, whether their definition was
    used.
    """
    within = mutant.definition + "."
    recorded = any(line.startswith(within) for line in record.noted.lines)
    if mutant.what in ("to", "value", "roll") and (recorded or mutant.what == "to"):
        return any(line == mutant.address or line.startswith(mutant.address + ".") for line in record.noted.lines)
    return mutant.definition in record.noted.touches or mutant.address.split(".")[-1] in record.words


def mutated(rules: RuleSet, name: str, mutant: Mutant, whole: bool = True) -> RuleSet | None:
    """The rule set with a mutant in its sheet `name`; None if it does not check. Checks all of it, or only that
    definition and those it refers to, which is much faster.
    """
    sheets = []
    for sheet in rules.sheets:
        if sheet.name == name:
            root = mutant.applied(sheet.root)
            if root is None:
                return None
            sheet = Sheet.of(sheet.name, root, sheet.laid)
        sheets.append(sheet)
    return _checked(rules, sheets, mutant, whole)


def _unchanged(rules: RuleSet, mutant: Mutant, whole: bool) -> RuleSet:
    """The original rules, checked in the same order as a mutant: with circular rules the content of a record depends on
    the order of checking.
    """
    made = _checked(rules, rules.sheets, mutant, whole)
    assert made is not None
    return made


def _checked(rules: RuleSet, sheets: Sequence[Sheet], mutant: Mutant, whole: bool) -> RuleSet | None:
    problems = Problems()
    book, checker = (check_book if whole else declare_book)(sheets, LANGUAGE, problems)
    if not whole:
        for name, fact in book.facts.items():  # a line that sets it may be checked only after the state is laid out
            known = rules.book.facts.get(name)
            fact.changes = fact.changes or (known is not None and known.changes)
        if mutant.plain:
            preset_wanted_lines(book, checker, rules.book, rules.checker)
        pure = book.values.get(mutant.definition) or book.rolls.get(mutant.definition)
        if pure is not None:
            checker.pure(pure)
        elif mutant.definition in book.procedures:
            checker.procedure(book.procedures[mutant.definition])
    return None if problems.has_errors else RuleSet(tuple(sheets), book, checker)


def _readable(text: str, start: str) -> bool:
    return not isinstance(parse(text.rstrip("\n"), start, LANGUAGE), Refusal)


@contextmanager
def _no_longer_than(seconds: float) -> Iterator[None]:
    """A context that raises `_Late` in its block after some seconds of processor time, if the system has such a timer.
    The timer repeats until the exception is seen, since exceptions in finalizers are swallowed.
    """
    if not hasattr(signal, "setitimer"):
        yield
        return
    if threading.current_thread() is not threading.main_thread():  # such as a worker of a cluster
        with _thread_no_longer_than(seconds):
            yield
        return

    def late(*_: object) -> None:
        raise _Late

    def swallowed(what: sys.UnraisableHookArgs) -> None:
        if not issubclass(what.exc_type, _Late):
            original(what)

    original, sys.unraisablehook = sys.unraisablehook, swallowed
    before = signal.signal(signal.SIGVTALRM, late)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds, 0.5)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
        sys.unraisablehook = original


@contextmanager
def _thread_no_longer_than(seconds: float) -> Iterator[None]:
    """As `_no_longer_than`, for a thread that receives no signals. A second thread watches the processor time of the
    first, and raises the exception in it until the block ends.
    """
    import ctypes  # imported late: processes of `--jobs` do not need it

    ident = threading.get_ident()
    clock = time.pthread_getcpuclockid(ident)
    until = time.clock_gettime(clock) + seconds
    over, turn = threading.Event(), threading.Lock()

    def watch() -> None:
        while not over.wait(0.1):
            with turn:
                if not over.is_set() and time.clock_gettime(clock) > until:
                    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(ident), ctypes.py_object(_Late))

    threading.Thread(target=watch, daemon=True).start()
    try:
        yield
    finally:
        with turn:
            over.set()
