"""`umpire test --mutate`: nobody is asked twice, and nobody without need."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from typed import CliRunner

from interpreter.mutation import Mutant, Verdict, campaign, hosts_of, sheet_of, survivor_problems
from interpreter.source import Problems
from interpreter.surfaces.cli.group import main
from interpreter.workbench.running import run
from tests.mutated import ABOVE, BELOW, ONE_PIN, TOY, survivors, tried
from tests.mutated import toy as toy


def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the examples that are asked from now on, whoever asks."""
    names: list[str] = []

    def heard(rules: Any, example: Any, **how: Any) -> Any:
        names.append(example.name)
        return run(rules, example, **how)

    monkeypatch.setattr("interpreter.mutation.trial.run", heard)
    monkeypatch.setattr("interpreter.mutation.example_coverage.run", heard)
    return names


def test_the_second_call_asks_nobody(toy: Callable[..., str], monkeypatch: pytest.MonkeyPatch) -> None:
    first, names = tried(toy(TOY)), asked(monkeypatch)
    again = tried(toy(TOY.replace("  table arms", "  # umpire: allow X010 because of nothing\n  table arms")))
    assert names == []
    assert (again.verdicts, again.unread) == (first.verdicts, first.unread)


def test_of_a_survivor_only_new_examples_are_asked(toy: Callable[..., str], monkeypatch: pytest.MonkeyPatch) -> None:
    tried(toy(TOY))
    names = asked(monkeypatch)
    found = tried(toy(TOY + ONE_PIN))
    assert set(names) == {"one-pin"}
    assert survivors(found) == []


def test_another_rule_and_everything_is_asked_again(toy: Callable[..., str], monkeypatch: pytest.MonkeyPatch) -> None:
    before = tried(toy(TOY))
    names = asked(monkeypatch)
    found = tried(
        toy(TOY.replace("  mark tired of unit:", "  mark tired, odd of unit:")), lambda m: m.address == "arms.gun"
    )
    assert names.count("a-gun") == 1 + len(found.verdicts)  # as it is, and once for each: it was known who would notice
    assert {v.by for v in found.verdicts} == {"a-gun"} <= {v.by for v in before.verdicts}


def test_who_is_interrupted_goes_on_from_there(toy: Callable[..., str], monkeypatch: pytest.MonkeyPatch) -> None:
    name, problems = toy(TOY), Problems()

    def enough(new: list[tuple[Mutant, Verdict]]) -> None:
        if any(m.definition == "arms" for m, _ in new):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        campaign(hosts_of(name, problems), sheet_of(name), told=enough)
    names = asked(monkeypatch)
    assert tried(name, lambda m: m.definition == "arms").counts() == {"noticed": 4}
    assert names == []
    assert survivors(tried(name)) == ["steady: `1` in place of `2`"]
    assert names != []


def test_quickly_only_few_are_asked_of_each(toy: Callable[..., str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("interpreter.mutation.campaigns.PATIENCE", 0.0)
    name = toy(TOY, "quick.yaml")
    quick = campaign(hosts_of(name, Problems()), sheet_of(name), quick=True)
    suspected = [v for _, v in quick.survivors if v.left]
    assert len(suspected) == len(quick.survivors) > 1
    assert "that could notice it" in str(next(iter(survivor_problems(quick.survivors))).hint)
    names = asked(monkeypatch)
    found = tried(name)  # goes on from there: who was asked is not asked again
    assert survivors(found) == ["steady: `1` in place of `2`"]
    assert names


def test_what_is_found_is_said_at_once_and_each_once(toy: Callable[..., str]) -> None:
    said = CliRunner().invoke(main, ["test", "--mutate", toy(TOY), "--at", "steady", "--at", "aim"]).output
    assert said.count("warning X010") == 1
    assert said.index("warning X010") < said.index("not noticed")
    assert "not noticed in steady" in said


def test_another_set_is_asked_only_for_what_those_before_it_let_pass(
    toy: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    name = toy(BELOW, "below.yaml")
    toy(ABOVE, "above.yaml")
    assert survivors(tried(name)) == ["shoot.hits: `4` in place of `3`"]
    other = ABOVE.replace("Above", "Beside").replace("example three", "example no-more").replace(">= 3", "<= 3")
    toy(other, "beside.yaml")
    names = asked(monkeypatch)
    found = tried(name)
    assert survivors(found) == []
    assert names.count("no-more") == 2  # as it is, and with the one slip
    assert [host.rules.name for host in found.hosts] == ["above", "beside"]
