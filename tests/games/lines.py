"""Constructs of lines: loops, blocks, branches, choices among options, deals. Each is a builder that adds to the block in hand.

Holes in them are filled by `Writer.fill`, so that one construct comes to stand inside another.
"""

from __future__ import annotations

from collections.abc import Callable

from .model import Line
from .words import LINES, Sentence
from .writer import ALIASES, Builder, Writer

CONSTRUCTS: dict[str, Builder] = {}
LATE: dict[str, Builder] = {}  # those that need what the others have made


def construct(tag: str, *, late: bool = False) -> Callable[[Builder], Builder]:
    def register(builder: Builder) -> Builder:
        (LATE if late else CONSTRUCTS)[tag] = builder
        return builder

    return register


def block(w: Writer, times: int = 1, most: int = 2, **more: str) -> list[Line]:
    with w.inside(times, **more) as lines:
        w.fill(most)
    return lines


def loop(w: Writer, head: str, times: int = 2, most: int = 2, **more: str) -> None:
    name = w.name("l")
    lines = block(w, times, most, **more)
    w.add(f"{name}, {head}", lines)
    w.totals(name, lines)


@construct("for each unit")
def each_unit(w: Writer) -> None:
    item = w.name("u")
    loop(w, f"for each {item} in {w.say('{things}', 0)}", unit=item)


@construct("for each side")
def each_side(w: Writer) -> None:
    item, name, n = w.name("u"), w.name("l"), w.name("n")
    with w.inside(2) as lines:
        w.add(n, w.one([f"{item}.units", f"sum({item}.units.pins)", f"{item}.purse + 1", f"{item}.might"]), "number")
        w.add(w.name("e"), w.say(w.one([f"{item} gains 1 purse", f"{item}.units gain {{tick}}"])))
        w.fill(1)
    w.add(f"{name}, for each {item} in sides", lines)
    w.totals(name, lines)


@construct("for each figure")
def each_figure(w: Writer) -> None:
    item = w.name("m")
    loop(w, f"for each {item} in {w.say('{figures}', 0)}", figure=item)


@construct("for each row")
def each_row(w: Writer) -> None:
    item = w.name("r")
    loop(w, f"for each {item} in {w.say('{rows}', 0)}", 3, 1, row=item)


@construct("for each row of a list")
def each_of_list(w: Writer) -> None:
    item, n = w.name("r"), w.name("n")
    head = f"for each {item} in {w.say(w.one(['{unit}.figures.arm', '({unit}.figures.arm where big)', '({figures}).arm']))}"
    with w.inside(3) as lines:
        w.add(n, w.say(w.one([f"{item}.shots", f"{{number}} if {item} is big else {item}.shots"])), "number")
        w.fill(1)
    name = w.name("l")
    w.add(f"{name}, {head}", lines)
    w.totals(name, lines)


@construct("for each face")
def each_face(w: Writer) -> None:
    if not w.scope["faces"]:
        if w.dice < 1:
            w.dice = 1
        w.dice -= 1
        w.add(w.name("f"), "2 dice" if w.chance(2) else "1 dice", "faces")
    item = w.name("x")
    loop(w, f"for each {item} in {w.say('{@faces}')}", number=item)


@construct("for each together")
def each_together(w: Writer) -> None:
    item = w.name("u")
    loop(w, f"for each {item} in {w.say('{things}', 0)}, together", unit=item)


@construct("for each figure together")
def each_figure_together(w: Writer) -> None:
    item = w.name("m")
    loop(w, f"for each {item} in {w.say('{figures}', 0)}, together", 2, 1, figure=item)


@construct("for each if")
def each_if(w: Writer) -> None:
    item = w.name("u")
    w.scope["unit"].append(item)
    head = f"for each {item} in units, if {w.say('{truth}')}"
    w.scope["unit"].pop()
    loop(w, head, unit=item)


@construct("if for each")
def if_each(w: Writer) -> None:
    item = w.name("m")
    loop(w, f"if {w.say('{truth}')}, for each {item} in {w.say('{figures}')}", figure=item)


@construct("repeat times")
def repeat_times(w: Writer) -> None:
    loop(w, f"repeat {w.say('{few}')} times")


@construct("repeat up to")
def repeat_up_to(w: Writer) -> None:
    name, times = w.name("l"), w.one(["2", w.say("{few}")])
    with w.inside(2) as lines:
        w.fill(2)
        flag = w.name("t")
        w.add(flag, w.say("{truth}"), "truth")
    w.add(f"{name}, repeat up to {times} times until {flag}", lines)
    w.totals(name, lines)


