"""Rule files nobody wrote: templates put together at random, where play under every script of dice is exactly odds.

Each file is one procedure `act`, four that it may call, an outcome table, rolls and rules, over two or three small
units; it must check clean. Its situation asks for lines of `act` and for its things at the end, all in one joint law.
After that a whole game that is no wargame, `data/toy`.
"""

import re
from collections import Counter
from copy import deepcopy
from fractions import Fraction as F
from pathlib import Path

import pytest
import yaml
from hypothesis import HealthCheck, given, note, settings
from hypothesis import strategies as st
from test_engines_kit import (
    Refused,
    TooMany,
    agree,
    bounded,
    case_of,
    codes,
    law_of_odds,
    law_of_play,
    refusal,
    rules_of,
)

from interpreter.source import Problems
from interpreter.workbench import odds
from interpreter.workbench.examples import examples_of
from interpreter.workbench.rules import open_rules
from interpreter.workbench.running import run

EXAMPLES = 60
SCRIPTS = 2500
DATA = Path(__file__).parent / "data"
HEAD = (DATA / "generated.yaml").read_text(encoding="utf-8")
ORDER = "it is down, it.wounds > 0, it.arm is bow, it.arm is rifle, it.wounds = 0, it.wounds = 1"

# What a line of one sentence may be: what it is worth, how many dice it throws, and the sentence.
LINES = [
    ("numbers", 0, "{number}"), ("truths", 0, "{truth}"),
    ("numbers", 1, "d2"), ("numbers", 1, "d3"), ("numbers", 1, "d2 + {number}"),
    ("numbers", 2, "{few} {hit} {unit}.{roll}"), ("truths", 1, "{unit} {does} {roll}"),
    ("faces", 2, "2 dice"), ("faces", 2, "{few} dice"), ("numbers", 0, "{@faces} missing {unit}.nerve"),
    ("numbers", 0, "sum({@faces} where it >= 2)"), ("numbers", 0, "({@faces} where it < 5) * {number}"),
    ("truths", 0, "any ({@faces} where it = 1)"), ("truths", 0, "all ({figures}) are (it is not down)"),
    ("men", 1, "1 of ({figures}) at random"), ("bags", 2, "2 of ({figures}) at random"),
    ("someone", 1, "1 of units at random"), ("moods", 1, "1 of moods at random"),
    ("bags", 2, "({unit}.figures) {hit} hardy"),
    ("truths", 0, "{unit}.side wishes usually yes"), ("numbers", 0, "{unit}.side picks 0 to {number} usually {most}"),
    ("bags", 0, "{unit}.side picks up to min(3, {number}) from {figures} usually {most}, " + ORDER),
    ("bags", 0, "{unit}.side picks {few} from {figures} usually " + ORDER),
    ("men", 0, "{unit}.side picks 1 from {figures} usually most, " + ORDER),
    ("someone", 0, "{unit}.side picks 1 from units usually most, it.pins > 1, it.mood is {mood}"),
    ("moods", 0, "{unit}.side picks 1 from moods usually {mood}"),
    ("rows", 2, "{unit}.harm(d3)"), ("rows", 2, "{unit}.harm(d3 + {unit}.heat)"),
    ("made", 0, "new unit (side {unit}.side, heat {number}, pins 1)"),
    *[("", 0, "{effect}")] * 5,
]  # fmt: skip
CALLS = [
    ("pokes", 2, "{unit} pokes at {unit}"), ("strikes", 2, "{unit} strikes at {unit}"),
    ("reckons", 2, "{unit} reckons {number}"), ("tends", 2, "{@men} tends"),
]  # fmt: skip
SORTS = ("units", "numbers", "truths", "faces", "bags", "men", "someone", "moods", "rows", "made")
CHOICES = {
    "truths": ["yes", "no"], "numbers": ["most", "fewest", "1"],
    "bags": [f"most, it is not down, {ORDER}", f"fewest, {ORDER}", f"it.wounds = 0, {ORDER}", "it.arm is bow"],
    "men": [f"it is not down, {ORDER}", "A.heat > 0"], "someone": ["B", "it.heat > 0, A"], "moods": ["wild", "wary"],
}  # fmt: skip
PARTS = [
    " for each ", " repeat ", " repeat up to ", " together", ", otherwise: ", ", by d3", ".mood:", " picks ", "wishes",
    " rule rule", "instead of", "choose:", "new unit", "again if", "best of 2", "row not in", " pokes ", " reckons ",
    " tends", ".harm(", "failing", "meeting", "missing", "alike(", "picks one", " leaves play", " at random", " where it >= ",
    " are (it",
]  # fmt: skip


