"""Work that is done by the workers of a dask cluster.

Enters: a function of one piece of work, the pieces, the address of a scheduler. Leaves: what `spread_over` says. The
function is pickled once; each worker fetches it once, and keeps the last few. The scheduler gives the pieces of a
worker that went away to another one. Knows nothing of what the work is; the library is imported when it is needed.
"""

from __future__ import annotations

import logging
import pickle
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from threading import Lock
from typing import Any, TypeVar

from interpreter import disk
from interpreter.cache import code_by_content, pickled
from interpreter.source.values import Struct

T = TypeVar("T")
R = TypeVar("R")

KEPT = 4  # functions that a worker keeps, each with its rule set
PATIENCE = 5  # seconds to wait for a scheduler, and for its first worker
_OTHER = "its workers run another version of Umpire or of Python; all must run the same"


class Sent(Struct):
    """A function as it is sent: pickled, with the digest of that and of the code of who sends it."""

    code: str
    digest: str
    content: bytes


class NoCluster(Exception):
    """Raised where the workers at an address do no work for us; `why` says it in words."""

    def __init__(self, address: str, why: str) -> None:
        super().__init__(address, why)
        self.address, self.why = address, why


class _AnotherUmpire(Exception):
    """Raised on a worker whose answers might not be ours."""


def over_cluster(do: Callable[[T], R], work: Sequence[T], address: str) -> Iterator[R]:
    """What `do` gives for each piece, in order. A piece at which workers die again and again is done here."""
    if not work:
        return
    dask = _library()
    client = client_at(address)
    content = pickled(do)
    sent = client.submit(_handed_on, Sent(code_by_content(), disk.digest(content), content), pure=False)
    pieces = client.map(_done, work, sent=sent, pure=False)
    places = {future.key: place for place, future in enumerate(pieces)}
    found: dict[int, R] = {}
    told = 0
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
            while told in found:
                yield found.pop(told)
                told += 1
    finally:
        client.cancel([*pieces, sent], force=True)


@cache
def client_at(address: str) -> Any:
    """A client of the scheduler at an address, which has a worker; one for the whole process."""
    dask = _library()
    for name in ("distributed", "tornado"):  # what they have to say is said by `NoCluster`
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
_received: dict[str, Callable[[Any], Any]] = {}  # what is to be done, by the digest of what was sent
_one_at_a_time = Lock()


def _handed_on(sent: Sent) -> Sent:
    return sent


def _done(part: Any, sent: Sent) -> Any:
    """One piece. A worker does one at a time, however many threads it has: rules are checked while they are asked."""
    with _one_at_a_time:
        if sent.code != code_by_content():
            raise _AnotherUmpire
        if sent.digest not in _received:
            sys.set_int_max_str_digits(0)  # exact odds have numbers of any length
            while len(_received) >= KEPT:
                del _received[next(iter(_received))]
            _received[sent.digest] = pickle.loads(sent.content)
        return _received[sent.digest](part)
