"""Thousands of applications of laws without an oracle, with a report by law.

    python fuzz/laws.py --count 20000 --from 0 --processes 2 --findings findings

Enters: how many applications, and the number of the first game. Leaves: by law, how often it was applied, not
applicable, too large, refused or failed; and of the first three failures of a law what is left of the game when it is
made small. A game is drawn from its number alone: `--only 4711` makes it again. Exit code 1 when a law failed or
something crashed. Must not know what a rule means.
"""

from __future__ import annotations

import argparse
import json
import signal
import sys
import traceback
from collections import Counter
from collections.abc import Iterator
from multiprocessing import get_context
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

SECONDS = 60  # of the processor, for all laws on one game
OUTCOMES = ("applied", "not applicable", "too large", "refused", "failed")
EACH = 3  # failures of a law that are made small


class Slow(BaseException):
    """Nobody's `except Exception` may swallow it."""


def _slow(*_: Any) -> None:
    raise Slow


def tried(number: int) -> tuple[int, list[Any], str]:
    """All trials of a number, or how they crashed."""
    from metamorphic.alike import trial
    from metamorphic.trying import trials

    signal.signal(signal.SIGPROF, _slow)
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    try:
        return number, [*trials(number), trial(number)], ""
    except Slow:
        return number, [], "slow"
    except Exception:
        return number, [], traceback.format_exc()
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def every(first: int, processes: int, only: list[int] | None) -> Iterator[tuple[int, list[Any], str]]:
    """The trials of one number after the other, for as long as somebody asks."""
    numbers = iter(only) if only else iter(range(first, first + 10**9))
    if processes == 1:
        yield from map(tried, numbers)
        return
    with get_context("spawn").Pool(processes) as pool:
        while batch := [n for _, n in zip(range(processes * 20), numbers, strict=False)]:
            yield from pool.imap_unordered(tried, batch)


def main() -> int:
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--count", type=int, default=20_000, help="applications that came to an answer")
    asked.add_argument("--from", dest="first", type=int, default=0)
    asked.add_argument("--processes", type=int, default=1)
    asked.add_argument("--only", type=int, action="append")
    asked.add_argument("--findings", type=Path)
    given = asked.parse_args()
    from metamorphic.shrinking import report, shrunk

    counted: dict[str, Counter[str]] = {}
    codes: Counter[str] = Counter()
    applied = slow = games = 0
    crashes: list[tuple[int, str]] = []
    for number, found, broke in every(given.first, given.processes, given.only):
        games += 1
        if broke == "slow":
            slow += 1
        elif broke:
            crashes.append((number, broke))
            print(f"game {number}: {broke}", file=sys.stderr, flush=True)
        for trial in found:
            by = counted.setdefault(trial.law, Counter())
            by[trial.outcome] += 1
            applied += trial.outcome in ("applied", "failed")
            if trial.outcome == "refused":
                codes[f"{trial.law}: {trial.told[:60]}"] += 1
            if trial.outcome == "failed":
                print(f"game {number}: {trial.law} failed", file=sys.stderr, flush=True)
                if given.findings and by["failed"] <= EACH:
                    given.findings.mkdir(parents=True, exist_ok=True)
                    path = given.findings / f"{trial.law}-{number}.yaml"
                    path.write_text(report(shrunk(trial)), encoding="utf-8")
        if games % 200 == 0:
            print(f"{games} games, {applied} applications", file=sys.stderr, flush=True)
        if applied >= given.count:
            break
    told = {
        "applications": applied,
        "games": games,
        "slow": slow,
        "laws": {name: ", ".join(f"{by[o]} {o}" for o in OUTCOMES if by[o]) for name, by in sorted(counted.items())},
        "refusals": dict(codes.most_common(60)),
        "crashed": [number for number, _ in crashes],
    }
    print(json.dumps(told, indent=1))
    return 1 if crashes or any(by["failed"] for by in counted.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
