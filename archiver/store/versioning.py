"""Articles that pages showed: which are new, which changed, and the objects of their versions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from archiver.articles.objects.model import Version, make_object
from archiver.articles.versions.fingerprints import compare, is_unknown
from archiver.articles.versions.model import Change
from archiver.digests import is_digest_of
from archiver.store import articles as article_store
from archiver.store.articles import NewVersion
from archiver.store.twins import TwinFinder, canonical_key

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from sqlalchemy import Connection

    from archiver.archive.objects.writer import ObjectWriter
    from archiver.store.articles import KnownArticle
    from archiver.store.finding import Finding


# Of the words: below it, a text at another address is another article. A guess: edits keep far more.
_LEAST_ALIKE = 0.3


@dataclass(frozen=True, slots=True, kw_only=True)
class Stored:
    """An article that was seen on a page."""

    article_id: int
    is_new: bool = False  # a version was written
    is_first: bool = False  # its first
    published: datetime | None = None


def store_articles(
    connection: Connection, findings: Sequence[Finding], objects: ObjectWriter, recorded: datetime
) -> dict[int, Stored]:
    """Stage the objects of what is new, note versions and looks; what was seen on each page."""
    shown = [one for one in findings if one.article is not None and one.absence is None]
    keys = {one.page_id: one.key for one in shown}
    ids = [one.article_id for one in findings if one.article_id is not None]
    known = article_store.find_articles(connection, list(keys.values()), ids)
    mine = {one.page_id: article for one in shown if (article := _known_for(one, keys, known)) is not None}
    twins = TwinFinder(connection)
    new: dict[int, NewVersion] = {}
    for finding in shown:
        article = mine.get(finding.page_id)
        key = article.key if article else keys[finding.page_id]
        version = _new_version(finding, key, article, objects, recorded, twins)
        if version is not None:
            new[finding.page_id] = version
    numbers = article_store.add_versions(connection, list(new.values()), mine.values())
    twins.save(numbers, recorded)
    stored = {one.page_id: _stored(one, mine, new, numbers) for one in shown}
    stored |= {
        one.page_id: Stored(article_id=one.article_id)
        for one in findings
        if one.is_same and one.article_id is not None
    }
    seen = {
        stored[one.page_id].article_id: one.capture.date
        for one in findings
        if one.capture is not None and one.page_id in stored and one.page_id not in new
    }
    article_store.seen_again(connection, seen)
    return stored


def _known_for(
    finding: Finding, keys: dict[int, str], known: article_store.KnownArticles
) -> KnownArticle | None:
    """The article that this is a version of: its page's, also at a new address, or that of its address."""
    mine = known.by_id.get(finding.article_id) if finding.article_id is not None else None
    if mine is not None and (mine.key == keys[finding.page_id] or _is_at_new_address(finding)):
        return mine
    return known.by_key.get(keys[finding.page_id])


def _is_at_new_address(finding: Finding) -> bool:
    """Whether what stands at another address is still the article: some feeds give one id to several."""
    if finding.judged is None:
        return False
    change = finding.judged.judgement.change
    return change is None or change.similarity is None or change.similarity >= _LEAST_ALIKE


def _stored(
    finding: Finding,
    known: dict[int, KnownArticle],
    new: dict[int, NewVersion],
    numbers: dict[str, int],
) -> Stored:
    version = new.get(finding.page_id)
    if version is None:
        return Stored(article_id=known[finding.page_id].id)
    return Stored(
        article_id=numbers[version.key],
        is_new=True,
        is_first=version.number == 1,
        published=version.published,
    )


def _new_version(
    finding: Finding,
    key: str,
    known: KnownArticle | None,
    objects: ObjectWriter,
    recorded: datetime,
    twins: TwinFinder,
) -> NewVersion | None:
    """Stage the object of a new version; None if the article is as it was."""
    article, capture, fingerprint = finding.article, finding.capture, finding.fingerprint
    assert article is not None and capture is not None and fingerprint is not None  # noqa: S101, PT018 - come together
    change = _change(finding, known)
    if change is None:
        return None
    lead = finding.leads[0]
    version = Version(
        number=known.version + 1 if known else 1,
        change=change,
        fingerprint=fingerprint,
        first_seen=known.first_seen if known else lead.first_seen,
        unchanged_until=known.last_captured if known else None,
        capture=capture,
        further=finding.further,
        extractor=finding.extractor,
        twins=twins.of(key, finding.url, article.canonical_url, fingerprint.sketch) if known is None else (),
    )
    made = make_object(key, finding.url, article, lead, version)
    return NewVersion(
        key=key,
        url=finding.url,
        channel_id=lead.announcer.channel_id if lead.announcer else 0,
        version=version,
        published=made.published,
        modified=made.updated,
        title=made.title,
        method=article.method,
        making=finding.making,
        canonical=canonical_key(article.canonical_url, key),
        place=objects.stage(made, recorded),
    )


def _change(finding: Finding, known: KnownArticle | None) -> Change | None:
    """What is new against the last version; None if nothing is."""
    fingerprint, capture = finding.fingerprint, finding.capture
    assert fingerprint is not None and capture is not None  # noqa: S101, PT018 - as above
    if known is None:
        return compare(None, fingerprint)
    if known.is_captured_as(capture, finding.further):
        return None
    judged = finding.judged
    if judged is not None and judged.version == known.version:
        return judged.judgement.change
    return _by_digests(finding, known)


def _by_digests(finding: Finding, known: KnownArticle) -> Change | None:
    """What nobody compared word by word, also where the last version's digests are of an older form."""
    article, fingerprint, before = finding.article, finding.fingerprint, known.fingerprint
    assert article is not None and fingerprint is not None  # noqa: S101, PT018 - as above
    if not is_unknown(before, fingerprint):
        return compare(before, fingerprint)
    parts = (("title", before.title, article.title or ""), ("text", before.text, article.text))
    kinds = tuple(part for part, digest, text in parts if is_digest_of(digest, text) is False)
    return Change(kinds=kinds) if kinds else None