@construct("repeat until")
def repeat_until(w: Writer) -> None:
    """Without a limit: a round ends it surely, as soon as heat is spent."""
    name, unit, flag = w.name("l"), w.say("{@unit}"), w.name("t")
    with w.inside(2) as lines:
        w.fill(1)
        w.add(w.name("e"), f"{unit}.pins becomes {unit}.pins + 1")
        w.add(flag, f"{unit}.pins = 3 or {w.say('{truth}')}", "truth")
    w.add(f"{name}, repeat until {flag}", lines)


@construct("repeat until a die")
def repeat_until_die(w: Writer) -> None:
    """Without a limit and without an end that is sure: solved by odds, cut off by plays."""
    name, flag = w.name("l"), w.name("t")
    with w.inside(2) as lines:
        w.add(flag, "d2 = 1", "truth")
        w.add(w.name("e"), w.say("{unit} gains {tick}"))
    w.dice = max(0, w.dice - 2)
    w.add(f"{name}, repeat until {flag}", lines)


@construct("together")
def together(w: Writer) -> None:
    name = w.name("s")
    lines = block(w, 1, 3)
    w.add(f"{name}, together", lines)
    w.totals(name, lines)


@construct("together in rounds")
def together_in_rounds(w: Writer) -> None:
    """A block in a loop, in which one line changes by a die of the round what another one reads as it was before."""
    unit, other, die, flag = w.say("{@unit}"), w.say("{unit}"), w.name("n"), w.name("t")
    w.dice = max(0, w.dice - 1)
    with w.inside(2) as lines:
        w.add(die, "d2", "number")
        change = w.one([f"gains {die} pins", f"loses {die} pins", f"gains {die} heat"])
        read = w.one([f"{other} gains {unit}.pins heat", f"{other} gains ({unit}.pins + {unit}.heat) heat"])
        both = [Line(w.name("e"), f"{unit} {change}"), Line(w.name("e"), read)]
        if w.chance(2):
            both.reverse()
        if w.chance(2):
            both.append(Line(w.name("e"), w.say("{effect}")))
        w.add(f"{w.name('s')}, together", both)
        w.add(flag, f"{die} = 1", "truth")
    name = w.name("l")
    head = w.one(["repeat 2 times", f"repeat up to 2 times until {flag}", f"for each {w.name('u')} in units"])
    w.add(f"{name}, {head}", lines)
    w.totals(name, lines)


@construct("block if")
def block_if(w: Writer) -> None:
    name, condition = w.name("w"), w.condition()
    lines = block(w, 1, 3)
    w.add(f"{name}, if {condition}", lines)
    w.totals(name, lines)


@construct("line if")
def line_if(w: Writer) -> None:
    w.say_line(_sentence(w), "{}, if " + w.condition())


def _sentence(w: Writer) -> Sentence:
    return w.one(
        [x for x in LINES if x.dice <= w.dice - 1 and w.ready(x)] or [x for x in LINES if not x.dice and w.ready(x)]
    )


@construct("otherwise")
def otherwise(w: Writer) -> None:
    name = w.say_line(_sentence(w), "{}, if " + w.condition())
    w.shows(name)
    if w.chance(3):
        w.say_line(_sentence(w), "{}, otherwise, if " + w.say("{truth}"))
    if w.chance(2):
        w.say_line(_sentence(w), "{}, otherwise")
    else:
        other = w.name("o")
        lines = block(w)
        w.add(f"{other}, otherwise", lines)
        w.totals(other, lines)


def cases(w: Writer, by: str, faces: list[str], *, named: bool = True) -> None:
    name = w.name("c")
    told, w.told = w.told, set()
    lines: list[Line] = []
    evidence = w.uses[w.building[-1]]
    for face in faces:
        shape = w.rng.randrange(4)
        if shape == 3 and named:
            item = w.name("u")
            head = w.one([f"if {w.say('{truth}')}", "repeat 2 times", f"for each {item} in {w.say('{things}', 0)}"])
            inner = block(w, 2, 1, unit=item) if "each" in head else block(w, 2, 1)
            lines.append(Line(f"{face}, {head}", inner))
            evidence.update(x.name for x in inner)
        elif shape == 0 or not named:
            inner = block(w)
            lines.append(Line(face, inner))
            evidence.update(x.name for x in inner)
        elif shape == 1:
            case = w.name("k")
            lines.append(Line(f"{face} {case}, if {w.say('{truth}')}", w.say("{effect}")))
            evidence.add(case)
        else:
            case = w.name("k")
            lines.append(Line(f"{face} {case}", w.say("{effect}")))
            evidence.add(case)
    w.told |= told
    w.add(f"{name}, by {by}", lines)
    w.scope["line"].remove(name)


