"""What is impossible, certain, idle, unreached or endless: each real case of the printed pages, planted; and no more.

A case is a small file in which the marks `«…»` are the place that is reported.
"""

from __future__ import annotations

import operator
from pathlib import Path
from textwrap import dedent, indent

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from small_games import told

from interpreter.lint.roll_targets import _passing_faces
from interpreter.program.runtime import succeeding
from interpreter.source import Problems, render
from interpreter.workbench.rules import open_rules

HEAD = """\
game: Toy
Firing:
  dice {dice}
  kind unit:
    skill: number
    pins: number 0 to 6
    grade: one of grades first green
    where-it-is: one of covers first open
  kind trooper, many to a unit:
  mark grounded, shaken, aiming, old of unit:
  table grades (hit):
    green:    6+
    seasoned: 5+
    elite:    4+
  table covers (help):
    open: 0
    wood: 1
    wall: 2
"""


def found(lines: str, folder: Path, dice: str = "high: d6 at or over") -> tuple[Problems, str]:
    text = HEAD.format(dice=dice) + indent(dedent(lines).strip("\n"), "  ") + "\n"
    path = folder / "toy.yaml"
    path.write_text(text.replace("«", "").replace("»", ""), encoding="utf-8")
    problems = Problems()
    open_rules(str(path), problems)
    return problems, text


def only(code: str | None, lines: str, folder: Path, dice: str = "high: d6 at or over") -> str:
    """The one finding, at the marked place; or none at all. Its words are given back."""
    problems, text = found(lines, folder, dice)
    shown = render(problems)
    assert [p.code for p in problems] == ([code] if code else []), shown or "nothing was found"
    if code:
        (problem,) = problems
        assert problem.span is not None
        start = text.index("«")
        assert (problem.span.start, problem.span.end) == (start, text.index("»") - 1), shown
    return " ".join(shown.split())


AIM = """
    roll aim of unit (foe unit):
      basic:    «needs grade.hit»
      {lines}
"""


def aim(*lines: str, mark: bool = True) -> str:
    text = AIM.format(lines="\n      ".join(lines))
    return text if mark else text.replace("«", "").replace("»", "")


GROUNDED = ("grounded: needs +1 if foe is grounded", "shaken:   needs +1 if unit is shaken")


