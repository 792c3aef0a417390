"""Settings for every test: a cache of its own; in CI, Hypothesis tries the same examples each time."""

import atexit
import os
import shutil
import tempfile

from hypothesis import settings

# What is kept from one run to the next is kept by nobody's own cache: tests change Umpire while it runs.
_cache = tempfile.mkdtemp(prefix="umpire-tests-")
atexit.register(shutil.rmtree, _cache, ignore_errors=True)
os.environ["XDG_CACHE_HOME"] = _cache
os.environ.pop("UMPIRE_CACHE", None)

settings.register_profile("umpire", deadline=None, derandomize="CI" in os.environ)
settings.load_profile("umpire")
