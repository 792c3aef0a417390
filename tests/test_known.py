"""What is known of yes-or-no slots on a way settles tests; what is not known settles nothing."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interpreter.program.code import Do
from interpreter.program.path_conditions import done, known_value, supposing
from interpreter.program.printer import Printer
from interpreter.program.statements import Set
from interpreter.program.terms import FALSE, STATE, TRUE, And, Cell, Const, Not, Or, Slot, call, infix

L1, L2, L3 = map(Slot, (1, 2, 3))
SOME = And((Not(L1), Or((L2, infix(L3, "==", Const(4))))))


@pytest.mark.parametrize(
    ("test", "known", "outcome"),
    [
        (SOME, {1: True}, False),
        (SOME, {1: False}, None),
        (SOME, {1: False, 2: True}, True),
        (Or((L1, Cell(STATE, L2, 3))), {1: True}, True),
        (Or((L1, Cell(STATE, L2, 3))), {2: True}, None),
        (TRUE, {}, True),
        (Const(1), {}, None),
        (call("bool", L1), {1: True}, None),
        (infix(L1, "==", L1), {1: True}, None),
    ],
)
def test_tests(test, known, outcome):
    assert known_value(test, known) is outcome


def conditions():
    return st.recursive(
        st.sampled_from([L1, L2, L3, TRUE, FALSE, infix(L1, "==", L2)]),
        lambda inner: st.one_of(
            inner.map(Not),
            st.tuples(inner, inner).map(And),
            st.tuples(inner, inner, inner).map(Or),
        ),
    )


def so(test, values):
    return bool(eval(Printer().text(test), {}, {f"l{slot}": value for slot, value in values.items()}))


@given(
    conditions(),
    st.dictionaries(st.sampled_from([1, 2, 3]), st.booleans()),
    st.lists(st.booleans(), min_size=3, max_size=3),
)
def test_what_is_settled_is_so_whatever_the_rest(test, known, rest):
    outcome = known_value(test, known)
    if outcome is not None:
        assert so(test, {i + 1: known.get(i + 1, rest[i]) for i in range(3)}) is outcome


@given(conditions(), st.booleans(), st.lists(st.booleans(), min_size=3, max_size=3))
def test_what_a_branch_tells_holds_in_it(test, outcome, values):
    held = dict(enumerate(values, 1))
    if so(test, held) is outcome:
        assert all(held[slot] is value for slot, value in supposing(test, outcome, {}).items())


@given(conditions(), st.lists(st.booleans(), min_size=3, max_size=3), st.sets(st.sampled_from([1, 2, 3])))
def test_what_a_statement_sets_is_known_as_it_is(value, values, told):
    held = dict(enumerate(values, 1))
    known = {slot: held[slot] for slot in told}
    done(Do(Set(2, value)), known)
    held[2] = so(value, held)
    assert all(held[slot] is outcome for slot, outcome in known.items())


@pytest.mark.parametrize(
    ("test", "told"),
    [
        (Slot(7), {7: True}),
        (Not(Slot(7)), {7: False}),
        (And((Slot(7), Slot(8))), {}),
        (infix(Slot(7), ">", Const(2)), {}),
    ],
)
def test_a_branch_tells_its_test(test, told):
    assert supposing(test, True, {}) == told
    assert supposing(test, False, {}) == {slot: not value for slot, value in told.items()}
