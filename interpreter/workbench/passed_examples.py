"""A persistent record of the examples of a rule set that passed, keyed by their content.

Takes a rule set, and passed examples. Tells whether an example has passed before, under the same rules and the same
code of Umpire, so that `test` and `coverage` do not run unchanged examples again. Comments, names and places do not
count as changes. Failures are never recorded. Knows nothing of how an example is run.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from interpreter import cache, disk
from interpreter.digests import digest
from interpreter.document.nodes import Mapping, Node, Scalar

from .examples import Example
from .rule_sets import RuleSet


class PassedExamples:
    """The examples of one rule set that passed, in this or an earlier process."""

    def __init__(self, rules: RuleSet) -> None:
        self.rules = rules
        self._question = ("held", cache.search_context(), rules.name)
        self._state = digest_of_rules([rules])
        state, clauses = cache.load(self._question) or ("", {})
        self._clauses: dict[str, frozenset[str] | None] = clauses if state == self._state else {}

    def __contains__(self, example: Example) -> bool:
        return self._mark(example) in self._clauses

    def clauses(self, example: Example) -> frozenset[str] | None:
        """The clauses that a run of the example carried out; None if they are unknown."""
        return self._clauses.get(self._mark(example))

    def keep(self, examples: Iterable[tuple[Example, frozenset[str] | None]]) -> None:
        """Record that these examples passed too, each with its clauses, or None."""
        marked = ((self._mark(example), said) for example, said in examples)
        new = {
            m: said for m, said in marked if m not in self._clauses or (self._clauses[m] is None and said is not None)
        }
        if new:
            self._clauses |= new
            cache.store(self._question, disk.InputTracker(), (self._state, self._clauses))

    def _mark(self, example: Example) -> str:
        return mark_of(self.rules, example.body.span.text)


def mark_of(rules: RuleSet, text: str) -> str:
    """A digest that identifies an example by its content, independent of its name and place."""
    return digest(f"{rules.name}\n{text}".encode())[:12]


def digest_of_rules(sets: Sequence[RuleSet]) -> str:
    """A digest of the code of Umpire and of all rules of these sets, without examples and comments."""
    return digest("\n".join([cache.code_fingerprint(), *map(content_of_rules, sets)]).encode())


def content_of_rules(rules: RuleSet) -> str:
    """The content of the files of a rule set, without examples and comments."""
    return "\n".join(f"{sheet.name} {sheet.laid}\n{content_of(sheet.root)}" for sheet in rules.sheets)


def content_of(node: Node) -> str:
    """The content of a tree, without comments, places and examples."""
    if isinstance(node, Scalar):
        return repr(node.text)
    if isinstance(node, Mapping):
        entries = (e for e in node if not e.key.text.startswith("example "))
        return "{" + ", ".join(f"{e.key.text!r}: {content_of(e.value)}" for e in entries) + "}"
    return "[" + ", ".join(map(content_of, node.items)) + "]"
