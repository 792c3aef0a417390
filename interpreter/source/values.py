"""Base classes for immutable values and for records: what `@dataclass(frozen=True, slots=True)` gives, without its cost
at every start.

A dataclass compiles its methods from text when the class is made, which takes half a second for all classes of this
project. Here a class statement only lists its fields; its `__init__` is made when the first object is.

    class Span(Struct):
        source: Source
        start: int
        end: int = field(default=0)

That nothing is assigned to a field of a `Struct` is checked by mypy, not at run time. `__slots__` in the body of a
class names attributes that are no fields, such as what an object has computed once.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter
from types import CodeType, FunctionType
from typing import Any, TypeVar, dataclass_transform

T = TypeVar("T")
_NONE = object()


class _Field:
    """What was said of a field behind its `=`."""

    __slots__ = ("factory", "kw_only", "value")

    def __init__(self, value: object, factory: Any, kw_only: bool) -> None:
        self.value, self.factory, self.kw_only = factory or value, factory, kw_only


_PLAIN = _Field(_NONE, None, False)


def field(*, default: Any = _NONE, default_factory: Any = None, kw_only: bool = False) -> Any:
    """As `dataclasses.field`: a default, or what makes one for each object; or a field given by its name only."""
    return _Field(default, default_factory, kw_only)


class _Declared(type):
    """Builds the class that a class statement with `Struct` or `Record` among its bases asks for; neither of the two
    stays among its bases."""

    def __new__(meta, name: str, bases: tuple[type[Any], ...], body: dict[str, Any], **said: bool) -> Any:
        if not bases:
            return type.__new__(meta, name, bases, body)
        said.setdefault("eq", Struct in bases)
        return _made(name, tuple(base for base in bases if type(base) is not meta), body, **said)


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
class Struct(metaclass=_Declared):
    """Equal and hashed by its fields, or (`eq=False`) by identity; without `slots` it may have cached properties."""

    def __init_subclass__(cls, *, eq: bool = True, kw_only: bool = False, slots: bool = True) -> None: ...


@dataclass_transform(field_specifiers=(field,))
class Record(metaclass=_Declared):
    """May be changed after it is made; equal only to itself."""


def names(of: type[object]) -> tuple[str, ...]:
    """The names of all fields of a class, in the order in which they were declared."""
    return of.__names__  # type: ignore[attr-defined, no-any-return]


def parts(of: object) -> tuple[Any, ...]:
    """The values of all fields of an object, in the same order."""
    return tuple([getattr(of, name) for name in names(type(of))])


def by_fields(of: object) -> tuple[type[object], tuple[Any, ...]]:
    """As `__reduce__` of a class: pickle makes its objects anew from their fields, in less time and space than it takes
    to set each. Only for classes without fields given by name, whose fields never lead back to the object.
    """
    return type(of), parts(of)


def is_made(one: object) -> bool:
    """Whether its class is a `Struct` or a `Record`."""
    return hasattr(type(one), "__names__")


def replace(of: T, /, **changed: Any) -> T:
    """A copy with some fields changed. Raises TypeError for a name that is no field."""
    made = object.__new__(type(of))
    for name in names(type(of)):
        setattr(made, name, changed.pop(name) if name in changed else getattr(of, name))
    if changed:
        raise TypeError(f"{type(of).__qualname__} has no {', '.join(changed)}")
    return made


def _made(
    name: str,
    bases: tuple[type[Any], ...],
    body: dict[str, Any],
    *,
    eq: bool,
    kw_only: bool = False,
    slots: bool = True,
) -> type[Any]:
    said: dict[str, _Field] = {}
    for base in bases:
        said.update(getattr(base, "__said__", ()))
    own = tuple(body.get("__annotations__", ()))
    for each in own:
        value = body.pop(each, _NONE)
        if type(value) is not _Field:
            value = _Field(value, None, kw_only) if kw_only or value is not _NONE else _PLAIN
        elif kw_only:
            value.kw_only = True
        said[each] = value
    fields = tuple(said)
    body |= {"__said__": said, "__names__": fields}
    body["__match_args__"] = tuple(each for each in fields if not said[each].kw_only)
    body["__init__"] = _first(said, body.get("__post_init__"))
    body.setdefault("__repr__", _shown)
    if slots:
        body["__slots__"] = (*own, *body.get("__slots__", ()))
    if eq:
        body["__eq__"], body["__hash__"] = _equal(fields)
    return type(name, bases, body)


def _equal(fields: tuple[str, ...]) -> tuple[Any, Any]:
    values: Callable[[Any], Any] = attrgetter(*fields) if fields else type

    def __eq__(self: Any, other: object) -> bool:
        return values(self) == values(other) if type(other) is type(self) else NotImplemented

    def __hash__(self: Any) -> int:
        return hash(values(self))

    return __eq__, __hash__


def _first(said: dict[str, _Field], after: Any) -> Any:
    """An `__init__` that puts the real one in its place when it is first called: of most classes no object is made."""

    def __init__(self: Any, /, *args: Any, **named: Any) -> None:
        begins = _init(said, after)
        for of in type(self).__mro__:
            if vars(of).get("__init__") is __init__:
                of.__init__ = begins  # type: ignore[misc]
        begins(self, *args, **named)

    return __init__


def _init(said: dict[str, _Field], after: Any) -> FunctionType:
    """`def __init__(self, a, b, *, c): self.a = a; …`; a factory stands as the default of its field until it is run."""
    plain = [name for name in said if not said[name].kw_only]
    named = [name for name in said if said[name].kw_only]
    words = (*plain, *named)
    code = _of_so_many(len(words)).replace(
        co_argcount=1 + len(plain), co_kwonlyargcount=len(named), co_varnames=("self", *words), co_names=words
    )
    begins = FunctionType(code, {}, "__init__", tuple(said[n].value for n in plain if said[n].value is not _NONE))
    begins.__kwdefaults__ = {name: said[name].value for name in named if said[name].value is not _NONE}
    made = [(name, each.factory) for name, each in said.items() if each.factory]
    if not made and not after:
        return begins

    def __init__(self: Any, *args: Any, **named: Any) -> None:
        begins(self, *args, **named)
        for name, make in made:
            if getattr(self, name) is make:
                setattr(self, name, make())
        if after:
            after(self)

    return __init__  # type: ignore[return-value]


_codes: dict[int, CodeType] = {}


def _of_so_many(fields: int) -> CodeType:
    """The code of an `__init__` with that many fields, whose names are put in by `CodeType.replace`."""
    if fields not in _codes:
        given = "".join(f", a{i}" for i in range(fields))
        lines = "".join(f"\n self.a{i} = a{i}" for i in range(fields)) or " pass"
        scope: dict[str, Any] = {}
        exec(compile(f"def __init__(self{given}):{lines}", __file__, "exec"), scope)
        _codes[fields] = scope["__init__"].__code__
    return _codes[fields]


def _shown(self: Any) -> str:
    """As a dataclass is shown, but nested values are cut short: the text of a whole rule book would never end."""
    said = (f"{name}={_brief(getattr(self, name))}" for name in names(type(self)))
    return f"{type(self).__qualname__}({', '.join(said)})"


def _brief(part: Any) -> str:
    if is_made(part):
        return f"{type(part).__qualname__}(…)"
    if isinstance(part, tuple | list | dict | set | frozenset) and part:
        return f"{type(part).__qualname__} of {len(part)}"
    return repr(part)
