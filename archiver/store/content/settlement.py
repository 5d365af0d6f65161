"""Where pages end: an object line on disk first, then the commit that settles the entries."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import msgspec

from archiver.acquisition.requisites import RequisiteRules
from archiver.acquisition.settling import (
    Ending,
    Stored,
    change_of,
    distinct,
    known_for,
    look_of,
    next_version,
    settlement_of,
)
from archiver.articles.contributions.model import ContributionPage
from archiver.articles.objects.model import make_object
from archiver.store.content import articles as article_store
from archiver.store.content import pages as page_store
from archiver.store.content.articles import NewVersion
from archiver.store.content.comment_feeds import ask_for_comments
from archiver.store.content.contributions import ContributionCounts, write_contributions
from archiver.store.content.requisites import want
from archiver.store.content.twins import TwinFinder, canonical_key
from archiver.store.content.wrappers import remember
from archiver.store.field_values.fields import PageFields, tally_fields
from archiver.store.looks.watching import watch
from archiver.store.object_files import lines_settled
from archiver.store.polling.prices import count_requests
from archiver.store.reliability.labels import note_labels
from archiver.store.reliability.looks import SettledLook, note_looks

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from sqlalchemy import Connection

    from archiver.acquisition.findings import Finding, KnownArticle
    from archiver.acquisition.rechecks.watching import RecheckRules
    from archiver.archive.objects.writer import ObjectWriter
    from archiver.articles.labels.model import LabelledPage
    from archiver.store.content.wrappers import Lessons


@dataclass(frozen=True, slots=True, kw_only=True)
class SettlementRules:
    """What the operator set."""

    rechecks: RecheckRules
    requisites: RequisiteRules = RequisiteRules()
    comments: bool = False  # whether what readers write is kept


@dataclass(frozen=True, slots=True, kw_only=True)
class Endings:
    """How findings ended, in their order."""

    of_each: tuple[Ending, ...]
    # Entries changed while their pages were on their way.
    asks_again: bool
    contributions: ContributionCounts = ContributionCounts()


def settle_findings(
    connection: Connection,
    findings: Sequence[Finding],
    objects: ObjectWriter,
    rules: SettlementRules,
    *,
    recorded: datetime,
    now: datetime,
    lessons: Sequence[Lessons] = (),
) -> Endings:
    """Write the objects, settle the entries, remember what the pages taught, and when to look again.

    A failure must end the run: start-up mends the rest.
    """
    ended: list[tuple[Finding, Stored | None]] = []
    contributions = ContributionCounts()
    with lines_settled(connection, objects):
        for some in distinct(findings):
            stored = _store_articles(connection, some, objects, recorded)
            ended += [(finding, stored.get(finding.page_id)) for finding in some]
            contributions += _store_comments(connection, some, stored, objects, recorded)
    # What others captured was not fetched: it says nothing of servers, and asks for nothing.
    fetched = [one for one in ended if not one[0].is_imported]
    note_looks(connection, [_look(*one) for one in fetched], now)
    note_labels(connection, _labelled(findings), recorded)
    settlements = [settlement_of(*one) for one in ended]
    asks_again = page_store.settle(connection, settlements, recorded=recorded, now=now)
    looks = _watch(connection, fetched, rules.rechecks, recorded=recorded, now=now)
    if rules.comments:
        _ask_for_comments(connection, fetched, now)
    wanted = [one for finding, _ in fetched for one in finding.requisites]
    asked = rules.requisites
    want(connection, wanted, now=now, max_age=asked.max_age, most_alike=asked.most_alike)
    remember(connection, lessons, recorded)
    tally_fields(connection, _fields_read(findings), recorded)
    outcomes = {one.page_id: one.outcome for one in settlements}
    written = {finding.page_id for finding, stored in ended if stored is not None and stored.is_new}
    endings = (
        Ending(outcome=outcomes[number], look=looks.get(number), is_version=number in written)
        for number in (finding.page_id for finding in findings)
    )
    return Endings(of_each=tuple(endings), asks_again=asks_again, contributions=contributions)


def _look(finding: Finding, stored: Stored | None) -> SettledLook:
    is_edited = stored is not None and stored.is_new and not stored.is_first
    return SettledLook(finding=finding, is_edited=is_edited, times=stored.times if stored else None)


def _labelled(findings: Sequence[Finding]) -> list[LabelledPage]:
    """What sources of labels say of the pages, by the scopes that these are read in."""
    return [
        msgspec.structs.replace(one.labelled, channel=one.leads[0].scope)
        for one in findings
        if one.labelled is not None and one.leads
    ]


def _fields_read(findings: Sequence[Finding]) -> list[PageFields]:
    """What field wrappers read off the pages."""
    return [
        PageFields(page_id=one.page_id, url=one.url, capture=one.capture, read=one.fields)
        for one in findings
        if one.fields is not None and one.capture is not None
    ]


def _ask_for_comments(
    connection: Connection, ended: Sequence[tuple[Finding, Stored | None]], now: datetime
) -> None:
    """The feeds of comments are asked for when their articles were looked at."""
    numbers = {finding.page_id: stored.article_id for finding, stored in ended if stored is not None}
    keys = article_store.keys_of(connection, list(numbers.values()))
    of_pages = {page_id: keys[number] for page_id, number in numbers.items() if number in keys}
    ask_for_comments(connection, [finding for finding, _ in ended], of_pages, now)


def _store_comments(
    connection: Connection,
    findings: Sequence[Finding],
    stored: dict[int, Stored],
    objects: ObjectWriter,
    recorded: datetime,
) -> ContributionCounts:
    """Write what readers wrote about the articles: whatever it is, it makes no version of these."""
    shown = [one for one in findings if one.comments.found and one.page_id in stored and one.capture]
    keys = article_store.keys_of(connection, [stored[one.page_id].article_id for one in shown])
    counts = ContributionCounts()
    for one in shown:
        assert one.capture is not None  # noqa: S101 - asked for above
        page = ContributionPage(key=keys[stored[one.page_id].article_id], url=one.url, capture=one.capture)
        counts += write_contributions(
            connection, objects, page, one.comments.found, recorded, is_whole=one.comments.is_whole
        )
    return counts


def _watch(
    connection: Connection,
    ended: Sequence[tuple[Finding, Stored | None]],
    rules: RecheckRules,
    *,
    recorded: datetime,
    now: datetime,
) -> dict[int, str]:
    """What the looks at known articles came to, by page."""
    looks = [look for one in ended if (look := look_of(*one, recorded)) is not None]
    requests = [(finding.is_recheck, 1 + len(finding.further.captures)) for finding, _ in ended]
    rechecks = sum(count for is_recheck, count in requests if is_recheck)
    count_requests(connection, rechecks=rechecks, others=sum(count for _, count in requests) - rechecks)
    came_to = watch(connection, looks, rules, now)
    return {look.page_id: told for look, told in zip(looks, came_to, strict=True)}


def _store_articles(
    connection: Connection, findings: Sequence[Finding], objects: ObjectWriter, recorded: datetime
) -> dict[int, Stored]:
    """Stage the objects of what is new, note versions and looks; what was seen on each page."""
    shown = [one for one in findings if one.article is not None and one.absence is None]
    ids = [one.article_id for one in findings if one.article_id is not None]
    known = article_store.find_articles(connection, [one.key for one in shown], ids)
    mine = {
        one.page_id: _at_its_time(connection, one, article)
        for one in shown
        if (article := known_for(one, known)) is not None
    }
    twins = TwinFinder(connection)
    new: dict[int, NewVersion] = {}
    for finding in shown:
        version = _new_version(finding, mine.get(finding.page_id), objects, recorded, twins)
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


def _at_its_time(connection: Connection, finding: Finding, known: KnownArticle) -> KnownArticle:
    """What a finding is compared with: what others captured may be older than the last version."""
    if not finding.is_imported or finding.capture is None:
        return known
    return article_store.in_force(connection, known, finding.capture.date)


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
        times=version.times,
    )


def _new_version(
    finding: Finding,
    known: KnownArticle | None,
    objects: ObjectWriter,
    recorded: datetime,
    twins: TwinFinder,
) -> NewVersion | None:
    """Stage the object of a new version; None if the article is as it was."""
    article, fingerprint = finding.article, finding.fingerprint
    assert article is not None and fingerprint is not None  # noqa: S101, PT018 - come together
    change = change_of(finding, known)
    if change is None:
        return None
    key, lead = known.key if known else finding.key, finding.leads[0]
    alike = twins.of(key, finding.url, article.canonical_url, fingerprint.sketch) if known is None else ()
    version = next_version(finding, known, change, alike)
    made = make_object(key, finding.url, article, lead, version)
    return NewVersion(
        key=key,
        url=finding.url,
        channel_id=lead.announcer.channel_id if lead.announcer else 0,
        version=version,
        published=made.published,
        modified=made.updated,
        times=made.times,
        title=made.title,
        method=article.method,
        making=finding.making,
        canonical=canonical_key(article.canonical_url, key),
        place=objects.stage(made, recorded),
        is_past=known is not None and known.is_past,
    )
