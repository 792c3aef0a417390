"""Files as plain trees, and which files a rule set is made of."""

from __future__ import annotations

import os
import re
from functools import cache
from pathlib import Path

from interpreter.document.nodes import Mapping, Node, Scalar
from interpreter.document.reader import read
from interpreter.language import Refusal
from interpreter.language import parse as parse_text
from interpreter.source import Problems, Source

ROOT = Path(__file__).resolve().parent.parent.parent
SHIPPED = ROOT / "rules"
_GRAMMAR = str(ROOT / "grammar" / "rules.lark")


class Wrong(Exception):
    """A file or a sentence that the reference cannot make sense of."""


class Lines(list):
    """A mapping: pairs of a key and what stands behind it, in the order of the file."""

    def get(self, key: str, default=None):
        return next((value for name, value in self if name == key), default)

    def __contains__(self, key) -> bool:
        return any(name == key for name, _ in self)


def plain(node: Node):
    """A located tree without its places: texts, lists and `Lines`."""
    if isinstance(node, Scalar):
        return node.text
    if isinstance(node, Mapping):
        return Lines((entry.key.text, plain(entry.value)) for entry in node)
    return [plain(item) for item in node]


def located(path: Path) -> Mapping:
    problems = Problems()
    root = read(Source(str(path), path.read_text("utf-8")), problems)
    if root is None:
        raise Wrong(f"{path} cannot be read")
    return root


def tree(path: Path) -> Lines:
    return _tree(path, path.stat().st_mtime_ns)


@cache
def _tree(path: Path, changed: int) -> Lines:
    return plain(located(path))


@cache
def _parsed(text: str, start: str):
    return parse_text(text, start, _GRAMMAR)


def parse(text: str, start: str):
    """The sentence `text` read as `start`."""
    found = _parsed(text, start)
    if isinstance(found, Refusal):
        raise Wrong(f"cannot read {text!r} as {start}, at {found.start}")
    return found


def can_read(text: str, start: str) -> bool:
    return not isinstance(_parsed(text, start), Refusal)


def find(name: str, beside: Path) -> Path:
    """The rule file of a bare name: beside the file that names it, else a shipped one."""
    for folder in (beside, beside.parent, SHIPPED):
        for path in (folder / f"{name}.yaml", folder / name):
            if path.is_file() and "game" in tree(path):
                return path
    raise Wrong(f"no rule file is called {name}")


def _names(text: str) -> list[str]:
    return [part.strip() for part in text.split("+")]


def stack(said: str, beside: Path) -> list[tuple[str, Path]]:
    """(name, file) of all that a rule set is made of, undermost first: `modern`, `modern + morale`."""
    found: list[tuple[str, Path]] = []
    for name in _names(said):
        for layer in one_stack(find(name, beside), [n for n, _ in found]):
            if layer[1] not in [path for _, path in found]:
                found.append(layer)
    return found


def one_stack(path: Path, below: list[str]) -> list[tuple[str, Path]]:
    """What a file builds on, and the file; a supplement alone finds the one set that it is made for."""
    head = tree(path)
    own = [(path.stem, path)]
    if (base := head.get("extends")) is not None:
        return one_stack(find(base, path.parent), []) + own
    over = head.get("over")
    if over is not None and not below:
        bases = [part.strip() for part in over.replace(", or ", ",").split(",")]
        return stack(bases[0], path.parent) + own
    return own


def fits(heading: str, names: list[str]) -> bool:
    """Whether a heading `Over modern, or vsf` speaks to a stack of these names; other headings speak to all."""
    if not heading.startswith("Over "):
        return True
    wanted = re.split(r",\s*(?:or\s+)?", heading.removeprefix("Over "))
    return any(all(part in names for part in _names(one)) for one in wanted)


def real(path: Path | str) -> Path:
    return Path(os.path.abspath(path))
