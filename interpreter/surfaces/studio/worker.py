"""A process that runs tasks on rule files, one at a time, with limits of time and memory; it can be stopped at any
time.

Takes a function and its arguments. Gives its result, or raises `Stopped` with the reason. An untrusted file can make a
task long or large: then the process is killed, and the next task starts a new one. Knows nothing of the tasks.
"""

from __future__ import annotations

import asyncio
import contextlib
import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import Any, TypeVar

from interpreter.workbench.progress import Progress
from interpreter.workbench.work_folder import stay_within

T = TypeVar("T")
Told = Callable[[str], None]

MEMORY = 3 * 1024**3  # memory limit of the process in bytes
_TELL = 0.3  # seconds between two progress messages


class Stopped(Exception):
    """Raised for a task without a result; the text is the reason for the user."""


class Worker:
    """One process for the rule files of a folder, started on first use. `memory`: its limit in bytes, or None."""

    def __init__(self, folder: str, memory: int | None = MEMORY) -> None:
        self.folder, self.memory = folder, memory
        self._process: Any = None
        self._pipe: Connection | None = None
        self._turn = asyncio.Lock()
        self._ended_by = ""

    async def ask(self, task: Callable[..., T], *arguments: Any, seconds: float, told: Told | None = None) -> T:
        """The result of `task(progress, *arguments)`; `told` is called with progress messages. Raises Stopped."""
        async with self._turn:
            self._ended_by = ""
            pipe = self._begun()
            end = time.monotonic() + seconds
            try:
                pipe.send((task, arguments))
                while True:
                    found = await asyncio.to_thread(_next, pipe, end)
                    if found is None:
                        self.close()
                        raise Stopped(f"stopped after {seconds:g} seconds: that is too much to work out here")
                    kind, what = found
                    if kind == "done":
                        return what  # type: ignore[no-any-return]
                    if kind == "failed":
                        raise Stopped(str(what))
                    if told is not None:
                        told(what)
            except (EOFError, OSError):
                why = self._ended_by or "it needed more memory than it may have"
                self.close()
                raise Stopped(why) from None

    def stop(self, why: str = "stopped") -> None:
        """Kill the running task; its caller gets `Stopped` with the reason."""
        self._ended_by = why
        if self._process is not None:
            self._process.kill()

    def close(self) -> None:
        """End the process; the next task starts a new one."""
        if self._process is not None:
            self._process.kill()
            self._process.join()
        if self._pipe is not None:
            self._pipe.close()
        self._process = self._pipe = None

    def _begun(self) -> Connection:
        if self._pipe is not None and self._process.is_alive():
            return self._pipe
        self.close()
        kind = multiprocessing.get_context("spawn")
        self._pipe, theirs = kind.Pipe()
        self._process = kind.Process(
            target=_serve, args=(theirs, self.folder, self.memory), daemon=True, name="umpire-studio"
        )
        self._process.start()
        theirs.close()
        return self._pipe


def _next(pipe: Connection, end: float) -> Any:
    """The next message; None after the deadline `end`."""
    return pipe.recv() if pipe.poll(max(0.0, end - time.monotonic())) else None


# ---- in the process
def _serve(pipe: Connection, folder: str, memory: int | None) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is handled by the studio, which ends this process
    if memory is not None:
        _limit_memory(memory)
    stay_within(folder)
    sending = threading.Lock()
    while True:
        try:
            task, arguments = pipe.recv()
        except EOFError:
            return
        progress, over = Progress(), threading.Event()
        teller = threading.Thread(target=_tell, args=(pipe, progress, over, sending), daemon=True)
        teller.start()
        try:
            answer = "done", task(progress, *arguments)
        except MemoryError:
            os._exit(1)
        except Exception as error:  # a bug in Umpire: report it, and keep the studio running
            answer = (
                "failed",
                f"a mistake in Umpire itself ({type(error).__name__}: {error}); your files are as they were",
            )
        over.set()
        teller.join()
        with sending:
            pipe.send(answer)


def _tell(pipe: Connection, progress: Progress, over: threading.Event, sending: threading.Lock) -> None:
    while not over.wait(_TELL):
        said = f"{progress.done:,} of {progress.of:,} {progress.part}" if progress.of > 1 else ""
        worlds = f"{progress.worlds:,} worlds" if progress.worlds else ""
        with sending:
            try:
                pipe.send(("told", ", ".join(filter(None, (said, worlds)))))
            except OSError:
                os._exit(0)  # the studio has ended


def _limit_memory(memory: int) -> None:
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource  # not on Windows

        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
