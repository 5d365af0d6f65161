"""Where pages end: an object line on disk first, then the commit that settles the entries."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from archiver.objects.model import Version, make_object
from archiver.pages import EntryOutcome
from archiver.store import articles as article_store
from archiver.store import pages as page_store
from archiver.store.articles import NewVersion
from archiver.store.pages import Settlement
from archiver.store.requisites import want
from archiver.store.wrappers import remember
from archiver.urls import same_page_key
from archiver.versions.compare import Making, compare

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import datetime

    from sqlalchemy import Connection

    from archiver.extract.model import Article
    from archiver.objects.writer import ObjectWriter
    from archiver.store.articles import KnownArticle
    from archiver.store.pages import WaitingEntry
    from archiver.store.requisites import WantedRequisite
    from archiver.store.wrappers import Lessons
    from archiver.versions.compare import Fingerprint
    from archiver.warc.records import Capture


@dataclass(frozen=True, slots=True, kw_only=True)
class Before:
    """A version of the article as it is read today: by another extractor, or with another wrapper."""

    version: int
    fingerprint: Fingerprint


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """What a page came to: an article, or an outcome without one."""

    page_id: int
    url: str
    waiting: tuple[WaitingEntry, ...]
    # Entries that changed before this moment are answered by it.
    known_at: datetime
    capture: Capture | None = None
    article: Article | None = None
    fingerprint: Fingerprint | None = None
    extractor: str = ""
    before: Before | None = None
    outcome: EntryOutcome = EntryOutcome.STORED
    detail: str | None = None
    requisites: tuple[WantedRequisite, ...] = ()
    outlinks: tuple[str, ...] = ()

    @property
    def making(self) -> Making:
        return Making(extractor=self.extractor, wrapper=self.article.wrapper if self.article else None)


def settle_findings(
    connection: Connection,
    findings: Sequence[Finding],
    objects: ObjectWriter,
    *,
    recorded: datetime,
    now: datetime,
    requisites_max_age: timedelta = timedelta.max,
    lessons: Sequence[Lessons] = (),
) -> list[EntryOutcome]:
    """Write the objects, settle the entries, and remember what the pages taught.

    A failure must end the run: start-up mends the rest.
    """
    outcomes: list[EntryOutcome] = []
    settlements: list[Settlement] = []
    for some in _distinct(findings):
        ended = _store_articles(connection, some, objects, recorded)
        outcomes += [settlement.outcome for settlement in ended]
        settlements += ended
    # On disk before the commit that counts on it.
    for file, length in objects.flush().items():
        article_store.save_object_length(connection, file, length)
    page_store.settle(connection, settlements, recorded=recorded, now=now)
    wanted = [one for finding in findings for one in finding.requisites]
    want(connection, wanted, now=now, max_age=requisites_max_age)
    remember(connection, lessons, recorded)
    return outcomes


def _distinct(findings: Sequence[Finding]) -> Iterator[Sequence[Finding]]:
    """The findings in order, cut so that none has an article twice: each is compared with the last."""
    part: dict[str, Finding] = {}
    for finding in findings:
        key = same_page_key(finding.url)
        if key in part:
            yield list(part.values())
            part = {}
        part[key] = finding
    if part:
        yield list(part.values())


def _store_articles(
    connection: Connection, findings: Sequence[Finding], objects: ObjectWriter, recorded: datetime
) -> list[Settlement]:
    """Write what is new, and tell how each finding ends."""
    keys = {
        finding.page_id: same_page_key(finding.url) for finding in findings if finding.article is not None
    }
    known = article_store.find_articles(connection, list(keys.values()))
    new: dict[str, NewVersion] = {}
    for finding in findings:
        if finding.page_id in keys:
            key = keys[finding.page_id]
            version = _new_version(finding, key, known.get(key), objects, recorded)
            if version is not None:
                new[key] = version
    ids = article_store.add_versions(connection, list(new.values()), known)
    unchanged = {
        ids[keys[finding.page_id]]: finding.capture.date
        for finding in findings
        if finding.capture is not None and finding.page_id in keys and keys[finding.page_id] not in new
    }
    article_store.seen_again(connection, unchanged)
    return [_settlement(finding, keys.get(finding.page_id), ids, new) for finding in findings]


def _new_version(
    finding: Finding, key: str, known: KnownArticle | None, objects: ObjectWriter, recorded: datetime
) -> NewVersion | None:
    """Stage the object of a new version; None if the article is as it was."""
    article, capture, fingerprint = finding.article, finding.capture, finding.fingerprint
    assert article is not None and capture is not None and fingerprint is not None  # noqa: S101, PT018 - come together
    change = compare(_last(finding, known), fingerprint)
    if change is None or (known and capture.digest and capture.digest == known.capture.digest):
        return None
    waiting = finding.waiting[0]
    version = Version(
        number=known.version + 1 if known else 1,
        change=change,
        fingerprint=fingerprint,
        first_seen=known.first_seen if known else waiting.first_seen,
        capture=capture,
        extractor=finding.extractor,
    )
    place = objects.stage(make_object(key, finding.url, article, waiting, version), recorded)
    return NewVersion(
        key=key,
        url=finding.url,
        number=version.number,
        first_seen=version.first_seen,
        fingerprint=fingerprint,
        method=article.method,
        making=finding.making,
        capture=capture,
        place=place,
    )


def _last(finding: Finding, known: KnownArticle | None) -> Fingerprint | None:
    """What the article is compared with: its last version, read as it is read today where that was done."""
    if known is None:
        return None
    before = finding.before
    return before.fingerprint if before and before.version == known.version else known.fingerprint


def _settlement(
    finding: Finding, key: str | None, ids: dict[str, int], new: dict[str, NewVersion]
) -> Settlement:
    outcome = finding.outcome
    if key is not None:
        outcome = EntryOutcome.STORED if key in new else EntryOutcome.UNCHANGED
    return Settlement(
        page_id=finding.page_id,
        outcome=outcome,
        known_at=finding.known_at,
        detail=finding.detail,
        article_id=ids[key] if key is not None else None,
    )
