"""Values and rolls that depend on nothing, worked out once; rolls of one die, in fewer words.

Enters: the Python of an emitter's functions. Leaves: what such a function answers and notes; for a roll of one die
thrown once, a function that answers only with the faces that do not count. Knows nothing of rules.
"""

from __future__ import annotations

import ast
import re
from functools import lru_cache
from typing import Any

from . import runtime
from .emit import Emitter
from .record import NOTE

CALL = re.compile(r"\b((?:roll|value)\d+)\([^()]*\)")
SIMPLE = {"dice": "1", "best": "True", "verdict": "None", "again": "False"}  # one die, thrown once
STATE = re.compile(r"\bS\b")
SET = re.compile(r" +(\w+) = ")
PURE = {
    "succeeding": runtime.succeeding,
    "half": runtime.half,
    "whole": runtime.whole,
    "divide": runtime.divide,
    "times": runtime.times,
    "min": min,
    "max": max,
}
SPEAKS = re.compile(r"\b(?:value\d+|roll\d+|short\d+|default\d+|looked|looked_at|asked|asked_of|heard|fact)\(")
Answer = tuple[Any, tuple[tuple[Any, ...], ...]]


class Others(dict[tuple[Any, Any], bytes | None]):
    """The faces that do not count, by what is needed and what is added to the die."""

    def __init__(self, sides: int, over: bool, always: int | None, never: int | None, passing: bool) -> None:
        super().__init__()
        self.die = sides, over, always, never
        self.passing = passing

    def __missing__(self, given: tuple[Any, Any]) -> bytes | None:
        need, change = given
        made = None if need is None else others(self.die[0], runtime.succeeding(*self.die, need, change), self.passing)
        self[given] = made
        return made


@lru_cache(None)
def others(sides: int, mask: int, passing: bool) -> bytes:
    """The faces that do not count among those that pass, or that fail."""
    return bytes([f for f in range(1, sides + 1) if (mask >> f & 1) != passing])


def _face(text: str) -> int | None:
    return None if text == "None" else int(text)


class Fixed:
    def __init__(self, emitter: Emitter) -> None:
        self.emitter = emitter
        self._sources: dict[str, str] = {}
        self._read = 0
        self._known: dict[str, Answer | None] = {}
        self._names: dict[str, str] = {}
        self._short: dict[tuple[str, bool], str | None] = {}

    def of(self, call: str) -> Answer | None:
        """What a call answers and notes, when nothing that it is handed matters."""
        found = CALL.fullmatch(call)
        if found is None:
            return None
        name = found[1]
        if name not in self._known:
            self._known[name] = None  # it may call itself
            self._known[name] = self._worked_out(name)
        return self._known[name]

    def put(self, text: str) -> str:
        """A text with the answers in place of such calls; only where nothing is noted."""
        return CALL.sub(self._name, text)

    def _name(self, call: re.Match[str]) -> str:
        answer = self.of(call[0])
        if answer is None:
            return call[0]
        if call[1] not in self._names:
            simple = answer[0] is None or isinstance(answer[0], bool | int)
            self._names[call[1]] = repr(answer[0]) if simple else self.emitter.constant(answer[0], "fixed")
        return self._names[call[1]]

    def short(self, call: str, passing: bool) -> str | None:
        """The same call of a function that answers with the faces that do not count, None where no die is thrown."""
        found = CALL.fullmatch(call)
        if found is None:
            return None
        key = (found[1], passing)
        if key not in self._short:
            self._short[key] = self._shorter(*key)
        name = self._short[key]
        return None if name is None else name + call[len(found[1]) :]

    def _shorter(self, name: str, passing: bool) -> str | None:
        source = self._source(name)
        if source is None:
            return None
        head, *body, mask, _, _ = source.split("\n")
        if not self.emitter.traced:
            body = [self.put(line) for line in body]
        sets = [found[1] for line in body if (found := SET.match(line))]
        if any(sets.count(v) != 1 or f"    {v} = {value}" not in body for v, value in SIMPLE.items()):
            return None
        body = [line for line in body if not any(line == f"    {v} = {value}" for v, value in SIMPLE.items())]
        if self.emitter.traced:
            body = self._noted(body)
        sides, over, always, never, need, change = mask.partition("succeeding(")[2][:-1].split(", ")
        others = Others(int(sides), over == "True", _face(always), _face(never), passing)
        body.append(f"    return {self.emitter.constant(others, 'others')}[{need}, {change}]")
        made = self.emitter.fresh("short")
        self.emitter.source.append("\n".join([f"def {made}{head[head.index('(') :]}", *body]))
        return made

    def _noted(self, body: list[str]) -> list[str]:
        """All that a roll notes in one record, where nothing in it branches or speaks for itself."""
        body = [line.replace("dice, best, again, verdict))", "1, True, False, None))") for line in body]
        if any(line.startswith("    if ") or SPEAKS.search(line) for line in body):
            return body
        steps: list[tuple[Any, ...]] = []
        values: list[str] = []
        made = []
        for i, line in enumerate(body):
            if not line.startswith("    N.append(("):
                made.append(line)
                continue
            number, *given = line[14:-2].split(", ")
            for k, name in enumerate(given):
                if any(later.startswith(f"    {name} = ") for later in body[i:]):
                    given[k] = f"q{len(values) + k}"
                    made.append(f"    {given[k]} = {name}")
            steps.append((NOTE, int(number), len(given)))
            values += given
        return [*made, f"    N.append(({self.emitter.constant(tuple(steps), 'steps')}, {', '.join(values)}))"]

    def _worked_out(self, name: str) -> Answer | None:
        source = self._source(name)
        if source is None:
            return None
        head, _, body = source.partition("\n")
        body = body if self.emitter.traced else self.put(body)
        if STATE.search(body):
            return None
        source = f"{head}\n{body}"
        made = ast.parse(source).body[0]
        assert isinstance(made, ast.FunctionDef)
        names = [n for n in ast.walk(made) if isinstance(n, ast.Name)]
        own = {n.id for n in names if isinstance(n.ctx, ast.Store)}
        read = {n.id for n in names} - own
        constants = self.emitter.constants
        if {a.arg for a in made.args.args} & (own | read) or any(
            n not in PURE and n not in constants for n in read - {"N"}
        ):
            return None
        told: list[tuple[Any, ...]] = []
        space = {**PURE, **{n: constants[n] for n in read if n in constants}, "N": told}
        exec(compile(source, "<rules>", "exec"), space)  # text of our own making
        answer = space[name](*[None] * len(made.args.args))
        return answer, tuple(told)

    def _source(self, name: str) -> str | None:
        pending = self.emitter.source[self._read :]
        self._read = len(self.emitter.source)
        for source in pending:
            self._sources[source[4 : source.index("(")]] = source
        return self._sources.get(name)
