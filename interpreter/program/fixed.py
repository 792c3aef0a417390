"""Values and rolls that depend on nothing: worked out once instead of in every history.

Enters: the Python of an emitter's functions. Leaves: what such a function answers, and what it notes in a traced
program. Knows nothing of rules.
"""

from __future__ import annotations

import ast
import re
from typing import Any

from . import runtime
from .emit import Emitter

CALL = re.compile(r"\b((?:roll|value)\d+)\([^()]*\)")
PURE = {"succeeding": runtime.succeeding, "half": runtime.half, "divide": runtime.divide, "min": min, "max": max}
Answer = tuple[Any, tuple[tuple[Any, ...], ...]]


class Fixed:
    def __init__(self, emitter: Emitter) -> None:
        self.emitter = emitter
        self._sources: dict[str, str] = {}
        self._read = 0
        self._known: dict[str, Answer | None] = {}
        self._names: dict[str, str] = {}

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
        return CALL.sub(self._name, text) if "(S" in text else text

    def _name(self, call: re.Match[str]) -> str:
        answer = self.of(call[0])
        if answer is None:
            return call[0]
        if call[1] not in self._names:
            simple = answer[0] is None or isinstance(answer[0], bool | int)
            self._names[call[1]] = repr(answer[0]) if simple else self.emitter.constant(answer[0], "fixed")
        return self._names[call[1]]

    def _worked_out(self, name: str) -> Answer | None:
        source = self._source(name)
        if source is None:
            return None
        if not self.emitter.traced:
            head, _, body = source.partition("\n")
            source = f"{head}\n{self.put(body)}"
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
