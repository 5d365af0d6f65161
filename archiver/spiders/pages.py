"""Asking for a page, and what its answer means."""

from __future__ import annotations

import codecs
from typing import TYPE_CHECKING

from scrapy import Request

from archiver.acquisition.items import PageFetch, Validators
from archiver.acquisition.outcomes import Failed, Failure
from archiver.acquisition.pages import PageValidators
from archiver.archive.warc.wire import listed_codings
from archiver.clock import machine_now
from archiver.documents.codings import decode_content
from archiver.spiders.failures import failure_of_response
from archiver.spiders.headers import body_size, header

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from scrapy.http import Response

    from archiver.store.pages import PendingPage

    Callback = Callable[..., AsyncIterator[PageFetch]]

# Pages that are pending are asked for before any further feed; known ones when nobody waits.
_PRIORITY = 10
_RECHECK_PRIORITY = -5
# In bytes. White space beyond it is looked at by whoever reads the page.
_LONGEST_NOTHING = 100
_MOST_CODINGS = 3


def page_request(page: PendingPage, callback: Callback, errback: Callback) -> Request:
    """Conditional, where the page was had before: most of the time nothing has changed."""
    known = page.validators
    validators = {}
    if known is not None:
        validators[known.url] = Validators(
            etag=known.etag, last_modified=known.last_modified, capture=page.capture
        )
    return Request(
        page.url,
        callback=callback,
        errback=errback,
        cb_kwargs={
            "page_id": page.id,
            "is_recheck": page.is_recheck,
            "further": page.url if page.is_further else "",
        },
        meta={"context": page.context, "validators": validators},
        dont_filter=True,
        priority=_RECHECK_PRIORITY if page.is_recheck else _PRIORITY,
    )


def page_fetch(response: Response, page_id: int, *, is_recheck: bool, further: str = "") -> PageFetch:
    etag, last_modified = header(response, "ETag"), header(response, "Last-Modified")
    failed = failure_of_response(response, machine_now())
    is_as_it_was = response.status == 304 and failed is None
    # What became of a known article is decided from all of its page, also where nothing is left of it.
    if failed is None and not is_as_it_was and not is_recheck and _is_empty(response):
        failed = Failed(failure=Failure.EMPTY, detail=f"HTTP {response.status} with nothing in it")
    return PageFetch(
        page_id=page_id,
        url=response.url,
        content_type=header(response, "Content-Type"),
        capture=response.meta.get("capture"),
        size=body_size(response),
        failed=failed,
        validators=PageValidators(url=response.url, etag=etag, last_modified=last_modified)
        if etag or last_modified
        else None,
        not_modified=is_as_it_was,
        is_recheck=is_recheck,
        further=further,
    )


def _is_empty(response: Response) -> bool:
    """True where nothing but white space came, compressed or not."""
    if len(response.body) > _LONGEST_NOTHING:
        return False
    codings = listed_codings(line.decode("latin-1") for line in response.headers.getlist("Content-Encoding"))
    content = decode_content(response.body, codings[:_MOST_CODINGS], most=_LONGEST_NOTHING)
    return not content.removeprefix(codecs.BOM_UTF8).strip()
