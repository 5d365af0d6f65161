"""Who may ask: names of this machine, a password elsewhere; and what browsers may do with an answer."""

from __future__ import annotations

import base64
import hmac
import ipaddress
import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

_LOOPBACK_NAMES = ("localhost",)
# A name or an address, and a port.
_HOST = re.compile(r"(?P<name>\[[0-9a-fA-F:.]+\]|[^:\[\]/@\s]+)(:\d{1,5})?")

# Nothing of an archive runs in a page of ours, and nothing leaves for another place.
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: {frames}; "
    "font-src 'self'; connect-src 'self'; frame-src {frames}; form-action 'self'; base-uri 'none'; "
    "frame-ancestors 'none'"
)
_HEADERS = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    # Which hosts an archive links to is told to no name server.
    "x-dns-prefetch-control": "off",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class GuardRules:
    """Which names of hosts are ours, the password, and where frames come from."""

    names: tuple[str, ...] = ()
    password: str | None = None
    # The ports on which frames and the application are served.
    frames_port: int = 0
    pages_port: int = 0

    # Whether pages of other origins may do no more than link here.
    is_apart: bool = True

    def of_frames(self) -> GuardRules:
        """For addresses that only those know who know the password, or a page of ours."""
        return replace(self, password=None, is_apart=False)


def is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


class Guard:
    """Refuses what is not asked by the name of this machine, and marks every answer for browsers.

    A page of another site can have its name lead to 127.0.0.1 and then read what is there: DNS rebinding.
    The browser still tells the name in `Host`.
    """

    def __init__(self, app: ASGIApp, rules: GuardRules) -> None:
        self._app = app
        self._rules = rules

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        asked = Headers(scope=scope)
        policy = POLICY.format(frames=frames_origin(asked.get("host", ""), self._rules.frames_port))

        async def marked(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers.setdefault("content-security-policy", policy)
                for name, value in _HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        refusal = self._refusal(asked)
        await (refusal or self._app)(scope, receive, marked)

    def _refusal(self, headers: Headers) -> PlainTextResponse | None:
        host = headers.get("host", "")
        if not is_own_host(host, self._rules.names):
            told = (
                f"The archive is not served as {host[:90]!r}: use the address that `scrapy browse` printed."
            )
            return PlainTextResponse(f"{told}\n", 421)
        if self._rules.is_apart and not _is_of_a_reader(headers):
            return PlainTextResponse("Pages of other sites can link here, and nothing else.\n", 403)
        if self._rules.password and not _knows(headers.get("authorization", ""), self._rules.password):
            asks = {"www-authenticate": 'Basic realm="archive", charset="UTF-8"'}
            return PlainTextResponse("This archive is shown with its password alone.\n", 401, headers=asks)
        return None


def frames_origin(host: str, port: int) -> str:
    """Where frames come from for a browser that calls us by this name."""
    found = _HOST.fullmatch(host)
    return f"http://{found['name']}:{port}" if found and port else "'none'"


def is_own_host(host: str, names: tuple[str, ...] = ()) -> bool:
    """Whether `Host` is an address of a machine, this machine's own name, or one that the operator gave."""
    found = _HOST.fullmatch(host)
    if found is None:
        return False
    name = found["name"].lower().rstrip(".")
    if name in _LOOPBACK_NAMES or name in names:
        return True
    try:
        # No page can have the browser take its own name for a number.
        ipaddress.ip_address(name.strip("[]"))
    except ValueError:
        return False
    return True


def _is_of_a_reader(headers: Headers) -> bool:
    """Whether a page of ours asks, a person who follows a link, or a program.

    A page of another site cannot read our answers, but would learn from how long they take what is in an
    archive, and could have us search and draw without end.
    """
    if headers.get("sec-fetch-site", "none") in {"same-origin", "none"}:
        return True
    return headers.get("sec-fetch-mode") == "navigate" and headers.get("sec-fetch-dest") == "document"


def _knows(authorization: str, password: str) -> bool:
    scheme, _, encoded = authorization.partition(" ")
    try:
        given = base64.b64decode(encoded, validate=True).partition(b":")[2]
    except ValueError:  # also for what is not ASCII
        return False
    return scheme.lower() == "basic" and hmac.compare_digest(given, password.encode())
