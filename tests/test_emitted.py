"""What is compiled is text of our own making: nothing of a rule file gets into it but names of ours and plain values."""

from __future__ import annotations

import ast
import builtins
import re
from pathlib import Path

import pytest

from interpreter.folders import RULES
from interpreter.program.program import Program
from interpreter.source import Problems
from interpreter.workbench.answers import odds
from interpreter.workbench.cases import prepare
from interpreter.workbench.examples import examples_of
from interpreter.workbench.histories import resolve
from interpreter.workbench.rules import open_rules

OWN = re.compile(
    r"_|[A-Za-z]{1,9}(?:_?\d+)*(?:[A-Z]?_?\d+_?)*_?"
)  # what `fresh` and the writers make: a stem and numbers; `_` for what nobody reads
FORBIDDEN = (
    ast.Import,
    ast.ImportFrom,
    ast.Global,
    ast.ClassDef,
    ast.AsyncFunctionDef,
    ast.Await,
    ast.Yield,
    ast.With,
    ast.Try,
    ast.Raise,
    ast.Delete,
)
CALLED = {
    "min",
    "max",
    "len",
    "sum",
    "tuple",
    "sorted",
    "bool",
    "next",
    "iter",
    "enumerate",
    "range",
    "int",
    "list",
    "set",
    "dict",
    "any",
    "all",
    "zip",
    "isinstance",
    "abs",
    "bytes",
}
BUILTIN = frozenset(dir(builtins)) - {"_"}  # which a console of Python, as in the tests of the pages, sets meanwhile
PLAIN = re.compile(r"[a-z_][a-z0-9_-]*|[<>=]=?|==", re.IGNORECASE)


def inspect(source: str, space: dict[str, object], said: set[str]) -> None:
    """The names, attributes and texts of a module that was written."""
    for node in ast.walk(ast.parse(source)):
        assert not isinstance(node, FORBIDDEN), ast.unparse(node)
        if isinstance(node, ast.Name):
            assert "__" not in node.id
            assert OWN.fullmatch(node.id) or node.id in space or node.id in CALLED, node.id
            assert node.id not in BUILTIN or node.id in CALLED, node.id
        elif isinstance(node, ast.Attribute):
            assert not node.attr.startswith("_"), node.attr
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            assert PLAIN.fullmatch(node.value), node.value
            said.add(node.value)


HOSTILE = r"""game: "x'\"\\\n__import__('os')"
about: "{0} %s \x5c\x6e"
T:
  kind unit:
    lambda: number first 4
    import: number first 1
  kind exec, many to a unit:
  table class (def):
    none-of-it: 1
    raise: 2
  mark yield of unit:
  fact eval of unit: number first 2
  value print of unit: lambda + import + 1
  roll open of unit:
    base: needs 4
  dice high: d6 at or over
  to try (unit):
    while-so: unit gains unit.print lambda
    assert, if unit.eval > 1: unit gains yield
    global: umpire '"); __import__("os").system("x"); ("'
    pass-it: 2 dice
  example e:
    unit A: lambda 3
    do: A tries
    facts: A.eval is 3
    dice: 1 2
    then: A.lambda > 1
    odds: 1/1 that A.lambda > 1
"""


def listened(rules: object, monkeypatch: pytest.MonkeyPatch, names: int) -> set[str]:
    said: set[str] = set()
    load, count = Program.load, [0]

    def listening(self: Program, source: str) -> None:
        load(self, source)
        inspect(source, self.space, said)
        count[0] += 1

    monkeypatch.setattr(Program, "load", listening)
    for example in examples_of(rules, Problems())[:names]:
        case = prepare(rules, example.body, Problems())
        if case is not None:
            resolve(case, seed=1, traced=True)
            odds(case, limit=2000)
    assert count[0]
    return said


def test_names_and_texts_of_a_file_stay_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, problems = tmp_path / "hostile.yaml", Problems()
    path.write_text(HOSTILE, encoding="utf-8")
    rules = open_rules(path, problems)
    assert rules is not None and not problems.has_errors, [p.message for p in problems]
    said = listened(rules, monkeypatch, 9)
    assert not any("import" in text or "system" in text for text in said)
    assert "eval" in said  # a fact is asked by its name: a text, quoted


@pytest.mark.parametrize("name", ["modern", "vbcw"])
def test_shipped_sets_are_written_in_few_words(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rules = open_rules(RULES / f"{name}.yaml", Problems())
    listened(rules, monkeypatch, 8)
