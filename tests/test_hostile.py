"""Files of strangers: each is answered with a problem, within fixed bounds of memory and of the processor.

The bounds of a process are no measure of time: they only keep a machine from hanging when a bound of ours is missing.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest

from interpreter.places import find_in_folder

HERE = Path(__file__).parent / "hostile"
ROOT = Path(__file__).parents[1]
MEMORY = 1536 * 1024 * 1024  # bytes of address space
SECONDS = 60  # of the processor


def bounded(*words: str, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Umpire in a process of its own that gets no more than so much."""

    def limits() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))

    return subprocess.run(
        [sys.executable, "-m", "interpreter", *words],
        capture_output=True,
        text=True,
        errors="replace",
        preexec_fn=limits,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        cwd=cwd,
        stdin=subprocess.DEVNULL,
        check=False,
    )


def answered(done: subprocess.CompletedProcess[str], code: str) -> None:
    said = done.stdout + done.stderr
    assert done.returncode in (1, 2), said[-2000:]
    assert code in said, said[-2000:]
    assert "Traceback" not in said
    assert "a mistake in Umpire itself" not in said
    assert "\x1b" not in said


@pytest.mark.parametrize("path", sorted(HERE.glob("*.yaml")), ids=lambda path: path.stem)
def test_a_hostile_file_is_answered(path: Path) -> None:
    code = path.read_text(encoding="utf-8").split("\n", 1)[0].removeprefix("# ")
    answered(bounded("test", str(path)), code)


TOY = "game: X\nT:\n  dice low: d6 at or over\n  kind unit:\n    skill: number first 3\n  to try (unit):\n"

GENERATED = {
    "brackets": ("[" * 100_000, "Y042"),
    "braces": ("{a: " * 100_000, "Y042"),
    "lists": ("- " * 100_000, "Y042"),
    "signs": ("#" * 1_000_000, "Y040"),
    "quotes": ("'" * 1_000_000, "Y041"),
    "directives": ("%" * 1_000_000, "Y007"),
    "allowances": ("# umpire: allow" + " " * 1_000_000, "Y040"),
    "mistakes": (TOY + "".join(f"    line{i}x: unit gains of {i} the skill\n" for i in range(2000)), "E011"),
    "titles": (TOY + "".join(f"  kidn unit{i}:\n" for i in range(10_000)), "E011"),
    "names": (TOY + "".join(f"    lime{i}: line{i} + 1\n" for i in range(1500)), "E011"),
    "comments": (TOY + "    # umpire: allow P015 because it is so\n    a: 1\n" * 2000, "A005"),
    "curls": (TOY + "    sum: " + "\u201c" * 5000 + "\n", "E011"),
    "escapes": (TOY + '    sum: "' + "\\e\\u202e" * 20_000 + '"\n', "Y017"),
    "directions": (TOY + "    # " + "\u202e" * 500_000 + "\n", "Y015"),
    "a long line": (TOY + "    sum: " + "unit.skill + " * 80_000 + "1\n", "L003"),
    "a long number": (TOY + "    sum: " + "9" * 100_000 + "\n", "L003"),
    "a long key": (TOY + "    " + "k" * 1_000_000 + ": 1\n", "Y031"),
    "values that ask": (TOY + "".join(f"  value v{i} of unit: unit.v{i + 1}\n" for i in range(2000)), "E010"),
    "too large": ("x" * 5_000_000, "Y044"),
}


@pytest.mark.parametrize("name", GENERATED)
def test_a_long_file_is_answered(name: str, tmp_path: Path) -> None:
    text, code = GENERATED[name]
    path = tmp_path / "long.yaml"
    path.write_text(text, encoding="utf-8")
    answered(bounded("check", str(path)), code)


def test_layers_come_to_an_end(tmp_path: Path) -> None:
    for i in range(60):
        (tmp_path / f"layer{i}.yaml").write_text(f"game: X\nextends: layer{i + 1}\n", encoding="utf-8")
    answered(bounded("check", str(tmp_path / "layer0.yaml")), "E010")


# ---- what a file may name
SECRET = "game: XYZZY\nfirst: [\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder of a stranger, with links that lead out of it, a device and a pipe; a secret beside it."""
    (tmp_path / "secret.yaml").write_text(SECRET, encoding="utf-8")
    made = tmp_path / "stranger"
    (made / "below").mkdir(parents=True)
    (made / "link.yaml").symlink_to(tmp_path / "secret.yaml")
    (made / "zero.yaml").symlink_to("/dev/zero")
    os.mkfifo(made / "pipe.yaml")
    (made / "below" / "own.yaml").write_text("game: Own\n", encoding="utf-8")
    (made / "up").symlink_to(tmp_path)
    return made


OUT = ["link", "link.yaml", "zero", "pipe", "../secret", "../secret.yaml", "up/secret", "/dev/zero", "/etc/passwd", "."]


@pytest.mark.parametrize("name", OUT)
def test_nothing_outside_is_named(name: str, folder: Path) -> None:
    assert find_in_folder(name, str(folder)) is None
    (folder / "it.yaml").write_text(f"rules: {name}\nunit A: 3 figures\ndo: A shoots\n", encoding="utf-8")
    if name in ("link", "../secret"):
        done = bounded("check", "it.yaml", cwd=folder)
        answered(done, "F015")
        assert "XYZZY" not in done.stdout + done.stderr


def test_what_is_inside_is_named(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own = str(folder / "below" / "own.yaml")
    assert find_in_folder("below/own", str(folder)) == find_in_folder("below//./own.yaml", str(folder)) == own
    (folder / ".yaml").write_text("game: hidden\n", "utf-8")
    assert (
        find_in_folder("./", str(folder))
        is find_in_folder(".yaml", str(folder))
        is find_in_folder("below/", str(folder))
        is None
    )
    assert find_in_folder("modern", str(folder)) is not None
    assert find_in_folder("secret", str(folder)) is None
    monkeypatch.setenv("UMPIRE_PATH", str(folder.parent))
    assert find_in_folder("secret", str(folder)) == str(folder.parent / "secret.yaml")
    assert find_in_folder("link", str(folder)) == str(
        folder / "link.yaml"
    )  # the user has named the folder that it leads to
