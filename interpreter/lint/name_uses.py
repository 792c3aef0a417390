"""How expressions, steps and calls use the figures of a name: mention, read, change or combine them.

Takes typed expressions and steps; gives truth values, and the names that a procedure reads. A call is followed into its
procedure, with the names that its arguments have there.
"""

from __future__ import annotations

from typing import Any

from interpreter.rulebook import typed as t
from interpreter.rulebook.symbols import Attribute, Procedure

from .call_effects import CallEffects, substitute_arguments
from .overlap import Name, name_of


def is_figures(variable: t.Variable) -> bool:
    """Whether a variable holds one figure or several."""
    return variable.type.name in t.FIGURES


def effect_of(part: Any) -> t.Expr | None:
    """The figures that an effect changes; None for any other node."""
    match part:
        case t.SetAttr(of=of) | t.AddAttr(of=of) | t.Rehome(figures=of) if of.type.name in t.FIGURES:
            return of
    return None


def contains(e: Any, name: Name) -> bool:
    """Whether the value of an expression includes figures of a name, and not only data that belongs to them."""
    if type(e) is tuple:
        return any(contains(each, name) for each in e)
    if name_of(e) == name:
        return True
    if not isinstance(e, t.Expr) or isinstance(e, t.Attr | t.Holder | t.Bag):
        return False
    return any(contains(getattr(e, held), name) for held in t.holding(type(e)))


def mentions(e: Any, name: Name) -> bool:
    """Whether an expression refers to a name anywhere."""
    return any(name_of(part) == name for part in t.parts(e))


def figures_read_from_calls(checked: t.Checked) -> set[Name]:
    """The figure fields of call records that a procedure reads, directly or through totals of loops."""
    asked = {name for e in checked.inside[t.Field] if e.type.name in t.FIGURES and (name := name_of(e))}
    totals = {step.total: step.value for step in checked.inside[t.Accumulate]}
    for name in list(asked):
        variable = name[0]
        while (variable := totals.get(variable)) is not None:
            asked.add((variable, *name[1:]))
    return asked


class NameUses:
    """Answers how parts of steps use the figures of a name."""

    def __init__(self, effects: CallEffects) -> None:
        self.effects = effects

    def combines(self, part: Any, name: Name, through: tuple[Procedure, ...] = ()) -> bool:
        """Whether figures of a name are an operand of a union or difference, here or in a called procedure."""
        match part:
            case t.Op(name="join" | "without"):
                return mentions(part, name)
            case t.Call(procedure=procedure) if procedure not in through:
                given = [(p,) for p, e in self.args(part).items() if is_figures(p) and mentions(e, name)]
                steps, through = self.effects.checker.procedure(procedure).steps, (*through, procedure)
                return any(self.combines(p, one, through) for one in given for p in t.parts(steps))
        return False

    def reads(self, part: Any, name: Name, attribute: Attribute | None, through: tuple[Procedure, ...] = ()) -> bool:
        """Whether the value of an expression depends on an attribute of figures of a name (None: on their holder)."""
        match part:
            case t.Attr(of=of, attribute=read):
                return read is attribute and contains(of, name)
            case t.Holder(of=of):
                return attribute is None and contains(of, name)
            case (
                t.Filter(items=of)
                | t.Extreme(items=of)
                | t.Each(items=of)
                | t.Sort(figures=of)
                | t.CallValue(args=of)
                | t.RollOf(args=of)
            ):
                return contains(of, name) and attribute in self.effects.reads(part)
            case t.Call(procedure=procedure) if procedure not in through:
                given = [(p,) for p, e in self.args(part).items() if contains(e, name)]
                return any(self._reads_inside(procedure, one, attribute, (*through, procedure)) for one in given)
        return False

    def _reads_inside(
        self, procedure: Procedure, name: Name, attribute: Attribute | None, through: tuple[Procedure, ...]
    ) -> bool:
        """Whether lines of a procedure read the attribute, of `name` or of names computed from it there."""
        inside = t.parts(self.effects.checker.procedure(procedure).steps)
        names, more = {name}, True
        while more:
            found = {
                (part.variable,)
                for part in inside
                if isinstance(part, t.Assign | t.ForEach) and is_figures(part.variable)
                for value in (part.value if isinstance(part, t.Assign) else part.items,)
                if any(contains(value, one) for one in names)
            }
            more = not found <= names
            names |= found
        return any(self.reads(part, one, attribute, through) for part in inside for one in names)

    def changes(self, part: Any, name: Name) -> bool:
        """Whether a step or a call changes figures of a name."""
        match part:
            case t.SetAttr(of=of) | t.AddAttr(of=of) | t.Rehome(figures=of):
                return mentions(of, name)
            case t.Call(procedure=procedure):
                said = self.args(part)
                return any(
                    isinstance(e, t.Var) and mentions(substitute_arguments(e, said), name)
                    for e, _, _ in self.effects.changes(procedure)
                )
        return False

    def args(self, call: t.Call) -> dict[t.Variable, t.Expr]:
        return dict(zip(self.effects.checker.procedure(call.procedure).params, call.args, strict=True))
