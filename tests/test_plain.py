"""Plain commands are read without click, and nobody can tell: the same options, the same words, the same ends."""

from __future__ import annotations

import importlib
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import click
import pytest

from interpreter.surfaces.cli import plain
from interpreter.surfaces.cli.ends import ended
from tests.processes import unread

ROOT = Path(__file__).parent.parent
SHOT = ("modern", "shoot", "A: 2 figures, seasoned, rifle", "B: 3 figures, green", "distance 9")
TABLES = {"odds": plain.ODDS, "resolve": plain.RESOLVE}
# What click alone reads: it has to look at files, at numbers of another kind, or somebody is asked.
LEFT = {
    "odds": {"--svg", "--html", "--quantiles", "--reach"},
    "resolve": {"--ask-dice", "--ask-choices"},
}


def by_click(command: str, words: list[str]) -> dict[str, Any]:
    made = getattr(importlib.import_module(f"interpreter.surfaces.cli.{command}"), command)
    return dict(made.make_context(command, list(words)).params)


def options(command: str) -> list[click.Option]:
    made = getattr(importlib.import_module(f"interpreter.surfaces.cli.{command}"), command)
    return [each for each in made.params if isinstance(each, click.Option)]


def written(option: click.Option, name: str) -> list[list[str]]:
    """An option on a command line: once, twice, and with its value behind `=`."""
    if option.is_flag:
        return [[name], [name, name]]
    one, other = ("7", "19") if isinstance(option.type, click.IntRange) else ("x=y", "v w")
    return [[name, one], [name, one, name, other], [f"{name}={one}"]]


@pytest.mark.parametrize("command", TABLES)
def test_every_option_is_read_as_click_reads_it(command: str) -> None:
    names = {name for option in options(command) for name in option.opts}
    assert names == {*TABLES[command], *LEFT[command]}
    for option in options(command):
        for name in set(option.opts) - LEFT[command]:
            for words in written(option, name):
                for line in (words, [*words, "modern", "shoot"], ["modern", *words, "A: 2 figures, rifle", ""]):
                    said = plain.read(line, TABLES[command])
                    assert said is not None
                    found = by_click(command, line)
                    rest = {key: value for key, value in found.items() if key not in said}
                    assert {key: found[key] for key in said} == said, line
                    assert not any(rest.values()), "what is not in the table is not asked for"


@pytest.mark.parametrize("command", TABLES)
def test_without_an_option_it_is_as_click_has_it(command: str) -> None:
    for words in ([], ["modern"], list(SHOT)):
        said = plain.read(words, TABLES[command])
        assert said is not None
        assert {key: by_click(command, words)[key] for key in said} == said


@pytest.mark.parametrize(
    "words",
    ["--help", "-h", "--no-such", "--asks x", "--as x", "--ask", "--ask --json", "--ask=", "--json=yes", "--limit 0",
     "--limit ten", "--limit -5", "--limit 1.5", "--limit ²", "--", "-", "-x", "--reach 90%", "--svg a.svg"],
)  # fmt: skip
def test_whatever_else_is_left_to_click(words: str) -> None:
    assert plain.read(["modern", *words.split()], plain.ODDS) is None
    assert plain.command(["odds", "modern", *words.split()]) is None


def test_only_what_is_plain_is_a_command() -> None:
    for words in (["odds", *SHOT], ["resolve", *SHOT, "--seed", "1"]):
        assert (plain.command(words) is None) == (os.name == "nt")
    assert plain.command(["resolve", *SHOT, "--seed", "1", "--dice", "6"]) is None
    for words in ([], ["--help"], ["sample", *SHOT], ["check"]):
        assert plain.command(words) is None


