"""`tests/NAME.slips.yaml`: slips that may stay, by address; what is wrong with such a file is told at its place."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from typed import CliRunner

import interpreter
from interpreter.mutation import allow_listed, checked_slips, hosts_of, mutants_of, sheet_of
from interpreter.places import shipped
from interpreter.source import Problems
from interpreter.surfaces.cli.group import main
from tests.mutated import ABOVE, BELOW, ONE_PIN, OVER, TOY
from tests.mutated import toy as toy

RULES = Path(__file__).parent.parent / "rules"
SHIPPED = sorted((RULES / "tests").glob("*.slips.yaml"))


def run(*words: str) -> tuple[int, str]:
    done = CliRunner().invoke(main, list(words))
    return done.exit_code, done.output


def found(path: str) -> list[tuple[str, str, str | None]]:
    return [(p.code, p.span.text if p.span is not None else "", p.hint) for p in checked_slips(path).problems]


@pytest.mark.parametrize(
    "said",
    [
        "steady: (1 in place of 2) because nobody has one pin",
        "steady: (`1`  in place of `2`; pins < 1) because nobody has one pin",
        "steady: because nobody has one pin",
        "Firing: (1 in place of 2) because nobody has one pin",
        "steady:\n    - (1 in place of 2) because nobody has one pin",
    ],
)
def test_what_may_stay_stands_beside_the_examples(toy: Callable[..., str], said: str) -> None:
    name = toy(TOY)
    toy(f"slips:\n  {said}\n", "tests/toy.slips.yaml")
    code, output = run("test", "--mutate", name, "-v")
    assert (code, "all noticed" in output, "1 not noticed and allowed" in output) == (0, True, True)
    assert "no example would notice `1` in place of `2`, because nobody has one pin" in output


def test_another_slip_of_the_same_line_is_told(toy: Callable[..., str]) -> None:
    name = toy(TOY)
    toy("slips:\n  steady: (3 in place of 2) because of nothing\n", "tests/toy.slips.yaml")
    code, output = run("test", "--mutate", name)
    assert code == 1
    assert "warning X010: no example would notice `1` in place of `2`" in output
    assert "warning A001: nothing here needs this: no X010 (3 in place of 2) is found" in output
    assert "toy.slips.yaml:2:12" in output


def test_what_an_example_notices_by_now_is_told_where_all_was_tried(toy: Callable[..., str]) -> None:
    name = toy(TOY + ONE_PIN)
    toy("slips:\n  steady: because nobody has one pin\n", "tests/toy.slips.yaml")
    code, output = run("test", "--mutate", name)
    assert (code, "A001" in output, "toy.slips.yaml:2:11" in output) == (1, True, True)
    assert run("test", "--mutate", name, "--at", "steady")[0] == 0


STALE = [
    ("stedy: because of nothing", "A007", "stedy", "did you mean `steady`?"),
    ("steady: (5 in place of 2) because of nothing", "A007", "5 in place of 2", "1 in place of 2"),
    ("steady: (1 in place of 2; 2 in place of 1) because of nothing", "A007", "2 in place of 1", "1 in place of 2"),
    ("tired: because of nothing", "A007", "because of nothing", "nothing can slip there"),
    ("steady: 1 in place of 2, because of nothing", "A006", "1 in place of 2, because of nothing", "(7 in place of 6)"),
    ("steady: (1 in place of 2)", "A006", "(1 in place of 2)", "(7 in place of 6)"),
    ("steady: () because of nothing", "A006", "() because of nothing", "(7 in place of 6)"),
    ("steady: because", "A006", "because", "(7 in place of 6)"),
    ("steady:\n    more: because of nothing", "A006", "steady", "(7 in place of 6)"),
]


@pytest.mark.parametrize(("said", "code", "text", "hint"), STALE)
def test_what_is_wrong_is_told_at_its_place(
    toy: Callable[..., str], said: str, code: str, text: str, hint: str
) -> None:
    name = toy(TOY)
    path = toy(f"slips:\n  {said}\n", "tests/toy.slips.yaml")
    ((is_code, is_text, is_hint),) = found(path)
    assert (is_code, is_text) == (code, text)
    assert hint in (is_hint or "")
    status, output = run("test", "--mutate", name, "--at", "aim")  # whatever was asked
    assert (status, f"warning {code}" in output) == (1, True)
    told = json.loads(run("test", "--mutate", name, "--at", "aim", "--json")[1])["sets"][0]["problems"]
    assert [problem["code"] for problem in told] == [code]


def test_another_heading_is_none(toy: Callable[..., str]) -> None:
    toy(TOY)
    path = toy("slip:\n  steady: because of nothing\n", "tests/toy.slips.yaml")
    assert [each[:2] for each in found(path)] == [("A006", "slip")]


def test_more_than_anybody_keeps_in_mind(toy: Callable[..., str]) -> None:
    toy(TOY)
    lines = "    - (1 in place of 2) because nobody has one pin\n" * 401
    path = toy(f"slips:\n  steady:\n{lines}", "tests/toy.slips.yaml")
    assert [each[:2] for each in found(path)] == [("A005", "steady")]


def test_what_yaml_cannot_read_is_told(toy: Callable[..., str]) -> None:
    name = toy(TOY)
    toy("slips:\n  steady: >= in place of >\n", "tests/toy.slips.yaml")
    code, output = run("test", "--mutate", name)
    assert (code, "toy.slips.yaml:2" in output, "slips tried" in output) == (1, True, False)


@pytest.mark.parametrize("form", ["text", "json", "sarif", "github", "junit"])
def test_a_check_tells_it_in_every_form(toy: Callable[..., str], form: str) -> None:
    toy(TOY)
    path = toy("slips:\n  stedy: because of nothing\n", "tests/toy.slips.yaml")
    code, output = run("check", path, "--format", form)
    assert (code, "A007" in output) == (1, True)
    assert [problem.code for problem in interpreter.check(path)] == ["A007"]
    toy("slips:\n  steady: because of nothing\n", "tests/toy.slips.yaml")
    assert run("check", path, "--format", form)[0] == 0


def test_a_file_that_is_named_after_no_rules(toy: Callable[..., str]) -> None:
    path = toy("slips:\n  steady: because of nothing\n", "tests/tory.slips.yaml")
    assert [(code, "tory.yaml" in (hint or "")) for code, _, hint in found(path)] == [("F015", True)]


def test_a_supplement_has_one_for_all_its_bases(toy: Callable[..., str]) -> None:
    toy(BELOW, "below.yaml")
    toy(ABOVE, "above.yaml")
    name = toy(OVER, "over.yaml")
    toy("slips:\n  twice: (3 in place of 2) because of nothing\n", "tests/over.slips.yaml")
    problems = Problems()
    sets = hosts_of(name, problems)
    assert not allow_listed(sets, sheet_of(name), mutants_of(sets, sheet_of(name)), problems).has_errors
    assert [(a.words, a.scopes[0].text) for a in problems.allowances] == [
        ("X010 (3 in place of 2)", "value twice of unit: skill * 2")
    ]


def test_it_holds_no_examples(toy: Callable[..., str]) -> None:
    name = toy(TOY)
    toy(TOY.replace("game: Toy", "game: Longer"), "toy-long.yaml")
    toy("slips:\n  steady: because of nothing\n", "tests/toy-long.slips.yaml")  # begins as files of examples of toy do
    code, output = run("test", name)
    assert (code, "A006" in output, "X006" in output) == (0, False, False)
    code, output = run("test", str(Path(name).parent / "tests" / "toy-long.slips.yaml"))
    assert (code, "umpire test --mutate toy-long" in output) == (2, True)


def test_laying_it_out_leaves_its_words(toy: Callable[..., str]) -> None:
    path = toy(
        "slips:\n    steady:   (1  in place of 2;>= in place of >) because of two,of one\n", "tests/toy.slips.yaml"
    )
    assert run("fmt", path)[0] == 0
    text = Path(path).read_text("utf-8")
    assert text == "slips:\n  steady: (1  in place of 2;>= in place of >) because of two,of one\n"


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.name)
def test_every_entry_of_those_that_come_along_names_a_slip(path: Path) -> None:
    """Which of them no example notices only a whole campaign tells; that each can be made is told at once."""
    assert checked_slips(str(path)).problems == ()


def test_no_rules_that_come_along_keep_books_for_the_machine() -> None:
    texts = {name: (RULES / f"{name}.yaml").read_text("utf-8") for name in shipped()}
    assert not [name for name, text in texts.items() if "X010" in text]
    # imperial: what a d8 never shows
    assert {name: text.count("# umpire: ") for name, text in texts.items() if "# umpire: " in text} == {"imperial": 1}
    assert {path.name.removesuffix(".slips.yaml") for path in SHIPPED} <= set(texts)
