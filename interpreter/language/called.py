"""Words of the language by which lines are called.

Enters: the texts of files. Leaves: those of OF_LINES that begin a key there as the name of a line does. Knows nothing
of YAML: where a word of a remark is taken for one, what says it is refused later, as an unknown name.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

OF_LINES = frozenset(
    ("a", "after", "again", "an", "each", "fails", "less", "many", "more", "one", "passes", "through", "up")
)
# At the beginning of a key, or behind the cases it is for: `one:`, `{up: …}`, `5 or more again, if C:`.
_KEY = rf"(?:^|[{{,?]|^ *- |[0-9] |or more |or less )[ \"']*({'|'.join(sorted(OF_LINES))})[\"']?(?=\s*[:,\[])"


def words_called(texts: Iterable[str]) -> frozenset[str]:
    """The words of the language that name a line in one of the texts."""
    return frozenset(word for text in texts for word in re.findall(_KEY, text, re.MULTILINE))
