"""A line of the rules by its address, wherever it was run in what is done: all of its runs, whoever called them.

Enters: what is done, and an address as a trace or a hint prints it. Leaves: an expression, and the steps that add up
what several runs came to, as rounds of a loop are added up. Where not every run can be told, that is a problem.
"""

from __future__ import annotations

from interpreter.document.nodes import Scalar
from interpreter.language import nodes as n
from interpreter.source.values import Record, field
from interpreter.vocabulary.addresses import addressed, is_place
from interpreter.vocabulary.types import ANY

from . import typed as t
from .addressing import Addressing
from .procedures import ProcedureChecker
from .scope import Scope
from .symbols import LineInfo, Procedure, Where
from .work import Steps

Place = tuple[t.Expr | None, Procedure]  # a record of what was done by a procedure; None for the situation's own lines


class Calls(Record):
    """What one procedure calls: `told`, by lines whose records can be asked; `untold`, in the rows of tables."""

    told: dict[str, Procedure] = field(default_factory=dict)
    untold: set[Procedure] = field(default_factory=set)


class Runs:
    def __init__(self, checker: ProcedureChecker, lines: Addressing, steps: Steps, scope: Scope) -> None:
        self.c, self.lines, self._done, self._scope = checker, lines, steps, scope
        self.steps: Steps = []
        self._known: dict[Procedure, Calls] = {}
        self._totals: dict[str, t.Variable] = {}
        self.several: dict[t.Variable, list[t.Expr]] = {}  # the runs that are added up under each name

    def line(self, node: n.Path, at: Scalar) -> tuple[t.Expr, int] | None:
        """What the first words of a path name, and how many they are; None where they are no address."""
        names = node.plain_names
        book = self.c.book
        first = names[0] if names else ""
        if first not in (*book.procedures, *book.rules, self.lines.root.name) and not is_place(first):
            return None
        for size in range(len(names), 0, -1):
            key = ".".join(names[:size])
            found = self._named(key)
            if len(found) > 1 and key in found:
                found = {key: found[key]}
            if len(found) > 1:
                hint = "say " + " or ".join(f"`{line}`" for line in found)
                return self._unsure(node, size, at, hint), len(node.parts)
            for line, several in found.items():
                return self._all(line, several, node, size, at)
        return None

    def _named(self, key: str) -> dict[str, set[tuple[Procedure, str]]]:
        """The lines of the rules that an address names, each with where it is written."""
        found: dict[str, set[tuple[Procedure, str]]] = {}
        for procedure in self.lines.reached.procedures(self.lines.root):
            lines = self.c.lines_of(procedure)
            mine = [a for a in lines.by_address if addressed(key, f"{procedure.name}.{a}", last=True)]
            mine = mine or [a for a in lines.runs if addressed(key, f"{procedure.name}.{a}", last=True)]
            for address in mine:
                if lines[address].type.name != "block" and not address.startswith("ask "):
                    whole = self.lines.line(f"{procedure.name}.{address}")
                    found.setdefault(whole, set()).add((procedure, address))
        return found

    def _all(
        self, line: str, several: set[tuple[Procedure, str]], node: n.Path, size: int, at: Scalar
    ) -> tuple[t.Expr, int]:
        owners = {procedure for procedure, _ in several}
        places, whole = self._places(owners)
        if not whole:
            hint = "some of its runs are in rows of tables, or in runs of itself: ask what comes of it"
            return self._unsure(node, size, at, hint), len(node.parts)
        every: list[t.Expr] = []
        for record, procedure in places:
            for owner, address in sorted(several, key=lambda one: one[1]):
                if owner is procedure:
                    variable = self.c.lines_of(owner)[address]
                    type_ = variable.type
                    every.append(
                        t.Field(record, owner, address, type=type_)
                        if record is not None
                        else t.Var(variable, type=type_)
                    )
        if len(every) == 1:
            return every[0], size
        if line not in self._totals:
            self._totals[line] = self._summed(line, every, Where(at, node.start, node.end))
        return t.Var(self._totals[line], type=self._totals[line].type), size

    def _summed(self, line: str, every: list[t.Expr], where: Where) -> t.Variable:
        info = LineInfo(f"ask {line}", where, ())
        total = t.Variable(f"{line}?", every[0].type)
        self.several[total] = every
        self.steps.append(t.Reset((total,), line=info))
        for e in every:
            one = t.Variable(f"{line}?", e.type)
            self.steps += [t.Assign(one, e, line=info), t.Accumulate(total, one, rounds=False, line=info)]
        return total

    def _unsure(self, node: n.Path, size: int, at: Scalar, hint: str) -> t.Expr:
        said = ".".join(part.name for part in node.parts[:size])
        self.c.problems.add("N002", at.at(node.start, node.parts[size - 1].end), name=said, hint=hint)
        return t.Lit(0, type=ANY)

    # ---- where a procedure is run
    def _places(self, owners: set[Procedure]) -> tuple[list[Place], bool]:
        """Every record of these procedures, and whether these are all there are."""
        found: list[Place] = []
        todo: list[tuple[Place, tuple[Procedure, ...]]] = [((None, self.lines.root), ())]
        whole = True
        for (record, procedure), above in todo:
            if procedure in owners:
                found.append((record, procedure))
            if procedure in above:
                whole = whole and not self._leads_to(procedure, owners)
                continue
            calls = self._calls(procedure)
            whole = whole and not any(self._leads_to(callee, owners) for callee in calls.untold)
            for address, callee in calls.told.items():
                variable = self.c.lines_of(procedure)[address]
                inner: t.Expr = t.Var(variable, type=variable.type)
                if record is not None:
                    inner = t.Field(record, procedure, address, type=variable.type)
                if self._leads_to(callee, owners):
                    todo.append(((inner, callee), (*above, procedure)))
        return found, whole

    def _leads_to(self, procedure: Procedure, owners: set[Procedure]) -> bool:
        return not owners.isdisjoint(self.lines.reached.procedures(procedure))

    def _calls(self, procedure: Procedure) -> Calls:
        known = self._known.get(procedure)
        if known is None:
            known = self._known[procedure] = Calls()
            mine = procedure is self.lines.root
            inside = t.by_class(tuple(self._done)) if mine else self.c.procedure(procedure).inside
            lines = self.c.lines_of(procedure).by_address
            addresses = {variable: address for address, variable in lines.items()}
            onward = [(step.value, step.total) for step in inside[t.Accumulate]]
            direct = {id(step.value): step.variable for step in inside[t.Assign]}
            for call in inside[t.Call]:
                left = [direct[id(call)]] if id(call) in direct else []
                for variable in left:
                    left += [total for value, total in onward if value is variable and total not in left]
                said = [addresses[variable] for variable in left if variable in addresses]
                if said and call.procedure.table is None:
                    known.told.update(dict.fromkeys(said, call.procedure))
                else:
                    known.untold.add(call.procedure)
        return known
