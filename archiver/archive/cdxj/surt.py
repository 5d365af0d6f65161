"""The key under which web archives sort a URL: `com,example)/path?query`, as the `surt` package makes it.

Written here because that package is under the AGPL, and asks the resolver about hosts that look like an
address. Its rules are those of the Wayback Machine; the tests hold both side by side.
"""

from __future__ import annotations

import re
import socket
from contextlib import suppress
from typing import NamedTuple
from urllib.parse import SplitResultBytes, quote_from_bytes, unquote_to_bytes

_SCHEME = re.compile(rb"[a-zA-Z][a-zA-Z0-9+.-]*:")
_DOUBLED_SCHEME = re.compile(rb"\A(?:https?://)+(?=https?://)")
_PARTS = re.compile(rb"([^:]+):(?://([^/?#]*))?([^?#]*)(?:\?([^#]*))?")
_LINE_BREAKS = re.compile(rb"[\n\r\t]")
_NESTED_ESCAPE = re.compile(rb"%(?:25)+")
# All of ASCII that can be printed, but for the space, # and %.
_PLAIN = bytes(set(range(0x21, 0x7F)) - set(b"#%"))
_DEFAULT_PORTS = {b"http": 80, b"https": 443}
_WWW = re.compile(rb"\Awww\d*\.")
_DECIMAL_ADDRESS = re.compile(rb"[1-9][0-9]*(?:\.[0-9]+){0,3}")
_OCTAL_ADDRESS = re.compile(rb"0[0-7]*(?:\.[0-7]+){0,3}")
# Session ids, in the order in which they are taken out; what stands around them stays.
_PATH_SESSIONS = tuple(
    re.compile(rb"(?i)(.*/)" + session + rb"/([^?]+\.aspx.*)")
    for session in (rb"\((?:[a-z]\([0-9a-z]{24}\))+\)", rb"\([0-9a-z]{24}\)")
)
_QUERY_SESSIONS = tuple(
    re.compile(rb"(?i)(.*)" + session + rb"(?:&(.*))?")
    for session in (
        rb"jsessionid=[0-9a-z]{32}",
        rb"phpsessid=[0-9a-z]{32}",
        rb"sid=[0-9a-z]{32}",
        rb"aspsessionid[a-z]{8}=[a-z]{24}",
        rb"cfid=[^&]+&cftoken=[^&]+",
    )
)


class _Url(NamedTuple):
    scheme: bytes
    host: bytes
    port: int | None
    path: bytes
    query: bytes


def surt_key(url: str) -> str:
    """The sort key of a URL; the URL as it is where it has none, as with a port that is no number."""
    if not url:
        return "-"
    try:
        return _joined(_split(url.encode())).decode("ascii")
    except ValueError:
        return url


def _split(raw: bytes) -> _Url:
    raw = _LINE_BREAKS.sub(b"", raw.strip())
    if raw and not _SCHEME.match(raw):
        raw = b"http://" + raw
    parts = _PARTS.match(_DOUBLED_SCHEME.sub(b"", raw))
    if parts is None:
        raise ValueError("not a URL")
    scheme, authority, path, query = (part or b"" for part in parts.groups())
    named = SplitResultBytes(scheme, authority.rstrip(b":"), path, query, b"")
    host, port = named.hostname or b"", named.port or None
    if not host and path and scheme.startswith(b"http"):  # http:////example.com/
        host, _, path = path.lstrip(b"/").partition(b"/")
        path = b"/" + path
    return _Url(scheme, host, port, path, query)


def _joined(url: _Url) -> bytes:
    host, path, query = _host(url.host, url.scheme), _unescaped(url.path), _query(url.query)
    if host:
        start = b",".join(reversed(host.split(b"."))) + _port(url) + b")"
        path = _normal_path(path)
    else:
        start = url.scheme + b":"
    path = _path(_escaped(path))
    if query:
        return start + (path or b"/") + b"?" + query
    return start + path


def _port(url: _Url) -> bytes:
    if url.port is None or url.port == _DEFAULT_PORTS.get(url.scheme.lower()):
        return b""
    return b":%d" % url.port


def _host(host: bytes, scheme: bytes) -> bytes:
    host = _unescaped(host)
    if not host.isascii():
        with suppress(ValueError):  # no name that a resolver knows: escaped below
            host = host.decode("utf-8", "ignore").encode("idna")
    host = host.replace(b"..", b".").strip(b".")
    host = _address(host) or _escaped(host.lower()).lower()
    return host if scheme == b"dns" else _WWW.sub(b"", host)


def _address(host: bytes) -> bytes | None:
    """An IPv4 address in the usual form, for 2130706433, 127.1 and 0177.0.0.1 as well."""
    if host.isdigit():
        return socket.inet_ntoa((int(host) & 0xFFFFFFFF).to_bytes(4, "big")).encode()
    if not (_DECIMAL_ADDRESS.fullmatch(host) or _OCTAL_ADDRESS.fullmatch(host)):
        return None
    try:
        return socket.inet_ntoa(socket.inet_aton(host.decode())).encode()
    except OSError:
        return None


def _normal_path(path: bytes) -> bytes:
    """Without `.`, `..` and doubled slashes; `..` at the top stays, as the Wayback Machine has it."""
    kept: list[bytes] = []
    for segment in path.split(b"/")[1:]:
        if segment == b".." and kept:
            kept.pop()
        elif segment != b".":
            kept.append(segment)
    return b"/" + b"/".join([segment for segment in kept[:-1] if segment] + kept[-1:])


def _path(path: bytes) -> bytes:
    path = path.lower()
    for session in _PATH_SESSIONS:
        if found := session.fullmatch(path):
            path = found[1] + found[2]
    return path[:-1] if len(path) > 1 and path.endswith(b"/") else path


def _query(query: bytes) -> bytes:
    query = _escaped(_unescaped(query))
    for session in _QUERY_SESSIONS:
        if found := session.fullmatch(query):
            query = found[1] + (found[2] or b"")
    pairs = sorted(query.lower().split(b"&"), key=_name_and_value)
    return b"&".join(pairs)


def _name_and_value(pair: bytes) -> list[bytes]:
    return pair.split(b"=", 1)


def _escaped(text: bytes) -> bytes:
    return quote_from_bytes(text, safe=_PLAIN).encode("ascii")


def _unescaped(text: bytes) -> bytes:
    """Unescaped until nothing is left to unescape."""
    while True:
        # All levels of %252525 at once: one by one would take quadratic time.
        plain = unquote_to_bytes(_NESTED_ESCAPE.sub(b"%", text))
        if plain == text:
            return plain
        text = plain
