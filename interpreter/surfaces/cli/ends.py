"""Exits of all commands: always with an exit code, and never with a traceback.

Takes the function that runs a command. Exits the process: 0 clean, 1 findings, 2 could not run, 130 stopped by Ctrl-C.
The only place that catches unexpected exceptions.
"""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Any, NoReturn

CLEAN, FINDINGS, COULD_NOT = 0, 1, 2
STOPPED = 130  # the convention of shells for SIGINT
_GONE = (errno.EINVAL,) if os.name == "nt" else ()  # on Windows, the error of writing to a closed pipe


class Ended(Exception):
    """Raised to exit a command with an exit code after all output was written."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


def ended(command: Callable[[], Any]) -> NoReturn:
    """Run a command and exit the process with the number that it returns (0 if it returns none), or with that of
    `Ended`. Other exceptions become a message on standard error and an exit code; with `UMPIRE_DEBUG` set, unexpected
    ones are raised.
    """
    sys.set_int_max_str_digits(0)  # exact odds have numbers of any length
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    try:
        code = command()
        sys.stdout.flush()
    except Ended as end:
        code = end.code
    except BrokenPipeError:
        code = closed()
    except KeyboardInterrupt as stop:
        code = _stopped("; ".join(["stopped", *stop.args]), "\n", STOPPED)  # on a new line, after the prompt or ^C
    except EOFError:
        code = _stopped("stopped", "\n")
    except OSError as error:
        message = f"could not run: {(error.strerror or str(error)).lower()}"
        code = closed() if error.errno in _GONE and error.filename is None else _stopped(message)
    except Exception as error:
        if os.environ.get("UMPIRE_DEBUG"):
            raise
        code = _stopped(
            f"a mistake in Umpire itself, not in your files: {type(error).__name__}: {error}\n"
            "please report it, with what you ran; UMPIRE_DEBUG=1 shows where it happened"
        )
    sys.exit(code if isinstance(code, int) else CLEAN)


def closed() -> int:
    """Handle a closed output pipe (`| head`): discard further output. Return the exit code."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return COULD_NOT


def _stopped(why: str, before: str = "", code: int = COULD_NOT) -> int:
    with suppress(OSError):
        sys.stderr.write(f"{before}umpire: {why}\n")
        sys.stderr.flush()
    return code
