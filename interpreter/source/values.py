"""Classes of values and of records: what `@dataclass` makes, in a fiftieth of the time.

Enters: a class with annotated fields. Leaves: the class with slots, `__init__`, `__eq__`, `__hash__`, `__repr__` and
`__match_args__`. There are hundreds, made at every start, and a dataclass compiles one method after the other for each;
here nothing is compiled but one `__init__` for each number of fields, and the others are that one with other names.
That nothing is assigned to is held by mypy, not while running. Knows nothing of what is in the fields.
"""

from __future__ import annotations

from operator import attrgetter
from types import CodeType, FunctionType

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeVar, dataclass_transform

    T = TypeVar("T")
else:

    def dataclass_transform(**_: object) -> Callable[[T], T]:
        """A word to mypy; `typing` takes longer to import than all of this room."""
        return lambda made: made


class _Field:
    """What was said of a field behind its `=`."""

    __slots__ = ("factory", "kw_only", "value")

    def __init__(self, value: object, factory: Any, kw_only: bool) -> None:
        self.value, self.factory, self.kw_only = factory or value, factory, kw_only


_NONE = object()


def field(*, default: Any = _NONE, default_factory: Any = None, kw_only: bool = False) -> Any:
    """As the `field` of dataclasses: a default, or what makes one for each; or by its name only."""
    return _Field(default, default_factory, kw_only)


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def value(*, eq: bool = True, kw_only: bool = False, slots: bool = True) -> Callable[[type[T]], type[T]]:
    """Equal and hashed by its fields, or (`eq=False`) by itself; without `slots` it may have cached properties."""
    return lambda cls: _made(cls, eq, kw_only, slots)


@dataclass_transform(field_specifiers=(field,))
def record() -> Callable[[type[T]], type[T]]:
    """May be filled in later, and is itself only."""
    return lambda cls: _made(cls, False, False, True)


def names(of: type[object]) -> tuple[str, ...]:
    """The names of all fields, in the order in which they were declared."""
    return of.__names__  # type: ignore[attr-defined, no-any-return]


def parts(of: object) -> tuple[Any, ...]:
    """What its fields hold, in the same order."""
    return tuple([getattr(of, name) for name in names(type(of))])


def is_made(one: object) -> bool:
    """Whether it is of a class made here."""
    return hasattr(type(one), "__names__")


def replace(of: T, /, **changed: Any) -> T:
    """Another of its class, the same but for what is `changed`."""
    made = object.__new__(type(of))
    for name in of.__names__:  # type: ignore[attr-defined]
        setattr(made, name, changed.pop(name) if name in changed else getattr(of, name))
    if changed:
        raise TypeError(f"{type(of).__qualname__} has no {', '.join(changed)}")
    return made


def _made(cls: type[Any], eq: bool, kw_only: bool, slots: bool) -> type[Any]:
    body = dict(cls.__dict__)
    said: dict[str, _Field] = {}
    for base in cls.__mro__[-2:0:-1]:
        said.update(base.__dict__.get("__said__", ()))
    own = body.get("__annotations__", ())
    for name in own:
        each = body.pop(name, _NONE)
        if type(each) is not _Field:
            each = _Field(each, None, kw_only)
        elif kw_only:
            each.kw_only = True
        said[name] = each
    names = tuple(said)
    plain = tuple([name for name in names if not said[name].kw_only])
    body.pop("__dict__", None)
    body.pop("__weakref__", None)
    body["__said__"], body["__names__"], body["__qualname__"] = said, names, cls.__qualname__
    body["__match_args__"] = plain
    body["__init__"] = _init(said, plain, body.get("__post_init__"))
    body.setdefault("__repr__", _shown)
    if slots:
        body["__slots__"] = tuple(own)
    if eq:
        body["__eq__"], body["__hash__"] = _equal(names)
    return type(cls.__name__, cls.__bases__, body)


def _equal(names: tuple[str, ...]) -> tuple[Any, Any]:
    parts: Callable[[Any], Any] = attrgetter(*names) if names else type

    def __eq__(self: Any, other: object) -> bool:
        return parts(self) == parts(other) if type(other) is type(self) else NotImplemented

    def __hash__(self: Any) -> int:
        return hash(parts(self))

    return __eq__, __hash__


def _init(said: dict[str, _Field], plain: tuple[str, ...], later: Any) -> FunctionType:
    """`def __init__(self, a, b, *, c): self.a = a; …`, with what makes a default standing for it until it is made."""
    named = tuple([name for name in said if name not in plain]) if len(plain) < len(said) else ()
    words = plain + named
    code = _of_so_many(len(words)).replace(
        co_argcount=1 + len(plain), co_kwonlyargcount=len(named), co_varnames=("self", *words), co_names=words
    )
    defaults = [said[name].value for name in plain if said[name].value is not _NONE]
    begins = FunctionType(code, {}, "__init__", tuple(defaults))
    if named:
        begins.__kwdefaults__ = {name: said[name].value for name in named if said[name].value is not _NONE}
    made = [(name, each.factory) for name, each in said.items() if each.factory]
    if not made and not later:
        return begins

    def __init__(self: Any, *args: Any, **named: Any) -> None:
        begins(self, *args, **named)
        for name, make in made:
            if getattr(self, name) is make:
                setattr(self, name, make())
        if later:
            later(self)

    return __init__  # type: ignore[return-value]


def _of_so_many(fields: int) -> CodeType:
    if fields not in _CODES:
        given = "".join(f", a{i}" for i in range(fields))
        lines = "".join(f"\n self.a{i} = a{i}" for i in range(fields)) or " pass"
        _CODES[fields] = compile(f"def __init__(self{given}):{lines}", __file__, "exec").co_consts[0]
    return _CODES[fields]


_CODES: dict[int, CodeType] = {}


def _shown(self: Any) -> str:
    """As every dataclass is shown, but for the values in it: of a whole rule book the text would never end."""
    said = (f"{name}={_brief(getattr(self, name))}" for name in self.__names__)
    return f"{type(self).__qualname__}({', '.join(said)})"


def _brief(part: Any) -> str:
    if is_made(part):
        return f"{type(part).__qualname__}(…)"
    if isinstance(part, tuple | list | dict | set | frozenset) and part:
        return f"{type(part).__qualname__} of {len(part)}"
    return repr(part)
