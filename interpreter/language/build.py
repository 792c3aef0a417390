"""What the grammar found → our nodes. One method a grammar rule, named like it.

Enters: the parts of a rule of rules.lark. Leaves: frozen nodes of nodes.py with offsets into the parsed text.
Knows nothing of YAML, of names that exist, or of games.
"""

from __future__ import annotations

import re
from fractions import Fraction

from interpreter.hints import Any
from interpreter.source.digits import any_digits

from . import nodes as n
from .reader import Meta, Token

_Children = list[Any]


def _name(token: Token) -> n.Name:
    return n.Name(token.start_pos, token.end_pos, str(token))


def _names(children: _Children) -> tuple[n.Name, ...]:
    return tuple(_name(c) for c in children if isinstance(c, Token))


def _cites(children: _Children) -> n.Cites:
    return next((c for c in children if isinstance(c, tuple)), ())


def _nodes(children: _Children) -> list[Any]:
    return [c for c in children if isinstance(c, n.Node)]


def _inches(text: str) -> Fraction:
    return Fraction(text.rstrip('"'))


class Builder:
    """Bottom-up: children are nodes, tokens, tuples of cited ids, or None where a part is absent."""

    # ---- words shared by everything
    def cite(self, meta: Meta, c: _Children) -> n.Cites:
        inner = str(c[0])[1:-1]
        return tuple(
            n.Name(meta.start_pos + 1 + m.start(), meta.start_pos + 1 + m.end(), m.group())
            for m in re.finditer(r"[^\s,][^,]*[^\s,]|[^\s,]", inner)
        )

    # ---- titles
    def _title(self, what: str, meta: Meta, c: _Children, **more: Any) -> n.Title:
        params = tuple(p for child in c if isinstance(child, list) for p in child)
        more.setdefault("params", params)
        return n.Title(meta.start_pos, meta.end_pos, what, cites=_cites(c), **more)

    def kind(self, meta: Meta, c: _Children) -> n.Title:
        name, of, _art, group, _art2, base, _ = c
        return self._title(
            "kind",
            meta,
            c,
            names=(_name(name),),
            of=of and _name(of),
            group=group and _name(group),
            base=base and _name(base),
        )

    def table(self, meta: Meta, c: _Children) -> n.Title:
        return self._title("table", meta, c, names=(_name(c[0]),))

    def outcomes(self, meta: Meta, c: _Children) -> n.Title:
        name, of, _params, _by, by, condition, _ = c
        return self._title("outcomes", meta, c, names=(_name(name),), of=_name(of), by=by, condition=condition)

    def value(self, meta: Meta, c: _Children) -> n.Title:
        return self._title("value", meta, c, names=(_name(c[0]),), of=c[1] and _name(c[1]))

    def limit_(self, meta: Meta, c: _Children) -> n.Title:
        return self._title("limit", meta, c, names=(_name(c[0]),), of=_name(c[1]))

    def roll(self, meta: Meta, c: _Children) -> n.Title:
        _roll, name, of, _params, through, base, on, _ = c
        return self._title(
            "roll",
            meta,
            c,
            names=(_name(name),),
            of=_name(of),
            base=base and _name(base),
            through=through and _name(through),
            on=on and _name(on),
        )

    def mark(self, meta: Meta, c: _Children) -> n.Title:
        names = _names(c)
        return self._title("mark", meta, c, names=names[:-1], of=names[-1])

    def fact(self, meta: Meta, c: _Children) -> n.Title:
        return self._title("fact", meta, c, names=(_name(c[0]),), of=_name(c[1]))

    def procedure(self, meta: Meta, c: _Children) -> n.Title:
        return self._title("procedure", meta, c, names=(_name(c[0]),))

    def rule(self, meta: Meta, c: _Children) -> n.Title:
        name, moments, condition, _ = c
        return self._title(
            "rule", meta, c, names=(_name(name),), moments=tuple(moments), condition=condition, params=()
        )

    def rule_each(self, meta: Meta, c: _Children) -> n.Title:
        name, each, moments, condition, _ = c
        return self._title(
            "rule",
            meta,
            c,
            names=(_name(name),),
            each=_name(each),
            moments=tuple(moments),
            condition=condition,
            params=(),
        )

    def dice(self, meta: Meta, c: _Children) -> n.Title:
        return self._title("dice", meta, c, names=(_name(c[0]),))

    def ruling(self, meta: Meta, c: _Children) -> n.Title:
        return self._title("ruling", meta, c, names=(_name(c[0]),))

    def addition(self, meta: Meta, c: _Children) -> n.Title:
        name, _params, when, anchor, _ = c
        return self._title(
            "add to", meta, c, names=(name,), when=str(when) if when else None, anchor=_name(anchor) if anchor else None
        )

    def dotted(self, meta: Meta, c: _Children) -> n.Name:
        return n.Name(meta.start_pos, meta.end_pos, ".".join(str(part) for part in c))

    def removal(self, meta: Meta, c: _Children) -> n.Title:
        return self._title("remove", meta, c, names=tuple(x for x in c if isinstance(x, n.Name)))

    def example(self, meta: Meta, c: _Children) -> n.Title:
        return self._title("example", meta, c, names=(_name(c[0]),))

    def named_policy(self, meta: Meta, c: _Children) -> n.Title:
        return self._title("policy", meta, c, names=(_name(c[0]),))

    def typical(self, meta: Meta, c: _Children) -> n.Title:
        return self._title("typical", meta, c, names=(_name(c[0]),))

    def subject(self, meta: Meta, c: _Children) -> list[n.Parameter]:
        return list(c)

    def params(self, meta: Meta, c: _Children) -> list[n.Parameter]:
        return list(c)

    def further(self, meta: Meta, c: _Children) -> list[n.Parameter]:
        *word, params = c
        if not word:
            return list(params)
        return [n.Parameter(p.start, p.end, p.name, p.kind, p.by, str(word[0])) for p in params]

    def prep(self, meta: Meta, c: _Children) -> str:
        return str(c[0])

    def param(self, meta: Meta, c: _Children) -> n.Parameter:
        by = len(c) == 3 and c[1] is not None
        kind = c[-1] if not by and len(c) > 1 else None
        return n.Parameter(meta.start_pos, meta.end_pos, _name(c[0]), kind and _name(kind), _name(c[2]) if by else None)

    def plain_param(self, meta: Meta, c: _Children) -> n.Parameter:
        return n.Parameter(meta.start_pos, meta.end_pos, _name(c[0]), _name(c[1]), None)

    def moments(self, meta: Meta, c: _Children) -> list[n.Moment]:
        return list(c)

    def moment(self, meta: Meta, c: _Children) -> n.Moment:
        return n.Moment(meta.start_pos, meta.end_pos, str(c[0]), c[1], c[2] and _name(c[2]))

    def next_moment(self, meta: Meta, c: _Children) -> n.Moment:
        return n.Moment(meta.start_pos, meta.end_pos, "after", c[1], None, after_next=True)

    # ---- one-line bodies
    def attribute(self, meta: Meta, c: _Children) -> n.AttributeType:
        basic: n.AttributeType = c[0]
        optional = any(isinstance(x, Token) and x.type == "OR_NONE" for x in c)
        first: Any = next((x for x in c[1:] if isinstance(x, n.Node)), None)
        word = next((x for x in c[1:] if isinstance(x, Token) and x.type in ("YES", "NO")), None)
        if word is not None:
            first = n.Truth(word.start_pos, word.end_pos, word.type == "YES")
        return n.AttributeType(
            meta.start_pos, meta.end_pos, basic.what, basic.of, basic.low, basic.high, optional, first, _cites(c)
        )

    def _attribute(self, meta: Meta, what: str, of: Token | None = None, low: Any = None, high: Any = None) -> Any:
        return n.AttributeType(
            meta.start_pos, meta.end_pos, what, _name(of) if of else None, low, high, False, None, ()
        )

    def one_of(self, meta: Meta, c: _Children) -> n.AttributeType:
        return self._attribute(meta, "one of", c[0])  # type: ignore[no-any-return]

    def many_of(self, meta: Meta, c: _Children) -> n.AttributeType:
        return self._attribute(meta, "many", c[0])  # type: ignore[no-any-return]

    def one_kind(self, meta: Meta, c: _Children) -> n.AttributeType:
        return self._attribute(meta, "a", c[1])  # type: ignore[no-any-return]

    def number(self, meta: Meta, c: _Children) -> n.AttributeType:
        return self._attribute(meta, "number", None, c[1], c[2])  # type: ignore[no-any-return]

    def inches(self, meta: Meta, c: _Children) -> n.AttributeType:
        return self._attribute(meta, "inches")  # type: ignore[no-any-return]

    def yes_or_no(self, meta: Meta, c: _Children) -> n.AttributeType:
        return self._attribute(meta, "yes or no")  # type: ignore[no-any-return]

    def row(self, meta: Meta, c: _Children) -> n.Row:
        return n.Row(meta.start_pos, meta.end_pos, tuple(_nodes(c)), _cites(c))

    def cell_none(self, meta: Meta, c: _Children) -> n.Absent:
        return n.Absent(meta.start_pos, meta.end_pos)

    def cell_words(self, meta: Meta, c: _Children) -> n.Words:
        return n.Words(meta.start_pos, meta.end_pos, _names(c))

    def cell_named(self, meta: Meta, c: _Children) -> n.Named:
        return n.Named(meta.start_pos, meta.end_pos, _name(c[0]), self._cell(c[1]))

    def cell_value(self, meta: Meta, c: _Children) -> n.Cell:
        return self._cell(c[0])

    def _cell(self, token: Token | n.Dice) -> n.Cell:
        if not isinstance(token, Token):
            return token
        start, end, text = token.start_pos, token.end_pos, str(token)
        if token.type == "BAND":
            parts = text.split("/")
            return n.Band(start, end, tuple(_inches(p) for p in parts), '"' in text)
        if token.type == "TARGET":
            return n.Target(start, end, int(text[:-1]))
        if token.type == "DIST":
            return n.Inches(start, end, _inches(text))
        return n.Number(start, end, int(text))

    def throw_cell(self, meta: Meta, c: _Children) -> n.Dice:
        count, sides = str(c[0]).split("d")
        return n.Dice(meta.start_pos, meta.end_pos, int(count or 1), int(sides), int(c[1] or 0))

    def words(self, meta: Meta, c: _Children) -> n.WordList:
        return n.WordList(meta.start_pos, meta.end_pos, _names(c), _cites(c))

    def ends_until(self, meta: Meta, c: _Children) -> n.Ending:
        moments, condition, limit, _ = c
        return n.Ending(meta.start_pos, meta.end_pos, tuple(moments), condition, False, limit, _cites(c))

    def out_of_play(self, meta: Meta, c: _Children) -> n.Ending:
        return n.Ending(meta.start_pos, meta.end_pos, (), None, True, None, _cites(c[1:]))

    def ends_never(self, meta: Meta, c: _Children) -> n.Ending:
        return n.Ending(meta.start_pos, meta.end_pos, (), None, False, c[0], _cites(c))

    def limit(self, meta: Meta, c: _Children) -> n.Limit:
        return n.Limit(meta.start_pos, meta.end_pos, c[0], _name(c[1]))

    def convention(self, meta: Meta, c: _Children) -> n.Convention:
        die, bound, always, never, _ = c
        return n.Convention(
            meta.start_pos,
            meta.end_pos,
            self._dice(die),
            str(bound) == "over",
            int(always) if always else None,
            int(never) if never else None,
            _cites(c),
        )

    def options(self, meta: Meta, c: _Children) -> n.Options:
        return n.Options(meta.start_pos, meta.end_pos, tuple(_nodes(c)), _cites(c))

    # ---- keys of lines
    def line_key(self, meta: Meta, c: _Children) -> n.LineKey:
        return n.LineKey(meta.start_pos, meta.end_pos, _name(c[0]), tuple(_nodes(c)), _cites(c))

    def if_(self, meta: Meta, c: _Children) -> n.If:
        return n.If(meta.start_pos, meta.end_pos, c[0])

    def otherwise(self, meta: Meta, c: _Children) -> n.Otherwise:
        return n.Otherwise(meta.start_pos, meta.end_pos)

    def together(self, meta: Meta, c: _Children) -> n.Together:
        return n.Together(meta.start_pos, meta.end_pos)

    def by(self, meta: Meta, c: _Children) -> n.By:
        return n.By(meta.start_pos, meta.end_pos, c[1])

    def for_each(self, meta: Meta, c: _Children) -> n.ForEach:
        return n.ForEach(meta.start_pos, meta.end_pos, _name(c[0]), c[1])

    def repeat_until(self, meta: Meta, c: _Children) -> n.RepeatUntil:
        return n.RepeatUntil(meta.start_pos, meta.end_pos, c[0], c[1])

    def repeat_ever(self, meta: Meta, c: _Children) -> n.RepeatUntil:
        return n.RepeatUntil(meta.start_pos, meta.end_pos, None, c[0])

    def repeat_times(self, meta: Meta, c: _Children) -> n.RepeatTimes:
        return n.RepeatTimes(meta.start_pos, meta.end_pos, c[0])

    def picks_one(self, meta: Meta, c: _Children) -> n.PicksOne:
        wish = () if c[1] is None else (_word_path(c[1]),)
        return n.PicksOne(meta.start_pos, meta.end_pos, c[0], wish)

    def rather(self, meta: Meta, c: _Children) -> tuple[n.Preference, ...]:
        return (c[0],)

    def deals_out(self, meta: Meta, c: _Children) -> n.DealsOut:
        who, name, favoured, pool, usually = c
        return n.DealsOut(meta.start_pos, meta.end_pos, who, _name(name), favoured or (), pool, usually or ())

    def case_key(self, meta: Meta, c: _Children) -> n.CaseKey:
        *parts, named, cites = c
        cases = [x if isinstance(x, n.Case) else self._case(x) for x in parts if isinstance(x, n.Case | Token)]
        clauses = [x for x in parts if isinstance(x, n.Clause)]
        name, more = named if named is not None else (None, [])
        return n.CaseKey(meta.start_pos, meta.end_pos, tuple(cases), name, (*clauses, *more), cites or ())

    def case_name(self, meta: Meta, c: _Children) -> tuple[n.Name, list[Any]]:
        return _name(c[0]), list(c[1:])

    def _case(self, token: Token) -> n.Case:
        start, end, text = token.start_pos, token.end_pos, str(token)
        if token.type == "NAME":
            return n.Case(start, end, None, None, text)
        if token.type == "FACES":
            low, high = (int(x) for x in text.split("-"))
            return n.Case(start, end, low, high, None)
        return n.Case(start, end, int(text), int(text), None)

    def more_or_less(self, meta: Meta, c: _Children) -> n.Case:
        value, more = int(c[0]), str(c[1]) == "more"
        return n.Case(meta.start_pos, meta.end_pos, value if more else None, None if more else value, None)

    # ---- lines
    def line(self, meta: Meta, c: _Children) -> n.Line:
        return n.Line(meta.start_pos, meta.end_pos, c[0], _cites(c))

    def either(self, meta: Meta, c: _Children) -> n.Either:
        return n.Either(meta.start_pos, meta.end_pos, *c)

    def where(self, meta: Meta, c: _Children) -> n.Where:
        return n.Where(meta.start_pos, meta.end_pos, c[0], c[1] and _name(c[1]), c[2])

    def pick(self, meta: Meta, c: _Children) -> n.Pick:
        return n.Pick(meta.start_pos, meta.end_pos, c[0], False, c[1], c[2], c[3] or ())

    def pick_up_to(self, meta: Meta, c: _Children) -> n.Pick:
        return n.Pick(meta.start_pos, meta.end_pos, c[0], True, c[1], c[2], c[3] or ())

    def pick_number(self, meta: Meta, c: _Children) -> n.PickNumber:
        return n.PickNumber(meta.start_pos, meta.end_pos, c[0], c[1], c[2], c[3] or ())

    def usually(self, meta: Meta, c: _Children) -> tuple[n.Preference, ...]:
        return tuple(_keyword(x) if isinstance(x, Token) else x for x in c)

    def policy(self, meta: Meta, c: _Children) -> n.Policy:
        return n.Policy(meta.start_pos, meta.end_pos, self.usually(meta, c))

    def gains(self, meta: Meta, c: _Children) -> n.Change:
        return n.Change(meta.start_pos, meta.end_pos, c[0], True, c[2], c[3] and _name(c[3]))

    def loses(self, meta: Meta, c: _Children) -> n.Change:
        return n.Change(meta.start_pos, meta.end_pos, c[0], False, c[2], c[3] and _name(c[3]))

    def loses_all(self, meta: Meta, c: _Children) -> n.Change:
        return n.Change(meta.start_pos, meta.end_pos, c[0], False, None, _name(c[2]))

    def deals(self, meta: Meta, c: _Children) -> n.Deals:
        who, amount, what, _by, measure, items, usually = c
        return n.Deals(meta.start_pos, meta.end_pos, who, amount, _name(what), measure, items, usually or ())

    def leaves(self, meta: Meta, c: _Children) -> n.Leaves:
        return n.Leaves(meta.start_pos, meta.end_pos, c[0])

    def becomes(self, meta: Meta, c: _Children) -> n.Becomes:
        return n.Becomes(meta.start_pos, meta.end_pos, c[0], c[1])

    def moves(self, meta: Meta, c: _Children) -> n.Moves:
        return n.Moves(meta.start_pos, meta.end_pos, c[0], False, c[2], c[3])

    def moves_up_to(self, meta: Meta, c: _Children) -> n.Moves:
        return n.Moves(meta.start_pos, meta.end_pos, c[0], True, c[2], c[3])

    def moves_way(self, meta: Meta, c: _Children) -> n.Moves:
        return n.Moves(meta.start_pos, meta.end_pos, c[0], False, None, c[2])

    def way(self, meta: Meta, c: _Children) -> n.Way:
        goal: Any = next((x for x in c if isinstance(x, n.Node)), None)
        return n.Way(meta.start_pos, meta.end_pos, str(c[0]), goal)

    def does(self, meta: Meta, c: _Children) -> n.Does:
        subject, verb, *rest = c
        args: Any = tuple(x for x in rest if isinstance(x, n.Node) and not isinstance(x, n.Prepositional))
        preps = tuple(x for x in rest if isinstance(x, n.Prepositional))
        return n.Does(meta.start_pos, meta.end_pos, subject, _name(verb), args, preps)

    def prepositional(self, meta: Meta, c: _Children) -> n.Prepositional:
        return n.Prepositional(meta.start_pos, meta.end_pos, c[0], c[1])

    def umpire(self, meta: Meta, c: _Children) -> n.Umpire:
        return n.Umpire(meta.start_pos, meta.end_pos, str(c[0])[1:-1])

    def nothing(self, meta: Meta, c: _Children) -> n.Nothing:
        return n.Nothing(meta.start_pos, meta.end_pos)

    # ---- modifiers
    def _adjust(self, meta: Meta, c: _Children, touch: str | None, what: str, value: Any) -> n.Adjust:
        per = next((x[0] for x in c if isinstance(x, list) and len(x) == 1), None)
        only = next((x[0] for x in c if isinstance(x, list) and len(x) == 2), None)
        return n.Adjust(meta.start_pos, meta.end_pos, touch, what, value, per, only, _cites(c))

    def touch(self, meta: Meta, c: _Children) -> str:
        return str(c[0])

    def per(self, meta: Meta, c: _Children) -> list[Any]:
        return [c[0]]

    def only(self, meta: Meta, c: _Children) -> list[Any]:
        return [c[0], None]

    def adjust(self, meta: Meta, c: _Children) -> n.Adjust:
        value = c[1]
        if isinstance(value, Token):
            start = (value.start_pos) + 1
            amount: n.Expr = n.Number(start, value.end_pos, int(str(value)[1:].rstrip('"').split(".")[0]))
            if value.type == "SIGNED_DIST":
                amount = n.Inches(start, value.end_pos, _inches(str(value)[1:]))
            value = n.Signed(start - 1, value.end_pos, -1 if str(value)[0] == "-" else 1, amount)
        return self._adjust(meta, c, c[0], "add", value)

    def signed(self, meta: Meta, c: _Children) -> n.Signed:
        return n.Signed(meta.start_pos, meta.end_pos, -1 if str(c[0]) == "-" else 1, c[1])

    def set_to(self, meta: Meta, c: _Children) -> n.Adjust:
        return self._adjust(meta, c, c[0], "set", c[1])

    def bounded(self, meta: Meta, c: _Children) -> n.Adjust:
        return self._adjust(meta, c, None, str(c[0]), c[1])

    def multiplied(self, meta: Meta, c: _Children) -> n.Adjust:
        return self._adjust(meta, c, None, "times", c[0])

    def several(self, meta: Meta, c: _Children) -> n.Adjust:
        return self._adjust(meta, c, None, str(c[0]), c[1])

    def verdict(self, meta: Meta, c: _Children) -> n.Adjust:
        word = str(c[0]) if isinstance(c[0], Token) else "again"
        condition: Any = next(x for x in c if isinstance(x, n.Node))
        return n.Adjust(meta.start_pos, meta.end_pos, None, word, None, None, condition, _cites(c))

    # ---- expressions
    def or_(self, meta: Meta, c: _Children) -> n.Or:
        return n.Or(meta.start_pos, meta.end_pos, c[0], c[1])

    def and_(self, meta: Meta, c: _Children) -> n.And:
        return n.And(meta.start_pos, meta.end_pos, c[0], c[1])

    def not_(self, meta: Meta, c: _Children) -> n.Not:
        return n.Not(meta.start_pos, meta.end_pos, c[1])

    def compare(self, meta: Meta, c: _Children) -> n.Compare:
        return n.Compare(meta.start_pos, meta.end_pos, str(c[1]), c[0], c[2])

    def same(self, meta: Meta, c: _Children) -> n.Same:
        return n.Same(meta.start_pos, meta.end_pos, c[0], c[-1], any(_is_not(x) for x in c))

    def is_a(self, meta: Meta, c: _Children) -> n.IsA:
        return n.IsA(meta.start_pos, meta.end_pos, c[0], _name(c[-1]), any(_is_not(x) for x in c))

    def extreme(self, meta: Meta, c: _Children) -> n.Extreme:
        return n.Extreme(meta.start_pos, meta.end_pos, c[0], str(c[1]) == "most")

    def member(self, meta: Meta, c: _Children) -> n.Member:
        return n.Member(meta.start_pos, meta.end_pos, c[0], c[-1], any(_is_not(x) for x in c))

    def wishes(self, meta: Meta, c: _Children) -> n.Wishes:
        return n.Wishes(meta.start_pos, meta.end_pos, c[0], () if c[1] is None else (_keyword(c[1]),))

    def tests(self, meta: Meta, c: _Children) -> n.Tests:
        return n.Tests(meta.start_pos, meta.end_pos, c[0], str(c[1]) == "passes", c[2])

    def quantified(self, meta: Meta, c: _Children) -> n.Quantified:
        return n.Quantified(meta.start_pos, meta.end_pos, str(c[0]) == "any", c[1])

    def every(self, meta: Meta, c: _Children) -> n.Every:
        return n.Every(meta.start_pos, meta.end_pos, c[0], c[1])

    def barred(self, meta: Meta, c: _Children) -> n.Barred:
        return n.Barred(meta.start_pos, meta.end_pos, c[0], c[1])

    def lots(self, meta: Meta, c: _Children) -> n.Lots:
        return n.Lots(meta.start_pos, meta.end_pos, c[0], c[1])

    def calc(self, meta: Meta, c: _Children) -> n.Calc:
        return n.Calc(meta.start_pos, meta.end_pos, str(c[1]), c[0], c[2])

    def counting(self, meta: Meta, c: _Children) -> n.Counting:
        return n.Counting(meta.start_pos, meta.end_pos, str(c[1]), c[0], c[2])

    def pool(self, meta: Meta, c: _Children) -> n.Pool:
        return n.Pool(meta.start_pos, meta.end_pos, c[0])

    def banded(self, meta: Meta, c: _Children) -> n.Banded:
        return n.Banded(meta.start_pos, meta.end_pos, c[0], c[1])

    def int_(self, meta: Meta, c: _Children) -> n.Number:
        return n.Number(meta.start_pos, meta.end_pos, int(c[0]))

    def target(self, meta: Meta, c: _Children) -> n.Target:
        return n.Target(meta.start_pos, meta.end_pos, int(str(c[0])[:-1]))

    def dist(self, meta: Meta, c: _Children) -> n.Inches:
        return n.Inches(meta.start_pos, meta.end_pos, _inches(str(c[0])))

    def _dice(self, token: Token) -> n.Dice:
        count, sides = str(token).rstrip('"').split("d")
        return n.Dice(token.start_pos, token.end_pos, int(count or 1), int(sides))

    def dice_(self, meta: Meta, c: _Children) -> n.Dice:
        return self._dice(c[0])

    def dice_dist(self, meta: Meta, c: _Children) -> n.Dice:
        dice = self._dice(c[0])
        return n.Dice(dice.start, dice.end, dice.count, dice.sides, inches=True)

    def bool_(self, meta: Meta, c: _Children) -> n.Truth:
        return n.Truth(meta.start_pos, meta.end_pos, str(c[0]) == "true")

    def none(self, meta: Meta, c: _Children) -> n.Absent:
        return n.Absent(meta.start_pos, meta.end_pos)

    def group(self, meta: Meta, c: _Children) -> n.Group:
        return n.Group(meta.start_pos, meta.end_pos, c[0], tuple(c[1:]))

    def made(self, meta: Meta, c: _Children) -> n.Made:
        return n.Made(meta.start_pos, meta.end_pos, _name(c[0]), tuple(c[1:]))

    def given(self, meta: Meta, c: _Children) -> n.Given:
        return n.Given(meta.start_pos, meta.end_pos, str(c[0]), c[1])

    def path(self, meta: Meta, c: _Children) -> n.Path:
        return n.Path(meta.start_pos, meta.end_pos, tuple(c))

    def part(self, meta: Meta, c: _Children) -> n.Part:
        args = tuple(x for x in c[1:] if x is not None)
        return n.Part(meta.start_pos, meta.end_pos, str(c[0]), args or None)

    # ---- situations
    def thing(self, meta: Meta, c: _Children) -> n.Thing:
        return n.Thing(meta.start_pos, meta.end_pos, tuple(c))

    def how_many(self, meta: Meta, c: _Children) -> n.Trait:
        number = n.Number(c[0].start_pos, c[0].end_pos, int(c[0]))
        return n.Trait(meta.start_pos, meta.end_pos, "count", _name(c[1]), number)

    def trait_word(self, meta: Meta, c: _Children) -> n.Trait:
        return n.Trait(meta.start_pos, meta.end_pos, "word", _name(c[0]), None)

    def trait_is(self, meta: Meta, c: _Children) -> n.Trait:
        value = c[1]
        if isinstance(value, Token) and value.type in ("NAME", "THING"):
            value = n.Words(value.start_pos, value.end_pos, (_name(value),))
        elif isinstance(value, Token):
            value = self._cell(value)
        return n.Trait(meta.start_pos, meta.end_pos, "is", _name(c[0]), value)

    def trait_not(self, meta: Meta, c: _Children) -> n.Trait:
        return n.Trait(meta.start_pos, meta.end_pos, "not", _name(c[-1]), None)

    def stated(self, meta: Meta, c: _Children) -> n.Stated:
        return n.Stated(meta.start_pos, meta.end_pos, tuple(c))

    def fact_is(self, meta: Meta, c: _Children) -> n.StatedFact:
        return n.StatedFact(meta.start_pos, meta.end_pos, c[0], c[1], False)

    def fact_not(self, meta: Meta, c: _Children) -> n.StatedFact:
        return n.StatedFact(meta.start_pos, meta.end_pos, c[1], None, True)

    def fact_true(self, meta: Meta, c: _Children) -> n.StatedFact:
        return n.StatedFact(meta.start_pos, meta.end_pos, c[0], None, False)

    def throws(self, meta: Meta, c: _Children) -> n.Throws:
        throws: list[n.Throw] = []
        for child in c:
            if isinstance(child, n.Path):
                throws.append(n.Throw(child.start, child.end, child, ()))
            else:
                last = throws[-1]
                throws[-1] = n.Throw(last.start, child.end_pos, last.path, (*last.faces, int(child)))
        return n.Throws(meta.start_pos, meta.end_pos, tuple(throws))

    def chance(self, meta: Meta, c: _Children) -> n.OddsOf:
        return n.OddsOf(meta.start_pos, meta.end_pos, *_bounds(c), False, c[2])

    def mean(self, meta: Meta, c: _Children) -> n.OddsOf:
        return n.OddsOf(meta.start_pos, meta.end_pos, *_bounds(c), True, c[2])


def _bounds(c: _Children) -> tuple[Fraction, Fraction]:
    return _fraction(c[0]), _fraction(c[1] or c[0])


def _fraction(token: Token) -> Fraction:
    with any_digits():
        return Fraction(str(token))


def _keyword(token: Token) -> n.Keyword:
    """`most`, `fewest`, `yes`, `no`, `any`, or the last word of `usually yes`."""
    return n.Keyword(token.start_pos, token.end_pos, str(token).rsplit(" ", 1)[-1])


def _word_path(token: Token) -> n.Path:
    start, end = token.start_pos, token.end_pos
    return n.Path(start, end, (n.Part(start, end, str(token), None),))


def _is_not(child: Any) -> bool:
    return isinstance(child, Token) and child.type == "NOT"
