"""`umpire test --mutate`: a small game of which it is known by hand which slips its examples let pass."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.exceptions import Exit
from click.testing import CliRunner

from interpreter.mutation import Campaign, Mutant, Verdict, campaign, change, ready, sheet_of, told
from interpreter.mutation.slips import slips
from interpreter.mutation.trial import _Late, _no_longer_than
from interpreter.source import Problems
from interpreter.surfaces.cli import main, mutate
from interpreter.workbench.running import run

TOY = """\
game: Toy
Firing:
  dice high: d6 at or over
  kind unit:
    pins: number
  mark tired of unit:
  table arms (shots):
    bow: 2
    gun: 3
  roll aim of unit:
    basic: needs 4
    tired: roll -1 if tired
  value steady of unit: pins < 2
  to shoot (unit) with (arm arms):
    shot, if steady: arm.shots passing aim
  example a-bow:
    unit A: pins 0
    do: A shoots with bow
    odds: 1/1 mean shot
  example a-gun:
    unit A: pins 0
    do: A shoots with gun
    odds: 7/8 that shot >= 1
  example a-tired-archer:
    unit A: pins 0, tired
    do: A shoots with bow
    odds: 2/3 mean shot
  example pinned:
    unit A: pins 2
    do: A shoots with bow
    then: shot = 0
"""
# Nobody shoots with one pin, so whether it is fewer than two or fewer than one is all the same to them.
ONE_PIN = """\
  example one-pin:
    unit A: pins 1
    do: A shoots with bow
    odds: 1/1 mean shot
"""
LOOP = """\
game: Loop
Counting:
  kind unit:
    done: number
  to work (unit):
    rounds, repeat until unit.done >= 3:
      step: unit gains 1 done
  example to-the-end:
    unit A: done 0
    do: A works
    then: A.done = 3
"""
KINDS = """\
game: Kinds
Firing:
  kind unit:
    shots: number
  kind wagon, a unit:
  rule answer for each unit after shoot if actor is not unit and shots = 0: unit replies
  to shoot (unit):
    fire: unit gains 1 shots
  to reply (unit):
    fire: unit gains 2 shots
  example shot-back-at:
    unit A: shots 0
    unit B: shots 0
    do: A shoots
    then: A.shots = 1 and B.shots = 2
"""
CIRCLE = """\
game: Circle
extends: tabletop
Firing:
  fact windy of unit: yes or no first no
  mark dusty of figure:
  to shoot (unit) at (target unit):
    seen: target.figures where dusty
    back, if any seen: target runs-from unit
  to run-from (unit), (enemy unit):
    left: figures where dusty
    fire, if windy and any left: enemy shoots at unit
  to retreat (unit) with (enemy unit):
    back: unit runs-from enemy
    dust: back.fire.seen gain dusty
  example running:
    unit A: 1 figures
    unit B: 1 figures
    do: A runs-from B
    then: A.figures = 1
"""
BELOW = """\
game: Below
Firing:
  dice high: d6 at or over
  kind unit:
    skill: number
  to shoot (unit):
    hits: 3
"""
ABOVE = """\
game: Above
extends: below
More:
  example three:
    unit A: skill 1
    do: A shoots
    then: hits >= 3
"""
OVER = """\
game: Over
over: below
More:
  value twice of unit: skill * 2
"""
OVER_TESTS = """\
rules: below + over
example two-and-two:
  unit A: skill 2
  then: A.twice = 4
