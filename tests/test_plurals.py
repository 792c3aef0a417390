"""The plural of a kind is a name as well: nothing else that a sentence says by its name is called so."""

from __future__ import annotations

from pathlib import Path

import pytest
from small_games import told

GAME = """\
game: Weather
Things:
  dice high: d6 at or over
  kind side:
  kind unit of side:
    pins: number
  {one}
  {two}
"""


@pytest.mark.parametrize(
    "title",
    [
        "table skies: rain, fair",
        "value skies of unit: 2",
        "roll skies of unit: needs 4",
        "fact skies of unit: number",
        "mark skies of unit:",
        "mark low, skies of unit:",
        "ruling skies: 0, or 1",
        "kind skies:",
    ],
)
@pytest.mark.parametrize("first", [True, False])
def test_nothing_is_called_like_the_plural_of_a_kind(title: str, first: bool, tmp_path: Path) -> None:
    one, two = ("kind sky:", title) if first else (title, "kind sky:")
    assert ("N003", "skies") in told(tmp_path, GAME.format(one=one, two=two))


def test_what_no_sentence_says_may_be(tmp_path: Path) -> None:
    assert told(tmp_path, GAME.format(one="kind sky:", two="limit skies of side: 1 > 0")) == []
