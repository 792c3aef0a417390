"""Guided fuzzing by atheris: `python fuzz/campaign.py PART [options of libFuzzer]`.

PART is one of `fuzz/parts.py`. Enters: bytes of the fuzzer.  Leaves: nothing, unless an exception
or a hang (`-timeout`) ends it.  Needs the extra `fuzz`.  What it found is kept in `tests/data/corpus`, made small by
`-merge=1`.
"""

from __future__ import annotations

import sys
from pathlib import Path

import atheris

sys.path.insert(0, str(Path(__file__).parents[1]))
sys.path.insert(0, str(Path(__file__).parent))

# What is imported here is watched: our own rooms and PyYAML, not the whole of Python, which takes for ever.
with atheris.instrument_imports(include=["interpreter", "yaml"]):
    from parts import PARTS


def main() -> None:
    part = PARTS[sys.argv.pop(1)]
    atheris.Setup(sys.argv, part)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
