"""Laws of terms, and of the passes that make terms of terms: what is made comes to what there was, in every state."""

from __future__ import annotations

import ast
from functools import lru_cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_engines_kit import rules_of

from interpreter.program import Program, changes, runtime
from interpreter.program.constant_rolls import Folding
from interpreter.program.printer import Printer, source_of
from interpreter.program.statements import Give, Judge, Lend, Let, Set, SetCell, SetEach, TakeBack, Told, When
from interpreter.program.terms import (
    FALSE,
    NO_CELLS,
    NO_MEMBERS,
    NONE,
    ONE,
    STATE,
    TRUE,
    ZERO,
    And,
    Apply,
    Bound,
    Call,
    Cell,
    Const,
    Function,
    Gather,
    IfElse,
    Lambda,
    Local,
    Member,
    Minus,
    Not,
    Or,
    Slot,
    Tuple,
    call,
    infix,
    is_some,
    mapped,
    operands,
    or_zero,
    parts,
)
from interpreter.vocabulary import functions

ROOM = Path(__file__).parents[1] / "interpreter" / "program"
SPACE = {k: v for room in (functions, changes, runtime) for k, v in vars(room).items()}
NUMBERS, MAYBE, RECORD = (1, 2), (3, 4), 5  # slots that hold a number; a number or nothing; a record or nothing


def cell(place):
    return Cell(STATE, Const(2), place, frozenset(((0, place),)))


LEAVES = [*map(Slot, NUMBERS), *[or_zero(Slot(s)) for s in (*NUMBERS, *MAYBE)], ZERO, ONE, Const(7), cell(1), cell(2)]


@st.composite
def numbers(draw, depth=3):
    """A term that comes to a number, or is refused."""
    if depth == 0 or draw(st.booleans()):
        return draw(st.sampled_from([*LEAVES, call("of", Slot(RECORD), ONE, ZERO)]))
    one, two = draw(numbers(depth=depth - 1)), draw(numbers(depth=depth - 1))
    summed = Gather("list", infix(Local("i"), "+", one), ("i",), Tuple((one, two)))
    less = Lambda(("x",), infix(Local("x"), "-", one))
    return draw(
        st.sampled_from(
            [
                *[infix(one, operator, two) for operator in "+-*"],
                *[call(name, one, two) for name in ("max", "min")],
                Member(Tuple((one, two)), ONE),
                call("sum", summed),
                call("asked", less, Tuple((two,)), Const((0,)), ZERO),
                call("half", one),
                Minus(one),
                IfElse(draw(truths(depth=depth - 1)), one, two),
            ]
        )
    )


@st.composite
def truths(draw, depth=2):
    """A term that comes to yes or no, or is refused."""
    if depth <= 0 or draw(st.booleans()):
        low, high = Const(draw(st.integers(0, 3))), Const(draw(st.integers(0, 3)))
        span = And((infix(Slot(draw(st.sampled_from(NUMBERS))), ">=", low), infix(Slot(1), "<=", high)))
        return draw(st.sampled_from([TRUE, FALSE, span, *[is_some(Slot(s)) for s in MAYBE]]))
    one, two = draw(truths(depth=depth - 1)), draw(truths(depth=depth - 1))
    compared = infix(draw(numbers(depth=1)), draw(st.sampled_from([">=", "<=", "<", "=="])), draw(numbers(depth=1)))
    made = [Not(one), And((one, two)), And((TRUE, one)), And((one, compared, two)), Or((one, two)), compared]
    return draw(st.sampled_from(made))


some = st.integers(-3, 9)
slots = st.fixed_dictionaries(
    dict.fromkeys(NUMBERS, some) | {s: st.none() | some for s in MAYBE} | {RECORD: st.none() | st.tuples(some, some)}
)
states = st.lists(some, min_size=6, max_size=6)


def come_to(term, held, state):
    values = {f"l{slot}": value for slot, value in held.items()}
    try:
        return eval(Printer().text(term), {**SPACE, **values, "S": state})
    except runtime.Refused as why:
        return why.code


class Watched(list):
    """A state that tells which cells were looked at."""

    def __init__(self, values):
        super().__init__(values)
        self.seen = set()

    def __getitem__(self, at):
        self.seen.add(at)
        return super().__getitem__(at)


