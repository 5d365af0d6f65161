"""From the state store, the objects and the WARC files to the articles of a channel at a moment."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime  # noqa: TC003 - msgspec reads the annotations at run time
from typing import TYPE_CHECKING, Any

import msgspec

from archiver.archive.objects.kinds import read_part
from archiver.archive.warc.records import Capture  # noqa: TC001 - as above
from archiver.clock import rfc3339
from archiver.documents.pages.model import Image  # noqa: TC001 - as above
from archiver.documents.pages.text import one_line, plain
from archiver.errors import ArchiveError
from archiver.inspection.rebuild.document import document_at
from archiver.inspection.rebuild.listing import listed_at
from archiver.inspection.rebuild.model import Origin, Rebuilt, RebuiltArticle, WordSource
from archiver.store.polling.sightings import entries_at, first_seen, spans_at
from archiver.urls import redact

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from sqlalchemy import Connection, Row

    from archiver.archive.cdxj.index import Index
    from archiver.archive.withheld import Withheld
    from archiver.inspection.rebuild.document import Document
    from archiver.inspection.rebuild.model import ShownEntry
    from archiver.store.polling.sightings import EntryAt, VersionAt

# Of a text without a summary, so much of its beginning.
_LONGEST_LEAD = 300


class _Object(msgspec.Struct):
    """What a list shows of an article."""

    id: str
    url: str
    title: str | None = None
    published: datetime | None = None
    summary: str | None = None
    text: str = ""
    image: Image | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """A captured page of an article, and the article's text."""

    capture: Capture
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Gathered:
    rebuilt: Rebuilt
    samples: tuple[Sample, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RebuildFolders:
    """Where the parts of an archive are."""

    index: Index
    warc: Path
    objects: Path
    withheld: Withheld


def gather(state: Connection, places: RebuildFolders, channel: Row[Any], at: datetime) -> Gathered:
    """The channel at a moment: which articles its feed listed, each as it read then."""
    places.withheld.refuse(channel.url)
    listed = _listed(state, channel, at)
    found = {
        number: one
        for number, one in entries_at(state, [one.entry_id for one in listed], at).items()
        if not places.withheld.hides_any(_addresses(one))
    }
    listed = [one for one in listed if one.entry_id in found]
    document = document_at(places.index, places.warc, _feed_urls(channel, found.values()), at)
    if document is not None:
        listed = as_in_document(listed, {one.id: one.key for one in found.values()}, list(document.entries))
    objects = {
        number: read_part(places.objects, one.version.object_file, one.version.object_offset, _Object)
        for number, one in found.items()
        if one.version
    }
    rebuilt = Rebuilt(
        channel=redact(channel.url),
        title=channel.title,
        link=redact(channel.link) if channel.link else None,
        at=at,
        last_look=channel.last_success or at,
        articles=tuple(
            _article(one, found[one.entry_id], objects.get(one.entry_id), document, at) for one in listed
        ),
    )
    samples = (
        Sample(capture=one.version.capture, text=objects[one.id].text)
        for one in found.values()
        if one.version
    )
    return Gathered(rebuilt=rebuilt, samples=tuple(samples))


def _addresses(known: EntryAt) -> tuple[str | None, ...]:
    """Where an entry leads to, and where its article was captured."""
    captured = known.version.capture.url if known.version else None
    return known.entry.link, known.entry.page_link, captured


def _listed(state: Connection, channel: Row[Any], at: datetime) -> list[ShownEntry]:
    first = first_seen(state, channel.id)
    name = f"channel {channel.id}, {redact(channel.url)}"
    if first is None:
        raise ArchiveError(f"Nothing was captured yet of {name}: run `scrapy crawl feeds` first")
    if at < first:
        raise ArchiveError(f"{rfc3339(at)} is before the first poll of {name}, at {rfc3339(first)}")
    return listed_at(spans_at(state, channel.id, at), at, channel.last_success or first)


def _feed_urls(channel: Row[Any], found: Iterable[EntryAt]) -> list[str]:
    """Where the channel's documents came from: addresses change, and lead to others."""
    captured = [one.feed_capture.url for one in found if one.feed_capture]
    return list(dict.fromkeys([*captured, channel.url, channel.seed_url]))


def as_in_document(
    listed: Sequence[ShownEntry], keys: dict[int, str], order: Sequence[str]
) -> list[ShownEntry]:
    """Those that a document has, in its order; others stay where they are."""
    place_of = {key: place for place, key in enumerate(order)}
    own = [one for one in listed if keys[one.entry_id] in place_of]
    sorted_own = iter(sorted(own, key=lambda one: place_of[keys[one.entry_id]]))
    return [next(sorted_own) if keys[one.entry_id] in place_of else one for one in listed]


def _article(
    listed: ShownEntry, known: EntryAt, found: _Object | None, document: Document | None, at: datetime
) -> RebuiltArticle:
    made = _from_feed(listed, known, document, at)
    if known.version is not None and found is not None:
        made = _from_version(made, known.version, found)
    return replace(made, gone=known.gone, gone_since=known.gone_since)


def _from_feed(listed: ShownEntry, known: EntryAt, document: Document | None, at: datetime) -> RebuiltArticle:
    entry, capture = known.entry, known.feed_capture
    origin = _origin(capture) if capture and capture.date <= at else None
    # What the entry says today it may not have said then.
    if document and known.key in document.entries:
        entry, origin = document.entries[known.key], document.origin
    link = entry.page_link
    return RebuiltArticle(
        url=redact(link) if link else None,
        title=one_line(plain(entry.title or "")) or link or "",
        lead=_shortened(plain(entry.summary or entry.content or "")),
        published=entry.published.utc if entry.published else None,
        grounds=listed.grounds,
        source=WordSource.FEED,
        origin=origin,
    )


def _from_version(said: RebuiltArticle, version: VersionAt, found: _Object) -> RebuiltArticle:
    return replace(
        said,
        url=found.url or said.url,
        title=one_line(found.title or "") or said.title,
        lead=_shortened(found.summary or found.text),
        image=found.image.url if found.image else None,
        published=found.published or said.published,
        source=WordSource.VERSION,
        object_id=found.id,
        version=version.version,
        origin=_origin(version.capture),
    )


def _origin(capture: Capture) -> Origin:
    return Origin(url=redact(capture.url), record_id=capture.capture_id, captured=capture.date)


def _shortened(text: str) -> str:
    words = one_line(text)
    if len(words) <= _LONGEST_LEAD:
        return words
    return words[: words.rfind(" ", 0, _LONGEST_LEAD) + 1 or _LONGEST_LEAD].rstrip() + "…"
