"""What is known of yes-or-no slots on a way settles tests; what is not known settles nothing."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interpreter.program.known import settled, supposing

NAMES = ["l1", "l2", "l3"]


@pytest.mark.parametrize(
    ("test", "known", "outcome"),
    [
        ("((not l1) and (l2 or (l3 == 4)))", {1: True}, False),
        ("((not l1) and (l2 or (l3 == 4)))", {1: False}, None),
        ("((not l1) and (l2 or (l3 == 4)))", {1: False, 2: True}, True),
        ("(l1 or S[l2+3])", {1: True}, True),
        ("(l1 or S[l2+3])", {2: True}, None),
        ("True", {}, True),
        ("bool(l1)", {1: True}, None),
        ("l1 == l1", {1: True}, None),
    ],
)
def test_tests(test, known, outcome):
    assert settled(test, known) is outcome


def conditions():
    return st.recursive(
        st.sampled_from([*NAMES, "True", "False", "(l1 == l2)"]),
        lambda inner: st.one_of(
            inner.map(lambda a: f"(not {a})"),
            st.tuples(inner, st.sampled_from(["and", "or"]), inner).map(lambda t: f"({t[0]} {t[1]} {t[2]})"),
        ),
    )


@given(
    conditions(),
    st.dictionaries(st.sampled_from([1, 2, 3]), st.booleans()),
    st.lists(st.booleans(), min_size=3, max_size=3),
)
def test_what_is_settled_is_so_whatever_the_rest(test, known, rest):
    outcome = settled(test, known)
    values = {f"l{i + 1}": known.get(i + 1, rest[i]) for i in range(3)}
    if outcome is not None:
        assert bool(eval(test, {}, values)) is outcome


@pytest.mark.parametrize(
    ("test", "told"), [("l7", {7: True}), ("(not l7)", {7: False}), ("(l7 and l8)", {}), ("l7 > 2", {})]
)
def test_a_branch_tells_its_test(test, told):
    assert supposing(test, True, {}) == told
    assert supposing(test, False, {}) == {slot: not value for slot, value in told.items()}
