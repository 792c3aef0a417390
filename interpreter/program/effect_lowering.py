"""Lowering of effects: steps that change attributes, move figures, create things or take them out of play.

Takes typed steps; appends statements to the builder. A number stays within the bounds of its attribute. Figures change
in the bag that contains them, and every variable that holds them is updated.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from interpreter.rulebook import typed as t
from interpreter.rulebook.addressing import whole_address
from interpreter.rulebook.symbols import Attribute, Fact
from interpreter.vocabulary.types import NUMBER, Type

from .changes import emptied, putting
from .hoist import Hoisting
from .layout import IN_PLAY, ORIGIN, SET_AGAIN
from .operation_lowering import left_of, together
from .statements import EACH, Effect, Make, SetCell, SetEach
from .terms import (
    NOBODY,
    NONE,
    NOTHING,
    STATE,
    ZERO,
    Cell,
    Const,
    Gather,
    IfElse,
    Minus,
    Term,
    Tuple,
    call,
    const,
    infix,
    or_zero,
)


class Effects:
    """Lowers the steps that change attributes; `set_cells`, which sets a cell of things, can be replaced."""

    def __init__(self, builder: Hoisting) -> None:
        self.builder, self.emitter = builder, builder.emitter
        self.growing = False  # whether the current amount is not a literal
        self.set_cells = self._set_cells

    def step_setattr(self, step: t.SetAttr) -> None:
        value = self.builder.hoist(step.value, step.line)
        of = self.builder.hoist(step.of, step.line)
        attribute = step.attribute
        target = self._target(of)
        was = self._previous(of, target, attribute)
        becomes = self._stored_value(attribute, value)
        counted = attribute.kind.root.counted
        # Evaluated once, before the effect, because the effect may change the value; the note reports this value too.
        if self.emitter.traced or ((counted or of.type.many) and becomes.uses != NOTHING):
            kept = self.builder.temp("becomes", attribute.type)
            self.builder.let(kept, becomes)
            becomes = self.builder.name(kept)
        if counted:
            place = self.emitter.layout.place(attribute)
            change: Term = call("putting", const(place), becomes)
            if isinstance(value, t.Lit) and isinstance(value.value, bool | int) and attribute.low is None:
                change = self.emitter.always(putting, place, value.value)
            self._figures(step, of, target, change, "set_figures", becomes)
        else:
            self._note_set("set_cells", self._as_things(of, target), const(attribute.place))
            self.set_cells(of, target, attribute, lambda _: becomes)
        self.builder.note("set", step.line, attribute.type, (attribute, step.of.type), [*was, becomes])

    def step_setfact(self, step: t.SetFact) -> None:
        key = self.emitter.layout.fact_key(step.fact)
        assert key is not None, "its cell was laid out when the line that sets it was checked"
        value = self.builder.hoist(step.value, step.line)
        of = self.builder.hoist(step.of, step.line)
        kept = self.builder.temp("becomes", step.fact.type)
        self.builder.let(kept, self._stored_value(step.fact, value))
        given = [self.builder.hoist(a, step.line) for a in step.args]
        things = tuple([i for i, a in enumerate(step.args, 1) if a.type.name == "thing"])
        target, args = self._target(of), Tuple(tuple([self.builder.term(a) for a in given]))
        whose = self._as_things(of, target)
        cell = Cell(STATE, None, key[1], frozenset((key,)))
        becomes = self.builder.name(kept)
        every = call("arguments_of", whose, args, const(things), Const(step.fact.both_ways))
        self._note_set("set_facts", const(key[1]), every)
        self.builder.do(SetCell(None, key[1], call("restated", cell, every, becomes), writes=frozenset((key,))))
        self.builder.note("restate", step.line, step.fact.type, step, [target, args, becomes])

    def _stored_value(self, attribute: Attribute | Fact, value: t.Expr) -> Term:
        """A value as stored in an attribute: a number within its bounds, None only if the attribute is optional."""
        if attribute.type.name not in ("number", "inches"):
            return self.builder.term(value)
        made = self.builder.term(value) if attribute.optional else self.builder.count(value)
        return clamped(attribute, made if isinstance(value, t.Lit) else call("tame", made))

    def step_addattr(self, step: t.AddAttr) -> None:
        amount = self.builder.hoist(step.amount, step.line)
        of = self.builder.hoist(step.of, step.line)
        attribute = step.attribute
        if attribute.type.many:
            self._change_set(step, of, amount)
            return
        given = self.builder.temp("amount", NUMBER)
        self.builder.let(given, or_zero(self.builder.term(amount)))
        by = self.builder.name(given)
        self.growing = not isinstance(amount, t.Lit)
        target = self._target(of)
        was = self._previous(of, target, attribute)
        more, bounds = by if step.sign > 0 else Minus(by), (Const(attribute.low), Const(attribute.high))
        if attribute.kind.root.counted:
            self._figures(step, of, target, self._addition(attribute, more), "add_figures", more, *bounds)
        else:
            if attribute.low is not None:
                self._note_set("add_cells", self._as_things(of, target), const(attribute.place), more, *bounds)
            self.set_cells(of, target, attribute, lambda held: self._new_number(attribute, held, step.sign, by))
        about = (attribute, step.of.type, step.sign)
        kind = "deal" if step.dealt else "add"
        self.builder.note(kind, step.line, attribute.type, about, [*was, by])

    def _change_set(self, step: t.AddAttr, of: t.Expr, more: t.Expr) -> None:
        """Add to a set attribute, or remove from it."""
        attribute = step.attribute
        given = self.builder.temp("given", attribute.type)
        self.builder.let(given, self.builder.term(more))
        by = self.builder.name(given)
        target = self._target(of)
        was = self._previous(of, target, attribute)
        self._note_set("link_cells", self._as_things(of, target), const(attribute.place), by, const(step.sign))
        self.set_cells(of, target, attribute, lambda held: together(held, by) if step.sign > 0 else left_of(held, by))
        self.builder.note("link", step.line, attribute.type, (attribute, step.of.type, step.sign), [*was, by])

    def _addition(self, attribute: Attribute, by: Term) -> Term:
        """The change that adds to a figure's number; only computed amounts are checked against the limits of numbers.
        """
        place, bounds = const(self.emitter.layout.place(attribute)), (Const(attribute.low), Const(attribute.high))
        if attribute.optional:
            return call("adding_to_none", place, by, *bounds)
        if attribute.low is not None and attribute.high is not None:
            return call("adding_within", place, by, *bounds)
        return call("adding_any" if self.growing else "adding", place, by)

    def _new_number(self, attribute: Attribute, held: Term, sign: int, by: Term) -> Term:
        """The new value of a thing's number; only computed amounts are checked against the limits of numbers."""
        if attribute.optional:
            return clamped(attribute, call("tame", call("grown", held, by if sign > 0 else Minus(by))))
        grown = infix(held, "+" if sign > 0 else "-", by)
        return clamped(attribute, call("tame", grown) if self.growing else grown)

    def _target(self, of: t.Expr) -> Term:
        """The term of the target of an effect; in a traced program it is stored in a variable, because the note reads
        it later.
        """
        if not self.emitter.traced or isinstance(of, t.Var):
            return self.builder.effect_target(of)
        kept = self.builder.temp("of", of.type)
        self.builder.let(kept, self.builder.effect_target(of))
        return self.builder.name(kept)

    def _previous(self, of: t.Expr, target: Term, attribute: Any) -> list[Term]:
        """In a traced program: the changed things, and their attribute before the effect; else nothing."""
        if not self.emitter.traced:
            return []
        kept = self.builder.temp("was", Type("any"))
        if attribute.kind.root.counted:
            self.builder.let(kept, target)
            return [self.builder.name(kept), NONE]
        cell = Cell(STATE, EACH, attribute.place, frozenset((self.emitter.layout.key(attribute),)))
        value = IfElse(infix(EACH, ">=", ZERO), cell, NONE)
        self.builder.let(kept, Gather("tuple", value, (EACH.name,), self._as_things(of, target)))
        return [target, self.builder.name(kept)]

    def _as_things(self, of: t.Expr, target: Term) -> Term:
        return target if of.type.name == "things" else Tuple((target,))

    def _set_cells(self, of: t.Expr, target: Term, attribute: Any, becomes: Callable[[Term], Term]) -> None:
        """Append statements that set a cell of things; `becomes` maps the old value to the new one."""
        key = self.emitter.layout.key(attribute)
        sure = of.type.name != "things" and self.emitter.is_sure(of)
        value = becomes(Cell(STATE, target if sure else EACH, key[1], frozenset((key,))))
        if sure:
            self.builder.do(SetCell(target, key[1], value, writes=frozenset((key,))))
        else:
            self.builder.do(SetEach(self._as_things(of, target), key[1], value, writes=frozenset((key,))))

    def _note_set(self, how: str, *what: Term) -> None:
        """In a procedure that a `together` block may call, append a statement that records what is set (see
        `landing.py`).
        """
        if self.builder.procedure not in self.emitter.simultaneous:
            return
        noted = Cell(STATE, None, SET_AGAIN[1], frozenset((SET_AGAIN,)))
        self.builder.do(SetCell(None, SET_AGAIN[1], call(how, noted, *what), writes=frozenset((SET_AGAIN,))))

    def _figures(self, step: Any, of: t.Expr, target: Term, change: Term, how: str, *what: Term) -> None:
        """Append statements that change figures in their bag and in the variable that holds them.

        `change` maps one figure to its new value; `how` is the function that records `what` is set or added.
        """
        attribute = step.attribute
        counted = attribute.kind
        layout = self.emitter.layout
        key, gone = layout.bag_key(counted), layout.gone_key(counted)
        one = of.type.name == "figure"
        moving = attribute.out_of_play and isinstance(step, t.SetAttr)
        returning = moving and isinstance(step.value, t.Lit) and not step.value.value
        leaving = moving and not returning
        recalls = self.emitter.checker.recalls
        both = leaving or self._reads_gone()
        cells = frozenset((key, gone) if both else (key,))
        target = self._store(of, target)
        whole = call("only_figure", target) if one else target
        self._note_set(how, whole, const(key[1]), const(gone[1]), const(layout.place(attribute)), *what)
        self.builder.update_names(step.of, of, whole, change)
        check: Term = NONE
        if isinstance(of, t.Var | t.Field) or self.builder.snapshot >= 0:  # evaluated earlier: may be outdated
            cells |= {gone}
            marks = [a for k in counted.root.sorts() for a in k.attributes.values() if a.out_of_play]
            check = self.emitter.constant((tuple(map(layout.place, marks)), step.line), "check")
        how, becomes = "alter_both" if both else "alter", change
        if returning:
            how = "bring_back"
        elif leaving:
            how = "take_out"
            if not recalls:  # only their number matters from here on
                becomes = self.emitter.always(emptied, layout.narrowed(layout.empty[counted.root], counted.root)[1:])
        done = call(how, STATE, whole, becomes, check, const(key[1]), const(gone[1]), reads=cells)
        self.builder.do(Effect(done, writes=cells if both else cells - {gone}))
        self._update_variable(of, target, change)

    def _reads_gone(self) -> bool:
        """Whether figures out of play may be read later; otherwise they need not change."""
        return self.emitter.layout.book.reads_gone and self.emitter.checker.recalls

    def _store(self, of: t.Expr, target: Term) -> Term:
        """The figures stored in a variable, before other variables are updated."""
        if isinstance(of, t.Var):
            return target
        kept = self.builder.temp("part", of.type)
        self.builder.let(kept, target)
        return self.builder.name(kept)

    def _update_variable(self, of: t.Expr, target: Term, change: Term) -> None:
        """Update the variable through which the figures were changed."""
        if isinstance(of, t.Var):
            how = "one_changed" if of.type.name == "figure" else "all_changed"
            self.builder.let(of.variable, call(how, target, change))

    def step_rehome(self, step: t.Rehome) -> None:
        of, to = self.builder.hoist(step.figures, step.line), self.builder.hoist(step.to, step.line)
        target = self._store(of, self.builder.effect_target(of))
        goal = self.builder.term(to)
        key, gone = self.emitter.layout.bag_key(of.type.of), self.emitter.layout.gone_key(of.type.of)
        both = self._reads_gone()
        cells = frozenset((key, gone) if both else (key,))
        part = call("only_figure", target) if of.type.name == "figure" else target
        change = call("putting", ZERO, goal)
        self._note_set("set_figures", part, const(key[1]), const(gone[1]), ZERO, goal)
        self.builder.update_names(step.figures, of, part, change)
        bags = const((key[1], gone[1]) if both else (key[1],))
        self.builder.do(Effect(call("hand_over", STATE, part, goal, change, bags, reads=cells), writes=cells))
        self.builder.note("rehome", step.line, of.type, step, [target, goal])
        self._update_variable(of, target, change)

    def step_leave(self, step: t.Leave) -> None:
        thing = self.builder.term(self.builder.hoist(step.thing, step.line))
        cells = frozenset((IN_PLAY,))
        staying = Gather("tuple", EACH, (EACH.name,), Cell(STATE, None, 0, cells), infix(EACH, "!=", thing))
        self.builder.do(SetCell(None, 0, staying, writes=cells))
        self.builder.note("leave", step.line, step.thing.type, step, [thing])

    def step_new(self, step: t.New) -> None:
        layout = self.emitter.layout
        made = layout.thing(step.kind)
        for attribute in step.kind.all_attributes():  # computed defaults do not apply to a new thing
            first = self.emitter.checker.defaults.get(attribute)
            if isinstance(first, t.Lit) and first.value is not None:
                made[attribute.place] = first.value
        cells = self.emitter.constant(made, "cells")
        given = [(a, clamped(a, self._stored_value(a, self.builder.hoist(v, step.line)))) for a, v in step.given]
        source = self.builder.term(self.builder.hoist(step.source, step.line)) if step.source is not None else NOBODY
        writes = {IN_PLAY, (step.kind.root.number, ORIGIN), *[layout.key(a) for a, _ in given]}
        line = Const(whole_address(step.line.address, self.emitter.checker.book.rules))
        places, values = tuple([a.place for a, _ in given]), tuple([value for _, value in given])
        self.builder.do(
            Make(self.builder.slot(step.variable), cells, line, source, places, values, writes=frozenset(writes))
        )
        self.builder.see_made()
        self.builder.note("new", step.line, step.variable.type, step, [self.builder.name(step.variable)])

    def step_tell(self, step: t.Tell) -> None:
        if not self.emitter.traced:
            return
        operands = (step.subject, step.amount, step.goal)
        values = [self.builder.term(self.builder.hoist(e, step.line)) if e is not None else NONE for e in operands]
        self.builder.note("tell", step.line, None, step, values, step.what)


def clamped(attribute: Any, value: Term) -> Term:
    """Return the value clamped to the attribute's bounds."""
    if attribute.low is None or attribute.high is None:
        return value
    low, high = Const(attribute.low), Const(attribute.high)
    if attribute.optional:
        return call("kept_within", value, low, high)
    return call("min", high, call("max", low, value))
