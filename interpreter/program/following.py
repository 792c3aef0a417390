"""Names of figures follow them: what one effect changes is changed in every other name that surely speaks of it.

A name is a bag of counted things as they were when it was given. Where an effect changes figures by one name, another
name of the same procedure sees it if it was made from that name or that name from it (`who` picked from `men`), or if
there are too few alike for it to be others. Enters: steps, in the order of the page. Leaves: statements that keep
names up to date. Knows nothing of calls inside: what a call changes is followed in the figure it was told only.
"""

from __future__ import annotations

from collections import Counter

from interpreter.rulebook import typed as t
from interpreter.rulebook.symbols import Kind, Procedure

from .code import Uses
from .emit import Emitter
from .graph import Graph
from .layout import CellKey


class Following(Graph):
    def __init__(self, emitter: Emitter, procedure: Procedure) -> None:
        super().__init__(emitter, procedure)
        set_: Counter[t.Variable] = Counter(self.checked.params)
        read: set[t.Variable] = set()
        for part in t.parts(self.checked.steps):
            if isinstance(part, t.Var):
                read.add(part.variable)
            elif isinstance(part, t.Assign | t.ForEach):
                set_[part.variable] += 1
        self._apt = {v for v in read if set_[v] == 1 and v.type.name in ("figure", "figures")}
        self._named: dict[t.Variable, set[t.Variable]] = {v: set() for v in self.checked.params if v in self._apt}

    def named(self, variable: t.Variable, value: t.Expr) -> None:
        """A name was given: what it is surely part of, and what is part of it."""
        if variable not in self._apt:
            return
        found = self._named[variable] = self._whole(value) & set(self._named)
        if isinstance(value, t.Op) and value.name == "join":
            for part in value.args:
                if isinstance(part, t.Var) and part.variable in self._named:
                    self._named[part.variable] |= {variable, *found}

    def still_to_come(self, rest: t.Variable, step: t.ForEach) -> None:
        """Those whose turn in a loop has not come, where a round may change others than the one whose turn it is."""
        for part in t.parts(step.body):
            if isinstance(part, t.SetAttr | t.AddAttr | t.Rehome):
                of = part.figures if isinstance(part, t.Rehome) else part.of
                mine = isinstance(of, t.Var) and of.variable is step.variable
                if not mine and of.type.name in ("figure", "figures") and of.type.of.root is rest.type.of.root:
                    self._named[rest] = self._whole(step.items) & set(self._named)
                    return

    def _whole(self, e: t.Expr) -> set[t.Variable]:
        """The names that all figures of an expression are from."""
        match e:
            case t.Var():
                return {e.variable, *self._named.get(e.variable, ())}
            case t.Filter(items=inner) | t.Extreme(items=inner) | t.Sort(figures=inner):
                return self._whole(inner)
            case t.Choose() if e.items is not None:
                return self._whole(e.items)
            case t.Op(name="without" | "only" | "first-of-figures"):
                return self._whole(e.args[0])
            case t.Op(name="join"):
                return self._whole(e.args[0]) & self._whole(e.args[1])
            case t.IfElse():
                return self._whole(e.value) & self._whole(e.other)
        return set()

    def others(self, of: t.Expr, related: bool = False) -> list[tuple[t.Variable, bool]]:
        """The other names of figures of a kind, and whether they are of one stock with what changes."""
        mine = of.variable if isinstance(of, t.Var) else None
        kind: Kind = of.type.of
        found = []
        for variable, whole in self._named.items():
            if variable is not mine and variable.type.of.root is kind.root:
                akin = mine is not None and (mine in whole or variable in self._named.get(mine, ()))
                if akin or not related:
                    found.append((variable, akin))
        return found

    def follow(self, variable: t.Variable, part: str, change: str, uses: Uses, held: CellKey | None = None) -> None:
        """`part`, as far as it is in a name, changes there too; not of one stock, as far as it must be, by what is
        `held`.
        """
        name, mine = self.name(variable)
        known = f"only_figure({name})" if variable.type.name == "figure" else name
        if held is not None:
            part = f"surely({known}, {part}, S, {held[1]})"
            mine |= Uses(cells=frozenset((held,)))
        text = f"changed({known}, {part}, lambda f: {change})"
        self.let(variable, f"first_figure({text})" if variable.type.name == "figure" else text, uses | mine)