class TestTheNumberNeeded:
    def test_a_six_that_nobody_says_always_hits(self, tmp_path):
        said = only("I001", aim(*GROUNDED), tmp_path, "high: d6 at or over, never 1")
        assert "green needs 8+ with `grounded` and `shaken`" in said
        assert "`d6 at or over, always 6`" in said
        only(None, aim(*GROUNDED, mark=False), tmp_path, "high: d6 at or over, always 6, never 1")

    def test_the_dice_of_a_page_are_not_changed_for_a_house_rule(self, tmp_path):
        """It is told at the line of the house rule that makes it so; what its page says of the dice stands in no doubt."""
        page, _ = found(aim("ours: roll +1", GROUNDED[1], mark=False), tmp_path, "high: d6 at or over, never 1")
        assert not page, render(page)
        house = "game: House\nover: toy\nFiring:\n  add to aim:\n    fog: needs +1 if foe is grounded\n"
        (tmp_path / "house.yaml").write_text(house, "utf-8")
        problems = Problems()
        open_rules(str(tmp_path / "house.yaml"), problems)
        (problem,) = problems
        assert (problem.code, problem.span and problem.span.text) == ("I001", "needs +1 if foe is grounded")
        assert problem.hint == "if it is meant so, say why: `# umpire: allow I001 because …`"

    def test_what_excludes_each_other_is_not_added_up(self, tmp_path):
        lines = ("first-one: needs +1 if unit is shaken", "other: needs +1 if unit is not shaken")
        only(None, aim(*lines, "on-six: needs -1", mark=False), tmp_path, "high: d6 at or over, never 1")
        lines = ("first-one: needs +2 if unit.grade is elite", "near: needs +1 if unit.grade is elite and pins > 3")
        only("I001", aim(*lines), tmp_path, "high: d6 at or over, never 1")
        lines = ("first-one: needs +2 if unit.grade is elite",)
        only(None, aim(*lines, mark=False), tmp_path, "high: d6 at or over, never 1")
        lines = (
            "first-one: roll +1 if pins > 3",
            "other: roll +2 if pins <= 3",
            "grade: needs -1 if unit.grade is green",
        )
        assert "elite needs 2+" not in only(None, aim(*lines, mark=False), tmp_path, "high: d6 at or over")

    @pytest.mark.parametrize("needs", ["needs 1+", "needs grade.hit"])
    def test_one_or_more_where_no_one_fails(self, tmp_path, needs):
        roll = f"roll aim of unit: «{needs}»"
        over = roll.replace("grade.hit", "sure.hit") + "\ntable certain (hit):\n  sure: 1+\n  likely: 2+"
        assert "needs 1+" in only("I002", over, tmp_path, "high: d6 at or over, always 6")
        only(None, over.replace("«", "").replace("»", ""), tmp_path, "high: d6 at or over, never 1")

    def test_enough_pins_make_anything_too_hard(self, tmp_path):
        only(None, aim("pins: roll -1 per pins", mark=False), tmp_path)

    def test_one_that_nobody_says_always_misses(self, tmp_path):
        lines = ("aimed: roll +2 if unit is aiming", "old: roll +1 if unit is old")
        assert "elite needs 1+" in only("I002", aim(*lines), tmp_path, "high: d6 at or over, always 6")
        only(None, aim(*lines, mark=False), tmp_path, "high: d6 at or over, always 6, never 1")

    def test_dice_that_want_low(self, tmp_path):
        roll = """
            roll nerve of unit:
              basic:  «needs 3»
              shaken: needs -3 if shaken
            """
        assert "needs 0" in only("I001", roll, tmp_path, "low: d10 at or under, never 10")
        up = roll.replace("-3", "+7")
        assert "needs 10" in only("I002", up, tmp_path, "low: d10 at or under, always 1")
        plain = roll.replace("«", "").replace("»", "")
        only(None, plain, tmp_path, "low: d10 at or under, always 1")

    def test_a_table_that_covers_add_from(self, tmp_path):
        said = only("I001", aim("cover: needs +foe.where-it-is.help"), tmp_path, "high: d6 at or over, never 1")
        assert "green needs 8+ with `cover`" in said

    def test_a_value_that_is_worked_out(self, tmp_path):
        lines = """
            value lay of unit:
              basic: grade.hit
              blind: +3 if shaken
            roll laying of unit: «needs lay»
            """
        assert "needs 9+" in only("I001", lines, tmp_path, "eight: d8 at or over, never 1")

    def test_a_verdict_needs_no_face(self, tmp_path):
        only(None, aim("lots: needs +1 per pins", "dug: fails if foe is grounded", mark=False), tmp_path)


