"""What a checked rule set says, without where it says it: for comparing two that should say the same."""

from __future__ import annotations

from typing import Any

from interpreter.language import nodes as n
from interpreter.rulebook import typed as t
from interpreter.rulebook.symbols import Column, Hook, Kind, Symbol
from interpreter.source.values import is_value, names
from interpreter.vocabulary.types import Type
from interpreter.workbench.rule_sets import RuleSet

_PLACES = {"where", "start", "end", "scalar", "body", "line", "cell_places", "used", "number"}


def model(rules: RuleSet) -> dict[str, Any]:
    """Every symbol by name with all that it means, in the order of the page."""
    book, checker = rules.book, rules.checker
    found: dict[str, Any] = {"roster": [value.name for value in book.roster]}
    for kind in book.kinds.values():
        found[f"kind {kind.name}"] = [
            kind.plural,
            _said(kind.owner),
            _said(kind.base),
            [(a.name, _said(a.type), a.low, a.high, a.optional, a.is_mark, a.out_of_play, _said(a.ending), a.cites)
             for a in kind.attributes.values()],
            [_said(checker.defaults.get(a)) for a in kind.attributes.values()],
        ]  # fmt: skip
    for table in book.tables.values():
        columns = [(c.name, _said(c.type), c.by) for c in table.columns.values()]
        rows = [
            (r.name, r.index, {k: _said(v) for k, v in sorted(r.cells.items())}, r.cites) for r in table.rows.values()
        ]
        found[f"table {table.name}"] = [columns, list(table.marks), rows, table.cites]
    for pure in (*book.values.values(), *book.rolls.values(), *book.limits.values()):
        made = checker.pure(pure)
        changes = [(c.touch, c.what, c.sign, _said((c.amount, c.per, c.condition)), _line(c)) for c in made.changes]
        found[f"pure {pure.name}"] = [_said(made.type), changes, _said(made.convention), pure.cites]
    for procedure in book.procedures.values():
        checked = checker.procedure(procedure)
        found[f"to {procedure.name}"] = [_said(checked.steps), list(checked.lines), procedure.cites]
    for hook in book.hooks:
        found.setdefault("hooks", []).append((hook.when, _said(hook.moment), _said(hook.rule), _said(hook.mark)))
    for fact in book.facts.values():
        found[f"fact {fact.name}"] = [
            _said(fact.type),
            [p.name for p in fact.params],
            _said(checker.defaults.get(fact)),
        ]
    for ruling in book.rulings.values():
        found[f"ruling {ruling.name}"] = [ruling.options, ruling.words, ruling.cites]
    for convention in book.conventions.values():
        found[f"dice {convention.name}"] = [convention.sides, convention.over, convention.always, convention.never]
    return found


def _line(step: Any) -> Any:
    return (step.line.address, step.line.cites)


def _said(value: Any) -> Any:
    if isinstance(value, t.Variable):
        return value.name
    if isinstance(value, t.Step):
        return (type(value).__name__, _line(value), *(_said(getattr(value, f)) for f in t.children(type(value))))
    if isinstance(value, t.Expr):
        return (type(value).__name__, _said(value.type), *(_said(getattr(value, f)) for f in t.children(type(value))))
    if isinstance(value, Type):
        return (value.name, getattr(value.of, "name", None))
    if isinstance(value, Symbol | Kind | Column):
        return f"{type(value).__name__} {value.name}"
    if isinstance(value, Hook):
        return (value.when, _said(value.moment))
    if isinstance(value, n.Node) or is_value(value):
        parts = [f for f in names(type(value)) if f not in _PLACES]
        return (type(value).__name__, *(_said(getattr(value, f)) for f in parts))
    if isinstance(value, tuple | list):
        return [_said(v) for v in value]
    return value
