"""The server of the studio: on this machine only, for whoever has the token.

Enters: a folder, a port. Leaves: a page in a browser, until somebody ends it.
"""

from __future__ import annotations

import asyncio
import os
import secrets
import socket
from collections.abc import Callable

os.environ.setdefault("MATPLOTLIB", "false")  # the library of the page would load it to draw what is not drawn here

from nicegui import app, background_tasks, ui

from .desk import Studio
from .gate import HOST, Gate
from .page import Page

FIRST = 8642  # the port that is tried first
_TRIED = 50
_AWAY = 600.0  # seconds that a page may be out of reach, on a laptop that sleeps or is busy, and goes on as it was


def free_port() -> int:
    """The first port from `FIRST` on that nobody listens at."""
    for port in range(FIRST, FIRST + _TRIED):
        with socket.socket() as probe:
            try:
                probe.bind((HOST, port))
            except OSError:
                continue
            return port
    raise OSError(f"no port from {FIRST} to {FIRST + _TRIED - 1} is free; say one with --port")


async def _told(port: int, say: Callable[[], None]) -> None:
    """Says so as soon as somebody can come in."""
    while True:
        try:
            _, writer = await asyncio.open_connection(HOST, port)
        except OSError:
            await asyncio.sleep(0.05)
            continue
        writer.close()
        say()
        return


def serve(folder: str, port: int, show: bool, say: Callable[[str], None]) -> None:
    """Serve the studio until Ctrl-C. `say` is told the address."""
    studio, token = Studio(folder), secrets.token_urlsafe(24)
    app.add_middleware(Gate, token=token, port=port)
    app.on_startup(studio.warm)
    app.on_shutdown(studio.close)
    path = f"/?token={token}"
    app.on_startup(lambda: background_tasks.create(_told(port, lambda: say(f"http://{HOST}:{port}{path}"))))
    ui.run(
        lambda: Page(studio) and None,
        host=HOST,
        port=port,
        title="Umpire studio",
        show=path if show else False,
        reload=False,
        reconnect_timeout=_AWAY,
        dark=None,
        language="en-US",
        show_welcome_message=False,
        favicon="🎲",
    )
