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
    body["__init__"] = _lazy_init(declared, body.get("__post_init__"))
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


def _lazy_init(declared: dict[str, _Field], after: Any) -> Any:
    """An `__init__` that replaces itself by the compiled one on the first call: most classes never get an object."""

    def __init__(self: Any, /, *args: Any, **named: Any) -> None:
        init = _init(declared, after)
        for of in type(self).__mro__:
            if vars(of).get("__init__") is __init__:
                of.__init__ = init  # type: ignore[misc]
        init(self, *args, **named)

    return __init__


def _init(declared: dict[str, _Field], after: Any) -> FunctionType:
    """`def __init__(self, a, b, *, c): self.a = a; …`. A factory is itself the default, until it is called."""
    plain = [name for name in declared if not declared[name].kw_only]
    named = [name for name in declared if declared[name].kw_only]
    words = (*plain, *named)
    code = _init_code(len(words)).replace(
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


_codes: dict[int, CodeType] = {}


def _init_code(fields: int) -> CodeType:
    """The code object of an `__init__` with that many fields; `CodeType.replace` sets their names."""
    if fields not in _codes:
        given = "".join(f", a{i}" for i in range(fields))
        lines = "".join(f"\n self.a{i} = a{i}" for i in range(fields)) or " pass"
        scope: dict[str, Any] = {}
        exec(compile(f"def __init__(self{given}):{lines}", __file__, "exec"), scope)
        _codes[fields] = scope["__init__"].__code__
    return _codes[fields]


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
