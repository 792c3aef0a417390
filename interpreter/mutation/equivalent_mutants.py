"""Detects equivalent mutants: rule sets that compile to the same code, or marks whose changed lifetime nothing
observes.

Takes checked rule sets. Gives texts to compare, or a boolean. Knows nothing of how mutants are made.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from interpreter.program.play_codegen import played
from interpreter.program.program import Program
from interpreter.rulebook import typed as t
from interpreter.workbench.rule_sets import RuleSet

from .example_coverage import names_in_lines

MOVING = (t.Rehome, t.Leave, t.New, t.Sort, t.Choose, t.Lots)  # steps that move or select counted things


class _RecordingProgram(Program):
    """A program that records the source code it loads."""

    def __init__(self, rules: RuleSet) -> None:
        self.texts: list[str] = []
        super().__init__(rules.book, rules.checker)

    def load(self, source: str) -> None:
        self.texts.append(source)
        super().load(source)


def code_texts(rules: RuleSet, only: str | None = None) -> tuple[str, ...]:
    """The generated code, constants and declarations of a rule set, or of its definition `only`; rule sets with
    equal texts behave equally in every situation.
    """
    program, book = _RecordingProgram(rules), rules.book
    for ruling in book.rulings.values():
        ruling.chosen = ruling.options[0]
    for procedure in book.procedures.values():
        if only in (None, procedure.name):
            played(program, procedure)
    for pure in book.pure_definitions():
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
    constants = [f"{k} = {_plain(v)}" for k, v in known.items() if not k.startswith("__")]  # `__`: source positions
    return (*program.texts, *constants, *_declared(rules))


def _declared(rules: RuleSet) -> Iterator[str]:
    """Declarations as texts: types, bounds and initial values of attributes and facts, rows of tables, options of
    rulings.
    """
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
    """Whether a procedure neither reads nor writes a mark. Ending the mark before or after that procedure is then
    equivalent.
    """
    program, checker = Program(rules.book, rules.checker), rules.checker
    procedure = rules.book.procedures[name]
    for kind in rules.book.kinds.values():
        symbol = kind.attributes.get(mark)
        if symbol is None:
            continue
        if not kind.counted:
            return program.layout.key(symbol) not in program.reads(procedure) | program.writes(procedure)
        # Everything that counts such things reads their cell, marks included. It suffices that no reachable step names
        # the mark, as long as none of these steps moves or selects counted things.
        reached = program.reachable(procedure)
        steps = [step for p in reached for step in t.parts(checker.procedure(p).steps)]
        return mark not in names_in_lines(checker, reached) and not any(isinstance(step, MOVING) for step in steps)
    return False
