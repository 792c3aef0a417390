"""The number that a roll needs, asked without a throw: `unit.nerve.needed`."""

from fractions import Fraction

import pytest
from small_games import told
from test_engines_kit import case_of, rules_of
from typed import CliRunner
from worked import agreed

from interpreter.engines.trace_events import walk
from interpreter.surfaces.cli.group import main
from interpreter.workbench.histories import resolve

GAME = """
game: Numbers
Things:
  dice high: d6 at or over, always 6, never 1
  dice low: d10 at or under
  kind side:
  kind unit of side:
    pins: number
    luck: number or none
    friend: a unit or none
    skill: one of levels
  kind figure, many to a unit:
    wounds: number
  table levels (hit):
    raw: 5+
    good: 3+
    hopeless: none
  mark hidden, calm of unit:
  roll aim of unit (target unit):
    basic: needs skill.hit
    cover: needs +1 if target.hidden
    pins: roll -1 per pins
    calm: again if calm
    luck: needs 2 if skill is good and hidden
  roll nerve of unit on low:
    basic: needs 7
    pins: needs -1 per pins
    calm: roll -2 if calm
    sure: passes if skill is good
  roll odd of unit:
    early: needs +1
    some: needs 4 if pins > 0
    later: roll +1
  roll lucky of unit: needs luck
  roll pain of figure as unit.nerve:
    wounds: needs -1 per wounds
"""
TWO = "unit A: {}\nunit B: {}\n"


def with_steps(*lines: str) -> str:
    return f"{GAME}  to do-it (unit) with (target unit):\n" + "".join(f"    {line}\n" for line in lines)


def done(a: str, b: str = "raw") -> str:
    return TWO.format(a, b) + "do: A does-it with B\n"


@pytest.mark.parametrize(
    ("a", "b", "number"),
    [
        ("raw", "raw", 5),
        ("good", "raw", 3),
        ("raw", "raw, hidden", 6),
        ("raw, pins 2", "raw, hidden", 8),  # no d6 shows it; a 6 passes all the same
        ("raw, pins 1, calm", "raw", 6),  # `again` is another throw, and the same number
        ("good, hidden, pins 1", "raw, hidden", 3),  # a later `needs E if C` is another number, on the same die
        ("hopeless, pins 2", "raw", None),  # no die is thrown
    ],
)
def test_all_lines_are_in_it(tmp_path, a, b, number):
    game = with_steps("n: aim(target).needed", "more, if aim(target).needed > 5: unit gains 10 pins")
    pins = int(a.partition("pins ")[2][:1] or 0)
    laws = {"n": number} if number is not None else {"n is none": True}
    agreed(tmp_path, game, done(a, b), laws | {"A.pins": pins + 10 * (number is not None and number > 5)})


def test_low_is_as_good_as_the_die_has_it(tmp_path):
    game = with_steps("n: nerve.needed", "m: target.nerve.needed")
    agreed(tmp_path, game, done("raw, pins 2, calm", "good, pins 1"), {"n": 7, "m": 6})


def test_without_a_number_there_is_none(tmp_path):
    game = with_steps("n: odd.needed", "m: target.odd.needed", "l: lucky.needed")
    agreed(tmp_path, game, done("raw, luck 3", "raw, pins 1"), {"n is none": True, "m": 3, "l": 3})


def test_of_nobody_it_is_none(tmp_path):
    game = with_steps("n: friend.nerve.needed", "m: target.friend.nerve.needed")
    agreed(tmp_path, game, done("raw", "raw, friend A, pins 3"), {"n is none": True, "m": 7})


def test_of_figures(tmp_path):
    game = with_steps(
        "hard: figures where pain.needed <= 5",
        "least-one: min(figures.pain.needed)",
        "each, for each man in figures:",
        "  one: man.pain.needed",
    )
    a = "\n  is: raw, pins 1\n  figures: [2 with wounds 1, 1 with wounds 0, 1 with wounds 3]"
    agreed(tmp_path, game, done(a), {"hard": 3, "least-one": 3, "each.one": 19})


