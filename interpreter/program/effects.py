"""Effects: steps that change what things record, as Python on the state.

A number stays within what its attribute declares; counted things change where they are held, and the name
that held them sees it. Enters: typed steps. Leaves: code in the block in hand, with what it writes.
"""

from __future__ import annotations

from typing import Any

from interpreter.rulebook import typed as t
from interpreter.rulebook.addressing import whole_address
from interpreter.rulebook.symbols import Attribute
from interpreter.vocabulary.types import NUMBER, Type

from .changes import emptied, putting
from .code import NOTHING, Uses
from .hoist import Hoisting
from .layout import IN_PLAY, ORIGIN


class Effects(Hoisting):
    def _step_setattr(self, step: t.SetAttr) -> None:
        value = self.hoist(step.value, step.line)
        of = self.hoist(step.of, step.line)
        attribute = step.attribute
        target, whose = self._target(of)
        was, mine = self._was(of, target, whose, attribute)
        text, uses = self._as_kept(attribute, value)
        counted = attribute.kind.root.counted
        # worked out once: it may speak of what is about to change; and it is told as it was
        if self.emitter.traced or ((counted or of.type.many) and uses != NOTHING):
            kept = self.temp("becomes", attribute.type)
            self.let(kept, text, uses)
            text, uses = self.name(kept)
        if counted:
            change = f"putting({attribute.place}, {text})"
            if isinstance(value, t.Lit) and isinstance(value.value, bool | int) and attribute.low is None:
                change = self.emitter.always(putting, attribute.place, value.value)
            self._figures(step, of, target, change, uses | whose)
        else:
            self._things(of, target, attribute, text, uses | whose)
        self.note("set", step.line, attribute.type, (attribute, step.of.type), f"{was}, {text}", uses | mine)

    def _as_kept(self, attribute: Attribute, value: t.Expr) -> tuple[str, Uses]:
        """A value as a card keeps it: a number within its limits, and none of it only where the card may have none."""
        if attribute.type.name not in ("number", "inches"):
            return self.text(value)
        text, uses = self.text(value) if attribute.optional else self.count(value)
        return clamped(attribute, text if isinstance(value, t.Lit) else f"tame({text})"), uses

    def _step_addattr(self, step: t.AddAttr) -> None:
        amount = self.hoist(step.amount, step.line)
        of = self.hoist(step.of, step.line)
        attribute = step.attribute
        sign = "+" if step.sign > 0 else "-"
        given = self.temp("amount", NUMBER)
        text, uses = self.text(amount)
        self.let(given, f"({text} or 0)", uses)
        amount_text, mine = self.name(given)
        self.growing = not isinstance(amount, t.Lit)
        target, whose = self._target(of)
        was, before = self._was(of, target, whose, attribute)
        uses = mine | whose
        if attribute.kind.root.counted:
            self._figures(step, of, target, self._adding(attribute, sign, amount_text), uses)
        else:
            self._things(of, target, attribute, None, uses, f"{sign} {amount_text}")
        about = (attribute, step.of.type, step.sign)
        kind = "deal" if step.dealt else "add"
        self.note(kind, step.line, attribute.type, about, f"{was}, {amount_text}", mine | before)

    def _adding(self, attribute: Attribute, sign: str, amount: str) -> str:
        """What becomes of a card whose number grows; what a plain number is added to does not grow past use."""
        given = f"{attribute.place}, {amount if sign == '+' else f'-{amount}'}"
        if attribute.optional:
            return f"adding_to_none({given}, {attribute.low}, {attribute.high})"
        if attribute.low is not None and attribute.high is not None:
            return f"adding_within({given}, {attribute.low}, {attribute.high})"
        return f"adding_any({given})" if self.growing else f"adding({given})"

    def _tamed(self, text: str) -> str:
        """A sum that is written on a card; what a plain number is added to does not grow past use."""
        return f"tame({text})" if self.growing else text

    def _grown(self, attribute: Attribute, text: str, change: str) -> str:
        """What is written on a card whose number changes by so much; none grows as 0 does."""
        if attribute.optional:
            return clamped(attribute, f"tame(grown({text}, {change.replace(' ', '')}))")
        return clamped(attribute, self._tamed(f"{text} {change}"))

    def _target(self, of: t.Expr) -> tuple[str, Uses]:
        """Whom an effect changes; of a traced program in a name of its own, for it is said afterwards."""
        if not self.emitter.traced or isinstance(of, t.Var):
            return self.text(of)
        kept = self.temp("of", of.type)
        self.let(kept, *self.text(of))
        return self.name(kept)

    def _was(self, of: t.Expr, target: str, uses: Uses, attribute: Any) -> tuple[str, Uses]:
        """Of a traced program: whom an effect changes as they are before it, and what their attribute is then."""
        if not self.emitter.traced:
            return "", NOTHING
        kept = self.temp("was", Type("any"))
        if attribute.kind.root.counted:
            self.let(kept, target, uses)
            return f"{self.name(kept)[0]}, None", self.name(kept)[1]
        cells = frozenset((self.emitter.layout.key(attribute),))
        things = target if of.type.name == "things" else f"({target},)"
        value = f"tuple([S[u+{attribute.place}] if u >= 0 else None for u in {things}])"
        self.let(kept, value, uses | Uses(cells=cells))
        name, mine = self.name(kept)
        return f"{target}, {name}", mine | uses

    def _things(self, of: t.Expr, target: str, attribute: Any, text: str | None, uses: Uses, change: str = "") -> None:
        key = self.emitter.layout.key(attribute)
        if change:
            uses |= Uses(cells=frozenset((key,)))
        many = of.type.name == "things"
        if not many and self.emitter.is_sure(of):
            cell = f"S[{target}+{attribute.place}]"
            value = text if text is not None else self._grown(attribute, cell, change)
            self.do(f"{cell} = {value}", uses, writes=frozenset((key,)))
            return
        value = text if text is not None else self._grown(attribute, f"S[u+{attribute.place}]", change)
        body = f"for u in {target if many else f'({target},)'}:\n    if u >= 0: S[u+{attribute.place}] = {value}"
        self.do(body, uses, writes=frozenset((key,)))

    def _figures(self, step: Any, of: t.Expr, target: str, change: str, uses: Uses) -> None:
        """Counted things change where they are held (`change` is what becomes of one); the name that held them sees it
        too.
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
        both = leaving or (layout.book.reads_gone and recalls)  # else nobody could name those that have left
        cells = frozenset((key, gone) if both else (key,))
        target, uses = self._kept(of, target, uses)
        whole = f"only_figure({target})" if one else target
        self.followed(step.of, of, whole, change, uses, key)
        check = "None"
        if isinstance(of, t.Var | t.Field) or self.snapshot >= 0:  # as they were, not as they are
            cells |= {gone}
            left = tuple([a.place for k in counted.root.sorts() for a in k.attributes.values() if a.out_of_play])
            check = self.emitter.constant((left, step.line), "check")
        how, becomes = "alter_both" if both else "alter", change
        if returning:
            how = "bring_back"
        elif leaving:
            how = "take_out"
            if not recalls:  # they are but counted
                becomes = self.emitter.always(emptied, tuple(layout.empty[counted.root][1:]))
        text = f"{how}(S, {whole}, {becomes}, {check}, {key[1]}, {gone[1]})"
        self.do(text, uses | Uses(cells=cells), writes=cells if both else cells - {gone})
        self._renamed(of, target, change, uses)

    def _kept(self, of: t.Expr, target: str, uses: Uses) -> tuple[str, Uses]:
        """Figures as they were before names follow what is done to them."""
        if isinstance(of, t.Var):
            return target, uses
        kept = self.temp("part", of.type)
        self.let(kept, target, uses)
        target, mine = self.name(kept)
        return target, uses | mine

    def _renamed(self, of: t.Expr, target: str, change: str, uses: Uses) -> None:
        """The name by which figures were changed holds them as they became."""
        if isinstance(of, t.Var):
            how = "one_changed" if of.type.name == "figure" else "all_changed"
            self.let(of.variable, f"{how}({target}, {change})", uses)

    def _step_rehome(self, step: t.Rehome) -> None:
        of, to = self.hoist(step.figures, step.line), self.hoist(step.to, step.line)
        target, uses = self._kept(of, *self.text(of))
        goal, more = self.text(to)
        key = self.emitter.layout.bag_key(of.type.of)
        cells = frozenset((key,))
        part = f"only_figure({target})" if of.type.name == "figure" else target
        change = f"putting(0, {goal})"
        self.followed(step.figures, of, part, change, uses | more, key)
        self.do(f"hand_over(S, {part}, {goal}, {key[1]})", uses | more | Uses(cells=cells), writes=cells)
        self.note("rehome", step.line, of.type, step, f"{target}, {goal}", uses | more)
        self._renamed(of, target, change, uses | more)

    def _step_leave(self, step: t.Leave) -> None:
        thing, uses = self.text(self.hoist(step.thing, step.line))
        cells = frozenset((IN_PLAY,))
        self.do(f"S[0] = tuple([u for u in S[0] if u != {thing}])", uses | Uses(cells=cells), writes=cells)
        self.note("leave", step.line, step.thing.type, step, thing, uses)

    def _step_new(self, step: t.New) -> None:
        layout = self.emitter.layout
        made = layout.thing(step.kind)
        for attribute in step.kind.all_attributes():  # what is worked out from a card is not: it holds nobody yet
            first = self.emitter.checker.defaults.get(attribute)
            if isinstance(first, t.Lit) and first.value is not None:
                made[attribute.place] = first.value
        cells = self.emitter.constant(made, "cells")
        given = [(a, *self._as_kept(a, self.hoist(v, step.line))) for a, v in step.given]
        source, theirs = self.text(self.hoist(step.source, step.line)) if step.source is not None else ("-1", NOTHING)
        uses, writes = Uses(cells=frozenset((IN_PLAY,))) | theirs, {IN_PLAY, (step.kind.root.number, ORIGIN)}
        slot = self.slot(step.variable)
        body = [f"l{slot} = len(S)", f"S.extend({cells})"]
        line = whole_address(step.line.address, self.emitter.checker.book.rules)
        body.append(f"S[l{slot}+{ORIGIN}] = ({line!r}, {source})")
        for attribute, text, mine in given:
            uses |= mine
            writes.add(layout.key(attribute))
            body.append(f"S[l{slot}+{attribute.place}] = {clamped(attribute, text)}")
        body.append(f"S[0] = roomy((*S[0], l{slot}))")
        self.do("\n".join(body), uses, sets=slot, writes=frozenset(writes), needed=True)
        self.note("new", step.line, step.variable.type, step, f"l{slot}", Uses(frozenset((slot,))))

    def _step_tell(self, step: t.Tell) -> None:
        if not self.emitter.traced:
            return
        parts = [
            self.text(self.hoist(e, step.line)) if e is not None else ("None", NOTHING)
            for e in (step.subject, step.amount, step.goal)
        ]
        uses = parts[0][1] | parts[1][1] | parts[2][1]
        self.note("tell", step.line, None, step, ", ".join(text for text, _ in parts), uses, step.what)


def clamped(attribute: Any, text: str) -> str:
    """A number stays within what its attribute declares."""
    if attribute.low is None or attribute.high is None:
        return text
    if attribute.optional:
        return f"kept_within({text}, {attribute.low}, {attribute.high})"
    return f"min({attribute.high}, max({attribute.low}, {text}))"
