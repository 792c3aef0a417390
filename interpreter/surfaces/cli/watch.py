"""`--watch`: the same again whenever a file changes that was read.

Enters: what to do. Leaves: what it says, on a cleared screen, until Ctrl-C. Looks at the files twice a second, which
works on every system and every kind of disk.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import click

from interpreter.workbench.watching import noted_of

from .terminal import paint, say

PAUSE = 0.5  # seconds


def watch(act: Callable[[], object]) -> None:
    try:
        while True:
            click.clear()  # of a terminal only
            found = noted_of(act)
            count = len(found.files)
            say(paint(f"watching {count} {'file' if count == 1 else 'files'}; Ctrl-C ends this", "dim"))
            while not found.changed():
                time.sleep(PAUSE)
    except KeyboardInterrupt:
        click.echo(err=True)  # behind the ^C
