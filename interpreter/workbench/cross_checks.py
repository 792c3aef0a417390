"""Works out each question of a case a second time, alone, by rules specialised for it: the way that `umpire odds` goes.

Enters: a case, and the answer to all its questions together. Leaves: problem `E013` at each question whose two answers
differ, which is an error in Umpire. Knows nothing of what an example expects.
"""

from __future__ import annotations

from fractions import Fraction

from interpreter.document.nodes import Mapping, Scalar
from interpreter.rulebook.situation import Ask
from interpreter.source import Problems

from .answers import Answer
from .bands import Band, weighed
from .cases import Case, prepare
from .texts import scalar, with_entries

_ASKING = ("then", "odds", "ask", "trace", "error", "dice")
_FEW = 4  # outcomes that are told


def disagreements(case: Case, root: Mapping, answer: Answer | Band, problems: Problems) -> None:
    """Adds a problem for each question that comes to something else where it is the only one. `root` is what the case
    was made of.
    """
    bare = with_entries(root, (), _ASKING)
    for index, ask in enumerate(answer.asks):
        quiet = Problems()
        one = prepare(case.rules, bare, quiet, [(ask.kind, _said_there(ask))], same=case)
        alone = weighed(one) if one is not None else None
        if alone is None:
            told = [p for p in (*quiet, *(one.problems if one is not None else ())) if p.severity == "error"]
            hint = f"{told[0].code}: {told[0].message}" if told else None
            problems.add(
                "E013", ask.where.span, ask=ask.text, alone="refused", together=_said(answer, index), hint=hint
            )
        elif not _agree(alone, answer, index):
            mine, whole = _said(alone, 0), _said(answer, index)
            problems.add("E013", ask.where.span, ask=ask.text, alone=mine, together=whole)


def _said_there(ask: Ask) -> Scalar:
    """The question at its own place: what it means may depend on the file that asks it."""
    here = ask.where.scalar.part(ask.where.start, ask.where.end)
    return here if here.text == ask.text else scalar("question", ask.text)


def _agree(alone: Answer | Band, answer: Answer | Band, index: int) -> bool:
    """Every outcome is as likely; where somebody chooses, what an expectation is held against is the same."""
    if isinstance(alone, Answer) and isinstance(answer, Answer):
        return alone.of(0) == answer.of(index)
    mine, whole = alone.bounds(0), answer.bounds(index)
    return mine == whole and (mine is not None or alone.runs(0) == answer.runs(index))


def _said(answer: Answer | Band, index: int) -> str:
    if isinstance(answer, Band):
        return " to ".join(dict.fromkeys(map(str, answer.bounds(index) or answer.runs(index))))
    of, type_ = answer.of(index), answer.asks[index].type
    if type_.name == "truth":
        return f"so in {of.get(True, Fraction(0))}"
    told = [f"{answer.words.say(value, type_)} in {likely}" for value, likely in of.items()]
    return ", ".join(told[:_FEW]) + (", …" if len(told) > _FEW else "")
