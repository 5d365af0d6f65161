"""Between what a worker reads and what is settled: values made from values."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import msgspec

from archiver.acquisition.findings import Finding
from archiver.acquisition.pages import EntryOutcome
from archiver.acquisition.targets import WantedRequisite
from archiver.acquisition.walks import Walk
from archiver.articles.continuation.model import NONE
from archiver.articles.leads import announcement_of
from archiver.documents.pages.model import Announcement
from archiver.documents.parts import part_url
from archiver.running.workers.page_tasks import Beside, FurtherToRead, PageToRead
from archiver.store.content.wrappers import Lessons

if TYPE_CHECKING:
    from collections.abc import Sequence

    from archiver.archive.warc.records import Capture, Fields
    from archiver.articles.continuation.model import Further
    from archiver.running.reading.reader import GroupRead
    from archiver.running.reading.taking import Sibling
    from archiver.running.workers.page_tasks import PageRead
    from archiver.store.content.pages import CapturedPage
    from archiver.store.content.parts import OtherPart


def extraction_fields(finding: Finding, outcome: EntryOutcome) -> Fields:
    """How the article was found, to stand beside the page in the archive."""
    article = finding.article
    assert article is not None  # noqa: S101 - asked for articles only
    fields = [
        ("extractionMethod", article.method),
        ("extractor", finding.extractor),
        ("extractionConfidence", f"{article.confidence:.4f}"),
        ("articleOutcome", outcome),
        ("articleDigest", finding.fingerprint.whole if finding.fingerprint else ""),
    ]
    if article.wrapper is not None:
        fields.append(("extractionWrapper", article.wrapper))
    return (*fields, *(("outlink", f"{url} L a/@href") for url in finding.outlinks))


def page_to_read(page: CapturedPage, *, is_followed: bool = False) -> PageToRead:
    """Where a captured page is, with the words of the entry that it is extracted with."""
    said = page.leads[0].announcement(page.other_summaries) if page.leads else Announcement()
    walk = page.walk or Walk()
    return msgspec.structs.replace(
        record_to_read(page.capture, said, part=page.part),
        is_known_part=page.is_known_part,
        beside=tuple(_beside(one, page) for one in page.others),
        further=tuple(_further_to_read(one.capture, one.url) for one in walk.pages),
        is_followed=is_followed,
        passed=tuple(walk.passed),
    )


def _beside(other: OtherPart, page: CapturedPage) -> Beside:
    return Beside(
        part=other.part, announcement=announcement_of(other.entry), is_older=other.page_id < page.id
    )


def sibling_to_read(sibling: Sibling) -> PageToRead:
    return record_to_read(sibling.capture, sibling.said)


def record_to_read(
    capture: Capture, announcement: Announcement, part: str = "", further: Further = NONE
) -> PageToRead:
    """A capture, by the part of it that is known to be the article, or with its further pages."""
    return PageToRead(
        id=capture.capture_id,
        url=capture.url,
        file=capture.file,
        offset=capture.offset,
        announcement=announcement,
        part=part,
        is_known_part=bool(part),
        further=tuple(_further_to_read(one) for one in further.captures),
        rendered=capture.rendered.place if capture.rendered else None,
    )


def _further_to_read(capture: Capture, asked: str = "") -> FurtherToRead:
    return FurtherToRead(
        id=capture.capture_id, url=capture.url, file=capture.file, offset=capture.offset, asked=asked
    )


def lessons_of(scope: int, extractor: str, read: GroupRead, findings: Sequence[Finding] = ()) -> Lessons:
    """What a group taught, and what it was read by."""
    found = [one.article for one in read.results if not isinstance(one, Exception)]
    return Lessons(
        scope=scope,
        extractor=extractor,
        learned=read.learned,
        outdated=read.outdated,
        redesigned=tuple(
            one.article_id
            for one in findings
            if one.article_id is not None and one.judged and one.judged.judgement.is_template_change
        ),
        used=tuple(one.wrapper for one in found if one is not None and one.wrapper is not None),
    )


def bare_finding(page: CapturedPage, outcome: EntryOutcome, detail: str | None = None) -> Finding:
    """A captured page that came to this, without an article."""
    return Finding(
        page_id=page.id,
        url=page.capture.url,
        leads=page.leads,
        known_at=page.capture.date,
        capture=page.capture,
        article_id=page.article_id,
        part=page.part if page.is_known_part else "",
        is_recheck=page.is_recheck,
        outcome=outcome,
        detail=detail,
    )


def finding_of(page: CapturedPage, read: PageRead) -> Finding:
    """What a worker found on a captured page."""
    if read.article is None and read.instead is None:
        nothing = read.nothing
        outcome = EntryOutcome(nothing.outcome) if nothing else EntryOutcome.NOT_ARTICLE
        unrendered = page.capture.rendered.problem if page.capture.rendered else ""
        told = f"ended in the browser: {unrendered}" if unrendered else None
        found = bare_finding(page, outcome, told or (nothing.reason if nothing else None))
    else:
        found = replace(
            bare_finding(page, EntryOutcome.STORED),
            url=part_url(page.capture.url, read.part),
            part=read.part,
            is_elsewhere=read.part != page.part,
            article=read.article or read.instead,
            fingerprint=read.fingerprint,
            extractor=read.extractor,
        )
    url = page.capture.url
    return replace(
        found,
        fields=read.fields,
        outlinks=read.outlinks,
        comments=read.comments,
        software=read.software,
        labelled=read.labelled,
        requisites=tuple(WantedRequisite(url=one.url, kind=one.kind, via=url) for one in read.requisites),
    )
