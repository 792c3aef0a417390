"""The command `umpire`. One module a command; what a command needs is imported when it runs, for start-up
is felt.

Exit codes everywhere: 0 clean, 1 findings, 2 could not run. This file is the one place where what was not
foreseen is caught.
"""

from __future__ import annotations

import importlib
import os
import sys
from contextlib import suppress
from typing import Any, NoReturn

import click

from interpreter import __version__

from .terminal import COULD_NOT

# In the order of the help. Each is a module of this folder that has a command of its name.
COMMANDS = (
    "demo", "check", "fmt", "resolve", "odds", "advise",
    "sample", "muster", "test", "show", "why", "diff", "rulings", "lock",
    "flat", "new", "migrate", "coverage", "explain", "schema",
)  # fmt: skip


class Umpire(click.Group):
    """A group that never shows a traceback and always ends with 0, 1 or 2."""

    def main(self, args: Any = None, prog_name: Any = None, **extra: Any) -> Any:  # type: ignore[override]
        if not extra.pop("standalone_mode", True):
            return super().main(args, prog_name, standalone_mode=False, **extra)
        sys.set_int_max_str_digits(0)  # exact odds have numbers of any length
        for stream in (sys.stdout, sys.stderr):
            if hasattr(stream, "reconfigure"):
                stream.reconfigure(errors="replace")
        try:
            code = super().main(args, "umpire", standalone_mode=False, **extra)
            sys.stdout.flush()
        except click.ClickException as error:
            error.show()
            code = COULD_NOT
        except BrokenPipeError:
            code = _closed()
        except (KeyboardInterrupt, EOFError, click.Abort):
            click.echo(err=True)  # behind the question or the ^C
            code = _stopped("stopped")
        except OSError as error:
            code = _stopped(f"could not run: {(error.strerror or str(error)).lower()}")
        except Exception as error:
            if os.environ.get("UMPIRE_DEBUG"):
                raise
            code = _stopped(
                f"a mistake in Umpire itself, not in your files: {type(error).__name__}: {error}\n"
                "please report it, with what you ran; UMPIRE_DEBUG=1 shows where it happened"
            )
        sys.exit(code if isinstance(code, int) else 0)

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            raise click.exceptions.Exit(_closed()) from None  # click would end with 1, which says findings

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            _unknown_command(ctx, args[0], list(COMMANDS))
        return super().resolve_command(ctx, args)

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The one that was asked for, and no other, is read."""
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = getattr(importlib.import_module(f".{cmd_name}", __package__), cmd_name)
        return command


def _unknown_command(ctx: click.Context, word: str, known: list[str]) -> NoReturn:
    from interpreter.source.nearest import nearest

    close = nearest(word, known)
    hint = f"Did you mean `{close[0]}`?" if close else f"Commands: {', '.join(known)}."
    raise click.UsageError(f"There is no command `{word}`. {hint}", ctx)


def _closed() -> int:
    """Whoever read the output has gone (`| head`): nothing more can be said, and nobody wants it."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return COULD_NOT


def _stopped(why: str) -> int:
    with suppress(OSError):
        click.echo(f"umpire: {why}", err=True)
    return COULD_NOT


@click.group(cls=Umpire, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="umpire")
def main() -> None:
    """Wargame rules as plain YAML: checked, played with every die shown, and priced in exact odds.

    \b
    umpire check rules/modern.yaml
    umpire odds modern shoot 'A: 6 figures, seasoned, rifle' 'B: 8 figures, green' 'distance 20"'
    umpire resolve modern shoot 'A: 6 figures, seasoned, rifle' 'B: 8 figures, green' 'distance 20"'

    Exit codes, of every command: 0 clean, 1 findings in your files, 2 could not run: what was typed is wrong, a file
    is not there or cannot be opened, odds were given up, or somebody stopped it.
    """


__all__ = ["main"]