def split(text):
    return [" ".join(t.split()) for t in text.split("|")]


WORDS = yaml.safe_load((DATA / "generated-words.yaml").read_text(encoding="utf-8"))  # what stands for {word}
TEMPLATES = {word: [split(part) for part in text.split("deep ")] for word, text in WORDS.items()}


class Writer:
    """Writes one rule file, and the situation for it."""

    def __init__(self, draw):
        self.draw = draw
        self.count = 0
        self.picks = []

    def one(self, options):
        return self.draw(st.sampled_from(list(options)))

    def number(self, low, high):
        return self.draw(st.integers(low, high))

    def name(self, stem):
        self.count += 1
        return f"{stem}{self.count}"

    def fresh(self, dice, **lines):
        """What the lines of a new definition can say: names of each sort, and the dice they may still throw."""
        self.scope = {s: lines.get(s, []) for s in SORTS}
        self.dice = dice
        self.calls = []

    # ---- one sentence
    def ready(self, template):
        return all(self.scope[s] for s in re.findall(r"\{@(\w+)\}", template))

    def say(self, template, depth=1):
        return re.sub(r"\{(@?)(\w+)\}", lambda m: self.word(m[1], m[2], depth), template)

    def word(self, known, word, depth):
        if known:
            return self.one(self.scope[word])
        flat, *deep = TEMPLATES[word]
        if deep and depth and self.number(1, 3) == 1:
            return self.say(self.one(deep[0]), depth - 1)
        return self.say(self.one([t for t in flat if self.ready(t)]), depth)

    def condition(self):
        if self.dice and self.number(1, 4) == 1:
            self.dice -= 1
            return self.say("({unit} {does} {roll}) {glue} {truth}".replace("{glue}", self.one(["and", "or"])))
        return self.say("{truth}")

    def sentence(self):
        """A sentence with the name of its line, which later lines can say."""
        options = [x for x in LINES + self.calls * 2 if x[1] <= self.dice and self.ready(x[2])]
        thrown = [x for x in options if x[1] or "@faces" in x[2]]
        sort, dice, template = self.one(thrown if thrown and self.number(0, 2) else options)
        self.dice -= dice
        text, name = self.say(template), self.name(sort[:1] or "e")
        if sort in self.scope:
            self.scope[sort].append(name)
            if " picks " in text or " wishes " in text:
                self.picks.append((name, sort))
        if sort in ("pokes", "strikes", "reckons", "tends"):
            for kind in ("numbers", "truths"):
                self.scope[kind] += [f"{name}.{line}" for line in self.exported[sort][kind]]
        return name, text

    # ---- lines
    def block(self, indent, depth, most):
        """Lines, and the names that are gone when they end."""
        return [line for _ in range(self.number(1, most)) for line in self.line(" " * indent, depth)]

    def inner(self, indent, depth, most, dice=None, **more):
        """A block of its own: its names are not known behind it; how they are said from outside is given back."""
        outer, before = self.scope, self.dice
        self.scope = deepcopy(outer)
        for sort, name in more.items():
            self.scope[sort].append(name)
        if dice is not None:
            self.dice = dice
        lines = self.block(indent, depth, most)
        own = {line.split(":")[0].split(",")[0].strip() for line in lines if line[indent] != " "}
        found = [n for n in self.scope["numbers"] if n in own]
        self.scope = outer
        if dice is not None:
            self.dice = before
        return lines, found

    def line(self, sp, depth):
        shapes = ["plain"] * 4 + ["if", "otherwise"]
        if depth:
            shapes += ["when", "men", "units", "times", "until", "together", "by", "by", "one"]
        return getattr(self, f"line_{self.one(shapes)}")(sp, depth)

    def line_plain(self, sp, depth):
        name, text = self.sentence()
        return [f"{sp}{name}: {text}"]

    def line_if(self, sp, depth):
        condition = self.condition()
        name, text = self.sentence()
        return [f"{sp}{name}, if {condition}: {text}"]

    def line_otherwise(self, sp, depth):
        lines = self.line_if(sp, depth)
        if self.number(0, 1):
            (more,) = self.line_if(sp, depth)
            lines.append(more.replace(", if ", ", otherwise, if ", 1))
        name, text = self.sentence()
        return [*lines, f"{sp}{name}, otherwise: {text}"]

    def line_when(self, sp, depth):
        head = f"{sp}{self.name('w')}, if {self.condition()}:"
        return [head, *self.inner(len(sp) + 2, depth - 1, 3)[0]]

    def loop(self, sp, depth, head, **more):
        """A loop runs about twice, so half of the dice are for each time; its numbers are totals outside."""
        name, each = self.name("l"), self.dice // 2
        lines, found = self.inner(len(sp) + 2, depth - 1, 3, each, **more)
        self.dice -= 2 * each
        self.scope["numbers"] += [f"{name}.{n}" for n in found[:2]]
        return [f"{sp}{name}, {head}:", *lines]

    def line_men(self, sp, depth):
        man, tail = self.name("man"), self.one(["", ", together", self.say(", if {truth}")])
        return self.loop(sp, depth, self.say(f"for each {man} in {{figures}}{tail}"), men=man)

    def line_units(self, sp, depth):
        foe, among = self.name("foe"), self.one(["units", "units where it.pins > 0", self.say("{unit}.foes")])
        return self.loop(sp, depth, f"for each {foe} in {among}{self.one(['', ', together'])}", units=foe)

    def line_times(self, sp, depth):
        return self.loop(sp, depth, self.say("repeat {few} times"))

    def line_until(self, sp, depth):
        return self.loop(sp, depth, self.say("repeat up to " + self.one(["2", "{few}"]) + " times until {truth}"))

    def line_together(self, sp, depth):
        return [f"{sp}{self.name('s')}, together:", *self.inner(len(sp) + 2, depth - 1, 3)[0]]

    def line_by(self, sp, depth):
        die = self.dice and self.number(0, 1)
        self.dice -= die
        faces = self.one([("1", "2", "3"), ("1-2", "3"), ("1", "2 or more")]) if die else ("calm, wary", "wild")
        head = f"{sp}{self.name('c')}, by {'d3' if die else self.say('{unit}.mood')}:"
        return [head, *(line for face in faces for line in self.case(sp + "  ", face))]

    def case(self, sp, face):
        shape = self.number(0, 2)
        if shape == 0:
            return [f"{sp}{face}: {self.say('{effect}')}"]
        if shape == 1 and "," not in face:
            return [f"{sp}{face} {self.name('k')}, if {self.say('{truth}')}: {self.say('{effect}')}"]
        return [f"{sp}{face}:", *self.inner(len(sp) + 2, 0, 2)[0]]

    def line_one(self, sp, depth):
        name, a, b = self.name("h"), self.name("a"), self.name("a")
        self.picks.append((name, (a, b)))
        head = f"{sp}{name}, {self.say('{unit}')}.side picks one usually {self.one([a, b])}:"
        first = f"{sp}  {a}, if {self.say('{truth}', 0)}: {self.say('{effect}')}"
        return [head, first, f"{sp}  {b}: {self.say('{effect}')}"]

    # ---- definitions
    def roll(self, name, of, dice):
        self.fresh(0, units=[of if of == "unit" else "figure.unit"], men=["figure"] * (of == "figure"))
        lines = [f"  roll {name} of {of} on {dice}:", f"    basic: needs {self.number(1, 3 if dice == 'high' else 2)}"]
        return lines + [f"    {self.name('r')}: {self.say('{change}')}" for _ in range(self.number(0, 2))]

    def table(self):
        self.fresh(1, units=["unit"])
        barred = self.one(["", " if row not in unit.blows"])
        rows = zip(self.one([("1", "2", "3"), ("1-2", "3", "4 or more")]), ("graze", "bruise", "break"), strict=True)
        lines = [f"  table harm of unit (face) by face{barred}:"]
        for face, word in rows:
            effect = self.one([self.say("{effect}"), f"unit.blows becomes unit.blows + {word}"])
            lines.append(f"    {face} {word}{self.one(['', self.say(', if {truth}')])}: {effect}")
        return lines

    def procedure(self, verb, told, dice, depth, most, calls=(), **lines):
        self.fresh(dice, **lines)
        self.calls = list(calls)
        body = self.block(4, depth, most)
        own = {line.split(":")[0].split(",")[0].strip() for line in body if line[4] != " "}
        self.exported[f"{verb}s"] = {s: [n for n in self.scope[s] if n.split(".")[0] in own] for s in SORTS}
        return [f"  to {verb} {told}:", *body]

    def rule(self):
        verb = self.one(["poke", "strike"])
        line = self.one(["", *self.exported[f"{verb}s"]["numbers"][:1]])
        self.fresh(1, units=["unit"])
        name = self.name("rule")
        if self.number(0, 2) == 0:
            head = f"  rule {name} for each unit after {self.say('{tick}')} if {self.say('{truth}')}"
            return [f"{head}: unit gains 1 heat"]
        if line and "." not in line and self.number(0, 1):
            return [f"  rule {name} {self.one(['before', 'after'])} {verb}.{line}: {self.say('{effect}')}"]
        when = self.one(["before", "after", "instead of"])
        return [f"  rule {name} {when} {verb} if {self.say('{truth}')}:", *self.block(4, 0, 2)]

    def rules(self):
        self.exported = {}
        body = self.roll("nerve", "unit", "high") + self.roll("luck", "unit", "low")
        body += self.roll("hardy", "figure", "high") + self.table()
        body += self.procedure("poke", "(unit) at (other unit)", 1, 1, 2, units=["unit", "other"])
        body += self.procedure("strike", "(unit) at (other unit)", 1, 1, 2, CALLS[:1], units=["unit", "other"])
        body += self.procedure("reckon", "(unit), (amount number)", 1, 1, 2, units=["unit"], numbers=["amount"])
        body += self.procedure("tend", "(figure)", 1, 0, 2, units=["figure.unit"], men=["figure"])
        self.picks.clear()
        body += self.procedure("act", "(unit) with (target unit)", 4, 2, 4, CALLS, units=["unit", "target"])
        picks = self.picks[:]
        body += [line for _ in range(self.number(0, 2)) for line in self.rule()]
        self.picks = picks
        return HEAD + "Doing:\n" + "\n".join(body) + "\n"

    def situation(self):
        sorts = ["2 with arm bow", "1 with arm bow and wounds 1", "1 with arm rifle, 1 with arm bow and down"]
        third = self.one(["", "unit C: side Red, pins 1, 1 figures\n", "tank C: side Red, 1 figures, 1 guns\n"])
        lines = ["side Red:"]
        for unit, side in (("A", "side Red, "), ("B", "")):
            traits = f"{side}{self.say('{mood}')}, pins {self.number(0, 2)}{self.one(['', ', tired'])}"
            lines += [f"unit {unit}:", f"  is: {traits}", f"  figures: [{self.one(sorts)}]"]
        lines += [f"{third}facts: {self.one(['windy(A, B)', 'slope(A) is 2', 'A.heat is 2'])}"]
        lines += [f"rulings: {{fog: {self.number(1, 2)}}}", "do: A acts with B"]
        if self.picks and self.number(0, 1):
            name, sort = self.one(self.picks)
            lines += ["choose:", f"  {name}: {self.one(CHOICES.get(sort, sort))}"]
        acts = self.exported["acts"]
        asks = [a for a in TEMPLATES["asked"][0] if self.number(0, 1)] + acts["numbers"] + acts["truths"] + acts["bags"]
        return "\n".join([*lines, "ask:", *(f"  - {a}" for a in asks or ["A.pins"])]) + "\n"


