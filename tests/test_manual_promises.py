"""Every part of the manual's page that promises something has a probe, and the probe holds (`tests/manual`)."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from manual import PAGES, PROBES, ROOT, flat, lay_out, parts, promises

from interpreter.source import Problems, render
from interpreter.workbench import files
from interpreter.workbench.bands import MOST_WORLDS, answer_case
from interpreter.workbench.cases import Case, prepare
from interpreter.workbench.examples import Example, examples_of
from interpreter.workbench.parallel import HERE
from interpreter.workbench.rule_sets import RuleSet
from interpreter.workbench.rules import open_rules
from interpreter.workbench.running import run
from interpreter.workbench.texts import asked

PARTS = [part for page in PAGES for part in parts(page.read_text("utf-8"))]
PROMISES = promises()
FILES = sorted(path.stem for path in PROBES.glob("*.yaml"))
WRONG = [
    pytest.param(code, text, id=f"{code}-{number}-{i}")
    for number, promise in enumerate(PROMISES)
    for code, texts in promise.get("wrong", {}).items()
    for i, text in enumerate(texts if isinstance(texts, list) else [texts])
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("manual")
    lay_out(made)
    return made


# ---- the list
def test_what_the_list_quotes_stands_on_the_page() -> None:
    page = "\n".join(PARTS)
    assert [p["says"] for p in PROMISES if flat(p["says"]) not in page] == []


def test_every_part_of_the_page_is_on_the_list() -> None:
    said = [flat(p["says"]) for p in PROMISES]
    assert [part[:120] for part in PARTS if not any(text in part for text in said)] == []


def test_every_promise_has_a_proof_or_a_reason() -> None:
    known = Counter(key for p in PROMISES for key in p)
    assert set(known) <= {"says", "by", "wrong", "nothing"}
    assert [p["says"] for p in PROMISES if len(p) < 2] == []


def test_every_probe_is_named_by_a_promise(folder: Path) -> None:
    named = {text for p in PROMISES for text in proofs(p)}
    there = {f"{name} {example.name}" for name in FILES for example in opened(folder, name)[1]}
    assert there - named == set()
    for text in sorted(named - there):
        if text.endswith(".py"):
            assert (ROOT / text).is_file(), text
            continue
        name, _, example = text.partition(" ")
        assert example in {e.name for e in opened(folder, name)[1]}, text


def proofs(promise: dict[str, Any]) -> list[str]:
    found = promise.get("by", [])
    return found if isinstance(found, list) else [found]


# ---- the probes
def opened(folder: Path, name: str) -> tuple[RuleSet, list[Example]]:
    problems = Problems()
    rules = open_rules(folder / f"{name}.yaml", problems)
    assert rules is not None and not problems.has_errors, render(problems)
    return rules, examples_of(rules, problems)


@pytest.mark.parametrize("name", FILES)
def test_the_examples_of_a_probe_hold(folder: Path, name: str) -> None:
    rules, examples = opened(folder, name)
    for example in examples:
        failed = run(rules, example).problems
        assert not len(failed), f"{example.name}\n{render(failed)}"


@pytest.mark.parametrize("name", FILES)
def test_so_they_do_asked_one_question_at_a_time(folder: Path, name: str) -> None:
    """As `umpire odds` asks: of each question alone, with rules that are cut down to it."""
    rules, examples = opened(folder, name)
    for example in examples:
        if "<" in example.body.span.text or example.body.get("error") is not None:
            continue
        case = prepare(rules, example.body, Problems())
        assert case is not None
        for ask in case.asks if case.situation.force is None else ():
            if ask.expected is not None:
                answer = answer_case(alone(rules, example, ask.kind, ask.text))
                assert answer is not None
                assert answer.bounds(0) == ask.expected, f"{example.name}: {ask.text}"


def alone(rules: RuleSet, example: Example, kind: str, text: str) -> Case:
    from interpreter.workbench.texts import with_entries

    bare = with_entries(example.body, (), ("then", "odds", "trace", "dice", "ask"))
    problems = Problems()
    case = prepare(rules, bare, problems, asked("show", "question", [text]))
    assert case is not None, render(problems)
    for ask in case.asks:
        ask.kind = kind
    return case


@pytest.mark.parametrize(("code", "text"), WRONG)
def test_what_is_wrong_is_told(folder: Path, tmp_path: Path, code: str, text: str) -> None:
    lay_out(tmp_path)
    if not text.startswith(("game:", "rules:", "force:")):
        text = f"game: Wrong\nextends: skirmish\nWrong:\n{text}"
    file = tmp_path / "wrong.yaml"
    file.write_text(text, "utf-8")
    problems = Problems()
    files.check_file(str(file), problems)
    if not len(problems):
        found = files.test_file(str(file), problems, HERE, None, MOST_WORLDS)
        problems.extend(problem for result in (found[1] if found else ()) for problem in result.problems)
    assert {p.code for p in problems if p.code[0] != "R"} == {code}, render(problems)
