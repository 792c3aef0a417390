"""Family I: what is impossible, certain, or changes nothing.

The entries of the codes `I001` and on. This module does not know how a problem is found or shown.
"""

from __future__ import annotations

from interpreter.source.catalogue import Entry, page
from interpreter.source.values import replace

_GRADES = """\
        dice wide: {dice}
        table grades (hit):
          fresh: 5+
          tried: {tried}
        kind squad:
          grade: one of grades
        mark hidden, dazed of squad:
        roll aim of squad on wide:
          basic:  needs grade.hit
          hidden: {hidden} if hidden
          dazed:  {dazed} if dazed
"""


def _aim(dice: str = "d6 at or over", tried: str = "4+", hidden: str = "needs +1", dazed: str = "needs +1") -> str:
    return _GRADES.format(dice=dice, tried=tried, hidden=hidden, dazed=dazed)


ENTRIES: dict[str, Entry] = {
    **page(
        "I001",
        "this can come to need {needed}, and a {die} never shows it",
        "When these lines come together no face is good enough, and the dice do not say that any face always "
        "succeeds. Many games say so on another page. If it is meant to be impossible, let it stand and say why: "
        "`# umpire: allow I001 because …`.",
        _aim(),
        _aim("d6 at or over, always 6"),
    ),
    **page(
        "I002",
        "this can come to need {needed}, and a {die} always shows it",
        "When these lines come together every face is good enough, and the dice do not say that any face always "
        "fails. Many games say so on another page. If it is meant to be certain, let it stand and say why: "
        "`# umpire: allow I002 because …`.",
        _aim("d6 at or over, always 6", "2+", dazed="roll +1"),
        _aim("d6 at or over, always 6, never 1", "2+", dazed="roll +1"),
    ),
    **page(
        "I003",
        "`{name}` changes nothing",
        "Whatever a situation says, it is the same with this line and without it. Perhaps what it starts from is as "
        "high or as low already as it can be, a line below sets it anew, or a sign is the wrong way round.",
        """
        value zeal of unit:
          base:  3
          tired: -1 if tired
          floor: at least 1
        """,
        """
        value zeal of unit:
          base:  3
          tired: -3 if tired
          floor: at least 1
        """,
        hint="look for a slip in its sign or its condition, or take it away",
    ),
    **page(
        "I004",
        "this is {always} true",
        "What is compared here goes from one number to another, and never past the one that it is compared with. So "
        "the question has one answer only, and what hangs on it always happens, or never.",
        """
        to try (unit):
          face: d6
          lucky, if face > 6: unit loses tired
        """,
        """
        to try (unit):
          face: d6
          lucky, if face >= 6: unit loses tired
        """,
    ),
    **page(
        "I005",
        "`{name}` is never run",
        "So many rounds are run as stands behind `repeat`, and that is never more than 0: whatever the cards and the "
        "dice say, nothing happens. Look for a slip in the number, or remove the line.",
        """
        to try (unit):
          calm, repeat 0 times: unit loses tired
        """,
        """
        to try (unit):
          calm, repeat 2 times: unit loses tired
        """,
        hint="write how many rounds there are, or take the line away",
    ),
}

# Suspicious, not wrong: what cannot happen on one page may be settled on another.
ENTRIES.update({code: replace(entry, severity="warning") for code, entry in ENTRIES.items()})
