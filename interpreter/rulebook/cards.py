"""Cards: what a thing, a figure, a row or a collection can be asked.

Enters: a typed subject and a name. Leaves: the attribute, bag, value, fact, roll or table it names. Knows
nothing of lines or of other open cards.
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
from .book import plural
from .checking import Checking
from .construct import item_type
from .scope import Scope
from .symbols import Attribute, Kind, Procedure, Table, Where


class Cards(Checking):
    def _field(self, base: t.Expr, parts: Sequence[n.Part], at: Scalar) -> tuple[t.Expr, int]:
        raise NotImplementedError

    def _on_card(self, card: t.Expr, name: str) -> bool:
        return name in self._card_names(card.type)

    def _card_names(self, type_: Type) -> set[str]:
        if type_.name in ("thing", "figure"):
            kind: Kind = type_.of
            if kind in self._names:
                return self._names[kind]
            names = {a.name for a in kind.all_attributes()}
            names |= {a.name for s in kind.sorts() for a in s.attributes.values()}
            names |= {b.plural for k in kind.lineage() for bag in k.bags for b in bag.sorts()}
            names |= {b.plural for s in kind.sorts() for bag in s.bags for b in bag.sorts()}
            names |= {name for h in (*kind.lineage(), *kind.sorts()) for bag in h.bags for name in _left(bag)}
            names |= {k.plural for k in self.book.kinds.values() if not k.counted and k.owner and kind.is_a(k.owner)}
            names |= {v.name for v in self.book.values.values() if v.subject and self._fits(kind, v.subject)}
            names |= {r.name for r in self.book.rolls.values() if r.subject and self._fits(kind, r.subject)}
            names |= {f.name for f in self.book.facts.values() if self._fits(kind, f.kind)}
            names |= {
                p.name for p in self.book.procedures.values() if p.table and p.subject and self._fits(kind, p.subject)
            }
            if kind.owner is not None:
                names |= {"owner"} if not kind.counted else {kind.owner.name, "owner"}
            self._names[kind] = names
            return names
        if type_.name == "row":
            return {*type_.of.columns, *type_.of.marks}
        return set()

    def _fits(self, kind: Kind, wanted: Kind) -> bool:
        """A card may be asked what its kind, a base of it, or a special sort of it can answer."""
        return kind.is_a(wanted) or wanted.is_a(kind)

    def _any_attribute(self, kind: Kind, name: str) -> Attribute | None:
        found = kind.find(name)
        if found is None:
            found = next((s.attributes[name] for s in kind.sorts() if name in s.attributes), None)
        return found

    def member(self, base: t.Expr, part: n.Part, at: Scalar, scope: Scope) -> t.Expr:
        if base.type.name == "any":
            return replace(base)
        made: t.Expr | None = None
        if base.type.name in ("thing", "figure"):
            made = self._of_thing(base, part, at, scope)
        elif base.type.name == "row":
            table: Table = base.type.of
            column = table.columns.get(part.name) or table.marks.get(part.name)
            if column is not None:
                made = t.Cell(base, table, column, type=column.type)
        elif base.type.many:
            made = self._of_many(base, part, at, scope)
        elif base.type.name == "record":
            return self._field(base, [part], at)[0]
        if made is None:
            known = self._card_names(item_type(base.type) if base.type.many else base.type)
            inside = self._in_outcomes(base.type, part, at, scope)
            self._unknown(part.name, at, part, f"part of {base.type.words()}", known if inside is None else [], inside)
            return t.Lit(0, type=ANY)
        return t.placed(made, Where(at, part.start, part.end))

    def _in_outcomes(self, type_: Type, part: n.Part, at: Scalar, scope: Scope) -> str | None:
        """The value of an outcome table is the row taken: what the lines of its rows work out is theirs alone."""
        procedure = self.book.procedures.get(type_.of.name) if type_.name == "row" else None
        if procedure is None or not procedure.table:
            return None
        table: Table = type_.of
        word = part.name
        if word not in table.rows and self.lines_of(procedure).find(word):
            return self._row_lines(procedure, word, scope)
        sayable = [row for row in table.rows if row[:1].isalpha()]
        if not sayable:
            return None
        row = word if word in sayable else sayable[0]
        asked = re.search(r"[\w.-]+(?=\.$)", at.text[: part.start])
        return f"it is the row of {table.name} that was taken: ask `{asked.group() if asked else '…'} is {row}`"

    def _row_lines(self, procedure: Procedure, word: str, scope: Scope) -> str:
        """Where a line inside a row of an outcome table can be asked: in questions, by its address."""
        table: Any = procedure.table
        inside = f"`{word}` is a line inside a row of {table.name}"
        if scope.all_runs() is not None:
            return f"{inside}: say " + " or ".join(f"`{table.name}.{a}`" for a in self.lines_of(procedure).find(word))
        rows = " or ".join(f"`… is {row}`" for row in [row for row in table.rows if row[:1].isalpha()][:2])
        return f"{inside}; from outside ask {f'which row it was, {rows}, or ' if rows else ''}what changed"

    def _of_thing(self, base: t.Expr, part: n.Part, at: Scalar, scope: Scope) -> t.Expr | None:
        kind: Kind = base.type.of
        name = part.name
        if part.args is None:
            attribute = self._any_attribute(kind, name)
            if attribute is not None:
                return t.Attr(base, attribute, type=attribute.type)
            if kind.counted and kind.root.owner is not None and name == kind.root.owner.name:
                return t.Holder(base, type=Type("thing", kind.root.owner))
            for holder in [*kind.lineage(), *kind.sorts()]:
                for bag in holder.bags:
                    for sort in bag.sorts():
                        if sort.plural == name:
                            return t.Bag(base, sort, type=Type("figures", sort))
                    if (mark := _left(bag).get(name)) is not None:
                        return self._those_that_left(base, mark)
            children = self.book.plurals.get(name)
            if children is not None and not children.counted and children.owner and kind.is_a(children.owner):
                return t.All(children, base, type=Type("things", children))
            if name == "owner":
                return self._owner(base)
        value = self.book.values.get(name)
        if value is not None and value.subject is not None and self._fits(kind, value.subject):
            return self._call_value(base, value, part.args or (), at, part, scope)
        fact = self.book.facts.get(name)
        if fact is not None and self._fits(kind, fact.kind):
            args = self._arguments(fact.params, part, at, scope)
            return t.FactOf(fact, (base, *args), type=fact.type)
        roll = self.book.rolls.get(name)
        if roll is not None and roll.subject is not None and self._fits(kind, roll.subject):
            args = self._arguments(roll.params, part, at, scope)
            return t.RollOf(roll, (base, *args), type=Type("roll", roll))
        procedure = self.book.procedures.get(name)
        if procedure is not None and procedure.table and procedure.subject and self._fits(kind, procedure.subject):
            if scope.pure:
                self.problems.add("P006", at.at(part.start, part.end), name=name)
                return t.Lit(0, type=ANY)
            args = self._arguments(procedure.params[1:], part, at, scope)
            return t.Call(procedure, (base, *args), type=Type("row", procedure.table))
        return None

    def _those_that_left(self, base: t.Expr, mark: Attribute) -> t.Expr:
        """Counted things out of play with a mark: `unit.casualties`."""
        self.book.reads_gone = True
        figures = Type("figures", mark.kind)
        it = t.Variable("it", item_type(figures))
        shown = t.Attr(t.Var(it, type=it.type), mark, type=mark.type)
        return t.Filter(t.Bag(base, mark.kind, True, type=figures), it, shown, type=figures)

    def _owner(self, base: t.Expr) -> t.Expr | None:
        """Up the chain of belonging to the top: a figure's unit's side."""
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

    def _of_many(self, base: t.Expr, part: n.Part, at: Scalar, scope: Scope) -> t.Expr | None:
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

    def _call_value(
        self,
        subject: t.Expr | None,
        value: Any,
        args: tuple[n.Expr, ...],
        at: Scalar | None,
        part: n.Part | None,
        scope: Scope | None = None,
    ) -> t.Expr:
        given: tuple[t.Expr, ...] = ()
        if at is not None and part is not None and (value.params or args):
            given = self._arguments(value.params, part, at, scope or Scope())
            if len(args) != len(value.params):
                return t.Lit(0, type=ANY)
        checked = self.value_of(value)
        full = (*((subject,) if subject is not None else ()), *given)
        return t.CallValue(value, full, type=checked)


def _left(counted: Kind) -> dict[str, Attribute]:
    """Marks that put things of a kind out of play, by the name of those that bear them: `casualties`."""
    return {plural(a.name): a for s in counted.sorts() for a in s.attributes.values() if a.out_of_play}
