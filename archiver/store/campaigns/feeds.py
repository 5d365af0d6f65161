"""The feeds of relevant pages: which there are, and which of them are polled while a campaign lasts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
from sqlalchemy import delete, func, select, update

from archiver.acquisition.campaigns.feeds import PER_HOST, campaigns_among, source_of, speaks_for_feeds
from archiver.acquisition.campaigns.lasting import polls_feeds
from archiver.acquisition.campaigns.model import CampaignState, NamedFeed
from archiver.acquisition.campaigns.queue import is_denied
from archiver.acquisition.seeds.model import Seed
from archiver.store.campaigns.definitions import all_campaigns, campaign_by_id, change_campaign
from archiver.store.campaigns.feed_shares import ShareOf, feed_shares
from archiver.store.polling.channels import known_as, sources_of, was_removed
from archiver.store.polling.due import channels_of
from archiver.store.polling.listing import add_seed, stop_unlisted
from archiver.store.schema import campaign_feeds, candidates, channels, listings, relevances
from archiver.urls import LONGEST_URL, host_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import datetime
    from typing import Any

    from sqlalchemy import Connection, Row

    from archiver.acquisition.campaigns.model import Campaign, PendingCandidate


class FoundFeed(msgspec.Struct, frozen=True, kw_only=True):
    """A feed that a relevant page names."""

    url: str
    title: str
    host: str
    share: float  # of its entries, or of the pages of its host: how many are relevant
    share_of: ShareOf
    judged: int  # entries or pages that the share is of
    relevant: int
    is_polled: bool = False  # a channel of the campaign


def feeds_of(connection: Connection, number: int) -> list[FoundFeed]:
    """All feeds that relevant pages name, those with the largest share of relevant entries first."""
    rows = connection.execute(select(campaign_feeds).where(campaign_feeds.c.campaign_id == number)).all()
    polled = polled_feeds(connection, campaign_by_id(connection, number))
    shares = feed_shares(connection, number, {row.url: row.host for row in rows})
    found = []
    for row in rows:
        share_of, count = shares[row.url]
        found.append(
            FoundFeed(
                url=row.url,
                title=row.title,
                host=row.host,
                share=count.share,
                share_of=share_of,
                judged=count.judged,
                relevant=count.relevant,
                is_polled=row.url in polled,
            )
        )
    # Of equal shares, the one that more entries speak for.
    return sorted(found, key=lambda one: (-one.share, one.share_of, -one.judged, one.url))


def polled_feeds(connection: Connection, campaign: Campaign) -> frozenset[str]:
    """The addresses of the channels that a campaign names, as pages name them."""
    mine = channels.c.id.in_(channels_of([source_of(campaign.name)]))
    return frozenset(connection.execute(select(channels.c.seed_url).where(mine)).scalars())


# ── Following ────────────────────────────────────────────────────────────────────────────────────────────


def follow_feeds(
    connection: Connection,
    campaign: Campaign,
    page: PendingCandidate,
    score: float,
    feeds: Sequence[NamedFeed],
    now: datetime,
) -> int:
    """Poll the feeds of a host from here on whose pages are relevant enough; how many are new."""
    wish = campaign.definition.feeds
    if not wish.follow or not speaks_for_feeds(score, _others(connection, page, wish.floor), wish.floor):
        return 0
    # What it had left may have been spent for this very page.
    if not polls_feeds(campaign_by_id(connection, campaign.id), now):
        return 0
    source, added = source_of(campaign.name), 0
    listed = _listed(connection, source)
    for feed in (*feeds, *_of_host(connection, page)):
        at_host = sum(row.host == host_of(feed.url) for row in listed)
        if len(listed) >= wish.most:
            break
        if at_host < PER_HOST and _may_follow(connection, campaign, feed.url):
            _list(connection, feed, source, now)
            added += 1
            listed = _listed(connection, source)
    return added


def _others(connection: Connection, page: PendingCandidate, floor: float) -> Iterator[float]:
    """Another page of the host that is relevant enough, where there is one."""
    query = (
        select(relevances.c.score)
        .join(candidates, candidates.c.id == relevances.c.candidate_id)
        .where(relevances.c.campaign_id == page.campaign_id, relevances.c.score >= floor)
        .where(candidates.c.host == page.host, candidates.c.id != page.id, relevances.c.same_as.is_(None))
    )
    yield from connection.execute(query.limit(1)).scalars()


def _listed(connection: Connection, source: str) -> Sequence[Row[Any, Any]]:
    mine = channels.c.id.in_(channels_of([source]))
    return connection.execute(select(channels.c.id, channels.c.host).where(mine)).all()


def _of_host(connection: Connection, page: PendingCandidate) -> list[NamedFeed]:
    """Those that other pages of the host named before."""
    mine = (campaign_feeds.c.campaign_id == page.campaign_id) & (campaign_feeds.c.host == page.host)
    query = select(campaign_feeds).where(mine).order_by(campaign_feeds.c.found).limit(PER_HOST)
    return [NamedFeed(url=row.url, title=row.title) for row in connection.execute(query)]


def _may_follow(connection: Connection, campaign: Campaign, url: str) -> bool:
    """Whether a feed is for this campaign to poll: not denied, not removed by hand, not polled already."""
    if len(url) > LONGEST_URL or is_denied(url, campaign.definition):
        return False
    known = known_as(connection, url)
    if known is None:
        return True
    named = sources_of(connection, known)
    is_others = bool(named) and not campaigns_among(named)
    return not (is_others or source_of(campaign.name) in named or was_removed(connection, known))


def _list(connection: Connection, feed: NamedFeed, source: str, now: datetime) -> None:
    known = known_as(connection, feed.url)
    labels: tuple[str, ...] = ()
    if known is not None:
        labels = connection.execute(select(channels.c.labels).where(channels.c.id == known)).scalar_one()
    labels = tuple(dict.fromkeys((*labels, source)))
    add_seed(
        connection, Seed(url=feed.url, labels=labels, title=feed.title or None, source=source, line=0), now
    )


# ── The end of a campaign ────────────────────────────────────────────────────────────────────────────────


def set_state(connection: Connection, number: int, state: CampaignState, now: datetime) -> None:
    """Note how a campaign stands, and since when it does not run; its feeds follow."""
    ended = None
    if state is not CampaignState.RUNNING:
        ended = campaign_by_id(connection, number).ended or now
    change_campaign(connection, number, state=state, ended=ended)
    agree_feeds(connection, campaign_by_id(connection, number), now)


def agree_feeds(connection: Connection, campaign: Campaign, now: datetime) -> None:
    """Poll the feeds that were followed as long as the campaign wants it, and none afterwards."""
    source = source_of(campaign.name)
    if polls_feeds(campaign, now):
        for feed in _followed_before(connection, campaign):
            if _may_follow(connection, campaign, feed.url):
                _list(connection, feed, source, now)
        return
    numbers = list(connection.execute(channels_of([source])).scalars())
    if not numbers:
        return
    connection.execute(delete(listings).where(listings.c.source == source))
    stop_unlisted(connection)
    ended = channels.c.id.in_(numbers) & (channels.c.status == "unlisted")
    connection.execute(update(channels).where(ended).values(why=_why_not_polled(campaign)))


def _why_not_polled(campaign: Campaign) -> str:
    wish = campaign.definition.feeds
    if campaign.state is CampaignState.RUNNING and wish.follow:
        return f"the campaign {campaign.name} polls feeds until {wish.until}"
    how = campaign.state if wish.follow else "not following feeds"
    return f"the campaign {campaign.name} is {how}"


def _followed_before(connection: Connection, campaign: Campaign) -> list[NamedFeed]:
    """The feeds of relevant pages whose channels have the campaign's label, and are not polled."""
    query = (
        select(campaign_feeds.c.url, campaign_feeds.c.title, channels.c.labels)
        .join(channels, channels.c.seed_url == campaign_feeds.c.url)
        .where(campaign_feeds.c.campaign_id == campaign.id, channels.c.status == "unlisted")
    )
    label = source_of(campaign.name)
    rows = connection.execute(query.order_by(campaign_feeds.c.found)).all()
    return [NamedFeed(url=row.url, title=row.title) for row in rows if label in row.labels]


def end_overdue(connection: Connection, now: datetime) -> None:
    """End the campaigns whose days are over, and the feeds of others, also where no run fetches for them."""
    for campaign in all_campaigns(connection):
        end_if_over(connection, campaign, now)


def end_if_over(connection: Connection, campaign: Campaign, now: datetime) -> None:
    """End a campaign whose days are over, or the feeds that it does not follow any longer."""
    if campaign.state is CampaignState.RUNNING and campaign.is_over(now):
        set_state(connection, campaign.id, CampaignState.ENDED, now)
    else:
        agree_feeds(connection, campaign, now)


def count_polled(connection: Connection, campaign: Campaign) -> int:
    """How many feeds a campaign polls."""
    mine = listings.c.source == source_of(campaign.name)
    return connection.execute(select(func.count()).where(mine)).scalar_one()
