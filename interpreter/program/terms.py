"""Expressions of the intermediate representation: immutable nodes that know which slots and cells they read.

Two terms are equal if they have the same structure. Passes rebuild them with `mapped`; `printer.py` prints them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from operator import is_
from typing import Any, TypeVar

from interpreter.source.values import Struct, names, replace

from .layout import CellKey

T = TypeVar("T")
Cells = frozenset[CellKey]
NO_CELLS: Cells = frozenset()
SPEAKING = ("looked", "looked_at", "asked_of", "heard", "fact")  # functions that append notes


class Uses(Struct):
    """The slots of its procedure and the cells of the state that an expression reads."""

    slots: frozenset[int] = frozenset()
    cells: Cells = NO_CELLS

    def __or__(self, other: Uses) -> Uses:
        if other is NOTHING or other is self:
            return self
        return other if self is NOTHING else Uses(self.slots | other.slots, self.cells | other.cells)


NOTHING = Uses()


class Term(Struct):
    """An expression, with properties that follow from its operands and are memoized."""

    __slots__ = ("_of_state", "_speaks", "_uses")

    @property
    def uses(self) -> Uses:
        """The slots and cells that it reads, itself or in its operands."""
        try:
            return self._uses
        except AttributeError:
            self._uses: Uses = self.reading()
            return self._uses

    @property
    def of_state(self) -> bool:
        """Whether it contains the state."""
        try:
            return self._of_state
        except AttributeError:
            self._of_state: bool = any(part.of_state for part in operands(self))
            return self._of_state

    @property
    def speaks(self) -> bool:
        """Whether evaluating it may append a note of a trace, or ask for a fact."""
        try:
            return self._speaks
        except AttributeError:
            self._speaks: bool = self.noting() or any(part.speaks for part in operands(self))
            return self._speaks

    def reading(self) -> Uses:
        return all_uses(operands(self))

    def noting(self) -> bool:
        return False


def all_uses(terms: Iterable[Term]) -> Uses:
    """Return the slots and cells that any of some terms reads."""
    found = NOTHING
    for term in terms:
        uses = term.uses
        if uses is not NOTHING and uses is not found:
            found = uses if found is NOTHING else found | uses
    return found


class Const(Term, Struct, eq=False):
    """A constant: a number, boolean, None, an internal word, or a tuple or set of these."""

    value: Any

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Const) and type(other.value) is type(self.value) and bool(other.value == self.value)

    def __hash__(self) -> int:
        return hash((type(self.value), self.value))


class Bound(Term, Struct, eq=False):
    """A value without a literal form, bound to a name in a program's namespace."""

    name: str
    value: Any

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Bound) and other.name == self.name

    def __hash__(self) -> int:
        return hash(self.name)


class Slot(Term, Struct):
    """A variable of a procedure."""

    number: int

    def reading(self) -> Uses:
        return Uses(frozenset((self.number,)))


class Local(Term, Struct):
    """A local name in one expression or function: of a member, or of a parameter."""

    name: str


class State(Term, Struct):
    """The current list of cells."""

    of_state = True


class Cell(Term, Struct):
    """A cell of a thing, or (`base` None) of the state itself. `state` is the state, or a slot that holds a
    snapshot.
    """

    state: Term
    base: Term | None
    place: int
    reads: Cells = NO_CELLS

    def reading(self) -> Uses:
        return all_uses(operands(self)) | Uses(cells=self.reads)


class Member(Term, Struct):
    """The member of a tuple at an index."""

    of: Term
    at: Term


class Behind(Term, Struct):
    """A tuple without its first member."""

    of: Term


class Infix(Term, Struct):
    """Two operands, or more in a chain of comparisons, with `operators` between them."""

    operators: tuple[str, ...]
    parts: tuple[Term, ...]


class And(Term, Struct):
    """Python's `and` of the parts: the first that is false, else the last."""

    parts: tuple[Term, ...]


class Or(Term, Struct):
    """Python's `or` of the parts: the first that is true, else the last."""

    parts: tuple[Term, ...]


class Not(Term, Struct):
    """Whether a term is false."""

    of: Term


class Minus(Term, Struct):
    """A number with the opposite sign."""

    of: Term


class IfElse(Term, Struct):
    """`value` if the test holds, else `other`."""

    test: Term
    value: Term
    other: Term


class Tuple(Term, Struct):
    """A tuple of the parts; a `Spread` among them contributes all its members."""

    parts: tuple[Term, ...]


class Spread(Term, Struct):
    """All members of a tuple, as parts of another tuple or a set."""

    of: Term


class SetOf(Term, Struct):
    """A set of the parts; a `Spread` among them contributes all its members."""

    parts: tuple[Term, ...]


class Gather(Term, Struct):
    """A comprehension: `value` for each member of `items` that passes `test`; with `inner`, for each `one` in a nested
    collection.

    `kind` is "tuple", "list" or "set"; `names` unpack a member.
    """

    kind: str
    value: Term
    names: tuple[str, ...]
    items: Term
    test: Term | None = None
    one: str = ""
    inner: Term | None = None


