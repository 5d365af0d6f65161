"""The object that is written for each version of an article."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import date, datetime  # noqa: TC003 - msgspec reads annotations when it runs
from typing import TYPE_CHECKING

from w3lib.html import remove_tags, replace_entities

from archiver.archive.objects.kinds import WarcPointer
from archiver.articles.continuation.model import NONE
from archiver.articles.times.resolve import resolve
from archiver.articles.versions.addresses import link_identity
from archiver.articles.versions.model import Change, Making
from archiver.digests import name_digest, normalised
from archiver.documents.feeds.model import FeedEntry
from archiver.documents.media import Media, media_of_entry
from archiver.documents.pages.model import Image, Link  # noqa: TC001 - as above
from archiver.documents.times.model import Times, Why
from archiver.documents.times.statements import from_entry
from archiver.fields.model import ObjectField  # noqa: TC001 - as above
from archiver.urls import redact

if TYPE_CHECKING:
    from archiver.archive.warc.records import Capture
    from archiver.archive.warc.rendered import Rendered
    from archiver.articles.continuation.model import Further
    from archiver.articles.leads import Lead
    from archiver.articles.model import Article
    from archiver.articles.versions.model import Fingerprint

SCHEMA = "article/2"
# Lines of these are valid, too: what they lack has a default.
EARLIER_SCHEMAS = ("article/1",)


@dataclass(frozen=True, slots=True, kw_only=True)
class PagePointer:
    """One of the pages of an article that has several."""

    url: str
    captured: datetime
    warc: WarcPointer


@dataclass(frozen=True, slots=True, kw_only=True)
class RenderedPointer:
    """Where the document is that a browser made of the page: what the article was read from."""

    file: str
    offset: int
    record_id: str
    date: datetime
    browser: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Twin:
    """An article at another address that is nearly the same: by its own word, or by its text."""

    id: str
    url: str
    how: str  # canonical or text
    similarity: float


@dataclass(frozen=True, slots=True, kw_only=True)
class LeadPointer:
    """What led to an article's page."""

    source: str  # channels, or the name of another source
    via: str  # the address of the feed, or of the document that leads there


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchivedObject:
    """One version of an article. All times are RFC 3339 in UTC."""

    # Fields with a default came later: lines that were written before them are read all the same.
    schema: str
    id: str
    url: str
    canonical_url: str | None
    # What led to its page; null in lines of article/1, to which a feed always did.
    lead: LeadPointer | None = None
    # Null where it was not a feed.
    channel: str | None
    channel_title: str | None
    entry_id: str | None
    title: str | None
    authors: tuple[str, ...]
    categories: tuple[str, ...]
    language: str | None
    published: datetime | None
    published_day: date | None = None
    updated: datetime | None
    # All that is known of when, with who says so and how far to trust it; null in older lines.
    times: Times | None = None
    first_seen: datetime
    # When the version before was last seen as it was: the change came between then and `captured`.
    unchanged_until: datetime | None = None
    captured: datetime
    version: int
    change: Change
    text: str
    html: str
    links: tuple[Link, ...]
    image: Image | None = None
    images: tuple[Image, ...]
    # Sound, video and other files of the entry and of the article, and players of them.
    media: tuple[Media, ...] = ()
    summary: str | None
    comments: str | None
    # The feed of its comments, and how many there were when the feed showed the entry as it is here.
    comments_feed: str | None = None
    comments_count: int | None = None
    # The stems of the words that it is about, the most frequent one first.
    terms: tuple[str, ...] = ()
    digest: str
    method: str
    confidence: float
    notice: str | None = None
    # What made it, and with what: enough to make it again.
    extractor: str = ""
    wrapper: str | None = None
    siblings: tuple[str, ...] = ()
    # What a field wrapper read off the page, and which: its name and the digest of its rules.
    fields: dict[str, ObjectField | None] = field(default_factory=dict)
    field_wrapper: str | None = None
    # When an earlier version was read anew; null where it was read for the first time.
    reextracted: datetime | None = None
    # Articles at other addresses that are nearly the same, as far as they were known then.
    twins: tuple[Twin, ...] = ()
    # Where the article has several pages: all of them, in order, and what is missing, in words.
    pages: tuple[PagePointer, ...] = ()
    incomplete: str | None = None
    # Where its page was rendered: `warc` has the page as it was served.
    rendered: RenderedPointer | None = None
    warc: WarcPointer


@dataclass(frozen=True, slots=True, kw_only=True)
class Version:
    """What makes one version of an article."""

    number: int
    change: Change
    fingerprint: Fingerprint
    first_seen: datetime
    capture: Capture
    extractor: str
    further: Further = NONE
    unchanged_until: datetime | None = None
    twins: tuple[Twin, ...] = ()
    reextracted: datetime | None = None


def making_of(article: Article | None, extractor: str) -> Making:
    """What made an article: enough to make it again."""
    if article is None:
        return Making(extractor=extractor)
    siblings = article.siblings if article.wrapper is None else ()
    return Making(extractor=extractor, wrapper=article.wrapper, siblings=siblings)


