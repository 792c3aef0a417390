"""Files of an older version of the language → the same in today's words, by edits of their text.

Enters: a located tree, and the version that its head says (`schema: 0`; 1 where it says none). Leaves: `Edit`s, a text,
or the problem that says what to do. Layout and remarks stay: nothing but the words in question is touched. A step is a
function from a tree to edits; carried out twice it does nothing more. Must not know what a sentence means.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from interpreter.document.files import read_file
from interpreter.document.nodes import Entry, Node, Scalar, Sequence
from interpreter.document.nodes import Mapping as Tree
from interpreter.document.reader import read
from interpreter.document.shape import RULE_FILE, schema, title_words
from interpreter.document.writing import write_file
from interpreter.source import Problems, Source, Span
from interpreter.source.values import Struct

CURRENT = 1
UNSAID = 1  # what a file is that says nothing


class Edit(Struct):
    """`text` in the place of `span`."""

    span: Span
    text: str


Step = Callable[[Tree], list[Edit]]


def schema_of(root: Tree, problems: Problems) -> int | None:
    """The version of the language that a file says it is written in; None with a problem where that is no number."""
    node = root.get("schema")
    if node is None:
        return UNSAID
    if isinstance(node, Scalar) and re.fullmatch(r"\d{1,4}", node.text.strip()):
        return int(node.text)
    problems.add("S009", node.span, current=CURRENT)
    return None


def can_be_read(root: Tree, problems: Problems, steps: Mapping[int, Step] | None = None) -> bool:
    """Whether a file can be read as it stands: it is of today's version, or of one whose words mean the same here.

    Else the problem says what to do.
    """
    said = schema_of(root, problems)
    if said is None or said == CURRENT:
        return said is not None
    node = root.get("schema")
    assert node is not None
    name = node.span.source.name
    if said > CURRENT:
        hint = "`pip install --upgrade tabletop-umpire` brings an Umpire that knows it"
        problems.add("S010", node.span, said=said, current=CURRENT, hint=hint)
        return False
    quiet = Problems()
    if migrated(node.span.source, said, CURRENT, quiet, steps, stamp=False) == node.span.source.text:
        return True
    problems.add(
        "S011", node.span, said=said, current=CURRENT, hint=f"`umpire migrate {name}` writes it in today's words"
    )
    return False


class Migration(Struct):
    """A file of version `said`: its text as it is, and as one of the version that was wanted."""

    said: int
    before: str
    after: str


def migrate_file(name: str, to: int, since: int | None, problems: Problems, *, write: bool = True) -> Migration | None:
    """A file by its path, migrated where it lies; None with a problem where it cannot be read or written.

    `since` is what a file is whose head says no version.
    """
    source = read_file(Path(name), problems)
    root = read(source, problems) if source is not None else None
    said = schema_of(root, problems) if root is not None else None
    if source is None or root is None or said is None or problems.has_errors:
        return None
    if since is not None and root.get("schema") is None:
        said = since
    if said > CURRENT:
        can_be_read(root, problems)
        return None
    text = migrated(source, said, to, problems)
    if text is None or (write and text != source.text and not write_file(name, text, problems, was=source.text)):
        return None
    return Migration(said, source.text, text)


def migrated(
    source: Source,
    said: int,
    to: int,
    problems: Problems,
    steps: Mapping[int, Step] | None = None,
    *,
    stamp: bool = True,
) -> str | None:
    """The text of a file of version `said` as one of version `to`; None where it cannot be read at all.

    Each step reads the text that the one before it left. `stamp`: the head says the new version, if it said one.
    """
    steps = STEPS if steps is None else steps
    text = source.text
    for version in range(said, to):
        root = read(Source(source.name, text), problems)
        if root is None:
            return None
        edits = steps[version](root) if version in steps else []
        node = root.get("schema")
        if stamp and isinstance(node, Scalar):
            edits.append(Edit(node.at(0, len(node.text)), str(version + 1)))
        text = carried_out(text, edits)
    return text


def carried_out(text: str, edits: list[Edit]) -> str:
    """The text with its edits, which do not overlap."""
    for edit in sorted(edits, key=lambda e: e.span.start, reverse=True):
        text = text[: edit.span.start] + edit.text + text[edit.span.end :]
    return text


# ---- 0 → 1: names that have become words of the language
_BECAME_WORDS = ("all", "are", "deals", "evenly", "except", "limit")


def names_that_became_words(root: Tree) -> list[Edit]:
    """A file that calls something `limit` calls it `the-limit`, wherever it speaks of it.

    Only what the file itself names, or patches below it, is meant: elsewhere these words are the language's.
    """
    declared = set(_declared(root))
    said = {word for s in _sentences(root) for _, _, word in _words(s.text)}
    edits = []
    for word in _BECAME_WORDS:
        if word in declared:
            fresh = f"the-{word}"
            while fresh in said:
                fresh += "-too"
            edits += [Edit(s.at(a, b), fresh) for s in _sentences(root) for a, b, w in _words(s.text) if w == word]
    return edits


STEPS: dict[int, Step] = {0: names_that_became_words}


def _declared(root: Tree) -> Iterator[str]:
    """The names that titles and the keys of lines say."""
    first = {word.split(" ")[0] for word in title_words()}
    for heading in _page(root):
        changes = heading.key.text == "change"
        for entry in heading.value if isinstance(heading.value, Tree) else ():
            key = entry.key.text.split("[")[0].split(" if ")[0]
            if not changes and key.split(" ")[0] in first:
                key = key.partition(" ")[2]
            yield from re.findall(r"[a-z][\w-]*", key)
            yield from _lines(entry.value)


def _lines(node: Node) -> Iterator[str]:
    for entry in node if isinstance(node, Tree) else ():
        yield from re.findall(r"[a-z][\w-]*", entry.key.text.split("[")[0].split(",")[0])[-1:]
        yield from _lines(entry.value)


def _page(root: Tree) -> Iterator[Entry]:
    """What is no head: the headings, and the changes."""
    head = schema(RULE_FILE)["properties"]
    return (e for e in root if e.key.text == "change" or e.key.text not in head)


def _sentences(root: Tree) -> Iterator[Scalar]:
    """Every text below a heading, keys as well; titles without the word that says what they are."""
    for heading in _page(root):
        yield from _texts(heading.value)


def _texts(node: Node) -> Iterator[Scalar]:
    match node:
        case Scalar():
            yield node
        case Sequence():
            for item in node:
                yield from _texts(item)
        case Tree():
            for entry in node:
                yield entry.key
                yield from _texts(entry.value)


def _words(text: str) -> Iterator[tuple[int, int, str]]:
    """(start, end, word) of each name in a sentence; what stands in quotes is for people, in brackets clauses."""
    bare = re.sub(r"'[^']*'|\[[^\]]*\]", lambda m: " " * len(m[0]), text)
    for found in re.finditer(r"(?<![\w-])[a-z][\w-]*", bare):
        yield found.start(), found.end(), found.group()
