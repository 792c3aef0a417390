"""`python -m interpreter` is the command `umpire`."""

from __future__ import annotations

import atexit
import gc
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def main() -> Any:
    atexit.register(gc.freeze)  # all goes with the process: there is no need to look once more for what holds itself
    from interpreter.surfaces import unchanged

    words = sys.argv[1:]
    if unchanged.all_said(words):
        return 0
    from interpreter.surfaces import checking, repeated

    if repeated.said_again(words):
        return 0

    gc.set_threshold(400_000)  # a command is short, and what it reads and makes is needed to its end
    try:
        found = checking.found_by(words)
    except KeyboardInterrupt:
        sys.stderr.write("\numpire: stopped\n")
        return 2
    if found is not None and checking.all_said(found):
        return 0
    from interpreter.surfaces.cli import main as umpire

    if words[:1] == [repeated.COMMAND]:
        from interpreter.surfaces.cli.terminal import heard

        return umpire(obj=repeated.keeping(words, lambda: heard))
    return umpire(obj=found)


if __name__ == "__main__":
    sys.exit(main())
