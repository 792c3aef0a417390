"""Some of the random edits of `fuzz/edits.py`: problems or a clean load, and nothing else."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[1]


def edits() -> ModuleType:
    spec = importlib.util.spec_from_file_location("edits", ROOT / "fuzz" / "edits.py")
    assert spec is not None and spec.loader is not None
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


@pytest.mark.parametrize("start", [0, 885])  # 911 once ended in a traceback
def test_random_edits(start: int) -> None:
    found = edits().part(list(range(start, start + 40)))
    assert not found["broken"], [(one["number"], one["broke"]) for one in found["broken"]]
    assert sum(found["codes"].values()) > 20