class TestLinesThatChangeNothing:
    CAPPED = "high: d6 at or over, always 6, never 1"

    def test_cover_against_green(self, tmp_path):
        """A six is needed already, and always hits: what makes it worse for those alone does nothing."""
        lines = aim("mud: «needs +1 if unit.grade is green»").replace("«needs grade.hit»", "needs grade.hit")
        said = only("I003", lines, tmp_path, self.CAPPED)
        assert "`mud` changes nothing" in said
        assert "green needs 6+, and a 6 always succeeds" in said

    def test_cover_against_all_grades_does_something(self, tmp_path):
        only(None, aim("cover: needs +foe.where-it-is.help", mark=False), tmp_path, self.CAPPED)

    def test_who_aims_feels_the_cover(self, tmp_path):
        lines = aim("aimed: roll +1 if unit is aiming", "mud: needs +1 if unit.grade is green", mark=False)
        only(None, lines, tmp_path, self.CAPPED)

    def test_a_change_of_nothing(self, tmp_path):
        lines = aim("mud: «roll +0 if unit is shaken»").replace("«needs grade.hit»", "needs grade.hit")
        assert "say by how much" in only("I003", lines, tmp_path, self.CAPPED)

    def test_a_line_that_is_set_anew(self, tmp_path):
        lines = """
            value zeal of unit:
              basic: 3
              tired: «-1 if shaken»
              anew: 4 if aiming
            """
        only(None, lines.replace("«", "").replace("»", ""), tmp_path)
        problems, _ = found(lines.replace("4 if aiming", "4"), tmp_path)
        assert [p.code for p in problems] == ["M011"]

    def test_the_end_of_a_scale(self, tmp_path):
        lines = """
            value shelter of unit:
              basic: wall
              up-one:  «+1 if grounded»
            """
        assert "wall" in only("I003", lines, tmp_path)
        only(None, lines.replace("wall", "wood").replace("«", "").replace("»", ""), tmp_path)

    def test_what_a_limit_takes_back(self, tmp_path):
        lines = """
            value zeal of unit:
              basic: 7
              brave: «+2 if aiming»
              tired: -1 if shaken
              top: at most {top}
            """
        brave = lines.replace("              tired: -1 if shaken\n", "").format(top=7)
        assert "top: at most 7 <- this takes it back" in only("I003", brave, tmp_path)
        plain = lines.replace("«", "").replace("»", "")
        only(None, plain.format(top=7), tmp_path)  # who is shaken as well has 7 with it, and 6 without
        only(None, plain.format(top="7 if aiming"), tmp_path)
        floor = """
            value zeal of unit:
              basic: 2
              tired: «-1 per pins»
              floor: at least 2
            """
        only("I003", floor, tmp_path)

    def test_a_floor_that_is_never_reached(self, tmp_path):
        lines = """
            value zeal of unit:
              basic: 5
              tired: -1 if shaken
              floor: «at least 3»
            """
        assert "before this line it is 4 to 5" in only("I003", lines, tmp_path)
        # one that just fits says again where it ends, and what grows without limit can always be stopped
        only(None, lines.replace("«at least 3»", "at least 4"), tmp_path)
        only(None, lines.replace("-1 if shaken", "-1 per troopers").replace("«at least 3»", "at least 3"), tmp_path)


