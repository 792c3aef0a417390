"""`make bench`: checks that all fractions are the same, times all sides in turns, prints ratios and targets.

python benchmarks/run.py [--only p1 p3] [--rounds 5] [--patience 30]
"""

from __future__ import annotations

import argparse
import gc
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

import hand
import large
import ours
import peers
import startup

NAMES = ("p1", "p2", "p3", "p4a", "p4b")
HAND = {"p1": hand.p1, "p2": hand.p2, "p3": hand.p3, "p4a": hand.p4a, "p4b": hand.p4b}


class Late(Exception):
    """Patience ran out."""


@contextmanager
def patience(seconds: float) -> Iterator[None]:
    def late(*_: Any) -> None:
        raise Late

    before = signal.signal(signal.SIGALRM, late)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@dataclass
class Entrant:
    """Something to time. `before` runs untimed before every call; what is slow runs once."""

    name: str
    run: Callable[[], Any]
    before: Callable[[], None] = lambda: None
    per: int = 1  # calls inside one `run`
    samples: list[float] = field(default_factory=list)
    note: str = ""

    def sample(self, budget: float, limit: float) -> None:
        if self.note or (self.samples and self.samples[0] > budget * 4):
            return
        spent: list[float] = []
        end = perf_counter() + budget
        try:
            while not spent or (perf_counter() < end and len(spent) < 400):
                self.before()
                with patience(limit):
                    begun = perf_counter()
                    self.run()
                    spent.append(perf_counter() - begun)
        except Late:
            self.note = f"> {limit:.0f} s"
            return
        self.samples.append(median(spent) / self.per)

    @property
    def time(self) -> float | None:
        return median(self.samples) if self.samples and not self.note else None


def race(entrants: list[Entrant], rounds: int, limit: float, budget: float = 0.08) -> None:
    for _ in range(rounds):
        gc.collect()
        for entrant in entrants:
            entrant.sample(budget, limit)


def ratio(a: float | None, b: float | None) -> float | None:
    return a / b if a is not None and b is not None else None


def table(title: str, entrants: list[Entrant], base: Entrant, unit: float, word: str) -> None:
    print(f"\n{title}")
    for e in entrants:
        times = ratio(e.time, base.time)
        shown = (
            f"{e.time * unit:12.3f} {word}  {times:9.2f}x"
            if e.time is not None and times is not None
            else f"{e.note:>15}"
        )
        print(f"  {e.name:34} {shown}", flush=True)


class Targets:
    def __init__(self) -> None:
        self.rows: list[tuple[str, str, str, str]] = []

    def at_most(self, target: str, what: str, value: float | None, limit: float, unit: str = "x") -> None:
        met = "met" if value is not None and value <= limit else "MISSED"
        found = f"{value:.2f}{unit}" if value is not None else "-"
        self.rows.append((target, what, found, f"{met} (at most {limit:g}{unit})"))

    def at_least(self, target: str, what: str, value: float | None, limit: float, never: bool = False) -> None:
        met = "met" if never or (value is not None and value >= limit) else "MISSED"
        self.rows.append((target, what, f"{value:.2f}x" if value is not None else "-", f"{met} (at least {limit:g}x)"))

    def show(self) -> None:
        print("\nTargets")
        for target, what, value, met in sorted(self.rows, key=lambda r: (int(r[0][1:]), r[0])):
            print(f"  {target:4} {what:46} {value:>10}  {met}")


# ---- are all fractions the same?
def outcome(name: str, value: Any) -> Any:
    """An answer of ours in the words of the hand-written side."""
    if name == "p3":
        return sum(1 << row for row in value[0]) | sum(1 << 5 + row for row in value[1])
    return value[0] if len(value) == 1 else value


def checks(name: str, mine: ours.Ready, limit: float) -> set[str]:
    """What can be timed: entrants that answer at all, all with the same fractions."""
    law, total = HAND[name]()
    wanted = {k: Fraction(w, total) for k, w in law.items() if w}
    fine = set()
    tasks = [("umpire", mine.cold, lambda law: {outcome(name, k): v for k, v in mine.shares(law).items()})]
    tasks += [(label, f, shares) for label, (f, shares) in peers.exact(name).items()]
    for label, f, shares in tasks:
        try:
            with patience(limit):
                found = shares(f())
        except Late:
            print(f"  {name:4} {label:30} no answer in {limit:.0f} s")
            continue
        same = {k: v for k, v in found.items() if v} == wanted
        print(
            f"  {name:4} {label:30} {len(found):6} outcomes, {'identical' if same else 'DIFFERENT'}",
            flush=True,
        )
        if not same:
            sys.exit(f"{label} and the hand-written answer to {name} differ")
        fine.add(label)
    return fine