@given(numbers(), slots, states)
def test_a_term_reads_no_more_than_it_says(term, held, state):
    watched = Watched(state)
    read = {slot: value for slot, value in held.items() if slot in term.uses.slots}
    come_to(term, read, watched)  # a slot that is missing would be an error
    assert watched.seen <= {2 + place for _, place in term.uses.cells}
    assert bool(watched.seen) <= term.of_state


@given(numbers(), numbers())
def test_terms_are_equal_when_they_are_built_alike(one, other):
    assert (one == other) == (Printer().text(one) == Printer().text(other))
    again = mapped(one, rebuilt)
    assert again == one and hash(again) == hash(one)


def rebuilt(term):
    return Const(term.value) if isinstance(term, Const) else mapped(term, rebuilt)


def test_yes_is_not_one():
    assert TRUE != ONE and FALSE != ZERO and Const((1,)) == Const((1,)) and NONE != NO_MEMBERS


@given(numbers())
def test_a_term_of_the_same_operands_is_itself(term):
    assert mapped(term, lambda part: part) is term
    assert set(map(id, operands(term))) <= set(map(id, parts(term)))


# ---- statements
def acts():
    return st.one_of(
        st.tuples(st.sampled_from(NUMBERS), numbers()).map(lambda x: Set(*x)),
        numbers().map(lambda x: SetCell(Const(2), 3, x, writes=frozenset(((0, 3),)))),
        numbers().map(lambda x: SetEach(Tuple((ZERO, Const(-1), Const(2))), 1, x, writes=frozenset(((0, 1),)))),
    )


@given(acts(), slots, states)
def test_a_statement_reads_and_sets_no_more_than_it_says(act, held, state):
    watched = Watched(state)
    space = {f"l{slot}": value for slot, value in held.items() if slot in act.uses.slots} | {"S": watched}
    before = dict(space)
    space |= SPACE
    before |= space
    exec("\n".join(Printer().act(act)), space)
    assert {k for k in space if (k != "S" and k not in before) or space[k] is not before.get(k)} <= {
        f"l{act.sets}",
        "u",
    }
    places = {place for _, place in act.writes}
    changed = {i for i in range(6) if list(watched)[i] != state[i]}
    assert changed <= {base + place for base in (0, 2) for place in places}


def test_what_is_lent_depends_on_what_is_read_afterwards():
    kin = Bound("kin1", None)
    taken = (Set(7, NONE), Set(8, NONE))
    loan = Lend(kin, ((Slot(1), taken[0]), (Slot(2), taken[1])))
    all_ = loan.act(lambda _: False, True)
    assert all_.uses.slots == {1, 2} and all_.uses.cells and loan.uses == all_.uses
    one = loan.act(lambda what: what is taken[0], False)
    assert one.uses.slots == {2} and not one.uses.cells
    kept = Lend(kin, ((Slot(1), taken[0]),), sets=9, writes=NO_CELLS)
    assert kept.sets == 9 and not kept.writes and kept.act(lambda _: True, False).uses.slots == {9}
    assert TakeBack(3, False).sets == 3


# ---- values and rolls
TOY = """
game: Terms
Rules:
  kind unit:
    luck: number first 2
  value plenty of unit: 3
  to wait (unit):
    luck: unit.plenty
"""


@lru_cache(None)
def toy():
    return rules_of(TOY)


def program(traced):
    rules = toy()
    return Program(rules.book, rules.checker, traced=traced)


def settled_rolls():
    """Rolls of one die each of which only what is needed, and what is added, may change."""
    p = Local("p1")
    more = st.sampled_from([infix(Local("change"), "+", ONE), infix(Local("change"), "-", p)])
    line = st.one_of(
        more.map(lambda x: Let("change", x)),
        st.tuples(st.integers(1, 3), more).map(
            lambda x: When(infix(p, ">", Const(x[0])), (Let("change", x[1]),), (Told(Const(5), (Local("need"),)),))
        ),
        st.just(Told(Const(4), (TRUE, Local("change")))),
        st.sampled_from([NONE, Const(4), p]).map(lambda x: Let("need", x)),
    )
    return st.lists(line, max_size=5)


