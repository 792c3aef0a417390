"""Lines that work something out for nobody, and procedures in which nothing happens.

Enters: a checked book without errors, the file in hand and the words of its examples. Leaves: findings at the line.
What stands last in its block, or before a question to the table, is a result: somebody may be told it. A line in the
middle whose answer no later line asks for was forgotten below, unless it is a plain number, or dice for the table
to look at.
"""

from __future__ import annotations

from collections.abc import Callable

from interpreter.rulebook import typed as t
from interpreter.rulebook.procedures import ProcedureChecker
from interpreter.rulebook.symbols import LineInfo, Procedure
from interpreter.source import Problems, Source
from interpreter.source.values import field, record

Words = Callable[[], set[str]]
_EFFECTS = (t.SetAttr, t.AddAttr, t.Rehome, t.Leave, t.New, t.Call)


@record()
class _Line:
    """A line of the page, wherever it was woven in: whether it does something, tells the table, or is asked for."""

    info: LineInfo
    name: str
    acts: bool = False
    tells: bool = False
    worth: list[t.Variable] = field(default_factory=list)


def check_idle(checker: ProcedureChecker, problems: Problems, top: Source, shown: Words) -> None:
    read: set[t.Variable] = set()
    fields: set[tuple[Procedure, str]] = set()
    totals: dict[t.Variable, t.Variable] = {}
    pages: list[tuple[Procedure, dict[str, _Line]]] = []
    for procedure in checker.book.procedures.values():
        lines: dict[str, _Line] = {}
        steps = checker.procedure(procedure).steps
        _gather(steps, lines, read, fields, totals)
        pages.append((procedure, lines))
        own = procedure.where.scalar.span.source is top
        if own and procedure.table is None and not steps and not _awaited(checker, procedure):
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


def _gather(
    steps: tuple[t.Step, ...],
    lines: dict[str, _Line],
    read: set[t.Variable],
    fields: set[tuple[Procedure, str]],
    totals: dict[t.Variable, t.Variable],
) -> None:
    """The lines of a procedure in the order of the page, and what they ask for."""
    todo: list[t.Step | tuple[t.Step, ...]] = [steps]
    while todo:
        step = todo.pop()
        if isinstance(step, tuple):
            todo += reversed(step)
            continue
        info = step.line
        line = lines.setdefault(info.address, _Line(info, info.address.rsplit(".", 1)[-1]))
        left: list[object] = []
        inner: list[t.Step] = []
        for name in t.children(type(step)):
            value = getattr(step, name)
            for each in value if isinstance(value, tuple) else (value,):
                (inner if isinstance(each, t.Step) else left).append(each)
        todo += reversed(inner)
        if isinstance(step, t.Accumulate):
            totals[step.value] = step.total
            continue
        if isinstance(step, t.Assign) and "?" not in step.variable.name and not _told(step.value):
            line.worth.append(step.variable)
        line.acts |= isinstance(step, _EFFECTS)
        line.tells |= isinstance(step, t.Tell)
        for part in t.parts(tuple(left)):
            if isinstance(part, t.Var):
                read.add(part.variable)
            elif isinstance(part, t.Field):
                fields.add((part.procedure, part.address))
            elif isinstance(part, t.Call):
                line.acts = True


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