# ---- exact odds
def exact(name: str, mine: ours.Ready, fine: set[str], rounds: int, limit: float, targets: Targets) -> None:
    base = Entrant("hand-written", HAND[name], hand.forget)
    entrants = [base]
    if "umpire" in fine:
        cold = Entrant("umpire, cold", mine.cold, ours.forget)
        rows = Entrant("umpire, laws of dice warm", mine.cold)
        mine.again()
        again = Entrant("umpire, asked again", mine.again)
        entrants += [cold, rows, again]
    else:
        cold = rows = Entrant("umpire, cold", mine.cold, note=f"> {limit:.0f} s")
        entrants.append(cold)
    others = [Entrant(k, f, hand.forget) for k, (f, _) in peers.exact(name).items() if k in fine]
    entrants += others
    race(entrants, rounds, limit)
    table(f"{name}: exact odds", entrants, base, 1e3, "ms")
    short = {"p1": 3.0, "p2": 1.1, "p3": 2.0, "p4a": 1.3}
    if name == "p4b":
        targets.at_most("T3", "p4b, ten figures / hand", ratio(cold.time, base.time), 1.5)
        return
    targets.at_most("T1", f"{name} cold / hand", ratio(cold.time, base.time), short[name])
    if name == "p1":
        targets.at_most("T1", "p1 warm / hand", ratio(rows.time, base.time), 1.5)
    best = min((e for e in others if e.time), key=lambda e: e.time or 0, default=None)
    ahead = {"p1": 5.0, "p2": 10.0, "p3": 3.0, "p4a": 7.0}
    if best is not None:
        targets.at_least("T2", f"{name}: {best.name} / cold", ratio(best.time, cold.time), ahead[name])
    for e in others:
        if name == "p2" and e.name == "icepool as it reads":
            targets.at_least("T2", "p2: icepool as it reads / cold", ratio(e.time, cold.time), 100)


def endless(rounds: int, limit: float, targets: Targets) -> None:
    """P4b at seven figures, beside icepool's own way to the end."""
    mine = ours.problem("p4b", 7)
    base = Entrant("hand-written", lambda: hand.p4b(7), hand.forget)
    cold = Entrant("umpire, cold", mine.cold, ours.forget)
    entrants = [base, cold]
    if peers.icepool is not None:
        entrants.append(Entrant("icepool, repeat='inf'", lambda: peers.icepool_p4(7, "inf"), hand.forget))
    race(entrants, rounds, limit)
    table("p4b at seven figures", entrants, base, 1e3, "ms")
    targets.at_most("T3", "p4b, seven figures / hand", ratio(cold.time, base.time), 1.5)
    if len(entrants) > 2:
        other = entrants[2]
        spent = other.time if other.time is not None else limit
        what = "p4b, seven: icepool's repeat='inf' / cold"
        targets.at_least("T3", what + (" (gave up)" if other.time is None else ""), ratio(spent, cold.time), 200)


# ---- play
PLAYED = {"p1": hand.play_p1, "p2": hand.play_p2, "p3": hand.play_p3, "p4a": hand.play_p4a}


def plays(name: str, mine: ours.Ready, rounds: int, limit: float, targets: Targets) -> None:
    many = 200
    seeds = iter(range(10**9))

    def run(f: Callable[[int], Any]) -> Callable[[], None]:
        def histories() -> None:
            for _ in range(many):
                f(next(seeds))

        return histories

    base = Entrant("hand-written, randint", run(lambda _: PLAYED[name]()), per=many)
    plain = Entrant("umpire, no trace", run(mine.history), per=many)
    traced = Entrant("umpire, every die and line traced", run(mine.with_trace), per=many)
    told = Entrant("umpire, traced, and told in words", run(mine.told), per=many)
    entrants = [base, plain, traced, told]
    if name == "p1":
        try:
            roll = peers.d20_roll()
            entrants.append(Entrant("d20, a bare 10d6", run(lambda _: roll()), per=many))
        except ImportError:
            pass
    race(entrants, rounds, limit)
    table(f"{name}: one history", entrants, base, 1e6, "us")
    targets.at_most("T5", f"{name} play / hand-written", ratio(plain.time, base.time), 1.0)
    targets.at_most("T5", f"{name} play with trace / hand-written", ratio(traced.time, base.time), 1.2)
    if len(entrants) > 4:
        targets.at_most("T5", "p1 play / d20 rolls 10d6", ratio(plain.time, entrants[4].time), 1.0)


