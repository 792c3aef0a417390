"""Lines in the rows of outcome tables and in cases, and lines that are worth nothing, by their addresses: a play, the
odds, the reference and numbers worked out by hand are the same.
"""

from fractions import Fraction
from pathlib import Path

import pytest
from test_addresses import told
from test_engines_kit import agree, case_of, law_of_odds, rules_of

from tests.reference import odds as odds_by_the_reference

RULES = """\
game: Rows
Things:
  dice high: d6 at or over
  kind side:
  kind unit of side:
    gold: number
    pins: number
  kind figure, many to a unit:
    hurts: number
  mark loud of unit:
  mark fallen of figure: out of play
  table mishap of unit (face) by face:
    1-2 slip:
      victim: d4
      bruise: unit gains 1 pins
    3-4 crash:
      victim: d6
      loss: victim + 1
    5:
      shout: d6
      lost: unit.owner picks 2 from unit.figures usually hurts = 0
    6: unit gains 2 pins
  to try (unit):
    face: d6
    fate: unit.mishap(face)
  to dare (unit):
    early: unit tries
    other: d6
    lucky, if unit.gold > 5 or unit.mishap(other) is slip: unit gains 1 gold
  to stumble (unit):
    steps, repeat 2 times:
      face: d6
      fate: unit.mishap(face)
  to stagger (unit):
    steps, repeat up to 2 times until unit.mishap(6) is slip:
      face: d6
  to weigh (unit):
    kick: d6
    front, by kick:
      1-4:
        push: d4
      5:
        push: d6
        pull: d4
      6 top: unit gains 1 gold
  to choose-ground (unit):
    luck: d6
    good, if luck > 3:
      hurt: first(unit.figures)
    bad, otherwise:
      hurt: unit.figures
  to sweep (unit):
    rounds, for each man in figures:
      luck: d6
      good, if luck > 3:
        dead: 1
      bad, otherwise:
        dead: 2
    all-dead: dead + 1
  to march (unit):
    bouts, repeat 2 times:
      bursts:
        hits: d6
        tired, if hits = 6: unit gains 1 pins
    slow, if ran(tired): unit gains 1 gold
  to halt (unit):
    none-here, for each man in figures where hurts > 3: man gains 1 hurts
    inner, for each man in figures where hurts > 3:
      deep: man gains 1 hurts
  rule rest after halt if pins > 0:
    breath: actor gains 1 gold
  to bounce (unit):
    hit: d6
    cry: unit gains loud
    further, if hit = 6: unit bounces
"""


@pytest.fixture(scope="module")
def rules():
    return rules_of(RULES)


QUESTIONS = [
    ("A tries", "1/3 that ran(mishap.slip.victim)"),
    ("A tries", "1/12 that mishap.slip.victim = 3"),
    ("A tries", "1/18 that mishap.crash.loss = 5"),
    ("A tries", "1/36 that mishap.5.shout = 2"),
    ("A tries", "5/36 that mishap.victim = 1"),
    ("A tries", "1/9 that mishap.victim > 4"),
    ("A tries", "1/6 that mishap.5.lost = 2"),
    ("A tries", "1/3 that ran(mishap.slip.bruise)"),
    ("A tries", "1/3 that ran(mishap.slip)"),
    ("A tries", "1/6 that ran(mishap.6)"),
    ("A dares", "5/9 that ran(mishap.slip.victim)"),  # 1 - (2/3)²
    ("A dares", "1/144 that mishap.slip.victim = 8"),  # both slip, both 4
    ("A dares", "11/36 that ran(mishap.6)"),
    ("A dares", "1/3 that ran(lucky)"),
    ("A dares", "1/3 that ran(dare.lucky)"),
    ("A stumbles", "1/144 that mishap.slip.victim = 8"),
    ("A stumbles", "5/9 that ran(mishap.slip.bruise)"),
    ("A stumbles", "5/3 mean (mishap.slip.victim if ran(mishap.slip.bruise) else 0)"),  # 2 · 1/3 · 5/2
    ("A staggers", "1/1 that ran(mishap.6)"),
    ("A staggers", "0/1 that ran(mishap.5)"),
    ("A staggers", "1/1 that A.pins = 4"),
    ("A weighs", "1/6 that front.1-4.push = 2"),
    ("A weighs", "1/36 that front.5.push = 2"),
    ("A weighs", "1/24 that weigh.front.5.pull = 4"),
    ("A weighs", "7/36 that push = 2"),
    ("A weighs", "1/6 that ran(front.top)"),
    ("A weighs", "1/6 that ran(front.5)"),
    ("A chooses-ground", "1/2 that hurt = 1"),
    ("A chooses-ground", "1/2 that hurt = 3"),
    ("A sweeps", "9/2 mean dead"),
    ("A sweeps", "11/2 mean all-dead"),
    ("A marches", "7/1 mean bouts.hits"),
    ("A marches", "7/1 mean march.bouts.hits"),
    ("A marches", "11/36 that ran(tired)"),
    ("A marches", "11/36 that ran(march.bouts.bursts.tired)"),
    ("A marches", "11/36 that A.gold = 1"),
    ("A marches", "1/1 that ran(bursts)"),
    ("A halts", "1/1 that ran(none-here)"),
    ("A halts", "1/1 that ran(inner)"),
    ("A halts", "0/1 that ran(deep)"),
    ("A halts", "0/1 that ran(rest.breath)"),
    ("A bounces", "1/6 that ran(further)"),
    ("A bounces", "1/1 that ran(cry)"),
]


