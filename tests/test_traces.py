"""Traces read like a referee's explanation: eight of them word for word, and what holds for all.

The texts lie in `tests/data/traces`, without the rows of files. After a change that is meant, `python tests/test_traces.py`
writes them anew; read what `git diff` shows before you keep it.
"""

import json
import os
import re
from functools import cache
from pathlib import Path

import pytest
from test_engines_kit import case_of, rules_of
from typed import CliRunner

from interpreter.engines.trace_events import walk
from interpreter.program.words import sentence
from interpreter.surfaces.as_trace.teller import Teller
from interpreter.surfaces.cli.group import main
from interpreter.surfaces.cli.resolve import event as plain
from interpreter.surfaces.cli.resolve import shown
from interpreter.workbench.histories import resolve

ROOT = Path(__file__).parent.parent
GOLDEN = ROOT / "tests" / "data" / "traces"
CLAUSES = {  # that a referee would name
    "vsf-galvanic-volley": "VSF-057 VSF-055 VSF-062 VSF-117 VSF-104 VSF-197 VSF-063 VSF-064 VSF-067 VSF-068",
    "vsf-gadget": "VSF-197 VSF-198 VSF-199 VSF-191",
    "vsf-vehicle-chain": "VSF-153 VSF-157 VSF-155 VSF-161 VSF-006 VSF-134 VSF-043",
    "vsf-hero-point": "VSF-061 VSF-093 VSF-094 VSF-108 VSF-117",
    "vsf-morale": "VSF-026 VSF-027 VSF-044 VSF-048 VSF-049 VSF-005",
    "imperial-medic": "IMP-043 IMP-003 IMP-079 IMP-054 IMP-159 IMP-004 IMP-098",
    "morale-rally": "MOD-037 MOD-041 MOR-013 MOR-014 MOR-006 MOR-015 MOR-007 MOR-017 MOR-020 MOR-016 MOR-022",
    "imperial-indirect": "IMP-100 IMP-102 IMP-107 IMP-103 IMP-104 IMP-105 IMP-046 IMP-055",
}


@cache
def told(name: str, *more: str, columns: int = 140) -> str:
    words = ["resolve", str(ROOT / "examples" / f"{name}.yaml"), *more]
    done = CliRunner().invoke(main, words, env={"COLUMNS": str(columns), "NO_COLOR": "1"})
    assert done.exit_code == 0, done.output
    return done.output


def bare(text: str) -> str:
    """Without the rows of files, and with two blanks before a place: what moves with every line of a rule file."""
    return re.sub(r" {2,}(\S+\.yaml):\d+", r"  \1", text)


@pytest.mark.parametrize("name", CLAUSES)
def test_the_whole_trace(name: str) -> None:
    assert bare(told(name)) == (GOLDEN / f"{name}.txt").read_text("utf-8")


@pytest.mark.parametrize("name", CLAUSES)
def test_the_clauses_that_a_referee_would_name(name: str) -> None:
    text = told(name)
    assert [c for c in CLAUSES[name].split() if c not in text] == []
    own = {c.partition("-")[0] for c in CLAUSES[name].split()}
    assert set(re.findall(r"\b([A-Z]{3,4})-\d", text)) <= own, "clauses of another game"


@pytest.mark.parametrize("name", ["vsf-galvanic-volley", "imperial-medic"])
def test_nothing_is_cut_off(name: str) -> None:
    narrow = told(name, columns=60)
    assert re.findall(r"\b[A-Z]+-\d{3}\b", narrow) == re.findall(r"\b[A-Z]+-\d{3}\b", told(name))


@pytest.mark.parametrize("name", CLAUSES)
def test_json_carries_the_same_facts(name: str) -> None:
    """Every die, every clause and every effect of the text stands in the JSON form."""
    text = told(name)
    found = json.loads(told(name, "--json"))["trace"]
    events = list(_events(found))
    faces = [f for e in events if e["kind"] == "throw" for f in e["data"]["dice"]]
    given = re.search(r"^dice: (.*?)(?:  #.*)?$", (ROOT / "examples" / f"{name}.yaml").read_text("utf-8"), re.M)
    assert given is not None
    assert sorted(faces) == sorted(int(f) for f in re.findall(r"(?<![\w-])\d+(?![\w-])", given[1]))
    assert set(re.findall(r"\b[A-Z]+-\d{3}\b", text)) <= {c for e in events for c in e["clauses"]}
    for effect in (e for e in events if e["kind"] == "effect" and e["data"].get("changed")):
        assert effect["data"]["was"] != effect["data"]["now"]


def _events(trace):
    for event in trace:
        yield event
        yield from _events(event["children"])


