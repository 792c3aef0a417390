"""Family K: tables: rows, cells, gaps and overlaps.

The entries of the codes `K001` and on. This module does not know how a problem is found or shown.
"""

from __future__ import annotations

from interpreter.source.catalogue import Entry, page
from interpreter.source.values import replace


def _cases(first: str, second: str, third: str) -> str:
    return f"""
        to rally (unit):
          result, by d6:
            {first}: unit gains tired
            {second}: nothing
            {third}: unit loses tired
        """


def _totals(thrown: str, first: str, second: str, third: str) -> str:
    return f"""
        to rally (unit):
          total: {thrown}
          result, by total:
            {first}: unit gains tired
            {second}: nothing
            {third}: unit loses tired
        """


_GOOD = _cases("1-2", "3-4", "5-6")

ENTRIES: dict[str, Entry] = {
    **page(
        "K001",
        "no case for {missing}",
        "Sooner or later a die shows this, or a thing is of this sort, and then the rule would have no "
        "answer. Add the case; if nothing happens, say `nothing`. Where `check` cannot tell whether a number comes up, "
        "odds and plays in which it does are refused so.",
        _cases("1-2", "3", "5-6"),
        _GOOD,
    ),
    **page(
        "K002",
        "two cases for {face}",
        "One outcome belongs to one case, or two readers would read two rules. Look at both places shown "
        "and decide which of them it is.",
        _cases("1-3", "3-4", "5-6"),
        _GOOD,
        hint="leave it to one of the two",
    ),
    **page(
        "K003",
        "a {die} never shows {face}",
        "This case can never be reached with the die that is thrown. Perhaps the die is another one, or "
        "the number is a slip.",
        _cases("1-2", "3-4", "5-7"),
        _GOOD,
        hint="take it away, or look for the die that shows it",
    ),
    **page(
        "K004",
        "this counts down",
        "I read `2-1` from the lower number to the higher one, and there is nothing between them. Write "
        "the lower one first.",
        _cases("2-1", "3-4", "5-6"),
        _GOOD,
    ),
    **page(
        "K005",
        "`by` needs cases",
        "`by` looks at something and goes on with one of several cases. They stand below, further right, "
        "one a line: `1-2: …`, `3 or more: …`, or the words of a table.",
        """
        to rally (unit):
          result, by d6: unit loses tired
        """,
        _GOOD,
        hint="write the cases on lines below, further right, such as `1-3: …` and `4 or more: …`",
    ),
    **page(
        "K006",
        "this case does not fit {found}",
        "Numbers are told apart by faces such as `1-2` and `3 or more`, and rows of a table by their "
        "words. This case is of the other sort.",
        _cases("low", "3-4", "5-6"),
        _GOOD,
    ),
    **page(
        "K007",
        "near and far must ascend",
        "Of several distances the first is the nearest, as on the printed page: up to it the first number "
        "holds, beyond it the next. Put them in order, and their numbers with them.",
        """
        table guns (range, shots by range):
          rifle: 24"/12", 2/1
        """,
        """
        table guns (range, shots by range):
          rifle: 12"/24", 2/1
        """,
        hint="write the nearest distance first, and the numbers that go with them in the same order",
    ),
    **page(
        "K008",
        "{near} but {far}",
        "Near and far go together: each distance has its number, in the same order. One of them is "
        "missing, or there is one too many.",
        """
        table guns (range, shots by range):
          rifle: 12"/24", 2
        """,
        """
        table guns (range, shots by range):
          rifle: 12"/24", 2/1
        """,
    ),
    **page(
        "K009",
        "the row `{row}` of {table} is empty",
        "Every row of a table fills its columns, or the rules would quietly go on with nothing. Where the "
        "printed page has a dash, write `none`.",
        """
        table guns (range):
          rifle: 24"
          pistol:
        """,
        """
        table guns (range):
          rifle: 24"
          pistol: none
        """,
    ),
    **page(
        "K010",
        "nothing leads to this case",
        "All that is thrown and added where this is asked for stays outside these numbers, so nobody will ever read "
        "this case. Perhaps a number is a slip, or something that should be added is missing.",
        _totals("2d6", "1-7", "8-12", "13-14"),
        _totals("2d6", "2-7", "8-11", "12"),
    ),
    **page(
        "K011",
        "`{name}` has no limit, and the last case here is {last}",
        "Something is added to the die that a situation may make as large as it likes, so one day it is past the last "
        "case, and then nothing would happen. Let the last case be open, or keep what is asked for within the cases.",
        _totals("d6 + skill", "0-4", "5-8", "9"),
        _totals("d6 + skill", "4 or less", "5-8", "9 or more"),
    ),
    **page(
        "K012",
        "the row `{row}` leaves out {columns}, which all other rows of {table} have",
        "What a row leaves out is none, and then the rules quietly go on with nothing. Most often the last cell was "
        "forgotten. Where the printed page has a dash, write `-` or `none`.",
        """
        table guns (range, shots):
          pistol: 6", 1
          rifle:  24", 1
          mortar: 36"
          cannon: 48", 2
        """,
        """
        table guns (range, shots):
          pistol: 6", 1
          rifle:  24", 1
          mortar: 36", -
          cannon: 48", 2
        """,
    ),
}

# Suspicious, not wrong: a case may stand ready for what another file adds, and a table may know its limits.
for _code in ("K010", "K011", "K012"):
    ENTRIES[_code] = replace(ENTRIES[_code], severity="warning")
