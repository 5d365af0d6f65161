"""Conditional requests: each URL is sent the validators that it gave us, and no other's."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler

    from archiver.acquisition.items import Validators


class ValidatorsMiddleware:
    """Sets If-None-Match and If-Modified-Since from `meta["validators"]`, a mapping by URL.

    A redirect copies headers to another URL or host: here they are replaced by what that URL gave us.
    A server that can is asked for those entries only that it has not given us (RFC 3229 with `feed`).
    """

    def __init__(self, *, deltas: bool) -> None:
        self._deltas = deltas

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> ValidatorsMiddleware:
        return cls(deltas=crawler.settings.getbool("POLL_DELTAS"))

    def process_request(self, request: Request) -> None:
        known: dict[str, Validators] | None = request.meta.get("validators")
        if known is None:
            return
        for header in ("If-None-Match", "If-Modified-Since", "A-IM"):
            request.headers.pop(header, None)
        request.meta.pop("original", None)
        validators = known.get(request.url)
        if validators is None:
            return
        # What a 304 will refer to.
        request.meta["original"] = validators.capture
        # Verbatim: a server may compare them byte for byte.
        if validators.etag:
            request.headers["If-None-Match"] = validators.etag.encode("latin-1", "replace")
        if validators.last_modified:
            request.headers["If-Modified-Since"] = validators.last_modified.encode("latin-1", "replace")
        if self._deltas and request.meta.get("is_feed"):
            request.headers["A-IM"] = "feed"
