"""Which known words a misspelt word may have meant.

Enters: a word and the words that could stand there.  Leaves: the few that are close, best first.
Must not know what the words name: the caller chooses the candidates.
"""

from __future__ import annotations

from collections.abc import Iterable

# Past this length nobody mistyped a name: it is a sentence in the wrong place.
_LONGEST = 60


def nearest(word: str, candidates: Iterable[str], limit: int = 3) -> list[str]:
    """Up to `limit` candidates at most two slips from `word` (one, for words of up to three letters)."""
    if len(word) > _LONGEST:
        return []
    reach = 1 if len(word) <= 3 else 2
    close: set[tuple[int, str]] = set()
    for candidate in candidates:
        if abs(len(candidate) - len(word)) <= reach:
            slips = distance(word, candidate)
            # A word of which every letter is changed is another word: "d" is not a misspelt "x".
            if slips <= reach and slips < max(len(word), len(candidate)):
                close.add((slips, candidate))
    return [candidate for _, candidate in sorted(close)[:limit]]


def distance(one: str, two: str) -> int:
    """Damerau-Levenshtein: letters to drop, add, change, or swap with a neighbour."""
    width = len(two) + 1
    far = len(one) + len(two)
    # Row and column -1 hold `far`, so that a swap reaching before the words is never the cheapest.
    table: list[list[int]] = [[far] * (width + 1), [far, *range(width)]]
    last_row: dict[str, int] = {}
    for i, a in enumerate(one, 1):
        row = [far, i]
        last_match = 0
        for j, b in enumerate(two, 1):
            swap_row, swap_column = last_row.get(b, 0), last_match
            swap = table[swap_row][swap_column] + (i - swap_row - 1) + 1 + (j - swap_column - 1)
            same = a == b
            row.append(min(table[i][j] + (not same), row[j] + 1, table[i][j + 1] + 1, swap))
            if same:
                last_match = j
        last_row[a] = i
        table.append(row)
    return table[-1][-1]
