"""What is asked at the table: the faces of a throw, a choice.

Enters: what is wanted. Leaves: what was typed, once it can be.
"""

from __future__ import annotations

import re
from typing import Any

import click


def faces(line: str, count: int, sides: int) -> list[int]:
    """The faces of a throw, asked until they are faces of such a die."""
    while True:
        typed = _typed(f"{line}: {count}d{sides}", prompt_suffix=" ? ")
        found = [int(f) for f in re.findall(r"\d{1,4}", typed)]
        if len(found) == 1 and count > 1 and sides < 10 and len(str(found[0])) == count:
            found = [int(f) for f in str(found[0])]  # 6125 for 6 1 2 5
        if len(found) == count and all(1 <= f <= sides for f in found):
            return found
        dice = "a face" if count == 1 else f"{count} faces"
        click.echo(f"  {dice} from 1 to {sides}, please", err=True)


def choose(who: str, line: str, options: list[tuple[str, Any]], usual: Any) -> Any:
    """One of numbered options; Enter takes what the rules say is usual."""
    default = next(
        (i for i, (_, value) in enumerate(options, 1) if value == usual and type(value) is type(usual)), None
    )
    click.echo(f"{who} chooses {line}:", err=True)
    for i, (said, _) in enumerate(options[:50], 1):
        click.echo(f"  {i}  {said}{'  (usually)' if i == default else ''}", err=True)
    if len(options) > 50:
        click.echo(f"  … up to {len(options)}", err=True)
    picked = _typed("number", type=click.IntRange(1, len(options)), default=default)
    return options[picked - 1][1]


def _typed(question: str, **how: Any) -> Any:
    try:
        return click.prompt(question, err=True, **how)
    except click.Abort:  # which is known to nobody but click
        raise KeyboardInterrupt from None