class TestTables:
    def test_random_levels_with_a_hole(self, tmp_path):
        """1 green, 2 seasoned, 4 and 5 veteran, 6 elite: a 3 is nobody."""
        lines = """
            to muster (unit):
              level, «by d6»:
                1: green
                2: green
                4-5: seasoned
                6: elite
            """
        assert "no case for 3" in only("K001", lines, tmp_path)

    def test_the_stray_sign_of_the_page(self, tmp_path):
        lines = "to muster (unit):\n  level, by d6:\n    1-3: green\n    4=5: seasoned\n    6: elite"
        problems, _ = found(lines, tmp_path)
        assert {p.code for p in problems} == {"L001"}, render(problems)

    TOTAL = """
        to try (unit):
          total: {total}
          effect, {asked}:
            {cases}
        """

    @pytest.mark.parametrize(
        ("code", "total", "asked", "cases"),
        [
            ("K001", "2d6", "«by total»", ("2-7: nothing", "8-11: nothing")),
            ("K001", "d6 + pins", "«by total»", ("1-6: nothing", "7-11: nothing")),
            (None, "d6 + pins", "by total", ("1-6: nothing", "7 or more: nothing")),
            ("K010", "2d6", "by total", ("«1»: nothing", "2-12: nothing")),
            ("K010", "d6 + pins", "by total", ("1-12: nothing", "«13 or more»: nothing")),
            ("K011", "d6 + skill", "«by total»", ("0 or less: nothing", "1-9: nothing")),
            ("K011", "d6 + troopers", "«by total»", ("1-5: nothing", "6-9: nothing")),
            (None, "min(9, d6 + troopers)", "by total", ("1-5: nothing", "6-9: nothing")),
            (None, "d6 + skill", "by total", ("0 or less: nothing", "1 or more: nothing")),
            (None, "d6 - d6", "by total", ("-5--1: nothing", "0 or more: nothing")),
        ],
    )
    def test_the_ends(self, tmp_path, code, total, asked, cases):
        if "--" in cases[0]:
            cases = ("-1 or less: nothing", cases[1])
        lines = self.TOTAL.format(total=total, asked=asked, cases="\n            ".join(cases))
        only(code, lines, tmp_path)

    def test_a_condition_has_chosen_before(self, tmp_path):
        lines = """
            table fates of unit (face) by face:
              1-3 bad: unit gains shaken
              4-6 good: nothing
            to try (unit):
              face: d6 + 1
              fate, if face <= 6: unit.fates(face)
            """
        only(None, lines, tmp_path)
        only("K001", lines.replace("by face:", "by «face»:").replace(", if face <= 6", ""), tmp_path)

    def test_what_is_asked_was_run_only_for_some_faces(self, tmp_path):
        lines = """
            to try (unit):
              face: d6
              beyond, if face >= 4: face - 3
              effect, by beyond:
                0: unit gains shaken
                1 or more: nothing
            """
        only(None, lines, tmp_path)
        below = lines.replace("by beyond", "«by beyond»").replace(", if face >= 4", "")
        assert "no case for -2 to -1" in only("K001", below, tmp_path)

    def test_a_barred_row_passes_to_one_that_no_number_asks_for(self, tmp_path):
        lines = """
            table fates of unit (face) by face:
              1 bad, if not shaken: unit gains shaken
              2-6 worse: unit gains shaken
            to try (unit):
              fate: unit.fates(1)
            """
        only(None, lines, tmp_path)
        only("K010", lines.replace("2-6", "«2-6»").replace(", if not shaken", ""), tmp_path)

    def test_a_table_that_is_asked_through_a_procedure(self, tmp_path):
        lines = """
            table fates of unit (face) «by face»:
              1-3 bad: unit gains shaken
              4-6 good: nothing
            to meet (unit), (worse number):
              fate: unit.fates(d6 + worse)
            to try (unit):
              fate: unit meets 2
            """
        assert "no case for 7-8" in only("K001", lines.replace("«by face»", "by «face»"), tmp_path)


class TestComparisons:
    @pytest.mark.parametrize(
        ("line", "said"),
        [
            ("lucky, if «face > 6»: 1", "never true"),
            ("lucky, if «face >= 1»: 1", "always true"),
            ("lucky, if «other = 6»: 1", "`other` goes from 1 to 5"),
            ("lucky: 1 if «face = 7» else 0", "`face` goes from 1 to 6"),
            ("lucky: any (faces where «it > 6»)", "never true"),
        ],
    )
    def test_decided(self, tmp_path, line, said):
        text = f"to try (unit):\n  face: d6\n  other: d6 except 6\n  faces: 3 dice\n  {line}"
        assert said in only("I004", text, tmp_path)

    @pytest.mark.parametrize(
        "line",
        [
            "lucky, if face > 5: 1",
            "lucky, if skill >= 0: 1",
            "lucky, if other >= 1: 1",
            "lucky, if grade.hit > 3: 1",
            "lucky, if rounds.once >= 1: 1",
        ],
    )
    def test_open(self, tmp_path, line):
        """A line that was not run is 0, so `other >= 1` asks whether it was."""
        text = f"""
            to try (unit):
              face: d6
              other, if face > 3: d6
              rounds, for each man in troopers:
                once: d6
              {line}
            """
        only(None, text, tmp_path)


class TestTwoDice:
    def test_a_number_for_a_six_sided_die_on_a_ten_sided_one(self, tmp_path):
        lines = """
            dice wide: d10 at or over
            roll aim of unit: needs grade.hit
            roll luck of unit on wide: «needs grade.hit»
            """
        assert "are for other dice" in only("D011", lines, tmp_path)
        only(None, lines.replace(" on wide", "").replace("«", "").replace("»", ""), tmp_path)

    def test_a_seven_plus_on_dice_that_want_low(self, tmp_path):
        lines = "dice low: d10 at or under\nroll nerve of unit on low: needs «7+»"
        only("D007", lines, tmp_path)


