"""`umpire lock`: what is written, what is compared, and where a difference is told."""

import json
import sys
from pathlib import Path

import pytest
from typed import CliRunner

from interpreter.folders import RULES
from interpreter.source import Problem, Problems, Source
from interpreter.source.digits import any_digits
from interpreter.surfaces.cli.group import main
from interpreter.workbench.locks import compared, read_source, text_of
from interpreter.workbench.progress import Progress
from interpreter.workbench.rules import open_rules
from tests import shipped
from tests.toys import toy


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def run(*words: str) -> tuple[int, str]:
    said = CliRunner().invoke(main, ["lock", *words])
    return said.exit_code, said.output


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert text.count(old) == 1
    path.write_text(text.replace(old, new), encoding="utf-8")


def problems_of(folder: Path) -> list[Problem]:
    problems = Problems()
    rules = open_rules("toy", problems)
    source = read_source("toy.lock", problems)
    assert rules is not None and source is not None
    compared(rules, source, problems)
    return list(problems)


def test_what_is_written(tmp_path: Path) -> None:
    toy(tmp_path)
    assert run("toy") == (0, "written  toy.lock  3 typical situations\n")
    text = (tmp_path / "toy.lock").read_text(encoding="utf-8")
    assert "\nsituation a-shot: A skill 4\n  1/4 that wound\n\nsituation a-shot: A skill 5\n  1/6 that wound\n" in text
    assert (
        "\nsituation a-volley\n  3/2 mean hits\n  1/8 that hits = 0\n  3/8 that hits = 1\n  3/8 that hits = 2\n"
        "  1/8 that hits = 3\n  7/8 that hits >= 1\n" in text
    )
    assert run("toy") == (0, "as it was  toy.lock  3 typical situations\n")
    assert run("toy", "--check") == (0, "as locked  toy.lock  3 typical situations of toy: no problems\n")


def test_a_planted_plus_one(tmp_path: Path) -> None:
    toy(tmp_path)
    run("toy")
    edit(tmp_path / "toy.yaml", "basic:  needs skill\n", "basic:  needs skill + 1\n")
    found = problems_of(tmp_path)
    assert [(p.code, p.span and p.span.text) for p in found] == [
        ("X022", "  1/4 that wound"),
        ("X022", "  1/6 that wound"),
        ("X022", "  3/2 mean hits"),
    ]
    assert found[0].label == "was 25%, is 16.67%"
    assert [(o.span.source.name, o.span.place[0]) for o in found[0].others] == [("toy.yaml", 9)]
    code, said = run("toy", "--check")
    assert code == 1 and "toy.lock:" in said and "toy.yaml:9:5" in said


def test_another_line_of_the_same_definition_is_not_blamed(tmp_path: Path) -> None:
    toy(tmp_path)
    run("toy")
    edit(tmp_path / "toy.yaml", "+1 if target.hidden", "+2 if target.hidden")
    assert problems_of(tmp_path) == []  # the text is another, the odds are not
    edit(tmp_path / "toy.yaml", "toughness: number first 4", "toughness: number first 5")
    assert problems_of(tmp_path) == []  # every typical situation says it
    edit(tmp_path / "toy.yaml", "unit A: skill <4, 5>", "unit A: skill <4, 6>")
    assert sorted(p.code for p in problems_of(tmp_path)) == ["X023", "X024"]


def test_formats(tmp_path: Path) -> None:
    toy(tmp_path)
    run("toy")
    edit(tmp_path / "toy.yaml", "basic:  needs skill\n", "basic:  needs skill + 1\n")
    code, said = run("toy", "--check", "--json")
    data = json.loads(said)
    assert code == 1 and {*data} - {"problems", "errors", "warnings", "remarks"} == {
        "rules",
        "lock",
        "situations",
        "not asked",
    }
    assert (data["rules"], data["situations"], data["errors"]) == ("toy", 3, 3)
    code, said = run("toy", "--check", "--format", "github")
    assert code == 1 and said.startswith("::error file=toy.lock,line=6,endLine=6,col=1,")
    assert run("toy", "--format", "github")[0] == 2


def test_what_could_not_be_done(tmp_path: Path) -> None:
    toy(tmp_path)
    code, said = run("toy", "--check")
    assert code == 2 and "Y050" in said and "without --check writes it" in said
    assert run("nothing-of-the-kind")[0] == 2
    (tmp_path / "toy.lock").write_text("umpire lock 1\n<<<<<<< ours\n", encoding="utf-8")
    code, said = run("toy", "--check")
    assert code == 1 and "X025" in said and "toy.lock:2:1" in said
    (tmp_path / "toy.lock").write_text("", encoding="utf-8")
    assert run("toy", "--check")[0] == 1
    edit(tmp_path / "toy.yaml", "ask: wound", "ask: wounds")
    assert run("toy")[0] == 1  # a typical situation of its own that cannot be asked


def test_another_file(tmp_path: Path) -> None:
    toy(tmp_path)
    assert run("toy", "-o", "odds.txt")[0] == 0
    assert run("toy", "--check", "-o", "odds.txt")[0] == 0