# ---- what holds for all, on toys
HEAD = """
game: toy
clauses: TOY
Things:
  dice high: d6 at or over, always 6, never 1
  kind side:
  kind unit of side:
    heat: number 0 to 6
    rank: one of ranks first low
  kind soldier, many to a unit:
    tags: number
    hat: one of hats first bare
  table ranks: low, high
  table hats: bare, tall
  mark sleepy, bold of soldier:
  mark idle of unit:
Doing:
"""


@pytest.fixture(autouse=True)
def wide(monkeypatch):
    """As wide as where nobody looks on: a pytest worker may have a terminal of its own."""
    monkeypatch.setenv("COLUMNS", "100")


def rows_of(body, situation, verbose=False):
    rules = rules_of(HEAD + body)
    outcome = resolve(case_of(rules, situation))
    teller = Teller(lambda name, arguments: sentence(rules.book, name, arguments), verbose)
    lines = shown(teller.rows(outcome.events), verbose)
    return [re.sub(r" {2,}\S+\.yaml:\d+.*$", "", line).strip() for line in lines], outcome.events


def test_alike_figures_that_call_show_the_dice_of_all():
    body = """
  roll aim of soldier: needs 4+
  to snipe (soldier):
    shots: 2 passing aim
  to shoot (unit):
    volleys, for each shot in soldiers: shot snipes
    total: volleys.shots
"""
    rows, _ = rows_of(body, "unit A: 2 soldiers\ndo: A shoots\ndice: shots 1 2 3 6\n")
    assert "shot: 2 × soldier, each" in rows
    assert "each snipes" in rows
    assert "shots: aim on d6, needs 4+: 1 2 3 6 → 1 of 4 pass" in rows
    assert "total: 1" in rows


def test_an_effect_says_what_became_and_what_held_it_back():
    body = """
  to act (unit):
    warm: unit gains 2 heat
    hotter: unit gains 3 heat
    cooler: unit loses 1 heat
    rise: unit.rank becomes high
    wake: unit loses idle
    tag: soldiers gain 1 tag
    nap: (soldiers where tags = 1 and hat is bare) gain sleepy
    nod: soldiers gain sleepy
"""
    rows, events = rows_of(body, "unit A:\n  is: heat 3\n  soldiers: [2 with hat tall, 3 with hat bare]\ndo: A acts\n")
    assert rows[1:] == [
        "A gains 2 heat → 5",
        "A gains 3 heat → 6 (6 is the most)",
        "A loses 1 heat → 5",
        "rank of A: low → high",
        "3 × soldier, 2 × soldier (tall) gain 1 tag → 1",
        "3 × soldier (tags 1) gain sleepy",
        "2 × soldier (tags 1, tall) gain sleepy",
    ]
    idle = [e for e in walk(events) if e.data.get("what") == "idle"]
    assert [e.data["changed"] for e in idle] == [False]


def test_who_is_left_out_and_why():
    body = """
  value able of soldier:
    hatted: hat is tall
    awake:  false if sleepy [7]
    meek:   false if bold
  to act (unit):
    ready: soldiers where able
    some: soldiers where hat is tall
    bold-ones: (soldiers where bold) gain 1 tag
"""
    men = "soldiers: [1 with hat tall, 2 with hat tall and sleepy and bold, 4 with hat bare]"
    rows, _ = rows_of(body, f"unit A:\n  {men}\ndo: A acts\n")
    assert rows[1:6] == [
        "ready: 1 × soldier (tall)",
        "- not 4 × soldier: not hatted (hat is tall)",
        "- not 2 × soldier (tall, bold, sleepy): awake (sleepy)",
        "some: 1 × soldier (tall), 2 × soldier (tall, bold, sleepy)",
        "2 × soldier (tall, bold, sleepy) gain 1 tag → 1",
    ]
    more, _ = rows_of(body, f"unit A:\n  {men}\ndo: A acts\n", verbose=True)
    assert "- not 4 × soldier: hat is tall is not so" in more


def test_an_outcome_table_is_one_row():
    body = """
  table fate of unit (face) by face:
    1-2 trip, if not idle: unit gains idle
    3-5 burn [9]: unit gains 1 heat
    6 soar: nothing
  to act (unit):
    end: unit.fate(d6)
"""
    rows, events = rows_of(body, "unit A: idle\ndo: A acts\ndice: 2\n")
    assert rows[1:] == ["end: 2 (d6) → fate 2: burn", "- trip does not count: idle is yes", "A gains 1 heat → 1"]
    table = next(e for e in walk(events) if "row" in e.data)
    assert (table.data["face"], table.data["row"]) == ("2", "burn")