@st.composite
def written(draw):
    writer = Writer(draw)
    return writer.rules(), writer.situation()


def tried(rules, situation):
    """How a file was tried: by `every script`, or `too large` for that, or `refused` by both engines alike."""
    case = case_of(rules_of(rules), situation)
    try:
        played, lost, count = law_of_play(case, SCRIPTS)
    except TooMany:
        assert law_of_odds(case)
        return "too large"
    except Refused as why:
        if why.code == "E005":  # odds leave out what nobody asks for
            odds(case)
            assert codes(case) in ([], ["E005"])
        else:
            assert refusal(case) == [why.code]
        return f"refused {why.code}"
    assert lost == 0
    assert law_of_odds(case) == played
    return "every script" if count > 1 else "one script"


def test_every_script_of_rules_nobody_wrote():
    found, met = Counter(), Counter()

    @settings(max_examples=EXAMPLES, suppress_health_check=list(HealthCheck), database=None)
    @given(written())
    def try_them(files):
        note("\n".join(files))
        found[tried(*files)] += 1
        met.update({part for part in PARTS if part in "".join(files)})

    try_them()
    assert found["every script"] >= EXAMPLES / 4, found
    assert len(met) >= len(PARTS) * 2 // 3, set(PARTS) - set(met)  # which ones is chance, in so few files


