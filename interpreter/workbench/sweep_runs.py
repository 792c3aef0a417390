"""One run of a sweep: earlier results are reused, and new ones saved, also if the run is interrupted.

Takes a sweep, and the path of a file of results. Gives that file, and `Results`. Knows nothing of how a point is
answered, nor of the format of the file.
"""

from __future__ import annotations

from time import monotonic

from interpreter.digests import digest_of_code
from interpreter.source.values import Struct

from .parallel import Workers
from .progress import Progress
from .sweep_points import PointResult, found_in, states_of
from .sweep_store import Row, StoredResults, columns_of, rows_of, stored_results, write_results
from .sweeps import Sweep

OFTEN = 5.0  # least seconds between two saves; more if a save takes long


class Results(Struct, eq=False):
    """The results, by index of the point; `anew` is the number of those computed in this run."""

    sweep: Sweep
    found: dict[int, PointResult]
    states: dict[int, str]
    anew: int

    @property
    def whole(self) -> bool:
        return len(self.found) == len(self.states)

    @property
    def columns(self) -> dict[str, str]:
        return columns_of(self.sweep)

    @property
    def rows(self) -> list[Row]:
        return list(rows_of(self.sweep, self.found, self.states))


class Stopped(Exception):
    """Raised on a keyboard interrupt, after the results have been saved."""

    def __init__(self, results: Results) -> None:
        super().__init__()
        self.results = results


def run_sweep(sweep: Sweep, path: str, workers: Workers, progress: Progress, *, anew: bool = False) -> Results:
    """Answer all points without a saved result (`anew`: all), and save them. Raises `Stopped`, `NotOurs`, OSError."""
    code = digest_of_code()
    states = dict(enumerate(states_of(sweep, code)))
    kept = stored_results(path, sweep)
    kept = StoredResults({}, {}) if anew else kept
    found = {i: kept.by_state[state] for i, state in states.items() if state in kept.by_state}
    names = frozenset(kept.by_name) if len(found) < len(states) else frozenset[str]()
    last, took, made = monotonic(), 0.0, 0
    try:
        for i, each in found_in(sweep, code, dict(found), names, workers, progress):
            found[i] = each if each.told else kept.by_name[each.name]
            made += bool(each.told)
            if monotonic() - last > max(OFTEN, 20 * took):
                start = monotonic()
                write_results(path, sweep, found, states)
                last, took = monotonic(), monotonic() - start
    except BaseException as why:
        write_results(path, sweep, found, states)
        if isinstance(why, KeyboardInterrupt):
            raise Stopped(Results(sweep, found, states, made)) from None
        raise
    write_results(path, sweep, found, states)
    return Results(sweep, found, states, made)
