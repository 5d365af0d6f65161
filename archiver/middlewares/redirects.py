"""Redirects, followed without the user and the password that an address may carry."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy import Request

from archiver.acquisition.sites.traps.forms import family_of
from archiver.extensions.archive import ArchiveExtension
from archiver.handlers.internals import Redirects
from archiver.urls import without_credentials

if TYPE_CHECKING:
    from scrapy.http import Response

# Addresses of one form on the way of a campaign: from one to another is a page that moved, and on is a loop.
_MOST_ALIKE = 2


class RedirectMiddleware(Redirects):
    """Scrapy's, which would take a user and a password from anywhere and keep them in its addresses."""

    async def process_response(  # type: ignore[override] # Scrapy awaits it
        self, request: Request, response: Response
    ) -> Request | Response:
        """What leads to a page that need not be asked for again is an answer itself."""
        found = super().process_response(request, response)
        if isinstance(found, Request) and await ArchiveExtension.of(self.crawler).asking.knows(found):
            # Of the request: a response has none of its own until it has passed all middlewares.
            request.meta["leads_to"] = found.url
            return response
        return found

    def redirect_url(self, url: str) -> str:
        return without_credentials(url)

    def is_followed(self, request: Request, url: str) -> bool:
        """A campaign pays for each: one that leads from page to page of one form is left early."""
        if "campaign" not in request.meta:
            return True
        way = [*request.meta.get("redirect_urls", ()), request.url]
        return sum(family_of(one) == family_of(url) for one in way) < _MOST_ALIKE
