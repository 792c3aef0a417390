"""Constructs of marks: each kind of end, what may bring it about, and somebody who looks.

Each makes its mark, lets somebody gain it, lets happen what may end it, and reads it.
"""

from __future__ import annotations

from .calls import elsewhere, poke, rest
from .lines import construct
from .model import Line
from .writer import Writer


def mark(w: Writer, ends: str, of: str = "unit") -> str:
    name = w.name("mark-" if of == "unit" else "sign-")
    w.definitions.append(Line(f"mark {name} of {of}", ends))
    return name


def marked(w: Writer, ends: str, call: str) -> None:
    """A unit gains a mark, something happens that may end it, and somebody looks."""
    name, who = mark(w, ends), w.say("{@unit}")
    if w.chance(3):
        w.add(w.name("e"), f"{who}.foes gain {name}")
    else:
        w.add(w.name("e"), f"{who} gains {name}")
    w.scope["tick"].append(name)
    if not w.chance(4):
        w.add(w.name("e"), w.say(call.replace("WHO", who)))
    w.add(w.name("t"), f"{who} is {name}", "truth")


@construct("mark until before")
def mark_before(w: Writer) -> None:
    poke(w)
    marked(w, "until before poke", "WHO pokes at {unit}")


@construct("mark until after")
def mark_after(w: Writer) -> None:
    poke(w)
    marked(w, "until after poke", "WHO pokes at {unit}")


@construct("mark until target")
def mark_target(w: Writer) -> None:
    poke(w)
    marked(w, f"until {w.one(['before', 'after'])} poke as other", "{unit} pokes at WHO")


@construct("mark until several")
def mark_several(w: Writer) -> None:
    poke(w)
    rest(w)
    marked(w, "until before poke, after rest", w.one(["WHO pokes at {unit}", "WHO rests"]))


@construct("mark until next and several")
def mark_next_several(w: Writer) -> None:
    poke(w)
    rest(w)
    marked(w, "until after next rest, after next poke, before move", w.one(["WHO pokes at {unit}", "WHO rests"]))
    w.add(w.name("e"), w.say("{unit} rests"))


@construct("mark of figures until and up to")
def mark_both(w: Writer) -> None:
    rest(w)
    name = mark(w, "until after rest up to 1 per unit", "figure")
    w.add(w.name("e"), w.say(f"{{figures}} gain {name}"))
    w.scope["ftick"].append(name)
    w.add(w.name("e"), w.say("{unit} rests"))
    w.add(w.name("n"), w.say(f"({{unit}}.figures where {name})"), "number")


@construct("mark of figures until if and up to")
def mark_if_both(w: Writer) -> None:
    rest(w)
    with elsewhere(w, 0, unit=["unit"]):
        condition = w.say(w.one(["pins > 0", "any (figures where wounds = 0)", "{truth}"]), 0)
    name = mark(w, f"until after rest if {condition} up to {w.one(['1', '2', 'unit.pins'])} per unit", "figure")
    w.add(w.name("e"), w.say(f"{{figures}} gain {name}"))
    w.scope["ftick"].append(name)
    w.add(w.name("e"), w.say("{unit} rests"))
    w.add(w.name("n"), w.say(f"({{unit}}.figures where {name})"), "number")


@construct("mark of a side")
def mark_side(w: Writer) -> None:
    name = w.name("mark-")
    w.definitions.append(Line(f"mark {name} of side"))
    w.add(w.name("e"), w.say(f"{{unit}}.side gains {name}"))
    w.add(w.name("t"), w.say(f"{{unit}}.side is {name}"), "truth")


@construct("mark until a line")
def mark_line(w: Writer) -> None:
    made = poke(w)
    lines = [x.name for x in made.lines]
    marked(w, f"until {w.one(['before', 'after'])} poke.{w.one(lines)}", "WHO pokes at {unit}")


@construct("mark until next")
def mark_next(w: Writer) -> None:
    rest(w)
    name = f"mark-{w.count + 1}"
    marked(w, "until after next rest", "WHO rests")
    w.add(w.name("t"), w.say(f"{{unit}} is fresh-{name}"), "truth")
    w.add(w.name("e"), w.say("{unit} rests"))


@construct("mark until if")
def mark_if(w: Writer) -> None:
    rest(w)
    with elsewhere(w, 0, unit=["unit"]):
        condition = w.say("{truth}", 0)
    marked(w, f"until after rest if {condition}", "WHO rests")


@construct("mark until move")
def mark_move(w: Writer) -> None:
    marked(w, f"until {w.one(['before', 'after'])} move", 'WHO moves up to 3"')


@construct("mark until turn")
def mark_turn(w: Writer) -> None:
    marked(w, "until after turn", "turn ends")


@construct("mark until battle")
def mark_battle(w: Writer) -> None:
    marked(w, "until after battle", "battle ends")


@construct("mark up to")
def mark_up_to(w: Writer) -> None:
    name = mark(w, f"up to {w.one(['1', '2'])} per unit", "figure")
    w.add(w.name("e"), w.say(f"({{figures}}) gain {name}"))
    w.scope["ftick"].append(name)
    w.add(w.name("e"), w.say(f"{{unit}}.figures gain {name}"))
    w.add(w.name("n"), w.say(f"({{unit}}.figures where {name})"), "number")


@construct("mark of figures until")
def mark_figures(w: Writer) -> None:
    rest(w)
    name = mark(w, f"until {w.one(['before', 'after'])} rest", "figure")
    w.add(w.name("e"), w.say(f"({{figures}}) gain {name}"))
    w.scope["ftick"].append(name)
    w.add(w.name("e"), w.say("{unit} rests"))
    w.add(w.name("n"), w.say(f"({{unit}}.figures where {name})"), "number")


@construct("mark unit out of play")
def mark_unit_out(w: Writer) -> None:
    name = mark(w, "out of play")
    w.add(w.name("e"), w.say(f"{{unit}} gains {name}") if w.chance(2) else w.say(f"{{unit}}.foes gain {name}"))
    w.add(w.name("n"), "units", "number")


@construct("casualties")
def casualties(w: Writer) -> None:
    who = w.say("{unit}")
    w.add(w.name("e"), w.say(f"({who}.figures where {{which}}) gain casualty"))
    w.add(w.name("n"), f"{who}.casualties", "number")
    if w.chance(2):
        w.add(w.name("e"), f"{who}.casualties lose casualty")
        w.add(w.name("n"), f"{who}.figures", "number")
