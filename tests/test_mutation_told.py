"""`umpire test --mutate`: how it tells what nobody notices, what may be asked, and what is allowed."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from typed import CliRunner

from interpreter.mutation import survivor_problems
from interpreter.surfaces.cli.group import main
from tests.mutated import ABOVE, BELOW, ONE_PIN, TOY, tried
from tests.mutated import toy as toy


def test_what_is_not_noticed_is_told_at_its_place(toy: Callable[..., str]) -> None:
    (problem,) = survivor_problems(tried(toy(TOY)).survivors)
    assert problem.code == "X010"
    assert problem.span is not None
    assert problem.span.text == "2"
    assert problem.message == "no example would notice `1` in place of `2`"
    assert problem.label == "then: pins < 1"
    assert problem.hint is not None


def test_an_example_that_would_show_it_is_said_with_what_to_expect(toy: Callable[..., str]) -> None:
    loose = TOY.replace("odds: 7/8 that shot >= 1", "odds: 1/1 that shot >= 0")
    hints = [p.hint for p in survivor_problems(tried(toy(loose), lambda m: m.address == "arms.gun").survivors)]
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


@pytest.mark.parametrize("change", ["change:\n  shoot.hits: 4\n", "More:\n  change:\n    shoot.hits: 4\n"])
def test_what_a_file_changes_has_the_name_of_what_it_changes(toy: Callable[..., str], change: str) -> None:
    toy(BELOW, "below.yaml")
    shown = ABOVE.partition("More:")[2]
    name = toy(f"game: Above\nextends: below\n{change}Shown:{shown}", "above.yaml")
    said = CliRunner().invoke(main, ["test", "--mutate", name, "--at", "shoot.hits", "--json"]).output
    (only,) = json.loads(said)["sets"]
    assert {s["before"] for s in only["slips"]} == {"4"}


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
def test_a_log_holds_nothing_but_the_answer(
    as_json: bool, toy: Callable[..., str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("CI", raising=False)
    words = ["test", "--mutate", toy(TOY), *(["--json"] if as_json else [])]
    assert main(words) == 1
    said = capsys.readouterr()
    assert said.err == ""
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
