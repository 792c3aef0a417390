"""A line for a construct that is a word of a sentence: whatever else the game says, this is said in it.

Taken: the writer of a game, and the construct. Given: lines at the end of the block in hand. Knows nothing of seeds.
"""

from __future__ import annotations

from .words import LINES, WORDS
from .world import CHANGES, VALUES
from .writer import HOLES, Writer

CARRIERS = {  # what a word stands in, and the sort of the line
    "number": ("{}", "number"),
    "few": ("{}", "number"),
    "inches": ("{}", "inches"),
    "truth": ("{}", "truth"),
    "figures": ("{}", "figures"),
    "which": ("{unit}.figures where {}", "figures"),
    "whichface": ("sum({@faces} where {})", "number"),
    "things": ("first({})", "thing"),
    "whichunit": ("first(units where {})", "thing"),
    "rows": ("max({})", "row"),
    "effect": ("{}", ""),
    "hit": ("2 {} {unit}.{@roll}", "number"),
    "does": ("{unit} {} {@roll}", "truth"),
}
MAKERS = {  # a line for a name that some word needs
    "figure": "first({figures})",
    "thing": "first({things})",
    "faces": "2 dice",
    "figures": "{unit}.figures",
    "number": "{number}",
    "truth": "{truth}",
    "row": "max(moods)",
    "inches": "{inches}",
    "result": "{unit}.harm(d3)",
    "line": "{effect}",
}


def spoken(w: Writer, tag: str) -> None:
    """A line in which this construct is said."""
    w.wanted.add(tag)
    if tag in VALUES:
        w.add(w.name("n"), w.say("{unit}.grit"), "number")
        return
    if tag in ("roll as", "roll on", "roll as, a line anew") or tag in CHANGES:
        w.add(w.name("t"), w.say("{unit} {does} luck"), "truth")
        return
    if tag == "nothing":  # of which a trace says nothing: that it was run is asked
        name = w.name("e")
        w.add(name, "nothing")
        w.told.add(tag)
        w.add(w.name("t"), f"ran({name})", "truth")
        return
    lines = [x for x in LINES if x.tag == tag]
    words = [(word, t.text) for word in CARRIERS for ts in WORDS[word] for t in ts if t.tag == tag]
    if lines and (not words or w.chance(2)):
        line = w.one(lines)
        _ready(w, line.text)
        w.dice = max(w.dice, line.dice)
        w.say_line(line)
        return
    word, text = w.one(words)
    carrier, sort = CARRIERS[word]
    _ready(w, text + carrier)
    w.told.add(tag)
    w.add(w.name(sort[:1] or "e"), w.say(carrier.replace("{}", text)), sort)


def _ready(w: Writer, text: str) -> None:
    """Names that the sentence speaks of are given before it."""
    for at, sort in HOLES.findall(text):
        if at and not w.scope.get(sort) and sort in MAKERS:
            w.dice = max(0, w.dice - 2) if sort in ("faces", "result") else w.dice
            w.add(w.name(sort[:1]), w.say(MAKERS[sort]), sort)
