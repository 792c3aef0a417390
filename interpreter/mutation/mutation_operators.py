"""Mutation operators: every text that differs from a sentence by one slip: a number, a sign, a comparison, a word.

Takes the text, and a function from a name to possible substitutes. Gives `Slip`s, from left to right. Knows nothing of
the position of the sentence, of games, or whether the result compiles.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from interpreter.source.values import Struct
from interpreter.vocabulary.operations import OPERATIONS

Named = Callable[[str], list[str]]


class Slip(Struct):
    """Replaces the characters `start` to `end` by `instead`. Of slips with the same `choice`, the first that
    compiles is enough.
    """

    start: int
    end: int
    instead: str
    choice: int = 0


_QUIET = re.compile(r"'[^']*'|\[[A-Z0-9][^\]]*\]|\byes or no\b|\bor none\b")  # never mutated
_NUMBER = re.compile(r"(?<!\w)(?<![a-z]-)(\d*d)?(\d+)(?!\w*-[a-z])")
_SIGN = re.compile(r"(?<![\w\d)\]\"])[+-](?=[\w(])")
_NAME = re.compile(r"(?<![\w-])[a-z][a-z0-9]*(?:-[a-z0-9]+)*(?![\w-])")
_DICE = (2, 3, 4, 6, 8, 10, 12, 20, 30, 100)
_PAIRS = {
    "any": "no", "no": "any", "over": "under", "under": "over", "true": "false", "false": "true",
    "most": "fewest", "fewest": "most", "best": "worst", "worst": "best", "passes": "fails", "fails": "passes",
    "passing": "failing", "failing": "passing", "gain": "lose", "gains": "loses", "lose": "gain", "loses": "gains",
    "before": "after", "after": "before", "needs": "roll", "roll": "needs",
}  # fmt: skip
_WORDS = (  # phrases and their replacements
    (r"\bat least\b", "at most"),
    (r"\bat most\b", "at least"),
    (r"\bor more\b", "or less"),
    (r"\bor less\b", "or more"),
    (r"\bup to (?=.* from\b)", ""),
    (r"(?<=moves )up to ", ""),
    (r"(?<=\bis )not (?!in\b)", ""),
    (r"(?<!\bis )\bnot ", ""),
    (r"\bis (?!not\b|at\b|an? )(?=\S)", "is not "),
    (r"(?<!\bnot )(?<!each )\bin (?=\S)(?!.*\bdeals\b)", "not in "),
    (r"\baway from\b", "towards"),
    (r"\btowards\b", "away from"),
    (r"\buntil after next\b", "until after"),
    (r"(?<=usually )yes\b", "no"),
    (r"(?<=usually )no\b(?! \S)", "yes"),
    (r"(?<=first )yes\b", "no"),
)
_PARTS = (  # clauses that can be deleted: a condition, a measure, a preference
    r"(?<!,) if (?!.* else ).+$",
    r", if [^,]+?(?=, (?:for|repeat|by|if|together)\b|$)",
    r" where .+$",
    r" where [^()]+(?=\))",
    r" per (?!unit$)[^,]+?(?= if |$)",
    r" usually [^,]+$",
    r"(?<=usually )[^,]+, (?=\S)",
    r", (?!if |by |for |repeat |together|otherwise)[^,()]+$(?<=\w)",
    r", (?:together|otherwise)$",
    r" first .+$",
    r" except \S+$",
    r", (?:always|never) \d+",
    r"(?<=until )(?:before|after) [\w.-]+, (?=before|after)",
    r", (?:before|after) [\w.-]+(?: as target)?(?= if|$)",
    r" as target\b",
)


def slips(text: str, names: Named, start: int = 0) -> Iterator[Slip]:
    """Every slip in the text from `start` on; `names` gives the substitutes for a name, the likeliest first."""
    body = _stripped(text)
    quiet = [(m.start(), m.end()) for m in _QUIET.finditer(text)]

    def may_slip(at: int, end: int) -> bool:
        return at >= start and not any(at < q and p < end for p, q in quiet)

    pairs = _pairs()
    every = (*_numbers(body), *_signs(body, pairs), *_words(body, pairs), *_left_out(body))
    found = [s for s in every if may_slip(s.start, s.end)]
    for match in _NAME.finditer(body):
        if may_slip(match.start(), match.end()) and match.group() not in pairs:
            others = names(match.group())
            found += [Slip(match.start(), match.end(), other, match.start() + 1) for other in others]
    seen: set[str] = {text}
    for slip in sorted(found, key=lambda s: (s.start, s.end)):
        made = text[: slip.start] + slip.instead + text[slip.end :]
        if made not in seen:
            seen.add(made)
            yield slip


def _pairs() -> dict[str, str]:
    """The replacement of each token."""
    rows = OPERATIONS.values()
    return _PAIRS | {row.written: OPERATIONS[row.slip].written for row in rows if row.slip}


def _stripped(text: str) -> str:
    """The text without trailing citations."""
    return re.sub(r"\s*\[[A-Z0-9][^\]]*\]\s*$", "", text.rstrip())


def _numbers(body: str) -> Iterator[Slip]:
    for match in _NUMBER.finditer(body):
        number, (start, end) = int(match.group(2)), match.span(2)
        if body[start - 1 : start] == ".":  # part of a path
            continue
        steps: tuple[int, ...] = (number - 1, number + 1)
        if match.group(1) and number in _DICE:
            at = _DICE.index(number)
            steps = _DICE[max(0, at - 1) : at] + _DICE[at + 1 : at + 2]
        for other in steps:
            if other >= 0:
                yield Slip(start, end, str(other))
        if match.group(1) and match.group(1) != "d":
            dice = int(match.group(1)[:-1])
            for other in (dice - 1, dice + 1):
                yield Slip(match.start(1), match.end(1) - 1, str(other))


def _signs(body: str, pairs: dict[str, str]) -> Iterator[Slip]:
    for match in _SIGN.finditer(body):
        yield Slip(match.start(), match.end(), pairs[match.group()])
    for match in re.finditer(r"(?<= )(>=|<=|[<>=*/+-])(?= )", body):
        yield Slip(match.start(), match.end(), pairs[match.group()])


def _words(body: str, pairs: dict[str, str]) -> Iterator[Slip]:
    for match in _NAME.finditer(body):
        if match.group() in pairs and body[match.end() : match.end() + 5] != " none":
            yield Slip(match.start(), match.end(), pairs[match.group()])
    for pattern, instead in _WORDS:
        for match in re.finditer(pattern, body):
            yield Slip(match.start(), match.end(), instead)


def _left_out(body: str) -> Iterator[Slip]:
    for pattern in _PARTS:
        for match in re.finditer(pattern, body):
            yield Slip(match.start(), match.end(), "")
