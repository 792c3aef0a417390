"""What is fuzzed: a function of bytes each, that ends without an exception whatever they are.

Enters: bytes. Leaves: nothing. `fuzz/campaign.py` makes bytes up, tests/test_fuzzed.py gives those that were kept.
"""

from __future__ import annotations

import base64
from collections.abc import Callable
from pathlib import Path

from interpreter.document.file_io import decode
from interpreter.document.nodes import same
from interpreter.document.reader import read
from interpreter.language import Refusal, parse
from interpreter.language.corrections import apply_correction, find_correction
from interpreter.language.parse_tables import STARTS
from interpreter.places import LANGUAGE
from interpreter.source import Problems, render

ORDER = sorted(STARTS)
CORPUS = Path(__file__).parents[1] / "tests" / "data" / "corpus"


def reader(data: bytes) -> None:
    """Any bytes are a tree or have problems, and both YAML parsers agree on it."""
    trees = []
    for fast in (True, False):
        problems = Problems()
        source = decode("fuzz", data, problems)
        trees.append(read(source, problems, fast=fast) if source is not None else None)
        said = render(problems)
        raw = [c for c in said if c != "\n" and not c.isprintable()]
        assert not raw, f"{raw[0]!r} was shown raw"
        assert trees[-1] is not None or said, "nothing was read, and nothing said"
    one, two = trees
    assert one is two is None or (one is not None and two is not None and same(one, two)), "the two parsers disagree"


def grammar(data: bytes) -> None:
    """The first byte chooses what the rest is read as; and what mends it can be read."""
    if not data:
        return
    text, start = data[1:].decode("utf-8", "ignore"), ORDER[data[0] % len(ORDER)]
    found = parse(text, start, LANGUAGE)
    if isinstance(found, Refusal) and (change := find_correction(text, start, found, LANGUAGE)) is not None:
        again = apply_correction(text, change)
        assert not isinstance(parse(again, start, LANGUAGE), Refusal), f"{change} does not mend {text!r}"


PARTS: dict[str, Callable[[bytes], None]] = {"reader": reader, "grammar": grammar}


def kept(part: str) -> list[bytes]:
    """What campaigns found worth keeping: a line an input."""
    return [base64.b64decode(line) for line in (CORPUS / f"{part}.txt").read_text(encoding="ascii").splitlines()]