class TestChains:
    def test_breakdowns_and_damage_die_out(self, tmp_path):
        """One in six of one table leads to the other and back: 1/18 of a new throw from each."""
        only(None, CHAIN.replace("«", "").replace("»", ""), tmp_path)

    def test_twice_on_this_table(self, tmp_path):
        lines = """
            table malfunctions of unit (face) by face:
              1-4: nothing
              5 twice:
                first-time: {one}
                second-time: unit.malfunctions(d6)
              6: unit gains shaken
            to try (unit):
              effect: unit.malfunctions(d6)
            """
        only(None, lines.format(one="unit.malfunctions(d6)"), tmp_path)
        worse = lines.replace("1-4: nothing\n              5 ", "1-3: nothing\n              4-5 ")
        only(None, worse.format(one="unit.malfunctions(d6)"), tmp_path)
        worst = lines.replace("1-4: nothing\n              5 ", "1-3: nothing\n              4-6 ")
        worst = worst.replace("\n              6: unit gains shaken", "").format(one="unit.«malfunctions(d6)»")
        said = only("C001", worst, tmp_path)
        assert "`malfunctions` → `malfunctions`" in said
        assert "1 on average" in said

    @pytest.mark.parametrize(
        ("rounds", "told"),
        [
            ("more-hits, for each face in (hits where it >= {n}): «unit bursts»", "{mean} on average"),
            ("counted: hits where it >= {n}\n  more-hits, repeat counted times: «unit bursts»", "{mean} on average"),
            ("more-hits, for each face in hits, if face >= {n}: «unit bursts»", "{mean} on average"),
        ],
    )
    def test_dice_that_bring_more_dice(self, tmp_path, rounds, told):
        lines = "to burst (unit):\n  hits: 3 dice\n  " + rounds
        assert told.format(mean="2") in only("C001", lines.format(n=3), tmp_path)
        assert told.format(mean="1") in only("C001", lines.format(n=5), tmp_path)  # as many again for ever
        only(None, lines.format(n=6).replace("«", "").replace("»", ""), tmp_path)

    def test_what_a_condition_has_chosen_is_not_expected(self, tmp_path):
        lines = """
            to burst (unit):
              hits: 3 dice
              few, if hits <= 4:
                more-hits, for each face in (hits where it >= 3): unit bursts
              many-hits, otherwise:
                one-more: unit bursts
                two-more: unit bursts
            """
        only(None, lines, tmp_path)

    @pytest.mark.parametrize(("needs", "told"), [("2+", "5/3"), ("4+", "1"), ("5+", None)])
    def test_a_roll_that_brings_two_more(self, tmp_path, needs, told):
        lines = f"""
            roll luck of unit:
              basic: needs {needs}
            to burst (unit):
              lucky: unit passes luck
              once, if lucky: «unit bursts»
              twice, if lucky: unit bursts
            """
        said = only("C001" if told else None, lines if told else lines.replace("«", "").replace("»", ""), tmp_path)
        assert told is None or f"{told} on average" in said
        pins = lines.replace("«", "").replace("»", "").replace(needs, f"{needs}\n{' ' * 14}pins: roll -1 per pins")
        only(None, pins, tmp_path)  # who has pins may have no luck

    def test_two_tables_that_feed_each_other(self, tmp_path):
        lines = CHAIN.replace("1-5: nothing\n      6 worse", "1: nothing\n      2-6 worse")
        lines = lines.replace(
            "1 back: unit.breakdown(d6)\n      2-5: unit gains shaken", "1-5 back: unit.breakdown(d6)"
        )
        only(None, lines.replace("«", "").replace("»", ""), tmp_path)  # 25/36 and 1/36: less than one
        lines = lines.replace("1: nothing\n      2-6 worse: unit", "1-6 worse: «unit").replace(
            "(d6)\n    table damage", "(d6)»\n    table damage"
        )
        lines = lines.replace("1 not-so-bad: unit.damage(d6)\n      2-6: unit gains shaken", "1-6 bad: unit.damage(d6)")
        problems, _ = found(lines, tmp_path)
        assert [p.code for p in problems] == ["C001"], render(problems)

    def test_a_circle_without_a_way_out(self, tmp_path):
        lines = """
            to wait (unit):
              next: «unit looks»
            to look (unit):
              face: d6
              up-one, if face >= 4: unit waits
              down, otherwise: unit waits
            """
        said = only("C002", lines, tmp_path)
        assert "`wait` → `look` → `wait`" in said

    def test_a_condition_that_a_situation_decides_is_a_way_out(self, tmp_path):
        only(None, "to wait (unit):\n  next, if skill > 2: unit waits", tmp_path)

    def test_a_loop_that_nothing_ends(self, tmp_path):
        lines = "to wait (unit):\n  rounds, repeat until «skill > 4»:\n    calm: unit loses shaken"
        only("C003", lines, tmp_path)
        only(None, lines.replace("«", "").replace("»", "").replace("loses shaken", "gains 1 skill"), tmp_path)
        thrown = "to wait (unit):\n  rounds, repeat until settled:\n    face: d6\n    settled: face > 4"
        only(None, thrown, tmp_path)


