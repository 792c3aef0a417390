"""Access control: admits requests with the token, to the address of this machine.

Takes requests. Passes on those of the user who started the studio. Another site's page in the same browser does not
know the token, has another origin, or another name for this machine. Plain ASGI; knows nothing of the application
behind it.
"""

from __future__ import annotations

import secrets
from collections.abc import Awaitable, Callable, MutableMapping
from http.cookies import CookieError, SimpleCookie
from typing import Any
from urllib.parse import parse_qs

Scope = MutableMapping[str, Any]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

HOST = "127.0.0.1"
# A page may only request this machine, and must not be embedded in another page. The page library compiles templates,
# so 'unsafe-eval' is allowed.
_POLICY = (
    "default-src 'self'; script-src 'self' 'unsafe-inline' 'unsafe-eval'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data:; font-src 'self' data:; connect-src 'self'; object-src 'none'; base-uri 'none'; "
    "form-action 'self'; frame-ancestors 'none'"
)
_HEADERS = {
    "content-security-policy": _POLICY,
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}


class Gate:
    """Wraps an ASGI application on `port`."""

    def __init__(self, app: App, token: str, port: int) -> None:
        self.app, self.token, self.cookie = app, token, f"umpire-studio-{port}"
        self.hosts = {f"{HOST}:{port}", f"localhost:{port}"}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        headers = {k.decode("latin-1"): v.decode("latin-1") for k, v in scope["headers"]}
        said = parse_qs(scope.get("query_string", b"").decode("latin-1")).get("token", [""])[0]
        if headers.get("host") not in self.hosts or not self._same_origin(headers):
            await _refuse(scope, send, "This address is not the studio's.")
        elif scope["type"] == "http" and scope["path"] == "/" and self._is(said):
            cookie = f"{self.cookie}={self.token}; Path=/; HttpOnly; SameSite=Strict"
            await _answer(send, 303, {"location": "/", "set-cookie": cookie, "cache-control": "no-store"}, "")
        elif self._is(_cookie(headers, self.cookie)):
            await self.app(scope, receive, _with_headers(send))
        else:
            await _refuse(scope, send, "Open the studio by the address that it printed when it was started.")

    def _is(self, token: str) -> bool:
        return secrets.compare_digest(token.encode(), self.token.encode())

    def _same_origin(self, headers: dict[str, str]) -> bool:
        origin = headers.get("origin")
        return origin is None or origin.removeprefix("http://") in self.hosts


def _cookie(headers: dict[str, str], name: str) -> str:
    try:
        found = SimpleCookie(headers.get("cookie", "")).get(name)
    except CookieError:
        return ""
    return found.value if found is not None else ""


def _with_headers(send: Send) -> Send:
    async def sending(message: MutableMapping[str, Any]) -> None:
        if message["type"] == "http.response.start":
            more = [(k.encode(), v.encode()) for k, v in _HEADERS.items()]
            message = {**message, "headers": [*message.get("headers", ()), *more]}
        await send(message)

    return sending


async def _refuse(scope: Scope, send: Send, why: str) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 1008})
    else:
        await _answer(send, 403, {"content-type": "text/plain; charset=utf-8"}, why)


async def _answer(send: Send, status: int, headers: dict[str, str], text: str) -> None:
    told = [(k.encode(), v.encode()) for k, v in (headers | _HEADERS).items()]
    await send({"type": "http.response.start", "status": status, "headers": told})
    await send({"type": "http.response.body", "body": text.encode()})
