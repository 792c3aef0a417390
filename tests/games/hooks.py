"""Constructs that need what the others have made: rules that set in at procedures, at their lines, at marks and moves."""

from __future__ import annotations

from .calls import called, line_of, poke, rest, rule, strike
from .lines import construct
from .marks import mark
from .model import Line
from .writer import Procedure, Writer


def _hooked(w: Writer) -> Procedure:
    """A procedure that something calls, of a unit and perhaps another."""
    known = [p for verb, p in w.procedures.items() if verb in ("poke", "strike", "rest")]
    if known and not w.chance(4):
        return w.one(known)
    made = w.one([poke, strike, rest])(w)
    w.building.append("")
    called(w, made)
    w.building.pop()
    return made


@construct("rule before", late=True)
def before(w: Writer) -> None:
    rule(w, f"before {_hooked(w).name}")


@construct("rule after", late=True)
def after(w: Writer) -> None:
    rule(w, f"after {_hooked(w).name}")


@construct("rule instead of", late=True)
def instead(w: Writer) -> None:
    rule(w, f"instead of {_hooked(w).name}")


@construct("rule instead of, for each", late=True)
def instead_for_each(w: Writer) -> None:
    rule(w, f"instead of {_hooked(w).name}", each=True)


@construct("rule at a line of a block", late=True)
def at_inner_line(w: Writer) -> None:
    """At a line below another one of a procedure that somebody calls."""
    made = _hooked(w)
    name, block = w.name("e"), w.name("w")
    made.lines.append(
        Line(f"{block}{w.one(['', ', if unit.heat > 0', ', repeat 2 times'])}", [Line(name, "unit gains 1 heat")])
    )
    rule(w, f"{w.one(['before', 'after'])} {made.name}.{block}.{name}", own=("unit",))


def moment(w: Writer, of: str) -> str:
    """A moment of the file, which a procedure that something calls is, and perhaps whatever gives a mark."""
    made, name = _hooked(w), w.name("spell-")
    for line in w.definitions:
        if line.key.startswith(f"to {made.name} ") and ", a" not in line.key:
            line.key += f", a {name}"
    brings = w.one(["", "tired", "down", "casualty", "tired, casualty", made.name])
    w.definitions.append(Line(f"moment {name}{of}", brings))
    if w.chance(3):  # a wider one, over behind it
        wider = w.name("spell-")
        w.definitions.append(Line(f"moment {wider}{of}", f"casualty, {name}" if w.chance(2) else name))
        rule(w, f"{w.one(['before', 'after'])} {wider}", each=True, actor=bool(of))
    return name


@construct("rule at a moment of the file", late=True)
def at_moment(w: Writer) -> None:
    of = w.one([" of unit", ""])
    name = moment(w, of)
    if of and w.chance(2):
        rule(w, f"{w.one(['before', 'after'])} {name}", own=("actor",))
    else:
        rule(w, f"{w.one(['before', 'after'])} {name}", each=True, actor=bool(of))


@construct("mark until a moment of the file", late=True)
def mark_until_moment(w: Writer) -> None:
    name = moment(w, "")
    borne = mark(w, f"until {w.one(['before', 'after'])} {name}")
    w.add(w.name("e"), w.say(f"{{unit}} gains {borne}"))
    w.scope["tick"].append(borne)
    rule(w, f"{w.one(['before', 'after'])} {name}", each=True, actor=False)


@construct("rule at battle", late=True)
def at_battle(w: Writer) -> None:
    when = w.one(["before", "after"])
    w.add(w.name("e"), "battle begins" if when == "before" else "battle ends")
    rule(w, f"{when} battle", each=True, actor=False)


@construct("rule for each side", late=True)
def for_each_side(w: Writer) -> None:
    """Whose `units` are those of the side."""
    made, name = _hooked(w), w.name("rule-")
    condition = w.one(["", " if any (units where it.heat > 0)", " if actor in units", " if units > 1"])
    w.definitions.append(
        Line(f"rule {name} for each side {w.one(['before', 'after'])} {made.name}{condition}", "side gains 1 purse")
    )
    w.add(w.name("n"), w.say("{unit}.side.purse"), "number")
    w.shows(name)


@construct("rule at several", late=True)
def several(w: Writer) -> None:
    poke(w)
    called(w, rest(w))
    rule(w, w.one(["before poke, after rest", "after poke, before rest", "before rest, after rest"]))


@construct("rule for each", late=True)
def for_each(w: Writer) -> None:
    rule(w, f"{w.one(['before', 'after'])} {_hooked(w).name}", each=True)


@construct("rule as target", late=True)
def as_target(w: Writer) -> None:
    made = poke(w) if w.chance(2) else strike(w)
    called(w, made)
    rule(w, f"{w.one(['before', 'after'])} {made.name} as other", each=True)


@construct("rule at a line", late=True)
def at_line(w: Writer) -> None:
    _hooked(w)
    line, made = line_of(w)
    own = made.params if made.params else ("unit",)
    rule(w, f"{w.one(['before', 'after'])} {made.name}.{line}", own=own if own[0] == "unit" else ("unit",))


@construct("rule after mark", late=True)
def after_mark(w: Writer) -> None:
    name = mark(w, "") if w.chance(2) else "tired"
    w.add(w.name("e"), w.say(f"{{unit}} gains {name}"))
    rule(w, f"after {name}", each=True, actor=False)


@construct("rule after mark of figures", late=True)
def after_figure_mark(w: Writer) -> None:
    name = w.name("rule-")
    w.add(w.name("f"), w.say("{unit}.figures where {which}"), "figures")
    w.add(w.name("e"), f"{w.scope['figures'][-1]} gain {w.one(['down', 'casualty'])}")
    told = str(w.block[-1].body).split(" ")[-1]
    condition = w.one(["", " if arm is bow", " if wounds = 0"])
    w.definitions.append(Line(f"rule {name} for each figure after {told}{condition}", "figure.unit gains 1 heat"))
    w.shows(name)


@construct("rule at moves", late=True)
def at_moves(w: Writer) -> None:
    w.add(w.name("e"), w.say('{unit} moves up to 4"'))
    rule(w, f"{w.one(['before', 'after'])} move", each=w.chance(2))


@construct("rule at turn", late=True)
def at_turn(w: Writer) -> None:
    when = w.one(["before", "after"])
    w.add(w.name("e"), "turn begins" if when == "before" else "turn ends")
    rule(w, f"{when} turn", each=True, actor=False)


@construct("rule with an if of a die", late=True)
def rule_of_dice(w: Writer) -> None:
    made = _hooked(w)
    name, line = w.name("rule-"), w.name("n")
    w.dice = max(0, w.dice - 1)
    w.definitions.append(
        Line(
            f"rule {name} after {made.name}",
            [Line(line, "d2"), Line(f"{w.name('e')}, if {line} = 1", "unit gains 1 heat")],
        )
    )
    w.shows(name)
    w.shows(line)