"""


@pytest.fixture
def toy(tmp_path: Path) -> Callable[..., str]:
    def write(text: str, name: str = "toy.yaml") -> str:
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return str(path)

    return write


def tried(name: str, only: Callable[[Mutant], bool] | None = None, **how: int) -> Campaign:
    problems = Problems()
    sets = ready(name, problems)
    assert not problems.has_errors, list(problems)
    return campaign(sets, sheet_of(name), only=only, **how)  # type: ignore[arg-type]


def survivors(found: Campaign) -> list[str]:
    return [f"{m.address}: {change(m)}" for m, _ in found.survivors]


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
    assert tried(name, jobs=3).verdicts == tried(name, jobs=1).verdicts


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


def test_what_is_not_noticed_is_told_at_its_place(toy: Callable[..., str]) -> None:
    (problem,) = told(tried(toy(TOY)).survivors)
    assert problem.code == "X010"
    assert problem.span is not None
    assert problem.span.text == "2"
    assert problem.message == "no example would notice `1` in place of `2`"
    assert problem.label == "then: pins < 1"
    assert problem.hint is not None


def test_an_example_that_would_show_it_is_said_with_what_to_expect(toy: Callable[..., str]) -> None:
    loose = TOY.replace("odds: 7/8 that shot >= 1", "odds: 1/1 that shot >= 0")
    hints = [p.hint for p in told(tried(toy(loose), lambda m: m.address == "arms.gun").survivors)]
    assert hints == [
        "a-gun would, if it expected `3/2 mean shot` (1/1 with the slip)",
        "a-gun would, if it expected `3/2 mean shot` (2/1 with the slip)",
    ]


def test_the_command(toy: Callable[..., str]) -> None:
    name = toy(TOY)
    run = CliRunner().invoke
    done = run(main, ["test", "--mutate", name])
    assert done.exit_code == 1
    assert "20 slips tried" in done.output
    assert "1 not noticed" in done.output
    assert run(main, ["test", "--mutate", name, "--at", "aim"]).exit_code == 0
    assert run(main, ["test", "--mutate", name, "--at", "13"]).exit_code == 1  # the line of the file
    assert run(main, ["test", "--mutate"]).exit_code == 2
    assert run(main, ["test", "--mutate", toy(TOY.replace("7/8", "1/8"))]).exit_code == 2  # an example fails as it is


NESTED = """\
game: Nested
Firing:
  kind unit:
    pins: number
  mark tired, hot of unit:
  to shoot (unit):
    volley:
      puff: unit gains tired
      aim:
        noise: unit gains 1 pins
  example loud:
    unit A: pins 0
    do: A shoots
    then: A.pins = 1 and A is tired
