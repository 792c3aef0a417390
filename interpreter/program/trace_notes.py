"""Notes of a traced program: what it records, and which parts of a sentence a trace can show.

A `Note` says once, by number, which line of the rules a place of the program belongs to. `conjuncts` and `operands`
take a typed expression and give those parts that have a text of their own and can be computed again without a
question.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from typing import Any

from interpreter.rulebook import typed as t
from interpreter.rulebook.between import is_others
from interpreter.rulebook.symbols import LineInfo, Procedure
from interpreter.source.values import Struct
from interpreter.vocabulary.operations import OPERATIONS
from interpreter.vocabulary.types import Type
from interpreter.vocabulary.unrun import NOT_RUN


class Part(Struct):
    """`asked`: the value, or the table's column, that answered it; "" where it is plain."""

    text: str
    type: Type
    asked: str = ""


class Note(Struct, eq=False):
    """kind: `line` (value), `if` (condition), `each`, `round` (of a loop), `case` (the one taken), `where` (of a
    filter, who was asked), `fits` (who gains a mark that is limited), `set`, `add`, `link` (a mark between two), `deal`
    (some of what is dealt), `tell`, `change` (one line of a value or roll), `value` (its result), `roll` (what is
    needed), `cell`, `fact`, `new`, `leave`, `rehome`.

    `parts` are what a line or a condition was worked out from. Their values follow its own, but for those that were
    asked of a value or a table: these spoke for themselves.
    """

    kind: str
    line: LineInfo
    type: Type | None = None
    about: Any = None
    text: str = ""
    parts: tuple[Part, ...] = ()


# A traced program appends records `(steps, values…)` to a list: each step takes some of the values.
# NOTE (number of the note, how many values; 0: one value that holds them all) · KNOWN (notes with their values) · CLEAR
# (reasons so far are of nothing) · ASKED (site; question, answer, faces) · CALLED (site, how many arguments; arguments)
# · SKIP (site: asked of nobody) · LEFT (a call is over). A record may also be one note: `(number, values…)`.
NOTE, KNOWN, CLEAR, ASKED, CALLED, SKIP, LEFT = range(7)

_SAID = ("number", "inches", "truth", "row", "target", "dice")
_ASKING = (*t.SITES, t.CallValue, t.Cell, t.BandAt, t.FactOf, t.RollOf, t.Filter, t.Each)


def conjuncts(e: t.Expr) -> list[t.Expr]:
    """The parts of a condition that must all be so, in their order."""
    if isinstance(e, t.Op) and e.name == "and":
        return [c for part in e.args for c in conjuncts(part) if not _always(c)]
    return [e]


def _always(e: t.Expr) -> bool:
    return isinstance(e, t.Lit) and e.value is True


def operands(e: t.Expr) -> list[t.Expr]:
    """The numbers, words and dice that a sentence speaks of, in their order, each once; not a sentence that is one
    itself.
    """
    found: dict[str, t.Expr] = {}
    for part in _operands(e):
        if part.where is not None and not _is_dice(part.where.text):
            found.setdefault(part.where.text, part)
    return [part for part in found.values() if part is not e]


def _is_dice(said: str) -> bool:
    """Whether the page says `d6` or `2d6` there."""
    count, d, sides = said.partition("d")
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


def spoken(e: t.Expr) -> Part:
    """An operand as a trace names it."""
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
    """Whether a condition speaks of dice as they fell: of faces, of a throw, of faces counted."""
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
    """A line that is the faces of dice, their sum, or some of them counted; or such a line and something added."""
    if isinstance(e, t.Op) and OPERATIONS[e.name].sums:
        return any(of_faces(a, thrown) for a in e.args)
    if isinstance(e, t.Var):
        return e.variable in thrown
    return isinstance(e, t.Throw) or (isinstance(e, t.Op) and OPERATIONS[e.name].faces)


def shows_faces(e: t.Expr, thrown: Collection[t.Variable] = ()) -> bool:
    """A line that hangs on how dice fell, and on nobody's choice: also one that is some of them."""
    if of_faces(e, thrown):
        return True
    return e.type.name in ("dice", "faces") and not isinstance(e, t.Choose | t.Var)
