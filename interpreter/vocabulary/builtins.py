"""The functions of the language: one row each, with its check and a sentence.

Enters: types of arguments. Leaves: the operation's name and the type of its result, or None when it does not fit.
How an operation is computed stands in `program`. Knows nothing of YAML, Lark or games.
"""

from __future__ import annotations

from collections.abc import Callable

from interpreter.source.values import Struct

from .types import DICE, FACES, INCHES, NUMBER, TARGET, TRUTH, Type

Check = Callable[[tuple[Type, ...]], tuple[str, Type] | None]


class Builtin(Struct):
    name: str
    doc: str
    check: Check
    numbers: bool = False


def _extreme(word: str) -> Check:
    def check(args: tuple[Type, ...]) -> tuple[str, Type] | None:
        if len(args) == 1 and args[0].name == "rows":
            return f"{word}-of-rows", Type("row", args[0].of)
        if len(args) == 1 and args[0].name == "list" and args[0].of is not None:
            return f"{word}-of-list", args[0].of
        if len(args) >= 2:
            return word, INCHES if INCHES in args else NUMBER
        return None

    return check


def _first(args: tuple[Type, ...]) -> tuple[str, Type] | None:
    if len(args) == 1 and args[0].name in ("things", "figures", "rows"):
        return f"first-of-{args[0].name}", Type(args[0].name[:-1], args[0].of)
    return None


def _of_dice(name: str) -> Check:
    return lambda args: (name, NUMBER) if args in ((DICE,), (FACES,)) else None


def _common(args: tuple[Type, ...]) -> tuple[str, Type] | None:
    if len(args) == 1 and args[0].name == "list" and args[0].of is not None:
        return "most-common", args[0].of
    return None


def _sum(args: tuple[Type, ...]) -> tuple[str, Type] | None:
    if len(args) == 1 and args[0].name == "list" and args[0].of in (NUMBER, INCHES, TARGET):
        return "sum-of-list", INCHES if args[0].of == INCHES else NUMBER
    if args in ((DICE,), (FACES,)):
        return "sum-faces", NUMBER
    return None


def _half(args: tuple[Type, ...]) -> tuple[str, Type] | None:
    return ("half", args[0]) if len(args) == 1 and args[0] in (NUMBER, INCHES) else None


def _whole(args: tuple[Type, ...]) -> tuple[str, Type] | None:
    return ("whole", args[0]) if len(args) == 1 and args[0] in (NUMBER, INCHES) else None


def _ran(args: tuple[Type, ...]) -> tuple[str, Type] | None:
    return ("ran", TRUTH) if len(args) == 1 else None


_ROWS = (
    Builtin(
        "min", "min(a, b): the smallest number; min(rows): the first of some rows of a table", _extreme("min"), True
    ),
    Builtin("max", "max(a, b): the largest number; max(rows): the last of some rows of a table", _extreme("max"), True),
    Builtin("first", "first(things): the first of some things, or nobody", _first),
    Builtin("lowest", "lowest(2d6): the lowest face", _of_dice("lowest")),
    Builtin("highest", "highest(2d6): the highest face", _of_dice("highest")),
    Builtin("alike", "alike(faces): the most dice that show one face", _of_dice("alike")),
    Builtin("most-common", "most-common(figures.x): what most of them have; ties go to the first row", _common),
    Builtin("sum", "sum(figures.x): a number of each, added up; sum(faces): what dice show, added up", _sum),
    Builtin("whole", "whole(n): what is whole of it, rounded down: a number, or inches", _whole, True),
    Builtin("ran", "ran(line): whether that line was run", _ran),
    Builtin("half", "half(n): half of it, a number rounded up, inches as they are", _half, True),
)
BUILTINS: dict[str, Builtin] = {b.name: b for b in _ROWS}
