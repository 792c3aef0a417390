"""Base classes for immutable values and for records, like `@dataclass(frozen=True, slots=True)` but faster to import.

A dataclass compiles its methods when the class is created, which takes half a second for all classes of this
project. Here a class statement only lists its fields; `__init__` is built when the first object is created.

    class Span(Struct):
        source: Source
        start: int
        end: int = field(default=0)

mypy, not the runtime, checks that no field of a `Struct` is assigned to. `__slots__` in the body of a class names
further attributes that are not fields, such as a memoized result.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from operator import attrgetter
from types import CodeType, FunctionType
from typing import Any, TypeVar, dataclass_transform

T = TypeVar("T")
_NONE = object()


class _Field:
    """The default and the options of one field."""

    __slots__ = ("factory", "kw_only", "value")

    def __init__(self, value: object, factory: Any, kw_only: bool) -> None:
        self.value, self.factory, self.kw_only = factory or value, factory, kw_only


_PLAIN = _Field(_NONE, None, False)


def field(*, default: Any = _NONE, default_factory: Any = None, kw_only: bool = False) -> Any:
    """Declare a field, as `dataclasses.field` does: with a default, a factory for it, or keyword-only."""
    return _Field(default, default_factory, kw_only)


class _Declared(type):
    """Builds the classes that derive from `Struct` or `Record`; neither of the two stays among their bases."""

    def __new__(meta, name: str, bases: tuple[type[Any], ...], body: dict[str, Any], **options: bool) -> Any:
        if not bases:
            return type.__new__(meta, name, bases, body)
        options.setdefault("eq", Struct in bases)
        return _build_class(name, tuple(base for base in bases if type(base) is not meta), body, **options)


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
class Struct(metaclass=_Declared):
    """Compared and hashed by fields, or (`eq=False`) by identity. With `slots=False` cached properties work."""

    def __init_subclass__(cls, *, eq: bool = True, kw_only: bool = False, slots: bool = True) -> None: ...


@dataclass_transform(field_specifiers=(field,))
class Record(metaclass=_Declared):
    """A mutable object, compared by identity."""


def names(of: type[object]) -> tuple[str, ...]:
    """Return the names of all fields of a class, in the order of their declaration."""
    return of.__names__  # type: ignore[attr-defined, no-any-return]


def parts(of: object) -> tuple[Any, ...]:
    """Return the values of all fields of an object, in the order of their declaration."""
    return tuple([getattr(of, name) for name in names(type(of))])


def reduce_by_fields(of: object) -> tuple[type[object], tuple[Any, ...]]:
    """A `__reduce__` that pickles an object as its class and its field values, which is faster and smaller than the
    default. Only for classes without keyword-only fields whose fields never refer back to the object.
    """
    return type(of), parts(of)


def is_value(one: object) -> bool:
    """Return whether an object is an instance of a `Struct` or `Record`."""
    return hasattr(type(one), "__names__")


def replace(of: T, /, **changed: Any) -> T:
    """Return a copy with some fields changed. Raises TypeError for an unknown field."""
    made = object.__new__(type(of))
    for name in names(type(of)):
        setattr(made, name, changed.pop(name) if name in changed else getattr(of, name))
    if changed:
        raise TypeError(f"{type(of).__qualname__} has no {', '.join(changed)}")
    return made


def _build_class(
    name: str,
    bases: tuple[type[Any], ...],
    body: dict[str, Any],
    *,
    eq: bool,
    kw_only: bool = False,
    slots: bool = True,
) -> type[Any]:
    declared: dict[str, _Field] = {}
    for base in bases:
        declared.update(getattr(base, "__fields__", ()))
    own = tuple(body.get("__annotations__", ()))
    for each in own:
        value = body.pop(each, _NONE)
        if type(value) is not _Field:
            value = _Field(value, None, kw_only) if kw_only or value is not _NONE else _PLAIN
        elif kw_only:
            value.kw_only = True
        declared[each] = value
    fields = tuple(declared)
    body |= {"__fields__": declared, "__names__": fields}
    body["__match_args__"] = tuple(each for each in fields if not declared[each].kw_only)
    body |= {"__init__": _first_init, "__getstate__": parts, "__setstate__": _first_setstate}
    body.setdefault("__repr__", _repr)
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


def _first_init(self: Any, /, *args: Any, **named: Any) -> None:
    """The `__init__` of a class until its first object, which replaces it by the compiled one: most classes never get
    an object.
    """
    of = _declaring(type(self))
    of.__init__ = _init(of.__fields__, vars(of).get("__post_init__"))
    of.__init__(self, *args, **named)


def _first_setstate(self: Any, state: tuple[Any, ...]) -> None:
    """The same for unpickling, where the state of an object is `parts`."""
    of = _declaring(type(self))
    of.__setstate__ = FunctionType(_code("__setstate__", len(names(of))).replace(co_names=names(of)), {})
    of.__setstate__(self, state)


def _declaring(of: type[Any]) -> Any:
    """The class itself, or the nearest of its bases that declares fields."""
    return next(base for base in of.__mro__ if "__fields__" in vars(base))


def _init(declared: dict[str, _Field], after: Any) -> FunctionType:
    """`def __init__(self, a, b, *, c): self.a = a; …`. A factory is itself the default, until it is called."""
    plain = [name for name in declared if not declared[name].kw_only]
    named = [name for name in declared if declared[name].kw_only]
    words = (*plain, *named)
    code = _code("__init__", len(words)).replace(
        co_argcount=1 + len(plain), co_kwonlyargcount=len(named), co_varnames=("self", *words), co_names=words
    )
    init = FunctionType(code, {}, "__init__", tuple(declared[n].value for n in plain if declared[n].value is not _NONE))
    init.__kwdefaults__ = {name: declared[name].value for name in named if declared[name].value is not _NONE}
    made = [(name, each.factory) for name, each in declared.items() if each.factory]
    if not made and not after:
        return init

    def __init__(self: Any, *args: Any, **named: Any) -> None:
        init(self, *args, **named)
        for name, make in made:
            if getattr(self, name) is make:
                setattr(self, name, make())
        if after:
            after(self)

    return __init__  # type: ignore[return-value]


@cache
def _code(method: str, fields: int) -> CodeType:
    """The code object of a method for that many fields; `CodeType.replace` sets their names."""
    each = [f"a{i}" for i in range(fields)]
    if method == "__init__":
        lines = [f"def __init__({', '.join(['self', *each])}):", *(f" self.{a} = {a}" for a in each), " pass"]
    else:
        lines = ["def __setstate__(self, state):", f" [{', '.join(f'self.{a}' for a in each)}] = state"]
    scope: dict[str, Any] = {}
    exec("\n".join(lines), scope)  # `compile` would first make the hundred classes of `ast`
    code: CodeType = scope[method].__code__
    return code


def _repr(self: Any) -> str:
    """A `__repr__` like that of a dataclass, but one level deep: the text of a whole rule book would be endless."""
    shown = (f"{name}={_brief(getattr(self, name))}" for name in names(type(self)))
    return f"{type(self).__qualname__}({', '.join(shown)})"


def _brief(part: Any) -> str:
    if is_value(part):
        return f"{type(part).__qualname__}(…)"
    if isinstance(part, tuple | list | dict | set | frozenset) and part:
        return f"{type(part).__qualname__} of {len(part)}"
    return repr(part)
