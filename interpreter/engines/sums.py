"""Independent numbers of one law, added up: the law of their sum.

Enters: a law whose outcomes are numbers, or several numbers each. Leaves: the law of so many of them together. Integer
weights only; nothing is cut off. Knows nothing of rules.
"""

from __future__ import annotations

from math import prod

from interpreter.hints import Any

from .laws import Law, spread

Vectors = dict[tuple[Any, ...], int]
DENSE = 2_000  # sums up to which all are digits of one number


def added(law: Law, many: int) -> Law:
    """So many independent numbers of one law, added up; an outcome is a number, or one for each of several totals, and
    what is no number counts nothing.
    """
    total, rows = law
    single = not isinstance(rows[0][0], tuple)
    each = [(tuple([x or 0 for x in ((out,) if single else out)]), weight) for out, weight in rows]
    whole = all(isinstance(x, int) for out, _ in each for x in out)
    lows = [min(xs) for xs in zip(*[out for out, _ in each], strict=True)]
    spans = [
        (max(xs) - low) * many + 1 for low, xs in zip(lows, zip(*[out for out, _ in each], strict=True), strict=True)
    ]
    found = _as_one_power(each, many, total, lows, spans) if whole and prod(spans) <= DENSE else _doubled(each, many)
    return total**many, [(out[0] if single else out, weight) for out, weight in found.items()]


def _as_one_power(
    each: list[tuple[tuple[Any, ...], int]], many: int, total: int, lows: list[int], spans: list[int]
) -> Vectors:
    """Kronecker's substitution: the weights are digits of one whole number, and its power has the sums' weights."""
    size = (total**many).bit_length() // 8 + 1
    steps = [prod(spans[:i]) for i in range(len(spans))]
    base = 0
    for out, weight in each:
        at = sum([(x - low) * step for x, low, step in zip(out, lows, steps, strict=True)])
        base += weight << 8 * size * at
    digits = (base**many).to_bytes(size * prod(spans), "little")
    found: Vectors = {}
    for at in range(prod(spans)):
        if weight := int.from_bytes(digits[at * size : (at + 1) * size], "little"):
            found[
                tuple([at // step % span + low * many for step, span, low in zip(steps, spans, lows, strict=True)])
            ] = weight
    return found


def _doubled(each: list[tuple[tuple[Any, ...], int]], many: int) -> Vectors:
    """By sums of two, of four, …"""
    found: Vectors = {(0,) * len(each[0][0]): 1}
    sums: Vectors = {}
    for out, weight in each:
        sums[out] = sums.get(out, 0) + weight
    while True:
        if many & 1:
            found = _both(found, sums)
        many >>= 1
        if not many:
            return found
        sums = _both(sums, sums)


def _both(a: Vectors, b: Vectors) -> Vectors:
    spread(len(a) * len(b))
    found: Vectors = {}
    for one, weight in a.items():
        for other, much in b.items():
            out = tuple([x + y for x, y in zip(one, other, strict=True)])
            found[out] = found.get(out, 0) + weight * much
    return found
