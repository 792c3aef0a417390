"""Notes of a running program: for a trace, each line and its operands; for coverage, what has run.

A `Note` assigns, by number, a point of the program to a line of the rules. `conjuncts` and `operands` take a typed
expression, and return those parts that have source text and can be evaluated again without a question. A `Seen` records
which procedures ran, and which table rows were read.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from typing import Any

from interpreter.rulebook import typed as t
from interpreter.rulebook.marks_between import is_others
from interpreter.rulebook.symbols import LineInfo, Procedure, Table
from interpreter.source.values import Struct
from interpreter.vocabulary.operations import OPERATIONS
from interpreter.vocabulary.types import NOT_RUN, Type


class Part(Struct):
    """An operand in a trace. `asked` is the name of the value, fact or table column that it reads; "" for others."""

    text: str
    type: Type
    asked: str = ""


class Note(Struct, eq=False):
    """A note. `kind` is `line` (value), `if` (condition), `each`, `round` (of a loop), `case` (the one taken), `where`
    (a filter's members), `fits` (which figures gain a limited mark), `set`, `add`, `link` (a mark between two things),
    `restate` (a fact that is set), `deal`, `tell`, `change` (one line of a value or roll), `value` (its result), `roll`
    (its target), `cell`, `fact`, `new`, `leave` or `rehome`.

    `parts` are the operands of a line or condition. Their values follow its own, except for operands that read a value
    or table, which make notes themselves.
    """

    kind: str
    line: LineInfo
    type: Type | None = None
    about: Any = None
    text: str = ""
    parts: tuple[Part, ...] = ()


# A traced program appends records `(steps, values…)` to a list: each step consumes some of the values. NOTE (number of
# the note, count of values; 0: one value that contains them all) · KNOWN (notes with constant values) · CLEAR (discard
# reasons so far) · ASKED (site; question, answer, faces) · CALLED (site, count of arguments; arguments) · SKIP (site: a
# call without its subject) · LEFT (end of a call). A record may also be one note: `(number, values…)`.
NOTE, KNOWN, CLEAR, ASKED, CALLED, SKIP, LEFT = range(7)

_SAID = ("number", "inches", "truth", "row", "target", "dice")
_ASKING = (*t.SITES, t.CallValue, t.Cell, t.BandAt, t.FactOf, t.RollOf, t.Filter, t.Each)


def conjuncts(e: t.Expr) -> list[t.Expr]:
    """Return the conjuncts of a condition, in order."""
    if isinstance(e, t.Op) and e.name == "and":
        return [c for part in e.args for c in conjuncts(part) if not _always(c)]
    return [e]


def _always(e: t.Expr) -> bool:
    return isinstance(e, t.Lit) and e.value is True


def operands(e: t.Expr) -> list[t.Expr]:
    """The numbers, words and dice in an expression, in order and without duplicates; not the expression itself."""
    found: dict[str, t.Expr] = {}
    for part in _operands(e):
        if part.where is not None and not _is_dice(part.where.text):
            found.setdefault(part.where.text, part)
    return [part for part in found.values() if part is not e]


def _is_dice(text: str) -> bool:
    """Whether the source text is a dice literal such as `2d6`."""
    count, d, sides = text.partition("d")
    return d == "d" and (not count or count.isdigit()) and sides.isdigit()


def _operands(e: t.Expr) -> Iterator[t.Expr]:
    if isinstance(e, t.Op) and OPERATIONS[e.name].said:
        for arg in e.args:
            yield from _operands(arg)
    elif isinstance(e, t.IfElse) and not (isinstance(e.other, t.Lit) and e.other.value is NOT_RUN):
        for arg in (e.condition, e.value, e.other):
            yield from _operands(arg)
    elif isinstance(e, t.CallValue | t.Cell | t.FactOf):
        yield e
    elif isinstance(e, t.Op) and len(e.args) == 1 and isinstance(e.args[0], t.CallValue):
        yield e.args[0]
    elif (isinstance(e, t.Op) and e.name == "any-of" and is_others(e.args[0])) or (
        not isinstance(e, t.Lit) and e.type.name in _SAID and not any(isinstance(p, _ASKING) for p in t.parts(e))
    ):
        yield e


def as_part(e: t.Expr) -> Part:
    """Return an operand as a trace names it."""
    assert e.where is not None
    match e:
        case t.CallValue():
            return Part(e.where.text, e.type, e.value.name)
        case t.FactOf():
            return Part(e.where.text, e.type, e.fact.name)
        case t.Cell():
            return Part(e.where.text, e.type, f"{e.table.name}.{e.column.name}")
    return Part(e.where.text, e.type)


def looks_at_dice(e: t.Expr, lines: Callable[[Procedure], t.Checked], thrown: set[t.Variable]) -> bool:
    """Return whether a condition reads the faces of dice: directly, through a variable, or in a line of a call."""
    for part in t.parts(e):
        if isinstance(part, t.Expr) and part.type.name == "dice":
            return True
        if isinstance(part, t.Var) and part.variable in thrown:
            return True
        if isinstance(part, t.Field):
            checked = lines(part.procedure)
            variable = checked.lines.get(part.address)
            steps = (s for s in t.parts(checked.steps) if isinstance(s, t.Assign) and s.variable is variable)
            if any(shows_faces(s.value) for s in steps):
                return True
    return False


def of_faces(e: t.Expr, thrown: Collection[t.Variable] = ()) -> bool:
    """Return whether an expression is faces of dice, their sum, or a count of them; or such a value plus something."""
    if isinstance(e, t.Op) and OPERATIONS[e.name].sums:
        return any(of_faces(a, thrown) for a in e.args)
    if isinstance(e, t.Var):
        return e.variable in thrown
    return isinstance(e, t.Throw) or (isinstance(e, t.Op) and OPERATIONS[e.name].faces)


def shows_faces(e: t.Expr, thrown: Collection[t.Variable] = ()) -> bool:
    """Return whether the value of a line depends directly on thrown dice, and on no choice."""
    if of_faces(e, thrown):
        return True
    return e.type.name in ("dice", "faces") and not isinstance(e, t.Choose | t.Var)


class Seen:
    """`procedures` have run; `rows` are pairs of a table's name and the index of a row that was read."""

    def __init__(self) -> None:
        self.procedures: set[Procedure] = set()
        self.rows: set[tuple[str, int]] = set()

    def column(self, table: Table, cells: tuple[Any, ...]) -> tuple[Any, ...]:
        """Return the cells of a column, as a tuple that records reads."""
        column = _Column(cells)
        column.table, column.rows = table.name, self.rows
        return column


class _Column(tuple[Any, ...]):
    table: str
    rows: set[tuple[str, int]]

    def __getitem__(self, at: Any) -> Any:
        self.rows.add((self.table, at))
        return super().__getitem__(at)

    def __iter__(self) -> Any:
        self.rows |= {(self.table, at) for at in range(len(self))}
        return super().__iter__()
