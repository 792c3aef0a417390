"""Drafts a rule set like another one: its headings, and under each its tables, to fill in new numbers.

Takes a checked rule set, and a name. Gives the text of a rule file that extends it and changes nothing yet; its rolls
are commented out. Knows no word of a game, nor where the text is written.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from interpreter.document.nodes import Scalar
from interpreter.rulebook.definitions import Definition, line_name
from interpreter.source.values import Struct

from .flat import remark_of, row_text, yaml_text
from .questionnaire import Drafted, with_odds
from .reading import with_lines
from .rule_sets import RuleSet
from .samples import free, names_of, samples_of
from .starting import page_head, titled


class _Part(Struct):
    """The part of a heading's `change:` for one definition; it is commented out unless `on`."""

    heading: str
    remark: str
    lines: tuple[str, ...]
    on: bool


def draft_like(base: RuleSet, name: str, file: str = "") -> Drafted:
    """The text of a rule set called `name` that starts out equal to `base`; `file` is its file name."""
    parts = list(_parts(base))
    if not _clean(base, name, parts):  # leave out definitions that cannot be restated
        parts = [p for p in parts if _clean(base, name, [p])]
    head = list(_head(base, name, file or f"{name}.yaml"))
    body = list(_body(parts))
    taken = names_of(base)
    name_of_it, ours = free("as-it-was", taken), free("our-rule", taken)
    for sample in (asked for whole in samples_of(base)[:3] for asked in whole.simplest()):
        example = ["", "An Example:", f"  example {name_of_it}:", *(f"    {x}" for x in sample.lines)]
        text = "\n".join([*head, *body, *example, f"    odds: 1/1 {sample.ask}"]) + "\n"
        drafted = with_odds(base, name, text)
        if not len(drafted.problems):
            return drafted
    remark = (
        "  ## Things, what is done (`do:`), and what then holds, or odds. This one only shows that the file is read."
    )
    bare = ["", "An Example:", remark, f"  ruling {ours}: 1, or 2", f"  example {name_of_it}:", f"    then: {ours} = 1"]
    return with_odds(base, name, "\n".join([*head, *body, *bare]) + "\n")


def _head(base: RuleSet, name: str, file: str) -> Iterator[str]:
    remarks = (
        f"{titled(name)}: a rule set of its own, that begins as {base.title} is.",
        "",
        "The headings are those of that set, and under each stand its tables: change what you want.",
        "What you never change may go from this file. A roll stands behind a single sign: to have it otherwise,",
        "take the sign and the blank behind it away. All else holds as it is there, until you say otherwise:",
    )
    yield from page_head(remarks, file, base.name, "the page that this one builds on")
    yield f"game: {titled(name)}"
    yield f"extends: {base.name}"
    about = f"like {base.name.replace(' ', '')}, with numbers of our own"
    yield f"about: {yaml_text(about)}"


def _body(parts: Sequence[_Part]) -> Iterator[str]:
    for heading in dict.fromkeys(p.heading for p in parts):
        mine = [p for p in parts if p.heading == heading]
        sign = "" if any(p.on for p in mine) else "# "
        yield ""
        yield f"{sign}{yaml_text(heading)}:"
        yield f"{sign}  change:"
        for part in sorted(mine, key=lambda p: not p.on):
            yield f"    ## {part.remark}"
            yield from (f"{'' if part.on else '# '}    {line}" for line in part.lines)


def _parts(base: RuleSet) -> Iterator[_Part]:
    book = base.book
    for d in book.pages.definitions:
        name = d.title.name.text
        if d.title.what == "table" and name in book.tables and d.entries:
            table = book.tables[name]
            columns = ", ".join(f"{c.name} by {c.by}" if c.by else c.name for c in table.columns.values())
            marks = f"; marks: {', '.join(table.marks)}" if table.marks else ""
            yield _Part(d.heading, f"{columns or 'no columns'}{marks}", tuple(_rows(base, d)), True)
        elif d.title.what == "roll" and d.entries:
            yield _Part(d.heading, f"the roll `{name}`", tuple(_lines(d)), False)


def _rows(base: RuleSet, d: Definition) -> Iterator[str]:
    table = base.book.tables[d.title.name.text]
    remarks = {line_name(e.key.text): remark_of(e.value.span) for e, _ in d.entries if isinstance(e.value, Scalar)}
    yield f"{table.name}:"
    for row in table.rows.values():
        line = f"  {row.name}: {yaml_text(row_text(table, row))}"
        yield f"{line:<46}  # {remarks[row.name]}" if remarks.get(row.name) else line


def _lines(d: Definition) -> Iterator[str]:
    yield f"{d.title.name.text}:"
    for entry, _ in d.entries:
        if isinstance(entry.value, Scalar):
            yield f"  {yaml_text(line_name(entry.key.text))}: {yaml_text(entry.value.text.split(' [')[0].strip())}"


def _clean(base: RuleSet, name: str, parts: Sequence[_Part]) -> bool:
    """Whether these parts have no problems, including those commented out."""
    lines = [f"game: {name}", f"extends: {base.name}", *(["change:"] if parts else [])]
    lines += [f"  {line}" for part in parts for line in part.lines]
    return with_lines(base, name, lines, laid=False) is not None
