"""`umpire test --mutate`: which slips there are, and which of them the examples of a small game let pass."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typed import CliRunner

from interpreter.mutation import trial
from interpreter.mutation.mutation_operators import slips
from interpreter.mutation.trial import _Late, _no_longer_than
from interpreter.surfaces.cli.group import main
from interpreter.workbench.examples import Example
from interpreter.workbench.parallel import Workers
from interpreter.workbench.rule_sets import RuleSet
from interpreter.workbench.running import run
from tests.mutated import ABOVE, BELOW, CIRCLE, KINDS, LOOP, ONE_PIN, OVER, OVER_TESTS, TOY, survivors, tried
from tests.mutated import toy as toy


def test_what_the_examples_of_a_small_game_let_pass(toy: Callable[..., str]) -> None:
    found = tried(toy(TOY))
    assert survivors(found) == ["steady: `1` in place of `2`"]
    assert found.counts() == {"noticed": 19, "survived": 1}
    by = {(found.mutants[v.mutant].address, found.mutants[v.mutant].then): v.by for v in found.verdicts}
    assert by["arms.gun", "4"] == "a-gun"  # the only one that looks at that row
    assert by["aim.tired", "roll +1 if tired"] == "a-tired-archer"
    assert by["steady", "pins <= 2"] == "pinned"
    assert by["shoot.shot", "shot"] == "pinned"
    assert by["aim.tired", ""] == "a-tired-archer"  # the line left out


def test_an_example_closes_the_gap(toy: Callable[..., str]) -> None:
    found = tried(toy(TOY + ONE_PIN), lambda m: m.definition == "steady")
    assert survivors(found) == []
    assert {v.by for v in found.verdicts} == {"pinned", "one-pin"}


def test_what_something_is_at_first_is_asked_as_well(toy: Callable[..., str]) -> None:
    purse = "  add to unit:\n    coins: number first wealth\n  value wealth of unit: skill + 1\n"
    begins = "  example a-purse:\n    unit A: skill 2\n    then: A.coins = 3\n"
    found = tried(toy(BELOW + purse + begins), lambda m: m.definition == "wealth")
    assert survivors(found) == []
    assert found.counts()["noticed"] >= 2


def test_it_comes_out_the_same_whoever_does_it(toy: Callable[..., str]) -> None:
    name = toy(TOY)
    assert tried(name, workers=Workers(3)).verdicts == tried(name).verdicts


def test_who_was_held_up_once_is_asked_again(toy: Callable[..., str], monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[object] = []

    def held_up(rules: RuleSet, example: Example, **how: Any) -> Any:
        """In the middle of a check: what was interrupted then is half made, and must not be asked once more."""
        calls.append(rules)
        if len(calls) % 2:
            for procedure in rules.book.procedures.values():
                rules.checker.definitions.found.checked.pop(procedure, None)
                rules.checker.definitions.found.working[procedure] = None
            raise _Late
        assert rules is not calls[-2]
        return run(rules, example, **how)

    monkeypatch.setattr(trial, "run", held_up)
    assert survivors(tried(toy(TOY + ONE_PIN))) == []
    assert survivors(tried(toy(TOY))) == ["steady: `1` in place of `2`"]


def test_a_slip_without_an_end_is_noticed(toy: Callable[..., str]) -> None:
    found = tried(toy(LOOP))
    endless = [v for v in found.verdicts if found.mutants[v.mutant].then in ("unit loses 1 done", "unit gains 0 done")]
    assert len(endless) == 2
    assert {v.what for v in endless} <= {"noticed", "endless"}
    assert survivors(found) == []


def test_a_slip_that_does_not_check_is_none_whatever_it_runs_into(toy: Callable[..., str]) -> None:
    found = tried(toy(KINDS), lambda m: m.definition == "answer" and m.what == "rule")
    assert "wagon replies" in [m.then for m in found.mutants]  # a kind where a unit is wanted: a mistake, and no slip
    assert "wagon replies" not in [found.mutants[v.mutant].then for v in found.verdicts]
    assert found.unread >= 1


def test_a_beginning_that_is_so_anyway_may_be_left_out(toy: Callable[..., str]) -> None:
    windy = TOY.replace("pins < 2", "pins < 2 and not windy").replace(
        "  value steady", "  fact windy of unit: yes or no first no\n  value steady"
    )
    salvo = "  to salvo (unit):\n    volleys, for each archer in units: archer shoots with bow\n    total: volleys.shot\n"  # records added
    for text in (windy, windy + salvo):
        found = tried(toy(text), lambda m: m.definition == "windy")
        assert survivors(found) == []
        assert found.counts()["same"] == 1


def test_nor_does_it_matter_in_which_order_the_examples_asked(toy: Callable[..., str]) -> None:
    found = tried(toy(CIRCLE), lambda m: m.definition == "windy")  # running is asked for before shooting is
    assert found.counts() == {"same": 1}


def test_a_set_without_examples_is_seen_by_those_built_on_it(toy: Callable[..., str]) -> None:
    name = toy(BELOW, "below.yaml")
    toy(ABOVE, "above.yaml")
    found = tried(name)
    assert [host.rules.name for host in found.hosts] == ["above"]
    assert survivors(found) == ["shoot.hits: `4` in place of `3`"]


def test_of_a_supplement_its_own_file_is_changed(toy: Callable[..., str]) -> None:
    toy(BELOW, "below.yaml")
    name = toy(OVER, "over.yaml")
    toy(OVER_TESTS, "tests/over.yaml")
    found = tried(name)
    assert [host.rules.name for host in found.hosts] == ["below + over"]
    assert {m.definition for m in found.mutants} == {"twice"}
    assert survivors(found) == []
    assert len(found.verdicts) == 3  # 1, 3, and a stroke for a star


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("needs 4+", ["roll 4+", "needs 3+", "needs 5+"]),
        ("roll -1 if tired", ["needs -1 if tired", "roll +1 if tired", "roll -0 if tired", "roll -2 if tired", "roll -1"]),
        ("a > b", ["a >= b"]),
        ("a and not b [41]", ["a or not b [41]", "a and b [41]"]),
        ('24", 2', ['23", 2', '25", 2', '24", 1', '24", 3', '24"']),
        ("hits, if any men", ["hits", "hits, if no men"]),
        ("owner picks 1 from men usually most", [
            "owner picks 0 from men usually most", "owner picks 2 from men usually most", "owner picks 1 from men",
            "owner picks 1 from men usually fewest",
        ]),
        ("2d6 >= 7", ["1d6 >= 7", "3d6 >= 7", "2d4 >= 7", "2d8 >= 7", "2d6 > 7", "2d6 >= 6", "2d6 >= 8"]),
        ("umpire 'put 3 down'", []),
        ("yes or no", []),
    ],
)  # fmt: skip
def test_slips(text: str, found: list[str]) -> None:
    made = [" ".join((text[: s.start] + s.instead + text[s.end :]).split()) for s in slips(text, lambda word: [])]
    assert sorted(made) == sorted(found)


def test_a_name_becomes_another_of_its_sort() -> None:
    made = list(slips("unit gains pins", lambda word: {"unit": ["target"], "pins": ["losses", "wounds"]}.get(word, [])))
    assert [(s.start, s.instead) for s in made] == [(0, "target"), (5, "loses"), (11, "losses"), (11, "wounds")]
    assert made[2].choice == made[3].choice != made[0].choice


# ---- slips that are none
MARKS = """\
game: Marks
Turns:
  kind unit:
    pins: number
  mark tired of unit: until before begin
  mark hot of unit: until before begin
  to begin (unit):
    cool, if hot: unit gains 1 pins
  to run (unit):
    pant: unit gains tired
    burn: unit gains hot
    total: pins + (units where it is tired)
  example worn:
    unit A: pins 0
    do:
      going: A runs
      opening: A begins
    then: A is not tired and A is not hot and A.pins = 0
