"""Detects equivalent mutants: rule sets that compile to the same text, or marks that end sooner where none looks.

Enters: checked rule sets. Leaves: texts to compare, or yes. Knows nothing of how mutants are made.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from interpreter.program.play_codegen import played
from interpreter.program.program import Program
from interpreter.rulebook import typed as t
from interpreter.workbench.rule_sets import RuleSet

from .example_coverage import spoken

MOVING = (t.Rehome, t.Leave, t.New, t.Sort, t.Choose, t.Lots)  # what moves counted things, or tells them apart


class _Listening(Program):
    """Keeps what is written, and runs it."""

    def __init__(self, rules: RuleSet) -> None:
        self.texts: list[str] = []
        super().__init__(rules.book, rules.checker)

    def load(self, source: str) -> None:
        self.texts.append(source)
        super().load(source)


def said(rules: RuleSet, only: str | None = None) -> tuple[str, ...]:
    """All that a rule set comes to, or one definition of it, as texts: two that are alike do the same in every
    situation.
    """
    program, book = _Listening(rules), rules.book
    for ruling in book.rulings.values():
        ruling.chosen = ruling.options[0]
    for procedure in book.procedures.values():
        if only in (None, procedure.name):
            played(program, procedure)
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
    known = {k: v for e in (program.emitter, program.closing) for k, v in e.constants.items()}
    constants = [f"{k} = {_plain(v)}" for k, v in known.items() if not k.startswith("__")]  # those are notes of places
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


def is_idle(rules: RuleSet, mark: str, name: str) -> bool:
    """Whether what a procedure does, from its beginning to its end, has nothing to do with a mark. To end the mark
    before it or after it is then the same.
    """
    program, checker = Program(rules.book, rules.checker), rules.checker
    procedure = rules.book.procedures[name]
    for kind in rules.book.kinds.values():
        symbol = kind.attributes.get(mark)
        if symbol is None:
            continue
        if not kind.counted:
            return program.layout.key(symbol) not in program.reads(procedure) | program.writes(procedure)
        # The cell of counted things is read by whoever counts them: that nobody says the word is enough, as long as
        # none of them comes or goes, and nobody picks from those that differ by it.
        reached = program.reachable(procedure)
        steps = [step for p in reached for step in t.parts(checker.procedure(p).steps)]
        return mark not in spoken(checker, reached) and not any(isinstance(step, MOVING) for step in steps)
    return False
