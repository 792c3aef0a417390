"""A game as texts, and its files as trees of plain texts that a law may change.

Enters: texts of YAML. Leaves: dictionaries, lists and texts, where the lines of procedures stand in them, and a text of
YAML again. Must not know what a line means.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass, replace
from functools import lru_cache
from random import Random
from typing import Any

import yaml

from interpreter.language import Refusal, nodes, parse
from interpreter.places import LANGUAGE

Plain = Any  # a text, a list or a dictionary of them
Tree = dict[str, Plain]
LOADER = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
CITES = re.compile(r"\s*\[[^\]]*\]$")
TOKEN = re.compile(r"[a-z][a-z0-9-]*")


class NotApplicable(Exception):
    """The law has nothing to change in this game."""


@dataclass(frozen=True)
class Game:
    """`files`: names and texts, undermost first; one with `over:` in its head is laid over those before it."""

    files: tuple[tuple[str, str], ...]
    situation: str
    asks: tuple[str, ...] = ()
    about: str = ""

    def tree(self, index: int = -1) -> Tree:
        return tree(self.files[index][1])

    def stated(self) -> Tree:
        return tree(self.situation)

    def with_tree(self, made: Tree, index: int = -1) -> Game:
        files = list(self.files)
        files[index] = (files[index][0], written(made))
        return replace(self, files=tuple(files))

    def with_file(self, name: str, made: Tree) -> Game:
        return replace(self, files=(*self.files, (name, written(made))))

    def with_situation(self, made: Tree) -> Game:
        return replace(self, situation=written(made))

    def asking(self, asks: tuple[str, ...]) -> Game:
        return replace(self, asks=asks)

    @property
    def texts(self) -> list[str]:
        return [text for _, text in self.files]


@lru_cache(maxsize=64)
def _loaded(text: str) -> Tree:
    return yaml.load(text, LOADER) or {}


def tree(text: str) -> Tree:
    """What the YAML says, every scalar a text; the caller's own to change."""
    return deepcopy(_loaded(text))


def written(data: Tree) -> str:
    """Plain data as YAML; every text is quoted, so that nothing in it is YAML's."""
    return "\n".join(_rows(data, "")) + "\n"


def _rows(data: Tree, indent: str) -> Iterator[str]:
    for key, value in data.items():
        if isinstance(value, dict) and value:
            yield f"{indent}{quoted(key)}:"
            yield from _rows(value, indent + "  ")
        elif isinstance(value, dict):
            yield f"{indent}{quoted(key)}:"
        elif isinstance(value, list):
            yield f"{indent}{quoted(key)}: [{', '.join(quoted(item) for item in value)}]"
        else:
            yield f"{indent}{quoted(key)}:" + (f" {quoted(value)}" if value else "")


def quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


# ---- sentences
def said(text: str, start: str) -> nodes.Node | None:
    """The syntax tree of a sentence, or None where it is none."""
    found = parse(text, start, LANGUAGE)
    return None if isinstance(found, Refusal) else found


def uncited(text: str) -> tuple[str, str]:
    """A key or a line, and the clauses at its end."""
    cites = CITES.search(text)
    return (text[: cites.start()], cites[0]) if cites else (text, "")


def swapped(text: str, old: str, new: str) -> str:
    """Every place where the one word stands, not as a part of another."""
    return re.sub(rf"(?<![\w-]){re.escape(old)}(?![\w-])", new, text)


def fresh(game: Game, dice: Random, stem: str = "zq") -> str:
    """A name that stands nowhere in the game."""
    texts = "\n".join([*game.texts, game.situation])
    while True:
        name = f"{stem}{''.join(dice.choice('bdfgklmnprtv') + dice.choice('aeiu') for _ in range(2))}l"
        if name not in texts:
            return name


# ---- where lines stand
@dataclass
class Block:
    """Lines of a procedure, a rule or an outcome: `lines` is the dictionary in the tree itself."""

    lines: dict[str, Plain]
    title: str
    path: tuple[str, ...]  # names above, from the definition's own
    within: tuple[type[nodes.Node], ...]  # what governs it, outermost first

    def items(self) -> list[tuple[str, Plain]]:
        return list(self.lines.items())

    def put(self, items: list[tuple[str, Plain]]) -> None:
        if len(dict(items)) != len(items):
            raise NotApplicable
        self.lines.clear()
        self.lines.update(items)


def definitions(made: Tree) -> Iterator[tuple[str, str, Plain]]:
    """Heading, title and body of everything that a rule file defines."""
    for heading, body in made.items():
        if heading[:1].isupper() and isinstance(body, dict):
            for title, what in body.items():
                yield heading, title, what


def blocks(made: Tree, situation: bool = False) -> list[Block]:
    """Every block of lines, a definition's own before those inside it."""
    found: list[Block] = []
    if situation:
        if isinstance(made.get("do"), dict):
            _inside(made["do"], "do", ("do",), (), found)
        return found
    for _, title, body in definitions(made):
        read = said(title, "title")
        if not isinstance(read, nodes.Title) or not isinstance(body, dict):
            continue
        name = read.names[0].text
        if read.what in ("procedure", "rule"):
            _inside(body, title, (name,), (), found)
        elif read.what == "outcomes":
            for key, outcome in body.items():
                if isinstance(outcome, dict):
                    _inside(outcome, title, (name, key), (), found)
    return found


def _inside(
    lines: dict[str, Plain], title: str, path: tuple[str, ...], within: tuple[type[nodes.Node], ...], found: list[Block]
) -> None:
    found.append(Block(lines, title, path, within))
    for key, value in lines.items():
        read = said(key, "line_key")
        if not isinstance(value, dict) or not isinstance(read, nodes.LineKey):
            continue
        clauses = tuple(type(c) for c in read.clauses)
        here, around = (*path, read.name.text), (*within, *clauses)
        if nodes.By in clauses or nodes.PicksOne in clauses:
            for _case, inner in value.items():
                if isinstance(inner, dict):
                    _inside(inner, title, here, around, found)
        else:
            _inside(value, title, here, around, found)


def clauses(key: str) -> tuple[nodes.Node, ...] | None:
    """What governs a line; None where the key is none of a line."""
    read = said(key, "line_key")
    return read.clauses if isinstance(read, nodes.LineKey) else None


def name_of(key: str) -> str:
    return re.split(r"[,\s\[]", key, maxsplit=1)[0]


def otherwise(key: str) -> bool:
    """Whether the line speaks of the one before it."""
    return any(isinstance(c, nodes.Otherwise) for c in clauses(key) or ())


def declared(game: Game) -> Counter[str]:
    """How often each name is given, whatever it names; rather too often than too seldom."""
    found: Counter[str] = Counter()
    for index in range(len(game.files)):
        made = game.tree(index)
        for _, title, _ in definitions(made):
            found.update(TOKEN.findall(title))
        _declared(made, found)
    _declared(game.stated(), found)
    return found


def _declared(data: Plain, found: Counter[str]) -> None:
    if isinstance(data, list):
        for item in data:
            _declared(item, found)
    elif isinstance(data, dict):
        for key, value in data.items():
            found.update(TOKEN.findall(name_of(key)))
            for one, two in re.findall(r"for each ([a-z][\w-]*) in|deals ([a-z][\w-]*) evenly", key):
                found.update([one or two])
            _declared(value, found)
    else:
        found.update(re.findall(r"\bas ([a-z][\w-]*) where", data))
        if re.match(r"[a-z-]+(, [a-z-]+)+$", data):  # words in order
            found.update(TOKEN.findall(data))
