"""New rule files: which names and folders will do, the texts of `starting/`, how the page begins, and writing the file.

Enters: a name, a path, a text. Leaves: advice on the name, the lines of the head, a file written whole or not at all.
Knows nothing of what the text says below its head.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

from interpreter.document.file_io import write_file
from interpreter.document.nodes import Mapping
from interpreter.folders import RULES, STARTING
from interpreter.places import rule_file, shipped
from interpreter.rulebook.definitions import header, stack
from interpreter.source import Problems

from .stacks import parts_of
from .trees import read_tree

_NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
_SIGNS = frozenset({"or", "over", "and", "yes", "no", "none"})  # words between names, or that YAML has views on


def advice_on(name: str) -> str | None:
    """Why a rule set should not be called so, and what would do; None for a good name."""
    if (RULES / f"{name}.yaml").is_file():
        return f"`{name}` comes with Umpire, and a bare name always means that one; call yours `our-{name}`"
    if _NAME.fullmatch(name) and name not in _SIGNS:
        return None
    near = re.sub(r"[^a-z0-9]+", "-", name.removesuffix(".yaml").lower()).strip("-")
    if near[:1].isdigit() or near in _SIGNS:
        near = f"our-{near}"
    close = f": `{near}`" if _NAME.fullmatch(near) and not (RULES / f"{near}.yaml").is_file() else ", as `tuesday-club`"
    return f"`{name}` is no name for a rule set; a name is small letters, digits and hyphens{close}"


def games() -> dict[str, str]:
    """The sets that come along and can be played by themselves, each with its title: no supplement, and nothing that
    others are only built on.
    """
    heads = {name: header(root) for name in shipped() if (root := read_tree(RULES / f"{name}.yaml", Problems()))}
    below = {name for head in heads.values() for name in stack(head.extends or "")}
    return {name: head.game for name, head in heads.items() if not head.over and name not in below}


def out_of_reach(base: str, out: Path) -> Path | None:
    """A file of the base that one at `out` could not find by its name: only those beside it are found so."""
    for part in parts_of(base):
        file = rule_file(part)
        path = Path(file) if file is not None else None
        if path is not None and path.parent != RULES and path.resolve().parent != out.resolve().parent:
            return path
    return None


def page_head(remarks: Iterable[str], file: str, base: str, shown: str) -> Iterator[str]:
    """The remarks at the head of a new page, and the three commands to go on with; `shown` is what `umpire show` shows
    of the set `base`.
    """
    yield from (f"## {line}".rstrip() for line in remarks)
    yield "##"
    for command, what in (
        (f"check {file}", "is every word understood?"),
        (f"test {file}", "do the examples hold?"),
        (f"show {base.replace(' ', '')}", shown),
    ):
        yield f"##   umpire {command:<30} {what}"
    yield ""


@cache
def page_form(name: str) -> Mapping:
    """The tree of a file of `starting/`: what new pages are made of."""
    root = read_tree(STARTING / name, Problems())
    assert root is not None, f"{name} comes with Umpire and cannot be read"
    return root


def filled(text: str, words: dict[str, str]) -> str:
    """The text with words in the places that wait for them: `{die}`."""
    return re.sub(r"\{([a-z]+)\}", lambda place: words.get(place[1], place[0]), text)


def titled(name: str) -> str:
    """`our-tuesday` → `Our tuesday`."""
    return name.replace("-", " ").capitalize()


def put(path: Path, text: str, problems: Problems, *, force: bool = False) -> bool:
    """Write a new file; one that is there is written over only by `force`. False with a problem if it could not be."""
    was: str | None = None
    if force and path.is_file():
        try:
            was = path.read_bytes().decode("utf-8")
        except (OSError, UnicodeDecodeError):
            was = None  # then it is refused, as a file that is there
    return write_file(path, text, problems, was=was)
