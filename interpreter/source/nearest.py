"""Suggestions for a misspelt word.

Takes a word and the candidates, which the caller chooses; returns the few closest ones, best first. This module does
not know what the words name.
"""

from __future__ import annotations

from collections.abc import Iterable

# A longer text is not a misspelt name but a sentence in the wrong place.
_LONGEST = 60
# With more candidates of about the same length, a suggestion does not help; they look numbered.
_MOST = 2000


def nearest(word: str, candidates: Iterable[str], limit: int = 3) -> list[str]:
    """Return up to `limit` candidates within two edits of `word` (within one for words of up to three letters)."""
    if len(word) > _LONGEST:
        return []
    reach = 1 if len(word) <= 3 else 2
    close: set[tuple[int, str]] = set()
    near = [candidate for candidate in candidates if abs(len(candidate) - len(word)) <= reach]
    for candidate in near if len(near) <= _MOST else ():
        slips = distance(word, candidate, reach)
        # Changing every letter gives another word ("d" is not a misspelt "x"), and 0 edits give the word itself.
        if 0 < slips <= reach and slips < max(len(word), len(candidate)):
            close.add((slips, candidate))
    return [candidate for _, candidate in sorted(close)[:limit]]


def did_you_mean(word: str, candidates: Iterable[str], instead: str | None = None, limit: int = 1) -> str | None:
    """Return the hint `did you mean …?` with the nearest candidates; `instead` if none is near."""
    close = nearest(word, candidates, limit)
    return f"did you mean {' or '.join(f'`{each}`' for each in close)}?" if close else instead


def distance(one: str, two: str, most: int = 2) -> int:
    """Return the Damerau-Levenshtein distance (delete, insert, substitute, transpose), or `most` + 1 if it is greater.

    Only the columns within `most` of the diagonal are computed.
    """
    width, far = len(two) + 1, most + 1
    # Row and column -1 hold `far`, so that a transposition reaching before the words is never the cheapest.
    table: list[list[int]] = [[far] * (width + 1), [far, *range(width)]]
    last_row: dict[str, int] = {}
    for i, a in enumerate(one, 1):
        above, row = table[i], [far] * (width + 1)
        row[1] = i
        last_match = 0
        for j in range(max(1, i - most), min(len(two), i + most) + 1):
            b = two[j - 1]
            swap_row, swap_column = last_row.get(b, 0), last_match
            swap = table[swap_row][swap_column] + (i - swap_row - 1) + 1 + (j - swap_column - 1)
            same = a == b
            row[j + 1] = min(above[j] + (not same), row[j] + 1, above[j + 1] + 1, swap)
            if same:
                last_match = j
        last_row[a] = i
        table.append(row)
        if i > most and all(min(each) > most for each in table[-far:]):
            return far
    return min(table[-1][-1], far)
