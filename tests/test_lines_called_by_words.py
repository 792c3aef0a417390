"""Lines called by words of the language: one for each word, read wherever a line can be read, and laid out by `fmt`."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest
from test_engines_kit import Mistaken, agree, case_of, law_of_odds, law_of_play, rules_of
from typed import CliRunner

from interpreter.language.parse import OF_LINES
from interpreter.layout import format_source
from interpreter.places import LANGUAGE
from interpreter.source import Source
from interpreter.surfaces.cli.group import main
from interpreter.workbench.histories import resolve

# One line of each procedure is called WORD.
GAME = """\
game: Toy
Things:
  dice high: d6 at or over
  kind side:
  kind unit of side:
    pins: number
  kind figure, many to a unit:
  mark tired of unit: until after act.WORD
  mark fresh of unit:
Doing:
  to act (unit):
    WORD: d6
    twice: WORD + WORD
    high, if WORD >= 5 and not WORD = 6: unit gains WORD pins
    which, by WORD:
      1-5: nothing
      6: unit gains fresh
    steady, if WORD > 2: unit passes nerve(WORD)
    half: half(WORD) if WORD = 6 else whole(WORD / 2)
    rounds, repeat up to WORD times until WORD < 2:
      step: unit gains WORD - WORD + 1 pin
  roll nerve of unit (given number):
    basic: needs 4
    WORD: roll +1 if given > 4
  value weight of unit:
    WORD: 1
    rest: +2 if fresh
  rule cheer for each unit after act.WORD if unit is actor:
    told: unit gains 1 pin
  to choose (unit):
    WORD: unit.side picks 0 to 3
    men: unit.side picks min(WORD, 2) from figures
    left: figures - men
    which-so, unit.side picks one usually WORD:
      WORD: unit gains 1 pin
      other: nothing
"""
ACTS = """\
unit A: tired
do: A acts
ask: [WORD, act.WORD, twice, half, A.pins, A.weight, A is fresh, A is tired, ran(WORD), steady]
"""
CHOOSES = """\
unit A: 4 figures
do: A chooses
choose: {choose.WORD: fewest, choose.men: any}
ask: [WORD, choose.WORD, left, A.pins]
"""
HOUSE = """\
game: House
over: toy
change:
  act.twice: 2 * WORD, was WORD + WORD
House:
  add to act after WORD:
    next-one: WORD + 1
  remove act.rounds:
  example asked:
    unit A: tired
    do: A acts
    dice: WORD 5, steady 3
    ask: [WORD, act.WORD]
    then: [WORD = 5, twice = 10, next-one = 6, not ran(act.half) or half = 2, A.pins = 6]
    trace: "WORD"
  example chosen:
    unit A: 4 figures
    do:
      WORD: A chooses
    choose: {choose.WORD: 1, choose.men: any}
    odds: [1/1 that WORD.WORD = 1, 1/1 mean WORD.men]
"""


def game(word: str) -> str:
    return GAME.replace("WORD", word)


@pytest.mark.parametrize("word", sorted(OF_LINES))
def test_a_line_called_by_a_word_is_as_any_other(word: str) -> None:
    """The same laws as with a name of its own; play under every script is odds."""
    rules, plain = rules_of(game(word)), rules_of(game("zq"))
    case = case_of(rules, ACTS.replace("WORD", word))
    law = law_of_odds(case)
    assert law == law_of_odds(case_of(plain, ACTS.replace("WORD", "zq")))
    assert sum(p for values, p in law.items() if values[:2] == (6, 6)) == Fraction(1, 6)
    assert agree(case) > 6
    choosing = CHOOSES.replace("WORD", word)
    assert law_of_play(case_of(rules, choosing)) == law_of_play(case_of(plain, CHOOSES.replace("WORD", "zq")))


@pytest.mark.parametrize("word", sorted(OF_LINES))
def test_dice_are_given_to_a_line_called_by_a_word(word: str) -> None:
    rules = rules_of(game(word))
    for line in (word, f"act.{word}"):
        case = case_of(
            rules, f"unit A: fresh\ndo: A acts\ndice: {line} 5, steady 3\nask: [WORD, steady]\n".replace("WORD", word)
        )
        outcome = resolve(case)
        assert outcome is not None
        assert list(outcome.values.values()) == [5, True]


@pytest.mark.parametrize("word", sorted(OF_LINES))
def test_files_speak_of_a_line_called_by_a_word(word: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Examples, and a supplement that adds behind the line, changes what reads it, and takes another one away."""
    (tmp_path / "toy.yaml").write_text(game(word), encoding="utf-8")
    (tmp_path / "house.yaml").write_text(HOUSE.replace("WORD", word), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(main, ["test", "house.yaml"])
    assert (done.exit_code, "2 examples" in done.output) == (0, True), done.output


@pytest.mark.parametrize("word", sorted(OF_LINES))
def test_what_speaks_of_a_line_called_by_a_word_is_laid_out_and_stays_the_same(word: str) -> None:
    """Blanks that were lost or doubled are put right, and laid out once more nothing changes."""
    text = game(word)
    loose = text.replace(" + ", "  +   ").replace(", if", ",   if").replace(": d6", ":   d6")
    done = format_source(Source("a.yaml", loose), LANGUAGE).text
    assert (
        done
        == format_source(Source("a.yaml", done), LANGUAGE).text
        == format_source(Source("a.yaml", text), LANGUAGE).text
    )
    assert done.split() == text.split()
    rules_of(done)


@pytest.mark.parametrize("word", sorted(OF_LINES))
def test_a_word_by_which_no_line_is_called_is_refused_where_it_stands(word: str) -> None:
    text = game("zq").replace("zq + zq", f"3 + {word}")
    with pytest.raises(Mistaken) as told:
        rules_of(text)
    assert told.value.args[0][0] == ("L001", word)