def sane(name: str, mine: ours.Ready, many: int = 3000) -> None:
    """Histories fall as the odds say: the mean of the first line within five standard errors."""
    law, total = HAND[name]()
    if name == "p3":
        law = _counted(law)
    mean = sum(k[0] * w for k, w in law.items()) / total
    spread = (sum(k[0] ** 2 * w for k, w in law.items()) / total - mean**2) ** 0.5
    seen = 0
    for seed in range(many):
        values = mine.asked_of(mine.history(seed))
        seen += outcome(name, tuple(values)).bit_count() if name == "p3" else values[0]
    off = abs(seen / many - mean) / (spread / many**0.5)
    if off > 5:
        sys.exit(f"play of {name} is {off:.1f} standard errors off its odds")


def _counted(law: dict[Any, int]) -> dict[Any, int]:
    """How many results a vehicle has, of sets as bits."""
    found: dict[Any, int] = {}
    for have, weight in law.items():
        key = (have.bit_count(),)
        found[key] = found.get(key, 0) + weight
    return found


# ---- an expression; growth
def expressions(rounds: int, limit: float, targets: Targets) -> None:
    ours_, asked, values = ours.expression()
    unit = asked[0][1]
    states = [state for state, _ in asked]

    def native(row: dict[str, Any]) -> Any:
        return row["hits"] >= row["expertise"] + row["cover"] - (2 if row["aimed"] else 0)

    wanted = [native(v) for v in values]
    others = peers.expressions()
    assert [ours_(*a) for a in asked] == wanted
    assert all([bool(f(v)) for v in values] == wanted for f in others.values())

    def each(f: Callable[[Any], Any]) -> Callable[[], None]:
        def run() -> None:
            for v in values:
                f(v)

        return run

    def mine() -> None:
        for state in states:
            ours_(state, unit)

    base = Entrant("a Python function", each(native), per=1000)
    compiled = Entrant("umpire, a value of a unit", mine, per=1000)
    entrants = [base, compiled, *(Entrant(k, each(f), per=1000) for k, f in others.items())]
    race(entrants, rounds, limit)
    table("an expression", entrants, base, 1e6, "us")
    targets.at_most("T6", "expression / Python function", ratio(compiled.time, base.time), 1.2)


def growth(rounds: int, limit: float, targets: Targets) -> None:
    for label, make in (("p1, numbers", lambda n: ours.problem("p1", n)), ("modern, figures", ours.skirmish)):
        ten, hundred = make(10), make(100)
        small = Entrant(f"{label}: ten", ten.cold, ours.forget)
        large = Entrant(f"{label}: a hundred", hundred.cold, ours.forget)
        race([small, large], rounds, limit)
        table("ten and a hundred alike figures", [small, large], small, 1e3, "ms")
        targets.at_most("T10", f"{label}: a hundred / ten", ratio(large.time, small.time), 5)
    ours.check_time(10)
    short = [ours.check_time(125) for _ in range(3)]
    long = [ours.check_time(1250)]
    print(f"\ncheck of 1,000 lines {median(short):.2f} s, of 10,000 {median(long):.2f} s")
    targets.at_most("T10", "check: 10,000 lines / 1,000 lines", median(long) / median(short), 12)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--only", nargs="*", choices=[*NAMES, "endless", "expression", "growth", "startup", "large"], default=[]
    )
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--patience", type=float, default=30, help="seconds after which one answer is given up")
    given = parser.parse_args()
    sys.set_int_max_str_digits(0)
    targets = Targets()
    chosen = [n for n in NAMES if not given.only or n in given.only]
    print("Checks")
    for name in chosen:
        mine = ours.problem(name)
        fine = checks(name, mine, given.patience)
        exact(name, mine, fine, given.rounds, given.patience, targets)
        if name in PLAYED:
            sane(name, mine)
            plays(name, mine, given.rounds, given.patience, targets)
    if not given.only or "endless" in given.only:
        endless(given.rounds, given.patience, targets)
    if not given.only or "expression" in given.only:
        expressions(given.rounds, given.patience, targets)
    if not given.only or "growth" in given.only:
        growth(given.rounds, given.patience, targets)
    if not given.only or "startup" in given.only:
        startup.run(given.rounds, targets)
    if not given.only or "large" in given.only:
        large.run(1, given.patience, targets)
    targets.show()


if __name__ == "__main__":
    main()
