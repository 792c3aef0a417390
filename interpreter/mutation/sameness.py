"""All that a rule set comes to, as texts: two that are alike do the same in every situation.

Enters: a checked rule set. Leaves: texts. Knows nothing of mutants.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from interpreter.program.program import Program
from interpreter.rulebook import typed as t
from interpreter.workbench.rules import RuleSet


class _Listening(Program):
    """Keeps what is written, and runs it."""

    def __init__(self, rules: RuleSet) -> None:
        self.texts: list[str] = []
        super().__init__(rules.book, rules.checker)

    def run(self, source: str) -> None:
        self.texts.append(source)
        for emitter in (self.emitter, self.closing):
            self.texts += emitter.source[emitter.compiled :]
        super().run(source)


def said(rules: RuleSet, only: str | None = None) -> tuple[str, ...]:
    """All that a rule set comes to, or one definition of it, as texts: two that are alike do the same in every
    situation.
    """
    program, book = _Listening(rules), rules.book
    for procedure in book.procedures.values():
        if only in (None, procedure.name):
            program.played(procedure)
    for pure in (*book.values.values(), *book.rolls.values(), *book.limits.values()):
        if only not in (None, pure.name):
            continue
        made = rules.checker.pure(pure)
        for change in made.changes:
            for part in (change.amount, change.per, change.condition):
                if isinstance(part, t.Expr):
                    program.function(part, made.params)
                else:
                    program.texts.append(str(part))
            program.texts.append(f"{change.touch} {change.what} {change.sign}")
    constants = [f"{k} = {_plain(v)}" for e in (program.emitter, program.closing) for k, v in e.constants.items()]
    return (*program.texts, *constants, *_declared(rules))


def _declared(rules: RuleSet) -> Iterator[str]:
    """What a situation begins with, and what is stated in it."""
    book = rules.book
    for kind in book.kinds.values():
        for a in kind.attributes.values():
            first = getattr(rules.checker.defaults.get(a), "value", a.first)
            yield f"{kind.name}.{a.name} {a.type} {a.low} {a.high} {first}"
    for table in book.tables.values():
        yield f"{table.name} " + "; ".join(f"{row.name} {row.cells}" for row in table.rows.values())
    for fact in book.facts.values():
        first = getattr(rules.checker.defaults.get(fact), "value", fact.first)
        yield f"{fact.name} {fact.type} {first}"
    for ruling in book.rulings.values():
        yield f"{ruling.name} {ruling.options}"


def _plain(value: Any) -> str:
    if value is None or isinstance(value, int | str | float | bool):
        return repr(value)
    if isinstance(value, list | tuple):
        return "(" + ", ".join(_plain(v) for v in value) + ")"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_plain(k)}: {_plain(v)}" for k, v in value.items()) + "}"
    return str(getattr(value, "name", type(value).__name__))
