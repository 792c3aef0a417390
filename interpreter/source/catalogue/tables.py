"""Family K: tables: rows, cells, gaps and overlaps.

Leaves: the entries of the codes `K001` and on.  Must not know how a problem is found or shown.
"""

from __future__ import annotations

from interpreter.source.catalogue.entry import Entry, page


def _cases(first: str, second: str, third: str) -> str:
    return f"""
        to rally (unit):
          result, by d6:
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
        "answer. Add the case; if nothing happens, say `nothing`.",
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
    ),
    **page(
        "K003",
        "a {die} never shows {face}",
        "This case can never be reached with the die that is thrown. Perhaps the die is another one, or "
        "the number is a slip.",
        _cases("1-2", "3-4", "5-7"),
        _GOOD,
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
}
