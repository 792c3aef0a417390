"""`umpire lsp`: the language server, for editors.

Reads requests of an editor from standard input, and writes responses to standard output.
"""

from __future__ import annotations

from .commands import command, flag
from .terminal import cannot


@command()
@flag("--stdio", help="Over standard input and output, as it always is; some editors say so.")
def lsp(stdio: bool) -> None:
    """Serve an editor by the Language Server Protocol: problems while you type, what a name means, completion, fixes.

    An editor starts this, nobody types it: the manual has a page for each.
    """
    try:
        from interpreter.editor.server import serve
    except ModuleNotFoundError as missing:
        if str(missing.name).split(".")[0] not in ("pygls", "lsprotocol"):
            raise
        cannot("this needs a library more: `pip install 'tabletop-umpire[lsp]'`")
    serve()