def test_a_shell_that_completes_is_answered_by_click(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("_UMPIRE_COMPLETE", "bash_complete")
    assert plain.command(["odds", *SHOT]) is None


# ---- as a process
def run(program: str, *words: str, **settings: str) -> subprocess.CompletedProcess[bytes]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONWARNINGS": "error", "UMPIRE_CACHE": "off", **settings}
    start = [sys.executable, "-c", program] if program else [sys.executable, "-m", "interpreter"]
    return subprocess.run([*start, *words], capture_output=True, timeout=120, env=environment, cwd=ROOT)


CLICK = "from interpreter.surfaces.cli import main; main()"


PLAIN = [
    ("odds", *SHOT),
    ("odds", *SHOT, "--ask", "hits", "--given", "hits > 0", "--fraction"),
    ("odds", *SHOT[:2], "A: <1 to 3> figures, rifle", *SHOT[3:]),
    ("odds", "modern", "shooot"),
    ("odds", *SHOT, "--ask", "nothing", "--json"),
    ("odds", *SHOT, "--limit", "2"),
    ("odds",),
    ("odds", "--limit", "x", *SHOT),
    ("resolve", *SHOT, "--seed", "7"),
    ("resolve", *SHOT, "--dice", "6,6,6,6,6,6,6,6,6,6,6,6"),
    ("resolve", *SHOT, "--dice", "6"),
]
SCREENS = [{"PYTHONIOENCODING": "ascii"}, {"FORCE_COLOR": "1"}, {"COLUMNS": "70"}]


@pytest.mark.parametrize(
    ("words", "settings"), [*((words, {}) for words in PLAIN), *((PLAIN[0], screen) for screen in SCREENS)]
)
def test_it_says_and_ends_as_with_click(words: tuple[str, ...], settings: dict[str, str]) -> None:
    with_click, alone = run(CLICK, *words, **settings), run("", *words, **settings)
    assert (alone.returncode, alone.stdout, alone.stderr) == (
        with_click.returncode, with_click.stdout, with_click.stderr,
    )  # fmt: skip
    assert alone.stdout or alone.stderr


# What another question about known rules does without: half of its time would go into imports.
UNNEEDED = (
    "click", "yaml", "lark", "jsonschema", "ast", "inspect", "dis", "importlib.metadata", "textwrap", "uuid",
    "interpreter.document.reader", "interpreter.document.writing", "interpreter.language.mend", "interpreter.lint",
    "interpreter.rulebook.commuting", "interpreter.source.rendering", "interpreter.surfaces.as_json",
    "interpreter.surfaces.as_picture", "interpreter.engines.chains", "interpreter.workbench.examples",
)  # fmt: skip


@pytest.mark.parametrize("command", TABLES)
def test_only_what_is_needed_is_imported(command: str, tmp_path: Path) -> None:
    told = f"print(*[name for name in {UNNEEDED} if name in sys.modules], file=sys.stderr)\n"
    program = (
        "import atexit, sys\nfrom interpreter.__main__ import main\n"
        f"def tell():\n    {told}\natexit.register(tell)\nmain()\n"
    )
    kept = {"UMPIRE_CACHE": "", "XDG_CACHE_HOME": str(tmp_path)}
    assert run(program, command, *SHOT[:-1], "distance 8", **kept).returncode == 0
    done = run(program, command, *SHOT, **kept)
    by_click = run(f"import click, sys\n{told}").stderr.split() if plain.command([command, *SHOT]) is None else []
    assert (done.returncode, set(done.stderr.split()) - set(by_click)) == (0, set())


def test_who_stops_reading() -> None:
    assert unread("odds", *SHOT) == (2, b"")


# ---- ends
def raising(error: BaseException) -> Any:
    def command() -> None:
        raise error

    return command


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (KeyboardInterrupt(), "\numpire: stopped\n"),
        (EOFError(), "\numpire: stopped\n"),
        (OSError(28, "No space left on device"), "umpire: could not run: no space left on device\n"),
        (KeyError("x"), "umpire: a mistake in Umpire itself, not in your files: KeyError: 'x'\nplease report it"),
    ],
)
def test_nothing_ends_with_a_traceback(error: BaseException, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        ended(raising(error))
    assert end.value.code == 2
    assert capsys.readouterr().err.startswith(said)


def test_a_mistake_is_shown_where_that_is_wished(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("UMPIRE_DEBUG", "1")
    with pytest.raises(KeyError):
        ended(raising(KeyError("x")))


@pytest.mark.parametrize("more", [(), ("--limit=100000000",), ("--reach=90%",)])
def test_stopped_by_hand(more: tuple[str, ...]) -> None:
    """While it works; with `--reach` it is click's command."""
    program = (
        "import os, signal, sys, threading\nfrom interpreter.surfaces.cli import asking\n"
        "asking.Questions.__init__ = lambda *_: signal.raise_signal(signal.SIGINT)\n"
        "from interpreter.__main__ import main\nmain()\n"
    )
    done = run(program, "odds", *SHOT, *more)
    assert done.returncode == 2
    assert re.fullmatch(rb"\r?\numpire: stopped\r?\n", done.stderr), done.stderr
