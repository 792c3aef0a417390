"""What cells may hold: all of a column one sort, however seldom; words and readings that are rows of a table."""

import re
from collections import Counter
from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest
from small_games import hold, told
from worked import agreed

GAME = """\
game: Cells
Things:
  dice high: d6 at or over
  kind side:
  kind unit of side:
    skill: one of levels first mid
  kind figure, many to a unit:
    gun: one of guns
  mark aiming of unit:
  table levels (hit):
    low: 5+
    mid: 4+
    top: 3+
  table crews (men):
    pair: 2
    team: 4
"""


@pytest.mark.parametrize("empty", ["none", "-"])
@pytest.mark.parametrize("filled", ['6"', "4+", "3", "d6", "team", "aiming", "top"])
def test_a_column_may_be_empty_in_all_rows_but_one(filled: str, empty: str, tmp_path: Path) -> None:
    rows = "".join(f"    gun-{n}: {n}, {empty}\n" for n in range(5))
    assert told(tmp_path, f"{GAME}  table guns (size, odd):\n{rows}    last: 9, {filled}\n") == []


@pytest.mark.parametrize("odd", ["5", '6"', "4+", "d6"])
@pytest.mark.parametrize("words", [1, 2, 5])
def test_words_and_something_else_are_never_one_column(words: int, odd: str, tmp_path: Path) -> None:
    rows = "".join(f"    gun-{n}: {n}, team\n" for n in range(words))
    found = told(tmp_path, f"{GAME}  table guns (size, crew):\n{rows}    last: 9, {odd}\n")
    assert [code for code, _ in found] == ["T004"]


def test_a_cell_with_a_name_holds_a_row_or_a_reading(tmp_path: Path) -> None:
    hold(
        tmp_path,
        GAME
        + """\
  table guns (size, range, crew):
    rifle:  1, crew pair
    cannon: 5, 24", team
    mortar: 5, crew as-printed
  ruling as-printed: pair, or team
  value hands of unit: sum(figures.gun.crew.men)
  example printed:
    unit A:
      figures: [1 with gun rifle, 1 with gun cannon, 1 with gun mortar]
    then: A.hands = 8
  example otherwise-read:
    rulings: {as-printed: team}
    unit A:
      figures: [1 with gun rifle, 1 with gun cannon, 1 with gun mortar]
    then: A.hands = 10
""",
    )


def test_a_word_in_a_cell_that_is_no_row_is_told(tmp_path: Path) -> None:
    found = told(tmp_path, f"{GAME}  table guns (size, crew):\n    rifle: 1, crew paair\n    cannon: 5, team\n")
    assert found == [("N001", "paair")]


def test_readings_are_rows_of_the_table_that_has_them(tmp_path: Path) -> None:
    hold(
        tmp_path,
        GAME
        + """\
  table guns: bow
  ruling keen: top, or mid
  roll test of unit:
    base: needs skill.hit
    keen: roll +1 if skill >= keen
  to go (unit):
    ok: unit passes test
  example the-other-reading:
    rulings: {keen: mid}
    unit A: mid
    do: A goes
    odds: 2/3 that ok
  example fewer:
    unit A: mid
    do: A goes
    odds: 1/2 that ok
""",
    )


def test_readings_are_of_one_sort(tmp_path: Path) -> None:
    assert ("T001", '3"') in told(tmp_path, f'{GAME}  table guns: bow\n  ruling far: 2, or 3"\n')


SHARED = "  table ranks (pay):\n    low: 1\n    mid: 2\n    lone: 3\n"


@pytest.mark.parametrize("before", [True, False])
@pytest.mark.parametrize(("column", "code"), [("level", []), ("rank", []), ("grade", ["N002"])])
def test_words_of_two_tables_are_of_the_one_that_the_column_is_called_by(
    column: str, code: list[str], before: bool, tmp_path: Path
) -> None:
    guns = f"  table guns (size, {column}):\n    rifle: 1, mid\n    cannon: 5, low\n"
    text = f"{GAME}{SHARED}{guns}" if before else f"{GAME}{guns}{SHARED}"
    assert [c for c, _ in told(tmp_path, text)] == code


