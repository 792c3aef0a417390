"""Sets a case up to run: compiles its Program, creates the initial state, resolves the policies of its choices; and
turns exceptions of the engines into problems.

Takes a case. Gives `Ready`, from which both engines start; or None, with problems for what the situation leaves
unstated. `run_guarded` takes a function that runs the case, and gives its result; or None, with a problem at the
responsible line: an open choice, an unstated fact, missing dice, too many worlds. Knows nothing of what is run.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from typing import Any

from interpreter.engines.choices import choosing
from interpreter.engines.odds import Odds
from interpreter.program import Program
from interpreter.program.code import Site
from interpreter.program.constant_expressions import Stays
from interpreter.program.runtime import Refused
from interpreter.program.specializer import specialize, still_known
from interpreter.program.state import BadFace, NotEnough, Start, TwoLines, Unstated, answerer, begin, narrowed, uniform
from interpreter.rulebook.policies import Policy
from interpreter.rulebook.situation import Override
from interpreter.rulebook.symbols import LineInfo, within
from interpreter.source import Label, Span
from interpreter.source.values import Record, field

from .cases import Case, Cuts, report_unstated
from .choice_policies import Said, left_open, policies
from .garbage import no_collections


class Ready(Record):
    """A Program, its initial state, the arguments of the situation's procedure, the index of each line's answer, and
    the overrides of choices by address.
    """

    program: Program
    start: Start
    args: tuple[Any, ...]
    places: dict[str, int]
    overrides: dict[str, tuple[Override, Any]] = field(default_factory=dict)


def set_up(
    case: Case, traced: bool = False, *, certain: bool = False, opened: Collection[str | None] = ()
) -> Ready | None:
    """Set a case up; None with problems.

    `certain`: specialize the rules to this situation. `opened` are the sides whose choices are all open, even where a
    usual one exists; None stands for all sides.
    """
    ready: Ready | None = run_guarded(case, lambda: _set_up(case, traced, certain, opened))
    return ready


def _set_up(case: Case, traced: bool, certain: bool, opened: Collection[str | None]) -> Ready | None:
    rules, situation = case.rules, case.situation
    _rule(case)
    program = _program(case, traced)
    if case.seen is not None:
        program.record_coverage(case.seen)
    program.ask(situation.procedure)
    if report_unstated(case):
        return None
    start = begin(program, situation)
    for what, where, many, most in start.over:
        case.problems.add("F012", where.span, limit=what, stated=many, most=most)
    if start.over:
        return None
    found: Said = {}
    if situation.choose or situation.followed or opened:
        found = policies(rules.choices, situation, case.problems)
        if opened:
            found = left_open(rules.choices, situation, found, opened)
    if case.problems.has_errors:
        return None
    if certain and case.cut:
        program = _cut_down(case, program, start, found)
        start = narrowed(start, program.layout)
    program.facts_by(answerer(start, rules.book))
    args = tuple(start.places[x.name] for x in situation.things[: len(situation.procedure.params)])
    lines = {a: i for i, a in enumerate(program.code(situation.procedure).lines)}
    ready = Ready(program, start, args, lines)
    _overrides(case, ready, found)
    return ready


def _cut_down(case: Case, program: Program, start: Start, chosen: Said) -> Program:
    """The specialized Program, reused for situations with the same constants. A case with `constants` selects these
    itself, so that the number of worlds does not depend on earlier cases.
    """
    rules, root = case.rules, case.situation.procedure
    things = case.situation.things
    sorts = {x.kind for x in things} | {group.kind for x in things for group in x.groups}
    stays = uniform(program.layout, start)
    if case.constants is not None:
        stays = case.constants(stays)
    own = frozenset(stays.items()) if case.constants is not None else None
    cuts = case.cuts.setdefault((_readings(case), root, frozenset(sorts), frozenset(chosen), own), Cuts())
    for checker, cut in cuts.made:
        if checker.holds_for(stays):
            return cut
    # Attributes that ever differed are not assumed constant again, which bounds the number of programs.
    cuts.seen = stays if cuts.seen is None else still_known(cuts.seen, stays)
    checker = specialize(rules.checker, root, sorts, cuts.seen, open_=chosen.__contains__, outside=bool(chosen))
    cut = Program(rules.book, checker)
    cut.ask(root)
    cuts.made.append((checker, cut))
    return cut


def constants_of(case: Case) -> Stays | None:
    """The attributes that have few values in the initial state, with these; None with problems."""
    found: Stays | None = run_guarded(case, lambda: _constants(case))
    return found


def _constants(case: Case) -> Stays:
    _rule(case)
    program = _program(case, False)
    program.ask(case.situation.procedure)
    return uniform(program.layout, begin(program, case.situation))


def _rule(case: Case) -> None:
    """Set the rulings to the readings of the case, for everything compiled from now on."""
    for ruling in case.rules.book.rulings.values():
        ruling.chosen = case.situation.rulings.get(ruling.name, ruling.options[0])


def _readings(case: Case) -> tuple[Any, ...]:
    """What a Program depends on besides its rules: the readings of rulings, and the facts that a situation changes."""
    book = case.rules.book
    changing = [fact.name for fact in book.facts.values() if fact.changes]
    return (*[ruling.chosen for ruling in book.rulings.values()], *changing)


def _program(case: Case, traced: bool) -> Program:
    rules = case.rules
    if case.programs is None:
        return Program(rules.book, rules.checker, traced=traced)
    key = (traced, *_readings(case))
    if key not in case.programs:
        case.programs[key] = Program(rules.book, rules.checker, traced=traced)
    return case.programs[key]


def asking(case: Case, ready: Ready, engine: Odds) -> tuple[frozenset[str], list[int]]:
    """Give an engine the overrides of choices, and attach it to `case.progress`.

    Returns the addresses that are asked for, and for each question of the case its index in the values of an end.
    """
    engine.overrides = {address: change for address, (_, change) in ready.overrides.items()}
    case.progress.engine = engine
    wants = frozenset(ask.address for ask in case.asks)
    order = sorted(wants, key=ready.places.__getitem__)
    return wants, [order.index(ask.address) for ask in case.asks]


# ---- choices
def _overrides(case: Case, ready: Ready, found: Said) -> None:
    """Add the policies of `choose:` as functions that change questions."""
    sites: dict[str, Site] = {}
    for procedure in ready.program.reached(case.situation.procedure) if found else ():
        for site in ready.program.code(procedure).sites:
            if site.kind in ("wish", "choose"):
                sites[site.line.address] = site
        if sites.keys() >= found.keys():
            break
    for address, several in found.items():
        if address in sites:  # otherwise the choice is unreachable
            site = sites[address]
            ready.overrides[address] = (several[0].override, _by_who(case, ready, site, several))


def _by_who(case: Case, ready: Ready, site: Site, several: tuple[Policy, ...]) -> Any:
    """A function that changes a choice's question depending on who chooses: by the policy of their side, else of
    all.
    """
    changes = [(_those_of(case, ready, p), _changing(ready, site, p), p.left_open) for p in several]
    return changes[0][1] if len(changes) == 1 and changes[0][0] is None else _ByWho(changes)


class _ByWho(Record):
    """Applies the first change for the one who chooses, or for the thing that the choice is about."""

    changes: list[tuple[frozenset[int] | None, Any, bool]]

    def __call__(self, state: Any, question: tuple[Any, ...]) -> tuple[Any, ...]:
        return self._changed(state, question, self.changes)

    def usual(self, state: Any, question: tuple[Any, ...]) -> tuple[Any, ...]:
        """The question as changed by policies that do not leave it open."""
        return self._changed(state, question, [c for c in self.changes if not c[2]])

    def _changed(self, state: Any, question: tuple[Any, ...], changes: list[Any]) -> tuple[Any, ...]:
        who, for_whom = choosing(question)
        for whose, change, _ in changes:
            if whose is None or who in whose or for_whom in whose:
                return change(state, question)  # type: ignore[no-any-return]
        return question


def _those_of(case: Case, ready: Ready, policy: Policy) -> frozenset[int] | None:
    """The places of the things whose choices a policy decides; None for all."""
    if policy.alone and policy.whose is not None:
        return frozenset({ready.start.places[policy.whose]})
    return side_of(case, ready, policy.whose)


def side_of(case: Case, ready: Ready, name: str | None) -> frozenset[int] | None:
    """The places of those who choose for a thing: itself, and its owner if it has one; None for all."""
    if name is None:
        return None
    place = ready.start.places[name]
    kind = next(x.kind for x in case.situation.things if x.name == name)
    relation = kind.find(kind.owner.name) if kind.owner is not None else None
    return frozenset({place} if relation is None else {place, ready.start.state[place + relation.place]})


def _changing(ready: Ready, site: Site, policy: Policy) -> Any:
    """A function that changes a choice's question by a policy: the number to take, and the order of preference."""
    if policy.left_open:
        return _left_open
    if policy.variable is None:
        return lambda state, question: (question[0], policy.answer)
    places = tuple(ready.start.places[x.name] for x in policy.things)
    about = (policy.variable, *policy.things)
    order = [ready.program.function(condition, about, site) for condition in policy.order]
    keep = policy.most is None and policy.amount is None

    def changed(state: Any, question: tuple[Any, ...]) -> tuple[Any, ...]:
        kind, one, who, low, high, items, rank, old_most, old_amount = question
        new_rank = (lambda x: tuple(not f(state, x, *places) for f in order)) if order else rank
        most, amount = (old_most, old_amount) if keep else (policy.most, policy.amount)
        return (kind, one, who, low, high, items, new_rank, most, amount)

    return changed


