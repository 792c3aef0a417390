"""The command `umpire`. One module a command, imported when it is the one that was asked for.

Exit codes everywhere: 0 clean, 1 findings, 2 could not run (`ends`).
"""

from __future__ import annotations

# In the order of the help. Each is a module of this folder that has a command of its name.
COMMANDS = (
    "demo", "check", "fmt", "resolve", "odds", "advise",
    "sample", "muster", "test", "show", "why", "diff", "rulings", "lock",
    "flat", "new", "migrate", "coverage", "explain", "schema",
)  # fmt: skip
