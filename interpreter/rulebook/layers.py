"""Merges the sheets of a stack into one list of definitions.

Input: the sheets of a rule set, base first. Output: `Definition`s in page order, and the `History` of all patches;
patching.py applies them. It does not know what a definition means.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from interpreter.document.nodes import Entry, Mapping, Scalar
from interpreter.document.shape import RULE_FILE, schema, title_words
from interpreter.language import nodes as n
from interpreter.source import Label, Problems

from .definitions import SHOWING, Definition, alternatives, line_name, note_lost_names, unknown
from .edits import redeclared_hint
from .patching import Patching
from .sentences import Sentences
from .sheets import History, Sheet, called_in

HEAD = frozenset(schema(RULE_FILE)["properties"])
_FIRST_WORDS = frozenset(word.split(" ")[0] for word in title_words())


def entries_below(root: Mapping) -> Iterator[tuple[Entry, Entry, bool]]:
    """All entries below the head of a sheet, each with its section: titles, and (True) the lines of its `change:`."""
    for section in root:
        changes = section.key.text == "change"
        if not isinstance(section.value, Mapping) or (section.key.text in HEAD and not changes):
            continue
        for entry in section.value:
            if changes or entry.key.text != "change":
                yield section, entry, changes
            elif isinstance(entry.value, Mapping):
                yield from ((section, line, True) for line in entry.value)


def gather(sheets: Sequence[Sheet], grammar: str, problems: Problems) -> tuple[list[Definition], History]:
    """Return all definitions of a stack of sheets, base first, with the patches of higher sheets applied."""
    layers = _Layers(Sentences(grammar, problems, called_in(sheets)), problems)
    below: list[str] = []
    layers.history.files = {sheet.root.span.source: sheet for sheet in sheets}
    for sheet in sheets:
        layers.add_sheet(sheet, below)
        below.append(sheet.name)
    return layers.found, layers.history


class _Layers:
    """Builds the definitions of a stack, sheet by sheet. `by_name` maps each name to its definition as patched so far.
    """

    def __init__(self, sentences: Sentences, problems: Problems) -> None:
        self.problems = problems
        self.sentences = sentences
        self.found: list[Definition] = []
        self.by_name: dict[str, Definition] = {}
        self.history = History()

    def add_sheet(self, sheet: Sheet, below: Sequence[str]) -> None:
        """Apply a sheet: first its removals of definitions, then its declarations, then its changes to lines.

        Therefore the order of definitions within a file does not matter.
        """
        changes = [root_change] if isinstance(root_change := sheet.root.get("change"), Mapping) else []
        made: list[Definition] = []
        for section in sheet.root:
            if section.key.text in HEAD:
                continue
            if not isinstance(section.value, Mapping):
                note_lost_names(self.problems, section)
                continue
            if not self._applies(section.key, sheet, below):
                continue
            for entry in section.value:
                if entry.key.text == "change":
                    changes += [entry.value] if isinstance(entry.value, Mapping) else []
                    continue
                title = None
                if entry.key.text.split(" ")[0] in _FIRST_WORDS:  # other keys were reported by the shape check
                    title = self.sentences.read(entry.key, "title", n.Title)
                if title is None or not isinstance(entry.value, Mapping | Scalar):
                    note_lost_names(self.problems, entry)
                    continue
                head = sheet.head
                made.append(Definition(title, entry.key, entry.value, section.key.text, head.game, head.prefix))
        for d in made:
            self.history.read(d.body)
            self._remove(d, sheet, whole=True)
        for d in made:
            if d.title.what not in ("add to", "remove"):
                self._declare(d, sheet)
        for d in made:
            if d.title.what == "add to":
                self._patching().add(d, sheet)
            self._remove(d, sheet, whole=False)
        for change in changes:
            for entry in change:
                if isinstance(entry.value, Scalar | Mapping):
                    self._patching().change(entry.key, entry.value, sheet)

    def _patching(self) -> Patching:
        """A new `Patching`, made on demand because most sheets patch nothing."""
        return Patching(self.found, self.by_name, self.history, self.problems)

    def _applies(self, key: Scalar, sheet: Sheet, below: Sequence[str]) -> bool:
        """Whether a section applies: `Over NAME:` only over the named bases, any other heading always."""
        if not sheet.laid or not key.text.startswith("Over "):
            return True
        named = [name for names in alternatives(key.text.removeprefix("Over ")) for name in names]
        for name in named:
            if name not in sheet.known:
                start = key.text.index(name)
                unknown(self.problems, key, n.Name(start, start + len(name), name), "base of this file", sheet.known)
        return any(name in below for name in named)

    # ---- definitions
    def _remove(self, made: Definition, sheet: Sheet, *, whole: bool) -> None:
        """Remove the definitions, if `whole`, or else the lines, that a `remove` title names."""
        for name in made.title.names if made.title.what == "remove" else ():
            if whole is ("." not in name.text):
                self._patching().remove(made.key, name, sheet)

    def _declare(self, made: Definition, sheet: Sheet) -> None:
        title = made.title
        for name in title.names:
            space = f"{title.what} {name.text}" if title.what in SHOWING else name.text
            if space in self.by_name:
                earlier = self.by_name[space]
                first = next(x for x in earlier.title.names if x.text == name.text)
                self.problems.add(
                    "N003",
                    made.key.at(name.start, name.end),
                    name=name.text,
                    label="said again here",
                    others=[Label(earlier.key.at(first.start, first.end), "declared here")],
                    hint=redeclared_hint(title, name.text)
                    if earlier.key.span.source is not made.key.span.source
                    else None,
                )
                if earlier.title.what != title.what:  # uses would refer to the other definition
                    self.problems.lost.add(name.text)
                if len(title.names) == 1:
                    return
            else:
                self.by_name[space] = made
                self.problems.removed.pop(name.text, None)
                if isinstance(made.body, Mapping):
                    for entry in made.body:
                        self.problems.removed.pop(line_name(entry.key.text), None)
        self.found.append(made)
