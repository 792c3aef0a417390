"""What stands between `<` and `>`: several values in place of a part of a text, or the name of some.

Enters: the texts of a situation that hold brackets. Leaves: axes, and the brackets on them. Knows nothing of what the
words mean.

`<shooters = 1 to 12>` has a name, and `<shooters>` is the same again wherever it stands; `<all weapons>` is every row
of a table. The brackets stand tight around what is in them.
"""

from __future__ import annotations

import re
from fractions import Fraction

from interpreter.source import Fix, Label, Problems, Span, nearest
from interpreter.source.digits import exactly

from .alternatives import MOST, Axis, Bracket, Rows
from .nodes import Scalar

_COMPARING = ("do", "choose")  # where a `<` may compare too
BRACKETS = re.compile(r"<([^\s<>=](?:[^<>]*[^\s<>])?)>")
_OPENED = re.compile(r"<(?![\s<>=])")
_NAMED = re.compile(r"([a-z][a-z0-9-]*)\s*([=:])\s*")
_RANGE = re.compile(r'([+-]?\d+(?:\.\d+)?)("?)\s+to\s+([+-]?\d+(?:\.\d+)?)("?)(?:\s+by\s+(\d+(?:\.\d+)?)"?)?')
_ALL = re.compile(r"all\s+([a-z][a-z0-9-]*)")
_WORD = re.compile(r"[a-z][a-z0-9-]*")
_BEFORE = re.compile(r"([a-z][a-z0-9.-]*)\s*(?:\([^()]*\))?\s*(?:is\s+|=\s*)?$")
_AFTER = re.compile(r'"?\s*([a-z][a-z0-9-]*)')


def first_in(scalar: Scalar, key: str) -> Span | None:
    """Where the first of a text stand."""
    for found in BRACKETS.finditer(scalar.text):
        if key not in _COMPARING or _written(found[1]) or _WORD.fullmatch(found[1]):
            return scalar.at(found.start(), found.end())
    return None


