"""Detects conflicts between supplements: whether one may write where another has written.

Enters: the history of a stack so far. Leaves: problems with both places. The order of files never decides silently.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from interpreter.document.nodes import Mapping, Scalar
from interpreter.language import nodes as n
from interpreter.source import Fix, Label, Problems, Span

from .definitions import Definition, line_at
from .edits import over
from .sheets import History, Sheet


class Conflicts:
    """`by_name` maps each name to its definition as patched so far."""

    def __init__(self, by_name: dict[str, Definition], history: History, problems: Problems) -> None:
        self.by_name = by_name
        self.history = history
        self.problems = problems

    def _may_write(
        self, path: Sequence[str], key: Scalar, name: n.Name, sheet: Sheet, new: Scalar | Mapping | None = None
    ) -> bool:
        """Whether a sheet may write at `path`: no supplement that it does not name, at least behind the `new` text, has
        written there.
        """
        named = over(new) if new is not None else None
        said = named.text if named is not None else None
        for address in (".".join(path), *self._patched_below(path)):
            step = self.history.last(address, by=sheet)
            if step is None or not sheet.laid or not step.sheet.laid or step.sheet is sheet:
                continue
            if step.sheet.name in sheet.known or step.sheet.name == said:
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
        """The index where a sheet's rows or attributes are appended: independent supplements are sorted by name, not by
        order.
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
