"""Constructs of files laid over each other: a game is cut so that base and what lies over it say together what it says.

Taken: the definitions of a game. Given: its pages, and how the set is named. What comes of it is the game as it was,
so whoever reads patches wrongly changes its numbers.
"""

from __future__ import annotations

from collections.abc import Callable

from .model import Line, Page, plain
from .writer import Writer

Change = Callable[["Layer"], str | None]
LAYERS: dict[str, Change] = {}


class Layer:
    """The game that is being cut: what stays below, and the page above."""

    def __init__(self, w: Writer, below: list[Line], above: Page) -> None:
        self.w, self.below, self.above = w, below, above
        self.touched: set[int] = set()
        self.changes: list[str] = []

    def choose(self, fits: Callable[[Line], bool]) -> Line | None:
        found = [d for d in self.below if id(d) not in self.touched and d.lines and fits(d)]
        if not found:
            return None
        chosen = self.w.one(found)
        self.touched.add(id(chosen))
        return chosen


def layer(tag: str) -> Callable[[Change], Change]:
    def register(change: Change) -> Change:
        LAYERS[tag] = change
        return change

    return register


def called(definition: Line) -> str:
    """What a definition is called: the second word of its title, of a procedure the verb."""
    return definition.key.replace(",", " ").split(" ")[1]


def of_lines(definition: Line) -> bool:
    """Whose lines are a sequence: procedures."""
    return definition.key.startswith("to ")


def free(lines: list[Line], at: int) -> bool:
    """Whether a cut before this line parts nothing that belongs together."""
    return at >= len(lines) or "otherwise" not in lines[at].key


def sorts(definition: Line) -> bool:
    return definition.key.split(" ")[0] in ("to", "roll", "value", "kind", "table") and " by " not in definition.key


@layer("add lines")
def add_lines(one: Layer) -> str | None:
    found = one.choose(lambda d: sorts(d) and len(d.lines) > 1 and free(d.lines, len(d.lines) - 1))
    if found is None:
        return None
    last = found.lines.pop()
    one.above.definitions.append(Line(f"add to {called(found)}", [last]))
    return last.name


@layer("add at a place")
def add_at(one: Layer) -> str | None:
    found = one.choose(lambda d: of_lines(d) and len(d.lines) > 1)
    if found is None:
        return None
    at = one.w.rng.randrange(len(found.lines))
    if not free(found.lines, at) or not free(found.lines, at + 1):
        return None
    line = found.lines.pop(at)
    place = f"after {found.lines[at - 1].name}" if at else f"before {found.lines[0].name}"
    one.above.definitions.append(Line(f"add to {called(found)} {place}", [line]))
    return line.name


def _with_block(one: Layer) -> Line | None:
    """A procedure whose last line is put into a block of its own, where none has a block."""
    found = one.choose(lambda d: of_lines(d) and free(d.lines, len(d.lines) - 1))
    if found is not None:
        first = Line(one.w.name("z"), "nothing")
        found.lines.append(Line(one.w.name("z"), [first, found.lines.pop()]))
    return found


@layer("add inside")
def add_inside(one: Layer) -> str | None:
    def block(d: Line) -> list[Line]:
        return [
            x
            for x in d.lines
            if isinstance(x, Line)
            and isinstance(x.body, list)
            and len(x.body) > 1
            and " by " not in x.key
            and " picks one" not in x.key
        ]

    found = one.choose(lambda d: of_lines(d) and bool(block(d))) or _with_block(one)
    if found is None:
        return None
    inner = one.w.one(block(found))
    if not free(inner.lines, len(inner.lines) - 1):
        return None
    last = inner.lines.pop()
    one.above.definitions.append(Line(f"add to {called(found)}.{inner.name}", [last]))
    return last.name


@layer("add a row")
def add_row(one: Layer) -> str | None:
    found = one.choose(lambda d: d.key.startswith("table ") and " by face" not in d.key)
    if found is None:
        return None
    at = one.w.rng.randrange(len(found.lines))
    row = found.lines.pop(at)
    place = (
        ""
        if at == len(found.lines)
        else f" after {found.lines[at - 1].name}"
        if at
        else f" before {found.lines[0].name}"
    )
    one.above.definitions.append(Line(f"add to {called(found)}{place}", [row]))
    return "act"


@layer("add a column")
def add_column(one: Layer) -> str | None:
    found = one.choose(lambda d: d.key.startswith("table moods (brave, "))
    if found is None:
        return None
    cells = [Line(row.key, str(row.body).partition(", ")[2] or "none") for row in found.lines]
    found.key = found.key.replace("(brave, skill, kick)", "(brave)")
    for row in found.lines:
        cell = str(row.body).partition(",")[0]
        row.body = "none" if cell == "-" else cell
    one.above.definitions.append(Line("add to moods (skill, kick)", cells))
    return "act"


@layer("change a line")
def change_line(one: Layer) -> str | None:
    found = one.choose(
        lambda d: of_lines(d) and any(isinstance(x.body, str) and x.body and " [" not in x.body for x in d.lines)
    )
    if found is None:
        return None
    line = one.w.one([x for x in found.lines if isinstance(x.body, str) and x.body and " [" not in x.body])
    assert isinstance(line.body, str)
    was = one.w.one([", was nothing", ""])
    one.changes.append(f"  {called(found)}.{line.name}: {plain(line.body + was)}")
    line.body = "nothing"
    return line.name


