"""The whole numbers of some closed intervals, in which a number needs no further look at each of them."""

from __future__ import annotations

import itertools

import pytest

from interpreter.program.runtime import Refused, covered, whole_numbers


@pytest.mark.parametrize(
    ("ranges", "numbers"),
    [
        (((1, 1), (2, 3), (4, 6)), range(1, 7)),
        (((4, 6), (1, 2)), range(1, 3)),  # nothing holds 3
        (((None, 2), (3, 5), (6, None)), range(2, 7)),
        (((7, None),), range(7, 8)),
    ],
)
def test_numbers_up_to_the_first_gap(ranges, numbers):
    assert whole_numbers(ranges) == numbers


@pytest.mark.parametrize("ranges", [*itertools.permutations(((1, 1), (2, 4), (7, None)))])
def test_only_numbers_that_an_interval_holds(ranges):
    def held(number: int) -> bool:
        try:
            return covered(number, ranges, None)
        except Refused:
            return False

    assert all(held(n) for n in whole_numbers(ranges))
    assert not held(5)
