"""A word under `choose:` that means nothing is told: the answer to it would be that of the usual choice, unseen."""

from __future__ import annotations

from pathlib import Path

import pytest
from typed import CliRunner, Result

from interpreter.surfaces.cli.group import main

RULES = """\
game: Open
extends: modern
House:
  to gamble (unit):
    sure: unit.owner wishes
    risk, if not sure: d6
    down: unit.owner picks up to risk from figures
"""


def _run(folder: Path, command: str, choose: str) -> Result:
    path = folder / "open.yaml"
    path.write_text(RULES, encoding="utf-8")
    return CliRunner().invoke(main, [command, str(path), "gamble", "A: seasoned, 3 figures", "--choose", choose])


@pytest.mark.parametrize("command", ["odds", "resolve"])
@pytest.mark.parametrize(
    ("choose", "says"),
    [
        ("sure=maybe", "error F010: `maybe` is not allowed here, only yes, no or any"),
        ("sure=most", "error F010: `most` is not allowed here, only yes, no or any"),
        ("down=anyy", "is called `anyy`"),
        ("down=weapon is riffle", "`riffle`"),
    ],
)
def test_a_policy_that_means_nothing(choose: str, says: str, command: str, tmp_path: Path) -> None:
    run = _run(tmp_path, command, choose)
    assert run.exit_code == 2, run.output
    assert says in run.output
    assert "exact odds" not in run.output


@pytest.mark.parametrize("choose", ["sure=yes", "sure=no", "sure=any", "down=any", "down=most", "down=weapon is rifle"])
def test_a_policy_that_means_something(choose: str, tmp_path: Path) -> None:
    run = _run(tmp_path, "odds", choose)
    assert run.exit_code == 0, run.output
    assert "exact odds" in run.output
