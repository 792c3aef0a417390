"""The peers, each in its best formulation.

icepool and dyce (nothing cut off) for exact odds, d20 for a roll, zen-engine and simpleeval for expressions.
Exact functions give `{outcome: Fraction}` through a function that reads them.

The steps of P3 and P4 are those of `hand.py`: what is compared is the chain, not the arithmetic of one step.
"""

from __future__ import annotations

import warnings
from fractions import Fraction
from typing import Any

import hand

warnings.simplefilter("ignore")

try:
    import icepool
    from icepool import Die, Vector, coin, d6
except ImportError:
    icepool = None
try:
    from dyce import H, P
    from dyce.evaluation import expand
    from dyce.p import survey_outcome_order_ascending as ascending
except ImportError:
    H = None

ZERO = Fraction(0)


def _fallen(unsaved: int) -> tuple[int, int]:
    down = min(unsaved, 3)
    return down, min(unsaved - down, 10 - down)


def _half(state: Any) -> dict[Any, int] | None:
    who, a, a_down, b, b_down = state
    if not a or not b:
        return None
    law = hand._act(a, a_down, b, b_down)
    return {(1 - who, b2, d2, a2, c2): w for (a2, c2, b2, d2), w in law.items()}


def _ending(state: Any) -> tuple[bool, bool]:
    who, a, _, b, _ = state
    return (False, False) if a and b else ((b == 0) == (who == 0), (b == 0) != (who == 0))


def _damage(have: int) -> dict[int, int]:
    law = {have: 180}
    for then, weight in hand._damage(have).items():
        law[then] = law.get(then, 0) + weight
    return law


# ---- icepool
def icepool_p1() -> Any:
    return (10 @ coin(2, 9)).map(_fallen)


def icepool_p1_as_it_reads() -> Any:
    return (10 @ (d6 >= 5) @ (d6 < 5)).map(_fallen)


def icepool_p2() -> Any:
    wounds = {Vector((1, 0, 0)): 1, Vector((0, 1, 0)): 1, Vector((0, 0, 1)): 1}
    return 40 @ Die({Vector((0, 0, 0)): 69, **wounds})


def icepool_p2_as_it_reads() -> Any:
    wound = Die({Vector((1, 0, 0)): 1, Vector((0, 1, 0)): 1, Vector((0, 0, 1)): 1})
    unsaved = 40 @ coin(1, 12) @ (d6 < 4)
    return unsaved.map(lambda n: n @ wound if n else Vector((0, 0, 0)))


def icepool_p2_counted() -> Any:
    class Counts(icepool.MultisetEvaluator):
        def next_state(self, state: Any, order: Any, outcome: Any, count: Any) -> Any:
            found = list(state or (0, 0, 0))
            if outcome:
                found[outcome - 1] = count
            return tuple(found)

    return Counts().evaluate(Die({0: 69, 1: 1, 2: 1, 3: 1}).pool(40))


def icepool_p3() -> Any:
    return icepool.map(lambda have: Die(_damage(have)), Die([0]), star=False, repeat=6)


def icepool_p4(figures: int, repeat: Any) -> Any:
    def half(state: Any) -> Any:
        law = _half(state)
        return state if law is None else Die(law)

    chain = icepool.map(half, Die([(0, figures, 0, figures, 0)]), star=False, repeat=repeat)
    return chain.map(_ending, star=False)


def icepool_p4a() -> Any:
    return icepool_p4(10, 12)


def icepool_shares(die: Any) -> dict[Any, Fraction]:
    total = die.denominator()
    return {tuple(k) if isinstance(k, tuple | Vector) else k: Fraction(w, total) for k, w in die.items() if w}


# ---- dyce
def dyce_p1() -> Any:
    hits = 10 @ H({0: 2, 1: 1})

    def saved(r: Any) -> Any:
        if not r.outcome:
            return (0, 0)
        return expand(lambda q: _fallen(q.outcome), r.outcome @ H({0: 1, 1: 2}))

    return expand(saved, hits, min_path_probability=ZERO)


def dyce_p2() -> Any:
    def counts(state: Any, outcome: Any, count: Any) -> Any:
        found = list(state or (0, 0, 0))
        if outcome:
            found[outcome - 1] = count
        return tuple(found)

    return (40 @ P(H({0: 69, 1: 1, 2: 1, 3: 1}))).survey(accumulate=counts, order=ascending)


def dyce_p3() -> Any:
    found = H({0: 1})
    for _ in range(6):
        found = expand(lambda r: H(_damage(r.outcome)), found, min_path_probability=ZERO)
    return found


def dyce_p4a() -> Any:
    def half(r: Any) -> Any:
        law = _half(r.outcome)
        return r.outcome if law is None else H(law)

    found = H({(0, 10, 0, 10, 0): 1})
    for _ in range(12):
        found = expand(half, found, min_path_probability=ZERO)
    return expand(lambda r: _ending(r.outcome), found, min_path_probability=ZERO)


def dyce_shares(found: Any) -> dict[Any, Fraction]:
    return {k: Fraction(w, found.total) for k, w in found.items() if w}


def exact(problem: str) -> dict[str, tuple[Any, Any]]:
    """Name of a peer's formulation -> (what to run, how to read its fractions)."""
    found: dict[str, tuple[Any, Any]] = {}
    for name, f in list(globals().items()):
        library, _, rest = name.partition("_")
        there = {"icepool": icepool, "dyce": H}.get(library)
        if there is not None and rest.split("_")[0] == problem:
            shares = icepool_shares if library == "icepool" else dyce_shares
            found[name.replace(f"_{problem}", "").replace("_", " ")] = f, shares
    return found


# ---- a roll, and an expression
def d20_roll() -> Any:
    """A bare 10d6, parsed beforehand."""
    import d20

    dice, tree = d20.Roller(), d20.parse("10d6")
    return lambda: dice.roll(tree)


def expressions() -> dict[str, Any]:
    """Functions from the values by name to yes or no, parsed beforehand."""
    found: dict[str, Any] = {}
    try:
        import zen

        compiled = zen.compile_expression("hits >= expertise + cover - (aimed ? 2 : 0)")
        found["zen-engine"] = compiled.evaluate
    except ImportError:
        pass
    try:
        import simpleeval

        text = "hits >= expertise + cover - (2 if aimed else 0)"
        evaluator = simpleeval.SimpleEval()
        parsed = evaluator.parse(text)

        def evaluate(values: dict[str, Any]) -> Any:
            evaluator.names = values
            return evaluator.eval(text, previously_parsed=parsed)

        found["simpleeval"] = evaluate
    except ImportError:
        pass
    return found
