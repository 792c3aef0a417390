"""Lines that work something out for nobody, and procedures in which nothing happens.

Enters: a checked book without errors, the file in hand and the words of its examples. Leaves: findings at the line.
What stands last in its block, or before a question to the table, is a result: somebody may be told it. A line in the
middle whose answer no later line asks for was forgotten below, unless it is a plain number, or dice for the table
to look at.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from interpreter.rulebook import typed as t
from interpreter.rulebook.procedures import ProcedureChecker
from interpreter.rulebook.symbols import LineInfo, Procedure
from interpreter.source import Problems, Source
from interpreter.source.values import Record

Words = Callable[[], set[str]]
_EFFECTS = (t.SetAttr, t.AddAttr, t.Rehome, t.Leave, t.New, t.Call)


class _Line(Record):
    """A line of the page, wherever it was woven in: whether it does something, tells the table, or is asked for."""

    info: LineInfo
    name: str
    worth: list[t.Variable]
    acts: bool = False
    tells: bool = False


def check_idle(checker: ProcedureChecker, problems: Problems, top: Source, shown: Words) -> None:
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
        _gather(checked, lines)
        pages.append((procedure, lines))
        own = procedure.where.scalar.span.source is top
        nothing = all(isinstance(step, t.Done) for step in checked.steps)
        if own and procedure.table is None and nothing and not _awaited(checker, procedure):
            problems.add("P021", procedure.where.span, name=procedure.name, label="and nothing waits for it")

    def asked(variable: t.Variable) -> bool:
        if variable in read:
            return True
        return variable in totals and asked(totals[variable])

    found: dict[int, tuple[_Line, bool]] = {}
    for procedure, lines in pages:
        order = list(lines.values())
        for index, line in enumerate(order):
            if not line.worth or line.acts or line.tells:
                continue
            idle = not any(asked(v) or (procedure, v.name) in fields for v in line.worth)
            idle = idle and _forgotten(line, order[index + 1 :], asked)
            key = id(line.info.where.scalar)
            found[key] = line, idle and found.get(key, (line, True))[1]
    idle_lines = [line for line, idle in found.values() if idle and line.info.where.scalar.span.source is top]
    words = shown() if idle_lines else set()
    for line in idle_lines:
        if line.name not in words:
            hint = f"say `{line.name}` in a line below it that should reckon with it, or remove it"
            problems.add("P020", line.info.where.span, name=line.name, label="worked out for nobody", hint=hint)


def _gather(checked: t.Checked, lines: dict[str, _Line]) -> None:
    """The lines of a procedure in the order of the page."""
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
        if isinstance(step, t.Assign) and "?" not in step.variable.name and not _told(step.value):
            line.worth.append(step.variable)
        line.acts |= isinstance(step, _EFFECTS) or (calls and any(isinstance(p, t.Call) for p in t.parts(tuple(own))))
        line.tells |= isinstance(step, t.Tell)


def _forgotten(line: _Line, later: list[_Line], asked: Callable[[t.Variable], bool]) -> bool:
    """Whether something follows in the same block that is no result itself; nobody was told in between."""
    block = line.info.address.rpartition(".")[0] + "."
    for other in later:
        if not other.info.address.startswith(block):
            continue
        if other.tells:
            return False
        if other.acts or any(asked(v) for v in other.worth):
            return True
    return False


def _told(e: t.Expr) -> bool:
    """A plain number, or dice as they fall."""
    bare = e.args[0] if isinstance(e, t.Op) and e.name == "sum-faces" else e
    return isinstance(bare, t.Lit | t.Throw)


def _awaited(checker: ProcedureChecker, procedure: Procedure) -> bool:
    return any(hook.moment.path.parts[0].name == procedure.name for hook in checker.book.hooks)
