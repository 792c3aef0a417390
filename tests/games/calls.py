"""Constructs of calls and of outcome tables, and what rules that set in are written with.

Each makes the definitions that it needs, and the lines that let a play come through them.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from .lines import cases, construct
from .model import Line
from .writer import Procedure, Writer

# What two may do to one unit at a time, and what takes it back.
TO_ONE = [
    *("{effect}", "{effect}", "other gains {few} heat", "other loses 1 heat", "other.heat becomes {few}"),
    *("other.pins becomes {few}", "other gains 1 pin", "other loses 1 pin", "other.mood becomes {mood}"),
    *("other gains tired", "other loses tired", "gap(other, unit) becomes {inches}", "other.keen becomes {truth}"),
    *("{figures} gain 1 wound", "{figures} lose 1 wound", "{figures}.wounds becomes {few}", "{figures} gain down"),
    *(
        "{figures} lose down",
        "{figures}.arm becomes bow",
        "{figures}.arm becomes rifle",
        "{figures}.bold becomes {truth}",
    ),
    *("{figures} gain casualty", "{figures} gain casualty", "other.pals becomes none", "{figures}.unit becomes unit"),
    *("other gains bound with unit", "other loses bound with unit"),
]
SUBJECTS = {"unit": {"unit": ["unit"]}, "figure": {"unit": ["figure.unit"], "figure": ["figure"]}}


@contextmanager
def elsewhere(w: Writer, dice: int, **names: list[str]) -> Iterator[list[Line]]:
    """A block with names of its own: the body of another definition."""
    before = w.scope, w.block, w.told, w.dice, w.depth, w.building
    kept = {s: w.scope[s] for s in ("roll", "tick", "ftick")}
    w.scope = {s: [] for s in w.scope} | kept | names | {"bare": [] if "figure" in names else [""]}
    w.block, w.told, w.dice, w.depth, w.building = [], set(), dice, 1, []
    try:
        yield w.block
    finally:
        w.found = w.scope
        w.scope, w.block, w.told, w.dice, w.depth, w.building = before


def procedure(
    w: Writer, verb: str, head: str, call: str, *, dice: int = 1, most: int = 2, **names: list[str]
) -> Procedure:
    """The procedure of this verb, made when it is first asked for."""
    if verb in w.procedures:
        return w.procedures[verb]
    with elsewhere(w, dice, **names) as lines:
        w.making += 1  # nothing that calls stands in it, so nobody calls himself
        w.fill(most)
        w.making -= 1
    own = {line.name for line in lines}
    exported = {s: [n for n in w.found[s] if n.split(".")[0] in own] for s in ("number", "truth")}
    made = Procedure(verb, call, exported, lines, tuple(names.get("unit", ())))
    w.procedures[verb] = made
    w.definitions.append(Line(f"to {verb} {head}", lines))
    return made


def poke(w: Writer) -> Procedure:
    return procedure(w, "poke", "(unit) at (other unit)", "{unit} pokes at {unit}", unit=["unit", "other"])


def strike(w: Writer) -> Procedure:
    return procedure(w, "strike", "(unit) at (other unit)", "{unit} strikes at {unit}", unit=["unit", "other"])


def rest(w: Writer) -> Procedure:
    return procedure(w, "rest", "(unit)", "{unit} rests", dice=0, most=1, unit=["unit"])


def called(w: Writer, made: Procedure, text: str | None = None) -> str:
    """A line that calls it; its record is read by later lines."""
    name = w.name("e")
    w.add(name, w.say(text or made.call))
    for sort in ("number", "truth"):
        w.scope[sort] += [f"{name}.{line}" for line in made.exported[sort]]
    return name


@construct("call at")
def call_at(w: Writer) -> None:
    called(w, poke(w))


@construct("call with number")
def call_number(w: Writer) -> None:
    made = procedure(
        w, "reckon", "(unit), (amount number)", "{unit} reckons ({number})", unit=["unit"], number=["amount"]
    )
    called(w, made)


@construct("call with figures")
def call_figures(w: Writer) -> None:
    made = procedure(w, "drill", "(unit), (crew figures)", "{unit} drills ({figures})", unit=["unit"], figures=["crew"])
    called(w, made)


@construct("call with several")
def call_several(w: Writer) -> None:
    head = "(unit), (power number, spread number) at (foe unit)"
    made = procedure(
        w, "fling", head, "{unit} flings {few}, {few} at {unit}", unit=["unit", "foe"], number=["power", "spread"]
    )
    called(w, made)


@construct("call with inches")
def call_inches(w: Writer) -> None:
    made = procedure(
        w, "stride-off", "(unit), (reach inches)", '{unit} strides-off 4"', unit=["unit"], inches=["reach"]
    )
    called(w, made, w.one(['{unit} strides-off 4"', "{unit} strides-off ({inches})"]))


@construct("call against")
def call_against(w: Writer) -> None:
    made = procedure(
        w, "lean", "(unit) against (other unit)", "{unit} leans against {unit}", unit=["unit", "other"], dice=0
    )
    called(w, made)


@construct("call through and into")
def call_through(w: Writer) -> None:
    head = "(unit), (amount number) through (other unit) into (way moods)"
    call = "{unit} dives {few} through {unit} into {mood}"
    made = procedure(w, "dive", head, call, unit=["unit", "other"], number=["amount"], row=["way"])
    called(w, made)


@construct("call with dice")
def call_dice(w: Writer) -> None:
    made = procedure(
        w, "reckon", "(unit), (amount number)", "{unit} reckons ({number})", unit=["unit"], number=["amount"]
    )
    w.dice = max(0, w.dice - 1)
    called(w, made, "{unit} reckons ({die} + {few})")


@construct("call with units")
def call_units(w: Writer) -> None:
    made = procedure(w, "gather", "(unit), (mates units)", "{unit} gathers ({things})", unit=["unit"])
    if not any(line.name == "with-them" for line in made.lines):
        made.lines.append(Line("with-them", w.one(["mates gain 1 heat", "mates gain tired", "mates - unit"])))
    called(w, made)


@construct("call with row")
def call_row(w: Writer) -> None:
    made = procedure(w, "soothe", "(unit), (way moods)", "{unit} soothes {mood}", unit=["unit"], row=["way"])
    called(w, made, w.one(["{unit} soothes {mood}", "{unit} soothes {unit}.mood"]))


@construct("call of a figure")
def call_figure(w: Writer) -> None:
    made = procedure(w, "tend", "(figure)", "{@figure} tends", unit=["figure.unit"], figure=["figure"])
    if not w.scope["figure"]:
        w.add(w.name("f"), w.say("first({figures})"), "figure")
    called(w, made)


@construct("call of a side")
def call_side(w: Writer) -> None:
    if "muster" not in w.procedures:
        item = w.name("u")
        with elsewhere(w, 0, unit=[item]) as lines:
            w.making += 1
            w.fill(1)
            w.making -= 1
        made = Procedure("muster", "{unit}.side musters", {"number": [], "truth": []}, [])
        w.procedures["muster"] = made
        w.definitions.append(Line("to muster (side)", [Line(f"{w.name('l')}, for each {item} in side.units", lines)]))
    called(w, w.procedures["muster"])


@construct("call of oneself")
def call_oneself(w: Writer) -> None:
    """The last line leads back to the beginning, on one face of a die: solved by odds, cut off by plays."""
    if "dwell" not in w.procedures:
        face, last = w.name("n"), w.name("e")
        with elsewhere(w, 0, unit=["unit"], number=[face]) as lines:
            w.making += 1
            w.fill(1)
            w.making -= 1
        body = [Line(face, "d2"), *lines, Line(f"{last}, if {face} = 1", "unit dwells")]
        w.procedures["dwell"] = Procedure("dwell", "{unit} dwells", {"number": [], "truth": []}, body)
        w.definitions.append(Line("to dwell (unit)", body))
    w.dice = max(0, w.dice - 2)
    called(w, w.procedures["dwell"])


@construct("call in a case")
def call_in_case(w: Writer) -> None:
    one, other, name = poke(w), rest(w), w.name("c")
    a, b = w.name("k"), w.name("k")
    w.dice = max(0, w.dice - 2)
    w.shows(a)
    w.shows(b)
    w.add(f"{name}, by d2", [Line("1", [Line(a, w.say(one.call))]), Line("2", [Line(b, w.say(other.call))])])


@construct("calls together")
def calls_together(w: Writer) -> None:
    """Two procedures that each do something to one unit, at the same time: what both change lands in order."""
    name, whom, calls = w.name("s"), w.say("{@unit}"), []
    for verb in w.one([["shove", "drag"], ["drag", "shove"], ["shove", "drag", "shove"]]):
        if verb not in w.procedures:
            with elsewhere(w, 0, unit=["other"]):
                lines = [Line(w.name("e"), w.say(w.one(TO_ONE))) for _ in range(w.one([1, 2, 2, 3]))]
            w.procedures[verb] = Procedure(verb, "", {"number": [], "truth": []}, lines)
            w.definitions.append(Line(f"to {verb} (unit) at (other unit)", lines))
        calls.append(Line(w.name("e"), w.say(f"{{@unit}} {verb}s at {whom}")))
        w.shows(calls[-1].name)
    w.add(f"{name}, together", calls)
    if w.chance(2):
        w.add(w.name("n"), w.say("{@unit}.casualties"), "number")
    bind(w)


@construct("made together")
def made_together(w: Writer) -> None:
    """A thing that is made among what happens at one time, and what else is done to it there."""
    name, made = w.name("s"), w.name("made-")
    lines = [Line(made, w.say("new unit (side {unit}.side, pins {few}, from {@unit})"))]
    done = [
        *(f"{made} gains {{tick}}", f"{made} loses {{tick}}", f"{made} gains {{few}} heat", f"{made}.heat becomes 2"),
        *(f"{made}.pins becomes {made}.pins + 1", f"{{@unit}} gains {made}.pins heat", f"{made}.mood becomes {{mood}}"),
        *("units gain 1 heat", f"{made} gains bound with {{@unit}}", f"{{@unit}} gains bound with {made}"),
        *(f"{{@unit}} shoves at {made}", f"{made} shoves at {{@unit}}", f"{{@unit}} loses bound with {made}"),
    ]
    lines += [Line(w.name("e"), w.say(w.one(done))) for _ in range(w.one([1, 2, 3, 4]))]
    if any(" shoves at " in text for line in lines for text in line.texts) and "shove" not in w.procedures:
        with elsewhere(w, 0, unit=["other"]):
            kept = [Line(w.name("e"), w.say(w.one(TO_ONE))) for _ in range(w.one([1, 2]))]
        w.procedures["shove"] = Procedure("shove", "", {"number": [], "truth": []}, kept)
        w.definitions.append(Line("to shove (unit) at (other unit)", kept))
    w.add(f"{name}, together", lines)
    if not any(d.key.startswith("mark bound") for d in w.definitions):
        w.definitions.insert(0, Line("mark bound of unit with unit", w.one(["", "both ways"])))
    w.definitions.append(Line(f"rule {w.name('r')} for each unit after bound", "unit gains 1 heat"))
    for what in ("heat", "pins"):
        w.add(w.name("n"), f"sum(units.{what})", "number")
    bind(w)


def bind(w: Writer) -> None:
    """The mark between two, where some line speaks of it, and a question about it."""
    if any("bound with" in text for d in w.definitions for line in d.walk() for text in line.texts):
        if not any(d.key.startswith("mark bound") for d in w.definitions):
            w.definitions.insert(0, Line("mark bound of unit with unit", w.one(["", "both ways"])))
        w.add(w.name("t"), w.say("{@unit} is bound with {@unit}"), "truth")


@construct("record read")
def record_read(w: Writer) -> None:
    made = poke(w)
    name = called(w, made)
    lines = made.exported["number"]
    if not lines:
        with_number = w.name("n")
        made.lines.append(Line(with_number, "unit.pins + other.heat"))
        made.exported["number"].append(with_number)
        lines = [with_number]
    n = w.name("n")
    w.add(n, f"{name}.{w.one(lines)} + 1", "number")


@construct("nested call")
def nested_call(w: Writer) -> None:
    inner = poke(w)
    if "rush" not in w.procedures:
        with elsewhere(w, 1, unit=["unit", "other"]) as lines:
            name = called(w, inner, "unit pokes at other")
            w.fill(1)
        exported = {s: [f"{name}.{x}" for x in inner.exported[s]] for s in ("number", "truth")}
        w.procedures["rush"] = Procedure("rush", "{unit} rushes at {unit}", exported, lines)
        w.definitions.append(Line("to rush (unit) at (other unit)", lines))
    called(w, w.procedures["rush"])


# ---- outcome tables
def harm(w: Writer, ways: list[str], barred: str = "") -> str:
    """The outcome table of the game, made when it is first asked for."""
    if "harm" in w.procedures:
        return "harm"
    w.procedures["harm"] = Procedure("harm", "", {"number": [], "truth": []}, [])
    rows = []
    for face, word in zip(("1", "2", "3 or more"), ("graze", "bruise", "break"), strict=True):
        with elsewhere(w, 0, unit=["unit"]):
            effect = w.one([w.say("{effect}"), f"unit.blows becomes unit.blows + {word}", w.say(w.one(ways))])
            bar = w.say(", if {truth}") if w.chance(3) else ""
        rows.append(Line(f"{face} {word}{bar}", effect))
    w.definitions.append(Line(f"table harm of unit (face) by face{barred}", rows))
    return "harm"


@construct("outcome table")
def outcome(w: Writer) -> None:
    harm(w, ["{effect}"])
    w.dice = max(0, w.dice - 1)
    w.add(w.name("r"), w.say("{unit}.harm(d3 + {few})" if w.chance(2) else "{unit}.harm(d3)"))


@construct("outcome barred")
def outcome_barred(w: Writer) -> None:
    harm(w, ["unit.blows becomes unit.blows + graze"], " if row not in unit.blows")
    w.dice = max(0, w.dice - 1)
    w.add(w.name("r"), w.say("{unit}.harm(d3)"))


@construct("outcome with lines")
def outcome_with_lines(w: Writer) -> None:
    """A row that has lines of its own, read by the address of the row."""
    if "plight" not in w.procedures:
        w.procedures["plight"] = Procedure("plight", "", {"number": [], "truth": []}, [])
        rows = []
        for face, word in (("1", "slip"), ("2 or more", "slide")):
            with elsewhere(w, 0, unit=["unit"]) as lines:
                w.making += 1
                w.fill(2)
                w.making -= 1
            rows.append(Line(f"{face} {word}", lines))
        w.definitions.append(Line("table plight of unit (face) by face", rows))
    w.dice = max(0, w.dice - 1)
    w.shows("slip")
    w.shows("slide")
    w.add(w.name("r"), w.say("{unit}.plight(d2)"))


@construct("outcome of two numbers")
def outcome_of_two(w: Writer) -> None:
    if "toll" not in w.procedures:
        w.procedures["toll"] = Procedure("toll", "", {"number": [], "truth": []}, [])
        rows = []
        for face, word in (("0 or less", "scratch"), ("1-2", "dent"), ("3 or more", "crash")):
            with elsewhere(w, 0, unit=["unit"], number=["extra"]):
                rows.append(Line(f"{face} {word}", w.say("{effect}")))
        w.definitions.append(Line("table toll of unit (face, extra number) by face + extra", rows))
    w.dice = max(0, w.dice - 1)
    for word in ("scratch", "dent", "crash"):
        w.shows(word)
    w.add(w.name("r"), w.say("{unit}.toll(d2, {few})"))


@construct("outcome chained")
def outcome_chained(w: Writer) -> None:
    """A row sends to another table."""
    if "woe" not in w.procedures:
        w.procedures["woe"] = Procedure("woe", "", {"number": [], "truth": []}, [])
        with elsewhere(w, 0, unit=["unit"]):
            rows = [Line("1 sorrow", w.say("{effect}")), Line("2 grief", w.say("{effect}"))]
            last = w.say("{effect}")
        w.definitions.append(Line("table woe of unit (face) by face", rows))
        chained = [Line("1 stumble", last), Line("2 tumble", "unit.woe(d2)")]
        w.definitions.append(Line("table fate of unit (face) by face", chained))
    w.dice = max(0, w.dice - 2)
    w.shows("tumble")
    w.shows("grief")
    w.shows("sorrow")
    w.add(w.name("r"), w.say("{unit}.fate({few})" if w.chance(3) else "{unit}.fate(d2)"))


@construct("table of a by-case")
def nested_cases(w: Writer) -> None:
    w.dice = max(0, w.dice - 1)
    cases(w, "d2", ["1", "2"], named=False)


# ---- rules that set in
def rule(w: Writer, head: str, *, each: bool = False, own: tuple[str, ...] = ("unit",), actor: bool = True) -> None:
    name = w.name("rule-")
    names = [*own, "actor"] if each and actor else list(own)
    with elsewhere(w, 0, unit=names):
        condition = w.say(" if {truth}") if w.chance(2) else ""
        told = set(w.told)
        if w.chance(2):
            body: str | list[Line] = w.say("{effect}")
        else:
            w.making += 1
            w.fill(2)
            w.making -= 1
            body = w.block
    for tag in told:
        w.uses[tag].add(name)
    w.definitions.append(Line(f"rule {name}{' for each unit' if each else ''} {head}{condition}", body))
    w.shows(name)
    if not isinstance(body, str):
        for line in body:
            w.shows(line.name)


def line_of(w: Writer) -> tuple[str, Procedure]:
    made = w.one([p for p in w.procedures.values() if p.lines] or [poke(w)])
    return w.one([x.name for x in made.lines]), made
