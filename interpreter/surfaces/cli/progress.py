"""How far it has come, for anything that takes longer than a second: one line on the terminal, gone at the end.

Enters: what a workbench tells of its progress. Leaves: nothing but that line, on standard error and only on a terminal.
Whoever works is not asked and does not wait: the line is written by a thread that looks from time to time.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Thread

from interpreter.workbench.progress import Progress

FIRST, NEXT = 1.0, 0.2  # seconds until the line is there, and from then on until it is written anew
_WIPE = "\r\x1b[K"


@contextmanager
def watched(progress: Progress) -> Iterator[Progress]:
    """Tell of it for as long as this lasts."""
    if not sys.stderr.isatty() or os.environ.get("TERM") == "dumb":
        yield progress
        return
    over = Event()

    def tell() -> None:
        wait, shown = FIRST, False
        while not over.wait(wait):
            sys.stderr.write(f"{_WIPE}{said(progress)}")
            sys.stderr.flush()
            wait, shown = NEXT, True
        if shown:
            sys.stderr.write(_WIPE)
            sys.stderr.flush()

    teller = Thread(target=tell, daemon=True)
    teller.start()
    try:
        yield progress
    finally:
        over.set()
        teller.join()


def said(progress: Progress) -> str:
    """`7 of 72 situations, 12,000 worlds …`."""
    parts = [f"{progress.done:,} of {progress.of:,} {progress.part}"] if progress.of else []
    if progress.worlds >= 1_000:
        parts.append(f"{progress.worlds:,} worlds")
    return ", ".join(parts or ["working"]) + " …"
