"""Umpire's own modules in one file: written where Python writes such files, and never older than the code."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SHOT = (
    "resolve",
    "modern",
    "shoot",
    "A: veteran, 6 figures, rifle",
    "B: green, 8 figures",
    'distance 11"',
    "--seed",
    "1",
)
WHERE = """
import sys, interpreter.__main__ as at, interpreter.kept as kept
try:
    at.main()
except SystemExit as end:
    loaders = [type(m.__spec__.loader).__name__ for n, m in sys.modules.items() if n.startswith("interpreter.")]
    print(end.code, "of the bundle:", loaders.count("_Loader"), "others:", loaders.count("SourceFileLoader"))
"""


@pytest.fixture(scope="module")
def copied(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("bundle")
    for part in ("interpreter", "grammar", "rules"):
        shutil.copytree(ROOT / part, folder / part, ignore=shutil.ignore_patterns("__pycache__"))
    return folder


@pytest.fixture
def copy(copied: Path) -> Iterator[Path]:
    yield copied
    for found in _found(copied):
        found.unlink()


def _found(folder: Path) -> list[Path]:
    return list(folder.glob("interpreter/__pycache__/bundled.*"))


def _run(folder: Path, *words: str, **settings: str) -> subprocess.CompletedProcess[str]:
    own = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    own |= {"UMPIRE_DEBUG": "1", "XDG_CACHE_HOME": str(folder / "cache"), **settings}
    command = [sys.executable, "-c", WHERE, *words]
    return subprocess.run(command, cwd=folder, env=own, capture_output=True, text=True, timeout=120, encoding="utf-8")


def _counts(done: subprocess.CompletedProcess[str]) -> tuple[int, int]:
    assert done.stderr == ""
    said = done.stdout.splitlines()[-1].split()
    return int(said[4]), int(said[6])


def test_the_second_run_imports_from_one_file(copy: Path) -> None:
    first = _run(copy, "show", "modern")
    assert _counts(first)[0] == 0
    again = _run(copy, "show", "modern")
    bundled, others = _counts(again)
    assert (bundled > 30, others < 15) == (True, True)  # those before the bundle is known
    assert again.stdout.splitlines()[:-1] == first.stdout.splitlines()[:-1]
    (file,) = _found(copy)
    before = file.stat().st_mtime_ns
    _run(copy, "show", "modern")
    assert file.stat().st_mtime_ns == before, "nothing was missing, and it was written anew"


def test_another_command_adds_what_it_needs(copy: Path) -> None:
    _run(copy, "show", "modern")
    size = _found(copy)[0].stat().st_size
    few = _counts(_run(copy, *SHOT))[1]
    assert _found(copy)[0].stat().st_size > size
    assert _counts(_run(copy, *SHOT))[1] < few
    assert _counts(_run(copy, "show", "modern"))[1] < 15  # and keeps what others need


def test_code_that_was_changed_is_read_anew(copy: Path) -> None:
    _run(copy, "show", "modern")
    file = copy / "interpreter" / "surfaces" / "cli" / "terminal.py"
    text = file.read_text("utf-8")
    try:
        file.write_text(text + "\nprint('changed')\n", "utf-8")
        done = _run(copy, "show", "modern")
        assert "changed" in done.stdout
        assert _counts(done)[0] == 0
        done = _run(copy, "show", "modern")
        assert "changed" in done.stdout
        assert _counts(done)[0] > 30
    finally:
        file.write_text(text, "utf-8")


@pytest.mark.parametrize("damage", ["short", "cut", "empty", "number", "table"])
def test_a_damaged_file_is_as_if_it_were_not_there(copy: Path, damage: str) -> None:
    first = _run(copy, "show", "modern")
    (file,) = _found(copy)
    whole = file.read_bytes()
    file.write_bytes(
        {
            "short": whole[:1000],
            "cut": whole[:-1],
            "empty": b"",
            "number": whole[:40] + b"x" * 20 + whole[60:],
            "table": whole[:60] + b"\0" * len(whole[60:]),
        }[damage]
    )
    done = _run(copy, "show", "modern")
    assert _counts(done)[0] == 0
    assert done.stdout.splitlines()[:-1] == first.stdout.splitlines()[:-1]
    assert _counts(_run(copy, "show", "modern"))[0] > 30  # it was written again


def test_a_pipe_in_its_place_holds_nobody_up(copy: Path) -> None:
    _run(copy, "show", "modern")
    (file,) = _found(copy)
    file.unlink()
    os.mkfifo(file)
    assert _counts(_run(copy, "show", "modern"))[0] == 0
    assert _counts(_run(copy, "show", "modern"))[0] > 30  # it was written in the place of that


def test_damaged_codes_are_read_from_their_own_files(copy: Path) -> None:
    first = _run(copy, "show", "modern")
    (file,) = _found(copy)
    whole = file.read_bytes()
    file.write_bytes(whole[:-300_000] + b"\0" * 300_000)
    assert _run(copy, "show", "modern").stdout.splitlines()[:-1] == first.stdout.splitlines()[:-1]
    assert not file.read_bytes().endswith(b"\0" * 1_000)  # and lie there again


def test_reached_by_another_path(copy: Path, tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to(copy)
    for path, bundled in ((link, False), (link, True), (copy, False), (copy, True)):
        done = _run(tmp_path, "show", "modern", PYTHONPATH=str(path))
        assert (_counts(done)[0] > 30) == bundled


def test_rights_of_the_source(copy: Path) -> None:
    before = os.umask(0)
    try:
        _run(copy, "show", "modern")
    finally:
        os.umask(before)
    (file,) = _found(copy)
    assert file.stat().st_mode & 0o777 == (copy / "interpreter" / "bundle.py").stat().st_mode & 0o777


def test_code_that_changed_meanwhile_is_not_kept(copy: Path) -> None:
    file = copy / "interpreter" / "hints.py"
    before = file.stat()
    program = WHERE.replace("at.main()", f"kept.code_now(); import os; os.utime({str(file)!r}, ns=(1, 1)); at.main()")
    own = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"} | {"UMPIRE_DEBUG": "1"}
    command = [sys.executable, "-c", program, "show", "modern"]
    done = subprocess.run(command, cwd=copy, env=own, capture_output=True, text=True, timeout=120, encoding="utf-8")
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert done.returncode == 0, done.stderr
    assert _found(copy) == []


def test_nothing_is_written_where_python_writes_nothing(copy: Path) -> None:
    assert _counts(_run(copy, "show", "modern", PYTHONDONTWRITEBYTECODE="1"))[0] == 0
    assert _found(copy) == []


def test_it_lies_where_python_was_told_to_put_such_files(copy: Path, tmp_path: Path) -> None:
    for bundled in (False, True):
        done = _run(copy, "show", "modern", PYTHONPYCACHEPREFIX=str(tmp_path))
        assert (_counts(done)[0] > 30) == bundled
    assert _found(copy) == []
    assert list(tmp_path.rglob("bundled.*"))


def test_a_module_knows_where_it_comes_from(copy: Path) -> None:
    _run(copy, "show", "modern")
    program = (
        "import interpreter.bundle as b, inspect, importlib.resources as r\nb.begin()\n"
        "import interpreter.surfaces.cli.terminal as t, interpreter.surfaces as s\n"
        "assert type(t.__spec__.loader).__name__ == type(s.__spec__.loader).__name__ == '_Loader'\n"
        "assert t.__file__.endswith('terminal.py') and t.__cached__.endswith('.pyc') and t.__package__ == s.__name__ + '.cli'\n"
        "assert inspect.getsource(t) == open(t.__file__, encoding='utf-8').read()\n"
        "assert list(s.__path__) == [s.__file__.removesuffix('__init__.py')[:-1]]\n"
        "assert (r.files(s) / 'cli' / 'terminal.py').is_file()\n"
        "import importlib; importlib.reload(t)\n"
    )
    own = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=copy, env=own, capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 0, done.stderr