# ---- a game that is no wargame
TOY = DATA / "toy" / "toy.yaml"
TABLE = "pot Chest: gold 2\nplayer Ann: {ann}\nplayer Bob: purse 2, {bob}\n"


def toy(do, *asks, ann="plain", bob="plain", more=""):
    text = f"{TABLE.format(ann=ann, bob=bob)}do: {do}\nask: [{', '.join(asks)}]\n{more}"
    return case_of(rules_of(TOY.read_text(encoding="utf-8")), text)


def test_the_toy_checks_and_its_examples_hold():
    problems = Problems()
    rules = open_rules(TOY, problems)
    assert rules is not None
    examples = examples_of(rules, problems)
    assert len(examples) == 3
    for example in examples:
        problems.extend(run(rules, example).problems)
    assert not list(problems)


@pytest.mark.parametrize("ann", ["plain", "jinxed", "blessed", "tipsy", "blessed, tipsy, stake 4"])
@pytest.mark.parametrize("bob", ["plain", "tipsy"])
def test_a_round_of_the_toy_is_exact(ann, bob):
    case = toy("Chest opens-up", "left", "Ann.purse", "Bob.purse", "Chest.gold", ann=ann, bob=bob)
    assert agree(case) > 3
    law = law_of_odds(case)
    assert {sum(values[1:]) for values in law} == {2 + 5 + 2}, "no coin is lost"


def test_the_law_of_a_round_of_the_toy():
    # Ann bids 3 and sees 4 on the d8 pass; Bob bids his 2, and 4 pass as well
    law = law_of_odds(toy("Chest opens-up", "Ann.purse", "Bob.purse", "left"))
    assert law == {(9, 0, 0): F(1, 2), (2, 7, 0): F(1, 4), (2, 0, 7): F(1, 4)}


def test_a_bid_as_the_situation_says():
    law = law_of_odds(toy("Chest opens-up", "Ann.purse", "Bob.purse", more="choose: {bid.offer: fewest}\n"))
    assert law == {(7, 2): F(3, 8), (5, 4): F(5, 8) * F(3, 8), (5, 2): F(5, 8) * F(5, 8)}


def test_a_race_without_end():
    case = toy("Ann races against Bob", "first-in")
    assert law_of_odds(case) == {(True,): F(8, 13), (False,): F(5, 13)}
    assert bounded(case, 5) == F(5, 8) ** 5
