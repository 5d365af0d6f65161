"""Redirects, followed without the user and the password that an address may carry."""

from __future__ import annotations

from archiver.handlers.internals import Redirects
from archiver.urls import without_credentials


class RedirectMiddleware(Redirects):
    """Scrapy's, which would take a user and a password from anywhere and keep them in its addresses."""

    def redirect_url(self, url: str) -> str:
        return without_credentials(url)
