"""Distributes work to processes, of this machine or of a cluster.

Takes a function of one piece of work, the pieces, and the workers. Gives the result of each piece, in order,
independent of the number of workers, their speed, and killed processes. Pieces must not depend on each other's side
effects, and everything sent (the function with its state, a piece, a result) must be picklable: a module-level function
or a `partial` of one; a rule set is pickled as its content. Knows nothing of what the work is.
"""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

from interpreter.source.values import Struct

T = TypeVar("T")
R = TypeVar("R")

_doing: Callable[[Any], Any] | None = None  # set in worker processes


class Workers(Struct):
    """The workers: `jobs` processes of this machine, or the dask cluster of the scheduler at an address."""

    jobs: int = 1
    cluster: str | None = None


HERE = Workers()  # this process


def spread_over(do: Callable[[T], R], work: Sequence[T], workers: Workers = HERE) -> Iterator[R]:
    """Yield the result of `do` for each piece of work, in order, as soon as all before it are available.

    If a process is killed, for example for lack of memory, the remaining pieces are retried with half as many
    processes, and finally in this one. Closing the iterator early terminates the workers. Raises the exceptions of
    `do`, and `NoCluster`.
    """
    if workers.cluster is not None:
        from .cluster import over_cluster  # imported late: most work is done in this process

        yield from over_cluster(do, work, workers.cluster)
        return
    done, jobs = 0, workers.jobs
    if jobs > 1:
        from concurrent.futures.process import BrokenProcessPool  # imported late, too
    while jobs > 1 and len(work) - done > 1:
        try:
            for result in _in_processes(do, work[done:], jobs):
                yield result
                done += 1
        except BrokenProcessPool:
            jobs //= 2
    yield from map(do, work[done:])


def _in_processes(do: Callable[[T], R], work: Sequence[T], jobs: int) -> Iterator[R]:
    """Yield the results from a pool of processes. Forked processes inherit `do`; without fork, it is sent to each."""
    import multiprocessing
    from concurrent.futures import ProcessPoolExecutor

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
