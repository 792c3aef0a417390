"""The large questions of `large/`: whether they are answered, in how many seconds, and in how many times the yardstick.

Each runs in a process of its own, from its text to its answer, the rules checked beforehand; seconds are those of the
processor. The yardstick is the
hand-written answer to P4a, timed in the same process right before and after, so a busy machine slows both alike. Where
somebody could write the answer down by hand, it is compared.
"""

from __future__ import annotations

import multiprocessing
import resource
from collections.abc import Callable
from fractions import Fraction
from math import comb
from pathlib import Path
from time import process_time
from typing import Any

import hand

from interpreter.source import Problems
from interpreter.workbench.answers import Answer
from interpreter.workbench.bands import answer_case
from interpreter.workbench.cases import prepare
from interpreter.workbench.rules import open_rules
from interpreter.workbench.trees import read_text

FOLDER = Path(__file__).parent / "large"
MOST = 2.0  # seconds on one core
YARD = 5  # times the yardstick is measured, before and after


def _sixes_twice() -> dict[Any, Fraction]:
    """Twelve dice that hit on a 6, and then on a 4 or more."""
    return {n: Fraction(comb(12, n) * 11 ** (12 - n), 12**12) for n in range(13)}


BY_HAND: dict[str, Callable[[], dict[Any, Fraction]]] = {"vehicle-hits": _sixes_twice}


def _yardstick() -> float:
    spent = []
    for _ in range(YARD):
        hand.forget()
        begun = process_time()
        hand.p4a()
        spent.append(process_time() - begun)
    return min(spent)


def _asked(name: str, text: str, patience: float) -> tuple[str, float, float]:
    """What came of a question: how it was answered, the seconds, and those of the yardstick."""
    problems = Problems()
    tree = read_text(name, text, problems)
    assert tree is not None
    rules = open_rules(getattr(tree.get("rules"), "text", ""), problems)
    assert rules is not None, [str(p.message) for p in problems]
    before = _yardstick()
    used = int(process_time() + patience) + 1
    resource.setrlimit(resource.RLIMIT_CPU, (used, used))
    begun = process_time()
    case = prepare(rules, tree, problems)
    assert case is not None, [str(p.message) for p in problems]
    answer = answer_case(case)
    spent = process_time() - begun
    yard = min(before, _yardstick())
    if answer is None:
        return "refused " + ", ".join(sorted({p.code for p in case.problems})), spent, yard
    if name in BY_HAND:
        assert isinstance(answer, Answer)
        if {k: v for k, v in answer.of(0).items() if v} != BY_HAND[name]():
            return "DIFFERENT from what was written by hand", spent, yard
    return f"{answer.worlds} worlds", spent, yard


def _child(pipe: Any, *given: Any) -> None:
    pipe.send(_asked(*given))


def ask(name: str, text: str, patience: float) -> tuple[str, float | None, float | None]:
    """The same in a process of its own, which is ended after so many seconds of the processor."""
    here, there = multiprocessing.get_context("fork").Pipe(duplex=False)
    child = multiprocessing.get_context("fork").Process(target=_child, args=(there, name, text, patience))
    child.start()
    there.close()
    try:
        return here.recv()  # type: ignore[no-any-return]
    except EOFError:
        return f"> {patience:.0f} s", None, None
    finally:
        child.join()


def _tenth(text: str) -> str:
    """`hundred.yaml` with about a tenth of the figures."""
    return text.replace("100 figures", "10 figures").replace("[25 ", "[3 ").replace(" 25 ", " 2 ")


def run(rounds: int, patience: float, targets: Any) -> None:
    """Print a line for each question, and note the targets."""
    texts = {path.stem: path.read_text(encoding="utf-8") for path in sorted(FOLDER.glob("*.yaml"))}
    texts["hundred, a tenth of it"] = _tenth(texts["hundred"])
    best: dict[str, float | None] = {}
    print("\nlarge questions: seconds of the processor, and times the hand-written answer to p4a")
    for name, text in texts.items():
        found = [ask(name, text, patience) for _ in range(rounds)]
        timed = [(spent, spent / yard) for _, spent, yard in found if spent is not None and yard]
        told = found[0][0]
        spent = min((s for s, _ in timed), default=None)
        times = f"{spent:8.2f} s  {min(t for _, t in timed):8.1f}x" if spent is not None else f"{'':21}"
        print(f"  {name:26} {times}  {told}", flush=True)
        best[name] = spent if told.endswith("worlds") else None
        if "," not in name:
            targets.at_most("T11", f"large question: {name}", best[name], MOST, " s")
    hundred, ten = best["hundred"], best["hundred, a tenth of it"]
    growth = hundred / ten if hundred is not None and ten else None
    targets.at_most("T10", "large question: a hundred of four kinds / ten", growth, 5)