def test_the_case_that_was_taken():
    body = """
  to act (unit):
    face: d6
    what, by face:
      1-3 low: unit gains 1 heat
      4-6: nothing
"""
    rows, _ = rows_of(body, "unit A: idle\ndo: A acts\ndice: 2\n")
    assert rows[1:] == ["face: 2 (d6)", "what: 2 → low", "A gains 1 heat → 1"]


def test_a_condition_on_dice_is_told_when_it_is_not_so():
    body = """
  to act (unit), (bound number):
    faces: 3 dice
    jam, if bound > 0 and alike(faces) >= bound: unit gains idle
    clear, otherwise: unit gains 1 heat
    calm, if unit is idle: unit loses idle
"""
    rows, _ = rows_of(body, "unit A: heat 0\ndo: A acts 3\ndice: 2 5 2\n")
    assert rows[1:] == [
        "faces: 2 5 2 (3d6)",
        "- no jam: alike(faces) >= bound is not so (alike(faces) is 2, bound is 3)",
        "A gains 1 heat → 1",
    ]
    rows, _ = rows_of(body, "unit A: heat 0\ndo: A acts 0\ndice: 2 5 2\n")
    assert not any("jam" in row for row in rows), "it does not hang on dice here"


def test_level_totals_are_told():
    body = """
  to act (unit):
    ours: d6 + heat
    theirs: d6
    won, if ours > theirs: unit gains 1 heat
"""
    rows, _ = rows_of(body, "unit A: heat 1\ndo: A acts\ndice: ours 2, theirs 3\n")
    assert rows[1:] == [
        "ours: 2 (d6) + 1 = 3 (heat is 1)",
        "theirs: 3 (d6)",
        "- no won: ours > theirs is not so (ours is 3, theirs is 3)",
    ]


def test_a_rule_that_takes_hold_says_its_name():
    body = """
  rule chill after warm-up: unit cools
  to warm-up (unit):
    more-heat: unit gains 3 heat
  to cool (unit):
    less-heat: unit loses 1 heat
"""
    rows, _ = rows_of(body, "unit A: heat 1\ndo: A warms-up\n")
    assert rows == ["A warms-up", "A gains 3 heat → 4", "chill: A cools", "A loses 1 heat → 3"]


def test_a_deal_is_one_row():
    body = """
  to hand-out (unit), (count number):
    deal: owner deals count tags evenly to soldiers usually hat is tall
    held: sum(soldiers.tags)
"""
    men = "unit A:\n  soldiers: [1 with hat tall, 2 with tags 1]\n"
    rows, events = rows_of(body, men + "do: A hands-out 2\n")
    assert [e.kind for e in events[0].children] == ["effect", "line"]
    assert (
        " ".join(rows[1:]).replace("  ", " ")
        == "deal: 1 × soldier (tall) gains 2 tags → 2 (side of A chooses who) held: 4"
    )
    rows, events = rows_of(body, men + "do: A hands-out 7\n")
    assert events[0].children[0].data["now"] == ["3", "3"], "nobody had a say: all are level in the end"
    assert rows[1:] == ["deal: 1 × soldier (tall) gains 3 tags → 3; 2 × soldier (tags 1) gain 2 tags → 3", "held: 9"]


def test_who_is_in_hand_is_named_once():
    body = """
  to drill (unit):
    drills, for each man in soldiers:
      step: man learns
      warm: man gains 1 tag
    late: (soldiers where tags = 2) gain bold
  to learn (soldier):
    face: d6
    odd, if face = 1: soldier gains sleepy
"""
    men = "unit A:\n  soldiers: [1 with hat tall, 1 with tags 3]\n"
    rows, events = rows_of(body, men + "do: A drills\ndice: 1 4\n")
    assert rows[1:] == [
        "man: soldier (tall)",
        "man learns",
        "face: 1 (d6)",
        "man gains sleepy",
        "man gains 1 tag → 1",
        "man: soldier (tags 3)",
        "man learns",
        "face: 4 (d6)",
        "- no odd: face = 1 is not so (face is 4)",
        "man gains 1 tag → 4",
    ]
    asleep = next(e for e in walk(events) if e.data.get("what") == "sleepy")
    assert asleep.data["who"] == "soldier (tall)", "for a program it is said in full"
    rows, _ = rows_of(body, "unit A: 1 soldiers, tags 1\ndo: A drills\ndice: 4\n")
    assert rows[-1] == "1 × soldier (tags 2) gains bold", "after the loop there is no man in hand"


