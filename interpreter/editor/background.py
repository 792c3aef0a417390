"""Odds in the background: computed in a separate process, which is killed by an edit or a timeout.

Takes a request. Gives numbers as they become available. The process has a memory limit and no access to the connection
with the editor; the server survives its failure. Knows nothing of the meaning of the numbers.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import os
from collections.abc import AsyncGenerator
from multiprocessing.connection import Connection
from typing import Any

from .analysis import Texts
from .numbers import Number, numbers, worth

SECONDS = 6.0  # default time limit of one number
START = 4.0  # additional time for starting the process and reading the rules
MEMORY = 2 * 1024**3  # limit in bytes

_SPAWN = multiprocessing.get_context("spawn")


async def all_numbers(path: str, texts: Texts, seconds: float) -> AsyncGenerator[Number, None]:
    """Yield the numbers of a file as they are computed, or a timeout. Closing the generator kills the process."""
    skip: frozenset[int] = frozenset()
    while True:
        begun: int | None = None
        async for found in _answers(seconds + START, "numbers", path, dict(texts), skip):
            if found is None:
                break
            begun = found.offset if not found.text else None
            if found.text:
                yield found
        else:
            return
        if begun is None:
            return
        yield Number(begun, "not worked out", f"it takes more than {seconds:g} seconds, or too much memory")
        skip |= {begun}


async def line_worth(path: str, texts: Texts, line: tuple[str, int], name: str, seconds: float) -> str:
    """The effect of a line on the odds, in a sentence; empty if the rules are invalid without it."""
    async for found in _answers(3 * seconds + START, "worth", path, dict(texts), line, name, seconds):
        return str(found) if found is not None else "What it does to the odds takes too long to work out."
    return ""


async def _answers(budget: float, *asked: Any) -> AsyncGenerator[Any, None]:
    """Yield the results of a new process; None after a timeout or crash."""
    loop = asyncio.get_running_loop()
    ours, theirs = _SPAWN.Pipe(duplex=False)
    process = _SPAWN.Process(target=_work, args=(theirs, asked), daemon=True)
    try:
        await loop.run_in_executor(None, process.start)
        theirs.close()
        while True:
            found = await loop.run_in_executor(None, _next, ours, budget)
            if found is _END:
                return
            yield found
            if found is None:
                return
    finally:
        if process.pid is not None:
            process.kill()
            process.join()
        ours.close()


_END = object()


def _next(ours: Connection, budget: float) -> Any:
    try:
        if not ours.poll(budget):
            return None
        kind, value = ours.recv()
    except (EOFError, OSError):
        return None
    return value if kind == "found" else _END


def _work(theirs: Connection, asked: tuple[Any, ...]) -> None:
    """The main function of the process."""
    os.environ["UMPIRE_CACHE"] = "off"
    if os.name != "nt":
        import resource  # not on Windows

        os.nice(10)
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    what, *rest = asked
    for found in numbers(*rest) if what == "numbers" else (worth(*rest),):
        theirs.send(("found", found))
    theirs.send(("end", None))
