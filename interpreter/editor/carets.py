"""The syntactic context of the caret: the kind of sentence, its text so far, and the keys above it.

Takes a text that may be invalid anywhere, and an offset. Gives a `Caret`. It looks at indents and colons only, since a
text that is being edited is rarely valid YAML.
"""

from __future__ import annotations

import re

from interpreter.source import Source
from interpreter.source.values import Struct

_KEY = re.compile(  # without backtracking, as the line may be untrusted
    r"^(?P<indent> *+)(?P<key>(?:\"[^\"]*\"|'[^']*'|[^:#\"' ]|:(?! |$)| ++(?!:(?: |$)))++) *+:(?: +|$)"
)
_LONGEST = 1000  # most characters of a line to read; a sentence has fewer
_SITUATION = {
    "do": "line",
    "then": "line",
    "given": "line",
    "ask": "line",
    "facts": "stated",
    "odds": "odds_of",
    "dice": "throws",
}
_HEAD = {"extends", "over", "rules"}


class Caret(Struct):
    """`start` is the start symbol of the sentence (empty if there is none), `before` its text up to the partial word
    `word`. `above` are the enclosing keys, outermost first; `key` is its own key, None within a key.
    """

    start: str
    before: str
    word: str
    above: tuple[str, ...]
    key: str | None


def caret(source: Source, offset: int) -> Caret | None:
    """The context of an offset; None in a comment, and in an overlong line."""
    row, column = source.place(offset)
    line = source.line(row)[: column - 1]
    if len(line) > _LONGEST or _remark(line):
        return None
    above = _above(source, row, len(line) - len(line.lstrip(" ")))
    found = _KEY.match(line)
    said = line[found.end() :] if found is not None else line.lstrip(" ")
    key = found["key"].strip("\"'") if found is not None else None
    said = said.lstrip("- [\"'") if key is not None or said.startswith("- ") else said.lstrip("\"'")
    typed = re.search(r"[A-Za-z][\w-]*$", said)
    word = typed.group() if typed is not None else ""
    return Caret(_start(above, key, said), said[: len(said) - len(word)], word, above, key)


def _remark(line: str) -> bool:
    return re.search(r"(?:^|\s)#", re.sub(r"'[^']*'|\"[^\"]*\"", "", line)) is not None


def _above(source: Source, row: int, indent: int) -> tuple[str, ...]:
    found: list[str] = []
    while row > 1 and indent > 0:
        row -= 1
        key = _KEY.match(source.line(row)[:_LONGEST])
        if key is not None and len(key["indent"]) < indent:
            indent = len(key["indent"])
            found.insert(0, key["key"].strip("\"'"))
    return tuple(found)


def _start(above: tuple[str, ...], key: str | None, said: str) -> str:
    title = next((each for each in reversed(above) if each.split(" ")[0] in _BODIES), "")
    what = title.split(" ")[0]
    in_situation = what in ("example", "typical") or not any(above[:1]) or above[-1] in _SITUATION
    if above and above[-1] == "change":
        return "" if key is None else "line"
    if key in _HEAD and not above:
        return "head"
    if key is not None and not title and len(above) == 1 and key.split(" ")[0] in _BODIES:
        return _BODIES[key.split(" ")[0]]
    if in_situation and (key in _SITUATION or (above and above[-1] in _SITUATION)):
        return _SITUATION[key if key in _SITUATION else above[-1]]
    if in_situation and key is not None and re.fullmatch(r"[a-z][\w-]* [A-Z]\S*", key):
        return "thing"
    if key is None:
        return "title" if len(above) == 1 else "line_key" if title else ""
    return _BODIES.get(what, "")


# First word of a title → start symbol of its lines; for `add to` it depends on the target.
_BODIES = {
    "kind": "attribute",
    "table": "row",
    "value": "adjust",
    "limit": "adjust",
    "roll": "adjust",
    "mark": "ending",
    "fact": "attribute",
    "to": "line",
    "rule": "line",
    "moment": "words",
    "dice": "convention",
    "ruling": "options",
    "add": "add",
    "policy": "policy",
    "example": "",
    "typical": "",
}
