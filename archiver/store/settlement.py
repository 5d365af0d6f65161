"""Where pages end: an object line on disk first, then the commit that settles the entries."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from archiver.objects.model import Version, make_object
from archiver.pages import EntryOutcome
from archiver.store import articles as article_store
from archiver.store import pages as page_store
from archiver.urls import same_page_key
from archiver.versions.compare import compare

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from sqlalchemy import Connection

    from archiver.extract.model import Article
    from archiver.objects.writer import ObjectWriter
    from archiver.store.pages import WaitingEntry
    from archiver.versions.compare import Fingerprint
    from archiver.warc.records import Capture


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """What a page came to: an article, or an outcome without one."""

    page_id: int
    url: str
    waiting: tuple[WaitingEntry, ...]
    # Entries that asked before this moment are answered by it.
    known_at: datetime
    capture: Capture | None = None
    article: Article | None = None
    fingerprint: Fingerprint | None = None
    outcome: EntryOutcome = EntryOutcome.STORED
    detail: str | None = None


def settle_findings(
    connection: Connection,
    findings: Sequence[Finding],
    objects: ObjectWriter,
    *,
    recorded: datetime,
    now: datetime,
) -> list[EntryOutcome]:
    """Write the objects and settle the entries. A failure must end the run: start-up mends the rest."""
    outcomes = []
    for finding in findings:
        article_id, outcome = None, finding.outcome
        if finding.article is not None:
            article_id, is_new = _store_article(connection, finding, objects, recorded)
            outcome = EntryOutcome.STORED if is_new else EntryOutcome.UNCHANGED
        _settle(connection, finding, outcome, article_id, recorded, now)
        outcomes.append(outcome)
    # On disk before the commit that counts on it.
    for file, length in objects.flush().items():
        article_store.save_object_length(connection, file, length)
    return outcomes


def _store_article(
    connection: Connection, finding: Finding, objects: ObjectWriter, recorded: datetime
) -> tuple[int, bool]:
    """The article's number, and whether this is a new version of it."""
    article, capture, fingerprint = finding.article, finding.capture, finding.fingerprint
    assert article is not None and capture is not None and fingerprint is not None  # noqa: S101, PT018 - come together
    waiting = finding.waiting[0]
    key = same_page_key(finding.url)
    known = article_store.find_article(connection, key)
    change = compare(known.fingerprint if known else None, fingerprint)
    if known is not None and change is None:
        article_store.seen_again(connection, known.id, capture.date)
        return known.id, False
    assert change is not None  # noqa: S101 - an article that is not known is new
    first_seen = known.first_seen if known else waiting.first_seen
    number = known.version + 1 if known else 1
    version = Version(
        number=number, change=change, fingerprint=fingerprint, first_seen=first_seen, capture=capture
    )
    place = objects.stage(make_object(key, finding.url, article, waiting, version), recorded)
    article_id = (
        known.id
        if known
        else article_store.add_article(
            connection, key, finding.url, first_seen=first_seen, captured=capture.date
        )
    )
    article_store.add_version(
        connection,
        article_id,
        number,
        fingerprint=fingerprint,
        method=article.method,
        capture=capture,
        place=place,
    )
    return article_id, True


def _settle(
    connection: Connection,
    finding: Finding,
    outcome: EntryOutcome,
    article_id: int | None,
    recorded: datetime,
    now: datetime,
) -> None:
    changes: dict[str, object] = {"failure": finding.detail}
    if article_id is not None:
        changes["article_id"] = article_id
    page_store.settle(
        connection, finding.page_id, outcome, known_at=finding.known_at, recorded=recorded, now=now, **changes
    )
