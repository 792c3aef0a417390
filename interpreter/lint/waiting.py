"""Marks and rules that wait for a moment that nothing in the game ever brings about.

Enters: a checked book without errors, the file in hand and the words of all examples of all files that it builds on.
Leaves: findings at the moment. A turn and a battle begin and end where somebody says so; a procedure is done where a
line calls it or an example does it; one that does something is a way in, which players take by themselves.
"""

from __future__ import annotations

import re

from interpreter.rulebook import typed as t
from interpreter.rulebook.moments import SPANS
from interpreter.rulebook.procedures import ProcedureChecker
from interpreter.rulebook.symbols import Attribute, Hook, Procedure, RuleDef
from interpreter.rulebook.verbs import verb_forms
from interpreter.source import Problems, Source, Span

from .unused import Words, texts_of

_NOTHING = re.compile(r"nothing\s*(\[.*\])?\s*")
_MOVES = re.compile(r"\bmoves?(?![\w-])")
_SAID = re.compile(r"\b(turn|battle) (begins|ends)\b")


def check_waiting(checker: ProcedureChecker, problems: Problems, top: Source, shown: Words) -> None:
    book = checker.book
    if len(book.header.over) > 1:
        return  # made for several games: what one of them never does, another may
    waiting: dict[Attribute | RuleDef, list[Hook]] = {}
    for hook in book.hooks:
        waits = hook.mark or hook.rule
        if waits is not None:
            waiting.setdefault(waits, []).append(hook)
    mine = [hooks for hooks in waiting.values() if hooks[0].scalar.span.source is top]
    if not mine:
        return
    moments, told = _Moments(checker, shown), set[Span]()
    for hooks in mine:
        missed = [moments.missed(hook) for hook in hooks]
        if "" in missed:
            continue  # one of its moments comes, or may
        for hook, hint in zip(hooks, missed, strict=True):
            name = hook.rule.name if hook.rule is not None else hook.mark.name if hook.mark is not None else ""
            head = hook.moment.path.parts[0]
            said = hook.scalar.text[hook.moment.start : hook.moment.path.end]
            place = hook.scalar.at(head.start, head.start + len(head.name))
            if place in told:
                continue  # a mark that ends after the next such moment minds where it begins, too
            told.add(place)
            problems.add("P032", place, name=name.removeprefix("fresh-"), moment=said, hint=hint)


def comes(checker: ProcedureChecker, hook: Hook, shown: set[str]) -> bool:
    """Whether what a mark or a rule waits for comes about, or may, where examples say the words `shown`."""
    return not _Moments(checker, lambda: shown).missed(hook)


class _Moments:
    """What lines and examples bring about; each is found out when it is first asked for."""

    def __init__(self, checker: ProcedureChecker, shown: Words) -> None:
        self.checker = checker
        self._shown = shown
        self._words: set[str] | None = None
        self._spans: set[tuple[str, str]] | None = None
        self._called: set[Procedure] | None = None

    def missed(self, hook: Hook) -> str:
        """Why the moment of a hook never comes; nothing where it comes, or may."""
        head = hook.moment.path.parts[0].name
        procedure = self.checker.book.procedures.get(head)
        if procedure is not None:
            return self._undone(procedure)
        if head == "move":
            hint = "nothing moves: say `unit moves …` in the line where it happens, or in an example"
            return "" if self._anybody_moves() else hint
        if head not in SPANS:
            return ""
        verb = "begins" if hook.when == "before" else "ends"
        if (head, verb) in self._spoken() or f"{head} {verb}" in self._examples():
            return ""
        return f"a line of a procedure says when it comes, or the `do:` of an example: `{head} {verb}`"

    def _undone(self, procedure: Procedure) -> str:
        forms = verb_forms(procedure.name)
        if not self._says_nothing(procedure) or procedure in self._calls() or self._examples() & {*forms}:
            return ""
        return f"nobody calls `{procedure.name}`: say `{forms[1]}` in the line where it happens, or in an example"

    def _examples(self) -> set[str]:
        if self._words is None:
            self._words = self._shown()
        return self._words

    def _spoken(self) -> set[tuple[str, str]]:
        """The moments of the table that lines say."""
        if self._spans is None:
            self._spans = {(m[1], m[2]) for text in self._lines() for m in _SAID.finditer(text)}
        return self._spans

    def _lines(self) -> list[str]:
        """What the lines of procedures, of outcomes and of rules say."""
        book = self.checker.book
        pages = [book.owners[symbol] for symbol in (*book.procedures.values(), *book.rules.values())]
        said = [d.text.text for d in pages if d.text is not None]
        return said + [text for d in pages for entry, _ in d.entries for text in texts_of(entry)]

    def _anybody_moves(self) -> bool:
        """Whether a line moves something, or an example does."""
        return any(_MOVES.search(text) for text in self._lines()) or bool(self._examples() & {"move", "moves"})

    def _calls(self) -> set[Procedure]:
        """The procedures that another one calls, or a rule."""
        if self._called is None:
            found: set[Procedure] = set()
            for procedure in self.checker.book.procedures.values():
                calls = {c.procedure for c in self.checker.procedure(procedure).inside[t.Call]}
                found |= calls - {procedure}
            for steps in self.checker.definitions.found.woven.values():
                found.update(c.procedure for c in t.by_class(tuple(steps))[t.Call])
            self._called = found
        return self._called

    def _says_nothing(self, procedure: Procedure) -> bool:
        definition = self.checker.book.owners[procedure]
        if definition.text is not None:
            return bool(_NOTHING.fullmatch(definition.text.text))
        values = [entry.value for entry, _ in definition.entries]
        return all(_NOTHING.fullmatch(getattr(value, "text", "")) for value in values)
