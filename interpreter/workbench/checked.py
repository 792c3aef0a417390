"""`check` by a name, or what it said the last time, where everything it looked at is as it was.

Enters: a name as it was given. Leaves: what each stack behind it is, and its problems. Only here is known how an answer
is written down: a line a stack (its name, what it is, how many problems it has, the reasons of those that are allowed),
an empty line, the problems as data, of each stack first those that count and then those that are allowed.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

from interpreter import disk, kept
from interpreter.places import shipped
from interpreter.source import Problem, Problems
from interpreter.source.plain import from_plain, to_plain
from interpreter.source.values import Struct


class Checked(Struct):
    """One stack: its name, what it is in words, its problems in the order of reading, and those that a file allows,
    with the reason.
    """

    name: str
    what: str
    problems: tuple[Problem, ...]
    allowed: tuple[tuple[Problem, str], ...] = ()


def check_all(names: Sequence[str], *, anew: bool = False) -> list[Checked]:
    """Each of the names, or else each set that comes along."""
    return [each for name in names or shipped() for each in checked(name, anew=anew)]


def checked(name: str, *, anew: bool = False) -> tuple[Checked, ...]:
    """Each stack behind a name (a supplement has as many as it is made for), checked. `anew`: whatever was kept."""
    if anew:
        return kept.anew(lambda: _checked(name))
    return _recalled(name) or _checked(name)


def _checked(name: str) -> tuple[Checked, ...]:
    from .files import check_file
    from .stacks import stacks_of

    with disk.noting() as watch:
        found = []
        for stack in stacks_of(name):
            problems = Problems()
            what = check_file(stack, problems)
            allowed = tuple((problem, by.reason) for problem, by in problems.allowed)
            found.append(Checked(stack, what, problems.sorted(), allowed))
        kept.stamp_libraries()
    _keep(name, watch, found)
    return tuple(found)


def _keep(name: str, watch: disk.Watch, found: list[Checked]) -> None:
    said = [part for each in found for part in (each.name, each.what)]
    if any(c in part for part in said for c in "\t\r\n"):
        return
    reasons = [json.dumps([reason for _, reason in each.allowed]) for each in found]
    lines = [f"{e.name}\t{e.what}\t{len(e.problems)}\t{why}" for e, why in zip(found, reasons, strict=True)]
    data = to_plain(p for each in found for p in (*each.problems, *(p for p, _ in each.allowed)))
    kept.keep(("check", kept.here(), name), watch, "\n".join([*lines, "", data]))


def _recalled(name: str) -> tuple[Checked, ...] | None:
    answer = kept.recall(("check", kept.here(), name))
    if answer is None:
        return None
    head, _, data = answer.partition("\n\n")
    try:
        problems = list(from_plain(data))
        found = []
        for line in head.split("\n"):
            stack, what, many, why = line.split("\t")
            counted, reasons = int(many), [str(reason) for reason in json.loads(why)]
            if not 0 <= counted <= len(problems) - len(reasons):
                return None
            own, problems = problems[:counted], problems[counted:]
            allowed, problems = problems[: len(reasons)], problems[len(reasons) :]
            found.append(Checked(stack, what, tuple(own), tuple(zip(allowed, reasons, strict=True))))
        return None if problems else tuple(found)
    except (ValueError, TypeError):
        return None
