"""Computes each question of a case a second time, alone and with specialized rules, as `umpire odds` does.

Takes a case, and the answer to all its questions together. Adds the problem `E013` for each question whose two answers
differ, which is a bug in Umpire. Knows nothing of what an example expects.
"""

from __future__ import annotations

from fractions import Fraction

from interpreter.document.nodes import Mapping, Scalar
from interpreter.rulebook.situation import Ask
from interpreter.source import Problems

from .answers import Answer
from .bands import MOST_WORLDS, Band, answer_case, format_bounds
from .cases import Case, prepare
from .texts import scalar, with_entries

_ASKING = ("then", "odds", "ask", "trace", "error", "dice")
_FEW = 4  # outcomes shown in a message


def disagreements(
    case: Case, root: Mapping, answer: Answer | Band, problems: Problems, limit: int = MOST_WORLDS
) -> None:
    """Add a problem for each question whose answer differs when it is asked alone; `root` is the tree of the case."""
    bare = with_entries(root, (), _ASKING)
    for index, ask in enumerate(answer.asks):
        quiet = Problems()
        one = prepare(case.rules, bare, quiet, [(ask.kind, _said_there(ask))], same=case)
        alone = answer_case(one, limit=limit) if one is not None else None
        if alone is None:
            errors = [p for p in quiet if p.severity == "error"]
            hint = f"{errors[0].code}: {errors[0].message}" if errors else None
            problems.add(
                "E013", ask.where.span, ask=ask.text, alone="refused", together=_said(answer, index), hint=hint
            )
        elif not _agree(alone, answer, index):
            mine, whole = _said(alone, 0), _said(answer, index)
            problems.add("E013", ask.where.span, ask=ask.text, alone=mine, together=whole)


def _said_there(ask: Ask) -> Scalar:
    """The question at its own place if possible, since names in it may resolve by the file that asks."""
    here = ask.where.scalar.part(ask.where.start, ask.where.end)
    return here if here.text == ask.text else scalar("question", ask.text)


def _agree(alone: Answer | Band, answer: Answer | Band, index: int) -> bool:
    """Whether all outcomes are equally likely; with open choices, whether the bounds are equal."""
    if isinstance(alone, Answer) and isinstance(answer, Answer):
        return alone.of(0) == answer.of(index)
    mine, whole = alone.bounds(0), answer.bounds(index)
    return mine == whole and (mine is not None or alone.runs(0) == answer.runs(index))


def _said(answer: Answer | Band, index: int) -> str:
    if isinstance(answer, Band):
        bounds = answer.bounds(index)
        return format_bounds(bounds) if bounds is not None else " to ".join(dict.fromkeys(map(str, answer.runs(index))))
    of, type_ = answer.of(index), answer.asks[index].type
    if type_.name == "truth":
        return f"so in {of.get(True, Fraction(0))}"
    told = [f"{answer.words.say(value, type_)} in {likely}" for value, likely in of.items()]
    return ", ".join(told[:_FEW]) + (", …" if len(told) > _FEW else "")
