"""Expressions of a lowered procedure: small frozen nodes with operands, which know what they read.

Enters: nothing. Leaves: `Term`s. A term is built once, read by passes (`folding.py`) and written as Python by the one
printer (`printer.py`). Two terms are equal when they are built alike. Knows nothing of rules, nor of Python's syntax.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cached_property, lru_cache
from typing import Any, TypeVar

from interpreter.source.values import Struct, names, replace

from .layout import CellKey

T = TypeVar("T")
Cells = frozenset[CellKey]
NO_CELLS: Cells = frozenset()
SPEAKING = ("looked", "looked_at", "asked", "asked_of", "heard", "fact")  # functions that note what they came to


class Uses(Struct):
    """What an expression reads: slots of its procedure, cells of the state."""

    slots: frozenset[int] = frozenset()
    cells: Cells = NO_CELLS

    def __or__(self, other: Uses) -> Uses:
        if other is NOTHING or other is self:
            return self
        return other if self is NOTHING else Uses(self.slots | other.slots, self.cells | other.cells)


NOTHING = Uses()


class Term(Struct, slots=False):
    @cached_property
    def uses(self) -> Uses:
        """What it reads: what its operands read, and cells that it looks at itself."""
        return all_uses(operands(self))

    @cached_property
    def of_state(self) -> bool:
        """Whether the state itself, or a part of it, stands in it."""
        return any(part.of_state for part in operands(self))

    @cached_property
    def speaks(self) -> bool:
        """Whether something in it may note by itself what it comes to, or ask for a fact."""
        return any(part.speaks for part in operands(self))


def all_uses(terms: Iterable[Term]) -> Uses:
    found = NOTHING
    for term in terms:
        found |= term.uses
    return found


class Const(Term, Struct, eq=False, slots=False):
    """A plain value: a number, yes or no, nothing, a word of ours, a tuple or a set of such."""

    value: Any

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Const) and type(other.value) is type(self.value) and bool(other.value == self.value)

    def __hash__(self) -> int:
        return hash((type(self.value), self.value))


class Bound(Term, Struct, eq=False, slots=False):
    """A value that has a name in the space of a program, for it cannot be written down."""

    name: str
    value: Any

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Bound) and other.name == self.name

    def __hash__(self) -> int:
        return hash(self.name)


class Slot(Term, Struct, slots=False):
    """A variable of a procedure."""

    number: int

    @cached_property
    def uses(self) -> Uses:
        return Uses(frozenset((self.number,)))


class Local(Term, Struct, slots=False):
    """A name inside one expression or one function: of a member, of a parameter."""

    name: str


class State(Term, Struct, slots=False):
    """The list of cells as it is now."""

    @cached_property
    def of_state(self) -> bool:
        return True


class Cell(Term, Struct, slots=False):
    """A cell of a thing, or (`base` None) of the state itself. `state` is the state, or a slot that keeps one."""

    state: Term
    base: Term | None
    place: int
    reads: Cells = NO_CELLS

    @cached_property
    def uses(self) -> Uses:
        return all_uses(operands(self)) | Uses(cells=self.reads)


class Member(Term, Struct, slots=False):
    """The member of a tuple at a place."""

    of: Term
    at: Term


class Behind(Term, Struct, slots=False):
    """A tuple without its first member."""

    of: Term


class Infix(Term, Struct, slots=False):
    """Two operands, or more in a chain of comparisons: `operators` stand between them."""

    operators: tuple[str, ...]
    parts: tuple[Term, ...]


class And(Term, Struct, slots=False):
    parts: tuple[Term, ...]


class Or(Term, Struct, slots=False):
    parts: tuple[Term, ...]


class Not(Term, Struct, slots=False):
    of: Term


class Minus(Term, Struct, slots=False):
    of: Term


class IfElse(Term, Struct, slots=False):
    test: Term
    value: Term
    other: Term


class Tuple(Term, Struct, slots=False):
    parts: tuple[Term, ...]


class Spread(Term, Struct, slots=False):
    """All members of a tuple, among the parts of another or of a set."""

    of: Term


class SetOf(Term, Struct, slots=False):
    parts: tuple[Term, ...]


class Gather(Term, Struct, slots=False):
    """What `value` comes to for each member of `items` for which `test` holds; with `inner`, for each `one` of what
    is inside each member. A `kind` "tuple", "list" or "set". `names` are a member's, one for each of its parts.
    """

    kind: str
    value: Term
    names: tuple[str, ...]
    items: Term
    test: Term | None = None
    one: str = ""
    inner: Term | None = None


class Lambda(Term, Struct, slots=False):
    names: tuple[str, ...]
    body: Term


class Call(Term, Struct, slots=False):
    """A function of the runtime, or of Python, by its name; `reads` are the cells that it looks at by itself."""

    name: str
    args: tuple[Term, ...]
    reads: Cells = NO_CELLS
    default: Term | None = None

    @cached_property
    def uses(self) -> Uses:
        found = all_uses(operands(self))
        return found | Uses(cells=self.reads) if self.reads else found

    @cached_property
    def speaks(self) -> bool:
        return self.name in SPEAKING or any(part.speaks for part in operands(self))


class Function(Struct, eq=False, slots=False):
    """A value or a roll: its parameters, its statements, what it reads; `weight`: the parts of sentences behind one
    answer.
    """

    name: str
    params: tuple[str, ...]
    body: tuple[Any, ...]  # of `statements.py`: `Let`, `When`, `Told`, `Judge`, `Give`
    reads: Cells
    of_state: bool
    used: tuple[bool, ...]
    weight: int = 0


class Apply(Term, Struct, slots=False):
    """A value or a roll, asked: of a state, where it looks at one, and of those arguments that it uses."""

    function: Function
    state: Term | None
    args: tuple[Term, ...]

    @cached_property
    def uses(self) -> Uses:
        found = all_uses(operands(self))
        return found | Uses(cells=self.function.reads) if self.function.reads else found

    @cached_property
    def speaks(self) -> bool:
        return True


class Itself(Term, Struct, slots=False):
    """A function, handed on to be asked later."""

    function: Function

    @cached_property
    def uses(self) -> Uses:
        return Uses(cells=self.function.reads)


STATE = State()
NONE, TRUE, FALSE, ZERO, ONE, NO_MEMBERS = map(Const, (None, True, False, 0, 1, ()))
NOBODY = Const(-1)  # or no row


@lru_cache(4096)
def slot(number: int) -> Slot:
    return Slot(number)


# ---- making terms
def infix(left: Term, operator: str, right: Term) -> Infix:
    return Infix((operator,), (left, right))


def call(name: str, *args: Term, reads: Cells = NO_CELLS) -> Call:
    return Call(name, args, reads)


def or_zero(term: Term) -> Or:
    """A number for sums: an empty cell adds nothing."""
    return Or((term, ZERO))


def is_none(term: Term) -> Infix:
    return infix(term, "is", NONE)


def is_some(term: Term) -> Infix:
    return infix(term, "is not", NONE)


# ---- looking at terms
_HELD: dict[type[object], list[tuple[str, bool]]] = {}


def _held(of: type[object]) -> list[tuple[str, bool]]:
    """The fields of a class that hold operands, and whether each holds several."""
    if of not in _HELD:
        kinds = {"Term": False, "Term | None": False, "tuple[Term, ...]": True}
        said = of.__annotations__
        _HELD[of] = [(name, kinds[said[name]]) for name in names(of) if said[name] in kinds]
    return _HELD[of]


def operands(node: object) -> list[Term]:
    """The terms that a term or a statement is made of; not those inside statements inside it."""
    found: list[Term] = []
    for name, many in _held(type(node)):
        held = getattr(node, name)
        if many:
            found += held
        elif held is not None:
            found.append(held)
    return found


def parts(term: Term) -> Iterator[Term]:
    """A term and all that is inside it."""
    yield term
    for operand in operands(term):
        yield from parts(operand)


def mapped(node: T, make: Callable[[Term], Term]) -> T:
    """The same term or statement of other operands; itself where none of them is another."""
    changed: dict[str, Any] = {}
    for name, many in _held(type(node)):
        held = getattr(node, name)
        if many:
            made = tuple([make(one) for one in held])
            if any(a is not b for a, b in zip(made, held, strict=True)):
                changed[name] = made
        elif held is not None and (one := make(held)) is not held:
            changed[name] = one
    return replace(node, **changed) if changed else node
