"""The commands as one click group, with hints for misspelt names.

Takes command-line words. Runs a command, and gives its exit code.
"""

from __future__ import annotations

import importlib
from typing import Any, NoReturn

import click

from interpreter import __version__
from interpreter.source.nearest import nearest

from . import COMMANDS, MODULES
from .ends import COULD_NOT, Ended, closed, ended
from .options import Group


class Umpire(Group):
    """A group that never shows a traceback, and always exits with a code of `ends`."""

    def main(self, args: Any = None, prog_name: Any = None, **extra: Any) -> Any:  # type: ignore[override]
        if not extra.pop("standalone_mode", True):
            return super().main(args, prog_name, standalone_mode=False, **extra)

        def command() -> Any:
            try:
                return super(Umpire, self).main(args, "umpire", standalone_mode=False, **extra)
            except click.ClickException as error:
                error.show()
                return COULD_NOT
            except click.Abort as stop:
                raise KeyboardInterrupt(*stop.args) from None

        ended(command)

    def make_context(self, *args: Any, **extra: Any) -> click.Context:
        try:
            return super().make_context(*args, **extra)
        except BrokenPipeError:  # the pipe was closed while printing the help
            raise click.exceptions.Exit(closed()) from None

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except Ended as end:
            raise click.exceptions.Exit(end.code) from None
        except KeyboardInterrupt as stop:
            raise click.Abort(*stop.args) from None  # otherwise both click and `ended` would start a new line
        except BrokenPipeError:
            raise click.exceptions.Exit(closed()) from None  # click would exit with 1, which means findings

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            _unknown_command(ctx, args[0], list(COMMANDS))
        return super().resolve_command(ctx, args)

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of commands without importing any of them."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import only the requested command."""
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = getattr(
            importlib.import_module(f".{MODULES.get(cmd_name, cmd_name)}", __package__), cmd_name
        )
        return command


def _unknown_command(ctx: click.Context, word: str, known: list[str]) -> NoReturn:
    close = nearest(word, known)
    hint = f"Did you mean `{close[0]}`?" if close else f"Commands: {', '.join(known)}."
    raise click.UsageError(f"There is no command `{word}`. {hint}", ctx)


@click.group(cls=Umpire, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="umpire")
def main() -> None:
    """Wargame rules as plain YAML: checked, played with every die shown, and priced in exact odds.

    Exit codes, of every command: 0 clean, 1 findings in your files, 2 could not run: what was typed is wrong, a file
    is not there or cannot be opened, or odds were given up; 130 stopped by Ctrl-C.
    """
