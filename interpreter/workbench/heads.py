"""How a page that `umpire new` writes begins: remarks, and the three commands to go on with.

Enters: remarks, and the names of the file and of the set below it. Leaves: lines. Knows nothing of what follows them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator


def page_head(remarks: Iterable[str], file: str, base: str, shown: str) -> Iterator[str]:
    """`shown` is what `umpire show` shows of the set `base`."""
    yield from (f"## {line}".rstrip() for line in remarks)
    yield "##"
    for command, what in (
        (f"check {file}", "is every word understood?"),
        (f"test {file}", "do the examples hold?"),
        (f"show {base.replace(' ', '')}", shown),
    ):
        yield f"##   umpire {command:<30} {what}"
    yield ""


def titled(name: str) -> str:
    """`our-tuesday` → `Our tuesday`."""
    return name.replace("-", " ").capitalize()
