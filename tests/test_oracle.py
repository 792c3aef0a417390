"""icepool, which others wrote and which knows nothing of us, as an oracle: procedures put together at random, each
line said once as a rule and once in icepool's terms; the joint law of all lines must be the same fractions.
"""

import json
from fractions import Fraction
from pathlib import Path

import icepool
from hypothesis import HealthCheck, given, note, settings
from hypothesis import strategies as st
from test_engines_kit import case_of, law_of_odds, rules_of
from typed import CliRunner

from interpreter.source.digits import any_digits
from interpreter.surfaces.cli.group import main
from tests.sampled import THOROUGH

NUMBERS = ("skill", "craft", "nerve")  # from the situation, so that no check knows how a roll ends
KINDS = """\
  kind side:
  kind unit of side:
    keen: number 0 to 3
    skill: number 0 to 14
    craft: number 0 to 14
    nerve: number 0 to 14
  mark lucky of unit:
"""


class Roll:
    """A roll as lines of a rule file, and as a die of icepool that shows whether it passes."""

    def __init__(self, draw, name, asks, high, sides, always, never):
        whole = st.integers
        self.name, self.asks, self.high, self.sides = name, asks, high, sides
        self.always, self.never = always, never
        needs = draw(whole(1, sides + 2))
        self.needs, self.change, self.move = needs, draw(whole(-2, 2)), draw(whole(-1, 1))
        self.best = draw(st.sampled_from(["", "best", "worst"]))
        self.again = draw(st.booleans())

    def lines(self):
        found = [f"basic: needs unit.{self.asks}"]
        if self.change:
            found.append(f"change: needs {self.change:+}")
        if self.move:
            found.append(f"move: roll {self.move:+}")
        if self.best:
            found.append(f"two: {self.best} of 2")
        if self.again:
            found.append("lucky: again if lucky")
        return found

    def die(self, lucky):
        def passes(face):
            if face == self.always or face == self.never:
                return face == self.always
            needed = self.needs + self.change
            return face + self.move >= needed if self.high else face + self.move <= needed

        once = icepool.d(self.sides).map(passes)
        if self.best:
            two = icepool.tupleize(once, once)
            once = two.map((lambda x, y: x or y) if self.best == "best" else (lambda x, y: x and y))
        return once.map(lambda ok: True if ok else once) if self.again and lucky else once


