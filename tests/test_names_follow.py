"""Names of counted things follow them through calls: as if every figure were a thing of its own.

Each generated file is written twice: with `kind figure, many to a unit` and with `kind figure of unit`, where a name is
a set of things and nothing can be lost. Every figure has a number of its own, so both must say the same. A second test
has alike figures: what a procedure does that was called is what its lines do where they are written out.
"""

from contextlib import suppress
from fractions import Fraction

import pytest
from hypothesis import HealthCheck, given, note, settings
from hypothesis import strategies as st
from test_engines_kit import TooMany, agree, case_of, law_of_odds, rules_of

from interpreter.program import changes
from interpreter.program.figure_names import Names

EXAMPLES = 40
SCRIPTS = 1500
HEAD = """
game: toy
Things:
  dice high: d6 at or over
  kind side:
  kind unit of side:
    pins: number 0 to 9
  kind figure{kind}:
    num: number
    wounds: number 0 to 3
    shots: number 0 to 3
  mark down of figure:
Doing:
"""
COUNTED = HEAD.format(kind=", many to a unit")
APART = HEAD.format(kind=" of unit")


def things(counted, groups):
    """Two units and their figures: by the row, or each by itself."""
    lines = ["side Red:"]
    for unit, traits in groups.items():
        lines.append(f"unit {unit}:\n  is: side Red")
        if counted:
            lines.append(f"  figures: [{', '.join(f'1 with {t}' for t in traits).replace(' & ', ' and ')}]")
    if not counted:
        lines += [
            f"figure F{i}{u}: unit {u}, {t}".replace(" & ", ", ")
            for u, traits in groups.items()
            for i, t in enumerate(traits)
        ]
    return "\n".join(lines) + "\n"


