"""A first house rule: the most frequent edits, each worded for the base set.

Takes a checked rule set, a name, and the wanted edits. Gives the text of a supplement that checks clean, with one
example that passes; other edits are commented out. The wording of an edit is data in `starting/house-rule.yaml`; every
name in it is taken from the book. Knows no word of a game, nor where the text is written.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import islice

from interpreter.document.nodes import Entry, Mapping, Scalar
from interpreter.rulebook.definitions import line_name
from interpreter.rulebook.symbols import Roll, RowDef, Table
from interpreter.source import Problems
from interpreter.source.values import Struct, replace

from .answers import Answer
from .bands import answer_situation
from .flat import row_text, yaml_text
from .reading import with_lines
from .rule_sets import RuleSet
from .running import run
from .samples import Sample, free, names_of, samples_of
from .starting import fill_placeholders, page_form, page_head, titled

EDITS = ("number", "row", "modifier", "step", "reading")
Words = dict[str, str]  # values for the placeholders of `starting/house-rule.yaml`
_SAMPLES = 10  # examples to choose the best of
_SHORT = 64  # the longest line that fits on the page twice
_THROWS = re.compile(r" (passing|failing|meeting) ")
_TRIES = 12  # attempts per sort of edit


class Edit(Struct):
    """One change of the base: its remarks, its heading, the lines below that, and the address `path` that it sets."""

    sort: str
    remarks: tuple[str, ...]
    heading: str
    lines: tuple[str, ...]
    path: str = ""

    def text(self) -> list[str]:
        return [f"{self.heading}:", *(f"  {line}" for line in self.lines)]


class Sketch(Struct):
    """A drafted supplement. `without` are the sorts of edits that do not apply to this base."""

    text: str
    edits: tuple[Edit, ...]
    without: tuple[str, ...]
    example: bool


def house_rule(base: RuleSet, name: str, wanted: Iterable[str] = ("number",), file: str = "") -> Sketch:
    """The text of a supplement called `name` over `base`, with the edits that are `wanted` (of `EDITS`) active. `file`
    is its file name.
    """
    return _Author(base, name, file or f"{name}.yaml").sketch(frozenset(wanted))


class _Author:
    def __init__(self, base: RuleSet, name: str, file: str) -> None:
        self.base = base
        self.name = name
        self.file = file
        self.taken = names_of(base)
        self.example = self._free("with-our-rules")
        self.sample: Sample | None = None
        self.sample, self.before = self._sample()

    # ---- the page
    def sketch(self, wanted: frozenset[str]) -> Sketch:
        edits = self._edits()
        wanted = wanted & {e.sort for e in edits} or frozenset(e.sort for e in edits[:1])
        active = [e for e in edits if e.sort in wanted]
        after = self._odds(active)[0] if self.sample is not None else None
        text = "\n".join(self._page(edits, active, after)) + "\n"
        return Sketch(text, edits, tuple(s for s in EDITS if s not in {e.sort for e in edits}), after is not None)

    def _page(self, edits: Sequence[Edit], active: Sequence[Edit], after: Fraction | None) -> Iterator[str]:
        remarks = (
            f"House rules, laid over {self.base.title}. That set itself stays as it is.",
            "",
            "Remarks begin with two signs. A line that begins with one is a rule that is switched off: take the",
            "sign and the blank behind it away, from its heading down to the next empty line, and it holds. Then:",
        )
        yield from page_head(remarks, self.file, self.base.name, "what there is to change")
        yield f"game: {titled(self.name)}"
        yield f"over: {self.base.name}"
        yield "about: what we play otherwise"
        for number, edit in enumerate(edits, 1):
            yield ""
            first, *more = edit.remarks
            yield f"## {number}. {first}"
            yield from (f"##    {line}" for line in more)
            sign = "" if edit in active else "# "
            yield from (f"{sign}{line}" for line in edit.text())
        yield ""
        if after is not None and self.sample is not None:
            yield "## An example of it. When you switch on what bears on it, `umpire test` tells what it comes to then."
            if self.before is not None and self.before != after:
                yield f"## Without this file it is {self.before}."
            yield from self._example(self.sample, after)
        else:
            yield "## An example: things, what is done (`do:`), and what then holds, or odds. This one only shows that"
            yield "## the file is read; `umpire explain X005` has a whole one."
            yield from self._bare()

    def _example(self, sample: Sample, odds: Fraction) -> Iterator[str]:
        yield "An example:"
        yield f"  example {self.example}:"
        yield from (f"    {line}" for line in sample.lines)
        asked = f"odds: {odds.numerator}/{odds.denominator} {sample.ask}"
        yield f"    {asked:<38}  # {float(odds):.4g}" if odds.denominator > 1 else f"    {asked}"

    def _bare(self) -> Iterator[str]:
        ours = self._free("our-rule")
        yield "An example:"
        yield f"  ruling {ours}: 1, or 2"
        yield f"  example {self.example}:"
        yield f"    then: {ours} = 1"

    # ---- attempts
    def _opened(self, parts: Iterable[Edit], example: Iterable[str] = ()) -> RuleSet | None:
        """The base with these edits, or None with problems."""
        lines = [f"game: {self.name}", f"over: {self.base.name}", *(x for e in parts for x in e.text()), *example]
        return with_lines(self.base, self.name, lines, laid=True)

    def _odds(self, parts: Iterable[Edit], sample: Sample | None = None) -> tuple[Fraction | None, RuleSet | None]:
        """The exact odds of the example with some edits, None if a choice is open; and the rules with them."""
        sample = sample or self.sample
        assert sample is not None
        made = self._opened(parts, self._example(sample, Fraction(1)))
        body = made.book.pages.examples[-1].body if made is not None else None
        answer = answer_situation(made, body, Problems()) if made is not None and isinstance(body, Mapping) else None
        bounds = answer.bounds(0) if isinstance(answer, Answer) else None
        return (bounds[0] if bounds is not None else None), made

    def _sample(self) -> tuple[Sample | None, Fraction | None]:
        """The example to show: its odds are known, and it preferably runs a roll and a step that can be changed."""
        best: tuple[Sample | None, Fraction | None] = None, None
        most = -1
        for sample in islice(samples_of(self.base), _SAMPLES):
            for asked in sample.simplest():
                odds, made = self._odds((), asked)
                if odds is None or made is None:
                    continue
                met = {line.split(".")[0] for line in run(made, sample.example, alone=False).lines}
                self.sample = replace(asked, met=frozenset(met))
                rolls, steps = self._rolls()[:1], next(self._counts(), None)
                worth = sum((any(r.name in met for r in rolls), steps is not None and steps[0] in met))
                if worth > most:
                    best, most = (self.sample, odds), worth
                break
            if most == 2:
                break
        return best

    def _edits(self) -> tuple[Edit, ...]:
        """The first edit of each sort that checks clean. All are checked together first, which mostly succeeds."""
        sorts = (self._numbers(), self._more_rows(), self._modifiers(), self._steps(), self._readings())
        words = {"set": self.base.name.replace(" ", "")}
        ways = {
            sort: [_made(sort, words | own) for own in islice(each, _TRIES)]
            for sort, each in zip(EDITS, sorts, strict=True)
        }
        found = [w[0] for w in ways.values() if w]
        if self._opened(found) is None:
            found = [e for w in ways.values() if (e := next((e for e in w if self._opened([e])), None))]
        telling = self._telling(ways["number"]) if self.sample is not None else None
        return tuple(telling if telling and e.sort == "number" else e for e in found)

    def _telling(self, numbers: Sequence[Edit]) -> Edit | None:
        """The first change of a number that changes the odds of the example."""
        return next((e for e in numbers if (odds := self._odds([e])[0]) is not None and odds != self.before), None)

    # ---- candidates for the five sorts of edits
    def _numbers(self) -> Iterator[Words]:
        for table, row in self._rows():
            for column, place in row.cell_places.items():
                new = _other(place.text)
                if new is not None and column in table.columns:
                    path = f"{table.name}.{row.name}.{column}"
                    yield {"table": table.name, "path": path, "value": _instead(new, place.text)}

    def _more_rows(self) -> Iterator[Words]:
        for table, row in self._rows():
            yield {
                "table": table.name,
                "columns": ", ".join(table.columns) or "none",
                "row": row.name,
                "name": self._free(f"our-{row.name}"),
                "value": yaml_text(row_text(table, row)),
            }

    def _modifiers(self) -> Iterator[Words]:
        name = self._free("practised")
        for roll in self._rolls():
            if roll.subject is not None and roll.convention is not None:
                helps = f"{'roll' if roll.convention.over else 'needs'} +1 if {name}"
                yield {"roll": roll.name, "subject": roll.subject.name, "name": name, "value": helps}

    def _steps(self) -> Iterator[Words]:
        convention = next(iter(self.base.book.conventions.values()), None)
        roll, spared = self._free("our-luck"), self._free("spared")
        for procedure, (*path, line), text, counted in self._counts():
            subject = self.base.book.procedures[procedure].subject
            if subject is None or convention is None:
                continue
            alone = re.compile(rf"(?<![\w.-]){re.escape(counted)}(?![\w.(-])")
            yield {
                "procedure": procedure,
                "where": ".".join((procedure, *path)),
                "line": line,
                "roll": roll,
                "subject": subject.name,
                "best": f"{convention.sides}+" if convention.over else "1",
                "spared": spared,
                "passing": yaml_text(f"{counted} passing {roll}"),
                "value": _instead(alone.sub(f"({counted} - {spared})", text, count=1), text),
            }

    def _readings(self) -> Iterator[Words]:
        name = self._free("our-reading")
        for definition, path, text in self._met_lines():
            for found in re.finditer(r"(?<![\w.\"'/*-])\d+\"?(?![\w+.\"/-])", text):
                said = found.group()
                if said in ("0", '0"'):
                    continue
                more = str(int(said.rstrip('"')) + 1) + ('"' if said.endswith('"') else "")
                value = _instead(text[: found.start()] + name + text[found.end() :], text)
                yield {"name": name, "said": said, "more": more, "where": ".".join((definition, *path)), "value": value}

    # ---- parts of the book
    def _rows(self) -> Iterator[tuple[Table, RowDef]]:
        """The rows to show: first those that the example mentions, of the largest table first; then all others."""
        tables = [t for t in self.base.book.tables.values() if t.name not in self.base.book.procedures and t.columns]
        tables.sort(key=lambda t: -len(t.rows))
        said = self.sample.words if self.sample is not None else ()
        spoken = [(t, t.rows[w]) for t in tables for w in said if w in t.rows]
        yield from spoken
        yield from ((t, row) for t in tables for row in t.rows.values() if (t, row) not in spoken)

    def _rolls(self) -> list[Roll]:
        bodied = [r for r in self.base.book.rolls.values() if isinstance(r.body, Mapping)]
        return sorted(bodied, key=lambda r: r.name not in self._met())

    def _met(self) -> frozenset[str]:
        return self.sample.met if self.sample is not None else frozenset()

    def _lines(self, names: Container[str]) -> Iterator[tuple[str, tuple[str, ...], str]]:
        """The short one-line texts of some definitions, as (definition, path, text)."""
        for d in self.base.definitions:
            if d.title.name.text not in names or d.title.what == "outcomes":
                continue
            for path, entries in _blocks([e for e, _ in d.entries]):
                for entry in entries:
                    text = _said(entry)
                    if text is not None and len(text) <= _SHORT:
                        yield d.title.name.text, (*path, line_name(entry.key.text)), text

    def _counts(self) -> Iterator[tuple[str, tuple[str, ...], str, str]]:
        """Lines that use a count of an earlier line, as (procedure, path, text, name of the count). Those that the
        example runs come first, and those that roll again.
        """
        lines = list(self._lines(self.base.book.procedures))
        counted = {path[-1] for _, path, text in lines if _THROWS.search(text)}
        known = {
            d.title.name.text: {line_name(e.key.text) for _, es in _blocks([e for e, _ in d.entries]) for e in es}
            for d in self.base.definitions
        }
        said = self.sample.words if self.sample is not None else ()
        asked = re.split(r"[ .]", self.sample.ask)[-1] if self.sample is not None else ""

        def rank(line: tuple[str, tuple[str, ...], str]) -> tuple[bool, bool, bool, bool, int]:
            name, _, text = line
            called = {f"{name}s", f"{name}es", f"{name[:-1]}ies"} & set(said)
            found = not called, name not in self._met(), asked not in known[name], not _THROWS.search(text)
            return *found, -lines.index(line)  # the last use, so that no later line uses the unchanged count

        for name, path, text in sorted(lines, key=rank):
            for word in re.findall(r"(?<![\w.-])[a-z][\w-]*(?:\.[a-z][\w-]*)*(?![\w(-])", text):
                parts = word.split(".")
                if parts[0] in known[name] and parts[-1] in counted:
                    yield name, path, text, word

    def _met_lines(self) -> Iterator[tuple[str, tuple[str, ...], str]]:
        """All lines: first of definitions that the example runs, and of values and rolls before procedures."""
        book = self.base.book
        pure = {*book.rolls, *book.values}
        lines = self._lines(pure | set(book.procedures))
        yield from sorted(lines, key=lambda x: (x[0] not in self._met(), x[0] not in pure))

    def _free(self, name: str) -> str:
        return free(name, self.taken)


def _made(sort: str, words: Words) -> Edit:
    form = page_form("house-rule.yaml").get(sort)
    assert isinstance(form, Mapping)
    said = {e.key.text: fill_placeholders(e.value.text, words).rstrip() for e in form if isinstance(e.value, Scalar)}
    remarks, lines = (tuple(said[each].split("\n")) for each in ("remarks", "lines"))
    return Edit(sort, remarks, said["heading"], lines, words.get("path", ""))


def _instead(new: str, was: str) -> str:
    return yaml_text(f"{new}, was {was}")


def _other(text: str) -> str | None:
    """A number close to that of a cell: 1 → 2, 4+ → 3+, 6" → 8"."""
    found = re.fullmatch(r"(\d+)(\+|\"|)", text)
    if found is None:
        return None
    number, sign = int(found[1]), found[2]
    if sign == "+":
        return f"{number - 1}+" if number > 2 else f"{number + 1}+"
    return f'{number + 2}"' if sign else str(number + 1)


def _said(entry: Entry) -> str | None:
    """The text of a line without its citations."""
    return entry.value.text.split(" [")[0].strip() if isinstance(entry.value, Scalar) and entry.value.text else None


def _blocks(entries: Sequence[Entry], path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Sequence[Entry]]]:
    """Every block of sibling lines, with its path."""
    yield path, entries
    for entry in entries:
        if isinstance(entry.value, Mapping):
            yield from _blocks(entry.value.entries, (*path, line_name(entry.key.text)))
