"""Distributes work to the workers of a dask cluster.

Takes a function of one piece of work, the pieces, and the address of a scheduler. Gives the results as `spread_over`
does. The function is pickled once; each worker fetches it once and caches the last few. The scheduler reassigns the
pieces of a lost worker. Knows nothing of what the work is. The library is imported on first use.
"""

from __future__ import annotations

import logging
import pickle
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from threading import Lock
from typing import Any, TypeVar

from interpreter.cache import pickled
from interpreter.digests import digest, digest_of_code
from interpreter.source.values import Struct

T = TypeVar("T")
R = TypeVar("R")

KEPT = 4  # functions that a worker keeps, each with its rule set
PATIENCE = 5  # seconds to wait for a scheduler, and for its first worker
_OTHER = "its workers run another version of Umpire or of Python; all must run the same"


class Sent(Struct):
    """A pickled function, with the digest of the pickle, and of the sender's code."""

    code: str
    digest: str
    content: bytes


class NoCluster(Exception):
    """Raised if the workers at an address cannot be used; `why` is the reason in words."""

    def __init__(self, address: str, why: str) -> None:
        super().__init__(address, why)
        self.address, self.why = address, why


class _AnotherUmpire(Exception):
    """Raised on a worker that runs other code than the sender."""


def over_cluster(do: Callable[[T], R], work: Sequence[T], address: str) -> Iterator[R]:
    """Yield the result of `do` for each piece, in order. A piece that keeps killing workers is computed here."""
    if not work:
        return
    dask = _library()
    client = client_at(address)
    content = pickled(do)
    sent = client.submit(_handed_on, Sent(digest_of_code(), digest(content), content), pure=False)
    pieces = client.map(_done, work, sent=sent, pure=False)
    places = {future.key: place for place, future in enumerate(pieces)}
    found: dict[int, R] = {}
    yielded = 0
    try:
        for batch in dask.as_completed(pieces, loop=client.loop, with_results=True, raise_errors=False).batches():
            for future, result in batch:
                place = places[future.key]
                if future.status == "finished":
                    found[place] = result
                elif future.status == "error" and isinstance(result[1], dask.KilledWorker):
                    found[place] = do(work[place])
                elif future.status == "error" and isinstance(result[1], _AnotherUmpire):
                    raise NoCluster(address, _OTHER)
                elif future.status == "error":
                    raise result[1]
                else:
                    raise NoCluster(address, "its scheduler went away")
                future.release()
            while yielded in found:
                yield found.pop(yielded)
                yielded += 1
    finally:
        client.cancel([*pieces, sent], force=True)


@cache
def client_at(address: str) -> Any:
    """A client of the scheduler at an address, one per process. Raises `NoCluster` if it has no worker."""
    dask = _library()
    for name in ("distributed", "tornado"):  # `NoCluster` reports their errors
        logging.getLogger(name).setLevel(logging.CRITICAL)
    try:
        client = dask.Client(address, timeout=PATIENCE, set_as_default=False, name="umpire")
    except (OSError, ValueError, ImportError) as error:
        raise NoCluster(address, "nobody answers there") from error
    try:
        client.wait_for_workers(1, timeout=PATIENCE)
    except TimeoutError as error:
        client.close()
        raise NoCluster(address, "its scheduler has no worker") from error
    return client


def _library() -> Any:
    import distributed

    return distributed


# ---- on a worker
_received: dict[str, Callable[[Any], Any]] = {}  # digest of the pickle → function
_one_at_a_time = Lock()


def _handed_on(sent: Sent) -> Sent:
    return sent


def _done(part: Any, sent: Sent) -> Any:
    """Compute one piece. Only one at a time even with several threads, as rules are checked lazily."""
    with _one_at_a_time:
        if sent.code != digest_of_code():
            raise _AnotherUmpire
        if sent.digest not in _received:
            sys.set_int_max_str_digits(0)  # exact odds have numbers of any length
            while len(_received) >= KEPT:
                del _received[next(iter(_received))]
            _received[sent.digest] = pickle.loads(sent.content)
        return _received[sent.digest](part)
