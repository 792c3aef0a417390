"""Policies: how choices are made, line by line, in a named policy of a rule file or under `choose:` of a situation.

Input: a checked book, and lines such as `suffer.dead: weapon is rifle`. Output: a `Policy` for each choice that a line
names, with typed conditions; or a problem if a line names no choice, or does not fit it. It does not know how a choice
is presented.
"""

from __future__ import annotations

from collections.abc import Collection

from interpreter.language import nodes as n
from interpreter.source import Problems, suggest
from interpreter.source.values import Struct
from interpreter.vocabulary.addresses import addressed
from interpreter.vocabulary.types import TRUTH, Type

from . import typed as t
from .addressing import Named, givers_of
from .construct import op
from .procedures import Checker
from .reached import Choice, reached_in
from .scope import Scope
from .sheets import visibility_at
from .situation import Override, Thing


class Policy(Struct):
    """What a line says about a choice: left open, the answer to a yes-or-no question, or how many and in what order.

    `order` are conditions on `variable`, which may refer to the situation's `things`, each a variable of its name.
    """

    override: Override
    whose: str | None = None  # the thing whose side's choices it is limited to
    alone: bool = False  # limited to that thing itself, not to its side
    left_open: bool = False
    answer: bool | None = None
    most: bool | None = None
    amount: int | None = None
    variable: t.Variable | None = None
    things: tuple[t.Variable, ...] = ()
    order: tuple[t.Expr, ...] = ()


def choices_named(
    override: Override, checker: Checker, known: Collection[str], nobody: str, problems: Problems
) -> list[str]:
    """Return the full addresses of the choices that a line names; report a problem if there are none."""
    fits = [a for a in known if addressed(override.address, a, last=True)]
    if not fits:
        parts = {a.split(".", n_)[-1] for a in known for n_ in range(a.count(".") + 1)}
        close = problems.nearest(override.address, parts, override.where)
        meant = suggest(override.where, close[:1], "choices here: " + ", ".join(sorted(known)[:8]))
        meant = meant if known else suggest(override.where, (), nobody)
        problems.add("F009", override.where, name=override.address, **meant)
    visibility = visibility_at(checker.book.history, override.where)
    return (
        fits
        if visibility is None
        else visibility.visible(fits, givers_of(checker, fits), whole="." in override.address)
    )


def report_unfitting(
    override: Override,
    named: Named,
    checker: Checker,
    known: Collection[str],
    nobody: str,
    problems: Problems,
) -> None:
    """Report a line of a situation that names no choice, or is ambiguous."""
    if named.callers:
        callers = " and ".join(f"`{caller}`" for caller in named.callers[:4])
        hint = f"{callers} call it alike: say `{named.others[0]}`, for all of them"
        problems.add("F009", override.where, name=override.address, hint=hint)
    elif named.others:
        hint = "say " + " or ".join(f"`{other}`" for other in named.others)
        problems.add("N002", override.where, name=override.address, hint=hint)
    else:
        choices_named(override, checker, known, nobody, problems)


def check_policies(checker: Checker, problems: Problems) -> None:
    """Check every line of every named policy against the choices of the book."""
    policies = checker.book.policies.values()
    known = reached_in(checker).all_choices() if policies else {}
    for policy in policies:
        for line in policy.lines:
            for address in choices_named(line, checker, known, "nobody chooses anything in these rules", problems):
                policy_of(checker, known[address], line, (), problems)


def policy_of(
    checker: Checker, choice: Choice, override: Override, things: Collection[Thing], problems: Problems
) -> Policy:
    """Return what a line says about a choice; its conditions may refer to `things` by name."""
    wishes = override.wishes
    first = wishes[0].word if wishes and isinstance(wishes[0], n.Keyword) else None
    if first == "any":
        return Policy(override, left_open=True)
    if isinstance(choice, t.Wish):
        if first not in ("yes", "no"):
            text = override.scalar.text.strip()
            problems.add("F010", override.scalar.span, found=text, wanted="yes, no or any")
        return Policy(override, answer=first == "yes")
    most: bool | None = None
    amount: int | None = None
    order: list[t.Expr] = []
    item = t.Variable("it", choice.variable.type)
    card = t.Var(item, type=item.type)
    known = tuple([t.Variable(x.name, Type("thing", x.kind)) for x in things])
    for wish in wishes:
        if isinstance(wish, n.Keyword | n.Number) and choice.low is choice.high and not isinstance(choice.low, t.Lit):
            wanted = "what is taken first: how many is decided by the rules"
            found = override.scalar.text[wish.start : wish.end]
            problems.add("F010", override.scalar.at(wish.start, wish.end), found=found, wanted=wanted)
        elif isinstance(wish, n.Keyword):
            most = wish.word == "most"
            if wish.word in ("yes", "no"):
                wanted = "most, fewest, a number, or what is taken first: somebody picks here"
                problems.add("F010", override.scalar.at(wish.start, wish.end), found=wish.word, wanted=wanted)
        elif isinstance(wish, n.Number):
            amount = wish.value
            _within(choice, wish, override, problems)
        elif isinstance(wish, n.Absent):
            amount = 0
        else:
            names: dict[str, t.Expr] = {"it": card, **{x.name: t.Var(x, type=x.type) for x in known}}
            order.append(
                _condition(checker, wish, card, override, Scope(None, names, card=card, card_name="it"), problems)
            )
    return Policy(override, most=most, amount=amount, variable=item, things=known, order=tuple(order))


def _within(choice: t.Choose, number: n.Number, override: Override, problems: Problems) -> None:
    """Report a number outside the literal bounds of the choice."""
    least = choice.low.value if isinstance(choice.low, t.Lit) else 0
    most = choice.high.value if isinstance(choice.high, t.Lit) else None
    if choice.one and choice.items is not None:
        most = 1
    if number.value < least or (most is not None and number.value > most):
        wanted = f"{least} to {most}" if least != most else f"{most}"
        span = override.scalar.at(number.start, number.end)
        problems.add("F010", span, found=str(number.value), wanted=wanted if most is not None else f"{least} or more")


def _condition(
    checker: Checker, preference: n.Node, card: t.Expr, override: Override, scope: Scope, problems: Problems
) -> t.Expr:
    word = preference.parts[0].name if isinstance(preference, n.Path) and len(preference.parts) == 1 else None
    if word is not None and card.type.name == "row" and word in card.type.of.rows:
        row = t.Lit(card.type.of.rows[word].index, type=card.type)
        return op("same", (card, row), TRUTH)
    if word is not None and card.type.name == "thing" and word in scope.names:
        return op("same", (card, scope.names[word]), TRUTH)
    return checker.telling(problems).expressions.expect.truth(preference, override.scalar, scope)
