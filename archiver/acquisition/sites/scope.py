"""Which addresses belong to a site."""

from __future__ import annotations

import re
from functools import lru_cache
from urllib.parse import urlsplit, urlunsplit

from archiver.acquisition.seeds.address import url_flaw, web_address
from archiver.errors import ConfigurationError
from archiver.urls import is_web, redact, request_url

# `http://blog.example/index.php`: the site is all of the folder.
_FILE = re.compile(r"/[^/]*\.[a-z]{3,5}$", re.IGNORECASE)
SCOPES = ("auto", "host", "prefix")


def site_address(text: str) -> str:
    """The address of a site as it is asked for. Raises ConfigurationError for what cannot be one."""
    url = web_address(text.strip())
    if flaw := url_flaw(url):
        raise ConfigurationError(f"{redact(url)}: {flaw}")
    return site_url(url)


def site_url(url: str) -> str:
    """The one spelling of an address under which a site is known: `http://blog.example` is its front page."""
    parts = urlsplit(request_url(url))
    return urlunsplit(parts._replace(path=parts.path or "/"))


def scope_of(url: str, how: str = "auto") -> str:
    """The address that those of all pages of a site begin with, without its scheme."""
    parts = urlsplit(request_url(url))
    netloc = parts.netloc.lower().removeprefix("www.")
    path = _FILE.sub("/", parts.path) or "/"
    if how == "host" or (how == "auto" and path.count("/") == 1):
        return f"{netloc}/"
    return f"{netloc}{path if path.endswith('/') else path + '/'}"


@lru_cache(maxsize=20_000)
def is_within(url: str, scope: str) -> bool:
    """Whether an address is one of the site; http or https, with or without www.

    Kept for a while: a site has the same links on all its pages.
    """
    if not is_web(url):
        return False
    parts = urlsplit(url)
    place = f"{parts.netloc.lower().removeprefix('www.')}{parts.path or '/'}"
    return place.startswith(scope) or f"{place}/" == scope
