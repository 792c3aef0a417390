"""`umpire show`: a rule set as its printed page.

Enters: a rule set, and a name of it. Leaves: tables as a person would print them, or the lines that define
the name.
"""

from __future__ import annotations

import click

from interpreter.source import Problems
from interpreter.workbench.pages import Grid, Line, grid, headings, lines, nearest_names, table_of, tables_with
from interpreter.workbench.rules import RuleSet, open_rules

from .examples import Command
from .terminal import nearby, paint, refuse, say, width

_TITLES = {
    "kind": "kinds",
    "value": "values",
    "limit": "limits",
    "roll": "rolls",
    "mark": "marks",
    "fact": "facts",
    "dice": "dice",
    "procedure": "procedures",
    "rule": "rules",
    "ruling": "rulings",
    "policy": "policies",
}


@click.command(cls=Command)
@click.argument("rules")
@click.argument("name", required=False)
def show(rules: str, name: str | None) -> None:
    """A rule set as a printed page: its tables, and by heading what else it defines."""
    problems = Problems()
    opened = open_rules(rules, problems)
    if opened is None or problems.has_errors:
        refuse(problems, False)
    if name is None:
        _page(opened)
    else:
        _one(opened, name, problems)


def _page(rules: RuleSet) -> None:
    from textwrap import fill

    say(paint(rules.title, "bold"))
    for heading in headings(rules):
        say()
        say(paint(heading.name, "bold"))
        for table in heading.tables:
            say()
            _table(table)
        if heading.tables and heading.said:
            say()
        for what, names in heading.said:
            title = _TITLES.get(what, what)
            lead = f"  {title}: "
            text = fill(
                ", ".join(names), width() - 2, initial_indent=lead, subsequent_indent="    ", break_on_hyphens=False
            )
            say(text.replace(f"{title}:", paint(f"{title}:", "dim"), 1))


def _one(rules: RuleSet, name: str, problems: object) -> None:
    found = lines(rules, name)
    if table_of(rules, name) is not None:
        _table(grid(rules, name))
        say()
        for part in found:
            first = part[0]
            say(paint(f"  {nearby(first.file)}:{first.row}", "dim"))
        if name in rules.book.procedures:
            _lines(found)
        return
    if found:
        _lines(found)
        return
    held = tables_with(rules, name)
    if held:
        for i, table in enumerate(held):
            if i:
                say()
            _table(grid(rules, table, only=name))
        return
    assert isinstance(problems, Problems)
    close = nearest_names(rules, name)
    hint = "did you mean " + " or ".join(f"`{c}`" for c in close) + "?" if close else f"umpire show {rules.name}"
    problems.add("N001", None, what="definition", name=name, hint=hint)
    refuse(problems, False)


def _lines(found: list[list[Line]]) -> None:
    places = [f"{nearby(line.file)}:{line.row}" for part in found for line in part]
    gutter = max((len(p) for p in places), default=0)
    for i, part in enumerate(found):
        if i:
            say()
        indent = min((len(x.text) - len(x.text.lstrip()) for x in part if x.text.strip()), default=0)
        for line in part:
            place = f"{nearby(line.file)}:{line.row}"
            say(paint(f"{place:>{gutter}} | ", "dim") + line.text[indent:].rstrip())


def _table(table: Grid) -> None:
    """Columns aligned: numbers to the right, words to the left."""
    say("  " + paint(table.name, "cool") + ("  " + paint(" ".join(table.clauses), "dim") if table.clauses else ""))
    if not table.columns and all(len(row) == 1 for row in table.rows):
        say("    " + ", ".join(row[0] for row in table.rows))
        return
    header = ("", *table.columns) if table.columns else ()
    rows = [*([header] if header else []), *table.rows]
    count = max((len(r) for r in rows), default=0)
    widths = [max((len(r[i]) for r in rows if i < len(r)), default=0) for i in range(count)]
    right = [i > 0 and _numbers([r[i] for r in table.rows if i < len(r)]) for i in range(count)]
    for row in rows:
        cells = []
        for i, cell in enumerate(row):
            # An empty cell is a dash; that a row bears no mark, at the end, goes without saying.
            empty = "-" if row is not header and i and (right[i] or i < count - 1) else ""
            cells.append(_aligned(cell or empty, widths[i], right[i]))
        line = "    " + "  ".join(cells).rstrip()
        say(paint(line, "dim") if row is header else line)


def _aligned(cell: str, cells: int, right: bool) -> str:
    return f"{cell:>{cells}}" if right else f"{cell:<{cells}}"


def _numbers(cells: list[str]) -> bool:
    filled = [c for c in cells if c not in ("", "-")]
    return bool(filled) and all(c.lstrip("+-")[:1].isdigit() for c in filled)
