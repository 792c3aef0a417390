"""How a command is declared, and how the words typed reach it.

A command is a function with the decorator `command`; its options and arguments are decorators too (`option`), and take
what argparse's `add_argument` takes. A `Group` finds a command by its name. The examples of a help page are read from
examples/commands.txt beside the rules, because they use the words of a game.
"""

from __future__ import annotations

import os
import sys
from argparse import SUPPRESS, ArgumentParser, ArgumentTypeError, RawDescriptionHelpFormatter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from typing import Any, NoReturn, TypeVar

from interpreter.places import HOME
from interpreter.source.nearest import nearest

from .ends import COULD_NOT, Ended

F = TypeVar("F", bound=Callable[..., Any])
Option = tuple[tuple[str, ...], dict[str, Any]]  # the arguments of `add_argument`

_OPTIONS = "options"  # the attribute of a function that has its options
_WIDTH = 96
_SHOWN = {None: "{}", "?": "[{}]", "*": "[{}]...", "+": "{}..."}  # by `nargs`


class UsageError(Exception):
    """What was typed cannot be done."""


# ---- declaring
def argument(name: str, **about: Any) -> Callable[[F], F]:
    """An argument of the command that is declared below it: a word without a name before it."""
    return option(name, help=SUPPRESS, **about)


def option(*names: str, **about: Any) -> Callable[[F], F]:
    """An option of the command that is declared below it."""

    def add(run: F) -> F:
        vars(run)[_OPTIONS] = [(names, about), *vars(run).get(_OPTIONS, [])]
        return run

    return add


def flag(*names: str, **about: Any) -> Callable[[F], F]:
    """An option without a value."""
    return option(*names, action="store_true", **about)


def several(*names: str, **about: Any) -> Callable[[F], F]:
    """An option that may be repeated."""
    return option(*names, action="append", default=(), **about)


def command(
    path: str | None = None,
    apart: Iterable[tuple[str, str]] = (),
    beside: Mapping[str, tuple[str, ...]] = {},
) -> Callable[[Callable[..., int | None]], Command]:
    """Make a function a command: `umpire` with the function's name if `path` does not say otherwise."""
    return lambda run: Command(path or f"umpire {run.__name__}", run, apart, beside)


def at_least(least: int, most: int | None = None) -> Callable[[str], int]:
    """The type of an option: a whole number in these bounds."""

    def number(text: str) -> int:
        if not text.isdecimal() or int(text) < least or (most is not None and int(text) > most):
            bounds = f"from {least} to {most}" if most is not None else f"from {least} on"
            raise ArgumentTypeError(f"`{text}` is no whole number {bounds}")
        return int(text)

    return number


# ---- commands
class Command:
    """A command: `apart` are pairs of options that exclude each other; `beside` maps an option to others of which at
    least one must be given with it. Both are checked before it runs, so that no option is silently ignored.
    """

    def __init__(
        self,
        path: str,
        run: Callable[..., int | None],
        apart: Iterable[tuple[str, str]],
        beside: Mapping[str, tuple[str, ...]],
    ) -> None:
        self.path, self.run, self.apart, self.beside = path, run, tuple(apart), dict(beside)
        self.options: list[Option] = vars(run).get(_OPTIONS, [])

    def __call__(self, words: Sequence[str]) -> int | None:
        """Run the command with the words that follow its name. Returns its exit code; raises `Ended`."""
        shown = [about.get("metavar") or _shown(names[0], about) for names, about in self.options if _bare(names)]
        parser = _Parser(self.path, ["[OPTIONS]", *shown], self.run.__doc__ or "")
        declared = [parser.add_argument(*names, **about) for names, about in self.options]
        values = {each.dest: each.default for each in declared}
        for each in declared:
            each.default = SUPPRESS  # what was not typed stays out of `given`
        try:
            found, unknown = parser.parse_known_intermixed_args(words)
            given = {name: tuple(value) if isinstance(value, list) else value for name, value in vars(found).items()}
            typed = {name: given[a.dest] for a in declared if a.dest in given for name in a.option_strings}
            if unknown:
                _unknown(unknown[0], [name for a in declared for name in a.option_strings])
            self._check(typed)
            return self.run(**values | given)
        except UsageError as error:
            parser.error(str(error))

    def _check(self, typed: Mapping[str, Any]) -> None:
        for one, other in self.apart:
            alike = f"--{typed.get(other)}" == one  # `--json --format json`
            if one in typed and other in typed and not alike:
                raise UsageError(f"{one} and {other} cannot both be done: leave one of them out.")
        for name, others in self.beside.items():
            if name in typed and not any(other in typed for other in others):
                raise UsageError(f"{name} goes with {' or '.join(others)}.")
        if "--jobs" in typed and "--cluster" in typed:
            raise UsageError("--jobs and --cluster cannot both be done: leave one of them out.")


