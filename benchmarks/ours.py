"""Umpire's side: rules and a situation made ready once; then odds, cold or warm, and play, traced or not."""

from __future__ import annotations

import random
import tempfile
from collections.abc import Callable
from fractions import Fraction
from itertools import count
from pathlib import Path
from time import perf_counter
from typing import Any

from interpreter.engines import laws
from interpreter.engines.dice import SeededDice
from interpreter.engines.odds import Odds
from interpreter.engines.play import Play
from interpreter.engines.trace import Tracer
from interpreter.program import Program
from interpreter.program.state import answerer, begin
from interpreter.program.words import Words
from interpreter.source import Problems
from interpreter.workbench.cases import prepare
from interpreter.workbench.rules import open_rules
from interpreter.workbench.run_setup import set_up
from interpreter.workbench.trees import read_text

RULES = Path(__file__).parent / "rules"
DUEL = "unit A: alive {n}\nunit B: alive {n}\ndo: A duels with B\n"
VOLLEY = "unit A: strength {n}\nunit B: strength {n}\ndo: A shoots at B\n"
VEHICLE = "unit A: guns 6\nvehicle B:\ndo: A shoots at B\n"
PROBLEMS: dict[str, tuple[str, str, tuple[str, ...]]] = {
    # situation, procedure, the lines that are asked for together
    "p1": (VOLLEY, "shoot", ("down", "dead")),
    "p2": (VOLLEY, "shoot", ("light", "serious", "mortal")),
    "p3": (VEHICLE, "shoot", ("suffered", "lost")),
    "p4a": (DUEL, "duel", ("won", "lost")),
    "p4b": (DUEL, "duel", ("won",)),
}
SKIRMISH = """
unit A:
  is: seasoned
  figures: [{n} with weapon ak47]
unit B:
  is: green, spotted
  figures: [{n} with terrain soft]
facts: distance(A, B) is 20"
do: A shoots at B
"""


class Ready:
    """One question about one situation. The rules are read and the Program made and compiled here, once."""

    def __init__(self, rules: str | Path, situation: str, procedure: str | None, lines: tuple[str, ...]) -> None:
        problems = Problems()
        opened = open_rules(rules, problems)
        tree = read_text("situation", situation, problems)
        assert opened is not None
        assert tree is not None
        case = prepare(opened, tree, problems)
        assert case is not None, [str(p.message) for p in problems]
        self.book, self.checker, self.situation = opened.book, opened.checker, case.situation
        self.procedure = self.book.procedures[procedure] if procedure else self.situation.procedure
        self.lines = lines
        self.program, self.start = self._program(traced=False)
        cut = set_up(case, certain=True)  # what `umpire odds` runs: the rules cut down to what may come up
        assert cut is not None
        self.certain = cut.program
        self.traced, _ = self._program(traced=True)
        self.words = Words(self.book, self.start.names)
        things = self.situation.things[: len(self.procedure.params)]
        self.args = tuple(self.start.places[x.name] for x in things)
        self.places = self._places()
        self.asked = frozenset(lines)
        self.player, self.watched = (
            Play(p, self.start.keys, self.start.names, [], SeededDice(0)) for p in (self.program, self.traced)
        )
        self._kept: Odds | None = None

    def _places(self) -> list[int]:
        """Where the odds of the lines stand: in the procedure's order."""
        named = [line for line in self.program.code(self.procedure).lines if line in self.lines]
        return [named.index(line) for line in self.lines]

    def _program(self, traced: bool) -> tuple[Program, Any]:
        program = Program(self.book, self.checker, traced=traced)
        program.ask(self.situation.procedure)
        start = begin(program, self.situation)
        program.facts_by(answerer(start, self.book))
        for procedure in program.reachable(self.procedure):
            program.code(procedure)
        return program, start

    # ---- odds
    def made(self) -> Odds:
        return Odds(self.certain, self.start.keys, 5_000_000)

    def ask(self, odds: Odds) -> Any:
        return odds.of(self.procedure, frozenset(self.lines), self.args, self.start.state)

    def cold(self) -> Any:
        """A new engine; run `forget` before."""
        return self.ask(self.made())

    def again(self) -> Any:
        """The same engine asked once more: everything is remembered."""
        if self._kept is None:
            self._kept = self.made()
        return self.ask(self._kept)

    def shares(self, law: Any) -> dict[Any, Fraction]:
        total, found = law
        told: dict[Any, int] = {}
        for results, weight in found:
            key = tuple(results[p] for p in self.places)
            told[key] = told.get(key, 0) + weight
        assert sum(told.values()) == total, "weights do not sum to the denominator"
        return {k: Fraction(w, total) for k, w in told.items()}

    # ---- play
    def history(self, seed: int) -> tuple[Any, ...]:
        self.player.again(list(self.start.state), SeededDice(seed))
        return self.player.run(self.procedure, self.args, self.asked)

    def asked_of(self, history: tuple[Any, ...]) -> list[Any]:
        """The values of the lines asked for, out of all lines of a history."""
        named = list(self.program.code(self.procedure).lines)
        return [history[named.index(line)] for line in self.lines]

    def with_trace(self, seed: int) -> Tracer:
        """Every die, line, condition and effect recorded; in words only when somebody reads them."""
        tracer = Tracer(self.traced, self.words)
        self.watched.again(list(self.start.state), SeededDice(seed), tracer)
        self.watched.run(self.procedure, self.args, self.asked)
        return tracer

    def told(self, seed: int) -> Any:
        """The same, and the whole of it told in words."""
        return self.with_trace(seed).root


