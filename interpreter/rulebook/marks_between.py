"""Marks between two things, such as `mark locked of unit with unit`: declaring, testing and changing them.

Input: the title of a mark, or typed expressions for things. Output: a mark whose value is the set of the other things,
expressions that test it, and steps that change it. It does not know when rules are applied.
"""

from __future__ import annotations

from interpreter.document.nodes import Scalar
from interpreter.language import nodes as n
from interpreter.source import Fix, Problems
from interpreter.vocabulary.types import TRUTH, Type

from . import typed as t
from .construct import item_type, negate, op
from .declarations import Declarations
from .definitions import Definition
from .frame import Steps
from .symbols import Attribute, Holding, Kind, LineInfo, Where

_OTHER = "?other"  # loop variable over the things with which one shares a mark


# ---- declared
def between_two(mark: Attribute, d: Definition, declarations: Declarations) -> bool:
    """Set the type and options of a mark between two things from its title and its line.

    Return False if the declaration is invalid, after reporting it.
    """
    title, ending = d.title, mark.ending
    if title.other is None:
        if ending is not None and (ending.both_ways or ending.holding is not None):
            hint = f"say with whom it is: `mark {mark.name} of {mark.kind.name} with {mark.kind.name}`"
            assert d.text is not None
            _refuse(declarations.problems, mark, d.text, ending, "that is said of a mark between two", hint)
            return False
        return True
    other = declarations.kind_named(d.key, title.other)
    if other is None or not _check_declaration(mark, other, d, declarations.problems):
        return False
    mark.type, mark.word = Type("things", other), title.word
    if ending is not None:
        mark.both_ways = ending.both_ways
        if ending.holding is not None and d.text is not None:
            where = Where(d.text, ending.holding.start, ending.holding.end)
            name = f"{mark.name} holds"
            mark.holding = Holding(name, where, mark.kind, (), d.text, d.text, condition=ending.holding)
            mark.holding.cites = mark.cites
            declarations.book.pages.owners[mark.holding] = d
    return True


def _check_declaration(mark: Attribute, other: Kind, d: Definition, problems: Problems) -> bool:
    title, ending, kind = d.title, mark.ending, mark.kind
    assert title.other is not None and title.of is not None
    for name, each in ((title.of, kind), (title.other, other)):
        if each.counted:
            problems.add("T011", d.key.at(name.start, name.end), kind=each.name, label="alike ones are counted")
            return False
    if title.word == "through":
        hint = "say `with`, `at`, `against` or `into`"
        _refuse(problems, mark, d.key, title.other, "`through` says how, and not with whom", hint)
        return False
    if ending is None or d.text is None:
        return True
    if ending.both_ways and kind is not other:
        hint = f"leave `both ways` out, or say `of {kind.name} {title.word} {kind.name}`"
        label = f"one is a {kind.name}, the other a {other.name}"
        _refuse(problems, mark, d.text, ending, label, hint)
        return False
    wrong = "it takes nobody out of play" if ending.out_of_play else "nobody is counted" if ending.limit else None
    if any(moment.after_next for moment in ending.moments):
        wrong = "with each of the others it began at another time"
    if wrong is not None:
        _refuse(
            problems, mark, d.text, ending, wrong, "it ends `until before …`, `until after …`, or when a line says so"
        )
    return wrong is None


def _refuse(problems: Problems, mark: Attribute, at: Scalar, node: n.Node, label: str, hint: str) -> None:
    problems.add("T017", at.at(node.start, node.end), mark=mark.name, label=label, hint=hint)


# ---- asked
def others(one: t.Expr, mark: Attribute) -> t.Expr:
    """The things in play with which `one` has the mark, in the order of all things; empty if `one` is out of play."""
    other = t.Variable(_OTHER, Type("thing", mark.type.of))
    it = t.Var(other, type=other.type)
    on_card = op("in", (it, t.Attr(one, mark, type=mark.type)), TRUTH)
    tests = (on_card, _differs(it, one), _can_have(one, mark), *_holds(it, mark))
    return t.Filter(t.All(mark.type.of, None, type=mark.type), other, _all_of(tests), type=mark.type)


def _can_have(one: t.Expr, mark: Attribute, *, made: bool = False) -> t.Expr:
    """Whether a thing can have the mark at all: it is in play, and meets the mark's `holding` condition. With `made`,
    things that the same `together` block creates count as in play.
    """
    everybody = t.All(one.type.of, None, made, type=Type("things", one.type.of))
    return _all_of((op("in", (one, everybody), TRUTH), *_holds(one, mark)))


def _holds(one: t.Expr, mark: Attribute) -> tuple[t.Expr, ...]:
    """The mark's `holding` condition for one of the two, if it applies to things of that kind."""
    kind: Kind = one.type.of
    asked = mark.holding is not None and (kind.is_a(mark.kind) or mark.kind.is_a(kind))
    return (t.CallValue(mark.holding, (one,), type=TRUTH),) if asked and mark.holding is not None else ()


