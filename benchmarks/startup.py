"""Whole processes: `umpire check`, warm and cold, beside Python itself and what else looks at YAML in a pipeline; and
`umpire odds` of an ordinary volley: of rules never seen, and of rules that are known.

All take turns, and each is compared with its neighbour of the same round, by the time of the processor that it used:
a busy machine lets each wait as long as it likes.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median

import ours

ROOT = Path(__file__).parent.parent
BIN = Path(sys.executable).parent
UMPIRE = [
    sys.executable,
    "-c",
    "import sys; from interpreter.__main__ import main; sys.exit(main())",
]  # as pip writes it


def schema() -> str:
    """Ours, for a tool that reads `kind side:` as null where we read nothing written."""
    made = json.loads((ROOT / "interpreter" / "document" / "rulefile.schema.json").read_text("utf-8"))
    made["$defs"]["body"]["type"].append("null")
    text = json.dumps(made).replace("situation.schema.json#/$defs/situation", "#/$defs/body")
    return text.replace('"rulefile.schema.json"', '"urn:rulefile"')


def commands(folder: Path, lines: int) -> dict[str, list[str]]:
    path = folder / f"{lines}.yaml"
    path.write_text(ours.long_file(lines), "utf-8")
    (folder / "schema.json").write_text(schema(), "utf-8")
    settings = "{extends: relaxed, rules: {line-length: disable}}"
    found = {
        "python -c pass": [sys.executable, "-c", "pass"],
        "umpire check, unchanged": [*UMPIRE, "check", str(path)],
        "umpire check, never seen": [*UMPIRE, "check", "--no-cache", str(path)],
        "python -m interpreter check, unchanged": [sys.executable, "-m", "interpreter", "check", str(path)],
        "yamllint": [str(BIN / "yamllint"), "-d", settings, str(path)],
        "check-jsonschema": [str(BIN / "check-jsonschema"), "--schemafile", str(folder / "schema.json"), str(path)],
    }
    return {name: command for name, command in found.items() if Path(command[0]).exists()}


COLD, NEW = "umpire odds, rules never seen", "umpire odds, a volley never asked"


def questions(turn: int) -> dict[str, list[str]]:
    """An ordinary volley, with other figures each time."""
    ask = [*UMPIRE, "odds", "modern", "shoot", "A: 6 figures, seasoned, rifle", 'distance 20"']
    return {
        "python -c pass": [sys.executable, "-c", "pass"],
        COLD: [*ask, f"B: {turn + 20} figures, green"],
        NEW: [*ask, f"B: {turn + 50} figures, green"],
    }


def asked(folder: Path, rounds: int) -> dict[str, list[float]]:
    """As `race`; the cache is emptied before each question to rules never seen."""
    spent: dict[str, list[float]] = {}
    race(questions(0), folder, 0)
    for turn in range(1, rounds + 1):
        for name, command in questions(turn).items():
            if name == COLD:
                known = list((folder / "umpire").glob("*.cache"))
                assert known, "the cache lies elsewhere: this row would measure something else"
                for path in known:
                    path.unlink()
            spent.setdefault(name, []).extend(race({name: command}, folder, 1, first=1)[name])
    return spent


def race(all_of_them: dict[str, list[str]], folder: Path, rounds: int, first: int = 0) -> dict[str, list[float]]:
    """Seconds of each command in each round, after one that does not count (or, `first` 1, at once)."""
    environment = {k: v for k, v in os.environ.items() if k not in ("PYTHONDONTWRITEBYTECODE", "UMPIRE_CACHE")}
    environment |= {"XDG_CACHE_HOME": str(folder), "PYTHONPATH": str(ROOT)}
    spent: dict[str, list[float]] = {name: [] for name in all_of_them}
    for turn in range(first, rounds + 1):
        for name, command in all_of_them.items():
            begun = used()
            done = subprocess.run(command, env=environment, cwd=folder, capture_output=True, text=True)
            if turn:
                spent[name].append(used() - begun)
            assert done.returncode == 0, f"{name}: {done.stdout[-500:]}{done.stderr[-500:]}"
    return spent


def used() -> float:
    """Seconds of the processor that all processes which have ended used, their own and the system's."""
    found = resource.getrusage(resource.RUSAGE_CHILDREN)
    return found.ru_utime + found.ru_stime


def ratio(spent: dict[str, list[float]], one: str, two: str) -> float | None:
    """The median of round by round."""
    if not spent.get(one) or not spent.get(two):
        return None
    return median(a / b for a, b in zip(spent[one], spent[two], strict=True))


def run(rounds: int, targets: object) -> None:
    at_most, at_least = targets.at_most, targets.at_least  # type: ignore[attr-defined]
    cold = "umpire check, never seen"
    long: dict[int, dict[str, list[float]]] = {}
    with tempfile.TemporaryDirectory() as folder:
        for lines in (1_000, 10_000):
            spent = long[lines] = race(commands(Path(folder), lines), Path(folder), rounds)
            print(f"\na file of {lines:,} lines, whole processes")
            for name, each in spent.items():
                times = ratio(spent, name, "python -c pass")
                print(f"  {name:40} {median(each) * 1e3:9.1f} ms  {times:8.2f}x python -c pass")
            at_most(
                "T7",
                f"{lines:,} lines unchanged / python -c pass",
                ratio(spent, "umpire check, unchanged", "python -c pass"),
                5,
            )
            for peer in ("yamllint", "check-jsonschema"):
                at_least("T7", f"{lines:,} lines: {peer} / never seen", ratio(spent, peer, cold), 1)
        spent = asked(Path(folder), rounds)
        print("\nan ordinary volley, whole processes")
        for name, each in spent.items():
            times = ratio(spent, name, "python -c pass")
            print(f"  {name:40} {median(each) * 1e3:9.1f} ms  {times:8.2f}x python -c pass")
        at_most("T7", "a volley never asked / python -c pass", ratio(spent, NEW, "python -c pass"), 10)
    floor = median(long[1_000]["python -c pass"])
    grown = (median(long[10_000][cold]) - floor) / (median(long[1_000][cold]) - floor)
    at_most("T10", "whole process: 10,000 lines / 1,000 lines", grown, 12)
