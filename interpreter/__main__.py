"""`python -m interpreter` is the command `umpire`."""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def main() -> Any:
    from interpreter.surfaces.unchanged import all_said

    if all_said(sys.argv[1:]):
        return 0
    from interpreter.surfaces.cli import main as umpire

    return umpire()


if __name__ == "__main__":
    sys.exit(main())
