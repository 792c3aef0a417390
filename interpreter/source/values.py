"""Classes of values and of records, made in a third of the time that `@dataclass(frozen=True)` takes.

Enters: a class with annotated fields. Leaves: the dataclass. There are hundreds, made at every start, and most of what
a dataclass costs is the compiling of one method after the other; here only `__init__` is. That nothing is assigned to
is held by mypy, not while running. Knows nothing of what is in the fields.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from operator import attrgetter
from typing import Any, TypeVar, dataclass_transform

T = TypeVar("T")


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def value(*, eq: bool = True, kw_only: bool = False) -> Callable[[type[T]], type[T]]:
    """`@dataclass(frozen=True, slots=True, eq=eq, kw_only=kw_only)`: equal and hashed by its fields, or by itself."""

    def made(cls: type[T]) -> type[T]:
        cls.__doc__ = (
            cls.__doc__ or cls.__name__
        )  # else it is made of a signature, which takes longer than all the rest
        new: Any = dataclass(eq=False, repr=False, slots=True, kw_only=kw_only)(cls)
        names: tuple[str, ...] = tuple(new.__dataclass_fields__)
        new.__repr__ = _shown
        if not eq:
            return new  # type: ignore[no-any-return]
        parts: Callable[[Any], Any] = attrgetter(*names) if names else type

        def __eq__(self: Any, other: object) -> bool:
            return parts(self) == parts(other) if type(other) is new else NotImplemented

        def __hash__(self: Any) -> int:
            return hash(parts(self))

        new.__eq__, new.__hash__ = __eq__, __hash__
        return new  # type: ignore[no-any-return]

    return made


@dataclass_transform(field_specifiers=(field,))
def record() -> Callable[[type[T]], type[T]]:
    """`@dataclass(eq=False, slots=True)`: may be filled in later, and is itself only."""
    made: Callable[[type[T]], type[T]] = value(eq=False)
    return made


def _shown(self: Any) -> str:
    """As every dataclass is shown, but for the values in it: of a whole rule book the text would never end."""
    said = (f"{name}={_brief(getattr(self, name))}" for name in self.__dataclass_fields__)
    return f"{type(self).__qualname__}({', '.join(said)})"


def _brief(part: Any) -> str:
    if hasattr(part, "__dataclass_fields__"):
        return f"{type(part).__qualname__}(…)"
    if isinstance(part, tuple | list | dict | set | frozenset) and part:
        return f"{type(part).__qualname__} of {len(part)}"
    return repr(part)
