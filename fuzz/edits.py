"""Ten thousand random edits of the shipped files: each gives problems or a clean load, and nothing else.

    python fuzz/edits.py --count 10000 --processes 2 --out edits.json

Enters: the shipped rule sets, examples and situations; a seed.  Leaves: how often each code was found, the slowest
file in steps of the processor, the peak of memory, and every text that broke (beside `--out`, as `broken-N.yaml`).
An edit is drawn from its number alone, so that any of them can be made again: `--only 4711`.
What an edit cannot touch is checked once: where a situation is edited, the rules that it names stay as they were, and
are kept (but for every tenth edit, which does without).
Must not know what a rule means.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import resource
import signal
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable
from multiprocessing import get_context
from pathlib import Path
from typing import Any
from unittest.mock import patch

from interpreter.folders import EXAMPLES, RULES
from interpreter.places import shipped as shipped_rules
from interpreter.rulebook.definitions import stack
from interpreter.source import Problems, render
from interpreter.workbench import files
from interpreter.workbench.rule_sets import RuleSet
from interpreter.workbench.rules import open_rules

ODD = [
    "\t",
    "\r\n",
    "\u2028",
    "\u00a0",
    "“",
    "”",
    "–",
    "\u0000",
    "\ufeff",
    "🎲",
    "é",
    *"|>'\"",
    "&a",
    "*a",
    "<<",
    "\x1b",
    "\u202e",
]
SIGNS = " :,()[]{}#+-@%?\n"
EVERY = 500  # edits between two looks at the memory
SECONDS = 60  # of the processor, for one file: what takes longer hangs


def shipped() -> list[Path]:
    """Every file that comes with Umpire, in a fixed order."""
    folders = (RULES, RULES / "tests", EXAMPLES, EXAMPLES / "house-rules")
    return [path for folder in folders for path in sorted(folder.glob("*.yaml"))]


def edited(number: int, texts: list[str], words: list[str]) -> tuple[int, str]:
    """The edit of this number: which file, and its text with one to three characters, words or lines changed."""
    dice = random.Random(f"edit {number}")
    file = dice.randrange(len(texts))
    text = texts[file]
    for _ in range(dice.choice((1, 1, 2, 3))):
        kind = dice.choice(("character", "word", "line"))
        parts = list(text) if kind == "character" else re.split(r"(\n)" if kind == "line" else r"([\w-]+)", text)
        at, other = dice.randrange(len(parts)), dice.randrange(len(parts))
        match dice.choice(("delete", "insert", "swap", "again", "number")):
            case "delete":
                del parts[at]
            case "insert" if kind == "character":
                parts.insert(at, dice.choice([*ODD, *SIGNS]))
            case "insert":
                parts.insert(at, dice.choice(words) + " ")
            case "swap":
                parts[at], parts[other] = parts[other], parts[at]
            case "number":
                parts.insert(at, dice.choice(["0", "-1", "99999", "9" * 40, "1-99999", '9999999"', "99999d6", "d255"]))
            case _:
                parts.insert(at, parts[other])
        text = "".join(parts)
    return file, text


class Kept:
    """`open_rules` as a file of situations asks for it, answered once for rules that the edit does not touch."""

    def __init__(self, names: list[str]) -> None:
        self.names, self.shipped = frozenset(names), frozenset(shipped_rules())
        self.edited = ""  # the file that an edit is made in, which is never kept
        self.rules: dict[tuple[object, ...], tuple[RuleSet | None, Problems]] = {}

    def open(
        self,
        name: str | Path,
        problems: Problems,
        folder: Path | None = None,
        said: frozenset[str] = frozenset(),
        **how: Any,
    ) -> RuleSet | None:
        untouched = self.shipped | (self.names - {self.edited})  # what comes along is found before what lies beside
        if folder is None or not untouched.issuperset(stack(str(name))):
            return open_rules(name, problems, folder, said, **how)
        asked = (str(name), folder, said, *sorted(how.items()))
        if asked not in self.rules:
            found = Problems()
            self.rules[asked] = open_rules(name, found, folder, said, **how), found
        rules, found = self.rules[asked]
        problems.extend(found)
        return rules


class Slow(BaseException):
    """Nobody's `except Exception` may swallow it."""


