"""Resolves `choose:` of a situation: the lines that each entry names, and the policies for their choices.

Takes a checked situation. Gives the `Policy`s for the address of each choice in order of precedence: of single lines,
of one side, of all sides. Knows nothing of how a choice is presented.
"""

from __future__ import annotations

from collections.abc import Collection

from interpreter.document.nodes import Scalar
from interpreter.rulebook.addressing import Addressing
from interpreter.rulebook.construct import chosen_for
from interpreter.rulebook.policies import Policy, choices_named, policy_of, report_unfitting
from interpreter.rulebook.reached import Choice, Reached
from interpreter.rulebook.scripts import EVERYBODY
from interpreter.rulebook.sheets import visibility_at
from interpreter.rulebook.situation import FollowedPolicy, Override, Situation, Thing
from interpreter.source import Problems, suggest
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
        named = lines.named(
            override.address, known, last=True, visibility=visibility_at(checker.book.history, override.where)
        )
        if (meant := _meant(override, situation)) is not None and not named.lines and not named.others:
            problems.add("F009", override.where, name=override.address, **suggest(override.where, [meant]))
            continue
        if not named.lines or named.others:
            report_unfitting(override, named, checker, known, nobody, problems)
            continue
        met = [a for a in named.lines if _may_be_met(override, known[a], situation)]
        if not met:
            _report_unmet(override, known[next(iter(named.lines))], situation, problems)
        for address in met:
            policy = policy_of(checker, known[address], override, things, problems)
            whose = override.whose
            others = [p for p in found.get(address, ()) if p.whose != whose]  # the last entry takes precedence
            several = [*others, replace(policy, whose=whose, alone=whose is not None)]
            found[address] = sorted(several, key=lambda p, a=address: _rank(p, known[a], situation))  # type: ignore[misc]
    _one_a_side(situation, problems)
    for followed in sorted(situation.followed, key=lambda f: f.whose is None):
        silent = Problems()  # a policy may have lines for choices that do not occur here
        fitted = [(a, line) for line in followed.tactic.lines for a in choices_named(line, checker, known, "", silent)]
        if not fitted:
            speaks_of = ", ".join(dict.fromkeys(f"`{line.address}`" for line in followed.tactic.lines))
            label = f"it is a policy for {speaks_of}" if speaks_of else ""
            hint = "choices here: " + ", ".join(sorted(known)[:8]) if known else nobody
            problems.add("F009", followed.where, name=followed.tactic.name, label=label, hint=hint)
        for address, line in fitted:
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


def _rank(policy: Policy, choice: Choice, situation: Situation) -> int:
    """The rank of a policy: 0 for the thing that chooses, 1 for its owner, 2 for everybody."""
    thing = _thing(policy.whose, situation)
    if thing is None:
        return 2
    return 0 if thing.kind.is_a(chosen_for(choice.who).type.of) else 1


def _meant(override: Override, situation: Situation) -> str | None:
    """The intended address for a mistake such as `b.closes` or `everybody.closes`, or None."""
    head, dot, line = override.address.partition(".")
    if head == EVERYBODY and dot:
        return line
    name = next((x.name for x in situation.things if dot and x.name.lower() == head), None)
    return f"{name}.{line}" if name is not None else None


def _thing(name: str | None, situation: Situation) -> Thing | None:
    return next((x for x in situation.things if x.name == name), None)


def _may_be_met(override: Override, choice: Choice, situation: Situation) -> bool:
    """Whether the thing of an entry, if it names one, may be the one that chooses."""
    thing = _thing(override.whose, situation)
    kinds = [e.type.of for e in (choice.who, chosen_for(choice.who)) if e.type.name == "thing"]
    return thing is None or any(thing.kind.is_a(kind) or kind.is_a(thing.kind) for kind in kinds)


def _report_unmet(override: Override, choice: Choice, situation: Situation, problems: Problems) -> None:
    """Report that the thing of an entry never makes this choice."""
    kind = chosen_for(choice.who).type.of
    others = [x.name for x in situation.things if x.kind.is_a(kind) and x.described]
    said = " or ".join(f"`{name}.{override.address}`" for name in others[:3]) or f"`{override.address}`, for everybody"
    hint = f"it is chosen for a {kind.name}: say {said}"
    problems.add("F009", override.where, name=f"{override.whose}.{override.address}", hint=hint)


def _one_a_side(situation: Situation, problems: Problems) -> None:
    """Report different policies for things of one side, since the side makes the choices of both."""
    by_side: dict[str, FollowedPolicy] = {}
    for followed in situation.followed:
        thing = _thing(followed.whose, situation)
        if thing is None:
            continue
        relation = thing.kind.find(thing.kind.owner.name) if thing.kind.owner is not None else None
        side = str(thing.values.get(relation, thing.name)) if relation is not None else thing.name
        earlier = by_side.setdefault(side, followed)
        if earlier.tactic is not followed.tactic:
            wanted = f"`{earlier.tactic.name}`, as for {earlier.whose}: {side} chooses for both"
            problems.add("F010", followed.where, found=followed.tactic.name, wanted=wanted)
