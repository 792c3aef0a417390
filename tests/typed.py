"""A command as somebody types it, in this process: what it prints, and how it ends."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, redirect_stderr, redirect_stdout
from typing import Any
from unittest import mock

from interpreter.surfaces.cli.ends import ended


class Result:
    """What a command printed: both streams as they mingle in a terminal, and each by itself."""

    def __init__(self) -> None:
        self.mingled, self.out, self.err = io.BytesIO(), io.BytesIO(), io.BytesIO()
        self.exit_code = -1
        self.exception: BaseException | None = None

    @property
    def output(self) -> str:
        return _read(self.mingled)

    @property
    def stdout(self) -> str:
        return _read(self.out)

    @property
    def stderr(self) -> str:
        return _read(self.err)

    @property
    def stdout_bytes(self) -> bytes:
        return self.out.getvalue()


def _read(stream: io.BytesIO) -> str:
    return stream.getvalue().decode("utf-8", "replace").replace("\r\n", "\n")


class _Both(io.RawIOBase):
    """A stream whose bytes are also those of another."""

    def __init__(self, own: io.BytesIO, other: io.BytesIO) -> None:
        self.streams = own, other

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        return max(stream.write(data) for stream in self.streams)


class CliRunner:
    """Types commands; `env` is laid over the environment."""

    def __init__(self, env: Mapping[str, str] | None = None) -> None:
        self.env = dict(env or {})

    def invoke(
        self,
        command: Callable[[Sequence[str]], object],
        words: Sequence[str] = (),
        input: str | bytes | io.BytesIO = b"",
        env: Mapping[str, str] | None = None,
    ) -> Result:
        done = Result()
        typed = input.getvalue() if isinstance(input, io.BytesIO) else input
        typed = typed.encode() if isinstance(typed, str) else typed
        with ExitStack() as stack:
            stack.enter_context(mock.patch.dict(os.environ, self.env | dict(env or {})))
            stack.enter_context(mock.patch.object(sys, "stdin", io.TextIOWrapper(io.BytesIO(typed), "utf-8")))
            for redirect, own in ((redirect_stdout, done.out), (redirect_stderr, done.err)):
                stack.enter_context(redirect(io.TextIOWrapper(_Both(own, done.mingled), "utf-8", write_through=True)))  # type: ignore[arg-type]
            try:
                ended(lambda: command(words))
            except SystemExit as end:
                done.exit_code, done.exception = end.code, end  # type: ignore[assignment]
            sys.stdout.flush()
        return done