@pytest.mark.parametrize(("does", "odds"), QUESTIONS)
def test_the_odds_are_what_one_works_out(rules, does, odds):
    case = case_of(rules, f"unit A: 3 figures\ndo: {does}\nodds: [{odds}]\n")
    expected = Fraction(odds.split(" ")[0])
    law = law_of_odds(case)
    if " mean " in odds:
        assert sum(value * weight for (value,), weight in law.items()) == expected
    else:
        assert sum(weight for (value,), weight in law.items() if value is True) == expected


@pytest.mark.parametrize(("does", "odds"), [q for q in QUESTIONS if q[0] != "A bounces"])
def test_a_play_says_the_same_as_the_odds(rules, does, odds):
    asked = odds.split(" ", 2)[2]
    agree(case_of(rules, f"unit A: 3 figures\ndo: {does}\nask: ['{asked}']\n"))


@pytest.mark.parametrize(("does", "odds"), [q for q in QUESTIONS if q[0] != "A bounces"])
def test_so_says_the_reference(tmp_path, does, odds):
    Path(tmp_path / "rows.yaml").write_text(RULES, "utf-8")
    Path(tmp_path / "s.yaml").write_text(f"rules: rows\nunit A: 3 figures\ndo: {does}\n", "utf-8")
    expected, how, asked = odds.split(" ", 2)
    (answer,) = odds_by_the_reference(tmp_path / "s.yaml", [asked])
    found = answer.law
    if how == "mean":
        assert sum(value * weight for value, weight in found.items()) == Fraction(expected)
    else:
        assert found.get(True, 0) == Fraction(expected)


@pytest.mark.parametrize(
    ("does", "question", "code", "word", "said"),
    [
        ("A bounces", "bounce.hit = 1", "N020", "bounce.hit", "`hit`"),
        ("A bounces", "ran(bounce.cry)", "N020", "bounce.cry", "`cry`"),
        ("A tries", "fate.victim = 1", "N001", "victim", "`mishap.victim`"),
        ("A tries", "fate.shout = 1", "N001", "shout", "`mishap.5.shout`"),
        ("A tries", "mishap.slip.victor = 1", "N001", "mishap.slip.victor", "`mishap.slip.victim`"),
        ("A dares", "shout = 1", "N001", "shout", "`mishap.5.shout`"),
    ],
)
def test_what_cannot_be_asked_is_told_with_what_can(rules, does, question, code, word, said):
    (problem,) = told(rules, f"unit A: 3 figures\ndo: {does}\nthen: {question}\n")
    assert problem[:2] == (code, word)
    assert said in problem[2]
    instead = question.replace(
        word if word in ("bounce.hit", "bounce.cry") else question.split(" ")[0], said.strip("`")
    )
    assert told(rules, f"unit A: 3 figures\ndo: {does}\nthen: {instead}\n") == []


def test_of_several_calls_the_address_is_named(rules):
    text = "unit A: 3 figures\ndo:\n  early: A weighs\n  later: A tries\nask: {}\n"
    (problem,) = told(rules, text.format("face"))
    assert problem == ("N001", "face", "a line of what is done: say `try.face`")
    assert told(rules, text.format("try.face")) == []


def test_dice_and_choices_go_by_the_same_address(rules):
    text = (
        "unit A: 3 figures\ndo: A tries\nchoose: {mishap.5.lost: hurts = 0}\n"
        "dice: {face: 5, mishap.5.shout: 4}\nthen: mishap.5.shout = 4\n"
    )
    assert told(rules, text) == []
    text = "unit A: 3 figures\ndo: A weighs\ndice: kick 2, front.1-4.push 3\nthen: front.1-4.push = 3\n"
    assert told(rules, text) == []


@pytest.mark.parametrize(
    ("line", "rule"),
    [
        ("    gale: d6\n", "  rule gale after storm: d4\n"),
        ("    gale: unit gains 1 pins\n", "  rule gale before storm: d4\n"),
        ("    gale:\n      hit: d6\n", "  rule gale after storm:\n    hit: d4\n"),
        ("    gale: d6\n", "  rule gale after storm: actor gains 1 pins\n"),
        ("    gale, repeat 2 times:\n      hit: d6\n", "  rule gale after storm:\n    hit: d4\n"),
    ],
)
def test_a_line_and_a_rule_of_one_name_are_told(line, rule):
    from interpreter.document.reader import read
    from interpreter.places import LANGUAGE
    from interpreter.rulebook.check import check_book
    from interpreter.rulebook.sheets import Sheet
    from interpreter.source import Problems, Source

    text = RULES + "  to storm (unit):\n" + line + rule
    problems = Problems()
    check_book([Sheet.of("x", read(Source("x.yaml", text), problems))], LANGUAGE, problems, None)
    assert [(p.code, p.span.text) for p in problems] == [("N003", "gale")]
    apart = Problems()
    text = text.replace("rule gale", "rule gust")
    check_book([Sheet.of("x", read(Source("x.yaml", text), apart))], LANGUAGE, apart, None)
    assert not apart.has_errors
