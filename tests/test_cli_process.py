"""The command line as a process: what it imports, how it ends, and who stops reading."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.processes import started, stop, unread

ROOT = Path(__file__).parent.parent
SHOT = ("modern", "shoot", "A: 6 figures, seasoned, rifle", "B: 8 figures, green", "distance 20")


def umpire(*words: str, **settings: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONWARNINGS": "error", **settings}
    command = [sys.executable, "-m", "interpreter", *words]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, env=environment, encoding="utf-8")


def test_exit_codes(tmp_path: Path) -> None:
    assert umpire("check", "modern").returncode == 0
    assert umpire("check", str(ROOT / "examples" / "mistake.yaml")).returncode == 1
    done = umpire("odds", "modern", "shooot")
    assert (done.returncode, done.stdout) == (2, "")
    assert "did you mean `shoot`" in done.stderr
    assert umpire("check", str(tmp_path)).returncode == 2


def test_help_imports_nothing_heavy() -> None:
    program = (
        "import sys\nfrom interpreter.surfaces.cli.ends import Ended\nfrom interpreter.surfaces.cli.group import main\n"
        "try: main(['odds', '--help'])\nexcept Ended: pass\n"
        "heavy = {'lark', 'yaml', 'jsonschema', 'vl_convert'} & set(sys.modules)\n"
        "assert not heavy, heavy"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, cwd=ROOT)
    assert done.returncode == 0, done.stderr
    assert "exact odds" in done.stdout.lower()


def test_help_imports_no_command_and_a_command_no_other() -> None:
    program = (
        "import sys\nfrom interpreter.surfaces.cli import COMMANDS\nfrom interpreter.surfaces.cli.ends import Ended\n"
        "from interpreter.surfaces.cli.group import main\ntry: main(sys.argv[1:])\nexcept Ended: pass\n"
        "print(*(c for c in COMMANDS if f'interpreter.surfaces.cli.{c}' in sys.modules), file=sys.stderr)"
    )
    for words, wanted in ((["--help"], ""), (["check", "--help"], "check"), (["odds", "--help"], "odds")):
        run = [sys.executable, "-c", program, *words]
        done = subprocess.run(run, capture_output=True, text=True, timeout=60, cwd=ROOT)
        assert done.stderr.strip() == wanted


def test_who_stops_reading() -> None:
    with started("show", "modern") as going:
        assert going.stdout is not None
        assert going.stderr is not None
        assert going.stdout.readline().startswith("FUBAR Modern")
        going.stdout.close()
        assert going.stderr.read() == ""
    for words in (("show", "modern"), ("--help",), ("odds", "--help")):
        assert unread(*words) == (2, b"")


def test_stopped_by_hand() -> None:
    with started("test", "fubar", "imperial") as going:
        assert going.stdout is not None
        assert "examples" in going.stdout.readline()  # it is at work
        stop(going)
        _, error = going.communicate(timeout=60)
    assert going.returncode == 130
    assert "stopped" in error
    assert "Traceback" not in error


def test_colours_only_where_they_are_wanted() -> None:
    assert "\x1b" not in umpire("odds", *SHOT, "--ask", "hits").stdout
    assert "\x1b" in umpire("odds", *SHOT, "--ask", "hits", FORCE_COLOR="1").stdout
    assert "\x1b" not in umpire("odds", *SHOT, "--ask", "hits", FORCE_COLOR="1", NO_COLOR="1").stdout


def test_a_terminal_without_blocks() -> None:
    out = umpire("odds", *SHOT, "--ask", "hits", PYTHONIOENCODING="ascii").stdout
    assert "####" in out
    assert "█" not in out


def test_rows_stay_within_the_terminal() -> None:
    out = umpire("resolve", str(ROOT / "examples" / "modern-volley.yaml"), COLUMNS="100").stdout
    assert max(len(line) for line in out.splitlines()) <= 102


@pytest.mark.parametrize("closed", [("stdout",), ("stderr",), ("stdin", "stdout", "stderr")])
@pytest.mark.parametrize("words", ["check modern", "check --no-cache modern", "--version", "odds {shot}"])
def test_streams_that_were_closed_from_the_start(words: str, closed: tuple[str, ...]) -> None:
    """What is said there is for nobody, and nothing is wrong with it; nor is it when the answer is known."""
    program = "".join(f"import sys; sys.{name} = None\n" for name in closed)
    program += "from interpreter.__main__ import main; main()"
    command = [sys.executable, "-c", program, *words.format(shot="examples/modern-volley.yaml").split(" ")]
    for _ in range(2):
        done = subprocess.run(command, capture_output=True, timeout=60, cwd=ROOT)
        assert (done.returncode, done.stderr) == (0, b"")
        assert bool(done.stdout) == ("stdout" not in closed)


def test_who_stops_reading_what_was_known() -> None:
    for _ in range(2):
        assert subprocess.run([sys.executable, "-m", "interpreter", "check", "modern"], cwd=ROOT).returncode == 0
    assert unread("check", "modern") == (2, b"")
