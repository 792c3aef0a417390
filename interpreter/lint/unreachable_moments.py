"""Checks for marks and rules attached to a moment that never occurs.

Takes the checker of a checked book without errors, the file to check, and the words of all examples of all files that
it builds on; adds findings at the moment. A turn and a battle begin and end where a line or an example says so; a
procedure without effect occurs where a line calls it or an example runs it; one with an effect is an entry point for
players.
"""

from __future__ import annotations

import re

from interpreter.rulebook import typed as t
from interpreter.rulebook.book import verb_forms
from interpreter.rulebook.construct import with_article
from interpreter.rulebook.moments import SPANS
from interpreter.rulebook.procedures import Checker
from interpreter.rulebook.symbols import Attribute, Hook, Procedure, RuleDef
from interpreter.source import Problems, Source, Span

from .unused_declarations import Words, texts_of

_NOTHING = r"nothing\s*(\[.*\])?\s*"


def check_unreachable_moments(checker: Checker, problems: Problems, top: Source, shown: Words) -> None:
    """Report the moments of the file `top` that never occur (P032)."""
    book = checker.book
    if len(book.header.over) > 1:
        return  # written for several games: a moment may occur in another one
    waiting: dict[Attribute | RuleDef, list[Hook]] = {}
    for hook in book.hooks:
        bound = hook.mark or hook.rule
        if bound is not None:
            waiting.setdefault(bound, []).append(hook)
    mine = [hooks for hooks in waiting.values() if hooks[0].scalar.span.source is top]
    if not mine:
        return
    moments, reported = _Moments(checker, shown), set[Span]()
    for hooks in mine:
        hints = [moments.missing_hint(hook) for hook in hooks]
        if "" in hints:
            continue  # one of its moments occurs, or may
        for hook, hint in zip(hooks, hints, strict=True):
            name = hook.rule.name if hook.rule is not None else hook.mark.name if hook.mark is not None else ""
            head = hook.moment.path.parts[0]
            said = hook.scalar.text[hook.moment.start : hook.moment.path.end]
            place = hook.scalar.at(head.start, head.start + len(head.name))
            if place in reported:
                continue  # a mark that ends `after next` has two hooks at one place
            reported.add(place)
            problems.add("P032", place, name=name.removeprefix("fresh-"), moment=said, hint=hint)


def can_happen(checker: Checker, hook: Hook, shown: set[str]) -> bool:
    """Whether the moment of a mark or rule can occur, given the words of examples."""
    return not _Moments(checker, lambda: shown).missing_hint(hook)


class _Moments:
    """The moments that occur in lines and examples, computed on demand."""

    def __init__(self, checker: Checker, shown: Words) -> None:
        self.checker = checker
        self._shown = shown
        self._words: set[str] | None = None
        self._spans: set[tuple[str, str]] | None = None
        self._called: set[Procedure] | None = None

    def missing_hint(self, hook: Hook) -> str:
        """A hint on how to make the moment of a hook occur; empty if it does, or may."""
        head = hook.moment.path.parts[0].name
        procedure = self.checker.book.procedures.get(head)
        if procedure is not None:
            return self._procedure_hint(procedure)
        if head == "move":
            hint = "nothing moves: say `unit moves …` in the line where it happens, or in an example"
            return "" if self._has_moves() else hint
        if moment := self.checker.book.moments.get(head):
            hint = f"nothing is one: end the title of a procedure in `, {with_article(head)}`, or name a mark here"
            found = any(m.procedures or not self._gained_marks().isdisjoint(m.marks) for m in moment.with_inner())
            return "" if found else hint
        if head not in SPANS:
            return ""
        verb = "begins" if hook.when == "before" else "ends"
        if (head, verb) in self._stated_spans() or f"{head} {verb}" in self._example_words():
            return ""
        return f"a line of a procedure says when it comes, or the `do:` of an example: `{head} {verb}`"

    def _procedure_hint(self, procedure: Procedure) -> str:
        forms = verb_forms(procedure.name)
        if not self._is_empty(procedure) or procedure in self._called_procedures() or self._example_words() & {*forms}:
            return ""
        return f"nobody calls `{procedure.name}`: say `{forms[1]}` in the line where it happens, or in an example"

    def _example_words(self) -> set[str]:
        if self._words is None:
            self._words = self._shown()
        return self._words

    def _stated_spans(self) -> set[tuple[str, str]]:
        """The beginnings and ends of turns and battles that lines state."""
        if self._spans is None:
            self._spans = {
                (m[1], m[2])
                for text in self._rule_texts()
                for m in re.finditer(r"\b(turn|battle) (begins|ends)\b", text)
            }
        return self._spans

    def _gained_marks(self) -> set[Attribute]:
        """The marks that a line of a procedure sets."""
        procedures = self.checker.book.procedures.values()
        return {step.attribute for p in procedures for step in self.checker.procedure(p).inside[t.SetAttr]}

    def _rule_texts(self) -> list[str]:
        """The texts of all lines of procedures, outcome tables and rules."""
        book = self.checker.book
        pages = [book.pages.owners[symbol] for symbol in (*book.procedures.values(), *book.rules.values())]
        said = [d.text.text for d in pages if d.text is not None]
        return said + [text for d in pages for entry, _ in d.entries for text in texts_of(entry)]

    def _has_moves(self) -> bool:
        """Whether a line moves something, or an example does."""
        return any(re.search(r"\bmoves?(?![\w-])", text) for text in self._rule_texts()) or bool(
            self._example_words() & {"move", "moves"}
        )

    def _called_procedures(self) -> set[Procedure]:
        """The procedures that another procedure or a rule calls."""
        if self._called is None:
            found: set[Procedure] = set()
            for procedure in self.checker.book.procedures.values():
                calls = {c.procedure for c in self.checker.procedure(procedure).inside[t.Call]}
                found |= calls - {procedure}
            for steps in self.checker.definitions.found.woven.values():
                found.update(c.procedure for c in t.by_class(tuple(steps))[t.Call])
            self._called = found
        return self._called

    def _is_empty(self, procedure: Procedure) -> bool:
        definition = self.checker.book.pages.owners[procedure]
        if definition.text is not None:
            return bool(re.fullmatch(_NOTHING, definition.text.text))
        values = [entry.value for entry, _ in definition.entries]
        return all(re.fullmatch(_NOTHING, getattr(value, "text", "")) for value in values)
