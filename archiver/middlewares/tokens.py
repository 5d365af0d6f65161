"""Tokens of APIs: from the environment, to their own hosts, and to no others."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from archiver.errors import ConfigurationError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scrapy import Request
    from scrapy.crawler import Crawler

_HEADER = "Authorization"


class TokensMiddleware:
    """Sets Authorization on requests to APIs whose hosts have a token.

    It stands below the redirects, which copy headers: on the way to another host the token is taken off.
    """

    def __init__(self, tokens: Mapping[str, str], *, allows_http: bool) -> None:
        self._tokens = tokens
        self._allows_http = allows_http

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> TokensMiddleware:
        settings = crawler.settings
        tokens = tokens_of(settings.getdict("API_TOKENS"))
        # Where private addresses are allowed, servers without TLS are tried.
        return cls(tokens, allows_http=settings.getbool("ALLOW_PRIVATE_ADDRESSES"))

    def process_request(self, request: Request) -> None:
        if "api" not in request.meta:
            return
        parts = urlsplit(request.url)
        is_safe = parts.scheme == "https" or self._allows_http
        token = self._tokens.get(parts.netloc.lower()) if is_safe else None
        request.headers.pop(_HEADER, None)
        request.meta["has_token"] = token is not None
        if token is not None:
            request.headers[_HEADER] = f"Bearer {token}"


def tokens_of(variables: Mapping[str, str]) -> dict[str, str]:
    """The tokens by their hosts; ConfigurationError where the environment does not have one."""
    found = {}
    for host, variable in variables.items():
        token = os.environ.get(str(variable), "")
        if not token or not token.isascii() or not token.isprintable():
            told = f"API_TOKENS: the environment variable {variable}, for {host}, is not set, or not a token"
            raise ConfigurationError(f"{told}: export {variable}=…")
        found[host.lower()] = token
    return found