class Lambda(Term, Struct):
    """A function of the parameters `names`, whose value is `body`."""

    names: tuple[str, ...]
    body: Term


class Call(Term, Struct):
    """A call of a function of the runtime, or of Python, by name; `reads` are the cells that it reads itself."""

    name: str
    args: tuple[Term, ...]
    reads: Cells = NO_CELLS
    default: Term | None = None

    def reading(self) -> Uses:
        found = all_uses(operands(self))
        return found | Uses(cells=self.reads) if self.reads else found

    def noting(self) -> bool:
        return self.name in SPEAKING


class Function(Struct, eq=False):
    """A value or roll: its parameters, its statements, what it reads; `weight` is its number of expression nodes, as a
    measure of cost.
    """

    name: str
    params: tuple[str, ...]
    body: tuple[Any, ...]  # statements of `statements.py`: `Let`, `When`, `Told`, `Judge`, `Give`
    reads: Cells
    of_state: bool
    used: tuple[bool, ...]
    weight: int = 0


class Apply(Term, Struct):
    """A call of a value or roll, with the state if it reads one, and the arguments that it uses."""

    function: Function
    state: Term | None
    args: tuple[Term, ...]

    def reading(self) -> Uses:
        found = all_uses(operands(self))
        return found | Uses(cells=self.function.reads) if self.function.reads else found

    def noting(self) -> bool:
        return True


class Itself(Term, Struct):
    """A function as a value, to be called later."""

    function: Function

    def reading(self) -> Uses:
        return Uses(cells=self.function.reads)


STATE = State()
NONE, TRUE, FALSE, ZERO, ONE, NO_MEMBERS = map(Const, (None, True, False, 0, 1, ()))
NOBODY = Const(-1)  # also for an absent row


@lru_cache(4096)
def slot(number: int) -> Slot:
    """Return the term of a slot, one object for each number while it is cached."""
    return Slot(number)


# ---- making terms
@lru_cache(4096, typed=True)
def const(value: int | bool | tuple[int, ...]) -> Const:
    """Return the term of a constant, one object for each value and type while it is cached."""
    return Const(value)


def infix(left: Term, operator: str, right: Term) -> Infix:
    """Return two terms with an operator of Python between them."""
    return Infix((operator,), (left, right))


def call(name: str, *args: Term, reads: Cells = NO_CELLS) -> Call:
    """Return a call of a function by its name; `reads` are the cells that the function itself reads."""
    return Call(name, args, reads)


def or_zero(term: Term) -> Or:
    """Return a number as an operand: a missing one counts as 0."""
    return Or((term, ZERO))


def is_none(term: Term) -> Infix:
    """Return the test that a term is None."""
    return infix(term, "is", NONE)


def is_some(term: Term) -> Infix:
    """Return the test that a term is not None."""
    return infix(term, "is not", NONE)


# ---- operands of terms
class _Held(dict[type[Any], tuple[tuple[str, bool], ...]]):
    """For each class, its fields that contain operands, and whether each contains several."""

    def __missing__(self, of: type[Any]) -> tuple[tuple[str, bool], ...]:
        kinds = {"Term": False, "Term | None": False, "tuple[Term, ...]": True}
        types = of.__annotations__
        self[of] = found = tuple([(name, kinds[types[name]]) for name in names(of) if types.get(name) in kinds])
        return found


_HELD = _Held()


def operands(node: object) -> Sequence[Term]:
    """Return the terms that a term or statement consists of, without those of nested statements."""
    held = _HELD[type(node)]
    if not held:
        return ()
    found: list[Term] = []
    for name, many in held:
        part = getattr(node, name)
        if many:
            found += part
        elif part is not None:
            found.append(part)
    return found


def parts(term: Term) -> Iterator[Term]:
    """Yield a term and all terms inside it."""
    yield term
    for operand in operands(term):
        yield from parts(operand)


def free_locals(term: Term) -> frozenset[str]:
    """Return the local names that a term reads and does not bind itself."""
    read, bound = set[str](), set[str]()
    for part in parts(term):
        match part:
            case Local():
                read.add(part.name)
            case Lambda():
                bound.update(part.names)
            case Gather():
                bound.update((*part.names, part.one))
    return frozenset(read - bound)


def is_work(term: Term) -> bool:
    """Return whether evaluating a term is more work than looking its value up."""
    return isinstance(term, Apply) or (isinstance(term, Gather) and term.kind == "tuple")


def mapped(node: T, make: Callable[[Term], Term]) -> T:
    """Return the node with `make` applied to its operands; the node itself if nothing changes."""
    changed: dict[str, Any] = {}
    for name, many in _HELD[type(node)]:
        part = getattr(node, name)
        if many:
            made = tuple([make(one) for one in part])
            if not all(map(is_, made, part)):
                changed[name] = made
        elif part is not None and (one := make(part)) is not part:
            changed[name] = one
    return replace(node, **changed) if changed else node
