"""A file's name for other programs: from the folder in which Umpire was started, with forward slashes.

Enters: a name as it was given. Leaves: a path that GitHub and editors can lay over the repository; a file that lies
elsewhere keeps its whole path. Nothing is read.
"""

from __future__ import annotations

import os
from pathlib import Path


def as_path(name: str) -> str:
    """`rules/ours.yaml`, for `./rules/ours.yaml` and `/home/me/repository/rules/ours.yaml` alike."""
    try:
        whole = Path(os.path.abspath(name))
    except (OSError, ValueError):
        return name
    here = Path.cwd()
    return (whole.relative_to(here) if whole.is_relative_to(here) else whole).as_posix()
