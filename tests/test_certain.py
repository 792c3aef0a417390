"""What is certain in a situation is settled beforehand, and what nobody reads any more is forgotten: the odds are those
of play, and what is carried along is less.
"""

import re

import pytest
from test_engines_kit import agree, case_of, rules_of
from typed import CliRunner

from interpreter.program.code import Do, While
from interpreter.surfaces.cli.group import main
from interpreter.workbench import run_setup
from interpreter.workbench.answers import odds

TEXT = """
game: Certain
Conventions:
  dice plain: d6 at or over
  table weapons (arms, strength):
    club: 1, 1
    bow:  2, 1
    gun:  1, 2, loud
    pump: 1, 1, wet
    horn: 1, 3, loud
  mark loud, wet of weapons:
  table ranks (need):
    raw: 5
    old: 4
    sly: 3
    apt: 2
    odd: 6
  kind unit:
    rank: one of ranks
    luck: number first 0
    rung: number first 0
  kind figure, many to a unit:
    weapon: one of weapons
  mark tired of figure:
  mark keen of figure:
Turns:
  roll blow of unit: needs rank.need
  value left of unit:
    whole: 0
    spent: -1 per luck
    floor: at least 0
  to aim (figure):
    thrown: 2 dice
    high: thrown where it >= 5
    hits: thrown meeting blow(figure.unit)
    twos: high where it = 5
  to trust (unit), (dares number):
    dared: unit picks 0 to dares usually most
    better: dared dice
  to fire (unit):
    shots, for each man in figures:
      shot: man aims
      luck, if any shot.high: unit trusts min(left, 1)
    whole: shots.shot.hits
  to storm (unit):
    bangs, for each man in figures, if man.weapon.loud:
      noise: d6
      rings: unit gains noise rung
    dry, if any (figures where weapon.wet): d6
    blows: figures passing blow(unit)
    tires: figures gain tired
  to wear (unit):
    shots, for each man in figures:
      keens: man gains keen
      hits: (figures where it is not tired) passing blow(unit)
      tires: man gains tired
      warms: unit gains 1 rung
  to drum (unit):
    beats, repeat left times:
      loud: d6
"""
RULES = rules_of(TEXT)


def case(do, *asks, figures="[1 with weapon club]", unit="raw"):
    return case_of(RULES, f"unit A:\n  is: {unit}\n  figures: {figures}\ndo: {do}\nask: [{', '.join(asks)}]\n")


@pytest.mark.parametrize(
    ("do", "asks"),
    [
        ("A fires", ["shots.shot.hits"]),
        ("A fires", ["shots.shot.twos", "shots.luck.better"]),
        ("A fires", ["whole", "shots.shot.hits"]),
        ("A fires", ["shots.luck.dared", "shots.shot.high = 2"]),
        ("A storms", ["A.rung", "blows"]),
        ("A storms", ["dry", "bangs.noise"]),
        ("A wears", ["shots.hits", "A.rung"]),
        ("A drums", ["beats.loud"]),
    ],
)
@pytest.mark.parametrize("figures", ["[2 with weapon club]", "[1 with weapon gun, 1 with weapon pump]"])
@pytest.mark.parametrize("unit", ["raw", "sly, luck -1"])
def test_odds_are_those_of_play(do, asks, figures, unit):
    agree(case(do, *asks, figures=figures, unit=unit))


def test_of_a_record_only_what_is_read_further_on_is_kept():
    """Six figures' twelve dice fall in 6188 ways; their hits are thirteen."""
    few = odds(case("A fires", "shots.shot.hits", figures="[6 with weapon club]"))
    more = odds(case("A fires", "shots.shot.hits", "shots.shot.twos", figures="[6 with weapon club]"))
    assert few.worlds < 60 < more.worlds


def test_a_number_past_all_use_is_refused_only_where_it_is_worked_out():
    text = """
game: Large
Conventions:
  kind unit:
    luck: number
    weapon: one of arms
  table arms (shots, price):
    stone: -, 1
    sling: 2, 1
Turns:
  to go (unit):
    shown: d6
    part, if shown > 6: 1 / luck
    square, if shown > 6: luck * luck
  to throw (unit):
    rounds, repeat up to weapon.shots times until done:
      shown: d2
      done: shown = 2
"""
    rules = rules_of(text)
    agree(case_of(rules, "unit A: luck 5000000000000, weapon sling\ndo: A goes\nask: [part, square]\n"))
    for weapon in ("stone", "sling"):
        agree(case_of(rules, f"unit A: luck 1, weapon {weapon}\ndo: A throws\nask: rounds.shown\n"))


def reads(case):
    """What the Program of a case throws dice for, and asks somebody: the lines that are left."""
    program = run_setup.set_up(case, False, certain=True).program
    root = case.situation.procedure
    return {site.line.address for p in program.reachable(root) for site in program.code(p).sites}


def test_what_a_round_does_with_what_it_read_is_done_inside_it():
    program = run_setup.set_up(case("A wears", "shots.hits")).program
    (wear,) = [p for p in program.book.procedures.values() if p.name == "wear"]
    (loop,) = [item for item in program.code(wear).items if isinstance(item, While)]
    written = [{key for item in part if isinstance(item, Do) for key in item.writes} for part in (loop.body, loop.last)]
    assert len(written[0]) > 0 and len(written[1]) == 1  # figures inside; a number that every round makes larger is not


def test_what_is_looked_up_for_one_of_few_is_settled_where_it_is_the_same():
    assert "storm.bangs.noise" in reads(case("A storms", "A.rung", figures="[1 with weapon gun, 1 with weapon bow]"))
    neither = reads(case("A storms", "A.rung", figures="[1 with weapon bow, 1 with weapon club]"))
    assert "storm.bangs.noise" not in neither and "storm.dry" not in neither and "storm.blows" in neither


def test_what_a_known_value_leaves_nothing_of_is_left_out():
    assert "drum.beats.loud" not in reads(case("A drums", "beats.loud", unit="raw"))
    assert "drum.beats.loud" in reads(case("A drums", "beats.loud", unit="raw, luck -1"))


@pytest.mark.parametrize(
    ("do", "unit", "weapon", "made"),
    [
        ("storm", "<raw, old, sly, apt, odd>", "club", 2),  # one for the raw, and one for whoever comes
        ("storm", "raw", "<club, bow, pump, horn, gun>", 2),
        ("drum", "raw", "<club, bow, pump, horn, gun>", 1),  # nothing is asked of a weapon
    ],
)
def test_one_program_serves_all_for_whom_what_it_rests_on_holds(do, unit, weapon, made, tmp_path, monkeypatch):
    cuts = []
    specialize = run_setup.specialize
    monkeypatch.setattr(run_setup, "specialize", lambda *args, **named: cuts.append(args) or specialize(*args, **named))
    (tmp_path / "toy.yaml").write_text(TEXT.lstrip())
    monkeypatch.chdir(tmp_path)
    ask = "blows" if do == "storm" else "A.figures"
    words = ["toy.yaml", do, f"A: {unit}, 3 figures, weapon {weapon}", "--ask", ask, "--fraction"]
    found = CliRunner().invoke(main, ["odds", *words])
    assert found.exit_code == 0, found.output
    means = re.findall(r"^ +[a-z]+ +(\d)/(\d) ", found.output, re.MULTILINE)
    if unit != "raw":
        assert means == [("1", "1"), ("3", "2"), ("2", "1"), ("5", "2"), ("1", "2")]
    else:
        assert len(set(means)) == 1
    assert len(cuts) == made
