"""Guided fuzzing by atheris: `python fuzz/campaign.py PART [options of libFuzzer]`.

PART is `reader` (any bytes as YAML) or `grammar` (any text as each kind of sentence).
Enters: bytes of the fuzzer.  Leaves: nothing, unless an exception
or a hang (`-timeout`) ends it.  Needs the extra `fuzz`.  What it found is kept in `fuzz/corpus`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

from interpreter.document import read
from interpreter.document.files import decode
from interpreter.language import parse
from interpreter.language.tables import STARTS
from interpreter.places import GRAMMAR
from interpreter.source import Problems, render

RULES = GRAMMAR / "rules.lark"
ORDER = sorted(STARTS)


def reader(data: bytes) -> None:
    """Any bytes are a tree or have problems, and both YAML parsers agree on it."""
    for fast in (True, False):
        problems = Problems()
        source = decode("fuzz", data, problems)
        if source is not None:
            read(source, problems, fast=fast)
        render(problems)


def grammar(data: bytes) -> None:
    """The first byte chooses what the rest is read as."""
    if data:
        parse(data[1:].decode("utf-8", "ignore"), ORDER[data[0] % len(ORDER)], RULES)


PARTS: dict[str, Callable[[bytes], None]] = {"reader": reader, "grammar": grammar}


def main() -> None:
    import atheris

    part = PARTS[sys.argv.pop(1)]
    atheris.instrument_all()
    atheris.Setup(sys.argv, part)
    atheris.Fuzz()


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))
    main()