@layer("change with lines")
def change_with_lines(one: Layer) -> str | None:
    found = one.choose(lambda d: of_lines(d) and bool(d.lines) and "otherwise" not in str(d))
    if found is None:
        return None
    at = one.w.rng.randrange(len(found.lines))
    line = found.lines[at]
    name = one.w.name("z")
    found.lines[at] = Line(name, "nothing")
    one.changes.append(f"  {called(found)}.{name}:")
    one.changes += line.written(4)
    return line.name


@layer("change a roll")
def change_roll(one: Layer) -> str | None:
    found = one.choose(lambda d: d.key.startswith(("roll ", "value ")) and bool(d.lines))
    if found is None:
        return None
    line = one.w.one(found.lines)
    one.changes.append(f"  {called(found)}.{line.name}: {plain(str(line.body))}")
    line.body = "needs 6" if found.key.startswith("roll ") else "5"
    return line.name


@layer("change a cell")
def change_cell(one: Layer) -> str | None:
    found = one.choose(lambda d: (d.key.startswith("table ") and "(brave" in d.key) or "(shots" in d.key)
    if found is None:
        return None
    row = one.w.one(found.lines)
    assert isinstance(row.body, str)
    cell, comma, rest = row.body.partition(",")
    column = "brave" if "(brave" in found.key else "shots"
    one.changes.append(f"  {called(found)}.{row.name}.{column}: {cell}, was 9")
    row.body = f"9{comma}{rest}"
    return "act"


@layer("remove a line")
def remove_line(one: Layer) -> str | None:
    found = one.choose(of_lines)
    if found is None:
        return None
    at, name = one.w.rng.randint(0, len(found.lines)), one.w.name("z")
    if not free(found.lines, at):
        return None
    found.lines.insert(at, Line(name, "nothing"))
    one.above.definitions.append(Line(f"remove {called(found)}.{name}"))
    return "act"


@layer("remove a row")
def remove_row(one: Layer) -> str | None:
    found = one.choose(lambda d: d.key.startswith(("table moods", "table arms")))
    if found is None:
        return None
    name = one.w.name("z")
    found.lines.insert(
        one.w.rng.randint(0, len(found.lines)), Line(name, "2, none, none" if "moods" in found.key else "2")
    )
    one.above.definitions.append(Line(f"remove {called(found)}.{name}"))
    return "act"


@layer("change all lines")
def change_all_lines(one: Layer) -> str | None:
    found = one.choose(lambda d: d.key.startswith(("roll ", "value ")) and " as " not in d.key)
    if found is None:
        return None
    one.changes.append(f"  {called(found)}:")
    one.changes += [text for line in found.lines for text in line.written(4)]
    names = [line.name for line in found.lines]
    found.body = [Line(one.w.name("z"), "needs 6" if found.key.startswith("roll ") else "5")]
    return names[0]


@layer("change a text")
def change_text(one: Layer) -> str | None:
    found = [d for d in one.below if id(d) not in one.touched and isinstance(d.body, str)]
    found = [d for d in found if d.key.startswith(("value ", "fact ", "ruling "))]
    if not found:
        return None
    chosen = one.w.one(found)
    one.touched.add(id(chosen))
    one.changes.append(f"  {called(chosen)}: {plain(str(chosen.body))}")
    chosen.body = {"fact": chosen.body, "ruling": chosen.body}.get(chosen.key.split(" ")[0], "2")
    return "act"


@layer("remove a definition")
def remove_definition(one: Layer) -> str | None:
    found = one.choose(of_lines)
    if found is None:
        return None
    name, subject = one.w.name("z"), "side" if "(side" in found.key else "figure" if "(figure)" in found.key else "unit"
    if subject != "unit":
        return None
    one.below.append(
        Line(f"rule {name} {one.w.one(['before', 'after', 'instead of'])} {called(found)}", f"{subject} leaves play")
    )
    one.touched.add(id(one.below[-1]))
    one.above.definitions.append(Line(f"remove {name}"))
    return "act"


def _moved(one: Layer) -> str | None:
    return None


LAYERS["extends"] = _moved
LAYERS["supplement"] = _moved


def laid(w: Writer, definitions: list[Line], chosen: list[str]) -> tuple[list[Page], str]:
    """The pages, undermost first, and the name of what they are together."""
    base = Page("game", ["game: Made up", *(["clauses: GEN"] if w.uses.get("clauses") else [])], definitions)
    if not chosen:
        return [base], "game"
    over = "supplement" in chosen
    above = Page("house", ["game: Made up, as we play it", *base.head[1:], "over: game" if over else "extends: game"])
    cut = Layer(w, definitions, above)
    for tag in chosen:
        name = LAYERS[tag](cut)
        if name:
            w.uses[tag].add(name)
    if "extends" in chosen or over or not (above.definitions or cut.changes):
        loose = [
            d
            for d in definitions
            if id(d) not in cut.touched and d.key.split(" ")[0] in ("rule", "value", "roll", "mark", "fact", "policy")
        ]
        for one in w.rng.sample(loose, min(2, len(loose))):
            definitions.remove(one)
            above.definitions.append(one)
        w.uses["supplement" if over else "extends"].add("act")
    if cut.changes:
        above.head += ["change:", *cut.changes]
    return [base, above], "game + house" if over else "house"