def _left_open(state: list[Any], question: tuple[Any, ...]) -> tuple[Any, ...]:
    """A question without usual choices."""
    return (question[0], None) if len(question) == 2 else (*question[:6], None, None, None)


def run_guarded(
    case: Case,
    run: Callable[[], Any],
    but: str | None = None,
    at: Callable[[Refused], LineInfo | None] = lambda _: None,
) -> Any:
    """The result of `run`; None with a problem if it raises.

    `but` is a code of `Refused` to reraise. `at` finds a line for an error without one.
    """
    problems = case.problems
    try:
        with no_collections():
            return run()
    except Refused as why:
        if why.code == but:
            raise
        line = why.line if why.line is not None else at(why)
        span = line.where.span if line is not None else case.where
        hint = None
        if why.code == "E001":
            hint = "`umpire odds --limit N` allows more; `umpire sample` gives an estimate, from many plays"
        if why.code == "E003":
            hint = "call it in its last line, and ask nothing of the run inside: ask what holds when all is done"
        if why.code in ("E005", "E015"):
            hint = "take `together` out: then each line is about those that the lines and rounds before it left so"
        if why.code == "K001":
            hint = f"it came up here: a case for it may be `{why.facts['missing']}: nothing`"
        if why.code == "F008":
            hint = f"in a situation: `choose: {{{why.facts['what']}: …}}`"
        if why.code == "E001" and why.line is not None and re.search(r"\brepeat until\b", why.line.where.scalar.text):
            hint = (
                "such a loop has no last round, so what adds up over its rounds has endlessly many answers: "
                "ask what holds afterwards, or of one round"
            )
        problems.add(why.code, span, hint=hint, **why.facts)
    except Unstated as why:
        hint = f"say under `facts:` what it is on your table, as `{how_to_state(why)}`"
        if len(why.things) > 1 and len(set(why.things)) == 1:  # a fact between a thing and itself
            hint = "leave the thing itself out before it is asked: `… where it is not … and …`"
        if (nobody := _nobody_asked(why)) is not None:
            hint = f"there is nobody: ask for somebody first, as `if any {nobody} and …`"
        place = why.asked.span if why.asked is not None else case.where
        problems.add("F004", place, name=why.name, label="the rules ask for it here", hint=hint)
    except NotEnough as why:
        place, thrown = _thrown_at(case, why.line), _line_of(case, why.line)
        others = [Label(thrown, "thrown here")] if thrown is not None and thrown != place else []
        problems.add("F005", place, others=others, line=why.line, wanted=f"{why.wanted}d{why.sides}")
    except BadFace as why:
        where = _thrown_at(case, why.line)
        problems.add("F006", where, die=f"d{why.sides}", face=why.face, hint=f"thrown by `{why.line}`")
    except TwoLines as why:
        hint = "say " + " or ".join(f"`{line}`" for line in why.lines)
        problems.add("N002", case.situation.script.places[why.key], name=why.key, label="both throw dice", hint=hint)
    except RecursionError:
        problems.add("E004", case.where, limit="a thousand calls, one in the other", step="this situation")
    return None