def problem(name: str, n: int = 0) -> Ready:
    situation, procedure, lines = PROBLEMS[name]
    return Ready(RULES / f"{name}.yaml", situation.format(n=n or (40 if name == "p2" else 10)), procedure, lines)


def skirmish(n: int) -> Ready:
    """Counted figures under a real rule set, asked for hits, suppressed and dead together."""
    asked = "ask: [hits, (B.figures where suppressed), B.figures]\n"
    made = Ready("modern", SKIRMISH.format(n=n) + asked, None, ())
    made.lines = tuple(ask.address for ask in made.situation.asks)
    made.places = made._places()
    return made


def forget() -> None:
    """Dice laws that were worked out: a cold start."""
    for f in vars(laws).values():
        clear = getattr(f, "cache_clear", None)
        if clear is not None:
            clear()


def expression() -> tuple[Callable[[list[Any], int], bool], list[tuple[list[Any], int]], list[dict[str, Any]]]:
    """The value as the rules call it, a thousand (state, unit) to ask, and the same as dictionaries."""
    dice = random.Random(1)
    values = [
        {
            "hits": dice.randint(0, 10),
            "expertise": dice.randint(2, 6),
            "cover": dice.randint(0, 2),
            "aimed": dice.random() < 0.5,
        }
        for _ in range(1000)
    ]
    made = Ready(RULES / "expression.yaml", "unit A: hits 1, expertise 1, cover 1\ndo: A asks\n", "ask", ("told",))
    value = made.book.values["enough"]
    attributes = {a.name: a for a in made.book.kinds["unit"].all_attributes()}
    base = made.args[0]
    asked = []
    for row in values:
        state = list(made.start.state)
        for name, value_ in row.items():
            state[base + attributes[name].place] = value_
        asked.append((state, base))
    written = made.program.emitter.pure_function(value)
    return made.program.compiled(written), asked, values


_files = count(1)


def many_rules(rules: int, file: str = "") -> str:
    """A rule file in which p1's firing stands so many times under other names."""
    text = (RULES / "p1.yaml").read_text("utf-8")
    head, _, firing = text.partition("Firing:\n")
    parts = []
    for i in range(rules):
        part = firing
        for name in ("shooting", "save"):
            part = part.replace(f"roll {name} of", f"roll {name}{file}-{i} of").replace(
                f".{name}", f".{name}{file}-{i}"
            )
        parts.append(part.replace("to shoot ", f"to shoot{file}-{i} "))
    return head + "Firing:\n" + "".join(parts)


def long_file(lines: int) -> str:
    """The same, about so many lines long."""
    each = many_rules(2).count("\n") - many_rules(1).count("\n")
    return many_rules(lines // each)


def check_time(rules: int) -> float:
    """Seconds to read and check a rule file in which p1's firing stands so many times under other names, each a name
    that no file before had: sentences that were read once are known."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "long.yaml"
        path.write_text(many_rules(rules, f"-{next(_files)}"), "utf-8")
        problems = Problems()
        begun = perf_counter()
        opened = open_rules(path, problems)
        spent = perf_counter() - begun
        assert opened is not None
        assert not problems.has_errors, next(iter(problems))
    return spent
