"""The corridor: what each room of `interpreter/` may import, and who may import a library.

Every import counts: inside a function, under `if TYPE_CHECKING`, relative, or as a dotted
name in a string (`importlib.import_module("interpreter.surfaces.cli.odds")`).
"""

import ast
import re
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent

ROOMS: dict[str, set[str]] = {  # from the bottom up
    "__init__": {"surfaces"},  # the door of the Python API, opened when first used
    "disk": set(),
    "places": {"disk"},
    "folders": {"places"},
    "cache": {"places", "disk"},
    "digests": {"cache"},
    "source": set(),
    "document": {"disk", "source"},
    "language": {"disk", "source"},
    "layout": {"source", "document", "language"},
    "vocabulary": {"source"},
    "rulebook": {"disk", "cache", "source", "document", "language", "vocabulary"},
    "lint": {"source", "vocabulary", "rulebook"},
    "program": {"source", "vocabulary", "rulebook"},
    "engines": {"source", "vocabulary", "program"},
    "workbench": {
        "disk", "places", "folders", "cache", "digests", "source", "document", "language", "layout", "vocabulary", "rulebook",
        "lint", "program", "engines",
    },
    "mutation": {
        "disk", "places", "folders", "cache", "digests", "source", "document", "language", "vocabulary", "rulebook", "program",
        "workbench",
    },
    "editor": {"disk", "places", "source", "document", "language", "layout", "vocabulary", "rulebook", "workbench"},
    "surfaces": {"places", "folders", "source", "program", "engines", "workbench", "mutation", "editor"},
    "__main__": {"surfaces"},
}  # fmt: skip
LIBRARIES = {
    "lark": "language",
    "yaml": "document",
    "jsonschema": "document",
    "pygls": "editor",
    "lsprotocol": "editor",
    "distributed": "workbench",
    "vl_convert": "surfaces",
    "nicegui": "surfaces",
    "typst": "surfaces",
    "pyarrow": "workbench",
}


