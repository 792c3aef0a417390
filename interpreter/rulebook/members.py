"""Resolves members after a dot: of a thing, a figure, a row, a collection or a call's record.

Input: a typed subject and a name. Output: the attribute, bag, value, fact, roll, table or line of that name. It does
not know open cards, nor the lines of the current procedure.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from interpreter.document.nodes import Scalar
from interpreter.language import nodes as n
from interpreter.source.values import replace
from interpreter.vocabulary.types import ANY, NUMBER, Type

from . import typed as t
from .checked_definitions import CheckedDefinitions
from .construct import item_type
from .environment import Environment
from .expected_types import ExpectedTypes
from .marks_between import others
from .scope import Cards, Scope, ambiguity_hint, find_attribute, fits, left_with
from .sentences import meaning
from .sheets import visibility_at
from .symbols import NEEDED, Attribute, Kind, Procedure, Table, Where
from .unknown_names import UnknownNames


class Members:
    """Resolves names behind a dot by the type of what is before it: `member` one name, `follow` several."""

    def __init__(
        self, env: Environment, definitions: CheckedDefinitions, expect: ExpectedTypes, unknown: UnknownNames
    ) -> None:
        self.book, self.problems = env.book, env.problems
        self.definitions, self.expect, self.unknown = definitions, expect, unknown
        self.cards: Cards = unknown.cards

    def member(self, base: t.Expr, part: n.Part, at: Scalar, scope: Scope) -> t.Expr:
        if base.type.name == "any":
            return replace(base)
        made: t.Expr | None = None
        if part.name == NEEDED and part.args is None and (number := self._needed(base)) is not None:
            return number
        if base.type.name in ("thing", "figure"):
            made = self._of_thing(base, part, at, scope)
        elif base.type.name == "row":
            table: Table = base.type.of
            column = table.columns.get(part.name) or table.marks.get(part.name)
            if column is not None:
                made = t.Cell(base, table, column, type=column.type)
        elif base.type.many:
            made = self._member_of_each(base, part, at, scope)
        elif base.type.name == "record":
            return self.field(base, [part], at)[0]
        if made is None:
            known = self.cards.names(item_type(base.type) if base.type.many else base.type)
            inside = self._outcome_hint(base.type, part, at, scope)
            self.unknown.tell(
                part.name, at, part, f"part of {base.type.words()}", known if inside is None else [], inside, scope
            )
            return t.Lit(0, type=ANY)
        return meaning(at, part, t.placed(made, Where(at, part.start, part.end)))

    def _needed(self, base: t.Expr) -> t.Expr | None:
        """The number that a roll needs, or the list of numbers for several rolls; None for any other expression."""
        if isinstance(base, t.Each) and isinstance(base.value, t.RollOf):
            number = self._needed(base.value)
            return t.Each(base.items, base.variable, number, type=Type("list", number.type)) if number else None
        if not isinstance(base, t.RollOf):
            return None
        self.definitions.pure(base.roll)  # to report a cyclic definition of the number
        type_ = self.definitions.type_of(base.roll.needed)
        return t.CallValue(base.roll.needed, base.args, type=type_, where=base.where)

    def _outcome_hint(self, type_: Type, part: n.Part, at: Scalar, scope: Scope) -> str | None:
        """A hint for reading a line through the value of an outcome table, which is only the row."""
        procedure = self.book.procedures.get(type_.of.name) if type_.name == "row" else None
        if procedure is None or not procedure.table:
            return None
        table: Table = type_.of
        word = part.name
        if word not in table.rows and self.definitions.lines_of(procedure).find(word):
            return self.row_lines(procedure, word, scope)
        sayable = [row for row in table.rows if row[:1].isalpha()]
        if not sayable:
            return None
        row = word if word in sayable else sayable[0]
        asked = re.search(r"[\w.-]+(?=\.$)", at.text[: part.start])
        return f"it is the row of {table.name} that was taken: ask `{asked.group() if asked else '…'} is {row}`"

    def row_lines(self, procedure: Procedure, word: str, scope: Scope) -> str:
        """Return a hint on where a line inside a row of an outcome table can be read: in questions, by its address."""
        table: Any = procedure.table
        inside = f"`{word}` is a line inside a row of {table.name}"
        if scope.all_runs() is not None:
            return f"{inside}: say " + " or ".join(
                f"`{table.name}.{a}`" for a in self.definitions.lines_of(procedure).find(word)
            )
        rows = " or ".join(f"`… is {row}`" for row in [row for row in table.rows if row[:1].isalpha()][:2])
        return f"{inside}; from outside ask {f'which row it was, {rows}, or ' if rows else ''}what changed"

    def _of_thing(self, base: t.Expr, part: n.Part, at: Scalar, scope: Scope) -> t.Expr | None:
        kind: Kind = base.type.of
        name = part.name
        if part.args is None:
            attribute = find_attribute(kind, name)
            if attribute is not None:
                return (
                    self.with_whom(base, attribute)
                    if attribute.between
                    else t.Attr(base, attribute, type=attribute.type)
                )
            if kind.counted and kind.root.owner is not None and name == kind.root.owner.name:
                return t.Holder(base, type=Type("thing", kind.root.owner))
            for holder in [*kind.lineage(), *kind.sorts()]:
                for bag in holder.bags:
                    for sort in bag.sorts():
                        if sort.plural == name:
                            return t.Bag(base, sort, type=Type("figures", sort))
                    if (mark := left_with(bag).get(name)) is not None:
                        return self._figures_out_of_play(base, mark)
            children = self.book.plurals.get(name)
            if children is not None and not children.counted and children.owner and kind.is_a(children.owner):
                return t.All(children, base, type=Type("things", children))
            if name == "owner":
                return self._owner(base)
        value = self.book.values.get(name)
        if value is not None and value.subject is not None and fits(kind, value.subject):
            return self.call_value(base, value, part.args or (), at, part, scope)
        fact = self.book.facts.get(name)
        if fact is not None and fits(kind, fact.kind):
            args = self.expect.arguments(fact.params, part, at, scope)
            return t.FactOf(fact, (base, *args), type=fact.type)
        roll = self.book.rolls.get(name)
        if roll is not None and roll.subject is not None and fits(kind, roll.subject):
            args = self.expect.arguments(roll.params, part, at, scope)
            return t.RollOf(roll, (base, *args), type=Type("roll", roll))
        procedure = self.book.procedures.get(name)
        if procedure is not None and procedure.table and procedure.subject and fits(kind, procedure.subject):
            if scope.pure:
                self.problems.add("P006", at.at(part.start, part.end), name=name)
                return t.Lit(0, type=ANY)
            args = self.expect.arguments(procedure.params[1:], part, at, scope)
            return t.Call(procedure, (base, *args), type=Type("row", procedure.table))
        return None

    def with_whom(self, base: t.Expr, mark: Attribute) -> t.Expr:
        """Return the things with which `base` has a mark between two."""
        if mark.holding is not None:
            self.definitions.pure(mark.holding)  # to report a cyclic definition
        return others(base, mark)

    def _figures_out_of_play(self, base: t.Expr, mark: Attribute) -> t.Expr:
        """Figures out of play with a mark: `unit.casualties`."""
        self.book.reads_gone = True
        figures = Type("figures", mark.kind)
        it = t.Variable("it", item_type(figures))
        shown = t.Attr(t.Var(it, type=it.type), mark, type=mark.type)
        return t.Filter(t.Bag(base, mark.kind, True, type=figures), it, shown, type=figures)

    def _owner(self, base: t.Expr) -> t.Expr | None:
        """The top of the ownership chain, such as the side of a figure's unit; None if it has no owner."""
        e = base
        while isinstance(e.type.of, Kind):
            kind: Kind = e.type.of
            if kind.counted and kind.root.owner is not None:
                e = t.Holder(e, type=Type("thing", kind.root.owner))
            elif kind.owner is not None and (relation := kind.find(kind.owner.name)) is not None:
                e = t.Attr(e, relation, type=relation.type)
            else:
                break
        return e if e is not base else None

    def _member_of_each(self, base: t.Expr, part: n.Part, at: Scalar, scope: Scope) -> t.Expr | None:
        """The member of each item of a collection: a flattened collection, or a list of values."""
        item = item_type(base.type)
        if item == NUMBER:
            return None
        variable = t.Variable("it", item)
        one = t.Var(variable, type=item)
        inner: t.Expr | None = None
        if item.name == "row":
            inner = self.member(one, part, at, scope)
        elif item.name in ("thing", "figure"):
            inner = self._of_thing(one, part, at, scope)
        if inner is None or inner.type.name == "any":
            return inner
        if inner.type.name in ("things", "figures"):
            return t.Each(base, variable, inner, type=inner.type)
        return t.Each(base, variable, inner, type=Type("list", inner.type))

    def call_value(
        self,
        subject: t.Expr | None,
        value: Any,
        args: tuple[n.Expr, ...],
        at: Scalar | None,
        part: n.Part | None,
        scope: Scope | None = None,
    ) -> t.Expr:
        """Return the evaluation of a value, with its arguments checked."""
        given: tuple[t.Expr, ...] = ()
        if at is not None and part is not None and (value.params or args):
            given = self.expect.arguments(value.params, part, at, scope or Scope())
            if len(args) != len(value.params):
                return t.Lit(0, type=ANY)
        checked = self.definitions.type_of(value)
        full = (*((subject,) if subject is not None else ()), *given)
        return t.CallValue(value, full, type=checked)

    def follow(self, base: t.Expr, parts: Sequence[n.Part], at: Scalar, scope: Scope) -> t.Expr:
        """Resolve the rest of a path from `base`."""
        while parts and base.type.name != "any":
            if base.type.name == "record":
                base, used = self.field(base, parts, at)
                parts = parts[used:]
            else:
                base, parts = self.member(base, parts[0], at, scope), parts[1:]
        return base

    def field(self, base: t.Expr, parts: Sequence[n.Part], at: Scalar) -> tuple[t.Expr, int]:
        """Return the line of a call's record that a path begins with, and how many parts of the path name it."""
        procedure: Procedure = base.type.of
        lines, visibility = self.definitions.lines_of(procedure), visibility_at(self.book.history, at.span)
        names = [p.name for p in parts]
        for size in range(len(names), 0, -1):
            found = lines.find(".".join(names[:size]), visibility)
            if len(found) > 1:
                whole = {f: f if "." in f else f"{procedure.name}.{f}" for f in found}
                hint = ambiguity_hint(list(whole.values()), {whole.get(f, f): each for f, each in lines.shared.items()})
                self.problems.add("N002", at.at(parts[0].start, parts[size - 1].end), name=names[0], hint=hint)
                return t.Lit(0, type=ANY), len(parts)
            if found and lines[found[0]].type.name != "block":
                variable = lines[found[0]]
                line = t.Field(base, procedure, found[0], type=variable.type)
                return meaning(at, parts[size - 1], line), size
        through, size = lines.find_by_words(names)
        if len(through) == 1:
            line = t.Field(base, procedure, through[0], type=lines[through[0]].type)
            return meaning(at, parts[size - 1], line), size
        if size := lines.deed(names, visibility):
            self.report_deed(parts[size - 1], at)
        elif inside := [
            a
            for a, v in lines.by_address.items()
            if a.startswith(f"{names[0]}.") and v.type.name not in ("block", "record")
        ]:
            known = [a.removeprefix(f"{names[0]}.") for a in inside] if len(parts) > 1 else []
            hint = f"say which of its lines: {', '.join(f'`{a}`' for a in inside[:4])}"
            part, what = (parts[1], f"line of {names[0]}") if len(parts) > 1 else (parts[0], "single line")
            self.unknown.tell(part.name, at, part, what, known, hint)
        else:
            self.unknown.tell(names[0], at, parts[0], f"line of {procedure.name}", lines.names())
        return t.Lit(0, type=ANY), len(parts)

    def report_deed(self, part: n.Part, at: Scalar) -> None:
        """Report reading a line that has an effect but no value."""
        hint = f"`{part.name}` does something and is worth nothing: give what it speaks of a line, and read that"
        self.unknown.tell(part.name, at, part, "line with a value", [], hint)
