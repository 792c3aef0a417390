"""Work that is spread over processes, of this machine or of a cluster.

Enters: a function of one piece of work, the pieces, and who does them. Leaves: what it gave for each, in the order of
the pieces, whatever the number of workers, whoever is done first and whoever is killed. A piece must rest on nothing
that another one leaves behind, and what is sent (the function with what it holds, a piece, a result) must be picklable:
a function of a module, or a `partial` of one; a rule set arrives as its content. Knows nothing of what the work is.
"""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

from interpreter.source.values import Struct

T = TypeVar("T")
R = TypeVar("R")

_doing: Callable[[Any], Any] | None = None  # of a process that was started for it


class Workers(Struct):
    """Who does the work: `jobs` processes of this machine, or a dask cluster, by the address of its scheduler."""

    jobs: int = 1
    cluster: str | None = None


HERE = Workers()  # this process


def spread_over(do: Callable[[T], R], work: Sequence[T], workers: Workers = HERE) -> Iterator[R]:
    """What `do` gives for each piece of work, in order, each as soon as all before it are done.

    Where a process is killed, by the system for want of memory, say, those that are left go on with half as many, and
    at last this one does what is left. Whoever stops before the end stops the workers. Raises what a piece raises, and
    `NoCluster`.
    """
    if workers.cluster is not None:
        from .cluster import over_cluster  # imported late: most work is done here

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
    """Forked processes inherit `do`; where the system cannot fork, each is sent it."""
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
            child.terminate()  # nobody waits for what it is about
        raise
    finally:
        pool.shutdown()


def _begin(do: Callable[[Any], Any]) -> None:
    global _doing
    _doing = do
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches all of them: the one that asked ends the others


def _done(part: Any) -> Any:
    assert _doing is not None
    return _doing(part)
