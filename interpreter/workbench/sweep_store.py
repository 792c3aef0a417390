"""The results of a sweep as a table, saved in a SQLite file from which the next run resumes.

Takes a sweep, and its results. Gives rows, one per question of each point, in the order of the points; and files whose
bytes depend on nothing else. A file is replaced atomically. Exact numbers are saved as text, such as `5/6`, beside
their nearest floating-point number. Knows nothing of how a point is answered.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from typing import Any

from interpreter import __version__
from interpreter.source.digits import any_digits, fraction
from interpreter.source.values import Struct

from .sweep_points import PointAnswer, PointResult
from .sweeps import Sweep

OURS = 0x554D5053  # the application id in the head of our files: UMPS
FORM = 1  # version of the format
_ANSWER = {
    "ask": "TEXT", "of": "TEXT", "how": "TEXT", "value": "REAL", "least": "REAL", "greatest": "REAL", "exact": "TEXT",
    "plays": "INTEGER", "why": "TEXT",
}  # fmt: skip
_NAMES = {"name": "TEXT", "state": "TEXT"}  # of a point: digests of its dependencies, and of its whole input

Row = tuple[Any, ...]


class NotOurs(Exception):
    """Raised for a file without results of a sweep."""


class StoredResults(Struct):
    """The results in a file, by state and by name; see `states_of` and `PointResult`."""

    by_state: dict[str, PointResult]
    by_name: dict[str, PointResult]


# ---- rows
def columns_of(sweep: Sweep) -> dict[str, str]:
    """The columns of the table, each with its SQLite type. Names are unique ignoring case."""
    made: dict[str, str] = {"point": "INTEGER", "rules": "TEXT", "situation": "TEXT"}
    for name, _ in sweep.readings:
        made[_free(name.text, made)] = "TEXT"
    for varied in sweep.varying:
        made[_free(varied, made)] = _type(list(_all_values(sweep, varied)))
    return made | _ANSWER | _NAMES


def _free(name: str, made: Iterable[str]) -> str:
    taken = {each.casefold() for each in (*made, *_ANSWER, *_NAMES)}
    return name if name.casefold() not in taken else _free(f"{name} varied", made)


def _all_values(sweep: Sweep, varied: str) -> Iterator[str]:
    for moment in sweep.moments:
        yield from (value for axis in moment.several.axes if axis.name == varied for value in axis.values)


def _type(values: list[str]) -> str:
    numbers = [number_of(value) for value in values]
    if not all(number is not None for number in numbers):
        return "TEXT"
    return "INTEGER" if all(isinstance(number, int) for number in numbers) else "REAL"


def number_of(value: str) -> int | float | None:
    """A varied value as a number, without the sign of inches; None for a word."""
    try:
        found = Fraction(value.removesuffix('"'))
    except (ValueError, ZeroDivisionError):
        return None
    return found.numerator if found.denominator == 1 else float(found)


def rows_of(sweep: Sweep, found: Mapping[int, PointResult], states: Mapping[int, str]) -> Iterator[Row]:
    """A row for each question of each answered point, in the order of the columns."""
    columns = list(columns_of(sweep).items())[3 + len(sweep.readings) :]
    varying = list(zip(sweep.varying, (type_ for _, type_ in columns), strict=False))
    for i, at in enumerate(sweep.points):
        if i not in found:
            continue
        values = sweep.values(at)
        varied = [_valued(values.get(varied), type_) for varied, type_ in varying]
        head = (i + 1, sweep.sets[at.rules][0], sweep.moments[at.moment].name, *sweep.options(at).values(), *varied)
        for told in found[i].told:
            yield (*head, *_answer(told), found[i].name, states[i])


def _valued(value: str | None, type_: str) -> Any:
    return value if value is None or type_ == "TEXT" else number_of(value)


def _answer(told: PointAnswer) -> Row:
    with any_digits():
        exact = None if told.exact is None else " to ".join(dict.fromkeys(map(fraction, told.exact)))
    of = None if told.how == "not asked" else "chance" if told.chance else "mean"
    numbers = told.value, told.least, told.greatest
    return told.ask, of, told.how, *numbers, exact, told.plays, told.why or None


# ---- SQLite
def write_results(path: str, sweep: Sweep, found: Mapping[int, PointResult], states: Mapping[int, str]) -> None:
    """Write a file of results. Raises OSError."""
    beside = f"{path}.new"
    if os.path.lexists(beside):
        os.unlink(beside)
    columns = columns_of(sweep)
    declared = ", ".join(f"{_quoted(name)} {type_}" for name, type_ in columns.items())
    try:
        base = sqlite3.connect(beside, isolation_level=None)
        try:
            for setting in ("page_size = 4096", "journal_mode = OFF", "synchronous = OFF"):
                base.execute(f"PRAGMA {setting}")
            base.execute(f"PRAGMA application_id = {OURS}")
            base.execute(f"PRAGMA user_version = {FORM}")
            base.execute("BEGIN")
            base.execute("CREATE TABLE about (name TEXT, value TEXT)")
            base.executemany("INSERT INTO about VALUES (?, ?)", _about(sweep, len(found)))
            base.execute(f"CREATE TABLE results ({declared})")
            blanks = ", ".join("?" * len(columns))
            base.executemany(f"INSERT INTO results VALUES ({blanks})", rows_of(sweep, found, states))
            base.execute("COMMIT")
        finally:
            base.close()
        os.replace(beside, path)
    except sqlite3.Error as error:
        raise OSError(str(error)) from error
    finally:
        if os.path.lexists(beside):
            os.unlink(beside)


def _about(sweep: Sweep, answered: int) -> list[tuple[str, str]]:
    return [
        ("sweep", sweep.title),
        ("umpire", __version__),
        ("points", str(len(sweep.points))),
        ("answered", str(answered)),
        *_effort(sweep).items(),
    ]


def _effort(sweep: Sweep) -> dict[str, str]:
    effort = sweep.effort
    said = {"worlds": effort.worlds, "plays": effort.plays, "error": effort.error, "seed": effort.seed}
    return {name: str(value) for name, value in said.items()}


def stored_results(path: str, sweep: Sweep) -> StoredResults:
    """The reusable results of a file; empty if there is no file. Raises `NotOurs`."""
    if not os.path.lexists(path):
        return StoredResults({}, {})
    try:
        base = sqlite3.connect(f"file:{_escaped(path)}?mode=ro", uri=True)
        try:
            if base.execute("PRAGMA application_id").fetchone()[0] != OURS:
                raise NotOurs(path)
            if base.execute("PRAGMA user_version").fetchone()[0] != FORM:
                return StoredResults({}, {})
            about = dict(base.execute("SELECT name, value FROM about"))
            asked = base.execute("SELECT * FROM results ORDER BY rowid")
            names = [each[0] for each in asked.description]
            return _kept(sweep, about, (dict(zip(names, row, strict=True)) for row in asked))
        finally:
            base.close()
    except sqlite3.DatabaseError as error:
        raise NotOurs(path) from error


def _escaped(path: str) -> str:
    from urllib.parse import quote  # imported late: rarely needed

    return quote(os.path.abspath(path))


def _kept(sweep: Sweep, about: dict[str, str], rows: Iterable[dict[str, Any]]) -> StoredResults:
    effort = _effort(sweep)
    as_hard = all(about.get(name) == value for name, value in effort.items())
    if about.get("worlds") != effort["worlds"]:
        return StoredResults({}, {})
    by_point: dict[int, list[dict[str, Any]]] = {}
    for row in rows:
        by_point.setdefault(row["point"], []).append(row)
    kept = StoredResults({}, {})
    for several in by_point.values():
        if as_hard or all(row["how"] in ("exact", "between") for row in several):
            found = PointResult(several[0]["name"], tuple(map(_told, several)))
            kept.by_state[several[0]["state"]] = kept.by_name[found.name] = found
    return kept


def _told(row: dict[str, Any]) -> PointAnswer:
    exact = None
    if row["exact"] is not None:
        with any_digits():
            ends = [Fraction(end) for end in row["exact"].split(" to ")]
        exact = ends[0], ends[-1]
    numbers = row["value"], row["least"], row["greatest"]
    return PointAnswer(row["ask"], row["how"], exact, *numbers, row["plays"], row["why"] or "", row["of"] == "chance")


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
