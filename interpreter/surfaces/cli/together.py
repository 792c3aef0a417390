"""Options that cannot stand beside each other, and options that mean something beside others only.

Enters: what was typed. Leaves: nothing, or the end of the command, with both options by name: nothing that is typed is
ever dropped unsaid. Knows nothing of what a command does.
"""

from __future__ import annotations

import click
from click.core import ParameterSource

Pairs = tuple[tuple[str, str], ...]

# By command: of each pair, only one can be done.
APART: dict[str, Pairs] = {
    "resolve": (("--seed", "--dice"), ("--seed", "--ask-dice"), ("--dice", "--ask-dice")),
    "odds": (("--joint", "--table"), ("--joint", "--deviation"), ("--joint", "--quantiles"), ("--joint", "--reach")),
    "check": (
        ("--json", "--format"),
        ("--diff", "--fix"),
        ("--diff", "--json"),
        ("--diff", "--format"),
        ("--diff", "--output"),
        ("--diff", "--quiet"),
        ("--diff", "--watch"),
        ("--diff", "--fail-on"),
        ("--diff", "--no-cache"),
    ),
    "lock": (("--json", "--format"),),
    "muster": (("--json", "--format"),),
}
# By command: an option, and those of which one must stand beside it.
WITH: dict[str, tuple[tuple[str, tuple[str, ...]], ...]] = {
    "diff": (("--all", ("--odds", "--svg", "--html")), ("--fraction", ("--odds", "--svg", "--html"))),
    "test": (
        ("--jobs", ("--mutate",)),
        ("--at", ("--mutate",)),
        ("--quick", ("--mutate",)),
        ("--sample", ("--mutate",)),
        ("--seed", ("--sample",)),
    ),
    "check": (("--output", ("--format", "--json")),),
    "lock": (("--format", ("--check",)), ("--json", ("--check",))),
}


def check(ctx: click.Context) -> None:
    """Raises click's UsageError where one of two options would be dropped."""
    command = ctx.info_name or ""
    typed = {
        name: ctx.params.get(param.name or "")
        for param in ctx.command.params
        if param.name and ctx.get_parameter_source(param.name) is ParameterSource.COMMANDLINE
        for name in param.opts
    }
    for one, other in APART.get(command, ()):
        if one in typed and other in typed and not _alike(one, typed[other]):
            raise click.UsageError(f"{one} and {other} cannot both be done: leave one of them out.", ctx)
    for option, others in WITH.get(command, ()):
        if option in typed and not any(other in typed for other in others):
            raise click.UsageError(f"{option} goes with {' or '.join(others)}.", ctx)


def _alike(one: str, other: object) -> bool:
    """Whether both say the same: `--json --format json`."""
    return f"--{other}" == one
