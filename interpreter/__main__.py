"""`python -m interpreter` is the command `umpire`."""

from __future__ import annotations

import atexit
import gc
import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from interpreter.hints import Any, NoReturn


def main() -> NoReturn:
    gc.set_threshold(400_000)  # a command is short, and what it reads and makes is needed to its end
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:  # closed by whoever started it: what is said there is for nobody
            setattr(sys, name, open(os.devnull, "w"))  # noqa: SIM115 (to the end)
    try:
        _said(sys.argv[1:])
    except SystemExit as end:
        _leave(int(end.code or 0))
    _leave(0)


def _leave(code: int) -> NoReturn:
    """At once, as mypy does: to take apart everything that was made, only to give its memory back, is felt."""
    if os.environ.get("UMPIRE_DEBUG"):
        sys.exit(code)  # for whoever measures, and hears of the end so
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError):  # whoever read it has gone
            code = code or 2
    os._exit(code)


def _said(words: list[str]) -> None:
    try:
        if _said_at_once(words):
            return
    except OSError:  # nobody reads it, or there is no room for it
        pass  # it is said again below, where it is known how that ends
    from interpreter import bundle

    bundle.begin()
    from interpreter.surfaces.cli.ends import ended

    ended(lambda: _done(words))


def _said_at_once(words: list[str]) -> bool:
    """Whether it is known already what there is to say, and was said."""
    from interpreter.surfaces import unchanged

    said = unchanged.all_said(words)
    if not said:
        from interpreter.surfaces import repeated

        said = repeated.said_again(words)
    if said:
        sys.stdout.flush()
    return said


def _done(words: list[str]) -> Any:
    """With as little of the command line as these words need."""
    from interpreter.surfaces import checking, repeated

    found = checking.found_by(words)
    if found is not None and checking.all_said(found):
        return 0
    from interpreter.surfaces.cli import plain
    from interpreter.surfaces.cli.terminal import heard

    command = plain.command(words)
    keeping = repeated.keeping(words, lambda: heard) if words[:1] == [repeated.COMMAND] else None
    if command is None:
        from interpreter.surfaces.cli import main as umpire

        return umpire(obj=found if keeping is None else keeping)
    from contextlib import nullcontext

    with keeping or nullcontext():
        command()
    return 0


if __name__ == "__main__":
    main()
