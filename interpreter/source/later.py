"""Fields that are filled in when somebody touches one of them.

Enters: objects that were made without some of their fields, and what fills these in. Leaves: objects that nobody can
tell from others. Knows nothing of what is in the fields, and of who declares them (values.py).
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any


def wait(some: Iterable[object], fill: Callable[[], None]) -> None:
    """Fields of some objects are not there yet; this fills them in, when somebody touches one."""
    for each in some:
        each.__fill__ = fill  # type: ignore[attr-defined]


def touched(self: Any, name: str) -> Any:
    """A field is not there, of an object all of whose fields may not be."""
    if name not in self.__later__ or not is_there(self, "__fill__"):
        raise AttributeError(f"{type(self).__qualname__} has no {name}")
    self.__fill__()
    return object.__getattribute__(self, name)


class Later:
    """A field that may not be there, beside others that are: these are asked for as fast as of any class."""

    __slots__ = ("name", "slot")

    def __init__(self, name: str, slot: Any) -> None:
        self.name, self.slot = name, slot

    def __get__(self, one: Any, of: type[object] | None = None) -> Any:
        if one is None:
            return self
        try:
            return self.slot.__get__(one)
        except AttributeError:
            if not is_there(one, "__fill__"):
                raise AttributeError(f"{type(one).__qualname__} has no {self.name}") from None
        one.__fill__()
        return self.slot.__get__(one)

    def __set__(self, one: Any, value: Any) -> None:
        self.slot.__set__(one, value)


def is_there(one: object, name: str) -> bool:
    """Whether a field is filled in; it is not touched."""
    found = next(vars(of)[name] for of in type(one).__mro__ if name in vars(of))
    try:
        (found.slot if type(found) is Later else found).__get__(one)
    except AttributeError:
        return False
    return True
