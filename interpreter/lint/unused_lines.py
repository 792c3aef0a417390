"""Checks for lines whose result nothing reads, and for procedures that do nothing.

Takes the checker of a checked book without errors, the file to check, and the words of its examples; adds findings at
the line. The last line of a block, or before a question to the table, is a result for the players. A line before that
which no later line reads is reported, unless it is a literal number, or dice to be shown.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from interpreter.rulebook import typed as t
from interpreter.rulebook.procedures import Checker
from interpreter.rulebook.symbols import LineInfo, Procedure
from interpreter.source import Problems, Source
from interpreter.source.values import Record

from .unused_declarations import Words

_EFFECTS = (t.SetAttr, t.SetFact, t.AddAttr, t.Rehome, t.Leave, t.New, t.Call)


class _Line(Record):
    """A line of the page: the variables it sets, whether it has effects, and whether it is a message to the table."""

    info: LineInfo
    name: str
    variables: list[t.Variable]
    acts: bool = False
    is_told: bool = False


def check_unused_lines(checker: Checker, problems: Problems, top: Source, shown: Words) -> None:
    """Report lines of the file `top` that nothing reads (P020), and procedures that do nothing (P021)."""
    read: set[t.Variable] = set()
    fields: set[tuple[Procedure, str]] = set()
    totals: dict[t.Variable, t.Variable] = {}
    pages: list[tuple[Procedure, dict[str, _Line]]] = []
    for procedure in checker.book.procedures.values():
        lines: dict[str, _Line] = {}
        checked = checker.procedure(procedure)
        read.update([part.variable for part in checked.inside[t.Var]])
        fields.update([(part.procedure, part.address) for part in checked.inside[t.Field]])
        totals |= {part.value: part.total for part in checked.inside[t.Accumulate]}
        _collect_lines(checked, lines)
        pages.append((procedure, lines))
        own = procedure.where.scalar.span.source is top
        nothing = all(isinstance(step, t.Done) for step in checked.steps)
        if own and procedure.table is None and nothing and not _is_awaited(checker, procedure):
            problems.add("P021", procedure.where.span, name=procedure.name, label="and nothing waits for it")

    def is_read(variable: t.Variable) -> bool:
        if variable in read:
            return True
        return variable in totals and is_read(totals[variable])

    found: dict[int, tuple[_Line, bool]] = {}
    for procedure, lines in pages:
        order = list(lines.values())
        for index, line in enumerate(order):
            if not line.variables or line.acts or line.is_told:
                continue
            unused = not any(is_read(v) or (procedure, v.name) in fields for v in line.variables)
            unused = unused and _is_forgotten(line, order[index + 1 :], is_read)
            key = id(line.info.where.scalar)
            found[key] = line, unused and found.get(key, (line, True))[1]
    unused_lines = [line for line, unused in found.values() if unused and line.info.where.scalar.span.source is top]
    words = shown() if unused_lines else set()
    for line in unused_lines:
        if line.name not in words:
            hint = f"say `{line.name}` in a line below it that should reckon with it, or remove it"
            problems.add("P020", line.info.where.span, name=line.name, label="worked out for nobody", hint=hint)


def _collect_lines(checked: t.Checked, lines: dict[str, _Line]) -> None:
    """Add the lines of a procedure to `lines`, by address, in the order of the page."""
    calls = bool(checked.inside[t.Call])
    todo = [*reversed(checked.steps)]
    while todo:
        step = todo.pop()
        info = step.line
        line = lines.get(info.address)
        if line is None:
            line = lines[info.address] = _Line(info, info.address.rsplit(".", 1)[-1], [])
        own: list[Any] = []
        inner: list[t.Step] = []
        for name in t.children(type(step)):
            held = getattr(step, name)
            if type(held) is tuple and held and isinstance(held[0], t.Step):
                inner += held
            else:
                own.append(held)
        todo += reversed(inner)
        if isinstance(step, t.Assign) and "?" not in step.variable.name and not _is_shown_as_is(step.value):
            line.variables.append(step.variable)
        line.acts |= isinstance(step, _EFFECTS) or (calls and any(isinstance(p, t.Call) for p in t.parts(tuple(own))))
        line.is_told |= isinstance(step, t.Tell)


def _is_forgotten(line: _Line, later: list[_Line], is_read: Callable[[t.Variable], bool]) -> bool:
    """Whether a later line of the same block has an effect or is read, before any message to the table."""
    block = line.info.address.rpartition(".")[0] + "."
    for other in later:
        if not other.info.address.startswith(block):
            continue
        if other.is_told:
            return False
        if other.acts or any(is_read(v) for v in other.variables):
            return True
    return False


def _is_shown_as_is(e: t.Expr) -> bool:
    """Whether an expression is a literal number, or dice as thrown."""
    bare = e.args[0] if isinstance(e, t.Op) and e.name == "sum-faces" else e
    return isinstance(bare, t.Lit | t.Throw)


def _is_awaited(checker: Checker, procedure: Procedure) -> bool:
    return any(hook.moment.path.parts[0].name == procedure.name for hook in checker.book.hooks)
