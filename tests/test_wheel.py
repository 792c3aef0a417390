"""A wheel installed alone, in an empty folder, finds its grammar and its rule sets."""

import os
import subprocess
import sys
import venv
from pathlib import Path

ROOT = Path(__file__).parent.parent


def run(*command: str | Path, cwd: Path) -> None:
    environment = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}
    done = subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, f"{' '.join(map(str, command))}\n{done.stdout}{done.stderr}"


def test_a_wheel_alone_checks_a_shipped_rule_set(tmp_path: Path) -> None:
    quiet = ("-q", "--disable-pip-version-check")
    run(sys.executable, "-m", "pip", "wheel", *quiet, "--no-deps", "-w", tmp_path, ROOT, cwd=tmp_path)
    (wheel,) = tmp_path.glob("tabletop_umpire-*.whl")

    venv.create(tmp_path / "venv", with_pip=True)
    programs = tmp_path / "venv" / ("Scripts" if os.name == "nt" else "bin")
    run(programs / "python", "-m", "pip", "install", *quiet, wheel, cwd=tmp_path)

    empty = tmp_path / "empty"
    empty.mkdir()
    run(programs / "umpire", "check", "modern", cwd=empty)
    run(programs / "umpire", "new", "ruleset", "pulp", "--yes", cwd=empty)
    run(programs / "umpire", "test", "pulp.yaml", cwd=empty)

    offered = "from interpreter.workbench.recipes import recipes; assert len(recipes()) == 30"  # by the studio
    script = "from interpreter import places; assert open(places.PACKAGE + '/surfaces/studio/rule_editor.js').read()"
    run(programs / "python", "-c", offered, cwd=empty)
    run(programs / "python", "-c", script, cwd=empty)
