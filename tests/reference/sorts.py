"""Of what sort none is, by the sentence that comes to it: of a number and of inches it counts as 0 in a total."""

from __future__ import annotations

from collections.abc import Set
from fractions import Fraction
from typing import Any

from interpreter.language import nodes as n

from .book import adjusts
from .layers import Definition, Entry
from .scopes import Scope, lines_called
from .state import State
from .things import Inches
from .trees import parse


class Sorts(State):
    def worth_of_none(self, node: Any, scope: Scope, past: tuple[Entry, ...] = ()) -> Any:
        """What none of this sentence adds up to: 0, 0 inches, or none where it is of things or rows.
        `past`: lines that led here, so that `hits: volleys.hits` does not mean itself.
        """
        if isinstance(node, n.Group) and not node.parts:
            return self.worth_of_none(node.inner, scope, past)
        if isinstance(node, n.Where):
            return self.worth_of_none(node.items, scope, past)
        if isinstance(node, n.Either):
            found = self.worth_of_none(node.value, scope, past)
            return self.worth_of_none(node.other, scope, past) if found is None else found
        if isinstance(node, n.Number | n.Calc | n.Banded):
            return 0
        if isinstance(node, n.Inches):
            return Inches(Fraction(0))
        if not isinstance(node, n.Path | n.Group):
            return None
        last = node.parts[-1]
        if last.name == "needed" and len(node.parts) > 1:
            return 0
        if len(node.parts) == 1 and last.name in ("min", "max") and last.args:
            return self.worth_of_none(last.args[0], scope, past)
        line = self.line_meant(last.name, scope, past)
        if line is not None and (len(node.parts) == 1 or not self.known_on_cards(last.name)):
            return self.worth_of_none(self.said_by(line), scope, (*past, line))
        return self.worth_on_cards(last.name, scope)

    def of_dice(self, node: Any, scope: Scope, past: tuple[Entry, ...] = ()) -> bool:
        """Whether a sentence comes to faces of dice, also where none were thrown."""
        if isinstance(node, n.Group) and not node.parts:
            return self.of_dice(node.inner, scope, past)
        if isinstance(node, n.Where):
            return self.of_dice(node.items, scope, past)
        if isinstance(node, n.Path) and len(node.parts) == 1:
            line = self.line_meant(node.parts[0].name, scope, past)
            return line is not None and self.of_dice(self.said_by(line), scope, (*past, line))
        return isinstance(node, n.Dice | n.Pool | n.Barred)

    def has_none_for_a_base(self, value: Definition) -> bool:
        """Whether a base of a value may be none: a cell, what is `or none`, none itself, a value with such a base."""
        texts = [value.body] if isinstance(value.body, str) else [str(entry.body) for entry in value.body]
        told = {value.title.of and value.title.of.text, *(p.name.text for p in value.title.params)}
        return any(self.may_be_none(line.value, told) for text in texts if (line := adjusts(text)).what == "set")

    def may_be_none(self, node: Any, told: Set[str | None]) -> bool:
        """`told`: the names that are heard here before those on cards."""
        if isinstance(node, n.Group) and not node.parts:
            return self.may_be_none(node.inner, told)
        if isinstance(node, n.Either):
            return self.may_be_none(node.value, told) or self.may_be_none(node.other, told)
        if not isinstance(node, n.Path | n.Group):
            return isinstance(node, n.Absent)
        name = node.parts[-1].name
        if isinstance(node, n.Path) and len(node.parts) == 1 and name in told:
            return False
        if name == "needed":  # of a roll that throws no die
            return True
        if (value := self.book.of("value").get(name)) is not None:
            return self.has_none_for_a_base(value)
        types = [a for kind in self.book.kinds if (a := self.book.attribute(kind, name)) is not None]
        if (fact := self.book.of("fact").get(name)) is not None:
            types.append(parse(str(fact.body), "attribute"))
        cells = any(name in row.cells for rows in self.book.rows.values() for row in rows.values())
        return cells or any(a.optional for a in types)

    def line_meant(self, name: str, scope: Scope, past: tuple[Entry, ...]) -> Entry | None:
        blocks = [s.block.entries for s in scope.chain() if s.block is not None]
        bodies = [d.body for d in self.book.procedures.values() if isinstance(d.body, list)]
        return next((e for entries in [*blocks, *bodies] for e in lines_called(entries, name) if e not in past), None)

    def said_by(self, entry: Entry) -> Any:
        return parse(entry.body, "line").action if isinstance(entry.body, str) and entry.body else None

    def known_on_cards(self, name: str) -> bool:
        cells = (row.cells for rows in self.book.rows.values() for row in rows.values())
        return (
            any(name in self.book.of(what) for what in ("value", "fact"))
            or any(self.book.attribute(kind, name) is not None for kind in self.book.kinds)
            or any(name in row for row in cells)
        )

    def worth_on_cards(self, name: str, scope: Scope) -> Any:
        """By an attribute, a fact, a value or a column of this name."""
        if (value := self.book.of("value").get(name)) is not None:
            texts = [value.body] if isinstance(value.body, str) else [str(entry.body) for entry in value.body]
            bases = [line.value for text in texts if (line := adjusts(text)).what == "set"]
            return next((x for base in bases if (x := self.worth_of_none(base, scope)) is not None), None)
        types = [a.what for kind in self.book.kinds if (a := self.book.attribute(kind, name)) is not None]
        if (fact := self.book.of("fact").get(name)) is not None:
            types.append(parse(str(fact.body), "attribute").what)
        cells = [row.cells.get(name) for rows in self.book.rows.values() for row in rows.values()]
        if "inches" in types or any(isinstance(cell, Inches) for cell in cells):
            return Inches(Fraction(0))
        return 0 if "number" in types or any(isinstance(cell, int) for cell in cells) else None
