"""The command `umpire`. One module a command; what a command needs is imported when it runs, for start-up
is felt.

Exit codes everywhere: 0 clean, 1 findings, 2 could not run (`ends`). What reads options takes longer to import than
many commands take: a plain question is read without it (`plain`), so that nothing is imported here.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from interpreter.hints import Any

    from .group import main

# In the order of the help. Each is a module of this folder that has a command of its name.
COMMANDS = (
    "demo", "check", "fmt", "resolve", "odds", "advise",
    "sample", "muster", "test", "show", "why", "diff", "rulings", "lock",
    "flat", "new", "migrate", "coverage", "explain", "schema",
)  # fmt: skip

__all__ = ["COMMANDS", "main"]


def __getattr__(name: str) -> Any:
    if name == "main":
        from .group import main

        return main
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
