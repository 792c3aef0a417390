"""`umpire` as a process that somebody stops, or that nobody reads any more: the same on every system."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
# One system has no way to send another process a Ctrl-C, so it raises its own, at a word on its standard input.
_STOPPABLE = """
import os, signal, threading
threading.Thread(target=lambda: os.read(0, 1) and signal.raise_signal(signal.SIGINT), daemon=True).start()
from interpreter.__main__ import main
main()
"""


def started(*words: str, **more: Any) -> subprocess.Popen[str]:
    """At work, with pipes; `stop` stops it."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "NO_COLOR": "1"}
    command = [sys.executable, "-c", _STOPPABLE, *words]
    pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    return subprocess.Popen(command, text=True, **{"env": environment, "cwd": ROOT, **pipes, **more})


def stop(process: subprocess.Popen[str]) -> None:
    """As by Ctrl-C."""
    assert process.stdin is not None
    process.stdin.write("\n")
    process.stdin.flush()


def unread(*words: str) -> tuple[int, bytes]:
    """How it ends if whoever was to read what it says has gone before, and what it says of that."""
    reader, writer = os.pipe()
    os.close(reader)
    command = [sys.executable, "-m", "interpreter", *words]
    done = subprocess.run(command, stdout=writer, stderr=subprocess.PIPE, cwd=ROOT, timeout=60)
    os.close(writer)
    return done.returncode, done.stderr