def test_readings_that_are_rows_of_two_tables_are_told(tmp_path: Path) -> None:
    assert [c for c, _ in told(tmp_path, f"{GAME}{SHARED}  table guns: bow\n  ruling grade: low, or mid\n")] == ["N002"]


POWER = """
game: Damage dice
Things:
  dice flat: d6 at or over
  kind side:
  kind unit of side:
  table guns (power):
    pistol: 2d6
    cannon: {cannon}
    flamer: d6+1
    frost: {frost}
    fist: none
  to blast (unit), (gun guns):
    harm: gun.power dice
"""


def test_a_number_in_a_column_of_dice_is_refused_and_written_as_dice_it_is_what_it_says(tmp_path: Path) -> None:
    assert told(tmp_path, POWER.format(cannon="3", frost="0d6+3")) == [("T004", "3")]
    mended = POWER.format(cannon="3d6", frost="0d6+3")
    sums = Counter(map(sum, product(range(1, 7), repeat=3)))
    three: dict[int, Fraction] = {n: Fraction(many, 216) for n, many in sums.items()}
    one = dict.fromkeys(range(2, 8), Fraction(1, 6))
    for gun, law in {"cannon": three, "frost": 3, "flamer": one, "fist": 0}.items():
        agreed(tmp_path, mended, f"unit A:\ndo: A blasts {gun}\n", {"harm": law})


def test_dice_in_a_column_of_numbers_are_told_where_they_stand(tmp_path: Path) -> None:
    text = POWER.format(cannon="3", frost="2").replace("2d6", "1")
    assert told(tmp_path, text) == [("T004", "d6+1")]


STANDS = """
game: What stands in a cell
Things:
  dice flat: d6 at or over
  kind side:
  kind unit of side:
    armed: many guns
  table guns (range, shots by range, power, halves):
    pistol: 6"/12", 2/1, 2d6, 3/1
    flamer: 4", 1, 0d6+0, -
    fist: -, -, -, -
  value harmful of unit (gun guns): 1 if any gun.power
  to look (unit), (gun guns):
    some: 1 if any gun.COLUMN else 0
    empty: 1 if no gun.COLUMN else 0
    none-there: 1 if gun.COLUMN is none else 0
    there: 1 if gun.COLUMN is not none else 0
    those: armed where any COLUMN
    nobodys: 1 if any first(armed where it is fist).COLUMN else 0
    harm: harmful(unit, gun)
"""


@pytest.mark.parametrize("gun", ["pistol", "flamer", "fist"])
@pytest.mark.parametrize("column", ["range", "shots", "power", "halves"])
def test_any_of_a_cell_asks_whether_something_stands_there(column: str, gun: str, tmp_path: Path) -> None:
    filled = int(gun == "pistol" or (gun == "flamer" and column != "halves"))
    laws: dict[str, object] = {"some": filled, "empty": 1 - filled, "none-there": 1 - filled, "there": filled}
    laws |= {"those": 1 if column == "halves" else 2, "nobodys": 0, "harm": int(gun != "fist")}
    situation = f"unit A: armed pistol, armed flamer\ndo: A looks {gun}\n"
    agreed(tmp_path, STANDS.replace("COLUMN", column), situation, laws)


@pytest.mark.parametrize("said", ["power none", "power -", ""])
def test_a_cell_by_name_may_be_none(said: str, tmp_path: Path) -> None:
    """Said or left out, in a row of which all cells have names: nobody forgot it, and nothing is told."""
    text = POWER.format(cannon="3d6", frost="0d6+3").replace("(power)", "(size, power)").replace("none", "2, none")
    text = re.sub(r"(pistol|cannon|flamer|frost): ", r"\1: 1, ", text) + "    odd: 1 if any gun.power else 0\n"
    text = text.replace("    fist:", f"    sling: {', '.join(filter(None, ['size 4', said]))}\n    fist:")
    assert told(tmp_path, text) == []
    agreed(tmp_path, text, "unit A:\ndo: A blasts sling\n", {"harm": 0, "odd": 0})
