"""What a campaign of fuzzing found worth keeping (`tests/data/corpus`), given again to what was fuzzed."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[1]


def parts() -> ModuleType:
    spec = importlib.util.spec_from_file_location("parts", ROOT / "fuzz" / "parts.py")
    assert spec is not None and spec.loader is not None
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


@pytest.mark.parametrize("part", ["reader", "grammar"])
def test_what_was_found_is_answered(part: str) -> None:
    fuzzed = parts()
    inputs = fuzzed.kept(part)
    assert len(inputs) > 20
    for data in inputs:
        fuzzed.PARTS[part](data)
