"""Reports mistakes in patches: an address that matches nothing, and supplements that conflict.

Input: the words of a patch, the definitions below it, the history of the stack so far. Output: one problem, at the
wrong word with a suggestion, or at both places, because the order of files must never decide silently. It does not know
what a definition means.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from collections.abc import Mapping as Known

from interpreter.document.nodes import Entry, Mapping, Scalar
from interpreter.language import nodes as n
from interpreter.source import Fix, Label, Problems, Span, nearest

from .definitions import SHOWING, Definition, line_at, line_name, lines_at, unknown
from .edits import addresses, over
from .sheets import History, Sheet

_WORD = r"[0-9]+(-[0-9]+)?"
_FACES = r"([0-9]+)(?:-([0-9]+))? "


def report_no_definition(problems: Problems, key: Scalar, name: n.Name, known: Known[str, Definition]) -> None:
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
            if depth == 1 and target.text is not None:
                hint = f"`{before}` is one line of text: change it whole, `{before}: …`"
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
        faces = re.match(_FACES, entry.key.text)
        if (
            faces
            and re.fullmatch(_WORD, word)
            and int(faces[1]) <= int(word.split("-")[0]) <= int(faces[2] or faces[1])
        ):
            lines = entry.value if isinstance(entry.value, Mapping) else ()
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


class Conflicts:
    """Detects conflicts between the patches of supplements. `by_name` maps each name to its definition as patched so
    far.
    """

    def __init__(self, by_name: dict[str, Definition], history: History, problems: Problems) -> None:
        self.by_name = by_name
        self.history = history
        self.problems = problems

    def _may_write(
        self, path: Sequence[str], key: Scalar, name: n.Name, sheet: Sheet, new: Scalar | Mapping | None = None
    ) -> bool:
        """Whether a sheet may write at `path`: only supplements that it names, in its head or after `over` in the `new`
        text, have written there. Otherwise the conflict is reported.
        """
        named = over(new) if new is not None else None
        base = named.text if named is not None else None
        for address in (".".join(path), *self._patched_below(path)):
            step = self.history.last(address, by=sheet)
            if step is None or not sheet.laid or not step.sheet.laid or step.sheet is sheet:
                continue
            if step.sheet.name in sheet.known or step.sheet.name == base:
                continue
            self._report_conflict(address, step.what, step.sheet, step.key, key.at(name.start, name.end), sheet, new)
            return False
        return True

    def _may_replace(self, path: Sequence[str], key: Scalar, name: n.Name, sheet: Sheet) -> bool:
        """Whether `path` may be removed or rewritten: no other supplement has inserted lines beside or below it."""
        start = ".".join(path)
        for place, found in self.history.places.items():
            when, _, address = place.partition(" ")
            if when == "in" or not f"{address}.".startswith(f"{start}."):
                continue
            for added in found:
                if added.sheet is not sheet and sheet.laid and added.sheet.name not in sheet.known:
                    self._report_conflict(
                        address, f"adds lines {when}", added.sheet, added.key, key.at(name.start, name.end), sheet
                    )
                    return False
        return True

    def _report_conflict(
        self,
        path: str,
        what: str,
        other: Sheet,
        there: Scalar,
        here: Span,
        sheet: Sheet,
        new: Scalar | Mapping | None = None,
    ) -> None:
        base = " + ".join(sheet.head.over[0]) if sheet.head.over else "…"
        hint = (
            f"if this file shall have the last word, it says so in its head: `over: {base}, or {base} + {other.name}`"
        )
        fix = None
        if sheet.name in other.known:
            hint = f"{other.name} is made to lie over {sheet.name}: name it behind"
        elif isinstance(new, Scalar):
            hint = f"say which is meant: `…, over {other.name}` behind the new text"
            end = new.at(len(new.text.rstrip()), len(new.text.rstrip()))
            fix = Fix(end, f", over {other.name}", False, f"write `, over {other.name}` behind it")
        self.problems.add(
            "N013",
            here,
            path=path,
            one=sheet.name,
            two=other.name,
            label=f"{sheet.name} sets it here",
            others=[Label(there.span, f"{other.name} {what} it here")],
            hint=hint,
            fix=fix,
        )

    def _exists(self, path: Sequence[str]) -> bool:
        """Whether a path still resolves to something."""
        target = self.by_name.get(path[0])
        if target is None:
            return False
        here = [e for e, _ in target.entries]
        to_row = path[1:2] if target.title.what == "table" else path[1:]  # a cell is not a line of its own
        return not to_row or line_at(here, to_row) is not None

    def _patched_below(self, path: Sequence[str]) -> Iterator[str]:
        """The addresses patched below a path that is removed or rewritten."""
        start = ".".join(path) + "."
        return (address for address in list(self.history.steps) if address.startswith(start))

    def _may_insert_beside(self, path: Sequence[str], key: Scalar, name: n.Name, sheet: Sheet) -> bool:
        """Whether lines may be inserted beside `path`: no other supplement has removed or rewritten it."""
        address = ".".join(path)
        step = self.history.last(address)
        if step is None or not (sheet.laid and step.sheet.laid):
            return True
        if step.sheet is sheet or step.sheet.name in sheet.known:
            return True
        if step.what != "removed" and address not in self.history.rewritten:
            return True
        self._report_conflict(address, step.what, step.sheet, step.key, key.at(name.start, name.end), sheet)
        return False

    def _append_index(self, target: Definition, sheet: Sheet) -> int:
        """The index at which a sheet's rows or attributes are appended: independent supplements are sorted by name, not
        by the order of files.
        """
        at = len(target.entries)
        if target.title.what not in ("table", "kind") or not sheet.laid:
            return at
        others = self.history.places.get(f"in {target.title.name.text}", [])
        later = [a for a in others if a.sheet.name > sheet.name and a.sheet.name not in sheet.known]
        keys = {id(e.key) for a in later for e in a.entries}
        return next((i for i, (e, _) in enumerate(target.entries) if id(e.key) in keys), at)

    def _may_add_to(self, path: Sequence[str], key: Scalar, name: n.Name, sheet: Sheet) -> bool:
        """Whether a sheet may add to `path`: no other supplement has removed or rewritten it."""
        step = self.history.last(".".join(path))
        return step is None or step.what[:5] == "added" or self._may_write(path, key, name, sheet)