@construct("by die")
def by_die(w: Writer) -> None:
    w.dice = max(0, w.dice - 1)
    by, faces = w.one(
        [("d3", ["1", "2", "3"]), ("d3", ["1-2", "3"]), ("d2", ["1", "2 or more"]), ("d3 + {number}", [])]
    )
    if not faces:
        by, faces = "d2 + " + w.say("{few}"), ["1 or less", "2", "3 or more"]
    cases(w, by, faces)


@construct("by row")
def by_row(w: Writer) -> None:
    cases(w, w.say("{unit}.mood"), ["calm, wary", "wild"] if w.chance(2) else ["calm", "wary", "wild"])


@construct("by number")
def by_number(w: Writer) -> None:
    n = w.name("n")
    w.add(n, w.say("{number} - {number}"), "number")
    cases(
        w,
        n,
        w.one(
            [
                ["1 or more", "0", "-1 or less"],
                ["2 or more", "1 or less"],
                ["1-2", "3 or more", "0 or less"],
                ["0 or more", "-1", "-2 or less"],
                ["1, 2", "3 or more", "0 or less"],
            ]
        ),
    )


@construct("by word or none")
def by_word(w: Writer) -> None:
    cases(w, w.say("{unit}.way"), ["left, right"] if w.chance(3) else ["left", "right"])


@construct("cases with values")
def by_values(w: Writer) -> None:
    """A line that is worth what the case is worth which is run."""
    name = w.name("c")
    by, faces = w.one(
        [
            (w.say("{unit}.way"), ["left", "right"]),
            (w.say("{unit}.mood"), ["calm, wary", "wild"]),
            (w.say("{few} - {few}"), ["1 or more", "0", "-1 or less"]),
        ]
    )
    lines = [Line(face + w.one(["", "", f", if {w.say('{truth}')}"]), w.say("({number}) * 1")) for face in faces]
    w.add(f"{name}, by {by}", lines, "number")
    w.scope["line"].remove(name)
    w.add(w.name("n"), w.one([f"{name} + 1", f"max({name}, 1)", f"1 if {name} > 0 else 2"]), "number")


@construct("option asked")
def option_asked(w: Writer) -> None:
    """Which option it was is asked by a later line."""
    name, a, b = w.name("h"), w.name("a"), w.name("a")
    first = Line(f"{a}, if {w.say('{truth}', 0)}" if w.chance(2) else a, w.say("{effect}"))
    usually = "" if w.open else f" usually {w.one([a, b])}"
    w.picks.append((name, f"{a} {b}"))
    w.add(f"{name}, {w.say('{unit}.side')} picks one{usually}", [first, Line(b, w.say("{effect}"))])
    w.add(w.name("t"), w.one([f"{name} is {a}", f"{name} is not {a}", f"{name} is {b}"]), "truth")


@construct("by a line not run")
def by_not_run(w: Writer) -> None:
    n = w.name("n")
    w.add(f"{n}, if {w.condition()}", w.say("{few}"), "number")
    cases(w, n, w.one([["1 or more", "0", "-1 or less"], ["1 or more", "0 or less"], ["1", "2 or more", "0 or less"]]))


@construct("line called by a word")
def called_by_a_word(w: Writer) -> None:
    """A name that is a word of the grammar elsewhere."""
    free = [
        x
        for x in ("again", "many", "one", "each", "up", "more", "less", "after", "through", "fails")
        if x not in w.named
    ]
    if not free:
        return
    name = w.one(free)
    w.named.add(name)
    w.add(name, w.say("{number}"), "number")
    w.add(w.name("n"), w.one([f"{name} + 1", f"min({name}, 2)", f"1 if {name} > 0 else 2"]), "number")
    w.add(w.name("e"), w.say(f"{{unit}} {w.one(['gains', 'loses'])} {name} pins"))


