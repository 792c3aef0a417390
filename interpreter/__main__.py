"""`python -m interpreter` is the command `umpire`."""

from __future__ import annotations

import gc
import os
import sys
from typing import NoReturn

from interpreter.surfaces.cli.ends import ended


def main() -> NoReturn:
    """Run the command line in `sys.argv`; ends the process with 0 (clean), 1 (findings) or 2 (could not run)."""
    gc.set_threshold(400_000)  # a command is short, and what it reads and makes is needed to its end
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:  # closed by whoever started it
            setattr(sys, name, open(os.devnull, "w"))  # noqa: SIM115 (to the end)
    try:
        ended(_command)
    finally:
        gc.freeze()  # the process ends: as it does, Python would look for garbage in all there is, several times


def _command() -> object:
    from interpreter.surfaces.cli.group import main as umpire  # inside `ended`: no error of an import is a traceback

    return umpire()


if __name__ == "__main__":
    main()
