"""Numbers as text: exactly, for integers of any length (exact odds of large throws have thousands of digits), or
rounded for reading. A rounded number is never shown as 0 or 100% unless it is.

Functions take a number and return a string. This module does not know what the numbers mean.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction

_PLACES = 6
_LONG = 10**1000  # below this, Python's limit on printed digits does not apply


@contextmanager
def any_digits() -> Iterator[None]:
    """Within the context, Python reads and prints integers of more than 4,300 digits."""
    before = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)
    try:
        yield
    finally:
        sys.set_int_max_str_digits(before)


def fraction(value: Fraction) -> str:
    """Return numerator and denominator: `7/3`, `2/1`."""
    with any_digits():
        return f"{value.numerator}/{value.denominator}"


def format_exact(value: int | Fraction) -> str:
    """Return `3`, `3.5` or `1/3`: a decimal if at most `_PLACES` places are exact, else a fraction. Lossless."""
    if value.denominator == 1 and -_LONG < value < _LONG:
        return str(value.numerator)
    with any_digits():
        if value.denominator == 1:
            return str(value.numerator)
        places = next((n for n in range(1, _PLACES + 1) if 10**n % value.denominator == 0), 0)
        if not places:
            return f"{value.numerator}/{value.denominator}"
        whole, rest = divmod(abs(value.numerator) * 10**places // value.denominator, 10**places)
        return f"{'-' if value < 0 else ''}{whole}.{rest:0{places}}"


# ---- rounded
def format_percent(value: Fraction) -> str:
    """Return a probability in percent with one decimal; `<0.1%` and `>99.9%` where rounding would give 0 or 100."""
    shown = f"{float(value) * 100:.1f}%"
    if value and shown == "0.0%":
        return "<0.1%"
    return ">99.9%" if value != 1 and shown == "100.0%" else shown


def format_share(value: Fraction) -> str:
    """Return a probability in percent; 0% and 100% without decimals, since they are exact."""
    return f"{value.numerator * 100}%" if value.denominator == 1 else format_percent(value)


def format_number(value: Fraction) -> str:
    """Return a mean: an integer without decimals, else two decimals, or two significant digits below 1/20."""
    if value.denominator == 1:
        return str(value.numerator)
    return f"{float(value):.2f}" if abs(value) >= Fraction(1, 20) else f"{float(value):.2g}"