class Reading:
    """Brackets as they are read: names may be used before the place where their values stand."""

    def __init__(self, problems: Problems, rows: Rows) -> None:
        self.problems, self.rows = problems, rows
        self.axes: list[Axis] = []
        self.brackets: list[Bracket] = []
        self.named: dict[str, int] = {}
        self.places: dict[str, Span] = {}
        self.uses: list[tuple[int, Scalar, int, int]] = []

    def note(self, whose: str, scalar: Scalar, key: str) -> None:
        text, compares, done = scalar.text, key in _COMPARING, key == "do"
        end = 0
        for found in BRACKETS.finditer(text):
            self._unclosed(scalar, end, found.start(), compares)
            end = found.end()
            said = found[1]
            named = _NAMED.match(said)
            inner = said[named.end() :] if named else said
            one = not _written(said)
            if one and compares and not _WORD.fullmatch(said):
                continue  # `if hits <2 and misses >1`
            if one:
                self.uses.append((len(self.brackets), scalar, found.start(), found.end()))
                self.brackets.append(Bracket(scalar, found.start(), found.end(), -1, (), done))
                continue
            if named and named[2] == ":":
                at = found.start() + 1 + named.start(2)
                fix = Fix(scalar.at(found.start() + 1 + named.end(1), at + 1), " =", True, "write `=`")
                hint = f"`<{named[1]} = {inner}>`; a colon means something else to YAML"
                self.problems.add("G006", scalar.at(at, at + 1), hint=hint, fix=fix)
            if named and named[1] in self.named:
                other = Label(self.places[named[1]], "first here")
                span = scalar.at(found.start(), found.end())
                hint = f"`<{named[1]}>` is the same again; other alternatives need another name"
                self.problems.add("G004", span, name=named[1], others=[other], hint=hint)
                continue
            if named:
                self.named[named[1]] = len(self.axes)
                self.places[named[1]] = scalar.at(found.start(), found.end())
            parts = self._parts(scalar, found.end(1) - len(inner), found.end(1))
            self.brackets.append(Bracket(scalar, found.start(), found.end(), len(self.axes), tuple(parts), done))
            name = named[1] if named else self._called(whose, text[: found.start()], text[found.end() :])
            sign = '"' if text[found.end() : found.end() + 1] == '"' else ""
            self.axes.append(Axis(name, tuple(part.text + sign for part in parts)))
        self._unclosed(scalar, end, len(text), compares)

    def _unclosed(self, scalar: Scalar, start: int, end: int, compares: bool) -> None:
        opened = None if compares else _OPENED.search(scalar.text, start, end)
        if opened is not None:
            at = opened.start()
            hint = "alternatives stand between `<` and `>`, with no blank inside of either: `<6, 12, 24>`"
            if scalar.style == "plain" and scalar.span.source.text[scalar.span.end :].lstrip()[:1] == ",":
                hint = "inside of […] or {…} a comma ends a text: put quotes around it, or give it a line of its own"
            self.problems.add("G001", scalar.at(at, at + 1), hint=hint)

    def _called(self, whose: str, before: str, after: str) -> str:
        """What alternatives without a name are called: by the word before them, else the one behind."""
        word = _BEFORE.search(before) or _AFTER.match(after)
        name = " ".join(part for part in (whose, word[1] if word else "") if part) or "alternatives"
        taken = {axis.name for axis in self.axes} | set(self.named)
        return next(n for n in (name, *(f"{name} {i}" for i in range(2, 1_000))) if n not in taken)

    def _parts(self, scalar: Scalar, start: int, end: int) -> list[Scalar]:
        """The values that stand between two places of a text."""
        found: list[Scalar] = []
        at = start
        for said in scalar.text[start:end].split(","):
            left = at + len(said) - len(said.lstrip())
            right = left + len(said.strip())
            at += len(said) + 1
            span = scalar.at(left, max(right, left))
            ranged, every = _RANGE.fullmatch(said.strip()), _ALL.fullmatch(said.strip())
            if not said.strip():
                comma = at - 1 if at <= end else left - 1
                self.problems.add("G003", scalar.at(comma, comma + 1), why="something is missing beside this comma")
            elif every is not None:
                rows = self.rows(every[1])
                if not rows:
                    hint = "`all` goes with a table of the rules: `umpire show RULES` lists them"
                    place = scalar.at(right - len(every[1]), right)
                    self.problems.add("N001", place, what="table with rows", name=every[1], hint=hint)
                found += [scalar.part(left, right).with_text(0, right - left, row) for row in rows or ()]
            elif ranged is not None:
                found += [scalar.part(left, right).with_text(0, right - left, n) for n in self._range(ranged, span)]
            else:
                found.append(scalar.part(left, right))
        return found

    def _range(self, said: re.Match[str], span: Span) -> list[str]:
        low, high, step = Fraction(said[1]), Fraction(said[3]), Fraction(said[5] or 1)
        if low >= high or not step:
            hint = f"from the least to the greatest: `{said[3]} to {said[1]}`" if low > high else None
            self.problems.add("G003", span, why="there is nothing from the one to the other", hint=hint)
            return []
        count = (high - low) // step + 1
        if count > MOST:
            self.problems.add("G005", span, count=f"{count:,}", most=f"{MOST:,}", hint="take wider steps: `by 10`")
            return []
        sign = '"' if said[2] or said[4] else ""
        return [exactly(low + i * step) + sign for i in range(count)]

    def settle(self) -> None:
        """Names used again, now that all are known."""
        for index, scalar, start, end in self.uses:
            name = scalar.text[start + 1 : end - 1]
            axis = self.named.get(name)
            if axis is None:
                close = nearest(name, self.named)
                hint = f"did you mean `<{close[0]}>`?" if close else "several: `<6, 12>`, `<1 to 12>`; one: no brackets"
                self.problems.add("G002", scalar.at(start + 1, end - 1), name=name, hint=hint)
                continue
            part = scalar.part(start, end)
            values = next(s.parts for s in self.brackets if s.axis == axis)
            parts = tuple(part.with_text(0, end - start, value.text) for value in values)
            self.brackets[index] = Bracket(scalar, start, end, axis, parts, self.brackets[index].done)


def _written(said: str) -> bool:
    """Whether values stand here, rather than the name of some."""
    return bool("," in said or _NAMED.match(said) or _RANGE.fullmatch(said) or _ALL.fullmatch(said))
