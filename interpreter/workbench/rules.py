"""Opens a rule set by name: from the cache of checked books if the entry is valid, else read and checked.

Takes names or paths of rule files, or stacks of them. Gives a `RuleSet`, and problems. Knows nothing of how files are
read. The modules that read and check are imported lazily, since their import takes longer than loading a cached book.
"""

from __future__ import annotations

import copyreg
import os
from collections.abc import Mapping, Sequence

from interpreter import cache, disk
from interpreter.document.nodes import Scalar
from interpreter.places import LANGUAGE
from interpreter.rulebook.book_cache import keep_book, recall_book
from interpreter.rulebook.definitions import stack
from interpreter.rulebook.sheets import Sheet
from interpreter.source import Problems
from interpreter.source.values import replace

from .rule_sets import Clause, RuleSet


def open_rules(
    name: str | os.PathLike[str],
    problems: Problems,
    folder: str | None = None,
    said: frozenset[str] = frozenset(),
    *,
    to_run: bool = False,
) -> RuleSet | None:
    """Read, extend and check a rule set by its name, the path of its file, or a stack (`BASE + SUPPLEMENT`). None if it
    cannot be read.

    Files are also searched in `folder`; names in `said`, which a file states, only there. `to_run`: skip lint, and use
    the cache of books without errors.
    """
    if not to_run:
        return _read(str(name), problems, folder, said, odd=True)
    question = (str(name), str(folder), *sorted(said), cache.search_context())
    known = recall_book(question, LANGUAGE, problems)
    if known is not None:
        return RuleSet(*known)
    with disk.tracking() as tracker:
        rules = _read(str(name), problems, folder, said, odd=False)
    whole = rules is not None and not rules.sheets[0].head.extends
    if rules is not None and whole and not problems.has_errors:
        keep_book(question, tracker, (rules.sheets, rules.book, rules.checker), problems)
    return rules


def rules_named(
    node: Scalar, folder: str | None, problems: Problems, over: Sequence[str] = (), *, to_run: bool = False
) -> RuleSet | None:
    """The rule set that a text of a file names: a shipped one, or a file beside it."""
    from .stacks import parts_of  # imported lazily, as above

    said = " + ".join((node.text.strip(), *over))
    found = Problems()
    names = frozenset(stack(node.text)) - frozenset(over)
    rules = open_rules(said, found, folder, names, to_run=to_run)
    for problem in found:
        if problem.span is None:  # about the name itself
            part = next((p for p in parts_of(said) if f"`{p}`" in problem.message), said)
            start = node.text.find(part)
            if start < 0:
                problems.extend([problem])
                continue
            problem = replace(problem, span=node.at(start, start + len(part)))
        problems.extend([problem])
    return rules


def _read(name: str, problems: Problems, folder: str | None, said: frozenset[str], *, odd: bool) -> RuleSet | None:
    """Read and check. A separate function to keep the import lazy."""
    from .reading import read

    return read(name, problems, folder, said, odd=odd)


# ---- pickling
def _by_content(rules: RuleSet) -> tuple[object, ...]:
    """Reduce a rule set to the trees of its files; unpickling checks them again."""
    return _arrived, (rules.sheets, rules.clauses)


def _arrived(sheets: tuple[Sheet, ...], clauses: Mapping[str, Clause]) -> RuleSet:
    from .reading import checked

    rules = checked(sheets, Problems(), odd=False)
    assert rules is not None, "only checked rule sets are pickled"
    vars(rules)["clauses"] = clauses  # their file may be missing on this machine
    return rules


copyreg.pickle(RuleSet, _by_content)  # type: ignore[arg-type]
