"""Effects: steps that change what things record, as Python on the state.

A number stays within what its attribute declares; counted things change where they are held, and the name
that held them sees it. Enters: typed steps. Leaves: code in the block in hand, with what it writes.
"""

from __future__ import annotations

from typing import Any

from interpreter.rulebook import typed as t
from interpreter.rulebook.symbols import LineInfo
from interpreter.vocabulary.types import NUMBER, Type

from .hoist import Hoisting
from .layout import IN_PLAY


class Effects(Hoisting):
    def note(self, kind: str, line: LineInfo, type_: Type | None, about: Any, values: str, text: str = "") -> None:
        if self.emitter.traced:
            self.put(f"N.append(({self.emitter.note(kind, line, type_, about, text)}, {values}))")

    def _step_setattr(self, step: t.SetAttr) -> None:
        value = self.hoist(step.value, step.line)
        of = self.hoist(step.of, step.line)
        attribute = step.attribute
        number = attribute.type.name in ("number", "inches")
        text = self.count(value) if number and not attribute.optional else self.text(value)
        target = self.text(of)
        if number:
            text = _clamped(attribute, text)
        if attribute.kind.root.counted:
            self._figures(step, of, target, f"put(f, {attribute.place}, {text})")
        else:
            self._things(of, target, attribute, text)
        self.note("set", step.line, attribute.type, (attribute, step.of.type), f"{target}, {text}")

    def _step_addattr(self, step: t.AddAttr) -> None:
        amount = self.hoist(step.amount, step.line)
        of = self.hoist(step.of, step.line)
        attribute = step.attribute
        sign = "+" if step.sign > 0 else "-"
        given = self.temp("amount", NUMBER)
        self.assign(given, f"({self.text(amount)} or 0)")
        target = self.text(of)
        if attribute.kind.root.counted:
            text = _clamped(attribute, f"f[{attribute.place}] {sign} L[{given.slot}]")
            self._figures(step, of, target, f"put(f, {attribute.place}, {text})")
        else:
            self._things(of, target, attribute, None, f"{sign} L[{given.slot}]")
        self.note("add", step.line, attribute.type, (attribute, step.of.type, step.sign), f"{target}, L[{given.slot}]")

    def _things(self, of: t.Expr, target: str, attribute: Any, text: str | None, change: str = "") -> None:
        key = self.emitter.layout.key(attribute)
        self.here.writes.add(key)
        if change:
            self.here.cells.add(key)
        many = of.type.name == "things"
        self.put(f"for u in {target if many else f'({target},)'}:")
        value = text if text is not None else _clamped(attribute, f"S[u+{attribute.place}] {change}")
        self.put(f"    if u >= 0: S[u+{attribute.place}] = {value}")

    def _figures(self, step: Any, of: t.Expr, target: str, change: str) -> None:
        """A change of counted things, where they are held; the name that held them sees it too."""
        attribute = step.attribute
        counted = attribute.kind
        layout = self.emitter.layout
        key, gone = layout.bag_key(counted), layout.gone_key(counted)
        self.here.writes.add(key)
        self.here.cells.add(key)
        one = of.type.name == "figure"
        part = f"only_figure({target})" if one else target
        leaving = attribute.out_of_play and isinstance(step, t.SetAttr)
        self.put(f"part = {part}")
        self.put("for u, p in parts_by_holder(part):")
        if leaving:
            self.here.writes.add(gone)
            self.here.cells.add(gone)
            self.put(f"    went = common(S[u+{key[1]}], p)")
            self.put(f"    S[u+{key[1]}] = without(S[u+{key[1]}], went)")
            self.put(f"    S[u+{gone[1]}] = join(S[u+{gone[1]}], bag([({change}, n) for f, n in went]))")
        else:
            self.put(f"    S[u+{key[1]}] = changed(S[u+{key[1]}], p, lambda f: {change})")
        if isinstance(of, t.Var):
            renamed = f"(lambda f: {change})({target})" if one else f"bag([({change}, n) for f, n in part])"
            renamed = f"{renamed} if {target} is not None else None" if one else renamed
            self.assign(of.variable, renamed)

    def _step_rehome(self, step: t.Rehome) -> None:
        of, to = self.hoist(step.figures, step.line), self.hoist(step.to, step.line)
        target, goal = self.text(of), self.text(to)
        key = self.emitter.layout.bag_key(of.type.of)
        self.here.writes.add(key)
        self.here.cells.add(key)
        part = f"only_figure({target})" if of.type.name == "figure" else target
        self.put(f"part = {part}")
        self.put("for u, p in parts_by_holder(part):")
        self.put(f"    went = common(S[u+{key[1]}], p)")
        self.put(f"    S[u+{key[1]}] = without(S[u+{key[1]}], went)")
        self.put(f"    S[{goal}+{key[1]}] = join(S[{goal}+{key[1]}], bag([(put(f, 0, {goal}), n) for f, n in went]))")
        self.note("rehome", step.line, of.type, step, f"{target}, {goal}")

    def _step_leave(self, step: t.Leave) -> None:
        thing = self.text(self.hoist(step.thing, step.line))
        self.here.writes.add(IN_PLAY)
        self.here.cells.add(IN_PLAY)
        self.put(f"S[0] = tuple([u for u in S[0] if u != {thing}])")
        self.note("leave", step.line, step.thing.type, step, thing)

    def _step_new(self, step: t.New) -> None:
        layout = self.emitter.layout
        cells = self.emitter.constant(layout.thing(step.kind), "cells")
        given = [(a, self.text(self.hoist(v, step.line))) for a, v in step.given]
        self.here.writes.add(IN_PLAY)
        self.here.cells.add(IN_PLAY)
        self.put("made = len(S)")
        self.put(f"S.extend({cells})")
        for attribute, text in given:
            self.here.writes.add(layout.key(attribute))
            self.put(f"S[made+{attribute.place}] = {text}")
        self.put("S[0] = (*S[0], made)")
        self.assign(step.variable, "made")
        self.note("new", step.line, step.variable.type, step, "made")

    def _step_tell(self, step: t.Tell) -> None:
        if not self.emitter.traced:
            return
        parts = [
            self.text(self.hoist(e, step.line)) if e is not None else "None"
            for e in (step.subject, step.amount, step.goal)
        ]
        self.note("tell", step.line, None, step, ", ".join(parts), step.what)


def _clamped(attribute: Any, text: str) -> str:
    """A number stays within what its attribute declares."""
    if attribute.low is None or attribute.high is None:
        return text
    return f"min({attribute.high}, max({attribute.low}, {text}))"