@construct("otherwise of blocks")
def otherwise_blocks(w: Writer) -> None:
    """Branches that give one name, which a line behind them says."""
    own, branches = w.name("n"), [w.name("w") for _ in range(w.one([2, 3]))]
    for i, branch in enumerate(branches):
        head = (
            f"if {w.condition()}"
            if not i
            else "otherwise"
            if i + 1 == len(branches)
            else f"otherwise, if {w.say('{truth}')}"
        )
        with w.inside() as lines:
            if i:
                w.fill(1)
            w.add(own, w.say("{number}"), "number")
        w.add(f"{branch}, {head}", lines)
    w.scope["number"].append(own)
    w.add(w.name("n"), f"{own} + 1", "number")


@construct("picks one")
def picks_one(w: Writer) -> None:
    name, a, b = w.name("h"), w.name("a"), w.name("a")
    who = w.say("{unit}.side")
    usually = "" if w.open else f" usually {w.one([a, b])}"
    first = Line(f"{a}, if {w.say('{truth}', 0)}" if w.chance(2) else a, w.say("{effect}"))
    with w.inside() as lines:
        w.fill(2)
    w.picks.append((name, f"{a} {b}"))
    w.add(f"{name}, {who} picks one{usually}", [first, Line(b, lines if w.chance(2) else w.say("{effect}"))])


@construct("deals in a loop")
def deals_in_loop(w: Writer) -> None:
    item, share, name = w.name("m"), w.name("g"), w.name("l")
    who, men, crowd = w.say("{unit}.side"), w.say("{unit}.figures"), w.say("{figures}")
    lines = block(w, 2, 2, figure=item, figures=share)
    order = w.one(["it is down", "it.wounds > 0", "it.arm is bow"])
    w.add(
        f"{name}, for each {item} in {men}, {who} deals {share} evenly{w.one(['', f' usually {order}'])} from {crowd}{w.one(['', f' usually {order}'])}",
        lines,
    )
    w.totals(name, lines)


@construct("dice left")
def dice_left(w: Writer) -> None:
    """Of a throw, those that are left; and of these again."""
    if not w.scope["faces"]:
        w.dice = max(0, w.dice - 2)
        w.add(w.name("f"), "2 dice", "faces")
    throw, part, left = w.say("{@faces}"), w.name("f"), w.name("f")
    w.add(part, w.say(f"{throw} where {{whichface}}"), "faces")
    w.add(left, f"{throw} - {part}", "faces")
    w.add(
        w.name("n"),
        w.say(w.one([f"sum({left})", f"highest({left})", f"{left} * 2", f"({left} + {part}) * 1"])),
        "number",
    )


@construct("alias")
def alias(w: Writer) -> None:
    """A line that only names the answer of the line before it."""
    if not ALIASES:
        return
    sort = w.one(
        [s for s in ("number", "truth", "figures", "thing", "figure", "row", "faces", "inches") if w.scope[s]] or ["-"]
    )
    if sort == "-":
        w.add(w.name("n"), w.say("{number}"), "number")
        sort = "number"
    w.add(w.name(sort[:1]), w.scope[sort][-1], sort)


@construct("facts of things made")
def facts_of_made(w: Writer) -> None:
    """What the table says of a thing by the line that makes it, or of what it came out of."""
    if any("together" in tag for tag in w.building):
        return  # not there before the block has ended
    name, who = w.name("made-"), w.say("{@unit}")
    w.add(
        name,
        w.say(f"new unit (side {{unit}}.side, from {who})" if w.chance(2) else "new unit (side {unit}.side, pins 1)"),
        "thing",
    )
    w.made.append(name)
    w.add(w.name("i"), w.one([f"span({name}, {who})", f"span({who}, {name})", f"gap({name}, {who})"]), "inches")
    w.add(w.name("n"), w.say(w.one([f"slope({name})", f"1 if windy({name}, {who}) else 2"])), "number")


@construct("names follow")
def names_follow(w: Writer) -> None:
    """Figures that are named, changed by name and otherwise, and looked at again."""
    who = w.say("{@unit}")
    first, second = w.name("f"), w.name("f")
    w.add(
        first,
        f"{who}.side picks up to 2 from {who}.figures usually most, it is down, it.wounds > 0, it.arm is bow, it.arm is rifle",
        "figures",
    )
    if w.chance(2):
        w.add(second, w.say(f"{first} where {{which}}"), "figures")
    w.add(
        w.name("e"), w.say(w.one([f"{first} gain {{ftick}}", f"{who}.figures gain 1 wound", f"{first} gain casualty"]))
    )
    w.add(w.name("n"), w.say(f"({first} where {{which}})"), "number")
