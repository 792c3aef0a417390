"""`umpire odds`: its options. What they ask for is done in `pricing`.

Enters: words. Leaves: what they ask for.
"""

from __future__ import annotations

from typing import Any

import click

from . import pricing
from .examples import Command
from .options import one_share, picture_options, shares, situation_options, worlds_option


@click.command(cls=Command)
@situation_options
@picture_options
@click.option("--given", metavar="CONDITION", help="Only the histories in which this holds.")
@click.option("--fraction", "exact", is_flag=True, help="Exact fractions in place of percent.")
@click.option("--table", is_flag=True, help="Each outcome in figures: exactly, at least, at most.")
@click.option("--joint", is_flag=True, help="Two questions against each other, in one table.")
@click.option("--deviation", is_flag=True, help="Standard deviation and variance as well.")
@click.option("--quantiles", callback=shares, metavar="10,50,90", help="Where so many percent of all ways end.")
@click.option("--reach", callback=one_share, metavar="90%", help="Of alternatives: the first with such a chance.")
@worlds_option
def odds(**said: Any) -> None:
    """Exact odds: every way that the dice can fall, at once.

    Each argument after the procedure describes somebody (`A: …`, or with the kind, `unit A: …`), says a
    fact (`distance 20"`, `distance(A, B) is 20"`, `B is hidden`), or is a value that the procedure wants
    (`3`, `reach: 6"`). Without --ask, the lines of the procedure are asked. Whatever somebody chooses is
    decided as the rules say by `usually`, or by --choose; where neither says how, the answer is the band from
    the least to the greatest over all ways to choose. --choose LINE=any asks for that in any case.

    Alternatives, `<1 to 9>`, `<6, 12, 24>` or `<this, that>`, are worked out one by one, and told in a table.
    """
    pricing.odds(**said)
