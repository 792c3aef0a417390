"""Makes a game that fails small: lines, definitions and parts of sentences are left out while it fails in the same way.

Taken: the files of a game, and whether some files fail. Given: smaller files that still do. Works on texts alone, by their
indentation, so it serves any rule files.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

from .driver import Verdict, judge, reference
from .make import game
from .model import Game

Files = dict[str, str]
MOST = 600  # tries


def shrunk(seed: int, verdict: Verdict, folder: Path) -> Game:
    """The smallest game found that fails as this one does, written to the folder with what it is about."""
    whole = game(seed)
    small = smaller(whole, lambda g: same(g, verdict))
    folder.mkdir(parents=True, exist_ok=True)
    told = _judged(small, verdict.why)
    small.write(folder)
    (folder / "about.txt").write_text(f"seed {seed}\n{told.why}\n{told.told}\n", encoding="utf-8")
    return small


def same(one: Game, verdict: Verdict) -> bool:
    found = _judged(one, verdict.why)
    return found.failed and found.why == verdict.why


def _judged(one: Game, why: str) -> Verdict:
    with tempfile.TemporaryDirectory() as folder:
        return judge(one, Path(folder), reference(), referred_only=why.startswith("reference"), tested=why == "example")


def smaller(one: Game, fails: Callable[[Game], bool]) -> Game:
    """Leaves out what can be left out, the largest parts first, until nothing more can be."""
    asks = one.situations[0].asks
    one = next((single for ask in asks if (single := _asking(one, ask)) and fails(single)), one)
    tries = 0
    again = True
    while again:
        again = False
        for files in _fewer(one.files):
            tries += 1
            if tries > MOST:
                return one
            candidate = with_files(one, files)
            if candidate is not None and fails(candidate):
                one, again = candidate, True
                break
    return one


def _asking(one: Game, ask: str) -> Game | None:
    """The game with one question."""
    name = one.situations[0].file
    return with_files(one, one.files | {name: f"{one.files[name].partition('ask:')[0]}ask:\n  - {ask}\n"})


def with_files(one: Game, files: Files) -> Game | None:
    """The game with other files: what is asked is read from its situation."""
    text = files[one.situations[0].file]
    _, found, asked = text.partition("ask:\n")
    asks = tuple(line.strip()[2:] for line in asked.splitlines())
    if not found or not asks:
        return None
    return replace(one, files=files, situations=(replace(one.situations[0], asks=asks),))


def _fewer(files: Files) -> Iterator[Files]:
    for name, text in sorted(files.items()):
        lines = text.splitlines()
        blocks = sorted({(_end(lines, i) - i, i) for i in range(len(lines))}, reverse=True)
        for many, at in blocks:
            yield files | {name: "\n".join(lines[:at] + lines[at + many :]) + "\n"}
        for i, line in enumerate(lines):
            for shorter in _shorter(line):
                yield files | {name: "\n".join([*lines[:i], shorter, *lines[i + 1 :]]) + "\n"}
            if line.endswith(":") and _end(lines, i) > i + 1:  # its lines in its place
                inner = [x[2:] for x in lines[i + 1 : _end(lines, i)]]
                yield files | {name: "\n".join(lines[:i] + inner + lines[_end(lines, i) :]) + "\n"}


def _end(lines: list[str], at: int) -> int:
    """Where what belongs to this line ends."""
    deep = len(lines[at]) - len(lines[at].lstrip())
    end = at + 1
    while end < len(lines) and len(lines[end]) - len(lines[end].lstrip()) > deep:
        end += 1
    return end


def _shorter(line: str) -> Iterator[str]:
    """The same line with less in it: without a clause, a condition, an operand, or with a plain number."""
    for pattern in (
        r", if .*(?=:)",
        r" if [^:]*$",
        r", together",
        r" where [^)]*",
        r" usually .*",
        r", [^,:\]]*(?=[,\]]|$)",
        r"[^\[,:]*, (?=[^\]]*\])",
    ):
        found = re.search(pattern, line)
        if found:
            yield line[: found.start()] + line[found.end() :]
    for found in re.finditer(r"\(([^()]*)\)", line):
        inner = found[1]
        for part in re.split(r" (?:and|or|[+*-]) |, | if | else ", inner):
            if part != inner:
                yield line[: found.start()] + part + line[found.end() :]
        yield line[: found.start()] + "1" + line[found.end() :]
    for part in re.finditer(r"(?<=: )(.+) (?:and|or|[+*-]) (.+)$", line):
        yield line[: part.start()] + part[1]
        yield line[: part.start()] + part[2]
    for number in re.finditer(r"\b[2-9]\b", line):
        yield line[: number.start()] + "1" + line[number.end() :]
