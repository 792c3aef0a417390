"""Distributes work to processes of this machine.

Takes a function of one piece of work, the pieces, and the number of processes. Gives the result of each piece, in
order. Knows nothing of what the work is.
"""

from __future__ import annotations

import multiprocessing
import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Any, TypeVar

T = TypeVar("T")
R = TypeVar("R")

_doing: Callable[[Any], Any] | None = None  # set in worker processes


def over_processes(do: Callable[[T], R], work: Sequence[T], jobs: int) -> Iterator[R]:
    """Yield the result of `do` for each piece, in order, as soon as all before it are available.

    If a process is killed, for example for lack of memory, the remaining pieces are retried with half as many
    processes, and finally in this one. Closing the iterator early terminates the processes.
    """
    done = 0
    while jobs > 1 and len(work) - done > 1:
        try:
            for result in _in_pool(do, work[done:], jobs):
                yield result
                done += 1
        except BrokenProcessPool:
            jobs //= 2
    yield from map(do, work[done:])


def _in_pool(do: Callable[[T], R], work: Sequence[T], jobs: int) -> Iterator[R]:
    """Yield the results from a pool of processes. Forked processes inherit `do`; without fork, it is sent to each."""
    how = "fork" if "fork" in multiprocessing.get_all_start_methods() else "spawn"
    others = set(multiprocessing.active_children())
    pool = ProcessPoolExecutor(
        min(jobs, len(work)), multiprocessing.get_context(how), initializer=_begin, initargs=(do,)
    )
    try:
        for found in [pool.submit(_done, part) for part in work]:
            yield found.result()
    except BaseException:
        for child in set(multiprocessing.active_children()) - others:
            child.terminate()  # its result is not needed
        raise
    finally:
        pool.shutdown()


def _begin(do: Callable[[Any], Any]) -> None:
    global _doing
    _doing = do
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches all processes: the parent terminates the others


def _done(part: Any) -> Any:
    assert _doing is not None
    return _doing(part)
