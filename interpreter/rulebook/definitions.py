"""Definitions with parsed titles, and the head of a file.

Input: the tree of a file. Output: `Header`, and the types `Definition` and `Patch`. It does not know what a definition
means, nor how supplements are applied.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Sequence

from interpreter.document.nodes import Entry, Mapping, Scalar
from interpreter.document.nodes import Sequence as Listed
from interpreter.language import nodes as n
from interpreter.source import Label, Problems, nearest, suggest
from interpreter.source.nearest import distance
from interpreter.source.values import Record, Struct, field

SHOWING = ("example", "typical")  # definitions that illustrate rules: no sentence can refer to them


class Definition(Record):
    """A definition of a file. `entries` are its lines after all patches, each with its clause prefix; `text` is a
    one-line body.
    """

    title: n.Title
    key: Scalar
    body: Mapping | Scalar
    heading: str
    game: str
    prefix: str = ""
    added: list[Definition] = field(default_factory=list)
    columns: list[tuple[Entry, Definition]] = field(default_factory=list)  # added columns: cells for existing rows
    cells: list[Patch] = field(default_factory=list)  # patches of a table's cells, in order
    entries: list[tuple[Entry, str]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.entries = [(e, self.prefix) for e in self.body] if isinstance(self.body, Mapping) else []

    @property
    def cites(self) -> tuple[str, ...]:
        """The clauses of the title, and of the titles of additions."""
        found = [c for each in (self, *self.added) for c in cited(each.title.cites, each.prefix)]
        return tuple(dict.fromkeys(found))

    @property
    def names(self) -> tuple[str, ...]:
        return tuple([name.text for name in self.title.names])

    @property
    def text(self) -> Scalar | None:
        return self.body if isinstance(self.body, Scalar) and self.body.text else None


class Patch(Struct):
    """One change at `path` (`weapons.lmg.shots`), written at `key`: the new text or lines, and the expected old text.
    """

    path: tuple[str, ...]
    key: Scalar
    new: Scalar | Mapping
    was: Scalar | None
    file: str  # the name of the file with the patch


class Header(Record):
    """The head of a file. `over` lists the stacks that a supplement may extend; `refuses` lists stacks that it may not,
    with the reason.
    """

    game: str
    prefix: str
    table_talk: tuple[str, ...]
    extends: str | None
    over: tuple[tuple[str, ...], ...] = ()
    refuses: dict[str, Scalar] = field(default_factory=dict)


def header(root: Mapping) -> Header:
    """Return the head of a file, from its keys `game`, `clauses`, `table talk`, `extends`, `over` and `not over`. A
    missing text is empty; `extends` is then None.
    """

    def text(key: str) -> str:
        node = root.get(key)
        return node.text.strip() if isinstance(node, Scalar) else ""

    prefix = text("clauses")
    node = root.get("table talk")
    clauses = (
        [i.text for i in node if isinstance(i, Scalar)] if isinstance(node, Listed) else text("table talk").split(",")
    )
    talk = tuple(full_id(c.strip(), prefix) for c in clauses if c.strip())
    node = root.get("not over")
    refuses = {e.key.text: e.value for e in node if isinstance(e.value, Scalar)} if isinstance(node, Mapping) else {}
    return Header(text("game"), prefix, talk, text("extends") or None, alternatives(text("over")), refuses)


def alternatives(text: str) -> tuple[tuple[str, ...], ...]:
    """Return the stacks that a head lists: `a, or a + b` → `(("a",), ("a", "b"))`."""
    parts = re.split(r",\s*(?:or\s+)?|\s+or\s+", text.strip()) if text else ()
    return tuple(stack(part) for part in parts if part.strip())


def stack(text: str) -> tuple[str, ...]:
    """Return the names of the layers of a stack, base first: `a + b` → `("a", "b")`."""
    return tuple(part.strip() for part in text.split("+") if part.strip())


def full_id(cite: str, prefix: str) -> str:
    """Return the full id of a clause: `41` → `MOD-041`; a full id unchanged."""
    return f"{prefix}-{int(cite):03}" if prefix and cite.isdecimal() and cite.isascii() else cite


_SPAN = r"(?:(?P<prefix>[A-Z]+)-)?(?P<first>[0-9]+)\.\.(?:[A-Z]+-)?(?P<last>[0-9]+)"


def cited(cites: n.Cites, prefix: str) -> tuple[str, ...]:
    """Return the clause ids of a footnote; a range `9..12` is expanded."""
    if not cites:
        return ()
    found: list[str] = []
    for cite in cites:
        span = re.fullmatch(_SPAN, cite.text) if ".." in cite.text else None
        if span is not None and int(span["last"]) - int(span["first"]) < 100:
            own = span["prefix"] or prefix
            found += [full_id(str(i), own) for i in range(int(span["first"]), int(span["last"]) + 1)]
        else:
            found.append(full_id(cite.text, prefix))
    return tuple(found)


def note_lost_names(problems: Problems, entry: Entry) -> None:
    """Record all names that an unparsed definition may have declared, so that their uses are not reported as unknown.
    """
    texts = [entry.key.text.split("[")[0]]
    if isinstance(entry.value, Mapping):
        texts += [e.key.text.split(",")[0].split("[")[0] for e in entry.value]
    elif isinstance(entry.value, Listed):
        texts += [item.text for item in entry.value if isinstance(item, Scalar)]
    else:
        texts.append(entry.value.text.split("[")[0])
    for text in texts:
        words = re.findall(r"[\w-]+", text)
        joined = ("-".join(pair) for pair in itertools.pairwise(words))
        problems.lost |= {*words, *(word.lower() for word in words), *joined}


def one_line(scalar: Scalar) -> str:
    """A folded sentence as one line of the same length, so that offsets stay valid, without trailing newlines."""
    return scalar.text.rstrip("\n").replace("\n", " ") if "\n" in scalar.text else scalar.text


def line_name(key: str) -> str:
    """Return the name of a line from its key: `1-2 stunned, if C [88]` → `stunned`, `hits, otherwise` → `hits`.

    The name of an unnamed case is its key: `2 or more`.
    """
    name = key.split("[")[0].split(",")[0].strip()
    return name if name.endswith((" or more", " or less")) else name.split(" ")[-1]


def line_at(entries: Iterable[Entry], path: Iterable[str]) -> Entry | None:
    """Return the line at a path of names; None if a name is missing."""
    found: Entry | None = None
    here = list(entries)
    for word in path:
        found = next((e for e in here if line_name(e.key.text) == word), None)
        here = list(found.value) if found is not None and isinstance(found.value, Mapping) else []
    return found


def lines_at(entries: Iterable[Entry], path: Sequence[str]) -> list[Entry]:
    """Return the lines below the line at `path`; `entries` themselves if the path is empty."""
    here = list(entries)
    if path:
        held = line_at(here, path)
        here = list(held.value) if held is not None and isinstance(held.value, Mapping) else []
    return here


_SHORT = 3  # letters: a shorter part of a name, such as `of`, is ignored
_PREFERENCE = r"\busually (?:.*, ?)?$"


def unknown(
    problems: Problems,
    scalar: Scalar,
    name: n.Name,
    what: str,
    known: Iterable[str],
    elsewhere: str | None = None,
    others: Iterable[Label] = (),
) -> None:
    """Report an unknown name, with the closest of the `known` names as a hint and a fix.

    `elsewhere` is the hint where nothing is close: it says where the name does have a meaning.
    """
    span = scalar.at(name.start, name.end)
    if problems.full(span):
        problems.add("N001", span, about=name.text, name=name.text, what=what)
        return
    words = sorted({str(k) for k in known} - {name.text})
    if re.search(_PREFERENCE, scalar.text[: name.start]):  # in `usually mosst` a preference is misspelt
        words += ["fewest", "most", "no", "yes"]
    gone = problems.removed.get(name.text)
    if gone is not None:
        problems.add("N001", span, about=name.text, name=name.text, what=what, others=[gone])
        return
    close = closest(name.text, words)
    if elsewhere is None and 0 < len(words) <= 8 and " " not in "".join(words):
        elsewhere = "there " + ("are " if len(words) > 1 else "is ") + ", ".join(f"`{w}`" for w in words)
    meant = suggest(span, close, elsewhere)
    problems.add("N001", span, about=name.text, name=name.text, what=what, others=others, **meant)


def closest(word: str, words: Iterable[str]) -> list[str]:
    """Return the closest words; those at distance 1 exclude those at distance 2. If none is close, return those that
    contain the word or are contained in it: `rifle` and `long-rifle`.
    """
    words = list(words)
    close = nearest(word, words)
    if not close and len(word) > _SHORT:
        return [w for w in words if len(w) > _SHORT and (word in w.split("-") or w in word.split("-"))][:3]
    found = [c for c in close if distance(word, c) == 1] or close
    found = [c for c in found if c[:1] == word[:1]] or found
    return [c for c in found if c[-1:] == word[-1:]] or found