def _differs(one: t.Expr, than: t.Expr) -> t.Expr:
    return negate(op("same", (one, than), TRUTH), True)


def _all_of(tests: tuple[t.Expr, ...]) -> t.Expr:
    condition = tests[0]
    for test in tests[1:]:
        condition = op("and", (condition, test), TRUTH)
    return condition


def is_others(e: t.Expr) -> bool:
    """Whether an expression came from `others`; used as a condition, it asks whether there is any."""
    return isinstance(e, t.Filter) and e.variable.name == _OTHER


def mark_of(found: t.Filter) -> Attribute:
    """The mark that an expression made by `others` filters by."""
    test = found.condition
    while isinstance(test, t.Op) and test.name == "and":
        test = test.args[0]
    assert isinstance(test, t.Op) and isinstance(test.args[1], t.Attr)
    return test.args[1].attribute


def with_any(found: t.Expr, whom: t.Expr) -> t.Expr:
    """Whether `whom` is in `found`; for a collection, whether any of its members is."""
    if whom.type.name == "thing":
        return op("in", (whom, found), TRUTH)
    one = t.Variable("it", item_type(whom.type))
    among = op("in", (t.Var(one, type=one.type), found), TRUTH)
    return op("any-of", (t.Filter(whom, one, among, type=whom.type),), TRUTH)


def report_missing_other(problems: Problems, mark: Attribute, at: Scalar, node: n.Node, instead: str) -> None:
    """Report a mark between two things that is written without the other one."""
    place = at.at(node.start, node.end)
    problems.add("T018", place, mark=mark.name, word=mark.word, label="with whom?", hint=f"say `{instead}`")


def check_preposition(problems: Problems, mark: Attribute, at: Scalar, node: n.Related | n.Banded) -> bool:
    """Whether the sentence uses the mark's own preposition; if not, report it with a fix."""
    cell, word, whom = (node.mark, node.word, node.other) if isinstance(node, n.Related) else (node.cell, "at", node.at)
    if word == mark.word:
        return True
    gap = at.text[cell.end : whom.start]
    start = cell.end + len(gap) - len(gap.lstrip())
    place = at.at(start, start + len(word))
    fix = Fix(place, mark.word or "", False, f"write `{mark.name} {mark.word} …`")
    hint = f"say `{mark.name} {mark.word} …`"
    problems.add("T018", place, mark=mark.name, word=mark.word, label=f"not `{word}`", hint=hint, fix=fix)
    return False


# ---- changed
def change(one: t.Expr, mark: Attribute, whom: t.Expr, gains: bool, info: LineInfo) -> Steps:
    """Steps by which one or several things gain or lose a mark with one or several others."""
    sign = 1 if gains else -1
    steps: Steps = [t.AddAttr(one, mark, only(whom), sign, line=info)]
    if mark.both_ways:
        steps.append(t.AddAttr(whom, mark, only(one), sign, line=info))
    return steps


def lose_all(one: t.Expr, mark: Attribute, info: LineInfo) -> Steps:
    """Steps by which one or several things lose a mark with all others."""
    whom = t.Variable(f"?{mark.name} {mark.word}", mark.type)
    return [
        t.Assign(whom, stored_others(one, mark), line=info),
        *change(one, mark, t.Var(whom, type=whom.type), False, info),
    ]


def stored_others(one: t.Expr, mark: Attribute) -> t.Expr:
    """The stored set of one thing, or the union over several; things out of play are not filtered out."""
    if one.type.name == "thing":
        return t.Attr(one, mark, type=mark.type)
    each = t.Variable("it", item_type(one.type))
    return t.Each(one, each, t.Attr(t.Var(each, type=each.type), mark, type=mark.type), type=mark.type)


def new_bearers(one: t.Expr, mark: Attribute, whom: t.Expr) -> t.Expr:
    """The things that gain the mark by this change and had it with no other before. Evaluate it before the change."""
    found = _first_gainers(only(one), mark, only(whom))
    if not mark.both_ways:
        return found
    return op("join", (found, _first_gainers(only(whom), mark, only(one))), mark.type)


def _first_gainers(those: t.Expr, mark: Attribute, whom: t.Expr) -> t.Expr:
    """Those of `those` that gain the mark with one of `whom` and had it with no other before."""
    each, other = t.Variable("it", item_type(those.type)), t.Variable("other", item_type(whom.type))
    it, one = t.Var(each, type=each.type), t.Var(other, type=other.type)
    fits = t.Filter(whom, other, _all_of((_differs(one, it), _can_have(one, mark, made=True))), type=whom.type)
    with_nobody = negate(op("any-of", (others(it, mark),), TRUTH), True)
    tests = (_can_have(it, mark, made=True), with_nobody, op("any-of", (fits,), TRUTH))
    return t.Filter(those, each, _all_of(tests), type=those.type)


def only(e: t.Expr) -> t.Expr:
    """One thing as a collection of one; a collection unchanged."""
    return op("only", (e,), Type("things", e.type.of), e.where) if e.type.name == "thing" else e
