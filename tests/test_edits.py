"""Some of the random edits of `fuzz/edits.py`: problems or a clean load, and nothing else."""

from __future__ import annotations

import gc
import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

from interpreter.rulebook.book import Book
from interpreter.source import Problems
from interpreter.workbench.files import check_file

ROOT = Path(__file__).parents[1]


def edits() -> ModuleType:
    spec = importlib.util.spec_from_file_location("edits", ROOT / "fuzz" / "edits.py")
    assert spec is not None and spec.loader is not None
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


@pytest.mark.parametrize("start", [0, 905])  # 911 once ended in a traceback
def test_random_edits(start: int) -> None:
    found = edits().part(list(range(start, start + 10)))
    assert not found["broken"], [(one["number"], one["broke"]) for one in found["broken"]]
    assert sum(found["codes"].values()) > 5


def test_what_was_checked_is_let_go(tmp_path: Path) -> None:
    """Checked again and again, as `--watch` and a server do, a file takes no more memory than once."""
    file = tmp_path / "ours.yaml"
    file.write_text("game: Ours\nextends: modern\nchange:\n  weapons.lmg.shots: 4, was 3\n", encoding="utf-8")
    alive = []
    for _ in range(3):
        check_file(str(file), Problems())
        gc.collect()
        alive.append(sum(type(each) is Book for each in gc.get_objects()))
    assert alive[-1] <= alive[0]
