"""The large questions of `large/`: whether they are answered, in how many seconds, and in how many times the yardstick.

Each runs in a process of its own, from its text to its answer, the rules checked beforehand; seconds are those of the
processor. The yardstick is the
hand-written answer to P4a, timed in the same process right before and after, so a busy machine slows both alike. What
`large_by_hand.py` answers is compared, and timed in the same process as well. `python benchmarks/large.py` asks these
questions alone, and gives them as many worlds as they need.
"""

from __future__ import annotations

import multiprocessing
import resource
import sys
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from time import process_time
from typing import Any

import hand
import large_by_hand as by_hand

from interpreter.source import Problems
from interpreter.workbench.answers import Answer
from interpreter.workbench.bands import MOST_WORLDS, answer_case
from interpreter.workbench.cases import prepare
from interpreter.workbench.rules import open_rules
from interpreter.workbench.trees import read_text

FOLDER = Path(__file__).parent / "large"
MOST = 2.0  # seconds on one core
YARD = 5  # times the yardstick is measured, before and after
LEAST = 0.01  # seconds of the processor that a measure takes at least, for its clock is coarse


BY_HAND: dict[str, Callable[[], hand.Law]] = {
    "duel-imperial": by_hand.duel_imperial,
    "duel-modern": by_hand.duel_modern,
    "duel-vbcw": by_hand.duel_vbcw,
    "duel-vsf": by_hand.duel_vsf,
    "flames": by_hand.flames,
    "hundred": by_hand.hundred,
    "psychic": by_hand.psychic,
    "vehicle-hits": by_hand.vehicle_hits,
    "vehicle-row": by_hand.vehicle_row,
}
Asked = tuple[str, float, float, float | None]  # what came of it, its seconds, those of the yardstick, those by hand


def _best(run: Callable[[], Any], forget: Callable[[], None]) -> float:
    """Seconds of the best of some cold runs."""
    spent = []
    for _ in range(YARD):
        begun, times = process_time(), 0
        while not times or process_time() - begun < LEAST:
            forget()
            run()
            times += 1
        spent.append((process_time() - begun) / times)
    return min(spent)


def _yardstick() -> float:
    return _best(hand.p4a, hand.forget)


def _same(answer: Answer, law: hand.Law) -> bool:
    """One question is answered by values, several by tuples of them."""
    several = len(answer.asks) > 1
    ours = {values if several else values[0]: Fraction(w, answer.total) for values, w in answer.joint if w}
    return ours == {value: Fraction(w, law[1]) for value, w in law[0].items() if w}


def _asked(name: str, text: str, patience: float, limit: int) -> Asked:
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
    answer = answer_case(case, limit=limit)
    spent = process_time() - begun
    yard = min(before, _yardstick())
    ours = _best(BY_HAND[name], by_hand.forget) if name in BY_HAND else None
    if answer is None:
        return "refused " + ", ".join(sorted({p.code for p in case.problems})), spent, yard, ours
    if name in BY_HAND:
        assert isinstance(answer, Answer)
        if not _same(answer, BY_HAND[name]()):
            return "DIFFERENT from what was written by hand", spent, yard, ours
    return f"{answer.worlds} worlds", spent, yard, ours


def _child(pipe: Any, *given: Any) -> None:
    pipe.send(_asked(*given))


def ask(name: str, text: str, patience: float, limit: int = MOST_WORLDS) -> Asked | None:
    """The same in a process of its own; None where it is ended after so many seconds of the processor."""
    here, there = multiprocessing.get_context("fork").Pipe(duplex=False)
    child = multiprocessing.get_context("fork").Process(target=_child, args=(there, name, text, patience, limit))
    child.start()
    there.close()
    try:
        return here.recv()  # type: ignore[no-any-return]
    except EOFError:
        return None
    finally:
        child.join()


def _tenth(text: str) -> str:
    """`hundred.yaml` with about a tenth of the figures."""
    return text.replace("100 figures", "10 figures").replace("[25 ", "[3 ").replace(" 25 ", " 2 ")


def _row(name: str, rounds: int, patience: float, limit: int, text: str) -> float | None:
    """Print what came of a question, and give its seconds if it was answered."""
    found = [answer for _ in range(rounds) if (answer := ask(name, text, patience, limit)) is not None]
    if not found:
        print(f"  {name:26} {'':46}  > {patience:.0f} s", flush=True)
        return None
    told = found[0][0]
    spent = min(seconds for _, seconds, _, _ in found)
    times = f"{spent:8.2f} s  {min(seconds / yard for _, seconds, yard, _ in found):8.1f}x"
    known = [ours for _, _, _, ours in found if ours is not None]
    written = f"{min(known) * 1e3:8.2f} ms  {spent / min(known):9.1f}x" if known else f"{'':23}"
    print(f"  {name:26} {times}  {written}  {told}", flush=True)
    return spent if told.endswith("worlds") else None


def _texts() -> dict[str, str]:
    return {path.stem: path.read_text(encoding="utf-8") for path in sorted(FOLDER.glob("*.yaml"))}


HEADING = "seconds of the processor, times the hand-written answer to p4a; by hand, and times that"


def run(rounds: int, patience: float, targets: Any) -> None:
    """Print a line for each question, and note the targets."""
    texts = _texts()
    texts["hundred, a tenth of it"] = _tenth(texts["hundred"])
    best: dict[str, float | None] = {}
    print(f"\nlarge questions: {HEADING}")
    for name, text in texts.items():
        best[name] = _row(name, rounds, patience, MOST_WORLDS, text)
        if "," not in name:
            targets.at_most("T11", f"large question: {name}", best[name], MOST, " s")
    hundred, ten = best["hundred"], best["hundred, a tenth of it"]
    growth = hundred / ten if hundred is not None and ten else None
    targets.at_most("T10", "large question: a hundred of four kinds / ten", growth, 5)


def main(names: list[str]) -> None:
    """Ask what was answered by hand, or some of it, however many worlds it takes: the best of three."""
    texts = _texts()
    print(f"large questions, written by hand as well: {HEADING}")
    for name in names or BY_HAND:
        _row(name, 3, 600, 10 * MOST_WORLDS, texts[name])


if __name__ == "__main__":
    main(sys.argv[1:])
