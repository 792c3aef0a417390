"""The server of the studio: on this machine only, for users with the token.

Takes a folder, and a port. Serves a page in a browser until it is stopped.
"""

from __future__ import annotations

import asyncio
import os
import secrets
import socket
from collections.abc import Callable

os.environ.setdefault("MATPLOTLIB", "false")  # the page library would import it for charts that are not used here

from nicegui import app, background_tasks, ui

from .desk import Studio
from .gate import HOST, Gate
from .page import Page

FIRST = 8642  # the first port to try
_TRIED = 50
_AWAY = 600.0  # seconds that a page may be disconnected, as on a sleeping laptop, before its state is lost


def free_port() -> int:
    """The first free port from `FIRST` on. Raises OSError if there is none."""
    for port in range(FIRST, FIRST + _TRIED):
        with socket.socket() as probe:
            try:
                probe.bind((HOST, port))
            except OSError:
                continue
            return port
    raise OSError(f"no port from {FIRST} to {FIRST + _TRIED - 1} is free; say one with --port")


async def _announce(port: int, say: Callable[[], None]) -> None:
    """Call `say` as soon as the server accepts connections."""
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
    """Serve the studio until Ctrl-C. `say` is called with the address."""
    studio, token = Studio(folder), secrets.token_urlsafe(24)
    app.add_middleware(Gate, token=token, port=port)
    app.on_startup(studio.warm)
    app.on_shutdown(studio.close)
    path = f"/?token={token}"
    app.on_startup(lambda: background_tasks.create(_announce(port, lambda: say(f"http://{HOST}:{port}{path}"))))
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
