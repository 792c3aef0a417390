"""Resolves `choose:` of a situation: the lines that each entry names, and the policies for their choices.

Enters: a checked situation. Leaves: for the address of each choice its `Policy`s in order of precedence: single lines,
the policy of one side, the policy of all sides. Knows nothing of how a choice is presented.
"""

from __future__ import annotations

from collections.abc import Collection

from interpreter.document.nodes import Scalar
from interpreter.rulebook.addressing import Addressing
from interpreter.rulebook.policies import Policy, fitting, policy_of, unfitting
from interpreter.rulebook.reached import Reached
from interpreter.rulebook.sheets import ear_of
from interpreter.rulebook.situation import Followed, Override, Situation
from interpreter.source import Problems
from interpreter.source.values import replace

Said = dict[str, tuple[Policy, ...]]


def policies(choices: Reached, situation: Situation, problems: Problems) -> Said:
    """The policies that `choose:` states, by the full address of each line."""
    found: dict[str, list[Policy]] = {}
    if not situation.choose and not situation.followed:
        return {}
    known = choices.reached(situation.procedure)
    nobody = "nobody chooses anything in what is done here"
    checker, things = choices.checker, situation.things
    lines = Addressing(choices, situation.procedure, situation.one)
    for override in situation.choose:
        named = lines.named(override.address, known, last=True, ear=ear_of(checker.book.history, override.where))
        if not named.lines or named.others:
            unfitting(override, named, checker, known, nobody, problems)
        for address in () if named.others else named.lines:
            found[address] = [policy_of(checker, known[address], override, things, problems)]
    _one_a_side(situation, problems)
    for followed in sorted(situation.followed, key=lambda f: f.whose is None):
        silent = Problems()  # a policy may have lines for choices that do not occur here
        told = [(a, line) for line in followed.tactic.lines for a in fitting(line, checker, known, "", silent)]
        if not told:
            hint = "choices here: " + ", ".join(sorted(known)[:8]) if known else nobody
            problems.add("F009", followed.where, name=followed.tactic.name, hint=hint)
        for address, line in told:
            policy = policy_of(checker, known[address], line, (), Problems())
            found.setdefault(address, []).append(replace(policy, whose=followed.whose))
    return {address: tuple(several) for address, several in found.items()}


def left_open(choices: Reached, situation: Situation, said: Said, whose: Collection[str | None]) -> Said:
    """The policies, preceded by open ones for the sides in `whose`."""
    found = {}
    for address in choices.reached(situation.procedure):
        nothing = Override(address, (), Scalar("any", situation.procedure.where.span), situation.procedure.where.span)
        opened = tuple([Policy(nothing, whose=name, left_open=True) for name in whose])
        found[address] = (*opened, *said.get(address, ()))
    return found


def _one_a_side(situation: Situation, problems: Problems) -> None:
    """Report two different policies for things of one side, as the side makes their choices."""
    by_side: dict[str, Followed] = {}
    for followed in situation.followed:
        thing = next((x for x in situation.things if x.name == followed.whose), None)
        if thing is None:
            continue
        relation = thing.kind.find(thing.kind.owner.name) if thing.kind.owner is not None else None
        side = str(thing.values.get(relation, thing.name)) if relation is not None else thing.name
        earlier = by_side.setdefault(side, followed)
        if earlier.tactic is not followed.tactic:
            wanted = f"`{earlier.tactic.name}`, as for {earlier.whose}: {side} chooses for both"
            problems.add("F010", followed.where, found=followed.tactic.name, wanted=wanted)
