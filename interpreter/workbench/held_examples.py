"""Which examples of a rule set have held, kept in the user's cache folder by what they say.

Enters: a rule set, and examples as they are found to hold. Leaves: whether one held before, under the same rules and
the same code of Umpire: so `coverage` need not run what `test` has run. A comment, a name or a place changes nothing.
What fails is never kept. Knows nothing of how an example is run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

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
        state, marks = cache.recall(self._question) or ("", ())
        self._marks = set(marks if state == self._state else ())

    def __contains__(self, example: Example) -> bool:
        return mark_of(self.rules, example.body.span.text) in self._marks

    def keep(self, examples: Iterable[Example]) -> None:
        """Keep that these held too."""
        known = len(self._marks)
        self._marks |= {mark_of(self.rules, example.body.span.text) for example in examples}
        if len(self._marks) > known:
            cache.keep(self._question, disk.Watch(), (self._state, tuple(sorted(self._marks))))


def mark_of(rules: RuleSet, text: str) -> str:
    """A digest that identifies an example by what it says, whatever its name and place."""
    return disk.digest(f"{rules.name}\n{text}".encode())[:12]


def digest_of_rules(sets: Sequence[RuleSet]) -> str:
    """Of the code of Umpire, and of all rules of these sets, without examples and comments."""
    return disk.digest("\n".join([cache.code(), *map(said_by, sets)]).encode())


def said_by(rules: RuleSet) -> str:
    """All that the files of a rule set say, without examples and comments."""
    return "\n".join(f"{sheet.name} {sheet.laid}\n{_rules(sheet.root)}" for sheet in rules.sheets)


def _rules(root: Mapping) -> str:
    return said_of(root, lambda key: not key.startswith("example "))


def said_of(node: Node, kept: Callable[[str], bool] = lambda key: True) -> str:
    """What a tree says, without comments and places: of its keys, and those below them, the ones that are kept."""
    if isinstance(node, Scalar):
        return repr(node.text)
    if isinstance(node, Mapping):
        return "{" + ", ".join(f"{e.key.text!r}: {said_of(e.value, kept)}" for e in node if kept(e.key.text)) + "}"
    return "[" + ", ".join(said_of(each, kept) for each in node.items) + "]"
