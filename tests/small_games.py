"""Small games as texts: what `check` says of them, at which words, and whether their examples hold."""

from __future__ import annotations

from pathlib import Path

from interpreter.source import Problems, render
from interpreter.workbench.examples import examples_of
from interpreter.workbench.rule_sets import RuleSet
from interpreter.workbench.rules import open_rules
from interpreter.workbench.running import run


def told(folder: Path, text: str, **others: str) -> list[tuple[str, str]]:
    """The codes that a game and its examples draw, each with the word at which it stands."""
    problems = Problems()
    rules = _opened(folder, text, others, problems)
    found = [*problems]
    for example in examples_of(rules, problems) if not problems.has_errors else ():
        found += [*run(rules, example).problems]
    return [(p.code, p.span.text if p.span is not None else "") for p in found]


def hold(folder: Path, text: str, **others: str) -> None:
    """All examples of a game do, and there is no error in it."""
    problems = Problems()
    rules = _opened(folder, text, others, problems)
    assert not problems.has_errors, render(problems)
    examples = examples_of(rules, problems)
    assert examples
    for example in examples:
        result = run(rules, example)
        assert result.passed, render(result.problems)


def _opened(folder: Path, text: str, others: dict[str, str], problems: Problems) -> RuleSet:
    """`others` lie beside it, by their names."""
    for name, other in {**others, "game": text}.items():
        (folder / f"{name}.yaml").write_text(other, encoding="utf-8")
    rules = open_rules(str(folder / "game.yaml"), problems)
    assert rules is not None, render(problems)
    return rules
