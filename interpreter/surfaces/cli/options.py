"""The options that several commands share."""

from __future__ import annotations

import os
from argparse import ArgumentTypeError
from collections.abc import Callable
from functools import wraps
from importlib.util import find_spec
from typing import Any, cast

from interpreter.source import Problems

from .commands import F, UsageError, at_least, flag, option
from .terminal import refuse

MOST_WORLDS = 200_000  # default limit of the computation
_MISSING = (
    "pictures are drawn by a library that is not installed here; to get it: pip install 'tabletop-umpire[pictures]'"
)
_NO_PARQUET = (
    "Parquet is written by a library that is not installed here; to get it: pip install 'tabletop-umpire[sweep]'"
)
_NO_CLUSTER = (
    "a cluster is asked through a library that is not installed here; to get it: pip install 'tabletop-umpire[cluster]'"
)
_KINDS = {
    "svg": ((".svg",), "vl_convert", _MISSING),
    "html": ((".html", ".htm"), "vl_convert", _MISSING),
    "parquet": ((".parquet",), "pyarrow", _NO_PARQUET),
}


# ---- the form of an answer
json_option = flag("--json", dest="as_json", help="Plain data on standard output.")
fraction_option = flag("--fraction", dest="exact", help="Exact fractions in place of percent.")


def format_options(*forms: str, help: str = "") -> Callable[[F], F]:
    """The option `--format`, with the first of `forms` as default, and `--json` as a shorthand."""
    help = f"{help} [default: {forms[0]}]".strip()
    choice = option("--format", dest="form", choices=forms, default=forms[0], help=help)
    short = flag("--json", dest="as_json", help="The same as --format json.")
    return lambda made: choice(short(made))


def output_option(help: str) -> Callable[[F], F]:
    """The option `--output`, the name of a file; `help` describes its content."""
    return option("-o", "--output", metavar="FILE", help=help)


# ---- odds
worlds_option = option(
    "--limit",
    dest="worlds",
    type=at_least(1),
    default=MOST_WORLDS,
    metavar="N",
    help=f"Give up past so many worlds. [default: {MOST_WORLDS}]",
)


def given_option(what: str) -> Callable[[F], F]:
    """The option `--given`; `what` names what the condition filters: histories, plays."""
    return option("--given", metavar="CONDITION", help=f"Only the {what} in which this holds.")


# ---- workers
def workers_options(made: F) -> F:
    """The options `--jobs` and `--cluster`; the function takes both as one argument, `workers`."""

    @wraps(made)
    def run(*args: Any, jobs: int, cluster: str | None, **more: Any) -> Any:
        from interpreter.workbench.parallel import Workers  # imported late: few commands start processes

        workers = Workers(jobs, cluster)
        if cluster is None:
            return made(*args, workers=workers, **more)
        from interpreter.workbench.cluster import NoCluster

        try:
            return made(*args, workers=workers, **more)
        except NoCluster as none:
            problems = Problems()
            problems.add("E014", None, address=none.address, why=none.why)
            refuse(problems, bool(more.get("as_json")), typed=True)

    shared = option("-j", "--jobs", type=at_least(1), default=1, metavar="N", help="How many processes share the work.")
    afar = option(
        "--cluster", type=_cluster, metavar="ADDRESS", help="The dask scheduler whose workers do the work."
    )
    return shared(afar(cast(F, run)))


def _cluster(address: str) -> str:
    if find_spec("distributed") is None:
        raise UsageError(_NO_CLUSTER)
    return address


# ---- pictures
def picture_options(made: F) -> F:
    """Decorator that adds the options `--html` and `--svg`, each a file for the odds as pictures."""
    for kind, what in (("html", "a page for any browser, with the exact numbers"), ("svg", "a drawing")):
        help = f"Write the odds into FILE as {what}."
        made = option(f"--{kind}", type=file_of(kind), metavar="FILE", help=help)(made)
    return made


def file_of(kind: str) -> Callable[[str], str]:
    """The type of an option: a file of this kind that can be written, as is seen before anything is computed."""
    ends, library, missing = _KINDS[kind]

    def file(name: str) -> str:
        folder = os.path.dirname(name)
        if not name.lower().endswith(ends):
            raise ArgumentTypeError(f"`{name}` does not end in {ends[0]}; nothing was written.")
        if folder and not os.path.isdir(folder):
            raise ArgumentTypeError(f"there is no folder `{folder}`; nothing was written.")
        if find_spec(library) is None:
            raise UsageError(missing)
        return name

    return file