def imports(tree: ast.Module, package: list[str]) -> Iterator[tuple[int, str]]:
    """(line, dotted name) of everything that a module of `package` imports."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            start = package[: len(package) + 1 - node.level] if node.level else []
            base = [*start, *([node.module] if node.module else [])]
            yield from ((node.lineno, ".".join([*base, alias.name])) for alias in node.names)
        elif isinstance(node, ast.Constant) and re.fullmatch(r"interpreter(\.\w+)+", str(node.value)):
            yield node.lineno, str(node.value)


def forbidden(here: list[str], name: str) -> str | None:
    """Why the module `here` must not import `name`; None where it may."""
    room, target = here[1], name.split(".")
    if target[0] != "interpreter":
        if target[0] in sys.stdlib_module_names or LIBRARIES.get(target[0]) == room:
            return None
        owner = LIBRARIES.get(target[0])
        return f"only {owner} imports {target[0]}" if owner else f"nobody may import {target[0]}"
    if len(target) == 1 or target[1] not in ROOMS:
        return None  # `from interpreter import __version__`: nothing of another room
    if target[1] != room:
        return None if target[1] in ROOMS[room] else f"{room} must not import {target[1]}"
    opens = room == "surfaces" and here[2:4] == ["cli", *target[2:3]]  # a command begins the surface of its name
    if room == "surfaces" and not opens and target[2:3] != here[2:3] and not "".join(target[2:3]).startswith("as_"):
        return f"surfaces must not import each other ({'.'.join(target[1:3])})"
    return None


def breaches(package: Path) -> list[str]:
    """Every breach under the folder of the package, as `file:line: reason`."""
    found = []
    for path in sorted(package.rglob("*.py")):
        place = path.relative_to(package.parent)
        parts = list(place.with_suffix("").parts)
        if parts[1] not in ROOMS:
            found.append(f"{place}:1: {parts[1]} is no room of the corridor (tests/test_layers.py)")
            continue
        here = parts[:-1] if parts[-1] == "__init__" and len(parts) > 2 else parts
        for line, name in imports(ast.parse(path.read_text("utf-8")), parts[:-1]):
            if reason := forbidden(here, name):
                found.append(f"{place}:{line}: {reason}")
    return found


def test_the_corridor_holds() -> None:
    found = breaches(ROOT / "interpreter")
    assert not found, "\n" + "\n".join(found)


@pytest.mark.parametrize(
    ("place", "text", "reason"),
    [
        ("source/text.py", "import interpreter.document", "source must not import document"),
        ("program/step_lowering.py", "from ..language import nodes", "program must not import language"),
        ("program/step_lowering.py", "from .. import language", "program must not import language"),
        ("program/step_lowering.py", "def f():\n    import lark", "only language imports lark"),
        ("program/__init__.py", "from ..document import load", "program must not import document"),
        ("engines/odds/run.py", "from ...rulebook import check", "engines must not import rulebook"),
        ("engines/play.py", "from interpreter import places", "engines must not import places"),
        ("engines/play.py", "import numpy.random", "nobody may import numpy"),
        ("language/parse.py", "from yaml import nodes", "only document imports yaml"),
        ("rulebook/shape.py", "import jsonschema.exceptions", "only document imports jsonschema"),
        ("workbench.py", "import nicegui", "only surfaces imports nicegui"),
        ("workbench.py", "from interpreter.surfaces import cli", "workbench must not import surfaces"),
        ("surfaces/lsp.py", "from .cli import main", "surfaces must not import each other"),
        ("surfaces/cli/odds.py", "from .. import lsp", "surfaces must not import each other"),
        ("surfaces/cli/lsp.py", "from ..studio import page", "surfaces must not import each other"),
        ("surfaces/__init__.py", "from .cli import main", "surfaces must not import each other"),
        ("surfaces/cli/check.py", "from ...rulebook import check", "surfaces must not import rulebook"),
        ("surfaces/lsp.py", 'x = "interpreter.surfaces.cli.odds"', "surfaces must not import each other"),
        (
            "document/load.py",
            "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from interpreter.rulebook import Rules",
            "document must not import rulebook",
        ),
        ("utils.py", "", "utils is no room of the corridor"),
        ("utils/text.py", "", "utils is no room of the corridor"),
    ],
)
def test_the_wall_stops(place: str, text: str, reason: str, tmp_path: Path) -> None:
    assert len(found := check(tmp_path, place, text)) == 1
    assert f"interpreter/{place}:{len(text.splitlines()) or 1}: {reason}" in found[0]


@pytest.mark.parametrize(
    ("place", "text"),
    [
        ("language/parse.py", "import re\nimport lark\nfrom ..source import Span\nfrom . import nodes"),
        ("document/load.py", "import yaml, jsonschema\nfrom interpreter.source.text import Source"),
        ("engines/play/run.py", "from ..chance import roll\nfrom ...program import Program"),
        ("workbench.py", "from . import places, source, engines\nfrom .rulebook.check import check"),
        ("surfaces/cli/odds.py", 'import nicegui\nfrom .main import x\ny = "interpreter.surfaces.cli.z"'),
        ("surfaces/cli/__init__.py", "from .odds import odds\nfrom interpreter import __version__"),
        ("surfaces/cli/studio.py", "from interpreter.surfaces.studio.serve import serve"),
        ("__main__.py", "from interpreter.surfaces.cli.group import main"),
    ],
)
def test_the_wall_lets_through(place: str, text: str, tmp_path: Path) -> None:
    assert check(tmp_path, place, text) == []


def check(folder: Path, place: str, text: str) -> list[str]:
    path = folder / "interpreter" / place
    path.parent.mkdir(parents=True)
    path.write_text(text, "utf-8")
    return breaches(folder / "interpreter")


# ---- what the classes and modules of a room are made of
CHAIN = 3  # so many of our own classes may stand one above another


@cache
def modules() -> dict[str, ast.Module]:
    """Every module of the package by its dotted name."""
    package = ROOT / "interpreter"
    found = {}
    for path in sorted(package.rglob("*.py")):
        parts = path.relative_to(package.parent).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = ast.parse(path.read_text("utf-8"))
    return found


def chains(trees: dict[str, ast.Module]) -> dict[str, list[str]]:
    """By class, the chain of our own classes that it ends: itself, what it is built on, and so on.

    `Struct` and `Record` count: they leave the bases when a class is made, but a reader of the class meets them.
    """
    bases: dict[str, list[str]] = {}
    for name, tree in trees.items():
        local = {c.name: f"{name}.{c.name}" for c in tree.body if isinstance(c, ast.ClassDef)}
        for node in tree.body:
            if isinstance(node, ast.ImportFrom):
                package = name.split(".")[:-1] if name.count(".") else [name]
                start = package[: len(package) + 1 - node.level] if node.level else []
                origin = ".".join([*start, *([node.module] if node.module else [])])
                local |= {a.asname or a.name: f"{origin}.{a.name}" for a in node.names}
        for node in tree.body:
            if isinstance(node, ast.ClassDef):
                said = [ast.unparse(b).split("[")[0] for b in node.bases]
                whole = [local.get(b.split(".")[0], b) + b[len(b.split(".")[0]) :] for b in said]
                bases[f"{name}.{node.name}"] = whole

    def chain(of: str) -> list[str]:
        above = [chain(base) for base in bases[of] if base in bases]
        return [of, *max(above, key=len, default=[])]

    return {of: chain(of) for of in bases}


def test_no_class_stands_on_a_chain_of_classes() -> None:
    long = {of: " → ".join(chain) for of, chain in chains(modules()).items() if len(chain) > CHAIN}
    assert not long, "\n" + "\n".join(long.values())


def test_a_chain_is_seen_across_modules() -> None:
    texts = {
        "interpreter.a.low": "class One: ...",
        "interpreter.a.high": "from .low import One\nclass Two(One): ...\nclass Three(Two[int]): ...",
        "interpreter.b": "from interpreter.a import high\nclass Four(high.Three, Struct): ...",
    }
    found = chains({name: ast.parse(text) for name, text in texts.items()})
    assert [of.split(".")[-1] for of in found["interpreter.b.Four"]] == ["Four", "Three", "Two", "One"]


def test_nothing_waits_for_a_later_class() -> None:
    """No method is there only to be given by a class that is built on its own."""
    names = [name for name, tree in modules().items() if "NotImplementedError" in ast.unparse(tree)]
    assert not names


def circles(trees: dict[str, ast.Module]) -> list[list[str]]:
    """Modules that import each other in a circle, one circle each time, at the top of a module or inside a function."""
    asked: dict[str, set[str]] = {}
    for name, tree in trees.items():
        package = name.split(".")[:-1] if not any(other.startswith(name + ".") for other in trees) else name.split(".")
        wanted = {target for _, target in imports(tree, package)}
        asked[name] = {t if t in trees else t.rpartition(".")[0] for t in wanted} & trees.keys() - {name}
    found: list[list[str]] = []
    done: set[str] = set()

    def look(at: str, path: list[str]) -> None:
        if at in path:
            found.append([*path[path.index(at) :], at])
        elif at not in done:
            for onward in sorted(asked[at]):
                look(onward, [*path, at])
            done.add(at)

    for name in sorted(asked):
        look(name, [])
    return found


@pytest.mark.parametrize("room", sorted(ROOMS.keys() - {"__init__", "__main__"}))
def test_no_modules_of_a_room_import_each_other_in_a_circle(room: str) -> None:
    inside = {name: tree for name, tree in modules().items() if name.split(".")[1:2] == [room]}
    found = [" → ".join(circle) for circle in circles(inside)]
    assert inside and not found, "\n" + "\n".join(found)


def test_a_circle_of_imports_is_seen() -> None:
    texts = {
        "interpreter.a": "",
        "interpreter.a.one": "from .two import f",
        "interpreter.a.two": "def f():\n    from . import one",
        "interpreter.a.three": "from .one import f",
    }
    trees = {name: ast.parse(text) for name, text in texts.items()}
    assert circles(trees) == [["interpreter.a.one", "interpreter.a.two", "interpreter.a.one"]]
