"""The one place where the stages are chained: a file's name in, a checked rule set or problems out.

Enters: names or paths of rule files, or stacks of them. Leaves: a `RuleSet`, and problems. Surfaces talk to this module
only. Knows how the stages follow each other and nothing of how they work.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path

from interpreter import disk, kept
from interpreter.document import Mapping, Scalar, check_shape, read_file
from interpreter.hints import TYPE_CHECKING
from interpreter.language import keep_sentences, noting_sentences, recall_sentences
from interpreter.places import GRAMMAR as GRAMMARS
from interpreter.places import RULES
from interpreter.rulebook.book import Book
from interpreter.rulebook.remembered import keep_book, recall_book
from interpreter.rulebook.sheets import Sheet
from interpreter.source import Problems
from interpreter.source.values import value

from .stacks import keep_trees, open_sheets, read_text, read_tree
from .unhurried import unhurried

if TYPE_CHECKING:
    from interpreter.rulebook.policies import Choices
    from interpreter.rulebook.procedures import ProcedureChecker

GRAMMAR = GRAMMARS / "rules.lark"


@value(eq=False, slots=False)
class RuleSet:
    """A rule set that was read and checked: its sheets, undermost first, and the book they make."""

    sheets: tuple[Sheet, ...]
    book: Book
    checker: ProcedureChecker

    @property
    def name(self) -> str:
        """`modern`, or `modern + morale`."""
        return " + ".join(s.name for s in self._stack)

    @property
    def path(self) -> Path:
        """The file of the topmost sheet."""
        return Path(self.sheets[-1].root.span.source.name)

    @property
    def title(self) -> str:
        return " + ".join(s.head.game for s in self._stack)

    @property
    def _stack(self) -> tuple[Sheet, ...]:
        """The base as it is named, and what is laid over it."""
        base = max(i for i, s in enumerate(self.sheets) if not s.laid)
        return self.sheets[base:]

    @cached_property
    def choices(self) -> Choices:
        """Where somebody picks or wishes."""
        from interpreter.rulebook.policies import Choices

        return Choices(self.checker)

    def rows(self, table: str) -> tuple[str, ...] | None:
        """The names of a table's rows, in its order."""
        found = self.book.tables.get(table)
        return tuple(found.rows) if found is not None else None

    @cached_property
    def clauses(self) -> dict[str, Clause]:
        """The register of the topmost sheet that has one."""
        return next((found for s in reversed(self.sheets) if (found := register(s.name))), {})


@value()
class Clause:
    """One clause of the register: what the printed page says, in our own words."""

    id: str
    heading: str
    kind: str
    says: str
    table: bool


def open_rules(
    name: str | Path,
    problems: Problems,
    folder: Path | None = None,
    said: frozenset[str] = frozenset(),
    *,
    to_run: bool = False,
) -> RuleSet | None:
    """Read, extend and check a rule set by its name (`modern`), the path of its file, or a stack (`modern + morale`).

    Files are also looked for in `folder`; names that a file has `said` nowhere else. `to_run`: nobody wants to know
    what is odd in it; as long as nothing is wrong it is kept, and from then on neither read nor checked. Its trees and
    sentences are kept too, for when some of them have changed.
    """
    if not to_run:
        return _opened(str(name), problems, folder, said, odd=True)
    question = (str(name), str(folder), *sorted(said), kept.here())
    known = recall_book(question, GRAMMAR, problems)
    if known is not None:
        return RuleSet(*known)
    with disk.noting() as watch:
        rules = _opened(str(name), problems, folder, said, odd=False)
    whole = rules is not None and not rules.sheets[0].head.extends
    if rules is not None and whole and not problems.has_errors:
        keep_book(question, watch, (rules.sheets, rules.book, rules.checker), problems)
    return rules


def _opened(name: str, problems: Problems, folder: Path | None, said: frozenset[str], *, odd: bool) -> RuleSet | None:
    with unhurried():
        sheets = open_sheets(name, problems, folder, said)
        if sheets is None:
            return None
        recall_sentences(_files(sheets), GRAMMAR)
        return checked(sheets, problems, odd=odd)


def _files(sheets: Sequence[Sheet]) -> tuple[str, ...]:
    return tuple(s.root.span.source.name for s in sheets)


def with_text(base: RuleSet, name: str, text: str, problems: Problems, *, laid: bool) -> RuleSet | None:
    """The base with one more file on top, given as a text: a supplement that is `laid` over it, else one that
    extends it. None where the text is no YAML.
    """
    root = read_text(name, text, problems)
    if root is None or problems.has_errors:
        return None
    check_shape(root, problems)
    for sheet in base.sheets:  # what those files allow is allowed here too
        read_tree(Path(sheet.root.span.source.name), problems)
    return checked([*base.sheets, Sheet(Path(name).stem, root, laid=laid)], problems)


def checked(sheets: Sequence[Sheet], problems: Problems, *, odd: bool = True) -> RuleSet | None:
    """The rule set of some sheets, undermost first, with everything that is wrong with it, and odd; None where it
    leads too deep to be looked at."""
    from interpreter.rulebook.check import check_book  # here, because of known rules nothing is checked

    known = {clause for sheet in sheets for clause in register(sheet.name)}
    alone = bool(sheets[0].head.extends)
    found = Problems() if alone else problems
    try:
        with noting_sentences() as read:
            book, checker = check_book(sheets, GRAMMAR, found, known or None)
        opened = RuleSet(tuple(sheets), book, checker)
        if not odd and not alone and not found.has_errors:
            keep_trees(sheets)
            keep_sentences(_files(sheets), GRAMMAR, read)
        if odd and not found.has_errors:
            from interpreter.lint import lint  # here, because who wants odds needs none

            lint(checker, found, sheets[-1].root.span.source, lambda: _shown(opened))
    except RecursionError:  # Python's own bound, of about a thousand calls, one in the other
        problems.extend(found)
        problems.add("E010", sheets[-1].root.span)
        return None
    if alone:  # without what it extends, a file shows only whether its sentences can be read
        problems.extend(p for p in found if p.code.startswith("L"))
    return opened


def _shown(rules: RuleSet) -> set[str]:
    """The words of all examples, inside the rule file and beside it."""
    from .examples import examples_inside, test_files
    from .typical import typical_inside

    texts = [e.body.span.text for e in (*examples_inside(rules), *typical_inside(rules))]
    texts += [source.text for path in test_files(rules) if (source := read_file(path, Problems())) is not None]
    return {word for text in texts for word in re.findall(r"[\w-]+", text)}


def _scalar(root: Mapping, key: str) -> str:
    node = root.get(key)
    return node.text.strip() if isinstance(node, Scalar) else ""


def registers() -> list[str]:
    """The names of the sets that have a register of their clauses."""
    return disk.yaml_files(RULES / "clauses")


def register(name: str) -> dict[str, Clause]:
    """The clause register of a set, by id; empty when it has none."""
    path = RULES / "clauses" / f"{name}.yaml"
    if not disk.is_file(path):
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
