"""Ways with different dice that part and meet again: their chances are over one denominator, whatever each threw.

Procedures put together at random of lines under conditions, in blocks of blocks; play under every script of dice is
exactly odds.
"""

import random

import pytest
from test_engines_kit import TooMany, case_of, law_of_odds, law_of_play, rules_of

HEAD = """
game: toy
Things:
  dice high: d6 at or over
  kind side:
  kind unit of side:
    pins: number
  roll nerve of unit: needs 4
  to act (unit):
    n0: d6
    t0: n0 < 3
"""
SIDES = (2, 3, 4, 6)


class Writer:
    """Writes the lines of one procedure. What stands in a block is named there and nowhere else."""

    def __init__(self, seed: int) -> None:
        self.dice = random.Random(seed)
        self.lines: list[str] = []
        self.asked = ["n0", "t0"]
        self.count = 0

    def block(self, depth: int, inside: str, numbers: list[str], truths: list[str]) -> None:
        numbers, truths = [*numbers], [*truths]
        blank = " " * (4 + 2 * inside.count("."))
        for _ in range(self.dice.randint(3, 5)):
            self.count += 1
            only = f", if {self.dice.choice(('', 'not '))}{self.dice.choice(truths)}"
            what = self.dice.choice(("truth", "die", "die", "tally", *["block"] * (2 if depth else 0)))
            if what == "block":
                self.lines.append(f"{blank}b{self.count}{only}:")
                self.block(depth - 1, f"{inside}b{self.count}.", numbers, truths)
            elif what == "truth":
                self.lines.append(f"{blank}t{self.count}: {self.dice.choice(numbers)} > {self.dice.randint(1, 2)}")
                truths.append(f"t{self.count}")
                self.asked.append(f"{inside}t{self.count}")
            else:
                die = f"d{self.dice.choice(SIDES)}"
                thrown = die if what == "die" else f"min(2, {self.dice.choice(numbers)}) passing nerve"
                self.lines.append(f"{blank}n{self.count}{only if self.dice.random() < 0.7 else ''}: {thrown}")
                numbers.append(f"n{self.count}")
                self.asked.append(f"{inside}n{self.count}")


@pytest.mark.parametrize("start", range(0, 160, 20))
def test_ways_that_part_and_meet(start: int) -> None:
    for seed in range(start, start + 20):
        written = Writer(seed)
        written.block(2, "", ["n0"], ["t0"])
        rules = rules_of(HEAD + "\n".join(written.lines) + "\n")
        asked = ", ".join(written.dice.sample(written.asked, min(7, len(written.asked))))
        case = case_of(rules, f"unit A: pins 1\ndo: A acts\nask: [{asked}]\n")
        law = law_of_odds(case)
        assert sum(law.values()) == 1, seed
        try:
            played = law_of_play(case, budget=1_500)[0]
        except TooMany:
            continue
        assert law == played, seed
