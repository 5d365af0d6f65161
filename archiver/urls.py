"""URLs: which two are the same, what must not be shown, where they live."""

from __future__ import annotations

import base64
import re
from urllib.parse import quote, unquote, unquote_plus, urlsplit, urlunsplit

from w3lib.url import canonicalize_url, safe_url_string

from archiver.digests import short_key
from archiver.lexicon.tracking import SESSION, SESSION_IN_PATH, TRACKING

# As no person or editorial system writes a value: long, letters and digits mixed.
_RANDOM = re.compile(r"(?=\w*[0-9])(?=\w*[a-z])[\w.-]{16,}", re.IGNORECASE)
# Names of parameters without their separators. An author is no authorisation; the rest of such a name may be
# anything: access_token, X-Amz-Signature, PHPSESSID.
_SECRET_WORD = re.compile(
    r"token|secret|passw|passphrase|passcode|pwd|auth(?!or(?!i[sz]))|signature|session|sessid|credential"
    r"|jwt|bearer|hmac"
    r"|(?:access|account|api|app|auth|client|consumer|customer|feed|licen[cs]e|member|private|rss|secure|security"
    r"|shared|signing|subscriber|user)key"
)
_SECRET_NAME = re.compile(r"key|keypairid|pass|pw|pin|psk|sig|sign|sid|sess|otp|creds?|ticket|cfid")
_SEPARATORS = re.compile(r"[^a-z0-9]+")
# Orders to a terminal, and marks that turn the direction of what follows.
_ORDERS = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufff9-\ufffb\ud800-\udfff]"
)
# Up to the last @: a password may itself hold one.
_USERINFO = re.compile(r"(?<=://)[^/?#\s]*@")
_OWN_USERINFO = re.compile(r"^([a-z][a-z0-9+.-]*://)[^/?#]*@", re.IGNORECASE)
_PAIR = re.compile(r"(?<=[?&;#])([^=&;#?\s]+)=([^&#\s]+)")
# Where a URL is within another one: its escaped form.
_ESCAPED_URL = re.compile(r"%3a%2f%2f", re.IGNORECASE)
# A name after IDNA, or an address.
_HOST = re.compile(r"[a-z0-9_.-]*[a-z0-9][a-z0-9_.-]*|[0-9a-f:.]+")
_DEFAULT_PORTS = {"http": 80, "https": 443}
# As most addresses are: nothing in it is to be escaped or left out but its fragment, and its host is one.
_PLAIN = re.compile(
    r"(https?://(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.)*[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?::[1-9]\d{0,3})?"
    r"/[a-zA-Z0-9/._~%+,=:@!&()*'$;-]*(?:\?[a-zA-Z0-9/._~%+,=:@!&()*$;?-]+)?)(?:#[a-zA-Z0-9/._~%=:-]*)?"
)
HIDDEN = "***"
# In bytes: what the index of any database takes. Longer ones can be pages, but no channels.
LONGEST_URL = 2000


def is_web(url: str) -> bool:
    """True for http and https URLs with a host that a request can be made of."""
    if _PLAIN.fullmatch(url):
        return True
    try:
        parts = urlsplit(request_url(url))
        is_known = parts.scheme.lower() in _DEFAULT_PORTS and parts.port != 0
        return is_known and bool(_HOST.fullmatch(parts.hostname or ""))
    except ValueError:
        return False


def request_url(url: str) -> str:
    """The URL as it may be requested: escaped, without fragment and without user and password."""
    if plain := _PLAIN.fullmatch(url):
        return plain[1]
    return without_credentials(safe_url_string(url.strip())).split("#", 1)[0]


def same_page_key(url: str) -> str:
    """Equal for URLs that lead to the same page.

    Tracking parameters, session ids, fragments and order don't count.
    """
    parts = urlsplit(request_url(url))
    # Not decoded here: what is no UTF-8 would all become the same character.
    query = "&".join(pair for pair in parts.query.split("&") if not _says_nothing(pair))
    path = SESSION_IN_PATH.sub("", parts.path) or "/"
    bare = parts._replace(netloc=_plain_netloc(parts.netloc, parts.scheme), query=query, path=path)
    return short_key(str(canonicalize_url(urlunsplit(bare))))


