"""Distributes work to processes, of this machine or of a cluster.

Takes a function of one piece of work, the pieces, and the workers. Gives the result of each piece, in order,
independent of the number of workers, their speed, and killed processes. Pieces must not depend on each other's side
effects, and everything sent (the function with its state, a piece, a result) must be picklable: a module-level function
or a `partial` of one; a rule set is pickled as its content. Knows nothing of what the work is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from interpreter.source.values import Struct

T = TypeVar("T")
R = TypeVar("R")


class Workers(Struct):
    """The workers: `jobs` processes of this machine, or the dask cluster of the scheduler at an address."""

    jobs: int = 1
    cluster: str | None = None


HERE = Workers()  # this process


def spread_over(do: Callable[[T], R], work: Sequence[T], workers: Workers = HERE) -> Iterator[R]:
    """Yield the result of `do` for each piece of work, in order, as soon as all before it are available. Closing the
    iterator early terminates the workers. Raises the exceptions of `do`, and `NoCluster`.
    """
    if workers.cluster is not None:
        from .cluster import over_cluster  # imported late: most work is done in this process

        yield from over_cluster(do, work, workers.cluster)
    elif workers.jobs > 1:
        from .processes import over_processes  # imported late, too

        yield from over_processes(do, work, workers.jobs)
    else:
        yield from map(do, work)
