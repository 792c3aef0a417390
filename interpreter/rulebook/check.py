"""The whole check of a rule set, with every mistake reported in one pass.

Input: the sheets of a rule set, base first. Output: a `Book` whose bodies are all typed. It does not know how dice are
thrown.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from interpreter.document.nodes import Scalar
from interpreter.language import nodes as n
from interpreter.source import Problems
from interpreter.vocabulary.types import Type

from . import typed as t
from .amounts import Amounts
from .book import Book, verb_forms
from .citations import check_cites, table_talk
from .commuting import check_order
from .construct import unstated_value
from .declare import Declarer
from .definitions import unknown
from .handed_back import HandedBack
from .layers import gather
from .mark_limits import check_limit
from .moments import SPANS
from .policies import check_policies
from .procedures import Checker
from .scope import Scope
from .sentences import Sentences
from .sheets import Sheet, called_in
from .situation import listed
from .symbols import Attribute, Fact, Kind


def check_book(
    sheets: Sequence[Sheet], grammar: str, problems: Problems, clauses: Collection[str] | None = None
) -> tuple[Book, Checker]:
    """Check the sheets, applied in order, as one book. `clauses` are the ids in their registers; None if there is none.
    """
    book, checker = declare_book(sheets, grammar, problems)
    for value in book.values.values():
        checker.pure(value)
    for roll in book.rolls.values():
        checker.pure(roll)
    for procedure in book.procedures.values():
        checker.procedure(procedure)
    for limit in book.limits.values():
        checker.pure(limit)
    for hook in book.hooks:
        if hook.rule is not None and hook.rule.each is not None and hook.rule not in checker.definitions.found.woven:
            if hook.moment.path.parts[0].name in (*SPANS, *book.moments):
                checker.check_rule_alone(hook.rule)
    limits = []
    for attribute in [a for kind in book.kinds.values() for a in kind.attributes.values()]:
        if attribute.holding is not None:
            checker.pure(attribute.holding)
        if attribute.ending is not None and attribute.ending.limit is not None:
            limits.append(check_limit(attribute, attribute.ending.limit, checker.expressions))
    Amounts(checker).check_book(limits)
    HandedBack(checker).check_book()
    if book.policies:
        check_policies(checker, problems)
    _roster(sheets, book, problems)
    checker.env.moments.check(problems, lambda p: {**checker.procedure(p).lines, **checker.lines_of(p).all_deeds()})
    check_order(book, checker.definitions.found.woven, checker, sheets, problems)
    if clauses is not None:
        check_cites([*book.pages.cites, *table_talk(sheets)], clauses, book.header.game, problems)
    return book, checker


def declare_book(sheets: Sequence[Sheet], grammar: str, problems: Problems) -> tuple[Book, Checker]:
    """Return a book with every symbol declared; the checker checks each body on first use."""
    book = Book(sheets[-1].head)
    sentences = Sentences(grammar, problems, called_in(sheets))
    declarer = Declarer(book, Sentences(grammar, problems, sentences.called))
    definitions, book.history = gather(sheets, grammar, problems)
    declarer.declare(definitions)
    for index, kind in enumerate(book.kinds.values()):
        kind.number = index
    sentences.names = dict.fromkeys(book.names(), ())
    for name, procedure in book.procedures.items():
        prepositions = tuple(param.word or "" for param in procedure.params[1:])
        sentences.names.update(dict.fromkeys(verb_forms(name), prepositions))
    checker = Checker(book, sentences)
    _defaults(book, checker)
    return book, checker


def _defaults(book: Book, checker: Checker) -> None:
    for kind in book.kinds.values():
        for attribute in kind.attributes.values():
            checker.defaults[attribute] = _default(attribute, kind, attribute.first, book, checker)
    for fact in book.facts.values():
        checker.defaults[fact] = _default(fact, fact.kind, fact.first, book, checker)


def _default(symbol: Attribute | Fact, kind: Kind, first: n.Expr | None, book: Book, checker: Checker) -> t.Expr | None:
    """The default of an attribute or fact that a situation does not state; None if it must be stated."""
    type_ = symbol.type
    if first is not None:
        text = book.pages.owners[symbol].body
        if isinstance(text, Scalar):
            subject = t.Variable(kind.name, Type("figure" if kind.counted else "thing", kind))
            card = t.Var(subject, type=subject.type)
            scope = Scope(None, {kind.name: card}, card=card, card_name=kind.name)
            expect = checker.expressions.expect
            value = expect.fitting(expect.expr(first, text, scope, type_), type_, text, first)
            if kind.counted and not isinstance(value, t.Lit):
                span = text.at(first.start, first.end)
                checker.problems.add("T010", span, kind=kind.name, type="what must be worked out for each")
            return value
    if symbol.optional or type_.name in ("number", "truth", "rows", "things", "figures"):
        if isinstance(symbol, Fact) and type_.name in ("number", "inches") and not symbol.optional:
            return None
        return t.Lit(unstated_value(symbol), type=type_)
    return None


def _roster(sheets: Sequence[Sheet], book: Book, problems: Problems) -> None:
    """Set the book's roster: the values listed in the head of the last sheet that has a `roster`."""
    node = next((s.root.get("roster") for s in reversed(sheets) if s.root.get("roster") is not None), None)
    known = {v.name: v for v in book.values.values() if v.subject is not None and not v.params}
    for name, where in listed(node):
        if name in known:
            book.roster.append(known[name])
        else:
            word = n.Name(where.start, where.end, name)
            unknown(problems, where.scalar, word, "value of one thing", known)
