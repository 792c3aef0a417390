"""How a command is declared: its class, and the options that several commands share.

A command declares in its `@click.command` which options exclude each other (`apart`) and which require another one
(`beside`); both are checked before it runs, so that no option is silently ignored. The examples in its help are read
from examples/commands.txt beside the rules, because they use the words of a game.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from functools import cache, wraps
from importlib.util import find_spec
from inspect import cleandoc
from typing import Any, TypeVar, cast

import click
from click.core import ParameterSource

from interpreter.places import HOME
from interpreter.source import Problems

from .terminal import refuse

F = TypeVar("F", bound=Callable[..., Any])

MOST_WORLDS = 200_000  # default limit of the computation
_ENDS = {"svg": (".svg",), "html": (".html", ".htm"), "parquet": (".parquet",)}
_MISSING = (
    "pictures are drawn by a library that is not installed here; to get it: pip install 'tabletop-umpire[pictures]'"
)
_NO_PARQUET = (
    "Parquet is written by a library that is not installed here; to get it: pip install 'tabletop-umpire[sweep]'"
)
_NO_CLUSTER = (
    "a cluster is asked through a library that is not installed here; to get it: pip install 'tabletop-umpire[cluster]'"
)


class Command(click.Command):
    """A command with checks of its options: `apart` are pairs of options that exclude each other; `beside` maps an
    option to others of which at least one must be given with it.
    """

    def __init__(
        self,
        *args: Any,
        apart: Iterable[tuple[str, str]] = (),
        beside: Mapping[str, tuple[str, ...]] = {},
        **more: Any,
    ) -> None:
        super().__init__(*args, **more)
        self.apart, self.beside = tuple(apart), dict(beside)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command. Raises click's UsageError if options conflict or a required companion is missing."""
        given = {
            name: ctx.params.get(param.name or "")
            for param in self.params
            if param.name and ctx.get_parameter_source(param.name) is ParameterSource.COMMANDLINE
            for name in param.opts
        }
        for one, other in self.apart:
            alike = f"--{given.get(other)}" == one  # `--json --format json`
            if one in given and other in given and not alike:
                raise click.UsageError(f"{one} and {other} cannot both be done: leave one of them out.", ctx)
        for option, others in self.beside.items():
            if option in given and not any(other in given for other in others):
                raise click.UsageError(f"{option} goes with {' or '.join(others)}.", ctx)
        if "--jobs" in given and "--cluster" in given:
            raise click.UsageError("--jobs and --cluster cannot both be done: leave one of them out.", ctx)
        return super().invoke(ctx)

    def format_help_text(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the help text with the examples after its first paragraph."""
        first, _, rest = cleandoc(self.help or "").partition("\n\n")
        lines = _examples().get(ctx.command_path.removeprefix("umpire "))
        shown = "\n".join(["\b", *lines]) if lines else ""  # `\b`: click does not rewrap them
        formatter.write_paragraph()
        with formatter.indentation():
            formatter.write_text("\n\n".join(filter(None, (first, shown, rest))))


class Group(Command, click.Group):
    """A command with subcommands, each of them a `Command`."""

    command_class = Command


@cache
def _examples() -> dict[str, list[str]]:
    """Command (subcommands by both names) → its example lines; empty if the file is missing."""
    found: dict[str, list[str]] = {}
    name = ""
    try:
        with open(os.path.join(HOME, "examples", "commands.txt"), encoding="utf-8") as file:
            lines = file.read().splitlines()
    except FileNotFoundError:
        return found
    for line in lines:
        if line.startswith("  "):
            found.setdefault(name, []).append(line[2:])
        elif not line.startswith("#"):
            name = line.strip()
    return found


# ---- the form of an answer
json_option = click.option("--json", "as_json", is_flag=True, help="Plain data on standard output.")
fraction_option = click.option("--fraction", "exact", is_flag=True, help="Exact fractions in place of percent.")


def format_options(*forms: str, help: str | None = None) -> Callable[[F], F]:
    """The option `--format`, with the first of `forms` as default, and `--json` as a shorthand."""
    choice = click.option("--format", "form", type=click.Choice(forms), default=forms[0], show_default=True, help=help)
    short = click.option("--json", "as_json", is_flag=True, help="The same as --format json.")
    return lambda made: choice(short(made))


def output_option(help: str) -> Callable[[F], F]:
    """The option `--output`, the name of a file; `help` describes its content."""
    return click.option("-o", "--output", metavar="FILE", help=help)


# ---- odds
worlds_option = click.option(
    "--limit",
    "worlds",
    type=click.IntRange(min=1),
    default=MOST_WORLDS,
    show_default=True,
    metavar="N",
    help="Give up past so many worlds.",
)


def given_option(what: str) -> Callable[[F], F]:
    """The option `--given`; `what` names what the condition filters: histories, plays."""
    return click.option("--given", metavar="CONDITION", help=f"Only the {what} in which this holds.")


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

    shared = click.option("-j", "--jobs", type=click.IntRange(1), default=1, help="How many processes share the work.")
    afar = click.option(
        "--cluster", metavar="ADDRESS", callback=_cluster, help="The dask scheduler whose workers do the work."
    )
    return shared(afar(cast(F, run)))


def _cluster(context: click.Context, option: click.Parameter, address: str | None) -> str | None:
    if address is not None and find_spec("distributed") is None:
        raise click.UsageError(_NO_CLUSTER, context)
    return address


# ---- pictures
def picture_options(made: F) -> F:
    """Decorator that adds the options `--html` and `--svg`, each a file for the odds as pictures."""
    for kind, what in (("html", "a page for any browser, with the exact numbers"), ("svg", "a drawing")):
        made = click.option(
            f"--{kind}", metavar="FILE", callback=picture_file, help=f"Write the odds into FILE as {what}."
        )(made)
    return made


def picture_file(context: click.Context, option: click.Parameter, name: str | None) -> str | None:
    """Validate the file name of `--svg` or `--html` before anything is computed. Raises click's errors."""
    return _file_by(context, option, name, "vl_convert", _MISSING)


def parquet_file(context: click.Context, option: click.Parameter, name: str | None) -> str | None:
    """As `picture_file`, for `--parquet`."""
    return _file_by(context, option, name, "pyarrow", _NO_PARQUET)


def _file_by(
    context: click.Context, option: click.Parameter, name: str | None, library: str, missing: str
) -> str | None:
    if name is None:
        return None
    ends = _ENDS[option.name or ""]
    if not name.lower().endswith(ends):
        raise click.BadParameter(f"`{name}` does not end in {ends[0]}; nothing was written.")
    folder = os.path.dirname(name)
    if folder and not os.path.isdir(folder):
        raise click.BadParameter(f"there is no folder `{folder}`; nothing was written.")
    if find_spec(library) is None:
        raise click.UsageError(missing, context)
    return name
