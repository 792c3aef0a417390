"""Rounded numbers: what is told in an editor, and of a sample, never reads as a 0 or a certainty that it is not."""

from __future__ import annotations

from fractions import Fraction

import pytest

from interpreter.editor.numbers import _range, change
from interpreter.source.digits import format_number, format_percent, format_share
from interpreter.workbench.pricing import Law

RARE = Fraction(1, 46656)


def law(yes: Fraction | None = None, mean: Fraction | None = None) -> Law:
    values = ("x", (Fraction(1), Fraction(1))) if yes is None else ("yes", (yes, yes))
    return Law((values,), None if mean is None else (mean, mean))


@pytest.mark.parametrize(
    ("value", "percent", "share", "number"),
    [
        (Fraction(0), "0.0%", "0%", "0"),
        (RARE, "<0.1%", "<0.1%", "2.1e-05"),
        (Fraction(1, 300), "0.3%", "0.3%", "0.0033"),
        (Fraction(1, 2), "50.0%", "50.0%", "0.50"),
        (1 - RARE, ">99.9%", ">99.9%", "1.00"),
        (Fraction(1), "100.0%", "100%", "1"),
    ],
)
def test_numbers_that_are_rounded(value: Fraction, percent: str, share: str, number: str) -> None:
    assert (format_percent(value), format_share(value), format_number(value)) == (percent, share, number)


def test_a_change_that_rounding_hides_is_told() -> None:
    assert change(None, law(yes=RARE)) == "<0.1%"
    assert change(law(yes=RARE), law(yes=RARE)) == "<0.1%"
    assert change(law(yes=RARE), law(yes=2 * RARE)) == "<0.1%, a little otherwise"
    assert change(law(mean=Fraction(2)), law(mean=Fraction(8, 3))) == "2 → 2.67"


def test_of_many_situations_only_those_with_a_number_are_counted() -> None:
    two = [(None, law(mean=Fraction(2))), (None, law(mean=Fraction(3)))]
    assert _range(two) == "2 to 3 in 2 situations"
    assert _range([*two, (None, law())]) == "2 to 3 in 2 of 3 situations"
    assert _range([(None, law()), (None, law())]) == "2 situations"
    assert _range([(law(mean=Fraction(1)), law(mean=Fraction(2))), *two]) == "2 to 3 in 3 situations, 1 changed"
