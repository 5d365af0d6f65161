"""Asking for a page, and what its answer means."""

from __future__ import annotations

import codecs
from typing import TYPE_CHECKING, ClassVar

from scrapy import Request

from archiver.acquisition.items import PageFetch
from archiver.acquisition.outcomes import Failed, Failure
from archiver.acquisition.targets import PendingPage
from archiver.archive.warc.wire import listed_codings
from archiver.clock import machine_now
from archiver.documents.codings import decode_content
from archiver.running.sources.pages import PageSource, RecheckSource, SitePageSource
from archiver.spiders.failures import failure_of_response
from archiver.spiders.headers import body_size, header, page_validators, validators_of
from archiver.spiders.kinds import Kind

if TYPE_CHECKING:
    from scrapy.http import Response

    from archiver.running.sources import Source
    from archiver.submissions import Submission

# In bytes. White space beyond it is left to the worker that reads the page.
_LONGEST_NOTHING = 100
_MOST_CODINGS = 3


class PageKind(Kind[PendingPage]):
    """Asks for a page, conditionally where it is known: most of the time nothing has changed."""

    source: ClassVar[type[Source[PendingPage]]] = PageSource
    # Pages that are pending are asked for before any further feed.
    priority = 10

    def request(self, target: PendingPage) -> Request:
        if target.submission is not None:
            return self._submit(target, target.submission)
        validators = validators_of(target.validators, target.capture)
        meta = {"context": target.context, "validators": validators}
        return Request(target.url, meta=meta, priority=self.priority)

    def _submit(self, target: PendingPage, sent: Submission) -> Request:
        """Return a request that is never conditional: a 304 would answer to the address alone."""
        return Request(
            target.url,
            method=sent.method,
            body=sent.body,
            headers={"Content-Type": sent.content_type} if sent.content_type else None,
            meta={"context": target.context},
            priority=self.priority,
        )

    async def read(self, response: Response, target: PendingPage) -> PageFetch:
        return page_fetch(response, target)

    def failed(self, target: PendingPage, url: str, failed: Failed) -> PageFetch:
        return PageFetch(
            page_id=target.id,
            url=url,
            failed=failed,
            is_recheck=target.is_recheck,
            further=_further(target),
        )


class RecheckKind(PageKind):
    """Asks for the page of a known article when there is nothing else to do."""

    source = RecheckSource
    priority = -5


class SitePageKind(PageKind):
    """Asks for pages of sites alone: what feeds announced waits for a run that polls them."""

    source = SitePageSource


def page_fetch(response: Response, page: PendingPage) -> PageFetch:
    """Return what a response says of its page, before the page is read."""
    failed = failure_of_response(response, machine_now())
    is_as_it_was = response.status == 304 and failed is None
    # What became of a known article is decided from all of its page, also where nothing is left of it.
    if failed is None and not is_as_it_was and not page.is_recheck and _is_empty(response):
        failed = Failed(failure=Failure.EMPTY, detail=f"HTTP {response.status} with nothing in it")
    return PageFetch(
        page_id=page.id,
        url=response.url,
        content_type=header(response, "Content-Type"),
        capture=response.meta.get("capture"),
        size=body_size(response),
        failed=failed,
        validators=page_validators(response),
        not_modified=is_as_it_was,
        is_recheck=page.is_recheck,
        further=_further(page),
    )


def _further(page: PendingPage) -> str:
    return page.url if page.is_further else ""


def _is_empty(response: Response) -> bool:
    """True where nothing but white space came, compressed or not."""
    if len(response.body) > _LONGEST_NOTHING:
        return False
    codings = listed_codings(line.decode("latin-1") for line in response.headers.getlist("Content-Encoding"))
    content = decode_content(response.body, codings[:_MOST_CODINGS], most=_LONGEST_NOTHING)
    return not content.removeprefix(codecs.BOM_UTF8).strip()