def _nobody_asked(why: Unstated) -> str | None:
    """The words of a fact for the thing that is nobody; None if all things exist."""
    if why.asked is None or "nobody" not in why.things:
        return None
    said = re.search(r"\((.*)\)$", why.asked.text)
    parts = [part.strip() for part in said[1].split(",")] if said is not None else []
    if not 0 <= len(why.things) - len(parts) <= 1:
        return "…"
    return ["…", *parts][-len(why.things) :][why.things.index("nobody")]


def how_to_state(why: Unstated) -> str:
    """A fact as it could be stated, with an example value; for booleans and rows all values."""
    match why.fact.type.name:
        case "truth":
            return f"{why.name}` or `not {why.name}"
        case "inches":
            return f'{why.name} is 12"'
        case "row":
            return f"{why.name} is " + f"` or `{why.name} is ".join(why.fact.type.of.rows)
        case "number":
            return f"{why.name} is {within(why.fact, 1)}"
    return f"{why.name} is …"


def _thrown_at(case: Case, line: str) -> Span | None:
    """The place of the scripted faces for a line, else of the line itself."""
    script = case.situation.script
    if line in script.of:
        return script.places[script.of[line]]
    if script.whole is not None and not script.by_line:
        return script.whole
    return _line_of(case, line) or case.where


def _line_of(case: Case, line: str) -> Span | None:
    """The place of a line that throws dice."""
    thrown = case.rules.choices.dice(case.situation.procedure).get(line)
    return thrown.line.where.span if thrown is not None else None