"""


def test_a_mark_that_ends_before_what_never_asks_for_it_may_end_after_it(toy: Callable[..., str]) -> None:
    loose = MARKS.replace(" and A.pins = 0", "")
    found = tried(toy(loose), lambda m: m.what == "mark" and "after" in m.then)
    assert {found.mutants[v.mutant].definition: v.what for v in found.verdicts} == {"tired": "same", "hot": "survived"}
    found = tried(toy(MARKS), lambda m: m.what == "mark" and "after" in m.then)
    assert not found.hosts[0].failed
    assert {found.mutants[v.mutant].definition: v.what for v in found.verdicts} == {"tired": "same", "hot": "noticed"}


def test_the_time_is_up_although_python_swallowed_it_once(capfd: pytest.CaptureFixture[str]) -> None:
    """As when a weak reference ends while the clock rings: a destructor that takes its time stands for it here."""

    class Slow:
        def __del__(self) -> None:
            end = time.process_time() + 0.4
            while time.process_time() < end:
                pass

    def busy() -> None:
        began = time.process_time()
        Slow()
        while time.process_time() < began + 20:
            pass

    with pytest.raises(_Late), _no_longer_than(0.2):
        busy()
    assert capfd.readouterr().err == ""


def test_a_slip_that_makes_a_fraction_of_a_count_cannot_be_read(tmp_path: Path) -> None:
    """What counts dice, things or points is whole: `nerve * 2` with `/` is no rule, and nobody runs into it."""
    (tmp_path / "whole.yaml").write_text(
        "game: Whole\nToys:\n  dice high: d6 at or over\n  kind unit:\n    nerve: number 0 to 9\n"
        "  roll shooting of unit: needs 5+\n  to try (unit):\n    shots: (unit.nerve * 2) dice\n"
        "    hits: shots meeting unit.shooting\n    part: unit.nerve / 2\n    won, if part > 5 / 2: unit gains hits * 2 nerve\n"
        "  example first:\n    unit A: nerve 1\n    do: A tries\n    odds: [1/9 that hits = 2, 1/2 mean part]\n",
        encoding="utf-8",
    )
    done = CliRunner().invoke(main, ["test", "--mutate", str(tmp_path / "whole.yaml")])
    assert done.exit_code == 1, done.output
    assert "cannot be read" in done.output
