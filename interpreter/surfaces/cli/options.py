"""Options that more than one command has.

Enters: a command. Leaves: the command with the options. What they say is read here as far as it can be wrong: a name
that does not end as its option says, or a library that is not there, is told before anything is worked out.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from fractions import Fraction
from typing import Any, TypeVar

import click

from .asking import MOST_WORLDS

F = TypeVar("F", bound=Callable[..., Any])
_ENDS = {"svg": (".svg",), "html": (".html", ".htm")}
_MISSING = (
    "pictures are drawn by a library that is not installed here; to get it: pip install 'tabletop-umpire[pictures]'"
)

worlds_option = click.option(
    "--limit",
    "worlds",
    type=click.IntRange(min=1),
    default=MOST_WORLDS,
    show_default=True,
    metavar="N",
    help="Give up past so many worlds.",
)


def situation_options(made: F) -> F:
    for option in reversed(
        (
            click.argument("words", nargs=-1, metavar="RULES PROCEDURE [THINGS]... | SITUATION.yaml"),
            click.option("--ask", "asks", multiple=True, metavar="EXPR", help="What to work out; may be repeated."),
            click.option(
                "--choose",
                multiple=True,
                metavar="LINE=WAY",
                help="How a choice is made: shoot.down=most; or a policy of the rules: careful, A=careful.",
            ),
            click.option(
                "--ruling",
                "rulings",
                multiple=True,
                metavar="NAME=VALUE",
                help="Another reading of the rules.",
            ),
            click.option(
                "--over", multiple=True, metavar="FILE", help="A supplement to lay over the rules; may be repeated."
            ),
            click.option("--json", "as_json", is_flag=True, help="Plain data on standard output."),
        )
    ):
        made = option(made)
    return made


# ---- pictures
def picture_options(made: F) -> F:
    for kind, what in (("html", "a page for any browser, with the exact numbers"), ("svg", "a drawing")):
        made = click.option(
            f"--{kind}", metavar="FILE", callback=_picture, help=f"Write the odds into FILE as {what}."
        )(made)
    return made


def _picture(context: click.Context, option: click.Parameter, name: str | None) -> str | None:
    if name is None:
        return None
    ends = _ENDS[option.name or ""]
    if not name.lower().endswith(ends):
        raise click.BadParameter(f"`{name}` does not end in {ends[0]}; nothing was written.")
    folder = os.path.dirname(name)
    if folder and not os.path.isdir(folder):
        raise click.BadParameter(f"there is no folder `{folder}`; nothing was written.")
    from interpreter.surfaces.as_picture.drawn import installed  # what draws, where a picture is wanted

    if not installed():
        raise click.UsageError(_MISSING, context)
    return name


# ---- shares
def one_share(_: click.Context, __: click.Parameter, text: str | None) -> Fraction | None:
    return _share(text) if text is not None else None


def shares(_: click.Context, __: click.Parameter, text: str | None) -> tuple[Fraction, ...]:
    return tuple(sorted(_share(part) for part in text.split(","))) if text is not None else ()


def _share(text: str) -> Fraction:
    """A part of all ways: `90%`, `90` and `9/10` are the same."""
    try:
        found = Fraction(text.strip().removesuffix("%"))
        if text.strip().endswith("%") or ("/" not in text and found >= 1):
            found /= 100
    except (ValueError, ZeroDivisionError):
        found = Fraction(0)
    if not 0 < found <= 1:
        raise click.BadParameter(f"`{text}` is no part of all ways; say `90%` or `9/10`.")
    return found
