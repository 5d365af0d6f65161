"""Redirects, followed without the user and the password that an address may carry."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scrapy.downloadermiddlewares import redirect

from archiver.urls import without_credentials

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.http import Response


class RedirectMiddleware(redirect.RedirectMiddleware):
    """Scrapy's, which would take a user and a password from anywhere and keep them in its addresses."""

    def _build_redirect_request(
        self,
        source_request: Request,
        response: Response,
        *,
        url: str,
        **kwargs: Any,  # noqa: ANN401 - Scrapy's interface
    ) -> Request:
        url = without_credentials(url)
        return super()._build_redirect_request(source_request, response, url=url, **kwargs)
