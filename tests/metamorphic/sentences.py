"""Laws about one sentence: brackets, the order of what can be said in any order, two ways to say one thing."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

from interpreter.language import nodes
from interpreter.source.values import is_value, parts

from .game import Game, NotApplicable, blocks, definitions, fresh, said, uncited
from .law import changing
from .lines import SURELY, value_of, with_more

THROWING = (nodes.Dice, nodes.Pool, nodes.Counting, nodes.Tests, nodes.Wishes, nodes.Lots, nodes.Barred)
EXPRESSIONS = (
    nodes.Number, nodes.Path, nodes.Group, nodes.Calc, nodes.Compare, nodes.Same, nodes.Member, nodes.Quantified,
    nodes.And, nodes.Or, nodes.Not, nodes.Inches, nodes.Banded, nodes.Every,
)  # fmt: skip


@dataclass
class Said:
    """A sentence of a file: where it stands (`holder[key]`, or the key itself), its text and its tree."""

    holder: dict[str, Any]
    key: str
    start: str
    text: str
    node: nodes.Node
    title: str
    is_key: bool = False

    def say(self, text: str) -> None:
        """Another text in its place; one that is no sentence is not tried."""
        if said(text, self.start) is None:
            raise NotApplicable
        if not self.is_key:
            self.holder[self.key] = text
            return
        items = [(text if key == self.key else key, value) for key, value in self.holder.items()]
        if len(dict(items)) != len(items):
            raise NotApplicable
        self.holder.clear()
        self.holder.update(items)


def sentences(made: dict[str, Any]) -> Iterator[Said]:
    """Lines of procedures and rules with their keys, lines of values and rolls."""
    for block in blocks(made):
        for key, text in block.items():
            node = said(text, "line") if isinstance(text, str) and text else None
            if node is not None:
                yield Said(block.lines, key, "line", text, node, block.title)
            node = said(key, "line_key")
            if node is not None and "," in key:
                yield Said(block.lines, key, "line_key", key, node, block.title, True)
    for _, title, body in definitions(made):
        if re.match(r"(value|roll) ", title) and isinstance(body, dict):
            for key, text in body.items():
                node = said(text, "adjust") if isinstance(text, str) and text else None
                if node is not None:
                    yield Said(body, key, "adjust", text, node, title)


def walk(node: Any) -> Iterator[nodes.Node]:
    """All nodes of a syntax tree, the outer before the inner."""
    if isinstance(node, tuple):
        for each in node:
            yield from walk(each)
    elif is_value(node):
        yield node
        for each in parts(node):
            if isinstance(each, tuple) or is_value(each):
                yield from walk(each)


def throws(node: nodes.Node) -> bool:
    return any(isinstance(each, THROWING) for each in walk(node))


def put(text: str, node: nodes.Node, new: str) -> str:
    return text[: node.start] + new + text[node.end :]


def of(text: str, node: nodes.Node) -> str:
    return text[node.start : node.end]


def a_sentence(game: Game, dice: Random, able: Any) -> tuple[Game, int, dict[str, Any], Said, nodes.Node]:
    """A sentence of the game with a node of it for which `able(sentence, node)`."""
    index = dice.randrange(len(game.files))
    made = game.tree(index)
    found = [(s, n) for s in sentences(made) for n in walk(s.node) if able(s, n)]
    if not found:
        raise NotApplicable
    sentence, node = dice.choice(found)
    return game, index, made, sentence, node


@changing
def brackets_around_a_part(game: Game, dice: Random) -> Game:
    """Brackets around what belongs together anyhow change no answer."""
    game, index, made, sentence, node = a_sentence(game, dice, lambda _, n: isinstance(n, EXPRESSIONS))
    if isinstance(node, nodes.Number) and sentence.text[node.end :].startswith((" of ", " from ")):
        raise NotApplicable  # a plain 1 of some is one of them, and a number that is worked out is how many
    sentence.say(put(sentence.text, node, f"({of(sentence.text, node)})"))
    return game.with_tree(made, index)


@changing
def the_other_way_round(game: Game, dice: Random) -> Game:
    """Sums, products, `and`, `or`, comparisons, `min` and `max` may be said the other way round."""
    game, index, made, sentence, node = a_sentence(game, dice, _turns)
    text = sentence.text
    if isinstance(node, nodes.Part):
        assert node.args is not None
        first, *rest = (of(text, a) for a in node.args)
        new = f"{node.name}({', '.join([*rest, first])})"
    else:
        a, b = f"({of(text, node.left)})", f"({of(text, node.right)})"  # type: ignore[attr-defined]
        match node:
            case nodes.And():
                new = f"{b} and {a}"
            case nodes.Or():
                new = f"{b} or {a}"
            case nodes.Same():
                new = f"{b} is {'not ' if node.negated else ''}{a}"
            case nodes.Compare(op=op):
                new = f"{b} {op.translate(str.maketrans('<>', '><'))} {a}"
            case nodes.Calc(op=op):
                new = f"{b} {op} {a}"
            case _:
                raise NotApplicable
        new = f"({new})" if isinstance(node, nodes.Calc) else new
    sentence.say(put(text, node, new))
    return game.with_tree(made, index)


def _turns(_: Said, node: nodes.Node) -> bool:
    match node:
        case nodes.Calc(op=op):
            return op in "+*"
        case nodes.And() | nodes.Or():
            return not throws(node)
        case nodes.Compare(op=op):
            return op != "!="
        case nodes.Part(name=name, args=args):
            return name in ("min", "max") and args is not None and len(args) > 1
        case nodes.Same(right=right):
            return isinstance(right, nodes.Path) and len(right.parts) > 1
    return False


@changing
def said_twice(game: Game, dice: Random) -> Game:
    """`A if C else A` is A; `C and C` and `C or C` are C; what throws no dice may be said twice."""
    game, index, made, sentence, node = a_sentence(game, dice, _repeats)
    text, old = sentence.text, of(sentence.text, node)
    if isinstance(node, nodes.Line):
        action = sentence.text[node.action.start : node.action.end]
        new = dice.choice(
            [f"{action} if {dice.choice(SURELY)} else {action}", f"{action} if 1 = 2 else {action}"]
            + [f"{action} if not 1 = 1 else ({action})", f"({action}) if {dice.choice(SURELY)} else {action}"]
        )
        sentence.say(new + uncited(text)[1])
    else:
        sentence.say(put(text, node, dice.choice([f"({old} and ({old}))", f"(({old}) or ({old}))"])))
    return game.with_tree(made, index)


def _repeats(sentence: Said, node: nodes.Node) -> bool:
    if isinstance(node, nodes.Line):
        action = value_of(sentence.text)
        simple = isinstance(action, nodes.Path | nodes.Calc | nodes.Number | nodes.Group | nodes.Compare | nodes.Same)
        return simple and action is not None and not throws(action)
    return isinstance(node, nodes.Compare | nodes.Same | nodes.Quantified | nodes.Member) and not throws(node)


@changing
def more_of_a_condition(game: Game, dice: Random) -> Game:
    """A condition of a modifier, of a `where` or between two values that says more and nothing new changes no answer."""
    holds = (nodes.Where, nodes.Either, nodes.Adjust)
    game, index, made, sentence, node = a_sentence(
        game, dice, lambda _, n: isinstance(n, holds) and n.condition is not None
    )
    sentence.say(with_more(sentence.text, node.condition, dice))  # type: ignore[attr-defined]
    return game.with_tree(made, index)


@changing
def the_other_branch(game: Game, dice: Random) -> Game:
    """`A if C else B` is `B if not C else A`."""
    game, index, made, sentence, node = a_sentence(game, dice, lambda _, n: isinstance(n, nodes.Either))
    assert isinstance(node, nodes.Either)
    if throws(node.condition):
        raise NotApplicable
    a, c, b = (of(sentence.text, n) for n in (node.value, node.condition, node.other))
    sentence.say(put(sentence.text, node, f"({b}) if not ({c}) else ({a})"))
    return game.with_tree(made, index)


@changing
def ruling_in_the_place_of_a_number(game: Game, dice: Random) -> Game:
    """A number may be called by a name: that of a ruling whose first reading it is."""
    game, index, made, sentence, node = a_sentence(
        game, dice, lambda s, n: isinstance(n, nodes.Number) and not _counts(s, n)
    )
    assert isinstance(node, nodes.Number)
    name = fresh(game, dice)
    sentence.say(put(sentence.text, node, name))
    heading = next(h for h in made if h[:1].isupper() and isinstance(made[h], dict))
    made[heading][f"ruling {name}"] = f"{node.value}, or {node.value + 1}"
    return game.with_tree(made, index)


def _counts(sentence: Said, number: nodes.Node) -> bool:
    """Whether a number is more than its worth where it stands: `gains 2 pins`, `+1`, a bound, `1 of units at random`."""
    if any(isinstance(n, nodes.Lots | nodes.Pick) and n.count is number for n in walk(sentence.node)):
        return True  # one of some is one thing, and so many of them are several
    before = sentence.text[: number.start].rstrip()
    held = (nodes.Change, nodes.Deals)
    return (before.endswith(("+", "-", "of")) and isinstance(sentence.node, nodes.Adjust)) or any(
        isinstance(n, held) for n in walk(sentence.node)
    )


@changing
def value_in_the_place_of_a_number(game: Game, dice: Random) -> Game:
    """A number may be worked out: by a value that is always that number."""
    game, index, made, sentence, node = a_sentence(
        game, dice, lambda s, n: isinstance(n, nodes.Number) and not _counts(s, n)
    )
    assert isinstance(node, nodes.Number)
    kind = _subject(sentence.title)
    if kind is None:
        raise NotApplicable
    name, n = fresh(game, dice), node.value
    sentence.say(put(sentence.text, node, name))
    heading = next(h for h in made if h[:1].isupper() and isinstance(made[h], dict))
    made[heading][f"value {name} of {kind}"] = dice.choice(
        [str(n), {"base": str(n)}, {"base": str(n + 1), "lower": "-1"}, {"base": str(n + 2), "cap": f"at most {n}"}]
    )
    return game.with_tree(made, index)


def _subject(title: str) -> str | None:
    """The kind of what a definition is about."""
    read = said(title, "title")
    if not isinstance(read, nodes.Title):
        return None
    if read.what in ("value", "roll"):
        return read.of.text if read.of is not None else None
    if read.what != "procedure" or not read.params:
        return None
    kind = read.params[0].kind or read.params[0].name
    return kind.text