class Writer:
    """Lines in which names are given and kept while others change what they name."""

    def __init__(self, draw):
        self.draw, self.count = draw, 0

    def number(self, low, high):
        return self.draw(st.integers(low, high))

    def one(self, options):
        return self.draw(st.sampled_from(list(options)))

    def fresh(self, stem):
        self.count += 1
        return f"{stem}{self.count}"

    def condition(self):
        return self.one(
            ["it is down", "it is not down", "it.wounds > 0", "it.wounds = 0", "it.shots > 0", "it.num > 2"]
            + [f"it.num = {self.number(1, 6)}", f"it.num < {self.number(2, 6)}"]
        )

    def some(self, depth=1):
        """A collection of figures."""
        options = [f"{u}.figures" for u in self.units] + self.names * 2
        if depth and self.number(0, 1):
            inner = self.some(0)
            kind = self.number(0, 3)
            if kind < 2 or not self.names:
                return f"({inner} where {self.condition()})"
            name = self.one(self.names)
            return f"({inner} - {name})" if kind == 2 else f"({name} + ({inner} - {name}))"
        return self.one(options)

    def change(self):
        return self.one(["gain 1 wounds", "lose 1 wounds", "gain down", "lose down", "gain 1 shots"])

    def effect(self):
        if self.men and self.number(0, 1):
            head, _, tail = self.change().partition(" ")
            return f"{self.one(self.men)} {head}s {tail}"
        if self.number(0, 5) == 0:
            return f"{self.some()}.unit becomes {self.one(self.units)}"
        if self.men and self.number(0, 5) == 0:
            return f"{self.some()}.wounds becomes {self.one(self.men)}.wounds + 1"
        return f"{self.some()} {self.change()}"

    def call(self):
        told = [f"{self.one(self.units)} shakes"] if "shake" in self.calls else []
        told += [f"{self.one(self.units)} drills {self.some()}"] if "drill" in self.calls else []
        told += [f"{self.one(self.men)} stumbles"] if "stumble" in self.calls and self.men else []
        return self.one(told) if told else self.effect()

    def line(self, sp, depth):
        kind = self.number(0, 11 if depth else 7)
        if kind < 2:
            name, text = self.fresh("some"), self.some()
            self.names.append(name)
            return [f"{sp}{name}: {text}"]
        if kind == 2:
            name, text = self.fresh("who"), self.some()
            self.men.append(name)
            order = ", ".join(f"it.num = {n}" for n in self.draw(st.permutations([1, 2, 3, 4, 5, 6])))
            return [f"{sp}{name}: unit.side picks 1 from {text} usually {order}"]
        if kind < 5:
            return [f"{sp}{self.fresh('e')}: {self.effect()}"]
        if kind < 8:
            name, text = self.fresh("c"), self.call()
            self.names += [f"{name}.{n}" for n in self.told.get(text.split()[1], ())]
            return [f"{sp}{name}: {text}"]
        if sp == "    " and kind == 8:
            man, loop, name, text = self.fresh("man"), self.fresh("l"), self.fresh("hit"), self.some()
            inner = self.block(f"{sp}{loop}, for each {man} in {text}:", sp, 1, man)
            self.names.append(f"{loop}.{name}")
            return [
                *inner[:1],
                f"{sp}  {name}, if {self.condition().replace('it', man, 1)}: {man}.unit.figures - {man}",
                *inner[1:],
            ]
        if kind < 10:
            man, items = self.fresh("man"), self.some()
            return self.block(f"{sp}{self.fresh('l')}, for each {man} in {items}:", sp, depth, man)
        if kind == 10:
            return self.block(f"{sp}{self.fresh('l')}, repeat 2 times:", sp, depth)
        return self.block(f"{sp}{self.fresh('l')}, if d2 = 1:", sp, depth)

    def block(self, head, sp, depth, *men):
        names, known = self.names, self.men
        self.names, self.men = list(names), [*known, *men]
        lines = self.lines(sp + "  ", depth - 1, 3)
        self.names, self.men = names, known
        return [head, *lines]

    def lines(self, sp, depth, most):
        return [line for _ in range(self.number(1, most)) for line in self.line(sp, depth)]

    def procedure(self, title, units, names, men, calls, depth, most):
        self.units, self.names, self.men, self.calls = units, names, men, calls
        first = list(names)
        body = self.lines("    ", depth, most)
        self.told[title.split()[0] + "s"] = [n for n in self.names if n not in first]
        return [f"  to {title}:", *body]

    def rule(self):
        """What happens beside, in the middle of others' lines: it never gains the mark that sets it off."""
        change = f"{self.one(['gain', 'lose'])} 1 {self.one(['wounds', 'shots'])}"
        name = self.fresh("rule")
        if self.number(0, 1):
            return [
                f"  rule {name} for each figure after down if {self.condition().replace('it', 'figure', 1)}: "
                f"figure.unit.figures {change}"
            ]
        verb = self.one(["shake", "drill"])
        return [f"  rule {name} {self.one(['before', 'after'])} {verb}: unit.figures {change}"]

    def rules(self):
        self.told = {}
        body = self.procedure("shake (unit)", ["unit"], [], [], [], 1, 2)
        body += self.procedure("stumble (figure)", ["figure.unit"], [], ["figure"], ["shake"], 1, 2)
        for i, line in enumerate(body):
            body[i] = (
                line.replace("unit.side picks", "figure.unit.side picks") if "stumble" in "".join(body[:i]) else line
            )
        told = ["shake", "stumble"]
        body += self.procedure("drill (unit), (group figures)", ["unit"], ["group"], [], told, 1, 3)
        act = self.procedure("act (unit) with (other unit)", ["unit", "other"], [], [], [*told, "drill"], 2, 6)
        body += [line for _ in range(self.number(0, 2)) for line in self.rule()]
        asks = [f"{n} where {c}" for n in self.names for c in ("it is down", "it.wounds > 0", "it.unit is A")]
        asks += [f"sum({n}.{of})" for n in self.names for of in ("wounds", "shots", "num")]
        asks += [f"{u}.figures where it is down and it.wounds > {n}" for u in "AB" for n in (0, 1)]
        told = [f"    told{i}: {a.replace('A', 'unit').replace('B', 'other')}" for i, a in enumerate(asks)]
        counts = [f"told{i}" if a.startswith("sum") else f"told{i}-many" for i, a in enumerate(asks)]
        more = [f"    {c}: 0 + told{i}" for i, c in enumerate(counts) if c.endswith("many")]
        return "\n".join([*act, *told, *more, *body]) + "\n", counts


