"""Turns exceptions of the engines into problems: open choices, unstated facts, missing dice, too many worlds.

Enters: a case, and a function that runs it. Leaves: the function's result, or None with a problem at the responsible
line. Knows nothing of what is run.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from interpreter.program.runtime import Refused
from interpreter.program.state import BadFace, NotEnough, TwoLines, Unstated
from interpreter.rulebook.symbols import LineInfo, within
from interpreter.source import Label, Span

from .cases import Case


def run_guarded(
    case: Case,
    run: Callable[[], Any],
    but: str | None = None,
    at: Callable[[Refused], LineInfo | None] = lambda _: None,
) -> Any:
    """The result of `run`; None with a problem if it raises.

    `but` is a code of `Refused` that is raised on. `at` finds a line for an error without one.
    """
    problems = case.problems
    try:
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
        if why.code == "E005":
            hint = "take `together` out: then each line is about those that the lines and rounds before it left so"
        if why.code == "F008":
            hint = f"in a situation: `choose: {{{why.facts['what']}: …}}`"
        if why.code == "E001" and why.line is not None and re.search(r"\brepeat until\b", why.line.where.scalar.text):
            hint = (
                "such a loop has no last round, so what adds up over its rounds has endlessly many answers: "
                "ask what holds afterwards, or of one round"
            )
        problems.add(why.code, span, hint=hint, **why.facts)
    except Unstated as why:
        hint = f"say under `facts:` what it is on your table, as `{stated(why)}`"
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
    """The words of a fact for the thing that turned out to be nobody; None where all are there."""
    if why.asked is None or "nobody" not in why.things:
        return None
    said = re.search(r"\((.*)\)$", why.asked.text)
    parts = [part.strip() for part in said[1].split(",")] if said is not None else []
    if not 0 <= len(why.things) - len(parts) <= 1:
        return "…"
    return ["…", *parts][-len(why.things) :][why.things.index("nobody")]


def stated(why: Unstated) -> str:
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
    """The place of the scripted faces for a line, else the line itself."""
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
