"""Classes of values and of records: what `@dataclass` makes, in a fiftieth of the time.

Enters: the body of a class, with annotated fields. Leaves: the class with slots, `__init__`, `__eq__`, `__hash__`,
`__repr__` and `__match_args__`. There are hundreds, made at every start, and a dataclass compiles one method after the
other for each, and makes the class anew to give it slots; here each `__init__` is a copy of one of as many fields
(inits.py), with other names, and each class is made once. `Struct` and `Record` only
stand in a class statement: what is made has neither among its bases, and is asked what it is as fast as any class. So
every class names one of them, also where what it extends has done so. That nothing is assigned to is held by mypy, not
while running. Knows nothing of what is in the fields.
"""

from __future__ import annotations

from operator import attrgetter
from types import CodeType, FunctionType

from interpreter.source.inits import BY_FIELDS
from interpreter.source.later import Later, touched

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeVar, dataclass_transform

    T = TypeVar("T")
    Bases = tuple[type[Any], ...]
    Body = dict[str, Any]
else:

    def dataclass_transform(**_: object) -> Callable[[T], T]:
        """A word to mypy; `typing` takes longer to import than all of this room."""
        return lambda made: made


class _Field:
    """What was said of a field behind its `=`."""

    __slots__ = ("factory", "kw_only", "later", "value")

    def __init__(self, value: object, factory: Any, kw_only: bool, later: bool) -> None:
        self.value, self.factory, self.kw_only, self.later = factory or value, factory, kw_only, later


_NONE = object()


def field(*, default: Any = _NONE, default_factory: Any = None, kw_only: bool = False, later: bool = False) -> Any:
    """As the `field` of dataclasses: a default, or what makes one for each; or by its name only. `later`: where the
    object was made of data, it may be filled in when somebody touches it.
    """
    return _Field(default, default_factory, kw_only, later)


class _Declared(type):
    """What a class statement with one of the two below among its bases asks for a class."""

    def __new__(meta, name: str, bases: Bases, body: Body, **said: bool) -> Any:
        if not bases:
            return type.__new__(meta, name, bases, body)
        said.setdefault("eq", Struct in bases)
        return _made(name, tuple([base for base in bases if type(base) is not meta]), body, **said)


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
class Struct(metaclass=_Declared):
    """Equal and hashed by its fields, or (`eq=False`) by itself; without `slots` it may have cached properties."""

    def __init_subclass__(cls, *, eq: bool = True, kw_only: bool = False, slots: bool = True) -> None: ...


@dataclass_transform(field_specifiers=(field,))
class Record(metaclass=_Declared):
    """May be filled in later, and is itself only."""


def names(of: type[object]) -> tuple[str, ...]:
    """The names of all fields, in the order in which they were declared."""
    return of.__names__  # type: ignore[attr-defined, no-any-return]


def at_once(of: type[object]) -> tuple[str, ...]:
    """Of these those that are filled in at once."""
    return of.__at_once__  # type: ignore[attr-defined, no-any-return]


def later(of: type[object]) -> tuple[str, ...]:
    """And those that may be filled in later."""
    return getattr(of, "__later__", ())


def filler(fields: tuple[str, ...]) -> Callable[..., None]:
    """What fills in some of its fields by their turn: `filler(("start", "end"))(span, 3, 5)`."""
    code = _of_so_many(len(fields)).replace(co_varnames=("self", *fields), co_names=fields)
    return FunctionType(code, {}, "fill")


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


def _made(name: str, bases: Bases, body: Body, *, eq: bool, kw_only: bool = False, slots: bool = True) -> type[Any]:
    said: dict[str, _Field] = {}
    for base in bases:
        said.update(getattr(base, "__said__", ()))
    own = tuple(body.get("__annotations__", ()))
    for each in own:
        value = body.pop(each, _NONE)
        if type(value) is not _Field:
            value = _Field(value, None, kw_only, False) if kw_only or value is not _NONE else _PLAIN
        elif kw_only:
            value.kw_only = True
        said[each] = value
    names = tuple(said)
    later = tuple([each for each in names if said[each].later])
    body["__said__"], body["__names__"], body["__later__"] = said, names, later
    body["__at_once__"] = tuple([each for each in names if each not in later]) if later else names
    if later:
        if eq:
            raise TypeError(f"{name} is told by all its fields: none can be left for later")
        if not body["__at_once__"]:
            body["__getattr__"] = touched
    plain = tuple([each for each in names if not said[each].kw_only])
    body["__match_args__"] = plain
    body["__init__"] = _first(said, plain, body.get("__post_init__"))
    body.setdefault("__repr__", _shown)
    if slots:
        waiting = later and not any(getattr(base, "__later__", ()) for base in bases)
        body["__slots__"] = (*own, "__fill__") if waiting else own
    if eq:
        body["__eq__"], body["__hash__"] = _equal(names)
    made = type(name, bases, body)
    for each in own:
        if each in later and body["__at_once__"]:
            setattr(made, each, Later(each, vars(made)[each]))
    return made


_PLAIN = _Field(_NONE, None, False, False)


def _equal(names: tuple[str, ...]) -> tuple[Any, Any]:
    parts: Callable[[Any], Any] = attrgetter(*names) if names else type

    def __eq__(self: Any, other: object) -> bool:
        return parts(self) == parts(other) if type(other) is type(self) else NotImplemented

    def __hash__(self: Any) -> int:
        return hash(parts(self))

    return __eq__, __hash__


def _first(said: dict[str, _Field], plain: tuple[str, ...], later: Any) -> Any:
    """`__init__` until the first of the class is made: of most classes none ever is."""

    def __init__(self: Any, /, *args: Any, **named: Any) -> None:
        begins = _init(said, plain, later)
        for of in type(self).__mro__:
            if vars(of).get("__init__") is __init__:  # else somebody was faster, or put something else there
                of.__init__ = begins  # type: ignore[misc]
        begins(self, *args, **named)

    return __init__


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
    if fields not in BY_FIELDS:
        given = "".join(f", a{i}" for i in range(fields))
        lines = "".join(f"\n self.a{i} = a{i}" for i in range(fields))
        BY_FIELDS[fields] = compile(f"def __init__(self{given}):{lines}", __file__, "exec").co_consts[0]
    return BY_FIELDS[fields]


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