class Recipe:
    """Lines of a procedure; `law` follows them in icepool, a state being the values of the lines so far."""

    def __init__(self, draw):
        self.draw = draw
        self.lucky, self.keen = draw(st.booleans()), draw(st.integers(0, 3))
        self.high, self.sides = draw(st.booleans()), draw(st.sampled_from([2, 3, 4, 6, 8, 10, 12]))
        top, bottom = (self.sides, 1) if self.high else (1, self.sides)
        self.always = top if draw(st.booleans()) else None
        self.never = bottom if draw(st.booleans()) else None
        of = (self.high, self.sides, self.always, self.never)
        self.rolls = [Roll(draw, f"test-{asks}", asks, *of) for asks in NUMBERS[: draw(st.integers(1, 3))]]
        self.lines, self.steps, self.counts, self.faces = [], [], [], []
        for _ in range(draw(st.integers(2, 6))):
            self.add()
        self.asked = [i for i in range(len(self.lines)) if i not in self.faces]

    def add(self):
        kinds = ["throws", "constant"] + ["shows"] * (len(self.faces) < 2)
        kinds += ["sums"] * bool(self.counts) + ["looks"] * 2 * bool(self.faces)
        text, step = getattr(self, self.draw(st.sampled_from(kinds)))()
        self.lines.append(text)
        self.steps.append(step)

    def one(self, options):
        return self.draw(st.sampled_from(list(options)))

    def pool(self):
        """How many dice: at most four, from a line before or said outright."""
        if self.counts and self.draw(st.booleans()):
            i = self.one(self.counts)
            return f"max(0, min(l{i}, 4))", lambda s: max(0, min(s[i], 4))
        n = self.draw(st.integers(0, 4))
        return str(n), lambda s: n

    def throws(self):
        """So many dice of a roll, and how many of them pass or fail."""
        text, many = self.pool()
        roll, passing = self.one(self.rolls), self.draw(st.booleans())
        die = roll.die(self.lucky)
        die = die.map(lambda ok: int(ok == passing))
        self.counts.append(len(self.lines))
        return f"{text} {'passing' if passing else 'failing'} unit.{roll.name}", lambda s: many(s) @ die

    def constant(self):
        self.counts.append(len(self.lines))
        return "unit.keen + 1", lambda s: self.keen + 1

    def sums(self):
        i, j = self.one(self.counts), self.one(self.counts)
        self.counts.append(len(self.lines))
        return self.one([
            (f"l{i} + l{j}", lambda s: s[i] + s[j]),
            (f"l{i} - l{j}", lambda s: s[i] - s[j]),
            (f"min(l{i}, l{j})", lambda s: min(s[i], s[j])),
            (f"l{i} * 2 if l{i} > l{j} else l{j}", lambda s: s[i] * 2 if s[i] > s[j] else s[j]),
            (f"d3 + l{i}", lambda s: icepool.d(3) + s[i]),
        ])  # fmt: skip

    def shows(self):
        n = self.draw(st.integers(1, 4 if self.sides <= 4 else 2 if self.faces else 3))
        self.faces.append(len(self.lines))
        thrown = icepool.d(self.sides).pool(n).expand().map(lambda *f: (f,), star=True)
        return f"{n} dice", lambda s: thrown

    def looks(self):
        i, t = self.one(self.faces), self.draw(st.integers(1, self.sides))
        self.counts.append(len(self.lines))
        return self.one([
            (f"sum(l{i})", lambda s: sum(s[i])),
            (f"sum(l{i} where it >= {t})", lambda s: sum(x for x in s[i] if x >= t)),
            (f"(l{i} where it >= {t}) + 0", lambda s: sum(x >= t for x in s[i])),
            (f"highest(l{i})", lambda s: max(s[i])),
            (f"lowest(l{i})", lambda s: min(s[i])),
            (f"alike(l{i})", lambda s: max(s[i].count(x) for x in s[i])),
        ])  # fmt: skip

    # ---- both sides
    def rules(self):
        dice = f"dice plain: d{self.sides} at {'or over' if self.high else 'or under'}"
        dice += f", always {self.always}" if self.always else ""
        dice += f", never {self.never}" if self.never else ""
        text = f"game: Made up\nAll:\n  {dice}\n{KINDS}"
        for roll in self.rolls:
            text += f"  roll {roll.name} of unit:\n" + "".join(f"    {line}\n" for line in roll.lines())
        return text + "  to act (unit):\n" + "".join(f"    l{i}: {line}\n" for i, line in enumerate(self.lines))

    def situation(self):
        asked = ", ".join(f"l{i}" for i in self.asked)
        said = f"keen {self.keen}" + "".join(f", {r.asks} {r.needs}" for r in self.rolls)
        return f"rules: toy\nunit A: {said}{', lucky' * self.lucky}\ndo: A acts\nask: [{asked}]\n"

    def law(self):
        states = icepool.Die([()])
        for step in self.steps:
            states = states.map(lambda s, step=step: _put(s, step(s)), star=False)
        end = states.map(lambda s: tuple(s[i] for i in self.asked), star=False)
        return {values: Fraction(n, end.denominator()) for values, n in end.items()}


def _put(state, value):
    if isinstance(value, icepool.Die):
        return value.map(lambda v: (*state, v[0] if isinstance(v, tuple) else v), star=False)
    return (*state, value)


@st.composite
def recipes(draw):
    return Recipe(draw)


@settings(max_examples=400 if THOROUGH else 50, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(recipes())
def test_the_joint_law_of_all_lines_is_that_of_icepool(recipe):
    note(recipe.rules())
    note(recipe.situation())
    assert law_of_odds(case_of(rules_of(recipe.rules()), recipe.situation())) == recipe.law()


MANY = """\
game: Made up
All:
  dice plain: d100 at or over
  kind side:
  kind unit of side:
  roll test of unit: needs 2
  to act (unit):
    left: (1200 failing unit.test) = 0
    right: (1200 failing unit.test) = 0
    both: left and right
"""


def test_a_fraction_of_thousands_of_digits_is_written_and_read_back_whole(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("many.yaml").write_text(MANY)
    found = json.loads(umpire("odds", "many.yaml", "act", "A: ", "--ask", "both", "--json"))
    yes = next(o for o in found["questions"][0]["outcomes"] if o["value"] is True)
    chance = Fraction(99, 100) ** 2400
    with any_digits():
        assert len(yes["denominator"]) == 4801
        assert Fraction(int(yes["numerator"]), int(yes["denominator"])) == chance
        told = f"{chance.numerator}/{chance.denominator}"
    assert yes["probability"] == told
    Path("both.yaml").write_text(f"rules: many.yaml\nunit A:\ndo: A acts\nodds: {told} that both\n")
    shown = umpire("odds", "both.yaml", "--fraction")
    assert told in shown
    assert "as expected" in shown


def umpire(*words):
    done = CliRunner().invoke(main, list(words))
    assert done.exit_code == 0, done.output
    return done.output
