"""Encoded values as text in the words of the game, or as plain data for JSON.

Takes a value, its type, and the names of the things of a situation.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from interpreter.rulebook.book import Book, plural, third_person
from interpreter.rulebook.symbols import Kind
from interpreter.source.digits import format_exact
from interpreter.vocabulary.types import NOT_RUN, Type


class Words:
    """Writes encoded values in the words of a book. `names` has the names of things by the index of their first cell; a
    thing without one is called `new thing` and its index.
    """

    def __init__(self, book: Book, names: Mapping[int, str]) -> None:
        self.book = book
        self.names = dict(names)
        self.kinds = list(book.kinds.values())

    def say(self, value: Any, type_: Type | None) -> str:
        if value is NOT_RUN:
            return "not run"
        if type_ is None or type_.name in ("any", "record", "block"):
            return "" if value is None else str(value)
        match type_.name:
            case "truth":
                return "yes" if value else "no"
            case "inches":
                return "none" if value is None else f'{number(value)}"'
            case "number":
                return number(value)
            case "target":
                return "none" if value is None else f"{number(value)}+"
            case "row":
                return str(type_.of.row_at(value))
            case "rows":
                return ", ".join(type_.of.row_at(v) for v in value) or "none"
            case "thing":
                return self.thing(value)
            case "things":
                return ", ".join(self.thing(v) for v in value) or "nobody"
            case "figure":
                return "nobody" if value is None else self.figure(value)
            case "figures":
                return ", ".join(f"{n} × {self.figure(f)}" for f, n in value) or "nobody"
            case "list":
                return ", ".join(f"{n} × {self.say(one, type_.of)}" for one, n in value) or "nothing"
            case "dice" | "faces":
                return " ".join(str(f) for f in value) or "no dice"
        return str(value)

    def thing(self, place: int) -> str:
        return "nobody" if place is None or place < 0 else self.names.get(place, f"new thing {place}")

    def figure(self, figure: tuple[Any, ...]) -> str:
        """Return the figure's kind and its attributes, without those at their default."""
        kind: Kind = self.kinds[figure[1]]
        words = []
        for attribute in kind.all_attributes():
            value = figure[attribute.place]
            if attribute.type.name == "truth":
                words += [attribute.name] if value else []
            elif attribute.type.name == "row":
                words += [attribute.type.of.row_at(value)] if value not in (-1, attribute.ordinary) else []
            elif attribute.type.name == "rows":
                words += [attribute.type.of.row_at(row) for row in value]
            elif attribute.type.name == "thing":
                words += [f"{attribute.name} {self.thing(value)}"] if value >= 0 else []
            elif value:
                words.append(f"{attribute.name} {number(value)}")
        return f"{kind.name} ({', '.join(words)})" if words else kind.name

    def sentence(self, name: str, arguments: Sequence[str]) -> str:
        """Return a call as a sentence of the rules: `A shoots at B`; an outcome table by its name."""
        return sentence(self.book, name, arguments)

    def plain(self, value: Any, type_: Type | None) -> Any:
        """Return a value for JSON: numbers (int or Fraction) and booleans unchanged, others as text; None for a line
        that did not run.
        """
        if value is NOT_RUN:
            return None
        if type_ is not None and type_.name in ("truth", "number") and isinstance(value, bool | int | Fraction):
            return int(value) if isinstance(value, Fraction) and value.denominator == 1 else value
        if type_ is not None and type_.name in ("dice", "faces"):
            return list(value)
        return self.say(value, type_)


def number(value: Any) -> str:
    """Return the exact text of a number: `3`, `3.5`, `1/3`."""
    return "none" if value is None else format_exact(value)


def singular(name: str) -> str:
    """Return the singular of a plural: beans → bean; any other name unchanged."""
    if name.endswith(("ss", "us", "is")):
        return name
    if name.endswith(("sses", "xes", "ches", "shes", "zzes")):
        return name[:-2]
    return next((one for one in (name[:-1], name[:-3] + "y") if one and plural(one) == name), name)


def sentence(book: Book, name: str, arguments: Sequence[str]) -> str:
    """Return a call as a sentence of the rules."""
    symbol = book.procedures.get(name)
    if symbol is None or not arguments or len(arguments) != len(symbol.params):
        return f"{name} ({', '.join(arguments)})"
    if symbol.table is not None:
        return f"{arguments[0]}: {name} ({', '.join(arguments[1:])})"
    head, dash, tail = symbol.name.partition("-")
    pairs = list(zip(symbol.params, arguments, strict=True))[1:]
    plain = ", ".join(argument for param, argument in pairs if param.word is None)
    words = [f"{param.word} {argument}" for param, argument in pairs if param.word is not None]
    return " ".join(x for x in (arguments[0], third_person(head) + dash + tail, plain, *words) if x)
