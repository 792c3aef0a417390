"""One play of a situation: every die, what applied and what did not, and the changes of all things.

Takes checked rules, the text of a situation, and dice. Gives a picklable `Story`. Knows nothing of how it is shown.
"""

from __future__ import annotations

from collections.abc import Sequence

from interpreter.engines.dice import Dice, ScriptedDice, SeededDice
from interpreter.program.words import sentence
from interpreter.source import Problems
from interpreter.source.values import Struct
from interpreter.surfaces.as_trace.rows import lines
from interpreter.surfaces.as_trace.teller import Teller
from interpreter.workbench.cases import prepare
from interpreter.workbench.default_questions import EXPECTATIONS
from interpreter.workbench.histories import before, resolve
from interpreter.workbench.menus import points_in
from interpreter.workbench.rule_sets import RuleSet, register
from interpreter.workbench.texts import with_entries

from .findings import Finding, told

MOST = 600  # most lines shown


class Happened(Struct):
    """A line of the trace at its `depth`. `kind` is that of a row; `file` and `line` are the place of the rule, "" and
    0 if it has none; `clauses` are (id, content) of the clauses it carries out.
    """

    depth: int
    says: str
    kind: str
    file: str = ""
    line: int = 0
    clauses: tuple[tuple[str, str], ...] = ()


class Story(Struct):
    """`dice` are the faces in the order thrown, typed or random; `at` names the alternative that was played. `more` is
    the number of lines left out at the end.
    """

    lines: tuple[Happened, ...] = ()
    became: tuple[str, ...] = ()
    dice: tuple[int, ...] = ()
    at: str = ""
    findings: tuple[Finding, ...] = ()
    more: int = 0


class _Noted:
    """Dice that record their faces."""

    def __init__(self, dice: Dice) -> None:
        self.dice, self.fallen = dice, list[int]()

    def throw(self, line: str, n: int, sides: int, who: str = "") -> list[int]:
        found = self.dice.throw(line, n, sides, who)
        self.fallen += found
        return found


def story(rules: RuleSet, name: str, text: str, seed: int, faces: Sequence[int]) -> Story:
    """Play the situation once, with the `faces` in the order thrown, then with dice from the seed."""
    problems = Problems()
    found = points_in(rules, text, problems)
    if found is None or problems.has_errors or not found[1]:
        return Story(findings=told(problems, name))
    point = found[1][0]
    case = prepare(rules, with_entries(point.body, (), EXPECTATIONS), problems)
    if case is None:
        return Story(findings=told(problems, name))
    first = before(case)
    seeded = SeededDice(seed)
    dice = _Noted(ScriptedDice({}, list(faces), lambda line, n, sides: seeded.throw(line, n, sides)))
    outcome = resolve(case, script=dice)
    if outcome is None:
        return Story(dice=tuple(dice.fallen), findings=told(case.problems, name))
    teller = Teller(lambda called, arguments: sentence(rules.book, called, arguments))
    happened = []
    known = {clause.id: clause.says for sheet in rules.sheets for clause in register(sheet).values()}
    for each in lines(teller.rows(outcome.events), False):
        event = each.row.event
        placed = event is not None and event.file not in ("", "do", "the situation")
        cites = tuple((id_, known.get(id_, "")) for id_ in event.clauses) if event is not None else ()
        where = (event.file, event.row, cites) if event is not None and placed else ("", 0, ())
        happened.append(Happened(each.depth, each.said + each.aside, each.row.kind, *where))
    became = tuple(_became(first, outcome.after))
    more = len(happened[MOST:])
    return Story(tuple(happened[:MOST]), became, tuple(dice.fallen), point.at, more=more)


def _became(first: dict[str, dict[str, str]], after: dict[str, dict[str, str]]) -> list[str]:
    """The changes of each thing, a line each."""
    found = []
    for name, now in after.items():
        old = first.get(name, {})
        changes = [
            (f"now {key}" if value == "yes" else f"{key} {value}") if key not in old else f"{key} {old[key]} → {value}"
            for key, value in now.items()
            if old.get(key) != value
        ]
        changes += [f"no longer {key}" for key in old if key not in now]
        if changes:
            found.append(f"{name}: {'; '.join(changes)}")
    return found
