"""New rule files: advice on names and folders, the texts of `starting/`, the head of a page, and writing the file.

Takes a name, a path, a text. Gives advice on the name, the lines of the head, and a file, written atomically. Knows
nothing of the text below the head.
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
_SIGNS = frozenset({"or", "over", "and", "yes", "no", "none"})  # words between names, or with a meaning in YAML


def advice_on(name: str) -> str | None:
    """The reason why a name is unsuitable for a rule set, and a better one; None for a good name."""
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
    """The shipped sets that can be played by themselves, each with its title: no supplements, and no sets that only
    serve as a base.
    """
    heads = {name: header(root) for name in shipped() if (root := read_tree(RULES / f"{name}.yaml", Problems()))}
    below = {name for head in heads.values() for name in stack(head.extends or "")}
    return {name: head.game for name, head in heads.items() if not head.over and name not in below}


def out_of_reach(base: str, out: Path) -> Path | None:
    """A file of the base that is not found from `out`, as only files beside it are; None if there is none."""
    for part in parts_of(base):
        file = rule_file(part)
        path = Path(file) if file is not None else None
        if path is not None and path.parent != RULES and path.resolve().parent != out.resolve().parent:
            return path
    return None


def page_head(remarks: Iterable[str], file: str, base: str, shown: str) -> Iterator[str]:
    """The comments at the head of a new page, with the next three commands to run; `shown` describes the output of
    `umpire show` for the set `base`.
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
    """The tree of a file of `starting/`, the template of new pages."""
    root = read_tree(STARTING / name, Problems())
    assert root is not None, f"{name} comes with Umpire and cannot be read"
    return root


def fill_placeholders(text: str, words: dict[str, str]) -> str:
    """The text with its placeholders, such as `{die}`, replaced by words."""
    return re.sub(r"\{([a-z]+)\}", lambda place: words.get(place[1], place[0]), text)


def titled(name: str) -> str:
    """`our-tuesday` → `Our tuesday`."""
    return name.replace("-", " ").capitalize()


def write_new_file(path: Path, text: str, problems: Problems, *, force: bool = False) -> bool:
    """Write a new file, or with `force` overwrite it. False with a problem if it cannot be written."""
    was: str | None = None
    if force and path.is_file():
        try:
            was = path.read_bytes().decode("utf-8")
        except (OSError, UnicodeDecodeError):
            was = None  # refused below, as an existing file
    return write_file(path, text, problems, was=was)
