"""Guided fuzzing by atheris: `python fuzz/campaign.py PART [options of libFuzzer]`.

PART is one of `fuzz/parts.py`. Enters: bytes of the fuzzer.  Leaves: nothing, unless an exception
or a hang (`-timeout`) ends it.  Needs the extra `fuzz`.  It begins with what
earlier campaigns found worth keeping (`tests/data/corpus`), written into the folder that is named.
"""

from __future__ import annotations

import sys
from pathlib import Path

import atheris

sys.path.insert(0, str(Path(__file__).parents[1]))
sys.path.insert(0, str(Path(__file__).parent))

# What is imported here is watched: our own rooms and PyYAML, not the whole of Python, which takes for ever.
with atheris.instrument_imports(include=["interpreter", "yaml"]):
    from parts import PARTS, kept


def main() -> None:
    part = sys.argv.pop(1)
    for folder in [word for word in sys.argv[1:] if not word.startswith("-")]:
        for i, data in enumerate(kept(part)):
            (Path(folder) / f"kept-{i}").write_bytes(data)
    atheris.Setup(sys.argv, PARTS[part])
    atheris.Fuzz()


if __name__ == "__main__":
    main()