class Group:
    """Commands under one name: `commands` has what the help page says of each, `find` gives one of them."""

    def __init__(
        self,
        path: str,
        says: str,
        commands: Mapping[str, str],
        find: Callable[[str], Command | Group],
        version: str | None = None,
    ) -> None:
        self.path, self.says, self.commands, self.find, self.version = path, says, commands, find, version

    def __call__(self, words: Sequence[str]) -> int | None:
        """Run the command that the first word names with the others. Returns its exit code; raises `Ended`."""
        if words and words[0] in self.commands:
            return self.find(words[0])(words[1:])
        wide = max(map(len, self.commands))
        rows = [f"  {name:{wide}}  {says}" for name, says in self.commands.items()]
        parser = _Parser(self.path, ["COMMAND", "..."], self.says, epilog="\n".join(["commands:", *rows]))
        if self.version is not None:
            parser.add_argument("--version", action="version", version=f"%(prog)s, version {self.version}")
        _, words = parser.parse_known_args(words)
        if not words:
            parser.print_help(sys.stderr)
            parser.exit(COULD_NOT)
        close = nearest(words[0], self.commands)
        hint = f"Did you mean `{close[0]}`?" if close else f"Commands: {', '.join(self.commands)}."
        parser.error(f"There is no command `{words[0]}`. {hint}")


def _unknown(word: str, known: list[str]) -> NoReturn:
    if not word.startswith("-"):
        raise UsageError(f"`{word}` is one word too many.")
    close = nearest(word.partition("=")[0], known)
    raise UsageError(f"There is no option `{word}`." + (f" Did you mean `{close[0]}`?" if close else ""))


def _bare(names: tuple[str, ...]) -> bool:
    """Whether this is an argument, which is typed without a name."""
    return not names[0].startswith("-")


def _shown(name: str, about: Mapping[str, Any]) -> str:
    return _SHOWN[about.get("nargs")].format(name.upper())


# ---- reading words, and help pages
class _Parser(ArgumentParser):
    """argparse, with a help page of ours and an exit by `Ended`."""

    def __init__(self, path: str, words: Iterable[str], says: str, epilog: str | None = None) -> None:
        usage = " ".join([path, *words])
        super().__init__(path, usage, epilog=epilog, formatter_class=_Page, add_help=False, allow_abbrev=False)
        self.add_argument("-h", "--help", action="help", help="Show this page.")
        self.says = says

    def format_help(self) -> str:
        self.description = _laid_out(self.prog, self.says)
        return super().format_help()

    def print_help(self, file: Any = None) -> None:
        (file or sys.stdout).write(self.format_help())  # argparse itself hides that a pipe is closed

    def exit(self, status: int = 0, message: str | None = None) -> NoReturn:
        if message:
            sys.stderr.write(message)
        sys.stdout.flush()  # here a closed pipe is noticed
        raise Ended(status)


class _Page(RawDescriptionHelpFormatter):
    """A help page of one width, whatever the terminal: it would take a library to ask."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, max_help_position=30, width=_WIDTH)


def _laid_out(path: str, says: str) -> str:
    """The text of a help page: its first paragraph, the examples, its other paragraphs. A paragraph that begins with a
    line `\\b` keeps its lines.
    """
    from textwrap import dedent, fill  # imported late: for help pages only

    told = []
    for paragraph in says.strip().split("\n\n"):
        head, _, rest = paragraph.partition("\n")
        told.append(dedent(rest) if head.strip() == "\b" else fill(" ".join(paragraph.split()), _WIDTH))
    if lines := _examples().get(path.removeprefix("umpire ")):
        told.insert(1, "\n".join(lines))
    return "\n\n".join(told)


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
