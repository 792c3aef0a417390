"""The catalogue of codes as pages: `codes/index.md`, and `codes/N001.md` for each code.

Enters: the catalogue. Leaves: Markdown by path, each page with the sentence, its meaning, the bad example and what
Umpire really says of it, and the good one. Nothing here knows a code: a new entry of the catalogue has its page.
"""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from interpreter.source import CATALOGUE, Entry, Problems, render
from interpreter.source.catalogue import FAMILIES, family
from interpreter.workbench.answers import odds
from interpreter.workbench.cases import prepare
from interpreter.workbench.examples import examples_inside, examples_of, from_file
from interpreter.workbench.files import check_file, rules_of
from interpreter.workbench.rule_sets import RuleSet
from interpreter.workbench.rules import open_rules
from interpreter.workbench.running import run
from interpreter.workbench.trees import read_tree
from interpreter.workbench.typical import check_typical

# The first sentence of a family's module says what it is about: `Family K: tables: rows, cells, …`.
_ABOUT = re.compile(r"Family \w+: (.*?)\.\s", re.DOTALL)


def pages() -> dict[str, str]:
    """Path below `docs/` → Markdown."""
    made = {"codes/index.md": _index()}
    for code, entry in CATALOGUE.items():
        made[f"codes/{code}.md"] = _page(code, entry)
    return made


def _index() -> str:
    rows = [
        "# Codes",
        "",
        "Each thing that Umpire can find has a code, which never gets a second meaning. `umpire explain N001` shows "
        "the same page as here, without leaving the terminal.",
    ]
    for letter in FAMILIES:
        entries = family(letter)
        rows += ["", f"## {letter}: {about(letter)}", "", "| code | | says |", "|---|---|---|"]
        for code, entry in entries.items():
            rows.append(f"| [{code}]({code}.md) | {entry.severity} | {_message(entry.message)} |")
    return "\n".join(rows) + "\n"


def about(letter: str) -> str:
    """What a family is about, in the words of its module."""
    from importlib import import_module

    room = FAMILIES[letter]
    found = _ABOUT.search(import_module(f"interpreter.source.catalogue.{room}").__doc__ or "")
    return found[1].replace("\n", " ") if found else room


def _message(text: str) -> str:
    """A sentence of the catalogue, `…` where a finding fills something in."""
    return _plain(re.sub(r"\{[^}]*\}", "…", text)).replace("|", "\\|")


def _plain(text: str) -> str:
    """Text as Markdown that says just this: nothing outside backticks is taken for HTML."""
    return "".join(part if part.startswith("`") else part.replace("<", "&lt;") for part in re.split(r"(`[^`]*`)", text))


def _page(code: str, entry: Entry) -> str:
    rows = [f"# {code}", "", f"**{entry.severity}**: {_message(entry.message)}", "", _plain(entry.meaning)]
    if entry.bad:
        rows += ["", "## Wrong", "", _fenced(entry.bad, "yaml")]
        told = said(entry.bad)
        if f"{entry.severity} {code}: " in told:
            rows += ["", "Umpire says:", "", _fenced(told, "text")]
    if entry.good:
        rows += ["", "## Right", "", _fenced(entry.good, "yaml")]
    if not entry.bad:
        rows += ["", "This is about a whole file, so there is no example to show."]
    return "\n".join(rows) + "\n"


def _fenced(text: str, language: str) -> str:
    """A block of code, in a fence longer than any inside it."""
    text = "\n".join(line.rstrip() for line in text.strip("\n").split("\n")).replace("\t", "⇥")  # a tab would not show
    return f"````{language}\n{text}\n````"


def said(text: str) -> str:
    """What Umpire says of an example of the catalogue, as it would say it in a terminal."""
    with tempfile.TemporaryDirectory() as folder, _inside(Path(folder)):
        return render(found(text), width=88)


def found(text: str, also: Callable[[RuleSet, Problems], None] = lambda rules, problems: None) -> Problems:
    """Everything there is to say about a rule file, its examples carried out; or about a file of examples.

    It is read from the folder we are in. A text may hold several files, each under its `# NAME.yaml`. `also` is asked
    what else there is to say. (tests/test_catalogue.py finds by this, too: what the pages show is what is tested.)
    """
    *others, text = re.split(r"^(?=# \w+\.yaml$)", text, flags=re.MULTILINE)
    for other in filter(None, others):
        Path(other.splitlines()[0][2:]).write_text(other, encoding="utf-8")
    path = Path("toy.yaml").absolute()
    text = text.removeprefix("# toy.yaml\n")
    path.write_text(text, encoding="utf-8")
    problems = Problems()
    if text.startswith("sweep:"):
        check_file(str(path), problems)
        return problems
    if text.startswith("rules:"):
        root = read_tree(path, problems)
        rules = rules_of(root, path.parent, problems) if root is not None else None
        examples = from_file(path, rules, problems) if rules is not None else []
    else:
        rules = open_rules("./toy.yaml", problems)
        quiet = rules is None or problems.has_errors
        examples = [] if quiet or rules is None else examples_of(rules, problems)
        if rules is not None and not quiet:
            check_typical(rules, examples_inside(rules, "typical"), problems)
    if rules is not None:
        also(rules, problems)
    for example in examples:
        assert rules is not None
        problems.extend(run(rules, example).problems)
        if example.body.get("ask") is not None and not problems.has_errors:
            case = prepare(rules, example.body, problems)
            if case is not None:
                odds(case)
    problems.report_unused("toy.yaml")
    return problems


@contextmanager
def _inside(folder: Path) -> Iterator[None]:
    before = Path.cwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)
