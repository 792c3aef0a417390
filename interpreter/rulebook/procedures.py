"""Procedures and outcome tables → their `Checked` steps, each checked once, when first asked for.

Enters: declared procedures. Leaves: steps and lines, kept by the checker. Knows nothing of dice being thrown.
"""

from __future__ import annotations

from interpreter.vocabulary.types import ANY

from . import typed as t
from .blocks import Blocks
from .definitions import Definition
from .ran import RAN, always_run, flag_of, noting
from .scope import Lines, Scope
from .symbols import Procedure, RuleDef
from .work import CallChecker


class ProcedureChecker(CallChecker):
    @property
    def whole(self) -> ProcedureChecker:
        """What says all that the book does: a checker for some sorts of things alone says less."""
        return self

    @property
    def recalls(self) -> bool:
        """Whether counted things that have left play may still be asked for, or come back."""
        return True

    def procedure(self, symbol: Procedure) -> t.Checked:
        if symbol in self._checked:
            return self._checked[symbol]
        if symbol in self._working:  # a call in a circle: its lines so far are known
            return t.Checked((), (), {})
        self._working[symbol] = None
        names: dict[str, t.Expr] = {}
        params = []
        for p in symbol.params:
            variable = t.Variable(p.name, p.type)
            params.append(variable)
            names[p.name] = t.Var(variable, type=p.type)
        lines = self.lines[symbol] = Lines()
        card = names[symbol.params[0].name] if symbol.params and symbol.subject else None
        scope = Scope(None, names, lines, card, symbol.params[0].name if symbol.params else "", pure=False)
        outer, self.flags = self.flags, {}
        steps = tuple(self._work(symbol, scope, self.book.owners[symbol]).whole())
        flags, self.flags = self.flags, outer
        made = lines.all()
        del self._working[symbol]
        for address in self._asked_of.pop(symbol, ()):
            variable = made.get(address) or lines.done[address]
            flag = flags.setdefault(variable, flag_of(variable))
            made[address + RAN] = flag
        return self.keep(symbol, t.Checked(tuple(params), noting(steps, flags) if flags else steps, made))

    def ran_line(self, symbol: Procedure, address: str) -> str | None:
        """From now on the procedure notes it; programs that were made before see that it is another (`told`)."""
        checked, found = self.procedure(symbol), address + RAN
        if symbol in self._working:  # a call in a circle
            self._asked_of.setdefault(symbol, {})[address] = None
            return found
        if found in checked.lines:
            return found
        variable = checked.lines.get(address) or self.lines[symbol].done[address]
        if variable in always_run(checked.steps):
            return None
        flag = flag_of(variable)
        lines = {**checked.lines, found: flag}
        self.keep(symbol, t.Checked(checked.params, noting(checked.steps, {variable: flag}), lines))
        self.told += 1
        return found

    def keep_calls(self, symbol: Procedure, steps: tuple[t.Step, ...], names: list[t.Variable]) -> None:
        """From now on the procedure keeps what some calls come to, each by a name that no line of the page has."""
        checked = self.procedure(symbol)
        lines = dict(checked.lines)
        for name in names:
            lines[f"{name.name}{len(lines)}"] = name
        self.keep(symbol, t.Checked(checked.params, steps, lines))
        self.told += 1

    def alone(self, rule: RuleDef) -> None:
        """The lines of a rule for each thing, at a moment that no line of the page brings, such as the end of a turn:
        whoever acts there is not known.
        """
        symbol = Procedure(rule.name, rule.where, (), rule.body, rule.scalar, cites=rule.cites)
        actor = t.Var(t.Variable("actor", ANY), type=ANY)
        scope = Scope(None, {"actor": actor}, Lines(), None, "", pure=False)
        work = self._work(symbol, scope, self.book.owners[rule])
        work.rule(rule, scope, self.line_info(rule.name, rule.where, rule.cites))

    def _work(self, symbol: Procedure, scope: Scope, definition: Definition) -> Blocks:
        return Blocks(self, symbol, scope, definition)
