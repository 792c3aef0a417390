"""A game from a seed: which constructs it has, its pages, its situations.

Every pair of constructs stands in some game of a long enough run: each game is made for one of the list, in turn.
"""

from __future__ import annotations

import re
from random import Random

from .constructs import ALL, ORDERS, pair
from .layers import LAYERS, laid
from .lines import CONSTRUCTS, LATE
from .model import Game, Line, Situation
from .wanted import spoken
from .world import situation, world
from .writer import Writer

CHOICES = {
    "truth": ["yes", "no"],
    "number": ["most", "fewest", "1"],
    "figures": ["most, it is not down", "fewest", "it.wounds = 0, it is down", "it is down"],
    "figure": ["it is down", "it.wounds > 0"],
    "thing": ["B", "it.heat > 0, A"],
    "row": ["wild", "wary"],
    "faces": ["it = 1", "it = 2, it = 3"],
}


def game(seed: int) -> Game:
    """The game of this seed: the same whenever and wherever it is asked for."""
    rng = Random(seed)
    w = Writer(rng)
    chosen = [*pair(seed), *rng.sample(ALL, rng.randint(0, 3))]
    chosen = list(dict.fromkeys(chosen))
    rng.shuffle(chosen)
    w.open = "open choice" in chosen
    w.scope["roll"] = ["nerve", "luck"]
    w.scope["unit"] = ["unit", "target"]
    w.dice = 4
    w.todo = [(c, CONSTRUCTS[c]) for c in chosen if c in CONSTRUCTS]
    said = [c for c in chosen if c not in ALL]
    early = [c for c in said if w.chance(2)]
    for c in early:
        spoken(w, c)
    w.fill(1)
    while w.todo:
        w.build(*w.todo.pop())
    for c in said:
        if c not in early:
            spoken(w, c)
    for c in chosen:
        if c in LATE:
            w.build(c, LATE[c])
    if len(w.block) < 3:
        w.sentence()
    w.definitions.append(Line("to act (unit) with (target unit)", w.block))
    asked = _asks(w)
    texts = [text for d in w.definitions for line in d.walk() for text in line.texts]
    definitions = [*world(w, [*texts, *asked]), *w.definitions]
    words = {x for d in definitions for line in d.walk() for t in line.texts for x in re.findall(r"[a-z][a-z0-9-]*", t)}
    for c in ORDERS:
        if c in chosen:
            w.uses[c].add("act")
    if w.open:
        _opened(definitions)
    choose, several = _choose(w, chosen, definitions, words), "do lines" in chosen
    if "clauses" in chosen:
        _cited(w, definitions)
    pages, rules = laid(w, definitions, [c for c in chosen if c in LAYERS])
    things = situation(w, words)
    done = ["do: A acts with B"]
    if several:
        then = w.one(
            [
                ["  reply: B acts with A"],
                ["  reply, if A.figures > 1: B acts with A"],
                ["  pause: nothing"],
                ["  reply, otherwise: B acts with A"],
            ]
        )
        first = f"  opening{', if no A.figures' if 'otherwise' in then[0] else ''}: A acts with B"
        done = ["do:", first, *then]
        asked = [
            re.sub(r"(?<![\w.-])[a-z][a-z0-9]*", lambda m: f"opening.{m[0]}" if m[0] in w.own else m[0], a)
            for a in asked
        ]
    text = "\n".join([f"rules: {rules}", *things, *done, *choose, "ask:", *(f"  - {a}" for a in asked)]) + "\n"
    files = {f"{page.name}.yaml": page.written() for page in pages} | {"situation.yaml": text}
    uses = {tag: frozenset(names) for tag, names in w.uses.items() if tag}
    return Game(seed, rules, files, (Situation("situation.yaml", tuple(asked), w.open),), uses)