"""


@pytest.mark.parametrize(
    ("at", "lines"),
    [
        ("shoot.volley", {"puff", "aim", "noise"}),
        ("volley", {"puff", "aim", "noise"}),
        ("shoot.aim", {"aim", "noise"}),
        ("shoot.volley.aim", {"aim", "noise"}),
        ("Firing", {"puff", "aim", "noise"}),
        ("10", {"noise"}),
    ],
)
def test_a_name_stands_for_all_that_lies_in_it(toy: Callable[..., str], at: str, lines: set[str]) -> None:
    said = CliRunner().invoke(main, ["test", "--mutate", toy(NESTED), "--at", at, "--json"]).output
    (only,) = json.loads(said)["sets"]
    assert {s["line"].split(".")[-1] for s in only["slips"]} == lines


def test_what_a_supplement_says_over_one_base_has_a_name(toy: Callable[..., str]) -> None:
    toy(BELOW, "below.yaml")
    toy(ABOVE, "above.yaml")
    name = toy("game: Both\nover: below, or above\nOver above:\n  value thrice of unit: skill * 3\n", "both.yaml")
    expects = "  unit A: skill 2\n  then: A.thrice = 6\n"
    toy(f"rules: above + both\nexample two-thrice:\n{expects}", "tests/both.yaml")
    said = CliRunner().invoke(main, ["test", "--mutate", name, "--at", "thrice", "--json"]).output
    (only,) = json.loads(said)["sets"]
    assert {s["line"] for s in only["slips"]} == {"thrice"}


def test_what_a_supplement_says_over_one_base_slips_to_names_of_that(toy: Callable[..., str]) -> None:
    toy(BELOW, "below.yaml")
    toy(ABOVE.replace("More:\n", "More:\n  add to unit:\n    nerve: number first 1\n"), "above.yaml")
    name = toy("game: Both\nover: below, or above\nOver above:\n  value thrice of unit: skill * 3\n", "both.yaml")
    toy("rules: above + both\nexample thrice-something:\n  unit A: skill 2\n  then: A.thrice > 2\n", "tests/both.yaml")
    said = CliRunner().invoke(main, ["test", "--mutate", name, "--at", "thrice", "--json"]).output
    (only,) = json.loads(said)["sets"]
    assert any("nerve" in str(s) for s in only["slips"])


@pytest.mark.parametrize(
    ("at", "told"),
    [
        ("hot", "error X011: nothing can slip in `hot`"),
        ("1", "error X011: nothing can slip in line 1\n"),
        ("6", "`--at shoot` holds"),
        ("7", "`--at shoot.volley` holds"),
        ("99", "the file has 14 lines"),
        ("shoot.vollye", "did you mean `shoot.volley`?"),
        ("shoot.nise", "did you mean `shoot.noise`?"),
        ("shoot.zzzzz", "did you mean `shoot`?"),
        ("loud", "error N001: no line or definition of nested is called `loud`"),
    ],
)
def test_where_nothing_can_slip_it_is_said(toy: Callable[..., str], at: str, told: str) -> None:
    done = CliRunner().invoke(main, ["test", "--mutate", toy(NESTED, "nested.yaml"), "--at", at])
    assert done.exit_code == 2
    assert told in done.output
    assert "slips tried" not in done.output


def test_what_stands_in_another_file_is_asked_of_that(toy: Callable[..., str]) -> None:
    toy(BELOW, "below.yaml")
    done = CliRunner().invoke(main, ["test", "--mutate", toy(ABOVE, "above.yaml"), "--at", "shoot"])
    assert "`umpire test --mutate below --at shoot`" in done.output


def test_where_every_change_means_the_same_it_is_said(toy: Callable[..., str]) -> None:
    windy = TOY.replace("pins < 2", "pins < 2 and not windy").replace(
        "  value steady", "  fact windy of unit: yes or no first no\n  value steady"
    )
    done = CliRunner().invoke(main, ["test", "--mutate", toy(windy), "--at", "windy"])
    assert (done.exit_code, "nothing that changes here is a slip" in done.output) == (0, True)


@pytest.mark.parametrize("as_json", [False, True])
def test_a_log_is_told_how_far_it_has_come(
    as_json: bool, toy: Callable[..., str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(mutate, "EVERY", 10)
    with pytest.raises(Exit):
        mutate.mutate((toy(TOY),), mutate.Wanted(1, None, 1, (), as_json))
    said = capsys.readouterr()
    lines = [re.fullmatch(r"(\d+) of (\d+) slips tried", line) for line in said.err.splitlines()]
    tens = [int(line[1]) // 10 for line in lines if line is not None]
    assert len(tens) == len(lines) > 1
    assert tens == sorted(set(tens))
    assert "slips tried\n" not in said.out
    assert (json.loads(said.out) if as_json else said.out) != ""


def test_examples_that_cannot_be_read_are_told(toy: Callable[..., str]) -> None:
    name = toy(BELOW, "below.yaml")
    example = "example one:\n  unit A: skill 1\n  do: A shoots\n  then: hits = 3\n"
    toy(f"rules: below\n{example}{example}", "tests/below.yaml")
    done = CliRunner().invoke(main, ["test", "--mutate", name])
    assert done.exit_code == 1
    assert "error Y001" in done.output
    assert "slips tried" not in done.output


def test_what_is_as_good_either_way_is_allowed_with_a_reason(toy: Callable[..., str]) -> None:
    line = "  value steady of unit: pins < 2\n"
    name = toy(TOY.replace(line, "  # umpire: allow X010 because nobody has one pin\n" + line))
    done = CliRunner().invoke(main, ["test", "--mutate", name])
    assert done.exit_code == 0
    assert "all noticed" in done.output
    assert "1 not noticed and allowed" in done.output


SLIP = "`1` in place of `2`"


def test_an_allowance_may_say_which_slip_it_stands_for(toy: Callable[..., str]) -> None:
    line = "  value steady of unit: pins < 2\n"
    for words in (SLIP, "1 in place of 2", "pins < 1", f"`pins` left out; {SLIP}"):
        name = toy(TOY.replace(line, f"{line[:-1]}  # umpire: allow X010 ({words}) because nobody has one pin\n"))
        done = CliRunner().invoke(main, ["test", "--mutate", name, "--at", "steady"])
        assert done.exit_code == 0, words
        assert "1 not noticed and allowed" in done.output


def test_what_is_allowed_is_named_to_whoever_asks(toy: Callable[..., str]) -> None:
    line = "  value steady of unit: pins < 2\n"
    name = toy(TOY.replace(line, f"{line[:-1]}  # umpire: allow X010 because nobody has one pin\n"))
    said = CliRunner().invoke(main, ["test", "--mutate", name, "--at", "steady", "-v"]).output
    assert f"allowed  no example would notice {SLIP}, because nobody has one pin" in said
    assert "because nobody" not in CliRunner().invoke(main, ["test", "--mutate", name, "--at", "steady"]).output


def test_another_slip_of_the_same_line_is_told(toy: Callable[..., str]) -> None:
    line = "  value steady of unit: pins < 2\n"
    name = toy(TOY.replace(line, f"{line[:-1]}  # umpire: allow X010 (`3` in place of `2`) because of nothing\n"))
    done = CliRunner().invoke(main, ["test", "--mutate", name])
    assert done.exit_code == 1
    assert f"no example would notice {SLIP}" in done.output
    assert "nothing here needs this: no X010 (`3` in place of `2`) is found" in done.output
    assert f"what is found is: no example would notice {SLIP}" in " ".join(done.output.split())


def test_of_two_slips_that_are_allowed_the_one_that_is_noticed_is_told(toy: Callable[..., str]) -> None:
    line = "  value steady of unit: pins < 2\n"
    name = toy(TOY.replace(line, f"  # umpire: allow X010 ({SLIP}; 3 in place of 2) because of nothing\n{line}"))
    done = CliRunner().invoke(main, ["test", "--mutate", name])
    assert done.exit_code == 1
    assert "1 not noticed and allowed" in done.output
    assert "no X010 (3 in place of 2) is found" in done.output
    assert "take these words away" in done.output


def test_an_allowance_that_nothing_needs_is_told(toy: Callable[..., str]) -> None:
    line = "  value steady of unit: pins < 2\n"
    name = toy((TOY + ONE_PIN).replace(line, "  # umpire: allow X010 because nobody has one pin\n" + line))
    done = CliRunner().invoke(main, ["test", "--mutate", name])
    assert done.exit_code == 1
    assert "A001" in done.output
    assert "all noticed" in done.output
    assert CliRunner().invoke(main, ["test", "--mutate", name, "--at", "aim"]).exit_code == 0  # it may be needed there


def test_the_command_as_plain_data(toy: Callable[..., str]) -> None:
    said = [
        CliRunner().invoke(main, ["test", "--mutate", toy(TOY), "--json", "--sample", "9", "--seed", s]) for s in "112"
    ]
    assert said[0].output == said[1].output != said[2].output
    (only,) = json.loads(said[0].output)["sets"]
    assert sum(only["counts"].values()) == 9
    assert {s["what"] for s in only["slips"]} <= {"noticed", "survived"}


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


# ---- what is kept from one call to the next
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the examples that are asked from now on, whoever asks."""
    names: list[str] = []

    def heard(rules: Any, example: Any, **how: Any) -> Any:
        names.append(example.name)
        return run(rules, example, **how)

    monkeypatch.setattr("interpreter.mutation.trial.run", heard)
    monkeypatch.setattr("interpreter.mutation.exercise.run", heard)
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

    def enough(done: int, all_: int, new: list[tuple[Mutant, Verdict]]) -> None:
        if any(m.definition == "arms" for m, _ in new):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        campaign(ready(name, problems), sheet_of(name), told=enough)
    names = asked(monkeypatch)
    assert tried(name, lambda m: m.definition == "arms").counts() == {"noticed": 4}
    assert names == []
    assert survivors(tried(name)) == ["steady: `1` in place of `2`"]
    assert names != []


def test_quickly_only_few_are_asked_of_each(toy: Callable[..., str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("interpreter.mutation.campaigns.PATIENCE", 0.0)
    name = toy(TOY, "quick.yaml")
    quick = campaign(ready(name, Problems()), sheet_of(name), quick=True)
    suspected = [v for _, v in quick.survivors if v.left]
    assert len(suspected) == len(quick.survivors) > 1
    assert "that could notice it" in str(next(iter(told(quick.survivors))).hint)
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
