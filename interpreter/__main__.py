"""`python -m interpreter` is the command `umpire`."""

from __future__ import annotations

import gc
import os
import sys
from typing import NoReturn

from interpreter.surfaces.cli.ends import ended


def main() -> NoReturn:
    """Run the command line in `sys.argv` and exit with 0 (clean), 1 (findings) or 2 (could not run)."""
    gc.set_threshold(400_000)  # a command is short-lived and needs nearly all that it allocates until it ends
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:  # closed by the parent process
            setattr(sys, name, open(os.devnull, "w"))  # noqa: SIM115 (to the end)
    try:
        ended(_command)
    finally:
        gc.freeze()  # otherwise Python collects all objects several times at shutdown


def _command() -> object:
    from interpreter.surfaces.cli.group import main as umpire  # here, so that `ended` handles an ImportError too

    return umpire()


if __name__ == "__main__":
    main()