def differ_in_session(url: str, other: str) -> bool:
    """True where two links of one entry differ in nothing but session ids: known ones, or random values."""
    return _without_random(url, other) == _without_random(other, url)


def _without_random(url: str, other: str) -> str:
    """The key of a URL without the parameters that the other one has with another random value."""
    values = dict(pair.partition("=")[::2] for pair in urlsplit(other).query.split("&"))
    parts = urlsplit(url)
    kept = [pair for pair in parts.query.split("&") if not _is_random(*pair.partition("=")[::2], values)]
    return same_page_key(urlunsplit(parts._replace(query="&".join(kept))))


def _is_random(name: str, value: str, values: dict[str, str]) -> bool:
    other = values.get(name, value)
    return value != other and all(_RANDOM.fullmatch(one) for one in (value, other))


def _says_nothing(pair: str) -> bool:
    return bool(TRACKING.match(_name_of(pair)) or SESSION.match(unquote_plus(pair)))


def _name_of(pair: str) -> str:
    return unquote_plus(pair.partition("=")[0])


def _plain_netloc(netloc: str, scheme: str) -> str:
    host, colon, port = netloc.lower().rpartition(":")
    if colon and port == str(_DEFAULT_PORTS.get(scheme.lower())):
        return host
    return netloc.lower()


def host_of(url: str) -> str:
    return (urlsplit(url).hostname or "").lower()


def without_credentials(url: str) -> str:
    return _OWN_USERINFO.sub(r"\1", url)


def with_credentials_of(url: str, other: str) -> str:
    """The URL with the other one's user and password, where both are of the same host and scheme."""
    old, new = urlsplit(other), urlsplit(url)
    userinfo, at, host = old.netloc.rpartition("@")
    if not at or (old.scheme, host.lower()) != (new.scheme, new.netloc.lower()):
        return url
    return urlunsplit(new._replace(netloc=f"{userinfo}@{new.netloc}"))


def authorization(url: str) -> str | None:
    """The Authorization header for a URL that carries a user and password."""
    try:
        parts = urlsplit(url)
    except ValueError:  # requested in its escaped form, which carries no user
        return None
    if parts.username is None:
        return None
    pair = f"{unquote(parts.username)}:{unquote(parts.password or '')}"
    return "Basic " + base64.b64encode(pair.encode()).decode("ascii")


def redact(text: str) -> str:
    """Any text fit to be shown: without passwords and tokens of URLs, and without orders to a terminal."""
    if not text.isprintable():
        text = _ORDERS.sub("\N{REPLACEMENT CHARACTER}", text)
    if "=" in text and ("?" in text or "://" in text):
        text = _PAIR.sub(_redacted_pair, text)
    return _USERINFO.sub(f"{HIDDEN}@", text) if "://" in text else text


def _redacted_pair(found: re.Match[str]) -> str:
    name, value = found.groups()
    if is_secret(name):
        return f"{name}={HIDDEN}"
    # Old servers part pairs by semicolons.
    first, semicolon, others = value.partition(";")
    if _ESCAPED_URL.search(first):
        first = _redacted_within(first)
    return f"{name}={first}{semicolon}" + (_PAIR.sub(_redacted_pair, f";{others}")[1:] if semicolon else "")


def _redacted_within(value: str) -> str:
    """A URL in its escaped form, as the value of a parameter."""
    plain = unquote(value)
    hidden = redact(plain)
    return value if hidden == plain else quote(hidden, safe="*")


def is_secret(name: str) -> bool:
    """Whether a parameter of this name tells who asks, and lets others ask in their place."""
    # Twice: some links are escaped as a whole.
    plain = _SEPARATORS.sub("", unquote(unquote(name)).lower())
    return bool(_SECRET_NAME.fullmatch(plain) or _SECRET_WORD.search(plain))
