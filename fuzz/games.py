"""Games made up at random, in large numbers: `python fuzz/games.py --count N --from SEED [--keep FOLDER]`.

Enters: seeds. Leaves: a report of what was reached, and a folder of files for each game that failed, made small.
Where it was stopped it goes on: what was judged is kept in FOLDER, by seed.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests"))
os.environ.setdefault("XDG_CACHE_HOME", tempfile.mkdtemp(prefix="umpire-games-"))

from games import game  # noqa: E402
from games.driver import Verdict, judge, reference  # noqa: E402
from games.report import Report, noting_sentences  # noqa: E402
from games.shrink import shrunk  # noqa: E402


def main() -> int:
    said = argparse.ArgumentParser(description=__doc__)
    said.add_argument("--count", type=int, default=1000)
    said.add_argument("--from", dest="first", type=int, default=0)
    said.add_argument("--keep", type=Path, default=ROOT / ".venv" / "games")
    said.add_argument("--quick", action="store_true", help="failures are told and not made small")
    told = said.parse_args()
    told.keep.mkdir(parents=True, exist_ok=True)
    report = Report()
    log = told.keep / "judged.jsonl"
    known = _known(log)
    with open(log, "a", encoding="utf-8") as file:
        for seed in range(told.first, told.first + told.count):
            verdict = known.get(seed)
            if verdict is None:
                verdict = _judged(seed, report)
                file.write(
                    json.dumps([seed, verdict.how, verdict.why, verdict.told, [sorted(m) for m in set(verdict.met)]])
                    + "\n"
                )
                file.flush()
                if verdict.failed and not told.quick:
                    shrunk(seed, verdict, told.keep / f"{seed}")
            report.add(seed, verdict)
    print(report.written())
    return 1 if report.failures else 0


def _judged(seed: int, report: Report) -> Verdict:
    with tempfile.TemporaryDirectory() as folder, noting_sentences() as read:
        verdict = judge(game(seed), Path(folder), reference())
    report.read(read)
    return verdict


def _known(log: Path) -> dict[int, Verdict]:
    """What an earlier run has judged."""
    if not log.exists():
        return {}
    rows = [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]
    return {seed: Verdict(how, why, told, [frozenset(m) for m in met]) for seed, how, why, told, met in rows}


if __name__ == "__main__":
    sys.exit(main())
