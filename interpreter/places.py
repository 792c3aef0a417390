"""Where the grammar and the shipped rule files lie: the only file that knows.

In a checkout `grammar/` and `rules/` lie beside the package; in a wheel they lie inside it,
under `interpreter/data/`. Nothing is read here: names go in, paths come out.
"""

import os
from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent
_DATA = _PACKAGE / "data"  # only a wheel has it
_HOME = _DATA if _DATA.is_dir() else _PACKAGE.parent

GRAMMAR: Path = _HOME / "grammar"
RULES: Path = _HOME / "rules"
EXAMPLES: Path = _HOME / "examples"
STARTING: Path = _HOME / "starting"  # what a new rule set is asked, and the page that the answers make


def rule_file(name_or_path: str | Path) -> Path | None:
    """The file of a shipped rule set (`modern`), else what `local_file` finds."""
    name = os.fspath(name_or_path)
    shipped = RULES / f"{name}.yaml"
    if Path(name).name == name and os.path.isfile(shipped):
        return shipped
    return local_file(name)


def local_file(name: str) -> Path | None:
    """The given path if a file is there; else, for a bare name, `NAME.yaml` in the current folder; else None."""
    # os.path.isfile, unlike Path.is_file, answers False to text that can be no path at all.
    if os.path.isfile(name):
        return Path(name)
    beside = f"{name}.yaml"
    return Path(beside) if Path(name).name == name and os.path.isfile(beside) else None
