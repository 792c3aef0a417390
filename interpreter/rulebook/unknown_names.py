"""Reports unknown names, with suggestions, or with the meaning that the word has elsewhere.

Input: a word, and the names that are allowed. Output: a problem. It does not know types.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from typing import Any

from interpreter.document.nodes import Scalar
from interpreter.language import nodes as n
from interpreter.source import Problems
from interpreter.vocabulary.operations import FUNCTIONS

from .book import Book, kind_of_irregular_plural, plural, verb_forms
from .construct import with_article
from .definitions import unknown
from .scope import Cards, Scope
from .symbols import Kind

# Words from other languages or plain English, with their equivalents in this language.
_ELSE_WORDS = {
    "reroll": "a failed die is thrown once more with `again if …`",
    "rerolls": "a failed die is thrown once more with `again if …`",
    "all": "how many is said with a number: as many as there are is their own name, such as `loses x x`",
    "everyone": "several things are named with what they have in common, such as `units where …`",
    "nobody": "the absence of somebody is `none`, and `no …` asks for it",
    "null": "the absence of something is `none`",
    "this": "the subject of a title is said by its name, and an item of a `where` is `it`",
    "self": "the subject of a title is said by its name, and an item of a `where` is `it`",
}


class UnknownNames:
    """Reports names that are unknown in their place, with suggestions."""

    def __init__(self, book: Book, problems: Problems, cards: Cards) -> None:
        self.book, self.problems, self.cards = book, problems, cards

    def sayable(self, scope: Scope) -> list[str]:
        """Return all names that may be used in a scope."""
        words = [*scope.known(), *FUNCTIONS, *self.book.plurals, *self.book.tables, *self.book.rulings]
        words += [w for card, _ in scope.cards() for w in self.cards.names(card.type)]
        words += [w for w in self.book.words if w]
        return words

    def tell(
        self,
        word: str,
        at: Scalar,
        node: n.Node,
        what: str,
        known: Iterable[str],
        elsewhere: str | None = None,
        scope: Scope | None = None,
    ) -> None:
        """Report a name that is unknown as `what`; `known` are suggestions, `elsewhere` is a hint if none is close.
        Hints refer to things by their names in `scope`.
        """
        known = list(known)
        if (kind := kind_of_irregular_plural(word, self.book.kinds)) is not None:
            known = []
            elsewhere = f"the plural of `{kind.name}` is made with `s`: say `{kind.plural}`"
        name = n.Name(node.start, node.start + len(word), word)
        if word in self.book.kinds and "actor" in known:
            elsewhere = f"say `actor`, who did it; or say `for each {word}` in the rule's title, and each is asked"
            known = []
        elif any(word in k.attributes and k.attributes[word].is_mark for k in self.book.kinds.values()):
            known = []  # the mark exists and only lacks a subject: suggest no other word
        if word in self.book.procedures and at.text[name.end : name.end + 1] == ".":
            known = []  # a line of it is meant, so no other word is suggested
        if word == "it":
            here = next((f": here say `{w}`" for w in known if w in self.book.kinds), "")
            elsewhere = f"`it` is whom a `where` asks{here}"
            known = []
        card, called = scope.cards()[0] if scope is not None and scope.cards() else (None, "")
        if card is not None and called == "it":
            item = card.type.of.name if isinstance(card.type.of, Kind) else None
            if word == item or re.search(rf"\bfor each {re.escape(word)} in\b", at.text):
                elsewhere, known = f"whom a `where` or a `usually` asks is `it`: say `it` for `{word}`", []
        if word == "owner":
            elsewhere, known = self._owner(known), []
        meaning = self.elsewhere(word, known, scope)
        if meaning is not None and word not in _ELSE_WORDS and what.startswith(("line, ", "value, ", "part of ")):
            known = []  # the name exists but is in the wrong position
        elsewhere = elsewhere or meaning
        if what.startswith("mark of ") and (
            other := [k.name for k in self.book.kinds.values() if word in k.attributes]
        ):
            article = with_article(other[0])
            elsewhere = f"`{word}` is a mark of {article}, and nothing else gains it: declare one of another name"
        unknown(self.problems, at, name, what, known, elsewhere)

    def _owner(self, known: Iterable[str]) -> str | None:
        """A hint for `owner` if nothing in scope has one."""
        owners = [(k.name, k.owner.name) for k in self.book.kinds.values() if k.owner is not None and not k.counted]
        here = [owner for _, owner in owners if owner in known]
        if here:
            return f"whoever owns the others has no owner: here it is `{here[0]}` itself"
        return f"`owner` is asked of {with_article(owners[0][0])}: say whose, as `….owner`" if owners else None

    def elsewhere(self, word: str, known: Iterable[str], scope: Scope | None = None) -> str | None:
        """Return a hint on the meaning of a word elsewhere; None if it has none."""
        book = self.book
        if word in _ELSE_WORDS:
            return _ELSE_WORDS[word]
        if word[:1].isupper() and word.lower() in (*book.kinds, *book.plurals, *book.values, *known):
            return f"names in rules are lower case: `{word.lower()}`"
        if word[:1].isupper() and any(k.find(word.lower()) for k in book.kinds.values()):
            return f"names in rules are lower case: `{word.lower()}`"
        if re.fullmatch(r"[0-9]*D[0-9]+", word):
            return f"dice are written with a small letter: `{word.lower()}`"
        left, dash, right = word.partition("-")
        if dash and left in known and (right in known or right.isdigit()):
            return f"a minus has a space on both sides: `{left} - {right}`"
        marked = [x.name for x in book.tables.values() if word in x.marks]
        if marked:
            return f"`{word}` is a mark of {' and of '.join(marked)}: ask a row of it `… is {word}`"
        tables = book.words.get(word)
        if tables:
            return f"`{word}` is a row of {' and of '.join(x.name for x in tables)}"
        columns = [x.name for x in book.tables.values() if word in x.columns]
        if columns:
            return f"`{word}` is a column of {' and of '.join(columns)}: ask a row of it `….{word}`"
        symbols: list[tuple[str, Any]] = [
            ("a value", book.values),
            ("a roll", book.rolls),
            ("a procedure", book.procedures),
            ("a kind", book.kinds),
            ("a fact", book.facts),
        ]
        for what, named in symbols:
            if word in named and named is book.rolls and scope is not None and scope.things():
                return f"`{word}` is a roll: ask the line that throws it"
            if word in named:
                subject = getattr(named[word], "subject", None) or getattr(named[word], "kind", None)
                whose = self._whose(subject, scope) if subject else None
                of = f" of {with_article(subject.name)}: say whose" if subject else ", and cannot stand here"
                if whose and named is not book.facts:
                    of += f", as `{whose}.{word}`"
                if subject and named is book.facts:
                    args = [whose or "…"]
                    for param in named[word].params:
                        of_kind = param.type.of if isinstance(param.type.of, Kind) else None
                        args.append((of_kind and self._whose(of_kind, scope, args)) or "…")
                    of = f" of {with_article(subject.name)}: say whose, as `{word}({', '.join(args)})`"
                if named is book.kinds and not named[word].counted:
                    of = f": all of them are `{plural(word)}`, as in `any ({plural(word)} where …)`"
                if named is book.procedures and subject:
                    return (
                        f"`{word}` is a procedure: a line calls it, `done: {subject.name} {verb_forms(word)[1]}`, and "
                        f"those below ask `done.LINE`; what a mark or a rule does by it is a line in `{word}` itself"
                    )
                return f"`{word}` is {what}{of}"
        holders = [kind.name for kind in book.kinds.values() if word in kind.attributes]
        if holders:
            mark = book.kinds[holders[0]].attributes[word].is_mark

            whose = self._whose(book.kinds[holders[0]], scope)
            as_ = f", as `….{word}` or `… where {word}`" if mark else ""
            if whose is not None:
                as_ = f", as `{whose} is {word}`" if mark else f", as `{whose}.{word}`"
            return f"`{word}` is {'a mark' if mark else 'on the card'} of {with_article(holders[0])}: say whose{as_}"
        return None

    def _whose(self, kind: Kind, scope: Scope | None, but: Collection[str] = ()) -> str | None:
        """An expression for a thing of the kind in a scope: its name, or `NAME.owner`; None if there is none besides
        the names `but`.
        """
        names = [(name, e.type.of) for name, e in (scope.every_name() if scope is not None else {}).items()]
        here = [(name, of) for name, of in names if isinstance(of, Kind) and name[:1].islower()]
        held = [(of.root.owner.name, of.root.owner) for _, of in here if of.counted and of.root.owner is not None]
        for name, of in (*held, *here):
            if of.is_a(kind) and name not in but:
                return name
        owned = [f"{name}.{kind.name}" for name, of in (*held, *here) if of.root.owner and of.root.owner.is_a(kind)]
        return next((name for name in owned if name not in but), None)
