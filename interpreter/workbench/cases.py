"""A case: a situation that was checked against its rules.

Takes a rule set and the tree of a situation. Gives a `Case`, or None with problems. Knows nothing of how it is run.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from interpreter.document.alternatives import first_alternatives
from interpreter.document.nodes import Mapping, Scalar
from interpreter.language.parse import words_called
from interpreter.program import Program
from interpreter.program.constant_expressions import Stays
from interpreter.program.specializer import Specializer
from interpreter.program.trace_notes import Seen
from interpreter.rulebook.book import verb_forms
from interpreter.rulebook.joint_tables import report_sum
from interpreter.rulebook.situation import Ask, Situation, Thing, statement_hint, unstated
from interpreter.rulebook.situations import SituationChecker
from interpreter.rulebook.symbols import Kind
from interpreter.source import Problems, Span
from interpreter.source.values import Record, field

from .progress import Progress
from .rule_sets import RuleSet


class Cuts(Record):
    """Programs specialized to what is certain, for one procedure, each with its assumptions. `seen` are the constants
    that all requesting situations have had in common.
    """

    made: list[tuple[Specializer, Program]] = field(default_factory=list)
    seen: Stays | None = None


class Case(Record):
    """A situation that was checked against its rules. `seen` records what comes into play."""

    rules: RuleSet
    situation: Situation
    problems: Problems
    where: Span | None
    seen: Seen | None = None
    programs: dict[Any, Program] | None = None  # a cache by rulings, shared with earlier cases of these rules
    progress: Progress = field(default_factory=Progress)  # receives the progress
    cuts: dict[Any, Cuts] = field(default_factory=dict)  # shared by all similar cases
    constants: Callable[[Stays], Stays] | None = None  # selects the constants to specialize to
    cut: bool = True  # whether odds specialize the rules to this situation; examples share one Program

    @property
    def asks(self) -> list[Ask]:
        return self.situation.asks


def prepare(
    rules: RuleSet,
    root: Mapping,
    problems: Problems,
    asks: list[tuple[str, Scalar]] | None = None,
    like: Case | None = None,
    same: Case | None = None,
    *,
    whole: bool = True,
) -> Case | None:
    """The case of a situation's tree, or None with problems. `asks`: more questions, as (kind, text). `like`: a case
    that does and asks the same with the same names; its programs are reused. `same`: a case of the same things and
    facts with other questions; the check of counted alike figures is skipped. `whole`: report a joint table whose
    chances do not sum to 1; a caller that computes odds may report what is missing itself.
    """
    several = first_alternatives(root)
    if several is not None:
        problems.add("G007", several, hint="one value, without `<` and `>`; or `umpire odds`, for a table of all")
        return None
    checker = rules.checker
    mine = Problems()
    telling = checker.telling(mine)
    telling.sentences.called |= words_called([root.span.text])
    situation = SituationChecker(telling).check(
        root,
        asks,
        like.situation if like is not None else None,
        same.situation if same is not None else None,
    )
    for table in situation.tables if situation is not None and whole else ():
        if table.sum != 1:
            report_sum(table, mine)
    problems.extend(mine)
    if situation is None or mine.has_errors:
        return None
    if situation.force is None and not checker.procedure(situation.procedure).steps:
        said = _something(rules, situation.things)
        place = root.entries[-1].key.span if root.entries else root.span
        hint = f"say what happens, such as `do: {said}`" if said else "say what happens: `do: …`"
        problems.add("F016", place, wanted="`do:` or a question to ask", label="nothing is done after this", hint=hint)
        return None
    if like is None:
        if same is None and checker.procedure(situation.procedure).names_figures:
            from interpreter.lint.alike import check_alike_asked  # imported late: most questions name no figures

            check_alike_asked(checker, situation.procedure, problems)
        return Case(rules, situation, problems, root.span)
    return Case(rules, situation, problems, root.span, programs=like.programs, cuts=like.cuts)


def report_unstated(case: Case) -> bool:
    """Report every start value that the situation leaves unstated, without running it. Return whether there is any."""
    situation = case.situation
    left = [*unstated(situation.things, situation.facts, case.rules.checker.defaults)]
    for what, where, attribute in left:
        case.problems.add("F001", where.span, name=what, hint=statement_hint(attribute))
    return bool(left)


def _something(rules: RuleSet, things: list[Thing]) -> str | None:
    """A sentence that the described things could do: `A shoots at B`."""
    for procedure in rules.book.procedures.values():
        kinds = [p.type.of if p.type.name == "thing" else None for p in procedure.params]
        names = [x for x in things if x.described][: len(kinds)]
        right = all(isinstance(k, Kind) and x.kind.is_a(k) for k, x in zip(kinds, names, strict=False))
        if len(kinds) == 2 == len(names) and right and procedure.params[1].word and not procedure.table:
            verb = verb_forms(procedure.name)[-1]
            return f"{names[0].name} {verb} {procedure.params[1].word} {names[1].name}"
    return None
