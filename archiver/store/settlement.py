"""Where pages end: an object line on disk first, then the commit that settles the entries."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from archiver.acquisition.pages import EntryOutcome
from archiver.articles.methods.registry import FEED
from archiver.store import pages as page_store
from archiver.store.object_files import lines_settled
from archiver.store.pages import Settlement
from archiver.store.recheck_prices import count_requests
from archiver.store.requisites import want
from archiver.store.versioning import store_articles
from archiver.store.watching import Watched, age_of, watch
from archiver.store.wrappers import remember

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import datetime

    from sqlalchemy import Connection

    from archiver.archive.objects.writer import ObjectWriter
    from archiver.store.finding import Finding
    from archiver.store.versioning import Stored
    from archiver.store.watching import RecheckRules
    from archiver.store.wrappers import Lessons


@dataclass(frozen=True, slots=True, kw_only=True)
class SettlementRules:
    """What the operator set."""

    rechecks: RecheckRules
    requisites_max_age: timedelta = timedelta.max


@dataclass(frozen=True, slots=True, kw_only=True)
class Ending:
    """How a finding ended: for the entries, and for the article as it is watched."""

    outcome: EntryOutcome
    # new, changed, unchanged, missing, gone, still_gone, back, unclear; None where there is no article.
    look: str | None = None
    is_version: bool = False  # an object was written


@dataclass(frozen=True, slots=True, kw_only=True)
class Endings:
    """How findings ended, in their order."""

    of_each: tuple[Ending, ...]
    # Entries changed while their pages were on their way.
    asks_again: bool


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
    with lines_settled(connection, objects):
        for some in _distinct(findings):
            stored = store_articles(connection, some, objects, recorded)
            ended += [(finding, stored.get(finding.page_id)) for finding in some]
    settlements = [_settlement(*one) for one in ended]
    asks_again = page_store.settle(connection, settlements, recorded=recorded, now=now)
    looks = _watch(connection, ended, rules.rechecks, recorded=recorded, now=now)
    wanted = [one for finding in findings for one in finding.requisites]
    want(connection, wanted, now=now, max_age=rules.requisites_max_age)
    remember(connection, lessons, recorded)
    outcomes = {one.page_id: one.outcome for one in settlements}
    written = {finding.page_id for finding, stored in ended if stored is not None and stored.is_new}
    endings = (
        Ending(outcome=outcomes[number], look=looks.get(number), is_version=number in written)
        for number in (finding.page_id for finding in findings)
    )
    return Endings(of_each=tuple(endings), asks_again=asks_again)


def _distinct(findings: Sequence[Finding]) -> Iterator[Sequence[Finding]]:
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


def _settlement(finding: Finding, stored: Stored | None) -> Settlement:
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


def _watch(
    connection: Connection,
    ended: Sequence[tuple[Finding, Stored | None]],
    rules: RecheckRules,
    *,
    recorded: datetime,
    now: datetime,
) -> dict[int, str]:
    """What the looks at known articles came to, by page."""
    looks = [look for one in ended if (look := _look(*one, recorded)) is not None]
    requests = [(finding.is_recheck, 1 + len(finding.further.captures)) for finding, _ in ended]
    rechecks = sum(count for is_recheck, count in requests if is_recheck)
    count_requests(connection, rechecks=rechecks, others=sum(count for _, count in requests) - rechecks)
    came_to = watch(connection, looks, rules, now)
    return {look.page_id: told for look, told in zip(looks, came_to, strict=True)}


def _look(finding: Finding, stored: Stored | None, recorded: datetime) -> Watched | None:
    article_id = stored.article_id if stored else finding.article_id
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