def article_id(key: str) -> str:
    """The same for all versions of an article."""
    return name_digest(key)


def make_object(key: str, url: str, article: Article, lead: Lead, version: Version) -> ArchivedObject:
    """Join what the page says with what its feed entry says; each is asked for what it knows best."""
    announcer, entry = lead.announcer, lead.entry or FeedEntry()
    # What comes with a comment is not of the page that it is on, nor a difference of the page that it is of.
    is_of_page = not (lead.is_of_comment or lead.is_of_change)
    own = entry if is_of_page else FeedEntry()
    said = lead.announcement()
    capture = version.capture
    times = _times(article, lead, version)
    return ArchivedObject(
        schema=SCHEMA,
        id=article_id(key),
        url=redact(url),
        canonical_url=article.canonical_url,
        lead=LeadPointer(source=lead.source, via=redact(lead.via)),
        channel=redact(lead.via) if announcer else None,
        channel_title=announcer.channel_title if announcer else None,
        entry_id=entry.id,
        title=article.title or (entry.title if announcer else said.title),
        authors=own.authors or said.authors or article.authors,
        categories=entry.categories or said.categories or article.categories,
        language=article.language or said.language,
        published=times.published_at,
        published_day=times.published_day,
        updated=times.updated_at,
        times=times,
        first_seen=version.first_seen,
        unchanged_until=version.unchanged_until,
        captured=capture.date,
        version=version.number,
        change=version.change,
        text=article.text,
        html=article.html,
        links=article.links,
        image=article.image,
        images=article.images,
        media=_media(article, own),
        summary=_plain(said.summary if not announcer or lead.is_of_change else entry.summary),
        comments=entry.comments or article.comments,
        comments_feed=redact(own.comments_feed) if own.comments_feed else None,
        comments_count=own.comments_count,
        terms=article.terms,
        digest=version.fingerprint.whole,
        method=article.method,
        confidence=round(article.confidence, 4),
        notice=article.notice,
        extractor=version.extractor,
        wrapper=article.wrapper,
        siblings=article.siblings,
        fields=article.fields,
        field_wrapper=article.field_wrapper,
        reextracted=version.reextracted,
        twins=version.twins,
        pages=_pages(capture, version.further),
        incomplete=version.further.lacks,
        rendered=_rendered(capture.rendered),
        warc=_pointer(capture),
    )


def _media(article: Article, entry: FeedEntry) -> tuple[Media, ...]:
    """What the feed attaches, then what only the page shows; whatever else an address carries."""
    found: dict[str, Media] = {}
    for one in (*media_of_entry(entry), *article.media):
        found.setdefault(link_identity(one.url), replace(one, url=redact(one.url)))
    return tuple(found.values())


def _pages(first: Capture, further: Further) -> tuple[PagePointer, ...]:
    """None where the article has one page: that is what `warc` points to."""
    if not further.captures:
        return ()
    return tuple(
        PagePointer(url=redact(one.url), captured=one.date, warc=_pointer(one))
        for one in (first, *further.captures)
    )


def _pointer(capture: Capture) -> WarcPointer:
    return WarcPointer(
        file=capture.file,
        offset=capture.offset,
        record_id=capture.record_id,
        capture_id=capture.capture_id,
    )


def _rendered(rendered: Rendered | None) -> RenderedPointer | None:
    if rendered is None or rendered.date is None:
        return None
    return RenderedPointer(
        file=rendered.file,
        offset=rendered.offset,
        record_id=rendered.record_id,
        date=rendered.date,
        browser=rendered.browser,
    )


def _times(article: Article, lead: Lead, version: Version) -> Times:
    """What feed, page and server say of its times, resolved by one rule."""
    announcer = lead.announcer
    if announcer is None or lead.is_of_comment:
        # When a comment was written, and what stood beside it in its feed, says nothing of the page.
        return resolve(
            [*lead.said.dated, *article.dated],
            first_seen=version.first_seen,
            captured=version.capture.date,
            unchanged_until=version.unchanged_until,
            found_by=announcer.found_by if announcer else None,
        )
    dating = announcer.dating
    doubt = Why.POLL if dating and dating.of_poll else None
    said = from_entry(announcer.entry, found_by=announcer.found_by, doubt=doubt)
    if lead.is_of_change:
        # When a feed came to list a change tells when that was made, and not when its page was published.
        announcer, dating = replace(announcer, not_before=None), None
    return resolve(
        [*said, *article.dated],
        first_seen=version.first_seen,
        captured=version.capture.date,
        not_before=announcer.not_before,
        neighbours=dating.between if dating else None,
        unchanged_until=version.unchanged_until,
        found_by=announcer.found_by,
    )


def _plain(markup: str | None) -> str | None:
    return normalised(replace_entities(remove_tags(markup))) or None if markup else None
