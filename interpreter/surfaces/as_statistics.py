"""The statistics available on the command line besides distributions, each one row of a table.

Takes an answer, the index of one of its questions, and the options for statistics. Gives lines for a terminal, and
plain data for JSON. Options, text, tables of alternatives and JSON are derived from the rows; the numbers are computed
in the workbench.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from interpreter.source.digits import format_number, fraction
from interpreter.source.values import Struct
from interpreter.workbench.answers import Answer
from interpreter.workbench.bands import Band, format_bounds
from interpreter.workbench.summary_statistics import is_number, quantile, variance

from .as_charts import Form
from .as_json import Json

Odds = Answer | Band
Wished = Mapping[str, Any]  # name of a statistic → value of its option


class Statistic(Struct):
    """A statistic of a question whose values are all numbers.

    `worked` computes it from the answer, the index of the question and the value of the option. The other functions
    format it: `line` below a distribution (with its number format), `beside` next to the bar of one of several
    situations (may be empty), `plain` for JSON.
    """

    name: str  # of the option: `--deviation`
    help: str  # of the option
    shares: bool  # whether the option takes shares, as `10,50,90`; else it is a flag
    key: str  # in JSON, where it is always present
    worked: Callable[[Odds, int, Any], Any]
    line: Callable[[Odds, int, Any, Form], str]
    beside: Callable[[Odds, int, Any], list[str]]
    plain: Callable[[Odds, int, Any], Any]


def lines(answer: Odds, index: int, wished: Wished, form: Form) -> list[str]:
    """The requested statistics of one question, one per line; none unless its values are numbers."""
    asked = [s for s in STATISTICS if wished.get(s.name)] if is_number(answer, index) else []
    return [s.line(answer, index, s.worked(answer, index, wished[s.name]), form) for s in asked]


def beside(answer: Odds, index: int, wished: Wished) -> str:
    """The requested statistics in short form, for a question whose values are numbers."""
    asked = [s for s in STATISTICS if wished.get(s.name)]
    return "  ".join(part for s in asked for part in s.beside(answer, index, s.worked(answer, index, wished[s.name])))


def plain(answer: Odds, index: int, wished: Wished) -> Json:
    """Every statistic as plain data, by key; each is empty unless the values of the question are numbers."""
    return {s.key: s.plain(answer, index, s.worked(answer, index, wished.get(s.name))) for s in STATISTICS}


# ---- standard deviation
def _variance(answer: Odds, index: int, wished: Any) -> Fraction | None:
    return variance(answer, index)


def _deviation(found: Fraction) -> str:
    return f"deviation {format_number(Fraction(float(found) ** 0.5))}"


def _deviation_line(answer: Odds, index: int, found: Fraction | None, form: Form) -> str:
    return "no deviation: somebody chooses" if found is None else f"{_deviation(found)}, variance {form(found)}"


def _deviation_beside(answer: Odds, index: int, found: Fraction | None) -> list[str]:
    return [] if found is None else [_deviation(found)]


def _plain_variance(answer: Odds, index: int, found: Fraction | None) -> str | None:
    return fraction(found) if found is not None else None


# ---- quantiles
Quantiles = list[tuple[Fraction, tuple[Any, Any]]]  # (share, (least, greatest) quantile)


def _quantiles(answer: Odds, index: int, shares: Sequence[Fraction] | None) -> Quantiles:
    return [(share, quantile(answer, index, share)) for share in shares or ()] if is_number(answer, index) else []


def percents(share: Fraction) -> str:
    """A share as a percentage without trailing zeros: `90%`, `2.5%`."""
    found = share * 100
    return f"{found.numerator}%" if found.denominator == 1 else f"{float(found):g}%"


def _ends(answer: Odds, index: int, ends: tuple[Any, Any]) -> str:
    return format_bounds(ends, lambda value: answer.words.say(value, answer.asks[index].type))


def _quantiles_line(answer: Odds, index: int, found: Quantiles, form: Form) -> str:
    said = ", ".join(f"{_ends(answer, index, ends)} in {percents(share)}" for share, ends in found)
    return f"at most {said} of all ways"


def _quantiles_beside(answer: Odds, index: int, found: Quantiles) -> list[str]:
    return [f"{percents(share)} at most {_ends(answer, index, ends)}" for share, ends in found]


def _plain_quantiles(answer: Odds, index: int, found: Quantiles) -> list[Json]:
    words, type_ = answer.words, answer.asks[index].type
    return [
        {"share": fraction(share), "least": words.plain(least, type_), "greatest": words.plain(greatest, type_)}
        for share, (least, greatest) in found
    ]


# ---- the table
STATISTICS: tuple[Statistic, ...] = (
    Statistic(
        "deviation",
        "Standard deviation and variance as well.",
        False,
        "variance",
        _variance,
        _deviation_line,
        _deviation_beside,
        _plain_variance,
    ),
    Statistic(
        "quantiles",
        "Where so many percent of all ways end.",
        True,
        "quantiles",
        _quantiles,
        _quantiles_line,
        _quantiles_beside,
        _plain_quantiles,
    ),
)
