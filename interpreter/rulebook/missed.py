"""Reports a patch whose address matches nothing: which word is wrong, and what was probably meant.

Enters: the words of a patch, and the definitions below it. Leaves: one problem, at the word. Knows nothing of what a
definition means.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from interpreter.document.nodes import Entry, Scalar
from interpreter.document.nodes import Mapping as Lines
from interpreter.language import nodes as n
from interpreter.source import Label, Problems, nearest

from .definitions import SHOWING, Definition, line_at, line_name, lines_at, unknown
from .edits import addresses
from .sheets import History

_WORD = re.compile(r"[0-9]+(-[0-9]+)?")
_FACES = re.compile(r"([0-9]+)(?:-([0-9]+))? ")


def report_no_definition(problems: Problems, key: Scalar, name: n.Name, known: Mapping[str, Definition]) -> None:
    """Report that no definition has this name; the hint looks for lines of that name and commented-out titles."""
    hint = None if known else "nothing lies below this file: say `over: NAME` at its head"
    hint = hint or _commented_out_hint(key)
    lines = [f"`{d.title.name.text}.{name.text}`" for d in known.values() if _has(d, name.text)]
    names = [x for x in known if not x.startswith("example ")]
    if hint is None and lines and not nearest(name.text, names):
        hint = f"a line is named with what it stands in: {' or '.join(lines[:3])}"
    unknown(problems, key, name, "definition", names, hint)


def _has(definition: Definition, name: str) -> bool:
    return definition.title.what not in SHOWING and line_at((e for e, _ in definition.entries), (name,)) is not None


def report_missed(
    problems: Problems,
    history: History,
    target: Definition,
    path: Sequence[str],
    key: Scalar,
    name: n.Name,
    anchor: n.Name | None,
) -> None:
    """Report the first word of a path without a match, with the nearest line there or deeper."""
    at = name
    entries = [e for e, _ in target.entries]
    for depth, word in enumerate(path[1:], 1):
        before = ".".join(path[:depth])
        start = name.start + len(before) + 1
        at = n.Name(start, start + len(word), word)
        if anchor is not None and depth == len(path) - 1:
            at = anchor
        here = lines_at(entries, path[1:depth])
        if not any(line_name(e.key.text) == word for e in here):
            step = history.last(f"{before}.{word}", "removed")
            others = [Label(step.key.span, "removed here")] if step else []
            known = [line_name(e.key.text) for e in here]
            hint = _deeper_hint(here, before, word, depth)
            unknown(problems, key, n.Name(at.start, at.end, word), f"line of {before}", known, hint, others)
            return
    whole = ".".join(path)
    hint = f"`{whole}` is one line of text: say `before` or `after` it"
    below = lines_at(entries, path[1:])
    if below:
        inner = f"`{whole}.{line_name(below[0].key.text)}`"
        hint = f"`{whole}` has lines of its own: change one of them, as {inner}, or give lines in its place"
    what = f"line of {'.'.join(path[:-1])} with {'one text' if below else 'lines of its own'}"
    unknown(problems, key, n.Name(at.start, at.end, path[-1]), what, [], hint)


def _deeper_hint(here: list[Entry], before: str, word: str, depth: int) -> str | None:
    """A hint for a line of that name below `here`, or for a case addressed by its faces."""
    if depth > 1 and not here:
        return f"`{before}` is one line of text"
    if deeper := [a for a in addresses(here) if a.split(".")[-1] == word]:
        return f"there is `{before}.{deeper[0]}`"
    for entry in here:
        faces = _FACES.match(entry.key.text)
        if faces and _WORD.fullmatch(word) and int(faces[1]) <= int(word.split("-")[0]) <= int(faces[2] or faces[1]):
            lines = entry.value if isinstance(entry.value, Lines) else ()
            inside = next((f".{line_name(each.key.text)}" for each in lines), "")
            return f"say it by its name: `{before}.{line_name(entry.key.text)}{inside}`"
    return None


def _commented_out_hint(key: Scalar) -> str | None:
    """A hint if the title above a patch is still commented out."""
    source, row = key.span.source, key.span.place[0]
    while row > 1:
        row -= 1
        line = source.line(row).strip()
        title = line.lstrip("# ")
        if line and not line.startswith("#"):
            return None
        if title.startswith(("add to ", "change:")) and title.split(" #")[0].rstrip().endswith(":"):
            return f"line {row} above it is still a remark: take its `#` away too: `{title}`"
    return None
