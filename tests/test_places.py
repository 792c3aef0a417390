"""Paths as texts are written and read as pathlib would."""

from __future__ import annotations

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from interpreter.places import normalized, stem

PATHS = st.lists(st.sampled_from(["", ".", "..", "a", "b.yaml", ".c", "d e"]), max_size=6).map("/".join)


@given(PATHS.filter(lambda path: not path.startswith("//")))
def test_a_tidy_path_is_that_of_pathlib(path: str) -> None:
    assert normalized(path) == str(Path(path))


@given(PATHS.filter(lambda path: Path(path).name not in ("", "..")))
def test_the_stem_is_that_of_pathlib(path: str) -> None:
    assert stem(normalized(path)) == Path(path).stem


def test_two_slashes_at_the_front_are_one() -> None:
    assert normalized("//a//b") == "/a/b"
