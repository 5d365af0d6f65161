"""Between what a worker reads and what is settled: values made from values."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from archiver.extract.model import Announcement
from archiver.pages import EntryOutcome
from archiver.store.requisites import WantedRequisite
from archiver.store.settlement import Finding

if TYPE_CHECKING:
    from archiver.store.pages import CapturedPage, WaitingEntry
    from archiver.warc.records import Fields
    from archiver.workers.messages import PageRead


def extraction_fields(finding: Finding, outcome: EntryOutcome) -> Fields:
    """How the article was found, to stand beside the page in the archive."""
    article = finding.article
    assert article is not None  # noqa: S101 - asked for articles only
    fields = [
        ("extractionMethod", article.method),
        ("extractionConfidence", f"{article.confidence:.4f}"),
        ("articleOutcome", outcome),
        ("articleDigest", finding.fingerprint.whole if finding.fingerprint else ""),
    ]
    return (*fields, *(("outlink", f"{url} L a/@href") for url in finding.outlinks))


def announcement_of(entry: WaitingEntry, other_summaries: tuple[str, ...]) -> Announcement:
    """What the feed said of a page."""
    return Announcement(
        title=entry.entry.title,
        summary=entry.entry.summary,
        content=entry.entry.content,
        language=entry.entry.language or entry.channel_language,
        other_summaries=other_summaries,
    )


def bare_finding(page: CapturedPage, outcome: EntryOutcome, detail: str | None = None) -> Finding:
    """A captured page that came to this, without an article."""
    return Finding(
        page_id=page.id,
        url=page.capture.url,
        waiting=page.waiting,
        known_at=page.capture.date,
        capture=page.capture,
        outcome=outcome,
        detail=detail,
    )


def finding_of(page: CapturedPage, read: PageRead) -> Finding:
    """What a worker found on a captured page."""
    if read.article is None:
        nothing = read.nothing
        outcome = EntryOutcome(nothing.outcome) if nothing else EntryOutcome.NOT_ARTICLE
        found = bare_finding(page, outcome, nothing.reason if nothing else None)
    else:
        found = replace(
            bare_finding(page, EntryOutcome.STORED), article=read.article, fingerprint=read.fingerprint
        )
    url = page.capture.url
    return replace(
        found,
        outlinks=read.outlinks,
        requisites=tuple(WantedRequisite(url=one.url, kind=one.kind, via=url) for one in read.requisites),
    )
