"""What the decorators of `interpreter/source/values.py` make, beside what dataclasses make of the same words."""

from __future__ import annotations

import pickle
import re
from dataclasses import dataclass
from dataclasses import field as their_field
from functools import cached_property
from pathlib import Path
from typing import Any

import pytest

from interpreter.source.values import Record, Struct, field, is_value, names, parts, replace


class Expr(Struct, kw_only=True):
    type: str
    where: int | None = None


class Call(Expr, Struct):
    """What is called, with what."""

    name: str
    args: tuple[int, ...] = ()


class Sheet(Record):
    title: str
    notes: list[str] = field(default_factory=list)
    size: int = field(default=0, kw_only=True)

    def __post_init__(self) -> None:
        self.size = self.size or len(self.title)


class Nothing(Struct):
    """No field at all."""


class Page(Struct, slots=False):
    text: str

    @cached_property
    def words(self) -> list[str]:
        return self.text.split()


@dataclass(frozen=True, kw_only=True)
class TheirExpr:
    type: str
    where: int | None = None


@dataclass(frozen=True)
class TheirCall(TheirExpr):
    name: str
    args: tuple[int, ...] = ()


@dataclass(eq=False)
class TheirSheet:
    title: str
    notes: list[str] = their_field(default_factory=list)
    size: int = their_field(default=0, kw_only=True)


GIVEN: list[tuple[tuple[Any, ...], dict[str, Any]]] = [
    (("f",), {"type": "number"}),
    (("f", (1, 2)), {"type": "number", "where": 3}),
    ((), {"name": "f", "type": "number"}),
    ((), {"type": "number"}),
    (("f",), {}),
    (("f", (), "number"), {"type": "number"}),
    (("f",), {"name": "g", "type": "number"}),
    (("f",), {"type": "number", "sort": 1}),
]


def seen(make: Any, args: tuple[Any, ...], named: dict[str, Any]) -> Any:
    """What is in it, or what is said of what was given."""
    try:
        made = make(*args, **named)
    except TypeError as error:
        return (
            str(error).replace("TheirCall.", "").replace("Call.", "").replace("TheirSheet.", "").replace("Sheet.", "")
        )
    return {
        name: getattr(made, name) for name in ("type", "where", "name", "args", "title", "notes") if hasattr(made, name)
    }


@pytest.mark.parametrize(("args", "named"), GIVEN)
def test_what_may_be_given_is_what_a_dataclass_takes(args: tuple[Any, ...], named: dict[str, Any]) -> None:
    assert seen(Call, args, named) == seen(TheirCall, args, named)


@pytest.mark.parametrize(("args", "named"), [(("a",), {}), (("a", ["b"]), {"size": 3}), (("a", [], 3), {}), ((), {})])
def test_defaults_that_are_made_are_made_for_each(args: tuple[Any, ...], named: dict[str, Any]) -> None:
    ours, theirs = seen(Sheet, args, named), seen(TheirSheet, args, named)
    if isinstance(ours, dict):
        assert ours == theirs
    else:  # how many it takes is all that they say in other words
        assert isinstance(theirs, str)
    assert Sheet("a").notes is not Sheet("a").notes


def test_what_is_written_after_init_is_heard() -> None:
    assert Sheet("abc").size == 3
    assert Sheet("abc", size=1).size == 1


def test_equal_by_the_fields_and_by_the_class() -> None:
    one, two = Call("f", (1,), type="number"), Call("f", (1,), type="number")
    assert one == two and hash(one) == hash(two) and len({one, two}) == 1
    assert one != Call("f", (1,), type="truth")
    assert one != Call("g", (1,), type="number")
    assert one.__eq__(Expr(type="number")) is NotImplemented
    assert Nothing() == Nothing() and Nothing() != Page("")
    a, b = Sheet("a"), Sheet("a")
    assert a != b and len({a, b}) == 2


def test_the_names_in_order_and_one_with_others() -> None:
    one = Call("f", type="number")
    assert names(Call) == ("type", "where", "name", "args") == tuple(TheirCall.__dataclass_fields__)
    assert Call.__match_args__ == TheirCall.__match_args__ == ("name", "args")
    other = replace(one, args=(2,), where=4)
    assert (other.name, other.args, other.type, other.where) == ("f", (2,), "number", 4)
    assert (one.args, one.where) == ((), None)
    with pytest.raises(TypeError):
        replace(one, sort=1)
    match other:
        case Call("f", found):
            assert found == (2,)


def test_there_is_room_for_the_fields_and_nothing_else() -> None:
    with pytest.raises(AttributeError):
        Sheet("a").nots = []  # type: ignore[attr-defined]
    assert not hasattr(Call("f", type="n"), "__dict__")
    page = Page("two words")
    assert page.words is page.words == ["two", "words"]


def test_shown_in_short_and_carried_elsewhere() -> None:
    one = Call("f", (1, 2), type="number")
    assert repr(one) == "Call(type='number', where=None, name='f', args=tuple of 2)"
    assert "Call(…)" in repr(replace(one, where=one))  # type: ignore[arg-type]
    assert pickle.loads(pickle.dumps(one)) == one
    assert is_value(one) and not is_value("f") and not is_value(TheirExpr(type="n"))
    assert (Call.__name__, Call.__module__, Call.__doc__) == ("Call", __name__, "What is called, with what.")


def test_everywhere_or_not_at_all() -> None:
    """One dataclass on the way of a command costs more than all the values: what it imports."""
    texts = {p: p.read_text("utf-8") for p in (Path(__file__).parent.parent / "interpreter").rglob("*.py")}
    assert len(texts) > 200
    assert not [p for p, text in texts.items() if re.search(r"^\s*(from|import) dataclasses", text, re.MULTILINE)]


def test_parts_stand_in_the_order_of_the_names() -> None:
    assert parts(Call("f", type="number")) == ("number", None, "f", ())
    assert parts(Nothing()) == ()


class Ground(Struct):
    a: int
    b: int = 2


class Upon(Ground, Struct):
    c: int = 3


def test_the_first_of_a_class_is_made_as_the_others() -> None:
    with pytest.raises(TypeError):
        Upon()  # type: ignore[call-arg]
    first, second = Upon(1), Upon(1, c=4)  # before any of what it extends
    assert [(x.a, x.b, x.c) for x in (first, second)] == [(1, 2, 3), (1, 2, 4)]
    ground = Ground(b=5, a=1)
    assert (ground.a, ground.b) == (1, 5)
    assert Upon(1) == first
    with pytest.raises(TypeError):
        Ground(1, 2, 3)  # type: ignore[call-arg]


def test_its_init_may_be_held_before_the_first_was_made() -> None:
    class Thing(Struct):
        a: int

    begins = Thing.__init__  # held by somebody before the first was made
    one = Thing(1)
    begins(one, 2)
    assert (one.a, Thing(3).a) == (2, 3)