@st.composite
def written(draw):
    return Writer(draw).rules()


def test_names_are_as_if_every_figure_were_a_thing():
    groups = {"A": ["num 1", "num 2", "num 3 & wounds 1", "num 4 & down"], "B": ["num 5", "num 6 & wounds 1"]}

    @settings(max_examples=EXAMPLES, suppress_health_check=list(HealthCheck), database=None)
    @given(written())
    def try_them(file):
        body, asks = file
        note(body)
        laws = []
        for counted in (True, False):
            case = case_of(
                rules_of((COUNTED if counted else APART) + body),
                f"{things(counted, groups)}do: A acts with B\nask: [{', '.join(asks)}]\n",
            )
            with suppress(TooMany):
                agree(case, SCRIPTS)
            laws.append(law_of_odds(case))
        assert laws[0] == laws[1]

    try_them()


CROWD = """side Red:
unit A:
  is: side Red
  figures: [3 with wounds 0, 1 with down]
unit B:
  is: side Red
  figures: [2 with wounds 0]
"""


def test_what_is_certainly_apart_from_what_changes_is_not_updated(monkeypatch):
    """The law behind it: the updates that are left out would have changed nothing."""
    known = Names.apart

    @settings(max_examples=EXAMPLES, suppress_health_check=list(HealthCheck), database=None)
    @given(written())
    def try_them(file):
        body, asks = file
        note(body)
        laws = []
        for apart in (known, lambda *_: False):
            with monkeypatch.context() as patch:
                patch.setattr(Names, "are_disjoint", lambda self, *two: known(self, *map(self.supersets, two)))
                patch.setattr(Names, "apart", apart)
                case = case_of(rules_of(COUNTED + body), f"{CROWD}do: A acts with B\nask: [{', '.join(asks)}]\n")
                laws.append(law_of_odds(case))
        assert laws[0] == laws[1]

    try_them()


ALIKE = """side Red:
unit A:
  is: side Red
  figures: [5 with wounds 0]
unit B: side Red, 2 figures
"""
SHAKE = "  to shake (unit): unit.figures gain 1 wounds\n"
HURT = """
  to hurt (unit), (hits number):
    some: unit.side picks hits from unit.figures usually it.wounds = 0
    hit: some gain 1 wounds
"""
FELL = """
  to fell (unit), (hits number):
    dead: unit.side picks hits from figures usually it.wounds = 0
    off: dead gain down
"""


def asked(body, *asks):
    case = case_of(rules_of(COUNTED + body), f"{ALIKE}do: A acts with B\nask: [{', '.join(asks)}]\n")
    agree(case)
    return law_of_odds(case)


def test_of_names_that_are_certainly_apart_nobody_is_counted(monkeypatch):
    body = """
  to act (unit) with (other unit):
    hit: unit.side picks 2 from unit.figures usually it.wounds = 0
    spared: unit.figures - hit
    hurt: hit gain 1 wounds
    fled: spared gain 1 shots
    told: sum(hit.shots) + sum(spared.wounds)
"""
    monkeypatch.setattr(changes, "surely", None)
    assert asked(body, "told") == {(0,): 1}


