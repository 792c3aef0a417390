"""`umpire studio`: house rules in a browser on this machine.

Takes a folder. Serves a page until Ctrl-C.
"""

from __future__ import annotations

import importlib.util
import os
import sys

from .commands import argument, at_least, command, flag, option
from .ends import CLEAN
from .terminal import cannot, paint, say


@command()
@argument("folder", nargs="?", default=".")
@option(
    "--port", type=at_least(1, 65535), metavar="N", help="Where it listens on this machine.  [default: from 8642 on]"
)
@flag("--no-browser", help="Open no browser; the address is printed in any case.")
def studio(folder: str, port: int | None, no_browser: bool) -> int:
    """Begin, edit, ask and share house rules in a browser, all on this machine.

    Only files in FOLDER and below are read and written. The address has a token: nobody else can open it.
    """
    if not os.path.isdir(folder):
        cannot(f"there is no folder `{folder}`; say one that is there")
    if importlib.util.find_spec("nicegui") is None:
        cannot("the studio needs more than is installed: pip install 'tabletop-umpire[studio]'")
    from interpreter.surfaces.studio.serve import free_port, serve

    def announce(address: str) -> None:
        say(f"{paint('Umpire studio', 'bold')}  {os.path.realpath(folder)}  {paint('Ctrl-C ends it', 'dim')}")
        say(f"  {address}")
        sys.stdout.flush()  # for a program that waits for the address

    try:
        serve(folder, port or free_port(), not no_browser, announce)
    except OSError as error:
        cannot(str(error))
    return CLEAN
