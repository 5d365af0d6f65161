"""How findings are settled: which make a version, how entries end, and what is noted of each look."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from archiver.acquisition.findings import Settlement
from archiver.acquisition.pages import EntryOutcome
from archiver.acquisition.rechecks.watching import Watched, age_of
from archiver.articles.methods.registry import FEED
from archiver.articles.objects.model import Version
from archiver.articles.versions.fingerprints import compare, is_unknown
from archiver.articles.versions.model import Change
from archiver.digests import is_digest_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import datetime

    from archiver.acquisition.findings import Finding, KnownArticle, KnownArticles
    from archiver.articles.objects.model import Twin
    from archiver.documents.times.model import Times

# Of the words: below it, a text at another address is another article. A guess: edits keep far more.
_LEAST_ALIKE = 0.3


@dataclass(frozen=True, slots=True, kw_only=True)
class Stored:
    """An article that was seen on a page."""

    article_id: int
    is_new: bool = False  # a version was written
    is_first: bool = False  # its first
    published: datetime | None = None
    times: Times | None = None  # of the version that was written


@dataclass(frozen=True, slots=True, kw_only=True)
class Ending:
    """How a finding ended: for the entries, and for the article as it is watched."""

    outcome: EntryOutcome
    # new, changed, unchanged, missing, gone, still_gone, back, unclear; None where there is no article.
    look: str | None = None
    is_version: bool = False  # an object was written


def distinct(findings: Sequence[Finding]) -> Iterator[Sequence[Finding]]:
    """The findings in order, cut so that none has an article twice: each is compared with the last."""
    part: list[Finding] = []
    names: set[object] = set()
    for finding in findings:
        mine: set[object] = {finding.key}
        mine |= {finding.article_id} - {None}
        if names & mine:
            yield part
            part, names = [], set()
        part.append(finding)
        names |= mine
    if part:
        yield part


def known_for(finding: Finding, known: KnownArticles) -> KnownArticle | None:
    """The article that this is a version of: its page's, also at a new address, or that of its address."""
    mine = known.by_id.get(finding.article_id) if finding.article_id is not None else None
    if mine is not None and (mine.key == finding.key or _is_at_new_address(finding)):
        return mine
    return known.by_key.get(finding.key)


def _is_at_new_address(finding: Finding) -> bool:
    """Whether what stands at another address is still the article: some feeds give one id to several."""
    if finding.judged is None:
        return False
    change = finding.judged.judgement.change
    return change is None or change.similarity is None or change.similarity >= _LEAST_ALIKE


def change_of(finding: Finding, known: KnownArticle | None) -> Change | None:
    """What is new against the last version; None if nothing is."""
    fingerprint, capture = finding.fingerprint, finding.capture
    assert fingerprint is not None and capture is not None  # noqa: S101, PT018 - come with an article
    if known is None:
        return compare(None, fingerprint)
    if known.is_captured_as(capture, finding.further):
        return None
    judged = finding.judged
    if judged is not None and judged.version == known.version:
        change = judged.judgement.change
    else:
        change = _by_digests(finding, known)
    # Before all versions that are known: nothing of what stands there now was there before.
    return compare(None, fingerprint) if change is not None and known.is_later else change


def _by_digests(finding: Finding, known: KnownArticle) -> Change | None:
    """What was not compared word by word, also where the last version's digests are of an older form."""
    article, fingerprint, before = finding.article, finding.fingerprint, known.fingerprint
    assert article is not None and fingerprint is not None  # noqa: S101, PT018 - as above
    if not is_unknown(before, fingerprint):
        return compare(before, fingerprint)
    parts = (("title", before.title, article.title or ""), ("text", before.text, article.text))
    kinds = tuple(part for part, digest, text in parts if is_digest_of(digest, text) is False)
    return Change(kinds=kinds) if kinds else None


def next_version(
    finding: Finding, known: KnownArticle | None, change: Change, twins: tuple[Twin, ...]
) -> Version:
    """The version that follows the one that is known."""
    fingerprint, capture = finding.fingerprint, finding.capture
    assert fingerprint is not None and capture is not None  # noqa: S101, PT018 - as above
    return Version(
        number=known.next_number if known else 1,
        change=change,
        fingerprint=fingerprint,
        first_seen=known.first_seen if known else finding.leads[0].first_seen,
        unchanged_until=known.last_captured if known and not known.is_later else None,
        capture=capture,
        further=finding.further,
        extractor=finding.extractor,
        twins=twins,
    )


def settlement_of(finding: Finding, stored: Stored | None) -> Settlement:
    """How the entries of a page end."""
    outcome = finding.outcome
    if stored is not None:
        outcome = EntryOutcome.STORED if stored.is_new else EntryOutcome.UNCHANGED
    return Settlement(
        page_id=finding.page_id,
        outcome=outcome,
        known_at=finding.known_at,
        detail=finding.detail,
        article_id=stored.article_id if stored else None,
        carried=finding.announcer.id if finding.announcer else None,
        forgets=stored is None,
    )


def look_of(finding: Finding, stored: Stored | None, recorded: datetime) -> Watched | None:
    """The look that a finding was, at an article that is known; None where it is not watched by this page."""
    article_id = stored.article_id if stored else finding.article_id
    if finding.is_imported:
        return None
    # What was made of the feed's own content has no page to look at.
    if article_id is None or (finding.article is not None and finding.article.method == FEED):
        return None
    # What another row of the page shows is watched there: once for each article, however many announce it.
    if finding.is_elsewhere and stored is not None and not stored.is_first:
        return None
    return Watched(
        page_id=finding.page_id,
        article_id=article_id,
        at=finding.capture.date if finding.capture else finding.known_at,
        changed=stored is not None and stored.is_new and not stored.is_first,
        is_seen=stored is not None,
        absence=finding.absence,
        volatile=finding.judged.judgement.volatile if finding.judged else None,
        lacks=finding.further.lacks if finding.further.may_pass else None,
        age=age_of(stored.published, finding.announcer.not_before if finding.announcer else None, recorded)
        if stored is not None and finding.leads
        else timedelta(),
    )