def _slow(*_: Any) -> None:
    raise Slow


def look(
    number: int, paths: list[Path], texts: list[str], words: list[str], folder: Path, kept: Kept
) -> dict[str, Any]:
    """One edit, checked as `umpire check` does; its codes, its time, and the traceback if there is one."""
    file, text = edited(number, texts, words)
    path = folder / paths[file].name
    path.write_text(text, encoding="utf-8", newline="")
    problems, broke, start = Problems(), "", time.process_time()
    kept.edited = path.stem
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    try:
        with patch.object(files, "open_rules", kept.open if number % 10 else open_rules):
            files.check_file(str(path), problems)
        shown = render(problems)
        if re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]", shown):
            broke = "a control character was shown raw"
    except (Exception, Slow):
        broke = traceback.format_exc()
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    took = time.process_time() - start
    codes = Counter(problem.code for problem in problems)
    return {"number": number, "file": paths[file].name, "codes": codes, "took": took, "broke": broke, "text": text}


def resident() -> int:
    """What this process holds now, in MiB; where that cannot be asked, the most it ever held."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
        return pages * resource.getpagesize() // 2**20
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


def part(numbers: list[int]) -> dict[str, Any]:
    """A share of the edits, in one process."""
    signal.signal(signal.SIGPROF, _slow)
    paths = shipped()
    texts = [path.read_text(encoding="utf-8") for path in paths]
    words = sorted({word for text in texts for word in re.findall(r"[\w-]+|[^\w\s]", text)})
    codes: Counter[str] = Counter()
    clean, slowest, broken, memory = 0, (0.0, "", -1), [], []
    kept = Kept([path.stem for path in paths])
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for path, text in zip(paths, texts, strict=True):  # a file beside another may speak of it
            (folder / path.name).write_text(text, encoding="utf-8", newline="")
        for done, number in enumerate(numbers):
            found = look(number, paths, texts, words, folder, kept)
            (folder / found["file"]).write_text(texts[[p.name for p in paths].index(found["file"])], encoding="utf-8")
            codes.update(found["codes"].keys())
            clean += not found["codes"]
            slowest = max(slowest, (found["took"], found["file"], number))
            if found["broke"]:
                broken.append(found)
                print(f"{number} {found['file']}: {found['broke'].splitlines()[-1]}", file=sys.stderr, flush=True)
            if done % EVERY == EVERY - 1:
                kept.rules.clear()  # an open rule set keeps every situation that was made ready for it
                memory.append(resident())
                said = (
                    f"{done + 1} of {len(numbers)}, {memory[-1]} MiB, {len(broken)} broken, {time.process_time():.0f} s"
                )
                print(said, file=sys.stderr, flush=True)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    return {"codes": codes, "clean": clean, "slowest": slowest, "broken": broken, "peak": peak, "memory": memory}


def main() -> int:
    """Exit code 1 when an edit broke something."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--count", type=int, default=10_000)
    asked.add_argument("--start", type=int, default=0)
    asked.add_argument("--processes", type=int, default=1)
    asked.add_argument("--only", type=int, action="append")
    asked.add_argument("--out", type=Path)
    given = asked.parse_args()
    numbers = given.only or list(range(given.start, given.start + given.count))
    shares = [numbers[i :: given.processes] for i in range(given.processes)]
    run: Callable[..., Any] = map if given.processes == 1 else get_context("spawn").Pool(given.processes).map
    parts = list(run(part, [share for share in shares if share]))
    codes: Counter[str] = Counter()
    for one in parts:
        codes.update(one["codes"])
    broken = [found for one in parts for found in one["broken"]]
    told = {
        "edits": len(numbers),
        "clean": sum(one["clean"] for one in parts),
        "edits with a code": dict(codes.most_common()),
        "slowest": max(one["slowest"] for one in parts),
        "peak MiB": [one["peak"] for one in parts],
        f"memory MiB, every {EVERY} edits": [one["memory"] for one in parts],
        "broken": [{key: found[key] for key in ("number", "file", "broke")} for found in broken],
    }
    print(json.dumps(told, indent=1))
    if given.out:
        given.out.write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")
        for found in broken:
            (given.out.parent / f"broken-{found['number']}.yaml").write_text(found["text"], encoding="utf-8")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