def test_as_an_amount_and_in_a_value(tmp_path):
    game = with_steps("more: unit gains aim(target).needed pins", "n: grade") + (
        "  value grade of unit:\n    basic: nerve.needed\n    worst-of: at least 3\n    hidden: +1 if hidden\n"
    )
    agreed(tmp_path, game, done("raw, hidden, pins 1"), {"A.pins": 7, "n": 3 + 1})


def test_it_follows_what_has_happened(tmp_path):
    game = with_steps(
        "before-it: nerve.needed",
        "fall: unit gains d6 pins",
        "after-it: nerve.needed",
        "well: unit passes nerve",
    )
    sixth = Fraction(1, 6)
    laws = {
        "before-it": 7,
        "after-it": {7 - n: sixth for n in range(1, 7)},
        "well": {True: Fraction(21, 60), False: Fraction(39, 60)},
    }
    agreed(tmp_path, game, done("raw"), laws)


def test_a_roll_may_ask_for_the_number_of_another(tmp_path):
    game = with_steps("n: bold.needed", "well: unit passes bold") + "  roll bold of unit on low: needs nerve.needed\n"
    agreed(tmp_path, game, done("raw, pins 2"), {"n": 5, "well": {True: Fraction(1, 2), False: Fraction(1, 2)}})


def test_together_it_is_that_of_the_beginning(tmp_path):
    game = with_steps("both, together:", "  a: unit gains 3 pins", "  b: nerve.needed", "c: nerve.needed")
    agreed(tmp_path, game, done("raw"), {"b": 7, "c": 4})


def test_a_roll_does_not_hang_on_its_own_number(tmp_path):
    game = (
        with_steps("n: dizzy.needed")
        + "  roll dizzy of unit:\n    basic: needs 4\n    more-so: roll -1 if dizzy.needed > 3\n"
    )
    assert told(tmp_path, game) == [("M001", "dizzy")]


def test_who_uses_a_roll_as_a_number_is_told_of_it(tmp_path):
    from interpreter.source import Problems
    from interpreter.workbench.rules import open_rules

    (tmp_path / "game.yaml").write_text(with_steps("more, if nerve > 5: unit gains 1 pin"), "utf-8")
    problems = Problems()
    open_rules(str(tmp_path / "game.yaml"), problems)
    assert [p.code for p in problems] == ["T001"]
    assert "the number that it needs is `nerve.needed`" in (next(iter(problems)).hint or "")


def test_a_roll_of_which_only_the_number_is_asked_is_used(tmp_path):
    base = GAME + "  to wait (unit): unit gains 1 pin\n"
    house = (
        "game: House\nover: base\nClub:\n  roll grit of unit: needs 4\n"
        "  to gird (unit):\n    more, if grit.needed > 3: unit gains 1 pin\n"
        "  rule girding for each unit after wait: unit girds\n"
    )
    (tmp_path / "base.yaml").write_text(base, "utf-8")
    assert "N016" not in [code for code, _ in told(tmp_path, house)]


def test_a_trace_says_what_it_was_worked_out_from():
    case = case_of(rules_of(with_steps("n: aim(target).needed")), done("raw, pins 1", "raw, hidden"))
    said = [event.text for event in walk(resolve(case).events)]
    assert "aim.needed is 7" in said


def test_a_line_that_takes_the_number_of_another_roll_is_told_as_one_that_counts(tmp_path):
    worry = "  roll worry of unit: needs aim(unit).needed\n  roll lucky"
    (tmp_path / "game.yaml").write_text(with_steps("ok: unit passes worry").replace("  roll lucky", worry), "utf-8")
    (tmp_path / "done.yaml").write_text("rules: game\n" + done("raw, pins 1"), "utf-8")
    words = ["resolve", str(tmp_path / "done.yaml"), "--seed", "1"]
    shown = [line.split("  game.yaml")[0].strip() for line in CliRunner().invoke(main, words).output.splitlines()]
    assert "+ worry: needs aim(unit).needed → 6+" in shown
    assert "+ pins: roll -1 per pins → 6" in shown
