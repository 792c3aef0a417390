"""Texts outside files as located trees: each is a source of its own, so that a problem can refer to `argument 2`.

Takes short texts. Gives scalars and mappings as a file would. Knows nothing of their meaning.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from interpreter.document.nodes import Entry, Mapping, Node, Piece, Scalar
from interpreter.document.nodes import Sequence as Items
from interpreter.source import Problems, Source, Span

Asks = list[tuple[str, Scalar]]


def scalar(name: str, text: str) -> Scalar:
    """A text as a source with the given name."""
    source = Source(name, text)
    return Scalar(text, Span(source, 0, len(text)), "plain", [Piece(c, i, i + 1) for i, c in enumerate(text)])


def joined(source: Source, parts: Iterable[str | tuple[int, int]]) -> Scalar:
    """Ranges of a source (start, end), with texts inserted between them. An inserted text is located at the next
    range.
    """
    table: list[Piece] = []
    parts = list(parts)
    for index, part in enumerate(parts):
        if isinstance(part, tuple):
            table += [Piece(source.text[i], i, i + 1) for i in range(*part)]
        else:
            near = next((p for p in parts[index + 1 :] if isinstance(p, tuple)), (0, len(source.text)))
            table += [Piece(c, *near) for c in part]
    return Scalar("".join(p.text for p in table), Span(source, 0, len(source.text)), "plain", table)


def asked(kind: str, name: str, texts: Sequence[str]) -> Asks:
    """Questions for `prepare`; `name` is the source name in problems."""
    return [(kind, scalar(f"{name} {i}" if len(texts) > 1 else name, text)) for i, text in enumerate(texts, 1)]


def with_entries(root: Mapping, entries: Iterable[tuple[str, Node]], without: Iterable[str] = ()) -> Mapping:
    """The tree with some keys replaced or added, and others left out."""
    made = [Entry(scalar(key, key), value) for key, value in entries]
    gone = {*without, *(e.key.text for e in made)}
    return Mapping((*(e for e in root if e.key.text not in gone), *made), root.span)


def settings(name: str, texts: Sequence[str], problems: Problems, alone: str = "") -> Mapping:
    """The mapping of `NAME=VALUE` texts; `name` is the source name in problems, `alone` the key for a text without
    `=`.
    """
    entries = []
    for i, text in enumerate(texts, 1):
        source = Source(f"{name} {i}" if len(texts) > 1 else name, text)
        key, sign, value = text.partition("=")
        if alone and not sign and text.strip():
            entries.append(Entry(scalar("settings", alone), joined(source, [(0, len(text.rstrip()))])))
            continue
        if not sign or not key.strip() or not value.strip():
            problems.add(
                "F016",
                Span(source, 0, len(text)),
                wanted=f"a name, `=` and what it is to be: `{name} NAME=VALUE`",
            )
            continue
        start = len(key) + 1
        at = start + len(value) - len(value.lstrip())
        entries.append(Entry(joined(source, [(0, len(key.rstrip()))]), joined(source, [(at, len(text.rstrip()))])))
    source = Source(name, " ".join(texts))
    return Mapping(tuple(entries), Span(source, 0, len(source.text)))


def with_settings(old: Node | None, new: Mapping) -> Node:
    """The old settings merged with new ones, which take precedence."""
    if isinstance(old, Mapping):
        gone = {e.key.text for e in new}
        return Mapping((*(e for e in old if e.key.text not in gone), *new), old.span)
    if old is None or (isinstance(old, Scalar) and not old.text):
        return new
    texts = old.items if isinstance(old, Items) else (old,)
    more = tuple(scalar("settings", f"{e.key.text} {e.value.text}") for e in new if isinstance(e.value, Scalar))
    return Items((*texts, *more), old.span)


def as_yaml(data: dict[str, Any], indent: str = "") -> str:
    """Plain data as YAML. Every text is quoted, so that no character is special."""
    lines = []
    for key, value in data.items():
        if isinstance(value, dict):
            lines += [
                f"{indent}{key}:" + ("" if value else " {}"),
                *([as_yaml(value, indent + "  ")] if value else []),
            ]
        elif isinstance(value, list | tuple):
            lines.append(f"{indent}{key}:" + ("" if value else " []"))
            lines += [f"{indent}  - {_quoted(item)}" for item in value]
        else:
            lines.append(f"{indent}{key}: {_quoted(value)}")
    return "\n".join(lines) + ("\n" if not indent else "")


def _quoted(value: Any) -> str:
    text = {True: "yes", False: "no", None: ""}.get(value, value) if value is None or isinstance(value, bool) else value
    return "'" + str(text).replace("'", "''") + "'"
