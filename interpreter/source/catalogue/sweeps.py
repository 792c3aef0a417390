"""Family B: sweeps: questions to several rule sets, in situations that vary.

The entries of the codes `B001` and on. This module does not know how a problem is found or shown.
"""

from __future__ import annotations

from interpreter.source.catalogue import Entry

_SWEEP = """\
# ours.yaml
game: Ours
Firing:
  dice high: d6 at or over
  table grades (eyes):
    raw: 5
    old: 3
  kind unit:
    skill: number first 4
    grade: one of grades first raw
  to try (unit):
    face: d6
# toy.yaml
sweep: How skill matters
rules: ours
vary:
  skill: {vary}
ask: {ask}
plays: {plays}
situation a-try:
  unit A: skill {skill}
  do: A tries{more}
"""


def _page(code: str, message: str, meaning: str, bad: dict[str, str], good: dict[str, str]) -> dict[str, Entry]:
    usual = {"vary": "1 to 6", "ask": "face >= A.skill", "plays": "1000", "skill": "<skill>", "more": ""}
    return {code: Entry("error", message, meaning, _SWEEP.format(**usual | bad), _SWEEP.format(**usual | good))}


ENTRIES: dict[str, Entry] = {
    **_page(
        "B001",
        "no situation of this sweep varies by `{name}`",
        "What stands under `vary:` takes the place of its name between `<` and `>` in the situations, as `<skill>`. "
        "This name stands in none of them, so the sweep would be the same for each of its values.",
        {"skill": "4"},
        {},
    ),
    **_page(
        "B002",
        "`{what}` is {wanted}",
        "A sweep says with a few numbers how hard it tries: how far off an estimate may be, how many plays and worlds "
        "one answer may take. What stands here is no such number.",
        {"plays": "many"},
        {"plays": "5000"},
    ),
    **_page(
        "B003",
        "`{ask}` is answered in words, which have no mean",
        "A sweep has one number for each question: the chance of a yes, or the mean of a number. Ask of words whether "
        "it is one of them.",
        {"ask": "A.grade"},
        {"ask": "A.grade is raw"},
    ),
    **_page(
        "B004",
        "a sweep has no `{key}`",
        "At the left edge of a sweep stand its title (`sweep`), whom it asks (`rules`, `readings`), what varies "
        "(`vary`), what is asked (`ask`) and where: `situation NAME`, or `typical`. This name is none of those that a "
        "sweep knows.",
        {"more": "\nvaries: skill"},
        {"more": "\nabout: skill"},
    ),
    **_page(
        "B005",
        "a situation of a sweep has no `{key}:`",
        "A situation of a sweep is asked for its odds, of each of the rule sets that the sweep names. What must come "
        "of a case is shown by an example, and whose rules are played stands at the head of the sweep.",
        {"more": "\n  dice: face 4"},
        {},
    ),
}