CHAIN = """
    table breakdown of unit (face) by face:
      1-5: nothing
      6 worse: unit.damage(d6)
    table damage of unit (face) by face:
      1 back: unit.breakdown(d6)
      2-5: unit gains shaken
      6 catastrophe: unit.ruin(d6)
    table ruin of unit (face) by face:
      1 not-so-bad: unit.damage(d6)
      2-6: unit gains shaken
    to try (unit):
      effect: unit.damage(d6)
"""


@given(
    sides=st.sampled_from([4, 6, 10]),
    over=st.booleans(),
    ends=st.tuples(st.booleans(), st.booleans()),
    needed=st.integers(-3, 14),
)
@settings(max_examples=200)
def test_the_faces_that_pass_are_those_of_the_engines(sides, over, ends, needed):
    """One meaning of dice: what a line changes is judged by the same faces that the engines count."""
    best, worst = (sides, 1) if over else (1, sides)
    always, never = best if ends[0] else None, worst if ends[1] else None
    mask = succeeding(sides, over, always, never, needed, 0)
    assert {f for f in range(1, sides + 1) if mask >> f & 1} == _passing_faces(sides, over, always, never, needed)


_COMPARED = {">": operator.gt, "<": operator.lt, ">=": operator.ge, "<=": operator.le, "=": operator.eq}
_SUMS = {"+": operator.add, "-": operator.sub, "*": operator.mul}


@given(sign=st.sampled_from(sorted(_SUMS)), bound=st.integers(0, 40), compare=st.sampled_from(sorted(_COMPARED)))
@settings(max_examples=60, deadline=None)
def test_what_is_called_decided_is_so_for_every_face(tmp_path_factory, sign, bound, compare):
    """Against all that a die and the pins can be; what is level with something in between may be missed, no more."""
    lines = f"to try (unit):\n  face: d6\n  flag, if face {sign} pins {compare} {bound}: 1"
    said = [p.message for p in found(lines, tmp_path_factory.mktemp("toy"))[0] if p.code == "I004"]
    true = {_COMPARED[compare](_SUMS[sign](face, pins), bound) for face in range(1, 7) for pins in range(7)}
    if said:
        assert true == {"always" in said[0]}
    elif compare != "=":
        assert len(true) == 2


def test_what_changes_nothing_for_numbers_without_an_end_is_told_without_them(tmp_path):
    """On a d2 whose faces are both fixed no line changes anything; the least of some wounds is told by no number."""
    text = """\
game: Fixed
Things:
  dice high: d2 at or over, always 2, never 1
  kind side:
  kind unit of side:
    mood: one of moods first calm
    pins: number 0 to 1
  kind figure, many to a unit:
    wounds: number 0 to 1
  table moods (skill):
    calm: 1+
  roll hardy of figure as unit.nerve:
    base: needs figure.unit.mood.skill
    worse: needs -1 per figure.unit.pins
  roll nerve of unit:
    base: needs min(unit.figures.wounds)
"""
    assert ("I003", "needs -1 per figure.unit.pins") in told(tmp_path, text)
