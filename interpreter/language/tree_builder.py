"""Builds the syntax tree of titles, tables, modifiers and keys; sentence_builder.py does so for sentences.

Each method takes the offsets of the match and the children, and returns an immutable node of nodes.py.
"""

from __future__ import annotations

from typing import Any

from . import nodes as n
from .lr_parser import Meta, Token
from .sentence_builder import Children, SentenceBuilder, cites_of, inches_of, name_of, names_of, nodes_of, word_path


class TreeBuilder(SentenceBuilder):
    """All rules of the grammar; this class adds those for titles, one-line bodies, keys of lines and modifiers."""

    # ---- titles
    def _title(self, what: str, meta: Meta, c: Children, **more: Any) -> n.Title:
        params = tuple(p for child in c if isinstance(child, list) for p in child)
        more.setdefault("params", params)
        return n.Title(meta.start_pos, meta.end_pos, what, cites=cites_of(c), **more)

    def kind(self, meta: Meta, c: Children) -> n.Title:
        name, of, _art, group, _art2, base, _ = c
        return self._title(
            "kind",
            meta,
            c,
            names=(name_of(name),),
            of=of and name_of(of),
            group=group and name_of(group),
            base=base and name_of(base),
        )

    def table(self, meta: Meta, c: Children) -> n.Title:
        return self._title("table", meta, c, names=(name_of(c[0]),))

    def outcomes(self, meta: Meta, c: Children) -> n.Title:
        name, of, _params, _by, by, condition, _ = c
        return self._title("outcomes", meta, c, names=(name_of(name),), of=name_of(of), by=by, condition=condition)

    def value(self, meta: Meta, c: Children) -> n.Title:
        return self._title("value", meta, c, names=(name_of(c[0]),), of=c[1] and name_of(c[1]))

    def limit_(self, meta: Meta, c: Children) -> n.Title:
        return self._title("limit", meta, c, names=(name_of(c[0]),), of=name_of(c[1]))

    def roll(self, meta: Meta, c: Children) -> n.Title:
        _roll, name, of, _params, through, base, on, _ = c
        return self._title(
            "roll",
            meta,
            c,
            names=(name_of(name),),
            of=name_of(of),
            base=base and name_of(base),
            through=through and name_of(through),
            on=on and name_of(on),
        )

    def mark(self, meta: Meta, c: Children) -> n.Title:
        *named, word, other, _ = c
        names = names_of(named)
        return self._title("mark", meta, c, names=names[:-1], of=names[-1], word=word, other=other and name_of(other))

    def fact(self, meta: Meta, c: Children) -> n.Title:
        return self._title("fact", meta, c, names=(name_of(c[0]),), of=name_of(c[1]))

    def procedure(self, meta: Meta, c: Children) -> n.Title:
        *_, part_of, _ = c
        return self._title("procedure", meta, c, names=(name_of(c[0]),), part_of=part_of and name_of(part_of))

    def moment_(self, meta: Meta, c: Children) -> n.Title:
        return self._title("moment", meta, c, names=(name_of(c[0]),), of=c[1] and name_of(c[1]))

    def rule(self, meta: Meta, c: Children) -> n.Title:
        name, moments, condition, _ = c
        return self._title(
            "rule", meta, c, names=(name_of(name),), moments=tuple(moments), condition=condition, params=()
        )

    def rule_each(self, meta: Meta, c: Children) -> n.Title:
        name, each, moments, condition, _ = c
        return self._title(
            "rule",
            meta,
            c,
            names=(name_of(name),),
            each=name_of(each),
            moments=tuple(moments),
            condition=condition,
            params=(),
        )

    def dice(self, meta: Meta, c: Children) -> n.Title:
        return self._title("dice", meta, c, names=(name_of(c[0]),))

    def ruling(self, meta: Meta, c: Children) -> n.Title:
        return self._title("ruling", meta, c, names=(name_of(c[0]),))

    def addition(self, meta: Meta, c: Children) -> n.Title:
        name, _params, when, anchor, _ = c
        return self._title(
            "add to",
            meta,
            c,
            names=(name,),
            when=str(when) if when else None,
            anchor=name_of(anchor) if anchor else None,
        )

    def dotted(self, meta: Meta, c: Children) -> n.Name:
        return n.Name(meta.start_pos, meta.end_pos, ".".join(str(part) for part in c))

    def removal(self, meta: Meta, c: Children) -> n.Title:
        return self._title("remove", meta, c, names=tuple(x for x in c if isinstance(x, n.Name)))

    def example(self, meta: Meta, c: Children) -> n.Title:
        return self._title("example", meta, c, names=(name_of(c[0]),))

    def named_policy(self, meta: Meta, c: Children) -> n.Title:
        return self._title("policy", meta, c, names=(name_of(c[0]),))

    def typical(self, meta: Meta, c: Children) -> n.Title:
        return self._title("typical", meta, c, names=(name_of(c[0]),))

    def subject(self, meta: Meta, c: Children) -> list[n.Parameter]:
        return list(c)

    def params(self, meta: Meta, c: Children) -> list[n.Parameter]:
        return list(c)

    def further(self, meta: Meta, c: Children) -> list[n.Parameter]:
        *word, params = c
        if not word:
            return list(params)
        return [n.Parameter(p.start, p.end, p.name, p.kind, p.by, str(word[0])) for p in params]

    def param(self, meta: Meta, c: Children) -> n.Parameter:
        by = len(c) == 3 and c[1] is not None
        kind = c[-1] if not by and len(c) > 1 else None
        return n.Parameter(
            meta.start_pos, meta.end_pos, name_of(c[0]), kind and name_of(kind), name_of(c[2]) if by else None
        )

    def plain_param(self, meta: Meta, c: Children) -> n.Parameter:
        return n.Parameter(meta.start_pos, meta.end_pos, name_of(c[0]), name_of(c[1]), None)

    def moments(self, meta: Meta, c: Children) -> list[n.Moment]:
        return list(c)

    def moment(self, meta: Meta, c: Children) -> n.Moment:
        return n.Moment(meta.start_pos, meta.end_pos, str(c[0]), c[1], c[2] and name_of(c[2]))

    def next_moment(self, meta: Meta, c: Children) -> n.Moment:
        return n.Moment(meta.start_pos, meta.end_pos, "after", c[1], None, after_next=True)

    # ---- one-line bodies
    def attribute(self, meta: Meta, c: Children) -> n.AttributeType:
        basic: n.AttributeType = c[0]
        optional = any(isinstance(x, Token) and x.type == "OR_NONE" for x in c)
        first: Any = next((x for x in c[1:] if isinstance(x, n.Node)), None)
        word = next((x for x in c[1:] if isinstance(x, Token) and x.type in ("YES", "NO")), None)
        if word is not None:
            first = n.Truth(word.start_pos, word.end_pos, word.type == "YES")
        both = next((name_of(x) for x in c[1:] if isinstance(x, Token) and x.type == "BOTH_WAYS"), None)
        parts = basic.what, basic.of, basic.low, basic.high, optional, first, cites_of(c), both
        return n.AttributeType(meta.start_pos, meta.end_pos, *parts)

    def _attribute(self, meta: Meta, what: str, of: Token | None = None, low: Any = None, high: Any = None) -> Any:
        return n.AttributeType(
            meta.start_pos, meta.end_pos, what, name_of(of) if of else None, low, high, False, None, ()
        )

    def one_of(self, meta: Meta, c: Children) -> n.AttributeType:
        return self._attribute(meta, "one of", c[0])  # type: ignore[no-any-return]

    def many_of(self, meta: Meta, c: Children) -> n.AttributeType:
        return self._attribute(meta, "many", c[0])  # type: ignore[no-any-return]

    def one_kind(self, meta: Meta, c: Children) -> n.AttributeType:
        return self._attribute(meta, "a", c[1])  # type: ignore[no-any-return]

    def number(self, meta: Meta, c: Children) -> n.AttributeType:
        return self._attribute(meta, "number", None, c[1], c[2])  # type: ignore[no-any-return]

    def inches(self, meta: Meta, c: Children) -> n.AttributeType:
        return self._attribute(meta, "inches")  # type: ignore[no-any-return]

    def yes_or_no(self, meta: Meta, c: Children) -> n.AttributeType:
        return self._attribute(meta, "yes or no")  # type: ignore[no-any-return]

    def row(self, meta: Meta, c: Children) -> n.Row:
        return n.Row(meta.start_pos, meta.end_pos, tuple(nodes_of(c)), cites_of(c))

    def cell_none(self, meta: Meta, c: Children) -> n.Absent:
        return n.Absent(meta.start_pos, meta.end_pos)

    def cell_words(self, meta: Meta, c: Children) -> n.Words:
        return n.Words(meta.start_pos, meta.end_pos, names_of(c))

    def cell_named(self, meta: Meta, c: Children) -> n.Named:
        held = c[1] if isinstance(c[1], n.Absent) else self._cell(c[1])
        return n.Named(meta.start_pos, meta.end_pos, name_of(c[0]), held)

    def cell_value(self, meta: Meta, c: Children) -> n.Cell:
        return self._cell(c[0])

    def throw_cell(self, meta: Meta, c: Children) -> n.Dice:
        count, sides = str(c[0]).split("d")
        return n.Dice(meta.start_pos, meta.end_pos, int(count or 1), int(sides), int(c[1] or 0))

    def words(self, meta: Meta, c: Children) -> n.WordList:
        return n.WordList(meta.start_pos, meta.end_pos, names_of(c), cites_of(c))

    def ends_until(self, meta: Meta, c: Children) -> n.Ending:
        moments, condition, limit, _ = c
        return n.Ending(meta.start_pos, meta.end_pos, tuple(moments), condition, False, limit, cites_of(c))

    def out_of_play(self, meta: Meta, c: Children) -> n.Ending:
        return n.Ending(meta.start_pos, meta.end_pos, (), None, True, None, cites_of(c[1:]))

    def both_ways(self, meta: Meta, c: Children) -> n.Ending:
        _both, holding, moments, condition, _ = c
        return self._between(meta, c, True, holding, moments, condition)

    def one_way(self, meta: Meta, c: Children) -> n.Ending:
        holding, moments, condition, _ = c
        return self._between(meta, c, False, holding, moments, condition)

    def _between(self, meta: Meta, c: Children, both: bool, holding: Any, moments: Any, condition: Any) -> n.Ending:
        until = tuple(moments or ())
        return n.Ending(meta.start_pos, meta.end_pos, until, condition, False, None, cites_of(c), both, holding)

    def ends_never(self, meta: Meta, c: Children) -> n.Ending:
        return n.Ending(meta.start_pos, meta.end_pos, (), None, False, c[0], cites_of(c))

    def limit(self, meta: Meta, c: Children) -> n.Limit:
        return n.Limit(meta.start_pos, meta.end_pos, c[0], name_of(c[1]))

    def convention(self, meta: Meta, c: Children) -> n.Convention:
        die, bound, always, never, _ = c
        return n.Convention(
            meta.start_pos,
            meta.end_pos,
            self._dice(die),
            str(bound) == "over",
            int(always) if always else None,
            int(never) if never else None,
            cites_of(c),
        )

    def options(self, meta: Meta, c: Children) -> n.Options:
        return n.Options(meta.start_pos, meta.end_pos, tuple(nodes_of(c)), cites_of(c))

    # ---- keys of lines
    def line_key(self, meta: Meta, c: Children) -> n.LineKey:
        return n.LineKey(meta.start_pos, meta.end_pos, name_of(c[0]), tuple(nodes_of(c)), cites_of(c))

    def if_(self, meta: Meta, c: Children) -> n.If:
        return n.If(meta.start_pos, meta.end_pos, c[0])

    def otherwise(self, meta: Meta, c: Children) -> n.Otherwise:
        return n.Otherwise(meta.start_pos, meta.end_pos)

    def together(self, meta: Meta, c: Children) -> n.Together:
        return n.Together(meta.start_pos, meta.end_pos)

    def by(self, meta: Meta, c: Children) -> n.By:
        return n.By(meta.start_pos, meta.end_pos, c[1])

    def for_each(self, meta: Meta, c: Children) -> n.ForEach:
        return n.ForEach(meta.start_pos, meta.end_pos, name_of(c[0]), c[1])

    def repeat_until(self, meta: Meta, c: Children) -> n.RepeatUntil:
        return n.RepeatUntil(meta.start_pos, meta.end_pos, c[0], c[1])

    def repeat_ever(self, meta: Meta, c: Children) -> n.RepeatUntil:
        return n.RepeatUntil(meta.start_pos, meta.end_pos, None, c[0])

    def repeat_times(self, meta: Meta, c: Children) -> n.RepeatTimes:
        return n.RepeatTimes(meta.start_pos, meta.end_pos, c[0])

    def picks_one(self, meta: Meta, c: Children) -> n.PicksOne:
        preference = () if c[1] is None else (word_path(c[1]),)
        return n.PicksOne(meta.start_pos, meta.end_pos, c[0], preference)

    def rather(self, meta: Meta, c: Children) -> tuple[n.Preference, ...]:
        return (c[0],)

    def deals_out(self, meta: Meta, c: Children) -> n.DealsOut:
        who, name, favoured, pool, usually = c
        return n.DealsOut(meta.start_pos, meta.end_pos, who, name_of(name), favoured or (), pool, usually or ())

    def case_key(self, meta: Meta, c: Children) -> n.CaseKey:
        *parts, cites = c
        cases = [x if isinstance(x, n.Case) else self._case(x) for x in parts if isinstance(x, n.Case | Token)]
        clauses = [x for x in parts if isinstance(x, n.Clause)]
        name, more = next((x for x in parts if isinstance(x, tuple)), (None, []))
        return n.CaseKey(meta.start_pos, meta.end_pos, tuple(cases), name, (*clauses, *more), cites or ())

    def case_name(self, meta: Meta, c: Children) -> tuple[n.Name, list[Any]]:
        return name_of(c[0]), list(c[1:])

    def _case(self, token: Token) -> n.Case:
        start, end, text = token.start_pos, token.end_pos, str(token)
        if token.type == "NAME":
            return n.Case(start, end, None, None, text)
        if token.type == "FACES":
            low, high = (int(x) for x in text.split("-"))
            return n.Case(start, end, low, high, None)
        return n.Case(start, end, int(text), int(text), None)

    def more_or_less(self, meta: Meta, c: Children) -> n.Case:
        value, more = int(c[0]), str(c[1]) == "more"
        return n.Case(meta.start_pos, meta.end_pos, value if more else None, None if more else value, None)

    # ---- modifiers
    def _adjust(self, meta: Meta, c: Children, touch: str | None, what: str, value: Any) -> n.Adjust:
        per = next((x[0] for x in c if isinstance(x, list) and len(x) == 1), None)
        only = next((x[0] for x in c if isinstance(x, list) and len(x) == 2), None)
        return n.Adjust(meta.start_pos, meta.end_pos, touch, what, value, per, only, cites_of(c))

    def touch(self, meta: Meta, c: Children) -> str:
        return str(c[0])

    def per(self, meta: Meta, c: Children) -> list[Any]:
        return [c[0]]

    def only(self, meta: Meta, c: Children) -> list[Any]:
        return [c[0], None]

    def adjust(self, meta: Meta, c: Children) -> n.Adjust:
        value = c[1]
        if isinstance(value, Token):
            start = (value.start_pos) + 1
            amount: n.Expr = n.Number(start, value.end_pos, int(str(value)[1:].rstrip('"').split(".")[0]))
            if value.type == "SIGNED_DIST":
                amount = n.Inches(start, value.end_pos, inches_of(str(value)[1:]))
            value = n.Signed(start - 1, value.end_pos, -1 if str(value)[0] == "-" else 1, amount)
        return self._adjust(meta, c, c[0], "add", value)

    def signed(self, meta: Meta, c: Children) -> n.Signed:
        return n.Signed(meta.start_pos, meta.end_pos, -1 if str(c[0]) == "-" else 1, c[1])

    def set_to(self, meta: Meta, c: Children) -> n.Adjust:
        return self._adjust(meta, c, c[0], "set", c[1])

    def bounded(self, meta: Meta, c: Children) -> n.Adjust:
        return self._adjust(meta, c, None, str(c[0]), c[1])

    def multiplied(self, meta: Meta, c: Children) -> n.Adjust:
        return self._adjust(meta, c, None, "times", c[0])

    def several(self, meta: Meta, c: Children) -> n.Adjust:
        return self._adjust(meta, c, None, str(c[0]), c[1])

    def verdict(self, meta: Meta, c: Children) -> n.Adjust:
        word = str(c[0])
        condition: Any = next(x for x in c if isinstance(x, n.Node))
        return n.Adjust(meta.start_pos, meta.end_pos, None, word, None, None, condition, cites_of(c))