def _asks(w: Writer) -> list[str]:
    """Questions: lines of the procedure, and how things are at the end."""
    w.own = {line.name for line in w.block}
    lines = [n for s in ("number", "truth", "figures", "row", "inches") for n in w.scope[s] if n.split(".")[0] in w.own]
    ends = [
        "A.pins",
        "B.pins",
        "A.heat",
        "B.heat",
        "A.figures",
        "B.figures",
        "A.mood",
        "units",
        "A is tired",
        "B.figures where down",
    ]
    ends += [
        "sum(A.figures.wounds)",
        "B.figures where arm is bow",
        "any B.friend",
        "graze in A.blows",
        "A.figures where wounds > 0",
    ]
    spoken = " ".join(text for line in w.block for each in line.walk() for text in each.texts)
    known = set(re.findall(r"[a-z][a-z0-9-]*", spoken)) | {"figures", "units"}
    ends = [e for e in ends if set(re.findall(r"[a-z]{4,}", e)) - {"where"} & known]
    ends += [f"{x} is {m}" for m in w.scope["tick"][1:] for x in "AB"]
    ends += [f"A.figures where {m}" for m in w.scope["ftick"][1:]]
    found = w.rng.sample(lines, min(4, len(lines))) + w.rng.sample(ends, min(3, len(ends)))
    numbers = [n for n in w.scope["number"] if n.split(".")[0] in w.own]
    run = [n for n in w.scope["line"] if n in w.own]
    if run and w.chance(4):
        found.append(w.one([f"ran({w.one(run)})", f"not ran({w.one(run)})"]))
    addresses = _addresses(w)
    if addresses and w.chance(3):
        found.append(w.one(addresses))
    truths = [n for n in w.scope["truth"] if n.split(".")[0] in w.own]
    if numbers and w.chance(3):
        a, b = w.one(numbers), w.one([*numbers, "A.figures"])
        found.append(
            w.one(
                [
                    f"{a} + {b}",
                    f"{a} - {b}",
                    f"{a} > {b}",
                    f"min({a}, {b})",
                    f"{a} = 0 or {b} > 1",
                    f"({a} if {b} > 0 else 7)",
                ]
            )
        )
    if truths and w.chance(3):
        a, b = w.one(truths), w.one(truths)
        found.append(w.one([f"not {a}", f"{a} and {b}", f"{a} or not {b}", f"(1 if {a} else 2)"]))
    return list(dict.fromkeys(found)) or ["A.figures"]


def _addresses(w: Writer) -> list[str]:
    """Lines of cases by their faces, those of outcome tables by their rows, and all runs of a procedure's or a rule's line."""
    found = []
    for line in w.block:
        for case in line.lines if ", by " in line.key else []:
            face = case.key.split(" ")[0].rstrip(",")
            if "," not in case.key and " or " not in case.key:
                found += [_asked(f"{line.name}.{face}", x) for x in case.lines if ", by " not in x.key]
    for definition in w.definitions:
        what, name = definition.key.split(" ")[:2]
        if what == "to" and name != "dwell":
            found += [_asked(name, x) for x in definition.lines if ", by " not in x.key]
        if what == "rule":
            found += [_asked(name, x) for x in definition.lines if ", by " not in x.key]
        if what == "table" and " by face" in definition.key:
            for row in definition.lines:
                found += [f"{name}.{row.name}.{x.name}" for x in row.lines if x.name[0] == "n"]
    return found


def _asked(above: str, line: Line) -> str:
    """A number by its address; of any other line whether it was run."""
    return f"{above}.{line.name}" if line.name[0] == "n" else f"ran({above}.{line.name})"


def _choose(w: Writer, chosen: list[str], definitions: list[Line], words: set[str]) -> list[str]:
    if not w.picks or not ({"choose:", "policy"} & set(chosen)):
        return []
    name, sort = w.one(w.picks)
    options = [o for o in CHOICES.get(sort, sort.split(" ")) if _known(o, words)]
    if not options or ("policy" in chosen and sort == "thing"):
        return []
    said = w.one(options) if w.chance(6) or "policy" in chosen else w.one([*options, "any"])
    w.uses["choose:" if "choose:" in chosen else "policy"].add(name)
    if "policy" in chosen:
        definitions.append(Line("policy careful", [Line(name, said)]))
        return [w.one(["choose: careful", "choose: {A: careful}", "choose: {everybody: careful}"])]
    if w.chance(2):
        return ["choose:", f"  {name}: {said}"]
    lines = [f"  {w.one('AB')}.{name}: {said}", *([f"  {name}: {w.one(options)}"] if w.chance(2) else [])]
    return ["choose:", *(lines if w.chance(2) else reversed(lines))]


def _known(text: str, words: set[str]) -> bool:
    names = {x for x in re.findall(r"\bit\.(\w+)|\bis (?:not )?(\w+)", text) for x in x if x}
    return names <= words


def _cited(w: Writer, definitions: list[Line]) -> None:
    """Clauses behind titles, keys and sentences."""
    for definition in definitions:
        if not definition.key.startswith("dice") and w.chance(2):
            definition.key += w.one([" [1]", " [2, 3]", " [4..6]"])
        for line in definition.walk()[1:]:
            if w.chance(3) and isinstance(line.body, str) and line.body:
                line.body += w.one([" [7]", " [8, 9]"])
            elif w.chance(3) and definition.key.startswith("to "):
                line.key += " [5]"


def _opened(definitions: list[Line]) -> None:
    """Leaves some choices open: what is usual there is not said, or only who goes first and not how many."""
    for definition in definitions:
        for number, line in enumerate(definition.walk()):
            if isinstance(line.body, str) and re.search(r" picks | wishes| deals ", line.body):
                some = re.search(r" usually (most|fewest), ", line.body)
                if number % 2 and some and " picks up to " in line.body:
                    line.body = line.body.replace(some[0], " usually ")
                else:
                    line.body = line.body.split(" usually ")[0]
