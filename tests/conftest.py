"""Settings for every test: in CI, Hypothesis tries the same examples each time."""

import os

from hypothesis import settings

settings.register_profile("umpire", deadline=None, derandomize="CI" in os.environ)
settings.load_profile("umpire")
