"""`umpire show`, `why` and `flat`: a rule set as a printed page, the origins of a value, and the whole set as one file.

Takes a rule set, and a name or a path in it. Prints tables in printed form, or lines with their source positions.
"""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import fill

from interpreter.places import shipped
from interpreter.source import Problems
from interpreter.source.nearest import did_you_mean
from interpreter.surfaces.as_json import Json, fields
from interpreter.workbench.flat import flat as flattened
from interpreter.workbench.pages import Grid, Line, grid, headings, known_names, lines, tables_with
from interpreter.workbench.rule_sets import RuleSet
from interpreter.workbench.rules import open_rules
from interpreter.workbench.why import Why
from interpreter.workbench.why import why as origins

from .commands import argument, command
from .options import json_option
from .scenes import opened
from .terminal import aligned, answer, nearby, paint, refuse, say, width

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
    "moment": "moments",
    "ruling": "rulings",
    "policy": "policies",
}


# ---- umpire show
@command()
@argument("rules")
@argument("name", nargs="?")
def show(rules: str, name: str | None) -> None:
    """A rule set as a printed page: its tables, and by heading what else it defines."""
    found = opened(rules)
    for line in _page(found) if name is None else _one(found, name):
        say(line)


def _page(rules: RuleSet) -> Iterator[str]:
    yield paint(rules.title, "bold")
    for heading in headings(rules):
        yield ""
        yield paint(heading.name, "bold")
        for table in heading.tables:
            yield ""
            yield from _table(table)
        if heading.tables and heading.said:
            yield ""
        for what, names in heading.said:
            title = _TITLES.get(what, what)
            lead = f"  {title}: "
            text = fill(
                ", ".join(names), width() - 2, initial_indent=lead, subsequent_indent="    ", break_on_hyphens=False
            )
            yield text.replace(f"{title}:", paint(f"{title}:", "dim"), 1)


def _one(rules: RuleSet, name: str) -> Iterator[str]:
    found = lines(rules, name)
    if name in rules.book.tables:
        yield from _table(grid(rules, name))
        yield ""
        for part in found:
            first = part[0]
            yield paint(f"  {nearby(first.file)}:{first.row}", "dim")
        if name in rules.book.procedures:
            yield from _lines(found)
        return
    if found:
        yield from _lines(found)
        return
    held = tables_with(rules, name)
    if held:
        for i, table in enumerate(held):
            if i:
                yield ""
            yield from _table(grid(rules, table, only=name))
        return
    problems = Problems()
    hint = did_you_mean(name, known_names(rules), f"umpire show {rules.name}", limit=3)
    problems.add("N001", None, what="definition", name=name, hint=hint)
    refuse(problems)


def _lines(found: list[list[Line]]) -> Iterator[str]:
    places = [f"{nearby(line.file)}:{line.row}" for part in found for line in part]
    gutter = max((len(p) for p in places), default=0)
    for i, part in enumerate(found):
        if i:
            yield ""
        indent = min((len(x.text) - len(x.text.lstrip()) for x in part if x.text.strip()), default=0)
        for line in part:
            place = f"{nearby(line.file)}:{line.row}"
            yield paint(f"{place:>{gutter}} | ", "dim") + line.text[indent:].rstrip()


def _table(table: Grid) -> Iterator[str]:
    """An aligned table: numbers right-aligned, words left-aligned."""
    yield "  " + paint(table.name, "cool") + ("  " + paint(" ".join(table.clauses), "dim") if table.clauses else "")
    if not table.columns and all(len(row) == 1 for row in table.rows):
        yield "    " + ", ".join(row[0] for row in table.rows)
        return
    header = ("", *table.columns) if table.columns else ()
    rows = [*([header] if header else []), *table.rows]
    count = max((len(r) for r in rows), default=0)
    right = [i > 0 and _numbers([r[i] for r in table.rows if i < len(r)]) for i in range(count)]
    # Empty cells show a dash, except in a last column of words (marks).
    dashes = ["-" if i and (right[i] or i < count - 1) else "" for i in range(count)]
    filled = [[cell or dashes[i] for i, cell in enumerate(row)] for row in table.rows]
    lines = [f"    {line}" for line in aligned([*([header] if header else []), *filled], lambda i: right[i])]
    yield from [paint(lines[0], "dim"), *lines[1:]] if header else lines


def _numbers(cells: list[str]) -> bool:
    filled = [c for c in cells if c not in ("", "-")]
    return bool(filled) and all(c.lstrip("+-")[:1].isdigit() for c in filled)


# ---- umpire why
@command()
@argument("path")
@argument("rules", nargs="?")
@json_option
def why(path: str, rules: str | None, as_json: bool) -> None:
    """Every line that had a say in a value, a line or a whole definition, in the order they came to be.

    Without RULES, in each rule set that comes along and has it.
    """
    problems = Problems()
    histories: list[tuple[str, Why]] = []
    for name in [rules] if rules else shipped():
        missed = Problems()
        found_rules = open_rules(name, missed if rules is None else problems)
        found = origins(found_rules, path, missed) if found_rules is not None else None
        if found_rules is not None and found is not None:
            histories.append((found_rules.name, found))
        elif found_rules is not None and (
            not len(problems) or path.split(".")[0] not in str(next(iter(missed)).message)
        ):
            problems = missed  # keep the problems of the set that resolves most of the path
    if not histories:
        refuse(problems, as_json)
    answer(histories, as_json, _why_plain, _why_lines)
    if rules and problems.has_errors:  # report the errors after the answer
        refuse(problems)


def _why_plain(histories: list[tuple[str, Why]]) -> Json:
    return {
        "found": [
            {
                "rules": name,
                **fields(found, "path", "now"),
                "origins": [fields(each, "what", "file", "row", "text", "clauses") for each in found.origins],
                "clauses": found.clauses,
            }
            for name, found in histories
        ]
    }


def _why_lines(histories: list[tuple[str, Why]]) -> Iterator[str]:
    for name, found in histories:
        now = f" is {paint(found.now, 'bold')}" if found.now is not None else ""
        yield f"{paint(found.path, 'cool')}{now} in {name}"
        rows = [(o.what, f"{nearby(o.file)}:{o.row}", o.text) for o in found.origins]
        first, second = (max((len(r[i]) for r in rows), default=0) for i in (0, 1))
        for what, place, text in rows:
            yield f"  {what:<{first}}  {paint(f'{place:<{second}}', 'dim')}  {text}"
        for clause, says in found.clauses.items():
            yield paint(f"  {clause}: {says}", "dim")


# ---- umpire flat
@command()
@argument("rules")
def flat(rules: str) -> None:
    """One rule file that says what a whole stack says, each line with its origin as a remark."""
    found, problems = opened(rules), Problems()
    for name, place in found.book.history.private.items():
        problems.add("N021", place, name=name)
    if problems.has_errors:
        refuse(problems, False)
    say(flattened(found).rstrip("\n"))
