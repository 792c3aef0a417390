"""Mutants that may survive, listed in `tests/NAME.slips.yaml`: one address and one reason per line, read as allowances.

Takes a sheet with its mutants, or the path of such a file. Gives allowances, and a problem for each entry that cannot
be parsed or matches no mutant. Knows nothing of verdicts.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence

from interpreter import disk
from interpreter.document.allowance_comments import MOST_COMMENTS
from interpreter.document.nodes import Entry, Mapping, Scalar
from interpreter.document.nodes import Sequence as Items
from interpreter.places import SLIPS, is_shipped, normalized
from interpreter.source import CATALOGUE, PIECE, Allowance, Problems, Span, nearest
from interpreter.source.values import Struct
from interpreter.workbench.checked import Checked
from interpreter.workbench.examples import folder_beside
from interpreter.workbench.rule_sets import RuleSet
from interpreter.workbench.trees import read_tree

from .campaigns import CODE, hosts_of, mutants_of, sheet_of
from .mutant_selection import Narrowing
from .mutants import Mutant

_REASON = re.compile(r"because\s+(\S.*)")
_EXAMPLE = "`shoot.men.hits: (7 in place of 6) because no die shows 7`"
_ADDRESS = "it is a definition, or a line of one: `shoot`, `shoot.men.hits`"
_SHOWN = 3


class _Reason(Struct):
    """An entry of the file: mutants at one address that may survive; only those whose message contains one of
    `words`, or all if `words` is empty.
    """

    key: Scalar
    text: Scalar
    reason: str
    words: tuple[tuple[str, Span], ...]


def slips_file(rules: RuleSet, sheet: str) -> str:
    """The path of the file that lists the mutants of a sheet that may survive; the file need not exist."""
    own = next(each for each in rules.sheets if each.name == sheet)
    return os.path.join(folder_beside(own), f"{sheet}{SLIPS}")


def allow_listed(sets: Sequence[RuleSet], sheet: str, mutants: Sequence[Mutant], problems: Problems) -> Problems:
    """Add the allowances of the sheet's slips file to `problems`. Return the problems of that file itself."""
    path = slips_file(sets[0], sheet)
    own = Problems()
    root = read_tree(path, own) if disk.is_file(path) else None
    narrowing: Narrowing | None = None
    for reason in _reasons(root, own) if root is not None else ():
        narrowing = narrowing or Narrowing(sets, sheet, mutants)
        for allowance in _allowances(reason, narrowing, own):
            problems.allow(allowance)
    return own


def checked_slips(path: str) -> Checked:
    """Check a slips file, given its path."""
    problems = Problems()
    folder, own = os.path.split(normalized(path))
    sheet = own.removesuffix(SLIPS)
    beside = os.path.join(os.path.dirname(folder), f"{sheet}.yaml")
    name = beside if disk.is_file(beside) else sheet
    if name == sheet and not is_shipped(sheet):
        hint = f"it is named after a rule file in the folder above: {beside}"
        problems.add("F015", None, name=sheet, hint=hint)
        return Checked(path, "slips that may stay", problems.sorted())
    sets = hosts_of(name, problems)
    if not problems.has_errors and sets:
        problems = allow_listed(sets, sheet_of(name), mutants_of(sets, sheet_of(name)), Problems())
    return Checked(path, f"slips of {sheet} that may stay", problems.sorted())


def _reasons(root: Mapping, problems: Problems) -> Iterator[_Reason]:
    many = 0
    for entry in _entries(root, problems):
        texts = entry.value.items if isinstance(entry.value, Items) else (entry.value,)
        for text in texts:
            reason = _read(entry.key, text) if isinstance(text, Scalar) else None
            if reason is None:
                problems.add("A006", text.span if isinstance(text, Scalar) else entry.key.span, hint=f"say {_EXAMPLE}")
                continue
            many += 1
            if many > MOST_COMMENTS:
                hint = "a reason without words between parentheses stands for all slips of its line"
                problems.add("A005", entry.key.span, most=MOST_COMMENTS, hint=hint)
                return
            yield reason


def _entries(root: Mapping, problems: Problems) -> Iterator[Entry]:
    for entry in root:
        if entry.key.text == "slips" and isinstance(entry.value, Mapping):
            yield from entry.value
        else:
            hint = f"its one heading is `slips:`, and below it stands {_EXAMPLE}"
            problems.add("A006", entry.key.span, hint=hint)


def _read(key: Scalar, text: Scalar) -> _Reason | None:
    """Parse `(7 in place of 6; >= in place of >) because no die shows 7`; the part in parentheses is optional. None if
    it does not parse.
    """
    within, start, end = text.text.startswith("("), 0, 0
    if within:
        start, end = 1, text.text.find(") because ")
        if end < 0:
            return None
    why = _REASON.match(text.text, end + 2 if within else 0)
    pieces = re.finditer(PIECE, text.text[start:end])
    found = tuple((at[0], text.at(start + at.start(), start + at.end())) for at in pieces)
    if why is None or (within and not found):
        return None
    return _Reason(key, text, " ".join(why[1].split()), found)


def _allowances(reason: _Reason, narrowing: Narrowing, problems: Problems) -> Iterator[Allowance]:
    places = narrowing.places_of(reason.key.text)
    if not places:
        hint = narrowing.advice(reason.key.text) or _ADDRESS
        problems.add("A007", reason.key.span, wanted=f"`{reason.key.text}`", hint=hint)
        return
    scopes = tuple(place.span for place in places)
    here = [narrowing.mutants[n] for n in sorted(frozenset().union(*(place.held for place in places)))]
    messages = [(m, CATALOGUE[CODE].message.format(change=m.change)) for m in here]
    for words, at in reason.words or (("", reason.text.span),):
        made = Allowance(CODE, reason.reason, at, scopes, words)
        if any(made.holds_for(CODE, m.span, message, m.label, m.span.text) for m, message in messages):
            yield made
        else:
            wanted = f"{words} in `{reason.key.text}`" if words else f"`{reason.key.text}`"
            problems.add("A007", at, wanted=wanted, hint=_near(words, here))


def _near(words: str, here: Sequence[Mutant]) -> str:
    changes = list(dict.fromkeys(m.change.replace("`", "") for m in here))
    shown = nearest(words, changes) or changes[:_SHOWN]
    more = "" if len(shown) == len(changes) else ", and others"
    return f"what can slip there is: {'; '.join(shown)}{more}" if shown else "nothing can slip there"