def test_what_a_house_rule_inherits_and_cannot_ask(tmp_path: Path) -> None:
    toy(tmp_path, plain="Ours:\n  remove volley:\n")
    assert run("plain")[0] == 0
    text = (tmp_path / "toy+plain.lock").read_text(encoding="utf-8")
    assert "situation a-volley\n  asked not, N001\n" in text
    code, said = run("plain", "--check")
    assert code == 0 and "not asked: a-volley (N001: " in said and "3 typical situations of toy + plain, 1 not" in said
    code, said = run("plain", "--check", "--json")
    data = json.loads(said)
    assert (code, [(each["situation"], each["code"]) for each in data["not asked"]]) == (0, [("a-volley", "N001")])


@pytest.mark.parametrize("rules", ["toy", "plain"])
def test_what_cannot_be_asked_is_never_as_locked(rules: str, tmp_path: Path) -> None:
    """One that was not asked holds no number; that it was not asked before either is no excuse."""
    toy(tmp_path, plain="Ours:\n  mark tired of unit:\n")
    assert run(rules)[0] == 0
    lock = tmp_path / ("toy.lock" if rules == "toy" else "toy+plain.lock")
    edit(tmp_path / "toy.yaml", "  roll hitting", "  fact wind of unit: number\n  roll hitting")
    edit(tmp_path / "toy.yaml", "unseen-shots if target.hidden else 3", "3 + wind(unit)")
    code, said = run(rules, "--check")
    assert code == 1 and "error F004" in said and "a-volley" in said
    edit(lock, "situation a-volley\n", "situation a-volley\n  asked not, F004\nsituation gone\n")
    code, said = run(rules, "--check")
    assert code == 1 and "error F004" in said and "not asked: a-volley (F004: " in said
    data = json.loads(run(rules, "--check", "--json")[1])
    assert [(each["situation"], each["code"]) for each in data["not asked"]] == [("a-volley", "F004")]
    assert data["errors"]
    before = lock.read_text("utf-8")
    assert run(rules)[0] == 1  # nor is it written so
    assert lock.read_text("utf-8") == before


def test_thousands_of_digits_are_written_and_read_whole(tmp_path: Path) -> None:
    rules = toy(tmp_path) / "toy.yaml"
    edit(rules, "d6 at or over, always 6, never 1", "d1000 at or over")
    edit(rules, "unseen-shots if target.hidden else 3", "2000")
    edit(rules, "  typical a-volley:\n    unit A: skill 4\n", "  typical a-volley:\n    unit A: skill 1000\n")
    edit(rules, "ask: [hits, hits >= 1]", "ask: hits >= 2000")
    limit = sys.get_int_max_str_digits()
    problems = Problems()
    opened = open_rules("toy", problems)
    assert opened is not None
    text = text_of(opened, problems)
    assert text is not None and not problems.has_errors and sys.get_int_max_str_digits() == limit
    with any_digits():
        assert f"  1/{10**6000} that hits >= 2000\n" in text
    again = Problems()
    looked = Progress()
    assert compared(opened, Source("toy.lock", text), again, looked).situations == looked.done == looked.of == 3
    assert not len(again)
    last = text.index(" that hits >= 2000") - 1
    wrong = text[:last] + str((int(text[last]) + 1) % 10) + text[last + 1 :]
    compared(opened, Source("toy.lock", wrong), again)
    assert [p.code for p in again] == ["X022"]


@pytest.mark.parametrize("name", ["modern", "vbcw", "vsf", "imperial"])
def test_the_locks_of_the_shipped_sets(name: str) -> None:
    """What is typical of a shipped set has the odds that are written beside it."""
    problems = Problems()
    source = read_source(str(RULES / f"{name}.lock"), problems)
    assert source is not None
    found = compared(shipped.opened(name), source, problems)
    assert found.situations >= 20 and found.unasked == ()
    assert [(p.span and p.span.text, p.label) for p in problems] == []


def test_a_question_with_one_answer_is_told_when_its_odds_are_known(tmp_path: Path) -> None:
    toy(tmp_path)
    edit(tmp_path / "toy.yaml", "    ask: wound\n", "    ask: [wound, B.toughness]\n")
    edit(tmp_path / "toy.yaml", "    ask: [hits, hits >= 1]\n", "    ask: [hits, hits >= 4, hits >= 0 or hits < 0]\n")
    code, said = run("toy")
    assert code == 0 and said.count("warning X026") == 3
    assert "whatever happens in `a-shot`, `B.toughness` is 4" in said
    assert "whatever happens in `a-volley`, `hits >= 4` is not so" in said
    assert "`hits >= 0 or hits < 0` is so" in said
    assert said.endswith("written  toy.lock  3 typical situations\n")
    assert run("toy", "--check")[0] == 0  # the lock is as it should be


def test_a_question_that_goes_by_its_alternatives_is_none_of_these(tmp_path: Path) -> None:
    toy(tmp_path)
    edit(tmp_path / "toy.yaml", "    ask: wound\n", "    ask: A.skill = 4\n")
    assert "X026" not in run("toy")[1]
