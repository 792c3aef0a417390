"""Which examples of a rule set have held, kept in the user's cache folder by what they say.

Enters: a rule set, and examples as they are found to hold. Leaves: whether one held before, under the same rules and
the same code of Umpire: so neither `test` nor `coverage` runs again what has not changed. A comment, a name or a place
changes nothing. What fails is never kept. Knows nothing of how an example is run.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from interpreter import cache, disk
from interpreter.document.nodes import Mapping, Node, Scalar

from .examples import Example
from .rule_sets import RuleSet


class Held:
    """The examples of one rule set that held, in this or an earlier process."""

    def __init__(self, rules: RuleSet) -> None:
        self.rules = rules
        self._question = ("held", cache.here(), rules.name)
        self._state = digest_of_rules([rules])
        state, clauses = cache.recall(self._question) or ("", {})
        self._clauses: dict[str, frozenset[str] | None] = clauses if state == self._state else {}

    def __contains__(self, example: Example) -> bool:
        return self._mark(example) in self._clauses

    def clauses(self, example: Example) -> frozenset[str] | None:
        """The clauses that its play carried out; None where it has to be run to know all there is to tell of it."""
        return self._clauses.get(self._mark(example))

    def keep(self, examples: Iterable[tuple[Example, frozenset[str] | None]]) -> None:
        """Keep that these held too, each with what `clauses` gives of it."""
        marked = ((self._mark(example), said) for example, said in examples)
        new = {
            m: said for m, said in marked if m not in self._clauses or (self._clauses[m] is None and said is not None)
        }
        if new:
            self._clauses |= new
            cache.keep(self._question, disk.Watch(), (self._state, self._clauses))

    def _mark(self, example: Example) -> str:
        return mark_of(self.rules, example.body.span.text)


def mark_of(rules: RuleSet, text: str) -> str:
    """A digest that identifies an example by what it says, whatever its name and place."""
    return disk.digest(f"{rules.name}\n{text}".encode())[:12]


def digest_of_rules(sets: Sequence[RuleSet]) -> str:
    """Of the code of Umpire, and of all rules of these sets, without examples and comments."""
    return disk.digest("\n".join([cache.code(), *map(content_of_rules, sets)]).encode())


def content_of_rules(rules: RuleSet) -> str:
    """All that the files of a rule set say, without examples and comments."""
    return "\n".join(f"{sheet.name} {sheet.laid}\n{content_of(sheet.root)}" for sheet in rules.sheets)


def content_of(node: Node) -> str:
    """What a tree says, without its comments and places, and without examples."""
    if isinstance(node, Scalar):
        return repr(node.text)
    if isinstance(node, Mapping):
        entries = (e for e in node if not e.key.text.startswith("example "))
        return "{" + ", ".join(f"{e.key.text!r}: {content_of(e.value)}" for e in entries) + "}"
    return "[" + ", ".join(map(content_of, node.items)) + "]"
