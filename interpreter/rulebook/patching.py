"""Applies a file's patches to the files below it: lines added, removed and rewritten.

Input: patches, each with its sheet. Output: the patched definitions, and the `History` of what was done. A patch that
matches nothing, and two supplements that change the same thing, are problems. It does not know what a definition means.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from interpreter.document.nodes import Entry, Mapping, Scalar
from interpreter.document.shape import suggest_colon
from interpreter.language import nodes as n
from interpreter.source import Label, Problems, Source
from interpreter.source.values import replace

from .definitions import Definition, Patch, line_at, line_name, lines_at, note_lost_names, unknown
from .edits import (
    Drop,
    Edit,
    Insert,
    Set,
    addresses,
    check_was,
    cites_in,
    citing,
    read_patch,
    redeclared_hint,
    with_full_ids,
)
from .patch_errors import Conflicts, report_missed, report_no_definition
from .sheets import Added, History, Sheet, Step, address_part, place_of

Named = tuple[str, Source | None]  # the name of a line, and its file if several files use the name

_WITHOUT_LINES = frozenset({"mark", "fact", "dice", "ruling", "moment"})
_CASES = re.compile(r", *(?:by |[^,]* picks one\b)")  # keys of lines whose children are cases or options


class Patching(Conflicts):
    """Applies patches. `found` are the definitions as patched so far, in page order."""

    def __init__(
        self, found: list[Definition], by_name: dict[str, Definition], history: History, problems: Problems
    ) -> None:
        super().__init__(by_name, history, problems)
        self.found = found

    def add(self, made: Definition, sheet: Sheet) -> None:
        name = made.title.name
        target = self._target(made.key, name)
        if target is None:
            self._note_lost(made.key, made.body)
            return
        if target.title.what in _WITHOUT_LINES:
            hint = f"`{name.text}` is a {target.title.what}, and has no lines of its own"
            unknown(self.problems, made.key, name, "definition with lines", [], hint)
            return
        target.added.append(made)
        if isinstance(made.body, Scalar) and made.body.text:
            label = "what is added needs a name and a colon: `close: roll +1`"
            self.problems.add("P001", made.body.span, name=name.text, label=label, **suggest_colon(made.body))
            return
        parts = tuple(name.text.split("."))
        if not self._may_add_to(parts, made.key, name, sheet):
            return
        anchor = made.title.anchor
        fresh = list(made.body) if isinstance(made.body, Mapping) else []
        if made.title.params and anchor is None:
            fresh = self._add_column_cells(made, target, fresh, parts, sheet)
        wanted = (*parts, anchor.text) if anchor is not None else parts
        fresh = self._untaken_entries(made.title, fresh, target, parts)
        if anchor is not None and not self._may_insert_beside(wanted, made.key, anchor, sheet):
            self._note_lost(made.key, made.body)
            return
        if anchor is None and len(parts) == 1:
            at = self._append_index(target, sheet)
            target.entries[at:at] = [(e, made.prefix) for e in fresh]
        else:
            before = made.title.when == "before"
            insert = Insert(fresh, before, anchor is None, made.prefix)
            if not self._edit(target, wanted, made.key, name, insert, sheet, anchor):
                self._note_lost(made.key, made.body)
                return
        if sheet.laid:
            place = f"{made.title.when} {'.'.join(wanted)}" if anchor is not None else f"in {'.'.join(parts)}"
            added = Added(sheet, made.key, tuple(fresh), target.title.what, parts[0])
            self.history.places.setdefault(place, []).append(added)
        for entry in fresh:
            self.history.note((*parts, line_name(entry.key.text)), Step("added", sheet, entry.key))
        self.history.note(parts, Step("added to", sheet, made.key))

    def _note_lost(self, key: Scalar, body: Mapping | Scalar) -> None:
        """After a reported patch that matched nothing, record the names in it, so that their uses are not reported too.
        """
        note_lost_names(self.problems, Entry(key.part(0, 0), body))

    def _add_column_cells(
        self, made: Definition, target: Definition, fresh: list[Entry], parts: tuple[str, ...], sheet: Sheet
    ) -> list[Entry]:
        """For an addition with new columns, record the cells of existing rows, and return the entries of new rows."""
        there = {line_name(e.key.text) for e, _ in target.entries}
        for entry in fresh:
            row = line_name(entry.key.text)
            if (
                row not in there
                and there
                and self._cells_of(entry) == len(made.title.params) < len(target.title.params)
            ):
                start = entry.key.text.index(row)
                hint = f"a new row has all {len(target.title.params) + len(made.title.params)} columns"
                name = n.Name(start, start + len(row), row)
                unknown(self.problems, entry.key, name, f"row of {target.title.name.text}", there, hint)
                there.add(row)
            if row in there:
                target.columns.append((entry, made))
                for param in made.title.params:
                    self.history.note((*parts, row, param.name.text), Step("added", sheet, entry.key))
        return [e for e in fresh if line_name(e.key.text) not in there]

    @staticmethod
    def _cells_of(entry: Entry) -> int:
        return entry.value.text.split(" [")[0].count(",") + 1 if isinstance(entry.value, Scalar) else 0

    def _untaken_entries(
        self, title: n.Title, fresh: Iterable[Entry], target: Definition, parts: Sequence[str]
    ) -> list[Entry]:
        """The entries to add, without those whose name is taken, which are reported."""
        here = lines_at((e for e, _ in target.entries), parts[1:])
        taken = {line_name(e.key.text): e.key for e in reversed(here)}
        found = []
        for entry in fresh:
            name = line_name(entry.key.text)
            if name not in taken or self._may_share_name(target, here, (*parts, name), entry):
                found.append(entry)
                continue
            start = entry.key.text.index(name)
            earlier = taken[name]
            others = [
                Label(earlier.at(earlier.text.index(name), earlier.text.index(name) + len(name)), "declared here")
            ]
            foreign = earlier.span.source is not entry.key.span.source
            hint = redeclared_hint(title, ".".join((*parts, name))) if foreign else None
            span = entry.key.at(start, start + len(name))
            self.problems.add("N003", span, name=name, label="said again here", others=others, hint=hint)
        return found

    def _may_share_name(self, target: Definition, here: Iterable[Entry], path: Sequence[str], entry: Entry) -> bool:
        """Whether a line may reuse a name, because only supplements that do not know each other use it."""
        block = line_at((e for e, _ in target.entries), path[1:-1])
        if target.title.what not in ("procedure", "rule") or (block is not None and _CASES.search(block.key.text)):
            return False  # rows, cases and options are words of the page
        files = self.history.files
        alike = [e for e in here if line_name(e.key.text) == path[-1]]
        givers = {e.key.span.source: files[e.key.span.source] for e in (*alike, entry)}
        mine = files[entry.key.span.source]
        others = [sheet for sheet in givers.values() if sheet is not mine]
        if len(others) < len(alike) or not all(mine.laid and x.laid and mine.is_independent_of(x) for x in others):
            return False
        self.history.private.setdefault(path[-1], entry.key.span)
        self.history.apart[".".join(path)] = {source: address_part(sheet.name) for source, sheet in givers.items()}
        return True

    def remove(self, key: Scalar, name: n.Name, sheet: Sheet) -> None:
        parts = tuple(name.text.split("."))
        free = self._may_write(parts, key, name, sheet) and self._may_replace(parts, key, name, sheet)
        if not free and not self._exists(parts):
            return  # if there is a conflict, it is removed nevertheless, to avoid follow-up problems
        target = self._target(key, name)
        if target is None:
            return
        step = Step("removed", sheet, key, target.body if len(parts) == 1 else None)
        if len(parts) > 1:
            if old := self._edit(target, parts, key, name, Drop(), sheet):
                self.history.gone[place_of(old)] = key.at(name.start, name.end)
                self.history.note(parts, step)
                self._note_removed([parts[-1]], key, name)
            return
        del self.by_name[name.text]
        self.history.note(parts, step)
        words = [name.text]
        if target.title.what in ("table", "outcomes", "kind"):  # their rows or attributes are removed too
            words += [line_name(e.key.text) for e, _ in target.entries]
        self._note_removed(words, key, name)
        left = tuple(x for x in target.title.names if x.text != name.text)
        target.title = replace(target.title, names=left)  # marks may share one title
        if not left:
            self.found.remove(target)

    def _note_removed(self, words: Iterable[str], key: Scalar, name: n.Name) -> None:
        for word in words:
            self.problems.removed.setdefault(word, Label(key.at(name.start, name.end), "removed here"))

    def _target(self, key: Scalar, name: n.Name) -> Definition | None:
        """The definition that a dotted name begins with; None after reporting that there is none."""
        first = name.text.split(".")[0]
        found = self.by_name.get(first)
        if found is None:
            at = n.Name(name.start, name.start + len(first), first)
            report_no_definition(self.problems, key, at, self.by_name)
        return found

    # ---- changes
    def change(self, key: Scalar, value: Scalar | Mapping, sheet: Sheet) -> None:
        if (comma := key.text.find(",")) > 0:  # clauses are not part of a line's name
            hint = f"the name alone, `{key.text[:comma]}`: what governs a line stays as it is"
            self.problems.add("L001", key.at(comma, comma + 1), what="name of a line", found=",", hint=hint)
            key = key.part(0, comma)
        patch = read_patch(key, value, sheet)
        self.history.read(patch.new)
        whole = n.Name(0, len(key.text), key.text)
        free = self._may_write(patch.path, key, whole, sheet, value)
        if free and isinstance(value, Mapping):
            free = self._may_replace(patch.path, key, whole, sheet)
        if not free:
            patch = replace(patch, was=None)
            if not self._exists(patch.path):
                return
        target = self._target(key, whole)
        if target is None:
            self._note_lost(key, value)
            return
        step = Step("changed", sheet, key)
        if len(patch.path) == 1:
            if isinstance(target.body, Scalar) and isinstance(patch.new, Scalar):
                check_was(target.text, patch.was, self.problems, self.history.earlier(patch.path, sheet))
                step = replace(step, was=target.body)
                new = with_full_ids(patch.new, sheet.head.prefix, target.prefix)
                target.body = citing(new, cites_in(target.body) if not cites_in(new) else [])
            elif isinstance(patch.new, Mapping):  # all its lines are replaced
                step = replace(step, was=target.body)
                target.entries = [(e, sheet.head.prefix) for e in self._replace_all(target, patch.new, key)]
                target.body = patch.new
            else:
                lines = ", ".join(f"`{whole.text}.{line_name(e.key.text)}`" for e, _ in target.entries[:3])
                hint = f"it has lines of its own: change one of them ({lines} …), or give lines in their place"
                unknown(self.problems, key, whole, "definition with one text", [], hint)
                return
            self.history.note(patch.path, step)
            self._rewritten(key, patch.new)
            return
        rows = {line_name(e.key.text): e for e, _ in target.entries}
        is_cell = target.title.what == "table" and len(patch.path) == 3 and patch.path[1] in rows
        if is_cell and isinstance(patch.new, Scalar):
            target.cells.append(patch)
            self.history.note(patch.path, step)
        elif old := self._edit(target, patch.path, key, whole, self._set(patch, sheet), sheet):
            self.history.note(patch.path, replace(step, was=old.value))
            if isinstance(patch.new, Mapping):
                self.history.instead[place_of(old)] = tuple([place_of(entry) for entry in patch.new])
            self._rewritten(key, patch.new)
            self.problems.changed[patch.path[-1]] = Label(key.span, "changed here")

    def _set(self, patch: Patch, sheet: Sheet) -> Set:
        return Set(patch, sheet.head.prefix, self.problems, self.history.earlier(patch.path, sheet))

    def _rewritten(self, key: Scalar, new: Scalar | Mapping) -> None:
        if isinstance(new, Mapping):
            self.history.rewritten.add(key.text)
            self.history.anew.append(new.span)

    def _replace_all(self, target: Definition, new: Mapping, key: Scalar) -> list[Entry]:
        """The entries that replace all lines of a definition.

        If the patch has only some of the existing lines, and not the first line of a roll or value, it was probably
        meant to change only these: that is reported, and the others are kept.
        """
        there = {line_name(e.key.text): e for e, _ in target.entries}
        new_lines = {line_name(e.key.text): e for e in new}
        lost = [f"`{name}`" for name in there if name not in new_lines]
        if not lost or not new_lines.keys() <= there.keys():
            return list(new)
        name, what = target.title.name.text, target.title.what
        one = f"`{name}.{next(iter(new_lines))}`"
        if what == "table" or (what in ("roll", "value") and next(iter(there)) not in new_lines):
            gone = ", ".join(lost[:3]) + (f" and {len(lost) - 3} more" if len(lost) > 3 else "")
            hint = f"to change one line, name it: {one}; to have no others, `remove` them"
            self.problems.add("N018", key.span, name=name, lost=gone, hint=hint)
            return [new_lines.get(x, e) for x, e in there.items()]
        label = Label(key.span, f"this takes the place of all lines of `{name}`; {one} is one of them")
        words = {a.split(".")[-1] for a in addresses(there.values())} - {a.split(".")[-1] for a in addresses(new)}
        for word in (name, *words):
            self.problems.removed.setdefault(word, label)
        return list(new)

    def _edit(
        self,
        target: Definition,
        path: Sequence[str],
        key: Scalar,
        name: n.Name,
        edit: Edit,
        sheet: Sheet,
        anchor: n.Name | None = None,
    ) -> Entry | None:
        """Apply an edit to the line at `path`; return the old entry, or None after reporting that nothing matches.

        The path is written at `name` in the key; its last word at `anchor`, if there is one.
        """
        found: list[Entry] = []
        entries: list[tuple[Entry, str]] = []
        steps = self._resolve_path(path, key, anchor or name, sheet)
        if steps is None:
            return None
        for entry, prefix in target.entries:
            if _is(entry, steps[0]) and not found:
                made = self._edited(entry, steps[1:], prefix, edit, found)
                entries += made if found else [(entry, prefix)]
            else:
                entries.append((entry, prefix))
        if not found:
            report_missed(self.problems, self.history, target, path, key, name, anchor)
            return None
        target.entries = entries
        if not isinstance(edit, Insert):  # earlier patches of its cells were for the old row
            target.cells = [p for p in target.cells if p.path[: len(path)] != tuple(path)]
        return found[0]

    def _resolve_path(self, path: Sequence[str], key: Scalar, name: n.Name, sheet: Sheet) -> list[Named] | None:
        """The lines along a path, each with its file if several files use its name; None after reporting an ambiguity.
        """
        history, asker = self.history, sheet.root.span.source
        steps: list[Named] = []
        for size in range(2, len(path) + 1):
            alike = history.apart.get(".".join(path[:size]), {})
            heard = [asker] if asker in alike else [giver for giver in alike if history.lies_over(asker, giver)]
            if alike and len(heard) != 1:
                names = " and ".join(
                    f"`{'.'.join((*path[: size - 1], file, path[size - 1]))}`" for file in alike.values()
                )
                hint = f"{names} are lines of files that do not know each other: each is changed by its own file alone"
                self.problems.add("N002", key.at(name.start, name.end), name=name.text, hint=hint)
                return None
            steps.append((path[size - 1], heard[0] if heard else None))
        return steps

    def _edited(
        self, entry: Entry, rest: Sequence[Named], prefix: str, edit: Edit, found: list[Entry]
    ) -> list[tuple[Entry, str]]:
        """The entry with the edit applied at the end of `rest`; the old entry is appended to `found` if it matched."""
        if not rest:
            made = edit.at(entry, prefix)
            if made is None:
                return [(entry, prefix)]
            found.append(entry)
            return made
        if not isinstance(entry.value, Mapping):
            return [(entry, prefix)]
        inner: list[Entry] = []
        for each in entry.value:
            if _is(each, rest[0]) and not found:
                inner += [e for e, _ in self._edited(each, rest[1:], prefix, edit, found)]
            else:
                inner.append(each)
        return [(Entry(entry.key, Mapping(tuple(inner), entry.value.span)), prefix)]


def _is(entry: Entry, named: Named) -> bool:
    name, giver = named
    return line_name(entry.key.text) == name and giver in (None, entry.key.span.source)
