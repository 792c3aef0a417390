"""Settings for every test: a cache of its own; in CI, Hypothesis tries the same examples each time."""

import os
import tempfile

from hypothesis import settings

# What is kept from one run to the next is kept by nobody's own cache: tests change Umpire while it runs.
os.environ["XDG_CACHE_HOME"] = tempfile.mkdtemp(prefix="umpire-tests-")
os.environ.pop("UMPIRE_CACHE", None)

settings.register_profile("umpire", deadline=None, derandomize="CI" in os.environ)
settings.load_profile("umpire")
