"""Values, rolls and procedures, each checked once: when somebody first asks what it is, or in an earlier run.

Enters: declared definitions, and the two functions that check one. Leaves: its `Pure`, or its `Checked` steps and its
lines; a value that needs itself is a problem. Knows nothing of how one is checked.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from interpreter.source import Problems
from interpreter.source.values import Record, field
from interpreter.vocabulary.types import ANY, Type

from . import typed as t
from .cases import Cases
from .ran import RAN, always_run, flag_of, noting
from .scope import Lines
from .symbols import LineInfo, Procedure, PureDef, RuleDef, Symbol, Where

T = TypeVar("T")


class Found(Record):
    """What the checks of a book found out."""

    lines: dict[Procedure, Lines] = field(default_factory=dict)
    checked: dict[Procedure, t.Checked] = field(default_factory=dict)
    pures: dict[PureDef, t.Pure] = field(default_factory=dict)
    working: dict[Symbol, None] = field(
        default_factory=dict
    )  # those in hand, in the order in which each needed the next
    woven: dict[RuleDef, list[t.Step]] = field(default_factory=dict)  # the steps of rules, as they were last woven in
    forks: dict[t.Variable, Cases] = field(default_factory=dict)  # what a table or `by` asks for, and its cases
    totals: set[t.Variable] = field(default_factory=set)  # what loops add up
    flags: dict[t.Variable, t.Variable] = field(
        default_factory=dict
    )  # for lines in hand: variables for whether they ran
    asked_of: dict[Procedure, dict[str, None]] = field(default_factory=dict)  # lines in hand of which others ask it
    wanted: dict[Procedure, set[str]] | None = None  # `wanted_lines`, once somebody has looked for them
    line_count: int = 0
    told: int = 0  # how often a procedure was checked, and then asked for more


class CheckedDefinitions:
    """`check_pure` and `check_procedure` check one definition; the second gives its parameters and its steps, and adds
    to the lines that it is given. What is `found` may be shared with others, who tell their problems elsewhere.
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
        """A line with a number of its own."""
        self.found.line_count += 1
        return LineInfo(address, where, cites, self.found.line_count)

    # ---- values and rolls
    def pure(self, symbol: PureDef) -> t.Pure:
        if symbol in self.found.pures:
            return self.found.pures[symbol]
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
        if symbol in self.found.checked:
            return self.found.checked[symbol]
        if symbol in self.found.working:  # a call in a circle: its lines so far are known
            return t.Checked((), (), {})
        self.found.working[symbol] = None
        lines = self.found.lines[symbol] = Lines()
        (params, steps), flags = self.noting_runs(lambda: self._check_procedure(symbol, lines))
        made = lines.all()
        del self.found.working[symbol]
        for address in self.found.asked_of.pop(symbol, ()):
            variable = made.get(address) or lines.done[address]
            flag = flags.setdefault(variable, flag_of(variable))
            made[address + RAN] = flag
        return self.keep(symbol, t.Checked(params, noting(steps, flags) if flags else steps, made))

    def noting_runs(self, check: Callable[[], T]) -> tuple[T, dict[t.Variable, t.Variable]]:
        """What a check gives, and by the lines of which it asked whether they were run, the variables for that."""
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
        """The line of a procedure that says whether another was run; None where that is always so.

        From now on the procedure notes it; programs that were made before see that it is another (`told`).
        """
        checked, found = self.procedure(symbol), address + RAN
        if symbol in self.found.working:  # a call in a circle
            self.found.asked_of.setdefault(symbol, {})[address] = None
            return found
        if found in checked.lines:
            return found
        variable = checked.lines.get(address) or self.found.lines[symbol].done[address]
        if variable in always_run(checked.steps):
            return None
        flag = flag_of(variable)
        lines = {**checked.lines, found: flag}
        self.keep(symbol, t.Checked(checked.params, noting(checked.steps, {variable: flag}), lines))
        self.found.told += 1
        return found

    def keep_calls(self, symbol: Procedure, steps: tuple[t.Step, ...], names: list[t.Variable]) -> None:
        """From now on the procedure keeps what some calls come to, each by a name that no line of the page has."""
        checked = self.procedure(symbol)
        lines = dict(checked.lines)
        for name in names:
            lines[f"{name.name}{len(lines)}"] = name
        self.keep(symbol, t.Checked(checked.params, steps, lines))
        self.found.told += 1
