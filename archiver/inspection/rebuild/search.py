"""Looks in the archive for what a page can be rebuilt around, and for what belongs to it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from archiver.archive.retrieval import read_archived
from archiver.archive.warc.reader import read_capture
from archiver.archive.warc.wire import split_response
from archiver.errors import ArchiverError
from archiver.inspection.rebuild.document import is_document, origin_of
from archiver.inspection.rebuild.frames import Frame, FramePage, from_home, from_nothing
from archiver.inspection.rebuild.model import Origin
from archiver.inspection.rebuild.shared import from_articles
from archiver.store.polling.channels import channel_row
from archiver.store.polling.entries import known_links
from archiver.urls import host_of, is_web, request_url

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence
    from datetime import datetime

    from sqlalchemy import Connection, Row

    from archiver.inspection.rebuild.gather import Gathered, RebuildFolders, Sample

# So many captures of the channel's page are tried, the nearest first; so many pages of articles.
_TRIES = 5
# With so many others a page of an article is compared.
_SIBLINGS = 3


def find_frame(state: Connection, places: RebuildFolders, channel: Row[Any], found: Gathered) -> Frame:
    """The best there is: a capture of the channel's page, else pages of its articles, else nothing."""
    rebuilt = found.rebuilt

    def known(keys: Collection[str]) -> Collection[str]:
        return known_links(state, channel.id, keys)

    for home in _homes(state, places, channel, rebuilt.at):
        if frame := from_home(home, rebuilt, known):
            return frame
    for page, text, siblings in _articles(places, found.samples):
        if frame := from_articles(page, text, siblings, rebuilt, known):
            return frame
    return from_nothing(rebuilt)


def _homes(state: Connection, places: RebuildFolders, channel: Row[Any], at: datetime) -> Iterator[FramePage]:
    """Captures of the channel's page, those nearest to the moment first."""
    urls = [channel.link] if channel.link else []
    if channel.site_id is not None:
        urls.append(channel_row(state, channel.site_id).url)
    lines = [
        line
        for url in urls
        if is_web(url)
        for line in places.index.lookup(request_url(url), at)
        if is_document(line)
    ]
    lines.sort(key=lambda line: abs(line.date - at))
    for line in lines[:_TRIES]:
        try:
            response = read_archived(places.index, places.warc, line)
            yield FramePage(
                url=line.url,
                body=response.body,
                content_type=split_response(response.head).header("Content-Type"),
                origin=origin_of(places.warc, line),
            )
        except ArchiverError:  # damaged: `scrapy verify` tells; another capture will do
            continue


def _articles(
    places: RebuildFolders, samples: Sequence[Sample]
) -> Iterator[tuple[FramePage, str, list[FramePage]]]:
    """Pages of articles, each with its text and with siblings of the same host."""
    for number, sample in enumerate(samples[:_TRIES]):
        others = [one for one in samples if host_of(one.capture.url) == host_of(sample.capture.url)]
        siblings = [one for one in others if not one.capture.shares_payload(sample.capture)]
        # Each in turn, so that a damaged record among them does not spoil every try.
        siblings = (siblings[number:] + siblings[:number])[:_SIBLINGS]
        try:
            yield _page(places, sample), sample.text, [_page(places, one) for one in siblings]
        except ArchiverError:
            continue


def _page(places: RebuildFolders, sample: Sample) -> FramePage:
    capture = sample.capture
    stored = read_capture(places.warc, capture)
    return FramePage(
        url=capture.url,
        body=stored.content,
        content_type=stored.content_type,
        origin=Origin(url=capture.url, record_id=capture.capture_id, captured=capture.date),
    )
