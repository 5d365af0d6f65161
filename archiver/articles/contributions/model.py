"""The object that is written for each version of a contribution."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime  # noqa: TC003 - msgspec reads annotations when it runs
from typing import TYPE_CHECKING

from archiver.archive.objects.kinds import WarcPointer
from archiver.articles.objects.model import article_id
from archiver.digests import folded, name_digest, text_digest
from archiver.documents.contributions import ContributionKind, ReadBy  # noqa: TC001 - as above
from archiver.documents.feeds.dates import written_day
from archiver.urls import redact

if TYPE_CHECKING:
    from archiver.archive.warc.records import Capture
    from archiver.documents.contributions import Contribution

SCHEMA = "contribution/1"


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchivedContribution:
    """One version of a contribution. All times are RFC 3339 in UTC."""

    schema: str
    id: str
    kind: ContributionKind
    # The id of the article of its page, and the page's URL.
    article: str
    page_url: str
    # What it is known by on its page, and its own address where it has one.
    key: str
    url: str | None = None
    parent: str | None = None  # the key of what it answers
    position: int = 0
    author: str | None = None
    author_url: str | None = None
    published: datetime | None = None
    published_day: date | None = None
    published_text: str | None = None  # as it is written
    text: str
    html: str
    digest: str
    version: int
    change: str  # new, or text
    first_seen: datetime
    # When the version before was last seen as it was.
    unchanged_until: datetime | None = None
    captured: datetime
    confidence: float
    read_by: ReadBy
    warc: WarcPointer


@dataclass(frozen=True, slots=True, kw_only=True)
class ContributionPage:
    """The page that contributions are made to, and the capture that shows them."""

    key: str  # its page key, from which the id of its article is made
    url: str
    capture: Capture

    @property
    def article(self) -> str:
        return article_id(self.key)


@dataclass(frozen=True, slots=True, kw_only=True)
class ContributionVersion:
    """What makes one version of a contribution."""

    number: int
    first_seen: datetime
    unchanged_until: datetime | None = None


def contribution_id(article: str, kind: str, key: str) -> str:
    """The same for all versions of a contribution."""
    return name_digest(f"{article}\n{kind}\n{key}")


def digest_of(text: str) -> str:
    """Equal for texts that a reader would call the same, however they are cut into lines."""
    return text_digest(folded(text))


def make_contribution(
    found: Contribution, page: ContributionPage, version: ContributionVersion
) -> ArchivedContribution:
    """The object of a version of what was read off a page."""
    published, capture = found.published, page.capture
    return ArchivedContribution(
        schema=SCHEMA,
        id=contribution_id(page.article, found.kind, found.key),
        kind=found.kind,
        article=page.article,
        page_url=redact(page.url),
        key=found.key,
        url=redact(found.url) if found.url else None,
        parent=found.parent,
        position=found.position,
        author=found.author,
        author_url=redact(found.author_url) if found.author_url else None,
        published=published.utc if published else None,
        published_day=written_day(published.text) if published else None,
        published_text=published.text if published else None,
        text=found.text,
        html=found.html,
        digest=digest_of(found.text),
        version=version.number,
        change="new" if version.number == 1 else "text",
        first_seen=version.first_seen,
        unchanged_until=version.unchanged_until,
        captured=capture.date,
        confidence=round(found.confidence, 4),
        read_by=found.read_by,
        warc=WarcPointer(
            file=capture.file,
            offset=capture.offset,
            record_id=capture.record_id,
            capture_id=capture.capture_id,
        ),
    )
