"""Work that is spread over processes.

Enters: a function of one piece of work, and the pieces. Leaves: what it gave for each, in the order of the pieces,
whatever the number of processes and whoever is done first. A piece must rest on nothing that another one leaves behind.
"""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Any, TypeVar

T = TypeVar("T")
R = TypeVar("R")

_doing: Callable[[Any], Any] | None = None  # forked processes inherit it; only pieces and results are sent


def spread_over(do: Callable[[T], R], work: Sequence[T], jobs: int) -> Iterator[R]:
    """What `do` gives for each piece of work, in order; in this process alone where processes cannot be forked.

    Where a process is killed, by the system for want of memory, say, those that are left go on with half as many, and
    at last this one does what is left.
    """
    done = 0
    while jobs > 1 and len(work) - done > 1 and "fork" in multiprocessing.get_all_start_methods():
        try:
            for result in _in_processes(do, work[done:], jobs):
                yield result
                done += 1
        except BrokenProcessPool:
            jobs //= 2
    yield from map(do, work[done:])


def _in_processes(do: Callable[[T], R], work: Sequence[T], jobs: int) -> Iterator[R]:
    global _doing
    _doing = do
    try:
        with ProcessPoolExecutor(min(jobs, len(work)), mp_context=multiprocessing.get_context("fork")) as pool:
            try:
                yield from pool.map(_done, work)
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                raise
    finally:
        _doing = None


def _done(part: Any) -> Any:
    assert _doing is not None
    return _doing(part)
