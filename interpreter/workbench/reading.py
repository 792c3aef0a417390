"""The only place where the stages are chained, from a file's name to a checked rule set or problems.

Takes names or paths of rule files, or stacks of them. Gives a `RuleSet`, and problems. Knows the order of the stages
and nothing of how they work.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from interpreter.document.file_io import read_file
from interpreter.document.shape import check_shape
from interpreter.lint.checks import lint
from interpreter.places import LANGUAGE, stem
from interpreter.rulebook.check import check_book
from interpreter.rulebook.definitions import SHOWING
from interpreter.rulebook.layers import entries_below
from interpreter.rulebook.sheets import Sheet
from interpreter.source import Problems

from .examples import examples_inside, files_beside, test_files, words_of
from .garbage import rare_collections
from .rule_sets import RuleSet, register
from .stacks import open_sheets
from .trees import read_text, read_tree


def read(name: str, problems: Problems, folder: str | None, said: frozenset[str], *, odd: bool) -> RuleSet | None:
    """Read and check a rule set by name; `odd`: also lint it."""
    with rare_collections():
        sheets = open_sheets(name, problems, folder, said)
        if sheets is None:
            return None
        return checked(sheets, problems, odd=odd)


def with_file_on_top(base: RuleSet, name: str, text: str, problems: Problems, *, laid: bool) -> RuleSet | None:
    """The base with one more file on top, given as text: a supplement if `laid`, else one that extends it. None if
    it is not valid YAML.
    """
    root = read_text(name, text, problems)
    if root is None or problems.has_errors:
        return None
    check_shape(root, problems)
    for sheet in base.sheets:  # adds the allowances of these files to `problems`
        read_tree(sheet.root.span.source.name, problems)
    return checked([*base.sheets, Sheet.of(stem(name), root, laid=laid)], problems)


def with_lines(base: RuleSet, name: str, lines: Iterable[str], *, laid: bool) -> RuleSet | None:
    """As `with_text`, from lines; None with any problem."""
    problems = Problems()
    made = with_file_on_top(base, f"{name}.yaml", "\n".join(lines) + "\n", problems, laid=laid)
    return None if len(problems) else made


def checked(sheets: Sequence[Sheet], problems: Problems, *, odd: bool = True) -> RuleSet | None:
    """Check some sheets, undermost first, as a rule set, and lint it if `odd`. None if Python's recursion limit is
    hit.
    """
    known = {clause for sheet in sheets for clause in register(sheet)}
    alone = bool(sheets[0].head.extends)
    found = Problems() if alone else problems
    try:
        book, checker = check_book(sheets, LANGUAGE, found, known or None)
        opened = RuleSet(tuple(sheets), book, checker)
        if odd and not found.has_errors:
            top = sheets[-1].root.span.source
            lint(checker, found, top, lambda: _shown(opened), lambda: _shown(opened) | _shown_below(opened))
    except RecursionError:  # Python's limit of about a thousand nested calls
        problems.extend(found)
        problems.add("E010", sheets[-1].root.span)
        return None
    if alone:  # without its base, only syntax errors of a file are certain
        problems.extend(p for p in found if p.code.startswith("L"))
    return opened


def _shown(rules: RuleSet) -> set[str]:
    """The words of all examples, in the rule file and beside it."""
    texts = [e.body.span.text for e in (*examples_inside(rules), *examples_inside(rules, "typical"))]
    texts += [source.text for path in test_files(rules) if (source := read_file(path, Problems())) is not None]
    return words_of(texts)


def _shown_below(rules: RuleSet) -> set[str]:
    """The words of the examples of the files below the topmost one."""
    texts: list[str] = []
    for sheet in rules.sheets[:-1]:
        shown = (entry for _, entry, _ in entries_below(sheet.root) if entry.key.text.split(" ")[0] in SHOWING)
        texts += [entry.value.span.text for entry in shown]
        texts += [source.text for path in files_beside(sheet) if (source := read_file(path, Problems())) is not None]
    return words_of(texts)
