"""Clauses that are cited where no rule stands: in files of examples, in a head; and ranges of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.source import Problems
from interpreter.workbench.files import check_file
from interpreter.workbench.rules import open_rules

SHOT = """\
  unit A: seasoned, 1 figures, weapon rifle
  unit B: green, 8 figures
  facts: distance(A, B) is 20"
  do: A shoots at B
"""


def told(problems: Problems) -> list[tuple[str, str, str | None]]:
    return [(p.code, p.span.text, p.hint) for p in problems if p.span is not None]


@pytest.mark.parametrize(
    ("cites", "expected"),
    [
        ("38", []),
        ("MOD-038, 37..39", []),
        ("XYZ-1", []),  # that has no register
        ("999", [("R001", "999", "did you mean `99`?")]),
        ("38, MOD-388", [("R001", "MOD-388", "did you mean `MOD-088`?")]),
        ("98..103", [("R001", "98..103", "the last clause there is `MOD-100`")]),
    ],
)
@pytest.mark.parametrize("what", ["example", "typical"])
def test_in_a_file_of_examples(
    what: str, cites: str, expected: list[tuple[str, str, str | None]], tmp_path: Path
) -> None:
    shown = "  odds: 1/3 mean hits\n" if what == "example" else "  ask: hits\n"
    path = tmp_path / "modern-more.yaml"
    path.write_text(f"rules: modern\n{what} a-shot [{cites}]:\n{SHOT}{shown}", encoding="utf-8")
    problems = Problems()
    check_file(str(path), problems)
    assert told(problems) == expected


def test_in_a_head(tmp_path: Path) -> None:
    (tmp_path / "ours.yaml").write_text("game: Ours\nextends: modern\nclauses: MOD\ntable talk: [1, 777]\n", "utf-8")
    problems = Problems()
    open_rules(str(tmp_path / "ours.yaml"), problems)
    assert [(code, text) for code, text, _ in told(problems)] == [("R001", "777")]
