"""Union and difference of figures, in which no figure counts twice.

Equal figures are only counted, so how many two expressions share follows from what is known of them: one is a subset of
the other, both are whole groups of the same collection, or they are disjoint. Otherwise the smallest possible overlap
is assumed. Takes two expressions; gives a term.
"""

from __future__ import annotations

from typing import Any

from interpreter.rulebook import typed as t
from interpreter.rulebook.symbols import Kind
from interpreter.source.values import names

from .figure_names import Name, Names
from .interfaces import Expressions
from .layout import CellKey
from .terms import Call, Term, Tuple, call, const


def union(emitter: Expressions, e: t.Op) -> Term:
    left, right = e.args
    one, two = emitter.expr(left), emitter.expr(right)
    known = emitter.names
    if _is_left(left, right) or _is_left(right, left) or known.are_apart(left, right):
        return call("join", one, two)
    if _part(left, right, known) or _part(right, left, known) or alike(_groups(left), _groups(right)):
        return call("larger", one, two)
    return _as_few(emitter, one, two, e.type.of, known.whole(left) & known.whole(right))


def difference(emitter: Expressions, e: t.Op) -> Term:
    """The figures of the left operand without those of the right one; disjoint operands leave it unchanged."""
    left, right = e.args
    one = emitter.expr(left)
    if _is_left(left, right) or emitter.names.are_apart(left, right):
        return one
    return call("without", one, emitter.expr(right))


def united_lines(emitter: Expressions, total: t.Variable, value: t.Variable, added: Term) -> Term:
    """A record added to a total (`added`), with its figure lines merged as unions."""
    known, parts = emitter.names, list[Term]()
    for two in [name for name in known.stocks if name.variable is value and name.type.name == "figures"]:
        one = Name(total, two.path, type=two.type)
        mine, theirs = {one, *known.stocks.get(one, ())}, {two, *known.stocks[two]}
        held = _held(emitter, one), _held(emitter, two)
        if two in mine or one in theirs:
            both: Term = call("larger", *held)
        else:
            both = _as_few(emitter, *held, two.type.of, mine & theirs)
        parts.append(Tuple((const(two.path), both)))
    return call("with_parts", added, Tuple(tuple(parts))) if parts else added


def _as_few(emitter: Expressions, one: Term, two: Term, kind: Kind, stocks: set[Name]) -> Term:
    """The union with the smallest overlap that is possible, given the names that both are subsets of."""
    held = [_held(emitter, stock) for stock in sorted(stocks, key=lambda s: (s.variable.name, s.path))]
    place, reads, gone = emitter.layout.bag_key(kind), set[CellKey](), -1
    reads.add(place)
    if emitter.layout.book.reads_gone and emitter.checker.recalls:
        left_play = emitter.layout.gone_key(kind)
        reads.add(left_play)
        gone = left_play[1]
    given = one, two, Tuple(tuple(held)), emitter.state, const(place[1]), const(gone)
    return Call("united", given, frozenset(reads))


def _held(emitter: Expressions, name: Name) -> Term:
    return figures_in(emitter.expr(t.Var(name.variable, type=name.variable.type)), name)


def figures_in(held: Term, name: Name) -> Term:
    """The figures of a name, given the value of its variable, as a bag."""
    one = name.type.name == "figure"
    if name.path:
        return call("figures_of", held, const(name.path), const(one))
    return call("only_figure", held) if one else held


def _is_left(e: t.Expr, other: t.Expr) -> bool:
    """Whether an expression is something minus `other`."""
    while isinstance(e, t.Filter | t.Extreme):
        e = e.items
    return isinstance(e, t.Op) and e.name == "without" and alike(e.args[1], other)


def _part(e: t.Expr, whole: t.Expr, known: Names) -> bool:
    """Whether `e` is certainly a subset of `whole`."""
    if (name := known.name(whole)) is not None and name in known.whole(e):
        return True
    if isinstance(whole, t.Op) and whole.name == "join" and any(_part(e, part, known) for part in whole.args):
        return True
    while not alike(e, whole):
        if isinstance(e, t.Filter | t.Extreme):
            e = e.items
        elif isinstance(e, t.Op) and e.name == "without":
            e = e.args[0]
        else:
            return False
    return True


def _groups(e: t.Expr) -> t.Expr:
    """The collection that an expression filters: a filter takes all equal figures or none."""
    while isinstance(e, t.Filter | t.Extreme):
        e = e.items
    return e


def alike(one: Any, two: Any) -> bool:
    """Whether two expressions have the same structure and no sites, so that they are equal in one state."""
    if isinstance(one, t.Expr):
        if type(one) is not type(two) or isinstance(one, t.SITES):
            return False
        return all(alike(getattr(one, f), getattr(two, f)) for f in names(type(one)) if f not in ("type", "where"))
    if isinstance(one, tuple):
        return isinstance(two, tuple) and len(one) == len(two) and all(map(alike, one, two))
    return one is two or (isinstance(one, str | int | bool) and bool(one == two))
