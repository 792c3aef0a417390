"""The table of operations, one row for each, with all that is known about it.

`OPERATIONS` maps the name that typed expressions use to a row; `FUNCTIONS` maps a word of the language to its rows.
Checker, lint, compiled rules, traces, mutation and the manual read the rows: a new function of the language is one row
here and one Python function. Operations that need more than the values of their operands (`join`, `every`) are lowered
in `program/operation_lowering.py`. This module does not know YAML, Lark or games.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from math import inf
from typing import Any

from interpreter.source.values import Struct

from . import functions as f
from . import intervals
from .intervals import Interval
from .types import DICE, FACES, INCHES, NUMBER, TARGET, TRUTH, Type

Args = tuple[Type, ...]
Signature = Callable[[Args], Type | None]  # the type of the result; None if the arguments do not fit
# A bound and its kind: (3, 1) is above 3, (3, 0) is 3 itself, and (3, -1) is below 3.
Bound = tuple[Any, int]
Bounds = tuple[Bound, Bound]


class Operation(Struct, eq=False):
    """Syntax: a call of `word`(…), with a `sentence` for the manual and a `signature`; or a `sign` between operands.

    Evaluation: `evaluate` takes the values of the operands; compiled rules use the Python operator `infix` if there is
    one, and otherwise call `evaluate`. `numbers`: each operand is converted to a number; collections are counted.
    `compares`: it compares two values; if they are numbers, "none" is neither more nor less than any number.

    Properties of the result: `range` computes its interval from the intervals of the operands, `range_of_dice` from the
    number of dice and the interval of a face; without either it is unbounded. `bounds`: the bounds of the left operand
    of a comparison that holds, given a constant on the right. `rises`: for each operand, whether the result increases
    (1) or decreases (-1) with it; the last value applies to all further operands, and empty means unknown.
    """

    name: str
    sign: str = ""
    word: str = ""
    sentence: str = ""
    signature: Signature | None = None

    evaluate: Callable[..., Any] | None = None
    infix: str = ""
    numbers: bool = False
    compares: bool = False
    test: bool = False  # a boolean that depends only on the values of its operands
    sums: bool = False
    one_unit: bool = False  # the operands must have the same unit: adding pips and counts of dice is a mistake
    added_unsaid: bool = False  # inserted implicitly where a collection or dice stand for a number

    range: Callable[..., Interval] | None = None
    range_of_dice: Callable[[Interval, Interval], Interval] | None = None
    bounds: Callable[[Any], Bounds] | None = None
    may_be_none: bool = False
    fractions: str = ""  # when fractional: if one of its `operands` or of the `members` of a list is; `makes`: always
    faces: bool = False  # computed from the faces of dice
    one_face: bool = False  # the result is a face that one of the dice shows
    rises: tuple[int, ...] = ()
    opposite: str = ""  # the comparison that holds of two numbers exactly if this one does not
    turned: str = ""  # the equivalent comparison with exchanged operands

    said: bool = False  # a trace shows its operands besides the result
    in_trace: str = ""  # how a trace words a line whose operands come from dice
    breach: str = ""  # the message for a violated limit, with both numbers
    slip: str = ""  # the operation that is often written by mistake; used by mutation

    @property
    def written(self) -> str:
        """Its symbol in a rule file."""
        return self.word or self.sign

    @property
    def function(self) -> str:
        """The name of `evaluate` in compiled rules."""
        assert self.evaluate is not None, self.name
        return str(self.evaluate.__name__)

    def way(self, operand: int) -> int:
        """Return whether the result increases (1) or decreases (-1) with an operand."""
        return self.rises[min(operand, len(self.rises) - 1)]


# ---- signatures
def _numbers(args: Args) -> Type | None:
    return (INCHES if INCHES in args else NUMBER) if len(args) >= 2 else None


def _number(args: Args) -> Type | None:
    return NUMBER if args == (NUMBER,) else None


def _inches(args: Args) -> Type | None:
    return INCHES if args == (INCHES,) else None


def of_dice(args: Args) -> Type | None:
    """A number from dice or from faces of dice."""
    return NUMBER if args in ((DICE,), (FACES,)) else None


def _each_a_row(args: Args) -> Type | None:
    return args[0] if args and all(a.name == "row" for a in args) else None


def _rows(args: Args) -> Type | None:
    return Type("row", args[0].of) if len(args) == 1 and args[0].name == "rows" else None


def _list(args: Args) -> Type | None:
    found = args[0].of if len(args) == 1 and args[0].name == "list" else None
    return found if isinstance(found, Type) else None


def _list_of_numbers(args: Args) -> Type | None:
    found = _list(args)
    return None if found not in (NUMBER, INCHES, TARGET) else INCHES if found == INCHES else NUMBER


def _first_of(several: str) -> Signature:
    def signature(args: Args) -> Type | None:
        return Type(several[:-1], args[0].of) if len(args) == 1 and args[0].name == several else None

    return signature


def _anything(args: Args) -> Type | None:
    return TRUTH if len(args) == 1 else None


_ARITHMETIC = (
    Operation(
        "add", "+",
        evaluate=operator.add, infix="+", numbers=True, sums=True, one_unit=True, range=intervals.add,
        fractions="operands", rises=(1, 1), said=True, in_trace="sum", slip="subtract",
    ),
    Operation(
        "subtract", "-",
        evaluate=operator.sub, infix="-", numbers=True, sums=True, one_unit=True,
        range=intervals.subtract, fractions="operands", rises=(1, -1), said=True, in_trace="sum", slip="add",
    ),
    Operation(
        "times", "*",
        evaluate=f.times, infix="*", numbers=True, range=intervals.multiply, fractions="operands", said=True,
        slip="divide",
    ),
    Operation("divide", "/", evaluate=f.divide, numbers=True, fractions="makes", said=True, slip="times"),
)  # fmt: skip

_COMPARISONS = (
    Operation(
        "at-least", ">=",
        evaluate=operator.ge, infix=">=", numbers=True, compares=True, test=True,
        bounds=lambda x: ((x, 0), (inf, 0)), rises=(1, -1), opposite="less", turned="at-most",
        said=True, breach="{} of at least {}", slip="more",
    ),
    Operation(
        "at-most", "<=",
        evaluate=operator.le, infix="<=", numbers=True, compares=True, test=True,
        bounds=lambda x: ((-inf, 0), (x, 0)), rises=(-1, 1), opposite="more", turned="at-least",
        said=True, breach="{} of at most {}", slip="less",
    ),
    Operation(
        "more", ">",
        evaluate=operator.gt, infix=">", numbers=True, compares=True, test=True,
        bounds=lambda x: ((x, 1), (inf, 0)), rises=(1, -1), opposite="at-most", turned="less",
        said=True, breach="{}, and it must be more than {}", slip="at-least",
    ),
    Operation(
        "less", "<",
        evaluate=operator.lt, infix="<", numbers=True, compares=True, test=True,
        bounds=lambda x: ((-inf, 0), (x, -1)), rises=(-1, 1), opposite="at-least", turned="more",
        said=True, breach="{}, and it must be less than {}", slip="at-most",
    ),
    Operation(
        "equal", "=",
        evaluate=operator.eq, infix="==", numbers=True, compares=True, test=True,
        bounds=lambda x: ((x, 0), (x, 0)), turned="equal", said=True, breach="{}, and it must be {}", slip="at-least",
    ),
    Operation("same", "is", evaluate=operator.eq, infix="==", compares=True, test=True, turned="same", said=True),
)  # fmt: skip

_TESTS = (
    Operation("and", "and", test=True, rises=(1, 1), said=True, slip="or"),
    Operation("or", "or", test=True, rises=(1, 1), said=True, slip="and"),
    Operation("not", "not", evaluate=operator.not_, test=True, rises=(-1,), said=True),
    Operation("absent", "is none", test=True, said=True),
    Operation("in", "in", test=True),
    Operation("in-figures", "in", evaluate=f.within),
    Operation("any-of", "any"),
    Operation("some", rises=(1,)),  # whether a roll is passed, by the number of passing dice
    Operation("every", "each"),
)

_FUNCTIONS = (
    Operation("min-row", word="min", signature=_each_a_row, evaluate=f.min_row, may_be_none=True),
    Operation("max-row", word="max", signature=_each_a_row, evaluate=f.max_row, may_be_none=True),
    Operation(
        "min", word="min", sentence="min(a, b): the smallest number", signature=_numbers,
        evaluate=min, numbers=True, one_unit=True, range=intervals.least, fractions="operands", rises=(1,), said=True,
        slip="max",
    ),
    Operation(
        "min-of-rows", word="min", sentence="min(rows): the first of some rows of a table", signature=_rows,
        may_be_none=True,
    ),
    Operation("min-of-list", word="min", signature=_list, may_be_none=True, fractions="members"),
    Operation(
        "max", word="max", sentence="max(a, b): the largest number", signature=_numbers,
        evaluate=max, numbers=True, one_unit=True, range=intervals.most, fractions="operands", rises=(1,), said=True,
        slip="min",
    ),
    Operation(
        "max-of-rows", word="max", sentence="max(rows): the last of some rows of a table", signature=_rows,
        may_be_none=True,
    ),
    Operation("max-of-list", word="max", signature=_list, may_be_none=True, fractions="members"),
    Operation(
        "first-of-things", word="first", sentence="first(things): the first of some things, or none",
        signature=_first_of("things"), may_be_none=True,
    ),
    Operation(
        "first-of-figures", word="first", signature=_first_of("figures"), evaluate=f.first_figure, may_be_none=True
    ),
    Operation("first-of-rows", word="first", signature=_first_of("rows"), may_be_none=True),
    Operation(
        "lowest", word="lowest", sentence="lowest(2d6): the lowest face", signature=of_dice,
        evaluate=f.lowest, range_of_dice=intervals.face_of_several, faces=True, one_face=True, slip="highest",
    ),
    Operation(
        "highest", word="highest", sentence="highest(2d6): the highest face", signature=of_dice,
        evaluate=f.highest, range_of_dice=intervals.face_of_several, faces=True, one_face=True, slip="lowest",
    ),
    Operation(
        "alike", word="alike", sentence="alike(faces): the largest number of dice that show the same face",
        signature=of_dice, evaluate=f.most_of_one_face, range_of_dice=intervals.count_of_one_face, faces=True,
    ),
    Operation(
        "most-common", word="most-common",
        sentence="most-common(figures.x): the most common value, none included; in a tie none, otherwise the first row",
        signature=_list, evaluate=f.most_common, may_be_none=True, fractions="members",
    ),
    Operation(
        "sum-of-list", word="sum", sentence="sum(figures.x): the sum of a number of each", signature=_list_of_numbers,
        fractions="members",
    ),
    Operation(
        "sum-faces", word="sum", sentence="sum(faces): the sum of the dice", signature=of_dice,
        evaluate=sum, added_unsaid=True, range=lambda dice: dice, faces=True,
    ),
    Operation(
        "whole", word="whole", sentence="whole(n): a number or inches, rounded down",
        signature=_number, evaluate=f.whole, numbers=True, range=intervals.round_down, rises=(1,),
    ),
    Operation("whole-of-inches", word="whole", signature=_inches, evaluate=f.whole, numbers=True, rises=(1,)),
    Operation("ran", word="ran", sentence="ran(line): whether that line was run", signature=_anything),
    Operation(
        "half", word="half", sentence="half(n): half of it; a number is rounded up, inches are not",
        signature=_number, evaluate=f.half, numbers=True, range=intervals.half_rounded_up, rises=(1,), said=True,
    ),
    Operation(
        "half-of-inches", word="half", signature=_inches, evaluate=f.halved, numbers=True, rises=(1,), said=True
    ),
)  # fmt: skip

_OTHERS = (
    Operation("count", added_unsaid=True),
    Operation("faces"),  # dice taken as a collection
    Operation("meeting", "meeting", faces=True, said=True, in_trace="passed", slip="missing"),
    Operation("missing", "missing", faces=True, said=True, in_trace="failed", slip="meeting"),
    Operation("join", "+"),
    Operation("without", "-"),
    Operation("only", may_be_none=True),
    Operation("options"),
    Operation("holders"),
    Operation("row-up", "+", may_be_none=True),
    Operation("row-down", "-", may_be_none=True),
    Operation("dice-count"),
    Operation("dice-sides"),
    Operation("dice-plus"),
    Operation("whole-part"),
    Operation("remainder"),
    Operation("portion"),
    Operation("other-portions"),
    Operation("and-portion"),
)

OPERATIONS: dict[str, Operation] = {}
FUNCTIONS: dict[str, tuple[Operation, ...]] = {}  # by word, in the order in which the signatures are tried
EVALUATED: dict[str, Operation] = {}  # by the name of the Python function that compiled rules call


def register(row: Operation) -> None:
    """Add an operation to the tables."""
    OPERATIONS[row.name] = row
    if row.word:
        FUNCTIONS[row.word] = (*FUNCTIONS.get(row.word, ()), row)
    if row.evaluate is not None:
        EVALUATED.setdefault(row.function, row)


for _row in (*_ARITHMETIC, *_COMPARISONS, *_TESTS, *_FUNCTIONS, *_OTHERS):
    register(_row)


def fitting(word: str, args: Args) -> tuple[Operation, Type] | None:
    """The operation that a word calls with arguments of these types, and the type of its result; None if none fits."""
    for row in FUNCTIONS[word]:
        if row.signature is not None and (made := row.signature(args)) is not None:
            return row, made
    return None


def sentence(word: str) -> str:
    """Return what a function does, for the manual and for error messages."""
    return "; ".join(row.sentence for row in FUNCTIONS[word] if row.sentence)


ARITHMETIC = {row.sign: row.name for row in _ARITHMETIC}
COMPARISONS = {row.sign: row.name for row in _COMPARISONS if row.numbers}