@pytest.mark.parametrize("held", [2, 4, 5])
@pytest.mark.parametrize("struck", [1, 3, 5])
def test_alike_figures_change_as_few_as_must_here_and_in_a_call(held, struck):
    pick = f"held: unit.side picks {held} from unit.figures usually it.wounds = 0"
    here = HURT.replace("to hurt (unit), (hits number)", "to act (unit) with (other unit)").replace("hits", str(struck))
    here = here.replace("    some:", f"    {pick}\n    some:")
    there = f"{HURT}  to act (unit) with (other unit):\n    {pick}\n    struck: unit hurts {struck}\n"
    told = "    off: held gain down\n    told: sum(held.wounds)\n"
    least = max(0, held + struck - 5)
    for body in (here, there):
        law = asked(body + told, "told", "A.figures where it is down and it.wounds > 0")
        assert law == {(least, least): 1}


@pytest.mark.parametrize(
    ("body", "asks", "worth"),
    [
        (  # a part, worked out before what it is part of changed
            SHAKE
            + """
  to act (unit) with (other unit):
    men: figures where it.wounds = 0
    few: unit.side picks 2 from men usually it.wounds = 0
    shaken: unit shakes
    off: few gain down
    told: sum(men.wounds)
    told-few: sum(few.wounds)
""",
            ("told", "told-few", "men where it is down"),
            (5, 2, 2),
        ),
        (  # the record of a call
            SHAKE
            + FELL
            + """
  to act (unit) with (other unit):
    harm: unit fells 2
    shaken: unit shakes
    told: sum(harm.dead.wounds)
    hit: harm.dead gain 1 wounds
    told-too: sum(harm.dead.wounds)
""",
            ("told", "told-too", "sum(A.figures.wounds)"),
            (2, 4, 7),
        ),
        (  # a rule that sets in, and what the rounds of a loop put together
            SHAKE
            + FELL
            + """
  rule mourn for each figure after down: figure.unit shakes
  to act (unit) with (other unit):
    men: figures
    rounds, repeat 2 times:
      who: unit.side picks 2 from (men where it is not down) usually it.shots = 0
      shot: who gain 1 shots
      harm: unit fells 1
    told: sum(men.wounds)
    told-who: sum(rounds.who.wounds)
    told-dead: sum(rounds.harm.dead.wounds)
""",
            ("told", "told-who", "told-dead"),
            (5, 4, 1),  # both rounds fell the same one
        ),
        (  # what a procedure is told, through two calls
            SHAKE
            + """
  to stumble (figure):
    shaken: figure.unit shakes
    hit: figure gains 1 wounds
  to trip (figure): figure stumbles
  to act (unit) with (other unit):
    men: unit.side picks 2 from figures usually it.wounds = 0
    others: figures - men
    falls, for each man in men:
      fall: man trips
      off: man gains down
    told: sum(men.wounds)
    told-others: sum(others.wounds)
""",
            ("told", "told-others", "men where it is down"),
            (6, 6, 2),
        ),
        (  # calls that happen together
            SHAKE
            + """
  to act (unit) with (other unit):
    men: figures
    few: unit.side picks 2 from men usually it.wounds = 0
    both, together:
      ours: unit shakes
      theirs: other shakes
    off: few gain down
    told: sum(men.wounds)
    told-few: sum(few.wounds)
""",
            ("told", "told-few", "men where it is down"),
            (5, 2, 2),
        ),
        (  # they go over to another
            """
  to merge (unit) with (other unit): unit.figures.unit becomes other
  to act (unit) with (other unit):
    men: figures
    gone: unit merges with other
    told: men where it.unit is other
    hit: men gain 1 wounds
""",
            ("told", "sum(B.figures.wounds)", "B.figures"),
            (5, 5, 7),
        ),
    ],
)
def test_names_follow_through_calls(body, asks, worth):
    assert asked(body, *asks) == {worth: 1}


def test_what_a_name_is_told_when_dice_decide():
    body = """
  to shake (unit): unit.figures gain 1 wounds
  to act (unit) with (other unit):
    men: figures
    shaken, if d2 = 1: unit shakes
    off: men gain down
    told: sum(men.wounds)
"""
    assert asked(body, "told", "A.figures where it is down") == {(5, 5): Fraction(1, 2), (0, 5): Fraction(1, 2)}
