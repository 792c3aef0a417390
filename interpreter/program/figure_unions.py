"""Union and difference of figures, in which no figure counts twice.

Equal figures are only counted, so how many two expressions share follows from what is known of them: one is a subset of
the other, both are whole groups of the same collection, or they are disjoint. Otherwise the smallest possible overlap
is assumed. Takes two expressions; gives a term.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from interpreter.rulebook import typed as t
from interpreter.rulebook.symbols import Kind
from interpreter.source.values import names

from .figure_names import Name, Names
from .terms import Call, Term, Tuple, call, const

if TYPE_CHECKING:
    from .interfaces import Expressions


def union(emitter: Expressions, e: t.Op) -> Term:
    left, right = e.args
    one, two = emitter.expr(left), emitter.expr(right)
    known = emitter.names
    if _is_difference(left, right) or _is_difference(right, left) or known.are_disjoint(left, right):
        return call("join", one, two)
    if _is_subset(left, right, known) or _is_subset(right, left, known) or alike(_unfiltered(left), _unfiltered(right)):
        return call("larger", one, two)
    return _union_of_least_overlap(emitter, one, two, e.type.of, known.supersets(left) & known.supersets(right))


def difference(emitter: Expressions, e: t.Op) -> Term:
    """The figures of the left operand without those of the right one; disjoint operands leave it unchanged."""
    left, right = e.args
    one = emitter.expr(left)
    if _is_difference(left, right) or emitter.names.are_disjoint(left, right):
        return one
    return call("without", one, emitter.expr(right))


def united_lines(emitter: Expressions, total: t.Variable, value: t.Variable, added: Term) -> Term:
    """A record added to a total (`added`), with its figure lines merged as unions."""
    known, parts = emitter.names, list[Term]()
    for two in [name for name in known.stocks if name.variable is value and name.type.name == "figures"]:
        one = Name(total, two.path, type=two.type)
        mine, theirs = {one, *known.stocks.get(one, ())}, {two, *known.stocks[two]}
        held = _bag_of(emitter, one), _bag_of(emitter, two)
        if two in mine or one in theirs:
            both: Term = call("larger", *held)
        else:
            both = _union_of_least_overlap(emitter, *held, two.type.of, mine & theirs)
        parts.append(Tuple((const(two.path), both)))
    return call("with_parts", added, Tuple(tuple(parts))) if parts else added


def _union_of_least_overlap(emitter: Expressions, one: Term, two: Term, kind: Kind, stocks: set[Name]) -> Term:
    """The union with the smallest overlap that is possible, given the names that both are subsets of."""
    held = [_bag_of(emitter, stock) for stock in sorted(stocks, key=lambda s: (s.variable.name, s.path))]
    place, gone, reads = emitter.layout.counting(kind, emitter.checker.recalls)
    return Call("united", (one, two, Tuple(tuple(held)), emitter.state, const(place), const(gone)), reads)


def _bag_of(emitter: Expressions, name: Name) -> Term:
    return figures_in(emitter.expr(t.Var(name.variable, type=name.variable.type)), name)


def figures_in(held: Term, name: Name) -> Term:
    """The figures of a name, given the value of its variable, as a bag."""
    one = name.type.name == "figure"
    if name.path:
        return call("figures_of", held, const(name.path), const(one))
    return call("only_figure", held) if one else held


def _is_difference(e: t.Expr, other: t.Expr) -> bool:
    """Whether an expression is something minus `other`."""
    while isinstance(e, t.Filter | t.Extreme):
        e = e.items
    return isinstance(e, t.Op) and e.name == "without" and alike(e.args[1], other)


def _is_subset(e: t.Expr, whole: t.Expr, known: Names) -> bool:
    """Whether `e` is certainly a subset of `whole`."""
    if (name := known.name(whole)) is not None and name in known.supersets(e):
        return True
    if isinstance(whole, t.Op) and whole.name == "join" and any(_is_subset(e, part, known) for part in whole.args):
        return True
    while not alike(e, whole):
        if isinstance(e, t.Filter | t.Extreme):
            e = e.items
        elif isinstance(e, t.Op) and e.name == "without":
            e = e.args[0]
        else:
            return False
    return True


def _unfiltered(e: t.Expr) -> t.Expr:
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
