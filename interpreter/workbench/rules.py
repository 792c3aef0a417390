"""The one place where the stages are chained: a file's name in, a checked rule set or problems out.

Enters: names or paths of rule files. Leaves: a `RuleSet`, and problems. Surfaces talk to this module only.
Knows how the stages follow each other and nothing of how they work.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from interpreter.document import Mapping, Scalar, check_shape, read, read_file
from interpreter.places import GRAMMAR as GRAMMARS
from interpreter.places import RULES, rule_file
from interpreter.rulebook import Book, check_book
from interpreter.source import Problems, Source, nearest

if TYPE_CHECKING:
    from interpreter.rulebook.procedures import ProcedureChecker

GRAMMAR = GRAMMARS / "rules.lark"


@dataclass(frozen=True, eq=False)
class RuleSet:
    """A rule set that was read and checked; `book` is None when its text could not be read at all."""

    name: str
    path: Path
    roots: tuple[Mapping, ...]
    book: Book
    checker: ProcedureChecker

    @cached_property
    def clauses(self) -> dict[str, Clause]:
        return register(self.name)

    @property
    def title(self) -> str:
        return self.book.header.game


@dataclass(frozen=True, slots=True)
class Clause:
    """One clause of the register: what the printed page says, in our own words."""

    id: str
    heading: str
    kind: str
    says: str
    table: bool


def open_rules(name: str | Path, problems: Problems) -> RuleSet | None:
    """Read, extend and check a rule set by its name (`modern`) or the path of its file."""
    path = rule_file(str(name))
    if path is None:
        shipped = sorted(p.stem for p in RULES.glob("*.yaml"))
        close = nearest(str(name), shipped)
        hint = f"did you mean `{close[0]}`?" if close else "rule sets here: " + ", ".join(shipped)
        if Path(str(name)).exists() or str(name).endswith((".yaml", ".yml")) or "/" in str(name):
            read_file(Path(str(name)), problems)
            if len(problems):
                return None
        problems.add("F015", None, name=name, hint=hint)
        return None
    roots = _roots(path, problems, ())
    if roots is None:
        return None
    known = register(path.stem)
    parent = _scalar(roots[-1], "extends")
    if not known and parent:
        known = register(Path(parent).stem)
    found = Problems() if parent and len(roots) == 1 else problems
    book, checker = check_book(roots, GRAMMAR, found, known or None)
    if found is not problems:  # without what it extends, a file shows only whether its sentences can be read
        problems.extend(p for p in found if p.code.startswith("L"))
    return RuleSet(path.stem, path, tuple(roots), book, checker)


def read_tree(path: Path, problems: Problems) -> Mapping | None:
    source = read_file(path, problems)
    return read(source, problems) if source is not None else None


def read_text(name: str, text: str, problems: Problems) -> Mapping | None:
    return read(Source(name, text), problems)


def _roots(path: Path, problems: Problems, seen: tuple[Path, ...]) -> list[Mapping] | None:
    root = read_tree(path, problems)
    if root is None:
        return None
    check_shape(root, problems)
    entry = root.entry("extends")
    if entry is None or not isinstance(entry.value, Scalar):
        return [root]
    name = entry.value.text.strip()
    beside = path.parent / f"{name}.yaml"
    parent = beside if beside.is_file() else RULES / f"{name}.yaml"
    if not parent.is_file() or not _plain(name):
        shipped = sorted(p.stem for p in RULES.glob("*.yaml"))
        close = nearest(name, shipped)
        hint = f"did you mean `{close[0]}`?" if close else "rule sets here: " + ", ".join(shipped)
        problems.add("F015", entry.value.span, name=name, hint=hint)
        return [root]
    if parent in (*seen, path):
        problems.add("N010", entry.value.span, name=name, label="these files extend each other")
        return [root]
    elders = _roots(parent, problems, (*seen, path))
    return [*(elders or []), root]


def _plain(name: str) -> bool:
    """A bare word: files that a stranger wrote must not point anywhere else."""
    return bool(name) and all(c.isalnum() or c in "-_" for c in name)


def _scalar(root: Mapping, key: str) -> str:
    node = root.get(key)
    return node.text.strip() if isinstance(node, Scalar) else ""


def register(name: str) -> dict[str, Clause]:
    """The clause register of a set, by id; empty when it has none."""
    path = RULES / "clauses" / f"{name}.yaml"
    if not path.is_file():
        return {}
    root = read_tree(path, Problems())
    node = root.get("clauses") if root is not None else None
    found: dict[str, Clause] = {}
    for section in node if isinstance(node, Mapping) else ():
        for entry in section.value if isinstance(section.value, Mapping) else ():
            if isinstance(entry.value, Mapping):
                kind, says = _scalar(entry.value, "kind"), _scalar(entry.value, "says")
                table = _scalar(entry.value, "table") == "yes"
                found[entry.key.text] = Clause(entry.key.text, section.key.text, kind, says, table)
    return found