FIRST = [Let(name, value) for name, value in (("need", Const(3)), ("change", ZERO), ("dice", ONE), ("best", TRUE))]
LAST = [Let("verdict", NONE), Let("again", FALSE)]


@settings(max_examples=60, deadline=None)
@given(settled_rolls(), st.integers(0, 5), st.booleans(), st.booleans(), st.booleans())
def test_a_short_roll_answers_with_the_faces_that_do_not_count(lines, given_, over, passing, traced):
    made = program(traced)
    names = ("need", "change", "dice", "best", "again")
    told = Told(Const(6), tuple(map(Local, (*names, "verdict"))))
    judge = Judge(6, over, 6, 1, *map(Local, names), Local("verdict"))
    body = (*FIRST, *LAST, *[x for x in lines if traced or not isinstance(x, Told)], *([told] if traced else []), judge)
    body = body if traced else tuple(When(x.test, x.then) if isinstance(x, When) else x for x in body)
    function = Function("roll900", ("p1",), body, frozenset(), False, (True,))
    call_ = Apply(function, None, (Const(given_),))
    short = Folding(made).shortened(call_, passing)
    assert short is not None
    notes = made.space["N"]
    _, mask, dice, best, again, thrown = made.compiled(function)(given_)
    noted, notes[:] = list(notes), []
    answer = made.compiled(short.function)(given_)
    assert (dice, best, again) == (1, True, False)
    assert answer == (bytes(f for f in range(1, 7) if (mask >> f & 1) != passing) if thrown else None)
    assert flat(notes) == flat(noted)


def flat(notes):
    """What is noted, each note by itself."""
    found = []
    for about, *values in notes:
        if isinstance(about, tuple):
            for _, number, many in about:
                found.append((number, *values[:many]))
                values = values[many:]
        else:
            found.append((about, *values))
    return found


@pytest.mark.parametrize("traced", [False, True])
def test_a_value_that_depends_on_nothing_is_worked_out_once(traced):
    made = program(traced)
    note = (Told(Const(9), (Local("r"),)),) if traced else ()
    sure = Function("value900", (), (Let("r", call("half", Const(7))), *note, Give(Local("r"))), frozenset(), False, ())
    stated = Function("value901", (), (Give(Cell(STATE, None, 2)),), frozenset(), True, ())
    late = Function("value902", (), (Give(call("times", Const(10**9), Const(10**9))),), frozenset(), False, ())
    folding = Folding(made)
    assert folding.constant_answer(Apply(sure, None, ())) == (4, ((9, 4),) if traced else ())
    assert folding.constant_answer(Apply(stated, STATE, ())) is None
    assert folding.constant_answer(Apply(late, None, ())) is None  # who comes to it is refused, and nobody else
    assert made.space["N"] == []


def test_what_is_asked_is_written_with_what_it_asks():
    one = Function("value1", (), (Give(ONE),), frozenset(), False, ())
    two = Function("value2", (), (Give(infix(Apply(one, None, ()), "+", ONE)),), frozenset(), False, ())
    printer = Printer()
    printer.text(Call("max", (Apply(two, None, ()), ONE)))
    known: set[str] = set()
    space: dict[str, object] = {}
    exec("\n".join(source_of(printer.asked.values(), known)), space)
    assert known == {"value1", "value2"} and space["value2"]() == 2
    assert source_of([two], known) == []


# ---- nobody reads what was written
READING = {
    "split",
    "partition",
    "rpartition",
    "strip",
    "startswith",
    "endswith",
    "removeprefix",
    "removesuffix",
    "replace",
}
OTHERS = {
    "hoist.py",
    "words.py",
    "trace_notes.py",
    "step_lowering.py",
    "program.py",
}  # names of the game, of lines, and of our own modules


@pytest.mark.parametrize("path", sorted(ROOM.glob("*.py")), ids=lambda path: path.stem)
def test_what_a_printer_wrote_is_read_by_nobody(path):
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            assert not {name.name for name in node.names} & {"re", "ast", "tokenize"}, path
        elif isinstance(node, ast.ImportFrom):
            assert node.module not in ("re", "ast", "tokenize"), path
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and path.name not in OTHERS:
            assert node.func.attr not in READING, f"{path.name}:{node.lineno}"
