"""The things that a generated game is about, as far as its lines speak of them: kinds, tables, marks, facts, values, rolls.

Taken: the definitions written so far. Given: the definitions that they need, and what a situation has to say of them.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from copy import deepcopy

from .calls import elsewhere
from .model import Line
from .words import WORDS
from .writer import Writer

CHANGES = {t.tag for ts in WORDS["change"] for t in ts} - {""}  # of rolls
UNIT = {
    "pins": "number 0 to 3",
    "heat": "number",
    "mood": "one of moods first calm",
    "friend": "a unit or none",
    "blows": "many harm",
    "stride": 'inches first 3"',
    "keen": "yes or no",
    "pals": "many units",
    "way": "one of ways or none first left",
    "luckiness": "number -1 to 2",
    "spite": "number or none",
    "muster": "number first figures",
    "hale": "yes or no first yes",
    "cup": "one of cups first brew",
}
FIGURE = {
    "arm": "one of arms or none",
    "wounds": "number 0 to 2",
    "scars": "many harm",
    "bold": "yes or no",
    "prey": "a unit or none",
}
PLAIN: dict[str, list[Line]] = {
    "tank": [Line("kind tank, a unit", [Line("fuel", "number first 1")])],
    "guns": [Line("kind gun, a figure", [Line("load", "number 0 to 2")])],
    "evenings": [Line("kind evening", [Line("gloom", "number")])],
    "windy": [Line("fact windy of unit (other unit)", "yes or no first no")],
    "misty": [Line("fact misty of unit (other unit)", "yes or no first no, both ways")],
    "slope": [Line("fact slope of unit", "number first 1")],
    "gap": [Line("fact gap of unit (other unit)", 'inches first 3"')],
    "caught": [Line("fact caught of unit (other unit, far number)", "yes or no first no")],
    "ways": [Line("table ways", "left, right")],
    "cups": [Line("table cups (does)", [Line("brew", "tired"), Line("tea", "weary"), Line("water", "none")])],
    "outlook": [Line("fact outlook of unit", "one of ways first left")],
    "suits": [Line("fact suits of unit (way moods)", "yes or no first no")],
    "span": [Line("fact span of unit (other unit)", "inches")],
    "omen": [Line("ruling omen", "fair, or foul")],
    "custom": [Line("ruling custom", "calm, or wild")],
    "weary": [Line("mark slow, weary of unit")],
    "small": [Line("limit small of unit", "figures <= 9")],
    "fog": [Line("ruling fog", "1, or 2")],
    "casualty": [Line("mark casualty of figure", "out of play")],
    "down": [Line("mark down of figure")],
    "tired": [Line("mark tired of unit")],
    "big": [Line("mark big of arms")],
    "foes": [Line("value foes of unit", "units where it.side is not unit.side")],
}
IMPLIED = {
    "left": "ways",
    "right": "ways",
    "slow": "weary",
    "skill": "moods",
    "kick": "moods",
    "casualties": "casualty",
    "fuel": "tank",
    "gun": "guns",
    "load": "guns",
    "calm": "moods",
    "wary": "moods",
    "wild": "moods",
    "rifle": "arms",
    "pin": "pins",
    "wound": "wounds",
    "evening": "evenings",
    "bow": "arms",
    "custom": "moods",
    "does": "cups",
}
MOODS = [
    Line(
        "moods (brave, skill, kick)",
        [Line("calm", "2, 3+, d2"), Line("wary", "3, 2+, d2+1"), Line("wild", "none, none, none")],
    ),
    Line("moods (brave, skill, kick)", [Line("calm", "1, 2+, d2"), Line("wary", "0"), Line("wild", "-, 3+, d3")]),
    Line(
        "moods (brave, skill, kick)",
        [Line("calm", "+1, 2+, none"), Line("wary", "0, -, d2"), Line("wild", "-1, 2+, d2-1")],
    ),
]


def dice(w: Writer) -> list[Line]:
    low, high = w.one([2, 2, 3]), w.one([2, 3, 3, 4])
    rest = [
        w.one(["", f", always {high}", f", always {high}, never 1", ", never 1"]),
        w.one(["", ", always 1", f", never {low}"]),
    ]
    w.high = high
    return [Line("dice high", f"d{high} at or over{rest[0]}"), Line("dice low", f"d{low} at or under{rest[1]}")]


def arms(w: Writer) -> list[Line]:
    rows = [
        Line("bow", w.one(['1, 6", 1', '2, 6"/12", 2/1', "1, none, none"])),
        Line("rifle", w.one(['2, 6"/12", 2/1, big', '1, 24", 1', '1, 6", rate 2, big'])),
    ]
    return [Line("table arms (shots, reach, rate by reach)", rows)]


VALUES = {
    "value +1": "+1 if {truth}",
    "value per": "-1 per {unit}.pins",
    "value +E": "+{unit}.heat",
    "value -2": "-2",
    "at least": "at least 1",
    "at most": "at most {few}",
    "times": "times 2 if {truth}",
    "value anew": "{number} if {truth}",
    "at least if": "at least 0 if {truth}",
    "value per count": "+1 per {number}",
    "value of a row": "+{unit}.mood.brave",
}


def grit(w: Writer) -> list[Line]:
    """A value with lines of every kind."""
    with elsewhere(w, 0, unit=["unit"]):
        lines = [Line(w.name("v"), w.say("min(2, {number})"))]
        wanted = [pair for pair in VALUES.items() if pair[0] in w.wanted]
        others = [pair for pair in VALUES.items() if pair[0] not in w.wanted]
        for tag, text in [*wanted, *w.rng.sample(others, w.rng.randint(0 if wanted else 1, 2))]:
            name = w.name("v")
            w.told.add(tag)
            lines.append(Line(name, _ungritty(w.say(text))))
            for said in w.told:
                w.uses[said].add(name)
            w.told.clear()
    lines[0].body = _ungritty(str(lines[0].body))
    return [Line("value grit of unit", lines)]


def lined(title: str, first: str, kinds: list[str], **names: list[str]) -> Callable[[Writer], list[Line]]:
    """A value of lines, or of one text."""

    def build(w: Writer) -> list[Line]:
        with elsewhere(w, 0, **names):
            if w.chance(2):
                return [Line(title, _ungritty(w.say(first)))]
            lines = [
                Line(w.name("v"), _ungritty(w.say(text)).replace(".pace", ".stride"))
                for text in (first, *w.rng.sample(kinds, w.rng.randint(1, 2)))
            ]
            w.told.clear()
        return [Line(title, lines)]

    return build


def _of_one_text(w: Writer, title: str, text: str, **names: list[str]) -> list[Line]:
    with elsewhere(w, 0, **names):
        body = _ungritty(w.say(text))
        w.told.clear()
    return [Line(title, body)]


def _ungritty(text: str) -> str:
    text = re.sub(r"\.bearing\b", ".mood", text)
    text = re.sub(r"\.crew\b", ".figures", text)
    text = re.sub(r"[\w.]+\.calm-enough", "fog = 2", text)
    return re.sub(
        r"sum\(units\.grit\)|[\w.]+\.grit|[\w.]+\.worth\([\w.]+\)|[\w.]+\.cheer\([\w.]+\)|swell\([^()]*(\([^()]*\))?\)|\btide\b",
        "1",
        text,
    )


def roll(name: str, of: str, on: str) -> Callable[[Writer], list[Line]]:
    def build(w: Writer) -> list[Line]:
        own = (
            {"unit": ["figure.unit"], "figure": ["figure"]}
            if of == "figure"
            else {"unit": ["unit", "other"] if "other" in of else ["unit"]}
        )
        title = f"roll {name} of {of}" + (f" on {on}" if on else "")
        with elsewhere(w, 0, **own):
            lines = [
                Line(
                    f"{name}-base",
                    f"needs {w.rng.randint(1, w.high if on != 'low' else 2)}{w.one(['', '', '+' if on != 'low' else ''])}",
                )
            ]
            changes = [w.one([t for t in WORDS["change"][0] if t.tag == tag]) for tag in sorted(w.wanted & CHANGES)]
            for template in [*changes, *[None] * w.rng.randint(0 if changes else 1, 2)]:
                line = w.name("b")
                if template is not None:
                    w.told.add(template.tag)
                text = w.say(template.text if template is not None else "{change}")
                while on == "low" and "skill" in text:
                    text = w.say("{change}")
                lines.append(Line(line, text))
                for said in w.told:
                    w.uses[said].add(line)
                w.told.clear()
        if name == "luck" and ({"roll as", "roll as, a line anew"} & w.wanted or w.chance(3)):
            title = "roll luck of unit as nerve on high"
            w.uses["roll as"].add("luck")
        if name == "hardy" and w.chance(3):
            title = "roll hardy of figure as unit.nerve on high"
            w.uses["roll as"].add("hardy")
        if " as " in title and ("roll as, a line anew" in w.wanted or w.chance(3)):
            lines[0].key = "nerve-base"  # in the place of the line that is taken over
            w.uses["roll as, a line anew"].add("nerve-base")
        elif " as " in title and len(lines) > 1:
            lines = lines[1:]
        w.uses["roll on"].add(name)
        return [Line(title, lines)]

    return build


MADE: dict[str, Callable[[Writer], list[Line]]] = {
    "arms": arms,
    "moods": lambda w: [Line(f"table {(found := deepcopy(w.one(MOODS))).key}", found.body)],
    "grit": grit,
    "worth": lined(
        "value worth of unit (other unit)",
        "other.heat",
        ["+1 if {truth}", "+unit.heat", "-1 per other.pins if {truth}", "at most 3"],
        unit=["unit", "other"],
    ),
    "tide": lined("value tide", "sum(units.heat)", ["+1 if any (units where tired)", "times 2", "at least 1"]),
    "swell": lined("value swell (size number)", "size", ["+1", "times size", "at most 2 if size > 2"]),
    "pace": lined(
        "value pace of unit",
        "unit.stride",
        ['+2" if {truth}', '-1" per unit.pins', 'at least 1"', 'at most 6" if {truth}'],
        unit=["unit"],
    ),
    "bearing": lined(
        "value bearing of unit",
        "unit.mood",
        ["+1 if {truth}", "-1 if {truth}", "{mood} if {truth}", "at least wary", "at most wary if {truth}", "+1"],
        unit=["unit"],
    ),
    "might": lined(
        "value might of side",
        "sum(units.heat)",
        ["+1 if any (units where it.pins > 0)", "+units", "times 2 if purse > 0", "at most 4"],
        bare=[""],
    ),
    "crew": lambda w: _of_one_text(w, "value crew of unit", "figures where {which}", unit=["unit"], bare=[""]),
    "calm-enough": lambda w: _of_one_text(w, "value calm-enough of unit", "{truth}", unit=["unit"]),
    "cheer": lined(
        "value cheer of unit (way moods)",
        "way.brave + unit.pins",
        ["+1 if way > calm", "2 if way is {mood}", "-1 if unit.mood is way"],
        unit=["unit"],
    ),
    "aim": roll("aim", "unit (other unit)", ""),
    "nerve": roll("nerve", "unit", "high"),
    "luck": roll("luck", "unit", "low"),
    "hardy": roll("hardy", "figure", "high"),
}


def harm(w: Writer) -> list[Line]:
    """The outcome table where lines speak of its rows and nothing rolls on it."""
    return [
        Line(
            "table harm of unit (face) by face",
            [Line("1 graze", "nothing"), Line("2 bruise", "nothing"), Line("3 break", "nothing")],
        )
    ]


def world(w: Writer, texts: list[str]) -> list[Line]:
    """The definitions that these texts speak of, and what those speak of in turn."""
    found: dict[str, list[Line]] = {"dice": dice(w)}
    seen: set[str] = set()
    attributes: dict[str, str] = {}
    counted: dict[str, str] = {}
    fresh = [*texts, "figures"]
    while fresh:
        words = {x for text in fresh for x in re.findall(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*", text)} - seen
        seen |= words
        words |= {IMPLIED[x] for x in words if x in IMPLIED}
        fresh = []
        for word in sorted(words):
            if word in UNIT and word not in attributes:
                attributes[word] = UNIT[word]
                fresh.append(UNIT[word])
            elif word in FIGURE and word not in counted:
                counted[word] = FIGURE[word]
                fresh.append(FIGURE[word])
            elif word in PLAIN and word not in found:
                found[word] = deepcopy(PLAIN[word])
            elif word in MADE and word not in found:
                found[word] = MADE[word](w)
            elif word in ("harm", "graze") and "harm" not in w.procedures and "harm" not in found:
                found["harm"] = harm(w)
            else:
                continue
            for line in found.get(word, []):
                fresh += [text for each in line.walk() for text in each.texts]
    purse = [Line("purse", "number")] if "purse" in seen else []
    kinds = [
        Line("kind side", purse or ""),
        Line("kind unit of side", [Line(k, v) for k, v in attributes.items()] or ""),
    ]
    kinds.append(Line("kind figure, many to a unit", [Line(k, v) for k, v in counted.items()] or ""))
    w.attributes, w.counted = set(attributes), set(counted)
    return [*found.pop("dice"), *kinds, *(line for lines in found.values() for line in lines)]


# ---- situations
def situation(w: Writer, words: set[str]) -> list[str]:
    """Who is there: two units or three, of one to three figures."""
    sorts = []
    with_arm, hurt = "arm" in w.counted, "wounds" in w.counted
    for _ in range(2):
        traits = []
        if with_arm and not w.chance(3):
            traits.append("arm " + w.one(["bow", "rifle"]))
        if hurt and w.chance(3):
            traits.append("wounds 1")
        if "down" in words and w.chance(4):
            traits.append("down")
        sorts.append(traits)
    lines, cards = ["side Red:"], []
    for unit in ("A", "B", *(["C"] if w.chance(4) else [])):
        traits = ["side Red"] if unit != "B" else []
        if "mood" in w.attributes and w.chance(2):
            traits.append(w.one(["calm", "wary", "wild"]))
        if "pins" in w.attributes and w.chance(2):
            traits.append(f"pins {w.rng.randint(0, 3)}")
        elif "pins" in w.attributes and w.chance(3):
            cards.append(f"{unit}.pins is {w.rng.randint(0, 3)}")
        if "heat" in w.attributes and w.chance(3):
            traits.append(f"heat {w.rng.randint(0, 2)}")
        if "tired" in words and w.chance(4):
            traits.append("tired")
        elif "tired" in words and w.chance(5):
            cards.append(w.one([f"{unit}.tired", f"not {unit}.tired"]))
        if "keen" in w.attributes and w.chance(2):
            traits.append("keen")
        if "hale" in w.attributes and w.chance(2):
            traits.append("not hale")
        if "spite" in w.attributes and w.chance(2):
            traits.append(f"spite {w.rng.randint(0, 2)}")
        if "cup" in w.attributes and w.chance(2):
            traits.append(w.one(["tea", "water"]))
        if "friend" in w.attributes and w.chance(3):
            traits.append("friend A" if unit == "B" else "friend B")
        if "pals" in w.attributes and w.chance(2):
            traits.append("pals B")
        kind = "tank" if "tank" in words and w.chance(2) else "unit"
        groups = [
            f"{w.rng.randint(1, 2)}" + (" with " + " and ".join(t) if t else "") for t in sorts[: w.rng.randint(1, 2)]
        ]
        guns = [f"{w.rng.randint(1, 2)} guns"] if "guns" in words and w.chance(2) else []
        lines += [
            f"{kind} {unit}:",
            f"  is: {', '.join([*traits, *guns])}".rstrip(" :") if traits or guns else "",
            f"  figures: [{', '.join(groups)}]",
        ]
    if "evenings" in words or "evening" in words:
        lines.append(f"evening Dusk: gloom {w.rng.randint(0, 1)}")
    facts = [
        f
        for word, f in (
            ("windy", "windy(A, B)"),
            ("misty", "misty(A, B)"),
            ("slope", "slope(A) is 2"),
            ("gap", 'gap(A, B) is 8"'),
            ("outlook", "outlook(B) is right"),
            ("suits", "suits(A, wary)"),
        )
        if word in words and w.chance(2)
    ]
    named = {x.name: d.key.replace(",", " ").split(" ")[1] for d in w.definitions for x in d.walk()}
    made_by = [f"{named[made]}.{made}" for made in w.made if made in named]
    for made in made_by:
        facts += [
            f
            for word, f in (
                ("slope", f"slope({made}) is 3"),
                ("windy", f"windy({made}, A)"),
                ("misty", f"misty(A, {made})"),
            )
            if word in words and w.chance(2)
        ]
    if "span" in words:
        there = [line[line.index(" ") + 1 : -1] for line in lines if line.startswith(("unit ", "tank "))]
        facts += [
            f'span({a}, {b}) is {2 * i + 3 * j}"' for j, b in enumerate(there) for i, a in enumerate(there[: j + 1])
        ]
        facts += [f'span({made}, {unit}) is {len(unit) + 3}"' for made in made_by for unit in [*there, made]]
        if w.chance(3):
            facts.append('span(B, A) is 1"')  # both stated: each way its own
    facts += cards
    if facts:
        lines += ["facts:", *(f"  - {f}" for f in facts)]
    ruled = [
        f"{word}: {other}"
        for word, other in (("fog", "2"), ("omen", "foul"), ("custom", "wild"))
        if word in words and w.chance(2)
    ]
    if ruled:
        lines.append("rulings: {" + ", ".join(ruled) + "}")
    return [line for line in lines if line]
