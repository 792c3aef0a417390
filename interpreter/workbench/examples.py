"""Examples as data: those in a rule file, and those in the files beside it.

Takes a rule set. Gives `Example`s, each with its tree. Knows nothing of how an example is run.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator

from interpreter import disk, places
from interpreter.document.nodes import Mapping, Scalar
from interpreter.places import SLIPS
from interpreter.rulebook.citations import Cite, footnotes
from interpreter.rulebook.definitions import SHOWING, cited
from interpreter.rulebook.sheets import Sheet
from interpreter.source import Problems
from interpreter.source.nearest import did_you_mean
from interpreter.source.values import Record

from .rule_sets import RuleSet
from .stacks import parts_of
from .trees import read_tree


class Example(Record):
    """An example or typical situation: `body` is a situation, `key` its title, `cites` the full ids of its clauses."""

    name: str
    body: Mapping
    cites: tuple[str, ...]
    key: Scalar


def examples_of(rules: RuleSet, problems: Problems) -> list[Example]:
    """The examples inside the rule file, then those of `rules/tests/NAME*.yaml` or `tests/` beside it. For a stack only
    the files that name it.
    """
    found = examples_inside(rules)
    for path in test_files(rules):
        found += from_file(path, rules, problems)
    return found


def example_named(rules: RuleSet, name: str) -> Example | None:
    """The example or typical situation of that name, in the rule file or beside it."""
    return next((each for each in all_shown(rules) if each.name == name), None)


def all_shown(rules: RuleSet) -> Iterator[Example]:
    """Every example and typical situation, in the rule file and beside it."""
    for what in SHOWING:
        yield from examples_inside(rules, what)
    for path in test_files(rules):
        for what in SHOWING:
            yield from from_file(path, rules, Problems(), what)


def examples_inside(rules: RuleSet, what: str = "example") -> list[Example]:
    """The examples in the rule file itself; with `typical`, its typical situations."""
    return [
        Example(d.title.name.text, d.body, cited(d.title.cites, d.prefix), d.key)
        for d in (rules.book.pages.examples if what == "example" else rules.book.pages.typical)
        if isinstance(d.body, Mapping)
    ]


def words_of(texts: Iterable[str]) -> set[str]:
    """All words of the texts, and all moments of the table such as `turn ends`."""
    found = (r"[\w-]+", r"\b(?:turn|battle) (?:begins|ends)\b")
    return {word for text in texts for form in found for word in re.findall(form, text)}


def test_files(rules: RuleSet) -> list[str]:
    """The paths of the files of examples beside the last file of a rule set; if that is laid over others, only those
    that name this stack.
    """
    return [f for f in files_beside(rules.sheets[-1]) if not rules.sheets[-1].laid or _names(f, rules)]


def files_beside(sheet: Sheet) -> list[str]:
    """The files of examples that are named after a rule file."""
    folder = folder_beside(sheet)
    names = [sheet.name, *disk.yaml_files(folder, f"{sheet.name}-")]
    names = [name for name in names if not f"{name}.yaml".endswith(SLIPS)]
    return [f for f in (os.path.join(folder, f"{name}.yaml") for name in names) if disk.is_file(f)]


def folder_beside(sheet: Sheet) -> str:
    """The folder `tests` beside a rule file; if there is none, the tests of the shipped rules."""
    beside = os.path.join(os.path.dirname(sheet.root.span.source.name), "tests")
    return beside if disk.kind(beside) == "folder" else os.path.join(places.SHIPPED, "tests")


def _names(path: str, rules: RuleSet) -> bool:
    """Whether a file of examples is for this stack."""
    root = read_tree(path, Problems())
    said = root.get("rules") if root is not None else None
    return isinstance(said, Scalar) and " + ".join(parts_of(said.text.strip())) == rules.name


def from_file(path: str, rules: RuleSet, problems: Problems, what: str = "example") -> list[Example]:
    """The examples in a file; or its definitions of another kind of `SHOWING`."""
    root = read_tree(path, problems)
    found = []
    seen: set[str] = set()
    for entry in root or ():
        words = entry.key.text.split(" ")
        if words[0] != what:
            if what == "example" and entry.key.text not in ("rules", "about") and words[0] not in SHOWING:
                problems.add("X006", entry.key.span, hint=did_you_mean(words[0], [*SHOWING, "rules", "about"]))
            continue
        if not isinstance(entry.value, Mapping) or len(words) < 2:
            problems.add("X004", entry.key.span)
            continue
        if words[1] in seen:
            problems.add("N003", entry.key.span, name=words[1])
        seen.add(words[1])
        cites = tuple(cite for cite, _ in cites_of(entry.key, rules))
        found.append(Example(words[1], entry.value, cites, entry.key))
    return found


def cites_of(key: Scalar, rules: RuleSet) -> list[Cite]:
    """The clauses at the end of a title, `example NAME [41, 42]`."""
    before, opened, inside = key.text.partition("[")
    return list(footnotes(key, inside, len(before + opened), rules.book.header.prefix))
