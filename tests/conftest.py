"""Settings for every test: a cache of its own; in CI, Hypothesis tries the same examples each time, and nothing else is
different. At the end it is told how the examples of each set were compared.
"""

import atexit
import gc
import os
import shutil
import signal
import tempfile
import threading
from collections import Counter
from collections.abc import Iterator

import pytest
from hypothesis import settings

from interpreter.workbench.garbage import COLLECTION_THRESHOLD

# What is kept from one run to the next is kept by nobody's own cache: tests change Umpire while it runs.
_cache = tempfile.mkdtemp(prefix="umpire-tests-")
atexit.register(shutil.rmtree, _cache, ignore_errors=True)
os.environ["XDG_CACHE_HOME"] = _cache
os.environ.pop("UMPIRE_CACHE", None)

gc.set_threshold(COLLECTION_THRESHOLD)  # as in a command: rule sets are large, and live until the end

settings.register_profile("umpire", deadline=None, derandomize="CI" in os.environ)
settings.load_profile("umpire")


@pytest.fixture(autouse=True, scope="session")
def not_in_ci() -> Iterator[None]:
    """Commands do as for a person, wherever the tests run: in CI they would tell their progress line by line."""
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("CI", raising=False)
        yield


def pytest_configure() -> None:
    """Whoever starts the tests in the background may have told them to ignore Ctrl-C; commands that they start hear it."""
    if threading.current_thread() is threading.main_thread() and signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_terminal_summary(terminalreporter) -> None:
    """How many examples of each set were compared whole, cut down, for some scripts, or were refused."""
    told: dict[str, Counter[str]] = {}
    for report in (r for some in terminalreporter.stats.values() for r in some):
        for what, said in report.user_properties if getattr(report, "when", "") == "call" else ():
            if what == "compared":
                told.setdefault(said[0], Counter()).update(said[1])
    for name, counts in told.items():
        words = ", ".join(f"{many} {how}" for how, many in sorted(counts.items()))
        terminalreporter.write_line(f"{name}: examples compared in both engines: {words}")
