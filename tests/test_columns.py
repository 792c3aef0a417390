"""Columns that an addition brings, for rows that are there and for new ones."""

from fractions import Fraction

import pytest
from test_engines_kit import Mistaken, case_of, law_of_odds, rules_of

RULES = """
game: Columns
Bones:
  dice high: d6 at or over
  kind side:
  kind unit of side:
    arm: one of arms
  kind scout, many to a unit:
    tool: one of arms or none
  table arms (reach, points):
    bow: 24", 1 [1]
    axe: -, 2, heavy
    net: 3", 1
  mark heavy, silent of arms:
  {lines}
  example of-it:
    unit A: arm bow
    then: A.arm is bow
"""


def rules_with(*lines):
    return rules_of(RULES.format(lines="\n  ".join(lines)))


def test_rows_that_are_there_get_the_new_cells():
    rules = rules_with(
        "add to arms (cost, drag):",
        '  bow: 7, 1", silent',
        '  axe: drag 2"',
        '  gun: 12", 3, 9, 4"',
        "value price of unit: sum(scouts.tool.cost)",
        "value quiet of unit: scouts where tool is silent",
    )
    tools = "unit A:\n  is: arm bow\n  scouts: [2 with tool bow, 1 with tool axe, 1 with tool gun, 1 with tool net]\n"
    case = case_of(rules, tools + "ask: [A.price, A.quiet, A.arm.drag, A.arm.points]")
    assert law_of_odds(case) == {(23, 2, 1, 1): Fraction(1)}
    rows = rules.book.tables["arms"].rows
    assert list(rows) == ["bow", "axe", "net", "gun"]
    assert rows["axe"].cells["drag"] == 2
    assert "cost" not in rows["net"].cells


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        (["add to arms (cost):", "  bow: 7, 8"], ("T005", "8")),
        (["add to arms (cost):", "  bow:"], ("K009", "bow")),
        (["add to arms:", '  bow: 24", 1'], ("N003", "bow")),
    ],
)
def test_what_cannot_be_said(lines, told):
    with pytest.raises(Mistaken) as caught:
        rules_with(*lines)
    assert caught.value.args[0] == [told]
