"""URLs: which two are the same, what must not be shown, where they live."""

from __future__ import annotations

import base64
import re
from urllib.parse import parse_qsl, unquote, urlencode, urlsplit, urlunsplit

from w3lib.url import canonicalize_url, safe_url_string

# Added by whoever shared the link; the page behind it is the same without them.
_TRACKING = re.compile(
    r"^(utm_\w+|fbclid|gclid|dclid|msclkid|mc_[ce]id|igshid|yclid|_hsenc|_hsmi|at_\w+|ns_\w+)$", re.IGNORECASE
)
_SECRET_KEY = re.compile(
    r"(token|secret|passw|pwd|auth|api_?key|^key$|^sig$|signature|session|^sid$|credential)", re.IGNORECASE
)
_USERINFO = re.compile(r"(?<=://)[^/?#\s@]+@")
_SECRET_PAIR = re.compile(r"(?<=[?&;])([^=&;#\s]+)=([^&;#\s]+)")
_DEFAULT_PORTS = {"http": 80, "https": 443}
HIDDEN = "***"


def is_web(url: str) -> bool:
    """True for http and https URLs with a host."""
    try:
        parts = urlsplit(url)
        return parts.scheme.lower() in _DEFAULT_PORTS and bool(parts.hostname)
    except ValueError:
        return False


def request_url(url: str) -> str:
    """The URL as it may be requested: escaped, without fragment and without user and password."""
    return without_credentials(safe_url_string(url.strip())).split("#", 1)[0]


def same_page_key(url: str) -> str:
    """Equal for URLs that lead to the same page: tracking parameters, fragments and order don't count."""
    parts = urlsplit(request_url(url))
    query = [(k, v) for k, v in parse_qsl(parts.query, keep_blank_values=True) if not _TRACKING.match(k)]
    bare = parts._replace(
        netloc=_plain_netloc(parts.netloc, parts.scheme), query=urlencode(query), path=parts.path or "/"
    )
    return str(canonicalize_url(urlunsplit(bare)))


def _plain_netloc(netloc: str, scheme: str) -> str:
    host, colon, port = netloc.lower().rpartition(":")
    if colon and port == str(_DEFAULT_PORTS.get(scheme.lower())):
        return host
    return netloc.lower()


def host_of(url: str) -> str:
    return (urlsplit(url).hostname or "").lower()


def without_credentials(url: str) -> str:
    return _USERINFO.sub("", url, count=1)


def authorization(url: str) -> str | None:
    """The Authorization header for a URL that carries a user and password."""
    parts = urlsplit(url)
    if parts.username is None:
        return None
    pair = f"{unquote(parts.username)}:{unquote(parts.password or '')}"
    return "Basic " + base64.b64encode(pair.encode()).decode("ascii")


def redact(text: str) -> str:
    """Any text with the passwords and tokens of the URLs in it hidden."""
    if "://" not in text:
        return text
    return _SECRET_PAIR.sub(_hide_secret, _USERINFO.sub(f"{HIDDEN}@", text))


def _hide_secret(pair: re.Match[str]) -> str:
    name = pair.group(1)
    return f"{name}={HIDDEN}" if _SECRET_KEY.search(name) else pair.group(0)
