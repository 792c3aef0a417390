"""Reads a mark between two things in the description of a thing: `unit A: green, locked with B`.

Enters: the trait, and the things of the situation. Leaves: the other thing on the card. Knows nothing of other traits.
"""

from __future__ import annotations

from interpreter.document.nodes import Scalar
from interpreter.language import nodes as n
from interpreter.source import Problems, offer

from .situation import Thing
from .symbols import Attribute


def state_between(
    mark: Attribute,
    trait: n.Trait,
    at: Scalar,
    one: Thing | None,
    names: dict[str, Thing],
    problems: Problems,
) -> None:
    """Add the other thing to the mark of `one`, and the reverse for a mark that is both ways; report a mistake."""
    span = at.at(trait.start, trait.end)
    other = trait.value.names[0].text if isinstance(trait.value, n.Words) else ""
    if one is None or not mark.between:
        label, hint = "this is no mark between two", f"say `{mark.name}`"
        problems.add("T018", span, mark=mark.name, label=label, hint=hint)
    elif trait.word != mark.word:
        label, hint = f"it is {mark.word} somebody", f"say `{mark.name} {mark.word} {other}`"
        problems.add("T018", span, mark=mark.name, label=label, hint=hint)
    elif other == one.name:
        problems.add("T018", span, mark=mark.name, label="nobody has it with itself", hint="name another one")
    elif other not in names or not names[other].kind.is_a(mark.type.of):
        close = problems.nearest(other, [x.name for x in names.values() if x.kind.is_a(mark.type.of)], span)
        problems.add("F014", span, name=other, **offer(span, close[:1]))
    else:
        _put(one, mark, other)
        if mark.both_ways:
            _put(names[other], mark, one.name)


def _put(thing: Thing, mark: Attribute, other: str) -> None:
    thing.values[mark] = tuple(sorted({*thing.values.get(mark, ()), other}))
