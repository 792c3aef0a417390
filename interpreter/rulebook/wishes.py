"""Reads `choose:` of a situation: how single choices are made, line by line, and which named policies apply.

Enters: the node, and the things of the situation. Leaves: `Override`s and `Followed`s; or a problem at a word that is
neither. Which choice a line names is resolved later, when the procedure is known.
"""

from __future__ import annotations

import re
from typing import Any

from interpreter.document.nodes import Entry, Mapping, Node, Scalar
from interpreter.language import nodes as n

from .book import Book
from .definitions import unknown
from .sentences import Sentences
from .situation import Followed, Override, Shifted, Thing, texts
from .symbols import Where

EVERYBODY = "everybody"
_SIGN = r"\s*(?:[:=]>?|->|[,;]|is(?![\w-]))\s*"
_LINE = r"[A-Za-z][\w-]*(?:\.[\w-]+)*"
_HOW = ("most", "fewest", "yes", "no", "any")


class Wishes:
    def __init__(self, book: Book, sentences: Sentences, names: dict[str, Thing]) -> None:
        self.book, self.sentences, self.names = book, sentences, names
        self.problems = sentences.problems
        self.found: list[Override] = []
        self.followed: list[Followed] = []

    def read(self, node: Node | None) -> tuple[list[Override], list[Followed]]:
        """The overrides and the named policies: `careful` for all, `A: careful` for one side."""
        if isinstance(node, Mapping):
            for number, entry in enumerate(node):
                if not texts(entry.value):
                    self._unsaid(entry.key, node.entries[number - 1] if number else None)
                for scalar in texts(entry.value):
                    if scalar.text.startswith("<") and ">" not in scalar.text and number + 1 < len(node.entries):
                        continue  # alternatives that a comma in braces cut: the rest of them is told
                    self._entry(entry.key, scalar, 0)
        else:
            for scalar in texts(node):
                self._text(scalar)
        return self.found, self.followed

    def _text(self, scalar: Scalar) -> None:
        """Read a text: `LINE HOW`, or the name of a policy."""
        text = scalar.text
        name = re.match(_LINE, text)
        if name is None or text.strip() in self.book.policies:
            inner = text.strip().strip("{}").strip()
            hint = f"without the quotes: `choose: {{{inner}}}`" if inner != text.strip() else None
            self._follow(None, Where(scalar, 0, len(text)), hint)
            return
        sign = re.compile(_SIGN).match(text, name.end())
        if name.group() in _HOW or text.strip() == name.group():
            hint = "say of which line, as `choose: {LINE: " + text.strip() + "}`"
            if name.group() not in _HOW:
                hint = "a line is said with how it is chosen, as `choose: {" + name.group() + ": most}`"
            self._follow(None, Where(scalar, 0, len(text)), hint)
            return
        if sign is not None and (said := sign.group().strip()) not in (":", "="):
            start = text.index(said, sign.start())
            hint = f"say `choose: {{{name.group()}: {text[sign.end() :].strip() or 'most'}}}`"
            self.problems.add("L001", scalar.at(start, start + len(said)), what="choice", found=said, hint=hint)
            return
        skip = sign.end() if sign is not None else name.end() + 1
        self._entry(scalar.part(*name.span()), scalar, skip)

    def _unsaid(self, key: Scalar, before: Entry | None) -> None:
        name, _, rest = key.text.partition(" ")
        hint = f"say `choose: {{{name}: {rest.strip() or 'most'}}}`"
        if before is not None and isinstance(before.value, Scalar):
            quoted = f"`{before.key.text}: '{before.value.text}, {key.text}'`"
            hint = f"in braces a comma begins the next line: quote what belongs together, {quoted}"
        self.problems.add("F016", key.span, wanted="a colon, and how it is chosen", hint=hint)

    def _entry(self, key: Scalar, scalar: Scalar, skip: int) -> None:
        place: Any = Shifted(scalar.text[skip:], scalar, -skip) if skip else scalar
        whose, dot, line = key.text.partition(".") if key.text[:1].isupper() else ("", "", key.text)
        if whose and whose not in self.names:
            named = n.Name(0, len(whose), whose)
            known = [name for name in self.names if " " not in name]
            unknown(self.problems, key, named, "thing here", [*([] if dot else [EVERYBODY]), *known])
        elif key.text == EVERYBODY or (whose and not line):
            start = skip + len(place.text) - len(place.text.lstrip())
            self._follow(whose or None, Where(scalar, start, len(scalar.text.rstrip())))
        else:
            read = self.sentences.read(place, "policy", n.Policy)
            if read is not None:
                where = key.at(len(whose + dot), len(key.text))
                self.found.append(Override(line, read.wishes, place, where, whose or None))

    def _follow(self, whose: str | None, where: Where, hint: str | None = None) -> None:
        known = self.book.policies
        if where.text in known:
            self.followed.append(Followed(whose, known[where.text], where.span))
        else:
            unknown(self.problems, where.scalar, n.Name(where.start, where.end, where.text), "policy", known, hint)
