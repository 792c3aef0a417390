"""Checks each value, roll and procedure once, on first use, and keeps the result.

Input: declared definitions, and the two functions that check one. Output: its `Pure`, or its `Checked` steps and its
lines; a value that depends on itself is a problem. It does not know how a definition is checked.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from interpreter.cache import Apart
from interpreter.source import Problems
from interpreter.source.values import Record, field
from interpreter.vocabulary.types import ANY, Type

from . import typed as t
from .cases import Cases
from .run_flags import RAN, always_run, flag_of, with_flags
from .scope import Lines
from .symbols import LineInfo, Procedure, PureDef, RuleDef, Symbol, Where

T = TypeVar("T")


class Found(Record):
    """The results of checking a book, shared by every checker of the book."""

    lines: dict[Procedure, Lines] = field(default_factory=dict)
    checked: dict[Procedure, t.Checked | Apart] = field(default_factory=dict)  # apart, with its lines: not read yet
    pures: dict[PureDef, t.Pure | Apart] = field(default_factory=dict)
    working: dict[Symbol, None] = field(default_factory=dict)  # being checked: a stack, innermost last
    woven: dict[RuleDef, list[t.Step]] = field(default_factory=dict)  # the steps of rules, as last woven in
    forks: dict[t.Variable, Cases] = field(default_factory=dict)  # selector of a table or `by` → its cases
    totals: set[t.Variable] = field(default_factory=set)  # variables that loops accumulate
    # For the procedure being checked: line → flag that says whether it ran.
    flags: dict[t.Variable, t.Variable] = field(default_factory=dict)
    # For procedures being checked: addresses of lines whose flags other procedures need.
    pending_flags: dict[Procedure, dict[str, None]] = field(default_factory=dict)
    wanted: dict[Procedure, set[str]] | None = None  # the result of `wanted_lines`, once computed
    line_count: int = 0
    revision: int = 0  # how often a checked procedure was extended; Programs made from an earlier revision are stale


class CheckedDefinitions:
    """Caches checked definitions in `found`, which checkers with other `problems` may share.

    `check_pure` and `check_procedure` check one definition; the latter returns parameters and steps, and adds to the
    `Lines` that it is given.
    """

    def __init__(
        self,
        problems: Problems,
        found: Found,
        check_pure: Callable[[PureDef], t.Pure],
        check_procedure: Callable[[Procedure, Lines], tuple[tuple[t.Variable, ...], tuple[t.Step, ...]]],
    ) -> None:
        self.problems, self.found = problems, found
        self._check_pure, self._check_procedure = check_pure, check_procedure

    def line_info(self, address: str, where: Where, cites: tuple[str, ...]) -> LineInfo:
        """A `LineInfo` with the next line number."""
        self.found.line_count += 1
        return LineInfo(address, where, cites, self.found.line_count)

    # ---- values and rolls
    def pure(self, symbol: PureDef) -> t.Pure:
        """Return the checked value or roll. A cycle is reported and gives an empty `Pure` of type `any`."""
        if symbol in self.found.pures:
            known = self.found.pures[symbol]
            if isinstance(known, Apart):
                known = self.found.pures[symbol] = known.get()
            return known
        if symbol in self.found.working:
            working = [s.name for s in self.found.working]
            circle = " → ".join([*working[working.index(symbol.name) :], symbol.name])
            hint = f"each of these needs the next: {circle}" if len(working) > 1 else None
            label = "it needs itself to be worked out"
            self.problems.add("M001", symbol.where.span, name=symbol.name, label=label, hint=hint)
            return t.Pure((), ANY, ())
        self.found.working[symbol] = None
        made = self._check_pure(symbol)
        del self.found.working[symbol]
        self.found.pures[symbol] = made
        return made

    def type_of(self, value: PureDef) -> Type:
        return self.pure(value).type

    # ---- procedures
    def procedure(self, symbol: Procedure) -> t.Checked:
        """Return the checked procedure; during a recursive call, an empty one."""
        if symbol in self.found.checked:
            known = self.found.checked[symbol]
            if isinstance(known, Apart):
                known, self.found.lines[symbol] = known.get()
                self.keep(symbol, known)
            return known
        if symbol in self.found.working:  # recursion: `found.lines` has the lines checked so far
            return t.Checked((), (), {})
        self.found.working[symbol] = None
        lines = self.found.lines[symbol] = Lines()
        (params, steps), flags = self.check_with_flags(lambda: self._check_procedure(symbol, lines))
        made = lines.all()
        del self.found.working[symbol]
        for address in self.found.pending_flags.pop(symbol, ()):
            variable = made.get(address) or lines.done[address]
            flag = flags.setdefault(variable, flag_of(variable))
            made[address + RAN] = flag
        return self.keep(symbol, t.Checked(params, with_flags(steps, flags) if flags else steps, made))

    def check_with_flags(self, check: Callable[[], T]) -> tuple[T, dict[t.Variable, t.Variable]]:
        """Return the result of `check`, and the flags of the lines whose execution it asked about."""
        outer, self.found.flags = self.found.flags, {}
        made = check()
        flags, self.found.flags = self.found.flags, outer
        return made, flags

    def keep(self, symbol: Procedure, checked: t.Checked) -> t.Checked:
        self.found.checked[symbol] = checked
        return checked

    def lines_of(self, procedure: Procedure) -> Lines:
        self.procedure(procedure)
        return self.found.lines.get(procedure) or Lines()

    def ran_line(self, symbol: Procedure, address: str) -> str | None:
        """Return the address of the flag that records whether a line of a procedure ran; None if it always runs.

        The procedure is extended to set that flag, and `found.revision` is incremented, so that earlier Programs are
        stale.
        """
        checked, found = self.procedure(symbol), address + RAN
        if symbol in self.found.working:  # recursion
            self.found.pending_flags.setdefault(symbol, {})[address] = None
            return found
        if found in checked.lines:
            return found
        variable = checked.lines.get(address) or self.found.lines[symbol].done[address]
        if variable in always_run(checked.steps):
            return None
        flag = flag_of(variable)
        lines = {**checked.lines, found: flag}
        self.keep(symbol, t.Checked(checked.params, with_flags(checked.steps, {variable: flag}), lines))
        self.found.revision += 1
        return found

    def keep_calls(self, symbol: Procedure, steps: tuple[t.Step, ...], names: list[t.Variable]) -> None:
        """Replace the steps of a procedure by `steps`, which keep call results in `names`, under addresses that no file
        can define.
        """
        checked = self.procedure(symbol)
        lines = dict(checked.lines)
        for name in names:
            lines[f"{name.name}{len(lines)}"] = name
        self.keep(symbol, t.Checked(checked.params, steps, lines))
        self.found.revision += 1
