"""Parses the dice and choices of a situation: `dice:`, faces by line or one list for all throws; `choose:`, how single
choices are made, by line, and which named policies apply.

Input: the node, the procedure, the things of the situation. Output: a `Script`; `Override`s and `FollowedPolicy`s; or a
problem at a word that names nothing, or at a face that its die does not have. The choice that a line names is resolved
later, when the procedure is known. It does not know how dice are thrown.
"""

from __future__ import annotations

import re
from collections.abc import Mapping as Known
from typing import Any

from interpreter.document.nodes import Entry, Mapping, Node, Scalar
from interpreter.language import nodes as n
from interpreter.source import Problems, suggest
from interpreter.source.values import Struct

from .addressing import Addressing, Named
from .book import Book
from .definitions import unknown
from .reached import Thrown
from .sentences import Sentences
from .sheets import visibility_at
from .situation import FollowedPolicy, Override, Script, Shifted, Thing, texts
from .symbols import Where

_PLAIN = r"[0-9\s,/]*"
_WORD = r"[^\s,/]+"
_FACE = r"[0-9]{1,3}"


class Face(Struct):
    """A stated face of a die, which may be one that no die has."""

    value: int
    where: Where


class ScriptReader:
    """Parses the `dice:` of situations: `read` returns the faces by line, or one list for all throws."""

    def __init__(self, sentences: Sentences) -> None:
        self.sentences = sentences
        self.problems: Problems = sentences.problems

    def read(self, node: Node | None, lines: Addressing) -> Script:
        script = Script()
        entries: list[tuple[str, Where, list[Face]]] = []
        plain: list[Face] = []
        if isinstance(node, Mapping):
            for entry in node:
                faces = [
                    face for scalar in texts(entry.value) for face in self._faces(Where(scalar, 0, len(scalar.text)))
                ]
                entries.append((entry.key.text, Where(entry.key, 0, len(entry.key.text)), faces))
        else:
            for scalar in texts(node):
                if re.fullmatch(_PLAIN, scalar.text):
                    plain += self._faces(Where(scalar, 0, len(scalar.text)))
                    continue
                found = self.sentences.read(scalar, "throws", n.Throws)
                for throw in found.throws if found else ():
                    faces = self._faces(Where(scalar, throw.path.end, throw.end))
                    entries.append((".".join(p.name for p in throw.path.parts), _place(scalar, throw.path), faces))
        if node is not None and not isinstance(node, Mapping):
            script.whole = node.span
        for key, where, faces in entries:
            script.by_line.setdefault(key, []).extend([face.value for face in faces])
            script.places.setdefault(key, where.span)
        script.all += [face.value for face in plain]
        if node is not None and not self.problems.has_errors:
            self._check(entries, plain, lines, script)
        return script

    def _faces(self, where: Where) -> list[Face]:
        found = []
        for match in re.compile(_WORD).finditer(where.scalar.text, where.start, where.end):
            place = Where(where.scalar, *match.span())
            if re.fullmatch(_FACE, match.group()):
                found.append(Face(int(match.group()), place))
            else:
                self.problems.add("F010", place.span, found=match.group(), wanted="the face of a die")
        return found

    # ---- checks against the dice of the rules
    def _check(
        self, entries: list[tuple[str, Where, list[Face]]], plain: list[Face], lines: Addressing, to: Script
    ) -> None:
        known = lines.reached.dice(lines.root)
        best: dict[str, tuple[bool, int]] = {}
        for key, where, faces in entries:
            named = lines.named(key, known, visibility=visibility_at(lines.reached.checker.book.history, where.span))
            if not named.lines:
                self._no_line(key, where, named, known)
                continue
            for address in named.lines:  # dice for a case take precedence over those for its line
                rank = key.rpartition(".")[2] == address.rpartition(".")[2], len(key)
                if rank >= best.get(address, (False, 0)):
                    best[address], to.of[address] = rank, key
            to.lines |= named.lines
            self._check_faces(faces, {a: known[a] for a in named.lines})
        self._check_faces(plain, known)

    def _no_line(self, key: str, where: Where, named: Named, known: Known[str, Thrown]) -> None:
        if named.callers:
            callers = " and ".join(f"`{caller}`" for caller in named.callers[:4])
            hint = (
                f"{callers} call it alike: say `{named.others[0]}`, with the faces of all in the order they are thrown"
            )
            self.problems.add("F019", where.span, name=key, hint=hint)
        else:
            close = self.problems.nearest(key, _ends(known), where.span)
            hint = "dice are thrown by " + _or(sorted(known)[:8]) if known else "nothing that is done here throws dice"
            self.problems.add("F019", where.span, name=key, **suggest(where.span, close[:1], hint))

    def _check_faces(self, faces: list[Face], dice: Known[str, Thrown]) -> None:
        sides = [thrown.sides for thrown in dice.values()]
        most = max((s for s in sides if s is not None), default=0)
        if None in sides or not most:
            return
        for face in faces:
            if not 1 <= face.value <= most:
                lines = [a for a, thrown in dice.items() if thrown.sides == most]
                hint = f"thrown by {_or(lines)}" if len(lines) == 1 else None
                self.problems.add("F006", face.where.span, die=f"d{most}", face=face.value, hint=hint)


def _place(scalar: Scalar, node: n.Node) -> Where:
    return Where(scalar, node.start, node.end)


def _or(addresses: Known[str, object] | list[str] | tuple[str, ...]) -> str:
    return " or ".join(f"`{address}`" for address in addresses)


def _ends(addresses: Known[str, object]) -> list[str]:
    """All suffixes of the addresses, each of which may name a line."""
    return sorted({a.split(".", k)[-1] for a in addresses for k in range(a.count(".") + 1)})


EVERYBODY = "everybody"
_SIGN = r"\s*(?:[:=]>?|->|[,;]|is(?![\w-]))\s*"
_LINE = r"[A-Za-z][\w-]*(?:\.[\w-]+)*"
_HOW = ("most", "fewest", "yes", "no", "any")


class ChoiceReader:
    """Parses the `choose:` of one situation: `read` returns the choices that it settles, and the named policies that it
    follows. `names` are its things by name.
    """

    def __init__(self, book: Book, sentences: Sentences, names: dict[str, Thing]) -> None:
        self.book, self.sentences, self.names = book, sentences, names
        self.problems = sentences.problems
        self.found: list[Override] = []
        self.followed: list[FollowedPolicy] = []

    def read(self, node: Node | None) -> tuple[list[Override], list[FollowedPolicy]]:
        """Return the overrides and the named policies: `careful` for all, `A: careful` for one side."""
        if isinstance(node, Mapping):
            for number, entry in enumerate(node):
                if not texts(entry.value):
                    self._unsaid(entry.key, node.entries[number - 1] if number else None)
                for scalar in texts(entry.value):
                    if scalar.text.startswith("<") and ">" not in scalar.text and number + 1 < len(node.entries):
                        continue  # alternatives cut by a comma in braces are reported elsewhere
                    self._entry(entry.key, scalar, 0)
        else:
            for scalar in texts(node):
                self._text(scalar)
        return self.found, self.followed

    def _text(self, scalar: Scalar) -> None:
        """Parse a text: `LINE HOW`, or the name of a policy."""
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
            self.followed.append(FollowedPolicy(whose, known[where.text], where.span))
        else:
            unknown(self.problems, where.scalar, n.Name(where.start, where.end, where.text), "policy", known, hint)
