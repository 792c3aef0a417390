"""Games made up at random, in large numbers: `fuzz/games.py --count N --from SEED --processes 2 [--keep FOLDER]`.

Enters: seeds. Leaves: a report of what was reached, a folder of files for each game that failed, made small, and in
`not-reached.txt` the pairs of constructs that no play passed. Where it was stopped it goes on: what was judged is kept
in FOLDER, by seed.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from collections.abc import Iterator
from functools import partial
from multiprocessing import get_context
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests"))
os.environ.setdefault("XDG_CACHE_HOME", tempfile.mkdtemp(prefix="umpire-games-"))

from games import game  # noqa: E402
from games.driver import Verdict, judge, reference  # noqa: E402
from games.report import Report, noting_sentences, productions_of  # noqa: E402
from games.shrink import shrunk  # noqa: E402


def main() -> int:
    said = argparse.ArgumentParser(description=__doc__)
    said.add_argument("--count", type=int, default=1000)
    said.add_argument("--from", dest="first", type=int, default=0)
    said.add_argument("--keep", type=Path, default=ROOT / ".venv" / "games")
    said.add_argument("--quick", action="store_true", help="failures are told and not made small")
    said.add_argument("--no-examples", action="store_true", help="what `umpire test` says of them is not looked at")
    said.add_argument("--processes", type=int, default=1)
    told = said.parse_args()
    told.keep.mkdir(parents=True, exist_ok=True)
    report = Report()
    log = told.keep / "judged.jsonl"
    known = _known(log)
    wanted = range(told.first, told.first + told.count)
    for seed in wanted:
        if seed in known:
            report.add(seed, known[seed])
    with open(log, "a", encoding="utf-8") as file:
        for seed, verdict, read in _every([s for s in wanted if s not in known], told.processes, not told.no_examples):
            met = [sorted(m) for m in set(verdict.met)]
            file.write(json.dumps([seed, verdict.how, verdict.why, verdict.told, met]) + "\n")
            file.flush()
            report.add(seed, verdict)
            report.productions.update(read)
            if verdict.failed and not told.quick:
                shrunk(seed, verdict, told.keep / f"{seed}")
    missing = told.keep / "not-reached.txt"
    missing.write_text("".join(f"{a} with {b}\n" for a, b in report.missing), encoding="utf-8")
    print(report.written())
    return 1 if report.failures else 0


def _every(seeds: list[int], processes: int, tested: bool) -> Iterator[tuple[int, Verdict, list[str]]]:
    """Each game's verdict, and the productions of the grammar by which it was read."""
    judged = partial(_judged, tested=tested)
    if processes == 1:
        yield from map(judged, seeds)
        return
    with get_context("spawn").Pool(processes, maxtasksperchild=50) as pool:
        yield from pool.imap_unordered(judged, seeds, chunksize=20)


def _judged(seed: int, tested: bool) -> tuple[int, Verdict, list[str]]:
    with tempfile.TemporaryDirectory() as folder, noting_sentences() as read:
        verdict = judge(game(seed), Path(folder), reference(), tested=tested)
    verdict.met = list(set(verdict.met))
    return seed, verdict, productions_of(read)


def _known(log: Path) -> dict[int, Verdict]:
    """What an earlier run has judged."""
    if not log.exists():
        return {}
    rows = [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]
    return {seed: Verdict(how, why, told, [frozenset(m) for m in met]) for seed, how, why, told, met in rows}


if __name__ == "__main__":
    sys.exit(main())
