"""Which addresses can be a seed, and how to show one without its password."""

from __future__ import annotations

import re
from urllib.parse import SplitResult, urlsplit

from archiver.urls import LONGEST_URL

_SCHEME = re.compile(r"([a-z][a-z0-9+.-]*)://", re.IGNORECASE)
_OTHER_SCHEME = re.compile(r"([a-z][a-z0-9+.-]*):", re.IGNORECASE)
# example.org/feed, //example.org, user:secret@example.org, localhost:8000/feed
_HOST_FIRST = re.compile(r"(?://)?(?:[^/\s]*@)?(?:[\w-]+(?:\.[\w-]+)+|localhost)\.?(?::\d+)?(?:[/?#].*)?")
_NEVER_IN_HOST = re.compile(r"[#%/<>?@\\^|]")

# Up to the last @: a password may itself hold a slash or an @ that should have been escaped.
_PASSWORD = re.compile(r"(^|[\s/=,\"'@])([^\s/:@]*):(?!//)\S*@")
_USER_ALONE = re.compile(r"(^|//)[^\s/:@]+@")
_SHOWN = 80
# What readers and podcast players write in front of an address, to have it opened by themselves.
_OPENERS = {"feed": "http", "feeds": "https", "rss": "http", "itpc": "http", "pcast": "http"}
_OPENER = re.compile(rf"({'|'.join(_OPENERS)}):", re.IGNORECASE)
# newsletter:12:daily@example.org, mailto:daily@example.org, daily@example.org
_MAIL = re.compile(r"(?:mailto|newsletter):.*|[^\s/:@]+@[^\s/:@]+\.[^\s/:@]+", re.IGNORECASE)


def shown(text: str) -> str:
    """Text of a file as a message may show it: no password, no control characters, not too long."""
    text = _USER_ALONE.sub(r"\1***@", _PASSWORD.sub(r"\1\2:***@", text))
    text = "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in text)
    return text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"


def web_address(text: str) -> str:
    """`feed://a.example/` and `feed:https://a.example/` as addresses of the Web; others as they are."""
    opener = _OPENER.match(text)
    if opener is None:
        return text
    rest = text[opener.end() :]
    if re.match(r"https?://", rest, re.IGNORECASE):
        return rest
    return (
        f"{_OPENERS[opener[1].lower()]}://{rest.removeprefix('//')}" if _HOST_FIRST.fullmatch(rest) else text
    )


def is_mail(text: str) -> bool:
    """Whether an address leads to a mailbox, as that of a newsletter does."""
    return _MAIL.fullmatch(text) is not None


def url_flaw(url: str) -> str | None:
    """Say why this cannot be fetched over HTTP, and None where it can."""
    if len(url.encode("utf-8", "replace")) > LONGEST_URL:
        return f"too long: a URL has at most {LONGEST_URL} characters"
    for char in url:
        if char.isspace() or not char.isprintable():
            return f"not a URL: it holds a blank or invisible character (U+{ord(char):04X})"
    scheme = _SCHEME.match(url)
    if scheme is None:
        return _schemeless_flaw(url)
    if scheme[1].lower() not in ("http", "https"):
        return f"scheme {shown(scheme[1])} is not http or https"
    return _host_flaw(url)


def _schemeless_flaw(url: str) -> str:
    if _HOST_FIRST.fullmatch(url):
        return f"no scheme: write {shown('https://' + url.removeprefix('//'))}"
    scheme = _OTHER_SCHEME.match(url)
    if scheme is None:
        return f"not a URL: {shown(url)}"
    if scheme[1].lower() in ("http", "https"):
        return f"not a URL: two slashes follow {scheme[1]}:"
    return f"scheme {shown(scheme[1])} is not http or https"


def _host_flaw(url: str) -> str | None:
    # The errors of urlsplit quote the user and the password: their text is never passed on.
    try:
        parts = urlsplit(url)
        host = parts.hostname or ""
    except ValueError:
        return "not a URL: its host name cannot be read"
    if not re.search(r"\w", host) and ":" not in host:
        return "no host"
    if _NEVER_IN_HOST.search(host):
        return "not a URL: its host name holds a character that no host has"
    return None if _port_is_good(parts) else "not a URL: the port is not a number from 1 to 65535"


def _port_is_good(parts: SplitResult) -> bool:
    try:
        return parts.port != 0
    except ValueError:
        return False


def sameness(url: str) -> tuple[str | int | None, ...]:
    """Equal for two spellings of one address (RFC 3986): case of the host, default port, fragment."""
    parts = urlsplit(url)
    port = parts.port or (443 if parts.scheme == "https" else 80)
    return (
        parts.scheme,
        parts.username,
        parts.password,
        parts.hostname,
        port,
        parts.path or "/",
        parts.query,
    )
