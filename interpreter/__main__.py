"""`python -m interpreter` is the command `umpire`."""

from __future__ import annotations

import atexit
import gc
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from interpreter.hints import Any


def main() -> Any:
    atexit.register(gc.freeze)  # all goes with the process: there is no need to look once more for what holds itself
    gc.set_threshold(400_000)  # a command is short, and what it reads and makes is needed to its end
    from interpreter.surfaces import unchanged

    words = sys.argv[1:]
    if unchanged.all_said(words):
        return 0
    from interpreter.surfaces import repeated

    if repeated.said_again(words):
        return 0
    from interpreter.surfaces.cli.ends import ended

    ended(lambda: _done(words))


def _done(words: list[str]) -> Any:
    """With as little of the command line as these words need."""
    from interpreter.surfaces import checking, repeated

    found = checking.found_by(words)
    if found is not None and checking.all_said(found):
        return 0
    from interpreter.surfaces.cli import plain
    from interpreter.surfaces.cli.terminal import heard

    command = plain.command(words)
    keeping = repeated.keeping(words, lambda: heard) if words[:1] == [repeated.COMMAND] else None
    if command is None:
        from interpreter.surfaces.cli import main as umpire

        return umpire(obj=found if keeping is None else keeping)
    from contextlib import nullcontext

    with keeping or nullcontext():
        command()
    return 0


if __name__ == "__main__":
    sys.exit(main())