def test_dice_that_a_roll_has_judged_are_told_where_something_came_of_them():
    body = """
  roll luck of unit: needs 4+
  to act (unit), (count number):
    faces: count dice
    good: faces meeting luck
    struck: faces where it >= 4
    misses: faces where it < 4
    sixes: faces where it = 6
    jam, if any misses: unit gains idle
    total: good + 0
    other: 2 dice
    fours: other where it >= 4
    another: d6 except 5
"""
    situation = "unit A: heat 0\ndo: A acts 4\ndice: 6 1 5 2 3 4 5 5 2\n"
    rows, _ = rows_of(body, situation)
    assert rows[1:] == [
        "faces: 6 1 5 2 (4d6)",
        "good: luck on d6, needs 4+: 6 1 5 2 → 2 of 4 pass",
        "misses: 1 2",
        "A gains idle",
        "other: 3 4 (2d6)",
        "fours: 4",
        "another: 5 5 2 (d6, 2 thrown again)",
    ]
    more, _ = rows_of(body, situation, verbose=True)
    assert "struck: 6 5" in more and "sixes: 6" in more and "total: 2 (good is 2)" in more


def test_of_a_condition_with_dice_the_part_that_was_not_so():
    body = """
  to act (unit):
    faces: 2 dice
    ones: faces where it = 1
    jam, if unit is idle and ones >= 2: unit gains 1 heat
    fault, if unit is not idle and ones >= 2: unit gains 1 heat
"""
    rows, _ = rows_of(body, "unit A: heat 0\ndo: A acts\ndice: 1 6\n")
    assert rows[1:] == ["faces: 1 6 (2d6)", "ones: 1", "- no fault: ones >= 2 is not so (ones is 1)"]


def test_rounds_in_which_nothing_else_happened_are_told_as_one():
    body = """
  to act (unit):
    throws, for each man in soldiers:
      hit: 1 passing man.aim
      step, if hit > 0: man waits
      face: d6
      double: face * 2
      triple: hit * 0 + 3
  roll aim of soldier: needs 4+
  to wait (soldier):
    stirred: soldier loses sleepy
"""
    situation = "unit A: 3 soldiers\ndo: A acts\ndice: 6 5 3 2 4 2\n"
    rows, _ = rows_of(body, situation)
    assert rows[1:] == [
        "man: 3 × soldier, each",
        "hit: aim on d6, needs 4+: 6 3 4 → 2 of 3 pass",
        "face: 5 2 2 (3d6)",
        "double: 18 in all",
        "triple: 3 each",
    ]
    more, _ = rows_of(body, situation, verbose=True)
    assert "- no step: hit > 0 is not so (hit is 0)" in more and more.count("man: soldier") == 3


def test_numbers_say_what_they_came_from():
    body = """
  value push of unit:
    base: 1
    idle: -3 if idle [5]
  to act (unit):
    blow: d6 + unit.push
    lost: 3
    opened: 2 + heat
    quarter-lost: lost * 2 >= opened
    rest: opened - lost
    throws, repeat 2 times:
      die: 2d6
    faces: 2 dice
    seen: faces meeting luck
  roll luck of unit: needs 4+
"""
    rows, _ = rows_of(body, "unit A: heat 3, idle\ndo: A acts\ndice: 4 1 2 3 4 6 1\n")
    assert rows[1:] == [
        "blow: 4 (d6) - 2 = 2 (push is -2)",
        "lost: 3",
        "opened: 5 (heat is 3)",
        "quarter-lost: yes (lost is 3, opened is 5)",
        "rest: 2 (opened is 5, lost is 3)",
        "throws: 2 times",
        "die: 1 2 3 4 (4d6)",
        "faces: 6 1 (2d6)",
        "seen: luck on d6, needs 4+: 6 1 → 1 of 2 pass",
    ]


def test_examples_see_what_is_shown():
    body = """
  to strike (unit) at (other unit):
    hit: 1 passing luck
  roll luck of unit: needs 4+
"""
    rows, events = rows_of(body, "unit A: heat 0\nunit B: heat 0\ndo: A strikes at B\ndice: 4\n")
    assert [e.text for e in walk(events)][:2] == rows == ["A strikes at B", "hit: luck on d6, needs 4+: 4 → passed"]
    assert plain(events[0])["children"][0]["data"]["passed"] == 1


def test_only_the_clauses_of_the_game_in_hand():
    rules = rules_of(HEAD + "\n  to act (unit) [OTHER-003, TOY-001]:\n    warm: unit gains 1 heat [OTHER-004, 2]\n")
    outcome = resolve(case_of(rules, "unit A: heat 0\ndo: A acts\n"))
    assert [c for e in walk(outcome.events) for c in e.clauses] == ["TOY-001", "TOY-002"]


if __name__ == "__main__":
    os.chdir(ROOT)
    for each in CLAUSES:
        (GOLDEN / f"{each}.txt").write_text(bare(told(each)), "utf-8")
