"""The hover text of a name: what it is, its type and value, its origin, and its clauses.

Takes an analysis and an offset. Gives a span and Markdown. Knows nothing of odds.
"""

from __future__ import annotations

import os

from interpreter.document.shape import RULE_FILE, SITUATION, schema
from interpreter.rulebook.symbols import Attribute, Column, Fact, Holding, Kind, Limit, Roll, RowDef, Table, Value
from interpreter.source import Problems, Span
from interpreter.source.values import Struct
from interpreter.workbench.rule_sets import RuleSet, register
from interpreter.workbench.why import why

from .analysis import Analysis
from .markdown import code, prose
from .meanings import Meaning
from .occurrences import Occurrence

_MANY = 6  # most lines of a history, cells of a row, clauses
_WORDS = {"name": "a name of this definition", "thing": "one thing of this situation", "dice": "a convention of dice"}


class Hover(Struct):
    """The hover text of a name or key, in Markdown, and the span that it is about."""

    span: Span
    text: str


def hover(analysis: Analysis, offset: int) -> Hover | None:
    """The hover text at an offset; None if there is none."""
    if analysis.index is None or analysis.rules is None:
        return _of_key(analysis, offset)
    found = analysis.index.at(analysis.source.name, offset)
    if found is None:
        return _of_key(analysis, offset)
    parts = [_told(analysis.rules, meaning, found) for meaning in found.meanings[:3]]
    if len(found.meanings) > 1:
        parts.insert(0, "It may be:")
    return Hover(found.span, "\n\n".join(parts))


def _told(rules: RuleSet, meaning: Meaning, found: Occurrence) -> str:
    if meaning.what == "clause":
        return _clauses(rules, (meaning.name,)) or f"the clause {code(meaning.name)}, which no register has"
    what = _WORDS.get(meaning.what, meaning.what)
    lines = [f"**{what}** {code(meaning.path if meaning.what not in ('name', 'thing') else meaning.name)}"]
    type_ = _type(meaning, found)
    if type_:
        lines[0] += f": {prose(type_)}"
    lines += _inside(meaning)
    said = why(rules, meaning.path, Problems()) if meaning.what not in ("name", "thing", "column") else None
    if said is not None:
        if said.now is not None:
            lines.append(f"now {code(said.now)}")
        for origin in said.origins[:_MANY]:
            lines.append(f"- {code(f'{os.path.basename(origin.file)}:{origin.row}')} {origin.what} {code(origin.text)}")
        lines.append(_clauses(rules, tuple(said.clauses)))
    elif meaning.where is not None:
        source = meaning.where.source
        row = meaning.where.place[0]
        lines.append(f"- {code(f'{os.path.basename(source.name)}:{row}')} says {code(source.line(row))}")
        lines.append(_clauses(rules, getattr(meaning.symbol, "cites", ())))
    return "\n\n".join(line for line in (lines[0], "\n".join(lines[1:-1]), lines[-1] if len(lines) > 1 else "") if line)


def _type(meaning: Meaning, found: Occurrence) -> str:
    match meaning.symbol:
        case Attribute() | Fact() | Column():
            own = meaning.symbol.type.words()
            low, high = getattr(meaning.symbol, "low", None), getattr(meaning.symbol, "high", None)
            return own + (f", {low} to {high}" if low is not None else "")
        case Kind() if meaning.what == "thing":
            return f"a {meaning.symbol.name}"
        case Kind() | Table() | RowDef():
            return ""
        case _:
            return found.type.words() if found.type is not None and found.type.name != "any" else ""


def _inside(meaning: Meaning) -> list[str]:
    match meaning.symbol:
        case RowDef():
            cells = [(name, place.text) for name, place in meaning.symbol.cell_places.items()][:_MANY]
            return [", ".join(f"{name} {code(text)}" for name, text in cells)] if cells else []
        case Table():
            columns = ", ".join(code(name) for name in (*meaning.symbol.columns, *meaning.symbol.marks))
            return [f"{len(meaning.symbol.rows)} rows" + (f"; columns {columns}" if columns else "")]
        case Kind() if meaning.what == "kind":
            names = [code(a.name) for a in meaning.symbol.all_attributes()]
            return [f"on its card: {', '.join(names[:24])}"] if names else []
        case Value() | Roll() | Holding() | Limit() if meaning.symbol.params:
            return ["of " + ", ".join(f"{code(p.name)} ({p.type.words()})" for p in meaning.symbol.params)]
        case _:
            return []


def _clauses(rules: RuleSet, ids: tuple[str, ...]) -> str:
    known = {clause: said for sheet in rules.sheets for clause, said in register(sheet).items()}
    listed = [known[each] for each in ids if each in known][:_MANY]
    return "\n".join(f"> **{each.id}** {prose(each.says)}  " for each in listed)


def _of_key(analysis: Analysis, offset: int) -> Hover | None:
    """The hover text of a key in the head of a file: its description in the schema."""
    root = analysis.root
    entry = next((e for e in root or () if e.key.span.start <= offset <= e.key.span.end), None)
    if root is None or entry is None:
        return None
    kind = RULE_FILE if root.get("game") is not None else SITUATION
    said = schema(kind).get("properties", {}).get(entry.key.text, {}).get("description")
    return Hover(entry.key.span, prose(said)) if isinstance(said, str) else None
