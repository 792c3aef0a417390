"""Builds the syntax tree of sentences, with one method for each rule of the grammar, of the same name.

Each method takes the offsets of the match and the children, and returns an immutable node of nodes.py. This module does
not know YAML, which names exist, or games.
"""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Any

from interpreter.source.digits import any_digits

from . import nodes as n
from .lr_parser import Meta, Token

Children = list[Any]


def name_of(token: Token) -> n.Name:
    """Return the name that a token spells, with its offsets."""
    return n.Name(token.start_pos, token.end_pos, str(token))


def names_of(children: Children) -> tuple[n.Name, ...]:
    """Return a name for each child that is a token, ignoring the others."""
    return tuple(name_of(c) for c in children if isinstance(c, Token))


def cites_of(children: Children) -> n.Cites:
    """Return the first tuple among the children, which holds the citations; empty if there is none."""
    return next((c for c in children if isinstance(c, tuple)), ())


def nodes_of(children: Children) -> list[Any]:
    """Return the children that are nodes, in order."""
    return [c for c in children if isinstance(c, n.Node)]


def inches_of(text: str) -> Fraction:
    """Return the number of inches in a text, with or without the inch sign: `2.5"` → 5/2. Raises ValueError."""
    return Fraction(text.rstrip('"'))


class SentenceBuilder:
    """The rules for lines, expressions and situations.

    Children are nodes, tokens, tuples of citations, or None for an absent optional part.
    """

    # ---- words shared by everything
    def cite(self, meta: Meta, c: Children) -> n.Cites:
        inner = str(c[0])[1:-1]
        return tuple(
            n.Name(meta.start_pos + 1 + m.start(), meta.start_pos + 1 + m.end(), m.group())
            for m in re.finditer(r"[^\s,][^,]*[^\s,]|[^\s,]", inner)
        )

    # ---- lines
    def line(self, meta: Meta, c: Children) -> n.Line:
        return n.Line(meta.start_pos, meta.end_pos, c[0], cites_of(c))

    def either(self, meta: Meta, c: Children) -> n.Either:
        return n.Either(meta.start_pos, meta.end_pos, *c)

    def where(self, meta: Meta, c: Children) -> n.Where:
        return n.Where(meta.start_pos, meta.end_pos, c[0], c[1] and name_of(c[1]), c[2])

    def pick(self, meta: Meta, c: Children) -> n.Pick:
        return n.Pick(meta.start_pos, meta.end_pos, c[0], False, c[1], c[2], c[3] or ())

    def pick_up_to(self, meta: Meta, c: Children) -> n.Pick:
        return n.Pick(meta.start_pos, meta.end_pos, c[0], True, c[1], c[2], c[3] or ())

    def pick_number(self, meta: Meta, c: Children) -> n.PickNumber:
        return n.PickNumber(meta.start_pos, meta.end_pos, c[0], c[1], c[2], c[3] or ())

    def usually(self, meta: Meta, c: Children) -> tuple[n.Preference, ...]:
        return tuple(_keyword(x) if isinstance(x, Token) else x for x in c)

    def policy(self, meta: Meta, c: Children) -> n.Policy:
        return n.Policy(meta.start_pos, meta.end_pos, self.usually(meta, c))

    def gains(self, meta: Meta, c: Children) -> n.Change:
        return n.Change(meta.start_pos, meta.end_pos, c[0], True, c[2], c[3] and name_of(c[3]))

    def loses(self, meta: Meta, c: Children) -> n.Change:
        return n.Change(meta.start_pos, meta.end_pos, c[0], False, c[2], c[3] and name_of(c[3]))

    def loses_all(self, meta: Meta, c: Children) -> n.Change:
        return n.Change(meta.start_pos, meta.end_pos, c[0], False, None, name_of(c[2]))

    def deals(self, meta: Meta, c: Children) -> n.Deals:
        who, amount, what, _by, measure, items, usually = c
        return n.Deals(meta.start_pos, meta.end_pos, who, amount, name_of(what), measure, items, usually or ())

    def leaves(self, meta: Meta, c: Children) -> n.Leaves:
        return n.Leaves(meta.start_pos, meta.end_pos, c[0])

    def becomes(self, meta: Meta, c: Children) -> n.Becomes:
        return n.Becomes(meta.start_pos, meta.end_pos, c[0], c[1])

    def moves(self, meta: Meta, c: Children) -> n.Moves:
        return n.Moves(meta.start_pos, meta.end_pos, c[0], False, c[2], c[3])

    def moves_up_to(self, meta: Meta, c: Children) -> n.Moves:
        return n.Moves(meta.start_pos, meta.end_pos, c[0], True, c[2], c[3])

    def moves_way(self, meta: Meta, c: Children) -> n.Moves:
        return n.Moves(meta.start_pos, meta.end_pos, c[0], False, None, c[2])

    def way(self, meta: Meta, c: Children) -> n.Way:
        goal: Any = next((x for x in c if isinstance(x, n.Node)), None)
        return n.Way(meta.start_pos, meta.end_pos, str(c[0]), goal)

    def does(self, meta: Meta, c: Children) -> n.Does:
        subject, verb, *rest = c
        args: Any = tuple(x for x in rest if isinstance(x, n.Node) and not isinstance(x, n.Prepositional))
        preps = tuple(x for x in rest if isinstance(x, n.Prepositional))
        return n.Does(meta.start_pos, meta.end_pos, subject, name_of(verb), args, preps)

    def prepositional(self, meta: Meta, c: Children) -> n.Prepositional:
        return n.Prepositional(meta.start_pos, meta.end_pos, c[0], c[1])

    def umpire(self, meta: Meta, c: Children) -> n.Umpire:
        return n.Umpire(meta.start_pos, meta.end_pos, str(c[0])[1:-1])

    def nothing(self, meta: Meta, c: Children) -> n.Nothing:
        return n.Nothing(meta.start_pos, meta.end_pos)

    # ---- expressions
    def or_(self, meta: Meta, c: Children) -> n.Or:
        return n.Or(meta.start_pos, meta.end_pos, c[0], c[1])

    def and_(self, meta: Meta, c: Children) -> n.And:
        return n.And(meta.start_pos, meta.end_pos, c[0], c[1])

    def not_(self, meta: Meta, c: Children) -> n.Not:
        return n.Not(meta.start_pos, meta.end_pos, c[1])

    def compare(self, meta: Meta, c: Children) -> n.Compare:
        return n.Compare(meta.start_pos, meta.end_pos, str(c[1]), c[0], c[2])

    def same(self, meta: Meta, c: Children) -> n.Same:
        return n.Same(meta.start_pos, meta.end_pos, c[0], c[-1], any(_is_not(x) for x in c))

    def is_a(self, meta: Meta, c: Children) -> n.IsA:
        return n.IsA(meta.start_pos, meta.end_pos, c[0], name_of(c[-1]), any(_is_not(x) for x in c))

    def extreme(self, meta: Meta, c: Children) -> n.Extreme:
        return n.Extreme(meta.start_pos, meta.end_pos, c[0], str(c[1]) == "most")

    def member(self, meta: Meta, c: Children) -> n.Member:
        return n.Member(meta.start_pos, meta.end_pos, c[0], c[-1], any(_is_not(x) for x in c))

    def wishes(self, meta: Meta, c: Children) -> n.Wishes:
        return n.Wishes(meta.start_pos, meta.end_pos, c[0], () if c[1] is None else (_keyword(c[1]),))

    def tests(self, meta: Meta, c: Children) -> n.Tests:
        return n.Tests(meta.start_pos, meta.end_pos, c[0], str(c[1]) == "passes", c[2])

    def quantified(self, meta: Meta, c: Children) -> n.Quantified:
        return n.Quantified(meta.start_pos, meta.end_pos, str(c[0]) == "any", c[1])

    def every(self, meta: Meta, c: Children) -> n.Every:
        return n.Every(meta.start_pos, meta.end_pos, c[0], c[1])

    def barred(self, meta: Meta, c: Children) -> n.Barred:
        return n.Barred(meta.start_pos, meta.end_pos, c[0], c[1])

    def lots(self, meta: Meta, c: Children) -> n.Lots:
        return n.Lots(meta.start_pos, meta.end_pos, c[0], c[1])

    def calc(self, meta: Meta, c: Children) -> n.Calc:
        return n.Calc(meta.start_pos, meta.end_pos, str(c[1]), c[0], c[2])

    def counting(self, meta: Meta, c: Children) -> n.Counting:
        return n.Counting(meta.start_pos, meta.end_pos, str(c[1]), c[0], c[2])

    def pool(self, meta: Meta, c: Children) -> n.Pool:
        return n.Pool(meta.start_pos, meta.end_pos, c[0])

    def banded(self, meta: Meta, c: Children) -> n.Banded:
        return n.Banded(meta.start_pos, meta.end_pos, c[0], c[1])

    def related(self, meta: Meta, c: Children) -> n.Related:
        return n.Related(meta.start_pos, meta.end_pos, c[0], str(c[1]), c[2])

    def int_(self, meta: Meta, c: Children) -> n.Number:
        return n.Number(meta.start_pos, meta.end_pos, int(c[0]))

    def target(self, meta: Meta, c: Children) -> n.Target:
        return n.Target(meta.start_pos, meta.end_pos, int(str(c[0])[:-1]))

    def dist(self, meta: Meta, c: Children) -> n.Inches:
        return n.Inches(meta.start_pos, meta.end_pos, inches_of(str(c[0])))

    def _dice(self, token: Token) -> n.Dice:
        count, sides = str(token).rstrip('"').split("d")
        return n.Dice(token.start_pos, token.end_pos, int(count or 1), int(sides))

    def dice_(self, meta: Meta, c: Children) -> n.Dice:
        return self._dice(c[0])

    def dice_dist(self, meta: Meta, c: Children) -> n.Dice:
        dice = self._dice(c[0])
        return n.Dice(dice.start, dice.end, dice.count, dice.sides, inches=True)

    def bool_(self, meta: Meta, c: Children) -> n.Truth:
        return n.Truth(meta.start_pos, meta.end_pos, str(c[0]) == "true")

    def none(self, meta: Meta, c: Children) -> n.Absent:
        return n.Absent(meta.start_pos, meta.end_pos)

    def group(self, meta: Meta, c: Children) -> n.Group:
        return n.Group(meta.start_pos, meta.end_pos, c[0], tuple(c[1:]))

    def made(self, meta: Meta, c: Children) -> n.Made:
        given = tuple([part for part in c[1:] if isinstance(part, n.Given)])
        source = c[-1] if not isinstance(c[-1], n.Given) else None
        return n.Made(meta.start_pos, meta.end_pos, name_of(c[0]), given, source)

    def given(self, meta: Meta, c: Children) -> n.Given:
        return n.Given(meta.start_pos, meta.end_pos, str(c[0]), c[1])

    def path(self, meta: Meta, c: Children) -> n.Path:
        return n.Path(meta.start_pos, meta.end_pos, tuple(c))

    def part(self, meta: Meta, c: Children) -> n.Part:
        args = tuple(x for x in c[1:] if x is not None)
        return n.Part(meta.start_pos, meta.end_pos, str(c[0]), args or None)

    def case_part(self, meta: Meta, c: Children) -> n.Part:
        return n.Part(meta.start_pos, meta.end_pos, str(c[0]), None)

    # ---- situations
    def thing(self, meta: Meta, c: Children) -> n.Thing:
        return n.Thing(meta.start_pos, meta.end_pos, tuple(c))

    def counted(self, meta: Meta, c: Children) -> n.Counted:
        number = n.Number(c[0].start_pos, c[0].end_pos, int(c[0]))
        return n.Counted(meta.start_pos, meta.end_pos, number, tuple([x for x in c if isinstance(x, n.Trait)]))

    def how_many(self, meta: Meta, c: Children) -> n.Trait:
        number = n.Number(c[0].start_pos, c[0].end_pos, int(c[0]))
        return n.Trait(meta.start_pos, meta.end_pos, "count", name_of(c[1]), number)

    def trait_word(self, meta: Meta, c: Children) -> n.Trait:
        return n.Trait(meta.start_pos, meta.end_pos, "word", name_of(c[0]), None)

    def trait_is(self, meta: Meta, c: Children) -> n.Trait:
        value = c[1]
        if isinstance(value, Token) and value.type in ("NAME", "THING"):
            value = n.Words(value.start_pos, value.end_pos, (name_of(value),))
        elif isinstance(value, Token):
            value = self._cell(value)
        return n.Trait(meta.start_pos, meta.end_pos, "is", name_of(c[0]), value)

    def trait_with(self, meta: Meta, c: Children) -> n.Trait:
        other = name_of(c[2])
        value = n.Words(other.start, other.end, (other,))
        return n.Trait(meta.start_pos, meta.end_pos, "is", name_of(c[0]), value, c[1])

    def trait_not(self, meta: Meta, c: Children) -> n.Trait:
        return n.Trait(meta.start_pos, meta.end_pos, "not", name_of(c[-1]), None)

    def stated(self, meta: Meta, c: Children) -> n.Stated:
        return n.Stated(meta.start_pos, meta.end_pos, tuple(c))

    def fact_is(self, meta: Meta, c: Children) -> n.StatedFact:
        return n.StatedFact(meta.start_pos, meta.end_pos, c[0], c[1], False)

    def fact_not(self, meta: Meta, c: Children) -> n.StatedFact:
        return n.StatedFact(meta.start_pos, meta.end_pos, c[1], None, True)

    def fact_true(self, meta: Meta, c: Children) -> n.StatedFact:
        return n.StatedFact(meta.start_pos, meta.end_pos, c[0], None, False)

    def throws(self, meta: Meta, c: Children) -> n.Throws:
        throws: list[n.Throw] = []
        for child in c:
            if isinstance(child, n.Path):
                throws.append(n.Throw(child.start, child.end, child, ()))
            else:
                last = throws[-1]
                throws[-1] = n.Throw(last.start, child.end_pos, last.path, (*last.faces, int(child)))
        return n.Throws(meta.start_pos, meta.end_pos, tuple(throws))

    def chance(self, meta: Meta, c: Children) -> n.OddsOf:
        return n.OddsOf(meta.start_pos, meta.end_pos, *_fraction_range(c), False, c[2])

    def mean(self, meta: Meta, c: Children) -> n.OddsOf:
        return n.OddsOf(meta.start_pos, meta.end_pos, *_fraction_range(c), True, c[2])

    def _cell(self, token: Token | n.Dice) -> n.Cell:
        if not isinstance(token, Token):
            return token
        start, end, text = token.start_pos, token.end_pos, str(token)
        if token.type == "BAND":
            parts = text.split("/")
            return n.Band(start, end, tuple(inches_of(p) for p in parts), '"' in text)
        if token.type == "TARGET":
            return n.Target(start, end, int(text[:-1]))
        if token.type == "DIST":
            return n.Inches(start, end, inches_of(text))
        return n.Number(start, end, int(text))

    def prep(self, meta: Meta, c: Children) -> str:
        return str(c[0])


def _fraction_range(c: Children) -> tuple[Fraction, Fraction]:
    return _fraction(c[0]), _fraction(c[1] or c[0])


def _fraction(token: Token) -> Fraction:
    with any_digits():
        return Fraction(str(token))


def _keyword(token: Token) -> n.Keyword:
    """`most`, `fewest`, `yes`, `no`, `any`, or the last word of `usually yes`."""
    return n.Keyword(token.start_pos, token.end_pos, str(token).rsplit(" ", 1)[-1])


def word_path(token: Token) -> n.Path:
    """Return a path of a single word, with the offsets of the token."""
    start, end = token.start_pos, token.end_pos
    return n.Path(start, end, (n.Part(start, end, str(token), None),))


def _is_not(child: Any) -> bool:
    return isinstance(child, Token) and child.type == "NOT"
