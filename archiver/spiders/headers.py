"""Headers of requests and responses, as text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from archiver.acquisition.items import Validators
from archiver.acquisition.pages import PageValidators

if TYPE_CHECKING:
    from scrapy.http import Response

    from archiver.archive.warc.records import Capture


def header(response: Response, name: str) -> str | None:
    value = response.headers.get(name)
    return value.decode("latin-1") if value else None


def body_size(response: Response) -> int:
    """In bytes, as it was received; a large body does not pass through the response."""
    return int(response.meta.get("body_size", len(response.body)))


def header_list(response: Response, name: str) -> str:
    """Several lines of one name are one list, as HTTP has it."""
    return b", ".join(response.headers.getlist(name)).decode("latin-1")


def page_validators(response: Response) -> PageValidators | None:
    """What makes the next request for the same URL conditional; None: nothing does."""
    etag, last_modified = header(response, "ETag"), header(response, "Last-Modified")
    if not (etag or last_modified):
        return None
    return PageValidators(url=response.url, etag=etag, last_modified=last_modified)


def validators_of(known: PageValidators | None, capture: Capture | None) -> dict[str, Validators]:
    """What makes a request conditional, by the URL that it was learned from."""
    if known is None:
        return {}
    return {known.url: Validators(etag=known.etag, last_modified=known.last_modified, capture=capture)}
