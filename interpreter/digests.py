"""Digests that outlive a version of Python: of what is kept in a repository, sent to other machines, or asked again.

Takes bytes; returns hexadecimal digits. The cache has a hash of its own (`disk.checksum`), because this one is slow to
import. Knows nothing of what the bytes mean.
"""

from __future__ import annotations

import os
import sys
from functools import cache
from hashlib import blake2b

from . import __version__
from .cache import files_of_code


def digest(content: bytes) -> str:
    """Return a digest of the content: 40 hexadecimal digits."""
    return blake2b(content, digest_size=20).hexdigest()


@cache
def digest_of_code() -> str:
    """A digest of Umpire's files by content, independent of where they lie and when they changed, and of the version of
    Python: equal on two machines that give the same results.
    """
    stamps = []
    for folder, file in files_of_code():
        within = os.path.relpath(file.path, folder)
        if within.split(os.sep)[0] != "data" and not within.endswith(".pickle"):
            with open(file.path, "rb") as text:
                stamps.append(f"{within} {digest(text.read())}")
    parts = [__version__, str(tuple(sys.version_info)), *sorted(stamps)]
    return digest("\n".join(parts).encode("utf-8", "surrogateescape"))
