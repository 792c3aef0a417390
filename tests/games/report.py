"""What a run of games has reached: verdicts by kind, pairs of constructs that a play passed, productions of the grammar.

Taken: verdicts, and the texts of games. Given: a report to print, and what is missing by name.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from functools import cache, lru_cache
from itertools import combinations
from typing import Any

from interpreter.language.lark_tables import lark_parser
from interpreter.language.parse import noting_sentences as noting_sentences
from interpreter.places import LANGUAGE

from .constructs import CONSTRUCTS, NEVER, PAIRS
from .driver import Verdict


class Report:
    def __init__(self) -> None:
        self.verdicts: Counter[str] = Counter()
        self.why: Counter[str] = Counter()
        self.constructs: Counter[str] = Counter()
        self.pairs: Counter[tuple[str, str]] = Counter()
        self.productions: Counter[str] = Counter()
        self.failures: list[tuple[int, str, str]] = []

    def add(self, seed: int, verdict: Verdict) -> None:
        self.verdicts[verdict.how] += 1
        if verdict.why:
            self.why[f"{verdict.how}: {verdict.why}"] += 1
        if verdict.failed:
            self.failures.append((seed, verdict.why, verdict.told))
        met = {pair for play in set(verdict.met) for pair in combinations(sorted(play), 2)}
        self.pairs.update(met)
        self.constructs.update({tag for play in verdict.met for tag in play})

    def read(self, sentences: dict[tuple[str, str], Any]) -> None:
        """Sentences that were read, each with what it was read as."""
        self.productions.update(productions_of(sentences))

    @property
    def clean(self) -> float:
        """The share of games that are right in every word."""
        refused = sum(n for why, n in self.why.items() if why.startswith("refused:") and " play " not in why)
        return 1 - refused / max(1, self.verdicts.total())

    @property
    def missing(self) -> list[tuple[str, str]]:
        return [pair for pair in PAIRS if not self.pairs[pair]]

    def unread(self) -> list[str]:
        return sorted(set(all_productions()) - set(self.productions))

    def written(self, most: int = 40) -> str:
        total = self.verdicts.total()
        missing = self.missing
        lines = [f"{total} games: " + ", ".join(f"{n} {how}" for how, n in self.verdicts.most_common())]
        lines += [f"  {n:6} {why}" for why, n in self.why.most_common()]
        lines += [
            f"clean: {self.clean:.1%}",
            f"pairs of constructs: {len(PAIRS) + len(NEVER)} declared, {len(NEVER)} impossible, "
            f"{len(PAIRS) - len(missing)} reached, {len(missing)} not reached",
            *(f"  impossible: {' with '.join(sorted(both))}: {why}" for both, why in NEVER.items()),
        ]
        for name, least, greatest in (
            ("once", 1, 1),
            ("2 to 9 times", 2, 9),
            ("10 to 99 times", 10, 99),
            ("more often", 100, 10**9),
        ):
            lines.append(f"  {sum(least <= self.pairs[p] <= greatest for p in PAIRS):6} {name}")
        never = [c for c in CONSTRUCTS if not self.constructs[c]]
        lines.append(f"constructs never reached: {', '.join(never) or 'none'}")
        unread = self.unread()
        lines.append(
            f"productions of the grammar read: {len(all_productions()) - len(unread)} of {len(all_productions())}"
        )
        lines += [f"  never read: {p}" for p in unread[:most]]
        lines += [f"failed: game {seed}: {why}: {told[:300]}" for seed, why, told in self.failures[:most]]
        return "\n".join(lines)


# ---- the grammar
_met: list[str] = []


@cache
def _watched() -> Any:
    """Lark's parser of the grammar, which notes each production that it reduces by."""
    with open(LANGUAGE, encoding="utf-8") as file:
        built = lark_parser(file.read())
    callbacks = built.parser.parser.parser.callbacks

    def noting(rule: Any, function: Any) -> Any:
        def note(children: Any) -> Any:
            _met.append(_said(rule))
            return function(children)

        return note

    for rule in list(callbacks):
        callbacks[rule] = noting(rule, callbacks[rule])
    return built


def _said(rule: Any) -> str:
    return re.sub(r"\s+", " ", f"{rule.origin.name} -> {' '.join(s.name for s in rule.expansion)}")


@cache
def all_productions() -> tuple[str, ...]:
    return tuple(sorted({_said(rule) for rule in _watched().parser.parser.parser.callbacks}))


@lru_cache(maxsize=5000)
def productions(text: str, start: str) -> frozenset[str]:
    """Those that this text is read by."""
    _met.clear()
    try:
        _watched().parse(text, start=start)
    except Exception:  # a text that cannot be read is judged elsewhere
        return frozenset()
    return frozenset(_met)


def productions_of(sentences: Iterable[tuple[str, str]]) -> list[str]:
    """Those that some of these texts is read by."""
    return sorted({each for text, start in sentences for each in productions(text, start)})
